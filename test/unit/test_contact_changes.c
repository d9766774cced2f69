/*
 * Contact changes: what the bristles keep and what the wrench does, docs/explanation/contact_changes.md. Carrying them to
 * another contact: test_contact_carry.c.
 */
#include "growth_shapes.h"
#include "rows.h"

#include "bristle/motion.h"

static double z[MOST], dz[MOST], carried[MOST];
static const br_twist slide = {0.004, -0.002, 0.6};

static const br_twist rest = {0.0, 0.0, 0.0};

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
        const br_contact* now = br_contact_at_force(model, fn, memory);
        const br_wrench f = br_contact_eval(now, z, rest, fn, dz);
        const double u = br_contact_get_patch_value(now).u;
        assert_near(f.fx, -1e6 * fn * 1e-7, 1e-14 /* N, rounding */);
        assert_near_relative(f.tau, -1e6 * fn * u * angle, 1e-13 /* rounding */);
    }
    test_free(memory);
    br_contact_destroy(model);
    br_patch_destroy(patch);
}

/* Oracle: a contact that starts again. Without force a step lets the bristles go at no cost. */
static void steps_reset_bristles_without_force_and_start_again(void** state)
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

static void keep_row(const double* row, void* user)
{
    br_wrench** next = user;
    *(*next)++ = wrench_in(row, 0);
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
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = keep_row, .user = &rows};
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

/* Oracle: a contact that starts again, for every method. */
static void a_motion_resets_bristles_without_force_and_starts_again(void** state)
{
    (void)state;
    br_patch* patch = make(disc_def(0.01));
    br_contact* distributed = make_distributed(patch, 9, 0);
    br_contact* blocks = make_blocks(patch, 0);
    br_limit* surface = make_limit(patch, BR_LIMIT_EXACT, 1.0);
    br_contact* reduced = make_reduced(surface, 0);
    compare_recontact((br_motion){.size = sizeof(br_motion), .contact = distributed});
    compare_recontact((br_motion){.size = sizeof(br_motion), .contact = blocks});
    compare_recontact((br_motion){.size = sizeof(br_motion), .contact = reduced});
    br_contact* ellipsoid = make_reduced(NULL, 0);
    compare_recontact((br_motion){.size = sizeof(br_motion), .contact = ellipsoid});
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
        cmocka_unit_test(bristles_keep_their_deflection_when_the_force_changes),
        cmocka_unit_test(steps_reset_bristles_without_force_and_start_again),
        cmocka_unit_test(a_motion_resets_bristles_without_force_and_starts_again),
    };
    return run_group(argc, argv, tests);
}
