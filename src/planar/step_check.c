/*
 * Is what a step is given well defined? The steps themselves never fail.
 */
#include "planar/step_stage.h"

#include <stdio.h>

// How much the two halves of a mass matrix may differ, over its diagonal: rounding [-].
static const double most_skew = 1e-12;

static br_status refuse(br_status status, const char* field, const char* text, double got,
                        br_reason* why)
{
    br_reason_set(why, field, "%s, got %g", text, got);
    return status;
}

// Mass and inertia by themselves, then the matrix.
static br_status check_mass(const br_step_body* body, br_reason* why)
{
    mat3 m;
    char field[32];
    memcpy(m.at, body->mass, sizeof m.at);
    for (int i = 0; i < 9; i++) {
        const int row = i / 3, column = i % 3;
        const double entry = m.at[row][column];
        snprintf(field, sizeof field, "mass[%d][%d]", row, column);
        if (!isfinite(entry)) {
            return refuse(BR_ERR_DEF, field, "must be finite", entry, why);
        }
        if (row == column && !(entry > 0.0)) {
            return refuse(BR_ERR_DEF, field,
                          row == 2 ? "the inertia must be > 0" : "the mass must be > 0", entry,
                          why);
        }
    }
    for (int row = 1; row < 3; row++) {
        for (int column = 0; column < row; column++) {
            const double size = sqrt(m.at[row][row] * m.at[column][column]);
            snprintf(field, sizeof field, "mass[%d][%d]", row, column);
            if (!(fabs(m.at[row][column] - m.at[column][row]) <= most_skew * size)) {
                br_reason_set(why, field, "must be mass[%d][%d]: the matrix is symmetric", column,
                              row);
                return BR_ERR_DEF;
            }
        }
    }
    const mat3 root = mat3_semi_root(&m);
    if (!(root.at[0][0] > 0.0 && root.at[1][1] > 0.0 && root.at[2][2] > 0.0)) {
        br_reason_set(why, "mass", "must be positive definite: some motion has no kinetic energy");
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status check_body(const br_step_body* body, br_reason* why)
{
    if (body->order != 1 && body->order != 2) {
        br_reason_set(why, "order", "must be 1 or 2, got %d", body->order);
        return BR_ERR_DEF;
    }
    if (body->passes < 1) {
        br_reason_set(why, "passes", "must be >= 1, got %d", body->passes);
        return BR_ERR_DEF;
    }
    return check_mass(body, why);
}

static br_status check_finite(br_status fault, const char* field, const double* numbers,
                              size_t count, br_reason* why)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) {
            return refuse(fault, field, "must be finite", numbers[i], why);
        }
    }
    return BR_OK;
}

// What is wrong with a contact's numbers; NULL: nothing. `field` and `got` say where.
static const char* fault_of(const br_step_contact* c, const char** field, double* got)
{
    const struct {
        const char *field, *text;
        double got;
        int is_wrong;
    } rules[] = {
        {"arm", "must be finite", c->arm.x, !isfinite(c->arm.x)},
        {"arm", "must be finite", c->arm.y, !isfinite(c->arm.y)},
        {"angle", "must be finite", c->angle, !isfinite(c->angle)},
        {"fn", "must be finite and >= 0", c->fn, !(c->fn >= 0.0 && isfinite(c->fn))},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (rules[i].is_wrong) {
            *field = rules[i].field;
            *got = rules[i].got;
            return rules[i].text;
        }
    }
    return NULL;
}

static br_status check_contact(const br_step_contact* c, size_t index, br_reason* why)
{
    char field[48];
    const char* name;
    double got;
    snprintf(field, sizeof field, "contacts[%zu]", index);
    if (!c->contact) {
        br_reason_set(why, field, "has no contact: set it");
        return BR_ERR_DEF;
    }
    const char* fault = fault_of(c, &name, &got);
    if (fault) {
        snprintf(field, sizeof field, "contacts[%zu].%s", index, name);
        return refuse(BR_ERR_DEF, field, fault, got, why);
    }
    snprintf(field, sizeof field, "contacts[%zu].z", index);
    if (!c->z) {
        br_reason_set(why, field, "is missing: %zu doubles, all 0 at first",
                      br_contact_get_state_count(c->contact));
        return BR_ERR_DEF;
    }
    return check_finite(BR_ERR_DEF, field, c->z, br_contact_get_state_count(c->contact), why);
}

br_status br_step_check(const br_step_body* body, br_twist v, br_wrench load, double h,
                        const br_step_contact* contacts, size_t count, br_reason* why)
{
    br_status status = body ? check_body(body, why) : BR_OK;
    if (status == BR_OK) {
        status = check_finite(BR_ERR_ARG, "v", (const double[3]){v.vx, v.vy, v.w}, 3, why);
    }
    if (status == BR_OK) {
        status =
            check_finite(BR_ERR_ARG, "load", (const double[3]){load.fx, load.fy, load.tau}, 3, why);
    }
    if (status == BR_OK && !(h > 0.0 && isfinite(h))) {
        status = refuse(BR_ERR_ARG, "h", "must be finite and > 0", h, why);
    }
    if (status == BR_OK && count > 0 && !contacts) {
        br_reason_set(why, "contacts", "is missing: %zu contacts", count);
        status = BR_ERR_ARG;
    }
    for (size_t i = 0; status == BR_OK && i < count; i++) {
        status = check_contact(&contacts[i], i, why);
    }
    return status;
}
