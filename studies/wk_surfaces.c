/*
 * W&K's figures of surfaces at rest.
 *
 *   Fig 8    contact pressures cut into 21 x 21 cells
 *   Fig 14   limit curves of several surfaces and the ellipsoid
 *   Fig 15   the limit surface of the gradient line
 *   Fig 33   surfaces that grow with the normal force
 */
#include "wk_surfaces.h"

#include <math.h>

#include "memory.h"
#include "message.h"
#include "plot.h"
#include "reference.h"
#include "surface.h"
#include "wk.h"

static const double PI = 3.14159265358979323846;

// --- Fig 8 -----------------------------------------------------------------------------------------

enum { SHAPES = 6 };

// Largest difference of the cells from the published ones.
static double compare_cells(wk_shape shape, const br_patch* patch)
{
    const reference published =
        reference_read(memory_format("wk/surface_%s", wk_shape_name(shape)));
    const br_patch_def* def = br_patch_get_def(patch);
    double sum = 0, largest = 0;
    for (size_t i = 0; i < def->rows * def->columns; i++) {
        sum += def->cells[i];
    }
    for (size_t i = 0; i < published.rows; i++) {
        const size_t ix = (size_t)reference_number(&published, i, "ix");
        const size_t iy = (size_t)reference_number(&published, i, "iy");
        const double ours = def->cells[iy * def->columns + ix] / sum;
        largest = study_larger(largest, fabs(ours - reference_number(&published, i, "fn_cell")));
    }
    return largest;
}

static void write_cells(const study* s, const void* data, FILE* to)
{
    static const char* const titles[SHAPES] = {"square",        "circle",       "line",
                                               "gradient line", "non-convex 1", "non-convex 2"};
    (void)data;
    fputs("$data << EOD\n", to); // a set for each shape
    for (size_t i = 0; i < s->rows.rows; i++) {
        const double* row = table_row(&s->rows, i);
        fprintf(to, "%s%.9g %.9g %.9g\n", i > 0 && row[0] > row[-4] ? "\n\n" : "", row[1], row[2],
                row[3]);
    }
    fprintf(to,
            "EOD\nset multiplot layout 2,3 title %s\nset size square\nunset grid\n"
            "set palette gray negative\nset offsets 0, 0, 0, 0\n"
            "set xrange [-10:10]\nset yrange [-10:10]\nset cbrange [0:1]\nunset colorbox\n"
            "set xlabel 'x [mm]'\nset ylabel 'y [mm]'\nset border 15\nunset key\n",
            plot_quote(s->item->title));
    for (int shape = 0; shape < SHAPES; shape++) {
        fprintf(to, "set title '%s'\nplot $data index %d using (1000*$1):(1000*$2):3 with image\n",
                titles[shape], shape);
    }
    fputs("unset multiplot\n", to);
}

void wk_fig8(study* s)
{
    static const char* const columns[] = {"shape", "x", "y", "pressure", NULL};
    study_table(s, columns);
    for (int shape = 0; shape < SHAPES; shape++) {
        const br_patch* patch = wk_grid((wk_shape)shape, WK_CELLS, 0);
        const br_patch_def* def = br_patch_get_def(patch);
        const double edge = def->size_x / WK_CELLS;
        for (size_t i = 0; i < WK_CELLS * WK_CELLS; i++) {
            const double x = ((double)(i % WK_CELLS) + 0.5 - WK_CELLS / 2.0) * edge;
            const double y = -((double)(i / WK_CELLS) + 0.5 - WK_CELLS / 2.0) * edge;
            table_append(&s->rows, (const double[]){shape, x, y, def->cells[i]});
        }
        study_judge_difference(s,
                               memory_format("largest difference of a cell's share, %s [-]",
                                             wk_shape_name((wk_shape)shape)),
                               WK_CODE, compare_cells((wk_shape)shape, patch), 1e-15, NULL);
    }
    study_write_table(s);
    study_draw(s, 900, 640, write_cells, NULL);
}

// --- Fig 14 ----------------------------------------------------------------------------------------

enum { CURVES = 6, POINTS = 181 };

// A curve: a surface and the direction in which it slides.
typedef struct curve {
    const char* title;
    wk_shape shape;
    double direction; // [quarter turns]
    bool is_ellipsoid;
    const char* style; // line style besides its line type
} curve;

static const curve curves[CURVES] = {
    {"circle", WK_CIRCLE, 0, false, ""},
    {"square", WK_SQUARE, 0, false, ""},
    {"line, v along x", WK_LINE, 0, false, ""},
    {"line, v along y", WK_LINE, 1, false, ""},
    {"non-convex 1", WK_NON_CONVEX_1, 0, false, "linecolor rgb '#000000' dashtype 5"},
    {"ellipsoid of the circle", WK_CIRCLE, 0, true,
     "linewidth 4 linecolor rgb '#c0c0c0' dashtype 1"},
};

static br_limit* create_surface(const curve* c, bool as_published)
{
    if (c->is_ellipsoid) {
        return surface_create(wk_exact_patch(c->shape), 1, BR_LIMIT_ELLIPSOID, WK_NODES, WK_CELLS);
    }
    return as_published
               ? surface_create(wk_grid(c->shape, 101, 0), 1, BR_LIMIT_GRID, 90, 101)
               : surface_create(wk_exact_patch(c->shape), 1, BR_LIMIT_EXACT, WK_NODES, WK_CELLS);
}

// Point of a curve: slide and spin in the ratio tan(phi), both in units of the rim.
static void limit_point(const br_limit* surface, const curve* c, double phi, double* f, double* tau)
{
    const double r = br_limit_get_patch_value(surface).r, slide = r * sin(phi);
    const double angle = c->direction * PI / 2;
    const br_wrench w =
        br_limit_eval(surface, (br_twist){slide * cos(angle), slide * sin(angle), cos(phi)}).wrench;
    *f = hypot(w.fx, w.fy);
    *tau = fabs(w.tau) / r;
}

static void write_curves(const study* s, const void* data, FILE* to)
{
    (void)data;
    study_write_block("data", &s->rows, to);
    fprintf(to,
            "set title %s\nset size square\nset xlabel 'f / (mu f_N) [-]'\n"
            "set ylabel 'tau / (mu f_N r) [-]'\nset xrange [0:1.05]\nset yrange [0:1.05]\n"
            "set offsets 0, 0, 0, 0\nset key bottom left vertical\nplot",
            plot_quote(s->item->title));
    for (int k = 0; k < CURVES; k++) {
        const int i = (k + CURVES - 1) % CURVES; // the last one, broad, is below the others
        fprintf(to,
                "%s $data using ($1 == %d ? $3 : NaN):4 with lines linetype %d %s title '%s', "
                "'' using ($1 == %d && int($2 * 180 / pi + 0.5) %% 15 == 0 ? $3 : NaN):4 "
                "with points pointtype %d linecolor rgb '#404040' notitle",
                k ? "," : "", i, i % 4 + 1, curves[i].style, curves[i].title, i, 4 + i);
    }
    fputc('\n', to);
}

// A point of a limit curve in closed form: f and tau over mu f_N and mu f_N r.
static bool closed_point(const curve* c, double phi, double* f, double* tau)
{
    if (c->is_ellipsoid) {
        *f = sin(phi), *tau = cos(phi);
        return true;
    }
    if (c->shape != WK_LINE || c->direction > 0) {
        return false;
    }
    // the CoR is on the line, d = r tan(phi) from its middle, r = L/4: f = 2 d/L, tau = 1 - (2 d/L)^2
    const double share = fmin(0.5 * tan(phi), 1);
    *f = share, *tau = 1 - share * share; // beyond its end all cells push in the same direction
    return true;
}

// Largest distance of a curve from the closed form, or < 0.
static double compare_closed(const br_limit* surface, const curve* c)
{
    double largest = -1;
    for (int i = 0; i < POINTS; i++) {
        const double phi = PI / 2 * i / (POINTS - 1);
        double f, tau, f_closed, tau_closed;
        if (!closed_point(c, phi, &f_closed, &tau_closed)) {
            return -1;
        }
        limit_point(surface, c, phi, &f, &tau);
        largest = study_larger(largest, hypot(f - f_closed, tau - tau_closed));
    }
    return largest;
}

// Largest distance between two surfaces' curves.
static double compare_curves(const br_limit* a, const br_limit* b, const curve* c)
{
    double largest = 0;
    for (int i = 0; i < POINTS; i++) {
        double f[2], tau[2];
        limit_point(a, c, PI / 2 * i / (POINTS - 1), &f[0], &tau[0]);
        limit_point(b, c, PI / 2 * i / (POINTS - 1), &f[1], &tau[1]);
        largest = study_larger(largest, hypot(f[0] - f[1], tau[0] - tau[1]));
    }
    return largest;
}

static void judge_curve(study* s, const curve* c, const br_limit* shown, const br_limit* exact)
{
    // on a line of 101 cells the force jumps by 2/101 where the CoR passes one, and more where two
    // nodes of the table are on both sides of the jump
    const double cells = 0.03, closed = compare_closed(shown, c);
    if (closed >= 0) {
        study_judge_difference(s, memory_format("%s [of mu f_N]", c->title),
                               source_closed(c->is_ellipsoid ? "(22)" : "the line's integral"),
                               closed, s->as_published ? cells : 1e-12, NULL);
    }
    if (s->as_published) {
        study_judge_difference(s, memory_format("%s, 101 x 101 cells [of mu f_N]", c->title),
                               source_ours("the exact surface"), compare_curves(shown, exact, c),
                               cells, NULL);
    } else {
        study_judge_difference(s, memory_format("%s, exact [of mu f_N]", c->title),
                               source_ours("101 x 101 cells, as the caption has it"),
                               compare_curves(shown, create_surface(c, true), c), cells, NULL);
    }
}

void wk_fig14(study* s)
{
    static const char* const columns[] = {"curve", "phi", "f", "tau", NULL};
    study_table(s, columns);
    study_note(s,
               "Markers are at every 15 degrees of phi = atan(|v_t| / (r |w|)): the position of a "
               "velocity on its curve differs more between surfaces than the curves do. The "
               "paper prints no numbers of these curves: judged are closed forms, where there are "
               "any, and the caption's cells against the exact surface.");
    for (int c = 0; c < CURVES; c++) {
        const br_limit* exact = create_surface(&curves[c], false);
        const br_limit* shown = s->as_published ? create_surface(&curves[c], true) : exact;
        for (int i = 0; i < POINTS; i++) {
            const double phi = PI / 2 * i / (POINTS - 1);
            double f, tau;
            limit_point(shown, &curves[c], phi, &f, &tau);
            table_append(&s->rows, (const double[]){c, phi, f, tau});
        }
        judge_curve(s, &curves[c], shown, exact);
    }
    study_write_table(s);
    study_draw(s, 760, 760, write_curves, NULL);
}

// --- Fig 15 ----------------------------------------------------------------------------------------

static br_twist node_twist(double theta, double phi, double r)
{
    return (br_twist){r * cos(theta) * sin(phi), r * sin(theta) * sin(phi), cos(phi)};
}

static void write_surface(const study* s, const void* data, FILE* to)
{
    (void)data;
    const size_t width = 4 * WK_NODES + 1;
    fputs("$data << EOD\n", to);
    for (size_t i = 0; i < s->rows.rows; i++) {
        const double* row = table_row(&s->rows, i);
        fprintf(to, "%.9g %.9g %.9g\n%s", row[2], row[3], row[4], (i + 1) % width ? "" : "\n");
    }
    fprintf(
        to,
        "EOD\nset title %s\nset view 65, 55\nset view equal xyz\nset xyplane relative 0\n"
        "set border 4095\nset ticslevel 0\nset xlabel 'h_x [-]'\nset ylabel 'h_y [-]'\n"
        "set zlabel 'h_tau [-]' rotate\nset palette gray\nunset colorbox\nunset key\n"
        "set xtics -0.5, 0.5, 0.5\nset ytics -0.5, 0.5, 0.5\nset ztics 0.5\nset offsets 0, 0, 0, 0\n"
        "set xrange [-1.05:1.05]\nset yrange [-1.05:1.05]\nset zrange [-1.05:1.05]\n"
        "set pm3d depthorder border linecolor rgb '#505050' linewidth 0.5\n"
        "splot $data using 1:2:3:3 with pm3d, $data using (-$1):(-$2):(-$3):(-$3) with pm3d\n",
        plot_quote(s->item->title));
}

void wk_fig15(study* s)
{
    static const char* const columns[] = {"theta", "phi", "h_x", "h_y", "h_tau", NULL};
    const br_patch* cells = wk_grid(WK_LINE_GRADIENT, WK_CELLS, 0);
    const br_limit* published = surface_create(cells, 1, BR_LIMIT_PUBLISHED, WK_NODES, WK_CELLS);
    const br_limit* ours =
        surface_create(wk_exact_patch(WK_LINE_GRADIENT), 1, BR_LIMIT_EXACT, WK_NODES, WK_CELLS);
    const br_limit* shown = s->as_published ? published : ours;
    const double r = br_limit_get_patch_value(shown).r, step = PI / (2 * WK_NODES);
    study_table(s, columns);
    for (int b = 0; b <= WK_NODES; b++) {
        for (int a = 0; a <= 4 * WK_NODES; a++) {
            const double theta = a * step, phi = b * step;
            const br_wrench h = br_limit_eval(shown, node_twist(theta, phi, r)).wrench;
            table_append(&s->rows, (const double[]){theta, phi, h.fx, h.fy, h.tau / r});
        }
    }
    const reference nodes = reference_read("wk/ls_LineGrad");
    double largest = 0;
    for (size_t i = 0; i < nodes.rows; i++) {
        const br_wrench h =
            br_limit_eval(shown, node_twist(reference_number(&nodes, i, "itheta") * step,
                                            reference_number(&nodes, i, "iphi") * step, r))
                .wrench;
        largest = study_larger(largest, fabs(h.fx - reference_number(&nodes, i, "hx")));
        largest = study_larger(largest, fabs(h.fy - reference_number(&nodes, i, "hy")));
        largest = study_larger(largest, fabs(h.tau / r - reference_number(&nodes, i, "htau")));
    }
    study_judge_difference(s, "largest difference at a node of the table [-]", WK_CODE, largest,
                           s->as_published ? 1e-9 : 0.01,
                           s->as_published
                               ? NULL
                               : "the published line is 21 cells with a last one of 1/21 "
                                 "of the largest pressure, whose force changes in steps");
    study_write_table(s);
    study_draw(s, 800, 720, write_surface, NULL);
}

// --- Fig 33 ----------------------------------------------------------------------------------------

enum { FORCES = 4, GROWING = 2 };

static const double forces[FORCES] = {1, 1.5, 2, 2.5}; // of the paper [N]

// Cells of a growing surface at a normal force [Pa], row by row from the top.
typedef double pressures[WK_CELLS * WK_CELLS];

static void spread_pressure(const br_patch* patch, double fn, pressures out)
{
    const double cell = br_patch_get_def(patch)->radius.max * 2 / WK_CELLS;
    br_cells* cells = NULL;
    br_reason why = {"", ""};
    if (br_cells_create(patch, fn, WK_CELLS, &cells, &why) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s: %s", why.field, why.text);
    }
    for (size_t i = 0; i < WK_CELLS * WK_CELLS; i++) {
        out[i] = 0;
    }
    for (size_t i = 0; i < cells->count; i++) {
        const long ix = lround(cells->x[i] / cell) + WK_CELLS / 2;
        const long iy = lround(-cells->y[i] / cell) + WK_CELLS / 2;
        if (cells->weight[i] > 0) {
            out[iy * WK_CELLS + ix] = cells->weight[i] * fn / (cell * cell);
        }
    }
    br_cells_destroy(cells);
}

// (43), (44) at the centres of the cells, normalised to a sum of 1: each cell's share of the force.
static void closed_shares(wk_shape shape, double fn, pressures out)
{
    const double a = fmin(6 * cbrt(fn), WK_CELLS / 2.0), k = shape == WK_GROWING_K2FN ? 2 * fn : 2;
    double sum = 0;
    for (int i = 0; i < WK_CELLS * WK_CELLS; i++) {
        const double rho = hypot(i % WK_CELLS - WK_CELLS / 2, i / WK_CELLS - WK_CELLS / 2);
        out[i] = rho <= a ? pow(1 - pow(rho / a, k), 1 / k) : 0;
        sum += out[i];
    }
    for (int i = 0; i < WK_CELLS * WK_CELLS; i++) {
        out[i] /= sum;
    }
}

// Largest difference of a cell's share of the force from that of (44).
static double compare_closed_pressures(const pressures ours, wk_shape shape, double fn)
{
    const double area = pow(0.02 / WK_CELLS, 2);
    pressures closed;
    closed_shares(shape, fn, closed);
    double largest = 0;
    for (int i = 0; i < WK_CELLS * WK_CELLS; i++) {
        largest = study_larger(largest, fabs(ours[i] * area / fn - closed[i]));
    }
    return largest;
}

// The same compared with the published one.
static double compare_pressures(const pressures ours, const char* name, double fn)
{
    const reference published = reference_read(memory_format("wk/surface_%s_fN%g", name, fn));
    const double area = pow(0.02 / WK_CELLS, 2);
    double largest = 0;
    for (size_t i = 0; i < published.rows; i++) {
        const size_t ix = (size_t)reference_number(&published, i, "ix");
        const size_t iy = (size_t)reference_number(&published, i, "iy");
        const double theirs = reference_number(&published, i, "fn_cell") / fn;
        largest = study_larger(largest, fabs(ours[iy * WK_CELLS + ix] * area / fn - theirs));
    }
    return largest;
}

// As published to rounding; ours to a hundredth of the largest share.
static void judge_pressures(study* s, wk_shape shape, double fn, const pressures shown)
{
    const char* name = wk_shape_name(shape);
    const bool is_stored = reference_exists(memory_format("wk/surface_%s_fN%g", name, fn));
    pressures closed;
    closed_shares(shape, fn, closed);
    const double largest = closed[WK_CELLS * WK_CELLS / 2];
    study_judge_difference(
        s,
        memory_format("largest difference of a cell's share, k = 2%s, f_N = %g N [-]",
                      shape == WK_GROWING_K2FN ? " f_N" : "", fn),
        is_stored ? WK_CODE : source_closed("(43), (44) at the cells' centres, their sum made 1"),
        is_stored ? compare_pressures(shown, name, fn) : compare_closed_pressures(shown, shape, fn),
        s->as_published ? 1e-15 : 0.01 * largest,
        s->as_published
            ? NULL
            : "the published cells carry the pressure at their centres, ours their exact "
              "share of it");
}

static void write_pressures(const study* s, const void* data, FILE* to)
{
    const double* largest = data; // of each panel [Pa]
    fputs("$data << EOD\n", to);  // a set for each panel
    for (size_t i = 0; i < s->rows.rows; i++) {
        const double* row = table_row(&s->rows, i);
        fprintf(to, "%s%.9g %.9g %.9g\n", i > 0 && i % (WK_CELLS * WK_CELLS) == 0 ? "\n\n" : "",
                row[2], row[3], row[4]);
    }
    fprintf(to,
            "EOD\nset multiplot layout %d,%d title %s\nset size square\nunset grid\n"
            "set palette gray negative\nset offsets 0, 0, 0, 0\n"
            "set xrange [-10:10]\nset yrange [-10:10]\nunset colorbox\n"
            "set xlabel 'x [mm]'\nset ylabel 'y [mm]'\nset border 15\nunset key\n",
            GROWING, FORCES, plot_quote(s->item->title));
    for (int i = 0; i < GROWING * FORCES; i++) {
        fprintf(to,
                "set title \"k = 2%s, f_N = %g N\\nat most %.1f kPa\"\nset cbrange [0:%g]\n"
                "plot $data index %d using (1000*$1):(1000*$2):3 with image\n",
                i < FORCES ? "" : " f_N", forces[i % FORCES], 1e-3 * largest[i], largest[i], i);
    }
    fputs("unset multiplot\n", to);
}

void wk_fig33(study* s)
{
    static const char* const columns[] = {"surface", "fn", "x", "y", "pressure", NULL};
    static const wk_shape growing[GROWING] = {WK_GROWING_K2, WK_GROWING_K2FN};
    double largest[GROWING * FORCES] = {0};
    study_table(s, columns);
    for (int i = 0; i < GROWING * FORCES; i++) {
        const wk_shape shape = growing[i / FORCES];
        const double fn = forces[i % FORCES];
        pressures shown;
        spread_pressure(s->as_published ? wk_grid(shape, WK_CELLS, 0) : wk_exact_patch(shape), fn,
                        shown);
        for (int k = 0; k < WK_CELLS * WK_CELLS; k++) {
            const double x = (k % WK_CELLS - WK_CELLS / 2) * 0.02 / WK_CELLS;
            const double y = -(k / WK_CELLS - WK_CELLS / 2) * 0.02 / WK_CELLS;
            table_append(&s->rows, (const double[]){1 + i / FORCES, fn, x, y, shown[k]});
            largest[i] = fmax(largest[i], shown[k]);
        }
        judge_pressures(s, shape, fn, shown);
    }
    study_write_table(s);
    study_draw(s, 1000, 640, write_pressures, largest);
}
