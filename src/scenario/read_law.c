/*
 * A one-dimensional friction law from YAML.
 */
#include "scenario/read_law.h"

#include <string.h>

#include "scenario/keys.h"

enum { MOST_PARAMETERS = 16 };

#define LAW_NAME(kind, name) name,
static const char* const law_names[] = {BR_LAW_LIST(LAW_NAME) NULL};
#undef LAW_NAME

// Any law may carry the parameters of all: changing the kind alone is how laws are compared.
static const map_key law_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "which law", BY_HAND, .words = law_names)};
const mapping bri_keys_law = MAPPING_WITH_LAW("law", law_keys);

static const map_key friction_keys[] = {
    KEY("mu", NUMBER, "-", IN_POSITIVE, "",
        "mu_s = mu_c = mu, and what else is not given by a rule: sigma2 = 0, v_s = 1 mm/s, gamma = 2, s_ba = 0.9; "
        "sigma0: mu/sigma0, the deflection at break-away, is 2 um per mm of the patch's r (a point: 1 mm), at most "
        "50 um; sigma1 = sigma0 T: T = 1 ms under an imposed motion, under a body 2/omega, a damping ratio of 1, at "
        "most 5 ms, with omega the geometric mean of the slowest and the fastest swing on the bristles at the largest "
        "normal force. bristle check prints what comes out. Friction that slides follows a turn of the slip late by "
        "T: give sigma1 where bodies spin fast",
        BY_HAND),
    KEY("elasto_plastic", FLAG, "", IN_ANY, "true", "else plain LuGre", BY_HAND)};
const mapping bri_keys_friction = MAPPING_WITH_LAW("friction", friction_keys);

static bool knows(br_law_kind kind, const br_law_parameter* p)
{
    return p->laws >> kind & 1;
}

static bool require_law_keys(const node* map, br_law_kind kind, const char* way_out)
{
    const char* keys[MOST_PARAMETERS + 1] = {NULL};
    size_t count = 0;
    const br_law_parameter* p;
    for (size_t i = 0; (p = br_law_get_parameter(i)) && count < MOST_PARAMETERS; i++) {
        if (p->is_required && knows(kind, p)) {
            keys[count++] = p->name;
        }
    }
    return bri_node_require_all(map, keys, way_out);
}

static double* field_of(br_law* law, const br_law_parameter* p)
{
    return (double*)((char*)law + p->offset);
}

static void read_parameters(const node* map, br_law* law)
{
    const br_law_parameter* p;
    for (size_t i = 0; (p = br_law_get_parameter(i)); i++) {
        const range allowed = {p->low, p->high, !p->may_be_low, true};
        *field_of(law, p) = bri_value_optional(map, p->name, allowed, *field_of(law, p));
    }
}

// What is not required has these values.
static br_law law_by_default(br_law_kind kind)
{
    br_law law = {.kind = kind};
    const br_law_parameter* p;
    for (size_t i = 0; (p = br_law_get_parameter(i)); i++) {
        *field_of(&law, p) = p->otherwise;
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
    if (map->kind != NODE_MAP) {
        bri_node_fail(map, "must be a map that begins with kind; got %s", bri_node_describe(map));
        return br_law_default(BR_LAW_COULOMB);
    }
    const size_t before = bri_problems(map);
    br_law law = law_by_default(bri_value_choice(bri_node_require(map, "kind"), law_names));
    const bool has_kind = bri_problems(map) == before;
    bri_keys_expect(map, &bri_keys_law);
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
    friction_input got = {.from = map, .law = br_law_default(BR_LAW_COULOMB)};
    if (!map) {
        return got;
    }
    const size_t before = bri_problems(map);
    if (!bri_keys_expect(map, &bri_keys_friction)) {
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
