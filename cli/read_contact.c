/*
 * A contact from YAML: its patch, its friction model, its normal force.
 */
#include "read_contact.h"

#include <math.h>

#include "memory.h"
#include "message.h"
#include "read_law.h"
#include "read_patch.h"
#include "read_profile.h"
#include "surface.h"
#include "value.h"

static const char* const models[] = {"distributed", "blocks",  "reduced",
                                     "ellipsoid",   "coulomb", NULL};

// The limit surfaces of the reduced model by name; exact is the smooth table of the exact one.
static const char* const methods[] = {"exact", "grid", "published", NULL};
static const br_limit_method method_of[] = {BR_LIMIT_SMOOTH, BR_LIMIT_GRID, BR_LIMIT_PUBLISHED};

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

static const node* require_key(const node* contact, const char* key)
{
    const node* found = find_key(contact, key);
    return found ? found : node_require(root_of(contact), key);
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

static br_blocks* create_blocks(const node* contact, br_law law, patch_input input)
{
    const node* blocks = find_key(contact, "blocks");
    br_blocks_def def = br_blocks_def_default();
    def.law = law;
    def.patch = input.patch;
    def.blocks = blocks ? value_count(blocks, 1, MOST_BLOCKS) : def.blocks;
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

// The surface that `contact.surface` asks for.
static const br_limit* read_surface(const node* contact, patch_input input)
{
    static const char* const keys[] = {"method", "n", NULL};
    const node* map = node_find(contact, "surface");
    br_limit_method method = exact_method(input.patch);
    size_t n = DEFAULT_N;
    if (map) {
        node_expect_keys(map, keys);
        const node* name = node_find(map, "method");
        const node* count = node_find(map, "n");
        const int choice = name ? value_choice(name, methods) : 0;
        method = choice > 0 ? method_of[choice] : method;
        n = count ? value_count(count, LEAST_N, MOST_N) : n;
    }
    return surface_create(input.patch, table_force(input.patch), method, n, input.resolution);
}

static br_reduced* create_reduced(const node* contact, br_law law, patch_input input,
                                  bool is_ellipsoid)
{
    const node* guard = node_find(contact, "guard");
    br_reduced_def def = br_reduced_def_default();
    def.law = law;
    def.guard = !guard || value_flag(guard);
    const double fn = table_force(input.patch);
    def.surface = is_ellipsoid ? surface_create(input.patch, fn, BR_LIMIT_ELLIPSOID, DEFAULT_N, 21)
                               : read_surface(contact, input);
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

contact_input read_contact(const node* map, names keys)
{
    contact_input got = {.count = 1};
    node_expect_keys(map, keys);
    got.model = value_choice(require_key(map, "model"), models);
    const br_law law = read_friction(require_key(map, "friction"), got.model != MODEL_COULOMB);
    got.mu_c = law.mu_c;
    got.normal_force = read_profile_or(map, "normal_force", RANGE_NOT_NEGATIVE, 1);
    const node* count = node_find(map, "count");
    if (count) {
        got.count = value_count(count, 1, MOST_CONTACTS);
    }
    const patch_input input = read_patch(node_require(map, "patch"));
    got.patch = input.patch;
    if (got.model == MODEL_DISTRIBUTED) {
        got.distributed = create_distributed(map, law, input);
    } else if (got.model == MODEL_BLOCKS) {
        got.blocks = create_blocks(map, law, input);
    } else if (got.model != MODEL_COULOMB) {
        got.reduced = create_reduced(map, law, input, got.model == MODEL_ELLIPSOID);
    } else {
        got.coulomb = surface_create(input.patch, 1, BR_LIMIT_EXACT, 20, input.resolution);
    }
    return got;
}
