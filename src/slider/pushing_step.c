/*
 * Quasi-static pushing along a path: a round tip against an outline.
 *
 * A sub-step moves the tip by delta. With n into the body at the contact and gap the distance at
 * its start, the contact point of the body moves by delta.n - gap along n and the tip by delta.t along
 * the edge. Contact and normal are those at the middle of the sub-step (midpoint rule). Errors of the
 * contact do not accumulate, because each sub-step starts from the actual gap.
 *
 * The push that is returned ignores the gap: it is that of a tip that moves by delta in full contact.
 * Otherwise closing a gap over a short distance would give arbitrary speeds.
 *
 * In a concave corner the tip touches two edges, and a sub-step against one of them would overlap the
 * other. A tip that presses on both edges moves the body by the tip's centre. Otherwise, on the path
 * into the corner, the body is pushed off one edge after the other until none overlaps.
 */
#include "slider/pushing_internal.h"

enum { STEPS_PER_SIZE = 300, MAX_STEPS = 100000 };

static const double OVERLAP = 1e-6; // allowed overlap, over the body's size [-]
static const double MAX_TURN =
    1.0; // of a push that separates [rad]: 40 mm deep in a 100 mm square turn by 0.65

tip_touch bri_pushing_touch(const br_pushing* p, br_pose pose, br_vec2 tip)
{
    const br_vec2 away = {tip.x - pose.x, tip.y - pose.y};
    const br_outline_place place = br_outline_eval(p->outline, br_vec2_rotate(away, -pose.theta));
    return (tip_touch){place.distance - p->radius, place.nearest, br_vec2_scale(-1.0, place.normal),
                       place.edge};
}

// Exact for a constant twist in body axes, which is a rotation about a fixed point.
br_pose bri_pushing_moved(const br_pushing* p, br_pose pose, br_twist v, double share)
{
    const br_vec2 c = br_pushing_get_centre(p);
    const double angle = share * v.w, half = 0.5 * angle;
    const double chord = fabs(half) > 1e-8 ? sin(half) / half : 1.0;
    const br_vec2 displacement = {share * chord * v.vx, share * chord * v.vy};
    const br_vec2 centre =
        br_vec2_add(br_pose_apply(pose, c), br_vec2_rotate(displacement, pose.theta + half));
    const br_vec2 arm = br_vec2_rotate(c, pose.theta + angle);
    return (br_pose){centre.x - arm.x, centre.y - arm.y, pose.theta + angle};
}

// Push of the body while the tip moves by delta, for a given angle of the body and contact.
static br_push push_by(const br_pushing* p, double theta, const tip_touch* at, br_vec2 delta,
                       double gap)
{
    const br_vec2 turned = br_vec2_rotate(delta, -theta);
    const br_vec2 displacement = br_vec2_sub(turned, br_vec2_scale(gap, at->inward));
    return br_pushing_eval(p, at->point, at->inward, displacement);
}

double bri_pushing_allowed_overlap(const br_pushing* p)
{
    return OVERLAP * br_outline_get_radius(p->outline);
}

// A tip against the disc that encloses the outline, body frame.
static tip_touch touch_enclosing(const br_pushing* p, br_pose pose, br_vec2 tip)
{
    const br_vec2 away = {tip.x - pose.x, tip.y - pose.y};
    const br_vec2 centre = br_outline_get_centre(p->outline);
    const br_vec2 d = br_vec2_sub(br_vec2_rotate(away, -pose.theta), centre);
    const double norm = br_vec2_norm(d), radius = br_outline_get_radius(p->outline);
    const br_vec2 outward = norm > 0.0 ? br_vec2_scale(1.0 / norm, d) : (br_vec2){1.0, 0.0};
    return (tip_touch){norm - radius - p->radius,
                       br_vec2_add(centre, br_vec2_scale(radius, outward)),
                       br_vec2_scale(-1.0, outward), PUSHING_ENCLOSING};
}

/*
 * The push is a linear step over the whole depth. Where it turns the body by more than MAX_TURN, the contact would be
 * elsewhere long before its end, and repeated steps of this kind turn the body without a bound. There the body moves
 * along the normal, which separates it from one contact exactly. The last round separates from all contacts at once.
 */
bool bri_pushing_separate_once(const br_pushing* p, br_pose* pose, br_vec2 tip, int round,
                               tip_touch* at, br_push* push)
{
    *at = bri_pushing_touch(p, *pose, tip);
    if (!(at->gap < -bri_pushing_allowed_overlap(p))) {
        return false;
    }
    const bool is_last = round + 1 == PUSHING_MAX_ROUNDS;
    *at = is_last ? touch_enclosing(p, *pose, tip) : *at;
    *push = push_by(p, pose->theta, at, (br_vec2){0.0, 0.0}, at->gap);
    if (is_last || fabs(push->twist.w) > MAX_TURN) {
        *push = (br_push){.twist = {-at->gap * at->inward.x, -at->gap * at->inward.y, 0.0},
                          .point = at->point,
                          .mode = BR_PUSH_BREAK};
    }
    *pose = bri_pushing_moved(p, *pose, push->twist, 1.0);
    return true;
}

void bri_pushing_separate(const br_pushing* p, br_pose* pose, br_vec2 tip)
{
    tip_touch at;
    br_push push;
    for (int round = 0; round < PUSHING_MAX_ROUNDS; round++) {
        if (!bri_pushing_separate_once(p, pose, tip, round, &at, &push)) {
            return;
        }
    }
}

// Is a force a sum of pushes along two normals that differ?
static int is_between(br_vec2 force, br_vec2 a, br_vec2 b)
{
    const double turn = br_vec2_cross(a, b);
    return fabs(turn) > 1e-3 && br_vec2_cross(force, b) * turn >= 0.0 &&
           br_vec2_cross(a, force) * turn >= 0.0;
}

// The twist at the centre of friction that brings a body from one pose to another: bri_pushing_moved() backwards.
static br_twist twist_between(const br_pushing* p, br_pose from, br_pose to)
{
    const br_vec2 c = br_pushing_get_centre(p);
    const double angle = to.theta - from.theta, half = 0.5 * angle;
    const double chord = fabs(half) > 1e-8 ? sin(half) / half : 1.0;
    const br_vec2 displacement = br_vec2_sub(br_pose_apply(to, c), br_pose_apply(from, c));
    const br_vec2 turned = br_vec2_rotate(displacement, -from.theta - half);
    return (br_twist){turned.x / chord, turned.y / chord, angle};
}

// The push that moves the body between two poses, by more than one contact.
static br_push push_between(const br_pushing* p, br_pose from, br_pose to, const br_push* alone)
{
    const br_twist v = twist_between(p, from, to);
    const br_limit_value friction = bri_pushing_friction(p, v);
    return (br_push){.twist = v,
                     .friction = friction.wrench,
                     .force = {-friction.wrench.fx, -friction.wrench.fy},
                     .sigma = friction.dissipation,
                     .point = alone->point,
                     .mode = alone->mode};
}

// The push of a tip between two contacts, which moves the body by the tip's centre.
static br_push push_by_centre(const br_pushing* p, br_pose pose, br_vec2 tip, br_vec2 delta,
                              br_vec2 point)
{
    const br_vec2 away = {tip.x - pose.x, tip.y - pose.y};
    br_push push = br_pushing_stick_eval(p, br_vec2_rotate(away, -pose.theta),
                                         br_vec2_rotate(delta, -pose.theta));
    push.point = point;
    return push;
}

// How far a tip is from the tangent of a contact; body frame.
static double gap_to(const br_pushing* p, const tip_touch* at, br_vec2 tip)
{
    return br_vec2_dot(br_vec2_sub(at->point, tip), at->inward) - p->radius;
}

// Displacement of a tip that closes its gaps to two contacts; body frame. NaN or infinite where the
// normals are parallel.
static br_vec2 closing_both(const br_pushing* p, const tip_touch* a, const tip_touch* b,
                            br_vec2 tip)
{
    // n_a.x = gap_a,  n_b.x = gap_b
    const double gap_a = gap_to(p, a, tip), gap_b = gap_to(p, b, tip);
    const double inverse = 1.0 / br_vec2_cross(a->inward, b->inward);
    return (br_vec2){(gap_a * b->inward.y - gap_b * a->inward.y) * inverse,
                     (gap_b * a->inward.x - gap_a * b->inward.x) * inverse};
}

// A sub-step of a tip between two contacts; 1 if it presses on both. Both normals meet in the tip's
// centre, which moves the body once the gaps are closed; the body may turn about it. Friction against
// that rotation, an arm of at most mu times the radius, is neglected.
static int push_both(const br_pushing* p, br_pose* pose, br_vec2 from, br_vec2 delta,
                     const tip_touch* a, const tip_touch* b)
{
    const br_vec2 away = {from.x - pose->x, from.y - pose->y};
    const br_vec2 tip = br_vec2_rotate(away, -pose->theta), closing = closing_both(p, a, b, tip);
    if (!(br_vec2_norm(closing) <= br_vec2_norm(delta))) {
        return 0;
    }
    br_pose next = *pose;
    const br_vec2 displacement = br_vec2_sub(delta, br_vec2_rotate(closing, pose->theta));
    const br_push push = br_pushing_stick_step(p, &next, tip, displacement, 1.0);
    if (!is_between(push.force, a->inward, b->inward) ||
        bri_pushing_touch(p, next, br_vec2_add(from, delta)).gap <
            -bri_pushing_allowed_overlap(p)) {
        return 0;
    }
    *pose = next;
    return 1;
}

// A sub-step in which the push `alone` against the contact `first` overlaps `second`.
static br_push wedge(const br_pushing* p, br_pose* pose, br_vec2 from, br_vec2 delta,
                     sub_step_trace* t)
{
    const br_push* alone = &t->push;
    const br_pose start = *pose;
    const br_vec2 to = br_vec2_add(from, delta);
    if (push_both(p, pose, from, delta, &t->mid, &t->end)) {
        t->kind = SUB_STEP_BOTH;
        return push_by_centre(p, *pose, to, delta, alone->point);
    }
    t->kind = SUB_STEP_SEPARATED;
    *pose = bri_pushing_moved(p, start, alone->twist, 1.0);
    bri_pushing_separate(p, pose, to);
    return push_between(p, start, *pose, alone);
}

br_push bri_pushing_sub_step(const br_pushing* p, br_pose* pose, br_vec2 from, br_vec2 delta,
                             bool is_last, sub_step_trace* trace)
{
    sub_step_trace own, *t = trace ? trace : &own;
    t->kind = SUB_STEP_APART;
    t->start = bri_pushing_touch(p, *pose, from);
    if (t->start.gap > br_vec2_norm(delta)) {
        return (br_push){.point = t->start.point, .mode = BR_PUSH_BREAK};
    }
    t->first = push_by(p, pose->theta, &t->start, delta, t->start.gap);
    t->middle = bri_pushing_moved(p, *pose, t->first.twist, 0.5);
    const br_vec2 halfway = br_vec2_add(from, br_vec2_scale(0.5, delta));
    t->mid = bri_pushing_touch(p, t->middle, halfway);
    t->push = push_by(p, t->middle.theta, &t->mid, delta, t->start.gap);
    const br_pose pushed = bri_pushing_moved(p, *pose, t->push.twist, 1.0);
    t->end = bri_pushing_touch(p, pushed, br_vec2_add(from, delta));
    if (t->end.gap < -bri_pushing_allowed_overlap(p)) {
        return wedge(p, pose, from, delta, t);
    }
    t->kind = SUB_STEP_PUSHED;
    *pose = pushed;
    return t->push.mode == BR_PUSH_BREAK || !is_last
               ? t->push
               : push_by(p, t->middle.theta, &t->mid, delta, 0.0);
}

int bri_pushing_sub_steps(const br_pushing* p, br_vec2 displacement)
{
    const double length = br_vec2_norm(displacement), size = br_outline_get_radius(p->outline);
    const double wanted = ceil(STEPS_PER_SIZE * length / size);
    return wanted >= 1.0 ? (wanted < MAX_STEPS ? (int)wanted : MAX_STEPS) : 1;
}

br_push bri_pushing_per_line(br_push push, int steps)
{
    push.twist = (br_twist){steps * push.twist.vx, steps * push.twist.vy, steps * push.twist.w};
    push.sigma *= steps;
    return push;
}

br_push br_pushing_step(const br_pushing* p, br_pose* pose, br_vec2 from, br_vec2 to)
{
    BR_ASSERT(p && p->outline && pose);
    const br_vec2 displacement = br_vec2_sub(to, from);
    const int steps = bri_pushing_sub_steps(p, displacement);
    const br_vec2 delta = br_vec2_scale(1.0 / steps, displacement);
    br_push push = {.mode = BR_PUSH_BREAK};
    bri_pushing_separate(p, pose, from);
    for (int i = 0; i < steps; i++) {
        const br_vec2 tip = br_vec2_add(from, br_vec2_scale(i, delta));
        push = bri_pushing_sub_step(p, pose, tip, delta, i + 1 == steps, NULL);
    }
    return bri_pushing_per_line(push, steps);
}

// dtheta/dt = w of (40) with the tip's velocity in body axes
static double spin_at(const br_pushing* p, br_vec2 point, br_vec2 velocity, double theta)
{
    return br_pushing_stick_eval(p, point, br_vec2_rotate(velocity, -theta)).twist.w;
}

// The spin of a tip that moves across the arm from the centre of friction.
static double fastest_spin(const br_pushing* p, br_vec2 point, double speed)
{
    const br_vec2 arm = br_vec2_sub(point, br_pushing_get_centre(p));
    const double length = br_vec2_norm(arm);
    const br_vec2 across = {-arm.y * speed / length, arm.x * speed / length};
    return length > 0.0 ? fabs(br_pushing_stick_eval(p, point, across).twist.w) : 0.0;
}

int bri_pushing_stick_steps(const br_pushing* p, br_vec2 point, br_vec2 velocity, double h)
{
    // the classical Runge-Kutta method; sub-steps of up to 0.02 rad give an error below 1e-9
    const double turn = fastest_spin(p, point, br_vec2_norm(velocity)) * h;
    return turn < 100.0 ? 1 + (int)(turn / 0.02) : 5000;
}

br_push br_pushing_stick_step(const br_pushing* p, br_pose* pose, br_vec2 point, br_vec2 velocity,
                              double h)
{
    BR_ASSERT(p && pose);
    const br_vec2 start = br_pose_apply(*pose, point);
    const int steps = bri_pushing_stick_steps(p, point, velocity, h);
    const double dt = h / steps;
    double theta = pose->theta;
    for (int i = 0; i < steps; i++) {
        const double k1 = spin_at(p, point, velocity, theta);
        const double k2 = spin_at(p, point, velocity, theta + 0.5 * dt * k1);
        const double k3 = spin_at(p, point, velocity, theta + 0.5 * dt * k2);
        const double k4 = spin_at(p, point, velocity, theta + dt * k3);
        theta += dt * (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0;
    }
    // the contact point is at the tip
    const br_vec2 arm = br_vec2_rotate(point, theta);
    *pose = (br_pose){start.x + h * velocity.x - arm.x, start.y + h * velocity.y - arm.y, theta};
    return br_pushing_stick_eval(p, point, br_vec2_rotate(velocity, -theta));
}
