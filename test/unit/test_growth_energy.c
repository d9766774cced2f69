/*
 * Bristles of a patch that shrinks with the force: what a reduced contact's torsion does, and where the
 * energy goes.
 */
#include "growth_shapes.h"

#include "bodies.h"

static br_contact* reduced_on(const br_limit* surface)
{
    br_contact_def def = def_with(BR_METHOD_REDUCED, br_law_default(BR_LAW_ELASTO_PLASTIC));
    def.surface = surface;
    return created(def);
}

static const br_twist at_rest = {0.0, 0.0, 0.0};

/* Oracle: the cells of a distributed contact, which keep their deflections, and so the angle. */
static void torsion_follows_a_patch_as_that_of_its_cells(void** state)
{
    (void)state;
    static double z[MOST], dz[MOST];
    static const double forces[] = {8.0, 3.0, 1.0, 0.3, 2.0, 12.0};
    const double angle = 1e-6; // [rad], elastic
    br_patch* patch = make(growing_power(0.0));
    br_contact* cells = cells_on(patch, br_law_default(BR_LAW_ELASTO_PLASTIC), 41);
    br_limit* surface = make_limit(patch, BR_LIMIT_CURVE, 16.0); // full size
    br_contact* reduced = reduced_on(surface);
    void *cells_memory = spread_memory(cells), *reduced_memory = spread_memory(reduced);
    const size_t n = br_contact_get_part_count(cells);
    assert_true(2 * n <= MOST);
    for (size_t i = 0; i < n; i++) {
        const br_contact_part cell = br_contact_get_part(cells, i);
        z[i] = -angle * cell.position.y;
        z[n + i] = angle * cell.position.x;
    }
    const double turned[3] = {0.0, 0.0, angle}; // as a state it stays while the patch changes
    for (size_t i = 0; i < COUNT(forces); i++) {
        const double fn = forces[i];
        const br_contact* many = br_contact_at_force(cells, fn, cells_memory);
        const br_contact* three = br_contact_at_force(reduced, fn, reduced_memory);
        const double tau = br_contact_eval(many, z, at_rest, fn, dz).tau;
        const br_wrench f = br_contact_eval(three, turned, at_rest, fn, dz);
        assert_near_relative(f.tau, tau, 2e-2 /* the cells' u, at 0.3 N 11 across */);
        assert_near_relative(br_contact_stored(three, turned, fn), br_contact_stored(many, z, fn),
                             0.2 /* u/r^2 of this pressure is 1.15, not 1 */);
    }
    test_free(reduced_memory);
    test_free(cells_memory);
    br_contact_destroy(reduced);
    br_limit_destroy(surface);
    br_contact_destroy(cells);
    br_patch_destroy(patch);
}

/* Oracle: W&K's code, in which z stays: the torque at rest is -sigma0 z_tau fn at any force. */
static void the_published_rule_keeps_the_state(void** state)
{
    (void)state;
    static const double forces[] = {5.0, 0.5, 2.0};
    br_patch* patch = make(growing_power(1.0));
    br_limit* surface = make_limit(patch, BR_LIMIT_PUBLISHED, 5.0);
    br_contact* contact = reduced_on(surface);
    void* memory = spread_memory(contact);
    const double z[3] = {1e-7, -2e-7, 3e-9}, sigma0 = br_contact_get_def(contact)->law.sigma0;
    for (size_t i = 0; i < COUNT(forces); i++) {
        const double fn = forces[i];
        const br_contact* now = br_contact_at_force(contact, fn, memory);
        double dz[3];
        const br_wrench f = br_contact_eval(now, z, at_rest, fn, dz);
        assert_near_relative(f.fx, -sigma0 * z[0] * fn, 1e-15 /* rounding */);
        assert_near_relative(f.fy, -sigma0 * z[1] * fn, 1e-15);
        assert_near_relative(f.tau, -sigma0 * z[2] * fn, 1e-15);
    }
    test_free(memory);
    br_contact_destroy(contact);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: closed form. With the angle kept the torque goes with u, and there is none where the patch is a
 * point. */
static void torsion_ends_with_the_patch(void** state)
{
    (void)state;
    br_patch* patch = make(growing_def());
    br_limit* surface = make_limit(patch, BR_LIMIT_ELLIPSOID, 1.0);
    br_contact* contact = reduced_on(surface);
    void* memory = spread_memory(contact);
    const double z[3] = {1e-7, 0.0, 1e-9 / 8e-6}; // z_tau 1e-9 m^2 at 1 N, where u = (4 mm)^2/2
    double dz[3];
    const br_contact* now = br_contact_at_force(contact, 1.0, memory);
    const double before = br_contact_eval(now, z, at_rest, 1.0, dz).tau;
    assert_near_relative(before, -br_contact_get_def(contact)->law.sigma0 * 1e-9, 1e-14);
    now = br_contact_at_force(contact, 8.0, memory); // (8/1)^(1/3) = 2 times the radius, 4 times u
    assert_near_relative(br_contact_eval(now, z, at_rest, 8.0, dz).tau, 8.0 * 4.0 * before, 1e-14);
    now = br_contact_at_force(contact, 0.0, memory);
    assert_true(br_contact_eval(now, z, at_rest, 1.0, dz).tau == 0.0);
    assert_true(br_contact_eval(now, z, at_rest, 1.0, dz).fx < 0.0);
    now = br_contact_at_force(contact, 1.0, memory);
    assert_true(br_contact_eval(now, z, at_rest, 1.0, dz).tau ==
                before); // the angle is still there
    test_free(memory);
    br_contact_destroy(contact);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

// A body that is turned and released, then its k = 2 fn falls to 0 with the force.
static const record* run_falling(const br_contact* model, double fixed_step)
{
    static record rows;
    static const double times[] = {0.0, 0.1, 0.5, 1.0}, force[] = {2.0, 2.0, 0.0, 0.0};
    static const double torque_t[] = {0.0, 0.1, 0.101, 1.0}, torque[] = {0.006, 0.006, 0.0, 0.0};
    const br_body_contact contact = {
        .frame = BR_FRAME_BODY,
        .contact = model,
        .normal_force = {.kind = BR_PROFILE_TABLE, .count = 4, .t = times, .value = force},
        .count = 1};
    const br_body_load load = {
        .tau = {.kind = BR_PROFILE_TABLE, .count = 4, .t = torque_t, .value = torque},
        .frame = BR_FRAME_BODY};
    br_body body = box_with(&contact, 1);
    body.start = BR_START_RELAXED;
    body.loads = &load;
    body.load_count = 1;
    br_run_def def = run_for(0.6, 61);
    set_tolerance(&def, 2e-7); // the balance of a point that turns freely
    set_step(&def, fixed_step);
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
        br_contact* model = reduced_on(surface);
        const record* r = run_falling(model, steps[i]);
        double given = 0.0;
        for (size_t k = 0; k < r->rows; k++) {
            const body_energy* e = &r->row[k].energy;
            given = fmax(given, e->work_loads);
            assert_true(isfinite(r->row[k].pose.theta));
            assert_near(e->residual, 0.0, 1e-4 * given /* of the tolerances */);
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
