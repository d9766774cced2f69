/*
 * Line, rectangle and polygon with uniform or linear pressure: closed forms along edges.
 *
 * About the CoR as apex, f of degree n over the triangle (O, A, B) is an integral along its edge,
 *
 *   int f dA = d/(n + 2) int f ds                                                         (cone)
 *
 * rho = s e + d n on the edge's line, e along it, n = (e_y, -e_x), d the signed distance. With
 * R = |rho| all the integrals along the line are elementary. A line patch is one edge, taken as it
 * is.
 */
#include "contact/patch_internal.h"
#include "limit/exact_internal.h"
#include "math/gauss.h"

// Definite integrals along an edge; L = int ds/R.
typedef struct edge_sums {
    double L, s_R;           // int 1/R, int s/R
    double R, sR;            // int R, int s R
    double s2_R;             // int s^2/R
    double ee, en, nn;       // int (I - rho rho/R^2)/R, along e and n
    double s_ee, s_en, s_nn; // the same with a factor s
} edge_sums;

// int ds/R = ln((s_b + R_b)/(s_a + R_a)), without differences. Infinite where the CoR lies on the
// edge; whatever it is multiplied with vanishes there, or the point is left out: a floor for d.
static double edge_log(double sa, double Ra, double sb, double Rb, double d)
{
    const double least = 1e-32, d2 = d * d > least ? d * d : least;
    if (sa < 0.0 && sb > 0.0) {
        return log((sb + Rb) * (Ra - sa) / d2);
    }
    // on one side of the foot, from the end that is nearer: a short edge loses nothing
    const double near = sa >= 0.0 ? sa : -sb, near_R = sa >= 0.0 ? Ra : Rb, length = sb - sa;
    const double change = length * (fabs(sa) + fabs(sb)) / (Ra + Rb); // of R
    return log1p((length + change) / fmax(near + near_R, sqrt(least)));
}

// 1/R, or 0 for R = 0: its products with s or d vanish or stay bounded.
static double inverse(double R)
{
    return R > 0.0 ? 1.0 / R : 0.0;
}

static edge_sums edge_integrate(double sa, double sb, double d)
{
    const double Ra = sqrt(sa * sa + d * d), Rb = sqrt(sb * sb + d * d), d2 = d * d;
    const double ia = inverse(Ra), ib = inverse(Rb);
    const double L = edge_log(sa, Ra, sb, Rb, d);
    const double cosine = sb * ib - sa * ia, product = sb * Rb - sa * Ra;
    edge_sums sum;
    sum.L = L;
    sum.s_R = Rb - Ra;
    sum.R = 0.5 * (product + d2 * L);
    sum.sR = (Rb * Rb * Rb - Ra * Ra * Ra) / 3.0;
    sum.s2_R = 0.5 * (product - d2 * L);
    sum.ee = cosine;              // int d^2/R^3 = s/R
    sum.en = d * (ib - ia);       // -int s d/R^3 = d/R
    sum.nn = L - cosine;          // int s^2/R^3 = L - s/R
    sum.s_ee = -d2 * (ib - ia);   // int s d^2/R^3 = -d^2/R
    sum.s_en = -d * (L - cosine); // -int s^2 d/R^3
    sum.s_nn = Rb - Ra + d2 * (ib - ia);
    return sum;
}

// An edge seen from the CoR.
typedef struct edge {
    br_vec2 e, n; // along and across
    double sa, sb, d;
} edge;

static edge edge_between(br_vec2 a, br_vec2 b)
{
    const br_vec2 side = br_vec2_sub(b, a);
    const double length = br_vec2_norm(side);
    const br_vec2 e = br_vec2_scale(length > 0.0 ? 1.0 / length : 0.0, side);
    return (edge){e, {e.y, -e.x}, br_vec2_dot(a, e), br_vec2_dot(b, e), br_vec2_cross(a, e)};
}

// Take an integral of rho/R, given along e and n, from the gradient.
static void add_slope(cor_value* sum, const edge* at, double along, double across)
{
    sum->slope.x -= along * at->e.x + across * at->n.x;
    sum->slope.y -= along * at->e.y + across * at->n.y;
}

static void add_bend(cor_value* sum, const edge* at, double ee, double en, double nn)
{
    const br_vec2 e = at->e, n = at->n;
    sum->xx += ee * e.x * e.x + 2.0 * en * e.x * n.x + nn * n.x * n.x;
    sum->xy += ee * e.x * e.y + en * (e.x * n.y + e.y * n.x) + nn * n.x * n.y;
    sum->yy += ee * e.y * e.y + 2.0 * en * e.y * n.y + nn * n.y * n.y;
}

// Weights of the pressure's parts: p = at + slope X about the CoR, X = s e_x + d n_x on the edge;
// each integral is at (plain) + along (with s) + across (plain).
typedef struct edge_pressure {
    double plain, with_s;
} edge_pressure;

static edge_pressure pressure_on(const edge* at, double p, double slope)
{
    return (edge_pressure){p + slope * at->d * at->n.x, slope * at->e.x};
}

// A triangle between the CoR and an edge of a polygon.
static void add_triangle(cor_value* sum, const edge* at, double p, double slope)
{
    const edge_sums i = edge_integrate(at->sa, at->sb, at->d);
    const double d = at->d;

    // |rho| is of degree 1, rho/|rho| of 0, its derivative of -1; X adds one              (cone)
    const edge_pressure one = pressure_on(at, p / 3.0, slope / 4.0);
    sum->G += d * (one.plain * i.R + one.with_s * i.sR);
    const edge_pressure zero = pressure_on(at, p / 2.0, slope / 3.0);
    add_slope(sum, at, d * (zero.plain * i.s_R + zero.with_s * i.s2_R),
              d * d * (zero.plain * i.L + zero.with_s * i.s_R));
    const edge_pressure less = pressure_on(at, p, slope / 2.0);
    add_bend(sum, at, d * (less.plain * i.ee + less.with_s * i.s_ee),
             d * (less.plain * i.en + less.with_s * i.s_en),
             d * (less.plain * i.nn + less.with_s * i.s_nn));
}

static cor_value polygon_near(const exact* surface, br_vec2 c)
{
    const corner_list* list = &surface->corners;
    const double p = list->at + list->slope * c.x; // at the CoR, extrapolated
    cor_value sum = {0};
    br_vec2 a = br_vec2_sub(list->corner[list->count - 1], c);
    for (size_t i = 0; i < list->count; i++) {
        const br_vec2 b = br_vec2_sub(list->corner[i], c);
        const edge at = edge_between(a, b);
        add_triangle(&sum, &at, p, list->slope);
        a = b;
    }
    return sum;
}

// An edge that carries the pressure itself.
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
    add_line(&sum, &at, pressure_on(&at, list->at + list->slope * c.x, list->slope));
    return sum;
}

// A thin rectangle, whose long edges nearly cancel for a CoR beside it: there, Gauss points across
// it, each a line along it. The CoR is at least 3 widths away, so that 10 points are exact.
static cor_value thin_near(const exact* surface, br_vec2 c)
{
    const corner_list* list = &surface->corners;
    const br_vec2* from = list->corner; // 0 and 1 along, 3 and 2 beside them
    const br_vec2 side = br_vec2_sub(from[3], from[0]);
    const double width = br_vec2_norm(side);
    const double off = br_vec2_dot(br_vec2_sub(c, from[0]), side) / width;
    if (fabs(off - 0.5 * width) < 3.0 * width) {
        return polygon_near(surface, c);
    }
    cor_value sum = {0};
    for (int i = 0; i < THIN_GAUSS; i++) {
        const br_vec2 shift = br_vec2_scale(list->thin_x[i], side);
        const br_vec2 a = br_vec2_add(from[0], shift), b = br_vec2_add(from[1], shift);
        const edge at = edge_between(br_vec2_sub(a, c), br_vec2_sub(b, c));

        // the pressure at s = 0, told from the edge: a steep slope cancels at a CoR far from it
        const double weight = width * list->thin_w[i];
        const double p = list->at + list->slope * (a.x - at.sa * at.e.x);
        add_line(&sum, &at, (edge_pressure){weight * p, weight * list->slope * at.e.x});
    }
    return sum;
}

// --- creation --------------------------------------------------------------------------------------

// Moments along the edge a b: of the triangle with the CoP, by (cone), or of the line itself.
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
            share[n] = weight[i] * cross * (list->at * at + list->slope * rho.x * slope);
        }
        far_add(series, rho, share);
    }
}

// Pressure 1 + g X, X = -1..1 from end to end, and the moments, which tell its norm.
static void fill_moments(exact* surface, double g)
{
    corner_list* list = &surface->corners;
    const patch_box box = patch_box_of(list->corner, list->count);
    list->slope = g / box.half.x;
    list->at = 1.0 - list->slope * box.centre.x;
    const size_t edges = list->count == 2 ? 1 : list->count;
    double t[FAR_GAUSS], weight[FAR_GAUSS];
    gauss_legendre(FAR_GAUSS, t, weight);
    for (size_t i = 0; i < edges; i++) {
        add_moments(surface->far, list, list->corner[i], list->corner[(i + 1) % list->count], t,
                    weight);
    }
    const double mass = surface->far->term[0].x; // negative for a clockwise polygon
    list->at /= mass;
    list->slope /= mass;
    far_finish(surface->far);
}

static size_t copy_corners(const br_patch_def* def, br_vec2* corner)
{
    if (def->shape == BR_SHAPE_RECTANGLE) {
        rectangle_corners(def->size_x, def->size_y, corner);
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

// A rectangle many times as long as wide: turn its list so that corners 0 and 1 are along it.
static int is_thin(corner_list* list, const br_patch_def* def)
{
    const double aspect = def->size_x / def->size_y, most = 16.0;
    if (def->shape != BR_SHAPE_RECTANGLE || (aspect < most && aspect > 1.0 / most)) {
        return 0;
    }
    if (aspect < 1.0) {
        const br_vec2 first = list->corner[0];
        for (size_t i = 0; i < 3; i++) {
            list->corner[i] = list->corner[i + 1];
        }
        list->corner[3] = first;
    }
    gauss_legendre(THIN_GAUSS, list->thin_x, list->thin_w);
    return 1;
}

static cor_function near_function(corner_list* list, const br_patch_def* def)
{
    if (def->shape == BR_SHAPE_LINE) {
        return line_near;
    }
    return is_thin(list, def) ? thin_near : polygon_near;
}

int exact_fill_corners(exact* surface, const br_patch_def* def, br_vec2 cop)
{
    corner_list* list = &surface->corners;
    const size_t most = def->shape == BR_SHAPE_POLYGON ? def->count : 4;
    list->corner = exact_own(surface, most, sizeof *list->corner);
    if (!list->corner || !far_create(surface)) {
        return 0;
    }
    list->count = copy_corners(def, list->corner);
    for (size_t i = 0; i < list->count; i++) {
        list->corner[i] = br_vec2_sub(list->corner[i], cop);
        surface->size = fmax(surface->size, br_vec2_norm(list->corner[i]));
    }
    for (size_t i = 0; i < list->count; i++) {
        list->corner[i] = br_vec2_scale(1.0 / surface->size, list->corner[i]);
    }
    surface->shape = &cor_shape;
    surface->near = near_function(list, def);
    fill_moments(surface, pressure_gradient(def));
    return 1;
}
