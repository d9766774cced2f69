/*
 * A one-dimensional friction law from YAML.
 */
#include "scenario/read_law.h"

#include <string.h>

#include "scenario/value.h"

#define LAW_NAME(kind, name) name,
static const char* const law_names[] = {BR_LAW_LIST(LAW_NAME) NULL};
#undef LAW_NAME

// Sets of laws.
enum {
    STICTION = 1 << BR_LAW_STICTION,
    STRIBECK = 1 << BR_LAW_STRIBECK,
    DAHL = 1 << BR_LAW_DAHL,
    ELASTO_PLASTIC = 1 << BR_LAW_ELASTO_PLASTIC,
    BRISTLES = 1 << BR_LAW_LUGRE | ELASTO_PLASTIC,
    ALL = 1 << BR_LAW_COULOMB | STICTION | STRIBECK | DAHL | BRISTLES
};

typedef enum bound { POSITIVE, NOT_NEGATIVE, FRACTION } bound;

// A parameter: who knows it, where it goes, what it may be.
typedef struct parameter {
    const char* key;
    size_t offset; // in br_law
    int knows;     // the laws that take it
    bool required;
    double otherwise; // where it is not required
    bound allowed;
} parameter;

static const parameter parameters[] = {
    {"mu_c", offsetof(br_law, mu_c), ALL, true, 0, POSITIVE},
    {"mu_s", offsetof(br_law, mu_s), STICTION | STRIBECK | BRISTLES, true, 0, POSITIVE},
    {"v_s", offsetof(br_law, v_stribeck), STRIBECK | BRISTLES, true, 0, POSITIVE},
    {"gamma", offsetof(br_law, gamma), STRIBECK | BRISTLES, false, 2, POSITIVE},
    {"sigma0", offsetof(br_law, sigma0), DAHL | BRISTLES, true, 0, POSITIVE},
    {"sigma1", offsetof(br_law, sigma1), BRISTLES, false, 0, NOT_NEGATIVE},
    {"sigma2", offsetof(br_law, sigma2), STRIBECK | BRISTLES, false, 0, NOT_NEGATIVE},
    {"s_ba", offsetof(br_law, s_ba), ELASTO_PLASTIC, false, 0.9, FRACTION},
    {"alpha", offsetof(br_law, alpha), DAHL, false, 1, POSITIVE},
};

enum { PARAMETER_COUNT = sizeof parameters / sizeof *parameters, MOST_FIRST = 2 };

static bool knows(br_law_kind kind, const parameter* p)
{
    return p->knows >> kind & 1;
}

// Any law may carry the parameters of all: changing the kind alone is how laws are compared.
static bool expect_law_keys(const node* map, names first)
{
    const char* keys[PARAMETER_COUNT + MOST_FIRST + 1] = {NULL};
    size_t count = 0;
    for (; *first; first++) {
        keys[count++] = *first;
    }
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        keys[count++] = parameters[i].key;
    }
    return bri_node_expect_keys(map, keys);
}

static bool require_law_keys(const node* map, br_law_kind kind, const char* way_out)
{
    const char* keys[PARAMETER_COUNT + 1] = {NULL};
    size_t count = 0;
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        if (parameters[i].required && knows(kind, &parameters[i])) {
            keys[count++] = parameters[i].key;
        }
    }
    return bri_node_require_all(map, keys, way_out);
}

static void read_parameter(const node* map, const parameter* p, br_law* law)
{
    const range ranges[] = {[POSITIVE] = RANGE_POSITIVE,
                            [NOT_NEGATIVE] = RANGE_NOT_NEGATIVE,
                            [FRACTION] = RANGE_FRACTION};
    double* field = (double*)((char*)law + p->offset);
    *field = bri_value_optional(map, p->key, ranges[p->allowed], *field);
}

static void read_parameters(const node* map, br_law* law)
{
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        read_parameter(map, &parameters[i], law);
    }
}

// What is not required has these values.
static br_law law_by_default(br_law_kind kind)
{
    br_law law = {.kind = kind};
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        *(double*)((char*)&law + parameters[i].offset) = parameters[i].otherwise;
    }
    return law;
}

void bri_law_check(const node* map, const br_law* law)
{
    br_reason why = {"", ""};
    if (br_law_check(law, &why) == BR_OK) {
        return;
    }
    // the library spells v_s out, since print tells v_s and v_S apart by case alone
    bri_node_fail_field(map, strcmp(why.field, "v_stribeck") == 0 ? "v_s" : why.field, "%s",
                        why.text);
}

char* bri_law_describe_active(reading* in, const br_law* law)
{
    // sigma1 at its bound, as computed by hand, is passive
    const double rounding = 1e-9 * law->sigma2;
    if (br_law_passivity_margin(law) >= -rounding) {
        return NULL;
    }
    return bri_format(in,
                      "may inject energy: passive for sure only if "
                      "sigma2 >= sigma1 (mu_s - mu_c)/mu_c; here %.6g < %.6g",
                      law->sigma2, law->sigma1 * (law->mu_s - law->mu_c) / law->mu_c);
}

static void warn_if_active(const node* map, const br_law* law)
{
    const char* active = bri_law_describe_active(map->in, law);
    if (active) {
        bri_warn(map->in, "%s%s; mu_s = mu_c is passive with any sigma1", bri_node_place(map),
                 active);
    }
}

br_law bri_read_law(const node* map)
{
    static const char* const first[] = {"kind", NULL};
    if (map->kind != NODE_MAP) {
        bri_node_fail(map, "must be a map that begins with kind; got %s", bri_node_describe(map));
        return br_law_default(BR_LAW_COULOMB);
    }
    const size_t before = bri_problems(map);
    br_law law = law_by_default(bri_value_choice(bri_node_require(map, "kind"), law_names));
    const bool has_kind = bri_problems(map) == before;
    expect_law_keys(map, first);
    if (has_kind) {
        require_law_keys(map, law.kind, NULL);
    }
    read_parameters(map, &law);
    if (bri_problems(map) == before) {
        bri_law_check(map, &law);
        warn_if_active(map, &law);
    }
    return law;
}

static br_law_kind read_kind(const node* map, bool has_bristles)
{
    const node* flag = bri_node_find(map, "elasto_plastic");
    const bool elastic = !flag || bri_value_flag(flag);
    return !has_bristles ? BR_LAW_COULOMB : elastic ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE;
}

// mu_s = mu_c = mu; what else the file does not give follows from the patch and the body, later.
static void read_from_mu(const node* map, friction_input* got)
{
    const node* mu = bri_node_find(map, "mu");
    const node* mu_s = bri_node_find(map, "mu_s");
    if (mu_s && bri_node_find(map, "mu_c")) {
        bri_node_fail(mu, "has nothing to say beside mu_c and mu_s: leave it, or one of them, out");
    }
    const br_law_kind kind = got->law.kind;
    got->law = br_law_default(kind);
    got->law.sigma2 = 0;
    got->law.mu_c = got->law.mu_s = bri_value_number(mu, RANGE_POSITIVE);
    got->rule_sigma0 = kind != BR_LAW_COULOMB && !bri_node_find(map, "sigma0");
    got->rule_sigma1 = kind != BR_LAW_COULOMB && !bri_node_find(map, "sigma1");
}

friction_input bri_read_friction(const node* map, bool has_bristles)
{
    static const char* const first[] = {"mu", "elasto_plastic", NULL};
    friction_input got = {.from = map, .law = br_law_default(BR_LAW_COULOMB)};
    if (!map) {
        return got;
    }
    const size_t before = bri_problems(map);
    if (!expect_law_keys(map, first)) {
        return got;
    }
    got.law = law_by_default(read_kind(map, has_bristles));
    if (bri_node_find(map, "mu")) {
        read_from_mu(map, &got);
    } else {
        require_law_keys(map, got.law.kind, "; or give mu, and what is not given follows from it");
    }
    read_parameters(map, &got.law);
    if (bri_problems(map) == before) {
        bri_law_check(map, &got.law);
    }
    return got;
}
