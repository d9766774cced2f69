/*
 * Ellipsoids: the limit surface (22) of W&K, and the least-squares fit to the exact surface.
 *
 * W&K = Waltersson & Karayiannidis, sections V-A and V-B. Numbers in brackets are that paper's
 * equations. With the scaled twist s = S v = (vx, vy, r w) and a symmetric positive matrix A,
 *
 *   D(v) = sqrt(s^T A s),   wrench = -S A s/D,   Jacobian = -S (A - A s (A s)^T/D^2) S/D
 *
 * (22) is A = 1. Deviations from print (docs/explanation/equations.md): W-22 (S = diag(1, 1, r), and the sign:
 * the wrench opposes the twist).
 */
#include "limit/methods.h"

#include "math/lu.h"

typedef struct ellipsoid {
    double a[3][3];
    double length; // the patch's r [m]
} ellipsoid;

// A s and sqrt(s^T A s), of a twist divided by its size; returns the size.
static double products(const ellipsoid* e, br_twist v, double as[3], double* d)
{
    const double spin = e->length * v.w;
    const double largest = fmax(fmax(fabs(v.vx), fabs(v.vy)), fabs(spin));
    const double size = largest > 0.0 ? largest : 1.0; // 1 for a point that only spins
    const double s[3] = {v.vx / size, v.vy / size, spin / size};
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        as[i] = e->a[i][0] * s[0] + e->a[i][1] * s[1] + e->a[i][2] * s[2];
        square += s[i] * as[i];
    }
    *d = sqrt(square);
    return size;
}

static br_limit_value eval(const br_limit* surface, br_twist v)
{
    const ellipsoid* e = surface->data;
    double as[3], d;
    const double size = products(e, v, as, &d);
    if (!(d > 0.0)) {
        return (br_limit_value){0.0, {0.0, 0.0, 0.0}, 1};
    }
    // f = -S A s/D                                                                     (22), W-22
    const br_wrench f = {-as[0] / d, -as[1] / d, -e->length * as[2] / d};
    return (br_limit_value){size * d, f, 0};
}

static void jacobian(const br_limit* surface, br_twist v, double out[3][3])
{
    const ellipsoid* e = surface->data;
    const double scale[3] = {1.0, 1.0, e->length};
    double as[3], d;
    const double size = products(e, v, as, &d);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double h = d > 0.0 ? (e->a[i][j] - as[i] / d * (as[j] / d)) / d : 0.0;
            out[i][j] = -scale[i] * scale[j] * h / size;
        }
    }
}

static ellipsoid* allocate(const br_limit* surface, br_reason* why)
{
    ellipsoid* e = br_allocate(1, sizeof *e);
    if (!e) {
        br_reason_set(why, "", "no memory for an ellipsoid");
        return NULL;
    }
    *e = (ellipsoid){{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, surface->value.r};
    return e;
}

static br_status create_ellipsoid(br_limit* surface, br_reason* why)
{
    surface->data = allocate(surface, why);
    return surface->data ? BR_OK : BR_ERR_MEMORY;
}

// The six entries of A, and their rows and columns.
enum { ENTRIES = 6, DIRECTIONS = 400 };
static const int entry_row[ENTRIES] = {0, 1, 2, 0, 0, 1};
static const int entry_column[ENTRIES] = {0, 1, 2, 1, 2, 2};

// Direction k of a uniform set on the sphere (a spiral with the golden angle).
static void direction(int k, double s[3])
{
    const double z = 1.0 - (2.0 * k + 1.0) / DIRECTIONS, angle = k * BR_PI * (3.0 - sqrt(5.0));
    s[0] = sqrt(1.0 - z * z) * cos(angle);
    s[1] = sqrt(1.0 - z * z) * sin(angle);
    s[2] = z;
}

// Normal equations of one direction: A s/D = -h, linear in the entries of A since D is the exact
// dissipation. Three equations, one per component.
static void add_direction(const br_limit* surface, double length, int k, double m[ENTRIES][ENTRIES],
                          double rhs[ENTRIES])
{
    double s[3];
    direction(k, s);
    const br_limit_value value =
        bri_exact_eval(surface->exact, (br_twist){s[0], s[1], s[2] / length}, NULL);
    const double h[3] = {value.wrench.fx, value.wrench.fy, value.wrench.tau / length};
    for (int i = 0; i < 3; i++) {
        double row[ENTRIES] = {0.0};
        for (int e = 0; e < ENTRIES; e++) {
            row[e] += entry_row[e] == i ? s[entry_column[e]] / value.dissipation : 0.0;
            row[e] += entry_column[e] == i && entry_row[e] != i
                          ? s[entry_row[e]] / value.dissipation
                          : 0.0;
        }
        for (int e = 0; e < ENTRIES; e++) {
            rhs[e] -= row[e] * h[i];
            for (int f = 0; f < ENTRIES; f++) {
                m[e][f] += row[e] * row[f];
            }
        }
    }
}

// Is A positive definite? By its leading minors.
static int is_positive(double a[3][3])
{
    const double minor = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    const double det = a[2][2] * minor + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]) -
                       a[1][2] * (a[0][0] * a[2][1] - a[0][1] * a[2][0]);
    return a[0][0] > 0.0 && minor > 0.0 && det > 0.0;
}

// Least squares of h over all directions. Nothing to fit if the patch is a point.
static void fit(const br_limit* surface, ellipsoid* e)
{
    double m[ENTRIES][ENTRIES] = {{0.0}}, x[ENTRIES] = {0.0};
    size_t pivot[ENTRIES];
    for (int k = 0; k < DIRECTIONS; k++) {
        add_direction(surface, e->length, k, m, x);
    }
    if (!lu_factor(&m[0][0], ENTRIES, pivot)) {
        return;
    }
    lu_solve(&m[0][0], ENTRIES, pivot, x);
    ellipsoid fitted = *e;
    for (int k = 0; k < ENTRIES; k++) {
        fitted.a[entry_row[k]][entry_column[k]] = fitted.a[entry_column[k]][entry_row[k]] = x[k];
    }
    if (is_positive(fitted.a)) {
        *e = fitted;
    }
}

static br_status create_fitted(br_limit* surface, br_reason* why)
{
    ellipsoid* e = allocate(surface, why);
    if (!e) {
        return BR_ERR_MEMORY;
    }
    if (e->length > 0.0) {
        fit(surface, e);
    }
    surface->data = e;
    return BR_OK;
}

static void* copy(const void* data, arena* to)
{
    return arena_copy(to, data, sizeof(ellipsoid));
}

static void update_ellipsoid(br_limit* surface)
{
    ((ellipsoid*)surface->data)->length = surface->value.r;
}

// The matrix A depends only on the form of the pressure; the size changes only the length.
static void update_fitted(br_limit* surface)
{
    ellipsoid* e = surface->data;
    e->length = surface->value.r;
    if (bri_limit_changes_form(surface) && e->length > 0.0) {
        fit(surface, e);
    }
}

const limit_method bri_limit_ellipsoid = {create_ellipsoid, NULL, eval,
                                          jacobian,         copy, update_ellipsoid};
const limit_method bri_limit_fitted = {create_fitted, NULL, eval, jacobian, copy, update_fitted};
