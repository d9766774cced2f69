// Limits and motors of Bullet's constraints with several rows, with friction of bristle. Oracle: statics.
#include "bristle_bullet.h"

#include <cmath>
#include <cstdio>
#include <memory>

struct Pair {
    btDefaultCollisionConfiguration config;
    btCollisionDispatcher dispatcher{&config};
    btDbvtBroadphase broadphase;
    BristleSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &config};
    btBoxShape ground{btVector3(5, 5, 0.5)}, shape{btVector3(0.05, 0.05, 0.03)};
    std::unique_ptr<btRigidBody> floor, high, low;
    std::unique_ptr<btSliderConstraint> slider;

    std::unique_ptr<btRigidBody> add(btCollisionShape& s, double mass, double mu, double x,
                                     double z)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
            s.calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &s, inertia);
        info.m_startWorldTransform.setOrigin(btVector3(x, 0, z));
        info.m_friction = mu;
        std::unique_ptr<btRigidBody> b(new btRigidBody(info));
        b->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(b.get());
        return b;
    }
    // Two boxes on 15 degrees, the lower one without friction, on a slider between them.
    Pair()
    {
        ground.initializePolyhedralFeatures(), shape.initializePolyhedralFeatures();
        solver.attach(&world);
        const double angle = 15 * 3.14159265358979 / 180;
        world.setGravity(btVector3(9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)));
        floor = add(ground, 0, 1, 0, -0.5);
        high = add(shape, 0.5, 1.2, 0, 0.03), low = add(shape, 0.5, 0, 0.12, 0.03);
        btTransform at = btTransform::getIdentity(), there = at;
        there.setOrigin(btVector3(-0.12, 0, 0));
        slider.reset(new btSliderConstraint(*high, *low, at, there, true));
        world.addConstraint(slider.get(), true);
    }
    ~Pair()
    {
        world.removeConstraint(slider.get());
        world.removeRigidBody(low.get()), world.removeRigidBody(high.get());
        world.removeRigidBody(floor.get());
    }
    double far() const
    {
        return low->getWorldTransform().getOrigin()[0];
    }
};

static int check(const char* what, double value, double expected, double tolerance)
{
    const bool ok = std::fabs(value - expected) <= tolerance;
    std::printf("%-40s %12.5g, expected %g +- %g%s\n", what, value, expected, tolerance,
                ok ? "" : "  <- wrong");
    return !ok;
}

int main()
{
    const double h = 1 / 60.0;
    int failed = 0;
    {
        Pair limit; // slides by 10 mm, then hangs
        limit.slider->setLowerLinLimit(-1), limit.slider->setUpperLinLimit(0.01);
        for (int i = 0; i < 180; i++)
            limit.world.stepSimulation(h, 0);
        const double low = limit.far(), high = limit.high->getWorldTransform().getOrigin()[0];
        for (int i = 0; i < 300; i++)
            limit.world.stepSimulation(h, 0);
        failed += check("limit: distance [mm]", 1e3 * (low - high), 130, 0.5);
        failed +=
            check("limit: creep of the lower box [um/s]", 1e6 * (limit.far() - low) / 5, 0, 1);
        failed += check("limit: creep of the higher box [um/s]",
                        1e6 * (limit.high->getWorldTransform().getOrigin()[0] - high) / 5, 0, 1);
    }
    {
        Pair motor; // pulls the lower box up the slope at 20 mm/s
        motor.slider->setLowerLinLimit(-1), motor.slider->setUpperLinLimit(1);
        motor.slider->setPoweredLinMotor(true);
        motor.slider->setTargetLinMotorVelocity(0.02), motor.slider->setMaxLinMotorForce(5);
        for (int i = 0; i < 60; i++)
            motor.world.stepSimulation(h, 0);
        const double low = motor.far(), high = motor.high->getWorldTransform().getOrigin()[0];
        for (int i = 0; i < 60; i++)
            motor.world.stepSimulation(h, 0);
        failed += check("motor: speed of the lower box [mm/s]", 1e3 * std::fabs(motor.far() - low),
                        20, 0.2);
        failed += check("motor: creep of the higher box [um/s]",
                        1e6 * (motor.high->getWorldTransform().getOrigin()[0] - high), 0, 1);
    }
    return failed != 0;
}
