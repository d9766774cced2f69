/*
 * A contact from a tree: its patch, its friction model, its normal force.
 */
#include "scenario/read_contact.h"

#include <math.h>
#include <string.h>

#include "scenario/mappings.h"
#include "scenario/read_body.h"

#define MODEL_NAME(method, name) name,
const char* const bri_contact_models[] = {BR_METHOD_LIST(MODEL_NAME) "coulomb", NULL};
const char* const bri_body_models[] = {BR_METHOD_LIST(MODEL_NAME) NULL};
#undef MODEL_NAME

// Cells that lose more than this share of the pressure's second moment give a warning: 3 x 3 of them lose 0.11.
static const double COARSE = 0.1;

enum { DEFAULT_N = 20, MIN_N = 2, MAX_N = 512, MAX_BLOCKS = 256, MAX_CONTACTS = 1000000 };

static void set_default(void* to)
{
    *(contact_input*)to = (contact_input){
        .count = 1, .options = {.n = DEFAULT_N, .guard = true}, .normal_force = {.mean = 1}};
}

static void set_surface_default(void* to)
{
    ((model_options*)to)->n = DEFAULT_N;
}

static const map_key surface_keys[] = {
    PLAIN_KEY("method", WORD, DEFAULT,
              "a smooth table of the exact surface, of one in cells, or W&K's code to the letter, "
              "which gives the ellipsoid its r and u, too",
              AT(model_options, surface), WORDS("exact", "grid", "published")),
    KEY("n", COUNT, "", IN(MIN_N, MAX_N), DEFAULT, "nodes per quarter turn", AT(model_options, n))};
static const mapping surface_mapping =
    MAPPING_OF("surface", surface_keys, model_options, set_surface_default, NULL);

#define CONTACT_KEYS                                                                               \
    PLAIN_KEY("patch", PATCH, REQUIRED, "where it touches, and with which pressure",               \
              AT(contact_input, patch_from), .maps = bri_keys_patches),                            \
        KEY("count", COUNT, "", IN(1, MAX_CONTACTS), DEFAULT,                                      \
            "identical contacts that share the motion, each with the normal force",                \
            AT(contact_input, count)),                                                             \
        PLAIN_KEY("surface", MAP, "", "limit surface of model: reduced",                           \
                  AT(contact_input, options), MAPS(&surface_mapping)),                             \
        PLAIN_KEY("guard", FLAG, DEFAULT, "of model: reduced; false: as published",                \
                  AT(contact_input, options.guard))

static const map_key motion_contact_keys[] = {
    CONTACT_KEYS,
    KEY("normal_force", PROFILE, "N", IN_NOT_NEGATIVE, DEFAULT, "of each contact",
        AT(contact_input, normal_force),
        REFUSED("weight", "weight is for a body on a table; give a number [N] or a profile"))};

static void refuse_jump(const node* value, const br_profile* position)
{
    if (position->kind == BR_PROFILE_STEPS || position->hold > 0) {
        bri_node_fail(value, "must not jump: steps and hold are not for a position; use move, "
                             "accelerate, table, ramp or sine");
    }
}

void bri_refuse_jumps(const node* map, const br_profile* motion)
{
    const node *position = bri_node_find(map, "position"), *angle = bri_node_find(map, "angle");
    for (size_t i = 0; position && i < 2 && i < position->count; i++) {
        refuse_jump(position->children[i], &motion[i]);
    }
    if (angle) {
        refuse_jump(angle, &motion[2]);
    }
}

static void finish_support(const node* map, void* to, bool is_good)
{
    if (is_good) {
        bri_refuse_jumps(map, to);
    }
}

// The motion of a contact_input.
typedef struct support_input {
    br_profile position[2], angle;
} support_input;

static const map_key support_keys[] = {
    KEY("position", PROFILES, "m", IN_ANY, DEFAULT,
        "of the finger, from at, which takes its patch along (frame: world); or of the table or belt, whose velocity "
        "counts (frame: body). No steps, no hold",
        AT(support_input, position), COUNT(2)),
    KEY("angle", PROFILE, "rad", IN_ANY, DEFAULT,
        "about its own position: at + position, or position", AT(support_input, angle))};
static const mapping support_mapping =
    MAPPING_OF("support of a contact", support_keys, support_input, NULL, finish_support);

// on a table the patch moves with the body; under a finger it stays at the finger
const char* const bri_frame_meanings[] = {"table",   "body",  "floor",  "body",  "ground", "body",
                                          "support", "body",  "object", "body",  "finger", "world",
                                          "gripper", "world", "wall",   "world", NULL};

// --- grip controllers: `normal_force: {kind: control, ...}` ---------------------------------------

// As it is read.
typedef struct grip_input {
    br_grip grip;
    double start;
} grip_input;

#define IN_SHARE 0, 1, true, true

static const map_key grip_keys[] = {
    TAG("kind", "control", "the smallest grip that keeps the load at aim"),
    KEY("start", NUMBER, "N", IN_POSITIVE, REQUIRED, "force at the start", AT(grip_input, start)),
    KEY("aim", NUMBER, "-", IN_SHARE, DEFAULT, "share of what friction can hold",
        AT(grip_input, grip.aim)),
    KEY("period", NUMBER, "s", IN_POSITIVE, DEFAULT, "of the controller",
        AT(grip_input, grip.period)),
    KEY("slip_limit", NUMBER, "m/s", IN_POSITIVE, DEFAULT, "slip rate that counts as slip",
        AT(grip_input, grip.slip_limit)),
    KEY("release", NUMBER, "s", IN_NOT_NEGATIVE, DEFAULT, "time in which it releases",
        AT(grip_input, grip.release)),
    KEY("min", NUMBER, "N", IN_POSITIVE, "0.01, or start", "smallest force",
        AT(grip_input, grip.least), OLDER("least")),
    KEY("max", NUMBER, "N", IN_POSITIVE, "", "largest force", AT(grip_input, grip.most),
        OLDER("most"))};

static void set_grip_default(void* to)
{
    *(grip_input*)to = (grip_input){br_grip_default(), 1};
}

static void finish_grip(const node* map, void* to, bool is_good)
{
    grip_input* in = to;
    if (!bri_node_find(map, "min")) {
        in->grip.least = fmin(in->grip.least, in->start);
    }
    const bool is_small = in->start < in->grip.least;
    const bool is_large = in->start > in->grip.most;
    if (is_good && (is_small || is_large)) {
        bri_node_fail(bri_node_find(map, "start"),
                      "must be at %s %.15g, the value of %s; got %.15g",
                      is_small ? "least" : "most", is_small ? in->grip.least : in->grip.most,
                      is_small ? "min" : "max", in->start);
    }
}

static const mapping grip_mapping =
    MAPPING_OF("control", grip_keys, grip_input, set_grip_default, finish_grip);

// Is the force a controller? An unknown kind is noted.
static bool is_grip(const node* force)
{
    const node* kind = force && force->kind == NODE_MAP ? bri_node_find(force, "kind") : NULL;
    if (!kind) {
        return false;
    }
    const char** kinds = bri_keys_list_tags(&kind->in->memory, bri_keys_profiles);
    int count = 0;
    while (kinds[count]) {
        count++;
    }
    kinds[count] = "control";
    return bri_value_choice(kind, kinds, NULL) == count;
}

// --- keys of a body's contact ---------------------------------------------------------------------

static const map_key body_contact_keys[] = {
    PLAIN_KEY("frame", WORD, DEFAULT,
              "world: a finger, which stays in the world and does not turn; body: a foot, or an "
              "object on a table, which goes with the body",
              AT(contact_input, frame), FRAME_WORDS),
    CONTACT_KEYS,
    KEY("normal_force", PROFILE, "N", IN_NOT_NEGATIVE, "frame: body: weight",
        "weight: the body's mass times sqrt(9.81^2 - |gravity|^2), the part of gravity that is not in the plane (9.81 "
        "on a level table, 9.81 cos(slope) on a slope). It is divided among all contacts that bear weight so that "
        "their centres of pressure balance under the centre of mass. Two and three contacts share it by the lever "
        "rule, more with the least sum of squares. A centre of mass outside of the patches is an error",
        BY_HAND("a profile, weight or a controller"), WORDS("weight"), MAPS(&grip_mapping)),
    MODEL_KEYS(bri_body_models),
    FRICTION_KEY("that of the file"),
    KEY("at", NUMBERS, "m", IN_ANY, DEFAULT,
        "where the contact is, and its patch starts: a foot on the body, from the CoM in its axes (frame: body); or a "
        "finger in the world (frame: world)",
        AT(contact_input, at), COUNT(2)),
    PLAIN_KEY("support", MAP, "", "how the table, belt or finger moves", AT(contact_input, motion),
              MAPS(&support_mapping)),
    KEY("position", PROFILES, "m", IN_ANY, DEFAULT,
        "the older name of support.position; frame: world, constant: of at",
        AT(contact_input, motion), COUNT(2)),
    KEY("angle", PROFILE, "rad", IN_ANY, DEFAULT, "the older name of support.angle",
        AT(contact_input, motion[2]))};

// A key of the contact, else the one at the top of the file, which is for all contacts.
static const node* find_key(const node* contact, const char* key)
{
    const node* own = bri_node_find(contact, key);
    return own || !contact ? own : bri_node_find(bri_node_root(contact), key);
}

static void destroy_contact(void* contact)
{
    br_contact_destroy(contact);
}

// A force at which the patch has an extent: where it is largest, as for W&K's tables.
static double table_force(const br_patch* patch)
{
    const double full = br_patch_get_full_force(patch);
    return full > 0 && isfinite(full) ? full : 1;
}

// A surface from cells, as W&K compute it.
static br_limit* create_surface(const node* from, patch_input input, model_options options,
                                br_anisotropy anisotropy)
{
    br_limit_def def = br_limit_def_default();
    def.patch = input.patch;
    def.fn = table_force(input.patch);
    def.method = options.surface == SURFACE_PUBLISHED ? BR_LIMIT_PUBLISHED : BR_LIMIT_GRID;
    def.n = options.n;
    def.resolution = input.resolution;
    def.anisotropy = anisotropy;
    return bri_surface_create(from, &def);
}

// The ellipsoid of r and u that the published code computes, in place of the patch's.
static void choose_ellipsoid(const node* contact, patch_input input, model_options options,
                             br_contact_def* def)
{
    if (br_patch_depends_on_force(input.patch)) {
        bri_node_fail_field(contact, "surface.method",
                            "the published ellipsoid does not follow a patch that depends on the "
                            "force; use exact");
        return;
    }
    const br_limit* surface = create_surface(contact, input, options, def->anisotropy);
    if (!surface) {
        return;
    }
    const br_patch_value value = br_limit_get_patch_value(surface);
    def->patch = NULL;
    def->r = value.r;
    def->u = value.u;
    def->cop = value.cop;
}

// A field that is fixed to the surface with the patch is in the contact's frame; else the contact moves over it.
static void choose_field(const contact_input* contact, br_contact_def* def)
{
    const field_input* field = &contact->friction.field;
    if (!field->from) {
        return;
    }
    const bool on_body = contact->frame == BR_FRAME_BODY || contact->is_imposed;
    def->field_moves = (field->over == FIELD_BODY) != on_body;
    if (def->field_moves &&
        (contact->model == MODEL_REDUCED || contact->model == MODEL_ELLIPSOID)) {
        bri_node_fail(
            field->from,
            "needs model: blocks or distributed: three bristles follow one limit surface, which changes "
            "while the patch moves over the field");
        return;
    }
    // coordinates of the body are from its CoM, those of its contact's frame from `at`
    const bool is_from_com = !def->field_moves && on_body && !contact->is_imposed;
    def->field = bri_build_field(field, is_from_com ? contact->at : (br_vec2){0, 0});
}

static br_contact_def definition_of(const contact_input* contact)
{
    const model_options options = contact->options;
    const patch_input patch = contact->patch_from;
    br_contact_def def = br_contact_def_default();
    def.method = (br_method)contact->model;
    def.law = contact->friction.law;
    def.anisotropy = contact->friction.anisotropy;
    def.patch = patch.patch;
    def.guard = options.guard;
    def.resolution = contact->model == MODEL_BLOCKS        ? options.blocks
                     : contact->model == MODEL_DISTRIBUTED ? patch.resolution
                                                           : options.n;
    choose_field(contact, &def);
    if (contact->model == MODEL_REDUCED && options.surface != SURFACE_EXACT) {
        def.surface = create_surface(contact->from, patch, options, def.anisotropy);
    }
    if (contact->model == MODEL_ELLIPSOID && options.surface == SURFACE_PUBLISHED) {
        choose_ellipsoid(contact->from, patch, options, &def);
    }
    return def;
}

// Normal forces that a contact is prepared for, so that runs and cases that share it do not wait.
enum { MAX_STEADY = 8 };

static bool contains(const double* list, size_t count, double value)
{
    size_t i = 0;
    while (i < count && list[i] != value) {
        i++;
    }
    return i < count;
}

// The forces at which a profile stays for a while, each once.
static size_t list_steady(const br_profile* p, double forces[MAX_STEADY])
{
    const bool is_steps = p->kind == BR_PROFILE_STEPS;
    const double* values = is_steps ? p->value : &p->mean;
    const size_t given = is_steps ? p->count : p->kind == BR_PROFILE_CONSTANT ? 1 : 0;
    size_t count = 0;
    for (size_t i = 0; i < given && count < MAX_STEADY; i++) {
        if (values[i] >= 0 && !contains(forces, count, values[i])) {
            forces[count++] = values[i];
        }
    }
    return count;
}

// Cells of the distributed model count as points, whatever their size: a patch of few cells resists spin less than the
// area that they cover.
static void warn_of_coarse_cells(const contact_input* input, const br_contact* contact)
{
    if (input->model != MODEL_DISTRIBUTED || br_patch_depends_on_force(input->patch)) {
        return;
    }
    const double u = br_contact_get_patch_value(contact).u;
    const double whole = br_patch_eval(input->patch, 1).u;
    if (u < (1 - COARSE) * whole) {
        bri_warn(
            input->from->in,
            "%scells count as points, which bear %.2g m from their centre (root mean square), the "
            "patch %.2g m: spin is resisted too little; give more and smaller cells, or model: blocks",
            bri_node_place(bri_node_find(input->from, "patch")), sqrt(u), sqrt(whole));
    }
}

static const br_contact* create_contact(const contact_input* input)
{
    const size_t before = bri_problems(input->from);
    const br_contact_def def = definition_of(input);
    br_contact* contact = NULL;
    br_reason why = {"", ""};
    if (bri_problems(input->from) != before) {
        return NULL;
    }
    const br_contact* known = bri_model_cache_find_contact(input->from, &def);
    if (known && memcmp(&br_contact_get_def(known)->law, &def.law, sizeof def.law) == 0) {
        return known; // feet of one shape are one contact
    }
    double forces[MAX_STEADY];
    br_contact_def prepared = def; // for the forces of the run, with the geometry of `known`
    prepared.share_geometry_of = known;
    prepared.force_count = list_steady(&input->normal_force, forces);
    prepared.forces = forces;
    const br_status status = br_contact_create(&prepared, &contact, &why);
    const bool is_friction = strncmp(why.field, "anisotropy", strlen("anisotropy")) == 0;
    const node* at = is_friction ? input->friction.from : bri_node_find(input->from, "patch");
    if (!bri_node_accept(at, status, &why)) {
        return NULL;
    }
    bri_pool_own(&input->from->in->memory, contact, destroy_contact);
    if (!known) { // one warning for contacts that share cells
        warn_of_coarse_cells(input, contact);
    }
    bri_model_cache_note_contact(input->from, &def, contact);
    return contact;
}

// Common keys of both kinds of contacts; `model`, `blocks` and `friction` are their own, or those of the file.
static void finish_contact(const node* map, void* to, bool is_good)
{
    (void)is_good;
    contact_input* got = to;
    const node *model = find_key(map, "model"), *blocks = find_key(map, "blocks");
    got->from = map;
    got->patch = got->patch_from.patch;
    got->model =
        model ? (contact_model)bri_value_choice(model, bri_contact_models, NULL) : MODEL_BLOCKS;
    got->friction = bri_read_friction(find_key(map, "friction"), got->model != MODEL_COULOMB);
    got->options.blocks = blocks ? bri_value_count(blocks, 1, MAX_BLOCKS) : 0;
    const node* force = bri_node_find(map, "normal_force");
    got->has_weight = force && force->kind == NODE_SCALAR && !strcmp(force->text, "weight");
    got->normal_force_from = got->has_weight ? NULL : force;
}

// The motion has no position: nothing is known of the ground but its velocity.
static void finish_motion_contact(const node* map, void* to, bool is_good)
{
    contact_input* got = to;
    got->is_imposed = true;
    finish_contact(map, to, is_good);
    const node* field = got->friction.field.from;
    if (field && got->model == MODEL_COULOMB) {
        bri_node_fail(field, "is not for model: coulomb");
    } else if (field && got->friction.field.over == FIELD_GROUND) {
        bri_node_fail_field(
            field, "over",
            "must be body: the twist of an imposed motion has no position on the ground");
    }
}

const mapping bri_keys_motion_contact =
    MAPPING_OF("contact", motion_contact_keys, contact_input, set_default, finish_motion_contact);

// --- contacts of a body ---------------------------------------------------------------------------

static void read_body_force(const node* map, contact_input* got)
{
    const node* force = got->normal_force_from;
    const size_t before = bri_problems(map);
    const bool is_controlled = is_grip(force);
    got->normal_force = br_profile_constant(0);
    if (bri_problems(map) != before) {
        return;
    }
    if (is_controlled) {
        grip_input* in = bri_keys_create(&map->in->memory, &grip_mapping);
        bri_keys_read(force, &grip_mapping, in);
        got->grip = &in->grip;
        got->normal_force = br_profile_constant(in->start);
    } else if (force) {
        got->normal_force = bri_read_profile(force, RANGE_NOT_NEGATIVE, NULL);
    }
}

// Position and angle of a table at rest have no effect: those of the contact are meant.
static void refuse_idle(const node* from, const br_profile motion[3])
{
    const bool turns = motion[2].kind != BR_PROFILE_CONSTANT;
    const bool moves =
        turns || motion[0].kind != BR_PROFILE_CONSTANT || motion[1].kind != BR_PROFILE_CONSTANT;
    const double x = motion[0].mean, y = motion[1].mean;
    static const char why[] =
        "is constant, which has no effect: with frame: body it is that of the table, of which only "
        "the velocity counts";
    if (!moves && (x != 0 || y != 0)) {
        bri_node_fail(bri_node_find(from, "position"),
                      "%s. Where the contact is on the body is at: [%.15g, %.15g]", why, x, y);
    }
    if (!turns && motion[2].mean != 0) {
        bri_node_fail(bri_node_find(from, "angle"), "%s. The contact is turned by patch.angle",
                      why);
    }
}

// The older names are refused beside `support` and beside `at`.
static void refuse_older(const node* map)
{
    static const char* const older[] = {"position", "angle"};
    const char* newer = bri_node_find(map, "support") ? "support" : "at";
    for (size_t i = 0; bri_node_find(map, newer) && i < 2; i++) {
        const node* found = bri_node_find(map, older[i]);
        if (found) {
            bri_node_fail(found,
                          "is the older name of support.%s; beside %s write support: {%s: ...}",
                          older[i], newer, older[i]);
        }
    }
}

static void finish_body_contact(const node* map, void* to, bool is_good)
{
    contact_input* got = to;
    const size_t before = bri_problems(map);
    const node* support = bri_node_find(map, "support");
    refuse_older(map);
    if (!support) {
        bri_refuse_jumps(map, got->motion);
    }
    if (is_good && got->frame == BR_FRAME_BODY && bri_problems(map) == before) {
        refuse_idle(support ? support : map, got->motion);
    }
    finish_contact(map, got, is_good);
    read_body_force(map, got);
    if (got->model == MODEL_COULOMB) {
        bri_node_fail(find_key(map, "model"),
                      "coulomb is set-valued at rest: it does not give the force that holds a "
                      "body; use distributed, blocks, reduced or ellipsoid");
    }
    const node* frame = bri_node_find(map, "frame");
    const bool has_frame = !frame || br_text_find(frame->text, body_contact_keys[0].words) >= 0;
    got->bears = has_frame && bri_read_is_weight(map, got->frame, got->has_weight);
}

const mapping bri_keys_body_contact = MAPPING_OF("contact of a body", body_contact_keys,
                                                 contact_input, set_default, finish_body_contact);

// --- models ---------------------------------------------------------------------------------------

void bri_contact_make_model(contact_input* contact)
{
    const patch_input patch = contact->patch_from;
    if (contact->model == MODEL_COULOMB) {
        br_limit_def def = br_limit_def_default();
        def.patch = patch.patch;
        def.anisotropy = contact->friction.anisotropy;
        contact->coulomb = bri_surface_create(contact->from, &def);
    } else {
        contact->contact = create_contact(contact);
    }
}
