// Scenes for rigid-body engines: what holds, slides, spins or is pushed.
#ifndef BRISTLE_ENGINES_SCENES_H
#define BRISTLE_ENGINES_SCENES_H

#include "engine.h"

#include <functional>

typedef std::function<EnginePointer()> Maker;

// A scene in which nothing should slide: the largest speed of its bodies after they have settled [m/s], INFINITY if one
// drops or falls.
struct Hold {
    const char* name;
    double (*creep)(Engine& engine, double h);
    bool unseen; // it was run for the first time when the layer was finished
};
extern const Hold holds[];
extern const size_t hold_count;

struct PuckResult {
    double distance, angle; // until it rests [m, rad]
};
PuckResult slide_puck(Engine& engine, double h, const Shape& shape, double v, double w);

// Box drawn by a spring that moves at 20 mm/s: mean force in sliding over mu m g [-].
double drag_force(Engine& engine, double h);

struct StickSlip {
    double most, least; // force of the spring over mu_c m g, largest and, after that, smallest [-]
    int slips;
};
// A spring of 200 N/m whose end moves at 2 mm/s pulls a box for 12 s. The layer's static_ratio is 1.5.
StickSlip stick_slip(Engine& engine, double h);

struct TrayResult {
    double range; // of the load's motion over the tray [m]
    double drift; // of the load over the tray [m/s]
};
// A tray that is shaken at 3 Hz with 1.5 mu g: the load slides in each period.
TrayResult sliding_tray(Engine& engine, double h);
TrayResult sliding_tray_exact(); // by Coulomb's law with steps of 10 us

struct PushResult {
    double
        engine_gain; // sum of all gains of kinetic and potential energy beyond the work of the pushes [J]
    double friction_gain; // largest gain of friction itself in a step [J]
    int unsettled, unconverged, swept;
};
PushResult random_pushes(Engine& engine, double h, int steps);

// Time of a step, the least of several runs [s]. kind: 0 a box, 1 a stack of three, 2 twenty boxes, 3 a pyramid of 15
double step_time(const Maker& make, double h, int kind);

#endif
