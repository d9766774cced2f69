/*
 * A contact within the derivatives of a step (gradient_link.h).
 */
#include "planar/gradient_link.h"

static const vector3 none = {{0.0, 0.0, 0.0}};

// --- memory -----------------------------------------------------------------------------------------------------

enum { STATE_BLOCKS = 5, DECAY_BLOCKS = 2 };

static size_t doubles_of_link(void)
{
    return (sizeof(gradient_link) + sizeof(double) - 1) / sizeof(double);
}

size_t bri_gradient_links_size(const br_step_contact* contacts, size_t count)
{
    size_t sum = count * doubles_of_link();
    for (size_t i = 0; i < count; i++) {
        const br_contact* c = contacts[i].contact;
        sum += STATE_BLOCKS * contact_states(c) + DECAY_BLOCKS * contact_decays(c);
    }
    return sum;
}

static gradient_link link_of(const br_step_contact* contact)
{
    const br_contact* c = contact->contact;
    const map2 turn = map2_of_axes(axes_of(contact->angle)), m = map2_multiply(c->map, turn);
    const br_vec2 arm = contact->arm;
    const double count = contact->count > 0 ? (double)contact->count : 1.0;
    return (gradient_link){.contact = contact,
                           .model = c,
                           .turn = turn,
                           .map = m,
                           .jacobian = {{{m.xx, m.xy, m.xy * arm.x - m.xx * arm.y},
                                         {m.yx, m.yy, m.yy * arm.x - m.yx * arm.y},
                                         {0.0, 0.0, 1.0}}},
                           .count = count,
                           .weight = count * contact->fn,
                           .z0 = contact->z};
}

gradient_link* bri_gradient_links(const br_step_contact* contacts, size_t count, double* work)
{
    gradient_link* links = (gradient_link*)work;
    double* at = work + count * doubles_of_link();
    for (size_t i = 0; i < count; i++) {
        gradient_link* l = &links[i];
        *l = link_of(&contacts[i]);
        const size_t states = contact_states(l->model), decays = contact_decays(l->model);
        double** const blocks[STATE_BLOCKS] = {&l->at_newton, &l->middle, &l->start, &l->between,
                                               &l->spare};
        for (int k = 0; k < STATE_BLOCKS; k++, at += states) {
            *blocks[k] = at;
        }
        l->decays = at;
        l->cache = at + decays;
        at += DECAY_BLOCKS * decays;
    }
    return links;
}

// --- passes -----------------------------------------------------------------------------------------------------

// V - ground
static vector3 slip_of(const gradient_link* l, vector3 v)
{
    return vector3_mix(1.0, v, -1.0, vector_of(l->contact->ground));
}

// A pass at the twist v, with decays of the twist `at`.
static gradient_pass pass_of(const gradient_link* l, vector3 at, vector3 v, const double* z1,
                             double h)
{
    const vector3 at_cop = mat3_apply(&l->jacobian, slip_of(l, at));
    const vector3 v_cop = mat3_apply(&l->jacobian, slip_of(l, v));
    gradient_pass in = {.z0 = l->z0, .z1 = z1, .h = h};
    memcpy(in.at, at_cop.at, sizeof in.at);
    memcpy(in.v, v_cop.at, sizeof in.v);
    return in;
}

// Fb = -fn M f_bar - w J g
static void put_force_adjoint(const gradient_link* l, vector3 g, gradient_pass* in)
{
    const vector3 own = gradient_enter(l->model, l->contact->fn, l->f_bar);
    const vector3 at = mat3_apply(&l->jacobian, g);
    for (int i = 0; i < 3; i++) {
        in->Fb[i] = own.at[i] - l->weight * at.at[i];
    }
}

// The pass over the end of a stage.
static gradient_pass end_pass(gradient_link* l, const gradient_stage* s, vector3 g)
{
    const int by_law = gradient_by_law(s);
    gradient_pass in = by_law ? pass_of(l, s->v1, s->v1, l->z1, s->h)
                              : pass_of(l, s->newton, s->v1, l->at_newton, s->h);
    in.limited = gradient_is_limited(s);
    in.memo = l->memo;
    in.zb = l->z1_bar;
    put_force_adjoint(l, g, &in);
    return in;
}

// Forwards it comes before the passes over the end, backwards after them: they share the memo.
static gradient_pass newton_pass(gradient_link* l, const gradient_stage* s)
{
    gradient_pass in = pass_of(l, s->newton, s->newton, l->at_newton, s->h);
    in.memo = l->memo;
    return in;
}

// Newton's equations: those of the law; bristles that stick were found with the damping at rest.
static kernel_law newton_law(const gradient_link* l, const gradient_stage* s)
{
    kernel_law law = l->model->law;
    law.per_d2 = s->closing == BR_CLOSED_STUCK ? 0.0 : law.per_d2;
    return law;
}

void bri_gradient_close_states(const gradient_link* l, const gradient_stage* s, vector3 at,
                               vector3 v, int limited, double* z1)
{
    const br_contact* c = l->model;
    const gradient_pass in = pass_of(l, at, v, NULL, s->h);
    kernel_step step = {
        .z = l->z0, .v = {in.at[0], in.at[1], in.at[2]}, .h = s->h, .decay_cache = l->cache};
    kernel_force force;
    kernel_closed closed;
    memset(l->cache, 0, contact_decays(c) * sizeof *l->cache);
    if (contact_is_reduced(c)) {
        bri_reduced_pass(c, &step, &force);
    } else {
        c->kernel->pass(&c->parts, &c->law, &step, &force);
    }
    memcpy(step.v, in.v, sizeof step.v);
    if (contact_is_reduced(c)) {
        c->kernel->reduced->close(&c->look, &c->law, &step, limited && c->def.guard, z1, &closed);
    } else {
        c->kernel->close(&c->parts, &c->law, &step, limited, z1, &closed);
    }
}

void bri_gradient_add_tangent(const gradient_link* l, const gradient_tangent* found, double factor,
                              mat3* k)
{
    mat3 slope;
    memcpy(slope.at, found->F_v, sizeof slope.at);
    mat3_add_congruent(k, factor * l->weight, &l->jacobian, &slope);
}

// --- backwards --------------------------------------------------------------------------------------------------

void bri_gradient_no_adjoint(br_step_contact_adjoint* a)
{
    a->fn = a->angle = a->length = 0.0;
    a->arm = (br_vec2){0.0, 0.0};
    a->ground = (br_twist){0.0, 0.0, 0.0};
    memset(a->law, 0, sizeof a->law);
}

static vector3 slope_transposed(const double m[3][3], vector3 x)
{
    mat3 copy;
    memcpy(copy.at, m, sizeof copy.at);
    return mat3_apply_transposed(&copy, x);
}

// How b.(J u) depends on arm and angle: J = map (1 arm), d(map)/d(angle) = M P R, P the quarter turn back
static void add_position(const gradient_link* l, vector3 b, vector3 u, br_step_contact_adjoint* a)
{
    const br_vec2 flat = {b.at[0], b.at[1]}, by = map2_apply_transposed(l->map, flat);
    const br_vec2 own = map2_apply_transposed(l->model->map, flat);
    const br_vec2 at = l->contact->arm;
    const br_vec2 v = {u.at[0] - u.at[2] * at.y, u.at[1] + u.at[2] * at.x};
    const br_vec2 turned = map2_apply(l->turn, v);
    a->arm.x += u.at[2] * by.y;
    a->arm.y -= u.at[2] * by.x;
    a->angle += own.x * turned.y - own.y * turned.x;
}

// What the resistance `found` at the twist v and its multiplier g give fn, arm, angle and ground. vb is the adjoint of the twist at the CoP
// with the multiplier `before`.
static void add_resisting(const gradient_link* l, const gradient_tangent* found, const double vb[3],
                          vector3 v, vector3 before, vector3 g, br_step_contact_adjoint* a)
{
    const vector3 F = vector_from(found->F), at = mat3_apply(&l->jacobian, g);
    const vector3 more = mat3_apply(&l->jacobian, vector3_mix(1.0, g, -1.0, before));
    const vector3 back = slope_transposed(found->F_v, more);
    const vector3 by_v = vector3_mix(1.0, vector_from(vb), -l->weight, back);
    const vector3 ground = mat3_apply_transposed(&l->jacobian, by_v);
    a->fn -= l->count * vector3_dot(F, at);
    add_position(l, by_v, slip_of(l, v), a);
    add_position(l, scaled(-l->weight, F), g, a);
    a->ground.vx -= ground.at[0];
    a->ground.vy -= ground.at[1];
    a->ground.w -= ground.at[2];
}

static void add_law(const gradient_sums* sums, br_step_contact_adjoint* a, double* h_bar)
{
    for (int k = 0; k < BR_BY_COUNT; k++) {
        a->law[k] += sums->law[k];
    }
    a->length += sums->length;
    *h_bar += sums->h;
}

// What a patch that follows the normal force adds to its adjoint at the end of a stage: Fb.dF + zb.dz1, at constant twists.
static double following(gradient_link* l, const gradient_stage* s, const gradient_pass* in)
{
    const kernel_law* law = &l->model->law;
    double F_dot[3], sum = 0.0;
    gradient_direction d = {.fn = 1.0, .slopes = l->slopes, .inner = &sum};
    if (gradient_by_law(s)) {
        bri_gradient_forward(l->model, law, in, &d, NULL, F_dot);
    } else {
        bri_gradient_decays_forward(l->model, law, in, &d, l->cache);
        bri_gradient_close_forward(l->model, law, in, &d, l->cache, NULL, F_dot);
    }
    return sum + vec3_dot(in->Fb, F_dot);
}

unsigned bri_gradient_link_begin(gradient_link* l, const gradient_stage* s)
{
    if (!gradient_by_law(s)) {
        bri_gradient_close_states(l, s, s->newton, s->newton, 0, l->at_newton);
    }
    const gradient_pass in = end_pass(l, s, l->g);
    (gradient_by_law(s) ? bri_gradient_begin : bri_gradient_close_begin)(l->model, &l->model->law,
                                                                         &in, &l->found);
    return l->found.kinks || (l->slopes && l->slopes->kink) ? BR_GRADIENT_KINK : 0u;
}

void bri_gradient_link_end(gradient_link* l, const gradient_stage* s, vector3 g, int laws,
                           br_step_contact_adjoint* a, double* h_bar)
{
    const vector3 own = gradient_enter(l->model, l->contact->fn, l->f_bar);
    const gradient_pass in = end_pass(l, s, g);
    const kernel_law* law = &l->model->law;
    gradient_sums sums = {.h = 0.0};
    a->fn += vector3_dot(own, vector_from(l->found.F)) / l->contact->fn;
    a->fn += l->slopes ? following(l, s, &in) : 0.0; // before z1_bar may be overwritten
    add_resisting(l, &l->found, l->found.vb, s->v1, l->g, g, a);
    if (!gradient_by_law(s)) {
        bri_gradient_close_end(l->model, law, &in, l->z0_bar, l->decays, &sums);
        bri_gradient_decays(l->model, law, &in, l->decays, l->newton_vb, l->z0_bar, &sums);
    } else if (l->z0_bar || laws) {
        bri_gradient_end(l->model, law, &in, l->z0_bar, laws, &sums);
    }
    add_law(&sums, a, h_bar);
}

void bri_gradient_link_press(const gradient_link* l, const gradient_stage* s, vector3 g,
                             br_step_contact_adjoint* a)
{
    const gradient_pass in = pass_of(l, s->v1, s->v1, NULL, s->h);
    const vector3 Fb = gradient_enter(l->model, 1.0, l->f_bar), at = mat3_apply(&l->jacobian, g);
    double F[3];
    bri_gradient_pressed(l->model, l->z0, in.v, s->h, F);
    for (int i = 0; i < 3; i++) {
        a->fn += (Fb.at[i] - l->count * at.at[i]) * F[i];
    }
    if (l->z0_bar) {
        memset(l->z0_bar, 0, contact_states(l->model) * sizeof *l->z0_bar);
    }
}

void bri_gradient_newton_begin(gradient_link* l, const gradient_stage* s)
{
    const kernel_law law = newton_law(l, s);
    const gradient_pass in = newton_pass(l, s);
    bri_gradient_begin(l->model, &law, &in, &l->newton);
}

void bri_gradient_newton_end(gradient_link* l, const gradient_stage* s, vector3 g,
                             br_step_contact_adjoint* a, double* h_bar)
{
    const kernel_law law = newton_law(l, s);
    const vector3 at = mat3_apply(&l->jacobian, g);
    gradient_pass in = newton_pass(l, s);
    gradient_sums sums = {.h = 0.0};
    for (int j = 0; j < 3; j++) {
        in.Fb[j] = -l->weight * at.at[j];
    }
    if (l->slopes) {
        double F_dot[3];
        const gradient_direction d = {.fn = 1.0, .slopes = l->slopes};
        bri_gradient_forward(l->model, &law, &in, &d, NULL, F_dot);
        a->fn += vec3_dot(in.Fb, F_dot);
    }
    add_resisting(l, &l->newton, l->newton_vb, s->newton, none, g, a);
    bri_gradient_end(l->model, &law, &in, l->spare, 1, &sums);
    for (size_t j = 0; j < contact_states(l->model); j++) {
        l->z0_bar[j] += l->spare[j];
    }
    add_law(&sums, a, h_bar);
}

// --- forwards ---------------------------------------------------------------------------------------------------

// dJ u along a direction of arm and angle
static vector3 moved_by_position(const gradient_link* l, vector3 u, br_vec2 arm, double angle)
{
    const br_vec2 at = l->contact->arm;
    const br_vec2 v = {u.at[0] - u.at[2] * at.y, u.at[1] + u.at[2] * at.x};
    const br_vec2 turned = map2_apply(l->turn, v);
    const br_vec2 by_angle =
        map2_apply(l->model->map, (br_vec2){angle * turned.y, -angle * turned.x});
    const br_vec2 by_arm = map2_apply(l->map, (br_vec2){-u.at[2] * arm.y, u.at[2] * arm.x});
    return (vector3){{by_angle.x + by_arm.x, by_angle.y + by_arm.y, 0.0}};
}

// dJ^T f
static vector3 turned_by_position(const gradient_link* l, vector3 f, br_vec2 arm, double angle)
{
    vector3 out;
    for (int i = 0; i < 3; i++) {
        vector3 unit = none;
        unit.at[i] = 1.0;
        out.at[i] = vector3_dot(f, moved_by_position(l, unit, arm, angle));
    }
    return out;
}

// The direction of the twist v at the CoP.
static gradient_direction direction_of(const gradient_link* l, vector3 v, vector3 v_dot, double h,
                                       const br_step_contact_tangent* t)
{
    gradient_direction d = {
        .h = h, .length = t->length, .z0 = l->z0_dot, .fn = t->fn, .slopes = l->slopes};
    const vector3 slip = vector3_mix(1.0, v_dot, -1.0, vector_of(t->ground));
    const vector3 moved = moved_by_position(l, slip_of(l, v), t->arm, t->angle);
    const vector3 at = vector3_mix(1.0, mat3_apply(&l->jacobian, slip), 1.0, moved);
    memcpy(d.v, at.at, sizeof d.v);
    memcpy(d.law, t->law, sizeof d.law);
    return d;
}

// d(n fn J^T F)
static vector3 resistance_onward(const gradient_link* l, const double F[3], const double F_dot[3],
                                 const br_step_contact_tangent* t)
{
    const vector3 own = mat3_apply_transposed(&l->jacobian, vector_from(F_dot));
    const vector3 moved = turned_by_position(l, vector_from(F), t->arm, t->angle);
    const vector3 pressed = mat3_apply_transposed(&l->jacobian, vector_from(F));
    return vector3_mix(l->weight, vector3_mix(1.0, own, 1.0, moved), l->count * t->fn, pressed);
}

// An open contact that is pressed: its wrench alone, and what it does to the body.
static vector3 press_forward(const gradient_link* l, const gradient_stage* s, double* z1_dot,
                             br_step_contact_tangent* t)
{
    const gradient_pass in = pass_of(l, s->v1, s->v1, NULL, s->h);
    double F[3];
    bri_gradient_pressed(l->model, l->z0, in.v, s->h, F);
    t->f = contact_wrench(l->model, F, t->fn);
    if (z1_dot) {
        memset(z1_dot, 0, contact_states(l->model) * sizeof *z1_dot);
    }
    return scaled(l->count * t->fn, mat3_apply_transposed(&l->jacobian, vector_from(F)));
}

vector3 bri_gradient_link_forward(gradient_link* l, const gradient_stage* s, vector3 v, double h,
                                  double* z1_dot, br_step_contact_tangent* t)
{
    double F_dot[3], f[3];
    if (!gradient_presses(l)) {
        return press_forward(l, s, z1_dot, t);
    }
    const gradient_direction d = direction_of(l, s->v1, v, h, t);
    const gradient_pass in = end_pass(l, s, none);
    if (gradient_by_law(s)) {
        bri_gradient_forward(l->model, &l->model->law, &in, &d, z1_dot, F_dot);
    } else {
        bri_gradient_close_forward(l->model, &l->model->law, &in, &d, l->decays, z1_dot, F_dot);
    }
    for (int j = 0; j < 3; j++) {
        f[j] = l->contact->fn * F_dot[j] + t->fn * l->found.F[j];
    }
    t->f = contact_wrench(l->model, f, 1.0);
    return resistance_onward(l, l->found.F, F_dot, t);
}

vector3 bri_gradient_newton_forward(gradient_link* l, const gradient_stage* s, double h,
                                    const br_step_contact_tangent* t)
{
    const kernel_law law = newton_law(l, s);
    bri_gradient_close_states(l, s, s->newton, s->newton, 0, l->at_newton);
    const gradient_pass in = newton_pass(l, s);
    const gradient_direction d = direction_of(l, s->newton, none, h, t);
    double F_dot[3];
    bri_gradient_begin(l->model, &law, &in, &l->newton);
    bri_gradient_forward(l->model, &law, &in, &d, NULL, F_dot);
    return resistance_onward(l, l->newton.F, F_dot, t);
}

void bri_gradient_decays_onward(gradient_link* l, const gradient_stage* s, vector3 v, double h,
                                const br_step_contact_tangent* t)
{
    const gradient_pass in = end_pass(l, s, none);
    const gradient_direction d = direction_of(l, s->newton, v, h, t);
    bri_gradient_decays_forward(l->model, &l->model->law, &in, &d, l->decays);
}
