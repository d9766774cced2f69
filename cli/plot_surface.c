/*
 * A picture of a limit surface: the script that gnuplot gets.
 */
#include "plot_surface.h"

#include <math.h>

#include "gnuplot.h"
#include "plot.h"

enum { WIDTH = 800, HEIGHT = 700 }; // [px]

// columns of the table
enum { THETA = 0, FX = 5, FY = 6, TAU = 7 };

// How far apart two wrenches of the same twist are, torque over its largest value.
static double distance(const double* a, const double* b, double most_torque)
{
    const double tau = most_torque > 0 ? (a[TAU] - b[TAU]) / most_torque : 0;
    return sqrt((a[FX] - b[FX]) * (a[FX] - b[FX]) + (a[FY] - b[FY]) * (a[FY] - b[FY]) + tau * tau);
}

// One half as a block: a line of nodes for each theta, a blank line between them. The other half is
// the mirror image through the origin: the friction of -v is minus that of v.
static void write_half(const table* data, const table* other, double sign, FILE* to)
{
    const double most_torque = fabs(table_row(other, 0)[TAU]); // pure spin comes first
    for (size_t i = 0; i < data->rows; i++) {
        const double* row = table_row(data, i);
        if (i > 0 && row[THETA] != table_row(data, i - 1)[THETA]) {
            fputc('\n', to);
        }
        fprintf(to, "%.6g %.6g %.6g %.6g\n", sign * row[FX], sign * row[FY], 1e3 * sign * row[TAU],
                distance(row, table_row(other, i), most_torque));
    }
}

static void write_sheet(const char* name, const table* data, const table* other, FILE* to)
{
    fprintf(to, "$%s << EOD\n", name);
    write_half(data, other, 1, to);
    fputs("\n\n", to); // a second block
    write_half(data, other, -1, to);
    fputs("EOD\n", to);
}

static double most_distance(const table* data, const table* other)
{
    double most = 1e-3; // an ellipsoid itself gets a scale, too
    for (size_t i = 0; i < data->rows; i++) {
        const double most_torque = fabs(table_row(other, 0)[TAU]);
        most = fmax(most, distance(table_row(data, i), table_row(other, i), most_torque));
    }
    return most;
}

static void write_axes(FILE* to)
{
    fputs("set xlabel 'fx / (mu fn) [-]' offset 0,-0.5\n"
          "set ylabel 'fy / (mu fn) [-]' offset 0.5,-0.5\n"
          "set zlabel 'tau / (mu fn) [mm]' rotate by 90 offset -1,0\n"
          "set cblabel 'distance to the ellipsoid at the same twist [-]'\n"
          "set xrange [-1.1:1.1]\nset yrange [-1.1:1.1]\n"
          "set xyplane relative 0.02\n"
          "set view 64, 32, 0.95, 1.25\n"
          "set border 31 linecolor rgb '#808080'\n"
          "set key at screen 0.97, 0.94 right samplen 3\n"
          // light to dark, so that grey print tells the same
          "set palette defined (0 '#f7fbff', 0.5 '#6baed6', 1 '#08306b')\n"
          "set colorbox user origin 0.855, 0.25 size 0.022, 0.45\n"
          "set pm3d depthorder border linecolor rgb '#7090b0' linewidth 0.3\n"
          "set hidden3d front\n",
          to);
}

void plot_surface_draw(const plot_surface* picture, output* to)
{
    gnuplot pipe = gnuplot_open();
    plot_write_terminal(to->name, WIDTH, HEIGHT, pipe.script);
    write_sheet("surface", picture->surface, picture->ellipsoid, pipe.script);
    write_sheet("ellipsoid", picture->ellipsoid, picture->ellipsoid, pipe.script);
    fprintf(pipe.script, "set title %s\n", plot_quote(picture->title));
    write_axes(pipe.script);
    fprintf(pipe.script, "set cbrange [0:%.3g]\n",
            most_distance(picture->surface, picture->ellipsoid));
    // a wire net of every fifth line lets the surface be seen through the ellipsoid
    fputs("splot $surface using 1:2:3:4 with pm3d title 'limit surface', "
          "$ellipsoid every 5:5 using 1:2:3 with lines linecolor rgb '#d94801' linewidth 1.1 "
          "title 'ellipsoid'\n",
          pipe.script);
    gnuplot_close(&pipe, to);
    output_commit(to);
}
