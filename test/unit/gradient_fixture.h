/*
 * Random bodies on contacts, all inputs of a step as one struct: steps from any of them, along a direction.
 */
#ifndef BRISTLE_TEST_GRADIENT_FIXTURE_H
#define BRISTLE_TEST_GRADIENT_FIXTURE_H

#include "step_fixture.h"

#include "planar/contact_internal.h"

#ifndef GRADIENT_LINKS
#define GRADIENT_LINKS 2
#endif
enum {
    LINKS = GRADIENT_LINKS,
    TWISTS = 3 * LINKS,
    NUMBERS = 2 * TWISTS + 3 + LINKS * (4 + MOST_STATES)
};

// All that a step depends on; also a direction in which all of it changes.
typedef struct inputs {
    double v[3], load[3], mass[3][3], h;
    double u[TWISTS], a[TWISTS * TWISTS], fn_f[LINKS * TWISTS]; // of a group
    struct {
        double fn, arm[2], angle, ground[3];
        br_law law;
        double z[MOST_STATES];
    } at[LINKS];
} inputs;

// What it gives: V, then f and z of each contact.
typedef struct outputs {
    double numbers[NUMBERS];
    br_step_result did;
    br_step_record record;
} outputs;

// Shapes of the contacts of a case, and how they are stepped.
typedef struct setting {
    const br_contact* like[LINKS];
    size_t count[LINKS], links;
    int order, passes;
    int follows; // 1: the patches follow the normal force
} setting;

static inline double* law_number(br_law* law, int by)
{
    return (double*)((char*)law + br_law_get_parameter((size_t)by)->offset);
}

// The same contact with another law; it borrows all else.
static inline br_contact contact_like(const br_contact* like, const br_law* law)
{
    br_contact made = *like;
    made.def.law = *law;
    made.law = bri_kernel_law(law);
    return made;
}

enum { AT_BYTES = 1 << 18 };

// The contact of link k, with its law and at its normal force; valid until the next call for that link.
static inline br_contact contact_from(const inputs* in, const setting* how, size_t k)
{
    static _Alignas(64) char memory[LINKS][AT_BYTES];
    const br_contact* like = how->like[k];
    if (how->follows) {
        const size_t size = br_contact_get_at_force_size(like);
        assert_true(size <= AT_BYTES);
        memset(memory[k], 0, size);
        like = br_contact_at_force(like, in->at[k].fn, memory[k]);
    }
    return contact_like(like, &in->at[k].law);
}

static inline const br_contact_slopes* slopes_from(const inputs* in, const setting* how, size_t k)
{
    static _Alignas(64) char memory[LINKS][3 * AT_BYTES];
    if (!how->follows) {
        return NULL;
    }
    assert_true(br_contact_slopes_get_size(how->like[k]) <= 3 * AT_BYTES);
    return br_contact_slopes_at(how->like[k], in->at[k].fn, (br_pose){0.0, 0.0, 0.0}, memory[k]);
}

// What the third state is per one in m^2: 1, or 1/u where it is an angle.
static inline double third_unit(const br_contact* like)
{
    return contact_is_reduced(like) ? like->look.per_turn : 1.0;
}

static inline br_twist twist_from(const double v[3])
{
    return (br_twist){v[0], v[1], v[2]};
}

static inline br_wrench wrench_from(const double f[3])
{
    return (br_wrench){f[0], f[1], f[2]};
}

static inline br_step_body body_from(const inputs* in, const setting* how)
{
    br_step_body body = br_step_body_default(1.0, 1.0);
    memcpy(body.mass, in->mass, sizeof body.mass);
    body.order = how->order;
    body.passes = how->passes;
    return body;
}

static inline br_step_contact step_contact_from(const inputs* in, const setting* how, size_t k,
                                                const br_contact* model, double* z)
{
    return (br_step_contact){.contact = model,
                             .z = z,
                             .arm = {in->at[k].arm[0], in->at[k].arm[1]},
                             .angle = in->at[k].angle,
                             .fn = in->at[k].fn,
                             .count = how->count[k],
                             .ground = twist_from(in->at[k].ground)};
}

static inline void step_from(const inputs* in, const setting* how, outputs* out)
{
    static double work[LINKS * MOST_WORK];
    br_step_contact contacts[LINKS];
    br_contact made[LINKS];
    double* z[LINKS];
    br_twist v = twist_from(in->v);
    size_t at = 3;
    for (size_t k = 0; k < how->links; k++) {
        made[k] = contact_from(in, how, k);
        const size_t states = br_contact_get_state_count(&made[k]);
        z[k] = out->numbers + at + 3;
        memcpy(z[k], in->at[k].z, states * sizeof *z[k]);
        contacts[k] = step_contact_from(in, how, k, &made[k], z[k]);
        at += 3 + states;
    }
    const br_step_body body = body_from(in, how);
    out->did = br_step_coupled_recorded(&body, &v, wrench_from(in->load), in->h, contacts,
                                        how->links, work, &out->record);
    memcpy(out->numbers, (double[3]){v.vx, v.vy, v.w}, 3 * sizeof(double));
    for (size_t k = 0; k < how->links; k++) {
        const br_wrench f = contacts[k].f;
        memcpy(z[k] - 3, (double[3]){f.fx, f.fy, f.tau}, 3 * sizeof(double));
    }
}

static inline size_t output_count(const setting* how)
{
    size_t count = 3;
    for (size_t k = 0; k < how->links; k++) {
        count += 3 + br_contact_get_state_count(how->like[k]);
    }
    return count;
}

// in + e d
static inline inputs moved_inputs(const inputs* in, double e, const inputs* d, const setting* how)
{
    inputs out = *in;
    for (int i = 0; i < 9; i++) {
        out.mass[i / 3][i % 3] += e * d->mass[i / 3][i % 3];
        out.v[i % 3] += i < 3 ? e * d->v[i] : 0.0;
        out.load[i % 3] += i < 3 ? e * d->load[i] : 0.0;
    }
    out.h += e * d->h;
    for (int i = 0; i < TWISTS * TWISTS; i++) {
        out.a[i] += e * d->a[i];
        out.u[i % TWISTS] += i < TWISTS ? e * d->u[i] : 0.0;
        out.fn_f[i % (LINKS * TWISTS)] += i < LINKS * TWISTS ? e * d->fn_f[i] : 0.0;
    }
    for (size_t k = 0; k < how->links; k++) {
        out.at[k].fn += e * d->at[k].fn;
        out.at[k].angle += e * d->at[k].angle;
        out.at[k].arm[0] += e * d->at[k].arm[0];
        out.at[k].arm[1] += e * d->at[k].arm[1];
        for (int i = 0; i < 3; i++) {
            out.at[k].ground[i] += e * d->at[k].ground[i];
        }
        inputs direction = *d;
        for (int by = 0; by < BR_BY_COUNT; by++) {
            *law_number(&out.at[k].law, by) += e * *law_number(&direction.at[k].law, by);
        }
        for (size_t i = 0; i < br_contact_get_state_count(how->like[k]); i++) {
            out.at[k].z[i] += e * d->at[k].z[i];
        }
    }
    return out;
}

static inline double log_uniform(uint64_t* seed, double low, double high)
{
    return low * pow(high / low, uniform(seed, 0.0, 1.0));
}

// What is special about the damping of random laws.
typedef enum damping { CONSTANT, FADING, STRONG } damping;

static inline br_law random_law(uint64_t* seed, damping how)
{
    const int plastic = uniform(seed, 0.0, 1.0) < 0.6;
    br_law law = br_law_default(plastic ? BR_LAW_ELASTO_PLASTIC : BR_LAW_LUGRE);
    law.mu_c = log_uniform(seed, 0.2, 1.2);
    law.mu_s = law.mu_c * uniform(seed, 1.05, 1.8);
    law.v_stribeck = log_uniform(seed, 1e-3, 0.1);
    law.gamma = uniform(seed, 0.0, 1.0) < 0.5 ? 2.0 : uniform(seed, 0.7, 2.5);
    law.sigma0 = log_uniform(seed, 3e3, 1e6);
    law.sigma1 = law.sigma0 * log_uniform(seed, 1e-5, 3e-3);
    law.sigma2 = uniform(seed, 0.0, 1.0);
    law.s_ba = uniform(seed, 0.1, 0.95);
    law.v_damping = how == FADING ? log_uniform(seed, 1e-3, 0.1) : 0.0;
    law.sigma1 *= how == STRONG ? log_uniform(seed, 10.0, 1e3) : 1.0; // it is limited in some steps
    return law;
}

// About 1, of either sign.
static inline double some(uint64_t* seed)
{
    return uniform(seed, -1.7, 1.7);
}

// A random body on its contacts; a few steps before give its bristles a history.
static inline void random_inputs(uint64_t* seed, const setting* how, damping damped, inputs* in)
{
    const double mass = log_uniform(seed, 0.05, 5.0),
                 inertia = mass * log_uniform(seed, 1e-4, 1e-2);
    double limit = 0.0;
    memset(in, 0, sizeof *in);
    in->mass[0][0] = in->mass[1][1] = mass;
    in->mass[2][2] = inertia;
    in->mass[0][2] = in->mass[2][0] = 0.1 * sqrt(inertia * mass) * some(seed);
    in->h = log_uniform(seed, 1e-5, 1e-2);
    const double ground = uniform(seed, 0.0, 1.0) < 0.3 ? 0.02 : 0.0;
    for (size_t k = 0; k < how->links; k++) {
        in->at[k].law = random_law(seed, damped);
        in->at[k].fn = log_uniform(seed, 0.5, 50.0);
        in->at[k].arm[0] = 0.03 * some(seed);
        in->at[k].arm[1] = 0.03 * some(seed);
        in->at[k].angle = 3.0 * some(seed);
        in->at[k].ground[0] = ground * some(seed);
        in->at[k].ground[2] = ground * some(seed);
        limit += in->at[k].law.mu_s * in->at[k].fn * (double)how->count[k];
    }
    const double speed = uniform(seed, 0.0, 1.0) < 0.3 ? 0.0 : log_uniform(seed, 1e-5, 1.0);
    const double part = log_uniform(seed, 0.05, 1.5) * limit;
    for (int i = 0; i < 3; i++) {
        in->v[i] = speed * some(seed) * (i == 2 ? 50.0 : 1.0);
        in->load[i] = part * some(seed) * (i == 2 ? 0.01 : 1.0);
    }
    const int before = (int)uniform(seed, 0.0, 6.0);
    for (int i = 0; i < before; i++) {
        outputs out;
        size_t at = 3;
        step_from(in, how, &out);
        memcpy(in->v, out.numbers, sizeof in->v);
        for (size_t k = 0; k < how->links; k++) {
            const size_t states = br_contact_get_state_count(how->like[k]);
            memcpy(in->at[k].z, out.numbers + at + 3, states * sizeof *in->at[k].z);
            at += 3 + states;
        }
    }
    for (size_t k = 0; damped == STRONG && k < how->links;
         k++) { // beyond z_max they give energy back
        const double more = uniform(seed, 1.0, 5.0);
        for (size_t i = 0; i < br_contact_get_state_count(how->like[k]); i++) {
            in->at[k].z[i] *= more;
        }
    }
}

// The speed that a law does not resolve in a step [m/s].
static inline double own_speed(const inputs* in, size_t k)
{
    return in->at[k].law.mu_c / in->at[k].law.sigma0 / in->h;
}

// A direction in which everything changes by about a tenth of its size.
static inline void random_direction(uint64_t* seed, const setting* how, const inputs* in, inputs* d)
{
    double speed = hypot(in->v[0], in->v[1]) + 0.02 * fabs(in->v[2]), limit = 0.0;
    memset(d, 0, sizeof *d);
    for (size_t k = 0; k < how->links; k++) {
        const double z_max = in->at[k].law.mu_c / in->at[k].law.sigma0;
        const size_t parts = br_contact_get_part_count(how->like[k]);
        br_law law = in->at[k].law;
        speed = fmax(speed, 0.01 * own_speed(in, k));
        limit += law.mu_c * in->at[k].fn;
        d->at[k].fn = 0.1 * in->at[k].fn * some(seed);
        d->at[k].arm[0] = 0.01 * some(seed);
        d->at[k].arm[1] = 0.01 * some(seed);
        d->at[k].angle = 0.1 * some(seed);
        d->at[k].ground[0] = 0.1 * speed * some(seed);
        d->at[k].ground[2] = speed * some(seed);
        for (int by = 0; by < BR_BY_COUNT; by++) {
            *law_number(&d->at[k].law, by) = 0.1 * some(seed) * *law_number(&law, by);
        }
        d->at[k].law.alpha = 0.0;
        d->at[k].law.mu_c = -0.3 * fabs(d->at[k].law.mu_c); // mu_s stays above
        d->at[k].law.mu_s = fabs(d->at[k].law.mu_s);
        d->at[k].law.gamma *= law.gamma == 2.0 ? 0.0 : 1.0; // gamma = 2 has code of its own
        d->at[k].law.s_ba *= 0.3;
        const double third = 3e-3 * third_unit(how->like[k]);
        for (size_t i = 0; i < br_contact_get_state_count(how->like[k]); i++) {
            const int counts = br_contact_get_part(how->like[k], i % parts).weight > 0.0;
            d->at[k].z[i] =
                counts ? 0.1 * z_max * some(seed) * (i >= 2 * parts ? third : 1.0) : 0.0;
        }
    }
    for (int i = 0; i < 3; i++) {
        d->v[i] = speed * some(seed) * (i == 2 ? 30.0 : 1.0);
        d->load[i] = 0.1 * limit * some(seed) * (i == 2 ? 0.02 : 1.0);
    }
    d->mass[0][0] = d->mass[1][1] = 0.1 * in->mass[0][0] * some(seed);
    d->mass[2][2] = 0.1 * in->mass[2][2] * some(seed);
    d->mass[0][2] = d->mass[2][0] = 0.05 * sqrt(in->mass[0][0] * in->mass[2][2]) * some(seed);
    d->h = 0.1 * in->h * some(seed);
}

// What one of each output counts for, so that sums over all of them mean something.
static inline void output_scales(const setting* how, const inputs* in, const outputs* out,
                                 double* scale)
{
    const double* v = out->numbers;
    double speed = hypot(v[0], v[1]) + 0.02 * fabs(v[2]);
    size_t at = 3;
    for (size_t k = 0; k < how->links; k++) {
        speed = fmax(speed, 0.01 * own_speed(in, k));
    }
    for (int i = 0; i < 3; i++) {
        scale[i] = (i == 2 ? 0.03 : 1.0) / speed;
    }
    for (size_t k = 0; k < how->links; k++) {
        const size_t states = br_contact_get_state_count(how->like[k]);
        const size_t parts = br_contact_get_part_count(how->like[k]);
        const double fn = fmax(in->at[k].fn, 1e-3), mu = in->at[k].law.mu_c;
        for (int i = 0; i < 3; i++) {
            scale[at++] = (i == 2 ? 100.0 : 1.0) / (mu * fn);
        }
        for (size_t i = 0; i < states; i++) {
            scale[at++] = (i >= 2 * parts ? 300.0 / third_unit(how->like[k]) : 1.0) *
                          in->at[k].law.sigma0 / mu / sqrt((double)states);
        }
    }
}

// --- derivatives ---------------------------------------------------------------------------------------------

// J d; returns flags.
static inline unsigned forward_from(const inputs* in, const setting* how, const outputs* out,
                                    const inputs* d, double* numbers)
{
    static double work[LINKS * 8 * MOST_WORK];
    br_step_contact contacts[LINKS];
    br_step_contact_tangent t[LINKS];
    br_contact made[LINKS];
    inputs copy = *in, direction = *d;
    br_step_tangent body_t = {.v0 = twist_from(d->v), .load = wrench_from(d->load), .h = d->h};
    memcpy(body_t.mass, d->mass, sizeof body_t.mass);
    size_t at = 3;
    for (size_t k = 0; k < how->links; k++) {
        made[k] = contact_from(in, how, k);
        contacts[k] = step_contact_from(in, how, k, &made[k], copy.at[k].z);
        t[k] = (br_step_contact_tangent){.z1 = out->numbers + at + 3,
                                         .z0_dot = d->at[k].z,
                                         .slopes = slopes_from(in, how, k),
                                         .fn = d->at[k].fn,
                                         .arm = {d->at[k].arm[0], d->at[k].arm[1]},
                                         .angle = d->at[k].angle,
                                         .ground = twist_from(d->at[k].ground),
                                         .z1_dot = numbers + at + 3};
        for (int by = 0; by < BR_BY_COUNT; by++) {
            t[k].law[by] = *law_number(&direction.at[k].law, by);
        }
        at += 3 + br_contact_get_state_count(&made[k]);
    }
    const br_step_body body = body_from(in, how);
    assert_true(br_step_gradient_get_work(contacts, how->links) <= sizeof work / sizeof *work);
    br_step_jvp(&body, &out->record, wrench_from(in->load), in->h, contacts, t, how->links, &body_t,
                work);
    memcpy(numbers, (double[3]){body_t.v1.vx, body_t.v1.vy, body_t.v1.w}, 3 * sizeof(double));
    for (size_t k = 0; k < how->links; k++) {
        memcpy(t[k].z1_dot - 3, (double[3]){t[k].f.fx, t[k].f.fy, t[k].f.tau}, 3 * sizeof(double));
    }
    return body_t.flags;
}

// J^T w; returns flags.
static inline unsigned backward_from(const inputs* in, const setting* how, const outputs* out,
                                     const double* w, inputs* bar, double* pivot)
{
    static double work[LINKS * 8 * MOST_WORK];
    br_step_contact contacts[LINKS];
    br_step_contact_adjoint a[LINKS];
    br_contact made[LINKS];
    inputs copy = *in;
    br_step_adjoint body_a = {.v1_bar = twist_from(w), .by_law = 1};
    size_t at = 3;
    memset(bar, 0, sizeof *bar);
    for (size_t k = 0; k < how->links; k++) {
        made[k] = contact_from(in, how, k);
        const size_t states = br_contact_get_state_count(&made[k]);
        contacts[k] = step_contact_from(in, how, k, &made[k], copy.at[k].z);
        memcpy(bar->at[k].z, w + at + 3, states * sizeof *w); // one memory for both
        a[k] = (br_step_contact_adjoint){.z1 = out->numbers + at + 3,
                                         .z1_bar = bar->at[k].z,
                                         .z0_bar = bar->at[k].z,
                                         .slopes = slopes_from(in, how, k),
                                         .f_bar = wrench_from(w + at)};
        at += 3 + states;
    }
    const br_step_body body = body_from(in, how);
    br_step_vjp(&body, &out->record, wrench_from(in->load), in->h, contacts, a, how->links, &body_a,
                work);
    memcpy(bar->v, &body_a.v0, sizeof bar->v);
    memcpy(bar->load, &body_a.load, sizeof bar->load);
    memcpy(bar->mass, body_a.mass, sizeof bar->mass);
    bar->h = body_a.h;
    for (size_t k = 0; k < how->links; k++) {
        bar->at[k].fn = a[k].fn;
        bar->at[k].angle = a[k].angle;
        memcpy(bar->at[k].arm, &a[k].arm, sizeof bar->at[k].arm);
        memcpy(bar->at[k].ground, &a[k].ground, sizeof bar->at[k].ground);
        for (int by = 0; by < BR_BY_COUNT; by++) {
            *law_number(&bar->at[k].law, by) = a[k].law[by];
        }
    }
    *pivot = body_a.pivot;
    return body_a.flags;
}

// <bar, d>, and the size of its terms
static inline double inner(const inputs* bar, const inputs* d, const setting* how, double* size)
{
    double sum = 0.0;
#define TERM(a, b) (sum += (a) * (b), *size += fabs((a) * (b)))
    *size = 0.0;
    for (int i = 0; i < 3; i++) {
        TERM(bar->v[i], d->v[i]);
        TERM(bar->load[i], d->load[i]);
    }
    for (int i = 0; i < 9; i++) {
        TERM(bar->mass[i / 3][i % 3], d->mass[i / 3][i % 3]);
    }
    TERM(bar->h, d->h);
    for (int i = 0; i < TWISTS * TWISTS; i++) {
        TERM(bar->a[i], d->a[i]);
    }
    for (int i = 0; i < TWISTS; i++) {
        TERM(bar->u[i], d->u[i]);
    }
    for (int i = 0; i < LINKS * TWISTS; i++) {
        TERM(bar->fn_f[i], d->fn_f[i]);
    }
    for (size_t k = 0; k < how->links; k++) {
        inputs x = *bar, y = *d;
        TERM(bar->at[k].fn, d->at[k].fn);
        TERM(bar->at[k].angle, d->at[k].angle);
        TERM(bar->at[k].arm[0], d->at[k].arm[0]);
        TERM(bar->at[k].arm[1], d->at[k].arm[1]);
        for (int i = 0; i < 3; i++) {
            TERM(bar->at[k].ground[i], d->at[k].ground[i]);
        }
        for (int by = 0; by < BR_BY_COUNT; by++) {
            TERM(*law_number(&x.at[k].law, by), *law_number(&y.at[k].law, by));
        }
        for (size_t i = 0; i < br_contact_get_state_count(how->like[k]); i++) {
            TERM(bar->at[k].z[i], d->at[k].z[i]);
        }
    }
#undef TERM
    return sum;
}

// --- differences ---------------------------------------------------------------------------------------------

// A step of some kind from its inputs.
typedef void stepping(const inputs* in, const setting* how, outputs* out);

// Differences (fp - fm)/(2 e), relative to all of them, from the derivative.
static inline double distance_of(const double* a, const double* b, const double* scale,
                                 size_t count)
{
    double off = 0.0, size = 0.0;
    for (size_t i = 0; i < count; i++) {
        off += pow((a[i] - b[i]) * scale[i], 2.0);
        size += pow(b[i] * scale[i], 2.0);
    }
    return sqrt(off / (size + 1e-300));
}

// The branch that a step took.
static inline int same_branch(const br_step_record* a, const br_step_record* b)
{
    return a->closing == b->closing && a->order == b->order &&
           (a->order != 2 || a->middle_closing == b->middle_closing);
}

// Central differences; 0: a step took another branch than that of `record`
static inline int difference(stepping* step, const inputs* in, const setting* how, const inputs* d,
                             const br_step_record* record, double e, size_t count, double* out)
{
    static outputs plus, minus;
    const inputs more = moved_inputs(in, e, d, how), less = moved_inputs(in, -e, d, how);
    step(&more, how, &plus);
    step(&less, how, &minus);
    for (size_t i = 0; i < count; i++) {
        out[i] = (plus.numbers[i] - minus.numbers[i]) / (2.0 * e);
    }
    return same_branch(&plus.record, record) && same_branch(&minus.record, record);
}

// Differences at steps of 1e-3 to 1e-8, each extrapolated with the one before (Richardson), where neighbours agree best; returns how well. A
// kink at the distance s leaves an error of about (e/s)^4, rounding one of 1e-14/e.
static inline double best_difference(stepping* step, const inputs* in, const setting* how,
                                     const inputs* d, const br_step_record* record,
                                     const double* scale, size_t count, double* out)
{
    enum { STEPS = 11 };
    static double at[2][NUMBERS], better[2][NUMBERS];
    const double ratio = sqrt(10.0), share = 1.0 / (ratio * ratio - 1.0);
    double least = HUGE_VAL, e = 1e-3;
    int valid = 0; // steps in a row that took the same branch
    for (int i = 0; i < STEPS; i++, e /= ratio) {
        const int now = i % 2, before = 1 - now;
        valid = difference(step, in, how, d, record, e, count, at[now]) ? valid + 1 : 0;
        for (size_t k = 0; k < count; k++) {
            better[now][k] = at[now][k] + share * (at[now][k] - at[before][k]);
        }
        const double own = distance_of(better[before], better[now], scale, count);
        if (valid > 2 && own < least) {
            least = own;
            memcpy(out, better[now], count * sizeof *out);
        }
    }
    return least;
}

#endif
