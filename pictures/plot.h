/*
 * Pictures of a table: panels above each other that share the horizontal axis, drawn by gnuplot.
 */
#ifndef PICTURES_PLOT_H
#define PICTURES_PLOT_H

#include <stdbool.h>

#include "output.h"
#include "table.h"

enum { PLOT_CURVES = 4, PLOT_NOTES = 2 };

// Size of pictures, and height of their title [px].
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

// A shaded range of a panel.
typedef enum plot_shade { PLOT_CLEAR, PLOT_WARM, PLOT_GREY } plot_shade;

typedef struct plot_band {
    double from, to; // along the horizontal axis
    plot_shade shade;
    const char* title; // in the legend, once for each shade
} plot_band;

// Decorations of a panel besides its curves.
typedef struct plot_decoration {
    plot_band*
        bands; // (band_count); of panels that share them, the first one has them in its legend
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
    const int* ranks;    // (count) which panels come first if not all are shown; NULL: in order
    const double* noise; // (count) a panel with only smaller numbers is flat at 0; NULL: 1e-14
    const char* notes[PLOT_NOTES]; // lines below all panels; NULL or "": none
} plot;

// An axis: its label, and the factor on its numbers.
typedef struct plot_axis {
    const char* label; // quoted, with the prefix in its unit
    double factor;
} plot_axis;

// The axis "x [m]" for numbers up to `max`: small ones are shown as "x [mm]". A label without a unit, or with
// one that takes no prefix, is unchanged.
plot_axis plot_make_axis(const char* label, double max);

// End the command with a message unless the name ends with .png, .svg or .pdf.
void plot_check_name(const char* name);

// Start a script: the terminal for a file of this name, in pixels.
void plot_write_terminal(const char* name, size_t width, size_t height, FILE* to);

// The styles of curves, grid and legend.
void plot_write_styles(FILE* to);

// The table as gnuplot's $data; of very many rows only those that are visible.
void plot_write_data(const table* data, FILE* to);

// The range of a panel's curves; low > high if there is no number.
void plot_panel_range(const plot_panel* panel, const table* data, double* low, double* high);

// Height of the panels of a picture, with their axis and notes [px].
size_t plot_panels_height(const plot* picture);

// The panels over the first column of $data, from `top` downwards in a multiplot of this height [px].
void plot_write_panels(const plot* picture, const table* data, size_t top, size_t height, FILE* to);

// The text as gnuplot quotes it: 'text', or "text's".
char* plot_quote(const char* text);

// Start a multiplot with a title; a long title gets a smaller font to fit.
void plot_write_title(const char* title, FILE* to);

// Draw into `to` and commit it. The command ends if gnuplot is missing or fails.
void plot_draw(const plot* picture, const table* data, output* to);

#endif
