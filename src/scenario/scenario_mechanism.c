/*
 * mechanism: a constrained mechanism with friction at its contact point.
 */
#include "scenario/read_mechanism.h"

#include <math.h>
#include <string.h>

#include "scenario/mappings.h"

static const char help[] = "mechanism: a constrained mechanism with friction at its contact point\n"
                           "  columns depend on its kind, see there; mode is slide or stick\n";

static const char* const laws[] = {"coulomb", "dahl", "lugre", "elasto-plastic", NULL};

#define KIND_KEY(word, text, value) TAG_AT("kind", word, text, mechanism_input, which, value)
#define GRAVITY_KEY                                                                                \
    KEY("gravity", NUMBER, "m/s^2", IN_ANY, DEFAULT, "downwards", AT(mechanism_input, gravity))
#define MASS_KEY(text)                                                                             \
    KEY("mass", NUMBER, "kg", IN_POSITIVE, REQUIRED, text, AT(mechanism_input, mass))
#define FORCE_KEY(text)                                                                            \
    KEY("force", PROFILE, "N", IN_ANY, DEFAULT, text, AT(mechanism_input, force))
#define PATH_KEY(...)                                                                              \
    PLAIN_KEY("path", MAP, REQUIRED, "what its point is on", AT(mechanism_input, path),            \
              MAPS(__VA_ARGS__))
#define START_KEY(default_value, mapping_)                                                         \
    PLAIN_KEY("start", MAP, default_value, "where it starts", AT(mechanism_input, start),          \
              MAPS(&mapping_))

// Keys of every mechanism: friction at its contact point, and how it is kept on its path.
#define LAW_KEY(name, unit, range, default_value, text, field)                                     \
    KEY(name, NUMBER, unit, IN_##range, default_value, text, AT(mechanism_input, def.law.field))
#define COMMON_KEYS                                                                                \
    LAW_KEY("mu", "-", NOT_NEGATIVE, REQUIRED, "Coulomb coefficient", mu_c),                       \
        LAW_KEY("mu_s", "-", NOT_NEGATIVE, "mu", "static coefficient, >= mu", mu_s),               \
        PLAIN_KEY("law", WORD, DEFAULT, "of friction", AT(mechanism_input, def.law.kind),          \
                  .words = laws,                                                                   \
                  VALUES(BR_LAW_STICTION, BR_LAW_DAHL, BR_LAW_LUGRE, BR_LAW_ELASTO_PLASTIC)),      \
        PLAIN_KEY("dahl", WORD, DEFAULT, "how dahl goes in the plane",                             \
                  AT(mechanism_input, def.dahl), WORDS("vector", "per-axis", "printed"),           \
                  VALUES(BR_DAHL_VECTOR, BR_DAHL_PER_AXIS, BR_DAHL_AS_PRINTED)),                   \
        LAW_KEY("sigma0", "1/m", POSITIVE, "", "stiffness, for dahl [N/m]; not for coulomb",       \
                sigma0),                                                                           \
        LAW_KEY("sigma1", "s/m", NOT_NEGATIVE, DEFAULT, "damping of the bristles", sigma1),        \
        LAW_KEY("sigma2", "s/m", NOT_NEGATIVE, DEFAULT, "viscous coefficient", sigma2),            \
        LAW_KEY("v_s", "m/s", POSITIVE, DEFAULT, "Stribeck speed", v_stribeck),                    \
        LAW_KEY("gamma", "-", POSITIVE, DEFAULT, "Stribeck exponent", gamma),                      \
        LAW_KEY("alpha", "-", POSITIVE, DEFAULT, "Dahl's exponent", alpha),                        \
        KEY("sigma_axes", NUMBERS, "N/m", IN_POSITIVE, "sigma0",                                   \
            "stiffness of each axis, for dahl: per-axis and printed",                              \
            AT(mechanism_input, sigma_axes)),                                                      \
        KEY("alpha_axes", NUMBERS, "-", IN_POSITIVE, "alpha", "exponent of each axis, likewise",   \
            AT(mechanism_input, alpha_axes)),                                                      \
        LAW_KEY("s_ba", "-", FRACTION, DEFAULT, "breakaway fraction", s_ba),                       \
        LAW_KEY("v_damping", "m/s", NOT_NEGATIVE, DEFAULT,                                         \
                "speed at which half of sigma1 is left; 0: constant damping", v_damping),          \
        PLAIN_KEY("project", FLAG, DEFAULT, "move a start onto the constraint",                    \
                  AT(mechanism_input, project)),                                                   \
        KEY("stabilisation", NUMBER, "1/s", IN_NOT_NEGATIVE, DEFAULT, "back to the constraint",    \
            AT(mechanism_input, def.stabilisation))

#define IN_SLOPE -1.57, 1.57, true, true

static const map_key parabola_keys[] = {
    TAG_AT("kind", "parabola", "y = beta x^2 + gamma", path_input, kind, PATH_PARABOLA),
    KEY("beta", NUMBER, "1/m", IN_ANY, REQUIRED, "curvature", AT(path_input, beta)),
    KEY("gamma", NUMBER, "m", IN_ANY, DEFAULT, "height", AT(path_input, gamma)), MOTION_KEYS};
static const mapping parabola = MAPPING("parabola", parabola_keys, path_input);

static const map_key helix_keys[] = {
    TAG_AT("kind", "helix", "about the vertical", path_input, kind, PATH_HELIX),
    KEY("radius", NUMBER, "m", IN_POSITIVE, REQUIRED, "of the helix", AT(path_input, radius)),
    KEY("pitch", NUMBER, "m", IN_POSITIVE, REQUIRED, "rise of a turn", AT(path_input, pitch)),
    MOTION_KEYS};
static const mapping helix = MAPPING("helix", helix_keys, path_input);

static const map_key slope_keys[] = {MOTION_KEYS};
static const mapping slope = MAPPING("slope that moves", slope_keys, path_input);

#define X_KEY(default_value, text)                                                                 \
    KEY("x", NUMBER, "m", IN_ANY, default_value, text, AT(start_input, x))
#define Y_KEY(default_value, text)                                                                 \
    KEY("y", NUMBER, "m", IN_ANY, default_value, text, AT(start_input, y))
#define V_KEY(text) KEY("v", NUMBER, "m/s", IN_ANY, DEFAULT, text, AT(start_input, v))

static void finish_arm_start(const node* map, void* to, bool is_good)
{
    (void)to, (void)is_good;
    if (!bri_node_find(map, "theta")) {
        bri_node_require(map, "x");
    }
}

static const map_key arm_start_keys[] = {
    KEY("theta", NUMBERS, "rad", IN_ANY, "", "both angles, or", AT(start_input, theta), COUNT(2)),
    X_KEY("", "of the end point"), Y_KEY("on the path", "of the end point"),
    PLAIN_KEY("elbow", WORD, DEFAULT, "down: theta2 in (0, pi)", AT(start_input, is_elbow_up),
              IS_FLAG, WORDS("down", "up"))};
static const mapping arm_start =
    MAPPING_OF("start of a two-link", arm_start_keys, start_input, NULL, finish_arm_start);

static const map_key block_start_keys[] = {X_KEY("0", "position, before the slope moves"),
                                           Y_KEY("on the slope", "position, likewise"),
                                           V_KEY("along the slope, relative to it")};
static const mapping block_start = MAPPING("start of a block", block_start_keys, start_input);

#define BEAD_START_KEYS                                                                            \
    KEY("point", NUMBERS, "m", IN_ANY, "", "x, y, z instead", AT(start_input, point), COUNT(3)),   \
        V_KEY("along the wire, relative to it")
static const map_key parabola_start_keys[] = {X_KEY("0", "position"), BEAD_START_KEYS};
static const mapping parabola_start =
    MAPPING("start on a parabola", parabola_start_keys, start_input);
static const map_key helix_start_keys[] = {
    KEY("angle", NUMBER, "rad", IN_ANY, DEFAULT, "about the helix's axis", AT(start_input, angle)),
    BEAD_START_KEYS};
static const mapping helix_start = MAPPING("start on a helix", helix_start_keys, start_input);

static const map_key two_link_keys[] = {
    KIND_KEY("two-link",
             "columns t,theta1,theta2,w1,w2,x,y,fn,fx,fy,mode: joints, end point, friction on it",
             MECHANISM_TWO_LINK),
    KEY("masses", NUMBERS, "kg", IN_POSITIVE, REQUIRED, "points at the distal ends",
        AT(mechanism_input, parts.arm.mass), COUNT(2)),
    KEY("lengths", NUMBERS, "m", IN_POSITIVE, REQUIRED, "of the links",
        AT(mechanism_input, parts.arm.length), COUNT(2)),
    GRAVITY_KEY,
    PATH_KEY(&parabola),
    KEY("torque", PROFILES, "N m", IN_ANY, DEFAULT, "at the joints",
        AT(mechanism_input, parts.arm.torque), COUNT(2)),
    START_KEY(REQUIRED, arm_start),
    COMMON_KEYS};

#define BLOCK_KEYS(word, value, default_value)                                                     \
    KIND_KEY(word, "a block on a slope: columns t,x,y,vx,vy,fn,fx,fy,mode", value),                \
        MASS_KEY("of the block"), GRAVITY_KEY,                                                     \
        KEY("angle", NUMBER, "rad", IN_SLOPE, default_value, "of the slope",                       \
            AT(mechanism_input, angle)),                                                           \
        PLAIN_KEY("path", MAP, "", "how the slope moves", AT(mechanism_input, path),               \
                  MAPS(&slope)),                                                                   \
        FORCE_KEY("along the slope"), START_KEY("", block_start), COMMON_KEYS
static const map_key block_keys[] = {BLOCK_KEYS("block", MECHANISM_BLOCK, DEFAULT)};
static const map_key incline_keys[] = {BLOCK_KEYS("incline", MECHANISM_INCLINE, REQUIRED)};

static const map_key bead_keys[] = {
    KIND_KEY(
        "bead",
        "on a wire: columns t,x,y,z,vx,vy,vz,fn,fx,fy,fz,mode; y is up; fn is the size of the normal force",
        MECHANISM_BEAD),
    MASS_KEY("of the bead"),
    GRAVITY_KEY,
    PATH_KEY(&parabola, &helix),
    FORCE_KEY("along the wire"),
    PLAIN_KEY("start", MAP, "", "where it starts", BY_HAND("its keys depend on the path's kind"),
              MAPS(&parabola_start, &helix_start)),
    COMMON_KEYS};

static const map_key chain_keys[] = {
    KIND_KEY(
        "chain",
        "columns t,theta1,...,w1,...,x,y,fn,fx,fy,mode; with joints the friction torques f1,... before mode",
        MECHANISM_CHAIN),
    KEY("masses", NUMBERS, "kg", IN_POSITIVE, REQUIRED, "of 2 to 8 links, at their distal ends",
        AT(mechanism_input, masses)),
    KEY("lengths", NUMBERS, "m", IN_POSITIVE, REQUIRED, "of the links",
        AT(mechanism_input, lengths)),
    GRAVITY_KEY,
    PATH_KEY(&parabola, &bri_keys_polynomial, &bri_keys_path_table),
    KEY("torque", PROFILES, "N m", IN_ANY, "0", "at the joints", AT(mechanism_input, torque)),
    PLAIN_KEY("joints", MAP_EACH, "", "friction in the joints: one for all, or a list",
              AT(mechanism_input, joints), MAPS(&bri_keys_joint)),
    START_KEY(REQUIRED, bri_keys_chain_start),
    COMMON_KEYS};

static void set_default(void* to)
{
    mechanism_input* in = to;
    in->kind = "two-link";
    in->gravity = 9.81;
    in->start.y = (double)NAN;
    in->def = br_mechanism_def_default();
    in->def.law.sigma1 = in->def.law.sigma2 = 0;
}

static void finish(const node* map, void* to, bool is_good);
#define MECHANISM(name, table) MAPPING_OF(name, table, mechanism_input, set_default, finish)
static const mapping two_link = MECHANISM("two-link", two_link_keys),
                     block_mapping = MECHANISM("block", block_keys),
                     incline = MECHANISM("incline", incline_keys),
                     bead_mapping = MECHANISM("bead", bead_keys),
                     chain_mapping = MECHANISM("chain", chain_keys);

// `mechanism` is read into the whole input.
_Static_assert(offsetof(mechanism_input, which) == 0, "the first");
static const map_key root_keys[] = {
    PLAIN_KEY("mechanism", MAP, REQUIRED, "what moves", AT(mechanism_input, which),
              MAPS(&two_link, &block_mapping, &incline, &bead_mapping, &chain_mapping)),
    PLAIN_KEY("normal", WORD, DEFAULT,
              "the normal force with friction's effect on it, or without (H+ 19)",
              AT(mechanism_input, def.normal), WORDS("geometric", "paper"),
              VALUES(BR_NORMAL_GEOMETRIC, BR_NORMAL_PAPER)),
    DURATION_REQUIRED_KEY, INTEGRATOR_KEY, RUN_KEYS(bri_keys_output, bri_keys_plot_scene)};
static const mapping root_mapping =
    MAPPING_OF("mechanism scenario", root_keys, mechanism_input, set_default, NULL);

// --- law ------------------------------------------------------------------------------------------

// Defaults and checks that depend on the kind of law; its numbers have been read.
static br_law complete_law(const node* map, br_law law)
{
    const size_t before = bri_problems(map);
    law.mu_s = bri_node_find(map, "mu_s") ? law.mu_s : law.mu_c;
    if (law.mu_c == 0 && br_law_has_state(law.kind)) {
        bri_node_fail(bri_node_find(map, "mu"), "must be > 0 for %s; 0 is for coulomb",
                      bri_node_find(map, "law")->text);
    }
    if (law.mu_s < law.mu_c) {
        bri_node_fail(bri_node_find(map, "mu_s"), "must be >= mu = %.15g; got %.15g", law.mu_c,
                      law.mu_s);
    }
    if (br_law_has_state(law.kind) && !bri_node_find(map, "sigma_axes")) {
        bri_node_require(map, "sigma0");
    }
    if (bri_problems(map) == before && br_law_passivity_margin(&law) < 0) {
        bri_warn(map->in,
                 "%smay inject energy: passive for sure only if sigma2 >= sigma1 (mu_s - mu)/mu",
                 bri_node_place(map));
    }
    return law;
}

// sigma_axes and alpha_axes; one that is not given is sigma0 or alpha along every axis
static void complete_axes(const node* map, mechanism_input* in)
{
    const node *sigma = bri_node_find(map, "sigma_axes"), *alpha = bri_node_find(map, "alpha_axes");
    const size_t d = in->def.mechanism.d;
    if (!sigma && !alpha) {
        return;
    }
    if (in->def.law.kind != BR_LAW_DAHL || in->def.dahl == BR_DAHL_VECTOR) {
        bri_node_fail(sigma ? sigma : alpha, "needs law: dahl and dahl: per-axis or printed");
        return;
    }
    for (int i = 0; i < 3; i++) {
        in->axes.sigma[i] = in->def.law.sigma0;
        in->axes.alpha[i] = in->def.law.alpha;
    }
    bri_value_fill(sigma, d, RANGE_POSITIVE, in->axes.sigma);
    bri_value_fill(alpha, d, RANGE_POSITIVE, in->axes.alpha);
    in->def.dahl_axes = &in->axes;
}

// --- motion of paths ------------------------------------------------------------------------------

void bri_complete_motion(const node* map, const path_input* path, size_t d, br_path_motion* out)
{
    const node* offset = bri_node_find(map, "offset");
    if (offset && bri_value_list(offset, d) == d && path->offset.at) {
        memcpy(out->offset, path->offset.at, d * sizeof *out->offset);
    }
    out->angle = path->angle;
    out->velocity = path->velocity;
}

static void check_smooth(const node* from, const br_profile* profile, double duration)
{
    const double when = br_profile_jump(profile, duration);
    if (when < HUGE_VAL) {
        bri_node_fail(from,
                      "must be smooth, but it or its slope jumps at t = %.6g s, which needs an "
                      "infinite force. Use a sine from t = 0 on, a polynomial, or a ramp or table "
                      "without a kink within the run",
                      when);
    }
}

static void check_motion(const node* root, const mechanism_input* in, double duration)
{
    const node* path = bri_node_find(bri_node_find(root, "mechanism"), "path");
    if (bri_problems(root) > 0 || !path || !in->motion) {
        return;
    }
    const node *offset = bri_node_find(path, "offset"), *angle = bri_node_find(path, "angle");
    for (size_t i = 0; offset && i < offset->count; i++) {
        check_smooth(offset->children[i], &in->motion->offset[i], duration);
    }
    if (angle) {
        check_smooth(angle, &in->motion->angle, duration);
    }
}

// --- starts ---------------------------------------------------------------------------------------

// {theta: [..]} as it is, or {x, y, elbow}, y on the path by default
static void start_arm(const node* map, mechanism_input* in)
{
    const br_two_link* arm = &in->parts.arm;
    const node* start = bri_node_find(map, "start");
    if (bri_node_find(start, "theta")) {
        memcpy(in->q, in->start.theta, sizeof in->start.theta);
        return;
    }
    const double x = in->start.x;
    double origin[2] = {0, 0};
    br_path_place(&arm->motion, 2, 0, origin, origin, NULL);
    const double along = x - origin[0];
    const double on_path = origin[1] + arm->beta * along * along + arm->gamma;
    const br_vec2 end = {x, isnan(in->start.y) ? on_path : in->start.y};
    if (!br_two_link_start(arm, end, in->start.is_elbow_up, in->q)) {
        bri_node_fail(start,
                      "is out of reach: (%.6g, %.6g) is %.9g m from the base, the arm reaches from "
                      "%.6g to %.6g m",
                      end.x, end.y, br_vec2_norm(end), fabs(arm->length[0] - arm->length[1]),
                      arm->length[0] + arm->length[1]);
    }
}

// {x, y, v}: y on the slope by default, v along it
static void start_block(mechanism_input* in)
{
    const br_slope_block* block = &in->parts.block;
    double point[2];
    br_slope_block_start(block, in->start.x, point);
    point[1] = isnan(in->start.y) ? point[1] : in->start.y;
    br_path_place(&block->motion, 2, 0, point, in->q, in->qd);
    const double angle = block->angle + br_profile_eval(&block->motion.angle, 0, 0, NULL);
    in->qd[0] += in->start.v * cos(angle);
    in->qd[1] += in->start.v * sin(angle);
}

// {x} of a parabola, {angle} of a helix, or {point: [x, y, z]} as it is; v along the wire
static void start_bead(const node* map, mechanism_input* in)
{
    const br_bead* bead = &in->parts.bead;
    const bool is_helix = bead->wire == BR_BEAD_WIRE_HELIX;
    const node* start = bri_node_find(map, "start");
    if (start) {
        bri_keys_read(start, is_helix ? &helix_start : &parabola_start, &in->start);
    }
    double point[3], tangent[3];
    br_bead_start(bead, is_helix ? in->start.angle : in->start.x, point, tangent);
    const bool is_given = bri_node_find(start, "point");
    br_path_place(&bead->motion, 3, 0, is_given ? in->start.point : point, in->q, in->qd);
    const double v = in->start.v;
    const double angle = br_profile_eval(&bead->motion.angle, 0, 0, NULL);
    const double c = cos(angle), s = sin(angle);
    in->qd[0] += v * (c * tangent[0] + s * tangent[2]);
    in->qd[1] += v * tangent[1];
    in->qd[2] += v * (c * tangent[2] - s * tangent[0]);
}

// --- mechanisms -----------------------------------------------------------------------------------

static void finish_two_link(const node* map, mechanism_input* in)
{
    br_two_link* arm = &in->parts.arm;
    arm->gravity = in->gravity;
    arm->beta = in->path.beta;
    arm->gamma = in->path.gamma;
    bri_complete_motion(bri_node_find(map, "path"), &in->path, 2, &arm->motion);
    in->motion = &arm->motion;
    in->def.mechanism = br_two_link_mechanism(arm);
    start_arm(map, in);
}

static void finish_block(const node* map, mechanism_input* in)
{
    br_slope_block* block = &in->parts.block;
    *block = (br_slope_block){
        .mass = in->mass, .gravity = in->gravity, .angle = in->angle, .force = in->force};
    bri_complete_motion(bri_node_find(map, "path"), &in->path, 2, &block->motion);
    in->motion = &block->motion;
    in->def.mechanism = br_slope_block_mechanism(block);
    start_block(in);
}

static void finish_bead(const node* map, mechanism_input* in)
{
    br_bead* bead = &in->parts.bead;
    const path_input* path = &in->path;
    *bead = (br_bead){.mass = in->mass,
                      .gravity = in->gravity,
                      .wire = path->kind == PATH_HELIX ? BR_BEAD_WIRE_HELIX : BR_BEAD_WIRE_PARABOLA,
                      .beta = path->beta,
                      .gamma = path->gamma,
                      .radius = path->radius,
                      .pitch = path->pitch,
                      .force = in->force};
    bri_complete_motion(bri_node_find(map, "path"), path, 3, &bead->motion);
    in->motion = &bead->motion;
    in->def.mechanism = br_bead_mechanism(bead);
    start_bead(map, in);
}

static void finish(const node* map, void* to, bool is_good)
{
    mechanism_input* in = to;
    in->kind = bri_node_find(map, "kind")->text;
    if (bri_node_is_good(map, "mu") &&
        (bri_node_is_good(map, "mu_s") || !bri_node_find(map, "mu_s")) &&
        (bri_node_is_good(map, "law") || !bri_node_find(map, "law"))) {
        in->def.law = complete_law(map, in->def.law);
    }
    if (!is_good) {
        return;
    }
    if (in->which == MECHANISM_TWO_LINK) {
        finish_two_link(map, in);
    } else if (in->which == MECHANISM_BEAD) {
        finish_bead(map, in);
    } else if (in->which == MECHANISM_CHAIN) {
        bri_finish_chain(map, in);
    } else {
        finish_block(map, in);
    }
    in->def.q = in->q;
    in->def.qd = in->qd;
    in->def.project = in->project;
    complete_axes(map, in);
}

static mechanism_input* read_mechanism(const node* root)
{
    mechanism_input* in = bri_keys_create(&root->in->memory, &root_mapping);
    const size_t before = bri_problems(root);
    bri_keys_fill(root, &root_mapping, in, false);
    br_reason why = {"", ""};
    if (bri_problems(root) == before) {
        const br_status status = br_mechanism_check(&in->def, &why);
        bri_node_accept(bri_node_find(root, "mechanism"), status, &why);
    }
    return in;
}

static void read(br_scenario* s)
{
    bri_keys_expect(s->root, &root_mapping);
    mechanism_input* in = read_mechanism(s->root);
    s->data = in;
    s->detail = bri_format(&s->in, "%s, %s, %s normal force", in->kind,
                           in->def.law.kind == BR_LAW_STICTION ? "coulomb"
                                                               : br_law_get_name(in->def.law.kind),
                           in->def.normal == BR_NORMAL_PAPER ? "paper's" : "geometric");
    TAKE_COLUMNS(s, br_mechanism_get_columns, &in->def, BR_COLUMNS_MAIN);
    bri_scenario_read_run(s, NULL);
    check_motion(s->root, in, s->run.duration);
}

static void get_model(const br_scenario* s, br_scenario_model* to)
{
    const mechanism_input* in = s->data;
    to->mechanism = &in->def;
    to->motion = in->motion;
    if (in->which == MECHANISM_CHAIN) {
        to->chain = &in->parts.chain;
    } else if (in->which == MECHANISM_TWO_LINK) {
        to->two_link = &in->parts.arm;
    } else if (in->which == MECHANISM_BEAD) {
        to->bead = &in->parts.bead;
    } else {
        to->block = &in->parts.block;
    }
}

// --- running --------------------------------------------------------------------------------------

// Below this Painleve margin the user is warned [-].
static const double NEAR_LIMIT = 0.1;

// A block rests on its slope, but the constraint also holds it where it would lift off.
static void judge_normal_force(const br_scenario* s, const br_mechanism_report* report,
                               br_table* got)
{
    static const double rounding = 1e-6; // of the block's acceleration [m/s^2]
    const mechanism_input* in = s->data;
    const bool rests = in->which == MECHANISM_BLOCK || in->which == MECHANISM_INCLINE;
    if (rests && report->fn_min < -rounding * in->parts.block.mass) {
        bri_table_warn(
            got,
            "%sthe normal force falls to %.3g N at t = %.4g s: a block that rests on its "
            "slope would lift off, but here the slope pulls it along, like a slot",
            bri_node_place_in(&got->memory, bri_node_find(s->root, "mechanism")), report->fn_min,
            report->fn_min_t);
    }
}

static br_status run(const br_scenario* s, br_table* got, br_reason* why)
{
    const mechanism_input* in = s->data;
    br_mechanism_report* report = bri_pool_allocate(&got->memory, 1, sizeof *report);
    got->data = report;
    const br_run_watch watch = bri_table_watch(got);
    const br_status status = br_mechanism_run(&in->def, &s->run, &watch, report, why);
    got->cost = report->cost;
    if (status == BR_OK && in->def.normal == BR_NORMAL_GEOMETRIC && report->margin < NEAR_LIMIT) {
        bri_table_warn(got,
                       "%snear the Painleve limit, where friction jams the contact: its margin "
                       "1 - mu |W_np|/W_nn falls to %.3g",
                       bri_node_place_in(&got->memory, bri_node_find(s->root, "mechanism")),
                       report->margin);
    }
    if (status == BR_OK) {
        judge_normal_force(s, report, got);
        bri_scenario_judge_energy(s, got, report->residual, report->turnover);
    }
    return status;
}

static void sum_up(const br_scenario* s, br_table* got)
{
    (void)s;
    const br_mechanism_report* report = got->data;
    bri_table_sum(got, report->kinetic, "energy.kinetic");
    bri_table_sum(got, report->potential, "energy.potential");
    bri_table_sum(got, report->work_applied, "energy.work_applied");
    bri_table_sum(got, report->work_friction, "energy.work_friction");
    bri_table_sum(got, report->work_constraints, "energy.work_constraints");
    bri_table_sum(got, report->residual, "energy.residual");
    bri_table_sum(got, report->drift, "constraint_drift");
    bri_table_sum(got, report->margin, "painleve_margin");
    bri_table_print(got,
                    "%zu events; constraint drift %.2g m, energy residual %.2g J, Painleve margin "
                    "%.3g\n",
                    got->event_count, report->drift, report->residual, report->margin);
}

const scenario_kind bri_scenario_mechanism = {.name = "mechanism",
                                              .help = FOR_HELP(help),
                                              .blocks = (const char* const[]){"mechanism", NULL},
                                              .keys = &root_mapping,
                                              .rtol = BR_MECHANISM_RTOL,
                                              .atol = BR_MECHANISM_ATOL,
                                              .atol_z = BR_ATOL_Z,
                                              .picture = BR_PICTURE_BOTH,
                                              .read = read,
                                              .run = run,
                                              .get_model = get_model,
                                              .sum_up = sum_up};
