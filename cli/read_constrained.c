/*
 * A constrained system at one instant, from YAML.
 */
#include "read_constrained.h"

#include <string.h>

#include "memory.h"
#include "value.h"

// A list of `rows` lists of `columns` numbers, row by row.
static double* read_matrix(const node* value, size_t rows, size_t columns)
{
    value_list(value, rows);
    double* matrix = memory_allocate(value->count * columns, sizeof *matrix);
    for (size_t i = 0; i < value->count; i++) {
        memcpy(matrix + i * columns, value_numbers(value->children[i], columns, RANGE_ANY),
               columns * sizeof *matrix);
    }
    return matrix;
}

static size_t count_rows(const node* value, size_t least, size_t most)
{
    const size_t rows = value_list(value, 0);
    if (rows < least || rows > most) {
        node_fail(value, "must be a list of %zu to %zu rows; got %zu", least, most, rows);
    }
    return rows;
}

static const double* read_optional(const node* root, const char* key, size_t count)
{
    const node* found = node_find(root, key);
    return found ? value_numbers(found, count, RANGE_ANY) : NULL;
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
        node_fail(node_find(root, "normal"),
                  "no row of A is along normal^T J: the contact must be among the constraints");
    }
}

static void check(const node* root, const br_constrained* s, double* work)
{
    br_reason why = {"", ""};
    if (br_constrained_check(s, work, &why) != BR_OK) {
        node_fail_field(root, why.field, why.text);
    }
}

constrained_input read_constrained(const node* root)
{
    static const char* const keys[] = {"M",  "A",    "b", "Q",      "J", "qd",
                                       "mu", "mu_s", "C", "normal", NULL};
    static const char* const required[] = {"M", "A", "b", "Q", "J", "qd", "mu", NULL};
    node_expect_keys(root, keys);
    node_require_all(root, required, NULL);
    br_constrained s = {.n = count_rows(node_find(root, "M"), 1, BR_CONSTRAINED_MOST)};
    s.m = count_rows(node_find(root, "A"), 1, BR_CONSTRAINED_ROWS);
    s.d = count_rows(node_find(root, "J"), 2, 3);
    s.M = read_matrix(node_find(root, "M"), s.n, s.n);
    s.A = read_matrix(node_find(root, "A"), s.m, s.n);
    s.J = read_matrix(node_find(root, "J"), s.d, s.n);
    s.b = value_numbers(node_find(root, "b"), s.m, RANGE_ANY);
    s.Q = value_numbers(node_find(root, "Q"), s.n, RANGE_ANY);
    s.qd = value_numbers(node_find(root, "qd"), s.n, RANGE_ANY);
    s.C = read_optional(root, "C", s.n);
    s.mu = value_required(root, "mu", RANGE_NOT_NEGATIVE);
    s.mu_s = value_optional(root, "mu_s", RANGE_NOT_NEGATIVE, s.mu);
    double* work = memory_allocate(br_constrained_get_work(s.n, s.m, s.d), sizeof *work);
    check(root, &s, work); // the normal is judged by A and J
    read_normal(root, &s);
    check(root, &s, work);
    return (constrained_input){s, work};
}
