/*
 * Derivatives of the kernel, and what bristles store and lose, in every instance of this processor.
 */
#include "kernel_contacts.h"
#include "kernel_oracle.h"

// Rates of bundle i from the oracle.
static void rates(const made_contact* c, const br_law* law, size_t i, const long double z[3],
                  const double v[3], long double out[3])
{
    const oracle_motion m = oracle_move(law, &c->b, i, v);
    const oracle_rates r = oracle_rate(law, &m, z);
    memcpy(out, r.dz, sizeof r.dz);
}

// What one unit of bristle or twist does to a rate, at most: with the slope of alpha, 16 at s_ba = 0.9.
typedef struct scales {
    double by_z, by_v;
    double length; // of the bundle, that makes a length of zeta
} scales;

static scales scales_of(const made_contact* c, const br_law* law, size_t i, const double v[3])
{
    const oracle_motion m = oracle_move(law, &c->b, i, v);
    const double steep = law->kind == BR_LAW_LUGRE ? 1.0 : 1.0 + 1.6 / (1.0 - law->s_ba);
    return (scales){6.0 * steep * law->sigma0 * (double)(m.s / m.g), 6.0 * steep,
                    m.t > 0.0L ? (double)sqrtl(m.t) : 1.0};
}

// dz_z and dz_v of bundle i against central differences of the oracle.
static void check_bundle(const made_contact* c, const br_law* law, size_t i, const double v[3],
                         const double* dz_z, const double* dz_v)
{
    const size_t k = (size_t)c->bristles;
    const scales s = scales_of(c, law, i, v);
    const double speed = fabs(v[0]) + fabs(v[1]) + 0.01 * fabs(v[2]);
    long double z[3], up[3], down[3];
    for (size_t column = 0; column < k + 3; column++) {
        double v_up[3] = {v[0], v[1], v[2]}, v_down[3] = {v[0], v[1], v[2]}, step, scale;
        bundle_z(c, i, z);
        if (column == 2 && k == 3 && c->t[i] == 0.0) {
            continue; // a point has no spin: zeta stays 0
        }
        if (column < k) {
            const long double length = column == 2 ? s.length : 1.0L;
            step = (double)(1e-6L * law->mu_c / law->sigma0 * length);
            scale = s.by_z / (double)length;
            z[column] += step;
            rates(c, law, i, z, v, up);
            z[column] -= 2.0L * step;
            rates(c, law, i, z, v, down);
        } else {
            const size_t j = column - k;
            step = 1e-6 * speed * (j == 2 ? 100.0 : 1.0);
            scale = s.by_v * (j == 2 ? 0.02 + s.length : 1.0);
            v_up[j] += step;
            v_down[j] -= step;
            step = 0.5 * (v_up[j] - v_down[j]); // as it was rounded
            rates(c, law, i, z, v_up, up);
            rates(c, law, i, z, v_down, down);
        }
        for (size_t row = 0; row < k; row++) {
            const double difference = (double)((up[row] - down[row]) / (2.0L * step));
            const double size = row == 2 ? s.length : 1.0;
            const double got = column < k ? dz_z[(k * row + column) * BUNDLES + i]
                                          : dz_v[(3 * row + column - k) * BUNDLES + i];
            // what the difference leaves: second order in 1e-6, over the band 1e-3/(1 - s_ba)
            assert_near(got, c->weight[i] > 0.0 ? difference : 0.0, 1e-4 * scale * size);
        }
    }
}

/* Oracle: central differences of the papers' rates, in long double. */
static void gradients_are_differences(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 1;
    made_contact c;
    for (int i = 0; i < samples(300); i++) {
        br_law law = make_law(i / 2, &seed);
        law.s_ba = fmin(law.s_ba, 0.95); // steeper bands need finer differences
        const kernel_law numbers = bri_kernel_law(&law);
        double v[3], dz_z[9 * BUNDLES], dz_v[9 * BUNDLES];
        make_contact(&c, i % 2 ? FORM_BLOCKS : FORM_CELLS, &seed);
        make_state(&c, 1.5 * law.mu_s / law.sigma0, &seed);
        make_twist(i % 30, law.v_stribeck * pow(10.0, uniform(&seed, -2.0, 1.0)), &seed, v);
        for (int j = 0; j < count; j++) {
            kernel_gradient out = {.dz_z = dz_z, .dz_v = dz_v};
            k[j]->gradient(&c.b, &numbers, c.z, v, &out);
            for (size_t b = 0; b < BUNDLES; b++) {
                check_bundle(&c, &law, b, v, dz_z, dz_v);
            }
        }
    }
}

/* Oracle: the resistance (9), (19), (20), D-1 of the rates: f_z = s w J^T (sigma0 + sigma1 e dz_z),
 * f_v = s sum w J^T (sigma1 (e dz_v + dz de/dv) + sigma2 du/dv), and F as eval gives it. */
static void the_resistance_follows_its_rates(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 2;
    made_contact c;
    for (int i = 0; i < samples(200 * count); i++) {
        const kernel* one = k[i % count];
        const br_law law = make_law(i / 2, &seed);
        const kernel_law numbers = bri_kernel_law(&law);
        double v[3], dz[3 * BUNDLES], f[3], dz_z[9 * BUNDLES], dz_v[9 * BUNDLES], f_z[9 * BUNDLES];
        double f_v[3][3] = {{0.0}}, size = 0.0;
        make_contact(&c, i % 2 ? FORM_BLOCKS : FORM_CELLS, &seed);
        make_state(&c, 1.5 * law.mu_s / law.sigma0, &seed);
        make_twist(i, law.v_stribeck, &seed, v);
        kernel_gradient out = {.dz_z = dz_z, .dz_v = dz_v, .force = 1, .scale = -3.0, .f_z = f_z};
        one->gradient(&c.b, &numbers, c.z, v, &out);
        one->eval(&c.b, &numbers, c.z, v, dz, f);
        const size_t n = (size_t)c.bristles;
        for (size_t b = 0; b < BUNDLES; b++) {
            const double x = c.x[b], y = c.y[b], w = c.weight[b], t = n == 3 ? c.t[b] : 0.0;
            const double du[3][3] = {{1.0, 0.0, -y}, {0.0, 1.0, x}, {0.0, 0.0, t}};
            const double n2_v[3] = {2.0 * (v[0] - v[2] * y), 2.0 * (v[1] + v[2] * x),
                                    2.0 * t * v[2]};
            const double s = (double)oracle_damping(&law, oracle_move(&law, &c.b, b, v).n);
            const int is_constant = law.v_damping == 0.0 || isinf(law.v_damping);
            // ds = -s e dn^2/v_d^2, by the twist: V = J v
            const double fall =
                is_constant ? 0.0 : -s * s / law.sigma1 / (law.v_damping * law.v_damping);
            const double s_v[3] = {fall * n2_v[0], fall * n2_v[1],
                                   fall * (n2_v[2] + x * n2_v[1] - y * n2_v[0])};
            for (size_t column = 0; column < n; column++) {
                double l[3] = {0.0, 0.0, 0.0};
                for (size_t row = 0; row < n; row++) {
                    const double rate = dz_z[(n * row + column) * BUNDLES + b];
                    l[row] = -3.0 * w * ((row == column ? law.sigma0 : 0.0) + s * rate);
                }
                const double want[3] = {l[0], l[1], x * l[1] - y * l[0] + l[2]};
                for (size_t row = 0; row < 3; row++) {
                    const double scale = fabs(l[0]) + fabs(l[1]) + fabs(l[2]) + w * law.sigma0;
                    assert_near(f_z[(n * row + column) * BUNDLES + b], want[row], 1e-14 * scale);
                }
            }
            for (size_t column = 0; column < 3; column++) {
                double l[3] = {0.0, 0.0, 0.0};
                for (size_t row = 0; row < n; row++) {
                    const double rate = w > 0.0 ? dz_v[(3 * row + column) * BUNDLES + b] : 0.0;
                    const double fading = s_v[column] * dz[row * BUNDLES + b];
                    l[row] = -3.0 * w * (s * rate + fading + law.sigma2 * du[row][column]);
                    size += fabs(l[row]);
                }
                f_v[0][column] += l[0];
                f_v[1][column] += l[1];
                f_v[2][column] += x * l[1] - y * l[0] + l[2];
            }
        }
        for (int j = 0; j < 9; j++) {
            assert_near(out.f_v[j / 3][j % 3], f_v[j / 3][j % 3], 1e-13 * size);
        }
        const double scale = law.mu_s * 2.0 + law.sigma1 * (fabs(v[0]) + fabs(v[1]) + fabs(v[2]));
        for (int j = 0; j < 3; j++) {
            assert_near(out.f[j], f[j], 1e-12 * scale /* a sum in another order */);
        }
    }
}

/* Oracle: the sums of the papers' rates. Power against the bristles, and lost in their decay over g. */
static void loads_are_sums(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 4;
    made_contact c;
    for (int i = 0; i < samples(600); i++) {
        const br_law law = make_law(i / FORMS, &seed);
        const kernel_law numbers = bri_kernel_law(&law);
        double v[3];
        long double resist = 0.0L, slip = 0.0L, size = 0.0L, most = 0.0L;
        make_contact(&c, i % FORMS, &seed);
        make_state(&c, 1.5 * law.mu_s / law.sigma0, &seed);
        make_twist(i, pow(10.0, uniform(&seed, -6.0, 0.0)), &seed, v);
        for (size_t b = 0; b < BUNDLES; b++) {
            long double z[3];
            bundle_z(&c, b, z);
            const oracle_motion m = oracle_move(&law, &c.b, b, v);
            const oracle_rates r = oracle_rate(&law, &m, z);
            const long double w = c.weight[b], flat = z[0] * z[0] + z[1] * z[1];
            const long double spin = m.t > 0.0L ? z[2] * z[2] / m.t : 0.0L;
            const long double power = m.v[0] * z[0] + m.v[1] * z[1] + m.v[2] * z[2];
            resist += w * law.sigma0 * power;
            most += w * law.sigma0 *
                    (fabsl(m.v[0] * z[0]) + fabsl(m.v[1] * z[1]) + fabsl(m.v[2] * z[2]));
            slip += w * law.sigma0 * r.k * (flat + m.f * spin) / m.g;
            size +=
                w * law.sigma0 * (r.k * (flat + 2.0L * spin) + r.steep * sqrtl(flat + spin)) / m.g;
        }
        for (int j = 0; j < count; j++) {
            kernel_load out;
            double f[3];
            k[j]->load(&c.b, &numbers, c.z, v, NULL, f, &out);
            assert_near(out.resist, (double)resist, 1e-14 * (double)most);
            assert_near(out.slip, (double)slip, 1e-14 * (double)size);
        }
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_differences),
        cmocka_unit_test(the_resistance_follows_its_rates),
        cmocka_unit_test(loads_are_sums),
    };
    return run_group(argc, argv, tests);
}
