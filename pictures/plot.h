/*
 * Pictures of a table: panels above each other that share the horizontal axis, drawn by gnuplot.
 */
#ifndef PICTURES_PLOT_H
#define PICTURES_PLOT_H

#include "output.h"
#include "table.h"

enum { PLOT_CURVES = 4 };

// Of pictures, and of their title [px].
enum { PLOT_WIDTH = 800, PLOT_HEAD = 36 };

// One curve of a panel.
typedef struct plot_curve {
    size_t column;     // of the table
    const char* title; // in the legend; NULL: no more curves
} plot_curve;

// One panel, from top to bottom.
typedef struct plot_panel {
    const char* label; // of the vertical axis, with its unit
    plot_curve curves[PLOT_CURVES];
} plot_panel;

// What a stretch of a panel is shaded with.
typedef enum plot_shade { PLOT_CLEAR, PLOT_WARM, PLOT_GREY } plot_shade;

typedef struct plot_band {
    double from, to; // along the horizontal axis
    plot_shade shade;
    const char* title; // in the legend, once for each shade
} plot_band;

// What a panel shows besides its curves.
typedef struct plot_decoration {
    plot_band* bands; // (band_count)
    size_t band_count;
    size_t limit_column; // of the table
    double limit_factor; // a curve at plus and minus that many times the column; 0: none
    const char* limit_title;
} plot_decoration;

// A picture.
typedef struct plot {
    const char* title;
    const char* x_label; // with its unit; column 0 of the table
    const plot_panel* panels;
    size_t count;
    const plot_decoration* decorations; // (count); NULL: none
} plot;

// An axis: its label, and the factor on its numbers.
typedef struct plot_axis {
    const char* label; // quoted, with the prefix in its unit
    double factor;
} plot_axis;

// The axis of "x [m]" with numbers up to `most`: small ones are shown as "x [mm]". What has no unit, or
// one that takes no prefix, stays as it is.
plot_axis plot_make_axis(const char* label, double most);

// Is the name one that we can draw (.png, .svg, .pdf)? If not, say so and end the command.
void plot_check_name(const char* name);

// Begin a script: the terminal for a file of this name, in pixels.
void plot_write_terminal(const char* name, size_t width, size_t height, FILE* to);

// The styles of curves, grid and legend.
void plot_write_styles(FILE* to);

// The table as gnuplot's $data; of very many rows those that can be seen.
void plot_write_data(const table* data, FILE* to);

// How high the panels of a picture are, with their axis [px].
size_t plot_panels_height(const plot* picture);

// The panels over the first column of $data, from `begin` downwards in a multiplot of this height [px].
void plot_write_panels(const plot* picture, const table* data, size_t begin, size_t height,
                       FILE* to);

// 'text', as gnuplot quotes it.
char* plot_quote(const char* text);

// Begin a multiplot with a title; a long one is written smaller, so that it is whole.
void plot_write_title(const char* title, FILE* to);

// Draw into `to` and commit it. No gnuplot, or one that fails, ends the command.
void plot_draw(const plot* picture, const table* data, output* to);

#endif
