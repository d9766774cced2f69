/*
 * Faces and vertices against cddlib, an independent double description. cddlib (GPL) is linked into
 * this test only; without it the test is skipped.
 */
#include <stdio.h>

#ifndef BRISTLE_HAS_CDD

int main(void)
{
    puts("skipped: cddlib is not installed (Debian: libcdd-dev)");
    return 77;
}

#else

#include "cone_cases.h"

#include "bristle/limit_polyhedron.h"
#include "bristle/wrench_cone.h"
#include "patch_shapes.h"

#include <string.h>

// cddlib's headers are not written for our warnings
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <cddlib/setoper.h>

#include <cddlib/cdd.h>

// Rows of numbers.
typedef struct rows {
    size_t count, width;
    double* at; // (count x width)
} rows;

static rows make_rows(size_t count, size_t width)
{
    return (rows){count, width, test_calloc(count * width + 1, sizeof(double))};
}

// The other representation of a polyhedron, by cddlib: for generators (b, x) the inequalities
// b + a.x >= 0 as rows (b, a), and the reverse. Equations come as pairs.
static rows convert(const rows* in, dd_RepresentationType kind)
{
    dd_MatrixPtr matrix = dd_CreateMatrix((dd_rowrange)in->count, (dd_colrange)in->width);
    matrix->representation = kind;
    matrix->numbtype = dd_Real;
    for (size_t i = 0; i < in->count * in->width; i++) {
        dd_set_d(matrix->matrix[i / in->width][i % in->width], in->at[i]);
    }
    dd_ErrorType problem;
    dd_PolyhedraPtr polyhedron = dd_DDMatrix2Poly(matrix, &problem);
    assert_int_equal(problem, dd_NoError);
    dd_MatrixPtr other =
        kind == dd_Generator ? dd_CopyInequalities(polyhedron) : dd_CopyGenerators(polyhedron);
    const size_t equations = (size_t)set_card(other->linset);
    rows out = make_rows((size_t)other->rowsize + equations, in->width);
    size_t row = 0;
    for (long i = 0; i < other->rowsize; i++) {
        for (double sign = 1.0; sign > -2.0; sign -= set_member(i + 1, other->linset) ? 2.0 : 4.0) {
            for (size_t k = 0; k < in->width; k++) {
                out.at[row * in->width + k] = sign * dd_get_d(other->matrix[i][k]);
            }
            row++;
        }
    }
    dd_FreeMatrix(other);
    dd_FreePolyhedra(polyhedron);
    dd_FreeMatrix(matrix);
    return out;
}

// Every row of a, normalised over columns `from` on, is near one of b; returns the worst distance.
static double worst_match(const rows* a, const rows* b, size_t from)
{
    double worst = 0.0;
    for (size_t i = 0; i < a->count; i++) {
        const double* x = a->at + i * a->width;
        const double size = sqrt(dot_of(x + from, x + from, a->width - from));
        if (!(size > 1e-9)) {
            continue; // cddlib's 1 >= 0, the plane at infinity
        }
        double least = HUGE_VAL;
        for (size_t j = 0; j < b->count; j++) {
            const double* y = b->at + j * b->width;
            const double other = sqrt(dot_of(y + from, y + from, b->width - from));
            double most = 0.0;
            for (size_t k = 0; k < a->width; k++) {
                most = fmax(most, fabs(x[k] / size - y[k] / other));
            }
            least = fmin(least, most);
        }
        worst = fmax(worst, least);
    }
    return worst;
}

static void free_rows(rows* a)
{
    test_free(a->at);
}

/* Oracle: cddlib. Faces of the wrench cones of random supports, in both directions, to the required 1e-9. */
static void wrench_cones_match_cddlib(void** state)
{
    (void)state;
    uint64_t seed = 31;
    double worst = 0.0;
    size_t faces = 0;
    for (size_t round = 0; round < 30; round++) {
        br_support supports[6];
        const size_t count = 3 + round % 4;
        for (size_t i = 0; i < count; i++) {
            random_vector(&seed, 1.0, supports[i].place);
            const br_cone cone = make_cone(uniform(&seed, -0.4, 0.4), uniform(&seed, -0.4, 0.4),
                                           1.0, uniform(&seed, 0.2, 1.0));
            supports[i].forces = make_polyhedron(cone, 3 + (i + round) % 3, round % 2);
        }
        br_wrench_cone* cone = NULL;
        assert_status(br_wrench_cone_create(supports, count, &cone, NULL), BR_OK);
        rows v = make_rows(br_wrench_cone_get_v_count(cone), 7);
        for (size_t i = 0; i < v.count; i++) {
            for (size_t k = 0; k < 6; k++) {
                v.at[7 * i + 1 + k] = br_wrench_cone_get_v(cone)[6 * i + k];
            }
        }
        rows h = make_rows(br_wrench_cone_get_h_count(cone), 7);
        for (size_t i = 0; i < h.count; i++) {
            for (size_t k = 0; k < 6; k++) {
                h.at[7 * i + 1 + k] = -br_wrench_cone_get_h(cone)[6 * i + k];
            }
        }
        rows theirs = convert(&v, dd_Generator);
        worst = fmax(worst, worst_match(&h, &theirs, 1));
        worst = fmax(worst, worst_match(&theirs, &h, 1));
        assert_true(worst <= 1e-9);
        faces += h.count;
        free_rows(&theirs);
        free_rows(&h);
        free_rows(&v);
        br_wrench_cone_destroy(cone);
    }
    print_message("wrench cones: %zu faces, largest difference %.2g\n", faces, worst);
}

/* Oracle: cddlib. Vertices and rays of capped and uncapped friction polyhedra from their rows. */
static void friction_polyhedra_match_cddlib(void** state)
{
    (void)state;
    uint64_t seed = 32;
    double worst = 0.0;
    for (int round = 0; round < 60; round++) {
        br_polyhedron_def def = br_polyhedron_def_default();
        def.cone = random_cone(&seed);
        def.faces = 3 + (size_t)(round % 12);
        def.side = round % 2;
        def.f_min = round % 3 ? 0.5 : 0.0;
        def.f_max = round % 4 ? 2.0 : HUGE_VAL;
        br_polyhedron p;
        assert_status(br_polyhedron_init(&def, &p, NULL), BR_OK);
        double h[4 * 20], v[4 * 40];
        br_polyhedron_get_h(&p, h);
        br_polyhedron_get_v(&p, v);
        rows ours = make_rows(br_polyhedron_get_v_count(&p), 4);
        for (size_t i = 0; i < ours.count; i++) {
            for (size_t k = 0; k < 4; k++) {
                ours.at[4 * i + k] = v[4 * i + (k + 3) % 4]; // w, x, y, z
            }
        }
        rows planes = make_rows(br_polyhedron_get_h_count(&p), 4);
        for (size_t i = 0; i < planes.count; i++) {
            for (size_t k = 0; k < 4; k++) {
                planes.at[4 * i + k] = k == 0 ? h[4 * i + 3] : -h[4 * i + k - 1];
            }
        }
        rows theirs = convert(&planes, dd_Inequality);
        // as directions in four dimensions, in which vertices and rays are alike
        const int is_cone = !(def.f_min > 0.0) && isinf(def.f_max);
        worst = fmax(worst, worst_match(&ours, &theirs, 0));
        worst = fmax(worst, is_cone ? 0.0 : worst_match(&theirs, &ours, 0));
        assert_true(worst <= 1e-9);
        free_rows(&theirs);
        free_rows(&planes);
        free_rows(&ours);
    }
    print_message("friction polyhedra: largest difference %.2g\n", worst);
}

/* Oracle: cddlib. Faces of the inner limit polyhedron from its vertices; lengths in r. */
static void limit_polyhedra_match_cddlib(void** state)
{
    (void)state;
    const br_patch_def shapes[] = {disc_def(0.01), rectangle_def(0.04, 0.01), line_def(0.02)};
    double worst = 0.0;
    for (size_t s = 0; s < COUNT(shapes); s++) {
        br_patch* patch = make(shapes[s]);
        br_limit_def def = br_limit_def_default();
        def.patch = patch;
        br_limit* surface = NULL;
        br_limit_polyhedron* p = NULL;
        assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
        assert_status(br_limit_polyhedron_create(surface, 50, &p, NULL), BR_OK);
        const double r = br_limit_get_patch_value(surface).r;
        rows v = make_rows(br_limit_polyhedron_get_v_count(p, BR_POLYHEDRON_INNER), 4);
        rows h = make_rows(br_limit_polyhedron_get_h_count(p, BR_POLYHEDRON_INNER), 4);
        for (size_t i = 0; i < v.count; i++) {
            const double* from = br_limit_polyhedron_get_v(p, BR_POLYHEDRON_INNER) + 3 * i;
            const double point[4] = {1.0, from[0], from[1], from[2] / r};
            memcpy(v.at + 4 * i, point, sizeof point);
        }
        for (size_t i = 0; i < h.count; i++) {
            const double* from = br_limit_polyhedron_get_h(p, BR_POLYHEDRON_INNER) + 4 * i;
            const double face[4] = {from[3], -from[0], -from[1], -from[2] * r};
            memcpy(h.at + 4 * i, face, sizeof face);
        }
        rows theirs = convert(&v, dd_Generator);
        worst = fmax(worst, worst_match(&h, &theirs, 1));
        worst = fmax(worst, worst_match(&theirs, &h, 1));
        assert_true(worst <= 1e-9);
        free_rows(&theirs);
        free_rows(&h);
        free_rows(&v);
        br_limit_polyhedron_destroy(p);
        br_limit_destroy(surface);
        br_patch_destroy(patch);
    }
    print_message("limit polyhedra: largest difference %.2g\n", worst);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrench_cones_match_cddlib),
        cmocka_unit_test(friction_polyhedra_match_cddlib),
        cmocka_unit_test(limit_polyhedra_match_cddlib),
    };
    dd_set_global_constants();
    const int failed = run_group(argc, argv, tests);
    dd_free_global_constants();
    return failed;
}

#endif
