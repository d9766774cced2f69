/*
 * Friction polyhedra: faces, rays, caps, errors, conversions; and 1e6 random forces.
 */
#include "cone_cases.h"

#include "bristle/math.h"
#include "cone/cone_internal.h"

#include <string.h>

enum { MOST = 64 }; // faces in these tests

// What a polyhedron's representations hold.
typedef struct both {
    size_t h_count, v_count;
    double h[4 * (MOST + 2)], v[4 * 2 * MOST];
} both;

static both both_of(const br_polyhedron* p)
{
    both out = {br_polyhedron_get_h_count(p), br_polyhedron_get_v_count(p), {0.0}, {0.0}};
    br_polyhedron_get_h(p, out.h);
    br_polyhedron_get_v(p, out.v);
    return out;
}

// With the caps of kind 0: none, 1: f_max, 2: both, 3: f_min.
static br_polyhedron capped(br_cone cone, size_t faces, br_polyhedron_side side, int kind)
{
    br_polyhedron_def def = br_polyhedron_def_default();
    def.cone = cone;
    def.faces = faces;
    def.side = side;
    def.phase = 0.3 * kind;
    def.f_min = kind >= 2 ? 0.5 : 0.0;
    def.f_max = kind == 1 || kind == 2 ? 2.0 : HUGE_VAL;
    br_polyhedron out;
    assert_status(br_polyhedron_init(&def, &out, NULL), BR_OK);
    return out;
}

/* Oracle: statement. */
static void bad_polyhedra_are_refused(void** state)
{
    (void)state;
    const char* const fields[] = {"cone",  "faces", "faces", "side", "phase",
                                  "f_min", "f_max", "f_max", "size"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        br_polyhedron_def def = br_polyhedron_def_default();
        def.cone = make_cone(0.0, 0.0, 1.0, i == 0 ? 1.0 : 0.5);
        def.cone.mu = i == 0 ? 0.0 : def.cone.mu;
        def.faces = i == 1 ? 2 : i == 2 ? 1000001 : 4;
        def.side = i == 3 ? (br_polyhedron_side)7 : BR_POLYHEDRON_INNER;
        def.phase = i == 4 ? (double)NAN : 0.0;
        def.f_min = i == 5 ? HUGE_VAL : i == 6 ? 3.0 : 0.0;
        def.f_max = i == 6 ? 2.0 : i == 7 ? 0.0 : HUGE_VAL;
        def.size = i == 8 ? 1 : def.size;
        br_polyhedron out;
        br_reason why;
        assert_status(br_polyhedron_init(&def, &out, &why), BR_ERR_DEF);
        assert_string_equal(why.field, fields[i]);
    }
}

/* Oracle: each representation checks the other. Every vertex and ray satisfies every row; every face
   holds its own two rays, every cap its layer. */
static void faces_and_rays_belong_together(void** state)
{
    (void)state;
    uint64_t seed = 11;
    for (int i = 0; i < 200; i++) {
        const size_t faces = 3 + (size_t)(i % 20);
        const br_polyhedron p = capped(random_cone(&seed), faces, i % 2, i % 4);
        const both b = both_of(&p);
        const size_t h_counts[] = {faces, faces + 1, faces + 2, faces + 1};
        const size_t v_counts[] = {faces, faces + 1, 2 * faces, 2 * faces};
        assert_int_equal(b.h_count, h_counts[i % 4]);
        assert_int_equal(b.v_count, v_counts[i % 4]);
        for (size_t r = 0; r < b.h_count; r++) {
            const double* a = b.h + 4 * r;
            assert_near(size_of(a), 1.0, 1e-15); // rounding
            size_t on = 0;
            for (size_t k = 0; k < b.v_count; k++) {
                const double* v = b.v + 4 * k;
                const double beyond = dot_of(a, v, 3) - a[3] * v[3];
                assert_true(beyond <= 1e-14); // rounding of numbers up to 10
                on += beyond >= -1e-14;
            }
            const size_t layers[] = {2, 3, 4, 4};
            assert_int_equal(on, r < faces ? layers[i % 4] : faces);
        }
    }
}

/* Oracle: statement. The boundary counts as inside: all vertices of capped polyhedra, in spite of
   rounding, and all rays of others; a millionth of a millionth further they are outside. */
static void vertices_are_inside(void** state)
{
    (void)state;
    uint64_t seed = 12;
    for (int i = 0; i < 600; i++) {
        const int caps = i % 3; // none, f_max, both
        const br_polyhedron p = capped(random_cone(&seed), 3 + (size_t)(i % 20), i % 2, caps);
        const both b = both_of(&p);
        for (size_t k = 0; k < b.v_count; k++) {
            const double *v = b.v + 4 * k, *n = p.def.cone.n;
            const double far = 1e-12 * size_of(v), size = far / p.def.cone.mu + far;
            const double out[3] = {v[0] - size * n[0], v[1] - size * n[1], v[2] - size * n[2]};
            assert_true(br_polyhedron_contains(&p, v));
            assert_true(far <= 0.0 || !br_polyhedron_contains(&p, out));
        }
        assert_false(br_polyhedron_contains(&p, (double[]){(double)NAN, 0.0, 0.0}));
    }
}

/* Oracle: the rows. The margin that looks at one face is the least over all rows. */
static void the_margin_is_the_least_over_the_rows(void** state)
{
    (void)state;
    uint64_t seed = 12;
    for (int i = 0; i < 5000; i++) {
        const br_polyhedron p = capped(random_cone(&seed), 3 + (size_t)(i % 20), i % 2, i % 4);
        const both b = both_of(&p);
        double f[3], least = HUGE_VAL;
        random_vector(&seed, 3.0, f);
        for (size_t r = 0; r < b.h_count; r++) {
            least = fmin(least, b.h[4 * r + 3] - dot_of(b.h + 4 * r, f, 3));
        }
        assert_near(br_polyhedron_margin(&p, f), least, 1e-14); // rounding of numbers up to 10
    }
    const br_polyhedron p = capped(random_cone(&seed), 5, BR_POLYHEDRON_INNER, 2);
    assert_true(isnan(br_polyhedron_margin(&p, (double[]){0.0, (double)NAN, 1.0})));
}

/* Oracle: closed form. N = 4 outer, turned by 45 degrees, is the pyramid |f_t1|, |f_t2| <= mu f_n (23);
   inner at phase 0 is |f_t1| + |f_t2| <= mu f_n. */
static void four_faces_are_the_known_pyramids(void** state)
{
    (void)state;
    const double mu = 0.6;
    br_polyhedron_def def = br_polyhedron_def_default();
    def.cone = make_cone(0.0, 0.0, 1.0, mu);
    br_polyhedron inner, outer;
    assert_status(br_polyhedron_init(&def, &inner, NULL), BR_OK);
    def.side = BR_POLYHEDRON_OUTER;
    def.phase = 0.25 * BR_PI;
    assert_status(br_polyhedron_init(&def, &outer, NULL), BR_OK);
    uint64_t seed = 13;
    for (int i = 0; i < 1000; i++) {
        double f[3];
        random_vector(&seed, 1.0, f);
        const double most = fmax(fabs(f[0]), fabs(f[1])), sum = fabs(f[0]) + fabs(f[1]);
        assert_near(br_polyhedron_margin(&outer, f), (mu * f[2] - most) / hypot(1.0, mu), 1e-15);
        assert_near(br_polyhedron_margin(&inner, f), (mu * f[2] - sum) / sqrt(2.0 + mu * mu),
                    1e-15);
    }
}

// Area of the section n.f = 1, from the rays: triangles around the normal.
static double section_area(const br_polyhedron* p)
{
    double area = 0.0, here[3], next[3];
    for (size_t i = 0; i < p->def.faces; i++) {
        br_polyhedron_get_ray(p, i, here);
        br_polyhedron_get_ray(p, (i + 1) % p->def.faces, next);
        const br_vec2 a = {dot_of(here, p->def.cone.t1, 3), dot_of(here, p->def.cone.t2, 3)};
        const br_vec2 b = {dot_of(next, p->def.cone.t1, 3), dot_of(next, p->def.cone.t2, 3)};
        area += 0.5 * br_vec2_cross(a, b);
    }
    return area;
}

/* Oracle: geometry. Areas from the rays; the worst angle from a face's middle (inner) or a ray
   (outer), by the plain angle between two vectors. */
static void errors_are_those_of_the_geometry(void** state)
{
    (void)state;
    uint64_t seed = 14;
    for (int i = 0; i < 400; i++) {
        const size_t faces = 3 + (size_t)(i % 60);
        const br_cone cone = random_cone(&seed);
        const br_polyhedron p = make_polyhedron(cone, faces, i % 2);
        const br_polyhedron_error error = br_polyhedron_get_error(&p);
        const double circle = BR_PI * cone.mu * cone.mu;
        assert_near(error.area, fabs(section_area(&p) / circle - 1.0), 1e-14); // rounding
        double first[3], second[3], beyond[3];
        br_polyhedron_get_ray(&p, 0, first);
        br_polyhedron_get_ray(&p, 1, second);
        // the force of the larger set that is farthest from the smaller one
        for (int k = 0; k < 3; k++) {
            const double middle = 0.5 * (first[k] + second[k]) - cone.n[k];
            const double stretch = 1.0 / cos(BR_PI / (double)faces);
            beyond[k] = i % 2 ? first[k] : cone.n[k] + middle * stretch;
        }
        double nearest[3];
        if (i % 2) {
            br_cone_project(&cone, beyond, nearest, NULL);
        } else {
            double h[4 * (MOST + 2)];
            br_polyhedron_get_h(&p, h);
            for (int k = 0; k < 3; k++) {
                nearest[k] = beyond[k] - dot_of(h, beyond, 3) * h[k];
            }
        }
        const double sine = distance_of(beyond, nearest) / size_of(beyond);
        assert_near(error.angle, asin(sine), 1e-14); // rounding
    }
}

/* Oracle: statement. N meets the wish, N - 1 does not; more than a million is 0. */
static void the_smallest_number_of_faces_is_the_smallest(void** state)
{
    (void)state;
    const br_cone cone = make_cone(0.0, 0.0, 1.0, 0.7);
    const br_polyhedron_error wishes[] = {
        {0.1, HUGE_VAL}, {1e-3, HUGE_VAL}, {HUGE_VAL, 0.01}, {0.01, 1e-3}, {1e-9, HUGE_VAL}};
    for (size_t i = 0; i < 2 * sizeof wishes / sizeof *wishes; i++) {
        const br_polyhedron_error wish = wishes[i / 2];
        const size_t faces = br_polyhedron_get_faces_for(&cone, i % 2, wish);
        assert_true(faces > 3);
        const br_polyhedron enough = make_polyhedron(cone, faces, i % 2);
        const br_polyhedron fewer = make_polyhedron(cone, faces - 1, i % 2);
        const br_polyhedron_error at = br_polyhedron_get_error(&enough);
        const br_polyhedron_error before = br_polyhedron_get_error(&fewer);
        assert_true(at.area <= wish.area && at.angle <= wish.angle);
        assert_false(before.area <= wish.area && before.angle <= wish.angle);
    }
    const br_polyhedron_error any = {HUGE_VAL, HUGE_VAL}, none = {0.0, HUGE_VAL};
    assert_int_equal(br_polyhedron_get_faces_for(&cone, BR_POLYHEDRON_INNER, any), 3);
    assert_int_equal(br_polyhedron_get_faces_for(&cone, BR_POLYHEDRON_INNER, none), 0);
    // one in a hundred of the area: 1 - (N/2 pi) sin(2 pi/N) <= 0.01 from N = 26 on
    const br_polyhedron_error percent = {0.01, HUGE_VAL};
    assert_int_equal(br_polyhedron_get_faces_for(&cone, BR_POLYHEDRON_INNER, percent), 26);
}

// Rays of different lengths and angles, in order around the normal, convex seen along it.
static void uneven_rays(uint64_t* seed, const br_cone* cone, size_t faces, double* v)
{
    for (size_t i = 0; i < faces; i++) {
        const double phi = 2.0 * BR_PI * ((double)i + uniform(seed, 0.0, 0.8)) / (double)faces;
        const double length = uniform(seed, 0.5, 2.0);
        for (int k = 0; k < 3; k++) {
            const double across = cos(phi) * cone->t1[k] + 0.7 * sin(phi) * cone->t2[k];
            v[4 * i + k] = length * (cone->n[k] + cone->mu * across);
        }
        v[4 * i + 3] = 0.0;
    }
}

/* Oracle: round trip. H to V to H and V to H to V give back what was there, capped or not, even or
   not. */
static void conversions_are_inverse(void** state)
{
    (void)state;
    uint64_t seed = 15;
    for (int i = 0; i < 400; i++) {
        const size_t faces = 3 + (size_t)(i % 20);
        const br_cone cone = make_cone(uniform(&seed, -1.0, 1.0), uniform(&seed, -1.0, 1.0), 1.0,
                                       uniform(&seed, 0.2, 1.5));
        const br_polyhedron p = capped(cone, faces, i % 2, i % 4);
        const both b = both_of(&p);
        both c;
        assert_int_equal(br_polyhedron_v_from_h(cone.n, faces, b.h_count, b.h, c.v), b.v_count);
        assert_int_equal(br_polyhedron_h_from_v(cone.n, faces, b.v_count, b.v, c.h), b.h_count);
        // neighbours are at least 2 pi/22 apart: rounding times some 20
        for (size_t k = 0; k < 4 * b.v_count; k++) {
            assert_near(c.v[k], b.v[k], 1e-13);
        }
        for (size_t k = 0; k < 4 * b.h_count; k++) {
            assert_near(c.h[k], b.h[k], 1e-13);
        }
        uneven_rays(&seed, &cone, faces, c.v);
        both d;
        assert_int_equal(br_polyhedron_h_from_v(cone.n, faces, faces, c.v, c.h), faces);
        assert_int_equal(br_polyhedron_v_from_h(cone.n, faces, faces, c.h, d.v), faces);
        for (size_t k = 0; k < faces; k++) {
            const double length = dot_of(cone.n, c.v + 4 * k, 3);
            for (size_t j = 0; j < 3; j++) {
                assert_near(d.v[4 * k + j] * length, c.v[4 * k + j],
                            1e-11); // neighbours may be near
            }
        }
    }
    assert_int_equal(br_polyhedron_v_from_h((double[]){0, 0, 1}, 3, 6, NULL, NULL), 0);
    assert_int_equal(br_polyhedron_h_from_v((double[]){0, 0, 1}, 3, 5, NULL, NULL), 0);
}

/* Oracle: each other. The four descriptions of the cone agree, and inner is within the cone is within
   outer, for 1e6 forces. */
static void a_million_forces_agree(void** state)
{
    (void)state;
    uint64_t seed = 16;
    double most = 0.0;
    size_t inside[3] = {0, 0, 0};
    for (int i = 0; i < 1000; i++) {
        const br_cone cone = random_cone(&seed);
        const size_t faces = 3 + (size_t)(i % 30);
        const br_polyhedron inner = make_polyhedron(cone, faces, BR_POLYHEDRON_INNER);
        const br_polyhedron outer = make_polyhedron(cone, faces, BR_POLYHEDRON_OUTER);
        const double angle = uniform(&seed, 0.0, 7.0), mirror = i % 2 ? 1.0 : -1.0;
        double T[6]; // another basis of the null space
        for (int k = 0; k < 3; k++) {
            T[2 * k] = cos(angle) * cone.t1[k] + sin(angle) * cone.t2[k];
            T[2 * k + 1] = mirror * (cos(angle) * cone.t2[k] - sin(angle) * cone.t1[k]);
        }
        for (int j = 0; j < 1000; j++) {
            double f[3], parts[3];
            random_vector(&seed, 10.0, f);
            br_cone_split(&cone, f, parts);
            const double margin = br_cone_margin(&cone, f);
            const double others[3] = {bri_cone_margin_elements(&cone, parts),
                                      bri_cone_margin_vector(&cone, f),
                                      bri_cone_margin_null_space(&cone, T, f)};
            for (int k = 0; k < 3; k++) {
                most = fmax(most, fabs(others[k] - margin) / (1.0 + cone.mu));
                assert_true((others[k] >= 0.0) == (margin >= 0.0) || fabs(margin) < 1e-13);
            }
            const int in_inner = br_polyhedron_margin(&inner, f) >= 0.0;
            const int in_outer = br_polyhedron_margin(&outer, f) >= 0.0;
            assert_true(!in_inner || margin >= -1e-13);
            assert_true(in_outer || margin <= 1e-13);
            inside[0] += in_inner;
            inside[1] += margin >= 0.0;
            inside[2] += in_outer;
        }
    }
    print_message("largest difference %.2g (1 + mu) N of forces up to 17 N; inside: %zu inner, %zu "
                  "cone, %zu outer\n",
                  most, inside[0], inside[1], inside[2]);
    assert_true(most < 2e-14); // rounding of some ten operations with numbers up to 17
    assert_true(inside[0] < inside[1] && inside[1] < inside[2]);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_polyhedra_are_refused),
        cmocka_unit_test(faces_and_rays_belong_together),
        cmocka_unit_test(vertices_are_inside),
        cmocka_unit_test(the_margin_is_the_least_over_the_rows),
        cmocka_unit_test(four_faces_are_the_known_pyramids),
        cmocka_unit_test(errors_are_those_of_the_geometry),
        cmocka_unit_test(the_smallest_number_of_faces_is_the_smallest),
        cmocka_unit_test(conversions_are_inverse),
        cmocka_unit_test(a_million_forces_agree),
    };
    return run_group(argc, argv, tests);
}
