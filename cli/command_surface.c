/*
 * bristle surface: properties of a contact patch and its limit surface.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/limit.h"
#include "command.h"
#include "input.h"
#include "json.h"
#include "memory.h"
#include "message.h"
#include "options.h"
#include "outline.h"
#include "output.h"
#include "plot.h"
#include "plot_surface.h"
#include "surface.h"
#include "table.h"

const char surface_help[] =
    "usage: bristle surface PATCH.yaml [--twists IN.csv] [--method METHOD] [--fn N] [-o OUT]\n"
    "                       [--plot FILE] [--json] [--set KEY=VALUE]...\n"
    "\n"
    "Coulomb friction of a contact patch at its centre of pressure (CoP), per mu times normal force.\n"
    "Computes the wrench fx, fy [-], tau [m] on the body for twists vx, vy [m/s], w [rad/s] of the body.\n"
    "\n"
    "PATCH.yaml:\n"
    "  shape: disc|ring|rectangle|line|polygon|points|grid, with its keys: radius, size: [a, b],\n"
    "         length, vertices: [[x, y], ...], points: [[x, y, weight], ...], cells: [[p, ...], ...] or\n"
    "         file: p.csv (with size)\n"
    "  radius: R [m], or {coefficient, exponent, max [m]}: min(coefficient fn^exponent, max)\n"
    "  pressure: uniform|{kind: power, k}|{kind: linear, from, to} (uniform)\n"
    "                    k: a number, or {coefficient, exponent}\n"
    "  centre: [x, y] (0) [m], angle (0) [rad]\n"
    "  resolution (21): cells across, for models and methods that need cells\n"
    "  sampling: covered|centre (covered): a cell carries the pressure on its covered part, or the one\n"
    "                    at its centre, as in W&K\n"
    "  anisotropy: {ratio, angle (0) [rad]}: friction along the first axis, at angle to x, is ratio times\n"
    "                    that along the second, for which mu holds; as friction.anisotropy of scenarios\n"
    "\n"
    "  --twists IN.csv   columns vx,vy,w; writes vx,vy,w,fx,fy,tau. Without it the limit surface is\n"
    "                    sampled: theta,phi,vx,vy,w,fx,fy,tau with the twist\n"
    "                    (r cos theta sin phi, r sin theta sin phi, cos phi)\n"
    "  --method exact|table|bilinear|grid|published|ellipsoid|fitted\n"
    "                    exact (default): closed form or exact integral.\n"
    "                    table: smooth table of the exact surface, as simulations use it.\n"
    "                    bilinear: W&K's table h(r, v), nodes from the exact surface.\n"
    "                    grid: the same, nodes by W&K's grid; published: exactly as in their code.\n"
    "                    ellipsoid: from r; fitted: ellipsoid fitted to the exact surface\n"
    "  --n N             nodes per quarter turn of tables and samples (default 20)\n"
    "  --fn N            normal force [N] of a patch that depends on it (default 1)\n"
    "  -o, --output OUT  write the table to OUT.csv, or OUT.npz (NumPy's format), instead of\n"
    "                    stdout; - is stdout\n"
    "  --plot FILE       draw the limit surface, with the ellipsoid to compare, and the patch with its CoP\n"
    "                    and p_s: FILE.png, .svg, .pdf\n"
    "  --json            print one JSON object instead: cop [x, y] [m], p_s [x, y] [m], r [m], u [m^2],\n"
    "                    area [m^2] (0 for line, ring and points); for a table its error (max, rms).\n"
    "                    p_s: centre of rotation under a pure torque; for an asymmetric patch it is not the\n"
    "                    CoP\n"
    "  --set KEY=VALUE   override a key, e.g. --set radius=0.02; may be repeated\n"
    "  -q, --quiet       no summary\n"
    "  -h, --help        print this\n"
    "\n"
    "example: printf 'shape: disc\\nradius: 0.01\\n' > disc.yaml && bristle surface disc.yaml -o "
    "disc.csv\n";

static const char* const sample_columns[] = {"theta", "phi", "vx",  "vy", "w",
                                             "fx",    "fy",  "tau", NULL};
static const char* const twist_columns[] = {"vx", "vy", "w", "fx", "fy", "tau", NULL};

// The limit surface on the nodes that W&K use, (33)-(38): w >= 0, the rest follows by symmetry.
static table sample(const br_limit* surface, size_t n)
{
    table out = table_create(sample_columns);
    const double r = br_limit_get_patch_value(surface).r;
    const double scale = r > 0 ? r : 1; // a point has no size: any scale gives the same wrench
    for (size_t i = 0; i <= 4 * n; i++) {
        for (size_t j = 0; j <= n; j++) {
            const double theta = 0.5 * BR_PI * (double)i / (double)n;
            const double phi = 0.5 * BR_PI * (double)j / (double)n;
            // exact at the ends, where cos(pi/2) is not 0
            const double spin = j == n ? 0 : cos(phi), slide = scale * sin(phi);
            const br_twist v = {slide * cos(theta), slide * sin(theta), spin};
            const br_wrench f = br_limit_eval(surface, v).wrench;
            table_append(&out, (const double[]){theta, phi, v.vx, v.vy, v.w, f.fx, f.fy, f.tau});
        }
    }
    return out;
}

static table evaluate_file(const br_limit* surface, const char* path)
{
    static const char* const wanted[] = {"vx", "vy", "w", NULL};
    const csv in = input_csv(path, wanted, 3);
    table out = table_create(twist_columns);
    for (size_t i = 0; i < in.rows; i++) {
        const br_twist v = {in.columns[0][i], in.columns[1][i], in.columns[2][i]};
        const br_wrench f = br_limit_eval(surface, v).wrench;
        table_append(&out, (const double[]){v.vx, v.vy, v.w, f.fx, f.fy, f.tau});
    }
    return out;
}

static void write_point(const char* name, br_vec2 point, json* out)
{
    json_begin(out, name, '[');
    json_number(out, NULL, point.x);
    json_number(out, NULL, point.y);
    json_end(out, ']');
}

static void print_json(const br_limit* surface, bool is_table)
{
    const br_patch_value value = br_limit_get_patch_value(surface);
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    write_point("cop", value.cop, &out);
    write_point("p_s", br_limit_get_spin_centre(surface, NULL), &out);
    json_number(&out, "r", value.r);
    json_number(&out, "u", value.u);
    json_number(&out, "area", value.area);
    if (is_table) {
        const br_limit_error error = br_limit_get_error(surface);
        json_begin(&out, "error", '{');
        json_number(&out, "max", error.max);
        json_number(&out, "rms", error.rms);
        json_number(&out, "max_angle", error.max_angle);
        json_number(&out, "max_size", error.max_size);
        json_end(&out, '}');
    }
    json_end(&out, '}');
    putchar('\n');
}

static void print_text(const br_limit* surface, bool is_table, const char* name, size_t rows)
{
    const br_patch_value value = br_limit_get_patch_value(surface);
    const br_vec2 centre = br_limit_get_spin_centre(surface, NULL);
    printf("cop   %.10g %.10g m\n", value.cop.x, value.cop.y);
    printf("p_s   %.10g %.10g m\n", centre.x, centre.y);
    printf("r     %.10g m\n", value.r);
    printf("u     %.10g m^2\n", value.u);
    printf("area  %.10g m^2\n", value.area);
    if (is_table) {
        const br_limit_error error = br_limit_get_error(surface);
        printf("error %.3g max, %.3g rms of |h|; %.3g rad max\n", error.max, error.rms,
               error.max_angle);
    }
    printf("%s: %zu rows\n", name, rows);
}

// What to compute, from the options.
typedef struct surface_run {
    options o;
    br_limit* surface;
    bool is_table;
    const char* table_name; // NULL: no table
} surface_run;

static void write_and_report(const surface_run* j)
{
    // read the twists before opening the output, so that the input file cannot be overwritten
    table rows = j->o.twists ? evaluate_file(j->surface, j->o.twists) : (table){0};
    if (j->table_name) {
        output* to = output_open(j->table_name);
        rows = j->o.twists ? rows : sample(j->surface, j->o.n);
        table_write(&rows, to);
    }
    if (j->o.json) {
        print_json(j->surface, j->is_table);
    } else if (j->o.output && strcmp(j->o.output, "-") != 0 && !j->o.quiet) {
        print_text(j->surface, j->is_table, j->o.output, rows.rows);
    }
}

static char* title_of(const surface_run* j, const br_anisotropy* a)
{
    const char *name = text_stem(j->o.file), *method = j->o.method ? j->o.method : "exact";
    return a->ratio == 1 ? memory_format("%s: limit surface (%s)", name, method)
                         : memory_format("%s: limit surface (%s), anisotropy %.3g at %.3g rad",
                                         name, method, a->ratio, a->angle);
}

static void draw(const surface_run* j, const br_scenario_model* model)
{
    output* picture = output_open(j->o.plot);
    const br_patch* patch = model->patch;
    const table shown = sample(j->surface, j->o.n);
    const table ellipsoid = sample(
        surface_create_with(patch, &model->anisotropy, j->o.fn, BR_LIMIT_ELLIPSOID, j->o.n, 21),
        j->o.n);
    const plot_surface sheets = {
        .title = title_of(j, &model->anisotropy),
        .anisotropy = model->anisotropy,
        .surface = &shown,
        .ellipsoid = &ellipsoid,
        .patch = outline_patch(patch, j->o.fn),
        .cop = br_limit_get_patch_value(j->surface).cop,
        .p_s = br_limit_get_spin_centre(j->surface, NULL),
    };
    plot_surface_draw(&sheets, picture);
}

static void refuse_infinite(const br_scenario* file, br_patch_value value, double fn)
{
    if (!isfinite(value.u) || !isfinite(value.area) || !isfinite(value.cop.x + value.cop.y)) {
        message_fail(EXIT_USAGE, "%sthe patch is too large to compute with at fn = %g N",
                     input_place(file, ""), fn);
    }
}

int surface_main(int argc, char** argv)
{
    surface_run j = {.o = options_read(argc, argv,
                                       OPTION_FN | OPTION_JSON | OPTION_SET | OPTION_TWISTS |
                                           OPTION_METHOD | OPTION_N | OPTION_OUTPUT | OPTION_PLOT |
                                           OPTION_QUIET)};
    const br_limit_method method = surface_method(j.o.method);
    j.is_table = method != BR_LIMIT_EXACT;
    j.table_name = options_table_name(&j.o);
    if (j.o.plot) {
        plot_check_name(j.o.plot);
    }
    const br_scenario* file = input_model(j.o.file, BR_MODEL_PATCH, &j.o);
    const br_scenario_model model = br_scenario_get_model(file);
    refuse_infinite(file, br_patch_eval(model.patch, j.o.fn), j.o.fn);
    j.surface = surface_create_with(model.patch, &model.anisotropy, j.o.fn, method, j.o.n,
                                    model.resolution);
    write_and_report(&j);
    if (j.o.plot) {
        draw(&j, &model);
    }
    return EXIT_DONE;
}
