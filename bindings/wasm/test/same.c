/*
 * The oracle of same.test.mjs, in addition to that of the Python package: samples that are missing there, computed by
 * C. Prints a name and numbers in hexadecimal on each line.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bristle/bristle.h"
#include "bristle/sim.h"

static void line(const char* name, const double* list, size_t count)
{
    printf("%s", name);
    for (size_t i = 0; i < count; i++) {
        printf(" %a", list[i]);
    }
    printf("\n");
}

static void expect_ok(br_status status, const br_reason* why)
{
    if (status != BR_OK) {
        fprintf(stderr, "%s: %s\n", why->field, why->text);
        exit(1);
    }
}

static br_reason why;

static br_patch* make_disc(double radius)
{
    br_patch_def def = br_patch_def_default();
    def.radius = br_by_force_constant(radius);
    br_patch* patch;
    expect_ok(br_patch_create(&def, &patch, &why), &why);
    return patch;
}

static br_patch* make_box(double x, double y)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = x;
    def.size_y = y;
    br_patch* patch;
    expect_ok(br_patch_create(&def, &patch, &why), &why);
    return patch;
}

static br_limit* make_surface(const br_patch* patch, br_limit_method method)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.method = method;
    br_limit* surface;
    expect_ok(br_limit_create(&def, &surface, &why), &why);
    return surface;
}

static void show_laws(void)
{
    static const double speeds[4] = {0.0, 1e-4, -0.02, 1.5};
    for (int kind = 0; kind <= BR_LAW_ELASTO_PLASTIC; kind++) {
        const br_law law = br_law_default((br_law_kind)kind);
        double out[16];
        for (int i = 0; i < 4; i++) {
            double z = 1e-6;
            const br_law_value value = br_law_eval(&law, z, speeds[i], 2.0);
            out[4 * i] = br_law_g(&law, speeds[i]);
            out[4 * i + 1] = value.f;
            out[4 * i + 2] = value.dz;
            out[4 * i + 3] = br_law_step(&law, &z, speeds[i], 2.0, 1e-3);
        }
        line(br_law_get_name((br_law_kind)kind), out, 16);
    }
    const br_law mu = br_law_from_mu(0.4, 0.01, 0.2, 5.0);
    line("law.from_mu",
         (const double[]){mu.mu_c, mu.mu_s, mu.sigma0, mu.sigma1, mu.s_ba, mu.v_damping}, 6);
    line("law.passivity_margin", (const double[]){br_law_passivity_margin(&mu)}, 1);
}

static void show_patches(void)
{
    br_patch_def def = br_patch_def_default();
    def.radius = (br_by_force){0.002, 1.0 / 3.0, 0.01};
    def.pressure = BR_PRESSURE_POWER;
    def.k = br_by_force_constant(2.0);
    br_patch* soft;
    expect_ok(br_patch_create(&def, &soft, &why), &why);
    const br_patch_value p = br_patch_eval(soft, 8.0);
    line("patch.soft", (const double[]){p.cop.x, p.cop.y, p.r, p.u, p.area}, 5);
    double fn;
    expect_ok(br_grasp_patch_get_force(soft, 0.5, (br_wrench){1.0, 0.5, 0.002}, &fn, &why), &why);
    line("grip_force.soft", &fn, 1);

    br_contact_def contact_def = br_contact_def_default();
    contact_def.patch = soft;
    contact_def.law = br_law_default(BR_LAW_LUGRE);
    br_contact* contact;
    expect_ok(br_contact_create(&contact_def, &contact, &why), &why);
    void* memory = calloc(1, br_contact_get_at_force_size(contact));
    double* z = calloc(br_contact_get_state_count(contact), sizeof *z);
    const br_contact* now = br_contact_at_force(contact, 3.0, memory);
    const br_wrench f = br_contact_step(now, z, (br_twist){1e-3, -2e-3, 0.4}, 3.0, 2e-3, NULL);
    line("contact.soft", (const double[]){f.fx, f.fy, f.tau}, 3);
    const br_contact_slip slip =
        br_contact_slip_eval(now, z, (br_twist){1e-3, -2e-3, 0.4}, 3.0, BR_STATE_STICK, NULL);
    line("contact.slip", (const double[]){slip.slip_rate, (double)slip.state, slip.margin}, 3);
    const br_contact_part part = br_contact_get_part(contact, 3);
    line("contact.part",
         (const double[]){part.position.x, part.position.y, part.weight, part.xx, part.xy, part.yy},
         6);
    const br_contact_part_value v =
        br_contact_part_eval(now, z, (br_twist){1e-3, -2e-3, 0.4}, 3.0, 3);
    line("contact.part_value",
         (const double[]){v.position.x, v.position.y, v.v.x, v.v.y, v.z.x, v.z.y, v.dz.x, v.dz.y,
                          v.f.fx, v.f.fy, v.f.tau},
         11);
    br_contact_destroy(contact);
    br_patch_destroy(soft);
    free(memory);
    free(z);
}

// Anisotropic friction: every method, the exact surface, and a body on grained ground.
static void show_grained(void)
{
    static const char* const names[] = {"grained.blocks", "grained.distributed", "grained.reduced",
                                        "grained.ellipsoid"};
    br_patch* box = make_box(0.03, 0.02);
    for (int method = 0; method <= BR_METHOD_ELLIPSOID; method++) {
        br_contact_def def = br_contact_def_default();
        def.patch = box;
        def.method = (br_method)method;
        def.law = br_law_default(BR_LAW_LUGRE);
        def.anisotropy = (br_anisotropy){1.5, 0.4, BR_AXES_BODY};
        br_contact* contact;
        expect_ok(br_contact_create(&def, &contact, &why), &why);
        double* z = calloc(br_contact_get_state_count(contact), sizeof *z);
        const br_wrench f =
            br_contact_step(contact, z, (br_twist){1e-3, -2e-3, 0.4}, 3.0, 2e-3, NULL);
        line(names[method], (const double[]){f.fx, f.fy, f.tau}, 3);
        br_contact_destroy(contact);
        free(z);
    }
    br_limit_def def = br_limit_def_default();
    br_limit* surface;
    def.patch = box;
    def.anisotropy = (br_anisotropy){1.5, 0.4, BR_AXES_BODY};
    expect_ok(br_limit_create(&def, &surface, &why), &why);
    const br_wrench f = br_limit_eval(surface, (br_twist){0.3, -0.1, 20.0}).wrench;
    const double gauge = br_limit_gauge(surface, (br_wrench){0.5, 0.1, 0.003}, NULL);
    line("grained.surface", (const double[]){f.fx, f.fy, f.tau, gauge}, 4);
    br_limit_destroy(surface);
    br_patch_destroy(box);
}

// A field of the ground, and a contact at a pose over it.
static void show_fields(void)
{
    const double factors[6] = {1.0, 0.2, 0.0, 0.5, 1.5, 0.8};
    br_field_def def = br_field_def_default();
    def.columns = 3;
    def.rows = 2;
    def.factors = factors;
    def.size_x = 0.03;
    def.size_y = 0.02;
    def.angle = 0.4;
    def.outside = 0.7;
    br_field* field;
    expect_ok(br_field_create(&def, &field, &why), &why);
    const double factor = br_field_eval(field, (br_vec2){0.004, -0.003});
    line("field.factor", &factor, 1);
    br_patch* disc = make_disc(0.01);
    br_contact_def contact_def = br_contact_def_default();
    contact_def.patch = disc;
    contact_def.field = field;
    contact_def.field_moves = true;
    br_contact* contact;
    expect_ok(br_contact_create(&contact_def, &contact, &why), &why);
    void* memory = calloc(1, br_contact_get_at_force_size(contact));
    double* z = calloc(br_contact_get_state_count(contact), sizeof *z);
    const br_contact* now = br_contact_at(contact, 3.0, (br_pose){0.005, 0.002, 0.3}, memory);
    const br_wrench f = br_contact_step(now, z, (br_twist){1e-3, -2e-3, 0.4}, 3.0, 2e-3, NULL);
    line("field.contact", (const double[]){f.fx, f.fy, f.tau}, 3);
    const br_contact_centres c = br_contact_get_centres(now);
    line("field.centres",
         (const double[]){c.pressure.x, c.pressure.y, c.friction.x, c.friction.y, c.factor}, 5);
    br_contact_destroy(contact);
    br_patch_destroy(disc);
    br_field_destroy(field);
    free(memory);
    free(z);
}

// A contact on triangles at two other pressures, at the second with other vertices.
static void show_pressed(void)
{
    const br_vec2 square[] = {{0.0, 0.0}, {0.1, 0.0}, {0.1, 0.1}, {0.0, 0.1}},
                  moved[] = {{0.01, 0.0}, {0.1, 0.0}, {0.1, 0.12}, {0.0, 0.1}};
    const double first[] = {1.0, 3.0, 2.0, 0.5}, second[] = {0.0, 1.0, 4.0, 2.0};
    const uint32_t triangles[] = {0, 1, 2, 0, 3, 2};
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_TRIANGLES;
    def.count = 4, def.vertices = square, def.pressures = first;
    def.triangle_count = 2, def.triangles = triangles;
    br_contact_def contact_def = br_contact_def_default();
    br_patch* patch;
    expect_ok(br_patch_create(&def, &patch, &why), &why);
    contact_def.patch = patch;
    br_contact* contact;
    expect_ok(br_contact_create(&contact_def, &contact, &why), &why);
    void* memory = calloc(1, br_contact_get_at_pressure_size(contact));
    double* z = calloc(br_contact_get_state_count(contact), sizeof *z);
    const br_twist v = {1e-3, -2e-3, 0.4};
    const br_contact* now = br_contact_at_pressure(contact, NULL, second, memory);
    const br_wrench f = br_contact_step(now, z, v, 3.0, 2e-3, NULL);
    now = br_contact_at_pressure(contact, moved, first, memory);
    const br_wrench g = br_contact_step(now, z, v, 3.0, 2e-3, NULL);
    const br_patch_value p = br_contact_get_patch_value(now);
    line("pressed.contact",
         (const double[]){f.fx, f.fy, f.tau, g.fx, g.fy, g.tau, p.cop.x, p.cop.y, p.r, p.u}, 10);
    br_contact_destroy(contact);
    br_patch_destroy(patch);
    free(memory);
    free(z);
}

static void show_surfaces(void)
{
    static const char* const names[] = {"exact",     "smooth",    "bilinear", "grid",
                                        "published", "ellipsoid", "fitted",   "curve"};
    br_patch* disc = make_disc(0.01);
    for (int method = 0; method <= BR_LIMIT_CURVE; method++) {
        br_limit* surface = make_surface(disc, (br_limit_method)method);
        const br_limit_value value = br_limit_eval(surface, (br_twist){0.3, -0.1, 20.0});
        br_twist v;
        br_limit_gauge(surface, (br_wrench){0.5, 0.1, 0.003}, &v);
        const br_vec2 spin = br_limit_get_spin_centre(surface, NULL);
        line(names[method],
             (const double[]){value.dissipation, value.wrench.fx, value.wrench.fy, value.wrench.tau,
                              spin.x, spin.y},
             6);
        if (method == BR_LIMIT_EXACT || method == BR_LIMIT_ELLIPSOID) {
            printf("twist.");
            line(names[method], (const double[]){v.vx, v.vy, v.w}, 3);
            br_limit_polyhedron* p;
            expect_ok(br_limit_polyhedron_create(surface, 40, &p, &why), &why);
            printf("polyhedron.");
            line(names[method],
                 (const double[]){br_limit_polyhedron_get_error(p, BR_POLYHEDRON_OUTER)}, 1);
            br_limit_polyhedron_destroy(p);
        }
        if (method == BR_LIMIT_ELLIPSOID) {
            const br_limit_error e = br_limit_get_error(surface);
            line("error", (const double[]){e.max, e.rms, e.max_angle, e.max_size}, 4);
        }
        br_limit_destroy(surface);
    }
    br_limit* exact = make_surface(disc, BR_LIMIT_EXACT);
    const double fn = br_grasp_one_patch(exact, 0.5, (br_wrench){2.0, 0.0, 0.01});
    line("grip_force", &fn, 1);
    const br_grasp grasp = {.surface = {exact, exact}, .mu = {0.5, 0.4}, .half_gap = 0.02};
    const br_grasp_value held = br_grasp_eval(&grasp, (const double[]){0.3, -2, 0.1, 0, 0, 0.01});
    line("grasp", held.fn, 2);
    br_limit_destroy(exact);
    br_patch_destroy(disc);
}

static void show_sliders(void)
{
    br_patch* disc = make_disc(0.02);
    br_slider s = {.mass = 0.5, .inertia = 2e-4, .mu = 0.3, .gravity = 9.81, .e_t = 1, .e_o = 1};
    expect_ok(br_slider_set_patch(&s, disc, &why), &why);
    br_slider_state state = {{0.0, 0.0, 0.1}, {1.0, 0.2, 5.0}};
    const br_slider_load load = {{0.1, 0.0, 0.01}, 0.0};
    const br_slider_rate rate = br_slider_eval(&s, &state, &load);
    line("slider.eval",
         (const double[]){rate.f.fx, rate.f.fy, rate.f.tau, rate.acceleration.vx,
                          rate.acceleration.vy, rate.acceleration.w, rate.sigma},
         7);
    const br_slider_value value = br_slider_step(&s, &state, &load, 1e-3);
    line("slider.step",
         (const double[]){state.q.x, state.q.y, state.q.theta, state.v.vx, state.v.vy, state.v.w,
                          value.pt, value.po, value.pr, value.sigma},
         10);
    br_patch_destroy(disc);
}

static void show_pushing(void)
{
    br_patch* box = make_box(0.1, 0.06);
    br_limit* surface = make_surface(box, BR_LIMIT_EXACT);
    br_outline* outline;
    expect_ok(br_outline_create(box, 0.0, 0, &outline, &why), &why);
    br_pushing pushing = br_pushing_default();
    pushing.surface = surface;
    pushing.outline = outline;
    pushing.mu = 0.3;
    pushing.radius = 0.005;
    const br_vec2 point = {-0.05, 0.01}, normal = {1.0, 0.0};
    const br_push push = br_pushing_eval(&pushing, point, normal, (br_vec2){0.01, 0.002});
    line("pushing.eval",
         (const double[]){push.twist.vx, push.twist.vy, push.twist.w, push.friction.fx,
                          push.friction.fy, push.friction.tau, push.force.x, push.force.y,
                          (double)push.mode},
         9);
    const br_motion_cone cone = br_pushing_cone_eval(&pushing, point, normal);
    line("pushing.cone", (const double[]){cone.left.x, cone.left.y, cone.right.x, cone.right.y}, 4);
    br_pose pose = {0.0, 0.0, 0.0};
    br_pushing_step(&pushing, &pose, (br_vec2){-0.06, 0.01}, (br_vec2){-0.03, 0.015});
    line("pushing.step", (const double[]){pose.x, pose.y, pose.theta}, 3);
    br_outline_destroy(outline);
    br_limit_destroy(surface);
    br_patch_destroy(box);
}

static void show_cones(void)
{
    br_cone cone;
    expect_ok(br_cone_init((const double[]){0.1, -0.2, 1.0}, 0.5, &cone, &why), &why);
    const double f[3] = {2.0, 0.3, 0.5};
    double split[3], nearest[3], margin;
    br_cone_split(&cone, f, split);
    br_cone_margin_batch(&cone, 1, f, &margin);
    br_cone_project_batch(&cone, 1, f, nearest);
    line("cone.split", split, 3);
    line("cone.margin", &margin, 1);
    line("cone.project", nearest, 3);

    br_polyhedron_def def = br_polyhedron_def_default();
    def.cone = cone;
    def.faces = 6;
    def.f_max = 20.0;
    br_support supports[3] = {
        {.place = {0.1, 0.0, 0.0}}, {.place = {-0.1, 0.05, 0.0}}, {.place = {-0.1, -0.05, 0.01}}};
    br_polyhedron capped;
    expect_ok(br_polyhedron_init(&def, &capped, &why), &why);
    double* h = calloc(4 * br_polyhedron_get_h_count(&capped), sizeof *h);
    br_polyhedron_get_h(&capped, h);
    line("polyhedron.h", h, 4 * br_polyhedron_get_h_count(&capped));
    free(h);
    def.f_max = (double)INFINITY;
    for (int i = 0; i < 3; i++) {
        expect_ok(br_polyhedron_init(&def, &supports[i].forces, &why), &why);
    }
    br_wrench_cone* wrenches;
    expect_ok(br_wrench_cone_create(supports, 3, &wrenches, &why), &why);
    const double w[6] = {0.5, 0.0, 10.0, 0.1, 0.2, 0.0};
    const double least = br_wrench_cone_margin(wrenches, w);
    line("wrench_cone.margin", &least, 1);
    br_wrench_cone_destroy(wrenches);
}

// The last row of a body: pose, velocity, dissipated; `places`: indices of these columns.
typedef struct last_row {
    size_t places[7];
    double numbers[7];
} last_row;

static void on_start(const br_column* columns, size_t count, void* user)
{
    static const char* const names[7] = {"x", "y", "theta", "vx", "vy", "w", "dissipated"};
    last_row* last = user;
    for (int i = 0; i < 7; i++) {
        last->places[i] = br_column_find(columns, count, names[i]);
    }
}

static void keep_last(const double* row, void* user)
{
    last_row* last = user;
    for (int i = 0; i < 7; i++) {
        last->numbers[i] = row[last->places[i]];
    }
}

static void show_bodies(void)
{
    const br_profile sine = {
        .kind = BR_PROFILE_SINE, .mean = 1.73, .amplitude = 0.91, .frequency = 2.0};
    const double at[3] = {0.0, 0.13, 0.4};
    double values[3];
    for (int i = 0; i < 3; i++) {
        values[i] = br_profile_eval(&sine, at[i], at[i], NULL);
    }
    line("profile", values, 3);
    const br_grip grip = br_grip_default();
    const double force = br_grip_eval(&grip, 2.0, 0.9, 1e-4);
    line("grip.eval", &force, 1);

    br_patch* disc = make_disc(0.01);
    br_contact_def def = br_contact_def_default();
    def.patch = disc;
    def.law = br_law_from_mu(1.0, br_patch_eval(disc, 0.0).r, 0.0, 0.0);
    br_contact* finger;
    expect_ok(br_contact_create(&def, &finger, &why), &why);
    br_body_contact contact = {
        .frame = BR_FRAME_WORLD, .contact = finger, .normal_force = sine, .count = 2};
    br_body body = br_body_default();
    body.mass = 0.2;
    body.inertia = 5e-4;
    body.pose = (br_pose){0.002, 0.0, 0.0};
    body.gravity_change[1] = br_profile_constant(-9.81);
    body.contacts = &contact;
    body.contact_count = 1;
    last_row last;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = on_start, .row = keep_last, .user = &last};
    br_run_def run = br_run_def_default();
    run.duration = 0.5;
    run.method = BR_INTEGRATOR_FIXED;
    run.step = 1e-3;
    expect_ok(br_body_run(&body, &run, &watch, NULL, &why), &why);
    line("body.fixed", last.numbers, 7);
    run.method = BR_INTEGRATOR_ROSENBROCK;
    run.step = 0.0;
    expect_ok(br_body_run(&body, &run, &watch, NULL, &why), &why);
    line("body.rosenbrock", last.numbers, 7);

    // a tilted table that moves, feet of which one is gripped from the side, 30 steps
    const double times[2] = {0.0, 10.0}, places[2] = {0.0, 1.0};
    const br_profile none = br_profile_constant(0.0);
    const br_profile belt = {.kind = BR_PROFILE_TABLE, .count = 2, .t = times, .value = places};
    const br_body_contact feet[2] = {{.frame = BR_FRAME_BODY,
                                      .contact = finger,
                                      .normal_force = none,
                                      .weight = 0.5,
                                      .count = 2,
                                      .at = {0.01, 0.0},
                                      .motion = {belt, none, none}},
                                     {.frame = BR_FRAME_WORLD,
                                      .contact = finger,
                                      .normal_force = br_profile_constant(1.5),
                                      .grip = &grip,
                                      .count = 1,
                                      .motion = {none, none, none}}};
    body.contacts = feet;
    body.contact_count = 2;
    br_body_stepper* stepper;
    expect_ok(br_body_stepper_create(&body, &stepper, &why), &why);
    br_body_step_def step = br_body_step_def_default(2e-3);
    step.load = (br_wrench){0.1, 0.0, 0.001};
    br_body_step_result r = {0};
    for (int i = 0; i < 30; i++) {
        expect_ok(br_body_step(stepper, &step, &r, &why), &why);
    }
    const br_body_state* end = br_body_stepper_get_state(stepper);
    line("body.step",
         (const double[]){end->pose.x, end->pose.y, end->pose.theta, end->velocity.vx,
                          end->velocity.vy, end->velocity.w, r.f[0].fx, r.f[0].fy, r.f[0].tau,
                          r.f[1].fx, r.f[1].fy, r.f[1].tau, r.work_contacts},
         13);
    br_body_stepper_destroy(stepper);
    br_contact_destroy(finger);
    br_patch_destroy(disc);
}

static void show_constrained(void)
{
    const double M[4] = {1, 0, 0, 1}, Q[2] = {0.5, -9.81}, A[2] = {0, 1}, b[1] = {0};
    const double J[4] = {1, 0, 0, 1}, qd[2] = {1, 0}, normal[2] = {0, 1};
    br_constrained s = {.n = 2,
                        .m = 1,
                        .d = 2,
                        .M = M,
                        .Q = Q,
                        .A = A,
                        .b = b,
                        .J = J,
                        .qd = qd,
                        .normals = 1,
                        .normal = normal,
                        .mu = 0.3,
                        .mu_s = 0.4};
    double* work = calloc(br_constrained_get_work(2, 1, 2), sizeof *work);
    br_constrained_value value;
    br_constrained_eval(&s, work, &value);
    line("constrained.eval", (const double[]){value.q_id[0], value.q_id[1], value.f_c[0]}, 3);
    const br_resistance resistance = br_constrained_coulomb(&s);
    br_constrained_slide_value slide;
    br_constrained_slide(&s, &resistance, BR_NORMAL_GEOMETRIC, work, &slide);
    line("constrained.slide", (const double[]){slide.qdd[0], slide.qdd[1], slide.n}, 3);
    br_constrained_hold_value hold;
    br_constrained_hold(&s, work, &hold);
    line("constrained.hold", (const double[]){hold.force[0], hold.force[1], hold.tangential}, 3);
    free(work);
}

static void show_patch(const char* name, const br_patch_def* def, double fn)
{
    br_patch* patch;
    expect_ok(br_patch_create(def, &patch, &why), &why);
    const br_patch_value p = br_patch_eval(patch, fn);
    br_limit_def limit_def = br_limit_def_default();
    limit_def.patch = patch;
    limit_def.fn = fn;
    br_limit* surface;
    expect_ok(br_limit_create(&limit_def, &surface, &why), &why);
    const br_wrench f = br_limit_eval(surface, (br_twist){0.3, -0.1, 20.0}).wrench;
    line(name, (const double[]){p.cop.x, p.cop.y, p.r, p.u, p.area, f.fx, f.fy, f.tau}, 8);
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

static void show_ellipses(void)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_ELLIPSE;
    def.radius = br_by_force_constant(0.02);
    def.ratio = 0.01 / 0.02;
    def.pressure = BR_PRESSURE_LINEAR;
    def.from = 1.0, def.to = 3.0, def.slope_angle = 0.7;
    def.centre = (br_vec2){0.001, 0.002};
    def.angle = 0.2;
    show_patch("patch.ellipse", &def, 1.0);
    def = br_patch_def_default();
    br_hertz_def bodies = br_hertz_def_default();
    bodies.radius_x = 0.05, bodies.radius_y = 0.02;
    bodies.ground_x = 0.1, bodies.ground_angle = 0.4;
    bodies.modulus = 1e6;
    def.angle = 0.1;
    expect_ok(br_hertz_patch(&bodies, 20.0, &def, &why), &why);
    show_patch("patch.hertz", &def, 5.0);
    br_hertz_value h;
    expect_ok(br_hertz_eval(&bodies, 5.0, &h, &why), &why);
    line("hertz.at", (const double[]){h.a, h.b, h.angle, h.depth, h.pressure, h.stiffness}, 6);
}

static void show_triangles(void)
{
    static const br_vec2 vertices[] = {{0.0, 0.0}, {0.1, 0.0}, {0.1, 0.1}, {0.0, 0.1}};
    static const double pressures[] = {1.0, 3.0, 2.0, 0.5};
    static const uint32_t triangles[] = {0, 1, 2, 0, 3, 2};
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_TRIANGLES;
    def.count = 4;
    def.vertices = vertices;
    def.pressures = pressures;
    def.triangle_count = 2;
    def.triangles = triangles;
    def.angle = 0.3;
    show_patch("patch.triangles", &def, 1.0);
}

int main(void)
{
    show_laws();
    show_patches();
    show_ellipses();
    show_triangles();
    show_fields();
    show_pressed();
    show_surfaces();
    show_grained();
    show_sliders();
    show_pushing();
    show_cones();
    show_bodies();
    show_constrained();
    return 0;
}
