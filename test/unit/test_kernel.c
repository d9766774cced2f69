/*
 * The kernel of the planar models, in every instance that this processor has.
 */
#include "kernel_contacts.h"
#include "kernel_oracle.h"

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
            l[j] = w * (law->sigma0 * z[j] + oracle_damping(law, m.n) * r.dz[j] + law->sigma2 * u);
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
static void eval_agrees_with_the_papers(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 1;
    made_contact c;
    for (int i = 0; i < samples(15700); i++) {
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

/* Oracle: the papers, in long double. Speeds that no product survives, up and down. */
static void extreme_speeds_are_no_exception(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 2;
    // the oracle squares speeds: long double of 32-bit ARM is double
    const double most = LDBL_MAX_EXP > DBL_MAX_EXP ? 200.0 : 140.0;
    made_contact c;
    for (int i = 0; i < samples(300); i++) {
        const br_law law = make_law(i / FORMS, &seed);
        double v[3];
        make_contact(&c, i % FORMS, &seed);
        make_state(&c, 1.5 * law.mu_s / law.sigma0, &seed);
        make_twist(i, pow(10.0, i % 2 ? uniform(&seed, 8.0, most) : uniform(&seed, -most, -8.0)),
                   &seed, v);
        for (int j = 0; j < count; j++) {
            check_eval(k[j], &c, &law, v);
        }
    }
}

// The same bundles in the opposite order.
static void reverse(const made_contact* from, made_contact* to)
{
    *to = *from;
    const double* const sources[] = {from->x,  from->y,  from->weight, from->t,   from->per_t,
                                     from->xx, from->xy, from->yy,     from->turn};
    double* const targets[] = {to->x,  to->y,  to->weight, to->t,   to->per_t,
                               to->xx, to->xy, to->yy,     to->turn};
    for (size_t i = 0; i < BUNDLES; i++) {
        for (size_t j = 0; j < 9; j++) {
            targets[j][i] = sources[j][BUNDLES - 1 - i];
        }
        for (size_t j = 0; j < 3; j++) {
            to->z[j * BUNDLES + i] = from->z[j * BUNDLES + BUNDLES - 1 - i];
        }
    }
    to->b.x = to->x;
    to->b.y = to->y;
    to->b.weight = to->weight;
    if (from->b.t) {
        to->b.t = to->t;
        to->b.per_t = to->per_t;
        to->b.xx = to->xx;
        to->b.xy = to->xy;
        to->b.yy = to->yy;
        to->b.turn = to->turn;
    }
}

static void assert_reversed(const double* a, const double* b, int rows)
{
    for (size_t i = 0; i < (size_t)rows * BUNDLES; i++) {
        const size_t row = i / BUNDLES, column = i % BUNDLES;
        assert_near(a[i], b[row * BUNDLES + BUNDLES - 1 - column], 0.0 /* the same bits */);
    }
}

/* Oracle: definition. A bundle does not feel its neighbours: same bits at every position. */
static void a_bundle_does_not_depend_on_its_neighbours(void** state)
{
    (void)state;
    needs_equal_bits();
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 3;
    made_contact c, d;
    for (int i = 0; i < samples(1000); i++) {
        const br_law law = make_law(i, &seed);
        const kernel_law numbers = bri_kernel_law(&law);
        double a[4 * BUNDLES] = {0.0}, b[4 * BUNDLES] = {0.0}, f[3], v[3];
        kernel_force force;
        kernel_closed closed;
        make_contact(&c, i % 4 < 2 ? FORM_CELLS : FORM_BLOCKS, &seed);
        make_state(&c, 1.5 * law.mu_s / law.sigma0, &seed);
        make_twist(i, pow(10.0, uniform(&seed, -6.0, 0.0)), &seed, v);
        reverse(&c, &d);
        const double h = pow(10.0, uniform(&seed, -6.0, 0.0));
        for (int j = 0; j < count; j++) {
            k[j]->eval(&c.b, &numbers, c.z, v, a, f);
            k[j]->eval(&d.b, &numbers, d.z, v, b, f);
            assert_reversed(a, b, c.bristles);
            k[j]->pass(&c.b, &numbers, &(kernel_step){c.z, {v[0], v[1], v[2]}, h, a}, &force);
            k[j]->pass(&d.b, &numbers, &(kernel_step){d.z, {v[0], v[1], v[2]}, h, b}, &force);
            assert_reversed(a, b, c.b.t ? 2 : 1);
            memcpy(a, c.z, sizeof c.z);
            memcpy(b, d.z, sizeof d.z);
            k[j]->hold(&c.b, &numbers, a, v, h, &closed);
            k[j]->hold(&d.b, &numbers, b, v, h, &closed);
            assert_reversed(a, b, c.bristles);
        }
    }
}

/* Oracle: NaN in, NaN out: in the resistance, and in the bundle's own rates. */
static void nan_gives_nan(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 4;
    made_contact c;
    const unsigned char ones[8] = {255, 255, 255, 255, 255, 255, 255, 255};
    double poison; // a NaN with all bits set
    memcpy(&poison, ones, sizeof poison);
    for (int i = 0; i < samples(600); i++) {
        const br_law law = make_law(i / FORMS, &seed);
        const kernel_law numbers = bri_kernel_law(&law);
        double dz[3 * BUNDLES], f[3], v[3], decay_cache[KERNEL_DECAYS * BUNDLES];
        kernel_force force;
        make_contact(&c, i % FORMS, &seed);
        make_state(&c, 1.5 * law.mu_s / law.sigma0, &seed);
        make_twist(0, 1e-3, &seed, v);
        const size_t bundle = 1 + (size_t)i % 6, part = (size_t)i % (size_t)c.bristles;
        const double nan = i % 2 ? poison : (double)NAN;
        *(i % 5 ? &c.z[part * BUNDLES + bundle] : &v[i / 5 % 3]) = nan;
        for (int j = 0; j < count; j++) {
            k[j]->eval(&c.b, &numbers, c.z, v, dz, f);
            assert_true(isnan(f[0] + f[1] + f[2]));
            assert_true(isnan(dz[bundle] + dz[BUNDLES + bundle] +
                              (c.bristles == 3 ? dz[2 * BUNDLES + bundle] : 0.0)));
            k[j]->pass(&c.b, &numbers, &(kernel_step){c.z, {v[0], v[1], v[2]}, 1e-3, decay_cache},
                       &force);
            assert_true(isnan(force.f[0] + force.f[1] + force.f[2]));
        }
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eval_agrees_with_the_papers),
        cmocka_unit_test(extreme_speeds_are_no_exception),
        cmocka_unit_test(a_bundle_does_not_depend_on_its_neighbours),
        cmocka_unit_test(nan_gives_nan),
    };
    return run_group(argc, argv, tests);
}
