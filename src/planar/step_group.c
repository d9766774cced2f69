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

// What a step keeps besides the contacts' part and the stage's: G (3n x 3n), u and u1 (3n).
static size_t own_work(size_t count)
{
    return 9 * count * count + 6 * count;
}

size_t br_step_group_get_work(const br_step_contact* contacts, size_t count)
{
    return bri_step_work_of(contacts, count) + own_work(count) +
           STAGE_WORK(count, 3 * count, count);
}

// The wrenches at the twists' points, and the twists at the end.
static void tell(const stage* s, br_wrench* f, br_twist* u1)
{
    for (size_t k = 0; k < s->count; k++) {
        const vector3 at = bri_step_wrench(&s->contacts[k], 1);
        const double* v = s->v1 + 3 * k;
        f[k] = (br_wrench){at.at[0], at.at[1], at.at[2]};
        if (u1) {
            u1[k] = (br_twist){v[0], v[1], v[2]};
        }
    }
}

br_step_group_answer br_step_group_step(const br_step_group* group, const br_twist* u, double h,
                                        br_step_contact* contacts, size_t count, br_wrench* f,
                                        br_twist* u1, double* work)
{
    BR_ASSERT(group && h > 0.0 && group->passes >= 0);
    BR_ASSERT(count == 0 || (group->inverse_mass && u && contacts && f && work));
    BR_ASSERT(!group->fn_f || group->fn_free);
    const size_t m = 3 * count;
    double* root = bri_step_prepare(contacts, count, work);
    double *v0 = root + m * m, *v1 = v0 + m;
    for (size_t k = 0; k < count; k++) {
        memcpy(v0 + 3 * k, (const double[3]){u[k].vx, u[k].vy, u[k].w}, 3 * sizeof *v0);
    }
    const stage_normals normals = {group->fn_f, group->fn_free};
    const size_t rank = cholesky_semi(group->inverse_mass, m, least_pivot, root, v1);
    const stage s = {.moves = {count, rank, m, root},
                     .v0 = v0,
                     .h = h,
                     .passes = group->passes > 0 ? group->passes : PASSES,
                     .normals = group->fn_f ? &normals : NULL,
                     .contacts = contacts,
                     .count = count,
                     .work = work,
                     .algebra = v1 + m,
                     .v1 = v1};
    const stage_result r = bri_stage_run(&s);
    tell(&s, f, u1);
    return (br_step_group_answer){.energy = {r.after, r.friction, r.heat},
                                  .rank = rank,
                                  .passes = r.passes,
                                  .converged = r.converged,
                                  .follows = r.follows};
}
