/*
 * bristle check: validate a file without running it.
 */
#include <stdio.h>

#include "command.h"
#include "document.h"
#include "message.h"
#include "options.h"
#include "read_constrained.h"
#include "read_patch.h"
#include "scenario.h"
#include "set.h"

const char check_help[] =
    "usage: bristle check FILE.yaml [--set KEY=VALUE]...\n"
    "\n"
    "Validate a scenario, a contact patch or a constrained system without running it: every key, every\n"
    "number, every CSV file it names. Prints a line and ends with 0 if all is well, else says what is\n"
    "wrong and where, and ends with 2. Of contacts it tells the friction that follows from mu, and of a\n"
    "body on them how fast it swings on their bristles, and how damped: a ratio far below 1 rings.\n"
    "\n"
    "  --set KEY=VALUE   override a key, e.g. --set friction.mu=0.5; may be repeated\n"
    "  -h, --help        print this\n"
    "\n"
    "example: bristle check scenarios/stick_slip.yaml\n";

int check_main(int argc, char** argv)
{
    const options o = options_read(argc, argv, OPTION_SET);
    node* root = document_read(o.file);
    for (size_t i = 0; i < o.set_count; i++) {
        set_apply(root, o.sets[i]);
    }
    if (node_find(root, "shape")) {
        const br_patch_def* def = br_patch_get_def(read_patch(root).patch);
        printf("%s: ok: contact patch, %s\n", o.file, br_shape_name(def->shape));
    } else if (node_find(root, "M")) {
        const br_constrained s = read_constrained(root).system;
        printf("%s: ok: constrained system, n = %zu, m = %zu\n", o.file, s.n, s.m);
    } else {
        const scenario s = scenario_read(root);
        printf("%s: ok: %s, %.15g s, %zu rows\n", o.file, s.kind->name, s.run.duration, s.rows);
        if (s.kind->add_check) {
            s.kind->add_check(&s, stdout);
        }
    }
    return EXIT_DONE;
}
