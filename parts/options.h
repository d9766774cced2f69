/*
 * The options and arguments of a command.
 */
#ifndef PARTS_OPTIONS_H
#define PARTS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

// All options; each command accepts some of them.
enum {
    OPTION_OUTPUT = 1 << 0,
    OPTION_PLOT = 1 << 1,
    OPTION_SET = 1 << 2,
    OPTION_JSON = 1 << 3,
    OPTION_QUIET = 1 << 4,
    OPTION_FN = 1 << 5,
    OPTION_LIST = 1 << 6,
    OPTION_ONLY = 1 << 7,
    OPTION_TWISTS = 1 << 8,
    OPTION_METHOD = 1 << 9,
    OPTION_N = 1 << 10,
    OPTION_ANIMATE = 1 << 11,
    OPTION_MAX_TIME = 1 << 12,
    OPTION_KEEP_PARTIAL = 1 << 13,
    OPTION_CONE = 1 << 14, // all those of `bristle cone` alone
    OPTION_AS_PUBLISHED = 1 << 15,
    OPTION_ENGINE = 1 << 25,       // all those of `bristle convert` alone
    OPTION_FIT = 1 << 19,          // those that all kinds of `bristle fit` share
    OPTION_FIT_LAW = 1 << 20,      // those of `bristle fit law` and `bristle fit contact` alone
    OPTION_NO_FILE = 1 << 16,      // not an option: the command takes no file
    OPTION_WORDS = 1 << 17,        // not an option: the command takes any number of words
    OPTION_FILES = 1 << 18,        // not an option: the command takes one file or more
    OPTION_FIT_PRESSURE = 1 << 21, // those of `bristle fit pressure` alone
    OPTION_FIT_PUSHES = 1 << 22,   // those of `bristle fit pushes` alone
    OPTION_FIT_CONTACT = 1 << 23,  // those of `bristle fit contact` alone
    OPTION_FORCE = 1 << 27,
    OPTION_IN_PLACE = 1 << 28,
    OPTION_SENSITIVITY = 1 << 29,
    OPTION_SWEEP = 1 << 26 // all those of `bristle sweep` alone
};

// An option that may be given many times, and its value.
typedef struct option_pair {
    const char* name;
    const char* value;
} option_pair;

typedef struct options {
    const char* file; // the input file of most commands
    char** words;     // or the words or files of some commands (word_count)
    size_t word_count;
    const char* output;  // -o; NULL: not given
    const char* plot;    // NULL: not given
    const char* animate; // NULL: not given
    const char* max_time_text;
    double max_time; // --max-time [s]; infinite: not given
    bool keep_partial;
    const char* sensitivity; // keys with commas between them; NULL: not given
    bool as_published;
    const char** sets; // --set, in their order (set_count)
    size_t set_count;
    bool json;
    bool quiet;
    bool list;
    bool force;
    bool in_place;
    const char* only; // --only GLOB; NULL: not given
    const char* fn_text;
    double fn;          // --fn [N]
    const char* twists; // NULL: not given
    const char* method; // NULL: not given
    const char* n_text;
    size_t n; // --n: nodes per quarter turn

    // of `bristle cone`, as written; NULL: not given
    const char *mu, *normal, *faces, *approx, *fmin, *fmax, *print, *check, *project;
    const char *patch_wrench, *pressure;

    // of `bristle fit`, as written; NULL: not given
    const char *level, *hold_out, *validate, *law, *free, *fix, *table;
    bool robust, passive, flip_force;
    const char *outline, *supports, *tolerance, *cells, *choices, *tip_radius, *patch, *mu_tip;
    const char* tip_offset;
    bool predict, fit_tip_radius;

    // of `bristle convert`, as written, with mu and faces of those above; NULL: not given
    const char *to, *cone;

    // of `bristle sweep`, as written; NULL: not given
    option_pair* pairs; // --vary, --zip, --draw and --want, in their order (pair_count)
    size_t pair_count;
    const char *samples, *sampling, *seed, *cases, *tables, *jobs, *shard, *contour;
    bool resume, merge, sobol, local;
} options;

// Read the options; `accepted`: those of this command, whose name is argv[0]. Errors end the command.
options options_read(int argc, char** argv, int accepted);

// The coefficient of friction of --mu; a missing or impossible one ends the command, one in percent is warned of.
double options_mu(const options* o);

// End the command if the file of -o has a suffix that is not in `allowed` (".csv", ...); no suffix is accepted.
void options_check_output(const options* o, names allowed);

// The file for a command's results: -o, else stdout unless --json is given. NULL: none.
const char* options_output_name(const options* o);

// The same for a table: .csv or .npz.
const char* options_table_name(const options* o);

#endif
