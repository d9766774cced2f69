/*
 * Pressure and tip friction from pushes alone: the functions of fit_pushes.h. The fit is in push_fit.c.
 */
#include "bristle/fit_pushes.h"

#include <string.h>

#include "base/definition.h"
#include "bristle/limit.h"
#include "bristle/pushing.h"
#include "fit/numbers.h"
#include "fit/push_fit.h"

enum { LEAST_PUSHES = 6 };

br_fit_pushes_def br_fit_pushes_def_default(void)
{
    return (br_fit_pushes_def){.size = sizeof(br_fit_pushes_def), .mu_tip = 0.25, .resolution = 9};
}

// --- checks ----------------------------------------------------------------------------------

static br_status check_def(const br_fit_pushes_def* def, br_reason* why)
{
    const fit_rule rules[] = {RULE(!def->outline, "outline", "must be set"), MAGNITUDE(tip_radius),
                              MAGNITUDE(mu_tip),
                              RULE(!isfinite(def->tip_offset.x) || !isfinite(def->tip_offset.y),
                                   "tip_offset", "must be finite"),
                              CELLS_ACROSS(resolution)};
    return bri_check_rules(rules, sizeof rules / sizeof *rules, why);
}

static int is_finite_push(const br_fit_push* p)
{
    const double all = p->start.x + p->start.y + p->start.theta + p->end.x + p->end.y +
                       p->end.theta + p->from.x + p->from.y + p->to.x + p->to.y;
    return isfinite(all);
}

static br_status select_pushes(br_fit_push* pushes, size_t* count, br_reason* why)
{
    size_t moved = 0;
    for (size_t i = 0; i < *count; i++) {
        const br_pose *a = &pushes[i].start, *b = &pushes[i].end;
        if (!is_finite_push(&pushes[i])) {
            return bri_refuse_row("pushes", i, "must be finite", why);
        }
        moved += a->x != b->x || a->y != b->y || a->theta != b->theta;
    }
    if (moved == 0 && *count > 0) {
        return REFUSE(BR_ERR_ARG, why, "pushes", "no motion: every body ends where it starts");
    }
    const br_status status = bri_drop_doubles(pushes, count, sizeof *pushes, why);
    if (status == BR_OK && *count < LEAST_PUSHES) {
        return REFUSE(BR_ERR_ARG, why, "pushes",
                      "%zu different pushes are too few: at least %d are needed", *count,
                      LEAST_PUSHES);
    }
    return status;
}

// Are the paths in proportion to the body? Others are errors of units, and would take the more sub-steps.
static br_status check_paths(const push_fit* f, br_reason* why)
{
    const double radius = br_outline_get_radius(f->outline);
    for (size_t i = 0; i < f->s.rows; i++) {
        const double length = br_vec2_norm(br_vec2_sub(f->pushes[i].to, f->pushes[i].from));
        if (!(length <= PUSH_MOST_SIZES * radius)) {
            return REFUSE(
                BR_ERR_ARG, why, "pushes",
                "a tip moves by %g m, more than %d times the radius of the outline, %g m: are lengths "
                "in m?",
                length, PUSH_MOST_SIZES, radius);
        }
    }
    return BR_OK;
}

// Does the tip come to the body at all?
static br_status check_pushes(const push_fit* f, br_reason* why)
{
    size_t touching = 0;
    push_track track = bri_push_track(f, f->s.start);
    track.steps_per_size = 10;
    for (size_t i = 0; i < f->s.rows; i++) {
        double end[3];
        touching += bri_push_end(&track, &f->pushes[i], end, NULL) > 0.0;
    }
    if (touching < LEAST_PUSHES || touching < f->s.rows / 2) {
        return REFUSE(
            BR_ERR_ARG, why, "pushes",
            "in %zu of %zu the tip touches the body, in at least %d and half of them it must: are lengths in "
            "m, angles in rad, is the tip's radius right?",
            touching, f->s.rows, LEAST_PUSHES);
    }
    return BR_OK;
}

// --- results ----------------------------------------------------------------------------------------

// mu, the offset and the radius of the tip.
enum { NUMBERS = 4 };

static void numbers_of(const push_fit* f, const double* x, double out[NUMBERS])
{
    const push_tip at = bri_push_tip(f, x);
    out[0] = x[f->s.feet.count];
    out[1] = at.offset.x;
    out[2] = at.offset.y;
    out[3] = at.radius;
}

// The tip's friction, offset and radius, of the fit that has them.
static void set_tip(const push_fit* f, br_fit_estimate* out[NUMBERS])
{
    static const char* const names[] = {"mu_tip", "tip_dx", "tip_dy", "tip_radius"};
    const int is_unknown[] = {!f->def->keeps_mu, f->has_offset, f->has_offset, f->has_radius};
    double at[NUMBERS], without[BLOCKS][NUMBERS];
    numbers_of(f, f->s.best, at);
    for (size_t b = 0; b < f->s.blocks && f->s.has_errors; b++) {
        numbers_of(f, f->s.without + b * f->s.unknowns, without[b]);
    }
    const jackknife cut = {f->s.has_errors ? without[0] : NULL, NUMBERS, f->s.blocks};
    for (size_t i = 0; i < NUMBERS; i++) {
        const char* unit = i == 0 ? "-" : "m";
        const double x = i == 0 && f->def->keeps_mu ? f->def->mu_tip : at[i];
        *out[i] = is_unknown[i] ? bri_jackknife_estimate(names[i], unit, x,
                                                         i == 0 ? 1.0 : f->s.feet.unit, &cut, i)
                                : (br_fit_estimate){names[i], unit, x, 0.0, x, x, 1, 1, ""};
    }
    out[0]->low = fmax(out[0]->low, 0.0);
}

// Mean errors of pushes that were left out.
static void set_validation(const push_fit* f, double* position, double* angle)
{
    *position = *angle = 0.0;
    for (size_t i = 0; i < f->s.rows; i++) {
        const double* r = f->s.best_held + 3 * i;
        *position += f->s.feet.unit * hypot(r[0], r[1]) / (double)f->s.rows;
        *angle += fabs(r[2]) / (double)f->s.rows;
    }
}

// Does the tip touch the outline at the measured ends, where it does at the predicted ones? Others slid off the body.
static void set_gaps(const push_fit* f, const br_pose* ends, br_fit_pushes* out)
{
    static const double touching = 1e-3; // of the outline's radius
    const double size = br_outline_get_radius(f->outline);
    const push_tip at = bri_push_tip(f, f->s.best);
    size_t count = 0;
    out->most_gap = loose * size;
    for (size_t i = f->s.rows; i-- > 0;) {
        const double gap = bri_push_gap(f, at, &f->pushes[i], f->pushes[i].end, NULL);
        const int slid_off = bri_push_gap(f, at, &f->pushes[i], ends[i], NULL) > touching * size;
        out->end_gap += slid_off ? 0.0 : fabs(gap);
        count += !slid_off;
        if (gap < -out->most_gap || (gap > out->most_gap && !slid_off)) {
            out->apart++;
            out->first_apart = i;
        }
    }
    out->end_gap /= count > 0 ? (double)count : 1.0;
}

br_status br_fit_pushes_predict(const br_fit_pushes_def* def, const br_patch* pressure,
                                const br_fit_push* pushes, size_t count, br_pose* ends,
                                br_reason* why)
{
    BR_ASSERT(def && def->outline && pressure && ends);
    br_outline* outline = NULL;
    br_limit* surface = NULL;
    br_limit_def limit = br_limit_def_default();
    limit.patch = pressure;
    br_pushing pushing = br_pushing_default();
    br_status status = br_outline_create(def->outline, 1.0, 0, &outline, why);
    status = status ? status : br_limit_create(&limit, &surface, why);
    pushing.surface = surface;
    pushing.outline = outline;
    pushing.radius = def->tip_radius;
    pushing.mu = def->mu_tip;
    status = status ? status : br_pushing_check(&pushing, why);
    for (size_t i = 0; i < count && !status; i++) {
        // not NULL where there are rows: a failed allocation has set status
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
        ends[i] = pushes[i].start;
        br_pushing_step(&pushing, &ends[i], br_vec2_add(pushes[i].from, def->tip_offset),
                        br_vec2_add(pushes[i].to, def->tip_offset));
    }
    br_limit_destroy(surface);
    br_outline_destroy(outline);
    return status;
}

// Errors of the ends that the exact surface of the result predicts.
static br_status set_errors(const push_fit* f, br_fit_pushes* out, br_reason* why)
{
    const push_tip at = bri_push_tip(f, f->s.best);
    const double n = (double)f->s.rows;
    br_patch* patch = NULL;
    br_pose* ends = br_allocate(f->s.rows, sizeof *ends);
    if (!ends) {
        return bri_out_of_memory(why);
    }
    br_fit_pushes_def def = *f->def;
    def.mu_tip = out->mu_tip.value;
    def.tip_offset = at.offset;
    def.tip_radius = at.radius;
    br_status status = bri_points_patch(out->points, out->count, &patch, why);
    status = status ? status : br_fit_pushes_predict(&def, patch, f->pushes, f->s.rows, ends, why);
    for (size_t i = 0; i < f->s.rows && !status; i++) {
        const br_pose *a = &ends[i], *b = &f->pushes[i].end;
        out->position_error += hypot(a->x - b->x, a->y - b->y) / n;
        out->angle_error += fabs(remainder(a->theta - b->theta, 2.0 * BR_PI)) / n;
    }
    if (!status) {
        set_gaps(f, ends, out);
    }
    br_patch_destroy(patch);
    br_release(ends);
    return status;
}

static br_status make_result(const push_fit* f, br_fit_pushes** to, br_reason* why)
{
    size_t count;
    const br_support_point* points;
    const double* errors;
    br_fit_pushes* out = bri_supports_result(&f->s, sizeof *out, &count, &points, &errors);
    if (!out) {
        return bri_out_of_memory(why);
    }
    *out = (br_fit_pushes){.count = count,
                           .points = points,
                           .errors = errors,
                           .pushes = f->s.rows,
                           .strength = f->s.strength,
                           .keeps_patch = isinf(f->s.strength)};
    bri_supports_moments(&f->s, out->cop, &out->r);
    set_tip(f, (br_fit_estimate*[]){&out->mu_tip, &out->tip_offset[0], &out->tip_offset[1],
                                    &out->tip_radius});
    set_validation(f, &out->validation_position_error, &out->validation_angle_error);
    const br_status status = set_errors(f, out, why);
    if (status) {
        br_release(out);
    }
    *to = status ? NULL : out;
    return status;
}

void br_fit_pushes_destroy(br_fit_pushes* fitted)
{
    br_release(fitted);
}

// --- fits -------------------------------------------------------------------------------------------

// One fit, with or without an offset as an unknown.
static br_status fit_one(const br_fit_pushes_def* def, const br_fit_push* pushes, size_t count,
                         int has_offset, push_fit* f, br_reason* why)
{
    br_status status = bri_push_fit_create(def, pushes, count, has_offset, f, why);
    status = status ? status : check_paths(f, why);
    status = status ? status : check_pushes(f, why);
    if (!status) {
        bri_push_fit_run(f);
    }
    return status;
}

// Is a fit with an offset better than one without?
static int uses_offset(const push_fit* plain, const push_fit* offset)
{
    return offset->is_run && !offset->s.is_stopped &&
           bri_is_better(&plain->s, offset->s.best_held, plain->s.best_held, 1.0);
}

// The offset whether it is used or not, and the validation errors of both.
static void describe_offset(const push_fit* plain, const push_fit* offset, br_fit_pushes* out)
{
    out->plain_position_error = out->plain_angle_error = (double)NAN;
    out->offset_position_error = out->offset_angle_error = (double)NAN;
    if (offset->is_run && !offset->s.is_stopped) {
        br_fit_estimate other[2];
        out->uses_offset = uses_offset(plain, offset);
        set_tip(offset, (br_fit_estimate*[]){&other[0], &out->tip_offset[0], &out->tip_offset[1],
                                             &other[1]});
        set_validation(plain, &out->plain_position_error, &out->plain_angle_error);
        set_validation(offset, &out->offset_position_error, &out->offset_angle_error);
    }
}

br_status br_fit_pushes_create(const br_fit_pushes_def* given, const br_fit_push* pushes,
                               size_t count, br_fit_pushes** out, br_reason* why)
{
    BR_ASSERT(given && (pushes || count == 0) && out);
    *out = NULL;
    br_fit_pushes_def def = br_fit_pushes_def_default();
    br_status status = DEFINITION_READ(br_fit_pushes_def, given, &def, why);
    status = status ? status : check_def(&def, why);
    if (status) {
        return status;
    }
    br_fit_push* own = br_allocate(count ? count : 1, sizeof *own);
    if (!own) {
        return bri_out_of_memory(why);
    }
    memcpy(own, pushes, count * sizeof *own);
    push_fit plain = {.def = &def}, offset = {.def = &def};
    status = select_pushes(own, &count, why);
    status = status ? status : fit_one(&def, own, count, 0, &plain, why);
    if (!status && !def.keeps_offset && !plain.s.is_stopped) {
        status = fit_one(&def, own, count, 1, &offset, why);
    }
    if (!status && plain.is_run) {
        status = make_result(uses_offset(&plain, &offset) ? &offset : &plain, out, why);
    }
    if (*out) {
        describe_offset(&plain, &offset, *out);
        // the row of this push before repeated ones were dropped
        const br_fit_push* apart = &own[(*out)->first_apart];
        size_t row = 0;
        while (memcmp(&pushes[row], apart, sizeof *apart) != 0) {
            row++;
        }
        (*out)->first_apart = row;
    }
    if (!status && (plain.s.is_stopped || offset.s.is_stopped)) {
        status = REFUSE(BR_ERR_STOPPED, why, "",
                        *out ? "stopped; the best so far is given"
                             : "stopped before there was a result");
    }
    bri_push_fit_destroy(&plain);
    bri_push_fit_destroy(&offset);
    br_release(own);
    return status;
}
