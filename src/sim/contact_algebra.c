/*
 * The linear algebra of a contact: plain loops over the parts, which the compiler makes into vector
 * code (CMakeLists.txt lets it reorder the sums of this file).
 *
 * With A = dz_z, C = dz_v of a part, S = (s I - A)^-1, E = S C and A S = s S - I, the system
 *
 *   (s I - A) x - C dv = b,   df = -fn sum w B^T T ((sigma0 + sigma1 A) x + sigma1 C dv) + sigma2 D B dv
 *
 * has the solution
 *
 *   x  = S b + E dv
 *   df = -fn sum w B^T (T (k S b - sigma1 b) + (k T E + sigma2 D B) dv),     k = sigma0 + sigma1 s
 *
 * T is 1 but for the turn of a reduced contact's spin.
 */
#include "sim/contact.h"
#include "sim/wide.h"

// The inverse of a (k x k), row-major; a determinant of 0 gives infinities.
INLINE void invert(const double* a, double* out, size_t k)
{
    if (k == 2) {
        const double per = 1.0 / (a[0] * a[3] - a[1] * a[2]);
        out[0] = a[3] * per;
        out[1] = -a[1] * per;
        out[2] = -a[2] * per;
        out[3] = a[0] * per;
        return;
    }
    const double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8];
    const double c2 = a[3] * a[7] - a[4] * a[6];
    const double per = 1.0 / (a[0] * c0 + a[1] * c1 + a[2] * c2);
    out[0] = c0 * per;
    out[1] = (a[2] * a[7] - a[1] * a[8]) * per;
    out[2] = (a[1] * a[5] - a[2] * a[4]) * per;
    out[3] = c1 * per;
    out[4] = (a[0] * a[8] - a[2] * a[6]) * per;
    out[5] = (a[2] * a[3] - a[0] * a[5]) * per;
    out[6] = c2 * per;
    out[7] = (a[1] * a[6] - a[0] * a[7]) * per;
    out[8] = (a[0] * a[4] - a[1] * a[3]) * per;
}

// out = a b, a (k x k), b and out (k x 3), row-major
INLINE void multiply(const double* a, const double* b, double* out, size_t k)
{
    for (size_t row = 0; row < k; row++) {
        const double* r = a + k * row;
        for (size_t column = 0; column < 3; column++) {
            const double sum = r[0] * b[column] + r[1] * b[3 + column];
            out[3 * row + column] = k == 3 ? sum + r[2] * b[6 + column] : sum;
        }
    }
}

// sum += w B^T q, q (k x 3)
INLINE void add_stiffness(double sum[9], double w, double x, double y, const double* q, size_t k)
{
    for (size_t column = 0; column < 3; column++) {
        const double fx = w * q[column], fy = w * q[3 + column];
        sum[column] += fx;
        sum[3 + column] += fy;
        sum[6 + column] += x * fy - y * fx + (k == 3 ? w * q[6 + column] : 0.0);
    }
}

INLINE int factor_parts(contact* c, double stiffness[9], size_t k)
{
    const size_t n = c->parts;
    const double shift = c->shift, stiff = c->law->sigma0 + c->law->sigma1 * shift;
    const double sigma2 = c->law->sigma2, turn = c->turn_then;
    const double *dz_z = c->dz_z, *dz_v = c->dz_v, *w = c->weight_then;
    const double *x = c->x_then, *y = c->y_then, *extent = c->extent_then;
    double *inverse = c->inverse, *reply = c->reply;
    double sum[9] = {0.0};
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        double a[9], v[9], s[9], e[9], q[9];
        for (size_t j = 0; j < k * k; j++) {
            a[j] = (j % (k + 1) == 0 ? shift : 0.0) - dz_z[j * n + i];
        }
        for (size_t j = 0; j < 3 * k; j++) {
            v[j] = dz_v[j * n + i];
        }
        invert(a, s, k);
        multiply(s, v, e, k);
        for (size_t j = 0; j < k * k; j++) {
            inverse[j * n + i] = s[j];
        }
        for (size_t j = 0; j < 3 * k; j++) {
            reply[j * n + i] = e[j];
            q[j] = (j < 6 ? stiff : turn * stiff) * e[j];
        }
        q[0] += sigma2;
        q[2] -= sigma2 * y[i];
        q[4] += sigma2;
        q[5] += sigma2 * x[i];
        if (k == 3) {
            q[8] += sigma2 * extent[i];
        }
        add_stiffness(sum, w[i], x[i], y[i], q, k);
    }
    // one by one: an array that is walked through does not stay in registers in the loop above
    stiffness[0] = sum[0], stiffness[1] = sum[1], stiffness[2] = sum[2];
    stiffness[3] = sum[3], stiffness[4] = sum[4], stiffness[5] = sum[5];
    stiffness[6] = sum[6], stiffness[7] = sum[7], stiffness[8] = sum[8];
    return isfinite(sum[0] + sum[4] + sum[8]);
}

INLINE void eliminate_parts(const contact* c, double* b, double out[3], size_t k)
{
    const size_t n = c->parts;
    const double sigma1 = c->law->sigma1, stiff = c->law->sigma0 + sigma1 * c->shift;
    const double *inverse = c->inverse, *w = c->weight_then, turn = c->turn_then;
    const double *px = c->x_then, *py = c->y_then;
    double fx = 0.0, fy = 0.0, tau = 0.0;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        double x[3] = {0.0}, f[3] = {0.0};
        for (size_t row = 0; row < k; row++) {
            for (size_t j = 0; j < k; j++) {
                x[row] += inverse[(k * row + j) * n + i] * b[j * n + i];
            }
        }
        for (size_t row = 0; row < k; row++) {
            f[row] = w[i] * (stiff * x[row] - sigma1 * b[row * n + i]);
            b[row * n + i] = x[row];
        }
        fx += f[0];
        fy += f[1];
        tau += px[i] * f[1] - py[i] * f[0];
        if (k == 3) {
            tau += turn * f[2];
        }
    }
    out[0] = fx;
    out[1] = fy;
    out[2] = tau;
}

// b += M v of each part, or b = M v.
INLINE void move_parts(const contact* c, const double* matrix, const double v[3], double* b,
                       int add, size_t k)
{
    const size_t n = c->parts;
    const double vx = v[0], vy = v[1], w = v[2];
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        for (size_t row = 0; row < k; row++) {
            const double* m = matrix + 3 * row * n + i;
            const double sum = m[0] * vx + m[n] * vy + m[2 * n] * w;
            b[row * n + i] = add ? b[row * n + i] + sum : sum;
        }
    }
}

// Largest |z|^2 + per_turn zeta^2.
INLINE double largest_square(const contact* c, const double* z, size_t k)
{
    const size_t n = c->parts;
    const double* per_turn = c->per_turn;
    double largest = 0.0;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        double square = z[i] * z[i] + z[n + i] * z[n + i];
        if (k == 3) {
            square += per_turn[i] * z[2 * n + i] * z[2 * n + i];
        }
        largest = square > largest ? square : largest;
    }
    return largest;
}

// sum w (z.dz + per_turn zeta dzeta)
INLINE double product_of(const contact* c, const double* z, const double* dz, size_t k)
{
    const size_t n = c->parts;
    const double *w = c->weight, *per_turn = c->per_turn;
    double sum = 0.0;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        double product = z[i] * dz[i] + z[n + i] * dz[n + i];
        if (k == 3) {
            product += per_turn[i] * z[2 * n + i] * dz[2 * n + i];
        }
        sum += w[i] * product;
    }
    return sum;
}

// sum w B^T T z
INLINE void sum_parts(const contact* c, const double* z, double out[3], size_t k)
{
    const size_t n = c->parts;
    const double *w = c->weight, *x = c->x, *y = c->y, turn = c->turn;
    double fx = 0.0, fy = 0.0, tau = 0.0;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const double zx = w[i] * z[i], zy = w[i] * z[n + i];
        fx += zx;
        fy += zy;
        tau += x[i] * zy - y[i] * zx;
        if (k == 3) {
            tau += turn * w[i] * z[2 * n + i];
        }
    }
    out[0] = fx;
    out[1] = fy;
    out[2] = tau;
}

// The kernels for parts of size K, for the instructions that ATTRIBUTE names.
#define KERNELS(NAME, K, ATTRIBUTE)                                                                \
    ATTRIBUTE static int NAME##_factor(contact* c, double stiffness[9])                            \
    {                                                                                              \
        return factor_parts(c, stiffness, K);                                                      \
    }                                                                                              \
    ATTRIBUTE static void NAME##_eliminate(const contact* c, double* b, double sum[3])             \
    {                                                                                              \
        eliminate_parts(c, b, sum, K);                                                             \
    }                                                                                              \
    ATTRIBUTE static void NAME##_restore(const contact* c, double* b, const double v[3])           \
    {                                                                                              \
        move_parts(c, c->reply, v, b, 1, K);                                                       \
    }                                                                                              \
    ATTRIBUTE static void NAME##_push(const contact* c, const double v[3], double* out)            \
    {                                                                                              \
        move_parts(c, c->dz_v, v, out, 0, K);                                                      \
    }                                                                                              \
    ATTRIBUTE static double NAME##_largest(const contact* c, const double* z)                      \
    {                                                                                              \
        return largest_square(c, z, K);                                                            \
    }                                                                                              \
    ATTRIBUTE static double NAME##_product(const contact* c, const double* z, const double* dz)    \
    {                                                                                              \
        return product_of(c, z, dz, K);                                                            \
    }                                                                                              \
    ATTRIBUTE static void NAME##_sum(const contact* c, const double* z, double sum[3])             \
    {                                                                                              \
        sum_parts(c, z, sum, K);                                                                   \
    }                                                                                              \
    static const contact_kernels NAME = {NAME##_factor, NAME##_eliminate, NAME##_restore,          \
                                         NAME##_push,   NAME##_largest,   NAME##_product,          \
                                         NAME##_sum};

KERNELS(two, 2, )
KERNELS(three, 3, )

KERNELS(two_wide, 2, WIDE)
KERNELS(three_wide, 3, WIDE)

const contact_kernels* bri_contact_kernels_for(size_t size, size_t parts)
{
    const int wide = parts > 1 && is_wide(); // one part fills no vector
    return size == 2 ? (wide ? &two_wide : &two) : (wide ? &three_wide : &three);
}
