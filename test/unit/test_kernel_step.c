/*
 * Implicit steps of the kernel, in every instance that this processor has.
 */
#include "kernel_contacts.h"
#include "kernel_oracle.h"

// A step that is tried: the result of the oracle.
typedef struct expected {
    long double x[BUNDLES];
    long double f[3];
    long double scale; // of f: the sum of what is added to it
} expected;

static expected expect(const made_contact* c, const br_law* law, const double v[3], double h)
{
    expected out = {.scale = 0.0L};
    for (size_t i = 0; i < BUNDLES; i++) {
        long double z[3];
        bundle_z(c, i, z);
        const oracle_motion m = oracle_move(law, &c->b, i, v);
        const oracle_step s = oracle_advance(law, &m, z, h);
        const long double w = c->weight[i];
        out.x[i] = s.x;
        out.f[0] += w * s.l[0];
        out.f[1] += w * s.l[1];
        out.f[2] += w * (c->x[i] * s.l[1] - c->y[i] * s.l[0] + s.l[2]);
        const long double size = fabsl(z[0]) + fabsl(z[1]) + fabsl(s.z1[0]) + fabsl(s.z1[1]);
        out.scale += w * ((law->sigma0 + law->sigma1 / h) * size + law->sigma2 * m.n);
    }
    return out;
}

// A step at random: bristles up to twice as long as they can be, from elastic to far beyond the band.
typedef struct trial {
    br_law law;
    kernel_law numbers;
    double v[3], h;
} trial;

static trial make_trial(int i, made_contact* c, uint64_t* seed)
{
    trial t = {.law = make_law(i, seed), .h = pow(10.0, uniform(seed, -6.0, 0.0))};
    t.numbers = bri_kernel_law(&t.law);
    const double z_max = t.law.mu_c / t.law.sigma0;
    make_contact(c, i / 4 % 2 ? FORM_BLOCKS : FORM_CELLS, seed);
    make_state(c, 2.0 * t.law.mu_s / t.law.sigma0, seed);
    make_twist(i, z_max / t.h * pow(10.0, uniform(seed, -2.0, 3.0)), seed, t.v);
    return t;
}

/* Oracle: bisection in long double. Decays and resistance. */
static void decays_are_those_of_a_bisection(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 1;
    made_contact c;
    for (int i = 0; i < samples(2000); i++) {
        const trial t = make_trial(i, &c, &seed);
        double decay_cache[KERNEL_DECAYS * BUNDLES];
        for (size_t j = 0; j < KERNEL_DECAYS * BUNDLES; j++) {
            decay_cache[j] = (double)NAN;
        }
        const expected e = expect(&c, &t.law, t.v, t.h);
        for (int j = 0; j < count; j++) {
            kernel_force out;
            const kernel_step in = {c.z, {t.v[0], t.v[1], t.v[2]}, t.h, decay_cache};
            k[j]->pass(&c.b, &t.numbers, &in, &out);
            for (size_t b = 0; b < BUNDLES; b++) {
                // of the least part: an error in the last place of T moves x by as much as 1 + x
                assert_near(decay_cache[b], (double)e.x[b], 1e-14 * (1.0 + (double)e.x[b]));
            }
            for (int r = 0; r < 3; r++) {
                assert_near(out.f[r], (double)e.f[r], 1e-14 * (double)e.scale);
            }
        }
    }
}

// The slope of an elastic contact by component `row` of F and `column` of the twist.
static double stiffness(const made_contact* c, const trial* t, int row, int column)
{
    const double one = (t->law.sigma0 * t->h + t->law.sigma1 + t->law.sigma2) * c->b.one;
    const double reach = sqrt(c->b.square / c->b.one);
    return one * (row == 2 ? reach : 1.0) * (column == 2 ? reach : 1.0);
}

/* Oracle: central differences of the oracle's resistance, in long double. */
static void tangents_are_differences(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 2;
    made_contact c;
    for (int i = 0; i < samples(120); i++) {
        const trial t = make_trial(i, &c, &seed);
        const double speed = hypot(t.v[0], t.v[1]) + 0.01 * fabs(t.v[2]);
        double decay_cache[KERNEL_DECAYS * BUNDLES];
        kernel_force out[4];
        for (int j = 0; j < count; j++) {
            const kernel_step in = {c.z, {t.v[0], t.v[1], t.v[2]}, t.h, decay_cache};
            k[j]->pass(&c.b, &t.numbers, &in, &out[j]);
        }
        // at rest the slope is the mean of both sides of each bundle's kink; of blocks by convention
        for (int column = 0; speed > 0.0 && column < 3; column++) {
            const double step = 1e-7 * speed * (column < 2 ? 1.0 : 100.0);
            double up[3] = {t.v[0], t.v[1], t.v[2]}, down[3] = {t.v[0], t.v[1], t.v[2]};
            up[column] += step;
            down[column] -= step;
            const expected a = expect(&c, &t.law, up, t.h);
            const expected b = expect(&c, &t.law, down, t.h);
            for (int j = 0; j < 3 * count; j++) {
                const int row = j % 3;
                const double slope = (double)(a.f[row] - b.f[row]) / (up[column] - down[column]);
                // what the difference leaves, of the second order in 1e-7/band
                assert_near(out[j / 3].f_v[row][column], slope,
                            1e-6 * stiffness(&c, &t, row, column));
            }
        }
    }
}

// What is added to F: the largest part of rounding.
static double force_scale(const made_contact* c, const trial* t, const double* z1)
{
    const double stiff = t->law.sigma0 + t->law.sigma1 / t->h;
    double sum = 0.0;
    for (size_t i = 0; i < BUNDLES; i++) {
        const double speed = fabs(t->v[0]) + fabs(t->v[1]) + 0.02 * fabs(t->v[2]);
        const double size =
            fabs(c->z[i]) + fabs(c->z[BUNDLES + i]) + fabs(z1[i]) + fabs(z1[BUNDLES + i]);
        sum += c->weight[i] * (stiff * size + t->law.sigma2 * speed);
    }
    return sum;
}

/* Oracle: the equations. With the decays of a pass F = C v + c is its resistance, the new bristles are
 * t/(1 + D x), and energy is kept: h F.v = stored after - stored before + h heat. */
static void closing_keeps_the_energy(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 3;
    made_contact c;
    for (int i = 0; i < samples(1000 * count); i++) {
        const trial t = make_trial(i / count, &c, &seed);
        const kernel* one = k[i % count];
        double decay_cache[KERNEL_DECAYS * BUNDLES] = {0.0}, z1[3 * BUNDLES];
        const kernel_step in = {c.z, {t.v[0], t.v[1], t.v[2]}, t.h, decay_cache};
        kernel_force force;
        kernel_linear line;
        kernel_closed closed;
        one->pass(&c.b, &t.numbers, &in, &force);
        for (int limited = 0; limited < 2; limited++) {
            one->linear(&c.b, &t.numbers, &in, limited, &line);
            one->close(&c.b, &t.numbers, &in, limited, z1, &closed);
            double power = 0.0, size = 0.0;
            for (int r = 0; r < 3; r++) {
                const double* row = line.slope[r];
                const double f = row[0] * t.v[0] + row[1] * t.v[1] + row[2] * t.v[2] + line.rest[r];
                const double parts = fabs(row[0] * t.v[0]) + fabs(row[1] * t.v[1]) +
                                     fabs(row[2] * t.v[2]) + force_scale(&c, &t, z1);
                assert_near(closed.f[r], f, 1e-13 * parts /* sums in another order */);
                if (!limited) {
                    assert_near(force.f[r], f, 1e-13 * parts);
                }
                power += f * t.v[r];
                size += parts * fabs(t.v[r]);
            }
            assert_near(t.h * power, closed.after - closed.before + t.h * closed.heat,
                        1e-12 * (t.h * size + closed.after + closed.before));
            assert_true(!limited || closed.heat >= -1e-13 * (size + closed.before / t.h));
        }
    }
}

// Bristles that start far out and relax against much damping: they would give energy back.
static void make_recoil(made_contact* c, trial* t)
{
    const double z = 1.8 * t->law.mu_s / t->law.sigma0, speed = 0.1 * t->law.v_stribeck;
    for (size_t i = 0; i < BUNDLES; i++) {
        c->z[i] = c->weight[i] > 0.0 ? z : 0.0;
        c->z[BUNDLES + i] = c->z[2 * BUNDLES + i] = 0.0;
    }
    const double kappa = t->law.sigma0 * speed / t->law.mu_s;
    t->v[0] = speed;
    t->v[1] = t->v[2] = 0.0;
    t->h = 0.1 / kappa;
    t->law.sigma1 = 100.0 * t->law.sigma0 / kappa;
    t->law.v_damping = 0.0;
    t->numbers = bri_kernel_law(&t->law);
}

/* Oracle: a pass, closed at the same twist; limited where it would give energy back. */
static void a_held_step_is_a_pass_that_is_closed(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 4;
    made_contact c;
    int limits = 0;
    for (int i = 0; i < samples(1000 * count); i++) {
        trial t = make_trial(i / count, &c, &seed);
        if (i / count % 4 == 0) {
            make_recoil(&c, &t);
        }
        const kernel* one = k[i % count];
        double decay_cache[KERNEL_DECAYS * BUNDLES] = {0.0}, z1[3 * BUNDLES], held[3 * BUNDLES];
        const kernel_step in = {c.z, {t.v[0], t.v[1], t.v[2]}, t.h, decay_cache};
        kernel_force force;
        kernel_closed want, got;
        memcpy(held, c.z, sizeof held);
        one->pass(&c.b, &t.numbers, &in, &force);
        one->close(&c.b, &t.numbers, &in, 0, z1, &want);
        const double size = fabs(want.heat) + (want.after + want.before) / t.h;
        limits += want.heat < 0.0;
        if (want.heat < 0.0) {
            one->close(&c.b, &t.numbers, &in, 1, z1, &want);
        }
        one->hold(&c.b, &t.numbers, held, t.v, t.h, &got);
        for (size_t j = 0; j < (size_t)c.bristles * BUNDLES; j++) {
            assert_near(held[j], z1[j], 1e-14 * (fabs(z1[j]) + fabs(c.z[j])));
        }
        for (int r = 0; r < 3; r++) {
            assert_near(got.f[r], want.f[r], 1e-13 * force_scale(&c, &t, z1));
        }
        assert_near(got.heat, want.heat, 1e-12 * size);
        assert_near(got.before, want.before, 1e-13 * want.before);
        assert_near(got.after, want.after, 1e-13 * want.after);
    }
    assert_true(limits > 0);
}

/* Oracle: the bound of D-1. With sigma1 v_damping <= 3.5 mu_c no bundle gives energy back, whatever the step and the
 * bristles, so that no damping is ever limited. With constant damping some do. */
static void damping_that_fades_needs_no_limit(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 6;
    made_contact c;
    int gains[2] = {0, 0};
    for (int i = 0; i < 20000; i++) {
        trial t = make_trial(i, &c, &seed);
        const double chi = i % 3 ? uniform(&seed, 0.0, 3.5) : 3.5;
        for (int fades = 0; fades < 2; fades++) {
            double decay_cache[KERNEL_DECAYS * BUNDLES] = {0.0}, z1[3 * BUNDLES];
            const kernel_step in = {c.z, {t.v[0], t.v[1], t.v[2]}, t.h, decay_cache};
            kernel_force force;
            kernel_closed closed;
            t.law.v_damping = fades ? chi * t.law.mu_c / t.law.sigma1 : 0.0;
            t.numbers = bri_kernel_law(&t.law);
            k[i % count]->pass(&c.b, &t.numbers, &in, &force);
            k[i % count]->close(&c.b, &t.numbers, &in, 0, z1, &closed);
            gains[fades] += closed.heat < -1e-12 * (closed.before + closed.after) / t.h;
        }
    }
    assert_true(gains[0] > 0);
    assert_int_equal(gains[1], 0);
}

/* Oracle: bisection in long double, and its central differences. One bundle whose motion is given, as
 * that of a reduced contact: y = v here, so that it is a block of the size 1 with f = rho = 1. */
static void a_moved_bundle_has_the_motion_that_it_is_given(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 5;
    for (int i = 0; i < samples(3000); i++) {
        const br_law law = make_law(i, &seed);
        const kernel_law numbers = bri_kernel_law(&law);
        const double h = pow(10.0, uniform(&seed, -6.0, 0.0)), size = law.mu_c / law.sigma0;
        double v[3], z[3];
        for (int j = 0; j < 3; j++) {
            v[j] = size / h * pow(10.0, uniform(&seed, -1.0, 2.0)) * uniform(&seed, -1.0, 1.0);
            z[j] = 1.5 * size * uniform(&seed, -1.0, 1.0);
        }
        const double n = hypot(hypot(v[0], v[1]), v[2]), g = (double)oracle_g(&law, n);
        kernel_motion m = {.vn = {.v = n}, .rho = {.v = 1.0}, .g = {.v = g}};
        m.less.v = (double)(1.0L - oracle_damping(&law, n) / law.sigma1);
        const double step = 1e-6 * n; // g has the slope of a difference, too
        for (int j = 0; j < 3; j++) {
            m.y[j].v = v[j];
            m.y[j].d[j] = 1.0;
            m.vn.d[j] = v[j] / n;
            m.g.d[j] = (double)(oracle_g(&law, n + step) - oracle_g(&law, n - step)) /
                       (2.0 * step) * m.vn.d[j];
            m.less.d[j] =
                (double)(oracle_damping(&law, n - step) - oracle_damping(&law, n + step)) /
                (2.0 * step * law.sigma1) * m.vn.d[j];
        }
        // a bundle of the size t = 1, in which a spin is a length
        const long double start[3] = {z[0], z[1], z[2]};
        long double l[7][3], x = 0.0L;
        for (int j = 0; j < 7; j++) {
            oracle_motion o = {.v = {v[0], v[1], v[2]}, .t = 1.0L, .f = 1.0L};
            o.v[j / 2 % 3] += j < 6 ? (j % 2 ? -step : step) : 0.0;
            o.n = o.s = o.vn = sqrtl(o.v[0] * o.v[0] + o.v[1] * o.v[1] + o.v[2] * o.v[2]);
            o.g = oracle_g(&law, o.n);
            br_law bare = law;
            bare.sigma2 = 0.0;
            const oracle_step s = oracle_advance(&bare, &o, start, h);
            memcpy(l[j], s.l, sizeof s.l);
            x = s.x;
        }
        const double stiff = law.sigma0 + law.sigma1 / h;
        for (int j = 0; j < count; j++) {
            double decay_cache[1] = {(double)NAN};
            kernel_force out;
            k[j]->lone->moved(&m, &numbers, &(kernel_step){z, {0.0}, h, decay_cache}, &out);
            assert_near(decay_cache[0], (double)x, 1e-14 * (1.0 + (double)x));
            for (int r = 0; r < 9; r++) {
                const int row = r / 3, column = r % 3;
                const double slope =
                    (double)((l[2 * column][row] - l[2 * column + 1][row]) / (2.0L * step));
                assert_near(out.f[row], (double)l[6][row], 1e-14 * stiff * (2.0 * size + h * n));
                // second order in 1e-6, over the band 1e-3/(1 - s_ba)
                assert_near(out.f_v[row][column], slope, 1e-4 * stiff * h);
            }
        }
    }
}

// A plastic step whose longest bristles end close to where they start to decay, from 0.9 to 1.1 of that.
static trial make_near_stick(int i, made_contact* c, uint64_t* seed)
{
    trial t = make_trial(2 * i + 1, c, seed);
    const double least = t.law.s_ba * t.law.mu_c / t.law.sigma0,
                 most = least * t.law.mu_s / t.law.mu_c;
    const double part = pow(10.0, uniform(seed, -4.0, 0.5)); // of v_s, where the strength falls
    make_state(c, (i % 2 ? least : most) * uniform(seed, 0.9, 1.1), seed);
    make_twist(i, fmin(t.law.v_stribeck * part, 0.1 * least / t.h), seed, t.v);
    return t;
}

// Does a pass find that no bundle decays, for bristles that are longer by a share?
static int pass_sticks(const kernel* k, const made_contact* c, const trial* t, double share,
                       double* decay_cache)
{
    double z[3 * BUNDLES];
    for (size_t j = 0; j < 3 * BUNDLES; j++) {
        z[j] = (1.0 + share) * c->z[j];
    }
    const kernel_step in = {z, {t->v[0], t->v[1], t->v[2]}, t->h, decay_cache};
    kernel_force out;
    k->pass(&c->b, &t->numbers, &in, &out);
    return out.elastic;
}

/* Oracle: the pass. The check before it says that all bundles stick where the pass finds no decay, and leaves its 1 - e. */
static void the_check_of_sticking_is_that_of_the_pass(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 11;
    made_contact c;
    int stuck = 0, careful = 0, all = 0;
    for (int i = 0; i < 4000; i++) {
        const trial t = make_near_stick(i, &c, &seed);
        for (int j = 0; j < count; j++) {
            double checked[KERNEL_DECAYS * BUNDLES] = {0.0}, passed[KERNEL_DECAYS * BUNDLES];
            const kernel_step in = {c.z, {t.v[0], t.v[1], t.v[2]}, t.h, checked};
            const int sticks = k[j]->sticks(&c.b, &t.numbers, &in);
            // 1e-9: rounding may decide otherwise only closer to the boundary
            if (sticks) {
                assert_true(pass_sticks(k[j], &c, &t, -1e-9, passed));
                for (size_t b = 2 * BUNDLES; b < 3 * BUNDLES; b++) {
                    assert_near(checked[b], t.numbers.per_d2 > 0.0 ? passed[b] : 0.0, 1e-15);
                }
            } else { // bundles beyond the boundary that move back do not decay; the check does not look at that
                careful += pass_sticks(k[j], &c, &t, 1e-9, passed);
            }
            stuck += sticks;
            all++;
        }
    }
    assert_true(stuck > all / 5 && stuck < 4 * all / 5); // both happen
    assert_true(careful < all / 50);
}

/* Oracle: none needed. What cannot stick, or cannot be told, is left to the pass. */
static void the_check_of_sticking_is_careful(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 12;
    made_contact c;
    for (int blocks = 0; blocks < 2; blocks++) {
        make_contact(&c, blocks ? FORM_BLOCKS : FORM_CELLS, &seed);
        make_state(&c, 0.0, &seed);
        const br_law plastic = br_law_default(BR_LAW_ELASTO_PLASTIC);
        const br_law lugre = br_law_default(BR_LAW_LUGRE);
        const kernel_law laws[2] = {bri_kernel_law(&plastic), bri_kernel_law(&lugre)};
        const double speeds[] = {1e-12, 1.0, 1e80, 1e160, (double)INFINITY, (double)NAN};
        for (int j = 0; j < count; j++) {
            for (int i = 0; i < 12; i++) {
                double cache[KERNEL_DECAYS * BUNDLES] = {0.0};
                const kernel_step in = {c.z, {speeds[i / 2], 0.0, 0.0}, 1e-3, cache};
                assert_int_equal(k[j]->sticks(&c.b, &laws[i % 2], &in), i == 0);
            }
        }
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decays_are_those_of_a_bisection),
        cmocka_unit_test(tangents_are_differences),
        cmocka_unit_test(closing_keeps_the_energy),
        cmocka_unit_test(a_held_step_is_a_pass_that_is_closed),
        cmocka_unit_test(damping_that_fades_needs_no_limit),
        cmocka_unit_test(a_moved_bundle_has_the_motion_that_it_is_given),
        cmocka_unit_test(the_check_of_sticking_is_that_of_the_pass),
        cmocka_unit_test(the_check_of_sticking_is_careful),
    };
    return run_group(argc, argv, tests);
}
