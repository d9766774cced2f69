/*
 * The estimator for control loops, on simulated sensors with noise, against the truth.
 */
#include "fit_data.h"

#include <string.h>
#include <time.h>

#include "bristle/contact.h"
#include "bristle/online.h"

enum { RATE = 1000 }; // of the loop [Hz]

static br_patch* make_disc(void)
{
    br_patch_def def = br_patch_def_default();
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

static br_contact* make_contact(const br_patch* patch, double mu)
{
    br_contact_def def = br_contact_def_default();
    br_contact* contact;
    def.patch = patch;
    def.law = br_law_from_mu(mu, 0.0067, 0, 10);
    assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
    return contact;
}

// A finger on a table: rest, slip, rest, slip and spin; after 2 s the table is wet.
static br_twist twist_at(double t)
{
    const double in = fmod(t, 1.0), on = in > 0.3 && in < 0.7 ? 1.0 : 0.0;
    return (br_twist){0.02 * on, 0.005 * on, t > 1 ? 2.0 * on : 0.0};
}

static double force_at(double t)
{
    return 8 + 3 * sin(9 * t);
}

static br_twist noisy_twist(br_twist v, const br_online_def* def, uint64_t* seed)
{
    return (br_twist){v.vx + def->speed_noise * normal(seed),
                      v.vy + def->speed_noise * normal(seed), v.w + def->spin_noise * normal(seed)};
}

static br_wrench noisy_wrench(br_wrench f, const br_online_def* def, uint64_t* seed)
{
    return (br_wrench){f.fx + def->force_noise * normal(seed),
                       f.fy + def->force_noise * normal(seed),
                       f.tau + def->torque_noise * normal(seed)};
}

/* Oracle: the simulated contact. Slip is reported within 10 ms and never at rest but for 0.5 % of the instants; mu is right
   to 3 % half a second after every change, although forces, twists and normal forces are noisy. */
static void slip_and_friction_are_those_of_the_simulation(void** state)
{
    (void)state;
    br_patch* patch = make_disc();
    br_contact *dry = make_contact(patch, 0.6), *wet = make_contact(patch, 0.35);
    br_limit_def surface_def = br_limit_def_default();
    br_limit* surface;
    surface_def.patch = patch;
    assert_status(br_limit_create(&surface_def, &surface, NULL), BR_OK);
    br_online_def def = br_online_def_default();
    def.r = br_patch_eval(patch, 1).r;
    def.surface = surface;
    def.memory = 0.1;
    br_online online;
    assert_status(br_online_init(&def, &online, NULL), BR_OK);
    double* z = calloc(br_contact_get_state_count(dry), sizeof *z);
    uint64_t seed = 4;
    int wrong = 0, late = 0, since = 0;
    for (int i = 0; i < 4 * RATE; i++) {
        const double t = (double)i / RATE, fn = force_at(t), mu = t < 2 ? 0.6 : 0.35;
        const br_twist v = twist_at(t);
        const br_wrench f = br_contact_step(t < 2 ? dry : wet, z, v, fn, 1.0 / RATE, NULL);
        const br_online_value now =
            br_online_step(&online, noisy_twist(v, &def, &seed), noisy_wrench(f, &def, &seed),
                           fn + def.force_noise * normal(&seed), 1.0 / RATE);
        const int slips = v.vx > 0;
        since = slips ? since + 1 : 0;
        wrong +=
            !slips && now.is_slipping && fmod(t, 1.0) < 0.3; // rest before, not the end of a slip
        late += since > 10 && !now.is_slipping;
        assert_true(now.contact > 0.99);
        if (since == 350) {
            assert_near_relative(now.mu, mu,
                                 0.03 /* a tenth of a second of memory, noise of 1 % each */);
            assert_true(fabs(now.mu - mu) < 5 * now.mu_error + 0.02 * mu);
            assert_near(now.load, 1,
                        0.15 /* the ellipsoid is off by a tenth where it slides and spins */);
        }
    }
    assert_int_equal(late, 0);
    assert_true(wrong < 4 * 300 / 200);
    free(z);
    br_limit_destroy(surface);
    br_contact_destroy(dry);
    br_contact_destroy(wet);
    br_patch_destroy(patch);
}

/* Oracle: the signal. A contact slips for 0.2 s of every second and then sticks with half of its limit; the mean of the
   twists shows slip for some milliseconds more. These samples would lower the estimate by 5.6 % (root mean
   square); without them 1 % is left, from slip that noise shows at rest. */
static void stops_do_not_lower_friction(void** state)
{
    (void)state;
    const br_online_def def = br_online_def_default();
    br_online online;
    assert_status(br_online_init(&def, &online, NULL), BR_OK);
    const double mu = 0.4, fn = 2;
    uint64_t seed = 9;
    double sum = 0;
    for (int i = 0; i < 20 * RATE; i++) {
        const bool slips = i % RATE < RATE / 5;
        const br_twist v = {slips ? 0.03 : 0, 0, 0};
        const br_wrench f = {slips ? -mu * fn : -0.5 * mu * fn, 0, 0};
        const br_online_value now = br_online_step(&online, noisy_twist(v, &def, &seed),
                                                   noisy_wrench(f, &def, &seed), fn, 1.0 / RATE);
        sum += i < 5 * RATE ? 0 : (now.mu - mu) * (now.mu - mu) / (15 * RATE);
    }
    assert_near(sqrt(sum), 0, 0.02 * mu /* 1 %, twice */);
}

/* Oracle: equilibrium. A force that grows at rest shows as a load, and raises mu where it must be higher. */
static void loads_at_rest_bound_friction_from_below(void** state)
{
    (void)state;
    br_online_def def = br_online_def_default();
    br_online online;
    def.mu = 0.3;
    assert_status(br_online_init(&def, &online, NULL), BR_OK);
    br_online_value now = br_online_step(&online, (br_twist){0}, (br_wrench){-1.5, 0, 0}, 10, 1e-3);
    assert_near(now.load, 0.5, 1e-12 /* closed form */);
    assert_near(now.margin, 5, 1e-12 /* N */);
    for (int i = 0; i < 100; i++) {
        now = br_online_step(&online, (br_twist){0}, (br_wrench){-6, 0, 0}, 10, 1e-3);
    }
    assert_near(now.mu, 0.6, 0.02 /* less the noise */);
    assert_false(now.is_slipping);
    now = br_online_step(&online, (br_twist){0}, (br_wrench){0}, 0, 1e-3);
    assert_true(now.contact < 0.05);
    const double before = now.mu;
    now = br_online_step(&online, (br_twist){NAN, 0, 0}, (br_wrench){0}, 5, 1e-3);
    assert_near(now.mu, before, 0 /* passed over */);
}

/* Oracle: by definition. Numbers whose squares or quotients overflow, which gave estimates of NaN, are refused by name. */
static void parameters_out_of_range_are_named(void** state)
{
    (void)state;
    const struct {
        const char* field;
        size_t offset;
    } numbers[] = {{"r", offsetof(br_online_def, r)},
                   {"mu", offsetof(br_online_def, mu)},
                   {"mu_error", offsetof(br_online_def, mu_error)},
                   {"force_noise", offsetof(br_online_def, force_noise)},
                   {"torque_noise", offsetof(br_online_def, torque_noise)},
                   {"speed_noise", offsetof(br_online_def, speed_noise)},
                   {"spin_noise", offsetof(br_online_def, spin_noise)},
                   {"smoothing", offsetof(br_online_def, smoothing)},
                   {"memory", offsetof(br_online_def, memory)}};
    const double bad[] = {(double)NAN, -1.0, -INFINITY, INFINITY, 1e300};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const bool may_be_large = strcmp(numbers[i].field, "memory") == 0;
        for (size_t k = 0; k < (may_be_large ? 3 : 5); k++) {
            br_online_def def = br_online_def_default();
            br_online online;
            br_reason why;
            *(double*)((char*)&def + numbers[i].offset) = bad[k];
            assert_status(br_online_init(&def, &online, &why), BR_ERR_DEF);
            assert_string_equal(why.field, numbers[i].field);
        }
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Oracle: a counting allocator. The time is printed, not judged: other programs run on the machine, too (goal: 2 us). */
static void steps_allocate_nothing(void** state)
{
    (void)state;
    enum { STEPS = 20000, REPEATS = 5 };
    counting count = {0};
    br_online_def def = br_online_def_default();
    br_online online;
    assert_status(br_online_init(&def, &online, NULL), BR_OK);
    br_set_allocator(counting_allocate, counting_release, &count);
    double least = HUGE_VAL, sum = 0;
    for (int r = 0; r < REPEATS; r++) {
        const double started = seconds();
        for (int i = 0; i < STEPS; i++) {
            const br_twist v = {0.01 * (i & 1), 0.001, 0.5};
            sum += br_online_step(&online, v, (br_wrench){-3, -0.3, -0.01}, 8, 1e-3).mu;
        }
        least = fmin(least, (seconds() - started) / STEPS);
    }
    br_set_allocator(NULL, NULL, NULL);
    print_message("%.3g us a step (%g)\n", 1e6 * least, sum);
    assert_int_equal(count.calls, 0);
}

/* Oracle: the header. A sample with a number beyond 1e50, infinite or NaN does not change the estimate. */
static void extreme_samples_are_ignored(void** state)
{
    (void)state;
    const double bad[] = {1e51, -1e200, HUGE_VAL, (double)NAN};
    const br_online_def def = br_online_def_default();
    for (int k = 0; k < 28; k++) {
        br_online online;
        assert_status(br_online_init(&def, &online, NULL), BR_OK);
        double x[7] = {0.05, 0.01, 1.0, -3.0, -0.5, -1e-3, 10.0};
        double mu = 0.0;
        for (int i = 0; i < 20; i++) {
            double own[7];
            memcpy(own, x, sizeof own);
            own[k % 7] = i == 10 ? bad[k / 7] : own[k % 7];
            const br_online_value now =
                br_online_step(&online, (br_twist){own[0], own[1], own[2]},
                               (br_wrench){own[3], own[4], own[5]}, own[6], 1e-3);
            if (i == 10) {
                assert_near(now.mu, mu, 0.0);
            }
            mu = now.mu;
            assert_true(isfinite(now.mu) && isfinite(now.mu_error));
        }
    }
}

/* Oracle: the header. */
static void definitions_are_checked(void** state)
{
    (void)state;
    br_online_def def = br_online_def_default();
    br_online online;
    br_reason why;
    def.force_noise = -1;
    assert_status(br_online_init(&def, &online, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "force_noise");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slip_and_friction_are_those_of_the_simulation),
        cmocka_unit_test(stops_do_not_lower_friction),
        cmocka_unit_test(loads_at_rest_bound_friction_from_below),
        cmocka_unit_test(parameters_out_of_range_are_named),
        cmocka_unit_test(steps_allocate_nothing),
        cmocka_unit_test(extreme_samples_are_ignored),
        cmocka_unit_test(definitions_are_checked)};
    return run_group(argc, argv, tests);
}
