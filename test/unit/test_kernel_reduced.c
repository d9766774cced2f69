/*
 * Reduced contacts in the lanes of the kernel, in every instance that this processor has.
 */
#include "kernel_contacts.h"
#include "kernel_oracle.h"

#include "bristle/limit.h"
#include "limit/limit_internal.h"
#include "limit/smooth.h"
#include "limit/table.h"

enum { CONTACTS = 203 }; // fills no vectors

// Contacts of one model, their numbers in arrays.
typedef struct crowd {
    double in[10][CONTACTS], out[9][CONTACTS];
    kernel_contacts c;
} crowd;

static void make_crowd(crowd* c, const br_law* law, double r, double speed, uint64_t* seed)
{
    const double size = 1.5 * law->mu_s / law->sigma0, scale[3] = {1.0, 1.0, r};
    c->c = (kernel_contacts){.count = CONTACTS, .fn = c->in[6]};
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < CONTACTS; i++) {
            c->in[j][i] = i % 17 ? size * scale[j] * uniform(seed, -1.0, 1.0) : 0.0;
            c->in[3 + j][i] = i % 13 || j == i % 3
                                  ? speed / (r > 0.0 ? scale[j] : 1.0) * uniform(seed, -1.0, 1.0)
                                  : 0.0; // along one axis
            c->in[6][i] = uniform(seed, 0.0, 10.0);
            c->in[7 + j][i] = 0.0;
        }
        c->c.z[j] = c->in[j];
        c->c.v[j] = c->in[3 + j];
        c->c.h[j] = c->in[7 + j];
        c->c.dz[j] = c->out[j];
        c->c.f[j] = c->out[3 + j];
        c->c.energy[j] = c->out[6 + j];
    }
    c->in[3][5] = c->in[4][5] = c->in[5][5] = 0.0; // at rest
}

// A surface of a turned patch, as the kernel wants it. `memory` holds a padded table.
static kernel_surface surface_of(const br_limit* limit, double** memory)
{
    const br_patch_value value = br_limit_get_patch_value(limit);
    kernel_surface s = {
        .r = value.r, .per_r = 1.0 / value.r, .u = value.u, .turn = 1.0, .per_turn = 1.0};
    *memory = NULL;
    if (limit->def.method == BR_LIMIT_SMOOTH) {
        const smooth* table = limit->data;
        s.lookup = KERNEL_SMOOTH;
        s.n = table->n;
        s.nodes = table->node;
        s.cosine = table->axis.x;
        s.sine = table->axis.y;
        s.length = table->length;
    } else if (limit->def.method == BR_LIMIT_BILINEAR) {
        const limit_table* table = limit->data;
        const size_t nodes = table_length(table->n) / 3;
        double* padded = *memory = calloc(4 * nodes, sizeof *padded);
        for (size_t i = 0; i < 3 * nodes; i++) {
            padded[i / 3 * 4 + i % 3] = table->h[i];
        }
        s.lookup = KERNEL_TABLE;
        s.n = table->n;
        s.nodes = padded;
    }
    return s;
}

// Contact i by (31), (32) and (26), in long double, from h.
static void expect(const crowd* c, const br_law* law, const kernel_surface* s, int i,
                   const long double h[3], long double dz[3], long double f[3], long double* scale)
{
    const long double r = s->r, u[3] = {c->in[3][i], c->in[4][i], s->u * c->in[5][i]};
    const long double zeta[3] = {c->in[0][i], c->in[1][i], s->per_r * c->in[2][i]};
    const long double vs[3] = {c->in[3][i], c->in[4][i], r * c->in[5][i]};
    const long double speed = sqrtl(vs[0] * vs[0] + vs[1] * vs[1] + vs[2] * vs[2]);
    const long double g = oracle_g(law, speed);
    const long double zn = sqrtl(zeta[0] * zeta[0] + zeta[1] * zeta[1] + zeta[2] * zeta[2]);
    const long double hn = sqrtl(h[0] * h[0] + h[1] * h[1] + h[2] * h[2]);
    long double beta = 1.0L, slope = 0.0L;
    if (law->kind != BR_LAW_LUGRE) {
        // epsilon = (v^ . z^ + 1)/2,  beta = epsilon alpha,  z_max = |h| g/sigma0        (16)-(18)
        const long double cosine = -(h[0] * zeta[0] + h[1] * zeta[1] + h[2] * zeta[2]);
        const long double share = oracle_share(law, law->sigma0 * zn / (hn * g), &slope);
        beta = zn > 0.0L && hn > 0.0L ? 0.5L * (1.0L + cosine / (zn * hn)) * share : 0.0L;
    }
    const long double size[3] = {1.0L, 1.0L, r}, k = beta * law->sigma0 / g;
    const long double steep = hn > 0.0L ? law->sigma0 * zn / (hn * g) * slope : 0.0L;
    *scale = speed * (1.0L + law->sigma0 / g * zn * (1.0L + steep));
    for (int j = 0; j < 3; j++) {
        const long double z = c->in[j][i];
        dz[j] = -(size[j] * h[j] + z * k) * speed; //                             (31), (32), W-31
        f[j] = -(law->sigma0 * z + oracle_damping(law, speed) * dz[j] + law->sigma2 * u[j]) *
               (long double)c->in[6][i]; //                                          (26), (27), D-1
    }
}

static void check_crowd(const crowd* c, const br_law* law, const kernel_surface* s)
{
    for (int i = 0; i < CONTACTS; i++) {
        long double h[3] = {c->in[7][i], c->in[8][i], c->in[9][i]}, dz[3], f[3], scale;
        expect(c, law, s, i, h, dz, f, &scale);
        for (int j = 0; j < 3; j++) {
            const double arm = j < 2 ? 1.0 : s->r, fn = c->in[6][i];
            const double rate = 1e-14 * (double)scale * arm;
            const double viscous = 1e-14 * law->sigma2 * s->u * fabs(c->in[5][i]);
            assert_near(c->out[j][i], (double)dz[j], rate);
            assert_near(c->out[3 + j][i], (double)f[j],
                        fn * (1e-14 * law->sigma0 * fabs(c->in[j][i]) + law->sigma1 * rate +
                              law->sigma2 * rate + viscous));
        }
    }
}

// h of every contact: that of the ellipsoid or, with a seed, somewhat more or less.
static void make_surface(crowd* c, double r, uint64_t* seed)
{
    for (int i = 0; i < CONTACTS; i++) {
        const long double v[3] = {c->in[3][i], c->in[4][i], (long double)r * c->in[5][i]};
        const long double speed = sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int j = 0; speed > 0.0L && j < 3; j++) {
            c->in[7 + j][i] = (double)(-v[j] / speed * (seed ? uniform(seed, 0.7, 1.1) : 1.0));
        }
    }
}

/* Oracle: (22), (26), (31), (32) in long double: the ellipsoid, and any h that is given. */
static void reduced_contacts_agree_with_the_paper(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 1;
    static crowd c;
    for (int i = 0; i < samples(1250); i++) {
        const br_law law = make_law(i, &seed);
        const kernel_law numbers = bri_kernel_law(&law);
        const double r = i % 11 ? pow(10.0, uniform(&seed, -4.0, 0.0)) : 0.0;
        kernel_surface s = {.lookup = i % 3 ? KERNEL_ROUND : KERNEL_GIVEN,
                            .r = r,
                            .per_r = r > 0.0 ? 1.0 / r : 0.0,
                            .u = 1.2 * r * r,
                            .turn = 1.0,
                            .per_turn = 1.0};
        make_crowd(&c, &law, r, pow(10.0, uniform(&seed, -7.0, 1.0)), &seed);
        make_surface(&c, r, s.lookup == KERNEL_GIVEN ? &seed : NULL);
        for (int j = 0; j < count; j++) {
            k[j]->reduced->batch(&s, &numbers, &c.c);
            check_crowd(&c, &law, &s);
        }
    }
}

static br_limit* make_limit(br_patch* patch, br_limit_method method)
{
    br_limit_def def = br_limit_def_default();
    br_limit* limit = NULL;
    def.patch = patch;
    def.method = method;
    def.n = 20;
    assert_status(br_limit_create(&def, &limit, NULL), BR_OK);
    return limit;
}

/* Oracle: br_limit_eval(). With relaxed bristles dz = -S h |v_S|. */
static void tables_are_those_of_the_limit_surface(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 2;
    static crowd c;
    br_patch_def shape = br_patch_def_default();
    shape.shape = BR_SHAPE_RECTANGLE;
    shape.size_x = 0.02;
    shape.size_y = 0.01;
    shape.angle = 0.4;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&shape, &patch, NULL), BR_OK);
    const br_law law = br_law_default(BR_LAW_LUGRE);
    const kernel_law numbers = bri_kernel_law(&law);
    for (int i = 0; i < samples(400); i++) {
        br_limit* limit = make_limit(patch, i % 2 ? BR_LIMIT_SMOOTH : BR_LIMIT_BILINEAR);
        double* memory;
        const kernel_surface s = surface_of(limit, &memory);
        make_crowd(&c, &law, s.r, pow(10.0, uniform(&seed, -7.0, 1.0)), &seed);
        memset(c.in, 0, 3 * sizeof c.in[0]);
        for (int j = 0; j < count; j++) {
            k[j]->reduced->batch(&s, &numbers, &c.c);
            for (int m = 0; m < CONTACTS; m++) {
                const br_twist v = {c.in[3][m], c.in[4][m], c.in[5][m]};
                const br_wrench h = br_limit_eval(limit, v).wrench;
                const double speed = hypot(hypot(v.vx, v.vy), s.r * v.w);
                const double tol = 5e-14 * speed; // slopes of cells of 1/10: differences times 30
                assert_near(c.out[0][m], -h.fx * speed, tol);
                assert_near(c.out[1][m], -h.fy * speed, tol);
                assert_near(c.out[2][m], -h.tau * speed, tol * s.r);
            }
        }
        free(memory);
        br_limit_destroy(limit);
    }
    br_patch_destroy(patch);
}

// Contact i over a step, by bisection: a bundle of the size 1, in which a spin is a length.
static oracle_step expect_held(const crowd* c, const br_law* law, const kernel_surface* s, int i,
                               double step)
{
    const long double vs[3] = {c->in[3][i], c->in[4][i], (long double)s->r * c->in[5][i]};
    const long double zeta[3] = {c->in[0][i], c->in[1][i], (long double)s->per_r * c->in[2][i]};
    const long double speed = sqrtl(vs[0] * vs[0] + vs[1] * vs[1] + vs[2] * vs[2]);
    oracle_motion m = {.t = 1.0L, .n = speed, .s = speed, .f = 1.0L, .g = oracle_g(law, speed)};
    for (int j = 0; j < 3; j++) {
        m.v[j] = s->lookup == KERNEL_GIVEN ? -c->in[7 + j][i] * speed : vs[j];
    }
    m.vn = sqrtl(m.v[0] * m.v[0] + m.v[1] * m.v[1] + m.v[2] * m.v[2]);
    br_law bare = *law;
    bare.sigma2 = 0.0;
    return oracle_advance(&bare, &m, zeta, step);
}

static void check_held(const crowd* c, const br_law* law, const kernel_surface* s, double step,
                       int guard)
{
    for (int i = 0; i < CONTACTS; i++) {
        const oracle_step want = expect_held(c, law, s, i, step);
        const double fn = c->in[6][i], size[3] = {1.0, 1.0, s->r}, u[3] = {1.0, 1.0, s->u};
        const double stiff = law->sigma0 + law->sigma1 / step;
        double work = 0.0, turnover = 0.0, before = 0.0, reach = 0.0;
        for (int j = 0; j < 3; j++) {
            const double zeta = c->in[j][i] * (j < 2 ? 1.0 : s->per_r);
            reach += fabs(zeta) + step * size[j] * fabs(c->in[3 + j][i]);
            before += 0.5 * law->sigma0 * fn * zeta * zeta;
        }
        for (int j = 0; j < 3; j++) {
            const double v = c->in[3 + j][i], viscous = law->sigma2 * u[j] * v;
            const double parts = fn * (size[j] * stiff * reach + fabs(viscous));
            if (!guard) {
                assert_near(c->out[j][i], size[j] * (double)want.z1[j], 1e-14 * size[j] * reach);
                assert_near(c->out[3 + j][i], -fn * (size[j] * (double)want.l[j] + viscous),
                            1e-14 * parts);
            }
            work -= step * c->out[3 + j][i] * v;
            turnover += step * parts * fabs(v);
        }
        const double stored = c->out[6][i], heat = c->out[8][i];
        const double rounding = 1e-12 * (turnover + before + stored);
        assert_near(c->out[7][i], work, rounding);
        assert_near(heat, work - (stored - before), rounding);
        assert_true(!guard || stored == 0.0 || heat >= -rounding); // no more than all can be paid
    }
}

/* Oracle: bisection in long double; the balance of energy; guarded steps give nothing back. */
static void held_steps_are_those_of_a_bisection(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 5;
    static crowd c;
    for (int i = 0; i < samples(150); i++) {
        const br_law law = make_law(i, &seed);
        const kernel_law numbers = bri_kernel_law(&law);
        const double r = i % 11 ? pow(10.0, uniform(&seed, -4.0, 0.0)) : 0.0;
        const double step = pow(10.0, uniform(&seed, -6.0, 0.0));
        const double speed = law.mu_c / law.sigma0 / step * pow(10.0, uniform(&seed, -2.0, 3.0));
        const kernel_surface s = {.lookup = i % 3 ? KERNEL_ROUND : KERNEL_GIVEN,
                                  .r = r,
                                  .per_r = r > 0.0 ? 1.0 / r : 0.0,
                                  .turn = 1.0,
                                  .per_turn = 1.0,
                                  .u = 1.2 * r * r};
        make_crowd(&c, &law, r, speed, &seed);
        make_surface(&c, r, &seed);
        for (int j = 0; j < 2 * count; j++) {
            k[j / 2]->reduced->hold(&s, &numbers, &c.c, step, j % 2);
            check_held(&c, &law, &s, step, j % 2);
        }
    }
}

// Steps of contacts one by one, against those of a batch, bit by bit.
static void check_single_steps(const kernel* k, const kernel_surface* s, const kernel_law* law,
                               crowd* c, int guard)
{
    static double many[9][CONTACTS];
    k->reduced->hold(s, law, &c->c, 1e-3, guard);
    memcpy(many, c->out, sizeof many);
    for (int m = 0; m < CONTACTS; m++) {
        kernel_contacts one = c->c;
        one.count = 1;
        one.fn += m;
        for (int j = 0; j < 3; j++) {
            one.z[j] += m, one.v[j] += m, one.h[j] += m;
            one.dz[j] += m, one.f[j] += m, one.energy[j] += m;
        }
        k->reduced->hold(s, law, &one, 1e-3, guard);
        for (int j = 0; j < 9; j++) {
            assert_memory_equal(&c->out[j][m], &many[j][m], sizeof many[j][m]);
        }
    }
}

/* Oracle: definition. One contact gives the bits that it gives in a batch, on every surface. */
static void one_contact_gives_the_bits_of_a_batch(void** state)
{
    (void)state;
    needs_equal_bits();
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 3;
    static crowd c;
    const br_patch_def shape = br_patch_def_default();
    br_patch* patch = NULL;
    assert_status(br_patch_create(&shape, &patch, NULL), BR_OK);
    br_limit* smooth_limit = make_limit(patch, BR_LIMIT_SMOOTH);
    br_limit* table_limit = make_limit(patch, BR_LIMIT_BILINEAR);
    double *memory, *none;
    kernel_surface surface[4] = {surface_of(smooth_limit, &none), surface_of(table_limit, &memory)};
    surface[2] = surface[3] = surface[0];
    surface[2].lookup = KERNEL_ROUND;
    surface[3].lookup = KERNEL_GIVEN;
    for (int i = 0; i < samples(400); i++) {
        const br_law law = make_law(i / 4, &seed);
        const kernel_law numbers = bri_kernel_law(&law);
        const kernel_surface* s = &surface[i % 4];
        make_crowd(&c, &law, s->r, pow(10.0, uniform(&seed, -7.0, 1.0)), &seed);
        for (int j = 0; j < CONTACTS; j++) {
            c.in[7][j] = -1.0;
        }
        for (int j = 0; j < count * CONTACTS; j++) {
            const int m = j % CONTACTS;
            const double z[3] = {c.in[0][m], c.in[1][m], c.in[2][m]};
            const br_twist v = {c.in[3][m], c.in[4][m], c.in[5][m]};
            const double h[3] = {-1.0, 0.0, 0.0};
            double dz[3];
            if (m == 0) {
                k[j / CONTACTS]->reduced->batch(s, &numbers, &c.c);
            }
            kernel_one* one = kernel_one_of(k[j / CONTACTS]->reduced->few, s, &numbers);
            const br_wrench wrench = one(s, &numbers, z, &v, c.in[6][m], h, dz, NULL);
            const double f[3] = {wrench.fx, wrench.fy, wrench.tau};
            for (int part = 0; part < 3; part++) {
                assert_near(dz[part], c.out[part][m], 0.0 /* the same bits */);
                assert_near(f[part], c.out[3 + part][m], 0.0);
            }
        }
        c.in[3][40] *= 1e200, c.in[4][40] *= 1e200; // squares that are not numbers any more
        c.in[3][41] *= 1e-200, c.in[4][41] *= 1e-200, c.in[5][41] *= 1e-200;
        for (int j = 0; j < count; j++) {
            check_single_steps(k[j], s, &numbers, &c, i % 2);
        }
    }
    free(memory);
    br_limit_destroy(smooth_limit);
    br_limit_destroy(table_limit);
    br_patch_destroy(patch);
}

/* Oracle: NaN in, NaN out. */
static void nan_gives_nan(void** state)
{
    (void)state;
    const kernel* k[4];
    const int count = instances(k);
    uint64_t seed = 4;
    static crowd c;
    const br_patch_def shape = br_patch_def_default();
    br_patch* patch = NULL;
    assert_status(br_patch_create(&shape, &patch, NULL), BR_OK);
    br_limit* smooth_limit = make_limit(patch, BR_LIMIT_SMOOTH);
    br_limit* table_limit = make_limit(patch, BR_LIMIT_BILINEAR);
    double *memory, *none;
    kernel_surface surface[3] = {surface_of(smooth_limit, &none), surface_of(table_limit, &memory)};
    surface[2] = surface[0];
    surface[2].lookup = KERNEL_ROUND;
    for (int i = 0; i < 7 * 3 * 2; i++) {
        const br_law law = make_law(i % 2, &seed);
        const kernel_law numbers = bri_kernel_law(&law);
        make_crowd(&c, &law, surface[0].r, 1e-3, &seed);
        c.in[i % 7][20] = (double)NAN;
        for (int j = 0; j < count; j++) {
            k[j]->reduced->batch(&surface[i / 7 % 3], &numbers, &c.c);
            assert_true(isnan(c.out[3][20] + c.out[4][20] + c.out[5][20]));
            assert_true(isfinite(c.out[3][21] + c.out[4][21] + c.out[5][21]));
            k[j]->reduced->hold(&surface[i / 7 % 3], &numbers, &c.c, 1e-3, 1);
            assert_true(isnan(c.out[3][20] + c.out[4][20] + c.out[5][20]));
            assert_true(isfinite(c.out[3][21] + c.out[4][21] + c.out[5][21]));
        }
    }
    free(memory);
    br_limit_destroy(smooth_limit);
    br_limit_destroy(table_limit);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduced_contacts_agree_with_the_paper),
        cmocka_unit_test(tables_are_those_of_the_limit_surface),
        cmocka_unit_test(held_steps_are_those_of_a_bisection),
        cmocka_unit_test(one_contact_gives_the_bits_of_a_batch),
        cmocka_unit_test(nan_gives_nan),
    };
    return run_group(argc, argv, tests);
}
