/*
 * Planar friction in blocks: one evaluation and a batch, by the kernel's best instance and by the one
 * that takes block after block.
 */
#include "bench.h"

#include "bristle/batch.h"

#include <math.h>
#include <string.h>

enum { CONTACTS = 1000 };

// A contact by both instances, with states and twists of one regime for all contacts.
typedef struct blocks_case {
    br_contact *fast, *plain;
    br_batch_contact *fast_list, *plain_list;
    double *z, *dz, *fn;
    br_twist* v;
    br_wrench* f;
} blocks_case;

static void destroy(void* setup)
{
    blocks_case* c = setup;
    br_contact_destroy(c->fast);
    br_contact_destroy(c->plain);
    br_release(c->fast_list);
    br_release(c->plain_list);
    br_release(c->z);
    br_release(c->dz);
    br_release(c->fn);
    br_release(c->v);
    br_release(c->f);
    br_release(c);
}

// A disc of 5 x 5 blocks.
static br_status create_contacts(blocks_case* c, br_law_kind law)
{
    const br_patch_def round = br_patch_def_default();
    br_patch* patch;
    br_status status = br_patch_create(&round, &patch, NULL);
    br_contact_def def = br_contact_def_default();
    def.law = br_law_default(law);
    def.patch = patch;
    if (status == BR_OK) {
        status = br_contact_create(&def, &c->fast, NULL);
    }
    def.plain = 1;
    if (status == BR_OK) {
        status = br_contact_create(&def, &c->plain, NULL);
    }
    br_patch_destroy(patch);
    return status;
}

// Bristles of length up to `size` [m] in all directions, a third of it in spin.
static void fill_state(const br_contact* contact, size_t index, double size, double* z)
{
    const size_t n = br_contact_get_part_count(contact);
    for (size_t i = 0; i < n; i++) {
        const br_contact_part b = br_contact_get_part(contact, i);
        const double number = (double)(i + n * index), angle = 2.4 * number; // the golden angle
        const double length = (b.weight > 0.0) * size * (0.3 + 0.7 * fmod(0.618 * number, 1.0));
        z[i] = length * cos(angle);
        z[n + i] = length * sin(angle);
        z[2 * n + i] = 0.3 * length * sqrt(b.xx + b.yy);
    }
}

static int allocate_contacts(blocks_case* c, size_t contacts)
{
    const size_t states = br_contact_get_state_count(c->fast);
    c->z = br_allocate(contacts * states, sizeof *c->z);
    c->dz = br_allocate(contacts * states, sizeof *c->dz);
    c->fn = br_allocate(contacts, sizeof *c->fn);
    c->v = br_allocate(contacts, sizeof *c->v);
    c->f = br_allocate(contacts, sizeof *c->f);
    c->fast_list = br_allocate(contacts, sizeof *c->fast_list);
    c->plain_list = br_allocate(contacts, sizeof *c->plain_list);
    return c->z && c->dz && c->fn && c->v && c->f && c->fast_list && c->plain_list;
}

// Sliding and spinning at about v_s, or creeping with all bristles elastic.
static blocks_case* create(br_law_kind law, size_t contacts, int stick)
{
    blocks_case* c = br_allocate(1, sizeof *c);
    if (!c || create_contacts(c, law) != BR_OK || !allocate_contacts(c, contacts)) {
        return NULL;
    }
    const size_t states = br_contact_get_state_count(c->fast);
    for (size_t i = 0; i < contacts; i++) {
        const double speed = (stick ? 1e-6 : 1e-3) * (1.0 + (double)i / (double)contacts);
        c->v[i] = (br_twist){0.7 * speed, -0.4 * speed, 80.0 * speed};
        c->fn[i] = 1.0;
        c->fast_list[i] = (br_batch_contact){c->fast, i * states};
        c->plain_list[i] = (br_batch_contact){c->plain, i * states};
        fill_state(c->fast, i, stick ? 0.5e-6 : 1.15e-6, c->z + i * states);
    }
    return c;
}

static double run(const br_contact* contact, const blocks_case* c, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        sum += br_contact_eval(contact, c->z, c->v[0], 1.0, c->dz).fx;
    }
    return sum;
}

// Each twist depends on the wrench before it, by less than rounding, as in a loop over time.
static double chain(const br_contact* contact, const blocks_case* c, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        const br_twist v = {c->v[0].vx + 1e-30 * sum, c->v[0].vy, c->v[0].w};
        sum += br_contact_eval(contact, c->z, v, 1.0, c->dz).fx;
    }
    return sum;
}

static double chain_fast(void* setup, size_t calls)
{
    const blocks_case* c = setup;
    return chain(c->fast, c, calls);
}

static double chain_plain(void* setup, size_t calls)
{
    const blocks_case* c = setup;
    return chain(c->plain, c, calls);
}

static double run_fast(void* setup, size_t calls)
{
    const blocks_case* c = setup;
    return run(c->fast, c, calls);
}

static double run_plain(void* setup, size_t calls)
{
    const blocks_case* c = setup;
    return run(c->plain, c, calls);
}

static double run_batch(const br_batch_contact* list, const blocks_case* c, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        br_batch_eval(list, CONTACTS, c->z, c->v, c->fn, c->dz, c->f);
        sum += c->f[i % CONTACTS].fx;
    }
    return sum;
}

static double run_batch_fast(void* setup, size_t calls)
{
    const blocks_case* c = setup;
    return run_batch(c->fast_list, c, calls);
}

static double run_batch_plain(void* setup, size_t calls)
{
    const blocks_case* c = setup;
    return run_batch(c->plain_list, c, calls);
}

static void* disc5_lugre(void)
{
    return create(BR_LAW_LUGRE, 1, 0);
}

static void* disc5_ep(void)
{
    return create(BR_LAW_ELASTO_PLASTIC, 1, 0);
}

static void* disc5_ep_stick(void)
{
    return create(BR_LAW_ELASTO_PLASTIC, 1, 1);
}

static void* disc5_ep_plastic(void)
{
    blocks_case* c = create(BR_LAW_ELASTO_PLASTIC, 1, 0);
    if (c) {
        bench_fill_plastic(c->fast, c->v[0], c->z);
    }
    return c;
}

static void* batch_ep(void)
{
    return create(BR_LAW_ELASTO_PLASTIC, CONTACTS, 0);
}

// A step of 1 ms with the twist held, from the same state.
static double hold(const br_contact* contact, const blocks_case* c, size_t calls)
{
    const size_t states = br_contact_get_state_count(contact);
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        memcpy(c->dz, c->z, states * sizeof *c->z);
        sum += br_contact_step(contact, c->dz, c->v[0], 1.0, 1e-3, NULL).fx;
    }
    return sum;
}

static double hold_fast(void* setup, size_t calls)
{
    const blocks_case* c = setup;
    return hold(c->fast, c, calls);
}

static double hold_plain(void* setup, size_t calls)
{
    const blocks_case* c = setup;
    return hold(c->plain, c, calls);
}

// Of the wrench alone.
static double sense(const br_contact* contact, const blocks_case* c, size_t calls)
{
    br_contact_sensitivity s = {.dz = NULL};
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        br_contact_sensitivity_eval(contact, c->z, c->v[0], 1.0, &s);
        sum += s.f[BR_BY_MU_C][0];
    }
    return sum;
}

static double sense_fast(void* setup, size_t calls)
{
    const blocks_case* c = setup;
    return sense(c->fast, c, calls);
}

static double sense_plain(void* setup, size_t calls)
{
    const blocks_case* c = setup;
    return sense(c->plain, c, calls);
}

static bench_size size_of(const void* setup)
{
    return bench_size_of(((const blocks_case*)setup)->fast);
}

#define EVAL(what, make, ours, plain)                                                              \
    {                                                                                              \
        .name = "blocks." what, .calls = 5000, .setup = make, .run = ours, .reference = plain,     \
        .teardown = destroy, .size = size_of                                                       \
    }

// clang-format off
const bench_case blocks_cases[] = {
    EVAL("eval/disc5/lugre", disc5_lugre, run_fast, run_plain),
    EVAL("eval/disc5", disc5_ep, run_fast, run_plain),
    EVAL("eval/disc5/ep-plastic", disc5_ep_plastic, run_fast, run_plain),
    EVAL("eval/disc5/ep-stick", disc5_ep_stick, run_fast, run_plain),
    EVAL("step/disc5", disc5_ep, hold_fast, hold_plain),
    EVAL("step/disc5/lugre", disc5_lugre, hold_fast, hold_plain),
    EVAL("sensitivity/disc5", disc5_ep, sense_fast, sense_plain),
    EVAL("chain/disc5", disc5_ep, chain_fast, chain_plain),
    BENCH_CASE("blocks.batch/1000", 4, batch_ep, run_batch_fast, run_batch_plain, destroy),
};
// clang-format on
const size_t blocks_case_count = sizeof blocks_cases / sizeof *blocks_cases;
