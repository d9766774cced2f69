/*
 * Oracle: central differences of recorded steps, with Newton's iteration carried to the end (this program compiles the
 * stage of its own with a tighter tolerance); tapes of other lengths; rollouts of rollout.h; lanes against their plain twin.
 */
#define STAGE_TOLERANCE 1e-13
#include "planar/step_stage.c" // NOLINT(bugprone-suspicious-include)

#include "worlds_fixture.h"

#include "planar/worlds_internal.h"

enum { WORLDS = 19, STEPS = 16, LAWS = 8 };

static world_rows start, moved;

// Rows of the law among the fixture's numbers, and their places in br_by.
static const int row_of[LAWS] = {MU_C, MU_S, V_S, SIGMA0, SIGMA1, SIGMA2, S_BA, V_D};
static const br_by by_of[LAWS] = {BR_BY_MU_C,   BR_BY_MU_S,   BR_BY_V_S,  BR_BY_SIGMA0,
                                  BR_BY_SIGMA1, BR_BY_SIGMA2, BR_BY_S_BA, BR_BY_V_DAMPING};

// --- a number of each world that depends on all results, and its derivatives --------------------------------

// dL/d(results): of poses and twists after each step, of wrenches and bristles at the end.
typedef struct weights {
    double pose[STEPS * 3 * WORLDS], twist[STEPS * 3 * WORLDS];
    double f[BR_WORLDS_CONTACTS][3 * WORLDS], z[BR_WORLDS_CONTACTS][MOST_STATES * WORLDS];
} weights;

static weights weight;

static void fill_weights(void)
{
    uint64_t seed = 99;
    fill_rows(weight.pose, STEPS * 3 * WORLDS, &seed, -30.0, 30.0);
    fill_rows(weight.twist, STEPS * 3 * WORLDS, &seed, -1.0, 1.0);
    for (int k = 0; k < BR_WORLDS_CONTACTS; k++) {
        fill_rows(weight.f[k], 3 * WORLDS, &seed, -0.1, 0.1);
        fill_rows(weight.z[k], MOST_STATES * WORLDS, &seed, -3e3, 3e3);
    }
}

static double* tape_for(const br_worlds* w, size_t count, size_t every)
{
    const size_t size = br_worlds_get_tape(w, count, STEPS, every);
    double* tape = calloc(size, sizeof *tape);
    assert_non_null(tape);
    return tape;
}

// L of each world; `moved` is stepped.
static void find_losses(br_worlds* w, double* tape, size_t every, double out[WORLDS])
{
    static double pose[STEPS * 3 * WORLDS], twist[STEPS * 3 * WORLDS];
    const br_worlds_arrays a = arrays_of(&moved);
    const br_worlds_record record = {.every = every, .tape = tape, .pose = pose, .twist = twist};
    br_worlds_step_recorded(w, &a, moved.h, STEPS, &record);
    memset(out, 0, WORLDS * sizeof *out);
    for (size_t at = 0; at < STEPS * 3 * WORLDS; at++) {
        out[at % WORLDS] += weight.pose[at] * pose[at] + weight.twist[at] * twist[at];
    }
    for (size_t k = 0; k < moved.contacts; k++) {
        for (size_t at = 0; at < br_worlds_get_state_count(w, k) * WORLDS; at++) {
            out[at % WORLDS] += weight.z[k][at] * moved.contact[k].z[at];
        }
        for (size_t at = 0; at < 3 * WORLDS; at++) {
            out[at % WORLDS] += weight.f[k][at] * moved.contact[k].f[at];
        }
    }
}

// Derivatives of L in the layout of the arrays.
typedef struct contact_slopes {
    double z[MOST_STATES * WORLDS], fn[STEPS * WORLDS], position[2 * WORLDS], angle[WORLDS];
    double scale[WORLDS], ground[3 * WORLDS], law[LAWS][WORLDS];
} contact_slopes;

typedef struct slopes {
    double pose[3 * WORLDS], twist[3 * WORLDS], mass[WORLDS], inertia[WORLDS];
    double load[STEPS * 3 * WORLDS], h[WORLDS], pivot[WORLDS];
    uint8_t flags[WORLDS];
    contact_slopes contact[BR_WORLDS_CONTACTS];
} slopes;

static br_worlds_adjoint adjoint_of(slopes* s, size_t contacts)
{
    br_worlds_adjoint d = {.pose_bar = weight.pose,
                           .pose_steps = STEPS,
                           .twist_bar = weight.twist,
                           .twist_steps = STEPS,
                           .pose = s->pose,
                           .twist = s->twist,
                           .mass = s->mass,
                           .inertia = s->inertia,
                           .load = s->load,
                           .h = s->h,
                           .pivot = s->pivot,
                           .flags = s->flags};
    for (size_t k = 0; k < contacts; k++) {
        contact_slopes* c = &s->contact[k];
        d.contacts[k] = (br_worlds_contact_adjoint){.z_bar = weight.z[k],
                                                    .f_bar = weight.f[k],
                                                    .z = c->z,
                                                    .fn = c->fn,
                                                    .position = c->position,
                                                    .angle = c->angle,
                                                    .scale = c->scale,
                                                    .ground = c->ground};
        for (int i = 0; i < LAWS; i++) {
            d.contacts[k].law[by_of[i]] = c->law[i];
        }
    }
    return d;
}

// Steps from `start` and the sweep back over them.
static void find_slopes(br_worlds* w, size_t every, slopes* out)
{
    double losses[WORLDS], *tape = tape_for(w, WORLDS, every);
    memset(out, 0, sizeof *out);
    moved = start;
    find_losses(w, tape, every, losses);
    const br_worlds_arrays a = arrays_of(&moved);
    const br_worlds_record record = {.every = every, .tape = tape};
    const br_worlds_adjoint d = adjoint_of(out, start.contacts);
    br_worlds_step_vjp(w, &a, start.h, STEPS, &record, &d);
    free(tape);
}

// --- differences ------------------------------------------------------------------------------------------------

static size_t compared, kinked;

// Change a row of numbers of all worlds at once: each world has a difference of its own. size: how much is a lot.
static void check_row(br_worlds* w, double* tape, const char* name, double* row, size_t many,
                      double size, const double* found, const uint8_t* flags)
{
    double best[WORLDS], nearest[WORLDS], before[WORLDS], plus[WORLDS], minus[WORLDS];
    double* const at = (double*)((char*)&moved + ((char*)row - (char*)&start));
    for (size_t i = 0; i < WORLDS; i++) {
        best[i] = before[i] = HUGE_VAL;
    }
    for (double e = 1e-3; e > 5e-7; e *= 0.1) {
        for (int side = 0; side < 2; side++) {
            moved = start;
            for (size_t i = 0; i < many; i++) {
                at[i] += (side ? -e : e) * size;
            }
            find_losses(w, tape, 1, side ? minus : plus);
        }
        for (size_t i = 0; i < WORLDS; i++) {
            const double slope = (plus[i] - minus[i]) / (2.0 * e * size);
            const double gap = fabs(slope - before[i]);
            nearest[i] = gap < best[i] ? slope : nearest[i];
            best[i] = fmin(best[i], gap);
            before[i] = slope;
        }
    }
    for (size_t i = 0; i < WORLDS; i++) {
        // 1e-6 of the slope, or the differences' own uncertainty; L is about 1, so that rounding is 1e-16/1e-6 of it
        const double tolerance = 1e-6 * fabs(nearest[i]) + 3.0 * best[i] + 1e-8 / size;
        kinked += flags[i] != 0;
        if (flags[i] == 0) {
            compared++;
            if (!(fabs(found[i] - nearest[i]) <= tolerance)) {
                print_error("%s of world %zu: %.9g, differences %.9g +- %.1g\n", name, i, found[i],
                            nearest[i], best[i]);
            }
            assert_near(found[i], nearest[i], tolerance);
            // differences that mean something
            assert_true(best[i] <= 1e-4 * fabs(nearest[i]) + 1e-6 / size);
        }
    }
}

static void check_contact(br_worlds* w, double* tape, size_t k, const slopes* s)
{
    static const double sizes[LAWS] = {0.05, 0.05, 5e-4, 2e4, 50.0, 0.1, 0.03, 2e-3};
    static const char* const names[LAWS] = {"mu_c",   "mu_s",   "v_s",  "sigma0",
                                            "sigma1", "sigma2", "s_ba", "v_d"};
    contact_rows* c = &start.contact[k];
    const contact_slopes* f = &s->contact[k];
    const size_t n = WORLDS, states = br_worlds_get_state_count(w, k);
    for (size_t row = 0; row < STEPS; row += 7) {
        check_row(w, tape, "fn", c->fn + row * n, n, 0.1, f->fn + row * n, s->flags);
    }
    for (size_t row = 0; row < 3; row++) {
        check_row(w, tape, "ground", c->ground + row * n, n, 0.003, f->ground + row * n, s->flags);
        if (row < 2) {
            check_row(w, tape, "position", c->position + row * n, n, 0.003, f->position + row * n,
                      s->flags);
        }
    }
    for (size_t row = 0; row < states; row += states / 3) {
        check_row(w, tape, "z", c->z + row * n, n, row < states / 2 ? 1e-6 : 1e-8, f->z + row * n,
                  s->flags);
    }
    check_row(w, tape, "angle", c->angle, n, 0.05, f->angle, s->flags);
    check_row(w, tape, "scale", c->numbers[SCALE], n, 0.05, f->scale, s->flags);
    for (int i = 0; i < LAWS; i++) {
        if (by_of[i] != BR_BY_V_DAMPING) { // which is 0 in some worlds
            check_row(w, tape, names[i], c->numbers[row_of[i]], n, sizes[i], f->law[i], s->flags);
        }
    }
}

static void check_all(br_worlds* w)
{
    static slopes s;
    double* tape = tape_for(w, WORLDS, 1);
    find_slopes(w, 1, &s);
    for (size_t row = 0; row < 3; row++) {
        const size_t at = row * WORLDS;
        check_row(w, tape, "pose", start.pose + at, WORLDS, 0.01, s.pose + at, s.flags);
        check_row(w, tape, "twist", start.twist + at, WORLDS, row < 2 ? 0.01 : 0.5, s.twist + at,
                  s.flags);
        check_row(w, tape, "load", start.forces + at, WORLDS, row < 2 ? 0.3 : 2e-3, s.load + at,
                  s.flags);
        const size_t late = (3 * 9 + row) * WORLDS;
        check_row(w, tape, "load", start.forces + late, WORLDS, row < 2 ? 0.3 : 2e-3, s.load + late,
                  s.flags);
    }
    check_row(w, tape, "mass", start.mass, WORLDS, 0.05, s.mass, s.flags);
    check_row(w, tape, "inertia", start.inertia, WORLDS, 1e-4, s.inertia, s.flags);
    check_row(w, tape, "h", &start.h, 1, 1e-4, s.h, s.flags);
    for (size_t k = 0; k < start.contacts; k++) {
        check_contact(w, tape, k, &s);
    }
    free(tape);
}

static void worlds_agree_with_differences(void** state)
{
    (void)state;
    fill_weights();
    for (int method = 0; method < W_METHODS; method++) {
        fixture_fill(&start, WORLDS, STEPS, 1 + (size_t)method % 2, method, MIXED,
                     21 + (uint64_t)method);
        many_worlds m = create_many(&start, BR_WORLDS_DOUBLE, true);
        check_all(m.worlds);
        destroy_many(&m);
    }
    assert_true(compared > 10 * kinked); // kinks are classified by their flags, before differencing
}

// --- lanes and their plain twin ---------------------------------------------------------------------------------

// The largest difference of two arrays over the largest number of them.
static void compare_rows(const char* what, const double* a, const double* b, size_t count)
{
    double size = 0.0;
    for (size_t i = 0; i < count; i++) {
        size = fmax(size, fabs(b[i]));
    }
    for (size_t i = 0; i < count; i++) {
        if (!(fabs(a[i] - b[i]) <= 1e-10 * size)) {
            fail_msg("%s[%zu]: lanes %.15g, one by one %.15g, of %.3g", what, i, a[i], b[i], size);
        }
    }
}

static void compare_slopes(const slopes* a, const slopes* b, size_t contacts)
{
    compare_rows("pose", a->pose, b->pose, 3 * WORLDS);
    compare_rows("twist", a->twist, b->twist, 3 * WORLDS);
    compare_rows("mass", a->mass, b->mass, WORLDS);
    compare_rows("inertia", a->inertia, b->inertia, WORLDS);
    compare_rows("load", a->load, b->load, STEPS * 3 * WORLDS);
    compare_rows("h", a->h, b->h, WORLDS);
    compare_rows("pivot", a->pivot, b->pivot, WORLDS);
    for (size_t k = 0; k < contacts; k++) {
        const contact_slopes *c = &a->contact[k], *d = &b->contact[k];
        compare_rows("z", c->z, d->z, 3 * WORLDS);
        compare_rows("fn", c->fn, d->fn, STEPS * WORLDS);
        compare_rows("position", c->position, d->position, 2 * WORLDS);
        compare_rows("angle", c->angle, d->angle, WORLDS);
        compare_rows("scale", c->scale, d->scale, WORLDS);
        compare_rows("ground", c->ground, d->ground, 3 * WORLDS);
        for (int i = 0; i < LAWS; i++) {
            compare_rows("law", c->law[i], d->law[i], WORLDS);
        }
    }
    assert_memory_equal(a->flags, b->flags, WORLDS);
}

/* Oracle: the sweep one by one over the same tape. Sums of 16 steps in another order: 1e-10 of the largest number of an array, since
 * multipliers of worlds that stick are the small differences of large ones. A contact in a few steps has no force. */
static void check_lanes(size_t contacts, br_law_kind kind, int has_grain, uint64_t seed)
{
    static slopes in_lanes, plain;
    double losses[WORLDS];
    fixture_fill(&start, WORLDS, STEPS, contacts, W_ELLIPSOID, ALIKE, seed);
    for (size_t k = 0; k < contacts; k++) {
        start.contact[k].kind = kind;
        start.contact[k].has_grain = has_grain;
        fill_rows(start.contact[k].ratio, WORLDS, &seed, 0.3, 3.0);
        start.contact[k].fn[5 * WORLDS + k] = 0.0;
    }
    many_worlds m = create_many(&start, BR_WORLDS_DOUBLE, false);
    many_worlds one = create_many(&start, BR_WORLDS_DOUBLE, true);
    double* tape = tape_for(m.worlds, WORLDS, 1);
    moved = start;
    find_losses(m.worlds, tape, 1, losses);
    const br_worlds_arrays a = arrays_of(&moved);
    const br_worlds_record record = {.every = 1, .tape = tape};
    const br_worlds_adjoint d = adjoint_of(&in_lanes, contacts), e = adjoint_of(&plain, contacts);
    br_worlds_step_vjp(m.worlds, &a, start.h, STEPS, &record, &d);
    br_worlds_step_vjp(one.worlds, &a, start.h, STEPS, &record, &e);
    compare_slopes(&in_lanes, &plain, contacts);
    free(tape);
    destroy_many(&m);
    destroy_many(&one);
}

static void lanes_agree_with_worlds_one_by_one(void** state)
{
    (void)state;
    fill_weights();
    for (size_t contacts = 1; contacts <= BR_WORLDS_CONTACTS; contacts++) {
        for (int grain = 0; grain < 2; grain++) {
            check_lanes(contacts, BR_LAW_ELASTO_PLASTIC, grain, 50 + contacts);
            check_lanes(contacts, BR_LAW_LUGRE, grain, 60 + contacts);
        }
    }
}

/* Oracle: br_worlds_step(): a recorded call takes the same steps, to the rounding of another compilation of them.
 * Blocks in lanes are not recorded there. */
static void recorded_steps_are_steps(void** state)
{
    (void)state;
    static world_rows plain;
    for (int method = 0; method < W_METHODS; method++) {
        fixture_fill(&start, WORLDS, STEPS, 2, method, ALIKE, 71);
        many_worlds m = create_many(&start, BR_WORLDS_DOUBLE, method != W_ELLIPSOID);
        double* tape = tape_for(m.worlds, WORLDS, 4);
        const br_worlds_record record = {.every = 4, .tape = tape};
        moved = plain = start;
        const br_worlds_arrays a = arrays_of(&moved), b = arrays_of(&plain);
        br_worlds_step_recorded(m.worlds, &a, start.h, STEPS, &record);
        if (method != W_ELLIPSOID || br_worlds_get_lanes(m.worlds) > 1) {
            br_worlds_step(m.worlds, &b, start.h, STEPS);
        } else { // without lanes recorded worlds step one by one
            for (size_t i = 0; i < WORLDS; i++) {
                step_world(&plain, i);
            }
        }
        for (size_t i = 0; i < 3 * WORLDS; i++) { // as in unit.worlds
            assert_near(moved.pose[i], plain.pose[i], 1e-12);
            assert_near(moved.twist[i], plain.twist[i], 1e-11);
            assert_near(moved.contact[1].z[i], plain.contact[1].z[i], 1e-15);
            assert_near(moved.contact[1].f[i], plain.contact[1].f[i], 1e-9);
            assert_near(moved.ledger[i], plain.ledger[i], 1e-13);
        }
        assert_memory_equal(moved.converged, plain.converged, WORLDS);
        assert_memory_equal(moved.contact[0].state, plain.contact[0].state, WORLDS);
        free(tape);
        destroy_many(&m);
    }
}

// --- tapes, masks, memory ---------------------------------------------------------------------------------------

// Steps in between are repeated, so that checkpoints do not change a bit of worlds one by one.
static void tapes_of_any_length_agree(void** state)
{
    (void)state;
    static const size_t every[] = {1, 0, 5, STEPS, 3 * STEPS};
    static slopes first, other;
    fill_weights();
    for (int method = 0; method < W_METHODS; method++) {
        fixture_fill(&start, WORLDS, STEPS, 2, method, ALIKE, 31);
        many_worlds m = create_many(&start, BR_WORLDS_DOUBLE, true);
        find_slopes(m.worlds, 1, &first);
        for (size_t k = 1; k < sizeof every / sizeof *every; k++) {
            find_slopes(m.worlds, every[k], &other);
            assert_memory_equal(&first, &other, sizeof first);
        }
        assert_true(br_worlds_get_tape(m.worlds, 1000, 10000, 1) >
                    40 * br_worlds_get_tape(m.worlds, 1000, 10000, 0));
        destroy_many(&m);
    }
}

/* Oracle: the same without a mask, where it is set; and what was there, where it is not. A column of all arrays by itself gives the same
 * bits. The sweep allocates nothing, and the address sanitizer and valgrind see a tape that is exactly as long. */
static void masks_and_columns_are_obeyed(void** state)
{
    (void)state;
    static slopes all, some;
    uint8_t mask[WORLDS];
    fill_weights();
    fixture_fill(&start, WORLDS, STEPS, 2, W_ELLIPSOID, MIXED, 41);
    many_worlds m = create_many(&start, BR_WORLDS_DOUBLE, false);
    find_slopes(m.worlds, 3, &all);
    double losses[WORLDS], *tape = tape_for(m.worlds, WORLDS, 3);
    moved = start;
    find_losses(m.worlds, tape, 3, losses);
    br_worlds_arrays a = arrays_of(&moved);
    const br_worlds_record record = {.every = 3, .tape = tape};
    memset(&some, 0xff, sizeof some);
    for (size_t i = 0; i < WORLDS; i++) {
        mask[i] = i % 3 != 1;
    }
    a.mask = mask;
    const br_worlds_adjoint d = adjoint_of(&some, start.contacts);
    counting counted = {0, 0, 0};
    br_set_allocator(counting_allocate, counting_release, &counted);
    br_worlds_step_vjp(m.worlds, &a, start.h, STEPS, &record, &d);
    br_set_allocator(NULL, NULL, NULL);
    assert_int_equal(counted.calls, 0);
    for (size_t i = 0; i < WORLDS; i++) {
        assert_true(mask[i] ? some.mass[i] == all.mass[i] && some.flags[i] == all.flags[i]
                            : isnan(some.mass[i]) && some.flags[i] == 0xff);
        for (size_t s = 0; s < STEPS * 3; s++) {
            const double one = some.load[s * WORLDS + i];
            assert_true(mask[i] ? one == all.load[s * WORLDS + i] : isnan(one));
        }
    }
    free(tape);
    destroy_many(&m);
}

static void floats_are_refused(void** state)
{
    (void)state;
    fixture_fill(&start, 3, STEPS, 1, W_ELLIPSOID, ALIKE, 5);
    many_worlds m = create_many(&start, BR_WORLDS_FLOAT, false);
    float pose[9] = {0.0f}, twist[9] = {0.0f}, z[9] = {0.0f};
    uint8_t flags[3] = {0, 0, 0};
    br_worlds_arrays a = {.count = 3, .pose = pose, .twist = twist};
    a.contacts[0].z = z;
    const br_worlds_record record = {0};
    const br_worlds_adjoint d = {.flags = flags};
    assert_int_equal(br_worlds_get_tape(m.worlds, 3, STEPS, 1), 0);
    br_worlds_step_recorded(m.worlds, &a, 1e-3, STEPS, &record);
    br_worlds_step_vjp(m.worlds, &a, 1e-3, STEPS, &record, &d);
    assert_int_equal(flags[0] & flags[1] & flags[2], BR_GRADIENT_REFUSED);
    destroy_many(&m);
}

// --- rollouts and stick ------------------------------------------------------------------------------------------

/* Oracle: br_rollout_vjp() of the same body, one finger fixed to the world, knots as the steps' middles. */
static void a_world_is_a_rollout(void** state)
{
    (void)state;
    double z[3] = {0.0, 0.0, 0.0}, pose[3] = {0.01, 0.02, 0.1}, twist[3] = {0.02, -0.01, 0.3};
    double fn[STEPS], load[3] = {0.3, -0.4, 2e-3}, t[STEPS], loads[3 * STEPS], fn_bar[STEPS];
    br_law law = br_law_default(BR_LAW_ELASTO_PLASTIC);
    br_contact_def def = br_contact_def_default();
    br_contact* finger;
    br_reason why;
    def.method = BR_METHOD_ELLIPSOID;
    def.law = law;
    def.r = 0.006;
    def.u = 5e-5;
    assert_status(br_contact_create(&def, &finger, &why), BR_OK);
    for (int i = 0; i < STEPS; i++) {
        fn[i] = 1.0 + 0.5 * sin(i);
        t[i] = 1e-3 * (i + 0.5);
        memcpy(loads + 3 * i, load, sizeof load);
    }
    const br_rollout_contact fixed = {finger, BR_ROLLOUT_WORLD, {0.01, 0.03}, 0.4, 2};
    br_rollout_def run = br_rollout_def_default();
    run.mass = 0.2;
    run.inertia = 5e-4;
    run.steps = run.knots = STEPS;
    run.contacts = &fixed;
    run.count = 1;
    run.t = t;
    run.fn = fn;
    run.load = loads;
    run.pose = (br_pose){pose[0], pose[1], pose[2]};
    run.v = (br_twist){twist[0], twist[1], twist[2]};
    double* tape = calloc(br_rollout_get_tape(&run), sizeof *tape);
    br_rollout_run(&run, tape, NULL);
    br_pose pose_bar[STEPS + 1] = {{0}};
    pose_bar[STEPS] = (br_pose){1.0, -2.0, 0.5};
    double knots[STEPS], laws[BR_BY_COUNT];
    br_vec2 position;
    br_rollout_adjoint r = {
        .pose_bar = pose_bar, .by_law = 1, .fn = knots, .law = laws, .position = &position};
    br_rollout_vjp(&run, tape, &r);
    free(tape);

    const br_worlds_contact shared = {finger, BR_WORLDS_GROUND, {0.01, 0.03}, 0.4, 1.0, 2};
    br_worlds_def many = br_worlds_def_default(&shared, 1);
    many.mass = 0.2;
    many.inertia = 5e-4;
    many.plain = true; // with the tolerance of this program
    br_worlds* w;
    assert_status(br_worlds_create(&many, &w, &why), BR_OK);
    br_worlds_arrays a = {.count = 1, .pose = pose, .twist = twist, .load = load};
    a.contacts[0] = (br_worlds_contact_arrays){.z = z, .fn = fn, .fn_steps = STEPS};
    const br_worlds_record record = {.tape = tape = tape_for(w, 1, 0)};
    br_worlds_step_recorded(w, &a, 1e-3, STEPS, &record);
    double bar[3] = {1.0, -2.0, 0.5}, mass, mu_c, at[2], v[3];
    br_worlds_adjoint d = {.pose_bar = bar, .twist = v, .mass = &mass};
    d.contacts[0] = (br_worlds_contact_adjoint){.fn = fn_bar, .position = at};
    d.contacts[0].law[BR_BY_MU_C] = &mu_c;
    br_worlds_step_vjp(w, &a, 1e-3, STEPS, &record, &d);
    // the same equations: rounding, over STEPS steps
    for (int i = 0; i < STEPS; i++) {
        assert_near(fn_bar[i], knots[i], 1e-12);
    }
    assert_near(mass, r.mass, 1e-12 * fabs(r.mass));
    assert_near(mu_c, laws[BR_BY_MU_C], 1e-12 * fabs(mu_c));
    assert_near(at[0], position.x, 1e-12);
    assert_near(v[2], r.v.w, 1e-12);
    free(tape);
    br_worlds_destroy(w);
    br_contact_destroy(finger);
}

/* Oracle: closed form. Bodies that stick hang on springs of fn sigma0; at rest y = F/(fn sigma0), and its derivatives are not 0. With
 * damping that is critical nothing is left after 1 s. */
static void worlds_that_stick_have_a_slope(void** state)
{
    (void)state;
    enum { MANY = 1000, N = 9 };
    double z[3 * N] = {0.0}, pose[3 * N] = {0.0}, twist[3 * N] = {0.0}, load[3 * N] = {0.0};
    double fn[N], sigma1[N], bar[3 * N] = {0.0}, by_fn[N], by_load[3 * N], by_sigma0[N];
    uint8_t flags[N];
    const double sigma0 = 2e4, mass = 0.2;
    br_contact_def def = br_contact_def_default();
    def.method = BR_METHOD_ELLIPSOID;
    def.law.mu_c = def.law.mu_s = 0.8;
    def.law.sigma0 = sigma0;
    def.law.v_damping = 0.0;
    def.r = 0.006;
    def.u = 5e-5;
    br_contact* foot;
    br_worlds* w;
    assert_status(br_contact_create(&def, &foot, NULL), BR_OK);
    const br_worlds_contact shared = {.contact = foot};
    br_worlds_def many = br_worlds_def_default(&shared, 1);
    many.mass = mass;
    many.inertia = 5e-4;
    assert_status(br_worlds_create(&many, &w, NULL), BR_OK);
    for (size_t i = 0; i < N; i++) {
        fn[i] = 3.0 + (double)i;
        sigma1[i] = 2.0 * sqrt(sigma0 * mass / fn[i]);
        load[N + i] = -1.5;
        bar[N + i] = 1.0;
    }
    br_worlds_arrays a = {.count = N, .pose = pose, .twist = twist, .load = load};
    a.contacts[0] = (br_worlds_contact_arrays){.z = z, .fn = fn, .sigma1 = sigma1};
    const br_worlds_record record = {.tape =
                                         calloc(br_worlds_get_tape(w, N, MANY, 0), sizeof(double))};
    br_worlds_step_recorded(w, &a, 1e-3, MANY, &record);
    br_worlds_adjoint d = {.pose_bar = bar, .load = by_load, .flags = flags};
    d.contacts[0].fn = by_fn;
    d.contacts[0].law[BR_BY_SIGMA0] = by_sigma0;
    br_worlds_step_vjp(w, &a, 1e-3, MANY, &record, &d);
    for (size_t i = 0; i < N; i++) { // 1e-9: a thousand sums, each rounded
        const double stiff = fn[i] * sigma0, y = load[N + i] / stiff;
        assert_near(pose[N + i], y, 1e-9 * fabs(y));
        assert_near(by_fn[i], -y / fn[i], 1e-9 * fabs(y / fn[i]));
        assert_near(by_load[N + i], 1.0 / stiff, 1e-9 / stiff);
        assert_near(by_sigma0[i], -y / sigma0, 1e-9 * fabs(y / sigma0));
        assert_int_equal(flags[i], 0);
    }
    free(record.tape);
    br_worlds_destroy(w);
    br_contact_destroy(foot);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_agree_with_differences),
        cmocka_unit_test(lanes_agree_with_worlds_one_by_one),
        cmocka_unit_test(recorded_steps_are_steps),
        cmocka_unit_test(tapes_of_any_length_agree),
        cmocka_unit_test(masks_and_columns_are_obeyed),
        cmocka_unit_test(floats_are_refused),
        cmocka_unit_test(a_world_is_a_rollout),
        cmocka_unit_test(worlds_that_stick_have_a_slope),
    };
    return run_group(argc, argv, tests);
}
