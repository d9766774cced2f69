/*
 * Motion of the ground of a contact: a finger with its patch, or the table under a body.
 *
 * G(p) is the twist of the ground, rigidly extended, at the CoM p. The contact has the twist
 *
 *   u = U (V - G(p)),   G(p) = (o' + a' J (p - o), a'),   J = (0, -1; 1, 0)
 *
 * with o, a the position and angle of the ground's frame and U the lever from the CoM to the CoP. Moving
 * ground does work on the body by friction, with the power F.G(p).
 */
#include "sim/body_internal.h"
#include "sim/run.h"

static br_vec2 quarter_turn(br_vec2 a)
{
    return (br_vec2){-a.y, a.x};
}

br_pose br_body_contact_pose_eval(const br_body_contact* of, br_pose pose, double t)
{
    BR_ASSERT(of);
    const br_profile* p = of->motion;
    if (of->frame == BR_FRAME_BODY) {
        const br_vec2 at = br_pose_apply(pose, of->at);
        return (br_pose){at.x, at.y, pose.theta};
    }
    return (br_pose){of->at.x + br_profile_eval(&p[0], t, t, NULL),
                     of->at.y + br_profile_eval(&p[1], t, t, NULL),
                     br_profile_eval(&p[2], t, t, NULL)};
}

int bri_contact_run_is_moved(const contact_run* h)
{
    const br_profile* p = h->def->motion;
    for (int i = 0; i < 3; i++) {
        if (p[i].kind != BR_PROFILE_CONSTANT || p[i].mean != 0.0) {
            return 1;
        }
    }
    return h->def->frame == BR_FRAME_WORLD && (h->def->at.x != 0.0 || h->def->at.y != 0.0);
}

void bri_contact_run_move(const body_system* s, contact_run* h, double t)
{
    if (!h->moves) {
        return;
    }
    const br_profile* p = h->def->motion;
    ground* g = &h->ground;
    g->at.x = br_profile_eval(&p[0], t, s->within, &g->v.vx);
    g->at.y = br_profile_eval(&p[1], t, s->within, &g->v.vy);
    g->at.theta = br_profile_eval(&p[2], t, s->within, &g->v.w);
    if (h->def->frame == BR_FRAME_WORLD) {
        g->at.x += h->def->at.x;
        g->at.y += h->def->at.y;
    }
    g->a =
        (br_twist){br_profile_second(&p[0], t, s->within), br_profile_second(&p[1], t, s->within),
                   br_profile_second(&p[2], t, s->within)};
}

// Derivative by the position: du/dp = -W U J. W is the spin of the body for a patch that is fixed to the
// ground, and the spin of the ground for a patch that is fixed to the body. The axes of a patch on the
// body turn with it.
void bri_contact_run_twist_slopes(contact_run* h, const lever* l, br_pose pose, br_twist v)
{
    const double c = l->cosine, sn = l->sine;
    const int in_world = h->def->frame == BR_FRAME_WORLD;
    const double spin = in_world ? v.w : h->ground.v.w;
    h->by_pose = (mat3){{{-spin * sn, spin * c, 0.0}, {-spin * c, -spin * sn, 0.0}}};
    if (!in_world) {
        const br_twist u = contact_relative_twist(h, pose, v);
        h->by_pose.at[0][2] = c * u.vy - sn * u.vx;
        h->by_pose.at[1][2] = -c * u.vx - sn * u.vy;
    }
    h->by_velocity = (mat3){{{c, sn, -l->arm.y}, {-sn, c, l->arm.x}, {0.0, 0.0, 1.0}}};
}

// Rotate a vector from world axes into the axes of a lever.
static br_vec2 enter(const lever* l, br_vec2 a)
{
    return (br_vec2){l->cosine * a.x + l->sine * a.y, l->cosine * a.y - l->sine * a.x};
}

// Rate of the twist of a patch on the ground, its CoP at c: u = R^T (v + w J (c - p) - c'), so that
// du/dt = R^T (w J c' - c'') - a' J u.
static br_twist world_twist_rate(const contact_run* h, const lever* l, br_twist v, br_twist u)
{
    const ground* g = &h->ground;
    const br_vec2 r = br_vec2_rotate(h->contact.value.cop, g->at.theta), turned = quarter_turn(r);
    const br_vec2 c1 = {g->v.vx + g->v.w * turned.x, g->v.vy + g->v.w * turned.y};
    const double centripetal = g->v.w * g->v.w;
    const br_vec2 c2 = {g->a.vx + g->a.w * turned.x - centripetal * r.x,
                        g->a.vy + g->a.w * turned.y - centripetal * r.y};
    const br_vec2 rate = enter(l, (br_vec2){-v.w * c1.y - c2.x, v.w * c1.x - c2.y});
    return (br_twist){rate.x + g->v.w * u.vy, rate.y - g->v.w * u.vx, -g->a.w};
}

// Rate of the twist of a patch on the body: u = U (V - G(p)), where only G depends on time.
static br_twist body_twist_rate(const contact_run* h, const lever* l, br_pose pose)
{
    const ground* g = &h->ground;
    const br_vec2 far = quarter_turn((br_vec2){pose.x - g->at.x, pose.y - g->at.y});
    const br_twist rate = {-(g->a.vx + g->a.w * far.x + g->v.w * g->v.vy),
                           -(g->a.vy + g->a.w * far.y - g->v.w * g->v.vx), -g->a.w};
    return twist_at(l, rate);
}

// Time derivatives of twist and wrench by the motion of the ground, at fixed body and bristles.
void bri_contact_run_ground_slopes(const contact_run* h, const lever* l, const double* y,
                                   double* dfdt, double* more, br_wrench* slope)
{
    const br_pose pose = pose_of(y);
    const br_twist v = velocity_of(y), u = contact_twist(h, y);
    const int in_world = h->def->frame == BR_FRAME_WORLD;
    const br_twist rate = in_world ? world_twist_rate(h, l, v, u) : body_twist_rate(h, l, pose);
    bri_contact_push(&h->contact, rate, more);
    for (size_t i = 0; i < contact_states(&h->contact); i++) {
        dfdt[h->at + i] += more[i];
    }
    const double force = (double)h->def->count * h->now.fn;
    add_wrench(slope, force,
               wrench_from(l, bri_contact_wrench_push(&h->contact, y + h->at, u, rate)));
    if (in_world) {
        // the force turns and its point moves with the ground: J F a',  c' x F + (c - p).F a'
        const ground* g = &h->ground;
        const br_wrench f = wrench_from(l, h->now.slip.f);
        const br_vec2 turned = quarter_turn(br_vec2_rotate(h->contact.value.cop, g->at.theta));
        const br_vec2 c1 = {g->v.vx + g->v.w * turned.x, g->v.vy + g->v.w * turned.y};
        const double along = l->arm.x * h->now.slip.f.fx + l->arm.y * h->now.slip.f.fy;
        add_wrench(
            slope, force,
            (br_wrench){-g->v.w * f.fy, g->v.w * f.fx, c1.x * f.fy - c1.y * f.fx + g->v.w * along});
    }
}
