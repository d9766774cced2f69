/*
 * Where the bristles of a body are when its run begins, or a contact begins to press within it.
 *
 * Settled: the body has moved by a small d from where the bristles were relaxed, and each part's
 * bristle has followed up to the length mu_s/sigma0, where it slips. With K(d) the secant stiffness,
 *
 *   K(d) d = gravity and loads
 *
 * is solved by d <- K(d)^-1 (gravity and loads), which comes to its end, as the energy is convex in d,
 * wherever friction can hold the body.
 *
 * A contact that begins to press while the body slides over it begins steady, too. From 0 its bristles
 * would come to z_max at once, and take the impulse sigma1 fn z_max: that is of the model's start, not of a body
 * whose surfaces rub as soon as they meet.
 */
#include "sim/body_internal.h"

#include <string.h>

// What is left of the load where the bristles hold it, as a share of what they can hold [-].
static const double balanced = 1e-10;

// Near the limit of what can be held each round mends less; what takes longer counts as not held.
enum { MOST_ROUNDS = 2000 };

// A velocity that is meant to be the contact's is so up to rounding: what counts is the Stribeck speed.
static int slides(const held* h, const double* y)
{
    const contact* c = &h->contact;
    const br_twist v = held_twist(h, y);
    return hypot(hypot(v.vx, v.vy), c->value.r * v.w) > c->law->v_stribeck;
}

static int is_at_rest(const body_system* s, const double* y)
{
    size_t i = 0;
    while (i < s->body->contact_count && !slides(&s->contacts[i], y)) {
        i++;
    }
    return i == s->body->contact_count;
}

// Bristles after the displacement d of the CoM; their secant stiffness at the CoM.
static mat3 hold(body_system* s, const double d[3], double* y)
{
    mat3 sum = {0};
    for (size_t i = 0; i < s->body->contact_count; i++) {
        const held* h = &s->contacts[i];
        const lever l = held_lever(h, pose_of(y));
        mat3 k, u;
        const br_twist moved = twist_at(&l, (br_twist){d[0], d[1], d[2]});
        bri_contact_hold(&h->contact, moved, y + h->at, k.at);
        u = (mat3){{{l.cosine, l.sine, -l.arm.y}, {-l.sine, l.cosine, l.arm.x}, {0.0, 0.0, 1.0}}};
        mat3_add_product((double)h->def->count * h->now.fn, &u, &k, &u, &sum);
    }
    return sum;
}

static void times(const mat3* a, const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a->at[i][0] * x[0] + a->at[i][1] * x[1] + a->at[i][2] * x[2];
    }
}

// The most that friction can hold as a force [N].
static double capacity(const body_system* s)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        const held* h = &s->contacts[i];
        sum += (double)h->def->count * h->now.fn * h->contact.law->mu_s;
    }
    return sum;
}

// 1 if the bristles hold the load.
static int settle(body_system* s, const double load[3], double* y)
{
    const double most = capacity(s);
    double d[3] = {0.0, 0.0, 0.0};
    for (int round = 0; round < MOST_ROUNDS && most > 0.0; round++) {
        mat3 k = hold(s, d, y), inverse;
        const double arm = sqrt(k.at[2][2] / k.at[0][0]);
        double resisted[3];
        times(&k, d, resisted);
        if (hypot(resisted[0] - load[0], resisted[1] - load[1]) <= balanced * most &&
            fabs(resisted[2] - load[2]) <= balanced * most * arm) {
            return 1;
        }
        k.at[2][2] += 1e-18 * k.at[0][0]; // so that a single point, free to turn, has an inverse
        if (!mat3_invert(&k, &inverse)) {
            return 0;
        }
        times(&inverse, load, d);
    }
    return 0;
}

static void settle_or_relax(body_system* s, double* y)
{
    const br_wrench loads = bri_body_loads(s, 0.0, pose_of(y), NULL, NULL);
    const br_vec2 g = bri_body_gravity(s, 0.0, NULL);
    const double load[3] = {loads.fx + s->body->mass * g.x, loads.fy + s->body->mass * g.y,
                            loads.tau};
    if (!settle(s, load, y)) {
        memset(y + BRISTLES, 0, (s->n - BRISTLES) * sizeof *y);
    }
}

static void begin_steady(const held* h, double* y)
{
    bri_contact_steady_state(&h->contact, held_twist(h, y), y + h->at);
}

void bri_held_touch(const body_system* s, held* h, double t, double* y)
{
    const br_body_start start = s->body->start;
    bri_contact_spread(&h->contact, h->now.fn);
    bri_held_move(s, h, t);
    if (start == BR_START_STEADY || (start != BR_START_RELAXED && slides(h, y))) {
        begin_steady(h, y);
    }
}

void bri_body_begin(body_system* s, double* y)
{
    for (size_t i = 0; i < s->body->contact_count; i++) {
        held* h = &s->contacts[i];
        h->now.fn = bri_held_force(s, h, 0.0, NULL);
        bri_contact_spread(&h->contact, h->now.fn);
        bri_held_move(s, h, 0.0);
    }
    br_body_start start = s->body->start;
    if (start == BR_START_BY_MOTION) {
        start = is_at_rest(s, y) ? BR_START_SETTLED : BR_START_STEADY;
    }
    if (start == BR_START_SETTLED) {
        settle_or_relax(s, y);
    }
    for (size_t i = 0; start == BR_START_STEADY && i < s->body->contact_count; i++) {
        begin_steady(&s->contacts[i], y);
    }
}
