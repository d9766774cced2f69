// A stack on a slope in DART, with friction of bristle.
#include "bristle_dart.h"

#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>

#include <cmath>
#include <cstdio>

// mass 0: it does not move
static dart::dynamics::BodyNode* add_box(dart::simulation::WorldPtr world,
                                         const Eigen::Vector3d& size, double mass, double z)
{
    auto skeleton = dart::dynamics::Skeleton::create("box " + std::to_string(z));
    dart::dynamics::BodyNode* body =
        skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>().second;
    auto shape = std::make_shared<dart::dynamics::BoxShape>(size);
    body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(
        shape);
    dart::dynamics::Inertia inertia;
    inertia.setMass(mass > 0 ? mass : 1);
    inertia.setMoment(shape->computeInertia(inertia.getMass()));
    body->setInertia(inertia);
    skeleton->setPosition(5, z);
    skeleton->setMobile(mass > 0);
    world->addSkeleton(skeleton);
    return body;
}

int main()
{
    auto world = dart::simulation::World::create();
    const double slope = 15 * 3.14159265358979 / 180;
    world->setGravity(Eigen::Vector3d(9.81 * std::sin(slope), 0, -9.81 * std::cos(slope)));
    world->setTimeStep(1 / 240.0);
    world->getConstraintSolver()->setCollisionDetector(
        dart::collision::DARTCollisionDetector::create()); // it gives all corners of a face
    add_box(world, Eigen::Vector3d(4, 4, 0.2), 0, -0.1);
    dart::dynamics::BodyNode* top = nullptr;
    for (int i = 0; i < 3; i++)
        top = add_box(world, Eigen::Vector3d(0.1, 0.1, 0.06), 0.5, 0.03 + 0.06 * i);
    BristleDart friction(world);
    friction.mu = [](BristleDart::Shape, BristleDart::Shape) { return 0.5; };
    double settled = 0;
    for (int i = 0; i < 1200; i++) {
        friction.step(); // in place of world->step()
        if (i == 240)
            settled = top->getCOM()[0];
    }
    const double creep = std::fabs(top->getCOM()[0] - settled) / 4;
    std::printf("stack of three: its top gives way by %.1f um, then creeps by %.2g um/s\n",
                1e6 * settled, 1e6 * creep);
    return creep < 1e-6 ? 0 : 1;
}
