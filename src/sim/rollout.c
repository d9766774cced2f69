/*
 * Rollouts: a body in fixed steps, and the sweep back over them.
 *
 * Contacts are placed where they are in the middle of a step, p0 + h V0/2. The tape keeps pose and twist at every step, and the states of
 * the bristles every so many steps; the sweep repeats the steps between two of these. A step is the same function of
 * the same numbers, so that it repeats bit by bit.
 */
#include "bristle/rollout.h"

#include <math.h>
#include <string.h>

#include "base/definition.h"

// Where things are on a tape.
typedef struct tape_map {
    size_t states, every, segments;
    br_pose* pose;             // (steps + 1)
    br_twist* v;               // (steps + 1)
    double* kept;              // states at the start of each segment, and at the end (segments + 1)
    double* between;           // states of the steps of a segment (every + 1)
    br_step_record* record;    // of the steps of a segment (every); of all steps if every = 1
    br_step_contact* contacts; // (count)
    br_step_contact_adjoint* adjoints; // (count)
    double* zb;                        // adjoints of the states
    double* sums;                      // (count x (BR_BY_COUNT + 4)): law, length, angle, position
    double* work;
} tape_map;

enum { SUMS = BR_BY_COUNT + 4, LENGTH = BR_BY_COUNT, ANGLE, POSITION };

static size_t states_of(const br_rollout_def* def)
{
    size_t sum = 0;
    for (size_t k = 0; k < def->count; k++) {
        sum += br_contact_get_state_count(def->contacts[k].contact);
    }
    return sum;
}

static size_t every_of(const br_rollout_def* def)
{
    const size_t wanted = def->every > 0 ? def->every : (size_t)ceil(sqrt((double)def->steps));
    return wanted < def->steps ? wanted : def->steps;
}

// Take `bytes` of the tape, as whole doubles; with tape = NULL only count.
static void* take(double* tape, size_t* at, size_t bytes)
{
    double* from = tape ? tape + *at : NULL;
    *at += (bytes + sizeof(double) - 1) / sizeof(double);
    return from;
}

static size_t work_of(const br_rollout_def* def)
{
    size_t sum = 0;
    for (size_t k = 0; k < def->count; k++) {
        const br_step_contact one = {.contact = def->contacts[k].contact};
        sum += br_step_gradient_get_work(&one, 1) + br_step_get_work(&one, 1);
    }
    return sum;
}

static tape_map map_of(const br_rollout_def* def, double* tape, size_t* size)
{
    tape_map m = {.states = states_of(def), .every = every_of(def)};
    const size_t S = m.states * sizeof(double), n = def->count;
    size_t at = 0;
    m.segments = (def->steps + m.every - 1) / m.every;
    m.pose = take(tape, &at, (def->steps + 1) * sizeof *m.pose);
    m.v = take(tape, &at, (def->steps + 1) * sizeof *m.v);
    m.kept = take(tape, &at, (m.segments + 1) * S);
    m.between = take(tape, &at, (m.every + 1) * S);
    m.record = take(tape, &at, (m.every == 1 ? def->steps : m.every) * sizeof *m.record);
    m.contacts = take(tape, &at, n * sizeof *m.contacts);
    m.adjoints = take(tape, &at, n * sizeof *m.adjoints);
    m.zb = take(tape, &at, S);
    m.sums = take(tape, &at, n * SUMS * sizeof *m.sums);
    m.work = take(tape, &at, work_of(def) * sizeof *m.work);
    *size = at;
    return m;
}

br_rollout_def br_rollout_def_default(void)
{
    return (br_rollout_def){.size = sizeof(br_rollout_def),
                            .mass = 1.0,
                            .inertia = 0.01,
                            .order = 1,
                            .passes = 40,
                            .h = 1e-3,
                            .steps = 1,
                            .knots = 1,
                            .every = 1};
}

size_t br_rollout_get_tape(const br_rollout_def* given)
{
    br_rollout_def def = br_rollout_def_default();
    (void)DEFINITION_READ(br_rollout_def, given, &def, NULL);
    size_t size;
    map_of(&def, NULL, &size);
    return size;
}

static int refuse(br_reason* why, const char* field, const char* text)
{
    br_reason_set(why, field, "%s", text);
    return 0;
}

static int is_above(double a)
{
    return a > 0.0 && a < HUGE_VAL;
}

static int check_contacts(const br_rollout_def* def, br_reason* why)
{
    if (def->count > 0 && (!def->contacts || !def->fn)) {
        return refuse(why, def->contacts ? "fn" : "contacts", "must not be NULL");
    }
    for (size_t k = 0; k < def->count; k++) {
        const br_rollout_contact* c = &def->contacts[k];
        const int fine = c->contact && isfinite(c->position.x) && isfinite(c->position.y) &&
                         isfinite(c->angle) &&
                         (c->frame == BR_ROLLOUT_WORLD || c->frame == BR_ROLLOUT_BODY);
        if (!fine) {
            return refuse(why, "contacts", "need a contact, a frame and a finite position");
        }
    }
    for (size_t i = 0; i < def->knots * def->count; i++) {
        if (!(def->fn[i] >= 0.0 && def->fn[i] < HUGE_VAL)) {
            return refuse(why, "fn", "must be finite and not negative");
        }
    }
    return 1;
}

static int check_knots(const br_rollout_def* def, br_reason* why)
{
    if (def->knots < 1) {
        return refuse(why, "knots", "must be at least 1");
    }
    for (size_t i = 0; def->t && i < def->knots; i++) {
        if (!isfinite(def->t[i]) || (i > 0 && !(def->t[i] > def->t[i - 1]))) {
            return refuse(why, "t", "must be finite and increase");
        }
    }
    for (size_t i = 0; def->load && i < 3 * def->knots; i++) {
        if (!isfinite(def->load[i])) {
            return refuse(why, "load", "must be finite");
        }
    }
    return 1;
}

static int check_numbers(const br_rollout_def* def, br_reason* why)
{
    const double start[6] = {def->pose.x, def->pose.y, def->pose.theta,
                             def->v.vx,   def->v.vy,   def->v.w};
    if (!is_above(def->mass) || !is_above(def->inertia)) {
        return refuse(why, is_above(def->mass) ? "inertia" : "mass", "must be > 0");
    }
    if (!is_above(def->h) || def->steps < 1) {
        return refuse(why, is_above(def->h) ? "steps" : "h", "must be > 0");
    }
    if ((def->order != 1 && def->order != 2) || def->passes < 1) {
        return refuse(why, def->passes < 1 ? "passes" : "order",
                      "must be 1 or 2; passes at least 1");
    }
    for (int i = 0; i < 6; i++) {
        if (!isfinite(start[i])) {
            return refuse(why, i < 3 ? "pose" : "v", "must be finite");
        }
    }
    return 1;
}

br_status br_rollout_check(const br_rollout_def* given, br_reason* why)
{
    BR_ASSERT(given);
    br_rollout_def def = br_rollout_def_default();
    const br_status status = DEFINITION_READ(br_rollout_def, given, &def, why);
    if (status != BR_OK) {
        return status;
    }
    const int fine =
        check_numbers(&def, why) && check_knots(&def, why) && check_contacts(&def, why);
    return fine ? BR_OK : BR_ERR_DEF;
}

// --- knots -------------------------------------------------------------------------------------------------------

// Between which knots a time is: value = (1 - share) value[first] + share value[next]; slope of the share in time.
typedef struct between {
    size_t first, next;
    double share, slope;
} between;

static double knot_time(const br_rollout_def* def, size_t k)
{
    const double end = def->h * (double)def->steps;
    return def->t ? def->t[k] : end * (double)k / (double)(def->knots - 1);
}

// The knots around the middle of step i.
static between knots_at(const br_rollout_def* def, size_t i)
{
    const double t = ((double)i + 0.5) * def->h;
    if (def->knots == 1 || t <= knot_time(def, 0)) {
        return (between){0, 0, 0.0, 0.0};
    }
    size_t low = 0, high = def->knots - 1;
    if (t >= knot_time(def, high)) {
        return (between){high, high, 0.0, 0.0};
    }
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        *(knot_time(def, middle) <= t ? &low : &high) = middle;
    }
    const double width = knot_time(def, high) - knot_time(def, low);
    return (between){low, high, (t - knot_time(def, low)) / width, 1.0 / width};
}

static double value_at(const double* values, size_t stride, size_t k, between at)
{
    return (1.0 - at.share) * values[at.first * stride + k] +
           at.share * values[at.next * stride + k];
}

static void add_knots(double* values, size_t stride, size_t k, between at, double bar)
{
    if (values) {
        values[at.first * stride + k] += (1.0 - at.share) * bar;
        values[at.next * stride + k] += at.share * bar;
    }
}

// d(value)/dh: the middle of step i is at (i + 1/2) h, and knots without times spread with h
static double slope_at(const br_rollout_def* def, const double* values, size_t stride, size_t k,
                       between at, size_t i)
{
    return def->t ? ((double)i + 0.5) * at.slope *
                        (values[at.next * stride + k] - values[at.first * stride + k])
                  : 0.0;
}

static br_wrench load_at(const br_rollout_def* def, between at)
{
    if (!def->load) {
        return (br_wrench){0.0, 0.0, 0.0};
    }
    return (br_wrench){value_at(def->load, 3, 0, at), value_at(def->load, 3, 1, at),
                       value_at(def->load, 3, 2, at)};
}

// --- forwards ------------------------------------------------------------------------------------------------------

static br_pose middle_of(br_pose pose, br_twist v, double h)
{
    return (br_pose){pose.x + 0.5 * h * v.vx, pose.y + 0.5 * h * v.vy, pose.theta + 0.5 * h * v.w};
}

// The contacts of step i; z: states of all of them.
static void put_contacts(const br_rollout_def* def, const tape_map* m, size_t i, double* z)
{
    const br_pose middle = middle_of(m->pose[i], m->v[i], def->h);
    const between at = knots_at(def, i);
    for (size_t k = 0; k < def->count; k++) {
        const br_rollout_contact* c = &def->contacts[k];
        const int on_body = c->frame == BR_ROLLOUT_BODY;
        const br_vec2 in_world = {c->position.x - middle.x, c->position.y - middle.y};
        m->contacts[k] =
            (br_step_contact){.contact = c->contact,
                              .z = z,
                              .arm = on_body ? br_vec2_rotate(c->position, middle.theta) : in_world,
                              .angle = on_body ? middle.theta + c->angle : c->angle,
                              .fn = value_at(def->fn, def->count, k, at),
                              .count = c->count};
        z += br_contact_get_state_count(c->contact);
    }
}

static br_step_body body_of(const br_rollout_def* def)
{
    br_step_body body = br_step_body_default(def->mass, def->inertia);
    body.order = def->order;
    body.passes = def->passes;
    return body;
}

// Step i; z becomes the states at its end.
static br_step_result advance(const br_rollout_def* def, const tape_map* m, size_t i, double* z,
                              br_step_record* record)
{
    const br_step_body body = body_of(def);
    br_twist v = m->v[i];
    put_contacts(def, m, i, z);
    const br_step_result r =
        br_step_coupled_recorded(&body, &v, load_at(def, knots_at(def, i)), def->h, m->contacts,
                                 def->count, m->work, record);
    m->v[i + 1] = v;
    m->pose[i + 1] = (br_pose){m->pose[i].x + def->h * r.mean.vx, m->pose[i].y + def->h * r.mean.vy,
                               m->pose[i].theta + def->h * r.mean.w};
    return r;
}

static void put_output(const br_rollout_def* def, const tape_map* m, const double* z,
                       br_rollout_output* out)
{
    out->end_pose = m->pose[def->steps];
    out->end_v = m->v[def->steps];
    if (out->pose) {
        memcpy(out->pose, m->pose, (def->steps + 1) * sizeof *out->pose);
    }
    if (out->v) {
        memcpy(out->v, m->v, (def->steps + 1) * sizeof *out->v);
    }
    if (out->z) {
        memcpy(out->z, z, m->states * sizeof *z);
    }
}

void br_rollout_run(const br_rollout_def* given, double* tape, br_rollout_output* out)
{
    BR_ASSERT(given && tape);
    br_rollout_def def = br_rollout_def_default();
    (void)DEFINITION_READ(br_rollout_def, given, &def, NULL);
    br_rollout_output unused = {0};
    size_t size;
    const tape_map m = map_of(&def, tape, &size);
    double* z = m.between;
    out = out ? out : &unused;
    // the tape is not NULL, so that its parts are not
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
    m.pose[0] = def.pose;
    m.v[0] = def.v;
    memset(z, 0, m.states * sizeof *z);
    if (def.z) {
        memcpy(z, def.z, m.states * sizeof *z);
    }
    out->passes = out->open = 0;
    for (size_t i = 0; i < def.steps; i++) {
        if (i % m.every == 0) {
            memcpy(m.kept + i / m.every * m.states, z, m.states * sizeof *z);
        }
        const br_step_result r = advance(&def, &m, i, z, m.every == 1 ? &m.record[i] : NULL);
        out->passes += (size_t)r.passes;
        out->open += !r.converged;
        for (size_t k = 0; out->f && k < def.count; k++) {
            out->f[i * def.count + k] = m.contacts[k].f;
        }
    }
    memcpy(m.kept + m.segments * m.states, z, m.states * sizeof *z);
    put_output(&def, &m, z, out);
}

// --- backwards -----------------------------------------------------------------------------------------------------

// Adjoints of pose and twist between two steps.
typedef struct carried {
    br_pose pose;
    br_twist v;
} carried;

static void add_given(const br_rollout_adjoint* io, size_t i, carried* c)
{
    if (io->pose_bar) {
        c->pose.x += io->pose_bar[i].x;
        c->pose.y += io->pose_bar[i].y;
        c->pose.theta += io->pose_bar[i].theta;
    }
    if (io->v_bar) {
        c->v.vx += io->v_bar[i].vx;
        c->v.vy += io->v_bar[i].vy;
        c->v.w += io->v_bar[i].w;
    }
}

// Repeat the steps of a segment: their states and records.
static void repeat(const br_rollout_def* def, const tape_map* m, size_t segment, size_t first,
                   size_t last)
{
    memcpy(m->between, m->kept + segment * m->states, m->states * sizeof *m->between);
    for (size_t i = first; i < last; i++) {
        double* z = m->between + (i - first + 1) * m->states;
        memcpy(z, z - m->states, m->states * sizeof *z);
        advance(def, m, i, z, &m->record[i - first]);
    }
}

static void put_adjoints(const br_rollout_def* def, const tape_map* m, const br_rollout_adjoint* io,
                         size_t i, const double* z1)
{
    double* zb = m->zb;
    for (size_t k = 0; k < def->count; k++) {
        const size_t states = br_contact_get_state_count(def->contacts[k].contact);
        m->adjoints[k] = (br_step_contact_adjoint){.z1 = z1, .z1_bar = zb, .z0_bar = zb};
        if (io->f_bar) {
            m->adjoints[k].f_bar = io->f_bar[i * def->count + k];
        }
        z1 += states;
        zb += states;
    }
}

// From arms and angles to positions, and to the pose in the middle of the step.
static br_pose collect_positions(const br_rollout_def* def, const tape_map* m, br_pose middle)
{
    br_pose bar = {0.0, 0.0, 0.0};
    for (size_t k = 0; k < def->count; k++) {
        const br_rollout_contact* c = &def->contacts[k];
        const br_step_contact_adjoint* a = &m->adjoints[k];
        double* sum = m->sums + k * SUMS;
        sum[ANGLE] += a->angle;
        sum[LENGTH] += a->length;
        for (int by = 0; by < BR_BY_COUNT; by++) {
            sum[by] += a->law[by];
        }
        if (c->frame == BR_ROLLOUT_BODY) {
            const br_vec2 back = br_vec2_rotate(a->arm, -middle.theta);
            sum[POSITION] += back.x;
            sum[POSITION + 1] += back.y;
            bar.theta += a->angle + back.y * c->position.x - back.x * c->position.y;
        } else {
            sum[POSITION] += a->arm.x;
            sum[POSITION + 1] += a->arm.y;
            bar.x -= a->arm.x;
            bar.y -= a->arm.y;
        }
    }
    return bar;
}

static double dot_pose(br_pose p, br_twist v)
{
    return p.x * v.vx + p.y * v.vy + p.theta * v.w;
}

// Adjoints of normal forces and load of step i.
static void collect_knots(const br_rollout_def* def, const tape_map* m, size_t i,
                          const br_step_adjoint* body, br_rollout_adjoint* io)
{
    const between at = knots_at(def, i);
    const double load[3] = {body->load.fx, body->load.fy, body->load.tau};
    for (size_t k = 0; k < def->count; k++) {
        add_knots(io->fn, def->count, k, at, m->adjoints[k].fn);
        io->h += m->adjoints[k].fn * slope_at(def, def->fn, def->count, k, at, i);
    }
    for (size_t k = 0; k < 3; k++) {
        add_knots(io->load, 3, k, at, load[k]);
        io->h += def->load ? load[k] * slope_at(def, def->load, 3, k, at, i) : 0.0;
    }
}

// Sweep back over step i, whose states are z0 and z1.
static void sweep_step(const br_rollout_def* def, const tape_map* m, size_t i, double* z0,
                       const double* z1, const br_step_record* record, carried* c,
                       br_rollout_adjoint* io)
{
    const double h = def->h;
    const br_step_body body = body_of(def);
    const br_pose p = c->pose, middle = middle_of(m->pose[i], m->v[i], h);
    br_step_adjoint a = {
        .v1_bar = c->v, .mean_bar = {h * p.x, h * p.y, h * p.theta}, .by_law = io->by_law};
    put_contacts(def, m, i, z0);
    put_adjoints(def, m, io, i, z1);
    br_step_vjp(&body, record, load_at(def, knots_at(def, i)), h, m->contacts, m->adjoints,
                def->count, &a, m->work);
    const br_pose bar = collect_positions(def, m, middle);
    collect_knots(def, m, i, &a, io);
    c->v = (br_twist){a.v0.vx + 0.5 * h * bar.x, a.v0.vy + 0.5 * h * bar.y,
                      a.v0.w + 0.5 * h * bar.theta};
    c->pose = (br_pose){p.x + bar.x, p.y + bar.y, p.theta + bar.theta};
    io->mass += a.mass[0][0] + a.mass[1][1];
    io->inertia += a.mass[2][2];
    const br_twist mean = {(m->pose[i + 1].x - m->pose[i].x) / h,
                           (m->pose[i + 1].y - m->pose[i].y) / h,
                           (m->pose[i + 1].theta - m->pose[i].theta) / h};
    io->h += a.h + dot_pose(p, mean) + 0.5 * dot_pose(bar, m->v[i]);
    io->pivot = fmin(io->pivot, a.pivot);
    io->inexact += a.flags != 0;
    io->flags |= a.flags;
    add_given(io, i, c);
}

static void start_adjoint(const br_rollout_def* def, const tape_map* m, br_rollout_adjoint* io)
{
    // the tape is not NULL, so that its parts are not
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker)
    memset(m->sums, 0, def->count * SUMS * sizeof *m->sums);
    memset(m->zb, 0, m->states * sizeof *m->zb);
    if (io->z_bar) {
        memcpy(m->zb, io->z_bar, m->states * sizeof *m->zb);
    }
    if (io->fn) {
        memset(io->fn, 0, def->knots * def->count * sizeof *io->fn);
    }
    if (io->load) {
        memset(io->load, 0, def->knots * 3 * sizeof *io->load);
    }
    io->mass = io->inertia = io->h = 0.0;
    io->pivot = HUGE_VAL;
    io->inexact = 0;
    io->flags = 0;
}

static void finish_adjoint(const br_rollout_def* def, const tape_map* m, const carried* c,
                           br_rollout_adjoint* io)
{
    io->pose = c->pose;
    io->v = c->v;
    io->h = io->by_law ? io->h : 0.0;
    for (size_t k = 0; k < def->count; k++) {
        const double* sum = m->sums + k * SUMS;
        if (io->position) {
            io->position[k] = (br_vec2){sum[POSITION], sum[POSITION + 1]};
        }
        if (io->angle) {
            io->angle[k] = sum[ANGLE];
        }
        if (io->length) {
            io->length[k] = sum[LENGTH];
        }
        if (io->law) {
            memcpy(io->law + k * BR_BY_COUNT, sum, BR_BY_COUNT * sizeof *sum);
        }
    }
    if (io->z) {
        memcpy(io->z, m->zb, m->states * sizeof *io->z);
    }
}

void br_rollout_vjp(const br_rollout_def* given, double* tape, br_rollout_adjoint* io)
{
    BR_ASSERT(given && tape && io);
    br_rollout_def def = br_rollout_def_default();
    (void)DEFINITION_READ(br_rollout_def, given, &def, NULL);
    size_t size;
    const tape_map m = map_of(&def, tape, &size);
    carried c = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    start_adjoint(&def, &m, io);
    add_given(io, def.steps, &c);
    for (size_t segment = m.segments; segment-- > 0;) {
        const size_t first = segment * m.every;
        const size_t last = first + m.every < def.steps ? first + m.every : def.steps;
        if (m.every == 1) { // all is on the tape
            double* z0 = m.kept + first * m.states;
            sweep_step(&def, &m, first, z0, z0 + m.states, &m.record[first], &c, io);
            continue;
        }
        repeat(&def, &m, segment, first, last);
        for (size_t i = last; i-- > first;) {
            double* z0 = m.between + (i - first) * m.states;
            sweep_step(&def, &m, i, z0, z0 + m.states, &m.record[i - first], &c, io);
        }
    }
    finish_adjoint(&def, &m, &c, io);
}
