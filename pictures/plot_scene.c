/*
 * Moving parts of a scenario, in the plane: writes the gnuplot script.
 *
 * A picture shows instants at equal distances of motion, so that a body at rest is not drawn again and
 * again; later instants are darker, the last is emphasised. An animation shows equal times.
 */
#include "plot_scene.h"

#include <math.h>
#include <stdlib.h>

#include "gnuplot.h"
#include "memory.h"

// Of the picture, around its axes [px].
enum { LEFT = 90, RIGHT = 240, BELOW = 65, NOTE = 20 };
enum { LOWEST = 240 }; // axes [px]

enum { MOST_TITLES = 8 }; // of instants in the legend

// GIF delays are in hundredths of a second; viewers slow down frames shorter than 2 ticks.
enum { TICKS_PER_SECOND = 100, FRAME_TICKS = 4, MOST_FRAMES = 250 };

// Shorter animations are slowed down, longer ones sped up to this [s].
static const double SHORTEST_FILM = 2, LONGEST_FILM = 20;

static const double PALEST = 0.3; // share of colour in the oldest instant [-]

const char* scene_colour(const char* colour, double age)
{
    const unsigned long rgb = strtoul(colour + 1, NULL, 16);
    const double share = 1 - (1 - PALEST) * age;
    unsigned mixed[3];
    for (int i = 0; i < 3; i++) {
        const double full = (double)((rgb >> (16 - 8 * i)) & 0xff);
        mixed[i] = (unsigned)(255 + share * (full - 255));
    }
    return memory_format("#%02x%02x%02x", mixed[0], mixed[1], mixed[2]);
}

static double time_of(const scene* sc, size_t row)
{
    return table_row(sc->rows, row)[0];
}

// Distance moved up to each row [m].
static double* measure_distance(const scene* sc)
{
    double* distance = memory_allocate(sc->rows->rows, sizeof *distance);
    for (size_t i = 1; i < sc->rows->rows; i++) {
        distance[i] =
            distance[i - 1] + sc->distance(sc, table_row(sc->rows, i - 1), table_row(sc->rows, i));
        table_release_seldom(sc->rows, i);
    }
    return distance;
}

// Rows at equal distances, including the first and the last one.
static size_t* choose_rows(const scene* sc, size_t count)
{
    const double* distance = measure_distance(sc);
    const double all = distance[sc->rows->rows - 1];
    size_t* chosen = memory_allocate(count, sizeof *chosen);
    for (size_t i = 1, row = 0; i + 1 < count; i++) {
        while (distance[row] < all * (double)i / (double)(count - 1)) {
            row++;
        }
        chosen[i] = row;
    }
    chosen[count - 1] = sc->rows->rows - 1;
    return chosen;
}

// Rows at equal times.
static size_t* spread_rows(const scene* sc, size_t count)
{
    const size_t last = sc->rows->rows - 1;
    const double start = time_of(sc, 0), length = time_of(sc, last) - start;
    size_t* chosen = memory_allocate(count, sizeof *chosen);
    for (size_t i = 0, row = 0; i + 1 < count; i++) {
        const double t = start + length * (double)i / (double)(count - 1);
        while (row < last && time_of(sc, row) < t - 1e-9 * length) {
            row++;
        }
        chosen[i] = row;
    }
    chosen[count - 1] = last;
    return chosen;
}

// --- a picture ------------------------------------------------------------------------------------

static drawing draw_instants(const scene* sc, size_t count)
{
    const size_t* rows = choose_rows(sc, count);
    drawing shown = {0};
    sc->add_ground(sc, sc->rows->rows - 1, &shown);
    for (size_t i = 0; i < count; i++) {
        const bool is_end = i == 0 || i + 1 == count;
        const char* title = memory_format("t = %.4g s", time_of(sc, rows[i]));
        const scene_instant at = {
            .row = rows[i],
            .age = count < 2 ? 0 : (double)(count - 1 - i) / (double)(count - 1),
            .is_last = i + 1 == count,
            .title = is_end || count <= MOST_TITLES ? title : NULL,
        };
        sc->add_instant(sc, &at, &shown);
    }
    return shown;
}

// Axes with space for the legend.
static view fit_box(box b, const drawing* shown)
{
    const size_t legend = drawing_legend_height(shown);
    return view_fit(b, PLOT_WIDTH - LEFT - RIGHT, legend > LOWEST ? legend : LOWEST);
}

static view fit(const drawing* shown)
{
    box all = BOX_EMPTY;
    box_include(&all, shown);
    return fit_box(all, shown);
}

static void write_title(const scene* sc, const char* title, size_t height, FILE* to)
{
    plot_write_title(title, to);
    if (sc->note) {
        fprintf(to, "set label 1 %s at screen 0.5, screen %.5f center\n", plot_quote(sc->note),
                1 - (PLOT_HEAD + 2.0) / (double)height);
    }
}

void scene_draw(const scene* sc, output* to)
{
    const scenario* s = sc->s;
    const size_t wanted = s->picture.instants ? s->picture.instants : sc->instants;
    const drawing shown = draw_instants(sc, wanted < sc->rows->rows ? wanted : sc->rows->rows);
    const view v = fit(&shown);
    const plot below = scenario_panels(s, sc->got);
    const bool has_panels = s->picture.kind == BR_PICTURE_BOTH && s->panel_count > 0;
    const size_t top = PLOT_HEAD + (sc->note ? NOTE : 0), end = top + v.height + BELOW;
    const size_t height = end + (has_panels ? plot_panels_height(&below) : 0);

    gnuplot pipe = gnuplot_open();
    plot_write_terminal(to->name, PLOT_WIDTH, height, pipe.script);
    write_title(sc, s->picture.title, height, pipe.script);
    view_write(&v, sc->labels, LEFT, top, PLOT_WIDTH, height, pipe.script);
    drawing_write(&shown, &v, pipe.script);
    if (has_panels) {
        fputs("unset label 1\n", pipe.script);
        plot_write_styles(pipe.script);
        plot_write_data(sc->rows, pipe.script);
        plot_write_panels(&below, sc->rows, end, height, pipe.script);
    }
    fputs("unset multiplot\n", pipe.script);
    gnuplot_close(&pipe, to);
    output_commit(to);
}

// --- an animation ---------------------------------------------------------------------------------

static drawing draw_frame(const scene* sc, size_t row)
{
    drawing shown = {.keeps_legend = true};
    const scene_instant at = {.row = row, .is_last = true, .title = sc->name};
    sc->add_ground(sc, row, &shown);
    sc->add_instant(sc, &at, &shown);
    return shown;
}

// All frames have the same axes.
static view fit_frames(const scene* sc, const size_t* rows, size_t count)
{
    box all = BOX_EMPTY;
    drawing shown = {0};
    for (size_t i = 0; i < count; i++) {
        shown = draw_frame(sc, rows[i]);
        box_include(&all, &shown);
    }
    return fit_box(all, &shown);
}

typedef struct film {
    size_t frames;
    double delay; // of a frame [ticks]
    double speed; // 1: of life
} film;

static film plan_film(const scene* sc)
{
    const double life = time_of(sc, sc->rows->rows - 1) - time_of(sc, 0);
    const double length = fmin(fmax(life, SHORTEST_FILM), LONGEST_FILM);
    const double max_frames = fmin(MOST_FRAMES, TICKS_PER_SECOND * length / FRAME_TICKS + 1);
    const size_t frames = (size_t)fmin(round(max_frames), (double)sc->rows->rows);
    const double delay = frames < 2 ? 0 : round(TICKS_PER_SECOND * length / (double)(frames - 1));
    return (film){frames, fmax(2, delay), life / length};
}

static const char* name_speed(double speed)
{
    return speed < 0.99   ? memory_format(" (%.3g times slower than life)", 1 / speed)
           : speed > 1.01 ? memory_format(" (%.3g times faster than life)", speed)
                          : "";
}

void scene_animate(const scene* sc, output* to)
{
    const film f = plan_film(sc);
    const size_t* rows = spread_rows(sc, f.frames);
    const view v = fit_frames(sc, rows, f.frames);
    const size_t top = PLOT_HEAD + (sc->note ? NOTE : 0), height = top + v.height + BELOW;
    gnuplot pipe = gnuplot_open();
    fprintf(
        pipe.script,
        "set encoding utf8\nset terminal gif animate delay %.0f loop 0 noenhanced font 'Sans,10' "
        "size %d,%zu\n",
        f.delay, PLOT_WIDTH, height);
    view_write(&v, sc->labels, LEFT, top, PLOT_WIDTH, height, pipe.script);
    for (size_t i = 0; i < f.frames; i++) {
        const drawing shown = draw_frame(sc, rows[i]);
        const char* title = memory_format("%s   t = %.4f s%s", sc->s->picture.title,
                                          time_of(sc, rows[i]), name_speed(f.speed));
        write_title(sc, title, height, pipe.script);
        drawing_write(&shown, &v, pipe.script);
        fputs("unset multiplot\n", pipe.script);
    }
    gnuplot_close(&pipe, to);
    output_commit(to);
}
