/*
 * Points that engines drop for some steps.
 *
 * Engines that add one point per step to a manifold (or keep four of many) drop points and find them again while bodies
 * turn. A face that stands on two points would tip over within the step. So points of the last steps are kept in the
 * slider's frame, and those that still touch and have no present point near them take part in the solve.
 */
#include "internal.h"

#include <math.h>
#include <string.h>

// A kept point has none of the present ones within this share of the patch's size.
static const double min_distance = 0.2;

// It touches if its gap is below this many times `touch`.
static const double near_touch = 5.0;

static double square_distance(const double* a, const double* b)
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return dot3(d, d);
}

// The square of the largest distance of two points of a pair [m^2].
static double square_size(const brg_world* w, int first)
{
    double size = 0.0;
    for (int i = first; i >= 0; i = w->next[i]) {
        for (int k = w->next[i]; k >= 0; k = w->next[k]) {
            size = fmax(size, square_distance(w->points[i].x, w->points[k].x));
        }
    }
    return size;
}

// The present point that is nearest to x, and the square of its distance.
static const brg_point* nearest(const brg_world* w, int first, const double* x, double* square)
{
    int best = first;
    *square = HUGE_VAL;
    for (int i = first; i >= 0; i = w->next[i]) {
        const double here = square_distance(w->points[i].x, x);
        if (here < *square) {
            *square = here;
            best = i;
        }
    }
    return &w->points[best];
}

// Store a present point, in place of the oldest one if there is no space.
static void store(contact_pair* p, const brg_body* slider, const double* x)
{
    if (p->kept_count == KEPT_MOST) {
        memmove(p->kept, p->kept + 1, (KEPT_MOST - 1) * sizeof *p->kept);
        memmove(p->age, p->age + 1, (KEPT_MOST - 1) * sizeof *p->age);
        p->kept_count--;
    }
    to_body(slider, x, p->kept[p->kept_count]);
    p->age[p->kept_count++] = 0;
}

// Add a point to those of the step, like `near`.
static size_t add(brg_world* w, contact_pair* p, const brg_point* near, const double* x, double gap,
                  size_t count)
{
    brg_point* q = &w->points[count];
    *q = *near;
    memcpy(q->x, x, sizeof q->x);
    q->impulse = 0.0;
    q->gap = gap;
    w->next[count] = p->first;
    p->first = (int)count;
    w->report.kept++;
    return count + 1;
}

size_t brgi_keep_points(brg_world* w, contact_pair* p, const brg_body* bodies, size_t count)
{
    const brg_body* slider = brgi_slider(p, bodies);
    const double touch = w->def.touch;
    const int present = p->first;
    double size = -1.0; // computed where it is needed
    int left = 0;
    for (int q = 0; q < p->kept_count; q++) {
        double x[3], square;
        to_world(slider, p->kept[q], x);
        const brg_point* near = nearest(w, present, x, &square);
        if (++p->age[q] > w->def.keep || square < touch * touch) {
            continue; // too old, or present
        }
        const double d[3] = {x[0] - near->x[0], x[1] - near->x[1], x[2] - near->x[2]};
        const double gap = near->gap + dot3(d, near->n);
        size = size < 0.0 ? square_size(w, present) : size;
        if (square > min_distance * min_distance * size && fabs(gap) < near_touch * touch &&
            count < w->point_capacity) {
            count = add(w, p, near, x, gap, count);
        }
        memmove(p->kept[left], p->kept[q], sizeof *p->kept);
        p->age[left++] = p->age[q];
    }
    p->kept_count = left;
    for (int i = present; i >= 0; i = w->next[i]) {
        if (w->points[i].gap < touch) {
            store(p, slider, w->points[i].x);
        }
    }
    return count;
}
