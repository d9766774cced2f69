// Friction of bristle in ODE: a step that takes the place of dWorldStep() or dWorldQuickStep().
//
//     BristleOde friction(world);
//     // in the near callback, instead of dJointCreateContact():
//     friction.contact(group, contact, count, g1, g2, mu);
//     // then
//     friction.step(h, false);
//     dJointGroupEmpty(group);
//
// Contact joints get mu 0 and a feedback. ODE cannot be entered between its solve and its motion, so bodies are moved
// again with the new velocity. Bodies and joints are found from the contacts. Ball, hinge, slider,
// universal and fixed joints count; their limits and motors, and other joints, do not.
// ODE finds points only where shapes overlap: give the world a contact surface layer, e.g. 1e-4 m.
#ifndef BRISTLE_ODE_H
#define BRISTLE_ODE_H

#include "bristle/rigid.h"

#include <ode/ode.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

class BristleOde
{
  public:
    // Throws std::invalid_argument with the reason if the definition is refused.
    explicit BristleOde(dWorldID world, const brg_def* def = nullptr) : world_(world)
    {
        br_reason why;
        if (brg_create(def, &layer_, &why) != BR_OK)
            throw std::invalid_argument(std::string(why.field) + ": " + why.text);
    }
    ~BristleOde()
    {
        brg_destroy(layer_);
    }
    BristleOde(const BristleOde&) = delete;
    BristleOde& operator=(const BristleOde&) = delete;

    brg_world* layer()
    {
        return layer_;
    }

    // BR_OK, or why the layer refused the last step, which then has no friction (NaN, a negative mass, ...).
    br_status status() const
    {
        return status_;
    }

    // Forget everything, after bodies were destroyed.
    void reset()
    {
        brg_reset(layer_);
        index_.clear();
        ids_.clear();
        shapes_.clear();
    }

    // Contact joints of two geoms. disc: radius of a patch that is a disc [m]; 0: the hull of the points.
    void contact(dJointGroupID group, dContact* contact, int count, dGeomID g1, dGeomID g2,
                 double mu, double disc = 0)
    {
        dBodyID b1 = dGeomGetBody(g1), b2 = dGeomGetBody(g2);
        const int i1 = body(b1), i2 = body(b2);
        const uint64_t s1 = shape(g1), s2 = shape(g2);
        const bool swap = s1 > s2; // the same order in every step
        for (int k = 0; k < count; k++) {
            contact[k].surface.mode =
                (contact[k].surface.mode & ~(dContactMu2 | dContactFDir1)) | dContactApprox1;
            contact[k].surface.mu = 0;
            dJointID j = dJointCreateContact(world_, group, &contact[k]);
            dJointAttach(j, b1, b2);
            touches_.emplace_back();
            Touch& t = touches_.back();
            dJointSetFeedback(j, &t.feedback);
            t.on_second = !b1;
            for (int x = 0; x < 3; x++) {
                t.point.x[x] = contact[k].geom.pos[x];
                t.normal[x] = contact[k].geom.normal[x]; // pushes the first body
                t.point.n[x] = (swap ? 1 : -1) * t.normal[x];
            }
            t.point.a = swap ? i2 : i1, t.point.b = swap ? i1 : i2;
            t.point.pair = swap ? s2 << 32 | s1 : s1 << 32 | s2;
            t.point.gap = dWorldGetContactSurfaceLayer(world_) - contact[k].geom.depth;
            t.point.mu = mu, t.point.disc = disc;
            t.point.bounces = (contact[k].surface.mode & dContactBounce) != 0;
        }
    }

    // dWorldStep() or, if `quick`, dWorldQuickStep(), with friction.
    int step(double h, bool quick)
    {
        read_poses();
        push_last(h);
        const int ok = quick ? dWorldQuickStep(world_, h) : dWorldStep(world_, h);
        read_velocities();
        read_points(h);
        change_.resize(bodies_.size());
        if (ok) {
            status_ = brg_after(layer_, h, bodies_.data(), bodies_.size(), points_.data(),
                                points_.size(), rows_.data(), rows_.size(), change_.data());
            if (status_ == BR_OK)
                move(h);
        }
        touches_.clear();
        return ok;
    }

  private:
    struct Touch {
        brg_point point{};
        dJointFeedback feedback{};
        double normal[3];
        bool on_second;
    };

    int body(dBodyID b)
    {
        if (!b)
            return -1;
        const auto found = index_.emplace(b, int(ids_.size()));
        if (found.second)
            ids_.push_back(b);
        return found.first->second;
    }
    uint64_t shape(dGeomID g)
    {
        return shapes_.emplace(g, shapes_.size() + 1).first->second;
    }
    bool moves(size_t i) const
    {
        return !dBodyIsKinematic(ids_[i]) && dBodyIsEnabled(ids_[i]);
    }

    // R I^-1 R^T
    static void set_inertia(dBodyID id, brg_body& b)
    {
        dMass m;
        dBodyGetMass(id, &m);
        double I[9], inverse[9], turned[9];
        for (int i = 0; i < 9; i++)
            I[i] = m.I[4 * (i / 3) + i % 3];
        for (int i = 0; i < 3; i++) {
            b.inv_mass[i] = 1 / m.mass;
            for (int k = 0; k < 3; k++) {
                const int p = (i + 1) % 3, q = (i + 2) % 3, r = (k + 1) % 3, s = (k + 2) % 3;
                inverse[3 * k + i] = I[3 * p + r] * I[3 * q + s] - I[3 * p + s] * I[3 * q + r];
            }
        }
        const double det = I[0] * inverse[0] + I[1] * inverse[3] + I[2] * inverse[6];
        for (int i = 0; i < 9; i++) {
            turned[i] = 0;
            for (int k = 0; k < 3; k++)
                turned[i] += b.R[3 * (i / 3) + k] * inverse[3 * k + i % 3] / det;
        }
        for (int i = 0; i < 9; i++) {
            b.inv_inertia[i] = 0;
            for (int k = 0; k < 3; k++)
                b.inv_inertia[i] += turned[3 * (i / 3) + k] * b.R[3 * (i % 3) + k];
        }
    }

    // Poses before the step, in which the points were found; joints of all bodies, and what they connect.
    void read_poses()
    {
        bodies_.clear();
        quaternions_.clear();
        rows_.clear();
        std::vector<dJointID> seen;
        for (size_t i = 0; i < ids_.size(); i++) { // grows
            bodies_.emplace_back(brg_body{});
            brg_body& b = bodies_.back();
            const dReal *x = dBodyGetPosition(ids_[i]), *R = dBodyGetRotation(ids_[i]);
            for (int k = 0; k < 9; k++)
                b.R[k] = R[4 * (k / 3) + k % 3];
            std::copy(x, x + 3, b.x);
            const dReal* q = dBodyGetQuaternion(ids_[i]);
            quaternions_.push_back({q[0], q[1], q[2], q[3]});
            b.asleep = !dBodyIsEnabled(ids_[i]);
            if (!dBodyIsKinematic(ids_[i]))
                set_inertia(ids_[i], b);
            for (int k = 0; k < dBodyGetNumJoints(ids_[i]); k++) {
                dJointID j = dBodyGetJoint(ids_[i], k);
                if (dJointGetType(j) == dJointTypeContact || !dJointIsEnabled(j))
                    continue;
                body(dJointGetBody(j, 0)), body(dJointGetBody(j, 1));
                if (std::find(seen.begin(), seen.end(), j) == seen.end())
                    seen.push_back(j);
            }
        }
        for (dJointID j : seen)
            read_joint(j);
    }

    static void perpendicular(const dReal* axis, double* axes)
    {
        dVector3 p, q;
        dPlaneSpace(axis, p, q);
        std::copy(axis, axis + 3, axes), std::copy(p, p + 3, axes + 3),
            std::copy(q, q + 3, axes + 6);
    }

    // Locked axes of a joint. Its velocity is 0: ODE's corrections of the joint are applied in its own step.
    void read_joint(dJointID id)
    {
        brg_joint j{};
        dVector3 x = {0, 0, 0}, axis = {1, 0, 0}, other;
        dBodyID first = dJointGetBody(id, 0), second = dJointGetBody(id, 1);
        std::copy(first ? dBodyGetPosition(first) : dBodyGetPosition(second),
                  (first ? dBodyGetPosition(first) : dBodyGetPosition(second)) + 3, x);
        switch (dJointGetType(id)) {
        case dJointTypeBall:
            dJointGetBallAnchor(id, x), j.locked = 7;
            break;
        case dJointTypeHinge:
            dJointGetHingeAnchor(id, x), dJointGetHingeAxis(id, axis), j.locked = 7 | 6 << 3;
            break;
        case dJointTypeSlider:
            dJointGetSliderAxis(id, axis), j.locked = 6 | 7 << 3;
            break;
        case dJointTypeFixed:
            j.locked = 63;
            break;
        case dJointTypeUniversal:
            dJointGetUniversalAnchor(id, x), dJointGetUniversalAxis1(id, axis),
                dJointGetUniversalAxis2(id, other);
            dCalcVectorCross3(axis, axis, other), j.locked = 7 | 1 << 3;
            break;
        default:
            return;
        }
        perpendicular(axis, j.axes);
        std::copy(x, x + 3, j.x);
        j.a = second ? body(second) : -1, j.b = first ? body(first) : -1;
        brg_row rows[6];
        const size_t n = brg_joint_get_rows(&j, bodies_.data(), rows);
        for (size_t k = 0; k < n; k++)
            rows[k].target = 0;
        rows_.insert(rows_.end(), rows, rows + n);
    }

    void push_last(double h)
    {
        impulse_.resize(6 * ids_.size());
        brg_before(layer_, h, ids_.size(), impulse_.data());
        for (size_t i = 0; i < ids_.size(); i++) {
            const double* f = &impulse_[6 * i];
            if (!moves(i))
                continue;
            dBodyAddForce(ids_[i], f[0] / h, f[1] / h, f[2] / h);
            dBodyAddTorque(ids_[i], f[3] / h, f[4] / h, f[5] / h);
        }
    }

    void read_velocities()
    {
        for (size_t i = 0; i < ids_.size(); i++) {
            const dReal *v = dBodyGetLinearVel(ids_[i]), *w = dBodyGetAngularVel(ids_[i]);
            std::copy(v, v + 3, bodies_[i].v), std::copy(w, w + 3, bodies_[i].w);
        }
    }

    void read_points(double h)
    {
        points_.clear();
        for (const Touch& t : touches_) {
            const dReal* f = t.on_second ? t.feedback.f2 : t.feedback.f1;
            const double sign = t.on_second ? -h : h;
            points_.push_back(t.point);
            points_.back().impulse = std::max(
                0.0, sign * (f[0] * t.normal[0] + f[1] * t.normal[1] + f[2] * t.normal[2]));
        }
    }

    // As ODE moves bodies, from the pose before its step and with the new velocity.
    void move(double h)
    {
        for (size_t i = 0; i < ids_.size(); i++) {
            if (!moves(i))
                continue;
            const brg_body& b = bodies_[i];
            const std::array<double, 4>& q = quaternions_[i];
            double v[3], w[3];
            for (int k = 0; k < 3; k++)
                v[k] = b.v[k] + change_[i].dv[k], w[k] = b.w[k] + change_[i].dw[k];
            dBodySetLinearVel(ids_[i], v[0], v[1], v[2]);
            dBodySetAngularVel(ids_[i], w[0], w[1], w[2]);
            dBodySetPosition(ids_[i], b.x[0] + h * v[0], b.x[1] + h * v[1], b.x[2] + h * v[2]);
            const double speed = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
            const bool finite = dBodyGetFiniteRotationMode(ids_[i]) && speed > 0;
            const double c = finite ? std::cos(0.5 * h * speed) : 1,
                         g = finite ? std::sin(0.5 * h * speed) / speed : 0.5 * h;
            const dQuaternion n = {c * q[0] -
                                       g * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]), // (c, g w) q
                                   c * q[1] + g * (w[0] * q[0] + w[1] * q[3] - w[2] * q[2]),
                                   c * q[2] + g * (w[1] * q[0] + w[2] * q[1] - w[0] * q[3]),
                                   c * q[3] + g * (w[2] * q[0] + w[0] * q[2] - w[1] * q[1])};
            dBodySetQuaternion(ids_[i], n);
        }
    }

    dWorldID world_;
    brg_world* layer_ = nullptr;
    br_status status_ = BR_OK;
    std::unordered_map<dBodyID, int> index_;
    std::unordered_map<dGeomID, uint64_t> shapes_;
    std::vector<dBodyID> ids_;
    std::deque<Touch> touches_; // feedbacks keep their address
    std::vector<brg_body> bodies_;
    std::vector<std::array<double, 4>> quaternions_; // before the step
    std::vector<brg_point> points_;
    std::vector<brg_row> rows_;
    std::vector<brg_change> change_;
    std::vector<double> impulse_;
};

#endif
