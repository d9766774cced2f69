/*
 * Does friction depend on the step? The arm of Huang et al. (Figs. 4 to 7), its end sliding on a
 * parabola, with fixed steps: with the normal force of the same instant, in closed form, and with
 * that of the previous step, as in a program that gets Lagrange multipliers only after a step.
 *
 * Prints the error of the end point after 0.3 s, against an adaptive run: both converge as steps
 * shrink, but the old normal force is one step late, so that its order is 1 with any method.
 */
#include <bristle/bristle.h>
#include <math.h>
#include <stdio.h>

enum { N = 2, STATES = 2 * N };

static const double mu = 0.3, duration = 0.3; // [-], [s]

// The arm, and the normal force for friction; < 0: that of the instant.
typedef struct problem {
    br_mechanism arm;
    double old_normal; // [N]
    double normal;     // of the last evaluated instant [N]
} problem;

// Rates of q and qd; the contact slides all the time, towards +x.
static void rate(problem* p, double t, const double* y, double* dy)
{
    double M[N * N] = {0}, Q[N] = {0}, A[N] = {0}, b[1], gap[1], point[2], J[2 * N] = {0}, bias[2],
                 normal[2];
    double work[200];
    br_mechanism_terms terms = {.M = M,
                                .Q = Q,
                                .A = A,
                                .b = b,
                                .gap = gap,
                                .point = point,
                                .J = J,
                                .bias = bias,
                                .normal = normal};
    const br_mechanism_at at = {t, t, y, y + N};
    p->arm.dynamics(&at, &terms, p->arm.user);
    p->arm.constraint(&at, &terms, p->arm.user);
    p->arm.contact(&at, &terms, p->arm.user);
    const br_constrained system = {.n = N,
                                   .m = 1,
                                   .d = 2,
                                   .M = M,
                                   .Q = Q,
                                   .A = A,
                                   .b = b,
                                   .J = J,
                                   .qd = y + N,
                                   .bias = bias,
                                   .normals = 1,
                                   .normal = normal};

    // friction against the motion: mu times the normal force, of the instant or the old one
    br_resistance friction = {{0}, {0}};
    const double tangent[2] = {normal[1], -normal[0]};
    for (int i = 0; i < 2; i++) {
        friction.per_normal[i] = p->old_normal < 0.0 ? -mu * tangent[i] : 0.0;
        friction.fixed[i] = p->old_normal < 0.0 ? 0.0 : -mu * p->old_normal * tangent[i];
    }
    br_constrained_slide_value slide;
    br_constrained_slide(&system, &friction, BR_NORMAL_GEOMETRIC, work, &slide);
    p->normal = fabs(slide.n);
    for (int i = 0; i < N; i++) {
        dy[i] = y[N + i];
        dy[N + i] = slide.qdd[i];
    }
}

static void add(const double* y, const double* dy, double h, double* to)
{
    for (int i = 0; i < STATES; i++) {
        to[i] = y[i] + h * dy[i];
    }
}

static void euler(problem* p, double t, double h, double* y)
{
    double k[STATES];
    rate(p, t, y, k);
    add(y, k, h, y);
}

// The classical Runge-Kutta method.
static void runge_kutta(problem* p, double t, double h, double* y)
{
    double k[4][STATES], x[STATES];
    rate(p, t, y, k[0]);
    const double normal = p->normal; // at the start of the step
    add(y, k[0], 0.5 * h, x);
    rate(p, t + 0.5 * h, x, k[1]);
    add(y, k[1], 0.5 * h, x);
    rate(p, t + 0.5 * h, x, k[2]);
    add(y, k[2], h, x);
    rate(p, t + h, x, k[3]);
    for (int i = 0; i < STATES; i++) {
        y[i] += h * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]) / 6.0;
    }
    p->normal = normal;
}

static double end_x(const br_two_link* arm, const double* q)
{
    return arm->length[0] * cos(q[0]) + arm->length[1] * cos(q[0] + q[1]);
}

static double run_steps(const br_two_link* arm, const double* start, int steps, int is_old,
                        int has_order_4)
{
    double y[STATES], unused[STATES];
    const double h = duration / steps;
    problem p = {.arm = br_two_link_mechanism(arm), .old_normal = -1.0};
    for (int i = 0; i < STATES; i++) {
        y[i] = start[i];
    }
    rate(&p, 0.0, y, unused); // the first step has a normal force, too
    for (int i = 0; i < steps; i++) {
        p.old_normal = is_old ? p.normal : -1.0;
        if (has_order_4) {
            runge_kutta(&p, i * h, h, y);
        } else {
            euler(&p, i * h, h, y);
        }
    }
    return end_x(arm, y);
}

// The end of the arm in the last row.
typedef struct end {
    size_t column;
    double x;
} end;

static void find_end(const br_column* columns, size_t count, void* user)
{
    ((end*)user)->column = br_column_find(columns, count, "x");
}

static void store_last(const double* row, void* user)
{
    end* e = user;
    e->x = isnan(e->x) && row[0] > 0.0 ? e->x : row[e->column];
}

static void spoil(const br_run_event* event, void* user)
{
    (void)event;
    ((end*)user)->x = (double)NAN; // it should slide all the time
}

static double run_adaptive(const br_two_link* arm, const double* start)
{
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = br_two_link_mechanism(arm);
    def.q = start, def.qd = start + N, def.project = 1;
    def.law.mu_c = def.law.mu_s = mu;
    br_run_def run = br_run_def_default();
    end e = {0};
    run.duration = run.every = duration;
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = find_end,
                                .row = store_last,
                                .event = spoil,
                                .user = &e};
    br_mechanism_run(&def, &run, &watch, NULL, NULL);
    return e.x;
}

int main(void)
{
    const br_two_link arm = {.mass = {1, 1},
                             .length = {1, 2},
                             .gravity = 9.8,
                             .beta = 0.25,
                             .torque = {br_profile_constant(0), br_profile_constant(2)}};
    double start[STATES];
    br_two_link_start(&arm, (br_vec2){1.2, 0.25 * 1.44}, 0, start);

    // the end moves along the path: A qd = 0
    double A[N], b[1], gap[1];
    br_mechanism_terms terms = {.A = A, .b = b, .gap = gap};
    const br_mechanism m = br_two_link_mechanism(&arm);
    start[2] = start[3] = 0.0;
    m.constraint(&(br_mechanism_at){0, 0, start, start + N}, &terms, m.user);
    start[2] = -2.0 * A[1] / hypot(A[0], A[1]), start[3] = 2.0 * A[0] / hypot(A[0], A[1]);
    if (-start[2] * (arm.length[0] * sin(start[0]) + arm.length[1] * sin(start[0] + start[1])) -
            start[3] * arm.length[1] * sin(start[0] + start[1]) <
        0.0) {
        start[2] = -start[2], start[3] = -start[3];
    }

    const double truth = run_adaptive(&arm, start);
    double error[4], before[4] = {0}, order[4] = {0};
    printf(
        "error of the end point [m]\n           Euler                     Runge-Kutta, order 4\n");
    printf("step [ms]  of the instant  old      of the instant  old\n");
    for (int steps = 25; steps <= 800; steps *= 2) {
        printf("%8.3f ", 1e3 * duration / steps);
        for (int i = 0; i < 4; i++) {
            error[i] = fabs(run_steps(&arm, start, steps, i % 2, i / 2) - truth);
            order[i] = log2(before[i] / error[i]);
            before[i] = error[i];
            printf("  %11.2e", error[i]);
        }
        printf("\n");
    }
    printf("order    ");
    for (int i = 0; i < 4; i++) {
        printf("  %11.2f", order[i]);
    }
    printf("\n");
    return !(fabs(order[0] - 1.0) < 0.1 && fabs(order[1] - 1.0) < 0.1 &&
             fabs(order[3] - 1.0) < 0.1 && error[2] < 1e-3 * error[3]);
}
