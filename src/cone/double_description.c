/*
 * The double description method.
 *
 * A row a cuts the cone. While the linear space extends to the other side, one of its vectors is
 * removed and all others are projected along it into the plane a.x = 0. Later, rays beyond the
 * plane are removed, and every edge between a ray beyond and one before gives a new ray where it
 * crosses the plane. Two rays share an edge if no third ray is in all the planes that contain both.
 */
#include "cone/double_description.h"

#include <math.h>
#include <string.h>

static const double zero = 1e-11; // of unit rows and unit rays: below it a ray is in the plane

void bri_dd_init(dd* out, size_t dimension, size_t max_rows)
{
    BR_ASSERT(dimension <= DD_MAX_DIMENSION);
    *out = (dd){.dimension = dimension,
                .max_rows = max_rows,
                .words = (max_rows + 63) / 64,
                .space_count = dimension};
    for (size_t i = 0; i < dimension; i++) {
        out->space[i][i] = 1.0;
    }
}

void bri_dd_release(dd* d)
{
    br_release(d->ray);
    br_release(d->note);
    br_release(d->tight);
    *d = (dd){.dimension = 0};
}

static double dot(const dd* d, const double* a, const double* b)
{
    double sum = 0.0;
    for (size_t i = 0; i < d->dimension; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static int normalise(const dd* d, double* a)
{
    const double norm = sqrt(dot(d, a, a));
    for (size_t i = 0; norm > 0.0 && i < d->dimension; i++) {
        a[i] /= norm;
    }
    return norm > 0.0;
}

// out = s a + t b, of unit length
static void combine(const dd* d, double s, const double* a, double t, const double* b, double* out)
{
    for (size_t i = 0; i < d->dimension; i++) {
        out[i] = s * a[i] + t * b[i];
    }
    normalise(d, out);
}

static double* ray_of(const dd* d, size_t i)
{
    return d->ray + i * d->dimension;
}

static uint64_t* tight_of(const dd* d, size_t i)
{
    return d->tight + i * d->words;
}

static void set_tight(const dd* d, size_t i, size_t row)
{
    tight_of(d, i)[row / 64] |= (uint64_t)1 << row % 64;
}

// Allocate memory for one more ray.
static br_status grow(dd* d)
{
    if (d->count < d->capacity) {
        return BR_OK;
    }
    if (d->count >= DD_MAX_RAYS) {
        return BR_ERR_ARG;
    }
    const size_t capacity = d->capacity > 0 ? 2 * d->capacity : 64;
    double* ray = br_allocate(capacity * d->dimension, sizeof *ray);
    double* note = br_allocate(capacity, sizeof *note);
    uint64_t* tight = br_allocate(capacity * d->words, sizeof *tight);
    if (!ray || !note || !tight) {
        br_release(ray);
        br_release(note);
        br_release(tight);
        return BR_ERR_MEMORY;
    }
    if (d->count > 0) {
        memcpy(ray, d->ray, d->count * d->dimension * sizeof *ray);
        memcpy(note, d->note, d->count * sizeof *note);
        memcpy(tight, d->tight, d->count * d->words * sizeof *tight);
    }
    br_release(d->ray);
    br_release(d->note);
    br_release(d->tight);
    d->ray = ray;
    d->note = note;
    d->tight = tight;
    d->capacity = capacity;
    return BR_OK;
}

// The vector of the linear space steepest along a; space_count if all are in its plane.
static size_t steepest(const dd* d, const double* a)
{
    size_t best = d->space_count;
    double largest = zero;
    for (size_t i = 0; i < d->space_count; i++) {
        const double along = fabs(dot(d, a, d->space[i]));
        if (along > largest) {
            largest = along;
            best = i;
        }
    }
    return best;
}

// Remove one vector of the space: it becomes a ray, and all others move along it into the plane.
static br_status spend(dd* d, const double* a, size_t chosen)
{
    const br_status status = grow(d);
    if (status != BR_OK) {
        return status;
    }
    double spent[DD_MAX_DIMENSION];
    const double along = dot(d, a, d->space[chosen]);
    for (size_t i = 0; i < d->dimension; i++) {
        spent[i] = along < 0.0 ? d->space[chosen][i] : -d->space[chosen][i];
    }
    const double slope = -fabs(along);
    memmove(d->space[chosen], d->space[--d->space_count], sizeof d->space[0]);
    for (size_t i = 0; i < d->space_count; i++) {
        combine(d, 1.0, d->space[i], -dot(d, a, d->space[i]) / slope, spent, d->space[i]);
    }
    for (size_t i = 0; i < d->count; i++) {
        combine(d, 1.0, ray_of(d, i), -dot(d, a, ray_of(d, i)) / slope, spent, ray_of(d, i));
        set_tight(d, i, d->rows);
    }
    // a vector of the space is in the planes of all rows before
    memcpy(ray_of(d, d->count), spent, d->dimension * sizeof *spent);
    memset(tight_of(d, d->count), 0, d->words * sizeof *d->tight);
    for (size_t row = 0; row < d->rows; row++) {
        set_tight(d, d->count, row);
    }
    d->note[d->count++] = (double)NAN;
    return BR_OK;
}

static size_t count_bits(uint64_t word)
{
    size_t bits = 0;
    for (; word; word &= word - 1) {
        bits++;
    }
    return bits;
}

// Do the rays p and q share an edge, among the first `count`?
static int share_edge(const dd* d, size_t p, size_t q, size_t count)
{
    const uint64_t *in_p = tight_of(d, p), *in_q = tight_of(d, q);
    size_t common = 0;
    for (size_t w = 0; w < d->words; w++) {
        common += count_bits(in_p[w] & in_q[w]);
    }
    // an edge is in at least as many planes as leave two dimensions
    if (common + 2 + d->space_count < d->dimension) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t* in_i = tight_of(d, i);
        size_t w = 0;
        while (w < d->words && (in_p[w] & in_q[w] & ~in_i[w]) == 0) {
            w++;
        }
        if (w == d->words && i != p && i != q) {
            return 0;
        }
    }
    return 1;
}

// Add the ray where the edge from p (before the plane) to q (beyond) crosses it.
static br_status cross_edge(dd* d, const double* a, size_t p, size_t q)
{
    const br_status status = grow(d);
    if (status != BR_OK) {
        return status;
    }
    const size_t fresh = d->count++;
    d->note[fresh] = (double)NAN;
    combine(d, dot(d, a, ray_of(d, q)), ray_of(d, p), -dot(d, a, ray_of(d, p)), ray_of(d, q),
            ray_of(d, fresh));
    for (size_t w = 0; w < d->words; w++) {
        tight_of(d, fresh)[w] = tight_of(d, p)[w] & tight_of(d, q)[w];
    }
    set_tight(d, fresh, d->rows);
    return BR_OK;
}

// Remove the rays beyond the plane; the first `count` existed before this row.
static void drop_beyond(dd* d, const double* a, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->count; i++) {
        if (i < count && dot(d, a, ray_of(d, i)) > zero) {
            continue;
        }
        memmove(ray_of(d, kept), ray_of(d, i), d->dimension * sizeof *d->ray);
        memmove(tight_of(d, kept), tight_of(d, i), d->words * sizeof *d->tight);
        d->note[kept++] = d->note[i];
    }
    d->count = kept;
}

static br_status cut(dd* d, const double* a)
{
    const size_t count = d->count;
    for (size_t q = 0; q < count; q++) {
        const double beyond = dot(d, a, ray_of(d, q));
        if (fabs(beyond) <= zero) {
            set_tight(d, q, d->rows);
        }
        for (size_t p = 0; beyond > zero && p < count; p++) {
            if (dot(d, a, ray_of(d, p)) < -zero && share_edge(d, p, q, count)) {
                const br_status status = cross_edge(d, a, p, q);
                if (status != BR_OK) {
                    return status;
                }
            }
        }
    }
    drop_beyond(d, a, count);
    return BR_OK;
}

br_status bri_dd_insert(dd* d, const double* a)
{
    BR_ASSERT(d->rows < d->max_rows);
    double unit[DD_MAX_DIMENSION];
    memcpy(unit, a, d->dimension * sizeof *unit);
    if (!normalise(d, unit)) {
        return BR_OK; // 0 <= 0 is always true
    }
    const size_t chosen = steepest(d, unit);
    const br_status status = chosen < d->space_count ? spend(d, unit, chosen) : cut(d, unit);
    d->rows += status == BR_OK;
    return status;
}
