/*
 * S Fig 1: a friction cone, its inner and its outer approximation with flat faces.
 *
 * Judged by stored rays and faces of many cones, and by the areas of the sections n.f = 1, from
 * elementary geometry: N/(2 pi) sin(2 pi/N) of the circle inside, N/pi tan(pi/N) around it.
 */
#include "savin.h"

#include <math.h>

#include "bristle/math.h"
#include "bristle/polyhedron.h"
#include "memory.h"
#include "message.h"
#include "plot.h"
#include "reference.h"

enum { FACES = 8, SIDES = 2, SMOOTH = 180, MERIDIANS = 36, MAX_FACES = 64 };

static const double MU = 0.6; // in the picture
static const double SAME = 1e-12;
static const char* const sides[SIDES] = {"inner", "outer"};

static const char* const columns[] = {"faces",       "area_inner",  "area_outer",
                                      "angle_inner", "angle_outer", NULL};

static br_polyhedron create(const double normal[3], double mu, size_t faces, int side)
{
    br_polyhedron_def def = br_polyhedron_def_default();
    def.faces = faces;
    def.side = side ? BR_POLYHEDRON_OUTER : BR_POLYHEDRON_INNER;
    br_polyhedron out;
    br_reason why = {"", ""};
    if (br_cone_init(normal, mu, &def.cone, &why) != BR_OK ||
        br_polyhedron_init(&def, &out, &why) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s: %s", why.field, why.text);
    }
    return out;
}

// Largest difference from a stored table of rays or faces, one entry of a polyhedron per row.
static double compare_stored(const char* name, int side,
                             void (*get)(const br_polyhedron* polyhedron, double* list))
{
    const reference to = reference_read(memory_format("friction_cone/%s", name));
    double largest = 0, list[4 * MAX_FACES];
    for (size_t row = 0; row < to.rows; row++) {
        const double n[3] = {reference_number(&to, row, "nx"), reference_number(&to, row, "ny"),
                             reference_number(&to, row, "nz")};
        const size_t faces = (size_t)reference_number(&to, row, "faces");
        const size_t i = (size_t)reference_number(&to, row, "i");
        const br_polyhedron p = create(n, reference_number(&to, row, "mu"), faces, side);
        if (faces > MAX_FACES) {
            message_fail(EXIT_COMPUTATION, "%s: %zu faces are too many", name, faces);
        }
        get(&p, list);
        for (int k = 0; k < 3; k++) {
            const char* column = memory_format("%s_%c", sides[side], "xyz"[k]);
            largest = study_larger(
                largest, fabs(list[4 * i + (size_t)k] - reference_number(&to, row, column)));
        }
    }
    return largest;
}

static double area_error(double faces, int side)
{
    const double share =
        side ? faces / BR_PI * tan(BR_PI / faces) : faces / (2 * BR_PI) * sin(2 * BR_PI / faces);
    return fabs(share - 1);
}

// --- picture ---------------------------------------------------------------------------------------

static void write_point(double phi, double height, double rho, FILE* to)
{
    fprintf(to, "%.6g %.6g %.6g\n", height * rho * cos(phi), height * rho * sin(phi), height);
}

// $NAME: edges from the apex to n.f = 1, and the rim there; $NAME_rim: the rim alone.
static void write_cone(const char* name, double rho, int edges, int corners, FILE* to)
{
    fprintf(to, "$%s << EOD\n", name);
    for (int i = 0; i < edges; i++) {
        write_point(0, 0, 0, to);
        write_point(2 * BR_PI * i / edges, 1, rho, to);
        fputs("\n\n", to);
    }
    for (int i = 0; i <= corners; i++) {
        write_point(2 * BR_PI * i / corners, 1, rho, to);
    }
    fprintf(to, "EOD\n$%s_rim << EOD\n", name);
    for (int i = 0; i <= corners; i++) {
        write_point(2 * BR_PI * i / corners, 1, rho, to);
    }
    fputs("EOD\n", to);
}

static void write_script(const study* s, const void* data, FILE* to)
{
    const br_polyhedron* both = data;
    static const char cone_line[] = "with lines linecolor rgb '#74a9cf' linewidth 1.5 dashtype 1";
    static const char inner_line[] = "with lines linecolor rgb '#a63603' linewidth 2 dashtype 1";
    static const char outer_line[] =
        "with lines linecolor rgb '#000000' linewidth 1.6 dashtype (8, 4)";
    study_write_block("data", &s->rows, to);
    write_cone("cone", MU, MERIDIANS, SMOOTH, to);
    write_cone("inner", both[0].rho, FACES, FACES, to);
    write_cone("outer", both[1].rho, FACES, FACES, to);
    fprintf(
        to,
        "set multiplot layout 1,2 title %s\nset offsets 0, 0, 0, 0\nunset key\n"
        "set view 62, 40\nset xrange [-0.7:0.7]\nset yrange [-0.7:0.7]\nset view equal xyz\nset xyplane relative 0\nset xtics -0.4, 0.4, 0.4\n"
        "set ytics -0.4, 0.4, 0.4\nset ztics 0.5, 0.5\nset xlabel 'fx [N]'\nset ylabel 'fy [N]'\n"
        "set zlabel 'fz [N]' rotate by 90\nset border 31 linecolor rgb '#a0a0a0'\n"
        "set tics textcolor rgb '#000000'\n"
        "set title 'mu = %g, %d faces'\n"
        "splot $cone %s, $outer %s, $inner %s\n",
        plot_quote(s->item->title), MU, FACES, cone_line, outer_line, inner_line);
    fprintf(to,
            "set title 'section n.f = 1 N'\nset size ratio -1\nset border 3\nset tics nomirror\n"
            "set xtics 0.2\nset ytics 0.2\nunset zlabel\nset xrange [-0.9:0.9]\n"
            "set yrange [-0.75:1.05]\nset key top right\nset xlabel 't1.f [N]'\n"
            "set ylabel 't2.f [N]'\n"
            "plot $cone_rim %s title 'cone', $outer_rim %s title 'outer', $inner_rim %s title "
            "'inner'\nunset multiplot\n",
            cone_line, outer_line, inner_line);
}

void savin_cone(study* s)
{
    static const double up[3] = {0, 0, 1};
    static const size_t faces[] = {3, 4, 6, 8, 12, 16, 32, 64};
    study_table(s, columns);
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        double row[5] = {(double)faces[i]};
        for (int side = 0; side < SIDES; side++) {
            const br_polyhedron p = create(up, MU, faces[i], side);
            row[1 + side] = br_polyhedron_get_error(&p).area;
            row[3 + side] = br_polyhedron_get_error(&p).angle;
            study_judge(s, memory_format("%zu faces, %s: area error [-]", faces[i], sides[side]),
                        source_closed("areas of a polygon and its circle"),
                        area_error(row[0], side), row[1 + side], SAME, NULL);
        }
        table_append(&s->rows, row);
    }
    for (int side = 0; side < SIDES; side++) {
        study_judge_difference(s, memory_format("%s rays, largest difference [-]", sides[side]),
                               source_oracle("test/golden/friction_cone"),
                               compare_stored("rays", side, br_polyhedron_get_v), SAME, NULL);
        study_judge_difference(s, memory_format("%s faces, largest difference [-]", sides[side]),
                               source_oracle("test/golden/friction_cone"),
                               compare_stored("rows", side, br_polyhedron_get_h), SAME, NULL);
    }
    study_note(s, "The figure is a drawing without numbers: judged are the polyhedra.");
    study_write_table(s);
    const br_polyhedron both[SIDES] = {create(up, MU, FACES, 0), create(up, MU, FACES, 1)};
    study_draw(s, 1000, 540, write_script, both);
}
