/*
 * Derivatives of the distributed model, fast: four cells at a time (AVX2 and FMA), for gamma = 2.
 *
 * The plain twin, with the equations, is in distributed_gradient.c; a test holds them together. A
 * vector whose bristles are all below z_ba is elastic: d(dz)/dz = 0, d(dz)/dv = I.
 */
#include "planar/distributed_internal.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include "planar/vector_avx2.h"

// Keeps 0/0 away from cells at rest or undeflected: their unit vectors are 0.
static const double tiny = 1e-300;

// Four cells: velocities, deflections, g and what follows from them.
typedef struct cells_vec {
    vec vx, vy, speed, hat_x, hat_y; // v and v/|v|
    vec zx, zy, z, zhat_x, zhat_y;   // z and z/|z|
    vec per_g, fall;                 // 1/g, (dg/dv)/g
} cells_vec;

AVX2 static inline cells_vec cells_at(const br_distributed* m, const double* z, br_twist v,
                                      size_t i)
{
    const br_law* law = &m->law;
    const double per_square = 1.0 / (law->v_stribeck * law->v_stribeck);
    cells_vec c = {.vx = vec_fnma(vec_set(v.w), vec_load(m->y + i), vec_set(v.vx)),
                   .vy = vec_fma(vec_set(v.w), vec_load(m->x + i), vec_set(v.vy)),
                   .zx = vec_load(z + i),
                   .zy = vec_load(z + m->count + i)};
    const vec one = vec_set(1.0), least = vec_set(tiny);
    const vec square = vec_fma(c.vx, c.vx, vec_mul(c.vy, c.vy));
    const vec z_square = vec_fma(c.zx, c.zx, vec_mul(c.zy, c.zy));
    c.speed = vec_sqrt(square);
    c.z = vec_sqrt(vec_max(z_square, least));
    const vec per_speed = vec_div(one, vec_sqrt(vec_max(square, least)));
    const vec per_z = vec_div(one, c.z);
    c.hat_x = vec_mul(c.vx, per_speed);
    c.hat_y = vec_mul(c.vy, per_speed);
    c.zhat_x = vec_mul(c.zx, per_z);
    c.zhat_y = vec_mul(c.zy, per_z);

    // g = mu_c + (mu_s - mu_c) exp(-v^2/v_s^2)                                                  (2)
    const vec drop =
        vec_mul(vec_set(law->mu_s - law->mu_c), vec_exp(vec_mul(square, vec_set(-per_square))));
    c.per_g = vec_div(one, vec_add(drop, vec_set(law->mu_c)));
    c.fall = vec_mul(vec_mul(vec_set(-2.0 * per_square), vec_mul(drop, c.speed)), c.per_g);
    return c;
}

// k and its derivatives with respect to z and v, as in the plain twin.
typedef struct decay_vec {
    vec k, zx, zy, vx, vy;
} decay_vec;

AVX2 static inline decay_vec decay_lugre(const br_law* law, const cells_vec* c)
{
    const vec unit = vec_mul(vec_set(law->sigma0), c->per_g), zero = vec_set(0.0);
    const vec k = vec_mul(unit, c->speed), slope = vec_fnma(k, c->fall, unit);
    return (decay_vec){k, zero, zero, vec_mul(slope, c->hat_x), vec_mul(slope, c->hat_y)};
}

AVX2 static inline decay_vec decay_plastic(const br_law* law, const cells_vec* c)
{
    const double band = 1.0 - law->s_ba;
    const vec unit = vec_mul(vec_set(law->sigma0), c->per_g), zero = vec_set(0.0);
    const vec q = vec_mul(unit, c->z), half = vec_set(0.5);
    if (vec_none_greater(q, vec_set(law->s_ba))) {
        return (decay_vec){zero, zero, zero, zero, zero};
    }
    // alpha = (1 + sin(pi x))/2 and its slope by q, x from -1/2 to 1/2 over the band
    const vec turn = vec_fma(q, vec_set(1.0 / band), vec_set(-0.5 * (1.0 + law->s_ba) / band));
    const vec x = vec_min(vec_max(turn, vec_set(-0.5)), half);
    const vec alpha = vec_fma(half, vec_sin_pi(x), half);
    const vec inside = vec_greater(half, vec_abs(turn));
    const vec d_alpha = vec_select(
        inside,
        vec_mul(vec_set(1.57079632679489661923 / band), vec_sin_pi(vec_sub(half, vec_abs(x)))),
        zero);

    // dk/dz = half ((sigma0/g) alpha' sum z^ + alpha (v - along z^)/|z|), half = sigma0/(2 g)
    const vec half_unit = vec_mul(half, unit);
    const vec along = vec_fma(c->vx, c->zhat_x, vec_mul(c->vy, c->zhat_y));
    const vec sum = vec_add(along, c->speed), over_z = vec_div(alpha, c->z);
    const vec radial = vec_fnma(over_z, along, vec_mul(unit, vec_mul(d_alpha, sum)));
    // dk/dv = half (alpha (z^ + v^) - (alpha' q + alpha) sum dg/g v^)
    const vec fall = vec_mul(vec_mul(vec_fma(d_alpha, q, alpha), sum), c->fall);
    const vec forward = vec_sub(alpha, fall);
    return (decay_vec){vec_mul(half_unit, vec_mul(alpha, sum)),
                       vec_mul(half_unit, vec_fma(radial, c->zhat_x, vec_mul(over_z, c->vx))),
                       vec_mul(half_unit, vec_fma(radial, c->zhat_y, vec_mul(over_z, c->vy))),
                       vec_mul(half_unit, vec_fma(alpha, c->zhat_x, vec_mul(forward, c->hat_x))),
                       vec_mul(half_unit, vec_fma(alpha, c->zhat_y, vec_mul(forward, c->hat_y)))};
}

// out = a I - z d^T of four cells, 0 in the padding
AVX2 static inline void put(double* out, size_t n, vec weight, vec a, const cells_vec* c, vec dx,
                            vec dy)
{
    const vec zero = vec_set(0.0);
    vec_store(out, vec_where_positive(weight, vec_fnma(c->zx, dx, a)));
    vec_store(out + n, vec_where_positive(weight, vec_fnma(c->zx, dy, zero)));
    vec_store(out + 2 * n, vec_where_positive(weight, vec_fnma(c->zy, dx, zero)));
    vec_store(out + 3 * n, vec_where_positive(weight, vec_fnma(c->zy, dy, a)));
}

AVX2 static void gradient(const br_distributed* m, const double* z, br_twist v,
                          const br_distributed_gradient* out)
{
    if (distributed_is_too_fast(m, v)) {
        distributed_gradient_plain(m, z, v, out);
        return;
    }
    const size_t n = m->count;
    const int plastic = m->law.kind == BR_LAW_ELASTO_PLASTIC;
    for (size_t i = 0; i < n; i += LANES) {
        const cells_vec c = cells_at(m, z, v, i);
        const decay_vec d = plastic ? decay_plastic(&m->law, &c) : decay_lugre(&m->law, &c);
        const vec weight = vec_load(m->weight + i);
        put(out->dz_z + i, n, weight, vec_sub(vec_set(0.0), d.k), &c, d.zx, d.zy);
        put(out->dz_v + i, n, weight, vec_set(1.0), &c, d.vx, d.vy);
    }
}

distributed_gradient_fn distributed_fast_gradient(const br_distributed* m)
{
    const int has_vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has_vectors && m->law.gamma == 2.0 ? gradient : NULL;
}

#else

distributed_gradient_fn distributed_fast_gradient(const br_distributed* m)
{
    (void)m;
    return NULL;
}

#endif
