/*
 * The linear algebra of a contact: plain loops over the parts, which the compiler makes into vector
 * code (CMakeLists.txt lets it reorder the sums of this file).
 *
 * With A = dz_z, C = dz_v of a part, S = (s I - A)^-1, E = S C and A S = s S - I, the system
 *
 *   (s I - A) x - C B dv = b,   df = -fn sum w B^T ((sigma0 + sigma1 A) x + (sigma1 C + sigma2 D) B dv)
 *
 * has the solution
 *
 *   x  = S b + E B dv
 *   df = -fn sum w B^T (k S b - sigma1 b + (k E + sigma2 D) B dv),     k = sigma0 + sigma1 s
 */
#include "sim/contact.h"

#if defined(__GNUC__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

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

// sum += w B^T q B
INLINE void add_stiffness(double sum[9], double w, double x, double y, const double* q, size_t k)
{
    double row[3][3] = {{0.0}};
    for (size_t i = 0; i < k; i++) {
        row[i][0] = w * q[k * i];
        row[i][1] = w * q[k * i + 1];
        row[i][2] = x * row[i][1] - y * row[i][0];
        if (k == 3) {
            row[i][2] += w * q[k * i + 2];
        }
    }
    for (int j = 0; j < 3; j++) {
        sum[j] += row[0][j];
        sum[3 + j] += row[1][j];
        sum[6 + j] += x * row[1][j] - y * row[0][j];
        if (k == 3) {
            sum[6 + j] += row[2][j];
        }
    }
}

INLINE int factor_parts(contact* c, double stiffness[9], size_t k)
{
    const size_t n = c->parts;
    const double shift = c->shift, stiff = c->law->sigma0 + c->law->sigma1 * shift;
    const double sigma2 = c->law->sigma2;
    const double* restrict dz_z = c->dz_z, * restrict dz_v = c->dz_v, * restrict w = c->weight;
    const double* restrict x = c->x, * restrict y = c->y, * restrict extent = c->extent;
    double* restrict inverse = c->inverse, * restrict reply = c->reply;
    double sum[9] = {0.0}, total = 0.0;
    for (size_t i = 0; i < n; i++) {
        double a[9], s[9], q[9];
        for (size_t e = 0; e < k * k; e++) {
            a[e] = (e % (k + 1) == 0 ? shift : 0.0) - dz_z[e * n + i];
        }
        invert(a, s, k);
        for (size_t row = 0; row < k; row++) {
            for (size_t column = 0; column < k; column++) {
                double e = 0.0;
                for (size_t j = 0; j < k; j++) {
                    e += s[k * row + j] * dz_v[(k * j + column) * n + i];
                }
                inverse[(k * row + column) * n + i] = s[k * row + column];
                reply[(k * row + column) * n + i] = e;
                q[k * row + column] = stiff * e;
            }
        }
        q[0] += sigma2;
        q[k + 1] += sigma2;
        if (k == 3) {
            q[8] += sigma2 * extent[i];
        }
        add_stiffness(sum, w[i], x[i], y[i], q, k);
        total += s[0];
    }
    for (int i = 0; i < 9; i++) {
        stiffness[i] = sum[i];
        total += sum[i];
    }
    return total - total == 0.0; // finite
}

INLINE void eliminate_parts(const contact* c, double* restrict b, double out[3], size_t k)
{
    const size_t n = c->parts;
    const double sigma1 = c->law->sigma1, stiff = c->law->sigma0 + sigma1 * c->shift;
    const double* restrict inverse = c->inverse, * restrict w = c->weight;
    const double* restrict px = c->x, * restrict py = c->y;
    double fx = 0.0, fy = 0.0, tau = 0.0;
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
            tau += f[2];
        }
    }
    out[0] = fx;
    out[1] = fy;
    out[2] = tau;
}

// b += M B v of each part, or b = M B v.
INLINE void move_parts(const contact* c, const double* restrict matrix, const double v[3],
                       double* restrict b, int add, size_t k)
{
    const size_t n = c->parts;
    const double vx = v[0], vy = v[1], w = v[2];
    const double* restrict x = c->x, * restrict y = c->y;
    for (size_t i = 0; i < n; i++) {
        const double ux = vx - w * y[i], uy = vy + w * x[i];
        for (size_t row = 0; row < k; row++) {
            double sum = matrix[k * row * n + i] * ux + matrix[(k * row + 1) * n + i] * uy;
            if (k == 3) {
                sum += matrix[(k * row + 2) * n + i] * w;
            }
            b[row * n + i] = add ? b[row * n + i] + sum : sum;
        }
    }
}

// The four kernels for parts of size K, for the instructions that ATTRIBUTE names.
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
    static const contact_kernels NAME = {NAME##_factor, NAME##_eliminate, NAME##_restore,          \
                                         NAME##_push};

KERNELS(two, 2, )
KERNELS(three, 3, )

#if defined(__x86_64__) && defined(__GNUC__)

KERNELS(two_wide, 2, __attribute__((target("avx2,fma"))))
KERNELS(three_wide, 3, __attribute__((target("avx2,fma"))))

const contact_kernels* contact_kernels_for(size_t size)
{
    const int wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return size == 2 ? (wide ? &two_wide : &two) : (wide ? &three_wide : &three);
}

#else

const contact_kernels* contact_kernels_for(size_t size)
{
    return size == 2 ? &two : &three;
}

#endif
