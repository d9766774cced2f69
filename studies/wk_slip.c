/*
 * W&K's figures of the in-hand slip-stick experiments: poses and forces over time for both profiles
 * of the normal force, distributed and reduced model.
 *
 *   Figs 27, 28   case 1, circle: pose, forces        Fig 30   case 2, square: pose
 *   Figs 29, 32   case 2, circle: pose, forces        Fig 31   case 2, gradient line: pose
 *   Figs 34, 35   case 2, surfaces that grow with the normal force: pose, forces
 */
#include "wk_slip.h"

#include <math.h>

#include "memory.h"
#include "plot.h"
#include "reference.h"
#include "wk_grip.h"

enum { RUNS = 4 }; // distributed and reduced of the first experiment, then of the second

// A figure: two experiments that differ in the normal force or in the surface.
typedef struct figure {
    int place;
    wk_shape shape[2];
    int force[2];
    bool shows_forces; // or poses
} figure;

static const char* tag(const figure* f, int run)
{
    static const char* const tags[2][2] = {{"f_N1", "f_N2"}, {"k = 2", "k = 2 f_N"}};
    return tags[f->shape[0] != f->shape[1]][run / 2];
}

static const char* const columns[] = {"t",     "fn1",   "fn2",      "x_d1",  "y_d1",  "theta_d1",
                                      "x_r1",  "y_r1",  "theta_r1", "x_d2",  "y_d2",  "theta_d2",
                                      "x_r2",  "y_r2",  "theta_r2", "fx_d1", "fy_d1", "tau_d1",
                                      "fx_r1", "fy_r1", "tau_r1",   "fx_d2", "fy_d2", "tau_d2",
                                      "fx_r2", "fy_r2", "tau_r2",   NULL};

enum { FIRST_POSE = 3, FIRST_FORCE = 15 };

// Asked for; the reference's own error is 1e-9 m.
static const double SAME_PLACE = 1e-6, SAME_ANGLE = 1e-5, SAME_FORCE = 1e-5;

static void run_all(figure f, bool as_published, bool keeps_u, const wk_grip_result* runs[RUNS])
{
    for (int i = 0; i < RUNS; i++) {
        runs[i] = wk_run_grip(
            (wk_grip){f.place, f.shape[i / 2], f.force[i / 2], i % 2 == 0, as_published, keeps_u});
    }
}

static void add_rows(table* to, const wk_grip_result* const runs[RUNS])
{
    for (size_t k = 0; k < WK_GRIP_ROWS; k++) {
        double row[FIRST_FORCE + 3 * RUNS] = {runs[0]->rows[k].t, runs[0]->rows[k].fn,
                                              runs[2]->rows[k].fn};
        for (int i = 0; i < RUNS; i++) {
            const wk_grip_row* r = &runs[i]->rows[k];
            double* pose = row + FIRST_POSE + 3 * i;
            double* force = row + FIRST_FORCE + 3 * i;
            pose[0] = r->pose.x, pose[1] = r->pose.y, pose[2] = r->pose.theta;
            force[0] = r->f.fx, force[1] = r->f.fy, force[2] = r->f.tau;
        }
        table_append(to, row);
    }
}

// Largest differences from a published run.
typedef struct distance {
    double place, angle, force; // [m], [rad], [N]
} distance;

static distance compare(const wk_grip_result* run, const reference* published)
{
    distance most = {0, 0, 0};
    for (size_t i = 0; i < published->rows; i++) {
        const long k = lround(reference_number(published, i, "t_end") * 100) - 1;
        if (k < 0) {
            continue; // the start
        }
        const wk_grip_row* r = &run->rows[k];
        const double dx = r->pose.x - reference_number(published, i, "px");
        const double dy = r->pose.y - reference_number(published, i, "py");
        const double turn = r->pose.theta - reference_number(published, i, "theta");
        const double dfx = r->f.fx - reference_number(published, i, "fx");
        const double dfy = r->f.fy - reference_number(published, i, "fy");
        most.place = study_larger(most.place, hypot(dx, dy));
        most.angle = study_larger(most.angle, fabs(turn));
        most.force = study_larger(most.force, hypot(dfx, dfy));
    }
    return most;
}

static void judge_run(study* s, figure f, int i, const wk_grip_result* run)
{
    const wk_shape shape = f.shape[i / 2];
    const bool is_mended = i % 2 && shape == WK_GROWING_K2 && !s->as_published;
    const char* name =
        memory_format("wk/slip_case%d_%s_fN%d_%s%s", f.place, wk_shape_name(shape), f.force[i / 2],
                      i % 2 ? "red" : "dist", is_mended ? "_ufix" : "");
    const char* who = memory_format("%s, %s", tag(&f, i), i % 2 ? "reduced" : "distributed");
    if (!reference_exists(name)) {
        return;
    }
    const reference published = reference_read(name);
    const distance d = compare(run, &published);
    study_judge_difference(s, memory_format("%s: place, largest difference [m]", who), d.place,
                           SAME_PLACE);
    study_judge_difference(s, memory_format("%s: angle, largest difference [rad]", who), d.angle,
                           SAME_ANGLE);
    study_judge_difference(s, memory_format("%s: force, largest difference [N]", who), d.force,
                           SAME_FORCE);
}

// What happened, in a sentence: in case 1 the fingers are a pivot, in case 2 the object slides and
// turns whenever the normal force is too small, and sticks in between.
static void describe(study* s, figure f, const wk_grip_result* const runs[RUNS])
{
    static const double degrees = 180 / 3.14159265358979323846;
    for (int i = 0; i < RUNS; i += 2) {
        const br_pose end = runs[i]->rows[WK_GRIP_ROWS - 1].pose;
        const br_pose other = runs[i + 1]->rows[WK_GRIP_ROWS - 1].pose;
        study_note(s,
                   "With %s the object %s: it slips %.2f s of the 2 s (first at %.3f s) and ends "
                   "at x = %.2f mm, y = %.2f mm, %.1f mm from the fingers, turned by %.1f degrees "
                   "(reduced model: %.2f mm, %.2f mm, %.1f degrees).",
                   tag(&f, i),
                   f.place == 1 ? "pivots about the fingers"
                                : "sticks, slides and turns, and sticks",
                   runs[i]->time_slipping, runs[i]->first_slip, 1e3 * end.x, 1e3 * end.y,
                   1e3 * hypot(end.x, end.y), degrees * end.theta, 1e3 * other.x, 1e3 * other.y,
                   degrees * other.theta);
    }
}

static void write_panel(const figure* f, int quantity, const char* label, double scale, FILE* to)
{
    const int first = f->shows_forces ? FIRST_FORCE : FIRST_POSE;
    fprintf(to, "set ylabel %s\nplot", plot_quote(label));
    for (int i = 0; i < RUNS; i++) {
        fprintf(to, "%s $data using 1:(%g*$%d) with lines linetype %d title '%s, %s'", i ? "," : "",
                scale, first + 3 * i + quantity + 1, i + 1, i % 2 ? "reduced" : "distributed",
                tag(f, i));
    }
    fputc('\n', to);
}

static void write_script(const study* s, const void* data, FILE* to)
{
    const figure* f = data;
    study_write_block("data", &s->rows, to);
    fprintf(to,
            "set multiplot layout 4,1 title %s margins 0.13,0.97,0.07,0.94 spacing 0,0.025\n"
            "set xrange [0:2]\nset format x ''\nset key maxrows 2\nset ylabel 'f_N [N]'\n"
            "set offsets 0, 0, graph 0.4, graph 0.05\n"
            "plot $data using 1:2 with lines linetype 1 title 'f_N1'%s\n",
            plot_quote(s->item->title),
            f->force[0] == f->force[1] ? ""
                                       : ", $data using 1:3 with lines linetype 3 title 'f_N2'");
    write_panel(f, 0, f->shows_forces ? "f_x [N]" : "x [mm]", f->shows_forces ? 1 : 1e3, to);
    fputs("unset key\nset offsets 0, 0, graph 0.05, graph 0.05\n", to);
    write_panel(f, 1, f->shows_forces ? "f_y [N]" : "y [mm]", f->shows_forces ? 1 : 1e3, to);
    fputs("set format x '%g'\nset xlabel 't [s]'\n", to);
    write_panel(f, 2, f->shows_forces ? "tau [N m]" : "theta [rad]", 1, to);
    fputs("unset multiplot\n", to);
}

// Displacements at the end, reduced over distributed, measured in the published figure itself.
static void judge_figure29(study* s, const wk_grip_result* const runs[RUNS])
{
    const br_pose d = runs[0]->rows[WK_GRIP_ROWS - 1].pose,
                  r = runs[1]->rows[WK_GRIP_ROWS - 1].pose;
    const double start = 0.002, reading = 1e-4; // [m], [-]
    study_judge(s, "f_N1: x, reduced over distributed, figure as printed [-]", 0.94305,
                (r.x - start) / (d.x - start), reading);
    study_judge(s, "f_N1: y, reduced over distributed, figure as printed [-]", 0.94593, r.y / d.y,
                reading);
    study_judge(s, "f_N1: theta, reduced over distributed, figure as printed [-]", 0.97308,
                r.theta / d.theta, reading);
}

static void make(study* s, figure f)
{
    const wk_grip_result* runs[RUNS];
    run_all(f, true, s->as_published, runs);
    for (int i = 0; i < RUNS; i++) {
        judge_run(s, f, i, runs[i]);
    }
    if (f.place == 2 && f.shape[0] == WK_CIRCLE && !f.shows_forces) {
        judge_figure29(s, runs);
    }
    if (!s->as_published) {
        const br_pose published = runs[0]->rows[WK_GRIP_ROWS - 1].pose;
        run_all(f, false, false, runs);
        const br_pose ours = runs[0]->rows[WK_GRIP_ROWS - 1].pose;
        study_show(s,
                   memory_format("%s, distributed: final y, cells against the shape itself [m]",
                                 tag(&f, 0)),
                   published.y, ours.y);
        study_show(s,
                   memory_format("%s, distributed: final theta, cells against the shape itself "
                                 "[rad]",
                                 tag(&f, 0)),
                   published.theta, ours.theta);
    }
    describe(s, f, runs);
    study_table(s, columns);
    add_rows(&s->rows, runs);
    study_write_table(s);
    study_draw(s, 800, 900, write_script, &f);
}

void wk_fig27(study* s)
{
    make(s, (figure){1, {WK_CIRCLE, WK_CIRCLE}, {1, 2}, false});
}

void wk_fig28(study* s)
{
    make(s, (figure){1, {WK_CIRCLE, WK_CIRCLE}, {1, 2}, true});
}

void wk_fig29(study* s)
{
    make(s, (figure){2, {WK_CIRCLE, WK_CIRCLE}, {1, 2}, false});
}

void wk_fig30(study* s)
{
    make(s, (figure){2, {WK_SQUARE, WK_SQUARE}, {1, 2}, false});
}

void wk_fig31(study* s)
{
    make(s, (figure){2, {WK_LINE_GRADIENT_X, WK_LINE_GRADIENT_X}, {1, 2}, false});
}

void wk_fig32(study* s)
{
    make(s, (figure){2, {WK_CIRCLE, WK_CIRCLE}, {1, 2}, true});
}

void wk_fig34(study* s)
{
    make(s, (figure){2, {WK_GROWING_K2, WK_GROWING_K2FN}, {1, 1}, false});
}

void wk_fig35(study* s)
{
    make(s, (figure){2, {WK_GROWING_K2, WK_GROWING_K2FN}, {1, 1}, true});
}

// --- Fig 26: snapshots -----------------------------------------------------------------------------

enum { SNAPSHOTS = 5 };

static void write_outline(const wk_grip_row* row, FILE* to)
{
    static const double corner[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    for (int i = 0; i < 5; i++) {
        const br_vec2 at =
            br_pose_apply(row->pose, (br_vec2){0.075 * corner[i][0], 0.04 * corner[i][1]});
        fprintf(to, "%.6f %.6f\n", 1e3 * at.x, 1e3 * at.y);
    }
    fputs("\n\n", to);
}

static void write_snapshots(const study* s, const void* data, FILE* to)
{
    const wk_grip_result* const* runs = data;
    for (int run = 0; run < 2; run++) {
        fprintf(to, "$shape%d << EOD\n", run);
        for (size_t i = 0; i < SNAPSHOTS; i++) {
            write_outline(&runs[run]->rows[i * (WK_GRIP_ROWS - 1) / (SNAPSHOTS - 1)], to);
        }
        fprintf(to, "EOD\n$path%d << EOD\n", run);
        for (size_t k = 0; k < WK_GRIP_ROWS; k++) {
            fprintf(to, "%.6f %.6f\n", 1e3 * runs[run]->rows[k].pose.x,
                    1e3 * runs[run]->rows[k].pose.y);
        }
        fputs("EOD\n", to);
    }
    fprintf(to,
            "set multiplot layout 1,2 title %s\nset size ratio -1\nset xlabel 'x [mm]'\n"
            "set ylabel 'y [mm]'\nset key bottom left vertical maxrows 4\nset offsets 0, 0, 0, 0\n"
            "set xrange [-90:120]\nset yrange [-160:80]\nset style fill solid 0.35\n",
            plot_quote(s->item->title));
    for (int run = 0; run < 2; run++) {
        fprintf(to, "set title 'case %d'\nplot", run + 1);
        for (int i = 0; i < SNAPSHOTS; i++) {
            const int grey = 200 - 45 * i;
            fprintf(to,
                    "%s $shape%d index %d with lines linecolor rgb '#%02x%02x%02x' linewidth 2 "
                    "dashtype 1 title 't = %.1f s'",
                    i ? "," : "", run, i, grey, grey, grey, 2.0 * i / (SNAPSHOTS - 1));
        }
        fprintf(to,
                ", $path%d with lines linetype 2 title 'CoM', '+' using (0):(0):(10) every ::0::0 "
                "with circles linecolor rgb '#4d9221' title 'contact'\n",
                run);
    }
    fputs("unset multiplot\n", to);
}

void wk_fig26(study* s)
{
    static const char* const pose_columns[] = {"case", "t", "x", "y", "theta", NULL};
    study_table(s, pose_columns);
    const wk_grip_result* runs[2];
    for (int i = 0; i < 2; i++) {
        const wk_grip grip = {i + 1, WK_CIRCLE, 1, true, s->as_published, false};
        runs[i] = wk_run_grip(grip);
        for (size_t k = 0; k < WK_GRIP_ROWS; k++) {
            const wk_grip_row* r = &runs[i]->rows[k];
            table_append(&s->rows,
                         (const double[]){i + 1, r->t, r->pose.x, r->pose.y, r->pose.theta});
        }
    }
    study_note(s, "Snapshots of Figs 27 and 29 under f_N1; those figures are judged there.");
    study_write_table(s);
    study_draw(s, 1000, 620, write_snapshots, runs);
}
