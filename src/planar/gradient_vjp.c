/*
 * Derivatives of a step of a body backwards: br_step_vjp(). The equations are in gradient_body.c.
 */
#include "planar/gradient_link.h"

static void no_body_adjoint(br_step_adjoint* io)
{
    io->v0 = (br_twist){0.0, 0.0, 0.0};
    io->load = (br_wrench){0.0, 0.0, 0.0};
    memset(io->mass, 0, sizeof io->mass);
    io->h = 0.0;
    io->pivot = HUGE_VAL;
    io->flags = 0;
}

// What the balance of a stage from v0 to v1 with the multiplier lambda gives the body.
static void add_balance(const gradient_task* t, const gradient_stage* s, vector3 v1, vector3 lambda,
                        br_step_adjoint* io)
{
    const vector3 change = vector3_mix(1.0, v1, -1.0, s->v0);
    const vector3 momentum = mat3_apply(&t->mass, change);
    io->load.fx += s->h * lambda.at[0];
    io->load.fy += s->h * lambda.at[1];
    io->load.tau += s->h * lambda.at[2];
    io->h += vector3_dot(lambda, momentum) / s->h;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            io->mass[i][j] -= lambda.at[i] * change.at[j];
        }
    }
}

// sum += J^T vb
static void add_twist_adjoint(const gradient_link* l, const double vb[3], vector3* sum)
{
    *sum = vector3_mix(1.0, *sum, 1.0, mat3_apply_transposed(&l->jacobian, vector_from(vb)));
}

// What Newton's twist is for a stage that was closed with its decays: adds to everything; returns its multiplier.
static vector3 newton_vjp(const gradient_task* t, const gradient_stage* s,
                          br_step_contact_adjoint* adjoints, br_step_adjoint* io)
{
    mat3 k = t->mass;
    vector3 mu = {{0.0, 0.0, 0.0}};
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        if (gradient_presses(l)) {
            bri_gradient_newton_begin(l, s);
            bri_gradient_add_tangent(l, &l->newton, s->h, &k);
            add_twist_adjoint(l, l->newton_vb, &mu);
        }
    }
    io->pivot = fmin(io->pivot, bri_gradient_solve(&k, t->body->mass, 1, &mu));
    add_balance(t, s, s->newton, mu, io);
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        if (gradient_presses(l)) {
            bri_gradient_newton_end(l, s, scaled(s->h, mu), &adjoints[i], &io->h);
        }
    }
    return mu;
}

// A stage backwards, from the adjoint of its end to that of its start.
static vector3 stage_vjp(const gradient_task* t, const gradient_stage* s, vector3 v1_bar,
                         br_step_contact_adjoint* adjoints, br_step_adjoint* io)
{
    mat3 k = t->mass;
    vector3 lambda = v1_bar;
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        if (gradient_presses(l)) {
            io->flags |= bri_gradient_link_begin(l, s);
            bri_gradient_add_tangent(l, &l->found, s->h, &k);
            add_twist_adjoint(l, l->found.vb, &lambda);
        } else {
            io->flags |= BR_GRADIENT_LIFTED;
        }
    }
    io->pivot = fmin(io->pivot, bri_gradient_solve(&k, t->body->mass, 1, &lambda));
    add_balance(t, s, s->v1, lambda, io);
    const vector3 g = scaled(s->h, lambda);
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        if (gradient_presses(l)) {
            bri_gradient_link_end(l, s, g, io->by_law, &adjoints[i], &io->h);
        } else {
            bri_gradient_link_press(l, s, g, &adjoints[i]);
        }
    }
    if (!gradient_by_law(s)) {
        lambda = vector3_mix(1.0, lambda, 1.0, newton_vjp(t, s, adjoints, io));
    }
    return mat3_apply(&t->mass, lambda);
}

// One stage of h.
static vector3 vjp_order_1(const gradient_task* t, const gradient_stage* s, vector3 mean_bar,
                           br_step_contact_adjoint* adjoints, br_step_adjoint* io)
{
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        const br_step_contact_adjoint* a = &adjoints[i];
        l->z1 = a->z1;
        l->z1_bar = a->z1_bar;
        l->z0_bar = a->z0_bar || gradient_by_law(s) ? a->z0_bar : l->between;
        l->f_bar = a->f_bar;
        l->slopes = a->slopes;
    }
    const vector3 v1_bar = vector3_mix(1.0, vector_of(io->v1_bar), 0.5, mean_bar);
    return vector3_mix(1.0, stage_vjp(t, s, v1_bar, adjoints, io), 0.5, mean_bar);
}

// The second of two stages: from the end to where it starts; links then have adjoints of that in `start`, and of the first one's end in
// `between`.
static vector3 vjp_second(const gradient_task* t, const gradient_stage* last, vector3 mean_bar,
                          br_step_contact_adjoint* adjoints, br_step_adjoint* io)
{
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        const br_step_contact_adjoint* a = &adjoints[i];
        l->z0 = l->start;
        l->z1 = a->z1;
        l->z1_bar = a->z1_bar;
        l->z0_bar = l->between;
        l->f_bar = part_of(gradient_share, a->f_bar);
        l->slopes = a->slopes;
    }
    const vector3 v1_bar = vector3_mix(1.0, vector_of(io->v1_bar), gradient_share, mean_bar);
    const vector3 start = stage_vjp(t, last, v1_bar, adjoints, io);
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        const size_t states = contact_states(l->model);
        memcpy(l->start, l->between, states * sizeof *l->start); // no longer needed itself
        for (size_t k = 0; k < states; k++) {
            l->between[k] *= gradient_reach;
        }
    }
    return start;
}

// Two stages: back over the second, then over the first.
static vector3 vjp_order_2(const gradient_task* t, const gradient_stage* first,
                           const gradient_stage* last, vector3 mean_bar,
                           br_step_contact_adjoint* adjoints, br_step_adjoint* io)
{
    bri_gradient_find_middle(t, first);
    const vector3 start = vjp_second(t, last, mean_bar, adjoints, io);
    for (size_t i = 0; i < t->count; i++) {
        gradient_link* l = &t->links[i];
        l->z0 = l->contact->z;
        l->z1 = l->middle;
        l->z1_bar = l->between;
        l->z0_bar = l->between;
        l->f_bar = part_of(1.0 - gradient_share, adjoints[i].f_bar);
    }
    const vector3 middle = vector3_mix(gradient_reach, start, 1.0 - gradient_share, mean_bar);
    const vector3 v0 = stage_vjp(t, first, middle, adjoints, io);
    for (size_t i = 0; i < t->count; i++) {
        const gradient_link* l = &t->links[i];
        double* out = adjoints[i].z0_bar;
        for (size_t k = 0; out && k < contact_states(l->model); k++) {
            out[k] = l->between[k] + (1.0 - gradient_reach) * l->start[k];
        }
    }
    io->h *= gradient_share;
    return vector3_mix(1.0, v0, 1.0 - gradient_reach, start);
}

void br_step_vjp(const br_step_body* body, const br_step_record* record, br_wrench load, double h,
                 const br_step_contact* contacts, br_step_contact_adjoint* adjoints, size_t count,
                 br_step_adjoint* io, double* work)
{
    BR_ASSERT(body && record && !(h <= 0.0) && io);
    BR_ASSERT(count == 0 || (contacts && adjoints && work));
    (void)load; // the balance has it
    const gradient_task t = bri_gradient_task_of(body, contacts, count, work);
    const gradient_stage last = bri_gradient_last_stage(record, h),
                         first = bri_gradient_first_stage(record, h);
    const vector3 mean = vector_of(io->mean_bar);
    no_body_adjoint(io);
    for (size_t i = 0; i < count; i++) {
        bri_gradient_no_adjoint(&adjoints[i]);
    }
    io->v0 = twist_of(record->order == 2 ? vjp_order_2(&t, &first, &last, mean, adjoints, io)
                                         : vjp_order_1(&t, &last, mean, adjoints, io));
    io->flags |= bri_gradient_flags_of(record, io->pivot);
    io->h = io->by_law ? io->h : 0.0;
    for (size_t i = 0; i < count && !io->by_law;
         i++) { // a stage of two twists has them all the same
        memset(adjoints[i].law, 0, sizeof adjoints[i].law);
        adjoints[i].length = 0.0;
    }
}
