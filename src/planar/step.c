/*
 * Steps of a body with contacts: one implicit stage (order 1), or two (order 2).
 *
 * Order 2 is the stiffly accurate SDIRK method with gamma = 1 - 1/sqrt 2, for twist and bristles:
 *   stage of gamma h from x0 to Y, start s = x0 + (1 + sqrt 2)(Y - x0), stage of gamma h from s to x1
 *   pose += h ((1 - gamma) V_Y + gamma V_1)
 * It may gain a little energy where the motion turns within a step; then order 1 takes over.
 *
 * So it does where a contact closes while the body slides. The bristles come to z_max within the step,
 * with the impulse sigma1 fn z_max. The first stage takes that, s is (1 + sqrt 2) z_max and has taken it
 * (1 + sqrt 2) times, and the second should return what is too much. Damping that is limited so as not
 * to give energy back cannot.
 */
#include "planar/step_stage.h"

static const double share = 0.29289321881345247560; // 1 - 1/sqrt 2
static const double reach = 2.41421356237309504880; // 1 + sqrt 2

br_step_body br_step_body_default(double mass, double inertia)
{
    return (br_step_body){.mass = {{mass, 0.0, 0.0}, {0.0, mass, 0.0}, {0.0, 0.0, inertia}},
                          .order = 1,
                          .passes = 40};
}

size_t br_step_get_work(const br_step_contact* contacts, size_t count)
{
    return bri_step_work_of(contacts, count);
}

// A step: what is asked, in a form that both orders use.
typedef struct task {
    mat3 mass;
    mat3 root; // L of M^-1 = L L^T
    vector3 v0, load;
    double h;
    stage stage;
    br_step_record* record; // NULL: none
} task;

// m |v|^2/2
static double kinetic(const task* t, vector3 v)
{
    return 0.5 * vector3_dot(v, mat3_apply(&t->mass, v));
}

// A stage of the step: what it did, and where it took the twist.
typedef struct stage_end {
    stage_result did;
    vector3 v1;
    vector3 newton; // only for a record
} stage_end;

// Run a stage of length h from v0 on; `part`: as in stage.
static stage_end run_stage(const task* t, vector3 v0, double h, int part)
{
    stage_end end;
    stage s = t->stage;
    vector3 push = mat3_apply_transposed(&t->root, t->load);
    push = vector3_mix(h, push, 0.0, push);
    s.moves = BODY_MOVES(t->root.at[0]);
    s.v0 = v0.at;
    s.push = push.at;
    s.h = h;
    s.part = part;
    s.v1 = end.v1.at;
    s.newton = t->record ? end.newton.at : NULL;
    end.did = bri_stage_run(&s);
    return end;
}

// Leave a record of the last stage; `middle`: of the first of two, NULL if it is the only one.
static void put_record(const task* t, const stage_end* end, const stage_end* middle)
{
    if (!t->record) {
        return;
    }
    *t->record = (br_step_record){.v0 = twist_of(t->v0),
                                  .v1 = twist_of(end->v1),
                                  .newton = twist_of(end->newton),
                                  .closing = stage_closing(&end->did),
                                  .order = middle ? 2 : 1,
                                  .converged = end->did.converged};
    if (middle) {
        t->record->middle = twist_of(middle->v1);
        t->record->middle_newton = twist_of(middle->newton);
        t->record->middle_closing = stage_closing(&middle->did);
        t->record->converged &= middle->did.converged;
    }
}

// One stage of h.
static br_step_result step_order_1(const task* t, br_twist* v)
{
    const stage_end end = run_stage(t, t->v0, t->h, 0);
    put_record(t, &end, NULL);
    const vector3 change = vector3_mix(1.0, end.v1, -1.0, t->v0);
    *v = twist_of(end.v1);
    return (br_step_result){.mean = twist_of(vector3_mix(0.5, t->v0, 0.5, end.v1)),
                            .energy = {.kinetic_before = kinetic(t, t->v0),
                                       .stored_before = end.did.before,
                                       .load = t->h * vector3_dot(t->load, end.v1),
                                       .ground = end.did.ground,
                                       .kinetic_after = kinetic(t, end.v1),
                                       .stored_after = end.did.after,
                                       .dissipated = end.did.heat,
                                       .numerical = kinetic(t, change)},
                            .order = 1,
                            .passes = end.did.passes,
                            .converged = end.did.converged};
}

// The energies of the two stages, `at_y` and `at_end`, the second started at s.
static br_step_ledger balance(const task* t, const stage_end* at_y, vector3 s,
                              const stage_end* at_end, vector3 mean)
{
    // friction = h ((1 - gamma) F_Y.v_Y + gamma F_1.v_1), each stage gives gamma h F.v
    const double friction = (1.0 - share) / share * at_y->did.friction + at_end->did.friction;

    // numerical = ((1 - gamma)(3 gamma - 1)/gamma^2 |V_Y - V0|^2 + |V_1 - s|^2) m/2
    const double first = (1.0 - share) * (3.0 * share - 1.0) / (share * share);
    const vector3 change_y = vector3_mix(1.0, at_y->v1, -1.0, t->v0);
    const vector3 change_end = vector3_mix(1.0, at_end->v1, -1.0, s);
    return (br_step_ledger){.kinetic_before = kinetic(t, t->v0),
                            .stored_before = at_y->did.before,
                            .load = t->h * vector3_dot(t->load, mean),
                            .ground = (1.0 - share) / share * at_y->did.ground + at_end->did.ground,
                            .kinetic_after = kinetic(t, at_end->v1),
                            .stored_after = at_end->did.after,
                            .dissipated = friction - (at_end->did.after - at_y->did.before),
                            .numerical = first * kinetic(t, change_y) + kinetic(t, change_end)};
}

// Did more energy come out than was put in, by more than rounding?
static int gains(const br_step_ledger* e)
{
    const double size = e->kinetic_before + e->stored_before + fabs(e->load) + fabs(e->ground);
    return !(e->dissipated + e->numerical >= -8.0 * DBL_EPSILON * size);
}

// Two stages of gamma h; order 1 instead where that would gain energy or a stage recoils.
static br_step_result step_order_2(const task* t, br_twist* v)
{
    stage copies = t->stage;
    copies.part = 2;
    const stage_end at_y = run_stage(t, t->v0, share * t->h, 1);

    // s = x0 + (1 + sqrt 2) (Y - x0)
    const vector3 s = vector3_mix(1.0 - reach, t->v0, reach, at_y.v1);
    bri_step_reach_states(&copies, reach);
    const stage_end at_end = run_stage(t, s, share * t->h, 2);

    const vector3 mean = vector3_mix(1.0 - share, at_y.v1, share, at_end.v1);
    br_step_result r = {.mean = twist_of(mean),
                        .energy = balance(t, &at_y, s, &at_end, mean),
                        .order = 2,
                        .passes = at_y.did.passes + at_end.did.passes,
                        .converged = at_y.did.converged && at_end.did.converged};
    if (gains(&r.energy) || at_y.did.recoils || at_end.did.recoils) {
        const int passes = r.passes;
        r = step_order_1(t, v);
        r.passes += passes;
        return r;
    }
    bri_step_keep_states(&copies, share);
    put_record(t, &at_end, &at_y);
    *v = twist_of(at_end.v1);
    return r;
}

br_step_result br_step_coupled(const br_step_body* body, br_twist* v, br_wrench load, double h,
                               br_step_contact* contacts, size_t count, double* work)
{
    return br_step_coupled_recorded(body, v, load, h, contacts, count, work, NULL);
}

br_step_result br_step_coupled_recorded(const br_step_body* body, br_twist* v, br_wrench load,
                                        double h, br_step_contact* contacts, size_t count,
                                        double* work, br_step_record* record)
{
    BR_ASSERT(body && v && !(h <= 0.0));
    BR_ASSERT(count == 0 || (contacts && work));
    double algebra[STAGE_WORK(1, 3, 0)];
    task t = {
        .v0 = vector_of(*v), .load = {{load.fx, load.fy, load.tau}}, .h = h, .record = record};
    t.stage = (stage){.passes = body->passes,
                      .contacts = contacts,
                      .count = count,
                      .work = work,
                      .algebra = algebra};
    memcpy(t.mass.at, body->mass, sizeof t.mass.at);
    const mat3 triangle = mat3_semi_root(&t.mass);
    t.root = mat3_inverse_transposed(&triangle);
    bri_step_prepare(contacts, count, work);
    return body->order == 2 ? step_order_2(&t, v) : step_order_1(&t, v);
}
