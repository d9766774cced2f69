// A stack on a slope in ODE, with friction of bristle.
#include "bristle_ode.h"

#include <cmath>
#include <cstdio>

struct Scene {
    dWorldID world;
    dJointGroupID group;
    BristleOde* friction;
};

static void near(void* data, dGeomID g1, dGeomID g2)
{
    Scene* s = static_cast<Scene*>(data);
    dContact contact[8];
    std::memset(contact, 0, sizeof contact);
    const int n = dCollide(g1, g2, 8, &contact[0].geom, sizeof(dContact));
    s->friction->contact(s->group, contact, n, g1, g2, 0.5); // in place of dJointCreateContact()
}

int main()
{
    dInitODE();
    Scene s{dWorldCreate(), dJointGroupCreate(0), nullptr};
    const double slope = 15 * 3.14159265358979 / 180;
    dWorldSetGravity(s.world, 9.81 * std::sin(slope), 0, -9.81 * std::cos(slope));
    dWorldSetContactSurfaceLayer(s.world, 1e-4);
    dSpaceID space = dSimpleSpaceCreate(nullptr);
    dCreatePlane(space, 0, 0, 1, 0);
    dBodyID body[3];
    for (int i = 0; i < 3; i++) {
        dMass m;
        dMassSetBoxTotal(&m, 0.5, 0.1, 0.1, 0.06);
        body[i] = dBodyCreate(s.world);
        dBodySetMass(body[i], &m);
        dBodySetPosition(body[i], 0, 0, 0.03 + 0.06 * i);
        dGeomSetBody(dCreateBox(space, 0.1, 0.1, 0.06), body[i]);
    }
    double settled = 0;
    {
        BristleOde friction(s.world);
        s.friction = &friction;
        for (int i = 0; i < 300; i++) {
            dSpaceCollide(space, &s, near);
            friction.step(1 / 60.0, true); // dWorldQuickStep()
            dJointGroupEmpty(s.group);
            if (i == 60)
                settled = dBodyGetPosition(body[2])[0];
        }
    }
    const double creep = std::fabs(dBodyGetPosition(body[2])[0] - settled) / 4;
    std::printf("stack of three: its top gives way by %.1f um, then creeps by %.2g um/s\n",
                1e6 * settled, 1e6 * creep);
    dJointGroupDestroy(s.group), dSpaceDestroy(space), dWorldDestroy(s.world);
    dCloseODE();
    return creep < 1e-6 ? 0 : 1;
}
