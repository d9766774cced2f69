/*
 * Work against precision of adaptive runs, for the choice of default tolerances: docs/explanation/precision.md.
 *
 *   bristle-precision SCENARIOS    the folder of the scenarios
 *
 * Each problem runs at tolerances half a decade apart, the absolute ones in the default ratios to
 * the relative one, and once much finer. A block of the output is a problem, a line of it a run:
 *
 *     rtol, attempted steps, CPU time [ms], largest position error over all rows [m]
 *
 * and one more line, with rtol 0, for the defaults of the problem.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bristle/scenario.h"

enum { RUNS = 3 }; // the fastest counts

static const double coarsest = 1e-3, finest = 1e-8, reference = 1e-11;

typedef struct problem {
    const char* group;
    const char* file;
    const char* model; // override, or NULL
} problem;

static const problem problems[] = {
    {"W&K, distributed", "wk/case1_circle_fn1", "model=distributed"},
    {"W&K, distributed", "wk/case1_circle_fn2", "model=distributed"},
    {"W&K, distributed", "wk/case2_circle_fn1", "model=distributed"},
    {"W&K, distributed", "wk/case2_circle_fn2", "model=distributed"},
    {"W&K, distributed", "wk/case2_square_fn1", "model=distributed"},
    {"W&K, distributed", "wk/case2_line_fn1", "model=distributed"},
    {"W&K, distributed", "wk/case2_pads_fn1", "model=distributed"},
    {"W&K, distributed", "wk/case2_k2_fn1", "model=distributed"},
    {"W&K, distributed", "wk/case2_k2fn_fn1", "model=distributed"},
    {"W&K, reduced", "wk/case1_circle_fn1", "model=reduced"},
    {"W&K, reduced", "wk/case1_circle_fn2", "model=reduced"},
    {"W&K, reduced", "wk/case2_circle_fn1", "model=reduced"},
    {"W&K, reduced", "wk/case2_circle_fn2", "model=reduced"},
    {"W&K, reduced", "wk/case2_square_fn1", "model=reduced"},
    {"W&K, reduced", "wk/case2_line_fn1", "model=reduced"},
    {"W&K, reduced", "wk/case2_pads_fn1", "model=reduced"},
    {"W&K, reduced", "wk/case2_k2_fn1", "model=reduced"},
    {"W&K, reduced", "wk/case2_k2fn_fn1", "model=reduced"},
    {"W&K, blocks", "wk/case1_circle_fn1", "model=blocks"},
    {"W&K, blocks", "wk/case1_circle_fn2", "model=blocks"},
    {"W&K, blocks", "wk/case2_circle_fn1", "model=blocks"},
    {"W&K, blocks", "wk/case2_circle_fn2", "model=blocks"},
    {"W&K, blocks", "wk/case2_square_fn1", "model=blocks"},
    {"W&K, blocks", "wk/case2_line_fn1", "model=blocks"},
    {"W&K, blocks", "wk/case2_pads_fn1", "model=blocks"},
    {"W&K, drift", "wk/drift_normal", "model=reduced"},
    {"W&K, drift", "wk/drift_tangential", "model=reduced"},
    {"bodies", "in_hand", NULL},
    {"bodies", "belt", NULL},
    {"bodies", "puck", NULL},
    {"bodies", "incline", NULL},
    {"bodies", "pushed_box", NULL},
    {"bodies", "shaken_grip", NULL},
    {"rigs", "stick_slip", NULL},
    {"mechanisms", "mechanism_bead", NULL},
    {"mechanisms", "mechanism_block", NULL},
    {"mechanisms", "mechanism_two_link", NULL},
    {"mechanisms", "mechanism_chain", NULL},
};

// A run: its rows and its cost.
typedef struct outcome {
    br_table* table; // NULL: failed
    double attempts, ms;
} outcome;

static double cpu_ms(void)
{
    return 1e3 * (double)clock() / CLOCKS_PER_SEC;
}

static double value_of(const br_table* table, const char* path)
{
    const br_table_value* found = br_table_find_value(table, path);
    return found ? found->number : 0.0;
}

static br_scenario* read_problem(const char* folder, const problem* p, double rtol)
{
    char path[512], text[3][48];
    const char* overrides[5] = {NULL};
    size_t count = 0;
    snprintf(path, sizeof path, "%s/%s.yaml", folder, p->file);
    if (p->model) {
        overrides[count++] = p->model;
    }
    static const char* const keys[3] = {"rtol", "atol", "atol_z"};
    for (int i = 0; i < 3 && rtol > 0.0; i++) {
        static const double part[3] = {1.0, 1e-2, 1e-4};
        snprintf(text[i], sizeof text[i], "integrator.%s=%.4e", keys[i], part[i] * rtol);
        overrides[count++] = text[i];
    }
    br_scenario* s = NULL;
    if (br_scenario_read_file(path, overrides, &s) != BR_OK) {
        const br_scenario_error* why = s ? br_scenario_get_error(s, 0) : NULL;
        fprintf(stderr, "%s: %s %s\n", path, why ? why->key : "", why ? why->text : "no memory");
        br_scenario_destroy(s);
        s = NULL;
    }
    return s;
}

static outcome run_problem(const char* folder, const problem* p, double rtol, int runs)
{
    outcome best = {.ms = HUGE_VAL};
    br_scenario* s = read_problem(folder, p, rtol);
    for (int i = 0; s && i < runs; i++) {
        br_reason why;
        br_table* table = NULL;
        const double start = cpu_ms();
        if (br_scenario_run(s, NULL, &table, &why) != BR_OK) {
            fprintf(stderr, "%s at rtol %g: %s\n", p->file, rtol, why.text);
            br_table_destroy(table);
            break;
        }
        best.ms = fmin(best.ms, cpu_ms() - start);
        best.attempts = value_of(table, "steps") + value_of(table, "rejected");
        br_table_destroy(best.table);
        best.table = table;
    }
    br_scenario_destroy(s);
    return best;
}

// Largest distance between positions: columns x, y and z as far as they exist.
static double error_against(const br_table* a, const br_table* truth)
{
    static const char* const coordinates[3] = {"x", "y", "z"};
    size_t columns;
    const br_column* names = br_table_get_columns(a, &columns);
    const size_t rows = br_table_get_row_count(a), all = br_table_get_row_count(truth);
    double worst = 0.0;
    for (size_t i = 0; i < rows && i < all; i++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            const size_t at = br_table_find_column(a, coordinates[k]);
            if (at < columns && strcmp(names[at].unit, "m") == 0) {
                const double d = br_table_get_rows(a)[i * columns + at] -
                                 br_table_get_rows(truth)[i * columns + at];
                square += d * d;
            }
        }
        worst = fmax(worst, sqrt(square));
    }
    return worst;
}

static void print_run(const char* folder, const problem* p, double rtol, const br_table* truth)
{
    const outcome o = run_problem(folder, p, rtol, RUNS);
    if (o.table) {
        printf("%.3e %.0f %.3f %.3e\n", rtol, o.attempts, o.ms, error_against(o.table, truth));
        fflush(stdout);
    }
    br_table_destroy(o.table);
}

static void measure(const char* folder, const problem* p)
{
    const outcome truth = run_problem(folder, p, reference, 1);
    printf("# %s: %s %s\n", p->group, p->file, p->model ? p->model : "");
    for (double rtol = coarsest; truth.table && rtol > 0.9 * finest; rtol *= sqrt(0.1)) {
        print_run(folder, p, rtol, truth.table);
    }
    if (truth.table) {
        print_run(folder, p, 0.0, truth.table);
    }
    printf("\n\n");
    br_table_destroy(truth.table);
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: bristle-precision SCENARIOS\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        measure(argv[1], &problems[i]);
    }
    return 0;
}
