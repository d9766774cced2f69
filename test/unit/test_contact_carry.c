/*
 * Bristles that are carried to another contact: what is kept, and what bounds it, docs/explanation/contact_changes.md.
 */
#include "growth_shapes.h"

#include "bristle/step.h"

static double z[MOST], carried[MOST];

// A wrench at a point, moved to the contact frame's origin: tau + at x f.
static br_wrench at_origin(br_wrench f, br_vec2 at)
{
    f.tau += at.x * f.fy - at.y * f.fx;
    return f;
}

// At rest the wrench is the elastic one alone.
static br_wrench elastic(const br_contact* c, const double* state, double fn)
{
    static double dz[MOST];
    const br_twist rest = {0.0, 0.0, 0.0};
    return at_origin(br_contact_eval(c, state, rest, fn, dz), br_contact_get_patch_value(c).cop);
}

static int is_reduced(const br_contact* c)
{
    const br_method method = br_contact_get_def(c)->method;
    return method == BR_METHOD_REDUCED || method == BR_METHOD_ELLIPSOID;
}

// The lever of a part's spin, sqrt t or r [m]: its bristle is z_spin/lever.
static double lever_of(const br_contact* c, size_t i)
{
    const br_patch_value value = br_contact_get_patch_value(c);
    const br_contact_part part = br_contact_get_part(c, i);
    // where the patch of a reduced contact grows the third state is the angle z_tau/u
    const double turn = br_contact_get_at_force_size(c) > 0 ? value.u : 1.0;
    return is_reduced(c) ? value.r / turn : sqrt(part.xx + part.yy);
}

// The longest bristle, over mu_s/sigma0.
static double longest(const br_contact* c, const double* state)
{
    const size_t n = br_contact_get_part_count(c), bristles = br_contact_get_state_count(c) / n;
    const br_law* law = &br_contact_get_def(c)->law;
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double lever = bristles == 3 ? lever_of(c, i) : 0.0;
        const double spin = lever > 0.0 ? state[2 * n + i] / lever : 0.0;
        most = fmax(most, hypot(hypot(state[i], state[n + i]), spin));
    }
    return most * law->sigma0 / law->mu_s;
}

// A carried state is within its bounds, with the force as it was. 1: with the torque, too; else at a bound.
static int check_carried(const br_contact* from, const br_contact* to)
{
    const double fn = 2.0, before = br_contact_stored(from, z, fn);
    const double after = br_contact_stored(to, carried, fn), bend = longest(to, carried);
    const br_vec2 cop = br_contact_get_patch_value(to).cop;
    const br_wrench f = elastic(from, z, fn), g = elastic(to, carried, fn);
    const double limit = fn * br_contact_get_def(from)->law.mu_s;
    const double size = br_contact_get_patch_value(from).r + br_contact_get_patch_value(to).r +
                        hypot(cop.x, cop.y) + hypot(f.tau, g.tau) / limit; // [m]
    assert_true(after <= before * (1.0 + 1e-11) && bend <= 1.0 + 1e-11 /* rounding */);
    assert_near(g.fx, f.fx, 1e-12 * limit /* rounding */);
    assert_near(g.fy, f.fy, 1e-12 * limit);
    if (fabs(g.tau - f.tau) <= 1e-12 * limit * size) {
        return 1;
    }
    assert_true(after >= before * (1.0 - 1e-9) || bend >= 1.0 - 1e-9 ||
                br_contact_get_patch_value(to).u == 0.0 /* a point */);

    // what is left of the torque at the new CoP
    const double kept = g.tau - (cop.x * g.fy - cop.y * g.fx);
    const double wanted = f.tau - (cop.x * f.fy - cop.y * f.fx);
    assert_true(fabs(kept) <= fabs(wanted) + 1e-12 * limit * size);
    return 0;
}

// Shapes that differ in everything.
enum { SHAPES = 5 };
static br_patch* shape(int i)
{
    static const br_support_point points[] = {{0.0, 0.0, 1.0}, {0.01, 0.0, 2.0}, {0.0, 0.02, 1.0}};
    br_patch_def shifted = rectangle_def(0.03, 0.01);
    shifted.centre = (br_vec2){0.004, -0.003};
    shifted.angle = 0.7;
    const br_patch_def defs[SHAPES] = {disc_def(0.01), shifted,
                                       aside(with_linear(disc_def(0.006), 0.0, 1.0)),
                                       points_def(points, 3), growing_power(1.0)};
    return make(defs[i]);
}

// Random bristles up to `share` of mu_s/sigma0, those of a part together.
static void fill_part_by_part(const br_contact* c, double share, uint64_t* seed)
{
    const size_t n = br_contact_get_part_count(c), bristles = br_contact_get_state_count(c) / n;
    const br_law* law = &br_contact_get_def(c)->law;
    const double size = share * law->mu_s / law->sigma0 / sqrt((double)bristles);
    for (size_t i = 0; i < n; i++) {
        const int counts = is_reduced(c) || br_contact_get_part(c, i).weight > 0.0;
        for (size_t k = 0; k < bristles; k++) {
            const double unit = k < 2 ? 1.0 : lever_of(c, i);
            z[k * n + i] = counts ? size * unit * uniform(seed, -1.0, 1.0) : 0.0;
        }
    }
}

// A contact of a method on a patch; resolution 0: as is usual.
static br_contact* make_of(const br_patch* patch, br_method method, size_t resolution, br_law law)
{
    br_contact_def def = br_contact_def_default();
    def.method = method;
    def.patch = patch;
    def.resolution = resolution;
    def.law = law;
    return make_contact(def);
}

// From every shape to every other: how many of them keep the torque.
static int carry_all(br_method method, double share)
{
    uint64_t seed = 7;
    int kept = 0;
    for (int i = 0; i < SHAPES * SHAPES; i++) {
        br_patch *old_patch = shape(i / SHAPES), *new_patch = shape(i % SHAPES);
        const br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
        const size_t across = method == BR_METHOD_DISTRIBUTED ? 12 : 0;
        br_contact* from = make_of(old_patch, method, across, law);
        br_contact* to = make_of(new_patch, method, across + across / 2, law);
        fill_part_by_part(from, share, &seed);
        br_contact_carry(from, z, to, carried);
        kept += check_carried(from, to);
        for (size_t k = 0; k < br_contact_get_part_count(to); k++) {
            const int padding = br_contact_get_part(to, k).weight == 0.0;
            assert_true(!padding || carried[k] == 0.0);
        }
        br_contact_destroy(from);
        br_contact_destroy(to);
        br_patch_destroy(old_patch);
        br_patch_destroy(new_patch);
    }
    return kept;
}

/* Oracle: the elastic wrench before, and the energy. Random bristles store more than their wrench needs. */
static void carried_parts_keep_the_elastic_wrench(void** state)
{
    (void)state;
    assert_true(carry_all(BR_METHOD_DISTRIBUTED, 0.9) >= 20);
    assert_true(carry_all(BR_METHOD_BLOCKS, 0.9) >= 20);
}

/* Oracle: the same. Three bristles store just what their wrench needs: a torque at a longer lever is given up in part. */
static void carried_reduced_bristles_keep_what_their_energy_allows(void** state)
{
    (void)state;
    const int kept = carry_all(BR_METHOD_ELLIPSOID, 0.9);
    assert_true(kept >= SHAPES && kept < SHAPES * SHAPES);
    const double deflected[3] = {4e-7, -7e-7, 3e-9};
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_ELLIPSOID;
    br_contact *disc = make_reduced(NULL, 0), *point = make_contact(def);
    br_contact_carry(disc, deflected, point, carried);
    assert_true(carried[0] == deflected[0] && carried[1] == deflected[1] && carried[2] == 0.0);
    br_contact_destroy(disc);
    br_contact_destroy(point);
}

/* Oracle: identity, and a law whose bristles are twice as stiff. */
static void carrying_to_the_same_patch_changes_nothing(void** state)
{
    (void)state;
    uint64_t seed = 7;
    br_patch* patch = shape(1);
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    br_contact* model = make_of(patch, BR_METHOD_DISTRIBUTED, 0, law);
    law.sigma0 *= 2.0;
    br_contact* stiff = make_of(patch, BR_METHOD_DISTRIBUTED, 0, law);
    const size_t n = br_contact_get_state_count(model);
    fill_part_by_part(model, 0.9, &seed);
    br_contact_carry(model, z, model, carried);
    for (size_t i = 0; i < n; i++) {
        assert_near(carried[i], z[i], 1e-20 /* m, rounding of the sums */);
    }
    br_contact_carry(model, z, stiff, carried);
    assert_same_wrench(elastic(stiff, carried, 1.0), elastic(model, z, 1.0), 1e-14, 1e-16);
    br_contact_destroy(model);
    br_contact_destroy(stiff);
    br_patch_destroy(patch);
}

// ---- any two patches --------------------------------------------------------------------------------

static double log_uniform(uint64_t* seed, double low, double high)
{
    return exp(uniform(seed, log(low), log(high)));
}

// A patch of about a size, its centre at most `off` aside.
static br_patch* any_patch(double about, double off, uint64_t* seed)
{
    const double size = about * uniform(seed, 0.7, 1.4);
    br_support_point points[4];
    for (int i = 0; i < 4; i++) {
        points[i] = (br_support_point){uniform(seed, -size, size), uniform(seed, -size, size),
                                       uniform(seed, 0.1, 1.0)};
    }
    br_patch_def defs[] = {disc_def(size), rectangle_def(size, size * uniform(seed, 0.1, 1.0)),
                           with_linear(disc_def(size), 0.0, 1.0), points_def(points, 4)};
    br_patch_def def = defs[(int)uniform(seed, 0.0, 4.0)];
    def.centre = (br_vec2){uniform(seed, -off, off), uniform(seed, -off, off)};
    def.angle = uniform(seed, -3.0, 3.0);
    return make(def);
}

// Two of them: much alike, or of any sizes from 0.1 um to 0.1 m.
static void any_patches(br_patch* patches[2], uint64_t* seed)
{
    const int alike = uniform(seed, 0.0, 1.0) < 0.5;
    const double size = log_uniform(seed, 1e-7, 0.1);
    patches[0] = any_patch(size, alike ? 0.05 * size : 0.05, seed);
    patches[1] =
        any_patch(alike ? size : log_uniform(seed, 1e-7, 0.1), alike ? 0.05 * size : 0.05, seed);
}

// Bristles as they come about: some steps of sliding, turning or both, some of them small.
static void bend_by_steps(const br_contact* c, uint64_t* seed)
{
    const double r = br_contact_get_patch_value(c).r;
    memset(z, 0, br_contact_get_state_count(c) * sizeof *z);
    for (int i = 0; i < 3; i++) {
        const double speed = log_uniform(seed, 1e-8, 1e-2);
        const br_twist v = {speed * uniform(seed, -1.0, 1.0), speed * uniform(seed, -1.0, 1.0),
                            speed / r * uniform(seed, -1.0, 1.0)};
        br_contact_step(c, z, v, 1.0, 1e-2, NULL);
    }
}

/* Oracle: invariant. Energy and bristles are bounded, the force is kept, the torque as far as that allows. */
static void nothing_is_gained_between_any_two_patches(void** state)
{
    (void)state;
    static const br_method methods[] = {BR_METHOD_DISTRIBUTED, BR_METHOD_BLOCKS,
                                        BR_METHOD_ELLIPSOID};
    uint64_t seed = 28;
    int kept = 0, count = 3000;
    for (int i = 0; i < count; i++) {
        br_patch* patches[2];
        any_patches(patches, &seed);
        const br_law law = br_law_default(i / 3 % 2 ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE);
        const size_t across = i % 3 == 2 ? 0 : (size_t)uniform(&seed, 2.0, 6.0);
        br_contact* from = make_of(patches[0], methods[i % 3], across, law);
        br_contact* to = make_of(patches[1], methods[i % 3], across, law);
        if (i % 2) {
            bend_by_steps(from, &seed);
        } else {
            fill_part_by_part(from, 1.0, &seed);
        }
        br_contact_carry(from, z, to, carried);
        kept += check_carried(from, to);
        br_contact_destroy(from);
        br_contact_destroy(to);
        br_patch_destroy(patches[0]);
        br_patch_destroy(patches[1]);
    }
    print_message("%d of %d keep the torque\n", kept, count);
    assert_true(kept > 300 && kept < count - 300); // both are tested
}

/* Oracle: invariant. Another law: what is stored does not grow, bristles are within the new bound. */
static void nothing_is_gained_with_another_law(void** state)
{
    (void)state;
    uint64_t seed = 29;
    for (int i = 0; i < 300; i++) {
        br_patch* patches[2];
        any_patches(patches, &seed);
        br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
        const br_method method = i % 2 ? BR_METHOD_DISTRIBUTED : BR_METHOD_ELLIPSOID;
        br_contact* from = make_of(patches[0], method, i % 2 ? 4 : 0, law);
        law.sigma0 *= log_uniform(&seed, 0.01, 100.0);
        law.mu_c *= uniform(&seed, 0.2, 1.0), law.mu_s *= uniform(&seed, 1.0, 2.0);
        br_contact* to = make_of(patches[1], method, i % 2 ? 5 : 0, law);
        fill_part_by_part(from, 3.0, &seed);
        br_contact_carry(from, z, to, carried);
        assert_true(longest(to, carried) <= 1.0 + 1e-11);
        assert_true(br_contact_stored(to, carried, 1.0) <=
                    br_contact_stored(from, z, 1.0) * (1.0 + 1e-11));
        br_contact_destroy(from);
        br_contact_destroy(to);
        br_patch_destroy(patches[0]);
        br_patch_destroy(patches[1]);
    }
}

/* Oracle: closed form. Two points 60 mm apart that hold a torque by 3 um become two that are closer: the
   bristles stay 3 um long, where keeping the torque would bend them by 0.3 m and store 450 J. */
static void a_patch_that_shrinks_gives_its_torque_up(void** state)
{
    (void)state;
    const br_law law = br_law_from_mu(0.5, 0.03, 0.0, 1.0);
    for (double size = 0.06; size > 1e-8; size *= 0.1) {
        const br_support_point far[] = {{-0.03, 0.0, 1.0}, {0.03, 0.0, 1.0}},
                               near[] = {{-0.5 * size, 0.0, 1.0}, {0.5 * size, 0.0, 1.0}};
        br_patch *old_patch = make(points_def(far, 2)), *new_patch = make(points_def(near, 2));
        br_contact* from = make_of(old_patch, BR_METHOD_DISTRIBUTED, 0, law);
        br_contact* to = make_of(new_patch, BR_METHOD_DISTRIBUTED, 0, law);
        memset(z, 0, br_contact_get_state_count(from) * sizeof *z);
        br_contact_step(from, z, (br_twist){0.0, 0.0, 1e-3}, 1.0, 0.1, NULL);
        br_contact_carry(from, z, to, carried);
        const double bent = longest(to, carried) * law.mu_s / law.sigma0;
        assert_near(bent, 3e-6, 1e-12 /* rounding of positions */);
        assert_near_relative(br_contact_stored(to, carried, 1.0), br_contact_stored(from, z, 1.0),
                             1e-9);
        br_contact_destroy(from);
        br_contact_destroy(to);
        br_patch_destroy(old_patch);
        br_patch_destroy(new_patch);
    }
}

/* Oracle: physics. Held by a constant load, on a patch that is another one in each step. */
static void a_body_does_not_creep_on_a_patch_that_flickers(void** state)
{
    (void)state;
    const br_law law = br_law_from_mu(0.5, 0.03, 0.0, 1.0);
    br_patch_def small = rectangle_def(0.03, 0.03);
    small.centre = (br_vec2){0.01, 0.0};
    br_patch* patches[2] = {make(rectangle_def(0.06, 0.06)), make(small)};
    br_contact* contacts[2];
    for (int i = 0; i < 2; i++) {
        contacts[i] = make_of(patches[i], BR_METHOD_BLOCKS, 3, law);
    }
    const br_step_body body = br_step_body_default(1.0, 6e-4);
    br_twist v = {0.0, 0.0, 0.0};
    double *now = z, *next = carried, saved = 0.0, turned = 0.0, turned_late = 0.0;
    static double work[4 * MOST];
    memset(z, 0, sizeof z);
    for (int i = 0; i < 4000; i++) {
        const br_contact* c = contacts[i % 2];
        br_step_contact on = {.contact = c, .z = now, .fn = 10.0};
        on.arm = br_contact_get_patch_value(c).cop;
        const br_wrench load = {2.0, 0.5, 0.03};
        const br_step_result r = br_step_coupled(&body, &v, load, 1e-3, &on, 1, work);
        turned += 1e-3 * r.mean.w;
        turned_late += i < 2000 ? 0.0 : 1e-3 * r.mean.w;
        br_contact_carry_saved(c, now, contacts[1 - i % 2], 10.0, &saved, next);
        double* const kept = now;
        now = next;
        next = kept;
    }
    assert_true(turned > 1e-4 && turned < 2e-3); // bends the bristles
    assert_near(turned_late, 0.0, 1e-12 /* rad */);
    for (int i = 0; i < 2; i++) {
        br_contact_destroy(contacts[i]);
        br_patch_destroy(patches[i]);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carried_parts_keep_the_elastic_wrench),
        cmocka_unit_test(carried_reduced_bristles_keep_what_their_energy_allows),
        cmocka_unit_test(carrying_to_the_same_patch_changes_nothing),
        cmocka_unit_test(nothing_is_gained_between_any_two_patches),
        cmocka_unit_test(nothing_is_gained_with_another_law),
        cmocka_unit_test(a_patch_that_shrinks_gives_its_torque_up),
        cmocka_unit_test(a_body_does_not_creep_on_a_patch_that_flickers),
    };
    return run_group(argc, argv, tests);
}
