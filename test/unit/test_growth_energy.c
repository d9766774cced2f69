/*
 * Bristles of a patch that shrinks with the force: what the reduced model's torsion does, and where the
 * energy goes.
 */
#include "growth_shapes.h"

#include "bodies.h"

static double stored_of(const br_contact* model, double* z, double fn)
{
    const br_step_contact c = {.contact = model, .z = z, .fn = fn, .count = 1.0};
    return br_step_stored(&c);
}

/* Oracle: the cells of a distributed model, which keep their deflections, hence the angle. */
static void torsion_follows_a_patch_as_that_of_its_cells(void** state)
{
    (void)state;
    static double z[MOST], dz[MOST];
    static const double forces[] = {8.0, 3.0, 1.0, 0.3, 2.0, 12.0};
    const double angle = 1e-6; // [rad], elastic
    br_patch* patch = make(growing_power(0.0));
    br_contact* cells = make_distributed(patch, 16.0, 41, 0);
    br_limit* surface = make_limit(patch, BR_LIMIT_CURVE, 16.0); // full size
    br_contact* model = make_reduced(surface, 0);
    const size_t n = br_contact_get_part_count(cells);
    assert_true(2 * n <= MOST);
    for (size_t i = 0; i < n; i++) {
        const br_contact_part cell = br_contact_get_part(cells, i);
        z[i] = -angle * cell.position.y;
        z[n + i] = angle * cell.position.x;
    }
    double turned[3] = {0.0, 0.0, angle * br_contact_get_patch_value(model).u};
    for (size_t i = 0; i < COUNT(forces); i++) {
        const double fn = forces[i];
        br_distributed_spread(cells, fn);
        br_reduced_spread(model, fn, turned);
        const double tau = br_contact_eval(cells, z, (br_twist){0.0, 0.0, 0.0}, fn, dz).tau;
        const br_wrench f = br_contact_eval(model, turned, (br_twist){0.0, 0.0, 0.0}, fn, dz);
        assert_near_relative(f.tau, tau, 2e-2 /* the cells' u, at 0.3 N 11 across */);
        const br_step_contact c = {.contact = cells, .z = z, .fn = fn, .count = 1.0};
        assert_near_relative(stored_of(model, turned, fn), br_step_stored(&c),
                             0.2 /* u/r^2 of this pressure is 1.15, not 1 */);
    }
    br_contact_destroy(model);
    br_limit_destroy(surface);
    br_contact_destroy(cells);
    br_patch_destroy(patch);
}

/* Oracle: W&K's code, in which z stays. */
static void the_published_rule_keeps_the_state(void** state)
{
    (void)state;
    br_patch* patch = make(growing_power(1.0));
    br_limit* surface = make_limit(patch, BR_LIMIT_PUBLISHED, 5.0);
    br_contact* model = make_reduced(surface, 0);
    double z[3] = {1e-7, -2e-7, 3e-9};
    br_reduced_spread(model, 0.5, z);
    assert_true(z[0] == 1e-7 && z[1] == -2e-7 && z[2] == 3e-9);
    br_contact_destroy(model);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: closed form. z_tau goes with u, and there is none left where the patch is a point. */
static void torsion_ends_with_the_patch(void** state)
{
    (void)state;
    br_patch* patch = make(growing_def());
    br_limit* surface = make_limit(patch, BR_LIMIT_ELLIPSOID, 1.0);
    br_contact* model = make_reduced(surface, 0);
    double z[3] = {1e-7, 0.0, 1e-9};
    br_reduced_spread(model, 8.0, z); // (8/1)^(1/3) = 2 times the radius, 4 times u
    assert_near_relative(z[2], 4e-9, 1e-14);
    br_reduced_spread(model, 0.0, z);
    assert_true(z[2] == 0.0);
    br_reduced_spread(model, 1.0, z);
    assert_true(z[0] == 1e-7 && z[2] == 0.0);
    br_contact_destroy(model);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

// A body that is turned and let go, then its k = 2 fn falls to 0 with the force.
static const record* run_falling(br_contact* model, double fixed_step)
{
    static record rows;
    static const double times[] = {0.0, 0.1, 0.5, 1.0}, force[] = {2.0, 2.0, 0.0, 0.0};
    static const double begin[] = {0.0, 0.1, 0.101, 1.0}, torque[] = {0.006, 0.006, 0.0, 0.0};
    const br_body_contact contact = {
        .frame = BR_FRAME_BODY,
        .contact = model,
        .normal_force = {.kind = BR_PROFILE_TABLE, .count = 4, .t = times, .value = force},
        .count = 1};
    const br_body_load load = {
        .tau = {.kind = BR_PROFILE_TABLE, .count = 4, .t = begin, .value = torque},
        .frame = BR_FRAME_BODY};
    br_body body = box_with(&contact, 1);
    body.start = BR_START_RELAXED;
    body.loads = &load;
    body.load_count = 1;
    br_run_def def = run_for(0.6, 61);
    def.fixed_step = fixed_step;
    return run_body(&body, &def, &rows);
}

/* Oracle: invariant. The energies add up, and none of them grows out of what the load gave. */
static void a_patch_that_shrinks_to_a_point_keeps_the_balance(void** state)
{
    (void)state;
    static const double steps[] = {0.0, 1e-4, 1e-3, 2e-2}; // 0: adaptive
    br_patch_def shape = growing_power(1.0);
    shape.radius = (br_by_force){0.0057, 1.0 / 3.0, 0.01};
    br_patch* patch = make(shape);
    for (size_t i = 0; i < COUNT(steps); i++) {
        br_limit* surface = make_limit(patch, BR_LIMIT_CURVE, 2.0);
        br_contact* model = make_reduced(surface, 0);
        const record* r = run_falling(model, steps[i]);
        double given = 0.0;
        for (size_t k = 0; k < r->rows; k++) {
            const br_body_energy* e = &r->row[k].energy;
            given = fmax(given, e->work_loads);
            assert_true(isfinite(r->row[k].pose.theta));
            assert_near(e->residual, 0.0, 1e-4 * given /* of the default tolerances 1e-6 */);
            assert_true(e->stored <= given && e->kinetic <= given);
            assert_true(e->work_normal <= 0.0 && e->work_normal >= -given);
        }
        assert_true(given > 1e-7 /* J */);
        br_contact_destroy(model);
        br_limit_destroy(surface);
    }
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torsion_follows_a_patch_as_that_of_its_cells),
        cmocka_unit_test(the_published_rule_keeps_the_state),
        cmocka_unit_test(torsion_ends_with_the_patch),
        cmocka_unit_test(a_patch_that_shrinks_to_a_point_keeps_the_balance),
    };
    return run_group(argc, argv, tests);
}
