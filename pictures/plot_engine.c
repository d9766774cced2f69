/*
 * A picture of a physics engine's limit surface and of the exact one: writes the gnuplot script.
 *
 * It shows sections, not projections: loads of two components while the third is zero.
 */
#include "plot_engine.h"

#include <math.h>

#include "gnuplot.h"
#include "memory.h"
#include "plot.h"

enum { WIDTH = 1200, HEIGHT = 450, STEPS = 720, SECTIONS = 3 }; // [px], [px], around a section

typedef double (*gauge_of)(const br_engine* engine, br_wrench load);

// Which two of fx, fy, tau a section shows.
typedef struct section {
    int across, up;
    const char *x_label, *y_label;
} section;

static const section sections[SECTIONS] = {
    {0, 2, "fx [N]", "tau [mN m]"}, {1, 2, "fy [N]", "tau [mN m]"}, {0, 1, "fx [N]", "fy [N]"}};

static double gauge_exact(const br_engine* engine, br_wrench load)
{
    return br_limit_gauge(br_engine_get_exact(engine), load, NULL);
}

static double get_r(const br_engine* engine)
{
    return br_limit_get_patch_value(br_engine_get_exact(engine)).r;
}

// The boundary of a section, at the distance that the gauge gives, in N and mN m.
static void write_section(const br_engine* engine, const char* name, int k, gauge_of gauge,
                          FILE* to)
{
    const br_engine_def def = br_engine_get_def(engine);
    const double unit[3] = {1, 1, get_r(engine)}, shown[3] = {1, 1, 1e3};
    const int across = sections[k].across, up = sections[k].up;
    fprintf(to, "$%s%d << EOD\n", name, k);
    for (int i = 0; i <= STEPS; i++) {
        const double angle = 2 * BR_PI * i / STEPS;
        double load[3] = {0, 0, 0};
        load[across] = cos(angle) * unit[across];
        load[up] = sin(angle) * unit[up];
        const double size = def.mu * def.fn / gauge(engine, (br_wrench){load[0], load[1], load[2]});
        fprintf(to, "%.6g %.6g\n", size * load[across] * shown[across],
                size * load[up] * shown[up]);
    }
    fputs("EOD\n", to);
}

static void draw_section(const plot_engine* picture, int k, FILE* to)
{
    const char* kind = br_engine_get_name(br_engine_get_def(picture->engine).kind);
    fprintf(to, "set origin %g, 0\nset size %g, 0.94\nset xlabel '%s'\nset ylabel '%s'\n",
            (double)k / SECTIONS, 1.0 / SECTIONS, sections[k].x_label, sections[k].y_label);
    fprintf(to,
            "plot $exact%d with lines linecolor rgb '#74a9cf' linewidth 4 title 'exact', $engine%d "
            "with lines linecolor rgb '#a63603' linewidth 2 title %s\n",
            k, k, plot_quote(memory_format("%s: %s", kind, picture->form)));
}

static void write_title(const plot_engine* picture, FILE* to)
{
    const br_engine_def def = br_engine_get_def(picture->engine);
    const br_engine_error error = br_engine_get_error(picture->engine);
    plot_write_title(memory_format("%s, mu %.4g, fn %.4g N: what friction holds; off by up to %.3g "
                                   "of mu fn, on average %.3g",
                                   picture->name, def.mu, def.fn, error.max, error.mean),
                     to);
}

void plot_engine_draw(const plot_engine* picture, output* to)
{
    const int first = get_r(picture->engine) > 0 ? 0 : 2; // a point carries no torque
    gnuplot pipe = gnuplot_open();
    plot_write_terminal(to->name, WIDTH, HEIGHT, pipe.script);
    for (int k = first; k < SECTIONS; k++) {
        write_section(picture->engine, "exact", k, gauge_exact, pipe.script);
        write_section(picture->engine, "engine", k, br_engine_gauge, pipe.script);
    }
    write_title(picture, pipe.script);
    fputs("set grid linecolor rgb '#c8c8c8' linewidth 0.6\nset border 3\nset tics nomirror\n"
          "set key outside below center vertical maxrows 1 samplen 2\n"
          "set offsets graph 0.06, graph 0.06, graph 0.06, graph 0.06\n",
          pipe.script);
    for (int k = first; k < SECTIONS; k++) {
        draw_section(picture, k, pipe.script);
    }
    fputs("unset multiplot\n", pipe.script);
    gnuplot_close(&pipe, to);
    output_commit(to);
}
