/*
 * Properties of planar contacts on random states and twists: what comes in finite goes out finite,
 * NaN stays NaN, and turned, mirrored or one-dimensional motions meet turned, mirrored or
 * one-dimensional friction. A million samples over all models of a test; fewer in a mirror (0.8
 * million, blocks 0.1), for steady states (0.5) and NaN (each number once).
 */
#include "planar_models.h"

enum { SAMPLES = 1000000, MODELS = 10 };

static br_law some_law(int i)
{
    br_law law = br_law_default(i % 2 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC);
    law.s_ba = i % 4 == 0 ? 0.0 : 0.9;
    return law;
}

enum { TABLE = 3 }; // pair of models with a limit surface from a table

// Cells, blocks and reduced models of round and uneven patches, both laws.
static any_model make_model(int which, const br_patch* disc, double angle)
{
    br_patch_def points = patch_def(POINTS), lattice = patch_def(DISC), corner = patch_def(CORNER);
    points.angle = lattice.angle = corner.angle = angle;
    switch (which / 2) {
    case 0:
        return make_cells(points, some_law(which));
    case 1:
        return make_cells(lattice, some_law(which));
    case 2:
        return make_blocks(corner, some_law(which), 2);
    case TABLE:
        return make_reduced(disc, BR_LIMIT_BILINEAR, some_law(which));
    default:
        return make_reduced(disc, BR_LIMIT_ELLIPSOID, some_law(which));
    }
}

static int is_finite(br_wrench f, const double* dz, size_t n)
{
    double sum = f.fx + f.fy + f.tau;
    for (size_t i = 0; i < n; i++) {
        sum += dz[i];
    }
    return isfinite(sum);
}

// Any sign, any size from 1e-300 to 1e100.
static double any_number(uint64_t* seed)
{
    const double size = pow(10.0, uniform(seed, -300.0, 100.0));
    return uniform(seed, -1.0, 1.0) < 0.0 ? -size : size;
}

/* Oracle: br_contact_eval()'s contract. Finite numbers give finite numbers, from 1e-300 to 1e100. */
static void finite_numbers_give_finite_numbers(void** state)
{
    (void)state;
    static double z[MOST_STATES], dz[MOST_STATES], unit[MOST_STATES];
    br_patch* disc = make_patch(patch_def(DISC));
    uint64_t seed = 1;
    for (int which = 0; which < MODELS; which++) {
        any_model m = make_model(which, disc, 0.0);
        fill_units(&m, unit);
        for (int i = 0; i < SAMPLES / MODELS; i++) {
            const int wild = i % 8 == 0; // each number of its own size
            const double size = any_number(&seed), speed = any_number(&seed);
            for (size_t k = 0; k < m.states; k++) {
                const double any = wild ? any_number(&seed) : size * uniform(&seed, -1.0, 1.0);
                z[k] = unit[k] > 0.0 ? any : 0.0;
            }
            const br_twist v =
                wild ? (br_twist){any_number(&seed), any_number(&seed), any_number(&seed)}
                     : random_twist(&seed, speed);
            const br_wrench f = eval_model(&m, z, v, 1.0, dz);
            if (!is_finite(f, dz, m.states)) {
                fail_msg("model %d: not finite, v %g %g %g, z %g %g", which, v.vx, v.vy, v.w, z[0],
                         z[1]);
            }
        }
        destroy_model(m);
    }
    br_patch_destroy(disc);
}

/* Oracle: br_contact_eval()'s contract. NaN in any one number comes out. */
static void nan_gives_nan(void** state)
{
    (void)state;
    static double z[MOST_STATES], dz[MOST_STATES], unit[MOST_STATES];
    br_patch* disc = make_patch(patch_def(DISC));
    uint64_t seed = 2;
    for (int which = 0; which < MODELS; which++) {
        any_model m = make_model(which, disc, 0.4);
        fill_units(&m, unit);
        for (size_t k = 0; k < m.states + 4; k++) {
            random_deflections(&seed, &m, unit, 1.2e-6, z);
            br_twist v = random_twist(&seed, 1e-3);
            double* const number[4] = {&v.vx, &v.vy, &v.w, &(double){1.0}};
            double* const spoilt = k < 4 ? number[k] : &z[k - 4];
            if (k >= 4 && !(unit[k - 4] > 0.0)) {
                continue; // padding
            }
            *spoilt = (double)NAN;
            const br_wrench f = eval_model(&m, z, v, k == 3 ? (double)NAN : 1.0, dz);
            assert_true(isnan(f.fx + f.fy + f.tau));
            assert_true(k == 3 || !is_finite(f, dz, m.states));
        }
        destroy_model(m);
    }
    br_patch_destroy(disc);
}

static br_twist turn_twist(br_twist v, double angle)
{
    const br_vec2 slide = br_vec2_rotate((br_vec2){v.vx, v.vy}, angle);
    return (br_twist){slide.x, slide.y, v.w};
}

// A size for tolerances [N]: what the bristles and their dampers can bear.
static double force_scale(const any_model* m, double speed)
{
    return 5.0 * (1.3 + m->law.sigma1 * 4.0 * speed);
}

/* Oracle: invariant. In a frame that is turned and moved, a patch with the same bristles has the same
 * friction, turned; the state of cells and blocks is in the patch's axes, so it stays. */
static void a_turned_frame_turns_the_wrench(void** state)
{
    (void)state;
    static double z[MOST_STATES], dz[MOST_STATES], turned_dz[MOST_STATES], unit[MOST_STATES];
    uint64_t seed = 3;
    for (int k = 0; k < 10; k++) {
        br_patch_def shape = patch_def(k % 2 ? CORNER : POINTS);
        const br_law law = some_law(k / 4);
        const double angle = uniform(&seed, -BR_PI, BR_PI);
        const int blocks = k / 2 % 2;
        shape.angle = 0.0;
        any_model a = blocks ? make_blocks(shape, law, 2) : make_cells(shape, law);
        shape.angle = angle;
        shape.centre = (br_vec2){0.3, -0.7};
        any_model b = blocks ? make_blocks(shape, law, 2) : make_cells(shape, law);
        fill_units(&a, unit);
        for (int i = 0; i < SAMPLES / 10; i++) {
            const double speed = 1e-3;
            const br_twist v = random_twist(&seed, speed);
            random_deflections(&seed, &a, unit, 1.2e-6, z);
            const br_wrench f = eval_model(&a, z, v, 2.0, dz);
            const br_wrench g = eval_model(&b, z, turn_twist(v, angle), 2.0, turned_dz);
            const br_vec2 force = br_vec2_rotate((br_vec2){f.fx, f.fy}, angle);
            const double scale = force_scale(&a, speed);
            assert_near(g.fx, force.x, 1e-13 * scale /* rounding */);
            assert_near(g.fy, force.y, 1e-13 * scale);
            assert_near(g.tau, f.tau, 1e-15 * scale);
            assert_near(turned_dz[0], dz[0], 1e-13 * 5.0 * speed);
        }
        destroy_model(a);
        destroy_model(b);
    }
}

// A disc in a mirror (y -> -y) is a disc; points in a mirror are other points.
static br_patch_def mirrored_points(br_support_point out[3])
{
    br_patch_def def = patch_def(POINTS);
    for (int i = 0; i < 3; i++) {
        out[i] = (br_support_point){tripod[i].x, -tripod[i].y, tripod[i].weight};
    }
    def.points = out;
    return def;
}

static void compare_mirrored(const any_model* a, const any_model* b, uint64_t* seed, int samples)
{
    static double z[MOST_STATES], back[MOST_STATES], dz[MOST_STATES], dz_back[MOST_STATES];
    static double unit[MOST_STATES];
    const size_t n = a->parts; // x, y, (spin): n each
    fill_units(a, unit);
    for (int i = 0; i < samples; i++) {
        const br_twist v = random_twist(seed, 1e-3);
        random_deflections(seed, a, unit, 1.2e-6, z);
        for (size_t k = 0; k < a->states; k++) {
            back[k] = k < n ? z[k] : -z[k];
        }
        const br_wrench f = eval_model(a, z, v, 2.0, dz);
        const br_wrench g = eval_model(b, back, (br_twist){v.vx, -v.vy, -v.w}, 2.0, dz_back);
        const double scale = force_scale(a, 1e-3);
        assert_near(g.fx, f.fx, 1e-13 * scale /* rounding */);
        assert_near(g.fy, -f.fy, 1e-13 * scale);
        assert_near(g.tau, -f.tau, 1e-15 * scale);
        assert_near(dz_back[0], dz[0], 1e-13 * 5e-3);
        assert_near(dz_back[n], -dz[n], 1e-13 * 5e-3);
    }
}

/* Oracle: invariant. A mirrored patch under a mirrored motion has mirrored friction. */
static void a_mirror_mirrors_the_wrench(void** state)
{
    (void)state;
    br_support_point points[3];
    br_patch* disc = make_patch(patch_def(DISC));
    uint64_t seed = 4;
    for (int k = 0; k < 8; k++) {
        const br_law law = some_law(k / 2);
        any_model a = k % 2 ? make_reduced(disc, k < 4 ? BR_LIMIT_BILINEAR : BR_LIMIT_EXACT, law)
                            : make_cells(patch_def(POINTS), law);
        any_model b = k % 2 ? a : make_cells(mirrored_points(points), law);
        const int slow = a.surface && k >= 4; // the exact surface takes microseconds
        compare_mirrored(&a, &b, &seed, slow ? SAMPLES / 100 : SAMPLES / 8);
        destroy_model(a);
        if (k % 2 == 0) {
            destroy_model(b);
        }
    }
    br_patch_destroy(disc);
}

// A pressure grid with odd numbers of cells, and the same upside down.
enum { COLUMNS = 7, ROWS = 9 };
static br_patch_def odd_grid(double cells[ROWS * COLUMNS], int mirrored)
{
    uint64_t seed = 11;
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            const int at = mirrored ? ROWS - 1 - row : row;
            const double p = uniform(&seed, -0.3, 1.0);
            cells[at * COLUMNS + column] = p > 0.0 ? p : 0.0;
        }
    }
    br_patch_def def = patch_def(DISC);
    def.shape = BR_SHAPE_GRID;
    def.size_x = 0.014, def.size_y = 0.018;
    def.columns = COLUMNS, def.rows = ROWS;
    def.cells = cells;
    return def;
}

// The block of `m` where block i of `a` is in the mirror.
static size_t partner(const any_model* a, const any_model* m, size_t i)
{
    const br_contact_part b = br_contact_get_part(a->contact, i);
    for (size_t k = 0; k < m->parts; k++) {
        const br_contact_part c = br_contact_get_part(m->contact, k);
        if (hypot(c.position.x - b.position.x, c.position.y + b.position.y) < 1e-12 &&
            (c.weight > 0.0) == (b.weight > 0.0)) {
            assert_near(c.weight, b.weight, 1e-14 /* rounding */);
            assert_near(c.xx, b.xx, 1e-17 /* m^2, rounding of 1e-4 */);
            assert_near(c.xy, -b.xy, 1e-17);
            assert_near(c.yy, b.yy, 1e-17);
            return k;
        }
    }
    fail_msg("block %zu at (%g, %g) has no partner", i, b.position.x, b.position.y);
    return 0;
}

/* Oracle: invariant. Blocks of a grid with odd numbers of cells are cut alike from both sides, and
 * their friction is mirrored with them. */
static void blocks_of_odd_grids_are_the_same_in_a_mirror(void** state)
{
    (void)state;
    static double cells[2][ROWS * COLUMNS];
    static double z[MOST_STATES], back[MOST_STATES], dz[MOST_STATES], unit[MOST_STATES];
    uint64_t seed = 5;
    for (size_t across = 1; across <= 4; across++) {
        const br_law law = some_law((int)across);
        any_model a = make_blocks(odd_grid(cells[0], 0), law, across);
        any_model b = make_blocks(odd_grid(cells[1], 1), law, across);
        const size_t n = a.parts;
        assert_int_equal(a.states, b.states);
        fill_units(&a, unit);
        size_t where[MOST_STATES];
        for (size_t i = 0; i < n; i++) {
            where[i] = partner(&a, &b, i);
        }
        for (int i = 0; i < SAMPLES / 40; i++) {
            const br_twist v = random_twist(&seed, 1e-3);
            random_deflections(&seed, &a, unit, 1.2e-6, z);
            for (size_t k = 0; k < n; k++) {
                back[where[k]] = z[k];
                back[n + where[k]] = -z[n + k];
                back[2 * n + where[k]] = -z[2 * n + k];
            }
            const br_wrench f = eval_model(&a, z, v, 1.0, dz);
            const br_wrench g = eval_model(&b, back, (br_twist){v.vx, -v.vy, -v.w}, 1.0, dz);
            const double scale = force_scale(&a, 1e-3);
            assert_near(g.fx, f.fx, 1e-12 * scale /* rounding of sums in another order */);
            assert_near(g.fy, -f.fy, 1e-12 * scale);
            assert_near(g.tau, -f.tau, 1e-14 * scale);
        }
        destroy_model(a);
        destroy_model(b);
    }
}

/* Oracle: br_law_eval(). All bristles alike, along one line: the one-dimensional law, in any direction
 * (a table's only along its axis). gamma other than 2, too. */
static void one_dimension_is_the_law(void** state)
{
    (void)state;
    static double z[MOST_STATES], dz[MOST_STATES], unit[MOST_STATES];
    br_patch* disc = make_patch(patch_def(DISC));
    uint64_t seed = 6;
    for (int k = 0; k < 2 * MODELS; k++) {
        any_model m = make_model(k % MODELS, disc, 0.0);
        if (k >= MODELS && m.method == BR_METHOD_BLOCKS) { // another exponent: g by pow()
            br_law law = m.law;
            law.gamma = 0.8;
            destroy_model(m);
            m = make_blocks(patch_def(DISC), law, 3);
        }
        fill_units(&m, unit);
        const size_t n = m.parts;
        for (int i = 0; i < SAMPLES / (2 * MODELS); i++) {
            const int axis_only = k % MODELS / 2 == TABLE;
            const double angle = axis_only ? 0.0 : uniform(&seed, -BR_PI, BR_PI);
            const double deflection = uniform(&seed, -1.3e-6, 1.3e-6);
            const double v = uniform(&seed, -4e-3, 4e-3), c = cos(angle), s = sin(angle);
            for (size_t j = 0; j < m.states; j++) {
                z[j] = j < n       ? unit[j] * deflection * c
                       : j < 2 * n ? unit[j] * deflection * s
                                   : 0.0;
            }
            const br_wrench f = eval_model(&m, z, (br_twist){v * c, v * s, 0.0}, 2.0, dz);
            const br_law_value line = br_law_eval(&m.law, deflection, v, 2.0);
            assert_near(f.fx, -line.f * c, 1e-12 * 20.0 /* N, rounding; sigma1 v fn is 6 N */);
            assert_near(f.fy, -line.f * s, 1e-12 * 20.0);
            assert_near(dz[0], line.dz * c, 1e-12 * 1e-2);
        }
        destroy_model(m);
    }
    br_patch_destroy(disc);
}

/* Oracle: the limit surface. A reduced model slides steadily with g times its surface; cells where
 * mu_s = mu_c with mu times the exact surface of their points. */
static void steady_sliding_is_g_times_the_limit_surface(void** state)
{
    (void)state;
    br_patch* patch[2] = {make_patch(patch_def(POINTS)), make_patch(patch_def(DISC))};
    uint64_t seed = 7;
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_s = law.mu_c = 0.7;
    any_model cells = make_cells(patch_def(POINTS), law);
    any_model exact = make_reduced(patch[0], BR_LIMIT_EXACT, law);
    any_model table = make_reduced(patch[1], BR_LIMIT_BILINEAR, br_law_default(BR_LAW_LUGRE));
    const double r = value_of(&table).r, u = value_of(&table).u;
    for (int i = 0; i < SAMPLES / 2; i++) {
        const br_twist v = random_twist(&seed, pow(10.0, uniform(&seed, -6.0, 0.0)));
        const double scale = 1e-12 * (1.0 + 10.0 * (fabs(v.vx) + fabs(v.vy) + fabs(v.w)));
        const double g = br_law_g(&table.law, sqrt(v.vx * v.vx + v.vy * v.vy + r * r * v.w * v.w));
        const br_wrench h = br_limit_eval(table.surface, v).wrench;
        const br_wrench f = br_contact_steady_eval(table.contact, v, 2.0, NULL);
        assert_near(f.fx, 2.0 * (g * h.fx - table.law.sigma2 * v.vx), scale /* N, rounding */);
        assert_near(f.fy, 2.0 * (g * h.fy - table.law.sigma2 * v.vy), scale);
        assert_near(f.tau, 2.0 * (g * h.tau - table.law.sigma2 * u * v.w), 1e-2 * scale);

        const br_wrench all = br_contact_steady_eval(cells.contact, v, 2.0, NULL);
        const br_wrench coulomb = br_limit_eval(exact.surface, v).wrench;
        const double square = value_of(&cells).u;
        assert_near(all.fx, 2.0 * (0.7 * coulomb.fx - law.sigma2 * v.vx), scale);
        assert_near(all.fy, 2.0 * (0.7 * coulomb.fy - law.sigma2 * v.vy), scale);
        assert_near(all.tau, 2.0 * (0.7 * coulomb.tau - law.sigma2 * square * v.w), 1e-2 * scale);
    }
    destroy_model(cells);
    destroy_model(exact);
    destroy_model(table);
    br_patch_destroy(patch[0]);
    br_patch_destroy(patch[1]);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_numbers_give_finite_numbers),
        cmocka_unit_test(nan_gives_nan),
        cmocka_unit_test(a_turned_frame_turns_the_wrench),
        cmocka_unit_test(a_mirror_mirrors_the_wrench),
        cmocka_unit_test(blocks_of_odd_grids_are_the_same_in_a_mirror),
        cmocka_unit_test(one_dimension_is_the_law),
        cmocka_unit_test(steady_sliding_is_g_times_the_limit_surface),
    };
    return run_group(argc, argv, tests);
}
