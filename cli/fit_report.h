/*
 * Common code of the kinds of `bristle fit`: options as numbers, progress and Ctrl-C, estimates as text and JSON; the
 * report of a law.
 */
#ifndef CLI_FIT_REPORT_H
#define CLI_FIT_REPORT_H

#include "bristle/fit.h"
#include "json.h"
#include "options.h"
#include "output.h"
#include "plot_fit.h"
#include "progress.h"
#include "text.h"

// --level, in (0, 1), and --hold-out, in [0, 0.9], as numbers; errors end the command.
double fit_level(const options* o);
double fit_hold_out(const options* o);

// --fn must be > 0, and the file have no such column (NULL: it has none); else the command ends.
void fit_check_force(const options* o, const char* file, const double* column);

// The next part of a list with commas; NULL at its end.
char* fit_next_part(char** rest);

// NAME=NUMBER,...: the bits of those that are fixed, and their values; errors end the command.
void fit_read_fix(const char* text, names list, unsigned* fixed, double* values);

// Check the file names of --plot and -o before the fit.
void fit_check_outputs(const options* o);

// Progress on stderr; stops at --max-time or at the first Ctrl-C.
typedef struct fit_watcher {
    progress bar;
    double deadline;
} fit_watcher;

fit_watcher fit_watcher_start(const options* o);
br_fit_watch fit_watch(fit_watcher* watcher);

// "mu_c  0.3001 +- 0.0004 [0.2993, 0.3009]" and its unit, and a note where it is not identifiable.
void fit_print_estimate(const br_fit_estimate* e);

// "mu_c": {"value": ..., "error": ..., "low": ..., "high": ..., "unit": ..., "determined": ..., "words": ...}
void fit_write_estimate(json* out, const br_fit_estimate* e);

// Is a text summary printed? Not with --quiet, or where stdout is the output.
bool fit_prints_text(const options* o);

// Warn if a fit was stopped; returns the exit status.
int fit_end(br_status status);

// "warnings": [...], all warnings so far
void fit_write_warnings(json* out);

// A law's fit as text, JSON and YAML for `bristle run`, as the options request.
void fit_law_print(const options* o, const fit_law_report* report, output* yaml);

#endif
