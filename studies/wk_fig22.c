/*
 * W&K Fig 22: errors of the reduced model with the limit surface and with the ellipsoid, against
 * the distributed model, on the velocity profile of Fig 5. Quartiles and whiskers of a box plot.
 */
#include "wk_fig22.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "plot.h"
#include "reference.h"
#include "wk.h"
#include "wk_ellipsoid.h"

enum { SAMPLES = 500, SHAPES = 6, MODELS = 2, QUANTITIES = 2, NUMBERS = 5 };

static const double HOLD = 0.01;  // [s]
static const double SAME = 0.02;  // of each quartile
static const double NOISE = 1e-8; // smaller quartiles are integration error [N], [N m/10]

static const wk_shape shapes[SHAPES] = {WK_SQUARE,        WK_CIRCLE,       WK_LINE,
                                        WK_LINE_GRADIENT, WK_NON_CONVEX_1, WK_NON_CONVEX_2};

static const char* const columns[] = {"shape",  "model", "quantity", "low", "q1",
                                      "median", "q3",    "high",     NULL};

static const char* const number_names[NUMBERS] = {"q1_minus_1p5iqr_whisker", "q1", "median", "q3",
                                                  "q3_plus_1p5iqr_whisker"};

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

// Percentile of sorted values, linear between them.
static double percentile(const double* sorted, double fraction)
{
    const double position = fraction * (SAMPLES - 1);
    const size_t below = (size_t)position, above = below + 1 < SAMPLES ? below + 1 : below;
    return sorted[below] + (position - (double)below) * (sorted[above] - sorted[below]);
}

// Whisker, quartiles, whisker. Whiskers end at the last value within 1.5 box heights.
static void summarise(double* values, double box[NUMBERS])
{
    qsort(values, SAMPLES, sizeof *values, compare);
    const double q1 = percentile(values, 0.25), q3 = percentile(values, 0.75);
    const double reach = 1.5 * (q3 - q1);
    size_t first = 0, last = SAMPLES - 1;
    while (values[first] < q1 - reach) {
        first++;
    }
    while (values[last] > q3 + reach) {
        last--;
    }
    box[0] = values[first];
    box[1] = q1;
    box[2] = percentile(values, 0.5);
    box[3] = q3;
    box[4] = values[last];
}

static double error_of(br_wrench model, br_wrench truth, size_t quantity)
{
    return quantity == 0 ? hypot(model.fx - truth.fx, model.fy - truth.fy)
                         : fabs(model.tau - truth.tau);
}

static const br_patch* patch_of(wk_shape shape, bool as_published)
{
    return as_published ? wk_grid(shape, WK_CELLS, 0) : wk_exact_patch(shape);
}

static br_wrench* run(br_motion motion)
{
    br_wrench* out = memory_allocate(SAMPLES, sizeof *out);
    wk_motion_row* rows = wk_run_motion(motion, (wk_samples){HOLD, HOLD, SAMPLES, 1e-9});
    for (size_t i = 0; i < SAMPLES; i++) {
        out[i] = rows[i].f;
    }
    memory_release(rows);
    return out;
}

// model 0: the limit surface, 1: the ellipsoid
static br_wrench* run_model(wk_shape shape, size_t model, bool as_published)
{
    if (model == 1 && as_published) {
        return wk_python_ellipsoid(shape, HOLD, SAMPLES);
    }
    const br_limit_method method = as_published ? BR_LIMIT_PUBLISHED : BR_LIMIT_SMOOTH;
    const br_patch* patch = patch_of(shape, as_published);
    br_motion motion = wk_motion((br_vec2){0, 0}, HOLD);
    motion.contact = model == 0 ? wk_reduced(patch, wk_law(1, true), method, WK_NODES)
                                : wk_ellipsoid(patch, wk_law(1, true), false);
    return run(motion);
}

static void add_box(table* rows, size_t shape, size_t model, size_t quantity, const br_wrench* got,
                    const br_wrench* truth)
{
    double values[SAMPLES], row[3 + NUMBERS] = {(double)shape, (double)model, (double)quantity};
    for (size_t i = 0; i < SAMPLES; i++) {
        values[i] = error_of(got[i], truth[i], quantity);
    }
    summarise(values, row + 3);
    table_append(rows, row);
}

static table compute(bool as_published)
{
    table rows = table_create(columns);
    for (size_t shape = 0; shape < SHAPES; shape++) {
        br_motion motion = wk_motion((br_vec2){0, 0}, HOLD);
        motion.contact =
            wk_distributed(patch_of(shapes[shape], as_published), wk_law(1, true), WK_CELLS);
        const br_wrench* truth = run(motion);
        for (size_t model = 0; model < MODELS; model++) {
            const br_wrench* got = run_model(shapes[shape], model, as_published);
            for (size_t quantity = 0; quantity < QUANTITIES; quantity++) {
                add_box(&rows, shape, model, quantity, got, truth);
            }
        }
    }
    return rows;
}

// The published box for a row of ours.
static size_t find_published(const reference* from, const double* row)
{
    static const char* const models[MODELS] = {"reduced", "ellipsoid_peerpy"};
    static const char* const quantities[QUANTITIES] = {"ft", "tau"};
    for (size_t i = 0; i < from->rows; i++) {
        if (strcmp(reference_text(from, i, "shape"), wk_shape_name(shapes[(size_t)row[0]])) == 0 &&
            strcmp(reference_text(from, i, "model"), models[(size_t)row[1]]) == 0 &&
            strcmp(reference_text(from, i, "quantity"), quantities[(size_t)row[2]]) == 0) {
            return i;
        }
    }
    return 0;
}

// As published: all quartiles and whiskers at once.
static void judge_published(study* s, const table* rows, const reference* published)
{
    double worst = 0;
    for (size_t r = 0; r < rows->rows; r++) {
        const double* row = table_row(rows, r);
        const size_t at = find_published(published, row);
        const double noise = row[2] == 0 ? NOISE : 0.1 * NOISE;
        for (size_t n = 0; n < NUMBERS; n++) {
            const double theirs = reference_number(published, at, number_names[n]);
            const double off = fabs(row[3 + n] - theirs);
            worst = off <= noise ? worst : study_larger(worst, off / fabs(theirs));
        }
    }
    study_judge_difference(s, "largest relative difference of a quartile or whisker", WK_CODE,
                           worst, SAME, NULL);
}

static const char OTHER_MODELS[] =
    "the published boxes are those of 21 cells (masks, steps), of a table with kinks, and of an ellipsoid "
    "with regularised unit vectors and u about the grid's middle; ours are those of shapes, the exact "
    "surface, and u about the CoP";

// Ours: medians and third quartiles, box by box.
static void judge_ours(study* s, const table* rows, const reference* published)
{
    static const char* const models[MODELS] = {"limit surface", "ellipsoid"};
    static const char* const quantities[QUANTITIES] = {"f [N]", "tau [N m]"};
    for (size_t r = 0; r < rows->rows; r++) {
        const double* row = table_row(rows, r);
        const size_t at = find_published(published, row);
        for (size_t n = 2; n <= 3; n++) {
            const double theirs = reference_number(published, at, number_names[n]);
            study_judge(s,
                        memory_format("%s, %s: %s of the error of %s",
                                      wk_shape_name(shapes[(size_t)row[0]]), models[(size_t)row[1]],
                                      n == 2 ? "median" : "third quartile",
                                      quantities[(size_t)row[2]]),
                        WK_CODE, theirs, row[3 + n], SAME * theirs, OTHER_MODELS);
        }
    }
}

// The paper's claims about this figure.
static void judge_claims(study* s, const table* rows)
{
    const source better = source_text("VI-A: the limit surface significantly outperforms the "
                                      "ellipsoid for all surfaces");
    for (size_t shape = 0; shape < SHAPES; shape++) {
        const double surface = table_row(rows, 4 * shape)[6];
        const double ellipsoid = table_row(rows, 4 * shape + 2)[6];
        study_judge_difference(s,
                               memory_format("%s: third quartile of the error of f, limit surface "
                                             "over ellipsoid, <= 0.5 [-]",
                                             wk_shape_name(shapes[shape])),
                               better, surface / ellipsoid, 0.5, NULL);
    }
    enum { GRADIENT = 3 };
    const double line = table_row(rows, 4 * GRADIENT)[6];
    if (s->as_published) {
        return; // the line itself is exact in ours
    }
    const reference published = reference_read("wk/fig22_boxes");
    const size_t at = find_published(&published, table_row(rows, 4 * GRADIENT));
    const double cells = reference_number(&published, at, "q3");
    study_judge_difference(s,
                           "LineGrad: third quartile of the error of f, line itself over its 21 "
                           "cells, <= 0.5: a large part of it was steps [-]",
                           source_text("VI-A: a large part of the error is attributed to the steps "
                                       "of the distributed model"),
                           line / cells, 0.5, NULL);
    study_note(s,
               "The claim that the gradient line's high error is mostly the grid's holds: its "
               "third quartile falls from %.4f N with 21 cells to %.5f N with the line itself.",
               cells, line);
}

static void write_panel(int quantity, const char* label, FILE* to)
{
    fprintf(to, "set ylabel %s\nplot", plot_quote(label));
    for (int model = 0; model < MODELS; model++) {
        fprintf(
            to,
            "%s $data using ($3 == %d && $2 == %d ? $1 + %g : NaN):5:4:8:7 with candlesticks "
            "linetype %d fill solid %g border title '%s' whiskerbars,"
            " '' using ($3 == %d && $2 == %d ? $1 + %g : NaN):6:6:6:6 with candlesticks linetype "
            "-1 linewidth 2 notitle",
            model ? "," : "", quantity, model, 0.36 * model - 0.18, model + 1, 0.3 - 0.2 * model,
            model ? "ellipsoid" : "limit surface", quantity, model, 0.36 * model - 0.18);
    }
    fputc('\n', to);
}

static void write_script(const study* s, const void* data, FILE* to)
{
    (void)data;
    study_write_block("data", &s->rows, to);
    fprintf(to,
            "set multiplot layout 2,1 title %s margins 0.13,0.97,0.08,0.93 spacing 0,0.04\n"
            "set boxwidth 0.3\nset xrange [-0.6:5.6]\nset key top left\n"
            "set xtics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5)\n",
            plot_quote(s->item->title));
    write_panel(0, "error of f [N]", to);
    fputs("set xtics ('square' 0, 'circle' 1, 'line' 2, 'gradient line' 3, 'non-convex 1' 4,"
          " 'non-convex 2' 5)\nunset key\n",
          to);
    write_panel(1, "error of tau [N m]", to);
    fputs("unset multiplot\n", to);
}

void wk_fig22(study* s)
{
    const reference published = reference_read("wk/fig22_boxes");
    s->rows = compute(s->as_published);
    if (s->as_published) {
        judge_published(s, &s->rows, &published);
    } else {
        judge_ours(s, &s->rows, &published);
    }
    judge_claims(s, &s->rows);
    study_write_table(s);
    study_draw(s, 800, 760, write_script, NULL);
}
