/// @file sim.h
/// All headers of libbristle-sim: simulations over time.
#ifndef BRISTLE_SIM_H
#define BRISTLE_SIM_H

#include "bristle/body.h"
#include "bristle/column.h"
#include "bristle/grip.h"
#include "bristle/integrator.h"
#include "bristle/mechanism.h"
#include "bristle/motion.h"
#include "bristle/profile.h"
#include "bristle/rig.h"
#include "bristle/rollout.h"
#include "bristle/run.h"
#include "bristle/sliding.h"

#endif
