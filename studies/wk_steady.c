/*
 * W&K Fig 10: steady-state friction of a line of 21 cells along the velocity profile of Fig 5, p = 0.
 *
 * Cell by cell, (19) and (20), the force jumps whenever the CoR passes the centre of a cell: its
 * force is reversed, by 2/21 of mu f_N. With interpolation between the corners, (21), it does not.
 */
#include "wk_steady.h"

#include <math.h>

#include "bristle/papers.h"

#include "memory.h"
#include "plot.h"
#include "reference.h"
#include "wk.h"

enum { SAMPLES = 5001 };

static const double EVERY = 1e-3; // [s]

// The stored numbers have 11 digits.
static const double SAME_FORCE = 1e-9, SAME_TORQUE = 1e-11;

// Between two samples the CoR moves by 25e-6 m, a fortieth of a cell: (21) may change this much.
static const double SMOOTH = 0.1 * 2 / WK_CELLS;

static const char* const columns[] = {"t",           "fx_single",  "fx_bilinear",  "fy_single",
                                      "fy_bilinear", "tau_single", "tau_bilinear", NULL};

static void follow_profile(study* s, const br_contact* line)
{
    const br_motion motion = wk_motion((br_vec2){0, 0}, 0);
    study_table(s, columns);
    for (size_t i = 0; i < SAMPLES; i++) {
        const br_twist v = wk_twist_at(&motion, EVERY * (double)i);
        const br_wrench single = br_contact_steady_eval(line, v, 1, NULL);
        const br_wrench bilinear = br_papers_steady_eval(line, v, 1, s->as_published);
        table_append(&s->rows, (const double[]){EVERY * (double)i, single.fx, bilinear.fx,
                                                single.fy, bilinear.fy, single.tau, bilinear.tau});
    }
}

// Largest change of a column from one sample to the next, up to a time.
static double largest_step(const table* rows, size_t column, double until)
{
    double largest = 0;
    for (size_t i = 1; i < rows->rows && table_row(rows, i)[0] <= until; i++) {
        largest = study_larger(largest,
                               fabs(table_row(rows, i)[column] - table_row(rows, i - 1)[column]));
    }
    return largest;
}

// Largest differences from stored results at random twists.
typedef struct distance {
    double force, torque; // [N], [N m]
} distance;

static void widen(distance* d, br_wrench ours, const reference* to, size_t row, char kind)
{
    const double dfx = ours.fx - reference_number(to, row, memory_format("fx_%c", kind));
    const double dfy = ours.fy - reference_number(to, row, memory_format("fy_%c", kind));
    const double dtau = ours.tau - reference_number(to, row, memory_format("tau_%c", kind));
    d->force = study_larger(d->force, hypot(dfx, dfy));
    d->torque = study_larger(d->torque, fabs(dtau));
}

static void judge_at_random_twists(study* s, const br_contact* line)
{
    enum { LINE = 2 }; // among the stored surfaces
    const reference to = reference_read("wk/steady_state_random");
    distance single = {0, 0}, bilinear = {0, 0};
    for (size_t i = 0; i < to.rows; i++) {
        const br_twist v = {reference_number(&to, i, "vx"), reference_number(&to, i, "vy"),
                            reference_number(&to, i, "w")};
        if (reference_number(&to, i, "surface") != LINE || reference_number(&to, i, "p") != 0) {
            continue;
        }
        widen(&bilinear, br_papers_steady_eval(line, v, 1, s->as_published), &to, i, 'b');
        // a cell in the CoR is at rest; its friction in the published code is rounding error
        if (v.vx != 0 || v.vy != 0) {
            widen(&single, br_contact_steady_eval(line, v, 1, NULL), &to, i, 's');
        }
    }
    const char* why =
        s->as_published ? NULL
                        : "the published code goes on with (21) for a CoR up to a cell outside the "
                          "left and lower border (it truncates an index towards 0); ours ends it "
                          "at every border alike";
    study_judge_difference(s, "single point, random twists: f, largest difference [N]", WK_CODE,
                           single.force, SAME_FORCE, NULL);
    study_judge_difference(s, "single point, random twists: tau, largest difference [N m]", WK_CODE,
                           single.torque, SAME_TORQUE, NULL);
    study_judge_difference(s, "bilinear, random twists: f, largest difference [N]", WK_CODE,
                           bilinear.force, SAME_FORCE, why);
    study_judge_difference(s, "bilinear, random twists: tau, largest difference [N m]", WK_CODE,
                           bilinear.torque, SAME_TORQUE, why);
}

static void write_script(const study* s, const void* data, FILE* to)
{
    (void)data;
    study_write_block("data", &s->rows, to);
    fprintf(
        to,
        "set multiplot layout 3,1 title %s margins 0.13,0.97,0.07,0.94 spacing 0,0.03\n"
        "set xrange [0:5]\nset format x ''\nset key bottom right vertical\nset ylabel 'f_x [N]'\n"
        "plot $data using 1:2 with lines linetype 1 title 'f_x single point', "
        "$data using 1:3 with lines linetype 2 title 'f_x bilinear'\nset ylabel 'f_y [N]'\n"
        "set key bottom left vertical\n"
        "plot $data using 1:4 with lines linetype 1 title 'f_y single point', "
        "$data using 1:5 with lines linetype 2 title 'f_y bilinear'\n"
        "set format x '%%g'\nset xlabel 't [s]'\nset ylabel 'tau [N m]'\nset key bottom right vertical\n"
        "plot $data using 1:6 with lines linetype 1 title 'tau single point', "
        "$data using 1:7 with lines linetype 2 title 'tau bilinear'\nunset multiplot\n",
        plot_quote(s->item->title));
}

void wk_fig10(study* s)
{
    const br_contact* line =
        wk_distributed(wk_grid(WK_LINE, WK_CELLS, 0), wk_law(0, true), WK_CELLS);
    follow_profile(s, line);
    judge_at_random_twists(s, line);
    const double end = EVERY * SAMPLES, leaves = 1.2 - EVERY / 2; // CoR leaves the grid
    const double jump = largest_step(&s->rows, 1, end);
    const double smooth = largest_step(&s->rows, 2, leaves);
    study_judge(s, "single point: largest jump of f_x in 1 ms [N]",
                source_closed("a cell turns its force around, 2/21 of mu f_N"), 2.0 / WK_CELLS,
                jump, SMOOTH, NULL);
    study_judge_difference(s, "bilinear: largest change of f_x in 1 ms, CoR in the grid [N]",
                           source_text("Fig 10: (21) mitigates the steps"), smooth, SMOOTH, NULL);
    study_note(
        s,
        "Where the CoR passes the centre of a cell, f_x of the single point jumps by up "
        "to %.4f N; the bilinear one changes by at most %.4f N in 1 ms while the CoR is in the grid, and by %.4f N when it crosses the border, beyond which (21) is not used.",
        jump, smooth, largest_step(&s->rows, 2, end));
    study_write_table(s);
    study_draw(s, 800, 860, write_script, NULL);
}
