/*
 * Derivatives of steps of hosts and groups. Oracle: central differences of the real step, with Newton's iteration carried to the end (this
 * program compiles the stage of its own with tighter tolerances), the identity <w, J d> = <J^T w, d>, and br_step_vjp() of the body that a host's
 * matrix describes.
 */
#define STAGE_TOLERANCE 1e-13
#define STAGE_NORMALS   1e-14
#include "planar/step_stage.c" // NOLINT(bugprone-suspicious-include)

#define GRADIENT_LINKS 3
#include "gradient_fixture.h"
#include "gradient_shapes.h"

enum { MOST_FAILURES = 10, FREEDOMS = 6 };

static uint64_t states_of_a_test = 400; // random states of each method; the argument after "all"

// What kind of step is differentiated.
typedef enum kind { HOST, GROUP, WEDGE } kind;
static kind stepped;

// Numbers of all twists.
static size_t twist_count(const setting* how)
{
    return stepped == HOST ? 3 : 3 * how->links;
}

// Where the numbers of contact k are: f, fn, z.
static size_t place_of(const setting* how, size_t k)
{
    size_t at = 2 * twist_count(how);
    for (size_t i = 0; i < k; i++) {
        at += 4 + br_contact_get_state_count(how->like[i]);
    }
    return at;
}

static size_t numbers_of(const setting* how)
{
    return place_of(how, how->links);
}

static br_step_host host_from(const inputs* in, const setting* how)
{
    br_step_host host = br_step_host_default(1.0, 1.0);
    memcpy(host.inverse_mass, in->a, sizeof host.inverse_mass);
    host.passes = how->passes;
    host.scale = in->load[0];
    return host;
}

static br_step_group group_from(const inputs* in, const double* fn_free)
{
    return (br_step_group){.inverse_mass = in->a,
                           .fn_f = stepped == WEDGE ? in->fn_f : NULL,
                           .fn_free = stepped == WEDGE ? fn_free : NULL};
}

static br_twist newton_twists[LINKS], end_twists[LINKS];
static br_step_group_record group_record = {.u1 = end_twists, .newton = newton_twists};
static double work[LINKS * 12 * MOST_WORK];

static void run_step(const inputs* in, const setting* how, outputs* out)
{
    br_step_contact contacts[LINKS];
    br_contact made[LINKS];
    double fn_free[LINKS];
    for (size_t k = 0; k < how->links; k++) {
        double* z = out->numbers + place_of(how, k) + 4;
        made[k] = contact_like(how->like[k], &in->at[k].law);
        memcpy(z, in->at[k].z, br_contact_get_state_count(&made[k]) * sizeof *z);
        contacts[k] = step_contact_from(in, how, k, &made[k], z);
        fn_free[k] = in->at[k].fn;
    }
    br_wrench f[LINKS];
    br_twist u1[LINKS];
    if (stepped == HOST) {
        br_step_host host = host_from(in, how);
        const br_step_answer r = br_step_host_step_recorded(
            &host, twist_from(in->u), in->h, contacts, how->links, work, &out->record);
        f[0] = r.f;
        u1[0] = r.predicted;
    } else {
        const br_step_group group = group_from(in, fn_free);
        br_step_group_step_recorded(&group, (const br_twist*)in->u, in->h, contacts, how->links, f,
                                    u1, work, &group_record);
        out->record.closing = group_record.closing;
        out->record.converged = group_record.converged;
    }
    memcpy(out->numbers, u1, twist_count(how) * sizeof(double));
    memcpy(out->numbers + twist_count(how), f, twist_count(how) * sizeof(double));
    for (size_t k = 0; k < how->links; k++) {
        const br_wrench own = contacts[k].f;
        memcpy(out->numbers + place_of(how, k),
               (double[4]){own.fx, own.fy, own.tau, contacts[k].fn}, 4 * sizeof(double));
    }
}

// The contacts as a vjp needs them: before the step, but with the normal forces after it.
static void contacts_of(const inputs* in, const setting* how, const outputs* out, inputs* copy,
                        br_contact* made, br_step_contact* contacts)
{
    *copy = *in;
    for (size_t k = 0; k < how->links; k++) {
        made[k] = contact_like(how->like[k], &in->at[k].law);
        contacts[k] = step_contact_from(in, how, k, &made[k], copy->at[k].z);
        contacts[k].fn = out->numbers[place_of(how, k) + 3];
    }
}

static unsigned run_forward(const inputs* in, const setting* how, const outputs* out,
                            const inputs* d, double* numbers)
{
    static inputs copy;
    br_step_contact contacts[LINKS];
    br_step_contact_tangent t[LINKS];
    br_contact made[LINKS];
    inputs direction = *d;
    double fn_free[LINKS];
    unsigned flags;
    contacts_of(in, how, out, &copy, made, contacts);
    for (size_t k = 0; k < how->links; k++) {
        t[k] = (br_step_contact_tangent){.z1 = out->numbers + place_of(how, k) + 4,
                                         .z0_dot = d->at[k].z,
                                         .fn = d->at[k].fn,
                                         .arm = {d->at[k].arm[0], d->at[k].arm[1]},
                                         .angle = d->at[k].angle,
                                         .ground = twist_from(d->at[k].ground),
                                         .z1_dot = numbers + place_of(how, k) + 4};
        for (int by = 0; by < BR_BY_COUNT; by++) {
            t[k].law[by] = *law_number(&direction.at[k].law, by);
        }
        fn_free[k] = in->at[k].fn;
    }
    const size_t m = twist_count(how);
    if (stepped == HOST) {
        const br_step_host host = host_from(in, how);
        br_step_host_tangent io = {.u = twist_from(d->u), .scale = d->load[0], .h = d->h};
        memcpy(io.inverse_mass, d->a, sizeof io.inverse_mass);
        br_step_host_jvp(&host, &out->record, in->h, contacts, t, how->links, &io, work);
        memcpy(numbers, &io.predicted, sizeof io.predicted);
        memcpy(numbers + m, &io.f, sizeof io.f);
        flags = io.flags;
    } else {
        const br_step_group group = group_from(in, fn_free);
        br_step_group_tangent io = {.u = (const br_twist*)d->u,
                                    .inverse_mass = d->a,
                                    .fn_f = d->fn_f,
                                    .h = d->h,
                                    .u1 = (br_twist*)numbers,
                                    .f = (br_wrench*)(numbers + m)};
        assert_true(br_step_group_gradient_get_work(contacts, how->links) <=
                    sizeof work / sizeof *work);
        br_step_group_jvp(&group, &group_record, in->h, contacts, t, how->links, &io, work);
        flags = io.flags;
    }
    for (size_t k = 0; k < how->links; k++) {
        const br_wrench f = t[k].f;
        memcpy(numbers + place_of(how, k), (double[4]){f.fx, f.fy, f.tau, t[k].fn},
               4 * sizeof(double));
    }
    return flags;
}

static unsigned run_backward(const inputs* in, const setting* how, const outputs* out,
                             const double* w, inputs* bar)
{
    static inputs copy;
    br_step_contact contacts[LINKS];
    br_step_contact_adjoint a[LINKS];
    br_contact made[LINKS];
    double fn_free[LINKS], fn_bar[LINKS];
    unsigned flags;
    memset(bar, 0, sizeof *bar);
    contacts_of(in, how, out, &copy, made, contacts);
    for (size_t k = 0; k < how->links; k++) {
        const double* own = w + place_of(how, k);
        memcpy(bar->at[k].z, own + 4, br_contact_get_state_count(&made[k]) * sizeof *w);
        a[k] = (br_step_contact_adjoint){.z1 = out->numbers + place_of(how, k) + 4,
                                         .z1_bar = bar->at[k].z, // one memory for both
                                         .z0_bar = bar->at[k].z,
                                         .f_bar = wrench_from(own)};
        fn_free[k] = in->at[k].fn;
        fn_bar[k] = own[3];
    }
    const size_t m = twist_count(how);
    if (stepped == HOST) {
        const br_step_host host = host_from(in, how);
        br_step_host_adjoint io = {
            .predicted_bar = twist_from(w), .f_bar = wrench_from(w + m), .by_law = 1};
        br_step_host_vjp(&host, &out->record, in->h, contacts, a, how->links, &io, work);
        memcpy(bar->u, &io.u, sizeof io.u);
        memcpy(bar->a, io.inverse_mass, sizeof io.inverse_mass);
        bar->load[0] = io.scale;
        bar->h = io.h;
        flags = io.flags;
    } else {
        const br_step_group group = group_from(in, fn_free);
        br_step_group_adjoint io = {.u1_bar = (const br_twist*)w,
                                    .f_bar = (const br_wrench*)(w + m),
                                    .fn_bar = fn_bar,
                                    .by_law = 1,
                                    .u = (br_twist*)bar->u,
                                    .inverse_mass = bar->a,
                                    .fn_f = bar->fn_f};
        br_step_group_vjp(&group, &group_record, in->h, contacts, a, how->links, &io, work);
        bar->h = io.h;
        flags = io.flags;
    }
    for (size_t k = 0; k < how->links; k++) {
        bar->at[k].fn = a[k].fn + (stepped == WEDGE ? 0.0 : fn_bar[k]);
        bar->at[k].angle = a[k].angle;
        memcpy(bar->at[k].arm, &a[k].arm, sizeof bar->at[k].arm);
        memcpy(bar->at[k].ground, &a[k].ground, sizeof bar->at[k].ground);
        for (int by = 0; by < BR_BY_COUNT; by++) {
            *law_number(&bar->at[k].law, by) = a[k].law[by];
        }
    }
    return flags;
}

// A matrix A = J diag(per) J^T of twists that depend on some freedoms, of any rank, and a direction in which its rank stays.
static void random_matrix(uint64_t* seed, const setting* how, inputs* in, inputs* d)
{
    const size_t m = twist_count(how);
    const size_t freedoms = uniform(seed, 0.0, 1.0) < 0.5 ? 3 : FREEDOMS, slides = freedoms / 3 * 2;
    double j[TWISTS][FREEDOMS], per[FREEDOMS], by[FREEDOMS], v[FREEDOMS], dv[FREEDOMS];
    const double speed = hypot(in->v[0], in->v[1]), push = hypot(in->load[0], in->load[1]);
    for (size_t k = 0; k < freedoms; k++) {
        const int spins = k >= slides;
        per[k] = (spins ? 1.0 / in->mass[2][2] : 1.0 / in->mass[0][0]) * uniform(seed, 0.5, 2.0);
        by[k] = 0.1 * per[k] * some(seed);
        v[k] = (spins ? 30.0 : 1.0) * speed * some(seed);
        v[k] += in->h * per[k] * push * (spins ? 0.01 : 1.0) * some(seed);
        dv[k] = 0.1 * fabs(v[k]) * some(seed);
        for (size_t i = 0; i < m; i++) {
            const int turns = i % 3 == 2;
            j[i][k] = turns == spins ? some(seed) : turns ? 0.0 : 0.03 * some(seed);
        }
    }
    for (size_t i = 0; i < m; i++) {
        in->u[i] = d->u[i] = 0.0;
        for (size_t k = 0; k < freedoms; k++) {
            in->u[i] += j[i][k] * v[k];
            d->u[i] += j[i][k] * dv[k];
        }
        for (size_t c = 0; c < m; c++) {
            in->a[i * m + c] = d->a[i * m + c] = 0.0;
            for (size_t k = 0; k < freedoms; k++) {
                in->a[i * m + c] += j[i][k] * per[k] * j[c][k];
                d->a[i * m + c] += j[i][k] * by[k] * j[c][k];
            }
        }
    }
    for (size_t i = 0; stepped == WEDGE && i < how->links * m; i++) {
        in->fn_f[i] = 0.03 * some(seed) * (i % 3 == 2 ? 20.0 : 1.0); // most have a solution
        d->fn_f[i] = 0.2 * in->fn_f[i] * some(seed);
    }
}

static void random_state(uint64_t* seed, const setting* how, damping damped, inputs* in, inputs* d)
{
    random_inputs(seed, how, damped, in);
    random_direction(seed, how, in, d);
    random_matrix(seed, how, in, d);
    memset(in->v, 0, sizeof in->v);
    memset(in->load, 0, sizeof in->load);
    memset(d->v, 0, sizeof d->v);
    memset(d->load, 0, sizeof d->load);
    memset(d->mass, 0, sizeof d->mass);
    in->load[0] = stepped == HOST ? uniform(seed, 0.5, 2.0) : 0.0; // scale
    d->load[0] = 0.1 * in->load[0] * some(seed);
}

// What one of each output counts for.
static void scales_of(const setting* how, const inputs* in, const outputs* out, double* scale)
{
    const size_t m = twist_count(how);
    double speed = 0.0, force = 0.0;
    for (size_t i = 0; i < m; i++) {
        speed = fmax(speed, fabs(out->numbers[i]) * (i % 3 == 2 ? 0.02 : 1.0));
    }
    for (size_t k = 0; k < how->links; k++) {
        speed = fmax(speed, 0.01 * own_speed(in, k));
        force += in->at[k].law.mu_c * in->at[k].fn;
    }
    for (size_t i = 0; i < m; i++) {
        scale[i] = (i % 3 == 2 ? 0.03 : 1.0) / speed;
        scale[m + i] = (i % 3 == 2 ? 30.0 : 1.0) / force;
    }
    for (size_t k = 0; k < how->links; k++) {
        const size_t states = br_contact_get_state_count(how->like[k]);
        const size_t parts = br_contact_get_part_count(how->like[k]);
        const double mu = in->at[k].law.mu_c;
        double* own = scale + place_of(how, k);
        for (int i = 0; i < 4; i++) {
            own[i] = (i == 2 ? 100.0 : 1.0) / (i == 3 ? in->at[k].fn : mu * in->at[k].fn);
        }
        for (size_t i = 0; i < states; i++) {
            own[4 + i] =
                (i >= 2 * parts ? 300.0 : 1.0) * in->at[k].law.sigma0 / mu / sqrt((double)states);
        }
    }
}

// Counts over random states.
typedef struct tally {
    int states, flagged, open, rough, limited, worse;
    double worst, identity;
} tally;

static void check_state(uint64_t* seed, const setting* how, damping damped, tally* all)
{
    static inputs in, d, bar;
    static outputs out;
    static double exact[NUMBERS], found[NUMBERS], scale[NUMBERS], w[NUMBERS];
    double forward = 0.0, size = 0.0, other;
    const size_t count = numbers_of(how);
    random_state(seed, how, damped, &in, &d);
    run_step(&in, how, &out);
    scales_of(how, &in, &out, scale);
    const unsigned flags = run_forward(&in, how, &out, &d, found);
    for (size_t i = 0; i < count; i++) {
        w[i] = some(seed) * scale[i];
        forward += w[i] * found[i];
        size += fabs(w[i] * found[i]);
    }
    assert_int_equal(run_backward(&in, how, &out, w, &bar), flags);
    const double backward = inner(&bar, &d, how, &other);
    all->states++;
    // random wedges without a solution are open: their normal forces are driven to 0, and K to a singular matrix
    const double gap = fabs(forward - backward) / (size + other);
    all->identity = flags & BR_GRADIENT_OPEN ? all->identity : fmax(all->identity, gap);
    all->open += (flags & BR_GRADIENT_OPEN) != 0;
    all->flagged += flags != 0;
    all->limited += out.record.closing == BR_CLOSED_LIMITED;
    if (flags) {
        return;
    }
    const double own = best_difference(run_step, &in, how, &d, &out.record, scale, count, exact);
    const double error = distance_of(found, exact, scale, count);
    if (own > 5e-7) { // differences cross a kink or jump: not exact enough to compare
        all->rough++;
        return;
    }
    all->worst = fmax(all->worst, error);
    all->worse += error > 1e-6;
    if (error > 1e-6 && all->worse < MOST_FAILURES) {
        print_error("state %d: error %.2g, differences agree to %.1g, h %.1g, law %d, closing %d\n",
                    all->states, error, own, in.h, in.at[0].law.kind, (int)out.record.closing);
    }
}

static void check_kind(kind of, damping damped, size_t most_links, tally* all)
{
    stepped = of;
    for (int which = 0; which < MODELS; which++) {
        uint64_t seed = 77 + (uint64_t)which;
        for (uint64_t i = 0; i < states_of_a_test; i++) {
            const setting how = {.like = {shapes[which], shapes[which], shapes[ELLIPSOID]},
                                 .count = {1, 2, 1},
                                 .links = 1 + i % most_links,
                                 .order = 1,
                                 .passes = 120};
            check_state(&seed, &how, damped, all);
        }
    }
}

// `most`: share of states that may be flagged
static void expect_exact(const tally* all, double most)
{
    print_message("%d states: worst error %.2g, identity %.2g; flagged %d, open %d, rough %d, "
                  "limited %d\n",
                  all->states, all->worst, all->identity, all->flagged, all->open, all->rough,
                  all->limited);
    assert_int_equal(all->worse, 0);
    assert_true(all->identity <= 1e-11);
    assert_true(all->flagged <= most * all->states);
    assert_true(all->rough <= 2 + all->states / 200);
}

static void hosts_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_kind(HOST, CONSTANT, 2, &all);
    expect_exact(&all, 0.02);
}

static void groups_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_kind(GROUP, CONSTANT, LINKS, &all);
    expect_exact(&all, 0.02);
}

static void wedges_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_kind(WEDGE, CONSTANT, LINKS, &all);
    expect_exact(&all, 0.05 /* wedges without a solution */);
}

static void groups_whose_damping_fades_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_kind(GROUP, FADING, LINKS, &all);
    check_kind(HOST, FADING, 2, &all);
    expect_exact(&all, 0.02);
}

static void groups_of_limited_damping_agree_with_differences(void** state)
{
    (void)state;
    tally all = {0};
    check_kind(GROUP, STRONG, LINKS, &all);
    check_kind(WEDGE, STRONG, LINKS, &all);
    check_kind(HOST, STRONG, 2, &all);
    expect_exact(&all, 0.1 /* wedges without a solution */);
    assert_true(all.limited > all.states / 100);
}

/* Oracle: br_step_vjp(). A host with the inverse of a body's mass does that body's step, from its twist after the load. */
static void a_host_has_the_derivatives_of_its_body(void** state)
{
    (void)state;
    static inputs in, bar;
    static outputs out;
    static double w[NUMBERS];
    uint64_t seed = 3;
    for (int i = 0; i < 100; i++) {
        const setting how = {.like = {shapes[i % MODELS], shapes[i % MODELS]},
                             .count = {1, 2},
                             .links = 2,
                             .order = 1,
                             .passes = 80};
        double pivot;
        random_inputs(&seed, &how, CONSTANT, &in);
        step_from(&in, &how, &out);
        output_scales(&how, &in, &out, w);
        br_step_host host = br_step_host_default(1.0, 1.0);
        mat3 mass;
        memcpy(mass.at, in.mass, sizeof mass.at);
        for (int k = 0; k < 3; k++) {
            vector3 column = {{k == 0, k == 1, k == 2}};
            column = mat3_solve(mass, column);
            for (int j = 0; j < 3; j++) {
                host.inverse_mass[j][k] = column.at[j];
            }
        }
        br_contact made[LINKS];
        br_step_contact contacts[LINKS];
        br_step_contact_adjoint a[LINKS];
        size_t at = 3;
        for (size_t k = 0; k < how.links; k++) {
            made[k] = contact_like(how.like[k], &in.at[k].law);
            contacts[k] = step_contact_from(&in, &how, k, &made[k], in.at[k].z);
            a[k] = (br_step_contact_adjoint){
                .z1 = out.numbers + at + 3, .z1_bar = w + at + 3, .f_bar = wrench_from(w + at)};
            at += 3 + br_contact_get_state_count(&made[k]);
        }
        br_step_host_adjoint io = {.predicted_bar = twist_from(w), .by_law = 1};
        br_step_host_vjp(&host, &out.record, in.h, contacts, a, how.links, &io, work);
        const unsigned flags = backward_from(&in, &how, &out, w, &bar, &pivot);
        assert_int_equal(io.flags, flags);
        const double load[3] = {in.h * io.u.vx, in.h * io.u.vy, in.h * io.u.w};
        for (int k = 0; k < 3; k++) { // load_bar = h M^-1 u_bar
            const double expected =
                vector3_dot((vector3){{host.inverse_mass[k][0], host.inverse_mass[k][1],
                                       host.inverse_mass[k][2]}},
                            (vector3){{load[0], load[1], load[2]}});
            const double size = fabs(bar.load[0]) + fabs(bar.load[1]) + fabs(bar.load[2]);
            assert_near(bar.load[k], expected, 1e-9 * size /* M^-1 of M to rounding */);
        }
        for (size_t k = 0; k < how.links; k++) {
            assert_near(a[k].fn, bar.at[k].fn, 1e-8 * (fabs(bar.at[k].fn) + 1.0));
            assert_near(a[k].law[BR_BY_MU_C], bar.at[k].law.mu_c,
                        1e-8 * (fabs(bar.at[k].law.mu_c) + 1.0));
        }
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_agree_with_differences),
        cmocka_unit_test(groups_agree_with_differences),
        cmocka_unit_test(wedges_agree_with_differences),
        cmocka_unit_test(groups_whose_damping_fades_agree_with_differences),
        cmocka_unit_test(groups_of_limited_damping_agree_with_differences),
        cmocka_unit_test(a_host_has_the_derivatives_of_its_body),
    };
    if (argc > 2) {
        states_of_a_test = strtoull(argv[2], NULL, 10);
    }
    cmocka_set_test_filter(argc > 1 ? argv[1] : NULL);
    return cmocka_run_group_tests(tests, create_shapes, destroy_shapes);
}
