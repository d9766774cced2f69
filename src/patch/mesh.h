/*
 * Patches of triangles whose pressure is linear between their vertices.
 */
#ifndef BRISTLE_PATCH_MESH_H
#define BRISTLE_PATCH_MESH_H

#include "bristle/patch.h"

// A triangle with the pressures at its corners.
typedef struct mesh_triangle {
    br_vec2 corner[3];
    double p[3];
} mesh_triangle;

// Triangle `index` of vertices and pressures.
static inline mesh_triangle mesh_triangle_of(const uint32_t* triangles, size_t index,
                                             const br_vec2* vertices, const double* pressures)
{
    mesh_triangle t;
    for (int i = 0; i < 3; i++) {
        const uint32_t vertex = triangles[3 * index + (size_t)i];
        t.corner[i] = vertices[vertex];
        t.p[i] = pressures[vertex];
    }
    return t;
}

// Twice its area, negative if clockwise.
static inline double mesh_twice_area(const mesh_triangle* t)
{
    return br_vec2_cross(br_vec2_sub(t->corner[1], t->corner[0]),
                         br_vec2_sub(t->corner[2], t->corner[0]));
}

// Check a definition whose numbers were not checked yet. BR_OK or BR_ERR_DEF.
br_status bri_mesh_check(const br_patch_def* def, br_reason* why);

// Swap corners of triangles so that all are counter-clockwise.
void bri_mesh_orient(const br_patch_def* def, uint32_t* triangles);

// CoP, r, u and area.
br_patch_value bri_mesh_value(const br_patch_def* def);

// Is there any pressure on a triangle? NaN counts as one.
int bri_mesh_has_force(const br_patch_def* def, const br_vec2* vertices, const double* pressures);

// How each triangle is divided into n^2 equal ones, which are the cells of the patch, n per triangle
// (triangle_count). Returns the number of cells.
size_t bri_mesh_divide(const br_patch_def* def, size_t resolution, uint32_t* parts);

// Force and centre of pressure of the cells, for vertices and pressures of a mesh that was divided
// so. A cell without pressure has the weight 0 and its centroid. Pressures below 0 count as 0.
void bri_mesh_cells(const br_patch_def* def, const uint32_t* parts, const br_vec2* vertices,
                    const double* pressures, double* x, double* y, double* weight);

#endif
