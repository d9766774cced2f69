/*
 * Distribution of a body's weight over its feet.
 *
 * A share w_i of the weight on each of n_i feet at r_i from under the CoM balances it if
 *
 *   sum n_i w_i = 1,   sum n_i w_i r_i = 0,   w_i >= 0
 *
 * Two or three feet have one solution, the lever rule. For more feet we take the one with the smallest
 * sum n_i w_i^2, which is that of equal springs under a rigid body. With s_i = a + b.r_i it is
 * w_i = max(0, s_i), where (a, b) is the minimum of the convex sum n_i max(0, s_i)^2/2 - a.
 *
 * The pressure distribution of a patch is fixed, so r_i is its centre of pressure. Where the CoM is outside
 * the hull of these centres, but inside that of the patches, the nearest point of the inner hull is used.
 */
#include "sim/body_internal.h"

#include <string.h>

// Lengths below this share of the feet's distances count as rounding [-].
static const double rounding = 1e-12;

// Tolerance of the balance of weight, and of its moment over the feet's distances [-].
static const double balanced = 1e-15;

enum { MAX_ROUNDS = 200, MAX_HALVINGS = 60 };

// A foot, or several at the same position.
typedef struct foot {
    br_vec2 cop;      // from the CoM, later from the point below the resultant weight [m]
    double count;     // [-]
    br_outline* edge; // hull of its patch, from `at`; NULL: a disc about its CoP
    br_vec2 at;       // [m]
    double radius;    // of that disc [m]
    size_t contact;   // index in the body's contacts
} foot;

// --- the point of a hull nearest to the origin -----------------------------------------------------

// The point of a foot's patch that is farthest along -v; and its CoP, for the hull of CoPs.
static br_vec2 patch_support(const foot* f, br_vec2 v)
{
    size_t count = 0;
    const br_vec2* corner = f->edge ? br_outline_get_vertices(f->edge, &count) : NULL;
    if (count == 0) {
        const br_vec2 centre =
            f->edge ? br_vec2_add(f->at, br_outline_get_centre(f->edge)) : f->cop;
        const double radius = f->edge ? br_outline_get_radius(f->edge) : f->radius;
        const double size = br_vec2_norm(v);
        return br_vec2_add(centre, br_vec2_scale(size > 0.0 ? -radius / size : 0.0, v));
    }
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        best = br_vec2_dot(corner[i], v) < br_vec2_dot(corner[best], v) ? i : best;
    }
    return br_vec2_add(f->at, corner[best]);
}

static br_vec2 cop_support(const foot* f, br_vec2 v)
{
    (void)v;
    return f->cop;
}

typedef br_vec2 support_of(const foot* f, br_vec2 v);

static br_vec2 farthest(const foot* feet, size_t count, support_of* support, br_vec2 v)
{
    br_vec2 best = support(&feet[0], v);
    for (size_t i = 1; i < count; i++) {
        const br_vec2 p = support(&feet[i], v);
        best = br_vec2_dot(p, v) < br_vec2_dot(best, v) ? p : best;
    }
    return best;
}

static br_vec2 nearest_on_segment(br_vec2 a, br_vec2 b)
{
    const br_vec2 ab = br_vec2_sub(b, a);
    const double square = br_vec2_dot(ab, ab), along = -br_vec2_dot(a, ab);
    const double x = square > 0.0 ? fmin(fmax(along / square, 0.0), 1.0) : 0.0;
    return (br_vec2){a.x + x * ab.x, a.y + x * ab.y};
}

static int triangle_has_origin(const br_vec2 p[3])
{
    const double a = br_vec2_cross(p[0], p[1]), b = br_vec2_cross(p[1], p[2]),
                 c = br_vec2_cross(p[2], p[0]);
    return (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
}

// Nearest point of a triangle's edges to the origin, which is outside; that edge becomes p[0], p[1].
static br_vec2 nearest_edge(br_vec2 p[3])
{
    br_vec2 best = nearest_on_segment(p[0], p[1]);
    int left_out = 2;
    for (int i = 0; i < 2; i++) {
        const br_vec2 v = nearest_on_segment(p[i], p[2]);
        if (br_vec2_norm(v) < br_vec2_norm(best)) {
            best = v;
            left_out = 1 - i;
        }
    }
    p[left_out] = p[2];
    return best;
}

// Gilbert-Johnson-Keerthi iteration: up to three points whose hull gets nearer with each round.
static br_vec2 nearest_in_hull(const foot* feet, size_t count, support_of* support, double scale)
{
    br_vec2 p[3], v = farthest(feet, count, support, feet[0].cop);
    size_t points = 1;
    p[0] = v;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        const double size = br_vec2_norm(v);
        const br_vec2 next = farthest(feet, count, support, v);
        if (size <= rounding * scale ||
            size * size - br_vec2_dot(v, next) <= rounding * scale * size) {
            break; // no point is nearer
        }
        p[points++] = next;
        if (points == 2) {
            v = nearest_on_segment(p[0], p[1]);
        } else if (triangle_has_origin(p)) {
            return (br_vec2){0.0, 0.0};
        } else {
            v = nearest_edge(p);
            points = 2;
        }
    }
    return br_vec2_norm(v) <= rounding * scale ? (br_vec2){0.0, 0.0} : v;
}

// --- shares ---------------------------------------------------------------------------------------

// sum n max(0, s)^2/2 - a, s = a + b.r, with its derivatives by (a, b).
typedef struct share_sum {
    double value;
    vector3 gradient;
    mat3 tangent;
} share_sum;

static double share_at(const foot* f, vector3 x)
{
    return fmax(x.at[0] + x.at[1] * f->cop.x + x.at[2] * f->cop.y, 0.0);
}

static share_sum share_sum_at(const foot* feet, size_t count, vector3 x, double scale)
{
    share_sum d = {.value = -x.at[0], .gradient = {{-1.0, 0.0, 0.0}}};
    double total = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double n = feet[i].count, s = share_at(&feet[i], x);
        const double by[3] = {1.0, feet[i].cop.x, feet[i].cop.y};
        d.value += 0.5 * n * s * s;
        total += n;
        for (int k = 0; s > 0.0 && k < 9; k++) {
            d.tangent.at[k / 3][k % 3] += n * by[k / 3] * by[k % 3];
        }
        for (int k = 0; k < 3; k++) {
            d.gradient.at[k] += n * s * by[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        // regularise: feet on a line or at one position leave the matrix singular
        d.tangent.at[k][k] += rounding * total * (k == 0 ? 1.0 : scale * scale);
    }
    return d;
}

static int is_balanced(const share_sum* d, double scale)
{
    return fabs(d->gradient.at[0]) <= balanced &&
           hypot(d->gradient.at[1], d->gradient.at[2]) <= balanced * scale;
}

// Newton's method, its steps halved until the value falls.
static vector3 find_shares(const foot* feet, size_t count, double scale)
{
    vector3 x = {{0.0, 0.0, 0.0}};
    for (size_t i = 0; i < count; i++) {
        x.at[0] += feet[i].count;
    }
    x.at[0] = 1.0 / x.at[0];
    share_sum d = share_sum_at(feet, count, x, scale);
    for (int round = 0; round < MAX_ROUNDS && !is_balanced(&d, scale); round++) {
        const vector3 step = mat3_solve(d.tangent, d.gradient);
        const double slope = vector3_dot(step, d.gradient);
        double part = 1.0;
        share_sum to = d;
        vector3 trial = x;
        for (int i = 0; i < MAX_HALVINGS; i++, part *= 0.5) {
            for (int k = 0; k < 3; k++) {
                trial.at[k] = x.at[k] - part * step.at[k];
            }
            to = share_sum_at(feet, count, trial, scale);
            if (to.value <= d.value - 1e-4 * part * slope || slope < 1e-15 * fabs(d.value)) {
                break;
            }
        }
        x = trial;
        d = to;
    }
    return x;
}

// --- feet of a body -------------------------------------------------------------------------------

static br_status fill_foot(const br_body_contact* c, double fn, foot* f, br_reason* why)
{
    const br_patch_value value =
        c->patch ? br_patch_eval(c->patch, fn) : br_contact_get_patch_value(c->contact);
    f->cop = br_vec2_add(c->at, c->patch ? value.cop : br_contact_get_centres(c->contact).pressure);
    f->at = c->at;
    f->count = (double)c->count;
    f->radius = 1.5 * value.r; // of a disc with this mean distance
    return c->patch ? br_outline_create(c->patch, fn, 1, &f->edge, why) : BR_OK;
}

// Collect the feet that bear weight. A patch that depends on the force is taken at an equal share.
static br_status gather_feet(const br_body* body, const int* bears, foot* feet, size_t* count,
                             br_reason* why)
{
    double total = 0.0;
    for (size_t i = 0; i < body->contact_count; i++) {
        total += bears[i] ? (double)body->contacts[i].count : 0.0;
    }
    const double normal = br_body_normal_gravity(bri_body_start_gravity(body));
    const double fn = body->mass * normal / fmax(total, 1.0);
    br_status status = BR_OK;
    for (size_t i = 0; status == BR_OK && i < body->contact_count; i++) {
        if (bears[i]) {
            foot* f = &feet[(*count)++];
            f->contact = i;
            status = fill_foot(&body->contacts[i], fn, f, why);
        }
    }
    return status;
}

// The length that rounding is relative to: a point below the CoM may be the sum of two long arms.
static double longest_arm(const foot* feet, size_t count)
{
    double longest = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double reach = feet[i].edge ? br_outline_get_radius(feet[i].edge) : feet[i].radius;
        longest = fmax(longest, br_vec2_norm(feet[i].cop) + reach);
        longest = fmax(longest, br_vec2_norm(feet[i].at));
    }
    return longest > 0.0 ? longest : 1.0;
}

static br_status check_support(const foot* feet, size_t count, double scale, br_reason* why)
{
    const double outside = br_vec2_norm(nearest_in_hull(feet, count, patch_support, scale));
    if (outside <= 1e-9 * scale) {
        return BR_OK;
    }
    br_reason_set(
        why, "weight",
        "cannot be borne: the centre of mass is %.3g m outside of the support, the convex "
        "hull of the patches that bear the weight, so that the body tips over",
        outside);
    return BR_ERR_DEF;
}

// Find the shares of the feet; moves the origin of their CoPs to the point below the weight.
static void share(foot* feet, size_t count, double scale, double* weight)
{
    const br_vec2 rests = nearest_in_hull(feet, count, cop_support, scale);
    for (size_t i = 0; i < count; i++) {
        feet[i].cop = br_vec2_sub(feet[i].cop, rests);
    }
    const vector3 x = find_shares(feet, count, scale);
    double total = 0.0;
    for (size_t i = 0; i < count; i++) {
        total += feet[i].count * share_at(&feet[i], x);
    }
    for (size_t i = 0; i < count; i++) {
        weight[feet[i].contact] = share_at(&feet[i], x) / total;
    }
}

br_status br_body_share_weight(const br_body* body, const int* bears, double* weight,
                               br_reason* why)
{
    BR_ASSERT(body && (body->contact_count == 0 || (bears && weight)));
    size_t count = 0;
    foot* feet = br_allocate(body->contact_count + 1, sizeof *feet);
    if (!feet) {
        br_reason_set(why, "", "no memory for %zu feet", body->contact_count);
        return BR_ERR_MEMORY;
    }
    memset(weight, 0, body->contact_count * sizeof *weight);
    br_status status = gather_feet(body, bears, feet, &count, why);
    if (status == BR_OK && count > 0) {
        const double scale = longest_arm(feet, count);
        status = check_support(feet, count, scale, why);
        if (status == BR_OK) {
            share(feet, count, scale, weight);
        }
    }
    for (size_t i = 0; i < count; i++) {
        br_outline_destroy(feet[i].edge);
    }
    br_release(feet);
    return status;
}
