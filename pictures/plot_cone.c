/*
 * Pictures of cones, and of limit surfaces with their polyhedra: writes the gnuplot scripts.
 */
#include "plot_cone.h"

#include <math.h>
#include <string.h>

#include "gnuplot.h"
#include "memory.h"
#include "plot.h"

enum { WIDTH = 1000, HEIGHT = 560, SQUARE = 800, TURNS = 36, SMOOTH = 180, MOST_EDGES = 64 };

// viewing direction of a limit surface [deg], as in gnuplot: angle from z, and about z
enum { TILT = 64, TURN = 32 };

// the normal is drawn somewhat longer than the cone is high
static const double normal_length = 1.3;

// light for the exact set, dark and thick for the polyhedron: distinct in grey print
static const char exact_line[] = "with lines linecolor rgb '#74a9cf' linewidth 0.8";
static const char flat_line[] = "with lines linecolor rgb '#a63603' linewidth 2.2";

// The range of n.f in which the cone is drawn [N].
static void heights(const br_polyhedron* p, double* low, double* high)
{
    *low = fmax(p->def.f_min, 0);
    *high = isfinite(p->def.f_max) ? p->def.f_max : *low > 0 ? 2 * *low : 1;
}

// A point of the cone at a height, given by an angle and a distance from the normal on n.f = 1.
static void write_point(const br_polyhedron* p, double phi, double height, double rho, FILE* to)
{
    const br_cone* c = &p->def.cone;
    double f[3];
    for (int k = 0; k < 3; k++) {
        f[k] = height * (c->n[k] + rho * (cos(phi) * c->t1[k] + sin(phi) * c->t2[k]));
    }
    fprintf(to, "%.6g %.6g %.6g\n", f[0], f[1], f[2]);
}

// A closed line around the normal with `count` corners.
static void write_ring(const br_polyhedron* p, double height, double rho, double phase,
                       size_t count, FILE* to)
{
    for (size_t i = 0; i <= count; i++) {
        write_point(p, phase + 2 * BR_PI * (double)i / (double)count, height, rho, to);
    }
    fputs("\n\n", to);
}

// Lines from the lower to the upper end.
static void write_edges(const br_polyhedron* p, double low, double high, double rho, double phase,
                        size_t count, FILE* to)
{
    for (size_t i = 0; i < count; i++) {
        const double phi = phase + 2 * BR_PI * (double)i / (double)count;
        write_point(p, phi, low, rho, to);
        write_point(p, phi, high, rho, to);
        fputs("\n\n", to);
    }
}

static void write_cone(const br_polyhedron* p, FILE* to)
{
    double low, high;
    heights(p, &low, &high);
    const double mu = p->def.cone.mu;
    fputs("$cone << EOD\n", to);
    write_edges(p, low, high, mu, 0, TURNS, to);
    for (int i = 0; i <= 4; i++) {
        write_ring(p, low + (high - low) * i / 4, mu, 0, SMOOTH, to);
    }
    fputs("EOD\n$flat << EOD\n", to);
    const size_t shown = p->def.faces <= MOST_EDGES ? p->def.faces : 0; // more lines would merge
    write_edges(p, low, high, p->rho, p->def.phase, shown, to);
    write_ring(p, low, p->rho, p->def.phase, p->def.faces, to);
    write_ring(p, high, p->rho, p->def.phase, p->def.faces, to);
    fputs("EOD\n$normal << EOD\n0 0 0\n", to);
    write_point(p, 0, normal_length * high, 0, to);
    fputs("EOD\n", to);
}

// The section n.f = high, in the tangents' axes.
static void write_section(const br_polyhedron* p, double high, FILE* to)
{
    const double mu = p->def.cone.mu;
    fputs("$circle << EOD\n", to);
    for (size_t i = 0; i <= SMOOTH; i++) {
        const double phi = 2 * BR_PI * (double)i / SMOOTH;
        fprintf(to, "%.6g %.6g\n", high * mu * cos(phi), high * mu * sin(phi));
    }
    fputs("EOD\n$polygon << EOD\n", to);
    for (size_t i = 0; i <= p->def.faces; i++) {
        const double phi = p->def.phase + 2 * BR_PI * (double)i / (double)p->def.faces;
        fprintf(to, "%.6g %.6g\n", high * p->rho * cos(phi), high * p->rho * sin(phi));
    }
    fputs("EOD\n", to);
}

// About a third of `range`, rounded to 1, 2 or 5 times a power of ten: tics that do not crowd.
static double tic_step(double range)
{
    const double rough = range / 3, power = pow(10, floor(log10(rough)));
    const double lead = rough / power;
    return power * (lead < 1.5 ? 1 : lead < 3 ? 2 : lead < 7 ? 5 : 10);
}

// Write ranges of equal length around cone and normal, so that every cone fits. Returns the length.
static double write_ranges(const br_polyhedron* p, double high, FILE* to)
{
    double middle[3], half = 0;
    for (int k = 0; k < 3; k++) {
        const double n = p->def.cone.n[k], across = p->rho * sqrt(fmax(0, 1 - n * n));
        const double min = fmin(0, fmin(high * (n - across), normal_length * high * n));
        const double max = fmax(0, fmax(high * (n + across), normal_length * high * n));
        middle[k] = 0.5 * (min + max);
        half = fmax(half, 0.51 * (max - min));
    }
    for (int k = 0; k < 3; k++) {
        fprintf(to, "set %crange [%.6g:%.6g]\n", "xyz"[k], middle[k] - half, middle[k] + half);
    }
    return 2 * half;
}

static void write_space(const br_polyhedron* p, double high, FILE* to)
{
    fputs("set origin 0.0, -0.02\nset size 0.57, 0.97\nset key off\n"
          "set view equal xyz\nset view 66, 40, 1.06\nset xyplane relative 0\n"
          "set border 31 linecolor rgb '#a0a0a0'\n"
          "set xlabel 'fx [N]'\nset ylabel 'fy [N]'\nset zlabel 'fz [N]' rotate by 90\n",
          to);
    const double step = tic_step(write_ranges(p, high, to));
    fprintf(to, "set xtics %g offset 0,-0.3\nset ytics %g offset 0.5,-0.3\nset ztics %g\n", step,
            step, step);
    fprintf(to, "set label 1 'n' at %.6g, %.6g, %.6g offset 0.7,0\n",
            normal_length * high * p->def.cone.n[0], normal_length * high * p->def.cone.n[1],
            normal_length * high * p->def.cone.n[2]);
    fprintf(to, "splot $cone %s, $flat %s, $normal with lines linecolor rgb '#404040' dashtype 2\n",
            exact_line, flat_line);
}

static void write_flat_section(double high, const char* side, FILE* to)
{
    fputs(
        "set origin 0.57, 0.0\nset size 0.42, 0.93\nset size ratio -1\n"
        "set border 3 linecolor rgb '#808080'\nset tics nomirror\n"
        "set key outside below center vertical maxrows 1 samplen 2\n"
        "set offsets graph 0.06, graph 0.06, graph 0.06, graph 0.06\n"
        "unset label\nunset zlabel\nset autoscale\nset xtics autofreq offset 0,0\nset ytics autofreq offset 0,0\n"
        "set xlabel 't1.f [N]' offset 0,0\nset ylabel 't2.f [N]' offset 0,0\n",
        to);
    fprintf(to, "set title 'section n.f = %.4g N'\n", high);
    fprintf(to,
            "plot $circle with lines linecolor rgb '#74a9cf' linewidth 2 title 'cone', "
            "$polygon %s title '%s polyhedron'\n",
            flat_line, side);
}

void plot_cone_draw(const br_polyhedron* polyhedron, output* to)
{
    double low, high;
    heights(polyhedron, &low, &high);
    const br_polyhedron_error error = br_polyhedron_get_error(polyhedron);
    const char* side = polyhedron->def.side == BR_POLYHEDRON_INNER ? "inner" : "outer";
    gnuplot pipe = gnuplot_open();
    plot_write_terminal(to->name, WIDTH, HEIGHT, pipe.script);
    write_cone(polyhedron, pipe.script);
    write_section(polyhedron, high, pipe.script);
    fprintf(pipe.script,
            "set multiplot title \"friction cone, mu = %.4g, and its %s polyhedron with %zu "
            "faces\\narea off by %.3g %%, angle by %.3g mrad\"\n",
            polyhedron->def.cone.mu, side, polyhedron->def.faces, 100 * error.area,
            1e3 * error.angle);
    write_space(polyhedron, high, pipe.script);
    write_flat_section(high, side, pipe.script);
    fputs("unset multiplot\n", pipe.script);
    gnuplot_close(&pipe, to);
    output_commit(to);
}

// The exact surface as a grid of meridians and parallels.
static void write_net(const plot_wrench* picture, FILE* to)
{
    enum { HALF = 18 };
    const double r = br_limit_get_patch_value(picture->surface).r, s = picture->scale;
    fputs("$net << EOD\n", to);
    for (int i = 0; i <= TURNS; i++) {
        for (int j = 0; j <= HALF; j++) {
            const double theta = 2 * BR_PI * i / TURNS, phi = BR_PI * j / HALF;
            const double slide = j == 0 || j == HALF ? 0 : r * sin(phi);
            const br_twist v = {slide * cos(theta), slide * sin(theta), cos(phi)};
            const br_wrench f = br_limit_eval(picture->surface, v).wrench;
            fprintf(to, "%.6g %.6g %.6g\n", -s * f.fx, -s * f.fy, -1e3 * s * f.tau);
        }
        fputc('\n', to);
    }
    fputs("EOD\n", to);
}

static bool is_on(const double* face, const double* vertex)
{
    const double beyond = face[0] * vertex[0] + face[1] * vertex[1] + face[2] * vertex[2] - face[3];
    return fabs(beyond) <= 1e-9;
}

// Does a face point towards the viewer?
static bool is_seen(const double* face, double r)
{
    const double tilt = TILT * BR_PI / 180, turn = TURN * BR_PI / 180;
    return sin(tilt) * (sin(turn) * face[0] - cos(turn) * face[1]) + cos(tilt) * r * face[2] > 0;
}

// Two vertices share an edge if two faces contain both. Hidden edges are left out.
static bool share_seen_edge(const plot_wrench* picture, const double* a, const double* b)
{
    const double* h = br_limit_polyhedron_get_h(picture->polyhedra, picture->side);
    const double r = br_limit_get_patch_value(picture->surface).r;
    size_t common = 0, seen = 0;
    for (size_t i = 0; i < br_limit_polyhedron_get_h_count(picture->polyhedra, picture->side);
         i++) {
        if (is_on(h + 4 * i, a) && is_on(h + 4 * i, b)) {
            common++;
            seen += is_seen(h + 4 * i, r);
        }
    }
    return common >= 2 && seen >= 1;
}

static void write_vertex(const double* v, double scale, FILE* to)
{
    fprintf(to, "%.6g %.6g %.6g\n", scale * v[0], scale * v[1], 1e3 * scale * v[2]);
}

static void write_polyhedron(const plot_wrench* picture, FILE* to)
{
    const double* v = br_limit_polyhedron_get_v(picture->polyhedra, picture->side);
    const size_t count = br_limit_polyhedron_get_v_count(picture->polyhedra, picture->side);
    fputs("$flat << EOD\n", to);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (share_seen_edge(picture, v + 3 * i, v + 3 * j)) {
                write_vertex(v + 3 * i, picture->scale, to);
                write_vertex(v + 3 * j, picture->scale, to);
                fputs("\n\n", to);
            }
        }
    }
    fputs("EOD\n", to);
}

void plot_wrench_draw(const plot_wrench* picture, output* to)
{
    const double error = br_limit_polyhedron_get_error(picture->polyhedra, picture->side);
    const char* side = picture->side == BR_POLYHEDRON_INNER ? "inner" : "outer";
    gnuplot pipe = gnuplot_open();
    FILE* script = pipe.script;
    plot_write_terminal(to->name, SQUARE, SQUARE - 100, script);
    write_net(picture, script);
    write_polyhedron(picture, script);
    fprintf(
        script, "set title %s\n",
        plot_quote(memory_format("%s: wrenches with mu fn = %.4g N; %s polyhedron off by %.3g %%",
                                 picture->name, picture->scale, side, 100 * error)));
    fprintf(script, "set view %d, %d, 0.95, 1.2\n", TILT, TURN);
    fputs("set xyplane relative 0.02\n"
          "set border 31 linecolor rgb '#a0a0a0'\n"
          "set key at screen 0.97, 0.92 right samplen 3\n"
          "set xlabel 'fx [N]' offset 0,-0.5\nset ylabel 'fy [N]' offset 0.5,-0.5\n"
          "set zlabel 'tau [N mm]' rotate by 90 offset -1,0\n",
          script);
    fprintf(script, "splot $net %s title 'limit surface', $flat %s title '%s polyhedron'\n",
            exact_line, flat_line, side);
    gnuplot_close(&pipe, to);
    output_commit(to);
}
