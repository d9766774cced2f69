/*
 * The cells of a distributed model within an implicit step, fast: four cells at a time (AVX2 and
 * FMA), for gamma = 2 and the whole law. The plain twin, with the equations, is distributed_pass.c.
 *
 * The plastic root is sought in u, alpha = sin^2(pi u), q = s_ba + 2 (1 - s_ba) u, u in (0, 1/2):
 *   sin^2(pi u) - (T/q - 1)/B = 0
 */
#include "planar/distributed_internal.h"
#include "planar/step_internal.h"

#include "law/law_internal.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include "planar/vector_avx2.h"

#include <float.h>

enum { MOST_NEWTON = 12 };

// Numbers of a step, four times each.
typedef struct numbers {
    vec mu_c, drop, per_v2;                       // (2): mu_s - mu_c, -1/v_s^2
    vec s_ba, band;                               // 1 - s_ba
    vec h, h_sigma0, sigma0, stiff, damp, sigma2; // stiff = sigma0 + sigma1/h, damp = sigma1/h
} numbers;

AVX2 static inline numbers numbers_of(const br_law* law, double h)
{
    return (numbers){.mu_c = vec_set(law->mu_c),
                     .drop = vec_set(law->mu_s - law->mu_c),
                     .per_v2 = vec_set(-1.0 / (law->v_stribeck * law->v_stribeck)),
                     .s_ba = vec_set(law->s_ba),
                     .band = vec_set(1.0 - law->s_ba),
                     .h = vec_set(h),
                     .h_sigma0 = vec_set(h * law->sigma0),
                     .sigma0 = vec_set(law->sigma0),
                     .stiff = vec_set(law->sigma0 + law->sigma1 / h),
                     .damp = vec_set(law->sigma1 / h),
                     .sigma2 = vec_set(law->sigma2)};
}

// Four cells: velocity, where the bristles would be, g, and (dg/g) v^ = fall v.
typedef struct cells_vec {
    vec vx, vy, speed, tx, ty, g, fall;
} cells_vec;

// Their decays and derivatives with respect to the velocity.
typedef struct decay_vec {
    vec x, dx, dy;
} decay_vec;

// Speeds and lengths below this count as this in a division [m/s, m]
static const double least_length = 1e-150;

AVX2 static inline vec length_of(vec x, vec y)
{
    return vec_sqrt(vec_fma(x, x, vec_mul(y, y)));
}

AVX2 static inline vec over_length(vec a)
{
    return vec_div(vec_set(1.0), vec_max(a, vec_set(least_length)));
}

AVX2 static inline decay_vec decay_lugre(const numbers* k, const cells_vec* c)
{
    // x = h sigma0 |v|/g,  dx = h sigma0/g v^ - x dg/g v^
    const vec per_g = vec_div(k->h_sigma0, c->g), x = vec_mul(per_g, c->speed);
    const vec slope = vec_fnma(x, c->fall, vec_mul(per_g, over_length(c->speed)));
    return (decay_vec){x, vec_mul(slope, c->vx), vec_mul(slope, c->vy)};
}

// What the search for u ended with: the root of lanes that are done.
typedef struct search_vec {
    vec u;
    int done; // bit of each lane
} search_vec;

// Newton for u, kept in a bracket.
AVX2 static inline search_vec search_root(const numbers* k, vec B, vec T)
{
    const vec one = vec_set(1.0), two_band = vec_mul(vec_set(2.0), k->band), zero = vec_set(0.0);
    const vec per_B = vec_div(one, B), pi = vec_set(BR_PI);

    // q is at most T, at least T/(1 + B): u is not 0, also where s_ba is
    const vec per_two_band = vec_div(one, two_band), least = vec_div(T, vec_add(one, B));
    vec low = vec_max(vec_mul(vec_sub(least, k->s_ba), per_two_band), zero);
    vec high = vec_min(vec_mul(vec_sub(T, k->s_ba), per_two_band), vec_set(0.5));

    // begin where alpha would be with q at the lower end
    const vec guess = vec_mul(vec_sub(vec_div(T, k->s_ba), one), per_B);
    const vec inside = vec_max(vec_min(guess, one), zero);
    const vec turn = vec_mul(vec_set(1.0 / BR_PI),
                             vec_atan2_quadrant(vec_sqrt(inside), vec_sqrt(vec_sub(one, inside))));
    const vec middle = vec_mul(vec_set(0.5), vec_add(low, high));
    const vec start = vec_select(vec_greater(one, guess), turn, middle);
    search_vec s = {vec_max(vec_min(start, high), low), 0};
    for (int i = 0; i < MOST_NEWTON && s.done != 15; i++) {
        const vec sine = vec_sin_pi(s.u), square = vec_mul(sine, sine);
        const vec cosine = vec_sqrt(vec_max(vec_sub(one, square), vec_set(DBL_EPSILON)));
        const vec per_q = vec_div(one, vec_fma(two_band, s.u, k->s_ba)), ratio = vec_mul(T, per_q);
        const vec residual = vec_fnma(vec_sub(ratio, one), per_B, square);
        const vec twice = vec_mul(vec_set(2.0), vec_mul(sine, cosine)); // sin(2 pi u)
        const vec slope =
            vec_fma(vec_mul(ratio, per_q), vec_mul(two_band, per_B), vec_mul(pi, twice));
        const vec step = vec_div(residual, slope), next = vec_sub(s.u, step);
        const vec is_high = vec_greater(residual, zero);
        high = vec_select(is_high, s.u, high);
        low = vec_select(is_high, low, s.u);
        const vec outside = _mm256_or_pd(vec_greater(low, next), vec_greater(next, high));
        s.u = vec_select(outside, vec_mul(vec_set(0.5), vec_add(low, high)), next);

        // what Newton leaves is about (2 pi step)^2/(2 sin(2 pi u)), and change^2 of q
        const vec left = vec_mul(vec_set(4.0 * BR_PI * BR_PI), vec_mul(step, step));
        const vec change = vec_mul(vec_mul(two_band, step), per_q), limit = vec_set(DBL_EPSILON);
        const vec is_near =
            _mm256_and_pd(_mm256_cmp_pd(left, vec_mul(limit, twice), _CMP_LE_OQ),
                          _mm256_cmp_pd(vec_mul(change, change), limit, _CMP_LE_OQ));
        s.done = _mm256_movemask_pd(_mm256_andnot_pd(outside, is_near));
    }
    return s;
}

// u of four cells in the plastic band; lanes that Newton does not end go to the plain twin.
AVX2 static vec plastic_u(const numbers* k, vec B, vec T, double s_ba)
{
    const search_vec s = search_root(k, B, T);
    if (s.done == 15) {
        return s.u;
    }
    double u[LANES], b[LANES], t[LANES];
    vec_store(u, s.u);
    vec_store(b, B);
    vec_store(t, T);
    for (int i = 0; i < LANES; i++) {
        if (!(s.done >> i & 1)) {
            u[i] = 0.5 * (plastic_root(b[i], t[i], s_ba) - s_ba) / (1.0 - s_ba);
        }
    }
    return vec_load(u);
}

AVX2 static inline decay_vec decay_plastic(const numbers* k, const cells_vec* c, double s_ba)
{
    const vec one = vec_set(1.0), zero = vec_set(0.0);
    const vec length = length_of(c->tx, c->ty), per_g = vec_div(k->sigma0, c->g);
    const vec T = vec_mul(length, per_g);
    if (vec_none_greater(T, k->s_ba)) {
        return (decay_vec){zero, zero, zero};
    }
    const vec per_length = over_length(length), half = vec_mul(vec_set(0.5), vec_mul(k->h, per_g));
    const vec hat_x = vec_mul(c->tx, per_length), hat_y = vec_mul(c->ty, per_length);
    const vec along = vec_fma(c->vx, hat_x, vec_mul(c->vy, hat_y));
    const vec B = vec_mul(half, vec_max(vec_add(c->speed, along), zero));

    // lanes beyond the band have alpha = 1, those below 0; both get a root that is not used
    const vec elastic = vec_greater(T, k->s_ba); // bits: not elastic
    const vec in_band = vec_greater(vec_add(one, B), T);
    const vec counts = _mm256_and_pd(elastic, in_band);
    const vec u = plastic_u(k, vec_select(counts, B, one), vec_select(counts, T, one), s_ba);
    const vec q = vec_fma(vec_mul(vec_set(2.0), k->band), u, k->s_ba), sine = vec_sin_pi(u);
    const vec share = vec_mul(sine, sine), alpha = vec_select(in_band, share, one);
    const vec cosine = vec_sqrt(vec_max(vec_sub(one, share), zero));
    const vec bend = vec_div(vec_mul(vec_set(BR_PI), vec_mul(sine, cosine)), k->band);
    const vec steep = vec_select(in_band, bend, zero);
    const vec x = vec_select(in_band, vec_sub(vec_div(T, q), one), B);

    // dB = half (turn v + (1 - turn along) t^ + v^) - B dg/g v^,  dT = 2 half t^ - T dg/g v^
    const vec turn = vec_mul(k->h, per_length);
    const vec along_v =
        vec_fnma(B, c->fall, vec_mul(half, vec_add(turn, over_length(c->speed)))); // of dB, times v
    const vec along_t = vec_mul(half, vec_fnma(turn, along, one)); // of dB, times t^
    const vec slope = vec_fma(B, vec_fma(q, steep, alpha), one);
    const vec by_T = vec_div(vec_mul(B, steep), slope);
    const vec by_B = vec_mul(alpha, vec_fnma(by_T, q, one));
    const vec on_v = vec_fnma(by_T, vec_mul(T, c->fall), vec_mul(by_B, along_v));
    const vec on_t = vec_fma(by_B, along_t, vec_mul(vec_mul(vec_set(2.0), half), by_T));
    const vec dx = vec_fma(on_v, c->vx, vec_mul(on_t, hat_x));
    const vec dy = vec_fma(on_v, c->vy, vec_mul(on_t, hat_y));
    return (decay_vec){_mm256_and_pd(elastic, x), _mm256_and_pd(elastic, dx),
                       _mm256_and_pd(elastic, dy)};
}

// The sums over all cells.
typedef struct sums_vec {
    vec fx, fy, tau;
    vec k[9];
} sums_vec;

AVX2 static inline void add_to(vec* sum, vec w, vec a)
{
    *sum = vec_fma(w, a, *sum);
}

// a x - b y
AVX2 static inline vec cross(vec a, vec x, vec b, vec y)
{
    return vec_fnma(b, y, vec_mul(a, x));
}

// Add four cells at (x, y) with force l and derivatives of it
AVX2 static inline void add_cells(sums_vec* sum, vec w, vec x, vec y, const vec l[2],
                                  const vec k[4])
{
    const vec spin_x = cross(k[1], x, k[0], y), spin_y = cross(k[3], x, k[2], y);
    add_to(&sum->fx, w, l[0]);
    add_to(&sum->fy, w, l[1]);
    add_to(&sum->tau, w, cross(x, l[1], y, l[0]));
    add_to(&sum->k[0], w, k[0]);
    add_to(&sum->k[1], w, k[1]);
    add_to(&sum->k[2], w, spin_x);
    add_to(&sum->k[3], w, k[2]);
    add_to(&sum->k[4], w, k[3]);
    add_to(&sum->k[5], w, spin_y);
    add_to(&sum->k[6], w, cross(x, k[2], y, k[0]));
    add_to(&sum->k[7], w, cross(x, k[3], y, k[1]));
    add_to(&sum->k[8], w, cross(x, spin_y, y, spin_x));
}

AVX2 static inline cells_vec cells_at(const numbers* k, const br_distributed* m,
                                      const step_pass* in, size_t i)
{
    cells_vec c;
    const vec w = vec_set(in->v.w);
    c.vx = vec_fnma(w, vec_load(m->y + i), vec_set(in->v.vx));
    c.vy = vec_fma(w, vec_load(m->x + i), vec_set(in->v.vy));
    const vec square = vec_fma(c.vx, c.vx, vec_mul(c.vy, c.vy));
    c.speed = vec_sqrt(square);

    // g = mu_c + drop e,  e = exp(-|v|^2/v_s^2),  dg/g v^ = -2 drop e/(v_s^2 g) v               (2)
    const vec fall = vec_mul(k->drop, vec_exp(vec_mul(square, k->per_v2)));
    c.g = vec_add(k->mu_c, fall);
    c.fall = vec_div(vec_mul(vec_mul(vec_set(2.0), k->per_v2), fall), c.g);
    c.tx = vec_fma(k->h, c.vx, vec_load(in->z + i));
    c.ty = vec_fma(k->h, c.vy, vec_load(in->z + m->count + i));
    return c;
}

// Four cells from i on: decays into the memo, forces into the sums.
AVX2 static inline void pass_cells(const numbers* k, const br_distributed* m, const step_pass* in,
                                   size_t i, int plastic, sums_vec* sum)
{
    const vec one = vec_set(1.0);
    const cells_vec c = cells_at(k, m, in, i);
    const decay_vec d = plastic ? decay_plastic(k, &c, m->law.s_ba) : decay_lugre(k, &c);
    vec_store(in->memo + i, d.x);
    vec_store(in->memo + m->count + i, c.g);

    const vec rest = vec_div(one, vec_add(one, d.x)), spring = vec_mul(k->stiff, rest);
    const vec a = vec_fma(spring, k->h, k->sigma2), b = vec_mul(spring, rest);
    const vec bx = vec_mul(b, c.tx), by = vec_mul(b, c.ty), zero = vec_set(0.0);
    const vec zx = vec_load(in->z + i), zy = vec_load(in->z + m->count + i);
    const vec l[2] = {vec_fma(k->sigma2, c.vx, vec_fnma(k->damp, zx, vec_mul(spring, c.tx))),
                      vec_fma(k->sigma2, c.vy, vec_fnma(k->damp, zy, vec_mul(spring, c.ty)))};
    const vec slopes[4] = {vec_fnma(bx, d.dx, a), vec_fnma(bx, d.dy, zero),
                           vec_fnma(by, d.dx, zero), vec_fnma(by, d.dy, a)};
    add_cells(sum, vec_load(m->weight + i), vec_load(m->x + i), vec_load(m->y + i), l, slopes);
}

// Squares of such speeds overflow; the plain twin does without squares.
static int is_too_fast(const step_pass* in)
{
    return !(fabs(in->v.vx) + fabs(in->v.vy) + fabs(in->v.w) < 1e100);
}

// The loop over the vectors, made twice by the compiler: with and without the plastic share.
AVX2 static inline __attribute__((always_inline)) void
pass_all(const br_distributed* m, const step_pass* in, step_force* out, int plastic)
{
    const numbers k = numbers_of(&m->law, in->h);
    sums_vec sum = {.fx = vec_set(0.0), .fy = vec_set(0.0), .tau = vec_set(0.0)};
    for (int i = 0; i < 9; i++) {
        sum.k[i] = vec_set(0.0);
    }
    vec most = vec_set(0.0); // decay of any cell
    for (size_t i = 0; i < m->count; i += LANES) {
        pass_cells(&k, m, in, i, plastic, &sum);
        most = vec_max(vec_where_positive(vec_load(m->weight + i), vec_load(in->memo + i)), most);
    }
    out->elastic = vec_none_greater(most, vec_set(0.0));
    out->f = (vector3){{vec_sum(sum.fx), vec_sum(sum.fy), vec_sum(sum.tau)}};
    for (int i = 0; i < 9; i++) {
        out->f_v.e[i / 3][i % 3] = vec_sum(sum.k[i]);
    }
}

AVX2 static void pass_lugre(const br_distributed* m, const step_pass* in, step_force* out)
{
    if (is_too_fast(in)) {
        distributed_pass_plain(m, in, out);
        return;
    }
    pass_all(m, in, out, 0);
}

AVX2 static void pass_elasto_plastic(const br_distributed* m, const step_pass* in, step_force* out)
{
    if (is_too_fast(in)) {
        distributed_pass_plain(m, in, out);
        return;
    }
    pass_all(m, in, out, 1);
}

distributed_pass_fn distributed_fast_pass(const br_distributed* m)
{
    const int has_vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (!has_vectors || m->law.gamma != 2.0) {
        return distributed_pass_plain;
    }
    return m->law.kind == BR_LAW_LUGRE ? pass_lugre : pass_elasto_plastic;
}

#else

distributed_pass_fn distributed_fast_pass(const br_distributed* m)
{
    (void)m;
    return distributed_pass_plain;
}

#endif
