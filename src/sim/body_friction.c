/*
 * Friction of a body's contacts from mu alone: parameters set by the rule of br_law_from_mu().
 */
#include "sim/body_internal.h"

// Largest normal force of one contact [N], with gravity as at the start.
static double largest_force(const br_body* body, const br_body_contact* c)
{
    const double normal = br_body_normal_gravity(bri_body_start_gravity(body));
    return fmax(br_profile_get_largest(&c->normal_force) + c->weight * body->mass * normal, 0.0);
}

static br_patch_value patch_at(const br_body_friction* friction, double fn)
{
    return friction->patch ? br_patch_eval(friction->patch, fn) : friction->value;
}

// Stiffness and damping of a contact on the body at the start, in world axes.
static br_mode_contact feel(const br_body* body, const br_body_contact* c,
                            const br_body_friction* friction)
{
    const double fn = largest_force(body, c);
    const br_patch_value value = patch_at(friction, fn);
    const br_pose frame = br_body_contact_pose_eval(c, body->pose, 0.0);
    const br_vec2 com = {body->pose.x, body->pose.y};
    const br_vec2 arm = br_vec2_sub(br_pose_apply(frame, value.cop), com);
    return br_mode_contact_from_law(&friction->law, fn, c->count, value.u, arm);
}

// Vibration modes of the body; `felt` is scratch (contact_count)
static br_modes modes_of(const br_body* body, const br_body_friction* friction,
                         br_mode_contact* felt)
{
    for (size_t i = 0; i < body->contact_count; i++) {
        felt[i] = feel(body, &body->contacts[i], &friction[i]);
    }
    return br_modes_eval(body->mass, body->inertia, felt, body->contact_count);
}

// Set those parameters in `which` that follow the rule.
static void complete(const br_body* body, br_body_friction* friction, unsigned which, double time)
{
    for (size_t i = 0; i < body->contact_count; i++) {
        const double r = patch_at(&friction[i], largest_force(body, &body->contacts[i])).r;
        br_law_complete(&friction[i].law, friction[i].rule & which, r, time);
    }
}

br_status br_body_complete_friction(const br_body* body, br_body_friction* friction,
                                    br_modes* modes, br_reason* why)
{
    BR_ASSERT(body && (body->contact_count == 0 || friction));
    br_mode_contact* felt = br_allocate(body->contact_count + 1, sizeof *felt);
    if (!felt) {
        br_reason_set(why, "", "no memory for %zu contacts", body->contact_count);
        return BR_ERR_MEMORY;
    }
    complete(body, friction, BR_RULE_SIGMA0, 0.0);
    const br_modes stiff = modes_of(body, friction, felt);
    const double time = br_law_damping_time(br_modes_get_mean(&stiff));
    complete(body, friction, BR_RULE_SIGMA1 | BR_RULE_V_DAMPING, time);
    if (modes) {
        *modes = modes_of(body, friction, felt);
    }
    br_release(felt);
    return BR_OK;
}
