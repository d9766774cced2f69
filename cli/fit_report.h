/*
 * What the kinds of `bristle fit` share: options as numbers, progress and Ctrl-C, estimates for people and in
 * JSON; the report of a law.
 */
#ifndef CLI_FIT_REPORT_H
#define CLI_FIT_REPORT_H

#include "bristle/fit.h"
#include "json.h"
#include "options.h"
#include "output.h"
#include "plot_fit.h"
#include "progress.h"
#include "scenario/text.h"

// --level, in (0, 1), and --hold-out, in [0, 0.9], as numbers; mistakes end the command.
double fit_level(const options* o);
double fit_hold_out(const options* o);

// The place of a word in a list, or say what is allowed and end the command.
int fit_find_word(const char* option, const char* word, names list);

// The next part of a list with commas; NULL at its end.
char* fit_next_part(char** rest);

// NAME=NUMBER,...: the bits of those that are fixed, and their values; mistakes end the command.
void fit_read_fix(const char* text, names list, unsigned* fixed, double* values);

// Are the names of --plot and -o such as can be written, before the work?
void fit_check_places(const options* o);

// Progress on stderr; stops at --max-time or at the first Ctrl-C.
typedef struct fit_watcher {
    progress bar;
    double deadline;
    double begin, share; // of the whole work, that the fit at hand is
} fit_watcher;

fit_watcher fit_watcher_begin(const options* o);
br_fit_watch fit_watch(fit_watcher* watcher);

// "mu_c  0.3001 +- 0.0004 [0.2993, 0.3009]" and its unit, or why it is not told.
void fit_print_estimate(const br_fit_estimate* e);

// "mu_c": {"value": ..., "error": ..., "low": ..., "high": ..., "unit": ..., "determined": ..., "words": ...}
void fit_write_estimate(json* out, const br_fit_estimate* e);

// Is there to be a summary for people: unless it is not wanted, or stdout is taken?
bool fit_is_told(const options* o);

// Say if a fit was stopped; the exit status.
int fit_end(br_status status);

// "warnings": [...], all that were told so far
void fit_write_warnings(json* out);

// A law's fit for people, in JSON, as YAML that `bristle run` takes; what the options ask for.
void fit_law_tell(const options* o, const fit_law_report* report, output* yaml);

#endif
