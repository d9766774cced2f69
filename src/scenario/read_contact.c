/*
 * A contact from YAML: its patch, its friction model, its normal force.
 */
#include "scenario/read_contact.h"

#include <math.h>
#include <string.h>

#include "scenario/read_grip.h"
#include "scenario/read_profile.h"
#include "scenario/surface.h"
#include "scenario/value.h"

#define MODEL_NAME(method, name) name,
static const char* const models[] = {BR_METHOD_LIST(MODEL_NAME) "coulomb", NULL};
#undef MODEL_NAME

// The limit surfaces of the reduced model by name.
static const char* const methods[] = {"exact", "grid", "published", NULL};

enum { MOST_BLOCKS = 256 };

enum { DEFAULT_N = 20, LEAST_N = 2, MOST_N = 512 };

enum { MOST_CONTACTS = 1000000 };

const char* bri_contact_model_name(contact_model model)
{
    return models[model];
}

// A key of the contact, else the one at the top of the file, which is for all contacts.
static const node* find_key(const node* contact, const char* key)
{
    const node* own = bri_node_find(contact, key);
    return own || !contact ? own : bri_node_find(bri_node_root(contact), key);
}

static model_options read_options(const node* contact)
{
    static const char* const keys[] = {"method", "n", NULL};
    model_options got = {0, SURFACE_EXACT, DEFAULT_N, true};
    const node* blocks = find_key(contact, "blocks");
    const node* surface = bri_node_find(contact, "surface");
    const node* guard = bri_node_find(contact, "guard");
    got.blocks = blocks ? bri_value_count(blocks, 1, MOST_BLOCKS) : got.blocks;
    got.guard = !guard || bri_value_flag(guard);
    if (surface && bri_node_expect_keys(surface, keys)) {
        const node* name = bri_node_find(surface, "method");
        const node* count = bri_node_find(surface, "n");
        got.surface = (surface_choice)(name ? bri_value_choice(name, methods) : SURFACE_EXACT);
        got.n = count ? bri_value_count(count, LEAST_N, MOST_N) : got.n;
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
    const br_status status = br_contact_create(&def, &contact, &why);
    if (status == BR_ERR_MEMORY) {
        bri_no_memory(input->from->in);
    }
    if (status != BR_OK) {
        bri_node_fail_field(bri_node_find(input->from, "patch"), why.field, "%s", why.text);
        return NULL;
    }
    bri_pool_own(memory, contact, destroy_contact);
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

contact_input bri_read_contact(const node* map, names keys)
{
    contact_input got = {.count = 1, .from = map};
    if (!bri_node_expect_keys(map, keys)) {
        return got;
    }
    const node* model = find_key(map, "model");
    got.model = model ? (contact_model)bri_value_choice(model, models) : MODEL_BLOCKS;
    got.friction = bri_read_friction(find_key(map, "friction"), got.model != MODEL_COULOMB);
    read_normal_force(map, &got);
    const node* count = bri_node_find(map, "count");
    if (count) {
        got.count = bri_value_count(count, 1, MOST_CONTACTS);
    }
    got.patch_from = bri_read_patch(bri_node_require(map, "patch"));
    got.patch = got.patch_from.patch;
    got.options = read_options(map);
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
