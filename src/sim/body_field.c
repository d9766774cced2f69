/*
 * A contact on a field of mu that is fixed to the surface it slides over: the ground, or the body.
 *
 * The weights of its parts depend on the pose, continuously where cells have an extent, so that the integrator needs
 * no more than their slopes and steps that see the field's cells. Points jump at the edges of constant cells. There
 * the run stops at an event; in between, the cell of each point is held, so that all that a step evaluates is smooth.
 */
#include "sim/body_internal.h"

#include "planar/contact_some.h"

// Lengths as a share of the contact's reach: of differences; and the least reach that counts [m].
static const double small_share = 1e-5, least_reach = 1e-3;

// Points count as across an edge this far beyond it, as a share of the field's cell.
static const double edge_width = 1e-10;

// The longest distance in a step, as a share of a cell of the field and the contact's own reach together: so that no
// cell is passed over unseen.
static const double longest_share = 0.5;

static double small_length(const contact_run* h)
{
    return small_share * fmax(h->contact.reach, least_reach);
}

static double speed_of(const contact_run* h, br_twist u)
{
    return hypot(u.vx, u.vy) + h->contact.reach * fabs(u.w);
}

double bri_contact_run_short_time(const contact_run* h, br_twist u)
{
    const double speed = speed_of(h, u);
    return speed > 0.0 ? small_length(h) / speed : 0.0;
}

void bri_contact_run_hold_field(contact_run* h, const double* y)
{
    const double speed = speed_of(h, contact_twist(h, y));
    const double ahead = edge_width * bri_contact_field_length(h->contact.now);
    const double dt = speed > 0.0 ? ahead / speed : 0.0;
    bri_contact_hold_field(&h->contact, contact_pose_after(h, pose_of(y), velocity_of(y), dt));
}

double bri_contact_run_to_edge(const contact_run* h, const double* y)
{
    const double width = 2.0 * edge_width * bri_contact_field_length(h->contact.now);
    return bri_contact_to_edge(h->contact.now, contact_pose_over(h, y)) + width;
}

double bri_contact_run_field_step(const contact_run* h, const double* y)
{
    const double speed = speed_of(h, contact_twist(h, y));
    const double length = bri_contact_field_length(h->contact.model) + h->contact.reach;
    return speed > 0.0 ? longest_share * length / speed : HUGE_VAL;
}

// Friction of all `count` on the CoM with the weights of a pose; lever, twist and bristles are those of y.
static br_wrench friction_with(contact_run* h, const double* y, br_pose weights_at, double* dz)
{
    const double fn = h->now.fn, scale = (double)h->def->count * fn;
    bri_contact_fill_at(&h->contact, fn, weights_at);
    return wrench_from(&h->now.lever,
                       bri_contact_rate(&h->contact, y + h->at, h->now.twist, scale, dz));
}

// Where a central difference adds its slopes.
typedef struct field_slopes {
    double* dfdt;    // of the bristles
    double* scratch; // rates of the bristles
} field_slopes;

// One side of a difference: `factor` times the friction with the weights of a pose, and `rate_factor` times the rates.
static br_wrench add_side(contact_run* h, const double* y, br_pose weights_at, double factor,
                          double rate_factor, const field_slopes* to)
{
    const br_wrench f = friction_with(h, y, weights_at, to->scratch);
    for (size_t i = 0; i < contact_states(&h->contact); i++) {
        to->dfdt[i] += rate_factor * to->scratch[i];
    }
    return (br_wrench){factor * f.fx, factor * f.fy, factor * f.tau};
}

// By the pose: the wrench, into by_pose. The rates of cells do not depend on the weights. Those of blocks do, by their
// centroids: as if these moved on at the present velocity, with time alone, which keeps the Jacobian an arrowhead.
static void add_pose_slopes(contact_run* h, const double* y, const field_slopes* to, mat3* by_pose)
{
    const double length = small_length(h);
    const double arm = hypot(h->now.lever.arm.x, h->now.lever.arm.y) + h->contact.reach;
    const double step[3] = {length, length, length / fmax(arm, least_reach)};
    const br_twist still = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        for (int side = -1; side <= 1; side += 2) {
            br_pose near = pose_of(y);
            double* const moved[3] = {&near.x, &near.y, &near.theta};
            *moved[i] += side * step[i];
            const double factor = side / (2.0 * step[i]);
            const br_wrench f = add_side(h, y, contact_pose_after(h, near, still, 0.0), factor,
                                         factor * y[VELOCITY + i], to);
            by_pose->at[0][i] += f.fx;
            by_pose->at[1][i] += f.fy;
            by_pose->at[2][i] += f.tau;
        }
    }
}

// By the time: ground that moves and takes its field along, or its patch over the field of the body.
static void add_time_slopes(contact_run* h, const double* y, const field_slopes* to,
                            br_wrench* slope)
{
    const br_twist v = velocity_of(y);
    const double dt = bri_contact_run_short_time(h, h->now.twist);
    for (int side = -1; side <= 1 && dt > 0.0; side += 2) {
        // the body is where it is, so it starts from where it comes back from
        const br_pose back = br_pose_advance(pose_of(y), v, -side * dt);
        const double factor = side / (2.0 * dt);
        add_wrench(slope, 1.0,
                   add_side(h, y, contact_pose_after(h, back, v, side * dt), factor, factor, to));
    }
}

void bri_contact_run_field_slopes(contact_run* h, const double* y, double* dfdt, double* scratch,
                                  mat3* by_pose, br_wrench* slope)
{
    if (bri_contact_is_on_uniform(h->contact.now)) {
        return;
    }
    const field_slopes to = {dfdt + h->at, scratch};
    add_pose_slopes(h, y, &to, by_pose);
    if (h->moves) {
        add_time_slopes(h, y, &to, slope);
    }
    contact_fill(h, h->now.fn, y);
}
