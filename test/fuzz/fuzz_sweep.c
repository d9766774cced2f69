/*
 * Sweeps of a small scenario, whose lines are "USE KEY=SPEC": USE v (vary), z (zip), d (draw) or w (a result that is
 * wanted, "w final.x"). They are planned, checked, and their first cases run. Where the first byte is 0, the rest is
 * numbers: samples of Sobol' indices.
 */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/sweep.h"

enum { MOST_KEYS = 4, MOST_OUTPUTS = 4, CASES = 2, CHECKS = 60, MOST_INPUTS = 8 };

static const char* const scenarios[] = {
    "law: {kind: coulomb, mu_c: 0.3}\nmotion: {velocity: 1e-3}\nduration: 0.01\n",
    "body: {mass: 1, radius: 0.02, velocity: [0.1, 0, 0]}\nfriction: {mu: 0.3}\n"
    "contact: {patch: {shape: disc, radius: 0.02}, normal_force: 10}\nduration: 0.02\n"
    "sweep: {draw: {body.mass: 'normal:1:0.1'}, samples: 4}\n",
};

// --- Sobol' indices -------------------------------------------------------------------------------------------

static void add_samples(input* in)
{
    br_sobol_sums sums[MOST_INPUTS] = {{0}};
    double f[MOST_INPUTS + 2];
    const size_t inputs = 1 + take_index(in, MOST_INPUTS);
    const double centre = take_number(in);
    for (size_t samples = take_index(in, 30); samples > 0; samples--) {
        take_numbers(in, f, inputs + 2);
        br_sobol_add(sums, inputs, f, centre);
    }
    for (size_t i = 0; i < inputs; i++) {
        const br_sobol_index index = br_sobol_eval(&sums[i]);
        demand(!(index.first_low > index.first_high) && !(index.total_low > index.total_high));
        demand(!(sums[i].total < 0.0) && !(sums[i].v < 0.0));
    }
}

// --- sweeps ---------------------------------------------------------------------------------------------------

// Keys and outputs of the text, which is cut into its lines.
typedef struct definition {
    br_sweep_key keys[MOST_KEYS];
    size_t key_count;
    const char* outputs[MOST_OUTPUTS];
    size_t output_count;
} definition;

static void read_line(char* line, definition* to)
{
    static const char uses[] = "vzd";
    const char* use = *line ? strchr(uses, *line) : NULL;
    char* text = *line && line[1] ? line + 2 : line + strlen(line);
    char* spec = strchr(text, '=');
    if (use && spec && to->key_count < MOST_KEYS) {
        *spec++ = '\0';
        to->keys[to->key_count++] = (br_sweep_key){(br_sweep_use)(use - uses), text, spec, NULL, 0};
    } else if (*line == 'w' && to->output_count < MOST_OUTPUTS) {
        to->outputs[to->output_count++] = text;
    }
}

static void read_lines(char* text, definition* to)
{
    for (char *line = text, *end = text; end; line = end + 1) {
        end = strchr(line, '\n');
        if (end) {
            *end = '\0';
        }
        read_line(line, to);
        if (!end) {
            return;
        }
    }
}

static bool stop(void* user)
{
    size_t* left = user;
    return *left == 0 || --*left == 0;
}

// Results are those of a case: with its index, and as many numbers as were wanted.
static void see(const br_sweep_result* result, void* user)
{
    (void)user;
    demand(result->inputs);
    look_at(result->failure ? (double)strlen(result->failure) : 0.0);
}

static void use_columns(const br_sweep_column* columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        demand(columns[i].name && columns[i].unit);
        look_at((double)strlen(columns[i].name));
    }
}

static void use_sweep(const br_sweep* sweep)
{
    size_t axes, inputs, outputs, product = 1, left = CHECKS;
    const size_t cases = br_sweep_get_case_count(sweep);
    const size_t* shape = br_sweep_get_shape(sweep, &axes);
    br_reason why;
    for (size_t i = 0; i < axes; i++) {
        product *= shape[i];
    }
    demand(axes >= 1 && product == cases);
    use_columns(br_sweep_get_inputs(sweep, &inputs), inputs);
    use_columns(br_sweep_get_outputs(sweep, &outputs), outputs);
    demand(br_sweep_get_drawn_count(sweep) <= inputs);
    double* numbers = calloc(inputs + 1, sizeof *numbers);
    for (size_t i = 0; i < CASES && cases > 0; i++) {
        br_sweep_eval_inputs(sweep, i * (cases - 1) / (CASES - 1), numbers);
    }
    for (size_t i = 0; i < inputs; i++) {
        demand(br_sweep_get_axis(sweep, i) < axes);
        demand(!(br_sweep_get_deviation(sweep, i) < 0.0));
    }
    free(numbers);
    look_at((double)strlen(br_sweep_get_text(sweep)));
    demand(!br_sweep_has_indices(sweep) || br_sweep_has_samples(sweep));
    if (br_sweep_check(sweep, &why) == BR_OK) {
        br_sweep_run_def def = br_sweep_run_def_default();
        def.threads = 1;
        def.count = CASES;
        def.done = see;
        def.stop = stop;
        def.user = &left;
        br_sweep_run(sweep, &def, &why);
    } else {
        demand(*why.text);
    }
}

static void eval_local(const br_sweep* sweep)
{
    size_t inputs, outputs;
    br_reason why;
    br_sweep_get_inputs(sweep, &inputs);
    br_sweep_get_outputs(sweep, &outputs);
    br_sweep_local* local = calloc(outputs + 1, sizeof *local);
    double* slopes = calloc(inputs * outputs + 1, sizeof *slopes);
    if (br_sweep_eval_local(sweep, local, slopes, &why) == BR_OK) {
        for (size_t i = 0; i < outputs; i++) {
            demand(!(local[i].deviation < 0.0));
        }
    } else {
        demand(*why.text);
    }
    free(local);
    free(slopes);
}

static void plan(uint8_t how, const char* text)
{
    char lines[8193];
    definition d = {.key_count = 0};
    br_sweep_def def = br_sweep_def_default();
    br_scenario* s = NULL;
    br_sweep* sweep = NULL;
    br_reason why;
    strcpy(lines, text);
    read_lines(lines, &d);
    def.keys = d.keys, def.key_count = d.key_count;
    def.outputs = d.outputs, def.output_count = d.output_count;
    def.samples = how & 2 ? 5 : 0;
    def.sampling = (br_sweep_sampling)(how / 4 % 4);
    def.has_seed = how & 16;
    def.seed = how;
    def.indices = how & 32;
    if (br_scenario_read_text(scenarios[how & 1], "input", NULL, &s) == BR_OK) {
        if (br_sweep_create(s, &def, &sweep, &why) == BR_OK) {
            use_sweep(sweep);
            if (how >= 192 && br_sweep_get_case_count(sweep) < 100) {
                eval_local(sweep);
            }
        } else {
            demand(!sweep && *why.text);
        }
    }
    br_sweep_destroy(sweep);
    br_scenario_destroy(s);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    const uint8_t how = take_byte(&in);
    const char* text = text_of(in.at, in.left);
    if (how == 0) {
        add_samples(&in);
    } else if (text) {
        plan(how, text);
    }
    return 0;
}
