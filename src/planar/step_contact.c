/*
 * Contacts of a step: what they do, whichever method they are of, and where their numbers are.
 */
#include "math/lever.h"
#include "planar/contact_reduced.h"
#include "planar/step_stage.h"

// F = C v + c of bristles that do not decay, from the sums of their weights:
//   C = (sigma0 h + sigma1 + sigma2) sum w B^T B,   c = sigma0 sum w B^T z
static kernel_linear elastic_resistance(const br_contact* c, const kernel_step* in)
{
    const kernel_bundles* b = &c->parts;
    const double k = c->law.sigma0 * in->h + c->law.sigma1 + c->law.sigma2;
    kernel_linear out = {.slope = {{k * b->one, 0.0, -k * b->mean_y},
                                   {0.0, k * b->one, k * b->mean_x},
                                   {-k * b->mean_y, k * b->mean_x, k * b->square}}};
    c->kernel->elastic(b, in->z, out.rest);
    for (int i = 0; i < 3; i++) {
        out.rest[i] *= c->law.sigma0;
    }
    return out;
}

int bri_link_sticks(const contact_cursor* link, const kernel_step* in)
{
    const br_contact* c = link->model;
    return contact_is_reduced(c) ? bri_reduced_sticks(c, in)
                                 : c->kernel->sticks(&c->parts, &c->law, in);
}

void bri_link_resist(const contact_cursor* link, const kernel_step* in, resisting how,
                     kernel_force* out)
{
    const br_contact* c = link->model;
    const int is_reduced = contact_is_reduced(c), limited = how == FROZEN_AND_LIMITED;
    kernel_linear frozen;
    if (how == BY_LAW && is_reduced) {
        bri_reduced_pass(c, in, out);
    } else if (how == BY_LAW) {
        c->kernel->pass(&c->parts, &c->law, in, out);
    } else if (is_reduced) {
        c->kernel->reduced->linear(&c->look, &c->law, in, limited && c->def.guard, &frozen);
    } else if (how == ELASTIC) {
        frozen = elastic_resistance(c, in);
    } else {
        c->kernel->linear(&c->parts, &c->law, in, limited, &frozen);
    }
    if (how != BY_LAW) {
        memcpy(out->f, frozen.rest, sizeof out->f);
        memcpy(out->f_v, frozen.slope, sizeof out->f_v);
    }
}

void bri_link_close(const contact_cursor* link, const kernel_step* in, int limited,
                    kernel_closed* out)
{
    const br_contact* c = link->model;
    if (contact_is_reduced(c)) {
        c->kernel->reduced->close(&c->look, &c->law, in, limited && c->def.guard, link->z1, out);
    } else {
        c->kernel->close(&c->parts, &c->law, in, limited, link->z1, out);
    }
}

// How many contacts share the state.
static double step_count(const br_step_contact* c)
{
    return c->count > 0 ? (double)c->count : 1.0;
}

// Numbers at the head of a contact's workspace: its map, and its wrench in a first stage.
enum { MAP, FX = MAP + 4, FY, TAU, HEAD };

// Doubles of decay_cache.
static size_t decay_count_of(const br_contact* c)
{
    return contact_is_reduced(c) ? REDUCED_MEMO : KERNEL_DECAYS * c->parts.count;
}

// M (v + w J arm), w
static mat3 jacobian_of(const double* m, br_vec2 arm)
{
    return (mat3){{{m[0], m[1], m[1] * arm.x - m[0] * arm.y},
                   {m[2], m[3], m[3] * arm.x - m[2] * arm.y},
                   {0, 0, 1}}};
}

int bri_link_next(const stage* s, contact_cursor* link)
{
    const size_t index = link->contact ? link->index + 1 : 0;
    if (index == s->count) {
        return 0;
    }
    double* at = link->contact ? link->decay_cache + link->decay_count : s->work;
    br_step_contact* contact = &s->contacts[index];
    const br_contact* model = contact->contact;
    BR_ASSERT(model);
    link->contact = contact;
    link->model = model;
    link->index = index;
    link->twist = s->moves.twists == 1 ? 0 : index;
    link->jacobian = jacobian_of(at + MAP, contact->arm);
    link->weight = step_count(contact) * contact->fn;
    link->states = model->size * model->parts.count;
    link->decay_count = decay_count_of(model);
    link->first = at + FX;
    link->z = s->part == 2 ? at + HEAD : contact->z;
    link->end = s->part > 0 ? at + HEAD : contact->z;
    link->z1 = at + HEAD + link->states;
    link->decay_cache = link->z1 + link->states;
    return 1;
}

size_t bri_step_work_of(const br_step_contact* contacts, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const br_contact* c = contacts[i].contact;
        BR_ASSERT(c);
        sum += HEAD + 2 * c->size * c->parts.count + decay_count_of(c);
    }
    return sum;
}

double* bri_step_prepare(br_step_contact* contacts, size_t count, double* work)
{
    for (size_t i = 0; i < count; i++) {
        const map2 m =
            map2_multiply(contacts[i].contact->map, map2_of_axes(axes_of(contacts[i].angle)));
        memcpy(work + MAP, (const double[4]){m.xx, m.xy, m.yx, m.yy}, 4 * sizeof *work);
        work += bri_step_work_of(&contacts[i], 1);
    }
    return work;
}

void bri_step_clear_memos(const stage* s)
{
    for (contact_cursor l = no_link; bri_link_next(s, &l);) {
        memset(l.decay_cache, 0, l.decay_count * sizeof *l.decay_cache);
    }
}

void bri_step_reach_states(const stage* s, double reach)
{
    for (contact_cursor l = no_link; bri_link_next(s, &l);) {
        const br_wrench f = l.contact->f;
        memcpy(l.first, (const double[3]){f.fx, f.fy, f.tau}, 3 * sizeof *l.first);
        for (size_t k = 0; k < l.states; k++) {
            const double z0 = l.contact->z[k];
            l.end[k] = z0 + reach * (l.end[k] - z0);
        }
    }
}

void bri_step_keep_states(const stage* s, double share)
{
    for (contact_cursor l = no_link; bri_link_next(s, &l);) {
        br_wrench* f = &l.contact->f;
        f->fx = (1.0 - share) * l.first[0] + share * f->fx;
        f->fy = (1.0 - share) * l.first[1] + share * f->fy;
        f->tau = (1.0 - share) * l.first[2] + share * f->tau;
        memcpy(l.contact->z, l.end, l.states * sizeof *l.end);
    }
}

br_wrench bri_step_wrench(const br_step_contact* contacts, size_t count)
{
    br_wrench sum = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < count; i++) {
        const br_step_contact* c = &contacts[i];
        const br_wrench f = axes_leave(axes_of(c->angle), c->f);
        lever_add(&sum, step_count(c), lever_wrench(f, c->arm.x, c->arm.y));
    }
    return sum;
}
