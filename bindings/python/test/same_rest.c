/*
 * The oracle of test_same.py: functions that bristle.js does not have: shapes, errors of engines, derivatives, more of
 * cones, profiles, outlines, a step of a body, steps of worlds.
 */
#include "bristle/limit_polyhedron.h"
#include "bristle/outline.h"
#include "bristle/profile.h"
#include "bristle/worlds_gradient.h"
#include "bristle/wrench_cone.h"
#include "same.h"

static const br_twist twist = {0.02, -0.01, 1.5};

static void show_patch(const char* what, const br_patch_def* def)
{
    br_patch* patch = make_patch(def);
    const br_patch_value p = br_patch_eval(patch, 3.0);
    name("patch", what);
    line((const double[]){p.cop.x, p.cop.y, p.r, p.u, p.area}, 5);
    br_patch_destroy(patch);
}

static void show_patches(void)
{
    static const br_support_point points[3] = {
        {0.0, 0.0, 1.0}, {0.02, 0.0, 2.0}, {0.01, 0.03, 0.5}};
    static const double cells[6] = {1.0, 2.0, 0.0, 0.5, 1.5, 3.0};
    br_patch_def def = br_patch_def_default();
    def.centre = (br_vec2){0.001, 0.002};
    show_patch("disc", &def);
    def.shape = BR_SHAPE_RING;
    show_patch("ring", &def);
    def.angle = 0.2;
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = 0.03;
    def.size_y = 0.02;
    show_patch("rectangle", &def);
    def.shape = BR_SHAPE_GRID;
    def.columns = 3;
    def.rows = 2;
    def.cells = cells;
    show_patch("grid", &def);
    def.shape = BR_SHAPE_LINE;
    def.length = 0.04;
    def.pressure = BR_PRESSURE_LINEAR;
    def.from = 1.0;
    def.to = 3.0;
    show_patch("line", &def);
    def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.count = 3;
    def.points = points;
    show_patch("points", &def);
}

static void show_engines(const br_patch* patch)
{
    for (int kind = 0; kind <= BR_ENGINE_GENESIS; kind++) {
        br_engine_def def = br_engine_def_default((br_engine_kind)kind);
        br_engine* engine;
        def.patch = patch;
        def.mu = 0.5;
        if (br_engine_create(&def, &engine, NULL) != BR_OK) {
            exit(1);
        }
        const br_engine_error e = br_engine_get_error(engine);
        const double gauge = br_engine_gauge(engine, (br_wrench){0.5, 0.1, 0.003});
        name(br_engine_get_name(def.kind), "error");
        line((const double[]){e.max, e.mean, e.slide_max, e.slide_mean}, 4);
        name(br_engine_get_name(def.kind), "gauge");
        line(&gauge, 1);
        br_engine_destroy(engine);
    }
}

// d dz/dz and d dz/dv, part by part
static void show_gradient(const char* method, const br_contact* contact, const double* z)
{
    const size_t n = br_contact_get_part_count(contact),
                 k = br_contact_get_state_count(contact) / n;
    double* dz_z = calloc(k * k * n, sizeof *dz_z);
    double* dz_v = calloc(3 * k * n, sizeof *dz_v);
    br_contact_gradient out = {.dz_z = dz_z, .dz_v = dz_v};
    br_contact_gradient_eval(contact, z, twist, 3.0, &out);
    name(method, "f_v");
    line(out.f_v[0], 9);
    name(method, "f_fn");
    line(out.f_fn, 3);
    name(method, "dz_z");
    line(dz_z, k * k * n);
    name(method, "dz_v");
    line(dz_v, 3 * k * n);
    free(dz_z);
    free(dz_v);
}

static void show_contact(const char* method, br_method kind, const br_patch* from,
                         const br_patch* to)
{
    br_contact* one = make_contact(kind, from);
    br_contact* other = make_contact(kind, to);
    const size_t n = br_contact_get_state_count(other);
    double* z = calloc(br_contact_get_state_count(one), sizeof *z);
    double* carried = calloc(n, sizeof *carried);
    br_contact_step(one, z, twist, 3.0, 1e-4, NULL);
    show_gradient(method, one, z);
    br_contact_carry(one, z, other, carried);
    name(method, "carry");
    line(carried, n);
    free(z);
    free(carried);
    br_contact_destroy(one);
    br_contact_destroy(other);
}

static void show_cone(void)
{
    static const double forces[3][3] = {{0.1, 0.2, 1.0}, {1.0, 0.0, 1.0}, {0.3, -0.2, -1.0}};
    br_cone cone;
    br_polyhedron flat;
    br_polyhedron_def def = br_polyhedron_def_default();
    double inside[2][3];
    if (br_cone_init((const double[]){0.1, 0.2, 1.0}, 0.6, &cone, NULL) != BR_OK) {
        exit(1);
    }
    def.cone = cone;
    def.faces = 6;
    def.side = BR_POLYHEDRON_OUTER;
    if (br_polyhedron_init(&def, &flat, NULL) != BR_OK) {
        exit(1);
    }
    for (int i = 0; i < 3; i++) {
        inside[0][i] = br_cone_contains(&cone, forces[i]);
        inside[1][i] = br_polyhedron_contains(&flat, forces[i]);
    }
    const br_polyhedron_error error = br_polyhedron_get_error(&flat);
    name("cone", "axes");
    numbers(cone.n, 3);
    numbers(cone.t1, 3);
    line(cone.t2, 3);
    name("cone", "contains");
    line(inside[0], 3);
    name("polyhedron", "contains");
    line(inside[1], 3);
    name("polyhedron", "error");
    line((const double[]){error.area, error.angle}, 2);
}

static void show_wrench_cone(void)
{
    static const double wrenches[2][6] = {{0, 0, 10, 0, 0, 0}, {9, 0, 10, 0, 0, 0}};
    br_support supports[3] = {
        {.place = {0.1, 0.0, 0.0}}, {.place = {-0.1, 0.05, 0.0}}, {.place = {-0.1, -0.05, 0.01}}};
    br_polyhedron_def def = br_polyhedron_def_default();
    br_wrench_cone* cone;
    double rows[16][6];
    def.faces = 4;
    if (br_cone_init((const double[]){0.0, 0.0, 1.0}, 0.5, &def.cone, NULL) != BR_OK) {
        exit(1);
    }
    for (int i = 0; i < 3; i++) {
        if (br_polyhedron_init(&def, &supports[i].forces, NULL) != BR_OK) {
            exit(1);
        }
    }
    if (br_wrench_cone_create(supports, 3, &cone, NULL) != BR_OK) {
        exit(1);
    }
    br_wrench_cone_rectangle(0.1, 0.05, 0.5, rows);
    name("wrench_cone", "rectangle");
    line(rows[0], (size_t)16 * 6);
    name("wrench_cone", "v");
    line(br_wrench_cone_get_v(cone), 6 * br_wrench_cone_get_v_count(cone));
    name("wrench_cone", "contains");
    line((const double[]){br_wrench_cone_contains(cone, wrenches[0]),
                          br_wrench_cone_contains(cone, wrenches[1])},
         2);
    br_wrench_cone_destroy(cone);
}

static void show_limit_polyhedron(const br_patch* patch)
{
    br_limit* surface = make_surface(patch);
    br_limit_polyhedron* flat;
    if (br_limit_polyhedron_create(surface, 40, &flat, NULL) != BR_OK) {
        exit(1);
    }
    const double error = br_limit_polyhedron_get_error(flat, BR_POLYHEDRON_INNER);
    name("limit_polyhedron", "v");
    line(br_limit_polyhedron_get_v(flat, BR_POLYHEDRON_INNER),
         3 * br_limit_polyhedron_get_v_count(flat, BR_POLYHEDRON_INNER));
    name("limit_polyhedron", "error");
    line(&error, 1);
    br_limit_polyhedron_destroy(flat);
    br_limit_destroy(surface);
}

static void show_profile(const char* what, const br_profile* profile)
{
    static const double times[4] = {0.0, 0.4, 1.0, 2.5};
    double values[4];
    for (int i = 0; i < 4; i++) {
        values[i] = br_profile_eval(profile, times[i], times[i], NULL);
    }
    name("profile", what);
    line(values, 4);
}

static void show_profiles(void)
{
    static const double t[3] = {0.0, 1.0, 2.0}, value[3] = {1.0, 3.0, 2.0};
    const br_profile constant = br_profile_constant(4.0);
    br_profile list = {.kind = BR_PROFILE_STEPS, .count = 3, .t = t, .value = value};
    show_profile("constant", &constant);
    show_profile("steps", &list);
    list.kind = BR_PROFILE_TABLE;
    show_profile("table", &list);
    br_profile smooth = {
        .kind = BR_PROFILE_MOVE, .mean = 1.0, .amplitude = 2.0, .start = 0.2, .duration = 0.7};
    show_profile("move", &smooth);
    smooth.kind = BR_PROFILE_ACCELERATE, smooth.amplitude = 3.0;
    show_profile("accelerate", &smooth);
}

static void show_outline(const br_patch* patch)
{
    size_t count;
    br_outline* outline;
    if (br_outline_create(patch, 0.0, 0, &outline, NULL) != BR_OK) {
        exit(1);
    }
    const br_vec2* corners = br_outline_get_vertices(outline, &count);
    name("pusher", "outline");
    line(&corners[0].x, 2 * count);
    br_outline_destroy(outline);
}

// one step of a cup between two fingers, whose bristles are relaxed
static void show_body_step(const br_patch* patch)
{
    br_contact* finger = make_contact(BR_METHOD_BLOCKS, patch);
    const br_body_contact hold = {.frame = BR_FRAME_WORLD,
                                  .contact = finger,
                                  .normal_force = br_profile_constant(1.5),
                                  .count = 2};
    br_body cup = br_body_default();
    cup.mass = 0.2, cup.inertia = 5e-4;
    cup.pose = (br_pose){0.002, 0.0, 0.0};
    cup.start = BR_START_RELAXED;
    cup.gravity_change[1] = br_profile_constant(-9.81);
    cup.contacts = &hold, cup.contact_count = 1;
    br_body_stepper* stepper;
    br_body_step_result r;
    const br_body_step_def def = br_body_step_def_default(5e-3);
    if (br_body_stepper_create(&cup, &stepper, NULL) != BR_OK ||
        br_body_step(stepper, &def, &r, NULL) != BR_OK) {
        exit(1);
    }
    const br_body_state* at = br_body_stepper_get_state(stepper);
    name("body", "step");
    numbers((const double[]){at->velocity.vx, at->velocity.vy, at->velocity.w, at->pose.x,
                             at->pose.y, at->pose.theta},
            6);
    wrench(r.f[0]);
    line((const double[]){r.dissipated, r.numerical}, 2);
    br_body_stepper_destroy(stepper);
    br_contact_destroy(finger);
}

enum { WORLDS = 9, STEPS = 3 };

// derivatives of the pucks' next steps, of the sum of all poses and bristles
static void show_worlds_vjp(br_worlds* worlds, const br_worlds_arrays* a)
{
    double bar[3 * WORLDS], start[3 * WORLDS], z[3 * WORLDS], mass[WORLDS], fn[WORLDS],
        mu_c[WORLDS];
    const br_worlds_record record = {
        .every = 2, .tape = malloc(br_worlds_get_tape(worlds, WORLDS, STEPS, 2) * sizeof(double))};
    br_worlds_adjoint d = {.pose_bar = bar, .twist = start, .mass = mass};
    d.contacts[0] = (br_worlds_contact_adjoint){.z_bar = bar, .z = z, .fn = fn};
    d.contacts[0].law[BR_BY_MU_C] = mu_c;
    for (int i = 0; i < 3 * WORLDS; i++) {
        bar[i] = 1.0;
    }
    br_worlds_step_recorded(worlds, a, 1e-3, STEPS, &record);
    br_worlds_step_vjp(worlds, a, 1e-3, STEPS, &record, &d);
    name("worlds", "vjp");
    numbers(start, 3 * WORLDS);
    numbers(mass, WORLDS);
    numbers(fn, WORLDS);
    numbers(mu_c, WORLDS);
    line(z, 3 * WORLDS);
    free(record.tape);
}

// steps of nine pucks that slide, some of them turning, each with its own mass and load; some are then started again
static void show_worlds(const br_patch* patch)
{
    br_contact* foot = make_contact(BR_METHOD_ELLIPSOID, patch);
    const br_worlds_contact contact = {.contact = foot, .fn = 2.0};
    const br_worlds_def def = br_worlds_def_default(&contact, 1);
    double pose[3][WORLDS] = {{0}}, speed[3][WORLDS] = {{0}}, z[3][WORLDS] = {{0}};
    double mass[WORLDS], inertia[WORLDS], load[3][WORLDS] = {{0}};
    uint8_t mask[WORLDS];
    br_worlds* worlds;
    for (int i = 0; i < WORLDS; i++) {
        mass[i] = 0.5 + 0.25 * i;
        inertia[i] = 1e-4;
        speed[0][i] = 0.5;
        speed[2][i] = 2.0 * (i % 3);
        load[1][i] = 0.5 * i;
        mask[i] = i % 2 == 1;
    }
    if (br_worlds_create(&def, &worlds, NULL) != BR_OK) {
        exit(1);
    }
    br_worlds_arrays a = {.count = WORLDS, .pose = pose, .twist = speed, .mass = mass};
    a.inertia = inertia, a.load = load;
    a.contacts[0].z = z;
    br_worlds_reset(worlds, &a, NULL);
    br_worlds_step(worlds, &a, 1e-3, STEPS);
    name("worlds", "step");
    numbers(&pose[0][0], 3 * WORLDS);
    numbers(&speed[0][0], 3 * WORLDS);
    line(&z[0][0], 3 * WORLDS);
    br_worlds_reset(worlds, &a, mask);
    name("worlds", "reset");
    line(&z[0][0], 3 * WORLDS);
    show_worlds_vjp(worlds, &a);
    br_worlds_destroy(worlds);
    br_contact_destroy(foot);
}

void show_rest(void)
{
    br_patch_def def = br_patch_def_default();
    br_patch* disc = make_patch(&def);
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = 0.03;
    def.size_y = 0.02;
    br_patch* box = make_patch(&def);
    show_patches();
    show_engines(box);
#define SHOW_METHOD(method, method_name) show_contact(method_name, method, disc, box);
    BR_METHOD_LIST(SHOW_METHOD)
    show_cone();
    show_wrench_cone();
    show_limit_polyhedron(box);
    show_profiles();
    show_outline(box);
    show_body_step(disc);
    show_worlds(disc);
    show_fits(box);
    br_patch_destroy(disc);
    br_patch_destroy(box);
}
