/*
 * One world at a time: its contacts as copies of the templates with its own numbers, its steps by br_step_coupled(), its
 * steady state, slip and load.
 *
 * A patch of another size s is the same template: positions times s, covariances times s^2, r times s, u times s^2; of a
 * smooth table only the length l that turns spins into speeds changes.
 */
#include "planar/worlds_internal.h"

#include <string.h>

#include "math/lever.h"

br_law bri_worlds_law(const br_worlds* w, const br_worlds_arrays* a, size_t contact, size_t i)
{
    const br_worlds_contact_arrays* own = &a->contacts[contact];
    br_law law = w->contacts[contact].contact->def.law;
    law.mu_c = worlds_number(w, own->mu_c, i, law.mu_c);
    law.mu_s = worlds_number(w, own->mu_s, i, law.mu_s);
    law.v_stribeck = worlds_number(w, own->v_stribeck, i, law.v_stribeck);
    law.sigma0 = worlds_number(w, own->sigma0, i, law.sigma0);
    law.sigma1 = worlds_number(w, own->sigma1, i, law.sigma1);
    law.sigma2 = worlds_number(w, own->sigma2, i, law.sigma2);
    law.s_ba = worlds_number(w, own->s_ba, i, law.s_ba);
    law.v_damping = worlds_number(w, own->v_damping, i, law.v_damping);
    return law;
}

// --- contacts of one world --------------------------------------------------------------------------------

static void scale_value(br_patch_value* value, double s)
{
    value->cop = br_vec2_scale(s, value->cop);
    value->r *= s;
    value->u *= s * s;
    value->area *= s * s;
}

static void scale_reduced(world_contact* model, double s)
{
    br_contact* c = &model->contact;
    c->look.r *= s;
    c->look.per_r /= s;
    c->look.u *= s * s;
    c->look.length *= s;
    if (c->surface) {
        model->surface = *c->surface;
        model->table = *(const smooth*)c->surface->data;
        model->table.length *= s;
        model->surface.data = &model->table;
        scale_value(&model->surface.value, s);
        c->surface = &model->surface;
    }
}

static void scale_blocks(world_contact* model, double s)
{
    kernel_bundles* b = &model->contact.parts;
    const size_t n = b->count;
    double* x = model->parts;
    for (size_t i = 0; i < n; i++) {
        x[i] = s * b->x[i];
        x[n + i] = s * b->y[i];
        x[2 * n + i] = s * s * b->t[i];
        x[3 * n + i] = b->per_t[i] / (s * s);
    }
    b->x = x;
    b->y = x + n;
    b->t = x + 2 * n;
    b->per_t = x + 3 * n;
    b->mean_x *= s;
    b->mean_y *= s;
    b->square *= s * s;
}

// The bristles' axes are the principal ones in all worlds, also in those where the ratio is 1.
static void set_ratio(br_contact* c, double ratio)
{
    c->def.anisotropy.ratio = ratio;
    c->is_stretched = 1;
    c->det = ratio;
    c->map =
        map2_multiply((map2){ratio, 0.0, 0.0, 1.0}, map2_of_axes(axes_of(c->def.anisotropy.angle)));
}

static void set_model(br_worlds* w, const br_worlds_arrays* a, size_t contact, size_t i)
{
    const br_worlds_contact_arrays* own = &a->contacts[contact];
    world_contact* model = &w->models[contact];
    br_contact* c = &model->contact;
    *c = *w->contacts[contact].contact;
    c->borrows = 1;
    c->def.law = bri_worlds_law(w, a, contact, i);
    c->law = bri_kernel_law(&c->def.law);
    if (own->scale) {
        const double s = worlds_get(w, own->scale, i);
        scale_value(&c->value, s);
        (contact_is_reduced(c) ? scale_reduced : scale_blocks)(model, s);
    }
    if (own->ratio && c->def.method == BR_METHOD_ELLIPSOID) {
        set_ratio(c, worlds_get(w, own->ratio, i));
    }
}

void bri_worlds_set_models(br_worlds* w, const br_worlds_arrays* a, size_t i)
{
    for (size_t k = 0; k < w->def.contact_count; k++) {
        set_model(w, a, k, i);
    }
}

world_position bri_worlds_position(const br_worlds* w, const br_worlds_arrays* a, size_t contact,
                                   size_t i, br_pose pose)
{
    const br_worlds_contact* shared = &w->contacts[contact];
    const br_worlds_contact_arrays* own = &a->contacts[contact];
    const size_t stride = worlds_stride(a);
    br_pose frame = {worlds_number(w, own->position, i, shared->position.x),
                     worlds_number(w, own->position, stride + i, shared->position.y),
                     worlds_number(w, own->angle, i, shared->angle)};
    const br_vec2 cop = br_pose_apply(frame, w->models[contact].contact.value.cop);
    if (shared->frame == BR_WORLDS_BODY) {
        return (world_position){br_vec2_rotate(cop, pose.theta), pose.theta + frame.theta};
    }
    return (world_position){{cop.x - pose.x, cop.y - pose.y}, frame.theta};
}

// --- numbers of one world ---------------------------------------------------------------------------------

static double fn_of(const br_worlds* w, const br_worlds_arrays* a, size_t contact, size_t i,
                    size_t step)
{
    return worlds_number(w, a->contacts[contact].fn, worlds_fn_index(a, contact, i, step),
                         w->contacts[contact].fn);
}

static void get_rows(const br_worlds* w, const void* from, size_t stride, size_t i, size_t rows,
                     double* out)
{
    for (size_t k = 0; k < rows; k++) {
        out[k] = from ? worlds_get(w, from, k * stride + i) : 0.0;
    }
}

static void put_rows(const br_worlds* w, void* to, size_t stride, size_t i, size_t rows,
                     const double* numbers)
{
    for (size_t k = 0; to && k < rows; k++) {
        worlds_put(w, to, k * stride + i, numbers[k]);
    }
}

static br_twist ground_of(const br_worlds* w, const br_worlds_arrays* a, size_t contact, size_t i)
{
    double g[3];
    get_rows(w, a->contacts[contact].ground, worlds_stride(a), i, 3, g);
    return (br_twist){g[0], g[1], g[2]};
}

static size_t states_of(const br_worlds* w, size_t contact)
{
    return br_contact_get_state_count(w->contacts[contact].contact);
}

// The twist of the body over the ground at the CoP, in the contact frame's axes.
static br_twist slip_twist(const br_worlds* w, const br_worlds_arrays* a, size_t contact, size_t i,
                           br_pose pose, br_twist v)
{
    const world_position at = bri_worlds_position(w, a, contact, i, pose);
    const br_twist g = ground_of(w, a, contact, i);
    br_twist here = lever_twist(v, at.arm.x, at.arm.y);
    here = (br_twist){here.vx - g.vx, here.vy - g.vy, here.w - g.w};
    return map2_enter(map2_of_axes(axes_of(at.angle)), here);
}

static br_pose pose_of(const br_worlds* w, const br_worlds_arrays* a, size_t i)
{
    double p[3];
    get_rows(w, a->pose, worlds_stride(a), i, 3, p);
    return (br_pose){p[0], p[1], p[2]};
}

static br_twist twist_of_world(const br_worlds* w, const br_worlds_arrays* a, size_t i)
{
    double v[3];
    get_rows(w, a->twist, worlds_stride(a), i, 3, v);
    return (br_twist){v[0], v[1], v[2]};
}

// --- steps ------------------------------------------------------------------------------------------------

void bri_worlds_place_contacts(br_worlds* w, const br_worlds_arrays* a, size_t i, size_t step,
                               br_pose pose, br_step_contact* out)
{
    for (size_t k = 0; k < w->def.contact_count; k++) {
        const world_position at = bri_worlds_position(w, a, k, i, pose);
        const br_twist g = ground_of(w, a, k, i);
        out[k] = (br_step_contact){.contact = &w->models[k].contact,
                                   .z = w->models[k].z,
                                   .arm = at.arm,
                                   .angle = at.angle,
                                   .fn = fn_of(w, a, k, i, step),
                                   .count = w->contacts[k].count,
                                   .ground = lever_twist(g, -at.arm.x, -at.arm.y)};
    }
}

// Add the energies of a step to those of the call.
static void add_energy(double* sum, const br_step_ledger* e, size_t step)
{
    if (step == 0) {
        sum[BR_WORLDS_KINETIC_BEFORE] = e->kinetic_before;
        sum[BR_WORLDS_STORED_BEFORE] = e->stored_before;
    } else {
        sum[BR_WORLDS_NORMAL] += e->stored_before - sum[BR_WORLDS_STORED_AFTER];
    }
    sum[BR_WORLDS_LOAD] += e->load;
    sum[BR_WORLDS_GROUND_WORK] += e->ground;
    sum[BR_WORLDS_KINETIC_AFTER] = e->kinetic_after;
    sum[BR_WORLDS_STORED_AFTER] = e->stored_after;
    sum[BR_WORLDS_DISSIPATED] += e->dissipated;
    sum[BR_WORLDS_NUMERICAL] += e->numerical;
}

static void put_wrenches(const br_worlds* w, const br_worlds_arrays* a, size_t i,
                         const br_step_contact* contacts)
{
    for (size_t k = 0; k < w->def.contact_count; k++) {
        const double f[3] = {contacts[k].f.fx, contacts[k].f.fy, contacts[k].f.tau};
        put_rows(w, a->contacts[k].f, worlds_stride(a), i, 3, f);
        put_rows(w, a->contacts[k].z, worlds_stride(a), i, states_of(w, k), w->models[k].z);
    }
}

void bri_worlds_start_one(br_worlds* w, const br_worlds_arrays* a, size_t i, world_run* out)
{
    out->body = br_step_body_default(worlds_number(w, a->mass, i, w->def.mass),
                                     worlds_number(w, a->inertia, i, w->def.inertia));
    out->body.passes = w->def.passes;
    bri_worlds_set_models(w, a, i);
}

br_wrench bri_worlds_load(const br_worlds* w, const br_worlds_arrays* a, size_t i, size_t step)
{
    double load[3];
    get_rows(w, a->load, worlds_stride(a), worlds_load_index(a, i, step), 3, load);
    return (br_wrench){load[0], load[1], load[2]};
}

br_step_result bri_worlds_advance_one(br_worlds* w, const br_worlds_arrays* a, size_t i,
                                      size_t step, double h, world_run* run, br_step_record* record)
{
    bri_worlds_place_contacts(w, a, i, step, br_pose_advance(run->pose, run->v, 0.5 * h),
                              run->contacts);
    const br_step_result r =
        br_step_coupled_recorded(&run->body, &run->v, bri_worlds_load(w, a, i, step), h,
                                 run->contacts, w->def.contact_count, w->work, record);
    run->pose = br_pose_advance(run->pose, r.mean, h);
    return r;
}

void bri_worlds_step_one(br_worlds* w, const br_worlds_arrays* a, size_t i, double h, size_t steps,
                         const worlds_keeper* keeper)
{
    const size_t stride = worlds_stride(a);
    double ledger[BR_WORLDS_LEDGER_ROWS] = {0.0};
    world_run run = {.pose = pose_of(w, a, i), .v = twist_of_world(w, a, i)};
    br_step_record record;
    int32_t passes = 0;
    uint8_t converged = 1;
    bri_worlds_start_one(w, a, i, &run);
    for (size_t k = 0; k < w->def.contact_count; k++) {
        get_rows(w, a->contacts[k].z, stride, i, states_of(w, k), w->models[k].z);
    }
    for (size_t step = 0; step < steps; step++) {
        if (keeper) {
            bri_worlds_keep_start(keeper, w, i, step, &run);
        }
        const br_step_result r =
            bri_worlds_advance_one(w, a, i, step, h, &run, keeper ? &record : NULL);
        if (keeper) {
            bri_worlds_keep_end(keeper, w, i, step, &run, &record);
        }
        add_energy(ledger, &r.energy, step);
        passes += r.passes;
        converged = converged && r.converged;
    }
    const br_pose pose = run.pose;
    const br_twist v = run.v;
    put_rows(w, a->pose, stride, i, 3, (const double[3]){pose.x, pose.y, pose.theta});
    put_rows(w, a->twist, stride, i, 3, (const double[3]){v.vx, v.vy, v.w});
    put_rows(w, a->ledger, stride, i, BR_WORLDS_LEDGER_ROWS, ledger);
    put_wrenches(w, a, i, run.contacts);
    if (a->passes) {
        a->passes[i] = passes;
    }
    if (a->converged) {
        a->converged[i] = converged;
    }
}

// --- slip, load and steady state --------------------------------------------------------------------------

static void report_contact(br_worlds* w, const br_worlds_arrays* a, size_t contact, size_t i,
                           br_twist at, double fn)
{
    const br_worlds_contact_arrays* own = &a->contacts[contact];
    world_contact* model = &w->models[contact];
    get_rows(w, own->z, worlds_stride(a), i, states_of(w, contact), model->z);
    if (own->state || own->slip_rate) {
        const br_slip_state before = own->state ? (br_slip_state)own->state[i] : BR_STATE_STICK;
        const br_contact_slip slip =
            br_contact_slip_eval(&model->contact, model->z, at, fn, before, NULL);
        put_rows(w, own->slip_rate, 0, i, 1, &slip.slip_rate);
        if (own->state) {
            own->state[i] = (uint8_t)slip.state;
        }
    }
    if (own->load) {
        worlds_put(w, own->load, i, br_contact_load_eval(&model->contact, model->z, at, fn));
    }
}

void bri_worlds_report_slip(br_worlds* w, const br_worlds_arrays* a, size_t i, size_t last_step)
{
    const br_pose pose = pose_of(w, a, i);
    const br_twist v = twist_of_world(w, a, i);
    for (size_t k = 0; k < w->def.contact_count; k++) {
        const br_worlds_contact_arrays* own = &a->contacts[k];
        if (own->state || own->slip_rate || own->load) {
            set_model(w, a, k, i);
            report_contact(w, a, k, i, slip_twist(w, a, k, i, pose, v),
                           fn_of(w, a, k, i, last_step));
        }
    }
}

// Bristles of a contact as in steady sliding.
static void reset_contact(br_worlds* w, const br_worlds_arrays* a, size_t contact, size_t i)
{
    const br_worlds_contact_arrays* own = &a->contacts[contact];
    world_contact* model = &w->models[contact];
    const size_t states = states_of(w, contact);
    const double fn = fn_of(w, a, contact, i, 0);
    const br_twist v = slip_twist(w, a, contact, i, pose_of(w, a, i), twist_of_world(w, a, i));
    const int slides = fn > 0.0 && (v.vx != 0.0 || v.vy != 0.0 || v.w != 0.0);
    memset(model->z, 0, states * sizeof *model->z);
    if (slides) {
        br_contact_steady_eval(&model->contact, v, fn, model->z);
    }
    put_rows(w, own->z, worlds_stride(a), i, states, model->z);
    if (own->state) {
        const br_slip_state state = slides ? BR_STATE_SLIP : BR_STATE_STICK;
        own->state[i] = (uint8_t)(fn > 0.0 ? state : BR_STATE_OPEN);
    }
}

void br_worlds_reset(br_worlds* w, const br_worlds_arrays* a, const uint8_t* mask)
{
    BR_ASSERT(w && a);
    for (size_t i = 0; i < a->count; i++) {
        if (!mask || mask[i]) {
            bri_worlds_set_models(w, a, i);
            for (size_t k = 0; k < w->def.contact_count; k++) {
                reset_contact(w, a, k, i);
            }
        }
    }
}
