/*
 * Bodies on anisotropic ground: runs in time, pushes, X&C's slider, whose e_t and e_o are the same concept.
 */
#include "bodies.h"

#include "bristle/anisotropy.h"
#include "bristle/pushing.h"
#include "bristle/slider.h"

static record kept, other;

static br_law stiff_law(double mu)
{
    br_law law = br_law_from_mu(mu, 0.02 / 3.0, 0.2, 0.2 * standard_gravity);
    return law;
}

static br_contact* grained(const br_patch* patch, br_method method, double ratio, double angle,
                           br_axes axes)
{
    br_contact_def def = def_with(method, stiff_law(0.3));
    def.patch = patch;
    def.anisotropy = (br_anisotropy){ratio, angle, axes};
    return created(def);
}

static br_body_contact foot_of(const br_contact* contact)
{
    return (br_body_contact){.contact = contact,
                             .frame = BR_FRAME_BODY,
                             .normal_force = br_profile_constant(0.2 * standard_gravity),
                             .count = 1};
}

static br_pose end_of(const record* r)
{
    return r->row[r->rows - 1].pose;
}

/* Oracle: closed form. Along a principal axis a body stops after v^2/(2 a mu g), a = ratio or 1, on a straight line. */
static void a_body_stops_sooner_across_the_grain(void** state)
{
    (void)state;
    const double ratio = 1.6, angle = 0.4, mu = 0.3, v = 0.5;
    br_patch* patch = disc_at((br_vec2){0.0, 0.0}, 0.0);
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        for (int axis = 0; axis < 2; axis++) {
            br_contact* c = grained(patch, (br_method)method, ratio, angle, BR_AXES_GROUND);
            const br_body_contact foot = foot_of(c);
            const double to = angle + axis * 0.5 * BR_PI;
            br_body body = box_with(&foot, 1);
            body.pose.theta = 1.1; // friction is that of the ground
            body.velocity = (br_twist){v * cos(to), v * sin(to), 0.0};
            const br_run_def def = run_for(0.3, 31);
            const br_pose end = end_of(run_body(&body, &def, &kept));
            const double stop_distance =
                v * v / (2.0 * mu * (axis ? 1.0 : ratio) * standard_gravity);
            // bristles give way by 13 um before they resist fully, and again at the stop
            assert_near(hypot(end.x, end.y), stop_distance, 5e-5);
            assert_near(end.x * sin(to) - end.y * cos(to), 0.0,
                        1e-5 * (method == BR_METHOD_REDUCED ? 10 : 1));
            br_contact_destroy(c);
        }
    }
    br_patch_destroy(patch);
}

// A puck that slides and spins on grained ground.
static br_body spinning_puck(const br_body_contact* foot)
{
    br_body body = box_with(foot, 1);
    body.inertia = 0.5 * 0.2 * 0.01 * 0.01;
    body.velocity = (br_twist){0.4, 0.1, 40.0};
    return body;
}

/* Oracle: fixed steps, whose method has nothing in common with the adaptive one but the contact. */
static void integrators_agree_on_grained_ground(void** state)
{
    (void)state;
    br_patch* patch = disc_at((br_vec2){0.0, 0.0}, 0.0);
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_ELLIPSOID; method++) {
        br_contact* c = grained(patch, (br_method)method, 2.0, 0.3, BR_AXES_GROUND);
        const br_body_contact foot = foot_of(c);
        const br_body body = spinning_puck(&foot);
        br_run_def def = run_for(0.2, 21);
        set_tolerance(&def, 1e-8);
        run_body(&body, &def, &kept);
        set_step(&def, 5e-5);
        run_body(&body, &def, &other);
        assert_true(distance(end_of(&kept), (br_pose){0.0, 0.0, 0.0}) > 0.01);
        assert_near(end_error(&kept, &other), 0.0, 2e-7 /* m: of 14 mm, error of the steps */);
        assert_near(kept.row[kept.rows - 1].energy.residual, 0.0,
                    1e-7 /* J, of 0.02: the integral of powers */);
        assert_near(other.row[other.rows - 1].energy.residual, 0.0, 1e-14 /* J: exact by design */);
        br_contact_destroy(c);
    }
    br_patch_destroy(patch);
}

/* Oracle: symmetry. A world that is turned, grain and all, gives the turned path; also of a rectangle. */
static void a_turned_world_gives_the_turned_path(void** state)
{
    (void)state;
    br_patch_def shape = br_patch_def_default();
    shape.shape = BR_SHAPE_RECTANGLE;
    shape.size_x = 0.03, shape.size_y = 0.01;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&shape, &patch, NULL), BR_OK);
    const double turn = 0.8;
    for (int method = BR_METHOD_BLOCKS; method <= BR_METHOD_DISTRIBUTED; method++) {
        for (int fixed = 0; fixed < 2; fixed++) {
            br_run_def def = run_for(0.2, 21);
            set_tolerance(&def, 1e-7);
            set_step(&def, fixed ? 1e-3 : 0.0);
            br_contact* c = grained(patch, (br_method)method, 1.8, 0.2, BR_AXES_GROUND);
            br_contact* turned = grained(patch, (br_method)method, 1.8, 0.2 + turn, BR_AXES_GROUND);
            br_body_contact foot = foot_of(c);
            br_body body = spinning_puck(&foot);
            run_body(&body, &def, &kept);
            foot.contact = turned;
            const br_vec2 v = br_vec2_rotate((br_vec2){body.velocity.vx, body.velocity.vy}, turn);
            body.pose.theta = turn;
            body.velocity = (br_twist){v.x, v.y, body.velocity.w};
            run_body(&body, &def, &other);
            const br_pose a = end_of(&kept), b = end_of(&other);
            const br_vec2 expected = br_vec2_rotate((br_vec2){a.x, a.y}, turn);
            assert_near(b.x, expected.x, fixed ? 1e-9 : 1e-6);
            assert_near(b.y, expected.y, fixed ? 1e-9 : 1e-6);
            assert_near(b.theta - turn, a.theta, fixed ? 1e-7 : 1e-4);
            br_contact_destroy(c);
            br_contact_destroy(turned);
        }
    }
    br_patch_destroy(patch);
}

// --- X&C ----------------------------------------------------------------------------------------------------

/* Oracle: X&C's slider with e = (ratio, 1, r), friction at one point in world axes. */
static void the_ellipsoid_is_the_contact_point_of_xie_and_chakraborty(void** state)
{
    (void)state;
    const double ratio = 1.5, r = 0.008, mu = 0.3, h = 1e-5;
    br_contact_def def = def_with(BR_METHOD_ELLIPSOID, stiff_law(mu));
    def.r = r;
    def.u = r * r;
    def.anisotropy = (br_anisotropy){ratio, 0.0, BR_AXES_GROUND};
    br_contact* c = created(def);
    const br_body_contact foot = foot_of(c);
    const br_body body = spinning_puck(&foot);
    const br_run_def run = run_for(0.1, 11);
    run_body(&body, &run, &kept);

    br_slider slider = br_slider_default();
    slider.mass = body.mass, slider.inertia = body.inertia, slider.height = 0.0, slider.mu = mu;
    slider.gravity = standard_gravity;
    slider.e_t = ratio, slider.e_o = 1.0, slider.e_r = r;
    br_slider_state at = {body.pose, body.velocity};
    const br_slider_load none = {0};
    for (int i = 0; i < 10000; i++) {
        br_slider_step(&slider, &at, &none, h);
    }
    const br_pose end = end_of(&kept);
    assert_true(hypot(at.q.x, at.q.y) > 0.02);
    assert_near(end.x, at.q.x, 1e-4 /* m: bristles, and steps of order 1 */);
    assert_near(end.y, at.q.y, 1e-4);
    assert_near(end.theta, at.q.theta, 0.02 /* rad, of some 2 */);
    br_contact_destroy(c);
}

/* Oracle: the ellipsoid (13) with e_t, e_o, e_r: the limit surface of that name with the ratio e_t/e_o is the same. */
static void pushes_are_those_of_xie_and_chakraborty(void** state)
{
    (void)state;
    uint64_t seed = 3;
    br_patch* patch = disc_at((br_vec2){0.0, 0.0}, 0.0);
    br_limit_def def = br_limit_def_default();
    br_limit* surface = NULL;
    def.patch = patch;
    def.method = BR_LIMIT_ELLIPSOID;
    def.anisotropy = (br_anisotropy){1.7, 0.0, BR_AXES_BODY};
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
    br_pushing ours = br_pushing_default(), theirs = br_pushing_default();
    ours.surface = surface;
    theirs.e_t = 1.7;
    theirs.e_o = 1.0;
    theirs.e_r = br_limit_get_patch_value(surface).r;
    for (int i = 0; i < 100; i++) {
        const double to = uniform(&seed, 0.0, 6.0);
        const br_vec2 point = {0.02 * cos(to), 0.02 * sin(to)}, inward = {-cos(to), -sin(to)};
        const br_vec2 v = {uniform(&seed, -0.02, 0.02), uniform(&seed, -0.02, 0.02)};
        const br_push a = br_pushing_stick_eval(&ours, point, v);
        const br_push b = br_pushing_stick_eval(&theirs, point, v);
        assert_near(a.twist.vx, b.twist.vx, 1e-9);
        assert_near(a.twist.vy, b.twist.vy, 1e-9);
        assert_near(a.twist.w, b.twist.w, 1e-7);
        assert_near(a.force.x, b.force.x, 1e-7);
        assert_near(a.sigma, b.sigma, 1e-9);
        assert_int_equal(br_pushing_eval(&ours, point, inward, v).mode,
                         br_pushing_eval(&theirs, point, inward, v).mode);
    }
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_stops_sooner_across_the_grain),
        cmocka_unit_test(integrators_agree_on_grained_ground),
        cmocka_unit_test(a_turned_world_gives_the_turned_path),
        cmocka_unit_test(the_ellipsoid_is_the_contact_point_of_xie_and_chakraborty),
        cmocka_unit_test(pushes_are_those_of_xie_and_chakraborty),
    };
    return run_group(argc, argv, tests);
}
