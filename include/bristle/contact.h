/// @file contact.h
/// One planar contact: a patch, a bristle law and a method make friction that slides and spins.
///
///     br_patch + br_law + br_method -> br_contact -> rates, wrench, steps, derivatives
///
/// Four methods, one interface (docs/models.md has their errors and costs):
///
/// | method      | bristles                                       | from                            |
/// |-------------|------------------------------------------------|---------------------------------|
/// | blocks      | three in each of a few pieces of the patch     | docs/models.md                  |
/// | distributed | two in every cell                              | W&K, section IV                 |
/// | reduced     | three, and a limit surface                     | W&K, section V                  |
/// | ellipsoid   | three, and the ellipsoid (22) of r             | W&K, section V                  |
///
/// W&K = Waltersson & Karayiannidis; numbers in brackets are that paper's equations. SI units. Twists
/// and wrenches are taken at the patch's centre of pressure (CoP), in the axes of the contact frame;
/// the wrench is what the ground does to the body. The bristles' deflections are in the patch's own
/// axes (the same, unless the patch is placed at an angle).
///
///     br_contact_def def = br_contact_def_default();
///     def.patch = patch;
///     br_contact* contact;
///     if (br_contact_create(&def, &contact, &why) != BR_OK) { ... why.field, why.text ... }
///     double* z = calloc(br_contact_get_state_count(contact), sizeof *z); // bristles at rest
///     const br_wrench f = br_contact_step(contact, z, twist, fn, h, NULL);
#ifndef BRISTLE_CONTACT_H
#define BRISTLE_CONTACT_H

#include "bristle/law.h"
#include "bristle/limit.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The methods, written once: enumerator, name as the command spells it.
#define BR_METHOD_LIST(X)                                                                          \
    X(BR_METHOD_BLOCKS, "blocks")                                                                  \
    X(BR_METHOD_DISTRIBUTED, "distributed")                                                        \
    X(BR_METHOD_REDUCED, "reduced")                                                                \
    X(BR_METHOD_ELLIPSOID, "ellipsoid")

/// How the bristles of a contact stand for its patch.
typedef enum br_method {
#define BR_METHOD_ENUM(method, name) method, ///< see BR_METHOD_LIST
    BR_METHOD_LIST(BR_METHOD_ENUM)
#undef BR_METHOD_ENUM
} br_method;

/// What a contact is made of. Start from br_contact_def_default().
typedef struct br_contact_def {
    size_t size;           ///< set by the default function; do not touch
    br_method method;      ///< how; blocks are for most
    br_law law;            ///< BR_LAW_LUGRE or BR_LAW_ELASTO_PLASTIC
    const br_patch* patch; ///< where it touches; used during creation, by BR_METHOD_REDUCED and
                           ///< BR_METHOD_ELLIPSOID also after it. NULL: only with `surface`, or for
                           ///< BR_METHOD_ELLIPSOID with r, u and cop
    size_t resolution;     ///< blocks across (1..256; a line takes twice as many), cells across, or
                           ///< nodes of a table per quarter turn (2..512); 0: what suits the method
                           ///< and the patch (5 blocks, 21 cells, 20 nodes)
    const br_limit*
        surface; ///< BR_METHOD_REDUCED: h(r, v) of (29), borrowed; must outlive the contact.
                 ///< NULL: one that suits the patch is made and owned
    double r;    ///< BR_METHOD_ELLIPSOID without patch: rim radius (23) [m], >= 0
    double u;    ///< the same: viscous torque factor (27) [m^2], >= 0
    br_vec2 cop; ///< the same: where the CoP is, contact frame [m]
    int guard;   ///< reduced, ellipsoid: 1: steps never give energy back that was not put in
    int plain;   ///< 1: one number at a time, also where the processor has vectors
    const double*
        forces;         ///< cells and blocks of a patch that changes with the force: normal forces
                        ///< [N], >= 0, for which br_contact_spread() is prepared once for all that
                        ///< share the contact; used during creation (force_count), may be NULL
    size_t force_count; ///< how many
    const struct br_contact*
        like; ///< a contact that differs in its law alone, borrowed; must outlive the new one, which
              ///< costs next to nothing: no field but `law` counts. NULL: none
} br_contact_def;

/// Immutable after creation; one contact may serve any number of bodies and threads. State lives with
/// the caller: br_contact_get_state_count() doubles, all 0 at first.
typedef struct br_contact br_contact;

/// One part of a contact: a cell, a block, or all of a reduced contact. Its bristles are the entries
/// i, n + i and, where parts have three, 2 n + i of the state: deflection along x [m], along y [m] and
/// in spin (mean of rho x z about the part's own centroid) [m^2]; n is br_contact_get_part_count().
/// Where the patch of a reduced contact changes with the normal force, its spin is the angle z_tau/u
/// [rad] instead, which stays while the patch changes, as the cells' does; with a surface of
/// BR_LIMIT_PUBLISHED it is z_tau, which stays in W&K's code.
typedef struct br_contact_part {
    br_vec2 position; ///< centroid from the CoP, patch axes [m]
    double weight;    ///< share of the normal force [-]; 0: padding, its deflections stay 0;
                      ///< BR_CELLS_IDLE: carries nothing at the moment, but its bristles live on
    double xx;        ///< covariance of the pressure within the part, patch axes [m^2]; 0 for cells
    double xy;        ///< [m^2]
    double yy;        ///< [m^2]
    double angle; ///< of the patch axes, which are the bristles', in the contact frame [rad]; the
                  ///< same in all parts, 0 for a reduced contact
} br_contact_part;

/// What one part does at an instant, for pictures: place and vectors in the contact frame.
typedef struct br_contact_part_value {
    br_vec2 position; ///< [m]
    br_vec2 v;        ///< velocity over the ground [m/s]
    br_vec2 z;        ///< deflection of the bristle [m]
    br_vec2 dz;       ///< its rate [m/s]
    br_wrench f;      ///< on the body, torque about `position` [N, N, N m]; 0 in padding
} br_contact_part_value;

/// Derivatives of br_contact_eval(), in the arrowhead form that an implicit solver needs: a part
/// depends on its own k bristles and on the twist at the CoP alone; k is br_contact_get_state_count()/n.
/// Those by bristle or of rates are in the patch's axes, entry (row, column) of part i at
/// (columns row + column) n + i. Pointers may be NULL: not asked for.
typedef struct br_contact_gradient {
    double* dz_z; ///< caller's: of the rates by the bristles [1/s; m between z and spin] (k x k n)
    double* dz_v; ///< caller's: of the rates by vx, vy, w [-, -, m; spin: m, m, m^2] (k x 3 n)
    double*
        f_z; ///< caller's: of the wrench by the state, contact frame [N/m, N/m^2; N, N/m] (3 x k n)
    int rates_only;   ///< 1: f_z, f_v and f_fn are not asked for, which is cheaper
    double f_v[3][3]; ///< out: of the wrench by vx, vy, w, contact frame [N s/m, N s; N s, N m s]
    double f_fn[3];   ///< out: of the wrench by the normal force, patch held [-, -, m]
} br_contact_gradient;

/// Derivatives of br_contact_eval() by the parameters of its law (BR_BY_MU_C..), per unit of the
/// parameter, for identification.
typedef struct br_contact_sensitivity {
    double f[BR_BY_COUNT][3]; ///< out: of the wrench fx, fy, tau, contact frame
    double* dz;               ///< caller's, may be NULL: of the rates (BR_BY_COUNT x state count)
} br_contact_sensitivity;

/// Does a contact hold?
typedef enum br_contact_state {
    BR_STICK, ///< it holds; its bristles may give way elastically, creep or ring
    BR_SLIP,  ///< it slides as a whole
    BR_OPEN   ///< nothing presses it, fn = 0
} br_contact_state;

/// How a contact slips.
typedef struct br_contact_slip {
    double slip_rate;       ///< speed of the motion that does not come back [m/s], >= 0
    br_contact_state state; ///< now
    double margin;          ///< > 0: slips; crosses 0 where the state changes [-]
    br_wrench f;            ///< on the body at the CoP, as br_contact_eval() gives it [N, N, N m]
} br_contact_slip;

/// Blocks, elasto-plastic with Table I of W&K (p = 1), guarded; `patch` is to be set.
BR_API br_contact_def br_contact_def_default(void);

/// Is there anything wrong with a definition that can be told without making the contact?
/// @param[out] why  may be NULL; names the field when the result is not BR_OK
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_contact_check(const br_contact_def* def, br_reason* why);

/// Create a contact. The cells of a disc that grows with the force stay in place: it needs a largest
/// radius, unless the method is reduced or ellipsoid.
/// @param[out] out  the contact, or NULL on failure; free it with br_contact_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_contact_create(const br_contact_def* def, br_contact** out, br_reason* why);

/// Free a contact; NULL is allowed.
BR_API void br_contact_destroy(br_contact* contact);

/// What the contact was made of, with the resolution that was taken.
BR_API const br_contact_def* br_contact_get_def(const br_contact* contact);

/// CoP (contact frame), r, u as the contact has them: sums over cells, or of its surface.
BR_API br_patch_value br_contact_get_patch_value(const br_contact* contact);

/// Doubles of state.
BR_API size_t br_contact_get_state_count(const br_contact* contact);

/// Number of parts n, padding included.
BR_API size_t br_contact_get_part_count(const br_contact* contact);

/// Part `index`, 0..n-1.
BR_API br_contact_part br_contact_get_part(const br_contact* contact, size_t index);

/// Bytes of the caller's memory that br_contact_spread() needs; 0 for a patch that does not change with
/// the normal force.
BR_API size_t br_contact_get_spread_size(const br_contact* contact);

/// The contact as it is at a normal force, for a patch that changes with it: weights, CoP, lengths,
/// where needed the surface. It lies in memory of the caller and borrows from the one it is made from,
/// which does not change. Free for a fixed patch, and at the force of the last call. The state stays
/// valid; what its energy does is docs/contact_changes.md's. Never allocates, never fails.
/// @param fn              normal force [N], >= 0; NaN makes every later wrench NaN
/// @param[in,out] memory  br_contact_get_spread_size() bytes, aligned as malloc aligns, all 0 before the
///                        first call, then as the last call left it; NULL if that size is 0
/// @return the contact at fn, valid until the next call with that memory; `contact` itself if its
///         patch is fixed
BR_API const br_contact* br_contact_spread(const br_contact* contact, double fn, void* memory);

/// Deflection rates and wrench: (10), (15), (19), (20) of cells, (26), (31), (32) of a reduced contact
/// as published. Never allocates, never fails; NaN in gives NaN out.
/// @param z        state
/// @param v        twist of the body over the ground, at the CoP [m/s, m/s, rad/s]
/// @param fn       normal force [N], >= 0
/// @param[out] dz  rates of z; may not be z itself
/// @return wrench on the body at the CoP [N, N, N m]
BR_API br_wrench br_contact_eval(const br_contact* contact, const double* z, br_twist v, double fn,
                                 double* dz);

/// Where steady sliding has the bristles, and the wrench there: (11), (12), (30). What is at rest (to
/// rounding) resists nothing. Never allocates, never fails.
/// @param[out] z  may be NULL: the state
BR_API br_wrench br_contact_steady_eval(const br_contact* contact, br_twist v, double fn,
                                        double* z);

/// The share of part `index` (0..n-1) in br_contact_eval(): the wrenches of all parts, moved to the
/// CoP, sum to that of the contact. Never allocates, never fails.
BR_API br_contact_part_value br_contact_part_eval(const br_contact* contact, const double* z,
                                                  br_twist v, double fn, size_t index);

/// Fill derivatives. Defined at v = 0 and z = 0: at a kink each column is the mean of both sides along
/// its axis. Never allocates, never fails.
/// @param[in,out] out  its pointers say where arrays go, or NULL
BR_API void br_contact_gradient_eval(const br_contact* contact, const double* z, br_twist v,
                                     double fn, br_contact_gradient* out);

/// Fill derivatives by the law's parameters. Never allocates, never fails.
/// @param[in,out] out  its dz says where those of the rates go, or NULL
BR_API void br_contact_sensitivity_eval(const br_contact* contact, const double* z, br_twist v,
                                        double fn, br_contact_sensitivity* out);

/// Advance the bristles over a step of any size with the twist held, by implicit Euler: bounded and
/// passive for any h, of order 1. Where the damping sigma1 would give energy back that nobody put in
/// (parameters that miss the condition of br_law_passivity_margin()), it is limited in this step; a
/// guarded reduced contact then pays from what it stores. fn = 0 gives no force and lets the bristles
/// go (z = 0). Never allocates, never fails.
/// @param[in,out] z    state
/// @param v            twist, held [m/s, m/s, rad/s]
/// @param fn           normal force, held [N], >= 0
/// @param h            step [s], > 0, any size
/// @param[out] energy  may be NULL
/// @return mean wrench on the body at the CoP [N, N, N m]: its impulse is h times that
BR_API br_wrench br_contact_step(const br_contact* contact, double* z, br_twist v, double fn,
                                 double h, br_step_energy* energy);

/// Energy that the bristles hold at a normal force [J].
BR_API double br_contact_stored(const br_contact* contact, const double* z, double fn);

/// Slip rate and state of a contact. The slip rate is the power lost in the decay of its bristles,
/// sigma0 z.(v - dz), over the force with which each part of it would slide, g(|v|) times its share of
/// fn: in steady sliding the mean speed over the patch (r |w| for a spin), in elastic motion 0, for a
/// loaded contact that creeps the speed of its creep times its load. Its integral over time is the way
/// it slipped: over a step h times the mean of the rates at both ends.
///
/// Slip begins where the bristles resist the motion with 0.99 of what sliding would give and 0.9 of
/// the motion is plastic. It ends where they do not resist it any more, which is where a contact comes
/// to rest: its bristles, stretched as far as they go, pull it back. Between is the state as before, so
/// that neither ringing nor rounding makes it change to and fro. Rates and wrench of br_contact_eval()
/// come along, for little more than they cost alone. Never allocates, never fails.
/// @param before   the contact's state before; BR_STICK at first
/// @param[out] dz  rates of the bristles, as br_contact_eval() gives them (state count); NULL: not
///                 asked for
BR_API br_contact_slip br_contact_slip_eval(const br_contact* contact, const double* z, br_twist v,
                                            double fn, br_contact_state before, double* dz);

/// The load of a contact: the share of what friction can hold that its bristles carry [-], in [0, 1].
/// It is the gauge of the bristles' wrench over the limit surface of the method, each part of it with
/// its g(|v|), which is mu_s at rest: 0 without load, 1 where the contact slides as a whole, and in
/// proportion to a load that grows at rest, whatever its direction. For cells right to 1e-3; for blocks
/// and reduced contacts to the error of their own limit surface. It costs some passes over the parts.
/// Never allocates, never fails.
BR_API double br_contact_load_eval(const br_contact* contact, const double* z, br_twist v,
                                   double fn);

/// Carry the bristles of one contact to another when the contact changes at equal normal force: another
/// shape, another place in the same contact frame, another number of parts. Each part takes the
/// bristles of the nearest one, then all are moved by one small rigid motion so that the elastic force
/// and torque (those of sigma0 z) are the same to rounding; a point cannot keep a torque. Both have
/// parts of as many bristles. See docs/contact_changes.md. Takes parts times parts; never allocates,
/// never fails.
/// @param z         state of `from`
/// @param[out] out  state of `to`; may not be z itself
BR_API void br_contact_carry(const br_contact* from, const double* z, const br_contact* to,
                             double* out);

#ifdef __cplusplus
}
#endif

#endif
