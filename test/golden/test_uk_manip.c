/*
 * The two-link arm on its parabola, in time, against independent results of high order. Argument:
 * the folder of the stored numbers.
 */
#include "bristle/math.h"
#include "bristle/mechanism.h"

#include "rows.h"
#include "table.h"

static const char* folder;

enum { MOST_EVENTS = 64 };

// What a run is held against, and how far off it was.
typedef struct follower {
    table rows, events;
    size_t next_row, next_event;
    double state, force, work; // largest differences
    double time;
} follower;

static double largest(double so_far, double value, double expected)
{
    return fmax(so_far, fabs(value - expected));
}

static void on_row(const double* row, void* user)
{
    follower* f = user;
    const double* x = f->rows.value[f->next_row];
    if (f->next_row >= f->rows.rows || fabs(row[0] - x[0]) > 1e-9) {
        return; // the stored table is thinner
    }
    f->next_row++;
    for (size_t i = 0; i < 2; i++) {
        f->state = largest(f->state, row[1 + i], x[1 + i]);
        f->state = largest(f->state, row[3 + i], x[3 + i]);
        f->state = largest(f->state, row[5 + i], x[5 + i]);
        f->force = largest(f->force, row[8 + i], x[10 + i]);
    }
    f->force = largest(f->force, number_of(row, "fn"), x[9]);
    f->work = largest(f->work, number_of(row, "work_applied"), x[12]);
    f->work = largest(f->work, number_of(row, "work_friction"), x[13]);
    assert_int_equal((int)number_of(row, "mode"), x[14] == 0.0);
}

// kinds of the stored tables: 0 stop, 1 slip_start, 2 fold
static void on_event(const br_run_event* event, void* user)
{
    follower* f = user;
    assert_true(f->next_event < f->events.rows);
    const double* x = f->events.value[f->next_event++];
    const br_event_kind stop = x[2] != 0.0 ? BR_EVENT_STICK : BR_EVENT_REVERSE;
    const br_event_kind kinds[] = {stop, BR_EVENT_SLIP, BR_EVENT_FOLD};
    assert_int_equal(event->kind, kinds[(int)x[1]]);
    f->time = largest(f->time, event->t, x[0]);
}

static br_two_link arm_of_the_paper(void)
{
    br_two_link arm = {.mass = {1.0, 1.0}, .length = {1.0, 2.0}, .gravity = 9.8, .beta = 0.25};
    // tau1 = 5 sin t, tau2 = 2
    arm.torque[0] =
        (br_profile){.kind = BR_PROFILE_SINE, .amplitude = 5.0, .frequency = 1.0 / (2.0 * BR_PI)};
    arm.torque[1] = br_profile_constant(2.0);
    return arm;
}

typedef struct manip {
    const char* name;
    double x, mu, mu_s;
    br_normal normal;
    double tolerance;
} manip;

static void follow(const manip* c)
{
    static follower f;
    char file[128];
    f = (follower){.next_row = 0};
    snprintf(file, sizeof file, "manip_%s.csv", c->name);
    table_read(&f.rows, folder, file);
    snprintf(file, sizeof file, "manip_%s_events.csv", c->name);
    table_read(&f.events, folder, file);

    const br_two_link arm = arm_of_the_paper();
    double q[2];
    assert_true(br_two_link_start(&arm, (br_vec2){c->x, 0.25 * c->x * c->x}, 0, q));
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = br_two_link_mechanism(&arm);
    def.q = q;
    def.law.mu_c = c->mu, def.law.mu_s = c->mu_s;
    def.normal = c->normal;
    br_run_def run = br_run_def_default();
    run.duration = 20.0, run.every = 0.01;
    const br_run_watch watch = {.size = sizeof(br_run_watch),
                                .start = take_columns,
                                .row = on_row,
                                .event = on_event,
                                .user = &f};
    br_mechanism_report report;
    br_reason why = {"", ""};
    if (br_mechanism_run(&def, &run, &watch, &report, &why) != BR_OK) {
        fail_msg("%s: %s %s", c->name, why.field, why.text);
    }
    print_message(
        "%-22s state %.1e force %.1e work %.1e time %.1e drift %.1e energy %.1e; %zu steps\n",
        c->name, f.state, f.force, f.work, f.time, report.drift, report.residual,
        report.cost.steps);
    assert_int_equal(f.next_row, f.rows.rows);
    assert_int_equal(f.next_event, f.events.rows);
    assert_true(f.state <= c->tolerance);
    assert_true(f.time <= c->tolerance);
    assert_true(f.work <= c->tolerance);
    assert_true(f.force <= c->tolerance);
    assert_true(report.drift <= 1e-10);
    assert_true(report.residual <= 1e-9);
}

// Oracle: independent program of high order. 1e-8 is the two programs' tolerances grown over 20 s; the
// fold, where friction jumps at a speed of zero, costs two digits.
static void arms_match(void** state)
{
    (void)state;
    static const manip all[] = {
        {"mu0.1_nofold_coupled", 1.2, 0.1, 0.1, BR_NORMAL_GEOMETRIC, 1e-8},
        {"mu0.1_nofold_paper", 1.2, 0.1, 0.1, BR_NORMAL_PAPER, 1e-8},
        {"mu0.3_mus0.4_coupled", 1.5, 0.3, 0.4, BR_NORMAL_GEOMETRIC, 1e-8},
        {"mu0.3_paper", 1.5, 0.3, 0.3, BR_NORMAL_PAPER, 1e-8},
        {"mu0.1_coupled", 1.5, 0.1, 0.1, BR_NORMAL_GEOMETRIC, 1e-6},
        {"mu0.1_paper", 1.5, 0.1, 0.1, BR_NORMAL_PAPER, 1e-6},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        follow(&all[i]);
    }
}

int main(int argc, char** argv)
{
    folder = argv[1];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arms_match),
    };
    return run_group(argc - 1, argv + 1, tests);
}
