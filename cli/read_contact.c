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

static const char* const models[] = {"distributed", "blocks",  "reduced",
                                     "ellipsoid",   "coulomb", NULL};

// The limit surfaces of the reduced model by name.
static const char* const methods[] = {"exact", "grid", "published", NULL};
typedef enum surface_choice { SURFACE_EXACT, SURFACE_GRID, SURFACE_PUBLISHED } surface_choice;

enum { MOST_BLOCKS = 256 };

// Cells across that blocks are made of where they are weighed anew as the force changes.
enum { GROWING_RESOLUTION = 40 };
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
    size_t blocks;          // across
    surface_choice surface; // of the reduced model, and whose r the ellipsoid has
    size_t n;               // nodes of its table
    bool guard;
} model_options;

static model_options read_options(const node* contact)
{
    static const char* const keys[] = {"method", "n", NULL};
    model_options got = {br_blocks_def_default().blocks, SURFACE_EXACT, DEFAULT_N, true};
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

static void destroy_distributed(void* model)
{
    br_distributed_destroy(model);
}

static br_distributed* create_distributed(const node* contact, br_law law, patch_input input)
{
    br_distributed_def def = br_distributed_def_default();
    def.law = law;
    def.patch = input.patch;
    def.resolution = input.resolution;
    br_distributed* model;
    br_reason why = {"", ""};
    const br_status status = br_distributed_create(&def, &model, &why);
    if (status == BR_ERR_MEMORY) {
        message_fail(EXIT_COMPUTATION, "%s", why.text);
    }
    if (status != BR_OK) {
        node_fail_field(node_find(contact, "patch"), why.field, why.text);
    }
    memory_own(model, destroy_distributed);
    return model;
}

static void destroy_blocks(void* model)
{
    br_blocks_destroy(model);
}

static br_blocks* create_blocks(const node* contact, br_law law, patch_input input,
                                model_options options)
{
    br_blocks_def def = br_blocks_def_default();
    def.law = law;
    def.patch = input.patch;
    def.blocks = options.blocks;
    if (br_patch_depends_on_force(input.patch)) {
        def.resolution = GROWING_RESOLUTION;
    }
    br_blocks* model;
    br_reason why = {"", ""};
    const br_status status = br_blocks_create(&def, &model, &why);
    if (status == BR_ERR_MEMORY) {
        message_fail(EXIT_COMPUTATION, "%s", why.text);
    }
    if (status != BR_OK) {
        node_fail_field(node_find(contact, "patch"), why.field, why.text);
    }
    memory_own(model, destroy_blocks);
    return model;
}

static void destroy_reduced(void* model)
{
    br_reduced_destroy(model);
}

// A force at which the patch has an extent: where it is largest, as W&K's tables are made.
static double table_force(const br_patch* patch)
{
    const double full = br_patch_get_full_force(patch);
    return full > 0 && isfinite(full) ? full : 1;
}

// The exact surface of a model: a smooth table, unless a curve serves a patch that grows.
static br_limit_method exact_method(const br_patch* patch)
{
    const bool is_round = br_patch_get_def(patch)->pressure != BR_PRESSURE_LINEAR;
    return br_patch_depends_on_force(patch) && is_round ? BR_LIMIT_CURVE : BR_LIMIT_SMOOTH;
}

static br_limit* create_surface(patch_input input, model_options options)
{
    const br_limit_method method = options.surface == SURFACE_PUBLISHED ? BR_LIMIT_PUBLISHED
                                   : options.surface == SURFACE_GRID    ? BR_LIMIT_GRID
                                                                        : exact_method(input.patch);
    return surface_create(input.patch, table_force(input.patch), method, options.n,
                          input.resolution);
}

// The ellipsoid of the patch's r and u, or of those that the published code computes.
static void choose_ellipsoid(const node* contact, patch_input input, model_options options,
                             br_reduced_def* def)
{
    if (options.surface != SURFACE_PUBLISHED) {
        def->surface = surface_create(input.patch, table_force(input.patch), BR_LIMIT_ELLIPSOID,
                                      DEFAULT_N, 21);
        return;
    }
    if (br_patch_depends_on_force(input.patch)) {
        node_fail_field(contact, "surface.method",
                        "the published ellipsoid does not follow a patch that depends on the "
                        "force; use exact");
    }
    const br_patch_value value = br_limit_get_patch_value(create_surface(input, options));
    def->r = value.r;
    def->u = value.u;
    def->cop = value.cop;
}

static br_reduced* create_reduced(const node* contact, br_law law, patch_input input,
                                  model_options options, bool is_ellipsoid)
{
    br_reduced_def def = br_reduced_def_default();
    def.law = law;
    def.guard = options.guard;
    if (is_ellipsoid) {
        choose_ellipsoid(contact, input, options, &def);
    } else {
        def.surface = create_surface(input, options);
    }
    br_reduced* model;
    br_reason why = {"", ""};
    const br_status status = br_reduced_create(&def, &model, &why);
    if (status == BR_ERR_MEMORY) {
        message_fail(EXIT_COMPUTATION, "%s", why.text);
    }
    if (status != BR_OK) {
        node_fail_field(contact, why.field, why.text);
    }
    memory_own(model, destroy_reduced);
    return model;
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
    const br_law law = contact->friction.law;
    const patch_input patch = contact->patch_from;
    const model_options options = read_options(contact->from);
    if (contact->model == MODEL_DISTRIBUTED) {
        contact->distributed = create_distributed(contact->from, law, patch);
    } else if (contact->model == MODEL_BLOCKS) {
        contact->blocks = create_blocks(contact->from, law, patch, options);
    } else if (contact->model != MODEL_COULOMB) {
        contact->reduced =
            create_reduced(contact->from, law, patch, options, contact->model == MODEL_ELLIPSOID);
    } else {
        contact->coulomb = surface_create(patch.patch, 1, BR_LIMIT_EXACT, 20, patch.resolution);
    }
}
