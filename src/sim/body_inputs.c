/*
 * What acts on a body from outside at a time: gravity, and the normal forces of its contacts.
 */
#include "sim/body_internal.h"

static const double standard_gravity = 9.81; // [m/s^2]

double br_body_normal_gravity(br_vec2 in_plane)
{
    const double square = standard_gravity * standard_gravity - br_vec2_dot(in_plane, in_plane);
    return square > 0.0 ? sqrt(square) : 0.0;
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

double bri_held_force(const body_system* s, const held* h, double t, double* slope)
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

void bri_held_grip_create(held* h)
{
    h->clock = br_profile_constant(0.0);
    if (h->def->grip) {
        // of a profile that is held only the instants are asked for
        h->clock = (br_profile){.kind = BR_PROFILE_SINE, .hold = h->def->grip->period};
        h->gripped = h->def->normal_force.mean;
    }
}

void bri_held_grip(const body_system* s, held* h, double t, const double* y)
{
    if (!h->def->grip || h->left) {
        return;
    }
    // a piece's middle tells the instant before it, whatever rounding does to its begin
    const double instant = floor(s->within / h->def->grip->period);
    if (instant > h->instant) {
        bri_contact_spread(&h->contact, h->gripped);
        bri_held_move(s, h, t);
        const double slip_rate = bri_held_slip(h, y, held_twist(h, y), NULL).slip_rate;
        h->gripped = br_grip_eval(h->def->grip, h->gripped, bri_held_load(h, y), slip_rate);
        h->instant = instant;
    }
}

// The same all over a smooth piece?
static int is_flat(const br_profile* p)
{
    return p->hold > 0.0 || p->kind == BR_PROFILE_CONSTANT || p->kind == BR_PROFILE_STEPS;
}

int bri_held_is_steady(const body_system* s, const held* h)
{
    const br_profile* gravity = s->body->gravity_change;
    if (h->left) {
        return 1;
    }
    return is_flat(&h->def->normal_force) &&
           (!(h->def->weight > 0.0) || (is_flat(&gravity[0]) && is_flat(&gravity[1])));
}
