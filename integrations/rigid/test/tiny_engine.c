#include "tiny_engine.h"

#include <math.h>
#include <string.h>

static const double reach = 1e-3; // gap up to which points are found [m]

void tiny_open(tiny_engine* e, const brg_def* def)
{
    memset(e, 0, sizeof *e);
    e->gravity[2] = -9.81;
    brg_create(def, &e->friction, NULL);
}

void tiny_close(tiny_engine* e)
{
    brg_destroy(e->friction);
}

// Inverse inertia in world axes, R I^-1 R^T.
static void set_inertia(brg_body* b, const tiny_box* box)
{
    double inverse[3];
    for (int i = 0; i < 3; i++) {
        const double p = box->half[(i + 1) % 3], q = box->half[(i + 2) % 3];
        inverse[i] = 3.0 / (box->mass * (p * p + q * q));
    }
    for (int i = 0; i < 9; i++) {
        b->inv_inertia[i] = 0.0;
        for (int k = 0; k < 3; k++) {
            b->inv_inertia[i] += b->R[3 * (i / 3) + k] * inverse[k] * b->R[3 * (i % 3) + k];
        }
    }
}

int tiny_add(tiny_engine* e, tiny_box box, double x, double y, double z)
{
    brg_body* b = &e->bodies[e->count];
    e->boxes[e->count] = box;
    *b = (brg_body){.x = {x, y, z}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < 3 && box.mass > 0.0; i++) {
        b->inv_mass[i] = 1.0 / box.mass;
    }
    if (box.mass > 0.0) {
        set_inertia(b, &box);
    }
    return (int)e->count++;
}

static void add_point(tiny_engine* e, int a, int b, const double* x, double gap)
{
    const double mu = (a < 0 ? 1.0 : e->boxes[a].mu) * e->boxes[b].mu;
    e->points[e->point_count++] = (brg_point){.x = {x[0], x[1], x[2]},
                                              .n = {0.0, 0.0, 1.0},
                                              .gap = gap,
                                              .mu = mu,
                                              .pair = (uint64_t)(a + 1) << 32 | (uint64_t)b,
                                              .a = a,
                                              .b = b};
}

static void corner(const tiny_engine* e, int i, int k, double* x)
{
    const brg_body* b = &e->bodies[i];
    const double* half = e->boxes[i].half;
    const double p[3] = {k & 1 ? half[0] : -half[0], k & 2 ? half[1] : -half[1],
                         k & 4 ? half[2] : -half[2]};
    for (int q = 0; q < 3; q++) {
        x[q] = b->x[q] + b->R[3 * q] * p[0] + b->R[3 * q + 1] * p[1] + b->R[3 * q + 2] * p[2];
    }
}

// Corners of b over the plane; over box a: the overlap of both, whose faces are nearly level.
static void find_points(tiny_engine* e)
{
    e->point_count = 0;
    for (int b = 0; b < (int)e->count; b++) {
        if (e->boxes[b].mass <= 0.0) {
            continue;
        }
        for (int k = 0; k < 8; k++) {
            double x[3];
            corner(e, b, k, x);
            if (x[2] < reach) {
                add_point(e, -1, b, x, x[2]);
            }
        }
        for (int a = 0; a < (int)e->count; a++) {
            const double *xa = e->bodies[a].x, *xb = e->bodies[b].x;
            const double *ha = e->boxes[a].half, *hb = e->boxes[b].half;
            const double gap = xb[2] - hb[2] - xa[2] - ha[2];
            if (a == b || fabs(gap) > reach) {
                continue;
            }
            const double low[2] = {fmax(xa[0] - ha[0], xb[0] - hb[0]),
                                   fmax(xa[1] - ha[1], xb[1] - hb[1])};
            const double high[2] = {fmin(xa[0] + ha[0], xb[0] + hb[0]),
                                    fmin(xa[1] + ha[1], xb[1] + hb[1])};
            for (int k = 0; low[0] < high[0] && low[1] < high[1] && k < 4; k++) {
                const double x[3] = {k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1],
                                     xb[2] - hb[2]};
                add_point(e, a, b, x, gap);
            }
        }
    }
}

// The same points in the other order, their bodies as well.
static void reverse_points(tiny_engine* e)
{
    brg_point points[TINY_POINTS];
    memcpy(points, e->points, e->point_count * sizeof *points);
    for (size_t i = 0; i < e->point_count; i++) {
        const brg_point* p = &points[e->point_count - 1 - i];
        brg_point* q = &e->points[i];
        *q = *p;
        q->a = p->b;
        q->b = p->a;
        for (int k = 0; k < 3; k++) {
            q->n[k] = -p->n[k];
        }
    }
}

static void push(const brg_body* b, const double* impulse, brg_body* out)
{
    for (int i = 0; i < 3; i++) {
        out->v[i] += b->inv_mass[i] * impulse[i];
        for (int k = 0; k < 3; k++) {
            out->w[i] += b->inv_inertia[3 * i + k] * impulse[3 + k];
        }
    }
}

// R = exp(h w) R, by Rodrigues' formula
static void turn(brg_body* b, double h)
{
    const double w = sqrt(b->w[0] * b->w[0] + b->w[1] * b->w[1] + b->w[2] * b->w[2]), angle = h * w;
    if (!(angle > 0.0)) {
        return;
    }
    const double c = cos(angle), s = sin(angle), n[3] = {b->w[0] / w, b->w[1] / w, b->w[2] / w};
    for (int k = 0; k < 3; k++) {
        const double x[3] = {b->R[k], b->R[3 + k], b->R[6 + k]};
        const double nx = n[0] * x[0] + n[1] * x[1] + n[2] * x[2];
        for (int i = 0; i < 3; i++) {
            const int p = (i + 1) % 3, q = (i + 2) % 3;
            b->R[3 * i + k] = c * x[i] + s * (n[p] * x[q] - n[q] * x[p]) + (1.0 - c) * nx * n[i];
        }
    }
}

void tiny_step(tiny_engine* e, double h)
{
    double last[6 * TINY_BODIES];
    find_points(e);
    if (e->reverses && e->step++ % 2) {
        reverse_points(e);
    }
    brg_before(e->friction, h, e->count, last);
    for (size_t i = 0; i < e->count; i++) {
        brg_body* b = &e->bodies[i];
        double impulse[6];
        for (int k = 0; k < 6; k++) {
            const double weight = k < 3 ? e->boxes[i].mass * e->gravity[k] : 0.0;
            impulse[k] = last[6 * i + k] + h * (e->force[i][k] + weight);
        }
        push(b, impulse, b);
    }
    memset(e->force, 0, sizeof e->force);
    brg_after(e->friction, h, e->bodies, e->count, e->points, e->point_count, e->rows, e->row_count,
              e->change);
    e->report = brg_get_report(e->friction);
    for (size_t i = 0; i < e->count; i++) {
        brg_body* b = &e->bodies[i];
        for (int k = 0; k < 3; k++) {
            b->v[k] += e->change[i].dv[k];
            b->w[k] += e->change[i].dw[k];
            b->x[k] += h * b->v[k];
        }
        turn(b, h);
        if (e->boxes[i].mass > 0.0) {
            set_inertia(b, &e->boxes[i]);
        }
    }
}

double tiny_energy(const tiny_engine* e)
{
    double sum = 0.0;
    for (size_t i = 0; i < e->count; i++) {
        const brg_body* b = &e->bodies[i];
        const tiny_box* box = &e->boxes[i];
        for (int k = 0; k < 3 && box->mass > 0.0; k++) {
            const double p = box->half[(k + 1) % 3], q = box->half[(k + 2) % 3];
            const double w = b->R[k] * b->w[0] + b->R[3 + k] * b->w[1] + b->R[6 + k] * b->w[2];
            sum += 0.5 * box->mass * b->v[k] * b->v[k] - box->mass * e->gravity[k] * b->x[k] +
                   box->mass * (p * p + q * q) / 6.0 * w * w;
        }
    }
    return sum;
}
