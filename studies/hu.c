/*
 * H+'s figures: the end of a two-link arm slides repeatedly along the parabola y = x^2/4, mu = 0.1.
 *
 *   Fig 3   a block on a floor: the forces of (39) and (40)
 *   Fig 5   normal force        Fig 6   x and friction along x        Fig 7   y and friction along y
 *
 * Two normal forces: the printed one (19), which ignores friction, and the correct one. The paper
 * does not print the initial state; ours is at rest at x = 1.2 m and never folds the arm. Both
 * variants of this command are the same.
 */
#include "hu.h"

#include <math.h>

#include "bristle/constrained.h"
#include "bristle/mechanism.h"
#include "memory.h"
#include "message.h"
#include "plot.h"
#include "reference.h"
#include "rows.h"

enum { ROWS = 2001, MODELS = 2, WIDTH = 5 }; // columns of a model: x, y, N, Fx, Fy

static const double EVERY = 0.01; // [s]

static const br_normal normals[MODELS] = {BR_NORMAL_GEOMETRIC, BR_NORMAL_PAPER};
static const char* const model_names[MODELS] = {"coupled", "paper"}; // in the reference numbers
static const char* const titles[MODELS] = {"friction acts on N", "N as printed"};

static const char* const columns[] = {
    "t", "x", "y", "N", "Fx", "Fy", "x_paper", "y_paper", "N_paper", "Fx_paper", "Fy_paper", NULL};

// A panel of a figure: a column of a model, its name in the reference numbers and its label.
typedef struct panel {
    int column;
    const char* name;
    const char* label;
} panel;

// A figure.
typedef struct figure {
    int count;
    panel panels[2];
} figure;

// The rows of a run.
typedef struct track {
    row_columns columns; // while it runs
    double rows[ROWS][WIDTH];
    size_t count;
    size_t reversals;
    double time_sticking; // [s]
} track;

static void on_row(const double* row, void* user)
{
    static const char* const kept[WIDTH] = {"x", "y", "fn", "fx", "fy"};
    track* to = user;
    for (int k = 0; k < WIDTH; k++) {
        to->rows[to->count][k] = row_number(&to->columns, row, kept[k]);
    }
    to->count++;
    to->time_sticking += row_number(&to->columns, row, "mode") > 0 ? EVERY : 0;
}

static void on_event(const br_run_event* event, void* user)
{
    track* to = user;
    to->reversals += event->kind == BR_EVENT_REVERSE;
}

static br_two_link create_arm(void)
{
    br_two_link arm = {.mass = {1, 1}, .length = {1, 2}, .gravity = 9.8, .beta = 0.25};
    arm.torque[0] = (br_profile){
        .kind = BR_PROFILE_SINE, .amplitude = 5, .frequency = 1 / (2 * BR_PI)}; // 5 sin t
    arm.torque[1] = br_profile_constant(2);
    return arm;
}

static track* run(br_normal normal)
{
    const br_two_link arm = create_arm();
    double q[2];
    br_two_link_start(&arm, (br_vec2){1.2, 0.25 * 1.2 * 1.2}, 0, q);
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = br_two_link_mechanism(&arm);
    def.q = q;
    def.law.mu_c = def.law.mu_s = 0.1;
    def.normal = normal;
    br_run_def how = br_run_def_default();
    how.duration = EVERY * (ROWS - 1);
    how.every = EVERY;
    track* got = memory_allocate(1, sizeof *got);
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = rows_start,
                                .row = on_row,
                                .event = on_event,
                                .user = got};
    br_reason why = {"", ""};
    if (br_mechanism_run(&def, &how, &watch, NULL, &why) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s: %s", why.field, why.text);
    }
    return got;
}

static void judge(study* s, const figure* f, int model, const track* got)
{
    const reference to =
        reference_read(memory_format("uk_friction/manip_mu0.1_nofold_%s", model_names[model]));
    for (int p = 0; p < f->count; p++) {
        double largest = 0;
        for (size_t i = 0; i < to.rows; i++) {
            const size_t k = (size_t)lround(reference_number(&to, i, "t") / EVERY);
            const double theirs = reference_number(&to, i, f->panels[p].name);
            largest = study_larger(largest, fabs(got->rows[k][f->panels[p].column] - theirs));
        }
        study_show_difference(
            s, memory_format("%s, %s: largest difference", titles[model], f->panels[p].label),
            source_oracle("test/golden/uk_friction, with the same start"), largest);
    }
}

// Error of the printed normal force, and the motion of the end.
static void describe(study* s, const track* const runs[MODELS])
{
    double smallest = HUGE_VAL, largest = 0, apart = 0;
    for (size_t i = 0; i < ROWS; i++) {
        const double n = fabs(runs[0]->rows[i][2]);
        smallest = fmin(smallest, n);
        largest = fmax(largest, n);
        apart = fmax(apart, fabs(runs[0]->rows[i][0] - runs[1]->rows[i][0]));
    }
    study_note(
        s,
        "The normal force varies between %.2f N and %.2f N; the end turns back %zu times and "
        "sticks for %.2f s of the 20 s. With the printed normal force the end is up to %.2g "
        "mm elsewhere.",
        smallest, largest, runs[0]->reversals, runs[0]->time_sticking, 1e3 * apart);
    study_note(s,
               "The paper prints neither where the arm starts nor mu_s, and no numbers of the "
               "curves, so this is shown, not judged. Assumed: at rest at x = 1.2 m, elbow down, "
               "mu_s = mu = 0.1 (docs/explanation/equations.md, H-start).");
}

static void write_script(const study* s, const void* data, FILE* to)
{
    const figure* f = data;
    study_write_block("data", &s->rows, to);
    fprintf(to,
            "set multiplot layout %d,1 title %s margins 0.13,0.97,%.3f,0.92 spacing 0,0.03\n"
            "set xrange [0:20]\nset format x ''\n",
            f->count, plot_quote(s->item->title), f->count == 1 ? 0.16 : 0.11);
    for (int p = 0; p < f->count; p++) {
        const int first = f->panels[p].column + 2;
        fprintf(to, "%sset ylabel %s\n",
                p + 1 < f->count ? "" : "set format x '%g'\nset xlabel 't [s]'\n",
                plot_quote(f->panels[p].label));
        fprintf(to,
                "plot $data using 1:(%s($%d)) with lines linetype 1 title '%s', $data using "
                "1:(%s($%d)) with lines linetype 2 title '%s'\n",
                f->panels[p].column == 2 ? "abs" : "", first, titles[0],
                f->panels[p].column == 2 ? "abs" : "", first + WIDTH, titles[1]);
    }
    fputs("unset multiplot\n", to);
}

static void make(study* s, figure f)
{
    const track* runs[MODELS];
    for (int model = 0; model < MODELS; model++) {
        runs[model] = run(normals[model]);
        judge(s, &f, model, runs[model]);
    }
    describe(s, runs);
    study_table(s, columns);
    for (size_t i = 0; i < ROWS; i++) {
        double row[1 + MODELS * WIDTH] = {EVERY * (double)i};
        for (int k = 0; k < MODELS * WIDTH; k++) {
            row[1 + k] = runs[k / WIDTH]->rows[i][k % WIDTH];
        }
        table_append(&s->rows, row);
    }
    study_write_table(s);
    study_draw(s, 800, f.count == 1 ? 420 : 620, write_script, &f);
}

// --- Fig 3: a block on a floor ---------------------------------------------------------------------

void hu_fig3(study* s)
{
    static const double mass = 2, g = 9.8, force = 3, mu = 0.25,
                        mu_s = 0.3; // [kg], [m/s^2], [N], [-]
    static const double M[] = {2, 0, 0, 2}, A[] = {0, 1}, b[] = {0}, J[] = {1, 0, 0, 1};
    const double Q[] = {force, -mass * g}, moves[] = {1, 0}, rests[] = {0, 0};
    static const char* const block_columns[] = {
        "mg", "N", "F", "friction_moving", "friction_resting", NULL};
    br_constrained block = {
        .n = 2, .m = 1, .d = 2, .M = M, .Q = Q, .A = A, .b = b, .J = J, .mu = mu, .mu_s = mu_s};
    double* work = memory_allocate(br_constrained_get_work(2, 1, 2), sizeof *work);
    br_constrained_value sliding, resting;
    block.qd = moves;
    br_constrained_eval(&block, work, &sliding);
    block.qd = rests;
    br_constrained_eval(&block, work, &resting);
    const source from = source_text("(39), (40) and what follows them");
    study_judge(s, "normal force, m g [N]", from, mass * g, sliding.f_n[1], 1e-13, NULL);
    study_judge(s, "friction of the moving block, -mu m g [N]", from, -mu * mass * g,
                sliding.f_c[0], 1e-13, NULL);
    study_judge(s, "friction of the resting block, -F [N]", from, -force, resting.f_s[0], 1e-13,
                NULL);
    study_note(
        s, "The figure is a schematic; judged are the forces that the text gives for it, with m "
           "= 2 kg, g = 9.8 m/s^2, F = 3 N, mu = 0.25, mu_s = 0.3.");
    study_table(s, block_columns);
    table_append(&s->rows,
                 (const double[]){mass * g, sliding.f_n[1], force, sliding.f_c[0], resting.f_s[0]});
    study_write_table(s);
}

void hu_fig5(study* s)
{
    make(s, (figure){1, {{2, "N", "normal force [N]"}}});
}

void hu_fig6(study* s)
{
    make(s, (figure){2, {{0, "x", "x [m]"}, {3, "Fx", "F_x [N]"}}});
}

void hu_fig7(study* s)
{
    make(s, (figure){2, {{1, "y", "y [m]"}, {4, "Fy", "F_y [N]"}}});
}
