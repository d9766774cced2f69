/*
 * `normal_force: weight`: a body's weight on the contacts under it.
 */
#include "scenario/read_body.h"

#include <math.h>
#include <stdio.h>

// Largest gravity in the plane [m/s^2], at 85 degrees: on a steeper one a small error of gravity would be a large one of
// the force.
static const double steepest = 9.81 * 0.9962;

// Largest distance of the centre of pressure from below the centre of mass, over the radius of the pressure [-]; below
// the second it is rounding [m]. A force that differs by less than this share counts as the weight [-].
static const double max_offset = 0.1, min_offset = 1e-9, near_weight = 0.01;

// Instants at which gravity that changes is checked, at most and in a period of a sine.
enum { MAX_INSTANTS = 100000, PER_PERIOD = 32 };

static const char what_to_give[] = "give a number [N] or a profile";

bool bri_read_is_weight(const node* contact, br_frame frame, bool has_word)
{
    const node* force = bri_node_find(contact, "normal_force");
    if (frame == BR_FRAME_BODY) {
        return has_word || !force;
    }
    if (has_word) {
        bri_node_fail(force, "weight is for frame: body, an object on a table; for frame: world %s",
                      what_to_give);
    }
    static const char* const key[] = {"normal_force", NULL};
    if (!force && !bri_node_is_misspelt(contact, key)) {
        bri_node_fail_field(contact, "normal_force",
                            "is missing: a contact with frame: world needs its force; give a "
                            "number [N] or a profile (with frame: body the default is weight)");
    }
    return false;
}

static void fail_steep(const node* root, const char* when)
{
    const node* gravity = bri_node_find(root, "gravity");
    bri_node_fail(
        gravity ? gravity : root,
        "is in the plane%s, or nearly so (> %.4g m/s^2): nothing presses the body on it, so "
        "normal_force: weight has no value; %s",
        when, steepest, what_to_give);
}

static const node* find_contacts(const node* root)
{
    const node* one = bri_node_find(root, "contact");
    return one ? one : bri_node_find(root, "contacts");
}

void bri_share_weight(const node* root, body_input* input)
{
    const br_body* body = &input->body;
    const size_t count = body->contact_count;
    int* bears = bri_allocate(root->in, count, sizeof *bears);
    bool has_any = false;
    for (size_t i = 0; i < count; i++) {
        bears[i] = input->contacts[i].bears;
        has_any = has_any || bears[i];
    }
    if (!has_any) {
        return;
    }
    if (hypot(body->gravity.x, body->gravity.y) > steepest) {
        fail_steep(root, "");
    }
    if (bri_problems(root) > 0) {
        return; // patches may be missing
    }
    double* weight = bri_allocate(root->in, count, sizeof *weight);
    br_reason why;
    const br_status status = br_body_share_weight(body, bears, weight, &why);
    if (status == BR_ERR_MEMORY) {
        bri_no_memory(root->in);
    }
    if (status != BR_OK) {
        bri_node_fail(find_contacts(root), "%s %s", why.field, why.text);
    }
    for (size_t i = 0; status == BR_OK && i < count; i++) {
        input->parts[i].weight = weight[i];
    }
}

static bool any_weight(const br_body* body)
{
    for (size_t i = 0; i < body->contact_count; i++) {
        if (body->contacts[i].weight > 0) {
            return true;
        }
    }
    return false;
}

// Check both ends of every smooth piece, where a linear profile is largest, and many instants of a sine.
void bri_check_weight(const node* root, const br_body* body, double duration)
{
    const br_profile* change = body->gravity_change;
    double finest = duration;
    for (int i = 0; i < 2; i++) {
        if (change[i].kind == BR_PROFILE_SINE && change[i].frequency > 0) {
            finest = fmin(finest, 1 / (PER_PERIOD * change[i].frequency));
        }
    }
    double start = 0;
    for (int i = 0; any_weight(body) && i < MAX_INSTANTS && start < duration; i++) {
        const double next = fmin(br_profile_next_break(&change[0], start),
                                 br_profile_next_break(&change[1], start));
        const double end = fmin(fmin(next, start + finest), duration);
        for (int side = 0; side < 2; side++) {
            const double t = side ? end : start, within = 0.5 * (start + end);
            const double x = body->gravity.x + br_profile_eval(&change[0], t, within, NULL);
            const double y = body->gravity.y + br_profile_eval(&change[1], t, within, NULL);
            if (hypot(x, y) > steepest) {
                char when[48];
                snprintf(when, sizeof when, " at t = %.6g s", t);
                fail_steep(root, when);
                return;
            }
        }
        start = end;
    }
}

static double without_rounding(double x)
{
    return fabs(x) > min_offset ? x : 0;
}

void bri_warn_unbalanced(const node* root, const br_body* body)
{
    const br_body_stand stand = br_body_stand_eval(body);
    const double offset = br_vec2_norm(stand.cop);
    const bool bears =
        any_weight(body) || fabs(stand.force - stand.weight) <= near_weight * stand.weight;
    if (!bears || !(offset > fmax(max_offset * stand.radius, min_offset))) {
        return;
    }
    const bool slopes = body->gravity.x != 0 || body->gravity.y != 0;
    bri_warn(
        root->in,
        "%sthe centre of pressure is %.3g m from under the centre of mass, at (%.3g, %.3g) "
        "in the body's frame; the pressure reaches %.3g m. A body that stands has it "
        "underneath: nothing here balances the %.3g N m%s. Move the contacts by at, or give each "
        "contact's normal_force",
        bri_node_place(find_contacts(root)), offset, without_rounding(stand.cop.x),
        without_rounding(stand.cop.y), stand.radius, stand.weight * offset,
        slopes ? ", unless the slope and the height of its centre of mass do" : "");
}
