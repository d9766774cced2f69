// Friction of bristle in DART 6: a step that takes the place of World::step().
//
//     BristleDart friction(world);
//     friction.mu = [](const dart::dynamics::ShapeFrame*, const dart::dynamics::ShapeFrame*) { return 0.5; };
//     friction.step();
//
// The friction coefficients of all shapes are set to 0. DART cannot be entered between its solve and its motion, so
// skeletons are moved again from their positions before the step, with the new velocities. All joints count: the rows
// of the layer are the directions in which a joint does not move. Their limits, servos and springs do not.
#ifndef BRISTLE_DART_H
#define BRISTLE_DART_H

#include "bristle/rigid.h"

#include <dart/collision/CollisionObject.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Joint.hpp>
#include <dart/dynamics/ShapeNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>

#include <functional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

class BristleDart
{
  public:
    // Throws std::invalid_argument with the reason if the definition is refused.
    explicit BristleDart(dart::simulation::WorldPtr world, const brg_def* def = nullptr)
        : world_(world)
    {
        br_reason why;
        if (brg_create(def, &layer_, &why) != BR_OK)
            throw std::invalid_argument(std::string(why.field) + ": " + why.text);
    }
    ~BristleDart()
    {
        brg_destroy(layer_);
    }
    BristleDart(const BristleDart&) = delete;
    BristleDart& operator=(const BristleDart&) = delete;

    typedef const dart::dynamics::ShapeFrame* Shape;
    std::function<double(Shape, Shape)> mu; // coefficient of friction of a pair
    std::function<double(Shape, Shape)>
        disc; // radius of its patch, if it is a disc [m]; 0: the hull

    brg_world* layer()
    {
        return layer_;
    }

    // Forget everything, after skeletons were moved or removed.
    void reset()
    {
        brg_reset(layer_);
        index_.clear();
        nodes_.clear();
        shapes_.clear();
    }

    void step()
    {
        const double h = world_->getTimeStep();
        read_poses();
        push_last(h);
        std::vector<Eigen::VectorXd> before;
        for (size_t i = 0; i < world_->getNumSkeletons(); i++)
            before.push_back(world_->getSkeleton(i)->getPositions());
        world_->step();
        read_velocities();
        read_points(h);
        change_.assign(bodies_.size(), brg_change{});
        brg_after(layer_, h, bodies_.data(), bodies_.size(), points_.data(), points_.size(),
                  rows_.data(), rows_.size(), change_.data());
        for (size_t i = 0; i < before.size(); i++)
            if (world_->getSkeleton(i)->isMobile())
                move(*world_->getSkeleton(i), before[i], h);
    }

  private:
    static Eigen::Vector3d vector(const double* x)
    {
        return Eigen::Vector3d(x[0], x[1], x[2]);
    }
    static void store(const Eigen::Vector3d& from, double* to)
    {
        std::copy(from.data(), from.data() + 3, to);
    }
    static void store(const Eigen::Matrix3d& from, double* to) // row by row
    {
        for (int i = 0; i < 9; i++)
            to[i] = from(i / 3, i % 3);
    }

    int body(const dart::dynamics::BodyNode* node)
    {
        const auto found = index_.emplace(node, int(nodes_.size()));
        if (found.second)
            nodes_.push_back(const_cast<dart::dynamics::BodyNode*>(node));
        return found.first->second;
    }

    // Poses before the step, in which the points are found; rows of all joints.
    void read_poses()
    {
        rows_.clear();
        for (size_t i = 0; i < world_->getNumSkeletons(); i++)
            for (dart::dynamics::BodyNode* node : world_->getSkeleton(i)->getBodyNodes()) {
                body(node);
                for (dart::dynamics::ShapeNode* shape :
                     node->getShapeNodesWith<dart::dynamics::DynamicsAspect>())
                    shape->getDynamicsAspect()->setFrictionCoeff(0);
            }
        bodies_.assign(nodes_.size(), brg_body{});
        for (size_t i = 0; i < nodes_.size(); i++) {
            const dart::dynamics::BodyNode* node = nodes_[i];
            const Eigen::Matrix3d R = node->getTransform().linear();
            brg_body& b = bodies_[i];
            store(node->getCOM(), b.x);
            store(R, b.R);
            if (!node->getSkeleton()->isMobile())
                continue;
            b.inv_mass[0] = b.inv_mass[1] = b.inv_mass[2] = 1 / node->getMass();
            const Eigen::Matrix3d moment = node->getInertia().getMoment();
            store(Eigen::Matrix3d(R * moment.inverse() * R.transpose()), b.inv_inertia);
            add_rows(node);
        }
    }

    // Directions c in which a joint does not move, in axes of the child at its origin O:
    //   c.(R^T (w - w_p), R^T (v(O) - v_p(O))) = 0
    void add_rows(const dart::dynamics::BodyNode* node)
    {
        const dart::math::Jacobian S = node->getParentJoint()->getRelativeJacobian();
        if (S.cols() == 6)
            return;
        const Eigen::Matrix<double, 6, 6> Q =
            S.cols() > 0 ? Eigen::Matrix<double, 6, 6>(
                               Eigen::HouseholderQR<Eigen::MatrixXd>(S).householderQ())
                         : Eigen::Matrix<double, 6, 6>(Eigen::Matrix<double, 6, 6>::Identity());
        const Eigen::Isometry3d T = node->getTransform();
        const dart::dynamics::BodyNode* parent = node->getParentBodyNode();
        for (int k = int(S.cols()); k < 6; k++) {
            const Eigen::Vector3d turn = T.linear() * Q.col(k).head<3>(),
                                  move = T.linear() * Q.col(k).tail<3>();
            brg_row r{};
            r.lower = -HUGE_VAL, r.upper = HUGE_VAL;
            r.a = parent ? body(parent) : -1, r.b = body(node);
            store(move, r.jb);
            store(Eigen::Vector3d(turn + (T.translation() - node->getCOM()).cross(move)), r.jb + 3);
            store(Eigen::Vector3d(-move), r.ja);
            if (parent)
                store(Eigen::Vector3d(-turn - (T.translation() - parent->getCOM()).cross(move)),
                      r.ja + 3);
            rows_.push_back(r);
        }
    }

    void push_last(double h)
    {
        impulse_.resize(6 * nodes_.size());
        brg_before(layer_, h, nodes_.size(), impulse_.data());
        for (size_t i = 0; i < nodes_.size(); i++) {
            if (!nodes_[i]->getSkeleton()->isMobile())
                continue;
            nodes_[i]->addExtForce(vector(&impulse_[6 * i]) / h, nodes_[i]->getLocalCOM(), false,
                                   true);
            nodes_[i]->addExtTorque(vector(&impulse_[6 * i + 3]) / h, false);
        }
    }

    // DART turns the axes of its velocities with the bodies: they are right at the new pose.
    void read_velocities()
    {
        for (size_t i = 0; i < nodes_.size(); i++) {
            store(nodes_[i]->getCOMLinearVelocity(), bodies_[i].v);
            store(nodes_[i]->getAngularVelocity(), bodies_[i].w);
        }
    }

    uint64_t shape(Shape s)
    {
        return shapes_.emplace(s, shapes_.size() + 1).first->second;
    }

    void read_points(double h)
    {
        points_.clear();
        const auto& result = world_->getLastCollisionResult();
        for (size_t i = 0; i < result.getNumContacts(); i++) {
            const dart::collision::Contact& c = result.getContact(i);
            const Shape s1 = c.collisionObject1->getShapeFrame(),
                        s2 = c.collisionObject2->getShapeFrame();
            if (!s1->asShapeNode() || !s2->asShapeNode() ||
                dart::collision::Contact::isZeroNormal(c.normal))
                continue;
            brg_point p{};
            store(c.point, p.x);
            store(c.normal, p.n); // from the second body to the first: pushes the first one
            p.b = body(s1->asShapeNode()->getBodyNodePtr());
            p.a = body(s2->asShapeNode()->getBodyNodePtr());
            p.pair = std::min(shape(s1), shape(s2)) << 32 | std::max(shape(s1), shape(s2));
            p.impulse = std::max(0.0, h * c.force.dot(c.normal)), p.gap = -c.penetrationDepth;
            p.mu = mu ? mu(s1, s2) : 1, p.disc = disc ? disc(s1, s2) : 0;
            p.bounces = s1->getDynamicsAspect()->getRestitutionCoeff() *
                            s2->getDynamicsAspect()->getRestitutionCoeff() >
                        0;
            points_.push_back(p);
        }
    }

    // Velocities of joints from those of bodies, in axes of the child at its origin: q' = (S^T S)^-1 S^T V
    void set_velocities(dart::dynamics::Skeleton& skeleton)
    {
        for (dart::dynamics::BodyNode* node : skeleton.getBodyNodes()) {
            dart::dynamics::Joint* joint = node->getParentJoint();
            const dart::math::Jacobian S = joint->getRelativeJacobian();
            if (S.cols() == 0)
                continue;
            const Eigen::Isometry3d T = node->getTransform();
            Eigen::Vector3d v = Eigen::Vector3d::Zero(), w = v;
            for (const dart::dynamics::BodyNode* each :
                 {(const dart::dynamics::BodyNode*)node,
                  (const dart::dynamics::BodyNode*)node->getParentBodyNode()}) {
                if (!each)
                    continue;
                const size_t i = size_t(index_.at(each));
                const double sign = each == node ? 1 : -1;
                const Eigen::Vector3d turn = vector(bodies_[i].w) + vector(change_[i].dw);
                w += sign * turn;
                v += sign * (vector(bodies_[i].v) + vector(change_[i].dv) +
                             turn.cross(T.translation() - each->getCOM()));
            }
            Eigen::Matrix<double, 6, 1> V;
            V << T.linear().transpose() * w, T.linear().transpose() * v;
            joint->setVelocities((S.transpose() * S).ldlt().solve(S.transpose() * V));
        }
    }

    // From the pose before the step with the new velocity of the bodies, which they keep in the new axes.
    void move(dart::dynamics::Skeleton& skeleton, const Eigen::VectorXd& before, double h)
    {
        skeleton.setPositions(before);
        set_velocities(skeleton);
        skeleton.integratePositions(h);
        set_velocities(skeleton);
    }

    dart::simulation::WorldPtr world_;
    brg_world* layer_ = nullptr;
    std::unordered_map<const dart::dynamics::BodyNode*, int> index_;
    std::unordered_map<Shape, uint64_t> shapes_;
    std::vector<dart::dynamics::BodyNode*> nodes_;
    std::vector<brg_body> bodies_;
    std::vector<brg_point> points_;
    std::vector<brg_row> rows_;
    std::vector<brg_change> change_;
    std::vector<double> impulse_;
};

#endif
