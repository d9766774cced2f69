/*
 * Random mechanisms: beads on parabolas, and chains whose end slides on one.
 *
 * Oracles: the bead in its arc length by Runge and Kutta's method with short steps,
 *
 *   v' = -g sin a - mu |N|/m sign(v),  N/m = g cos a + kappa v^2,  a the slope, kappa the curvature,
 *
 * which stops where v = 0 and the slope holds it. Chains: the constraint itself, and energy: without friction it
 * is constant, with friction it never grows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/scenario.h"
#include "others.h"

static const double earth = 9.81;

typedef struct bead {
    double beta, x, v, mu; // y = beta x^2, start, speed along x's direction
} bead;

// `sign`: direction of motion, the same over a step
static void bead_rate(const bead* of, const double y[2], double sign, double out[2])
{
    const double slope = 2 * of->beta * y[0], root = sqrt(1 + slope * slope);
    const double curvature = 2 * of->beta / (root * root * root);
    const double normal = earth / root + curvature * y[1] * y[1];
    out[0] = y[1] / root;
    out[1] = -earth * slope / root - of->mu * fabs(normal) * sign;
}

static void bead_step(const bead* of, double y[2], double h)
{
    double k[4][2], at[2];
    const double sign = copysign(1, y[1]);
    bead_rate(of, y, sign, k[0]);
    for (int i = 1; i < 4; i++) {
        const double share = i < 3 ? 0.5 * h : h;
        at[0] = y[0] + share * k[i - 1][0];
        at[1] = y[1] + share * k[i - 1][1];
        bead_rate(of, at, sign, k[i]);
    }
    for (int i = 0; i < 2; i++) {
        y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

// position of the bead after some time; it may turn, and stay where the slope is less than mu
static double bead_run(const bead* of, double duration)
{
    enum { STEPS = 40000 };
    double y[2] = {of->x, of->v};
    const double h = duration / STEPS;
    for (int i = 0; i < STEPS; i++) {
        const double before[2] = {y[0], y[1]};
        bead_step(of, y, h);
        if (before[1] * y[1] < 0) { // it turns within the step: to there, and on with the rest
            const double share = before[1] / (before[1] - y[1]);
            y[0] = before[0];
            y[1] = before[1];
            bead_step(of, y, share * h);
            const double slope = 2 * of->beta * y[0];
            if (fabs(slope) <= of->mu) {
                return y[0];
            }
            y[1] = -copysign(1e-12, slope);
            bead_step(of, y, (1 - share) * h);
        }
    }
    return y[0];
}

static br_table* run_text(const char* text, size_t index)
{
    br_scenario* scenario = NULL;
    br_table* table = NULL;
    br_reason why = {0};
    if (br_scenario_read_text(text, "mechanism", NULL, &scenario) != BR_OK) {
        printf("mechanism %zu: %s\n", index, br_scenario_get_error(scenario, 0)->text);
    } else if (br_scenario_run(scenario, NULL, &table, &why) != BR_OK) {
        printf("mechanism %zu: %s: %s\n%s", index, why.field, why.text, text);
        br_table_destroy(table);
        table = NULL;
    }
    br_scenario_destroy(scenario);
    return table;
}

static double value(const br_table* table, size_t row, const char* column)
{
    size_t columns;
    br_table_get_columns(table, &columns);
    return br_table_get_rows(table)[row * columns + br_table_find_column(table, column)];
}

/* Oracle: the bead's own equation, in arc length. */
static size_t check_bead(size_t index, uint64_t* state)
{
    const bead of = {draw(state, 0.2, 2), draw(state, -0.8, 0.8), draw(state, -3, 3),
                     draw(state, 0, 0.6)};
    const double duration = draw(state, 0.3, 2);
    char text[600];
    snprintf(
        text, sizeof text,
        "mechanism: {kind: bead, mass: %.17g, path: {kind: parabola, beta: %.17g}, start: {x: %.17g, v: "
        "%.17g}, mu: %.17g}\nduration: %.17g\noutput: {every: %.17g}\n",
        draw(state, 0.01, 2), of.beta, of.x, of.v, of.mu, duration, duration);
    br_table* table = run_text(text, index);
    if (table == NULL) {
        return 1;
    }
    const size_t last = br_table_get_row_count(table) - 1;
    const double x = value(table, last, "x"), y = value(table, last, "y");
    size_t failed = is_off("x of a bead [m]", index, x, bead_run(&of, duration), 1e-6);
    failed += is_off("y of a bead [m]", index, y, of.beta * x * x, 1e-9);
    br_table_destroy(table);
    return failed;
}

typedef struct chain {
    int links;
    double mass[4], length[4];
} chain;

// kinetic and potential energy of point masses at the links' ends; angles relative to the link before
static double chain_energy(const chain* of, const br_table* table, size_t row)
{
    double x = 0, y = 0, vx = 0, vy = 0, angle = 0, rate = 0, energy = 0;
    for (int i = 0; i < of->links; i++) {
        char name[24];
        snprintf(name, sizeof name, "theta%d", i + 1);
        angle += value(table, row, name);
        snprintf(name, sizeof name, "w%d", i + 1);
        rate += value(table, row, name);
        x += of->length[i] * cos(angle);
        y += of->length[i] * sin(angle);
        vx -= of->length[i] * sin(angle) * rate;
        vy += of->length[i] * cos(angle) * rate;
        energy += of->mass[i] * ((vx * vx + vy * vy) / 2 + earth * y);
    }
    return energy;
}

static void write_list(char* out, size_t size, const double* values, int count)
{
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%.17g", i ? ", " : "", values[i]);
    }
}

/* Oracle: invariants. The end stays on the path; energy is constant without friction, and never grows. */
static size_t check_chain(size_t index, uint64_t* state)
{
    chain of = {.links = 2 + (int)draw(state, 0, 2)};
    double theta[4];
    char text[1200], masses[200], lengths[200], angles[200];
    for (int i = 0; i < of.links; i++) {
        of.mass[i] = draw(state, 0.2, 2);
        of.length[i] = draw(state, 0.4, 1.2);
        theta[i] = i == 0 ? draw(state, -1.2, -0.3) : draw(state, 0.4, 1.1) * (i % 2 ? 1 : -1);
    }
    write_list(masses, sizeof masses, of.mass, of.links);
    write_list(lengths, sizeof lengths, of.length, of.links);
    write_list(angles, sizeof angles, theta, of.links);
    const double beta = draw(state, 0.05, 0.4), mu = index % 3 ? draw(state, 0.02, 0.4) : 0;
    // the parabola goes through the end of the chain as drawn, so that it starts on its path
    double x = 0, y = 0, sum = 0;
    for (int i = 0; i < of.links; i++) {
        sum += theta[i];
        x += of.length[i] * cos(sum);
        y += of.length[i] * sin(sum);
    }
    const double gamma = y - beta * x * x;
    snprintf(
        text, sizeof text,
        "mechanism: {kind: chain, masses: [%s], lengths: [%s], path: {kind: parabola, beta: %.17g, gamma: "
        "%.17g}, start: {theta: [%s]}, project: true, mu: %.17g}\nduration: 0.6\noutput: {every: 0.03}\n",
        masses, lengths, beta, gamma, angles, mu);
    br_table* table = run_text(text, index);
    if (table == NULL) {
        return 1;
    }
    const double start = chain_energy(&of, table, 0);
    double growth = 0, least = start, off = 0;
    for (size_t row = 0; row < br_table_get_row_count(table); row++) {
        const double energy = chain_energy(&of, table, row), px = value(table, row, "x");
        least = fmin(least, energy);
        off = fmax(off, fabs(value(table, row, "y") - beta * px * px - gamma));
        growth = fmax(growth, energy - least); // since the lowest so far
    }
    size_t failed = is_off("distance of a chain from its path [m]", index, off, 0, 1e-8);
    failed += is_off("energy that a chain gains [J]", index, growth, 0, 1e-6);
    failed +=
        mu == 0 && is_off("energy of a chain without friction [J]", index, least, start, 1e-6);
    br_table_destroy(table);
    return failed;
}

size_t check_mechanisms(uint64_t seed, size_t count)
{
    size_t failed = 0;
    for (size_t index = 0; index < count; index++) {
        uint64_t state = seed * 1000037 + index;
        failed += (index % 2 ? check_chain(index, &state) : check_bead(index, &state)) > 0;
    }
    return failed;
}
