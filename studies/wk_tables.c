/*
 * W&K's tables of computational cost.
 *
 *   Table II   evaluations per second of the distributed model, N x N cells
 *   Table IV   simulating 2 s of slip-stick, distributed and reduced
 *   Table V    the reduced model: building its table from N x N cells, evaluations per second
 *   Table VI   the reduced model: building its table with N_ls nodes per quarter turn
 *
 * Times depend on the machine, so nothing here is judged: the published numbers are shown for
 * context. The ratio to the scalar code, timed in the same run, shows the speed-up.
 */
#include "wk_tables.h"

#include <math.h>

#include "memory.h"
#include "plot.h"
#include "surface.h"
#include "wk_grip.h"

enum { ROUNDS = 7 };

static const double LONG_ENOUGH = 0.02; // of one timing [s]

// The twist of the published timings.
static const br_twist TWIST = {0.1, -0.05, 1.59};

// Work to time: `calls` calls.
typedef struct work {
    void (*run)(void* data, size_t calls);
    void* data;
} work;

static double time_once(work w, size_t calls)
{
    const double start = study_clock();
    w.run(w.data, calls);
    return study_clock() - start;
}

// Seconds per call: the minimum of several timings, each long enough to be reliable.
static double seconds_per_call(work w)
{
    size_t calls = 1;
    double shortest = time_once(w, calls);
    while (shortest < LONG_ENOUGH) {
        calls *= 2;
        shortest = time_once(w, calls);
    }
    for (int i = 1; i < ROUNDS; i++) {
        shortest = fmin(shortest, time_once(w, calls));
    }
    return shortest / (double)calls;
}

// --- evaluations -----------------------------------------------------------------------------------

typedef struct evaluation {
    const br_contact* contact;
    double *z, *dz;
} evaluation;

// An explicit step after each, as published, so that each depends on the previous one.
static void evaluate(void* data, size_t calls)
{
    const evaluation* e = data;
    const size_t n = br_contact_get_state_count(e->contact);
    for (size_t i = 0; i < calls; i++) {
        br_contact_eval(e->contact, e->z, TWIST, 1, e->dz);
        for (size_t k = 0; k < n; k++) {
            e->z[k] += 1e-6 * e->dz[k];
        }
    }
}

static double evaluations_per_second(evaluation e)
{
    const size_t n = br_contact_get_state_count(e.contact);
    e.z = memory_allocate(n, sizeof *e.z);
    e.dz = memory_allocate(n, sizeof *e.dz);
    return 1 / seconds_per_call((work){evaluate, &e});
}

static void destroy_contact(void* contact)
{
    br_contact_destroy(contact);
}

static const br_contact* create_plain(const br_patch* patch, br_law law)
{
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_DISTRIBUTED;
    def.law = law;
    def.patch = patch;
    def.plain = 1;
    br_contact* contact = NULL;
    br_contact_create(&def, &contact, NULL);
    memory_own(contact, destroy_contact);
    return contact;
}

// --- tables of the limit surface -------------------------------------------------------------------

typedef struct precomputation {
    const br_patch* patch;
    br_limit_method method;
    size_t nodes, cells;
} precomputation;

static void precompute(void* data, size_t calls)
{
    const precomputation* p = data;
    br_limit_def def = br_limit_def_default();
    def.patch = p->patch;
    def.method = p->method;
    def.n = p->nodes;
    def.resolution = p->cells;
    for (size_t i = 0; i < calls; i++) {
        br_limit* surface = NULL;
        br_limit_create(&def, &surface, NULL);
        br_limit_destroy(surface);
    }
}

static double seconds_to_precompute(size_t cells, size_t nodes)
{
    precomputation p = {wk_grid(WK_SQUARE, cells, 0), BR_LIMIT_PUBLISHED, nodes, cells};
    return seconds_per_call((work){precompute, &p});
}

// --- pictures --------------------------------------------------------------------------------------

static void write_script(const study* s, const void* data, FILE* to)
{
    const char* const* labels = data;     // of both axes
    const bool falls = s->rows.width > 4; // Table II
    study_write_block("data", &s->rows, to);
    fprintf(
        to,
        "set title %s\nset xlabel '%s'\nset ylabel '%s'\nset logscale xy\nset key %s left "
        "vertical\nset format y '%%.0e'\nset offsets 0, 0, 0, 0\nset autoscale y\n"
        "set xrange [4:%d]\nset xtics (5, 9, 13, 17, 21, 25, 33, 101)\nplot $data using 1:2 with linespoints pointtype 7 title 'published, their "
        "machine', $data using 1:3 with linespoints pointtype 6 title 'ours, this machine'",
        plot_quote(s->item->title), labels[0], labels[1], falls ? "bottom" : "top",
        falls ? 120 : 40);
    fputs(falls ? ", $data using 1:4 with linespoints pointtype 4 title 'our plain code, "
                  "this machine'\n"
                : "\n",
          to);
}

static const char* label(const char* form, size_t n)
{
    return memory_format("%s %zu", form, n);
}

void wk_table2(study* s)
{
    static const size_t n[] = {5, 9, 13, 17, 21, 25, 29, 33, 101};
    static const double published[] = {1.6e5, 3.9e4, 2.8e4, 1.7e4, 1.1e4,
                                       7.7e3, 5.7e3, 4.5e3, 4.3e2};
    static const char* const columns[] = {"N", "published", "ours", "plain", "ratio", NULL};
    static const char* const labels[] = {"N, cells across [-]", "evaluations per second [1/s]"};
    study_table(s, columns);
    study_note(s, "Evaluations per second of the distributed model, square, elasto-plastic; last "
                  "column of the CSV: fast code over plain code, timed in the same run.");
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        const br_patch* patch = wk_grid(WK_SQUARE, n[i], 0);
        const evaluation fast = {.contact = wk_distributed(patch, wk_law(1, true), n[i])};
        const evaluation plain = {.contact = create_plain(patch, wk_law(1, true))};
        const double ours = evaluations_per_second(fast), slow = evaluations_per_second(plain);
        table_append(&s->rows,
                     (const double[]){(double)n[i], published[i], ours, slow, ours / slow});
        study_show(s, label("evaluations per second [1/s], N =", n[i]), source_table("Table II"),
                   published[i], ours);
    }
    study_write_table(s);
    study_draw(s, 800, 560, write_script, labels);
}

// Seconds for the slip-stick run of case 2, f_N1: the minimum of some runs, or one long run.
static double seconds_to_slip(wk_shape shape, bool is_distributed, bool as_published)
{
    const wk_grip grip = {2, shape, 1, is_distributed, as_published, false};
    double shortest = HUGE_VAL, sum = 0;
    for (int i = 0; i < ROUNDS && sum < 1; i++) {
        const double seconds = wk_run_grip(grip)->seconds;
        shortest = fmin(shortest, seconds);
        sum += seconds;
    }
    return shortest;
}

static void write_bars(const study* s, const void* data, FILE* to)
{
    (void)data;
    study_write_block("data", &s->rows, to);
    fprintf(to,
            "set title %s\nset ylabel 'time for 2 s [s]'\nset xlabel 'contact surface'\n"
            "set logscale y\nset format y '%%g'\nset yrange [1e-3:1e4]\nset offsets 0, 0, 0, 0\n"
            "set xrange [-0.6:2.6]\nset xtics ('circle' 0, 'k = 2' 1, 'k = 2 f_N' 2)\n"
            "set style fill solid border -1\nset boxwidth 0.18\nset key top right maxrows 2\n"
            "plot $data using ($1-0.3):2 with boxes linecolor rgb '#08306b' dashtype 1 title "
            "'distributed, published', $data using ($1-0.1):4 with boxes linecolor rgb '#6baed6' "
            "dashtype 1 title 'distributed, ours', $data using ($1+0.1):3 with boxes linecolor rgb "
            "'#a63603' dashtype 1 title 'reduced, published', $data using ($1+0.3):5 with boxes "
            "linecolor rgb '#fdd0a2' dashtype 1 title 'reduced, ours'\n",
            plot_quote(s->item->title));
}

void wk_table4(study* s)
{
    static const wk_shape shapes[] = {WK_CIRCLE, WK_GROWING_K2, WK_GROWING_K2FN};
    static const char* const names_of[] = {"circle", "k = 2", "k = 2 f_N"};
    static const double published[][2] = {{217.98, 3.47}, {237.06, 3.49}, {238.95, 70.23}};
    static const char* const columns[] = {
        "surface", "published_distributed", "published_reduced", "distributed", "reduced", NULL};
    study_table(s, columns);
    study_note(
        s,
        "Processor time. Case 2 under f_N1, relative tolerance 1e-8; %s. What does not depend on the force "
        "is computed before the clock starts, as published.",
        s->as_published ? "cells and tables as published, computed again every 10 ms for k = 2 f_N"
                        : "shapes, the smooth table of the circle, closed forms of the rest");
    for (int i = 0; i < 3; i++) {
        const double* theirs = published[i];
        const double d = seconds_to_slip(shapes[i], true, s->as_published);
        const double r = seconds_to_slip(shapes[i], false, s->as_published);
        table_append(&s->rows, (const double[]){i, theirs[0], theirs[1], d, r});
        const source from = source_table("Table IV");
        study_show(s, memory_format("distributed, %s [s]", names_of[i]), from, theirs[0], d);
        study_show(s, memory_format("reduced, %s [s]", names_of[i]), from, theirs[1], r);
        study_show(s, memory_format("distributed over reduced, %s [-]", names_of[i]),
                   i == 0 ? source_text("VI-D: approximately 63 times")
                          : source_table("Table IV, their ratio"),
                   i == 0 ? 63 : theirs[0] / theirs[1], d / r);
    }
    study_write_table(s);
    study_draw(s, 800, 560, write_bars, NULL);
}

// "approximately 80 times faster", of one evaluation at 21 x 21 cells.
static void show_claim(study* s, double reduced)
{
    const br_patch* patch = wk_grid(WK_SQUARE, WK_CELLS, 0);
    const evaluation fast = {.contact = wk_distributed(patch, wk_law(1, true), WK_CELLS)};
    const evaluation plain = {.contact = create_plain(patch, wk_law(1, true))};
    const double by_fast = reduced / evaluations_per_second(fast);
    const double by_plain = reduced / evaluations_per_second(plain);
    const source claim = source_text("abstract and VI-D: approximately 80 times faster");
    study_show(s, "reduced over distributed at N = 21, our plain code [-]", claim, 80, by_plain);
    study_show(s, "reduced over distributed at N = 21, our fast code [-]", claim, 80, by_fast);
    study_note(s,
               "The claim of about 80 times is one of the code: an evaluation of the reduced model "
               "costs %.0f times less than our plain loop over the cells, and %.0f times less than "
               "our vector code. What a simulation gains is in Table IV.",
               by_plain, by_fast);
}

void wk_table5(study* s)
{
    static const size_t n[] = {5, 9, 13, 17, 21, 25, 29, 33};
    static const double published[] = {2.4e-2, 5.4e-2, 1.0e-1, 1.8e-1,
                                       2.6e-1, 3.7e-1, 4.9e-1, 6.3e-1};
    static const double rate[] = {8.7e5, 8.5e5, 7.7e5, 8.6e5, 8.7e5, 8.6e5, 8.6e5, 8.6e5};
    static const char* const columns[] = {"N", "published", "ours", "ours_per_second", NULL};
    static const char* const labels[] = {"N, cells across [-]", "time to build the table [s]"};
    study_table(s, columns);
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        const double ours = seconds_to_precompute(n[i], WK_NODES);
        const evaluation e = {.contact = wk_reduced(wk_grid(WK_SQUARE, n[i], 0), wk_law(1, true),
                                                    BR_LIMIT_PUBLISHED, WK_NODES)};
        const double per_second = evaluations_per_second(e);
        table_append(&s->rows, (const double[]){(double)n[i], published[i], ours, per_second});
        const source from = source_table("Table V");
        study_show(s, label("time to build the table [s], N =", n[i]), from, published[i], ours);
        study_show(s, label("evaluations per second [1/s], N =", n[i]), from, rate[i], per_second);
        if (n[i] == WK_CELLS) {
            show_claim(s, per_second);
        }
    }
    study_write_table(s);
    study_draw(s, 800, 560, write_script, labels);
}

void wk_table6(study* s)
{
    static const size_t n[] = {5, 9, 13, 17, 21, 25, 29, 33};
    static const double published[] = {2.2e-2, 5.8e-2, 1.1e-1, 1.9e-1,
                                       2.9e-1, 3.9e-1, 5.3e-1, 7.0e-1};
    static const char* const columns[] = {"N_ls", "published", "ours", NULL};
    static const char* const labels[] = {"N_ls, nodes per quarter turn [-]",
                                         "time to build the table [s]"};
    study_table(s, columns);
    for (size_t i = 0; i < sizeof n / sizeof *n; i++) {
        const double ours = seconds_to_precompute(WK_CELLS, n[i]);
        table_append(&s->rows, (const double[]){(double)n[i], published[i], ours});
        study_show(s, label("time to build the table [s], N_ls =", n[i]), source_table("Table VI"),
                   published[i], ours);
    }
    study_write_table(s);
    study_draw(s, 800, 560, write_script, labels);
}
