/*
 * Friction cones, their polyhedra and wrench cones: bristle/cone.h, polyhedron.h, wrench_cone.h; polyhedra of
 * limit surfaces, limit_polyhedron.h; grip forces, grasp.h.
 */
#include "bristle/cone.h"

#include <string.h>

#include "bristle/grasp.h"
#include "objects.h"

MAKER(cone_make)
{
    br_cone cone;
    return make_copy(br_cone_init(from->numbers, from->numbers[3], &cone, why), &cone, sizeof cone,
                     made);
}

LOOP(cone_axes)
{
    memcpy(args[0], object, offsetof(br_cone, mu)); // n, t1, t2
}

EACH(cone_split)
{
    br_cone_split(object, args[0] + 3 * i, args[1] + 3 * i);
}

LOOP(cone_margin)
{
    br_cone_margin_batch(object, count, args[0], args[1]);
}

EACH(cone_contains)
{
    args[1][i] = br_cone_contains(object, args[0] + 3 * i);
}

LOOP(cone_project)
{
    br_cone_project_batch(object, count, args[0], args[1]);
}

static br_polyhedron_side side_of(double outer)
{
    return outer != 0.0 ? BR_POLYHEDRON_OUTER : BR_POLYHEDRON_INNER;
}

MAKER(polyhedron_make)
{
    const double* n = from->numbers;
    br_polyhedron_def def = br_polyhedron_def_default();
    br_polyhedron polyhedron;
    def.cone = *(const br_cone*)from->objects[0];
    def.faces = whole_of(n[0]);
    def.side = side_of(n[1]);
    def.phase = n[2];
    def.f_min = n[3];
    def.f_max = n[4];
    return make_copy(br_polyhedron_init(&def, &polyhedron, why), &polyhedron, sizeof polyhedron,
                     made);
}

LOOP(polyhedron_rows)
{
    const br_polyhedron_error error = br_polyhedron_get_error(object);
    br_polyhedron_get_h(object, args[0]);
    br_polyhedron_get_v(object, args[1]);
    *args[2] = error.area;
    *args[3] = error.angle;
}

EACH(polyhedron_margin)
{
    args[1][i] = br_polyhedron_margin(object, args[0] + 3 * i);
}

EACH(polyhedron_contains)
{
    args[1][i] = br_polyhedron_contains(object, args[0] + 3 * i);
}

MAKER(wrench_cone_make)
{
    const size_t count = from->rows < from->object_count ? from->rows : from->object_count;
    br_support* supports = br_allocate(count, sizeof *supports);
    if (!supports) {
        return BR_ERR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(supports[i].place, from->table + 3 * i, sizeof supports[i].place);
        supports[i].forces = *(const br_polyhedron*)from->objects[i];
    }
    const br_status status = br_wrench_cone_create(supports, count, (br_wrench_cone**)made, why);
    br_release(supports);
    return status;
}

LOOP(wrench_cone_rectangle)
{
    br_wrench_cone_rectangle(scalars[0], scalars[1], scalars[2], (double(*)[6])(void*)args[0]);
}

// Copy rows of numbers; count may be 0.
static void write_rows(double* to, const double* rows, size_t count)
{
    if (count > 0) {
        memcpy(to, rows, count * sizeof *to);
    }
}

LOOP(wrench_cone_rows)
{
    write_rows(args[0], br_wrench_cone_get_h(object), 6 * br_wrench_cone_get_h_count(object));
    write_rows(args[1], br_wrench_cone_get_v(object), 6 * br_wrench_cone_get_v_count(object));
}

EACH(wrench_cone_margin)
{
    args[1][i] = br_wrench_cone_margin(object, args[0] + 6 * i);
}

EACH(wrench_cone_contains)
{
    args[1][i] = br_wrench_cone_contains(object, args[0] + 6 * i);
}

MAKER(limit_polyhedron_make)
{
    limit_polyhedron_object all = {.side = side_of(from->numbers[1])};
    br_status status = br_limit_polyhedron_create(from->objects[0], whole_of(from->numbers[0]),
                                                  &all.polyhedra, why);
    if (status == BR_OK && (status = make_copy(BR_OK, &all, sizeof all, made)) != BR_OK) {
        br_limit_polyhedron_destroy(all.polyhedra);
    }
    return status;
}

LOOP(limit_polyhedron_rows)
{
    const limit_polyhedron_object* p = object;
    write_rows(args[0], br_limit_polyhedron_get_h(p->polyhedra, p->side),
               4 * br_limit_polyhedron_get_h_count(p->polyhedra, p->side));
    write_rows(args[1], br_limit_polyhedron_get_v(p->polyhedra, p->side),
               3 * br_limit_polyhedron_get_v_count(p->polyhedra, p->side));
    *args[2] = br_limit_polyhedron_get_error(p->polyhedra, p->side);
}

EACH(grip_surface)
{
    args[1][i] = br_grasp_one_patch(object, scalars[0], wrench_at(args[0], i));
}

MAKER(grasp_make)
{
    const double* n = from->numbers;
    const br_grasp grasp = {
        .surface = {from->objects[0], from->objects[1]}, .mu = {n[0], n[1]}, .half_gap = n[2]};
    return make_copy(BR_OK, &grasp, sizeof grasp, made);
}

EACH(grasp_eval)
{
    const br_grasp_value value = br_grasp_eval(object, args[0] + 6 * i);
    memcpy(args[1] + 2 * i, value.fn, sizeof value.fn);
    put_wrench(args[2], 2 * i, value.wrench[0]);
    put_wrench(args[2], 2 * i + 1, value.wrench[1]);
}
