/*
 * The oracle of test_same.py: cones, polyhedra, grasps, sliders, pushers.
 */
#include "bristle/grasp.h"
#include "bristle/limit_polyhedron.h"
#include "bristle/pushing.h"
#include "bristle/slider.h"
#include "bristle/wrench_cone.h"
#include "same.h"

static const double forces[4][3] = {
    {0.1, 0.2, 1.0}, {1.0, 0.0, 1.0}, {0.3, -0.2, -1.0}, {0.0, 0.0, 0.0}};
static const double corners[4][3] = {
    {0.1, 0.05, 0.0}, {-0.1, 0.05, 0.0}, {-0.1, -0.05, 0.0}, {0.1, -0.05, 0.0}};
static const double wrenches[3][6] = {{0.0, 0.0, 100.0, 0.0, 0.0, 0.0},
                                      {10.0, 5.0, 100.0, 1.0, 2.0, -1.0},
                                      {90.0, 0.0, 100.0, 0.0, 0.0, 0.0}};

static void show_cone(const br_cone* cone)
{
    double parts[4][3], margin[4], nearest[4][3];
    for (int i = 0; i < 4; i++) {
        br_cone_split(cone, forces[i], parts[i]);
        margin[i] = br_cone_margin(cone, forces[i]);
        br_cone_project(cone, forces[i], nearest[i], NULL);
    }
    name("cone", "split");
    line(parts[0], 12);
    name("cone", "margin");
    line(margin, 4);
    name("cone", "project");
    line(nearest[0], 12);
}

static void show_polyhedron(const br_polyhedron* flat)
{
    double h[4 * 10], v[4 * 16], margin[4];
    for (int i = 0; i < 4; i++) {
        margin[i] = br_polyhedron_margin(flat, forces[i]);
    }
    br_polyhedron_get_h(flat, h);
    br_polyhedron_get_v(flat, v);
    name("polyhedron", "h");
    line(h, 4 * br_polyhedron_get_h_count(flat));
    name("polyhedron", "v");
    line(v, 4 * br_polyhedron_get_v_count(flat));
    name("polyhedron", "margin");
    line(margin, 4);
}

static void show_wrench_cone(const br_polyhedron* flat)
{
    br_support supports[4];
    double margin[3];
    br_wrench_cone* cone;
    for (int i = 0; i < 4; i++) {
        supports[i].forces = *flat;
        for (int k = 0; k < 3; k++) {
            supports[i].place[k] = corners[i][k];
        }
    }
    if (br_wrench_cone_create(supports, 4, &cone, NULL) != BR_OK) {
        exit(1);
    }
    for (int i = 0; i < 3; i++) {
        margin[i] = br_wrench_cone_margin(cone, wrenches[i]);
    }
    name("wrench_cone", "h");
    line(br_wrench_cone_get_h(cone), 6 * br_wrench_cone_get_h_count(cone));
    name("wrench_cone", "margin");
    line(margin, 3);
    br_wrench_cone_destroy(cone);
}

static void show_limit_polyhedron(const br_limit* surface)
{
    br_limit_polyhedron* flat;
    if (br_limit_polyhedron_create(surface, 40, &flat, NULL) != BR_OK) {
        exit(1);
    }
    name("limit_polyhedron", "h");
    line(br_limit_polyhedron_get_h(flat, BR_POLYHEDRON_OUTER),
         4 * br_limit_polyhedron_get_h_count(flat, BR_POLYHEDRON_OUTER));
    br_limit_polyhedron_destroy(flat);
}

static void show_grasp(const br_limit* surface)
{
    const br_grasp grasp = {{surface, surface}, {0.5, 0.4}, 0.02};
    const double load[6] = {0.5, -2.0, 0.1, 0.01, 0.02, 0.005};
    name("grasp", "one");
    line((const double[]){br_grasp_one_patch(surface, 0.5, (br_wrench){2.0, 1.0, 0.01})}, 1);
    const br_grasp_value value = br_grasp_eval(&grasp, load);
    name("grasp", "two");
    numbers(value.fn, 2);
    wrench(value.wrench[0]);
    wrench(value.wrench[1]);
    printf("\n");
}

void show_cones(const br_limit* surface)
{
    br_cone cone;
    br_polyhedron flat;
    br_polyhedron_def def = br_polyhedron_def_default();
    if (br_cone_init((const double[]){0.1, 0.2, 1.0}, 0.6, &cone, NULL) != BR_OK) {
        exit(1);
    }
    def.cone = cone;
    def.faces = 8;
    if (br_polyhedron_init(&def, &flat, NULL) != BR_OK) {
        exit(1);
    }
    show_cone(&cone);
    show_polyhedron(&flat);
    show_wrench_cone(&flat);
    show_limit_polyhedron(surface);
    show_grasp(surface);
}

static void show_slider(const br_patch* patch)
{
    br_slider s = {.mass = 0.5, .inertia = 2e-4, .mu = 0.3, .height = 0.01, .gravity = 9.81};
    br_slider_state state = {{0.0, 0.0, 0.2}, {1.0, -0.5, 5.0}};
    const br_slider_load load = {{0.5, 0.1, 0.01}, 0.0};
    if (br_slider_set_patch(&s, patch, NULL) != BR_OK) {
        exit(1);
    }
    const br_slider_rate rate = br_slider_eval(&s, &state, &load);
    name("slider", "eval");
    wrench(rate.f);
    line((const double[]){rate.acceleration.vx, rate.acceleration.vy, rate.acceleration.w,
                          rate.sigma, rate.ecp.x, rate.ecp.y, rate.mode == BR_SLIDER_SLIDE},
         7);
    const br_slider_value value = br_slider_step(&s, &state, &load, 1e-3);
    name("slider", "step");
    line((const double[]){value.pt, value.po, value.pr, value.sigma, value.ecp.x, value.ecp.y,
                          value.mode == BR_SLIDER_SLIDE, state.q.x, state.q.y, state.q.theta,
                          state.v.vx, state.v.vy, state.v.w},
         13);
}

static void push_numbers(const br_push* push)
{
    const br_twist v = push->twist;
    numbers((const double[]){v.vx, v.vy, v.w}, 3);
    wrench(push->friction);
    numbers((const double[]){push->force.x, push->force.y, push->point.x, push->point.y,
                             (double)push->mode},
            5);
}

// Two pushes of two lines, in lanes.
static void show_rollout(const br_patch* patch, br_pushing pushing)
{
    br_limit_def def = br_limit_def_default();
    br_limit* surface;
    def.patch = patch;
    def.method = BR_LIMIT_SMOOTH;
    if (br_limit_create(&def, &surface, NULL) != BR_OK) {
        exit(1);
    }
    pushing.surface = surface;
    const double mu[2] = {0.3, 0.1};
    const br_vec2 tips[6] = {{-0.04, 0.01}, {-0.01, 0.012}, {0.01, 0.02},
                             {-0.04, 0.02}, {-0.02, 0.02},  {0.0, 0.01}};
    br_pose poses[6] = {{0.0, 0.0, 0.0}};
    br_pushing_rollout(&pushing, 2, 2, mu, tips, poses, NULL);
    name("pusher", "rollout");
    line((const double*)poses, 18);
    name("pusher", "gradient");
    for (int k = 0; k < 4; k++) {
        const int at = k + k / 2; // of 3 points each
        br_pushing_gradient of_line;
        br_pose pose = k % 2 == 0 ? (br_pose){0.0, 0.0, 0.0} : poses[at];
        pushing.mu = mu[k / 2];
        br_pushing_step_gradient(&pushing, &pose, tips[at], tips[at + 1], &of_line);
        poses[at + 1] = pose;
        numbers((const double*)of_line.by, sizeof of_line.by / sizeof(double));
    }
    printf("\n");
    br_limit_destroy(surface);
}

static void show_pusher(const br_patch* patch, const br_limit* surface)
{
    br_outline* outline;
    br_pushing pushing = br_pushing_default();
    br_pose pose = {0.0, 0.0, 0.0};
    if (br_outline_create(patch, 0.0, 0, &outline, NULL) != BR_OK) {
        exit(1);
    }
    pushing.surface = surface;
    pushing.outline = outline;
    pushing.mu = 0.3;
    pushing.radius = 0.002;
    const br_push now = br_pushing_eval(&pushing, (br_vec2){0.0, 0.02}, (br_vec2){1.0, 0.0},
                                        (br_vec2){0.01, 0.004});
    name("pusher", "push");
    push_numbers(&now);
    printf("\n");
    const br_push end =
        br_pushing_step(&pushing, &pose, (br_vec2){-0.04, 0.02}, (br_vec2){0.01, 0.021});
    name("pusher", "step");
    push_numbers(&end);
    line((const double[]){pose.x, pose.y, pose.theta}, 3);
    show_rollout(patch, pushing);
    br_outline_destroy(outline);
}

void show_sliders(const br_patch* patch, const br_limit* surface)
{
    show_slider(patch);
    show_pusher(patch, surface);
}
