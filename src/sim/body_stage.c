/*
 * The stages of a step of a rigid body on bristles (stage.h), each in one pass over the bristles; bri_body_rate()
 * and bri_body_solve() take five passes. Bristles are coupled through the body alone. So each tile of bristles
 * (bri_contact_take_stage()) finishes the last stage with its du of the twist, sums all stages, evaluates the
 * rates there and eliminates its bristles; then the body's own stage gives the next du.
 */
#include "sim/body_internal.h"
#include "sim/states.h"

#include <string.h>

// Start the stage of the body: its state `at` and its right side.
static void start_front(const stage* g, double at[BRISTLES], double* u)
{
    double moved[BRISTLES], right[BRISTLES] = {0.0};
    memcpy(moved, g->y, sizeof moved);
    for (int j = 0; j < g->before; j++) {
        const double *earlier = g->u + (size_t)j * g->stride, a = g->a[j], c = g->c[j];
        for (size_t i = 0; i < BRISTLES; i++) {
            moved[i] += a * earlier[i];
            right[i] += c * earlier[i];
        }
    }
    for (size_t i = 0; i < BRISTLES && g->changing > 0; i++) {
        right[i] += g->by_time * g->dfdt[i];
    }
    memcpy(at, moved, sizeof moved);
    memcpy(u, right, sizeof right);
}

// Eliminate the bristles in the first stage, whose rates are known.
static br_wrench eliminate_rates(const body_system* s, const stage* g, double* u)
{
    br_wrench back = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < s->body->contact_count; i++) {
        const contact_run* h = &s->contacts[i];
        const size_t states = contact_states(&h->contact);
        const double* right = g->rate + h->at;
        if (h->open) {
            memset(u + h->at, 0, states * sizeof *u);
            continue;
        }
        if (g->changing > BRISTLES) {
            const double one = g->by_time;
            bri_states_combine(states, 0, 1, &one, g->dfdt + h->at, right, u + h->at);
            right = u + h->at;
        }
        bri_contact_run_add_back(h, bri_contact_eliminate(&h->contact, right, u + h->at), &back);
    }
    return back;
}

// An open contact has no bristles and no friction.
static void skip_open(const contact_run* h, const stage* g, double* u)
{
    const size_t bytes = contact_states(&h->contact) * sizeof *u;
    memset(u + h->at, 0, bytes);
    if (g->at) {
        memcpy(g->at + h->at, g->y + h->at, bytes);
    }
}

// Any other stage: adds the friction on the CoM to `sum`; returns the effect of the eliminated bristles.
static br_wrench evaluate_contacts(body_system* s, const stage* g, const double at[BRISTLES],
                                   double* u, br_wrench* sum)
{
    br_wrench back = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < s->body->contact_count; i++) {
        contact_run* h = &s->contacts[i];
        if (h->open) {
            skip_open(h, g, u);
            continue;
        }
        br_wrench f, own;
        contact_moment m;
        bri_contact_run_place(s, h, g->t, at, &m);
        bri_contact_take_stage(&h->contact, g, h->at, h->du, m.twist, &f, &own);
        add_wrench(sum, (double)h->def->count * m.fn, wrench_from(&m.lever, f));
        bri_contact_run_add_back(h, own, &back);
    }
    return back;
}

void bri_body_take_stage(const stage* g, void* user)
{
    body_system* s = user;
    double *u = g->u + (size_t)g->before * g->stride, at[BRISTLES], rate[BRISTLES];
    start_front(g, at, u);
    br_wrench back;
    if (g->rate) {
        memcpy(rate, g->rate, sizeof rate);
        back = eliminate_rates(s, g, u);
    } else {
        br_wrench sum = bri_body_loads(s, g->t, pose_of(at), NULL, NULL);
        add_wrench(&sum, 1.0, bri_body_push(s, g->t, at));
        back = evaluate_contacts(s, g, at, u, &sum);
        bri_body_accelerate(s, g->t, at, sum, rate);
    }
    if (g->at) {
        memcpy(g->at, at, sizeof at);
    }
    for (size_t i = 0; i < BRISTLES; i++) {
        u[i] += rate[i];
    }
    bri_body_solve_front(s, back, u);
}

double bri_body_end_step(const stage_end* g, void* user)
{
    const body_system* s = user;
    const double front = bri_states_close(BRISTLES, g->u, g->at, g->y, g->y1, g->atol, g->rtol);
    double sum = 0.0;
    for (size_t i = 0; i < s->body->contact_count; i++) {
        const contact_run* h = &s->contacts[i];
        if (h->open) {
            memcpy(g->y1 + h->at, g->at + h->at, contact_states(&h->contact) * sizeof *g->y1);
        } else {
            sum += bri_contact_end_step(&h->contact, g, h->at, h->du);
        }
    }
    const double back = s->n > BRISTLES ? sqrt(sum / (double)(s->n - BRISTLES)) : 0.0;
    return larger_or_nan(front, back);
}
