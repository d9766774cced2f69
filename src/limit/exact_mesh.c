/*
 * Triangles with a linear pressure on each: the closed forms along edges of exact_corners.c.
 *
 * Each edge is integrated once, with the jump of the pressure across it: that from the left triangle minus
 * that of the right one. Where the pressure is continuous the jump vanishes on the edge and
 * only the change of slope remains; inside a region of one linear pressure nothing does. So a polygon
 * divided into triangles costs as much as the polygon, and small triangles far from the CoR
 * do not cancel each other.
 */
#include "limit/edges.h"

#include <stdlib.h>

#include "math/gauss.h"
#include "patch/mesh.h"
#include "patch/patch_internal.h"

static cor_value mesh_near(const exact* surface, br_vec2 c)
{
    const edge_list* list = &surface->mesh;
    cor_value sum = {0};
    for (size_t i = 0; i < list->count; i++) {
        const mesh_edge* one = &list->edge[i];
        const br_vec2 a = br_vec2_sub(one->a, c), b = br_vec2_sub(one->b, c);
        const edge at = edge_between(a, b);
        const edge_sums along = edge_integrate(at.sa, at.sb, at.d);
        const double p = one->p - br_vec2_dot(one->slope, a); // at the CoR, extrapolated
        bri_add_triangle(&sum, &at, &along, p, one->slope);
    }
    return normalised(sum, list->mass);
}

// --- creation ----------------------------------------------------------------------------------------

// A side of a triangle: which vertices, and the pressure on its left.
typedef struct mesh_side {
    uint32_t low, high; // vertices
    int sign;           // 1: from low to high, counter-clockwise around its triangle
    double p_low, p_high;
    double across; // slope of the pressure across the side, to the right of low -> high
} mesh_side;

static int by_vertices(const void* a, const void* b)
{
    const mesh_side *s = a, *t = b;
    if (s->low != t->low) {
        return s->low < t->low ? -1 : 1;
    }
    return s->high == t->high ? 0 : s->high < t->high ? -1 : 1;
}

// The slope across a side, towards n = (e_y, -e_x): from the corner opposite to it.
static double slope_across(br_vec2 from, br_vec2 to, br_vec2 opposite, double p_from, double p_to,
                           double p_opposite)
{
    const br_vec2 side = br_vec2_sub(to, from), rho = br_vec2_sub(opposite, from);
    const double square = br_vec2_dot(side, side), length = sqrt(square);
    const double share = br_vec2_dot(rho, side) / square;
    const double distance = -br_vec2_cross(side, rho) / length; // along n
    return (p_opposite - p_from - share * (p_to - p_from)) / distance;
}

// The sides of all triangles that have an area. Returns their number.
static size_t collect_sides(const br_patch_def* def, mesh_side* sides)
{
    size_t n = 0;
    for (size_t i = 0; i < def->triangle_count; i++) {
        const mesh_triangle t = mesh_triangle_of(def->triangles, i, def->vertices, def->pressures);
        for (size_t k = 0; k < 3 && mesh_twice_area(&t) > 0.0; k++) {
            const size_t to = (k + 1) % 3, other = (k + 2) % 3;
            const uint32_t a = def->triangles[3 * i + k], b = def->triangles[3 * i + to];
            const int sign = a < b ? 1 : -1;
            const double across = slope_across(t.corner[k], t.corner[to], t.corner[other], t.p[k],
                                               t.p[to], t.p[other]);
            sides[n++] = (mesh_side){sign > 0 ? a : b,
                                     sign > 0 ? b : a,
                                     sign,
                                     sign > 0 ? t.p[k] : t.p[to],
                                     sign > 0 ? t.p[to] : t.p[k],
                                     sign * across};
        }
    }
    return n;
}

// A slope that is rounding error of the pressures' own.
static const double no_slope = 1e-14;

// The edge of `count` sides between the same vertices; 0: nothing changes across it.
static int join_sides(const br_patch_def* def, const mesh_side* sides, size_t count, br_vec2 cop,
                      double size, mesh_edge* out)
{
    double p_low = 0.0, p_high = 0.0, across = 0.0, largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        p_low += sides[i].sign * sides[i].p_low;
        p_high += sides[i].sign * sides[i].p_high;
        across += sides[i].sign * sides[i].across;
        largest = fmax(largest, fabs(sides[i].across));
    }
    across = fabs(across) <= no_slope * largest ? 0.0 : across;
    const br_vec2 a = br_vec2_sub(def->vertices[sides->low], cop),
                  b = br_vec2_sub(def->vertices[sides->high], cop), side = br_vec2_sub(b, a);
    const double length = br_vec2_norm(side), along = (p_high - p_low) / length;
    const br_vec2 e = br_vec2_scale(1.0 / length, side);
    *out = (mesh_edge){br_vec2_scale(1.0 / size, a),
                       br_vec2_scale(1.0 / size, b),
                       p_low,
                       {size * (along * e.x + across * e.y), size * (along * e.y - across * e.x)}};
    return p_low < 0.0 || p_low > 0.0 || p_high < 0.0 || p_high > 0.0 || across < 0.0 ||
           across > 0.0;
}

// Sides between the same vertices become one edge.
static void join_all(exact* surface, const br_patch_def* def, mesh_side* sides, size_t count,
                     br_vec2 cop)
{
    edge_list* list = &surface->mesh;
    qsort(sides, count, sizeof *sides, by_vertices);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && by_vertices(&sides[from], &sides[to]) == 0; to++) {
        }
        list->count += (size_t)join_sides(def, sides + from, to - from, cop, surface->size,
                                          &list->edge[list->count]);
    }
}

// Moments about the CoP of the triangle between it and an edge, see exact_corners.c.
static void add_moments(far_series* series, const mesh_edge* one, const double* t,
                        const double* weight)
{
    double share[FAR_DEGREE + 1];
    const br_vec2 side = br_vec2_sub(one->b, one->a);
    const double cross = br_vec2_cross(one->a, one->b);
    const double p = one->p - br_vec2_dot(one->slope, one->a);
    for (int i = 0; i < FAR_GAUSS; i++) {
        const br_vec2 rho = br_vec2_add(one->a, br_vec2_scale(t[i], side));
        const double tilt = br_vec2_dot(one->slope, rho);
        for (int n = 0; n <= FAR_DEGREE; n++) {
            share[n] = weight[i] * cross * (p / (n + 2) + tilt / (n + 3));
        }
        bri_far_add(series, rho, share);
    }
}

static void fill_moments(exact* surface)
{
    double t[FAR_GAUSS], weight[FAR_GAUSS];
    bri_gauss_legendre(FAR_GAUSS, t, weight);
    for (size_t i = 0; i < surface->mesh.count; i++) {
        add_moments(surface->far, &surface->mesh.edge[i], t, weight);
    }
    surface->mesh.mass = surface->far->term[0].x;
    bri_far_finish(surface->far);
}

static double reach_of(const br_patch_def* def, br_vec2 cop)
{
    double reach = 0.0;
    for (size_t i = 0; i < 3 * def->triangle_count; i++) {
        const br_vec2 at = br_vec2_sub(def->vertices[def->triangles[i]], cop);
        reach = fmax(reach, br_vec2_norm(at));
    }
    return reach;
}

int bri_exact_fill_mesh(exact* surface, const br_patch_def* def, br_vec2 cop)
{
    const size_t most = 3 * def->triangle_count;
    mesh_side* sides = br_allocate(most, sizeof *sides);
    surface->mesh.edge = bri_exact_own(surface, most, sizeof *surface->mesh.edge);
    const int has_memory = sides && surface->mesh.edge && bri_far_create(surface);
    if (has_memory) {
        surface->size = reach_of(def, cop);
        surface->shape = &bri_cor_shape;
        surface->near = mesh_near;
        join_all(surface, def, sides, collect_sides(def, sides), cop);
        fill_moments(surface);
    }
    br_release(sides);
    return has_memory;
}
