/*
 * Choose the panels of a picture that show something.
 *
 * A panel scales with its values, so rounding errors of a quantity that is zero would look like a result.
 * They are recognised by their absolute size, and by their size relative to the run's other numbers.
 */
#include "plot_choose.h"

#include <math.h>
#include <string.h>

#include "memory.h"

// Rounding noise in a unit: values below `min`, or below `share` of the largest number in unit `of`.
typedef struct noise_rule {
    const char* unit;
    double min;
    double share; // [-]
    const char* of;
} noise_rule;

// 1 pm is less than an atom, 1e-9 rad moves the end of a lever of 1 m by 1 nm; the integrators' tolerances leave a body
// that does not spin some 1e-9 rad/s; a torque below 1e-9 of the forces has a lever of 1 nm. An energy residual is small
// by nature, so 1e-12.
static const noise_rule rules[] = {
    {"[m]", 1e-12, 1e-9, "[m]"},    {"[m/s]", 1e-12, 1e-9, "[m/s]"},
    {"[rad]", 1e-9, 1e-9, "[rad]"}, {"[rad/s]", 1e-8, 1e-9, "[rad/s]"},
    {"[N]", 1e-14, 1e-9, "[N]"},    {"[N m]", 1e-14, 1e-9, "[N]"},
    {"[J]", 1e-14, 1e-12, "[J]"},
};

static const char* unit_of(const plot_panel* panel)
{
    const char* unit = strrchr(panel->label, '[');
    return unit ? unit : "";
}

static double largest_of(const plot_panel* panel, const table* data)
{
    double low, high;
    plot_panel_range(panel, data, &low, &high);
    return low <= high ? fmax(fabs(low), fabs(high)) : 0;
}

// The largest number in all panels with this unit.
static double largest_in_unit(const plot* all, const table* data, const char* unit)
{
    double largest = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(unit_of(&all->panels[i]), unit) == 0) {
            largest = fmax(largest, largest_of(&all->panels[i], data));
        }
    }
    return largest;
}

static double noise_of(const plot* all, const plot_panel* panel, const table* data)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const noise_rule* rule = &rules[i];
        if (strcmp(rule->unit, unit_of(panel)) == 0) {
            return fmax(rule->min, rule->share * largest_in_unit(all, data, rule->of));
        }
    }
    return 0;
}

static bool is_constant(const plot_panel* panel, double noise, const table* data)
{
    static const double rounding = 1e-9; // of the number itself [-]
    for (int i = 0; i < PLOT_CURVES && panel->curves[i].title; i++) {
        const plot_panel alone = {.label = panel->label, .curves = {panel->curves[i]}};
        double low, high;
        plot_panel_range(&alone, data, &low, &high);
        const double largest = fmax(fabs(low), fabs(high));
        if (high - low > rounding * largest && largest > noise) {
            return false;
        }
    }
    return true;
}

// --- notes ----------------------------------------------------------------------------------------

// "x = 0 m, " for each curve of a constant panel.
static const char* add_constants(const char* text, const plot_panel* panel, double noise,
                                 const table* data)
{
    const char* unit = unit_of(panel);
    const int length = *unit ? (int)strcspn(unit + 1, "]") : 0;
    for (int i = 0; i < PLOT_CURVES && panel->curves[i].title; i++) {
        const double value = table_row(data, 0)[panel->curves[i].column];
        text = memory_format(
            "%s%s%s = %.4g %.*s", text, *text ? ", " : "constant: ", panel->curves[i].title,
            fabs(value) > noise ? value : 0, length, length == 1 && unit[1] == '-' ? "" : unit + 1);
    }
    return text;
}

// The label of a panel without its unit.
static const char* add_name(const char* text, const plot_panel* panel)
{
    const int length = (int)(unit_of(panel) - panel->label);
    return memory_format("%s%s%.*s", text, *text ? ", " : "plot.panels=all shows also: ",
                         length > 0 ? length - 1 : length, panel->label);
}

// --- choice ---------------------------------------------------------------------------------------

static double* measure_noise(const plot* all, const table* data)
{
    static const double rounding = 1e-14; // in any unit
    double* noise = memory_allocate(all->count, sizeof *noise);
    for (size_t i = 0; i < all->count; i++) {
        noise[i] = fmax(rounding, noise_of(all, &all->panels[i], data));
    }
    return noise;
}

// Mark the panels that vary; all if none does.
static bool* find_varying(const plot* all, const double* noise, const table* data)
{
    bool* varies = memory_allocate(all->count, sizeof *varies);
    bool any = false;
    for (size_t i = 0; i < all->count; i++) {
        varies[i] = !is_constant(&all->panels[i], noise[i], data);
        any = any || varies[i];
    }
    for (size_t i = 0; !any && i < all->count; i++) {
        varies[i] = true;
    }
    return varies;
}

// A picture of only the panels with these indices, in order.
static plot pick(const plot* all, const size_t* indices, size_t count, const double* noise)
{
    plot_panel* panels = memory_allocate(count, sizeof *panels);
    plot_decoration* decorations = memory_allocate(count, sizeof *decorations);
    double* floors = memory_allocate(count, sizeof *floors);
    for (size_t i = 0; i < count; i++) {
        panels[i] = all->panels[indices[i]];
        floors[i] = noise[indices[i]];
        if (all->decorations) {
            decorations[i] = all->decorations[indices[i]];
        }
    }
    plot picked = *all;
    picked.panels = panels;
    picked.count = count;
    picked.decorations = all->decorations ? decorations : NULL;
    picked.noise = floors;
    return picked;
}

// Mark up to PLOT_FEW panels that vary, lowest ranks first.
static bool* find_shown(const plot* all, const bool* varies)
{
    enum { RANKS = 8 };
    bool* shown = memory_allocate(all->count, sizeof *shown);
    size_t count = 0;
    for (int rank = 0; rank < RANKS; rank++) {
        for (size_t i = 0; i < all->count && count < PLOT_FEW; i++) {
            if (varies[i] && rank == (all->ranks ? all->ranks[i] : 0)) {
                shown[i] = true;
                count++;
            }
        }
    }
    return shown;
}

plot plot_choose(const plot* all, const table* data, bool is_all)
{
    const double* noise = measure_noise(all, data);
    const bool* varies = find_varying(all, noise, data);
    const bool* shown = find_shown(all, varies);
    size_t* indices = memory_allocate(all->count, sizeof *indices);
    size_t count = 0;
    const char *constants = "", *others = "";
    for (size_t i = 0; i < all->count; i++) {
        if (is_all || shown[i]) {
            indices[count++] = i;
        } else if (varies[i]) {
            others = add_name(others, &all->panels[i]);
        } else {
            constants = add_constants(constants, &all->panels[i], noise[i], data);
        }
    }
    plot chosen = pick(all, indices, count, noise);
    chosen.notes[0] = constants;
    chosen.notes[1] = others;
    return chosen;
}
