/// @file fit_law.h
/// Fits a friction law to measured motion: from speed and friction force over time to parameters with
/// confidence intervals.
///
///     br_fit_law_def def = br_fit_law_def_default();
///     def.law = BR_FIT_LAW_LUGRE;
///     def.data = (br_fit_law_data){.count = n, .t = t, .v = v, .f = f};
///     br_fit_law_result fit;
///     if (br_fit_law(&def, NULL, &fit, &why) == BR_OK) { ... fit.law, fit.estimates[BR_FIT_MU_C].low ... }
///
/// Least squares with a simulation of the law along the measured motion (speed linear between rows) and
/// exact forward sensitivities; docs/explanation/equations.md, F-1 to F-6. The force is the resistance along +v, as in
/// law.h: f > 0 where v > 0. With `flip_force` it is the friction force on the body: f < 0 where v > 0. Data
/// of the other sign are an error. All coefficients are per normal force: without a column fn it is 1, and
/// the coefficients are in the unit of the force [N or N m].
#ifndef BRISTLE_FIT_LAW_H
#define BRISTLE_FIT_LAW_H

#include <stdbool.h>

#include "bristle/fit.h"
#include "bristle/law.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The list of laws that can be fitted, simplest first: enumerator, name in commands, law.
#define BR_FIT_LAW_LIST(X)                                                                         \
    X(BR_FIT_LAW_COULOMB, "coulomb", BR_LAW_COULOMB)                                               \
    X(BR_FIT_LAW_VISCOUS, "viscous", BR_LAW_STRIBECK)                                              \
    X(BR_FIT_LAW_STRIBECK, "stribeck", BR_LAW_STRIBECK)                                            \
    X(BR_FIT_LAW_DAHL, "dahl", BR_LAW_DAHL)                                                        \
    X(BR_FIT_LAW_LUGRE, "lugre", BR_LAW_LUGRE)                                                     \
    X(BR_FIT_LAW_ELASTO_PLASTIC, "elasto-plastic", BR_LAW_ELASTO_PLASTIC)

/// Which law. BR_FIT_LAW_VISCOUS is Coulomb and viscous friction: a Stribeck law with mu_s = mu_c.
typedef enum br_fit_law_kind {
#define BR_FIT_LAW_ENUM(kind, name, law) kind, ///< see BR_FIT_LAW_LIST
    BR_FIT_LAW_LIST(BR_FIT_LAW_ENUM)
#undef BR_FIT_LAW_ENUM
        BR_FIT_LAW_COUNT ///< number of laws
} br_fit_law_kind;

/// Parameters that can be estimated: those of laws in the order of br_law_get_parameter(), then nuisance parameters.
enum {
    BR_FIT_MU_C,         ///< [-]; without fn in the unit of f, as all parameters of the law
    BR_FIT_MU_S,         ///< [-]
    BR_FIT_V_S,          ///< [m/s]
    BR_FIT_GAMMA,        ///< [-]
    BR_FIT_SIGMA0,       ///< [1/m]; of Dahl [N/m]
    BR_FIT_SIGMA1,       ///< [s/m]
    BR_FIT_SIGMA2,       ///< [s/m]
    BR_FIT_S_BA,         ///< [-]
    BR_FIT_ALPHA,        ///< [-]
    BR_FIT_V_DAMPING,    ///< [m/s]; never estimated: fixed, or 0 (constant damping)
    BR_FIT_OFFSET,       ///< offset of the force sensor [N]
    BR_FIT_START,        ///< sigma0 z of the bristle at the first row [-], of Dahl [N]
    BR_FIT_DELAY,        ///< delay of f behind v [s]
    BR_FIT_SPEED_OFFSET, ///< offset of the speed sensor: the true speed is v minus it [m/s]
    BR_FIT_ASYMMETRY, ///< e: coefficients are multiplied by 1 + e for v > 0, by 1 - e for v < 0 [-]
    BR_FIT_LOAD_GAIN, ///< b: friction is multiplied by 1 + b |load| [1/unit of load]
    BR_FIT_LOAD_C,    ///< mu_c and mu_s grow by this times |load|, >= 0 [1/unit of load]
    BR_FIT_LOAD_S,    ///< mu_s grows by this times |load| in addition, >= 0 [1/unit of load]
    BR_FIT_LOAD_SQUARE, ///< mu_s grows by this times load^2 in addition, >= 0 [1/unit of load^2]
    /// mu_c and mu_s grow by this times load along the motion: more where the load drives it, less where it resists,
    /// or the reverse [1/unit of load]
    BR_FIT_LOAD_DIRECTION,
    BR_FIT_COUNT ///< number of parameters
};

/// Bits 1 << BR_FIT_... of the two exponents; gamma is 2 and alpha is 1 if they are not estimated.
#define BR_FIT_EXPONENTS (1u << BR_FIT_GAMMA | 1u << BR_FIT_ALPHA)

/// Bits 1 << BR_FIT_... of friction that depends on the load, and needs br_fit_law_data.load.
#define BR_FIT_LOADS                                                                               \
    (1u << BR_FIT_LOAD_GAIN | 1u << BR_FIT_LOAD_C | 1u << BR_FIT_LOAD_S |                          \
     1u << BR_FIT_LOAD_SQUARE | 1u << BR_FIT_LOAD_DIRECTION)

/// Measurements. All arrays are borrowed and have `count` entries.
typedef struct br_fit_law_data {
    size_t count; ///< number of rows
    /// time [s], increasing. NULL: rows are steady points in any order, only for laws without bristles
    const double* t;
    const double* v;  ///< slip speed [m/s or rad/s]; the largest value 1e-50 to 1e50
    const double* f;  ///< friction, resistance along +v [N or N m]; the largest value 1e-50 to 1e50
    const double* fn; ///< normal force [N], > 0; NULL: 1
    const double* load; ///< load of a joint along +v for BR_FIT_LOADS, any sign; NULL: none
} br_fit_law_data;

/// Definition of a fit. Start from br_fit_law_def_default().
typedef struct br_fit_law_def {
    size_t size;          ///< set by the default function; do not touch
    br_fit_law_kind law;  ///< which law
    br_fit_law_data data; ///< measurements
    unsigned free;  ///< bits 1 << BR_FIT_... of parameters that are estimated in addition to the
                    ///< law's own: nuisance parameters, BR_FIT_EXPONENTS
    unsigned fixed; ///< bits of parameters that are not estimated, but set to `values`
    double values[BR_FIT_COUNT]; ///< values of fixed parameters
    size_t train; ///< number of rows to fit, from the first; the others are held out; 0: all
    double level; ///< confidence level of the intervals [-], in (0, 1)
    bool robust;  ///< true: Huber's loss, against outliers
    /// True: an estimated offset may depend on the position, and friction with it, where that predicts held-out
    /// residuals better by a standard error
    bool by_position;
    bool passive; ///< true: only laws that meet the condition of br_law_passivity_margin()
    /// true: intervals by profile likelihood, widened for noise in v; false: from the Jacobian
    bool profile;
    size_t starts; ///< number of starting points from which to optimise, 1 to 16
    /// true: f is the friction force on the body, against +v; the offset is that of -f
    bool flip_force;
    /// standard deviation of the noise in v [m/s], >= 0; NaN: estimated from v over t (F-14)
    double speed_noise;
    /// bits 1 << BR_FIT_... of nuisance parameters that br_fit_law_choose() adds where they lower the error on rows not
    /// used in the fit
    unsigned offered;
} br_fit_law_def;

/// Recommended next experiment: the one of a list that would reduce the widest interval most.
typedef struct br_fit_experiment {
    char words[160]; ///< what to do
    int parameter;   ///< BR_FIT_... with the widest interval; -1: none
    /// its standard error with as many rows of that experiment added, over the present one [-]
    double shrinkage;
} br_fit_experiment;

enum { BR_FIT_PLACES = 64 }; ///< maximum number of nodes of a br_fit_offset_map

/// An offset that depends on the position, added to BR_FIT_OFFSET: gravity that was not fully compensated, ripple of a
/// gear. Linear between equidistant nodes, constant beyond them; its mean over the rows is 0.
typedef struct br_fit_offset_map {
    size_t count; ///< number of nodes; 0: the offset does not depend on the position
    double from;  ///< first node, as displacement since the first row [m or rad]
    double to;    ///< last node [m or rad]
    double offset[BR_FIT_PLACES]; ///< offset at each node [unit of f] (count)
} br_fit_offset_map;

/// Result of a fit. Plain numbers; nothing to free.
typedef struct br_fit_law_result {
    br_law law;           ///< the law, passes br_law_check()
    br_fit_law_kind kind; ///< as requested
    /// by BR_FIT_...; is_fixed for those the law does not have
    br_fit_estimate estimates[BR_FIT_COUNT];
    double correlation[BR_FIT_COUNT][BR_FIT_COUNT]; ///< of estimates; 0 where not estimated
    unsigned estimated;                             ///< bits of the estimated parameters
    br_fit_offset_map map;                          ///< position-dependent part of the offset
    size_t count;                                   ///< number of fitted rows
    double rms; ///< root mean square of their residuals [unit of f]
    /// root mean square error on the rows after def.train; NaN: there are none
    double rms_held_out;
    double noise; ///< standard deviation of the noise, estimated [unit of f]
    double bic; ///< Bayesian information criterion, up to a constant of the data; smaller is better
    double lag_correlation; ///< correlation of neighbouring residuals [-]; 0: white
    bool is_white;   ///< false: residuals are correlated: the law does not describe all of the data
    double widening; ///< factor on errors and intervals for correlated residuals [-], >= 1
    size_t outliers; ///< number of residuals beyond 4 standard deviations of the noise
    size_t first_outlier;    ///< row of the first of them, from 0
    double passivity_margin; ///< br_law_passivity_margin() of the law
    bool is_converged;       ///< false: the best so far
    size_t evaluations;      ///< number of simulations of all rows
    br_fit_experiment next;  ///< what to measure next
    bool flip_force;    ///< as in the definition; forces of br_fit_law_eval() have the data's sign
    double speed_noise; ///< standard deviation of the noise in v [m/s]; 0: none found
    /// approximate bias of each estimate by that noise [its unit]; 0: negligible
    double noise_shift[BR_FIT_COUNT];
    unsigned noise_felt; ///< bits of the estimates whose intervals were widened for noise in v
    /// position-dependent part of friction: it is multiplied by 1 + offset(x) [-]; its mean over the rows is 0
    br_fit_offset_map friction_map;
} br_fit_law_result;

/// Default definition: LuGre, 95 % intervals by profile likelihood, offset (also by position) and the
/// bristle's start as nuisance parameters, 3 starting points.
BR_API br_fit_law_def br_fit_law_def_default(void);

/// Name of a law that can be fitted, "viscous"; static, never NULL.
BR_API const char* br_fit_law_kind_get_name(br_fit_law_kind kind);

/// The law of law.h that a fitted law belongs to.
BR_API br_law_kind br_fit_law_get_law(br_fit_law_kind kind);

/// Name of a parameter BR_FIT_..., as in br_fit_estimate; NULL beyond the last.
BR_API const char* br_fit_law_get_parameter_name(int parameter);

/// Fit a law to measurements. Frees all memory that it allocates.
/// @param watch     may be NULL
/// @param[out] out  filled with BR_OK, and with the best so far for BR_ERR_STOPPED
/// @param[out] why  may be NULL; `field` is the column ("t", "v", "f") or member that is wrong
/// @return BR_OK, BR_ERR_DEF, BR_ERR_STOPPED, BR_ERR_MEMORY, or BR_ERR_ABSENT without cminpack
BR_API br_status br_fit_law(const br_fit_law_def* def, const br_fit_watch* watch,
                            br_fit_law_result* out, br_reason* why);

/// Laws that were fitted to the same data, and the chosen one. Plain numbers; nothing to free.
typedef struct br_fit_law_choice {
    br_fit_law_kind law; ///< the chosen law; BR_FIT_LAW_COUNT if none was fitted
    unsigned fitted;     ///< bits 1 << br_fit_law_kind of the fitted laws
    /// by law; rms_held_out: error on rows not used in the fit
    br_fit_law_result fits[BR_FIT_LAW_COUNT];
    unsigned added; ///< bits of the offered parameters that were added
} br_fit_law_choice;

/// Fit several laws and choose one: the simplest whose error on rows not used in the fit is within 1 % of the
/// smallest; by BIC if there are no such rows. Then offered parameters are added to the law with the smallest error, one
/// at a time. It is the one that lowers the error most, while that is by more than 1 % (BIC by more than 10). All laws
/// are fitted again with those that were added.
/// @param def         definition of all fits; `law` and `train` are ignored
/// @param laws        bits 1 << br_fit_law_kind of the laws to fit, others are refused; 0: all that the data allow,
///                    without t those without bristles
/// @param validation  other measurements, on which fits are checked by br_fit_law_validate(); NULL: the last rows
/// @param hold_out    share of the last rows [-], in [0, 0.9], which a second fit to the others predicts; 0: none
/// @param watch       may be NULL
/// @param[out] out    filled with BR_OK, and with the fits so far for BR_ERR_STOPPED
/// @param[out] why    may be NULL
/// @return as br_fit_law()
BR_API br_status br_fit_law_choose(const br_fit_law_def* def, unsigned laws,
                                   const br_fit_law_data* validation, double hold_out,
                                   const br_fit_watch* watch, br_fit_law_choice* out,
                                   br_reason* why);

/// Force of a fitted law along data, offset and other nuisance parameters included.
/// @param data    data of the fit or others; f is not read
/// @param[out] f  force [N] (data->count)
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_fit_law_eval(const br_fit_law_result* fit, const br_fit_law_data* data,
                                 double* f, br_reason* why);

/// Prediction error of a fit on other measurements: the root mean square of the force error. The bristle
/// starts in the steady state of the first row's speed, at 0 if that is 0. Offset and other nuisance parameters
/// are those of the fit, except `map`, since the other data's start position is not known.
/// @param data      other measurements, valid for br_fit_law_data_check(), with f of the same sign as in the fit
/// @param[out] rms  root mean square error [unit of f]
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_fit_law_validate(const br_fit_law_result* fit, const br_fit_law_data* data,
                                     double* rms, br_reason* why);

/// Likelihood profile of a parameter: how much worse the fit gets when the parameter is fixed at a value and all others
/// are fitted again, in standard deviations: sqrt((cost/smallest cost - 1) (rows - parameters))/widening.
/// @param parameter BR_FIT_..., estimated
/// @param value     values of the parameter (count)
/// @param[out] out  profile at each value (count)
/// @return BR_OK, BR_ERR_ARG, BR_ERR_DEF, BR_ERR_MEMORY or BR_ERR_ABSENT
BR_API br_status br_fit_law_profile(const br_fit_law_def* def, const br_fit_law_result* fit,
                                    int parameter, const double* value, size_t count, double* out,
                                    br_reason* why);

/// Static coefficient from break-away tests: the mean of f/fn, with Student's interval.
/// @param count     number of tests, >= 2
/// @param f         break-away force of each test [N], any sign (count)
/// @param fn        its normal force [N], > 0 (count); NULL: 1
/// @param level     confidence level of the interval [-], in (0, 1)
/// @param[out] mu_s the estimate
/// @return BR_OK or BR_ERR_ARG
BR_API br_status br_fit_break_away(size_t count, const double* f, const double* fn, double level,
                                   br_fit_estimate* mu_s, br_reason* why);

/// Steady friction as a table: g(v) at nodes, for br_law_set_curve(). Plain numbers; nothing to free.
typedef struct br_fit_table {
    size_t count;             ///< number of nodes
    double v[BR_CURVE_NODES]; ///< speeds, the first 0 [m/s or rad/s] (count)
    double g
        [BR_CURVE_NODES]; ///< steady coefficient, viscous friction included [-]; without fn [unit of f] (count)
    double error
        [BR_CURVE_NODES]; ///< standard errors; infinite for g(0) if no row is near rest (count)
    double low[BR_CURVE_NODES];  ///< lower ends of the intervals (count)
    double high[BR_CURVE_NODES]; ///< upper ends (count)
    double
        offset; ///< offset of the force sensor [unit of f]; 0 where all rows move in one direction
    double offset_error; ///< its standard error; then infinite
    size_t rows;         ///< number of fitted rows, those in motion
    double rms;          ///< root mean square of their residuals [unit of f]
    double rms_held_out; ///< of the rows that a second fit to the others predicts; NaN: none
} br_fit_table;

/// Fit a table of g(v) to rows in steady sliding, by least squares (F-19). Bristles are not part of it: rows right
/// after a reversal should be few. Steady friction alone does not separate g from f_v, so g has both.
/// @param data      as for br_fit_law(); rows at rest are not used, nor is `load`
/// @param nodes     number of nodes, 2 to BR_CURVE_NODES; fewer where speeds repeat. 0: chosen by the error on the
///                  rows that are held out
/// @param hold_out  share of the last rows [-], in [0, 0.9]. 0: none, or every other of 20 blocks if nodes is 0
/// @param level     confidence level of the intervals [-], in (0, 1)
/// @return BR_OK, BR_ERR_ARG, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_fit_law_table(const br_fit_law_data* data, size_t nodes, double hold_out,
                                  double level, br_fit_table* out, br_reason* why);

/// How br_fit_law_speed() computed speeds.
typedef struct br_fit_speed {
    size_t rows;           ///< number of rows of each local parabola, odd
    double position_noise; ///< standard deviation of the noise in x [m]; 0: none found
    double noise;          ///< standard deviation of the remaining noise in v [m/s]
} br_fit_speed;

/// Compute speeds from measured positions: slopes of local parabolas, over as many rows as the noise
/// in x requires and the motion allows (F-15).
/// @param count     number of rows, >= 5
/// @param t         [s], increasing (count)
/// @param x         position [m or rad] (count)
/// @param[out] v    speed [m/s or rad/s] (count)
/// @param[out] out  may be NULL
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_fit_law_speed(size_t count, const double* t, const double* x, double* v,
                                  br_fit_speed* out, br_reason* why);

/// Warn of a column that seems to be in other units: degrees, millimetres, milliseconds.
/// @return a sentence, static; NULL: no warning
BR_API const char* br_fit_law_data_doubt(const br_fit_law_data* data);

/// Check whether measurements can be fitted. The reason names likely causes: too few rows, no
/// motion, unsorted time, a constant column.
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_fit_law_data_check(const br_fit_law_data* data, br_reason* why);

#ifdef __cplusplus
}
#endif

#endif
