/*
 * Pressure from wrenches and twists: sets of candidate supports are fitted (pressure_trial.h), the one that
 * predicts best is taken. How sure the numbers are: a jackknife over blocks of pairs; what is told of errors of
 * twists is from the exact limit surface of the points that are given back.
 */
#include "bristle/limit.h"
#include "bristle/outline.h"
#include "fit/pressure_trial.h"

#include <string.h>

enum { LEAST_PAIRS = 8, RADII = 12, LINES = 24 };

const char* br_fit_choice_name(br_fit_choice choice)
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

// What is being made, and from what.
typedef struct job {
    const br_fit_pressure_def* def;
    br_fit_pair* pairs; // those that count
    size_t count, ignored, repeated;
    br_fit_choice choice; // of `best`
    double radius;
    double unit; // of lengths, of all that is tried: angles are compared [m]
    int is_made, is_stopped;
    trial best;
    double tried[BR_FIT_CHOICE_COUNT];
} job;

// --- what is given ------------------------------------------------------------------------------

static int is_finite_pair(const br_fit_pair* p)
{
    return isfinite(p->f.fx) && isfinite(p->f.fy) && isfinite(p->f.tau) && isfinite(p->v.vx) &&
           isfinite(p->v.vy) && isfinite(p->v.w);
}

static int is_zero3(double a, double b, double c)
{
    return a == 0.0 && b == 0.0 && c == 0.0;
}

// The pairs that push against friction; those that go with it are counted.
static br_status take_pairs(job* j, const br_fit_pair* pairs, size_t count, br_reason* why)
{
    for (size_t i = 0; i < count; i++) {
        const br_fit_pair* p = &pairs[i];
        if (!is_finite_pair(p)) {
            return bri_refuse_row("pairs", i, "must be finite", why);
        }
        if (is_zero3(p->f.fx, p->f.fy, p->f.tau)) {
            return bri_refuse_row("pairs", i, "has no wrench: leave out what is not pushed", why);
        }
        if (is_zero3(p->v.vx, p->v.vy, p->v.w)) {
            return bri_refuse_row("pairs", i, "has no motion: leave out what does not slide", why);
        }
        const double power = p->f.fx * p->v.vx + p->f.fy * p->v.vy + p->f.tau * p->v.w;
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
        br_reason_set(why, "pairs", "%zu different ones are too few: at least %d are needed",
                      j->count, LEAST_PAIRS);
        return BR_ERR_ARG;
    }
    if (all < LEAST_PAIRS || all < count / 2) {
        br_reason_set(
            why, "pairs",
            "%zu of %zu have wrench . twist > 0, at least %d and half of them must: the wrench "
            "is what pushes the body, not what friction does",
            all, count, LEAST_PAIRS);
        return BR_ERR_ARG;
    }
    return BR_OK;
}

static br_status check_def(const br_fit_pressure_def* def, br_reason* why)
{
    if (def->resolution < 2 || def->resolution > 40) {
        br_reason_set(why, "resolution", "must be in 2..40, got %zu", def->resolution);
        return BR_ERR_DEF;
    }
    if (!(def->tolerance >= 0.0 && isfinite(def->tolerance))) {
        br_reason_set(why, "tolerance", "must be finite and >= 0, got %g", def->tolerance);
        return BR_ERR_DEF;
    }
    if (def->supports && br_patch_get_def(def->supports)->shape != BR_SHAPE_POINTS) {
        br_reason_set(why, "supports", "must be a patch of shape points");
        return BR_ERR_DEF;
    }
    if (!def->supports && def->choices >> BR_FIT_SUPPORTS & 1) {
        br_reason_set(why, "choices", "supports are to be tried, but there are none");
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// --- what is tried ------------------------------------------------------------------------------

// Does a trial predict better than the best so far, by more than one standard error of the difference? What is
// simpler, or what the user knows, is tried first and stays otherwise.
static int is_better(const job* j, const trial* t, double errors)
{
    double sum = 0.0, square = 0.0;
    for (size_t i = 0; i < j->count; i++) {
        const double gain = j->best.angle[i] - t->angle[i];
        sum += gain;
        square += gain * gain;
    }
    return bri_is_gain(sum, square, j->count, errors);
}

// Take a trial as the best so far, or drop it. It must be better by so many standard errors.
static void compete(job* j, trial* t, br_fit_choice choice, double errors, double radius)
{
    j->tried[choice] = isnan(j->tried[choice]) ? t->score : fmin(j->tried[choice], t->score);
    if (j->is_made && !is_better(j, t, errors)) {
        bri_trial_destroy(t);
        return;
    }
    bri_trial_destroy(&j->best);
    j->best = *t;
    j->best.rows.feet = &j->best.feet; // it has moved
    j->choice = choice;
    j->radius = radius;
    j->is_made = 1;
}

// A pressure as it is.
static br_status try_prior(job* j, const br_patch* patch, br_fit_choice choice, double radius,
                           br_reason* why)
{
    footprint feet;
    trial t;
    br_status status = bri_footprint_of_outline(patch, j->def->resolution, &feet, why);
    if (!status) {
        bri_footprint_set_unit(&feet, j->unit);
        status = bri_trial_create(j->pairs, j->count, feet, NULL, 0, &t, why);
    }
    if (!status) {
        bri_trial_keep_prior(&t);
        compete(j, &t, choice, j->is_made && j->choice == choice ? 0.0 : 1.0, radius);
    }
    return status;
}

// Weights of candidates, and what was expected of them.
static br_status try_weights(job* j, footprint feet, double* basis, size_t width,
                             br_fit_choice choice, br_reason* why)
{
    trial t;
    const br_status status = bri_trial_create(j->pairs, j->count, feet, basis, width, &t, why);
    if (!status) {
        j->is_stopped |= !bri_trial_run(&t, &j->def->watch);
        compete(j, &t, choice, 1.0, 0.0);
    }
    return status;
}

static br_status try_grid(job* j, br_reason* why)
{
    footprint feet;
    const br_status status =
        bri_footprint_of_outline(j->def->outline, j->def->resolution, &feet, why);
    return status ? status : try_weights(j, feet, NULL, 0, BR_FIT_GRID, why);
}

// Known supports: their weights as they are given, and fitted.
static br_status try_supports(job* j, br_reason* why)
{
    for (int fitted = 0; fitted < 2; fitted++) {
        footprint feet;
        trial t;
        br_status status = bri_footprint_of_supports(j->def->supports,
                                                     fitted ? j->def->tolerance : 0.0, &feet, why);
        if (status) {
            return status;
        }
        bri_footprint_set_unit(&feet, j->unit);
        if (fitted) {
            return try_weights(j, feet, NULL, 0, BR_FIT_SUPPORTS, why);
        }
        status = bri_trial_create(j->pairs, j->count, feet, NULL, 0, &t, why);
        if (status) {
            return status;
        }
        bri_trial_keep_prior(&t);
        compete(j, &t, BR_FIT_SUPPORTS, 1.0, 0.0);
    }
    return BR_OK;
}

// A ring or a disc of Hertz's pressure around the outline's centre, of the radius that predicts best.
static br_status try_round(job* j, br_fit_choice choice, br_reason* why)
{
    br_outline* outline;
    br_status status = br_outline_create(j->def->outline, 1.0, 0, &outline, why);
    if (status) {
        return status;
    }
    for (size_t i = 1; i <= RADII && !status; i++) {
        br_patch_def def = br_patch_def_default();
        br_patch* patch;
        const double radius = br_outline_get_radius(outline) * (double)i / RADII;
        def.shape = choice == BR_FIT_RING ? BR_SHAPE_RING : BR_SHAPE_DISC;
        def.pressure = choice == BR_FIT_RING ? BR_PRESSURE_UNIFORM : BR_PRESSURE_POWER;
        def.k = br_by_force_constant(2.0);
        def.radius = br_by_force_constant(radius);
        def.centre = br_outline_get_centre(outline);
        status = br_patch_create(&def, &patch, why);
        status = status ? status : try_prior(j, patch, choice, radius, why);
        br_patch_destroy(status ? NULL : patch);
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
        double least = (double)INFINITY;
        for (size_t i = 0; i < feet->count; i++) {
            least = fmin(least, nx * feet->x[i] + ny * feet->y[i]);
        }
        for (size_t i = 0; i < feet->count; i++) {
            // what is expected is uniform where it is positive: the grid without the rim
            const double height = nx * feet->x[i] + ny * feet->y[i] - least;
            basis[k * feet->count + i] = feet->prior[i] * height;
        }
    }
}

static br_status try_linear(job* j, br_reason* why)
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
        br_reason_set(why, "", "no memory for a linear pressure");
        return BR_ERR_MEMORY;
    }
    linear_basis(&feet, lines, basis);
    return try_weights(j, feet, basis, lines, BR_FIT_LINEAR, why);
}

static br_status try_one(job* j, br_fit_choice choice, br_reason* why)
{
    switch (choice) {
    case BR_FIT_UNIFORM:
        return try_prior(j, j->def->outline, choice, 0.0, why);
    case BR_FIT_GRID:
        return try_grid(j, why);
    case BR_FIT_SUPPORTS:
        return try_supports(j, why);
    case BR_FIT_LINEAR:
        return try_linear(j, why);
    default:
        return try_round(j, choice, why);
    }
}

static br_status try_all(job* j, br_reason* why)
{
    static const br_fit_choice order[] = {BR_FIT_SUPPORTS, BR_FIT_UNIFORM, BR_FIT_RING,
                                          BR_FIT_HERTZ,    BR_FIT_LINEAR,  BR_FIT_GRID};
    const unsigned usual =
        1u << BR_FIT_UNIFORM | 1u << BR_FIT_GRID | (j->def->supports ? 1u << BR_FIT_SUPPORTS : 0u);
    const unsigned wanted = j->def->choices ? j->def->choices : usual;
    br_status status = BR_OK;
    for (int i = 0; i < BR_FIT_CHOICE_COUNT && !status && !(j->is_stopped && j->is_made); i++) {
        status = wanted >> order[i] & 1 ? try_one(j, order[i], why) : BR_OK;
    }
    return status;
}

// --- what is told -------------------------------------------------------------------------------

// CoP, r and mu fn of weights (m), from the pairs but those of a block.
static void numbers_of(const trial* t, const double* w, size_t without, double out[4])
{
    bri_footprint_moments(&t->feet, w, out);
    double power = 0.0, dissipation = 0.0;
    for (size_t i = 0; i < t->rows.count; i++) {
        if (bri_pairs_block(&t->rows, i) != without) {
            power += t->rows.power[i];
            dissipation += bri_footprint_eval(&t->feet, w, t->rows.v + 3 * i).D;
        }
    }
    out[3] = power / dissipation;
}

static void set_estimates(const trial* t, br_fit_pressure* out)
{
    const size_t blocks = t->rows.blocks;
    double at[4], without[BLOCKS][4];
    numbers_of(t, t->best, blocks, at);
    for (size_t b = 0; b < blocks; b++) {
        numbers_of(t, t->without + b * t->feet.count, b, without[b]);
    }
    const jackknife cut = {without[0], 4, blocks};
    const double unit = t->feet.unit;
    out->cop[0] = bri_jackknife_estimate("cop_x", "m", at[0], unit, &cut, 0);
    out->cop[1] = bri_jackknife_estimate("cop_y", "m", at[1], unit, &cut, 1);
    out->r = bri_jackknife_estimate("r", "m", at[2], unit, &cut, 2);
    out->mu_fn = bri_jackknife_estimate("mu_fn", "N", at[3], at[3], &cut, 3);
}

static br_status surface_of(const br_support_point* points, size_t count, br_patch** patch,
                            br_limit** surface, br_reason* why)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.points = points;
    def.count = count;
    *surface = NULL;
    br_limit_def limit = br_limit_def_default();
    const br_status status = br_patch_create(&def, patch, why);
    limit.patch = *patch;
    return status ? status : br_limit_create(&limit, surface, why);
}

// Angle between the twist of a wrench by the exact surface and the one measured, spin times r.
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
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
                 z = a[0] * b[1] - a[1] * b[0];
    const double angle =
        atan2(sqrt(x * x + y * y + z * z), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    return isfinite(angle) ? angle : 0.5 * BR_PI; // a load that no twist answers tells nothing
}

// Sum of the angles of the pairs whose blocks have bits, for weights (m).
static br_status exact_angles(const job* j, const double* w, unsigned blocks,
                              br_support_point* room, double* sum, br_reason* why)
{
    br_patch* patch = NULL;
    br_limit* surface = NULL;
    const size_t count = bri_collect_supports(&j->best.feet, w, NULL, room, NULL);
    const br_status status = surface_of(room, count, &patch, &surface, why);
    for (size_t i = 0; !status && i < j->count; i++) {
        if (blocks >> bri_pairs_block(&j->best.rows, i) & 1) {
            *sum += exact_angle(surface, &j->pairs[i]);
        }
    }
    br_limit_destroy(surface);
    br_patch_destroy(patch);
    return status;
}

static br_status set_angles(const job* j, br_fit_pressure* out, br_reason* why)
{
    const size_t m = j->best.feet.count;
    br_support_point* room = br_allocate(m, sizeof *room);
    if (!room) {
        br_reason_set(why, "", "no memory for %zu points", m);
        return BR_ERR_MEMORY;
    }
    double all = 0.0, held = 0.0;
    br_status status = exact_angles(j, j->best.best, ~0u, room, &all, why);
    for (size_t k = 0; k < FOLDS && !status; k++) {
        status = exact_angles(j, j->best.fold + k * m, bri_blocks_of_fold(k, j->best.rows.blocks),
                              room, &held, why);
    }
    br_release(room);
    out->angle_error = all / (double)j->count;
    out->validation_angle_error = held / (double)j->count;
    return status;
}

// The result in one piece of memory: itself, its points, their errors.
static br_status make_result(job* j, br_fit_pressure** out, br_reason* why)
{
    const size_t m = j->best.feet.count;
    br_fit_pressure* p = br_allocate(1, sizeof *p + m * (sizeof *p->points + sizeof *p->errors));
    if (!p) {
        br_reason_set(why, "", "no memory for %zu points", m);
        return BR_ERR_MEMORY;
    }
    bri_trial_leave_out(&j->best);
    br_support_point* points = (br_support_point*)(p + 1);
    double* errors = (double*)(points + m);
    p->points = points;
    p->errors = errors;
    const jackknife cut = {j->best.without, m, j->best.rows.blocks};
    p->count = bri_collect_supports(&j->best.feet, j->best.best, &cut, points, errors);
    p->choice = j->choice;
    p->radius = j->radius;
    p->strength = j->best.strength;
    p->pairs = j->count;
    p->ignored = j->ignored;
    p->repeated = j->repeated;
    memcpy(p->tried, j->tried, sizeof p->tried);
    set_estimates(&j->best, p);
    const br_status status = set_angles(j, p, why);
    if (status) {
        br_release(p);
        return status;
    }
    *out = p;
    return BR_OK;
}

void br_fit_pressure_destroy(br_fit_pressure* pressure)
{
    br_release(pressure);
}

static br_status run(job* j, const br_fit_pair* pairs, size_t count, br_fit_pressure** out,
                     br_reason* why)
{
    footprint feet = {0};
    br_status status = take_pairs(j, pairs, count, why);
    status =
        status ? status : bri_footprint_of_outline(j->def->outline, j->def->resolution, &feet, why);
    j->unit = feet.unit;
    bri_footprint_destroy(&feet);
    status = status ? status : try_all(j, why);
    status = status ? status : make_result(j, out, why);
    if (!status && j->is_stopped) {
        br_reason_set(why, "", "stopped; the best so far is given");
        return BR_ERR_STOPPED;
    }
    return status;
}

br_status br_fit_pressure_create(const br_fit_pressure_def* def, const br_fit_pair* pairs,
                                 size_t count, br_fit_pressure** out, br_reason* why)
{
    BR_ASSERT(def && def->size == sizeof *def && def->outline && (pairs || count == 0) && out);
    *out = NULL;
    br_status status = check_def(def, why);
    if (status) {
        return status;
    }
    job j = {.def = def, .pairs = br_allocate(count ? count : 1, sizeof *j.pairs)};
    for (int i = 0; i < BR_FIT_CHOICE_COUNT; i++) {
        j.tried[i] = (double)NAN;
    }
    if (j.pairs) {
        status = run(&j, pairs, count, out, why);
    } else {
        br_reason_set(why, "", "no memory for %zu pairs", count);
        status = BR_ERR_MEMORY;
    }
    bri_trial_destroy(&j.best);
    br_release(j.pairs);
    return status;
}
