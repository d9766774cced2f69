/*
 * bristle check: validate files without running them.
 */
#include <stdio.h>

#include "bristle/sweep.h"
#include "command.h"
#include "input.h"
#include "message.h"
#include "options.h"

const char check_help[] =
    "usage: bristle check FILE.yaml... [--set KEY=VALUE]...\n"
    "\n"
    "Validate scenarios, contact patches and constrained systems without running them: every key, every\n"
    "number, every CSV file that they name, and their sweep. Prints one line per file and exits with 0 if all\n"
    "files are valid; else prints every error with its position and exits with 2. For contacts it also prints the\n"
    "friction parameters that follow from mu; for a body, the frequencies and damping ratios of its vibration on\n"
    "the bristles (far below 1: lightly damped).\n"
    "\n"
    "  --set KEY=VALUE   override a key, e.g. --set friction.mu=0.5; may be repeated\n"
    "  -h, --help        print this\n"
    "\n"
    "example: bristle check scenarios/*.yaml\n";

// Number of cases in the sweep of a scenario; 0: no sweep. An error is reported and sets `status`. A missing number of
// samples is no error: the option --samples may give it.
static size_t check_sweep(const br_scenario* s, int* status)
{
    const br_scenario_model model = br_scenario_get_model(s);
    if (!model.sweeps) {
        return 0;
    }
    br_sweep_def def = br_sweep_def_default();
    def.samples = model.lacks_samples ? 1 : 0;
    br_sweep* sweep;
    br_reason why = {"", ""};
    br_status checked = br_sweep_create(s, &def, &sweep, &why);
    const size_t cases = checked == BR_OK ? br_sweep_get_case_count(sweep) : 0;
    checked = checked == BR_OK ? br_sweep_check(sweep, &why) : checked;
    if (checked != BR_OK) {
        message_print("%s%s", input_place(s, "sweep"), why.text);
        *status = EXIT_USAGE;
    }
    br_sweep_destroy(sweep);
    return cases;
}

static int check_scenario(const char* file, const br_scenario* s)
{
    int status = EXIT_DONE;
    const size_t cases = check_sweep(s, &status);
    if (status == EXIT_DONE) {
        printf("%s: ok: %s, %.15g s, %zu rows", file, br_scenario_get_kind(s),
               br_scenario_get_duration(s), br_scenario_get_row_count(s));
        if (cases > 0) {
            printf(", a sweep of %zu cases%s", cases,
                   br_scenario_get_model(s).lacks_samples ? " a sample" : "");
        }
        printf("\n%s", br_scenario_get_text(s));
    }
    return status;
}

// Report the errors of a file, or that it is valid. Returns the exit status.
static int check(const char* file, const options* o)
{
    const br_scenario* s = input_model_unchecked(file, BR_MODEL_ANY, o);
    if (input_report(s)) {
        return EXIT_USAGE;
    }
    const br_scenario_model model = br_scenario_get_model(s);
    if (model.patch) {
        printf("%s: ok: %s, %s\n", file, br_scenario_get_kind(s),
               br_shape_get_name(br_patch_get_def(model.patch)->shape));
    } else if (model.constrained) {
        printf("%s: ok: %s, n = %zu, m = %zu\n", file, br_scenario_get_kind(s),
               model.constrained->n, model.constrained->m);
    } else {
        return check_scenario(file, s);
    }
    return EXIT_DONE;
}

int check_main(int argc, char** argv)
{
    const options o = options_read(argc, argv, OPTION_SET | OPTION_FILES);
    int worst = EXIT_DONE;
    for (size_t i = 0; i < o.word_count; i++) {
        const int status = check(o.words[i], &o);
        worst = status > worst ? status : worst;
    }
    return worst;
}
