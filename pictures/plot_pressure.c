/*
 * The map of a pressure: each support point as a disc whose area is its share of the force.
 */
#include "plot_pressure.h"

#include <math.h>

#include "gnuplot.h"
#include "plot.h"

enum { WIDTH = 720, HEIGHT = 680 }; // [px]

// In millimetres, as all other data.
static void write_body(const outline* body, FILE* to)
{
    fputs("$body << EOD\n", to);
    for (size_t i = 0; i < body->count; i++) {
        const polygon* part = &body->parts[i];
        for (size_t k = 0; k <= part->count && part->count > 0; k++) {
            const br_vec2 p = part->points[k % part->count];
            fprintf(to, "%.6g %.6g\n", 1e3 * p.x, 1e3 * p.y);
        }
        fputs("\n", to);
    }
    fputs("EOD\n", to);
}

// Half the size of what is drawn [m].
static double extent(const plot_pressure* p)
{
    double max = 1e-6;
    for (size_t i = 0; i < p->body.count; i++) {
        for (size_t k = 0; k < p->body.parts[i].count; k++) {
            const br_vec2 q = p->body.parts[i].points[k];
            max = fmax(max, fmax(fabs(q.x - p->cop.x), fabs(q.y - p->cop.y)));
        }
    }
    for (size_t i = 0; i < p->count; i++) {
        max = fmax(max, fmax(fabs(p->points[i].x - p->cop.x), fabs(p->points[i].y - p->cop.y)));
    }
    return max;
}

// x, y, radius, weight in per cent: all discs together cover a fifth of the picture's square.
static void write_points(const plot_pressure* p, double half, FILE* to)
{
    fputs("$points << EOD\n", to);
    for (size_t i = 0; i < p->count; i++) {
        const br_support_point q = p->points[i];
        fprintf(to, "%.6g %.6g %.6g %.6g\n", 1e3 * q.x, 1e3 * q.y,
                1e3 * half * sqrt(0.8 * q.weight / BR_PI), 100.0 * q.weight);
    }
    fputs("EOD\n", to);
}

void plot_pressure_draw(const plot_pressure* p, output* to)
{
    const double half = extent(p), range = 1.15 * half;
    gnuplot pipe = gnuplot_open();
    FILE* script = pipe.script;
    plot_write_terminal(to->name, WIDTH, HEIGHT, script);
    plot_write_styles(script);
    write_body(&p->body, script);
    write_points(p, half, script);
    fprintf(script, "$cop << EOD\n%.6g %.6g %.6g %.6g %.6g\nEOD\n", 1e3 * p->cop.x, 1e3 * p->cop.y,
            1e3 * p->r, 1e3 * p->cop_error[0], 1e3 * p->cop_error[1]);
    fprintf(script, "set title %s noenhanced\nset size ratio -1\n", plot_quote(p->title));
    fprintf(script, "set xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\n", 1e3 * (p->cop.x - range),
            1e3 * (p->cop.x + range), 1e3 * (p->cop.y - range), 1e3 * (p->cop.y + range));
    fputs(
        "set xlabel 'x [mm]'\nset ylabel 'y [mm]'\nset cblabel 'share of the force [%]'\n"
        "set cbrange [0:*]\nset palette defined (0 '#c6dbef', 1 '#08306b')\n"
        "set key below\nset style fill transparent solid 0.75 border\n"
        "plot $body with lines linecolor rgb '#555555' linewidth 2 title 'outline', "
        "$points using 1:2:3:4 with circles linecolor palette title 'supports', "
        "$cop using 1:2:3 with circles fillstyle empty linecolor rgb '#d94801' linewidth 2 dashtype (6, 4) "
        "title 'r about the CoP', "
        "$cop using 1:2:4:5 with xyerrorbars linecolor rgb '#d94801' linewidth 2 pointtype 2 pointsize 1.5 "
        "title 'CoP, 95 %'\n",
        script);
    gnuplot_close(&pipe, to);
    output_commit(to);
}
