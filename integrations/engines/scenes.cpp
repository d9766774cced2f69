#include "scenes.h"

#include <algorithm>
#include <cmath>
#include <ctime>

static const double g = 9.81, slope = 15 * M_PI / 180, om_tray = 2 * M_PI * 3;

static Shape box(double x, double y, double z, double mass, double mu)
{
    return {false, {x, y, z}, mass, mu};
}

static int seconds(double t, double h)
{
    return int(t / h + 0.5);
}

// Positions of bodies relative to another one.
typedef std::vector<std::vector<double>> Positions;
static Positions positions(Engine& e, const std::vector<int>& bodies, int over = -1)
{
    Positions all;
    double o[3] = {0, 0, 0}, R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (over >= 0)
        e.get(over, o, R, nullptr, nullptr);
    for (int b : bodies) {
        double x[3];
        e.get(b, x, nullptr, nullptr, nullptr);
        std::vector<double> p(3);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                p[size_t(i)] += R[3 * k + i] * (x[k] - o[k]);
        all.push_back(p);
    }
    return all;
}

// The largest distance of bodies between two times, in directions of `axes` (bits).
static double largest_motion(const Positions& from, const Positions& to, int axes)
{
    double most = 0;
    for (size_t i = 0; i < from.size(); i++) {
        double sum = 0;
        for (size_t k = 0; k < 3; k++)
            if (axes >> k & 1)
                sum += (to[i][k] - from[i][k]) * (to[i][k] - from[i][k]);
        most = std::max(most, std::isfinite(sum) ? std::sqrt(sum) : INFINITY);
    }
    return most;
}

typedef std::function<void(double)> Drive; // forces and velocities of the step at a time

// Run for `settle` and then for `time`; the speed between both. A motion of more than 50 mm is a fall.
static double creep_of(Engine& e, double h, const std::vector<int>& bodies, int axes, double settle,
                       double time, const Drive& drive = nullptr, int over = -1)
{
    const Positions start = positions(e, bodies, over);
    Positions from = start;
    const int n = seconds(settle, h), m = n + seconds(time, h);
    for (int i = 0; i < m; i++) {
        if (i == n)
            from = positions(e, bodies, over);
        if (drive)
            drive(i * h);
        e.step(h);
    }
    const Positions to = positions(e, bodies, over);
    return largest_motion(start, to, 7) > 0.05 ? INFINITY : largest_motion(from, to, axes) / time;
}

static void tilt(Engine& e, double angle)
{
    e.gravity(g * std::sin(angle), 0, -g * std::cos(angle));
}

static double box_on_slope(Engine& e, double h)
{
    e.ground(1);
    tilt(e, slope);
    return creep_of(e, h, {e.add(box(0.05, 0.05, 0.05, 0.5, 0.5), 0, 0, 0.05)}, 3, 1, 10);
}

static double stack_on_slope(Engine& e, double h)
{
    e.ground(1);
    tilt(e, slope);
    std::vector<int> id;
    for (int i = 0; i < 3; i++)
        id.push_back(e.add(box(0.05, 0.05, 0.03, 0.5, std::sqrt(0.5)), 0, 0, 0.03 + 0.06 * i));
    return creep_of(e, h, id, 3, 1, 10);
}

static Shape pad(int axis)
{
    Shape p = axis == 0 ? box(0.01, 0.02, 0.02, 1, 1) : box(0.02, 0.01, 0.02, 1, 1);
    p.only = axis;
    return p;
}

static double pinch(Engine& e, double h)
{
    e.gravity(0, 0, -g);
    const int left = e.add(pad(0), -0.03, 0, 0), right = e.add(pad(0), 0.03, 0, 0);
    const int held = e.add(box(0.02, 0.02, 0.02, 0.045, 0.5), 0, 0, 0);
    return creep_of(e, h, {held}, 6, 1, 10,
                    [&](double) { e.force(left, 6, 0, 0), e.force(right, -6, 0, 0); });
}

// A tray that is shaken at 3 Hz with 0.6 mu g.
static double tray(Engine& e, double h)
{
    e.gravity(0, 0, -g);
    Shape t = box(0.2, 0.2, 0.02, 1, 1);
    t.kinematic = true;
    const int tray = e.add(t, 0, 0, -0.02),
              load = e.add(box(0.03, 0.05, 0.04, 0.3, 0.5), 0.01, 0.02, 0.04);
    return creep_of(
        e, h, {load}, 3, 2, 10,
        [&](double time) {
            const double ramp = std::min(1.0, time);
            const double v[3] = {
                ramp * 0.6 * 0.5 * g / om_tray * std::sin(om_tray * (time + 0.5 * h)), 0, 0};
            const double w[3] = {0, 0, 0};
            e.set_velocity(tray, v, w);
        },
        tray);
}

static std::vector<int> build_pyramid(Engine& e)
{
    std::vector<int> id;
    e.ground(1);
    e.gravity(0, 0, -g);
    for (int r = 0; r < 5; r++)
        for (int k = 0; k < 5 - r; k++)
            id.push_back(e.add(box(0.05, 0.05, 0.03, 0.5, std::sqrt(0.5)), 0.11 * (k + 0.5 * r), 0,
                               0.03 + 0.06 * r));
    return id;
}

static double pyramid(Engine& e, double h)
{
    return creep_of(e, h, build_pyramid(e), 3, 1, 5);
}

// Four fingers with 5 N each; the weight turns once in 10 s.
static double grasp(Engine& e, double h)
{
    e.gravity(0, 0, 0);
    const int left = e.add(pad(0), -0.03, 0, 0), right = e.add(pad(0), 0.03, 0, 0);
    const int front = e.add(pad(1), 0, -0.03, 0), back = e.add(pad(1), 0, 0.03, 0);
    const int held = e.add(box(0.02, 0.02, 0.02, 0.2, 0.5), 0, 0, 0);
    const Drive drive = [&](double time) {
        e.force(left, 5, 0, 0), e.force(right, -5, 0, 0), e.force(front, 0, 5, 0),
            e.force(back, 0, -5, 0);
        const double angle = 2 * M_PI * std::max(0.0, time - 1) / 10;
        e.force(held, 0, 0.2 * g * std::sin(angle), -0.2 * g * std::cos(angle));
    };
    return creep_of(e, h, {held}, 4, 1, 10, drive);
}

static const double spring = 200; // [N/m]

// A spring pulls a box with 0.8 mu m g.
static double pulled_box(Engine& e, double h)
{
    e.ground(1);
    e.gravity(0, 0, -g);
    const int b = e.add(box(0.05, 0.05, 0.05, 0.5, 0.3), 0, 0, 0.05);
    const double end = 0.8 * 0.3 * 0.5 * g / spring;
    return creep_of(e, h, {b}, 3, 2, 5, [&](double time) {
        double x[3];
        e.get(b, x, nullptr, nullptr, nullptr);
        e.force(b, spring * (end * std::min(1.0, time) - x[0]), 0, 0);
    });
}

// A belt that starts with 0.5 mu g and runs at 0.5 m/s: the box follows it.
static double belt(Engine& e, double h)
{
    e.gravity(0, 0, -g);
    Shape t = box(3, 0.2, 0.02, 1, 1);
    t.kinematic = true;
    const int moving = e.add(t, 0, 0, -0.02),
              load = e.add(box(0.04, 0.04, 0.03, 0.3, 0.4), 0, 0.02, 0.03);
    return creep_of(
        e, h, {load}, 3, 1, 3,
        [&](double time) {
            const double v[3] = {std::min(0.5, 0.5 * 0.4 * g * time), 0, 0}, w[3] = {0, 0, 0};
            e.set_velocity(moving, v, w);
        },
        moving);
}

// Unseen: a turntable whose rim asks for 0.5 mu g.
static double turntable(Engine& e, double h)
{
    e.gravity(0, 0, -g);
    Shape t = box(0.3, 0.3, 0.02, 1, 1);
    t.kinematic = true;
    const int table = e.add(t, 0, 0, -0.02),
              load = e.add(box(0.03, 0.04, 0.03, 0.4, 0.5), 0.2, 0, 0.03);
    const double speed = std::sqrt(0.5 * 0.5 * g / 0.2);
    return creep_of(
        e, h, {load}, 3, 2, 8,
        [&](double time) {
            const double v[3] = {0, 0, 0}, w[3] = {0, 0, speed * std::min(1.0, time)};
            e.set_velocity(table, v, w);
        },
        table);
}

// Unseen: five boxes on 10 degrees, the highest one is ten times as heavy.
static double heavy_top(Engine& e, double h)
{
    e.ground(1);
    tilt(e, 10 * M_PI / 180);
    std::vector<int> id;
    for (int i = 0; i < 5; i++)
        id.push_back(
            e.add(box(0.06, 0.06, 0.02, i < 4 ? 0.3 : 3, std::sqrt(0.5)), 0, 0, 0.02 + 0.04 * i));
    return creep_of(e, h, id, 3, 1, 8);
}

// Unseen: a plate that is pinched 10 mm beside its centre: its weight twists the contacts.
static double plate(Engine& e, double h)
{
    e.gravity(0, 0, -g);
    Shape p = box(0.01, 0.015, 0.015, 0.5, 1);
    p.only = 0;
    const int left = e.add(p, -0.015, 0, 0), right = e.add(p, 0.015, 0, 0);
    const int held = e.add(box(0.005, 0.05, 0.02, 0.1, 0.6), 0, 0.01, 0);
    return creep_of(e, h, {held}, 6, 1, 8,
                    [&](double) { e.force(left, 15, 0, 0), e.force(right, -15, 0, 0); });
}

// Unseen: two boxes with a hinge between them on 15 degrees; the lower one has little friction.
static double hinged_boxes(Engine& e, double h)
{
    e.ground(1);
    tilt(e, slope);
    const int high = e.add(box(0.05, 0.05, 0.03, 0.5, 0.6), 0, 0, 0.03);
    const int low = e.add(box(0.05, 0.05, 0.03, 0.5, 0.1), 0.12, 0, 0.03);
    const double at[3] = {0.06, 0, 0.03}, axis[3] = {0, 1, 0};
    e.hinge(high, low, at, axis);
    return creep_of(e, h, {high, low}, 3, 1, 8);
}

// Unseen: a tray on 10 degrees that is shaken across the slope.
static double cross_slope(Engine& e, double h)
{
    const double angle = 10 * M_PI / 180;
    e.gravity(0, g * std::sin(angle), -g * std::cos(angle));
    Shape t = box(0.2, 0.2, 0.02, 1, 1);
    t.kinematic = true;
    const int tray = e.add(t, 0, 0, -0.02),
              load = e.add(box(0.04, 0.03, 0.02, 0.2, 0.5), 0.02, -0.01, 0.02);
    return creep_of(
        e, h, {load}, 3, 2, 8,
        [&](double time) {
            const double speed = std::min(1.0, time) * 0.3 * 0.5 * g / om_tray;
            const double v[3] = {speed * std::sin(om_tray * (time + 0.5 * h)), 0, 0};
            const double w[3] = {0, 0, 0};
            e.set_velocity(tray, v, w);
        },
        tray);
}

// Unseen: a plank on two supports on 8 degrees, with a heavy box beside its middle.
static double bridge(Engine& e, double h)
{
    e.ground(1);
    tilt(e, 8 * M_PI / 180);
    std::vector<int> id;
    for (int i = 0; i < 2; i++)
        id.push_back(e.add(box(0.03, 0.05, 0.03, 0.3, std::sqrt(0.5)), 0.2 * i, 0, 0.03));
    id.push_back(e.add(box(0.15, 0.04, 0.01, 0.2, std::sqrt(0.5)), 0.1, 0, 0.07));
    id.push_back(e.add(box(0.03, 0.03, 0.03, 2, std::sqrt(0.5)), 0.13, 0, 0.11));
    return creep_of(e, h, id, 3, 1, 8);
}

// Unseen: three books that are pressed together by two pads and held in the air.
static double books(Engine& e, double h)
{
    e.gravity(0, 0, -g);
    Shape p = box(0.01, 0.03, 0.03, 1, 1);
    p.only = 0;
    const int left = e.add(p, -0.04, 0, 0), right = e.add(p, 0.04, 0, 0);
    std::vector<int> id;
    for (int i = 0; i < 3; i++)
        id.push_back(e.add(box(0.01, 0.03, 0.04, 0.1, 0.5), 0.02 * (i - 1), 0, 0));
    return creep_of(e, h, id, 6, 1, 8,
                    [&](double) { e.force(left, 30, 0, 0), e.force(right, -30, 0, 0); });
}

const Hold holds[] = {
    {"box on 15 degrees", box_on_slope, false},
    {"stack of 3 on 15 degrees", stack_on_slope, false},
    {"pinch, 6 N", pinch, false},
    {"tray, 0.6 mu g", tray, false},
    {"pyramid of 15", pyramid, false},
    {"four fingers", grasp, false},
    {"box on a spring", pulled_box, false},
    {"belt", belt, false},
    {"turntable", turntable, true},
    {"stack with a heavy top", heavy_top, true},
    {"plate pinched beside its centre", plate, true},
    {"two boxes with a hinge", hinged_boxes, true},
    {"tray shaken across a slope", cross_slope, true},
    {"bridge with a heavy box", bridge, true},
    {"three books between two pads", books, true},
};
const size_t hold_count = sizeof holds / sizeof *holds;

PuckResult slide_puck(Engine& e, double h, const Shape& shape, double v0, double w0)
{
    e.gravity(0, 0, -g);
    e.ground(1);
    const int i = e.add(shape, 0, 0, shape.half[2]);
    for (int k = 0; k < seconds(0.5, h); k++)
        e.step(h); // settles
    double x0[3], x[3], R[9], turn = 0;
    const double v[3] = {v0, 0, 0}, w[3] = {0, 0, w0};
    e.get(i, x0, R, nullptr, nullptr);
    double last = std::atan2(R[3], R[0]);
    e.set_velocity(i, v, w);
    for (int k = 0; k < seconds(3, h); k++) {
        e.step(h);
        e.get(i, x, R, nullptr, nullptr);
        turn += std::remainder(std::atan2(R[3], R[0]) - last, 2 * M_PI);
        last = std::atan2(R[3], R[0]);
    }
    return {std::hypot(x[0] - x0[0], x[1] - x0[1]), turn};
}

double drag_force(Engine& e, double h)
{
    e.ground(1);
    e.gravity(0, 0, -g);
    const int b = e.add(box(0.05, 0.05, 0.05, 0.5, 0.3), 0, 0, 0.05);
    double sum = 0, x[3];
    const int n = seconds(3, h), m = seconds(2, h);
    for (int i = 0; i < n; i++) {
        e.get(b, x, nullptr, nullptr, nullptr);
        const double f = spring * (0.02 * i * h - x[0]);
        e.force(b, f, 0, 0);
        e.step(h);
        sum += i >= n - m ? f : 0;
    }
    return sum / m / (0.3 * 0.5 * g);
}

StickSlip stick_slip(Engine& e, double h)
{
    e.ground(1);
    e.gravity(0, 0, -g);
    const int b = e.add(box(0.05, 0.05, 0.05, 0.5, 0.3), 0, 0, 0.05);
    const double limit = 0.3 * 0.5 * g;
    StickSlip r{0, INFINITY, 0};
    double high = 0, x[3];
    for (int i = 0; i < seconds(12, h); i++) {
        e.get(b, x, nullptr, nullptr, nullptr);
        const double f = spring * (0.002 * i * h - x[0]) / limit;
        e.force(b, f * limit, 0, 0);
        e.step(h);
        r.least = f > r.most ? f : std::min(r.least, f);
        r.most = std::max(r.most, f);
        high = std::max(high, f);
        if (f < high - 0.5)
            r.slips++, high = f;
    }
    return r;
}

static double shaken(double time) // velocity of the tray [m/s]
{
    return std::min(1.0, time) * 1.5 * 0.5 * g / om_tray * std::sin(om_tray * time);
}

// From positions over the tray in the last 4 s, 12 periods: the range in a period, and the drift.
static TrayResult judge_tray(const std::vector<double>& x, double h)
{
    const size_t n = x.size(), one = size_t(seconds(1, h)), third = one / 3;
    const auto last = std::minmax_element(x.end() - long(third), x.end());
    return {*last.second - *last.first, (x[n - 1] - x[n - 1 - 4 * one]) / 4};
}

TrayResult sliding_tray(Engine& e, double h)
{
    e.gravity(0, 0, -g);
    Shape t = box(0.3, 0.2, 0.02, 1, 1);
    t.kinematic = true;
    const int tray = e.add(t, 0, 0, -0.02),
              load = e.add(box(0.03, 0.05, 0.01, 0.3, 0.5), 0, 0, 0.01);
    std::vector<double> x;
    for (int i = 0; i < seconds(8, h); i++) {
        const double v[3] = {shaken((i + 0.5) * h), 0, 0}, w[3] = {0, 0, 0};
        e.set_velocity(tray, v, w);
        e.step(h);
        x.push_back(positions(e, {load}, tray)[0][0]);
    }
    return judge_tray(x, h);
}

TrayResult sliding_tray_exact()
{
    const double h = 1e-5;
    double at = 0, v = 0;
    std::vector<double> x;
    for (int i = 0; i < seconds(8, h); i++) {
        const double tray = shaken((i + 0.5) * h), most = 0.5 * g * h;
        v += std::max(-most, std::min(most, tray - v));
        at += h * (v - tray);
        x.push_back(at);
    }
    return judge_tray(x, h);
}

namespace
{
struct Random { // the same on every machine
    uint64_t s = 1;
    double operator()()
    {
        s = s * 6364136223846793005u + 1442695040888963407u;
        return double(s >> 33) / double(1u << 30) - 1;
    }
};
} // namespace

static double energy(Engine& e, const std::vector<int>& id, const Shape& s)
{
    double sum = 0;
    for (int i : id) {
        double x[3], R[9], v[3], w[3];
        e.get(i, x, R, v, w);
        sum += s.mass * g * x[2];
        for (int k = 0; k < 3; k++) {
            const double p = s.half[(k + 1) % 3], q = s.half[(k + 2) % 3];
            const double l = R[k] * w[0] + R[3 + k] * w[1] + R[6 + k] * w[2];
            sum += 0.5 * s.mass * v[k] * v[k] + s.mass * (p * p + q * q) / 6 * l * l;
        }
    }
    return sum;
}

PushResult random_pushes(Engine& e, double h, int steps)
{
    PushResult result{};
    Random random;
    const Shape shape = box(0.05, 0.05, 0.03, 0.5, 0.5);
    std::vector<int> id;
    double f[9] = {0};
    e.gravity(0, 0, -g);
    e.ground(1);
    for (int i = 0; i < 3; i++)
        id.push_back(e.add(shape, i < 2 ? 0.25 * i : 0.1, i < 2 ? 0 : 0.2, 0.03));
    for (int i = 0; i < steps; i++) {
        const bool pushes = i % 40 < 20;
        for (double& q : f)
            q = i % 20 == 0 ? 4 * random() : q;
        double x0[3][3], x[3], F[9] = {0}, work = 0;
        const double before = energy(e, id, shape);
        for (int k = 0; k < 3; k++) {
            e.get(id[size_t(k)], x0[k], nullptr, nullptr, nullptr);
            for (int q = 0; pushes && q < 3; q++)
                F[3 * k + q] = q < 2 ? f[3 * k + q] - 3 * x0[k][q] : 0.2 * f[3 * k + q];
            e.force(id[size_t(k)], F[3 * k], F[3 * k + 1], F[3 * k + 2]);
        }
        e.step(h);
        for (int k = 0; k < 3; k++) {
            e.get(id[size_t(k)], x, nullptr, nullptr, nullptr);
            for (int q = 0; q < 3; q++)
                work += F[3 * k + q] * (x[q] - x0[k][q]);
        }
        const double gain = energy(e, id, shape) - before - work;
        result.engine_gain += gain > 1e-9 ? gain : 0;
        result.friction_gain = std::max(result.friction_gain, e.report.gain);
        result.unsettled += e.report.unsettled;
        result.unconverged += e.report.unconverged;
        result.swept += e.report.swept;
    }
    return result;
}

static double now()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double step_time(const Maker& make, double h, int kind)
{
    EnginePointer e = make();
    if (kind == 3) {
        build_pyramid(*e);
    } else {
        e->ground(1);
        e->gravity(kind == 2 ? 0 : g * std::sin(slope), 0, -g * std::cos(slope));
        for (int i = 0; i < (kind == 2 ? 20 : kind == 1 ? 3 : 1); i++) {
            if (kind == 2)
                e->add(box(0.05, 0.05, 0.05, 0.5, 0.5), 0.2 * (i % 5), 0.2 * (i / 5), 0.05);
            else
                e->add(box(0.05, 0.05, 0.03, 0.5, std::sqrt(0.5)), 0, 0, 0.03 + 0.06 * i);
        }
    }
    double best = INFINITY;
    const int n = 50;
    for (int k = 0; k < 40; k++) {
        const double t = now();
        for (int i = 0; i < n; i++)
            e->step(h);
        best = std::min(best, (now() - t) / n);
    }
    return best;
}
