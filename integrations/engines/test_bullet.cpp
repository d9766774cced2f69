// Bullet with friction of bristle: limits and motors of constraints with several rows, bodies that wake or are removed, a
// solver that is not attached. Oracle: statics.
#include "bristle_bullet.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

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

// Boxes on 15 degrees.
struct Slope {
    btDefaultCollisionConfiguration config;
    btCollisionDispatcher dispatcher{&config};
    btDbvtBroadphase broadphase;
    BristleSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &config};
    btBoxShape ground{btVector3(5, 5, 0.5)}, shape{btVector3(0.05, 0.05, 0.05)};
    std::vector<std::unique_ptr<btRigidBody>> bodies;

    btRigidBody* add(double mass, double y, double z)
    {
        btCollisionShape& s = mass > 0 ? shape : ground;
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
            s.calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &s, inertia);
        info.m_startWorldTransform.setOrigin(btVector3(0, y, z));
        info.m_friction = 0.8;
        bodies.emplace_back(new btRigidBody(info));
        world.addRigidBody(bodies.back().get());
        return bodies.back().get();
    }
    explicit Slope(bool attached = true)
    {
        shape.setMargin(0.001);
        if (attached)
            solver.attach(&world);
        const double angle = 15 * 3.14159265358979 / 180;
        world.setGravity(btVector3(9.81 * std::sin(angle), 0, -9.81 * std::cos(angle)));
        add(0, 0, -0.5);
    }
    ~Slope()
    {
        for (auto& b : bodies)
            world.removeRigidBody(b.get());
    }
    void step(int n)
    {
        for (int i = 0; i < n; i++)
            world.stepSimulation(1 / 60.0, 0);
    }
};

static double position(const btRigidBody* b)
{
    return b->getWorldTransform().getOrigin()[0];
}

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
    {
        Slope slope; // a body that is removed leaves the others where they are
        btRigidBody *first = slope.add(0.5, 0, 0.05),
                    *last = (slope.add(0.5, 1, 0.05), slope.add(0.5, 2, 0.05));
        first->setActivationState(DISABLE_DEACTIVATION),
            last->setActivationState(DISABLE_DEACTIVATION);
        slope.step(120);
        const double x = position(last);
        slope.world.removeRigidBody(first);
        slope.step(60);
        slope.world.addRigidBody(first);
        slope.step(60);
        failed += check("removed: another box moved by [um]", 1e6 * (position(last) - x), 0, 0.01);
    }
    {
        Slope slope; // a light box falls on one that sleeps
        btRigidBody* sleeper = slope.add(0.5, 0, 0.05);
        slope.step(400);
        failed += check("wake: asleep before", !sleeper->isActive(), 1, 0);
        const double x = position(sleeper);
        slope.add(0.01, 0, 0.16)->setGravity(btVector3(0, 0, -9.81));
        double largest = 0;
        bool woke = false;
        for (int i = 0; i < 30; i++) {
            slope.step(1);
            woke = woke || sleeper->isActive();
            largest = std::max(largest, std::fabs(position(sleeper) - x));
        }
        failed += check("wake: it woke", woke, 1, 0);
        failed += check("wake: it moved by [um]", 1e6 * largest, 0,
                        40); // of 800; bristles give way by the impact
    }
    {
        Slope slope; // a body whose velocity is not a number does not take the others' friction
        btRigidBody* box = slope.add(0.5, 0, 0.05);
        box->setActivationState(DISABLE_DEACTIVATION);
        slope.step(60);
        const double x = position(box);
        slope.add(0.5, 3, 2)->setLinearVelocity(btVector3(NAN, 0, 0));
        slope.step(60);
        failed += check("NaN: another box moved by [um]", 1e6 * (position(box) - x), 0, 0.01);
        failed += check("NaN: status", slope.solver.status(), BR_OK, 0);
        slope.world.removeRigidBody(slope.bodies.back().get());
        slope.bodies.pop_back();
        slope.add(0.5, 5, 0.05)->setFriction(-btScalar(INFINITY)); // 0.8 times it counts as 0
        slope.step(1);
        failed += check("negative friction: status", slope.solver.status(), BR_OK, 0);
    }
    {
        Slope slope(false); // Bullet's own friction
        btRigidBody* box = slope.add(0.5, 0, 0.05);
        slope.step(60);
        failed += check("not attached: it moved by [mm]", 1e3 * position(box), 0, 1);
    }
    return failed != 0;
}
