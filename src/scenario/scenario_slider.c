/*
 * slider: a body with its equivalent contact point (ECP) slides, sticks, topples, is pushed.
 */
#include <math.h>

#include "bristle/pushing.h"
#include "bristle/slider.h"
#include "bristle/sliding.h"
#include "scenario/mappings.h"
#include "scenario/read_contact.h"
#include "scenario/source.h"

static const char help[] =
    "slider: a body with its equivalent contact point (Xie & Chakraborty)\n"
    "  columns t,x,y,theta,vx,vy,w,pt,po,pr,sigma,ax,ay,mode: pose and velocity of the centre of mass\n"
    "  (CoM), friction impulses of the step [N s, N m s], slip speed, contact point [m]; mode is\n"
    "  slide|stick|topple. quasistatic: pt,po,pr are friction over mu N [-, -, m]\n";

// The definition of the run, `pushed` if it is quasi-static, else `sliding`, and the data for it.
typedef struct slider_input {
    br_sliding sliding; // slider and start are those of both
    br_pushed pushed;
    bool is_quasistatic;
    br_outline* outline;   // of the body; NULL: not known
    double duration, step; // [s]
    size_t stride;         // steps per row
    size_t rows;           // of a run that is not stopped

    // as they are read
    patch_input patch, shape; // below the body; its outline
    bool ignores_topple;
    bool is_exact;      // limit surface of the quasi-static model
    double push_height; // above the support [m]; NaN: that of the CoM
    const char* file;   // of the pusher's path; NULL: none
    number_rows points; // t, x, y, the same
    csv path;           // t, x, y of the tip's centre, world frame
} slider_input;

// --- keys -----------------------------------------------------------------------------------------

static const double MAX_STEPS = 1e8;

enum { DEFAULT_STEPS = 200 };

static const map_key slider_keys[] = {
    KEY("mass", NUMBER, "kg", IN_POSITIVE, "", "of the body; not needed for quasistatic",
        AT(slider_input, sliding.slider.mass)),
    KEY("inertia", NUMBER, "kg m^2", IN_POSITIVE, "",
        "about the CoM; not needed for quasistatic and translation",
        AT(slider_input, sliding.slider.inertia)),
    KEY("height", NUMBER, "m", IN_NOT_NEGATIVE, DEFAULT, "of the CoM",
        AT(slider_input, sliding.slider.height)),
    KEY("mu", NUMBER, "-", IN_NOT_NEGATIVE, "", "friction; not needed for quasistatic",
        AT(slider_input, sliding.slider.mu)),
    KEY("e", NUMBERS, "-, -, m", IN_POSITIVE, "from the patch", "[e_t, e_o, e_r] of the ellipsoid",
        AT(slider_input, sliding.slider.e_t), COUNT(3)),
    KEY("gravity", NUMBER, "m/s^2", IN_POSITIVE, DEFAULT, "onto the plane",
        AT(slider_input, sliding.slider.gravity)),
    KEY("pose", NUMBERS, "m, m, rad", IN_ANY, DEFAULT, "x, y, theta of the CoM",
        AT(slider_input, sliding.start.q), COUNT(3)),
    KEY("velocity", NUMBERS, "m/s, m/s, rad/s", IN_ANY, DEFAULT, "vx, vy, w of the CoM",
        AT(slider_input, sliding.start.v), COUNT(3)),
    PLAIN_KEY("patch", PATCH, "", "what it stands on", AT(slider_input, patch),
              .maps = bri_keys_patches),
    PLAIN_KEY("topple", WORD, DEFAULT, "at toppling", AT(slider_input, ignores_topple), IS_FLAG,
              WORDS("stop", "ignore")),
    PLAIN_KEY("outline", PATCH, "the patch", "what a pusher touches", AT(slider_input, shape),
              .maps = bri_keys_patches),
    PLAIN_KEY("surface", WORD, DEFAULT, "limit surface of model: quasistatic",
              AT(slider_input, is_exact), IS_FLAG, WORDS("ellipsoid", "exact"))};
_Static_assert(offsetof(br_slider, e_o) == offsetof(br_slider, e_t) + sizeof(double) &&
                   offsetof(br_slider, e_r) == offsetof(br_slider, e_t) + 2 * sizeof(double),
               "e is read into all three");

static void set_default(void* to)
{
    slider_input* in = to;
    in->sliding = br_sliding_default();
    in->sliding.slider.mass = in->sliding.slider.inertia = in->sliding.slider.mu =
        1; // where they are not needed
    in->sliding.slider.height = 0;
    in->sliding.slider.gravity = 9.81;
    in->pushed = br_pushed_default();
    in->push_height = (double)NAN;
}

static void finish_slider(const node* map, void* to, bool is_good);
static const mapping slider_mapping =
    MAPPING_OF("slider", slider_keys, slider_input, set_default, finish_slider);

// After the keys of `push`, which follow those of `slider`.
static void finish_push(const node* map, void* to, bool is_good)
{
    (void)is_good;
    slider_input* in = to;
    const node* direction = bri_node_find(map, "direction");
    const double length = br_vec2_norm(in->sliding.direction);
    if (direction && direction->count == 2 && !(length > 0)) {
        bri_node_fail(direction, "must not be [0, 0]");
    }
    in->sliding.direction = br_vec2_scale(1 / length, in->sliding.direction);
    if (!isnan(in->push_height)) {
        in->sliding.lift = in->push_height - in->sliding.slider.height;
    }
}

static const map_key push_keys[] = {
    KEY("point", NUMBERS, "m", IN_ANY, REQUIRED, "where, body frame",
        AT(slider_input, sliding.point), COUNT(2)),
    KEY("direction", NUMBERS, "", IN_ANY, REQUIRED, "where to, body frame",
        AT(slider_input, sliding.direction), COUNT(2)),
    KEY("magnitude", PROFILE, "N", IN_ANY, REQUIRED, "how hard", AT(slider_input, sliding.push)),
    KEY("height", NUMBER, "m", IN_NOT_NEGATIVE, "the CoM's", "above the support",
        AT(slider_input, push_height))};
static const mapping push_mapping = MAPPING_OF("push", push_keys, slider_input, NULL, finish_push);

#define TIP_KEYS                                                                                   \
    KEY("radius", NUMBER, "m", IN_NOT_NEGATIVE, DEFAULT, "of the tip",                             \
        AT(slider_input, pushed.pushing.radius)),                                                  \
        KEY("mu", NUMBER, "-", IN_NOT_NEGATIVE, REQUIRED, "of the tip on the slider",              \
            AT(slider_input, pushed.pushing.mu))

static const map_key path_keys[] = {
    PLAIN_KEY("path", FILE, REQUIRED,
              "CSV with t,x,y of the tip's centre, world frame, which starts outside the slider",
              AT(slider_input, file)),
    TIP_KEYS};
static const mapping path_mapping = MAPPING("pusher along a path", path_keys, slider_input);

static const map_key points_keys[] = {KEY("points", ROWS, "s, m, m", IN_ANY, REQUIRED,
                                          "[[t, x, y], ...], t increasing: the path itself",
                                          AT(slider_input, points), COUNT(3)),
                                      TIP_KEYS};
static const mapping points_mapping = MAPPING("pusher along points", points_keys, slider_input);

static const map_key point_keys[] = {
    KEY("point", NUMBERS, "m", IN_ANY, REQUIRED, "where it sticks, world frame",
        AT(slider_input, pushed.point), COUNT(2)),
    KEY("velocity", NUMBERS, "m/s", IN_ANY, REQUIRED, "how it moves, world frame",
        AT(slider_input, pushed.velocity), COUNT(2))};
static const mapping point_mapping = MAPPING("pusher at a point", point_keys, slider_input);

// `model` first: the slider needs it.
#define ROOT_KEYS                                                                                  \
    PLAIN_KEY("slider", MAP, REQUIRED, "what moves", AT(slider_input, sliding),                    \
              MAPS(&slider_mapping)),                                                              \
        KEY("step", NUMBER, "s", IN_POSITIVE, "with a pusher's path: duration/200", "of time",     \
            AT(slider_input, step)),                                                               \
        KEY("duration", NUMBER, "s", IN_POSITIVE, "with a pusher's path: its last t",              \
            "how long it runs", OF_SCENARIO(run.duration)),                                        \
        RUN_KEYS(bri_keys_output, bri_keys_plot_magnified)

_Static_assert(offsetof(slider_input, sliding) == 0, "all blocks are read into the whole input");
static const map_key dynamic_keys[] = {
    PLAIN_KEY(
        "model", WORD, DEFAULT,
        "supports: not the contact point but the patch itself, in cells or as its support points, each with its own "
        "normal force and friction",
        AT(slider_input, sliding.model), WORDS("quadratic", "ncp", "translation", "supports"),
        VALUES(BR_SLIDING_QUADRATIC, BR_SLIDING_NCP, BR_SLIDING_TRANSLATION, BR_SLIDING_SUPPORTS),
        .is_tag = true),
    ROOT_KEYS,
    PLAIN_KEY("push", MAP, "", "a force on it", AT(slider_input, sliding), MAPS(&push_mapping))};
static const mapping dynamic_root =
    MAPPING_OF("slider scenario", dynamic_keys, slider_input, set_default, NULL);

static const map_key quasistatic_keys[] = {
    PLAIN_KEY("model", WORD, REQUIRED, "no inertia: it moves as it is pushed",
              AT(slider_input, is_quasistatic), IS_FLAG, WORDS("quasistatic"), .is_tag = true),
    ROOT_KEYS,
    PLAIN_KEY("pusher", MAP, REQUIRED, "what moves it", AT(slider_input, sliding),
              MAPS(&path_mapping, &points_mapping, &point_mapping))};
static const mapping pushed_root =
    MAPPING_OF("pushed slider scenario", quasistatic_keys, slider_input, set_default, NULL);

static void destroy_cells(void* cells)
{
    br_cells_destroy(cells);
}

// The patch in cells, or its support points, as the supports of the body.
static void read_supports(const node* map, slider_input* in)
{
    const node* given = bri_node_find(map, "patch");
    const patch_input support = in->patch;
    if (!given) {
        bri_node_fail(map, "needs a patch for model: supports");
    }
    if (!support.patch || bri_problems(map) > 0) {
        return;
    }
    const br_patch_def* def = br_patch_get_def(support.patch);
    br_cells* cells;
    br_reason why = {"", ""};
    const br_status status =
        br_cells_create(support.patch, in->sliding.slider.mass * in->sliding.slider.gravity,
                        support.resolution, &cells, &why);
    why.field[0] = '\0'; // of the cells, not of the slider
    if (!bri_node_accept(given, status, &why)) {
        return;
    }
    void* held = bri_pool_own(&map->in->memory, cells, destroy_cells);
    in->sliding.support_count = cells->count;
    br_support_point* supports = bri_allocate(map->in, cells->count, sizeof *supports);
    for (size_t i = 0; i < cells->count; i++) {
        const br_pose pose = {def->centre.x, def->centre.y, def->angle};
        const br_vec2 at = br_pose_apply(pose, (br_vec2){cells->x[i], cells->y[i]});
        supports[i] = (br_support_point){at.x, at.y, cells->weight[i]};
    }
    in->sliding.supports = supports;
    bri_pool_end(&map->in->memory, held);
    if (!(br_outline_get_area(in->sliding.hull) > 0)) {
        bri_node_fail(given, "is a point or a line, on which a body does not stand");
    }
}

// e, by default that of the patch.
static void complete_ellipsoid(const node* map, slider_input* in)
{
    const node *given = bri_node_find(map, "e"), *patch = bri_node_find(map, "patch");
    br_reason why = {"", ""};
    if (!given && !patch) {
        bri_node_fail(map, "needs e: [e_t, e_o, e_r], or a patch from which they follow");
    } else if (!given && in->patch.patch &&
               br_slider_set_patch(&in->sliding.slider, in->patch.patch, &why) != BR_OK) {
        bri_node_fail(patch, "%s; or give e", why.text);
    }
}

// The hull of the support, and the outline that a pusher touches.
static void complete_shapes(const node* map, slider_input* in)
{
    const node* outline = bri_node_find(map, "outline");
    const double fn = in->sliding.slider.mass * in->sliding.slider.gravity;
    in->sliding.hull = bri_outline_create(map->in, in->patch.patch, fn, true);
    in->outline =
        bri_outline_create(map->in, outline ? in->shape.patch : in->patch.patch, fn, false);
    if (outline && in->outline && !(br_outline_get_area(in->outline) > 0)) {
        bri_node_fail(outline, "must enclose an area");
    }
}

static void complete_surface(const node* map, slider_input* in)
{
    const br_patch* patch = in->patch.patch;
    in->pushed.pushing.outline = in->outline;
    if (!in->is_exact) {
        if (in->sliding.slider.e_t != in->sliding.slider.e_o && bri_node_find(map, "e")) {
            bri_node_fail(bri_node_find(map, "e"), "must have e_t = e_o for model: quasistatic");
        }
        in->pushed.pushing.e_t = in->sliding.slider.e_t;
        in->pushed.pushing.e_o = in->sliding.slider.e_o;
        in->pushed.pushing.e_r = in->sliding.slider.e_r;
        return;
    }
    if (!patch) {
        if (!bri_node_find(map, "patch")) {
            bri_node_fail(bri_node_find(map, "surface"), "exact needs a patch");
        }
        return;
    }
    const br_vec2 cop =
        br_patch_eval(patch, in->sliding.slider.mass * in->sliding.slider.gravity).cop;
    if (br_vec2_norm(cop) > 1e-3 * br_outline_get_radius(in->sliding.hull)) {
        bri_warn(
            map->in,
            "slider.patch: its centre of pressure is at (%.4g, %.4g) m, not below the centre of "
            "mass, where statics has it; friction acts there all the same",
            cop.x, cop.y);
    }
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.fn = in->sliding.slider.mass * in->sliding.slider.gravity;
    in->pushed.pushing.surface = bri_surface_create(map, &def);
}

// Numbers that some models do not need.
static void require_numbers(const node* map, const slider_input* in)
{
    static const char* const turning[] = {"mass", "inertia", "mu", NULL};
    static const char* const sliding[] = {"mass", "mu", NULL};
    const bool turns = in->sliding.model != BR_SLIDING_TRANSLATION;
    if (!in->is_quasistatic) {
        bri_node_require_all(map, turns ? turning : sliding, NULL);
    }
}

static void finish_slider(const node* map, void* to, bool is_good)
{
    (void)is_good;
    slider_input* in = to;
    const node* surface = bri_node_find(map, "surface");
    require_numbers(map, in);
    if (in->sliding.model == BR_SLIDING_TRANSLATION && in->sliding.start.v.w != 0) {
        bri_node_fail(bri_node_find(map, "velocity")->children[2],
                      "must be 0 for model: translation");
    }
    complete_shapes(map, in);
    if (in->sliding.model == BR_SLIDING_SUPPORTS) {
        read_supports(map, in);
    } else {
        complete_ellipsoid(map, in);
    }
    if (in->is_quasistatic) {
        complete_surface(map, in);
    } else if (surface) {
        bri_node_fail(surface, "is for model: quasistatic");
    }
}

// From the world to the body's frame at its start.
static br_vec2 in_body(const slider_input* in, br_vec2 point)
{
    const br_vec2 away = {point.x - in->sliding.start.q.x, point.y - in->sliding.start.q.y};
    return br_vec2_rotate(away, -in->sliding.start.q.theta);
}

static void complete_sticking_pusher(const node* map, slider_input* in)
{
    in->pushed.point = in_body(in, in->pushed.point);
    // drawings are not exact: a thousandth of the body's size still touches
    if (bri_problems(map) == 0 && in->outline &&
        br_outline_eval(in->outline, in->pushed.point).distance >
            1e-3 * br_outline_get_radius(in->outline)) {
        bri_node_fail(bri_node_find(map, "point"),
                      "does not touch the slider: it is %.3g m away from it",
                      br_outline_eval(in->outline, in->pushed.point).distance);
    }
}

static double gap_at(const slider_input* in, br_vec2 tip)
{
    return br_outline_eval(in->outline, in_body(in, tip)).distance - in->pushed.pushing.radius;
}

static br_vec2 path_point(const slider_input* in, size_t row)
{
    return (br_vec2){in->path.columns[1][row], in->path.columns[2][row]};
}

// The smallest gap between the tip and the body at rest. The tip cannot touch it before it has moved by the gap.
static double nearest_approach(const slider_input* in, double enough)
{
    double nearest = HUGE_VAL;
    for (size_t i = 0; i + 1 < in->path.rows; i++) {
        const br_vec2 from = path_point(in, i), piece = br_vec2_sub(path_point(in, i + 1), from);
        const double length = br_vec2_norm(piece);
        for (double distance = 0; distance <= length && nearest > enough;) {
            const double share = length > 0 ? distance / length : 0;
            const double gap = gap_at(in, br_vec2_add(from, br_vec2_scale(share, piece)));
            nearest = fmin(nearest, gap);
            distance += fmax(gap, enough);
        }
    }
    return nearest;
}

// Cameras and calibrations have errors of a millimetre: a tip may start inside the slider as long as its centre does
// not, since the direction out of it is clear then.
static void check_first_gap(const node* path, const slider_input* in, double little)
{
    const double depth = -gap_at(in, path_point(in, 0));
    const double allowed = fmax(little, in->pushed.pushing.radius);
    if (depth > allowed) {
        bri_node_fail(
            path, "starts inside the slider, by %.3g m; up to %s, %.3g m, is allowed", depth,
            allowed > little ? "the tip's radius" : "a thousandth of the slider's size", allowed);
    }
    if (depth > little) {
        bri_warn(path->in,
                 "%sthe tip starts inside the slider, by %.3g m; the first step drives the slider "
                 "out of its way",
                 bri_node_place(path), depth);
    }
}

static void check_path(const node* path, const slider_input* in)
{
    if (in->path.rows < 2) {
        bri_node_fail(path, "must have two rows or more");
        return;
    }
    const double little = 1e-3 * br_outline_get_radius(in->outline);
    check_first_gap(path, in, little);
    const double nearest = nearest_approach(in, little);
    if (nearest > little && bri_problems(path) == 0) {
        bri_node_fail(path, "does not touch the slider: the tip stays %.3g m away from it",
                      nearest);
    }
}

// points: [[t, x, y], ...], as a file would have them
static csv create_path(const node* list, const number_rows* points)
{
    csv path = {points->rows, bri_allocate(list->in, 3, sizeof(double*))};
    double* columns = bri_allocate(list->in, 3 * path.rows, sizeof *columns);
    for (size_t i = 0; i < 3; i++) {
        path.columns[i] = columns + i * path.rows;
        for (size_t row = 0; row < path.rows; row++) {
            path.columns[i][row] = points->at[3 * row + i];
        }
    }
    for (size_t row = 1; row < path.rows; row++) {
        if (path.columns[0][row] <= path.columns[0][row - 1]) {
            bri_node_fail(list->children[row], "t must increase; got %.15g after %.15g",
                          path.columns[0][row], path.columns[0][row - 1]);
        }
    }
    return path;
}

static void complete_tip(const node* map, const node* path, slider_input* in)
{
    static const char* const columns[] = {"t", "x", "y", NULL};
    in->pushed.sticks = 0;
    if (bri_problems(map) == 0) {
        in->path =
            in->file ? bri_csv_read(map->in, in->file, columns, 3) : create_path(path, &in->points);
    }
    if (bri_problems(map) > 0) {
        return;
    }
    if (!in->outline) {
        bri_node_fail(map, "a path needs slider.patch or slider.outline to push against");
    } else if (!(br_outline_get_area(in->outline) > 0)) {
        bri_node_fail(map, "slider.patch has no area to push against; give slider.outline");
    } else {
        check_path(path, in);
    }
    double* const* of = in->path.columns;
    if (in->path.rows > 0) {
        in->pushed.x = bri_profile_of_table(in->path.rows, of[0], of[1], 0);
        in->pushed.y = bri_profile_of_table(in->path.rows, of[0], of[2], 0);
    }
}

static void complete_pusher(const node* root, slider_input* in)
{
    const node* pusher = bri_node_find(root, "pusher");
    const node *file = bri_node_find(pusher, "path"), *list = bri_node_find(pusher, "points");
    if (!pusher) {
        bri_node_fail_field(root, "model", "quasistatic needs a pusher");
    } else if (file || list) {
        complete_tip(pusher, file ? file : list, in);
    } else {
        complete_sticking_pusher(pusher, in);
    }
}

// `step`, `duration` and `output`; a path gives the default of the first two.
static void complete_steps(const br_scenario* s, slider_input* in)
{
    const node* root = s->root;
    const double every = s->output.every;
    const bool has_path = in->is_quasistatic && !in->pushed.sticks;
    static const char* const required[] = {"duration", "step", NULL};
    const size_t before = bri_problems(root);
    if (!has_path && !bri_node_require_all(root, required, NULL)) {
        return;
    }
    const double last = has_path && in->path.rows > 0 ? in->path.columns[0][in->path.rows - 1] : 0;
    const bool is_given = bri_node_find(root, "duration");
    if (!is_given && !(last > 0)) {
        bri_node_require(root, "duration");
    }
    in->duration = is_given ? s->run.duration : last;
    in->step = in->step > 0 ? in->step : in->duration / DEFAULT_STEPS;
    const double steps = round(in->duration / in->step);
    if (bri_problems(root) != before) {
        return;
    }
    if (!(steps >= 1 && steps <= MAX_STEPS)) {
        bri_node_fail_field(root, "step", "gives %.3g steps; 1 to %.3g are allowed", steps,
                            MAX_STEPS);
        return;
    }
    const size_t count = (size_t)steps;
    in->stride = 1;
    if (every > 0) {
        const double stride = every / in->step;
        if (!(stride > 0.5) || fabs(stride - round(stride)) > 1e-6 * stride || stride > steps) {
            bri_node_fail_field(root, "output.every", "must be a multiple of step, up to duration");
            return;
        }
        in->stride = (size_t)round(stride);
    }
    // one after each stride, and one at the end
    in->rows = (count + in->stride - 1) / in->stride + 1;
}

static void read_slider(const br_scenario* s, slider_input* in)
{
    static const mapping* const both[] = {&dynamic_root, &pushed_root, NULL};
    set_default(in);
    const mapping* keys = bri_keys_choose(s->root, both);
    if (!keys) {
        return; // all other keys depend on the model
    }
    bri_keys_expect(s->root, keys);
    bri_keys_fill(s->root, keys, in, false);
    if (in->is_quasistatic) {
        complete_pusher(s->root, in);
    }
    in->pushed.pose = in->sliding.start.q;
    in->sliding.goes_on = in->ignores_topple;
    complete_steps(s, in);
}

static void read(br_scenario* s)
{
    slider_input* in = bri_allocate(&s->in, 1, sizeof *in);
    read_slider(s, in);
    const node* model = bri_node_find(s->root, "model");
    s->data = in;
    s->detail = model ? model->text : "quadratic";
    if (in->is_quasistatic) {
        TAKE_COLUMNS(s, br_pushed_get_columns, BR_COLUMNS_MAIN);
    } else {
        TAKE_COLUMNS(s, br_sliding_get_columns, BR_COLUMNS_MAIN);
    }
    if (s->in.problems == 0) {
        s->run = br_run_def_default();
        s->run.duration = in->duration;
        s->run.method = BR_INTEGRATOR_FIXED;
        s->run.step = in->step;
        s->run.every = in->step * (double)in->stride;
        s->rows = in->rows;
        bri_scenario_check_holds(s->root, in->duration);
    }
}

static void get_model(const br_scenario* s, br_scenario_model* to)
{
    const slider_input* in = s->data;
    to->outline = in->outline;
    to->pushed = in->is_quasistatic ? &in->pushed : NULL;
    to->sliding = in->is_quasistatic ? NULL : &in->sliding;
}

// --- running --------------------------------------------------------------------------------------

static br_status run_dynamic(const br_scenario* s, br_table* got, br_reason* why)
{
    const slider_input* in = s->data;
    const br_run_watch watch = bri_table_watch(got);
    br_sliding_report* report = bri_pool_allocate(&got->memory, 1, sizeof *report);
    const br_status status = br_sliding_run(&in->sliding, &s->run, &watch, report, why);
    got->cost.steps = report->steps;
    got->cost.evaluations = report->iterations;
    if (!isnan(report->topple_t)) {
        const br_vec2* edge = report->edge;
        got->data = report;
        bri_table_warn(
            got,
            "t = %.6g s: the slider topples: the equivalent contact point leaves the patch "
            "over the edge from (%.4g, %.4g) to (%.4g, %.4g) m, body frame",
            report->topple_t, edge[0].x, edge[0].y, edge[1].x, edge[1].y);
    }
    return status;
}

static br_status run(const br_scenario* s, br_table* got, br_reason* why)
{
    const slider_input* in = s->data;
    if (!in->is_quasistatic) {
        return run_dynamic(s, got, why);
    }
    const br_run_watch watch = bri_table_watch(got);
    return br_pushed_run(&in->pushed, &s->run, &watch, &got->cost.steps, why);
}

static void sum_up(const br_scenario* s, br_table* got)
{
    (void)s;
    const br_sliding_report* toppled = got->data;
    if (toppled) {
        bri_table_sum(got, toppled->topple_t, "topple.t");
    }
    for (int i = 0; toppled && i < 2; i++) {
        bri_table_sum(got, toppled->edge[i].x, "topple.edge[%d][0]", i);
        bri_table_sum(got, toppled->edge[i].y, "topple.edge[%d][1]", i);
    }
}

const scenario_kind bri_scenario_slider = {.name = "slider",
                                           .help = FOR_HELP(help),
                                           .blocks = (const char* const[]){"slider", NULL},
                                           .keys = &dynamic_root,
                                           .also = &pushed_root,
                                           .picture = BR_PICTURE_BOTH,
                                           .read = read,
                                           .run = run,
                                           .get_model = get_model,
                                           .sum_up = sum_up};
