/*
 * Random steps of everything that steps: what the parts of steps.c share.
 *
 * Numbers are drawn from RANGE_LIST, which docs/robustness.md prints as the ranges of its promises
 * (`test/docs/robustness.sh` compares both). A part takes steps until its share of the count is reached. Each episode
 * has its own seed, so that a finding is repeated by its part and its seed alone.
 */
#ifndef BRISTLE_TEST_RANDOM_STEPS_H
#define BRISTLE_TEST_RANDOM_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "bristle/bristle.h"

// The ranges: identifier, name, unit, from, to, whether 0 is drawn, too, and the range of floats.
#define RANGE_LIST(X)                                                                              \
    X(MU_C, "mu_c", "-", 0.01, 10.0, false, 0.05, 2.0)                                             \
    X(MU_RATIO, "mu_s/mu_c", "-", 1.0, 5.0, false, 1.0, 3.0)                                       \
    X(V_S, "v_s", "m/s", 1e-5, 1.0, false, 1e-4, 0.1)                                              \
    X(GAMMA, "gamma", "-", 0.3, 5.0, false, 2.0, 2.0)                                              \
    X(SIGMA0, "sigma0", "1/m", 1e2, 1e8, false, 1e3, 1e6)                                          \
    X(SIGMA1, "sigma1", "s/m", 1e-2, 1e5, true, 1.0, 1e3)                                          \
    X(SIGMA2, "sigma2", "s/m", 1e-3, 10.0, true, 1e-3, 1.0)                                        \
    X(S_BA, "1 - s_ba", "-", 1e-3, 1.0, false, 0.02, 1.0)                                          \
    X(V_D, "v_damping", "m/s", 1e-5, 10.0, true, 1e-4, 1.0)                                        \
    X(LENGTH, "size of a patch", "m", 1e-3, 1.0, false, 5e-3, 0.1)                                 \
    X(ARM, "arm of a contact", "m", 1e-3, 1.0, true, 5e-3, 0.1)                                    \
    X(FN, "fn", "N", 1e-3, 1e5, true, 0.1, 100.0)                                                  \
    X(MASS, "mass", "kg", 1e-3, 1e4, false, 0.05, 10.0)                                            \
    X(GYRATION, "sqrt(inertia/mass)", "m", 1e-3, 1.0, false, 5e-3, 0.1)                            \
    X(SPEED, "speed", "m/s", 1e-8, 100.0, true, 1e-5, 1.0)                                         \
    X(LOAD, "load over mu_s fn", "-", 1e-3, 10.0, true, 1e-3, 3.0)                                 \
    X(STEP, "h", "s", 1e-7, 1.0, false, 1e-5, 0.1)

typedef enum range_name {
#define RANGE_ENUM(name, text, unit, low, high, zero, low_float, high_float) RANGE_##name,
    RANGE_LIST(RANGE_ENUM)
#undef RANGE_ENUM
        RANGE_COUNT
} range_name;

// Largest stiffness number N of steps_body.c for which energies are promised.
#define MOST_STIFFNESS 1e12

enum { MOST_STATES = 400, MOST_CONTACTS = 3, MOST_LANES = 64 };

// How far the steps of a part went from what is promised.
typedef struct tally {
    const char* name;
    uint64_t seed; // of the present episode
    uint64_t steps;
    double gain;    // most energy that came from nowhere, over the energies that the step moves
    double longest; // longest bristle over its bound
    double force;   // largest force over its bound
    double apart;   // largest difference of plain and vector code, over the numbers' size
    uint64_t unconverged, compared, branches;
    uint64_t findings;
} tally;

// What is allowed; a part may differ.
typedef struct allowed {
    double gain, longest, force, apart;
} allowed;

// --- random numbers -------------------------------------------------------------------------------

// Uniform in [0, 1), and with a probability.
double draw_unit(uint64_t* seed);
bool draw_chance(uint64_t* seed, double probability);

// From a range, uniform in the logarithm; `narrow`: the range of floats.
double draw(uint64_t* seed, range_name which, bool narrow);

// With a random sign.
double draw_signed(uint64_t* seed, range_name which, bool narrow);

// A twist that a patch of some length [m] may have.
br_twist draw_twist(uint64_t* seed, double length, bool narrow);

// A law of bristles, LuGre or elasto-plastic, or Dahl's.
br_law draw_law(uint64_t* seed, br_law_kind kind, bool narrow);

// --- random contacts ------------------------------------------------------------------------------

// What a contact is built from.
typedef enum contact_kind {
    KIND_CELLS,
    KIND_BLOCKS,
    KIND_ELLIPSOID,
    KIND_SMOOTH,
    KIND_BILINEAR,
    KIND_STRETCHED, // ellipsoid with anisotropic friction
    KIND_COUNT
} contact_kind;

// A contact twice: with the processor's vectors, and plain.
typedef struct twin {
    br_contact* fast;
    br_contact* plain;
    contact_kind kind;
    br_law law;
    double length; // of its patch [m]
    double reach;  // largest distance of a part from the CoP [m]
    double bound;  // of a bristle, over mu_s/sigma0 [-]
    bool guard;
} twin;

twin draw_contact(uint64_t* seed, contact_kind kind, bool guard);
void destroy_twin(twin* t);

// Longest bristle of a state, over its bound.
double longest_bristle(const twin* t, const double* z);

// Largest force that bristles within their bounds have [N] at a twist, in a step h from bristles within their bounds.
double largest_force(const twin* t, br_twist v, double fn, double h);

// --- checks ---------------------------------------------------------------------------------------

// Note a number; beyond `most` it is a finding, which is printed.
void note(tally* t, double* worst, double value, double most, const char* what);

// Note what must be finite.
void note_finite(tally* t, const double* numbers, size_t count, const char* what);

// --- parts: an episode each -----------------------------------------------------------------------

void step_laws(tally* t, uint64_t seed);
void step_contacts(tally* t, uint64_t seed);
void step_bodies(tally* t, uint64_t seed);
void step_groups(tally* t, uint64_t seed);
void step_hosts(tally* t, uint64_t seed);
void step_worlds(tally* t, uint64_t seed);
void step_worlds_float(tally* t, uint64_t seed);

// Free what parts share.
void destroy_shared(void);

#endif
