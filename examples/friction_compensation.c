/*
 * Friction that a controller knows: the end of an arm is to move to and fro on a parabola, pressed against it with
 * 20 N. A controller that knows the arm (computed torque) follows badly, because of friction; with the friction that
 * Huang et al. give in closed form, from the normal force of (19), added to its torques it follows well. (19) is the
 * normal force without friction: the right one here, for what is compensated does not press.
 *
 * With a file name as argument it writes t, x_wanted, x_without, x_with, x_coarse there, the last with a friction
 * coefficient that is taken for 20 % less than it is.
 */
#include <bristle/bristle.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 2, ROWS = 1001 };

static const double mu = 0.3, pressed = 20.0;          // [-], [N]
static const double stiffness = 100.0, damping = 20.0; // of the controller [1/s^2], [1/s]
static const double duration = 10.0;                   // [s]
static const double slow = 0.02; // below it the wanted speed tells no direction [m/s]

// An arm with its controller.
typedef struct controlled {
    br_two_link arm;
    br_mechanism plain; // the arm alone
    double share;       // of the friction that is compensated [-]
    double x[ROWS];     // where its end was
    size_t rows;
} controlled;

static double wanted_x(double t)
{
    return 1.6 - 0.35 * cos(1.5 * t);
}

// Joint angles that are wanted, their speeds and accelerations.
static void wanted(const br_two_link* arm, double t, double q[3][N])
{
    const double h = 1e-4; // differences are good to 1e-7
    double at[3][N];
    for (int i = 0; i < 3; i++) {
        const double x = wanted_x(t + (i - 1) * h);
        br_two_link_start(arm, (br_vec2){x, arm->beta * x * x}, 0, at[i]);
    }
    for (int j = 0; j < N; j++) {
        q[0][j] = at[1][j];
        q[1][j] = (at[2][j] - at[0][j]) / (2.0 * h);
        q[2][j] = (at[2][j] - 2.0 * at[1][j] + at[0][j]) / (h * h);
    }
}

// What the arm alone tells of an instant.
typedef struct look {
    double A[N], b[1], gap[1], point[2], J[2 * N], bias[2], normal[2];
} look;

static void look_at(const controlled* c, const br_mechanism_at* at, br_mechanism_terms* out,
                    look* l)
{
    *l = (look){.gap = {0.0}};
    br_mechanism_terms rest = {.A = l->A,
                               .b = l->b,
                               .gap = l->gap,
                               .point = l->point,
                               .J = l->J,
                               .bias = l->bias,
                               .normal = l->normal};
    c->plain.dynamics(at, out, c->plain.user);
    c->plain.constraint(at, &rest, c->plain.user);
    c->plain.contact(at, &rest, c->plain.user);
}

// tau = M (qdd* + damping (qd* - qd) + stiffness (q* - q)) - Q - J^T n pressed
static void computed_torque(const br_mechanism_at* at, const br_mechanism_terms* arm, const look* l,
                            double want[3][N], double tau[N])
{
    double a[N];
    for (int i = 0; i < N; i++) {
        a[i] =
            want[2][i] + damping * (want[1][i] - at->qd[i]) + stiffness * (want[0][i] - at->q[i]);
    }
    for (int i = 0; i < N; i++) {
        tau[i] = arm->M[i * N] * a[0] + arm->M[i * N + 1] * a[1] - arm->Q[i] -
                 pressed * (l->J[i] * l->normal[0] + l->J[N + i] * l->normal[1]);
    }
}

// Against friction: J^T t mu |F_n|, F_n of (19) with the torques so far, t where the end is to go.
static void add_compensation(const br_mechanism_at* at, const br_mechanism_terms* arm,
                             const look* l, double want[3][N], double share, double tau[N])
{
    double Q[N], work[200];
    for (int i = 0; i < N; i++) {
        Q[i] = arm->Q[i] + tau[i];
    }
    const br_constrained system = {.n = N,
                                   .m = 1,
                                   .d = 2,
                                   .M = arm->M,
                                   .Q = Q,
                                   .A = l->A,
                                   .b = l->b,
                                   .J = l->J,
                                   .qd = at->qd,
                                   .bias = l->bias};
    br_constrained_value value;
    br_constrained_eval(&system, work, &value);
    const double tangent[2] = {l->normal[1], -l->normal[0]};
    double speed = 0.0;
    for (int i = 0; i < N; i++) {
        speed += (l->J[i] * tangent[0] + l->J[N + i] * tangent[1]) * want[1][i];
    }
    const double force = share * mu * hypot(value.f_n[0], value.f_n[1]) * tanh(speed / slow);
    for (int i = 0; i < N; i++) {
        tau[i] += force * (l->J[i] * tangent[0] + l->J[N + i] * tangent[1]);
    }
}

static void dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const controlled* c = user;
    double want[3][N], tau[N];
    look l;
    look_at(c, at, out, &l);
    wanted(&c->arm, at->t, want);
    computed_torque(at, out, &l, want, tau);
    if (c->share > 0.0) {
        add_compensation(at, out, &l, want, c->share, tau);
    }
    for (int i = 0; i < N; i++) {
        out->Q[i] += tau[i];
        out->power += tau[i] * at->qd[i];
    }
}

static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const controlled* c = user;
    c->plain.constraint(at, out, c->plain.user);
}

static void contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const controlled* c = user;
    c->plain.contact(at, out, c->plain.user);
}

static void on_row(const br_mechanism_row* row, void* user)
{
    controlled* c = user;
    if (c->rows < ROWS) {
        c->x[c->rows++] = row->point[0];
    }
}

// Root mean square of x - x_wanted after the first second [m]; < 0: it did not run.
static double follow(controlled* c, double share)
{
    double start[3][N], sum = 0.0;
    *c = (controlled){.arm = {.mass = {1, 1}, .length = {1, 2}, .gravity = 9.8, .beta = 0.25},
                      .share = share};
    c->plain = br_two_link_mechanism(&c->arm);
    wanted(&c->arm, 0.0, start);
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = c->plain;
    def.mechanism.dynamics = dynamics, def.mechanism.constraint = constraint;
    def.mechanism.contact = contact, def.mechanism.user = c;
    memset(def.mechanism.profiles, 0, sizeof def.mechanism.profiles);
    def.q = start[0], def.project = 1;
    def.law.mu_c = def.law.mu_s = mu;
    br_run_def run = br_run_def_default();
    run.rtol = 1e-7, run.atol = 1e-9;
    run.duration = duration, run.every = duration / (ROWS - 1);
    const br_run_watch watch = {.row.mechanism = on_row, .user = c};
    br_reason why;
    if (br_mechanism_run(&def, &run, &watch, NULL, &why) != BR_OK) {
        fprintf(stderr, "%s %s\n", why.field, why.text);
        return -1.0;
    }
    for (size_t i = ROWS / 10; i < c->rows; i++) {
        const double off = c->x[i] - wanted_x(duration * (double)i / (ROWS - 1));
        sum += off * off;
    }
    return sqrt(sum / (double)(c->rows - ROWS / 10));
}

int main(int argc, char** argv)
{
    static controlled without, with, coarse;
    const double a = follow(&without, 0.0), b = follow(&with, 1.0), c = follow(&coarse, 0.8);
    printf("the end is off by (root mean square)\n");
    printf("  %.2f mm without compensation\n", 1e3 * a);
    printf("  %.2f mm with it\n", 1e3 * b);
    printf("  %.2f mm with a friction coefficient 20 %% too low\n", 1e3 * c);
    FILE* to = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (to) {
        fputs("t,x_wanted,x_without,x_with,x_coarse\n", to);
        for (size_t i = 0; i < ROWS; i++) {
            const double t = duration * (double)i / (ROWS - 1);
            fprintf(to, "%g,%.9g,%.9g,%.9g,%.9g\n", t, wanted_x(t), without.x[i], with.x[i],
                    coarse.x[i]);
        }
        fclose(to);
    }
    return !(a > 0.0 && b > 0.0 && c > 0.0 && 10.0 * b < a && 3.0 * c < a);
}
