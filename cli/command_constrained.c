/*
 * bristle constrained: one instant of a constrained system with friction.
 */
#include <stdio.h>

#include "command.h"
#include "document.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "read_constrained.h"
#include "set.h"

const char constrained_help[] =
    "usage: bristle constrained CASE.yaml [--json] [--set KEY=VALUE]...\n"
    "\n"
    "Friction in a constrained system at one instant, M qdd = Q + A^T lambda + J^T F, A qdd = b, after\n"
    "Huang et al. (numbers in brackets are their equations); SI units, n up to 64.\n"
    "\n"
    "  M: n x n mass matrix    A: m x n constraints, any rank    b: m    Q: n applied force\n"
    "  J: 2 or 3 x n, Jacobian of the contact point    qd: n velocity    mu, mu_s (mu)\n"
    "  C: n, a force that does work on the constraint (optional)\n"
    "  normal: unit normal of the contact (optional); a row of A must be along normal^T J\n"
    "\n"
    "Prints Q_id (8), lambda, qdd_ideal, Q_nid (9) and qdd_with_C (10) (with C), Q_p and Q_t (12, 13),\n"
    "F_n and F_t (19, 20), F_c and Q_c (21, 24) with the frictionless F_n, stick_paper, F_s_paper and\n"
    "Q_s_paper (26, 27) with the threshold mu_s |F_n|. With normal, what is right where those are not:\n"
    "N_frictionless, N_coupled, F_c_coupled, qdd_coupled with friction's own effect on the normal\n"
    "force; stick, by statics of the contact point at rest; painleve_margin 1 - mu |W_np|/W_nn, at 0\n"
    "and below which there is no normal force, or more than one.\n"
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

// Where results go: JSON, or a line each.
typedef struct report {
    json* json; // NULL: lines
} report;

static void tell(const report* to, const char* name, const double* values, size_t count)
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

static void tell_number(const report* to, const char* name, double value)
{
    if (to->json) {
        json_number(to->json, name, value);
    } else {
        tell(to, name, &value, 1);
    }
}

static void tell_flag(const report* to, const char* name, bool value)
{
    if (to->json) {
        json_flag(to->json, name, value);
    } else {
        printf("%-15s %s\n", name, value ? "true" : "false");
    }
}

static void tell_paper(const report* to, const constrained_input* in)
{
    const br_constrained* s = &in->system;
    br_constrained_value v;
    br_constrained_eval(s, in->work, &v);
    tell(to, "Q_id", v.q_id, s->n);
    tell(to, "lambda", v.lambda, s->m);
    tell(to, "qdd_ideal", v.qdd_ideal, s->n);
    if (s->C) {
        tell(to, "Q_nid", v.q_nid, s->n);
        tell(to, "qdd_with_C", v.qdd_with_c, s->n);
    }
    tell(to, "Q_p", v.q_p, s->n);
    tell(to, "Q_t", v.q_t, s->n);
    tell(to, "F_n", v.f_n, s->d);
    tell(to, "F_t", v.f_t, s->d);
    tell(to, "F_c", v.f_c, s->d);
    tell(to, "Q_c", v.q_c, s->n);
    tell_flag(to, "stick_paper", v.stick);
    tell(to, "F_s_paper", v.f_s, s->d);
    tell(to, "Q_s_paper", v.q_s, s->n);
    tell_number(to, "rank", (double)v.rank);
}

// What is right; gives the Painleve margin.
static double tell_contact(const report* to, const constrained_input* in)
{
    const br_constrained* s = &in->system;
    const br_resistance coulomb = br_constrained_coulomb(s);
    br_slide slide;
    br_hold hold;
    br_constrained_slide(s, &coulomb, BR_NORMAL_GEOMETRIC, in->work, &slide);
    br_constrained_hold(s, in->work, &hold);
    tell_number(to, "N_frictionless", slide.n_frictionless);
    tell_number(to, "N_coupled", slide.n);
    tell(to, "F_c_coupled", slide.friction, s->d);
    tell(to, "qdd_coupled", slide.qdd, s->n);
    tell_flag(to, "stick", hold.sticks);
    tell_number(to, "static_N", hold.n);
    tell_number(to, "static_T", hold.tangential);
    tell_number(to, "painleve_margin", slide.margin);
    return slide.margin;
}

static void warn_near_limit(const node* root, double margin)
{
    const char* place = node_place(node_find(root, "mu"));
    if (margin <= 0) {
        message_warn("%sbeyond the Painleve limit: no normal force, or more than one; margin %.3g",
                     place, margin);
    } else if (margin < NEAR_LIMIT) {
        message_warn("%snear the Painleve limit: margin %.3g", place, margin);
    }
}

int constrained_main(int argc, char** argv)
{
    const options o = options_read(argc, argv, OPTION_SET | OPTION_JSON | OPTION_QUIET);
    node* root = document_read(o.file);
    for (size_t i = 0; i < o.set_count; i++) {
        set_apply(root, o.sets[i]);
    }
    const constrained_input in = read_constrained(root);
    json object = {stdout, false};
    const report to = {o.json ? &object : NULL};
    if (o.json) {
        json_begin(&object, NULL, '{');
    }
    tell_paper(&to, &in);
    const double margin = in.system.normals > 0 ? tell_contact(&to, &in) : 1;
    if (o.json) {
        json_end(&object, '}');
        putchar('\n');
    }
    if (!o.quiet) {
        warn_near_limit(root, margin);
    }
    return EXIT_DONE;
}
