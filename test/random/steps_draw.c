/*
 * Random numbers, laws and contacts of steps.c, and the checks of what a step returned.
 */
#include "steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// --- random numbers -------------------------------------------------------------------------------

// splitmix64, so that a seed means the same everywhere
double draw_unit(uint64_t* seed)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return (double)(x >> 11) * 0x1p-53;
}

bool draw_chance(uint64_t* seed, double probability)
{
    return draw_unit(seed) < probability;
}

static const struct range {
    double low[2], high[2]; // of doubles, of floats
    bool zero;
} ranges[RANGE_COUNT] = {
#define RANGE_ROW(name, text, unit, low, high, zero, low_float, high_float)                        \
    {{low, low_float}, {high, high_float}, zero},
    RANGE_LIST(RANGE_ROW)
#undef RANGE_ROW
};

double draw(uint64_t* seed, range_name which, bool narrow)
{
    const struct range* r = &ranges[which];
    if (r->zero && draw_chance(seed, 0.1)) {
        return 0.0;
    }
    return r->low[narrow] * pow(r->high[narrow] / r->low[narrow], draw_unit(seed));
}

double draw_signed(uint64_t* seed, range_name which, bool narrow)
{
    const double size = draw(seed, which, narrow);
    return draw_chance(seed, 0.5) ? size : -size;
}

// The rim is as fast as the centre, unless one of them rests.
br_twist draw_twist(uint64_t* seed, double length, bool narrow)
{
    const double speed = draw(seed, RANGE_SPEED, narrow), angle = 2.0 * BR_PI * draw_unit(seed);
    const double moves = draw_chance(seed, 0.2) ? 0.0 : speed;
    const double spins = draw_chance(seed, 0.2) ? 0.0 : speed * (2.0 * draw_unit(seed) - 1.0);
    return (br_twist){moves * cos(angle), moves * sin(angle), spins / length};
}

br_law draw_law(uint64_t* seed, br_law_kind kind, bool narrow)
{
    br_law law = br_law_default(kind);
    law.mu_c = draw(seed, RANGE_MU_C, narrow);
    law.mu_s = law.mu_c * draw(seed, RANGE_MU_RATIO, narrow);
    law.v_stribeck = draw(seed, RANGE_V_S, narrow);
    law.gamma = draw_chance(seed, 0.5) ? 2.0 : draw(seed, RANGE_GAMMA, narrow);
    law.sigma0 = draw(seed, RANGE_SIGMA0, narrow);
    law.sigma1 = draw(seed, RANGE_SIGMA1, narrow);
    law.sigma2 = draw(seed, RANGE_SIGMA2, narrow);
    law.s_ba = 1.0 - draw(seed, RANGE_S_BA, narrow);
    law.v_damping = draw(seed, RANGE_V_D, narrow);
    return law;
}

// --- random contacts ------------------------------------------------------------------------------

static _Noreturn void give_up(const char* what, const br_reason* why)
{
    fprintf(stderr, "steps: %s: %s: %s\n", what, why->field, why->text);
    exit(1);
}

static br_patch* draw_patch(uint64_t* seed, double length)
{
    static const br_shape shapes[] = {BR_SHAPE_DISC, BR_SHAPE_RECTANGLE, BR_SHAPE_LINE,
                                      BR_SHAPE_RING, BR_SHAPE_ELLIPSE};
    br_patch_def def = br_patch_def_default();
    def.shape = shapes[(int)(draw_unit(seed) * 5.0)];
    def.radius = br_by_force_constant(0.5 * length);
    def.size_x = def.length = length;
    def.size_y = length * (0.1 + 0.9 * draw_unit(seed));
    def.ratio = 0.2 + draw_unit(seed);
    def.angle = 6.0 * draw_unit(seed) - 3.0;
    if (def.shape != BR_SHAPE_RING && draw_chance(seed, 0.4)) {
        def.pressure = BR_PRESSURE_LINEAR;
        def.from = draw_unit(seed), def.to = 1.0;
    }
    br_patch* patch = NULL;
    br_reason why;
    if (br_patch_create(&def, &patch, &why) != BR_OK) {
        give_up("a patch", &why);
    }
    return patch;
}

// Tables take milliseconds: some of each kind are shared by all episodes.
enum { TABLES = 6 };
static br_limit* tables[2][TABLES];

static const br_limit* shared_table(bool smooth, int index)
{
    br_limit** at = &tables[smooth][index];
    if (!*at) {
        uint64_t seed = 77 + (uint64_t)index;
        br_patch* patch = draw_patch(&seed, draw(&seed, RANGE_LENGTH, false));
        br_limit_def def = br_limit_def_default();
        br_reason why;
        def.patch = patch;
        def.method = smooth ? BR_LIMIT_SMOOTH : BR_LIMIT_BILINEAR;
        if (br_limit_create(&def, at, &why) != BR_OK) {
            give_up("a table", &why);
        }
        br_patch_destroy(patch);
    }
    return *at;
}

void destroy_shared(void)
{
    for (int i = 0; i < 2 * TABLES; i++) {
        br_limit_destroy(tables[i / TABLES][i % TABLES]);
    }
}

static br_contact* create(br_contact_def* def, bool plain)
{
    br_contact* contact = NULL;
    br_reason why;
    def->plain = plain;
    if (br_contact_create(def, &contact, &why) != BR_OK) {
        give_up("a contact", &why);
    }
    return contact;
}

static double reach_of(const br_contact* contact)
{
    double reach = br_contact_get_patch_value(contact).r;
    for (size_t i = 0; i < br_contact_get_part_count(contact); i++) {
        const br_contact_part p = br_contact_get_part(contact, i);
        const double own = p.weight > 0.0 ? sqrt(p.xx + p.yy) : 0.0;
        reach = fmax(reach, p.weight > 0.0 ? br_vec2_norm(p.position) + own : 0.0);
    }
    return reach;
}

// Blocks: the largest of unit.planar_bounds. Tables: their error.
static double bound_of(contact_kind kind)
{
    const bool is_table = kind == KIND_SMOOTH || kind == KIND_BILINEAR;
    return kind == KIND_BLOCKS ? 1.003 : is_table ? 1.05 : 1.0;
}

static void set_method(br_contact_def* def, contact_kind kind, uint64_t* seed)
{
    static const br_method methods[KIND_COUNT] = {BR_METHOD_DISTRIBUTED, BR_METHOD_BLOCKS,
                                                  BR_METHOD_ELLIPSOID,   BR_METHOD_REDUCED,
                                                  BR_METHOD_REDUCED,     BR_METHOD_ELLIPSOID};
    def->method = methods[kind];
    if (kind == KIND_CELLS || kind == KIND_BLOCKS) {
        def->resolution = 1 + (size_t)(draw_unit(seed) * (kind == KIND_CELLS ? 9.0 : 4.0));
    }
    if (kind == KIND_SMOOTH || kind == KIND_BILINEAR) {
        def->surface = shared_table(kind == KIND_SMOOTH, (int)(draw_unit(seed) * TABLES));
    }
    if (kind == KIND_STRETCHED) {
        def->anisotropy.ratio = pow(10.0, 2.0 * draw_unit(seed) - 1.0);
        def->anisotropy.angle = 6.0 * draw_unit(seed) - 3.0;
    }
}

twin draw_contact(uint64_t* seed, contact_kind kind, bool guard)
{
    twin t = {.kind = kind, .guard = guard, .length = draw(seed, RANGE_LENGTH, false)};
    t.law = draw_law(seed, draw_chance(seed, 0.4) ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC, false);
    br_contact_def def = br_contact_def_default();
    br_patch* patch = draw_patch(seed, t.length);
    set_method(&def, kind, seed);
    def.patch = def.surface ? NULL : patch;
    def.law = t.law;
    def.guard = guard;
    t.fast = create(&def, false);
    t.plain = create(&def, true);
    t.reach = reach_of(t.fast);
    t.bound = bound_of(kind);
    t.length = def.surface ? t.reach : t.length;
    br_patch_destroy(patch);
    return t;
}

void destroy_twin(twin* t)
{
    br_contact_destroy(t->fast);
    br_contact_destroy(t->plain);
}

// Spins count over the part's own length, r of a reduced contact. Tables bound the force and the torque, each by itself.
double longest_bristle(const twin* t, const double* z)
{
    const size_t n = br_contact_get_part_count(t->fast);
    const bool spins = br_contact_get_state_count(t->fast) == 3 * n;
    const bool is_table = t->kind == KIND_SMOOTH || t->kind == KIND_BILINEAR;
    const double r = br_contact_get_patch_value(t->fast).r;
    double longest = 0.0;
    for (size_t i = 0; i < n; i++) {
        const br_contact_part p = br_contact_get_part(t->fast, i);
        const double own = t->kind == KIND_BLOCKS ? sqrt(p.xx + p.yy) : r;
        const double spin = spins && own > 0.0 ? z[2 * n + i] / own : 0.0;
        const double force = sqrt(z[i] * z[i] + z[n + i] * z[n + i]);
        longest = fmax(longest, is_table ? fmax(force, fabs(spin)) : hypot(force, spin));
    }
    return longest * t->law.sigma0 / (t->law.mu_s * t->bound);
}

// |F| <= fn (mu_s + s |z1 - z0|/h + sigma2 |v|), s <= sigma1, |z1 - z0| <= 2 mu_s/sigma0. Anisotropic friction is up to
// max(1, ratio) times as large, its viscous part up to the square of that.
double largest_force(const twin* t, br_twist v, double fn, double h)
{
    const double ratio = fmax(1.0, br_contact_get_def(t->fast)->anisotropy.ratio);
    const double speed = br_vec2_norm((br_vec2){v.vx, v.vy}) + t->reach * fabs(v.w);
    const double held = t->bound * t->law.mu_s;
    return fn * ratio *
           (held + 2.0 * held * t->law.sigma1 / (h * t->law.sigma0) +
            ratio * t->law.sigma2 * speed);
}

// --- checks ---------------------------------------------------------------------------------------

enum { MOST_MESSAGES = 20 };

static void report(tally* t, const char* what, double value, double most)
{
    if (t->findings++ < MOST_MESSAGES) {
        printf("%s, seed %llu, step %llu: %s %.17g, at most %g\n", t->name,
               (unsigned long long)t->seed, (unsigned long long)t->steps, what, value, most);
    }
}

void note(tally* t, double* worst, double value, double most, const char* what)
{
    *worst = fmax(*worst, value);
    if (!(value <= most)) {
        report(t, what, value, most);
    }
}

void note_finite(tally* t, const double* numbers, size_t count, const char* what)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            report(t, what, numbers[i], HUGE_VAL);
            return;
        }
    }
}
