/* Tests of body.h: runs of bodies with many contacts end. Contacts that slip at the same instant are one
 * event; the number of steps and events is bounded. Counts, not times: they do not depend on the machine. */
#include "bodies.h"

#include <time.h>

enum { BODIES = 240, MOST_FEET = 4, MODELS = 4 };

// Generous: the most of 2,000 such bodies over 0.4 s is 5,800 steps and 12 events.
enum { STEP_BOUND = 20000, EVENT_BOUND = 100 };

// Of one run, on any machine that can build this [s].
static const double time_bound = 20.0;

// A run, its events, and its last row.
typedef struct count {
    size_t events, slips;
    double last_event; // [s]
    br_slip_state state[MOST_FEET];
    br_pose pose;
    size_t contacts;
} count;

static void count_row(const double* row, void* user)
{
    count* c = user;
    c->pose = pose_in(row);
    for (size_t i = 0; i < c->contacts; i++) {
        c->state[i] = (br_slip_state)number_of_one(row, "state", i);
    }
}

static void count_event(const br_run_event* event, void* user)
{
    count* c = user;
    c->events++;
    c->slips += event->kind == BR_EVENT_SLIP;
    assert_true(event->t >= c->last_event);
    c->last_event = event->t;
}

// Stop a run that takes too long, by its events and by the processor's time.
typedef struct watched {
    count count;
    clock_t started;
} watched;

static bool takes_too_long(double t, void* user)
{
    (void)t;
    const watched* w = user;
    return w->count.events > EVENT_BOUND ||
           (double)(clock() - w->started) > time_bound * CLOCKS_PER_SEC;
}

static count count_run(const br_body* body, const br_run_def* def, const char* name)
{
    br_reason why;
    br_integrator_cost cost = {0};
    watched w = {.count.contacts = body->contact_count, .started = clock()};
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = take_columns,
                                .row = count_row,
                                .event = count_event,
                                .stop = takes_too_long,
                                .user = &w};
    const br_status status = br_body_run(body, def, &watch, &cost, &why);
    if (status != BR_OK || cost.steps > STEP_BOUND) {
        fail_msg("%s: %s: %s %s after %zu steps, %zu events", name, br_status_get_text(status),
                 why.field, why.text, cost.steps, w.count.events);
    }
    return w.count;
}

// --- random bodies --------------------------------------------------------------------------------

static double between(unsigned* seed, double a, double b)
{
    *seed = *seed * 1664525u + 1013904223u;
    return a + (b - a) * (double)(*seed >> 8) / 16777216.0;
}

static br_law law_of(unsigned* seed, int which)
{
    br_law law = br_law_default(which % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
    law.mu_c = between(seed, 0.2, 0.6);
    law.mu_s = law.mu_c * (which % 4 < 2 ? 1.0 : 1.3);
    law.v_stribeck = 2e-3;
    law.sigma0 = 1e5;
    law.sigma1 = between(seed, 0.3, 30.0);
    law.sigma2 = 0.0;
    return law;
}

static br_contact* model_of(int which, const br_patch* patch, const br_limit* surface, br_law law)
{
    switch (which % MODELS) {
    case 0:
        return cells_on(patch, law, 5);
    case 1:
        return blocks_on(patch, law, 3);
    case 2:
        return reduced_with(surface, law);
    default:
        return reduced_with(NULL, law);
    }
}

// A random body: its feet at one position in every second, else apart, with equal or other laws and forces.
static void run_random(unsigned seed, br_run_def def)
{
    br_patch* patch[MOST_FEET];
    br_limit* surface[MOST_FEET];
    br_contact* contact[MOST_FEET];
    br_body_contact foot[MOST_FEET];
    char name[32];
    snprintf(name, sizeof name, "body %u", seed);
    unsigned at = seed * 2654435761u;
    const size_t feet = 2 + seed % 3;
    const int concentric = seed % 2 == 0, same = seed % 4 < 2;
    const br_law law = law_of(&at, (int)(seed / 4));
    for (size_t i = 0; i < feet; i++) {
        const br_vec2 apart = {between(&at, -0.05, 0.05), between(&at, -0.05, 0.05)};
        patch[i] = disc_at(concentric ? (br_vec2){0.0, 0.0} : apart, 0.0);
        surface[i] = surface_of(patch[i], BR_LIMIT_SMOOTH);
        contact[i] = model_of((int)(seed / 7), patch[i], surface[i],
                              same ? law : law_of(&at, (int)(seed / 4 + i)));
        foot[i] = (br_body_contact){.frame = BR_FRAME_BODY,
                                    .contact = contact[i],
                                    .count = 1,
                                    .normal_force =
                                        br_profile_constant(same ? 5.0 : between(&at, 1.0, 8.0))};
    }
    br_body body = box_with(foot, feet);
    body.velocity =
        (br_twist){between(&at, -0.1, 0.1), between(&at, -0.1, 0.1), between(&at, -2.0, 2.0)};
    body.gravity.x = between(&at, -4.0, 4.0);
    body.start = seed % 3 == 0 ? BR_START_RELAXED : BR_START_BY_MOTION;
    count_run(&body, &def, name);
    for (size_t i = 0; i < feet; i++) {
        br_contact_destroy(contact[i]);
        br_limit_destroy(surface[i]);
        br_patch_destroy(patch[i]);
    }
}

/* Oracle: the bounds above. 29 of 40 such bodies did not end in 2 s. */
static void adaptive_runs_of_random_bodies_end(void** state)
{
    (void)state;
    for (unsigned seed = 0; seed < BODIES; seed++) {
        run_random(seed, run_for(0.05, 6));
    }
}

/* Oracle: the same. */
static void runs_of_random_bodies_in_fixed_steps_end(void** state)
{
    (void)state;
    for (unsigned seed = 0; seed < BODIES; seed++) {
        br_run_def def = run_for(0.05, 6);
        set_step(&def, seed % 2 ? 1e-4 : 2e-3);
        run_random(seed, def);
    }
}

/* Oracle: the same. */
static void runs_of_random_bodies_with_cvode_end(void** state)
{
    (void)state;
#ifdef BRISTLE_HAS_CVODE
    for (unsigned seed = 0; seed < BODIES; seed += 3) {
        br_run_def def = run_for(0.05, 6);
        def.method = BR_INTEGRATOR_CVODE;
        run_random(seed, def);
    }
#endif
}

// --- two discs at one position -----------------------------------------------------------------------

// What follows from mu 0.4 for this body.
static br_law law_of_disc(br_law_kind kind)
{
    br_law law = br_law_default(kind);
    law.mu_c = law.mu_s = 0.4;
    law.sigma0 = 3e4, law.sigma1 = 150.0, law.sigma2 = 0.0;
    return law;
}

static void check_pair(br_contact* contact)
{
    br_body_contact feet[2];
    br_body body = br_body_default();
    body.inertia = 0.01;
    body.velocity = (br_twist){0.01, 0.0, 0.1};
    body.contacts = feet;
    count runs[2];
    for (size_t i = 0; i < 2; i++) {
        feet[0] = feet[1] = (br_body_contact){.frame = BR_FRAME_BODY,
                                              .contact = contact,
                                              .count = 1,
                                              .normal_force = br_profile_constant(i ? 5.0 : 10.0)};
        body.contact_count = i + 1;
        const br_run_def def = run_for(0.01, 3);
        runs[i] = count_run(&body, &def, "two discs");
    }
    assert_int_equal(runs[1].events, 2 * runs[0].events);
    assert_int_equal(runs[1].slips, 2 * runs[0].slips);
    assert_int_equal(runs[1].state[0], runs[0].state[0]);
    assert_int_equal(runs[1].state[1], runs[0].state[0]);
    assert_near(runs[1].pose.x, runs[0].pose.x, 1e-9 /* m: of 20 um, by other steps */);
    assert_near(runs[1].pose.theta, runs[0].pose.theta, 1e-8 /* rad: the same of 0.2 mrad */);
}

/* Oracle: one disc that bears the force of both. Two discs at the same position slip at the same instant;
 * their events were 1e-13 s apart without end. */
static void two_discs_at_one_place_move_as_one(void** state)
{
    (void)state;
    br_patch* patch = disc_at((br_vec2){0.0, 0.0}, 0.0);
    br_limit* surface = surface_of(patch, BR_LIMIT_SMOOTH);
    for (int i = 0; i < 2 * MODELS; i++) {
        const br_law law = law_of_disc(i % 2 ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE);
        br_contact* contact = model_of(i / 2, patch, surface, law);
        check_pair(contact);
        br_contact_destroy(contact);
    }
    br_limit_destroy(surface);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_discs_at_one_place_move_as_one),
        cmocka_unit_test(adaptive_runs_of_random_bodies_end),
        cmocka_unit_test(runs_of_random_bodies_in_fixed_steps_end),
        cmocka_unit_test(runs_of_random_bodies_with_cvode_end),
    };
    return run_group(argc, argv, tests);
}
