/*
 * bristle cone: friction cones, their polyhedra, and the wrench cone of a patch.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "cone_options.h"
#include "cone_patch.h"
#include "input.h"
#include "json.h"
#include "memory.h"
#include "message.h"
#include "output.h"
#include "plot.h"
#include "plot_cone.h"
#include "table.h"

const char cone_help[] =
    "usage: bristle cone --mu MU [--normal X,Y,Z] [--faces N] [--approx inner|outer]\n"
    "                    [--fmin A] [--fmax B] (--print h|v | --check F.csv | --project F.csv)\n"
    "                    [-o OUT] [--plot FILE] [--json]\n"
    "       bristle cone --mu MU --patch-wrench PATCH.yaml [--pressure given|free] [--fn N]\n"
    "                    [--faces N] [--approx inner|outer] (--print h|v | --check W.csv) ...\n"
    "\n"
    "The friction cone |f - (n.f) n| <= mu n.f of a contact, and the polyhedron with N faces inside\n"
    "(inner) or around it (outer). The boundary counts as inside.\n"
    "\n"
    "  --mu MU           friction coefficient, > 0\n"
    "  --normal X,Y,Z    direction of the normal force on the body, any length (default 0,0,1)\n"
    "  --faces N         faces of the polyhedron, >= 3 (default 4)\n"
    "  --approx inner    (default) vertices on the cone\n"
    "  --approx outer    faces on it\n"
    "  --fmin A          smallest n.f [N]; A <= 0: no bound\n"
    "  --fmax B          largest n.f [N], > 0\n"
    "  --print h         ax,ay,az,b: rows a.f <= b with |a| = 1\n"
    "  --print v         x,y,z: rays on n.f = 1; with --fmax vertices [N]: fmin V_i, then fmax V_i\n"
    "                    (A < 0 as 0), or the origin, then fmax V_i, if --fmin is not given\n"
    "  --check F.csv     columns fx,fy,fz [N]; writes fx,fy,fz,soc,polyhedron,margin: soc is 1 inside\n"
    "                    the cone (without --fmin, --fmax), polyhedron 1 inside it (with them), else 0;\n"
    "                    margin = mu n.f - |f_t| [N]; tolerance for rounding: 4e-15 |f|\n"
    "  --project F.csv   columns fx,fy,fz [N]; writes fx,fy,fz,px,py,pz,distance: the nearest force\n"
    "                    in the cone, and its distance [N]\n"
    "\n"
    "  --patch-wrench PATCH.yaml   a patch as for bristle surface; SI units, axes of its frame\n"
    "  --pressure given  (default) the pressure of the file, at the centre of pressure. The limit\n"
    "                    surface at the normal force --fn N [N] (default 1) is between polyhedra with\n"
    "                    N vertices (inner) or faces (outer), 6..2048, rounded up to even (default 64).\n"
    "                    --print h: ax,ay,at,b, rows ax fx + ay fy + at tau <= b;\n"
    "                    --print v: vertices fx,fy,tau [N, N, N m]; --check W.csv: columns fx,fy,tau,\n"
    "                    writes fx,fy,tau,exact,polyhedron,gauge (<= 1: friction holds)\n"
    "  --pressure free   any pressure on the corners of a rectangle, polygon, line, or on points: the\n"
    "                    cone of all wrenches at the frame's origin. Each corner has N faces (default\n"
    "                    4), turned by pi/N: N = 4, outer is |fx|, |fy| <= mu fz. --print h: ax,ay,az,\n"
    "                    atx,aty,atz,b, rows a.w <= b, |a| = 1; --print v: rays\n"
    "                    fx,fy,fz,tx,ty,tz; --check W.csv: these columns, and polyhedron,margin\n"
    "\n"
    "  -o, --output OUT  write the table to OUT.csv, or OUT.npz (NumPy's format), instead of\n"
    "                    stdout; - is stdout\n"
    "  --plot FILE       draw cone and polyhedron, or limit surface and polyhedron: FILE.png, .svg,\n"
    "                    .pdf\n"
    "  --json            print one JSON object instead: the cone, its tangents, and the polyhedron's\n"
    "                    error: area (relative) and angle [rad]; of a limit surface relative\n"
    "  --set KEY=VALUE   override a key of PATCH.yaml; may be repeated\n"
    "  -q, --quiet       no summary\n"
    "  -h, --help        print this\n"
    "\n"
    "example: bristle cone --mu 0.5 --faces 8 --approx inner --print h\n";

static const char* const h_columns[] = {"ax", "ay", "az", "b", NULL};
static const char* const v_columns[] = {"x", "y", "z", NULL};
static const char* const force_columns[] = {"fx", "fy", "fz", NULL};
static const char* const check_columns[] = {"fx", "fy", "fz", "soc", "polyhedron", "margin", NULL};
static const char* const project_columns[] = {"fx", "fy", "fz", "px", "py", "pz", "distance", NULL};

static table h_table(const br_polyhedron* p)
{
    table out = table_create(h_columns);
    const size_t count = br_polyhedron_get_h_count(p);
    double* h = memory_allocate(count, 4 * sizeof *h);
    br_polyhedron_get_h(p, h);
    for (size_t i = 0; i < count; i++) {
        table_append(&out, h + 4 * i);
    }
    return out;
}

// Add the vertices 0 V_i of the lower bound f.n >= 0, all at the origin.
static void append_origins(table* out, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        table_append(out, (const double[]){0, 0, 0});
    }
}

// Vertices if the set is bounded, else rays. With both bounds there are always 2 N vertices.
static table v_table(const br_polyhedron* p, bool has_floor)
{
    table out = table_create(v_columns);
    const size_t count = br_polyhedron_get_v_count(p);
    double* v = memory_allocate(count, 4 * sizeof *v);
    br_polyhedron_get_v(p, v);
    const bool is_bounded = isfinite(p->def.f_max);
    if (p->def.f_min > 0 && !is_bounded) {
        message_warn("--fmin: rays cannot show it; use --fmax for vertices, or --print h");
    }
    if (has_floor && is_bounded && p->def.f_min <= 0) {
        append_origins(&out, p->def.faces - 1); // one is already in the table
    }
    for (size_t i = 0; i < count; i++) {
        if (is_bounded || v[4 * i + 3] == 0) {
            table_append(&out, v + 4 * i);
        }
    }
    return out;
}

static table check_table(const br_polyhedron* p, const char* path)
{
    const csv in = input_csv(path, force_columns, 3);
    table out = table_create(check_columns);
    for (size_t i = 0; i < in.rows; i++) {
        const double f[3] = {in.columns[0][i], in.columns[1][i], in.columns[2][i]};
        const double margin = br_cone_margin(&p->def.cone, f);
        table_append(&out, (const double[]){f[0], f[1], f[2], br_cone_contains(&p->def.cone, f),
                                            br_polyhedron_contains(p, f), margin});
    }
    return out;
}

static table project_table(const br_cone* cone, const char* path)
{
    const csv in = input_csv(path, force_columns, 3);
    table out = table_create(project_columns);
    for (size_t i = 0; i < in.rows; i++) {
        const double f[3] = {in.columns[0][i], in.columns[1][i], in.columns[2][i]};
        double x[3];
        br_cone_project(cone, f, x, NULL);
        const double distance = hypot(hypot(x[0] - f[0], x[1] - f[1]), x[2] - f[2]);
        table_append(&out, (const double[]){f[0], f[1], f[2], x[0], x[1], x[2], distance});
    }
    return out;
}

static void json_vector(json* out, const char* key, const double v[3])
{
    json_begin(out, key, '[');
    for (int i = 0; i < 3; i++) {
        json_number(out, NULL, v[i]);
    }
    json_end(out, ']');
}

static void print_json(const br_polyhedron* p)
{
    const br_polyhedron_error error = br_polyhedron_get_error(p);
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_number(&out, "mu", p->def.cone.mu);
    json_vector(&out, "normal", p->def.cone.n);
    json_vector(&out, "t1", p->def.cone.t1);
    json_vector(&out, "t2", p->def.cone.t2);
    json_count(&out, "faces", p->def.faces);
    json_text(&out, "approx", p->def.side == BR_POLYHEDRON_INNER ? "inner" : "outer");
    json_number(&out, "rho", p->rho);
    json_begin(&out, "error", '{');
    json_number(&out, "area", error.area);
    json_number(&out, "angle", error.angle);
    json_end(&out, '}');
    json_end(&out, '}');
    putchar('\n');
}

static void print_text(const br_polyhedron* p, const char* name, size_t rows)
{
    const br_polyhedron_error error = br_polyhedron_get_error(p);
    printf("cone        mu %.10g, normal %.10g,%.10g,%.10g\n", p->def.cone.mu, p->def.cone.n[0],
           p->def.cone.n[1], p->def.cone.n[2]);
    printf("polyhedron  %zu faces, %s: area off by %.3g, angle by %.3g rad\n", p->def.faces,
           p->def.side == BR_POLYHEDRON_INNER ? "inner" : "outer", error.area, error.angle);
    printf("%s: %zu rows\n", name, rows);
}

// The options must request exactly one table, or none with --plot or --json alone.
static void check_request(const options* o)
{
    const int tables = (o->print != NULL) + (o->check != NULL) + (o->project != NULL);
    if (tables > 1) {
        message_fail(EXIT_USAGE, "only one of --print, --check and --project is allowed");
    }
    if (tables == 0 && !o->plot && !o->json) {
        message_fail(EXIT_USAGE,
                     "one of --print, --check, --project, --plot, --json is needed; see: "
                     "bristle help cone");
    }
    if (tables == 0 && o->output) {
        message_fail(EXIT_USAGE, "-o %s: needs --print, --check or --project", o->output);
    }
    if (o->project && (o->fmin || o->fmax)) {
        message_fail(EXIT_USAGE, "--project: the cone without caps; %s does not apply",
                     o->fmin ? "--fmin" : "--fmax");
    }
    if (!o->patch_wrench && (o->pressure || o->fn_text || o->set_count > 0)) {
        message_fail(EXIT_USAGE, "--%s: needs --patch-wrench",
                     o->pressure  ? "pressure"
                     : o->fn_text ? "fn"
                                  : "set");
    }
}

static table force_table(const options* o, const br_polyhedron* p)
{
    return o->check                  ? check_table(p, o->check)
           : o->project              ? project_table(&p->def.cone, o->project)
           : cone_options_wants_v(o) ? v_table(p, o->fmin)
                                     : h_table(p);
}

static void forces_main(const options* o)
{
    const br_polyhedron polyhedron = cone_options_polyhedron(o);
    const bool has_table = o->print || o->check || o->project;
    const char* name = has_table ? options_table_name(o) : NULL;
    const table rows = has_table ? force_table(o, &polyhedron) : (table){0};
    if (name) {
        table_write(&rows, output_open(name));
    }
    if (o->json) {
        print_json(&polyhedron);
    } else if (o->output && strcmp(o->output, "-") != 0 && !o->quiet) {
        print_text(&polyhedron, o->output, rows.rows);
    }
    if (o->plot) {
        plot_cone_draw(&polyhedron, output_open(o->plot));
    }
}

int cone_main(int argc, char** argv)
{
    const options o = options_read(argc, argv,
                                   OPTION_CONE | OPTION_FN | OPTION_JSON | OPTION_SET |
                                       OPTION_OUTPUT | OPTION_PLOT | OPTION_QUIET | OPTION_NO_FILE);
    check_request(&o);
    options_table_name(&o);
    if (o.plot) {
        plot_check_name(o.plot);
    }
    if (o.patch_wrench) {
        cone_patch_main(&o);
    } else {
        forces_main(&o);
    }
    return EXIT_DONE;
}
