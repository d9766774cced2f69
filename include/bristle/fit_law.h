/// @file fit_law.h
/// A friction law from measured motion: speed and friction force over time in, parameters with their
/// intervals out.
///
///     br_fit_law_def def = br_fit_law_def_default();
///     def.law = BR_FIT_LUGRE;
///     def.data = (br_fit_law_data){.count = n, .t = t, .v = v, .f = f};
///     br_fit_law_result fit;
///     if (br_fit_law(&def, NULL, &fit, &why) == BR_OK) { ... fit.law, fit.estimates[BR_FIT_MU_C].low ... }
///
/// Least squares through a simulation of the law along the measured motion (speed linear between rows),
/// with exact forward sensitivities; docs/equations.md, F-1 to F-6. The force is the resistance along
/// +v, as in law.h. Everything is per normal force: without a column fn it counts as 1, and the
/// coefficients are in the unit of the force [N or N m].
#ifndef BRISTLE_FIT_LAW_H
#define BRISTLE_FIT_LAW_H

#include "bristle/fit.h"
#include "bristle/law.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The laws that can be fitted, from the simplest on: enumerator, name as the command spells it, law.
#define BR_FIT_LAW_LIST(X)                                                                         \
    X(BR_FIT_COULOMB, "coulomb", BR_LAW_COULOMB)                                                   \
    X(BR_FIT_VISCOUS, "viscous", BR_LAW_STRIBECK)                                                  \
    X(BR_FIT_STRIBECK, "stribeck", BR_LAW_STRIBECK)                                                \
    X(BR_FIT_DAHL, "dahl", BR_LAW_DAHL)                                                            \
    X(BR_FIT_LUGRE, "lugre", BR_LAW_LUGRE)                                                         \
    X(BR_FIT_ELASTO_PLASTIC, "elasto-plastic", BR_LAW_ELASTO_PLASTIC)

/// Which law. BR_FIT_VISCOUS is Coulomb and viscous friction: a Stribeck law with mu_s = mu_c.
typedef enum br_fit_law_kind {
#define BR_FIT_LAW_ENUM(kind, name, law) kind, ///< see BR_FIT_LAW_LIST
    BR_FIT_LAW_LIST(BR_FIT_LAW_ENUM)
#undef BR_FIT_LAW_ENUM
        BR_FIT_LAW_COUNT ///< how many
} br_fit_law_kind;

/// What may be estimated: the parameters of laws in the order of br_law_get_parameter(), then nuisances.
enum {
    BR_FIT_MU_C,         ///< [-], without fn in the unit of f, as all of the law's
    BR_FIT_MU_S,         ///< [-]
    BR_FIT_V_S,          ///< [m/s]
    BR_FIT_GAMMA,        ///< [-]
    BR_FIT_SIGMA0,       ///< [1/m]; of Dahl [N/m]
    BR_FIT_SIGMA1,       ///< [s/m]
    BR_FIT_SIGMA2,       ///< [s/m]
    BR_FIT_S_BA,         ///< [-]
    BR_FIT_ALPHA,        ///< [-]
    BR_FIT_OFFSET,       ///< of the force sensor [N]
    BR_FIT_START,        ///< sigma0 z of the bristle at the first row [-], of Dahl [N]
    BR_FIT_DELAY,        ///< of f behind v [s]
    BR_FIT_SPEED_OFFSET, ///< of the speed sensor: the speed is v - this [m/s]
    BR_FIT_ASYMMETRY, ///< e: coefficients are (1 + e) times theirs for v > 0, (1 - e) for v < 0 [-]
    BR_FIT_LOAD_GAIN, ///< b: friction is 1 + b |load| times that without load [1/unit of load]
    BR_FIT_COUNT      ///< how many
};

/// Bits 1 << BR_FIT_...: the two exponents, which are 2 and 1 where they are not estimated.
#define BR_FIT_EXPONENTS (1u << BR_FIT_GAMMA | 1u << BR_FIT_ALPHA)

/// Measurements; all borrowed (count).
typedef struct br_fit_law_data {
    size_t count; ///< rows
    const double*
        t; ///< [s], increasing. NULL: rows are steady points in any order, which only laws
           ///< without bristles take
    const double* v;    ///< speed of the slip [m/s or rad/s]
    const double* f;    ///< friction, resistance along +v [N or N m]
    const double* fn;   ///< normal force [N], > 0; NULL: 1
    const double* load; ///< for BR_FIT_LOAD_GAIN, any sign; NULL: none
} br_fit_law_data;

/// What to fit, and how. Start from br_fit_law_def_default().
typedef struct br_fit_law_def {
    size_t size;                 ///< set by the default function; do not touch
    br_fit_law_kind law;         ///< which law
    br_fit_law_data data;        ///< measurements
    unsigned free;               ///< bits 1 << BR_FIT_... of what is estimated beyond the law's own
                                 ///< parameters: nuisances, BR_FIT_EXPONENTS
    unsigned fixed;              ///< bits of what is not estimated, but has the value of `values`
    double values[BR_FIT_COUNT]; ///< those values
    size_t train; ///< only the first so many rows are fitted to; the others are held out; 0: all
    double level; ///< of the intervals [-], in (0, 1)
    int robust;   ///< 1: Huber's loss, for outliers
    int by_position; ///< 1: an estimated offset may depend on the position, where that predicts residuals that
                     ///< were left out better by a standard error
    int passive;   ///< 1: only laws that meet the condition of br_law_passivity_margin()
    int profile;   ///< 1: intervals by profile likelihood; 0: by the Jacobian alone
    size_t starts; ///< how many starting points are followed to their ends, 1 to 16
} br_fit_law_def;

/// What would tell more: an experiment from a list.
typedef struct br_fit_experiment {
    char words[160]; ///< what to do
    int parameter;   ///< BR_FIT_...: whose interval is the widest; -1: there is none
    double
        shrinkage; ///< its standard error with as many rows of that experiment besides, over that now [-]
} br_fit_experiment;

enum { BR_FIT_PLACES = 64 }; ///< at most, of a br_fit_offset_map

/// An offset that depends on the position, beside BR_FIT_OFFSET: gravity that was not quite taken away, ripple of a
/// gear. Linear between places that are evenly spread, constant beyond them; its mean over the rows is 0.
typedef struct br_fit_offset_map {
    size_t count;                 ///< places; 0: the offset does not depend on the position
    double from;                  ///< the first place, as the way since the first row [m or rad]
    double to;                    ///< the last one [m or rad]
    double offset[BR_FIT_PLACES]; ///< there [unit of f] (count)
} br_fit_offset_map;

/// What a fit gives. Plain numbers; nothing to free.
typedef struct br_fit_law_result {
    br_law law;                              ///< the law, passes br_law_check()
    br_fit_law_kind kind;                    ///< as asked for
    br_fit_estimate estimates[BR_FIT_COUNT]; ///< by BR_FIT_...; those the law has not: is_fixed
    double correlation[BR_FIT_COUNT][BR_FIT_COUNT]; ///< of estimates; 0 where there are none
    unsigned estimated;                             ///< bits of what was estimated
    br_fit_offset_map map;                          ///< what the offset is besides
    size_t count;                                   ///< rows that were fitted to
    double rms;                                     ///< of the residuals there [unit of f]
    double rms_held_out;     ///< of the rows after def.train; NaN: there are none
    double noise;            ///< standard deviation of the noise, estimated [unit of f]
    double bic;              ///< Schwarz's criterion, up to a constant of the data; less is better
    double lag_correlation;  ///< of neighbouring residuals [-]; 0: white
    int is_white;            ///< 0: residuals are correlated: the law misses something
    double widening;         ///< errors and intervals were multiplied by this for that [-], >= 1
    size_t outliers;         ///< residuals beyond 4 standard deviations of the noise
    size_t first_outlier;    ///< the row of the first of them, from 0
    double passivity_margin; ///< br_law_passivity_margin() of the law
    int is_converged;        ///< 0: the best so far
    size_t evaluations;      ///< of the whole history
    br_fit_experiment next;  ///< what to measure next
} br_fit_law_result;

/// LuGre, 95 % intervals by profile likelihood, offset (also by position) and the bristle's start as
/// nuisances, 3 starts.
BR_API br_fit_law_def br_fit_law_def_default(void);

/// The name of a law that can be fitted, "viscous"; never NULL.
BR_API const char* br_fit_law_name(br_fit_law_kind kind);

/// Its law in law.h.
BR_API br_law_kind br_fit_law_get_law(br_fit_law_kind kind);

/// Name of BR_FIT_..., as br_fit_estimate has it; NULL beyond the last.
BR_API const char* br_fit_law_get_name(int parameter);

/// Fit. Allocates while it works; nothing stays.
/// @param watch     may be NULL
/// @param[out] out  filled with BR_OK and, with the best so far, BR_ERR_STOPPED
/// @param[out] why  may be NULL; field names the column ("t", "v", "f") or member at fault
/// @return BR_OK, BR_ERR_DEF, BR_ERR_STOPPED, BR_ERR_MEMORY, or BR_ERR_ABSENT without cminpack
BR_API br_status br_fit_law(const br_fit_law_def* def, const br_fit_watch* watch,
                            br_fit_law_result* out, br_reason* why);

/// The force that a fit gives along data, offset and other nuisances included.
/// @param data    the fit's or others; f is not read
/// @param[out] f  (data->count) [N]
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_fit_law_eval(const br_fit_law_result* fit, const br_fit_law_data* data,
                                 double* f, br_reason* why);

/// How well a fit predicts measurements that it has not seen: the root mean square of its errors there. The bristle
/// starts as steady sliding at the first row's speed has it, at 0 where that rests; offset and other nuisances
/// are the fit's, but for `map`: nobody knows where the other data begin.
/// @param data      other measurements, such as br_fit_law_data_check() takes
/// @param[out] rms  [unit of f]
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_fit_law_validate(const br_fit_law_result* fit, const br_fit_law_data* data,
                                     double* rms, br_reason* why);

/// The profile of a parameter: how much worse the fit gets when it is held aside and all others are fitted
/// anew, in standard deviations: sqrt((cost/least cost - 1) (rows - parameters))/widening.
/// @param fit       of this def
/// @param parameter BR_FIT_..., estimated
/// @param value     where it is held (count)
/// @param[out] out  (count)
/// @return BR_OK, BR_ERR_ARG, BR_ERR_DEF, BR_ERR_MEMORY or BR_ERR_ABSENT
BR_API br_status br_fit_law_profile(const br_fit_law_def* def, const br_fit_law_result* fit,
                                    int parameter, const double* value, size_t count, double* out,
                                    br_reason* why);

/// The static coefficient from break-away tests: the mean of f/fn, with Student's interval.
/// @param count     tests, >= 2
/// @param f         force at which each broke away [N], any sign (count)
/// @param fn        its normal force [N], > 0 (count); NULL: 1
/// @param level     of the interval [-], in (0, 1)
/// @param[out] mu_s the estimate
/// @return BR_OK or BR_ERR_ARG
BR_API br_status br_fit_break_away(size_t count, const double* f, const double* fn, double level,
                                   br_fit_estimate* mu_s, br_reason* why);

/// What a column looks like that may be in other units: degrees, millimetres, milliseconds.
/// @return a sentence, valid for ever; NULL: nothing strikes
BR_API const char* br_fit_law_data_doubt(const br_fit_law_data* data);

/// Are measurements such as can be fitted to? Says of mistakes what they look like: too few rows, no
/// motion, unsorted time, a constant column.
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_fit_law_data_check(const br_fit_law_data* data, br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
