/*
 * Derivatives of a step of a body forwards: br_step_jvp(). The equations are in gradient_body.c.
 */
#include "planar/gradient_link.h"

static const vector3 none = {{0.0, 0.0, 0.0}};

// Directions of a stage: of its start and its end, of its length.
typedef struct stage_direction {
    vector3 v0, v1;
    double h;
} stage_direction;

// M dV0 + h dload - dM (V1 - V0) + dh M (V1 - V0)/h
static vector3 right_of_body(const gradient_task* t, const gradient_stage* s, vector3 v1,
                             const stage_direction* d, const br_step_tangent* io)
{
    const vector3 change = vector3_mix(1.0, v1, -1.0, s->v0);
    const vector3 momentum = mat3_apply(&t->mass, change);
    mat3 by_mass;
    memcpy(by_mass.at, io->mass, sizeof by_mass.at);
    vector3 right = vector3_mix(1.0, mat3_apply(&t->mass, d->v0), s->h, vector_of_wrench(io->load));
    right = vector3_mix(1.0, right, -1.0, mat3_apply(&by_mass, change));
    return vector3_mix(1.0, right, d->h / s->h, momentum);
}

// The direction of Newton's twist, and of the decays there.
static void newton_jvp(const gradient_task* t, const gradient_stage* s,
                       const br_step_contact_tangent* tangents, const stage_direction* d,
                       br_step_tangent* io)
{
    mat3 k = t->mass;
    vector3 right = right_of_body(t, s, s->newton, d, io);
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        if (gradient_presses(l)) {
            const vector3 r = bri_gradient_newton_forward(l, s, d->h, &tangents[i]);
            bri_gradient_add_tangent(l, &l->newton, s->h, &k);
            right = vector3_mix(1.0, right, -s->h, r);
        }
    }
    io->pivot = fmin(io->pivot, bri_gradient_solve(&k, t->body->mass, 0, &right));
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        if (gradient_presses(l)) {
            bri_gradient_decays_onward(l, s, right, d->h, &tangents[i]);
        }
    }
}

// A stage forwards: from d->v0 and the links' z0_dot to d->v1, z1_dot and the wrenches.
static void stage_jvp(const gradient_task* t, const gradient_stage* s,
                      br_step_contact_tangent* tangents, stage_direction* d, br_step_tangent* io)
{
    mat3 k = t->mass;
    if (!gradient_by_law(s)) {
        newton_jvp(t, s, tangents, d, io);
    }
    vector3 right = right_of_body(t, s, s->v1, d, io);
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        if (gradient_presses(l)) {
            io->flags |= bri_gradient_link_begin(l, s);
            bri_gradient_add_tangent(l, &l->found, s->h, &k);
        } else {
            io->flags |= BR_GRADIENT_LIFTED;
        }
        const vector3 r = bri_gradient_link_forward(l, s, none, d->h, NULL, &tangents[i]);
        right = vector3_mix(1.0, right, -s->h, r);
    }
    io->pivot = fmin(io->pivot, bri_gradient_solve(&k, t->body->mass, 0, &right));
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        bri_gradient_link_forward(l, s, right, d->h, l->z1_dot, &tangents[i]);
    }
    d->v1 = right;
}

static void put_directions(const gradient_task* t, const br_step_contact_tangent* tangents)
{
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        l->z0_dot = tangents[i].z0_dot;
        l->z1 = tangents[i].z1;
        l->z1_dot = tangents[i].z1_dot;
        l->slopes = tangents[i].slopes;
    }
}

static void jvp_order_1(const gradient_task* t, const gradient_stage* s,
                        br_step_contact_tangent* tangents, br_step_tangent* io)
{
    stage_direction d = {.v0 = vector_of(io->v0), .h = io->h};
    put_directions(t, tangents);
    stage_jvp(t, s, tangents, &d, io);
    io->v1 = twist_of(d.v1);
    io->mean = twist_of(vector3_mix(0.5, d.v0, 0.5, d.v1));
}

// The first of two stages, to the directions of its end; then where the second starts.
static stage_direction first_forward(const gradient_task* t, const gradient_stage* first,
                                     br_step_contact_tangent* tangents, br_step_tangent* io)
{
    stage_direction d = {.v0 = vector_of(io->v0), .h = gradient_share * io->h};
    bri_gradient_find_middle(t, first);
    put_directions(t, tangents);
    for (size_t i = 0; i < t->count; i++) {
        t->links[i].z1 = t->links[i].middle;
        t->links[i].z1_dot = t->links[i].between;
    }
    stage_jvp(t, first, tangents, &d, io);
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        for (size_t k = 0; k < contact_states(l->model); k++) {
            const double z0 = l->z0_dot ? l->z0_dot[k] : 0.0;
            l->between[k] = z0 + gradient_reach * (l->between[k] - z0);
        }
        l->z0 = l->start;
        l->f_bar = tangents[i].f; // of the first stage, until the mean is formed
    }
    return d;
}

static void jvp_order_2(const gradient_task* t, const gradient_stage* first,
                        const gradient_stage* last, br_step_contact_tangent* tangents,
                        br_step_tangent* io)
{
    const double share = gradient_share, reach = gradient_reach;
    const stage_direction y = first_forward(t, first, tangents, io);
    stage_direction d = {.v0 = vector3_mix(1.0 - reach, y.v0, reach, y.v1), .h = share * io->h};
    put_directions(t, tangents);
    for (size_t i = 0; i < t->count; i++) {
        t->links[i].z0_dot = t->links[i].between;
    }
    stage_jvp(t, last, tangents, &d, io);
    for (size_t i = 0; i < t->count; i++) {
        const br_wrench f = part_of(1.0 - share, t->links[i].f_bar);
        const br_wrench more = part_of(share, tangents[i].f);
        tangents[i].f = (br_wrench){f.fx + more.fx, f.fy + more.fy, f.tau + more.tau};
    }
    io->v1 = twist_of(d.v1);
    io->mean = twist_of(vector3_mix(1.0 - share, y.v1, share, d.v1));
}

void br_step_jvp(const br_step_body* body, const br_step_record* record, br_wrench load, double h,
                 const br_step_contact* contacts, br_step_contact_tangent* tangents, size_t count,
                 br_step_tangent* io, double* work)
{
    BR_ASSERT(body && record && !(h <= 0.0) && io);
    BR_ASSERT(count == 0 || (contacts && tangents && work));
    (void)load; // the balance has it
    const gradient_task t = bri_gradient_task_of(body, contacts, count, work);
    const gradient_stage last = bri_gradient_last_stage(record, h),
                         first = bri_gradient_first_stage(record, h);
    io->pivot = HUGE_VAL;
    io->flags = 0;
    if (record->order == 2) {
        jvp_order_2(&t, &first, &last, tangents, io);
    } else {
        jvp_order_1(&t, &last, tangents, io);
    }
    io->flags |= bri_gradient_flags_of(record, io->pivot);
}
