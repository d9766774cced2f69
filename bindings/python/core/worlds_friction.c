/*
 * Bristles of many worlds from mu, as br_body_complete_friction() chooses them for one body:
 *
 *   sigma0 of each contact from mu_s and r -> vibration modes of the body on all contacts -> damping time -> sigma1, v_damping
 */
#include "worlds.h"

#include <math.h>

#include "bristle/modes.h"

static double get(const worlds_thing* thing, const void* from, size_t index, double shared)
{
    if (!from) {
        return shared;
    }
    return thing->type == BR_WORLDS_FLOAT ? (double)((const float*)from)[index]
                                          : ((const double*)from)[index];
}

static void put(const worlds_thing* thing, const void* to, size_t index, double value)
{
    if (to && thing->type == BR_WORLDS_FLOAT) {
        ((float*)to)[index] = (float)value;
    } else if (to) {
        ((double*)to)[index] = value;
    }
}

// A contact of one world.
typedef struct contact_here {
    br_law law;
    double fn, scale;
    br_vec2 arm;  // of the CoP from the centre of mass, world axes [m]
    double angle; // of the contact frame in the world [rad]
} contact_here;

static void find_position(const worlds_thing* thing, const br_worlds_contact* c, size_t k, size_t i,
                          contact_here* to)
{
    const br_worlds_arrays* a = &thing->arrays;
    const br_worlds_contact_arrays* own = &a->contacts[k];
    const br_vec2 cop = br_contact_get_patch_value(c->contact).cop;
    const br_pose frame = {get(thing, own->position, i, c->position.x),
                           get(thing, own->position, a->count + i, c->position.y),
                           get(thing, own->angle, i, c->angle)};
    const br_vec2 at = br_pose_apply(frame, br_vec2_scale(to->scale, cop));
    const br_pose pose = {get(thing, a->pose, i, 0.0), get(thing, a->pose, a->count + i, 0.0),
                          get(thing, a->pose, 2 * a->count + i, 0.0)};
    const int turns = c->frame == BR_WORLDS_BODY;
    to->arm = turns ? br_vec2_rotate(at, pose.theta) : (br_vec2){at.x - pose.x, at.y - pose.y};
    to->angle = frame.theta + (turns ? pose.theta : 0.0);
}

static contact_here read_contact(const worlds_thing* thing, const br_worlds_contact* c, size_t k,
                                 size_t i)
{
    const br_worlds_contact_arrays* own = &thing->arrays.contacts[k];
    contact_here here = {.law = br_contact_get_def(c->contact)->law};
    br_law* law = &here.law;
    law->mu_c = get(thing, own->mu_c, i, law->mu_c);
    law->mu_s = get(thing, own->mu_s, i, law->mu_s);
    law->sigma0 = get(thing, own->sigma0, i, law->sigma0);
    law->sigma1 = get(thing, own->sigma1, i, law->sigma1);
    law->sigma2 = get(thing, own->sigma2, i, law->sigma2);
    law->v_damping = get(thing, own->v_damping, i, law->v_damping);
    here.fn = get(thing, own->fn, i, c->fn);
    here.scale = get(thing, own->scale, i, 1.0);
    find_position(thing, c, k, i, &here);
    return here;
}

static br_mode_contact feel(const worlds_thing* thing, const br_worlds_contact* c,
                            const contact_here* here, double u, size_t k, size_t i)
{
    const br_anisotropy* anisotropy = &br_contact_get_def(c->contact)->anisotropy;
    const double own_u = here->scale * here->scale * u;
    br_mode_contact felt = br_mode_contact_from_law(&here->law, here->fn,
                                                    c->count > 0 ? c->count : 1, own_u, here->arm);
    felt.ratio = get(thing, thing->arrays.contacts[k].ratio, i, anisotropy->ratio);
    felt.angle = anisotropy->angle + here->angle;
    return felt;
}

static void complete_world(const worlds_thing* thing, const worlds_rule* rules,
                           const br_worlds_contact* contacts, size_t i)
{
    const size_t count = br_worlds_get_contact_count(thing->worlds[0]);
    contact_here here[BR_WORLDS_CONTACTS];
    br_mode_contact felt[BR_WORLDS_CONTACTS];
    for (size_t k = 0; k < count; k++) {
        here[k] = read_contact(thing, &contacts[k], k, i);
        br_law_complete(&here[k].law, rules[k].rule & BR_RULE_SIGMA0, here[k].scale * rules[k].r,
                        0.0);
        felt[k] = feel(thing, &contacts[k], &here[k], rules[k].u, k, i);
    }
    const br_modes modes = br_modes_eval(get(thing, thing->arrays.mass, i, 1.0),
                                         get(thing, thing->arrays.inertia, i, 1.0), felt, count);
    const double time = br_law_damping_time(br_modes_get_mean(&modes));
    for (size_t k = 0; k < count; k++) {
        const br_worlds_contact_arrays* own = &thing->arrays.contacts[k];
        br_law_complete(&here[k].law, rules[k].rule & (BR_RULE_SIGMA1 | BR_RULE_V_DAMPING), 0.0,
                        time);
        put(thing, rules[k].rule & BR_RULE_SIGMA0 ? own->sigma0 : NULL, i, here[k].law.sigma0);
        put(thing, rules[k].rule & BR_RULE_SIGMA1 ? own->sigma1 : NULL, i, here[k].law.sigma1);
        put(thing, rules[k].rule & BR_RULE_V_DAMPING ? own->v_damping : NULL, i,
            here[k].law.v_damping);
    }
}

void worlds_complete_friction(const worlds_thing* thing, const worlds_rule* rules,
                              const br_worlds_contact* contacts, const unsigned char* mask)
{
    for (size_t i = 0; i < thing->arrays.count; i++) {
        if (!mask || mask[i]) {
            complete_world(thing, rules, contacts, i);
        }
    }
}
