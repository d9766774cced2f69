/*
 * A disc of 10 mm radius in each of the planar models, as the contact of a body.
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
    br_distributed* distributed;
    br_blocks* blocks;
    br_reduced* reduced;
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

static inline void fixture_reduced(fixture* f, int which, br_law law)
{
    br_reduced_def def = br_reduced_def_default();
    def.law = law;
    def.surface = which == TABLE ? disc_table : NULL;
    assert_status(br_reduced_create(&def, &f->reduced, NULL), BR_OK);
    f->contact.reduced = f->reduced;
    f->states = 3;
}

static inline void fixture_init(fixture* f, int which, br_law law)
{
    memset(f, 0, sizeof *f);
    f->contact = br_step_contact_default();
    if (which == CELLS) {
        br_distributed_def def = br_distributed_def_default();
        def.law = law;
        def.patch = disc;
        def.resolution = 9;
        assert_status(br_distributed_create(&def, &f->distributed, NULL), BR_OK);
        f->contact.distributed = f->distributed;
        f->states = 2 * br_distributed_get_count(f->distributed);
    } else if (which == BLOCKS) {
        br_blocks_def def = br_blocks_def_default();
        def.law = law;
        def.patch = disc;
        def.resolution = 24;
        def.blocks = 3;
        assert_status(br_blocks_create(&def, &f->blocks, NULL), BR_OK);
        f->contact.blocks = f->blocks;
        f->states = 3 * br_blocks_get_count(f->blocks);
    } else {
        fixture_reduced(f, which, law);
    }
    f->contact.z = f->z;
    assert_true(f->states <= MOST_STATES && br_step_get_work(&f->contact, 1) <= MOST_WORK);
}

static inline void fixture_free(fixture* f)
{
    br_distributed_destroy(f->distributed);
    br_blocks_destroy(f->blocks);
    br_reduced_destroy(f->reduced);
}

// Random deflections of about `size` [m]; spins of a block or of a patch of 10 mm scaled likewise.
static inline void fixture_shake(fixture* f, uint64_t* seed, double size)
{
    const double spin = f->blocks ? 2e-3 : 7e-3; // [m]
    const size_t third = f->states / 3;
    for (size_t i = 0; i < f->states; i++) {
        const int is_spin = !f->distributed && i >= 2 * third;
        f->z[i] = size * uniform(seed, -1.0, 1.0) * (is_spin ? spin : 1.0);
    }
    for (size_t i = 0; f->distributed && i < f->states / 2; i++) {
        const int counts = br_distributed_get_cell(f->distributed, i).weight > 0.0;
        f->z[i] *= counts;
        f->z[f->states / 2 + i] *= counts;
    }
    for (size_t i = 0; f->blocks && i < third; i++) {
        const int counts = br_blocks_get_block(f->blocks, i).weight > 0.0;
        f->z[i] *= counts;
        f->z[third + i] *= counts;
        f->z[2 * third + i] *= counts;
    }
}

// The step of a contact whose twist at the CoP is held, by its model's own function.
static inline br_wrench fixture_held(fixture* f, double* z, br_twist v, double h)
{
    const double fn = f->contact.fn;
    return f->distributed ? br_distributed_step(f->distributed, z, v, fn, h, NULL)
           : f->blocks    ? br_blocks_step(f->blocks, z, v, fn, h, NULL)
                          : br_reduced_step(f->reduced, z, v, fn, h, NULL);
}

// A body of a mass and a radius of gyration.
static inline br_step_body body_of(double mass, double radius, int order)
{
    br_step_body body = br_step_body_default();
    body.mass[0][0] = body.mass[1][1] = mass;
    body.mass[2][2] = mass * radius * radius;
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
