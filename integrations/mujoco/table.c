/*
 * The table of docs/explanation/engine_friction.md: MuJoCo's own friction and bristle's in the same scenes.
 *   mujoco-table SCENARIOS
 * Exit status 1 if bristle exceeds a bound.
 */
#include "scenes.h"

#include "bristle/bristle.h"
#include "bristle/scenario.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METHODS = 4, OURS = METHODS - 1, MOST = 4, TURNS = 3 };

static const method methods[METHODS] = {{"elliptic", 1, 0, 0},
                                        {"impratio 10", 10, 0, 0},
                                        {"and noslip 10", 10, 10, 0},
                                        {"bristle", 1, 0, 1}};

static const double gravity = 9.81; // [m/s^2]

// Results of a case with one method, and its cost [us].
typedef struct measured {
    double value[MOST], cost;
} measured;

static brm_pair pair_of(const char* ground, const char* what)
{
    brm_pair p = brm_pair_default();
    p.geom1 = ground;
    p.geom2 = what;
    return p;
}

static br_patch* disc_of(double radius)
{
    br_patch_def def = br_patch_def_default();
    br_patch* patch = NULL;
    def.radius = br_by_force_constant(radius);
    if (br_patch_create(&def, &patch, NULL) != BR_OK) {
        exit(1);
    }
    return patch;
}

static br_law law_of(double mu, double sigma0, double sigma1)
{
    br_law law = br_law_from_mu(mu, 0.0, 0.0, 0.0);
    law.sigma0 = sigma0;
    law.sigma1 = sigma1;
    law.v_damping = 0.0; // constant damping, as in the scenarios that give sigma1
    return law;
}

/* ---- a puck slides and spins to rest, scenarios/puck.yaml ---- */

static measured puck(const method* how)
{
    br_patch* patch = disc_of(0.04);
    const br_law law = law_of(0.2, 1e6, 500.0);
    brm_pair pair = pair_of("table", "puck");
    pair.patch = patch;
    pair.law = &law;
    // MuJoCo's contact points are on the rim, which determines its torque; flat, so that it does not tip
    scene s = scene_make(how, &pair, 1, 1e-3,
                         "<default><geom friction='.2 .0001 0'/></default><worldbody>"
                         "<geom name='table' type='plane' size='5 5 1'/>"
                         "<body pos='0 0 .0005'><freejoint/><geom name='puck' type='cylinder' "
                         "size='.04 .0005' mass='.1'/></body></worldbody>");
    for (int i = 0; i < 300; i++) {
        scene_step(&s); // settles on the table
    }
    s.d->qvel[0] = 0.5;
    s.d->qvel[5] = 40.0;
    const double x = s.d->qpos[0], y = s.d->qpos[1];
    double turn = 0.0;
    scene_count(&s);
    for (int i = 0; i < 1500; i++) {
        const double w = s.d->qvel[5];
        scene_step(&s);
        turn += 0.5 * s.m->opt.timestep * (w + s.d->qvel[5]);
    }
    const measured out = {{1e3 * hypot(s.d->qpos[0] - x, s.d->qpos[1] - y), turn}, scene_cost(&s)};
    scene_free(&s);
    br_patch_destroy(patch);
    return out;
}

/* ---- a box on a slope of 15 degrees ---- */

static measured slope(const method* how)
{
    const brm_pair pair = pair_of("slope", "box");
    scene s =
        scene_make(how, &pair, 1, 2e-3,
                   "<worldbody><geom name='slope' type='plane' size='5 5 1' friction='.6 .005 0'/>"
                   "<body pos='0 0 .0499'><freejoint/><geom name='box' type='box' "
                   "size='.03 .03 .05' mass='.5' friction='.6 .005 0'/></body></worldbody>");
    s.m->opt.gravity[0] = gravity * sin(BR_PI / 12);
    s.m->opt.gravity[2] = -gravity * cos(BR_PI / 12);
    for (int i = 0; i < 500; i++) {
        scene_step(&s);
    }
    const double x = s.d->qpos[0];
    scene_count(&s);
    for (int i = 0; i < 2000; i++) {
        scene_step(&s);
    }
    const measured out = {{1e6 * (s.d->qpos[0] - x) / 4.0}, scene_cost(&s)};
    scene_free(&s);
    return out;
}

/* ---- a capsule pinched between two pads ---- */

static measured pinch(const method* how)
{
    const brm_pair pairs[2] = {pair_of("left", "capsule"), pair_of("right", "capsule")};
    scene s = scene_make(
        how, pairs, 2, 2e-3,
        "<default><geom friction='.7 .005 0' solref='.004 1'/></default><worldbody>"
        "<body pos='-.0125 0 0'><joint name='l' type='slide' axis='1 0 0' damping='100'/>"
        "<geom name='left' type='box' size='.008 .03 .02' mass='.2'/></body>"
        "<body pos='.0125 0 0'><joint name='r' type='slide' axis='-1 0 0' damping='100'/>"
        "<geom name='right' type='box' size='.008 .03 .02' mass='.2'/></body>"
        "<body><freejoint/><geom name='capsule' type='capsule' size='.004 .015' euler='90 0 0' "
        "mass='.045'/></body></worldbody>"
        "<actuator><motor joint='l'/><motor joint='r'/></actuator>");
    s.d->qpos[0] = s.d->qpos[1] = 0.0005;
    s.d->ctrl[0] = s.d->ctrl[1] = 6.0;
    for (int i = 0; i < 500; i++) {
        scene_step(&s);
    }
    const double z = s.d->qpos[4];
    scene_count(&s);
    for (int i = 0; i < 1000; i++) {
        scene_step(&s);
    }
    const measured out = {{1e6 * (z - s.d->qpos[4]) / 2.0}, scene_cost(&s)};
    scene_free(&s);
    return out;
}

/* ---- a cube that a finger presses against a wall ---- */

static measured wall(const method* how)
{
    brm_pair pairs[2] = {pair_of("wall", "cube"), pair_of("cube", "finger")};
    pairs[1].radius = 0.006;
    scene s = scene_make(
        how, pairs, 2, 2e-3,
        "<worldbody><geom name='wall' type='box' pos='-.01 0 0' size='.01 .2 .2' friction='.35 .005 0'/>"
        "<body pos='.0249 0 0'><freejoint/><geom name='cube' type='box' size='.025 .025 .025' mass='.2' "
        "friction='.35 .005 0'/></body>"
        "<body pos='.0598 0 0'><joint name='f' type='slide' axis='-1 0 0' damping='50'/><geom name='finger' "
        "type='sphere' size='.01' mass='.1' friction='.9 .005 0'/></body></worldbody>"
        "<actuator><motor joint='f'/></actuator>");
    s.d->ctrl[0] = 10.0;
    for (int i = 0; i < 500; i++) {
        scene_step(&s);
    }
    const double z = s.d->qpos[2];
    scene_count(&s);
    for (int i = 0; i < 1000; i++) {
        scene_step(&s);
    }
    const measured out = {{1e6 * (z - s.d->qpos[2]) / 2.0}, scene_cost(&s)};
    scene_free(&s);
    return out;
}

/* ---- four fingers hold a box in varying gravity, which turns once round the sphere in 4 s ---- */

static measured grasp(const method* how)
{
    const brm_pair pairs[4] = {pair_of("a", "box"), pair_of("b", "box"), pair_of("c", "box"),
                               pair_of("d", "box")};
    scene s = scene_make(
        how, pairs, 4, 2e-3,
        "<default><geom friction='.7 .005 0' solref='.004 1'/></default><worldbody>"
        "<body pos='-.0299 0 0'><joint name='a' type='slide' axis='1 0 0' damping='100'/>"
        "<geom name='a' type='box' size='.005 .008 .008' mass='.1'/></body>"
        "<body pos='.0299 0 0'><joint name='b' type='slide' axis='-1 0 0' damping='100'/>"
        "<geom name='b' type='box' size='.005 .008 .008' mass='.1'/></body>"
        "<body pos='0 -.0299 0'><joint name='c' type='slide' axis='0 1 0' damping='100'/>"
        "<geom name='c' type='box' size='.008 .005 .008' mass='.1'/></body>"
        "<body pos='0 .0299 0'><joint name='d' type='slide' axis='0 -1 0' damping='100'/>"
        "<geom name='d' type='box' size='.008 .005 .008' mass='.1'/></body>"
        "<body><freejoint/><geom name='box' type='box' size='.025 .025 .025' mass='.1'/></body>"
        "</worldbody><actuator><motor joint='a'/><motor joint='b'/><motor joint='c'/><motor joint='d'/>"
        "</actuator>");
    double at[3] = {0}, max = 0.0;
    const int settle = 250;
    for (int i = 0; i < 4; i++) {
        s.d->ctrl[i] = 3.0;
    }
    for (int i = 0; i < settle + 2000; i++) {
        const double a = 2.0 * BR_PI * fmax(i - settle, 0) * 2e-3 / 4.0;
        if (i == settle) {
            mju_copy3(at, s.d->qpos + 4);
            scene_count(&s);
        }
        s.m->opt.gravity[0] = gravity * sin(a) * cos(2.0 * a);
        s.m->opt.gravity[1] = gravity * sin(a) * sin(2.0 * a);
        s.m->opt.gravity[2] = -gravity * cos(a) * fmin(1.0, (double)i / settle);
        scene_step(&s);
        max = i >= settle ? fmax(max, mju_dist3(at, s.d->qpos + 4)) : 0.0;
    }
    const measured out = {{1e6 * mju_dist3(at, s.d->qpos + 4), 1e6 * max}, scene_cost(&s)};
    scene_free(&s);
    return out;
}

/* ---- a plate between two pads turns in the hand as the grip varies, scenarios/in_hand.yaml ---- */

static const double pivot_sigma0 = 1e5, pivot_sigma1 = 100.0;

static measured pivot(const method* how)
{
    br_patch* patch = disc_of(0.01);
    const br_law law = law_of(1.0, pivot_sigma0, pivot_sigma1);
    brm_pair pairs[2] = {pair_of("plate", "left"), pair_of("plate", "right")};
    for (int i = 0; i < 2; i++) {
        pairs[i].patch = patch;
        pairs[i].law = &law;
    }
    // MuJoCo's torque is that of the pads' corners, at the radius r = 2/3 R of a disc; the plate is thin, so that
    // its inertia is that of the scenario
    scene s = scene_make(
        how, pairs, 2, 1e-3,
        "<default><geom friction='1 .0001 0' solref='.004 1'/></default><worldbody>"
        "<body pos='-.0059 -.002 0'><joint name='l' type='slide' axis='1 0 0' damping='2'/>"
        "<geom name='left' type='box' size='.005 .00471 .00471' mass='.02'/></body>"
        "<body pos='.0059 -.002 0'><joint name='r' type='slide' axis='-1 0 0' damping='2'/>"
        "<geom name='right' type='box' size='.005 .00471 .00471' mass='.02'/></body>"
        "<body><freejoint/><geom name='plate' type='box' size='.001 .075 .05' mass='.2'/></body></worldbody>"
        "<actuator><motor joint='l'/><motor joint='r'/></actuator>");
    double y = 0.0, z = 0.0, turn = 0.0;
    s.m->opt.gravity[2] = 0.0;
    for (int i = -200; i < 2000; i++) {
        const int held = i < 0 ? 0 : i / 10;
        s.d->ctrl[0] = s.d->ctrl[1] = 1.73 + 0.91 * sin(4.0 * BR_PI * 0.01 * held);
        if (i == 0) { // gripped: switch gravity on
            s.m->opt.gravity[2] = -gravity;
            y = s.d->qpos[3], z = s.d->qpos[4], turn = 0.0;
            scene_count(&s);
        }
        const double w = s.d->qvel[5];
        scene_step(&s);
        turn += 0.5e-3 * (w + s.d->qvel[5]);
    }
    const measured out = {{1e3 * (s.d->qpos[3] - y), 1e3 * (s.d->qpos[4] - z), turn},
                          scene_cost(&s)};
    scene_free(&s);
    br_patch_destroy(patch);
    return out;
}

/* ---- a wedge is pressed in between two faces, 15 degrees steep, left alone, and pulled ---- */

static measured wedge(const method* how)
{
    const double a = 15.0, touch = (.0196 - .0195 * cos(a * BR_PI / 180)) / sin(a * BR_PI / 180);
    const br_law law = law_of(0.5, 1e6, 500.0); // bristles stiffer than the faces
    brm_pair pairs[2] = {pair_of("left", "l"), pair_of("right", "r")};
    pairs[0].law = pairs[1].law = &law;
    scene s = scene_make(
        how, pairs, 2, 2e-3,
        "<default><geom friction='.5 .0001 0' solref='.004 1' solimp='.99 .999 .001'/></default><worldbody>"
        "<geom name='left' type='box' pos='-.03 0 0' euler='0 %g 0' size='.01 .02 .06'/>"
        "<geom name='right' type='box' pos='.03 0 0' euler='0 %g 0' size='.01 .02 .06'/>"
        "<body><joint type='slide' axis='0 0 1'/><joint type='slide' axis='1 0 0'/>"
        "<joint type='hinge' axis='0 1 0'/>"
        "<geom name='l' type='box' pos='-.0105 0 0' euler='0 %g 0' size='.0096 .01 .02' mass='.05'/>"
        "<geom name='r' type='box' pos='.0105 0 0' euler='0 %g 0' size='.0096 .01 .02' mass='.05'/>"
        "</body></worldbody>",
        -a, a, -a, a);
    measured out = {{0}, 0.0};
    s.d->qpos[0] = touch + 1e-6; // 1 um above
    for (int i = 0; i < 2000; i++) {
        s.d->qfrc_applied[0] = i < 500 ? -20.0 * fmin(1.0, i / 250.0) : i < 1000 ? 0.0 : 3.0;
        scene_step(&s);
        const int at = i == 499 ? 0 : i == 999 ? 1 : 2;
        out.value[at] = 1e6 * fmin(s.d->qpos[0] - touch, 1e-3); // 1 mm above: it came out
    }
    out.cost = scene_cost(&s);
    scene_free(&s);
    return out;
}

/* ---- energy: three boxes in a tray are pushed at random ---- */

static double random_number(unsigned long long* seed)
{
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 11) * 0x1p-53 * 2.0 - 1.0;
}

enum { BOXES = 18 }; // degrees of freedom of three boxes

// Kinetic and potential energy of the present state.
static double energy_of(const scene* s)
{
    mj_kinematics(s->m, s->d);
    mj_comPos(s->m, s->d);
    mj_energyPos(s->m, s->d);
    mj_energyVel(s->m, s->d);
    return s->d->energy[0] + s->d->energy[1];
}

// Power of friction at a contact: friction times the velocity of geom2 over geom1 at the CoP [W].
static double friction_power(const scene* s, const brm_contact* c, const brm_pair* pair)
{
    const char* const names[2] = {pair->geom1, pair->geom2};
    double power = 0.0;
    for (int i = 0; i < 2; i++) {
        const int body = s->m->geom_bodyid[mj_name2id(s->m, mjOBJ_GEOM, names[i])];
        mjtNum p[3 * BOXES], r[3 * BOXES], v[3], w[3];
        mj_jac(s->m, s->d, p, r, c->cop, body);
        mju_mulMatVec(v, p, s->d->qvel, 3, BOXES);
        mju_mulMatVec(w, r, s->d->qvel, 3, BOXES);
        power += (i ? 1.0 : -1.0) *
                 (c->f.fx * mju_dot3(v, c->frame + 3) + c->f.fy * mju_dot3(v, c->frame + 6) +
                  c->f.tau * mju_dot3(w, c->frame));
    }
    return power;
}

// Energy that friction put into the bodies in the last step beyond what its bristles stored [J]; must be <= 0.
static double friction_gain(const scene* s, const brm_pair* pairs, size_t count)
{
    const br_step_energy e = brm_get_report(s->adapter).energy;
    double gain = brm_get_report(s->adapter).contacts ? e.work - e.dissipated : 0.0;
    for (size_t i = 0; i < count; i++) {
        const brm_contact c = brm_get_contact(s->adapter, i);
        gain += c.touches ? s->m->opt.timestep * friction_power(s, &c, &pairs[i]) : 0.0;
    }
    return gain;
}

// A random push for 0.1 s, then none for 0.1 s.
static void push(scene* s, int step, unsigned long long* seed)
{
    static const double size[6] = {4.0, 4.0, 0.0, 0.0, 0.0, 0.1}; // [N], [N m]
    for (int k = 0; step % 50 == 0 && k < BOXES; k++) {
        s->d->qfrc_applied[k] = step % 100 ? 0.0 : size[k % 6] * random_number(seed);
    }
}

static measured energy(const method* how)
{
    const brm_pair pairs[6] = {pair_of("floor", "a"), pair_of("floor", "b"), pair_of("floor", "c"),
                               pair_of("a", "b"),     pair_of("a", "c"),     pair_of("b", "c")};
    scene s = scene_make(
        how, pairs, 6, 2e-3,
        "<default><geom friction='.5 .005 0'/></default><worldbody>"
        "<geom name='floor' type='plane' size='5 5 1'/>"
        "<body pos='0 0 .02'><freejoint/><geom name='a' type='box' size='.06 .06 .02' mass='1'/></body>"
        "<body pos='0 0 .06'><freejoint/><geom name='b' type='box' size='.03 .04 .02' mass='.4'/></body>"
        "<body pos='.2 0 .03'><freejoint/><geom name='c' type='box' size='.03 .03 .03' mass='.3'/></body>"
        "</worldbody>");
    unsigned long long seed = 5;
    double put = 0.0, max = 0.0, friction = 0.0;
    for (int i = 0; i < 250; i++) {
        scene_step(&s);
    }
    double lowest = energy_of(&s);
    scene_count(&s);
    for (int i = 0; i < 100000; i++) {
        mjtNum before[BOXES];
        push(&s, i, &seed);
        mju_copy(before, s.d->qvel, BOXES);
        scene_step(&s);
        friction = s.adapter ? fmax(friction, friction_gain(&s, pairs, 6)) : (double)NAN;
        put += 1e-3 * (mju_dot(s.d->qfrc_applied, before, BOXES) +
                       mju_dot(s.d->qfrc_applied, s.d->qvel, BOXES));
        const double left = energy_of(&s) - put;
        max = fmax(max, left - lowest);
        lowest = fmin(lowest, left); // lost energy does not count later
    }
    const measured out = {{1e3 * max, 1e3 * friction}, scene_cost(&s)};
    scene_free(&s);
    return out;
}

/* ---- results of bristle run ---- */

// Final x, y, theta of a scenario.
static void run_scenario(const char* folder, const char* name, const char* const* overrides,
                         double* out)
{
    char path[1000];
    br_scenario* scenario = NULL;
    br_table* table = NULL;
    br_reason why = {"", ""};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    br_status status = br_scenario_read_file(path, overrides, &scenario);
    status = status == BR_OK ? br_scenario_run(scenario, NULL, &table, &why) : status;
    if (status != BR_OK) {
        fprintf(stderr, "%s: %s %s\n", path, br_status_get_text(status), why.text);
        exit(1);
    }
    size_t columns;
    br_table_get_columns(table, &columns);
    const double* last = br_table_get_rows(table) + (br_table_get_row_count(table) - 1) * columns;
    static const char* const names[] = {"x", "y", "theta"};
    for (int i = 0; i < 3; i++) {
        out[i] = last[br_table_find_column(table, names[i])];
    }
    br_table_destroy(table);
    br_scenario_destroy(scenario);
}

/* ---- the table ---- */

// Print a line: the value of each method, and the correct one.
static void print_line(const char* what, const measured* by, int index, const char* right)
{
    printf("%-34s", what);
    for (int i = 0; i < METHODS; i++) {
        const double value = index < 0 ? by[i].cost : by[i].value[index];
        if (isnan(value)) {
            printf(" %13s", "-");
        } else {
            printf(" %13.4g", value);
        }
    }
    printf("  %s\n", right);
    fflush(stdout);
}

static int failures;

// Check a bound on bristle's value.
static void bound(const char* what, double value, double max)
{
    if (!(fabs(value) <= max)) {
        printf("missed: %s is %g, bound %g\n", what, value, max);
        failures++;
    }
}

// Run a case with every method, alternating, as other programs may slow some of them down.
static void measure(measured (*run)(const method* how), int turns, measured* by)
{
    for (int i = 0; i < METHODS * turns; i++) {
        measured* one = &by[i % METHODS];
        const double before = i < METHODS ? HUGE_VAL : one->cost;
        *one = run(&methods[i % METHODS]);
        one->cost = fmin(one->cost, before);
    }
}

// Report the cost of two to four contacts; the aim is at most twice that of MuJoCo with elliptic cones. No bound, as
// other programs run on the machine, too.
static void report_cost(const char* what, const measured* by)
{
    print_line("  us in a step", by, -1, "");
    const double ratio = by[OURS].cost / by[0].cost;
    if (ratio > 2.0) {
        printf("  %s is %.2f times MuJoCo's, more than 2\n", what, ratio);
    }
}

// Report a value beside that of `bristle run`.
static void report_beside(const char* what, const measured* by, int index, double run,
                          double within)
{
    char text[40];
    snprintf(text, sizeof text, "%.4g (bristle run)", run);
    print_line(what, by, index, text);
    bound(what, by[OURS].value[index] / run - 1.0, within);
}

// Report a case whose first value is a creep speed.
static void report_creep(const char* what, measured (*run)(const method* how), double max)
{
    measured by[METHODS];
    measure(run, TURNS, by);
    print_line(what, by, 0, "0");
    bound(what, by[OURS].value[0], max);
    report_cost(what, by);
}

static void report_puck(const char* folder)
{
    measured by[METHODS];
    double run[3];
    run_scenario(folder, "puck.yaml", NULL, run);
    measure(puck, TURNS, by);
    report_beside("puck with spin: distance [mm]", by, 0, 1e3 * hypot(run[0], run[1]), 0.01);
    report_beside("  turn [rad]", by, 1, run[2], 0.01);
    print_line("  us in a step", by, -1, "");
}

static void report_grasp(void)
{
    measured by[METHODS];
    measure(grasp, TURNS, by);
    print_line("four fingers, shaken: off [um]", by, 0, "0");
    print_line("  maximum [um]", by, 1, "elastic");
    bound("four fingers, shaken", by[OURS].value[0], 0.1);
    report_cost("four fingers: cost", by);
}

// The pads of MuJoCo's scene have mass, springs and a damper that reduces a varying grip, unlike those of the
// scenario: 0.2 % of the fall (1.1 % with ten times the damping, 0.1 % with stiffer contacts at 0.25 ms).
static void report_pivot(const char* folder)
{
    measured by[METHODS];
    double run[3];
    char sigma0[40], sigma1[40];
    snprintf(sigma0, sizeof sigma0, "friction.sigma0=%g", pivot_sigma0);
    snprintf(sigma1, sizeof sigma1, "friction.sigma1=%g", pivot_sigma1);
    run_scenario(folder, "in_hand.yaml", (const char* const[]){sigma0, sigma1, NULL}, run);
    measure(pivot, TURNS, by);
    report_beside("pivot in the hand: x [mm]", by, 0, 1e3 * (run[0] - 0.002), 0.005);
    report_beside("  fall [mm]", by, 1, 1e3 * run[1], 0.005);
    report_beside("  turn [rad]", by, 2, run[2], 0.005);
    report_cost("pivot in the hand: cost", by);
}

static void report_wedge(void)
{
    measured by[METHODS];
    measure(wedge, 1, by);
    print_line("wedge pressed by 20 N: height [um]", by, 0, "");
    print_line("  left alone [um]", by, 1, "");
    print_line("  pulled by 3 N [um]", by, 2, "holds; 1000: came out");
    bound("displacement of the wedge", by[OURS].value[2] - by[OURS].value[1], 1.0);
}

static void report_energy(void)
{
    measured by[METHODS];
    measure(energy, 1, by);
    print_line("1e5 random steps: gain [mJ]", by, 0, "0, and MuJoCo's springs");
    print_line("  of friction in a step [mJ]", by, 1, "0");
    bound("gain over MuJoCo's", by[OURS].value[0] / by[0].value[0], 1.0);
    bound("gain of friction in a step", by[OURS].value[1], 1e-6);
    print_line("  us in a step", by, -1, "");
}

int main(int argc, char** argv)
{
    const char* folder = argc > 1 ? argv[1] : "scenarios";
    char title[40];
    snprintf(title, sizeof title, "MuJoCo %s", mj_versionString());
    printf("%-34s", title);
    for (int i = 0; i < METHODS; i++) {
        printf(" %13s", methods[i].name);
    }
    puts("  right");
    report_puck(folder);
    report_creep("box on 15 degrees: creep [um/s]", slope, 1e-5);
    report_creep("pinched capsule, 6 N: creep [um/s]", pinch, 1e-3);
    report_creep("cube on a wall, 10 N: creep [um/s]", wall, 1e-3);
    report_grasp();
    report_pivot(folder);
    report_wedge();
    report_energy();
    return failures > 0;
}
