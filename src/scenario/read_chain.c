/*
 * A chain of links from a tree: its path, and friction in its joints.
 */
#include "scenario/read_mechanism.h"

#include <string.h>

#include "scenario/mappings.h"
#include "scenario/source.h"

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

static void finish_table(const node* map, void* to, bool is_good)
{
    path_input* in = to;
    if (!bri_node_find(map, "points") == !in->file && is_good) {
        bri_node_fail(map, "needs points: [[x, y], ...] or file: p.csv");
    }
}

static const map_key table_keys[] = {
    TAG_AT("kind", "table", "a smooth curve through points", path_input, kind, PATH_TABLE),
    KEY("points", ROWS, "m", IN_ANY, "", "[[x, y], ...], x increasing; or", AT(path_input, points),
        COUNT(2)),
    PLAIN_KEY("file", FILE, "", "CSV with the columns x,y", AT(path_input, file)), MOTION_KEYS};
const mapping bri_keys_path_table =
    MAPPING_OF("path by points", table_keys, path_input, NULL, finish_table);

static const map_key polynomial_keys[] = {
    TAG_AT("kind", "polynomial", "y = c0 + c1 x + c2 x^2 + ...", path_input, kind, PATH_POLYNOMIAL),
    KEY("coefficients", NUMBERS, "", IN_ANY, REQUIRED, "[c0, c1, ...]",
        AT(path_input, coefficients)),
    MOTION_KEYS};
const mapping bri_keys_polynomial = MAPPING("polynomial", polynomial_keys, path_input);

// points: [[x, y], ...], or file: p.csv with the columns x and y
static void complete_table(const node* path, const path_input* in, br_path* out)
{
    static const char* const columns[] = {"x", "y", NULL};
    if (in->file) {
        const csv data = bri_csv_read(path->in, in->file, columns, 2);
        if (data.rows > 0) {
            bend_table(bri_node_find(path, "file"), data.rows, data.columns[0], data.columns[1],
                       out);
        }
        return;
    }
    const size_t count = in->points.rows;
    double* x = bri_allocate(path->in, 2 * count, sizeof *x);
    for (size_t i = 0; i < count; i++) {
        x[i] = in->points.at[2 * i];
        x[count + i] = in->points.at[2 * i + 1];
    }
    bend_table(bri_node_find(path, "points"), count, x, x + count, out);
}

static void complete_path(const node* path, const path_input* in, br_path* out)
{
    if (in->kind == PATH_TABLE) {
        complete_table(path, in, out);
        return;
    }
    *out = (br_path){
        .kind = BR_PATH_POLYNOMIAL, .count = in->coefficients.count, .c = in->coefficients.at};
    if (in->kind == PATH_PARABOLA) {
        double* c = bri_allocate(path->in, 3, sizeof *c);
        c[0] = in->gamma;
        c[2] = in->beta;
        out->count = 3;
        out->c = c;
    }
}

// --- joints ---------------------------------------------------------------------------------------

// Deflection of a joint's bristles before it turns [rad], and their damping time [s].
static const double JOINT_DEFLECTION = 1e-3, JOINT_DAMPING = 0.01;

static void set_joint_default(void* to)
{
    br_law* law = to;
    *law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    law->mu_c = law->sigma2 = 0;
    law->v_stribeck = 0.01; // [rad/s]
}

static void finish_joint(const node* map, void* to, bool is_good);
static const map_key joint_keys[] = {
    KEY("torque", NUMBER, "N m", IN_NOT_NEGATIVE, DEFAULT, "of friction", AT(br_law, mu_c)),
    KEY("torque_s", NUMBER, "N m", IN_NOT_NEGATIVE, "torque", "at rest, >= torque",
        AT(br_law, mu_s)),
    KEY("viscous", NUMBER, "N m s", IN_NOT_NEGATIVE, DEFAULT, "per speed", AT(br_law, sigma2)),
    KEY("sigma0", NUMBER, "N m/rad", IN_POSITIVE, "1e3 torque", "stiffness", AT(br_law, sigma0)),
    KEY("sigma1", NUMBER, "N m s/rad", IN_NOT_NEGATIVE, "0.01 sigma0", "damping",
        AT(br_law, sigma1)),
    KEY("w_s", NUMBER, "rad/s", IN_POSITIVE, DEFAULT, "Stribeck speed", AT(br_law, v_stribeck)),
    KEY("s_ba", NUMBER, "-", IN_FRACTION, DEFAULT, "breakaway fraction", AT(br_law, s_ba))};
const mapping bri_keys_joint =
    MAPPING_OF("joint", joint_keys, br_law, set_joint_default, finish_joint);

// Parameters that follow from the torque where they are not given.
static void complete_joint(const node* map, br_law* law)
{
    law->mu_s = bri_node_find(map, "torque_s") ? law->mu_s : law->mu_c;
    if (!bri_node_find(map, "sigma0")) {
        law->sigma0 = law->mu_c > 0 ? law->mu_c / JOINT_DEFLECTION : 1;
    }
    if (!bri_node_find(map, "sigma1")) {
        law->sigma1 = JOINT_DAMPING * law->sigma0;
    }
}

static void finish_joint(const node* map, void* to, bool is_good)
{
    br_law* law = to;
    if (!is_good) {
        return;
    }
    complete_joint(map, law);
    if (law->mu_s < law->mu_c || (law->mu_s > 0 && law->mu_c == 0)) {
        bri_node_fail(bri_node_find(map, "torque_s"),
                      "must be >= torque = %g, and 0 where that is 0; got %g", law->mu_c,
                      law->mu_s);
    } else if (law->mu_c > 0 && br_law_passivity_margin(law) < 0) {
        bri_warn(map->in,
                 "%smay inject energy: passive for sure only if "
                 "viscous >= sigma1 (torque_s - torque)/torque",
                 bri_node_place(map));
    }
}

// One mapping for all joints, or a list with one each.
static const br_law* complete_joints(const node* given, const struct_list* read, size_t n)
{
    if (!given || (given->kind == NODE_LIST && bri_value_list(given, n) != n)) {
        return NULL;
    }
    br_law* joints = bri_allocate(given->in, n, sizeof *joints);
    for (size_t i = 0; i < n; i++) {
        joints[i] = ((const br_law*)read->at)[read->count == n ? i : 0];
    }
    return joints;
}

// --- the chain ------------------------------------------------------------------------------------

static const map_key start_keys[] = {
    KEY("theta", NUMBERS, "rad", IN_ANY, REQUIRED, "all angles, each relative to the link before",
        AT(start_input, angles)),
    KEY("w", NUMBERS, "rad/s", IN_ANY, "0", "their rates", AT(start_input, w))};
const mapping bri_keys_chain_start = MAPPING("start of a chain", start_keys, start_input);

// A list of n numbers, if it is given.
static void copy(const node* map, const char* key, number_list from, size_t n, double* to)
{
    const node* list = bri_node_find(map, key);
    if (list && bri_value_list(list, n) == n) {
        memcpy(to, from.at, n * sizeof *to);
    }
}

static void complete_links(const node* map, const mechanism_input* in, br_chain* chain)
{
    chain->n = in->masses.count;
    if (chain->n < 2 || chain->n > BR_CHAIN_MOST) {
        bri_node_fail(bri_node_find(map, "masses"), "must be those of 2 to %d links; got %zu",
                      BR_CHAIN_MOST, chain->n);
        chain->n = 0;
        return;
    }
    copy(map, "masses", in->masses, chain->n, chain->mass);
    copy(map, "lengths", in->lengths, chain->n, chain->length);
    const node* torque = bri_node_find(map, "torque");
    if (torque && bri_value_list(torque, chain->n) == chain->n) {
        memcpy(chain->torque, in->torque.at, chain->n * sizeof *chain->torque);
    }
}

void bri_finish_chain(const node* map, mechanism_input* in)
{
    br_chain* chain = &in->parts.chain;
    const node *path = bri_node_find(map, "path"), *start = bri_node_find(map, "start");
    *chain = (br_chain){.gravity = in->gravity};
    complete_links(map, in, chain);
    complete_path(path, &in->path, &chain->path);
    bri_complete_motion(path, &in->path, 2, &chain->motion);
    in->motion = &chain->motion;
    if (chain->n == 0) {
        return;
    }
    in->def.joints = complete_joints(bri_node_find(map, "joints"), &in->joints, chain->n);
    copy(start, "theta", in->start.angles, chain->n, in->q);
    copy(start, "w", in->start.w, chain->n, in->qd);
    if (chain->path.count > 0) {
        in->def.mechanism = br_chain_mechanism(chain);
    }
}
