/* Tests of the module planar: steps for a host that owns the body. */
#include "step_fixture.h"

static const double mass = 0.2;    // of the host's body [kg]
static const double radius = 0.03; // of gyration [m]
static const br_vec2 arm = {0.004, -0.002};

// The host's true inverse mass, times `scale`.
static br_step_host host_of(double scale)
{
    return br_step_host_default(mass / scale, mass * radius * radius / scale);
}

static double kinetic(br_twist v)
{
    return 0.5 * mass * (v.vx * v.vx + v.vy * v.vy + radius * radius * v.w * v.w);
}

// What a host does with a wrench over h.
static br_twist pushed(br_twist v, br_wrench f, double h)
{
    return (br_twist){v.vx + h * f.fx / mass, v.vy + h * f.fy / mass,
                      v.w + h * f.tau / (mass * radius * radius)};
}

/* Oracle: br_step_coupled(). With the true inverse mass the host does the same step. */
static void a_host_with_the_true_mass_does_the_same_step(void** state)
{
    (void)state;
    for (int which = 0; which < MODELS; which++) {
        fixture f, g;
        fixture_init(&f, which, law_of(1));
        fixture_init(&g, which, law_of(1));
        f.contact.fn = g.contact.fn = 1.5;
        f.contact.arm = g.contact.arm = arm;
        f.contact.angle = g.contact.angle = 0.4;
        const br_step_body body = body_of(mass, radius, 1);
        br_step_host host = host_of(1.0);
        const br_wrench weight = {0.0, -mass * 9.81, 0.0};
        br_twist v = {0.0, 0.0, 0.0}, u = v;
        for (int i = 0; i < 100; i++) {
            const double h = i % 2 ? 1e-3 : 1e-2;
            br_step_coupled(&body, &v, weight, h, &f.contact, 1, f.work);
            const br_twist free = pushed(u, weight, h);
            const br_step_answer a = br_step_host_step(&host, free, h, &g.contact, 1, g.work);
            u = pushed(free, a.f, h);
            assert_near(u.vx, a.predicted.vx, 1e-12 /* rounding of 0.1 m/s */);
            assert_near(u.vx, v.vx, 1e-7 /* Newton's tolerance, grown */);
            assert_near(u.vy, v.vy, 1e-7);
            assert_near(u.w, v.w, 1e-5);
            assert_false(a.softened);
        }
        fixture_free(&f);
        fixture_free(&g);
    }
}

// A body that sticks, slips and spins under a changing normal force: how far it came, and what
// friction put into it at most in a step [J].
typedef struct ride {
    br_pose pose;
    double gain;
} ride;

// How many contacts act on the body, each in a call of its own, and what each call is given.
typedef struct host_input {
    int calls;
    double scale;   // of the inverse mass, over the truth
    int start_only; // the twist at the start, without weight
    int identify;
} host_input;

static double fn_at(double time)
{
    return 1.73 + 0.91 * sin(4.0 * BR_PI * time);
}

static double stored(const fixture* f, int calls, double fn)
{
    double sum = 0.0;
    for (int i = 0; i < calls; i++) {
        sum += (double)f[i].contact.count * br_contact_stored(f[i].made, f[i].z, fn);
    }
    return sum;
}

static ride go(host_input t, double h)
{
    static fixture f[2];
    br_step_host host[2];
    for (int i = 0; i < t.calls; i++) {
        fixture_init(&f[i], CELLS, law_of(1));
        f[i].contact.count = 2 / t.calls;
        host[i] = host_of(t.scale);
        host[i].start_only = t.start_only;
        host[i].identify = t.identify;
    }
    const br_wrench weight = {0.0, -mass * 9.81, 0.0};
    br_twist v = {0.0, 0.0, 0.0};
    ride out = {{0.002, 0.0, 0.0}, 0.0};
    for (int k = 0; k < (int)lround(1.0 / h); k++) {
        const double fn = fn_at(floor(k * h / 0.01 + 1e-9) * 0.01);
        const br_twist free = pushed(v, weight, h), given = t.start_only ? v : free;
        const double before = kinetic(free) + stored(f, t.calls, fn);
        br_twist u = free;
        for (int i = 0; i < t.calls; i++) {
            f[i].contact.fn = fn;
            f[i].contact.arm = (br_vec2){-out.pose.x, -out.pose.y};
            u = pushed(u, br_step_host_step(&host[i], given, h, &f[i].contact, 1, f[i].work).f, h);
        }
        for (int i = 0; i < t.calls; i++) {
            br_step_host_learn(&host[i], u);
        }
        out.gain = fmax(out.gain, kinetic(u) + stored(f, t.calls, fn) - before);
        out.pose.x += 0.5 * h * (v.vx + u.vx);
        out.pose.y += 0.5 * h * (v.vy + u.vy);
        out.pose.theta += 0.5 * h * (v.w + u.w);
        v = u;
    }
    for (int i = 0; i < t.calls; i++) {
        fixture_free(&f[i]);
    }
    return out;
}

static double distance(ride a, ride b)
{
    return hypot(a.pose.x - b.pose.x, a.pose.y - b.pose.y);
}

static const host_input truth = {.calls = 1, .scale = 1.0};

/* Oracle: one call. Two contacts in calls of their own, each given 2 A, are the same ride. */
static void calls_of_their_own_take_n_times_the_inverse_mass(void** state)
{
    (void)state;
    const ride one = go(truth, 1e-3);
    const ride two = go((host_input){.calls = 2, .scale = 2.0}, 1e-3);
    const ride wrong = go((host_input){.calls = 2, .scale = 1.0}, 1e-3);
    assert_true(distance(one, two) < 1e-6);   // [m], of 10 mm: what Newton leaves, grown
    assert_true(distance(one, wrong) > 1e-3); // each stops the body alone
}

/* Oracle: p.u + p.A p/2 <= p.u + c p.A p/2. Any upper bound of A is passive. */
static void too_large_an_inverse_mass_gains_nothing(void** state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        const host_input t = {.calls = 1, .scale = i % 4 == 0 ? 1.0 : pow(2.5, i % 4)};
        const ride r = go(t, i < 4 ? 1e-3 : 1e-2);
        assert_true(r.gain <= 1e-15); // [J], of 1e-3 in motion: rounding
    }
}

/* Oracle: short steps with the truth. Errors of an independent program at 1 ms, on a patch of points: 0.51 mm
 * with the true A, 0.56 with a learnt one, 0.61 with neither A nor u_free. */
static void the_scale_is_learnt_from_the_answers(void** state)
{
    (void)state;
    const ride exact = go(truth, 1e-4);
    assert_true(distance(go(truth, 1e-3), exact) < 0.51e-3);
    for (int i = 0; i < 4; i++) {
        const double scale = i == 0 ? 0.3 : i == 1 ? 1.0 : i == 2 ? 3.0 : 10.0;
        const host_input free = {.calls = 1, .scale = scale, .identify = 1};
        const host_input start = {.calls = 1, .scale = scale, .identify = 1, .start_only = 1};
        assert_true(distance(go(free, 1e-3), exact) < 0.56e-3);
        assert_true(distance(go(start, 1e-3), exact) < 0.61e-3);
    }
    const host_input observed = {.calls = 1, .scale = 1.0, .start_only = 1};
    assert_true(distance(go(observed, 1e-3), exact) < 0.43e-3);
}

/* Oracle: definition. A guess is marked as one until it has learnt better. */
static void a_guess_is_softened_until_it_has_learnt(void** state)
{
    (void)state;
    fixture f;
    fixture_init(&f, ELLIPSOID, law_of(1));
    f.contact.fn = 2.0;
    br_step_host host = br_step_host_default((double)INFINITY, (double)INFINITY);
    br_step_host_guess(&host, 2.0, 5e-5);
    host.identify = 1;
    const br_wrench push = {1.0, 0.0, 0.0}; // half of what friction holds
    br_twist v = {0.0, 0.0, 0.0};
    for (int i = 0; i < 200; i++) {
        const br_twist free = pushed(v, push, 1e-3);
        const br_step_answer a = br_step_host_step(&host, free, 1e-3, &f.contact, 1, f.work);
        assert_int_equal(a.softened, i == 0);
        v = pushed(free, a.f, 1e-3);
        br_step_host_learn(&host, v);
    }
    assert_near(v.vx, 0.0, 1e-9 /* it sticks */);
    assert_near(host.scale * host.inverse_mass[0][0], 1.0 / mass, 1e-9 / mass /* learnt */);
    fixture_free(&f);
}

/* Oracle: the steps with the twist held, and definition. The trial's wrench is theirs, its secant is
 * symmetric and positive definite. */
static void a_trial_is_the_step_with_that_twist(void** state)
{
    (void)state;
    uint64_t seed = 9;
    for (int i = 0; i < 400; i++) {
        fixture f;
        fixture_init(&f, i % MODELS, law_of(1));
        fixture_shake(&f, &seed, 0.5e-6);
        f.contact.fn = 2.0;
        const double h = pow(10.0, uniform(&seed, -5.0, -2.0));
        const double speed = pow(10.0, uniform(&seed, -4.0, 0.0));
        const br_twist u = {speed, speed * uniform(&seed, -1.0, 1.0), 50.0 * speed};
        const br_step_trial t = br_step_trial_eval(&f.contact, 1, u, h, f.work);
        const br_wrench held = fixture_held(&f, f.z, u, h);
        const double size = 2.0 * (1.2 + 800.0 * speed); // [N]
        assert_near(t.f.fx, held.fx, 1e-11 * size /* rounding */);
        assert_near(t.f.fy, held.fy, 1e-11 * size);
        assert_near(t.f.tau, held.tau, 1e-13 * size);
        const double(*s)[3] = t.secant;
        const double minor = s[0][0] * s[1][1] - s[0][1] * s[1][0];
        const double schur = s[2][2] - (s[0][2] * s[0][2] + s[1][2] * s[1][2]) / s[0][0];
        assert_near(s[0][2], s[2][0], 1e-12 * s[0][0] * 0.01 /* rounding, at 10 mm */);
        assert_near(s[1][2], s[2][1], 1e-12 * s[0][0] * 0.01);
        assert_true(s[0][0] > 0.0 && minor > 0.0 && schur > 0.0);
        fixture_free(&f);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_with_the_true_mass_does_the_same_step),
        cmocka_unit_test(calls_of_their_own_take_n_times_the_inverse_mass),
        cmocka_unit_test(too_large_an_inverse_mass_gains_nothing),
        cmocka_unit_test(the_scale_is_learnt_from_the_answers),
        cmocka_unit_test(a_guess_is_softened_until_it_has_learnt),
        cmocka_unit_test(a_trial_is_the_step_with_that_twist),
    };
    return run_disc_group(argc, argv, tests);
}
