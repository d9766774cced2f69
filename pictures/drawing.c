/*
 * A drawing in the plane: writes the gnuplot script.
 */
#include "drawing.h"

#include <math.h>
#include <string.h>

#include "memory.h"
#include "plot.h"

enum { HIGHEST = 700 };                     // axes [px]
enum { LEGEND_GAP = 10, LEGEND_LINE = 22 }; // between axes and legend; height of an entry [px]

static const double MARGIN = 0.06;       // around what is drawn [-]
static const double LEAST_EXTENT = 1e-6; // of axes, if all points coincide [m]
static const double NEAR = 0.25; // the axes extend to a stray mark up to this far outside [-]

const box BOX_EMPTY = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};

mark* drawing_add(drawing* to, mark style)
{
    if (to->count == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 16;
        to->marks = memory_grow(to->marks, to->capacity, sizeof *to->marks);
    }
    to->marks[to->count] = style;
    return &to->marks[to->count++];
}

void mark_add_point(mark* to, br_vec2 point)
{
    if (to->count == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 8;
        to->points = memory_grow(to->points, to->capacity, sizeof *to->points);
    }
    to->points[to->count++] = point;
}

void mark_add_break(mark* to)
{
    mark_add_point(to, (br_vec2){(double)NAN, (double)NAN});
}

void mark_add_arrow(mark* to, br_vec2 tail, br_vec2 head)
{
    mark_add_point(to, tail);
    mark_add_point(to, head);
}

void mark_add_polygon(mark* to, polygon shape)
{
    for (size_t i = 0; i < shape.count; i++) {
        mark_add_point(to, shape.points[i]);
    }
    if (shape.count > 2) {
        mark_add_point(to, shape.points[0]);
    }
    mark_add_break(to);
}

static void include_point(box* b, br_vec2 p)
{
    b->low = (br_vec2){fmin(b->low.x, p.x), fmin(b->low.y, p.y)};
    b->high = (br_vec2){fmax(b->high.x, p.x), fmax(b->high.y, p.y)};
}

// Is a point in the box, or no farther from it than `beyond` times its size?
static bool holds(const box* b, br_vec2 p, double beyond)
{
    const br_vec2 over = br_vec2_scale(beyond, br_vec2_sub(b->high, b->low));
    return p.x >= b->low.x - over.x && p.x <= b->high.x + over.x && p.y >= b->low.y - over.y &&
           p.y <= b->high.y + over.y;
}

static void include_marks(box* b, const drawing* shown, bool stray)
{
    const box before = *b;
    for (size_t i = 0; i < shown->count; i++) {
        const mark* m = &shown->marks[i];
        for (size_t k = 0; m->is_stray == stray && k < m->count; k++) {
            if (!stray || holds(&before, m->points[k], NEAR)) {
                include_point(b, m->points[k]);
            }
        }
    }
}

void box_include(box* b, const drawing* shown)
{
    include_marks(b, shown, false);
    include_marks(b, shown, true);
}

size_t drawing_legend_height(const drawing* shown)
{
    size_t lines = 0;
    for (size_t i = 0; i < shown->count; i++) {
        const char* title = shown->marks[i].title;
        size_t k = 0;
        while (title && k < i &&
               !(shown->marks[k].title && strcmp(shown->marks[k].title, title) == 0)) {
            k++;
        }
        lines += title && k == i;
    }
    return LEGEND_LINE * (lines + 1);
}

view view_fit(box b, size_t width, size_t min_height)
{
    const double wide = (1 + 2 * MARGIN) * fmax(b.high.x - b.low.x, LEAST_EXTENT);
    const double high = (1 + 2 * MARGIN) * fmax(b.high.y - b.low.y, LEAST_EXTENT);
    const double scale = fmin((double)width / wide, HIGHEST / high); // [px/m]
    view v = {.width = width, .height = (size_t)fmax((double)min_height, ceil(high * scale))};
    const br_vec2 middle = br_vec2_scale(0.5, br_vec2_add(b.low, b.high));
    const br_vec2 half = {(double)v.width / scale / 2, (double)v.height / scale / 2};
    v.b = (box){br_vec2_sub(middle, half), br_vec2_add(middle, half)};
    return v;
}

static double max_of(const view* v)
{
    return fmax(fmax(fabs(v->b.low.x), fabs(v->b.high.x)),
                fmax(fabs(v->b.low.y), fabs(v->b.high.y)));
}

void view_write(const view* v, view_labels labels, size_t left, size_t top, size_t picture_width,
                size_t picture_height, FILE* to)
{
    const double wide = (double)picture_width, high = (double)picture_height;
    const double max = max_of(v), factor = plot_make_axis(labels.x, max).factor;
    fprintf(to, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", factor * v->b.low.x,
            factor * v->b.high.x, factor * v->b.low.y, factor * v->b.high.y);
    fprintf(to, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n", (double)left / wide,
            (double)(left + v->width) / wide);
    fprintf(to, "set tmargin at screen %.5f\nset bmargin at screen %.5f\n", 1 - (double)top / high,
            1 - (double)(top + v->height) / high);
    fprintf(to, "set xlabel %s\nset ylabel %s\n", plot_make_axis(labels.x, max).label,
            plot_make_axis(labels.y, max).label);
    fputs("set offsets 0, 0, 0, 0\nset format x '%g'\nset tics nomirror\nset border 3\n"
          "set grid linetype 1 linecolor rgb '#e4e4e4' linewidth 0.6 dashtype 1\n",
          to);
    fprintf(
        to,
        "set key at screen %.5f, screen %.5f left top Left reverse vertical samplen 2 spacing 1.2\n",
        (double)(left + v->width + LEGEND_GAP) / wide, 1 - (double)top / high);
}

static bool is_break(br_vec2 p)
{
    return isnan(p.x);
}

// Arrows as tail and displacement, others as points with an empty line between parts.
static void write_points(const mark* m, const view* v, double factor, FILE* to)
{
    for (size_t i = 0; i < m->count; i++) {
        const br_vec2 p = br_vec2_scale(factor, m->points[i]);
        if (m->kind == MARK_ARROW) {
            const br_vec2 head = br_vec2_scale(factor, m->points[++i]);
            fprintf(to, "%.9g %.9g %.9g %.9g\n", p.x, p.y, head.x - p.x, head.y - p.y);
        } else if (is_break(p)) {
            fputc('\n', to);
        } else if (!m->is_stray || holds(&v->b, m->points[i], 0)) {
            fprintf(to, "%.9g %.9g\n", p.x, p.y);
        }
    }
}

// Is there a point to draw?
static bool is_seen(const mark* m, const view* v)
{
    for (size_t i = 0; i < m->count; i++) {
        if (!is_break(m->points[i]) && (!m->is_stray || holds(&v->b, m->points[i], 0))) {
            return true;
        }
    }
    return false;
}

static void write_style(const mark* m, FILE* to)
{
    switch (m->kind) {
    case MARK_AREA:
        fprintf(to, "filledcurves fillstyle solid 1 noborder fillcolor rgb '%s'", m->colour);
        break;
    case MARK_LINE:
        fprintf(to, "lines linewidth %g dashtype %s linecolor rgb '%s'", m->width,
                m->dashes ? m->dashes : "1", m->colour);
        break;
    case MARK_ARROW:
        fprintf(
            to,
            "vectors filled head size screen 0.012, 20, 60 fixed linewidth %g linecolor rgb '%s'",
            m->width, m->colour);
        break;
    default:
        fprintf(to, "points pointtype %d pointsize %g linewidth 2 linecolor rgb '%s'",
                m->kind == MARK_DOT ? 7 : 2, m->width, m->colour);
    }
}

static bool is_drawn(const drawing* shown, size_t index, const view* v)
{
    const mark* m = &shown->marks[index];
    return is_seen(m, v) || (shown->keeps_legend && m->title);
}

// The title of a mark; NULL if it has none, or a later mark has the same.
static const char* title_of(const drawing* shown, size_t index, const view* v)
{
    const char* title = shown->marks[index].title;
    for (size_t i = index + 1; title && i < shown->count; i++) {
        const char* other = shown->marks[i].title;
        if (other && strcmp(other, title) == 0 && is_drawn(shown, i, v)) {
            return NULL;
        }
    }
    return title;
}

// A mark that is only in the legend gets NaN as data.
static void write_data(const drawing* shown, const view* v, FILE* to)
{
    const double factor = plot_make_axis("[m]", max_of(v)).factor;
    for (size_t i = 0; i < shown->count; i++) {
        if (is_drawn(shown, i, v)) {
            fprintf(to, "$mark%zu << EOD\n", i);
            write_points(&shown->marks[i], v, factor, to);
            fputs(is_seen(&shown->marks[i], v) ? "EOD\n" : "NaN NaN NaN NaN\nEOD\n", to);
        }
    }
}

void drawing_write(const drawing* shown, const view* v, FILE* to)
{
    write_data(shown, v, to);
    fputs("plot", to);
    for (mark_kind kind = MARK_AREA; kind <= MARK_ARROW; kind++) {
        for (size_t i = 0; i < shown->count; i++) {
            if (shown->marks[i].kind == kind && is_drawn(shown, i, v)) {
                const char* title = title_of(shown, i, v);
                fprintf(to, " $mark%zu with ", i);
                write_style(&shown->marks[i], to);
                fprintf(to, title ? " title %s," : " notitle,", title ? plot_quote(title) : "");
            }
        }
    }
    fputs(" NaN notitle\n", to); // a plot needs something to plot
}
