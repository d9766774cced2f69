// What the scenes need of an engine.
#ifndef BRISTLE_ENGINES_ENGINE_H
#define BRISTLE_ENGINES_ENGINE_H

#include "bristle/rigid.h"

#include <memory>
#include <string>
#include <vector>

struct Shape {
    bool cylinder;   // about z
    double half[3];  // half of the size [m]; of a cylinder: radius, radius, half of the height
    double mass;     // [kg]
    double mu;       // [-]; that of a pair is the product of both
    double disc = 0; // radius of its patch [m]; 0: the hull of the contact points
    bool kinematic = false;
    int only = -1; // >= 0: moves along this axis only, and does not turn
};

// An engine with its own friction, or with that of bristle.
class Engine
{
  public:
    virtual ~Engine() = default;
    virtual void gravity(double x, double y, double z) = 0;
    virtual void ground(double mu) = 0; // the plane z = 0
    virtual int add(const Shape& shape, double x, double y, double z) = 0;
    virtual void hinge(int a, int b, const double* x, const double* axis) = 0;
    virtual void force(int body, double x, double y,
                       double z) = 0; // of the next step, at the centre of mass
    virtual void step(double h) = 0;
    virtual void get(int body, double* x, double* R, double* v, double* w) = 0;
    virtual void set_velocity(int body, const double* v, const double* w) = 0;
    brg_report report{};
};

typedef std::unique_ptr<Engine> EnginePointer;
// def: of the layer, NULL: the default
EnginePointer make_bullet(bool bristle, const brg_def* def);
EnginePointer make_dart(bool bristle, const brg_def* def);
EnginePointer make_mujoco(bool bristle, const brg_def* def);
EnginePointer make_ode(bool bristle, bool quick, const brg_def* def);

#endif
