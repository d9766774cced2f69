/*
 * Numbers with a unit, and older names of keys.
 */
#include "scenario/mappings.h"

#include <ctype.h>
#include <string.h>

#include "bristle/math.h"

// A unit that may replace that of a key: x [name] = x times / over [of]. The quotient of whole numbers gives the double
// nearest to the decimal: 35 mm is 0.035 m, and 35 * 0.001 is not.
typedef struct unit {
    const char* name; // NULL: the end of a list
    double times, over;
} unit;

enum { MAX_UNITS = 5 };

static const struct {
    const char* of;
    unit units[MAX_UNITS];
} families[] = {
    {"m", {{"km", 1e3, 1}, {"cm", 1, 1e2}, {"mm", 1, 1e3}, {"um", 1, 1e6}}},
    {"rad", {{"deg", BR_PI, 180}, {"mrad", 1, 1e3}}},
    {"kg", {{"t", 1e3, 1}, {"g", 1, 1e3}, {"mg", 1, 1e6}}},
    {"s", {{"min", 60, 1}, {"ms", 1, 1e3}, {"us", 1, 1e6}}},
    {"Hz", {{"kHz", 1e3, 1}, {"rpm", 1, 60}}},
    {"N", {{"kN", 1e3, 1}, {"mN", 1, 1e3}}},
    {"Pa", {{"kPa", 1e3, 1}, {"MPa", 1e6, 1}, {"GPa", 1e9, 1}, {"N/mm^2", 1e6, 1}}},
    {"N m", {{"kN m", 1e3, 1}, {"N cm", 1, 1e2}, {"N mm", 1, 1e3}, {"mN m", 1, 1e3}}},
    {"m/s", {{"km/h", 1, 3.6}, {"cm/s", 1, 1e2}, {"mm/s", 1, 1e3}, {"um/s", 1, 1e6}}},
    {"rad/s", {{"deg/s", BR_PI, 180}, {"rpm", BR_PI, 30}}},
    {"m/s^2", {{"cm/s^2", 1, 1e2}, {"mm/s^2", 1, 1e3}}},
    {"rad/s^2", {{"deg/s^2", BR_PI, 180}}},
    {"N/m", {{"kN/m", 1e3, 1}, {"N/mm", 1e3, 1}, {"N/um", 1e6, 1}}},
    {"N s/m", {{"N s/mm", 1e3, 1}}},
    {"1/m", {{"1/cm", 1e2, 1}, {"1/mm", 1e3, 1}}},
    {"s/m", {{"s/mm", 1e3, 1}}},
    {"kg m^2", {{"kg cm^2", 1, 1e4}, {"kg mm^2", 1, 1e6}, {"g cm^2", 1, 1e7}, {"g mm^2", 1, 1e9}}},
};

// The units that may replace that of a key; an empty list if there are none.
static const unit* units_of(const char* of)
{
    static const unit none = {NULL, 0, 0};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strcmp(families[i].of, of) == 0) {
            return families[i].units;
        }
    }
    return &none;
}

// "N m", "Nm" and "N*m" are the same.
static bool is_same_unit(const char* a, const char* b)
{
    for (;; a++, b++) {
        a += strspn(a, " *");
        b += strspn(b, " *");
        if (*a != *b || !*a) {
            return *a == *b;
        }
    }
}

// Is it a single unit? That of noise is its column's, which no table has.
static bool is_unit(const char* text)
{
    return *text && strcmp(text, "-") != 0 && strncmp(text, "the ", 4) != 0 && !strchr(text, ',');
}

// Does the text behind a number read as a unit, known or not? "1_000" and "0x10" are other notations of numbers.
static bool reads_unit(const char* text)
{
    const size_t blanks = strspn(text, " ");
    const char* name = text + blanks;
    const bool starts =
        isalpha((unsigned char)*name) || (blanks > 0 && strncmp(name, "1/", 2) == 0);
    return starts && (blanks > 0 || *name != 'x');
}

// The length of the number that a text starts with; 0: none, or no unit follows it.
static size_t number_length(const char* text, double* x)
{
    char number[32];
    const size_t length = strspn(text, "+-.0123456789eE");
    if (length == 0 || length >= sizeof number || !reads_unit(text + length)) {
        return 0;
    }
    memcpy(number, text, length);
    number[length] = '\0';
    return bri_text_number(number, x) == NUMBER_GOOD ? length : 0;
}

quantity_verdict bri_quantity_read(const char* text, const char* of, double* out)
{
    double x;
    const size_t length = number_length(text, &x);
    if (length == 0) {
        return QUANTITY_NONE;
    }
    const char* name = text + length;
    if (is_unit(of) && is_same_unit(name, of)) {
        *out = x;
        return QUANTITY_GOOD;
    }
    for (const unit* u = units_of(of); u->name; u++) {
        if (is_same_unit(name, u->name)) {
            *out = x * u->times / u->over;
            return isfinite(*out) ? QUANTITY_GOOD : QUANTITY_WRONG;
        }
    }
    return QUANTITY_WRONG;
}

const char* bri_quantity_list(pool* to, const char* of)
{
    const char* list = is_unit(of) ? of : "";
    for (const unit* u = units_of(of); u->name; u++) {
        list = bri_pool_format(to, "%s, %s", list, u->name);
    }
    return list;
}

// --- units of keys --------------------------------------------------------------------------------

bool bri_quantity_follows(const char* of)
{
    return strcmp(of, UNIT_OF_KEY) == 0 || strcmp(of, UNIT_OF_KEY_BY_S) == 0;
}

static const char* by_second(pool* to, const char* of)
{
    const size_t length = strlen(of);
    const bool is_rate = length > 2 && strcmp(of + length - 2, "/s") == 0;
    return is_unit(of) ? bri_pool_format(to, "%s%s", of, is_rate ? "^2" : "/s") : "";
}

const char* bri_quantity_unit(pool* to, const map_key* k, const char* above)
{
    if (!bri_quantity_follows(k->unit)) {
        return k->unit;
    }
    return strcmp(k->unit, UNIT_OF_KEY_BY_S) == 0 ? by_second(to, above) : above;
}

const char* bri_quantity_entry(pool* to, const char* of, size_t index)
{
    for (; strchr(of, ','); index--) {
        const size_t length = strcspn(of, ",");
        if (index == 0) {
            return bri_pool_text(to, of, length);
        }
        of += length + 1;
        of += strspn(of, " ");
    }
    return of;
}

// --- trees ----------------------------------------------------------------------------------------

// Is it a number with a unit, already resolved or not?
static bool is_quantity(const node* value, bool is_resolved)
{
    double x;
    return value->kind == NODE_SCALAR && value->is_number == is_resolved && !value->reads_number &&
           number_length(value->text, &x) > 0;
}

static bool has_quantity(const node* value, bool is_resolved)
{
    bool found = is_quantity(value, is_resolved);
    for (size_t i = 0; i < value->count && !found; i++) {
        found = has_quantity(value->children[i], is_resolved);
    }
    return found;
}

bool bri_quantity_is_given(const node* value)
{
    return has_quantity(value, true);
}

static bool takes_number(key_kind kind)
{
    return kind == KEY_NUMBER || kind == KEY_NUMBERS || kind == KEY_ROWS || kind == KEY_PROFILE ||
           kind == KEY_PROFILES;
}

// A quantity with a wrong unit becomes a number, too, so that it is reported once.
static void resolve(node* value, const char* of)
{
    value->number = 1;
    if (bri_quantity_read(value->text, of, &value->number) == QUANTITY_WRONG) {
        const char* list = bri_quantity_list(&value->in->memory, of);
        bri_node_fail_with(value, list, "", "%s%s; got \"%.60s\"",
                           *list ? "must be a number, alone or in one of the units "
                                 : "must be a number without a unit",
                           list, value->text);
    }
    value->is_number = true;
}

// How many of the keys of a map a mapping has; 0 where a word, such as its kind, is another one.
static size_t count_known(const node* map, const mapping* keys, pool* memory)
{
    size_t known = 0;
    for (size_t i = 0; i < map->count; i++) {
        const node* child = map->children[i];
        const map_key k = bri_keys_find(keys, child->key, strlen(child->key), memory);
        const bool is_named = k.name && k.kind == KEY_WORD && k.words && !k.words[1];
        if (is_named && child->kind == NODE_SCALAR && !k.maps &&
            strcmp(child->text, k.words[0]) != 0) {
            return 0;
        }
        known += k.name != NULL;
    }
    return known;
}

// The mapping of the list that has most keys of a map, if these are more than `known`, which becomes their number.
static const mapping* choose(const node* map, const mapping* const* maps, size_t* known)
{
    const mapping* best = NULL;
    for (; maps && *maps; maps++) {
        const size_t count = count_known(map, *maps, &map->in->memory);
        if (count > *known) {
            *known = count;
            best = *maps;
        }
    }
    return best;
}

// Quantities in a map and below it into numbers, older names of its keys into present ones. `above` is the unit of the key
// that has the map ("": none); `keys` NULL: nothing is known of the map.
static void resolve_map(node* map, const mapping* keys, const char* above);

static void resolve_value(node* value, const map_key* k, const char* of)
{
    pool* memory = &value->in->memory;
    if (takes_number(k->kind) && is_quantity(value, false)) {
        resolve(value, of);
    } else if (k->kind == KEY_TEXTS && value->kind == NODE_SCALAR) {
        bri_rename_functions(value);
    }
    for (size_t i = 0; value->kind == NODE_LIST && i < value->count; i++) {
        node* child = value->children[i];
        resolve_value(child, k, child->kind == NODE_LIST ? of : bri_quantity_entry(memory, of, i));
    }
    if (value->kind == NODE_MAP) {
        const bool may_change = k->kind == KEY_PROFILE || k->kind == KEY_PROFILES;
        size_t known = 0;
        const mapping* profile = may_change ? choose(value, bri_keys_profiles, &known) : NULL;
        const mapping* other = choose(value, k->maps, &known);
        resolve_map(value, other ? other : profile, other ? "" : of);
    }
}

static void resolve_map(node* map, const mapping* keys, const char* above)
{
    pool* memory = &map->in->memory;
    for (size_t i = 0; keys && i < map->count; i++) {
        node* child = map->children[i];
        const map_key k = bri_keys_find(keys, child->key, strlen(child->key), memory);
        const bool is_older = k.name && strcmp(k.name, child->key) != 0;
        const bool stays = !is_older || bri_rename(child, k.name);
        i = stays ? child->index : i - 1; // it, or one before it, may have been removed
        if (k.name && stays) {
            resolve_value(child, &k, bri_quantity_unit(memory, &k, above));
        }
    }
}

void bri_quantity_resolve(node* root, const mapping* const* maps)
{
    size_t known = 0;
    const bool may_be_old = !root->base || root->in->adds_keys;
    if (root->kind == NODE_MAP && (may_be_old || has_quantity(root, false))) {
        resolve_map(root, choose(root, maps, &known), "");
    }
}
