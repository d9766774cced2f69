/*
 * A chain of links from YAML: its path, and friction in its joints.
 */
#include "scenario/read_chain.h"

#include "scenario/csv.h"
#include "scenario/read_file.h"
#include "scenario/read_profile.h"
#include "scenario/value.h"

// --- path -----------------------------------------------------------------------------------------

static void bend_table(const node* path, size_t count, double* x, double* y, br_path* out)
{
    if (count < 2) {
        bri_node_fail(path, "must have two points or more");
        return;
    }
    for (size_t i = 1; i < count; i++) {
        if (!(x[i] > x[i - 1])) {
            bri_node_fail(path, "must have increasing x; point %zu has x = %g after %g", i + 1,
                          x[i], x[i - 1]);
            return;
        }
    }
    double* yxx = bri_allocate(path->in, count, sizeof *yxx);
    br_path_bend(count, x, y, yxx, bri_allocate(path->in, count, sizeof *yxx));
    *out = (br_path){.kind = BR_PATH_TABLE, .count = count, .x = x, .y = y, .yxx = yxx};
}

static void read_points(const node* list, br_path* out)
{
    const size_t before = bri_problems(list), count = bri_value_list(list, 0);
    double* x = bri_allocate(list->in, count, sizeof *x);
    double* y = bri_allocate(list->in, count, sizeof *y);
    for (size_t i = 0; i < count; i++) {
        double point[2] = {0, 0};
        bri_value_fill(list->children[i], 2, RANGE_ANY, point);
        x[i] = point[0], y[i] = point[1];
    }
    if (bri_problems(list) == before) {
        bend_table(list, count, x, y, out);
    }
}

// points: [[x, y], ...], or file: p.csv with the columns x and y
static void read_table(const node* path, br_path* out)
{
    static const char* const keys[] = {"kind", "points", "file", NULL};
    static const char* const columns[] = {"x", "y", NULL};
    bri_node_expect_keys(path, keys);
    const node *list = bri_node_find(path, "points"), *file = bri_node_find(path, "file");
    if (!list == !file) {
        bri_node_fail(path, "needs points: [[x, y], ...] or file: p.csv");
        return;
    }
    if (file) {
        const char* name = bri_read_file_name(file);
        const csv in = name ? bri_csv_read(path->in, name, columns, 2) : (csv){0, NULL};
        if (in.rows > 0) {
            bend_table(file, in.rows, in.columns[0], in.columns[1], out);
        }
        return;
    }
    read_points(list, out);
}

static void read_polynomial(const node* path, br_path* out)
{
    static const char* const keys[] = {"kind", "coefficients", NULL};
    bri_node_expect_keys(path, keys);
    const node* list = bri_node_require(path, "coefficients");
    *out = (br_path){.kind = BR_PATH_POLYNOMIAL,
                     .count = list ? list->count : 0,
                     .c = bri_value_numbers(list, 0, RANGE_ANY)};
}

static void read_parabola(const node* path, br_path* out)
{
    static const char* const keys[] = {"kind", "beta", "gamma", NULL};
    bri_node_expect_keys(path, keys);
    double* c = bri_allocate(path->in, 3, sizeof *c);
    c[0] = bri_value_optional(path, "gamma", RANGE_ANY, 0);
    c[2] = bri_value_required(path, "beta", RANGE_ANY);
    *out = (br_path){.kind = BR_PATH_POLYNOMIAL, .count = 3, .c = c};
}

static void read_path(const node* path, br_path* out)
{
    static const char* const kinds[] = {"parabola", "polynomial", "table", NULL};
    switch (bri_value_choice(bri_node_require(path, "kind"), kinds)) {
    case 0:
        read_parabola(path, out);
        break;
    case 1:
        read_polynomial(path, out);
        break;
    default:
        read_table(path, out);
        break;
    }
}

// --- joints ---------------------------------------------------------------------------------------

// Bristles of a joint give by so much before it turns [rad], and are damped within so long [s].
static const double JOINT_GIVES = 1e-3, JOINT_DAMPING = 0.01;

static br_law read_joint(const node* map)
{
    static const char* const keys[] = {"torque", "torque_s", "viscous", "sigma0",
                                       "sigma1", "w_s",      "s_ba",    NULL};
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    if (!bri_node_expect_keys(map, keys)) {
        return law;
    }
    const size_t before = bri_problems(map);
    law.mu_c = bri_value_optional(map, "torque", RANGE_NOT_NEGATIVE, 0);
    law.mu_s = bri_value_optional(map, "torque_s", RANGE_NOT_NEGATIVE, law.mu_c);
    if ((law.mu_s < law.mu_c || (law.mu_s > 0 && law.mu_c == 0)) && bri_problems(map) == before) {
        bri_node_fail(bri_node_find(map, "torque_s"),
                      "must be >= torque = %g, and 0 where that is 0; got %g", law.mu_c, law.mu_s);
    }
    law.sigma2 = bri_value_optional(map, "viscous", RANGE_NOT_NEGATIVE, 0);
    law.sigma0 = bri_value_optional(map, "sigma0", RANGE_POSITIVE,
                                    law.mu_c > 0 ? law.mu_c / JOINT_GIVES : 1);
    law.sigma1 = bri_value_optional(map, "sigma1", RANGE_NOT_NEGATIVE, JOINT_DAMPING * law.sigma0);
    law.v_stribeck = bri_value_optional(map, "w_s", RANGE_POSITIVE, 0.01);
    law.s_ba = bri_value_optional(map, "s_ba", RANGE_FRACTION, 0.9);
    if (bri_problems(map) == before && law.mu_c > 0 && br_law_passivity_margin(&law) < 0) {
        bri_warn(map->in,
                 "%smay inject energy: passive for sure only if "
                 "viscous >= sigma1 (torque_s - torque)/torque",
                 bri_node_place(map));
    }
    return law;
}

// One mapping for all joints, or a list with one each.
static br_law* read_joints(const node* given, size_t n)
{
    br_law* joints = bri_allocate(given->in, n, sizeof *joints);
    if (given->kind == NODE_LIST && bri_value_list(given, n) == 0) {
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        joints[i] = i > 0 && given->kind != NODE_LIST
                        ? joints[0]
                        : read_joint(given->kind == NODE_LIST ? given->children[i] : given);
    }
    return joints;
}

// --- the chain ------------------------------------------------------------------------------------

static void read_links(const node* map, br_chain* chain)
{
    const node *masses = bri_node_find(map, "masses"), *torque = bri_node_find(map, "torque");
    chain->n = bri_value_list(masses, 0);
    if (chain->n > 0 && (chain->n < 2 || chain->n > BR_CHAIN_MOST)) {
        bri_node_fail(masses, "must be those of 2 to %d links; got %zu", BR_CHAIN_MOST, chain->n);
        chain->n = 0;
    }
    if (chain->n == 0) {
        return;
    }
    bri_value_fill(masses, chain->n, RANGE_POSITIVE, chain->mass);
    bri_value_fill(bri_node_find(map, "lengths"), chain->n, RANGE_POSITIVE, chain->length);
    const size_t torques = bri_value_list(torque, chain->n);
    for (size_t i = 0; i < chain->n; i++) {
        chain->torque[i] =
            torques ? bri_read_profile(torque->children[i], RANGE_ANY) : br_profile_constant(0);
    }
}

static void read_start(const node* map, mechanism_input* in, size_t n)
{
    static const char* const keys[] = {"theta", "w", NULL};
    const node* start = bri_node_require(map, "start");
    if (bri_node_expect_keys(start, keys) && n > 0) {
        bri_value_fill(bri_node_require(start, "theta"), n, RANGE_ANY, in->q);
        bri_value_fill(bri_node_find(start, "w"), n, RANGE_ANY, in->qd);
    }
}

void bri_read_chain(const node* map, mechanism_input* in)
{
    static const char* const required[] = {"masses", "lengths", "path", "start", "mu", NULL};
    br_chain* chain = &in->parts.chain;
    bri_node_require_all(map, required, NULL);
    read_links(map, chain);
    chain->gravity = bri_value_optional(map, "gravity", RANGE_ANY, 9.81);
    read_path(bri_node_find(map, "path"), &chain->path);
    const node* joints = bri_node_find(map, "joints");
    in->def.joints = joints && chain->n > 0 ? read_joints(joints, chain->n) : NULL;
    read_start(map, in, chain->n);
    if (chain->n > 0 && chain->path.count > 0) {
        in->def.mechanism = br_chain_mechanism(chain);
    }
}
