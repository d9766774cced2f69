/*
 * Savin's lecture: a friction cone between its inner and outer polyhedra.
 */
#ifndef CLI_REPRODUCE_SAVIN_H
#define CLI_REPRODUCE_SAVIN_H

#include "study.h"

void savin_cone(study* s);

#endif
