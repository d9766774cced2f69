/*
 * Line, rectangle and polygon with uniform or linear pressure: closed forms along edges.
 *
 * With the CoR as apex, f of degree n over the triangle (O, A, B) is an integral along its edge,
 *
 *   int f dA = d/(n + 2) int f ds                                                         (cone)
 *
 * with the line integrals of edges.h. A line patch is one edge and needs no triangle. Polygons many
 * times as long as wide need more care, see exact_thin.c.
 */
#include "limit/edges.h"
#include "math/gauss.h"
#include "patch/patch_internal.h"

// Weights of the pressure's parts: p = at + slope . rho about the CoR, rho = s e + d n on the edge;
// each integral is at (plain) + along (with s) + across (plain).
typedef struct edge_pressure {
    double plain, with_s;
} edge_pressure;

static edge_pressure pressure_on(const edge* at, double p, br_vec2 slope)
{
    return (edge_pressure){p + at->d * br_vec2_dot(slope, at->n), br_vec2_dot(slope, at->e)};
}

void bri_add_triangle(cor_value* sum, const edge* at, const edge_sums* along, double p,
                      br_vec2 slope)
{
    const double d = at->d;

    // |rho| is of degree 1, rho/|rho| of 0, its derivative of -1; slope . rho adds one    (cone)
    const edge_pressure one = pressure_on(at, p / 3.0, br_vec2_scale(1.0 / 4.0, slope));
    sum->G += d * (one.plain * along->R + one.with_s * along->sR);
    const edge_pressure zero = pressure_on(at, p / 2.0, br_vec2_scale(1.0 / 3.0, slope));
    add_slope(sum, at, d * (zero.plain * along->s_R + zero.with_s * along->s2_R),
              d * d * (zero.plain * along->L + zero.with_s * along->s_R));
    const edge_pressure less = pressure_on(at, p, br_vec2_scale(1.0 / 2.0, slope));
    add_bend(sum, at, d * (less.plain * along->ee + less.with_s * along->s_ee),
             d * (less.plain * along->en + less.with_s * along->s_en),
             d * (less.plain * along->nn + less.with_s * along->s_nn));
}

static cor_value polygon_near(const exact* surface, br_vec2 c)
{
    const corner_list* list = &surface->corners;
    const double p = list->at + br_vec2_dot(list->slope, c); // at the CoR, extrapolated
    cor_value sum = {0};
    br_vec2 a = br_vec2_sub(list->corner[list->count - 1], c);
    for (size_t i = 0; i < list->count; i++) {
        const br_vec2 b = br_vec2_sub(list->corner[i], c);
        const edge at = edge_between(a, b);
        const edge_sums along = edge_integrate(at.sa, at.sb, at.d);
        bri_add_triangle(&sum, &at, &along, p, list->slope);
        a = b;
    }
    return normalised(sum, list->mass);
}

// An edge that itself carries the pressure: a line patch.
static void add_line(cor_value* sum, const edge* at, edge_pressure w)
{
    const edge_sums i = edge_integrate(at->sa, at->sb, at->d);
    sum->G += w.plain * i.R + w.with_s * i.sR;
    add_slope(sum, at, w.plain * i.s_R + w.with_s * i.s2_R,
              at->d * (w.plain * i.L + w.with_s * i.s_R));
    add_bend(sum, at, w.plain * i.ee + w.with_s * i.s_ee, w.plain * i.en + w.with_s * i.s_en,
             w.plain * i.nn + w.with_s * i.s_nn);
}

static cor_value line_near(const exact* surface, br_vec2 c)
{
    const corner_list* list = &surface->corners;
    const edge at = edge_between(br_vec2_sub(list->corner[0], c), br_vec2_sub(list->corner[1], c));
    cor_value sum = {0};
    add_line(&sum, &at, pressure_on(&at, list->at + br_vec2_dot(list->slope, c), list->slope));
    return normalised(sum, list->mass);
}

// --- creation --------------------------------------------------------------------------------------

// Add the moments of the edge a b: of its triangle with the CoP, by (cone), or of the line itself.
static void add_moments(far_series* series, const corner_list* list, br_vec2 a, br_vec2 b,
                        const double* t, const double* weight)
{
    const int is_line = list->count == 2;
    double share[FAR_DEGREE + 1];
    const br_vec2 side = br_vec2_sub(b, a);
    const double cross = is_line ? br_vec2_norm(side) : br_vec2_cross(a, b);
    for (int i = 0; i < FAR_GAUSS; i++) {
        const br_vec2 rho = br_vec2_add(a, br_vec2_scale(t[i], side));
        for (int n = 0; n <= FAR_DEGREE; n++) {
            const double at = is_line ? 1.0 : 1.0 / (n + 2), slope = is_line ? 1.0 : 1.0 / (n + 3);
            share[n] = weight[i] * cross * (list->at * at + br_vec2_dot(list->slope, rho) * slope);
        }
        bri_far_add(series, rho, share);
    }
}

// Pressure 1 + g X, X = -1..1 from end to end along the unit vector x, and the moments, which give
// its norm.
static void fill_moments(exact* surface, double g, br_vec2 x)
{
    corner_list* list = &surface->corners;
    double low = br_vec2_dot(list->corner[0], x), high = low;
    for (size_t i = 1; i < list->count; i++) {
        low = fmin(low, br_vec2_dot(list->corner[i], x));
        high = fmax(high, br_vec2_dot(list->corner[i], x));
    }
    const double slope = g / (0.5 * high - 0.5 * low);
    list->slope = br_vec2_scale(slope, x);
    list->at = 1.0 - slope * (0.5 * low + 0.5 * high);
    const size_t edges = list->count == 2 ? 1 : list->count;
    double t[FAR_GAUSS], weight[FAR_GAUSS];
    bri_gauss_legendre(FAR_GAUSS, t, weight);
    for (size_t i = 0; i < edges; i++) {
        add_moments(surface->far, list, list->corner[i], list->corner[(i + 1) % list->count], t,
                    weight);
    }
    list->mass = surface->far->term[0].x; // negative for a clockwise polygon
    bri_far_finish(surface->far);
}

static size_t copy_corners(const br_patch_def* def, br_vec2* corner)
{
    if (def->shape == BR_SHAPE_RECTANGLE) {
        bri_rectangle_corners(def->size_x, def->size_y, corner);
        return 4;
    }
    if (def->shape == BR_SHAPE_LINE) {
        corner[0] = (br_vec2){-0.5 * def->length, 0.0};
        corner[1] = (br_vec2){0.5 * def->length, 0.0};
        return 2;
    }
    for (size_t i = 0; i < def->count; i++) {
        corner[i] = def->vertices[i];
    }
    return def->count;
}

int bri_exact_fill_corners(exact* surface, const br_patch_def* def, br_vec2 cop)
{
    corner_list* list = &surface->corners;
    const size_t max_count = def->shape == BR_SHAPE_POLYGON ? def->count : 4;
    list->corner = bri_exact_own(surface, max_count, sizeof *list->corner);
    if (!list->corner || !bri_far_create(surface)) {
        return 0;
    }
    list->count = copy_corners(def, list->corner);
    surface->shape = &bri_cor_shape;
    surface->near = def->shape == BR_SHAPE_LINE ? line_near : polygon_near;
    br_vec2 x = {1.0, 0.0};
    if (!bri_exact_lay_thin(surface, cop, &x)) {
        for (size_t i = 0; i < list->count; i++) {
            list->corner[i] = br_vec2_sub(list->corner[i], cop);
        }
    }
    for (size_t i = 0; i < list->count; i++) {
        surface->size = fmax(surface->size, br_vec2_norm(list->corner[i]));
    }
    list->low = HUGE_VAL;
    list->high = -HUGE_VAL;
    for (size_t i = 0; i < list->count; i++) {
        list->corner[i] = br_vec2_scale(1.0 / surface->size, list->corner[i]);
        list->low = fmin(list->low, list->corner[i].y);
        list->high = fmax(list->high, list->corner[i].y);
    }
    fill_moments(surface, bri_pressure_gradient(def), x);
    return 1;
}
