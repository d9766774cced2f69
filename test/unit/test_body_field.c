/*
 * Bodies on fields of mu: closed forms of crossings, energy, relative motion.
 */
#include "bodies.h"
#include "field_shapes.h"

static record run_one, run_two;

static const double mass = 0.2, mu = 0.4;

// Coulomb friction with stiff bristles: mu_s = mu_c, no viscous part.
static br_law dry_law(void)
{
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_s = law.mu_c = mu;
    law.sigma2 = 0.0;
    return law;
}

static br_contact* contact_on(br_patch_def def, br_method method, size_t resolution,
                              const br_field* field)
{
    br_patch* patch = make(def);
    br_contact_def contact = def_with(method, dry_law());
    contact.patch = patch;
    contact.resolution = resolution;
    contact.field = field;
    contact.field_moves = true;
    br_contact* out = created(contact);
    br_patch_destroy(patch);
    return out;
}

static br_body_contact foot_of(const br_contact* contact)
{
    return (br_body_contact){.frame = BR_FRAME_BODY,
                             .contact = contact,
                             .normal_force = br_profile_constant(mass * standard_gravity),
                             .count = 1};
}

static br_patch_def line_def_of(double length)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_LINE;
    def.length = length;
    return def;
}

static br_patch_def two_points(double arm)
{
    static br_support_point points[2];
    points[0] = (br_support_point){-arm, 0.0, 1.0};
    points[1] = (br_support_point){arm, 0.0, 1.0};
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.points = points;
    def.count = 2;
    return def;
}

// Run a body that slides along x from `from` with the speed v; the row at the end.
static const record* slide_from(const br_body_contact* foot, double from, double v, double duration,
                                double step, record* out)
{
    br_body body = box_with(foot, 1);
    body.pose.x = from;
    body.velocity.vx = v;
    br_run_def def = run_for(duration, 41);
    if (step > 0.0) {
        set_step(&def, step);
    } else {
        set_tolerance(&def, 1e-8);
    }
    return run_body(&body, &def, out);
}

static double speed_for(double works)
{
    return sqrt(2.0 * mu * standard_gravity * works);
}

static double end_of(const record* r)
{
    return r->row[r->rows - 1].pose.x;
}

static double largest_residual(const record* r)
{
    double most = 0.0;
    for (size_t i = 0; i < r->rows; i++) {
        most = fmax(most, fabs(r->row[i].energy.residual));
    }
    return most;
}

/* Oracle: closed form. A rod of length L comes with its front to the edge of ice with k times the friction. Its work is
 *   mu m g (s - (1 - k) s^2/(2 L)) up to s = L, then k mu m g more per length. */
static void a_rod_that_slides_onto_ice_stops_in_closed_form(void** state)
{
    (void)state;
    const double length = 0.1, k = 0.2;
    static const double stops[] = {0.03, 0.08, 0.25}; // within the crossing twice, and on the ice
    br_field* floors = make_floors(1.0, k, 0.0);
    br_contact* contacts[3] = {
        contact_on(line_def_of(length), BR_METHOD_DISTRIBUTED, 20, floors),
        contact_on(rectangle_def(length, 0.03), BR_METHOD_DISTRIBUTED, 20, floors),
        contact_on(rectangle_def(length, 0.03), BR_METHOD_BLOCKS, 5, floors)};
    for (size_t i = 0; i < COUNT(stops); i++) {
        const double s = stops[i], in = fmin(s, length);
        const double works = 0.05 + in - (1.0 - k) * in * in / (2.0 * length) + k * (s - in);
        for (int c = 0; c < 3; c++) {
            const br_body_contact foot = foot_of(contacts[c]);
            const record* r =
                slide_from(&foot, -0.05 - 0.5 * length, speed_for(works), 1.2, 0.0, &run_one);
            // bristles of mu/sigma0 = 0.4 um yield at the end
            assert_near(end_of(r), s - 0.5 * length, 1e-6 /* m */);
            assert_near(largest_residual(r), 0.0, 1e-8 /* J of 0.05 J, kinks within steps */);
            r = slide_from(&foot, -0.05 - 0.5 * length, speed_for(works), 1.2, 1e-4, &run_one);
            assert_near(end_of(r), s - 0.5 * length, 2e-6 /* m */);
            assert_near(largest_residual(r), 0.0, 1e-13 /* J, rounding */);
        }
    }
    for (int c = 0; c < 3; c++) {
        br_contact_destroy(contacts[c]);
    }
    br_field_destroy(floors);
}

/* Oracle: closed form. Two feet come to the ice one after the other; friction jumps at exactly these positions. */
static void feet_lose_friction_where_they_cross_the_edge(void** state)
{
    (void)state;
    const double arm = 0.04, k = 0.1;
    br_field* floors = make_floors(1.0, k, 0.0);
    br_contact* contact = contact_on(two_points(arm), BR_METHOD_DISTRIBUTED, 0, floors);
    const br_body_contact foot = foot_of(contact);
    const double works = 0.02 + 2.0 * arm * 0.5 * (1.0 + k) + 0.3 * k;
    const record* r = slide_from(&foot, -0.02 - arm, speed_for(works), 1.5, 0.0, &run_one);
    assert_near(end_of(r), arm + 0.3, 1e-6 /* m, bristles */);
    assert_near(largest_residual(r), 0.0,
                1e-12 /* J: jumps are located, works in between are polynomials */);
    // energy of the bristles that the crossing takes: fn sigma0 z^2/2 times the loss of weight
    const double z = mu / dry_law().sigma0;
    assert_near(r->row[r->rows - 1].energy.work_normal,
                -(1.0 - k) * mass * standard_gravity * 0.5 * dry_law().sigma0 * z * z,
                1e-9 /* of 7e-7 J: z while it slides */);
    // fixed steps see the jump to half a step: v h/2 mu m g (1 - k)/2 of work
    r = slide_from(&foot, -0.02 - arm, speed_for(works), 1.5, 1e-4, &run_one);
    assert_near(end_of(r), arm + 0.3, 1e-3 /* m */);
    assert_near(largest_residual(r), 0.0, 1e-13);
    br_contact_destroy(contact);
    br_field_destroy(floors);
}

/* Oracle: closed form. Strips much narrower than a step without friction would be: each takes mu m g width. */
static void narrow_strips_are_not_passed_over(void** state)
{
    (void)state;
    const double factors[3] = {0.0, 1.0, 0.0};
    br_field_def def = br_field_def_default();
    def.columns = 3;
    def.rows = 1;
    def.factors = factors;
    def.size_x = 3e-3;
    def.size_y = 1.0;
    def.centre.x = 0.7;
    br_field* strip = make_field(def);
    br_contact* contacts[2] = {contact_on(two_points(0.0), BR_METHOD_DISTRIBUTED, 0, strip),
                               contact_on(rectangle_def(2e-3, 2e-3), BR_METHOD_BLOCKS, 0, strip)};
    for (int c = 0; c < 2; c++) {
        const br_body_contact foot = foot_of(contacts[c]);
        const record* r = slide_from(&foot, 0.0, 1.0, 1.0, 0.0, &run_one);
        const double lost = mu * standard_gravity * 1e-3, v = sqrt(1.0 - 2.0 * lost);
        assert_near(r->row[r->rows - 1].velocity.vx, v,
                    1e-6 /* bristles that the strip takes along: mu/sigma0/width */);
        br_contact_destroy(contacts[c]);
    }
    br_field_destroy(strip);
}

/* Oracle: no friction. A body on ice keeps its velocity, in both kinds of steps. */
static void a_body_on_ice_goes_on(void** state)
{
    (void)state;
    br_field* ice = make_floors(0.0, 0.0, 0.0);
    for (int c = 0; c < 3; c++) {
        br_contact* contact =
            c == 2 ? contact_on(two_points(0.02), BR_METHOD_DISTRIBUTED, 0, ice)
                   : contact_on(rectangle_def(0.1, 0.05),
                                c ? BR_METHOD_BLOCKS : BR_METHOD_DISTRIBUTED, 4, ice);
        const br_body_contact foot = foot_of(contact);
        for (int fixed = 0; fixed < 2; fixed++) {
            br_body body = box_with(&foot, 1);
            body.velocity = (br_twist){0.3, -0.1, 2.0};
            br_run_def def = run_for(1.0, 11);
            set_step(&def, fixed ? 1e-3 : 0.0);
            const record* r = run_body(&body, &def, &run_one);
            const br_twist v = r->row[r->rows - 1].velocity;
            assert_near(v.vx, 0.3, 1e-12);
            assert_near(v.vy, -0.1, 1e-12);
            assert_near(v.w, 2.0, 1e-12);
            assert_true(isfinite(r->row[r->rows - 1].load[0]));
        }
        br_contact_destroy(contact);
    }
    br_field_destroy(ice);
}

// A box that slides and spins over a field.
static const record* spin_over(const br_contact* contact, br_pose start, br_twist v, double rtol,
                               double step, record* out)
{
    const br_body_contact foot = foot_of(contact);
    br_body body = box_with(&foot, 1);
    body.pose = start;
    body.velocity = v;
    br_run_def def = run_for(0.8, 81);
    set_step(&def, step);
    if (step == 0.0) {
        set_tolerance(&def, rtol);
    }
    return run_body(&body, &def, out);
}

/* Oracle: conservation, and convergence. Kinetic and stored energy, heat and work balance while a box slides and spins over
 * a boundary between two floors; fixed steps come to the same end. */
static void energy_balances_over_a_boundary_and_a_grid(void** state)
{
    (void)state;
    br_field* fields[3] = {make_floors(1.0, 0.1, 0.3),
                           make_field(motley_def(BR_INTERPOLATION_CONSTANT)),
                           make_field(motley_def(BR_INTERPOLATION_BILINEAR))};
    const br_pose start = {-0.08, 0.01, 0.2};
    const br_twist v = {0.7, 0.1, 4.0};
    for (int k = 0; k < 6; k++) {
        br_contact* contact =
            contact_on(rectangle_def(0.08, 0.05), k % 2 ? BR_METHOD_BLOCKS : BR_METHOD_DISTRIBUTED,
                       k % 2 ? 4 : 10, fields[k / 2]);
        const record* r = spin_over(contact, start, v, 1e-6, 0.0, &run_one);
        const double initial = r->row[0].energy.kinetic;
        assert_near(largest_residual(r), 0.0,
                    2e-5 * initial /* kinks of the weights within steps */);
        for (size_t i = 1; i < r->rows; i++) {
            assert_true(r->row[i].energy.dissipated >=
                        r->row[i - 1].energy.dissipated - 1e-9 * initial);
        }
        const record* fixed = spin_over(contact, start, v, 0.0, 4e-4, &run_two);
        assert_near(largest_residual(fixed), 0.0, 1e-13 * initial);
        assert_near(end_error(r, fixed), 0.0, 2e-4 /* m of 0.1: the steps' error */);
        br_contact_destroy(contact);
    }
    for (int i = 0; i < 3; i++) {
        br_field_destroy(fields[i]);
    }
}

/* Oracle: invariance. Field, body and velocity turned and shifted together. */
static void a_run_turned_with_its_field_is_the_same(void** state)
{
    (void)state;
    const br_pose move = {0.4, -0.3, 2.1}, start = {-0.08, 0.01, 0.2};
    const br_twist v = {0.7, 0.1, 4.0};
    br_field_def def = motley_def(BR_INTERPOLATION_CONSTANT);
    br_field* field = make_field(def);
    def.centre = br_pose_apply(move, def.centre);
    def.angle += move.theta;
    br_field* turned = make_field(def);
    br_contact* here = contact_on(rectangle_def(0.08, 0.05), BR_METHOD_DISTRIBUTED, 10, field);
    br_contact* there = contact_on(rectangle_def(0.08, 0.05), BR_METHOD_DISTRIBUTED, 10, turned);
    const br_vec2 p = br_pose_apply(move, (br_vec2){start.x, start.y}),
                  u = br_vec2_rotate((br_vec2){v.vx, v.vy}, move.theta);
    for (int fixed = 0; fixed < 2; fixed++) {
        const double step = fixed ? 1e-3 : 0.0;
        const record* a = spin_over(here, start, v, 1e-7, step, &run_one);
        const record* b = spin_over(there, (br_pose){p.x, p.y, start.theta + move.theta},
                                    (br_twist){u.x, u.y, v.w}, 1e-7, step, &run_two);
        const br_pose end = a->row[a->rows - 1].pose, other = b->row[b->rows - 1].pose;
        const br_vec2 moved = br_pose_apply(move, (br_vec2){end.x, end.y});
        const double tolerance = fixed ? 1e-12 : 1e-7; // rounding; tolerances see other components
        assert_near(other.x, moved.x, tolerance);
        assert_near(other.y, moved.y, tolerance);
        assert_near(other.theta, end.theta + move.theta, 20.0 * tolerance);
    }
    br_contact_destroy(here);
    br_contact_destroy(there);
    br_field_destroy(field);
    br_field_destroy(turned);
}

/* Oracle: the plain contact. A field that is 1 everywhere changes nothing. */
static void a_field_of_one_changes_nothing(void** state)
{
    (void)state;
    const double one = 1.0;
    br_field_def def = br_field_def_default();
    def.columns = def.rows = 1;
    def.factors = &one;
    def.size_x = def.size_y = 1e6; // no limit of steps
    br_field* field = make_field(def);
    for (int points = 0; points < 2; points++) {
        const br_patch_def shape = points ? two_points(0.03) : rectangle_def(0.08, 0.05);
        br_contact* on = contact_on(shape, BR_METHOD_DISTRIBUTED, 10, field);
        br_contact* plain = contact_on(shape, BR_METHOD_DISTRIBUTED, 10, NULL);
        for (int fixed = 0; fixed < 2; fixed++) {
            const br_twist v = {0.7, 0.1, 4.0};
            const record* a =
                spin_over(on, (br_pose){0.0, 0.0, 0.0}, v, 1e-6, fixed ? 1e-3 : 0.0, &run_one);
            const record* b =
                spin_over(plain, (br_pose){0.0, 0.0, 0.0}, v, 1e-6, fixed ? 1e-3 : 0.0, &run_two);
            assert_near(end_error(a, b), 0.0, 1e-13 /* m, rounding */);
        }
        br_contact_destroy(on);
        br_contact_destroy(plain);
    }
    br_field_destroy(field);
}

/* Oracle: relative motion. A patch on the ground with a field on the body; and a belt that takes its field along under a
 * body: the same as a body that slides over resting ground. */
static void only_the_motion_of_body_and_field_counts(void** state)
{
    (void)state;
    const double k = 0.1, works = 0.05;
    br_field* floors = make_floors(1.0, k, 0.0);
    br_field* swapped = make_floors(k, 1.0, 0.0);
    // the body goes on by x, so the finger at rest goes back by x in the body's frame: ice for x > 0 of the body's motion
    br_contact* finger = contact_on(two_points(0.0), BR_METHOD_DISTRIBUTED, 0, swapped);
    br_body_contact contact = foot_of(finger);
    contact.frame = BR_FRAME_WORLD;
    const double stop = 0.02 + (works - 0.02) / k;
    const record* r = slide_from(&contact, -0.02, speed_for(works), 2.0, 0.0, &run_one);
    assert_near(end_of(r), stop - 0.02, 1e-6 /* m, bristles */);
    assert_near(largest_residual(r), 0.0, 1e-12);
    // the belt moves at 0.5 m/s
    br_contact* foot = contact_on(two_points(0.0), BR_METHOD_DISTRIBUTED, 0, floors);
    const double belt = 0.5;
    contact = foot_of(foot);
    const double line[2] = {0.0, belt};
    contact.motion[0] = (br_profile){.kind = BR_PROFILE_POLYNOMIAL, .count = 2, .value = line};
    r = slide_from(&contact, -0.02, belt + speed_for(works), 2.0, 0.0, &run_one);
    assert_near(end_of(r) - belt * 2.0, stop - 0.02, 1e-6);
    br_contact_destroy(finger);
    br_contact_destroy(foot);
    br_field_destroy(floors);
    br_field_destroy(swapped);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rod_that_slides_onto_ice_stops_in_closed_form),
        cmocka_unit_test(feet_lose_friction_where_they_cross_the_edge),
        cmocka_unit_test(narrow_strips_are_not_passed_over),
        cmocka_unit_test(a_body_on_ice_goes_on),
        cmocka_unit_test(energy_balances_over_a_boundary_and_a_grid),
        cmocka_unit_test(a_run_turned_with_its_field_is_the_same),
        cmocka_unit_test(a_field_of_one_changes_nothing),
        cmocka_unit_test(only_the_motion_of_body_and_field_counts),
    };
    return run_group(argc, argv, tests);
}
