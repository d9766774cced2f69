/*
 * Steps with a given motion: laws along a line, and contacts of all methods.
 */
#include "steps.h"

#include <math.h>
#include <string.h>

enum { EPISODE = 200 };

// --- laws -----------------------------------------------------------------------------------------

// Largest deflection: mu_s/sigma0 of bristles, mu_c fn/sigma0 of Dahl's, whose state is a force.
static double law_bound(const br_law* law, double fn)
{
    return law->kind == BR_LAW_DAHL ? law->mu_c * fn / law->sigma0 : law->mu_s / law->sigma0;
}

// sigma0 z^2/2, per newton of normal force but for Dahl's
static double law_stored(const br_law* law, double z, double fn)
{
    return 0.5 * law->sigma0 * z * z * (law->kind == BR_LAW_DAHL ? 1.0 : fn);
}

// A law whose passivity margin is not negative keeps its energy.
static void check_law(tally* t, const br_law* law, const double z[2], double v, double fn, double h,
                      double f)
{
    const double before = law_stored(law, z[0], fn), after = law_stored(law, z[1], fn);
    // mean forces are differences of sliding forces, which have the digits
    // and Dahl's state is a difference of theirs
    const double kept = law->kind == BR_LAW_DAHL ? law->mu_c * fn * fabs(z[0]) : 0.0;
    const double slides = h * law->mu_s * fn * fabs(v) + kept;
    const double work = h * f * v, size = before + after + fabs(work) + slides + 1e-300;
    // |dz| <= (1 + |z| sigma0/g) |v|
    const double bound = law_bound(law, fn);
    const double damping = law->sigma1 * (1.0 + law->mu_s / law->mu_c) + law->sigma2;
    const double most =
        law->kind == BR_LAW_DAHL ? law->mu_c * fn : (law->mu_s + damping * fabs(v)) * fn;
    note_finite(t, (const double[]){z[1], f}, 2, "state or force");
    note(t, &t->longest, bound > 0.0 ? fabs(z[1]) / bound : 0.0, 1.0 + 1e-12, "bristle");
    note(t, &t->force, most > 0.0 ? fabs(f) / most : 0.0, 1.0 + 1e-9, "force");
    if (law->kind == BR_LAW_DAHL || br_law_passivity_margin(law) >= 0.0) {
        note(t, &t->gain, (after - before - work) / size, 1e-12, "energy gained");
    }
}

void step_laws(tally* t, uint64_t seed)
{
    static const br_law_kind kinds[] = {BR_LAW_DAHL, BR_LAW_LUGRE, BR_LAW_ELASTO_PLASTIC};
    br_law law = draw_law(&seed, kinds[(int)(3.0 * draw_unit(&seed))], false);
    law.alpha = 0.5 + 2.0 * draw_unit(&seed);
    double z[2] = {0.0, 0.0}, v = 0.0, fn = draw(&seed, RANGE_FN, false);
    for (int i = 0; i < EPISODE; i++, t->steps++) {
        if (draw_chance(&seed, 0.2)) {
            v = draw_signed(&seed, RANGE_SPEED, false);
        }
        if (law.kind != BR_LAW_DAHL && draw_chance(&seed, 0.1)) {
            fn = draw(&seed, RANGE_FN, false);
        }
        const double h = draw(&seed, RANGE_STEP, false);
        z[0] = z[1];
        const double f = br_law_step(&law, &z[1], v, fn, h);
        check_law(t, &law, z, v, fn, h, f);
    }
}

// --- contacts -------------------------------------------------------------------------------------

// Differences of two states over the longest bristle's bound.
static double apart(const twin* t, const double* a, const double* b)
{
    static double difference[MOST_STATES];
    for (size_t k = 0; k < br_contact_get_state_count(t->fast); k++) {
        difference[k] = a[k] - b[k];
    }
    return longest_bristle(t, difference);
}

static void check_contact(tally* t, const twin* c, br_twist v, double fn, double h, double before,
                          const br_step_energy* e, br_wrench f)
{
    const double size = fabs(e->work) + e->stored + before + 1e-300;
    const double most = largest_force(c, v, fn, h);
    note_finite(t, (const double[]){f.fx, f.fy, f.tau, e->work, e->stored, e->dissipated}, 6,
                "force or energy");
    if (most > 0.0) {
        note(t, &t->force, br_vec2_norm((br_vec2){f.fx, f.fy}) / most, 1.0 + 1e-9, "force");
    }
    if (c->guard) {
        note(t, &t->gain, -e->dissipated / size, 1e-12, "energy gained");
        note(t, &t->gain, fabs(e->work - (e->stored - before) - e->dissipated) / size, 1e-12,
             "imbalance");
    }
}

void step_contacts(tally* t, uint64_t seed)
{
    static double z[MOST_STATES], twin_z[MOST_STATES];
    const contact_kind kind = (contact_kind)(KIND_COUNT * draw_unit(&seed));
    twin c = draw_contact(&seed, kind, draw_chance(&seed, 0.7));
    const size_t bytes = br_contact_get_state_count(c.fast) * sizeof *z;
    br_twist v = {0.0, 0.0, 0.0};
    double fn = draw(&seed, RANGE_FN, false);
    memset(z, 0, sizeof z);
    for (int i = 0; i < EPISODE; i++, t->steps++) {
        v = draw_chance(&seed, 0.2) ? draw_twist(&seed, c.length, false) : v;
        fn = draw_chance(&seed, 0.1) ? draw(&seed, RANGE_FN, false) : fn;
        const double h = draw(&seed, RANGE_STEP, false), before = br_contact_stored(c.fast, z, fn);
        br_step_energy e;
        memcpy(twin_z, z, bytes);
        const br_wrench f = br_contact_step(c.fast, z, v, fn, h, &e);
        check_contact(t, &c, v, fn, h, before, &e, f);
        note(t, &t->longest, longest_bristle(&c, z), 1.0 + 1e-12, "bristle");

        // the same step in plain code
        br_contact_step(c.plain, twin_z, v, fn, h, NULL);
        note(t, &t->apart, apart(&c, z, twin_z), 1e-9, "plain and vector code apart");
        t->compared++;
    }
    destroy_twin(&c);
}
