/*
 * A drawing in the plane: areas, lines, points and arrows on axes of equal scale, with a legend.
 */
#ifndef PICTURES_DRAWING_H
#define PICTURES_DRAWING_H

#include <stdbool.h>
#include <stdio.h>

#include "outline.h"

// In the order in which they are drawn: later ones lie above.
typedef enum mark_kind { MARK_AREA, MARK_LINE, MARK_DOT, MARK_CROSS, MARK_ARROW } mark_kind;

// Something drawn in one style.
typedef struct mark {
    mark_kind kind;
    const char* colour; // "#rrggbb"
    double width;       // of a line [px], of a point (1: some 6 px)
    const char* dashes; // "(6, 4)"; NULL: solid
    const char* title;  // in the legend, once for all marks that share it; NULL: not there
    bool is_stray;   // shown where it lies in the picture or near it: no room is made for it else
    br_vec2* points; // [m] (count); a NaN between parts; an arrow: its tail, its head
    size_t count;
    size_t capacity;
} mark;

typedef struct drawing {
    mark* marks;
    size_t count;
    size_t capacity;
    bool keeps_legend; // what is not there keeps its place in the legend, as in a film
} drawing;

// A new mark in the style given, without points; the pointer is good until the next call.
mark* drawing_add(drawing* to, mark style);

// Add a point, an arrow, a polygon as a part of its own (one that is joined to its first point).
void mark_add_point(mark* to, br_vec2 point);
void mark_add_arrow(mark* to, br_vec2 tail, br_vec2 head);
void mark_add_polygon(mark* to, polygon shape);

// Between two parts of a line.
void mark_add_break(mark* to);

// A rectangle of the plane [m].
typedef struct box {
    br_vec2 low, high;
} box;

extern const box BOX_EMPTY;

// Make it hold a drawing.
void box_include(box* b, const drawing* shown);

// What axes show, and how large they are.
typedef struct view {
    box b;
    size_t width, height; // [px]
} view;

// How high the legend of a drawing may get [px].
size_t drawing_legend_height(const drawing* shown);

// Axes of equal scale that hold a box: `width` pixels wide, and as high as needed, `least` at least.
view view_fit(box b, size_t width, size_t least);

// Labels of the axes, with units.
typedef struct view_labels {
    const char* x;
    const char* y;
} view_labels;

// Axes whose upper left corner is at (left, top) of a picture of this size, all in pixels; their legend
// is at their right.
void view_write(const view* v, view_labels labels, size_t left, size_t top, size_t picture_width,
                size_t picture_height, FILE* to);

// The drawing on the axes that were written last, which are those of the view.
void drawing_write(const drawing* shown, const view* v, FILE* to);

#endif
