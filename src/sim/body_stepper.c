/*
 * Stepper of a body: fixed steps that the caller takes one by one.
 *
 * It uses the system, integrator and smooth pieces of br_body_run() with one fixed step per call. Between calls the
 * caller may change the state: it is read from br_body_state before a step and written back after it.
 */
#include "base/definition.h"
#include "sim/body_internal.h"

#include <string.h>

struct br_body_stepper {
    br_body body;
    br_run_def def;
    br_run_watch watch;
    body_system s;
    body_memory memory;
    run_system system;
    run_progress run;
    br_body_state state; // the caller's view; z is the system's own array
    br_wrench* f;        // mean friction of the last step (contact_count)
    double* y;           // state before the last step (n)
};

br_body_step_def br_body_step_def_default(double h)
{
    return (br_body_step_def){.size = sizeof(br_body_step_def), .h = h};
}

// Copy the state from the system to the caller's view.
static void export_state(br_body_stepper* p)
{
    p->state.t = p->run.t;
    p->state.pose = pose_of(p->memory.y);
    p->state.velocity = velocity_of(p->memory.y);
    bri_body_get_contacts(&p->s, p->state.contacts);
}

// Copy it back. If the caller changed the time, it may be in another smooth piece.
static void import_state(br_body_stepper* p)
{
    const br_body_state* at = &p->state;
    const double front[BRISTLES] = {at->pose.x,      at->pose.y,      at->pose.theta,
                                    at->velocity.vx, at->velocity.vy, at->velocity.w};
    memcpy(p->memory.y, front, sizeof front);
    bri_body_set_contacts(&p->s, at->contacts);
    if (at->t != p->run.t) {
        p->run.t = p->run.piece_end = at->t;
    }
}

static br_status allocate(br_body_stepper* p, br_reason* why)
{
    const size_t count = p->body.contact_count;
    p->state.contacts = br_allocate(count + 1, sizeof *p->state.contacts);
    p->s.steps.impulse = br_allocate(count + 1, sizeof *p->s.steps.impulse);
    p->f = br_allocate(count + 1, sizeof *p->f);
    p->y = br_allocate(p->s.n, sizeof *p->y);
    if (!p->state.contacts || !p->s.steps.impulse || !p->f || !p->y) {
        br_reason_set(why, "", "no memory for the steps of %zu contacts", count);
        return BR_ERR_MEMORY;
    }
    p->state.z = p->memory.y + BRISTLES;
    return BR_OK;
}

// Enter the first smooth piece, which sets the bristles as br_body.start requests.
static void start(br_body_stepper* p)
{
    double next = HUGE_VAL;
    for (const br_profile* const* profile = p->memory.profiles; *profile; profile++) {
        next = fmin(next, br_profile_next_break(*profile, p->run.t));
    }
    const double within = next < HUGE_VAL ? 0.5 * (p->run.t + next) : p->run.t;
    p->system.enter(&p->s, p->run.t, within, p->memory.y);
    p->s.cached_t = (double)NAN;
    export_state(p);
}

static br_status prepare(br_body_stepper* p, br_reason* why)
{
    br_status status = bri_body_prepare(&p->s, &p->memory, why);
    if (status == BR_OK) {
        status = allocate(p, why);
    }
    if (status == BR_OK) {
        p->system = bri_body_run_system(&p->s, &p->memory);
        status = bri_run_create(&p->run, &p->system, &p->def, &p->watch, why);
    }
    if (status == BR_OK) {
        start(p);
    }
    return status;
}

br_status br_body_stepper_create(const br_body* given, br_body_stepper** out, br_reason* why)
{
    BR_ASSERT(given && out);
    *out = NULL;
    // each call is one step of any size, divided only at breaks; the end of the run is not known
    br_run_def def = br_run_def_default();
    def.method = BR_INTEGRATOR_FIXED;
    def.duration = 0.0;
    def.step = 1e300;
    def.rtol = 1e-6; // unused by fixed steps, but checked
    def.atol = def.atol_z = 1.0;
    br_body body = br_body_default();
    br_status status = DEFINITION_READ(br_body, given, &body, why);
    if (status == BR_OK) {
        status = bri_body_check(&body, &def, why);
    }
    if (status != BR_OK) {
        return status;
    }
    br_body_stepper* p = br_allocate(1, sizeof *p);
    if (!p) {
        br_reason_set(why, "", "no memory for a stepper");
        return BR_ERR_MEMORY;
    }
    p->body = body;
    p->def = def;
    p->watch = br_run_watch_default();
    p->s = (body_system){.body = &p->body, .def = &p->def, .watch = &p->watch};
    status = prepare(p, why);
    p->body.from = NULL; // borrowed only for the start
    if (status != BR_OK) {
        br_body_stepper_destroy(p);
        return status;
    }
    *out = p;
    return BR_OK;
}

void br_body_stepper_destroy(br_body_stepper* p)
{
    if (!p) {
        return;
    }
    bri_run_release(&p->run);
    br_release(p->s.steps.impulse);
    bri_body_release(&p->s, &p->memory);
    br_release(p->state.contacts);
    br_release(p->f);
    br_release(p->y);
    br_release(p);
}

br_body_state* br_body_stepper_get_state(br_body_stepper* p)
{
    BR_ASSERT(p);
    return &p->state;
}

static br_status refuse(const char* field, const char* text, double got, br_reason* why)
{
    br_reason_set(why, field, "%s, got %g", text, got);
    return BR_ERR_ARG;
}

static br_status check_step(const br_body_step_def* def, br_reason* why)
{
    if (!(def->h > 0.0) || !isfinite(def->h)) {
        return refuse("h", "must be > 0 and finite", def->h, why);
    }
    if (def->order < 0 || def->order > 2) {
        return refuse("order", "must be 1, 2 or 0: chosen", def->order, why);
    }
    const double sum = def->load.fx + def->load.fy + def->load.tau;
    return isfinite(sum) ? BR_OK : refuse("load", "must be finite", sum, why);
}

// The run has no known end, so negative normal forces are checked in each step.
static br_status check_forces(const br_body_stepper* p, double h, br_reason* why)
{
    for (size_t i = 0; i < p->body.contact_count; i++) {
        const br_profile* force = &p->body.contacts[i].normal_force;
        const double middle = p->state.t + 0.5 * h;
        const double fn = br_profile_eval(force, middle, middle, NULL);
        if (fn < 0.0) {
            br_reason_set(why, "normal_force", "must be >= 0, but is %g N at t = %.6g s", fn,
                          middle);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

// Set up a step, with the requested order or the default for its size.
static void set_up_step(br_body_stepper* p, const br_body_step_def* def)
{
    body_steps* steps = &p->s.steps;
    p->watch.event = def->event;
    p->watch.user = def->user;
    steps->load = def->load;
    steps->body.order = def->order > 0 ? def->order : bri_body_step_order(def->h);
    steps->sum = (br_body_step_result){.converged = 1};
    memset(steps->impulse, 0, p->body.contact_count * sizeof *steps->impulse);
    memcpy(p->y, p->memory.y, p->s.n * sizeof *p->y);
    import_state(p);
}

static br_body_step_result result_of(br_body_stepper* p, double h)
{
    br_body_step_result r = p->s.steps.sum;
    for (size_t i = 0; i < p->body.contact_count; i++) {
        const br_wrench sum = p->s.steps.impulse[i];
        p->f[i] = (br_wrench){sum.fx / h, sum.fy / h, sum.tau / h};
    }
    r.f = p->f;
    r.push = br_vec2_scale(1.0 / h, r.push);
    return r;
}

br_status br_body_step(br_body_stepper* p, const br_body_step_def* given, br_body_step_result* out,
                       br_reason* why)
{
    BR_ASSERT(p && given);
    br_body_step_def full = br_body_step_def_default(0.0);
    const br_body_step_def* def = &full;
    br_status status = DEFINITION_READ(br_body_step_def, given, &full, why);
    status = status == BR_OK ? check_step(def, why) : BR_ERR_ARG;
    if (status == BR_OK && bri_body_check_state(&p->body, &p->state, why) != BR_OK) {
        status = BR_ERR_ARG;
    }
    if (status == BR_OK) {
        status = check_forces(p, def->h, why);
    }
    if (status != BR_OK) {
        return status;
    }
    set_up_step(p, def);
    status = bri_run_to(&p->run, p->state.t + def->h, why);
    if (status != BR_OK) {
        memcpy(p->memory.y, p->y, p->s.n * sizeof *p->y);
        p->run.t = p->run.piece_end = p->state.t;
        bri_body_set_contacts(&p->s, p->state.contacts);
        return status;
    }
    export_state(p);
    if (out) {
        *out = result_of(p, def->h);
    }
    return BR_OK;
}
