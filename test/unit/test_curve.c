/* Tests of sliding friction from tables: in laws, contacts and their derivatives. */
#include "check.h"

#include "bristle/contact.h"
#include "bristle/gradient.h"
#include "bristle/law.h"
#include "bristle/worlds.h"

#include <string.h>

static const double LONGEST = 6.0; // tables of (2) end at this many v_s

// A law whose g is a table of (2) with `pieces` pieces, nodes at equal distances.
static br_law sampled(const br_law* like, size_t pieces, br_curve* curve)
{
    double v[BR_CURVE_NODES], g[BR_CURVE_NODES];
    for (size_t i = 0; i <= pieces; i++) {
        v[i] = LONGEST * like->v_stribeck * (double)i / (double)pieces;
        g[i] = br_law_g(like, v[i]);
    }
    br_law law = *like;
    assert_status(br_law_set_curve(&law, curve, pieces + 1, v, g, NULL, NULL), BR_OK);
    return law;
}

static double largest_error(const br_law* law, const br_law* like)
{
    double error = 0.0;
    for (int i = -1000; i <= 1000; i++) {
        const double v = LONGEST * like->v_stribeck * i / 1000.0;
        error = fmax(error, fabs(br_law_g(law, v) - br_law_g(like, v)));
    }
    return error;
}

/* Oracle: (2) itself. Slopes are of order 2, so cubics with them are of order 3 (gamma = 1), but beside a round top
 * (gamma = 2) harmonic means of the secants leave order 2. */
static void table_of_stribeck_curve_converges_with_its_order(void** state)
{
    (void)state;
    // factors of half the distance would be 8 and 4: less 25 % and 5 % for the start, not yet asymptotic
    const double gammas[] = {1.0, 2.0}, factors[] = {6.0, 3.8}, last[] = {1e-4, 1e-3};
    for (int k = 0; k < 2; k++) {
        br_law like = br_law_default(BR_LAW_LUGRE);
        like.gamma = gammas[k];
        br_curve curve;
        double error[3];
        for (int i = 0; i < 3; i++) {
            const br_law law = sampled(&like, 15u << i, &curve);
            error[i] = largest_error(&law, &like);
        }
        assert_true(error[2] < last[k] * (like.mu_s - like.mu_c)); // 60 pieces
        assert_true(error[0] > factors[k] * error[1] && error[1] > factors[k] * error[2]);
    }
}

/* Oracle: exact numbers of a table: between nodes a monotone cubic, beyond the last node constant and proportional. */
static void table_is_monotone_between_nodes(void** state)
{
    (void)state;
    const double v[] = {0.0, 0.01, 0.02, 0.05, 0.2}, g[] = {0.5, 0.4, 0.4, 0.3, 0.6};
    const double f_v[] = {0.0, 0.1, 0.1, 0.3, 0.4};
    br_law law = br_law_default(BR_LAW_STRIBECK);
    br_curve curve;
    assert_status(br_law_set_curve(&law, &curve, 5, v, g, f_v, NULL), BR_OK);
    assert_near(law.mu_c, 0.3, 0.0 /* copied */);
    assert_near(law.mu_s, 0.6, 0.0 /* copied */);
    assert_near(law.sigma2, 2.0, 1e-15 /* rounding */);
    for (int i = 0; i < 5; i++) {
        assert_near(br_law_g(&law, -v[i]), g[i], 1e-15 /* rounding */);
        assert_near(br_law_f_v(&law, -v[i], NULL), -f_v[i], 1e-15 /* rounding */);
    }
    for (int i = 0; i + 1 < 5; i++) {
        for (int k = 1; k < 50; k++) {
            const double a = v[i] + (v[i + 1] - v[i]) * (k - 1) / 50.0,
                         b = v[i] + (v[i + 1] - v[i]) * k / 50.0;
            assert_true((br_law_g(&law, b) - br_law_g(&law, a)) * (g[i + 1] - g[i]) >= 0.0);
            assert_true(br_law_f_v(&law, b, NULL) >= br_law_f_v(&law, a, NULL) - 1e-15);
        }
    }
    assert_near(br_law_g(&law, 10.0), 0.6, 1e-15 /* rounding */);
    assert_near(br_law_f_v(&law, 10.0, NULL), 20.0, 1e-14 /* rounding */);
    for (int kind = 0; kind < 3; kind++) {
        static const br_law_kind kinds[] = {BR_LAW_STRIBECK, BR_LAW_LUGRE, BR_LAW_ELASTO_PLASTIC};
        law.kind = kinds[kind];
        assert_near(br_law_holding(&law, 10.0), 5.0, 1e-14 /* g(0), rounding */);
    }
    law.kind = BR_LAW_STRIBECK;
    assert_near(br_law_eval(&law, 0.0, -0.05, 2.0).f, -1.2, 1e-14 /* rounding */);
    assert_true(isnan(br_law_g(&law, (double)NAN)));
    assert_true(isnan(br_law_f_v(&law, (double)NAN, NULL)));
}

/* Oracle: a table that is wrong in one number, which the reason names. */
static void wrong_tables_are_refused_with_the_reason(void** state)
{
    (void)state;
    const struct {
        double v[3], g[3], f_v[3];
        const char *field, *text;
    } all[] = {
        {{0.0, 0.2, 0.1}, {0.5, 0.4, 0.3}, {0.0, 1.0, 2.0}, "v[2]", "larger than the speed before"},
        {{0.1, 0.2, 0.3}, {0.5, 0.4, 0.3}, {0.0, 1.0, 2.0}, "v[0]", "starts at rest"},
        {{0.0, 0.2, (double)NAN}, {0.5, 0.4, 0.3}, {0.0, 1.0, 2.0}, "v[2]", "finite"},
        {{0.0, 0.2, 0.3}, {0.5, -0.4, 0.3}, {0.0, 1.0, 2.0}, "g[1]", "creates energy"},
        {{0.0, 0.2, 0.3}, {0.5, 0.0, 0.3}, {0.0, 1.0, 2.0}, "g[1]", "creates energy"},
        {{0.0, 0.2, 0.3}, {0.5, 0.4, (double)NAN}, {0.0, 1.0, 2.0}, "g[2]", "finite"},
        {{0.0, 0.2, 0.3}, {0.5, 0.4, 0.3}, {0.0, -1e-9, 2.0}, "f_v[1]", "creates energy"},
        {{0.0, 0.2, 0.3}, {0.5, 0.4, 0.3}, {0.1, 1.0, 2.0}, "f_v[0]", "0 at rest"},
        {{0.0, 0.2, 0.3}, {0.5, 0.4, 0.3}, {0.0, 1.0, 0.0}, "f_v[2]", "proportional to v"},
        {{0.0, 0.2, 0.3}, {0.5, 0.4, 0.3}, {0.0, (double)INFINITY, 1.0}, "f_v[1]", "finite"},
        {{0.0, 0.2, 0.3}, {0.5, 0.4, 0.3}, {0.0, 1.0, 1.7e308}, "f_v[2]", "sigma2, is infinite"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        br_law law = br_law_default(BR_LAW_LUGRE);
        br_curve curve = {.count = 7};
        br_reason why;
        assert_status(br_law_set_curve(&law, &curve, 3, all[i].v, all[i].g, all[i].f_v, &why),
                      BR_ERR_ARG);
        assert_string_equal(why.field, all[i].field);
        assert_non_null(strstr(why.text, all[i].text));
        assert_true(law.curve == NULL && curve.count == 7); // unchanged
    }
    br_law law = br_law_default(BR_LAW_LUGRE);
    br_curve curve;
    br_reason why;
    const double v[] = {0.0};
    assert_status(br_law_set_curve(&law, &curve, 1, v, NULL, NULL, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "count");
    curve.count = 0;
    law.curve = &curve;
    assert_status(br_law_check(&law, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "curve");
}

/* Oracle: the law with (2), whose margin and steps the table has to interpolation error. */
static void steps_and_margin_are_those_of_the_sampled_law(void** state)
{
    (void)state;
    const br_law_kind kinds[] = {BR_LAW_STRIBECK, BR_LAW_LUGRE, BR_LAW_ELASTO_PLASTIC};
    for (int k = 0; k < 3; k++) {
        const br_law like = br_law_default(kinds[k]);
        br_curve curve;
        const br_law law = sampled(&like, 60, &curve);
        assert_status(br_law_check(&law, NULL), BR_OK);
        const double error = largest_error(&law, &like) / like.mu_c;
        if (kinds[k] != BR_LAW_STRIBECK) {
            // sigma1 times the relative error of g
            assert_near(br_law_passivity_margin(&law), br_law_passivity_margin(&like),
                        2.0 * like.sigma1 * error);
        }
        uint64_t seed = 5;
        double z = 0.0, z_like = 0.0;
        for (int i = 0; i < 2000; i++) {
            const double v = like.v_stribeck * uniform(&seed, -2.0, 3.0);
            const double f = br_law_step(&law, &z, v, 3.0, 1e-4);
            const double f_like = br_law_step(&like, &z_like, v, 3.0, 1e-4);
            // the bristle follows g; sigma1 dz is at most sigma1/(sigma0 h) = 8 times as much
            assert_near(f, f_like, 20.0 * 3.0 * error * like.mu_s);
        }
    }
}

/* Oracle: central differences, at random tables. */
static void gradients_of_tables_match_central_differences(void** state)
{
    (void)state;
    uint64_t seed = 11;
    const br_law_kind kinds[] = {BR_LAW_STRIBECK, BR_LAW_LUGRE, BR_LAW_ELASTO_PLASTIC};
    for (int i = 0; i < 300; i++) {
        double v[6] = {0.0}, g[6], f_v[6] = {0.0};
        for (int k = 0; k < 6; k++) {
            v[k] = k > 0 ? v[k - 1] + uniform(&seed, 0.001, 0.01) : 0.0;
            g[k] = uniform(&seed, 0.2, 1.0);
            f_v[k] = k > 0 ? uniform(&seed, 0.01, 0.3) : 0.0;
        }
        br_law law = br_law_default(kinds[i % 3]);
        br_curve curve;
        assert_status(br_law_set_curve(&law, &curve, 6, v, g, f_v, NULL), BR_OK);
        const double x = v[5] * uniform(&seed, -0.95, 0.95), step = 1e-7;
        const double z = uniform(&seed, -0.3, 0.3) / law.sigma0;
        int near_kink = fabs(x) < 2.0 * step;
        for (int k = 0; k < 6; k++) {
            near_kink |= fabs(fabs(x) - v[k]) < 2.0 * step; // the second derivative jumps
        }
        if (near_kink) {
            continue;
        }
        const br_law_value more = br_law_eval(&law, z, x + step, 2.0),
                           less = br_law_eval(&law, z, x - step, 2.0);
        const br_law_gradient d = br_law_gradient_eval(&law, z, x, 2.0);
        const double f_v_there = (more.f - less.f) / (2.0 * step),
                     dz_v = (more.dz - less.dz) / (2.0 * step);
        // differences: h^2 f'''/6 of cubics over 1 mm/s, and rounding/h
        assert_near(d.f_v, f_v_there, 1e-5 * (fabs(f_v_there) + 1.0 + law.sigma1));
        assert_near(d.dz_v, dz_v, 1e-5 * (fabs(dz_v) + 1.0));
    }
}

// A contact of a rectangle with this law.
static br_contact* contact_with(const br_law* law, br_method method, br_patch* patch)
{
    br_contact_def def = br_contact_def_default();
    def.law = *law;
    def.method = method;
    def.patch = patch;
    br_contact* contact;
    br_reason why;
    if (br_contact_create(&def, &contact, &why) != BR_OK) {
        fail_msg("%s: %s", why.field, why.text);
    }
    return contact;
}

static br_patch* rectangle(void)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_RECTANGLE;
    def.size_x = 0.03;
    def.size_y = 0.02;
    br_patch* patch;
    assert_status(br_patch_create(&def, &patch, NULL), BR_OK);
    return patch;
}

static const br_method methods[] = {BR_METHOD_DISTRIBUTED, BR_METHOD_BLOCKS, BR_METHOD_REDUCED,
                                    BR_METHOD_ELLIPSOID};
enum { METHODS = 4, MOST_STATES = 4096 };

/* Oracle: the same contact with (2), within the error of the table. */
static void contacts_with_a_table_of_stribeck_slide_like_it(void** state)
{
    (void)state;
    br_patch* patch = rectangle();
    for (int m = 0; m < METHODS; m++) {
        br_law like = br_law_default(BR_LAW_ELASTO_PLASTIC);
        like.sigma0 = 1e4;
        like.sigma1 = 5.0;
        like.v_stribeck = 0.02;
        br_curve curve;
        const br_law law = sampled(&like, 60, &curve);
        const double error = largest_error(&law, &like);
        br_contact *a = contact_with(&law, methods[m], patch),
                   *b = contact_with(&like, methods[m], patch);
        const size_t states = br_contact_get_state_count(a);
        assert_true(states <= MOST_STATES);
        static double z[MOST_STATES], z_like[MOST_STATES], dz[MOST_STATES], dz_like[MOST_STATES];
        memset(z, 0, sizeof z);
        memset(z_like, 0, sizeof z_like);
        uint64_t seed = 3;
        for (int i = 0; i < 200; i++) {
            const br_twist v = {uniform(&seed, -0.02, 0.05), uniform(&seed, -0.03, 0.03),
                                uniform(&seed, -3.0, 3.0)};
            const br_wrench f = br_contact_step(a, z, v, 2.0, 1e-3, NULL);
            const br_wrench g = br_contact_step(b, z_like, v, 2.0, 1e-3, NULL);
            const double bound =
                10.0 * 2.0 * error; // amplified by sigma1/(sigma0 h) and by reversals
            assert_near(f.fx, g.fx, bound);
            assert_near(f.fy, g.fy, bound);
            assert_near(f.tau, g.tau, 0.02 * bound);
            const br_wrench e = br_contact_eval(a, z_like, v, 2.0, dz),
                            e_like = br_contact_eval(b, z_like, v, 2.0, dz_like);
            assert_near(e.fx, e_like.fx, bound);
            assert_near(e.tau, e_like.tau, 0.02 * bound);
            const br_wrench s = br_contact_steady_eval(a, v, 2.0, dz),
                            s_like = br_contact_steady_eval(b, v, 2.0, dz_like);
            assert_near(s.fx, s_like.fx, 2.0 * 2.0 * error);
        }
        br_contact_destroy(a);
        br_contact_destroy(b);
    }
    br_patch_destroy(patch);
}

/* Oracle: central differences of steps by twist, mu_c, mu_s and v_s, which scale a table. */
static void gradients_of_contacts_with_tables_match_differences(void** state)
{
    (void)state;
    br_patch* patch = rectangle();
    const double v[] = {0.0, 0.01, 0.03, 0.1, 0.3}, g[] = {0.5, 0.45, 0.3, 0.35, 0.6};
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.sigma0 = 1e4;
    law.sigma1 = 5.0;
    br_curve curve;
    assert_status(br_law_set_curve(&law, &curve, 5, v, g, NULL, NULL), BR_OK);
    static double z0[MOST_STATES], z1[MOST_STATES], zb[MOST_STATES];
    for (int m = 1; m < METHODS; m++) {
        br_contact* c = contact_with(&law, methods[m], patch);
        const size_t states = br_contact_get_state_count(c);
        memset(z0, 0, sizeof z0);
        const br_twist at = {0.02, 0.013, 0.7};
        for (int i = 0; i < 20; i++) {
            br_contact_step(c, z0, at, 2.0, 1e-3, NULL);
        }
        memcpy(z1, z0, sizeof z1);
        br_contact_step(c, z1, at, 2.0, 1e-3, NULL);
        memset(zb, 0, sizeof zb);
        br_contact_step_adjoint a = {
            .f_bar = {1.0, -2.0, 30.0}, .z1_bar = zb, .z0_bar = zb, .by_law = 1};
        br_contact_step_vjp(c, z0, z1, at, 2.0, 1e-3, &a);
        for (int k = 0; k < 6; k++) {
            double side[2];
            const double e = 1e-6;
            for (int s = 0; s < 2; s++) {
                const double change = s ? e : -e;
                br_law other = law;
                br_twist w = at;
                *(k == 0   ? &w.vx
                  : k == 1 ? &w.vy
                  : k == 2 ? &w.w
                  : k == 3 ? &other.mu_c
                  : k == 4 ? &other.mu_s
                           : &other.v_stribeck) += change * (k == 5   ? 0.01
                                                             : k == 2 ? 1.0
                                                                      : 0.1);
                br_contact* with = contact_with(&other, methods[m], patch);
                memcpy(z1, z0, sizeof z1);
                const br_wrench f = br_contact_step(with, z1, w, 2.0, 1e-3, NULL);
                side[s] = f.fx - 2.0 * f.fy + 30.0 * f.tau;
                br_contact_destroy(with);
            }
            const double by[] = {
                a.v.vx, a.v.vy, a.v.w, a.law[BR_BY_MU_C], a.law[BR_BY_MU_S], a.law[BR_BY_V_S]};
            const double wide = k == 5 ? 0.01 : k == 2 ? 1.0 : 0.1;
            const double slope = (side[1] - side[0]) / (2.0 * e * wide);
            // differences of relative size 1e-6 to 1e-5 of speeds near 0.02 m/s
            assert_near(by[k], slope, 1e-4 * (fabs(slope) + 1e-2));
        }
        (void)states;
        br_contact_destroy(c);
    }
    br_patch_destroy(patch);
}

/* Oracle: the documented limits of contacts and worlds. */
static void methods_that_cannot_take_a_table_refuse_it(void** state)
{
    (void)state;
    const double v[] = {0.0, 0.01}, g[] = {0.5, 0.4}, f_v[] = {0.0, 0.1};
    br_law law = br_law_default(BR_LAW_LUGRE);
    br_curve curve;
    assert_status(br_law_set_curve(&law, &curve, 2, v, g, f_v, NULL), BR_OK);
    br_contact_def def = br_contact_def_default();
    br_patch* patch = rectangle();
    def.law = law;
    def.method = BR_METHOD_BLOCKS;
    def.patch = patch;
    br_contact* contact;
    br_reason why;
    assert_status(br_contact_create(&def, &contact, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "law.curve");

    def.law = br_law_default(BR_LAW_LUGRE);
    assert_status(br_law_set_curve(&def.law, &curve, 2, v, g, NULL, NULL), BR_OK);
    assert_status(br_contact_create(&def, &contact, &why), BR_OK);
    const br_worlds_contact in[] = {{.contact = contact}};
    const br_worlds_def worlds_def = br_worlds_def_default(in, 1);
    br_worlds* worlds;
    assert_status(br_worlds_create(&worlds_def, &worlds, &why), BR_ERR_DEF);
    assert_non_null(strstr(why.text, "table of g"));
    br_contact_destroy(contact);
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_of_stribeck_curve_converges_with_its_order),
        cmocka_unit_test(table_is_monotone_between_nodes),
        cmocka_unit_test(wrong_tables_are_refused_with_the_reason),
        cmocka_unit_test(steps_and_margin_are_those_of_the_sampled_law),
        cmocka_unit_test(gradients_of_tables_match_central_differences),
        cmocka_unit_test(contacts_with_a_table_of_stribeck_slide_like_it),
        cmocka_unit_test(gradients_of_contacts_with_tables_match_differences),
        cmocka_unit_test(methods_that_cannot_take_a_table_refuse_it),
    };
    return run_group(argc, argv, tests);
}
