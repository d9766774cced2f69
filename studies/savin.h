/*
 * Savin's lecture: a friction cone between its inner and outer polyhedra.
 */
#ifndef STUDIES_SAVIN_H
#define STUDIES_SAVIN_H

#include "study.h"

void savin_cone(study* s);

#endif
