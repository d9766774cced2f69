/*
 * The wrenches that a contact patch can carry: polyhedra of its limit surface where the pressure is
 * given, the cone of its corners where it is free.
 */
#include "cone_patch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/limit_polyhedron.h"
#include "bristle/wrench_cone.h"
#include "cone_options.h"
#include "input.h"
#include "json.h"
#include "memory.h"
#include "message.h"
#include "output.h"
#include "plot_cone.h"
#include "surface.h"
#include "table.h"
#include "text.h"

static const char* const planar_h_columns[] = {"ax", "ay", "at", "b", NULL};
static const char* const planar_v_columns[] = {"fx", "fy", "tau", NULL};
static const char* const planar_check_columns[] = {"fx",         "fy",    "tau", "exact",
                                                   "polyhedron", "gauge", NULL};
static const char* const spatial_h_columns[] = {"ax", "ay", "az", "atx", "aty", "atz", "b", NULL};
static const char* const spatial_v_columns[] = {"fx", "fy", "fz", "tx", "ty", "tz", NULL};
static const char* const spatial_check_columns[] = {"fx", "fy",         "fz",     "tx", "ty",
                                                    "tz", "polyhedron", "margin", NULL};

enum {
    LEAST_POINTS = 6,
    USUAL_POINTS = 64,
    MOST_POINTS = 2048,
    MOST_CORNER_FACES = 256,
    MOST_CORNERS = 1024
};

// The input: file and options.
typedef struct cone_run {
    const options* o;
    const br_scenario* file;
    const br_patch* patch;
    br_cone cone;
    br_polyhedron_side side;
} cone_run;

// The wrenches in the plane of the patch, for a given pressure.
typedef struct planar {
    const br_limit* surface;
    const br_limit_polyhedron* polyhedra;
    br_polyhedron_side side;
    double scale; // mu fn [N]
} planar;

// Report an error of the library and end the command.
static void check_status(br_status status, const char* option, const br_reason* why)
{
    if (status == BR_ERR_MEMORY) {
        message_fail(EXIT_COMPUTATION, "out of memory");
    }
    if (status != BR_OK) {
        message_fail(EXIT_USAGE, "%s: %s", option, why->text);
    }
}

static void destroy_polyhedra(void* polyhedra)
{
    br_limit_polyhedron_destroy(polyhedra);
}

static planar planar_create(const cone_run* j)
{
    const double fn = j->o->fn;
    if (!(fn > 0)) {
        message_fail(EXIT_USAGE, "--fn %s: must be > 0 here [N]", j->o->fn_text);
    }
    const size_t points = cone_options_faces(j->o, LEAST_POINTS, USUAL_POINTS, MOST_POINTS);
    planar out = {.surface = surface_create(j->patch, fn, BR_LIMIT_EXACT, 20, 21),
                  .side = j->side,
                  .scale = j->cone.mu * fn};
    br_limit_polyhedron* polyhedra;
    br_reason why = {"", ""};
    check_status(br_limit_polyhedron_create(out.surface, points, &polyhedra, &why),
                 j->o->patch_wrench, &why);
    memory_own(polyhedra, destroy_polyhedra);
    out.polyhedra = polyhedra;
    return out;
}

static table planar_print(const planar* p, bool wants_v)
{
    table out = table_create(wants_v ? planar_v_columns : planar_h_columns);
    const size_t count = wants_v ? br_limit_polyhedron_get_v_count(p->polyhedra, p->side)
                                 : br_limit_polyhedron_get_h_count(p->polyhedra, p->side);
    for (size_t i = 0; i < count; i++) {
        if (wants_v) {
            const double* v = br_limit_polyhedron_get_v(p->polyhedra, p->side) + 3 * i;
            table_append(&out, (const double[]){p->scale * v[0], p->scale * v[1], p->scale * v[2]});
        } else {
            const double* h = br_limit_polyhedron_get_h(p->polyhedra, p->side) + 4 * i;
            table_append(&out, (const double[]){h[0], h[1], h[2], p->scale * h[3]});
        }
    }
    return out;
}

static table planar_check(const planar* p, const char* path)
{
    const csv in = input_csv(path, planar_v_columns, 3);
    table out = table_create(planar_check_columns);
    for (size_t i = 0; i < in.rows; i++) {
        const double w[3] = {in.columns[0][i], in.columns[1][i], in.columns[2][i]};
        const br_wrench load = {w[0] / p->scale, w[1] / p->scale, w[2] / p->scale};
        const double gauge = br_limit_gauge(p->surface, load, NULL);
        const int is_inside = br_limit_polyhedron_contains(p->polyhedra, p->side, load);
        table_append(&out, (const double[]){w[0], w[1], w[2], gauge <= 1 + BR_CONE_ROUNDING,
                                            is_inside, gauge});
    }
    return out;
}

static void print_json(const cone_run* j, size_t faces, size_t vertices, const planar* p)
{
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_number(&out, "mu", j->cone.mu);
    json_text(&out, "pressure", p ? "given" : "free");
    json_text(&out, "approx", j->side == BR_POLYHEDRON_INNER ? "inner" : "outer");
    json_count(&out, "faces", faces);
    json_count(&out, p ? "vertices" : "rays", vertices);
    if (p) {
        const br_patch_value value = br_limit_get_patch_value(p->surface);
        json_number(&out, "fn", j->o->fn);
        json_begin(&out, "cop", '[');
        json_number(&out, NULL, value.cop.x);
        json_number(&out, NULL, value.cop.y);
        json_end(&out, ']');
        json_number(&out, "r", value.r);
        json_number(&out, "error", br_limit_polyhedron_get_error(p->polyhedra, p->side));
    }
    json_end(&out, '}');
    putchar('\n');
}

static bool wants_text(const options* o)
{
    return !o->json && o->output && strcmp(o->output, "-") != 0 && !o->quiet;
}

static void planar_main(const cone_run* j)
{
    const planar p = planar_create(j);
    const bool has_table = j->o->print || j->o->check;
    const char* name = has_table ? options_table_name(j->o) : NULL;
    const table rows = j->o->check   ? planar_check(&p, j->o->check)
                       : j->o->print ? planar_print(&p, cone_options_wants_v(j->o))
                                     : (table){0};
    if (name) {
        table_write(&rows, output_open(name));
    }
    const size_t faces = br_limit_polyhedron_get_h_count(p.polyhedra, p.side);
    const size_t vertices = br_limit_polyhedron_get_v_count(p.polyhedra, p.side);
    if (j->o->json) {
        print_json(j, faces, vertices, &p);
    } else if (wants_text(j->o)) {
        printf("polyhedron  %zu faces, %zu vertices, %s: off by %.3g of the limit surface\n", faces,
               vertices, p.side == BR_POLYHEDRON_INNER ? "inner" : "outer",
               br_limit_polyhedron_get_error(p.polyhedra, p.side));
        printf("%s: %zu rows\n", j->o->output, rows.rows);
    }
    if (j->o->plot) {
        const plot_wrench picture = {text_stem(j->o->patch_wrench), p.surface, p.polyhedra, p.side,
                                     p.scale};
        plot_wrench_draw(&picture, output_open(j->o->plot));
    }
}

// The corners of a patch, in its own frame.
static size_t corners_of(const cone_run* j, br_vec2** corners)
{
    const br_patch_def* def = br_patch_get_def(j->patch);
    const size_t count = def->shape == BR_SHAPE_RECTANGLE ? 4
                         : def->shape == BR_SHAPE_LINE    ? 2
                         : def->shape == BR_SHAPE_POLYGON || def->shape == BR_SHAPE_POINTS
                             ? def->count
                             : 0;
    if (count == 0) {
        message_fail(EXIT_USAGE,
                     "%s--pressure free needs corners: a rectangle, a polygon, a line or points; "
                     "this is a %s",
                     input_place(j->file, ""), br_shape_get_name(def->shape));
    }
    *corners = memory_allocate(count, sizeof **corners);
    for (size_t i = 0; i < count; i++) {
        const double x = i < 2 ? 0.5 : -0.5, y = i % 2 ? -0.5 : 0.5;
        (*corners)[i] =
            def->shape == BR_SHAPE_RECTANGLE ? (br_vec2){x * def->size_x, y * def->size_y}
            : def->shape == BR_SHAPE_LINE    ? (br_vec2){-y * def->length, 0}
            : def->shape == BR_SHAPE_POLYGON ? def->vertices[i]
                                             : (br_vec2){def->points[i].x, def->points[i].y};
    }
    return count;
}

static void destroy_cone(void* cone)
{
    br_wrench_cone_destroy(cone);
}

static const br_wrench_cone* spatial_create(const cone_run* j)
{
    br_vec2* corners;
    const size_t count = corners_of(j, &corners);
    if (count > MOST_CORNERS) {
        message_fail(EXIT_USAGE, "%s--pressure free takes at most %d corners; this patch has %zu",
                     input_place(j->file, ""), MOST_CORNERS, count);
    }
    br_polyhedron_def forces = br_polyhedron_def_default();
    forces.cone = j->cone;
    forces.side = j->side;
    forces.faces = cone_options_faces(j->o, 3, forces.faces, MOST_CORNER_FACES);
    forces.phase = BR_PI / (double)forces.faces;
    const br_patch_def* def = br_patch_get_def(j->patch);
    const br_pose placed = {def->centre.x, def->centre.y, def->angle};
    br_support* supports = memory_allocate(count, sizeof *supports);
    br_reason why = {"", ""};
    for (size_t i = 0; i < count; i++) {
        const br_vec2 at = br_pose_apply(placed, corners[i]);
        supports[i].place[0] = at.x;
        supports[i].place[1] = at.y;
        check_status(br_polyhedron_init(&forces, &supports[i].forces, &why), "--faces", &why);
    }
    br_wrench_cone* cone;
    check_status(br_wrench_cone_create(supports, count, &cone, &why), j->o->patch_wrench, &why);
    memory_own(cone, destroy_cone);
    return cone;
}

static table spatial_print(const br_wrench_cone* cone, bool wants_v)
{
    table out = table_create(wants_v ? spatial_v_columns : spatial_h_columns);
    const size_t count =
        wants_v ? br_wrench_cone_get_v_count(cone) : br_wrench_cone_get_h_count(cone);
    const double* rows = wants_v ? br_wrench_cone_get_v(cone) : br_wrench_cone_get_h(cone);
    for (size_t i = 0; i < count; i++) {
        double row[7] = {0};
        memcpy(row, rows + 6 * i, 6 * sizeof *row);
        table_append(&out, row);
    }
    return out;
}

static table spatial_check(const br_wrench_cone* cone, const char* path)
{
    const csv in = input_csv(path, spatial_v_columns, 6);
    table out = table_create(spatial_check_columns);
    for (size_t i = 0; i < in.rows; i++) {
        double row[8];
        for (size_t k = 0; k < 6; k++) {
            row[k] = in.columns[k][i];
        }
        row[7] = br_wrench_cone_margin(cone, row);
        row[6] = br_wrench_cone_contains(cone, row);
        table_append(&out, row);
    }
    return out;
}

static void spatial_main(const cone_run* j)
{
    if (j->o->plot) {
        message_fail(EXIT_USAGE, "--plot: a cone of six dimensions cannot be drawn");
    }
    if (j->o->fn_text) {
        message_fail(EXIT_USAGE, "--fn: does not apply to --pressure free, a cone of any force");
    }
    const br_wrench_cone* cone = spatial_create(j);
    const bool has_table = j->o->print || j->o->check;
    const char* name = has_table ? options_table_name(j->o) : NULL;
    const table rows = j->o->check   ? spatial_check(cone, j->o->check)
                       : j->o->print ? spatial_print(cone, cone_options_wants_v(j->o))
                                     : (table){0};
    if (name) {
        table_write(&rows, output_open(name));
    }
    const size_t faces = br_wrench_cone_get_h_count(cone), rays = br_wrench_cone_get_v_count(cone);
    if (j->o->json) {
        print_json(j, faces, rays, NULL);
    } else if (wants_text(j->o)) {
        printf("wrench cone  %zu faces, %zu rays\n%s: %zu rows\n", faces, rays, j->o->output,
               rows.rows);
    }
}

static bool is_free(const options* o)
{
    static const char* const kinds[] = {"given", "free", NULL};
    return o->pressure && text_choose("--pressure", o->pressure, kinds) == 1;
}

static void refuse_options(const options* o)
{
    const char* useless = o->normal    ? "--normal"
                          : o->fmin    ? "--fmin"
                          : o->fmax    ? "--fmax"
                          : o->project ? "--project"
                                       : NULL;
    if (useless) {
        message_fail(EXIT_USAGE, "%s: does not apply to --patch-wrench", useless);
    }
}

void cone_patch_main(const options* o)
{
    refuse_options(o);
    cone_run j = {.o = o, .cone = cone_options_cone(o), .side = cone_options_side(o)};
    const bool free_pressure = is_free(o);
    j.file = input_model(o->patch_wrench, BR_MODEL_PATCH, o);
    j.patch = input_isotropic_patch(j.file);
    if (free_pressure) {
        spatial_main(&j);
    } else {
        planar_main(&j);
    }
}
