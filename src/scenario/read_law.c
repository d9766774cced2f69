/*
 * Laws and the friction of contacts from a tree; friction from `mu` alone by the rule of br_law_from_mu(), and the
 * vibration of a body on the resulting bristles.
 */
#include <math.h>
#include <string.h>

#include "scenario/mappings.h"
#include "scenario/read_body.h"

enum { MAX_PARAMETERS = 16 };

#define LAW_NAME(kind, name) name,
static const char* const law_names[] = {BR_LAW_LIST(LAW_NAME) NULL};
#undef LAW_NAME

// Tables as they are read.
typedef struct curve_reading {
    number_list v, g, f_v;
} curve_reading;

static const map_key curve_keys[] = {
    KEY("v", NUMBERS, "m/s", IN_NOT_NEGATIVE, REQUIRED, "speeds, increasing from 0: 2 to 64",
        AT(curve_reading, v)),
    KEY("g", NUMBERS, "-", IN_POSITIVE, "mu_c, mu_s, v_s, gamma",
        "steady coefficient g(v) at each, in place of these parameters; beyond the last speed as there",
        AT(curve_reading, g)),
    KEY("f_v", NUMBERS, "-", IN_NOT_NEGATIVE, "sigma2 v",
        "viscous part f_v(v) at each, 0 at rest; beyond the last speed proportional to v",
        AT(curve_reading, f_v))};
static const mapping curve_mapping = MAPPING("curve", curve_keys, curve_reading);
#define CURVE_KEY                                                                                  \
    PLAIN_KEY("curve", MAP, "",                                                                    \
              "sliding friction from tables, with monotone cubics between their nodes (stribeck, " \
              "lugre, elasto-plastic; contacts of patches: g alone)",                              \
              BY_HAND("its memory stays with the law"), MAPS(&curve_mapping))

// Any law accepts the parameters of all: laws are compared by changing the kind alone.
static const map_key law_keys[] = {
    PLAIN_KEY("kind", WORD, REQUIRED, "which law",
              BY_HAND("first: which parameters are required depends on it"), .words = law_names),
    CURVE_KEY};
const mapping bri_keys_law = MAPPING_WITH_LAW("law", law_keys);

#define AXES_NAME(axes, name) name,
static const char* const axes_names[] = {BR_AXES_LIST(AXES_NAME) NULL};
#undef AXES_NAME

static void set_anisotropy_default(void* to)
{
    *(br_anisotropy*)to = br_anisotropy_default();
}

static const map_key anisotropy_keys[] = {
    KEY("ratio", NUMBER, "-", IN(BR_ANISOTROPY_MIN, BR_ANISOTROPY_MAX), REQUIRED,
        "friction along the first axis over that along the second, for which mu holds",
        AT(br_anisotropy, ratio)),
    KEY("angle", NUMBER, "rad", IN_ANY, DEFAULT, "of the first axis from x of the axes",
        AT(br_anisotropy, angle)),
    PLAIN_KEY(
        "axes", WORD, DEFAULT,
        "body: fixed to the patch, in the axes of its contact; ground: to what it slides on, a "
        "table's grain (reduced and ellipsoid: discs and rings only)",
        AT(br_anisotropy, axes), .words = axes_names)};
const mapping bri_keys_anisotropy =
    MAPPING_OF("anisotropy", anisotropy_keys, br_anisotropy, set_anisotropy_default, NULL);

static const map_key friction_keys[] = {
    KEY("mu", NUMBER, "-", IN_POSITIVE, "",
        "sets mu_s = mu_c = mu. Parameters that are not given follow a rule: sigma2 = 0, v_s = 1 mm/s, gamma = 2, "
        "s_ba = 0.9. sigma0: the deflection at break-away, mu/sigma0, is 2 um per mm of the patch's r (a point: "
        "1 mm), at most 50 um. sigma1 = sigma0 T: T = 1 ms under an imposed motion; under a body 2/omega, a damping "
        "ratio of 1, at most 20 ms. omega is the geometric mean of the slowest and the fastest vibration on the "
        "bristles at the largest normal force. v_damping = 2 mu_c/sigma1, so that damping decreases while the contact "
        "slides; where sigma1 is given it is 0, constant damping. bristle check prints the results. mu_c and mu_s "
        "without sigma0 follow the same rule, sigma0 from mu_s",
        BY_HAND("what is not given depends on it")),
    PLAIN_KEY("elasto_plastic", FLAG, "true", "else plain LuGre",
              BY_HAND("chooses the law, with the model")),
    CURVE_KEY,
    PLAIN_KEY("field", MAP, "",
              "where friction is more or less than that: ice, a worn spot, two floors",
              BY_HAND("laws have no struct"), MAPS(&bri_keys_field)),
    PLAIN_KEY(
        "anisotropy", MAP, "",
        "friction that depends on the direction: force, stiffness, damping and sigma2 by the ellipse of "
        "docs/explanation/models.md",
        BY_HAND("beside the parameters of the law, which have no struct of their own"),
        MAPS(&bri_keys_anisotropy))};
const mapping bri_keys_friction = MAPPING_WITH_LAW("friction", friction_keys);

static bool knows(br_law_kind kind, const br_law_parameter* p)
{
    return p->laws >> kind & 1;
}

// The list of a table in `curve`; NULL: it is not given.
static const node* find_table(const node* map, const char* column)
{
    const node* curve = bri_node_find(map, "curve");
    return curve && curve->kind == NODE_MAP ? bri_node_find(curve, column) : NULL;
}

// Does a table give this parameter?
static bool is_in_table(const node* map, const char* name)
{
    static const char* const of_g[] = {"mu", "mu_c", "mu_s", "v_s", "gamma"};
    for (size_t i = 0; i < sizeof of_g / sizeof *of_g; i++) {
        if (strcmp(name, of_g[i]) == 0) {
            return find_table(map, "g") != NULL;
        }
    }
    return strcmp(name, "sigma2") == 0 && find_table(map, "f_v");
}

static void refuse_both(const node* map)
{
    static const char* const names_[] = {"mu", "mu_c", "mu_s", "v_s", "gamma", "sigma2"};
    for (size_t i = 0; i < sizeof names_ / sizeof *names_; i++) {
        const node* given = bri_node_find(map, names_[i]);
        if (given && is_in_table(map, names_[i])) {
            bri_node_fail(given, "has no effect beside the table %s of curve: leave it out",
                          strcmp(names_[i], "sigma2") == 0 ? "f_v" : "g");
        }
    }
}

static bool has_as_many(const node* curve, const char* name, const number_list* table, size_t count)
{
    if (table->at && table->count != count) {
        bri_node_fail(bri_node_find(curve, name), "must have as many numbers as v, %zu; got %zu",
                      count, table->count);
    }
    return !table->at || table->count == count;
}

// `curve` into the law, whose parameters have been read.
static void read_curve(const node* map, br_law* law)
{
    const node* given = bri_node_find(map, "curve");
    curve_reading in = {.v = {NULL, 0}};
    if (!given || !bri_keys_read(given, &curve_mapping, &in)) {
        return;
    }
    refuse_both(map);
    if (law->kind != BR_LAW_STRIBECK && law->kind != BR_LAW_LUGRE &&
        law->kind != BR_LAW_ELASTO_PLASTIC) {
        bri_node_fail(
            given,
            "is for stribeck, lugre, elasto-plastic: friction of %s does not depend on speed",
            br_law_get_name(law->kind));
        return;
    }
    if (!in.g.at && !in.f_v.at) {
        bri_node_fail(given, "must have a table: g, f_v or both");
        return;
    }
    if (!has_as_many(given, "g", &in.g, in.v.count) ||
        !has_as_many(given, "f_v", &in.f_v, in.v.count)) {
        return;
    }
    br_curve* curve = bri_allocate(map->in, 1, sizeof *curve);
    br_reason why = {"", ""};
    if (br_law_set_curve(law, curve, in.v.count, in.v.at, in.g.at, in.f_v.at, &why) != BR_OK) {
        bri_node_fail(given, "%s %s", why.field, why.text);
    }
}

static bool require_law_keys(const node* map, br_law_kind kind, const char* remedy)
{
    const char* keys[MAX_PARAMETERS + 1] = {NULL};
    size_t count = 0;
    const br_law_parameter* p;
    for (size_t i = 0; (p = br_law_get_parameter(i)) && count < MAX_PARAMETERS; i++) {
        if (p->is_required && knows(kind, p) && !is_in_table(map, p->name)) {
            keys[count++] = p->name;
        }
    }
    return bri_node_require_all(map, keys, remedy);
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
        const node* found = bri_node_find(map, p->name);
        const bool is_constant =
            p->offset == offsetof(br_law, v_damping) && found && bri_value_is_infinite(found);
        *field_of(law, p) =
            is_constant ? HUGE_VAL : bri_value_optional(map, p->name, allowed, *field_of(law, p));
    }
}

// The defaults of optional parameters.
static br_law law_by_default(br_law_kind kind)
{
    br_law law = {.kind = kind};
    const br_law_parameter* p;
    for (size_t i = 0; (p = br_law_get_parameter(i)); i++) {
        *field_of(&law, p) = p->default_value;
    }
    return law;
}

// Note the errors that the library finds in a law.
static void check_law(const node* map, const br_law* law)
{
    br_reason why = {"", ""};
    if (br_law_check(law, &why) == BR_OK) {
        return;
    }
    // the library spells v_s out, since papers distinguish v_s and v_S by case alone
    const bool is_v_s = strcmp(why.field, "v_stribeck") == 0;
    bri_node_fail_field(map, is_v_s ? "v_s" : why.field, "%s", why.text);
}

// That a law may inject energy, and by which numbers; NULL if it is always passive.
static char* describe_active(parse_context* in, const br_law* law)
{
    // sigma1 at its bound, as users compute it, is passive
    const double rounding = 1e-9 * law->sigma2;
    if (br_law_passivity_margin(law) >= -rounding) {
        return NULL;
    }
    if (law->curve) {
        return bri_format(in,
                          "may inject energy: passive for sure only if f_v/v >= sigma1 "
                          "(mu_s - g)/g at every speed; somewhere it is %.6g s/m less",
                          -br_law_passivity_margin(law));
    }
    return bri_format(in,
                      "may inject energy: passive for sure only if "
                      "sigma2 >= sigma1 (mu_s - mu_c)/mu_c; here %.6g < %.6g",
                      law->sigma2, law->sigma1 * (law->mu_s - law->mu_c) / law->mu_c);
}

// Changes that would make it passive.
static char* describe_passive(parse_context* in, const br_law* law)
{
    return bri_format(in, "mu_s = mu_c is passive with any sigma1, v_damping = %.3g with this one",
                      BR_LAW_PASSIVE_DAMPING * law->mu_c / law->sigma1);
}

static void warn_if_active(const node* map, const br_law* law)
{
    const char* active = describe_active(map->in, law);
    if (active) {
        bri_warn(map->in, "%s%s; %s", bri_node_place(map), active, describe_passive(map->in, law));
    }
}

void bri_warn_of_coefficients(const node* map)
{
    if (!bri_value_warn_of_percent(bri_node_find(map, "mu")) &&
        !bri_value_warn_of_percent(bri_node_find(map, "mu_c"))) {
        bri_value_warn_of_percent(bri_node_find(map, "mu_s"));
    }
}

br_law bri_read_law(const node* map)
{
    if (map->kind != NODE_MAP) {
        bri_node_fail(map, "must be a map that starts with kind; got %s", bri_node_describe(map));
        return br_law_default(BR_LAW_COULOMB);
    }
    const size_t before = bri_problems(map);
    br_law law = law_by_default(bri_value_required_choice(map, "kind", law_names));
    const bool has_kind = bri_problems(map) == before;
    bri_keys_expect(map, &bri_keys_law);
    if (has_kind) {
        require_law_keys(map, law.kind, NULL);
    }
    read_parameters(map, &law);
    read_curve(map, &law);
    if (bri_problems(map) == before) {
        check_law(map, &law);
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

// Does the rest follow from coefficients: from mu, or from mu_c and mu_s without a stiffness?
static bool follows_from_mu(const node* map, bool has_bristles)
{
    const bool has_both =
        (bri_node_find(map, "mu_c") && bri_node_find(map, "mu_s")) || find_table(map, "g");
    return bri_node_find(map, "mu") || (has_bristles && has_both && !bri_node_find(map, "sigma0"));
}

// mu_s = mu_c = mu, or both as given; other parameters that are not in the file follow later from the patch and the body.
static void read_from_mu(const node* map, friction_input* got)
{
    const node* mu = bri_node_find(map, "mu");
    if (mu && bri_node_find(map, "mu_s") && bri_node_find(map, "mu_c")) {
        bri_node_fail(mu, "has no effect beside mu_c and mu_s: leave it, or one of them, out");
    }
    const br_law_kind kind = got->law.kind;
    got->law = br_law_default(kind);
    got->law.sigma2 = 0;
    if (mu) {
        got->law.mu_c = got->law.mu_s = bri_value_number(mu, RANGE_POSITIVE);
    }
    if (kind == BR_LAW_COULOMB) {
        return;
    }
    const bool damps = !bri_node_find(map, "sigma1");
    got->rule |= bri_node_find(map, "sigma0") ? 0U : BR_RULE_SIGMA0;
    got->rule |= damps ? BR_RULE_SIGMA1 : 0U;
    got->rule |= damps && !bri_node_find(map, "v_damping") ? BR_RULE_V_DAMPING : 0U;
}

// Without a stiffness only coefficients are missing.
static void require_coefficients(const node* map, br_law_kind kind, bool has_bristles)
{
    static const char remedy[] =
        "; mu alone, or mu_s and mu_c, are enough: what is not given follows from them";
    static const char* const both[] = {"mu_s", "mu_c", NULL};
    if (has_bristles && !bri_node_find(map, "sigma0")) {
        bri_node_require_all(map, both, remedy); // there is no table of g
    } else {
        require_law_keys(map, kind, "; or give mu, and what is not given follows from it");
    }
}

friction_input bri_read_friction(const node* map, bool has_bristles)
{
    friction_input got = {
        .from = map, .law = br_law_default(BR_LAW_COULOMB), .anisotropy = br_anisotropy_default()};
    if (!map) {
        return got;
    }
    const size_t before = bri_problems(map);
    if (!bri_keys_expect(map, &bri_keys_friction)) {
        return got;
    }
    got.law = law_by_default(read_kind(map, has_bristles));
    if (follows_from_mu(map, has_bristles)) {
        read_from_mu(map, &got);
    } else {
        require_coefficients(map, got.law.kind, has_bristles);
    }
    read_parameters(map, &got.law);
    if (find_table(map, "f_v")) {
        bri_node_fail(find_table(map, "f_v"),
                      "is for laws at a point: the viscous friction of patches is sigma2 v");
    } else {
        read_curve(map, &got.law);
    }
    got.field = bri_read_field(bri_node_find(map, "field"));
    const node* anisotropy = bri_node_find(map, "anisotropy");
    if (anisotropy) {
        bri_keys_read(anisotropy, &bri_keys_anisotropy, &got.anisotropy);
    }
    if (bri_problems(map) == before) {
        check_law(map, &got.law);
    }
    return got;
}

// --- friction from mu -----------------------------------------------------------------------------

// The turn of a body within the lag of friction: at 0.1 rad a puck leaves its line by some 3 % of its distance.
static const double LARGE_LAG = 0.1, GOOD_LAG = 0.01; // [rad]

static double hertz(br_mode mode)
{
    return mode.omega / (2 * BR_PI);
}

// An imposed motion is given in the axes of the contact: how far these have turned over the ground is not known.
static void refuse_ground(const friction_input* friction)
{
    if (friction->anisotropy.axes == BR_AXES_GROUND) {
        bri_node_fail(
            bri_node_find(bri_node_find(friction->from, "anisotropy"), "axes"),
            "ground is for bodies: an imposed motion is given in the axes of the contact, "
            "and has no angle over the ground; use body");
    }
}

void bri_friction_in_motion(contact_input* contact)
{
    refuse_ground(&contact->friction);
    const double fn = fmax(br_profile_get_largest(&contact->normal_force), 0);
    const double r = br_patch_eval(contact->patch, fn).r;
    const node* from = contact->friction.from;
    br_law* law = &contact->friction.law;
    br_law_complete(law, contact->friction.rule, r, BR_LAW_DAMPING_TIME);
    check_law(from, law);
    warn_if_active(from, law);
    bri_warn_of_coefficients(from);
}

// The friction of all contacts of a body; `rule`: which parameters are to be completed, of br_law_rule.
static br_body_friction* gather(parse_context* in, const br_body* body,
                                const contact_input* contacts, unsigned rule)
{
    br_body_friction* all = bri_allocate(in, body->contact_count, sizeof *all);
    for (size_t i = 0; i < body->contact_count; i++) {
        const friction_input* given = &contacts[i].friction;
        all[i] = (br_body_friction){.law = given->law,
                                    .rule = given->rule & rule,
                                    .patch = contacts[i].patch,
                                    .anisotropy = given->anisotropy};
    }
    return all;
}

// Complete the laws, and find the vibration modes of the body.
static br_modes complete(parse_context* in, const br_body* body, br_body_friction* friction)
{
    br_modes modes = {{0, 0}, {0, 0}};
    if (br_body_complete_friction(body, friction, &modes, NULL) != BR_OK) {
        bri_no_memory(in);
    }
    return modes;
}

// The modes with the laws as they are.
static br_modes modes_of(parse_context* in, const br_body* body, const contact_input* contacts)
{
    return complete(in, body, gather(in, body, contacts, 0));
}

// Has a contact before this one the same friction, so that its warnings have been given?
static bool is_reported(const contact_input* contacts, size_t i)
{
    for (size_t before = 0; before < i; before++) {
        if (contacts[before].friction.from == contacts[i].friction.from) {
            return true;
        }
    }
    return false;
}

// Warn of a law that may inject energy, with the damping that it gives and that of a passive one.
static void warn_if_active_on_body(const br_body* body, contact_input* contacts, size_t i)
{
    br_law* law = &contacts[i].friction.law;
    parse_context* in = contacts[i].from->in;
    const char* active = describe_active(in, law);
    if (!active || !bri_may_warn(in) || is_reported(contacts, i)) {
        return;
    }
    const double sigma1 = law->sigma1;
    const char* passive = describe_passive(in, law);
    const br_mode now = modes_of(in, body, contacts).slow;
    law->sigma1 = law->sigma2 * law->mu_c / (law->mu_s - law->mu_c);
    const double left = modes_of(in, body, contacts).slow.ratio;
    bri_warn(in,
             "%s%s. Where it sticks, the body vibrates at %.3g Hz with a damping ratio of %.2g; "
             "sigma1 = %.3g would be passive, with a ratio of %.2g; %s",
             bri_node_place(contacts[i].friction.from), active, hertz(now), now.ratio, law->sigma1,
             left, passive);
    law->sigma1 = sigma1;
}

// Bristles of constant damping that turn with a spinning body follow its slip late, which drives it off its line; the
// rule of mu does not use the spin.
static void warn_if_late(const br_body* body, const contact_input* contacts, size_t i)
{
    const friction_input* friction = &contacts[i].friction;
    const double spin = fabs(body->velocity.w);
    const double time = friction->law.sigma1 / friction->law.sigma0;
    const bool fades = friction->law.v_damping > 0 && friction->law.v_damping < HUGE_VAL;
    const bool turns =
        body->contacts[i].frame == BR_FRAME_BODY && (friction->rule & BR_RULE_SIGMA1);
    if (fades || !turns || !(spin * time > LARGE_LAG) || is_reported(contacts, i)) {
        return;
    }
    bri_warn(
        contacts[i].from->in,
        "%sfollows the slip of a body that spins at %.3g rad/s late by sigma1/sigma0 = %.2g s, "
        "%.2g rad, which drives it aside; give sigma1, some %.2g s/m",
        bri_node_place(friction->from), spin, time, spin * time,
        GOOD_LAG / spin * friction->law.sigma0);
}

br_modes bri_friction_on_body(parse_context* in, const br_body* body, contact_input* contacts)
{
    br_body_friction* all = gather(in, body, contacts, BR_RULE_ALL);
    const br_modes modes = complete(in, body, all);
    for (size_t i = 0; i < body->contact_count; i++) {
        contacts[i].friction.law = all[i].law;
        check_law(contacts[i].friction.from, &all[i].law);
    }
    for (size_t i = 0; i < body->contact_count; i++) {
        warn_if_active_on_body(body, contacts, i);
        warn_if_late(body, contacts, i);
        if (!is_reported(contacts, i)) {
            bri_warn_of_coefficients(contacts[i].friction.from);
        }
    }
    return modes;
}

// What the rule gave to a contact; "" if nothing.
static const char* describe_rule(const contact_input* contact)
{
    const friction_input* friction = &contact->friction;
    parse_context* in = contact->from->in;
    if (!(friction->rule & (BR_RULE_SIGMA0 | BR_RULE_SIGMA1))) {
        return "";
    }
    const br_law* law = &friction->law;
    const char* fades = law->v_damping > 0 && law->v_damping < HUGE_VAL
                            ? bri_format(in, ", v_damping %.4g m/s", law->v_damping)
                            : "";
    return bri_format(in,
                      "friction from mu: sigma0 %.4g /m, sigma1 %.4g s/m%s; deflects by %.3g "
                      "m before it slips\n",
                      law->sigma0, law->sigma1, fades, br_law_holding(law, 1.0) / law->sigma0);
}

void bri_friction_write(writer* to, const contact_input* contacts, size_t count)
{
    size_t end;
    for (size_t i = 0; i < count; i = end) {
        const char* text = describe_rule(&contacts[i]);
        for (end = i + 1; end < count && strcmp(text, describe_rule(&contacts[end])) == 0;) {
            end++;
        }
        if (!*text) {
            continue;
        }
        if (end > i + 1) {
            bri_write(to, "  contacts %zu to %zu: %s", i + 1, end, text);
        } else if (count > 1) {
            bri_write(to, "  contact %zu: %s", end, text);
        } else {
            bri_write(to, "  %s", text);
        }
    }
}

const char* bri_friction_modes_text(parse_context* in, const br_modes* modes)
{
    if (!(modes->slow.omega > 0)) {
        return "";
    }
    const char* fast = "";
    if (modes->fast.omega > 1.001 * modes->slow.omega) {
        fast = bri_format(in, ", at %.3g Hz with %.2g", hertz(modes->fast), modes->fast.ratio);
    }
    return bri_format(in,
                      "  while it sticks, the body vibrates at %.3g Hz with a damping ratio of "
                      "%.2g%s\n",
                      hertz(modes->slow), modes->slow.ratio, fast);
}
