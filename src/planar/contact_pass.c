/*
 * What a stage of a body's step needs of one contact: passes at trial twists, the closing solve's slope
 * and rest, the end of the step.
 */
#include "planar/contact_reduced.h"
#include "planar/step_stage.h"

step_model bri_contact_step_model(const br_contact* c)
{
    return (step_model){.states = c->size * c->parts.count,
                        .memo = contact_is_reduced(c) ? REDUCED_MEMO : KERNEL_MEMO * c->parts.count,
                        .law = &c->def.law,
                        .axes = c->axes,
                        .spin = sqrt(c->value.u),
                        .guard = contact_is_reduced(c) && c->def.guard};
}

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
        bri_reduced_linear(c, in, limited, out);
    } else {
        c->kernel->linear(&c->parts, &c->law, in, limited, out);
    }
}

void bri_contact_close(const br_contact* c, const kernel_step* in, int limited, double* z1,
                       kernel_closed* out)
{
    if (contact_is_reduced(c)) {
        bri_reduced_close(c, in, limited, z1, out);
    } else {
        c->kernel->close(&c->parts, &c->law, in, limited, z1, out);
    }
}
