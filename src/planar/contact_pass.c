/*
 * What a stage of a body's step needs of one contact: passes at trial twists, the closing solve's slope
 * and rest, the end of the step.
 */
#include "planar/contact_reduced.h"
#include "planar/step_internal.h"

step_model bri_contact_step_model(const br_contact* c)
{
    return (step_model){.states = c->size * c->parts.count,
                        .memo = contact_is_reduced(c) ? REDUCED_MEMO : KERNEL_MEMO * c->parts.count,
                        .law = &c->def.law,
                        .axes = c->axes,
                        .spin = sqrt(c->value.u),
                        .guard = contact_is_reduced(c) && c->def.guard};
}

static kernel_step kernel_step_of(const step_pass* in)
{
    return (kernel_step){
        .z = in->z, .v = {in->v.vx, in->v.vy, in->v.w}, .h = in->h, .memo = in->memo};
}

void bri_contact_pass(const br_contact* c, const step_pass* in, step_force* out)
{
    if (contact_is_reduced(c)) {
        bri_reduced_pass(c, in, out);
        return;
    }
    const kernel_step step = kernel_step_of(in);
    kernel_force force;
    c->kernel->pass(&c->parts, &c->law, &step, &force);
    memcpy(out->f.at, force.f, sizeof force.f);
    memcpy(out->f_v.at, force.f_v, sizeof force.f_v);
    out->elastic = force.elastic;
}

void bri_contact_linear(const br_contact* c, const step_pass* in, int limited, step_linear* out)
{
    if (contact_is_reduced(c)) {
        bri_reduced_linear(c, in, limited, out);
        return;
    }
    const kernel_step step = kernel_step_of(in);
    kernel_linear linear;
    c->kernel->linear(&c->parts, &c->law, &step, limited, &linear);
    memcpy(out->slope.at, linear.slope, sizeof linear.slope);
    memcpy(out->rest.at, linear.rest, sizeof linear.rest);
}

void bri_contact_close(const br_contact* c, const step_pass* in, int limited, double* z1,
                       step_closed* out)
{
    if (contact_is_reduced(c)) {
        bri_reduced_close(c, in, limited, z1, out);
        return;
    }
    const kernel_step step = kernel_step_of(in);
    kernel_closed closed;
    c->kernel->close(&c->parts, &c->law, &step, limited, z1, &closed);
    memcpy(out->f.at, closed.f, sizeof closed.f);
    out->heat = closed.heat;
    out->before = closed.before;
    out->after = closed.after;
}
