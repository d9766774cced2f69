/*
 * Pressure from wrenches and twists: of several sets of candidate supports (pressure_trial.h), the one that predicts
 * best. Errors of the numbers are from a jackknife over blocks of pairs, errors of twists from the exact limit surface
 * of the resulting points.
 */
#include "base/definition.h"
#include "bristle/limit.h"
#include "bristle/outline.h"
#include "fit/numbers.h"
#include "fit/pressure_trial.h"

#include <string.h>

#include "math/vec3.h"

enum { LEAST_PAIRS = 8, RADII = 12, LINES = 24 };

const char* br_fit_choice_get_name(br_fit_choice choice)
{
    static const char* const names[] = {
#define NAME(choice, name) name,
        BR_FIT_CHOICE_LIST(NAME)
#undef NAME
    };
    return choice < BR_FIT_CHOICE_COUNT ? names[choice] : "?";
}

br_fit_pressure_def br_fit_pressure_def_default(void)
{
    return (br_fit_pressure_def){.size = sizeof(br_fit_pressure_def), .resolution = 11};
}

// State of a fit.
typedef struct pressure_fit {
    const br_fit_pressure_def* def;
    br_fit_pair* pairs; // without repeated ones and those that push along friction
    size_t count, ignored, repeated;
    br_fit_choice choice; // of `best`
    double radius;
    double unit; // of lengths, the same in all trials, since angles are compared [m]
    int has_best, is_stopped;
    trial best;
    double tried[BR_FIT_CHOICE_COUNT];
} pressure_fit;

// --- checks ------------------------------------------------------------------------------

// Keep the pairs that push against friction; count the others.
static br_status select_pairs(pressure_fit* j, const br_fit_pair* pairs, size_t count,
                              br_reason* why)
{
    for (size_t i = 0; i < count; i++) {
        const br_fit_pair* p = &pairs[i];
        const double f[3] = {p->f.fx, p->f.fy, p->f.tau}, v[3] = {p->v.vx, p->v.vy, p->v.w};
        const double power = vec3_dot(f, v);
        const char* text =
            !isfinite(f[0] + f[1] + f[2] + v[0] + v[1] + v[2]) ? "must be finite"
            : bri_largest(f, 3) == 0.0 ? "has no wrench: leave out what is not pushed"
            : bri_largest(v, 3) == 0.0 ? "has no motion: leave out what does not slide"
                                       : NULL;
        if (text) {
            return bri_refuse_row("pairs", i, text, why);
        }
        if (power > 0.0) {
            j->pairs[j->count++] = *p;
        }
    }
    j->ignored = count - j->count;
    const size_t all = j->count;
    const br_status status = bri_drop_doubles(j->pairs, &j->count, sizeof *j->pairs, why);
    j->repeated = all - j->count;
    if (status != BR_OK) {
        return status;
    }
    if (all >= LEAST_PAIRS && j->count < LEAST_PAIRS) {
        return REFUSE(BR_ERR_ARG, why, "pairs",
                      "%zu different ones are too few: at least %d are needed", j->count,
                      LEAST_PAIRS);
    }
    if (all < LEAST_PAIRS || all < count / 2) {
        return REFUSE(
            BR_ERR_ARG, why, "pairs",
            "%zu of %zu have wrench . twist > 0, at least %d and half of them must: the wrench "
            "is what pushes the body, not what friction does",
            all, count, LEAST_PAIRS);
    }
    return BR_OK;
}

static br_status check_def(const br_fit_pressure_def* def, br_reason* why)
{
    const br_patch* known = def->supports;
    const fit_rule rules[] = {RULE(!def->outline, "outline", "must be set"),
                              CELLS_ACROSS(resolution), MAGNITUDE(tolerance),
                              RULE(known && br_patch_get_def(known)->shape != BR_SHAPE_POINTS,
                                   "supports", "must be a patch of shape points"),
                              RULE(!known && def->choices >> BR_FIT_CHOICE_SUPPORTS & 1, "choices",
                                   "supports are to be tried, but there are none")};
    return bri_check_rules(rules, sizeof rules / sizeof *rules, why);
}

// --- trials ------------------------------------------------------------------------------

// Fit the weights of candidates, or keep their prior, and keep the trial if it is the best so far: it must predict
// better by a standard error of the difference, since simpler or known pressures are tried first. Radii of one choice
// compete without that margin. Takes ownership of feet and basis.
static br_status try_feet(pressure_fit* j, footprint feet, double* basis, size_t width,
                          int is_fitted, br_fit_choice choice, double radius, br_reason* why)
{
    trial t;
    bri_footprint_set_unit(&feet, j->unit);
    const br_status status =
        bri_trial_create(j->pairs, j->count, feet, basis, width, &j->def->watch, &t, why);
    if (status) {
        return status;
    }
    if (is_fitted) {
        bri_trial_run(&t);
    } else {
        bri_trial_keep_prior(&t);
    }
    j->is_stopped |= t.s.is_stopped;
    const double margin = radius > 0.0 && j->has_best && j->choice == choice ? 0.0 : 1.0;
    j->tried[choice] = isnan(j->tried[choice]) ? t.score : fmin(j->tried[choice], t.score);
    if (j->has_best &&
        (isnan(t.score) || !bri_is_better(&t.s, t.s.best_held, j->best.s.best_held, margin))) {
        bri_trial_destroy(&t);
        return BR_OK;
    }
    bri_trial_destroy(&j->best);
    j->best = t;
    j->choice = choice;
    j->radius = radius;
    j->has_best = 1;
    return BR_OK;
}

static br_status try_outline(pressure_fit* j, const br_patch* patch, int is_fitted,
                             br_fit_choice choice, double radius, br_reason* why)
{
    footprint feet;
    const br_status status = bri_footprint_of_outline(patch, j->def->resolution, &feet, why);
    return status ? status : try_feet(j, feet, NULL, 0, is_fitted, choice, radius, why);
}

// Known supports, with given weights and with fitted ones.
static br_status try_supports(pressure_fit* j, br_reason* why)
{
    br_status status = BR_OK;
    for (int is_fitted = 0; is_fitted < 2 && !status; is_fitted++) {
        footprint feet;
        const double tolerance = is_fitted ? j->def->tolerance : 0.0;
        status = bri_footprint_of_supports(j->def->supports, tolerance, &feet, why);
        status = status ? status
                        : try_feet(j, feet, NULL, 0, is_fitted, BR_FIT_CHOICE_SUPPORTS, 0.0, why);
    }
    return status;
}

// A ring or a disc of Hertz's pressure around the outline's centre, of the radius that predicts best.
static br_status try_round(pressure_fit* j, br_fit_choice choice, br_reason* why)
{
    br_outline* outline;
    br_status status = br_outline_create(j->def->outline, 1.0, 0, &outline, why);
    if (status) {
        return status;
    }
    for (size_t i = 1; i <= RADII && !status; i++) {
        br_patch_def def = br_patch_def_default();
        br_patch* patch = NULL;
        const double radius = br_outline_get_radius(outline) * (double)i / RADII;
        def.shape = choice == BR_FIT_CHOICE_RING ? BR_SHAPE_RING : BR_SHAPE_DISC;
        def.pressure = choice == BR_FIT_CHOICE_RING ? BR_PRESSURE_UNIFORM : BR_PRESSURE_POWER;
        def.k = br_by_force_constant(2.0);
        def.radius = br_by_force_constant(radius);
        def.centre = br_outline_get_centre(outline);
        status = br_patch_create(&def, &patch, why);
        status = status ? status : try_outline(j, patch, 0, choice, radius, why);
        br_patch_destroy(patch);
    }
    br_outline_destroy(outline);
    return status;
}

// Columns of a family of linear pressures on the candidates: the distances from lines around them, whose sums with
// factors >= 0 are all linear pressures >= 0 inside.
static void linear_basis(const footprint* feet, size_t lines, double* basis)
{
    for (size_t k = 0; k < lines; k++) {
        const double angle = 2.0 * BR_PI * (double)k / (double)lines, nx = cos(angle),
                     ny = sin(angle);
        double lowest = (double)INFINITY;
        for (size_t i = 0; i < feet->count; i++) {
            lowest = fmin(lowest, nx * feet->x[i] + ny * feet->y[i]);
        }
        for (size_t i = 0; i < feet->count; i++) {
            // the prior is uniform where it is positive: the grid without the rim
            const double height = nx * feet->x[i] + ny * feet->y[i] - lowest;
            basis[k * feet->count + i] = feet->prior[i] * height;
        }
    }
}

static br_status try_linear(pressure_fit* j, br_reason* why)
{
    footprint feet;
    br_status status = bri_footprint_of_outline(j->def->outline, j->def->resolution, &feet, why);
    if (status) {
        return status;
    }
    const size_t lines = feet.count < LINES ? feet.count : LINES;
    double* basis = br_allocate(lines * feet.count, sizeof *basis);
    if (!basis) {
        bri_footprint_destroy(&feet);
        return bri_out_of_memory(why);
    }
    linear_basis(&feet, lines, basis);
    return try_feet(j, feet, basis, lines, 1, BR_FIT_CHOICE_LINEAR, 0.0, why);
}

static br_status try_one(pressure_fit* j, br_fit_choice choice, br_reason* why)
{
    switch (choice) {
    case BR_FIT_CHOICE_UNIFORM:
    case BR_FIT_CHOICE_GRID:
        return try_outline(j, j->def->outline, choice == BR_FIT_CHOICE_GRID, choice, 0.0, why);
    case BR_FIT_CHOICE_SUPPORTS:
        return try_supports(j, why);
    case BR_FIT_CHOICE_LINEAR:
        return try_linear(j, why);
    default:
        return try_round(j, choice, why);
    }
}

static br_status try_all(pressure_fit* j, br_reason* why)
{
    static const br_fit_choice order[] = {BR_FIT_CHOICE_SUPPORTS, BR_FIT_CHOICE_UNIFORM,
                                          BR_FIT_CHOICE_RING,     BR_FIT_CHOICE_HERTZ,
                                          BR_FIT_CHOICE_LINEAR,   BR_FIT_CHOICE_GRID};
    const unsigned usual = 1u << BR_FIT_CHOICE_UNIFORM | 1u << BR_FIT_CHOICE_GRID |
                           (j->def->supports ? 1u << BR_FIT_CHOICE_SUPPORTS : 0u);
    const unsigned wanted = j->def->choices ? j->def->choices : usual;
    br_status status = BR_OK;
    for (int i = 0; i < BR_FIT_CHOICE_COUNT && !status && !(j->is_stopped && j->has_best); i++) {
        status = wanted >> order[i] & 1 ? try_one(j, order[i], why) : BR_OK;
    }
    return status;
}

// --- results -------------------------------------------------------------------------------

// mu fn of weights (m), from the pairs except those of a block: power over dissipation.
static double mu_fn_of(const trial* t, const double* w, size_t without)
{
    double power = 0.0, dissipation = 0.0;
    for (size_t i = 0; i < t->s.rows; i++) {
        if (bri_supports_block(&t->s, i) != without) {
            power += t->power[i];
            dissipation += bri_footprint_eval(&t->s.feet, w, t->v + 3 * i).D;
        }
    }
    return power / dissipation;
}

static void set_estimates(const trial* t, br_fit_pressure* out)
{
    const size_t blocks = t->s.blocks;
    double without[BLOCKS];
    const double mu_fn = mu_fn_of(t, t->s.best, blocks);
    for (size_t b = 0; b < blocks && t->s.has_errors; b++) {
        without[b] = mu_fn_of(t, t->s.without + b * t->s.unknowns, b);
    }
    const jackknife cut = {t->s.has_errors ? without : NULL, 1, blocks};
    bri_supports_moments(&t->s, out->cop, &out->r);
    out->mu_fn = bri_jackknife_estimate("mu_fn", "N", mu_fn, mu_fn, &cut, 0);
}

// Angle between the twist of a wrench by the exact surface and the measured one, spin times r.
static double exact_angle(const br_limit* surface, const br_fit_pair* pair)
{
    const br_patch_value at = br_limit_get_patch_value(surface);
    const br_vec2 c = at.cop;
    const br_wrench load = {pair->f.fx, pair->f.fy,
                            pair->f.tau - br_vec2_cross(c, (br_vec2){pair->f.fx, pair->f.fy})};
    br_twist s;
    br_limit_gauge(surface, load, &s);
    // the frame's origin
    const double a[3] = {s.vx + s.w * c.y, s.vy - s.w * c.x, at.r * s.w};
    const double b[3] = {pair->v.vx, pair->v.vy, at.r * pair->v.w};
    double c3[3];
    vec3_cross(a, b, c3);
    const double angle = atan2(vec3_norm(c3), vec3_dot(a, b));
    return isfinite(angle) ? angle : 0.5 * BR_PI; // no twist for this load: as bad as chance
}

// Add to *sum the angles of the pairs whose block has its bit set in `blocks`, for the exact surface of supports with
// weights w (m); points: workspace (m).
static br_status add_angle_errors(pressure_fit* j, const double* w, unsigned blocks,
                                  br_support_point* points, double* sum, br_reason* why)
{
    br_patch* patch = NULL;
    br_limit* surface = NULL;
    br_limit_def limit = br_limit_def_default();
    const size_t count = bri_supports_points(&j->best.s, w, points, NULL);
    br_status status = bri_points_patch(points, count, &patch, why);
    limit.patch = patch;
    status = status ? status : br_limit_create(&limit, &surface, why);
    for (size_t i = 0; !status && i < j->count && !bri_supports_stops(&j->best.s); i++) {
        if (blocks >> bri_supports_block(&j->best.s, i) & 1) {
            *sum += exact_angle(surface, &j->pairs[i]);
        }
    }
    br_limit_destroy(surface);
    br_patch_destroy(patch);
    return status;
}

static br_status set_angles(pressure_fit* j, br_fit_pressure* out, br_reason* why)
{
    const supports* s = &j->best.s;
    br_support_point* points = br_allocate(s->feet.count, sizeof *points);
    if (!points) {
        return bri_out_of_memory(why);
    }
    double all = 0.0, held = 0.0;
    out->angle_error = out->validation_angle_error = (double)NAN;
    if (j->is_stopped) {
        br_release(points);
        return BR_OK;
    }
    br_status status = add_angle_errors(j, s->best, ~0u, points, &all, why);
    for (size_t k = 0; k < FOLDS && !status; k++) {
        status = add_angle_errors(j, s->best_fold + k * s->unknowns,
                                  bri_blocks_of_fold(k, s->blocks), points, &held, why);
    }
    br_release(points);
    j->is_stopped = j->best.s.is_stopped;
    if (!j->is_stopped) {
        out->angle_error = all / (double)j->count;
        out->validation_angle_error = held / (double)j->count;
    }
    return status;
}

static br_status make_result(pressure_fit* j, br_fit_pressure** out, br_reason* why)
{
    size_t count;
    const br_support_point* points;
    const double* errors;
    j->best.s.is_stopped = j->is_stopped;
    bri_trial_leave_out(&j->best);
    j->is_stopped = j->best.s.is_stopped;
    br_fit_pressure* p = bri_supports_result(&j->best.s, sizeof *p, &count, &points, &errors);
    if (!p) {
        return bri_out_of_memory(why);
    }
    *p = (br_fit_pressure){.count = count, .points = points, .errors = errors};
    p->choice = j->choice;
    p->radius = j->radius;
    p->strength = j->best.s.strength;
    p->pairs = j->count;
    p->ignored = j->ignored;
    p->repeated = j->repeated;
    memcpy(p->tried, j->tried, sizeof p->tried);
    set_estimates(&j->best, p);
    const br_status status = set_angles(j, p, why);
    if (status) {
        br_release(p);
    }
    *out = status ? NULL : p;
    return status;
}

void br_fit_pressure_destroy(br_fit_pressure* pressure)
{
    br_release(pressure);
}

br_status br_fit_pressure_create(const br_fit_pressure_def* given, const br_fit_pair* pairs,
                                 size_t count, br_fit_pressure** out, br_reason* why)
{
    BR_ASSERT(given && (pairs || count == 0) && out);
    *out = NULL;
    br_fit_pressure_def def = br_fit_pressure_def_default();
    br_status status = DEFINITION_READ(br_fit_pressure_def, given, &def, why);
    status = status ? status : check_def(&def, why);
    if (status) {
        return status;
    }
    footprint feet = {0};
    pressure_fit j = {.def = &def, .pairs = br_allocate(count ? count : 1, sizeof *j.pairs)};
    for (int i = 0; i < BR_FIT_CHOICE_COUNT; i++) {
        j.tried[i] = (double)NAN;
    }
    status = j.pairs ? select_pairs(&j, pairs, count, why) : bri_out_of_memory(why);
    status = status ? status : bri_footprint_of_outline(def.outline, def.resolution, &feet, why);
    j.unit = feet.unit;
    bri_footprint_destroy(&feet);
    status = status ? status : try_all(&j, why);
    status = status ? status : make_result(&j, out, why);
    if (!status && j.is_stopped) {
        status = REFUSE(BR_ERR_STOPPED, why, "", "stopped; the best so far is given");
    }
    bri_trial_destroy(&j.best);
    br_release(j.pairs);
    return status;
}
