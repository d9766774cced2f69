/*
 * The distributed contact as a careful loop: no aliasing, no branches, nothing computed twice.
 *
 * W&K = Waltersson & Karayiannidis. Numbers in brackets are that paper's equations.
 */
#include "careful.h"

#include "bench.h"

#include <math.h>

// mu_c + (mu_s - mu_c) exp(-(v/v_s)^2)                                                            (2)
static inline double strength(const br_law* law, double speed2)
{
    const double per_square = 1.0 / (law->v_stribeck * law->v_stribeck);
    return law->mu_c + (law->mu_s - law->mu_c) * exp(-speed2 * per_square);
}

static br_wrench lugre_loop(size_t count, br_law law, br_twist v, const double* restrict x,
                            const double* restrict y, const double* restrict w,
                            const double* restrict zx, const double* restrict zy,
                            double* restrict dzx, double* restrict dzy)
{
    double fx = 0.0, fy = 0.0, tau = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double vx = v.vx - v.w * y[i], vy = v.vy + v.w * x[i], speed2 = vx * vx + vy * vy;

        // dz = v - sigma0 |v|/g z,  f = -(sigma0 z + sigma1 dz + sigma2 v)                   (9), (10)
        const double decay = law.sigma0 * sqrt(speed2) / strength(&law, speed2);
        const double rx = vx - decay * zx[i], ry = vy - decay * zy[i];
        const double lx = law.sigma0 * zx[i] + law.sigma1 * rx + law.sigma2 * vx;
        const double ly = law.sigma0 * zy[i] + law.sigma1 * ry + law.sigma2 * vy;
        dzx[i] = rx;
        dzy[i] = ry;
        fx -= w[i] * lx;
        fy -= w[i] * ly;
        tau -= w[i] * (x[i] * ly - y[i] * lx);
    }
    return (br_wrench){fx, fy, tau};
}

br_wrench careful_lugre_eval(const careful_cells* c, const br_law* law, br_twist v, double fn)
{
    const br_wrench f =
        lugre_loop(c->count, *law, v, c->x, c->y, c->weight, c->zx, c->zy, c->dzx, c->dzy);
    return (br_wrench){fn * f.fx, fn * f.fy, fn * f.tau};
}

// alpha of (18) over q = |z|/z_max
static inline double share_of(const br_law* law, double q)
{
    const double inside = fmin(fmax(q, law->s_ba), 1.0), band = 1.0 - law->s_ba;
    return 0.5 * sin(BR_PI * (inside - 0.5 * (1.0 + law->s_ba)) / band) + 0.5;
}

static br_wrench plastic_loop(size_t count, br_law law, br_twist v, const double* restrict x,
                              const double* restrict y, const double* restrict w,
                              const double* restrict zx, const double* restrict zy,
                              double* restrict dzx, double* restrict dzy)
{
    double fx = 0.0, fy = 0.0, tau = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double vx = v.vx - v.w * y[i], vy = v.vy + v.w * x[i], speed2 = vx * vx + vy * vy;
        const double size2 = zx[i] * zx[i] + zy[i] * zy[i], speed = sqrt(speed2);

        // epsilon = (v^ . z^ + 1)/2,  beta = epsilon alpha(|z|/z_max)                      (16), (17)
        const double per_g = 1.0 / strength(&law, speed2);
        const double along = vx * zx[i] + vy * zy[i], product2 = speed2 * size2;
        const double turned = product2 > 0.0 ? along / sqrt(product2) : 0.0;
        const double beta = 0.5 * (turned + 1.0) * share_of(&law, law.sigma0 * sqrt(size2) * per_g);

        // dz = v - beta sigma0 |v|/g z                                                           (15)
        const double decay = beta * law.sigma0 * speed * per_g;
        const double rx = vx - decay * zx[i], ry = vy - decay * zy[i];
        const double lx = law.sigma0 * zx[i] + law.sigma1 * rx + law.sigma2 * vx;
        const double ly = law.sigma0 * zy[i] + law.sigma1 * ry + law.sigma2 * vy;
        dzx[i] = rx;
        dzy[i] = ry;
        fx -= w[i] * lx;
        fy -= w[i] * ly;
        tau -= w[i] * (x[i] * ly - y[i] * lx);
    }
    return (br_wrench){fx, fy, tau};
}

br_wrench careful_plastic_eval(const careful_cells* c, const br_law* law, br_twist v, double fn)
{
    const br_wrench f =
        plastic_loop(c->count, *law, v, c->x, c->y, c->weight, c->zx, c->zy, c->dzx, c->dzy);
    return (br_wrench){fn * f.fx, fn * f.fy, fn * f.tau};
}

int careful_cells_copy(const br_contact* contact, const double* z, careful_cells* out)
{
    const size_t count = bench_size_of(contact).live, parts = br_contact_get_part_count(contact);
    double* m = br_allocate(7 * count, sizeof *m);
    if (!m) {
        return 0;
    }
    *out = (careful_cells){
        count,        m, m, m + count, m + 2 * count, m + 3 * count, m + 4 * count, m + 5 * count,
        m + 6 * count};
    for (size_t i = 0, n = 0; i < parts; i++) {
        const br_contact_part part = br_contact_get_part(contact, i);
        if (part.weight > 0.0) {
            out->x[n] = part.position.x;
            out->y[n] = part.position.y;
            out->weight[n] = part.weight;
            out->zx[n] = z[i];
            out->zy[n++] = z[parts + i];
        }
    }
    return 1;
}

void careful_cells_clear(careful_cells* cells)
{
    br_release(cells->memory);
    *cells = (careful_cells){0};
}
