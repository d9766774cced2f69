/*
 * Run of a planar rigid body.
 */
#include "base/definition.h"
#include "sim/body_internal.h"
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
    return (br_body){.size = sizeof(br_body), .mass = 1.0, .inertia = 1.0};
}

// A smooth piece starts: normal force and pressure may jump, which changes the energy of the bristles.
// Without force on the whole piece the bristles are reset to 0; when the force returns, they start again.
static void enter_contact(body_system* s, contact_run* h, double t, double* y)
{
    double slope;
    const int was_open = h->open;
    const double inside = bri_contact_run_force(s, h, s->within, &slope);
    h->steady = bri_contact_run_is_steady(s, h);
    h->open = inside == 0.0 && slope == 0.0;
    h->now.fn = bri_contact_run_force(s, h, t, &h->now.change);
    if (was_open && !h->open) {
        bri_contact_run_touch(s, h, t, y);
    }
    bri_contact_run_move(s, h, t);
    bri_body_ledger_book(s, h, h->now.fn, y);
    if (h->open) {
        memset(y + h->at, 0, contact_states(&h->contact) * sizeof *y);
    }
}

static void report_event(const body_system* s, size_t i, double t, br_event_kind kind)
{
    if (s->watch->event) {
        s->watch->event(&(br_run_event){.t = t, .kind = kind, .contact = i}, s->watch->user);
    }
}

// Set and report the new state of a contact.
static void report_state(body_system* s, size_t i, double t, br_slip_state state)
{
    contact_run* h = &s->contacts[i];
    h->state = state;
    s->cached_t = (double)NAN; // the cached margin is that of the old state
    h->most_load = state == BR_STATE_SLIP && h->most_load < 1.0 ? 1.0 : h->most_load;
    report_event(s, i, t,
                 state == BR_STATE_STICK  ? BR_EVENT_STICK
                 : state == BR_STATE_SLIP ? BR_EVENT_SLIP
                 : h->left                ? BR_EVENT_LEAVE
                                          : BR_EVENT_OPEN);
}

static void report_overhang(const body_system* s, size_t i, double t)
{
    if (!s->contacts[i].overhangs) {
        report_event(s, i, t, BR_EVENT_OVERHANG);
    }
    s->contacts[i].overhangs = 1;
}

// Adaptive steps have integrated the works up to (t, y).
static void set_booked(const body_system* s, contact_run* h, double t, const double* y)
{
    bri_contact_run_move(s, h, t);
    h->booked = bri_contact_run_force(s, h, t, NULL);
    h->booked_at = contact_pose_over(h, y);
}

// A point has come to the edge of a cell of its field: its friction jumps there.
static int cross_edge(body_system* s, size_t i, double t, double* y)
{
    contact_run* h = &s->contacts[i];
    if (s->steps.contacts) {
        return 0;
    }
    set_booked(s, h, t, y);
    enter_contact(s, h, t, y);
    s->cached_t = (double)NAN; // the cached evaluation is that of the old cell
    bri_body_ledger_restart(s, t, y);
    return 1;
}

// The patch has left the body. Adaptive steps reset the bristles at once; with fixed steps the step is
// already complete, and the next one resets them.
static int open_for_good(body_system* s, size_t i, double t, double* y)
{
    contact_run* h = &s->contacts[i];
    const int adaptive = !s->steps.contacts;
    if (adaptive) {
        set_booked(s, h, t, y);
    }
    h->left = h->open = 1;
    if (adaptive) {
        enter_contact(s, h, t, y);
        s->cached_t = (double)NAN; // the cached evaluation includes its friction
        bri_body_ledger_restart(s, t, y);
    }
    report_state(s, i, t, BR_STATE_OPEN);
    return adaptive;
}

// Update the state of a contact at (t, y); report it if it changed.
static void update_state(body_system* s, size_t i, double t, const double* y)
{
    bri_body_update(s, t, y);
    const br_slip_state state = s->contacts[i].now.slip.state;
    if (state != s->contacts[i].state) {
        report_state(s, i, t, state);
    }
}

static int switched(void* system, double t, double* y, int event)
{
    body_system* s = system;
    const size_t count = s->body->contact_count, i = (size_t)event % count;
    const size_t group = (size_t)event / count;
    switch (s->has_jumps ? group : group + (group > 0)) {
    case 0:
        update_state(s, i, t, y);
        return 0;
    case 1:
        return cross_edge(s, i, t, y);
    case 2:
        return open_for_good(s, i, t, y);
    default:
        report_overhang(s, i, t);
        return 0;
    }
}

// A finger that presses again may be off the body, or partly off it.
static void update_edge(body_system* s, size_t i, double t, double* y)
{
    contact_run* h = &s->contacts[i];
    if (!h->edge || h->open) {
        return;
    }
    if (bri_contact_run_on_body(s, h, y) < 0.0) {
        open_for_good(s, i, t, y);
    } else if (!h->overhangs && bri_contact_run_within_body(s, h, y) < 0.0) {
        report_overhang(s, i, t);
    }
}

static void enter(void* system, double t, double within, double* y)
{
    body_system* s = system;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        // adaptive steps have integrated the work up to the end of the last piece
        contact_run* h = &s->contacts[i];
        if (!s->steps.contacts && s->is_started) {
            set_booked(s, h, t, y);
        }
    }
    s->within = within;
    if (!s->is_started && !s->body->from) {
        bri_body_set_start(s, y);
    }
    for (size_t i = 0; i < s->body->contact_count; i++) {
        bri_contact_run_grip(s, &s->contacts[i], t, y);
        enter_contact(s, &s->contacts[i], t, y);
    }
    s->cached_t = (double)NAN; // the cached evaluation is of the last piece
    bri_body_ledger_restart(s, t, y);
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        const br_slip_state state = h->now.slip.state;
        if (!s->is_started) {
            h->most_load = s->def->ends_only ? (double)NAN : state == BR_STATE_SLIP ? 1.0 : 0.0;
        }
        if (!s->is_started && !s->body->from) {
            h->state = state;
        } else if (state != h->state) {
            report_state(s, i, t, state);
        }
    }
    s->is_started = 1;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        update_edge(s, i, t, y);
    }
}

// Only the profiles and fields of mu limit the step. Unlike under an imposed motion, the bristles need no limit: the
// motion that drives them is a state, and the integrator controls its error.
static double longest_step(double t, const double* y, void* user)
{
    const body_system* s = user;
    double longest = s->longest_step;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        if (h->contact.on_pose && !h->open) {
            bri_contact_run_move(s, h, t);
            longest = fmin(longest, bri_contact_run_field_step(h, y));
        }
    }
    return longest;
}

static br_status create_contacts(body_system* s, br_reason* why)
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
        contact_run* h = &s->contacts[i];
        h->def = &s->body->contacts[i];
        h->at = s->n;
        h->moves = bri_contact_run_is_moved(h);
        bri_contact_run_grip_create(h);
        status = bri_contact_create(&h->contact, h->def->contact, why);
        if (status == BR_OK) {
            status = bri_contact_run_edge_create(s, h, why);
        }
        s->has_edges = s->has_edges || h->edge;
        s->has_jumps = s->has_jumps || h->contact.jumps;
        s->n += status == BR_OK ? contact_states(&h->contact) : 0;
    }
    return status;
}

static br_status allocate(body_system* s, body_memory* out, br_reason* why)
{
    const size_t count = s->body->contact_count;
    const size_t stride = states_stride(s->n), lead = states_lead(BRISTLES);
    out->doubles = br_allocate(lead + 6 * stride, sizeof(double));
    out->profiles = br_allocate(5 * count + 3 * s->body->load_count + 5, sizeof *out->profiles);
    if (!out->doubles || !out->profiles) {
        br_reason_set(why, "", "no memory for %zu states", s->n);
        return BR_ERR_MEMORY;
    }
    out->y = out->doubles + lead;
    out->atol = out->y + stride;
    s->y_middle = out->atol + stride;
    s->rates_middle = s->y_middle + stride;
    s->rates = s->rates_middle + stride;
    s->cached_y = s->rates + stride;
    return BR_OK;
}

void bri_body_release(body_system* s, body_memory* memory)
{
    for (size_t i = 0; s->contacts && i < s->body->contact_count; i++) {
        bri_contact_release(&s->contacts[i].contact);
        bri_contact_run_edge_release(&s->contacts[i]);
    }
    bri_body_steps_release(s);
    br_release(s->contacts);
    bri_row_release(&s->row);
    br_release(memory->doubles);
    br_release(memory->profiles);
}

// List the profiles; find the longest step that resolves all of them, and whether gravity changes.
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
    s->longest_step = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        s->longest_step = fmin(s->longest_step, bri_profile_longest_step(out[i]));
    }
}

// Largest distance of a contact's rim from the CoM [m]; 1 without contacts. The tolerance of angles is
// that of positions over this length.
static double contact_length(const body_system* s)
{
    double length = 0.0;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        bri_contact_run_move(s, h, s->start.t);
        const lever l = contact_lever(h, s->start.pose);
        length = fmax(length, hypot(l.arm.x, l.arm.y) + h->contact.value.r);
    }
    return length > 0.0 ? length : 1.0;
}

void bri_body_get_contacts(const body_system* s, br_body_contact_state* out)
{
    for (size_t i = 0; i < s->body->contact_count; i++) {
        const contact_run* h = &s->contacts[i];
        out[i] = (br_body_contact_state){.state = h->state,
                                         .left = h->left,
                                         .overhangs = h->overhangs,
                                         .grip_force = h->gripped,
                                         .grip_instant = h->instant};
    }
}

void bri_body_set_contacts(body_system* s, const br_body_contact_state* from)
{
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        h->state = from[i].state;
        h->open = from[i].state == BR_STATE_OPEN;
        h->left = from[i].left;
        h->overhangs = from[i].overhangs;
        h->gripped = from[i].grip_force;
        h->instant = from[i].grip_instant;
    }
}

static void fill_start(body_system* s, double* y, double* atol)
{
    const br_body* body = s->body;
    const br_pose pose = s->start.pose;
    const br_twist v = s->start.velocity;
    memcpy(y, (const double[BRISTLES]){pose.x, pose.y, pose.theta, v.vx, v.vy, v.w},
           BRISTLES * sizeof *y);
    s->within = s->start.t;
    if (body->from) {
        memcpy(y + BRISTLES, s->start.z, (s->n - BRISTLES) * sizeof *y);
        bri_body_set_contacts(s, s->start.contacts);
    }
    const double turning = s->def->atol / contact_length(s);
    const double own[BRISTLES] = {s->def->atol, s->def->atol, turning,
                                  s->def->atol, s->def->atol, turning};
    memcpy(atol, own, sizeof own);
    for (size_t i = 0; i < body->contact_count; i++) {
        const contact_run* h = &s->contacts[i];
        bri_contact_tolerances(&h->contact, s->def->atol_z, atol + h->at);
    }
}

// A finger that presses from the start must be on the body.
static br_status check_edges(body_system* s, const double* y, br_reason* why)
{
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        bri_contact_run_move(s, h, s->start.t);
        if (h->edge && bri_contact_run_force(s, h, s->start.t, NULL) > 0.0 &&
            bri_contact_run_on_body(s, h, y) < 0.0) {
            char field[48];
            snprintf(field, sizeof field, "contacts[%zu].patch", i);
            br_reason_set(why, field, "is off the body at the start");
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

static const stage_passes passes = {bri_body_take_stage, bri_body_end_step};

// Up to this number of states, one sum over all states is faster than sums contact by contact.
enum { FEW_STATES = 32 };

run_system bri_body_run_system(body_system* s, const body_memory* memory)
{
    return (run_system){.system = s,
                        .start = s->start.t,
                        .n = s->n,
                        .y = memory->y,
                        .atol = memory->atol,
                        .ode = {.size = sizeof(br_ode),
                                .n = s->n,
                                .apart = BRISTLES,
                                .rate = bri_body_rate,
                                .linearise = bri_body_linearise,
                                .factor = bri_body_factor,
                                .solve = bri_body_solve,
                                .advance = bri_body_advance,
                                .longest_step = longest_step,
                                .events = (size_t)(1 + s->has_jumps + (s->has_edges ? 2 : 0)) *
                                          s->body->contact_count,
                                .event = bri_body_event,
                                .user = s},
                        .passes = s->n > FEW_STATES ? &passes : NULL,
                        .profiles = memory->profiles,
                        .enter = enter,
                        .switched = switched,
                        .passed = s->steps.contacts ? NULL : bri_body_ledger_pass,
                        .emit = bri_body_emit};
}

br_status bri_body_prepare(body_system* s, body_memory* memory, br_reason* why)
{
    const br_body* body = s->body;
    s->cached_t = (double)NAN;
    s->start =
        body->from ? *body->from : (br_body_state){.pose = body->pose, .velocity = body->velocity};
    br_status status = create_contacts(s, why);
    if (status == BR_OK) {
        status = allocate(s, memory, why);
    }
    if (status == BR_OK && s->def->method == BR_INTEGRATOR_FIXED) {
        status = bri_body_steps_create(s, memory->y, why);
    }
    if (status == BR_OK) {
        list_profiles(s, memory->profiles);
        fill_start(s, memory->y, memory->atol);
        status = check_edges(s, memory->y, why);
    }
    return status;
}

size_t br_body_get_state_count(const br_body* body)
{
    BR_ASSERT(body);
    size_t sum = 0;
    for (size_t i = 0; i < body->contact_count; i++) {
        sum += br_contact_get_state_count(body->contacts[i].contact);
    }
    return sum;
}

static const run_kind kind = {.is_adaptive = 1,
                              .is_fixed = 1,
                              .has_events = 1,
                              .is_body = 1,
                              .rtol = BR_BODY_RTOL,
                              .atol = BR_BODY_ATOL,
                              .atol_z = BR_BODY_ATOL_Z};

br_status br_body_run(const br_body* given, const br_run_def* def, const br_run_watch* given_watch,
                      br_integrator_cost* cost, br_reason* why)
{
    BR_ASSERT(given && def && given_watch);
    br_body body = br_body_default();
    br_run_def full;
    br_run_watch watch;
    br_status status = DEFINITION_READ(br_body, given, &body, why);
    if (status == BR_OK) {
        run_kind own = kind;
        own.start = body.from ? body.from->t : 0.0;
        status = bri_run_check(&own, def, given_watch, &full, &watch, why);
    }
    if (status == BR_OK) {
        status = bri_body_check(&body, &full, why);
    }
    if (status != BR_OK) {
        return status;
    }
    body_system s = {.body = &body, .def = &full, .watch = &watch};
    body_memory memory = {0};
    status = bri_body_prepare(&s, &memory, why);
    if (status == BR_OK) {
        status = bri_body_row_create(&s, why);
    }
    if (status == BR_OK) {
        const run_system system = bri_body_run_system(&s, &memory);
        status = bri_run_all(&system, s.def, s.watch, cost, why);
    }
    bri_body_release(&s, &memory);
    return status;
}
