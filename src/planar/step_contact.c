/*
 * Contacts of a step: which model, where its numbers are, and turns between the body and the patch.
 */
#include "planar/step_stage.h"

// Numbers at the head of a contact's workspace: its axes, and its wrench in a first stage.
enum { COSINE, SINE, FX, FY, TAU, HEAD };

step_model bri_step_model_of(const br_step_contact* c)
{
    BR_ASSERT(c->contact);
    return bri_contact_step_model(c->contact);
}

size_t bri_step_work_of(const br_step_contact* contacts, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        const step_model model = bri_step_model_of(&contacts[i]);
        sum += HEAD + 2 * model.states + model.memo;
    }
    return sum;
}

double* bri_step_prepare(br_step_contact* contacts, size_t count, double* work)
{
    for (size_t i = 0; i < count; i++) {
        const step_model model = bri_step_model_of(&contacts[i]);
        const axes frame = axes_of(contacts[i].angle);
        work[COSINE] = frame.cosine * model.axes.cosine - frame.sine * model.axes.sine;
        work[SINE] = frame.sine * model.axes.cosine + frame.cosine * model.axes.sine;
        work += HEAD + 2 * model.states + model.memo;
    }
    return work;
}

step_link bri_step_link_at(const stage* s, size_t index, double** at)
{
    br_step_contact* contact = &s->contacts[index];
    const step_model model = bri_step_model_of(contact);
    double* copy = *at + HEAD;
    const step_link link = {.contact = contact,
                            .model = model,
                            .axes = {(*at)[COSINE], (*at)[SINE]},
                            .first = *at + FX,
                            .z = s->on_copies ? copy : contact->z,
                            .z1 = copy + model.states,
                            .memo = copy + 2 * model.states};
    *at = link.memo + model.memo;
    return link;
}

void bri_step_copy_states(const stage* s)
{
    stage copies = *s;
    copies.on_copies = 1;
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(&copies, i, &at);
        memcpy(link.z, link.contact->z, link.model.states * sizeof *link.z);
    }
}

void bri_step_reach_states(const stage* s, double reach)
{
    stage copies = *s;
    copies.on_copies = 1;
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(&copies, i, &at);
        const br_wrench f = link.contact->f;
        link.first[0] = f.fx;
        link.first[1] = f.fy;
        link.first[2] = f.tau;
        for (size_t k = 0; k < link.model.states; k++) {
            const double z0 = link.contact->z[k];
            link.z[k] = z0 + reach * (link.z[k] - z0);
        }
    }
}

void bri_step_keep_states(const stage* s, double share)
{
    stage copies = *s;
    copies.on_copies = 1;
    double* at = s->work;
    for (size_t i = 0; i < s->count; i++) {
        const step_link link = bri_step_link_at(&copies, i, &at);
        br_wrench* f = &link.contact->f;
        f->fx = (1.0 - share) * link.first[0] + share * f->fx;
        f->fy = (1.0 - share) * link.first[1] + share * f->fy;
        f->tau = (1.0 - share) * link.first[2] + share * f->tau;
        memcpy(link.contact->z, link.z, link.model.states * sizeof *link.z);
    }
}

vector3 bri_step_wrench(const br_step_contact* contacts, size_t count)
{
    vector3 sum = {{0.0, 0.0, 0.0}};
    for (size_t i = 0; i < count; i++) {
        const br_step_contact* c = &contacts[i];
        const br_wrench f = axes_leave(axes_of(c->angle), c->f);
        const double n = (double)c->count;
        sum.at[0] += n * f.fx;
        sum.at[1] += n * f.fy;
        sum.at[2] += n * (f.tau + c->arm.x * f.fy - c->arm.y * f.fx);
    }
    return sum;
}
