/*
 * Long runs: memory that stays constant, and results that do not drift. On demand, `make long`.
 *
 *   bristle-long hand SECONDS     an object between two fingers, shaken so that it slips and turns
 *   bristle-long worlds STEPS     steps of 4096 worlds in all
 *   bristle-long online TICKS     samples of the estimator, at 1 kHz
 *
 * Each prints its figures, and fails where memory grows or a result leaves its bound.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <unistd.h>

#include "bristle/online.h"
#include "bristle/scenario.h"
#include "bristle/worlds.h"

static int failures;

static void expect(bool holds, const char* what)
{
    if (!holds) {
        printf("FAILED: %s\n", what);
        failures++;
    }
}

static void require(bool holds, const char* what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        exit(2);
    }
}

// resident memory [KiB]
static long resident(void)
{
    long pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    require(file != NULL && fscanf(file, "%*d %ld", &pages) == 1, "no /proc/self/statm");
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static double seconds(clock_t start)
{
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

// 1 MiB is for buffers of the C library; a leak of one byte per step would be far more
static void expect_constant(long before, long after)
{
    printf("memory %ld KiB at the start, %ld KiB at the end\n", before, after);
    expect(after - before < 1024, "memory grows");
}

// uniform in [-1, 1): splitmix64
static double noise(uint64_t* state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

// --- an object in a hand --------------------------------------------------------------------------

/*
 * A load with f(t + T/2) = -f(t) along x, beyond what the fingers hold: the object slips back and
 * forth. By symmetry the motion repeats itself after T = 0.25 s once it has settled, so that all rows
 * at multiples of T after the first seconds are the same. (With a single finger at the CoM, or with a
 * torque in place of the force, the motion is unstable.)
 */
static const char hand_text[] =
    "body: {mass: 0.2, inertia: 5e-4}\n"
    "friction: {mu: 0.5}\n"
    "contacts:\n"
    "  - {frame: world, at: [0, 0.03], patch: {shape: disc, radius: 0.01},\n"
    "     normal_force: {kind: sine, mean: 2, amplitude: 0.5, frequency: 8}}\n"
    "  - {frame: world, at: [0, -0.03], patch: {shape: disc, radius: 0.01},\n"
    "     normal_force: {kind: sine, mean: 2, amplitude: 0.5, frequency: 8}}\n"
    "loads: [{fx: {kind: sine, amplitude: 3, frequency: 4, phase: 1.5707963267948966}}]\n"
    "output: {every: 10, energy: true}\n";
typedef struct hand_watch {
    long before;       // memory after the first rows [KiB]
    double settled[3]; // pose then
    double drift;      // largest distance from it since [m, rad]
    size_t rows;
} hand_watch;

enum { SETTLED_ROW = 3 };

static void hand_row(const double* row, void* user)
{
    hand_watch* of = user;
    if (of->rows == SETTLED_ROW) {
        of->before = resident();
        memcpy(of->settled, row + 1, sizeof of->settled);
    }
    for (int i = 0; i < 3 && of->rows > SETTLED_ROW; i++) {
        of->drift = fmax(of->drift, fabs(row[1 + i] - of->settled[i]));
    }
    of->rows++;
}

static double value_of(const br_table* table, const char* path)
{
    const br_table_value* value = br_table_find_value(table, path);
    require(value != NULL, path);
    return value->number;
}

static void hand_run(double duration, const char* integrator, double bound)
{
    char length[64];
    snprintf(length, sizeof length, "duration=%.17g", duration);
    const char* overrides[] = {length, integrator, NULL};
    br_scenario* scenario;
    require(br_scenario_read_text(hand_text, "hand", overrides, &scenario) == BR_OK, "hand");
    hand_watch seen = {0};
    br_scenario_watch watch = br_scenario_watch_default();
    watch.row = hand_row;
    watch.user = &seen;
    watch.drop_rows = true;
    br_table* table;
    const clock_t start = clock();
    require(br_scenario_run(scenario, &watch, &table, NULL) == BR_OK, "run");
    const double share =
        fabs(value_of(table, "energy.residual")) / value_of(table, "energy.dissipated");
    printf("hand, %s: %g s in %.3g steps, %.1f s of processor time\n"
           "drift %.2g m or rad, energy balance off by %.2g of what was dissipated (%.3g J)\n",
           integrator, duration, value_of(table, "steps"), seconds(start), seen.drift, share,
           value_of(table, "energy.dissipated"));
    expect(seen.drift < bound, "the pose drifts");
    expect(share < (bound > 1e-6 ? 1e-2 : 1e-9), "energy is not balanced");
    // a table keeps its events, two lists of them that grow by halves: 256 bytes for each are enough
    const long events = (long)(br_table_get_event_count(table) * 256 / 1024);
    expect_constant(seen.before + events, resident());
    br_table_destroy(table);
    br_scenario_destroy(scenario);
}

// --- worlds ---------------------------------------------------------------------------------------

enum { WORLDS = 4096, PLAIN = 32, STEPS = 50 };

// arrays of some worlds, all memory of the run
typedef struct crowd {
    double pose[3 * WORLDS], twist[3 * WORLDS], mass[WORLDS], load[3 * WORLDS], z[3 * WORLDS];
    double mu_c[WORLDS], mu_s[WORLDS], fn[WORLDS], ledger[BR_WORLDS_LEDGER_ROWS * WORLDS];
    size_t count;
} crowd;

static crowd all, some; // `some`: the first of them again, one world at a time

static void crowd_start(crowd* of, size_t count)
{
    uint64_t state = 1;
    memset(of, 0, sizeof *of);
    of->count = count;
    for (size_t i = 0; i < count; i++) {
        of->mass[i] = 0.5 + 0.3 * noise(&state);
        of->mu_c[i] = of->mu_s[i] = 0.4 + 0.2 * noise(&state);
        of->fn[i] = 9.81 * of->mass[i];
    }
}

// loads that turn around once in 20 calls, up to 1.5 times the friction limit
static void crowd_load(crowd* of, size_t call)
{
    const double phi = 2 * BR_PI * (double)(call % 20) / 20;
    for (size_t i = 0; i < of->count; i++) {
        const double force = (0.5 + (double)(i % 11) / 10) * of->mu_c[i] * of->fn[i];
        of->load[i] = force * cos(phi);
        of->load[of->count + i] = force * sin(phi);
        of->load[2 * of->count + i] = 0.01 * force * cos(phi);
    }
}

static br_worlds_arrays crowd_arrays(crowd* of)
{
    br_worlds_arrays out = {.count = of->count,
                            .pose = of->pose,
                            .twist = of->twist,
                            .mass = of->mass,
                            .load = of->load,
                            .ledger = of->ledger};
    out.contacts[0].z = of->z;
    out.contacts[0].fn = of->fn;
    out.contacts[0].mu_c = of->mu_c;
    out.contacts[0].mu_s = of->mu_s;
    return out;
}

// the largest error of a world's energy balance over one call, over what was turned over
static double crowd_balance(const crowd* of)
{
    double worst = 0;
    for (size_t i = 0; i < of->count; i++) {
        const double* row = of->ledger + i;
        const size_t n = of->count;
        const double in = row[BR_WORLDS_KINETIC_BEFORE * n] + row[BR_WORLDS_STORED_BEFORE * n] +
                          row[BR_WORLDS_LOAD * n] + row[BR_WORLDS_GROUND_WORK * n] +
                          row[BR_WORLDS_NORMAL * n];
        const double out = row[BR_WORLDS_KINETIC_AFTER * n] + row[BR_WORLDS_STORED_AFTER * n] +
                           row[BR_WORLDS_DISSIPATED * n] + row[BR_WORLDS_NUMERICAL * n];
        const double turned = fabs(row[BR_WORLDS_LOAD * n]) + row[BR_WORLDS_KINETIC_BEFORE * n] +
                              row[BR_WORLDS_STORED_BEFORE * n];
        worst = fmax(worst, fabs(in - out) / (turned + 1e-12));
    }
    return worst;
}

static br_worlds* worlds_new(const br_contact* contact, bool plain)
{
    const br_worlds_contact of = {.contact = contact, .frame = BR_WORLDS_BODY};
    br_worlds_def def = br_worlds_def_default(&of, 1);
    def.inertia = 1e-3;
    def.plain = plain;
    br_worlds* out;
    require(br_worlds_create(&def, &out, NULL) == BR_OK, "worlds");
    return out;
}

static double crowd_distance(void)
{
    double most = 0;
    for (size_t row = 0; row < 3; row++) {
        for (size_t i = 0; i < some.count; i++) {
            most =
                fmax(most, fabs(some.pose[row * some.count + i] - all.pose[row * all.count + i]));
        }
    }
    return most;
}

static void worlds_run(double wanted)
{
    br_patch_def disc = br_patch_def_default();
    disc.radius = br_by_force_constant(0.04);
    br_patch* patch;
    require(br_patch_create(&disc, &patch, NULL) == BR_OK, "patch");
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_ELLIPSOID;
    def.patch = patch;
    def.law.sigma0 = 1e4;
    def.law.sigma1 = 50;
    br_contact* contact;
    require(br_contact_create(&def, &contact, NULL) == BR_OK, "contact");
    br_worlds *vector = worlds_new(contact, false), *plain = worlds_new(contact, true);
    crowd_start(&all, WORLDS);
    crowd_start(&some, PLAIN);
    // the same worlds: the first PLAIN draws of both are the same
    const br_worlds_arrays a = crowd_arrays(&all), b = crowd_arrays(&some);
    const size_t calls = (size_t)(wanted / (WORLDS * STEPS)) + 1;
    double balance = 0, first = 0;
    long before = 0;
    const clock_t start = clock();
    for (size_t call = 0; call < calls; call++) {
        crowd_load(&all, call);
        crowd_load(&some, call);
        br_worlds_step(vector, &a, 1e-3, STEPS);
        br_worlds_step(plain, &b, 1e-3, STEPS);
        balance = fmax(balance, crowd_balance(&all));
        if (call == calls / 100) {
            before = resident();
            first = balance;
        }
    }
    printf("worlds: %.3g steps of %d worlds, %g s each, %.1f s of processor time\n"
           "distance from the same worlds one at a time %.2g m or rad\n"
           "largest error of an energy balance %.2g, in the first hundredth %.2g\n",
           (double)calls * STEPS * WORLDS, WORLDS, (double)calls * STEPS * 1e-3, seconds(start),
           crowd_distance(), balance, first);
    expect(crowd_distance() < 1e-9, "lanes leave the single world");
    expect(balance < 1e-9, "energy is not balanced");
    expect_constant(before, resident());
    br_worlds_destroy(vector);
    br_worlds_destroy(plain);
    br_contact_destroy(contact);
    br_patch_destroy(patch);
}

// --- estimator ------------------------------------------------------------------------------------

typedef struct online_score {
    double error, error_stated; // root mean squares [-]
} online_score;

// ticks of a contact that slips in 200 of 1000 of them, mu 0.4, with noise of the stated deviations
static online_score online_ticks(br_online* of, uint64_t* state, size_t ticks)
{
    const double mu = 0.4, fn = 2, root3 = sqrt(3.0); // uniform noise of deviation 1: sqrt(3)
    double sum = 0, stated = 0;
    for (size_t i = 0; i < ticks; i++) {
        const bool slips = i % 1000 < 200;
        const double speed = slips ? 0.03 : 0, force = slips ? mu * fn : 0.5 * mu * fn;
        const br_twist v = {speed + of->def.speed_noise * root3 * noise(state),
                            of->def.speed_noise * root3 * noise(state),
                            of->def.spin_noise * root3 * noise(state)};
        const br_wrench f = {-force + of->def.force_noise * root3 * noise(state),
                             of->def.force_noise * root3 * noise(state),
                             of->def.torque_noise * root3 * noise(state)};
        const br_online_value now = br_online_step(of, v, f, fn, 1e-3);
        sum += (now.mu - mu) * (now.mu - mu);
        stated += now.mu_error * now.mu_error;
    }
    return (online_score){sqrt(sum / (double)ticks), sqrt(stated / (double)ticks)};
}

static void online_run(double wanted)
{
    enum { BLOCK = 1000000 };
    const br_online_def def = br_online_def_default();
    br_online online;
    require(br_online_init(&def, &online, NULL) == BR_OK, "online");
    uint64_t state = 7;
    const size_t blocks = (size_t)(wanted / BLOCK) + 2;
    online_score first = {0}, last = {0};
    double worst = 0;
    const clock_t start = clock();
    const long before = resident();
    for (size_t i = 0; i < blocks; i++) {
        last = online_ticks(&online, &state, BLOCK);
        worst = i > 0 ? fmax(worst, last.error) : 0;
        first = i == 1 ? last : first; // the first one contains the start
    }
    printf("estimator: %.3g ticks of 1 ms, %.1f s of processor time\n"
           "rms error of mu in the second and last million %.3g, %.3g, worst %.3g; stated %.3g\n",
           (double)blocks * BLOCK, seconds(start), first.error, last.error, worst,
           last.error_stated);
    expect(worst < 1.5 * first.error, "the estimate drifts");
    expect(isfinite(online.mu) && isfinite(online.variance), "the estimate is not finite");
    expect_constant(before, resident());
}

int main(int argc, char** argv)
{
    require(argc == 3 && atof(argv[2]) > 0, "usage: bristle-long hand|worlds|online AMOUNT");
    const double amount = atof(argv[2]);
    if (strcmp(argv[1], "hand") == 0) {
        hand_run(amount, "integrator={kind: fixed, step: 1e-3}", 1e-7);
        hand_run(fmax(amount / 20, 60), "integrator={kind: rosenbrock}", 1e-3);
    } else if (strcmp(argv[1], "worlds") == 0) {
        worlds_run(amount);
    } else {
        online_run(amount);
    }
    return failures > 0;
}
