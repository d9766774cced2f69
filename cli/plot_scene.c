/*
 * A body in the plane at a few instants, and moving: the script that gnuplot gets.
 *
 * As W&K Fig 26: the outline of the object, the contact patch, the centre of mass (CoM) with its
 * path, and the centre of rotation (CoR). Later is darker.
 */
#include "plot_scene.h"

#include <math.h>
#include <string.h>

#include "gnuplot.h"
#include "memory.h"
#include "plot.h"

// Of the picture, and around its axes [px].
enum { WIDTH = 800, LEFT = 90, RIGHT = 190, TOP = 50, BOTTOM = 65 };
enum { LOWEST = 260, HIGHEST = 800 }; // axes [px]
enum { DEFAULT_INSTANTS = 6 };

// A GIF's clock ticks in hundredths of a second; viewers slow down what is faster than 2 ticks.
enum { TICKS_PER_SECOND = 100, FRAME_TICKS = 4, MOST_FRAMES = 250 };

static const double MARGIN = 0.06;       // around what is drawn [-]
static const double LEAST_EXTENT = 1e-6; // of axes, where all is in one point [m]
static const double NEAR = 0.25;         // a CoR this far outside still gets its place [-]
static const double LEAST_SPIN = 0.02;   // of the fastest spin: slower ones have no CoR to show

// What is drawn: rows of a run.
typedef struct scene {
    const scenario* s;
    const body_input* input;
    const table* rows;
    const size_t* shown; // rows (instants)
    size_t instants;
    double fastest; // spin [rad/s]
    double x0, x1, y0, y1;
    size_t height; // of the axes [px]
} scene;

static br_pose pose_at(const scene* sc, size_t row)
{
    const double* values = table_row(sc->rows, row);
    return (br_pose){values[BODY_X], values[BODY_Y], values[BODY_THETA]};
}

// The CoR of the motion over the ground, p + (-vy, vx)/w. Is there one, no farther than `beyond`
// times the picture's size outside of it?
static bool has_cor(const scene* sc, size_t row, double beyond, br_vec2* cor)
{
    const double* v = table_row(sc->rows, row);
    const double dx = beyond * (sc->x1 - sc->x0), dy = beyond * (sc->y1 - sc->y0);
    cor->x = v[BODY_X] - v[BODY_VY] / v[BODY_W];
    cor->y = v[BODY_Y] + v[BODY_VX] / v[BODY_W];
    return fabs(v[BODY_W]) > LEAST_SPIN * sc->fastest && cor->x >= sc->x0 - dx &&
           cor->x <= sc->x1 + dx && cor->y >= sc->y0 - dy && cor->y <= sc->y1 + dy;
}

// A contact's patch at a row, in the world.
static outline patch_at(const scene* sc, size_t contact, size_t row)
{
    const double fn = table_row(sc->rows, row)[BODY_FX + BODY_CONTACT_COLUMNS * contact + 3];
    outline patch = outline_patch(sc->input->contacts[contact].patch, fn);
    if (sc->input->body.contacts[contact].frame == BR_FRAME_BODY) {
        for (size_t i = 0; i < patch.count; i++) {
            patch.parts[i] = outline_move(patch.parts[i], pose_at(sc, row));
        }
    }
    return patch;
}

static void include_point(scene* sc, br_vec2 point)
{
    sc->x0 = fmin(sc->x0, point.x);
    sc->x1 = fmax(sc->x1, point.x);
    sc->y0 = fmin(sc->y0, point.y);
    sc->y1 = fmax(sc->y1, point.y);
}

static void include_polygon(scene* sc, polygon shape)
{
    for (size_t i = 0; i < shape.count; i++) {
        include_point(sc, shape.points[i]);
    }
}

static void include_row(scene* sc, size_t row)
{
    include_polygon(sc, outline_move(sc->input->outline, pose_at(sc, row)));
    for (size_t c = 0; c < sc->input->body.contact_count; c++) {
        const outline patch = patch_at(sc, c, row);
        for (size_t i = 0; i < patch.count; i++) {
            include_polygon(sc, patch.parts[i]);
        }
    }
}

// Make room for centres of rotation that are not far away.
static void include_cors(scene* sc)
{
    const scene before = *sc;
    for (size_t i = 0; i < sc->instants; i++) {
        br_vec2 cor;
        if (has_cor(&before, sc->shown[i], NEAR, &cor)) {
            include_point(sc, cor);
        }
    }
}

// Axes of equal scale that hold everything: as wide as the picture allows, then as high as needed.
static void fit(scene* sc)
{
    const double wide = (1 + 2 * MARGIN) * fmax(sc->x1 - sc->x0, LEAST_EXTENT);
    const double high = (1 + 2 * MARGIN) * fmax(sc->y1 - sc->y0, LEAST_EXTENT);
    const double room = WIDTH - LEFT - RIGHT;
    const double scale = fmin(room / wide, HIGHEST / high); // [px/m]
    sc->height = (size_t)fmax(LOWEST, ceil(high * scale));
    const double middle_x = (sc->x0 + sc->x1) / 2, half_x = room / scale / 2;
    const double middle_y = (sc->y0 + sc->y1) / 2, half_y = (double)sc->height / scale / 2;
    sc->x0 = middle_x - half_x;
    sc->x1 = middle_x + half_x;
    sc->y0 = middle_y - half_y;
    sc->y1 = middle_y + half_y;
}

static scene make_scene(const scenario* s, const result* got, const size_t* shown, size_t instants)
{
    scene sc = {.s = s, .input = s->data, .rows = &got->rows, .shown = shown, .instants = instants};
    sc.x0 = sc.y0 = HUGE_VAL;
    sc.x1 = sc.y1 = -HUGE_VAL;
    for (size_t i = 0; i < got->rows.rows; i++) {
        const double* row = table_row(&got->rows, i);
        sc.fastest = fmax(sc.fastest, fabs(row[BODY_W]));
        include_point(&sc, (br_vec2){row[BODY_X], row[BODY_Y]});
    }
    for (size_t i = 0; i < instants; i++) {
        include_row(&sc, shown[i]);
    }
    include_cors(&sc);
    fit(&sc);
    return sc;
}

// How far the body went by each row: its CoM, and a point at its far end as it turns [m].
static double* measure_travel(const body_input* input, const table* rows)
{
    double reach = 0;
    for (size_t i = 0; i < input->outline.count; i++) {
        reach = fmax(reach, hypot(input->outline.points[i].x, input->outline.points[i].y));
    }
    double* travel = memory_allocate(rows->rows, sizeof *travel);
    for (size_t i = 1; i < rows->rows; i++) {
        const double *a = table_row(rows, i - 1), *b = table_row(rows, i);
        travel[i] = travel[i - 1] + hypot(b[BODY_X] - a[BODY_X], b[BODY_Y] - a[BODY_Y]) +
                    reach * fabs(b[BODY_THETA] - a[BODY_THETA]);
    }
    return travel;
}

// Rows at equal parts of the way, the first and the last one among them: a body that rests most of
// the time is not drawn over and over.
static const size_t* choose_rows(const body_input* input, const table* rows, size_t count)
{
    const double* travel = measure_travel(input, rows);
    const double all = travel[rows->rows - 1];
    size_t* chosen = memory_allocate(count, sizeof *chosen);
    for (size_t i = 1, row = 0; i + 1 < count; i++) {
        while (travel[row] < all * (double)i / (double)(count - 1)) {
            row++;
        }
        chosen[i] = row;
    }
    chosen[count - 1] = rows->rows - 1;
    return chosen;
}

// Rows at equal times.
static const size_t* spread_rows(const table* rows, size_t count)
{
    size_t* chosen = memory_allocate(count, sizeof *chosen);
    for (size_t i = 0; i < count; i++) {
        chosen[i] = count < 2 ? rows->rows - 1 : i * (rows->rows - 1) / (count - 1);
    }
    return chosen;
}

static void write_polygon(polygon shape, FILE* to)
{
    for (size_t i = 0; i < shape.count; i++) {
        fprintf(to, "%.9g %.9g\n", shape.points[i].x, shape.points[i].y);
    }
    if (shape.count > 2) {
        fprintf(to, "%.9g %.9g\n", shape.points[0].x, shape.points[0].y);
    }
    fputc('\n', to);
}

// The body's outline, and a stroke from its CoM along its x axis that shows how it has turned.
static void write_body(const scene* sc, size_t row, const char* name, FILE* to)
{
    const br_pose pose = pose_at(sc, row);
    const polygon shape = sc->input->outline;
    br_vec2 tip = {0, 0};
    for (size_t i = 0; i < shape.count; i++) {
        tip.x = fmax(tip.x, shape.points[i].x / 2);
    }
    tip = br_pose_apply(pose, tip);
    fprintf(to, "$%s << EOD\n", name);
    write_polygon(outline_move(shape, pose), to);
    fputs("EOD\n", to);
    fprintf(to, "$%s_axis << EOD\n%.9g %.9g\n%.9g %.9g\nEOD\n", name, pose.x, pose.y, tip.x, tip.y);
}

static void write_patches(const scene* sc, size_t row, const char* name, FILE* to)
{
    for (size_t c = 0; c < sc->input->body.contact_count; c++) {
        const outline patch = patch_at(sc, c, row);
        fprintf(to, "$%s_%zu << EOD\n", name, c);
        for (size_t i = 0; i < patch.count; i++) {
            write_polygon(patch.parts[i], to);
        }
        fputs("EOD\n", to);
    }
}

static void write_path(const scene* sc, size_t last, FILE* to)
{
    enum { MOST_POINTS = 1000 };
    const size_t count = last + 1 < MOST_POINTS ? last + 1 : MOST_POINTS;
    fputs("$path << EOD\n", to);
    for (size_t i = 0; i < count; i++) {
        const br_pose pose = pose_at(sc, count < 2 ? last : i * last / (count - 1));
        fprintf(to, "%.9g %.9g\n", pose.x, pose.y);
    }
    fputs("EOD\n", to);
}

// CoM and CoR of one instant; the CoR may be nowhere.
static void write_centres(const scene* sc, size_t row, const char* name, FILE* to)
{
    const br_pose pose = pose_at(sc, row);
    br_vec2 cor;
    const bool turns = has_cor(sc, row, 0, &cor);
    fprintf(to, "$%s_com << EOD\n%.9g %.9g\nEOD\n", name, pose.x, pose.y);
    fprintf(to, "$%s_cor << EOD\n", name);
    fprintf(to, turns ? "%.9g %.9g\nEOD\n" : "NaN NaN\nEOD\n", cor.x, cor.y);
}

static void write_axes(const scene* sc, FILE* to)
{
    const double high = (double)(sc->height + TOP + BOTTOM);
    fprintf(to, "set xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", sc->x0, sc->x1, sc->y0, sc->y1);
    fprintf(to, "set lmargin at screen %.5f\nset rmargin at screen %.5f\n", (double)LEFT / WIDTH,
            1 - (double)RIGHT / WIDTH);
    fprintf(to, "set bmargin at screen %.5f\nset tmargin at screen %.5f\n", BOTTOM / high,
            1 - TOP / high);
    fputs("set size ratio -1\n"
          "set xlabel 'x [m]'\nset ylabel 'y [m]'\n"
          "set grid linetype 1 linecolor rgb '#e4e4e4' linewidth 0.6 dashtype 1\n"
          "set tics nomirror\nset border 3\n",
          to);
    fprintf(to, "set key at screen %.5f, screen %.5f left top Left reverse samplen 2\n",
            1 - (RIGHT - 10.0) / WIDTH, 1 - TOP / high);
}

// From light to dark blue, so that grey print tells the order, too.
static const char* shade(size_t i, size_t count)
{
    static const double light[] = {0xa6, 0xc8, 0xe4}, dark[] = {0x08, 0x20, 0x50};
    const double part = count < 2 ? 1 : (double)i / (double)(count - 1);
    unsigned mixed[3];
    for (int c = 0; c < 3; c++) {
        mixed[c] = (unsigned)(light[c] + part * (dark[c] - light[c]));
    }
    return memory_format("#%02x%02x%02x", mixed[0], mixed[1], mixed[2]);
}

// Areas are filled, lines thick, points round. A patch that goes with the body is lighter, as it may
// lie under others.
static void plot_patch(const scene* sc, size_t contact, const char* name, bool titled, FILE* to)
{
    const bool in_body = sc->input->body.contacts[contact].frame == BR_FRAME_BODY;
    const size_t corners = outline_patch(sc->input->contacts[contact].patch, 1).parts[0].count;
    const char* style = corners == 1   ? "points pointtype 7 pointsize 1.1 linecolor"
                        : corners == 2 ? "lines linewidth 4 linecolor"
                                       : "filledcurves fillstyle solid 1 noborder fillcolor";
    const char* title = sc->input->body.contact_count == 1
                            ? "title 'contact'"
                            : memory_format("title 'contact %zu'", contact + 1);
    fprintf(to, " $%s_%zu with %s rgb '%s' %s,", name, contact, style,
            in_body && corners > 2 ? "#fbe0c3" : "#f2a65a", titled ? title : "notitle");
}

static void plot_body(const char* name, const char* colour, const char* title, FILE* to)
{
    fprintf(to, " $%s with lines linewidth 1.8 linecolor rgb '%s' %s,", name, colour, title);
}

static void plot_axis(const char* name, const char* colour, bool titled, FILE* to)
{
    fprintf(to, " $%s_axis with lines linewidth 3.5 linecolor rgb '%s' %s,", name, colour,
            titled ? "title 'x axis of the body'" : "notitle");
}

static void plot_com(const char* name, const char* colour, bool titled, FILE* to)
{
    fprintf(to, " $%s_com with points pointtype 7 pointsize 0.9 linecolor rgb '%s' %s,", name,
            colour, titled ? "title 'CoM'" : "notitle");
}

static void plot_cor(const char* name, const char* colour, bool titled, FILE* to)
{
    fprintf(to, " $%s_cor with points pointtype 2 pointsize 1.4 linewidth 2 linecolor rgb '%s' %s,",
            name, colour, titled ? "title 'CoR'" : "notitle");
}

// Does a patch look the same at all instants? Then one picture of it is enough.
static bool patch_moves(const scene* sc, size_t contact)
{
    return sc->input->body.contacts[contact].frame == BR_FRAME_BODY ||
           br_patch_depends_on_force(sc->input->contacts[contact].patch);
}

static void write_instants(const scene* sc, FILE* to)
{
    for (size_t i = 0; i < sc->instants; i++) {
        const size_t row = sc->shown[i];
        write_patches(sc, row, memory_format("patch%zu", i), to);
        write_body(sc, row, memory_format("body%zu", i), to);
        write_centres(sc, row, memory_format("centre%zu", i), to);
    }
    write_path(sc, sc->rows->rows - 1, to);
}

static void plot_patches(const scene* sc, br_frame frame, FILE* to)
{
    const size_t instants = sc->instants;
    for (size_t c = 0; c < sc->input->body.contact_count; c++) {
        if (sc->input->body.contacts[c].frame != frame) {
            continue;
        }
        for (size_t i = patch_moves(sc, c) ? 0 : instants - 1; i < instants; i++) {
            plot_patch(sc, c, memory_format("patch%zu", i), i + 1 == instants, to);
        }
    }
}

static void plot_instants(const scene* sc, FILE* to)
{
    const size_t instants = sc->instants;
    fputs("plot", to);
    plot_patches(sc, BR_FRAME_BODY, to);
    plot_patches(sc, BR_FRAME_WORLD, to);
    for (size_t i = 0; i < instants; i++) {
        const double t = table_row(sc->rows, sc->shown[i])[BODY_T];
        plot_body(memory_format("body%zu", i), shade(i, instants),
                  memory_format("title 't = %.4g s'", t), to);
    }
    for (size_t i = 0; i < instants && sc->input->outline.count > 0; i++) {
        plot_axis(memory_format("body%zu", i), shade(i, instants), i + 1 == instants, to);
    }
    fputs(" $path with lines linewidth 1.2 dashtype (6, 4) linecolor rgb '#202020' title 'path of "
          "CoM',",
          to);
    for (size_t i = 0; i < instants; i++) {
        plot_com(memory_format("centre%zu", i), shade(i, instants), i + 1 == instants, to);
    }
    bool titled = false;
    for (size_t i = instants; i-- > 0;) {
        br_vec2 cor;
        if (has_cor(sc, sc->shown[i], 0, &cor)) {
            plot_cor(memory_format("centre%zu", i), shade(i, instants), !titled, to);
            titled = true;
        }
    }
    fputs(" NaN notitle\n", to);
}

void plot_scene_draw(const scenario* s, const result* got, output* to)
{
    const body_input* input = s->data;
    const size_t wanted = s->picture.instants ? s->picture.instants : DEFAULT_INSTANTS;
    const size_t instants = wanted < got->rows.rows ? wanted : got->rows.rows;
    const size_t* shown = choose_rows(input, &got->rows, instants);
    const scene sc = make_scene(s, got, shown, instants);
    gnuplot pipe = gnuplot_open();
    plot_write_terminal(to->name, WIDTH, sc.height + TOP + BOTTOM, pipe.script);
    fprintf(pipe.script, "set title %s\n", plot_quote(s->picture.title));
    write_axes(&sc, pipe.script);
    write_instants(&sc, pipe.script);
    plot_instants(&sc, pipe.script);
    gnuplot_close(&pipe, to);
    output_commit(to);
}

static void write_frame(const scene* sc, size_t row, FILE* to)
{
    const char* title =
        memory_format("%s   t = %.3f s", sc->s->picture.title, table_row(sc->rows, row)[BODY_T]);
    fprintf(to, "set title %s\n", plot_quote(title));
    write_patches(sc, row, "patch", to);
    write_body(sc, row, "body", to);
    write_centres(sc, row, "centre", to);
    write_path(sc, row, to);
    fputs("plot", to);
    for (size_t c = 0; c < sc->input->body.contact_count; c++) {
        plot_patch(sc, c, "patch", true, to);
    }
    plot_body("body", shade(1, 2), "title 'body'", to);
    plot_axis("body", shade(1, 2), sc->input->outline.count > 0, to);
    fputs(" $path with lines linewidth 1.2 linecolor rgb '#808080' title 'path of CoM',", to);
    plot_com("centre", shade(1, 2), true, to);
    plot_cor("centre", shade(1, 2), true, to);
    fputs(" NaN notitle\n", to);
}

void plot_scene_animate(const scenario* s, const result* got, output* to)
{
    const double last = table_row(&got->rows, got->rows.rows - 1)[BODY_T];
    const double wanted = fmin(MOST_FRAMES, ceil(TICKS_PER_SECOND * last / FRAME_TICKS) + 1);
    const size_t frames = (size_t)fmin(wanted, (double)got->rows.rows);
    const double ticks = TICKS_PER_SECOND * last / (double)frames;
    const scene sc = make_scene(s, got, spread_rows(&got->rows, frames), frames);
    gnuplot pipe = gnuplot_open();
    fprintf(pipe.script,
            "set terminal gif animate delay %.0f loop 0 noenhanced font 'Sans,10' size %d,%zu\n",
            fmax(2, round(ticks)), WIDTH, sc.height + TOP + BOTTOM);
    write_axes(&sc, pipe.script);
    for (size_t i = 0; i < frames; i++) {
        write_frame(&sc, sc.shown[i], pipe.script);
    }
    gnuplot_close(&pipe, to);
    output_commit(to);
}
