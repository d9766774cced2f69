// A pinched box and a spinning puck in Bullet, with friction of bristle.
#include "bristle_bullet.h"

#include <cmath>
#include <cstdio>

static btRigidBody* add(btDiscreteDynamicsWorld& world, btCollisionShape* shape, double mass,
                        btVector3 at, double mu)
{
    btVector3 inertia(0, 0, 0);
    if (mass > 0)
        shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform.setOrigin(at);
    info.m_friction = mu;
    auto* body = new btRigidBody(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(body);
    return body;
}

int main()
{
    btDefaultCollisionConfiguration config;
    btCollisionDispatcher dispatcher(&config);
    btDbvtBroadphase broadphase;
    BristleSolver solver; // in place of btSequentialImpulseConstraintSolver
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &config);
    solver.attach(&world);
    world.setGravity(btVector3(0, 0, -9.81));

    btBoxShape pad(btVector3(0.01, 0.02, 0.02)), cube(btVector3(0.02, 0.02, 0.02));
    pad.setMargin(1e-3), cube.setMargin(1e-3);
    btRigidBody* left = add(world, &pad, 1, btVector3(-0.03, 0, 0), 1);
    btRigidBody* right = add(world, &pad, 1, btVector3(0.03, 0, 0), 1);
    btRigidBody* held = add(world, &cube, 0.045, btVector3(0, 0, 0), 0.5);
    for (btRigidBody* p : {left, right})
        p->setLinearFactor(btVector3(1, 0, 0)), p->setAngularFactor(btVector3(0, 0, 0));

    double settled = 0;
    for (int i = 0; i < 300; i++) {
        left->applyCentralForce(btVector3(6, 0, 0));
        right->applyCentralForce(btVector3(-6, 0, 0));
        world.stepSimulation(1 / 60.0, 0);
        if (i == 60)
            settled = held->getWorldTransform().getOrigin().z();
    }
    const double creep = std::fabs(held->getWorldTransform().getOrigin().z() - settled) / 4;
    std::printf("pinched box: gives way by %.1f um, then creeps by %.2g um/s\n", -1e6 * settled,
                1e6 * creep);
    for (btRigidBody* b : {left, right, held})
        world.removeRigidBody(b), delete b;
    return creep < 1e-6 ? 0 : 1;
}
