/*
 * What a body stands on: the joint pressure of its contacts with a plane.
 */
#include "sim/body_internal.h"

// Force of all of a contact's `count` at the start, on a plane that the body stands on.
static double force_of(const br_body_contact* c, double weight)
{
    const double own = br_profile_eval(&c->normal_force, 0.0, 0.0, NULL) + c->weight * weight;
    return c->frame == BR_FRAME_BODY ? (double)c->count * own : 0.0;
}

br_body_stand br_body_stand_eval(const br_body* body)
{
    BR_ASSERT(body);
    const double weight = body->mass * br_body_normal_gravity(body->gravity);
    br_body_stand s = {.weight = weight};
    br_vec2 moment = {0.0, 0.0};
    double square = 0.0;
    for (size_t i = 0; i < body->contact_count; i++) {
        const br_body_contact* c = &body->contacts[i];
        const br_patch_value value = br_contact_get_patch_value(c->contact);
        const double f = force_of(c, weight);
        s.force += f;
        moment = br_vec2_add(moment, br_vec2_scale(f, value.cop));
        square += f * (value.u + br_vec2_dot(value.cop, value.cop));
    }
    if (s.force > 0.0) {
        s.cop = br_vec2_scale(1.0 / s.force, moment);
        s.radius = sqrt(fmax(square / s.force - br_vec2_dot(s.cop, s.cop), 0.0));
    }
    return s;
}
