/*
 * Patches of `bristle fit`: read from files, written as YAML and JSON.
 */
#ifndef CLI_FIT_PATCH_H
#define CLI_FIT_PATCH_H

#include "bristle/anisotropy.h"
#include "bristle/fit.h"
#include "bristle/patch.h"
#include "json.h"
#include "options.h"
#include "output.h"

// Read a patch; errors, a missing option, and anisotropic friction end the command.
const br_patch* fit_read_patch(const char* option, const char* file);

// The same with the anisotropy of friction that the file has.
const br_patch* fit_read_anisotropic_patch(const char* option, const char* file,
                                           br_anisotropy* anisotropy);

// A number of an option within bounds; `default_value` where it is not given. Errors end the command.
double fit_read_number(const char* option, const char* text, double default_value, double low,
                       double high);

// Write a patch of `shape: points` and commit the file. `comment`: lines that start with #.
void fit_write_points(const char* comment, const br_support_point* points, size_t count,
                      output* to);

// A patch as a mapping in one line, its lengths times `scale`, the exponent of a power pressure `k`.
void fit_write_patch(const br_patch_def* patch, double scale, double k, output* to);

// Half of a finite interval, for plots; 0 where there is none.
double fit_half_width(const br_fit_estimate* e);

// "name": [low, high]
void fit_write_interval(json* out, const br_fit_estimate* e);

// "supports": [[x, y, weight, its standard error], ...]
void fit_write_supports(json* out, const br_support_point* points, const double* errors,
                        size_t count);

// End the command with the reason of a fit that failed.
_Noreturn void fit_fail(const options* o, br_status status, const br_reason* why);

#endif
