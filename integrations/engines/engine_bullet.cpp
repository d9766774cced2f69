// Bullet for the scenes, alone or with the glue.
#include "bristle_bullet.h"
#include "engine.h"

#include <cmath>

namespace
{
struct Bullet : Engine {
    btDefaultCollisionConfiguration config;
    btCollisionDispatcher dispatcher{&config};
    btDbvtBroadphase broadphase;
    BristleSolver friction;
    btSequentialImpulseConstraintSolver own;
    btDiscreteDynamicsWorld world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<double> discs;
    btVector3 kinematic_v{0, 0, 0}, kinematic_w{0, 0, 0};
    bool bristle;

    Bullet(bool b, const brg_def* def)
        : friction(def), world(&dispatcher, &broadphase, b ? &friction : &own, &config), bristle(b)
    {
        if (!b)
            return;
        friction.attach(&world);
        friction.disc = [this](const btCollisionObject* x, const btCollisionObject* y) {
            return std::max(discs[size_t(x->getUserIndex())], discs[size_t(y->getUserIndex())]);
        };
    }
    ~Bullet() override
    {
        for (auto& j : joints)
            world.removeConstraint(j.get());
        for (auto& b : bodies)
            world.removeRigidBody(b.get());
    }
    void gravity(double x, double y, double z) override
    {
        const btVector3 g{btScalar(x), btScalar(y), btScalar(z)};
        world.setGravity(g);
        for (auto& b : bodies)
            b->setGravity(g);
    }
    int put(btCollisionShape* shape, double mass, double mu, double disc, const btVector3& at,
            const btVector3& inertia)
    {
        shapes.emplace_back(shape);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        info.m_startWorldTransform.setOrigin(at);
        info.m_friction = mu;
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setUserIndex(int(bodies.size()) - 1);
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        discs.push_back(disc);
        world.addRigidBody(bodies.back().get());
        return int(bodies.size()) - 1;
    }
    void ground(double mu) override
    {
        auto* s = new btBoxShape(btVector3(5, 5, 0.5));
        s->initializePolyhedralFeatures();
        put(s, 0, mu, 0, btVector3(0, 0, -0.5), btVector3(0, 0, 0));
    }
    int add(const Shape& s, double x, double y, double z) override
    {
        const btVector3 half{btScalar(s.half[0]), btScalar(s.half[1]), btScalar(s.half[2])};
        btCollisionShape* shape;
        btVector3 inertia(0, 0, 0);
        const double mass = s.kinematic ? 0 : s.mass;
        if (s.cylinder) { // a prism with 24 sides: clipped polygons give all points at once
            auto* hull = new btConvexHullShape();
            for (int i = 0; i < 48; i++) {
                const double angle = M_PI / 12 * (i % 24);
                hull->addPoint(btVector3(half[0] * std::cos(angle), half[1] * std::sin(angle),
                                         i < 24 ? half[2] : -half[2]));
            }
            hull->setMargin(0);
            hull->initializePolyhedralFeatures();
            btCylinderShapeZ(half).calculateLocalInertia(mass,
                                                         inertia); // a hull's would be its box's
            shape = hull;
        } else {
            shape = new btBoxShape(half);
            shape->setMargin(1e-3);
            if (mass > 0)
                shape->calculateLocalInertia(mass, inertia);
        }
        const int i = put(shape, mass, s.mu, s.disc, btVector3(x, y, z), inertia);
        btRigidBody* b = bodies[size_t(i)].get();
        if (s.kinematic)
            b->setCollisionFlags(b->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        if (s.only >= 0) {
            b->setLinearFactor(btVector3(s.only == 0, s.only == 1, s.only == 2));
            b->setAngularFactor(btVector3(0, 0, 0));
        }
        return i;
    }
    void hinge(int a, int b, const double* x, const double* axis) override
    {
        btRigidBody &p = *bodies[size_t(a)], &q = *bodies[size_t(b)];
        const btVector3 at(x[0], x[1], x[2]), n(axis[0], axis[1], axis[2]);
        auto in = [&](const btRigidBody& r) { return r.getWorldTransform().inverse() * at; };
        joints.emplace_back(new btHingeConstraint(
            p, q, in(p), in(q), p.getWorldTransform().getBasis().transpose() * n,
            q.getWorldTransform().getBasis().transpose() * n));
        world.addConstraint(joints.back().get(), true);
    }
    void force(int i, double x, double y, double z) override
    {
        bodies[size_t(i)]->applyCentralForce(btVector3(x, y, z));
    }
    void step(double h) override
    {
        for (auto& b : bodies) {
            if (!b->isKinematicObject())
                continue;
            btTransform t = b->getWorldTransform();
            btTransformUtil::integrateTransform(b->getWorldTransform(), kinematic_v, kinematic_w, h,
                                                t);
            b->setWorldTransform(t);
        }
        world.stepSimulation(h, 0);
        if (bristle)
            report = brg_get_report(friction.layer());
    }
    void get(int i, double* x, double* R, double* v, double* w) override
    {
        const btRigidBody& b = *bodies[size_t(i)];
        for (int p = 0; p < 3; p++) {
            if (x)
                x[p] = b.getWorldTransform().getOrigin()[p];
            if (v)
                v[p] = b.getLinearVelocity()[p];
            if (w)
                w[p] = b.getAngularVelocity()[p];
            for (int q = 0; R && q < 3; q++)
                R[3 * p + q] = b.getWorldTransform().getBasis()[p][q];
        }
    }
    void set_velocity(int i, const double* v, const double* w) override
    {
        btRigidBody& b = *bodies[size_t(i)];
        const btVector3 linear(v[0], v[1], v[2]), angular(w[0], w[1], w[2]);
        if (b.isKinematicObject()) {
            kinematic_v = linear, kinematic_w = angular;
        } else {
            b.setLinearVelocity(linear);
            b.setAngularVelocity(angular);
        }
    }
};
} // namespace

EnginePointer make_bullet(bool bristle, const brg_def* def)
{
    return EnginePointer(new Bullet(bristle, def));
}
