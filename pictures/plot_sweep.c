/*
 * Pictures of sweeps: writes the gnuplot script.
 *
 *   one axis       a panel with the curve of each output; with samples mean, median and quantiles, on a logarithmic axis if
 *                  they span two decades
 *   two axes       a map of one output; with samples, of its mean; with an optional contour
 *   only samples   a histogram of one output with mean, interval and share of failures, and the output over each input
 *   indices        bars of first and total indices with their intervals
 */
#include "plot_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "memory.h"
#include "message.h"

enum {
    WIDTH = PLOT_WIDTH,
    PANEL = 300,       // height of one [px]
    MAP_HEIGHT = 620,  // [px]
    MOST_PANELS = 4,   // of curves, or of inputs in scatters
    BINS = 60,         // of a histogram
    MOST_POINTS = 4000 // of a scatter plot: more could not be distinguished
};

// The input of a picture.
typedef struct scene {
    const sweep_results* r;
    const sweep_metadata* metadata;
    size_t axes;    // without the axis of the samples
    size_t samples; // 1: none
    size_t marked;  // the column in --contour, else the first output
    bool has_mark;
    double mark;
    FILE* to;
} scene;

// --- numbers --------------------------------------------------------------------------------------

static bool name_is(const br_sweep_column* c, const char* name, size_t length)
{
    return strlen(c->name) == length && strncmp(c->name, name, length) == 0;
}

static void read_contour(scene* s, const char* contour)
{
    s->marked = s->metadata->input_count;
    if (!contour) {
        return;
    }
    const char* equals = strrchr(contour, '=');
    const size_t length = equals ? (size_t)(equals - contour) : 0;
    const size_t end = s->metadata->input_count + s->metadata->output_count;
    while (s->marked < end && !name_is(&s->metadata->columns[s->marked], contour, length)) {
        s->marked++;
    }
    if (s->marked == end || !br_text_read_number(equals + 1, &s->mark)) {
        message_fail(EXIT_USAGE, "--contour %s: must be PATH=VALUE with a PATH of --want", contour);
    }
    s->has_mark = true;
}

// The first input along an axis, which labels it.
static size_t input_of_axis(const scene* s, size_t axis)
{
    size_t i = 0;
    while (s->metadata->axes[i] != axis) {
        i++;
    }
    return i;
}

// Number of cases between neighbours along an axis.
static size_t stride_of(const scene* s, size_t axis)
{
    size_t stride = 1;
    for (size_t i = axis + 1; i < s->metadata->axis_count; i++) {
        stride *= s->metadata->shape[i];
    }
    return stride;
}

static double place_along(const scene* s, size_t axis, size_t index)
{
    return sweep_results_number(s->r, index * stride_of(s, axis), input_of_axis(s, axis));
}

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The finite values of `column` in `count` cases from `first` on, sorted. Returns their number.
static size_t gather(const scene* s, size_t column, size_t first, size_t count, double* to)
{
    size_t got = 0;
    for (size_t i = 0; i < count; i++) {
        const double x = sweep_results_number(s->r, first + i, column);
        if (isfinite(x)) {
            to[got++] = x;
        }
    }
    qsort(to, got, sizeof *to, compare);
    return got;
}

static double mean_of(const double* values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return count > 0 ? sum / (double)count : (double)NAN;
}

// A quantile of sorted values, with linear interpolation.
static double quantile(const double* values, size_t count, double share)
{
    if (count == 0) {
        return (double)NAN;
    }
    const double position = share * (double)(count - 1);
    const size_t below = (size_t)position;
    const double rest = position - (double)below;
    return below + 1 < count ? values[below] * (1 - rest) + values[below + 1] * rest
                             : values[count - 1];
}

// --- labels and axes ------------------------------------------------------------------------------

static const char* label_of(const br_sweep_column* c)
{
    return *c->unit ? memory_format("%s [%s]", c->name, c->unit) : memory_format("%s", c->name);
}

// The label of a column with numbers from `min` to `max`, and the factor on them.
static plot_axis axis_for(const scene* s, size_t column, double min, double max)
{
    return plot_make_axis(label_of(&s->metadata->columns[column]), fmax(fabs(min), fabs(max)));
}

static bool is_logarithmic(const scene* s, size_t axis)
{
    const size_t count = s->metadata->shape[axis];
    if (count < 3 || s->metadata->columns[input_of_axis(s, axis)].words) {
        return false;
    }
    const double first = place_along(s, axis, 0), last = place_along(s, axis, count - 1);
    const double step = place_along(s, axis, 1) / first;
    return first > 0 && last > 0 && fabs(log(last / first)) > 1 &&
           fabs(log(step) * (double)(count - 1) / log(last / first) - 1) < 1e-6;
}

// Label, scale and, for words, tics of the axis `letter`.
static plot_axis write_axis(const scene* s, size_t axis, char letter)
{
    const size_t input = input_of_axis(s, axis), count = s->metadata->shape[axis];
    const br_sweep_column* c = &s->metadata->columns[input];
    const plot_axis label =
        axis_for(s, input, place_along(s, axis, 0), place_along(s, axis, count - 1));
    fprintf(s->to, "set %clabel %s\n", letter, label.label);
    fprintf(s->to, is_logarithmic(s, axis) ? "set logscale %c\n" : "unset logscale %c\n", letter);
    for (size_t i = 0; c->words && i < count; i++) {
        fprintf(s->to, "%s%s %zu%s", i ? ", " : memory_format("set %ctics (", letter),
                plot_quote(c->words[i]), i, i + 1 == count ? ")\n" : "");
    }
    return (plot_axis){label.label, c->words ? 1 : label.factor};
}

static void write_head(const scene* s, const output* to, size_t height)
{
    plot_write_terminal(to->name, WIDTH, height, s->to);
    plot_write_styles(s->to);
    fputs("set offsets 0, 0, 0, 0\n", s->to);
}

static const char* title_of(const scene* s, const char* more)
{
    const size_t failed = sweep_results_sum(s->r).failed;
    const char* failures =
        failed > 0 ? memory_format(", %.3g %% failed",
                                   100.0 * (double)failed / (double)s->metadata->case_count)
                   : "";
    return memory_format("%s: %zu cases%s%s", text_stem(s->metadata->name), s->metadata->case_count,
                         failures, more);
}

// An empty panel with a note, where no case has a number.
static void write_nothing(FILE* to)
{
    fputs("set label 9 'no case has a number' at graph 0.5, graph 0.5 center\nset format xy ''\n"
          "plot [1:2] [1:2] NaN notitle\nset format\nunset label 9\n",
          to);
}

// --- one axis: curves -----------------------------------------------------------------------------

// Quantiles of the samples at a point.
static const double shares[] = {0.01, 0.05, 0.5, 0.95, 0.99};
enum { SHARES = sizeof shares / sizeof *shares, MEDIAN = 2 };
enum { MEAN_COLUMN = 1 + SHARES, CURVE_WIDTH = 2 + SHARES }; // x, quantiles, mean

// x, quantiles and mean of an output at each point of the axis (shape x CURVE_WIDTH).
static double* compute_curve(const scene* s, size_t column)
{
    const size_t count = s->metadata->shape[0];
    double* curve = memory_allocate(count * CURVE_WIDTH, sizeof *curve);
    double* values = memory_allocate(s->samples, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        double* row = curve + i * CURVE_WIDTH;
        const size_t got = gather(s, column, i * s->samples, s->samples, values);
        row[0] = place_along(s, 0, i);
        for (int k = 0; k < SHARES; k++) {
            row[1 + k] = quantile(values, got, shares[k]);
        }
        row[MEAN_COLUMN] = mean_of(values, got);
    }
    memory_release(values);
    return curve;
}

// The lowest number that a logarithmic axis shows: the smallest one above 0 of median and upper quantiles, at most six
// decades below the largest. NaN: the axis is linear, since there are negative numbers, or these span less than two decades.
static double lowest_shown(const scene* s, const double* curve)
{
    const double least = 1e2, most = 1e6; // spans of a logarithmic axis [-]
    double min = HUGE_VAL, max = 0;
    for (size_t i = 0; i < s->metadata->shape[0]; i++) {
        const double* row = curve + i * CURVE_WIDTH;
        if (row[1] < 0 || row[MEAN_COLUMN] < 0) {
            return (double)NAN;
        }
        for (int k = 1 + MEDIAN; k <= SHARES; k++) {
            min = row[k] > 0 ? fmin(min, row[k]) : min;
            max = fmax(max, row[k]);
        }
    }
    return s->samples > 1 && max > least * min ? fmax(min, max / most) : (double)NAN;
}

// The first x at which a column of the curve crosses the contour value, interpolated as the axis shows it; NaN: none.
static double crossing(const scene* s, const double* curve, int column, bool is_log)
{
    for (size_t i = 1; i < s->metadata->shape[0]; i++) {
        const double *a = curve + (i - 1) * CURVE_WIDTH, *b = a + CURVE_WIDTH;
        const bool use_log = is_log && a[column] > 0 && b[column] > 0 && s->mark > 0;
        const double before = use_log ? log(a[column] / s->mark) : a[column] - s->mark;
        const double after = use_log ? log(b[column] / s->mark) : b[column] - s->mark;
        if (before * after <= 0 && before != after) {
            return a[0] + (b[0] - a[0]) * before / (before - after);
        }
    }
    return (double)NAN;
}

// The contour value as a line, and where curves cross it.
static void write_crossing(const scene* s, const double* curve, const plot_axis* x, double factor,
                           bool is_log)
{
    const struct {
        int column;
        const char* name;
    } lines[] = {{1 + MEDIAN, s->samples > 1 ? "median: " : ""}, {SHARES, "99 %: "}};
    const char* units[] = {s->metadata->columns[s->marked].unit,
                           s->metadata->columns[input_of_axis(s, 0)].unit};
    const double level = factor * s->mark, first = x->factor * place_along(s, 0, 0),
                 last = x->factor * place_along(s, 0, s->metadata->shape[0] - 1);
    fprintf(
        s->to,
        "set arrow 1 from graph 0, first %.9g to graph 1, first %.9g nohead front linecolor rgb "
        "'#c00000' linewidth 1.2\n",
        level, level);
    for (int i = 0; i < (s->samples > 1 ? 2 : 1); i++) {
        const double at = crossing(s, curve, lines[i].column, is_log);
        if (isfinite(at)) {
            const char* text = memory_format("%s%.4g %s at %.4g %s", lines[i].name, s->mark,
                                             units[0], at, units[1]);
            // below the line for the first, above it for the second, towards the middle of the panel
            const bool is_left = x->factor * at < 0.5 * (first + last);
            fprintf(
                s->to,
                "set label %d %s at first %.9g, first %.9g %s offset %d, %g front point pointtype 7 "
                "pointsize 0.8 linecolor rgb '#c00000' textcolor rgb '#c00000'\n",
                i + 1, plot_quote(text), x->factor * at, level, is_left ? "left" : "right",
                is_left ? 1 : -1, i ? 0.7 : -0.7);
        }
    }
}

// Numbers below `low` are drawn there; NaN: as they are.
static void write_curve_data(const double* curve, size_t count, double x_factor, double factor,
                             double low, FILE* to)
{
    fputs("$data << EOD\n", to);
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < CURVE_WIDTH; k++) {
            const double value = curve[i * CURVE_WIDTH + k];
            fprintf(to, "%.9g ", k ? factor * (value < low ? low : value) : x_factor * value);
        }
        fputc('\n', to);
    }
    fputs("EOD\n", to);
}

static void write_curve_panel(const scene* s, size_t column, const plot_axis* x)
{
    const size_t count = s->metadata->shape[0];
    const double* curve = compute_curve(s, column);
    double max = (double)NAN;
    for (size_t i = 0; i < count; i++) {
        max = fmax(max, fabs(curve[i * CURVE_WIDTH + SHARES]));
    }
    const double low = lowest_shown(s, curve);
    const plot_axis y = axis_for(s, column, 0, isnan(max) ? 0 : max);
    fputs(isnan(low) ? "unset logscale y\nset format y\n" : "set logscale y\nset format y '1e%T'\n",
          s->to);
    fprintf(s->to, "unset arrow\nunset label\nset ylabel %s\n", y.label);
    if (isnan(max)) {
        write_nothing(s->to);
        return;
    }
    if (s->has_mark && column == s->marked) {
        write_crossing(s, curve, x, y.factor, !isnan(low));
    }
    write_curve_data(curve, count, x->factor, y.factor, low, s->to);
    if (s->samples > 1) {
        fputs(
            "plot $data using 1:2:6 with filledcurves fillstyle solid noborder fillcolor rgb '#deebf7' title '1 to 99 %', "
            "$data using 1:3:5 with filledcurves fillstyle solid noborder fillcolor rgb '#9ecae1' title '5 to 95 %', "
            "$data using 1:4 with lines linetype 1 title 'median', "
            "$data using 1:7 with lines linetype 2 title 'mean'\n",
            s->to);
    } else {
        fprintf(s->to,
                "plot $data using 1:4 with %s linetype 1 pointtype 7 pointsize 0.4 notitle\n",
                count > 200 ? "lines" : "linespoints");
    }
}

static void draw_curves(scene* s, const output* to)
{
    const size_t outputs = s->metadata->output_count,
                 panels = outputs < MOST_PANELS ? outputs : MOST_PANELS;
    const size_t first =
        s->marked < s->metadata->input_count + panels ? s->metadata->input_count : s->marked;
    write_head(s, to, PANEL * panels + PLOT_HEAD);
    plot_write_title(title_of(s, ""), s->to);
    const plot_axis x = write_axis(s, 0, 'x');
    fputs("set autoscale xfix\nset key above\n", s->to);
    for (size_t i = 0; i < panels; i++) {
        const double height = (double)PANEL / (double)(PANEL * panels + PLOT_HEAD);
        fprintf(s->to, "set size 1, %.5f\nset origin 0, %.5f\n", height,
                height * (double)(panels - 1 - i));
        write_curve_panel(s, i == 0 ? first : s->metadata->input_count + i, &x);
    }
    fputs("unset multiplot\n", s->to);
}

// --- two axes: a map ------------------------------------------------------------------------------

// The edges of a map's cells along an axis: half-way to their neighbours, in any order. On a logarithmic axis,
// half-way of the logarithms.
typedef struct cells {
    double *at, *low, *high; // (count)
    size_t count;
} cells;

// The nearest of sorted values below `at`, or above it; NaN: none.
static double neighbour(const double* sorted, size_t count, double at, bool is_above)
{
    size_t low = 0, high = count; // the first that is not below, or the first that is above
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const bool is_before = is_above ? sorted[middle] <= at : sorted[middle] < at;
        *(is_before ? &low : &high) = is_before ? middle + 1 : middle;
    }
    return is_above  ? low < count ? sorted[low] : (double)NAN
           : low > 0 ? sorted[low - 1]
                     : (double)NAN;
}

static cells lay_cells(const scene* s, size_t axis, double factor)
{
    const size_t n = s->metadata->shape[axis];
    const bool is_log = is_logarithmic(s, axis);
    double* block = memory_allocate(4 * n, sizeof *block);
    const cells out = {block, block + n, block + 2 * n, n};
    double* sorted = block + 3 * n;
    for (size_t i = 0; i < n; i++) {
        out.at[i] = factor * place_along(s, axis, i);
        sorted[i] = out.at[i] = is_log ? log(out.at[i]) : out.at[i];
    }
    qsort(sorted, n, sizeof *sorted, compare);
    for (size_t i = 0; i < n; i++) {
        const double x = out.at[i], below = x - neighbour(sorted, n, x, false),
                     above = neighbour(sorted, n, x, true) - x;
        const double alone = x == 0 ? 1 : fabs(x); // a map of one column or row
        out.low[i] = x - 0.5 * (isfinite(below) ? below : isfinite(above) ? above : alone);
        out.high[i] = x + 0.5 * (isfinite(above) ? above : isfinite(below) ? below : alone);
    }
    for (size_t i = 0; is_log && i < 3 * n; i++) {
        block[i] = exp(block[i]);
    }
    return out;
}

static void write_range(const cells* c, char letter, FILE* to)
{
    double min = HUGE_VAL, max = -HUGE_VAL;
    for (size_t i = 0; i < c->count; i++) {
        min = fmin(min, c->low[i]);
        max = fmax(max, c->high[i]);
    }
    fprintf(to, "set %crange [%.9g:%.9g]\n", letter, min, max);
}

// Means of the marked output over the map (x.count x y.count).
static double* compute_map(const scene* s, double factor)
{
    const size_t count = s->metadata->shape[0] * s->metadata->shape[1];
    double* map = memory_allocate(count, sizeof *map);
    double* values = memory_allocate(s->samples, sizeof *values);
    for (size_t i = 0; i < count; i++) {
        map[i] = factor * mean_of(values, gather(s, s->marked, i * s->samples, s->samples, values));
    }
    memory_release(values);
    return map;
}

// A grid for contours, and boxes for all cells that have a number.
static void write_map_data(const scene* s, const cells* x, const cells* y, const double* map)
{
    fputs("$grid << EOD\n", s->to);
    for (size_t i = 0; i < x->count * y->count; i++) {
        const size_t row = i / y->count, column = i % y->count;
        fprintf(s->to, isfinite(map[i]) ? "%.9g %.9g %.9g\n" : "%.9g %.9g NaN\n", x->at[row],
                y->at[column], map[i]);
        fputs(column + 1 == y->count ? "\n" : "", s->to);
    }
    fputs("EOD\n$cells << EOD\n", s->to);
    for (size_t i = 0; i < x->count * y->count; i++) {
        const size_t row = i / y->count, column = i % y->count;
        if (isfinite(map[i])) {
            fprintf(s->to, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", x->at[row], y->at[column],
                    x->low[row], x->high[row], y->low[column], y->high[column], map[i]);
        }
    }
    fputs("EOD\n", s->to);
}

static void write_contour(const scene* s, double level)
{
    fprintf(
        s->to,
        "set contour base\nset cntrparam levels discrete %.9g\nunset surface\n"
        "set table $contour\nsplot $grid using 1:2:3\nunset table\nunset contour\nset surface\n",
        level);
}

static void draw_map(scene* s, const output* to)
{
    const sweep_moments m = sweep_results_moments(s->r, s->marked);
    const plot_axis z = axis_for(s, s->marked, m.least, m.most);
    write_head(s, to, MAP_HEIGHT);
    plot_write_title(title_of(s, s->samples > 1 ? ", means" : ""), s->to);
    const cells x = lay_cells(s, 0, write_axis(s, 0, 'x').factor);
    const cells y = lay_cells(s, 1, write_axis(s, 1, 'y').factor);
    if (m.count == 0) {
        write_nothing(s->to);
        fputs("unset multiplot\n", s->to);
        return;
    }
    write_map_data(s, &x, &y, compute_map(s, z.factor));
    write_range(&x, 'x', s->to);
    write_range(&y, 'y', s->to);
    if (s->has_mark) {
        write_contour(s, z.factor * s->mark);
    }
    fprintf(
        s->to,
        "set palette defined (0 '#f7fbff', 0.25 '#c6dbef', 0.5 '#6baed6', 0.75 '#2171b5', 1 '#08306b')\n"
        "set cblabel %s\nunset key\nset tics out\nset rmargin at screen 0.83\n"
        "set tmargin at screen 0.93\n"
        "plot $cells using 1:2:3:4:5:6:7 with boxxyerror linewidth 0.5 linecolor palette fillstyle solid 1",
        z.label);
    if (s->has_mark) {
        fputs(", $contour using 1:2 with lines dashtype 1 linecolor rgb '#c00000' linewidth 2",
              s->to);
    }
    fputs("\nunset multiplot\n", s->to);
}

// --- only samples ---------------------------------------------------------------------------------

static void write_histogram(const scene* s, const sweep_moments* m, double factor)
{
    size_t bins[BINS] = {0};
    const double width = m->most > m->least ? (m->most - m->least) / BINS : 1;
    for (size_t i = 0; i < s->metadata->case_count; i++) {
        const double x = sweep_results_number(s->r, i, s->marked);
        if (isfinite(x)) {
            const size_t bin = (size_t)((x - m->least) / width);
            bins[bin < BINS ? bin : BINS - 1]++;
        }
    }
    fputs("$bins << EOD\n", s->to);
    for (size_t i = 0; i < BINS; i++) {
        fprintf(s->to, "%.9g %.9g\n", factor * (m->least + ((double)i + 0.5) * width),
                100.0 * (double)bins[i] / (double)(m->count ? m->count : 1));
    }
    fputs("EOD\n", s->to);
}

// The step between cases that are drawn, so that memory and picture stay small.
static size_t thin_out(const scene* s)
{
    return 1 + s->metadata->case_count / MOST_POINTS;
}

static void write_interval(const scene* s, const sweep_moments* m, double factor)
{
    enum { MOST_SORTED = 1 << 20 };
    const size_t cases = s->metadata->case_count, count = cases < MOST_SORTED ? cases : MOST_SORTED;
    double* values = memory_allocate(count, sizeof *values);
    const size_t got = gather(s, s->marked, 0, count, values);
    const double low = quantile(values, got, 0.025), high = quantile(values, got, 0.975);
    memory_release(values);
    const double ends[] = {low, m->mean, high};
    for (int i = 0; i < 3; i++) {
        fprintf(
            s->to,
            "set arrow %d from first %.9g, graph 0 to first %.9g, graph 1 nohead front linetype %d\n",
            i + 1, factor * ends[i], factor * ends[i], i == 1 ? 1 : 3);
    }
    fprintf(s->to, "set label 1 %s at graph 0.98, graph 0.92 right\n",
            plot_quote(memory_format("mean %.4g, 95 %% in %.4g to %.4g", factor * m->mean,
                                     factor * low, factor * high)));
    if (s->has_mark) {
        size_t above = 0, all = 0;
        for (size_t i = 0; i < cases; i++) {
            const double x = sweep_results_number(s->r, i, s->marked);
            above += isfinite(x) && x > s->mark;
            all += isfinite(x);
        }
        fprintf(
            s->to,
            "set arrow 4 from first %.9g, graph 0 to first %.9g, graph 1 nohead linecolor rgb "
            "'#c00000' linewidth 1.2\nset label 2 %s at graph 0.98, graph 0.84 right textcolor rgb "
            "'#c00000'\n",
            factor * s->mark, factor * s->mark,
            plot_quote(memory_format("%.3g %% above %.4g", 100.0 * (double)above / (double)all,
                                     factor * s->mark)));
    }
}

// A step of 1, 2 or 5 times a power of ten that gives at most five tics.
static double tic_step(double span)
{
    if (!(span > 0)) {
        return 1;
    }
    const double ten = pow(10, floor(log10(span / 5)));
    const double ideal = span / 5 / ten;
    return ten * (ideal <= 1 ? 1 : ideal <= 2 ? 2 : ideal <= 5 ? 5 : 10);
}

static void write_scatter(const scene* s, size_t input, double factor)
{
    const size_t step = thin_out(s);
    const sweep_moments m = sweep_results_moments(s->r, input);
    const plot_axis x = axis_for(s, input, m.least, m.most);
    size_t count = 0;
    fputs("$points << EOD\n", s->to);
    for (size_t i = 0; i < s->metadata->case_count; i += step) {
        const journal_case one = sweep_results_read(s->r, i);
        if (isfinite(one.numbers[s->marked])) {
            fprintf(s->to, "%.9g %.9g\n", x.factor * one.numbers[input],
                    factor * one.numbers[s->marked]);
            count++;
        }
    }
    fprintf(s->to, "EOD\nset xlabel %s\nset xtics %.3g\n", x.label,
            tic_step(x.factor * (m.most - m.least)));
    if (count == 0) {
        write_nothing(s->to);
        return;
    }
    fputs("plot $points using 1:2 with points pointtype 7 pointsize 0.3 "
          "linecolor rgb '#502171b5' notitle\n",
          s->to);
}

static void draw_samples(scene* s, const output* to)
{
    const size_t drawn = s->metadata->drawn_count,
                 scatters = drawn < MOST_PANELS ? drawn : MOST_PANELS;
    const size_t rows = 1 + (scatters + 1) / 2;
    const sweep_moments m = sweep_results_moments(s->r, s->marked);
    const plot_axis y = axis_for(s, s->marked, m.least, m.most);
    const double height = (double)PANEL / (double)(PANEL * rows + PLOT_HEAD);
    const double margin = y.factor * fmax(0.02 * (m.most - m.least), 1e-300);
    write_head(s, to, PANEL * rows + PLOT_HEAD);
    plot_write_title(title_of(s, ""), s->to);
    if (m.count == 0) {
        write_nothing(s->to);
        fputs("unset multiplot\n", s->to);
        return;
    }
    write_histogram(s, &m, y.factor);
    write_interval(s, &m, y.factor);
    fprintf(
        s->to,
        "set size 1, %.5f\nset origin 0, %.5f\nset xlabel %s\nset ylabel 'share [%%]'\n"
        "set style fill solid 1 border rgb '#9ecae1'\nset xrange [%.9g:%.9g]\nset offsets 0, 0, graph 0.35, 0\n"
        "plot $bins using 1:2 with boxes linecolor rgb '#9ecae1' notitle\n"
        "unset arrow\nunset label\nset ylabel %s\nset autoscale x\nset autoscale xfix\nset offsets 0, 0, 0, 0\n",
        height, height * (double)(rows - 1), y.label, y.factor * m.least - margin,
        y.factor * m.most + margin, y.label);
    for (size_t i = 0; i < scatters; i++) {
        fprintf(s->to, "set size 0.5, %.5f\nset origin %.1f, %.5f\n", height, i % 2 ? 0.5 : 0.0,
                height * (double)(rows - 2 - i / 2));
        write_scatter(s, s->metadata->input_count - drawn + i, y.factor);
    }
    fputs("unset multiplot\n", s->to);
}

// --- indices --------------------------------------------------------------------------------------

// Returns false if there are no indices.
static bool write_index_data(const scene* s, size_t column)
{
    const sweep_metadata* metadata = s->metadata;
    br_sobol_index* indices = memory_allocate(metadata->drawn_count, sizeof *indices);
    size_t left_out;
    sweep_results_indices(s->r, column, indices, &left_out);
    fputs("$data << EOD\n", s->to);
    for (size_t i = 0; i < metadata->drawn_count; i++) {
        const br_sobol_index* x = &indices[i];
        fprintf(s->to, "%zu %.9g %.9g %.9g %.9g %.9g %.9g\n", i, x->first, x->first_low,
                x->first_high, x->total, x->total_low, x->total_high);
    }
    fputs("EOD\n", s->to);
    return isfinite(indices[0].first);
}

static void draw_indices(scene* s, const output* to)
{
    const sweep_metadata* metadata = s->metadata;
    const size_t outputs = metadata->output_count,
                 panels = outputs < MOST_PANELS ? outputs : MOST_PANELS;
    const double height = (double)PANEL / (double)(PANEL * panels + PLOT_HEAD);
    write_head(s, to, PANEL * panels + PLOT_HEAD);
    plot_write_title(title_of(s, ", share of the variance"), s->to);
    fputs("set style fill solid 1 noborder\nset boxwidth 0.3\nset key top right\n", s->to);
    for (size_t i = 0; i < metadata->drawn_count; i++) {
        fprintf(
            s->to, "%s%s %zu%s", i ? ", " : "set xtics (",
            plot_quote(metadata->columns[metadata->input_count - metadata->drawn_count + i].name),
            i, i + 1 == metadata->drawn_count ? ")\n" : "");
    }
    fprintf(s->to, "set xrange [-0.6:%.1f]\n", (double)metadata->drawn_count - 0.4);
    for (size_t p = 0; p < panels; p++) {
        fprintf(s->to, "set size 1, %.5f\nset origin 0, %.5f\nset ylabel %s\n", height,
                height * (double)(panels - 1 - p),
                plot_quote(memory_format("index of %s [-]",
                                         metadata->columns[metadata->input_count + p].name)));
        if (!write_index_data(s, metadata->input_count + p)) {
            fputs("set label 9 'does not vary' at graph 0.5, graph 0.5 center\n"
                  "plot [] [0:1] NaN notitle\nunset label 9\n",
                  s->to);
            continue;
        }
        fputs(
            "plot $data using ($1-0.17):2 with boxes linecolor rgb '#9ecae1' title 'alone', "
            "$data using ($1+0.17):5 with boxes linecolor rgb '#08519c' title 'with others', "
            "$data using ($1-0.17):2:3:4 with yerrorbars pointtype 7 pointsize 0.1 dashtype 1 linecolor rgb '#404040' notitle, "
            "$data using ($1+0.17):5:6:7 with yerrorbars pointtype 7 pointsize 0.1 dashtype 1 linecolor rgb '#a0a0a0' notitle\n",
            s->to);
    }
    fputs("unset multiplot\n", s->to);
}

// --- entry points ---------------------------------------------------------------------------------

static scene create_scene(const sweep_metadata* metadata, const char* contour)
{
    scene s = {.metadata = metadata, .axes = metadata->axis_count - metadata->has_samples};
    s.samples = metadata->has_samples ? metadata->shape[s.axes] : 1;
    if (metadata->output_count == 0 || s.axes > 2) {
        message_fail(EXIT_USAGE, "--plot draws outputs over at most two axes; this sweep has %zu",
                     s.axes);
    }
    read_contour(&s, contour);
    return s;
}

void plot_sweep_check(const sweep_metadata* metadata, const char* contour)
{
    create_scene(metadata, contour);
}

void plot_sweep_draw(const sweep_results* r, const char* contour, output* to)
{
    scene s = create_scene(r->metadata, contour);
    s.r = r;
    gnuplot g = gnuplot_open();
    s.to = g.script;
    if (r->metadata->has_indices) {
        draw_indices(&s, to);
    } else if (s.axes == 0) {
        draw_samples(&s, to);
    } else if (s.axes == 1) {
        draw_curves(&s, to);
    } else {
        draw_map(&s, to);
    }
    gnuplot_close(&g, to);
    output_commit(to);
}
