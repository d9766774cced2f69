/*
 * A step of contacts in planes of their own, on any number of bodies that a host owns.
 *
 *   V = u + h A f,    f_k = -J_k^T n_k fn_k F_k(J_k V_k),    k = 0..n-1
 *
 * A = G G^T by Cholesky's factor with pivots, and then the stage of a body with r = rank A unknowns
 * instead of three: at most six for one free body, however many contacts it has.
 */
#include "planar/step_stage.h"

enum {
    PASSES = 120
}; // three unknowns need 40 at most; eight contacts in random worlds, three times as many

// Of a pivot, over A's diagonal: below it a twist does not move by itself. Rounding of A is 1e-16
// times the number of sums behind an entry.
static const double least_pivot = 1e-12;

_Static_assert(sizeof(br_twist) == 3 * sizeof(double), "twists are three numbers each, in a row");

size_t br_step_group_get_work(const br_step_contact* contacts, size_t count)
{
    const size_t own = 9 * count * count + 6 * count; // G (3n x 3n), u and u1 (3n)
    return bri_step_work_of(contacts, count) + own + STAGE_WORK(count, 3 * count, count);
}

br_step_group_answer br_step_group_step(const br_step_group* group, const br_twist* u, double h,
                                        br_step_contact* contacts, size_t count, br_wrench* f,
                                        br_twist* u1, double* work)
{
    return br_step_group_step_recorded(group, u, h, contacts, count, f, u1, work, NULL);
}

// Leave a record; the twists are there already.
static void put_record(const stage_result* r, const double* v1, size_t count,
                       br_step_group_record* record)
{
    memcpy(record->u1, v1, count * sizeof *record->u1);
    record->closing = stage_closing(r);
    record->converged = r->converged && r->follows;
}

br_step_group_answer br_step_group_step_recorded(const br_step_group* group, const br_twist* u,
                                                 double h, br_step_contact* contacts, size_t count,
                                                 br_wrench* f, br_twist* u1, double* work,
                                                 br_step_group_record* record)
{
    BR_ASSERT(group && !(h <= 0.0) && group->passes >= 0);
    BR_ASSERT(count == 0 || (group->inverse_mass && u && contacts && f && work));
    BR_ASSERT(!group->fn_f || group->fn_free);
    BR_ASSERT(!record || count == 0 || (record->u1 && record->newton));
    if (count == 0) {
        return (br_step_group_answer){.converged = 1, .follows = 1};
    }
    const size_t m = 3 * count;
    double* root = bri_step_prepare(contacts, count, work);
    double *v0 = root + m * m, *v1 = v0 + m;
    memcpy(v0, u, count * sizeof *u);
    const size_t rank = cholesky_semi(group->inverse_mass, m, least_pivot, root, v1);
    const stage s = {.moves = {count, rank, m, root},
                     .v0 = v0,
                     .h = h,
                     .passes = group->passes > 0 ? group->passes : PASSES,
                     .fn_f = group->fn_f,
                     .fn_free = group->fn_free,
                     .contacts = contacts,
                     .count = count,
                     .work = work,
                     .algebra = v1 + m,
                     .v1 = v1,
                     .newton = record ? (double*)record->newton : NULL};
    const stage_result r = bri_stage_run(&s);
    if (record) {
        put_record(&r, v1, count, record);
    }
    for (size_t k = 0; k < count; k++) {
        f[k] = bri_step_wrench(&contacts[k], 1);
    }
    if (u1) {
        memcpy(u1, v1, count * sizeof *u1);
    }
    return (br_step_group_answer){.energy = {r.after, r.friction, r.heat},
                                  .rank = rank,
                                  .passes = r.passes,
                                  .converged = r.converged,
                                  .follows = r.follows};
}
