/*
 * Planar friction in blocks, fast: four blocks at a time (AVX2 and FMA), for gamma = 2.
 *
 * The plain twin is in blocks_eval.c, where the equations are; a test holds them together. All that
 * is divided by n there is multiplied by n here, so that one division and two roots are left:
 *   q = |v_b|^2,  T = w^2 t,  N = n^2 = q + T,  A = v_b^T (S/t) v_b
 *   p  = N/f        = max(A + 1.3 T, 0.45 N)
 *   s' = N s        = sqrt(N (q N + T (A + c0 T)))
 *   d  = N zn vn    = sqrt((|z|^2 + zeta^2/t) (q N^2 + T p^2))
 *   k  = sigma0 s'/(g N),  k f = sigma0 s'/(g p)                               LuGre
 *   the same times alpha(sigma0 zn^2 s'/(g d)) (d + N v_b.z + p w zeta)/(2 d)  elasto-plastic
 * The loop runs in four parts, some blocks ahead, so that the processor can work on several blocks at
 * once: exponential, division, sine, rates. What a part needs of the model is packed for it. The sums
 * of sigma1 v and sigma2 v come from moments of the weights; four blocks whose bristles are all below
 * breakaway are elastic, dz = v.
 */
#include "planar/blocks_internal.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include "planar/vector_avx2.h"

// Parameters of a law, four times each.
typedef struct law_vec {
    vec mu_c, drop, per_v2; // g = mu_c + drop exp(per_v2 n^2)
    vec sigma0, sigma1;
    vec quarter_sigma0;
    vec slope, offset; // of the angle in alpha, in half turns, over zn^2 s'/(g d)
    vec elastic;       // (sigma0/s_ba)^2: elastic while elastic zn^2 s'^2 <= g^2 (d/zn)^2
} law_vec;

AVX2 static inline law_vec law_vec_of(const br_blocks* m)
{
    const br_law* law = &m->law;
    return (law_vec){
        vec_set(law->mu_c),        vec_set(law->mu_s - law->mu_c), vec_set(m->numbers.per_v2),
        vec_set(law->sigma0),      vec_set(law->sigma1),           vec_set(0.25 * law->sigma0),
        vec_set(m->numbers.slope), vec_set(m->numbers.offset),     vec_set(m->numbers.elastic)};
}

// How four blocks move.
typedef struct slip_vec {
    vec vx, vy, w;
    vec q, turning, n_square; // q, T, N
    vec flow, p;              // s'^2, N/f
    vec g;
} slip_vec;

// Slower than 1e-24 m/s is at rest, or the products below would underflow.
static const double least_n_square = 1e-48;

// One of the numbers of four blocks, PACK_X..
AVX2 static inline vec packed(const double* blocks, int which)
{
    return vec_load(blocks + which * BLOCK_LANES);
}

// v_b, q, T and N of four blocks.
AVX2 static inline slip_vec motion_of(const double* blocks, const vec v[3])
{
    slip_vec b = {.w = v[2]};
    b.vx = vec_fnma(v[2], packed(blocks, PACK_Y), v[0]);
    b.vy = vec_fma(v[2], packed(blocks, PACK_X), v[1]);
    b.q = vec_fma(b.vx, b.vx, vec_mul(b.vy, b.vy));
    b.turning = vec_mul(vec_mul(v[2], v[2]), packed(blocks, PACK_T));
    b.n_square = vec_add(vec_add(b.q, b.turning), vec_set(least_n_square));
    return b;
}

// g = mu_c + (mu_s - mu_c) exp(-n^2/v_s^2)
AVX2 static inline vec g_of(const double* blocks, const law_vec* law, const vec v[3])
{
    const slip_vec b = motion_of(blocks, v);
    return vec_fma(law->drop, vec_exp(vec_mul(b.n_square, law->per_v2)), law->mu_c);
}

AVX2 static inline slip_vec slip_vec_of(const double* blocks, const vec v[3], vec g)
{
    slip_vec b = motion_of(blocks, v);
    const vec cross = vec_mul(packed(blocks, PACK_TWICE_XY), b.vy);
    const vec along_x = vec_fma(packed(blocks, PACK_SHAPE_XX), b.vx, cross);
    const vec along_y = vec_mul(packed(blocks, PACK_SHAPE_YY), vec_mul(b.vy, b.vy));
    const vec along = vec_fma(along_x, b.vx, along_y); // A
    const vec turned = vec_mul(b.turning, vec_fma(packed(blocks, PACK_TURN), b.turning, along));

    b.flow = vec_mul(b.n_square, vec_fma(b.q, b.n_square, turned));
    b.p = vec_max(vec_mul(vec_set(BLOCK_SPIN_LEAST), b.n_square),
                  vec_fma(vec_set(BLOCK_SPIN), b.turning, along));
    b.g = g;
    return b;
}

// Four blocks after the division.
typedef struct divided_vec {
    vec vx, vy, n_square, p;
    vec turn;  // elasto-plastic: the angle in alpha, in half turns
    vec decay; // k = decay p, k f = decay N; elasto-plastic: times 1 + sin(pi turn)
} divided_vec;

AVX2 static inline divided_vec divide_lugre(const law_vec* law, const slip_vec* b)
{
    const vec top = vec_mul(law->sigma0, vec_sqrt(b->flow));
    const vec decay = vec_div(top, vec_mul(b->g, vec_mul(b->n_square, b->p)));
    return (divided_vec){b->vx, b->vy, b->n_square, b->p, vec_set(0.0), decay};
}

AVX2 static inline divided_vec divide_plastic(const law_vec* law, const slip_vec* b, const vec z[3],
                                              vec per_t)
{
    // keep rest and z = 0 from 0/0; both have k = 0 anyway
    const vec least_z = vec_set(1e-36), least_v = vec_set(least_n_square * least_n_square * 1e-70);
    const vec spin_square = vec_mul(vec_mul(z[2], z[2]), per_t);
    const vec z_square = vec_max(least_z, vec_fma(z[0], z[0], vec_fma(z[1], z[1], spin_square)));
    const vec slide_square = vec_mul(b->q, vec_mul(b->n_square, b->n_square));
    const vec v_square =
        vec_add(least_v, vec_fma(b->turning, vec_mul(b->p, b->p), slide_square)); // (d/zn)^2
    divided_vec out = {b->vx, b->vy, b->n_square, b->p, vec_set(-1.0), vec_set(0.0)};
    const vec loaded = vec_mul(vec_mul(z_square, law->elastic), b->flow);
    if (vec_all_at_most(loaded, vec_mul(vec_mul(b->g, b->g), v_square))) {
        return out;
    }
    const vec np = vec_mul(b->n_square, b->p), gnp = vec_mul(b->g, np);
    const vec slide = vec_mul(vec_fma(b->vx, z[0], vec_mul(b->vy, z[1])), b->n_square);
    const vec power = vec_fma(vec_mul(b->w, z[2]), b->p, slide);

    // roots and quotient do not wait for each other: s'/(g N p) and s'/(d g N p)
    const vec d_square = vec_mul(z_square, v_square);
    const vec over = vec_div(vec_set(1.0), vec_mul(d_square, gnp));
    const vec common = vec_mul(vec_sqrt(vec_mul(b->flow, d_square)), over);
    const vec whole = vec_mul(vec_sqrt(b->flow), vec_mul(d_square, over));
    out.turn = vec_fma(vec_mul(vec_mul(z_square, law->slope), np), common, law->offset);
    out.decay = vec_mul(law->quarter_sigma0, vec_fma(power, common, whole));
    return out;
}

// The factor 1 + sin(pi turn) = 2 alpha.
AVX2 static inline vec twice_alpha(vec turn)
{
    const vec half = vec_set(0.5), least = vec_set(-0.5);
    if (vec_all_at_most(turn, least)) {
        return vec_set(0.0);
    }
    return vec_add(vec_set(1.0), vec_sin_pi(vec_min(half, vec_max(least, turn))));
}

// -sum of (sigma1 + sigma2) v over the blocks, from the moments
static br_wrench viscous_part(const br_blocks* m, br_twist v)
{
    const double damping = m->law.sigma1 + m->law.sigma2;
    return (br_wrench){damping * (v.vx * m->sum_one - v.w * m->sum_y),
                       damping * (v.vy * m->sum_one + v.w * m->sum_x),
                       damping * (m->sum_x * v.vy - m->sum_y * v.vx + v.w * m->sum_square)};
}

// Sums over the blocks of l_x, l_y and their torque, four partial ones each.
typedef struct sums_vec {
    vec fx, fy, tau;
} sums_vec;

// The last part of four blocks: rates, and what they add to the sums. n: between z_x, z_y, zeta.
AVX2 static inline void finish(const double* blocks, const law_vec* law, const divided_vec* b,
                               vec w, const double* z, double* dz, size_t n, sums_vec* sum)
{
    const vec zx = vec_load(z), zy = vec_load(z + n), zeta = vec_load(z + 2 * n);
    const vec k = vec_mul(b->decay, b->p), kf = vec_mul(b->decay, b->n_square);

    // dz = v_b - k z,  dzeta = t w - k f zeta, 0 in the padding
    const vec weight = packed(blocks, PACK_WEIGHT), spin = vec_mul(w, packed(blocks, PACK_T));
    vec_store(dz, vec_where_positive(weight, vec_fnma(k, zx, b->vx)));
    vec_store(dz + n, vec_where_positive(weight, vec_fnma(k, zy, b->vy)));
    vec_store(dz + 2 * n, vec_where_positive(weight, vec_fnma(kf, zeta, spin)));

    // l = w_b (sigma0 - sigma1 k) z, its spin likewise; viscous_part() has the rest
    const vec stiffness = vec_mul(weight, vec_fnma(law->sigma1, k, law->sigma0));
    const vec spin_stiffness = vec_mul(weight, vec_fnma(law->sigma1, kf, law->sigma0));
    const vec lx = vec_mul(stiffness, zx), ly = vec_mul(stiffness, zy);
    sum->fx = vec_add(sum->fx, lx);
    sum->fy = vec_add(sum->fy, ly);
    sum->tau = vec_fma(packed(blocks, PACK_X), ly, vec_fma(spin_stiffness, zeta, sum->tau));
    sum->tau = vec_fnma(packed(blocks, PACK_Y), lx, sum->tau);
}

enum { AHEAD = 8 }; // vectors of blocks between two parts

// The loop over the blocks, made twice by the compiler: with and without the plastic share.
AVX2 static inline __attribute__((always_inline)) br_wrench
sum_blocks(const br_blocks* m, const double* z, br_twist v, double fn, double* dz, int plastic)
{
    const law_vec law = law_vec_of(m);
    const vec twist[3] = {vec_set(v.vx), vec_set(v.vy), vec_set(v.w)};
    const size_t n = m->count;
    const double* blocks = m->packed;
    sums_vec sum = {vec_set(0.0), vec_set(0.0), vec_set(0.0)};
    vec g[AHEAD];
    divided_vec part[AHEAD];
    for (size_t first = 0; first < n; first += AHEAD * BLOCK_LANES) {
        const size_t left = (n - first) / BLOCK_LANES, count = left < AHEAD ? left : AHEAD;
        for (size_t k = 0; k < count; k++) {
            g[k] = g_of(blocks + PACKS * (first + k * BLOCK_LANES), &law, twist);
        }
        for (size_t k = 0; k < count; k++) {
            const size_t i = first + k * BLOCK_LANES;
            const vec z_b[3] = {vec_load(z + i), vec_load(z + n + i), vec_load(z + 2 * n + i)};
            const slip_vec b = slip_vec_of(blocks + PACKS * i, twist, g[k]);
            part[k] = plastic
                          ? divide_plastic(&law, &b, z_b, packed(blocks + PACKS * i, PACK_PER_T))
                          : divide_lugre(&law, &b);
        }
        for (size_t k = 0; plastic && k < count; k++) {
            part[k].decay = vec_mul(part[k].decay, twice_alpha(part[k].turn));
        }
        for (size_t k = 0; k < count; k++) {
            const size_t i = first + k * BLOCK_LANES;
            finish(blocks + PACKS * i, &law, &part[k], twist[2], z + i, dz + i, n, &sum);
        }
    }
    const br_wrench rest = viscous_part(m, v);
    return (br_wrench){-fn * (vec_sum(sum.fx) + rest.fx), -fn * (vec_sum(sum.fy) + rest.fy),
                       -fn * (vec_sum(sum.tau) + rest.tau)};
}

// Squares that overflow show in the sums; the plain twin does without squares.
static int is_good(br_wrench f)
{
    return isfinite(f.fx + f.fy + f.tau);
}

AVX2 static br_wrench eval_lugre(const br_blocks* m, const double* z, br_twist v, double fn,
                                 double* dz)
{
    const br_wrench f = sum_blocks(m, z, v, fn, dz, 0);
    return is_good(f) ? f : blocks_eval_plain(m, z, v, fn, dz);
}

AVX2 static br_wrench eval_elasto_plastic(const br_blocks* m, const double* z, br_twist v,
                                          double fn, double* dz)
{
    const br_wrench f = sum_blocks(m, z, v, fn, dz, 1);
    return is_good(f) ? f : blocks_eval_plain(m, z, v, fn, dz);
}

blocks_eval_fn blocks_fast_path(const br_blocks* m)
{
    const int has_vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (!has_vectors || m->law.gamma != 2.0) {
        return NULL;
    }
    return m->law.kind == BR_LAW_LUGRE ? eval_lugre : eval_elasto_plastic;
}

#else

blocks_eval_fn blocks_fast_path(const br_blocks* m)
{
    (void)m;
    return NULL;
}

#endif
