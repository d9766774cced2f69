/*
 * Reads MuJoCo's contacts of the pairs: normal force, position, plane and patch.
 */
#include "adapter.h"

#include <math.h>
#include <string.h>

static const double min_force = 1e-9; // normal force below which a pair does not touch [N]
static const double min_size = 1e-3;  // size of a point in comparisons of outlines [m]
static const double min_tangent =
    1e-3; // smallest part of an axis in the plane [-]; below, it counts as normal
static const double max_distance = 0.1; // of outlines; beyond it a new patch is created

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

int brmi_find_owners(mjData* d, brm_adapter* a)
{
    int changed = 0;
    for (int i = 0; i < d->ncon; i++) {
        mjContact* c = &d->contact[i];
        a->owner[i] = find(a, c->geom1, c->geom2);
        if (a->owner[i] >= 0) {
            link* l = &a->links[a->owner[i]];
            l->friction[0] = c->friction[0];
            l->friction[1] = c->friction[1];
            mju_copy3(l->axis, c->frame + 3);
            changed |= c->dim != 1;
            c->dim = 1;
        }
    }
    return changed;
}

void brmi_reset_bristles(link* l)
{
    if (l->z) {
        memset(l->z, 0, br_contact_get_state_count(l->contact) * sizeof *l->z);
    }
    l->touched = 0;
    l->saved = 0.0;
    l->last_fn = 0.0;
}

// Contact points of a pair with their forces.
typedef struct touch {
    mjtNum position[OUTLINE_MOST][3], force[OUTLINE_MOST];
    size_t count;
    mjtNum all, cop[3], normal[3];
} touch;

static touch read_touch(const mjData* d, const brm_adapter* a, int index)
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

// Set the contact frame. The first tangent turns with geom2 and is projected onto the plane: parallel transport.
// At a first touch it is the pair's axis, or the next one if that is the normal.
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
    if (mju_norm3(frame + 3) < min_tangent) {
        const mjtNum next[3] = {l->pair.axis[2], l->pair.axis[0], l->pair.axis[1]};
        mju_rotVecMat(frame + 3, next, turn);
        mju_addToScl3(frame + 3, normal, -mju_dot3(frame + 3, normal));
    }
    mju_normalize3(frame + 3);
    mju_cross(frame + 6, normal, frame + 3);
    mju_rotVecMatT(l->tangent, frame + 3, turn);
    if (l->friction[0] != l->friction[1]) {
        l->turned = -atan2(mju_dot3(l->axis, frame + 6), mju_dot3(l->axis, frame + 3));
    }
}

coefficients brmi_coefficients(const brm_pair* pair, const double friction[2])
{
    coefficients c = {pair->mu > 0.0 ? pair->mu : friction[0], br_anisotropy_default()};
    if (pair->mu > 0.0 || pair->law || friction[0] == friction[1]) {
        return c;
    }
    const double ratio =
        fmin(fmax(friction[0] / friction[1], BR_ANISOTROPY_MIN), BR_ANISOTROPY_MAX);
    c.mu = fmax(friction[0], friction[1]) / fmax(ratio, 1.0);
    c.anisotropy.ratio = ratio;
    c.anisotropy.axes = BR_AXES_GROUND;
    return c;
}

const br_contact* brmi_contact_now(const link* l, const br_contact* contact, void* memory)
{
    return br_contact_at(contact, l->now.fn, (br_pose){0.0, 0.0, l->turned}, memory);
}

// Set the contact of a link and transfer the bristles; 0 without memory, then nothing has changed.
static int set_contact(link* l, br_contact* contact, br_patch* patch)
{
    const size_t states = br_contact_get_state_count(contact);
    double *z = br_allocate(2 * states, sizeof *z), *old = l->z;
    void* at_force_memory = br_allocate(br_contact_get_at_force_size(contact) + 1, 1);
    if (!z || !at_force_memory) {
        br_release(z);
        br_release(at_force_memory);
        return 0;
    }
    if (l->contact && l->touched) {
        br_contact_carry_saved(brmi_contact_now(l, l->contact, l->at_force_memory), old,
                               brmi_contact_now(l, contact, at_force_memory), l->now.fn, &l->saved,
                               z);
    }
    br_contact_destroy(l->contact);
    br_patch_destroy(l->patch);
    br_release(old);
    br_release(l->at_force_memory);
    l->contact = contact;
    l->patch = patch;
    l->at_force_memory = at_force_memory;
    l->z = z;
    l->before = z + states;
    return 1;
}

// Create the contact of a link on its own patch, or on the caller's (NULL); 0 without memory, then nothing has
// changed. Law and anisotropy are those of the first touch: bristles that are transferred keep their stiffness.
static int create_contact(link* l, br_patch* own)
{
    const brm_pair* pair = &l->pair;
    const br_patch* patch = own ? own : pair->patch;
    br_contact_def def = br_contact_def_default();
    br_contact* contact = NULL;
    def.patch = patch;
    def.method = own ? BR_METHOD_DISTRIBUTED : pair->method;
    def.resolution = own ? 0 : pair->resolution;
    if (!(l->contact && l->touched)) {
        const coefficients c = brmi_coefficients(pair, l->friction);
        l->anisotropy = c.anisotropy;
        if (!pair->law) {
            l->law = br_law_from_mu(c.mu, br_patch_eval(patch, l->now.fn).r, 0.0, l->now.fn);
        }
    }
    def.law = l->law;
    def.anisotropy = l->anisotropy;
    br_status status = br_contact_create(&def, &contact, NULL);
    if (status != BR_OK && status != BR_ERR_MEMORY) { // the model has changed since brm_create()
        l->anisotropy = def.anisotropy = br_anisotropy_default();
        status = br_contact_create(&def, &contact, NULL);
    }
    if (status == BR_OK && set_contact(l, contact, own)) {
        return 1;
    }
    br_contact_destroy(contact);
    br_patch_destroy(own);
    return 0;
}

// The outline in geom2's frame, so that it does not change while geom2 moves.
static outline read_outline(const link* l, const mjData* d, const touch* t)
{
    br_vec2 points[OUTLINE_MOST];
    for (size_t i = 0; i < t->count; i++) {
        mjtNum from[3];
        mju_sub3(from, t->position[i], d->geom_xpos + 3 * l->geom[1]);
        points[i] = (br_vec2){mju_dot3(from, l->now.frame + 3), mju_dot3(from, l->now.frame + 6)};
    }
    return brgi_outline_from_points(points, t->force, t->count);
}

// Create a contact if there is none, or another one if the outline has changed; 1 if one was created.
static int update_patch(link* l, const mjData* d, const touch* t)
{
    if (l->pair.patch) {
        return !l->contact && create_contact(l, NULL);
    }
    const outline o = read_outline(l, d, t);
    const double min_length = l->pair.radius > min_size ? l->pair.radius : min_size;
    if (l->contact && brgi_outline_distance(&o, &l->patch_outline, min_length) < max_distance) {
        return 0;
    }
    br_patch* patch = brgi_outline_patch(&o, l->pair.radius);
    if (!patch || !create_contact(l, patch)) {
        return 0;
    }
    l->patch_outline = o;
    return 1;
}

void brmi_read_contacts(const mjData* d, brm_adapter* a)
{
    a->n = 0;
    for (size_t i = 0; i < a->count; i++) {
        link* l = &a->links[i];
        const touch t = read_touch(d, a, (int)i);
        l->now.touches = t.all > min_force;
        l->now.fn = l->held ? l->last_fn : l->now.touches ? t.all : 0.0;
        if (!l->now.touches) {
            continue;
        }
        mju_copy3(l->now.cop, t.cop);
        set_frame(l, d, t.normal);
        a->report.changed += update_patch(l, d, &t);
        if (l->contact) {
            l->index = a->n;
            a->pressing[a->n++] = i;
            l->touched = 1;
        }
    }
}
