/*
 * Derivatives of a step of a body, forwards and backwards.
 *
 *   R = M (V1 - V0) - h load + h sum n fn J^T F(J V1) = 0,   K = dR/dV1 = M + h sum n fn J^T F_v J
 *
 * Backwards: a pass over the bristles gives F, F_v and what their adjoints are for V1, then
 *   K^T lambda = V1b + sum J^T v_b
 *   V0b = M lambda,   loadb = h lambda,   Mb = -lambda (V1 - V0)^T,   hb = lambda.M (V1 - V0)/h + ...
 * and a second pass with Fb - h n fn J lambda the adjoints of the start, the law and h. Forwards: the same K, a pass before the
 * solve and one after it.
 *
 * Where the damping was limited, V1 closes the stage with decays and damping of Newton's twist V_N, R(V_N) = 0. Then the
 * closing solve gives adjoints of these decays, which are adjoints of V_N, for which the above is repeated with K(V_N). Order 2 is two
 * stages, the second from x0 + (1 + sqrt 2) (Y - x0); the states Y are computed again.
 */
#include "planar/gradient_internal.h"

#include "planar/step_stage.h"

static const double least_pivot =
    1e-6; // of the tangent over the mass: below it the step is near a fold
static const double share = 0.29289321881345247560; // as in step.c
static const double reach = 2.41421356237309504880;

// A contact in the derivatives of a step.
typedef struct link {
    const br_step_contact* contact;
    const br_contact* model;
    map2 turn; // of twists into the contact frame
    map2 map;  // of twists into the bristles, J without the arm
    mat3 jacobian;
    double count, weight;  // n, n fn
    const double *z0, *z1; // states at both ends of the stage
    const double* z1_bar;  // adjoint of z1, NULL: 0
    double* z0_bar;        // out: of z0
    br_wrench f_bar;
    const double* z0_dot;                                 // direction of z0, NULL: 0
    double* z1_dot;                                       // out: of z1, NULL: skipped
    gradient_tangent found, newton;                       // of the end, and at Newton's twist
    double newton_vb[3];                                  // adjoint of Newton's twist at the CoP
    double *at_newton, *middle, *start, *between, *spare; // states
    double *decays, *cache;
    double memo[GRADIENT_MEMO]; // of `begin` for `end`
} link;

static link link_of(const br_step_contact* contact)
{
    const br_contact* c = contact->contact;
    const map2 turn = map2_of_axes(axes_of(contact->angle)), m = map2_multiply(c->map, turn);
    const br_vec2 arm = contact->arm;
    const double count = contact->count > 0 ? (double)contact->count : 1.0;
    return (link){.contact = contact,
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

// A stage of a step.
typedef struct gradient_stage {
    vector3 v0, v1, newton;
    br_step_closing closing;
    double h;
} gradient_stage;

// A step in derivatives.
typedef struct task {
    const br_step_body* body;
    mat3 mass;
    link* links;
    size_t count;
} task;

static int presses(const link* l)
{
    return !(l->weight <= 0.0);
}

// V - ground
static vector3 slip_of(const link* l, vector3 v)
{
    return vector3_mix(1.0, v, -1.0, vector_of(l->contact->ground));
}

// A pass at the twist v, with decays of the twist `at`.
static gradient_pass pass_of(const link* l, vector3 at, vector3 v, const double* z1, double h)
{
    const vector3 at_cop = mat3_apply(&l->jacobian, slip_of(l, at));
    const vector3 v_cop = mat3_apply(&l->jacobian, slip_of(l, v));
    gradient_pass in = {.z0 = l->z0, .z1 = z1, .h = h};
    memcpy(in.at, at_cop.at, sizeof in.at);
    memcpy(in.v, v_cop.at, sizeof in.v);
    return in;
}

static vector3 vector_from(const double a[3])
{
    return (vector3){{a[0], a[1], a[2]}};
}

static vector3 slope_transposed(const double m[3][3], vector3 x)
{
    mat3 copy;
    memcpy(copy.at, m, sizeof copy.at);
    return mat3_apply_transposed(&copy, x);
}

// How b.(J u) depends on arm and angle: J = map (1 arm), d(map)/d(angle) = M P R, P the quarter turn back
static void add_position(const link* l, vector3 b, vector3 u, br_vec2* arm, double* angle)
{
    const br_vec2 flat = {b.at[0], b.at[1]}, by = map2_apply_transposed(l->map, flat);
    const br_vec2 own = map2_apply_transposed(l->model->map, flat);
    const br_vec2 at = l->contact->arm;
    const br_vec2 v = {u.at[0] - u.at[2] * at.y, u.at[1] + u.at[2] * at.x};
    const br_vec2 turned = map2_apply(l->turn, v);
    arm->x += u.at[2] * by.y;
    arm->y -= u.at[2] * by.x;
    *angle += own.x * turned.y - own.y * turned.x;
}

// Solve A x = b, or A^T x = b, scaled by the masses. Returns the least pivot of D^-1/2 A D^-1/2, D = diag(M).
static double solve_scaled(const mat3* a, const double mass[3][3], int transposed, vector3* x)
{
    double m[9], b[3], scale[3], least = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        scale[i] = 1.0 / sqrt(mass[i][i]);
    }
    for (int i = 0; i < 3; i++) {
        b[i] = scale[i] * x->at[i];
        for (int j = 0; j < 3; j++) {
            m[3 * i + j] = scale[i] * scale[j] * (transposed ? a->at[j][i] : a->at[i][j]);
        }
    }
    size_t pivot[3];
    lu_factor(m, 3, pivot);
    lu_solve(m, 3, pivot, b);
    for (int i = 0; i < 3; i++) {
        x->at[i] = scale[i] * b[i];
        least = fmin(least, fabs(m[4 * i]));
    }
    return least;
}

// K += h w J^T F_v J
static void add_tangent(const link* l, const gradient_tangent* found, double h, mat3* k)
{
    mat3 slope;
    memcpy(slope.at, found->F_v, sizeof slope.at);
    mat3_add_congruent(k, h * l->weight, &l->jacobian, &slope);
}

static mat3 mass_of(const br_step_body* body)
{
    mat3 m;
    memcpy(m.at, body->mass, sizeof m.at);
    return m;
}

// The five blocks of states and two of decays of a contact.
static size_t memory_of(const br_contact* c)
{
    return 5 * contact_states(c) + 2 * contact_decays(c);
}

static size_t doubles_of_link(void)
{
    return (sizeof(link) + sizeof(double) - 1) / sizeof(double);
}

size_t br_step_gradient_get_work(const br_step_contact* contacts, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += doubles_of_link() + memory_of(contacts[i].contact);
    }
    return sum;
}

static task task_of(const br_step_body* body, const br_step_contact* contacts, size_t count,
                    double* work)
{
    task t = {.body = body, .mass = mass_of(body), .links = (link*)work, .count = count};
    double* at = work + count * doubles_of_link();
    for (size_t i = 0; i < count; i++) {
        link* l = &t.links[i];
        *l = link_of(&contacts[i]);
        const size_t states = contact_states(l->model), decays = contact_decays(l->model);
        double** const blocks[] = {&l->at_newton, &l->middle, &l->start, &l->between, &l->spare};
        for (int k = 0; k < 5; k++, at += states) {
            *blocks[k] = at;
        }
        l->decays = at;
        l->cache = at + decays;
        at += 2 * decays;
    }
    return t;
}

static unsigned flags_of(const br_step_record* record, double pivot)
{
    const int paid = record->closing == BR_CLOSED_PAID ||
                     (record->order == 2 && record->middle_closing == BR_CLOSED_PAID);
    return (record->converged ? 0u : BR_GRADIENT_OPEN) | (paid ? BR_GRADIENT_PAID : 0u) |
           (pivot < least_pivot ? BR_GRADIENT_FOLD : 0u);
}

static gradient_stage last_stage(const br_step_record* r, double h)
{
    const vector3 v0 = vector_of(r->v0), middle = vector_of(r->middle);
    const int two = r->order == 2;
    return (gradient_stage){.v0 = two ? vector3_mix(1.0 - reach, v0, reach, middle) : v0,
                            .v1 = vector_of(r->v1),
                            .newton = vector_of(r->newton),
                            .closing = r->closing,
                            .h = two ? share * h : h};
}

static gradient_stage first_stage(const br_step_record* r, double h)
{
    return (gradient_stage){.v0 = vector_of(r->v0),
                            .v1 = vector_of(r->middle),
                            .newton = vector_of(r->middle_newton),
                            .closing = r->middle_closing,
                            .h = share * h};
}

static int is_limited(const gradient_stage* s)
{
    return s->closing == BR_CLOSED_LIMITED || s->closing == BR_CLOSED_PAID;
}

// The state that decays of the twist `at` give at the twist v.
static void close_states(const link* l, const gradient_stage* s, vector3 at, vector3 v, int limited,
                         double* z1)
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

// Order 2: the states at the end of the first stage, and those where the second starts.
static void find_middle(const task* t, const gradient_stage* first)
{
    for (size_t k = 0; k < t->count; k++) {
        link* l = &t->links[k];
        const size_t states = contact_states(l->model);
        const int by_law = first->closing == BR_CLOSED_BY_LAW;
        memset(l->middle, 0, states * sizeof *l->middle);
        if (presses(l)) {
            close_states(l, first, by_law ? first->v1 : first->newton, first->v1, is_limited(first),
                         l->middle);
        }
        for (size_t i = 0; i < states; i++) {
            l->start[i] = l->z0[i] + reach * (l->middle[i] - l->z0[i]);
        }
    }
}

// Newton's equations: those of the law; bristles that stick were found with the damping at rest.
static kernel_law newton_law(const link* l, const gradient_stage* s)
{
    kernel_law law = l->model->law;
    law.per_d2 = s->closing == BR_CLOSED_STUCK ? 0.0 : law.per_d2;
    return law;
}

// --- backwards -------------------------------------------------------------------------------------------------

static void no_contact_adjoint(br_step_contact_adjoint* a)
{
    a->fn = a->angle = a->length = 0.0;
    a->arm = (br_vec2){0.0, 0.0};
    a->ground = (br_twist){0.0, 0.0, 0.0};
    memset(a->law, 0, sizeof a->law);
}

static void no_body_adjoint(br_step_adjoint* io)
{
    io->v0 = (br_twist){0.0, 0.0, 0.0};
    io->load = (br_wrench){0.0, 0.0, 0.0};
    memset(io->mass, 0, sizeof io->mass);
    io->h = 0.0;
    io->pivot = HUGE_VAL;
    io->flags = 0;
}

// What the balance of a stage from v0 to v1 with the multiplier lambda gives the body; `part` of h is the stage.
static void add_balance(const task* t, const gradient_stage* s, vector3 v1, vector3 lambda,
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

// An open contact: how it would press, g the multiplier of its resistance. It forgets its state.
static void add_pressing(const link* l, const gradient_stage* s, vector3 g,
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

// What the resistance `found` at the twist v and the multiplier g of it give fn, arm, angle and ground; vb is the adjoint of the twist at the
// CoP before g.
static void add_resisting(const link* l, const gradient_tangent* found, const double vb[3],
                          vector3 v, vector3 g, br_step_contact_adjoint* a)
{
    const vector3 F = vector_from(found->F), at = mat3_apply(&l->jacobian, g);
    const vector3 back = slope_transposed(found->F_v, at);
    const vector3 by_v = vector3_mix(1.0, vector_from(vb), -l->weight, back);
    const vector3 ground = mat3_apply_transposed(&l->jacobian, by_v);
    a->fn -= l->count * vector3_dot(F, at);
    add_position(l, by_v, slip_of(l, v), &a->arm, &a->angle);
    add_position(l, vector3_mix(-l->weight, F, 0.0, F), g, &a->arm, &a->angle);
    a->ground.vx -= ground.at[0];
    a->ground.vy -= ground.at[1];
    a->ground.w -= ground.at[2];
}

static void add_law(const gradient_sums* sums, br_step_contact_adjoint* a, br_step_adjoint* io)
{
    for (int k = 0; k < BR_BY_COUNT; k++) {
        a->law[k] += sums->law[k];
    }
    a->length += sums->length;
    io->h += sums->h;
}

// Fb - w J g
static void put_force_adjoint(const link* l, vector3 g, gradient_pass* in)
{
    const vector3 own = gradient_enter(l->model, l->contact->fn, l->f_bar);
    const vector3 at = mat3_apply(&l->jacobian, g);
    for (int i = 0; i < 3; i++) {
        in->Fb[i] = own.at[i] - l->weight * at.at[i];
    }
}

// The pass over the end of a stage.
static gradient_pass end_pass(link* l, const gradient_stage* s, vector3 g)
{
    const int by_law = s->closing == BR_CLOSED_BY_LAW;
    gradient_pass in = by_law ? pass_of(l, s->v1, s->v1, l->z1, s->h)
                              : pass_of(l, s->newton, s->v1, l->at_newton, s->h);
    in.limited = is_limited(s);
    in.memo = by_law ? l->memo : NULL;
    in.zb = l->z1_bar;
    put_force_adjoint(l, g, &in);
    return in;
}

// The first pass over all contacts: K, and the right-hand side.
static unsigned begin_links(const task* t, const gradient_stage* s, mat3* k, vector3* right)
{
    const vector3 none = {{0.0, 0.0, 0.0}};
    unsigned flags = 0;
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        if (!presses(l)) {
            flags |= BR_GRADIENT_LIFTED;
            continue;
        }
        if (s->closing != BR_CLOSED_BY_LAW) {
            close_states(l, s, s->newton, s->newton, 0, l->at_newton);
        }
        const gradient_pass in = end_pass(l, s, none);
        (s->closing == BR_CLOSED_BY_LAW ? bri_gradient_begin : bri_gradient_close_begin)(
            l->model, &l->model->law, &in, &l->found);
        add_tangent(l, &l->found, s->h, k);
        *right = vector3_mix(1.0, *right, 1.0,
                             mat3_apply_transposed(&l->jacobian, vector_from(l->found.vb)));
        flags |= l->found.kinks ? BR_GRADIENT_KINK : 0u;
    }
    return flags;
}

// The second pass over a contact: g the multiplier of its resistance.
static void end_link(link* l, const gradient_stage* s, vector3 g, br_step_contact_adjoint* a,
                     br_step_adjoint* io)
{
    const vector3 own = gradient_enter(l->model, l->contact->fn, l->f_bar);
    const gradient_pass in = end_pass(l, s, g);
    gradient_sums sums = {.h = 0.0};
    a->fn += vector3_dot(own, vector_from(l->found.F)) / l->contact->fn;
    add_resisting(l, &l->found, l->found.vb, s->v1, g, a);
    if (s->closing != BR_CLOSED_BY_LAW) {
        bri_gradient_close_end(l->model, &l->model->law, &in, l->z0_bar, l->decays, &sums);
        bri_gradient_decays(l->model, &l->model->law, &in, l->decays, l->newton_vb, l->z0_bar,
                            &sums);
    } else if (l->z0_bar || io->by_law) {
        bri_gradient_end(l->model, &l->model->law, &in, l->z0_bar, io->by_law, &sums);
    }
    add_law(&sums, a, io);
}

// What Newton's twist is for a stage that was closed with its decays: adds to everything; returns its multiplier.
static vector3 newton_vjp(const task* t, const gradient_stage* s, br_step_contact_adjoint* adjoints,
                          br_step_adjoint* io)
{
    mat3 k = t->mass;
    vector3 mu = {{0.0, 0.0, 0.0}};
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        if (presses(l)) {
            const kernel_law law = newton_law(l, s);
            const gradient_pass in = pass_of(l, s->newton, s->newton, l->at_newton, s->h);
            bri_gradient_begin(l->model, &law, &in, &l->newton);
            add_tangent(l, &l->newton, s->h, &k);
            mu = vector3_mix(1.0, mu, 1.0,
                             mat3_apply_transposed(&l->jacobian, vector_from(l->newton_vb)));
        }
    }
    io->pivot = fmin(io->pivot, solve_scaled(&k, t->body->mass, 1, &mu));
    add_balance(t, s, s->newton, mu, io);
    const vector3 g = vector3_mix(s->h, mu, 0.0, mu);
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        if (presses(l)) {
            const kernel_law law = newton_law(l, s);
            const vector3 at = mat3_apply(&l->jacobian, g);
            gradient_pass in = pass_of(l, s->newton, s->newton, l->at_newton, s->h);
            gradient_sums sums = {.h = 0.0};
            for (int j = 0; j < 3; j++) {
                in.Fb[j] = -l->weight * at.at[j];
            }
            add_resisting(l, &l->newton, l->newton_vb, s->newton, g, &adjoints[i]);
            bri_gradient_end(l->model, &law, &in, l->spare, 1, &sums);
            for (size_t j = 0; j < contact_states(l->model); j++) {
                l->z0_bar[j] += l->spare[j];
            }
            add_law(&sums, &adjoints[i], io);
        }
    }
    return mu;
}

// A stage backwards, from the adjoint of its end to that of its start.
static vector3 stage_vjp(const task* t, const gradient_stage* s, vector3 v1_bar,
                         br_step_contact_adjoint* adjoints, br_step_adjoint* io)
{
    mat3 k = t->mass;
    vector3 lambda = v1_bar;
    io->flags |= begin_links(t, s, &k, &lambda);
    io->pivot = fmin(io->pivot, solve_scaled(&k, t->body->mass, 1, &lambda));
    add_balance(t, s, s->v1, lambda, io);
    const vector3 g = vector3_mix(s->h, lambda, 0.0, lambda);
    for (size_t i = 0; i < t->count; i++) {
        if (presses(&t->links[i])) {
            end_link(&t->links[i], s, g, &adjoints[i], io);
        } else {
            add_pressing(&t->links[i], s, g, &adjoints[i]);
        }
    }
    if (s->closing != BR_CLOSED_BY_LAW) {
        lambda = vector3_mix(1.0, lambda, 1.0, newton_vjp(t, s, adjoints, io));
    }
    return mat3_apply(&t->mass, lambda);
}

static br_wrench part_of(double part, br_wrench f)
{
    return (br_wrench){part * f.fx, part * f.fy, part * f.tau};
}

// One stage of h.
static vector3 vjp_order_1(const task* t, const gradient_stage* s, vector3 mean_bar,
                           br_step_contact_adjoint* adjoints, br_step_adjoint* io)
{
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        const br_step_contact_adjoint* a = &adjoints[i];
        l->z1 = a->z1;
        l->z1_bar = a->z1_bar;
        l->z0_bar = a->z0_bar || s->closing == BR_CLOSED_BY_LAW ? a->z0_bar : l->between;
        l->f_bar = a->f_bar;
    }
    const vector3 v1_bar = vector3_mix(1.0, vector_of(io->v1_bar), 0.5, mean_bar);
    return vector3_mix(1.0, stage_vjp(t, s, v1_bar, adjoints, io), 0.5, mean_bar);
}

// Two stages: back over the second, then over the first.
static vector3 vjp_order_2(const task* t, const gradient_stage* first, const gradient_stage* last,
                           vector3 mean_bar, br_step_contact_adjoint* adjoints, br_step_adjoint* io)
{
    find_middle(t, first);
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        const br_step_contact_adjoint* a = &adjoints[i];
        l->z0 = l->start;
        l->z1 = a->z1;
        l->z1_bar = a->z1_bar;
        l->z0_bar = l->between;
        l->f_bar = part_of(share, a->f_bar);
    }
    const vector3 v1_bar = vector3_mix(1.0, vector_of(io->v1_bar), share, mean_bar);
    const vector3 start = stage_vjp(t, last, v1_bar, adjoints, io);
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        const size_t states = contact_states(l->model);
        memcpy(l->start, l->between, states * sizeof *l->start); // no longer needed itself
        for (size_t k = 0; k < states; k++) {
            l->between[k] *= reach;
        }
        l->z0 = l->contact->z;
        l->z1 = l->middle;
        l->z1_bar = l->between;
        l->z0_bar = l->between;
        l->f_bar = part_of(1.0 - share, adjoints[i].f_bar);
    }
    const vector3 middle = vector3_mix(reach, start, 1.0 - share, mean_bar);
    const vector3 v0 = stage_vjp(t, first, middle, adjoints, io);
    for (size_t i = 0; i < t->count; i++) {
        const link* l = &t->links[i];
        double* out = adjoints[i].z0_bar;
        for (size_t k = 0; out && k < contact_states(l->model); k++) {
            out[k] = l->between[k] + (1.0 - reach) * l->start[k];
        }
    }
    io->h *= share;
    return vector3_mix(1.0, v0, 1.0 - reach, start);
}

void br_step_vjp(const br_step_body* body, const br_step_record* record, br_wrench load, double h,
                 const br_step_contact* contacts, br_step_contact_adjoint* adjoints, size_t count,
                 br_step_adjoint* io, double* work)
{
    BR_ASSERT(body && record && h > 0.0 && io);
    BR_ASSERT(count == 0 || (contacts && adjoints && work));
    (void)load; // the balance has it
    const task t = task_of(body, contacts, count, work);
    const gradient_stage last = last_stage(record, h), first = first_stage(record, h);
    const vector3 mean = vector_of(io->mean_bar);
    no_body_adjoint(io);
    for (size_t i = 0; i < count; i++) {
        no_contact_adjoint(&adjoints[i]);
    }
    io->v0 = twist_of(record->order == 2 ? vjp_order_2(&t, &first, &last, mean, adjoints, io)
                                         : vjp_order_1(&t, &last, mean, adjoints, io));
    io->flags |= flags_of(record, io->pivot);
    io->h = io->by_law ? io->h : 0.0;
    for (size_t i = 0; i < count && !io->by_law;
         i++) { // a stage of two twists has them all the same
        memset(adjoints[i].law, 0, sizeof adjoints[i].law);
        adjoints[i].length = 0.0;
    }
}

// --- forwards ----------------------------------------------------------------------------------------------------

// dJ u along a direction of arm and angle
static vector3 moved_by_position(const link* l, vector3 u, br_vec2 arm, double angle)
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
static vector3 turned_by_position(const link* l, vector3 f, br_vec2 arm, double angle)
{
    vector3 out;
    for (int i = 0; i < 3; i++) {
        vector3 unit = {{0.0, 0.0, 0.0}};
        unit.at[i] = 1.0;
        out.at[i] = vector3_dot(f, moved_by_position(l, unit, arm, angle));
    }
    return out;
}

// Directions of a stage: of its start and its end, of its length.
typedef struct stage_direction {
    vector3 v0, v1;
    double h;
} stage_direction;

// The direction of the twist v at the CoP, z0: of the state where the stage starts.
static gradient_direction direction_of(const link* l, vector3 v, vector3 v_dot, double h_dot,
                                       const double* z0, const br_step_contact_tangent* t)
{
    gradient_direction d = {.h = h_dot, .length = t->length, .z0 = z0};
    const vector3 slip = vector3_mix(1.0, v_dot, -1.0, vector_of(t->ground));
    const vector3 moved = moved_by_position(l, slip_of(l, v), t->arm, t->angle);
    const vector3 at = vector3_mix(1.0, mat3_apply(&l->jacobian, slip), 1.0, moved);
    memcpy(d.v, at.at, sizeof d.v);
    memcpy(d.law, t->law, sizeof d.law);
    return d;
}

// What all but the twist of the equations changes in a contact's term of the balance.
static void add_changes(const link* l, const gradient_stage* s, const gradient_tangent* found,
                        const double F_dot[3], const br_step_contact_tangent* t, vector3* right)
{
    const vector3 F = vector_from(found->F);
    const vector3 own = mat3_apply_transposed(&l->jacobian, vector_from(F_dot));
    const vector3 moved = turned_by_position(l, F, t->arm, t->angle);
    *right = vector3_mix(1.0, *right, -s->h * l->weight, vector3_mix(1.0, own, 1.0, moved));
    *right =
        vector3_mix(1.0, *right, -s->h * l->count * t->fn, mat3_apply_transposed(&l->jacobian, F));
}

// M dV0 + h dload - dM (V1 - V0) + dh M (V1 - V0)/h
static vector3 right_of_body(const task* t, const gradient_stage* s, vector3 v1,
                             const stage_direction* d, const br_step_tangent* io)
{
    const vector3 change = vector3_mix(1.0, v1, -1.0, s->v0);
    const vector3 momentum = mat3_apply(&t->mass, change);
    const double load[3] = {io->load.fx, io->load.fy, io->load.tau};
    mat3 by_mass;
    memcpy(by_mass.at, io->mass, sizeof by_mass.at);
    vector3 right = vector3_mix(1.0, mat3_apply(&t->mass, d->v0), s->h, vector_from(load));
    right = vector3_mix(1.0, right, -1.0, mat3_apply(&by_mass, change));
    return vector3_mix(1.0, right, d->h / s->h, momentum);
}

// An open contact that is pressed: its wrench alone, and what it does to the body.
static void press_forward(const link* l, const gradient_stage* s, br_step_contact_tangent* t,
                          vector3* right)
{
    const gradient_pass in = pass_of(l, s->v1, s->v1, NULL, s->h);
    double F[3];
    bri_gradient_pressed(l->model, l->z0, in.v, s->h, F);
    t->f = contact_wrench(l->model, F, t->fn);
    *right = vector3_mix(1.0, *right, -s->h * l->count * t->fn,
                         mat3_apply_transposed(&l->jacobian, vector_from(F)));
}

// dF along a direction, at the end of the stage; z1_dot may be NULL.
static void end_forward(link* l, const gradient_stage* s, const gradient_direction* d,
                        double* z1_dot, double F_dot[3])
{
    const vector3 none = {{0.0, 0.0, 0.0}};
    const gradient_pass in = end_pass(l, s, none);
    if (s->closing == BR_CLOSED_BY_LAW) {
        bri_gradient_forward(l->model, &l->model->law, &in, d, z1_dot, F_dot);
    } else {
        bri_gradient_close_forward(l->model, &l->model->law, &in, d, l->decays, z1_dot, F_dot);
    }
}

// The direction of Newton's twist, and of the decays there.
static void newton_jvp(const task* t, const gradient_stage* s,
                       const br_step_contact_tangent* tangents, const stage_direction* d,
                       br_step_tangent* io)
{
    const vector3 none = {{0.0, 0.0, 0.0}};
    mat3 k = t->mass;
    vector3 right = right_of_body(t, s, s->newton, d, io);
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        if (presses(l)) {
            const kernel_law law = newton_law(l, s);
            close_states(l, s, s->newton, s->newton, 0, l->at_newton);
            const gradient_pass in = pass_of(l, s->newton, s->newton, l->at_newton, s->h);
            const gradient_direction by =
                direction_of(l, s->newton, none, d->h, l->z0_dot, &tangents[i]);
            double F_dot[3];
            bri_gradient_begin(l->model, &law, &in, &l->newton);
            bri_gradient_forward(l->model, &law, &in, &by, NULL, F_dot);
            add_tangent(l, &l->newton, s->h, &k);
            add_changes(l, s, &l->newton, F_dot, &tangents[i], &right);
        }
    }
    io->pivot = fmin(io->pivot, solve_scaled(&k, t->body->mass, 0, &right));
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        if (presses(l)) {
            gradient_pass in = end_pass(l, s, none);
            const gradient_direction by =
                direction_of(l, s->newton, right, d->h, l->z0_dot, &tangents[i]);
            bri_gradient_decays_forward(l->model, &l->model->law, &in, &by, l->decays);
        }
    }
}

// A stage forwards: from d->v0 and the links' z0_dot to d->v1, z1_dot and the wrenches.
static void stage_jvp(const task* t, const gradient_stage* s, br_step_contact_tangent* tangents,
                      stage_direction* d, br_step_tangent* io)
{
    const vector3 none = {{0.0, 0.0, 0.0}};
    mat3 k = t->mass;
    if (s->closing != BR_CLOSED_BY_LAW) {
        newton_jvp(t, s, tangents, d, io);
    }
    vector3 right = right_of_body(t, s, s->v1, d, io), unused = none;
    io->flags |= begin_links(t, s, &k, &unused);
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        double F_dot[3];
        if (presses(l)) {
            const gradient_direction by =
                direction_of(l, s->v1, none, d->h, l->z0_dot, &tangents[i]);
            end_forward(l, s, &by, NULL, F_dot);
            add_changes(l, s, &l->found, F_dot, &tangents[i], &right);
        } else {
            press_forward(l, s, &tangents[i], &right);
        }
    }
    io->pivot = fmin(io->pivot, solve_scaled(&k, t->body->mass, 0, &right));
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        double F_dot[3], f[3];
        if (presses(l)) {
            const gradient_direction by =
                direction_of(l, s->v1, right, d->h, l->z0_dot, &tangents[i]);
            end_forward(l, s, &by, l->z1_dot, F_dot);
            for (int j = 0; j < 3; j++) {
                f[j] = l->contact->fn * F_dot[j] + tangents[i].fn * l->found.F[j];
            }
            tangents[i].f = contact_wrench(l->model, f, 1.0);
        } else if (l->z1_dot) {
            memset(l->z1_dot, 0, contact_states(l->model) * sizeof *l->z1_dot);
        }
    }
    d->v1 = right;
}

static void put_directions(const task* t, const br_step_contact_tangent* tangents)
{
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        l->z0_dot = tangents[i].z0_dot;
        l->z1 = tangents[i].z1;
        l->z1_dot = tangents[i].z1_dot;
    }
}

static void jvp_order_1(const task* t, const gradient_stage* s, br_step_contact_tangent* tangents,
                        br_step_tangent* io)
{
    stage_direction d = {.v0 = vector_of(io->v0), .h = io->h};
    put_directions(t, tangents);
    stage_jvp(t, s, tangents, &d, io);
    io->v1 = twist_of(d.v1);
    io->mean = twist_of(vector3_mix(0.5, d.v0, 0.5, d.v1));
}

// The first of two stages, to the directions of its end; then where the second starts.
static stage_direction first_forward(const task* t, const gradient_stage* first,
                                     br_step_contact_tangent* tangents, br_step_tangent* io)
{
    stage_direction d = {.v0 = vector_of(io->v0), .h = share * io->h};
    find_middle(t, first);
    put_directions(t, tangents);
    for (size_t i = 0; i < t->count; i++) {
        t->links[i].z1 = t->links[i].middle;
        t->links[i].z1_dot = t->links[i].between;
    }
    stage_jvp(t, first, tangents, &d, io);
    for (size_t i = 0; i < t->count; i++) {
        link* l = &t->links[i];
        for (size_t k = 0; k < contact_states(l->model); k++) {
            const double z0 = l->z0_dot ? l->z0_dot[k] : 0.0;
            l->between[k] = z0 + reach * (l->between[k] - z0);
        }
        l->z0 = l->start;
        l->f_bar = tangents[i].f; // of the first stage, until the mean is formed
    }
    return d;
}

static void jvp_order_2(const task* t, const gradient_stage* first, const gradient_stage* last,
                        br_step_contact_tangent* tangents, br_step_tangent* io)
{
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
    BR_ASSERT(body && record && h > 0.0 && io);
    BR_ASSERT(count == 0 || (contacts && tangents && work));
    (void)load; // the balance has it
    const task t = task_of(body, contacts, count, work);
    const gradient_stage last = last_stage(record, h), first = first_stage(record, h);
    io->pivot = HUGE_VAL;
    io->flags = 0;
    if (record->order == 2) {
        jvp_order_2(&t, &first, &last, tangents, io);
    } else {
        jvp_order_1(&t, &last, tangents, io);
    }
    io->flags |= flags_of(record, io->pivot);
}
