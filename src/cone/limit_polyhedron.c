/*
 * Polyhedra inside and around a limit surface.
 *
 * In the units L = (f_x, f_y, tau/r), x = (v_x, v_y, r w) the surface has the support function D(x).
 * Each polyhedron is a double description in four dimensions, to which rows are added:
 *
 *   inner   a row (L, -1) is a vertex L of it, an edge (a, b) a face a.L <= b
 *   outer   a row (a, -D(a)) is a face of it, an edge (L, s) a vertex L/s
 *
 *     inner error: max D(a)/b - 1 over the faces     (the face moved out to D contains the surface)
 *   outer error: max gauge(L) - 1 over the vertices
 *
 * Both are exact: a polyhedron is in a convex set if its vertices are, a convex set is in a
 * polyhedron if its support is within every face. The edge with the largest error gets the next row:
 * the point with its normal, or the touching face where its ray leaves the surface.
 */
#include "bristle/limit_polyhedron.h"

#include "cone/double_description.h"

#include <string.h>

enum { MIN_POINTS = 6, MAX_POINTS = 2048 };

typedef struct half {
    size_t h_count, v_count;
    double* h; // (h_count x 4)
    double* v; // (v_count x 3)
    double error;
} half;

struct br_limit_polyhedron {
    half of[2]; // by br_polyhedron_side
};

// One of the two polyhedra during construction; scaled units.
typedef struct build {
    const br_limit* surface;
    br_polyhedron_side side;
    double r;
    size_t count;
    double* row; // as inserted (count x 4)
    dd edges;
} build;

// The row for the direction a.
static void row_of(const build* b, const double a[3], double row[4])
{
    const br_limit_value at = br_limit_eval(b->surface, (br_twist){a[0], a[1], a[2] / b->r});
    if (b->side == BR_POLYHEDRON_INNER) {
        row[0] = -at.wrench.fx;
        row[1] = -at.wrench.fy;
        row[2] = -at.wrench.tau / b->r;
        row[3] = -1.0;
    } else {
        memcpy(row, a, 3 * sizeof *row);
        row[3] = -at.dissipation;
    }
}

// Add the rows for a and -a.
static br_status add_pair(build* b, const double a[3])
{
    const double minus[3] = {-a[0], -a[1], -a[2]};
    row_of(b, a, b->row + 4 * b->count);
    row_of(b, minus, b->row + 4 * b->count + 4);
    const br_status status = bri_dd_insert(&b->edges, b->row + 4 * b->count);
    b->count += 2;
    return status == BR_OK ? bri_dd_insert(&b->edges, b->row + 4 * b->count - 4) : status;
}

static double unit_of(const double a[3], double unit[3])
{
    const double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int k = 0; k < 3; k++) {
        unit[k] = a[k] / size;
    }
    return size;
}

// The error at an edge, and the direction whose row corrects it.
static double error_at(const build* b, const double edge[4], double direction[3])
{
    if (b->side == BR_POLYHEDRON_INNER) {
        const double size = unit_of(edge, direction);
        const br_twist v = {direction[0], direction[1], direction[2] / b->r};
        return br_limit_eval(b->surface, v).dissipation * size / edge[3] - 1.0;
    }
    const br_wrench vertex = {edge[0] / edge[3], edge[1] / edge[3], b->r * edge[2] / edge[3]};
    br_twist slide;
    const double gauge = br_limit_gauge(b->surface, vertex, &slide);
    unit_of((const double[]){slide.vx, slide.vy, b->r * slide.w}, direction);
    return gauge - 1.0;
}

// The largest error over all edges, and the direction that corrects it. Evaluates each edge once.
static double worst_edge(build* b, double direction[3])
{
    double ignored[3];
    size_t worst = 0;
    for (size_t i = 0; i < b->edges.count; i++) {
        double* error = b->edges.note + i;
        *error = isnan(*error) ? error_at(b, b->edges.ray + 4 * i, ignored) : *error;
        worst = *error > b->edges.note[worst] ? i : worst;
    }
    return error_at(b, b->edges.ray + 4 * worst, direction);
}

// Add rows until there are enough or no error is left.
static br_status add_rows(build* b, size_t points, double* error)
{
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        const br_status status = add_pair(b, axis);
        if (status != BR_OK) {
            return status;
        }
    }
    double direction[3], worst = worst_edge(b, direction);
    while (b->count < points && worst > 1e-12) {
        const br_status status = add_pair(b, direction);
        if (status != BR_OK) {
            return status;
        }
        worst = worst_edge(b, direction);
    }
    *error = fmax(worst, 0.0); // it may be negative by rounding
    return BR_OK;
}

// a.L <= b becomes (a_x, a_y, a_t/r).(fx, fy, tau) <= b, with a of length 1.
static void write_face(const double a[3], double b, double r, double* row)
{
    const double size = unit_of(a, row);
    row[2] /= r;
    row[3] = b / size;
}

static void write_vertex(const double point[3], double s, double r, double* row)
{
    row[0] = point[0] / s;
    row[1] = point[1] / s;
    row[2] = r * point[2] / s;
}

// Convert rows and edges to faces and vertices.
static br_status write_half(const build* b, half* out)
{
    const int is_inner = b->side == BR_POLYHEDRON_INNER;
    out->h_count = is_inner ? b->edges.count : b->count;
    out->v_count = is_inner ? b->count : b->edges.count;
    out->h = br_allocate(out->h_count, 4 * sizeof *out->h);
    out->v = br_allocate(out->v_count, 3 * sizeof *out->v);
    if (!out->h || !out->v) {
        return BR_ERR_MEMORY;
    }
    for (size_t i = 0; i < out->h_count; i++) {
        const double* face = (is_inner ? b->edges.ray : b->row) + 4 * i;
        write_face(face, is_inner ? face[3] : -face[3], b->r, out->h + 4 * i);
    }
    for (size_t i = 0; i < out->v_count; i++) {
        const double* point = (is_inner ? b->row : b->edges.ray) + 4 * i;
        write_vertex(point, is_inner ? -point[3] : point[3], b->r, out->v + 3 * i);
    }
    return BR_OK;
}

static br_status build_half(const br_limit* surface, double r, br_polyhedron_side side,
                            size_t points, half* out)
{
    const size_t max_rows = points + points % 2;
    build b = {
        .surface = surface, .side = side, .r = r, .row = br_allocate(max_rows, 4 * sizeof *b.row)};
    bri_dd_init(&b.edges, 4, max_rows);
    br_status status = b.row ? add_rows(&b, points, &out->error) : BR_ERR_MEMORY;
    if (status == BR_OK) {
        status = write_half(&b, out);
    }
    bri_dd_release(&b.edges);
    br_release(b.row);
    return status;
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
    if (points < MIN_POINTS || points > MAX_POINTS) {
        br_reason_set(why, "points", "must be %d..%d, got %zu", MIN_POINTS, MAX_POINTS, points);
        return BR_ERR_ARG;
    }
    br_limit_polyhedron* created = br_allocate(1, sizeof *created);
    br_status status = created ? BR_OK : BR_ERR_MEMORY;
    for (br_polyhedron_side side = BR_POLYHEDRON_INNER;
         side <= BR_POLYHEDRON_OUTER && status == BR_OK; side++) {
        status = build_half(surface, r, side, points, &created->of[side]);
    }
    if (status != BR_OK) {
        br_reason_set(why, "", "%s", br_status_get_text(status));
        br_limit_polyhedron_destroy(created);
        return status;
    }
    *out = created;
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

size_t br_limit_polyhedron_get_h_count(const br_limit_polyhedron* polyhedra,
                                       br_polyhedron_side side)
{
    return polyhedra->of[side].h_count;
}

const double* br_limit_polyhedron_get_h(const br_limit_polyhedron* polyhedra,
                                        br_polyhedron_side side)
{
    return polyhedra->of[side].h;
}

size_t br_limit_polyhedron_get_v_count(const br_limit_polyhedron* polyhedra,
                                       br_polyhedron_side side)
{
    return polyhedra->of[side].v_count;
}

const double* br_limit_polyhedron_get_v(const br_limit_polyhedron* polyhedra,
                                        br_polyhedron_side side)
{
    return polyhedra->of[side].v;
}

double br_limit_polyhedron_get_error(const br_limit_polyhedron* polyhedra, br_polyhedron_side side)
{
    return polyhedra->of[side].error;
}

double br_limit_polyhedron_margin(const br_limit_polyhedron* polyhedra, br_polyhedron_side side,
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

bool br_limit_polyhedron_contains(const br_limit_polyhedron* polyhedra, br_polyhedron_side side,
                                  br_wrench wrench)
{
    return br_limit_polyhedron_margin(polyhedra, side, wrench) >= -BR_CONE_ROUNDING;
}
