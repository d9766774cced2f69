/// @file bristle.h
/// Everything: dry friction between surfaces that slide and spin on each other.
#ifndef BRISTLE_BRISTLE_H
#define BRISTLE_BRISTLE_H

#include "bristle/base.h"
#include "bristle/batch.h"
#include "bristle/cone.h"
#include "bristle/constrained.h"
#include "bristle/contact.h"
#include "bristle/engine.h"
#include "bristle/fit.h"
#include "bristle/fit_contact.h"
#include "bristle/fit_law.h"
#include "bristle/grasp.h"
#include "bristle/law.h"
#include "bristle/limit.h"
#include "bristle/limit_polyhedron.h"
#include "bristle/math.h"
#include "bristle/online.h"
#include "bristle/outline.h"
#include "bristle/papers.h"
#include "bristle/patch.h"
#include "bristle/polyhedron.h"
#include "bristle/pushing.h"
#include "bristle/sim.h"
#include "bristle/slider.h"
#include "bristle/step.h"
#include "bristle/swing.h"
#include "bristle/wrench_cone.h"

#endif
