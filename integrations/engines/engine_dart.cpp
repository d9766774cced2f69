// DART for the scenes, alone or with the glue. Its own collision detector has boxes: a cylinder is one with the inertia
// of the cylinder, whose patch is a disc.
#include "bristle_dart.h"
#include "engine.h"

#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/CylinderShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>

namespace
{
namespace dd = dart::dynamics;

struct Dart : Engine {
    dart::simulation::WorldPtr world = dart::simulation::World::create();
    BristleDart friction;
    bool bristle;
    std::vector<dd::BodyNode*> nodes;
    std::unordered_map<const dd::ShapeFrame*, Shape> shapes;

    Dart(bool b, const brg_def* def) : friction(world, def), bristle(b)
    {
        world->getConstraintSolver()->setCollisionDetector(
            dart::collision::DARTCollisionDetector::create());
        friction.mu = [this](BristleDart::Shape x, BristleDart::Shape y) {
            return shapes.at(x).mu * shapes.at(y).mu;
        };
        friction.disc = [this](BristleDart::Shape x, BristleDart::Shape y) {
            return std::max(shapes.at(x).disc, shapes.at(y).disc);
        };
    }
    void gravity(double x, double y, double z) override
    {
        world->setGravity(Eigen::Vector3d(x, y, z));
    }
    dd::BodyNode* put(const Shape& s, double x, double y, double z, bool is_ground)
    {
        dd::SkeletonPtr skeleton = dd::Skeleton::create("s" + std::to_string(shapes.size()));
        dd::BodyNode* node;
        const Eigen::Vector3d at(x, y, z);
        if (s.only >= 0) {
            dd::PrismaticJoint::Properties p;
            p.mAxis = Eigen::Vector3d::Unit(s.only);
            p.mT_ParentBodyToJoint.translation() = at;
            node = skeleton->createJointAndBodyNodePair<dd::PrismaticJoint>(nullptr, p).second;
        } else {
            auto pair = skeleton->createJointAndBodyNodePair<dd::FreeJoint>();
            node = pair.second;
            Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
            T.translation() = at;
            pair.first->setTransform(T);
        }
        auto shape =
            std::make_shared<dd::BoxShape>(2 * Eigen::Vector3d(s.half[0], s.half[1], s.half[2]));
        auto* held = node->createShapeNodeWith<dd::CollisionAspect, dd::DynamicsAspect>(shape);
        held->getDynamicsAspect()->setFrictionCoeff(s.mu);
        shapes[held] = s;
        node->setName(skeleton->getName()); // a tree of bodies with the same names prints messages
        node->getParentJoint()->setName(skeleton->getName());
        held->setName(skeleton->getName());
        dd::Inertia inertia;
        inertia.setMass(s.mass);
        inertia.setMoment(s.cylinder
                              ? dd::CylinderShape(s.half[0], 2 * s.half[2]).computeInertia(s.mass)
                              : shape->computeInertia(s.mass));
        node->setInertia(inertia);
        skeleton->setMobile(!is_ground && !s.kinematic);
        world->addSkeleton(skeleton);
        return node;
    }
    void ground(double mu) override
    {
        put({false, {5, 5, 0.5}, 1, mu}, 0, 0, -0.5, true);
    }
    int add(const Shape& s, double x, double y, double z) override
    {
        nodes.push_back(put(s, x, y, z, false));
        return int(nodes.size()) - 1;
    }
    void hinge(int a, int b, const double* x, const double* axis) override
    {
        dd::BodyNode *parent = nodes[size_t(a)], *child = nodes[size_t(b)];
        Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
        T.translation() = Eigen::Vector3d(x[0], x[1], x[2]);
        dd::RevoluteJoint::Properties p;
        p.mAxis = Eigen::Vector3d(axis[0], axis[1], axis[2]);
        p.mT_ParentBodyToJoint = parent->getTransform().inverse() * T;
        p.mT_ChildBodyToJoint = child->getTransform().inverse() * T;
        const dd::SkeletonPtr alone = child->getSkeleton(); // lives until its body has moved
        world->removeSkeleton(alone);
        child->moveTo<dd::RevoluteJoint>(parent, p);
    }
    void force(int i, double x, double y, double z) override
    {
        nodes[size_t(i)]->addExtForce(Eigen::Vector3d(x, y, z), nodes[size_t(i)]->getLocalCOM(),
                                      false, true);
    }
    void step(double h) override
    {
        world->setTimeStep(h);
        if (bristle)
            friction.step(), report = brg_get_report(friction.layer());
        else
            world->step();
        for (dd::BodyNode* node : nodes)
            if (!node->getSkeleton()->isMobile())
                node->getSkeleton()->integratePositions(h);
    }
    void get(int i, double* x, double* R, double* v, double* w) override
    {
        const dd::BodyNode* node = nodes[size_t(i)];
        const Eigen::Isometry3d T = node->getTransform();
        const Eigen::Vector3d linear = node->getCOMLinearVelocity(),
                              angular = node->getAngularVelocity();
        for (int p = 0; p < 3; p++) {
            if (x)
                x[p] = T.translation()[p];
            if (v)
                v[p] = linear[p];
            if (w)
                w[p] = angular[p];
            for (int q = 0; R && q < 3; q++)
                R[3 * p + q] = T.linear()(p, q);
        }
    }
    void set_velocity(int i, const double* v, const double* w) override
    {
        auto* joint = static_cast<dd::FreeJoint*>(nodes[size_t(i)]->getParentJoint());
        joint->setAngularVelocity(Eigen::Vector3d(w[0], w[1], w[2]));
        joint->setLinearVelocity(Eigen::Vector3d(v[0], v[1], v[2]));
    }
};
} // namespace

EnginePointer make_dart(bool bristle, const brg_def* def)
{
    return EnginePointer(new Dart(bristle, def));
}
