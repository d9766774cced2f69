/*
 * What patches and cells refuse, and with which message.
 */
#include "bristle/patch.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "patch_shapes.h"

/* ---- what is refused ------------------------------------------------------------------------- */

// The definition is refused, under this field, with a text that names what is allowed.
static void assert_refused(br_patch_def def, const char* field, const char* allowed)
{
    br_reason why = {"", ""};
    br_patch* patch = (br_patch*)&def; // must become NULL
    assert_int_equal(br_patch_create(&def, &patch, &why), BR_ERR_DEF);
    assert_null(patch);
    assert_string_equal(why.field, field);
    if (!strstr(why.text, allowed)) {
        fail_msg("%s: \"%s\" does not contain \"%s\"", field, why.text, allowed);
    }
    assert_int_equal(br_patch_create(&def, &patch, NULL), BR_ERR_DEF); // no reason wanted
}

/* Oracle: the header's ranges. */
static void patch_refuses_numbers_out_of_range(void** state)
{
    (void)state;
    const double bad[] = {0.0, -1.0, (double)NAN, HUGE_VAL};
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_refused(disc_def(bad[i]), "radius", "must be > 0");
        assert_refused(ring_def(bad[i]), "radius", "must be > 0");
        assert_refused(rectangle_def(bad[i], 1.0), "size[0]", "must be > 0");
        assert_refused(rectangle_def(1.0, bad[i]), "size[1]", "must be > 0");
        assert_refused(line_def(bad[i]), "length", "must be > 0");
        assert_refused(power_def(bad[i]), "pressure.k", "must be > 0");
    }
}

/* Oracle: the header's ranges of br_by_force. */
static void patch_refuses_bad_dependence_on_force(void** state)
{
    (void)state;
    br_patch_def def = disc_def(1.0);
    def.radius = (br_by_force){-1.0, 0.5, HUGE_VAL};
    assert_refused(def, "radius.coefficient", "must be > 0");
    def.radius = (br_by_force){1.0, -0.5, HUGE_VAL};
    assert_refused(def, "radius.exponent", "must be >= 0");
    def.radius = (br_by_force){1.0, (double)NAN, HUGE_VAL};
    assert_refused(def, "radius.exponent", "must be >= 0");
    def.radius = (br_by_force){1.0, 0.5, 0.0};
    assert_refused(def, "radius.max", "must be > 0");
    def.radius = (br_by_force){1.0, 0.5, (double)NAN};
    assert_refused(def, "radius.max", "must be > 0");
    def = power_def(2.0);
    def.k = (br_by_force){0.0, 1.0, HUGE_VAL};
    assert_refused(def, "pressure.k.coefficient", "must be > 0");
}

/* Oracle: the header: which pressure goes with which shape. */
static void patch_refuses_pressures_that_do_not_fit(void** state)
{
    (void)state;
    const br_support_point point = {0, 0, 1};
    const double cell = 1.0;
    br_patch_def def = rectangle_def(1.0, 1.0);
    def.pressure = BR_PRESSURE_POWER;
    assert_refused(def, "pressure", "disc or an ellipse only");
    def = ring_def(1.0);
    def.pressure = BR_PRESSURE_POWER;
    assert_refused(def, "pressure", "disc or an ellipse only");
    assert_refused(with_linear(points_def(&point, 1), 0, 1), "pressure", "must be uniform");
    assert_refused(with_linear(grid_def(1, 1, 1, 1, &cell), 0, 1), "pressure", "must be uniform");
    def = disc_def(1.0);
    def.pressure = (br_pressure_kind)77;
    assert_refused(def, "pressure", "must be one of");
    assert_refused(with_linear(disc_def(1), -1, 1), "pressure.from", "must be >= 0");
    assert_refused(with_linear(disc_def(1), 1, -1), "pressure.to", "must be >= 0");
    assert_refused(with_linear(disc_def(1), 1, (double)NAN), "pressure.to", "must be >= 0");
    assert_refused(with_linear(disc_def(1), 0, 0), "pressure.to", "not both be 0");
}

/* Oracle: geometry by eye. */
static void patch_refuses_polygons_that_are_not_simple(void** state)
{
    (void)state;
    const br_vec2 bow_tie[] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
    const br_vec2 touching[] = {{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}};
    const br_vec2 spike[] = {{0, 0}, {2, 0}, {2, 1}, {2, -1}, {0, 1}};
    const br_vec2 spike_at_end[] = {{1, 0}, {2, 0}, {2, 2}, {-1, 2}, {-1, 0}, {3, 0}};
    const br_vec2 repeated[] = {{0, 0}, {1, 0}, {1, 0}, {0, 1}};
    const br_vec2 closed_twice[] = {{0, 0}, {1, 0}, {0, 1}, {0, 0}, {0, 0}};
    const br_vec2 flat[] = {{0, 0}, {1, 1}, {3, 3}};
    assert_refused(polygon_def(bow_tie, 4), "vertices", "edge 0 (vertices 0, 1) and edge 2");
    assert_refused(polygon_def(touching, 5), "vertices", "edge 0 (vertices 0, 1) and edge 2");
    assert_refused(polygon_def(spike, 5), "vertices", "must not cross or touch");
    assert_refused(polygon_def(spike_at_end, 6), "vertices", "must not cross or touch");
    assert_refused(polygon_def(repeated, 4), "vertices", "vertices 1 and 2");
    assert_refused(polygon_def(closed_twice, 5), "vertices", "neighbours must differ");
    assert_refused(polygon_def(flat, 3), "vertices", "must enclose an area");
}

/* Oracle: the header's ranges. */
static void patch_refuses_bad_vertices(void** state)
{
    (void)state;
    const br_vec2 nan[] = {{0, 0}, {1, 0}, {1, (double)NAN}, {0, 1}};
    const br_vec2 infinite[] = {{0, 0}, {HUGE_VAL, 0}, {1, 1}};
    const br_vec2 two_and_closing[] = {{0, 0}, {1, 0}, {0, 0}};
    assert_refused(polygon_def(nan, 4), "vertices[2]", "must be finite");
    assert_refused(polygon_def(infinite, 3), "vertices[1]", "must be finite");
    assert_refused(polygon_def(two_and_closing, 3), "vertices", "3 to 10000");
    assert_refused(polygon_def(triangle, 0), "vertices", "3 to 10000");
    assert_refused(polygon_def(NULL, 3), "vertices", "3 to 10000");
}

// A regular polygon; free it.
static br_vec2* regular(size_t count)
{
    br_vec2* vertices = malloc(count * sizeof *vertices);
    assert_non_null(vertices);
    for (size_t i = 0; i < count; i++) {
        const double angle = 2.0 * BR_PI * (double)i / (double)count;
        vertices[i] = (br_vec2){cos(angle), sin(angle)};
    }
    return vertices;
}

/* Oracle: closed form of the regular polygon; one vertex more than allowed is refused. */
static void patch_takes_ten_thousand_vertices_and_not_one_more(void** state)
{
    (void)state;
    br_vec2* vertices = regular(10000);
    const br_patch_value value = value_of(polygon_def(vertices, 10000));
    assert_near_relative(value.area, 5000.0 * sin(2.0 * BR_PI / 10000.0), closed);
    assert_near_relative(value.r, 2.0 / 3.0, 1e-6 /* not quite a disc */);
    free(vertices);
    vertices = regular(10001);
    assert_refused(polygon_def(vertices, 10001), "vertices", "3 to 10000");
    free(vertices);
}

/* Oracle: the header's ranges. */
static void patch_refuses_bad_points_and_grids(void** state)
{
    (void)state;
    const br_support_point light[] = {{0, 0, 1}, {1, 0, 0}}, nan[] = {{0, (double)NAN, 1}};
    const br_support_point heavy[] = {{0, 0, 1e308}, {1, 0, 1e308}};
    assert_refused(points_def(light, 2), "points[1]", "must be > 0");
    assert_refused(points_def(nan, 1), "points[0]", "must be finite");
    assert_refused(points_def(heavy, 2), "points", "must be finite");
    assert_refused(points_def(light, 0), "points", "at least 1");
    assert_refused(points_def(NULL, 2), "points", "at least 1");

    const double zero[] = {0, 0}, negative[] = {1, 2, 3, -1}, huge[] = {1e308, 1e308};
    assert_refused(grid_def(1, 1, 2, 1, zero), "cells", "must be > 0");
    assert_refused(grid_def(1, 1, 2, 1, huge), "cells", "finite");
    assert_refused(grid_def(1, 1, 2, 2, negative), "cells[1][1]", "must be >= 0");
    assert_refused(grid_def(1, 1, 0, 2, zero), "cells", "at least 1");
    assert_refused(grid_def(1, 1, 2, 0, zero), "cells", "at least 1");
    assert_refused(grid_def(1, 1, 2, 1, NULL), "cells", "must be given");
    assert_refused(grid_def(1, 1, SIZE_MAX / 2, 16, zero), "cells", "fit into memory");
    assert_refused(grid_def(0, 1, 2, 2, negative), "size[0]", "must be > 0");
}

/* Oracle: the header's ranges. */
static void patch_refuses_a_bad_frame_or_an_unknown_definition(void** state)
{
    (void)state;
    br_patch_def def = br_patch_def_default();
    def.centre.y = (double)NAN;
    assert_refused(def, "centre", "must be finite");
    def = br_patch_def_default();
    def.angle = HUGE_VAL;
    assert_refused(def, "angle", "must be finite");
    def = br_patch_def_default();
    def.shape = (br_shape)99;
    assert_refused(def, "shape", "must be one of");
    def = br_patch_def_default();
    def.size = 8;
    assert_refused(def, "size", "br_patch_def_default()");
    assert_refused(rectangle_def(1e-200, 1e-200), "", "must be finite");
    assert_refused(line_def(1e-310), "", "is too small to compute with");
    assert_refused(line_def(5e-324), "", "is too small to compute with"); // r = length/4 is 0
    const double small[] = {5e-324, 1e-310, 9e-101};
    for (size_t i = 0; i < COUNT(small); i++) {
        assert_refused(disc_def(small[i]), "radius", "must be at least 1e-100 m");
        assert_refused(ring_def(small[i]), "radius", "must be at least 1e-100 m");
    }
    assert_refused(disc_def(2e100), "radius", "must be at most 1e+100 m");
    assert_refused(ring_def(1e200), "radius", "must be at most 1e+100 m");
}

/* Oracle: the header's ranges. */
static void cells_refuse_bad_arguments(void** state)
{
    (void)state;
    br_patch* patch = make(br_patch_def_default());
    const double forces[] = {-1.0, (double)NAN, HUGE_VAL};
    br_reason why = {"", ""};
    br_cells* cells = (br_cells*)&why; // must become NULL
    for (size_t i = 0; i < COUNT(forces); i++) {
        assert_int_equal(br_cells_create(patch, forces[i], 5, &cells, &why), BR_ERR_ARG);
        assert_null(cells);
        assert_string_equal(why.field, "fn");
        assert_non_null(strstr(why.text, "must be >= 0"));
    }
    assert_int_equal(br_cells_create(patch, 1.0, 0, &cells, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "resolution");
    assert_non_null(strstr(why.text, "1 to 4096"));
    assert_int_equal(br_cells_create(patch, 1.0, 4097, &cells, NULL), BR_ERR_ARG);
    br_patch_destroy(patch);
}

/* Oracle: by definition. A force that makes the radius overflow is refused. */
static void cells_refuse_a_force_that_makes_the_radius_infinite(void** state)
{
    (void)state;
    br_patch_def def = disc_def(1.0);
    def.radius.exponent = 3.0;
    br_patch* patch = make(def);
    br_reason why = {"", ""};
    br_cells* cells = NULL;
    assert_int_equal(br_cells_create(patch, 1e300, 5, &cells, &why), BR_ERR_ARG);
    assert_string_equal(why.field, "fn");
    br_patch_destroy(patch);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patch_refuses_numbers_out_of_range),
        cmocka_unit_test(patch_refuses_bad_dependence_on_force),
        cmocka_unit_test(patch_refuses_pressures_that_do_not_fit),
        cmocka_unit_test(patch_refuses_polygons_that_are_not_simple),
        cmocka_unit_test(patch_refuses_bad_vertices),
        cmocka_unit_test(patch_takes_ten_thousand_vertices_and_not_one_more),
        cmocka_unit_test(patch_refuses_bad_points_and_grids),
        cmocka_unit_test(patch_refuses_a_bad_frame_or_an_unknown_definition),
        cmocka_unit_test(cells_refuse_bad_arguments),
        cmocka_unit_test(cells_refuse_a_force_that_makes_the_radius_infinite),
    };
    return run_group(argc, argv, tests);
}
