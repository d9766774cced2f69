/*
 * What a step may be given, and how br_step_check() refuses the rest.
 */
#include "step_fixture.h"

static const br_wrench no_load = {0.0, 0.0, 0.0};
static const br_twist at_rest = {0.0, 0.0, 0.0};

// A step of a body on `count` contacts as they are given: twist at the end, and host's wrench.
static br_wrench step_on(size_t count, int order, br_twist* v)
{
    fixture f;
    fixture_init(&f, BLOCKS, law_of(1));
    br_step_contact c = {.contact = f.made, .z = f.z, .fn = 10.0, .count = count};
    const br_step_body body = body_of(1.0, 0.05, order);
    br_step_host host = br_step_host_default(1.0, 0.05);
    assert_status(br_step_check(&body, at_rest, no_load, 1e-3, &c, 1, NULL), BR_OK);
    br_step_coupled(&body, v, no_load, 1e-3, &c, 1, f.work);
    const br_wrench wrench = br_step_host_step(&host, *v, 1e-3, &c, 1, f.work).f;
    fixture_free(&f);
    return wrench;
}

/* Oracle: the header. A contact of which no count is set is one contact, to the last bit, and has friction. */
static void a_contact_without_count_is_one(void** state)
{
    (void)state;
    for (int order = 1; order <= 2; order++) {
        br_twist v = {0.1, 0.0, 1.0}, v1 = v;
        const br_wrench none = step_on(0, order, &v), one = step_on(1, order, &v1);
        assert_memory_equal(&none, &one, sizeof one);
        assert_memory_equal(&v, &v1, sizeof v);
        assert_true(v.vx < 0.095 && none.fx < -5.0);
    }
}

// A step that is well defined, for one thing at a time to be spoilt.
typedef struct given {
    br_step_body body;
    br_twist v;
    br_wrench load;
    double h;
    br_step_contact contact[2];
} given;

static given good(fixture* f)
{
    given g = {.body = body_of(1.0, 0.05, 2), .h = 1e-3, .contact = {f->contact, f->contact}};
    g.contact[0].fn = g.contact[1].fn = 3.0;
    return g;
}

static void expect(const given* g, br_status status, const char* field, const char* part)
{
    br_reason why = {"", ""};
    assert_status(br_step_check(&g->body, g->v, g->load, g->h, g->contact, 2, &why), status);
    assert_string_equal(why.field, field);
    if (!strstr(why.text, part)) {
        fail_msg("%s: %s, instead of %s", why.field, why.text, part);
    }
    assert_status(br_step_check(&g->body, g->v, g->load, g->h, g->contact, 2, NULL), status);
}

/* Oracle: the header's ranges. */
static void a_body_that_cannot_be_is_named(void** state)
{
    (void)state;
    fixture f;
    fixture_init(&f, ELLIPSOID, law_of(1));
    given g = good(&f);
    assert_status(br_step_check(&g.body, g.v, g.load, g.h, g.contact, 2, NULL), BR_OK);
    g.body.mass[2][2] = -1e-4;
    expect(&g, BR_ERR_DEF, "mass[2][2]", "inertia must be > 0, got -0.0001");
    g = good(&f);
    g.body.mass[0][0] = 0.0;
    expect(&g, BR_ERR_DEF, "mass[0][0]", "mass must be > 0, got 0");
    g = good(&f);
    g.body.mass[0][2] = (double)NAN;
    expect(&g, BR_ERR_DEF, "mass[0][2]", "finite");
    g = good(&f);
    g.body.mass[0][2] = 0.01;
    expect(&g, BR_ERR_DEF, "mass[2][0]", "must be mass[0][2]");
    g = good(&f);
    g.body.mass[0][1] = g.body.mass[1][0] = 2.0;
    expect(&g, BR_ERR_DEF, "mass", "positive definite");
    g = good(&f);
    g.body.order = 3;
    expect(&g, BR_ERR_DEF, "order", "1 or 2, got 3");
    g = good(&f);
    g.body.passes = 0;
    expect(&g, BR_ERR_DEF, "passes", ">= 1");
    g = good(&f);
    g.body = (br_step_body){.order = 0}; // not started from br_step_body_default()
    expect(&g, BR_ERR_DEF, "order", "1 or 2, got 0");
    g = good(&f);
    g.body.mass[0][2] = g.body.mass[2][0] = 0.02; // the CoM aside: as it should be
    assert_status(br_step_check(&g.body, g.v, g.load, g.h, g.contact, 2, NULL), BR_OK);
    fixture_free(&f);
}

/* Oracle: the header's ranges. */
static void arguments_that_cannot_be_are_named(void** state)
{
    (void)state;
    fixture f;
    fixture_init(&f, ELLIPSOID, law_of(1));
    given g = good(&f);
    g.v.w = (double)NAN;
    expect(&g, BR_ERR_ARG, "v", "finite, got");
    g = good(&f);
    g.load.fy = HUGE_VAL;
    expect(&g, BR_ERR_ARG, "load", "finite, got inf");
    g = good(&f);
    g.h = 0.0;
    expect(&g, BR_ERR_ARG, "h", "> 0, got 0");
    br_reason why;
    g = good(&f);
    assert_status(br_step_check(&g.body, g.v, g.load, g.h, NULL, 1, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "contacts");
    assert_status(br_step_check(&g.body, g.v, g.load, g.h, NULL, 0, &why), BR_OK);
    assert_status(br_step_check(NULL, g.v, g.load, g.h, g.contact, 1, &why), BR_OK);
    fixture_free(&f);
}

/* Oracle: the header's ranges. */
static void contacts_that_cannot_be_are_named(void** state)
{
    (void)state;
    for (int which = 0; which < MODELS; which++) {
        fixture f;
        fixture_init(&f, which, law_of(1));
        given g = good(&f);
        g.contact[1].fn = -1.0;
        expect(&g, BR_ERR_DEF, "contacts[1].fn", ">= 0, got -1");
        g = good(&f);
        g.contact[1].fn = (double)NAN;
        expect(&g, BR_ERR_DEF, "contacts[1].fn", ">= 0, got");
        g = good(&f);
        g.contact[1].z = NULL;
        expect(&g, BR_ERR_DEF, "contacts[1].z", "is missing");
        g = good(&f);
        g.contact[1].arm.y = (double)NAN;
        expect(&g, BR_ERR_DEF, "contacts[1].arm", "finite");
        g = good(&f);
        g.contact[1].angle = HUGE_VAL;
        expect(&g, BR_ERR_DEF, "contacts[1].angle", "finite");
        g = good(&f);
        g.contact[1] = (br_step_contact){0};
        expect(&g, BR_ERR_DEF, "contacts[1]", "has no contact");
        g = good(&f);
        f.z[f.states - 1] = (double)NAN;
        expect(&g, BR_ERR_DEF, "contacts[0].z", "finite");
        fixture_free(&f);
    }
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_without_count_is_one),
        cmocka_unit_test(a_body_that_cannot_be_is_named),
        cmocka_unit_test(arguments_that_cannot_be_are_named),
        cmocka_unit_test(contacts_that_cannot_be_are_named),
    };
    return run_disc_group(argc, argv, tests);
}
