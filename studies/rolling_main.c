/*
 * bristle-rolling: a rolling wheel by bristles in upwind cells, beside closed forms: docs/explanation/rolling.md.
 *
 *   bristle-rolling FOLDER    writes steady.csv, combined.csv, step.csv there, prints the largest differences
 *
 * The numbers are those of a small car tyre: a = 60 mm, 3 kN, mu = 1, cornering stiffness 36 kN/rad.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "rolling_brush.h"

enum { CELLS = 100, WHEELS = 5, STEPS = 80 };

static const double degree = BR_PI / 180.0, speed = 20.0 /* m/s */;

typedef struct named {
    const char* name;
    rolling_pressure pressure;
    rolling_stiffness stiffness;
    rolling_bristle bristle;
} named;

static const named wheels[WHEELS] = {
    {"brush_uniform", ROLLING_UNIFORM, ROLLING_OF_TREAD, ROLLING_BRUSH},
    {"brush_parabolic", ROLLING_PARABOLIC, ROLLING_OF_TREAD, ROLLING_BRUSH},
    {"brush_pressure", ROLLING_PARABOLIC, ROLLING_OF_PRESSURE, ROLLING_BRUSH},
    {"lugre_uniform", ROLLING_UNIFORM, ROLLING_OF_TREAD, ROLLING_LUGRE},
    {"lugre_pressure", ROLLING_PARABOLIC, ROLLING_OF_PRESSURE, ROLLING_LUGRE},
};

static rolling make_wheel(const named* n, size_t cells)
{
    br_law law = br_law_default(BR_LAW_LUGRE);
    law.mu_c = law.mu_s = 1.0;
    law.sigma0 = 200.0; // [1/m]: 36 kN/rad = sigma0 fn a
    return (rolling){n->pressure, n->stiffness, n->bristle, law, 0.06, 3000.0, cells};
}

// Steady state: one step that is long against the passage through the patch.
static br_wrench settle(const rolling* w, rolling_slip slip)
{
    br_vec2 z[4 * CELLS + 1] = {{0.0, 0.0}};
    rolling_advance(w, rolling_motion_of(slip, speed), 1e9, z);
    return rolling_wrench(w, z);
}

static FILE* create(const char* folder, const char* name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* to = fopen(path, "w");
    if (!to) {
        perror(path);
        exit(1);
    }
    return to;
}

// Largest differences from the closed form: forces over mu fn, torques over their largest value.
typedef struct differences {
    double force, torque;
} differences;

static void widen(differences* d, const rolling* w, br_wrench f, br_wrench is)
{
    const double limit = w->law.mu_c * w->fn, torque = 0.1 * limit * w->half_length;
    d->force = fmax(d->force, hypot(f.fx - is.fx, f.fy - is.fy) / limit);
    d->torque = fmax(d->torque, fabs(f.tau - is.tau) / torque);
}

// Slip angles of 0.1 to 25 degrees: lateral force and torque.
static differences write_pure(const named* n, size_t cells, FILE* to)
{
    const rolling w = make_wheel(n, cells);
    differences d = {0.0, 0.0};
    for (int i = 1; i <= 250; i++) {
        const double alpha = 0.1 * i * degree;
        const rolling_slip slip = rolling_slip_of(0.0, alpha);
        const br_wrench f = settle(&w, slip), is = rolling_steady(&w, slip);
        widen(&d, &w, f, is);
        if (to) {
            fprintf(to, "%s,%g,%.8g,%.8g,%.8g,%.8g\n", n->name, 0.1 * i, -f.fy, f.tau, -is.fy,
                    is.tau);
        }
    }
    return d;
}

// Driving and braking, alone and with slip angles.
static differences write_combined(const named* n, FILE* to)
{
    static const double angles[] = {0.0, 2.0, 4.0, 8.0};
    const rolling w = make_wheel(n, CELLS);
    differences d = {0.0, 0.0};
    for (size_t k = 0; k < 4; k++) {
        for (int i = -60; i <= 60; i++) {
            const double kappa = i / 100.0;
            const rolling_slip slip = rolling_slip_of(kappa, angles[k] * degree);
            const br_wrench f = settle(&w, slip), is = rolling_steady(&w, slip);
            widen(&d, &w, f, is);
            fprintf(to, "%s,%g,%g,%.8g,%.8g,%.8g,%.8g,%.8g,%.8g\n", n->name, angles[k], kappa, f.fx,
                    -f.fy, f.tau, is.fx, -is.fy, is.tau);
        }
    }
    return d;
}

// Step to a slip of 1e-4, with `per_cell` time steps per cell; returns the distance to 1 - 1/e of the force, over 2a.
static double write_step(const named* n, int per_cell, differences* d, FILE* to)
{
    const rolling w = make_wheel(n, CELLS);
    const rolling_slip slip = {0.0, 1e-4};
    const br_wrench end = rolling_steady(&w, slip);
    const double du = 1.0 / (CELLS * per_cell), h = du * 2.0 * w.half_length / speed;
    br_vec2 z[CELLS + 1] = {{0.0, 0.0}};
    double length = 0.0, before = 0.0;
    for (int i = 1; i <= 3 * CELLS * per_cell / 2; i++) {
        rolling_advance(&w, rolling_motion_of(slip, speed), h, z);
        const br_wrench f = rolling_wrench(&w, z);
        const double u = du * i, share = f.fy / end.fy, part = f.tau / end.tau;
        if (before < -expm1(-1.0) && share >= -expm1(-1.0)) {
            length = u - du * (share + expm1(-1.0)) / (share - before);
        }
        before = share;
        d->force = fmax(d->force, fabs(share - rolling_step_force(&w, u)));
        d->torque = fmax(d->torque, fabs(part - rolling_step_torque(u)));
        if (to) {
            fprintf(to, "%s,%g,%.8g,%.8g,%.8g,%.8g\n", n->name, u, share, part,
                    rolling_step_force(&w, u), rolling_step_torque(u));
        }
    }
    return length;
}

static void print_steady(const char* folder)
{
    FILE* pure = create(folder, "steady.csv");
    FILE* combined = create(folder, "combined.csv");
    fputs("wheel,angle,fy,tau,fy_closed,tau_closed\n", pure);
    fputs("wheel,angle,kappa,fx,fy,tau,fx_closed,fy_closed,tau_closed\n", combined);
    printf("largest differences from closed forms, %d cells, percent of mu fn and 0.1 mu fn a\n"
           "wheel            pure: force  torque  combined: force  torque\n",
           CELLS);
    for (size_t i = 0; i < WHEELS; i++) {
        const differences a = write_pure(&wheels[i], CELLS, pure);
        const differences b = write_combined(&wheels[i], combined);
        printf("%-16s %11.4f %7.4f %16.4f %7.4f\n", wheels[i].name, 100.0 * a.force,
               100.0 * a.torque, 100.0 * b.force, 100.0 * b.torque);
    }
    fclose(pure);
    fclose(combined);
    printf("pure, by the number of cells\n");
    static const size_t cells[] = {10, 20, 50, 100, 200, 400};
    for (size_t k = 0; k < 6; k++) {
        printf("%5zu", cells[k]);
        for (size_t i = 0; i < WHEELS; i++) {
            const differences a = write_pure(&wheels[i], cells[k], NULL);
            printf("  %7.4f %7.4f", 100.0 * a.force, 100.0 * a.torque);
        }
        printf("\n");
    }
}

static void print_steps(const char* folder)
{
    FILE* to = create(folder, "step.csv");
    fputs("wheel,u,force,torque,force_closed,torque_closed\n", to);
    printf("step of the slip angle, length to 1 - 1/e over 2a, closed form %.5f\n"
           "steps per cell   length   error   curve: force  torque\n",
           rolling_step_length());
    for (int per_cell = 1; per_cell <= 8; per_cell *= 2) {
        differences d = {0.0, 0.0};
        const double length = write_step(&wheels[1], per_cell, &d, per_cell == 2 ? to : NULL);
        printf("%14d  %7.5f %6.2f %% %13.4f %7.4f\n", per_cell, length,
               100.0 * (length / rolling_step_length() - 1.0), d.force, d.torque);
    }
    differences d = {0.0, 0.0};
    write_step(&wheels[2], 2, &d, to);
    printf("stiffness of the pressure, curve: force %.4f\n", d.force);
    fclose(to);
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bristle-rolling FOLDER\n");
        return 2;
    }
    print_steady(argv[1]);
    print_steps(argv[1]);
    return 0;
}
