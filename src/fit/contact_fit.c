/*
 * A planar contact from twists and wrenches, as a model of the estimator.
 *
 *   starts -> least squares -> edges (mu_s = mu_c, sigma >= 0, s_ba = 0, k) -> weight of torques -> again -> intervals
 */
#include "bristle/fit_contact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/definition.h"
#include "fit/contact_history.h"
#include "fit/estimator.h"
#include "fit/numbers.h"
#include "patch/patch_internal.h"

enum { COUNT = BR_FIT_CONTACT_COUNT };

// Beyond this range of k the pressure is uniform, or a spike in one cell.
static const fit_parameter of_patch[] = {
    {"radius", "m", LOGARITHM, .edge = -1.0, .reason = "no spin in the data"},
    {"scale", "-", LOGARITHM, .edge = -1.0, .reason = "no spin in the data"},
    {"k", "-", LOGARITHM, -1.0, 0.2, 40.0, "too little sliding with spin to identify the pressure",
     NULL},
    {"anisotropy.ratio", "-", LOGARITHM, .edge = -1.0,
     .reason = "no sliding along both axes in the data"},
    {"anisotropy.angle", "rad", LINEAR, .edge = -1.0,
     .reason = "isotropic friction, as far as the data show: it has no axes"}};

// Parameters of the map: derivatives by them have columns of their own.
enum { MAPS = 2 };
static const struct {
    int parameter;
    contact_map (*of)(double ratio, double angle);
} maps[MAPS] = {{BR_FIT_CONTACT_RATIO, bri_contact_map_by_ratio},
                {BR_FIT_CONTACT_ANGLE, bri_contact_map_by_angle}};
static const unsigned of_map = 1u << BR_FIT_CONTACT_RATIO | 1u << BR_FIT_CONTACT_ANGLE;

// The history's input for each parameter; -1: none.
static const int input_of[COUNT] = {
    CONTACT_MU_C,   CONTACT_MU_S,   CONTACT_V_S,  -1, CONTACT_SIGMA0,
    CONTACT_SIGMA1, CONTACT_SIGMA2, CONTACT_S_BA, -1, CONTACT_V_DAMPING,
    CONTACT_SIZE,   CONTACT_SIZE,   CONTACT_K,    -1, -1};

const char* br_fit_contact_get_parameter_name(int k)
{
    return k >= 0 && k < COUNT ? bri_parameter_name(of_patch, k) : NULL;
}

br_fit_contact_def br_fit_contact_def_default(void)
{
    return (br_fit_contact_def){.size = sizeof(br_fit_contact_def),
                                .law = BR_LAW_LUGRE,
                                .method = BR_METHOD_BLOCKS,
                                .level = 0.95,
                                .profile = 1,
                                .anisotropy = br_anisotropy_default()};
}

// --- checks ------------------------------------------------------------------------------------------

enum { LEAST_ROWS = 22 };

// Known or free, by `anisotropy` and `free` alone.
static br_status check_anisotropy(const br_fit_contact_def* def, br_reason* why)
{
    const br_anisotropy* a = &def->anisotropy;
    const fit_rule rules[] = {
        RULE(a->axes == BR_AXES_GROUND, "anisotropy.axes",
             "must be body: the data have no angle over the ground"),
        RULE(def->free & ~of_map, "free", "must be ratio and angle of the anisotropy alone"),
        RULE(def->free == 1u << BR_FIT_CONTACT_ANGLE && a->ratio == 1.0, "free",
             "must have the ratio, too: isotropic friction has no angle"),
        RULE(def->fixed & of_map, "fixed",
             "must not have the anisotropy, which is known unless it is free: set `anisotropy`")};
    const br_status status = br_anisotropy_check(a, why);
    return status ? status : bri_check_rules(rules, sizeof rules / sizeof *rules, why);
}

static br_status check_def(const br_fit_contact_def* def, br_reason* why)
{
    const int is_blocks = def->method == BR_METHOD_BLOCKS;
    const size_t min = is_blocks ? 1 : 2, max = is_blocks ? 16 : 64;
    const fit_rule rules[] = {
        RULE(def->law != BR_LAW_LUGRE && def->law != BR_LAW_ELASTO_PLASTIC, "law",
             "must be lugre or elasto-plastic"),
        RULE(!is_blocks && def->method != BR_METHOD_DISTRIBUTED, "method",
             "must be blocks or distributed"),
        RULE(def->resolution != 0 && (def->resolution < min || def->resolution > max), "resolution",
             "must be 1 to 16 blocks, or 2 to 64 cells"),
        RULE(def->patch && br_patch_depends_on_force(def->patch), "patch",
             "must not depend on the normal force"),
        RULE(!(def->level > 0.0 && def->level < 1.0), "level", "must be in (0, 1)")};
    const br_status status = bri_check_rules(rules, sizeof rules / sizeof *rules, why);
    return status ? status : check_anisotropy(def, why);
}

// Friction takes power out of the motion, over all rows.
static br_status check_sign(const br_fit_contact_def* def, br_reason* why)
{
    const br_fit_contact_data* d = &def->data;
    const double sign = def->flip_force ? -1.0 : 1.0;
    double sum = 0.0, square = 0.0;
    for (size_t i = 0; i < d->count; i++) {
        const double power =
            sign * (d->fx[i] * d->vx[i] + d->fy[i] * d->vy[i] + d->tau[i] * d->w[i]);
        sum += power;
        square += power * power;
    }
    if (sum <= 3.0 * sqrt(square)) {
        return BR_OK;
    }
    return REFUSE(
        BR_ERR_DEF, why, "fx",
        "the wrench seems to have the opposite sign: it drives the motion, by %.3g W on average; it is "
        "what the ground does to the body; %s",
        sum / (double)d->count,
        def->flip_force ? "fit without flip_force (--flip-force)"
                        : "flip_force (--flip-force) takes the other");
}

static br_status check_data(const br_fit_contact_def* def, br_reason* why)
{
    const br_fit_contact_data* d = &def->data;
    const struct {
        const char* name;
        const double* x;
        column_kind kind;
    } columns[] = {{"t", d->t, INCREASING},     {"vx", d->vx, ANY_NUMBER},
                   {"vy", d->vy, ANY_NUMBER},   {"w", d->w, ANY_NUMBER},
                   {"fx", d->fx, ANY_NUMBER},   {"fy", d->fy, ANY_NUMBER},
                   {"tau", d->tau, ANY_NUMBER}, {"fn", d->fn, POSITIVE}};
    if (d->count < LEAST_ROWS) {
        return REFUSE(BR_ERR_DEF, why, "data", "too few rows: %zu; at least %d", d->count,
                      LEAST_ROWS);
    }
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        const br_status status =
            columns[c].x
                ? bri_check_column(columns[c].name, columns[c].x, d->count, columns[c].kind, why)
                : REFUSE(BR_ERR_DEF, why, columns[c].name, "is missing");
        if (status != BR_OK) {
            return status;
        }
    }
    if (bri_largest(d->vx, d->count) + bri_largest(d->vy, d->count) + bri_largest(d->w, d->count) ==
        0.0) {
        return REFUSE(BR_ERR_DEF, why, "vx", "no motion: all twists are 0");
    }
    if (bri_is_constant(d->fx, d->count, 0.0) && bri_is_constant(d->fy, d->count, 0.0) &&
        bri_is_constant(d->tau, d->count, 0.0)) {
        return REFUSE(BR_ERR_DEF, why, "fx",
                      "fx, fy and tau do not change: a sensor that does not measure?");
    }
    return check_sign(def, why);
}

typedef struct contact_problem {
    estimator e; // first: the model gets its address
    const br_fit_contact_def* def;
    contact_history history;
    contact_parts parts;
    br_patch* own;             // a disc, where no patch is given
    double r;                  // of the given patch [m]
    unsigned has;              // bits of the parameters of this law and patch
    double fastest;            // [m/s]
    double arm;                // torques count as forces at this distance [m]
    double* wrench;            // (3 x count)
    double* jacobian;          // (CONTACT_INPUTS x 3 count)
    double at[CONTACT_INPUTS]; // inputs of wrench and jacobian; NaN: none
    contact_map map;           // of anisotropic friction, at the same point
    double* by_map[MAPS];      // derivatives by ratio and angle (3 x count); NULL: isotropic
    double* scratch;           // wrench and jacobian, while those are computed
    unsigned has_by_map;       // bits of those that are up to date
} contact_problem;

// --- the model ---------------------------------------------------------------------------------------

// The parameter of the patch's size: a radius, or a factor.
static int size_of(const contact_problem* q)
{
    return q->has >> BR_FIT_CONTACT_RADIUS & 1 ? BR_FIT_CONTACT_RADIUS : BR_FIT_CONTACT_SCALE;
}

// Set the inputs and the map to the estimator's point. Returns 1 where they change.
static int set_point(contact_problem* q)
{
    double at[CONTACT_INPUTS];
    const double* p = q->e.at.p;
    const contact_map map = bri_contact_map(p[BR_FIT_CONTACT_RATIO], p[BR_FIT_CONTACT_ANGLE]);
    for (int k = 0; k < BR_FIT_CONTACT_COUNT; k++) {
        if (input_of[k] >= 0) {
            at[input_of[k]] = q->e.at.p[k];
        }
    }
    at[CONTACT_SIZE] = q->e.at.p[size_of(q)] / q->parts.unit;
    const int is_same =
        memcmp(at, q->at, sizeof at) == 0 && memcmp(&map.a, &q->map.a, sizeof map.a) == 0;
    memcpy(q->at, at, sizeof at);
    q->map = map;
    return !is_same;
}

// A column of derivatives times `per`, torques over arm.
static void weigh(const contact_problem* q, double per, double* column)
{
    const size_t rows = q->e.rows;
    for (size_t i = 0; i < rows; i++) {
        column[i] *= i < rows / 3 * 2 ? per : per / q->arm;
    }
}

// Derivatives by a parameter of the map: the history again, along the slope of the map instead of k.
static void evaluate_map(contact_problem* q, int which)
{
    const size_t rows = q->e.rows;
    const double* p = q->e.at.p;
    double *wrench = q->scratch, *jacobian = wrench + rows;
    q->map = maps[which].of(p[BR_FIT_CONTACT_RATIO], p[BR_FIT_CONTACT_ANGLE]);
    bri_contact_history(&q->history, q->at, wrench, jacobian);
    memcpy(q->by_map[which], jacobian + CONTACT_K * rows, rows * sizeof *jacobian);
    weigh(q, 1.0, q->by_map[which]);
    q->e.evaluations++;
}

// Update the history to the estimator's point, and its derivatives; those by the map's parameters where they are wanted.
static void evaluate(contact_problem* q, unsigned wanted)
{
    if (set_point(q)) {
        bri_contact_history(&q->history, q->at, q->wrench, q->jacobian);
        q->e.evaluations++;
        for (size_t k = 0; k < CONTACT_INPUTS; k++) {
            weigh(q, k == CONTACT_SIZE ? 1.0 / q->parts.unit : 1.0, q->jacobian + k * q->e.rows);
        }
        q->has_by_map = 0;
    }
    for (int i = 0; i < MAPS; i++) {
        const unsigned bit = 1u << maps[i].parameter;
        if (wanted & bit & ~q->has_by_map) {
            evaluate_map(q, i);
            q->has_by_map |= bit;
        }
    }
}

static void eval(estimator* e, unsigned wanted)
{
    contact_problem* q = (contact_problem*)e;
    const br_fit_contact_data* d = &q->history.data;
    const double* measured[3] = {d->fx, d->fy, d->tau};
    const double sign = q->def->flip_force ? -1.0 : 1.0;
    evaluate(q, wanted); // all other derivatives come with the wrench
    for (size_t i = 0; i < e->rows; i++) {
        e->residual[i] = q->wrench[i] - sign * measured[i / d->count][i % d->count];
        e->residual[i] /= i < 2 * d->count ? 1.0 : q->arm;
    }
}

static void set_arm(contact_problem* q, double arm)
{
    q->arm = arm;
    q->at[0] = (double)NAN; // the derivatives depend on it
}

// --- solution ----------------------------------------------------------------------------------------

// The largest |M f|/fn.
static double largest_force(const br_fit_contact_data* d, map2 m)
{
    double mu = 1e-6;
    for (size_t i = 0; i < d->count; i++) {
        const br_vec2 f = map2_apply(m, (br_vec2){d->fx[i], d->fy[i]});
        mu = fmax(mu, hypot(f.x, f.y) / d->fn[i]);
    }
    return mu;
}

// Start values and bounds from the largest force and torque per normal force and the fastest motion, as the bristles see
// them: |A^-1 f| and |A v|, for the stretched patch.
static void guess(contact_problem* q)
{
    const br_fit_contact_data* d = &q->history.data;
    estimator* e = &q->e;
    const double ratio = e->at.p[BR_FIT_CONTACT_RATIO];
    const map2 a = bri_contact_map(ratio, e->at.p[BR_FIT_CONTACT_ANGLE]).a;
    const map2 back = {a.yy / ratio, -a.xy / ratio, -a.yx / ratio, a.xx / ratio};
    const double mu = largest_force(d, back), r = 0.5 * (1.0 + ratio) * q->r;
    double arm = 0.0;
    q->fastest = 0.0;
    for (size_t i = 0; i < d->count; i++) {
        arm = fmax(arm, fabs(d->tau[i]) / d->fn[i]);
    }
    set_arm(q, fmax(arm / largest_force(d, (map2){1.0, 0.0, 0.0, 1.0}), 1e-6));
    for (size_t i = 0; i < d->count; i++) {
        const br_vec2 u = map2_apply(a, (br_vec2){d->vx[i], d->vy[i]});
        q->fastest = fmax(q->fastest, hypot(u.x, u.y) + q->arm * fabs(d->w[i]));
    }
    for (int k = 0; k < COUNT; k++) {
        e->lower[k] = -HUGE_VAL;
        e->upper[k] = HUGE_VAL;
    }
    e->lower[BR_FIT_CONTACT_RATIO] = BR_ANISOTROPY_MIN;
    e->upper[BR_FIT_CONTACT_RATIO] = BR_ANISOTROPY_MAX;
    const double more = q->def->free ? 10.0 : 1.0; // mu of a weak or strong axis
    e->upper[BR_FIT_CONTACT_MU_C] = e->upper[BR_FIT_CONTACT_MU_S] = 3.0 * more * mu;
    e->lower[BR_FIT_CONTACT_MU_C] = 3e-4 / more * mu;
    e->lower[BR_FIT_CONTACT_V_S] = 1e-4 * q->fastest; // narrower than any speed
    e->upper[BR_FIT_CONTACT_V_S] = 10.0 * q->fastest;
    bri_set_unknown(e, BR_FIT_CONTACT_MU_C, 0.85 * mu);
    bri_set_unknown(e, BR_FIT_CONTACT_MU_S, mu);
    bri_set_unknown(e, BR_FIT_CONTACT_V_S, 0.2 * q->fastest);
    bri_set_unknown(e, BR_FIT_CONTACT_S_BA, 0.5);
    bri_set_unknown(e, size_of(q), q->parts.unit * (r > 0.0 ? fmax(arm / mu, 1e-6) / r : 1.0));
}

// Keep the better of the best so far and the present point.
static void keep_best(estimator* e, fit_point* best)
{
    e->at.cost = bri_cost(e);
    *best = e->at.cost < best->cost ? e->at : *best;
}

// The best of several stiffnesses and sizes: break-away after 1e-1 to 1e-5 of the arm.
static void try_starts(contact_problem* q)
{
    enum { STIFFNESSES = 9, SIZES = 2 };
    fit_point best = {.cost = HUGE_VAL};
    const double size = q->e.at.p[size_of(q)];
    for (int i = 0; i < STIFFNESSES * SIZES; i++) {
        const double distance = q->arm * pow(10.0, -1.0 - 0.5 * (i % STIFFNESSES));
        bri_set_unknown(&q->e, BR_FIT_CONTACT_SIGMA0, q->e.at.p[BR_FIT_CONTACT_MU_C] / distance);
        bri_set_unknown(&q->e, size_of(q), size * (i < STIFFNESSES ? 1.0 : 1.6));
        keep_best(&q->e, &best);
    }
    q->e.at = best;
}

// The best of several elastic bands, from the law without one.
static void try_bands(contact_problem* q)
{
    static const double bands[] = {0.2, 0.5, 0.8};
    fit_point best = {.cost = HUGE_VAL};
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++) {
        q->e.at.p[BR_FIT_CONTACT_S_BA] = bands[i];
        keep_best(&q->e, &best);
    }
    q->e.at = best;
}

// Set the anisotropy with the mean friction, stiffness and speed unchanged.
static void set_anisotropy(contact_problem* q, double ratio, double angle)
{
    estimator* e = &q->e;
    double* p = e->at.p;
    const double square = ratio / p[BR_FIT_CONTACT_RATIO], more = sqrt(square);
    bri_set_unknown(e, BR_FIT_CONTACT_MU_C, p[BR_FIT_CONTACT_MU_C] / more);
    bri_set_unknown(e, BR_FIT_CONTACT_MU_S, p[BR_FIT_CONTACT_MU_S] / more);
    bri_set_unknown(e, BR_FIT_CONTACT_V_S, p[BR_FIT_CONTACT_V_S] * more);
    bri_set_unknown(e, BR_FIT_CONTACT_SIGMA0, p[BR_FIT_CONTACT_SIGMA0] / square);
    bri_set_unknown(e, BR_FIT_CONTACT_SIGMA1, p[BR_FIT_CONTACT_SIGMA1] / square);
    bri_set_unknown(e, BR_FIT_CONTACT_SIGMA2, p[BR_FIT_CONTACT_SIGMA2] / square);
    p[BR_FIT_CONTACT_RATIO] = ratio;
    p[BR_FIT_CONTACT_ANGLE] = angle;
}

// The best of four angles, at a ratio that has axes: at ratio 1 nothing depends on the angle.
static void try_angles(contact_problem* q)
{
    enum { ANGLES = 4 };
    const fit_point from = q->e.at;
    const double given = from.p[BR_FIT_CONTACT_RATIO], ratio = given == 1.0 ? 1.5 : given;
    fit_point best = {.cost = HUGE_VAL};
    for (int i = 0; i < ANGLES; i++) {
        q->e.at = from;
        set_anisotropy(q, ratio, from.p[BR_FIT_CONTACT_ANGLE] + i * (BR_PI / ANGLES));
        keep_best(&q->e, &best);
    }
    q->e.at = best;
}

// Ratio and angle from a fit of few parameters, then start again with them. An isotropic fit to anisotropic data would run
// k and v_s into their edges.
static br_status find_anisotropy(contact_problem* q, br_reason* why)
{
    static const double far = 20.0; // a ratio beyond is no start
    estimator* e = &q->e;
    const unsigned all = e->at.estimated;
    const unsigned few = of_map | 1u << BR_FIT_CONTACT_MU_C | 1u << BR_FIT_CONTACT_SIGMA0;
    if (all >> BR_FIT_CONTACT_ANGLE & 1) {
        try_angles(q);
    }
    e->at.estimated = all & (few | 1u << size_of(q));
    const br_status status = bri_solve(e, 1e-4, why);
    e->at.estimated = all;
    const double ratio = e->at.p[BR_FIT_CONTACT_RATIO];
    bri_set_unknown(e, BR_FIT_CONTACT_RATIO, fmin(fmax(ratio, 1.0 / far), far));
    guess(q);
    try_starts(q);
    return status;
}

// Fit the law without elastic band first: it has fewer local minima.
static br_status start(contact_problem* q, br_reason* why)
{
    const unsigned band = 1u << BR_FIT_CONTACT_S_BA & q->e.at.estimated;
    const int is_plastic = q->history.is_plastic;
    double* p = q->e.at.p;
    guess(q);
    q->history.is_plastic = 0;
    q->e.at.estimated &= ~band;
    try_starts(q);
    br_status status = q->def->free ? find_anisotropy(q, why) : BR_OK;
    status = is_plastic && !status ? bri_solve(&q->e, q->e.tolerance, why) : status;
    q->history.is_plastic = is_plastic;
    q->e.at.estimated |= band;
    q->at[0] = (double)NAN; // another law
    p[BR_FIT_CONTACT_SIGMA1] = fmax(p[BR_FIT_CONTACT_SIGMA1], 0.0);
    p[BR_FIT_CONTACT_SIGMA2] = fmax(p[BR_FIT_CONTACT_SIGMA2], 0.0);
    if (band) {
        try_bands(q);
    }
    return status;
}

static void measure_residuals(contact_problem* q, br_fit_contact_result* out)
{
    const size_t count = q->history.data.count;
    double force = 0.0, torque = 0.0;
    q->e.at.cost = bri_cost(&q->e);
    for (size_t i = 0; i < 3 * count; i++) {
        const double square = q->e.residual[i] * q->e.residual[i];
        force += i < 2 * count ? square : 0.0;
        torque += i < 2 * count ? 0.0 : square;
    }
    out->rms_force = sqrt(0.5 * force / (double)count);
    out->rms_torque = q->arm * sqrt(torque / (double)count);
}

// Fit, set the weight of torques from the residuals, fit again.
static br_status solve_all(contact_problem* q, br_fit_contact_result* out, br_reason* why)
{
    br_status status = start(q, why);
    for (int round = 0; round < 2 && status == BR_OK; round++) {
        q->e.fraction = 0.2 + 0.2 * round;
        status = bri_solve_with_edges(&q->e, why);
        measure_residuals(q, out);
        if (round == 0 && out->rms_torque > 0.0 && out->rms_force > 0.0) {
            set_arm(q, out->rms_torque / out->rms_force);
        }
    }
    return status;
}

// --- results -----------------------------------------------------------------------------------------

// Set one-sided intervals of mu_s and k where they are held at edges.
static br_status bound_edges(contact_problem* q, const information* s, br_reason* why)
{
    estimator* e = &q->e;
    const unsigned held = e->unknown & ~(e->at.estimated | e->at.at_bound);
    br_fit_estimate* k = &e->estimates[BR_FIT_CONTACT_K];
    br_status status = bri_bound_edges(e, s, why);
    if (status == BR_OK && held >> BR_FIT_CONTACT_MU_S & 1) {
        status = bri_bound(e, s, BR_FIT_CONTACT_MU_S, 1.0, why);
    }
    if (status == BR_OK && held >> BR_FIT_CONTACT_K & 1) {
        bri_not_identifiable(k, k->value, k->value,
                             "at its edge: uniform, or a spike, as far as the data show");
        status = bri_bound(e, s, BR_FIT_CONTACT_K, k->value > 1.0 ? -1.0 : 1.0, why);
    }
    bri_unbounded(e, e->at.at_bound & ~e->at.estimated,
                  "not identifiable: it ran into its bound, nothing holds it");
    return status;
}

// Estimates and intervals; where profiles are stopped, by the Jacobian.
static br_status judge(contact_problem* q, br_status status, br_reason* why)
{
    information s;
    const fit_point best = q->e.at;
    q->e.profile &= status == BR_OK;
    br_status judged = bri_judge(&q->e, &s, why);
    judged = judged ? judged : bound_edges(q, &s, why);
    if (judged == BR_ERR_STOPPED) {
        q->e.at = best;
        return judge(q, judged, why);
    }
    return status ? status : judged;
}

// Noise of the twist, which the fit does not model.
static br_status set_noise(const contact_problem* q, br_fit_contact_result* out, br_reason* why)
{
    static const double felt = 0.1; // of the Stribeck speed: rows then change sides of the curve
    const br_fit_contact_data* d = &q->history.data;
    br_status status = bri_sample_noise(d->t, d->vx, d->count, &out->noise.vx, why);
    status = status ? status : bri_sample_noise(d->t, d->vy, d->count, &out->noise.vy, why);
    status = status ? status : bri_sample_noise(d->t, d->w, d->count, &out->noise.w, why);
    if (status != BR_OK) {
        return status;
    }
    const double speed = fmax(out->noise.vx, out->noise.vy);
    const double stretched = fmax(q->e.at.p[BR_FIT_CONTACT_RATIO], 1.0) * speed; // in |A v|
    out->noise_is_felt = fmax(stretched, q->arm * out->noise.w) > felt * out->law.v_stribeck;
    return BR_OK;
}

static br_status fit(contact_problem* q, br_fit_contact_result* out, br_reason* why)
{
    br_status status = solve_all(q, out, why);
    if (bri_is_estimated(&q->e, BR_FIT_CONTACT_ANGLE)) { // of an axis, not of an arrow: -pi/2..pi/2
        double* angle = &q->e.at.p[BR_FIT_CONTACT_ANGLE];
        *angle -= BR_PI * round(*angle / BR_PI);
    }
    if (status != BR_OK && status != BR_ERR_STOPPED) {
        return status;
    }
    q->e.estimates = out->estimates;
    q->e.correlation = out->correlation[0];
    measure_residuals(q, out);
    status = judge(q, status, why);
    measure_residuals(q, out);
    const double rows = (double)q->e.rows;
    out->widening = q->e.widening;
    out->has = q->has;
    out->estimated = q->e.at.estimated;
    out->arm = q->arm;
    out->law = bri_fitted_law(&q->e);
    out->is_converged = q->e.at.is_converged;
    // of forces and torques over their own deviations: the arm is the ratio of these
    out->bic = rows * log(q->e.at.cost / rows) + rows / 3.0 * log(q->arm * q->arm) +
               (double)bri_unknowns(&q->e) * log(rows);
    out->evaluations = q->e.evaluations;
    const br_status noise = set_noise(q, out, why);
    status = noise ? noise : status;
    return q->e.lacks_memory ? bri_out_of_memory(why) : status;
}

// --- the problem -------------------------------------------------------------------------------------

// The parameters of this law and patch, and the values of those that are not estimated.
static void set_unknowns(contact_problem* q, const br_patch_def* patch)
{
    const int is_round = patch_is_round(patch);
    double* p = q->e.at.p;
    q->has = bri_parameters_of(q->def->law) &
             ~(1u << BR_FIT_CONTACT_GAMMA | 1u << BR_FIT_CONTACT_V_DAMPING);
    q->has |= 1u << (is_round ? BR_FIT_CONTACT_RADIUS : BR_FIT_CONTACT_SCALE);
    q->has |= patch->pressure == BR_PRESSURE_POWER ? 1u << BR_FIT_CONTACT_K : 0u;
    q->has |= q->def->fixed & 1u << BR_FIT_CONTACT_V_DAMPING;
    const unsigned free = q->def->free, known = of_map & ~free;
    q->has |= free || q->def->anisotropy.ratio != 1.0 ? of_map : 0u;
    q->e.at.estimated = q->e.unknown = q->has & ~(q->def->fixed | known);
    for (int k = 0; k < COUNT; k++) {
        p[k] = bri_parameter(&q->e, k)->scale == LOGARITHM ? 1.0 : 0.0;
    }
    p[BR_FIT_CONTACT_GAMMA] = 2.0;
    p[BR_FIT_CONTACT_RATIO] = q->def->anisotropy.ratio;
    p[BR_FIT_CONTACT_ANGLE] = q->def->anisotropy.angle;
    p[BR_FIT_CONTACT_RADIUS] = q->parts.unit;
    if (q->has >> BR_FIT_CONTACT_K & 1) {
        p[BR_FIT_CONTACT_K] = br_by_force_eval(patch->k, 1.0);
    }
    for (int k = 0; k < COUNT; k++) {
        p[k] = q->def->fixed >> k & 1 ? q->def->values[k] : p[k];
    }
}

static br_status check_fixed(const contact_problem* q, br_reason* why)
{
    for (int k = 0; k < COUNT; k++) {
        const double x = q->def->values[k];
        const fit_scale scale = bri_parameter(&q->e, k)->scale;
        if (!(q->def->fixed >> k & 1)) {
            continue;
        }
        if (!(q->has >> k & 1)) {
            return REFUSE(BR_ERR_DEF, why, br_fit_contact_get_parameter_name(k),
                          "is given, but this law and patch have none");
        }
        const int may_be_infinite = k == BR_FIT_CONTACT_V_DAMPING;
        if (isnan(x) || (isinf(x) && !may_be_infinite) || x < 0.0 ||
            (scale == LOGARITHM && x == 0.0) || (scale == LOGIT && x >= 1.0)) {
            return REFUSE(BR_ERR_DEF, why, br_fit_contact_get_parameter_name(k),
                          "is given as %g, which it cannot be", x);
        }
    }
    const unsigned both = 1u << BR_FIT_CONTACT_MU_C | 1u << BR_FIT_CONTACT_MU_S;
    const double mu_c = q->def->values[BR_FIT_CONTACT_MU_C];
    const double mu_s = q->def->values[BR_FIT_CONTACT_MU_S];
    if ((q->def->fixed & both) == both && mu_s < mu_c) {
        return REFUSE(BR_ERR_DEF, why, "mu_s", "is given as %g, but must be at least mu_c, %g",
                      mu_s, mu_c);
    }
    return BR_OK;
}

static void problem_destroy(contact_problem* q)
{
    br_release(q->wrench); // and all that follows it
    bri_parts_destroy(&q->parts);
    br_patch_destroy(q->own);
}

// Read and check the definition; memory and parts of the problem. `evaluated`: rows to evaluate the fit at; NULL: those of
// the definition, which are checked. Free with problem_destroy(), also on failure.
static br_status problem_create(contact_problem* q, const br_fit_contact_def* given,
                                br_fit_contact_def* def, const br_fit_contact_data* evaluated,
                                const br_fit_watch* watch, br_reason* why)
{
    *def = br_fit_contact_def_default();
    br_status status = DEFINITION_READ(br_fit_contact_def, given, def, why);
    const br_fit_contact_data* data = evaluated ? evaluated : &def->data;
    *q = (contact_problem){.def = def,
                           .history = {.data = *data},
                           .e = {.own = of_patch,
                                 .count = COUNT,
                                 .kind = def->law,
                                 .rows = 3 * data->count,
                                 .columns = 3,
                                 .used = 3 * data->count,
                                 .eval = eval,
                                 .tolerance = 1e-8,
                                 .most_solutions = 80,
                                 .level = def->level,
                                 .profile = def->profile,
                                 .watch = watch,
                                 .best_rms = HUGE_VAL},
                           .arm = 1.0,
                           .at = {(double)NAN}};
    const size_t usual = def->method == BR_METHOD_BLOCKS ? 5 : 13; // blocks or cells across
    const size_t resolution = def->resolution ? def->resolution : usual;
    br_patch_def disc = br_patch_def_default();
    disc.pressure = BR_PRESSURE_POWER;
    disc.k = br_by_force_constant(2.0);
    status = status ? status : check_def(def, why);
    status = status || evaluated ? status : check_data(def, why);
    status = status || def->patch ? status : br_patch_create(&disc, &q->own, why);
    const br_patch* patch = q->own ? q->own : def->patch;
    status = status ? status : bri_parts_create(patch, def->method, resolution, &q->parts, why);
    if (status != BR_OK) {
        return status;
    }
    const size_t rows = q->e.rows;
    const size_t columns = 2 + CONTACT_INPUTS, more = def->free ? MAPS + 1 + CONTACT_INPUTS : 0;
    double* memory = br_allocate(rows * (columns + more), sizeof *memory);
    if (!memory) {
        return bri_out_of_memory(why);
    }
    q->history.parts = &q->parts;
    q->parts.map = def->free || def->anisotropy.ratio != 1.0 ? &q->map : NULL;
    q->history.is_plastic = def->law == BR_LAW_ELASTO_PLASTIC;
    q->wrench = memory;
    q->e.residual = q->wrench + rows;
    q->jacobian = q->e.residual + rows;
    q->r = br_patch_eval(patch, 1.0).r;
    set_unknowns(q, br_patch_get_def(patch));
    for (int k = 0; k < COUNT; k++) {
        q->e.d[k] = input_of[k] < 0 ? NULL : q->jacobian + rows * (size_t)input_of[k];
    }
    for (int i = 0; i < MAPS && more; i++) {
        q->e.d[maps[i].parameter] = q->by_map[i] = memory + rows * (columns + (size_t)i);
    }
    q->scratch = memory + (more ? rows * (columns + MAPS) : 0);
    return check_fixed(q, why);
}

const char* br_fit_contact_data_doubt(const br_fit_contact_data* d)
{
    if (bri_is_doubtful_speed(d->vx, d->count) || bri_is_doubtful_speed(d->vy, d->count)) {
        return "vx or vy exceeds 20: are these millimetres a second? SI units are needed, m/s";
    }
    if (bri_is_doubtful_speed(d->w, d->count)) {
        return "w exceeds 20: are these degrees a second? SI units are needed, rad/s";
    }
    return bri_is_doubtful_time(d->t, d->count) ? bri_time_doubt : NULL;
}

br_status br_fit_contact(const br_fit_contact_def* given, const br_fit_watch* watch,
                         br_fit_contact_result* out, br_reason* why)
{
    contact_problem q;
    br_fit_contact_def def;
    memset(out, 0, sizeof *out);
    br_status status = problem_create(&q, given, &def, NULL, watch, why);
    status = status ? status : fit(&q, out, why);
    problem_destroy(&q);
    return status;
}

br_status br_fit_contact_profile(const br_fit_contact_def* given,
                                 const br_fit_contact_result* result, int parameter,
                                 const double* value, size_t count, double* out, br_reason* why)
{
    contact_problem q;
    br_fit_contact_def def;
    br_status status = problem_create(&q, given, &def, NULL, NULL, why);
    if (status == BR_OK) {
        bri_restore(&q.e, result->estimates, result->estimated);
        set_arm(&q, result->arm);
        status = bri_profile_values(&q.e, parameter, value, count, out, why);
    }
    problem_destroy(&q);
    return status;
}

br_status br_fit_contact_eval(const br_fit_contact_def* given, const br_fit_contact_result* result,
                              const br_fit_contact_data* data, double* wrench, br_reason* why)
{
    contact_problem q;
    br_fit_contact_def def;
    const br_status status = problem_create(&q, given, &def, data, NULL, why);
    if (status == BR_OK) {
        bri_restore(&q.e, result->estimates, result->estimated);
        evaluate(&q, 0u);
        for (size_t i = 0; i < 3 * data->count; i++) {
            wrench[i] = def.flip_force ? -q.wrench[i] : q.wrench[i];
        }
    }
    problem_destroy(&q);
    return status;
}
