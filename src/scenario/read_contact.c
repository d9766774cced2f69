/*
 * A contact from YAML: its patch, its friction model, its normal force.
 */
#include "scenario/read_contact.h"

#include <math.h>
#include <string.h>

#include "scenario/made.h"
#include "scenario/mappings.h"
#include "scenario/read_grip.h"
#include "scenario/read_profile.h"
#include "scenario/surface.h"
#include "scenario/value.h"

#define MODEL_NAME(method, name) name,
const char* const bri_contact_models[] = {BR_METHOD_LIST(MODEL_NAME) "coulomb", NULL};
const char* const bri_body_models[] = {BR_METHOD_LIST(MODEL_NAME) NULL};
#undef MODEL_NAME

// The limit surfaces of the reduced model by name.
static const char* const methods[] = {"exact", "grid", "published", NULL};

enum { MOST_BLOCKS = 256 };

// Share of the pressure's second moment that is missed where cells are worth a warning: 3 x 3 of them miss 0.11.
static const double COARSE = 0.1;

enum { DEFAULT_N = 20, LEAST_N = 2, MOST_N = 512 };

enum { MOST_CONTACTS = 1000000 };

static const map_key surface_keys[] = {
    KEY("method", WORD, "", IN_ANY, "exact",
        "a smooth table of the exact surface, of one in cells, or W&K's code to the letter, which gives the ellipsoid "
        "its r and u, too",
        BY_HAND, .words = methods),
    KEY("n", COUNT, "", IN(LEAST_N, MOST_N), "20", "nodes per quarter turn", AT(model_options, n))};
static const mapping surface_mapping = MAPPING("surface", surface_keys);

#define CONTACT_KEYS                                                                               \
    KEY("patch", MAP, "", IN_ANY, REQUIRED, "where it touches, and with which pressure", BY_HAND,  \
        .maps = bri_keys_patches),                                                                 \
        KEY("count", COUNT, "", IN(1, MOST_CONTACTS), "1",                                         \
            "identical contacts that share the motion, each with the normal force",                \
            AT(contact_input, count)),                                                             \
        KEY("surface", MAP, "", IN_ANY, "", "limit surface of model: reduced", BY_HAND,            \
            MAPS(&surface_mapping)),                                                               \
        KEY("guard", FLAG, "", IN_ANY, "true", "of model: reduced; false: as published",           \
            AT(contact_input, options.guard))

static const map_key motion_contact_keys[] = {
    CONTACT_KEYS,
    KEY("normal_force", PROFILE, "N", IN_NOT_NEGATIVE, "1", "of each contact", BY_HAND)};
const mapping bri_keys_motion_contact = MAPPING("contact", motion_contact_keys);

static const char* const frames[] = {"world", "body", NULL};
static const map_key body_contact_keys[] = {
    KEY("frame", WORD, "", IN_ANY, "world",
        "world: a finger, its patch starts at the world's origin and does not turn; body: an object on a table, its "
        "patch starts at the CoM",
        BY_HAND, .words = frames),
    CONTACT_KEYS,
    KEY("normal_force", PROFILE, "N", IN_NOT_NEGATIVE, "frame: body: weight",
        "weight: the body's mass times sqrt(9.81^2 - |gravity|^2), the part of gravity that is not in the plane (9.81 "
        "on a level table, 9.81 cos(slope) on a slope), divided evenly among all contacts that bear weight, counted by "
        "count",
        BY_HAND, WORDS("weight"), MAPS(&bri_keys_grip)),
    MODEL_KEYS(bri_body_models),
    FRICTION_KEY("that of the file"),
    KEY("position", PROFILES, "m", IN_ANY, "[0, 0]",
        "where what the body touches is over time: the finger (frame: world), which takes its patch along; or the table "
        "or belt (frame: body), whose velocity counts. No steps, no hold, no fixed steps",
        BY_HAND, COUNT(2)),
    KEY("angle", PROFILE, "rad", IN_ANY, "0", "the same of its angle", BY_HAND)};
const mapping bri_keys_body_contact = MAPPING("contact of a body", body_contact_keys);

const char* bri_contact_model_name(contact_model model)
{
    return bri_contact_models[model];
}

// A key of the contact, else the one at the top of the file, which is for all contacts.
static const node* find_key(const node* contact, const char* key)
{
    const node* own = bri_node_find(contact, key);
    return own || !contact ? own : bri_node_find(bri_node_root(contact), key);
}

static void read_options(const node* contact, model_options* got)
{
    const node* blocks = find_key(contact, "blocks");
    const node* surface_map = bri_node_find(contact, "surface");
    got->blocks = blocks ? bri_value_count(blocks, 1, MOST_BLOCKS) : got->blocks;
    got->n = DEFAULT_N;
    if (surface_map) {
        bri_keys_read(surface_map, &surface_mapping, got);
        got->surface =
            (surface_choice)bri_value_choice(bri_node_find(surface_map, "method"), methods);
    }
}

static void destroy_contact(void* contact)
{
    br_contact_destroy(contact);
}

// A force at which the patch has an extent: where it is largest, as W&K's tables are made.
static double table_force(const br_patch* patch)
{
    const double full = br_patch_get_full_force(patch);
    return full > 0 && isfinite(full) ? full : 1;
}

// A surface from cells, as W&K make it.
static br_limit* create_surface(const node* from, patch_input input, model_options options)
{
    const br_limit_method method =
        options.surface == SURFACE_PUBLISHED ? BR_LIMIT_PUBLISHED : BR_LIMIT_GRID;
    return bri_surface_create(from, input.patch, table_force(input.patch), method, options.n,
                              input.resolution);
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
    const br_limit* surface = create_surface(contact, input, options);
    if (!surface) {
        return;
    }
    const br_patch_value value = br_limit_get_patch_value(surface);
    def->patch = NULL;
    def->r = value.r;
    def->u = value.u;
    def->cop = value.cop;
}

static br_contact_def definition_of(const contact_input* contact, model_options options)
{
    const patch_input patch = contact->patch_from;
    br_contact_def def = br_contact_def_default();
    def.method = (br_method)contact->model;
    def.law = contact->friction.law;
    def.patch = patch.patch;
    def.guard = options.guard;
    def.resolution = contact->model == MODEL_BLOCKS        ? options.blocks
                     : contact->model == MODEL_DISTRIBUTED ? patch.resolution
                                                           : options.n;
    if (contact->model == MODEL_REDUCED && options.surface != SURFACE_EXACT) {
        def.surface = create_surface(contact->from, patch, options);
    }
    if (contact->model == MODEL_ELLIPSOID && options.surface == SURFACE_PUBLISHED) {
        choose_ellipsoid(contact->from, patch, options, &def);
    }
    return def;
}

// Normal forces that a contact is prepared for, so that runs and cases that share it are not held up.
enum { MOST_STEADY = 8 };

static bool contains(const double* list, size_t count, double value)
{
    size_t i = 0;
    while (i < count && list[i] != value) {
        i++;
    }
    return i < count;
}

// The forces at which a profile stays for a while, each once.
static size_t list_steady(const br_profile* p, double forces[MOST_STEADY])
{
    const bool is_steps = p->kind == BR_PROFILE_STEPS;
    const double* values = is_steps ? p->value : &p->mean;
    const size_t given = is_steps ? p->count : p->kind == BR_PROFILE_CONSTANT ? 1 : 0;
    size_t count = 0;
    for (size_t i = 0; i < given && count < MOST_STEADY; i++) {
        if (values[i] >= 0 && !contains(forces, count, values[i])) {
            forces[count++] = values[i];
        }
    }
    return count;
}

// Prepared for the forces of the run; like one that is made, if there is one.
static br_status create_prepared(const contact_input* input, br_contact_def def,
                                 const br_contact* made, br_contact** out, br_reason* why)
{
    double forces[MOST_STEADY];
    def.like = made;
    def.force_count = list_steady(&input->normal_force, forces);
    def.forces = forces;
    return br_contact_create(&def, out, why);
}

// Cells of the distributed model count as points, however large: a patch of few cells resists spin less than what
// they cover does.
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

static const br_contact* create_contact(const contact_input* input, model_options options)
{
    pool* memory = &input->from->in->memory;
    const size_t before = bri_problems(input->from);
    const br_contact_def def = definition_of(input, options);
    br_contact* contact = NULL;
    br_reason why = {"", ""};
    if (bri_problems(input->from) != before) {
        return NULL;
    }
    const br_contact* made = bri_made_find_contact(input->from, &def);
    const br_status status = create_prepared(input, def, made, &contact, &why);
    if (status == BR_ERR_MEMORY) {
        bri_no_memory(input->from->in);
    }
    if (status != BR_OK) {
        bri_node_fail_field(bri_node_find(input->from, "patch"), why.field, "%s", why.text);
        return NULL;
    }
    bri_pool_own(memory, contact, destroy_contact);
    if (!made) { // cases of a sweep have the cells of the scenario, which told
        warn_of_coarse_cells(input, contact);
    }
    bri_made_note_contact(input->from, &def, contact);
    return contact;
}

// The word `weight` is read by those who know a body, and refused by the others.
static void read_normal_force(const node* map, contact_input* got)
{
    const node* force = bri_node_find(map, "normal_force");
    const bool has_body = bri_node_find(bri_node_root(map), "body");
    got->has_weight = force && force->kind == NODE_SCALAR && !strcmp(force->text, "weight");
    got->normal_force_from = got->has_weight ? NULL : force;
    got->normal_force = br_profile_constant(has_body ? 0 : 1);
    if (got->has_weight && !has_body) {
        bri_node_fail(force, "weight is for a body on a table; give a number [N] or a profile");
    }
    const size_t before = bri_problems(map);
    const bool is_controlled = has_body && bri_is_grip(force);
    if (bri_problems(map) != before) {
        return;
    }
    if (is_controlled) {
        double start;
        got->grip = bri_read_grip(force, &start);
        got->normal_force = br_profile_constant(start);
    } else if (got->normal_force_from) {
        got->normal_force = bri_read_profile(force, RANGE_NOT_NEGATIVE);
    }
}

contact_input bri_read_contact(const node* map, const mapping* keys)
{
    contact_input got = {.count = 1, .from = map};
    if (!map || map->kind != NODE_MAP) {
        bri_keys_expect(map, keys);
        return got;
    }
    bri_keys_read(map, keys, &got);
    const node* model = find_key(map, "model");
    got.model = model ? (contact_model)bri_value_choice(model, bri_contact_models) : MODEL_BLOCKS;
    got.friction = bri_read_friction(find_key(map, "friction"), got.model != MODEL_COULOMB);
    read_normal_force(map, &got);
    got.patch_from = bri_read_patch(bri_node_find(map, "patch"));
    got.patch = got.patch_from.patch;
    read_options(map, &got.options);
    return got;
}

void bri_contact_make_model(contact_input* contact)
{
    const patch_input patch = contact->patch_from;
    if (contact->model == MODEL_COULOMB) {
        contact->coulomb = bri_surface_create(contact->from, patch.patch, 1, BR_LIMIT_EXACT,
                                              DEFAULT_N, patch.resolution);
    } else {
        contact->contact = create_contact(contact, contact->options);
    }
}
