/*
 * Contacts of cells and of blocks: one evaluation, a step with constant twist, a pass of an
 * implicit step, derivatives; by the kernel's best instance, by the scalar instance, and for cells
 * by a hand-optimised loop that is compiled for this processor.
 */
#include "bench.h"

#include "careful.h"

#include "bristle/step.h"

#include <math.h>
#include <string.h>

// A contact in both instances, with a state and a twist of one regime.
typedef struct contact_case {
    br_contact *fast, *plain;
    double *z, *dz, *work, *slopes;
    br_twist v;
    careful_cells cells;
} contact_case;

// State of the bristles.
typedef enum regime {
    MIXED,   // up to 1.15 micrometres long, in all directions, while it slides at about v_s
    PLASTIC, // all along the motion and in the plastic band
    STICK    // short enough to be elastic, creeping
} regime;

static void destroy(void* setup)
{
    contact_case* c = setup;
    careful_cells_clear(&c->cells);
    br_contact_destroy(c->fast);
    br_contact_destroy(c->plain);
    br_release(c->z);
    br_release(c->dz);
    br_release(c->work);
    br_release(c->slopes);
    br_release(c);
}

static br_status create_contacts(contact_case* c, br_method method, br_law_kind law,
                                 size_t resolution)
{
    const br_patch_def round = br_patch_def_default();
    br_patch* patch;
    br_status status = br_patch_create(&round, &patch, NULL);
    br_contact_def def = br_contact_def_default();
    def.method = method;
    def.law = br_law_default(law);
    def.patch = patch;
    def.resolution = resolution;
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

// Sliding and spinning at about v_s, or creeping.
static void* create(br_method method, br_law_kind law, size_t resolution, regime which)
{
    contact_case* c = br_allocate(1, sizeof *c);
    if (!c || create_contacts(c, method, law, resolution) != BR_OK) {
        return NULL;
    }
    const size_t states = br_contact_get_state_count(c->fast);
    const double speed = which == STICK ? 1e-6 : 1e-3;
    c->v = (br_twist){0.7 * speed, -0.4 * speed, 80.0 * speed};
    c->z = br_allocate(states, sizeof *c->z);
    c->dz = br_allocate(states, sizeof *c->dz);
    const br_step_contact step = {.contact = c->fast};
    c->work = br_allocate(br_step_get_work(&step, 1), sizeof *c->work);
    c->slopes = br_allocate(9 * states, sizeof *c->slopes); // k (k + 6) n of a gradient
    if (!c->z || !c->dz || !c->work || !c->slopes) {
        destroy(c);
        return NULL;
    }
    if (which == PLASTIC) {
        bench_fill_plastic(c->fast, c->v, c->z);
    } else {
        bench_fill_state(c->fast, 0, which == STICK ? 0.5e-6 : 1.15e-6, c->z);
    }
    if (method == BR_METHOD_DISTRIBUTED) {
        careful_cells_copy(c->fast, c->z, &c->cells);
    }
    return c;
}

static double run(const br_contact* contact, const contact_case* c, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        sum += br_contact_eval(contact, c->z, c->v, 1.0, c->dz).fx;
    }
    return sum;
}

static double run_fast(void* setup, size_t calls)
{
    const contact_case* c = setup;
    return run(c->fast, c, calls);
}

static double run_plain(void* setup, size_t calls)
{
    const contact_case* c = setup;
    return run(c->plain, c, calls);
}

#ifdef BENCH_NATIVE
static double careful_lugre(void* setup, size_t calls)
{
    const contact_case* c = setup;
    const br_law* law = &br_contact_get_def(c->fast)->law;
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        sum += careful_lugre_eval(&c->cells, law, c->v, 1.0).fx;
    }
    return sum;
}

static double careful_plastic(void* setup, size_t calls)
{
    const contact_case* c = setup;
    const br_law* law = &br_contact_get_def(c->fast)->law;
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        sum += careful_plastic_eval(&c->cells, law, c->v, 1.0).fx;
    }
    return sum;
}
#define CAREFUL_LUGRE   careful_lugre
#define CAREFUL_PLASTIC careful_plastic
#else
#define CAREFUL_LUGRE   NULL
#define CAREFUL_PLASTIC NULL
#endif

// Each twist depends on the previous wrench, by less than rounding, as in a loop over time.
static double chain(const br_contact* contact, const contact_case* c, size_t calls)
{
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        const br_twist v = {c->v.vx + 1e-30 * sum, c->v.vy, c->v.w};
        sum += br_contact_eval(contact, c->z, v, 1.0, c->dz).fx;
    }
    return sum;
}

static double chain_fast(void* setup, size_t calls)
{
    const contact_case* c = setup;
    return chain(c->fast, c, calls);
}

static double chain_plain(void* setup, size_t calls)
{
    const contact_case* c = setup;
    return chain(c->plain, c, calls);
}

// A step of 1 ms with constant twist, from the same state.
static double step_once(const br_contact* contact, const contact_case* c, size_t calls)
{
    const size_t states = br_contact_get_state_count(contact);
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        memcpy(c->dz, c->z, states * sizeof *c->z);
        sum += br_contact_step(contact, c->dz, c->v, 1.0, 1e-3, NULL).fx;
    }
    return sum;
}

static double step_fast(void* setup, size_t calls)
{
    const contact_case* c = setup;
    return step_once(c->fast, c, calls);
}

static double step_plain(void* setup, size_t calls)
{
    const contact_case* c = setup;
    return step_once(c->plain, c, calls);
}

static double differ(const br_contact* contact, const contact_case* c, size_t calls)
{
    const size_t n = br_contact_get_part_count(contact);
    const size_t k = br_contact_get_state_count(contact) / n;
    br_contact_gradient g = {
        .dz_z = c->slopes, .dz_v = c->slopes + k * k * n, .f_z = c->slopes + k * (k + 3) * n};
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        br_contact_gradient_eval(contact, c->z, c->v, 1.0, &g);
        sum += g.f_v[0][0];
    }
    return sum;
}

static double differ_fast(void* setup, size_t calls)
{
    const contact_case* c = setup;
    return differ(c->fast, c, calls);
}

static double differ_plain(void* setup, size_t calls)
{
    const contact_case* c = setup;
    return differ(c->plain, c, calls);
}

static bench_size size_of(const void* setup)
{
    return bench_size_of(((const contact_case*)setup)->fast);
}

static double pass(const br_contact* contact, const contact_case* c, size_t calls)
{
    br_step_contact step = {.contact = contact, .z = c->z, .fn = 1.0};
    double sum = 0.0;
    for (size_t i = 0; i < calls; i++) {
        sum += br_step_trial_eval(&step, 1, c->v, 1e-3, c->work).tangent[0][0];
    }
    return sum;
}

static double pass_fast(void* setup, size_t calls)
{
    const contact_case* c = setup;
    return pass(c->fast, c, calls);
}

static double pass_plain(void* setup, size_t calls)
{
    const contact_case* c = setup;
    return pass(c->plain, c, calls);
}

static void* disc21_lugre(void)
{
    return create(BR_METHOD_DISTRIBUTED, BR_LAW_LUGRE, 21, MIXED);
}

static void* disc21_ep(void)
{
    return create(BR_METHOD_DISTRIBUTED, BR_LAW_ELASTO_PLASTIC, 21, MIXED);
}

static void* disc21_ep_stick(void)
{
    return create(BR_METHOD_DISTRIBUTED, BR_LAW_ELASTO_PLASTIC, 21, STICK);
}

static void* disc21_ep_plastic(void)
{
    return create(BR_METHOD_DISTRIBUTED, BR_LAW_ELASTO_PLASTIC, 21, PLASTIC);
}

static void* disc101_lugre(void)
{
    return create(BR_METHOD_DISTRIBUTED, BR_LAW_LUGRE, 101, MIXED);
}

static void* disc101_ep(void)
{
    return create(BR_METHOD_DISTRIBUTED, BR_LAW_ELASTO_PLASTIC, 101, MIXED);
}

static void* disc5_lugre(void)
{
    return create(BR_METHOD_BLOCKS, BR_LAW_LUGRE, 5, MIXED);
}

static void* disc5_ep(void)
{
    return create(BR_METHOD_BLOCKS, BR_LAW_ELASTO_PLASTIC, 5, MIXED);
}

static void* disc5_ep_plastic(void)
{
    return create(BR_METHOD_BLOCKS, BR_LAW_ELASTO_PLASTIC, 5, PLASTIC);
}

static void* disc5_ep_stick(void)
{
    return create(BR_METHOD_BLOCKS, BR_LAW_ELASTO_PLASTIC, 5, STICK);
}

// Create the blocks of the default disc.
static double create_blocks(void* setup, size_t calls)
{
    (void)setup;
    const br_patch_def shape = br_patch_def_default();
    br_contact_def def = br_contact_def_default();
    br_patch* patch;
    double sum = 0.0;
    if (br_patch_create(&shape, &patch, NULL) != BR_OK) {
        return 0.0;
    }
    def.method = BR_METHOD_BLOCKS;
    def.patch = patch;
    for (size_t i = 0; i < calls; i++) {
        br_contact* contact;
        if (br_contact_create(&def, &contact, NULL) == BR_OK) {
            sum += br_contact_get_patch_value(contact).u;
            br_contact_destroy(contact);
        }
    }
    br_patch_destroy(patch);
    return sum;
}

// Create contacts that share the geometry of one.
static double create_shared(void* setup, size_t calls)
{
    const contact_case* c = setup;
    br_contact_def def = br_contact_def_default();
    double sum = 0.0;
    def.share_geometry_of = c->fast;
    for (size_t i = 0; i < calls; i++) {
        br_contact* contact;
        if (br_contact_create(&def, &contact, NULL) == BR_OK) {
            sum += br_contact_get_patch_value(contact).u;
            br_contact_destroy(contact);
        }
    }
    return sum;
}

#define EVAL(what, count, make, twin)                                                              \
    {                                                                                              \
        .name = "distributed.eval/" what, .calls = count, .setup = make, .run = run_fast,          \
        .reference = run_plain, .teardown = destroy, .careful = twin, .size = size_of              \
    }
#define ROW(what, count, make, ours, plain)                                                        \
    {                                                                                              \
        .name = what, .calls = count, .setup = make, .run = ours, .reference = plain,              \
        .teardown = destroy, .size = size_of                                                       \
    }

// clang-format off
const bench_case contact_cases[] = {
    EVAL("disc21/lugre", 1000, disc21_lugre, CAREFUL_LUGRE),
    EVAL("disc21/ep", 1000, disc21_ep, CAREFUL_PLASTIC),
    EVAL("disc21/ep-plastic", 1000, disc21_ep_plastic, CAREFUL_PLASTIC),
    EVAL("disc21/ep-stick", 1000, disc21_ep_stick, CAREFUL_PLASTIC),
    EVAL("disc101/lugre", 50, disc101_lugre, CAREFUL_LUGRE),
    EVAL("disc101/ep", 50, disc101_ep, CAREFUL_PLASTIC),
    ROW("distributed.chain/disc21/ep", 1000, disc21_ep, chain_fast, chain_plain),
    ROW("distributed.step/disc21/ep", 200, disc21_ep, step_fast, step_plain),
    ROW("distributed.step/disc21/lugre", 200, disc21_lugre, step_fast, step_plain),
    ROW("distributed.gradient/disc21/ep", 200, disc21_ep, differ_fast, differ_plain),
    ROW("step.pass/disc21/lugre", 200, disc21_lugre, pass_fast, pass_plain),
    ROW("step.pass/disc21/ep", 200, disc21_ep, pass_fast, pass_plain),
    ROW("step.pass/disc21/ep-plastic", 200, disc21_ep_plastic, pass_fast, pass_plain),
    ROW("step.pass/disc21/ep-stick", 200, disc21_ep_stick, pass_fast, pass_plain),
    ROW("blocks.eval/disc5/lugre", 5000, disc5_lugre, run_fast, run_plain),
    ROW("blocks.eval/disc5", 5000, disc5_ep, run_fast, run_plain),
    ROW("blocks.eval/disc5/ep-plastic", 5000, disc5_ep_plastic, run_fast, run_plain),
    ROW("blocks.eval/disc5/ep-stick", 5000, disc5_ep_stick, run_fast, run_plain),
    ROW("blocks.chain/disc5", 5000, disc5_ep, chain_fast, chain_plain),
    ROW("blocks.step/disc5", 2000, disc5_ep, step_fast, step_plain),
    ROW("blocks.step/disc5/lugre", 2000, disc5_lugre, step_fast, step_plain),
    ROW("blocks.gradient/disc5", 2000, disc5_ep, differ_fast, differ_plain),
    ROW("step.pass/disc5/ep", 2000, disc5_ep, pass_fast, pass_plain),
    BENCH_CASE("blocks.create/disc5", 20, NULL, create_blocks, NULL, NULL),
    ROW("blocks.create/shared", 2000, disc5_ep, create_shared, NULL),
};
// clang-format on
const size_t contact_case_count = sizeof contact_cases / sizeof *contact_cases;
