/*
 * A constrained mechanism from YAML.
 */
#include "scenario/read_mechanism.h"

#include <math.h>
#include <string.h>

#include "scenario/read_chain.h"
#include "scenario/read_profile.h"
#include "scenario/value.h"

enum { TWO_LINK, BLOCK, INCLINE, BEAD, CHAIN };
static const char* const kinds[] = {"two-link", "block", "incline", "bead", "chain", NULL};

// Keys of every mechanism, after those of its own (at most OWN_KEYS).
static const char* const common_keys[] = {
    "kind",   "gravity", "mu",    "mu_s",  "law",  "dahl",  "sigma0",  "sigma1",
    "sigma2", "v_s",     "gamma", "alpha", "s_ba", "start", "project", "stabilisation"};
enum { OWN_KEYS = 6, COMMON_KEYS = sizeof common_keys / sizeof *common_keys };

static const double DEFAULT_GRAVITY = 9.81;

static void expect_keys(const node* map, names own)
{
    const char* keys[OWN_KEYS + COMMON_KEYS + 1] = {NULL};
    size_t count = 0;
    for (names key = own; *key; key++) {
        keys[count++] = *key;
    }
    memcpy(keys + count, common_keys, sizeof common_keys);
    bri_node_expect_keys(map, keys);
}

// --- law ------------------------------------------------------------------------------------------

static br_law read_law_of(const node* map)
{
    static const char* const laws[] = {"coulomb", "dahl", "lugre", "elasto-plastic", NULL};
    static const br_law_kind law_kinds[] = {BR_LAW_STICTION, BR_LAW_DAHL, BR_LAW_LUGRE,
                                            BR_LAW_ELASTO_PLASTIC};
    const node* name = bri_node_find(map, "law");
    br_law law = br_law_default(law_kinds[name ? bri_value_choice(name, laws) : 0]);
    const size_t before = bri_problems(map);
    law.mu_c = bri_value_required(map, "mu", RANGE_NOT_NEGATIVE);
    law.mu_s = bri_value_optional(map, "mu_s", RANGE_NOT_NEGATIVE, law.mu_c);
    if (law.mu_c == 0 && br_law_has_state(law.kind) && name) {
        bri_node_fail(bri_node_find(map, "mu"), "must be > 0 for %s; 0 is for coulomb",
                      bri_value_text(name));
    }
    if (law.mu_s < law.mu_c && bri_problems(map) == before) {
        bri_node_fail(bri_node_find(map, "mu_s"), "must be >= mu = %.15g; got %.15g", law.mu_c,
                      law.mu_s);
    }
    if (br_law_has_state(law.kind)) {
        law.sigma0 = bri_value_required(map, "sigma0", RANGE_POSITIVE);
    }
    law.sigma1 = bri_value_optional(map, "sigma1", RANGE_NOT_NEGATIVE, 0);
    law.sigma2 = bri_value_optional(map, "sigma2", RANGE_NOT_NEGATIVE, 0);
    law.v_stribeck = bri_value_optional(map, "v_s", RANGE_POSITIVE, 1e-3);
    law.gamma = bri_value_optional(map, "gamma", RANGE_POSITIVE, 2);
    law.alpha = bri_value_optional(map, "alpha", RANGE_POSITIVE, 1);
    law.s_ba = bri_value_optional(map, "s_ba", RANGE_FRACTION, 0.9);
    if (bri_problems(map) == before && br_law_passivity_margin(&law) < 0) {
        bri_warn(map->in,
                 "%smay inject energy: passive for sure only if sigma2 >= sigma1 (mu_s - mu)/mu",
                 bri_node_place(map));
    }
    return law;
}

static br_dahl_form read_form(const node* map)
{
    static const char* const forms[] = {"vector", "per-axis", "printed", NULL};
    static const br_dahl_form values[] = {BR_DAHL_VECTOR, BR_DAHL_PER_AXIS, BR_DAHL_AS_PRINTED};
    const node* found = bri_node_find(map, "dahl");
    return values[found ? bri_value_choice(found, forms) : 0];
}

// --- starts ---------------------------------------------------------------------------------------

static const node* find_start(const node* map, names keys)
{
    const node* start = bri_node_find(map, "start");
    return bri_node_expect_keys(start, keys) ? start : NULL;
}

static double start_number(const node* start, const char* key, double otherwise)
{
    return start ? bri_value_optional(start, key, RANGE_ANY, otherwise) : otherwise;
}

// {theta: [..]} as it is, or {x, y, elbow}, y on the path by default
static void read_arm_start(const node* map, mechanism_input* in)
{
    static const char* const keys[] = {"x", "y", "elbow", "theta", NULL};
    static const char* const elbows[] = {"down", "up", NULL};
    const br_two_link* arm = &in->parts.arm;
    const node* start = bri_node_require(map, "start");
    if (!bri_node_expect_keys(start, keys)) {
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
    static const char* const keys[] = {"x", "y", "v", NULL};
    const br_slope_block* block = &in->parts.block;
    const node* start = find_start(map, keys);
    br_slope_block_start(block, start_number(start, "x", 0), in->q);
    in->q[1] = start_number(start, "y", in->q[1]);
    const double v = start_number(start, "v", 0);
    in->qd[0] = v * cos(block->angle);
    in->qd[1] = v * sin(block->angle);
}

// {x} of a parabola, {angle} of a helix, or {point: [x, y, z]} as it is; v along the wire
static void read_bead_start(const node* map, mechanism_input* in)
{
    static const char* const of_parabola[] = {"x", "point", "v", NULL};
    static const char* const of_helix[] = {"angle", "point", "v", NULL};
    const br_bead* bead = &in->parts.bead;
    const int is_helix = bead->wire == BR_BEAD_WIRE_HELIX;
    const node* start = find_start(map, is_helix ? of_helix : of_parabola);
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
    static const char* const keys[] = {"kind", "beta", "gamma", NULL};
    if (!bri_node_expect_keys(path, keys)) {
        return;
    }
    *beta = bri_value_required(path, "beta", RANGE_ANY);
    *gamma = bri_value_optional(path, "gamma", RANGE_ANY, 0);
}

static void read_two_link(const node* map, mechanism_input* in)
{
    static const char* const own[] = {"masses", "lengths", "path", "torque", NULL};
    static const char* const paths[] = {"parabola", NULL};
    static const char* const required[] = {"masses", "lengths", "path", "start", "mu", NULL};
    br_two_link* arm = &in->parts.arm;
    expect_keys(map, own);
    bri_node_require_all(map, required, NULL);
    bri_value_fill(bri_node_find(map, "masses"), 2, RANGE_POSITIVE, arm->mass);
    bri_value_fill(bri_node_find(map, "lengths"), 2, RANGE_POSITIVE, arm->length);
    const node* torque = bri_node_find(map, "torque");
    const size_t torques = bri_value_list(torque, 2);
    for (int i = 0; i < 2; i++) {
        arm->torque[i] =
            torques ? bri_read_profile(torque->children[i], RANGE_ANY) : br_profile_constant(0);
    }
    arm->gravity = bri_value_optional(map, "gravity", RANGE_ANY, DEFAULT_GRAVITY);
    const node* path = bri_node_require(map, "path");
    bri_value_choice(bri_node_require(path, "kind"), paths);
    read_parabola(path, &arm->beta, &arm->gamma);
    in->def.mechanism = br_two_link_mechanism(arm);
    read_arm_start(map, in);
}

static void read_block(const node* map, mechanism_input* in, bool is_incline)
{
    static const char* const own[] = {"mass", "angle", "force", NULL};
    static const char* const on_slope[] = {"mass", "angle", "mu", NULL};
    static const char* const on_floor[] = {"mass", "mu", NULL};
    static const range slopes = {-1.57, 1.57, true, true};
    br_slope_block* block = &in->parts.block;
    expect_keys(map, own);
    bri_node_require_all(map, is_incline ? on_slope : on_floor, NULL);
    block->mass = bri_value_required(map, "mass", RANGE_POSITIVE);
    block->gravity = bri_value_optional(map, "gravity", RANGE_ANY, DEFAULT_GRAVITY);
    block->angle = is_incline ? bri_value_required(map, "angle", slopes)
                              : bri_value_optional(map, "angle", slopes, 0);
    block->force = bri_read_profile_or(map, "force", RANGE_ANY, 0);
    in->def.mechanism = br_slope_block_mechanism(block);
    read_block_start(map, in);
}

static void read_bead(const node* map, mechanism_input* in)
{
    static const char* const own[] = {"mass", "path", "force", NULL};
    static const char* const helix_keys[] = {"kind", "radius", "pitch", NULL};
    static const char* const paths[] = {"parabola", "helix", NULL};
    static const char* const required[] = {"mass", "path", "mu", NULL};
    br_bead* bead = &in->parts.bead;
    expect_keys(map, own);
    bri_node_require_all(map, required, NULL);
    bead->mass = bri_value_required(map, "mass", RANGE_POSITIVE);
    bead->gravity = bri_value_optional(map, "gravity", RANGE_ANY, DEFAULT_GRAVITY);
    bead->force = bri_read_profile_or(map, "force", RANGE_ANY, 0);
    const node* path = bri_node_require(map, "path");
    if (bri_value_choice(bri_node_require(path, "kind"), paths) == 0) {
        read_parabola(path, &bead->beta, &bead->gamma);
    } else {
        bri_node_expect_keys(path, helix_keys);
        bri_node_require_all(path, helix_keys, NULL);
        bead->wire = BR_BEAD_WIRE_HELIX;
        bead->radius = bri_value_required(path, "radius", RANGE_POSITIVE);
        bead->pitch = bri_value_required(path, "pitch", RANGE_POSITIVE);
    }
    in->def.mechanism = br_bead_mechanism(bead);
    read_bead_start(map, in);
}

static br_normal read_normal(const node* root)
{
    static const char* const normals[] = {"geometric", "paper", NULL};
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
    if (bri_problems(root) != before) {
        return in; // its other keys depend on its kind
    }
    if (which == TWO_LINK) {
        read_two_link(map, in);
    } else if (which == BEAD) {
        read_bead(map, in);
    } else if (which == CHAIN) {
        static const char* const own[] = {CHAIN_KEYS, NULL};
        expect_keys(map, own);
        bri_read_chain(map, in);
    } else {
        read_block(map, in, which == INCLINE);
    }
    br_mechanism_def* def = &in->def;
    def->q = in->q;
    def->qd = in->qd;
    def->law = read_law_of(map);
    def->dahl = read_form(map);
    def->normal = read_normal(root);
    const node* project = bri_node_find(map, "project");
    def->project = project && bri_value_flag(project);
    def->stabilisation =
        bri_value_optional(map, "stabilisation", RANGE_NOT_NEGATIVE, def->stabilisation);
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
