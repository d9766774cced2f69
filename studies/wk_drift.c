/*
 * W&K's figures of drift under oscillating loads: a disc of 1 kg on a table, LuGre and elasto-plastic
 * bristles.
 *
 *   Fig 6, 23   tangential loads and torques oscillate; distributed, reduced
 *   Fig 24, 25  the normal force oscillates; distributed, reduced
 *
 * The loads stay below the limit of sliding, so the body should not drift: LuGre creeps.
 */
#include "wk_drift.h"

#include <math.h>

#include "bristle/body.h"
#include "memory.h"
#include "message.h"
#include "plot.h"
#include "reference.h"
#include "rows.h"
#include "wk.h"

enum { ROWS = 500, LUGRE = 0, ELASTO_PLASTIC = 1 };

static const double HOLD = 0.01; // [s]
static const double SIZE = 0.05; // of the contact's grid; the inertia uses it as a radius [m]
static const double SAME = 1e-9, SAME_ANGLE = 3e-8; // as published [m], [rad]: equal at the rim
static const double LINE_WIDTH = 0.01; // ours: width of a printed line over the curve's range
static const double OMEGA = 18.84955592153876; // 6 pi [rad/s]

static const char* const columns[] = {"t",           "fx_load", "tau_load", "fn", "x_lugre",
                                      "theta_lugre", "x_ep",    "theta_ep", NULL};

// A figure.
typedef struct figure {
    bool is_distributed;
    bool is_normal; // the normal force oscillates; else the loads do
} figure;

// Loads at a time.
typedef struct loads {
    double fx, tau, fn;
} loads;

static loads loads_at(bool is_normal, double t)
{
    const double ramp = fmin(t / 0.2, 1);
    if (is_normal) {
        return (loads){ramp, 0.03 * ramp, t > 1 ? 9.81 + sin(OMEGA * t) : 9.81};
    }
    const double fx = t < 1 ? ramp : 1 + 0.4 * sin(OMEGA * t);
    const double tau = t <= 2.8 ? 0 : t < 3 ? 0.03 * (t - 2.8) / 0.2 : 0.03 + 0.01 * sin(OMEGA * t);
    return (loads){fx, tau, 9.81};
}

// Profile with values that are constant until the next time.
typedef struct load_steps {
    double t[ROWS], fx[ROWS], tau[ROWS], fn[ROWS];
} load_steps;

static load_steps* create_load_steps(bool is_normal)
{
    load_steps* h = memory_allocate(1, sizeof *h);
    for (size_t i = 0; i < ROWS; i++) {
        h->t[i] = HOLD * (double)i;
        const loads l = loads_at(is_normal, h->t[i]);
        h->fx[i] = l.fx, h->tau[i] = l.tau, h->fn[i] = l.fn;
    }
    return h;
}

static br_profile steps(const load_steps* h, const double* value)
{
    return (br_profile){.kind = BR_PROFILE_STEPS, .count = ROWS, .t = h->t, .value = value};
}

// Poses at the ends of the intervals.
typedef struct track {
    row_columns columns; // while it runs
    br_pose pose[ROWS];
    size_t count;
} track;

static void on_row(const double* row, void* user)
{
    track* to = user;
    if (row[0] > 0) {
        to->pose[to->count++] = row_pose(&to->columns, row);
    }
}

// The model of a run: the published cells, or a disc.
typedef struct model {
    bool as_published;
    double radius; // of the disc [m]
} model;

static const br_patch* create_patch(model m)
{
    return m.as_published ? wk_grid(WK_CIRCLE, WK_CELLS, SIZE) : wk_disc(m.radius);
}

static br_body_contact create_contact(figure f, model m, int law, const load_steps* h)
{
    const br_patch* patch = create_patch(m);
    const br_law bristles = wk_law(1, law == ELASTO_PLASTIC);
    br_body_contact contact = {.frame = BR_FRAME_BODY, .count = 1, .normal_force = steps(h, h->fn)};
    if (f.is_distributed) {
        contact.contact = wk_distributed(patch, bristles, WK_CELLS);
    } else {
        contact.contact = wk_reduced(
            patch, bristles, m.as_published ? BR_LIMIT_PUBLISHED : BR_LIMIT_SMOOTH, WK_NODES);
    }
    return contact;
}

static track* run(figure f, model m, int law)
{
    const load_steps* h = create_load_steps(f.is_normal);
    const br_body_contact contact = create_contact(f, m, law, h);
    const br_body_load load = {.fx = steps(h, h->fx),
                               .fy = br_profile_constant(0),
                               .tau = steps(h, h->tau),
                               .frame = BR_FRAME_BODY};
    br_body body = br_body_default();
    body.start = BR_START_RELAXED;
    body.inertia = 0.5 * SIZE * SIZE;
    body.contacts = &contact;
    body.contact_count = 1;
    body.loads = &load;
    body.load_count = 1;

    br_run_def def = br_run_def_default();
    def.duration = HOLD * ROWS;
    def.every = HOLD;
    def.rtol = 1e-8;
    def.atol = 1e-12; // the motions are of micrometres
    def.atol_z = 1e-13;
    track* got = memory_allocate(1, sizeof *got);
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = rows_start, .row = on_row, .user = got};
    br_reason why = {"", ""};
    if (br_body_run(&body, &def, &watch, NULL, &why) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s: %s", why.field, why.text);
    }
    return got;
}

static const char MASK[] =
    "the published disc is a mask of 317 cells over 50 mm x 50 mm, 23.8 mm in "
    "radius; ours has 25 mm";

// Compare a curve, x or theta, with the stored one.
static void judge_curve(study* s, const char* who, bool is_angle, const reference* to,
                        const track* got)
{
    double largest = 0, range = 0, theirs = 0, ours = 0;
    for (size_t i = 0; i < to->rows; i++) {
        const size_t k = (size_t)lround(reference_number(to, i, "t_end") / HOLD) - 1;
        theirs = reference_number(to, i, is_angle ? "theta" : "px");
        ours = is_angle ? got->pose[k].theta : got->pose[k].x;
        largest = study_larger(largest, fabs(ours - theirs));
        range = fmax(range, fabs(theirs));
    }
    const char* name = is_angle ? "theta [rad]" : "x [m]";
    const double same = is_angle ? SAME_ANGLE : SAME;
    const double tolerance = s->as_published ? same : LINE_WIDTH * range;
    const char* why = s->as_published ? NULL : MASK;
    study_judge_difference(s, memory_format("%s: largest difference of %s", who, name), WK_CODE,
                           largest, tolerance, why);
    study_judge(s, memory_format("%s: at the end, %s", who, name), WK_CODE, theirs, ours, tolerance,
                why);
}

static void judge(study* s, figure f, int law, const track* got)
{
    const char* name =
        memory_format("wk/drift_%s_%s_%s", f.is_normal ? "normal" : "tangential",
                      f.is_distributed ? "dist" : "red", law == LUGRE ? "lugre" : "ep");
    const char* who = law == LUGRE ? "LuGre" : "elasto-plastic";
    if (!reference_exists(name)) {
        study_lack(s, who);
        return;
    }
    const reference to = reference_read(name);
    judge_curve(s, who, false, &to, got);
    judge_curve(s, who, true, &to, got);
}

// Is the mask the reason? A disc with the same r ends close to the published run.
static void show_mask(study* s, figure f)
{
    const char* name = memory_format("wk/drift_%s_%s_lugre", f.is_normal ? "normal" : "tangential",
                                     f.is_distributed ? "dist" : "red");
    const reference to = reference_read(name);
    const br_pose end = run(f, (model){false, SIZE * WK_MASK_RADIUS}, LUGRE)->pose[ROWS - 1];
    const char* which = "LuGre, a disc with the mask's r (radius 23.8 mm): at the end,";
    study_show(s, memory_format("%s x [m]", which), WK_CODE,
               reference_number(&to, to.rows - 1, "px"), end.x);
    study_show(s, memory_format("%s theta [rad]", which), WK_CODE,
               reference_number(&to, to.rows - 1, "theta"), end.theta);
}

// The text's disc: 50 mm is its radius there, its diameter in the code (docs/explanation/equations.md, W-disc).
static void show_printed_radius(study* s, figure f)
{
    for (int law = LUGRE; law <= ELASTO_PLASTIC; law++) {
        const track* got = run(f, (model){false, SIZE}, law);
        study_show_own(s,
                       memory_format("with the text's radius of 50 mm, %s: x at the end [m]",
                                     law == LUGRE ? "LuGre" : "elasto-plastic"),
                       got->pose[ROWS - 1].x);
    }
}

// Measured in the published figure itself.
static void judge_figure6(study* s, const track* lugre, const track* plastic)
{
    const br_pose a = plastic->pose[ROWS - 1], b = lugre->pose[ROWS - 1];
    const source from = source_figure("Fig 6 (vector curves of the authors' PDF), read to 1e-4");
    const char* why = s->as_published ? NULL : MASK;
    study_judge(s, "x at the end, elasto-plastic over LuGre [-]", from, 0.2270, a.x / b.x, 1e-4,
                why);
    study_judge(s, "theta at the end, elasto-plastic over LuGre [-]", from, 0.30302,
                a.theta / b.theta, 1e-4, why);
}

static void write_script(const study* s, const void* data, FILE* to)
{
    const figure* f = data;
    study_write_block("data", &s->rows, to);
    fprintf(to,
            "set multiplot layout 4,1 title %s margins 0.13,0.97,0.07,0.94 spacing 0,0.025\n"
            "set xrange [0:5]\nset format x ''\nset ylabel '%s'\n"
            "plot $data using 1:%d with lines title '%s'\nset ylabel 'load tau [N m]'\n"
            "plot $data using 1:3 with lines title 'torque'\n",
            plot_quote(s->item->title), f->is_normal ? "f_N [N]" : "load f_x [N]",
            f->is_normal ? 4 : 2, f->is_normal ? "normal force" : "force");
    fputs("set ylabel 'x [um]'\nset key top left\n"
          "plot $data using 1:(1e6*$5) with lines title 'LuGre', $data using 1:(1e6*$7) with lines "
          "title 'elasto-plastic'\n"
          "set format x '%g'\nset xlabel 't [s]'\nset ylabel 'theta [mrad]'\n"
          "plot $data using 1:(1e3*$6) with lines title 'LuGre', $data using 1:(1e3*$8) with lines "
          "title 'elasto-plastic'\nunset multiplot\n",
          to);
}

static void make(study* s, figure f)
{
    const model m = {s->as_published, 0.5 * SIZE};
    const track* lugre = run(f, m, LUGRE);
    const track* plastic = run(f, m, ELASTO_PLASTIC);
    judge(s, f, LUGRE, lugre);
    judge(s, f, ELASTO_PLASTIC, plastic);
    if (f.is_distributed && !f.is_normal) {
        judge_figure6(s, lugre, plastic);
    }
    if (!s->as_published) {
        show_mask(s, f);
        show_printed_radius(s, f);
    }
    study_note(s, "LuGre bristles creep to x = %.3f um, elasto-plastic ones stay at %.3f um.",
               1e6 * lugre->pose[ROWS - 1].x, 1e6 * plastic->pose[ROWS - 1].x);
    study_table(s, columns);
    for (size_t i = 0; i < ROWS; i++) {
        const double t = HOLD * (double)i;
        const loads l = loads_at(f.is_normal, t);
        const double row[] = {t + HOLD,
                              l.fx,
                              l.tau,
                              l.fn,
                              lugre->pose[i].x,
                              lugre->pose[i].theta,
                              plastic->pose[i].x,
                              plastic->pose[i].theta};
        table_append(&s->rows, row);
    }
    study_write_table(s);
    study_draw(s, 800, 860, write_script, &f);
}

void wk_fig6(study* s)
{
    make(s, (figure){true, false});
}

void wk_fig23(study* s)
{
    make(s, (figure){false, false});
}

void wk_fig24(study* s)
{
    make(s, (figure){true, true});
}

void wk_fig25(study* s)
{
    make(s, (figure){false, true});
}
