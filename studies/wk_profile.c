/*
 * W&K's figures of models that follow the velocity profile of Fig 5: the distributed and the
 * reduced model.
 *
 * The published protocol: 21 x 21 cells, the profile constant over intervals of 10 ms, the wrench
 * at the end of each interval, the published table of the limit surface. Ours: shapes instead of
 * cells where possible, the smooth table of the exact surface; the same profile and samples. If the
 * reduced model has its limit surface, the continuous profile is also followed, with both laws and
 * both parameter sets.
 */
#include "wk_profile.h"

#include <math.h>

#include "memory.h"
#include "plot.h"
#include "reference.h"
#include "wk.h"

// Which reduced model is compared with the distributed one.
typedef enum beside { NOTHING, ELLIPSOID, LIMIT_SURFACE } beside;

static const char* const columns[] = {"t",     "vx",   "vy",   "w",     "fx_d", "fy_d",
                                      "tau_d", "fx_r", "fy_r", "tau_r", NULL};

// One experiment.
typedef struct experiment {
    wk_shape shape;
    beside model;
} experiment;

// Forces within 1e-5 N and torques within 1e-5 of the largest one: the accuracy of the reference.
static const double CLOSE = 1e-5;

// Width of a line in the printed figure over the largest value: tolerance for our variant.
static const double LINE_WIDTH = 0.01;

enum { SAMPLES = 500 };
static const double HOLD = 0.01; // [s]

// Protocol of an experiment.
typedef struct protocol {
    bool as_published; // cells and tables; or ours
    bool is_stepwise;  // the profile is constant over 10 ms
    int p;             // Table I
    bool is_elasto_plastic;
} protocol;

// is_stepwise: row i is the end of the interval [i, i + 1] HOLD, with the velocity at its start.
// Otherwise row i is at i HOLD, within the motion, which needs a smaller tolerance.
static wk_motion_row* run(br_motion motion, protocol how)
{
    return wk_run_motion(motion, (wk_samples){how.is_stepwise ? HOLD : 0, HOLD, SAMPLES,
                                              how.is_stepwise ? 1e-7 : 1e-9});
}

static br_motion create_motion(protocol how)
{
    return wk_motion((br_vec2){0, 0}, how.is_stepwise ? HOLD : 0);
}

static void add_rows(table* to, const wk_motion_row* d, const wk_motion_row* r)
{
    for (size_t i = 0; i < SAMPLES; i++) {
        const double t = HOLD * (double)i;
        const br_wrench f = r ? r[i].f : (br_wrench){0, 0, 0};
        const double row[] = {t,         d[i].v.vx,  d[i].v.vy, d[i].v.w, d[i].f.fx,
                              d[i].f.fy, d[i].f.tau, f.fx,      f.fy,     f.tau};
        table_append(to, row);
    }
}

static const br_patch* create_patch(experiment e, protocol how)
{
    return how.as_published ? wk_grid(e.shape, WK_CELLS, 0) : wk_exact_patch(e.shape);
}

static wk_motion_row* run_reduced(experiment e, protocol how)
{
    const br_law law = wk_law(how.p, how.is_elasto_plastic);
    const br_patch* patch = create_patch(e, how);
    const br_limit_method method = how.as_published ? BR_LIMIT_PUBLISHED : BR_LIMIT_SMOOTH;
    br_motion motion = create_motion(how);
    motion.contact = e.model == ELLIPSOID ? wk_ellipsoid(patch, law, how.as_published)
                                          : wk_reduced(patch, law, method, WK_NODES);
    return run(motion, how);
}

// Fill a table of one protocol.
static table compute(experiment e, protocol how)
{
    br_motion motion = create_motion(how);
    motion.contact =
        wk_distributed(create_patch(e, how), wk_law(how.p, how.is_elasto_plastic), WK_CELLS);
    const wk_motion_row* d = run(motion, how);
    const wk_motion_row* r = e.model == NOTHING ? NULL : run_reduced(e, how);
    table rows = table_create(columns);
    add_rows(&rows, d, r);
    return rows;
}

// Largest and root mean square difference of a column from the reference.
typedef struct distance {
    double largest, rms, scale; // scale: largest reference value
} distance;

static distance compare(const table* rows, size_t column, const reference* to, const char* name)
{
    distance d = {0, 0, 0};
    for (size_t i = 0; i < to->rows; i++) {
        const size_t row = (size_t)lround(reference_number(to, i, "t") / HOLD);
        if (row >= rows->rows) {
            continue; // t = 5 s, only without intervals
        }
        const double theirs = reference_number(to, i, name);
        const double off = fabs(table_row(rows, row)[column] - theirs);
        d.largest = study_larger(d.largest, off);
        d.rms += off * off / (double)to->rows;
        d.scale = fmax(d.scale, fabs(theirs));
    }
    d.rms = sqrt(d.rms);
    return d;
}

// Reference numbers of a shape under the profile: of the authors' code, or of our own oracle.
typedef struct standard {
    const char* name; // NULL: none
    source from;
} standard;

static standard standard_of(wk_shape shape)
{
    const char* code = memory_format("wk/vel_zoh_%s_p1_ep", wk_shape_name(shape));
    const char* own = memory_format("oracle/vel_zoh_%s_p1_ep", wk_shape_name(shape));
    if (reference_exists(code)) {
        return (standard){code, WK_CODE};
    }
    return (standard){reference_exists(own) ? own : NULL,
                      source_oracle("test/golden/test_wk_oracle.c")};
}

// Why ours differs from the published cells.
static const char* reason_of(wk_shape shape)
{
    switch (shape) {
    case WK_CIRCLE:
        return "the published circle is a mask of 317 cells, 9.52 mm in radius (r = 6.36 mm); ours is "
               "a disc of 10 mm (r = 6.67 mm)";
    case WK_LINE_GRADIENT:
        return "the force of 21 cells in a line changes in steps as the CoR passes them; that of the "
               "line itself does not";
    default:
        return "the published table has kinks of 21 cells and 20 nodes; ours is smooth, of the exact "
               "surface";
    }
}

// Columns of the model in the reference: d distributed, r reduced, e ellipsoid.
static void judge_model(study* s, const table* rows, const reference* to, standard by,
                        wk_shape shape, size_t first, char model)
{
    static const char* const quantities[] = {"fx", "fy", "tau"};
    for (size_t q = 0; q < 3; q++) {
        const distance d =
            compare(rows, first + q, to, memory_format("%s_%c", quantities[q], model));
        const char* name = memory_format("%s of the %s model", quantities[q],
                                         model == 'd' ? "distributed" : "reduced");
        const bool is_torque = q == 2;
        if (s->as_published) {
            study_judge_difference(
                s, memory_format("%s, largest difference [%s]", name, is_torque ? "N m" : "N"),
                by.from, d.largest, is_torque ? CLOSE * d.scale : CLOSE, NULL);
        } else {
            study_judge_difference(s, memory_format("%s, rms difference [of the largest]", name),
                                   by.from, d.rms / d.scale, LINE_WIDTH, reason_of(shape));
        }
    }
}

static void judge(study* s, experiment e, const table* rows)
{
    const standard by = standard_of(e.shape);
    if (!by.name) {
        study_lack(s, "all curves");
        return;
    }
    const reference to = reference_read(by.name);
    judge_model(s, rows, &to, by, e.shape, 4, 'd');
    if (e.model != NOTHING) {
        judge_model(s, rows, &to, by, e.shape, 7, e.model == ELLIPSOID ? 'e' : 'r');
    }
}

// The continuous profile: largest differences over both laws and both parameter sets.
static void judge_continuous(study* s, experiment e)
{
    double force[2] = {0, 0}, torque[2] = {0, 0}; // distributed, reduced
    for (int i = 0; i < 4; i++) {
        const protocol how = {true, false, i / 2, i % 2};
        const reference to = reference_read(memory_format(
            "wk/vel_cont_%s_p%d_%s", wk_shape_name(e.shape), how.p, i % 2 ? "ep" : "lugre"));
        const table rows = compute(e, how);
        for (size_t model = 0; model < 2; model++) {
            const char name = "dr"[model];
            const distance x = compare(&rows, 4 + 3 * model, &to, memory_format("fx_%c", name));
            const distance y = compare(&rows, 5 + 3 * model, &to, memory_format("fy_%c", name));
            const distance w = compare(&rows, 6 + 3 * model, &to, memory_format("tau_%c", name));
            force[model] = study_larger(force[model], study_larger(x.largest, y.largest));
            torque[model] = study_larger(torque[model], w.largest / w.scale);
        }
    }
    for (size_t model = 0; model < 2; model++) {
        const char* who = model == 0 ? "distributed" : "reduced";
        study_judge_difference(
            s, memory_format("force of the %s model without a hold, largest difference [N]", who),
            WK_CODE, force[model], CLOSE, NULL);
        study_judge_difference(s,
                               memory_format("tau of the %s model without a hold, largest "
                                             "difference [of the largest]",
                                             who),
                               WK_CODE, torque[model], CLOSE, NULL);
    }
}

// The velocities, in the first figure only.
static void write_velocities(FILE* to)
{
    fputs("set ylabel 'v [m/s]'\n"
          "plot $data using 1:2 with lines title 'v_x', $data using 1:3 with lines title 'v_y'\n"
          "set ylabel 'w [rad/s]'\n"
          "plot $data using 1:4 with lines title 'w'\n",
          to);
}

static void write_script(const study* s, const void* data, FILE* to)
{
    const experiment* e = data;
    const bool both = e->model != NOTHING;
    study_write_block("data", &s->rows, to);
    fprintf(to,
            "set multiplot layout %d,1 title %s margins 0.13,0.97,0.09,0.93 spacing 0,0.03\n"
            "set xrange [0:5]\nset format x ''\n",
            both ? 2 : 4, plot_quote(s->item->title));
    if (!both) {
        write_velocities(to);
    }
    fputs("set ylabel 'f [N]'\n"
          "plot $data using 1:5 with lines linetype 1 title 'f_x distributed',"
          " $data using 1:6 with lines linetype 3 title 'f_y distributed'",
          to);
    fputs(both ? ", $data using 1:8 with lines linetype 2 title 'f_x reduced',"
                 " $data using 1:9 with lines linetype 4 title 'f_y reduced'\n"
               : "\n",
          to);
    fputs("set format x '%g'\nset xlabel 't [s]'\nset ylabel 'tau [N m]'\n"
          "plot $data using 1:7 with lines linetype 1 title 'tau distributed'",
          to);
    fputs(both ? ", $data using 1:10 with lines linetype 2 title 'tau reduced'\n" : "\n", to);
    fputs("unset multiplot\n", to);
}

static void make(study* s, experiment e)
{
    s->rows = compute(e, (protocol){s->as_published, true, 1, true});
    judge(s, e, &s->rows);
    if (s->as_published && e.model == LIMIT_SURFACE &&
        reference_exists(memory_format("wk/vel_cont_%s_p1_ep", wk_shape_name(e.shape)))) {
        judge_continuous(s, e);
    }
    study_write_table(s);
    study_draw(s, 800, e.model == NOTHING ? 860 : 620, write_script, &e);
}

void wk_fig5(study* s)
{
    make(s, (experiment){WK_CIRCLE, NOTHING});
}

void wk_fig13(study* s)
{
    make(s, (experiment){WK_CIRCLE, ELLIPSOID});
}

void wk_fig17(study* s)
{
    make(s, (experiment){WK_CIRCLE, LIMIT_SURFACE});
}

void wk_fig19(study* s)
{
    make(s, (experiment){WK_LINE_GRADIENT, LIMIT_SURFACE});
}

void wk_fig20(study* s)
{
    make(s, (experiment){WK_NON_CONVEX_1, LIMIT_SURFACE});
}

void wk_fig21(study* s)
{
    make(s, (experiment){WK_NON_CONVEX_2, LIMIT_SURFACE});
}
