/*
 * Is the patch of a finger still on the body?
 *
 * Both are outlines: the body's in its own frame, and the hull of the patch in the contact's. For a disc
 * the distance of its centre from the body's edge decides; for other patches points on their rim, and
 * corners of the body that are under the patch.
 */
#include "sim/body_internal.h"

enum { POINTS_PER_EDGE = 8 };

// Normal force at which a patch that depends on the force is largest.
static double full_force(const br_patch* patch)
{
    const double full = br_patch_depends_on_force(patch) ? br_patch_get_full_force(patch) : 1.0;
    return full > 0.0 && isfinite(full) ? full : 1.0;
}

br_status bri_contact_run_edge_create(const body_system* s, contact_run* h, br_reason* why)
{
    const br_body_contact* c = h->def;
    if (!s->body->outline || !c->patch || c->frame != BR_FRAME_WORLD) {
        return BR_OK;
    }
    return br_outline_create(c->patch, full_force(c->patch), 1, &h->edge, why);
}

void bri_contact_run_edge_release(contact_run* h)
{
    br_outline_destroy(h->edge);
}

// Transform a point from the contact frame to the body's, and back.
static br_vec2 to_body(const contact_run* h, br_pose pose, br_vec2 point)
{
    const br_pose at = h->ground.at;
    const br_vec2 turned = br_vec2_rotate(point, at.theta);
    const br_vec2 from_com = {at.x + turned.x - pose.x, at.y + turned.y - pose.y};
    return br_vec2_rotate(from_com, -pose.theta);
}

static br_vec2 to_contact(const contact_run* h, br_pose pose, br_vec2 point)
{
    const br_pose at = h->ground.at;
    const br_vec2 turned = br_vec2_rotate(point, pose.theta);
    const br_vec2 from_origin = {pose.x + turned.x - at.x, pose.y + turned.y - at.y};
    return br_vec2_rotate(from_origin, -at.theta);
}

// Smallest and largest distance of the patch's rim from the body's edge, < 0 on the body [m].
typedef struct reach {
    double min, max;
} reach;

static reach rim_reach(const contact_run* h, const br_outline* body, br_pose pose,
                       const br_vec2* corner, size_t count)
{
    reach r = {HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; i++) {
        const br_vec2 a = corner[i], b = corner[(i + 1) % count];
        for (int k = 0; k < POINTS_PER_EDGE; k++) {
            const double x = (double)k / POINTS_PER_EDGE;
            const br_vec2 point = {(1.0 - x) * a.x + x * b.x, (1.0 - x) * a.y + x * b.y};
            const double distance = br_outline_eval(body, to_body(h, pose, point)).distance;
            r.min = fmin(r.min, distance);
            r.max = fmax(r.max, distance);
        }
    }
    return r;
}

static reach patch_reach(const contact_run* h, const br_outline* body, br_pose pose)
{
    size_t count, corners;
    const br_vec2* rim = br_outline_get_vertices(h->edge, &count);
    if (count == 0) {
        const br_vec2 centre = to_body(h, pose, br_outline_get_centre(h->edge));
        const double radius = br_outline_get_radius(h->edge);
        const double distance = br_outline_eval(body, centre).distance;
        return (reach){distance - radius, distance + radius};
    }
    reach r = rim_reach(h, body, pose, rim, count);
    const br_vec2* corner = br_outline_get_vertices(body, &corners);
    for (size_t i = 0; i < corners; i++) {
        const br_vec2 point = to_contact(h, pose, corner[i]);
        r.min = fmin(r.min, br_outline_eval(h->edge, point).distance);
    }
    if (corners == 0) { // a disc may be under a larger patch
        const br_vec2 point = to_contact(h, pose, br_outline_get_centre(body));
        r.min = fmin(r.min, br_outline_eval(h->edge, point).distance);
    }
    return r;
}

double bri_contact_run_on_body(const body_system* s, const contact_run* h, const double* y)
{
    return -patch_reach(h, s->body->outline, pose_of(y)).min;
}

double bri_contact_run_within_body(const body_system* s, const contact_run* h, const double* y)
{
    return -patch_reach(h, s->body->outline, pose_of(y)).max;
}
