/*
 * Blocks against the distributed model on W&K's grids, along random smooth motions: ramps, a stop,
 * a restart in a new direction, at 5e-5..5e-2 m/s. The first argument is the folder with the grids.
 */
#include "history.h"

static const char* folder;

// Errors measured with an independent program on other motions of the same kind, root mean square over
// the largest value of the reference, in thousandths: W&K's reduced model as published, and 5 x 5
// blocks of equal widths. p = 0 LuGre, p = 1 elasto-plastic; force, torque.
typedef struct yardstick {
    const char* surface;
    double published[2][2];
    double blocks[2][2];
} yardstick;

static const yardstick yardsticks[] = {
    {"Circle", {{44.0, 41.0}, {61.0, 55.0}}, {{8.4, 6.3}, {11.8, 8.8}}},
    {"Square", {{45.0, 39.0}, {62.0, 53.0}}, {{7.2, 5.4}, {10.2, 7.5}}},
    {"Line", {{55.0, 60.0}, {76.0, 86.0}}, {{6.2, 4.3}, {8.5, 6.4}}},
    {"LineGrad", {{53.0, 59.0}, {77.0, 96.0}}, {{7.6, 5.9}, {10.2, 8.7}}},
    {"NonConvex1", {{77.0, 68.0}, {109.0, 83.0}}, {{5.8, 4.7}, {7.7, 5.9}}},
    {"NonConvex2", {{54.0, 48.0}, {75.0, 61.0}}, {{8.3, 5.6}, {10.9, 8.1}}},
};

// The errors of both models on one surface, force and torque, in thousandths.
typedef struct errors {
    double blocks[2], reduced[2];
} errors;

static errors measure(const char* surface, int p)
{
    br_patch* patch = read_surface(folder, surface);
    const planar reference = planar_distributed(patch, table_one(p), GRID);
    const planar models[2] = {planar_blocks(patch, table_one(p), 5),
                              planar_reduced(patch, table_one(p), BR_LIMIT_PUBLISHED)};
    misfit sums[2] = {{0}, {0}};
    for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
        misfit_run(sums, models, 2, reference, seed);
    }
    planar_destroy(models[0]);
    planar_destroy(models[1]);
    planar_destroy(reference);
    br_patch_destroy(patch);
    return (errors){{1e3 * misfit_force(&sums[0]), 1e3 * misfit_torque(&sums[0])},
                    {1e3 * misfit_force(&sums[1]), 1e3 * misfit_torque(&sums[1])}};
}

static void compare(const yardstick* y, int p)
{
    const errors e = measure(y->surface, p);
    for (int i = 0; i < 2; i++) {
        print_message("%-10s p=%d %-6s: reduced %5.1f, blocks %4.1f, %.1f times lower\n",
                      y->surface, p, i ? "torque" : "force", e.reduced[i], e.blocks[i],
                      e.reduced[i] / e.blocks[i]);
        assert_true(5.0 * e.blocks[i] <= e.reduced[i]);

        // other motions than the yardstick's: 20 % slack; between two sets of motions of that other
        // program the reduced model's errors differ by up to a quarter, so a third here
        assert_true(e.blocks[i] <= 1.2 * y->blocks[p][i]);
        assert_near_relative(e.reduced[i], y->published[p][i], 0.33);
    }
}

/* Oracle: the distributed model; the reduced model along the same motions, and the yardsticks above. */
static void five_blocks_are_five_times_closer_than_the_published_model(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof yardsticks / sizeof *yardsticks; i++) {
        compare(&yardsticks[i], 0);
        compare(&yardsticks[i], 1);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_blocks_are_five_times_closer_than_the_published_model),
    };
    if (argc < 2) {
        fprintf(stderr, "usage: %s FOLDER [FILTER]\n", argv[0]);
        return 2;
    }
    folder = argv[1];
    return run_group(argc - 1, argv + 1, tests);
}
