/// @file bristle.h
/// All headers of bristle: dry friction between surfaces that slide and spin on each other.
#ifndef BRISTLE_BRISTLE_H
#define BRISTLE_BRISTLE_H

#include "bristle/base.h"
#include "bristle/batch.h"
#include "bristle/cone.h"
#include "bristle/constrained.h"
#include "bristle/contact.h"
#include "bristle/csv.h"
#include "bristle/engine.h"
#include "bristle/field.h"
#include "bristle/fit.h"
#include "bristle/fit_contact.h"
#include "bristle/fit_law.h"
#include "bristle/fit_pressure.h"
#include "bristle/fit_pushes.h"
#include "bristle/grasp.h"
#include "bristle/law.h"
#include "bristle/limit.h"
#include "bristle/limit_polyhedron.h"
#include "bristle/math.h"
#include "bristle/modes.h"
#include "bristle/online.h"
#include "bristle/outline.h"
#include "bristle/papers.h"
#include "bristle/patch.h"
#include "bristle/polyhedron.h"
#include "bristle/pushing.h"
#include "bristle/scenario.h"
#include "bristle/sim.h"
#include "bristle/slider.h"
#include "bristle/step.h"
#include "bristle/sweep.h"
#include "bristle/text.h"
#include "bristle/wrench_cone.h"

#endif
