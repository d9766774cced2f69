/* Tests of br_body_share_weight(): how feet share a body's weight. Closed forms, and for many feet the
 * conditions of the least sum of squares. */
#include "bodies.h"
#include "math/mat3.h"

#include <stdlib.h>

enum { MOST_FEET = 40 };

// Points as feet, with discs of 2 mm.
typedef struct stand {
    br_body body;
    br_patch* patch;
    br_body_contact contact[MOST_FEET];
    int bears[MOST_FEET];
    double weight[MOST_FEET];
} stand;

static void make_stand(stand* s, const br_vec2* at, size_t count)
{
    br_patch_def def = br_patch_def_default();
    def.radius = br_by_force_constant(0.002);
    assert_status(br_patch_create(&def, &s->patch, NULL), BR_OK);
    for (size_t i = 0; i < count; i++) {
        s->contact[i] =
            (br_body_contact){.frame = BR_FRAME_BODY, .at = at[i], .count = 1, .patch = s->patch};
        s->bears[i] = 1;
    }
    s->body = br_body_default();
    s->body.contacts = s->contact;
    s->body.contact_count = count;
}

static br_status share(stand* s, br_reason* why)
{
    const br_status status = br_body_share_weight(&s->body, s->bears, s->weight, why);
    br_patch_destroy(s->patch);
    return status;
}

static void check_shares(const br_vec2* at, size_t count, const double* expected)
{
    stand s;
    make_stand(&s, at, count);
    assert_status(share(&s, NULL), BR_OK);
    for (size_t i = 0; i < count; i++) {
        assert_near(s.weight[i], expected[i], 1e-14 /* rounding */);
    }
}

/* Oracle: the rule of the lever. It was an even share, whatever the distances. */
static void two_feet_share_by_the_lever(void** state)
{
    (void)state;
    check_shares((const br_vec2[]){{0.09, 0.0}, {-0.03, 0.0}}, 2, (const double[]){0.25, 0.75});
    check_shares((const br_vec2[]){{0.03, 0.04}, {-0.06, -0.08}}, 2,
                 (const double[]){2.0 / 3.0, 1.0 / 3.0});
    check_shares((const br_vec2[]){{0.0, 0.0}, {0.1, 0.0}}, 2, (const double[]){1.0, 0.0});
    check_shares((const br_vec2[]){{0.0, 0.0}, {0.0, 0.0}}, 2, (const double[]){0.5, 0.5});
}

/* Oracle: statics. Three feet: barycentric coordinates of the CoM. */
static void three_feet_share_by_the_lever(void** state)
{
    (void)state;
    const br_vec2 at[] = {{0.1, -0.02}, {-0.03, 0.07}, {-0.05, -0.06}};
    const double all = br_vec2_cross(br_vec2_sub(at[1], at[0]), br_vec2_sub(at[2], at[0]));
    check_shares(at, 3,
                 (const double[]){br_vec2_cross(at[1], at[2]) / all,
                                  br_vec2_cross(at[2], at[0]) / all,
                                  br_vec2_cross(at[0], at[1]) / all});
}

/* Oracle: closed form. Four feet at (+-a, +-b) from a point at (x, y): the least sum of squares is
 * (1 -+ x/a -+ y/b)/4 where no foot would pull. */
static void four_feet_share_with_the_least_squares(void** state)
{
    (void)state;
    const double a = 0.1, b = 0.05, x = 0.03, y = -0.01;
    const br_vec2 at[] = {{x + a, y + b}, {x - a, y + b}, {x - a, y - b}, {x + a, y - b}};
    const double u = x / a, v = y / b;
    check_shares(at, 4,
                 (const double[]){0.25 * (1 - u - v), 0.25 * (1 + u - v), 0.25 * (1 + u + v),
                                  0.25 * (1 - u + v)});
}

/* Oracle: closed form. Three feet on a line, and feet that are several. */
static void feet_on_a_line_and_pairs_share(void** state)
{
    (void)state;
    // least squares on a line: w = 1/3 + s r, sum r = 0.06, sum r^2 = 0.0126: sum (1/3 + s (r - mean)) r = 0
    const double mean = 0.02, spread = 0.0126 - 3.0 * mean * mean, slope = -mean / spread;
    check_shares((const br_vec2[]){{0.1, 0.0}, {0.01, 0.0}, {-0.05, 0.0}}, 3,
                 (const double[]){1.0 / 3.0 + slope * 0.08, 1.0 / 3.0 - slope * 0.01,
                                  1.0 / 3.0 - slope * 0.07});
    stand s;
    make_stand(&s, (const br_vec2[]){{0.05, 0.0}, {-0.2, 0.0}, {0.4, 0.0}}, 3);
    s.contact[0].count = 2;
    s.bears[2] = 0;
    assert_status(share(&s, NULL), BR_OK);
    assert_near(s.weight[0], 0.4, 1e-14 /* rounding */);
    assert_near(s.weight[1], 0.2, 1e-14 /* rounding */);
    assert_near(s.weight[2], 0.0, 0.0 /* exact */);
}

/* Oracle: the conditions of the minimum (Karush, Kuhn, Tucker): forces balance, none pulls, and w = a + b.r
 * where it is > 0, a + b.r <= 0 where it is 0. 400 random stands of 4 to 40 feet; in some a foot bears
 * nothing. */
static void many_feet_share_with_the_least_squares(void** state)
{
    (void)state;
    unsigned seed = 7;
    size_t idle = 0, kept = 0;
    for (int n = 0; n < 400; n++) {
        br_vec2 at[MOST_FEET];
        const size_t count = 4 + (size_t)n % 37;
        for (size_t i = 0; i < count; i++) {
            double x[2];
            for (int k = 0; k < 2; k++) {
                seed = seed * 1664525u + 1013904223u;
                x[k] = (double)(seed >> 8) / 16777216.0;
            }
            at[i] = (br_vec2){0.2 * x[0] - 0.06, 0.2 * x[1] - 0.1};
        }
        stand s;
        make_stand(&s, at, count);
        if (share(&s, NULL) != BR_OK) {
            continue; // the CoM is outside
        }
        kept++;
        double sum = 0.0, mx = 0.0, my = 0.0;
        mat3 form = {{{0.0}}};
        vector3 right = {{0.0, 0.0, 0.0}};
        for (size_t i = 0; i < count; i++) {
            const double w = s.weight[i], by[3] = {1.0, at[i].x, at[i].y};
            assert_true(w >= 0.0);
            sum += w, mx += w * at[i].x, my += w * at[i].y;
            for (int k = 0; w > 0.0 && k < 9; k++) {
                form.at[k / 3][k % 3] += by[k / 3] * by[k % 3];
                right.at[k / 3] += k % 3 == 0 ? w * by[k / 3] : 0.0;
            }
        }
        assert_near(sum, 1.0, 1e-13 /* rounding */);
        if (hypot(mx, my) > 1e-12) {
            continue; // over patches, not over their centres
        }
        const vector3 x = mat3_solve(form, right);
        for (size_t i = 0; i < count; i++) {
            const double w = x.at[0] + x.at[1] * at[i].x + x.at[2] * at[i].y;
            idle += s.weight[i] == 0.0;
            assert_near(fmax(w, 0.0), s.weight[i], 1e-9 /* of the condition of the fit */);
        }
    }
    print_message("%zu of 400 stand, %zu feet bear nothing\n", kept, idle);
    assert_true(kept > 300 && idle > 20);
}

/* Oracle: statics. A CoM outside of the patches tips the body over; over the edge of a patch it does not. */
static void a_centre_of_mass_outside_is_refused(void** state)
{
    (void)state;
    br_reason why;
    stand s;
    make_stand(&s, (const br_vec2[]){{0.09, 0.0}, {0.03, 0.0}}, 2);
    assert_status(share(&s, &why), BR_ERR_DEF);
    assert_non_null(strstr(why.text, "0.028 m outside of the support"));
    make_stand(&s, (const br_vec2[]){{0.09, 0.003}, {-0.03, 0.003}}, 2);
    assert_status(share(&s, &why), BR_ERR_DEF);
    make_stand(&s, (const br_vec2[]){{0.09, 0.001}, {-0.03, 0.001}}, 2); // over its discs
    assert_status(share(&s, NULL), BR_OK);
    assert_near(s.weight[0], 0.25, 1e-12 /* rounding */);
    make_stand(&s, (const br_vec2[]){{0.0019, 0.0}}, 1);
    assert_status(share(&s, NULL), BR_OK);
    assert_near(s.weight[0], 1.0, 0.0 /* exact */);
    make_stand(&s, (const br_vec2[]){{0.0021, 0.0}}, 1);
    assert_status(share(&s, &why), BR_ERR_DEF);
}

/* Oracle: statics. One point below the CoM, but for the rounding of its two arms. It was refused: 1.9e-18 m outside. */
static void a_point_below_bears_all(void** state)
{
    (void)state;
    const double third = 0.1 / 3.0;
    const br_support_point point = {third * 1e-3, 0.7 * third, 1.0};
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.points = &point;
    def.count = 1;
    stand s;
    make_stand(&s, (const br_vec2[]){{-point.x, -nextafter(point.y, 1.0)}}, 1);
    br_patch_destroy(s.patch);
    assert_status(br_patch_create(&def, &s.patch, NULL), BR_OK);
    s.contact[0].patch = s.patch;
    assert_status(share(&s, NULL), BR_OK);
    assert_near(s.weight[0], 1.0, 0.0 /* exact */);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_feet_share_by_the_lever),
        cmocka_unit_test(three_feet_share_by_the_lever),
        cmocka_unit_test(four_feet_share_with_the_least_squares),
        cmocka_unit_test(feet_on_a_line_and_pairs_share),
        cmocka_unit_test(many_feet_share_with_the_least_squares),
        cmocka_unit_test(a_centre_of_mass_outside_is_refused),
        cmocka_unit_test(a_point_below_bears_all),
    };
    return run_group(argc, argv, tests);
}
