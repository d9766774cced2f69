/* Tests of br_step_load_eval() and br_step_slip_eval(): how near a contact is to slipping, and how fast
 * it slips. */
#include "check.h"

#include "bristle/step.h"

#include "bodies.h"

enum { MODELS = 3, MOST_STATES = 4096 };

static const char* const model_names[MODELS] = {"distributed", "blocks", "reduced"};

// The three models of one patch, as contacts of a step; the states live here.
typedef struct trio {
    br_patch* patch;
    br_limit* surface; // exact
    br_limit* table;   // of the reduced model
    br_distributed* cells;
    br_blocks* blocks;
    br_reduced* reduced;
    double z[MODELS][MOST_STATES];
    br_step_contact contact[MODELS];
    double r, u;
} trio;

static trio all;

static void make_trio(const br_patch_def* def, br_law law)
{
    trio* a = &all;
    memset(a, 0, sizeof *a);
    assert_status(br_patch_create(def, &a->patch, NULL), BR_OK);
    a->surface = surface_of(a->patch, BR_LIMIT_EXACT);
    a->table = surface_of(a->patch, BR_LIMIT_SMOOTH);
    a->cells = cells_on(a->patch, law, 31);
    a->blocks = blocks_on(a->patch, law, 5);
    a->reduced = reduced_with(a->table, law);
    a->r = br_limit_get_patch_value(a->surface).r;
    a->u = br_limit_get_patch_value(a->surface).u;
    assert_true(2 * br_distributed_get_count(a->cells) <= MOST_STATES);
    for (int i = 0; i < MODELS; i++) {
        a->contact[i] = (br_step_contact){.z = a->z[i], .fn = 2.0, .count = 1.0};
    }
    a->contact[0].distributed = a->cells;
    a->contact[1].blocks = a->blocks;
    a->contact[2].reduced = a->reduced;
}

static void destroy_trio(void)
{
    br_reduced_destroy(all.reduced);
    br_blocks_destroy(all.blocks);
    br_distributed_destroy(all.cells);
    br_limit_destroy(all.table);
    br_limit_destroy(all.surface);
    br_patch_destroy(all.patch);
}

// Bristles of a patch that stuck and moved elastically by this displacement at the CoP [m, m, rad].
static void stretch(br_twist by)
{
    const size_t n = br_distributed_get_count(all.cells), m = br_blocks_get_count(all.blocks);
    for (size_t i = 0; i < n; i++) {
        const br_distributed_cell cell = br_distributed_get_cell(all.cells, i);
        all.z[0][i] = by.vx - by.w * cell.position.y;
        all.z[0][n + i] = by.vy + by.w * cell.position.x;
    }
    for (size_t i = 0; i < m; i++) {
        const br_blocks_block block = br_blocks_get_block(all.blocks, i);
        all.z[1][i] = by.vx - by.w * block.position.y;
        all.z[1][m + i] = by.vy + by.w * block.position.x;
        all.z[1][2 * m + i] = by.w * (block.xx + block.yy);
    }
    all.z[2][0] = by.vx;
    all.z[2][1] = by.vy;
    all.z[2][2] = by.w * all.u; // the torque of the cells; the model's own elasticity has r^2 for u
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
                // cells and blocks are stretched in the patch's axes, the reduced model in the frame's
                const double angle = i == 2 ? 0.0 : def.angle;
                const br_vec2 turned = br_vec2_rotate((br_vec2){f.fx, f.fy}, angle);
                const double expected =
                    br_limit_gauge(all.surface, (br_wrench){turned.x, turned.y, f.tau}, NULL);
                const double load = br_step_load_eval(&all.contact[i], rest);
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
        const br_patch_value value = i == 0   ? br_distributed_get_patch_value(all.cells)
                                     : i == 1 ? br_blocks_get_patch_value(all.blocks)
                                              : br_reduced_get_patch_value(all.reduced);
        stretch((br_twist){0.0, -0.6 * law.mu_s / law.sigma0, 0.0});
        assert_near(br_step_load_eval(&all.contact[i], rest), 0.6, 1e-9 /* rounding */);
        stretch((br_twist){0.0, 0.0, 0.6 * law.mu_s * value.r / (law.sigma0 * value.u)});
        assert_near(br_step_load_eval(&all.contact[i], rest), 0.6,
                    i == 1 ? 0.01 /* blocks: their torque */ : 2e-3 /* u of cells */);
        stretch(rest);
        assert_near(br_step_load_eval(&all.contact[i], rest), 0.0, 0.0 /* exact */);
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
        assert_near(br_step_load_eval(&all.contact[i], rest), 0.5, 1e-12 /* rounding */);
        const br_twist turning = {0.0, 0.0, 3.0}; // about the point: nothing moves there
        const br_step_slip s = br_step_slip_eval(&all.contact[i], turning, BR_STICK);
        assert_near(s.slip_rate, 0.0, 1e-12 /* m/s: rounding */);
        assert_int_equal(s.state, BR_STICK);
    }
    destroy_trio();
}

// Let the bristles come to steady sliding.
static void slide(br_twist v)
{
    br_distributed_steady_state_eval(all.cells, v, all.z[0]);
    br_blocks_steady_state_eval(all.blocks, v, all.z[1]);
    br_reduced_steady_state_eval(all.reduced, v, all.z[2]);
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
            const br_twist ways[] = {{speed, 0.0, 0.0},
                                     {0.0, 0.0, speed / all.r},
                                     {0.6 * speed, 0.3 * speed, -0.7 * speed / all.r}};
            for (int k = 0; k < 3; k++) {
                const br_limit_value there = br_limit_eval(all.surface, ways[k]);
                const double mean = -(there.wrench.fx * ways[k].vx + there.wrench.fy * ways[k].vy +
                                      there.wrench.tau * ways[k].w);
                slide(ways[k]);
                for (int i = 0; i < MODELS; i++) {
                    const br_step_slip s = br_step_slip_eval(&all.contact[i], ways[k], BR_STICK);
                    assert_near_relative(s.slip_rate, mean, i == 1 ? 0.02 : 5e-3 /* surfaces */);
                    assert_int_equal(s.state, BR_SLIP);
                    assert_near(br_step_load_eval(&all.contact[i], ways[k]), 1.0,
                                1e-6 /* steady */);
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
            const br_step_slip s = br_step_slip_eval(&all.contact[i], v, BR_STICK);
            assert_near(s.slip_rate, kind ? 0.25 : 0.0, 1e-9 /* m/s: rounding */);
            assert_int_equal(s.state, BR_STICK);
        }
        stretch((br_twist){0.0, -law.mu_c / law.sigma0, 0.0}); // pulls it on: it has just stopped
        for (int i = 0; i < MODELS; i++) {
            assert_int_equal(br_step_slip_eval(&all.contact[i], v, BR_SLIP).state, BR_STICK);
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
        br_step_contact* c = &all.contact[i];
        assert_int_equal(br_step_slip_eval(c, v, BR_STICK).state, BR_STICK);
        assert_int_equal(br_step_slip_eval(c, v, BR_OPEN).state, BR_STICK);
        assert_int_equal(br_step_slip_eval(c, v, BR_SLIP).state, BR_SLIP);
        assert_int_equal(br_step_slip_eval(c, rest, BR_SLIP).state, BR_STICK);
        c->fn = 0.0;
        assert_int_equal(br_step_slip_eval(c, v, BR_SLIP).state, BR_OPEN);
        assert_near(br_step_slip_eval(c, v, BR_SLIP).slip_rate, 0.0, 0.0 /* exact */);
        assert_near(br_step_load_eval(c, v), 0.0, 0.0 /* exact */);
    }
    destroy_trio();
}

/* Oracle: a twist at an arm and in turned axes is the same motion: the load and the slip are, too. NaN
 * shows, and nothing is allocated. */
static void frames_do_not_count_and_nan_shows(void** state)
{
    (void)state;
    const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    const br_patch_def def = shape(3);
    make_trio(&def, law);
    const br_twist at = {0.02, -0.01, 1.3};
    slide((br_twist){0.01, 0.02, 0.5});
    for (int i = 0; i < MODELS; i++) {
        br_step_contact moved = all.contact[i];
        moved.arm = (br_vec2){0.3, -0.2};
        moved.angle = 0.7;
        const br_vec2 turned = br_vec2_rotate((br_vec2){at.vx, at.vy}, 0.7);
        const br_twist far = {turned.x + at.w * moved.arm.y, turned.y - at.w * moved.arm.x, at.w};
        const br_step_slip a = br_step_slip_eval(&all.contact[i], at, BR_STICK);
        const br_step_slip b = br_step_slip_eval(&moved, far, BR_STICK);
        assert_near_relative(b.slip_rate, a.slip_rate, 1e-12 /* rounding */);
        assert_near(b.margin, a.margin, 1e-12 /* rounding */);
        assert_near(br_step_load_eval(&moved, far), br_step_load_eval(&all.contact[i], at),
                    1e-4 /* rounds of the gauge */);
        all.z[i][0] = (double)NAN;
        assert_true(isnan(br_step_load_eval(&all.contact[i], rest)));
        assert_true(isnan(br_step_slip_eval(&all.contact[i], at, BR_STICK).slip_rate));
    }
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
