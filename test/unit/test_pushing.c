/*
 * Outlines and quasi-static pushing: closed forms, least dissipation, motion cones.
 */
#include "check.h"

#include "bristle/bristle.h"

static br_patch* make_rectangle(double x, double y)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = x;
    def.size_y = y;
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

static br_patch* make_points(const br_support_point* points, size_t count)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.points = points;
    def.count = count;
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

static br_outline* outline_of(const br_patch* patch, int hull)
{
    br_outline* outline;
    assert_status(br_outline_create(patch, 1.0, hull, &outline, NULL), BR_OK);
    return outline;
}

static br_limit* surface_of(const br_patch* patch, br_limit_method method)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.method = method;
    br_limit* surface;
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
    return surface;
}

// --- outlines
// ---------------------------------------------------------------------------------------

static void check_place(const br_outline* outline, br_vec2 point, double distance, br_vec2 normal)
{
    const br_outline_place place = br_outline_eval(outline, point);
    assert_near(place.distance, distance, 1e-15 /* rounding */);
    assert_near(place.normal.x, normal.x, 1e-14);
    assert_near(place.normal.y, normal.y, 1e-14);
}

/* Oracle: closed form. */
static void distances_from_a_rectangle(void** state)
{
    (void)state;
    br_patch* patch = make_rectangle(0.2, 0.1);
    br_outline* outline = outline_of(patch, 0);
    check_place(outline, (br_vec2){0.13, 0.02}, 0.03, (br_vec2){1.0, 0.0});
    check_place(outline, (br_vec2){0.0, -0.04}, -0.01, (br_vec2){0.0, -1.0});
    check_place(outline, (br_vec2){-0.13, 0.09}, 0.05, (br_vec2){-0.6, 0.8}); // from the corner
    check_place(outline, (br_vec2){0.1, 0.01}, 0.0, (br_vec2){1.0, 0.0});     // on the edge
    assert_near(br_outline_get_area(outline), 0.02, 1e-17);
    br_outline_destroy(outline);
    br_patch_destroy(patch);
}

/* Oracle: closed form. An L, clockwise: its notch is outside, but inside its convex hull. */
static void a_notch_is_inside_the_hull_only(void** state)
{
    (void)state;
    const br_vec2 corners[] = {{0.0, 0.0}, {0.0, 2.0}, {1.0, 2.0},
                               {1.0, 1.0}, {2.0, 1.0}, {2.0, 0.0}};
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POLYGON;
    def.vertices = corners;
    def.count = 6;
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    br_outline *shape = outline_of(patch, 0), *hull = outline_of(patch, 1);
    const br_vec2 notch = {1.2, 1.1};
    check_place(shape, notch, 0.1, (br_vec2){0.0, 1.0});
    check_place(hull, notch, -0.7 / sqrt(2.0), (br_vec2){sqrt(0.5), sqrt(0.5)});
    size_t count;
    br_outline_get_vertices(hull, &count);
    assert_int_equal(count, 5);
    assert_near(br_outline_get_area(shape), 3.0, 1e-15);
    assert_near(br_outline_get_area(hull), 3.5, 1e-15);
    br_outline_destroy(hull);
    br_outline_destroy(shape);
    br_patch_destroy(patch);
}

/* Oracle: closed form. Placement, discs, grids with empty cells, lines and points. */
static void outlines_of_every_shape(void** state)
{
    (void)state;
    br_patch_def def = br_patch_def_default();
    def.centre = (br_vec2){0.3, 0.1};
    def.angle = 0.5 * BR_PI;
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    br_outline* outline = outline_of(patch, 1);
    check_place(outline, (br_vec2){0.3, 0.15}, 0.04, (br_vec2){0.0, 1.0});
    check_place(outline, (br_vec2){0.3, 0.1}, -0.01, (br_vec2){1.0, 0.0}); // any direction
    br_outline_destroy(outline);
    br_patch_destroy(patch);

    def.shape = BR_SHAPE_LINE;
    def.length = 0.2;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    outline = outline_of(patch, 1);
    check_place(outline, (br_vec2){0.32, 0.15}, 0.02, (br_vec2){1.0, 0.0}); // along y now
    assert_near(br_outline_get_area(outline), 0.0, 0.0);
    br_outline_destroy(outline);
    br_patch_destroy(patch);

    const double cells[] = {0.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    def = br_patch_def_default();
    def.shape = BR_SHAPE_GRID;
    def.size_x = 0.3;
    def.size_y = 0.2;
    def.columns = 3;
    def.rows = 2;
    def.cells = cells;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    outline = outline_of(patch, 1);
    // the hull cuts off half of the empty cell
    assert_near(br_outline_get_area(outline), 0.055, 1e-16);
    br_outline_destroy(outline);
    br_patch_destroy(patch);

    const br_support_point one = {0.1, 0.0, 1.0};
    patch = make_points(&one, 1);
    outline = outline_of(patch, 1);
    check_place(outline, (br_vec2){0.1, 0.2}, 0.2, (br_vec2){0.0, 1.0});
    br_outline_destroy(outline);
    br_patch_destroy(patch);
}

static void outlines_need_memory(void** state)
{
    (void)state;
    br_patch* patch = make_rectangle(0.2, 0.1);
    for (size_t fail_at = 1; fail_at <= 2; fail_at++) {
        counting count = {.fail_at = fail_at};
        br_outline* outline;
        br_set_allocator(counting_allocate, counting_release, &count);
        const br_status status = br_outline_create(patch, 1.0, 0, &outline, NULL);
        br_set_allocator(NULL, NULL, NULL);
        assert_int_equal(status, BR_ERR_MEMORY);
        assert_null(outline);
        assert_int_equal(count.alive, 0);
    }
    br_patch_destroy(patch);
}

// --- pushing at an instant
// --------------------------------------------------------------------------

static br_vec2 contact_velocity(const br_pushing* p, const br_push* push)
{
    const br_vec2 c = br_vec2_sub(push->point, br_pushing_get_centre(p));
    return (br_vec2){push->twist.vx - push->twist.w * c.y, push->twist.vy + push->twist.w * c.x};
}

// Friction balances the tip: no moment about the contact, power equals dissipation.
static void check_balance(const br_pushing* p, const br_push* push)
{
    const br_vec2 c = br_vec2_sub(push->point, br_pushing_get_centre(p));
    const br_vec2 v = contact_velocity(p, push);
    const double moment = push->friction.tau + br_vec2_cross(c, push->force);
    assert_near(moment, 0.0, 1e-10); // the gauge promises 1e-9 of r
    assert_near(br_vec2_dot(push->force, v), push->sigma, 1e-8 * br_vec2_norm(v));
}

/* Oracle: a search. The sticking body dissipates no more than any other that follows the tip. */
static void sticking_takes_the_least_dissipation(void** state)
{
    (void)state;
    const br_support_point points[] = {{0.04, -0.02, 0.3}, {-0.05, -0.03, 0.3}, {0.0, 0.05, 0.4}};
    br_patch* patches[] = {make_rectangle(0.1, 0.06), make_points(points, 3)};
    uint64_t seed = 4;
    for (int k = 0; k < 2; k++) {
        br_limit* surface = surface_of(patches[k], BR_LIMIT_EXACT);
        br_pushing p = br_pushing_default();
        p.surface = surface;
        const br_vec2 centre = br_pushing_get_centre(&p);
        for (int i = 0; i < 200; i++) {
            const br_vec2 point = {uniform(&seed, -0.1, 0.1), uniform(&seed, -0.1, 0.1)};
            const br_vec2 v = {uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0)};
            const br_push push = br_pushing_stick_eval(&p, point, v);
            const br_vec2 c = br_vec2_sub(point, centre), moved = contact_velocity(&p, &push);
            assert_near(moved.x, v.x, 1e-15);
            assert_near(moved.y, v.y, 1e-15);
            check_balance(&p, &push);
            for (int j = -20; j <= 20; j++) {
                const double w = push.twist.w * (1.0 + 0.01 * j) + 1e-3 * j;
                const br_twist other = {v.x + w * c.y, v.y - w * c.x, w};
                assert_true(br_limit_eval(surface, other).dissipation >=
                            push.sigma * (1.0 - 1e-14));
            }
        }
        br_limit_destroy(surface);
        br_patch_destroy(patches[k]);
    }
}

/* Oracle: a body on three points that is pushed beside one of them turns about another: there the wrench
 * is on a facet, and the friction of the resting point is whatever balances the tip. */
static void a_resting_support_point_takes_what_is_needed(void** state)
{
    (void)state;
    const br_support_point points[] = {{0.05, 0.0, 1.0}, {-0.05, 0.0, 1.0}};
    br_patch* patch = make_points(points, 2);
    br_limit* surface = surface_of(patch, BR_LIMIT_EXACT);
    br_pushing p = br_pushing_default();
    p.surface = surface;
    // across the bar at one end: the other end rests, with half the force that would move it
    const br_push push = br_pushing_stick_eval(&p, (br_vec2){0.06, 0.0}, (br_vec2){0.0, 1.0});
    assert_near(push.twist.w, 1.0 / 0.11, 1e-9 /* bisection to 1e-13, force differences by it */);
    // moment about the resting end: 0.11 F = 0.1 * 0.5
    assert_near(push.force.y, 0.5 / 1.1, 1e-10);
    check_balance(&p, &push);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: closed form (38)-(40). A surface that is an ellipsoid gives the same as the closed form. */
static void any_surface_agrees_with_the_closed_form_of_the_ellipsoid(void** state)
{
    (void)state;
    br_patch* patch = make_rectangle(0.1, 0.06);
    br_limit* surface = surface_of(patch, BR_LIMIT_ELLIPSOID);
    br_pushing general = br_pushing_default(), closed = general;
    general.surface = surface;
    closed.e_r = br_limit_get_patch_value(surface).r;
    const br_vec2 normal = {0.6, 0.8};
    uint64_t seed = 6;
    int modes[4] = {0};
    for (int i = 0; i < 500; i++) {
        const br_vec2 point = {uniform(&seed, -0.05, 0.05), uniform(&seed, -0.05, 0.05)};
        const br_vec2 v = {uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0)};
        const br_push a = br_pushing_eval(&general, point, normal, v);
        const br_push b = br_pushing_eval(&closed, point, normal, v);
        modes[a.mode]++;
        assert_int_equal(a.mode, b.mode);
        // the gauge promises 1e-9, sticking is better; spins are velocities over some 3 cm
        assert_near(a.twist.vx, b.twist.vx, 1e-8);
        assert_near(a.twist.w, b.twist.w, 3e-7);
        assert_near(a.friction.fx, b.friction.fx, 1e-8);
    }
    for (int i = 0; i < 4; i++) {
        assert_true(modes[i] > 20);
    }
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: Coulomb's law of the tip: sliding friction is full and along the tip's motion over the body. */
static void a_sliding_tip_obeys_its_friction(void** state)
{
    (void)state;
    br_patch* patch = make_rectangle(0.1, 0.06);
    br_limit* surface = surface_of(patch, BR_LIMIT_EXACT);
    br_pushing p = br_pushing_default();
    p.surface = surface;
    const br_vec2 normal = {0.0, 1.0}, left = {-1.0, 0.0};
    uint64_t seed = 8;
    for (int i = 0; i < 500; i++) {
        const br_vec2 point = {uniform(&seed, -0.05, 0.05), -0.03};
        const br_vec2 v = {uniform(&seed, -1.0, 1.0), uniform(&seed, 0.01, 1.0)};
        const br_push push = br_pushing_eval(&p, point, normal, v);
        const br_vec2 slip = br_vec2_sub(v, contact_velocity(&p, &push));
        const double pressing = push.force.y, along = br_vec2_dot(push.force, left);
        check_balance(&p, &push);
        assert_near(slip.y, 0.0, 1e-9);
        assert_true(pressing > 0.0);
        if (push.mode == BR_PUSH_STICK) {
            assert_true(fabs(along) <= p.mu * pressing);
            assert_near(slip.x, 0.0, 1e-15);
        } else {
            const double side = push.mode == BR_PUSH_LEFT ? 1.0 : -1.0;
            assert_near(along, side * p.mu * pressing, 1e-12);
            assert_true(br_vec2_dot(slip, left) * side > 0.0);
        }
    }
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: a tip inside the motion cone sticks, outside it slides to that side. */
static void the_motion_cone_divides_sticking_from_sliding(void** state)
{
    (void)state;
    br_patch* patch = make_rectangle(0.1, 0.06);
    br_limit* surface = surface_of(patch, BR_LIMIT_EXACT);
    for (int exact = 0; exact < 2; exact++) {
        br_pushing p = br_pushing_default();
        p.surface = exact ? surface : NULL;
        const br_vec2 normal = {0.0, 1.0}, point = {0.01, -0.03};
        const br_motion_cone cone = br_pushing_cone_eval(&p, point, normal);
        assert_true(br_vec2_cross(cone.right, cone.left) > 0.0);
        const br_vec2 inside_left = br_vec2_rotate(cone.left, -1e-6);
        const br_vec2 beyond_left = br_vec2_rotate(cone.left, 1e-6);
        const br_vec2 inside_right = br_vec2_rotate(cone.right, 1e-6);
        const br_vec2 beyond_right = br_vec2_rotate(cone.right, -1e-6);
        assert_int_equal(br_pushing_eval(&p, point, normal, inside_left).mode, BR_PUSH_STICK);
        assert_int_equal(br_pushing_eval(&p, point, normal, beyond_left).mode, BR_PUSH_LEFT);
        assert_int_equal(br_pushing_eval(&p, point, normal, inside_right).mode, BR_PUSH_STICK);
        assert_int_equal(br_pushing_eval(&p, point, normal, beyond_right).mode, BR_PUSH_RIGHT);
    }
    const br_pushing p = br_pushing_default();
    const br_push away =
        br_pushing_eval(&p, (br_vec2){0.0, -0.03}, (br_vec2){0.0, 1.0}, (br_vec2){1.0, -0.1});
    assert_int_equal(away.mode, BR_PUSH_BREAK);
    assert_near(away.twist.vx, 0.0, 0.0);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

// --- pushing along a line
// ----------------------------------------------------------------------------

/* Oracle: closed form. With the contact at distance R and at the angle psi from the tip's line,
 * dpsi/ds = -R sin(psi)/(c^2 + R^2), so tan(psi/2) decays as exp(-R s/(c^2 + R^2)). */
static void a_sticking_tip_turns_the_body_as_the_closed_form(void** state)
{
    (void)state;
    br_pushing p = br_pushing_default();
    p.e_r = 0.03;
    p.mu = 1e3; // sticks
    br_patch* patch = make_rectangle(0.1, 0.06);
    p.outline = outline_of(patch, 0);
    const br_vec2 point = {-0.05, -0.005};
    const double R = br_vec2_norm(point), distance = 0.06, psi0 = atan2(point.y, point.x);
    const double tan_half = tan(0.5 * psi0) * exp(-R * distance / (p.e_r * p.e_r + R * R));
    const double theta = remainder(2.0 * atan(tan_half) - psi0, 2.0 * BR_PI);

    br_pose pose = {0.0, 0.0, 0.0};
    br_pushing_stick_step(&p, &pose, point, (br_vec2){0.02, 0.0}, 3.0);
    assert_near(pose.theta, theta, 1e-9 /* fourth order, steps of 0.02 */);
    assert_near(br_pose_apply(pose, point).x, -0.05 + distance, 1e-15);
    assert_near(br_pose_apply(pose, point).y, -0.005, 1e-15);

    // the same by following the outline with a tip without size
    br_pose pushed = {0.0, 0.0, 0.0};
    const br_push push =
        br_pushing_step(&p, &pushed, point, (br_vec2){point.x + distance, point.y});
    assert_int_equal(push.mode, BR_PUSH_STICK);
    assert_near(pushed.theta, theta, 1e-5); // the midpoint rule's promise
    assert_near(pushed.x, pose.x, 1e-5 * distance);
    assert_near(pushed.y, pose.y, 1e-5 * distance);
    br_outline_destroy((br_outline*)p.outline);
    br_patch_destroy(patch);
}

/* Oracle: closed form. Head on, a disc moves by the distance less the gap, and does not turn. */
static void a_disc_pushed_head_on_moves_by_the_distance_less_the_gap(void** state)
{
    (void)state;
    br_patch_def def = br_patch_def_default();
    def.radius = br_by_force_constant(0.05);
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    br_limit* surface = surface_of(patch, BR_LIMIT_EXACT);
    br_pushing p = br_pushing_default();
    p.surface = surface;
    p.outline = outline_of(patch, 0);
    p.radius = 0.005;
    br_pose pose = {0.2, 0.1, 1.0};
    br_pushing_step(&p, &pose, (br_vec2){0.2, 0.0}, (br_vec2){0.2, 0.1});
    assert_near(pose.x, 0.2, 1e-12 /* rounding, which head on grows */);
    assert_near(pose.y, 0.1 + 0.1 - 0.045, 1e-12);
    assert_near(pose.theta, 1.0, 1e-9);
    // moving away and not reaching it, nothing happens
    const br_pose before = pose;
    br_pushing_step(&p, &pose, (br_vec2){0.2, 0.1}, (br_vec2){0.2, 0.0});
    const br_push none = br_pushing_step(&p, &pose, (br_vec2){0.0, 0.0}, (br_vec2){0.0, 0.1});
    assert_int_equal(none.mode, BR_PUSH_BREAK);
    assert_memory_equal(&before, &pose, sizeof pose);
    br_outline_destroy((br_outline*)p.outline);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

/* Oracle: closed form. A tip that moves any short distance, in a gap or overlapping a little, pushes a disc head on with
 * its own speed: closing the gap takes no time that could make a speed of it. */
static void a_gap_is_no_speed(void** state)
{
    (void)state;
    br_patch_def def = br_patch_def_default();
    def.radius = br_by_force_constant(0.05);
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    br_pushing p = br_pushing_default();
    p.outline = outline_of(patch, 0);
    p.radius = 0.005;
    const double gaps[] = {0.0, 1e-10, -1e-10, -4e-8, -1e-4, -4e-3}, distance = 1e-9;
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        br_pose pose = {0.055 + gaps[i], 0.0, 0.0};
        const br_push push =
            br_pushing_step(&p, &pose, (br_vec2){0.0, 0.0}, (br_vec2){distance, 0.0});
        assert_int_equal(push.mode, BR_PUSH_STICK);
        assert_near(push.twist.vx, distance, 1e-6 * distance /* 1e-9 as a difference of 0.05 */);
        assert_near(push.sigma, distance, 1e-6 * distance);
        assert_near(push.friction.fx, -1.0, 1e-12);
        // an overlap of up to 1e-6 of the size may stay
        assert_near(pose.x, 0.055 + distance, 5e-8);
    }
    // and a tip that rests does not push
    br_pose pose = {0.0549, 0.0, 0.0};
    const br_push rest = br_pushing_step(&p, &pose, (br_vec2){0.0, 0.0}, (br_vec2){0.0, 0.0});
    assert_int_equal(rest.mode, BR_PUSH_BREAK);
    assert_near(rest.twist.vx, 0.0, 0.0);
    assert_near(pose.x, 0.055, 5e-8);
    br_outline_destroy((br_outline*)p.outline);
    br_patch_destroy(patch);
}

/* Oracle: step-size convergence, and no drift: the tip ends on the edge, whatever it slid over. */
static void a_sliding_tip_stays_on_the_edge_and_converges(void** state)
{
    (void)state;
    br_patch* patch = make_rectangle(0.1, 0.06);
    br_limit* surface = surface_of(patch, BR_LIMIT_EXACT);
    br_pushing p = br_pushing_default();
    p.surface = surface;
    p.outline = outline_of(patch, 0);
    p.radius = 0.005;
    const br_vec2 from = {-0.0551, -0.02}, to = {-0.015, 0.02};
    br_pose once = {0.0, 0.0, 0.0}, fine = once;
    br_pushing_step(&p, &once, from, to);
    for (int i = 0; i < 2000; i++) { // ten times as many sub-steps
        const double a = i / 2000.0, b = (i + 1) / 2000.0;
        const br_vec2 shift = br_vec2_sub(to, from);
        br_pushing_step(&p, &fine, br_vec2_add(from, br_vec2_scale(a, shift)),
                        br_vec2_add(from, br_vec2_scale(b, shift)));
    }
    const br_vec2 tip = br_vec2_rotate((br_vec2){to.x - once.x, to.y - once.y}, -once.theta);
    assert_near(br_outline_eval(p.outline, tip).distance, p.radius, 1e-6);
    assert_near(once.x, fine.x, 1e-5 * 0.06 /* promised, of the distance */);
    assert_near(once.y, fine.y, 1e-5 * 0.06);
    assert_near(once.theta, fine.theta, 1e-5);
    br_outline_destroy((br_outline*)p.outline);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

static br_patch* make_angle(void)
{
    // symmetric about x = y, with its inner corner at (-4, -4) mm
    static const br_vec2 corners[] = {{-0.044, -0.044}, {0.076, -0.044}, {0.076, -0.004},
                                      {-0.004, -0.004}, {-0.004, 0.076}, {-0.044, 0.076}};
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POLYGON;
    def.vertices = corners;
    def.count = 6;
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

// Push from one position to another in parts; the largest overlap after each [m]. The contact does not
// chatter: free, on one side, in the corner.
static double push_in_parts(const br_pushing* p, br_pose* pose, br_vec2 from, br_vec2 to, int parts)
{
    const br_vec2 shift = br_vec2_scale(1.0 / parts, br_vec2_sub(to, from));
    double worst = 0.0;
    int changes = 0;
    br_push_mode last = BR_PUSH_BREAK;
    for (int i = 0; i < parts; i++) {
        const br_vec2 a = br_vec2_add(from, br_vec2_scale(i, shift)), b = br_vec2_add(a, shift);
        const br_push push = br_pushing_step(p, pose, a, b);
        const br_vec2 away = {b.x - pose->x, b.y - pose->y};
        const br_vec2 tip = br_vec2_rotate(away, -pose->theta);
        worst = fmax(worst, p->radius - br_outline_eval(p->outline, tip).distance);
        changes += push.mode != last;
        last = push.mode;
    }
    assert_in_range(changes, 1, 2);
    return worst;
}

/* Oracle: symmetry and geometry. In the corner of an angle the tip touches both sides; pushed along
   the line of symmetry the angle goes straight. Pushed off it, neither side overlaps the tip. */
static void a_tip_in_a_concave_corner_overlaps_neither_side(void** state)
{
    (void)state;
    br_patch* patch = make_angle();
    br_outline* outline = outline_of(patch, 0);
    br_limit* surface = surface_of(patch, BR_LIMIT_EXACT);
    for (int k = 0; k < 2; k++) {
        br_pushing p = br_pushing_default();
        p.outline = outline;
        p.radius = 0.005;
        p.surface = k ? surface : NULL;
        p.e_r = 0.05;
        br_pose pose = {0.0, 0.0, 0.0};
        const br_vec2 middle = {-0.03, -0.03};
        // 1e-6 of the body's size is left by intention
        assert_true(push_in_parts(&p, &pose, (br_vec2){0.03, 0.03}, middle, 100) < 1e-7);
        assert_near(pose.x, -0.031, 1e-7);
        assert_near(pose.y, -0.031, 1e-7);
        assert_near(pose.theta, 0.0, 1e-5);
        assert_true(push_in_parts(&p, &pose, middle, (br_vec2){-0.06, -0.09}, 100) < 1e-7);
        // entered beside the line of symmetry: one side first
        pose = (br_pose){0.0, 0.0, 0.0};
        push_in_parts(&p, &pose, (br_vec2){0.002, 0.0011}, (br_vec2){0.0009, 0.0011}, 4);
        assert_true(push_in_parts(&p, &pose, (br_vec2){0.0009, 0.0011}, (br_vec2){-0.03, -0.03},
                                  50) < 1e-7);
    }
    br_limit_destroy(surface);
    br_outline_destroy(outline);
    br_patch_destroy(patch);
}

static br_outline* polygon_outline(const br_vec2* vertices, size_t count, br_limit** surface)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POLYGON;
    def.vertices = vertices;
    def.count = count;
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    br_outline* outline = outline_of(patch, 0);
    *surface = surface_of(patch, BR_LIMIT_EXACT);
    br_patch_destroy(patch);
    return outline;
}

static double uniform_number(uint64_t* seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Oracle: geometry. A tip of up to 1000 times the body's size starts anywhere near it. The body ends beside the tip,
   moves by at most the depth (tip and body), and turns little: where linear steps are without a bound, it turned
   752997 rad. */
static void a_tip_larger_than_the_body_pushes_it_out(void** state)
{
    (void)state;
    const br_vec2 angle[] = {{0.0, 0.0},   {0.1, 0.0},  {0.1, 0.02},
                             {0.02, 0.02}, {0.02, 0.1}, {0.0, 0.1}};
    const br_vec2 box[] = {{-50.0, -25.0}, {50.0, -25.0}, {50.0, 25.0}, {-50.0, 25.0}};
    uint64_t seed = 1;
    for (int k = 0; k < 4; k++) {
        br_limit* surface;
        br_outline* outline = polygon_outline(k / 2 ? box : angle, k / 2 ? 4 : 6, &surface);
        br_pushing p = br_pushing_default();
        const double size = br_outline_get_radius(outline);
        p.outline = outline;
        p.surface = k % 2 ? surface : NULL;
        p.e_r = 0.5 * size;
        for (int i = 0; i < 200; i++) {
            const br_vec2 at = br_outline_get_centre(outline);
            const double w = i ? 3.0 * size : 0.0;
            p.radius = i ? size * pow(10.0, -1.5 + 4.5 * uniform_number(&seed)) : 1.0;
            p.mu = i ? uniform_number(&seed) : 0.3;
            br_vec2 from = {-0.0435198, 0.00958083}, to = {-0.150512, -0.0811693};
            if (i) {
                from.x = at.x + w * (uniform_number(&seed) - 0.5);
                from.y = at.y + w * (uniform_number(&seed) - 0.5);
                to.x = from.x + size * (uniform_number(&seed) - 0.5);
                to.y = from.y + size * (uniform_number(&seed) - 0.5);
            }
            br_pose pose = {0.0, 0.0, 0.0};
            br_pushing_step(&p, &pose, from, to);
            const br_vec2 away = {to.x - pose.x, to.y - pose.y};
            const br_outline_place end =
                br_outline_eval(outline, br_vec2_rotate(away, -pose.theta));
            // 1e-6 of the body's size is left by intention
            assert_true(end.distance - p.radius > -1.001e-6 * size);
            assert_true(hypot(pose.x, pose.y) <= p.radius + 2.0 * size);
            assert_true(fabs(pose.theta) < BR_PI);
        }
        br_limit_destroy(surface);
        br_outline_destroy(outline);
    }
}

/* Oracle: geometry. A tip in a slot that is too narrow for it cannot be separated from both sides at once. */
static void a_tip_in_a_slot_that_is_too_narrow_is_put_outside(void** state)
{
    (void)state;
    const br_vec2 slot[] = {{-0.05, -0.05}, {0.05, -0.05},   {0.05, 0.05},   {0.002, 0.05},
                            {0.002, -0.04}, {-0.002, -0.04}, {-0.002, 0.05}, {-0.05, 0.05}};
    br_limit* surface;
    br_outline* outline = polygon_outline(slot, 8, &surface);
    br_pushing p = br_pushing_default();
    p.outline = outline;
    p.radius = 0.004;
    p.e_r = 0.05;
    for (int i = 0; i < 9; i++) {
        br_pose pose = {0.0, 0.0, 0.0};
        const br_vec2 tip = {0.0003 * (i - 4), -0.01};
        br_pushing_step(&p, &pose, tip, tip);
        const br_vec2 away = {tip.x - pose.x, tip.y - pose.y};
        const br_outline_place end = br_outline_eval(outline, br_vec2_rotate(away, -pose.theta));
        assert_true(end.distance - p.radius > -1.001e-6 * br_outline_get_radius(outline));
        assert_true(hypot(pose.x, pose.y) < 0.2);
    }
    br_limit_destroy(surface);
    br_outline_destroy(outline);
}

/* Oracle: br_pushing_eval()'s contract. */
static void nan_gives_nan(void** state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        br_pushing p = br_pushing_default();
        br_vec2 point = {-0.05, 0.01}, normal = {1.0, 0.0}, velocity = {0.02, 0.01};
        *(double*[]){&point.x, &point.y, &normal.x, &normal.y, &velocity.x, &velocity.y, &p.mu}[i] =
            (double)NAN;
        const br_push push = br_pushing_eval(&p, point, normal, velocity);
        assert_true(isnan(push.sigma));
        assert_true(isnan(push.twist.vx + push.twist.vy + push.twist.w));
    }
}

static void bad_definitions_are_named(void** state)
{
    (void)state;
    const struct {
        const char* field;
        size_t offset;
        double value;
    } bad[] = {{"e[0]", offsetof(br_pushing, e_t), 0.0},
               {"e[1]", offsetof(br_pushing, e_o), -1.0},
               {"e[2]", offsetof(br_pushing, e_r), 0.0},
               {"radius", offsetof(br_pushing, radius), -1e-3},
               {"mu", offsetof(br_pushing, mu), (double)NAN}};
    br_reason why;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        br_pushing p = br_pushing_default();
        assert_status(br_pushing_check(&p, NULL), BR_OK);
        *(double*)((char*)&p + bad[i].offset) = bad[i].value;
        assert_status(br_pushing_check(&p, &why), BR_ERR_DEF);
        assert_string_equal(why.field, bad[i].field);
    }
    const br_support_point points[] = {{0.0, 0.0, 1.0}, {0.1, 0.0, 1.0}};
    br_patch* patch = make_points(points, 2);
    br_outline* line = outline_of(patch, 0);
    br_pushing p = br_pushing_default();
    p.outline = line;
    assert_status(br_pushing_check(&p, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "outline");
    br_outline_destroy(line);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_from_a_rectangle),
        cmocka_unit_test(a_notch_is_inside_the_hull_only),
        cmocka_unit_test(outlines_of_every_shape),
        cmocka_unit_test(outlines_need_memory),
        cmocka_unit_test(sticking_takes_the_least_dissipation),
        cmocka_unit_test(a_resting_support_point_takes_what_is_needed),
        cmocka_unit_test(any_surface_agrees_with_the_closed_form_of_the_ellipsoid),
        cmocka_unit_test(a_sliding_tip_obeys_its_friction),
        cmocka_unit_test(the_motion_cone_divides_sticking_from_sliding),
        cmocka_unit_test(a_sticking_tip_turns_the_body_as_the_closed_form),
        cmocka_unit_test(a_disc_pushed_head_on_moves_by_the_distance_less_the_gap),
        cmocka_unit_test(a_gap_is_no_speed),
        cmocka_unit_test(a_sliding_tip_stays_on_the_edge_and_converges),
        cmocka_unit_test(a_tip_in_a_concave_corner_overlaps_neither_side),
        cmocka_unit_test(a_tip_larger_than_the_body_pushes_it_out),
        cmocka_unit_test(a_tip_in_a_slot_that_is_too_narrow_is_put_outside),
        cmocka_unit_test(nan_gives_nan),
        cmocka_unit_test(bad_definitions_are_named),
    };
    return run_group(argc, argv, tests);
}
