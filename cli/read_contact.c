/*
 * A contact under an imposed planar motion, from YAML.
 */
#include "read_contact.h"

#include <math.h>

#include "csv.h"
#include "memory.h"
#include "message.h"
#include "read_file.h"
#include "read_law.h"
#include "read_patch.h"
#include "read_profile.h"
#include "surface.h"
#include "value.h"

enum { MODEL_DISTRIBUTED, MODEL_BLOCKS, MODEL_REDUCED, MODEL_ELLIPSOID, MODEL_COULOMB };
static const char* const models[] = {"distributed", "blocks",  "reduced",
                                     "ellipsoid",   "coulomb", NULL};

// The limit surfaces of the reduced model by name; exact is the smooth table of the exact one.
static const char* const methods[] = {"exact", "grid", "published", NULL};
static const br_limit_method method_of[] = {BR_LIMIT_SMOOTH, BR_LIMIT_GRID, BR_LIMIT_PUBLISHED};

enum { MOST_BLOCKS = 256 };
enum { DEFAULT_N = 20, LEAST_N = 2, MOST_N = 512 };

enum { MOST_CONTACTS = 1000000 };

static void destroy_distributed(void* model)
{
    br_distributed_destroy(model);
}

static br_distributed* create_distributed(const node* root, br_law law, patch_input input)
{
    const node* patch = node_find(node_find(root, "contact"), "patch");
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
        node_fail_field(patch, why.field, why.text);
    }
    memory_own(model, destroy_distributed);
    return model;
}

static void destroy_blocks(void* model)
{
    br_blocks_destroy(model);
}

static br_blocks* create_blocks(const node* root, br_law law, patch_input input)
{
    const node* contact = node_find(root, "contact");
    const node* blocks = node_find(root, "blocks");
    br_blocks_def def = br_blocks_def_default();
    def.law = law;
    def.patch = input.patch;
    def.blocks = blocks ? value_count(blocks, 1, MOST_BLOCKS) : def.blocks;
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

static br_reduced* create_reduced(const node* root, br_law law, patch_input input,
                                        bool is_ellipsoid)
{
    const node* contact = node_find(root, "contact");
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

// t,vx,vy,w from a CSV file, or a profile each
static void read_twist(const node* map, br_motion* motion)
{
    static const char* const either[] = {"file", "hold", "vx", "vy", "w", NULL};
    static const char* const columns[] = {"t", "vx", "vy", "w", NULL};
    node_expect_keys(map, either);
    const node* file = node_find(map, "file");
    if (!file) {
        motion->vx = read_profile_or(map, "vx", RANGE_ANY, 0);
        motion->vy = read_profile_or(map, "vy", RANGE_ANY, 0);
        motion->w = read_profile_or(map, "w", RANGE_ANY, 0);
        return;
    }
    const double hold = read_hold(map);
    const csv data = csv_read(read_file_name(file), columns, 4);
    br_profile* to[] = {&motion->vx, &motion->vy, &motion->w};
    for (int i = 0; i < 3; i++) {
        *to[i] = profile_of_table(data.rows, data.columns[0], data.columns[i + 1], hold);
    }
}

static patch_input read_contact(const node* map, br_motion* motion)
{
    static const char* const keys[] = {"patch", "normal_force", "count", "surface", "guard", NULL};
    node_expect_keys(map, keys);
    motion->normal_force = read_profile_or(map, "normal_force", RANGE_NOT_NEGATIVE, 1);
    const node* count = node_find(map, "count");
    if (count) {
        value_count(count, 1, MOST_CONTACTS); // rows are of one contact
    }
    return read_patch(node_require(map, "patch"));
}

br_motion read_contact_motion(const node* root)
{
    br_motion motion = {0};
    const int model = value_choice(node_require(root, "model"), models);
    const br_law law = read_friction(node_require(root, "friction"), model != MODEL_COULOMB);
    const patch_input input = read_contact(node_find(root, "contact"), &motion);
    read_twist(node_require(root, "motion"), &motion);
    motion.mu_c = law.mu_c;
    if (model == MODEL_DISTRIBUTED) {
        motion.distributed = create_distributed(root, law, input);
    } else if (model == MODEL_BLOCKS) {
        motion.blocks = create_blocks(root, law, input);
    } else if (model != MODEL_COULOMB) {
        motion.reduced = create_reduced(root, law, input, model == MODEL_ELLIPSOID);
    } else {
        motion.coulomb = surface_create(input.patch, 1, BR_LIMIT_EXACT, 20, input.resolution);
    }
    return motion;
}
