// ODE for the scenes, alone or with the glue.
#include "bristle_ode.h"
#include "engine.h"

namespace
{
struct Ode : Engine {
    dWorldID world = dWorldCreate();
    dSpaceID space = dSimpleSpaceCreate(nullptr);
    dJointGroupID group = dJointGroupCreate(0);
    BristleOde friction;
    bool bristle, quick;
    struct Body {
        dBodyID id;
        double mu, disc;
    };
    std::vector<Body> bodies; // a geom's data is the index

    Ode(bool b, bool q, const brg_def* def) : friction(world, def), bristle(b), quick(q)
    {
        dWorldSetContactSurfaceLayer(world, 1e-4);
    }
    ~Ode() override
    {
        dJointGroupDestroy(group), dSpaceDestroy(space), dWorldDestroy(world);
    }
    void gravity(double x, double y, double z) override
    {
        dWorldSetGravity(world, x, y, z);
    }
    int put(dGeomID g, dBodyID id, double mu, double disc)
    {
        dGeomSetData(g, (void*)bodies.size());
        bodies.push_back({id, mu, disc});
        return int(bodies.size()) - 1;
    }
    void ground(double mu) override
    {
        put(dCreatePlane(space, 0, 0, 1, 0), nullptr, mu, 0);
    }
    int add(const Shape& s, double x, double y, double z) override
    {
        dBodyID id = dBodyCreate(world);
        dMass m;
        dGeomID g;
        if (s.cylinder) {
            dMassSetCylinderTotal(&m, s.mass, 3, s.half[0], 2 * s.half[2]);
            g = dCreateCylinder(space, s.half[0], 2 * s.half[2]);
        } else {
            dMassSetBoxTotal(&m, s.mass, 2 * s.half[0], 2 * s.half[1], 2 * s.half[2]);
            g = dCreateBox(space, 2 * s.half[0], 2 * s.half[1], 2 * s.half[2]);
        }
        dBodySetMass(id, &m);
        dBodySetPosition(id, x, y, z);
        dGeomSetBody(g, id);
        if (s.kinematic) {
            dBodySetKinematic(id);
            dBodySetFiniteRotationMode(id, 1); // else a turntable turns by 2 atan(h w/2), not h w
        }
        if (s.only >= 0) {
            dJointID j = dJointCreateSlider(world, nullptr);
            dJointAttach(j, id, nullptr);
            dJointSetSliderAxis(j, s.only == 0, s.only == 1, s.only == 2);
        }
        return put(g, id, s.mu, s.disc);
    }
    void hinge(int a, int b, const double* x, const double* axis) override
    {
        dJointID j = dJointCreateHinge(world, nullptr);
        dJointAttach(j, bodies[size_t(a)].id, bodies[size_t(b)].id);
        dJointSetHingeAnchor(j, x[0], x[1], x[2]);
        dJointSetHingeAxis(j, axis[0], axis[1], axis[2]);
    }
    static void near(void* data, dGeomID g1, dGeomID g2)
    {
        Ode* e = static_cast<Ode*>(data);
        const Body &x = e->bodies[size_t(dGeomGetData(g1))],
                   &y = e->bodies[size_t(dGeomGetData(g2))];
        const bool fixed1 = !x.id || dBodyIsKinematic(x.id),
                   fixed2 = !y.id || dBodyIsKinematic(y.id);
        if ((fixed1 && fixed2) ||
            (x.id && y.id && dAreConnectedExcluding(x.id, y.id, dJointTypeContact)))
            return;
        dContact hit[8];
        memset(hit, 0, sizeof hit);
        const int n = dCollide(g1, g2, 8, &hit[0].geom, sizeof(dContact));
        if (e->bristle) {
            e->friction.contact(e->group, hit, n, g1, g2, x.mu * y.mu, std::max(x.disc, y.disc));
            return;
        }
        for (int k = 0; k < n; k++) {
            hit[k].surface.mode = dContactApprox1;
            hit[k].surface.mu = x.mu * y.mu;
            dJointAttach(dJointCreateContact(e->world, e->group, &hit[k]), x.id, y.id);
        }
    }
    void force(int i, double x, double y, double z) override
    {
        dBodyAddForce(bodies[size_t(i)].id, x, y, z);
    }
    void step(double h) override
    {
        dSpaceCollide(space, this, near);
        if (bristle)
            friction.step(h, quick), report = brg_get_report(friction.layer());
        else if (quick)
            dWorldQuickStep(world, h);
        else
            dWorldStep(world, h);
        dJointGroupEmpty(group);
    }
    void get(int i, double* x, double* R, double* v, double* w) override
    {
        dBodyID id = bodies[size_t(i)].id;
        for (int p = 0; p < 3; p++) {
            if (x)
                x[p] = dBodyGetPosition(id)[p];
            if (v)
                v[p] = dBodyGetLinearVel(id)[p];
            if (w)
                w[p] = dBodyGetAngularVel(id)[p];
            for (int q = 0; R && q < 3; q++)
                R[3 * p + q] = dBodyGetRotation(id)[4 * p + q];
        }
    }
    void set_velocity(int i, const double* v, const double* w) override
    {
        dBodySetLinearVel(bodies[size_t(i)].id, v[0], v[1], v[2]);
        dBodySetAngularVel(bodies[size_t(i)].id, w[0], w[1], w[2]);
    }
};
} // namespace

EnginePointer make_ode(bool bristle, bool quick, const brg_def* def)
{
    static const bool once = (dInitODE(), true);
    (void)once;
    return EnginePointer(new Ode(bristle, quick, def));
}
