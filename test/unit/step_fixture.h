/*
 * A disc of 10 mm radius by each method, as the contact of a body.
 */
#ifndef BRISTLE_TEST_STEP_FIXTURE_H
#define BRISTLE_TEST_STEP_FIXTURE_H

#include "check.h"
#include "poisoned.h"

#include "bristle/bristle.h"

#include <string.h>

enum { CELLS, BLOCKS, TABLE, ELLIPSOID, MODELS };
enum { MOST_STATES = 400, MOST_WORK = 8 * MOST_STATES };

// A contact with all that it borrows.
typedef struct fixture {
    br_step_contact contact;
    br_contact* made;
    int which;
    double z[MOST_STATES];
    double work[MOST_WORK];
    size_t states;
} fixture;

// The disc and its table, which all fixtures borrow: setup and teardown of a group of tests.
static br_patch* disc;
static br_limit* disc_table;

static inline int disc_create(void** state)
{
    (void)state;
    const br_patch_def shape = br_patch_def_default();
    assert_status(br_patch_create(&shape, &disc, NULL), BR_OK);
    br_limit_def def = br_limit_def_default();
    def.patch = disc;
    def.method = BR_LIMIT_BILINEAR;
    assert_status(br_limit_create(&def, &disc_table, NULL), BR_OK);
    return 0;
}

static inline int disc_destroy(void** state)
{
    (void)state;
    br_limit_destroy(disc_table);
    br_patch_destroy(disc);
    return 0;
}

// run_group() with them
#define run_disc_group(argc, argv, tests)                                                          \
    ((argc) > 1 ? cmocka_set_test_filter((argv)[1]) : (void)0,                                     \
     cmocka_run_group_tests(tests, disc_create, disc_destroy))

static inline br_contact_def disc_def(int which, br_law law)
{
    static const br_method methods[] = {BR_METHOD_DISTRIBUTED, BR_METHOD_BLOCKS, BR_METHOD_REDUCED,
                                        BR_METHOD_ELLIPSOID};
    br_contact_def def = br_contact_def_default();
    def.method = methods[which];
    def.law = law;
    def.patch = which == TABLE ? NULL : disc;
    def.surface = which == TABLE ? disc_table : NULL;
    def.resolution = which == CELLS ? 9 : which == BLOCKS ? 3 : 0;
    return def;
}

static inline void fixture_init(fixture* f, int which, br_law law)
{
    memset(f, 0, sizeof *f);
    f->contact.count = 1; // by which tests multiply
    const br_contact_def def = disc_def(which, law);
    assert_status(br_contact_create(&def, &f->made, NULL), BR_OK);
    f->which = which;
    f->states = br_contact_get_state_count(f->made);
    f->contact.contact = f->made;
    f->contact.z = f->z;
    assert_true(f->states <= MOST_STATES && br_step_get_work(&f->contact, 1) <= MOST_WORK);
}

static inline void fixture_free(fixture* f)
{
    br_contact_destroy(f->made);
}

// Random deflections of about `size` [m]; spins of a block or of a patch of 10 mm scaled likewise.
static inline void fixture_shake(fixture* f, uint64_t* seed, double size)
{
    const double spin = f->which == BLOCKS ? 2e-3 : 7e-3; // [m]
    const size_t parts = br_contact_get_part_count(f->made);
    for (size_t i = 0; i < f->states; i++) {
        const double value = size * uniform(seed, -1.0, 1.0) * (i >= 2 * parts ? spin : 1.0);
        f->z[i] = br_contact_get_part(f->made, i % parts).weight > 0.0 ? value : 0.0;
    }
}

// The step of a contact whose twist at the CoP is held.
static inline br_wrench fixture_held(fixture* f, double* z, br_twist v, double h)
{
    return br_contact_step(f->made, z, v, f->contact.fn, h, NULL);
}

// Energy in the bristles, of all that share the state [J].
static inline double fixture_stored(const fixture* f)
{
    return (double)f->contact.count * br_contact_stored(f->made, f->z, f->contact.fn);
}

// A body of a mass and a radius of gyration.
static inline br_step_body body_of(double mass, double radius, int order)
{
    br_step_body body = br_step_body_default(mass, mass * radius * radius);
    body.order = order;
    return body;
}

// What a ledger does not explain, and what there was [J].
static inline double ledger_gap(const br_step_ledger* e)
{
    return e->kinetic_before + e->stored_before + e->load - e->kinetic_after - e->stored_after -
           e->dissipated - e->numerical;
}

static inline double ledger_size(const br_step_ledger* e)
{
    return e->kinetic_before + e->stored_before + fabs(e->load);
}

static inline br_law law_of(int elasto_plastic)
{
    return br_law_default(elasto_plastic ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE);
}

#endif
