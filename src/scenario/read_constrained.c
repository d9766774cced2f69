/*
 * A constrained system at one instant, from YAML.
 */
#include "scenario/read_constrained.h"

#include "scenario/value.h"

// A list of `rows` lists of `columns` numbers, row by row.
static double* read_matrix(const node* value, size_t rows, size_t columns)
{
    const size_t count = bri_value_list(value, rows);
    double* matrix = bri_allocate(value->in, count * columns, sizeof *matrix);
    for (size_t i = 0; i < count; i++) {
        bri_value_fill(value->children[i], columns, RANGE_ANY, matrix + i * columns);
    }
    return matrix;
}

static size_t count_rows(const node* value, size_t least, size_t most)
{
    const size_t rows = bri_value_list(value, 0);
    if (rows > 0 && (rows < least || rows > most)) {
        bri_node_fail(value, "must be a list of %zu to %zu rows; got %zu", least, most, rows);
    }
    return rows;
}

static const double* read_optional(const node* root, const char* key, size_t count)
{
    const node* found = bri_node_find(root, key);
    return found ? bri_value_numbers(found, count, RANGE_ANY) : NULL;
}

// The contact's normal, and the row of A that is its.
static void read_normal(const node* root, br_constrained* s)
{
    s->normal = read_optional(root, "normal", s->d);
    if (!s->normal) {
        return;
    }
    s->normals = 1;
    s->contact = br_constrained_find_contact(s, s->normal);
    if (s->contact == s->m) {
        bri_node_fail(bri_node_find(root, "normal"),
                      "no row of A is along normal^T J: the contact must be among the constraints");
    }
}

static void check(const node* root, const br_constrained* s, double* work)
{
    br_reason why = {"", ""};
    if (br_constrained_check(s, work, &why) != BR_OK) {
        bri_node_fail_field(root, why.field, "%s", why.text);
    }
}

constrained_input bri_read_constrained(const node* root)
{
    static const char* const keys[] = {"M",  "A",    "b", "Q",      "J", "qd",
                                       "mu", "mu_s", "C", "normal", NULL};
    static const char* const required[] = {"M", "A", "b", "Q", "J", "qd", "mu", NULL};
    bri_node_expect_keys(root, keys);
    if (!bri_node_require_all(root, required, NULL)) {
        return (constrained_input){0};
    }
    br_constrained s = {.n = count_rows(bri_node_find(root, "M"), 1, BR_CONSTRAINED_MOST)};
    s.m = count_rows(bri_node_find(root, "A"), 1, BR_CONSTRAINED_ROWS);
    s.d = count_rows(bri_node_find(root, "J"), 2, 3);
    if (bri_problems(root) > 0) {
        return (constrained_input){0};
    }
    s.M = read_matrix(bri_node_find(root, "M"), s.n, s.n);
    s.A = read_matrix(bri_node_find(root, "A"), s.m, s.n);
    s.J = read_matrix(bri_node_find(root, "J"), s.d, s.n);
    s.b = bri_value_numbers(bri_node_find(root, "b"), s.m, RANGE_ANY);
    s.Q = bri_value_numbers(bri_node_find(root, "Q"), s.n, RANGE_ANY);
    s.qd = bri_value_numbers(bri_node_find(root, "qd"), s.n, RANGE_ANY);
    s.C = read_optional(root, "C", s.n);
    s.mu = bri_value_required(root, "mu", RANGE_NOT_NEGATIVE);
    s.mu_s = bri_value_optional(root, "mu_s", RANGE_NOT_NEGATIVE, s.mu);
    if (bri_problems(root) > 0) {
        return (constrained_input){0};
    }
    double* work = bri_allocate(root->in, br_constrained_get_work(s.n, s.m, s.d), sizeof *work);
    check(root, &s, work); // the normal is judged by A and J
    if (bri_problems(root) == 0) {
        read_normal(root, &s);
    }
    if (bri_problems(root) == 0) {
        check(root, &s, work);
    }
    return (constrained_input){s, work};
}
