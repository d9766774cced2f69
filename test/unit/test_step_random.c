/*
 * Random bodies on random contacts, stepped with anything from 1e-6 to 0.1 s: nothing may become
 * infinite, no step may gain energy, every ledger must add up.
 */
#include "check.h"
#include "poisoned.h"

#include "bristle/bristle.h"

#include <string.h>

// 100 worlds of 1000 steps each were run manually, with the same outcome; these take seconds.
enum { WORLDS = 60, STEPS = 100, MOST_CONTACTS = 3, MOST_POINTS = 20, MOST_STATES = 400 };

// What the contacts of a world are built from.
typedef enum kind { POINTS, BLOCKS, ELLIPSOID, DISC_TABLE, LINE_TABLE, MIXED } kind;

static const char* const kind_names[] = {"points",        "blocks",        "ellipsoid",
                                         "table of disc", "gradient line", "mixed"};

// A body with its contacts, and what they borrow.
typedef struct world {
    br_step_body body;
    br_step_contact contact[MOST_CONTACTS];
    br_contact* made[MOST_CONTACTS];
    double z[MOST_CONTACTS][MOST_STATES];
    double work[MOST_CONTACTS * 4 * MOST_STATES];
    size_t count;
    br_twist v;
} world;

// What a row showed.
typedef struct row {
    double gain;   // most energy that came from nowhere, over the step's energy
    double misfit; // of the ledger, relative
    size_t steps, passes, most, unconverged, fallbacks;
} row;

static double s_ba_most = 0.98; // 0: bristles yield from the first deflection on

static br_patch *disc, *line;
static br_limit *disc_table, *line_table;

static double log_uniform(uint64_t* seed, double low, double high)
{
    return exp(uniform(seed, log(low), log(high)));
}

static br_law random_law(uint64_t* seed)
{
    br_law law =
        br_law_default(uniform(seed, 0.0, 1.0) < 0.3 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
    law.sigma0 = log_uniform(seed, 1e3, 1e7);
    law.sigma1 = uniform(seed, 0.0, 1.0) < 0.2 ? 0.0 : log_uniform(seed, 1.0, 5000.0);
    law.sigma2 = uniform(seed, 0.0, 1.0) < 0.5 ? 0.0 : uniform(seed, 0.0, 1.0);
    law.mu_c = uniform(seed, 0.1, 1.5);
    law.mu_s = law.mu_c * uniform(seed, 1.0, 2.0);
    law.v_stribeck = log_uniform(seed, 1e-4, 0.1);
    law.gamma = uniform(seed, 0.0, 1.0) < 0.5 ? 2.0 : uniform(seed, 0.5, 3.0);
    law.s_ba = uniform(seed, 0.0, s_ba_most);
    law.v_damping = uniform(seed, 0.0, 1.0) < 0.5 ? 0.0 : log_uniform(seed, 1e-4, 1.0);
    return law;
}

static br_patch* random_points(uint64_t* seed)
{
    static br_support_point points[MOST_POINTS];
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.count = (size_t)uniform(seed, 1.0, MOST_POINTS + 1.0);
    def.points = points;
    for (size_t i = 0; i < def.count; i++) {
        points[i] = (br_support_point){uniform(seed, -0.02, 0.02), uniform(seed, -0.02, 0.02),
                                       uniform(seed, 0.1, 1.0)};
    }
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

static void make_made(world* w, size_t i, const br_contact_def* def)
{
    assert_status(br_contact_create(def, &w->made[i], NULL), BR_OK);
    assert_true(br_contact_get_state_count(w->made[i]) <= MOST_STATES);
    w->contact[i].contact = w->made[i];
}

static void make_points(world* w, size_t i, uint64_t* seed)
{
    br_patch* patch = random_points(seed);
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    def.law = random_law(seed);
    make_made(w, i, &def);
    br_patch_destroy(patch);
}

static void make_blocks(world* w, size_t i, uint64_t* seed)
{
    br_patch_def shape = br_patch_def_default();
    shape.shape = uniform(seed, 0.0, 1.0) < 0.3 ? BR_SHAPE_LINE : BR_SHAPE_DISC;
    shape.length = 0.02;
    shape.angle = uniform(seed, -3.0, 3.0);
    br_patch* patch = NULL;
    assert_status(br_patch_create(&shape, &patch, NULL), BR_OK);
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.resolution = (size_t)uniform(seed, 1.0, 4.0);
    def.law = random_law(seed);
    make_made(w, i, &def);
    br_patch_destroy(patch);
}

// Of the disc, by its table or its ellipsoid; or of the line.
static void make_reduced(world* w, size_t i, const br_limit* surface, uint64_t* seed)
{
    br_contact_def def = br_contact_def_default();
    def.method = surface ? BR_METHOD_REDUCED : BR_METHOD_ELLIPSOID;
    def.patch = surface ? NULL : disc;
    def.surface = surface;
    def.law = random_law(seed);
    make_made(w, i, &def);
}

static void make_contact(world* w, size_t i, kind which, uint64_t* seed)
{
    memset(&w->contact[i], 0, sizeof w->contact[i]);
    w->contact[i].z = w->z[i];
    w->contact[i].count = uniform(seed, 0.0, 1.0) < 0.8 ? 1.0 : 2.0;
    switch (which) {
    case POINTS:
        make_points(w, i, seed);
        break;
    case BLOCKS:
        make_blocks(w, i, seed);
        break;
    case ELLIPSOID:
        make_reduced(w, i, NULL, seed);
        break;
    default:
        make_reduced(w, i, which == DISC_TABLE ? disc_table : line_table, seed);
        break;
    }
}

static void make_world(world* w, kind which, uint64_t* seed)
{
    memset(w, 0, sizeof *w);
    w->count = (size_t)uniform(seed, 1.0, MOST_CONTACTS + 1.0);
    const double mass = log_uniform(seed, 0.01, 100.0);
    w->body = br_step_body_default(mass, mass * pow(log_uniform(seed, 0.003, 0.3), 2.0));
    for (size_t i = 0; i < w->count; i++) {
        const kind one = which == MIXED ? (kind)uniform(seed, 0.0, MIXED) : which;
        make_contact(w, i, one, seed);
    }
    assert_true(br_step_get_work(w->contact, w->count) <= sizeof w->work / sizeof *w->work);
}

static void destroy_world(world* w)
{
    for (size_t i = 0; i < w->count; i++) {
        br_contact_destroy(w->made[i]);
    }
}

// New normal forces and positions now and then, a kick or a stop at times; the limit of all contacts.
static double shake(world* w, uint64_t* seed)
{
    double limit = 0.0;
    for (size_t i = 0; i < w->count; i++) {
        br_step_contact* c = &w->contact[i];
        if (uniform(seed, 0.0, 1.0) < 0.1) {
            const int central = uniform(seed, 0.0, 1.0) < 0.3;
            c->arm.x = central ? 0.0 : uniform(seed, -0.1, 0.1);
            c->arm.y = central ? 0.0 : uniform(seed, -0.1, 0.1);
            c->angle = uniform(seed, -3.0, 3.0);
        }
        if (uniform(seed, 0.0, 1.0) < 0.2) {
            c->fn = uniform(seed, 0.0, 1.0) < 0.1 ? 0.0 : uniform(seed, 0.0, 100.0);
        }
        limit += (double)c->count * c->fn;
    }
    if (uniform(seed, 0.0, 1.0) < 0.02) {
        const double speed = log_uniform(seed, 1e-6, 10.0);
        w->v = (br_twist){speed * uniform(seed, -1.0, 1.0), speed * uniform(seed, -1.0, 1.0),
                          speed / 0.01 * uniform(seed, -1.0, 1.0)};
    }
    return limit;
}

static void check_finite(const world* w)
{
    assert_true(isfinite(w->v.vx) && isfinite(w->v.vy) && isfinite(w->v.w));
    for (size_t i = 0; i < w->count; i++) {
        for (size_t k = 0; k < MOST_STATES; k++) {
            assert_true(isfinite(w->z[i][k]));
        }
    }
}

static void take_note(const world* w, const br_step_result* r, row* out)
{
    const br_step_ledger* e = &r->energy;
    const double size = e->kinetic_before + e->stored_before + fabs(e->load) + 1e-300;
    const double lost =
        e->kinetic_before + e->stored_before + e->load - e->kinetic_after - e->stored_after;
    const size_t passes = (size_t)r->passes;
    assert_true(isfinite(lost) && isfinite(e->dissipated) && isfinite(e->numerical));
    out->gain = fmax(out->gain, -lost / size);
    out->misfit = fmax(out->misfit, fabs(lost - e->dissipated - e->numerical) / size);
    out->steps++;
    out->passes += passes;
    out->most = passes > out->most ? passes : out->most;
    out->unconverged += !r->converged;
    out->fallbacks += r->order != w->body.order;
}

static row run_row(kind which, int order, int most_passes)
{
    static world w;
    uint64_t seed = 7 + (uint64_t)which;
    row out = {0};
    for (int i = 0; i < WORLDS; i++) {
        make_world(&w, which, &seed);
        w.body.order = order;
        w.body.passes = most_passes;
        for (int k = 0; k < STEPS; k++) {
            const double limit = 3.0 * shake(&w, &seed), h = log_uniform(&seed, 1e-6, 0.1);
            const br_wrench load = {limit * uniform(&seed, -1.0, 1.0),
                                    limit * uniform(&seed, -1.0, 1.0),
                                    0.01 * limit * uniform(&seed, -1.0, 1.0)};
            const br_step_result r =
                br_step_coupled(&w.body, &w.v, load, h, w.contact, w.count, w.work);
            take_note(&w, &r, &out);
            check_finite(&w);
        }
        destroy_world(&w);
    }
    print_message("%-14s order %d: gain %.1e, ledger %.1e, %.1f passes, most %zu, not "
                  "converged %.2f %%, fallbacks %.2f %%\n",
                  kind_names[which], order, out.gain, out.misfit,
                  (double)out.passes / (double)out.steps, out.most,
                  100.0 * (double)out.unconverged / (double)out.steps,
                  100.0 * (double)out.fallbacks / (double)out.steps);
    return out;
}

// Nothing gained beyond rounding. The ledger adds up to what the twist's rounding makes of a force:
// 1e-16 times h stiffness/mass, which is up to 1e9 here.
static const double most_gain = 1e-13, most_misfit = 1e-6;

// Kicks, jumps of the normal force and of h make bristles recoil in about 5 % of the steps of order 2,
// in 4 to 5 % with another implementation; without Newton decays are wrong, and more do.
static void check_rows(int most_passes)
{
    for (int which = POINTS; which <= MIXED; which++) {
        for (int order = 1; order <= 2; order++) {
            const row r = run_row((kind)which, order, most_passes);
            assert_true(r.gain <= most_gain);
            assert_true(r.misfit <= most_misfit);
            assert_true(most_passes < 40 || 1000 * r.unconverged < 2 * r.steps);
            assert_true((most_passes < 40 ? 5 : 10) * r.fallbacks < r.steps);
        }
    }
}

/* Oracle: invariant, for every method, order and step size. */
static void no_step_is_infinite_or_gains_energy(void** state)
{
    (void)state;
    check_rows(40);
}

/* Oracle: invariant. Passivity does not need Newton: one pass, nearly nothing converged. */
static void neither_without_newton(void** state)
{
    (void)state;
    check_rows(1);
}

/* Oracle: the same. Ten times as many worlds, 720,000 steps, were run manually, with the same outcome. */
static void neither_where_bristles_yield_at_once(void** state)
{
    (void)state;
    s_ba_most = 0.0;
    check_rows(40);
    s_ba_most = 0.98;
}

// ---- bristles and twists of any size -------------------------------------------------------------------

// Enough that each of the four methods to step would gain energy, were bristles only shortened.
enum { FREE_STEPS = 100000, HELD_STEPS = 300000 };

// Deflections up to `most` times what the law's static friction bends, and any twist.
static void set_any(world* w, double most, uint64_t* seed)
{
    const br_law* law = &br_contact_get_def(w->made[0])->law;
    const double size = law->mu_s / law->sigma0 * log_uniform(seed, 1e-3, most);
    const double speed = log_uniform(seed, 1e-6, 10.0);
    const double arm[3] = {1.0, 1.0, 0.007}; // [-, -, m]: of both patches
    for (int j = 0; j < 3; j++) {
        w->z[0][j] = size * arm[j] * uniform(seed, -1.0, 1.0);
    }
    w->v = (br_twist){speed * uniform(seed, -1.0, 1.0), speed * uniform(seed, -1.0, 1.0),
                      speed / 0.01 * uniform(seed, -1.0, 1.0)};
}

// How a contact is stepped: as a body's, by a group, with the twist held.
typedef enum stepping { ORDER_1, ORDER_2, GROUP, HELD, STEPPINGS } stepping;

static double motion_energy(const br_step_body* body, br_twist v)
{
    return 0.5 * (body->mass[0][0] * (v.vx * v.vx + v.vy * v.vy) + body->mass[2][2] * v.w * v.w);
}

// Energy lost in a step, over what there was.
static double lost_in_step(world* w, stepping how, double h)
{
    br_step_contact* c = &w->contact[0];
    const double mass = w->body.mass[0][0], inertia = w->body.mass[2][2];
    const double A[9] = {1.0 / mass, 0.0, 0.0, 0.0, 1.0 / mass, 0.0, 0.0, 0.0, 1.0 / inertia};
    const br_step_group group = {.inverse_mass = A, .passes = w->body.passes};
    const double moving = how == HELD ? 0.0 : motion_energy(&w->body, w->v);
    const double before = moving + br_contact_stored(c->contact, c->z, c->fn);
    const br_twist v = w->v;
    br_step_energy e = {0.0, 0.0, 0.0};
    br_wrench f;
    if (how == HELD) {
        br_contact_step(c->contact, c->z, v, c->fn, h, &e);
        return e.dissipated / (before + fabs(e.work) + 1e-300);
    }
    if (how == GROUP) {
        br_step_group_step(&group, &v, h, c, 1, &f, &w->v, w->work);
    } else {
        br_step_coupled(&w->body, &w->v, (br_wrench){0.0, 0.0, 0.0}, h, c, 1, w->work);
    }
    const double after = motion_energy(&w->body, w->v) + br_contact_stored(c->contact, c->z, c->fn);
    return (before - after) / (before + 1e-300);
}

// Most energy that a step gains, over what there was.
static double most_gained(stepping how, kind which)
{
    static world w;
    uint64_t seed = 28 + (uint64_t)which;
    double gain = 0.0;
    for (int i = 0; i < (how == HELD ? HELD_STEPS : FREE_STEPS); i++) {
        if (i % 100 == 0) {
            make_world(&w, which, &seed);
            w.body.order = how == ORDER_2 ? 2 : 1;
            w.body.passes = i % 200 ? 40 : 1;
            w.contact[0].count = 1;
        }
        set_any(&w, how == HELD ? 3000.0 : 3.0, &seed);
        w.contact[0].fn = uniform(&seed, 0.0, 100.0);
        gain = fmax(gain, -lost_in_step(&w, how, log_uniform(&seed, 1e-6, 0.1)));
        if (i % 100 == 99) {
            destroy_world(&w);
        }
    }
    return gain;
}

/* Oracle: invariant. What bristles of a table owe may be more than they store. */
static void bristles_that_store_too_little_give_nothing_back(void** state)
{
    (void)state;
    for (int how = ORDER_1; how < STEPPINGS; how++) {
        for (int which = DISC_TABLE; which <= LINE_TABLE; which++) {
            const double gain = most_gained((stepping)how, (kind)which);
            print_message("%s, stepping %d: gain %.1e\n", kind_names[which], how, gain);
            assert_true(gain <= most_gain);
        }
    }
}

static br_limit* make_table(const br_patch* patch)
{
    br_limit* table = NULL;
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.method = BR_LIMIT_BILINEAR;
    assert_status(br_limit_create(&def, &table, NULL), BR_OK);
    return table;
}

static int make_tables(void** state)
{
    (void)state;
    br_patch_def shape = br_patch_def_default();
    assert_status(br_patch_create(&shape, &disc, NULL), BR_OK);
    shape.shape = BR_SHAPE_LINE;
    shape.length = 0.02;
    shape.pressure = BR_PRESSURE_LINEAR;
    shape.from = 0.0, shape.to = 1.0;
    assert_status(br_patch_create(&shape, &line, NULL), BR_OK);
    disc_table = make_table(disc);
    line_table = make_table(line);
    return 0;
}

static int free_tables(void** state)
{
    (void)state;
    br_limit_destroy(disc_table);
    br_limit_destroy(line_table);
    br_patch_destroy(disc);
    br_patch_destroy(line);
    return 0;
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_is_infinite_or_gains_energy),
        cmocka_unit_test(neither_without_newton),
        cmocka_unit_test(neither_where_bristles_yield_at_once),
        cmocka_unit_test(bristles_that_store_too_little_give_nothing_back),
    };
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, make_tables, free_tables);
}
