/*
 * Steps in which friction decides the motion: bodies, groups of contacts, hosts that own their bodies.
 */
#include "steps.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { EPISODE = 100, MOST_WORK = 100000, DOFS = 3 * MOST_CONTACTS };

// Some contacts with their states, twice: `c` steps with vector code, `again` with plain code.
typedef struct scene {
    size_t count;
    twin twins[MOST_CONTACTS];
    double z[2][MOST_CONTACTS][MOST_STATES];
    br_step_contact c[MOST_CONTACTS], again[MOST_CONTACTS];
    double work[MOST_WORK];
    br_step_body body;
    br_twist v;
    double gyration; // of the body [m]
} scene;

// Rounding of the solution of a system whose condition is the step's stiffness N, over the energies that the step moves.
// Bodies with N = 1e12 gained up to 1.4e-7 in 1.6e7 steps, those with N < 1e7 up to 2e-10.
static double most_gain(double N)
{
    return 1e-12 + fmin(DBL_EPSILON * N, 1e-6);
}

static void draw_scene(scene* s, uint64_t* seed)
{
    memset(s, 0, sizeof *s);
    s->count = 1 + (size_t)(draw_unit(seed) * MOST_CONTACTS);
    const double mass = draw(seed, RANGE_MASS, false);
    s->gyration = draw(seed, RANGE_GYRATION, false);
    s->body = br_step_body_default(mass, mass * s->gyration * s->gyration);
    s->body.order = 1 + draw_chance(seed, 0.3);
    s->body.passes = draw_chance(seed, 0.6) ? 40 : 1 + (int)(draw_unit(seed) * 4.0);
    for (size_t i = 0; i < s->count; i++) {
        s->twins[i] = draw_contact(seed, (contact_kind)(KIND_COUNT * draw_unit(seed)), true);
        s->c[i] = (br_step_contact){.contact = s->twins[i].fast, .z = s->z[0][i]};
        s->c[i].count = draw_chance(seed, 0.2) ? 2 : 1;
        s->c[i].fn = draw(seed, RANGE_FN, false);
    }
}

static void destroy_scene(scene* s)
{
    for (size_t i = 0; i < s->count; i++) {
        destroy_twin(&s->twins[i]);
    }
}

// Some contacts move or get another force. Returns what all of them hold at most [N].
static double shake(scene* s, uint64_t* seed)
{
    double held = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        br_step_contact* c = &s->c[i];
        if (draw_chance(seed, 0.1)) {
            c->arm =
                (br_vec2){draw_signed(seed, RANGE_ARM, false), draw_signed(seed, RANGE_ARM, false)};
            c->angle = 6.0 * draw_unit(seed) - 3.0;
        }
        c->fn = draw_chance(seed, 0.1) ? draw(seed, RANGE_FN, false) : c->fn;
        held += (double)c->count * c->fn * s->twins[i].law.mu_s;
    }
    return held;
}

// The states before a step, for the plain code.
static void copy_contacts(scene* s)
{
    memcpy(s->z[1], s->z[0], sizeof s->z[0]);
    memcpy(s->again, s->c, sizeof s->c);
    for (size_t i = 0; i < s->count; i++) {
        s->again[i].z = s->z[1][i];
        s->again[i].contact = s->twins[i].plain;
    }
}

static double stored_in(const scene* s, int which)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        const br_step_contact* c = &s->c[i];
        sum += (double)c->count * br_contact_stored(c->contact, s->z[which][i], c->fn);
    }
    return sum;
}

static double speed_at(const twin* t, const br_step_contact* c, br_twist v)
{
    const double vx = v.vx - v.w * c->arm.y, vy = v.vy + v.w * c->arm.x;
    return sqrt(vx * vx + vy * vy) + t->reach * fabs(v.w);
}

// Energy of stiff bristles that follow a velocity for one step, n fn sigma0 (h v)^2: its last digits are rounding.
static double stiff_energy(const twin* t, const br_step_contact* c, br_twist v, double h)
{
    const double way = h * speed_at(t, c, v);
    const double stretch = fmax(1.0, br_contact_get_def(t->fast)->anisotropy.ratio);
    return (double)c->count * c->fn * t->law.sigma0 * way * way * stretch * stretch;
}

// What the closing solve has beside 1: N = sum n fn (h^2 sigma0 + h sigma1 + h sigma2) a, a [1/kg] the inverse mass of the
// body at the contact's farthest part. Rounding of energies grows with it.
static double stiffness_at(const twin* t, const br_step_contact* c, double h, double a,
                           double a_spin)
{
    const double arm = br_vec2_norm(c->arm) + t->reach;
    const double ratio = fmax(1.0, br_contact_get_def(t->fast)->anisotropy.ratio);
    const double stiff = h * (h * t->law.sigma0 + t->law.sigma1 + t->law.sigma2);
    return (double)c->count * c->fn * ratio * ratio * stiff * (a + arm * arm * a_spin);
}

static double stiffness_of(const scene* s, double h)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        const double a = 1.0 / s->body.mass[0][0], a_spin = 1.0 / s->body.mass[2][2];
        sum += stiffness_at(&s->twins[i], &s->c[i], h, a, a_spin);
    }
    return sum;
}

// A step of any size, but not stiffer than promised. N grows with h at least linearly.
static double draw_step(uint64_t* seed, double stiffness_of_1_s)
{
    const double h = draw(seed, RANGE_STEP, false);
    return fmin(h, MOST_STIFFNESS / fmax(stiffness_of_1_s, 1e-300));
}

// Finite; their length is only reported: a step that has not converged, and damping that is limited, may leave more than
// mu_s/sigma0.
static void check_bristles(tally* t, const scene* s)
{
    for (size_t i = 0; i < s->count; i++) {
        note_finite(t, s->z[0][i], br_contact_get_state_count(s->twins[i].fast), "bristle");
        t->longest = fmax(t->longest, longest_bristle(&s->twins[i], s->z[0][i]));
    }
}

// --- bodies ---------------------------------------------------------------------------------------

static void check_ledger(tally* t, const scene* s, const br_step_result* r, br_twist before,
                         br_wrench load, double h)
{
    const br_step_ledger* e = &r->energy;
    const double m = s->body.mass[0][0], inertia = s->body.mass[2][2];
    const br_twist vf = {before.vx + h * load.fx / m, before.vy + h * load.fy / m,
                         before.w + h * load.tau / inertia}; // without friction
    double size = e->kinetic_before + e->stored_before + fabs(e->load) + 1e-300 +
                  0.5 * (m * (vf.vx * vf.vx + vf.vy * vf.vy) + inertia * vf.w * vf.w);
    for (size_t i = 0; i < s->count; i++) {
        size += stiff_energy(&s->twins[i], &s->c[i], vf, h) +
                stiff_energy(&s->twins[i], &s->c[i], s->v, h);
    }
    const double gain =
        e->kinetic_after + e->stored_after - e->kinetic_before - e->stored_before - e->load;
    note_finite(t, (const double[]){s->v.vx, s->v.vy, s->v.w, gain}, 4, "twist or energy");
    note(t, &t->gain, gain / size, most_gain(stiffness_of(s, h)), "energy gained");
    t->unconverged += !r->converged;
}

// The plain code finds the same twist, unless stick and slip are both solutions.
static void compare_twists(tally* t, const scene* s, br_twist a, br_twist b, bool converged)
{
    const double size = fabs(a.vx) + fabs(a.vy) + s->gyration * fabs(a.w) + 1e-12;
    const double apart =
        (fabs(a.vx - b.vx) + fabs(a.vy - b.vy) + s->gyration * fabs(a.w - b.w)) / size;
    t->compared += converged;
    t->branches += converged && !(apart <= 1e-6);
    if (converged && apart <= 1e-6) {
        t->apart = fmax(t->apart, apart);
    }
}

void step_bodies(tally* t, uint64_t seed)
{
    static scene s;
    draw_scene(&s, &seed);
    for (int i = 0; i < EPISODE; i++, t->steps++) {
        const double held = shake(&s, &seed), h = draw_step(&seed, stiffness_of(&s, 1.0));
        if (draw_chance(&seed, 0.05)) {
            s.v = draw_twist(&seed, s.gyration, false);
        }
        const br_wrench load = {held * draw_signed(&seed, RANGE_LOAD, false),
                                held * draw_signed(&seed, RANGE_LOAD, false),
                                held * s.gyration * draw_signed(&seed, RANGE_LOAD, false)};
        const br_twist before = s.v;
        br_twist plain = before;
        copy_contacts(&s);
        const br_step_result r = br_step_coupled(&s.body, &s.v, load, h, s.c, s.count, s.work);
        check_ledger(t, &s, &r, before, load, h);
        check_bristles(t, &s);
        const br_step_result p =
            br_step_coupled(&s.body, &plain, load, h, s.again, s.count, s.work);
        compare_twists(t, &s, s.v, plain, r.converged && p.converged);
    }
    destroy_scene(&s);
}

// --- groups ---------------------------------------------------------------------------------------

// A = sum of t t^T/m over degrees of freedom, t the twists that each gives to all contacts: any rank.
static void draw_inverse_mass(const scene* s, uint64_t* seed, double* A)
{
    const size_t rows = 3 * s->count, dofs = 1 + (size_t)(draw_unit(seed) * (double)rows);
    memset(A, 0, DOFS * DOFS * sizeof *A);
    for (size_t d = 0; d < dofs; d++) {
        double t[DOFS];
        const double mass = draw(seed, RANGE_MASS, false);
        for (size_t i = 0; i < rows; i++) {
            t[i] = (2.0 * draw_unit(seed) - 1.0) / (i % 3 == 2 ? s->gyration : 1.0);
        }
        for (size_t i = 0; i < rows * rows; i++) {
            A[i] += t[i / rows] * t[i % rows] / mass;
        }
    }
}

static double group_stiffness(const scene* s, const double* A, double h)
{
    const size_t rows = 3 * s->count;
    double sum = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        const double* own = A + 3 * i * (rows + 1); // the diagonal, from this contact on
        sum += stiffness_at(&s->twins[i], &s->c[i], h, own[0] + own[rows + 1], own[2 * (rows + 1)]);
    }
    return sum;
}

// h f.(u + u1)/2 is what friction adds to the bodies' kinetic energy, exactly, for any A.
static void check_group(tally* t, scene* s, const br_twist* u, const br_twist* u1,
                        const br_wrench* f, double h, double N)
{
    double work = 0.0, size = 1e-300;
    for (size_t i = 0; i < s->count; i++) {
        const double before = f[i].fx * u[i].vx + f[i].fy * u[i].vy + f[i].tau * u[i].w;
        const double after = f[i].fx * u1[i].vx + f[i].fy * u1[i].vy + f[i].tau * u1[i].w;
        work += 0.5 * h * (before + after);
        size += h * (fabs(f[i].fx * u[i].vx) + fabs(f[i].fy * u[i].vy) + fabs(f[i].tau * u[i].w)) +
                stiff_energy(&s->twins[i], &s->c[i], u[i], h) +
                stiff_energy(&s->twins[i], &s->c[i], u1[i], h);
    }
    const double before = stored_in(s, 1), after = stored_in(s, 0);
    note_finite(t, (const double[]){work, before, after}, 3, "work or energy");
    note(t, &t->gain, (work + after - before) / (size + before + after), most_gain(N),
         "energy gained");
}

void step_groups(tally* t, uint64_t seed)
{
    static scene s;
    static double A[DOFS * DOFS], N[MOST_CONTACTS * DOFS], fn_free[MOST_CONTACTS];
    draw_scene(&s, &seed);
    draw_inverse_mass(&s, &seed, A);
    const bool follows = draw_chance(&seed, 0.3);
    for (size_t i = 0; i < MOST_CONTACTS * DOFS; i++) {
        N[i] = (draw_unit(&seed) - 0.5) / (i % 3 == 2 ? s.gyration : 1.0);
    }
    const br_step_group group = {.inverse_mass = A,
                                 .passes = draw_chance(&seed, 0.3) ? s.body.passes : 0,
                                 .fn_f = follows ? N : NULL,
                                 .fn_free = fn_free};
    br_twist u[MOST_CONTACTS] = {{0}}, u1[MOST_CONTACTS], u2[MOST_CONTACTS];
    br_wrench f[MOST_CONTACTS];
    for (int i = 0; i < EPISODE; i++, t->steps++) {
        shake(&s, &seed);
        const double h = draw_step(&seed, group_stiffness(&s, A, 1.0));
        for (size_t k = 0; k < s.count; k++) {
            u[k] = draw_chance(&seed, 0.2) ? draw_twist(&seed, s.gyration, false) : u[k];
            fn_free[k] = s.c[k].fn;
        }
        copy_contacts(&s);
        const br_step_group_answer r =
            br_step_group_step(&group, u, h, s.c, s.count, f, u1, s.work);
        check_group(t, &s, u, u1, f, h, group_stiffness(&s, A, h));
        check_bristles(t, &s);
        t->unconverged += !r.converged;
        const br_step_group_answer p =
            br_step_group_step(&group, u, h, s.again, s.count, f, u2, s.work);
        compare_twists(t, &s, u1[0], u2[0], r.converged && p.converged && r.follows && p.follows);
    }
    destroy_scene(&s);
}

// --- hosts ----------------------------------------------------------------------------------------

// What a host makes of the impulse: its body has the inverse mass A/factor.
static br_twist advance_host(const br_step_host* host, br_twist u, br_wrench f, double h,
                             double factor)
{
    const double by = h / factor;
    return (br_twist){u.vx + by * host->inverse_mass[0][0] * f.fx,
                      u.vy + by * host->inverse_mass[1][1] * f.fy,
                      u.w + by * host->inverse_mass[2][2] * f.tau};
}

void step_hosts(tally* t, uint64_t seed)
{
    static scene s;
    draw_scene(&s, &seed);
    br_step_host host = br_step_host_default(s.body.mass[0][0], s.body.mass[2][2]);
    const double factor = draw_chance(&seed, 0.5) ? 1.0 : 1.0 + 9.0 * draw_unit(&seed);
    for (int i = 0; i < 3; i++) {
        host.inverse_mass[i][i] *= factor; // too large: still passive
    }
    host.passes = s.body.passes;
    for (int i = 0; i < EPISODE; i++, t->steps++) {
        const double held = shake(&s, &seed);
        const double h = draw_step(&seed, factor * stiffness_of(&s, 1.0));
        const double push = held * draw_signed(&seed, RANGE_LOAD, false);
        if (draw_chance(&seed, 0.05)) {
            s.v = draw_twist(&seed, s.gyration, false);
        }
        s.v.vx += h * push / s.body.mass[0][0];
        copy_contacts(&s);
        const br_step_answer r = br_step_host_step(&host, s.v, h, s.c, s.count, s.work);
        const br_twist u1 = advance_host(&host, s.v, r.f, h, factor);
        // the work of all contacts at the twist's point, as one contact of a group
        const br_wrench f[MOST_CONTACTS] = {r.f};
        const br_twist u[MOST_CONTACTS] = {s.v}, after[MOST_CONTACTS] = {u1};
        check_group(t, &s, u, after, f, h, factor * stiffness_of(&s, h));
        check_bristles(t, &s);
        t->unconverged += !r.converged;
        s.v = u1;
    }
    destroy_scene(&s);
}
