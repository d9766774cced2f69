/*
 * Is what a step is given well defined? The steps themselves never fail.
 */
#include "planar/step_stage.h"

#include <stdio.h>

// How much the two halves of a mass matrix may differ, over its diagonal: rounding [-].
static const double most_skew = 1e-12;

// 1 if a number keeps its rule; else that goes into `why`.
static int keeps(int kept, const char* field, const char* rule, double got, br_reason* why)
{
    if (!kept) {
        br_reason_set(why, field, "%s, got %g", rule, got);
    }
    return kept;
}

static int are_finite(const char* field, const double* numbers, size_t count, br_reason* why)
{
    size_t i = 0;
    while (i < count && isfinite(numbers[i])) {
        i++;
    }
    return i == count || keeps(0, field, "must be finite", numbers[i], why);
}

// An entry of a mass matrix by itself.
static int entry_is_good(const br_step_body* body, int row, int column, br_reason* why)
{
    char field[32];
    const double entry = body->mass[row][column];
    snprintf(field, sizeof field, "mass[%d][%d]", row, column);
    return are_finite(field, &entry, 1, why) &&
           keeps(row != column || entry > 0.0, field,
                 row == 2 ? "the inertia must be > 0" : "the mass must be > 0", entry, why);
}

// An entry and its twin in the other half.
static int is_symmetric(const br_step_body* body, int row, int column, br_reason* why)
{
    char field[32];
    const double size = sqrt(body->mass[row][row] * body->mass[column][column]);
    const double skew = body->mass[row][column] - body->mass[column][row];
    snprintf(field, sizeof field, "mass[%d][%d]", row, column);
    if (!(fabs(skew) <= most_skew * size)) {
        br_reason_set(why, field, "must be mass[%d][%d]: the matrix is symmetric", column, row);
        return 0;
    }
    return 1;
}

static int mass_is_good(const br_step_body* body, br_reason* why)
{
    int good = 1;
    for (int i = 0; good && i < 9; i++) {
        good = entry_is_good(body, i / 3, i % 3, why);
    }
    good = good && is_symmetric(body, 1, 0, why) && is_symmetric(body, 2, 0, why) &&
           is_symmetric(body, 2, 1, why);
    mat3 m, root;
    memcpy(m.at, body->mass, sizeof m.at);
    if (good && !mat3_cholesky(m, &root)) {
        br_reason_set(why, "mass", "must be positive definite: some motion has no kinetic energy");
        return 0;
    }
    return good;
}

static int body_is_good(const br_step_body* body, br_reason* why)
{
    const int order = body->order, passes = body->passes;
    return keeps(order == 1 || order == 2, "order", "must be 1 or 2", order, why) &&
           keeps(passes >= 1, "passes", "must be >= 1", passes, why) && mass_is_good(body, why);
}

// A contact by itself; `why` names its own fields.
static int numbers_are_good(const br_step_contact* c, br_reason* why)
{
    const size_t states = br_contact_get_state_count(c->contact);
    if (!c->z) {
        br_reason_set(why, "z", "is missing: %zu doubles, all 0 at first", states);
    }
    return c->z && are_finite("arm", (const double[2]){c->arm.x, c->arm.y}, 2, why) &&
           are_finite("angle", &c->angle, 1, why) &&
           are_finite("ground", (const double[3]){c->ground.vx, c->ground.vy, c->ground.w}, 3,
                      why) &&
           keeps(c->fn >= 0.0 && isfinite(c->fn), "fn", "must be finite and >= 0", c->fn, why) &&
           are_finite("z", c->z, states, why);
}

static int contact_is_good(const br_step_contact* c, size_t index, br_reason* why)
{
    br_reason own;
    char field[sizeof own.field + 32];
    if (!c->contact) {
        snprintf(field, sizeof field, "contacts[%zu]", index);
        br_reason_set(why, field, "has no contact: set it");
        return 0;
    }
    const int good = numbers_are_good(c, &own);
    if (!good) {
        snprintf(field, sizeof field, "contacts[%zu].%s", index, own.field);
        br_reason_set(why, field, "%s", own.text);
    }
    return good;
}

br_status br_step_check(const br_step_body* body, br_twist v, br_wrench load, double h,
                        const br_step_contact* contacts, size_t count, br_reason* why)
{
    if (body && !body_is_good(body, why)) {
        return BR_ERR_DEF;
    }
    if (!are_finite("v", (const double[3]){v.vx, v.vy, v.w}, 3, why) ||
        !are_finite("load", (const double[3]){load.fx, load.fy, load.tau}, 3, why) ||
        !keeps(h > 0.0 && isfinite(h), "h", "must be finite and > 0", h, why)) {
        return BR_ERR_ARG;
    }
    if (count > 0 && !contacts) {
        br_reason_set(why, "contacts", "is missing: %zu contacts", count);
        return BR_ERR_ARG;
    }
    for (size_t i = 0; i < count; i++) {
        if (!contact_is_good(&contacts[i], i, why)) {
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}
