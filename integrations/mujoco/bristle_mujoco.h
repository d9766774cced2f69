// Friction of bristle in MuJoCo, by the layer for all engines: a step that takes the place of mj_step().
//
//     BristleMujoco friction(model, data);
//     friction.step();
//
// All contacts of the model become frictionless (condim 1); MuJoCo's coefficients and its rules for pairs stay. After
// mj_step(), kinematics and contacts are still those of the pose before the step, as the layer needs them. Integrators
// with one evaluation: Euler and implicit, not RK4. Joints of trees of bodies are rows of the layer; their limits,
// armature, tendons and equality constraints are not. Normal forces become rigid: libbristle-mujoco keeps MuJoCo's own,
// with the Hessian of all constraints. Tested with MuJoCo 2.2.2; later versions may define geom_gap differently.
#ifndef BRISTLE_MUJOCO_LAYER_H
#define BRISTLE_MUJOCO_LAYER_H

#include "bristle/rigid.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

class BristleMujoco
{
  public:
    // Changes the model: condim, margin and gap of its geoms and pairs. Throws std::invalid_argument with the reason if
    // the definition or the integrator is refused.
    BristleMujoco(mjModel* model, mjData* data, const brg_def* def = nullptr)
        : m_(model), d_(data), columns_(size_t(model->nbody)), mocap_(size_t(model->nbody))
    {
        br_reason why;
        if (m_->opt.integrator == mjINT_RK4)
            throw std::invalid_argument("integrator: RK4 evaluates contacts four times in a step");
        if (brg_create(def, &layer_, &why) != BR_OK)
            throw std::invalid_argument(std::string(why.field) + ": " + why.text);
        std::fill_n(m_->geom_condim, m_->ngeom, 1);
        std::fill_n(m_->pair_dim, m_->npair, 1);
        widen(m_->geom_margin, m_->geom_gap, m_->ngeom);
        widen(m_->pair_margin, m_->pair_gap, m_->npair);
    }
    ~BristleMujoco()
    {
        brg_destroy(layer_);
    }
    BristleMujoco(const BristleMujoco&) = delete;
    BristleMujoco& operator=(const BristleMujoco&) = delete;

    // Its bodies have MuJoCo's numbers. Bodies without joints belong to the one that they are welded to.
    brg_world* layer()
    {
        return layer_;
    }

    // Forget everything, after bodies were moved by the program or by mj_resetData().
    void reset()
    {
        brg_reset(layer_);
        std::fill(mocap_.begin(), mocap_.end(), Mocap{});
    }

    // BR_OK, or why the layer refused the step, which then has no friction.
    br_status step()
    {
        const double h = m_->opt.timestep;
        const size_t count = size_t(m_->nbody);
        const std::vector<mjtNum> applied(d_->xfrc_applied, d_->xfrc_applied + 6 * count);
        impulse_.resize(6 * count);
        brg_before(layer_, h, count, impulse_.data());
        for (size_t i = 0; i < 6 * count; i++)
            d_->xfrc_applied[i] += impulse_[i] / h;
        pushed_at_own_centres(h);
        const std::vector<mjtNum> before(d_->qpos, d_->qpos + m_->nq);
        mj_step(m_, d_);
        std::copy(applied.begin(), applied.end(), d_->xfrc_applied);
        read_bodies(h);
        read_points(h);
        change_.assign(count, brg_change{});
        const br_status status =
            brg_after(layer_, h, bodies_.data(), count, points_.data(), points_.size(),
                      rows_.data(), rows_.size(), change_.data());
        if (status == BR_OK)
            move(before, h);
        return status;
    }

  private:
    struct
        Columns { // motion of a body over its parent by its joints, at its centre of mass: v, then w
        int count = 0, first = 0; // degrees of freedom
        double at[6][6];
    };
    struct Mocap { // in the last step
        bool is_known = false;
        mjtNum x[3], q[4];
    };

    // Contacts are found 0.1 mm earlier, without force, so that those that open for a step keep their bristles.
    static void widen(mjtNum* margin, mjtNum* gap, int count)
    {
        const mjtNum reach = 1e-4;
        for (int i = 0; i < count; i++) {
            margin[i] += std::max(gap[i], reach) - gap[i];
            gap[i] = std::max(gap[i], reach);
        }
    }

    // The body that this one is welded to: itself, if it has joints or is a mocap body. 0 is the world.
    int root(int body) const
    {
        while (m_->body_weldid[body] != body && m_->body_mocapid[body] < 0)
            body = m_->body_parentid[body];
        return body;
    }
    bool is_fixed(int body) const
    {
        return root(body) == 0 || m_->body_mocapid[root(body)] >= 0;
    }

    // MuJoCo applies forces at the centre of a body, the layer computes them at that of all bodies that are welded to it.
    void pushed_at_own_centres(double h)
    {
        for (size_t i = 0; i < bodies_.size(); i++) {
            if (is_fixed(int(i)) || root(int(i)) != int(i))
                continue;
            mjtNum arm[3], turn[3];
            const mjtNum push[3] = {impulse_[6 * i] / h, impulse_[6 * i + 1] / h,
                                    impulse_[6 * i + 2] / h};
            mju_rotVecMat(arm, offset_[i].data(), d_->xmat + 9 * i);
            mju_cross(turn, arm, push);
            mju_addTo3(d_->xfrc_applied + 6 * i + 3, turn);
        }
    }

    // Masses of bodies that are welded to each other, at their common centre.
    void read_masses()
    {
        const size_t count = size_t(m_->nbody);
        bodies_.assign(count, brg_body{});
        offset_.assign(count, {0, 0, 0});
        std::vector<double> mass(count, 0), inertia(9 * count, 0);
        for (size_t i = 0; i < count; i++) {
            const size_t to = size_t(root(int(i)));
            mass[to] += m_->body_mass[i];
            for (int k = 0; k < 3; k++)
                bodies_[to].x[k] += m_->body_mass[i] * d_->xipos[3 * i + size_t(k)];
        }
        for (size_t i = 0; i < count; i++)
            for (int k = 0; k < 3 && root(int(i)) == int(i); k++)
                bodies_[i].x[k] =
                    mass[i] > 0 ? bodies_[i].x[k] / mass[i] : d_->xpos[3 * i + size_t(k)];
        for (size_t i = 0; i < count; i++) {
            const size_t to = size_t(root(int(i)));
            const double *R = d_->ximat + 9 * i, *c = bodies_[to].x;
            const double r[3] = {d_->xipos[3 * i] - c[0], d_->xipos[3 * i + 1] - c[1],
                                 d_->xipos[3 * i + 2] - c[2]};
            for (size_t p = 0; p < 3; p++)
                for (size_t q = 0; q < 3; q++) {
                    double sum = m_->body_mass[i] * ((p == q ? mju_dot3(r, r) : 0) - r[p] * r[q]);
                    for (size_t k = 0; k < 3; k++)
                        sum += R[3 * p + k] * R[3 * q + k] * m_->body_inertia[3 * i + k];
                    inertia[9 * to + 3 * p + q] += sum;
                }
        }
        for (size_t i = 0; i < count; i++) {
            brg_body& b = bodies_[i];
            std::copy_n(d_->xmat + 9 * i, 9, b.R);
            if (root(int(i)) != int(i) || is_fixed(int(i)))
                continue;
            std::fill_n(b.inv_mass, 3, 1 / mass[i]);
            invert(&inertia[9 * i], b.inv_inertia);
            const mjtNum arm[3] = {b.x[0] - d_->xipos[3 * i], b.x[1] - d_->xipos[3 * i + 1],
                                   b.x[2] - d_->xipos[3 * i + 2]};
            mju_rotVecMatT(offset_[i].data(), arm, d_->xmat + 9 * i);
        }
    }
    static void invert(const double* I, double* out)
    {
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                const int p = (i + 1) % 3, q = (i + 2) % 3, r = (k + 1) % 3, s = (k + 2) % 3;
                out[3 * k + i] = I[3 * p + r] * I[3 * q + s] - I[3 * p + s] * I[3 * q + r];
            }
        const double det = I[0] * out[0] + I[1] * out[3] + I[2] * out[6];
        for (int i = 0; i < 9; i++)
            out[i] /= det;
    }

    // Masses, poses before the step and velocities after it; rows of joints.
    void read_bodies(double h)
    {
        read_masses();
        rows_.clear();
        for (int i = 1; i < m_->nbody; i++) {
            brg_body& b = bodies_[size_t(i)];
            if (m_->body_mocapid[i] >= 0)
                observe(i, h);
            if (root(i) != i || is_fixed(i))
                continue;
            find_columns(i);
            const Columns& c = columns_[size_t(i)];
            double twist[6];
            carry(parent(i), b.x, bodies_[size_t(parent(i))].v, bodies_[size_t(parent(i))].w,
                  twist);
            for (int k = 0; k < c.count; k++)
                for (int r = 0; r < 6; r++)
                    twist[r] += c.at[k][r] * d_->qvel[c.first + k];
            std::copy_n(twist, 3, b.v), std::copy_n(twist + 3, 3, b.w);
            add_rows(i);
        }
    }

    int parent(int body) const
    {
        return root(m_->body_parentid[body]);
    }

    // Velocity at `to` of a body with the velocities v and w.
    void carry(int body, const double* to, const double* v, const double* w, double* twist) const
    {
        mjtNum arm[3];
        mju_sub3(arm, to, bodies_[size_t(body)].x);
        mju_cross(twist, w, arm);
        mju_addTo3(twist, v);
        std::copy_n(w, 3, twist + 3);
    }

    // A mocap body has the velocity of its motion since the last step; MuJoCo's own contacts take it as 0.
    void observe(int i, double h)
    {
        brg_body& b = bodies_[size_t(i)];
        Mocap& last = mocap_[size_t(i)];
        const mjtNum *x = d_->xpos + 3 * i, *q = d_->xquat + 4 * i;
        std::copy_n(x, 3, b.x);
        if (last.is_known) {
            mjtNum back[4], turn[4];
            mju_negQuat(back, last.q);
            mju_mulQuat(turn, q, back);
            mju_quat2Vel(b.w, turn, h);
            for (int k = 0; k < 3; k++)
                b.v[k] = (x[k] - last.x[k]) / h;
        }
        last.is_known = true;
        std::copy_n(x, 3, last.x), std::copy_n(q, 4, last.q);
    }

    void find_columns(int i)
    {
        Columns& c = columns_[size_t(i)];
        c.count = 0;
        c.first = m_->body_dofadr[i];
        const mjtNum* R = d_->xmat + 9 * i;
        for (int j = m_->body_jntadr[i]; j < m_->body_jntadr[i] + m_->body_jntnum[i]; j++) {
            const int type = m_->jnt_type[j];
            const mjtNum *axis = d_->xaxis + 3 * j,
                         *anchor = type == mjJNT_FREE ? d_->xpos + 3 * i : d_->xanchor + 3 * j;
            for (int k = 0; type == mjJNT_FREE && k < 3; k++) {
                const mjtNum unit[3] = {mjtNum(k == 0), mjtNum(k == 1), mjtNum(k == 2)};
                put_column(i, unit, nullptr);
            }
            for (int k = 0; (type == mjJNT_FREE || type == mjJNT_BALL) && k < 3; k++) {
                const mjtNum turn[3] = {R[k], R[3 + k], R[6 + k]}; // in axes of the body
                put_column(i, turn, anchor);
            }
            if (type == mjJNT_SLIDE || type == mjJNT_HINGE)
                put_column(i, axis, type == mjJNT_SLIDE ? nullptr : anchor);
        }
    }
    // anchor: of a rotation; null: translation
    void put_column(int i, const mjtNum* axis, const mjtNum* anchor)
    {
        Columns& c = columns_[size_t(i)];
        double* out = c.at[c.count++];
        std::fill_n(out, 6, 0);
        if (!anchor) {
            std::copy_n(axis, 3, out);
            return;
        }
        mjtNum arm[3];
        mju_sub3(arm, bodies_[size_t(i)].x, anchor);
        mju_cross(out, axis, arm);
        std::copy_n(axis, 3, out + 3);
    }

    // Rows of a body that does not move freely over its parent: the directions that its joints do not have. Angular
    // parts count with a length, its radius of gyration.
    void add_rows(int i)
    {
        const Columns& c = columns_[size_t(i)];
        const brg_body& b = bodies_[size_t(i)];
        const double length = std::sqrt(b.inv_mass[0] / std::max(b.inv_inertia[0], 1e-300));
        double basis[6][6];
        int found = 0;
        for (int k = 0; k < c.count + 6 && found < 6; k++) {
            double* v = basis[found];
            for (int r = 0; r < 6; r++)
                v[r] = k < c.count ? c.at[k][r] * (r < 3 ? 1 : length) : double(r == k - c.count);
            if (!orthonormalise(basis, found))
                continue;
            if (k >= c.count)
                add_row(i, v, length);
            found++;
        }
    }
    // Make vector n orthogonal to those before it, of length 1; false if it depends on them.
    static bool orthonormalise(double basis[6][6], int n)
    {
        const double before = mju_dot(basis[n], basis[n], 6);
        for (int pass = 0; pass < 2;
             pass++) // rounding of the first one leaves a part of the others
            for (int j = 0; j < n; j++)
                mju_addToScl(basis[n], basis[j], -mju_dot(basis[n], basis[j], 6), 6);
        const double after = mju_dot(basis[n], basis[n], 6);
        if (!(after > 1e-6 * before))
            return false;
        mju_scl(basis[n], basis[n], 1 / std::sqrt(after), 6);
        return true;
    }
    void add_row(int i, const double* direction, double length)
    {
        brg_row r{};
        r.lower = -HUGE_VAL, r.upper = HUGE_VAL;
        r.a = parent(i), r.b = i;
        for (int k = 0; k < 6; k++)
            r.jb[k] = direction[k] * (k < 3 ? 1 : length);
        mjtNum arm[3], turn[3];
        mju_sub3(arm, bodies_[size_t(i)].x, bodies_[size_t(r.a)].x);
        mju_cross(turn, arm, r.jb);
        for (int k = 0; k < 3; k++)
            r.ja[k] = -r.jb[k], r.ja[3 + k] = -r.jb[3 + k] - turn[k];
        rows_.push_back(r);
    }

    void read_points(double h)
    {
        points_.clear();
        for (int k = 0; k < d_->ncon; k++) {
            const mjContact& c = d_->contact[k];
            const int a = root(m_->geom_bodyid[c.geom1]), b = root(m_->geom_bodyid[c.geom2]);
            if (a == b || (is_fixed(a) && is_fixed(b)))
                continue;
            brg_point p{};
            std::copy_n(c.pos, 3, p.x);
            std::copy_n(c.frame, 3, p.n);
            p.a = a, p.b = b;
            p.pair = uint64_t(c.geom1) << 32 | uint64_t(c.geom2);
            p.gap = c.dist - c.includemargin;
            p.mu = c.friction[0];
            p.impulse = c.efc_address >= 0 ? std::max(0.0, h * d_->efc_force[c.efc_address]) : 0;
            p.disc = std::max(disc(c.geom1, p.n), disc(c.geom2, p.n));
            points_.push_back(p);
        }
    }
    // Radius of a cylinder that stands on its face, else 0.
    double disc(int geom, const double* n) const
    {
        const mjtNum* R = d_->geom_xmat + 9 * geom;
        const mjtNum axis[3] = {R[2], R[5], R[8]};
        const bool stands =
            m_->geom_type[geom] == mjGEOM_CYLINDER && std::fabs(mju_dot3(axis, n)) > 0.9999;
        return stands ? m_->geom_size[3 * geom] : 0;
    }

    // Velocities of joints from the changes of bodies; positions again from those before the step.
    void move(const std::vector<mjtNum>& before, double h)
    {
        for (int i = 1; i < m_->nbody; i++) {
            if (root(i) != i || is_fixed(i))
                continue;
            const Columns& c = columns_[size_t(i)];
            const brg_change &own = change_[size_t(i)], &other = change_[size_t(parent(i))];
            double twist[6];
            carry(parent(i), bodies_[size_t(i)].x, other.dv, other.dw, twist);
            for (int k = 0; k < 3; k++)
                twist[k] = own.dv[k] - twist[k], twist[3 + k] = own.dw[k] - twist[3 + k];
            mjtNum gram[36], rhs[6], change[6];
            for (int r = 0; r < c.count; r++) {
                rhs[r] = mju_dot(c.at[r], twist, 6);
                for (int k = 0; k < c.count; k++)
                    gram[r * c.count + k] = mju_dot(c.at[r], c.at[k], 6);
            }
            mju_cholFactor(gram, c.count, 0);
            mju_cholSolve(change, gram, rhs, c.count);
            mju_addTo(d_->qvel + c.first, change, c.count);
        }
        std::copy(before.begin(), before.end(), d_->qpos);
        mj_integratePos(m_, d_->qpos, d_->qvel, h);
    }

    mjModel* m_;
    mjData* d_;
    brg_world* layer_ = nullptr;
    std::vector<Columns> columns_;
    std::vector<Mocap> mocap_;
    std::vector<std::array<mjtNum, 3>>
        offset_; // from the centre of a body to that of all that are welded to it, its axes
    std::vector<double> impulse_;
    std::vector<brg_body> bodies_;
    std::vector<brg_point> points_;
    std::vector<brg_row> rows_;
    std::vector<brg_change> change_;
};

#endif
