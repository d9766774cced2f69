/*
 * Distributed planar friction, fast: four cells at a time (AVX2 and FMA), for gamma = 2 on a lattice.
 *
 * The plain twin is in distributed_eval.c; a test holds them together. What makes it fast is exact:
 *   - v_x depends on the row alone, v_y on the column alone, so
 *     exp(-|v|^2/v_s^2) = E_x[row] E_y[column]: 2N exponentials instead of N^2;
 *   - the sums of sigma1 v and sigma2 v come from four moments of the pressure;
 *   - a vector whose bristles are all below z_ba is elastic: dz = v.
 * Numbers in brackets are W&K's equations.
 */
#include "planar/distributed_internal.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include "planar/vector_avx2.h"

enum { MOST_LINES = 1024 }; // columns or rows that fit the scratch arrays on the stack

// What depends on the row or the column alone, for one twist.
typedef struct lines {
    double vy[MOST_LINES + LANES];        // of each column [m/s]
    double vy_square[MOST_LINES + LANES]; //
    double drop_x[MOST_LINES + LANES];    // (mu_s - mu_c) exp(-vy^2/v_s^2)
    double vx[MOST_LINES + LANES];        // of each row [m/s]
    double drop_y[MOST_LINES + LANES];    // exp(-vx^2/v_s^2)
} lines;

AVX2 static inline void fill_lines(const br_distributed* m, br_twist v, lines* out)
{
    const vec scale = vec_set(m->numbers.per_v2);
    const vec drop = vec_set(m->law.mu_s - m->law.mu_c);
    const vec w = vec_set(v.w), slide_x = vec_set(v.vx), slide_y = vec_set(v.vy);
    const double *x = m->column_x, *y = m->row_y;
    const size_t columns = m->columns + LANES - 1, rows = m->rows;
    for (size_t i = 0; i < columns; i += LANES) {
        const vec vy = vec_fma(w, vec_load(x + i), slide_y);
        const vec square = vec_mul(vy, vy);
        vec_store(out->vy + i, vy);
        vec_store(out->vy_square + i, square);
        vec_store(out->drop_x + i, vec_mul(drop, vec_exp(vec_mul(square, scale))));
    }
    for (size_t i = 0; i < rows; i += LANES) {
        const vec vx = vec_fnma(w, vec_load(y + i), slide_x);
        vec_store(out->vx + i, vx);
        vec_store(out->drop_y + i, vec_exp(vec_mul(vec_mul(vx, vx), scale)));
    }
}

// Parameters of a law, four times each.
typedef struct law_vec {
    vec mu_c, sigma0, sigma1;
    vec quarter_sigma0;
    vec slope, offset; // of the angle in alpha over sigma0 |z|/g: (q - (1 + s_ba)/2)/(1 - s_ba)
    vec elastic;       // (sigma0/s_ba)^2: elastic while elastic |z|^2 <= g^2
} law_vec;

AVX2 static inline law_vec law_vec_of(const br_distributed* m)
{
    return (law_vec){vec_set(m->law.mu_c),       vec_set(m->law.sigma0),
                     vec_set(m->law.sigma1),     vec_set(0.25 * m->law.sigma0),
                     vec_set(m->numbers.slope),  vec_set(m->numbers.offset),
                     vec_set(m->numbers.elastic)};
}

// Four cells: their velocities, deflections and g.
typedef struct cells_vec {
    vec vx, vy, speed_square, zx, zy, g;
} cells_vec;

// decay = sigma0 |v| / g                                                                      (10)
AVX2 static inline vec decay_lugre(const law_vec* law, const cells_vec* c)
{
    return vec_div(vec_mul(law->sigma0, vec_sqrt(c->speed_square)), c->g);
}

// decay = beta sigma0 |v| / g = sigma0/4 (1 + sin(..)) (v.z + |v||z|)/(|z| g)             (15)-(18)
AVX2 static inline vec decay_plastic(const law_vec* law, const cells_vec* c)
{
    const vec tiny = vec_set(1e-36); // keeps z = 0 from 0/0; its share is 0 anyway
    const vec z_square = vec_max(vec_fma(c->zx, c->zx, vec_mul(c->zy, c->zy)), tiny);
    if (vec_none_greater(vec_mul(z_square, law->elastic), vec_mul(c->g, c->g))) {
        return vec_set(0.0);
    }
    const vec over = vec_div(vec_set(1.0), vec_mul(vec_sqrt(z_square), c->g)); // 1/(|z| g)
    const vec half = vec_set(0.5);
    const vec turn = vec_fma(vec_mul(z_square, over), law->slope, law->offset);
    const vec angle = vec_min(vec_max(turn, vec_set(-0.5)), half); // in half turns
    const vec twice_share = vec_add(vec_set(1.0), vec_sin_pi(angle));
    const vec along = vec_fma(c->vx, c->zx, vec_mul(c->vy, c->zy));
    const vec aligned = vec_add(along, vec_sqrt(vec_mul(c->speed_square, z_square)));
    return vec_mul(vec_mul(law->quarter_sigma0, twice_share), vec_mul(aligned, over));
}

// -sum of (sigma1 + sigma2) v p over the cells, from the moments                             (9)
static br_wrench viscous_part(const br_distributed* m, br_twist v)
{
    const double damping = m->law.sigma1 + m->law.sigma2;
    const moments* s = &m->sums;
    return (br_wrench){damping * (v.vx * s->one - v.w * s->y),
                       damping * (v.vy * s->one + v.w * s->x),
                       damping * (s->x * v.vy - s->y * v.vx + v.w * s->square)};
}

// Where the numbers of a call lie; local, so that storing rates cannot change the pointers.
typedef struct arrays {
    const double *zx, *zy, *weight, *x;
    const uint32_t *column, *row;
    double *dzx, *dzy;
} arrays;

// A row of cells: what they share, and the sum of their forces.
typedef struct row_vec {
    vec vx, vx_square, drop;
    vec fx;
} row_vec;

// Sums over all cells of l_x, l_y and their torque, four partial ones each.
typedef struct sums_vec {
    vec fx, fy, tau;
} sums_vec;

#define INLINE AVX2 static inline __attribute__((always_inline))

// Rates of the four cells from i on, and what they add to the sums.
INLINE void add_cells(const arrays* at, size_t i, const lines* line, const law_vec* law,
                      row_vec* row, sums_vec* sum, int plastic)
{
    const size_t column = at->column[i / LANES];
    cells_vec c = {.vx = row->vx,
                   .vy = vec_load(line->vy + column),
                   .zx = vec_load(at->zx + i),
                   .zy = vec_load(at->zy + i)};
    c.speed_square = vec_add(row->vx_square, vec_load(line->vy_square + column));
    c.g = vec_fma(row->drop, vec_load(line->drop_x + column), law->mu_c);
    const vec decay = plastic ? decay_plastic(law, &c) : decay_lugre(law, &c);

    // dz = v - decay z, 0 in the padding                                                (10), (15)
    const vec weight = vec_load(at->weight + i);
    vec_store(at->dzx + i, vec_where_positive(weight, vec_fnma(decay, c.zx, c.vx)));
    vec_store(at->dzy + i, vec_where_positive(weight, vec_fnma(decay, c.zy, c.vy)));

    // l = w (sigma0 - sigma1 decay) z; viscous_part() has the rest                 (9), (19), (20)
    const vec stiffness = vec_mul(weight, vec_fnma(law->sigma1, decay, law->sigma0));
    const vec ly = vec_mul(stiffness, c.zy);
    row->fx = vec_fma(stiffness, c.zx, row->fx);
    sum->fy = vec_add(sum->fy, ly);
    sum->tau = vec_fma(vec_load(at->x + column), ly, sum->tau);
}

// The loop over rows and their cells, made twice by the compiler: with and without the plastic share.
INLINE br_wrench sum_cells(const br_distributed* m, const double* z, br_twist v, double fn,
                           double* dz, int plastic)
{
    lines line;
    fill_lines(m, v, &line);
    const law_vec law = law_vec_of(m);
    const size_t n = m->count;
    const double* y = m->row_y;
    const arrays at = {z, z + n, m->weight, m->column_x, m->column, m->row, dz, dz + n};
    const vec zero = vec_set(0.0);
    sums_vec sum = {zero, zero, zero};
    for (size_t i = 0; i < n;) {
        const size_t here = at.row[i / LANES];
        const vec vx = vec_broadcast(line.vx + here);
        row_vec row = {vx, vec_mul(vx, vx), vec_broadcast(line.drop_y + here), zero};
        do {
            add_cells(&at, i, &line, &law, &row, &sum, plastic);
            i += LANES;
        } while (i < n && at.row[i / LANES] == here);
        sum.fx = vec_add(sum.fx, row.fx);
        sum.tau = vec_fnma(vec_broadcast(y + here), row.fx, sum.tau);
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

AVX2 static br_wrench eval_lugre(const br_distributed* m, const double* z, br_twist v, double fn,
                                 double* dz)
{
    const br_wrench f = sum_cells(m, z, v, fn, dz, 0);
    return is_good(f) ? f : distributed_eval_plain(m, z, v, fn, dz);
}

AVX2 static br_wrench eval_elasto_plastic(const br_distributed* m, const double* z, br_twist v,
                                          double fn, double* dz)
{
    const br_wrench f = sum_cells(m, z, v, fn, dz, 1);
    return is_good(f) ? f : distributed_eval_plain(m, z, v, fn, dz);
}

distributed_eval_fn distributed_fast_path(const br_distributed* m)
{
    const int has_vectors = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const int fits = m->columns > 0 && m->columns <= MOST_LINES && m->rows <= MOST_LINES;
    if (!has_vectors || !fits || m->law.gamma != 2.0) {
        return NULL;
    }
    return m->law.kind == BR_LAW_LUGRE ? eval_lugre : eval_elasto_plastic;
}

#else

distributed_eval_fn distributed_fast_path(const br_distributed* m)
{
    (void)m;
    return NULL;
}

#endif
