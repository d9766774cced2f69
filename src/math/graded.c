/*
 * Gauss rules on intervals that shrink towards singularities.
 *
 * A rule of n points on an interval has the error rho^-2n, rho the sum of the half axes of the
 * largest ellipse with the interval's ends as foci in which f is analytic, in half lengths. A
 * singularity at distances d0 and d1 from the ends is on the ellipse with
 *
 *   (d0 + d1)/half = rho + 1/rho
 *
 * so that each interval is halved until all of them are far enough.
 */
#include "math/graded.h"

#include <math.h>

enum { NODES = 16, MAX_DEPTH = 64, MAX_ENDS = GRADED_MAX_POINTS + 2 };

// rho + 1/rho for rho = 3.2: 3.2^-32 = 7e-17.
static const double min_sum = 3.5125;

// Singularities nearer to the real axis count as this far.
static const double least_away = 1e-9;

// Gauss-Legendre on 0..1: the first half of the nodes of bri_gauss_legendre(NODES).
static const double node[NODES / 2] = {
    0.00529953250417503370, 0.02771248846338371196, 0.06718439880608412805, 0.12229779582249848305,
    0.19106187779867812577, 0.27099161117138630682, 0.35919822461037054338, 0.45249374508118127990};
static const double node_weight[NODES / 2] = {
    0.01357622970587704742, 0.03112676196932394643, 0.04757925584124639240, 0.06231448562776693602,
    0.07479799440828836604, 0.08457825969750126909, 0.09130170752246179443, 0.09472530522753424814};

static int is_fine(const graded_point* points, size_t count, double from, double to)
{
    const double half = 0.5 * (to - from);
    for (size_t i = 0; i < count; i++) {
        const double away = fmax(points[i].away, least_away);
        const double sum = hypot(points[i].at - from, away) + hypot(points[i].at - to, away);
        if (sum < min_sum * half) {
            return 0;
        }
    }
    return 1;
}

static void add_nodes(double from, double to, graded_function f, void* data)
{
    const double length = to - from;
    for (int i = 0; i < NODES / 2; i++) {
        const double weight = length * node_weight[i];
        f(from + length * node[i], weight, data);
        f(to - length * node[i], weight, data);
    }
}

// One interval and its halves, the left one first.
static void add_interval(const graded_point* points, size_t count, double from, double to,
                         graded_function f, void* data)
{
    double ends[MAX_DEPTH]; // right ends of the intervals that are left, the nearest last
    size_t left = 0;
    ends[left++] = to;
    while (left > 0) {
        const double end = ends[left - 1];
        if (left == MAX_DEPTH || is_fine(points, count, from, end)) {
            add_nodes(from, end, f, data);
            from = end;
            left--;
        } else {
            ends[left++] = 0.5 * (from + end);
        }
    }
}

// The positions of the singularities within the interval, and its ends, in order.
static size_t find_ends(const graded_point* points, size_t count, double from, double to,
                        double ends[MAX_ENDS])
{
    size_t n = 0;
    ends[n++] = from;
    for (size_t i = 0; i < count; i++) {
        const double at = points[i].at;
        if (at > from && at < to) {
            size_t k = n++;
            for (; k > 1 && ends[k - 1] > at; k--) {
                ends[k] = ends[k - 1];
            }
            ends[k] = at;
        }
    }
    ends[n++] = to;
    return n;
}

void bri_graded_nodes(const graded_point* points, size_t count, double from, double to,
                      graded_function f, void* data)
{
    double ends[MAX_ENDS];
    const size_t n = find_ends(points, count, from, to, ends);
    for (size_t i = 0; i + 1 < n; i++) {
        if (ends[i] < ends[i + 1]) {
            add_interval(points, count, ends[i], ends[i + 1], f, data);
        }
    }
}
