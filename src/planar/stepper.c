/*
 * Contacts with their states and the workspace of steps in one object. The steps themselves are in step.c, step_host.c
 * and step_group.c; this file only owns memory.
 */
#include "planar/step_stage.h"

#include <stdio.h>

#include "base/definition.h"

struct br_stepper {
    br_step_contact* contacts; // (count)
    size_t count;
    double* numbers; // states of all contacts, then the workspace
    double* work;
};

br_stepper_def br_stepper_def_default(void)
{
    return (br_stepper_def){.size = sizeof(br_stepper_def)};
}

static br_status check(const br_stepper_def* def, br_reason* why)
{
    if (def->count > 0 && !def->contacts) {
        br_reason_set(why, "contacts", "must be set");
        return BR_ERR_DEF;
    }
    for (size_t i = 0; i < def->count; i++) {
        if (!def->contacts[i].contact) {
            char field[48];
            snprintf(field, sizeof field, "contacts[%zu].contact", i);
            br_reason_set(why, field, "must be set");
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

// Copy the contacts and give each its states, which are 0.
static void set_contacts(br_stepper* s, const br_step_contact* from)
{
    s->work = s->numbers;
    for (size_t i = 0; i < s->count; i++) {
        s->contacts[i] = from[i];
        s->contacts[i].z = s->work;
        s->work += br_contact_get_state_count(from[i].contact);
    }
}

static size_t count_numbers(const br_stepper_def* def)
{
    size_t count = def->group ? br_step_group_get_work(def->contacts, def->count)
                              : br_step_get_work(def->contacts, def->count);
    for (size_t i = 0; i < def->count; i++) {
        count += br_contact_get_state_count(def->contacts[i].contact);
    }
    return count;
}

br_status br_stepper_create(const br_stepper_def* given, br_stepper** out, br_reason* why)
{
    BR_ASSERT(given && out);
    *out = NULL;
    br_stepper_def def = br_stepper_def_default();
    br_status status = DEFINITION_READ(br_stepper_def, given, &def, why);
    status = status == BR_OK ? check(&def, why) : status;
    if (status != BR_OK) {
        return status;
    }
    br_stepper* s = br_allocate(1, sizeof *s);
    if (s) {
        s->count = def.count;
        s->contacts = br_allocate(def.count + 1, sizeof *s->contacts);
        s->numbers = br_allocate(count_numbers(&def) + 1, sizeof *s->numbers);
    }
    if (!s || !s->contacts || !s->numbers) {
        br_stepper_destroy(s);
        br_reason_set(why, "", "no memory for %zu contacts", def.count);
        return BR_ERR_MEMORY;
    }
    set_contacts(s, def.contacts);
    *out = s;
    return BR_OK;
}

void br_stepper_destroy(br_stepper* stepper)
{
    if (stepper) {
        br_release(stepper->contacts);
        br_release(stepper->numbers);
        br_release(stepper);
    }
}

br_step_contact* br_stepper_get_contacts(br_stepper* stepper)
{
    BR_ASSERT(stepper);
    return stepper->contacts;
}

double* br_stepper_get_work(br_stepper* stepper)
{
    BR_ASSERT(stepper);
    return stepper->work;
}

br_step_result br_stepper_step(br_stepper* stepper, const br_step_body* body, br_twist* v,
                               br_wrench load, double h)
{
    BR_ASSERT(stepper);
    return br_step_coupled(body, v, load, h, stepper->contacts, stepper->count, stepper->work);
}
