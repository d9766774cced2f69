/*
 * A planar rigid body in time: the run.
 */
#include "sim/body_internal.h"
#include "sim/run.h"
#include "sim/states.h"

#include <stdio.h>
#include <string.h>

br_body_pusher br_body_pusher_default(double mass)
{
    const double stiffness = 1e5;
    return (br_body_pusher){.radius = 5e-3,
                            .mu = 0.3,
                            .stiffness = stiffness,
                            .damping = 2.0 * sqrt(stiffness * fmax(mass, 0.0))};
}

br_body br_body_default(void)
{
    return (br_body){.mass = 1.0, .inertia = 1.0};
}

// A piece begins: normal force and pressure may jump, which puts energy into the bristles or takes it
// out. Where there is no force on the whole piece, the bristles are let go; where it comes back, they begin anew.
static void enter_contact(body_system* s, held* h, double t, double* y)
{
    double slope;
    const int was_open = h->open;
    const double inside = bri_held_force(s, h, s->within, &slope);
    h->steady = bri_held_is_steady(s, h);
    h->open = inside == 0.0 && slope == 0.0;
    h->now.fn = bri_held_force(s, h, t, &h->now.change);
    if (was_open && !h->open) {
        bri_held_touch(s, h, t, y);
    }
    bri_body_ledger_book(s, h, h->now.fn, y + h->at);
    if (h->open) {
        memset(y + h->at, 0, contact_states(&h->contact) * sizeof *y);
    }
}

static void tell_event(const body_system* s, size_t i, double t, br_event_kind kind)
{
    if (s->watch->event) {
        s->watch->event(&(br_run_event){.t = t, .kind = kind, .contact = i}, s->watch->user);
    }
}

// Tell the state that a contact comes to.
static void tell_state(body_system* s, size_t i, double t, br_contact_state state)
{
    held* h = &s->contacts[i];
    h->state = state;
    s->kept_t = (double)NAN; // its margin was that of the last state
    h->most_load = state == BR_SLIP && h->most_load < 1.0 ? 1.0 : h->most_load;
    tell_event(s, i, t,
               state == BR_STICK  ? BR_EVENT_STICK
               : state == BR_SLIP ? BR_EVENT_SLIP
               : h->left          ? BR_EVENT_LEAVE
                                  : BR_EVENT_OPEN);
}

static void tell_overhang(const body_system* s, size_t i, double t)
{
    if (!s->contacts[i].overhangs) {
        tell_event(s, i, t, BR_EVENT_OVERHANG);
    }
    s->contacts[i].overhangs = 1;
}

// The patch has left the body. Adaptive steps let the bristles go at once; a fixed step is over already,
// and the next one does it.
static int open_for_good(body_system* s, size_t i, double t, double* y)
{
    held* h = &s->contacts[i];
    const int adaptive = !s->steps.contacts;
    h->booked = adaptive ? bri_held_force(s, h, t, NULL) : h->booked;
    h->left = h->open = 1;
    if (adaptive) {
        enter_contact(s, h, t, y);
        s->kept_t = (double)NAN; // whatever was evaluated had its friction
        bri_body_ledger_begin(s, t, y);
    }
    tell_state(s, i, t, BR_OPEN);
    return adaptive;
}

static int switched(void* system, double t, double* y, int event)
{
    body_system* s = system;
    const size_t count = s->body->contact_count, i = (size_t)event % count;
    switch ((size_t)event / count) {
    case 0:
        tell_state(s, i, t, s->contacts[i].state == BR_SLIP ? BR_STICK : BR_SLIP);
        return 0;
    case 1:
        return open_for_good(s, i, t, y);
    default:
        tell_overhang(s, i, t);
        return 0;
    }
}

// A finger that presses anew may have missed the body, or a part of it.
static void meet_edge(body_system* s, size_t i, double t, double* y)
{
    held* h = &s->contacts[i];
    if (!h->edge || h->open) {
        return;
    }
    if (bri_held_on_body(s, h, y) < 0.0) {
        open_for_good(s, i, t, y);
    } else if (!h->overhangs && bri_held_within_body(s, h, y) < 0.0) {
        tell_overhang(s, i, t);
    }
}

static void enter(void* system, double t, double within, double* y)
{
    body_system* s = system;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        // adaptive steps have integrated the work up to the end of the last piece
        held* h = &s->contacts[i];
        if (!s->steps.contacts && t > 0.0) {
            h->booked = bri_held_force(s, h, t, NULL);
        }
    }
    s->within = within;
    if (t == 0.0) {
        bri_body_begin(s, y);
    }
    for (size_t i = 0; i < s->body->contact_count; i++) {
        bri_held_grip(s, &s->contacts[i], t, y);
        enter_contact(s, &s->contacts[i], t, y);
    }
    s->kept_t = (double)NAN; // whatever was evaluated belongs to the last piece
    bri_body_ledger_begin(s, t, y);
    for (size_t i = 0; i < s->body->contact_count; i++) {
        held* h = &s->contacts[i];
        const br_contact_state state = h->now.slip.state;
        if (t == 0.0) {
            h->state = state;
            h->most_load = s->def->ends_only ? (double)NAN : state == BR_SLIP ? 1.0 : 0.0;
        } else if (state != h->state) {
            tell_state(s, i, t, state);
        }
        meet_edge(s, i, t, y);
    }
}

// Friction of a contact at its CoP: as it is, or over the last fixed step.
static br_wrench friction_of(const body_system* s, size_t i, const held_moment* m)
{
    const br_wrench unit = m->slip.f;
    return s->steps.t1 > s->steps.t0
               ? s->steps.contacts[i].f
               : (br_wrench){m->fn * unit.fx, m->fn * unit.fy, m->fn * unit.tau};
}

static void emit(void* system, double t, const double* y)
{
    body_system* s = system;
    const int stepped = s->steps.t1 > s->steps.t0;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        held* h = &s->contacts[i];
        const held_moment m = bri_held_at(s, h, t, y, NULL, 1);
        const br_vec2 cop = h->contact.value.cop;
        const br_wrench f = friction_of(s, i, &m);
        s->row_f[i] = (br_wrench){f.fx, f.fy, f.tau + cop.x * f.fy - cop.y * f.fx};
        s->row_tau_cop[i] = f.tau;
        s->row_fn[i] = m.fn;
        s->row_slipped[i] = stepped ? bri_body_steps_way(s, h, t) : bri_body_ledger_way(s, h, t);
        s->row_state[i] = h->state;
        s->row_slip_rate[i] = m.slip.slip_rate;
        s->row_load[i] = bri_held_load(h, y);
        h->most_load = s->def->ends_only ? (double)NAN : fmax(h->most_load, s->row_load[i]);
        s->row_most_load[i] = h->most_load;
    }
    const br_wrench push = bri_body_push(s, t, y);
    const br_body_row row = {.t = t,
                             .push = {push.fx, push.fy},
                             .pose = pose_of(y),
                             .velocity = velocity_of(y),
                             .f = s->row_f,
                             .fn = s->row_fn,
                             .slipped = s->row_slipped,
                             .state = s->row_state,
                             .slip_rate = s->row_slip_rate,
                             .tau_cop = s->row_tau_cop,
                             .load = s->row_load,
                             .most_load = s->row_most_load,
                             .energy = stepped ? bri_body_steps_energy(s, t)
                                               : bri_body_ledger_energy(s, t, y, s->row_fn)};
    s->watch->row.body(&row, s->watch->user);
}

// The bristles need no limit of their own, as under an imposed motion: what moves them is a state, and
// its error is watched.
static double longest_step(double t, const double* y, void* user)
{
    (void)t, (void)y;
    return ((const body_system*)user)->swing;
}

// What a run needs besides its contacts.
typedef struct body_memory {
    double* doubles;             // state, tolerances, scratch, rows
    double *y, *atol;            // the first two of them (n)
    const br_profile** profiles; // all, NULL at the end
} body_memory;

static br_status take_contacts(body_system* s, br_reason* why)
{
    const size_t count = s->body->contact_count;
    s->n = BRISTLES;
    s->contacts = br_allocate(count + 1, sizeof *s->contacts);
    if (!s->contacts) {
        br_reason_set(why, "", "no memory for %zu contacts", count);
        return BR_ERR_MEMORY;
    }
    br_status status = BR_OK;
    for (size_t i = 0; status == BR_OK && i < count; i++) {
        held* h = &s->contacts[i];
        h->def = &s->body->contacts[i];
        h->at = s->n;
        h->moves = bri_held_is_moved(h);
        bri_held_grip_create(h);
        status = bri_contact_create(&h->contact, h->def->contact, why);
        if (status == BR_OK) {
            status = bri_held_edge_create(s, h, why);
        }
        s->has_edges = s->has_edges || h->edge;
        s->n += status == BR_OK ? contact_states(&h->contact) : 0;
    }
    return status;
}

static br_status allocate(body_system* s, body_memory* out, br_reason* why)
{
    const size_t count = s->body->contact_count;
    const size_t stride = states_stride(s->n), lead = states_lead(BRISTLES);
    out->doubles = br_allocate(lead + 6 * stride + 6 * count, sizeof(double));
    s->row_f = br_allocate(count + 1, sizeof *s->row_f);
    s->row_state = br_allocate(count + 1, sizeof *s->row_state);
    out->profiles = br_allocate(5 * count + 3 * s->body->load_count + 5, sizeof *out->profiles);
    if (!out->doubles || !s->row_f || !s->row_state || !out->profiles) {
        br_reason_set(why, "", "no memory for %zu states", s->n);
        return BR_ERR_MEMORY;
    }
    out->y = out->doubles + lead;
    out->atol = out->y + stride;
    s->y_middle = out->atol + stride;
    s->rates_middle = s->y_middle + stride;
    s->rates = s->rates_middle + stride;
    s->kept_y = s->rates + stride;
    s->row_fn = s->kept_y + stride;
    s->row_slipped = s->row_fn + count;
    s->row_slip_rate = s->row_slipped + count;
    s->row_load = s->row_slip_rate + count;
    s->row_most_load = s->row_load + count;
    s->row_tau_cop = s->row_most_load + count;
    return BR_OK;
}

static void release(body_system* s, body_memory* memory)
{
    for (size_t i = 0; s->contacts && i < s->body->contact_count; i++) {
        bri_contact_release(&s->contacts[i].contact);
        bri_held_edge_release(&s->contacts[i]);
    }
    bri_body_steps_release(s);
    br_release(s->contacts);
    br_release(s->row_f);
    br_release(s->row_state);
    br_release(memory->doubles);
    br_release(memory->profiles);
}

// List the profiles, and find the longest step that follows the swings of all; does gravity change?
static void list_profiles(body_system* s, const br_profile** out)
{
    const br_profile* turn = s->body->gravity_change;
    for (int i = 0; i < 2; i++) {
        s->is_turned |= turn[i].kind != BR_PROFILE_CONSTANT || turn[i].mean != 0.0;
    }
    size_t n = 0;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        out[n++] = &s->body->contacts[i].normal_force;
        out[n++] = &s->contacts[i].clock;
        for (int k = 0; k < 3; k++) {
            out[n++] = &s->body->contacts[i].motion[k];
        }
    }
    for (size_t i = 0; i < s->body->load_count; i++) {
        out[n++] = &s->body->loads[i].fx;
        out[n++] = &s->body->loads[i].fy;
        out[n++] = &s->body->loads[i].tau;
    }
    if (s->body->pusher) {
        out[n++] = &s->body->pusher->x;
        out[n++] = &s->body->pusher->y;
    }
    out[n++] = &s->body->gravity_change[0];
    out[n++] = &s->body->gravity_change[1];
    s->swing = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        s->swing = fmin(s->swing, bri_profile_longest_step(out[i]));
    }
}

// What a turn moves: the rim of the contact that reaches farthest from the CoM [m]. Angles over that
// length are judged as places are; 1 where nothing touches.
static double contact_length(const body_system* s)
{
    double length = 0.0;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        held* h = &s->contacts[i];
        bri_held_move(s, h, 0.0);
        const lever l = held_lever(h, s->body->pose);
        length = fmax(length, hypot(l.arm.x, l.arm.y) + h->contact.value.r);
    }
    return length > 0.0 ? length : 1.0;
}

static void fill_start(const body_system* s, double* y, double* atol)
{
    const br_body* body = s->body;
    const double start[BRISTLES] = {body->pose.x,      body->pose.y,      body->pose.theta,
                                    body->velocity.vx, body->velocity.vy, body->velocity.w};
    memcpy(y, start, sizeof start);
    const double turning = s->def->atol / contact_length(s);
    const double own[BRISTLES] = {s->def->atol, s->def->atol, turning,
                                  s->def->atol, s->def->atol, turning};
    memcpy(atol, own, sizeof own);
    for (size_t i = 0; i < body->contact_count; i++) {
        const held* h = &s->contacts[i];
        bri_contact_tolerances(&h->contact, s->def->atol_z, atol + h->at);
    }
}

// A finger that presses from the start must meet the body.
static br_status check_edges(body_system* s, const double* y, br_reason* why)
{
    for (size_t i = 0; i < s->body->contact_count; i++) {
        held* h = &s->contacts[i];
        bri_held_move(s, h, 0.0);
        if (h->edge && bri_held_force(s, h, 0.0, NULL) > 0.0 && bri_held_on_body(s, h, y) < 0.0) {
            char field[48];
            snprintf(field, sizeof field, "contacts[%zu].patch", i);
            br_reason_set(why, field, "lies off the body at the start");
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

static const stage_passes passes = {bri_body_take_stage, bri_body_end_step};

// So few states are summed up faster by themselves than contact by contact.
enum { FEW_STATES = 32 };

static br_status run(body_system* s, const body_memory* memory, br_integrator_cost* cost,
                     br_reason* why)
{
    double *y = memory->y, *atol = memory->atol;
    list_profiles(s, memory->profiles);
    fill_start(s, y, atol);
    const br_status status = check_edges(s, y, why);
    if (status != BR_OK) {
        return status;
    }
    const run_system system = {.system = s,
                               .n = s->n,
                               .y = y,
                               .atol = atol,
                               .ode = {.n = s->n,
                                       .apart = BRISTLES,
                                       .rate = bri_body_rate,
                                       .linearise = bri_body_linearise,
                                       .factor = bri_body_factor,
                                       .solve = bri_body_solve,
                                       .advance = bri_body_advance,
                                       .longest_step = longest_step,
                                       .events = (s->has_edges ? 3 : 1) * s->body->contact_count,
                                       .event = bri_body_event,
                                       .user = s},
                               .passes = s->n > FEW_STATES ? &passes : NULL,
                               .profiles = memory->profiles,
                               .enter = enter,
                               .switched = switched,
                               .passed = s->steps.contacts ? NULL : bri_body_ledger_pass,
                               .emit = emit};
    return bri_run_all(&system, s->def, s->watch, cost, why);
}

static const run_kind kind = {.rows = RUN_ROWS_BODY,
                              .is_adaptive = 1,
                              .is_fixed = 1,
                              .has_events = 1,
                              .rtol = 2e-6, // by docs/precision.md
                              .atol = 2e-8,
                              .atol_z = 2e-10};

br_status br_body_run(const br_body* body, const br_run_def* def, const br_run_watch* watch,
                      br_integrator_cost* cost, br_reason* why)
{
    BR_ASSERT(body && def && watch);
    br_run_def full;
    br_status status = bri_run_check(&kind, def, watch, &full, why);
    if (status == BR_OK) {
        status = bri_body_check(body, &full, why);
    }
    if (status != BR_OK) {
        return status;
    }
    body_system s = {.body = body, .def = &full, .watch = watch, .kept_t = (double)NAN};
    body_memory memory = {0};
    status = take_contacts(&s, why);
    if (status == BR_OK) {
        status = allocate(&s, &memory, why);
    }
    if (status == BR_OK && full.method == BR_FIXED) {
        status = bri_body_steps_create(&s, memory.y, why);
    }
    if (status == BR_OK) {
        status = run(&s, &memory, cost, why);
    }
    release(&s, &memory);
    return status;
}
