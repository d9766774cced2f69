/*
 * A drawing in the plane: areas, lines, points and arrows on axes of equal scale, with a legend.
 */
#ifndef PICTURES_DRAWING_H
#define PICTURES_DRAWING_H

#include <stdbool.h>
#include <stdio.h>

#include "outline.h"

// In the order in which they are drawn: later ones cover earlier ones.
typedef enum mark_kind { MARK_AREA, MARK_LINE, MARK_DOT, MARK_CROSS, MARK_ARROW } mark_kind;

// Something drawn in one style.
typedef struct mark {
    mark_kind kind;
    const char* colour; // "#rrggbb"
    double width;       // of a line [px], of a point (1: some 6 px)
    const char* dashes; // "(6, 4)"; NULL: solid
    const char* title;  // in the legend, once for all marks that share it; NULL: none
    bool is_stray;      // does not enlarge the axes unless it is near them
    br_vec2* points;    // [m] (count); a NaN between parts; an arrow: its tail, its head
    size_t count;
    size_t capacity;
} mark;

typedef struct drawing {
    mark* marks;
    size_t count;
    size_t capacity;
    bool keeps_legend; // marks without points stay in the legend, as in an animation
} drawing;

// A new mark in the style given, without points; the pointer is valid until the next call.
mark* drawing_add(drawing* to, mark style);

// Add a point, an arrow, or a closed polygon as a separate part.
void mark_add_point(mark* to, br_vec2 point);
void mark_add_arrow(mark* to, br_vec2 tail, br_vec2 head);
void mark_add_polygon(mark* to, polygon shape);

// Separate two parts of a line.
void mark_add_break(mark* to);

// A rectangle of the plane [m].
typedef struct box {
    br_vec2 low, high;
} box;

extern const box BOX_EMPTY;

// Enlarge the box to contain a drawing.
void box_include(box* b, const drawing* shown);

// The range of the axes, and their size.
typedef struct view {
    box b;
    size_t width, height; // [px]
} view;

// Largest height of the legend of a drawing [px].
size_t drawing_legend_height(const drawing* shown);

// Axes of equal scale that contain a box: `width` pixels wide, and as high as needed, at least `min_height`.
view view_fit(box b, size_t width, size_t min_height);

// Labels of the axes, with units.
typedef struct view_labels {
    const char* x;
    const char* y;
} view_labels;

// Axes whose upper left corner is at (left, top) of a picture of this size, all in pixels; their legend
// is at their right.
void view_write(const view* v, view_labels labels, size_t left, size_t top, size_t picture_width,
                size_t picture_height, FILE* to);

// Write the drawing on the axes of the view, which must have been written last.
void drawing_write(const drawing* shown, const view* v, FILE* to);

#endif
