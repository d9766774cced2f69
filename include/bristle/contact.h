/// @file contact.h
/// One planar contact: friction of a patch that slides and spins, from a patch, a bristle law and a method.
///
///     br_patch + br_law + br_method -> br_contact -> rates, wrench, steps, derivatives
///
/// Four methods, one interface (docs/explanation/models.md has their errors and costs):
///
/// | method      | bristles                                       | from                            |
/// |-------------|------------------------------------------------|---------------------------------|
/// | blocks      | three in each of a few pieces of the patch     | docs/explanation/models.md                  |
/// | distributed | two in every cell                              | W&K, section IV                 |
/// | reduced     | three, and a limit surface                     | W&K, section V                  |
/// | ellipsoid   | three, and the ellipsoid (22) of r             | W&K, section V                  |
///
/// W&K = Waltersson & Karayiannidis; numbers in brackets are that paper's equations. SI units. Twists
/// and wrenches are taken at the patch's centre of pressure (CoP), in the axes of the contact frame;
/// the wrench is what the ground does to the body. The bristles' deflections are in the patch's own
/// axes (the same, unless the patch is placed at an angle); those of anisotropic friction are stretched, too, see
/// br_contact_get_map().
///
///     br_contact_def def = br_contact_def_default();
///     def.patch = patch;
///     br_contact* contact;
///     if (br_contact_create(&def, &contact, &why) != BR_OK) { ... why.field, why.text ... }
///     double* z = calloc(br_contact_get_state_count(contact), sizeof *z); // bristles at rest
///     const br_wrench f = br_contact_step(contact, z, twist, fn, h, NULL);
#ifndef BRISTLE_CONTACT_H
#define BRISTLE_CONTACT_H

#include <stdbool.h>

#include "bristle/anisotropy.h"
#include "bristle/field.h"
#include "bristle/law.h"
#include "bristle/limit.h"
#include "bristle/math.h"
#include "bristle/patch.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The list of methods: enumerator, name as in scenario files.
#define BR_METHOD_LIST(X)                                                                          \
    X(BR_METHOD_BLOCKS, "blocks")                                                                  \
    X(BR_METHOD_DISTRIBUTED, "distributed")                                                        \
    X(BR_METHOD_REDUCED, "reduced")                                                                \
    X(BR_METHOD_ELLIPSOID, "ellipsoid")

/// How bristles represent a patch.
typedef enum br_method {
#define BR_METHOD_ENUM(method, name) method, ///< see BR_METHOD_LIST
    BR_METHOD_LIST(BR_METHOD_ENUM)
#undef BR_METHOD_ENUM
} br_method;

/// Definition of a contact. Start from br_contact_def_default().
typedef struct br_contact_def {
    size_t size;      ///< set by the default function; do not touch
    br_method method; ///< how bristles represent the patch; blocks suit most uses
    br_law law;       ///< BR_LAW_LUGRE or BR_LAW_ELASTO_PLASTIC
    /// contact patch; may be destroyed after creation. NULL: only with `surface`, or for BR_METHOD_ELLIPSOID with r,
    /// u and cop
    const br_patch* patch;
    size_t resolution; ///< blocks across (1..256; a line uses twice as many), cells across, or
                       ///< nodes of a table per quarter turn (2..512); 0: the default of method
                       ///< and patch (5 blocks, 21 cells, 20 nodes)
    /// BR_METHOD_REDUCED: h(r, v) of (29); it and its patch may be destroyed after creation. A surface of
    /// br_limit_at_force() is borrowed: its memory must outlive the contact. NULL: one that suits the patch is created
    const br_limit* surface;
    double r;    ///< BR_METHOD_ELLIPSOID without patch: rim radius (23) [m], >= 0
    double u;    ///< BR_METHOD_ELLIPSOID without patch: viscous torque factor (27) [m^2], >= 0
    br_vec2 cop; ///< BR_METHOD_ELLIPSOID without patch: centre of pressure, contact frame [m]
    bool guard;  ///< reduced, ellipsoid: true: steps never return energy that was not put in
    bool plain;  ///< true: scalar code even if the processor has vector instructions
    /// Cells and blocks of a patch that depends on the force: normal forces [N], >= 0, for which br_contact_at_force() is
    /// precomputed for all users of the contact; read during creation (force_count), may be NULL
    const double* forces;
    size_t force_count; ///< number of `forces`
    /// A contact with the same geometry and another law, borrowed; must outlive the new one, which costs almost nothing:
    /// all fields but `law` are ignored. NULL: none
    const struct br_contact* share_geometry_of;
    /// Factor on mu by position; may be destroyed after creation. NULL: mu is uniform. Each cell's share of the normal
    /// force is multiplied by the field's mean over the cell, which scales its friction, stiffness and damping alike
    const br_field* field;
    /// false: the field is fixed to the patch, and in the contact frame. true: it is fixed to the
    /// other surface, over which the contact frame moves: br_contact_at(); not for reduced and
    /// ellipsoid. A reduced contact on a field has the limit surface of mu p, over 60 cells across,
    /// and the law times the mean factor, as br_contact_get_def() shows. Its twists and wrenches
    /// are taken at the centre of friction, which is `cop` of br_contact_get_patch_value()
    bool field_moves;
    /// Friction that depends on the direction; ratio 1: isotropic. BR_METHOD_REDUCED with `surface`: that of the
    /// surface, or left at its default. BR_METHOD_ELLIPSOID without patch: r and u are those of the stretched patch, so
    /// that mu fn r is the largest torque
    br_anisotropy anisotropy;
} br_contact_def;

/// A contact. Immutable after creation; any number of bodies and threads may share one. The caller stores
/// the state: br_contact_get_state_count() doubles, all 0 at first.
typedef struct br_contact br_contact;

/// One part of a contact: a cell, a block, or all of a reduced contact. Its bristles are the
/// entries i, n + i and, where parts have three, 2 n + i of the state; n is
/// br_contact_get_part_count(). They are the deflection along x [m], along y [m] and in spin (mean
/// of rho x z about the part's own centroid) [m^2]. If the patch of a reduced contact depends on
/// the normal force, its spin state is the angle z_tau/u [rad] instead. This angle stays constant
/// while the patch changes, as that of cells does. With a surface of BR_LIMIT_PUBLISHED it is
/// z_tau, which stays constant in W&K's code.
typedef struct br_contact_part {
    br_vec2 position; ///< centroid from the CoP, patch axes [m]
    double
        weight; ///< share of the normal force times the field's factor [-]; 0: padding, its deflections
    ///< stay 0; BR_CELLS_IDLE: carries nothing at this force or pose, but keeps its bristles
    double xx; ///< covariance of the pressure within the part, patch axes [m^2]; 0 for cells
    double xy; ///< covariance xy [m^2]
    double yy; ///< covariance yy [m^2]
    /// angle of the patch axes, which are the bristles' axes, in the contact frame [rad]; the same in all parts, 0
    /// for a reduced contact
    double angle;
} br_contact_part;

/// One part at one instant, for plots: position and vectors in the contact frame.
typedef struct br_contact_part_value {
    br_vec2 position; ///< centroid [m]
    br_vec2 v;        ///< velocity over the ground [m/s]
    br_vec2 z;        ///< deflection of the bristle [m]
    br_vec2 dz;       ///< rate of the deflection [m/s]
    br_wrench f;      ///< wrench on the body, torque about `position` [N, N, N m]; 0 in padding
} br_contact_part_value;

/// Derivatives of br_contact_eval(), in the arrowhead form that an implicit solver needs: a part
/// depends only on its own k bristles and on the twist at the CoP; k is
/// br_contact_get_state_count()/n. Derivatives with respect to bristles or of rates are in the
/// bristles' axes (br_contact_get_map()), so those by the twist are by (u, w), u = M v. Entry (row,
/// column) of part i is at (columns row + column) n + i. The arrays belong to the caller; NULL: not
/// computed.
typedef struct br_contact_gradient {
    double* dz_z;     ///< d rates/d bristles [1/s; m between z and spin] (k x k n)
    double* dz_v;     ///< d rates/d (ux, uy, w) [-, -, m; spin: m, m, m^2] (k x 3 n)
    double* f_z;      ///< d wrench/d state, contact frame [N/m, N/m^2; N, N/m] (3 x k n)
    bool rates_only;  ///< true: f_z, f_v and f_fn are not computed, which is cheaper
    double f_v[3][3]; ///< out: d wrench/d (vx, vy, w), contact frame [N s/m, N s; N s, N m s]
    double f_fn[3];   ///< out: d wrench/d normal force at constant patch [-, -, m]
} br_contact_gradient;

/// Whether a contact sticks or slips.
typedef enum br_slip_state {
    BR_STATE_STICK, ///< it sticks; its bristles may deflect elastically, creep or vibrate
    BR_STATE_SLIP,  ///< it slides as a whole
    BR_STATE_OPEN   ///< no normal force, fn = 0
} br_slip_state;

/// Slip of a contact.
typedef struct br_contact_slip {
    double slip_rate;    ///< speed of the irreversible part of the motion [m/s], >= 0
    br_slip_state state; ///< current state
    double margin;       ///< > 0: slips; crosses 0 where the state changes [-]
    br_wrench f;         ///< on the body at the CoP, as of br_contact_eval() [N, N, N m]
} br_contact_slip;

/// Default definition: blocks, elasto-plastic law with Table I of W&K (p = 1), guarded; `patch` must be set.
BR_API br_contact_def br_contact_def_default(void);

/// Check a definition as far as possible without creating the contact.
/// @param[out] why  may be NULL; names the field when the result is not BR_OK
/// @return BR_OK or BR_ERR_DEF
BR_API br_status br_contact_check(const br_contact_def* def, br_reason* why);

/// Create a contact. The cells of a disc that grows with the force have fixed positions: the disc needs a
/// largest radius, unless the method is reduced or ellipsoid.
/// @param[out] out  the contact, or NULL on failure; free it with br_contact_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_contact_create(const br_contact_def* def, br_contact** out, br_reason* why);

/// Free a contact; NULL is allowed.
BR_API void br_contact_destroy(br_contact* contact);

/// The definition of the contact, with the resolution that is used. Its patch and surface live as long as the contact;
/// for BR_METHOD_BLOCKS and BR_METHOD_DISTRIBUTED the patch is NULL.
BR_API const br_contact_def* br_contact_get_def(const br_contact* contact);

/// CoP (contact frame), r and u as the contact uses them: sums over cells, or those of its surface.
/// With anisotropic friction r and u are those of the stretched patch, so that mu_c fn r is the
/// torque of a spin.
BR_API br_patch_value br_contact_get_patch_value(const br_contact* contact);

/// Number of doubles in the state.
BR_API size_t br_contact_get_state_count(const br_contact* contact);

/// Number of parts n, padding included.
BR_API size_t br_contact_get_part_count(const br_contact* contact);

/// Part `index`, 0..n-1.
BR_API br_contact_part br_contact_get_part(const br_contact* contact, size_t index);

/// The map M from velocities in the contact frame to those of the bristles, u = M v; forces leave
/// by f = M^T f'. M is a rotation into the patch's axes, times A of anisotropic friction. The
/// bristles of part i at rho (from the CoP, contact frame) move with u + w J rho', rho' = cof(M)
/// rho, J the quarter turn. The axes of the state, of its rates and of derivatives by twists in
/// br_contact_gradient are those of u.
/// @param[out] map  M [-]
BR_API void br_contact_get_map(const br_contact* contact, double map[2][2]);

/// Centres of a contact, and how much friction it has.
typedef struct br_contact_centres {
    br_vec2 pressure; ///< centre of pressure (CoP), contact frame [m]
    br_vec2
        friction; ///< centre of friction: of mu p; contact frame [m]. The CoP where mu is uniform or 0
    double factor; ///< mean of the field's factor, weighted by the pressure [-]; 1 without a field
} br_contact_centres;

/// Centres of pressure and of friction. A body that slides without spin has the friction force factor mu fn, in line
/// with the centre of friction.
BR_API br_contact_centres br_contact_get_centres(const br_contact* contact);

/// Whether the contact depends on the pose of its frame over the other surface: br_contact_at() is needed.
BR_API bool br_contact_depends_on_pose(const br_contact* contact);

/// Size of the memory that br_contact_at() and br_contact_at_force() need [bytes]; 0 if the contact depends neither on
/// the normal force nor on its pose.
BR_API size_t br_contact_get_at_force_size(const br_contact* contact);

/// The contact at a normal force and at a pose over the other surface: weights, CoP, lengths and,
/// if needed, the surface. For a patch that depends on the force or a field that is fixed to the
/// other surface. It is stored in the caller's memory and borrows from `contact`, which does not
/// change. No cost for a fixed patch on uniform ground, and for the force and pose of the last
/// call. The state stays valid; for its energy see docs/explanation/contact_changes.md. Never
/// allocates, never fails.
/// @param fn              normal force [N], >= 0; NaN makes every later wrench NaN
/// @param pose            of the contact frame in the frame of the other surface (the ground) [m, m, rad]; no effect
///                        unless br_contact_depends_on_pose()
/// @param[in,out] memory  br_contact_get_at_force_size() bytes, aligned as malloc aligns, all 0 before the
///                        first call, unchanged between calls; NULL if that size is 0
/// @return the contact there, valid until the next call with that memory; `contact` itself if it is fixed
BR_API const br_contact* br_contact_at(const br_contact* contact, double fn, br_pose pose,
                                       void* memory);

/// br_contact_at() for a contact that does not depend on its pose: at the pose (0, 0, 0).
BR_API const br_contact* br_contact_at_force(const br_contact* contact, double fn, void* memory);

/// Size of the memory that br_contact_at_pressure() needs [bytes]. 0 if the patch is not of
/// triangles, and for BR_METHOD_REDUCED and BR_METHOD_ELLIPSOID, whose surface would change: create
/// a contact for each pressure and use br_contact_carry().
BR_API size_t br_contact_get_at_pressure_size(const br_contact* contact);

/// The contact on triangles (BR_SHAPE_TRIANGLES) at other pressures and other positions of their vertices, as they
/// come from a hydroelastic model at each step: weights, CoP and lengths. Each triangle keeps its cells, and each
/// block the cells that it was cut from, so that the state stays valid; for its energy see
/// docs/explanation/contact_changes.md. Where triangles appear or vanish, create another contact and use br_contact_carry(). It
/// is stored in the caller's memory and borrows from `contact`, which does not change. Never allocates, never fails.
/// @param vertices        of the triangles, patch frame [m], as many as the patch has; NULL: those of the patch
/// @param pressures       at the vertices, any unit; below 0 they count as 0. Without any pressure the contact
///                        stays as in the last call; NaN makes every later wrench NaN
/// @param[in,out] memory  br_contact_get_at_pressure_size() bytes, aligned as malloc aligns, all 0 before the
///                        first call, unchanged between calls; NULL if that size is 0
/// @return the contact at this pressure, valid until the next call with that memory; `contact` itself if the
///         size is 0
BR_API const br_contact* br_contact_at_pressure(const br_contact* contact, const br_vec2* vertices,
                                                const double* pressures, void* memory);

/// Deflection rates and wrench: (10), (15), (19), (20) for cells; (26), (31), (32) for a reduced contact,
/// as published. Never allocates, never fails; NaN in gives NaN out.
/// @param contact  where its patch depends on the normal force, the one that br_contact_at_force() gives at fn
/// @param z        state
/// @param v        twist of the body over the ground, at the CoP [m/s, m/s, rad/s]
/// @param fn       normal force [N], >= 0
/// @param[out] dz  rates of z; must not be z itself
/// @return wrench on the body at the CoP [N, N, N m]
BR_API br_wrench br_contact_eval(const br_contact* contact, const double* z, br_twist v, double fn,
                                 double* dz);

/// Deflections and wrench of steady sliding: (11), (12), (30). A contact at rest (to rounding) has zero
/// resistance. Never allocates, never fails.
/// @param[out] z  the state; may be NULL
BR_API br_wrench br_contact_steady_eval(const br_contact* contact, br_twist v, double fn,
                                        double* z);

/// Contribution of part `index` (0..n-1) to br_contact_eval(): the wrenches of all parts, moved to the
/// CoP, add up to that of the contact. Never allocates, never fails.
BR_API br_contact_part_value br_contact_part_eval(const br_contact* contact, const double* z,
                                                  br_twist v, double fn, size_t index);

/// Compute derivatives. Defined at v = 0 and z = 0: at a kink each column is the mean of both sides along
/// its axis. Never allocates, never fails.
/// @param[in,out] out  its pointers are the caller's arrays, or NULL
BR_API void br_contact_gradient_eval(const br_contact* contact, const double* z, br_twist v,
                                     double fn, br_contact_gradient* out);

/// Advance the bristles over a step of any size at constant twist, by implicit Euler: bounded and
/// passive for any h, of order 1. Where the damping sigma1 would return energy that was not put in
/// (parameters that violate the condition of br_law_passivity_margin()), it is limited in this step. A
/// guarded reduced contact then takes the energy from its store; if it stores too little, its bristles
/// follow the body in this step as those of an ellipsoid do. fn = 0 gives no force and resets the
/// bristles (z = 0). Never allocates, never fails.
/// @param contact      where its patch depends on the normal force, the one that br_contact_at_force() gives at fn;
///                     the contact that was created is that of 1 N, or of the force of its surface: another fn is an
///                     error of the caller (BR_ASSERT)
/// @param[in,out] z    state
/// @param v            twist, constant over the step [m/s, m/s, rad/s]
/// @param fn           normal force, constant over the step [N], >= 0
/// @param h            step [s], 1e-100 to 1e20
/// @param[out] energy  may be NULL
/// @return mean wrench on the body at the CoP [N, N, N m]; the impulse is h times it
BR_API br_wrench br_contact_step(const br_contact* contact, double* z, br_twist v, double fn,
                                 double h, br_step_energy* energy);

/// Energy stored in the bristles at a normal force [J].
BR_API double br_contact_stored(const br_contact* contact, const double* z, double fn);

/// Slip rate and state of a contact. The slip rate is the power dissipated in the decay of its
/// bristles, sigma0 z.(v - dz), over the sliding force of each part, g(|v|) times its share of fn.
/// In steady sliding it is the mean speed over the patch (r |w| for a spin), in elastic motion 0.
/// For a loaded contact that creeps it is the creep speed times its load. On a field of mu it is
/// the mean weighted by friction. Its integral over time is the slip distance: over a step h times
/// the mean of the rates at both ends.
///
/// Slip starts where the bristles resist the motion with 0.99 of the sliding force and 0.9 of the motion is
/// plastic. It ends where they no longer resist it, which is where a contact comes to rest: its bristles,
/// fully deflected, pull it back. In between the state does not change, so that neither vibration nor
/// rounding switches it repeatedly. The rates and the wrench of br_contact_eval() are computed at little
/// extra cost. Never allocates, never fails.
/// @param before   the contact's previous state; BR_STATE_STICK at first
/// @param[out] dz  rates of the bristles, as of br_contact_eval() (state count); may be NULL
BR_API br_contact_slip br_contact_slip_eval(const br_contact* contact, const double* z, br_twist v,
                                            double fn, br_slip_state before, double* dz);

/// Load of a contact: the share of the friction limit that its bristles carry [-], in [0, 1]. It is
/// the gauge of the bristles' wrench over the limit surface of the method, each part with its own
/// g(|v|), which is mu_s at rest. It is 0 without load, 1 where the contact slides as a whole, and
/// proportional to a load that grows at rest in any direction. Accurate to 1e-3 for cells; for
/// blocks and reduced contacts to the error of their limit surface. It costs a few passes over the
/// parts. Never allocates, never fails.
BR_API double br_contact_load_eval(const br_contact* contact, const double* z, br_twist v,
                                   double fn);

/// Transfer the bristles of one contact to another when the contact changes at equal normal force:
/// another shape, another position in the same contact frame, another number of parts. Each part
/// takes the bristles of the nearest one, then one small rigid motion of all makes the elastic
/// force and torque (those of sigma0 z) the same to rounding. Two limits come first. The state does
/// not store more energy than before (br_contact_stored() at the same fn). No bristle (of a block
/// or a reduced contact: all three together) is deflected beyond mu_s/sigma0; torque that would
/// need more is lost. The force is kept unless `to` has softer bristles or a smaller mu_s. Both
/// contacts must have the same number of bristles per part. See
/// docs/explanation/contact_changes.md. Cost: parts times parts. Never allocates, never fails.
/// @param from      the contact before the change
/// @param z         state of `from`
/// @param to        the contact after the change
/// @param[out] out  state of `to`; must not be z itself
BR_API void br_contact_carry(const br_contact* from, const double* z, const br_contact* to,
                             double* out);

/// br_contact_carry() for a contact that changes repeatedly, as in a physics engine: energy that one change
/// loses is saved, and a later change may use it to keep its torque. Without this a body whose patch shrinks
/// and grows repeatedly under a constant torque turns a little with each change.
/// @param from           the contact before the change
/// @param z              state of `from`
/// @param to             the contact after the change
/// @param fn             normal force [N], >= 0
/// @param[in,out] saved  energy lost by earlier changes of this contact [J], >= 0; 0 at first touch
/// @param[out] out       state of `to`; must not be z itself
BR_API void br_contact_carry_saved(const br_contact* from, const double* z, const br_contact* to,
                                   double fn, double* saved, double* out);

#ifdef __cplusplus
}
#endif

#endif
