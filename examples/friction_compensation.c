/*
 * Friction compensation in a controller: the end of an arm moves repeatedly along a parabola,
 * pressed against it with 20 N. A controller that knows the arm (computed torque) follows badly. It
 * follows well if it adds the friction that Huang et al. give in closed form, from the normal force
 * (19). (19) is that without friction, which is correct here: compensated friction does not press.
 *
 * With a file name as argument it writes t, x_wanted, x_without, x_with, x_coarse there; for the
 * last the controller assumes a friction coefficient that is 20 % too small.
 */
#include <bristle/bristle.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 2, ROWS = 1001 };

static const double mu = 0.3, pressed = 20.0;          // [-], [N]
static const double stiffness = 100.0, damping = 20.0; // of the controller [1/s^2], [1/s]
static const double duration = 10.0;                   // [s]
static const double slow = 0.02; // below it the wanted speed has no reliable direction [m/s]

// An arm with its controller.
typedef struct controlled {
    br_two_link arm;
    br_mechanism plain; // the arm alone
    double share;       // fraction of the friction that is compensated [-]
    double x[ROWS];     // positions of its end
    size_t rows;
    size_t x_column; // of the end, in a row of the run
} controlled;

static double wanted_x(double t)
{
    return 1.6 - 0.35 * cos(1.5 * t);
}

// Wanted joint angles, speeds and accelerations.
static void wanted(const br_two_link* arm, double t, double q[3][N])
{
    const double h = 1e-4; // differences are accurate to 1e-7
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

// Terms of the arm alone at an instant.
typedef struct arm_state {
    double A[N], b[1], gap[1], point[2], J[2 * N], bias[2], normal[2];
} arm_state;

static void eval_arm(const controlled* c, const br_mechanism_at* at, br_mechanism_terms* out,
                     arm_state* s)
{
    *s = (arm_state){.gap = {0.0}};
    br_mechanism_terms rest = {.A = s->A,
                               .b = s->b,
                               .gap = s->gap,
                               .point = s->point,
                               .J = s->J,
                               .bias = s->bias,
                               .normal = s->normal};
    c->plain.dynamics(at, out, c->plain.user);
    c->plain.constraint(at, &rest, c->plain.user);
    c->plain.contact(at, &rest, c->plain.user);
}

// tau = M (qdd* + damping (qd* - qd) + stiffness (q* - q)) - Q - J^T n pressed
static void computed_torque(const br_mechanism_at* at, const br_mechanism_terms* arm,
                            const arm_state* s, double target[3][N], double tau[N])
{
    double a[N];
    for (int i = 0; i < N; i++) {
        a[i] = target[2][i] + damping * (target[1][i] - at->qd[i]) +
               stiffness * (target[0][i] - at->q[i]);
    }
    for (int i = 0; i < N; i++) {
        tau[i] = arm->M[i * N] * a[0] + arm->M[i * N + 1] * a[1] - arm->Q[i] -
                 pressed * (s->J[i] * s->normal[0] + s->J[N + i] * s->normal[1]);
    }
}

// Against friction: J^T t mu |F_n|, F_n of (19) with the torques so far, t along the wanted motion.
static void add_compensation(const br_mechanism_at* at, const br_mechanism_terms* arm,
                             const arm_state* s, double target[3][N], double share, double tau[N])
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
                                   .A = s->A,
                                   .b = s->b,
                                   .J = s->J,
                                   .qd = at->qd,
                                   .bias = s->bias};
    br_constrained_value value;
    br_constrained_eval(&system, work, &value);
    const double tangent[2] = {s->normal[1], -s->normal[0]};
    double speed = 0.0;
    for (int i = 0; i < N; i++) {
        speed += (s->J[i] * tangent[0] + s->J[N + i] * tangent[1]) * target[1][i];
    }
    const double force = share * mu * hypot(value.f_n[0], value.f_n[1]) * tanh(speed / slow);
    for (int i = 0; i < N; i++) {
        tau[i] += force * (s->J[i] * tangent[0] + s->J[N + i] * tangent[1]);
    }
}

static void dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const controlled* c = user;
    double target[3][N], tau[N];
    arm_state s;
    eval_arm(c, at, out, &s);
    wanted(&c->arm, at->t, target);
    computed_torque(at, out, &s, target, tau);
    if (c->share > 0.0) {
        add_compensation(at, out, &s, target, c->share, tau);
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

static void on_start(const br_column* columns, size_t count, void* user)
{
    ((controlled*)user)->x_column = br_column_find(columns, count, "x");
}

static void on_row(const double* row, void* user)
{
    controlled* c = user;
    if (c->rows < ROWS) {
        c->x[c->rows++] = row[c->x_column];
    }
}

// Root mean square of x - x_wanted after the first second [m]; < 0: the run failed.
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
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = on_start, .row = on_row, .user = c};
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
