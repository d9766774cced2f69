/*
 * A contact from YAML: its patch, its friction model, its normal force.
 */
#include "read_contact.h"

#include <math.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "read_profile.h"
#include "surface.h"
#include "value.h"

#define MODEL_NAME(method, name) name,
static const char* const models[] = {BR_METHOD_LIST(MODEL_NAME) "coulomb", NULL};
#undef MODEL_NAME

// The limit surfaces of the reduced model by name.
static const char* const methods[] = {"exact", "grid", "published", NULL};
typedef enum surface_choice { SURFACE_EXACT, SURFACE_GRID, SURFACE_PUBLISHED } surface_choice;

enum { MOST_BLOCKS = 256 };

enum { DEFAULT_N = 20, LEAST_N = 2, MOST_N = 512 };

enum { MOST_CONTACTS = 1000000 };

const char* contact_model_name(contact_model model)
{
    return models[model];
}

static const node* root_of(const node* value)
{
    while (value->parent) {
        value = value->parent;
    }
    return value;
}

// A key of the contact, else the one at the top of the file, which is for all contacts.
static const node* find_key(const node* contact, const char* key)
{
    const node* own = node_find(contact, key);
    return own ? own : node_find(root_of(contact), key);
}

// How a model is to be made. All of it is checked, whatever the model uses.
typedef struct model_options {
    size_t blocks;          // across; 0: as many as suit
    surface_choice surface; // of the reduced model, and whose r the ellipsoid has
    size_t n;               // nodes of its table
    bool guard;
} model_options;

static model_options read_options(const node* contact)
{
    static const char* const keys[] = {"method", "n", NULL};
    model_options got = {0, SURFACE_EXACT, DEFAULT_N, true};
    const node* blocks = find_key(contact, "blocks");
    const node* surface = node_find(contact, "surface");
    const node* guard = node_find(contact, "guard");
    got.blocks = blocks ? value_count(blocks, 1, MOST_BLOCKS) : got.blocks;
    got.guard = !guard || value_flag(guard);
    if (surface) {
        node_expect_keys(surface, keys);
        const node* name = node_find(surface, "method");
        const node* count = node_find(surface, "n");
        got.surface = (surface_choice)(name ? value_choice(name, methods) : SURFACE_EXACT);
        got.n = count ? value_count(count, LEAST_N, MOST_N) : got.n;
    }
    return got;
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
static br_limit* create_surface(patch_input input, model_options options)
{
    const br_limit_method method =
        options.surface == SURFACE_PUBLISHED ? BR_LIMIT_PUBLISHED : BR_LIMIT_GRID;
    return surface_create(input.patch, table_force(input.patch), method, options.n,
                          input.resolution);
}

// The ellipsoid of r and u that the published code computes, in place of the patch's.
static void choose_ellipsoid(const node* contact, patch_input input, model_options options,
                             br_contact_def* def)
{
    if (br_patch_depends_on_force(input.patch)) {
        node_fail_field(contact, "surface.method",
                        "the published ellipsoid does not follow a patch that depends on the "
                        "force; use exact");
    }
    const br_patch_value value = br_limit_get_patch_value(create_surface(input, options));
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
        def.surface = create_surface(patch, options);
    }
    if (contact->model == MODEL_ELLIPSOID && options.surface == SURFACE_PUBLISHED) {
        choose_ellipsoid(contact->from, patch, options, &def);
    }
    return def;
}

static const br_contact* create_contact(const contact_input* input, model_options options)
{
    const br_contact_def def = definition_of(input, options);
    br_contact* contact;
    br_reason why = {"", ""};
    const br_status status = br_contact_create(&def, &contact, &why);
    if (status == BR_ERR_MEMORY) {
        message_fail(EXIT_COMPUTATION, "%s", why.text);
    }
    if (status != BR_OK) {
        node_fail_field(node_find(input->from, "patch"), why.field, why.text);
    }
    memory_own(contact, destroy_contact);
    return contact;
}

// The word `weight` is read by those who know a body, and refused by the others.
static void read_normal_force(const node* map, contact_input* got)
{
    const node* force = node_find(map, "normal_force");
    const bool has_body = node_find(root_of(map), "body");
    got->has_weight = force && force->kind == NODE_SCALAR && !strcmp(force->text, "weight");
    got->normal_force_from = got->has_weight ? NULL : force;
    got->normal_force = br_profile_constant(has_body ? 0 : 1);
    if (got->has_weight && !has_body) {
        node_fail(force, "weight is for a body on a table; give a number [N] or a profile");
    }
    if (got->normal_force_from) {
        got->normal_force = read_profile(force, RANGE_NOT_NEGATIVE);
    }
}

contact_input read_contact(const node* map, names keys)
{
    contact_input got = {.count = 1, .from = map};
    node_expect_keys(map, keys);
    const node* model = find_key(map, "model");
    got.model = model ? (contact_model)value_choice(model, models) : MODEL_BLOCKS;
    got.friction = read_friction(find_key(map, "friction"), got.model != MODEL_COULOMB);
    read_normal_force(map, &got);
    const node* count = node_find(map, "count");
    if (count) {
        got.count = value_count(count, 1, MOST_CONTACTS);
    }
    got.patch_from = read_patch(node_require(map, "patch"));
    got.patch = got.patch_from.patch;
    return got;
}

void contact_make_model(contact_input* contact)
{
    const patch_input patch = contact->patch_from;
    const model_options options = read_options(contact->from);
    if (contact->model == MODEL_COULOMB) {
        contact->coulomb = surface_create(patch.patch, 1, BR_LIMIT_EXACT, 20, patch.resolution);
    } else {
        contact->contact = create_contact(contact, options);
    }
}
