/*
 * Paths that move: blocks, beads and arms on them, and the profiles of their motion.
 */
#include "bristle/math.h"
#include "bristle/mechanism.h"

#include "rows.h"

#include <string.h>

static const double g = 9.81; // [m/s^2]

// What a run reported.
typedef struct record {
    size_t n, events;
    double q[BR_CHAIN_MOST], point[3], fn;
    int sticks;
    br_run_event event[8];
    br_mechanism_report report;
} record;

static void on_row(const double* row, void* user)
{
    record* r = user;
    memcpy(r->q, row + 1, r->n * sizeof *r->q);
    r->point[0] = number_of(row, "x");
    r->point[1] = number_of(row, "y");
    r->fn = number_of(row, "fn");
    r->sticks = (int)number_of(row, "mode");
}

static void on_event(const br_run_event* event, void* user)
{
    record* r = user;
    assert_true(r->events < sizeof r->event / sizeof *r->event);
    r->event[r->events++] = *event;
}

// Every row is judged, too: gap' = A qd + rate, b = -(A qd + rate)'.
static void run(const br_mechanism_def* def, double duration, record* out)
{
    memset(out, 0, sizeof *out);
    out->n = def->mechanism.n;
    br_run_def how = br_run_def_default();
    how.duration = duration, how.every = duration / 50.0;
    br_reason why = {"", ""};
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = take_columns,
                                .row = on_row,
                                .event = on_event,
                                .user = out};
    if (br_mechanism_run(def, &how, &watch, &out->report, &why) != BR_OK) {
        fail_msg("%s %s", why.field, why.text);
    }
    assert_true(out->report.residual < 1e-11 * fmax(out->report.turnover, 100.0) /* tolerance */);
    assert_true(out->report.drift < 1e-9 /* m */);
}

static br_mechanism_def def_of(br_mechanism mechanism, const double* q, const double* qd, double mu)
{
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = mechanism;
    def.q = q, def.qd = qd;
    def.law.mu_c = def.law.mu_s = mu;
    return def;
}

static br_profile sine(double amplitude, double frequency)
{
    return (br_profile){.kind = BR_PROFILE_SINE, .amplitude = amplitude, .frequency = frequency};
}

static br_profile polynomial(const double* c, size_t count)
{
    return (br_profile){.kind = BR_PROFILE_POLYNOMIAL, .count = count, .value = c};
}

// --- blocks ---------------------------------------------------------------------------------------

// Oracle: closed form. An inclined conveyor pulls a block up with a = g (mu cos - sin) until this has its speed.
static void an_inclined_conveyor_lifts_a_block(void** state)
{
    (void)state;
    record got;
    const double angle = 0.2, mu = 0.5, u = 0.8, q[2] = {0.0, 0.0};
    br_slope_block block = {.mass = 2.0, .gravity = g, .angle = angle};
    block.motion.velocity = br_profile_constant(u);
    const br_mechanism_def def = def_of(br_slope_block_mechanism(&block), q, NULL, mu);
    run(&def, 1.0, &got);
    const double a = g * (mu * cos(angle) - sin(angle)), t1 = u / a;
    assert_near(got.q[0], (u * (1.0 - t1) + 0.5 * u * t1) * cos(angle), 1e-9 /* m */);
    assert_int_equal(got.events, 1);
    assert_near(got.event[0].t, t1, 1e-9 /* s */);
    // mu N times the slip distance, u t1/2
    const double lost = mu * 2.0 * g * cos(angle) * 0.5 * u * t1;
    assert_near(got.report.work_friction, -lost, 1e-8 /* J */);
}

// Oracle: closed form. A slope that is shaken along x within friction takes its block with it; y = t^2 lifts it.
static void a_block_follows_a_slope_that_is_moved(void** state)
{
    (void)state;
    record got;
    const double lift[3] = {0.0, 0.0, 1.0};
    br_slope_block block = {.mass = 2.0, .gravity = g, .angle = 0.1};
    block.motion.offset[0] = sine(0.01, 2.0);
    block.motion.offset[1] = polynomial(lift, 3);
    double place[2], q[2], qd[2];
    br_slope_block_start(&block, 0.3, place);
    br_path_place(&block.motion, 2, 0.0, place, q, qd);
    assert_near(qd[0], 0.01 * 4.0 * BR_PI, 1e-15 /* m/s: rounding */);
    const br_mechanism_def def = def_of(br_slope_block_mechanism(&block), q, qd, 0.5);
    run(&def, 0.7, &got);
    assert_int_equal(got.events, 0);
    assert_near(got.q[0], 0.3 + 0.01 * sin(4.0 * BR_PI * 0.7), 1e-9 /* m */);
    assert_near(got.q[1], 0.3 * tan(0.1) + 0.49, 1e-9 /* m */);
}

// Oracle: closed form. On a floor that is turned at w the block slips where g sin(w t) - w^2 r = mu g cos(w t).
static void a_block_slips_on_a_floor_that_is_turned(void** state)
{
    (void)state;
    record got;
    const double turning[2] = {0.0, 0.5}, r = 0.3, mu = 0.2, q[2] = {r, 0.0},
                 qd[2] = {0.0, 0.5 * r};
    br_slope_block block = {.mass = 1.0, .gravity = g};
    block.motion.angle = polynomial(turning, 2);
    const br_mechanism_def def = def_of(br_slope_block_mechanism(&block), q, qd, mu);
    run(&def, 0.6, &got);
    assert_int_equal(got.events, 1);
    assert_int_equal(got.event[0].kind, BR_EVENT_SLIP);
    const double angle = 0.5 * got.event[0].t;
    assert_near(sin(angle) - mu * cos(angle), 0.25 * r / g, 1e-9 /* 1e-9 s */);
}

// Oracle: closed form. A conveyor whose speed jumps at 0.5 s leaves its block behind, which gains it again.
static void a_block_slips_where_a_conveyor_jumps(void** state)
{
    (void)state;
    record got;
    static const double times[] = {0.0, 0.5}, speeds[] = {0.0, 1.0};
    const double mu = 0.3, q[2] = {0.0, 0.0};
    br_slope_block block = {.mass = 1.0, .gravity = g};
    block.motion.velocity =
        (br_profile){.kind = BR_PROFILE_STEPS, .count = 2, .t = times, .value = speeds};
    const br_mechanism_def def = def_of(br_slope_block_mechanism(&block), q, NULL, mu);
    run(&def, 1.0, &got);
    const double t1 = 1.0 / (mu * g);
    assert_int_equal(got.events, 2);
    assert_int_equal(got.event[0].kind, BR_EVENT_SLIP);
    assert_near(got.event[0].t, 0.5, 0.0 /* a break of the profile */);
    assert_near(got.event[1].t, 0.5 + t1, 1e-9 /* s */);
    assert_near(got.q[0], 0.5 - 0.5 * t1, 1e-9 /* m */);
}

// --- beads ----------------------------------------------------------------------------------------

// Oracle: closed form. On a level wire that turns about the vertical r = r0 cosh(w t), without friction.
static void a_bead_leaves_a_wire_that_turns_about_the_vertical(void** state)
{
    (void)state;
    record got;
    const double w = 3.0, r0 = 0.1, turning[2] = {0.0, 3.0};
    br_bead bead = {.mass = 0.2, .gravity = g, .wire = BR_BEAD_WIRE_PARABOLA};
    bead.motion.angle = polynomial(turning, 2);
    double place[3], tangent[3], q[3], qd[3];
    br_bead_start(&bead, r0, place, tangent);
    br_path_place(&bead.motion, 3, 0.0, place, q, qd);
    const br_mechanism_def def = def_of(br_bead_mechanism(&bead), q, qd, 0.0);
    run(&def, 1.0, &got);
    const double r = r0 * cosh(w);
    assert_near(got.q[0], r * cos(w), 1e-8 /* m: of 1 m, grown by e^3 */);
    assert_near(got.q[2], -r * sin(w), 1e-8 /* m */);
    assert_near(got.q[1], 0.0, 1e-10 /* m */);
}

// Oracle: closed form. On a parabola that turns with w^2 = 2 beta g a bead is at rest anywhere, even without friction.
static void a_bead_rests_on_a_parabola_that_turns(void** state)
{
    (void)state;
    record got;
    const double beta = 0.5, w = sqrt(2.0 * beta * g), x = 0.4;
    const double turning[2] = {0.3, w};
    br_bead bead = {.mass = 0.2, .gravity = g, .wire = BR_BEAD_WIRE_PARABOLA, .beta = beta};
    bead.motion.angle = polynomial(turning, 2);
    double place[3], tangent[3], q[3], qd[3];
    br_bead_start(&bead, x, place, tangent);
    br_path_place(&bead.motion, 3, 0.0, place, q, qd);
    const br_mechanism_def def = def_of(br_bead_mechanism(&bead), q, qd, 0.0);
    run(&def, 2.0, &got);
    assert_near(hypot(got.q[0], got.q[2]), x, 1e-9 /* m */);
    assert_near(got.q[0], x * cos(0.3 + 2.0 * w), 1e-9 /* m */);
}

// Oracle: invariants. A helix that turns, is shaken and conveys: energy balances, the bead stays on it (`run`).
static void a_bead_stays_on_a_helix_that_is_shaken(void** state)
{
    (void)state;
    record got;
    br_bead bead = {.mass = 0.2,
                    .gravity = g,
                    .wire = BR_BEAD_WIRE_HELIX,
                    .radius = 0.3,
                    .pitch = 0.6,
                    .force = sine(0.5, 1.0)};
    bead.motion.angle = sine(0.5, 0.7);
    bead.motion.offset[0] = sine(0.02, 1.3), bead.motion.offset[2] = sine(-0.01, 0.9);
    bead.motion.velocity = sine(0.4, 0.5);
    double place[3], tangent[3], q[3], qd[3];
    br_bead_start(&bead, 0.7, place, tangent);
    br_path_place(&bead.motion, 3, 0.0, place, q, qd);
    br_mechanism_def def = def_of(br_bead_mechanism(&bead), q, qd, 0.2);
    run(&def, 1.5, &got);
    def.law = br_law_default(BR_LAW_LUGRE);
    def.law.mu_c = def.law.mu_s = 0.2, def.law.sigma0 = 1e3, def.law.sigma1 = 10.0;
    run(&def, 1.5, &got);
}

// --- arms -----------------------------------------------------------------------------------------

static br_two_link make_arm(const br_path_motion* motion)
{
    br_two_link arm = {.mass = {1.0, 1.0}, .length = {1.0, 2.0}, .gravity = 9.8, .beta = 0.25};
    arm.torque[0] = sine(5.0, 0.2), arm.torque[1] = br_profile_constant(2.0);
    arm.motion = *motion;
    return arm;
}

// Oracle: independent function, and invariants. The arm and a chain of two links are the same on a parabola that is
// shaken, turned and conveys; energy balances.
static void an_arm_and_a_chain_move_on_a_path_that_moves(void** state)
{
    (void)state;
    record by_arm, by_chain;
    br_path_motion motion = {.angle = sine(0.1, 0.6), .velocity = sine(0.3, 0.5)};
    motion.offset[0] = sine(0.05, 0.8), motion.offset[1] = sine(0.04, 1.1);
    const br_two_link arm = make_arm(&motion);
    const double c[3] = {0.0, 0.0, 0.25};
    br_chain chain = {.n = 2, .mass = {1.0, 1.0}, .length = {1.0, 2.0}, .gravity = 9.8};
    chain.path = (br_path){.kind = BR_PATH_POLYNOMIAL, .count = 3, .c = c};
    chain.torque[0] = arm.torque[0], chain.torque[1] = arm.torque[1];
    chain.motion = motion;
    double q[2];
    assert_true(br_two_link_start(&arm, (br_vec2){1.2, 0.36}, 0, q));
    br_mechanism_def def = def_of(br_two_link_mechanism(&arm), q, NULL, 0.1);
    br_reason why;
    assert_status(br_mechanism_check(&def, &why), BR_ERR_DEF); // at rest beside a path that moves
    assert_string_equal(why.field, "start");
    def.project = 1;
    run(&def, 1.0, &by_arm);
    def.mechanism = br_chain_mechanism(&chain);
    run(&def, 1.0, &by_chain);
    assert_near(by_arm.q[0], by_chain.q[0], 1e-8 /* rad: tolerances */);
    assert_near(by_arm.q[1], by_chain.q[1], 1e-8 /* rad */);
    assert_near(by_arm.report.work_constraints, by_chain.report.work_constraints, 1e-8 /* J */);
    assert_true(fabs(by_arm.report.work_constraints) > 0.01 /* J */);
}

// --- profiles -------------------------------------------------------------------------------------

// Oracle: closed form. Where a profile or its slope jumps.
static void jumps_of_profiles_are_found(void** state)
{
    (void)state;
    static const double t[] = {0.0, 0.5, 1.0}, kinked[] = {0.0, 1.0, 1.5},
                        straight[] = {0.0, 1.0, 2.0};
    br_profile table = {.kind = BR_PROFILE_TABLE, .count = 3, .t = t, .value = kinked};
    assert_near(br_profile_jump(&table, 2.0), 0.5, 0.0);
    assert_true(isinf(br_profile_jump(&table, 0.5)));
    table.value = straight;
    assert_near(br_profile_jump(&table, 2.0), 1.0, 0.0);
    assert_true(isinf(br_profile_jump(&table, 1.0)));
    table.kind = BR_PROFILE_STEPS;
    assert_near(br_profile_jump(&table, 2.0), 0.5, 0.0);
    br_profile wave = sine(1.0, 1.0);
    assert_true(isinf(br_profile_jump(&wave, 1e3)));
    wave.start = 0.25; // from its crest: position; from 0.5: velocity
    assert_near(br_profile_jump(&wave, 2.0), 0.25, 0.0);
    wave.start = 0.5;
    assert_near(br_profile_jump(&wave, 2.0), 0.5, 0.0);
    wave.start = 0.0, wave.hold = 0.01;
    assert_near(br_profile_jump(&wave, 2.0), 0.01, 0.0);
    const br_profile constant = br_profile_constant(3.0);
    assert_true(isinf(br_profile_jump(&constant, 1e3)));
}

// Oracle: closed form. (t - 1)(t - 2)(t - 4) = t^3 - 7 t^2 + 14 t - 8 is negative before 1 and in (2, 4).
static void polynomials_have_values_slopes_and_signs(void** state)
{
    (void)state;
    static const double c[] = {-8.0, 14.0, -7.0, 1.0};
    double up[4], slope;
    br_profile p = polynomial(c, 4);
    assert_status(br_profile_check(&p, NULL), BR_OK);
    assert_near(br_profile_eval(&p, 3.0, 3.0, &slope), -2.0, 1e-14 /* rounding */);
    assert_near(slope, -1.0, 1e-14);
    assert_near(br_profile_negative_from(&p, 5.0), 0.0, 0.0);
    for (int i = 0; i < 4; i++) {
        up[i] = -c[i]; // positive before 1
    }
    p.value = up;
    assert_near(br_profile_negative_from(&p, 5.0), 1.0, 1e-12);
    assert_true(isinf(br_profile_negative_from(&p, 0.9)));
    static const double above[] = {1.0, -2.0, 1.0 + 1e-9}; // (t - 1)^2 + 1e-9 t^2
    p = polynomial(above, 3);
    assert_true(isinf(br_profile_negative_from(&p, 5.0)));
    br_reason why;
    p.count = 0;
    assert_status(br_profile_check(&p, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "coefficients");
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_inclined_conveyor_lifts_a_block),
        cmocka_unit_test(a_block_follows_a_slope_that_is_moved),
        cmocka_unit_test(a_block_slips_on_a_floor_that_is_turned),
        cmocka_unit_test(a_block_slips_where_a_conveyor_jumps),
        cmocka_unit_test(a_bead_leaves_a_wire_that_turns_about_the_vertical),
        cmocka_unit_test(a_bead_rests_on_a_parabola_that_turns),
        cmocka_unit_test(a_bead_stays_on_a_helix_that_is_shaken),
        cmocka_unit_test(an_arm_and_a_chain_move_on_a_path_that_moves),
        cmocka_unit_test(jumps_of_profiles_are_found),
        cmocka_unit_test(polynomials_have_values_slopes_and_signs),
    };
    return run_group(argc, argv, tests);
}
