/*
 * Random cones, pushes, mechanisms and fits: test-scenes-others COUNT SEED, a share of COUNT each.
 */
#include "others.h"

#include <math.h>
#include <stdlib.h>

bool is_off(const char* what, size_t index, double value, double expected, double allowed)
{
    const bool off = !(fabs(value - expected) <= allowed);
    if (off) {
        printf("%s, case %zu: %.12g, expected %.12g, off by %.3g, at most %.3g\n", what, index,
               value, expected, fabs(value - expected), allowed);
    }
    return off;
}

int main(int argc, char** argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s COUNT SEED\n", argv[0]);
        return 2;
    }
    const size_t count = (size_t)strtoull(argv[1], NULL, 10);
    const uint64_t seed = strtoull(argv[2], NULL, 10);
    const struct {
        const char* name;
        size_t (*check)(uint64_t, size_t);
        size_t count;
    } parts[] = {{"cones", check_cones, 10 * count},
                 {"pushes", check_pushes, count},
                 {"mechanisms", check_mechanisms, count / 4},
                 {"fits", check_fits, count / 10}};
    size_t failed = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const size_t off = parts[i].check(seed, parts[i].count);
        printf("%s: %zu cases, %zu failed\n", parts[i].name, parts[i].count, off);
        failed += off;
    }
    return failed > 0;
}
