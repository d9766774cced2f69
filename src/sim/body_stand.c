/*
 * Support of a body: the joint pressure of its contacts with a plane.
 */
#include "sim/body_internal.h"

// Normal force of all `count` of a contact at the start; 0 for contacts that do not support the body.
static double force_of(const br_body_contact* c, double weight)
{
    const double own = br_profile_eval(&c->normal_force, 0.0, 0.0, NULL) + c->weight * weight;
    return c->frame == BR_FRAME_BODY ? (double)c->count * own : 0.0;
}

br_body_stand br_body_stand_eval(const br_body* body)
{
    BR_ASSERT(body);
    const double weight = body->mass * br_body_normal_gravity(bri_body_start_gravity(body));
    br_body_stand s = {.weight = weight};
    br_vec2 moment = {0.0, 0.0};
    double square = 0.0;
    for (size_t i = 0; i < body->contact_count; i++) {
        const br_body_contact* c = &body->contacts[i];
        const br_patch_value value = br_contact_get_patch_value(c->contact);
        const double f = force_of(c, weight);
        s.force += f;
        const br_vec2 cop = br_vec2_add(c->at, br_contact_get_centres(c->contact).pressure);
        moment = br_vec2_add(moment, br_vec2_scale(f, cop));
        square += f * (value.u + br_vec2_dot(cop, cop));
    }
    if (s.force > 0.0) {
        s.cop = br_vec2_scale(1.0 / s.force, moment);
        s.radius = sqrt(fmax(square / s.force - br_vec2_dot(s.cop, s.cop), 0.0));
    }
    return s;
}
