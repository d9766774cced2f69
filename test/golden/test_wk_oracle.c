/*
 * An implementation of W&K's models of its own, from their equations and the conventions of their code, which shares
 * nothing with the library but the header of the tests: cells, table of the limit surface, bristles, by the
 * classical Runge-Kutta method. It gives the numbers of Fig 21, of which there are none of the authors' code.
 *
 * The twist is held over 10 ms, so the cells are independent: dz = v - beta(z, v) z sigma0 |v|/g, (15)-(18), and
 * comes to rest in some time constants g/(sigma0 |v|). Arguments: test/golden/wk, test/golden/oracle; or the
 * word `write` and a shape, to print a table.
 */
#include "table.h"

#include <stdlib.h>

enum { N = 21, NODES = 20, HOLDS = 500, EVERY = 10 };

static const double edge = 0.02, hold = 0.01;                   // [m], [s]
static const double sigma0 = 1e6, sigma1 = 800.0, sigma2 = 0.2; // Table I, p = 1
static const double mu_c = 1.0, mu_s = 1.2, v_s = 1e-3, s_ba = 0.9;
static const double pi = 3.14159265358979323846;

typedef struct vec {
    double x[3];
} vec;

// A surface: cells that press, from the grid's middle, and what follows of them.
typedef struct surface {
    size_t count;
    double x[N * N], y[N * N], share[N * N];
    double cop[2], r, u;
    vec h[4 * NODES + 1][NODES + 1]; // limit surface at the nodes (theta, phi)
} surface;

static double norm(const double* a, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * a[i];
    }
    return sqrt(sum);
}

// --- surfaces ---------------------------------------------------------------------------------------

// Rows and columns of Fig 8: blocks of 15 % and 70 % of the grid.
static int presses(int shape, int column, int row)
{
    const int small = 3, large = 14; // int(0.15 N), int(0.7 N)
    const int in_middle = row >= 9 && row < 12;
    const int at_right = column >= N - small;
    if (shape == 1) {
        return in_middle && (column < small || at_right);
    }
    return (in_middle && column < large) || (row >= 4 && row < 18 && at_right);
}

static void lay_cells(surface* s, int shape)
{
    const double d = edge / N;
    s->count = 0;
    s->cop[0] = s->cop[1] = s->u = 0.0;
    for (int i = 0; i < N * N; i++) {
        if (presses(shape, i % N, i / N)) {
            s->x[s->count] = (i % N + 0.5 - N / 2.0) * d;
            s->y[s->count++] = -(i / N + 0.5 - N / 2.0) * d;
        }
    }
    for (size_t i = 0; i < s->count; i++) {
        s->share[i] = 1.0 / (double)s->count;
        s->cop[0] += s->share[i] * s->x[i];
        s->cop[1] += s->share[i] * s->y[i];
    }
    for (size_t i = 0; i < s->count; i++) {
        const double rho[2] = {s->x[i] - s->cop[0], s->y[i] - s->cop[1]};
        s->u += s->share[i] * (rho[0] * rho[0] + rho[1] * rho[1]); // (27)
    }
}

// Coulomb friction (7), (8) at the CoP of a twist at the grid's middle, cell by cell, mu = f_N = 1.
static vec coulomb(const surface* s, vec v)
{
    vec f = {{0.0, 0.0, 0.0}};
    for (size_t i = 0; i < s->count; i++) {
        const double u[2] = {v.x[0] - v.x[2] * s->y[i], v.x[1] + v.x[2] * s->x[i]};
        const double speed = norm(u, 2);
        if (speed > 0.0) {
            const double fx = -s->share[i] * u[0] / speed, fy = -s->share[i] * u[1] / speed;
            f.x[0] += fx;
            f.x[1] += fy;
            f.x[2] += (s->x[i] - s->cop[0]) * fy - (s->y[i] - s->cop[1]) * fx;
        }
    }
    return f;
}

static vec about(double w, double x, double y)
{
    return (vec){{w * y, -w * x, w}};
}

// (21): between rotations about the corners of the cell that holds the CoR. The code's index is cut towards 0.
static vec bilinear(const surface* s, vec at_cop)
{
    const double w = at_cop.x[2], d = edge / N;
    const vec v = {{at_cop.x[0] + w * s->cop[1], at_cop.x[1] - w * s->cop[0], w}};
    const double place[2] = {(-v.x[1] / w + 0.5 * edge) / d, (v.x[0] / w + 0.5 * edge) / d};
    if (fabs(w) < 1e-10 || !(place[0] > -1.0 && place[0] < N && place[1] > -1.0 && place[1] < N)) {
        return coulomb(s, v);
    }
    const int i = (int)place[0], k = (int)place[1];
    const double dx = place[0] - i, dy = place[1] - k;
    vec f = {{0.0, 0.0, 0.0}};
    for (int corner = 0; corner < 4; corner++) {
        const int right = corner % 2, up = corner / 2;
        const double weight = (right ? dx : 1.0 - dx) * (up ? dy : 1.0 - dy);
        const vec part =
            coulomb(s, about(w, (i + right) * d - 0.5 * edge, (k + up) * d - 0.5 * edge));
        for (int q = 0; q < 3; q++) {
            f.x[q] += weight * part.x[q];
        }
    }
    return f;
}

// (23), then (29) at the nodes of (33).
static void make_table(surface* s)
{
    const double most_f = fabs(coulomb(s, (vec){{1.0, 0.0, 0.0}}).x[0]);
    s->r = fabs(bilinear(s, (vec){{0.0, 0.0, 1.0}}).x[2]);
    for (int a = 0; a <= 4 * NODES; a++) {
        for (int b = 0; b <= NODES; b++) {
            const double theta = a * pi / (2 * NODES), phi = b * pi / (2 * NODES);
            const vec f = bilinear(
                s, (vec){{s->r * cos(theta) * sin(phi), s->r * sin(theta) * sin(phi), cos(phi)}});
            s->h[a][b] = (vec){{f.x[0] / most_f, f.x[1] / most_f, f.x[2] / s->r}};
        }
    }
}

// (35)-(42), with phi = atan2(|v_t|, r |w|).
static vec look_up(const surface* s, vec v)
{
    const double sign = v.x[2] < 0.0 ? -1.0 : 1.0;
    double theta = atan2(sign * v.x[1], sign * v.x[0]);
    theta += theta < 0.0 ? 2.0 * pi : 0.0;
    const double phi = atan2(hypot(v.x[0], v.x[1]), s->r * fabs(v.x[2]));
    const double at = theta * 2 * NODES / pi, bt = phi * 2 * NODES / pi;
    const int a = at < 4 * NODES ? (int)at : 4 * NODES - 1, b = bt < NODES ? (int)bt : NODES - 1;
    vec h;
    for (int q = 0; q < 3; q++) {
        const double low = (1.0 - (at - a)) * s->h[a][b].x[q] + (at - a) * s->h[a + 1][b].x[q];
        const double high =
            (1.0 - (at - a)) * s->h[a][b + 1].x[q] + (at - a) * s->h[a + 1][b + 1].x[q];
        h.x[q] = sign * ((1.0 - (bt - b)) * low + (bt - b) * high);
    }
    return h;
}

// --- bristles ---------------------------------------------------------------------------------------

static double stribeck(double speed)
{
    return mu_c + (mu_s - mu_c) * exp(-speed * speed / (v_s * v_s)); // (2)
}

// (16)-(18): z and v of n numbers of one unit, steady deflection z_max.
static double beta(const double* z, const double* v, int n, double z_max)
{
    const double size = norm(z, n), speed = norm(v, n), z_ba = s_ba * z_max;
    if (size <= z_ba) {
        return 0.0;
    }
    double dot = 0.0;
    for (int i = 0; i < n; i++) {
        dot += z[i] * v[i];
    }
    const double along = size > 0.0 && speed > 0.0 ? 0.5 * (dot / (size * speed) + 1.0) : 1.0;
    return size >= z_max
               ? along
               : along * (0.5 + 0.5 * sin(pi * (size - 0.5 * (z_max + z_ba)) / (z_max - z_ba)));
}

// What drives bristles: the rate of z with all its constants.
typedef struct drive {
    int n;
    double pull[3];  // dz of relaxed bristles
    double scale[3]; // S^-1: z in one unit
    double along[3]; // the velocity in that unit
    double decay;    // sigma0 |v|/g
    double z_max;
} drive;

static void rate(const drive* d, const double* z, double* dz)
{
    double scaled[3] = {0};
    for (int i = 0; i < d->n; i++) {
        scaled[i] = d->scale[i] * z[i];
    }
    const double lost = d->decay * beta(scaled, d->along, d->n, d->z_max);
    for (int i = 0; i < d->n; i++) {
        dz[i] = d->pull[i] - lost * z[i];
    }
}

static void step(const drive* d, double h, double* z)
{
    double k[4][3], at[3];
    rate(d, z, k[0]);
    for (int stage = 1; stage < 4; stage++) {
        for (int i = 0; i < d->n; i++) {
            at[i] = z[i] + (stage < 3 ? 0.5 : 1.0) * h * k[stage - 1][i];
        }
        rate(d, at, k[stage]);
    }
    for (int i = 0; i < d->n; i++) {
        z[i] += h * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]) / 6.0;
    }
}

// Over a hold, in steps of a thirtieth of the time constant; what has come to rest stays there.
static void advance(const drive* d, double* z)
{
    const double most = norm(d->pull, d->n);
    const int steps = 1 + (int)(30.0 * d->decay * hold);
    double dz[3];
    for (int i = 0; i < steps; i++) {
        rate(d, z, dz);
        if (norm(dz, d->n) <= 1e-12 * most) {
            return;
        }
        step(d, hold / steps, z);
    }
}

static drive drive_of_cell(const double v[2])
{
    const double speed = norm(v, 2), g = stribeck(speed);
    return (drive){.n = 2,
                   .pull = {v[0], v[1]},
                   .scale = {1.0, 1.0},
                   .along = {v[0], v[1]},
                   .decay = sigma0 * speed / g,
                   .z_max = g / sigma0};
}

// (32): S h in place of the velocity.
static drive drive_of_reduced(const surface* s, vec v)
{
    const vec h = look_up(s, v);
    const double speed = sqrt(v.x[0] * v.x[0] + v.x[1] * v.x[1] + s->r * s->r * v.x[2] * v.x[2]);
    const double g = stribeck(speed), stretch[3] = {1.0, 1.0, s->r};
    drive d = {.n = 3, .decay = sigma0 * speed / g, .z_max = norm(h.x, 3) * g / sigma0};
    for (int i = 0; i < 3; i++) {
        d.pull[i] = -stretch[i] * h.x[i] * speed;
        d.scale[i] = 1.0 / stretch[i];
        d.along[i] = -h.x[i] * speed;
    }
    return d;
}

// --- the profile of Fig 5 ---------------------------------------------------------------------------

// Linear from 0 at a to 1 at b, then from 1 at c to 0 at d.
static double trapezium(double t, double a, double b, double c, double d)
{
    return t <= a || t >= d ? 0.0 : t < b ? (t - a) / (b - a) : t <= c ? 1.0 : (d - t) / (d - c);
}

static vec twist_at(double t)
{
    const double speed = 0.015; // [m/s]
    return (vec){{speed * trapezium(t, 0.8, 1.4, 1.6, 2.2),
                  0.4 * speed * trapezium(t, 2.4, 2.7, 4.3, 4.6),
                  trapezium(t, 0.0, 0.6, 3.4, 4.0)}};
}

// A run: wrenches at the CoP at the end of each hold.
typedef struct run {
    vec distributed[HOLDS], reduced[HOLDS];
} run;

// (13), (14) with (9), over the cells' bristles.
static vec wrench_of_cells(const surface* s, vec v, double (*z)[2])
{
    vec f = {{0.0, 0.0, 0.0}};
    for (size_t i = 0; i < s->count; i++) {
        const double x = s->x[i] - s->cop[0], y = s->y[i] - s->cop[1];
        const double u[2] = {v.x[0] - v.x[2] * y, v.x[1] + v.x[2] * x};
        const drive d = drive_of_cell(u);
        double dz[2], l[2];
        advance(&d, z[i]);
        rate(&d, z[i], dz);
        for (int k = 0; k < 2; k++) {
            l[k] = -s->share[i] * (sigma0 * z[i][k] + sigma1 * dz[k] + sigma2 * u[k]);
            f.x[k] += l[k];
        }
        f.x[2] += x * l[1] - y * l[0];
    }
    return f;
}

// (26)
static vec wrench_of_reduced(const surface* s, vec v, double* z)
{
    const drive d = drive_of_reduced(s, v);
    const double viscous[3] = {v.x[0], v.x[1], s->u * v.x[2]};
    double dz[3];
    vec f;
    advance(&d, z);
    rate(&d, z, dz);
    for (int i = 0; i < 3; i++) {
        f.x[i] = -(sigma0 * z[i] + sigma1 * dz[i] + sigma2 * viscous[i]);
    }
    return f;
}

static surface cells;
static run made;

static void follow(int shape)
{
    static double z[N * N][2];
    double z_reduced[3] = {0.0, 0.0, 0.0};
    lay_cells(&cells, shape);
    make_table(&cells);
    memset(z, 0, sizeof z);
    for (int i = 0; i < HOLDS; i++) {
        const vec v = twist_at(hold * i);
        made.distributed[i] = wrench_of_cells(&cells, v, z);
        made.reduced[i] = wrench_of_reduced(&cells, v, z_reduced);
    }
}

static void write_table(int shape)
{
    follow(shape);
    printf(
        "# W&K's models on NonConvex%d by test_wk_oracle.c, p = 1, elasto-plastic, held 10 ms, every 10th row\n"
        "t,vx,vy,w,fx_d,fy_d,tau_d,fx_r,fy_r,tau_r\n",
        shape);
    for (int i = 0; i < HOLDS; i += EVERY) {
        const vec v = twist_at(hold * i), d = made.distributed[i], r = made.reduced[i];
        printf("%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g\n", hold * i, v.x[0],
               v.x[1], v.x[2], d.x[0], d.x[1], d.x[2], r.x[0], r.x[1], r.x[2]);
    }
}

// --- tests ------------------------------------------------------------------------------------------

static const char *golden_folder, *own_folder;
static table golden;

static void compare(const char* folder, const char* file, double force, double torque)
{
    static const char* const names[2][3] = {{"fx_d", "fy_d", "tau_d"}, {"fx_r", "fy_r", "tau_r"}};
    table_read(&golden, folder, file);
    for (size_t row = 0; row < golden.rows; row++) {
        const int i = (int)lround(table_get(&golden, row, "t") / hold);
        for (int q = 0; q < 3; q++) {
            const double tolerance = q < 2 ? force : torque;
            assert_near(made.distributed[i].x[q], table_get(&golden, row, names[0][q]), tolerance);
            assert_near(made.reduced[i].x[q], table_get(&golden, row, names[1][q]), tolerance);
        }
    }
}

/* Oracle: golden/wk, the authors' code, on the surface of Fig 20: this program is one of W&K's models. */
static void it_is_the_published_model_on_another_surface(void** state)
{
    (void)state;
    follow(1);
    // what the stored numbers are trusted for, README of the reference results
    compare(golden_folder, "vel_zoh_NonConvex1_p1_ep.csv", 1e-5, 1e-7);
}

/* Oracle: golden/wk/surfaces.csv, the authors' code: CoP, r and u of the surface of Fig 21. */
static void the_surface_of_figure_21_is_the_published_one(void** state)
{
    (void)state;
    enum { NON_CONVEX_2 = 5 };
    lay_cells(&cells, 2);
    make_table(&cells);
    table_read(&golden, golden_folder, "surfaces.csv");
    assert_near(cells.cop[0], table_get(&golden, NON_CONVEX_2, "cop_x"), 1e-15 /* m, rounding */);
    assert_near(cells.cop[1], table_get(&golden, NON_CONVEX_2, "cop_y"), 1e-15);
    assert_near(cells.r, table_get(&golden, NON_CONVEX_2, "r_peer_bilinear"), 1e-15);
    assert_near(cells.u, table_get(&golden, NON_CONVEX_2, "u_eq27"), 1e-18 /* m^2 */);
}

/* Oracle: the stored table, which `bristle reproduce wk-fig21` is judged by, is what this program gives. */
static void the_stored_numbers_of_figure_21_are_its_own(void** state)
{
    (void)state;
    follow(2);
    compare(own_folder, "vel_zoh_NonConvex2_p1_ep.csv", 1e-9 /* N: ten digits */, 1e-11);
}

int main(int argc, char** argv)
{
    if (argc > 2 && strcmp(argv[1], "write") == 0) {
        write_table(atoi(argv[2]));
        return 0;
    }
    if (argc < 3) {
        return 2;
    }
    golden_folder = argv[1];
    own_folder = argv[2];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_published_model_on_another_surface),
        cmocka_unit_test(the_surface_of_figure_21_is_the_published_one),
        cmocka_unit_test(the_stored_numbers_of_figure_21_are_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
