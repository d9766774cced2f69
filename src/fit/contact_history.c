/*
 * The wrench of a disc of bristles along a measured motion, with its derivatives.
 *
 * Cells at rho_i R (cos, sin), rho from 0 to 1. The twist is linear between rows; u = sigma0 z of a cell
 * follows where steady sliding would have it, T = g v/|v|, as in law_history.c:
 *
 *   u1 = T1 - (T1 - T0) phi(X) + (u0 - T0) e^-X,   X = sigma0 |v| h/g at the mean of both rows   (F-7)
 *
 * and T at the mean where the motion of the cell turns back. Force on the body:
 *
 *   f = -fn sum_i w_i (u + sigma1 (v - |v| u/g) + sigma2 v),   torque with its arm
 */
#include "fit/contact_history.h"

#include <math.h>
#include <string.h>

#include "bristle/math.h"

// Parameters that the bristles know; sigma1, sigma2 and k enter at the end alone.
enum { BY_MU_C, BY_MU_S, BY_V_S, BY_SIGMA0, BY_RADIUS, STATES };
static const int place_of[STATES] = {BR_FIT_CONTACT_MU_C, BR_FIT_CONTACT_MU_S, BR_FIT_CONTACT_V_S,
                                     BR_FIT_CONTACT_SIGMA0, BR_FIT_CONTACT_RADIUS};

// A vector and its derivatives.
typedef struct vector {
    double x, y;
    double dx[STATES], dy[STATES];
} vector;

typedef struct cell {
    double rho, c, s;        // place: R rho (c, s)
    double weight, weight_k; // share of the normal force, and its derivative by k
    vector u;
} cell;

size_t bri_contact_history_work(size_t rings, size_t spokes)
{
    return rings * spokes * sizeof(cell) / sizeof(double);
}

// (1 - rho^k)^(1/k) and its derivative by k
static double pressure(double rho, double k, double* by_k)
{
    const double power = pow(rho, k), rest = 1.0 - power, p = pow(rest, 1.0 / k);
    *by_k = p * (-log(rest) / (k * k) - power * log(rho) / (k * rest));
    return p;
}

static void place_cells(const contact_history* h, double k, cell* cells)
{
    double sum = 0.0, sum_k = 0.0;
    const size_t count = h->rings * h->spokes;
    for (size_t i = 0; i < count; i++) {
        cell* c = &cells[i];
        const double ring = (double)(i / h->spokes) + 0.5;
        const double angle = 2.0 * BR_PI *
                             ((double)(i % h->spokes) + 0.5 * (double)(i / h->spokes % 2)) /
                             (double)h->spokes;
        double by_k;
        memset(c, 0, sizeof *c);
        c->rho = ring / (double)h->rings;
        c->c = cos(angle);
        c->s = sin(angle);
        c->weight = c->rho * pressure(c->rho, k, &by_k); // area goes with rho
        c->weight_k = c->rho * by_k;
        sum += c->weight;
        sum_k += c->weight_k;
    }
    for (size_t i = 0; i < count; i++) {
        cells[i].weight_k = (cells[i].weight_k - cells[i].weight * sum_k / sum) / sum;
        cells[i].weight /= sum;
    }
}

// Speed of a cell, and g there; derivatives of v by the radius alone.
typedef struct sliding {
    double vx, vy, vx_r, vy_r, speed, speed_r;
    double g, g_d[STATES];
    vector target; // T = g v/|v|
} sliding;

static void sliding_eval(const double* p, double vx, double vy, double w, const cell* c, sliding* s)
{
    const double R = p[BR_FIT_CONTACT_RADIUS], x = c->rho * c->c, y = c->rho * c->s;
    s->vx = vx - w * R * y;
    s->vy = vy + w * R * x;
    s->vx_r = -w * y;
    s->vy_r = w * x;
    s->speed = hypot(s->vx, s->vy);
    const double per = s->speed > 0.0 ? 1.0 / s->speed : 0.0, ex = s->vx * per, ey = s->vy * per;
    s->speed_r = ex * s->vx_r + ey * s->vy_r;

    // g = mu_c + (mu_s - mu_c) exp(-(v/v_s)^2)
    const double ratio = s->speed / p[BR_FIT_CONTACT_V_S], e = exp(-ratio * ratio);
    const double drop = (p[BR_FIT_CONTACT_MU_S] - p[BR_FIT_CONTACT_MU_C]) * e;
    const double fall = e == 0.0 ? 0.0 : 2.0 * drop * ratio / p[BR_FIT_CONTACT_V_S];
    s->g = p[BR_FIT_CONTACT_MU_C] + drop;
    s->g_d[BY_MU_C] = 1.0 - e;
    s->g_d[BY_MU_S] = e;
    s->g_d[BY_V_S] = fall * ratio;
    s->g_d[BY_SIGMA0] = 0.0;
    s->g_d[BY_RADIUS] = -fall * s->speed_r;
    s->target.x = ex * s->g;
    s->target.y = ey * s->g;
    for (int k = 0; k < STATES; k++) {
        s->target.dx[k] = ex * s->g_d[k];
        s->target.dy[k] = ey * s->g_d[k];
    }
    s->target.dx[BY_RADIUS] += s->g * per * (s->vx_r - ex * s->speed_r);
    s->target.dy[BY_RADIUS] += s->g * per * (s->vy_r - ey * s->speed_r);
}

// (1 - e^-x)/x and its slope
static double fade(double x, double e, double* slope)
{
    if (x < 1e-3) {
        *slope = -0.5 + x * (1.0 / 3.0 - x / 8.0);
        return 1.0 - x * (0.5 - x * (1.0 / 6.0 - x / 24.0));
    }
    const double value = (1.0 - e) / x;
    *slope = (e - value) / x;
    return value;
}

// The cell's bristle from one row to the next, in a time dt.
static void cell_pass(const double* p, const sliding* a, const sliding* mean, const sliding* b,
                      double dt, vector* u)
{
    const double sigma0 = p[BR_FIT_CONTACT_SIGMA0], X = sigma0 * mean->speed * dt / mean->g;
    const int turns = a->vx * b->vx + a->vy * b->vy <= 0.0;
    const vector *t0 = turns ? &mean->target : &a->target, *t1 = turns ? &mean->target : &b->target;
    const double e = exp(-X);
    double slope;
    const double phi = fade(X, e, &slope);
    const double by_x = -(t1->x - t0->x) * slope - (u->x - t0->x) * e;
    const double by_y = -(t1->y - t0->y) * slope - (u->y - t0->y) * e;
    u->x = t1->x - (t1->x - t0->x) * phi + (u->x - t0->x) * e;
    u->y = t1->y - (t1->y - t0->y) * phi + (u->y - t0->y) * e;
    for (int k = 0; k < STATES; k++) {
        double x_k = -X / mean->g * mean->g_d[k];
        x_k += k == BY_SIGMA0 ? mean->speed * dt / mean->g : 0.0;
        x_k += k == BY_RADIUS ? sigma0 * mean->speed_r * dt / mean->g : 0.0;
        u->dx[k] = e * u->dx[k] + (phi - e) * t0->dx[k] + (1.0 - phi) * t1->dx[k] + by_x * x_k;
        u->dy[k] = e * u->dy[k] + (phi - e) * t0->dy[k] + (1.0 - phi) * t1->dy[k] + by_y * x_k;
    }
}

// Sums of a row: the wrench per -fn, and its derivatives.
typedef struct row_sum {
    double f[3], d[CONTACT_UNKNOWNS][3];
} row_sum;

// Add a force at a cell to column `to`: fx, fy and the torque.
static void add(double to[3], double share, double fx, double fy, double x, double y)
{
    to[0] += share * fx;
    to[1] += share * fy;
    to[2] += share * (x * fy - y * fx);
}

static void cell_add(const double* p, const cell* c, const sliding* s, row_sum* sum)
{
    const double R = p[BR_FIT_CONTACT_RADIUS], x = R * c->rho * c->c, y = R * c->rho * c->s;
    const double sigma1 = p[BR_FIT_CONTACT_SIGMA1], sigma2 = p[BR_FIT_CONTACT_SIGMA2];
    const double rate = s->speed / s->g; // dz = v - rate u
    const double zx = s->vx - rate * c->u.x, zy = s->vy - rate * c->u.y;
    const double fx = c->u.x + sigma1 * zx + sigma2 * s->vx;
    const double fy = c->u.y + sigma1 * zy + sigma2 * s->vy;
    add(sum->f, c->weight, fx, fy, x, y);
    add(sum->d[BR_FIT_CONTACT_K], c->weight_k, fx, fy, x, y);
    add(sum->d[BR_FIT_CONTACT_SIGMA1], c->weight, zx, zy, x, y);
    add(sum->d[BR_FIT_CONTACT_SIGMA2], c->weight, s->vx, s->vy, x, y);
    for (int k = 0; k < STATES; k++) {
        const double speed_k = k == BY_RADIUS ? s->speed_r : 0.0;
        const double rate_k = (speed_k - rate * s->g_d[k]) / s->g;
        const double vx_k = k == BY_RADIUS ? s->vx_r : 0.0, vy_k = k == BY_RADIUS ? s->vy_r : 0.0;
        const double dx = c->u.dx[k] + sigma1 * (vx_k - rate_k * c->u.x - rate * c->u.dx[k]);
        const double dy = c->u.dy[k] + sigma1 * (vy_k - rate_k * c->u.y - rate * c->u.dy[k]);
        add(sum->d[place_of[k]], c->weight, dx + sigma2 * vx_k, dy + sigma2 * vy_k, x, y);
    }
    sum->d[BR_FIT_CONTACT_RADIUS][2] += c->weight * c->rho * (c->c * fy - c->s * fx);
}

static void row_eval(const contact_history* h, const double* p, size_t i, cell* cells, row_sum* sum)
{
    const br_fit_contact_data* d = &h->data;
    const size_t before = i > 0 ? i - 1 : 0;
    memset(sum, 0, sizeof *sum);
    for (size_t k = 0; k < h->rings * h->spokes; k++) {
        sliding a, mean, b;
        sliding_eval(p, d->vx[i], d->vy[i], d->w[i], &cells[k], &b);
        if (i > 0) {
            sliding_eval(p, d->vx[before], d->vy[before], d->w[before], &cells[k], &a);
            sliding_eval(p, 0.5 * (d->vx[before] + d->vx[i]), 0.5 * (d->vy[before] + d->vy[i]),
                         0.5 * (d->w[before] + d->w[i]), &cells[k], &mean);
            cell_pass(p, &a, &mean, &b, d->t[i] - d->t[before], &cells[k].u);
        }
        cell_add(p, &cells[k], &b, sum);
    }
}

void bri_contact_history(const contact_history* h, const double p[CONTACT_UNKNOWNS], double* wrench,
                         double* jacobian)
{
    const size_t count = h->data.count;
    cell* cells = (cell*)h->work;
    row_sum sum;
    place_cells(h, p[BR_FIT_CONTACT_K], cells);
    for (size_t i = 0; i < count; i++) {
        row_eval(h, p, i, cells, &sum);
        for (size_t r = 0; r < 3; r++) {
            wrench[r * count + i] = -h->data.fn[i] * sum.f[r];
            for (size_t k = 0; jacobian && k < CONTACT_UNKNOWNS; k++) {
                jacobian[(3 * k + r) * count + i] = -h->data.fn[i] * sum.d[k][r];
            }
        }
    }
}
