/*
 * Membership of many forces in a friction cone; reference: one call for each of them.
 */
#include "bench.h"

#include "bristle/cone.h"

#include <math.h>

enum { FORCES = 1000000 };

typedef struct cone_setup {
    br_cone cone;
    double* f;             // (FORCES x 3)
    unsigned char* inside; // (FORCES)
} cone_setup;

static void destroy(void* setup)
{
    cone_setup* s = setup;
    br_release(s->f);
    br_release(s->inside);
    br_release(s);
}

// Forces all around, half of them within the cone.
static void* create(void)
{
    cone_setup* s = br_allocate(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->f = br_allocate(FORCES, 3 * sizeof *s->f);
    s->inside = br_allocate(FORCES, 1);
    const double normal[3] = {2.0, -1.0, 2.0};
    if (!s->f || !s->inside || br_cone_init(normal, 0.5, &s->cone, NULL) != BR_OK) {
        destroy(s);
        return NULL;
    }
    for (size_t i = 0; i < FORCES; i++) {
        const double turn = 2.4 * (double)i, size = (double)(i * 7919 % 1000) * 1e-3;
        for (int k = 0; k < 3; k++) {
            const double across = cos(turn) * s->cone.t1[k] + sin(turn) * s->cone.t2[k];
            s->f[3 * i + k] = s->cone.n[k] + size * across;
        }
    }
    return s;
}

static double count_inside(const cone_setup* s, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i += 97) {
        sum += s->inside[i];
    }
    return sum;
}

static double batch(void* setup, size_t calls)
{
    cone_setup* s = setup;
    br_cone_check_batch(&s->cone, calls, s->f, s->inside);
    return count_inside(s, calls);
}

static double single(void* setup, size_t calls)
{
    cone_setup* s = setup;
    for (size_t i = 0; i < calls; i++) {
        s->inside[i] = br_cone_margin(&s->cone, s->f + 3 * i) >= 0.0;
    }
    return count_inside(s, calls);
}

const bench_case cone_cases[] = {
    BENCH_CASE("cone.check/1e6", FORCES, create, batch, single, destroy),
};
const size_t cone_case_count = sizeof cone_cases / sizeof *cone_cases;
