/*
 * A one-dimensional friction law from YAML.
 */
#include "read_law.h"

#include <string.h>

#include "memory.h"
#include "message.h"
#include "value.h"

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

enum { PARAMETER_COUNT = sizeof parameters / sizeof *parameters };

static bool knows(br_law_kind kind, const parameter* p)
{
    return p->knows >> kind & 1;
}

// Any law may carry the parameters of all: changing the kind alone is how laws are compared.
static void expect_law_keys(const node* map, const char* first)
{
    const char* keys[PARAMETER_COUNT + 2] = {first};
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        keys[i + 1] = parameters[i].key;
    }
    node_expect_keys(map, keys);
}

static void read_parameter(const node* map, const parameter* p, br_law* law)
{
    const range ranges[] = {[POSITIVE] = RANGE_POSITIVE,
                            [NOT_NEGATIVE] = RANGE_NOT_NEGATIVE,
                            [FRACTION] = RANGE_FRACTION};
    const range allowed = ranges[p->allowed];
    double* field = (double*)((char*)law + p->offset);
    *field = p->required && knows(law->kind, p)
                 ? value_required(map, p->key, allowed)
                 : value_optional(map, p->key, allowed, p->otherwise);
}

static void check(const node* map, const br_law* law)
{
    br_reason why = {"", ""};
    if (br_law_check(law, &why) == BR_OK) {
        return;
    }
    // the library spells v_s out, since print tells v_s and v_S apart by case alone
    node_fail_field(map, strcmp(why.field, "v_stribeck") == 0 ? "v_s" : why.field, why.text);
}

static void warn_if_active(const node* map, const br_law* law)
{
    if (br_law_passivity_margin(law) >= 0) {
        return;
    }
    message_warn("%smay inject energy: passive for sure only if "
                 "sigma2 >= sigma1 (mu_s - mu_c)/mu_c; here %.6g < %.6g",
                 node_place(map), law->sigma2, law->sigma1 * (law->mu_s - law->mu_c) / law->mu_c);
}

static br_law read_parameters(const node* map, br_law_kind kind)
{
    br_law law = br_law_default(kind);
    for (int i = 0; i < PARAMETER_COUNT; i++) {
        read_parameter(map, &parameters[i], &law);
    }
    check(map, &law);
    warn_if_active(map, &law);
    return law;
}

br_law read_law(const node* map)
{
    if (map->kind != NODE_MAP) {
        node_fail(map, "must be a map that begins with kind; got %s", node_describe(map));
    }
    const br_law_kind kind = value_choice(node_require(map, "kind"), law_names);
    expect_law_keys(map, "kind");
    return read_parameters(map, kind);
}

br_law read_friction(const node* map, bool has_bristles)
{
    expect_law_keys(map, "elasto_plastic");
    const node* flag = node_find(map, "elasto_plastic");
    const bool elastic = !flag || value_flag(flag);
    return read_parameters(map, !has_bristles ? BR_LAW_COULOMB
                                : elastic     ? BR_LAW_ELASTO_PLASTIC
                                              : BR_LAW_LUGRE);
}
