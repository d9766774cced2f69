/*
 * Constraints that depend on time: floors that rise and shake, conveyors, wires that turn.
 */
#include "bristle/math.h"
#include "bristle/mechanism.h"

#include "rows.h"

#include <string.h>

static const double g = 9.81; // [m/s^2]

// What a run reported.
typedef struct record {
    size_t events;
    double t, q[2], qd[2], fn, friction[2];
    int sticks, always_stuck;
    double work_friction, work_constraints;
    double away; // largest distance of a row from where `expected` is [m]
    void (*expected)(double t, double* q);
    br_run_event event[8];
    br_mechanism_report report;
} record;

static void on_row(const double* row, void* user)
{
    record* r = user;
    r->t = row[0];
    memcpy(r->q, row + 1, sizeof r->q);
    memcpy(r->qd, row + 3, sizeof r->qd);
    r->friction[0] = number_of(row, "fx");
    r->friction[1] = number_of(row, "fy");
    r->fn = number_of(row, "fn");
    r->sticks = (int)number_of(row, "mode");
    r->always_stuck = r->always_stuck && (int)number_of(row, "mode");
    r->work_friction = number_of(row, "work_friction");
    r->work_constraints = number_of(row, "work_constraints");
    if (r->expected) {
        double q[2];
        r->expected(row[0], q);
        r->away = fmax(r->away, hypot(r->q[0] - q[0], r->q[1] - q[1]));
    }
}

static void on_event(const br_run_event* event, void* user)
{
    record* r = user;
    assert_true(r->events < sizeof r->event / sizeof *r->event);
    r->event[r->events++] = *event;
}

// --- a particle of 1 kg on a floor ----------------------------------------------------------------

// A number and its first two derivatives in time.
typedef struct moving {
    double x, v, a;
} moving;

// A level floor: its height, and how it moves sideways.
typedef struct floor_motion {
    moving (*height)(double t);
    moving (*sideways)(double t);
    int forgets;
} floor_motion;

enum { FORGETS_RATE = 1, FORGETS_B = 2, FORGETS_ACCELERATION = 4 };

static moving still(double t)
{
    (void)t;
    return (moving){0.0, 0.0, 0.0};
}

static moving rises_steadily(double t)
{
    return (moving){0.5 * t, 0.5, 0.0};
}

static moving rises_faster(double t)
{
    return (moving){t * t, 2.0 * t, 2.0};
}

static moving conveys(double t)
{
    return (moving){1.2 * t, 1.2, 0.0};
}

static const double shake = 0.02, pulsation = 9.0; // [m], [rad/s]: 1.62 m/s^2 at most

static moving shakes(double t)
{
    const double s = sin(pulsation * t), c = cos(pulsation * t);
    return (moving){shake * s, shake * pulsation * c, -shake * pulsation * pulsation * s};
}

static void weight(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    out->M[0] = out->M[3] = 1.0;
    out->Q[1] = -g;
    out->potential = g * at->q[1];
}

static void floor_constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const floor_motion* f = user;
    const moving h = f->height(at->t);
    out->A[1] = 2.0; // any factor
    out->b[0] = f->forgets & FORGETS_B ? 0.0 : 2.0 * h.a;
    out->gap[0] = 2.0 * (at->q[1] - h.x);
    out->rate[0] = f->forgets & FORGETS_RATE ? 0.0 : -2.0 * h.v;
}

static void floor_contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const floor_motion* f = user;
    const moving along = f->sideways(at->t);
    memcpy(out->point, at->q, 2 * sizeof *out->point);
    out->J[0] = out->J[3] = 1.0;
    out->normal[1] = 1.0;
    out->surface_velocity[0] = along.v;
    out->surface_acceleration[0] = f->forgets & FORGETS_ACCELERATION ? 0.0 : along.a;
}

static br_mechanism_def floor_def(floor_motion* f, const double* q, const double* qd, double mu)
{
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = (br_mechanism){.n = 2,
                                   .m = 1,
                                   .d = 2,
                                   .normals = 1,
                                   .dynamics = weight,
                                   .constraint = floor_constraint,
                                   .contact = floor_contact,
                                   .user = f};
    def.q = q, def.qd = qd;
    def.law.mu_c = def.law.mu_s = mu;
    return def;
}

static void run(const br_mechanism_def* def, double duration, record* out)
{
    br_run_def how = br_run_def_default();
    how.duration = duration, how.every = duration / 50.0;
    br_reason why = {"", ""};
    out->always_stuck = 1;
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = take_columns,
                                .row = on_row,
                                .event = on_event,
                                .user = out};
    if (br_mechanism_run(def, &how, &watch, &out->report, &why) != BR_OK) {
        fail_msg("%s %s", why.field, why.text);
    }
    assert_true(out->report.residual < 1e-9 /* J: of 20 J at most, tolerance 1e-11 */);
    assert_true(out->report.drift < 1e-9 /* m */);
}

static const double rest[2] = {0.0, 0.0};

// Oracle: closed form. y = t^2, N = m (g + 2), and the floor's work is m g y + m y'^2/2.
static void a_particle_stays_on_a_floor_that_rises_faster_and_faster(void** state)
{
    (void)state;
    floor_motion f = {rises_faster, still, 0};
    record got = {0};
    const br_mechanism_def def = floor_def(&f, rest, rest, 0.3);
    run(&def, 0.25, &got);
    assert_near(got.q[1], 0.0625, 1e-9 /* m: before, 0.0320 m */);
    assert_near(got.q[0], 0.0, 1e-12 /* m */);
    assert_near(got.fn, g + 2.0, 1e-9 /* N */);
    assert_near(got.work_constraints, g * 0.0625 + 0.5 * 0.25, 1e-9 /* J */);
    assert_near(got.work_friction, 0.0, 1e-12 /* J: it sticks */);
    assert_true(got.always_stuck);
}

// Oracle: closed form. On a floor with y = 0.5 t a particle slides as on one at rest:
// x = v t - mu g t^2/2 until it sticks at v/(mu g).
static void a_floor_that_rises_steadily_changes_nothing_but_the_height(void** state)
{
    (void)state;
    floor_motion f = {rises_steadily, still, 0};
    record got = {0};
    const double qd[2] = {1.0, 0.5}, mu = 0.3;
    const br_mechanism_def def = floor_def(&f, rest, qd, mu);
    run(&def, 0.6, &got);
    assert_near(got.q[0], 0.5 / (mu * g), 1e-9 /* m */);
    assert_near(got.q[1], 0.3, 1e-9 /* m */);
    assert_int_equal(got.events, 1);
    assert_int_equal(got.event[0].kind, BR_EVENT_STICK);
    assert_near(got.event[0].t, 1.0 / (mu * g), 1e-9 /* s */);
    assert_near(got.work_friction, -0.5, 1e-9 /* J: m v^2/2 */);
    assert_near(got.work_constraints, g * 0.3, 1e-9 /* J */);
}

// Oracle: closed form. A start beside such a floor, with another velocity, is moved straight onto it.
static void project_moves_a_start_onto_a_moving_floor(void** state)
{
    (void)state;
    floor_motion f = {rises_steadily, still, 0};
    record got = {0};
    const double q[2] = {0.2, 0.1}, qd[2] = {1.0, -3.0}, mu = 0.3, t = 0.2;
    br_mechanism_def def = floor_def(&f, q, qd, mu);
    def.project = 1;
    run(&def, t, &got);
    assert_near(got.q[0], 0.2 + t - 0.5 * mu * g * t * t, 1e-9 /* m */);
    assert_near(got.q[1], 0.5 * t, 1e-9 /* m */);
}

static void expect_refused(const br_mechanism_def* def, const char* field, const char* text)
{
    br_run_def how = br_run_def_default();
    how.duration = 0.25, how.every = 0.05;
    record got = {0};
    br_reason why = {"", ""};
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = take_columns, .row = on_row, .user = &got};
    assert_status(br_mechanism_run(def, &how, &watch, NULL, &why), BR_ERR_DEF);
    assert_string_equal(why.field, field);
    if (!strstr(why.text, text)) {
        fail_msg("'%s' should hold '%s'", why.text, text);
    }
}

// A floor that forgets its rate or part of its b is refused, at the start or where it shows.
static void a_moving_floor_without_its_rate_is_refused(void** state)
{
    (void)state;
    const double qd[2] = {0.0, 0.5};
    floor_motion f = {rises_steadily, still, FORGETS_RATE};
    const br_mechanism_def steady = floor_def(&f, rest, qd, 0.3),
                           faster = floor_def(&f, rest, rest, 0.3);
    expect_refused(&steady, "rate", "at t = 0 s gap 1 changes at 0 m/s, but A qd + rate is 1:");
    f.height = rises_faster;
    expect_refused(&faster, "b", "at t = 0 s b[1] is 4, but the constraint needs");
    f.forgets = FORGETS_RATE | FORGETS_B;
    expect_refused(&faster, "rate", "at t = 0.05 s gap 1 changes at");
    f.forgets = FORGETS_B;
    expect_refused(&faster, "b", "at t = 0 s b[1] is 0, but the constraint needs 4: b must be");
}

// Oracle: definition. A shaken floor whose acceleration is not that of its velocity is refused; the particle chattered on
// it without end.
static void a_shaken_floor_without_its_acceleration_is_refused(void** state)
{
    (void)state;
    floor_motion f = {still, shakes, FORGETS_ACCELERATION};
    const double qd[2] = {shakes(0.0).v, 0.0};
    const br_mechanism_def def = floor_def(&f, rest, qd, 0.5);
    expect_refused(&def, "surface_acceleration", "the slip of a point at rest changes at");
}

// Oracle: closed form. A particle put on a conveyor: x = mu g t^2/2 until it has its speed v, then with it;
// friction takes m v^2/2, the belt gives m v^2.
static void a_conveyor_takes_a_particle_with_it(void** state)
{
    (void)state;
    floor_motion f = {still, conveys, 0};
    record got = {0};
    const double mu = 0.3, v = 1.2, t1 = v / (mu * g);
    const br_mechanism_def def = floor_def(&f, rest, rest, mu);
    run(&def, 1.0, &got);
    assert_near(got.q[0], 0.5 * v * t1 + v * (1.0 - t1), 1e-9 /* m */);
    assert_int_equal(got.events, 1);
    assert_near(got.event[0].t, t1, 1e-9 /* s */);
    assert_int_equal(got.event[0].kind, BR_EVENT_STICK);
    assert_near(got.friction[0], 0.0, 1e-9 /* N: carried, without force */);
    assert_near(got.work_friction, -0.5 * v * v, 1e-9 /* J */);
    assert_near(got.work_constraints, v * v, 1e-9 /* J */);
}

static void where_the_floor_is(double t, double* q)
{
    q[0] = shakes(t).x, q[1] = 0.0;
}

// Oracle: closed form. A floor shaken with a < mu g takes a particle with it, by the force m a.
static void a_floor_shaken_within_friction_is_followed(void** state)
{
    (void)state;
    floor_motion f = {still, shakes, 0};
    record got = {.expected = where_the_floor_is};
    const double qd[2] = {shake * pulsation, 0.0};
    const br_mechanism_def def = floor_def(&f, rest, qd, 0.2);
    run(&def, 5.0, &got);
    assert_true(got.always_stuck);
    assert_int_equal(got.events, 0);
    assert_true(got.away < 1e-9 /* m, over 5 s */);
    assert_near(got.friction[0], shakes(5.0).a, 1e-9 /* N */);
    assert_near(got.work_friction, 0.0, 1e-9 /* J: of a slip within the tolerance */);
}

// Oracle: closed form. Beyond friction it slips where |a| = mu g first.
static void a_floor_shaken_beyond_friction_is_left(void** state)
{
    (void)state;
    floor_motion f = {still, shakes, 0};
    record got = {0};
    const double qd[2] = {shake * pulsation, 0.0}, mu = 0.1;
    const br_mechanism_def def = floor_def(&f, rest, qd, mu);
    run(&def, 0.25, &got);
    assert_true(got.events >= 1);
    assert_int_equal(got.event[0].kind, BR_EVENT_SLIP);
    const double most = shake * pulsation * pulsation;
    assert_near(got.event[0].t, asin(mu * g / most) / pulsation, 1e-9 /* s */);
}

// Oracle: closed form. With bristles the particle ends with the conveyor, and follows a shaken floor within
// the bend of a bristle, m a/(sigma0 N).
static void bristles_follow_the_surface(void** state)
{
    (void)state;
    static const br_law_kind kinds[] = {BR_LAW_DAHL, BR_LAW_LUGRE, BR_LAW_ELASTO_PLASTIC};
    const double sigma0 = 1e4, qd[2] = {shake * pulsation, 0.0};
    for (size_t i = 0; i < 3; i++) {
        floor_motion f = {still, conveys, 0};
        record carried = {0}, shaken = {.expected = where_the_floor_is};
        br_mechanism_def def = floor_def(&f, rest, rest, 0.3);
        def.law = br_law_default(kinds[i]);
        def.law.mu_c = def.law.mu_s = 0.3;
        def.law.sigma0 = kinds[i] == BR_LAW_DAHL ? sigma0 * g : sigma0;
        def.law.sigma1 = 200.0;
        run(&def, 1.0, &carried);
        assert_near(carried.qd[0], 1.2, 1e-3 /* m/s: what is left of its oscillation */);
        f = (floor_motion){still, shakes, 0};
        def.qd = qd;
        run(&def, 0.35, &shaken);
        // Dahl and LuGre creep by a share of the bend in each period: half a period here
        assert_true(shaken.away < 4.0 * 1.62 / (sigma0 * g) /* m */);
    }
}

// --- a bead on a wire that turns in its plane -----------------------------------------------------

// Angle w t, gravity or none, 1 kg.
typedef struct turning_wire {
    double w, gravity;
} turning_wire;

static void bead_dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const turning_wire* wire = user;
    out->M[0] = out->M[3] = 1.0;
    out->Q[1] = -wire->gravity;
    out->potential = wire->gravity * at->q[1];
}

// gap = -x sin(w t) + y cos(w t)
static void wire_constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const double w = ((const turning_wire*)user)->w, s = sin(w * at->t), c = cos(w * at->t);
    const double along = c * at->q[0] + s * at->q[1];
    out->A[0] = -s, out->A[1] = c;
    out->gap[0] = c * at->q[1] - s * at->q[0];
    out->rate[0] = -w * along;
    out->b[0] = 2.0 * w * (c * at->qd[0] + s * at->qd[1]) + w * w * out->gap[0];
}

static void wire_contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    const double w = ((const turning_wire*)user)->w;
    memcpy(out->point, at->q, 2 * sizeof *out->point);
    out->J[0] = out->J[3] = 1.0;
    out->normal[0] = -sin(w * at->t), out->normal[1] = cos(w * at->t);
    out->surface_velocity[0] = -w * at->q[1], out->surface_velocity[1] = w * at->q[0];
    out->surface_acceleration[0] = -w * w * at->q[0];
    out->surface_acceleration[1] = -w * w * at->q[1];
}

static br_mechanism_def wire_def(turning_wire* wire, const double* q, const double* qd, double mu)
{
    br_mechanism_def def = floor_def(NULL, q, qd, mu);
    def.mechanism.dynamics = bead_dynamics;
    def.mechanism.constraint = wire_constraint;
    def.mechanism.contact = wire_contact;
    def.mechanism.user = wire;
    return def;
}

// Oracle: closed form. r'' = w^2 r - 2 mu w |r'|, as N = 2 m w r': r = sum of exponentials.
static void a_bead_leaves_a_turning_wire_as_the_closed_form(void** state)
{
    (void)state;
    const double mu[] = {0.0, 0.4}, w = 3.0, r0 = 0.1, t = 1.0;
    for (size_t i = 0; i < 2; i++) {
        turning_wire wire = {w, 0.0};
        record got = {0};
        const double q[2] = {r0, 0.0}, qd[2] = {0.0, w * r0};
        const br_mechanism_def def = wire_def(&wire, q, qd, mu[i]);
        run(&def, t, &got);
        const double root = sqrt(mu[i] * mu[i] + 1.0);
        const double p1 = w * (root - mu[i]), p2 = -w * (root + mu[i]);
        const double r = r0 * (p1 * exp(p2 * t) - p2 * exp(p1 * t)) / (p1 - p2);
        assert_near(got.q[0], r * cos(w * t), 1e-8 /* m: of 1 m; tolerance 1e-11, grown by e^3 */);
        assert_near(got.q[1], r * sin(w * t), 1e-8 /* m */);
        assert_true(fabs(got.work_constraints) > 0.1 /* J: the drive of the wire */);
    }
}

// Oracle: closed form. A bead sticks to a wire that is tilted slowly, r unchanged, until
// g sin(w t) - w^2 r = mu g cos(w t).
static void a_bead_sticks_to_a_turning_wire_until_it_is_too_steep(void** state)
{
    (void)state;
    turning_wire wire = {0.5, g};
    record got = {0};
    const double r = 0.3, mu = 0.2, q[2] = {r, 0.0}, qd[2] = {0.0, 0.5 * r};
    const br_mechanism_def def = wire_def(&wire, q, qd, mu);
    run(&def, 0.35, &got);
    assert_true(got.always_stuck);
    assert_near(hypot(got.q[0], got.q[1]), r, 1e-9 /* m */);
    memset(&got, 0, sizeof got);
    run(&def, 0.6, &got);
    assert_int_equal(got.events, 1);
    assert_int_equal(got.event[0].kind, BR_EVENT_SLIP);
    const double angle = 0.5 * got.event[0].t;
    assert_near(sin(angle) - mu * cos(angle), 0.25 * r / g, 1e-9 /* -: 1e-9 s */);
}

// Oracle: closed form. Elasto-plastic bristles turn with the wire: r changes by their bend alone,
// (g sin(w t) - w^2 r)/(sigma0 N), whatever the angle.
static void bristles_turn_with_the_wire(void** state)
{
    (void)state;
    turning_wire wire = {0.5, g};
    record got = {0};
    const double r = 0.3, sigma0 = 1e3, q[2] = {r, 0.0}, qd[2] = {0.0, 0.5 * r};
    br_mechanism_def def = wire_def(&wire, q, qd, 1.5);
    def.law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    def.law.mu_c = def.law.mu_s = 1.5;
    def.law.sigma0 = sigma0, def.law.sigma1 = 300.0;
    run(&def, 1.6, &got); // to 0.8 rad
    const double bend = (g * sin(0.8) - 0.25 * r) / (sigma0 * got.fn);
    // the damper of the bristles, sigma1 z', bends them less by 0.3 of what a second adds
    assert_near(hypot(got.q[0], got.q[1]), r - bend, 4e-4 /* m */);
    assert_near(hypot(got.friction[0], got.friction[1]), g * sin(0.8) - 0.25 * r, 2e-3 /* N */);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_particle_stays_on_a_floor_that_rises_faster_and_faster),
        cmocka_unit_test(a_floor_that_rises_steadily_changes_nothing_but_the_height),
        cmocka_unit_test(project_moves_a_start_onto_a_moving_floor),
        cmocka_unit_test(a_moving_floor_without_its_rate_is_refused),
        cmocka_unit_test(a_shaken_floor_without_its_acceleration_is_refused),
        cmocka_unit_test(a_conveyor_takes_a_particle_with_it),
        cmocka_unit_test(a_floor_shaken_within_friction_is_followed),
        cmocka_unit_test(a_floor_shaken_beyond_friction_is_left),
        cmocka_unit_test(bristles_follow_the_surface),
        cmocka_unit_test(a_bead_leaves_a_turning_wire_as_the_closed_form),
        cmocka_unit_test(a_bead_sticks_to_a_turning_wire_until_it_is_too_steep),
        cmocka_unit_test(bristles_turn_with_the_wire),
    };
    return run_group(argc, argv, tests);
}
