/*
 * bristle check: validate files without running them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "document.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "read_constrained.h"
#include "read_patch.h"
#include "scenario.h"
#include "set.h"

const char check_help[] =
    "usage: bristle check FILE.yaml... [--set KEY=VALUE]...\n"
    "\n"
    "Validate scenarios, contact patches and constrained systems without running them: every key, every\n"
    "number, every CSV file they name. Prints a line for each and ends with 0 if all is well, else says what\n"
    "is wrong and where, in each of them, and ends with 2. Of contacts it tells the friction that follows from mu, and of a\n"
    "body on them how fast it swings on their bristles, and how damped: a ratio far below 1 rings.\n"
    "\n"
    "  --set KEY=VALUE   override a key, e.g. --set friction.mu=0.5; may be repeated\n"
    "  -h, --help        print this\n"
    "\n"
    "example: bristle check scenarios/*.yaml\n";

static void check(const char* file, const options* o)
{
    node* root = document_read(file);
    for (size_t i = 0; i < o->set_count; i++) {
        set_apply(root, o->sets[i]);
    }
    if (node_find(root, "shape")) {
        const br_patch_def* def = br_patch_get_def(read_patch(root).patch);
        printf("%s: ok: contact patch, %s\n", file, br_shape_name(def->shape));
    } else if (node_find(root, "M")) {
        const br_constrained s = read_constrained(root).system;
        printf("%s: ok: constrained system, n = %zu, m = %zu\n", file, s.n, s.m);
    } else {
        const scenario s = scenario_read(root);
        printf("%s: ok: %s, %.15g s, %zu rows\n", file, s.kind->name, s.run.duration, s.rows);
        if (s.kind->add_check) {
            s.kind->add_check(&s, stdout);
        }
    }
}

// A mistake ends the process that finds it; one of its own for each file lets the next be checked, too.
static int check_apart(const char* file, const options* o)
{
    fflush(NULL); // or the child writes what is ours again
    const pid_t child = fork();
    if (child < 0) {
        message_fail(EXIT_COMPUTATION, "cannot check %s: %s", file, strerror(errno));
    }
    if (child == 0) {
        check(file, o);
        output_check_stdout();
        exit(EXIT_DONE);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!WIFEXITED(status)) {
        message_fail(EXIT_COMPUTATION, "%s: the check was ended by signal %d", file,
                     WTERMSIG(status));
    }
    return WEXITSTATUS(status);
}

int check_main(int argc, char** argv)
{
    const options o = options_read(argc, argv, OPTION_SET | OPTION_FILES);
    if (o.word_count == 1) {
        check(o.words[0], &o);
        return EXIT_DONE;
    }
    int worst = EXIT_DONE;
    for (size_t i = 0; i < o.word_count; i++) {
        const int status = check_apart(o.words[i], &o);
        worst = status > worst ? status : worst;
    }
    return worst;
}
