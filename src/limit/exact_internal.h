/*
 * Shared by the exact surfaces of all shapes.
 *
 * Axes of the patch frame (thin polygons: along the polygon), from the CoP, lengths in units of
 * `size`: no part of the patch is farther than 1 from the CoP. A local twist is (vx, vy, w size).
 *
 *   c = (-vy, vx)/w                     centre of rotation (CoR)
 *   G(c) = int |rho - c| p dA           mean distance from it
 *   D(v) = |w| G(c)                     dissipation
 */
#ifndef BRISTLE_LIMIT_EXACT_INTERNAL_H
#define BRISTLE_LIMIT_EXACT_INTERNAL_H

#include "limit/limit_internal.h"
#include "patch/oval.h"

// G and its derivatives at a centre of rotation.
typedef struct cor_value {
    double G;
    br_vec2 slope;     // gradient of G
    double xx, xy, yy; // Hessian of G
} cor_value;

enum {
    FAR_DEGREE = 40,                                         // of the series for a far CoR
    FAR_TERMS = (FAR_DEGREE / 2 + 1) * (FAR_DEGREE / 2 + 1), // its coefficients
    FAR_GAUSS = FAR_DEGREE / 2 + 2,                          // points that integrate it exactly
    FAR_CIRCLE = 2 * FAR_DEGREE + 8                          // the same on a circle
};

// The series is used beyond this ratio of the speed of the CoP to the spin, in sizes.
#define FAR_DISTANCE 2.5

// Coefficients of the series, see exact_far.c.
typedef struct far_series {
    br_vec2 term[FAR_TERMS]; // complex numbers
} far_series;

// Nodes of a double exponential rule on 0..1.
enum { RING_NODES = 81 };
typedef struct ring_rule {
    double k, norm;          // power law and its C_k
    double low[RING_NODES];  // distance from 0
    double high[RING_NODES]; // distance from 1
    double weight[RING_NODES];
} ring_rule;

// Pressure at + slope . rho on a line or polygon, rho from the CoP, divided by `mass`. A thin
// polygon is along x, see exact_thin.c.
enum { THIN_GAUSS = 10 };
typedef struct corner_list {
    size_t count;
    double at;
    br_vec2 slope;
    double mass;
    br_vec2* corner;                               // (count)
    double low, high;                              // across
    double thin_x[THIN_GAUSS], thin_w[THIN_GAUSS]; // points on 0..1
} corner_list;

// Rows of a grid that are processed together.
enum { GRID_LANES = 8 };

// Lattice corners of a grid, in strips of GRID_LANES rows. A strip stores only the columns where
// the second difference of the pressure is not 0; inside an area of uniform pressure it is 0.
typedef struct corner_grid {
    size_t strips;
    double* y; // of the rows (strips x GRID_LANES), filled up with zeros
    size_t*
        first; // first column of each strip among those of all; at the end their number (strips + 1)
    double* x;      // of these columns
    double* weight; // the second difference at their corners (columns x GRID_LANES)
} corner_grid;

// A round patch with linear pressure.
typedef struct round_patch {
    int is_disc;  // else a ring
    double scale; // size/radius
    double cop;   // position of the CoP along x, in radii
    double g;     // relative slope of the pressure
} round_patch;

// An edge of triangles: the jump of their pressure across it, left minus right.
typedef struct mesh_edge {
    br_vec2 a, b;  // from the CoP
    double p;      // jump at a
    br_vec2 slope; // gradient of the jump
} mesh_edge;

typedef struct edge_list {
    size_t count;
    mesh_edge* edge; // (count)
    double mass;
} edge_list;

// An ellipse or elliptic ring, lengths in radii.
typedef struct oval_patch {
    oval shape;
    br_vec2 cop;  // from the centre
    double scale; // size/radius
} oval_patch;

// D, its gradient and, unless NULL, its Hessian, of a local twist.
typedef struct exact_shape {
    br_limit_value (*eval)(const exact* surface, br_twist v, double hessian[3][3]);
} exact_shape;

// G and its derivatives at a CoR that is not far.
typedef cor_value (*cor_function)(const exact* surface, br_vec2 c);

// Position of the CoR for an axisymmetric patch: x = d inside (d <= 1), x = 1/d outside.
typedef struct radial_place {
    int is_outside;
    double x;
    double below; // 1 - x
} radial_place;

// Force F = G', torque T = G - d F and curvature.
typedef struct radial_value {
    double force;  // inside F/d, outside F
    double torque; // T
    double bend;   // inside F', outside d^3 F'
} radial_value;

typedef radial_value (*radial_function)(const exact* surface, radial_place place);

struct exact {
    const exact_shape* shape; // points_shape, radial_shape or bri_cor_shape
    radial_function radial;   // of a radial_shape
    cor_function near;        // of a bri_cor_shape
    double size;              // unit of length [m]
    double per_radius;        // the same over the radius of a disc or ring [-]
    double cosine, sine;      // of the angle of these axes in the contact frame
    corner_list corners;      // polygon, rectangle, line: its two ends
    corner_grid grid;         // grid
    round_patch round;        // disc and ring with linear pressure
    oval_patch oval;          // ellipse and elliptic ring
    edge_list mesh;           // triangles
    br_support_point* points; // points (count); weights sum to 1
    size_t count;
    double r;            // r of the patch, for the norm of wrenches
    double blur;         // rounding error of the CoP position that a caller knows, in sizes
    ring_rule* rings;    // disc with power law
    chord_table* chords; // ellipse with power law, but for k = 2
    far_series* far;     // shapes that use it
    void* memory[4];     // all that is owned
};

// Allocate memory that belongs to the surface; NULL: no memory.
void* bri_exact_own(exact* surface, size_t count, size_t bytes);

// Fill in a shape: its functions, size and numbers. 0: no memory.
int bri_exact_fill_round(exact* surface, const br_patch_def* def, double radius, double k);
int bri_exact_fill_corners(exact* surface, const br_patch_def* def, br_vec2 cop);

// If a polygon is many times as long as wide, rotate its corners from the CoP to the x axis, and x,
// the patch frame's axis, with them, and treat it as thin from then on. 0: it is not thin.
int bri_exact_lay_thin(exact* surface, br_vec2 cop, br_vec2* x);
int bri_exact_fill_points(exact* surface, const br_patch_def* def, br_vec2 cop);
int bri_exact_fill_grid(exact* surface, const br_patch_def* def, br_vec2 cop);
int bri_exact_fill_linear_round(exact* surface, const br_patch_def* def, double radius);
int bri_exact_fill_mesh(exact* surface, const br_patch_def* def, br_vec2 cop);
int bri_exact_fill_oval(exact* surface, const br_patch_def* def, double radius, double k);

// Change the exponent of an ellipse with a power law, which takes some 10 ms unless it is 2.
void bri_exact_change_oval(exact* surface, double k);

// Change the exponent of a disc with a power law.
void bri_exact_change_k(exact* surface, double k);

// All force in one point, the CoP.
int bri_exact_fill_point(exact* surface);

// Shapes computed by integrals about the CoR, and by their series where the CoR is far.
extern const exact_shape bri_cor_shape;

// A grid's integrals about a CoR, compiled for scalars and for vectors of 4 and 8 lanes. NULL: this
// processor does not have them.
cor_function bri_grid_near(int lanes);

// --- the series for a far CoR ----------------------------------------------------------------------

int bri_far_create(exact* surface);

// Add a sample: share[n] is its weight in the moments of degree n (FAR_DEGREE + 1 weights).
void bri_far_add(far_series* series, br_vec2 rho, const double* share);

// Convert the moments to coefficients, after all samples were added.
void bri_far_finish(far_series* series);

// D, its gradient and, unless NULL, its Hessian.
br_limit_value bri_far_eval(const far_series* series, br_twist v, double hessian[3][3]);

// Index of the complex moment int zeta^j conj(zeta)^k p dA, j >= k.
static inline size_t far_index(int n, int order)
{
    // degree n has n/2 + 1 terms of order n, n - 2, ...
    const int half = n / 2;
    const int before = n % 2 ? (half + 1) * (half + 1) : half * (half + 1);
    return (size_t)(before + order / 2); // NOLINT(bugprone-misplaced-widening-cast): n is small
}

#endif
