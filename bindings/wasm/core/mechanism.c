/*
 * Constrained systems at an instant, and mechanisms from functions of JavaScript: bristle/constrained.h,
 * mechanism.h.
 */
#include "bristle/mechanism.h"

#include <string.h>

#include "glue.h"
#include "record.h"

// A system with its scratch memory; its arrays are contiguous in one block.
typedef struct system_thing {
    br_constrained system;
    double* work;
} system_thing;

EXPORT(void, constrained_destroy, system_thing* thing)
{
    br_release(thing->work);
    br_release(thing);
}

static const double* next_array(const double** next, size_t count)
{
    const double* array = *next;
    *next += count;
    return count > 0 ? array : NULL;
}

// Bits: which of C, bias, surface_velocity, surface_acceleration a system has.
enum { HAS_C = 1, HAS_BIAS = 2, HAS_SURFACE_VELOCITY = 4, HAS_SURFACE_ACCELERATION = 8 };

static void set_arrays(br_constrained* s, const double* next, int has)
{
    s->M = next_array(&next, s->n * s->n);
    s->Q = next_array(&next, s->n);
    s->A = next_array(&next, s->m * s->n);
    s->b = next_array(&next, s->m);
    s->J = next_array(&next, s->d * s->n);
    s->qd = next_array(&next, s->n);
    s->normal = next_array(&next, s->normals * s->d);
    s->C = next_array(&next, has & HAS_C ? s->n : 0);
    s->bias = next_array(&next, has & HAS_BIAS ? s->d : 0);
    s->surface_velocity = next_array(&next, has & HAS_SURFACE_VELOCITY ? s->d : 0);
    s->surface_acceleration = next_array(&next, has & HAS_SURFACE_ACCELERATION ? s->d : 0);
}

static int is_in_range(const br_constrained* s)
{
    return s->n >= 1 && s->n <= BR_CONSTRAINED_MOST && s->m <= BR_CONSTRAINED_ROWS && s->d >= 2 &&
           s->d <= 3;
}

static system_thing* copy_system(const br_constrained* s, const double* arrays, size_t count,
                                 int has)
{
    system_thing* thing = br_allocate(1, sizeof *thing + count * sizeof *arrays);
    double* work = br_allocate(br_constrained_get_work(s->n, s->m, s->d), sizeof *work);
    if (!thing || !work) {
        br_release(thing);
        br_release(work);
        return NULL;
    }
    memcpy(thing + 1, arrays, count * sizeof *arrays);
    thing->system = *s;
    thing->work = work;
    set_arrays(&thing->system, (const double*)(const void*)(thing + 1), has);
    return thing;
}

// `arrays`: M, Q, A, b, J, qd, normal and those in `has`, `count` numbers;
// contact: the row of A, negative: found automatically
EXPORT(system_thing*, constrained_make, size_t n, size_t m, size_t d, size_t normals,
       const double* arrays, size_t count, int has, int contact, double mu, double mu_s)
{
    br_reason why = {"", ""};
    const br_constrained given = {
        .n = n, .m = m, .d = d, .normals = normals, .mu = mu, .mu_s = mu_s};
    if (!is_in_range(&given)) {
        br_reason_set(&why, "M",
                      "1 to %d coordinates, up to %d constraints, 2 or 3 dimensions are allowed",
                      BR_CONSTRAINED_MOST, BR_CONSTRAINED_ROWS);
        return fail(BR_ERR_ARG, &why);
    }
    system_thing* thing = copy_system(&given, arrays, count, has);
    if (!thing) {
        return fail(BR_ERR_MEMORY, &why);
    }
    br_constrained* s = &thing->system;
    s->contact = contact < 0 ? m : (size_t)contact;
    if (normals > 0 && contact < 0) {
        s->contact = br_constrained_find_contact(s, s->normal);
    }
    const br_status status = br_constrained_check(s, thing->work, &why);
    if (status != BR_OK) {
        constrained_destroy(thing);
        return fail(status, &why);
    }
    return thing;
}

static double* append(double* to, const double* numbers, size_t count)
{
    memcpy(to, numbers, count * sizeof *to);
    return to + count;
}

// rank, inconsistency, stick, then q_id (n), multipliers (m), qdd_ideal (n), q_nid (n), qdd_with_c (n), q_p (n),
// q_t (n), f_n (d), f_t (d), f_c (d), q_c (n), f_s (d), q_s (n)
EXPORT(int, constrained_eval, const system_thing* thing, double* out)
{
    const size_t n = thing->system.n, m = thing->system.m, d = thing->system.d;
    br_constrained_value* v = br_allocate(1, sizeof *v);
    if (!v) {
        return passed(BR_ERR_MEMORY, &(br_reason){"", ""});
    }
    br_constrained_eval(&thing->system, thing->work, v);
    put_three(out, 0, (double)v->rank, v->inconsistency, (double)v->stick);
    double* to = out + 3;
    to = append(append(append(to, v->q_id, n), v->lambda, m), v->qdd_ideal, n);
    to = append(append(append(append(to, v->q_nid, n), v->qdd_with_c, n), v->q_p, n), v->q_t, n);
    to = append(append(append(to, v->f_n, d), v->f_t, d), v->f_c, d);
    append(append(append(to, v->q_c, n), v->f_s, d), v->q_s, n);
    br_release(v);
    return 1;
}

static br_resistance resistance_of(const br_constrained* s, const br_law* law, const double* z)
{
    if (!law) {
        return br_constrained_coulomb(s);
    }
    double v[3];
    br_constrained_slip(s, v);
    return br_point_law_eval(law, NULL, s->d, z, v);
}

// law: NULL: Coulomb. n_frictionless, n, margin, qdd (n), friction (d)
EXPORT(void, constrained_slide, const system_thing* thing, const br_law* law, const double* z,
       int paper, double* out)
{
    const br_constrained* s = &thing->system;
    const br_resistance resistance = resistance_of(s, law, z);
    br_constrained_slide_value v;
    br_constrained_slide(s, &resistance, paper ? BR_NORMAL_PAPER : BR_NORMAL_GEOMETRIC, thing->work,
                         &v);
    put_three(out, 0, v.n_frictionless, v.n, v.margin);
    append(append(out + 3, v.qdd, s->n), v.friction, s->d);
}

// n, tangential, possible, sticks, qdd (n), force (d), friction (d)
EXPORT(void, constrained_hold, const system_thing* thing, double* out)
{
    const br_constrained* s = &thing->system;
    br_constrained_hold_value v;
    br_constrained_hold(s, thing->work, &v);
    put_three(out, 0, v.n, v.tangential, (double)v.possible);
    out[3] = (double)v.sticks;
    append(append(append(out + 4, v.qdd, s->n), v.force, s->d), v.friction, s->d);
}

// --- mechanisms

// Call function `which` (0 dynamics, 1 constraint, 2 contact) at an instant; it writes up to six arrays, the others are
// NULL. A function need not write arrays that are zero.
__attribute__((import_module("bristle"), import_name("mechanism"))) void
host_mechanism(int which, double t, const double* q, const double* qd, double* a, double* b,
               double* c, double* d, double* e, double* f);

static void dynamics(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    host_mechanism(0, at->t, at->q, at->qd, out->M, out->Q, &out->potential, &out->power, NULL,
                   NULL);
}

static void constraint(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    host_mechanism(1, at->t, at->q, at->qd, out->A, out->b, out->gap, out->rate, NULL, NULL);
}

static void contact(const br_mechanism_at* at, br_mechanism_terms* out, void* user)
{
    (void)user;
    host_mechanism(2, at->t, at->q, at->qd, out->point, out->J, out->bias, out->normal,
                   out->surface_velocity, out->surface_acceleration);
}

static void write_report(record* r, const br_mechanism_report* report)
{
    const double numbers[] = {
        report->drift,        report->residual,      report->turnover,
        report->margin,       report->kinetic,       report->potential,
        report->work_applied, report->work_friction, report->work_constraints};
    memcpy(r->report, numbers, sizeof numbers);
    r->cost = report->cost;
}

// `start`: q, qd; `axes`: sigma (3), alpha (3), or NULL; `run`: as record_run_def() takes it. After each
// step the host is asked whether to stop: an exception in one of its functions ends the run.
EXPORT(record*, mechanism_run, size_t n, size_t m, size_t d, size_t normals, const double* start,
       const br_law* law, int form, const br_dahl_axes* axes, int paper, int project,
       double stabilisation, const double* run, const double* at, size_t at_count)
{
    record* r = record_create(1);
    if (!r) {
        return NULL;
    }
    br_mechanism_def def = br_mechanism_def_default();
    def.mechanism = (br_mechanism){.n = n,
                                   .m = m,
                                   .d = d,
                                   .normals = normals,
                                   .dynamics = dynamics,
                                   .constraint = constraint,
                                   .contact = contact};
    def.q = start;
    def.qd = start + n;
    def.law = *law;
    def.dahl = (br_dahl_form)form;
    def.dahl_axes = axes;
    def.normal = paper ? BR_NORMAL_PAPER : BR_NORMAL_GEOMETRIC;
    def.project = project;
    def.stabilisation = stabilisation;
    const br_run_def how = record_run_def(run, BR_INTEGRATOR_ROSENBROCK, at, at_count);
    const br_run_watch watch = record_watch(r);
    br_mechanism_report report = {0};
    br_reason why = {"", ""};
    const br_status status = br_mechanism_run(&def, &how, &watch, &report, &why);
    write_report(r, &report);
    return record_end(r, status, &why);
}
