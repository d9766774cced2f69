/*
 * Points of a patch for the oracle: midpoint rules on each shape, in the definitions of
 * docs/reference/keys.md.
 */
#include <math.h>

#include "oracle.h"

static const double pi = 3.14159265358979323846;

static void add(oracle_patch* out, double x, double y, double weight)
{
    if (weight > 0 && out->count < ORACLE_POINTS) {
        out->x[out->count] = x;
        out->y[out->count] = y;
        out->weight[out->count++] = weight;
    }
}

// a linear pressure goes from the left end to the right end of the shape
static double linear(const patch* of, double x, double left, double right)
{
    if (!(of->from > 0 || of->to > 0)) {
        return 1;
    }
    return of->from + (of->to - of->from) * (x - left) / (right - left);
}

// rings of equal width, ring i with 4 (2 i + 1) points; the radius with half of the ring's area inside
static void sample_disc(const patch* of, int wanted, oracle_patch* out)
{
    const int rings = (int)fmax(3, sqrt(wanted / 4.0));
    const double a = of->radius, ratio = of->shape == SHAPE_ELLIPSE ? of->ratio : 1;
    for (int i = 0; i < rings; i++) {
        const double rho = sqrt((i * i + (i + 1) * (i + 1)) / 2.0) / rings;
        const double p = of->power > 0 ? pow(1 - pow(rho, of->power), 1 / of->power) : 1;
        const int count = 4 * (2 * i + 1);
        for (int j = 0; j < count; j++) {
            const double phi = 2 * pi * (j + 0.5) / count, x = a * rho * cos(phi);
            add(out, x, a * ratio * rho * sin(phi), p * linear(of, x, -a, a));
        }
    }
}

static void sample_ring(const patch* of, int wanted, oracle_patch* out)
{
    for (int i = 0; i < wanted; i++) {
        const double phi = 2 * pi * (i + 0.5) / wanted, x = of->radius * cos(phi);
        add(out, x, of->radius * sin(phi), linear(of, x, -of->radius, of->radius));
    }
}

static void sample_rectangle(const patch* of, int wanted, oracle_patch* out)
{
    const int n = (int)sqrt(wanted);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double x = of->size[0] * ((i + 0.5) / n - 0.5);
            add(out, x, of->size[1] * ((j + 0.5) / n - 0.5),
                linear(of, x, -of->size[0] / 2, of->size[0] / 2));
        }
    }
}

static void sample_line(const patch* of, int wanted, oracle_patch* out)
{
    for (int i = 0; i < wanted; i++) {
        const double x = of->size[0] * ((i + 0.5) / wanted - 0.5);
        add(out, x, 0, linear(of, x, -of->size[0] / 2, of->size[0] / 2));
    }
}

static bool is_inside(const patch* of, double x, double y)
{
    bool in = false;
    for (int i = 0, j = of->count - 1; i < of->count; j = i++) {
        if ((of->y[i] > y) != (of->y[j] > y) &&
            x < of->x[i] + (of->x[j] - of->x[i]) * (y - of->y[i]) / (of->y[j] - of->y[i])) {
            in = !in;
        }
    }
    return in;
}

static void extent(const double* v, int count, double* low, double* high)
{
    *low = *high = v[0];
    for (int i = 1; i < count; i++) {
        *low = fmin(*low, v[i]);
        *high = fmax(*high, v[i]);
    }
}

// one cell of a grid over the polygon: the share of 8 x 8 samples that is inside, at their mean
static void sample_cell(const patch* of, const double low[2], const double side[2],
                        const double ends[2], oracle_patch* out)
{
    double sum = 0, sx = 0, sy = 0;
    for (int k = 0; k < 64; k++) {
        const double x = low[0] + side[0] * (k % 8 + 0.5) / 8;
        const double y = low[1] + side[1] * ((double)(k / 8) + 0.5) / 8;
        const double p = is_inside(of, x, y) ? linear(of, x, ends[0], ends[1]) : 0;
        sum += p;
        sx += p * x;
        sy += p * y;
    }
    if (sum > 0) {
        add(out, sx / sum, sy / sum, sum);
    }
}

static void sample_polygon(const patch* of, int wanted, oracle_patch* out)
{
    double x[2], y[2];
    extent(of->x, of->count, &x[0], &x[1]);
    extent(of->y, of->count, &y[0], &y[1]);
    const int n = (int)sqrt(1.5 * wanted);
    const double side[2] = {(x[1] - x[0]) / n, (y[1] - y[0]) / n};
    for (int i = 0; i < n * n; i++) {
        const double low[2] = {x[0] + side[0] * (i % n), y[0] + side[1] * (double)(i / n)};
        sample_cell(of, low, side, x, out);
    }
}

static void sample_grid(const patch* of, int wanted, oracle_patch* out)
{
    const int n = wanted >= 9 * GRID_SIDE * GRID_SIDE ? 3 : 2, all = n * GRID_SIDE;
    for (int i = 0; i < all; i++) {
        for (int j = 0; j < all; j++) {
            add(out, of->size[0] * ((j + 0.5) / all - 0.5), of->size[1] * (0.5 - (i + 0.5) / all),
                of->cells[i / n][j / n]);
        }
    }
}

// a triangle 0, b, c in n^2 equal ones, each with the pressure at its centroid
static void sample_triangle(const patch* of, int b, int c, int n, oracle_patch* out)
{
    const double area = fabs((of->x[b] - of->x[0]) * (of->y[c] - of->y[0]) -
                             (of->x[c] - of->x[0]) * (of->y[b] - of->y[0]));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 2 * (n - i) - 1; j++) {
            const double up = (i + (j % 2 ? 2.0 : 1.0) / 3) / n;
            const double along = ((double)(j / 2) + (j % 2 ? 2.0 : 1.0) / 3) / n;
            const double rest = 1 - up - along;
            add(out, rest * of->x[0] + along * of->x[b] + up * of->x[c],
                rest * of->y[0] + along * of->y[b] + up * of->y[c],
                area * (rest * of->p[0] + along * of->p[b] + up * of->p[c]));
        }
    }
}

static void sample_triangles(const patch* of, int wanted, oracle_patch* out)
{
    const int n = (int)fmax(3, sqrt((double)wanted / (of->count - 1)));
    for (int i = 1; i < of->count; i++) {
        sample_triangle(of, i, i + 1 < of->count ? i + 1 : 1, n, out);
    }
}

static void sample_shape(const patch* of, int wanted, oracle_patch* out)
{
    switch (of->shape) {
    case SHAPE_RING:
        sample_ring(of, wanted / 2, out);
        break;
    case SHAPE_RECTANGLE:
        sample_rectangle(of, wanted, out);
        break;
    case SHAPE_LINE:
        sample_line(of, wanted / 2, out);
        break;
    case SHAPE_POLYGON:
        sample_polygon(of, wanted, out);
        break;
    case SHAPE_POINTS:
        for (int i = 0; i < of->count; i++) {
            add(out, of->x[i], of->y[i], of->p[i]);
        }
        break;
    case SHAPE_GRID:
        sample_grid(of, wanted, out);
        break;
    case SHAPE_TRIANGLES:
        sample_triangles(of, wanted, out);
        break;
    default:
        sample_disc(of, wanted, out);
    }
}

static void measure(oracle_patch* out)
{
    double sum = 0, second = 0;
    out->cop[0] = out->cop[1] = 0;
    for (int i = 0; i < out->count; i++) {
        sum += out->weight[i];
    }
    for (int i = 0; i < out->count; i++) {
        out->weight[i] /= sum;
        out->cop[0] += out->weight[i] * out->x[i];
        out->cop[1] += out->weight[i] * out->y[i];
    }
    for (int i = 0; i < out->count; i++) {
        const double x = out->x[i] - out->cop[0], y = out->y[i] - out->cop[1];
        second += out->weight[i] * (x * x + y * y);
    }
    out->radius = sqrt(second);
}

void oracle_sample(const patch* of, int wanted, oracle_patch* out)
{
    out->count = 0;
    sample_shape(of, wanted, out);
    const double c = cos(of->angle), s = sin(of->angle);
    for (int i = 0; i < out->count; i++) {
        const double x = out->x[i], y = out->y[i];
        out->x[i] = of->centre[0] + c * x - s * y;
        out->y[i] = of->centre[1] + s * x + c * y;
    }
    measure(out);
}
