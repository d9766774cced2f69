/*
 * The oracle of test_same.py for fits and sweeps. Data are computed from integers, so that both sides have the same.
 */
#include "bristle/fit_law.h"
#include "bristle/fit_pressure.h"
#include "bristle/fit_pushes.h"
#include "bristle/pushing.h"
#include "bristle/sweep.h"
#include "same.h"

enum { ROWS = 60, PAIRS = 40, PUSHES = 8 };

static void estimate(const br_fit_estimate* e)
{
    numbers((const double[]){e->value, e->error, e->low, e->high}, 4);
}

static void show_fit_law(void)
{
    double t[ROWS], v[ROWS], f[ROWS], fitted[ROWS];
    for (int i = 0; i < ROWS; i++) {
        v[i] = (2 * i - ROWS + 1) * 1e-3;
        f[i] = (v[i] > 0.0 ? 0.3 : -0.3) + 2.5 * v[i] + (i * 7 % 11 - 5) * 1e-3;
    }
    br_fit_law_def def = br_fit_law_def_default();
    def.law = BR_FIT_LAW_VISCOUS;
    def.data = (br_fit_law_data){.count = ROWS, .v = v, .f = f};
    br_fit_law_result fit;
    if (br_fit_law(&def, NULL, &fit, NULL) != BR_OK ||
        br_fit_law_eval(&fit, &def.data, fitted, NULL) != BR_OK) {
        exit(1);
    }
    name("fit", "law");
    for (int k = 0; k < BR_FIT_COUNT; k++) {
        if (!fit.estimates[k].is_fixed) {
            estimate(&fit.estimates[k]);
        }
    }
    numbers((const double[]){fit.rms, fit.noise, fit.bic}, 3);
    line(fitted, ROWS);
    for (int i = 0; i < ROWS; i++) {
        t[i] = i;
    }
    br_fit_law_choice choice;
    def.data.t = t;
    def.profile = 0;
    if (br_fit_law_choose(&def, 0, NULL, 0.5, NULL, &choice, NULL) != BR_OK) {
        exit(1);
    }
    name("fit", "choice");
    numbers((const double[]){choice.law}, 1);
    for (int k = 0; k < BR_FIT_LAW_COUNT; k++) {
        numbers(&choice.fits[k].rms_held_out, 1);
    }
    estimate(&choice.fits[choice.law].estimates[BR_FIT_MU_C]);
    line(&choice.fits[choice.law].bic, 1);
}

static double unit(int i, int k)
{
    return (double)((i * (37 + 12 * k) + 5 * k) % 41) / 20.0 - 1.0;
}

static void show_fit_pressure(const br_patch* box)
{
    br_limit* surface = make_surface(box);
    br_fit_pair pairs[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        const br_twist v = {unit(i, 0), unit(i, 1), 100.0 * unit(i, 2)};
        const br_wrench f = br_limit_eval(surface, v).wrench;
        pairs[i] = (br_fit_pair){{-f.fx, -f.fy, -f.tau}, v};
    }
    br_fit_pressure_def def = br_fit_pressure_def_default();
    def.outline = box;
    def.resolution = 4;
    br_fit_pressure* found;
    if (br_fit_pressure_create(&def, pairs, PAIRS, &found, NULL) != BR_OK) {
        exit(1);
    }
    name("fit", "pressure");
    estimate(&found->mu_fn);
    estimate(&found->r);
    numbers(&found->points->x, 3 * found->count);
    line(&found->angle_error, 1);
    br_fit_pressure_destroy(found);
    br_limit_destroy(surface);
}

static void show_fit_pushes(const br_patch* box)
{
    br_limit* surface = make_surface(box);
    br_outline* outline;
    br_fit_push pushes[PUSHES];
    br_pushing pushing = br_pushing_default();
    if (br_outline_create(box, 0.0, 0, &outline, NULL) != BR_OK) {
        exit(1);
    }
    pushing.surface = surface;
    pushing.outline = outline;
    pushing.mu = 0.3;
    pushing.radius = 0.002;
    for (int i = 0; i < PUSHES; i++) {
        const double y = (2 * i - 7) * 1e-3;
        pushes[i] = (br_fit_push){.from = {-0.02, y}, .to = {-0.01, y + 1e-3}};
        br_pushing_step(&pushing, &pushes[i].end, pushes[i].from, pushes[i].to);
    }
    br_fit_pushes_def def = br_fit_pushes_def_default();
    def.outline = box;
    def.tip_radius = 0.002;
    def.resolution = 3;
    br_fit_pushes* found;
    if (br_fit_pushes_create(&def, pushes, PUSHES, &found, NULL) != BR_OK) {
        exit(1);
    }
    name("fit", "pushes");
    estimate(&found->mu_tip);
    numbers(&found->points->x, 3 * found->count);
    line((const double[]){found->position_error, found->angle_error}, 2);
    br_fit_pushes_destroy(found);
    br_outline_destroy(outline);
    br_limit_destroy(surface);
}

void show_fits(const br_patch* box)
{
    show_fit_law();
    show_fit_pressure(box);
    show_fit_pushes(box);
}

enum { DRAWN = 2, SAMPLES = 4, CASES = SAMPLES * (DRAWN + 2) };

static void note(const br_sweep_result* got, void* user)
{
    double* distances = user;
    distances[got->index] = got->outputs[0];
}

static void show_indices(const double* distances)
{
    br_sobol_sums sums[DRAWN] = {{0}};
    double centre = 0.0;
    for (int i = 0; i < CASES; i++) {
        centre += (distances[i] - centre) / (i + 1);
    }
    for (int i = 0; i < CASES; i += DRAWN + 2) {
        br_sobol_add(sums, DRAWN, distances + i, centre);
    }
    name("sweep", "indices");
    for (int i = 0; i < DRAWN; i++) {
        const br_sobol_index x = br_sobol_eval(&sums[i]);
        numbers((const double[]){x.first, x.first_low, x.first_high, x.total, x.total_low,
                                 x.total_high},
                6);
    }
    printf("\n");
}

void show_sweep(void)
{
    static const char text[] =
        "body: {mass: 1, inertia: 0.01, velocity: [1, 0, 3]}\n"
        "friction: {mu: 0.3}\n"
        "contact: {frame: body, patch: {shape: disc, radius: 0.05}, normal_force: 9.81}\n"
        "duration: 0.4\n";
    static const char* const want[1] = {"final.x"};
    const br_sweep_key keys[DRAWN] = {
        {.use = BR_SWEEP_DRAW, .key = "friction.mu", .spec = "uniform:0.2:0.4"},
        {.use = BR_SWEEP_DRAW, .key = "body.mass", .spec = "uniform:0.8:1.2"}};
    br_sweep_def def = br_sweep_def_default();
    def.keys = keys;
    def.key_count = DRAWN;
    def.samples = SAMPLES;
    def.has_seed = 1;
    def.seed = 3;
    def.indices = 1;
    def.outputs = want;
    def.output_count = 1;
    double distances[CASES];
    const br_sweep_run_def run = {
        .size = sizeof(br_sweep_run_def), .threads = 1, .done = note, .user = distances};
    br_scenario* scenario;
    br_sweep* sweep;
    if (br_scenario_read_text(text, "same", NULL, &scenario) != BR_OK ||
        br_sweep_create(scenario, &def, &sweep, NULL) != BR_OK ||
        br_sweep_get_case_count(sweep) != CASES || br_sweep_run(sweep, &run, NULL) != BR_OK) {
        exit(1);
    }
    name("sweep", "final.x");
    line(distances, CASES);
    show_indices(distances);
    br_sweep_destroy(sweep);
    br_scenario_destroy(scenario);
}
