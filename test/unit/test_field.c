/*
 * Fields of mu: their values, the weights of contacts on them, contacts at a pose over them.
 */
#include "field_shapes.h"

#include "bristle/step.h"

#include "planar/contact_internal.h"

static double z[MOST], dz[MOST], other[MOST];
static const br_twist slide = {0.04, -0.02, 0.6};

static br_vec2 vec(double x, double y)
{
    return (br_vec2){x, y};
}

/* ---- values ------------------------------------------------------------------------------------ */

/* Oracle: the table itself, and its turned and shifted copy. */
static void a_field_has_the_factors_of_its_cells(void** state)
{
    (void)state;
    const double factors[6] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}; // row 0 at max y
    br_field_def def = br_field_def_default();
    def.columns = 3;
    def.rows = 2;
    def.factors = factors;
    def.size_x = 3.0;
    def.size_y = 2.0;
    br_field* plain = make_field(def);
    def.centre = vec(0.5, -0.25);
    def.angle = 0.7;
    br_field* turned = make_field(def);
    for (int row = 0; row < 2; row++) {
        for (int column = 0; column < 3; column++) {
            const br_vec2 at = vec(column - 0.9, 0.6 - row);
            const double factor = factors[3 * row + column];
            assert_near(br_field_eval(plain, at), factor, 0.0);
            const br_vec2 there = br_pose_apply((br_pose){0.5, -0.25, 0.7}, at);
            assert_near(br_field_eval(turned, there), factor, 0.0);
        }
    }
    assert_near(br_field_eval(plain, vec(-50.0, 70.0)), 1.0, 0.0 /* the corner continues */);
    assert_near(br_field_eval(plain, vec(50.0, -0.1)), 6.0, 0.0);
    assert_true(isnan(br_field_eval(plain, vec((double)NAN, 0.0))));
    br_field_destroy(plain);
    br_field_destroy(turned);
}

/* Oracle: closed form. Bilinear between the centres of cells, constant beyond the outermost centres; a factor around
 * the grid is one more ring of cells. */
static void a_bilinear_field_is_linear_between_centres(void** state)
{
    (void)state;
    const double factors[4] = {1.0, 3.0, 2.0, 8.0};
    br_field_def def = br_field_def_default();
    def.columns = def.rows = 2;
    def.factors = factors;
    def.size_x = def.size_y = 2.0;
    def.interpolation = BR_INTERPOLATION_BILINEAR;
    br_field* field = make_field(def);
    assert_near(br_field_eval(field, vec(-0.5, 0.5)), 1.0, 1e-15 /* rounding */);
    assert_near(br_field_eval(field, vec(0.0, 0.5)), 2.0, 1e-15);
    assert_near(br_field_eval(field, vec(0.0, 0.0)), 3.5, 1e-15);
    assert_near(br_field_eval(field, vec(0.25, -0.25)),
                0.75 * (0.75 * 8.0 + 0.25 * 2.0) + 0.25 * (0.75 * 3.0 + 0.25), 1e-14);
    assert_near(br_field_eval(field, vec(9.0, 0.5)), 3.0, 1e-15);
    br_field_destroy(field);
    def.outside = 0.5;
    field = make_field(def);
    assert_near(br_field_eval(field, vec(-1.0, 0.5)), 0.75, 1e-15 /* half between 1 and 0.5 */);
    assert_near(br_field_eval(field, vec(-1.5, 0.5)), 0.5, 1e-15);
    assert_near(br_field_eval(field, vec(-9.0, 9.5)), 0.5, 1e-15);
    br_field_destroy(field);
    def.interpolation = BR_INTERPOLATION_CONSTANT;
    field = make_field(def);
    assert_near(br_field_eval(field, vec(0.9, -0.9)), 8.0, 0.0);
    assert_near(br_field_eval(field, vec(1.1, -0.9)), 0.5, 0.0);
    br_field_destroy(field);
}

/* Every refusal names the field, what is wrong and what is allowed. */
static void bad_fields_are_refused(void** state)
{
    (void)state;
    br_field* field;
    br_reason why;
    const struct {
        const char *field, *text;
        double factor, size_x, size_y, angle, outside;
        size_t rows;
        int interpolation;
    } bad[] = {
        {"grid", "must be >= 0 and finite", -0.1, 1, 1, 0, 0, 1, 0},
        {"grid", "got nan in row 1", NAN, 1, 1, 0, 0, 1, 0},
        {"grid", "at least one row", 1, 1, 1, 0, 0, 0, 0},
        {"size[0]", "must be > 0", 1, 0, 1, 0, 0, 1, 0},
        {"size[1]", "must be > 0", 1, 1, -2, 0, 0, 1, 0},
        {"angle", "must be finite", 1, 1, 1, INFINITY, 0, 1, 0},
        {"outside", "must be >= 0", 1, 1, 1, 0, -1, 1, 0},
        {"interpolation", "constant or bilinear", 1, 1, 1, 0, 0, 1, 7},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        br_field_def def = br_field_def_default();
        def.columns = 1;
        def.rows = bad[i].rows;
        def.factors = &bad[i].factor;
        def.size_x = bad[i].size_x;
        def.size_y = bad[i].size_y;
        def.angle = bad[i].angle;
        def.outside = bad[i].outside;
        def.interpolation = (br_interpolation)bad[i].interpolation;
        assert_status(br_field_create(&def, &field, &why), BR_ERR_DEF);
        assert_null(field);
        assert_string_equal(why.field, bad[i].field);
        assert_non_null(strstr(why.text, bad[i].text));
    }
}

/* ---- a body half on ice, in closed form -------------------------------------------------------- */

/* Oracle: closed form. A uniform rectangle of length a, its part x > s on a floor with k times the friction:
 *   F = ((a/2 + s) + k (a/2 - s))/a,   x_f = (k - 1) (a^2/4 - s^2)/(2 a F),   f_y = -mu fn F,   tau = x_f f_y */
static void a_rectangle_half_on_ice_slides_and_turns_in_closed_form(void** state)
{
    (void)state;
    const double a = 0.2, fn = 30.0;
    br_patch* patch = make(rectangle_def(a, 0.1));
    static const double ice[] = {0.0, 0.1, 0.5, 2.0};
    for (size_t i = 0; i < COUNT(ice); i++) {
        const double k = ice[i];
        br_field* floors = make_floors(1.0, k, 0.0);
        for (int blocks = 0; blocks < 2; blocks++) {
            br_contact* contact =
                make_on_field(patch, blocks ? BR_METHOD_BLOCKS : BR_METHOD_DISTRIBUTED,
                              blocks ? 5 : 40, floors, 1);
            const br_law* law = &br_contact_get_def(contact)->law;
            void* memory = spread_memory(contact);
            for (double s = -0.12; s < 0.125; s += 0.01) {
                const double in = fmin(fmax(s, -0.5 * a), 0.5 * a);
                const double share = (0.5 * a + in + k * (0.5 * a - in)) / a;
                const double lever =
                    share > 0.0 ? (k - 1.0) * (0.25 * a * a - in * in) / (2.0 * a * share) : 0.0;
                // the body's x = s is the ground's x = 0
                const br_contact* now = br_contact_at(contact, fn, (br_pose){-s, 0.3, 0.0}, memory);
                const br_contact_centres c = br_contact_get_centres(now);
                assert_near(c.factor, share, 1e-13 /* rounding of sums over the cells */);
                assert_near(c.friction.x, lever,
                            1e-13 /* m; edges of cells are at multiples of 5 mm */);
                assert_near(c.friction.y, 0.0, 1e-13);
                assert_near(hypot(c.pressure.x, c.pressure.y), 0.0, 1e-15);
                const br_twist v = {0.0, 1.0, 0.0}; // beyond the Stribeck speed
                const br_wrench f = br_contact_steady_eval(now, v, fn, NULL);
                const double force = -(law->mu_c + law->sigma2 * 1.0) * fn * share;
                assert_near(f.fy, force, 1e-12 * fn);
                assert_near(f.tau, lever * force, 1e-12 * fn);
                assert_near(f.fx, 0.0, 1e-12 * fn);
            }
            test_free(memory);
            br_contact_destroy(contact);
        }
        br_field_destroy(floors);
    }
    br_patch_destroy(patch);
}

/* Oracle: closed form. A line through the centre halves a disc; the centroid of a half is at 4 R/(3 pi). */
static void a_disc_half_on_ice_has_its_centre_of_friction_in_closed_form(void** state)
{
    (void)state;
    const double radius = 0.1, k = 0.25;
    br_patch* patch = make(disc_def(radius));
    for (double angle = -3.0; angle < 3.1; angle += 0.37) {
        br_field* floors = make_floors(1.0, k, angle);
        br_contact* cells = make_on_field(patch, BR_METHOD_DISTRIBUTED, 80, floors, 0);
        const br_contact_centres c = br_contact_get_centres(cells);
        const double lever = (1.0 - k) / (1.0 + k) * 4.0 * radius / (3.0 * BR_PI);
        assert_near(c.factor, 0.5 * (1.0 + k), 1e-13 /* symmetry: exact but for rounding */);
        // of second order in the cells: (R/40)^2/R = 6e-5 m
        assert_near(c.friction.x, -lever * cos(angle), 6e-5 /* m */);
        assert_near(c.friction.y, -lever * sin(angle), 6e-5 /* m */);
        br_contact_destroy(cells);
        br_field_destroy(floors);
    }
    br_patch_destroy(patch);
}

/* ---- the same friction -------------------------------------------------------------------------- */

static const br_method methods[2] = {BR_METHOD_DISTRIBUTED, BR_METHOD_BLOCKS};

// Wrench of random bristles, at the origin of the contact frame.
static br_wrench wrench_of(const br_contact* c, double fn)
{
    const size_t n = br_contact_get_state_count(c);
    fill_random(z, n, 1e-7);
    const br_vec2 cop = br_contact_get_patch_value(c).cop;
    const br_twist v = {slide.vx - slide.w * cop.y, slide.vy + slide.w * cop.x, slide.w};
    br_wrench f = br_contact_eval(c, z, v, fn, dz);
    f.tau += cop.x * f.fy - cop.y * f.fx;
    return f;
}

// The patches of the next test.
static br_patch_def uniform_shape(size_t i)
{
    static const br_vec2 corner[] = {
        {0.0, 0.0}, {0.06, 0.01}, {0.05, 0.05}, {0.02, 0.02}, {-0.01, 0.05}};
    br_patch_def def = disc_def(0.02);
    switch (i) {
    case 0:
        return aside(with_linear(rectangle_def(0.08, 0.03), 1.0, 3.0));
    case 1:
        return def;
    case 2:
        def.pressure = BR_PRESSURE_POWER;
        def.k = br_by_force_constant(2.0);
        return def;
    case 3:
        def.shape = BR_SHAPE_LINE;
        def.length = 0.05;
        return def;
    case 4:
        def.shape = BR_SHAPE_RING;
        return def;
    case 5:
        def.shape = BR_SHAPE_ELLIPSE;
        def.ratio = 0.4;
        return aside(def);
    default:
        def.shape = BR_SHAPE_POLYGON;
        def.vertices = corner;
        def.count = COUNT(corner);
        return def;
    }
}

static void check_uniform(br_contact_def def, const br_field* field, bool moves)
{
    const double factor = 0.37;
    br_contact_def scaled = def;
    br_law* law = &scaled.law;
    law->mu_s *= factor, law->mu_c *= factor, law->sigma0 *= factor;
    law->sigma1 *= factor, law->sigma2 *= factor;
    def.field = field;
    def.field_moves = moves;
    br_contact *plain = make_contact(scaled), *on = make_contact(def);
    const br_wrench a = wrench_of(on, 5.0), b = wrench_of(plain, 5.0);
    const br_patch_value p = br_contact_get_patch_value(on), q = br_contact_get_patch_value(plain);
    const double size = hypot(b.fx, b.fy), tolerance = 1e-12; // rounding
    assert_near(a.fx, b.fx, tolerance * size);
    assert_near(a.fy, b.fy, tolerance * size);
    assert_near(a.tau, b.tau, tolerance * size * 0.05);
    assert_near(p.u, q.u, tolerance * q.u);
    assert_near(p.r, q.r, tolerance * q.r);
    br_contact_destroy(plain);
    br_contact_destroy(on);
}

/* Oracle: the contact without a field, whose mu, stiffness and damping are those times the factor: cells and blocks, fields
 * fixed to the patch and to the ground, shapes, numbers of blocks, anisotropy. */
static void a_uniform_field_is_the_plain_law(void** state)
{
    (void)state;
    static const size_t blocks[] = {0, 1, 3, 8};
    br_field* field = make_floors(0.37, 0.37, 0.2);
    for (size_t shape = 0; shape < 7; shape++) {
        br_patch* patch = make(uniform_shape(shape));
        for (size_t i = 0; i < 4 * COUNT(blocks) * 2; i++) {
            br_contact_def def = br_contact_def_default();
            def.method = methods[i % 2];
            def.patch = patch;
            def.resolution = i % 2 == 1 ? blocks[i / 4 % COUNT(blocks)] : 0;
            def.anisotropy.ratio = i < 4 * COUNT(blocks) ? 1.0 : 1.5;
            def.anisotropy.angle = 0.3;
            check_uniform(def, field, i / 2 % 2);
        }
        br_patch_destroy(patch);
    }
    br_field_destroy(field);
}

/* Oracle: invariance. Field and body, moved together; and the same field, fixed to the patch. */
static void only_the_relative_pose_of_field_and_patch_counts(void** state)
{
    (void)state;
    br_patch* patch = make(aside(rectangle_def(0.08, 0.03)));
    const br_pose move = {0.3, -0.2, 1.1}, at = {0.02, 0.01, -0.4};
    for (int kind = 0; kind < 4; kind++) {
        br_field_def def =
            motley_def(kind % 2 ? BR_INTERPOLATION_BILINEAR : BR_INTERPOLATION_CONSTANT);
        br_field* field = make_field(def);
        br_field_def moved = def;
        moved.centre = br_pose_apply(move, def.centre);
        moved.angle += move.theta;
        br_field* far = make_field(moved);
        // the field in the contact frame
        br_field_def back = def;
        back.centre = br_vec2_rotate(vec(def.centre.x - at.x, def.centre.y - at.y), -at.theta);
        back.angle -= at.theta;
        br_field* fixed = make_field(back);
        const br_method method = methods[kind / 2];
        br_contact* here =
            make_on_field(patch, method, method == BR_METHOD_BLOCKS ? 40 : 0, field, 1);
        br_contact* there =
            make_on_field(patch, method, method == BR_METHOD_BLOCKS ? 40 : 0, far, 1);
        br_contact* folded = make_on_field(patch, BR_METHOD_DISTRIBUTED, 0, fixed, 0);
        void *memory = spread_memory(here), *other_memory = spread_memory(there);
        const br_vec2 there_at = br_pose_apply(move, vec(at.x, at.y));
        const br_contact* a = br_contact_at(here, 1.0, at, memory);
        const br_contact* b = br_contact_at(
            there, 1.0, (br_pose){there_at.x, there_at.y, at.theta + move.theta}, other_memory);
        const br_wrench f = wrench_of(a, 2.0), g = wrench_of(b, 2.0);
        assert_same_wrench(f, g, 1e-12 /* N of about 1, rounding */, 1e-13);
        if (method == BR_METHOD_DISTRIBUTED) {
            assert_same_wrench(f, wrench_of(folded, 2.0), 1e-12, 1e-13);
            assert_int_equal(br_contact_get_at_force_size(folded), 0);
            assert_false(br_contact_depends_on_pose(folded));
        }
        assert_true(br_contact_depends_on_pose(here));
        test_free(memory);
        test_free(other_memory);
        br_contact_destroy(here);
        br_contact_destroy(there);
        br_contact_destroy(folded);
        br_field_destroy(field);
        br_field_destroy(far);
        br_field_destroy(fixed);
    }
    br_patch_destroy(patch);
}

/* Oracle: a contact in fresh memory. It does not matter where the contact was before, and the original does not change;
 * growing patches follow both. */
static void a_contact_at_a_pose_does_not_remember_others(void** state)
{
    (void)state;
    br_field* field = make_field(motley_def(BR_INTERPOLATION_CONSTANT));
    const br_patch_def defs[] = {rectangle_def(0.08, 0.03), growing_def(), aside(growing_ring()),
                                 aside(with_linear(growing_def(), 1.0, 0.2))};
    uint64_t seed = 3;
    for (size_t k = 0; k < 2 * COUNT(defs); k++) {
        br_patch* patch = make(defs[k / 2]);
        br_contact* contact = make_on_field(patch, methods[k % 2], 0, field, 1);
        void* memory = spread_memory(contact);
        const br_wrench before = wrench_of(contact, 1.0);
        for (int i = 0; i < 50; i++) {
            const br_pose at = {uniform(&seed, -0.1, 0.1), uniform(&seed, -0.1, 0.1),
                                uniform(&seed, -3.0, 3.0)};
            const double fn = i % 3 ? uniform(&seed, 0.5, 20.0) : 2.0;
            const br_wrench f = wrench_of(br_contact_at(contact, fn, at, memory), fn);
            void* fresh = spread_memory(contact);
            const br_wrench g = wrench_of(br_contact_at(contact, fn, at, fresh), fn);
            assert_same_wrench(f, g, 0.0, 0.0);
            test_free(fresh);
        }
        assert_same_wrench(before, wrench_of(contact, 1.0), 0.0, 0.0);
        test_free(memory);
        br_contact_destroy(contact);
        br_patch_destroy(patch);
    }
    br_field_destroy(field);
}

/* Oracle: a mark in the memory, which a call at the same force and pose does not write; a fixed contact needs none. */
static void the_same_force_and_pose_cost_nothing(void** state)
{
    (void)state;
    br_field* field = make_field(motley_def(BR_INTERPOLATION_BILINEAR));
    br_patch* patch = make(disc_def(0.02));
    br_contact* contact = make_on_field(patch, BR_METHOD_BLOCKS, 0, field, 1);
    br_contact* fixed = make_on_field(patch, BR_METHOD_BLOCKS, 0, field, 0);
    void* memory = spread_memory(contact);
    const br_contact* now = br_contact_at(contact, 2.0, (br_pose){0.01, 0.0, 0.1}, memory);
    now->parts.weight[0] = 7.0; // a mark that another filling would overwrite
    assert_ptr_equal(br_contact_at(contact, 2.0, (br_pose){0.01, 0.0, 0.1}, memory), now);
    assert_near(br_contact_get_part(now, 0).weight, 7.0, 0.0);
    br_contact_at(contact, 2.0, (br_pose){0.01, 0.001, 0.1}, memory);
    assert_true(br_contact_get_part(now, 0).weight < 1.0);
    assert_ptr_equal(br_contact_at(fixed, 2.0, (br_pose){0.01, 0.0, 0.1}, NULL), fixed);
    assert_true(isnan(
        wrench_of(br_contact_at(contact, 2.0, (br_pose){(double)NAN, 0.0, 0.0}, memory), 1.0).fx));
    test_free(memory);
    br_contact_destroy(contact);
    br_contact_destroy(fixed);
    br_patch_destroy(patch);
    br_field_destroy(field);
}

// A twist at the origin of the contact frame, at a point of it; and a wrench back.
static br_twist twist_to(br_twist v, br_vec2 at)
{
    return (br_twist){v.vx - v.w * at.y, v.vy + v.w * at.x, v.w};
}

static br_wrench wrench_back(br_wrench f, br_vec2 at)
{
    return (br_wrench){f.fx, f.fy, f.tau + at.x * f.fy - at.y * f.fx};
}

/* Oracle: the exact limit surface of the pressure mu p, which is a grid here. Sliding cells, blocks and reduced contacts
 * on a uniform rectangle with a field of the same grid have its friction. */
static void sliding_friction_is_that_of_the_exact_surface_of_mu_p(void** state)
{
    (void)state;
    br_field_def def = motley_def(BR_INTERPOLATION_CONSTANT);
    def.centre = vec(0.0, 0.0);
    def.angle = 0.0;
    br_field* field = make_field(def);
    br_patch* patch = make(rectangle_def(def.size_x, def.size_y));
    br_patch* folded = make(grid_def(def.size_x, def.size_y, def.columns, def.rows, def.factors));
    br_limit* exact = make_limit(folded, BR_LIMIT_EXACT, 1.0);
    double factor = 0.0;
    for (size_t i = 0; i < 12; i++) {
        factor += def.factors[i] / 12.0;
    }
    const struct {
        br_method method;
        size_t resolution;
        double error; // of the force; of the torque over half the length
    } cases[] = {{BR_METHOD_DISTRIBUTED, 120, 2e-3 /* cells at the centre of rotation */},
                 {BR_METHOD_BLOCKS, 16, 5e-3 /* docs/explanation/models.md: blocks */},
                 {BR_METHOD_REDUCED, 40, 5e-3 /* its table */}};
    for (size_t k = 0; k < COUNT(cases); k++) {
        br_contact_def c = br_contact_def_default();
        c.method = cases[k].method;
        c.resolution = cases[k].resolution;
        c.patch = patch;
        c.field = field;
        c.law.mu_s = c.law.mu_c = 0.5;
        c.law.sigma2 = 0.0;
        br_contact* contact = make_contact(c);
        const br_contact_centres centres = br_contact_get_centres(contact);
        const br_vec2 cof = br_patch_eval(folded, 1.0).cop;
        assert_near(centres.factor, factor, 1e-13);
        assert_near(centres.friction.x, cof.x, 1e-15);
        assert_near(centres.friction.y, cof.y, 1e-15);
        assert_near(hypot(centres.pressure.x, centres.pressure.y), 0.0, 1e-16);
        uint64_t seed = 5;
        for (int i = 0; i < 300; i++) {
            const double angle = uniform(&seed, -3.2, 3.2),
                         w = tan(uniform(&seed, -1.5, 1.5)) / 0.03;
            const br_twist v = {cos(angle), sin(angle), w};
            const br_vec2 at = br_contact_get_patch_value(contact).cop;
            const br_wrench f =
                wrench_back(br_contact_steady_eval(contact, twist_to(v, at), 2.0, NULL), at);
            const br_wrench g = wrench_back(br_limit_eval(exact, twist_to(v, cof)).wrench, cof);
            const double limit = 0.5 * 2.0 * factor;
            assert_near(f.fx, limit * g.fx, cases[k].error * limit);
            assert_near(f.fy, limit * g.fy, cases[k].error * limit);
            assert_near(f.tau, limit * g.tau, cases[k].error * limit * 0.06);
        }
        br_contact_destroy(contact);
    }
    br_limit_destroy(exact);
    br_patch_destroy(folded);
    br_patch_destroy(patch);
    br_field_destroy(field);
}

/* Oracle: the reason. What a reduced contact cannot follow is refused; without friction it has no force. */
static void reduced_contacts_take_fields_of_the_patch_alone(void** state)
{
    (void)state;
    br_field* floors = make_floors(1.0, 0.2, 0.0);
    br_patch* disc = make(disc_def(0.02));
    br_patch* growing = make(growing_def());
    br_limit* surface = make_limit(disc, BR_LIMIT_SMOOTH, 1.0);
    const struct {
        const br_patch* patch;
        const br_limit* surface;
        bool moves;
        const char* text;
    } bad[] = {{disc, NULL, true, "needs the method blocks or distributed: three bristles"},
               {disc, surface, false, "needs the patch, without a surface"},
               {NULL, surface, false, "needs the patch"},
               {growing, NULL, false, "depends on the force"}};
    for (size_t i = 0; i < COUNT(bad); i++) {
        br_contact_def def = br_contact_def_default();
        def.method = BR_METHOD_REDUCED;
        def.patch = bad[i].patch;
        def.surface = bad[i].surface;
        def.field = floors;
        def.field_moves = bad[i].moves;
        br_contact* out;
        br_reason why;
        assert_status(br_contact_create(&def, &out, &why), BR_ERR_DEF);
        assert_null(out);
        assert_string_equal(why.field, "field");
        assert_non_null(strstr(why.text, bad[i].text));
    }
    br_field* ice = make_floors(0.0, 0.0, 0.0);
    br_contact* on_ice = make_on_field(disc, BR_METHOD_ELLIPSOID, 0, ice, 0);
    memset(z, 0, sizeof z);
    const br_wrench f = br_contact_step(on_ice, z, slide, 3.0, 1e-2, NULL);
    assert_near(fabs(f.fx) + fabs(f.fy) + fabs(f.tau), 0.0, 1e-190);
    assert_true(isfinite(z[0] + z[1] + z[2]));
    // a contact that shares the geometry has its own law, times the factor
    br_contact* reduced = make_on_field(disc, BR_METHOD_REDUCED, 0, floors, 0);
    br_contact_def like = br_contact_def_default();
    like.law.mu_s = like.law.mu_c = 0.3;
    like.share_geometry_of = reduced;
    br_contact* shared = make_contact(like);
    br_contact* ellipsoid = make_on_field(disc, BR_METHOD_ELLIPSOID, 0, floors, 0);
    assert_near(br_contact_get_def(shared)->law.mu_c, 0.3 * 0.6, 1e-13 /* sums */);
    // and slips at its own speed in steady sliding, as without a field
    const br_twist straight = {0.1, 0.0, 0.0};
    br_contact_steady_eval(ellipsoid, straight, 3.0, z);
    const br_contact_slip slip =
        br_contact_slip_eval(ellipsoid, z, straight, 3.0, BR_STATE_SLIP, NULL);
    assert_near(slip.slip_rate, 0.1, 1e-12 /* m/s, rounding */);
    br_contact_destroy(ellipsoid);
    br_contact_destroy(shared);
    br_contact_destroy(reduced);
    br_contact_destroy(on_ice);
    br_limit_destroy(surface);
    br_patch_destroy(disc);
    br_patch_destroy(growing);
    br_field_destroy(floors);
    br_field_destroy(ice);
}

/* ---- ice and energy ------------------------------------------------------------------------------ */

/* Oracle: no friction, no force; and every number is finite. */
static void a_contact_on_ice_alone_has_no_friction(void** state)
{
    (void)state;
    br_patch* patch = make(aside(disc_def(0.02)));
    br_field* ice = make_floors(0.0, 0.0, 0.0);
    br_field* half = make_floors(1.0, 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
        br_contact* contact = make_on_field(patch, methods[i], 0, i ? half : ice, 1);
        void* memory = spread_memory(contact);
        const br_contact* now = br_contact_at(contact, 3.0, (br_pose){0.5, 0.0, 0.0}, memory);
        const size_t n = br_contact_get_state_count(now);
        const br_contact_centres c = br_contact_get_centres(now);
        assert_near(c.factor, 0.0, 0.0);
        assert_near(c.friction.x, c.pressure.x, 0.0);
        memset(z, 0, sizeof z);
        br_step_energy e;
        for (int step = 0; step < 100; step++) {
            const br_wrench f = br_contact_step(now, z, slide, 3.0, 1e-3, &e);
            assert_near(fabs(f.fx) + fabs(f.fy) + fabs(f.tau), 0.0, 1e-190 /* BR_CELLS_IDLE */);
            assert_near(fabs(e.work) + fabs(e.stored) + fabs(e.dissipated), 0.0, 1e-190);
        }
        for (size_t k = 0; k < n; k++) {
            assert_true(isfinite(z[k]));
        }
        const br_contact_slip slip = br_contact_slip_eval(now, z, slide, 3.0, BR_STATE_STICK, dz);
        assert_true(isfinite(slip.slip_rate) && isfinite(slip.margin));
        assert_near(slip.slip_rate, hypot(slide.vx, slide.vy),
                    0.4 * hypot(slide.vx, slide.vy) /* and it spins */);
        assert_true(isfinite(br_contact_load_eval(now, z, slide, 3.0)));
        const br_wrench steady = br_contact_steady_eval(now, slide, 3.0, other);
        assert_near(fabs(steady.fx) + fabs(steady.tau), 0.0, 1e-190);
        br_contact_gradient gradient = {.dz_z = other};
        br_contact_gradient_eval(now, z, slide, 3.0, &gradient);
        assert_true(isfinite(gradient.f_v[2][2]));
        test_free(memory);
        br_contact_destroy(contact);
    }
    br_field_destroy(ice);
    br_field_destroy(half);
    br_patch_destroy(patch);
}

/* Oracle: conservation. Over random steps at random poses the work on the contact is what is stored, what is dissipated,
 * and the work of the weights, which is the difference of br_contact_stored() where they change. */
static void random_steps_over_a_field_are_passive(void** state)
{
    (void)state;
    enum { STEPS = 20000 };
    br_patch* patch = make(aside(rectangle_def(0.08, 0.03)));
    uint64_t seed = 11;
    for (int kind = 0; kind < 4; kind++) {
        br_field* field = make_field(
            motley_def(kind % 2 ? BR_INTERPOLATION_BILINEAR : BR_INTERPOLATION_CONSTANT));
        br_contact* contact = make_on_field(patch, methods[kind / 2], 4, field, 1);
        void* memory = spread_memory(contact);
        br_pose at = {0.0, 0.0, 0.0};
        double work = 0.0, heat = 0.0, weights = 0.0, stored = 0.0, passed = 0.0;
        memset(z, 0, sizeof z);
        for (int i = 0; i < STEPS / (kind / 2 ? 10 : 1); i++) {
            const double h = pow(10.0, uniform(&seed, -6.0, -1.0)), fn = 4.0;
            const br_twist v = {uniform(&seed, -0.1, 0.1), uniform(&seed, -0.1, 0.1),
                                uniform(&seed, -3.0, 3.0)};
            br_step_energy e;
            const br_contact* now = br_contact_at(contact, fn, at, memory);
            const double there = br_contact_stored(now, z, fn);
            weights += there - stored;
            br_contact_step(now, z, v, fn, h, &e);
            assert_true(e.dissipated >= -1e-15 /* J, rounding */);
            assert_near(e.work, e.stored - there + e.dissipated,
                        1e-12 * (fabs(e.work) + there) + 1e-18);
            work += e.work;
            heat += e.dissipated;
            stored = e.stored;
            passed += fabs(e.work);
            at = (br_pose){remainder(at.x + h * v.vx, 0.2), remainder(at.y + h * v.vy, 0.2),
                           at.theta + h * v.w};
        }
        assert_near(work + weights, heat + stored, 1e-12 * passed);
        assert_true(heat > 0.0 && isfinite(heat));
        test_free(memory);
        br_contact_destroy(contact);
        br_field_destroy(field);
    }
    br_patch_destroy(patch);
}

/* Oracle: closed form. A loop of one's own: a rectangle of length a slides from its front edge at the boundary onto ice with k
 * times the friction and stops where v^2/2 = mu g (s - (1 - k) s^2/(2 a)). */
static void a_stepper_with_contacts_at_a_pose_stops_in_closed_form(void** state)
{
    (void)state;
    const double a = 0.1, k = 0.2, mass = 0.5, h = 1e-4, mu = 0.4, s = 0.07;
    br_field* floors = make_floors(1.0, k, 0.0);
    br_patch* patch = make(rectangle_def(a, 0.05));
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.field = floors;
    def.field_moves = true;
    def.law.mu_s = def.law.mu_c = mu;
    def.law.sigma2 = 0.0;
    br_contact* contact = make_contact(def);
    void* memory = spread_memory(contact);
    const br_step_contact foot = {.contact = contact, .fn = 9.81 * mass, .count = 1};
    br_stepper_def stepper_def = br_stepper_def_default();
    stepper_def.contacts = &foot;
    stepper_def.count = 1;
    br_stepper* stepper;
    assert_status(br_stepper_create(&stepper_def, &stepper, NULL), BR_OK);
    br_step_contact* own = br_stepper_get_contacts(stepper);
    const br_step_body body = br_step_body_default(mass, 0.001);
    br_twist v = {sqrt(2.0 * mu * 9.81 * (s - (1.0 - k) * s * s / (2.0 * a))), 0.0, 0.0};
    br_contact_steady_eval(contact, v, foot.fn, own->z);
    double x = -0.5 * a;
    while (v.vx > 1e-6) {
        const br_pose middle = {x + 0.5 * h * v.vx, 0.0, 0.0};
        own->contact = br_contact_at(contact, foot.fn, middle, memory);
        x += h * br_stepper_step(stepper, &body, &v, (br_wrench){0.0, 0.0, 0.0}, h).mean.vx;
    }
    assert_near(x + 0.5 * a, s, 2e-6 /* m: bristles of 0.4 um, and the last step */);
    br_stepper_destroy(stepper);
    test_free(memory);
    br_contact_destroy(contact);
    br_patch_destroy(patch);
    br_field_destroy(floors);
}

/* Oracle: lifetimes and memory. Field and patch may go; what fails frees everything. */
static void a_contact_keeps_its_field_and_failures_free_everything(void** state)
{
    (void)state;
    br_patch* patch = make(disc_def(0.02));
    br_field* field = make_field(motley_def(BR_INTERPOLATION_CONSTANT));
    br_contact* contact = make_on_field(patch, BR_METHOD_BLOCKS, 0, field, 1);
    const br_wrench before = wrench_of(contact, 1.0);
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.field = field;
    def.field_moves = true;
    counting count = {0};
    for (size_t fail = 1; fail < 40; fail++) {
        count = (counting){.fail_at = fail};
        br_set_allocator(counting_allocate, counting_release, &count);
        br_contact* out;
        br_reason why;
        const br_status status = br_contact_create(&def, &out, &why);
        br_contact_destroy(out);
        br_set_allocator(NULL, NULL, NULL);
        assert_int_equal(count.alive, 0);
        if (status == BR_OK) {
            break;
        }
        assert_int_equal(status, BR_ERR_MEMORY);
        assert_true(fail < 39);
    }
    br_field_destroy(field);
    br_patch_destroy(patch);
    assert_same_wrench(before, wrench_of(contact, 1.0), 0.0, 0.0);
    br_contact_destroy(contact);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_has_the_factors_of_its_cells),
        cmocka_unit_test(a_bilinear_field_is_linear_between_centres),
        cmocka_unit_test(bad_fields_are_refused),
        cmocka_unit_test(a_rectangle_half_on_ice_slides_and_turns_in_closed_form),
        cmocka_unit_test(a_disc_half_on_ice_has_its_centre_of_friction_in_closed_form),
        cmocka_unit_test(a_uniform_field_is_the_plain_law),
        cmocka_unit_test(only_the_relative_pose_of_field_and_patch_counts),
        cmocka_unit_test(a_contact_at_a_pose_does_not_remember_others),
        cmocka_unit_test(the_same_force_and_pose_cost_nothing),
        cmocka_unit_test(sliding_friction_is_that_of_the_exact_surface_of_mu_p),
        cmocka_unit_test(reduced_contacts_take_fields_of_the_patch_alone),
        cmocka_unit_test(a_contact_on_ice_alone_has_no_friction),
        cmocka_unit_test(random_steps_over_a_field_are_passive),
        cmocka_unit_test(a_stepper_with_contacts_at_a_pose_stops_in_closed_form),
        cmocka_unit_test(a_contact_keeps_its_field_and_failures_free_everything),
    };
    return run_group(argc, argv, tests);
}
