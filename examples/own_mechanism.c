/* Your own mechanism: a wagon on a track y = -0.2 cos(5 x), until friction has dissipated its energy. */
#include <bristle/bristle.h>
#include <math.h>
#include <stdio.h>

static const double mass = 0.5, gravity = 9.81; // [kg], [m/s^2]

static double slope(double x)
{
    return sin(5.0 * x);
}

// M qdd = Q: coordinates x, y
static void dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    out->M[0] = out->M[3] = mass;
    out->Q[1] = -mass * gravity;
    out->potential = mass * gravity * at->q[1];
}

// y + 0.2 cos(5 x) = 0, differentiated twice: -slope x'' + y'' = 5 cos(5 x) x'^2
static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    const double x = at->q[0], vx = at->qd[0];
    out->A[0] = -slope(x);
    out->A[1] = 1.0;
    out->b[0] = 5.0 * cos(5.0 * x) * vx * vx;
    out->gap[0] = at->q[1] + 0.2 * cos(5.0 * x);
}

// the contact point is the wagon itself
static void contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    const double size = hypot(slope(at->q[0]), 1.0);
    out->point[0] = at->q[0];
    out->point[1] = at->q[1];
    out->J[0] = out->J[3] = 1.0;
    out->normal[0] = -slope(at->q[0]) / size;
    out->normal[1] = 1.0 / size;
}

// Indices of the columns in a row, and whether the last row sticks.
typedef struct seen {
    size_t x, fn, mode;
    const char* const* modes; // words of that column
    int sticks;
} seen;

static void on_start(const br_column* columns, size_t count, void* user)
{
    seen* s = user;
    s->x = br_column_find(columns, count, "x");
    s->fn = br_column_find(columns, count, "fn");
    s->mode = br_column_find(columns, count, "mode");
    s->modes = columns[s->mode].words;
}

static void on_row(const double* row, void* user)
{
    seen* s = user;
    s->sticks = (int)row[s->mode];
    printf("t %.1f s  x %7.4f m  normal force %7.4f N  %s\n", row[0], row[s->x], row[s->fn],
           s->modes[s->sticks]);
}

int main(void)
{
    const double start[2] = {0.0, -0.2}, velocity[2] = {3.5, 0.0};
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = (br_mechanism){.n = 2,
                                   .m = 1,
                                   .d = 2,
                                   .normals = 1,
                                   .dynamics = dynamics,
                                   .constraint = constraint,
                                   .contact = contact};
    def.q = start, def.qd = velocity;
    def.law.mu_c = 0.1, def.law.mu_s = 0.15;

    seen last = {0};
    br_run_def run = br_run_def_default();
    run.duration = 8.0, run.every = 0.8;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = on_start, .row = on_row, .user = &last};
    br_mechanism_report report;
    br_reason why;
    if (br_mechanism_run(&def, &run, &watch, &report, &why) != BR_OK) {
        fprintf(stderr, "%s %s\n", why.field, why.text);
        return 1;
    }
    printf("friction took %.4f J; off the track by %.0e m, off the balance by %.0e J\n",
           -report.work_friction, report.drift, report.residual);
    return last.sticks && report.drift < 1e-10 && report.residual < 1e-9 ? 0 : 1;
}
