/*
 * Pictures of a table: writes the gnuplot script.
 *
 * The data are part of the script and the picture comes through gnuplot's stdout, so no file name has
 * to be quoted.
 */
#include "plot.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "gnuplot.h"
#include "memory.h"
#include "message.h"

enum {
    WIDTH = PLOT_WIDTH,
    LEFT = 104, // space for labels and numbers of the vertical axis [px]
    RIGHT = 24,
    PANEL_HEIGHT = 200, // with its legend [px]
    LOW_PANEL = 144,    // of one of many panels [px]
    MANY_PANELS = 5,
    LEGEND_HEIGHT = 24, // above each panel [px]
    AXIS_HEIGHT = 60,   // below all panels [px]
    NOTE_HEIGHT = 16,   // of a line below the axis [px]
    NOTE_LINES = 3,     // of a note, at most
    MOST_BUCKETS = 2000 // of rows; more than there are pixels
};

static const char* const suffixes[] = {".png", ".svg", ".pdf", NULL};

// The suffix of a picture's name; ends the program where it has none of them.
static const char* suffix_of(const char* name)
{
    for (names s = suffixes; *s; s++) {
        if (text_ends_with(name, *s)) {
            return *s;
        }
    }
    message_fail(EXIT_USAGE, "--plot %s: must end with one of %s", name, text_join(suffixes));
}

void plot_check_name(const char* name)
{
    suffix_of(name);
}

void plot_write_terminal(const char* name, size_t width, size_t height, FILE* to)
{
    fputs("set encoding utf8\n", to);
    const char* suffix = suffix_of(name);
    if (strcmp(suffix, ".pdf") == 0) {
        fprintf(to, "set terminal pdfcairo noenhanced font 'Sans,12' size %.2fin,%.2fin\n",
                (double)width / 100, (double)height / 100);
        return;
    }
    const char* form = strcmp(suffix, ".svg") == 0
                           ? "set terminal svg noenhanced font 'Sans,13' size %zu,%zu"
                             " background 'white'\n"
                           : "set terminal pngcairo noenhanced font 'Sans,11' size %zu,%zu\n";
    fprintf(to, form, width, height);
}

// Curves also differ in darkness and dashes, so they can be distinguished in grey print.
void plot_write_styles(FILE* to)
{
    fputs("set linetype 1 linecolor rgb '#08306b' linewidth 1.6 dashtype 1\n"
          "set linetype 2 linecolor rgb '#e6550d' linewidth 1.6 dashtype (12, 5)\n"
          "set linetype 3 linecolor rgb '#4d9221' linewidth 1.6 dashtype (4, 4)\n"
          "set linetype 4 linecolor rgb '#9e9ac8' linewidth 1.6 dashtype (12, 4, 3, 4)\n"
          "set grid linetype 1 linecolor rgb '#d8d8d8' linewidth 0.6 dashtype 1\n"
          "set key top right horizontal samplen 3\n"
          "set autoscale yfix\n"
          "set offsets 0, 0, graph 0.25, graph 0.05\n" // space for the legend
          "set tics nomirror\n"
          "set border 3\n",
          to);
}

// One character of a text in double quotes. A backquote would start a command of the shell.
static char* write_escaped(char* at, char sign)
{
    if (sign == '`') {
        return (char*)memcpy(at, "\\140", 4) + 4;
    }
    if (sign == '"' || sign == '\\') {
        *at++ = '\\';
    }
    *at++ = sign;
    return at;
}

// Single quotes need no escapes. A text that contains a single quote is put in double quotes: gnuplot 5.4 reads ''
// in single quotes as one quote, but fails at two of them in a row.
char* plot_quote(const char* text)
{
    enum { LONGEST_SIGN = 4 };
    const char quote = strchr(text, '\'') ? '"' : '\'';
    char* quoted = memory_allocate(LONGEST_SIGN * strlen(text) + 3, 1);
    char* at = quoted;
    *at++ = quote;
    for (; *text; text++) {
        const char sign = *text == '\n' ? ' ' : *text;
        if (quote == '"') {
            at = write_escaped(at, sign);
        } else {
            *at++ = sign;
        }
    }
    *at = quote;
    return quoted;
}

void plot_write_title(const char* title, FILE* to)
{
    enum { FITS = 95, FONT = 11, LEAST = 6 }; // characters across, at the default size; sizes [pt]
    const size_t length = strlen(title);
    fprintf(to, "set multiplot title %s", plot_quote(title));
    if (length > FITS) {
        const size_t size = FONT * FITS / length;
        fprintf(to, " font ',%zu'", size > LEAST ? size : LEAST);
    }
    fputc('\n', to);
}

// Mark the rows of a bucket that have the extremes of each column.
static void mark_extremes(const table* data, size_t start, size_t end, bool* keep)
{
    keep[start] = true;
    for (size_t c = 1; c < data->width; c++) {
        size_t min = start, max = start;
        for (size_t r = start + 1; r < end; r++) {
            min = table_row(data, r)[c] < table_row(data, min)[c] ? r : min;
            max = table_row(data, r)[c] > table_row(data, max)[c] ? r : max;
        }
        keep[min] = keep[max] = true;
    }
    table_release(data);
}

void plot_write_data(const table* data, FILE* to)
{
    bool* keep = memory_allocate(data->rows, sizeof *keep);
    const size_t buckets = data->rows < MOST_BUCKETS ? data->rows : MOST_BUCKETS;
    for (size_t b = 0; b < buckets; b++) {
        mark_extremes(data, b * data->rows / buckets, (b + 1) * data->rows / buckets, keep);
    }
    keep[data->rows - 1] = true;

    fputs("$data << EOD\n", to);
    for (size_t r = 0; r < data->rows; r++) {
        for (size_t c = 0; keep[r] && c < data->width; c++) {
            fprintf(to, "%.9g%c", table_row(data, r)[c], c + 1 < data->width ? ' ' : '\n');
        }
        table_release_seldom(data, r);
    }
    fputs("EOD\n", to);
    memory_release(keep);
}

// A factor on the numbers of an axis, and the SI prefix of its unit.
typedef struct prefix {
    double factor;
    const char* text;
} prefix;

// The prefix for numbers up to `max`. Those like 0.2, 3 or 40000 need none; others become 3 mm or 20 kN.
static prefix prefix_for(double max)
{
    static const prefix list[] = {{1e12, "p"}, {1e9, "n"},  {1e6, "\u00b5"}, {1e3, "m"},
                                  {1e-3, "k"}, {1e-6, "M"}, {1e-9, "G"}};
    static const double plain_from = 0.02, plain_to = 1e5;
    if (!(max > 0) || (max >= plain_from && max < plain_to)) {
        return (prefix){1, ""};
    }
    size_t i = 0;
    while (i + 1 < sizeof list / sizeof *list && max * list[i + 1].factor >= 1) {
        i++;
    }
    return list[i];
}

void plot_panel_range(const plot_panel* panel, const table* data, double* low, double* high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int i = 0; i < PLOT_CURVES && panel->curves[i].title; i++) {
        for (size_t r = 0; r < data->rows; r++) {
            const double value = table_row(data, r)[panel->curves[i].column];
            *low = fmin(*low, value);
            *high = fmax(*high, value);
            table_release_seldom(data, r);
        }
    }
}

// The same without rounding noise.
static void range_of(const plot_panel* panel, const table* data, double noise, double* low,
                     double* high)
{
    plot_panel_range(panel, data, low, high);
    if (fmax(fabs(*low), fabs(*high)) <= noise) {
        *low = *high = 0;
    }
}

// The largest step of 1, 2, 5, 10, ... that gives at least three of them.
static double tick_step(double span)
{
    static const double steps[] = {2, 1, 0.5, 0.2};
    const double power = pow(10, floor(log10(span)));
    size_t i = 0;
    while (span / (steps[i] * power) < 3) {
        i++;
    }
    return steps[i] * power;
}

// The vertical axis with three to seven tics: gnuplot's default crowds a low panel. A curve that is constant up to
// rounding gets an axis around it.
static void write_range(double low, double high, FILE* to)
{
    const double max = fmax(fabs(low), fabs(high));
    const bool is_constant = !(high - low > 1e-9 * max);
    const double beside = !is_constant ? 0 : max > 0 ? 0.01 * max : 1;
    fputs("set autoscale y\nset autoscale yfix\n", to);
    if (is_constant) {
        fprintf(to, "set yrange [%.9g:%.9g]\n", low - beside, high + beside);
    }
    fprintf(to, "set ytics %.9g\n", tick_step(high - low + 2 * beside));
}

plot_axis plot_make_axis(const char* label, double max)
{
    static const char* const units[] = {"[m]",   "[m/s]", "[rad]", "[rad/s]", "[N]",
                                        "[N m]", "[J]",   "[s]",   NULL};
    const char* unit = strrchr(label, '[');
    const prefix p = unit && br_text_find(unit, units) >= 0 ? prefix_for(max) : (prefix){1, ""};
    const int before = unit ? (int)(unit + 1 - label) : (int)strlen(label);
    const char* text = memory_format("%.*s%s%s", before, label, p.text, label + before);
    return (plot_axis){plot_quote(text), p.factor};
}

// The shades of `bristle.plot.panels` in Python: orange at 15 % and grey at 25 % on white.
static const char* const shade_colours[] = {"", "#ffecdb", "#dfdfdf"};

// Bands narrower than this share of the axis cannot be seen.
static const double narrowest_band = 1.0 / MOST_BUCKETS;

static void write_bands(const plot_decoration* d, const table* data, double x_factor, FILE* to)
{
    const double first = table_row(data, 0)[0], last = table_row(data, data->rows - 1)[0];
    fputs("unset object\n", to);
    for (size_t i = 0; d && i < d->band_count; i++) {
        const plot_band* b = &d->bands[i];
        if (b->to - b->from >= narrowest_band * (last - first)) {
            fprintf(to,
                    "set object rectangle from first %.9g, graph 0 to first %.9g, graph 1 behind "
                    "fillcolor rgb '%s' fillstyle solid noborder\n",
                    x_factor * b->from, x_factor * b->to, shade_colours[b->shade]);
        }
    }
}

// A panel above has these bands in its legend.
static bool is_repeated(const plot* picture, size_t index)
{
    const plot_decoration* list = picture->decorations;
    for (size_t i = 0; list && i < index; i++) {
        if (list[i].bands && list[i].bands == list[index].bands) {
            return true;
        }
    }
    return false;
}

// The legend entries of the bands: a box for each shade.
static void write_band_titles(const plot_decoration* d, FILE* to)
{
    bool in_legend[sizeof shade_colours / sizeof *shade_colours] = {false};
    for (size_t i = 0; d && i < d->band_count; i++) {
        const plot_band* b = &d->bands[i];
        if (!in_legend[b->shade]) {
            fprintf(to, ", NaN with boxes fillstyle solid noborder linecolor rgb '%s' title %s",
                    shade_colours[b->shade], plot_quote(b->title));
        }
        in_legend[b->shade] = true;
    }
}

// A limit much larger than the curves is not drawn, since they would become flat.
static const double farthest_limit = 5.0;

// The largest value of a limit that is drawn; 0: it is not.
static double limit_of(const plot_decoration* d, const table* data, double max)
{
    double limit = 0;
    for (size_t r = 0; d && d->limit_factor > 0 && r < data->rows; r++) {
        limit = fmax(limit, d->limit_factor * table_row(data, r)[d->limit_column]);
    }
    return limit <= farthest_limit * max ? limit : 0;
}

static void write_limit(const plot_decoration* d, double x_factor, double y_factor, FILE* to)
{
    for (int side = 1; side >= -1; side -= 2) {
        fprintf(to,
                ", $data using (%g*$1):(%g*$%zu) with lines linecolor rgb '#505050' linewidth 1.3 "
                "dashtype (5, 4) title %s",
                x_factor, side * y_factor * d->limit_factor, d->limit_column + 1,
                side > 0 ? plot_quote(d->limit_title) : "''");
    }
}

static void write_panel(const plot* picture, size_t index, const table* data, double x_factor,
                        FILE* to)
{
    static const double rounding = 1e-14; // smaller values count as zero, in any SI unit
    const plot_panel* panel = &picture->panels[index];
    const plot_decoration* d = picture->decorations ? &picture->decorations[index] : NULL;
    double low, high;
    range_of(panel, data, picture->noise ? picture->noise[index] : rounding, &low, &high);
    const double limit = limit_of(d, data, fmax(fabs(low), fabs(high)));
    low = limit > 0 ? fmin(low, -limit) : low;
    high = limit > 0 ? fmax(high, limit) : high;
    const plot_axis y = plot_make_axis(panel->label, fmax(fabs(low), fabs(high)));
    write_range(y.factor * low, y.factor * high, to);
    write_bands(d, data, x_factor, to);
    fprintf(to, "set ylabel %s\nplot", y.label);
    for (int i = 0; i < PLOT_CURVES && panel->curves[i].title; i++) {
        fprintf(to, "%s $data using (%g*$1):(%g*$%zu) with lines linetype %d title %s",
                i ? "," : "", x_factor, y.factor, panel->curves[i].column + 1, i + 1,
                plot_quote(panel->curves[i].title));
    }
    if (limit > 0) {
        write_limit(d, x_factor, y.factor, to);
    }
    write_band_titles(is_repeated(picture, index) ? NULL : d, to);
    fputc('\n', to);
}

static size_t panel_height(const plot* picture)
{
    return picture->count < MANY_PANELS ? PANEL_HEIGHT : LOW_PANEL;
}

// Length of the first line of a note: all of it, or up to the last comma that fits.
static size_t note_line(const char* text)
{
    enum { FITS = 118 }; // characters of small print across
    size_t end = strlen(text);
    if (end > FITS) {
        end = FITS;
        while (end > 1 && (text[end - 1] != ' ' || text[end - 2] != ',')) {
            end--;
        }
        end = end > 1 ? end : FITS;
    }
    return end;
}

// Lines that a note takes, at most NOTE_LINES.
static size_t note_lines(const char* text)
{
    size_t lines = 0;
    for (; text && *text && lines < NOTE_LINES; lines++) {
        text += note_line(text);
    }
    return lines;
}

size_t plot_panels_height(const plot* picture)
{
    size_t lines = 0;
    for (int i = 0; i < PLOT_NOTES; i++) {
        lines += note_lines(picture->notes[i]);
    }
    return panel_height(picture) * picture->count + AXIS_HEIGHT + NOTE_HEIGHT * lines;
}

// Lines below the axis of the last panel; "..." ends a note that takes more than NOTE_LINES.
static void write_notes(const plot* picture, size_t height, FILE* to)
{
    size_t label = 2, below = 0; // label 1 is a scene's; lines that are still below
    for (int i = 0; i < PLOT_NOTES; i++) {
        below += note_lines(picture->notes[i]);
    }
    for (int i = 0; i < PLOT_NOTES; i++) {
        const char* text = picture->notes[i];
        for (size_t lines = note_lines(text); lines > 0; lines--) {
            const size_t length = note_line(text);
            const char* end = lines == 1 && text[length] ? "..." : "";
            below--;
            fprintf(to, "set label %zu %s at screen %.4f, screen %.5f left font ',8'\n", label++,
                    plot_quote(memory_format("%.*s%s", (int)length, text, end)),
                    LEFT / (double)WIDTH, ((double)below + 0.5) * NOTE_HEIGHT / (double)height);
            text += length;
        }
    }
}

// The vertical position of panel `i` [px].
static void write_position(const plot* picture, size_t i, size_t start, size_t height, FILE* to)
{
    const double top = (double)(start + i * panel_height(picture) + LEGEND_HEIGHT);
    const double bottom = (double)(start + (i + 1) * panel_height(picture));
    fprintf(to, "set tmargin at screen %.5f\nset bmargin at screen %.5f\n",
            1 - top / (double)height, 1 - bottom / (double)height);
}

void plot_write_panels(const plot* picture, const table* data, size_t top, size_t height, FILE* to)
{
    const double first = table_row(data, 0)[0], last = table_row(data, data->rows - 1)[0];
    const plot_axis x = plot_make_axis(picture->x_label, fmax(fabs(first), fabs(last)));
    fprintf(
        to,
        "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
        "set key at graph 1, graph 1 right bottom Right noreverse horizontal samplen 3\n" // above the panel
        "set autoscale y\nset autoscale yfix\nset offsets 0, 0, graph 0.05, graph 0.05\n"
        "set format x ''\nset xlabel\n",
        LEFT / (double)WIDTH, 1 - RIGHT / (double)WIDTH);
    if (first < last) {
        fprintf(to, "set xrange [%.9g:%.9g]\n", x.factor * first, x.factor * last);
    }
    for (size_t i = 0; i < picture->count; i++) {
        write_position(picture, i, top, height, to);
        if (i + 1 == picture->count) {
            fprintf(to, "set format x '%%g'\nset xlabel %s\n", x.label);
            write_notes(picture, height, to);
        }
        write_panel(picture, i, data, x.factor, to);
    }
}

static void write_script(const plot* picture, const table* data, const char* name, FILE* to)
{
    const size_t height = PLOT_HEAD + plot_panels_height(picture);
    plot_write_terminal(name, WIDTH, height, to);
    plot_write_styles(to);
    plot_write_data(data, to);
    plot_write_title(picture->title, to);
    plot_write_panels(picture, data, PLOT_HEAD, height, to);
    fputs("unset multiplot\n", to);
}

void plot_draw(const plot* picture, const table* data, output* to)
{
    gnuplot pipe = gnuplot_open();
    write_script(picture, data, to->name, pipe.script);
    gnuplot_close(&pipe, to);
    output_commit(to);
}
