/*
 * Numbers over time from YAML.
 */
#ifndef BRISTLE_SCENARIO_READ_PROFILE_H
#define BRISTLE_SCENARIO_READ_PROFILE_H

#include "bristle/profile.h"
#include "scenario/node.h"
#include "scenario/value.h"

// Read a profile; a constant must be in the range. Mistakes end the command.
br_profile bri_read_profile(const node* value, range allowed);

// The profile of a key that may be missing.
br_profile bri_read_profile_or(const node* map, const char* key, range allowed, double otherwise);

// Note a mistake if the profile, read from this value, is negative within the duration [s].
void bri_check_not_negative(const node* value, const br_profile* profile, double duration);

// The hold time of a map, 0 if it has none [s].
double bri_read_hold(const node* map);

// A profile that is linear between the rows of a table.
br_profile bri_profile_of_table(size_t count, const double* t, const double* value, double hold);

// The largest value that it can have, at any time.
double bri_profile_largest(const br_profile* profile);

#endif
