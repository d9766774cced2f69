/*
 * Pictures of a table: the script that gnuplot gets.
 *
 * Data travel inside the script; the picture comes back through gnuplot's stdout, so no file name
 * has to be quoted.
 */
#include "plot.h"

#include <stdbool.h>
#include <string.h>

#include "gnuplot.h"
#include "memory.h"
#include "message.h"

enum {
    WIDTH = 800,        // [px]
    PANEL_HEIGHT = 200, // [px]
    LOW_PANEL = 140,    // where there are many [px]
    MANY_PANELS = 5,
    EDGE_HEIGHT = 110,  // title and horizontal axis [px]
    MOST_BUCKETS = 2000 // of rows; more than there are pixels
};

static const char* const suffixes[] = {".png", ".svg", ".pdf", NULL};

static const char* suffix_of(const char* name)
{
    for (names s = suffixes; *s; s++) {
        if (text_ends_with(name, *s)) {
            return *s;
        }
    }
    return NULL;
}

void plot_check_name(const char* name)
{
    if (!suffix_of(name)) {
        message_fail(EXIT_USAGE, "--plot %s: must end with one of %s", name, text_join(suffixes));
    }
}

void plot_write_terminal(const char* name, size_t width, size_t height, FILE* to)
{
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

// Curves differ in darkness and dashes too, so grey print tells them apart.
void plot_write_styles(FILE* to)
{
    fputs("set linetype 1 linecolor rgb '#08306b' linewidth 1.6 dashtype 1\n"
          "set linetype 2 linecolor rgb '#e6550d' linewidth 1.6 dashtype (12, 5)\n"
          "set linetype 3 linecolor rgb '#4d9221' linewidth 1.6 dashtype (4, 4)\n"
          "set linetype 4 linecolor rgb '#9e9ac8' linewidth 1.6 dashtype (12, 4, 3, 4)\n"
          "set grid linetype 1 linecolor rgb '#d8d8d8' linewidth 0.6 dashtype 1\n"
          "set key top right horizontal samplen 3\n"
          "set autoscale yfix\n"
          "set offsets 0, 0, graph 0.25, graph 0.05\n" // room for the legend
          "set tics nomirror\n"
          "set border 3\n",
          to);
}

char* plot_quote(const char* text)
{
    char* quoted = memory_allocate(2 * strlen(text) + 3, 1);
    char* at = quoted;
    *at++ = '\'';
    for (; *text; text++) {
        *at++ = *text == '\n' ? ' ' : *text;
        if (*text == '\'') {
            *at++ = '\'';
        }
    }
    *at = '\'';
    return quoted;
}

// Mark the rows of a bucket that show its extremes in each column.
static void keep_extremes(const table* data, size_t begin, size_t end, bool* keep)
{
    keep[begin] = true;
    for (size_t c = 1; c < data->width; c++) {
        size_t least = begin, most = begin;
        for (size_t r = begin + 1; r < end; r++) {
            least = table_row(data, r)[c] < table_row(data, least)[c] ? r : least;
            most = table_row(data, r)[c] > table_row(data, most)[c] ? r : most;
        }
        keep[least] = keep[most] = true;
    }
}

void plot_write_data(const table* data, FILE* to)
{
    bool* keep = memory_allocate(data->rows, sizeof *keep);
    const size_t buckets = data->rows < MOST_BUCKETS ? data->rows : MOST_BUCKETS;
    for (size_t b = 0; b < buckets; b++) {
        keep_extremes(data, b * data->rows / buckets, (b + 1) * data->rows / buckets, keep);
    }
    keep[data->rows - 1] = true;

    fputs("$data << EOD\n", to);
    for (size_t r = 0; r < data->rows; r++) {
        for (size_t c = 0; keep[r] && c < data->width; c++) {
            fprintf(to, "%.9g%c", table_row(data, r)[c], c + 1 < data->width ? ' ' : '\n');
        }
    }
    fputs("EOD\n", to);
    memory_release(keep);
}

void plot_write_panel(const plot_panel* panel, FILE* to)
{
    fprintf(to, "set ylabel %s\nplot", plot_quote(panel->label));
    for (int i = 0; i < PLOT_CURVES && panel->curves[i].title; i++) {
        fprintf(to, "%s $data using 1:%zu with lines linetype %d title %s", i ? "," : "",
                panel->curves[i].column + 1, i + 1, plot_quote(panel->curves[i].title));
    }
    fputc('\n', to);
}

static void write_script(const plot* picture, const table* data, const char* name, FILE* to)
{
    const size_t panel = picture->count < MANY_PANELS ? PANEL_HEIGHT : LOW_PANEL;
    const size_t height = EDGE_HEIGHT + panel * picture->count;
    plot_write_terminal(name, WIDTH, height, to);
    plot_write_styles(to);
    plot_write_data(data, to);

    const double bottom = 60.0 / (double)height, top = 1 - 40.0 / (double)height;
    fprintf(to, "set multiplot layout %zu,1 title %s margins 0.13,0.97,%.3f,%.3f spacing 0,%.3f\n",
            picture->count, plot_quote(picture->title), bottom, top, 16.0 / (double)height);
    const double first = table_row(data, 0)[0], last = table_row(data, data->rows - 1)[0];
    if (first < last) {
        fprintf(to, "set xrange [%.9g:%.9g]\n", first, last);
    }
    fputs("set format x ''\n", to);
    for (size_t i = 0; i < picture->count; i++) {
        if (i + 1 == picture->count) {
            fprintf(to, "set format x '%%g'\nset xlabel %s\n", plot_quote(picture->x_label));
        }
        plot_write_panel(&picture->panels[i], to);
    }
    fputs("unset multiplot\n", to);
}

void plot_draw(const plot* picture, const table* data, output* to)
{
    gnuplot pipe = gnuplot_open(fileno(to->stream));
    write_script(picture, data, to->name, pipe.script);
    gnuplot_close(&pipe, to);
    output_commit(to);
}
