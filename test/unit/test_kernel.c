/*
 * The kernel of the planar models, in every instance that this processor has.
 */
#include "kernel_contacts.h"
#include "kernel_oracle.h"

// The instances, widest first.
static int instances(const kernel* out[4])
{
    int count = 0;
    for (int lanes = 8; lanes > 0; lanes /= 2) {
        const kernel* k = bri_kernel_with(lanes);
        if (k) {
            out[count++] = k;
        }
    }
    return count;
}

static void bundle_z(const made_contact* c, size_t i, long double z[3])
{
    for (size_t j = 0; j < 3; j++) {
        z[j] = (int)j < c->bristles ? c->z[j * BUNDLES + i] : 0.0;
    }
}

// Rates and resistance of one contact against the oracle's. Rounding is relative to the speed and to
// what decays; where alpha is steep, an error of q in the last place goes `steep` times as far.
static void check_eval(const kernel* k, const made_contact* c, const br_law* law, const double v[3])
{
    const kernel_law numbers = bri_kernel_law(law);
    double dz[3 * BUNDLES], f[3];
    long double sum[3] = {0.0L, 0.0L, 0.0L}, force_scale = 0.0L;
    for (size_t i = 0; i < 3 * BUNDLES; i++) {
        dz[i] = (double)NAN;
    }
    k->eval(&c->b, &numbers, c->z, v, dz, f);
    for (size_t i = 0; i < BUNDLES; i++) {
        long double z[3], l[3] = {0.0L, 0.0L, 0.0L};
        bundle_z(c, i, z);
        const oracle_motion m = oracle_move(law, &c->b, i, v);
        const oracle_rates r = oracle_rate(law, &m, z);
        const long double w = c->weight[i], root_t = sqrtl(m.t);
        const long double zn =
            sqrtl(z[0] * z[0] + z[1] * z[1]) + (root_t > 0.0L ? fabsl(z[2]) / root_t : 0.0L);
        const long double scale = m.n + 0.02L * fabsl(v[2]) + r.k * m.f * zn + r.steep;
        for (int j = 0; j < c->bristles; j++) {
            const double size = (double)(j < 2 ? scale : scale * root_t);
            assert_near(dz[(size_t)j * BUNDLES + i], w > 0.0L ? (double)r.dz[j] : 0.0,
                        1e-14 * size + 1e-300);
            const long double u = j < 2 ? m.v[j] : m.t * m.v[2];
            l[j] = w * (law->sigma0 * z[j] + law->sigma1 * r.dz[j] + law->sigma2 * u);
        }
        sum[0] += l[0];
        sum[1] += l[1];
        sum[2] += c->x[i] * l[1] - c->y[i] * l[0] + l[2];
        force_scale += w * (law->sigma0 * zn + (law->sigma1 + law->sigma2) * scale);
    }
    for (int j = 0; j < 3; j++) {
        const double arm = j < 2 ? 1.0 : 0.1; // blocks are up to 0.1 m long
        assert_near(f[j], (double)sum[j], 1e-14 * arm * (double)force_scale + 1e-300);
    }
}

/* Oracle: the papers, in long double. Rates and resistance of 1e6 bundles, each instance, all laws. */
static void eval_is_what_the_papers_say(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 1;
    made_contact c;
    for (int i = 0; i < 15700; i++) {
        const br_law law = make_law(i / FORMS, &seed);
        double v[3];
        make_contact(&c, i % FORMS, &seed);
        make_state(&c, 1.5 * law.mu_s / law.sigma0, &seed);
        make_twist(i, pow(10.0, uniform(&seed, -8.0, 1.0)), &seed, v);
        for (int j = 0; j < count; j++) {
            check_eval(k[j], &c, &law, v);
        }
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eval_is_what_the_papers_say),
    };
    return run_group(argc, argv, tests);
}
