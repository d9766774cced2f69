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
static br_wrench elastic(const br_contact* c, const double* state, double fn)
{
    return at_origin(br_contact_eval(c, state, rest, fn, dz), br_contact_get_patch_value(c).cop);
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
        br_contact* from = make_distributed(old_patch, 12, 0);
        br_contact* to = make_distributed(new_patch, 17, 0);
        fill_random(z, 2 * br_contact_get_part_count(from), 1e-6);
        br_contact_carry(from, z, to, carried);
        assert_same_wrench(elastic(to, carried, 2.0), elastic(from, z, 2.0),
                           1e-14 /* N: some eps of the 2 N that the cells carry */,
                           1e-16 /* N m: the same times the size */);
        for (size_t k = 0; k < br_contact_get_part_count(to); k++) {
            const int padding = br_contact_get_part(to, k).weight == 0.0;
            assert_true(!padding || carried[k] == 0.0);
        }
        br_contact_destroy(from);
        br_contact_destroy(to);
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
        br_contact *from = make_blocks(old_patch, 0), *to = make_blocks(new_patch, 0);
        const size_t n = br_contact_get_part_count(from);
        fill_random(z, 2 * n, 1e-6);
        fill_random(z + 2 * n, n, 1e-9);
        br_contact_carry(from, z, to, carried);
        assert_same_wrench(elastic(to, carried, 2.0), elastic(from, z, 2.0), 1e-14, 1e-16);
        br_contact_destroy(from);
        br_contact_destroy(to);
        br_patch_destroy(old_patch);
        br_patch_destroy(new_patch);
    }
}

/* Oracle: the elastic wrench before. */
static void carried_reduced_bristles_keep_the_elastic_wrench(void** state)
{
    (void)state;
    const double deflected[3] = {4e-7, -7e-7, 3e-9};
    for (int i = 0; i < SHAPES * SHAPES; i++) {
        br_patch *old_patch = shape(i / SHAPES), *new_patch = shape(i % SHAPES);
        br_limit* old_surface = make_limit(old_patch, BR_LIMIT_ELLIPSOID, 1.0);
        br_limit* new_surface = make_limit(new_patch, BR_LIMIT_ELLIPSOID, 1.0);
        br_contact *from = make_reduced(old_surface, 0), *to = make_reduced(new_surface, 0);
        // where the patch grows the third state is the angle z_tau/u
        const int grows = br_contact_get_spread_size(from) > 0;
        const double turn = grows ? br_contact_get_patch_value(from).u : 1.0;
        const double before[3] = {deflected[0], deflected[1], deflected[2] / turn};
        br_contact_carry(from, before, to, carried);
        assert_same_wrench(elastic(to, carried, 2.0), elastic(from, before, 2.0),
                           1e-15 /* N, rounding */, 1e-17 /* N m */);
        br_contact_destroy(from);
        br_contact_destroy(to);
        br_limit_destroy(old_surface);
        br_limit_destroy(new_surface);
        br_patch_destroy(old_patch);
        br_patch_destroy(new_patch);
    }
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_ELLIPSOID;
    br_contact *disc = make_reduced(NULL, 0), *point = make_contact(def);
    br_contact_carry(disc, deflected, point, carried);
    assert_true(carried[0] == deflected[0] && carried[1] == deflected[1] && carried[2] == 0.0);
    br_contact_destroy(disc);
    br_contact_destroy(point);
}

/* Oracle: identity, and a law whose bristles are twice as stiff. */
static void carrying_to_the_same_patch_changes_nothing(void** state)
{
    (void)state;
    br_patch* patch = shape(1);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    br_contact* model = make_contact(def);
    def.law.sigma0 *= 2.0;
    br_contact* stiff = make_contact(def);
    const size_t n = 2 * br_contact_get_part_count(model);
    fill_random(z, n, 1e-6);
    for (size_t i = 0; i < n; i++) {
        z[i] *= br_contact_get_part(model, i % (n / 2)).weight > 0.0;
    }
    br_contact_carry(model, z, model, carried);
    for (size_t i = 0; i < n; i++) {
        assert_near(carried[i], z[i], 1e-20 /* m, rounding of the sums */);
    }
    br_contact_carry(model, z, stiff, carried);
    assert_same_wrench(elastic(stiff, carried, 1.0), elastic(model, z, 1.0), 1e-14, 1e-16);
    br_contact_destroy(model);
    br_contact_destroy(stiff);
    br_patch_destroy(patch);
}

/* Oracle: proportion. The deflection stays, so the elastic wrench follows the force; where the patch
 * grows, by the pressure at the new force: torque sigma0 fn u(fn) times the angle. */
static void bristles_keep_their_deflection_when_the_force_changes(void** state)
{
    (void)state;
    br_patch* patch = make(growing_power(0.0));
    br_contact* model = make_distributed(patch, 21, 0);
    void* memory = spread_memory(model);
    const size_t n = br_contact_get_part_count(model);
    const double angle = 1e-4;
    for (size_t i = 0; i < n; i++) { // a small turn about the centre
        const br_contact_part cell = br_contact_get_part(model, i);
        z[i] = cell.weight > 0.0 ? 1e-7 - angle * cell.position.y : 0.0;
        z[n + i] = cell.weight > 0.0 ? angle * cell.position.x : 0.0;
    }
    for (double fn = 0.5; fn < 20.0; fn *= 2.0) {
        const br_contact* now = br_contact_spread(model, fn, memory);
        const br_wrench f = br_contact_eval(now, z, rest, fn, dz);
        const double u = br_contact_get_patch_value(now).u;
        assert_near(f.fx, -1e6 * fn * 1e-7, 1e-14 /* N, rounding */);
        assert_near_relative(f.tau, -1e6 * fn * u * angle, 1e-13 /* rounding */);
    }
    test_free(memory);
    br_contact_destroy(model);
    br_patch_destroy(patch);
}

/* Oracle: a contact that begins anew. Without force a step lets the bristles go at no cost. */
static void steps_let_go_without_force_and_begin_anew(void** state)
{
    (void)state;
    br_patch* patch = make(disc_def(0.01));
    br_contact* model = make_distributed(patch, 9, 0);
    const size_t n = 2 * br_contact_get_part_count(model);
    br_step_energy energy;
    memset(z, 0, sizeof z);
    memset(carried, 0, sizeof carried);
    br_contact_step(model, z, slide, 2.0, 1e-3, NULL);
    const br_wrench none = br_contact_step(model, z, slide, 0.0, 1e-3, &energy);
    assert_same_wrench(none, (br_wrench){0.0, 0.0, 0.0}, 0.0, 0.0);
    assert_true(energy.stored == 0.0 && energy.dissipated == 0.0 && energy.work == 0.0);
    assert_true(memcmp(z, carried, n * sizeof *z) == 0);
    const br_wrench again = br_contact_step(model, z, slide, 2.0, 1e-3, NULL);
    const br_wrench first = br_contact_step(model, carried, slide, 2.0, 1e-3, NULL);
    assert_same_wrench(again, first, 0.0, 0.0);
    br_contact_destroy(model);
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
    const br_run_watch watch = {.row.motion = keep_row, .user = &rows};
    assert_status(br_motion_run(&motion, &def, &watch, NULL, NULL), BR_OK);
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

/* Oracle: a contact that begins anew, for every method. */
static void a_motion_lets_go_without_force_and_begins_anew(void** state)
{
    (void)state;
    br_patch* patch = make(disc_def(0.01));
    br_contact* distributed = make_distributed(patch, 9, 0);
    br_contact* blocks = make_blocks(patch, 0);
    br_limit* surface = make_limit(patch, BR_LIMIT_EXACT, 1.0);
    br_contact* reduced = make_reduced(surface, 0);
    compare_recontact((br_motion){.contact = distributed});
    compare_recontact((br_motion){.contact = blocks});
    compare_recontact((br_motion){.contact = reduced});
    br_contact* ellipsoid = make_reduced(NULL, 0);
    compare_recontact((br_motion){.contact = ellipsoid});
    br_contact_destroy(ellipsoid);
    br_contact_destroy(distributed);
    br_contact_destroy(blocks);
    br_contact_destroy(reduced);
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
