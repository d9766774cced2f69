/*
 * The kernel in plain C beside the same kernel in vectors of one lane. This program has both: CMakeLists.txt compiles the
 * sources of one lane again with BRISTLE_SCALAR, under other names.
 *
 * Oracle: the other instance, to the last bit. Both do the same operations in the same order, and neither fuses them:
 * without numbers of more digits (x87) and fused products there is nothing left that may differ. Else: skipped, and the
 * tests of all instances against the papers remain, which a build with BRISTLE_SCALAR runs with this kernel alone.
 */
#include "kernel_contacts.h"

#include "planar/kernel_instances.h"

extern const kernel scalar_kernel_1;

#if defined(__FP_FAST_FMA) || FLT_EVAL_METHOD != 0
enum { MAY_DIFFER = 1 };
#else
enum { MAY_DIFFER = 0 };
#endif

enum { NUMBERS = 512 };

// What a kernel writes for one contact: numbers one after the other.
typedef struct written {
    double at[NUMBERS];
    size_t count;
} written;

static void put(written* to, const double* from, size_t count)
{
    assert_true(to->count + count <= NUMBERS);
    memcpy(to->at + to->count, from, count * sizeof *from);
    to->count += count;
}

static void eval_all(const kernel* k, const made_contact* c, const kernel_law* law,
                     const double v[3], written* to)
{
    double dz[3 * BUNDLES] = {0.0}, f[3];
    kernel_load load = {0};
    k->load(&c->b, law, c->z, v, dz, f, &load);
    put(to, dz, (size_t)c->bristles * BUNDLES);
    put(to, f, 3);
    put(to, &load.speed, 1);
}

static void step_all(const kernel* k, const made_contact* c, const kernel_law* law,
                     const double v[3], written* to)
{
    double cache[KERNEL_DECAYS * BUNDLES] = {0.0}, z1[3 * BUNDLES] = {0.0};
    const kernel_step in = {c->z, {v[0], v[1], v[2]}, 1e-3, cache};
    kernel_force force = {0};
    kernel_linear linear = {0};
    kernel_closed closed = {0};
    k->pass(&c->b, law, &in, &force);
    k->linear(&c->b, law, &in, 0, &linear);
    k->close(&c->b, law, &in, 1, z1, &closed);
    put(to, force.f, 3);
    put(to, force.f_v[0], 9);
    put(to, linear.slope[0], 9);
    put(to, linear.rest, 3);
    put(to, z1, (size_t)c->bristles * BUNDLES);
    put(to, closed.f, 3);
    put(to, (const double[]){closed.heat, closed.before, closed.after}, 3);
}

static void expect_same(const written* a, const written* b, int which)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        if (memcmp(&a->at[i], &b->at[i], sizeof a->at[i]) != 0) {
            fail_msg("contact %d, number %zu: %.17g in plain C, %.17g in vectors", which, i,
                     a->at[i], b->at[i]);
        }
    }
}

static void bundles_give_the_same_bits(void** state)
{
    (void)state;
    uint64_t seed = 7;
    for (int which = 0; which < 600; which++) {
        made_contact c;
        make_contact(&c, (form)(which % FORMS), &seed);
        const br_law law = make_law(which, &seed);
        const kernel_law numbers = bri_kernel_law(&law);
        double v[3];
        make_twist(which, law.v_stribeck * pow(10.0, uniform(&seed, -3.0, 2.0)), &seed, v);
        make_state(&c, 1.5 * law.mu_s / law.sigma0, &seed);
        written plain = {.count = 0}, lanes = {.count = 0};
        eval_all(&scalar_kernel_1, &c, &numbers, v, &plain);
        eval_all(&bri_kernel_1, &c, &numbers, v, &lanes);
        expect_same(&plain, &lanes, which);
        plain.count = lanes.count = 0;
        step_all(&scalar_kernel_1, &c, &numbers, v, &plain);
        step_all(&bri_kernel_1, &c, &numbers, v, &lanes);
        expect_same(&plain, &lanes, which);
    }
}

// A table of h with n = 4 whose entries are any numbers: the kernel only interpolates.
enum { TABLE_N = 4, TABLE_NODES = 4 * (4 * TABLE_N + 1) * (TABLE_N + 1) };

static void reduced_contacts_give_the_same_bits(void** state)
{
    (void)state;
    uint64_t seed = 8;
    double nodes[TABLE_NODES];
    for (int i = 0; i < TABLE_NODES; i++) {
        nodes[i] = i % 4 == 3 ? 0.0 : uniform(&seed, -1.0, 1.0);
    }
    for (int which = 0; which < 4000; which++) {
        const br_law law = make_law(which, &seed);
        const kernel_law numbers = bri_kernel_law(&law);
        const double r = pow(10.0, uniform(&seed, -3.0, 0.0)), size = law.mu_s / law.sigma0;
        const kernel_surface s = {.lookup = which % 2 ? KERNEL_TABLE : KERNEL_ROUND,
                                  .r = r,
                                  .per_r = 1.0 / r,
                                  .turn = 1.0,
                                  .per_turn = 1.0,
                                  .u = r * r,
                                  .n = TABLE_N,
                                  .nodes = nodes};
        double v[3], z[3], h[3] = {0.0};
        make_twist(which, law.v_stribeck * pow(10.0, uniform(&seed, -3.0, 2.0)), &seed, v);
        for (int j = 0; j < 3; j++) {
            z[j] = size * (j == 2 ? r : 1.0) * uniform(&seed, -1.0, 1.0);
        }
        const br_twist twist = {v[0], v[1], v[2]};
        const kernel_reduced* instances_of[2] = {scalar_kernel_1.reduced, bri_kernel_1.reduced};
        written of[2] = {{.count = 0}, {.count = 0}};
        for (int k = 0; k < 2; k++) {
            double dz[3];
            const br_wrench f = kernel_one_of(instances_of[k], &s,
                                              &numbers)(&s, &numbers, z, &twist, 2.0, h, dz, NULL);
            put(&of[k], dz, 3);
            put(&of[k], (const double[]){f.fx, f.fy, f.tau}, 3);
        }
        expect_same(&of[0], &of[1], which);
    }
}

int main(int argc, char** argv)
{
    if (MAY_DIFFER) {
        print_message("skipped: products may be fused, or numbers have more digits\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bundles_give_the_same_bits),
        cmocka_unit_test(reduced_contacts_give_the_same_bits),
    };
    return run_group(argc, argv, tests);
}
