/*
 * Rows of a body: its columns, each with its value (sim/rows.h).
 */
#include "sim/body_internal.h"

#include <string.h>

#define STATE(X)                                                                                   \
    X("t", "s", NULL, t), X("x", "m", NULL, pose.x), X("y", "m", NULL, pose.y),                    \
        X("theta", "rad", NULL, pose.theta), X("vx", "m/s", NULL, v.vx),                           \
        X("vy", "m/s", NULL, v.vy), X("w", "rad/s", NULL, v.w)
#define WRENCH(X)                                                                                  \
    X("fx", "N", NULL, h->row.f.fx), X("fy", "N", NULL, h->row.f.fy),                              \
        X("tau", "N m", NULL, h->row.f.tau), X("fn", "N", NULL, h->row.fn)
#define ENERGY(X)                                                                                  \
    X("kinetic", "J", NULL, e.kinetic), X("stored", "J", NULL, e.stored),                          \
        X("dissipated", "J", NULL, e.dissipated), X("work_loads", "J", NULL, e.work_loads),        \
        X("work_gravity", "J", NULL, e.work_gravity), X("work_normal", "J", NULL, e.work_normal),  \
        X("work_contacts", "J", NULL, e.work_contacts), X("residual", "J", NULL, e.residual)
#define COP(X) X("tau_cop", "N m", NULL, h->row.tau_cop)
#define SLIP(X)                                                                                    \
    X("state", "-", contact_state_words, h->state), X("slip", "m/s", NULL, h->row.slip_rate),      \
        X("load", "-", NULL, h->row.load)
#define PUSHER(X) X("pusher_fx", "N", NULL, push.fx), X("pusher_fy", "N", NULL, push.fy)
#define CENTRES(X)                                                                                 \
    X("cop_x", "m", NULL, c.pressure.x), X("cop_y", "m", NULL, c.pressure.y),                      \
        X("cof_x", "m", NULL, c.friction.x), X("cof_y", "m", NULL, c.friction.y),                  \
        X("mu_factor", "-", NULL, c.factor)
#define BRISTLE(X) X("z", "m", NULL, *z)
#define MORE(X)    X("slipped", "m", NULL, h->row.slipped), X("most_load", "-", NULL, h->most_load)

static const br_column state_columns[] = {STATE(COLUMN_ENTRY)};
static const br_column wrench_columns[] = {WRENCH(COLUMN_ENTRY)};
static const br_column energy_columns[] = {ENERGY(COLUMN_ENTRY)};
static const br_column cop_columns[] = {COP(COLUMN_ENTRY)};
static const br_column slip_columns[] = {SLIP(COLUMN_ENTRY)};
static const br_column pusher_columns[] = {PUSHER(COLUMN_ENTRY)};
static const br_column more_columns[] = {MORE(COLUMN_ENTRY)};
static const br_column centre_columns[] = {CENTRES(COLUMN_ENTRY)};
static const br_column bristle_columns[] = {BRISTLE(COLUMN_ENTRY)};

// In the order of bri_body_emit(). 0 things: one per contact.
static const column_group groups[] = {COLUMN_GROUP(state_columns, BR_COLUMNS_MAIN, 1),
                                      COLUMN_GROUP(wrench_columns, BR_COLUMNS_MAIN, 0),
                                      COLUMN_GROUP(energy_columns, BR_COLUMNS_ENERGY, 1),
                                      COLUMN_GROUP(cop_columns, BR_COLUMNS_COP, 0),
                                      COLUMN_GROUP(slip_columns, BR_COLUMNS_SLIP, 0),
                                      COLUMN_GROUP(pusher_columns, BR_COLUMNS_PUSHER, 1),
                                      COLUMN_GROUP(more_columns, BR_COLUMNS_MORE, 0),
                                      COLUMN_GROUP(centre_columns, BR_COLUMNS_CENTRES, 0)};
enum { FIXED_GROUPS = sizeof groups / sizeof *groups, GROUPS };

// The groups of a body: those above, then its bristles, where they are requested. Only then must its contacts be there.
static void list_groups(const br_body* body, unsigned sets, column_group to[GROUPS])
{
    memcpy(to, groups, sizeof groups);
    to[FIXED_GROUPS] = (column_group){bristle_columns, 1, BR_COLUMNS_BRISTLES, 0, 1};
    if (sets & BR_COLUMNS_BRISTLES) {
        to[FIXED_GROUPS].things = br_body_get_state_count(body);
    }
}

size_t br_body_get_columns(const br_body* body, unsigned sets, br_column* out)
{
    BR_ASSERT(body);
    column_group own[GROUPS];
    list_groups(body, sets, own);
    return bri_columns_list(own, GROUPS, body->contact_count, sets, out);
}

br_status bri_body_row_create(body_system* s, br_reason* why)
{
    column_group own[GROUPS];
    list_groups(s->body, s->def->columns, own);
    return bri_row_create(&s->row, own, GROUPS, s->body->contact_count, s->def, s->watch, why);
}

// Friction of a contact at its CoP: instantaneous, or the mean over the last fixed step.
static br_wrench friction_of(const body_system* s, size_t i, const contact_moment* m)
{
    const br_wrench unit = m->slip.f;
    return s->steps.t1 > s->steps.t0
               ? s->steps.contacts[i].f
               : (br_wrench){m->fn * unit.fx, m->fn * unit.fy, m->fn * unit.tau};
}

// Rotate a force from the contact's axes to the world's.
static void turn_force(const contact_run* h, double t, const double* y, br_wrench* f)
{
    const double angle = br_body_contact_pose_eval(h->def, pose_of(y), t).theta;
    const br_vec2 turned = br_vec2_rotate((br_vec2){f->fx, f->fy}, angle);
    f->fx = turned.x;
    f->fy = turned.y;
}

// Fill the row of a contact at (t, y); `stepped`: within a fixed step.
static void fill_contact_row(body_system* s, size_t i, double t, const double* y, int stepped)
{
    contact_run* h = &s->contacts[i];
    contact_row* row = &h->row;
    const contact_moment m = bri_contact_run_at(s, h, t, y, NULL, 1);
    const br_vec2 cop = h->contact.value.cop;
    const br_wrench f = friction_of(s, i, &m);
    row->f = (br_wrench){f.fx, f.fy, f.tau + cop.x * f.fy - cop.y * f.fx};
    const br_vec2 pressure =
        h->contact.on_field ? br_contact_get_centres(h->contact.now).pressure : cop;
    row->tau_cop = f.tau + (cop.x - pressure.x) * f.fy - (cop.y - pressure.y) * f.fx;
    row->fn = m.fn;
    row->slip_rate = m.slip.slip_rate;
    row->slipped = stepped ? bri_body_steps_slipped(s, h, t) : bri_body_ledger_slipped(s, h, t);
    if (s->row.sets & (BR_COLUMNS_SLIP | BR_COLUMNS_MORE)) {
        row->load = bri_contact_run_load(h, y);
        h->most_load = s->def->ends_only ? (double)NAN : fmax(h->most_load, row->load);
    }
    if (s->row.sets & BR_COLUMNS_WORLD) {
        turn_force(h, t, y, &row->f);
    }
}

// Values of the columns LIST for each contact.
#define EACH_CONTACT(LIST)                                                                         \
    for (const contact_run* h = s->contacts; h < s->contacts + s->body->contact_count; h++) {      \
        LIST(COLUMN_VALUE);                                                                        \
    }

void bri_body_emit(void* system, double t, const double* y)
{
    body_system* s = system;
    const unsigned sets = s->row.sets;
    const int stepped = s->steps.t1 > s->steps.t0;
    const br_pose pose = pose_of(y);
    const br_twist v = velocity_of(y);
    for (size_t i = 0; i < s->body->contact_count; i++) {
        fill_contact_row(s, i, t, y, stepped);
    }
    double* to = s->row.values;
    STATE(COLUMN_VALUE);
    EACH_CONTACT(WRENCH)
    if (sets & BR_COLUMNS_ENERGY) {
        const body_energy e =
            stepped ? bri_body_steps_energy(s, t) : bri_body_ledger_energy(s, t, y);
        ENERGY(COLUMN_VALUE);
    }
    if (sets & BR_COLUMNS_COP) {
        EACH_CONTACT(COP)
    }
    if (sets & BR_COLUMNS_SLIP) {
        EACH_CONTACT(SLIP)
    }
    if (sets & BR_COLUMNS_PUSHER) {
        const br_wrench push = stepped ? s->steps.push : bri_body_push(s, t, y);
        PUSHER(COLUMN_VALUE);
    }
    if (sets & BR_COLUMNS_MORE) {
        EACH_CONTACT(MORE)
    }
    if (sets & BR_COLUMNS_CENTRES) {
        for (const contact_run* h = s->contacts; h < s->contacts + s->body->contact_count; h++) {
            const br_contact_centres c = br_contact_get_centres(h->contact.now);
            CENTRES(COLUMN_VALUE);
        }
    }
    for (const double* z = y + BRISTLES; sets & BR_COLUMNS_BRISTLES && z < y + s->n; z++) {
        BRISTLE(COLUMN_VALUE);
    }
    bri_row_emit(&s->row);
}
