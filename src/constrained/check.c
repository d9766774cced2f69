/*
 * Checks of a constrained system: dimensions, finite numbers, mass matrix, normals, consistency of b.
 */
#include "constrained/constrained_internal.h"

// Relative differences up to this size count as rounding.
static const double rounding = 1e-9;

static br_status wrong(br_reason* why, const char* field, const char* text)
{
    br_reason_set(why, field, "%s", text);
    return BR_ERR_DEF;
}

static br_status check_count(const char* field, size_t value, size_t min, size_t max,
                             br_reason* why)
{
    if (value >= min && value <= max) {
        return BR_OK;
    }
    br_reason_set(why, field, "must be %zu to %zu, got %zu", min, max, value);
    return BR_ERR_DEF;
}

static br_status check_shape(const br_constrained* s, br_reason* why)
{
    br_status status = check_count("n", s->n, 1, BR_CONSTRAINED_MOST, why);
    if (status == BR_OK) {
        status = check_count("m", s->m, 0, BR_CONSTRAINED_ROWS, why);
    }
    if (status == BR_OK) {
        status = check_count("d", s->d, 2, 3, why);
    }
    if (status == BR_OK) {
        status = check_count("normals", s->normals, 0, s->d - 1, why);
    }
    if (status == BR_OK && s->normals > 0 && s->contact + s->normals > s->m) {
        status = wrong(why, "contact", "A has no such row");
    }
    return status;
}

static br_status check_finite(const char* field, const double* a, size_t count, br_reason* why)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(a[i])) {
            br_reason_set(why, field, "must be finite, but entry %zu is %g", i, a[i]);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

static br_status check_numbers(const br_constrained* s, br_reason* why)
{
    const struct {
        const char* field;
        const double* a;
        size_t count;
    } all[] = {
        {"M", s->M, s->n * s->n},
        {"Q", s->Q, s->n},
        {"A", s->A, s->m * s->n},
        {"b", s->b, s->m},
        {"J", s->J, s->d * s->n},
        {"qd", s->qd, s->n},
        {"C", s->C, s->C ? s->n : 0},
        {"bias", s->bias, s->bias ? s->d : 0},
        {"surface_velocity", s->surface_velocity, s->surface_velocity ? s->d : 0},
        {"surface_acceleration", s->surface_acceleration, s->surface_acceleration ? s->d : 0},
        {"normal", s->normal, s->normals * s->d}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const br_status status = check_finite(all[i].field, all[i].a, all[i].count, why);
        if (status != BR_OK) {
            return status;
        }
    }
    if (!(s->mu >= 0.0) || !isfinite(s->mu)) {
        br_reason_set(why, "mu", "must be finite and >= 0, got %g", s->mu);
        return BR_ERR_DEF;
    }
    if (!(s->mu_s >= s->mu) || !isfinite(s->mu_s)) {
        br_reason_set(why, "mu_s", "must be finite and >= mu = %g, got %g", s->mu, s->mu_s);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_mass(const br_constrained* s, int positive, br_reason* why)
{
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j < i; j++) {
            const double a = s->M[i * s->n + j], b = s->M[j * s->n + i];
            if (fabs(a - b) > rounding * fmax(fabs(a), fabs(b))) {
                br_reason_set(why, "M",
                              "must be symmetric, but entry (%zu, %zu) is %g and (%zu, %zu) "
                              "is %g",
                              i + 1, j + 1, a, j + 1, i + 1, b);
                return BR_ERR_DEF;
            }
        }
    }
    return positive ? BR_OK : wrong(why, "M", "must be symmetric and positive definite");
}

// Is this row of A parallel to normal^T J?
static int is_along(const br_constrained* s, size_t row, const double* normal)
{
    double along[BR_CONSTRAINED_MOST] = {0.0};
    add_transposed(s->J, normal, s->d, s->n, along);
    const double* a = s->A + row * s->n;
    const double size = norm(a, s->n), other = norm(along, s->n);
    return size > 0.0 && other > 0.0 &&
           fabs(dot(a, along, s->n)) >= (1.0 - rounding) * size * other;
}

size_t br_constrained_find_contact(const br_constrained* s, const double* normal)
{
    BR_ASSERT(s && normal);
    size_t row = 0;
    while (row < s->m && !is_along(s, row, normal)) {
        row++;
    }
    return row;
}

static br_status check_normals(const br_constrained* s, br_reason* why)
{
    for (size_t i = 0; i < s->normals; i++) {
        const double* normal = s->normal + i * s->d;
        const double size = norm(normal, s->d);
        if (!(fabs(size - 1.0) <= rounding)) {
            br_reason_set(why, "normal", "must have unit length, got %g", size);
            return BR_ERR_DEF;
        }
        if (!is_along(s, s->contact + i, normal)) {
            return wrong(why, "normal", "no row of A is along normal^T J");
        }
    }
    if (s->normals == 2 && fabs(dot(s->normal, s->normal + 3, 3)) > 1.0 - rounding) {
        return wrong(why, "normal", "two normals must differ in direction");
    }
    return BR_OK;
}

br_status br_constrained_check(const br_constrained* s, double* work, br_reason* why)
{
    BR_ASSERT(s && work);
    br_status status = check_shape(s, why);
    if (status == BR_OK) {
        status = check_numbers(s, why);
    }
    if (status != BR_OK) {
        return status;
    }
    factored f = bri_factored_over(&work, s->n, s->m);
    status = check_mass(s, bri_factored_set(&f, s->M, s->A), why);
    if (status == BR_OK && !(norm(s->J, s->d * s->n) > 0.0)) {
        status = wrong(why, "J", "must have rank 1 at least: the contact point cannot move at all");
    }
    if (status == BR_OK) {
        status = check_normals(s, why);
    }
    const double outside = status == BR_OK ? bri_svd_outside(&f.B, s->b) : 0.0;
    if (status == BR_OK && outside > rounding * norm(s->b, s->m)) {
        br_reason_set(why, "b",
                      "is inconsistent with A: a part of size %g is outside the range of A, which "
                      "has rank %zu",
                      outside, f.B.rank);
        status = BR_ERR_DEF;
    }
    return status;
}
