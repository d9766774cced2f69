/* Tests of the module planar: contacts with their memory in one object. */
#include "step_fixture.h"

#include <stddef.h>

static br_stepper* make_stepper(fixture* f, bool group)
{
    br_step_contact contacts[MODELS];
    for (int i = 0; i < MODELS; i++) {
        fixture_init(&f[i], i, law_of(1));
        f[i].contact.fn = 1.0 + i;
        f[i].contact.arm = (br_vec2){0.01 * i, -0.02};
        contacts[i] = f[i].contact;
        contacts[i].z = NULL; // ignored
    }
    br_stepper_def def = br_stepper_def_default();
    def.contacts = contacts, def.count = MODELS, def.group = group;
    br_stepper* s = NULL;
    assert_status(br_stepper_create(&def, &s, NULL), BR_OK);
    return s;
}

static void free_all(fixture* f, br_stepper* s)
{
    for (int i = 0; i < MODELS; i++) {
        fixture_free(&f[i]);
    }
    br_stepper_destroy(s);
}

/* Oracle: br_step_coupled() with memory of the caller, to the last bit, contacts of all methods together. */
static void a_stepper_does_the_steps_of_its_contacts(void** state)
{
    (void)state;
    fixture f[MODELS];
    br_stepper* s = make_stepper(f, false);
    br_step_contact own[MODELS];
    static double work[MODELS * MOST_WORK];
    for (int i = 0; i < MODELS; i++) {
        own[i] = f[i].contact;
    }
    const br_step_body body = body_of(0.3, 0.02, 2);
    br_twist v = {0.02, -0.01, 3.0}, v_own = v;
    for (int k = 0; k < 50; k++) {
        const double h = k % 2 ? 1e-3 : 1e-4, fn = 1.0 + 0.1 * k;
        br_stepper_get_contacts(s)[k % MODELS].fn = own[k % MODELS].fn = fn;
        const br_wrench load = {1.0, 0.0, 0.01};
        const br_step_result a = br_stepper_step(s, &body, &v, load, h);
        const br_step_result b = br_step_coupled(&body, &v_own, load, h, own, MODELS, work);
        assert_memory_equal(&v, &v_own, sizeof v);
        assert_memory_equal(&a.energy, &b.energy, sizeof a.energy);
        assert_memory_equal(&br_stepper_get_contacts(s)[2].f, &own[2].f, sizeof own[2].f);
    }
    free_all(f, s);
}

/* Oracle: br_step_coupled(), which a group of one twist is, by the memory of one stepper; valgrind and the address
 * sanitizer see a workspace that is too short. */
static void its_workspace_fits_hosts_trials_and_groups(void** state)
{
    (void)state;
    fixture f[MODELS];
    br_stepper* s = make_stepper(f, true);
    br_step_contact* contacts = br_stepper_get_contacts(s);
    double* work = br_stepper_get_work(s);
    double A[9 * MODELS * MODELS] = {0.0};
    for (int i = 0; i < 3 * MODELS; i++) {
        A[i * 3 * MODELS + i] = i % 3 == 2 ? 1e3 : 2.0;
    }
    const br_twist u[MODELS] = {{0.02, -0.01, 3.0}, {0.0, 0.1, 0.0}, {0.1, 0.0, -1.0}};
    br_wrench out[MODELS];
    const br_step_group group = {.inverse_mass = A};
    const br_step_group_answer r =
        br_step_group_step(&group, u, 1e-3, contacts, MODELS, out, NULL, work);
    assert_int_equal(r.rank, 3 * MODELS);
    assert_true(out[0].fx < 0.0 && out[1].fy < 0.0);
    br_step_host host = br_step_host_default(0.3, 0.02);
    const br_step_answer answer =
        br_step_host_step(&host, (br_twist){0.1, 0.0, 0.0}, 1e-3, contacts, MODELS, work);
    assert_true(answer.f.fx < 0.0);
    assert_true(br_step_trial_eval(contacts, MODELS, (br_twist){0.1, 0.0, 0.0}, 1e-3, work).f.fx <
                0.0);
    free_all(f, s);
}

/* Oracle: definition. */
static void a_stepper_refuses_what_it_cannot_step(void** state)
{
    (void)state;
    br_stepper* s = NULL;
    br_reason why;
    br_stepper_def def = br_stepper_def_default();
    def.count = 1;
    assert_status(br_stepper_create(&def, &s, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "contacts");
    const br_step_contact none = {.fn = 1.0};
    def.contacts = &none;
    assert_status(br_stepper_create(&def, &s, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "contacts[0].contact");
    assert_null(s);
    br_stepper_destroy(NULL);

    // without contacts a body moves freely
    def.count = 0;
    assert_status(br_stepper_create(&def, &s, &why), BR_OK);
    br_twist v = {1.0, 0.0, 0.0};
    const br_step_body body = body_of(2.0, 0.02, 1);
    br_stepper_step(s, &body, &v, (br_wrench){4.0, 0.0, 0.0}, 0.5);
    assert_near(v.vx, 2.0, 1e-15 /* rounding of (1 + 4/2 0.5) */);
    br_stepper_destroy(s);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stepper_does_the_steps_of_its_contacts),
        cmocka_unit_test(its_workspace_fits_hosts_trials_and_groups),
        cmocka_unit_test(a_stepper_refuses_what_it_cannot_step),
    };
    return run_disc_group(argc, argv, tests);
}
