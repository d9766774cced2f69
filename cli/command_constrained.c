/*
 * bristle constrained: one instant of a constrained system with friction.
 */
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "input.h"
#include "json.h"
#include "memory.h"
#include "message.h"
#include "options.h"

const char constrained_help[] =
    "usage: bristle constrained CASE.yaml [--json] [--set KEY=VALUE]...\n"
    "\n"
    "Friction in a constrained system at one instant, after Huang et al. (numbers in brackets are their\n"
    "equations):\n"
    "\n"
    "  M qdd = Q + A^T lambda + J^T F,   A qdd = b\n"
    "\n"
    "SI units; n is at most 64, m at most 256. Keys of CASE.yaml:\n"
    "\n"
    "  M: n x n mass matrix    A: m x n constraints, any rank    b: m    Q: n applied force\n"
    "  J: 2 or 3 x n, Jacobian of the contact point    qd: n velocity    mu, mu_s (mu)\n"
    "  C: n, a force that does work on the constraint (optional)\n"
    "  normal: unit normal of the contact (optional). A row of A must be along normal^T J\n"
    "  surface_velocity, surface_acceleration: of the surface at the contact point (0)\n"
    "\n"
    "Prints Q_id (8), lambda, qdd_ideal, Q_p and Q_t (12, 13), F_n and F_t (19, 20). With C also Q_nid\n"
    "(9) and qdd_with_C (10). F_c and Q_c (21, 24) use the frictionless F_n. stick_paper, F_s_paper and\n"
    "Q_s_paper (26, 27) use the threshold mu_s |F_n|.\n"
    "\n"
    "With normal, it also prints results that hold where friction changes the normal force:\n"
    "N_frictionless, N_coupled, F_c_coupled, qdd_coupled, with friction against the velocity relative to\n"
    "the surface. stick is from the statics of a contact point at rest on the surface. painleve_margin is\n"
    "1 - mu |W_np|/W_nn: at or below 0 there is no normal force, or more than one.\n"
    "\n"
    "  --json            print one JSON object\n"
    "  --set KEY=VALUE   override a key, e.g. --set mu=0.5; may be repeated\n"
    "  -q, --quiet       no warnings about the Painleve limit\n"
    "  -h, --help        print this\n"
    "\n"
    "example:\n"
    "  cat > block.yaml <<END\n"
    "  M: [[2, 0], [0, 2]]\n"
    "  Q: [3, -19.6]\n"
    "  A: [[0, 1]]\n"
    "  b: [0]\n"
    "  J: [[1, 0], [0, 1]]\n"
    "  qd: [0.1, 0]\n"
    "  mu: 0.3\n"
    "  normal: [0, 1]\n"
    "  END\n"
    "  bristle constrained block.yaml\n";

// Below this Painleve margin the user is warned [-].
static const double NEAR_LIMIT = 0.1;

// Destination of the results: JSON, or one line for each.
typedef struct report {
    json* json; // NULL: lines
} report;

static void report_vector(const report* to, const char* name, const double* values, size_t count)
{
    if (to->json) {
        json_numbers(to->json, name, values, count);
        return;
    }
    printf("%-15s", name);
    for (size_t i = 0; i < count; i++) {
        printf(" %.10g", values[i]);
    }
    putchar('\n');
}

static void report_number(const report* to, const char* name, double value)
{
    if (to->json) {
        json_number(to->json, name, value);
    } else {
        report_vector(to, name, &value, 1);
    }
}

static void report_flag(const report* to, const char* name, bool value)
{
    if (to->json) {
        json_flag(to->json, name, value);
    } else {
        printf("%-15s %s\n", name, value ? "true" : "false");
    }
}

// All results at one instant.
typedef struct instant {
    br_constrained_value paper;
    br_constrained_slide_value slide; // slide and stick need `normal`
    br_constrained_hold_value hold;
} instant;

static bool is_finite(const double* values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

static bool paper_is_finite(const br_constrained* s, const br_constrained_value* v)
{
    const double* const of_n[] = {v->q_id, v->qdd_ideal, v->qdd_with_c, v->q_p,
                                  v->q_t,  v->q_c,       v->q_s};
    const double* const of_d[] = {v->f_n, v->f_t, v->f_c, v->f_s};
    bool finite = is_finite(v->lambda, s->m);
    for (size_t i = 0; i < sizeof of_n / sizeof *of_n; i++) {
        finite = finite && is_finite(of_n[i], s->n);
    }
    for (size_t i = 0; i < sizeof of_d / sizeof *of_d; i++) {
        finite = finite && is_finite(of_d[i], s->d);
    }
    return finite;
}

// Beyond the Painleve limit the sliding results are undefined and not checked.
static bool contact_is_finite(const br_constrained* s, const instant* at)
{
    const br_constrained_slide_value* slide = &at->slide;
    const bool slides = slide->margin <= 0 || (isfinite(slide->n) && is_finite(slide->qdd, s->n));
    return slides && isfinite(slide->margin) && isfinite(slide->n_frictionless) &&
           isfinite(at->hold.n) && isfinite(at->hold.tangential);
}

static void evaluate(const char* file, const br_constrained* s, instant* out)
{
    double* work = memory_allocate(br_constrained_get_work(s->n, s->m, s->d), sizeof *work);
    br_constrained_eval(s, work, &out->paper);
    bool finite = paper_is_finite(s, &out->paper);
    if (s->normals > 0) {
        const br_resistance coulomb = br_constrained_coulomb(s);
        br_constrained_slide(s, &coulomb, BR_NORMAL_GEOMETRIC, work, &out->slide);
        br_constrained_hold(s, work, &out->hold);
        finite = finite && contact_is_finite(s, out);
    }
    if (!finite) {
        message_fail(EXIT_COMPUTATION, "%s: a result overflows: the numbers are too far apart",
                     file);
    }
}

static void report_paper(const report* to, const br_constrained* s, const br_constrained_value* v)
{
    report_vector(to, "Q_id", v->q_id, s->n);
    report_vector(to, "lambda", v->lambda, s->m);
    report_vector(to, "qdd_ideal", v->qdd_ideal, s->n);
    if (s->C) {
        report_vector(to, "Q_nid", v->q_nid, s->n);
        report_vector(to, "qdd_with_C", v->qdd_with_c, s->n);
    }
    report_vector(to, "Q_p", v->q_p, s->n);
    report_vector(to, "Q_t", v->q_t, s->n);
    report_vector(to, "F_n", v->f_n, s->d);
    report_vector(to, "F_t", v->f_t, s->d);
    report_vector(to, "F_c", v->f_c, s->d);
    report_vector(to, "Q_c", v->q_c, s->n);
    report_flag(to, "stick_paper", v->stick);
    report_vector(to, "F_s_paper", v->f_s, s->d);
    report_vector(to, "Q_s_paper", v->q_s, s->n);
    report_number(to, "rank", (double)v->rank);
}

// The results that include the effect of friction on the normal force.
static void report_contact(const report* to, const br_constrained* s, const instant* at)
{
    report_number(to, "N_frictionless", at->slide.n_frictionless);
    report_number(to, "N_coupled", at->slide.n);
    report_vector(to, "F_c_coupled", at->slide.friction, s->d);
    report_vector(to, "qdd_coupled", at->slide.qdd, s->n);
    report_flag(to, "stick", at->hold.sticks);
    report_number(to, "static_N", at->hold.n);
    report_number(to, "static_T", at->hold.tangential);
    report_number(to, "painleve_margin", at->slide.margin);
}

static void warn_near_limit(const br_scenario* file, double margin)
{
    const char* position = input_place(file, "mu");
    if (margin <= 0) {
        message_warn("%sbeyond the Painleve limit: no normal force, or more than one; margin %.3g",
                     position, margin);
    } else if (margin < NEAR_LIMIT) {
        message_warn("%snear the Painleve limit: margin %.3g", position, margin);
    }
}

int constrained_main(int argc, char** argv)
{
    const options o = options_read(argc, argv, OPTION_SET | OPTION_JSON | OPTION_QUIET);
    const br_scenario* file = input_model(o.file, BR_MODEL_CONSTRAINED, &o);
    const br_constrained* system = br_scenario_get_model(file).constrained;
    instant at;
    evaluate(o.file, system, &at);
    json object = {stdout, false};
    const report to = {o.json ? &object : NULL};
    if (o.json) {
        json_begin(&object, NULL, '{');
    }
    report_paper(&to, system, &at.paper);
    if (system->normals > 0) {
        report_contact(&to, system, &at);
    }
    if (o.json) {
        json_end(&object, '}');
        putchar('\n');
    }
    if (!o.quiet && system->normals > 0) {
        warn_near_limit(file, at.slide.margin);
    }
    return EXIT_DONE;
}
