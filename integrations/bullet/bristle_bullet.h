// Friction of bristle in Bullet (btRigidBody): a constraint solver that takes the place of Bullet's own.
//
//     BristleSolver solver;
//     btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &config);
//     solver.attach(&world);
//     world.stepSimulation(h, 0);
//
// Bullet's contact points get friction 0 before they are solved. The coefficient of a pair is Bullet's (the product of
// both bodies' friction). The layer runs when all islands are solved, before bodies are moved; the last step's friction
// enters the solve by the tick callback. Shapes with one point per pair (spheres) have no resistance to spin.
#ifndef BRISTLE_BULLET_H
#define BRISTLE_BULLET_H

#include "bristle/rigid.h"

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

class BristleSolver : public btSequentialImpulseConstraintSolver
{
  public:
    // Throws std::invalid_argument with the reason if the definition is refused.
    explicit BristleSolver(const brg_def* def = nullptr)
    {
        br_reason why;
        if (brg_create(def, &layer_, &why) != BR_OK)
            throw std::invalid_argument(std::string(why.field) + ": " + why.text);
    }
    ~BristleSolver() override
    {
        brg_destroy(layer_);
    }
    BristleSolver(const BristleSolver&) = delete;
    BristleSolver& operator=(const BristleSolver&) = delete;

    // The world whose solver this is. Uses its internal tick callback (before the step).
    void attach(btDynamicsWorld* world)
    {
        world_ = world;
        world->setInternalTickCallback(before, this, true);
    }

    // Radius of the patch of two bodies, if it is a disc [m]; 0: the hull of their points.
    std::function<double(const btCollisionObject*, const btCollisionObject*)> disc;

    brg_world* layer()
    {
        return layer_;
    }

    // BR_OK, or why the layer refused the last step, which then has no friction (NaN, a negative mass, ...).
    br_status status() const
    {
        return status_;
    }

    btScalar solveGroup(btCollisionObject** bodies, int body_count,
                        btPersistentManifold** manifolds, int count,
                        btTypedConstraint** constraints, int constraint_count,
                        const btContactSolverInfo& info, btIDebugDraw* draw,
                        btDispatcher* dispatcher) override
    {
        // without attach() Bullet's own friction stays
        for (int i = 0; world_ && i < count; i++) {
            for (int k = 0; k < manifolds[i]->getNumContacts(); k++) {
                btManifoldPoint& p = manifolds[i]->getContactPoint(k);
                p.m_combinedFriction = p.m_combinedRollingFriction = p.m_combinedSpinningFriction =
                    0;
            }
        }
        return btSequentialImpulseConstraintSolver::solveGroup(bodies, body_count, manifolds, count,
                                                               constraints, constraint_count, info,
                                                               draw, dispatcher);
    }

    // Bullet keeps the impulse of a constraint, not those of its rows: they are read before its solver forgets them.
    btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int count,
                                           const btContactSolverInfo& info) override
    {
        for (int i = 0; i < m_tmpSolverNonContactConstraintPool.size(); i++) {
            const btSolverConstraint& row = m_tmpSolverNonContactConstraintPool[i];
            row_impulses_[row.m_originalContactPoint].push_back(row.m_appliedImpulse);
        }
        return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, count,
                                                                                  info);
    }

    void allSolved(const btContactSolverInfo& info, btIDebugDraw* draw) override
    {
        btSequentialImpulseConstraintSolver::allSolved(info, draw);
        if (!world_)
            return;
        index_bodies();
        read_bodies();
        read_points();
        read_rows(info);
        row_impulses_.clear();
        change_.resize(bodies_.size());
        status_ = brg_after(layer_, info.m_timeStep, bodies_.data(), bodies_.size(), points_.data(),
                            points_.size(), rows_.data(), rows_.size(), change_.data());
        if (status_ != BR_OK)
            return;
        for (int k = 0; k < world_->getNumCollisionObjects(); k++) {
            btRigidBody* b = awake(k);
            if (!b)
                continue;
            const size_t i = index_of(b);
            const double *dv = change_[i].dv, *dw = change_[i].dw;
            b->setLinearVelocity(b->getLinearVelocity() + vector(dv));
            b->setAngularVelocity(b->getAngularVelocity() + vector(dw));
        }
    }

  private:
    static btVector3 vector(const double* x)
    {
        return btVector3(btScalar(x[0]), btScalar(x[1]), btScalar(x[2]));
    }

    // Bullet moves its last body into the gap of one that is removed. The layer's bodies keep their index, and the index of
    // a body that is gone is free from the next step on.
    void index_bodies()
    {
        std::unordered_map<uint32_t, int> now;
        std::vector<uint32_t> fresh;
        for (int k = 0; k < world_->getNumCollisionObjects(); k++) {
            const uint32_t id = key(world_->getCollisionObjectArray()[k]);
            const auto found = index_.find(id);
            if (found == index_.end()) {
                fresh.push_back(id);
            } else {
                now.emplace(*found);
                index_.erase(found);
            }
        }
        for (const uint32_t id : fresh) {
            if (free_.empty())
                free_.push_back(slots_++);
            now.emplace(id, free_.back());
            free_.pop_back();
        }
        for (const auto& gone : index_)
            gone_.push_back(gone.second);
        index_ = std::move(now);
    }
    size_t index_of(const btCollisionObject* o) const
    {
        return size_t(index_.at(key(o)));
    }
    // The body of a joint; -1: the world, for which Bullet has a body outside of it.
    int end_of(const btRigidBody& b) const
    {
        return b.getWorldArrayIndex() >= 0 ? int(index_of(&b)) : -1;
    }

    // A body that Bullet moves in this step, or null.
    btRigidBody* awake(int index) const
    {
        btRigidBody* b = btRigidBody::upcast(world_->getCollisionObjectArray()[index]);
        return b && b->getInvMass() > 0 && b->isActive() ? b : nullptr;
    }

    static void before(btDynamicsWorld* world, btScalar h)
    {
        auto* s = static_cast<BristleSolver*>(world->getWorldUserInfo());
        s->free_.insert(s->free_.end(), s->gone_.begin(), s->gone_.end());
        s->gone_.clear();
        s->index_bodies();
        const size_t count = size_t(s->slots_);
        s->impulse_.resize(6 * count);
        s->pushed_.assign(count, 0);
        brg_before(s->layer_, h, count, s->impulse_.data());
        for (int k = 0; k < world->getNumCollisionObjects(); k++) {
            btRigidBody* b = s->awake(k);
            if (!b)
                continue;
            const size_t i = s->index_of(b);
            s->pushed_[i] = 1;
            b->applyCentralImpulse(vector(&s->impulse_[6 * i]));
            b->applyTorqueImpulse(vector(&s->impulse_[6 * i + 3]));
        }
    }

    // Not a number any more. Bullet disables such a body, and the others keep their friction.
    static bool is_lost(const btCollisionObject* o)
    {
        const btRigidBody* r = btRigidBody::upcast(o);
        const btTransform& t = o->getWorldTransform();
        btScalar sum = t.getOrigin().length2() + t.getBasis()[0].length2();
        if (r)
            sum += r->getLinearVelocity().length2() + r->getAngularVelocity().length2();
        return !std::isfinite(sum);
    }

    void read_bodies()
    {
        bodies_.assign(size_t(slots_), brg_body{});
        for (int k = 0; k < world_->getNumCollisionObjects(); k++) {
            const btCollisionObject* object = world_->getCollisionObjectArray()[k];
            if (is_lost(object))
                continue;
            const size_t i = index_of(object);
            const btRigidBody* r = btRigidBody::upcast(object);
            const btTransform& t = object->getWorldTransform();
            brg_body& b = bodies_[i];
            for (int p = 0; p < 3; p++) {
                b.x[p] = t.getOrigin()[p];
                for (int q = 0; q < 3; q++)
                    b.R[3 * p + q] = t.getBasis()[p][q];
                if (!r)
                    continue;
                b.v[p] = r->getLinearVelocity()[p];
                b.w[p] = r->getAngularVelocity()[p];
                b.inv_mass[p] = r->getInvMass() * r->getLinearFactor()[p];
                for (int q = 0; r->getInvMass() > 0 && q < 3; q++) {
                    b.inv_inertia[3 * p + q] = r->getInvInertiaTensorWorld()[p][q] *
                                               r->getAngularFactor()[p] * r->getAngularFactor()[q];
                }
            }
            // a body that woke in this step has not got the last friction
            const bool pushed = i < pushed_.size() && pushed_[i];
            b.asleep = r && (!r->isActive() || (r->getInvMass() > 0 && !pushed));
        }
    }

    void read_points()
    {
        points_.clear();
        btDispatcher* d = world_->getDispatcher();
        for (int i = 0; i < d->getNumManifolds(); i++) {
            const btPersistentManifold* m = d->getManifoldByIndexInternal(i);
            const btCollisionObject *a = m->getBody0(), *b = m->getBody1();
            if (!a->hasContactResponse() || !b->hasContactResponse() || is_lost(a) || is_lost(b))
                continue;
            const double sign = key(a) > key(b) ? 1 : -1; // Bullet's normal pushes body 0
            if (sign > 0)
                std::swap(a, b); // the same order in every step
            for (int k = 0; k < m->getNumContacts(); k++) {
                const btManifoldPoint& pt = m->getContactPoint(k);
                brg_point p{};
                for (int x = 0; x < 3; x++) {
                    p.x[x] =
                        0.5 * (double(pt.getPositionWorldOnA()[x]) + pt.getPositionWorldOnB()[x]);
                    p.n[x] = sign * pt.m_normalWorldOnB[x];
                }
                p.a = int(index_of(a)), p.b = int(index_of(b));
                p.pair = uint64_t(key(a)) << 32 | uint64_t(key(b));
                p.impulse = std::max(0.0, double(pt.m_appliedImpulse)), p.gap = pt.getDistance();
                p.mu = std::max(0.0, double(btManifoldResult::calculateCombinedFriction(a, b)));
                p.bounces = pt.m_combinedRestitution > 0;
                p.disc = disc ? disc(a, b) : 0.0;
                points_.push_back(p);
            }
        }
    }
    static uint32_t key(const btCollisionObject* o)
    {
        return uint32_t(o->getBroadphaseHandle()->getUid());
    }

    // Rows of Bullet's joints, limits and motors, as its own solver gets them.
    void read_rows(const btContactSolverInfo& info)
    {
        rows_.clear();
        for (int i = 0; i < world_->getNumConstraints(); i++) {
            btTypedConstraint* c = world_->getConstraint(i);
            if (!c->isEnabled())
                continue;
            btTypedConstraint::btConstraintInfo1 one;
            c->buildJacobian();
            c->getInfo1(&one);
            const int n = one.m_numConstraintRows;
            struct Row {
                btScalar ja[8], jb[8], rhs, cfm, lower, upper;
            };
            Row row[12] = {};
            if (n <= 0 || n > 12)
                continue;
            for (int k = 0; k < n; k++)
                row[k].lower = -SIMD_INFINITY, row[k].upper = SIMD_INFINITY;
            btTypedConstraint::btConstraintInfo2 two;
            two.fps = 1 / info.m_timeStep, two.erp = info.m_erp, two.m_damping = info.m_damping;
            two.m_numIterations = info.m_numIterations;
            two.rowskip = int(sizeof(Row) / sizeof(btScalar));
            two.m_J1linearAxis = row->ja, two.m_J1angularAxis = row->ja + 4;
            two.m_J2linearAxis = row->jb, two.m_J2angularAxis = row->jb + 4;
            two.m_constraintError = &row->rhs, two.cfm = &row->cfm;
            two.m_lowerLimit = &row->lower, two.m_upperLimit = &row->upper;
            c->getInfo2(&two);
            const auto solved = row_impulses_.find(c);
            for (int k = 0; k < n; k++) {
                const bool limited = row[k].lower > -SIMD_INFINITY || row[k].upper < SIMD_INFINITY;
                if (limited && (solved == row_impulses_.end() || int(solved->second.size()) != n))
                    continue; // it was not solved in this step
                rows_.push_back(row_of(c, row[k].ja, row[k].jb, row[k].rhs, row[k].cfm));
                if (!limited)
                    continue;
                rows_.back().impulse = solved->second[size_t(k)];
                rows_.back().lower = row[k].lower, rows_.back().upper = row[k].upper;
            }
        }
    }
    brg_row row_of(const btTypedConstraint* c, const btScalar* ja, const btScalar* jb, double rhs,
                   double cfm) const
    {
        brg_row r{};
        for (int k = 0; k < 3; k++) {
            r.ja[k] = ja[k], r.ja[3 + k] = ja[4 + k];
            r.jb[k] = jb[k], r.jb[3 + k] = jb[4 + k];
        }
        r.target = rhs, r.softness = cfm;
        r.lower = -HUGE_VAL, r.upper = HUGE_VAL;
        r.a = end_of(c->getRigidBodyA()), r.b = end_of(c->getRigidBodyB());
        return r;
    }

    brg_world* layer_ = nullptr;
    br_status status_ = BR_OK;
    btDynamicsWorld* world_ = nullptr;
    std::vector<brg_body> bodies_;
    std::vector<brg_point> points_;
    std::vector<brg_row> rows_;
    std::unordered_map<const void*, std::vector<double>> row_impulses_; // of constraints
    std::vector<brg_change> change_;
    std::vector<double> impulse_;
    std::unordered_map<uint32_t, int> index_; // of the layer's bodies, by key()
    std::vector<int> free_, gone_;            // indices without a body; those of this step
    int slots_ = 0;
    std::vector<char> pushed_; // bodies that have the last friction
};

#endif
