/*
 * Exact limit surfaces of thin polygons and rectangles: a quadrature without cancellation.
 */
#include "limit_shapes.h"

#include "math/gauss.h"

#include <float.h>

// --- an independent oracle ------------------------------------------------------------------------

// A polygon is the signed sum of the trapezoids between its edges and a line beside it. They are taken in
// axes along and across the polygon, in panels that shrink towards the CoR, by Gauss points. Nothing
// cancels: a trapezoid is as thin as the polygon. long double, since vertices of a polygon that is
// neither along x nor along y have to be turned.

typedef struct vector {
    long double x, y;
} vector;

enum { POINTS = 14, MOST = 8 };
static double node[POINTS], share[POINTS]; // on 0..1

typedef struct oracle {
    vector along;    // unit vector, patch frame
    vector from;     // a vertex, patch frame
    vector cop, cor; // in the polygon's axes
    long double width, base;
    long double spin;         // sign of w
    long double middle, half; // of the pressure's axis, patch frame
    long double gradient;
    long double mass, G, fx, fy, tau; // fx, fy in the polygon's axes
} oracle;

// Into the polygon's axes.
static vector turned(const oracle* o, br_vec2 at)
{
    const long double x = (long double)at.x - o->from.x, y = (long double)at.y - o->from.y;
    return (vector){x * o->along.x + y * o->along.y, y * o->along.x - x * o->along.y};
}

static void add_point(oracle* o, vector at, long double area)
{
    const long double x = o->from.x + at.x * o->along.x - at.y * o->along.y; // patch frame
    const long double p = area * (1.0L + o->gradient * (x - o->middle) / o->half);
    const long double dx = at.x - o->cor.x, dy = at.y - o->cor.y, R = sqrtl(dx * dx + dy * dy);
    const long double fx = o->spin * p * dy / R, fy = -o->spin * p * dx / R; // -v/|v|
    o->mass += p;
    o->G += p * R;
    o->fx += fx;
    o->fy += fy;
    o->tau += (at.x - o->cop.x) * fy - (at.y - o->cop.y) * fx;
}

// Across at one position, between two heights, in panels that shrink towards the CoR down to its distance
// along.
static void add_across(oracle* o, long double x, long double low, long double high,
                       long double weight)
{
    const long double near = fmaxl(fabsl(x - o->cor.x), 1e-7L * o->width), y = o->cor.y;
    const long double split = y < low ? low : y > high ? high : y;
    for (int side = 0; side < 2 && low < high; side++) {
        long double outer = side ? high : low;
        for (int last = 0; !last;) {
            last = !(fabsl(outer - split) > near) || !(near < 8.0L * o->width);
            const long double inner = last ? split : 0.5L * (outer + split);
            for (int i = 0; i < POINTS; i++) {
                const long double at = outer + node[i] * (inner - outer);
                add_point(o, (vector){x, at}, weight * share[i] * fabsl(inner - outer));
            }
            outer = inner;
        }
    }
}

// The trapezoid between an edge and the base line, with the sign of its direction.
static void add_edge(oracle* o, vector a, vector b)
{
    const long double smallest = 1e-6L * o->width, rise = (b.y - a.y) / (b.x - a.x);
    const long double x = o->cor.x, low = fminl(a.x, b.x), high = fmaxl(a.x, b.x);
    const long double split = x < low ? low : x > high ? high : x;
    if (a.x == b.x) {
        return;
    }
    for (int side = 0; side < 2; side++) {
        long double outer = side ? b.x : a.x;
        for (int last = 0; !last;) {
            last = !(fabsl(outer - split) > smallest);
            const long double inner = last ? split : 0.5L * (outer + split);
            const long double sign_along = side ? outer - inner : inner - outer;
            for (int i = 0; i < POINTS; i++) {
                const long double at = outer + node[i] * (inner - outer);
                add_across(o, at, o->base, a.y + rise * (at - a.x), -sign_along * share[i]);
            }
            outer = inner;
        }
    }
}

// Dissipation and wrench of a twist at the CoP of an unplaced polygon or rectangle.
static br_limit_value expect(const br_patch_value* value, const br_vec2* corner, size_t count,
                             double gradient, br_vec2 direction, br_twist v)
{
    const long double length =
        sqrtl((long double)direction.x * direction.x + (long double)direction.y * direction.y);
    oracle o = {.along = {direction.x / length, direction.y / length},
                .from = {corner[0].x, corner[0].y},
                .spin = v.w > 0.0 ? 1.0L : -1.0L,
                .gradient = gradient};
    long double left = corner[0].x, right = left, top = 0.0L;
    vector at[MOST];
    for (size_t i = 0; i < count; i++) {
        at[i] = turned(&o, corner[i]);
        left = fminl(left, corner[i].x);
        right = fmaxl(right, corner[i].x);
        o.base = fminl(o.base, at[i].y);
        top = fmaxl(top, at[i].y);
    }
    o.middle = 0.5L * (left + right);
    o.half = 0.5L * (right - left);
    o.width = top - o.base;
    o.cop = turned(&o, value->cop);
    const long double x = -(long double)v.vy / v.w, y = (long double)v.vx / v.w;
    o.cor =
        (vector){o.cop.x + x * o.along.x + y * o.along.y, o.cop.y + y * o.along.x - x * o.along.y};
    for (size_t i = 0; i < count; i++) {
        add_edge(&o, at[i], at[(i + 1) % count]);
    }
    const long double fx = o.fx * o.along.x - o.fy * o.along.y;
    const long double fy = o.fx * o.along.y + o.fy * o.along.x;
    return (br_limit_value){
        (double)(fabs(v.w) * o.G / o.mass),
        {(double)(fx / o.mass), (double)(fy / o.mass), (double)(o.tau / o.mass)},
        0};
}

// --- slivers ----------------------------------------------------------------------------------------

// Outlines along x, from 0 to 1 in both coordinates.
static const struct outline {
    const char* name;
    size_t count;
    br_vec2 corner[MOST];
} outlines[] = {
    {"bar", 4, {{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
    {"wedge", 3, {{0, 0}, {1, 0.3}, {0.1, 1}}},
    {"kite", 4, {{0, 0.4}, {0.4, 0}, {1, 0.5}, {0.7, 1}}},
    {"arrow", 4, {{0, 0}, {1, 0.5}, {0, 1}, {0.6, 0.5}}},
    {"hook",
     8,
     {{0, 0}, {1, 0}, {1, 1}, {0.9, 1}, {0.899, 0.4}, {0.25, 0.3}, {0.2499999, 0.9}, {0, 1}}},
};

typedef struct sliver {
    br_vec2 corner[MOST];
    br_vec2 along;
    const struct outline* outline;
    sample s;
    double gradient;
} sliver;

// Rectangles are made as such, too.
static sliver make_sliver(size_t which, int is_rectangle, double width, double angle, double from,
                          double to)
{
    sliver out = {.outline = &outlines[which], .gradient = (to - from) / (to + from)};
    const size_t count = out.outline->count;
    const int turns = (int)round(angle / (0.5 * BR_PI));
    const int is_straight = fabs(angle - turns * 0.5 * BR_PI) < 1e-12;
    out.along = is_straight ? (br_vec2){turns % 2 ? 0.0 : 1.0, turns % 2 ? 1.0 : 0.0}
                            : (br_vec2){cos(angle), sin(angle)};
    for (size_t i = 0; i < count; i++) {
        const br_vec2 at = out.outline->corner[i];
        const double x = at.x - 0.5, y = width * (at.y - 0.5);
        out.corner[i] =
            (br_vec2){x * out.along.x - y * out.along.y, x * out.along.y + y * out.along.x};
    }
    const br_patch_def def = is_rectangle
                                 ? rectangle_def(turns % 2 ? width : 1.0, turns % 2 ? 1.0 : width)
                                 : polygon_def(out.corner, count);
    out.s = make_sample(out.outline->name, with_linear(def, from, to));
    return out;
}

// A rotation about a point given along and across, from the CoP.
static br_twist about(const sliver* p, double along, double across, double w)
{
    const br_vec2 c = {along * p->along.x - across * p->along.y,
                       along * p->along.y + across * p->along.x};
    return (br_twist){w * c.y, -w * c.x, w};
}

// The error of a twist: dissipation over speed, or wrench with the torque over r.
static double error_of(const sliver* p, br_twist v)
{
    const br_limit_value at = br_limit_eval(p->s.surface, v);
    const br_limit_value expected =
        expect(&p->s.value, p->corner, p->outline->count, p->gradient, p->along, v);
    const double r = p->s.value.r;
    return fmax(fabs(at.dissipation - expected.dissipation) / speed_of(v, r),
                wrench_distance(at.wrench, expected.wrench, r));
}

static const double widths[] = {0.3, 0.05, 1e-2, 1e-5, 1e-7, 1e-9, 3e-12};

// CoRs beside the sliver at any distance, and within a few widths of its axis. At an angle a twist knows
// its CoR to some 1e-16 only, which turns the wrench by that over its distance; and the oracle, long
// double, knows positions across to 1e-20.
static void check_sliver(const sliver* p, double width, int is_straight, uint64_t* seed)
{
    const double rounding = 2e-13;
    for (int n = 0; n < 3; n++) {
        const double across = width * pow(10.0, uniform(seed, 0.3, 0.3 - log10(width)));
        const double lost = is_straight ? 0.0 : 4e-16 / across + 1e-20 / width;
        const br_twist beside = about(p, uniform(seed, -0.7, 0.7), across, 1.3);
        assert_near(error_of(p, beside), 0.0, rounding + lost);
    }
    const br_twist within =
        about(p, uniform(seed, -0.7, 0.7), width * uniform(seed, -3.5, 3.5), -1.3);
    if (is_straight) {
        assert_near(error_of(p, within), 0.0, rounding);
    }
}

// All outlines along one direction, and, where it is straight, a rectangle made as such.
static void check_outlines(double angle, double from, double to, int is_straight, double thinnest)
{
    uint64_t seed = 3;
    for (size_t i = 0; i < COUNT(widths) * (COUNT(outlines) + (is_straight ? 1 : 0)); i++) {
        const size_t which = i / COUNT(widths);
        const double width = widths[i % COUNT(widths)];
        if (width < thinnest) {
            continue;
        }
        const int is_rectangle = which == COUNT(outlines);
        const sliver p =
            make_sliver(is_rectangle ? 0 : which, is_rectangle, width, angle, from, to);
        check_sliver(&p, width, is_straight, &seed);
        destroy_sample(p.s);
    }
}

/* Oracle: quadrature. However thin a polygon is, and whether its pressure changes along or across it, a CoR
 * beside it or in it gives all digits but three. */
static void slivers_along_an_axis_keep_their_digits(void** state)
{
    (void)state;
    const double ends[][2] = {{1.0, 1.0}, {1.0, 0.0}};
    for (size_t i = 0; i < COUNT(ends); i++) {
        check_outlines(0.0, ends[i][0], ends[i][1], 1, 1e-12);
        check_outlines(0.5 * BR_PI, ends[i][0], ends[i][1], 1, 1e-12); // across
    }
}

/* Oracle: quadrature. The same at an angle. */
static void slivers_at_an_angle_keep_their_digits(void** state)
{
    (void)state;
    if (LDBL_EPSILON > 1e-18L) {
        skip(); // long double is double: no oracle
    }
    const double angles[] = {0.7, 1e-6, 0.5 * BR_PI + 1e-8};
    for (size_t i = 0; i < COUNT(angles); i++) {
        check_outlines(angles[i], 1.0, 1.0, 0, 1e-9);
        check_outlines(angles[i], 0.2, 1.0, 0, 1e-9);
    }
}

// The largest entry of the Jacobian's difference to central differences of the wrench, over its own.
static double jacobian_error(const sliver* p, br_twist v, double step)
{
    double jacobian[3][3], worst = 0.0, largest = 0.0;
    br_limit_jacobian_eval(p->s.surface, v, jacobian);
    for (int i = 0; i < 3; i++) {
        br_twist side[2] = {v, v};
        for (int k = 0; k < 2; k++) {
            double* entry = i == 0 ? &side[k].vx : i == 1 ? &side[k].vy : &side[k].w;
            *entry += k ? step : -step;
        }
        const br_wrench a = br_limit_eval(p->s.surface, side[0]).wrench;
        const br_wrench b = br_limit_eval(p->s.surface, side[1]).wrench;
        const double slope[3] = {(b.fx - a.fx) / (2.0 * step), (b.fy - a.fy) / (2.0 * step),
                                 (b.tau - a.tau) / (2.0 * step)};
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(slope[k] - jacobian[k][i]));
            largest = fmax(largest, fabs(slope[k]));
        }
    }
    return worst / largest;
}

/* Oracle: differences of the wrench. */
static void jacobians_of_slivers_are_derivatives(void** state)
{
    (void)state;
    uint64_t seed = 5;
    for (size_t i = 0; i < 2 * COUNT(outlines); i++) {
        for (double width = 0.04; width > 1e-8; width *= 0.03) {
            const sliver p = make_sliver(i / 2, 0, width, i % 2 ? 0.5 * BR_PI : 0.0, 0.2, 1.0);
            const double away = uniform(&seed, 0.1, 0.5), close = uniform(&seed, 3.2, 4.0) * width;
            const br_twist beside = about(&p, uniform(&seed, -0.5, 0.5), away, 1.0);
            const br_twist near = about(&p, uniform(&seed, -0.4, 0.4), close, 1.0);
            // the square of the relative step, and rounding of the wrench over the step
            const double step = 1e-3 * close;
            assert_near(jacobian_error(&p, beside, 1e-4 * away), 0.0, 1e-6);
            assert_near(jacobian_error(&p, near, step), 0.0, 2e-6 + 1e-14 / step);
            destroy_sample(p.s);
        }
    }
}

/* Oracle: closed form of the line, which a rectangle is but for its width; no width is too small. */
static void a_rectangle_without_width_is_a_line(void** state)
{
    (void)state;
    const sample line = make_sample("line", line_def(1.0));
    uint64_t seed = 7;
    for (double width = 1e-16; width > 1e-300; width *= 1e-40) {
        for (int i = 0; i < 3; i++) {
            const double from = i == 0 ? 1.0 : 0.3;
            const sliver p =
                make_sliver(0, 1, width, i == 2 ? 0.5 * BR_PI : 0.0, from, i == 1 ? 0.3 : 1.0);
            for (int n = 0; n < 20; n++) {
                const double along = uniform(&seed, -0.7, 0.7),
                             across = pow(10.0, uniform(&seed, -9.0, 0.0));
                const br_limit_value got =
                    br_limit_eval(p.s.surface, about(&p, along, across, 1.0));
                const br_limit_value expected =
                    br_limit_eval(line.surface, (br_twist){across, -along, 1.0});
                const br_vec2 e = p.along;
                const br_wrench turned = {got.wrench.fx * e.x + got.wrench.fy * e.y,
                                          got.wrench.fy * e.x - got.wrench.fx * e.y,
                                          got.wrench.tau};
                // rounding; 1e-16 of width against 1e-9 away
                assert_near(got.dissipation, expected.dissipation, 1e-14);
                assert_near(wrench_distance(turned, expected.wrench, 0.25), 0.0,
                            2e-7 * (width > 1e-17) + 1e-14);
            }
            destroy_sample(p.s);
        }
    }
    destroy_sample(line);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slivers_along_an_axis_keep_their_digits),
        cmocka_unit_test(slivers_at_an_angle_keep_their_digits),
        cmocka_unit_test(jacobians_of_slivers_are_derivatives),
        cmocka_unit_test(a_rectangle_without_width_is_a_line),
    };
    bri_gauss_legendre(POINTS, node, share);
    return run_group(argc, argv, tests);
}
