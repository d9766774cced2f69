/*
 * Files that are no scenarios, and the definitions that any file was read into.
 */
#include "bristle/constrained.h"
#include "scenario/kind.h"
#include "scenario/read_contact.h"

// --- a constrained system at one instant ----------------------------------------------------------

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

static size_t count_rows(const node* value, size_t min, size_t max)
{
    const size_t rows = bri_value_list(value, 0);
    if (rows > 0 && (rows < min || rows > max)) {
        bri_node_fail(value, "must be a list of %zu to %zu rows; got %zu", min, max, rows);
    }
    return rows;
}

static const double* read_optional(const node* root, const char* key, size_t count)
{
    const node* found = bri_node_find(root, key);
    return found ? bri_value_numbers(found, count, RANGE_ANY) : NULL;
}

// The normal of the contact, and its row of A.
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
    bri_node_accept(root, br_constrained_check(s, work, &why), &why);
}

// Errors are noted, and leave a system without coordinates.
static br_constrained read_constrained(const node* root)
{
    static const char* const keys[] = {"M",
                                       "A",
                                       "b",
                                       "Q",
                                       "J",
                                       "qd",
                                       "mu",
                                       "mu_s",
                                       "C",
                                       "normal",
                                       "surface_velocity",
                                       "surface_acceleration",
                                       NULL};
    static const char* const required[] = {"M", "A", "b", "Q", "J", "qd", "mu", NULL};
    bri_node_expect_keys(root, keys);
    if (!bri_node_require_all(root, required, NULL)) {
        return (br_constrained){0};
    }
    br_constrained s = {.n = count_rows(bri_node_find(root, "M"), 1, BR_CONSTRAINED_MOST)};
    s.m = count_rows(bri_node_find(root, "A"), 1, BR_CONSTRAINED_ROWS);
    s.d = count_rows(bri_node_find(root, "J"), 2, 3);
    if (bri_problems(root) > 0) {
        return (br_constrained){0};
    }
    s.M = read_matrix(bri_node_find(root, "M"), s.n, s.n);
    s.A = read_matrix(bri_node_find(root, "A"), s.m, s.n);
    s.J = read_matrix(bri_node_find(root, "J"), s.d, s.n);
    s.b = bri_value_numbers(bri_node_find(root, "b"), s.m, RANGE_ANY);
    s.Q = bri_value_numbers(bri_node_find(root, "Q"), s.n, RANGE_ANY);
    s.qd = bri_value_numbers(bri_node_find(root, "qd"), s.n, RANGE_ANY);
    s.C = read_optional(root, "C", s.n);
    s.surface_velocity = read_optional(root, "surface_velocity", s.d);
    s.surface_acceleration = read_optional(root, "surface_acceleration", s.d);
    s.mu = bri_value_number(bri_node_find(root, "mu"), RANGE_NOT_NEGATIVE);
    bri_value_warn_of_percent(bri_node_find(root, "mu"));
    s.mu_s = bri_value_optional(root, "mu_s", RANGE_NOT_NEGATIVE, s.mu);
    if (bri_problems(root) > 0) {
        return (br_constrained){0};
    }
    double* work = bri_allocate(root->in, br_constrained_get_work(s.n, s.m, s.d), sizeof *work);
    check(root, &s, work); // the normal is checked with A and J
    if (bri_problems(root) == 0) {
        read_normal(root, &s);
    }
    if (bri_problems(root) == 0) {
        check(root, &s, work);
    }
    return s;
}

// --- files that are no scenarios ------------------------------------------------------------------

// The kind of a file and the key that shows it; NULL and BR_MODEL_ANY: none of these kinds.
static const node* find_model(const node* root, br_model_kind* kind)
{
    const node *shape = bri_node_find(root, "shape"), *matrix = bri_node_find(root, "M");
    *kind = shape ? BR_MODEL_PATCH : matrix ? BR_MODEL_CONSTRAINED : BR_MODEL_ANY;
    return shape ? shape : matrix;
}

// The first key of the file that is a block of a kind of scenario; NULL: there is none.
static const node* find_block(const node* root)
{
    for (size_t i = 0; root->kind == NODE_MAP && i < root->count; i++) {
        for (size_t k = 0; bri_scenario_kinds[k]; k++) {
            if (br_text_find(root->children[i]->key, bri_scenario_kinds[k]->blocks) >= 0) {
                return root->children[i];
            }
        }
    }
    return NULL;
}

bool bri_refuse_model(const node* root, br_model_kind wanted)
{
    static const char* const things[] = {"a scenario", "a contact patch", "a constrained system"};
    static const char* const commands[] = {"run", "surface", "constrained"};
    br_model_kind kind;
    const node* model = find_model(root, &kind);
    const node* key = wanted == BR_MODEL_ANY || model ? model : find_block(root);
    if (!key || kind == wanted) {
        return false;
    }
    const char* more = "";
    if (kind == BR_MODEL_PATCH && wanted == BR_MODEL_ANY) {
        more = ", which has it as contact.patch";
    } else if (kind == BR_MODEL_ANY && wanted == BR_MODEL_PATCH) {
        more = " (what it has as contact.patch, in a file of its own)";
    }
    bri_node_fail(key, "this is %s, not %s%s; see: bristle %s", things[kind], things[wanted], more,
                  commands[kind]);
    return true;
}

static void get_patch(const br_scenario* s, br_scenario_model* to)
{
    const patch_input* in = s->data;
    to->patch = in->patch;
    to->resolution = in->resolution;
    to->anisotropy = in->anisotropy;
}

static void get_constrained(const br_scenario* s, br_scenario_model* to)
{
    to->constrained = s->data;
}

// Kinds without a run, which are not in bri_scenario_kinds.
static const scenario_kind patch_kind = {.name = "contact patch", .get_model = get_patch};
static const scenario_kind constrained_kind = {.name = "constrained system",
                                               .get_model = get_constrained};

void bri_read_model(br_scenario* s, br_model_kind wanted)
{
    br_model_kind kind;
    find_model(s->root, &kind);
    if (wanted != BR_MODEL_ANY && bri_refuse_model(s->root, wanted)) {
        return;
    }
    kind = wanted != BR_MODEL_ANY ? wanted : kind;
    if (kind == BR_MODEL_ANY) {
        bri_scenario_read_kind(s);
        return;
    }
    const node* version = bri_node_find(s->root, "version"); // only tables of scenarios have it
    if (version) {
        bri_value_count(version, 1, 1);
        bri_node_leave_out(s->root, version);
    }
    if (kind == BR_MODEL_PATCH) {
        patch_input* got = s->data = bri_allocate(&s->in, 1, sizeof *got);
        *got = bri_read_patch(s->root);
        s->kind = &patch_kind;
    } else {
        br_constrained* got = s->data = bri_allocate(&s->in, 1, sizeof *got);
        *got = read_constrained(s->root);
        s->kind = &constrained_kind;
    }
}

// --- definitions ----------------------------------------------------------------------------------

br_scenario_model br_scenario_get_model(const br_scenario* scenario)
{
    br_scenario_model out = {.run = &scenario->run};
    const sweep_input* sweep = scenario->sweep;
    if (scenario->in.problems > 0) {
        return (br_scenario_model){.run = NULL};
    }
    if (scenario->kind->get_model) {
        scenario->kind->get_model(scenario, &out);
    }
    if (sweep) {
        out.sweeps = sweep->vary.count || sweep->zip.count || sweep->draw.count || sweep->cases;
        out.lacks_samples = sweep->draw.count > 0 && sweep->samples == 0;
    }
    return out;
}
