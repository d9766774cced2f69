/*
 * The tables of docs/explanation/models.md: error against cost of the methods of a contact, along random
 * motions that were not used for tuning the methods. Motions that stop, on W&K's grids; sines, on
 * shapes, compared with finer cells. The first argument is the folder with W&K's grids.
 */
#include "history.h"

#include <time.h>

static const char* const surfaces[] = {"Circle",   "Square",     "Line",
                                       "LineGrad", "NonConvex1", "NonConvex2"};
enum { SURFACES = 6, FIRST_SEED = 101 };

// The rows of the table: reduced with three surfaces, blocks 1..8, the rule, distributed.
enum { ELLIPSOID, PUBLISHED, EXACT, BLOCKS, RULE = BLOCKS + 8, DISTRIBUTED, MODELS };

// Nanoseconds per evaluation in the middle of a motion: the minimum of many runs.
static double cost_of(planar m)
{
    enum { RUNS = 2000, CALLS = 20 }; // short: a busy machine interrupts
    static double z[MOST_STATES], dz[MOST_STATES];
    const size_t states = br_contact_get_state_count(m.contact);
    for (size_t i = 0; i < states; i++) {
        z[i] = i < states / 3 * 2 ? 1.1e-6 * cos(2.4 * (double)i) : 0.0;
    }
    double shortest = HUGE_VAL;
    for (int run = 0; run < RUNS; run++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int i = 0; i < CALLS; i++) {
            br_contact_eval(m.contact, z, (br_twist){7e-4, -4e-4, 0.08}, 1.0, dz);
        }
        clock_gettime(CLOCK_MONOTONIC, &to);
        const double ns =
            1e9 * (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec);
        shortest = fmin(shortest, ns / CALLS);
    }
    return shortest;
}

// Two rings of six points, exact for polynomials up to degree 3 over a uniform disc of radius
// sqrt(2 u).
static planar planar_rule(double u, br_law law)
{
    br_support_point points[12];
    for (int i = 0; i < 12; i++) {
        const int outer = i >= 6;
        const double radius = sqrt(2.0 * u * (0.5 + (outer ? 0.5 : -0.5) / sqrt(3.0)));
        const double angle = BR_PI / 3.0 * (i + 0.5 * outer);
        points[i] = (br_support_point){radius * cos(angle), radius * sin(angle), 1.0};
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.count = 12;
    def.points = points;
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    const planar rule = planar_blocks(patch, law, 4);
    br_patch_destroy(patch);
    return rule;
}

static planar create_model(int which, const br_patch* patch, br_law law)
{
    switch (which) {
    case ELLIPSOID:
        return planar_reduced(patch, law, BR_LIMIT_ELLIPSOID);
    case PUBLISHED:
        return planar_reduced(patch, law, BR_LIMIT_PUBLISHED);
    case EXACT:
        return planar_reduced(patch, law, BR_LIMIT_SMOOTH);
    case RULE:
        return planar_rule(br_patch_eval(patch, 1.0).u, law);
    case DISTRIBUTED:
        return planar_distributed(patch, law, GRID);
    default:
        return planar_blocks(patch, law, (size_t)(which - BLOCKS) + 1);
    }
}

// One sine of 1 to 3 Hz per component, amplitude 0.5 to 1 `speed` [m/s] at a rim of 7 mm; no stops.
static history random_sines(double speed, uint64_t seed)
{
    history h = {.ramp = 1e-9, .stop = HUGE_VAL, .restart = HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        h.amplitude[i][0] = (i < 2 ? speed : speed / 0.007) * uniform(&seed, 0.5, 1.0);
        h.frequency[i][0] = 2.0 * BR_PI * uniform(&seed, 1.0, 3.0);
        h.phase[i][0] = 2.0 * BR_PI * uniform(&seed, 0.0, 1.0);
    }
    return h;
}

// speed 0: motions that stop and start again
static history create_motion(double speed, int index)
{
    const uint64_t seed = FIRST_SEED + (uint64_t)index;
    return speed > 0.0 ? random_sines(speed, seed) : random_history(seed);
}

static void run_reference(planar m, double speed, br_wrench reference[HISTORIES][SAMPLES])
{
    for (int i = 0; i < HISTORIES; i++) {
        const history motion = create_motion(speed, i);
        run_history(m, &motion, reference[i]);
    }
}

static misfit error_of(planar m, double speed, br_wrench reference[HISTORIES][SAMPLES])
{
    static br_wrench f[SAMPLES];
    misfit sum = {0};
    for (int i = 0; i < HISTORIES; i++) {
        const history motion = create_motion(speed, i);
        run_history(m, &motion, f);
        for (int k = 0; k < SAMPLES; k++) {
            misfit_add(&sum, f[k], reference[i][k]);
        }
    }
    return sum;
}

typedef struct row {
    size_t states;
    double ns;
    misfit error[SURFACES];
} row;

static void measure_surface(const char* folder, int surface, row rows[MODELS])
{
    static br_wrench reference[HISTORIES][SAMPLES];
    br_patch* patch = read_surface(folder, surfaces[surface]);
    const planar all = planar_distributed(patch, table_one(1), GRID);
    run_reference(all, 0.0, reference);
    planar_destroy(all);
    const int count =
        surface == 0 ? MODELS : RULE; // the rule is for discs; distributed has no error
    for (int which = 0; which < count; which++) {
        const planar m = create_model(which, patch, table_one(1));
        if (surface == 0) {
            rows[which].states = br_contact_get_state_count(m.contact);
            rows[which].ns = cost_of(m);
        }
        rows[which].error[surface] = error_of(m, 0.0, reference);
        planar_destroy(m);
    }
    br_patch_destroy(patch);
}

static const char* name_of(int which)
{
    switch (which) {
    case ELLIPSOID:
        return "ellipsoid";
    case PUBLISHED:
        return "reduced, as published";
    case EXACT:
        return "reduced, exact surface";
    case RULE:
        return "12-point rule";
    case DISTRIBUTED:
        return "distributed, 21 x 21";
    default:
        return "blocks, m = ";
    }
}

static void print_row(int which, const row* r)
{
    printf("| %s", name_of(which));
    if (which >= BLOCKS && which < RULE) {
        printf("%d", which - BLOCKS + 1);
    }
    printf(" |");
    printf(" %zu | %.0f |", r->states, r->ns);
    for (int i = 0; i < SURFACES; i++) {
        const misfit* e = &r->error[i];
        if (which == DISTRIBUTED) {
            printf(" 0 |");
        } else if (e->samples == 0) {
            printf(" - |");
        } else {
            printf(" %.1f/%.1f |", 1e3 * misfit_force(e), 1e3 * misfit_torque(e));
        }
    }
    printf("\n");
}

static void print_stops(const char* folder)
{
    static row rows[MODELS];
    printf("| method | states | ns |");
    for (int i = 0; i < SURFACES; i++) {
        measure_surface(folder, i, rows);
        printf(" %s |", surfaces[i]);
    }
    printf("\n|---|---|---|---|---|---|---|---|---|\n");
    for (int which = 0; which < MODELS; which++) {
        print_row(which, &rows[which]);
    }
}

// --- sines -----------------------------------------------------------------------------------------

// Shapes of the same extent as W&K's grids, except those of so few cells that blocks are the cells.
enum { SHAPES = 4, FINE = 3 * GRID };

static br_patch* create_shape(int which)
{
    static const br_shape shapes[SHAPES] = {BR_SHAPE_DISC, BR_SHAPE_RECTANGLE, BR_SHAPE_LINE,
                                            BR_SHAPE_LINE};
    br_patch_def def = br_patch_def_default();
    def.shape = shapes[which];
    def.radius = br_by_force_constant(0.01);
    def.size_x = def.size_y = def.length = 0.02;
    if (which == 3) {
        def.pressure = BR_PRESSURE_LINEAR;
        def.from = 0;
        def.to = 1;
    }
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

static const int compared[] = {PUBLISHED, EXACT, BLOCKS + 4, DISTRIBUTED};
enum { COMPARED = 4 };

static void measure_shape(double speed, int shape, misfit errors[COMPARED])
{
    static br_wrench reference[HISTORIES][SAMPLES];
    br_patch* patch = create_shape(shape);
    const planar fine = planar_distributed(patch, table_one(1), FINE);
    run_reference(fine, speed, reference);
    planar_destroy(fine);
    for (int i = 0; i < COMPARED; i++) {
        const planar m = create_model(compared[i], patch, table_one(1));
        errors[i] = error_of(m, speed, reference);
        planar_destroy(m);
    }
    br_patch_destroy(patch);
}

static void print_sines(double speed)
{
    static misfit errors[SHAPES][COMPARED];
    for (int shape = 0; shape < SHAPES; shape++) {
        measure_shape(speed, shape, errors[shape]);
    }
    for (int i = 0; i < COMPARED; i++) {
        printf("| %g mm/s | %s%s |", 1e3 * speed, name_of(compared[i]),
               compared[i] == BLOCKS + 4 ? "5" : "");
        for (int shape = 0; shape < SHAPES; shape++) {
            const misfit* e = &errors[shape][i];
            printf(" %.1f/%.1f |", 1e3 * misfit_force(e), 1e3 * misfit_torque(e));
        }
        printf("\n");
    }
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    print_stops(argv[1]);
    printf(
        "\n| amplitude | method | Disc | Square | Line | Line, linear |\n|---|---|---|---|---|---|\n");
    print_sines(1e-3);
    print_sines(5e-3);
    return 0;
}
