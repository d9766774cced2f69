/*
 * W&K's figures of the error over the number of cells or nodes, on the velocity profile of Fig 5.
 *
 *   Fig 9    distributed, N x N cells               against distributed, 101 x 101 cells
 *   Fig 36   reduced, table from N x N cells        against distributed, 101 x 101 cells
 *   Fig 37   reduced, N_ls nodes per quarter turn   against reduced, 100 nodes
 *
 * The published runs do 500,000 explicit Euler steps and sample every tenth; ours integrate with
 * error control and sample the same 50,000 instants. The profile belongs to the CoP of the
 * reference, the wrench to each model's own CoP, as published.
 *
 * Ours: shapes, each cell with its exact share of the pressure (Fig 9); the smooth table of the
 * exact surface, which needs no cells (Fig 36), over its nodes (Fig 37).
 */
#include "wk_rmse.h"

#include <math.h>
#include <string.h>

#include "memory.h"
#include "plot.h"
#include "reference.h"
#include "wk.h"

enum { SAMPLES = 50000, FINEST = 101, MAX_NODES = 100 };

// The published values are accurate to 2 %: they include the error of the Euler steps.
static const double SAME = 0.02;

static const wk_shape shapes[] = {WK_SQUARE, WK_CIRCLE, WK_LINE_GRADIENT};

enum { SHAPES = sizeof shapes / sizeof *shapes };

static const char* const columns[] = {"shape", "p", "n", "rmse_f", "rmse_tau", NULL};

// Integration errors far below those of the models, which are 2e-4 for cells and 2e-6 for tables.
static const wk_samples loosely = {0, 1e-4, SAMPLES, 1e-6};
static const wk_samples tightly = {0, 1e-4, SAMPLES, 1e-9};

// The profile at the CoP of a grid, from that of the finest one.
static br_motion move_profile(const br_patch* patch, wk_shape shape)
{
    const br_vec2 finest = br_patch_eval(wk_grid(shape, FINEST, 0), 1).cop;
    return wk_motion(br_vec2_sub(br_patch_eval(patch, 1).cop, finest), 0);
}

static wk_motion_row* run_distributed(const br_patch* patch, int p, size_t cells, br_motion motion)
{
    motion.contact = wk_distributed(patch, wk_law(p, true), cells);
    return wk_run_motion(motion, loosely);
}

static wk_motion_row* run_reduced(const br_patch* patch, int p, br_limit_method method,
                                  size_t nodes, br_motion motion)
{
    motion.contact = wk_reduced(patch, wk_law(p, true), method, nodes);
    return wk_run_motion(motion, tightly);
}

// Run of a figure: n cells or nodes; 0 is the reference.
static wk_motion_row* run_published(int figure, wk_shape shape, int p, size_t n)
{
    if (figure == 37) {
        const br_motion at_cop = wk_motion((br_vec2){0, 0}, 0);
        return run_reduced(wk_grid(shape, WK_CELLS, 0), p, BR_LIMIT_PUBLISHED,
                           n > 0 ? n : MAX_NODES, at_cop);
    }
    const br_patch* patch = wk_grid(shape, n > 0 ? n : FINEST, 0);
    const br_motion motion = move_profile(patch, shape);
    return figure == 36 && n > 0 ? run_reduced(patch, p, BR_LIMIT_PUBLISHED, WK_NODES, motion)
                                 : run_distributed(patch, p, WK_CELLS, motion);
}

static wk_motion_row* run_ours(int figure, wk_shape shape, int p, size_t n)
{
    const br_patch* patch = wk_exact_patch(shape);
    const br_motion motion = wk_motion((br_vec2){0, 0}, 0);
    if (figure == 37) {
        return run_reduced(patch, p, BR_LIMIT_SMOOTH, n > 0 ? n : MAX_NODES, motion);
    }
    return figure == 36 && n > 0 ? run_reduced(patch, p, BR_LIMIT_SMOOTH, WK_NODES, motion)
                                 : run_distributed(patch, p, n > 0 ? n : FINEST, motion);
}

static wk_motion_row* run_figure(const study* s, int figure, wk_shape shape, int p, size_t n)
{
    return s->as_published ? run_published(figure, shape, p, n) : run_ours(figure, shape, p, n);
}

// Root mean square differences of force and torque, over the largest of the base.
static void normalised_errors(const wk_motion_row* rows, const wk_motion_row* base, double* f,
                              double* tau)
{
    double sum_f = 0, sum_tau = 0, max_f = 0, max_tau = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        const br_wrench a = rows[i].f, b = base[i].f;
        const double dx = a.fx - b.fx, dy = a.fy - b.fy, dtau = a.tau - b.tau;
        sum_f += dx * dx + dy * dy;
        sum_tau += dtau * dtau;
        max_f = fmax(max_f, hypot(b.fx, b.fy));
        max_tau = fmax(max_tau, fabs(b.tau));
    }
    *f = sqrt(sum_f / SAMPLES) / max_f;
    *tau = sqrt(sum_tau / SAMPLES) / max_tau;
}

// Largest relative difference from the published values of a curve, and both errors at the 21 of Table III.
typedef struct worst {
    double f, tau;
    double theirs[2], ours[2]; // of f, of tau [-]
} worst;

// One curve: all n in the published table for a shape and a parameter set.
static worst compute_curve(study* s, int figure, size_t shape, int p, const reference* published)
{
    const wk_motion_row* base = run_figure(s, figure, shapes[shape], p, 0);
    worst w = {0};
    for (size_t i = 0; i < published->rows; i++) {
        if (reference_number(published, i, "figure") != figure ||
            reference_number(published, i, "p") != p ||
            strcmp(reference_text(published, i, "shape"), wk_shape_name(shapes[shape])) != 0) {
            continue;
        }
        const double n = reference_number(published, i, "N_or_Nls");
        double row[] = {(double)shape, p, n, 0, 0};
        wk_motion_row* rows = run_figure(s, figure, shapes[shape], p, (size_t)n);
        normalised_errors(rows, base, &row[3], &row[4]);
        memory_release(rows);
        table_append(&s->rows, row);
        const double theirs[] = {reference_number(published, i, "rmse_ft_norm"),
                                 reference_number(published, i, "rmse_tau_norm")};
        w.f = study_larger(w.f, fabs(row[3] / theirs[0] - 1));
        w.tau = study_larger(w.tau, fabs(row[4] / theirs[1] - 1));
        for (int q = 0; n == WK_CELLS && q < 2; q++) {
            w.theirs[q] = theirs[q];
            w.ours[q] = row[3 + q];
        }
    }
    return w;
}

static void write_panel(int column, const char* label, FILE* to)
{
    static const char* const names_of[SHAPES] = {"square", "circle", "gradient line"};
    fprintf(to, "set ylabel %s\nplot", plot_quote(label));
    for (int curve = 0; curve < 2 * SHAPES; curve++) {
        const int shape = curve / 2, p = curve % 2;
        fprintf(to,
                "%s $data using 3:($1 == %d && $2 == %d ? $%d : NaN) with linespoints linetype %d "
                "pointtype %d title '%s, p = %d'",
                curve ? "," : "", shape, p, column, shape + 1, p ? 7 : 6, names_of[shape], p);
    }
    fputc('\n', to);
}

static void write_script(const study* s, const void* data, FILE* to)
{
    study_write_block("data", &s->rows, to);
    fprintf(to,
            "set multiplot layout 2,1 title %s margins 0.13,0.97,0.09,0.93 spacing 0,0.03\n"
            "set logscale y\nset format y '%%.0e'\nset autoscale y\nset offsets 0, 0, 0, 0\n"
            "set key bottom left maxrows 3\nset format x ''\n",
            plot_quote(s->item->title));
    write_panel(4, "RMSE of f / largest f [-]", to);
    fprintf(to, "set format x '%%g'\nset xlabel '%s'\nunset key\n", (const char*)data);
    write_panel(5, "RMSE of tau / largest tau [-]", to);
    fputs("unset multiplot\n", to);
}

// Why ours differs from the published curves.
static const char* reason_of(int figure)
{
    return figure == 9
               ? "each of our cells carries its exact share of the shape's pressure; the "
                 "published circle is a mask of whole cells that changes with N, the line's "
                 "CoP moves with N"
           : figure == 36
               ? "our table is that of the exact surface, which needs no cells: it is the same for all "
                 "N, and what is left is the error of the reduced model"
               : "our table is smooth between its nodes, and of the exact surface";
}

static void judge_curve(study* s, int figure, const char* curve, const worst* w)
{
    static const char* const quantities[] = {"force", "torque"};
    const char* why = s->as_published ? NULL : reason_of(figure);
    for (int q = 0; q < 2; q++) {
        study_judge_difference(
            s, memory_format("largest relative difference, %s, %s", quantities[q], curve), WK_CODE,
            q == 0 ? w->f : w->tau, SAME, why);
        study_judge(
            s,
            memory_format("RMSE at %d of %s, %s [of the largest]", WK_CELLS, quantities[q], curve),
            WK_CODE, w->theirs[q], w->ours[q], SAME * w->theirs[q], why);
    }
}

static void make(study* s, int figure, const char* x_label)
{
    const reference published = reference_read("wk/rmse_fig9_36_37");
    study_table(s, columns);
    for (size_t shape = 0; shape < SHAPES; shape++) {
        for (int p = 0; p < 2; p++) {
            const worst w = compute_curve(s, figure, shape, p, &published);
            judge_curve(s, figure, memory_format("%s, p = %d", wk_shape_name(shapes[shape]), p),
                        &w);
        }
    }
    study_write_table(s);
    study_draw(s, 800, 800, write_script, x_label);
}

void wk_fig9(study* s)
{
    make(s, 9, "N, cells across [-]");
}

void wk_fig36(study* s)
{
    make(s, 36, "N, cells across for the table [-]");
}

void wk_fig37(study* s)
{
    make(s, 37, "N_ls, nodes per quarter turn [-]");
}
