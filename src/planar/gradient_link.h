/*
 * A contact within the derivatives of a step, whichever kind of step it is: of a body, of a group, of a host.
 *
 * A contact whose twist is V resists with r = w J^T F(J (V - ground)), w = n fn. Backwards L depends on r by -g: what the caller gives for
 * the wrench and the multipliers of the balance. So F has the adjoint
 *   Fb = -fn M f_bar - w J g
 *
 * A stage that was closed with decays of another twist (record->closing) has two levels: its end at v1 with decays of `newton`, and the
 * balance that `newton` satisfies.
 */
#ifndef BRISTLE_PLANAR_GRADIENT_LINK_H
#define BRISTLE_PLANAR_GRADIENT_LINK_H

#include "planar/gradient_internal.h"
#include "planar/step_stage.h"

// A contact in the derivatives of a step.
typedef struct gradient_link {
    const br_step_contact* contact;
    const br_contact* model;
    map2 turn; // of twists into the contact frame
    map2 map;  // of twists into the bristles, J without the arm
    mat3 jacobian;
    double count, weight;  // n, n fn
    const double *z0, *z1; // states at both ends of the stage
    const double* z1_bar;  // adjoint of z1, NULL: 0
    double* z0_bar;        // out: of z0
    br_wrench f_bar;
    vector3 g;                       // of the resistance, as the caller gives it
    const br_contact_slopes* slopes; // how the patch follows the normal force; NULL: it is held
    const double* z0_dot;            // direction of z0, NULL: 0
    double* z1_dot;                  // out: of z1, NULL: skipped
    gradient_tangent found;          // at the end
    gradient_tangent newton;
    double newton_vb[3];                                  // adjoint of Newton's twist at the CoP
    double *at_newton, *middle, *start, *between, *spare; // states
    double *decays, *cache;
    double memo[GRADIENT_MEMO]; // of `begin` for `end`
} gradient_link;

// A stage of a step, as a contact sees it: with its own twist.
typedef struct gradient_stage {
    vector3 v0, v1, newton;
    br_step_closing closing;
    double h;
} gradient_stage;

// Doubles of workspace of the links of contacts; lay them there.
size_t bri_gradient_links_size(const br_step_contact* contacts, size_t count);
gradient_link* bri_gradient_links(const br_step_contact* contacts, size_t count, double* work);

static inline int gradient_presses(const gradient_link* l)
{
    return !(l->weight <= 0.0);
}

static inline int gradient_by_law(const gradient_stage* s)
{
    return s->closing == BR_CLOSED_BY_LAW;
}

static inline int gradient_is_limited(const gradient_stage* s)
{
    return s->closing == BR_CLOSED_LIMITED || s->closing == BR_CLOSED_PAID;
}

static inline vector3 vector_from(const double a[3])
{
    return (vector3){{a[0], a[1], a[2]}};
}

static inline vector3 vector_of_wrench(br_wrench f)
{
    return (vector3){{f.fx, f.fy, f.tau}};
}

static inline vector3 scaled(double factor, vector3 a)
{
    return vector3_mix(factor, a, 0.0, a);
}

// The state that decays of the twist `at` give at the twist v, into z1.
void bri_gradient_close_states(const gradient_link* l, const gradient_stage* s, vector3 at,
                               vector3 v, int limited, double* z1);

// dr/dV += w J^T F_v J, times `factor`
void bri_gradient_add_tangent(const gradient_link* l, const gradient_tangent* found, double factor,
                              mat3* k);

// --- backwards ----------------------------------------------------------------------------------------------------

void bri_gradient_no_adjoint(br_step_contact_adjoint* a);

// The first pass over a pressing contact, with its own f_bar and g: `found`, in which J^T vb is the adjoint of its twist. Returns flags.
unsigned bri_gradient_link_begin(gradient_link* l, const gradient_stage* s);

// The second pass, with all of g; adds to the adjoint and to that of the stage's length. laws: they are needed, too.
void bri_gradient_link_end(gradient_link* l, const gradient_stage* s, vector3 g, int laws,
                           br_step_contact_adjoint* a, double* h_bar);

// An open contact: how it would press. It forgets its state.
void bri_gradient_link_press(const gradient_link* l, const gradient_stage* s, vector3 g,
                             br_step_contact_adjoint* a);

// The passes over Newton's twist of a stage with two levels, after those of the end: `newton` and newton_vb; then with g.
void bri_gradient_newton_begin(gradient_link* l, const gradient_stage* s);
void bri_gradient_newton_end(gradient_link* l, const gradient_stage* s, vector3 g,
                             br_step_contact_adjoint* a, double* h_bar);

// --- forwards -----------------------------------------------------------------------------------------------------

// How the resistance r of a contact changes at the end of a stage, with the direction v of its twist and h of its length; z1_dot may
// be NULL. Needs `found`; sets t->f. Open contacts, too.
vector3 bri_gradient_link_forward(gradient_link* l, const gradient_stage* s, vector3 v, double h,
                                  double* z1_dot, br_step_contact_tangent* t);

// The same at Newton's twist as if it were constant; sets `newton`. Then the decays, with its direction v.
vector3 bri_gradient_newton_forward(gradient_link* l, const gradient_stage* s, double h,
                                    const br_step_contact_tangent* t);
void bri_gradient_decays_onward(gradient_link* l, const gradient_stage* s, vector3 v, double h,
                                const br_step_contact_tangent* t);

// --- bodies (gradient_vjp.c, gradient_jvp.c) ------------------------------------------------------------------------

// A step of a body in derivatives.
typedef struct gradient_task {
    const br_step_body* body;
    mat3 mass;
    gradient_link* links;
    size_t count;
} gradient_task;

static const double gradient_share = 0.29289321881345247560; // as in step.c
static const double gradient_reach = 2.41421356237309504880;

gradient_task bri_gradient_task_of(const br_step_body* body, const br_step_contact* contacts,
                                   size_t count, double* work);
gradient_stage bri_gradient_last_stage(const br_step_record* r, double h);
gradient_stage bri_gradient_first_stage(const br_step_record* r, double h);

// Order 2: the states at the end of the first stage, and those where the second starts.
void bri_gradient_find_middle(const gradient_task* t, const gradient_stage* first);

// Solve A x = b, or A^T x = b, scaled by the masses. Returns the least pivot of D^-1/2 A D^-1/2, D = diag(M).
double bri_gradient_solve(const mat3* a, const double mass[3][3], int transposed, vector3* x);

// Flags that a record and a least pivot give.
unsigned bri_gradient_flags_of(const br_step_record* record, double pivot);

static inline br_wrench part_of(double part, br_wrench f)
{
    return (br_wrench){part * f.fx, part * f.fy, part * f.tau};
}

#endif
