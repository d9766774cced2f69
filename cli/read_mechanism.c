/*
 * A constrained mechanism from YAML.
 */
#include "read_mechanism.h"

#include <math.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "read_chain.h"
#include "read_profile.h"
#include "value.h"

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
    node_expect_keys(map, keys);
}

// --- law ------------------------------------------------------------------------------------------

static br_law read_law_of(const node* map)
{
    static const char* const laws[] = {"coulomb", "dahl", "lugre", "elasto-plastic", NULL};
    static const br_law_kind law_kinds[] = {BR_LAW_STICTION, BR_LAW_DAHL, BR_LAW_LUGRE,
                                            BR_LAW_ELASTO_PLASTIC};
    const node* name = node_find(map, "law");
    br_law law = br_law_default(law_kinds[name ? value_choice(name, laws) : 0]);
    law.mu_c = value_required(map, "mu", RANGE_NOT_NEGATIVE);
    law.mu_s = value_optional(map, "mu_s", RANGE_NOT_NEGATIVE, law.mu_c);
    if (law.mu_c == 0 && br_law_has_state(law.kind)) {
        node_fail(node_find(map, "mu"), "must be > 0 for %s; 0 is for coulomb", value_text(name));
    }
    if (law.mu_s < law.mu_c) {
        node_fail(node_find(map, "mu_s"), "must be >= mu = %.15g; got %.15g", law.mu_c, law.mu_s);
    }
    if (br_law_has_state(law.kind)) {
        law.sigma0 = value_required(map, "sigma0", RANGE_POSITIVE);
    }
    law.sigma1 = value_optional(map, "sigma1", RANGE_NOT_NEGATIVE, 0);
    law.sigma2 = value_optional(map, "sigma2", RANGE_NOT_NEGATIVE, 0);
    law.v_stribeck = value_optional(map, "v_s", RANGE_POSITIVE, 1e-3);
    law.gamma = value_optional(map, "gamma", RANGE_POSITIVE, 2);
    law.alpha = value_optional(map, "alpha", RANGE_POSITIVE, 1);
    law.s_ba = value_optional(map, "s_ba", RANGE_FRACTION, 0.9);
    if (br_law_passivity_margin(&law) < 0) {
        message_warn("%smay inject energy: passive for sure only if "
                     "sigma2 >= sigma1 (mu_s - mu)/mu",
                     node_place(map));
    }
    return law;
}

static br_dahl_form read_form(const node* map)
{
    static const char* const forms[] = {"vector", "per-axis", "printed", NULL};
    static const br_dahl_form values[] = {BR_DAHL_VECTOR, BR_DAHL_PER_AXIS, BR_DAHL_AS_PRINTED};
    const node* found = node_find(map, "dahl");
    return values[found ? value_choice(found, forms) : 0];
}

// --- starts ---------------------------------------------------------------------------------------

static const node* find_start(const node* map, names keys)
{
    const node* start = node_find(map, "start");
    if (start) {
        node_expect_keys(start, keys);
    }
    return start;
}

static double start_number(const node* start, const char* key, double otherwise)
{
    return start ? value_optional(start, key, RANGE_ANY, otherwise) : otherwise;
}

static void copy_numbers(const node* list, double* to, size_t count)
{
    memcpy(to, value_numbers(list, count, RANGE_ANY), count * sizeof *to);
}

// {theta: [..]} as it is, or {x, y, elbow}, y on the path by default
static void read_arm_start(const node* map, mechanism_input* in)
{
    static const char* const keys[] = {"x", "y", "elbow", "theta", NULL};
    static const char* const elbows[] = {"down", "up", NULL};
    const br_two_link* arm = &in->parts.arm;
    const node* start = node_require(map, "start");
    node_expect_keys(start, keys);
    const node* theta = node_find(start, "theta");
    if (theta) {
        copy_numbers(theta, in->q, 2);
        return;
    }
    const double x = value_required(start, "x", RANGE_ANY);
    const double on_path = arm->beta * x * x + arm->gamma;
    const br_vec2 end = {x, value_optional(start, "y", RANGE_ANY, on_path)};
    const node* elbow = node_find(start, "elbow");
    if (!br_two_link_start(arm, end, elbow && value_choice(elbow, elbows) == 1, in->q)) {
        node_fail(start,
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
    const node* point = start ? node_find(start, "point") : NULL;
    if (point) {
        copy_numbers(point, in->q, 3);
    }
}

// --- mechanisms -----------------------------------------------------------------------------------

static void read_parabola(const node* path, double* beta, double* gamma)
{
    static const char* const keys[] = {"kind", "beta", "gamma", NULL};
    node_expect_keys(path, keys);
    *beta = value_required(path, "beta", RANGE_ANY);
    *gamma = value_optional(path, "gamma", RANGE_ANY, 0);
}

static void read_two_link(const node* map, mechanism_input* in)
{
    static const char* const own[] = {"masses", "lengths", "path", "torque", NULL};
    static const char* const paths[] = {"parabola", NULL};
    static const char* const required[] = {"masses", "lengths", "path", "start", "mu", NULL};
    br_two_link* arm = &in->parts.arm;
    expect_keys(map, own);
    node_require_all(map, required, NULL);
    const double* mass = value_numbers(node_find(map, "masses"), 2, RANGE_POSITIVE);
    const double* length = value_numbers(node_find(map, "lengths"), 2, RANGE_POSITIVE);
    const node* torque = node_find(map, "torque");
    if (torque) {
        value_list(torque, 2);
    }
    for (int i = 0; i < 2; i++) {
        arm->mass[i] = mass[i];
        arm->length[i] = length[i];
        arm->torque[i] =
            torque ? read_profile(torque->children[i], RANGE_ANY) : br_profile_constant(0);
    }
    arm->gravity = value_optional(map, "gravity", RANGE_ANY, DEFAULT_GRAVITY);
    const node* path = node_require(map, "path");
    value_choice(node_require(path, "kind"), paths);
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
    node_require_all(map, is_incline ? on_slope : on_floor, NULL);
    block->mass = value_required(map, "mass", RANGE_POSITIVE);
    block->gravity = value_optional(map, "gravity", RANGE_ANY, DEFAULT_GRAVITY);
    block->angle =
        is_incline ? value_required(map, "angle", slopes) : value_optional(map, "angle", slopes, 0);
    block->force = read_profile_or(map, "force", RANGE_ANY, 0);
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
    node_require_all(map, required, NULL);
    bead->mass = value_required(map, "mass", RANGE_POSITIVE);
    bead->gravity = value_optional(map, "gravity", RANGE_ANY, DEFAULT_GRAVITY);
    bead->force = read_profile_or(map, "force", RANGE_ANY, 0);
    const node* path = node_require(map, "path");
    if (value_choice(node_require(path, "kind"), paths) == 0) {
        read_parabola(path, &bead->beta, &bead->gamma);
    } else {
        node_expect_keys(path, helix_keys);
        node_require_all(path, helix_keys, NULL);
        bead->wire = BR_BEAD_WIRE_HELIX;
        bead->radius = value_required(path, "radius", RANGE_POSITIVE);
        bead->pitch = value_required(path, "pitch", RANGE_POSITIVE);
    }
    in->def.mechanism = br_bead_mechanism(bead);
    read_bead_start(map, in);
}

static br_normal read_normal(const node* root)
{
    static const char* const normals[] = {"geometric", "paper", NULL};
    static const br_normal values[] = {BR_NORMAL_GEOMETRIC, BR_NORMAL_PAPER};
    const node* found = node_find(root, "normal");
    return values[found ? value_choice(found, normals) : 0];
}

mechanism_input* read_mechanism(const node* root)
{
    const node* map = node_require(root, "mechanism");
    mechanism_input* in = memory_allocate(1, sizeof *in);
    const node* kind = node_require(map, "kind");
    const int which = value_choice(kind, kinds);
    in->kind = kinds[which];
    in->def = br_mechanism_def_default();
    if (which == TWO_LINK) {
        read_two_link(map, in);
    } else if (which == BEAD) {
        read_bead(map, in);
    } else if (which == CHAIN) {
        static const char* const own[] = {CHAIN_KEYS, NULL};
        expect_keys(map, own);
        read_chain(map, in);
    } else {
        read_block(map, in, which == INCLINE);
    }
    br_mechanism_def* def = &in->def;
    def->q = in->q;
    def->qd = in->qd;
    def->law = read_law_of(map);
    def->dahl = read_form(map);
    def->normal = read_normal(root);
    const node* project = node_find(map, "project");
    def->project = project && value_flag(project);
    def->stabilisation =
        value_optional(map, "stabilisation", RANGE_NOT_NEGATIVE, def->stabilisation);
    br_reason why = {"", ""};
    if (br_mechanism_check(def, &why) != BR_OK) {
        node_fail_field(map, why.field, why.text);
    }
    return in;
}
