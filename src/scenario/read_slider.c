/*
 * A slider from YAML: the body, what pushes it, and its steps.
 */
#include "scenario/read_slider.h"

#include <math.h>

#include "scenario/mappings.h"
#include "scenario/read_file.h"
#include "scenario/read_patch.h"
#include "scenario/read_profile.h"
#include "scenario/surface.h"
#include "scenario/value.h"

static const char* const models[] = {"quadratic",   "ncp",      "quasistatic",
                                     "translation", "supports", NULL};

static const double MOST_STEPS = 1e8;

enum { DEFAULT_STEPS = 200 };

// Three numbers are read into arrays.
typedef struct slider_numbers {
    br_slider slider;
    double pose[3], velocity[3];
} slider_numbers;

static const map_key slider_keys[] = {
    KEY("mass", NUMBER, "kg", IN_POSITIVE, "", "of the body; not needed for quasistatic",
        AT(slider_numbers, slider.mass)),
    KEY("inertia", NUMBER, "kg m^2", IN_POSITIVE, "",
        "about the CoM; not needed for quasistatic and translation",
        AT(slider_numbers, slider.inertia)),
    KEY("height", NUMBER, "m", IN_NOT_NEGATIVE, "0", "of the CoM",
        AT(slider_numbers, slider.height)),
    KEY("mu", NUMBER, "-", IN_NOT_NEGATIVE, "", "friction; not needed for quasistatic",
        AT(slider_numbers, slider.mu)),
    KEY("e", NUMBERS, "-, -, m", IN_POSITIVE, "from the patch", "[e_t, e_o, e_r] of the ellipsoid",
        BY_HAND, COUNT(3)),
    KEY("gravity", NUMBER, "m/s^2", IN_POSITIVE, "9.81", "onto the plane",
        AT(slider_numbers, slider.gravity)),
    KEY("pose", NUMBERS, "m, m, rad", IN_ANY, "[0, 0, 0]", "x, y, theta of the CoM",
        AT(slider_numbers, pose), COUNT(3)),
    KEY("velocity", NUMBERS, "m/s, m/s, rad/s", IN_ANY, "[0, 0, 0]", "vx, vy, w of the CoM",
        AT(slider_numbers, velocity), COUNT(3)),
    KEY("patch", MAP, "", IN_ANY, "", "what it stands on", BY_HAND, .maps = bri_keys_patches),
    KEY("topple", WORD, "", IN_ANY, "stop", "at toppling", BY_HAND, WORDS("stop", "ignore")),
    KEY("outline", MAP, "", IN_ANY, "the patch", "what a pusher touches", BY_HAND,
        .maps = bri_keys_patches),
    KEY("surface", WORD, "", IN_ANY, "ellipsoid", "limit surface of model: quasistatic", BY_HAND,
        WORDS("ellipsoid", "exact"))};
static const mapping slider_mapping = MAPPING("slider", slider_keys);

static const map_key push_keys[] = {
    KEY("point", NUMBERS, "m", IN_ANY, REQUIRED, "where, body frame", BY_HAND, COUNT(2)),
    KEY("direction", NUMBERS, "", IN_ANY, REQUIRED, "where to, body frame", BY_HAND, COUNT(2)),
    KEY("magnitude", PROFILE, "N", IN_ANY, REQUIRED, "how hard", BY_HAND),
    KEY("height", NUMBER, "m", IN_NOT_NEGATIVE, "the CoM's", "above the support", BY_HAND)};
static const mapping push_mapping = MAPPING("push", push_keys);

static const map_key point_keys[] = {
    KEY("point", NUMBERS, "m", IN_ANY, REQUIRED, "where it sticks, world frame", BY_HAND, COUNT(2)),
    KEY("velocity", NUMBERS, "m/s", IN_ANY, REQUIRED, "how it moves, world frame", BY_HAND,
        COUNT(2))};
static const mapping point_mapping = MAPPING("pusher at a point", point_keys);

#define TIP_KEYS                                                                                   \
    KEY("radius", NUMBER, "m", IN_NOT_NEGATIVE, "0", "of the tip", AT(br_pushing, radius)),        \
        KEY("mu", NUMBER, "-", IN_NOT_NEGATIVE, REQUIRED, "of the tip on the slider",              \
            AT(br_pushing, mu))

static const map_key path_keys[] = {
    KEY("path", FILE, "", IN_ANY, REQUIRED,
        "CSV with t,x,y of the tip's centre, world frame, which begins outside the slider",
        BY_HAND),
    TIP_KEYS};
static const mapping path_mapping = MAPPING("pusher along a path", path_keys);

static const map_key points_keys[] = {KEY("points", ROWS, "s, m, m", IN_ANY, REQUIRED,
                                          "[[t, x, y], ...], t increasing: the path itself",
                                          BY_HAND, COUNT(3)),
                                      TIP_KEYS};
static const mapping points_mapping = MAPPING("pusher along points", points_keys);

#define ROOT_KEYS                                                                                  \
    KEY("slider", MAP, "", IN_ANY, REQUIRED, "what moves", BY_HAND, MAPS(&slider_mapping)),        \
        KEY("step", NUMBER, "s", IN_POSITIVE, "with a pusher's path: duration/200", "of time",     \
            BY_HAND),                                                                              \
        KEY("duration", NUMBER, "s", IN_POSITIVE, "with a pusher's path: its last t",              \
            "how long it runs", BY_HAND),                                                          \
        OUTPUT_KEY(bri_keys_output), PLOT_KEY(bri_keys_plot_magnified), SWEEP_KEY, NOISE_KEY

static const map_key dynamic_keys[] = {
    ROOT_KEYS,
    KEY("model", WORD, "", IN_ANY, "quadratic",
        "supports: not the contact point but the patch itself, in cells or as its support points, each with its own "
        "normal force and friction",
        BY_HAND, WORDS("quadratic", "ncp", "translation", "supports")),
    KEY("push", MAP, "", IN_ANY, "", "a force on it", BY_HAND, MAPS(&push_mapping))};
const mapping bri_keys_slider = MAPPING("slider scenario", dynamic_keys);

static const map_key quasistatic_keys[] = {
    ROOT_KEYS,
    KEY("model", WORD, "", IN_ANY, REQUIRED, "no inertia: it moves as it is pushed", BY_HAND,
        WORDS("quasistatic")),
    KEY("pusher", MAP, "", IN_ANY, REQUIRED, "what moves it", BY_HAND,
        MAPS(&point_mapping, &path_mapping, &points_mapping))};
const mapping bri_keys_slider_pushed = MAPPING("pushed slider scenario", quasistatic_keys);

static void destroy_outline(void* outline)
{
    br_outline_destroy(outline);
}

// NULL of a shape that could not be read.
static br_outline* create_outline(reading* in, const br_patch* shape, double fn, int hull)
{
    br_outline* outline = NULL;
    br_reason why = {"", ""};
    if (!shape) {
        return NULL;
    }
    if (br_outline_create(shape, fn, hull, &outline, &why) != BR_OK) {
        bri_no_memory(in);
    }
    bri_pool_own(&in->memory, outline, destroy_outline);
    return outline;
}

static br_vec2 read_pair(const node* map, const char* key)
{
    double values[2] = {1, 1};
    bri_value_fill(bri_node_require(map, key), 2, RANGE_ANY, values);
    return (br_vec2){values[0], values[1]};
}

// The number of a key that some models can do without.
static double read_unless(const node* map, const char* key, range allowed, bool optional,
                          double otherwise)
{
    return optional ? bri_value_optional(map, key, allowed, otherwise)
                    : bri_value_required(map, key, allowed);
}

static void read_body(const node* map, slider_input* in)
{
    const bool still = in->model == SLIDER_QUASISTATIC; // no inertia, no normal force
    const bool straight = in->model == SLIDER_TRANSLATION;
    static const char* const turning[] = {"mass", "inertia", "mu", NULL};
    static const char* const sliding[] = {"mass", "mu", NULL};
    if (!still) {
        bri_node_require_all(map, straight ? sliding : turning, NULL);
    }
    slider_numbers numbers = {.slider = br_slider_default()};
    numbers.slider.mass = numbers.slider.inertia = numbers.slider.mu =
        1; // where they are not needed
    bri_keys_fill(map, &slider_mapping, &numbers);
    const double *pose = numbers.pose, *velocity = numbers.velocity;
    in->slider = numbers.slider;
    in->start.q = (br_pose){pose[0], pose[1], pose[2]};
    in->start.v = (br_twist){velocity[0], velocity[1], velocity[2]};
    if (straight && velocity[2] != 0) {
        bri_node_fail(bri_node_find(map, "velocity")->children[2],
                      "must be 0 for model: translation");
    }
}

static void destroy_cells(void* cells)
{
    br_cells_destroy(cells);
}

// The patch in cells, or its support points, as a body stands on them.
static void read_supports(const node* map, slider_input* in)
{
    const node* given = bri_node_find(map, "patch");
    if (!given) {
        bri_node_fail(map, "needs a patch for model: supports");
        return;
    }
    const patch_input support = bri_read_patch(given);
    if (!support.patch || bri_problems(map) > 0) {
        return;
    }
    const br_patch_def* def = br_patch_get_def(support.patch);
    br_cells* cells;
    br_reason why = {"", ""};
    const br_status status = br_cells_create(support.patch, in->slider.mass * in->slider.gravity,
                                             support.resolution, &cells, &why);
    if (status == BR_ERR_MEMORY) {
        bri_no_memory(map->in);
    }
    if (status != BR_OK) {
        bri_node_fail(given, "%s", why.text);
        return;
    }
    void* held = bri_pool_own(&map->in->memory, cells, destroy_cells);
    in->support_count = cells->count;
    in->supports = bri_allocate(map->in, cells->count, sizeof *in->supports);
    for (size_t i = 0; i < cells->count; i++) {
        const br_pose place = {def->centre.x, def->centre.y, def->angle};
        const br_vec2 at = br_pose_apply(place, (br_vec2){cells->x[i], cells->y[i]});
        in->supports[i] = (br_support_point){at.x, at.y, cells->weight[i]};
    }
    bri_pool_end(&map->in->memory, held);
    if (!(br_outline_get_area(in->hull) > 0)) {
        bri_node_fail(given, "is a point or a line, on which a body does not stand");
    }
}

// e, by default that of the patch.
static void read_ellipsoid(const node* map, const br_patch* patch, slider_input* in)
{
    const node* given = bri_node_find(map, "e");
    if (given) {
        double e[3] = {1, 1, 1};
        bri_value_fill(given, 3, RANGE_POSITIVE, e);
        in->slider.e_t = e[0];
        in->slider.e_o = e[1];
        in->slider.e_r = e[2];
        return;
    }
    br_reason why = {"", ""};
    if (!bri_node_find(map, "patch")) {
        bri_node_fail(map, "needs e: [e_t, e_o, e_r], or a patch from which they follow");
        return;
    }
    if (patch && br_slider_set_patch(&in->slider, patch, &why) != BR_OK) {
        bri_node_fail(bri_node_find(map, "patch"), "%s; or give e", why.text);
    }
}

// What stands below the body, and what a pusher touches.
static const br_patch* read_shapes(const node* map, slider_input* in)
{
    const node* patch = bri_node_find(map, "patch");
    const node* outline = bri_node_find(map, "outline");
    const double fn = in->slider.mass * in->slider.gravity;
    const br_patch* support = patch ? bri_read_patch(patch).patch : NULL;
    const br_patch* body = outline ? bri_read_patch(outline).patch : support;
    in->hull = create_outline(map->in, support, fn, 1);
    in->outline = create_outline(map->in, body, fn, 0);
    if (outline && in->outline && !(br_outline_get_area(in->outline) > 0)) {
        bri_node_fail(outline, "must enclose an area");
    }
    return support;
}

static void read_surface(const node* map, const br_patch* patch, slider_input* in)
{
    static const char* const surfaces[] = {"ellipsoid", "exact", NULL};
    const node* given = bri_node_find(map, "surface");
    in->pushing = br_pushing_default();
    in->pushing.outline = in->outline;
    if (!given || bri_value_choice(given, surfaces) == 0) {
        if (in->slider.e_t != in->slider.e_o && bri_node_find(map, "e")) {
            bri_node_fail(bri_node_find(map, "e"), "must have e_t = e_o for model: quasistatic");
        }
        in->pushing.e_t = in->slider.e_t;
        in->pushing.e_o = in->slider.e_o;
        in->pushing.e_r = in->slider.e_r;
        return;
    }
    if (!patch) {
        if (!bri_node_find(map, "patch")) {
            bri_node_fail(given, "exact needs a patch");
        }
        return;
    }
    const br_vec2 cop = br_patch_eval(patch, in->slider.mass * in->slider.gravity).cop;
    if (br_vec2_norm(cop) > 1e-3 * br_outline_get_radius(in->hull)) {
        bri_warn(
            map->in,
            "slider.patch: its centre of pressure is at (%.4g, %.4g) m, not below the centre of "
            "mass, where statics has it; friction acts there all the same",
            cop.x, cop.y);
    }
    in->pushing.surface =
        bri_surface_create(map, patch, in->slider.mass * in->slider.gravity, BR_LIMIT_EXACT,
                           br_limit_def_default().n, br_limit_def_default().resolution);
}

static void read_slider_block(const node* map, slider_input* in)
{
    static const char* const topples[] = {"stop", "ignore", NULL};
    if (!bri_keys_expect(map, &slider_mapping)) {
        return;
    }
    read_body(map, in);
    const br_patch* patch = read_shapes(map, in);
    if (in->model == SLIDER_SUPPORTS) {
        read_supports(map, in);
    } else {
        read_ellipsoid(map, patch, in);
    }
    const node* topple = bri_node_find(map, "topple");
    in->ignores_topple = topple && bri_value_choice(topple, topples) == 1;
    const node* surface = bri_node_find(map, "surface");
    if (in->model == SLIDER_QUASISTATIC) {
        read_surface(map, patch, in);
    } else if (surface) {
        bri_node_fail(surface, "is for model: quasistatic");
    }
}

static void read_push(const node* map, slider_input* in)
{
    if (!bri_keys_read(map, &push_mapping, NULL)) {
        return;
    }
    const br_vec2 direction = read_pair(map, "direction");
    const double length = br_vec2_norm(direction);
    if (!(length > 0)) {
        bri_node_fail(bri_node_find(map, "direction"), "must not be [0, 0]");
    }
    in->has_push = true;
    in->point = read_pair(map, "point");
    in->direction = br_vec2_scale(1 / length, direction);
    in->magnitude = bri_read_profile(bri_node_find(map, "magnitude"), RANGE_ANY);
    const double height = bri_value_optional(map, "height", RANGE_NOT_NEGATIVE, in->slider.height);
    in->lift = height - in->slider.height;
}

// From the world to the body's frame at its start.
static br_vec2 in_body(const slider_input* in, br_vec2 point)
{
    const br_vec2 away = {point.x - in->start.q.x, point.y - in->start.q.y};
    return br_vec2_rotate(away, -in->start.q.theta);
}

static void read_sticking_pusher(const node* map, slider_input* in)
{
    in->pusher = PUSHER_POINT;
    if (!bri_keys_read(map, &point_mapping, NULL)) {
        return;
    }
    in->contact = in_body(in, read_pair(map, "point"));
    in->velocity = read_pair(map, "velocity");
    // drawings are not exact: a thousandth of the body's size still touches
    if (bri_problems(map) == 0 && in->outline &&
        br_outline_eval(in->outline, in->contact).distance >
            1e-3 * br_outline_get_radius(in->outline)) {
        bri_node_fail(bri_node_find(map, "point"),
                      "does not touch the slider: it is %.3g m away from it",
                      br_outline_eval(in->outline, in->contact).distance);
    }
}

static double gap_at(const slider_input* in, br_vec2 tip)
{
    return br_outline_eval(in->outline, in_body(in, tip)).distance - in->pushing.radius;
}

static br_vec2 path_point(const slider_input* in, size_t row)
{
    return (br_vec2){in->path.columns[1][row], in->path.columns[2][row]};
}

// How near the tip comes to the body where it stands: it cannot be nearer before it has gone the
// distance that it is away.
static double nearest_approach(const slider_input* in, double enough)
{
    double nearest = HUGE_VAL;
    for (size_t i = 0; i + 1 < in->path.rows; i++) {
        const br_vec2 from = path_point(in, i), way = br_vec2_sub(path_point(in, i + 1), from);
        const double length = br_vec2_norm(way);
        for (double gone = 0; gone <= length && nearest > enough;) {
            const double share = length > 0 ? gone / length : 0;
            const double gap = gap_at(in, br_vec2_add(from, br_vec2_scale(share, way)));
            nearest = fmin(nearest, gap);
            gone += fmax(gap, enough);
        }
    }
    return nearest;
}

// Cameras and calibrations are off by a millimetre: a tip may begin inside the slider as long as its
// centre does not, for then it is plain which way out is.
static void check_first_gap(const node* path, const slider_input* in, double little)
{
    const double depth = -gap_at(in, path_point(in, 0));
    const double allowed = fmax(little, in->pushing.radius);
    if (depth > allowed) {
        bri_node_fail(
            path, "begins inside the slider, by %.3g m; up to %s, %.3g m, is allowed", depth,
            allowed > little ? "the tip's radius" : "a thousandth of the slider's size", allowed);
    }
    if (depth > little) {
        bri_warn(path->in,
                 "%sthe tip begins inside the slider, by %.3g m; the first step drives the slider "
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

static csv read_path_file(const node* path)
{
    static const char* const columns[] = {"t", "x", "y", NULL};
    const char* name = bri_read_file_name(path);
    return name ? bri_csv_read(path->in, name, columns, 3) : (csv){0, NULL};
}

// points: [[t, x, y], ...], as a file would have them
static csv read_path_points(const node* list)
{
    csv path = {bri_value_list(list, 0), bri_allocate(list->in, 3, sizeof(double*))};
    for (size_t i = 0; i < 3; i++) {
        path.columns[i] = bri_allocate(list->in, path.rows, sizeof(double));
    }
    for (size_t row = 0; row < path.rows; row++) {
        double point[3] = {0, 0, 0};
        bri_value_fill(list->children[row], 3, RANGE_ANY, point);
        for (size_t i = 0; i < 3; i++) {
            path.columns[i][row] = point[i];
        }
        if (row > 0 && point[0] <= path.columns[0][row - 1]) {
            bri_node_fail(list->children[row], "t must increase; got %.15g after %.15g", point[0],
                          path.columns[0][row - 1]);
        }
    }
    return path;
}

static void read_tip(const node* map, slider_input* in)
{
    const node *file = bri_node_find(map, "path"), *list = bri_node_find(map, "points");
    const node* path = file ? file : list;
    in->pusher = PUSHER_PATH;
    bri_keys_read(map, file ? &path_mapping : &points_mapping, &in->pushing);
    if (bri_problems(map) == 0) {
        in->path = file ? read_path_file(file) : read_path_points(list);
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
}

static void read_pusher(const node* root, slider_input* in)
{
    const node* pusher = bri_node_find(root, "pusher");
    if (!pusher) {
        bri_node_fail_field(root, "model", "quasistatic needs a pusher");
        return;
    }
    if (bri_node_find(pusher, "path") || bri_node_find(pusher, "points")) {
        read_tip(pusher, in);
    } else {
        read_sticking_pusher(pusher, in);
    }
}

// `step`, `duration` and `output`; a path gives the default of the first two.
static void read_steps(const node* root, slider_input* in)
{
    const bool has_path = in->model == SLIDER_QUASISTATIC && in->pusher == PUSHER_PATH;
    static const char* const required[] = {"duration", "step", NULL};
    const size_t before = bri_problems(root);
    const double every = bri_scenario_read_every(root, &bri_keys_output);
    if (!has_path && !bri_node_require_all(root, required, NULL)) {
        return;
    }
    const double last = has_path && in->path.rows > 0 ? in->path.columns[0][in->path.rows - 1] : 0;
    in->duration = read_unless(root, "duration", RANGE_POSITIVE, last > 0, last);
    in->step = read_unless(root, "step", RANGE_POSITIVE, has_path, in->duration / DEFAULT_STEPS);
    const double steps = round(in->duration / in->step);
    if (bri_problems(root) != before) {
        return;
    }
    if (!(steps >= 1 && steps <= MOST_STEPS)) {
        bri_node_fail_field(root, "step", "gives %.3g steps; 1 to %.3g are allowed", steps,
                            MOST_STEPS);
        return;
    }
    in->steps = (size_t)steps;
    in->stride = 1;
    if (every > 0) {
        const double stride = every / in->step;
        if (!(stride > 0.5) || fabs(stride - round(stride)) > 1e-6 * stride || stride > steps) {
            bri_node_fail_field(root, "output.every", "must be a multiple of step, up to duration");
            return;
        }
        in->stride = (size_t)round(stride);
    }
    // the last row may lie beyond the duration, and the run goes on to it
    in->rows = (size_t)round(in->duration / (in->step * (double)in->stride)) + 1;
    const size_t last_row = (in->rows - 1) * in->stride;
    in->steps = last_row > in->steps ? last_row : in->steps;
}

slider_input bri_read_slider(const node* root)
{
    slider_input in = {0};
    const node* model = bri_node_find(root, "model");
    in.model = model ? (slider_model)bri_value_choice(model, models) : SLIDER_QUADRATIC;
    bri_keys_expect(root,
                    in.model == SLIDER_QUASISTATIC ? &bri_keys_slider_pushed : &bri_keys_slider);
    read_slider_block(bri_node_find(root, "slider"), &in);
    const node* push = bri_node_find(root, "push");
    if (push) {
        read_push(push, &in);
    }
    if (in.model == SLIDER_QUASISTATIC) {
        read_pusher(root, &in);
    }
    read_steps(root, &in);
    return in;
}
