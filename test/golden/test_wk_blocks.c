/*
 * Blocks against the distributed model on W&K's grids, along random smooth motions: ramps, a stop,
 * a restart in a new direction, at 5e-5..5e-2 m/s. The first argument is the folder with the grids.
 */
#include "history.h"

static const char* folder;

// What is asked for, root mean square over the largest value of the reference, in thousandths.
// `published`: the error of W&K's reduced model, measured with an independent program on such
// motions; `blocks`: that of 5 x 5 blocks of equal widths, by the same program. p = 0 LuGre, p = 1
// elasto-plastic; force, torque.
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

static void compare(const yardstick* y, int p)
{
    br_patch* patch = read_surface(folder, y->surface);
    const planar reference = planar_distributed(patch, table_one(p), GRID);
    const planar blocks = planar_blocks(patch, table_one(p), 5);
    misfit sum = {0};
    for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
        misfit_run(&sum, blocks, reference, seed);
    }
    const double error[2] = {1e3 * misfit_force(&sum), 1e3 * misfit_torque(&sum)};
    for (int i = 0; i < 2; i++) {
        print_message("%s p=%d %s: %.1f, %.1f times lower than published\n", y->surface, p,
                      i ? "torque" : "force", error[i], y->published[p][i] / error[i]);
        assert_true(5.0 * error[i] <= y->published[p][i]);
        assert_true(error[i] <= 1.2 * y->blocks[p][i]); // other motions: 20 % slack
    }
    planar_destroy(blocks);
    planar_destroy(reference);
    br_patch_destroy(patch);
}

/* Oracle: the distributed model, and the yardsticks above. */
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
