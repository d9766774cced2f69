/*
 * Contacts of a step: what they do, whichever method they are of, and where their numbers are.
 */
#include "planar/contact_reduced.h"
#include "planar/step_stage.h"

void bri_contact_pass(const br_contact* c, const kernel_step* in, kernel_force* out)
{
    if (contact_is_reduced(c)) {
        bri_reduced_pass(c, in, out);
    } else {
        c->kernel->pass(&c->parts, &c->law, in, out);
    }
}

void bri_contact_linear(const br_contact* c, const kernel_step* in, int limited, kernel_linear* out)
{
    if (contact_is_reduced(c)) {
        c->kernel->reduced->linear(&c->look, &c->law, in, limited && c->def.guard, out);
    } else {
        c->kernel->linear(&c->parts, &c->law, in, limited, out);
    }
}

void bri_contact_close(const br_contact* c, const kernel_step* in, int limited, double* z1,
                       kernel_closed* out)
{
    if (contact_is_reduced(c)) {
        c->kernel->reduced->close(&c->look, &c->law, in, limited && c->def.guard, z1, out);
    } else {
        c->kernel->close(&c->parts, &c->law, in, limited, z1, out);
    }
}

// Numbers at the head of a contact's workspace: its axes, and its wrench in a first stage.
enum { COSINE, SINE, FX, FY, TAU, HEAD };

// Doubles of memo.
static size_t memo_of(const br_contact* c)
{
    return contact_is_reduced(c) ? REDUCED_MEMO : KERNEL_MEMO * c->parts.count;
}

step_link bri_step_link_at(const stage* s, size_t index, double** at)
{
    br_step_contact* contact = &s->contacts[index];
    const br_contact* c = contact->contact;
    BR_ASSERT(c);
    double* copy = *at + HEAD;
    const size_t states = c->size * c->parts.count;
    const step_link link = {.contact = contact,
                            .model = c,
                            .axes = {(*at)[COSINE], (*at)[SINE]},
                            .states = states,
                            .memos = memo_of(c),
                            .first = *at + FX,
                            .z = s->on_copies ? copy : contact->z,
                            .z1 = copy + states,
                            .memo = copy + 2 * states};
    *at = link.memo + link.memos;
    return link;
}

size_t bri_step_work_of(const br_step_contact* contacts, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const br_contact* c = contacts[i].contact;
        BR_ASSERT(c);
        sum += HEAD + 2 * c->size * c->parts.count + memo_of(c);
    }
    return sum;
}

double* bri_step_prepare(br_step_contact* contacts, size_t count, double* work)
{
    for (size_t i = 0; i < count; i++) {
        const axes frame = axes_of(contacts[i].angle), own = contacts[i].contact->axes;
        work[COSINE] = frame.cosine * own.cosine - frame.sine * own.sine;
        work[SINE] = frame.sine * own.cosine + frame.cosine * own.sine;
        work += bri_step_work_of(&contacts[i], 1);
    }
    return work;
}

void bri_step_copy_states(const stage* s)
{
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        memcpy(link.z, link.contact->z, link.states * sizeof *link.z);
    }
}

void bri_step_reach_states(const stage* s, double reach)
{
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        const br_wrench f = link.contact->f;
        memcpy(link.first, (const double[3]){f.fx, f.fy, f.tau}, 3 * sizeof *link.first);
        for (size_t k = 0; k < link.states; k++) {
            const double z0 = link.contact->z[k];
            link.z[k] = z0 + reach * (link.z[k] - z0);
        }
    }
}

void bri_step_keep_states(const stage* s, double share)
{
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(s, i, &at);
        br_wrench* f = &link.contact->f;
        f->fx = (1.0 - share) * link.first[0] + share * f->fx;
        f->fy = (1.0 - share) * link.first[1] + share * f->fy;
        f->tau = (1.0 - share) * link.first[2] + share * f->tau;
        memcpy(link.contact->z, link.z, link.states * sizeof *link.z);
    }
}

vector3 bri_step_wrench(const br_step_contact* contacts, size_t count)
{
    vector3 sum = {{0.0, 0.0, 0.0}};
    for (size_t i = 0; i < count; i++) {
        const br_step_contact* c = &contacts[i];
        const br_wrench f = axes_leave(axes_of(c->angle), c->f);
        const double n = step_count(c);
        sum.at[0] += n * f.fx;
        sum.at[1] += n * f.fy;
        sum.at[2] += n * (f.tau + c->arm.x * f.fy - c->arm.y * f.fx);
    }
    return sum;
}
