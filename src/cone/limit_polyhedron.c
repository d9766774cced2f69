/*
 * Polyhedra inside and around a limit surface.
 *
 * In the units L = (f_x, f_y, tau/r), x = (v_x, v_y, r w) the surface has the support function D(x).
 * A double description in four dimensions keeps the faces a.L <= b of the inner polyhedron while
 * vertices are added; another finds the vertices of the outer one in the end.
 *
 *   inner error: max D(a)/b - 1 over the faces     (the surface grows until no face holds it back)
 *   outer error: max gauge(L) - 1 over the vertices
 *
 * Both are exact: a polyhedron is in a convex set if its vertices are, a convex set is in a
 * polyhedron if its support is within every face.
 */
#include "bristle/limit_polyhedron.h"

#include "cone/double_description.h"

#include <string.h>

enum { LEAST_POINTS = 6, MOST_POINTS = 2048 };

typedef struct half {
    size_t h_count, v_count;
    double* h; // (h_count x 4)
    double* v; // (v_count x 3)
    double error;
} half;

struct br_limit_polyhedron {
    double r;
    half of[2]; // by br_side
};

// What grows while points are added; scaled units.
typedef struct build {
    const br_limit* surface;
    double r;
    size_t count;
    double* touch; // faces a, D(a) of the outer one (count x 4)
    double* point; // vertices of the inner one (count x 3)
    dd faces;      // of the inner one: edges a, -b
} build;

// D and the point of the surface where a is the outward normal.
static double support(const build* b, const double a[3], double point[3])
{
    const br_twist v = {a[0], a[1], a[2] / b->r};
    const br_limit_value at = br_limit_eval(b->surface, v);
    point[0] = -at.wrench.fx;
    point[1] = -at.wrench.fy;
    point[2] = -at.wrench.tau / b->r;
    return at.dissipation;
}

// Add the points of a and -a.
static br_status add_pair(build* b, const double a[3])
{
    br_status status = BR_OK;
    for (double sign = 1.0; sign > -2.0 && status == BR_OK; sign -= 2.0) {
        double* touch = b->touch + 4 * b->count;
        double* point = b->point + 3 * b->count;
        for (int k = 0; k < 3; k++) {
            touch[k] = sign * a[k];
        }
        touch[3] = support(b, touch, point);
        b->count++;
        status = dd_insert(&b->faces, (const double[]){point[0], point[1], point[2], -1.0});
    }
    return status;
}

// A face as unit normal and distance; 0 if the description has none there.
static int face_of(const dd* faces, size_t i, double face[4])
{
    const double* edge = faces->ray + 4 * i;
    const double size = sqrt(edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2]);
    for (int k = 0; k < 3; k++) {
        face[k] = edge[k] / size;
    }
    face[3] = -edge[3] / size;
    return size > 0.0 && face[3] > 0.0;
}

// How far the surface reaches beyond the inner polyhedron, and across which face.
static double worst_face(const build* b, double worst[4])
{
    double most = 0.0, face[4], point[3];
    for (size_t i = 0; i < b->faces.count; i++) {
        if (face_of(&b->faces, i, face)) {
            const double beyond = support(b, face, point) / face[3] - 1.0;
            if (beyond > most) {
                most = beyond;
                memcpy(worst, face, sizeof face);
            }
        }
    }
    return most;
}

// Add points until there are enough or none is missing.
static br_status add_points(build* b, size_t points, double* error)
{
    br_status status = BR_OK;
    for (int k = 0; k < 3 && status == BR_OK; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        status = add_pair(b, axis);
    }
    double face[4];
    *error = worst_face(b, face);
    while (status == BR_OK && b->count<points&& * error> 1e-12) {
        status = add_pair(b, face);
        *error = worst_face(b, face);
    }
    return status;
}

static int allocate_half(half* s, size_t h_count, size_t v_count)
{
    s->h_count = h_count;
    s->v_count = v_count;
    s->h = br_allocate(h_count, 4 * sizeof *s->h);
    s->v = br_allocate(v_count, 3 * sizeof *s->v);
    return s->h && s->v;
}

// From scaled units: a.L <= b becomes (a_x, a_y, a_t/r).(fx, fy, tau) <= b.
static void write_face(const double face[4], double r, double* row)
{
    memcpy(row, face, 4 * sizeof *row);
    row[2] /= r;
}

static void write_vertex(const double point[3], double r, double* row)
{
    memcpy(row, point, 3 * sizeof *row);
    row[2] *= r;
}

static br_status take_inner(const build* b, half* inner)
{
    if (!allocate_half(inner, b->faces.count, b->count)) {
        return BR_ERR_MEMORY;
    }
    size_t good = 0;
    double face[4];
    for (size_t i = 0; i < b->faces.count; i++) {
        if (face_of(&b->faces, i, face)) {
            write_face(face, b->r, inner->h + 4 * good++);
        }
    }
    inner->h_count = good;
    for (size_t i = 0; i < b->count; i++) {
        write_vertex(b->point + 3 * i, b->r, inner->v + 3 * i);
    }
    return BR_OK;
}

// Vertices L = edge/s of the cone a.L - D s <= 0.
static br_status take_outer(const build* b, const dd* edges, half* outer)
{
    if (!allocate_half(outer, b->count, edges->count)) {
        return BR_ERR_MEMORY;
    }
    for (size_t i = 0; i < b->count; i++) {
        write_face(b->touch + 4 * i, b->r, outer->h + 4 * i);
    }
    for (size_t i = 0; i < edges->count; i++) {
        const double* edge = edges->ray + 4 * i;
        const double point[3] = {edge[0] / edge[3], edge[1] / edge[3], edge[2] / edge[3]};
        double* row = outer->v + 3 * i;
        write_vertex(point, b->r, row);
        const br_wrench vertex = {row[0], row[1], row[2]};
        outer->error = fmax(outer->error, br_limit_gauge(b->surface, vertex, NULL) - 1.0);
    }
    return BR_OK;
}

static br_status find_outer(const build* b, half* outer)
{
    dd edges;
    dd_init(&edges, 4, b->count);
    br_status status = BR_OK;
    for (size_t i = 0; i < b->count && status == BR_OK; i++) {
        const double* face = b->touch + 4 * i;
        status = dd_insert(&edges, (const double[]){face[0], face[1], face[2], -face[3]});
    }
    if (status == BR_OK) {
        status = take_outer(b, &edges, outer);
    }
    dd_release(&edges);
    return status;
}

static br_status build_both(build* b, size_t points, br_limit_polyhedron* out)
{
    if (!b->touch || !b->point || !out) {
        return BR_ERR_MEMORY;
    }
    out->r = b->r;
    br_status status = add_points(b, points, &out->of[BR_SIDE_INNER].error);
    if (status == BR_OK) {
        status = take_inner(b, &out->of[BR_SIDE_INNER]);
    }
    return status == BR_OK ? find_outer(b, &out->of[BR_SIDE_OUTER]) : status;
}

br_status br_limit_polyhedron_create(const br_limit* surface, size_t points,
                                     br_limit_polyhedron** out, br_reason* why)
{
    BR_ASSERT(surface && out);
    *out = NULL;
    const double r = br_limit_get_patch_value(surface).r;
    if (!(r > 0.0) || !isfinite(r)) {
        br_reason_set(why, "surface", "must have a torque (r > 0): a point has a friction cone");
        return BR_ERR_ARG;
    }
    if (points < LEAST_POINTS || points > MOST_POINTS) {
        br_reason_set(why, "points", "must be %d..%d, got %zu", LEAST_POINTS, MOST_POINTS, points);
        return BR_ERR_ARG;
    }
    const size_t room = points + points % 2;
    br_limit_polyhedron* made = br_allocate(1, sizeof *made);
    build b = {.surface = surface,
               .r = r,
               .touch = br_allocate(room, 4 * sizeof(double)),
               .point = br_allocate(room, 3 * sizeof(double))};
    dd_init(&b.faces, 4, room);
    const br_status status = build_both(&b, points, made);
    dd_release(&b.faces);
    br_release(b.touch);
    br_release(b.point);
    if (status != BR_OK) {
        br_reason_set(why, "", "%s", br_status_text(status));
        br_limit_polyhedron_destroy(made);
        return status;
    }
    *out = made;
    return BR_OK;
}

void br_limit_polyhedron_destroy(br_limit_polyhedron* polyhedra)
{
    for (int i = 0; polyhedra && i < 2; i++) {
        br_release(polyhedra->of[i].h);
        br_release(polyhedra->of[i].v);
    }
    br_release(polyhedra);
}

size_t br_limit_polyhedron_get_h_count(const br_limit_polyhedron* polyhedra, br_side side)
{
    return polyhedra->of[side].h_count;
}

const double* br_limit_polyhedron_get_h(const br_limit_polyhedron* polyhedra, br_side side)
{
    return polyhedra->of[side].h;
}

size_t br_limit_polyhedron_get_v_count(const br_limit_polyhedron* polyhedra, br_side side)
{
    return polyhedra->of[side].v_count;
}

const double* br_limit_polyhedron_get_v(const br_limit_polyhedron* polyhedra, br_side side)
{
    return polyhedra->of[side].v;
}

double br_limit_polyhedron_get_error(const br_limit_polyhedron* polyhedra, br_side side)
{
    return polyhedra->of[side].error;
}

double br_limit_polyhedron_margin(const br_limit_polyhedron* polyhedra, br_side side,
                                  br_wrench wrench)
{
    double margin = HUGE_VAL;
    for (size_t i = 0; i < polyhedra->of[side].h_count; i++) {
        const double* a = polyhedra->of[side].h + 4 * i;
        const double left = a[3] - (a[0] * wrench.fx + a[1] * wrench.fy + a[2] * wrench.tau);
        margin = left < margin || isnan(left) ? left : margin;
    }
    return margin;
}
