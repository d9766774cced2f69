/*
 * Patches of triangles: checks, moments, cells.
 *
 * On a triangle of area A with the pressures p_i at its corners c_i, S = p_0 + p_1 + p_2,
 *
 *   force = A S/3,   centre of pressure = sum c_i (p_i + S)/(4 S)                                (1)
 */
#include "patch/mesh.h"

#include <stdio.h>

#include "patch/patch_internal.h"
#include "patch/polygon.h"

// --- checks ------------------------------------------------------------------------------------------

static br_status refuse_index(size_t i, uint32_t vertex, size_t count, br_reason* why)
{
    char field[64];
    snprintf(field, sizeof field, "triangles[%zu]", i / 3);
    br_reason_set(why, field, "must be numbers of vertices, 0 to %zu, got %u", count - 1,
                  (unsigned)vertex);
    return BR_ERR_DEF;
}

static br_status refuse_vertex(const br_patch_def* def, size_t i, br_reason* why)
{
    char field[64];
    snprintf(field, sizeof field, "vertices[%zu]", i);
    br_reason_set(why, field, "must be finite, with a pressure >= 0, got (%g, %g), %g",
                  def->vertices[i].x, def->vertices[i].y, def->pressures[i]);
    return BR_ERR_DEF;
}

br_status bri_mesh_check(const br_patch_def* def, br_reason* why)
{
    if (!def->vertices || !def->pressures || def->count < 3) {
        br_reason_set(why, "vertices", "must be given with their pressures: at least 3 of them");
        return BR_ERR_DEF;
    }
    if (!def->triangles || def->triangle_count == 0) {
        br_reason_set(why, "triangles", "must be given: at least 1 of them");
        return BR_ERR_DEF;
    }
    for (size_t i = 0; i < def->count; i++) {
        const br_vec2 at = def->vertices[i];
        if (!(isfinite(at.x) && isfinite(at.y) && isfinite(def->pressures[i]) &&
              def->pressures[i] >= 0.0)) {
            return refuse_vertex(def, i, why);
        }
    }
    double force = 0.0;
    for (size_t i = 0; i < 3 * def->triangle_count; i++) {
        if (def->triangles[i] >= def->count) {
            return refuse_index(i, def->triangles[i], def->count, why);
        }
    }
    for (size_t i = 0; i < def->triangle_count; i++) {
        const mesh_triangle t = mesh_triangle_of(def->triangles, i, def->vertices, def->pressures);
        force += fabs(mesh_twice_area(&t)) * (t.p[0] + t.p[1] + t.p[2]);
    }
    if (!(force > 0.0 && isfinite(force))) {
        br_reason_set(why, "triangles", "their force must be > 0 and finite, got %g", force / 6.0);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

void bri_mesh_orient(const br_patch_def* def, uint32_t* triangles)
{
    for (size_t i = 0; i < def->triangle_count; i++) {
        const mesh_triangle t = mesh_triangle_of(triangles, i, def->vertices, def->pressures);
        if (mesh_twice_area(&t) < 0.0) {
            const uint32_t second = triangles[3 * i + 1];
            triangles[3 * i + 1] = triangles[3 * i + 2];
            triangles[3 * i + 2] = second;
        }
    }
}

// --- moments -----------------------------------------------------------------------------------------

// Force (1) and centre of pressure of a triangle, or its centroid where there is no pressure.
typedef struct mesh_load {
    double force;
    br_vec2 at;
} mesh_load;

static mesh_load load_of(const mesh_triangle* t)
{
    const double sum = t->p[0] + t->p[1] + t->p[2];
    mesh_load out = {fabs(mesh_twice_area(t)) * sum / 6.0, {0.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        const double share = sum > 0.0 ? 0.25 * (1.0 + t->p[i] / sum) : 1.0 / 3.0; // (1)
        out.at = br_vec2_add(out.at, br_vec2_scale(share, t->corner[i]));
    }
    return out;
}

// The pressure about an apex: at + slope . rho. A triangle without area has none.
static apex_pressure pressure_about(const mesh_triangle* t, br_vec2 apex)
{
    const br_vec2 a = br_vec2_sub(t->corner[1], t->corner[0]),
                  b = br_vec2_sub(t->corner[2], t->corner[0]);
    const double cross = br_vec2_cross(a, b), to_a = t->p[1] - t->p[0], to_b = t->p[2] - t->p[0];
    if (!(fabs(cross) > 0.0)) {
        return (apex_pressure){0.0, {0.0, 0.0}};
    }
    const br_vec2 slope = {(to_a * b.y - to_b * a.y) / cross, (to_b * a.x - to_a * b.x) / cross};
    return (apex_pressure){t->p[0] + br_vec2_dot(slope, br_vec2_sub(apex, t->corner[0])), slope};
}

br_patch_value bri_mesh_value(const br_patch_def* def)
{
    double force = 0.0;
    br_patch_value value = {def->vertices[0], 0.0, 0.0, 0.0};
    for (size_t i = 0; i < def->triangle_count; i++) {
        const mesh_triangle t = mesh_triangle_of(def->triangles, i, def->vertices, def->pressures);
        const mesh_load load = load_of(&t);
        force += load.force;
        if (load.force > 0.0) { // running mean: no cancellation
            const br_vec2 offset = br_vec2_sub(load.at, value.cop);
            value.cop = br_vec2_add(value.cop, br_vec2_scale(load.force / force, offset));
            value.area += 0.5 * fabs(mesh_twice_area(&t));
        }
    }
    const polygon_frame frame = {{0.0, 0.0}, {1.0, 0.0}, 0};
    for (size_t i = 0; i < def->triangle_count; i++) {
        const mesh_triangle t = mesh_triangle_of(def->triangles, i, def->vertices, def->pressures);
        const polygon_moments m =
            bri_polygon_integrate(t.corner, 3, &frame, value.cop, pressure_about(&t, value.cop));
        value.r += fabs(m.distance) / force; // (23)
        value.u += fabs(m.second) / force;   // (27)
    }
    return value;
}

// --- cells -------------------------------------------------------------------------------------------

size_t bri_mesh_divide(const br_patch_def* def, size_t resolution, uint32_t* parts)
{
    const patch_box box = bri_patch_box_of(def->vertices, def->count);
    const double step = 2.0 * fmax(box.half.x, box.half.y) / (double)resolution;
    size_t count = 0;
    for (size_t i = 0; i < def->triangle_count; i++) {
        const mesh_triangle t = mesh_triangle_of(def->triangles, i, def->vertices, def->pressures);
        double longest = 0.0;
        for (int k = 0; k < 3; k++) {
            const br_vec2 side = br_vec2_sub(t.corner[(k + 1) % 3], t.corner[k]);
            longest = fmax(longest, br_vec2_norm(side));
        }
        // cells of the area of a square of one step, or three steps long if that is thin
        const double across = fmax(sqrt(0.5 * fabs(mesh_twice_area(&t))), longest / 3.0);
        const double n = ceil(across / step - 1e-9);
        parts[i] = n > 1.0 ? (uint32_t)n : 1u;
        count += (size_t)parts[i] * parts[i];
    }
    return count;
}

int bri_mesh_has_force(const br_patch_def* def, const br_vec2* vertices, const double* pressures)
{
    for (size_t i = 0; i < def->triangle_count; i++) {
        const mesh_triangle t = mesh_triangle_of(def->triangles, i, vertices, pressures);
        const double p = fmax(0.0, t.p[0]) + fmax(0.0, t.p[1]) + fmax(0.0, t.p[2]);
        const int is_nan = isnan(t.p[0] + t.p[1] + t.p[2] + mesh_twice_area(&t));
        if (is_nan || (p > 0.0 && fabs(mesh_twice_area(&t)) > 0.0)) {
            return 1;
        }
    }
    return 0;
}

// The point at the position (i, j)/n of a triangle, and the pressure there.
static void corner_at(const mesh_triangle* t, double i, double j, double n, br_vec2* at, double* p)
{
    const double b = i / n, c = j / n, a = 1.0 - b - c;
    at->x = a * t->corner[0].x + b * t->corner[1].x + c * t->corner[2].x;
    at->y = a * t->corner[0].y + b * t->corner[1].y + c * t->corner[2].y;
    *p = a * t->p[0] + b * t->p[1] + c * t->p[2];
}

// The load on one of the n^2 parts: in column i and row j, upright or not.
static mesh_load part_load(const mesh_triangle* t, double i, double j, double n, int is_upright)
{
    mesh_triangle part;
    const double first = is_upright ? 0.0 : 1.0;
    corner_at(t, i + first, j + first, n, &part.corner[0], &part.p[0]);
    corner_at(t, i + 1.0, j, n, &part.corner[1], &part.p[1]);
    corner_at(t, i, j + 1.0, n, &part.corner[2], &part.p[2]);
    return load_of(&part);
}

void bri_mesh_cells(const br_patch_def* def, const uint32_t* parts, const br_vec2* vertices,
                    const double* pressures, double* x, double* y, double* weight)
{
    size_t cell = 0;
    for (size_t k = 0; k < def->triangle_count; k++) {
        mesh_triangle t = mesh_triangle_of(def->triangles, k, vertices, pressures);
        for (int i = 0; i < 3; i++) {
            t.p[i] = t.p[i] < 0.0 ? 0.0 : t.p[i]; // NaN stays
        }
        const uint32_t n = parts[k];
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t j = 0; j < 2 * (n - i) - 1; j++, cell++) {
                const mesh_load load = part_load(&t, i, j / 2, n, j % 2 == 0);
                x[cell] = load.at.x;
                y[cell] = load.at.y;
                weight[cell] = load.force;
            }
        }
    }
}
