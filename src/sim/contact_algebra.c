/*
 * The linear algebra of a contact: plain loops over the parts, which the compiler vectorises
 * (CMakeLists.txt lets it reorder the sums of this file).
 *
 * With A = dz_z, C = dz_v of a part, S = (s I - A)^-1, E = S C and A S = s S - I, the system
 *
 *   (s I - A) x - C dv = b,   df = -fn sum w B^T T ((sigma0 + d A) x + (d C + G) dv) + sigma2 D B dv
 *
 * has the solution
 *
 *   x  = S b + E dv
 *   df = -fn sum w B^T (T (k S b - d b) + (k T E + T G + sigma2 D B) dv),     k = sigma0 + d s
 *
 * T is 1 except for the turn of a reduced contact's spin. The damping d is sigma1 and G = 0 or, where it fades with
 * speed, d = sigma1 e and G = sigma1 dz de/dv of each part.
 *
 * A cell has dz = V - c z with one decay c, so that A = -(c I + z a^T), a = dc/dz, and with V = B dv
 * C dv = V - z e.V, e = dc/dV. By Sherman and Morrison
 *
 *   S b  = p b - z q.b,     p = 1/(s + c),   q = p a/(s + c + a.z)
 *   E dv = p V - z r.V,     r = q + (p - q.z) e
 *
 * and only p, q, r, five numbers, are stored.
 */
#include "sim/contact.h"
#include "sim/states.h"

// The inverse of a (3 x 3), row-major; a determinant of 0 gives infinities.
INLINE void invert(const double* a, double* out)
{
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

// out = a b, all (3 x 3), row-major
INLINE void multiply(const double* a, const double* b, double* out)
{
    for (size_t row = 0; row < 3; row++) {
        const double* r = a + 3 * row;
        for (size_t column = 0; column < 3; column++) {
            out[3 * row + column] = r[0] * b[column] + r[1] * b[3 + column] + r[2] * b[6 + column];
        }
    }
}

// sum += w B^T q, q (3 x 3), of which cells have no third row
INLINE void add_stiffness(double sum[9], double w, double x, double y, const double* q, size_t k)
{
    for (size_t column = 0; column < 3; column++) {
        const double fx = w * q[column], fy = w * q[3 + column];
        sum[column] += fx;
        sum[3 + column] += fy;
        sum[6 + column] += x * fy - y * fx + (k == 3 ? w * q[6 + column] : 0.0);
    }
}

// Local copy of the contact's pointers and numbers, so that the compiler knows that stores do not change them.
typedef struct view {
    const double *x, *y, *weight, *extent; // all members are at the last linearisation
    const double *dz_z, *dz_v, *decay;
    double *inverse, *reply, *solver;
    double shift, turn, sigma0, sigma1, sigma2;
    const double *damping, *fading;
} view;

INLINE view view_of(const contact* c)
{
    const br_law* law = c->law;
    return (view){c->x_then,   c->y_then,   c->weight_then, c->extent_then, c->dz_z,  c->dz_v,
                  c->decay,    c->inverse,  c->reply,       c->solver,      c->shift, c->turn_then,
                  law->sigma0, law->sigma1, law->sigma2,    c->damping,     c->fading};
}

// d of part i
INLINE double damping_of(const view* c, size_t i, const int fades)
{
    return fades ? c->damping[i] : c->sigma1;
}

// S and E of part i; `e` gets E (3 x 3).
INLINE void factor_part(const view* c, size_t i, double e[9], size_t n)
{
    double a[9], v[9], s[9];
    for (size_t j = 0; j < 9; j++) {
        a[j] = (j % 4 == 0 ? c->shift : 0.0) - c->dz_z[j * n + i];
        v[j] = c->dz_v[j * n + i];
    }
    invert(a, s);
    multiply(s, v, e);
    for (size_t j = 0; j < 9; j++) {
        c->inverse[j * n + i] = s[j];
        c->reply[j * n + i] = e[j];
    }
}

// p, q, r of cell i, all 0 where there is no weight; `e` gets E B, of two rows.
INLINE void factor_cell(const view* c, const double* z, size_t i, double e[9], size_t n)
{
    const double *decay = c->decay + i, x = c->x[i], y = c->y[i], zx = z[i], zy = z[n + i];
    const double ax = decay[n], ay = decay[2 * n], s = c->shift + decay[0];
    const double along = s + (ax * zx + ay * zy); // s + c + a.z
    const double by = c->weight[i] > 0.0 ? 1.0 / (s * along) : 0.0, p = along * by;
    const double qx = by * ax, qy = by * ay, more = p - (qx * zx + qy * zy);
    const double rx = qx + more * decay[3 * n], ry = qy + more * decay[4 * n];
    double* out = c->solver + i;
    out[0] = p, out[n] = qx, out[2 * n] = qy, out[3 * n] = rx, out[4 * n] = ry;
    e[0] = p - zx * rx, e[1] = -(zx * ry);
    e[3] = -(zy * rx), e[4] = p - zy * ry;
    e[2] = x * e[1] - y * e[0];
    e[5] = x * e[4] - y * e[3];
}

INLINE int factor_parts(contact* of, double stiffness[9], size_t k, size_t n, const int fades)
{
    const view c = view_of(of);
    const double *z = of->z_then, sigma2 = c.sigma2, turn = c.turn;
    double sum[9] = {0.0};
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        const double x = c.x[i], y = c.y[i];
        double q[9] = {0.0};
        if (k == 3) {
            factor_part(&c, i, q, n);
        } else {
            factor_cell(&c, z, i, q, n);
        }
        const double stiff = c.sigma0 + damping_of(&c, i, fades) * c.shift;
        for (size_t j = 0; j < 3 * k; j++) {
            q[j] *= j < 6 ? stiff : turn * stiff;
            if (fades) {
                q[j] += (j < 6 ? 1.0 : turn) * c.fading[j * n + i];
            }
        }
        q[0] += sigma2;
        q[2] -= sigma2 * y;
        q[4] += sigma2;
        q[5] += sigma2 * x;
        if (k == 3) {
            q[8] += sigma2 * c.extent[i];
        }
        add_stiffness(sum, c.weight[i], x, y, q, k);
    }
    // no loop: with one, the compiler would not keep the array in registers in the loop above
    stiffness[0] = sum[0], stiffness[1] = sum[1], stiffness[2] = sum[2];
    stiffness[3] = sum[3], stiffness[4] = sum[4], stiffness[5] = sum[5];
    stiffness[6] = sum[6], stiffness[7] = sum[7], stiffness[8] = sum[8];
    return isfinite(sum[0] + sum[4] + sum[8]);
}

// x = S b of part i; z: bristles at the linearisation.
INLINE void solve_part(const view* c, const double* z, size_t i, const double b[3], double x[3],
                       size_t k, size_t n)
{
    if (k == 3) {
        for (size_t row = 0; row < 3; row++) {
            const double* s = c->inverse + 3 * row * n + i;
            x[row] = s[0] * b[0] + s[n] * b[1] + s[2 * n] * b[2];
        }
        return;
    }
    const double *s = c->solver + i, along = s[n] * b[0] + s[2 * n] * b[1];
    x[0] = s[0] * b[0] - z[i] * along;
    x[1] = s[0] * b[1] - z[n + i] * along;
}

// x = E v of part i.
INLINE void reply_of_part(const view* c, const double* z, size_t i, const double v[3], double x[3],
                          size_t k, size_t n)
{
    if (k == 3) {
        for (size_t row = 0; row < 3; row++) {
            const double* e = c->reply + 3 * row * n + i;
            x[row] = e[0] * v[0] + e[n] * v[1] + e[2 * n] * v[2];
        }
        return;
    }
    const double vx = v[0] - v[2] * c->y[i], vy = v[1] + v[2] * c->x[i];
    const double *s = c->solver + i, along = s[3 * n] * vx + s[4 * n] * vy;
    x[0] = s[0] * vx - z[i] * along;
    x[1] = s[0] * vy - z[n + i] * along;
}

// x = S (b + more), or S b, of `count` parts; x may be b. Rows of b and more are `stride` apart, those of z
// and x are n apart.
INLINE void eliminate_parts(const contact* of, const double* z, size_t from, size_t count,
                            const double* b, const double* more, int adds, size_t stride, double* x,
                            double out[3], size_t k, size_t n, const int fades)
{
    const view c = view_of(of);
    const double turn = c.turn;
    double fx = 0.0, fy = 0.0, tau = 0.0;
    INDEPENDENT
    for (size_t i = 0; i < count; i++) {
        double right[3], solved[3], f[3] = {0.0};
        for (size_t row = 0; row < k; row++) {
            right[row] = b[row * stride + i] + (adds ? more[row * stride + i] : 0.0);
        }
        solve_part(&c, z, from + i, right, solved, k, n);
        const double damping = damping_of(&c, from + i, fades);
        const double stiff = c.sigma0 + damping * c.shift;
        for (size_t row = 0; row < k; row++) {
            f[row] = c.weight[from + i] * (stiff * solved[row] - damping * right[row]);
            x[row * n + from + i] = solved[row];
        }
        fx += f[0];
        fy += f[1];
        tau += c.x[from + i] * f[1] - c.y[from + i] * f[0];
        if (k == 3) {
            tau += turn * f[2];
        }
    }
    out[0] = fx;
    out[1] = fy;
    out[2] = tau;
}

// b += E v of each part.
INLINE void restore_parts(const contact* of, double* b, const double v[3], size_t k, size_t n)
{
    const view c = view_of(of);
    const double *z = of->z_then, twist[3] = {v[0], v[1], v[2]};
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        double x[3];
        reply_of_part(&c, z, i, twist, x, k, n);
        for (size_t row = 0; row < k; row++) {
            b[row * n + i] += x[row];
        }
    }
}

// out = C v of each part.
INLINE void push_parts(const contact* of, const double v[3], double* out, size_t k, size_t n)
{
    const view c = view_of(of);
    const double* z = of->z_then;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        if (k == 3) {
            for (size_t row = 0; row < 3; row++) {
                const double* m = c.dz_v + 3 * row * n + i;
                out[row * n + i] = m[0] * v[0] + m[n] * v[1] + m[2 * n] * v[2];
            }
        } else {
            const double vx = v[0] - v[2] * c.y[i], vy = v[1] + v[2] * c.x[i];
            const double along = c.decay[3 * n + i] * vx + c.decay[4 * n + i] * vy;
            const double counts = c.weight[i] > 0.0 ? 1.0 : 0.0;
            out[i] = counts * (vx - z[i] * along);
            out[n + i] = counts * (vy - z[n + i] * along);
        }
    }
}

// Largest |z|^2 + per_turn zeta^2.
INLINE double largest_square(const contact* c, const double* z, size_t k, size_t n)
{
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
INLINE double product_of(const contact* c, const double* z, const double* dz, size_t k, size_t n)
{
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
INLINE void sum_parts(const contact* c, const double* z, double out[3], size_t k, size_t n)
{
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

// Finish the last stage before this one, u_j += E v; t->at = y + sum a_j u_j, t->right = sum c_j u_j. With
// `before` known to the compiler one pass over the tile.
SPECIAL void start_tile(const contact* of, const stage* g, int before, size_t first,
                        const double v[3], const contact_tile* t, size_t k, size_t n, size_t count)
{
    const view c = view_of(of);
    const size_t from = t->from, stride = g->stride;
    const double *y = g->y + first, twist[3] = {v[0], v[1], v[2]};
    double *at = t->at, *right = t->right, *u = g->u + first;
    double a[5] = {0.0}, b[5] = {0.0};
    for (int j = 0; j < before; j++) {
        a[j] = g->a[j];
        b[j] = g->c[j];
    }
    INDEPENDENT
    for (size_t i = 0; i < count; i++) {
        double x[3];
        reply_of_part(&c, y, from + i, twist, x, k, n);
        for (size_t row = 0; row < k; row++) {
            double* stages = u + row * n + from + i;
            const double last = stages[(size_t)(before - 1) * stride] + x[row];
            double moved = y[row * n + from + i] + a[before - 1] * last, sum = b[before - 1] * last;
            for (int j = 0; j < before - 1; j++) {
                const double earlier = stages[(size_t)j * stride];
                moved += a[j] * earlier;
                sum += b[j] * earlier;
            }
            stages[(size_t)(before - 1) * stride] = last;
            at[row * count + i] = moved;
            right[row * count + i] = sum;
        }
    }
}

INLINE void start_parts(const contact* c, const stage* g, size_t first, const double v[3],
                        const contact_tile* t, size_t k, size_t n, size_t count)
{
    switch (g->before) {
    case 1:
        start_tile(c, g, 1, first, v, t, k, n, count);
        break;
    case 2:
        start_tile(c, g, 2, first, v, t, k, n, count);
        break;
    case 3:
        start_tile(c, g, 3, first, v, t, k, n, count);
        break;
    case 4:
        start_tile(c, g, 4, first, v, t, k, n, count);
        break;
    default:
        start_tile(c, g, 5, first, v, t, k, n, count);
    }
}

// y1 = at + u + E v; the sum of the squares of u + E v over the tolerances.
INLINE double end_parts(const contact* of, const stage_end* g, size_t first, const double v[3],
                        size_t k, size_t n)
{
    const view c = view_of(of);
    const double *u = g->u + first, *at = g->at + first, *y = g->y + first;
    const double *atol = g->atol + first, rtol = g->rtol, twist[3] = {v[0], v[1], v[2]};
    double *y1 = g->y1 + first, sum = 0.0;
    INDEPENDENT
    for (size_t i = 0; i < n; i++) {
        double x[3];
        reply_of_part(&c, y, i, twist, x, k, n);
        for (size_t row = 0; row < k; row++) {
            const size_t j = row * n + i;
            const double last = u[j] + x[row], end = at[j] + last;
            const double ratio = scaled(last, y[j], end, atol[j], rtol);
            y1[j] = end;
            sum += ratio * ratio;
        }
    }
    return sum;
}

// The kernels for N parts of size K, M of them in a tile, for the instructions that ATTRIBUTE names.
#define KERNELS(NAME, K, N, M, ATTRIBUTE)                                                          \
    ATTRIBUTE static int NAME##_factor(contact* c, double stiffness[9])                            \
    {                                                                                              \
        return c->fades ? factor_parts(c, stiffness, K, N, 1)                                      \
                        : factor_parts(c, stiffness, K, N, 0);                                     \
    }                                                                                              \
    ATTRIBUTE static void NAME##_eliminate(const contact* c, const double* b, double* x,           \
                                           double sum[3])                                          \
    {                                                                                              \
        c->fades ? eliminate_parts(c, c->z_then, 0, N, b, b, 0, N, x, sum, K, N, 1)                \
                 : eliminate_parts(c, c->z_then, 0, N, b, b, 0, N, x, sum, K, N, 0);               \
    }                                                                                              \
    ATTRIBUTE static void NAME##_finish(const contact* c, const double* z, const contact_tile* t,  \
                                        double* x, double sum[3])                                  \
    {                                                                                              \
        c->fades ? eliminate_parts(c, z, t->from, M, t->right, t->rate, 1, M, x, sum, K, N, 1)     \
                 : eliminate_parts(c, z, t->from, M, t->right, t->rate, 1, M, x, sum, K, N, 0);    \
    }                                                                                              \
    ATTRIBUTE static void NAME##_restore(const contact* c, double* b, const double v[3])           \
    {                                                                                              \
        restore_parts(c, b, v, K, N);                                                              \
    }                                                                                              \
    ATTRIBUTE static void NAME##_push(const contact* c, const double v[3], double* out)            \
    {                                                                                              \
        push_parts(c, v, out, K, N);                                                               \
    }                                                                                              \
    ATTRIBUTE static double NAME##_largest(const contact* c, const double* z)                      \
    {                                                                                              \
        return largest_square(c, z, K, N);                                                         \
    }                                                                                              \
    ATTRIBUTE static double NAME##_product(const contact* c, const double* z, const double* dz)    \
    {                                                                                              \
        return product_of(c, z, dz, K, N);                                                         \
    }                                                                                              \
    ATTRIBUTE static void NAME##_sum(const contact* c, const double* z, double sum[3])             \
    {                                                                                              \
        sum_parts(c, z, sum, K, N);                                                                \
    }                                                                                              \
    ATTRIBUTE static void NAME##_start(const contact* c, const stage* g, size_t first,             \
                                       const double v[3], const contact_tile* t)                   \
    {                                                                                              \
        start_parts(c, g, first, v, t, K, N, M);                                                   \
    }                                                                                              \
    ATTRIBUTE static double NAME##_end(const contact* c, const stage_end* g, size_t first,         \
                                       const double v[3])                                          \
    {                                                                                              \
        return end_parts(c, g, first, v, K, N);                                                    \
    }                                                                                              \
    static const contact_kernels NAME = {                                                          \
        NAME##_factor,  NAME##_eliminate, NAME##_restore, NAME##_push,   NAME##_largest,           \
        NAME##_product, NAME##_sum,       NAME##_start,   NAME##_finish, NAME##_end};

KERNELS(two, 2, c->parts, t->count, )
KERNELS(three, 3, c->parts, t->count, )
#ifndef __wasm__        // for small code, `three` with one part is good enough
KERNELS(one, 3, 1, 1, ) // a reduced contact
#endif

KERNELS(two_wide, 2, c->parts, t->count, FOR_4)
KERNELS(three_wide, 3, c->parts, t->count, FOR_4)

const contact_kernels* bri_contact_kernels_for(size_t size, size_t parts)
{
#ifndef __wasm__
    if (size == 3 && parts == 1) {
        return &one;
    }
#endif
    const int wide = parts > 1 && processor_has(4); // one part does not fill a vector
    return size == 2 ? (wide ? &two_wide : &two) : (wide ? &three_wide : &three);
}
