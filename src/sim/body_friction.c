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

static int is_anisotropic(const br_body_friction* friction)
{
    return friction->anisotropy.ratio > 0.0 && friction->anisotropy.ratio != 1.0;
}

// The angle of the first axis of friction in the world: fixed to the patch's side of the contact, or to the other one.
static double grain_angle(const br_body* body, const br_body_contact* c, const br_anisotropy* a)
{
    const br_pose frame = br_body_contact_pose_eval(c, body->pose, 0.0);
    const double other = c->frame == BR_FRAME_WORLD ? body->pose.theta : 0.0;
    return a->angle + (a->axes == BR_AXES_BODY ? frame.theta : other);
}

// u of the patch that anisotropic friction stretches; without a patch it is given.
static br_status stretched_u(const br_body* body, const br_body_contact* c,
                             const br_body_friction* friction, double fn, double* u, br_reason* why)
{
    const br_pose frame = br_body_contact_pose_eval(c, body->pose, 0.0);
    br_limit_def def = br_limit_def_default();
    br_limit* surface = NULL;
    def.patch = friction->patch;
    def.fn = fn;
    def.method = BR_LIMIT_ELLIPSOID;
    def.anisotropy.ratio = friction->anisotropy.ratio;
    def.anisotropy.angle = grain_angle(body, c, &friction->anisotropy) - frame.theta;
    const br_status status =
        def.patch && is_anisotropic(friction) ? br_limit_create(&def, &surface, why) : BR_OK;
    if (surface) {
        *u = br_limit_get_patch_value(surface).u;
        br_limit_destroy(surface);
    }
    return status;
}

// Stiffness and damping of a contact on the body at the start, in world axes; u is that of the bristles.
static br_mode_contact feel(const br_body* body, const br_body_contact* c,
                            const br_body_friction* friction, double u)
{
    const double fn = largest_force(body, c);
    const br_patch_value value = patch_at(friction, fn);
    const br_pose frame = br_body_contact_pose_eval(c, body->pose, 0.0);
    const br_vec2 com = {body->pose.x, body->pose.y};
    const br_vec2 arm = br_vec2_sub(br_pose_apply(frame, value.cop), com);
    br_mode_contact felt = br_mode_contact_from_law(&friction->law, fn, c->count, u, arm);
    if (is_anisotropic(friction)) {
        felt.ratio = friction->anisotropy.ratio;
        felt.angle = grain_angle(body, c, &friction->anisotropy);
    }
    return felt;
}

// u of all contacts, into felt[].u.
static br_status feel_extents(const br_body* body, const br_body_friction* friction,
                              br_mode_contact* felt, br_reason* why)
{
    br_status status = BR_OK;
    for (size_t i = 0; i < body->contact_count && status == BR_OK; i++) {
        const br_body_contact* c = &body->contacts[i];
        const double fn = largest_force(body, c);
        felt[i].u = patch_at(&friction[i], fn).u;
        status = stretched_u(body, c, &friction[i], fn, &felt[i].u, why);
    }
    return status;
}

// Vibration modes of the body; `felt` has u, and is scratch for the rest (contact_count)
static br_modes modes_of(const br_body* body, const br_body_friction* friction,
                         br_mode_contact* felt)
{
    for (size_t i = 0; i < body->contact_count; i++) {
        felt[i] = feel(body, &body->contacts[i], &friction[i], felt[i].u);
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
    const br_status status = feel_extents(body, friction, felt, why);
    if (status != BR_OK) {
        br_release(felt);
        return status;
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
