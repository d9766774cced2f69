/*
 * A chain of links from YAML: its path, and friction in its joints.
 */
#include "read_chain.h"

#include "csv.h"
#include "memory.h"
#include "message.h"
#include "read_file.h"
#include "read_profile.h"
#include "value.h"

// --- path -----------------------------------------------------------------------------------------

static void bend_table(const node* path, size_t count, double* x, double* y, br_path* out)
{
    if (count < 2) {
        node_fail(path, "must have two points or more");
    }
    for (size_t i = 1; i < count; i++) {
        if (!(x[i] > x[i - 1])) {
            node_fail(path, "must have increasing x; point %zu has x = %g after %g", i + 1, x[i],
                      x[i - 1]);
        }
    }
    double* yxx = memory_allocate(count, sizeof *yxx);
    br_path_bend(count, x, y, yxx, memory_allocate(count, sizeof *yxx));
    *out = (br_path){.kind = BR_PATH_TABLE, .count = count, .x = x, .y = y, .yxx = yxx};
}

// points: [[x, y], ...], or file: p.csv with the columns x and y
static void read_table(const node* path, br_path* out)
{
    static const char* const keys[] = {"kind", "points", "file", NULL};
    static const char* const columns[] = {"x", "y", NULL};
    node_expect_keys(path, keys);
    const node *list = node_find(path, "points"), *file = node_find(path, "file");
    if (!list == !file) {
        node_fail(path, "needs points: [[x, y], ...] or file: p.csv");
    }
    if (file) {
        const csv in = csv_read(read_file_name(file), columns, 2);
        bend_table(file, in.rows, in.columns[0], in.columns[1], out);
        return;
    }
    const size_t count = value_list(list, 0);
    double* x = memory_allocate(count, sizeof *x);
    double* y = memory_allocate(count, sizeof *y);
    for (size_t i = 0; i < count; i++) {
        const double* point = value_numbers(list->children[i], 2, RANGE_ANY);
        x[i] = point[0], y[i] = point[1];
    }
    bend_table(list, count, x, y, out);
}

static void read_polynomial(const node* path, br_path* out)
{
    static const char* const keys[] = {"kind", "coefficients", NULL};
    node_expect_keys(path, keys);
    const node* list = node_require(path, "coefficients");
    *out = (br_path){.kind = BR_PATH_POLYNOMIAL,
                     .count = value_list(list, 0),
                     .c = value_numbers(list, 0, RANGE_ANY)};
}

static void read_parabola(const node* path, br_path* out)
{
    static const char* const keys[] = {"kind", "beta", "gamma", NULL};
    node_expect_keys(path, keys);
    double* c = memory_allocate(3, sizeof *c);
    c[0] = value_optional(path, "gamma", RANGE_ANY, 0);
    c[2] = value_required(path, "beta", RANGE_ANY);
    *out = (br_path){.kind = BR_PATH_POLYNOMIAL, .count = 3, .c = c};
}

static void read_path(const node* path, br_path* out)
{
    static const char* const kinds[] = {"parabola", "polynomial", "table", NULL};
    switch (value_choice(node_require(path, "kind"), kinds)) {
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
    node_expect_keys(map, keys);
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law.mu_c = value_optional(map, "torque", RANGE_NOT_NEGATIVE, 0);
    law.mu_s = value_optional(map, "torque_s", RANGE_NOT_NEGATIVE, law.mu_c);
    if (law.mu_s < law.mu_c || (law.mu_s > 0 && law.mu_c == 0)) {
        node_fail(node_find(map, "torque_s"),
                  "must be >= torque = %g, and 0 where that is 0; got %g", law.mu_c, law.mu_s);
    }
    law.sigma2 = value_optional(map, "viscous", RANGE_NOT_NEGATIVE, 0);
    law.sigma0 =
        value_optional(map, "sigma0", RANGE_POSITIVE, law.mu_c > 0 ? law.mu_c / JOINT_GIVES : 1);
    law.sigma1 = value_optional(map, "sigma1", RANGE_NOT_NEGATIVE, JOINT_DAMPING * law.sigma0);
    law.v_stribeck = value_optional(map, "w_s", RANGE_POSITIVE, 0.01);
    law.s_ba = value_optional(map, "s_ba", RANGE_FRACTION, 0.9);
    if (law.mu_c > 0 && br_law_passivity_margin(&law) < 0) {
        message_warn("%smay inject energy: passive for sure only if "
                     "viscous >= sigma1 (torque_s - torque)/torque",
                     node_place(map));
    }
    return law;
}

// One mapping for all joints, or a list with one each.
static br_law* read_joints(const node* given, size_t n)
{
    br_law* joints = memory_allocate(n, sizeof *joints);
    if (given->kind == NODE_LIST) {
        value_list(given, n);
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
    const node *masses = node_find(map, "masses"), *torque = node_find(map, "torque");
    const double* mass = value_numbers(masses, 0, RANGE_POSITIVE);
    chain->n = value_list(masses, 0);
    if (chain->n < 2 || chain->n > BR_CHAIN_MOST) {
        node_fail(masses, "must be those of 2 to %d links; got %zu", BR_CHAIN_MOST, chain->n);
    }
    const double* length = value_numbers(node_find(map, "lengths"), chain->n, RANGE_POSITIVE);
    if (torque) {
        value_list(torque, chain->n);
    }
    for (size_t i = 0; i < chain->n; i++) {
        chain->mass[i] = mass[i];
        chain->length[i] = length[i];
        chain->torque[i] =
            torque ? read_profile(torque->children[i], RANGE_ANY) : br_profile_constant(0);
    }
}

static void read_start(const node* map, mechanism_input* in, size_t n)
{
    static const char* const keys[] = {"theta", "w", NULL};
    const node* start = node_require(map, "start");
    node_expect_keys(start, keys);
    const double* theta = value_numbers(node_require(start, "theta"), n, RANGE_ANY);
    const node* w = node_find(start, "w");
    const double* speeds = w ? value_numbers(w, n, RANGE_ANY) : NULL;
    for (size_t i = 0; i < n; i++) {
        in->q[i] = theta[i];
        in->qd[i] = speeds ? speeds[i] : 0;
    }
}

void read_chain(const node* map, mechanism_input* in)
{
    static const char* const required[] = {"masses", "lengths", "path", "start", "mu", NULL};
    br_chain* chain = &in->parts.chain;
    node_require_all(map, required, NULL);
    read_links(map, chain);
    chain->gravity = value_optional(map, "gravity", RANGE_ANY, 9.81);
    read_path(node_find(map, "path"), &chain->path);
    const node* joints = node_find(map, "joints");
    in->def.joints = joints ? read_joints(joints, chain->n) : NULL;
    in->def.mechanism = br_chain_mechanism(chain);
    read_start(map, in, chain->n);
}
