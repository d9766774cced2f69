/*
 * Random friction cones and their polyhedra, and wrench cones.
 *
 * Oracles: the definition of the second-order cone, mu n.f >= |f - (n.f) n|; vertices of a polyhedron by
 * solving all triples of its planes; sums of rays with weights >= 0.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/polyhedron.h"
#include "bristle/wrench_cone.h"
#include "others.h"

enum { MOST_FACES = 12, MOST_ROWS = MOST_FACES + 2, MOST_CORNERS = 2 * MOST_FACES + 1 };

static double dot(const double* a, const double* b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static void draw_vector(uint64_t* state, double* out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = draw(state, -1, 1);
    }
}

static br_polyhedron draw_polyhedron(uint64_t* state, br_polyhedron_side side)
{
    double n[3];
    do {
        draw_vector(state, n);
    } while (dot(n, n, 3) < 0.01);
    br_polyhedron_def def = br_polyhedron_def_default();
    br_polyhedron out;
    def.faces = 3 + (size_t)draw(state, 0, MOST_FACES - 2);
    def.side = side;
    def.phase = draw(state, -3, 3);
    def.f_max = exp(draw(state, -2, 4));
    def.f_min = draw(state, 0, 1) < 0.5 ? 0 : draw(state, 0.1, 0.9) * def.f_max;
    if (br_cone_init(n, exp(draw(state, -2.5, 1)), &def.cone, NULL) != BR_OK ||
        br_polyhedron_init(&def, &out, NULL) != BR_OK) {
        abort();
    }
    return out;
}

// the point on three planes a.x = b; false where they have none
static bool solve_corner(const double* p, const double* q, const double* r, double x[3])
{
    const double* rows[3] = {p, q, r};
    double cross[3][3], det = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = rows[(i + 1) % 3], *b = rows[(i + 2) % 3];
        for (int k = 0; k < 3; k++) {
            cross[i][k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        }
    }
    det = dot(p, cross[0], 3);
    for (int k = 0; k < 3; k++) {
        x[k] = (p[3] * cross[0][k] + q[3] * cross[1][k] + r[3] * cross[2][k]) / det;
    }
    return fabs(det) > 1e-9;
}

static bool is_in_rows(const double* x, const double* h, size_t count, double slack)
{
    for (size_t i = 0; i < count; i++) {
        if (dot(h + 4 * i, x, 3) > h[4 * i + 3] + slack) {
            return false;
        }
    }
    return true;
}

// the largest d.x over the polyhedron that the rows bound, by all its corners
static double support_of_rows(const double* h, size_t count, const double* d, double slack)
{
    double most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            for (size_t k = j + 1; k < count; k++) {
                double x[3];
                if (solve_corner(h + 4 * i, h + 4 * j, h + 4 * k, x) &&
                    is_in_rows(x, h, count, slack)) {
                    most = fmax(most, dot(d, x, 3));
                }
            }
        }
    }
    return most;
}

static double support_of_corners(const double* v, size_t count, const double* d)
{
    double most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        most = fmax(most, dot(d, v + 4 * i, 3));
    }
    return most;
}

/* Oracle: both representations have the same support function in any direction. */
static size_t check_support(size_t index, uint64_t* state, const br_polyhedron* of)
{
    double h[4 * MOST_ROWS], v[4 * MOST_CORNERS], d[3];
    br_polyhedron_get_h(of, h);
    br_polyhedron_get_v(of, v);
    // corners of nearly parallel planes: the error of a corner is rounding over the smallest angle
    const double scale = of->def.f_max * (1 + of->rho), slack = 1e-9 * scale;
    size_t failed = 0;
    for (int i = 0; i < 3; i++) {
        draw_vector(state, d);
        failed += is_off("support of a cone by H and V", index,
                         support_of_rows(h, br_polyhedron_get_h_count(of), d, slack),
                         support_of_corners(v, br_polyhedron_get_v_count(of), d), 1e-8 * scale);
    }
    return failed;
}

/* Oracle: the definition. A force on the cone's boundary is inside the outer and outside the inner one. */
static size_t check_sides(size_t index, uint64_t* state, const br_polyhedron* of)
{
    const br_cone* cone = &of->def.cone;
    const double phi = draw(state, -3.2, 3.2);
    const double fn = draw(state, of->def.f_min, of->def.f_max);
    double f[3], tangent[3];
    for (int k = 0; k < 3; k++) {
        tangent[k] = cos(phi) * cone->t1[k] + sin(phi) * cone->t2[k];
        f[k] = fn * (cone->n[k] + cone->mu * tangent[k]);
    }
    const double margin = br_polyhedron_margin(of, f), rounding = 1e-12 * fn * (1 + cone->mu);
    const bool outer = of->def.side == BR_POLYHEDRON_OUTER;
    return is_off(outer ? "a force of the cone in the outer polyhedron"
                        : "a force of the cone beyond the inner polyhedron",
                  index, outer ? fmin(margin, 0) : fmax(margin, 0), 0, rounding);
}

/* Oracle: a ray of each support times a weight >= 0, summed, is in the cone; -n alone is not. */
static size_t check_wrenches(size_t index, uint64_t* state)
{
    br_support supports[4];
    const size_t count = 1 + (size_t)draw(state, 0, 4);
    for (size_t i = 0; i < count; i++) {
        supports[i].forces = draw_polyhedron(state, BR_POLYHEDRON_INNER);
        draw_vector(state, supports[i].place);
    }
    br_wrench_cone* cone;
    if (br_wrench_cone_create(supports, count, &cone, NULL) != BR_OK) {
        return is_off("wrench cone is created", index, 0, 1, 0);
    }
    double sum[6] = {0};
    const double* rays = br_wrench_cone_get_v(cone);
    const size_t ray_count = br_wrench_cone_get_v_count(cone);
    for (size_t i = 0; i < ray_count; i++) {
        const double weight = draw(state, 0, 1) < 0.5 ? 0 : draw(state, 0, 3);
        for (int k = 0; k < 6; k++) {
            sum[k] += weight * rays[6 * i + (size_t)k];
        }
    }
    const size_t failed =
        is_off("a sum of rays in the wrench cone", index, br_wrench_cone_contains(cone, sum), 1, 0);
    br_wrench_cone_destroy(cone);
    return failed;
}

size_t check_cones(uint64_t seed, size_t count)
{
    size_t failed = 0;
    for (size_t index = 0; index < count; index++) {
        uint64_t state = seed * 1000003 + index;
        const br_polyhedron of =
            draw_polyhedron(&state, index % 2 ? BR_POLYHEDRON_OUTER : BR_POLYHEDRON_INNER);
        failed += check_support(index, &state, &of) + check_sides(index, &state, &of) > 0;
        failed += index % 10 == 0 && check_wrenches(index, &state) > 0;
    }
    return failed;
}
