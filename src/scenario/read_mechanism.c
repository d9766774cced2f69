/*
 * A constrained mechanism from YAML.
 */
#include "scenario/read_mechanism.h"

#include <math.h>
#include <string.h>

#include "scenario/mappings.h"
#include "scenario/read_chain.h"
#include "scenario/read_profile.h"
#include "scenario/value.h"

enum { TWO_LINK, BLOCK, INCLINE, BEAD, CHAIN }; // in the order of their mappings, too
static const char* const kinds[] = {"two-link", "block", "incline", "bead", "chain", NULL};

static const char* const laws[] = {"coulomb", "dahl", "lugre", "elasto-plastic", NULL};
static const char* const forms[] = {"vector", "per-axis", "printed", NULL};

#define KIND_KEY(word, text) KEY("kind", WORD, "", IN_ANY, REQUIRED, text, BY_HAND, WORDS(word))
#define GRAVITY_KEY(field)                                                                         \
    KEY("gravity", NUMBER, "m/s^2", IN_ANY, "9.81", "downwards", AT(mechanism_input, field))
#define PATH_KEY(...)                                                                              \
    KEY("path", MAP, "", IN_ANY, REQUIRED, "what its point is on", BY_HAND, MAPS(__VA_ARGS__))
#define START_KEY(otherwise, mapping_)                                                             \
    KEY("start", MAP, "", IN_ANY, otherwise, "where it begins", BY_HAND, MAPS(&mapping_))

// Of every mechanism: friction at its contact point, and how it is kept on its path.
#define COMMON_KEYS                                                                                \
    KEY("mu", NUMBER, "-", IN_NOT_NEGATIVE, REQUIRED, "Coulomb coefficient",                       \
        AT(mechanism_input, def.law.mu_c)),                                                        \
        KEY("mu_s", NUMBER, "-", IN_NOT_NEGATIVE, "mu", "static coefficient, >= mu",               \
            AT(mechanism_input, def.law.mu_s)),                                                    \
        KEY("law", WORD, "", IN_ANY, "coulomb", "of friction", BY_HAND, .words = laws),            \
        KEY("dahl", WORD, "", IN_ANY, "vector", "how dahl goes in the plane", BY_HAND,             \
            .words = forms),                                                                       \
        KEY("sigma0", NUMBER, "1/m", IN_POSITIVE, "",                                              \
            "stiffness, for dahl [N/m]; not for coulomb", AT(mechanism_input, def.law.sigma0)),    \
        KEY("sigma1", NUMBER, "s/m", IN_NOT_NEGATIVE, "0", "damping of the bristles",              \
            AT(mechanism_input, def.law.sigma1)),                                                  \
        KEY("sigma2", NUMBER, "s/m", IN_NOT_NEGATIVE, "0", "viscous coefficient",                  \
            AT(mechanism_input, def.law.sigma2)),                                                  \
        KEY("v_s", NUMBER, "m/s", IN_POSITIVE, "1e-3", "Stribeck speed",                           \
            AT(mechanism_input, def.law.v_stribeck)),                                              \
        KEY("gamma", NUMBER, "-", IN_POSITIVE, "2", "Stribeck exponent",                           \
            AT(mechanism_input, def.law.gamma)),                                                   \
        KEY("alpha", NUMBER, "-", IN_POSITIVE, "1", "Dahl's exponent",                             \
            AT(mechanism_input, def.law.alpha)),                                                   \
        KEY("s_ba", NUMBER, "-", IN_FRACTION, "0.9", "breakaway fraction",                         \
            AT(mechanism_input, def.law.s_ba)),                                                    \
        KEY("project", FLAG, "", IN_ANY, "false", "move a start onto the constraint", BY_HAND),    \
        KEY("stabilisation", NUMBER, "1/s", IN_NOT_NEGATIVE, "20", "back to the constraint",       \
            AT(mechanism_input, def.stabilisation))

#define IN_SLOPE                                                                                   \
    {                                                                                              \
        -1.57, 1.57, true, true                                                                    \
    }

// What a parabola is, of any mechanism.
typedef struct parabola_input {
    double beta, gamma;
} parabola_input;

static const map_key parabola_keys[] = {
    KIND_KEY("parabola", "y = beta x^2 + gamma"),
    KEY("beta", NUMBER, "1/m", IN_ANY, REQUIRED, "curvature", AT(parabola_input, beta)),
    KEY("gamma", NUMBER, "m", IN_ANY, "0", "height", AT(parabola_input, gamma))};
const mapping bri_keys_parabola = MAPPING("parabola", parabola_keys);

static const map_key helix_keys[] = {
    KIND_KEY("helix", "about the vertical"),
    KEY("radius", NUMBER, "m", IN_POSITIVE, REQUIRED, "of the helix", AT(br_bead, radius)),
    KEY("pitch", NUMBER, "m", IN_POSITIVE, REQUIRED, "rise of a turn", AT(br_bead, pitch))};
static const mapping helix = MAPPING("helix", helix_keys);

static const char* const elbows[] = {"down", "up", NULL};
static const map_key arm_start_keys[] = {
    KEY("theta", NUMBERS, "rad", IN_ANY, "", "both angles, or", BY_HAND, COUNT(2)),
    KEY("x", NUMBER, "m", IN_ANY, "", "of the end point", BY_HAND),
    KEY("y", NUMBER, "m", IN_ANY, "on the path", "of the end point", BY_HAND),
    KEY("elbow", WORD, "", IN_ANY, "down", "down: theta2 in (0, pi)", BY_HAND, .words = elbows)};
static const mapping arm_start = MAPPING("start of a two-link", arm_start_keys);

static const map_key block_start_keys[] = {
    KEY("x", NUMBER, "m", IN_ANY, "0", "place", BY_HAND),
    KEY("y", NUMBER, "m", IN_ANY, "on the slope", "place", BY_HAND),
    KEY("v", NUMBER, "m/s", IN_ANY, "0", "along the slope", BY_HAND)};
static const mapping block_start = MAPPING("start of a block", block_start_keys);

#define BEAD_START_KEYS                                                                            \
    KEY("point", NUMBERS, "m", IN_ANY, "", "x, y, z instead", BY_HAND, COUNT(3)),                  \
        KEY("v", NUMBER, "m/s", IN_ANY, "0", "along the wire", BY_HAND)
static const map_key parabola_start_keys[] = {KEY("x", NUMBER, "m", IN_ANY, "0", "place", BY_HAND),
                                              BEAD_START_KEYS};
static const mapping parabola_start = MAPPING("start on a parabola", parabola_start_keys);
static const map_key helix_start_keys[] = {
    KEY("angle", NUMBER, "rad", IN_ANY, "0", "about the helix's axis", BY_HAND), BEAD_START_KEYS};
static const mapping helix_start = MAPPING("start on a helix", helix_start_keys);

static const map_key two_link_keys[] = {
    KIND_KEY("two-link",
             "columns t,theta1,theta2,w1,w2,x,y,fn,fx,fy,mode: joints, end point, friction on it"),
    KEY("masses", NUMBERS, "kg", IN_POSITIVE, REQUIRED, "points at the distal ends",
        AT(mechanism_input, parts.arm.mass), COUNT(2)),
    KEY("lengths", NUMBERS, "m", IN_POSITIVE, REQUIRED, "of the links",
        AT(mechanism_input, parts.arm.length), COUNT(2)),
    GRAVITY_KEY(parts.arm.gravity),
    PATH_KEY(&bri_keys_parabola),
    KEY("torque", PROFILES, "N m", IN_ANY, "0", "at the joints", BY_HAND, COUNT(2)),
    START_KEY(REQUIRED, arm_start),
    COMMON_KEYS};
static const mapping two_link = MAPPING("two-link", two_link_keys);

#define BLOCK_KEYS(word, otherwise)                                                                \
    KIND_KEY(word, "a block on a slope: columns t,x,y,vx,vy,fn,fx,fy,mode"),                       \
        KEY("mass", NUMBER, "kg", IN_POSITIVE, REQUIRED, "of the block",                           \
            AT(mechanism_input, parts.block.mass)),                                                \
        GRAVITY_KEY(parts.block.gravity),                                                          \
        KEY("angle", NUMBER, "rad", IN_SLOPE, otherwise, "of the slope",                           \
            AT(mechanism_input, parts.block.angle)),                                               \
        KEY("force", PROFILE, "N", IN_ANY, "0", "along the slope", BY_HAND),                       \
        START_KEY("", block_start), COMMON_KEYS
static const map_key block_keys[] = {BLOCK_KEYS("block", "0")};
static const mapping block_mapping = MAPPING("block", block_keys);
static const map_key incline_keys[] = {BLOCK_KEYS("incline", REQUIRED)};
static const mapping incline = MAPPING("incline", incline_keys);

static const map_key bead_keys[] = {
    KIND_KEY(
        "bead",
        "on a wire: columns t,x,y,z,vx,vy,vz,fn,fx,fy,fz,mode; y is up; fn is the size of the normal force"),
    KEY("mass", NUMBER, "kg", IN_POSITIVE, REQUIRED, "of the bead",
        AT(mechanism_input, parts.bead.mass)),
    GRAVITY_KEY(parts.bead.gravity),
    PATH_KEY(&bri_keys_parabola, &helix),
    KEY("force", PROFILE, "N", IN_ANY, "0", "along the wire", BY_HAND),
    KEY("start", MAP, "", IN_ANY, "", "where it begins", BY_HAND,
        MAPS(&parabola_start, &helix_start)),
    COMMON_KEYS};
static const mapping bead_mapping = MAPPING("bead", bead_keys);

static const map_key chain_keys[] = {
    KIND_KEY(
        "chain",
        "columns t,theta1,...,w1,...,x,y,fn,fx,fy,mode; with joints the friction torques f1,... before mode"),
    KEY("masses", NUMBERS, "kg", IN_POSITIVE, REQUIRED, "of 2 to 8 links, at their distal ends",
        BY_HAND),
    KEY("lengths", NUMBERS, "m", IN_POSITIVE, REQUIRED, "of the links", BY_HAND),
    GRAVITY_KEY(parts.chain.gravity),
    PATH_KEY(&bri_keys_parabola, &bri_keys_polynomial, &bri_keys_path_table),
    KEY("torque", PROFILES, "N m", IN_ANY, "0", "at the joints", BY_HAND),
    KEY("joints", MAP_EACH, "", IN_ANY, "", "friction in the joints: one for all, or a list",
        BY_HAND, MAPS(&bri_keys_joint)),
    START_KEY(REQUIRED, bri_keys_chain_start),
    COMMON_KEYS};
static const mapping chain_mapping = MAPPING("chain", chain_keys);

static const char* const normals[] = {"geometric", "paper", NULL};
static const map_key root_keys[] = {
    KEY("mechanism", MAP, "", IN_ANY, REQUIRED, "what moves", BY_HAND,
        MAPS(&two_link, &block_mapping, &incline, &bead_mapping, &chain_mapping)),
    KEY("normal", WORD, "", IN_ANY, "geometric",
        "the normal force with friction's effect on it, or without (H+ 19)", BY_HAND,
        .words = normals),
    DURATION_REQUIRED_KEY,
    INTEGRATOR_KEY,
    OUTPUT_KEY(bri_keys_output),
    PLOT_KEY(bri_keys_plot_scene),
    SWEEP_KEY,
    NOISE_KEY};
const mapping bri_keys_mechanism = MAPPING("mechanism scenario", root_keys);

// --- law ------------------------------------------------------------------------------------------

static br_law_kind read_law_kind(const node* map)
{
    static const br_law_kind law_kinds[] = {BR_LAW_STICTION, BR_LAW_DAHL, BR_LAW_LUGRE,
                                            BR_LAW_ELASTO_PLASTIC};
    return law_kinds[bri_value_choice(bri_node_find(map, "law"), laws)];
}

// What depends on the kind of law; its numbers have been read.
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
    if (br_law_has_state(law.kind)) {
        bri_node_require(map, "sigma0");
    }
    if (bri_problems(map) == before && br_law_passivity_margin(&law) < 0) {
        bri_warn(map->in,
                 "%smay inject energy: passive for sure only if sigma2 >= sigma1 (mu_s - mu)/mu",
                 bri_node_place(map));
    }
    return law;
}

static br_dahl_form read_form(const node* map)
{
    static const br_dahl_form values[] = {BR_DAHL_VECTOR, BR_DAHL_PER_AXIS, BR_DAHL_AS_PRINTED};
    return values[bri_value_choice(bri_node_find(map, "dahl"), forms)];
}

// --- starts ---------------------------------------------------------------------------------------

static const node* find_start(const node* map, const mapping* keys)
{
    const node* start = bri_node_find(map, "start");
    return bri_keys_expect(start, keys) ? start : NULL;
}

static double start_number(const node* start, const char* key, double otherwise)
{
    return start ? bri_value_optional(start, key, RANGE_ANY, otherwise) : otherwise;
}

// {theta: [..]} as it is, or {x, y, elbow}, y on the path by default
static void read_arm_start(const node* map, mechanism_input* in)
{
    const br_two_link* arm = &in->parts.arm;
    const node* start = find_start(map, &arm_start);
    if (!start) {
        return;
    }
    const node* theta = bri_node_find(start, "theta");
    if (theta) {
        bri_value_fill(theta, 2, RANGE_ANY, in->q);
        return;
    }
    const double x = bri_value_required(start, "x", RANGE_ANY);
    const double on_path = arm->beta * x * x + arm->gamma;
    const br_vec2 end = {x, bri_value_optional(start, "y", RANGE_ANY, on_path)};
    const bool is_up = bri_value_choice(bri_node_find(start, "elbow"), elbows) == 1;
    if (bri_problems(map) == 0 && !br_two_link_start(arm, end, is_up, in->q)) {
        bri_node_fail(start,
                      "is out of reach: (%.6g, %.6g) is %.9g m from the base, the arm reaches from "
                      "%.6g to %.6g m",
                      end.x, end.y, br_vec2_norm(end), fabs(arm->length[0] - arm->length[1]),
                      arm->length[0] + arm->length[1]);
    }
}

// {x, y, v}: y on the slope by default, v along it
static void read_block_start(const node* map, mechanism_input* in)
{
    const br_slope_block* block = &in->parts.block;
    const node* start = find_start(map, &block_start);
    br_slope_block_start(block, start_number(start, "x", 0), in->q);
    in->q[1] = start_number(start, "y", in->q[1]);
    const double v = start_number(start, "v", 0);
    in->qd[0] = v * cos(block->angle);
    in->qd[1] = v * sin(block->angle);
}

// {x} of a parabola, {angle} of a helix, or {point: [x, y, z]} as it is; v along the wire
static void read_bead_start(const node* map, mechanism_input* in)
{
    const br_bead* bead = &in->parts.bead;
    const int is_helix = bead->wire == BR_BEAD_WIRE_HELIX;
    const node* start = find_start(map, is_helix ? &helix_start : &parabola_start);
    double tangent[3];
    br_bead_start(bead, start_number(start, is_helix ? "angle" : "x", 0), in->q, tangent);
    const double v = start_number(start, "v", 0);
    for (int i = 0; i < 3; i++) {
        in->qd[i] = v * tangent[i];
    }
    const node* point = start ? bri_node_find(start, "point") : NULL;
    if (point) {
        bri_value_fill(point, 3, RANGE_ANY, in->q);
    }
}

// --- mechanisms -----------------------------------------------------------------------------------

static void read_parabola(const node* path, double* beta, double* gamma)
{
    parabola_input in = {0, 0};
    bri_keys_read(path, &bri_keys_parabola, &in);
    *beta = in.beta;
    *gamma = in.gamma;
}

static void read_two_link(const node* map, mechanism_input* in)
{
    static const char* const paths[] = {"parabola", NULL};
    br_two_link* arm = &in->parts.arm;
    const node* torque = bri_node_find(map, "torque");
    const size_t torques = bri_value_list(torque, 2);
    for (int i = 0; i < 2; i++) {
        arm->torque[i] =
            torques ? bri_read_profile(torque->children[i], RANGE_ANY) : br_profile_constant(0);
    }
    const node* path = bri_node_find(map, "path");
    bri_value_choice(bri_node_require(path, "kind"), paths);
    read_parabola(path, &arm->beta, &arm->gamma);
    in->def.mechanism = br_two_link_mechanism(arm);
    read_arm_start(map, in);
}

static void read_block(const node* map, mechanism_input* in)
{
    br_slope_block* block = &in->parts.block;
    block->force = bri_read_profile_or(map, "force", RANGE_ANY, 0);
    in->def.mechanism = br_slope_block_mechanism(block);
    read_block_start(map, in);
}

static void read_bead(const node* map, mechanism_input* in)
{
    static const char* const paths[] = {"parabola", "helix", NULL};
    br_bead* bead = &in->parts.bead;
    bead->force = bri_read_profile_or(map, "force", RANGE_ANY, 0);
    const node* path = bri_node_find(map, "path");
    if (bri_value_choice(bri_node_require(path, "kind"), paths) == 0) {
        read_parabola(path, &bead->beta, &bead->gamma);
    } else {
        bead->wire = BR_BEAD_WIRE_HELIX;
        bri_keys_read(path, &helix, bead);
    }
    in->def.mechanism = br_bead_mechanism(bead);
    read_bead_start(map, in);
}

static br_normal read_normal(const node* root)
{
    static const br_normal values[] = {BR_NORMAL_GEOMETRIC, BR_NORMAL_PAPER};
    const node* found = bri_node_find(root, "normal");
    return values[found ? bri_value_choice(found, normals) : 0];
}

mechanism_input* bri_read_mechanism(const node* root)
{
    const node* map = bri_node_find(root, "mechanism");
    mechanism_input* in = bri_allocate(root->in, 1, sizeof *in);
    const size_t before = bri_problems(root);
    const int which = bri_value_choice(bri_node_require(map, "kind"), kinds);
    in->kind = kinds[which];
    in->def = br_mechanism_def_default();
    in->def.law = br_law_default(BR_LAW_STICTION);
    if (bri_problems(root) != before) {
        return in; // its other keys depend on its kind
    }
    br_mechanism_def* def = &in->def;
    const bool is_read = bri_keys_read(map, root_keys[0].maps[which], in);
    def->law.kind = read_law_kind(map);
    if (is_read) {
        def->law = complete_law(map, def->law);
    }
    if (which == TWO_LINK) {
        read_two_link(map, in);
    } else if (which == BEAD) {
        read_bead(map, in);
    } else if (which == CHAIN) {
        bri_read_chain(map, in);
    } else {
        read_block(map, in);
    }
    def->q = in->q;
    def->qd = in->qd;
    def->dahl = read_form(map);
    def->normal = read_normal(root);
    const node* project = bri_node_find(map, "project");
    def->project = project && bri_value_flag(project);
    br_reason why = {"", ""};
    if (bri_problems(root) != before) {
        return in;
    }
    const br_status status = br_mechanism_check(def, &why);
    if (status == BR_ERR_MEMORY) {
        bri_no_memory(root->in);
    } else if (status != BR_OK) {
        bri_node_fail_field(map, why.field, "%s", why.text);
    }
    return in;
}
