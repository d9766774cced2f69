/*
 * A picture of a limit surface: writes the gnuplot script.
 *
 * The ellipsoid is a grid of lines on top of the surface. gnuplot's hidden-line removal leaves stubs of
 * lines that enter the surface, so their visible parts are computed here.
 */
#include "plot_surface.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "bristle/math.h"
#include "gnuplot.h"
#include "plot.h"

enum { WIDTH = 800, HEIGHT = 700 }; // [px]

// columns of the table
enum { THETA = 0, VX = 2, VY = 3, W = 4, FX = 5, FY = 6, TAU = 7 };

// Distance between two wrenches of the same twist, torques relative to the largest one.
static double distance(const double* a, const double* b, double max_torque)
{
    const double tau = max_torque > 0 ? (a[TAU] - b[TAU]) / max_torque : 0;
    return sqrt((a[FX] - b[FX]) * (a[FX] - b[FX]) + (a[FY] - b[FY]) * (a[FY] - b[FY]) + tau * tau);
}

// One half as a block: a line of nodes for each theta, a blank line between them. The other half is
// the mirror image through the origin: the friction of -v is minus that of v.
static void write_half(const table* data, const table* other, double sign, FILE* to)
{
    const double max_torque = fabs(table_row(other, 0)[TAU]); // pure spin comes first
    for (size_t i = 0; i < data->rows; i++) {
        const double* row = table_row(data, i);
        if (i > 0 && row[THETA] != table_row(data, i - 1)[THETA]) {
            fputc('\n', to);
        }
        fprintf(to, "%.6g %.6g %.6g %.6g\n", sign * row[FX], sign * row[FY], 1e3 * sign * row[TAU],
                distance(row, table_row(other, i), max_torque));
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

static double max_distance(const table* data, const table* other)
{
    double max = 1e-3; // nonzero also for an ellipsoid
    for (size_t i = 0; i < data->rows; i++) {
        const double max_torque = fabs(table_row(other, 0)[TAU]);
        max = fmax(max, distance(table_row(data, i), table_row(other, i), max_torque));
    }
    return max;
}

// --- the ellipsoid --------------------------------------------------------------------------------

// gnuplot's view: the cube of the axes, -1 to 1 and STRETCH times higher, seen from TILT below the pole
// and TURN about it; the box of the axes starts FLOOR of its height lower.
enum { TILT = 64, TURN = 32 };
static const double STRETCH = 1.25, FLOOR = 0.02;
static const double FORCE_RANGE = 1.1, TORQUE_RANGE = 1.1; // of axes, of the largest value

// A line counts as on the surface up to this share below it: far more than the error of the surface's facets
// (1e-3 for 4.5 degrees between nodes), and hardly visible.
static const double ON_SURFACE = 0.015;

enum { NET_LINE = 15, NET_STEP = 2 }; // between lines, and along one [degrees]

// Data that decide where the ellipsoid is visible.
typedef struct net {
    const table* surface;
    double radius;     // of the ellipsoid, along tau [m]
    double torque;     // end of the axis [m]
    double towards[3]; // from a wrench to the viewer [-, -, m], by one unit of the cube
    // the ellipsoid is a spheroid in f' = A^-1 f, see bristle/anisotropy.h
    double a[4];           // rows of A
    double towards_own[3]; // the same direction there
} net;

// out = A f', with the torque as it is
static void leave(const double a[4], const double p[3], double out[3])
{
    out[0] = a[0] * p[0] + a[1] * p[1];
    out[1] = a[2] * p[0] + a[3] * p[1];
    out[2] = p[2];
}

// out = A^-1 f
static void enter(const double a[4], const double p[3], double out[3])
{
    const double det = a[0] * a[3] - a[1] * a[2];
    out[0] = (a[3] * p[0] - a[1] * p[1]) / det;
    out[1] = (a[0] * p[1] - a[2] * p[0]) / det;
    out[2] = p[2];
}

// End of the axes of forces: friction along the stronger axis, and mu.
static double force_range(const plot_surface* picture)
{
    return FORCE_RANGE * fmax(picture->anisotropy.ratio, 1);
}

static net create_net(const plot_surface* picture, double torque)
{
    const double tilt = TILT * BR_PI / 180, turn = TURN * BR_PI / 180;
    const double height = STRETCH * 2 / ((1 + FLOOR) * 2 * torque); // of the cube, for 1 m
    const double force = force_range(picture);
    net out = {
        .surface = picture->surface,
        .radius = fabs(table_row(picture->ellipsoid, 0)[TAU]), // pure spin comes first
        .torque = torque,
        .towards = {force * sin(tilt) * sin(turn), -force * sin(tilt) * cos(turn),
                    cos(tilt) / height},
    };
    double a[2][2];
    br_anisotropy_get_matrix(&picture->anisotropy, 0, a);
    memcpy(out.a, a, sizeof out.a);
    enter(out.a, out.towards, out.towards_own);
    return out;
}

static double power(const double* row, const double* f)
{
    return row[VX] * f[0] + row[VY] * f[1] + row[W] * f[2];
}

// Does the line from a wrench to the viewer pass through the limit surface? The surface is convex: for each
// of its twists v, no wrench inside has more power |v.f| than the wrench of v.
static bool is_hidden_by_surface(const net* n, const double p[3])
{
    double start = 0, end = HUGE_VAL;
    for (size_t i = 0; i < n->surface->rows && start <= end; i++) {
        const double* row = table_row(n->surface, i);
        const double max = fabs(power(row, row + FX)), now = power(row, p);
        const double rate = power(row, n->towards);
        const double a = (-max - now) / rate, b = (max - now) / rate;
        if (rate != 0) {
            start = fmax(start, fmin(a, b));
            end = fmin(end, fmax(a, b));
        } else if (fabs(now) > max) {
            return false;
        }
    }
    return start < end;
}

// Does the ellipsoid's normal at a wrench f' point towards the viewer?
static bool faces_viewer(const net* n, const double own[3])
{
    const double* t = n->towards_own;
    return own[0] * t[0] + own[1] * t[1] + own[2] * t[2] / (n->radius * n->radius) > 0;
}

typedef enum net_side { NET_SEEN, NET_BELOW } net_side; // above the surface, or covered by it

static bool is_covered(const net* n, const double p[3])
{
    const double out = 1 + ON_SURFACE, above[3] = {out * p[0], out * p[1], out * p[2]};
    return is_hidden_by_surface(n, above);
}

// Write a point if it is on the requested side, or the first one after leaving it.
static bool write_point(const double p[3], bool is_on, bool was_on, FILE* to)
{
    if (is_on || was_on) {
        fprintf(to, "%.6g %.6g %.6g\n", p[0], p[1], 1e3 * p[2]);
    }
    if (!is_on && was_on) {
        fputs("\n\n", to); // two empty lines separate lines
    }
    return is_on;
}

// A line of the net: meridian `line`, or parallel.
static void write_line(const net* n, int line, bool is_meridian, net_side side, FILE* to)
{
    const int from = is_meridian ? -90 : 0, end = is_meridian ? 90 : 360;
    bool was_on = false;
    for (int step = from; step <= end; step += NET_STEP) {
        const double theta = (is_meridian ? line : step) * BR_PI / 180;
        const double phi = (is_meridian ? step : line) * BR_PI / 180;
        const double own[3] = {cos(phi) * cos(theta), cos(phi) * sin(theta), n->radius * sin(phi)};
        double p[3];
        leave(n->a, own, p);
        const bool is_on = faces_viewer(n, own) && is_covered(n, p) == (side == NET_BELOW);
        was_on = write_point(p, is_on, was_on, to);
    }
    fputs("\n\n", to);
}

// The rim of the ellipsoid as seen by the viewer, where it is visible. With the torque over the radius it is a
// great circle, spanned by two directions across the view.
static void write_rim(const net* n, FILE* to)
{
    const double *t = n->towards_own, level = hypot(t[0], t[1]), up = t[2] / n->radius;
    const double size = hypot(level, up);
    const double a[3] = {-t[1] / level, t[0] / level, 0};
    const double b[3] = {-up * t[0] / (level * size), -up * t[1] / (level * size), level / size};
    bool was_on = false;
    for (int step = 0; step <= 360; step += NET_STEP) {
        const double c = cos(step * BR_PI / 180), s = sin(step * BR_PI / 180);
        const double own[3] = {c * a[0] + s * b[0], c * a[1] + s * b[1],
                               n->radius * (c * a[2] + s * b[2])};
        double p[3];
        leave(n->a, own, p);
        was_on = write_point(p, !is_covered(n, p), was_on, to);
    }
    fputs("\n\n", to);
}

static void write_net(const net* n, const char* name, net_side side, FILE* to)
{
    fprintf(to, "$%s << EOD\n", name);
    for (int theta = 0; theta < 360 && n->radius > 0; theta += NET_LINE) {
        write_line(n, theta, true, side, to);
    }
    for (int phi = -90 + NET_LINE; phi < 90 && n->radius > 0; phi += NET_LINE) {
        write_line(n, phi, false, side, to);
    }
    if (side == NET_SEEN && n->radius > 0) {
        write_rim(n, to);
    }
    fputs("NaN NaN NaN\nEOD\n", to); // never empty
}

// --- the patch ------------------------------------------------------------------------------------

// Half the side of the square that contains the patch and both points, and its centre [m].
static double patch_extent(const plot_surface* picture, br_vec2* middle)
{
    br_vec2 low = picture->cop, high = picture->cop;
    for (size_t i = 0; i < picture->patch.count; i++) {
        const polygon part = picture->patch.parts[i];
        for (size_t j = 0; j < part.count; j++) {
            low = (br_vec2){fmin(low.x, part.points[j].x), fmin(low.y, part.points[j].y)};
            high = (br_vec2){fmax(high.x, part.points[j].x), fmax(high.y, part.points[j].y)};
        }
    }
    *middle = br_vec2_scale(0.5, br_vec2_add(low, high));
    const double half = 0.5 * fmax(high.x - low.x, high.y - low.y);
    return half > 0 ? half : 1e-3; // a point
}

static void write_patch(const plot_surface* picture, FILE* to)
{
    fputs("$patch << EOD\n", to);
    for (size_t i = 0; i < picture->patch.count; i++) {
        const polygon part = picture->patch.parts[i];
        for (size_t j = 0; j <= part.count; j++) {
            const br_vec2 at = part.points[j % part.count];
            fprintf(to, "%.6g %.6g\n", 1e3 * at.x, 1e3 * at.y);
        }
        fputc('\n', to);
    }
    fputs("EOD\n", to);
}

// In the upper left corner: the patch, its CoP, and its centre of rotation under a torque.
static void draw_patch(const plot_surface* picture, FILE* to)
{
    br_vec2 middle;
    const double half = 1.15e3 * patch_extent(picture, &middle);
    const double x = 1e3 * middle.x, y = 1e3 * middle.y;
    const br_vec2 cop = picture->cop, p_s = picture->p_s;
    fputs("reset\nset size ratio 1\nset lmargin at screen 0.03\nset rmargin at screen 0.19\n"
          "set bmargin at screen 0.77\nset tmargin at screen 0.95\n"
          "unset border\nunset tics\nunset colorbox\n"
          "set key at screen 0.2, 0.93 left Left reverse samplen 0.5\n",
          to);
    fprintf(to, "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n", x - half, x + half, y - half,
            y + half);
    fprintf(to, "$cop << EOD\n%.6g %.6g\nEOD\n$p_s << EOD\n%.6g %.6g\nEOD\n", 1e3 * cop.x,
            1e3 * cop.y, 1e3 * p_s.x, 1e3 * p_s.y);
    const bool has_points = picture->patch.count > 0 && picture->patch.parts[0].count == 1;
    fprintf(
        to,
        "plot $patch with linespoints linecolor rgb '#808080' linewidth 1.5 pointtype 7 pointsize %g "
        "notitle, $cop with points pointtype 2 pointsize 1 linewidth 2 linecolor rgb '#d94801' "
        "title 'CoP', $p_s with points pointtype 7 pointsize 0.7 linecolor rgb '#08306b' "
        "title 'p_s'\n",
        has_points ? 1.2 : 0.3);
}

// --- the picture ----------------------------------------------------------------------------------

static double max_torque(const table* data)
{
    double max = 0;
    for (size_t i = 0; i < data->rows; i++) {
        max = fmax(max, fabs(table_row(data, i)[TAU]));
    }
    return max;
}

static void write_axes(double force, double torque, FILE* to)
{
    fprintf(to, "set xrange [%g:%g]\nset yrange [%g:%g]\nset zrange [%.6g:%.6g]\n", -force, force,
            -force, force, -1e3 * torque, 1e3 * torque);
    fprintf(to, "set xyplane relative %g\nset view %d, %d, 0.95, %g\n", FLOOR, TILT, TURN, STRETCH);
    fputs("set xlabel 'fx / (mu fn) [-]' offset 0,-0.5\n"
          "set ylabel 'fy / (mu fn) [-]' offset 0.5,-0.5\n"
          "set zlabel 'tau / (mu fn) [mm]' rotate by 90 offset -1,0\n"
          "set cblabel 'distance to the ellipsoid at the same twist [-]'\n"
          "set border 31 linecolor rgb '#808080'\n"
          "set key at screen 0.97, 0.93 right samplen 3\n"
          // light to dark, also in grey print
          "set palette defined (0 '#f7fbff', 0.5 '#6baed6', 1 '#08306b')\n"
          "set colorbox user origin 0.87, 0.3 size 0.022, 0.42\n"
          "set pm3d depthorder border linecolor rgb '#7090b0' linewidth 0.3\n",
          to);
}

static void write_nets(const plot_surface* picture, double torque, FILE* to)
{
    const net n = create_net(picture, torque);
    write_net(&n, "above", NET_SEEN, to);
    write_net(&n, "below", NET_BELOW, to);
}

void plot_surface_draw(const plot_surface* picture, output* to)
{
    const double larger = fmax(max_torque(picture->surface), max_torque(picture->ellipsoid));
    const double torque = larger > 0 ? TORQUE_RANGE * larger : 1e-3; // a point has none
    gnuplot pipe = gnuplot_open();
    plot_write_terminal(to->name, WIDTH, HEIGHT, pipe.script);
    write_sheet("surface", picture->surface, picture->ellipsoid, pipe.script);
    write_nets(picture, torque, pipe.script);
    write_patch(picture, pipe.script);
    plot_write_title(picture->title, pipe.script);
    write_axes(force_range(picture), torque, pipe.script);
    fprintf(pipe.script, "set cbrange [0:%.3g]\n",
            max_distance(picture->surface, picture->ellipsoid));
    // quads sorted by depth would cover lines of the same plot, so there are two plots; the second one repeats the
    // axes invisibly, so that both have the same position
    fputs(
        "splot $surface using 1:2:3:4 with pm3d notitle\n"
        "set border 0\nset format ''\nset tics scale 0\nunset xlabel\nunset ylabel\nunset zlabel\n"
        "splot $below with lines linecolor rgb '#f16913' linewidth 1 dashtype (4, 4) "
        "title 'ellipsoid, below the surface', "
        "$above with lines linecolor rgb '#d94801' linewidth 1.4 "
        "title 'ellipsoid, on or above it'\n",
        pipe.script);
    draw_patch(picture, pipe.script);
    fputs("unset multiplot\n", pipe.script);
    gnuplot_close(&pipe, to);
    output_commit(to);
}
