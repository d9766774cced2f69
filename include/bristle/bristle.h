/// @file bristle.h
/// Everything: dry friction between surfaces that slide and spin on each other.
#ifndef BRISTLE_BRISTLE_H
#define BRISTLE_BRISTLE_H

#include "bristle/base.h"
#include "bristle/batch.h"
#include "bristle/blocks.h"
#include "bristle/distributed.h"
#include "bristle/law.h"
#include "bristle/limit.h"
#include "bristle/math.h"
#include "bristle/patch.h"
#include "bristle/reduced.h"
#include "bristle/sim.h"
#include "bristle/step.h"

#endif
