/*
 * Friction from `mu` alone: what the file leaves to the rule of br_law_from_mu(), and how a body swings
 * on the bristles that come out.
 */
#include "scenario/friction.h"

#include <math.h>

#include "scenario/read_profile.h"

// How far a body turns while friction is late: at 0.1 rad a puck leaves its line by some 3 % of its way.
static const double WORTH_TELLING = 0.1, GOOD_LAG = 0.01; // [rad]

static double hertz(br_swing_mode mode)
{
    return mode.omega / (2 * BR_PI);
}

// sigma0, by the patch as it is under the largest force.
static void complete_stiffness(contact_input* contact, double fn)
{
    friction_input* friction = &contact->friction;
    if (friction->rule_sigma0) {
        const double r = br_patch_eval(contact->patch, fn).r;
        friction->law.sigma0 = br_law_from_mu(friction->law.mu_s, r, 0, fn).sigma0;
    }
}

static void complete_damping(contact_input* contact, double time)
{
    friction_input* friction = &contact->friction;
    if (friction->rule_sigma1) {
        friction->law.sigma1 = friction->law.sigma0 * time;
    }
    bri_law_check(friction->from, &friction->law);
}

void bri_friction_in_motion(contact_input* contact)
{
    complete_stiffness(contact, bri_profile_largest(&contact->normal_force));
    complete_damping(contact, BR_LAW_DAMPING_TIME);
    const node* from = contact->friction.from;
    const char* active = bri_law_describe_active(from->in, &contact->friction.law);
    if (active) {
        bri_warn(from->in, "%s%s; mu_s = mu_c is passive with any sigma1", bri_node_place(from),
                 active);
    }
}

// The largest normal force of one contact [N]; gravity's part of it is that of the start.
static double largest_force(const br_body* body, const br_body_contact* contact)
{
    return bri_profile_largest(&contact->normal_force) +
           contact->weight * body->mass * br_body_normal_gravity(body->gravity);
}

// A contact as the body feels it at its start, in world axes.
static br_swing_contact feel(const br_body* body, const br_body_contact* contact,
                             const contact_input* input)
{
    const double fn = largest_force(body, contact);
    const br_patch_value value = br_patch_eval(input->patch, fn);
    const br_profile* p = contact->motion;
    const br_pose finger = {br_profile_eval(&p[0], 0, 0, NULL), br_profile_eval(&p[1], 0, 0, NULL),
                            br_profile_eval(&p[2], 0, 0, NULL)};
    const br_vec2 com = {body->pose.x, body->pose.y};
    const br_vec2 arm = contact->frame == BR_FRAME_BODY
                            ? br_vec2_rotate(value.cop, body->pose.theta)
                            : br_vec2_sub(br_pose_apply(finger, value.cop), com);
    return br_swing_contact_from_law(&input->friction.law, fn, contact->count, value.u, arm);
}

static br_swing swing_of(reading* in, const br_body* body, const contact_input* contacts)
{
    br_swing_contact* felt = bri_allocate(in, body->contact_count, sizeof *felt);
    for (size_t i = 0; i < body->contact_count; i++) {
        felt[i] = feel(body, &body->contacts[i], &contacts[i]);
    }
    return br_swing_eval(body->mass, body->inertia, felt, body->contact_count);
}

// Has a contact before this one the same friction, of which all has been said?
static bool is_said(const contact_input* contacts, size_t i)
{
    for (size_t before = 0; before < i; before++) {
        if (contacts[before].friction.from == contacts[i].friction.from) {
            return true;
        }
    }
    return false;
}

// What a law that may inject energy costs and what it buys: damping.
static void warn_if_active(const br_body* body, contact_input* contacts, size_t i)
{
    br_law* law = &contacts[i].friction.law;
    reading* in = contacts[i].from->in;
    const char* active = bri_law_describe_active(in, law);
    if (!active || is_said(contacts, i)) {
        return;
    }
    const double sigma1 = law->sigma1;
    const br_swing_mode now = swing_of(in, body, contacts).slow;
    law->sigma1 = law->sigma2 * law->mu_c / (law->mu_s - law->mu_c);
    const double left = swing_of(in, body, contacts).slow.ratio;
    bri_warn(in,
             "%s%s. Where it sticks, the body swings at %.3g Hz with a damping ratio of %.2g; "
             "sigma1 = %.3g would be passive, with a ratio of %.2g; mu_s = mu_c is passive with "
             "any sigma1",
             bri_node_place(contacts[i].friction.from), active, hertz(now), now.ratio, law->sigma1,
             left);
    law->sigma1 = sigma1;
}

// Bristles that turn with a spinning body follow its slip late, which drives it off its line; the rule of mu
// does not know how fast it spins.
static void warn_if_late(const br_body* body, const contact_input* contacts, size_t i)
{
    const friction_input* friction = &contacts[i].friction;
    const double spin = fabs(body->velocity.w);
    const double time = friction->law.sigma1 / friction->law.sigma0;
    const bool turns = body->contacts[i].frame == BR_FRAME_BODY && friction->rule_sigma1;
    if (!turns || !(spin * time > WORTH_TELLING) || is_said(contacts, i)) {
        return;
    }
    bri_warn(
        contacts[i].from->in,
        "%sfollows the slip of a body that spins at %.3g rad/s late by sigma1/sigma0 = %.2g s, "
        "%.2g rad, which drives it aside; give sigma1, some %.2g s/m",
        bri_node_place(friction->from), spin, time, spin * time,
        GOOD_LAG / spin * friction->law.sigma0);
}

br_swing bri_friction_on_body(reading* in, const br_body* body, contact_input* contacts)
{
    for (size_t i = 0; i < body->contact_count; i++) {
        complete_stiffness(&contacts[i], largest_force(body, &body->contacts[i]));
    }
    const br_swing swing = swing_of(in, body, contacts);
    const double time = br_law_damping_time(br_swing_get_mean(&swing));
    for (size_t i = 0; i < body->contact_count; i++) {
        complete_damping(&contacts[i], time);
    }
    for (size_t i = 0; i < body->contact_count; i++) {
        warn_if_active(body, contacts, i);
        warn_if_late(body, contacts, i);
    }
    return swing_of(in, body, contacts);
}

const char* bri_friction_text(const contact_input* contact, size_t number)
{
    const friction_input* friction = &contact->friction;
    reading* in = contact->from->in;
    if (!friction->rule_sigma0 && !friction->rule_sigma1) {
        return "";
    }
    const char* which = number > 0 ? bri_format(in, "contact %zu: ", number) : "";
    return bri_format(
        in,
        "  %sfriction from mu: sigma0 %.4g /m, sigma1 %.4g s/m; gives way by %.3g m before it "
        "slips\n",
        which, friction->law.sigma0, friction->law.sigma1,
        friction->law.mu_s / friction->law.sigma0);
}

const char* bri_friction_swing_text(reading* in, const br_swing* swing)
{
    if (!(swing->slow.omega > 0)) {
        return "";
    }
    const char* fast = "";
    if (swing->fast.omega > 1.001 * swing->slow.omega) {
        fast = bri_format(in, ", at %.3g Hz with %.2g", hertz(swing->fast), swing->fast.ratio);
    }
    return bri_format(in,
                      "  while it sticks, the body swings at %.3g Hz with a damping ratio of "
                      "%.2g%s\n",
                      hertz(swing->slow), swing->slow.ratio, fast);
}
