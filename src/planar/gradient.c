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
 */
#include "planar/gradient_internal.h"

#include "planar/step_stage.h"

static const double least_pivot =
    1e-6; // of the tangent over the mass: below it the step is near a fold

// A contact in the derivatives of a step.
typedef struct link {
    const br_step_contact* contact;
    const br_contact* model;
    map2 map; // of twists into the bristles, J without the arm
    mat3 jacobian;
    double count, weight; // n, n fn
    gradient_tangent found;
} link;

static link link_of(const br_step_contact* contact)
{
    const br_contact* c = contact->contact;
    const map2 m = map2_multiply(c->map, map2_of_axes(axes_of(contact->angle)));
    const br_vec2 arm = contact->arm;
    const double count = contact->count > 0 ? (double)contact->count : 1.0;
    return (link){.contact = contact,
                  .model = c,
                  .map = m,
                  .jacobian = {{{m.xx, m.xy, m.xy * arm.x - m.xx * arm.y},
                                {m.yx, m.yy, m.yy * arm.x - m.yx * arm.y},
                                {0.0, 0.0, 1.0}}},
                  .count = count,
                  .weight = count * contact->fn};
}

static int presses(const link* l)
{
    return !(l->weight <= 0.0);
}

// V - ground
static vector3 slip_of(const link* l, vector3 v)
{
    return vector3_mix(1.0, v, -1.0, vector_of(l->contact->ground));
}

static gradient_pass pass_of(const link* l, vector3 v, const double* z1, double h)
{
    const vector3 at = mat3_apply(&l->jacobian, slip_of(l, v));
    gradient_pass in = {.z0 = l->contact->z, .z1 = z1, .h = h};
    memcpy(in.at, at.at, sizeof in.at);
    memcpy(in.v, at.at, sizeof in.v);
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
    const br_vec2 turned = map2_apply(map2_of_axes(axes_of(l->contact->angle)), v);
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
static void add_tangent(const link* l, double h, mat3* k)
{
    mat3 slope;
    memcpy(slope.at, l->found.F_v, sizeof slope.at);
    mat3_add_congruent(k, h * l->weight, &l->jacobian, &slope);
}

static mat3 mass_of(const br_step_body* body)
{
    mat3 m;
    memcpy(m.at, body->mass, sizeof m.at);
    return m;
}

size_t br_step_gradient_get_work(const br_step_contact* contacts, size_t count)
{
    size_t sum = bri_step_work_of(contacts, count);
    for (size_t i = 0; i < count; i++) {
        const br_contact* c = contacts[i].contact;
        sum += (sizeof(link) + sizeof(double) - 1) / sizeof(double);
        sum += 5 * contact_states(c) + 2 * GRADIENT_DECAYS * c->parts.count;
    }
    return sum;
}

static unsigned flags_of_record(const br_step_record* record, double pivot)
{
    return (record->converged ? 0u : BR_GRADIENT_OPEN) |
           (pivot < least_pivot ? BR_GRADIENT_FOLD : 0u);
}

// Steps whose derivatives are not offered.
static int is_refused(const br_step_record* record)
{
    return record->order == 2 || record->closing != BR_CLOSED_BY_LAW;
}

// --- backwards -------------------------------------------------------------------------------------------------

static void no_contact_adjoint(const br_contact* c, br_step_contact_adjoint* a, int forgets)
{
    if (a->z0_bar && forgets) {
        memset(a->z0_bar, 0, contact_states(c) * sizeof *a->z0_bar);
    }
    a->fn = a->angle = a->length = 0.0;
    a->arm = (br_vec2){0.0, 0.0};
    a->ground = (br_twist){0.0, 0.0, 0.0};
    memset(a->law, 0, sizeof a->law);
}

// An open contact: how it would press, g the multiplier of its resistance.
static void add_pressing(const link* l, vector3 v, double h, vector3 g, br_step_contact_adjoint* a)
{
    const gradient_pass in = pass_of(l, v, NULL, h);
    const vector3 Fb = gradient_enter(l->model, 1.0, a->f_bar), at = mat3_apply(&l->jacobian, g);
    double F[3];
    bri_gradient_pressed(l->model, l->contact->z, in.v, h, F);
    for (int i = 0; i < 3; i++) {
        a->fn += (Fb.at[i] - l->count * at.at[i]) * F[i];
    }
}

// The second pass: g the multiplier of the contact's resistance, J^T w F; `first` the one of the first pass.
static void end_link(const link* l, vector3 v, double h, vector3 g, int laws, double* by_h,
                     br_step_contact_adjoint* a)
{
    const vector3 own = gradient_enter(l->model, l->contact->fn, a->f_bar);
    const vector3 at = mat3_apply(&l->jacobian, g);
    const vector3 back = slope_transposed(l->found.F_v, at);
    const vector3 F = vector_from(l->found.F);
    const vector3 vb = vector3_mix(1.0, vector_from(l->found.vb), -l->weight, back);
    const vector3 ground = mat3_apply_transposed(&l->jacobian, vb);
    gradient_pass in = pass_of(l, v, a->z1, h);
    gradient_sums sums = {.h = 0.0};
    in.zb = a->z1_bar;
    for (int i = 0; i < 3; i++) {
        in.Fb[i] = own.at[i] - l->weight * at.at[i];
    }
    a->fn = vector3_dot(own, F) / l->contact->fn - l->count * vector3_dot(F, at);
    add_position(l, vb, slip_of(l, v), &a->arm, &a->angle);
    add_position(l, vector3_mix(-l->weight, F, 0.0, F), g, &a->arm, &a->angle);
    a->ground = (br_twist){-ground.at[0], -ground.at[1], -ground.at[2]};
    if (a->z0_bar || laws) {
        bri_gradient_end(l->model, &l->model->law, &in, a->z0_bar, laws, &sums);
    }
    memcpy(a->law, sums.law, sizeof a->law);
    a->length = sums.length;
    *by_h += sums.h;
}

// The first pass over all contacts: K, and the right-hand side.
static unsigned begin_links(link* links, const br_step_contact* contacts,
                            const br_step_contact_adjoint* adjoints, size_t count, vector3 v,
                            double h, mat3* k, vector3* right)
{
    unsigned flags = 0;
    for (size_t i = 0; i < count; i++) {
        link* l = &links[i];
        *l = link_of(&contacts[i]);
        if (!presses(l)) {
            flags |= BR_GRADIENT_LIFTED;
            continue;
        }
        gradient_pass in = pass_of(l, v, adjoints[i].z1, h);
        const vector3 Fb = gradient_enter(l->model, contacts[i].fn, adjoints[i].f_bar);
        in.zb = adjoints[i].z1_bar;
        memcpy(in.Fb, Fb.at, sizeof in.Fb);
        bri_gradient_begin(l->model, &l->model->law, &in, &l->found);
        add_tangent(l, h, k);
        *right = vector3_mix(1.0, *right, 1.0,
                             mat3_apply_transposed(&l->jacobian, vector_from(l->found.vb)));
        flags |= l->found.kinks ? BR_GRADIENT_KINK : 0u;
    }
    return flags;
}

static void no_body_adjoint(br_step_adjoint* io)
{
    io->v0 = (br_twist){0.0, 0.0, 0.0};
    io->load = (br_wrench){0.0, 0.0, 0.0};
    memset(io->mass, 0, sizeof io->mass);
    io->h = io->pivot = 0.0;
    io->flags = 0;
}

// What the balance of a stage from v0 to v1 with the multiplier lambda gives the body.
static void add_balance(const mat3* mass, vector3 v0, vector3 v1, double h, vector3 lambda,
                        br_step_adjoint* io)
{
    const vector3 change = vector3_mix(1.0, v1, -1.0, v0), momentum = mat3_apply(mass, change);
    io->load.fx += h * lambda.at[0];
    io->load.fy += h * lambda.at[1];
    io->load.tau += h * lambda.at[2];
    io->h += vector3_dot(lambda, momentum) / h;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            io->mass[i][j] -= lambda.at[i] * change.at[j];
        }
    }
}

void br_step_vjp(const br_step_body* body, const br_step_record* record, br_wrench load, double h,
                 const br_step_contact* contacts, br_step_contact_adjoint* adjoints, size_t count,
                 br_step_adjoint* io, double* work)
{
    BR_ASSERT(body && record && h > 0.0 && io);
    BR_ASSERT(count == 0 || (contacts && adjoints && work));
    (void)load;
    const int refused = is_refused(record);
    const mat3 mass = mass_of(body);
    const vector3 v0 = vector_of(record->v0), v1 = vector_of(record->v1);
    const vector3 mean = vector_of(io->mean_bar);
    link* links = (link*)work;
    mat3 k = mass;
    vector3 lambda = vector3_mix(1.0, vector_of(io->v1_bar), 0.5, mean);
    no_body_adjoint(io);
    for (size_t i = 0; i < count; i++) {
        no_contact_adjoint(contacts[i].contact, &adjoints[i], refused);
    }
    if (refused) {
        io->flags = BR_GRADIENT_REFUSED;
        return;
    }
    io->flags = begin_links(links, contacts, adjoints, count, v1, h, &k, &lambda);
    io->pivot = solve_scaled(&k, body->mass, 1, &lambda);
    io->flags |= flags_of_record(record, io->pivot);
    add_balance(&mass, v0, v1, h, lambda, io);
    io->v0 = twist_of(vector3_mix(1.0, mat3_apply(&mass, lambda), 0.5, mean));
    const vector3 g = vector3_mix(h, lambda, 0.0, lambda);
    for (size_t i = 0; i < count; i++) {
        if (presses(&links[i])) {
            end_link(&links[i], v1, h, g, io->by_law, &io->h, &adjoints[i]);
        } else {
            add_pressing(&links[i], v1, h, g, &adjoints[i]);
            if (adjoints[i].z0_bar) {
                memset(adjoints[i].z0_bar, 0,
                       contact_states(links[i].model) * sizeof *adjoints[i].z0_bar);
            }
        }
    }
    io->h = io->by_law ? io->h : 0.0;
}

// --- forwards ----------------------------------------------------------------------------------------------------

// dJ u along a direction of arm and angle
static vector3 moved_by_position(const link* l, vector3 u, br_vec2 arm, double angle)
{
    const br_vec2 at = l->contact->arm;
    const axes turn = axes_of(l->contact->angle);
    const br_vec2 v = {u.at[0] - u.at[2] * at.y, u.at[1] + u.at[2] * at.x};
    const br_vec2 turned = map2_apply(map2_of_axes(turn), v);
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

static gradient_direction direction_of(const link* l, vector3 v, vector3 v_dot, double h_dot,
                                       const br_step_contact_tangent* t)
{
    gradient_direction d = {.h = h_dot, .length = t->length, .z0 = t->z0_dot};
    const vector3 slip = vector3_mix(1.0, v_dot, -1.0, vector_of(t->ground));
    const vector3 moved = moved_by_position(l, slip_of(l, v), t->arm, t->angle);
    const vector3 at = vector3_mix(1.0, mat3_apply(&l->jacobian, slip), 1.0, moved);
    memcpy(d.v, at.at, sizeof d.v);
    memcpy(d.law, t->law, sizeof d.law);
    return d;
}

// Before the solve: K, and what all but the twist changes.
static void begin_forward(link* l, vector3 v, double h, double h_dot,
                          const br_step_contact_tangent* t, mat3* k, vector3* right)
{
    const gradient_pass in = pass_of(l, v, t->z1, h);
    const vector3 none = {{0.0, 0.0, 0.0}};
    const gradient_direction d = direction_of(l, v, none, h_dot, t);
    double F_dot[3];
    bri_gradient_begin(l->model, &l->model->law, &in, &l->found);
    bri_gradient_forward(l->model, &l->model->law, &in, &d, NULL, F_dot);
    add_tangent(l, h, k);
    const vector3 F = vector_from(l->found.F);
    const vector3 own = mat3_apply_transposed(&l->jacobian, vector_from(F_dot));
    const vector3 moved = turned_by_position(l, F, t->arm, t->angle);
    *right = vector3_mix(1.0, *right, -h * l->weight, vector3_mix(1.0, own, 1.0, moved));
    *right =
        vector3_mix(1.0, *right, -h * l->count * t->fn, mat3_apply_transposed(&l->jacobian, F));
}

static void end_forward(const link* l, vector3 v, double h, vector3 v_dot, double h_dot,
                        br_step_contact_tangent* t)
{
    const gradient_pass in = pass_of(l, v, t->z1, h);
    const gradient_direction d = direction_of(l, v, v_dot, h_dot, t);
    double F_dot[3], f[3];
    bri_gradient_forward(l->model, &l->model->law, &in, &d, t->z1_dot, F_dot);
    for (int i = 0; i < 3; i++) {
        f[i] = l->contact->fn * F_dot[i] + t->fn * l->found.F[i];
    }
    t->f = contact_wrench(l->model, f, 1.0);
}

// An open contact that is pressed: its wrench alone, and what it does to the body.
static void press_forward(const link* l, vector3 v, double h, br_step_contact_tangent* t,
                          vector3* right)
{
    const gradient_pass in = pass_of(l, v, NULL, h);
    double F[3];
    bri_gradient_pressed(l->model, l->contact->z, in.v, h, F);
    t->f = contact_wrench(l->model, F, t->fn);
    *right = vector3_mix(1.0, *right, -h * l->count * t->fn,
                         mat3_apply_transposed(&l->jacobian, vector_from(F)));
}

static void no_contact_tangent(const br_contact* c, br_step_contact_tangent* t)
{
    if (t->z1_dot) {
        memset(t->z1_dot, 0, contact_states(c) * sizeof *t->z1_dot);
    }
    t->f = (br_wrench){0.0, 0.0, 0.0};
}

// M dV0 + h dload - dM (V1 - V0) + dh M (V1 - V0)/h
static vector3 right_of_body(const mat3* mass, vector3 v0, vector3 v1, double h,
                             const br_step_tangent* io)
{
    const vector3 change = vector3_mix(1.0, v1, -1.0, v0), momentum = mat3_apply(mass, change);
    const double load[3] = {io->load.fx, io->load.fy, io->load.tau};
    mat3 by_mass;
    memcpy(by_mass.at, io->mass, sizeof by_mass.at);
    vector3 right = vector3_mix(1.0, mat3_apply(mass, vector_of(io->v0)), h, vector_from(load));
    right = vector3_mix(1.0, right, -1.0, mat3_apply(&by_mass, change));
    return vector3_mix(1.0, right, io->h / h, momentum);
}

void br_step_jvp(const br_step_body* body, const br_step_record* record, br_wrench load, double h,
                 const br_step_contact* contacts, br_step_contact_tangent* tangents, size_t count,
                 br_step_tangent* io, double* work)
{
    BR_ASSERT(body && record && h > 0.0 && io);
    BR_ASSERT(count == 0 || (contacts && tangents && work));
    (void)load;
    const mat3 mass = mass_of(body);
    const vector3 v0 = vector_of(record->v0), v1 = vector_of(record->v1);
    link* links = (link*)work;
    for (size_t i = 0; i < count; i++) {
        no_contact_tangent(contacts[i].contact, &tangents[i]);
    }
    io->v1 = io->mean = (br_twist){0.0, 0.0, 0.0};
    io->pivot = 0.0;
    if (is_refused(record)) {
        io->flags = BR_GRADIENT_REFUSED;
        return;
    }
    mat3 k = mass;
    vector3 right = right_of_body(&mass, v0, v1, h, io);
    io->flags = 0;
    for (size_t i = 0; i < count; i++) {
        links[i] = link_of(&contacts[i]);
        if (presses(&links[i])) {
            begin_forward(&links[i], v1, h, io->h, &tangents[i], &k, &right);
            io->flags |= links[i].found.kinks ? BR_GRADIENT_KINK : 0u;
        } else {
            press_forward(&links[i], v1, h, &tangents[i], &right);
            io->flags |= BR_GRADIENT_LIFTED;
        }
    }
    io->pivot = solve_scaled(&k, body->mass, 0, &right);
    io->flags |= flags_of_record(record, io->pivot);
    for (size_t i = 0; i < count; i++) {
        if (presses(&links[i])) {
            end_forward(&links[i], v1, h, right, io->h, &tangents[i]);
        }
    }
    io->v1 = twist_of(right);
    io->mean = twist_of(vector3_mix(0.5, vector_of(io->v0), 0.5, right));
}
