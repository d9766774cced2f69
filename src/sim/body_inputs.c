/*
 * External inputs of a body at a time: gravity, and the normal forces of its contacts.
 */
#include "sim/body_internal.h"

static const double standard_gravity = 9.81; // [m/s^2]

double br_body_normal_gravity(br_vec2 in_plane)
{
    const double square = standard_gravity * standard_gravity - br_vec2_dot(in_plane, in_plane);
    return square > 0.0 ? sqrt(square) : 0.0;
}

br_vec2 bri_body_start_gravity(const br_body* body)
{
    const br_profile* change = body->gravity_change;
    return (br_vec2){body->gravity.x + br_profile_eval(&change[0], 0.0, 0.0, NULL),
                     body->gravity.y + br_profile_eval(&change[1], 0.0, 0.0, NULL)};
}

br_vec2 bri_body_gravity(const body_system* s, double t, br_vec2* slope)
{
    const br_body* body = s->body;
    br_vec2 change = {0.0, 0.0};
    if (!s->is_turned) {
        if (slope) {
            *slope = change;
        }
        return body->gravity;
    }
    const br_vec2 g = {
        body->gravity.x + br_profile_eval(&body->gravity_change[0], t, s->within, &change.x),
        body->gravity.y + br_profile_eval(&body->gravity_change[1], t, s->within, &change.y)};
    if (slope) {
        *slope = change;
    }
    return g;
}

double bri_contact_run_force(const body_system* s, const contact_run* h, double t, double* slope)
{
    double change = 0.0;
    if (h->left) {
        if (slope) {
            *slope = 0.0;
        }
        return 0.0;
    }
    double fn =
        h->def->grip ? h->gripped : br_profile_eval(&h->def->normal_force, t, s->within, &change);
    if (h->def->weight > 0.0) {
        // fn = weight mass g_n,   g_n^2 = 9.81^2 - |g|^2,   so g_n g_n' = -g.g'
        br_vec2 turn;
        const double mass = h->def->weight * s->body->mass;
        const br_vec2 g = bri_body_gravity(s, t, &turn);
        const double normal = br_body_normal_gravity(g);
        fn += mass * normal;
        change -= normal > 0.0 ? mass * br_vec2_dot(g, turn) / normal : 0.0;
    }
    if (slope) {
        *slope = change;
    }
    return fn;
}

void bri_contact_run_grip_create(contact_run* h)
{
    h->clock = br_profile_constant(0.0);
    if (h->def->grip) {
        // only the instants of this profile are used
        h->clock = (br_profile){.kind = BR_PROFILE_SINE, .hold = h->def->grip->period};
        h->gripped = h->def->normal_force.mean;
    }
}

void bri_contact_run_grip(const body_system* s, contact_run* h, double t, const double* y)
{
    if (!h->def->grip || h->left) {
        return;
    }
    // the middle of a piece gives the instant at its start, in spite of rounding
    const double instant = floor(s->within / h->def->grip->period);
    if (instant > h->instant) {
        bri_contact_run_move(s, h, t);
        contact_fill(h, h->gripped, y);
        const double slip_rate = bri_contact_run_slip(h, y, contact_twist(h, y), NULL).slip_rate;
        h->gripped = br_grip_eval(h->def->grip, h->gripped, bri_contact_run_load(h, y), slip_rate);
        h->instant = instant;
    }
}

// Is a profile constant within a smooth piece?
static int is_flat(const br_profile* p)
{
    return p->hold > 0.0 || p->kind == BR_PROFILE_CONSTANT || p->kind == BR_PROFILE_STEPS;
}

int bri_contact_run_is_steady(const body_system* s, const contact_run* h)
{
    const br_profile* gravity = s->body->gravity_change;
    if (h->left) {
        return 1;
    }
    return is_flat(&h->def->normal_force) &&
           (!(h->def->weight > 0.0) || (is_flat(&gravity[0]) && is_flat(&gravity[1])));
}
