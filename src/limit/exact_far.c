/*
 * The dissipation when the CoR is far away: a series in the patch's complex moments.
 *
 * With V = |v_t|, v_t = V e^(i phi), eps = w/V and zeta = i (x + i y), the velocity at a point is
 * V e^(i phi) (1 + a), a = eps zeta e^(-i phi), and
 *
 *   |1 + a| = (1 + a)^(1/2) (1 + conj a)^(1/2) = sum over j, k of b_j b_k a^j conj(a)^k,
 *   D = V sum over n of eps^n S_n(phi),   S_n = sum over j + k = n of b_j b_k e^(-i(j-k)phi) M_jk,
 *
 * b_j = binomial(1/2, j), M_jk = int zeta^j conj(zeta)^k p dA. Nothing cancels: S_0 = 1, S_1 = 0 at
 * the CoP, and the terms fall like 0.4^n from FAR_DISTANCE on.
 */
#include "limit/exact_internal.h"

static br_vec2 multiply(br_vec2 a, br_vec2 b)
{
    return (br_vec2){a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

int bri_far_create(exact* surface)
{
    surface->far = bri_exact_own(surface, 1, sizeof *surface->far);
    return surface->far != NULL;
}

void bri_far_add(far_series* series, br_vec2 rho, const double* share)
{
    // term (n, order) = zeta^order |zeta|^(n - order)
    const br_vec2 zeta = {-rho.y, rho.x};
    const double square = br_vec2_dot(rho, rho);
    br_vec2 power = {1.0, 0.0};
    for (int order = 0; order <= FAR_DEGREE; order++) {
        br_vec2 moment = power;
        for (int n = order; n <= FAR_DEGREE; n += 2) {
            br_vec2* term = &series->term[far_index(n, order)];
            *term = br_vec2_add(*term, br_vec2_scale(share[n], moment));
            moment = br_vec2_scale(square, moment);
        }
        power = multiply(power, zeta);
    }
}

void bri_far_finish(far_series* series)
{
    double b[FAR_DEGREE + 1] = {1.0};
    for (int j = 1; j <= FAR_DEGREE; j++) {
        b[j] = b[j - 1] * (1.5 - j) / j; // binomial(1/2, j)
    }
    const double mass = series->term[0].x;
    for (int n = 0; n <= FAR_DEGREE; n++) {
        for (int order = n % 2; order <= n; order += 2) {
            // M_kj = conj M_jk: twice the real part of one covers both
            const double both = order > 0 ? 2.0 : 1.0;
            const double factor = both * b[(n + order) / 2] * b[(n - order) / 2] / mass;
            br_vec2* term = &series->term[far_index(n, order)];
            *term = br_vec2_scale(factor, *term);
        }
    }
    // the CoP is where the first moment vanishes
    series->term[far_index(1, 1)] = (br_vec2){0.0, 0.0};
}

// S_n and its first two derivatives by phi.
typedef struct harmonic {
    double S, slope, bend;
} harmonic;

static harmonic harmonic_at(const far_series* series, int n, const br_vec2* phasor)
{
    harmonic sum = {0.0, 0.0, 0.0};
    const br_vec2* term = &series->term[far_index(n, n % 2)];
    for (int order = n % 2; order <= n; order += 2, term++) {
        const br_vec2 turned = multiply(*term, phasor[order]);
        sum.S += turned.x;
        sum.slope += order * turned.y;
        sum.bend -= order * order * turned.x;
    }
    return sum;
}

// Sums over the degrees, for D, its gradient and its Hessian.
typedef struct far_sums {
    double V, eps;
    br_vec2 u;         // v_t/V
    double D;          // sum eps^n S
    double D_V, D_phi; // sum (1 - n) eps^n S, sum eps^n S'
    double D_w;        // sum n eps^(n-1) S
    double bend;       // sum n (n - 1) eps^(n-2) S
    double across;     // sum eps^n ((1 - n) S + S'')
    double mixed;      // sum n eps^(n-1) S'
} far_sums;

static void add_degree(far_sums* sum, int n, double power, harmonic at)
{
    // power = eps^(n-2)
    const double eps = sum->eps, eps2 = eps * eps;
    sum->D += eps2 * power * at.S;
    sum->D_V += (1 - n) * eps2 * power * at.S;
    sum->D_phi += eps2 * power * at.slope;
    sum->D_w += n * eps * power * at.S;
    sum->bend += n * (n - 1) * power * at.S;
    sum->across += eps2 * power * ((1 - n) * at.S + at.bend);
    sum->mixed += n * eps * power * at.slope;
}

static far_sums far_sum(const far_series* series, br_twist v)
{
    const double V = hypot(v.vx, v.vy), eps = v.w / V;
    far_sums sum = {V, eps, {v.vx / V, v.vy / V}, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    const br_vec2 back = {sum.u.x, -sum.u.y}; // e^(-i phi)
    br_vec2 phasor[FAR_DEGREE + 1] = {{1.0, 0.0}, back};

    // degree 0 is in the initial values, degree 1 vanishes
    double power = 1.0;
    for (int n = 2; n <= FAR_DEGREE && (n == 2 || fabs(power) > 1e-20); n++) {
        phasor[n] = multiply(phasor[n - 1], back);
        add_degree(&sum, n, power, harmonic_at(series, n, phasor));
        power *= eps;
    }
    return sum;
}

static void hessian_of(far_sums sum, double hessian[3][3])
{
    const br_vec2 u = sum.u, t = {-u.y, u.x};
    const double eps = sum.eps;

    // along (u, t, w): n (n-1) eps^n comes with every second derivative by V and w
    const double local[3][3] = {{eps * eps * sum.bend, -eps * sum.mixed, -eps * sum.bend},
                                {-eps * sum.mixed, sum.across, sum.mixed},
                                {-eps * sum.bend, sum.mixed, sum.bend}};
    const double axis[3][3] = {{u.x, t.x, 0.0}, {u.y, t.y, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 9; i++) {
        double entry = 0.0;
        for (int kl = 0; kl < 9; kl++) {
            entry += axis[i / 3][kl / 3] * local[kl / 3][kl % 3] * axis[i % 3][kl % 3];
        }
        hessian[i / 3][i % 3] = entry / sum.V;
    }
}

br_limit_value bri_far_eval(const far_series* series, br_twist v, double hessian[3][3])
{
    const far_sums sum = far_sum(series, v);
    const br_vec2 u = sum.u;
    if (hessian) {
        hessian_of(sum, hessian);
    }
    // f = -(dD/dV u + (dD/dphi)/V t),   t = (-u_y, u_x)
    return (br_limit_value){
        sum.V * sum.D,
        {-(sum.D_V * u.x - sum.D_phi * u.y), -(sum.D_V * u.y + sum.D_phi * u.x), -sum.D_w},
        0};
}
