/*
 * Small helpers of the fits: checks with reasons, and statistics of columns.
 */
#ifndef BRISTLE_FIT_NUMBERS_H
#define BRISTLE_FIT_NUMBERS_H

#include "bristle/fit_law.h"

// Set the reason, and be the status: return REFUSE(BR_ERR_DEF, why, field, format, ...).
#define REFUSE(status, why, ...) (br_reason_set(why, __VA_ARGS__), status)

// Rules of a definition. The first that is broken is refused with BR_ERR_DEF; BR_OK: none is.
typedef struct fit_rule {
    int is_bad;
    const char *field, *text;
    int is_number; // `got` is printed after the text
    double got;
} fit_rule;
#define RULE(is_bad, field, text)             ((fit_rule){is_bad, field, text, 0, 0.0})
#define NUMBER_RULE(is_bad, field, text, got) ((fit_rule){is_bad, field, text, 1, got})
// Ranges of a member of `def`: x > 0; x >= 0; x >= 0 and finite; cells across an outline.
#define POSITIVE(x)     NUMBER_RULE(!(def->x > 0.0), #x, "must be > 0", def->x)
#define NOT_NEGATIVE(x) NUMBER_RULE(!(def->x >= 0.0), #x, "must be >= 0", def->x)
#define MAGNITUDE(x)                                                                               \
    NUMBER_RULE(!(def->x >= 0.0 && isfinite(def->x)), #x, "must be finite and >= 0", def->x)
#define CELLS_ACROSS(x) NUMBER_RULE(def->x<2 || def->x> 40, #x, "must be in 2..40", (double)def->x)
br_status bri_check_rules(const fit_rule* rules, size_t count, br_reason* why);

// BR_ERR_MEMORY and its reason.
br_status bri_out_of_memory(br_reason* why);

// Two-sided quantile of Student's distribution with `free` degrees of freedom.
double bri_student_quantile(double level, double free);

// Sort x (count); the value at `index`.
double bri_quantile(double* x, size_t count, size_t index);

// Largest |x|.
double bri_largest(const double* x, size_t count);

// Measurements in other units: speeds faster than 20 m/s or rad/s, rows more than 5 s apart. NULL: no column.
int bri_is_doubtful_speed(const double* v, size_t count);
int bri_is_doubtful_time(const double* t, size_t count);
extern const char bri_time_doubt[];

// Do all differ from the first by at most the relative tolerance? NULL: yes.
int bri_is_constant(const double* x, size_t count, double tolerance);

// Check each row: finite, and positive or larger than the previous row as requested.
typedef enum column_kind { ANY_NUMBER, POSITIVE, INCREASING } column_kind;
br_status bri_check_column(const char* name, const double* x, size_t count, column_kind kind,
                           br_reason* why);

// Standard deviation of the white noise in samples x at the times t (count >= 5): each row less the cubic through
// its four neighbours, by the median; 0 where these residuals do not look like noise, and for rows without times.
//
//   e_i = (x_i - sum w_j x_j)/sqrt(1 + sum w_j^2),   j = i-2, i-1, i+1, i+2             (F-14)
br_status bri_sample_noise(const double* t, const double* x, size_t count, double* noise,
                           br_reason* why);

// Displacement from row i - 1 to row i >= 1, v being linear between them [m].
double bri_moved(const br_fit_law_data* d, size_t i);

// Distance between the extreme positions of the motion [m]; 0 without t.
double bri_stroke(const br_fit_law_data* d);

#endif
