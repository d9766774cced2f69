/*
 * Steps of 2 ms of a capsule pinched between two pads, lines of 30 mm in different planes: sticking
 * and sliding. Reference: thirty sweeps over the contacts by br_step_host_step(), also stable.
 */
#include "bench.h"

#include "bristle/step.h"

#include <string.h>

enum { PADS = 2, DOFS = 6, STATES = 128, SWEEPS = 30 };

static const double step = 2e-3, gravity = 9.81, arm = 4e-3; // [s], [m/s^2], [m]
static const double firm = 6.0, loose = 0.2;                 // grips that hold and that slip [N]
static const double per[DOFS] = {1 / 0.045, 1 / 0.045, 1 / 0.045,
                                 1 / 6e-6,  1 / 4e-7,  1 / 6e-6}; // [1/kg], [1/(kg m^2)]

typedef struct pinch {
    br_contact* pad;
    br_step_contact contact[PADS];
    double jacobian[3 * PADS][DOFS], inverse_mass[3 * PADS][3 * PADS];
    double z[PADS][STATES], v[DOFS];
    double* work;
} pinch;

static void destroy(void* setup)
{
    pinch* p = setup;
    br_contact_destroy(p->pad);
    br_release(p->work);
    br_release(p);
}

static br_contact* create_pad(void)
{
    br_patch_def shape = br_patch_def_default();
    br_contact_def def = br_contact_def_default();
    br_patch* patch = NULL;
    br_contact* pad = NULL;
    shape.shape = BR_SHAPE_LINE;
    shape.length = 0.03;
    if (br_patch_create(&shape, &patch, NULL) == BR_OK) {
        def.patch = patch;
        def.law.mu_c = def.law.mu_s = 0.7;
        def.law.sigma2 = 0.0;
        br_contact_create(&def, &pad, NULL);
        br_patch_destroy(patch);
    }
    return pad;
}

// Twists along y and z and about x at both sides, and A = J M^-1 J^T.
static void set_answers(pinch* p)
{
    for (int k = 0; k < PADS; k++) {
        const double x = k == 0 ? -arm : arm;
        const double rows[3][DOFS] = {{0, 1, 0, 0, 0, x}, {0, 0, 1, 0, -x, 0}, {0, 0, 0, 1, 0, 0}};
        memcpy(p->jacobian[3 * k], rows, sizeof rows);
    }
    for (int i = 0; i < 9 * PADS * PADS; i++) {
        const int row = i / (3 * PADS), column = i % (3 * PADS);
        for (int w = 0; w < DOFS; w++) {
            p->inverse_mass[row][column] += p->jacobian[row][w] * per[w] * p->jacobian[column][w];
        }
    }
}

static void* create(double grip)
{
    pinch* p = br_allocate(1, sizeof *p);
    if (!p || !(p->pad = create_pad()) || br_contact_get_state_count(p->pad) > STATES) {
        return NULL;
    }
    set_answers(p);
    for (int k = 0; k < PADS; k++) {
        p->contact[k] = (br_step_contact){.contact = p->pad, .z = p->z[k], .fn = grip};
    }
    p->work = br_allocate(br_step_group_get_work(p->contact, PADS), sizeof *p->work);
    return p->work ? p : NULL;
}

static void* sticking(void)
{
    return create(firm);
}

static void* sliding(void)
{
    return create(loose);
}

static void reset(pinch* p)
{
    memset(p->z, 0, sizeof p->z);
    memset(p->v, 0, sizeof p->v);
}

static void fall(pinch* p, br_twist u[PADS])
{
    p->v[2] -= step * gravity;
    for (int k = 0; k < PADS; k++) {
        double at[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 3 * DOFS; i++) {
            at[i / DOFS] += p->jacobian[3 * k + i / DOFS][i % DOFS] * p->v[i % DOFS];
        }
        u[k] = (br_twist){at[0], at[1], at[2]};
    }
}

static void push(pinch* p, const br_wrench f[PADS])
{
    for (int k = 0; k < PADS; k++) {
        const double* rows[3] = {p->jacobian[3 * k], p->jacobian[3 * k + 1],
                                 p->jacobian[3 * k + 2]};
        for (int w = 0; w < DOFS; w++) {
            p->v[w] += step * per[w] *
                       (rows[0][w] * f[k].fx + rows[1][w] * f[k].fy + rows[2][w] * f[k].tau);
        }
    }
}

static double together(void* setup, size_t calls)
{
    pinch* p = setup;
    const br_step_group group = {.inverse_mass = p->inverse_mass[0]};
    reset(p);
    for (size_t i = 0; i < calls; i++) {
        br_twist u[PADS];
        br_wrench f[PADS];
        fall(p, u);
        br_step_group_step(&group, u, step, p->contact, PADS, f, NULL, p->work);
        push(p, f);
    }
    return p->v[2];
}

// The twist of contact k after the friction of all others.
static br_twist beside_others(const pinch* p, const br_twist* u, const br_wrench* f, int k)
{
    double at[3] = {u[k].vx, u[k].vy, u[k].w};
    for (int i = 0; i < 3; i++) {
        for (int other = 0; other < PADS; other++) {
            const double* a = p->inverse_mass[3 * k + i] + 3 * other;
            at[i] += other == k
                         ? 0.0
                         : step * (a[0] * f[other].fx + a[1] * f[other].fy + a[2] * f[other].tau);
        }
    }
    return (br_twist){at[0], at[1], at[2]};
}

static void sweep(pinch* p, double before[PADS][STATES], const br_twist* u, br_wrench* f)
{
    for (int k = 0; k < PADS; k++) {
        br_step_host host = br_step_host_default(1.0, 1.0);
        for (int i = 0; i < 3; i++) {
            memcpy(host.inverse_mass[i], p->inverse_mass[3 * k + i] + 3 * k, 3 * sizeof(double));
        }
        memcpy(p->z[k], before[k], sizeof before[k]);
        f[k] =
            br_step_host_step(&host, beside_others(p, u, f, k), step, &p->contact[k], 1, p->work).f;
    }
}

static double by_sweeps(void* setup, size_t calls)
{
    pinch* p = setup;
    reset(p);
    for (size_t i = 0; i < calls; i++) {
        double before[PADS][STATES];
        br_twist u[PADS];
        br_wrench f[PADS] = {{0.0, 0.0, 0.0}};
        fall(p, u);
        memcpy(before, p->z, sizeof before);
        for (int k = 0; k < SWEEPS; k++) {
            sweep(p, before, u, f);
        }
        push(p, f);
    }
    return p->v[2];
}

const bench_case group_cases[] = {
    BENCH_CASE("step.group/pinch-stick", 200, sticking, together, by_sweeps, destroy),
    BENCH_CASE("step.group/pinch-sliding", 200, sliding, together, by_sweeps, destroy),
};
const size_t group_case_count = sizeof group_cases / sizeof *group_cases;
