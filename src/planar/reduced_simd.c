/*
 * Reduced planar friction, fast: four contacts in a vector (AVX2 and FMA), for gamma = 2.
 *
 * The same lines serve one contact, which then stands in all four lanes, so that a batch equals
 * its single calls to the last bit. With k = beta sigma0/g,
 *
 *   k = sigma0/4 (1 + sin(..)) (|h||zeta| - h.zeta)/(|h||zeta| g)                     (16)-(18), (32)
 *
 * Numbers in brackets are W&K's equations; the plain twin is reduced_eval.c.
 */
#include "planar/reduced_internal.h"

#include <stdint.h>

#if defined(__x86_64__) && defined(__GNUC__)

#include "planar/vector_avx2.h"

enum { LANES = 4 };

// Four contacts: what comes in.
typedef struct contacts_vec {
    vec zx, zy, zt; // z; S^-1 z is (zx, zy, zs)
    vec zs;
    vec vx, vy, w;
    vec vs; // r w
    vec fn;
    vec z_square, v_square; // |zeta|^2, |v_S|^2
} contacts_vec;

// What comes out.
typedef struct results_vec {
    vec dzx, dzy, dzt, fx, fy, tau;
} results_vec;

// Three components of four contacts.
typedef struct triple {
    vec x, y, t;
} triple;

// Places of four twists in the table.
typedef struct places {
    vec theta, phi; // residuals, (39), (40)
    __m128i node;   // first corner, (37), (38)
    vec back;       // mask: w < 0, (42)
} places;

#define INLINE AVX2 static inline __attribute__((always_inline))

// theta in [0, pi/2] of (35), before its quadrant, and phi of (36).
INLINE void find_angles(vec vx, vec vy, vec vs, int alone, vec* theta, vec* phi)
{
    const vec slide = vec_sqrt(vec_fma(vx, vx, vec_mul(vy, vy)));
    const vec ax = vec_abs(vx), ay = vec_abs(vy), as = vec_abs(vs);
    if (alone) {
        // both angles in one vector
        const vec both =
            vec_atan2_quadrant(_mm256_unpacklo_pd(ay, slide), _mm256_unpacklo_pd(ax, as));
        *theta = _mm256_movedup_pd(both);
        *phi = _mm256_permute_pd(both, 15);
        return;
    }
    *theta = vec_atan2_quadrant(ay, ax);
    *phi = vec_atan2_quadrant(slide, as);
}

INLINE places find_places(const br_reduced* m, const contacts_vec* c, int alone)
{
    const vec zero = vec_set(0.0), per_angle = vec_set(m->per_angle);
    const vec back = vec_greater(zero, c->w);
    const vec vx = vec_negate_where(back, c->vx), vy = vec_negate_where(back, c->vy);

    // theta = atan2(v_y, v_x), plus pi if w < 0, in [0, 2 pi);  phi = atan2(|v_t|, r |w|)  (35), (36)
    vec theta, phi;
    find_angles(vx, vy, c->vs, alone, &theta, &phi);
    theta = vec_select(vec_greater(zero, vx), vec_sub(vec_set(BR_PI), theta), theta);
    theta = vec_select(vec_greater(zero, vy), vec_sub(vec_set(2.0 * BR_PI), theta), theta);

    // cell and residuals                                                                 (37)-(40)
    const vec at_theta = vec_mul(theta, per_angle), at_phi = vec_mul(phi, per_angle);
    const vec i = vec_min(vec_floor(at_theta), vec_set(4.0 * (double)m->n - 1.0));
    const vec j = vec_min(vec_floor(at_phi), vec_set((double)m->n - 1.0));
    const vec node = vec_fma(i, vec_set((double)m->n + 1.0), j);
    return (places){vec_sub(at_theta, i), vec_sub(at_phi, j), _mm256_cvttpd_epi32(node), back};
}

// h of one lane as (h_x, h_y, h_tau, 0), up to the sign; theta and phi in all lanes            (41)
INLINE vec interpolate(const br_reduced* m, int node, vec theta, vec phi)
{
    const double* here = m->nodes + 4 * (size_t)node;
    const double* next = here + 4 * (m->n + 1);
    const vec h1 = vec_load(here), h2 = vec_load(next);
    const vec low = vec_fma(phi, vec_sub(vec_load(here + 4), h1), h1);
    const vec high = vec_fma(phi, vec_sub(vec_load(next + 4), h2), h2);
    return vec_fma(theta, vec_sub(high, low), low);
}

// Rows (h_x, h_y, h_tau, 0) of four contacts to columns.
INLINE triple transpose(vec a, vec b, vec c, vec d)
{
    const vec xt_low = _mm256_unpacklo_pd(a, b), y_low = _mm256_unpackhi_pd(a, b);
    const vec xt_high = _mm256_unpacklo_pd(c, d), y_high = _mm256_unpackhi_pd(c, d);
    return (triple){_mm256_permute2f128_pd(xt_low, xt_high, 0x20),
                    _mm256_permute2f128_pd(y_low, y_high, 0x20),
                    _mm256_permute2f128_pd(xt_low, xt_high, 0x31)};
}

// One contact's (h_x, h_y, h_tau, 0) to columns.
INLINE triple spread(vec h)
{
    const vec low = _mm256_permute2f128_pd(h, h, 0x00), high = _mm256_permute2f128_pd(h, h, 0x11);
    return (triple){_mm256_movedup_pd(low), _mm256_permute_pd(low, 15), _mm256_movedup_pd(high)};
}

// h of four contacts, up to the sign.
INLINE triple gather(const br_reduced* m, const places* at)
{
    double theta[LANES], phi[LANES];
    int32_t node[LANES];
    vec h[LANES];
    vec_store(theta, at->theta);
    vec_store(phi, at->phi);
    _mm_storeu_si128((__m128i*)node, at->node);
    for (int i = 0; i < LANES; i++) {
        h[i] = interpolate(m, node[i], vec_broadcast(theta + i), vec_broadcast(phi + i));
    }
    return transpose(h[0], h[1], h[2], h[3]);
}

// The rest of a lookup in the table, from its places.
INLINE triple lookup_places(const br_reduced* m, const places* at, int alone)
{
    const triple h = alone ? spread(interpolate(m, _mm_cvtsi128_si32(at->node), at->theta, at->phi))
                           : gather(m, at);
    return (triple){vec_negate_where(at->back, h.x), vec_negate_where(at->back, h.y),
                    vec_negate_where(at->back, h.t)};
}

// h = -v_S/|v_S|, 0 at rest                                                                   (22)
INLINE triple lookup_round(const contacts_vec* c)
{
    const vec scale = vec_div(vec_set(-1.0), vec_max(vec_sqrt(c->v_square), vec_set(1e-200)));
    return (triple){vec_mul(c->vx, scale), vec_mul(c->vy, scale), vec_mul(c->vs, scale)};
}

// h of any surface, lane by lane.
INLINE triple lookup_any(const br_reduced* m, const contacts_vec* c, int alone)
{
    double vx[LANES], vy[LANES], w[LANES], h[LANES][LANES];
    vec_store(vx, c->vx);
    vec_store(vy, c->vy);
    vec_store(w, c->w);
    for (int i = 0; i < (alone ? 1 : LANES); i++) {
        reduced_surface(m, (br_twist){vx[i], vy[i], w[i]}, h[i]);
        h[i][3] = 0.0;
    }
    return alone ? (triple){vec_set(h[0][0]), vec_set(h[0][1]), vec_set(h[0][2])}
                 : transpose(vec_load(h[0]), vec_load(h[1]), vec_load(h[2]), vec_load(h[3]));
}

// h without a table
INLINE triple lookup_direct(const br_reduced* m, const contacts_vec* c, reduced_lookup lookup,
                            int alone)
{
    return lookup == LOOKUP_ROUND ? lookup_round(c) : lookup_any(m, c, alone);
}

// beta sigma0/g of elasto-plastic bristles                                                (16)-(18)
INLINE vec plastic_decay(const br_reduced* m, const contacts_vec* c, const triple* h, vec g)
{
    // keeps z = 0 and h = 0 from 0/0; their factor z |v_S| is 0
    const vec tiny = vec_set(1e-60);
    const vec z2 = vec_max(c->z_square, tiny);
    const vec h2 = vec_max(vec_fma(h->x, h->x, vec_fma(h->y, h->y, vec_mul(h->t, h->t))), tiny);

    // |h||zeta| and 1/(|h||zeta| g); the root and the quotient do not wait for each other
    const vec zh = vec_mul(z2, h2), both = vec_sqrt(zh);
    const vec over = vec_mul(both, vec_div(vec_set(1.0), vec_mul(zh, g)));

    // alpha's angle in half turns: (q - (1 + s_ba)/2)/(1 - s_ba),  q = sigma0 |zeta|/(|h| g)  (18)
    const vec turn =
        vec_fma(vec_mul(z2, over), vec_set(m->numbers.slope), vec_set(m->numbers.offset));
    const vec half = vec_set(0.5), angle = vec_min(vec_max(turn, vec_set(-0.5)), half);
    const vec twice_share = vec_add(vec_set(1.0), vec_sin_pi(angle));
    const vec along = vec_fma(h->x, c->zx, vec_fma(h->y, c->zy, vec_mul(h->t, c->zs)));
    const vec aligned = vec_mul(vec_sub(both, along), over);
    return vec_mul(vec_mul(vec_set(0.25 * m->law.sigma0), twice_share), aligned);
}

// Rates and wrenches of four contacts, from their h.
INLINE results_vec eval_lanes(const br_reduced* m, const contacts_vec* c, triple h, int plastic)
{
    const br_law* law = &m->law;
    const vec speed = vec_sqrt(c->v_square);

    // g = mu_c + (mu_s - mu_c) exp(-|v_S|^2/v_s^2)                                              (2)
    const vec fall = vec_mul(c->v_square, vec_set(m->numbers.per_v2));
    const vec g = vec_fma(vec_set(law->mu_s - law->mu_c), vec_exp(fall), vec_set(law->mu_c));
    const vec decay = plastic ? plastic_decay(m, c, &h, g) : vec_div(vec_set(law->sigma0), g);

    // dz = -(S h + z beta sigma0/g) |v_S|                                               (31), (32)
    const vec back = vec_sub(vec_set(0.0), speed), r = vec_set(m->value.r);
    results_vec out = {.dzx = vec_mul(back, vec_fma(c->zx, decay, h.x)),
                       .dzy = vec_mul(back, vec_fma(c->zy, decay, h.y)),
                       .dzt = vec_mul(back, vec_fma(c->zt, decay, vec_mul(r, h.t)))};

    // f = -(sigma0 z + sigma1 dz + sigma2 U v) fn                                             (26)
    const vec push = vec_sub(vec_set(0.0), c->fn);
    const vec sigma0 = vec_set(law->sigma0), sigma1 = vec_set(law->sigma1);
    const vec sigma2 = vec_set(law->sigma2), twist = vec_set(law->sigma2 * m->value.u);
    out.fx = vec_fma(sigma0, c->zx, vec_fma(sigma1, out.dzx, vec_mul(sigma2, c->vx)));
    out.fy = vec_fma(sigma0, c->zy, vec_fma(sigma1, out.dzy, vec_mul(sigma2, c->vy)));
    out.tau = vec_fma(sigma0, c->zt, vec_fma(sigma1, out.dzt, vec_mul(twist, c->w)));
    out.fx = vec_mul(push, out.fx);
    out.fy = vec_mul(push, out.fy);
    out.tau = vec_mul(push, out.tau);
    return out;
}

// Squares neither overflow nor meet NaN; else the plain twin does without them.
INLINE int is_tame(const contacts_vec* c)
{
    return vec_all_at_most(vec_add(c->z_square, c->v_square), vec_set(1e200));
}

// Fill in what follows from z, v and S.
INLINE void scale(const br_reduced* m, contacts_vec* c)
{
    c->zs = vec_mul(vec_set(m->inverse_r), c->zt);
    c->vs = vec_mul(vec_set(m->value.r), c->w);
    c->z_square = vec_fma(c->zx, c->zx, vec_fma(c->zy, c->zy, vec_mul(c->zs, c->zs)));
    c->v_square = vec_fma(c->vx, c->vx, vec_fma(c->vy, c->vy, vec_mul(c->vs, c->vs)));
}

INLINE br_wrench eval_one(const br_reduced* m, const double* z, br_twist v, double fn, double* dz,
                          reduced_lookup lookup, int plastic)
{
    contacts_vec c = {.zx = vec_set(z[0]),
                      .zy = vec_set(z[1]),
                      .zt = vec_set(z[2]),
                      .vx = vec_set(v.vx),
                      .vy = vec_set(v.vy),
                      .w = vec_set(v.w),
                      .fn = vec_set(fn)};
    scale(m, &c);
    if (!is_tame(&c)) {
        return reduced_eval_plain(m, z, v, fn, dz);
    }
    triple h;
    if (lookup == LOOKUP_TABLE) {
        const places at = find_places(m, &c, 1);
        h = lookup_places(m, &at, 1);
    } else {
        h = lookup_direct(m, &c, lookup, 1);
    }
    const results_vec out = eval_lanes(m, &c, h, plastic);
    dz[0] = _mm256_cvtsd_f64(out.dzx);
    dz[1] = _mm256_cvtsd_f64(out.dzy);
    dz[2] = _mm256_cvtsd_f64(out.dzt);
    return (br_wrench){_mm256_cvtsd_f64(out.fx), _mm256_cvtsd_f64(out.fy),
                       _mm256_cvtsd_f64(out.tau)};
}

INLINE contacts_vec load_contacts(const br_reduced* m, const br_reduced_batch* b, size_t i)
{
    contacts_vec c = {.zx = vec_load(b->z_x + i),
                      .zy = vec_load(b->z_y + i),
                      .zt = vec_load(b->z_tau + i),
                      .vx = vec_load(b->vx + i),
                      .vy = vec_load(b->vy + i),
                      .w = vec_load(b->w + i),
                      .fn = vec_load(b->fn + i)};
    scale(m, &c);
    return c;
}

INLINE void store_results(const br_reduced_batch* b, size_t i, const results_vec* out)
{
    vec_store(b->dz_x + i, out->dzx);
    vec_store(b->dz_y + i, out->dzy);
    vec_store(b->dz_tau + i, out->dzt);
    vec_store(b->fx + i, out->fx);
    vec_store(b->fy + i, out->fy);
    vec_store(b->tau + i, out->tau);
}

enum { AHEAD = 8 }; // vectors of contacts between angles, lookup and the rest

// h of `count` vectors of contacts from `first` on. The table in two parts, so that the processor can
// work on several vectors at once. 0: squares would overflow, or NaN.
INLINE int look_up(const br_reduced* m, const br_reduced_batch* b, size_t first, size_t count,
                   reduced_lookup lookup, triple h[AHEAD])
{
    places at[AHEAD];
    int tame = 1;
    for (size_t k = 0; k < count; k++) {
        const contacts_vec c = load_contacts(m, b, first + k * LANES);
        tame &= is_tame(&c);
        if (lookup == LOOKUP_TABLE) {
            at[k] = find_places(m, &c, 0);
        }
    }
    for (size_t k = 0; tame && k < count; k++) {
        if (lookup == LOOKUP_TABLE) {
            h[k] = lookup_places(m, &at[k], 0);
        } else {
            const contacts_vec c = load_contacts(m, b, first + k * LANES);
            h[k] = lookup_direct(m, &c, lookup, 0);
        }
    }
    return tame;
}

INLINE void eval_many(const br_reduced* m, const br_reduced_batch* b, size_t first, size_t last,
                      reduced_lookup lookup, int plastic)
{
    const br_reduced copy = *m; // results may not change it, so its numbers stay in registers
    const br_reduced_batch arrays = *b;
    size_t i = first;
    while (i + LANES <= last) {
        const size_t left = (last - i) / LANES, count = left < AHEAD ? left : AHEAD;
        triple h[AHEAD];
        const int tame = look_up(&copy, &arrays, i, count, lookup, h);
        for (size_t k = 0; tame && k < count; k++) {
            const contacts_vec c = load_contacts(&copy, &arrays, i + k * LANES);
            const results_vec out = eval_lanes(&copy, &c, h[k], plastic);
            store_results(&arrays, i + k * LANES, &out);
        }
        if (!tame) {
            reduced_batch_plain(m, b, i, i + count * LANES);
        }
        i += count * LANES;
    }
    reduced_batch_plain(m, b, i, last); // one by one, by the model's own eval
}

// The twins of one law and one lookup.
#define TWINS(name, lookup, plastic)                                                               \
    AVX2 static br_wrench eval_##name(const br_reduced* m, const double* z, br_twist v, double fn, \
                                      double* dz)                                                  \
    {                                                                                              \
        return eval_one(m, z, v, fn, dz, lookup, plastic);                                         \
    }                                                                                              \
    AVX2 static void batch_##name(const br_reduced* m, const br_reduced_batch* b, size_t first,    \
                                  size_t last)                                                     \
    {                                                                                              \
        eval_many(m, b, first, last, lookup, plastic);                                             \
    }
TWINS(round_lugre, LOOKUP_ROUND, 0)
TWINS(round_plastic, LOOKUP_ROUND, 1)
TWINS(table_lugre, LOOKUP_TABLE, 0)
TWINS(table_plastic, LOOKUP_TABLE, 1)
TWINS(any_lugre, LOOKUP_ANY, 0)
TWINS(any_plastic, LOOKUP_ANY, 1)

void reduced_fast_path(br_reduced* m)
{
    static const struct {
        reduced_eval_fn eval;
        reduced_batch_fn batch;
    } twins[3][2] = {
        [LOOKUP_ROUND] = {{eval_round_lugre, batch_round_lugre},
                          {eval_round_plastic, batch_round_plastic}},
        [LOOKUP_TABLE] = {{eval_table_lugre, batch_table_lugre},
                          {eval_table_plastic, batch_table_plastic}},
        [LOOKUP_ANY] = {{eval_any_lugre, batch_any_lugre}, {eval_any_plastic, batch_any_plastic}},
    };
    const int has_vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (has_vectors && m->law.gamma == 2.0) {
        m->per_angle = 2.0 * (double)m->n / BR_PI;
        m->numbers = law_numbers_of(&m->law);
        const int plastic = m->law.kind == BR_LAW_ELASTO_PLASTIC;
        m->eval = twins[m->lookup][plastic].eval;
        m->batch = twins[m->lookup][plastic].batch;
    }
}

#else

void reduced_fast_path(br_reduced* m)
{
    (void)m;
}

#endif
