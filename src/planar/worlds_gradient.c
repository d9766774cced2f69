/*
 * Derivatives of worlds backwards: recorded steps, and the sweep over them, world by world with br_step_vjp().
 *
 * A tape has the states of all worlds before every so many steps, in rows as the arrays have them. Steps in between are repeated, for
 * one world at a time, into a workspace behind them.
 *
 * In the middle of a step the body is at p = p0 + h V0/2 and a contact at c = position + R(angle) s c0, c0 the CoP of the template:
 *   on the body:   arm = R(theta) c,  its angle theta + angle
 *   on the ground: arm = c - p,       its angle that of the array
 * and the step sees the ground's twist of the CoP at the centre of mass.
 */
#include "planar/worlds_internal.h"

#include <math.h>
#include <string.h>

#include "math/processor.h"
#include "planar/worlds_lanes.h"

static size_t states_of(const br_worlds* w, size_t contact)
{
    return br_contact_get_state_count(w->contacts[contact].contact);
}

static size_t all_states(const br_worlds* w)
{
    size_t sum = 0;
    for (size_t k = 0; k < w->def.contact_count; k++) {
        sum += states_of(w, k);
    }
    return sum;
}

// --- the tape -----------------------------------------------------------------------------------------------

static size_t every_of(size_t every, size_t steps)
{
    const size_t wanted = every > 0 ? every : (size_t)ceil(sqrt((double)steps));
    return wanted < steps ? wanted : steps > 0 ? steps : 1;
}

static size_t gradient_work(const br_worlds* w)
{
    br_step_contact contacts[BR_WORLDS_CONTACTS] = {{0}};
    for (size_t k = 0; k < w->def.contact_count; k++) {
        contacts[k].contact = w->contacts[k].contact;
    }
    return br_step_gradient_get_work(contacts, w->def.contact_count);
}

// The map of a tape, and its size; tape = NULL: the size alone.
static worlds_tape map_of(const br_worlds* w, size_t count, size_t steps, size_t every,
                          double* tape, size_t* size)
{
    const size_t states = all_states(w), whole = KEPT_Z + states + KEPT_RECORD;
    const size_t lanes = (size_t)br_worlds_get_lanes(w);
    worlds_tape m = {.every = every_of(every, steps)};
    const int all = m.every == 1;
    m.segments = (steps + m.every - 1) / m.every;
    m.kept = (worlds_blocks){tape, all ? whole : whole - KEPT_RECORD, count};
    m.between = (worlds_blocks){tape, whole, lanes};
    const size_t kept = (m.segments + (size_t)all) * m.kept.rows * count;
    const size_t both = kept + (all ? 0 : (m.every + 1) * whole * lanes);
    *size = both + 2 * states + gradient_work(w);
    if (tape) {
        m.between.at = tape + kept;
        m.z1 = tape + both;
        m.zb = tape + both + states;
        m.work = tape + both + 2 * states;
    }
    return m;
}

size_t br_worlds_get_tape(const br_worlds* w, size_t count, size_t steps, size_t every)
{
    BR_ASSERT(w);
    size_t size;
    map_of(w, count, steps, every, NULL, &size);
    return w->def.type == BR_WORLDS_DOUBLE ? size : 0;
}

// Pose, twist and bristles of a run into column j of a block.
static void put_state(const worlds_blocks* b, const br_worlds* w, size_t block, size_t j,
                      const world_run* run)
{
    const double numbers[KEPT_Z] = {run->pose.x, run->pose.y, run->pose.theta,
                                    run->v.vx,   run->v.vy,   run->v.w};
    size_t row = KEPT_Z;
    for (size_t r = 0; r < KEPT_Z; r++) {
        worlds_row(b, block, r)[j] = numbers[r];
    }
    for (size_t k = 0; k < w->def.contact_count; k++) {
        for (size_t r = 0; r < states_of(w, k); r++, row++) {
            worlds_row(b, block, row)[j] = w->models[k].z[r];
        }
    }
}

static void get_state(const worlds_blocks* b, br_worlds* w, size_t block, size_t j, world_run* run)
{
    double n[KEPT_Z];
    size_t row = KEPT_Z;
    for (size_t r = 0; r < KEPT_Z; r++) {
        n[r] = worlds_row(b, block, r)[j];
    }
    run->pose = (br_pose){n[0], n[1], n[2]};
    run->v = (br_twist){n[3], n[4], n[5]};
    for (size_t k = 0; k < w->def.contact_count; k++) {
        for (size_t r = 0; r < states_of(w, k); r++, row++) {
            w->models[k].z[r] = worlds_row(b, block, row)[j];
        }
    }
}

static void put_record(const worlds_blocks* b, size_t block, size_t j, const br_step_record* r)
{
    const double numbers[KEPT_RECORD] = {r->newton.vx, r->newton.vy, r->newton.w,
                                         (double)r->closing + (r->converged ? 0 : KEPT_OPEN)};
    for (size_t row = 0; row < KEPT_RECORD; row++) {
        worlds_row(b, block, b->rows - KEPT_RECORD + row)[j] = numbers[row];
    }
}

// The record of the step from `block` to the next one.
static br_step_record get_record(const worlds_blocks* b, size_t block, size_t j)
{
    double n[KEPT_RECORD], v0[3], v1[3];
    for (size_t row = 0; row < KEPT_RECORD; row++) {
        n[row] = worlds_row(b, block, b->rows - KEPT_RECORD + row)[j];
    }
    for (size_t row = 0; row < 3; row++) {
        v0[row] = worlds_row(b, block, KEPT_TWIST + row)[j];
        v1[row] = worlds_row(b, block + 1, KEPT_TWIST + row)[j];
    }
    const int code = (int)n[3];
    return (br_step_record){.v0 = {v0[0], v0[1], v0[2]},
                            .v1 = {v1[0], v1[1], v1[2]},
                            .newton = {n[0], n[1], n[2]},
                            .closing = (br_step_closing)(code & (KEPT_OPEN - 1)),
                            .order = 1,
                            .converged = code < KEPT_OPEN};
}

void bri_worlds_keep_start(const worlds_keeper* keeper, const br_worlds* w, size_t i, size_t step,
                           const world_run* run)
{
    if (step % keeper->every == 0) {
        put_state(&keeper->blocks, w, step / keeper->every, i, run);
    }
}

void bri_worlds_keep_end(const worlds_keeper* keeper, const br_worlds* w, size_t i, size_t step,
                         const world_run* run, const br_step_record* record)
{
    const double p[3] = {run->pose.x, run->pose.y, run->pose.theta};
    const double v[3] = {run->v.vx, run->v.vy, run->v.w};
    if (keeper->every == 1) {
        put_record(&keeper->blocks, step, i, record);
        if (step + 1 == keeper->steps) {
            put_state(&keeper->blocks, w, step + 1, i, run);
        }
    }
    for (size_t r = 0; r < 3; r++) {
        const size_t at = (3 * step + r) * keeper->stride + i;
        if (keeper->record->pose) {
            keeper->record->pose[at] = p[r];
        }
        if (keeper->record->twist) {
            keeper->record->twist[at] = v[r];
        }
    }
}

// Lanes that record the worlds' steps, of ellipsoids alone; NULL: one by one.
static const worlds_recorder* recorder_of(const br_worlds* w)
{
    int suits = 1;
    for (size_t k = 0; k < w->def.contact_count; k++) {
        suits &= worlds_is_for_lanes(w->contacts[k].contact);
    }
    switch (suits ? br_worlds_get_lanes(w) : 1) {
#if VECTOR_LANES & 8
    case 8:
        return &bri_worlds_record_8;
    case 4:
        return &bri_worlds_record_4;
#endif
#if VECTOR_LANES & 2
    case 2:
        return &bri_worlds_record_2;
#endif
    default:
        return NULL;
    }
}

void br_worlds_step_recorded(br_worlds* w, const br_worlds_arrays* a, double h, size_t steps,
                             const br_worlds_record* record)
{
    BR_ASSERT(w && a && !(h <= 0.0) && record);
    if (w->def.type != BR_WORLDS_DOUBLE || steps == 0) {
        br_worlds_step(w, a, h, steps);
        return;
    }
    BR_ASSERT(record->tape);
    size_t size;
    const worlds_tape m = map_of(w, a->count, steps, record->every, record->tape, &size);
    const worlds_keeper keeper = {record, m.kept, m.every, steps, worlds_stride(a)};
    const worlds_recorder* lanes = recorder_of(w);
    const size_t n = (size_t)br_worlds_get_lanes(w);
    for (size_t i = 0; lanes && i < a->count; i += n) {
        lanes->step(w, a, i, a->count - i < n ? a->count - i : n, h, &keeper);
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!a->mask || a->mask[i]) {
            if (!lanes) {
                bri_worlds_step_one(w, a, i, h, steps, &keeper);
            }
            bri_worlds_report_slip(w, a, i, steps - 1);
        }
    }
}

// --- one step backwards -------------------------------------------------------------------------------------

static void put_rows(double* to, size_t stride, size_t i, size_t rows, const double* numbers)
{
    for (size_t r = 0; to && r < rows; r++) {
        // where rows > 0, their numbers are given
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
        to[r * stride + i] = numbers[r];
    }
}

static void add_rows(const double* from, size_t stride, size_t i, double* a, double* b, double* c)
{
    if (from) {
        *a += from[i];
        *b += from[stride + i];
        *c += from[2 * stride + i];
    }
}

// Add what L depends on after `step` steps.
static void add_given(const worlds_sweep* t, size_t i, size_t step, world_sums* s)
{
    const br_worlds_adjoint* io = t->io;
    const size_t each = 3 * t->stride;
    const int is_end = step == t->steps, is_after = step > 0;
    if (is_end || (is_after && io->pose_steps > 1)) {
        const size_t row = is_after && io->pose_steps > 1 ? (step - 1) * each : 0;
        add_rows(io->pose_bar, t->stride, row + i, &s->pose[0], &s->pose[1], &s->pose[2]);
    }
    if (is_end || (is_after && io->twist_steps > 1)) {
        const size_t row = is_after && io->twist_steps > 1 ? (step - 1) * each : 0;
        add_rows(io->twist_bar, t->stride, row + i, &s->v[0], &s->v[1], &s->v[2]);
    }
}

// From the adjoints of arm, angle and ground to position, angle, scale and ground of the arrays, and to the pose in the middle.
static void add_position(const worlds_sweep* t, size_t k, size_t i, br_pose middle,
                         const br_step_contact* at, const br_step_contact_adjoint* a,
                         contact_sums* s, br_pose* bar)
{
    const br_worlds_contact* shared = &t->w->contacts[k];
    const br_worlds_contact_arrays* own = &t->a->contacts[k];
    const double scale = worlds_number(t->w, own->scale, i, 1.0);
    const int on_body = shared->frame == BR_WORLDS_BODY;
    const double angle = on_body ? at->angle - middle.theta : at->angle;
    const br_vec2 cop = br_vec2_rotate(t->w->models[k].contact.value.cop, angle);
    const br_twist g = a->ground;
    const br_vec2 arm = {a->arm.x - g.vy * at->ground.w, a->arm.y + g.vx * at->ground.w};
    const br_vec2 back = on_body ? br_vec2_rotate(arm, -middle.theta) : arm;
    if (on_body) {
        const br_vec2 c = br_vec2_rotate(at->arm, -middle.theta);
        bar->theta += a->angle + c.x * back.y - c.y * back.x;
    } else {
        bar->x -= arm.x;
        bar->y -= arm.y;
    }
    s->position[0] += back.x;
    s->position[1] += back.y;
    s->angle += a->angle + cop.x * back.y - cop.y * back.x;
    s->scale += (a->length + cop.x * back.x + cop.y * back.y) / scale;
    s->ground[0] += g.vx;
    s->ground[1] += g.vy;
    s->ground[2] += g.w + g.vx * at->arm.y - g.vy * at->arm.x;
}

static void set_adjoints(const worlds_sweep* t, size_t i, int is_last, br_step_contact_adjoint* out)
{
    size_t at = 0;
    for (size_t k = 0; k < t->w->def.contact_count; k++) {
        double f[3] = {0.0, 0.0, 0.0};
        if (is_last) {
            add_rows(t->io->contacts[k].f_bar, t->stride, i, &f[0], &f[1], &f[2]);
        }
        out[k] = (br_step_contact_adjoint){.z1 = t->tape.z1 + at,
                                           .z1_bar = t->tape.zb + at,
                                           .z0_bar = t->tape.zb + at,
                                           .f_bar = {f[0], f[1], f[2]}};
        at += states_of(t->w, k);
    }
}

// Normal force and load of a step: of each step, or a sum.
static void add_inputs(const worlds_sweep* t, size_t i, size_t step, const br_step_adjoint* body,
                       const br_step_contact_adjoint* adjoints, world_sums* s)
{
    const double load[3] = {body->load.fx, body->load.fy, body->load.tau};
    if (t->a->load_steps > 1) {
        put_rows(t->io->load, t->stride, 3 * step * t->stride + i, 3, load);
    }
    for (size_t r = 0; r < 3; r++) {
        s->load[r] += load[r];
    }
    for (size_t k = 0; k < t->w->def.contact_count; k++) {
        if (t->a->contacts[k].fn_steps > 1) {
            put_rows(t->io->contacts[k].fn, 0, step * t->stride + i, 1, &adjoints[k].fn);
        }
        s->contact[k].fn += adjoints[k].fn;
        for (int by = 0; by < BR_BY_COUNT; by++) {
            s->contact[k].law[by] += adjoints[k].law[by];
        }
    }
}

// Back over step `step` of world i, from the state of the run and of w->models to that of record.v1 and tape.z1.
static void sweep_step(const worlds_sweep* t, size_t i, size_t step, world_run* run,
                       const br_step_record* record, world_sums* s)
{
    const double h = t->h;
    const size_t n = t->w->def.contact_count;
    const double v0[3] = {record->v0.vx, record->v0.vy, record->v0.w};
    const double v1[3] = {record->v1.vx, record->v1.vy, record->v1.w};
    br_step_contact_adjoint adjoints[BR_WORLDS_CONTACTS];
    br_pose bar = {0.0, 0.0, 0.0};
    br_step_adjoint body = {.v1_bar = {s->v[0], s->v[1], s->v[2]},
                            .mean_bar = {h * s->pose[0], h * s->pose[1], h * s->pose[2]},
                            .by_law = t->by_law};
    const br_pose middle = br_pose_advance(run->pose, run->v, 0.5 * h);
    bri_worlds_place_contacts(t->w, t->a, i, step, middle, run->contacts);
    set_adjoints(t, i, step + 1 == t->steps, adjoints);
    br_step_vjp(&run->body, record, bri_worlds_load(t->w, t->a, i, step), h, run->contacts,
                adjoints, n, &body, t->tape.work);
    for (size_t k = 0; k < n; k++) {
        add_position(t, k, i, middle, &run->contacts[k], &adjoints[k], &s->contact[k], &bar);
    }
    add_inputs(t, i, step, &body, adjoints, s);
    const double by_middle[3] = {bar.x, bar.y, bar.theta};
    const double by_v0[3] = {body.v0.vx, body.v0.vy, body.v0.w};
    s->h += body.h;
    for (int r = 0; r < 3; r++) {
        s->h += 0.5 * s->pose[r] * (v0[r] + v1[r]) + 0.5 * by_middle[r] * v0[r];
        s->v[r] = by_v0[r] + 0.5 * h * by_middle[r];
        s->pose[r] += by_middle[r];
    }
    s->mass += body.mass[0][0] + body.mass[1][1];
    s->inertia += body.mass[2][2];
    s->pivot = fmin(s->pivot, body.pivot);
    s->flags |= body.flags;
}

// The same for a step whose blocks have its record and its end.
static void sweep_kept(const worlds_sweep* t, const worlds_blocks* b, size_t block, size_t i,
                       size_t j, size_t step, world_run* run, world_sums* s)
{
    const br_step_record record = get_record(b, block, j);
    for (size_t r = 0; r < b->rows - KEPT_Z - KEPT_RECORD; r++) {
        t->tape.z1[r] = worlds_row(b, block + 1, KEPT_Z + r)[j];
    }
    get_state(b, t->w, block, j, run);
    sweep_step(t, i, step, run, &record, s);
}

void bri_worlds_sweep_one(const worlds_sweep* t, const worlds_blocks* b, size_t block, size_t i,
                          size_t j, size_t step, world_sums* s)
{
    world_run run;
    bri_worlds_start_one(t->w, t->a, i, &run);
    sweep_kept(t, b, block, i, j, step, &run, s);
}

// --- one world ----------------------------------------------------------------------------------------------

static void start_sums(const worlds_sweep* t, size_t i, world_sums* s)
{
    double* zb = t->tape.zb;
    memset(s, 0, sizeof *s);
    s->pivot = HUGE_VAL;
    for (size_t k = 0; k < t->w->def.contact_count; k++) {
        const double* from = t->io->contacts[k].z_bar;
        for (size_t r = 0; r < states_of(t->w, k); r++, zb++) {
            *zb = from ? from[r * t->stride + i] : 0.0;
        }
    }
    add_given(t, i, t->steps, s);
}

static void put_contact_sums(const worlds_sweep* t, size_t k, size_t i, const contact_sums* s)
{
    const br_worlds_contact_adjoint* io = &t->io->contacts[k];
    put_rows(t->a->contacts[k].fn_steps > 1 ? NULL : io->fn, 0, i, 1, &s->fn);
    put_rows(io->position, t->stride, i, 2, s->position);
    put_rows(io->angle, 0, i, 1, &s->angle);
    put_rows(io->scale, 0, i, 1, &s->scale);
    put_rows(io->ground, t->stride, i, 3, s->ground);
    for (int by = 0; by < BR_BY_COUNT; by++) {
        put_rows(io->law[by], 0, i, 1, &s->law[by]);
    }
}

static void put_sums(const worlds_sweep* t, size_t i, const world_sums* s)
{
    const br_worlds_adjoint* io = t->io;
    const double* zb = t->tape.zb;
    put_rows(io->pose, t->stride, i, 3, s->pose);
    put_rows(io->twist, t->stride, i, 3, s->v);
    put_rows(t->a->load_steps > 1 ? NULL : io->load, t->stride, i, 3, s->load);
    put_rows(io->mass, 0, i, 1, &s->mass);
    put_rows(io->inertia, 0, i, 1, &s->inertia);
    put_rows(io->h, 0, i, 1, &s->h);
    put_rows(io->pivot, 0, i, 1, &s->pivot);
    if (io->flags) {
        io->flags[i] = (uint8_t)s->flags;
    }
    for (size_t k = 0; k < t->w->def.contact_count; k++) {
        put_contact_sums(t, k, i, &s->contact[k]);
        put_rows(io->contacts[k].z, t->stride, i, states_of(t->w, k), zb);
        zb += states_of(t->w, k);
    }
}

// Repeat the steps of a segment of world i: their states and records, into the workspace.
static void repeat(const worlds_sweep* t, const worlds_blocks* between, size_t segment, size_t i,
                   world_run* run)
{
    const size_t first = segment * t->tape.every;
    const size_t last = first + t->tape.every < t->steps ? first + t->tape.every : t->steps;
    get_state(&t->tape.kept, t->w, segment, i, run);
    for (size_t step = first; step < last; step++) {
        br_step_record record;
        put_state(between, t->w, step - first, 0, run);
        bri_worlds_advance_one(t->w, t->a, i, step, t->h, run, &record);
        put_record(between, step - first, 0, &record);
    }
    put_state(between, t->w, last - first, 0, run);
}

static void sweep_world(const worlds_sweep* t, size_t i)
{
    const size_t every = t->tape.every;
    const worlds_blocks between = {t->tape.between.at, t->tape.between.rows, 1};
    world_run run;
    world_sums s;
    start_sums(t, i, &s);
    bri_worlds_start_one(t->w, t->a, i, &run);
    for (size_t segment = t->tape.segments; segment-- > 0;) {
        const size_t first = segment * every;
        const size_t last = first + every < t->steps ? first + every : t->steps;
        if (every == 1) { // all is on the tape
            sweep_kept(t, &t->tape.kept, first, i, i, first, &run, &s);
            add_given(t, i, first, &s);
            continue;
        }
        repeat(t, &between, segment, i, &run);
        for (size_t step = last; step-- > first;) {
            sweep_kept(t, &between, step - first, i, 0, step, &run, &s);
            add_given(t, i, step, &s);
        }
    }
    put_sums(t, i, &s);
}

// Does the caller want what the law's passes give?
static bool wants_law(const br_worlds* w, const br_worlds_adjoint* io)
{
    bool some = io->h != NULL;
    for (size_t k = 0; k < w->def.contact_count; k++) {
        const br_worlds_contact_adjoint* c = &io->contacts[k];
        some = some || c->scale;
        for (int by = 0; by < BR_BY_COUNT; by++) {
            some = some || c->law[by];
        }
    }
    return some;
}

void br_worlds_step_vjp(br_worlds* w, const br_worlds_arrays* a, double h, size_t steps,
                        const br_worlds_record* record, const br_worlds_adjoint* adjoint)
{
    BR_ASSERT(w && a && !(h <= 0.0) && record && adjoint);
    if (w->def.type != BR_WORLDS_DOUBLE) {
        for (size_t i = 0; adjoint->flags && i < a->count; i++) {
            adjoint->flags[i] = BR_GRADIENT_REFUSED;
        }
        return;
    }
    BR_ASSERT(record->tape);
    size_t size;
    const worlds_sweep t = {.w = w,
                            .a = a,
                            .io = adjoint,
                            .h = h,
                            .steps = steps,
                            .stride = worlds_stride(a),
                            .tape = map_of(w, a->count, steps, record->every, record->tape, &size),
                            .by_law = wants_law(w, adjoint)};
    const worlds_recorder* lanes = recorder_of(w);
    const size_t n = (size_t)br_worlds_get_lanes(w);
    for (size_t i = 0; lanes && i < a->count; i += n) {
        lanes->sweep(&t, i, a->count - i < n ? a->count - i : n);
    }
    for (size_t i = 0; !lanes && i < a->count; i++) {
        if (!a->mask || a->mask[i]) {
            sweep_world(&t, i);
        }
    }
}
