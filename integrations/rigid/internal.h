/*
 * Private declarations of the layer.
 */
#ifndef BRISTLE_RIGID_INTERNAL_H
#define BRISTLE_RIGID_INTERNAL_H

#include "bristle/rigid.h"
#include "bristle/step.h"

#include "outline.h"

// A row of a Jacobian over at most two bodies of a part.
typedef struct row {
    int body[2];    // index in the part; -1: the world, a fixed or a kinematic body
    double j[2][6]; // the row
    double m[2][6]; // M^-1 row^T
    double outside; // velocity by bodies that are not in the part [m/s or rad/s]
} row;

enum { KEPT_MOST = 8 };

// A pair of shapes with its bristles.
typedef struct contact_pair {
    uint64_t key;
    int a, b, slider; // slider: 0 a, 1 b; frame and patch move with it
    double mu, disc;
    double law_mu, patch_disc; // those of `law` and of the patch
    br_law law;                // that of the first touch
    outline outline;
    br_patch* patch;
    br_contact* contact;
    double *z, *before; // bristles, now and at the start of the step
    double saved;       // energy that changes of the contact lost [J]
    double tangent[3];  // the first tangent, in the slider's frame
    int touched;        // in the last step
    int is_pressing;    // in this step

    // the last step
    double last_fn;     // [N]
    double last_cop[3]; // in the slider's frame [m]
    double last[2][6];  // friction on a and b at their centres of mass, world axes [N, N m]
    double kept[KEPT_MOST]
               [3]; // points, in the slider's frame: engines drop and find them again [m]
    int age[KEPT_MOST], kept_count;

    // this step
    size_t stamp;
    int first; // of its points
    double n[3], t[3], s[3];
    brg_contact now;
} contact_pair;

struct brg_world {
    brg_def def;
    brg_report report;
    size_t stamp;         // number of the step
    int failed;           // the last step has no result
    size_t applied;       // bodies that have the last friction
    double applied_h;     // step for which [s]
    contact_pair** table; // by key, open addressing (capacity, a power of 2)
    size_t capacity, count;
    contact_pair** live; // those with points in this step
    size_t live_count, live_capacity;

    // arrays of the bodies (body_capacity)
    size_t body_capacity;
    double* velocity; // during the step (6 each)
    int *parent, *local, *island, *member;
    int* moves; // 1: neither static nor kinematic

    // arrays of the points (point_capacity) and rows (row_capacity)
    size_t point_capacity, row_capacity;
    brg_point* points;
    int* next;      // of the same pair
    double* lam;    // normal impulses [N s]
    int* owner;     // pressing pair in the part, or -1
    double* target; // normal velocities of a large island [m/s]
    int* order;     // points of a large island
    double* row_impulse;
    int* row_order;
    contact_pair** pair_order; // by island (live_capacity)

    char* arena; // of a part
    size_t arena_size;
    double* work; // of br_step_group_step()
    size_t work_size;
};

// Unilateral and other rows of a part with their limits: lower <= lam <= upper, velocity v_i = (N v)_i,
//   v_i + soft_i (lam_i - ref_i) - target_i  = 0 within the limits, >= 0 at the lower, <= 0 at the upper one
typedef struct normals {
    int count, free_count;
    int is_factored; // 1: `factor` is that of the free rows
    row* rows;
    double *mass,
        *factor; // N M^-1 N^T (count x count), Cholesky factor of the free ones with softness
    double *target, *lower, *upper, *soft, *ref, *lam;
    double* rhs; // scratch (2 count)
    int* state;  // -1: at the lower limit, 0: free, 1: at the upper one
    int* list;   // of the free rows
} normals;

// Bodies that are solved together: an island, or a part of one.
typedef struct part {
    brg_world* world;
    double h;
    const brg_body* bodies;
    const brg_row* extra; // all of the step
    int* id;              // index of each body (body_count)
    int body_count;
    contact_pair** pairs; // pressing ones first
    int pair_count, n;    // n: pressing ones
    int* point;           // index of each point
    int point_count;
    int* extra_index; // index of each row of joints
    int extra_count;
    normals normals;
    row* J;              // of the twists (3 pair_count)
    double *C, *A;       // (rows x 3 n), (3 n x 3 n)
    double* engine;      // velocities: the engine's,
    double *bare, *free; // without normal impulses and friction, without friction,
    double* next;        // and the result (6 body_count)
    double* fn;          // [N] (pair_count)
    int* before;         // states of the rows before a solve
    br_step_contact* contacts;
    br_twist *u, *u1;
    br_wrench* f;
} part;

static inline double dot3(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const double* a, const double* b, double* out)
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
}

// out = x + R p
static inline void to_world(const brg_body* b, const double* p, double* out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = b->x[i] + dot3(b->R + 3 * i, p);
    }
}

// out = R^T (p - x)
static inline void to_body(const brg_body* b, const double* p, double* out)
{
    const double d[3] = {p[0] - b->x[0], p[1] - b->x[1], p[2] - b->x[2]};
    for (int i = 0; i < 3; i++) {
        out[i] = b->R[i] * d[0] + b->R[3 + i] * d[1] + b->R[6 + i] * d[2];
    }
}

static inline double dot6(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

// (N v) of a row
static inline double row_velocity(const row* r, const double* v)
{
    double sum = r->outside;
    for (int k = 0; k < 2; k++) {
        if (r->body[k] >= 0) {
            sum += dot6(r->j[k], v + 6 * r->body[k]);
        }
    }
    return sum;
}

// p M^-1 q^T
static inline double row_mass(const row* p, const row* q)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; p->body[i] >= 0 && k < 2; k++) {
            if (p->body[i] == q->body[k]) {
                sum += dot6(p->j[i], q->m[k]);
            }
        }
    }
    return sum;
}

// v += M^-1 row^T impulse
static inline void row_push(const row* r, double impulse, double* v)
{
    for (int k = 0; k < 2; k++) {
        for (int i = 0; r->body[k] >= 0 && i < 6; i++) {
            v[6 * r->body[k] + i] += impulse * r->m[k][i];
        }
    }
}

int brgi_is_fixed(const brg_body* body);

// Grow an array that keeps nothing; 0 without memory.
int brgi_reserve(void* array, size_t* capacity, size_t count, size_t bytes);

// pairs.c: the pair of a key, created if there is none; NULL without memory
contact_pair* brgi_pair_find(const brg_world* world, uint64_t key);
contact_pair* brgi_pair_get(brg_world* world, uint64_t key);
void brgi_pair_destroy(contact_pair* pair);
void brgi_pair_reset(contact_pair* pair);
const brg_body* brgi_slider(const contact_pair* pair, const brg_body* bodies);

// Normal and tangents from the points with weights: normal impulses, or NULL: all the same.
void brgi_pair_set_frame(brg_world* world, contact_pair* pair, const brg_body* bodies,
                         const double* weight);

// Read normal force, CoP, frame and patch from the normal impulses.
void brgi_pair_read(brg_world* world, contact_pair* pair, double h, const brg_body* bodies);

// Impulses of the points that have the last step's force and CoP.
void brgi_pair_spread_last(brg_world* world, const contact_pair* pair, double h,
                           const brg_body* bodies, double* impulse);

// points.c: add points that the engine dropped in the last steps; the new number of points
size_t brgi_keep_points(brg_world* world, contact_pair* pair, const brg_body* bodies, size_t count);

// rows.c; j (2 x 6): of both bodies. The velocity of a row at a point of a kinematic body that turns is the mean one
// of a step h, so that bodies on a turntable do not drift outwards.
void brgi_row_set(row* r, const brg_body* bodies, const int* local, const int body[2],
                  const double* j);
void brgi_row_at(row* r, const brg_body* bodies, const int* local, const int body[2],
                 const double* x, const double* direction, double sign, double h);
void brgi_row_about(row* r, const brg_body* bodies, const int* local, const int body[2],
                    const double* axis, double sign);

// normals.c: solve all rows; v without their impulses becomes v with them. The number of passes, or NORMALS_SWEPT.
enum { NORMALS_PASSES = 60, NORMALS_SWEPT = NORMALS_PASSES + 1 };
void brgi_normals_set_mass(normals* s);
int brgi_normals_solve(normals* s, double* v);

// The same with the states of the last solve, whatever the signs.
void brgi_normals_hold(normals* s, double* v);

// x = factor^-1 x, (count) with a stride
void brgi_normals_lower(const normals* s, double* x, int stride);

// part.c: the normal velocity that a point has at least [m/s]; `engine`: the one that the engine left
double brgi_target(const brg_world* world, double h, const brg_point* point, double engine);

// Friction of a part.
br_status brgi_part_solve(part* p);

#endif
