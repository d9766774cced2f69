/*
 * A body on many small supports, which an equivalent contact point approximates.
 *
 * The supports are below a rigid body, on ground of uniform compliance. The force of support i at
 * (x_i, y_i) from the CoM is linear in its position while it touches,
 *
 *   N_i = w_i max(0, a + b x_i + c y_i)
 *
 * and a, b, c follow from the weight and from the two moments about the CoM. Friction -mu N_i u_i at the
 * ground, `height` below the CoM, and a load `lift` above it contribute to the moments:
 *
 *   sum N_i = m g,   sum N_i (x_i - height mu u_i) = lift f
 *
 * The forces of three supports follow from statics, for any stiffness. A step is implicit: the velocity
 * at its end minimises
 *
 *   |v - v_free|_M^2/2 + h mu sum N_i s(v_i),   s(v_i) = sqrt(|v_i|^2 + creep^2)
 *
 * (maximum dissipation). An alternating iteration makes the directions u_i and the forces N_i agree.
 */
#include "bristle/slider.h"

#include <math.h>

enum { MAX_TURNS = 200, MAX_ROUNDS = 100, MAX_SETS = 60 };

static const double CREEP = 1e-6; // speed that smooths the kink of |v|, over g h [-]
static const double REST = 30.0;  // at rest: all supports slower than this many creep speeds [-]
static const double SAME = 1e-11; // velocities that count as equal, over g h [-]

// Constants of a step.
typedef struct supports_step {
    const br_slider* body;
    const br_support_point* points;
    size_t count;
    double cosine, sine; // of the body's angle
    br_twist free;       // velocity at its end without friction
    br_vec2 lifted;      // lift f [N m]
    double h, creep;     // [s], [m/s]
} supports_step;

// Position of a support from the CoM, world axes.
static br_vec2 position_of(const supports_step* s, size_t i)
{
    const br_support_point p = s->points[i];
    return (br_vec2){s->cosine * p.x - s->sine * p.y, s->sine * p.x + s->cosine * p.y};
}

static br_vec2 velocity_at(br_twist v, br_vec2 p)
{
    return (br_vec2){v.vx - v.w * p.y, v.vy + v.w * p.x};
}

// v/s(v): a direction, shorter where the speed is near the creep.
static br_vec2 direction_of(const supports_step* s, br_vec2 v)
{
    return br_vec2_scale(1.0 / hypot(br_vec2_norm(v), s->creep), v);
}

// x of A x = b by Cramer's rule; 0: A is singular.
static int solve3(double A[3][3], const double b[3], double x[3])
{
    double minor[3][3], size = 0.0;
    for (int i = 0; i < 9; i++) {
        const int r = i / 3, c = i % 3, r1 = (r + 1) % 3, r2 = (r + 2) % 3;
        const int c1 = (c + 1) % 3, c2 = (c + 2) % 3;
        minor[r][c] = A[r1][c1] * A[r2][c2] - A[r1][c2] * A[r2][c1];
    }
    const double det = A[0][0] * minor[0][0] + A[0][1] * minor[0][1] + A[0][2] * minor[0][2];
    for (int c = 0; c < 3; c++) {
        size += fabs(A[0][c] * A[1][(c + 1) % 3] * A[2][(c + 2) % 3]);
        x[c] = (b[0] * minor[0][c] + b[1] * minor[1][c] + b[2] * minor[2][c]) / det;
    }
    return fabs(det) > 1e-12 * size;
}

// --- normal forces --------------------------------------------------------------------------------

// Add support i to the balances, A (a, b, c) = sum.
static void add_support(const supports_step* s, br_twist v, size_t i, double A[3][3])
{
    const br_vec2 p = position_of(s, i), u = direction_of(s, velocity_at(v, p));
    const double arm = s->body->height * s->body->mu, weight = s->points[i].weight;
    const double sum[3] = {1.0, p.x - arm * u.x, p.y - arm * u.y}, plane[3] = {1.0, p.x, p.y};
    for (int k = 0; k < 9; k++) {
        A[k / 3][k % 3] += weight * sum[k / 3] * plane[k % 3];
    }
}

static double plane_at(const supports_step* s, const double k[3], size_t i)
{
    const br_vec2 p = position_of(s, i);
    return k[0] + k[1] * p.x + k[2] * p.y;
}

// The forces for these directions of motion: start with all supports, then keep those that push. Returns 0
// if no set of pushing supports can carry the body; the forces are then those of all, and some pull.
static int find_normal_forces(const supports_step* s, br_twist v, double* forces)
{
    const double sum[3] = {s->body->mass * s->body->gravity, s->lifted.x, s->lifted.y};
    double k[3] = {1.0, 0.0, 0.0}, all[3] = {0.0};
    int carries = 0;
    for (int set = 0; set < MAX_SETS && !carries; set++) {
        double A[3][3] = {{0.0}}, next[3];
        for (size_t i = 0; i < s->count; i++) {
            if (set == 0 || plane_at(s, k, i) > 0.0) {
                add_support(s, v, i, A);
            }
        }
        if (!solve3(A, sum, next)) {
            break;
        }
        carries = 1;
        for (size_t i = 0; i < s->count; i++) {
            const int was = set == 0 || plane_at(s, k, i) > 0.0;
            carries = carries && was == (plane_at(s, next, i) > 0.0);
        }
        for (int c = 0; c < 3; c++) {
            k[c] = next[c];
            all[c] = set == 0 ? next[c] : all[c];
        }
    }
    for (size_t i = 0; i < s->count; i++) {
        const double high = plane_at(s, carries ? k : all, i);
        forces[i] = s->points[i].weight * (carries ? fmax(high, 0.0) : high);
    }
    return carries;
}

// --- velocity -------------------------------------------------------------------------------------

// The function to minimise, its gradient and its Hessian.
static double potential(const supports_step* s, const double* forces, br_twist v, double slope[3],
                        double bend[3][3])
{
    const double mass[3] = {s->body->mass, s->body->mass, s->body->inertia};
    const double off[3] = {v.vx - s->free.vx, v.vy - s->free.vy, v.w - s->free.w};
    double value = 0.0;
    for (int r = 0; r < 3; r++) {
        bend[r][0] = bend[r][1] = bend[r][2] = 0.0;
        bend[r][r] = mass[r];
        slope[r] = mass[r] * off[r];
        value += 0.5 * slope[r] * off[r];
    }
    for (size_t i = 0; i < s->count; i++) {
        const br_vec2 p = position_of(s, i), at = velocity_at(v, p), u = direction_of(s, at);
        const double impulse = s->h * s->body->mu * fmax(forces[i], 0.0);
        const double speed = hypot(br_vec2_norm(at), s->creep);
        const double J[3][2] = {{1.0, 0.0}, {0.0, 1.0}, {-p.y, p.x}}; // d v_i/d v
        value += impulse * speed;
        for (int r = 0; r < 3; r++) {
            const double along = J[r][0] * u.x + J[r][1] * u.y;
            slope[r] += impulse * along;
            for (int c = 0; c < 3; c++) {
                const double both = J[r][0] * J[c][0] + J[r][1] * J[c][1];
                bend[r][c] += impulse / speed * (both - along * (J[c][0] * u.x + J[c][1] * u.y));
            }
        }
    }
    return value;
}

static br_twist moved(br_twist v, const double step[3], double share)
{
    return (br_twist){v.vx - share * step[0], v.vy - share * step[1], v.w - share * step[2]};
}

static double distance(br_twist a, br_twist b, double r)
{
    return hypot(hypot(a.vx - b.vx, a.vy - b.vy), r * (a.w - b.w));
}

// Newton's method with step halving, which converges by convexity. Stops at a change below `same`; r is
// the radius of gyration.
static br_twist minimise(const supports_step* s, const double* forces, br_twist v, double r,
                         double same)
{
    double slope[3], bend[3][3], step[3], other[3], others[3][3];
    double value = potential(s, forces, v, slope, bend);
    for (int round = 0; round < MAX_ROUNDS && solve3(bend, slope, step); round++) {
        const double fall = slope[0] * step[0] + slope[1] * step[1] + slope[2] * step[2];
        double share = 2.0, next;
        do {
            share *= 0.5;
            next = potential(s, forces, moved(v, step, share), other, others);
        } while (share > 1e-9 && !(next <= value - 1e-4 * share * fall));
        const br_twist before = v;
        v = moved(v, step, share);
        if (!(share > 1e-9) || distance(v, before, r) < same) {
            break; // rounding, or converged
        }
        value = potential(s, forces, v, slope, bend);
    }
    return v;
}

// --- a step ---------------------------------------------------------------------------------------

// Is every support that carries a load practically at rest?
static int is_at_rest(const supports_step* s, const double* forces, br_twist v)
{
    for (size_t i = 0; i < s->count; i++) {
        if (forces[i] > 0.0 && br_vec2_norm(velocity_at(v, position_of(s, i))) > REST * s->creep) {
            return 0;
        }
    }
    return 1;
}

static br_slider_value value_of(const supports_step* s, const double* forces, br_twist v, br_pose q)
{
    const br_slider* body = s->body;
    br_slider_value out = {.pt = body->mass * (v.vx - s->free.vx),
                           .po = body->mass * (v.vy - s->free.vy)};
    br_vec2 shift = {0.0, 0.0};
    double sum = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        const br_vec2 p = position_of(s, i);
        shift = br_vec2_add(shift, br_vec2_scale(forces[i], p));
        out.sigma += forces[i] * br_vec2_norm(velocity_at(v, p));
        sum += forces[i];
    }
    shift = br_vec2_scale(1.0 / sum, shift);
    out.sigma /= sum;
    out.ecp = (br_vec2){q.x + shift.x, q.y + shift.y};
    out.pr = body->inertia * (v.w - s->free.w) - br_vec2_cross(shift, (br_vec2){out.pt, out.po});
    return out;
}

br_status br_slider_supports_step(const br_slider* slider, const br_support_point* points,
                                  size_t count, br_slider_state* state, const br_slider_load* load,
                                  double h, double* forces, br_slider_value* out)
{
    BR_ASSERT(slider && points && count >= 3 && state && load && forces && out);
    const br_wrench f = load->f;
    const double unit = slider->gravity * h, r = sqrt(slider->inertia / slider->mass);
    const supports_step s = {.body = slider,
                             .points = points,
                             .count = count,
                             .cosine = cos(state->q.theta),
                             .sine = sin(state->q.theta),
                             .free = {state->v.vx + h * f.fx / slider->mass,
                                      state->v.vy + h * f.fy / slider->mass,
                                      state->v.w + h * f.tau / slider->inertia},
                             .lifted = {load->lift * f.fx, load->lift * f.fy},
                             .h = h,
                             .creep = CREEP * unit};
    br_twist v = s.free, before;
    int turns = 0;
    do {
        before = v;
        find_normal_forces(&s, v, forces);
        v = minimise(&s, forces, v, r, SAME * unit);
    } while (++turns < MAX_TURNS && distance(v, before, r) > SAME * unit);
    const int carries = find_normal_forces(&s, v, forces);
    const int rests = is_at_rest(&s, forces, v);
    v = rests ? (br_twist){0.0, 0.0, 0.0} : v;
    state->v = v;
    state->q = (br_pose){state->q.x + h * v.vx, state->q.y + h * v.vy, state->q.theta + h * v.w};
    *out = value_of(&s, forces, v, state->q);
    out->mode = rests ? BR_SLIDER_STICK : BR_SLIDER_SLIDE;
    out->iterations = turns;
    return carries ? BR_OK : BR_ERR_CONVERGENCE;
}
