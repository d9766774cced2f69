/*
 * A chain of links from YAML: its path, and friction in its joints.
 */
#include "scenario/read_chain.h"

#include "scenario/csv.h"
#include "scenario/mappings.h"
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

static const map_key table_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "a smooth curve through points", BY_HAND,
        WORDS("table")),
    KEY("points", ROWS, "m", IN_ANY, "", "[[x, y], ...], x increasing; or", BY_HAND, COUNT(2)),
    KEY("file", FILE, "", IN_ANY, "", "CSV with the columns x,y", BY_HAND)};
const mapping bri_keys_path_table = MAPPING("path by points", table_keys);

// points: [[x, y], ...], or file: p.csv with the columns x and y
static void read_table(const node* path, br_path* out)
{
    static const char* const columns[] = {"x", "y", NULL};
    bri_keys_read(path, &bri_keys_path_table, NULL);
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

static const map_key polynomial_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "y = c0 + c1 x + c2 x^2 + ...", BY_HAND,
        WORDS("polynomial")),
    KEY("coefficients", NUMBERS, "", IN_ANY, REQUIRED, "[c0, c1, ...]", BY_HAND)};
const mapping bri_keys_polynomial = MAPPING("polynomial", polynomial_keys);

static void read_polynomial(const node* path, br_path* out)
{
    bri_keys_read(path, &bri_keys_polynomial, NULL);
    const node* list = bri_node_find(path, "coefficients");
    *out = (br_path){.kind = BR_PATH_POLYNOMIAL,
                     .count = list ? list->count : 0,
                     .c = bri_value_numbers(list, 0, RANGE_ANY)};
}

static void read_parabola(const node* path, br_path* out)
{
    double in[2] = {0, 0}; // beta, gamma
    bri_keys_read(path, &bri_keys_parabola, in);
    double* c = bri_allocate(path->in, 3, sizeof *c);
    c[0] = in[1];
    c[2] = in[0];
    *out = (br_path){.kind = BR_PATH_POLYNOMIAL, .count = 3, .c = c};
}

static void read_path(const node* path, br_path* out)
{
    static const char* const kinds[] = {"parabola", "polynomial", "table", NULL};
    if (!path) {
        return;
    }
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

static const map_key joint_keys[] = {
    KEY("torque", NUMBER, "N m", IN_NOT_NEGATIVE, "0", "of friction", AT(br_law, mu_c)),
    KEY("torque_s", NUMBER, "N m", IN_NOT_NEGATIVE, "torque", "at rest, >= torque",
        AT(br_law, mu_s)),
    KEY("viscous", NUMBER, "N m s", IN_NOT_NEGATIVE, "0", "per speed", AT(br_law, sigma2)),
    KEY("sigma0", NUMBER, "N m/rad", IN_POSITIVE, "1e3 torque", "stiffness", AT(br_law, sigma0)),
    KEY("sigma1", NUMBER, "N m s/rad", IN_NOT_NEGATIVE, "0.01 sigma0", "damping",
        AT(br_law, sigma1)),
    KEY("w_s", NUMBER, "rad/s", IN_POSITIVE, "0.01", "Stribeck speed", AT(br_law, v_stribeck)),
    KEY("s_ba", NUMBER, "-", IN_FRACTION, "0.9", "breakaway fraction", AT(br_law, s_ba))};
const mapping bri_keys_joint = MAPPING("joint", joint_keys);

// What follows from the torque where it is not given.
static void complete_joint(const node* map, br_law* law)
{
    law->mu_s = bri_node_find(map, "torque_s") ? law->mu_s : law->mu_c;
    if (!bri_node_find(map, "sigma0")) {
        law->sigma0 = law->mu_c > 0 ? law->mu_c / JOINT_GIVES : 1;
    }
    if (!bri_node_find(map, "sigma1")) {
        law->sigma1 = JOINT_DAMPING * law->sigma0;
    }
}

static br_law read_joint(const node* map)
{
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    if (!bri_keys_read(map, &bri_keys_joint, &law)) {
        return law;
    }
    complete_joint(map, &law);
    if (law.mu_s < law.mu_c || (law.mu_s > 0 && law.mu_c == 0)) {
        bri_node_fail(bri_node_find(map, "torque_s"),
                      "must be >= torque = %g, and 0 where that is 0; got %g", law.mu_c, law.mu_s);
        return law;
    }
    if (law.mu_c > 0 && br_law_passivity_margin(&law) < 0) {
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

static const map_key start_keys[] = {
    KEY("theta", NUMBERS, "rad", IN_ANY, REQUIRED, "all angles, each relative to the link before",
        BY_HAND),
    KEY("w", NUMBERS, "rad/s", IN_ANY, "0", "their rates", BY_HAND)};
const mapping bri_keys_chain_start = MAPPING("start of a chain", start_keys);

static void read_start(const node* map, mechanism_input* in, size_t n)
{
    const node* start = bri_node_find(map, "start");
    if (start && bri_keys_read(start, &bri_keys_chain_start, NULL) && n > 0) {
        bri_value_fill(bri_node_find(start, "theta"), n, RANGE_ANY, in->q);
        bri_value_fill(bri_node_find(start, "w"), n, RANGE_ANY, in->qd);
    }
}

void bri_read_chain(const node* map, mechanism_input* in)
{
    br_chain* chain = &in->parts.chain;
    read_links(map, chain);
    read_path(bri_node_find(map, "path"), &chain->path);
    const node* joints = bri_node_find(map, "joints");
    in->def.joints = joints && chain->n > 0 ? read_joints(joints, chain->n) : NULL;
    read_start(map, in, chain->n);
    if (chain->n > 0 && chain->path.count > 0) {
        in->def.mechanism = br_chain_mechanism(chain);
    }
}
