/*
 * Contact changes: what the bristles keep and what the wrench does, docs/contact_changes.md.
 */
#include "growth_shapes.h"

#include "bristle/motion.h"

static double z[MOST], dz[MOST], carried[MOST];
static const br_twist slide = {0.004, -0.002, 0.6};

static const br_twist rest = {0.0, 0.0, 0.0};

// A wrench at a point, moved to the contact frame's origin: tau + at x f.
static br_wrench at_origin(br_wrench f, br_vec2 at)
{
    f.tau += at.x * f.fy - at.y * f.fx;
    return f;
}

// At rest the wrench is the elastic one alone.
static br_wrench elastic_distributed(const br_distributed* m, const double* state, double fn)
{
    return at_origin(br_distributed_eval(m, state, rest, fn, dz),
                     br_distributed_get_patch_value(m).cop);
}

static br_wrench elastic_blocks(const br_blocks* m, const double* state, double fn)
{
    return at_origin(br_blocks_eval(m, state, rest, fn, dz), br_blocks_get_patch_value(m).cop);
}

static br_wrench elastic_reduced(const br_reduced* m, const double* state, double fn)
{
    return at_origin(br_reduced_eval(m, state, rest, fn, dz), br_reduced_get_patch_value(m).cop);
}

// Shapes that differ in everything.
enum { SHAPES = 5 };
static br_patch* shape(int i)
{
    static const br_support_point points[] = {{0.0, 0.0, 1.0}, {0.01, 0.0, 2.0}, {0.0, 0.02, 1.0}};
    br_patch_def shifted = rectangle_def(0.03, 0.01);
    shifted.centre = (br_vec2){0.004, -0.003};
    shifted.angle = 0.7;
    const br_patch_def defs[SHAPES] = {disc_def(0.01), shifted,
                                       aside(with_linear(disc_def(0.006), 0.0, 1.0)),
                                       points_def(points, 3), growing_power(1.0)};
    return make(defs[i]);
}

/* Oracle: the elastic wrench before. From every shape to every other. */
static void carried_cells_keep_the_elastic_wrench(void** state)
{
    (void)state;
    for (int i = 0; i < SHAPES * SHAPES; i++) {
        br_patch *old_patch = shape(i / SHAPES), *new_patch = shape(i % SHAPES);
        br_distributed* from = make_distributed(old_patch, 1.0, 12, 0);
        br_distributed* to = make_distributed(new_patch, 1.0, 17, 0);
        fill_random(z, 2 * br_distributed_get_count(from), 1e-6);
        br_distributed_carry(from, z, to, carried);
        assert_same_wrench(elastic_distributed(to, carried, 2.0), elastic_distributed(from, z, 2.0),
                           1e-14 /* N: some eps of the 2 N that the cells carry */,
                           1e-16 /* N m: the same times the size */);
        for (size_t k = 0; k < br_distributed_get_count(to); k++) {
            const int padding = br_distributed_get_cell(to, k).weight == 0.0;
            assert_true(!padding || carried[k] == 0.0);
        }
        br_distributed_destroy(from);
        br_distributed_destroy(to);
        br_patch_destroy(old_patch);
        br_patch_destroy(new_patch);
    }
}

/* Oracle: the elastic wrench before. */
static void carried_blocks_keep_the_elastic_wrench(void** state)
{
    (void)state;
    for (int i = 0; i < SHAPES * SHAPES; i++) {
        br_patch *old_patch = shape(i / SHAPES), *new_patch = shape(i % SHAPES);
        br_blocks *from = make_blocks(old_patch, 1.0, 0), *to = make_blocks(new_patch, 1.0, 0);
        const size_t n = br_blocks_get_count(from);
        fill_random(z, 2 * n, 1e-6);
        fill_random(z + 2 * n, n, 1e-9);
        br_blocks_carry(from, z, to, carried);
        assert_same_wrench(elastic_blocks(to, carried, 2.0), elastic_blocks(from, z, 2.0), 1e-14,
                           1e-16);
        br_blocks_destroy(from);
        br_blocks_destroy(to);
        br_patch_destroy(old_patch);
        br_patch_destroy(new_patch);
    }
}

/* Oracle: the elastic wrench before. */
static void carried_reduced_bristles_keep_the_elastic_wrench(void** state)
{
    (void)state;
    const double before[3] = {4e-7, -7e-7, 3e-9};
    for (int i = 0; i < SHAPES * SHAPES; i++) {
        br_patch *old_patch = shape(i / SHAPES), *new_patch = shape(i % SHAPES);
        br_limit* old_surface = make_limit(old_patch, BR_LIMIT_ELLIPSOID, 1.0);
        br_limit* new_surface = make_limit(new_patch, BR_LIMIT_ELLIPSOID, 1.0);
        br_reduced *from = make_reduced(old_surface, 0), *to = make_reduced(new_surface, 0);
        br_reduced_carry(from, before, to, carried);
        assert_same_wrench(elastic_reduced(to, carried, 2.0), elastic_reduced(from, before, 2.0),
                           1e-15 /* N, rounding */, 1e-17 /* N m */);
        br_reduced_destroy(from);
        br_reduced_destroy(to);
        br_limit_destroy(old_surface);
        br_limit_destroy(new_surface);
        br_patch_destroy(old_patch);
        br_patch_destroy(new_patch);
    }
    br_reduced_def def = br_reduced_def_default();
    br_reduced *disc = NULL, *point = NULL;
    assert_status(br_reduced_create(&def, &disc, NULL), BR_OK);
    def.r = def.u = 0.0;
    assert_status(br_reduced_create(&def, &point, NULL), BR_OK);
    br_reduced_carry(disc, before, point, carried);
    assert_true(carried[0] == before[0] && carried[1] == before[1] && carried[2] == 0.0);
    br_reduced_destroy(disc);
    br_reduced_destroy(point);
}

/* Oracle: identity, and a law whose bristles are twice as stiff. */
static void carrying_to_the_same_patch_changes_nothing(void** state)
{
    (void)state;
    br_patch* patch = shape(1);
    br_distributed_def def = br_distributed_def_default();
    def.patch = patch;
    br_distributed *model = NULL, *stiff = NULL;
    assert_status(br_distributed_create(&def, &model, NULL), BR_OK);
    def.law.sigma0 *= 2.0;
    assert_status(br_distributed_create(&def, &stiff, NULL), BR_OK);
    const size_t n = 2 * br_distributed_get_count(model);
    fill_random(z, n, 1e-6);
    for (size_t i = 0; i < n; i++) {
        z[i] *= br_distributed_get_cell(model, i % (n / 2)).weight > 0.0;
    }
    br_distributed_carry(model, z, model, carried);
    for (size_t i = 0; i < n; i++) {
        assert_near(carried[i], z[i], 1e-20 /* m, rounding of the sums */);
    }
    br_distributed_carry(model, z, stiff, carried);
    assert_same_wrench(elastic_distributed(stiff, carried, 1.0), elastic_distributed(model, z, 1.0),
                       1e-14, 1e-16);
    br_distributed_destroy(model);
    br_distributed_destroy(stiff);
    br_patch_destroy(patch);
}

/* Oracle: proportion. The deflection stays, so the elastic wrench follows the force; where the patch
 * grows, by the pressure at the new force: torque sigma0 fn u(fn) times the angle. */
static void bristles_keep_their_deflection_when_the_force_changes(void** state)
{
    (void)state;
    br_patch* patch = make(growing_power(0.0));
    br_distributed* model = make_distributed(patch, 1.0, 21, 0);
    const size_t n = br_distributed_get_count(model);
    const double angle = 1e-4;
    for (size_t i = 0; i < n; i++) { // a small turn about the centre
        const br_distributed_cell cell = br_distributed_get_cell(model, i);
        z[i] = cell.weight > 0.0 ? 1e-7 - angle * cell.position.y : 0.0;
        z[n + i] = cell.weight > 0.0 ? angle * cell.position.x : 0.0;
    }
    for (double fn = 0.5; fn < 20.0; fn *= 2.0) {
        br_distributed_spread(model, fn);
        const br_wrench f = br_distributed_eval(model, z, rest, fn, dz);
        const double u = br_distributed_get_patch_value(model).u;
        assert_near(f.fx, -1e6 * fn * 1e-7, 1e-14 /* N, rounding */);
        assert_near_relative(f.tau, -1e6 * fn * u * angle, 1e-13 /* rounding */);
    }
    br_distributed_destroy(model);
    br_patch_destroy(patch);
}

/* Oracle: a contact that begins anew. Without force a step lets the bristles go at no cost. */
static void steps_let_go_without_force_and_begin_anew(void** state)
{
    (void)state;
    br_patch* patch = make(disc_def(0.01));
    br_distributed* model = make_distributed(patch, 1.0, 9, 0);
    const size_t n = 2 * br_distributed_get_count(model);
    br_step_energy energy;
    memset(z, 0, sizeof z);
    memset(carried, 0, sizeof carried);
    br_distributed_step(model, z, slide, 2.0, 1e-3, NULL);
    const br_wrench none = br_distributed_step(model, z, slide, 0.0, 1e-3, &energy);
    assert_same_wrench(none, (br_wrench){0.0, 0.0, 0.0}, 0.0, 0.0);
    assert_true(energy.stored == 0.0 && energy.dissipated == 0.0 && energy.work == 0.0);
    assert_true(memcmp(z, carried, n * sizeof *z) == 0);
    const br_wrench again = br_distributed_step(model, z, slide, 2.0, 1e-3, NULL);
    const br_wrench first = br_distributed_step(model, carried, slide, 2.0, 1e-3, NULL);
    assert_same_wrench(again, first, 0.0, 0.0);
    br_distributed_destroy(model);
    br_patch_destroy(patch);
}

enum { ROWS = 13 };

static void keep_row(const br_motion_row* row, void* user)
{
    br_wrench** next = user;
    *(*next)++ = row->f;
}

// Wrenches every 0.25 ms over 3 ms of slow sliding.
static void run_rows(br_motion motion, br_profile fn, br_wrench* rows)
{
    motion.vx = br_profile_constant(5e-4);
    motion.vy = br_profile_constant(0.0);
    motion.w = br_profile_constant(0.1);
    motion.normal_force = fn;
    br_run_def def = br_run_def_default();
    def.duration = 3e-3;
    def.every = 2.5e-4;
    def.rtol = 1e-8;
    def.atol_z = 1e-13;
    def.user = &rows;
    assert_status(br_motion_run(&motion, &def, keep_row, NULL, NULL), BR_OK);
}

static void compare_recontact(br_motion motion)
{
    static const double times[] = {0.0, 1e-3, 2e-3}, forces[] = {2.0, 0.0, 2.0};
    const br_profile lifted = {.kind = BR_PROFILE_STEPS, .count = 3, .t = times, .value = forces};
    br_wrench with[ROWS], without[ROWS];
    run_rows(motion, lifted, with);
    run_rows(motion, br_profile_constant(2.0), without);
    for (int i = 0; i < ROWS; i++) {
        // rows at a jump show the end of the piece before it
        const int is_apart = i > 4 && i <= 8;
        const br_wrench expected = i > 8      ? without[i - 8]
                                   : is_apart ? (br_wrench){0.0, 0.0, 0.0}
                                              : without[i];
        assert_same_wrench(with[i], expected, 1e-6 /* N, the run's tolerances */, 1e-8 /* N m */);
    }
    assert_true(fabs(without[4].fx) > 0.5); // there was something to forget
}

/* Oracle: a contact that begins anew, for every model with bristles. */
static void a_motion_lets_go_without_force_and_begins_anew(void** state)
{
    (void)state;
    br_patch* patch = make(disc_def(0.01));
    br_distributed* distributed = make_distributed(patch, 1.0, 9, 0);
    br_blocks* blocks = make_blocks(patch, 1.0, 0);
    br_limit* surface = make_limit(patch, BR_LIMIT_EXACT, 1.0);
    br_reduced* reduced = make_reduced(surface, 0);
    compare_recontact((br_motion){.distributed = distributed});
    compare_recontact((br_motion){.blocks = blocks});
    compare_recontact((br_motion){.reduced = reduced});
    br_distributed_destroy(distributed);
    br_blocks_destroy(blocks);
    br_reduced_destroy(reduced);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carried_cells_keep_the_elastic_wrench),
        cmocka_unit_test(carried_blocks_keep_the_elastic_wrench),
        cmocka_unit_test(carried_reduced_bristles_keep_the_elastic_wrench),
        cmocka_unit_test(carrying_to_the_same_patch_changes_nothing),
        cmocka_unit_test(bristles_keep_their_deflection_when_the_force_changes),
        cmocka_unit_test(steps_let_go_without_force_and_begin_anew),
        cmocka_unit_test(a_motion_lets_go_without_force_and_begins_anew),
    };
    return run_group(argc, argv, tests);
}
