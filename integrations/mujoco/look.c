/*
 * What MuJoCo's contacts say of the pairs: who touches, how hard, where, in which plane, over what patch.
 */
#include "adapter.h"

#include <math.h>
#include <string.h>

static const double least_force = 1e-9;   // [N] below it a pair does not touch
static const double least_size = 1e-3;    // [m] that a point has, where it moves over geom2
static const double least_tangent = 1e-3; // of an axis in the plane [-]: less, and it is the normal
static const double most_distance = 0.1;  // of outlines: more is another patch

static int find(const brm_adapter* a, int geom1, int geom2)
{
    for (size_t i = 0; i < a->count; i++) {
        const int* g = a->links[i].geom;
        if ((g[0] == geom1 && g[1] == geom2) || (g[0] == geom2 && g[1] == geom1)) {
            return (int)i;
        }
    }
    return -1;
}

int brmi_own(mjData* d, brm_adapter* a)
{
    int changed = 0;
    for (int i = 0; i < d->ncon; i++) {
        mjContact* c = &d->contact[i];
        a->owner[i] = find(a, c->geom1, c->geom2);
        if (a->owner[i] >= 0) {
            a->links[a->owner[i]].friction = c->friction[0];
            changed |= c->dim != 1;
            c->dim = 1;
        }
    }
    return changed;
}

void brmi_let_go(link* l)
{
    if (l->z) {
        memset(l->z, 0, br_contact_get_state_count(l->contact) * sizeof *l->z);
    }
    l->touched = 0;
    l->last_fn = 0.0;
}

// Contact points of a pair with their forces.
typedef struct touch {
    mjtNum position[OUTLINE_MOST][3], force[OUTLINE_MOST];
    size_t count;
    mjtNum all, cop[3], normal[3];
} touch;

static touch touch_of(const mjData* d, const brm_adapter* a, int index)
{
    touch t = {.count = 0};
    const link* l = &a->links[index];
    for (int i = 0; i < d->ncon && t.count < OUTLINE_MOST; i++) {
        const mjContact* c = &d->contact[i];
        if (a->owner[i] != index || c->efc_address < 0) {
            continue;
        }
        const mjtNum force = l->held ? 1.0 : d->efc_force[c->efc_address];
        if (force > 0.0) {
            mju_copy3(t.position[t.count], c->pos);
            t.force[t.count++] = force;
            t.all += force;
            mju_addToScl3(t.cop, c->pos, force);
            mju_addToScl3(t.normal, c->frame, c->geom1 == l->geom[0] ? force : -force);
        }
    }
    if (t.all > 0.0) {
        mju_scl3(t.cop, t.cop, 1.0 / t.all);
        mju_normalize3(t.normal);
    }
    return t;
}

// The first tangent goes with geom2 and is kept in the plane: parallel transport, whichever way the
// plane turns on it. At a first touch it is the pair's axis, or the next one if that is the normal.
static void set_frame(link* l, const mjData* d, const mjtNum normal[3])
{
    const mjtNum* turn = d->geom_xmat + 9 * l->geom[1];
    mjtNum* frame = l->now.frame;
    if (!l->touched) {
        mju_copy3(l->tangent, l->pair.axis);
    }
    mju_copy3(frame, normal);
    mju_rotVecMat(frame + 3, l->tangent, turn);
    mju_addToScl3(frame + 3, normal, -mju_dot3(frame + 3, normal));
    if (mju_norm3(frame + 3) < least_tangent) {
        const mjtNum next[3] = {l->pair.axis[2], l->pair.axis[0], l->pair.axis[1]};
        mju_rotVecMat(frame + 3, next, turn);
        mju_addToScl3(frame + 3, normal, -mju_dot3(frame + 3, normal));
    }
    mju_normalize3(frame + 3);
    mju_cross(frame + 6, normal, frame + 3);
    mju_rotVecMatT(l->tangent, frame + 3, turn);
}

// Put a contact into a link and carry the bristles; 0 without memory, and nothing has changed.
static int put_contact(link* l, br_contact* contact, br_patch* patch)
{
    const size_t states = br_contact_get_state_count(contact);
    double *z = br_allocate(2 * states, sizeof *z), *old = l->z;
    void* spread = br_allocate(br_contact_get_spread_size(contact) + 1, 1);
    if (!z || !spread) {
        br_release(z);
        br_release(spread);
        return 0;
    }
    if (l->contact && l->touched) {
        br_contact_carry(l->contact, old, contact, z);
    }
    br_contact_destroy(l->contact);
    br_patch_destroy(l->patch);
    br_release(old);
    br_release(l->spread);
    l->contact = contact;
    l->patch = patch;
    l->spread = spread;
    l->z = z;
    l->before = z + states;
    return 1;
}

// Make the contact of a link on a patch of its own, or on the one given in advance (NULL); 0 if there is none, and
// nothing has changed. The law is that of the first touch: bristles that are carried keep their stiffness.
static int make_contact(link* l, br_patch* own)
{
    const brm_pair* pair = &l->pair;
    const br_patch* patch = own ? own : pair->patch;
    br_contact_def def = br_contact_def_default();
    br_contact* contact = NULL;
    def.patch = patch;
    def.method = own ? BR_METHOD_DISTRIBUTED : pair->method;
    def.resolution = own ? 0 : pair->resolution;
    if (!pair->law && !(l->contact && l->touched)) {
        l->law = br_law_from_mu(pair->mu > 0.0 ? pair->mu : l->friction,
                                br_patch_eval(patch, l->now.fn).r, 0.0, l->now.fn);
    }
    def.law = l->law;
    if (br_contact_create(&def, &contact, NULL) == BR_OK && put_contact(l, contact, own)) {
        return 1;
    }
    br_contact_destroy(contact);
    br_patch_destroy(own);
    return 0;
}

// The outline in geom2's frame, so that it stays while geom2 moves.
static outline outline_of(const link* l, const mjData* d, const touch* t)
{
    br_vec2 points[OUTLINE_MOST];
    for (size_t i = 0; i < t->count; i++) {
        mjtNum from[3];
        mju_sub3(from, t->position[i], d->geom_xpos + 3 * l->geom[1]);
        points[i] = (br_vec2){mju_dot3(from, l->now.frame + 3), mju_dot3(from, l->now.frame + 6)};
    }
    return brmi_outline_of(points, t->force, t->count);
}

// A contact where there is none, another one where the outline is another.
static int follow_patch(link* l, const mjData* d, const touch* t)
{
    if (l->pair.patch) {
        return !l->contact && make_contact(l, NULL);
    }
    const outline o = outline_of(l, d, t);
    const double least = l->pair.radius > least_size ? l->pair.radius : least_size;
    if (l->contact && brmi_outline_distance(&o, &l->made_of, least) < most_distance) {
        return 0;
    }
    br_patch* patch = brmi_outline_patch(&o, l->pair.radius);
    if (!patch || !make_contact(l, patch)) {
        return 0;
    }
    l->made_of = o;
    return 1;
}

void brmi_look(const mjData* d, brm_adapter* a)
{
    a->n = 0;
    for (size_t i = 0; i < a->count; i++) {
        link* l = &a->links[i];
        const touch t = touch_of(d, a, (int)i);
        l->now.touches = t.all > least_force;
        l->now.fn = l->held ? l->last_fn : l->now.touches ? t.all : 0.0;
        if (!l->now.touches) {
            continue;
        }
        mju_copy3(l->now.cop, t.cop);
        set_frame(l, d, t.normal);
        a->report.changed += follow_patch(l, d, &t);
        if (l->contact) {
            l->place = a->n;
            a->pressing[a->n++] = i;
            l->touched = 1;
        }
    }
}
