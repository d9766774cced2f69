/* Tests of br_contact_load_eval() and br_contact_slip_eval(): how near a contact is to slipping, and how fast
 * it slips. */
#include "check.h"

#include "bristle/contact.h"

#include "bodies.h"

enum { MODELS = 3, MOST_STATES = 4096 };

static const char* const model_names[MODELS] = {"distributed", "blocks", "reduced"};

// Contacts of one patch by three methods, and their states.
typedef struct trio {
    br_patch* patch;
    br_limit* surface; // exact
    br_limit* table;   // of the reduced contact
    br_contact* contact[MODELS];
    double z[MODELS][MOST_STATES];
    double fn; // [N]
    double r, u;
} trio;

static trio all;

static void make_trio_at(trio* a, const br_patch_def* def, br_law law)
{
    memset(a, 0, sizeof *a);
    assert_status(br_patch_create(def, &a->patch, NULL), BR_OK);
    a->surface = surface_of(a->patch, BR_LIMIT_EXACT);
    a->table = surface_of(a->patch, BR_LIMIT_SMOOTH);
    a->contact[0] = cells_on(a->patch, law, 31);
    a->contact[1] = blocks_on(a->patch, law, 5);
    a->contact[2] = reduced_with(a->table, law);
    a->fn = 2.0;
    a->r = br_limit_get_patch_value(a->surface).r;
    a->u = br_limit_get_patch_value(a->surface).u;
    assert_true(br_contact_get_state_count(a->contact[0]) <= MOST_STATES);
}

static void make_trio(const br_patch_def* def, br_law law)
{
    make_trio_at(&all, def, law);
}

static void destroy_trio_of(trio* a)
{
    for (int i = 0; i < MODELS; i++) {
        br_contact_destroy(a->contact[i]);
    }
    br_limit_destroy(a->table);
    br_limit_destroy(a->surface);
    br_patch_destroy(a->patch);
}

static void destroy_trio(void)
{
    destroy_trio_of(&all);
}

static double load_of(const trio* a, int i, br_twist v)
{
    return br_contact_load_eval(a->contact[i], a->z[i], v, a->fn);
}

static br_contact_slip slip_of(const trio* a, int i, br_twist v, br_slip_state before)
{
    return br_contact_slip_eval(a->contact[i], a->z[i], v, a->fn, before, NULL);
}

// Bristles of a patch that stuck and moved elastically by this displacement at the CoP [m, m, rad].
static void stretch(br_twist by)
{
    for (int k = 0; k < MODELS; k++) {
        const size_t n = br_contact_get_part_count(all.contact[k]);
        for (size_t i = 0; i < n; i++) {
            const br_contact_part part = br_contact_get_part(all.contact[k], i);
            all.z[k][i] = by.vx - by.w * part.position.y;
            all.z[k][n + i] = by.vy + by.w * part.position.x;
            if (k > 0) {
                all.z[k][2 * n + i] = by.w * (part.xx + part.yy);
            }
        }
    }
    all.z[2][2] = by.w * all.u; // the torque of the cells; the reduced elasticity has r^2 for u
}

static br_patch_def shape(int which)
{
    static const br_vec2 corners[] = {{0.0, 0.0}, {0.03, 0.0}, {0.0, 0.02}};
    br_patch_def def = br_patch_def_default();
    if (which == 1) {
        def.shape = BR_SHAPE_RECTANGLE;
        def.size_x = 0.04;
        def.size_y = 0.01;
        def.angle = 0.4;
    } else if (which == 2) {
        def.shape = BR_SHAPE_LINE;
        def.length = 0.05;
    } else if (which == 3) {
        def.shape = BR_SHAPE_POLYGON;
        def.vertices = corners;
        def.count = 3;
    }
    return def;
}

static const br_twist rest = {0.0, 0.0, 0.0};

/* Oracle: the gauge of the exact limit surface (limit.h) for the wrench of bristles that are stretched
 * elastically, in 200 random directions on four patches; the load is in proportion to it. */
static void loads_at_rest_are_the_gauge_of_the_limit_surface(void** state)
{
    (void)state;
    // cells 31 across against the exact surface; blocks and smooth tables by their own accuracy
    static const double tolerance[MODELS] = {5e-3, 0.03, 5e-3};
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    uint64_t seed = 7;
    for (int which = 0; which < 4; which++) {
        const br_patch_def def = shape(which);
        double worst[MODELS] = {0.0};
        make_trio(&def, law);
        for (int k = 0; k < 200; k++) {
            const double sx = uniform(&seed, -1.0, 1.0), sy = uniform(&seed, -1.0, 1.0),
                         sw = uniform(&seed, -1.0, 1.0), most = 0.8 * law.mu_s / law.sigma0;
            const br_twist by = {0.3 * most * sx, 0.3 * most * sy, 0.3 * most * sw / all.r};
            stretch(by);
            const br_vec2 force = {law.sigma0 * by.vx, law.sigma0 * by.vy};
            const br_wrench f = {force.x / law.mu_s, force.y / law.mu_s,
                                 law.sigma0 * all.u * by.w / law.mu_s};
            for (int i = 0; i < MODELS; i++) {
                // cells and blocks are stretched in the patch's axes, reduced contacts in the frame's
                const double angle = i == 2 ? 0.0 : def.angle;
                const br_vec2 turned = br_vec2_rotate((br_vec2){f.fx, f.fy}, angle);
                const double expected =
                    br_limit_gauge(all.surface, (br_wrench){turned.x, turned.y, f.tau}, NULL);
                const double load = load_of(&all, i, rest);
                worst[i] = fmax(worst[i], fabs(load / expected - 1.0));
            }
        }
        for (int i = 0; i < MODELS; i++) {
            print_message("patch %d, %s: load off by %.1e\n", which, model_names[i], worst[i]);
            assert_true(worst[i] <= tolerance[i]);
        }
        destroy_trio();
    }
}

/* Oracle: closed form. A pure force stretches all bristles by f/sigma0, a pure torque on a disc those at
 * rho by tau rho/(sigma0 u), and they hold mu_s fn and mu_s fn r. */
static void pure_forces_and_torques_are_exact(void** state)
{
    (void)state;
    const br_law law = br_law_default(BR_LAW_LUGRE);
    const br_patch_def def = br_patch_def_default();
    make_trio(&def, law);
    for (int i = 0; i < MODELS; i++) {
        const br_patch_value value = br_contact_get_patch_value(all.contact[i]);
        stretch((br_twist){0.0, -0.6 * law.mu_s / law.sigma0, 0.0});
        assert_near(load_of(&all, i, rest), 0.6, 1e-9 /* rounding */);
        stretch((br_twist){0.0, 0.0, 0.6 * law.mu_s * value.r / (law.sigma0 * value.u)});
        assert_near(load_of(&all, i, rest), 0.6,
                    i == 1 ? 0.01 /* blocks: their torque */ : 2e-3 /* u of cells */);
        stretch(rest);
        assert_near(load_of(&all, i, rest), 0.0, 0.0 /* exact */);
    }
    destroy_trio();
}

/* Oracle: closed form. A single point away from the origin holds mu_s fn in any direction and no torque. */
static void a_point_holds_forces(void** state)
{
    (void)state;
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    const br_support_point point = {0.02, -0.01, 1.0};
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.points = &point;
    def.count = 1;
    make_trio(&def, law);
    const double most = law.mu_s / law.sigma0;
    stretch((br_twist){0.3 * most, -0.4 * most, 0.0});
    for (int i = 0; i < MODELS; i++) {
        assert_near(load_of(&all, i, rest), 0.5, 1e-12 /* rounding */);
        const br_twist turning = {0.0, 0.0, 3.0}; // about the point: nothing moves there
        const br_contact_slip s = slip_of(&all, i, turning, BR_STATE_STICK);
        assert_near(s.slip_rate, 0.0, 1e-12 /* m/s: rounding */);
        assert_int_equal(s.state, BR_STATE_STICK);
    }
    destroy_trio();
}

// Let the bristles come to steady sliding.
static void slide(br_twist v)
{
    for (int i = 0; i < MODELS; i++) {
        br_contact_steady_eval(all.contact[i], v, all.fn, all.z[i]);
    }
}

/* Oracle: steady sliding. It slips at the mean speed of the patch, which for a spin is r w, with load 1,
 * at any speed, also below v_s where friction is mu_s. */
static void steady_sliding_slips_at_its_speed(void** state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        const br_law law = br_law_default(kind ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE);
        const br_patch_def def = shape(1);
        make_trio(&def, law);
        for (double speed = 1e-6; speed < 2.0; speed *= 100.0) {
            const br_twist twists[] = {{speed, 0.0, 0.0},
                                       {0.0, 0.0, speed / all.r},
                                       {0.6 * speed, 0.3 * speed, -0.7 * speed / all.r}};
            for (int k = 0; k < 3; k++) {
                const br_limit_value there = br_limit_eval(all.surface, twists[k]);
                const double mean =
                    -(there.wrench.fx * twists[k].vx + there.wrench.fy * twists[k].vy +
                      there.wrench.tau * twists[k].w);
                slide(twists[k]);
                for (int i = 0; i < MODELS; i++) {
                    const br_contact_slip s = slip_of(&all, i, twists[k], BR_STATE_STICK);
                    assert_near_relative(s.slip_rate, mean, i == 1 ? 0.02 : 5e-3 /* surfaces */);
                    assert_int_equal(s.state, BR_STATE_SLIP);
                    assert_near(load_of(&all, i, twists[k]), 1.0, 1e-6 /* steady */);
                }
            }
        }
        destroy_trio();
    }
}

/* Oracle: W&K (16)-(18): below s_ba elasto-plastic bristles are elastic, and against their stretch they
 * are, too. Plain LuGre loses q^2 of the speed where q is its load. */
static void elastic_motion_does_not_slip(void** state)
{
    (void)state;
    const br_patch_def def = br_patch_def_default();
    const br_twist v = {0.0, 1.0, 0.0};
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_s = law.mu_c; // so that the speed does not count
    for (int kind = 0; kind < 2; kind++) {
        law.kind = kind ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC;
        make_trio(&def, law);
        stretch((br_twist){0.0, 0.5 * law.mu_c / law.sigma0, 0.0});
        for (int i = 0; i < MODELS; i++) {
            const br_contact_slip s = slip_of(&all, i, v, BR_STATE_STICK);
            assert_near(s.slip_rate, kind ? 0.25 : 0.0, 1e-9 /* m/s: rounding */);
            assert_int_equal(s.state, BR_STATE_STICK);
        }
        stretch((br_twist){0.0, -law.mu_c / law.sigma0, 0.0}); // pulls it on: it has just stopped
        for (int i = 0; i < MODELS; i++) {
            assert_int_equal(slip_of(&all, i, v, BR_STATE_SLIP).state, BR_STATE_STICK);
        }
        destroy_trio();
    }
}

/* Oracle: the definition: between rest and whole sliding the state stays; no force, no contact. */
static void states_have_hysteresis_and_open_is_one(void** state)
{
    (void)state;
    const br_law law = br_law_default(BR_LAW_LUGRE);
    const br_patch_def def = br_patch_def_default();
    const br_twist v = {1e-9, 0.0, 0.0};
    make_trio(&def, law);
    stretch((br_twist){0.9 * law.mu_s / law.sigma0, 0.0, 0.0});
    for (int i = 0; i < MODELS; i++) {
        all.fn = 2.0;
        assert_int_equal(slip_of(&all, i, v, BR_STATE_STICK).state, BR_STATE_STICK);
        assert_int_equal(slip_of(&all, i, v, BR_STATE_OPEN).state, BR_STATE_STICK);
        assert_int_equal(slip_of(&all, i, v, BR_STATE_SLIP).state, BR_STATE_SLIP);
        assert_int_equal(slip_of(&all, i, rest, BR_STATE_SLIP).state, BR_STATE_STICK);
        all.fn = 0.0;
        assert_int_equal(slip_of(&all, i, v, BR_STATE_SLIP).state, BR_STATE_OPEN);
        assert_near(slip_of(&all, i, v, BR_STATE_SLIP).slip_rate, 0.0, 0.0 /* exact */);
        assert_near(load_of(&all, i, v), 0.0, 0.0 /* exact */);
    }
    destroy_trio();
}

/* Oracle: a patch at another position and turned is the same in its own axes: the load and the slip are, too.
 * NaN shows. */
static void frames_do_not_count_and_nan_shows(void** state)
{
    (void)state;
    static trio moved;
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    br_patch_def def = shape(3);
    make_trio(&def, law);
    def.centre = (br_vec2){0.3, -0.2};
    def.angle = 0.7;
    make_trio_at(&moved, &def, law);
    const br_twist at = {0.02, -0.01, 1.3};
    const br_vec2 v = br_vec2_rotate((br_vec2){at.vx, at.vy}, def.angle);
    const br_twist turned = {v.x, v.y, at.w};
    slide((br_twist){0.01, 0.02, 0.5});
    memcpy(moved.z, all.z, sizeof moved.z);

    // bristles of a reduced contact are in the frame's axes
    const br_vec2 z = br_vec2_rotate((br_vec2){all.z[2][0], all.z[2][1]}, def.angle);
    moved.z[2][0] = z.x;
    moved.z[2][1] = z.y;
    for (int i = 0; i < MODELS; i++) {
        const br_contact_slip a = slip_of(&all, i, at, BR_STATE_STICK);
        const br_contact_slip b = slip_of(&moved, i, turned, BR_STATE_STICK);
        assert_near_relative(b.slip_rate, a.slip_rate, 1e-12 /* rounding */);
        assert_near(b.margin, a.margin, 1e-12 /* rounding */);
        assert_near(load_of(&moved, i, turned), load_of(&all, i, at),
                    1e-4 /* rounds of the gauge */);
        all.z[i][0] = (double)NAN;
        assert_true(isnan(load_of(&all, i, rest)));
        assert_true(isnan(slip_of(&all, i, at, BR_STATE_STICK).slip_rate));
    }
    destroy_trio_of(&moved);
    destroy_trio();
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_at_rest_are_the_gauge_of_the_limit_surface),
        cmocka_unit_test(pure_forces_and_torques_are_exact),
        cmocka_unit_test(a_point_holds_forces),
        cmocka_unit_test(steady_sliding_slips_at_its_speed),
        cmocka_unit_test(elastic_motion_does_not_slip),
        cmocka_unit_test(states_have_hysteresis_and_open_is_one),
        cmocka_unit_test(frames_do_not_count_and_nan_shows),
    };
    return run_group(argc, argv, tests);
}
