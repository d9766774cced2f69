/*
 * A picture of a slider: the script that gnuplot gets.
 *
 * Above, as X&C draw it in their figures 2b and 3d, the outline at instants along the way with the
 * centre of mass and the equivalent contact point; below, velocities over time.
 */
#include "plot_slider.h"

#include <math.h>

#include "gnuplot.h"
#include "memory.h"

enum {
    WIDTH = PLOT_WIDTH,
    MAP_WIDTH = 672,       // [px]
    LEGEND = 40,           // [px]
    MOST_MAP_HEIGHT = 600, // [px]
    EDGE = 60,             // below, for the horizontal axis [px]
    MOST_SNAPSHOTS = 26,
    ROUND = 72 // corners of a disc
};

// columns of the table
enum { X = 1, Y = 2, THETA = 3, AX = 11, AY = 12 };

static br_pose pose_of(const double* row)
{
    return (br_pose){row[X], row[Y], row[THETA]};
}

static size_t corner_count(const br_outline* outline)
{
    size_t count;
    br_outline_get_vertices(outline, &count);
    return count ? count : ROUND;
}

// A corner of the outline at a pose; the last is followed by the first.
static br_vec2 corner_of(const br_outline* outline, br_pose pose, size_t index)
{
    size_t count;
    const br_vec2* corners = br_outline_get_vertices(outline, &count);
    if (count > 0) {
        return br_pose_apply(pose, corners[index % count]);
    }
    const double angle = 2 * BR_PI * (double)index / ROUND;
    const br_vec2 out = {cos(angle), sin(angle)}, centre = br_outline_get_centre(outline);
    return br_pose_apply(pose,
                         br_vec2_add(centre, br_vec2_scale(br_outline_get_radius(outline), out)));
}

static void write_outline(const br_outline* outline, br_pose pose, FILE* to)
{
    for (size_t i = 0; i <= corner_count(outline); i++) {
        const br_vec2 p = corner_of(outline, pose, i);
        fprintf(to, "%.6g %.6g\n", p.x, p.y);
    }
    fputc('\n', to);
}

// The row after which nothing moves any more.
static size_t last_moving_row(const table* rows)
{
    size_t last = rows->rows - 1;
    const double* end = table_row(rows, last);
    while (last > 0) {
        const double* row = table_row(rows, last - 1);
        if (row[X] != end[X] || row[Y] != end[Y] || row[THETA] != end[THETA]) {
            break;
        }
        last--;
    }
    return last;
}

// How far a row's outline is from another's, roughly.
static double distance(const plot_slider* picture, const double* a, const double* b)
{
    const double size = picture->outline ? br_outline_get_radius(picture->outline) : 0;
    return hypot(a[X] - b[X], a[Y] - b[Y]) + size * fabs(a[THETA] - b[THETA]);
}

// The rows to draw, as they are: each a good way from the last, the first and the last always.
static size_t choose_snapshots(const plot_slider* picture, size_t chosen[MOST_SNAPSHOTS])
{
    const table* rows = picture->rows;
    const size_t last = last_moving_row(rows);
    double way = 0;
    for (size_t i = 1; i <= last; i++) {
        way += distance(picture, table_row(rows, i), table_row(rows, i - 1));
    }
    const double size = picture->outline ? br_outline_get_radius(picture->outline) : 0;
    const double gap = fmax(way / (MOST_SNAPSHOTS - 1), 0.3 * size);
    size_t count = 0;
    double since = HUGE_VAL;
    for (size_t i = 0; i <= last; i++) {
        since += i ? distance(picture, table_row(rows, i), table_row(rows, i - 1)) : 0;
        if ((since >= gap && count + 1 < MOST_SNAPSHOTS) || i == last) {
            chosen[count++] = i;
            since = 0;
        }
    }
    return count;
}

static void write_snapshots(const plot_slider* picture, FILE* to)
{
    size_t chosen[MOST_SNAPSHOTS];
    const size_t count = choose_snapshots(picture, chosen);
    fputs("$outlines << EOD\n", to);
    for (size_t i = 0; picture->outline && i < count; i++) {
        write_outline(picture->outline, pose_of(table_row(picture->rows, chosen[i])), to);
    }
    fputs("EOD\n$points << EOD\n", to);
    for (size_t i = 0; i < count; i++) {
        const double* row = table_row(picture->rows, chosen[i]);
        // the first row has no impulses yet, and so no contact point of its own
        const br_vec2 ecp = {i ? row[AX] : row[X], i ? row[AY] : row[Y]};
        fprintf(to, "%.6g %.6g %.6g %.6g\n", row[X], row[Y], ecp.x, ecp.y);
    }
    fputs("EOD\n", to);
}

static void write_tip(const plot_slider* picture, FILE* to)
{
    fputs("$tip << EOD\n", to);
    for (size_t i = 0; i < picture->tip_count; i++) {
        fprintf(to, "%.6g %.6g\n", picture->tip_x[i], picture->tip_y[i]);
    }
    fputs("EOD\n", to);
}

// What the map shows, and how high it is on paper.
typedef struct map_box {
    br_vec2 low, high;
    double height; // [px]
} map_box;

static void include(map_box* b, br_vec2 p, double margin)
{
    b->low = (br_vec2){fmin(b->low.x, p.x - margin), fmin(b->low.y, p.y - margin)};
    b->high = (br_vec2){fmax(b->high.x, p.x + margin), fmax(b->high.y, p.y + margin)};
}

static void include_everything(const plot_slider* picture, map_box* b)
{
    size_t chosen[MOST_SNAPSHOTS];
    const size_t count = choose_snapshots(picture, chosen);
    for (size_t i = 0; picture->outline && i < count; i++) {
        const br_pose pose = pose_of(table_row(picture->rows, chosen[i]));
        for (size_t k = 0; k < corner_count(picture->outline); k++) {
            include(b, corner_of(picture->outline, pose, k), 0);
        }
    }
    for (size_t i = 0; i < picture->rows->rows; i++) {
        const double* row = table_row(picture->rows, i);
        include(b, (br_vec2){row[X], row[Y]}, 0);
        include(b, (br_vec2){row[AX], row[AY]}, 0);
    }
    for (size_t i = 0; i < picture->tip_count; i++) {
        include(b, (br_vec2){picture->tip_x[i], picture->tip_y[i]}, picture->tip_radius);
    }
}

// Equal scales: the map is as high as what it shows, and a tall one shows more to the sides.
static map_box map_of(const plot_slider* picture)
{
    map_box b = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}, 0};
    include_everything(picture, &b);
    const double extent = fmax(b.high.x - b.low.x, b.high.y - b.low.y);
    const double margin = extent > 0 ? 0.04 * extent : 1e-3; // what never moves has an extent, too
    include(&b, b.low, margin);
    include(&b, b.high, margin);
    const double wide = b.high.x - b.low.x, high = b.high.y - b.low.y;
    const double room = MOST_MAP_HEIGHT - LEGEND;
    const double scale = fmin(MAP_WIDTH / wide, room / high); // [px/m]
    const double beside = 0.5 * (MAP_WIDTH / scale - wide);
    b.low.x -= beside;
    b.high.x += beside;
    b.high.y += LEGEND / scale;
    b.height = scale * (b.high.y - b.low.y);
    return b;
}

static void write_map(const plot_slider* picture, const map_box* b, FILE* to)
{
    fprintf(to, "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n", b->low.x, b->high.x, b->low.y,
            b->high.y);
    fputs("set xlabel 'x [m]'\nset ylabel 'y [m]'\n"
          "set offsets 0, 0, 0, 0\n"
          "set key top left horizontal samplen 2 maxrows 1\n"
          "plot",
          to);
    if (picture->outline) {
        fputs(
            " $outlines with lines linecolor rgb '#9a9a9a' linewidth 0.8 dashtype 1 title 'outline',"
            " '' every :::0::0 with lines linecolor rgb '#000000' linewidth 1.8 dashtype 1"
            " title 'at the start',",
            to);
    }
    if (picture->tip_count > 0) {
        fprintf(
            to,
            " $tip with lines linecolor rgb '#4d9221' linewidth 1.4 dashtype (4, 4) title 'tip',"
            " '' every ::0::0 using 1:2:(%.6g) with circles linecolor rgb '#4d9221' notitle,"
            " '' every ::%zu::%zu using 1:2:(%.6g) with circles linecolor rgb '#4d9221' notitle,",
            picture->tip_radius, picture->tip_count - 1, picture->tip_count - 1,
            picture->tip_radius);
    }
    fputs(
        " $data using 2:3 with lines linecolor rgb '#08306b' linewidth 1.0 dashtype 1 notitle,"
        " $points using 1:2:($3-$1):($4-$2) with vectors nohead linecolor rgb '#fdae6b'"
        " linewidth 1.2 dashtype 1 notitle,"
        " '' using 1:2 with points pointtype 7 pointsize 0.8 linecolor rgb '#08306b'"
        " title 'CoM',"
        " '' using 3:4 with points pointtype 2 pointsize 0.9 linewidth 1.4 linecolor rgb '#e6550d'"
        " title 'ECP'\n",
        to);
}

// Margins of a part of the picture, from its top and bottom in pixels.
static void write_margins(double height, double top, double bottom, FILE* to)
{
    fprintf(to, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", 1 - top / height,
            1 - bottom / height);
}

void plot_slider_draw(const plot_slider* picture, output* to)
{
    const map_box map = map_of(picture);
    const plot below = {picture->title, "t [s]", picture->panels, picture->panel_count};
    const double map_end = PLOT_HEAD + map.height;
    const size_t panels_begin = (size_t)map_end + EDGE;
    const size_t height = panels_begin + plot_panels_height(&below);
    gnuplot pipe = gnuplot_open();
    FILE* script = pipe.script;
    plot_write_terminal(to->name, WIDTH, height, script);
    plot_write_styles(script);
    plot_write_data(picture->rows, script);
    write_snapshots(picture, script);
    write_tip(picture, script);
    fprintf(script,
            "set multiplot title %s\nset lmargin at screen 0.13\nset rmargin at screen 0.97\n",
            plot_quote(picture->title));
    write_margins((double)height, PLOT_HEAD, map_end, script);
    write_map(picture, &map, script);
    plot_write_panels(&below, picture->rows, panels_begin, height, script);
    fputs("unset multiplot\n", script);
    gnuplot_close(&pipe, to);
    output_commit(to);
}
