// Prints a table for each engine: alone and with bristle, at 1/60 and 1/240 s, MuJoCo at 2 ms.
// Arguments: engines (bullet ode quick dart mujoco), tables (holds puck drag stick tray pushes cost), all by default; `with`: not the engine
// alone; `scene=NAME`: holds whose name contains it; `pushes=N`; `check`: the test, with bristle only and without times.
#include "scenes.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static std::vector<double> rates; // of the engine [Hz]

static struct Options {
    std::vector<std::string> words;
    std::string scene;
    int pushes = 10000;
    bool with = false; // not the engine alone
    bool check = false, failed = false;
} options;

// Whether a word of a group was given, or none of them.
static bool wanted(const std::string& name, const std::vector<std::string>& group)
{
    bool any = false;
    for (const std::string& word : options.words) {
        if (word == name)
            return true;
        any |= std::find(group.begin(), group.end(), word) != group.end();
    }
    return !any;
}

static void expect(bool ok, const char* what)
{
    if (options.check && !ok) {
        printf("  <- %s", what);
        options.failed = true;
    }
}

typedef std::function<EnginePointer(bool, const brg_def*)> EngineMaker;

// A column of the table.
struct Column {
    bool bristle; // else the engine alone
    double rate;  // [Hz]
};
static std::vector<Column> columns()
{
    std::vector<Column> all;
    for (const bool bristle : {false, true})
        for (const double rate : rates)
            if (bristle || !options.with)
                all.push_back({bristle, rate});
    return all;
}

static void print_holds(const EngineMaker& make)
{
    for (size_t s = 0; s < hold_count; s++) {
        if (!strstr(holds[s].name, options.scene.c_str()))
            continue;
        printf("  %-32s creep [um/s]", holds[s].name);
        for (const Column& c : columns()) {
            EnginePointer e = make(c.bristle, nullptr);
            const double creep = holds[s].creep(*e, 1 / c.rate);
            printf("  %10.3g", 1e6 * creep);
            expect(creep <= 1e-6, "more than 1 um/s");
            fflush(stdout);
        }
        printf("\n");
    }
}

// `bristle run` of the same pucks, model distributed: 185.4 mm and 13.41 rad, 74.6 mm and 1.80 rad; the steps take h v/2
// and h w/2 off
static void print_pucks(const EngineMaker& make)
{
    const double spin[2] = {40, 10}, distance[2] = {0.1854, 0.0746}, angle[2] = {13.41, 1.80};
    for (int i = 0; i < 2; i++) {
        printf("  puck, 0.5 m/s, %.0f rad/s: mm, rad  ", spin[i]);
        for (const Column& c : columns()) {
            EnginePointer e = make(c.bristle, nullptr);
            const double h = 1 / c.rate;
            const PuckResult r =
                slide_puck(*e, h, {true, {0.04, 0.04, 0.01}, 0.1, 0.2, 0.04}, 0.5, spin[i]);
            printf("  %6.1f %6.2f", 1e3 * r.distance, r.angle);
            if (c.rate < 240)
                continue;
            expect(std::fabs(r.distance - distance[i]) <= 0.01 * distance[i] + 0.5 * h * 0.5,
                   "wrong distance");
            expect(std::fabs(r.angle - angle[i]) <= 0.01 * angle[i] + 0.5 * h * spin[i],
                   "wrong angle");
        }
        printf("\n");
    }
}

static void print_drag(const EngineMaker& make)
{
    printf("  box drawn by a spring: force over mu m g ");
    for (const Column& c : columns()) {
        EnginePointer e = make(c.bristle, nullptr);
        const double force = drag_force(*e, 1 / c.rate);
        printf("  %10.4f", force);
        expect(std::fabs(force - 1) < 0.01, "wrong force");
    }
    printf("\n");
}

static brg_def sticky()
{
    brg_def def = brg_def_default();
    def.static_ratio = 1.5;
    return def;
}

// Exact: 1.5, 0.5 and 2
static void print_stick_slip(const EngineMaker& make)
{
    const brg_def def = sticky();
    printf("  slow spring, mu_s = 1.5 mu_c: force    ");
    for (const Column& c : columns()) {
        EnginePointer e = make(c.bristle, &def);
        const StickSlip r = stick_slip(*e, 1 / c.rate);
        printf("  %5.3f %5.3f %d", r.most, r.least, r.slips);
        expect(std::fabs(r.most - 1.5) <= 0.05, "wrong static friction");
        expect(std::fabs(r.least - 0.5) <= 0.07, "wrong end of a slip");
        expect(r.slips == 2, "wrong number of slips");
    }
    printf("\n");
}

static void print_tray(const EngineMaker& make)
{
    const TrayResult exact = sliding_tray_exact();
    printf("  tray, 1.5 mu g (%.2f mm, %.2f mm/s)     ", 1e3 * exact.range, 1e3 * exact.drift);
    for (const Column& c : columns()) {
        EnginePointer e = make(c.bristle, nullptr);
        const double h = 1 / c.rate;
        const TrayResult r = sliding_tray(*e, h);
        printf("  %6.2f %7.3f", 1e3 * r.range, 1e3 * r.drift);
        // Bullet loses points of the moving tray at 1/60 s: its range is its own, and its drift is decided by rounding
        const double off = std::fabs(r.range - exact.range) / exact.range;
        expect(off < 0.3, "range");
        expect(off > 0.1 || std::fabs(r.drift) < 1e-4, "drifts");
        expect(c.rate < 240 || std::fabs(r.range / exact.range - 1) < 0.05,
               "wrong range"); // bristles give way by 50 um in each reversal: 3 %
    }
    printf("\n");
}

static void print_pushes(const EngineMaker& make)
{
    for (const Column& c : columns()) {
        EnginePointer e = make(c.bristle, nullptr);
        const PushResult r = random_pushes(*e, 1 / c.rate, options.pushes);
        printf(
            "  %d pushes, 1/%.0f s%s: all gains %.3g mJ; of friction %.2g J; unsettled %d, unconverged %d, swept %d",
            options.pushes, c.rate, c.bristle ? ", bristle" : "", 1e3 * r.engine_gain,
            r.friction_gain, r.unsettled, r.unconverged, r.swept);
        expect(r.friction_gain < 1e-14, "friction gains energy"); // rounding of some J
        printf("\n");
    }
}

static void print_cost(const EngineMaker& make)
{
    const char* const kinds[] = {"a box", "stack of 3", "20 boxes", "pyramid of 15"};
    for (int kind = 0; kind < 4; kind++) {
        const double alone = step_time([&] { return make(false, nullptr); }, 1 / rates[0], kind);
        const double with = step_time([&] { return make(true, nullptr); }, 1 / rates[0], kind);
        printf("  cost, %-14s %7.1f us alone, %7.1f with bristle: %.2f\n", kinds[kind], 1e6 * alone,
               1e6 * with, with / alone);
    }
}

static void read_options(int count, char** words)
{
    for (int i = 1; i < count; i++) {
        const std::string word = words[i];
        if (word == "with" || word == "check")
            options.with = true;
        if (word == "check")
            options.check = true;
        if (word.rfind("scene=", 0) == 0)
            options.scene = word.substr(6);
        if (word.rfind("pushes=", 0) == 0)
            options.pushes = atoi(word.c_str() + 7);
        options.words.push_back(word);
    }
}

int main(int count, char** words)
{
    const std::vector<std::string> engines = {"bullet", "ode", "quick", "dart", "mujoco"};
    const std::vector<std::string> tables = {"holds", "puck",   "drag", "stick",
                                             "tray",  "pushes", "cost"};
    const EngineMaker makers[] = {
        make_bullet,
        [](bool b, const brg_def* def) { return make_ode(b, false, def); },
        [](bool b, const brg_def* def) { return make_ode(b, true, def); },
#ifdef BRISTLE_DART
        make_dart,
#else
        nullptr,
#endif
#ifdef BRISTLE_MUJOCO
        make_mujoco,
#else
        nullptr,
#endif
    };
    const char* const names[] = {"Bullet 3.24", "ODE 0.16.2, dWorldStep",
                                 "ODE 0.16.2, dWorldQuickStep", "DART 6.12.1", "MuJoCo 2.2.2"};
    read_options(count, words);
    for (size_t i = 0; i < engines.size(); i++) {
        if (!wanted(engines[i], engines))
            continue;
        if (!makers[i]) {
            printf("skipped: no %s\n", names[i]);
            continue;
        }
        const bool slow = engines[i] != "mujoco"; // its soft contacts need short steps
        rates = slow ? std::vector<double>{60, 240} : std::vector<double>{500};
        const char* const steps = slow ? "1/60 and 1/240 s" : "2 ms";
        printf("-- %s: %s%s%swith bristle at %s\n", names[i], options.with ? "" : "alone at ",
               options.with ? "" : steps, options.with ? "" : ", ", steps);
        if (wanted("holds", tables))
            print_holds(makers[i]);
        if (wanted("puck", tables))
            print_pucks(makers[i]);
        if (wanted("drag", tables))
            print_drag(makers[i]);
        if (wanted("stick", tables))
            print_stick_slip(makers[i]);
        if (wanted("tray", tables))
            print_tray(makers[i]);
        if (wanted("pushes", tables))
            print_pushes(makers[i]);
        if (!options.check && wanted("cost", tables))
            print_cost(makers[i]);
        fflush(stdout);
    }
    return options.failed;
}
