/*
 * Everyday scenes: each runs, agrees with the oracle, keeps its energy, and does not depend on axes,
 * handedness or units.
 *
 *   test-scenes COUNT SEED [FIRST]     scenes FIRST .. FIRST + COUNT - 1
 *   test-scenes print SEED INDEX       the scenario of a scene
 *   test-scenes show SEED INDEX        both motions of a scene, beside each other
 *   test-scenes rows SEED INDEX        its table by the C interface, for those of other interfaces
 *
 * Oracle: a simulator of its own (oracle.h). What a model states as its error of force (docs/
 * explanation/models.md) becomes an error of motion by running the oracle with that much more and
 * less friction, and with larger and smaller patches: what these four runs differ by is allowed. So
 * a scene that friction decides narrowly has a wide tolerance, and any other a narrow one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bristle/scenario.h"
#include "oracle.h"

// processor time of a run [s]: most take milliseconds, so only a run that does not end gets there
static const double most_seconds = 20;

static const oracle_def fine = {
    .points = 120, .deflection = 5e-6, .damping = 1, .mu_factor = 1, .size_factor = 1};

// what bristle computes of a scene
typedef struct result {
    oracle_rows rows;
    double residual; // largest error of the energy balance [J]
    double turned;   // energy that was turned over [J]
    double gained;   // largest decrease of the dissipated energy between rows [J]
    double seconds;
    clock_t start;
    char problem[400];
} result;

typedef struct tally {
    size_t scenes, failed, narrow;
    size_t wrong, noticed; // scenes that ran again with wrong friction, and those that showed it
    size_t refined;        // comparisons that were made again with smaller errors of time
    double worst_oracle, worst_turn, worst_mirror, worst_units, worst_energy, slowest;
    double oracle_seconds;
    size_t slowest_index;
} tally;

// --- running --------------------------------------------------------------------------------------

static bool is_too_long(double t, void* user)
{
    (void)t;
    const result* of = user;
    return (double)(clock() - of->start) / CLOCKS_PER_SEC > most_seconds;
}

static double cell(const br_table* table, size_t row, const char* column)
{
    size_t columns;
    br_table_get_columns(table, &columns);
    const size_t at = br_table_find_column(table, column);
    return at < columns ? br_table_get_rows(table)[row * columns + at] : (double)NAN;
}

static void take_energy(const br_table* table, result* out)
{
    static const char* const works[] = {"work_loads", "work_gravity", "work_normal",
                                        "work_contacts"};
    double before[4] = {0};
    out->turned = cell(table, 0, "kinetic") + cell(table, 0, "stored");
    for (size_t row = 0; row <= SCENE_ROWS; row++) {
        for (size_t i = 0; i < 4; i++) {
            const double work = cell(table, row, works[i]);
            out->turned += fabs(work - before[i]);
            before[i] = work;
        }
        out->residual = fmax(out->residual, fabs(cell(table, row, "residual")));
        if (row > 0) {
            const double lost = cell(table, row, "dissipated") - cell(table, row - 1, "dissipated");
            out->gained = fmax(out->gained, -lost);
        }
    }
}

static void take_rows(const br_table* table, result* out)
{
    static const char* const names[] = {"x", "y", "theta", "vx", "vy", "w"};
    if (br_table_get_row_count(table) != SCENE_ROWS + 1) {
        snprintf(out->problem, sizeof out->problem, "%zu rows", br_table_get_row_count(table));
        return;
    }
    size_t columns;
    const br_column* column = br_table_get_columns(table, &columns);
    for (size_t row = 0; row <= SCENE_ROWS; row++) {
        for (size_t i = 0; i < 6; i++) {
            out->rows.at[row][i] = cell(table, row, names[i]);
        }
        for (size_t i = 0; i < columns; i++) {
            if (!isfinite(br_table_get_rows(table)[row * columns + i])) {
                snprintf(out->problem, sizeof out->problem, "%s is not finite", column[i].name);
            }
        }
    }
    take_energy(table, out);
}

static char* scene_text(const scene* of)
{
    FILE* file = tmpfile();
    if (file == NULL) {
        abort();
    }
    scene_write(of, file);
    const long length = ftell(file);
    char* text = calloc((size_t)length + 1, 1);
    rewind(file);
    if (text == NULL || fread(text, 1, (size_t)length, file) != (size_t)length) {
        abort();
    }
    fclose(file);
    return text;
}

static void run_read(const br_scenario* scenario, result* out)
{
    br_scenario_watch watch = br_scenario_watch_default();
    watch.stop = is_too_long;
    watch.user = out;
    br_table* table = NULL;
    br_reason why = {0};
    const br_status status = br_scenario_run(scenario, &watch, &table, &why);
    if (status != BR_OK) {
        snprintf(out->problem, sizeof out->problem, "%s: %s: %s", br_status_get_text(status),
                 why.field, why.text);
    } else {
        take_rows(table, out);
    }
    br_table_destroy(table);
}

static void scene_run(const scene* of, result* out)
{
    memset(out, 0, sizeof *out);
    out->start = clock();
    char* text = scene_text(of);
    br_scenario* scenario = NULL;
    if (br_scenario_read_text(text, "scene", NULL, &scenario) == BR_OK) {
        run_read(scenario, out);
    } else {
        const br_scenario_error* error = br_scenario_get_error(scenario, 0);
        snprintf(out->problem, sizeof out->problem, "%s: %s", error->key, error->text);
    }
    br_scenario_destroy(scenario);
    free(text);
    out->seconds = (double)(clock() - out->start) / CLOCKS_PER_SEC;
}

// --- errors ---------------------------------------------------------------------------------------

// relative error of the friction force that docs/explanation/models.md states for a model, and 0.5 %
// for the points of the oracle
static double stated_error(const contact* of)
{
    static const double errors[] = {[MODEL_BLOCKS] = 0.009,
                                    [MODEL_DISTRIBUTED] = 0.002,
                                    [MODEL_REDUCED] = 0.08,
                                    [MODEL_ELLIPSOID] = 0.16};
    // cells of a pressure grid are used as given: a fourth of its side is a coarse cell
    const double cells = of->patch.shape == SHAPE_GRID ? 0.015 : 0;
    // cells and points on an edge of the field are on one side of it
    const double edge = of->law.field.is ? 0.01 : 0;
    // the figures of reduced models are of patches with an area; points and lines are twice as far from them
    const bool is_thin = of->patch.shape == SHAPE_POINTS || of->patch.shape == SHAPE_LINE;
    double thin = is_thin && of->model >= MODEL_REDUCED ? errors[of->model] : 0;
    // rotation about a point of a line or ring: half of the largest error in the table of models.md, since it passes
    const bool is_curve = of->patch.shape == SHAPE_LINE || of->patch.shape == SHAPE_RING;
    if (is_curve && of->model == MODEL_BLOCKS) {
        thin = of->blocks < 5 ? 0.025 : 0.015;
    } else if (is_curve && of->model == MODEL_DISTRIBUTED) {
        thin = of->patch.shape == SHAPE_LINE ? 0.014 : 0.004;
    }
    return errors[of->model] + thin + (of->law.alone ? 0.016 : 0) + cells + edge + 0.005;
}

static double scene_error(const scene* of)
{
    double most = 0;
    for (int i = 0; i < of->contact_count; i++) {
        most = fmax(most, stated_error(&of->contacts[i]));
    }
    return most;
}

// the deflection at which bristles break away [m]; by mu alone 2 um per mm of the patch's mean radius, of a
// point 1 mm, at most 50 um
static double deflection(const contact* of)
{
    if (!of->law.alone) {
        return of->law.mu_s / of->law.sigma0;
    }
    oracle_patch points;
    oracle_sample(&of->patch, 144, &points);
    return points.radius > 0 ? fmin(50e-6, 2e-3 * points.radius) : 2e-6;
}

static double largest_deflection(const scene* of)
{
    double most = 0;
    for (int i = 0; i < of->contact_count; i++) {
        most = fmax(most, deflection(&of->contacts[i]));
    }
    return most;
}

/*
 * The oracle runs a second time with fewer points, longer steps, and springs that are as soft as the
 * bristles and more: what this changes is allowed twice. Bristles approach their limit over some three deflections.
 */
static oracle_def coarse_def(const scene* of, oracle_def with)
{
    with.points = 64;
    with.long_steps = true;
    with.deflection = fmax(20e-6, 3 * largest_deflection(of));
    return with;
}

// the length that turns an angle into a distance
static double gyration(const scene* of)
{
    return sqrt(of->inertia / of->mass);
}

static double distance(const double* a, const double* b, double radius)
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), radius * (a[2] - b[2]));
}

// the largest difference of two motions of the oracle at each row is added to what is allowed
static void add_difference(const scene* of, oracle_def changed, const oracle_rows* base,
                           double* most)
{
    oracle_rows rows;
    const oracle_def coarse = coarse_def(of, changed);
    oracle_run(of, &coarse, &rows);
    for (int row = 0; row <= SCENE_ROWS; row++) {
        most[row] = fmax(most[row], distance(rows.at[row], base->at[row], gyration(of)));
    }
}

// what the oracle's motion changes by if friction is off by its stated error, in any direction, or if bristles are damped
// otherwise before they slide
static void add_spread(const scene* of, const oracle_rows* base, double* allowed)
{
    const double e = scene_error(of);
    const oracle_def same = {.damping = 1, .mu_factor = 1, .size_factor = 1};
    oracle_def changed[4][2] = {{same, same}, {same, same}, {same, same}, {same, same}};
    changed[0][0].mu_factor = 1 + e;
    changed[0][1].mu_factor = 1 - e;
    changed[1][0].size_factor = 1 + e;
    changed[1][1].turn = e;
    changed[2][0].offset[0] = e;
    changed[2][1].offset[1] = e;
    changed[3][0].damping = 0.2;
    changed[3][1].damping = 3;
    for (size_t i = 0; i < 4; i++) {
        double most[SCENE_ROWS + 1] = {0};
        add_difference(of, changed[i][0], base, most);
        add_difference(of, changed[i][1], base, most);
        for (int row = 0; row <= SCENE_ROWS; row++) {
            allowed[row] += most[row];
        }
    }
}

/*
 * The fixed part of what is allowed: three deflections of bristles, which a contact builds up at each
 * reversal, and for fixed steps of h the distance of half a step at the scene's speed.
 */
static double fixed_part(const scene* of, const oracle_rows* rows)
{
    const double most = fmax(fine.deflection, largest_deflection(of));
    double speed = 0;
    for (int row = 0; row <= SCENE_ROWS; row++) {
        speed = fmax(speed, hypot(hypot(rows->at[row][3], rows->at[row][4]),
                                  gyration(of) * rows->at[row][5]));
    }
    // the depth of the tip: the oracle's force acts in the middle of it, bristle's at the edge
    double depth = 0;
    for (int i = 0; i < of->contact_count && of->pusher.is; i++) {
        depth += of->contacts[i].law.mu_s * wave_largest(&of->contacts[i].normal, of->duration) /
                 of->pusher.stiffness;
    }
    return 3 * most + speed * of->step / 2 + depth;
}

// --- checks ---------------------------------------------------------------------------------------

typedef struct checked {
    const scene* of;
    uint64_t index;
    tally* into;
    bool failed;
} checked;

static void complain(checked* in, const char* what, double value, double allowed)
{
    printf("scene %llu (%s): %s: %.3g, at most %.3g\n", (unsigned long long)in->index, in->of->kind,
           what, value, allowed);
    in->failed = true;
}

static double travelled(const oracle_rows* rows, double radius)
{
    double sum = 0;
    for (int row = 1; row <= SCENE_ROWS; row++) {
        sum += distance(rows->at[row], rows->at[row - 1], radius);
    }
    return sum;
}

// the oracle's motion, and what a result may differ from it by at each row [m]
typedef struct expected {
    oracle_rows exact;
    double allowed[SCENE_ROWS + 1];
    bool is_narrow; // friction at its limit decides whether and when it slips
} expected;

static void expect_motion(const scene* of, expected* out)
{
    oracle_rows base;
    const oracle_def coarse = coarse_def(of, fine);
    memset(out->allowed, 0, sizeof out->allowed);
    oracle_run(of, &fine, &out->exact);
    oracle_run(of, &coarse, &base);
    add_spread(of, &base, out->allowed);
    const double fixed = fixed_part(of, &out->exact);
    for (int row = 0; row <= SCENE_ROWS; row++) {
        out->allowed[row] += fixed + 2 * distance(out->exact.at[row], base.at[row], gyration(of));
    }
    out->is_narrow = out->allowed[SCENE_ROWS] > 0.3 * travelled(&out->exact, gyration(of));
}

// the largest share of what is allowed that a result is off by, and the row of it
static double share_off(const scene* of, const expected* right, const result* ours, int* at)
{
    double worst = 0;
    *at = 0;
    for (int row = 0; row <= SCENE_ROWS; row++) {
        const double off = distance(ours->rows.at[row], right->exact.at[row], gyration(of));
        if (off / right->allowed[row] > worst) {
            worst = off / right->allowed[row];
            *at = row;
        }
    }
    return worst;
}

// a check of the check: does a friction coefficient that is wrong by 15 % show?
static void check_notices(checked* in, const expected* right)
{
    scene wrong = *in->of;
    for (int i = 0; i < wrong.contact_count; i++) {
        wrong.contacts[i].law.mu_c *= 1.15;
        wrong.contacts[i].law.mu_s *= 1.15;
    }
    result theirs;
    int row;
    scene_run(&wrong, &theirs);
    in->into->wrong++;
    in->into->noticed += share_off(in->of, right, &theirs, &row) > 1;
}

/*
 * The scene with an eighth of its steps, and a thousandth of its tolerance. What fails is compared again in these: a fixed step
 * finds a reversal of sliding within itself, and an unstable motion enlarges any error of time. So only what remains of the
 * difference is an error of the model. How far the first comparison may be off is bounded, too.
 */
static scene refined(checked* in)
{
    scene out = *in->of;
    out.step /= 8;
    out.rtol *= 1e-3;
    in->into->refined++;
    return out;
}

/* Oracle: the simulator of oracle.c. */
static void check_oracle(checked* in, const result* ours)
{
    expected right;
    int row;
    const clock_t start = clock();
    expect_motion(in->of, &right);
    in->into->oracle_seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
    // where friction decides narrowly, the spread is no more than an order of magnitude
    const double limit = right.is_narrow ? 3 : 1;
    double worst = share_off(in->of, &right, ours, &row);
    if (worst > limit && worst <= 10 * limit) {
        const scene finer = refined(in);
        result better;
        scene_run(&finer, &better);
        worst = share_off(in->of, &right, &better, &row);
    }
    in->into->narrow += right.is_narrow;
    in->into->worst_oracle = fmax(in->into->worst_oracle, right.is_narrow ? 0 : worst);
    if (!(worst <= limit)) {
        complain(in, "distance from the oracle [m]", worst * right.allowed[row],
                 right.allowed[row]);
    }
    if (!right.is_narrow && scene_error(in->of) < 0.05 && !in->of->pusher.is) {
        check_notices(in, &right);
    }
}

static bool is_reduced(const scene* of)
{
    bool any = false;
    for (int i = 0; i < of->contact_count; i++) {
        any = any || of->contacts[i].model >= MODEL_REDUCED;
    }
    return any;
}

/*
 * Oracle: the balance itself. An adaptive run is warned of at 1 % (docs/reference/keys.md); a fixed
 * step balances by construction, to rounding and the tolerance of its iteration.
 */
static void check_energy(checked* in, const result* ours)
{
    const double allowed = (in->of->step > 0 ? 1e-6 : 1e-2) * ours->turned + 1e-12;
    in->into->worst_energy = fmax(in->into->worst_energy, ours->residual / allowed);
    if (!(ours->residual <= allowed)) {
        complain(in, "error of the energy balance [J]", ours->residual, allowed);
    }
    // an adaptive run of a reduced contact has no guard, as published (docs/explanation/steps.md)
    if (!(ours->gained <= 1e-2 * allowed + 1e-12) && (in->of->step > 0 || !is_reduced(in->of))) {
        complain(in, "energy gained by friction [J]", ours->gained, 1e-2 * allowed);
    }
}

// the largest distance between two results, over what they may differ by
static double compare(const scene* of, const result* a, const result* b, double allowed)
{
    double most = 0;
    for (int row = 0; row <= SCENE_ROWS; row++) {
        most = fmax(most, distance(a->rows.at[row], b->rows.at[row], gyration(of)));
    }
    return most / allowed;
}

// undo the change of axes, mirror and units of a result
static void undo(result* of, double angle, bool mirror, double length)
{
    for (int row = 0; row <= SCENE_ROWS; row++) {
        double* x = of->rows.at[row];
        const double c = cos(angle), s = sin(angle), px = x[0], py = x[1];
        x[0] = length * (c * px + s * py);
        x[1] = length * (mirror ? -1 : 1) * (-s * px + c * py);
        x[2] = (mirror ? -1 : 1) * (x[2] - angle);
    }
}

// a change of axes, handedness or units: `angle`, `mirror` and `length` undo it
typedef struct change {
    const char* name;
    double angle;
    bool mirror;
    double length;
    scene (*make)(const scene* of, const struct change* by);
    double mass;
} change;

static scene make_turned(const scene* of, const change* by)
{
    return scene_turn(of, by->angle);
}

static scene make_mirrored(const scene* of, const change* by)
{
    (void)by;
    return scene_mirror(of);
}

// weight is 9.81 m/s^2 in any unit: keep length/time^2
static scene make_scaled(const scene* of, const change* by)
{
    return scene_scale(of, by->mass, by->length, sqrt(by->length));
}

// the distance between a scene's motion and that of the changed one, over what is allowed
static double changed_by(const scene* of, const result* ours, const change* by, double allowed,
                         char* problem)
{
    const scene changed = by->make(of, by);
    result other;
    scene_run(&changed, &other);
    memcpy(problem, other.problem, sizeof other.problem);
    undo(&other, by->angle, by->mirror, by->length);
    return compare(of, ours, &other, allowed);
}

// Blocks are cut without regard to sides, so that mirrored ones on a field differ by their stated error.
static double mirror_error(const scene* of)
{
    double most = 0;
    for (int i = 0; i < of->contact_count; i++) {
        const contact* foot = &of->contacts[i];
        if (foot->model == MODEL_BLOCKS && foot->law.field.is) {
            most = fmax(most, stated_error(foot));
        }
    }
    return most;
}

static double check_changed(checked* in, const result* ours, const change* by)
{
    // an adaptive run that takes other steps differs by its own error, some hundred tolerances
    const double share_allowed = 2e-4 + (by->mirror ? mirror_error(in->of) : 0);
    const double allowed =
        share_allowed * travelled(&ours->rows, gyration(in->of)) + (in->of->step > 0 ? 1e-8 : 2e-6);
    char problem[sizeof ours->problem];
    double share = changed_by(in->of, ours, by, allowed, problem);
    if (share > 1 && share <= 100 && problem[0] == '\0') {
        const scene finer = refined(in);
        result better;
        scene_run(&finer, &better);
        share = changed_by(&finer, &better, by, allowed, problem);
    }
    if (problem[0] != '\0') {
        printf("scene %llu (%s), %s: %s\n", (unsigned long long)in->index, in->of->kind, by->name,
               problem);
        in->failed = true;
        return (double)INFINITY;
    }
    if (!(share <= 1)) {
        complain(in, by->name, share * allowed, allowed);
    }
    return share;
}

// a law by mu alone has lengths and times of its own, a pusher's tip, too; fixed steps have order 2 up to 1 ms
static bool has_units(const scene* of, double time)
{
    bool alone = false;
    for (int i = 0; i < of->contact_count; i++) {
        alone = alone || of->contacts[i].law.alone;
    }
    return !alone && !of->pusher.is && (of->step <= 1e-3) == (of->step / time <= 1e-3);
}

/* Oracle: symmetry. Physics knows no axes, no left and right, and no units. */
static void check_changes(checked* in, const result* ours)
{
    uint64_t seed = in->index;
    const double angle = draw(&seed, 0.1, 3), length = draw(&seed, 0.2, 8);
    const double mass = draw(&seed, 0.1, 20);
    const change turned = {"change of axes [m]", angle, false, 1, make_turned, 1};
    const change mirrored = {"mirror [m]", 0, true, 1, make_mirrored, 1};
    const change scaled = {"change of units [m]", 0, false, length, make_scaled, mass};
    tally* into = in->into;
    into->worst_turn = fmax(into->worst_turn, check_changed(in, ours, &turned));
    into->worst_mirror = fmax(into->worst_mirror, check_changed(in, ours, &mirrored));
    if (has_units(in->of, sqrt(length))) {
        into->worst_units = fmax(into->worst_units, check_changed(in, ours, &scaled));
    }
}

static void check_scene(uint64_t seed, uint64_t index, tally* into)
{
    const scene of = scene_make(seed, index);
    checked in = {&of, index, into, false};
    result ours;
    scene_run(&of, &ours);
    into->scenes++;
    if (ours.problem[0] != '\0') {
        printf("scene %llu (%s): %s\n", (unsigned long long)index, of.kind, ours.problem);
        in.failed = true;
    } else {
        check_energy(&in, &ours);
        check_oracle(&in, &ours);
        check_changes(&in, &ours);
    }
    if (ours.seconds > into->slowest) {
        into->slowest = ours.seconds;
        into->slowest_index = index;
    }
    into->failed += in.failed;
    fflush(stdout);
}

// --- program --------------------------------------------------------------------------------------

static void show(const scene* of)
{
    result ours;
    oracle_rows exact;
    scene_run(of, &ours);
    oracle_run(of, &fine, &exact);
    printf("%s\n%12s %12s %12s %12s %12s %12s %12s\n", ours.problem, "t", "x", "oracle", "y",
           "oracle", "theta", "oracle");
    for (int row = 0; row <= SCENE_ROWS; row++) {
        printf("%12.5g", of->duration * row / SCENE_ROWS);
        for (int i = 0; i < 3; i++) {
            printf(" %12.6g %12.6g", ours.rows.at[row][i], exact.at[row][i]);
        }
        printf("\n");
    }
    printf("residual %.3g of %.3g J, %.3g s\n", ours.residual, ours.turned, ours.seconds);
}

static void print_table(const br_table* table)
{
    size_t columns;
    const br_column* column = br_table_get_columns(table, &columns);
    for (size_t i = 0; i < columns; i++) {
        printf("%s%s", column[i].name, i + 1 < columns ? "," : "\n");
    }
    for (size_t i = 0; i < br_table_get_row_count(table) * columns; i++) {
        printf("%.17g%s", br_table_get_rows(table)[i], (i + 1) % columns ? "," : "\n");
    }
}

static void print_rows(const scene* of)
{
    char* text = scene_text(of);
    br_scenario* scenario = NULL;
    br_table* table = NULL;
    if (br_scenario_read_text(text, "scene", NULL, &scenario) != BR_OK ||
        br_scenario_run(scenario, NULL, &table, NULL) != BR_OK) {
        abort();
    }
    print_table(table);
    br_table_destroy(table);
    br_scenario_destroy(scenario);
    free(text);
}

static void report(const tally* of)
{
    printf(
        "%zu scenes, %zu failed, %zu narrowly decided (allowed error over 30 %% of the motion)\n",
        of->scenes, of->failed, of->narrow);
    printf("worst share of what is allowed: oracle %.2f, energy %.2g, axes %.2f, mirror %.2f, "
           "units %.2f\n",
           of->worst_oracle, of->worst_energy, of->worst_turn, of->worst_mirror, of->worst_units);
    printf("friction wrong by 15 %%: %zu of %zu scenes show it; %zu comparisons with finer steps\n",
           of->noticed, of->wrong, of->refined);
    printf("slowest run %.2f s (scene %zu); the oracle took %.1f s\n", of->slowest,
           of->slowest_index, of->oracle_seconds);
}

// what the command line asks for, of one scene; false: something else
static bool run_word(const char* word, const scene* of)
{
    if (strcmp(word, "print") == 0) {
        scene_write(of, stdout);
    } else if (strcmp(word, "show") == 0) {
        show(of);
    } else if (strcmp(word, "rows") == 0) {
        print_rows(of);
    } else {
        return false;
    }
    return true;
}

int main(int argc, char** argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s COUNT SEED [FIRST] | print|show|rows SEED INDEX\n", argv[0]);
        return 2;
    }
    if (argc == 4) {
        const scene of = scene_make(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
        if (run_word(argv[1], &of)) {
            return 0;
        }
    }
    const uint64_t count = strtoull(argv[1], NULL, 10), seed = strtoull(argv[2], NULL, 10);
    const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    tally into = {0};
    for (uint64_t index = first; index < first + count; index++) {
        check_scene(seed, index, &into);
    }
    report(&into);
    // of few scenes, too few may show it
    return into.failed > 0 || (into.wrong >= 20 && 10 * into.noticed < 7 * into.wrong);
}
