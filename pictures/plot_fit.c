/*
 * A picture of a law's fit: data and law over time and over speed, residuals, profiles.
 */
#include "plot_fit.h"

#include <math.h>
#include <string.h>

#include "gnuplot.h"
#include "memory.h"
#include "plot.h"
#include "text.h"

enum { WIDTH = 1000, HEIGHT = 900, MOST_POINTS = 4000, MOST_PROFILES = 8, PROFILE_POINTS = 9 };

// t, v, measured, fitted, residual; very many rows are thinned out.
static void write_rows(const fit_law_report* r, FILE* to)
{
    const br_fit_law_data* d = &r->def->data;
    const size_t every = d->count / MOST_POINTS + 1;
    fputs("$rows << EOD\n", to);
    for (size_t i = 0; i < d->count; i += every) {
        fprintf(to, "%.9g %.9g %.9g %.9g %.9g\n", d->t ? d->t[i] : (double)i, d->v[i], d->f[i],
                r->force[i], d->f[i] - r->force[i]);
    }
    fputs("EOD\n", to);
}

static void set_margins(double left, double right, double bottom, double top, FILE* to)
{
    fprintf(to,
            "set lmargin at screen %.3f\nset rmargin at screen %.3f\nset bmargin at screen %.3f\n"
            "set tmargin at screen %.3f\n",
            left, right, bottom, top);
}

#define DOTS "with points pointtype 7 pointsize 0.25 linecolor rgb '#9ecae1'"
#define LINE "with lines linetype 2"

static void write_history(bool has_time, FILE* to)
{
    set_margins(0.08, 0.97, 0.72, 0.93, to);
    fprintf(to, "set xlabel ''\nset ylabel 'f'\nplot $rows using 1:3 " DOTS
                " title 'measured', $rows using 1:4 " LINE " title 'fitted'\n");
    set_margins(0.08, 0.97, 0.5, 0.67, to);
    fprintf(to,
            "set xlabel '%s'\nset ylabel 'residual'\nplot $rows using 1:5 with points pointtype 7 "
            "pointsize 0.25 linetype 1 notitle\n",
            has_time ? "t [s]" : "row");
}

static void write_curve(FILE* to)
{
    set_margins(0.08, 0.46, 0.08, 0.42, to);
    fputs(
        "set xlabel 'v'\nset ylabel 'f'\nplot $rows using 2:3 " DOTS
        " title 'measured', $rows using 2:4 with points pointtype 7 pointsize 0.25 linetype 2 title "
        "'fitted'\n",
        to);
}

// --- profiles -------------------------------------------------------------------------------------

// One profile: how many standard deviations a value is away, over (value - estimate)/error.
static bool write_profile(const fit_law_report* r, int k, FILE* to)
{
    const br_fit_estimate* e = &r->fit->estimates[k];
    double value[PROFILE_POINTS], away[PROFILE_POINTS];
    const double low = isfinite(e->low) ? e->low : e->value - 2 * e->error;
    const double high = isfinite(e->high) ? e->high : e->value + 2 * e->error;
    for (int i = 0; i < PROFILE_POINTS; i++) {
        value[i] = low + (high - low) * i / (PROFILE_POINTS - 1);
        value[i] = value[i] > 0 || k >= BR_FIT_OFFSET ? value[i] : 0.01 * e->value;
    }
    br_reason why;
    if (!isfinite(e->error) || !(high > low) ||
        br_fit_law_profile(r->def, r->fit, k, value, PROFILE_POINTS, away, &why) != BR_OK) {
        return false;
    }
    fprintf(to, "$profile%d << EOD\n", k);
    for (int i = 0; i < PROFILE_POINTS; i++) {
        fprintf(to, "%.6g %.6g\n", (value[i] - e->value) / e->error, away[i] < 0 ? 0 : away[i]);
    }
    fputs("EOD\n", to);
    return true;
}

static void draw_profiles(const fit_law_report* r, FILE* to)
{
    bool is_there[BR_FIT_COUNT] = {false};
    int count = 0;
    for (int k = 0; k < BR_FIT_OFFSET && count < MOST_PROFILES; k++) {
        is_there[k] = r->fit->estimated >> k & 1 && r->fit->estimates[k].is_identifiable &&
                      write_profile(r, k, to);
        count += is_there[k];
    }
    if (count == 0) {
        return;
    }
    set_margins(0.56, 0.97, 0.08, 0.42, to);
    fputs(
        "set xlabel '(value - estimate)/error'\nset ylabel 'worse by standard deviations'\n"
        "set key top center horizontal\nset yrange [0:*]\nplot abs(x) with lines linecolor rgb '#b0b0b0' "
        "dashtype 3 notitle",
        to);
    for (int k = 0, style = 1; k < BR_FIT_OFFSET; k++) {
        if (is_there[k]) {
            fprintf(to, ", $profile%d with linespoints pointtype %d linetype %d title %s", k,
                    style + 3, style, plot_quote(br_fit_law_get_parameter_name(k)));
            style = style % 7 + 1;
        }
    }
    fputc('\n', to);
}

void plot_fit_law(const fit_law_report* r, output* to)
{
    gnuplot g = gnuplot_open();
    plot_write_terminal(to->name, WIDTH, HEIGHT, g.script);
    plot_write_styles(g.script);
    fputs("set linetype 5 linecolor rgb '#c51b7d'\nset linetype 6 linecolor rgb '#000000'\n"
          "set linetype 7 linecolor rgb '#8c510a'\n",
          g.script);
    write_rows(r, g.script);
    plot_write_title(memory_format("%s: %s, %.3g rms", text_stem(r->file),
                                   br_fit_law_kind_get_name(r->fit->kind), r->fit->rms),
                     g.script);
    write_history(r->def->data.t != NULL, g.script);
    write_curve(g.script);
    draw_profiles(r, g.script);
    fputs("unset multiplot\n", g.script);
    gnuplot_close(&g, to);
    output_commit(to);
}
