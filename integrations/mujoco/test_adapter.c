/* Tests of libbristle-mujoco: pairs, patches, and data that a step must not change. */
#include "check.h"

#include "bristle/math.h"

#include "outline.h"
#include "scenes.h"

#include <string.h>

static const method bristle = {"bristle", 1.0, 0, 1};

static const char box_on_floor[] =
    "<default><geom friction='.5 .005 0'/></default><worldbody>"
    "<geom name='floor' type='plane' size='5 5 1'/><body pos='0 0 .0199'><freejoint/>"
    "<geom name='box' type='box' size='.03 .02 .02' mass='.5'/></body></worldbody>%s";

static brm_pair box_pair(void)
{
    brm_pair pair = brm_pair_default();
    pair.geom1 = "floor";
    pair.geom2 = "box";
    return pair;
}

/* Oracle: closed form. Moments of a rectangle, a x b: a^2/12, b^2/12; points inside or repeated have no effect. */
static void an_outline_is_the_hull_of_its_points(void** state)
{
    (void)state;
    const double a = 0.04, b = 0.02;
    const br_vec2 points[7] = {{0.0, 0.0}, {a, b},   {a, 0.0},      {0.5 * a, 0.3 * b},
                               {0.0, b},   {a, 0.0}, {0.5 * a, 0.0}};
    const double force[7] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    const outline o = brgi_outline_from_points(points, force, 7);
    assert_int_equal(o.count, 4);
    assert_near(o.centroid.x, 0.5 * a, 1e-15 /* rounding */);
    assert_near(o.centroid.y, 0.5 * b, 1e-15);
    assert_near(o.xx, a * a / 12.0, 1e-15);
    assert_near(o.yy, b * b / 12.0, 1e-15);
    assert_near(o.xy, 0.0, 1e-15);
    const outline line = brgi_outline_from_points(points + 4, force, 2); // (0, b), (a, 0)
    assert_int_equal(line.count, 2);
    const br_vec2 same[2] = {{a, b}, {a, b}};
    assert_int_equal(brgi_outline_from_points(same, force, 2).count, 1);
}

static br_patch_value value_of(const outline* o, double radius)
{
    br_patch* patch = brgi_outline_patch(o, radius);
    assert_non_null(patch);
    const br_patch_value v = br_patch_eval(patch, 1.0);
    br_patch_destroy(patch);
    return v;
}

/* Oracle: closed forms of r and u, and the CoP of the forces. */
static void a_patch_of_points_has_the_cop_r_and_u_of_its_shape(void** state)
{
    (void)state;
    const double a = 0.04;
    const br_vec2 square[4] = {{0.0, 0.0}, {a, 0.0}, {a, a}, {0.0, a}};
    const double uniform[4] = {1.0, 1.0, 1.0, 1.0}, uneven[4] = {1.0, 1.4, 1.2, 1.0};
    outline o = brgi_outline_from_points(square, uniform, 4);
    br_patch_value v = value_of(&o, 0.0);
    assert_near_relative(v.u, a * a / 6.0, 1e-12 /* the rule is exact for squares */);
    assert_near_relative(v.r, 0.382598 * a, 0.01 /* error of 12 points */);
    o = brgi_outline_from_points(square, uneven, 4);
    v = value_of(&o, 0.0);
    assert_near(v.cop.x, a * 2.6 / 4.6, 1e-12 /* linear pressure: exact */);
    assert_near(v.cop.y, a * 2.2 / 4.6, 1e-12);
    o = brgi_outline_from_points(square, uniform, 2); // from (0, 0) to (a, 0)
    v = value_of(&o, 0.0);
    assert_near_relative(v.u, a * a / 12.0, 1e-12);
    assert_near_relative(v.r, a / 4.0, 1e-12);
    o = brgi_outline_from_points(square, uniform, 1);
    v = value_of(&o, 0.01);
    assert_near_relative(v.r, 0.02 / 3.0, 0.011 /* rings at 0.460 and 0.888 R: 0.674 for 0.667 */);
    assert_near_relative(v.u, 0.5e-4, 1e-12);
    assert_near(value_of(&o, 0.0).r, 0.0, 0.0);
}

/* Oracle: closed form. Forces beyond the kern do not lead to negative pressure: 1 + g.rho with g = 25 (1, 1) per m is 0
 * in a corner 20 mm from the middle, and its CoP is at a^2/12 g. */
static void pressure_is_never_negative(void** state)
{
    (void)state;
    const br_vec2 square[4] = {{0.0, 0.0}, {0.04, 0.0}, {0.04, 0.04}, {0.0, 0.04}};
    const double corner[4] = {1e-9, 1e-9, 1.0, 1e-9};
    const outline o = brgi_outline_from_points(square, corner, 4);
    const br_patch_value v = value_of(&o, 0.0);
    assert_near(v.cop.x, 0.02 + 0.04 * 0.04 / 12.0 * 25.0, 1e-12 /* rounding */);
    assert_near(v.cop.y, v.cop.x, 1e-12);
}

/* Oracle: definition. An invalid pair is an error that names its field. */
static void invalid_pairs_are_refused(void** state)
{
    (void)state;
    const brm_pair good = box_pair();
    scene s = scene_make(&bristle, &good, 1, 1e-3, box_on_floor, "");
    brm_adapter* a = NULL;
    br_reason why;
    brm_pair bad = good;
    bad.geom2 = "bix";
    assert_status(brm_create(s.m, &bad, 1, &a, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "pairs[0].geom2");
    assert_non_null(strstr(why.text, "bix"));
    bad = good, bad.mu = -1.0;
    assert_status(brm_create(s.m, (const brm_pair[]){good, bad}, 2, &a, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "pairs[1].mu");
    s.m->opt.integrator = mjINT_RK4;
    assert_status(brm_create(s.m, &good, 1, &a, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "option.integrator");
    assert_null(a);
    scene_free(&s);
}

/* Oracle: the same pair given by names. A model defines its pairs by tuples. */
static void a_model_defines_its_pairs_by_tuples(void** state)
{
    (void)state;
    scene s =
        scene_make(&bristle, NULL, 0, 1e-3, box_on_floor,
                   "<custom><tuple name='bristle box'><element objtype='geom' objname='floor' "
                   "prm='.3'/><element objtype='geom' objname='box' prm='0'/></tuple>"
                   "<tuple name='other'><element objtype='geom' objname='floor' prm='0'/></tuple>"
                   "</custom>");
    assert_int_equal(brm_get_count(s.adapter), 1);
    s.d->qvel[0] = 1.0;
    for (int i = 0; i < 100; i++) {
        scene_step(&s);
    }
    const brm_contact c = brm_get_contact(s.adapter, 0);
    assert_near_relative(hypot(c.f.fx, c.f.fy), 0.3 * c.fn, 1e-3 /* it slides, mu of the tuple */);
    scene_free(&s);
}

/* Oracle: Coulomb, a = mu g, with MuJoCo's own mu; condim 4 in the model is condim 1 in the step; the step does not
 * change the caller's force. */
static void a_sliding_box_decelerates_by_mu_g(void** state)
{
    (void)state;
    const brm_pair pair = box_pair();
    scene s = scene_make(&bristle, &pair, 1, 1e-3, box_on_floor, "");
    s.m->geom_condim[0] = s.m->geom_condim[1] = 4;
    for (int i = 0; i < 300; i++) {
        scene_step(&s);
    }
    s.d->qvel[0] = 2.0;
    s.d->qfrc_applied[1] = 1e-3;
    for (int i = 0; i < 100; i++) {
        scene_step(&s);
    }
    const double before = s.d->qvel[0];
    for (int i = 0; i < 100; i++) {
        scene_step(&s);
        assert_int_equal(s.d->contact[0].dim, 1);
    }
    assert_near((before - s.d->qvel[0]) / 0.1, 0.5 * 9.81, 0.01 /* m/s^2: it rocks a little */);
    assert_near(s.d->qfrc_applied[0], 0.0, 0.0);
    assert_near(s.d->qfrc_applied[1], 1e-3, 0.0);
    scene_free(&s);
}

/* Oracle: the dense run. Sparse constraint matrices of MuJoCo give the same result. */
static void sparse_and_dense_constraints_agree(void** state)
{
    (void)state;
    double end[2];
    for (int i = 0; i < 2; i++) {
        const brm_pair pair = box_pair();
        scene s = scene_make(&bristle, &pair, 1, 1e-3, box_on_floor, "");
        s.m->opt.jacobian = i == 0 ? mjJAC_DENSE : mjJAC_SPARSE;
        s.d->qvel[0] = 1.0;
        s.d->qvel[5] = 5.0;
        for (int k = 0; k < 300; k++) {
            scene_step(&s);
        }
        end[i] = s.d->qpos[0];
        scene_free(&s);
    }
    assert_near(end[0], end[1], 1e-9 /* m: solvers stop at 1e-8, sums in another order */);
}

/* Oracle: definition. A box that is thrown up has no friction and no bristles; brm_reset() resets all bristles. */
static void a_contact_without_normal_force_has_no_friction(void** state)
{
    (void)state;
    const brm_pair pair = box_pair();
    scene s = scene_make(&bristle, &pair, 1, 1e-3, box_on_floor, "");
    for (int i = 0; i < 200; i++) {
        s.d->qfrc_applied[0] = 0.5;
        scene_step(&s);
    }
    brm_contact c = brm_get_contact(s.adapter, 0);
    assert_int_equal(c.touches, 1);
    assert_near(hypot(c.f.fx, c.f.fy), 0.5, 1e-3 /* N: it sticks */);
    assert_near(c.patch.u, (0.06 * 0.06 + 0.04 * 0.04) / 12.0,
                1e-5 /* m^2: the hull of its corners */);
    s.d->qvel[2] = 2.0;
    for (int i = 0; i < 20; i++) {
        scene_step(&s);
    }
    c = brm_get_contact(s.adapter, 0);
    assert_int_equal(c.touches, 0);
    assert_near(c.f.fx, 0.0, 0.0);
    assert_int_equal(brm_get_report(s.adapter).contacts, 0);
    mj_resetData(s.m, s.d);
    brm_reset(s.adapter);
    scene_step(&s);
    scene_free(&s);
}

static int has_cone(const mjData* d)
{
    for (int i = 0; i < d->nefc; i++) {
        if (d->efc_state[i] == mjCNSTRSTATE_CONE) {
            return 1;
        }
    }
    return 0;
}

/* Oracle: MuJoCo's result. A box slides over the floor under a finger with MuJoCo's own friction, an elliptic cone:
 * the twist that bristle predicts is that at the end of the step, if the cone is in A. */
static void cones_of_other_contacts_are_in_the_prediction(void** state)
{
    (void)state;
    const brm_pair pair = box_pair();
    scene s = scene_make(
        &bristle, &pair, 1, 1e-3,
        "<default><geom friction='.5 .005 0'/></default><worldbody>"
        "<geom name='floor' type='plane' size='5 5 1'/><body pos='0 0 .0199'><freejoint/>"
        "<geom name='box' type='box' size='.2 .02 .02' mass='.5'/></body><body pos='.1 0 .0498'>"
        "<joint name='f' type='slide' axis='0 0 -1'/><geom type='sphere' size='.01' mass='.2' condim='3'/>"
        "</body></worldbody><actuator><motor joint='f'/></actuator>");
    s.d->ctrl[0] = 5.0;
    for (int i = 0; i < 300; i++) {
        scene_step(&s);
    }
    s.d->qvel[0] = 1.0;
    int cones = 0;
    for (int i = 0; i < 50; i++) {
        const double before = s.d->qvel[0];
        scene_step(&s);
        const brm_contact c = brm_get_contact(s.adapter, 0);
        const double at_floor = s.d->qvel[0] - 0.02 * s.d->qvel[4]; // 20 mm below the centre
        cones += has_cone(s.d);
        assert_near(hypot(c.v.vx, c.v.vy), at_floor,
                    1e-4 * (before - s.d->qvel[0]) /* of the change: a cone is curved */);
    }
    assert_true(cones > 25); // the finger does slide
    scene_free(&s);
}

/* Oracle: statics. A wedge of 5 degrees between stiff faces, mu 0.5, pressed in by 20 N, is self-locking: it stays
 * without load, and when 3 N pull it, although MuJoCo's solve with the last friction pushes it out. */
static void a_self_locking_wedge_survives_a_jump_of_load(void** state)
{
    (void)state;
    br_law law = br_law_from_mu(0.5, 0.0, 0.0, 0.0);
    law.sigma0 = 1e6, law.sigma1 = 500.0,
    law.v_damping = 0.0; // stiffer than the faces
    brm_pair pairs[2] = {brm_pair_default(), brm_pair_default()};
    pairs[0].geom1 = "left", pairs[0].geom2 = "l", pairs[0].law = &law;
    pairs[1].geom1 = "right", pairs[1].geom2 = "r", pairs[1].law = &law;
    scene s = scene_make(
        &bristle, pairs, 2, 2e-3,
        "<default><geom solref='.004 1' solimp='.995 .999 .001'/></default><worldbody>"
        "<geom name='left' type='box' pos='-.03 0 0' euler='0 -5 0' size='.01 .02 .06'/>"
        "<geom name='right' type='box' pos='.03 0 0' euler='0 5 0' size='.01 .02 .06'/>"
        "<body><joint type='slide' axis='0 0 1'/><joint type='slide' axis='1 0 0'/>"
        "<joint type='hinge' axis='0 1 0'/>"
        "<geom name='l' type='box' pos='-.0105 0 0' euler='0 -5 0' size='.0096 .01 .02' mass='.05'/>"
        "<geom name='r' type='box' pos='.0105 0 0' euler='0 5 0' size='.0096 .01 .02' mass='.05'/>"
        "</body></worldbody>");
    const double angle = 5.0 * BR_PI / 180.0;
    s.d->qpos[0] =
        (0.0196 - 0.0195 * cos(angle)) / sin(angle) + 1e-6; // 1 um above where it touches
    double pressed = 0.0;
    for (int i = 0; i < 1500; i++) {
        s.d->qfrc_applied[0] = i < 500 ? -20.0 * fmin(1.0, i / 250.0) : i < 1000 ? 0.0 : 3.0;
        scene_step(&s);
        pressed = i == 499 ? s.d->qpos[0] : pressed;
    }
    const brm_contact c = brm_get_contact(s.adapter, 0);
    assert_near(s.d->qpos[0], pressed, 1e-6 /* m: elastic recovery of the bristles, 0.64 um */);
    assert_true(c.fn > 15.0); // [N]; 18 when it was pressed in
    scene_free(&s);
}

// A box that translates and turns about the vertical, on a floor with two coefficients; turned by `angle` at first.
static scene grained_scene(const brm_pair* pair, double angle, double first, double second)
{
    return scene_make(
        &bristle, pair, 1, 1e-3,
        "<worldbody><geom name='floor' type='plane' size='5 5 1'/><body pos='0 0 .0199' euler='0 0 %g'>"
        "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
        "<joint type='slide' axis='0 0 1'/><joint type='hinge' axis='0 0 1'/>"
        "<geom name='box' type='box' size='.03 .02 .02' mass='.5'/></body></worldbody>"
        "<contact><pair geom1='floor' geom2='box' condim='1' friction='%g %g .005 0 0'/></contact>",
        angle * 180.0 / BR_PI, first, second);
}

// The component of a vector of the contact's plane, given along the contact's tangents, along MuJoCo's tangent `row`.
static double along(const scene* s, const brm_contact* c, double x, double y, int row)
{
    const mjtNum* tangent = s->d->contact[0].frame + 3 * row;
    return x * mju_dot3(c->frame + 3, tangent) + y * mju_dot3(c->frame + 6, tangent);
}

// Compare the friction of the last step with f = -fn A^2 v/|A v|, A = diag(first, second) along MuJoCo's tangents.
static void check_closed_form(const scene* s, double first, double second, double tolerance)
{
    const brm_contact c = brm_get_contact(s->adapter, 0);
    const double v1 = along(s, &c, c.v.vx, c.v.vy, 1), v2 = along(s, &c, c.v.vx, c.v.vy, 2);
    const double f1 = along(s, &c, c.f.fx, c.f.fy, 1), f2 = along(s, &c, c.f.fx, c.f.fy, 2);
    const double size = hypot(first * v1, second * v2);
    assert_int_equal(c.touches, 1);
    assert_near(f1 / c.fn, -first * first * v1 / size, tolerance);
    assert_near(f2 / c.fn, -second * second * v2 / size, tolerance);
}

/* Oracle: closed form, f = -g fn A^2 v/|A v|, with MuJoCo's two tangential coefficients along its own tangents, whatever
 * the angle of the box: slides along both axes and on two diagonals. */
static void two_coefficients_are_anisotropic_friction(void** state)
{
    (void)state;
    static const double slides[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {0.7, 0.7}, {-0.9, 0.4}};
    static const double pairs[3][2] = {{0.6, 0.3}, {0.2, 0.5}, {0.3, 0.0}};
    for (int i = 0; i < 4 * 3 * 2; i++) {
        const double *slide = slides[i % 4], *mu = pairs[i / 4 % 3], angle = i < 12 ? 0.0 : 0.5;
        const brm_pair pair = box_pair();
        scene s = grained_scene(&pair, angle, mu[0], mu[1]);
        for (int k = 0; k < 60; k++) {
            s.d->qvel[0] = slide[0], s.d->qvel[1] = slide[1];
            scene_step(&s);
        }
        // a coefficient of 0 counts as a thousandth of the other
        const double second = mu[1] > 0.0 ? mu[1] : mu[0] / BR_ANISOTROPY_MAX;
        check_closed_form(&s, mu[0], second,
                          1e-5 /* bristles lag behind the slip, which turns in a step */);
        scene_free(&s);
    }
}

/* Oracle: closed form. MuJoCo's tangents stay while the box turns under them by 0.25 rad. */
static void the_axes_of_two_coefficients_stay_while_the_body_turns(void** state)
{
    (void)state;
    const brm_pair pair = box_pair();
    scene s = grained_scene(&pair, 0.0, 0.6, 0.3);
    for (int k = 0; k < 250; k++) {
        s.d->qvel[0] = s.d->qvel[1] = 2.0; // [m/s]
        s.d->qvel[3] = 1.0;                // [rad/s]
        scene_step(&s);
        if (k > 50) {
            check_closed_form(&s, 0.6, 0.3, 2e-4 /* (w r/v)^2 = 5e-5 of spin, and late bristles */);
        }
    }
    assert_near(s.d->qpos[3], 0.25, 0.02 /* rad: friction brakes it within a step */);
    scene_free(&s);
}

/* Oracle: the same pair with one coefficient. Where both are equal nothing changes, to the last digit; a pair's own mu
 * overrides both. */
static void equal_coefficients_are_isotropic_to_the_last_digit(void** state)
{
    (void)state;
    static const double second[3] = {0.5, 0.5, 0.2};
    double end[3][3];
    for (int i = 0; i < 3; i++) {
        brm_pair pair = box_pair();
        pair.mu = i == 0 ? 0.0 : 0.5;
        scene s = grained_scene(&pair, 0.3, 0.5, second[i]);
        s.d->qvel[0] = 1.0, s.d->qvel[1] = 0.5, s.d->qvel[3] = 5.0;
        for (int k = 0; k < 200; k++) {
            scene_step(&s);
        }
        assert_near(br_contact_get_def(brm_get_contact(s.adapter, 0).contact)->anisotropy.ratio,
                    1.0, 0.0);
        mju_copy3(end[i], s.d->qpos);
        scene_free(&s);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
    assert_memory_equal(end[0], end[2], sizeof end[0]);
}

/* Oracle: closed form for patches that the caller gives, blocks and a reduced disc; definition: a reduced rectangle is
 * refused, since its axes would turn. */
static void fixed_patches_take_two_coefficients(void** state)
{
    (void)state;
    br_patch_def def = br_patch_def_default();
    br_patch *disc = NULL, *rectangle = NULL;
    def.shape = BR_SHAPE_DISC, def.radius = br_by_force_constant(0.01);
    assert_status(br_patch_create(&def, &disc, NULL), BR_OK);
    def.shape = BR_SHAPE_RECTANGLE, def.size_x = 0.02, def.size_y = 0.01;
    assert_status(br_patch_create(&def, &rectangle, NULL), BR_OK);
    const br_patch* const patches[3] = {disc, rectangle, disc};
    static const br_method methods[3] = {BR_METHOD_BLOCKS, BR_METHOD_BLOCKS, BR_METHOD_REDUCED};
    for (int i = 0; i < 3; i++) {
        brm_pair pair = box_pair();
        pair.patch = patches[i], pair.method = methods[i];
        scene s = grained_scene(&pair, 0.4, 0.6, 0.3);
        for (int k = 0; k < 60; k++) {
            s.d->qvel[0] = 0.7, s.d->qvel[1] = 0.7, s.d->qvel[3] = 0.0;
            scene_step(&s);
        }
        check_closed_form(&s, 0.6, 0.3, 1e-5 /* as above */);
        scene_free(&s);
    }
    brm_pair bad = box_pair();
    brm_adapter* a = NULL;
    br_reason why;
    bad.patch = rectangle, bad.method = BR_METHOD_REDUCED, bad.mu = 0.5;
    scene s = grained_scene(&bad, 0.0, 0.6, 0.3); // with one coefficient it is accepted
    bad.mu = 0.0;
    assert_status(brm_create(s.m, &bad, 1, &a, &why), BR_ERR_DEF);
    assert_null(a);
    assert_string_equal(why.field, "pairs[0].patch");
    assert_non_null(strstr(why.text, "0.6 and 0.3"));
    scene_free(&s);
    br_patch_destroy(disc);
    br_patch_destroy(rectangle);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_outline_is_the_hull_of_its_points),
        cmocka_unit_test(a_patch_of_points_has_the_cop_r_and_u_of_its_shape),
        cmocka_unit_test(pressure_is_never_negative),
        cmocka_unit_test(invalid_pairs_are_refused),
        cmocka_unit_test(a_model_defines_its_pairs_by_tuples),
        cmocka_unit_test(a_sliding_box_decelerates_by_mu_g),
        cmocka_unit_test(sparse_and_dense_constraints_agree),
        cmocka_unit_test(a_contact_without_normal_force_has_no_friction),
        cmocka_unit_test(cones_of_other_contacts_are_in_the_prediction),
        cmocka_unit_test(a_self_locking_wedge_survives_a_jump_of_load),
        cmocka_unit_test(two_coefficients_are_anisotropic_friction),
        cmocka_unit_test(the_axes_of_two_coefficients_stay_while_the_body_turns),
        cmocka_unit_test(equal_coefficients_are_isotropic_to_the_last_digit),
        cmocka_unit_test(fixed_patches_take_two_coefficients),
    };
    return run_group(argc, argv, tests);
}
