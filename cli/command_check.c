/*
 * bristle check: validate files without running them.
 */
#include <stdio.h>

#include "bristle/sweep.h"
#include "command.h"
#include "input.h"
#include "message.h"
#include "options.h"
#include "scenario/document.h"
#include "scenario/kind.h"
#include "scenario/read_constrained.h"
#include "scenario/read_patch.h"
#include "scenario/set.h"

const char check_help[] =
    "usage: bristle check FILE.yaml... [--set KEY=VALUE]...\n"
    "\n"
    "Validate scenarios, contact patches and constrained systems without running them: every key, every\n"
    "number, every CSV file they name, the sweep they ask for. Prints a line for each and ends with 0 if all is well, else says what\n"
    "is wrong and where, in each of them, and ends with 2. Of contacts it tells the friction that follows from mu, and of a\n"
    "body on them how fast it swings on their bristles, and how damped: a ratio far below 1 rings.\n"
    "\n"
    "  --set KEY=VALUE   override a key, e.g. --set friction.mu=0.5; may be repeated\n"
    "  -h, --help        print this\n"
    "\n"
    "example: bristle check scenarios/*.yaml\n";

// Of a patch.
static void check_patch(const char* file, const node* root)
{
    const br_patch* patch = bri_read_patch(root).patch;
    if (!input_tell(root->in)) {
        printf("%s: ok: contact patch, %s\n", file, br_shape_name(br_patch_get_def(patch)->shape));
    }
}

static void check_constrained(const char* file, const node* root)
{
    const br_constrained s = bri_read_constrained(root).system;
    if (!input_tell(root->in)) {
        printf("%s: ok: constrained system, n = %zu, m = %zu\n", file, s.n, s.m);
    }
}

// Does it draw, but leaves to the command how often?
static bool lacks_samples(const sweep_input* asked)
{
    return asked->draw.count > 0 && asked->samples == 0;
}

// The sweep that a scenario asks for: its number of cases, 0: none; a mistake is told and counted. The command may
// add what is not in the file: keys, how often to draw.
static size_t check_sweep(const char* file, const br_scenario* s, const node* root)
{
    const sweep_input* asked = s->sweep;
    if (!asked || !(asked->vary.count || asked->zip.count || asked->draw.count || asked->cases)) {
        return 0;
    }
    br_sweep_def def = br_sweep_def_default();
    def.samples = lacks_samples(asked) ? 1 : 0;
    br_sweep* sweep;
    br_reason why = {"", ""};
    br_status status = br_sweep_create(s, &def, &sweep, &why);
    const size_t cases = status == BR_OK ? br_sweep_get_case_count(sweep) : 0;
    status = status == BR_OK ? br_sweep_check(sweep, &why) : status;
    if (status != BR_OK) {
        message_tell("%s: %s", file, why.text);
        root->in->problems++;
    }
    br_sweep_destroy(sweep);
    return cases;
}

// The mistakes of a scenario that was made of this tree are those of the tree's file, too.
static void check_scenario(const char* file, const node* root)
{
    br_scenario* s;
    if (bri_scenario_read_node(root, &s) == BR_ERR_MEMORY) {
        message_fail(EXIT_COMPUTATION, "%s: out of memory", file);
    }
    if (input_tell(&s->in)) {
        root->in->problems += s->in.problems;
        br_scenario_destroy(s);
        return;
    }
    const size_t cases = check_sweep(file, s, root);
    if (root->in->problems == 0) {
        printf("%s: ok: %s, %.15g s, %zu rows", file, br_scenario_get_kind(s),
               br_scenario_get_duration(s), br_scenario_get_row_count(s));
        if (cases > 0) {
            printf(", a sweep of %zu cases%s", cases, lacks_samples(s->sweep) ? " a sample" : "");
        }
        printf("\n%s", br_scenario_get_text(s));
    }
    br_scenario_destroy(s);
}

// Tell what is wrong with a file, or that it is good; gives the exit status.
static int check(const char* file, const options* o)
{
    reading* in = input_create(file);
    node* root = bri_document_read(in, file);
    for (size_t i = 0; root && i < o->set_count; i++) {
        bri_set_apply(root, o->sets[i]);
    }
    if (in->problems > 0) {
        input_tell(in);
    } else if (bri_node_find(root, "shape")) {
        check_patch(file, root);
    } else if (bri_node_find(root, "M")) {
        check_constrained(file, root);
    } else {
        check_scenario(file, root);
    }
    return in->problems > 0 ? EXIT_USAGE : EXIT_DONE;
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
