/*
 * Patches of triangles: the same numbers as polygons, cells, bad meshes.
 */
#include "limit_shapes.h"

#include <string.h>

#include "bristle/contact.h"

// The L of patch_shapes.h in triangles about the point (0.5, 0.6), which sees all of it; the second with more vertices.
static const br_vec2 ell_vertices[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}, {0.5, 0.6}};
static const uint32_t ell_triangles[] = {6, 0, 1, 2, 1, 6, 6, 2, 3, 6, 3, 4, 5, 4, 6, 6, 5, 0};

// p = from at x = 0, to at x = 2
static void fill_pressures(double from, double to, double* pressures)
{
    for (size_t i = 0; i < COUNT(ell_vertices); i++) {
        pressures[i] = from + 0.5 * (to - from) * ell_vertices[i].x;
    }
}

/* Oracle: the polygon. */
static void triangles_have_the_numbers_of_their_polygon(void** state)
{
    (void)state;
    uint64_t seed = 9;
    const double ends[][2] = {{1.0, 1.0}, {1.0, 3.0}, {2.0, 0.0}};
    for (size_t i = 0; i < COUNT(ends); i++) {
        double p[COUNT(ell_vertices)];
        fill_pressures(ends[i][0], ends[i][1], p);
        const sample polygon = make_sample(
            "polygon", placed(with_linear(polygon_def(ell, COUNT(ell)), ends[i][0], ends[i][1]),
                              1.0, 2.0, 0.3));
        const sample mesh =
            make_sample("triangles", placed(triangles_def(ell_vertices, p, COUNT(ell_vertices),
                                                          ell_triangles, COUNT(ell_triangles) / 3),
                                            1.0, 2.0, 0.3));
        assert_near(mesh.value.cop.x, polygon.value.cop.x, 1e-14);
        assert_near(mesh.value.cop.y, polygon.value.cop.y, 1e-14);
        assert_near_relative(mesh.value.r, polygon.value.r, 1e-14);
        assert_near_relative(mesh.value.u, polygon.value.u, 1e-14);
        assert_near_relative(mesh.value.area, 3.0, 1e-15);
        for (int k = 0; k < 300; k++) {
            const br_twist v = random_twist(&seed, mesh.value.r);
            const br_limit_value a = br_limit_eval(polygon.surface, v),
                                 b = br_limit_eval(mesh.surface, v);
            double ja[3][3], jb[3][3];
            br_limit_jacobian_eval(polygon.surface, v, ja);
            br_limit_jacobian_eval(mesh.surface, v, jb);
            assert_near_relative(b.dissipation, a.dissipation, 1e-13);
            assert_near(wrench_distance(a.wrench, b.wrench, 1.0), 0.0, 1e-13);
            for (int n = 0; n < 9; n++) {
                const double size = fabs(ja[0][0]) + fabs(ja[1][1]) + fabs(ja[2][2]);
                assert_near(jb[n / 3][n % 3], ja[n / 3][n % 3], 1e-12 * size);
            }
        }
        destroy_sample(polygon);
        destroy_sample(mesh);
    }
}

enum { SIDE = 24 };

// A square of 2 SIDE^2 triangles under p = 1 + x + y^2 at the vertices.
static br_patch_def square_mesh(br_vec2* vertices, double* p, uint32_t* triangles)
{
    for (uint32_t i = 0; i < (SIDE + 1) * (SIDE + 1); i++) {
        vertices[i] = (br_vec2){(double)(i % (SIDE + 1)) / SIDE, (double)(i / (SIDE + 1)) / SIDE};
        p[i] = 1.0 + vertices[i].x + vertices[i].y * vertices[i].y;
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t at = i / SIDE * (SIDE + 1) + i % SIDE, up = at + SIDE + 1;
        const uint32_t both[6] = {at, at + 1, up + 1, at, up + 1, up};
        memcpy(triangles + 6 * i, both, sizeof both);
    }
    return triangles_def(vertices, p, (SIDE + 1) * (SIDE + 1), triangles, 2 * SIDE * SIDE);
}

/* Oracle: a sum over the triangles, each a polygon with its own linear pressure. Many small triangles
 * far from the CoR do not cancel. */
static void many_triangles_keep_their_digits(void** state)
{
    (void)state;
    static br_vec2 vertices[(SIDE + 1) * (SIDE + 1)];
    static double p[(SIDE + 1) * (SIDE + 1)];
    static uint32_t triangles[6 * SIDE * SIDE];
    const sample mesh = make_sample("square", square_mesh(vertices, p, triangles));
    uint64_t seed = 8;
    for (int n = 0; n < 20; n++) {
        // the CoR outside: the field is smooth, and 3 x 3 Gauss points on each triangle are enough
        const double angle = uniform(&seed, -BR_PI, BR_PI), distance = uniform(&seed, 1.2, 1.7);
        const br_vec2 c = {distance * cos(angle), distance * sin(angle)};
        const br_twist v = {c.y, -c.x, 1.0};
        double D = 0.0, mass = 0.0;
        for (size_t i = 0; i < COUNT(triangles) / 3; i++) {
            const br_vec2 a = vertices[triangles[3 * i]], b = vertices[triangles[3 * i + 1]],
                          d = vertices[triangles[3 * i + 2]];
            static const double node[3] = {0.112701665379258311, 0.5, 0.887298334620741689};
            static const double share[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
            for (int k = 0; k < 9; k++) {
                const double s = node[k % 3], t = node[k / 3];
                const double la = 1.0 - s, lb = s * (1.0 - t), ld = s * t;
                const br_vec2 at = {la * a.x + lb * b.x + ld * d.x, la * a.y + lb * b.y + ld * d.y};
                const double pressure = la * p[triangles[3 * i]] + lb * p[triangles[3 * i + 1]] +
                                        ld * p[triangles[3 * i + 2]];
                const double w = share[k % 3] * share[k / 3] * s * pressure;
                const br_vec2 rho = br_vec2_sub(br_vec2_sub(at, mesh.value.cop), c);
                D += w * br_vec2_norm(rho);
                mass += w;
            }
        }
        /* Gauss points of degree 5 in triangles of 1/24 seen from 0.2 and more */
        assert_near_relative(br_limit_eval(mesh.surface, v).dissipation, D / mass, 1e-8);
    }
    destroy_sample(mesh);
}

/* Oracle: the moments of the patch. Each triangle has cells of its own, at least one. */
static void cells_converge_to_the_moments(void** state)
{
    (void)state;
    br_patch* patch = make(tent_def());
    const br_patch_value exact = br_patch_eval(patch, 1.0);
    size_t before = 0;
    for (size_t n = 1; n <= 64; n *= 4) {
        br_cells* cells = cut(patch, 1.0, n);
        const br_patch_value sums = br_cells_eval(cells);
        double sum = 0.0;
        for (size_t i = 0; i < cells->count; i++) {
            assert_true(cells->weight[i] > 0.0);
            sum += cells->weight[i];
        }
        assert_near_relative(sum, 1.0, 1e-14);
        assert_true(cells->count >= 7 && cells->count > before);
        before = cells->count;
        /* each cell has its force at its own CoP: the CoP is exact, r and u lack the spread in the cells */
        assert_near(sums.cop.x, exact.cop.x, 1e-15);
        assert_near(sums.cop.y, exact.cop.y, 1e-15);
        assert_near(sums.u, exact.u, 6.0 / (double)(n * n) * exact.u);
        assert_near(sums.r, exact.r, 6.0 / (double)(n * n) * exact.r);
        br_cells_destroy(cells);
    }
    br_patch_destroy(patch);
}

// --- contacts ------------------------------------------------------------------------------------------

static br_contact* make_contact(const br_patch* patch, br_method method)
{
    br_contact_def def = br_contact_def_default();
    def.patch = patch;
    def.method = method;
    br_contact* contact = NULL;
    br_reason why = {"", ""};
    if (br_contact_create(&def, &contact, &why) != BR_OK) {
        fail_msg("contact refused: %s: %s", why.field, why.text);
    }
    return contact;
}

static void assert_same_parts(const br_contact* a, const br_contact* b)
{
    const br_patch_value x = br_contact_get_patch_value(a), y = br_contact_get_patch_value(b);
    assert_near(x.cop.x, y.cop.x, 1e-14);
    assert_near(x.cop.y, y.cop.y, 1e-14);
    assert_near(x.u, y.u, 1e-3 * y.u /* the spread in the cells is that of the first pressure */);
    assert_int_equal(br_contact_get_part_count(a), br_contact_get_part_count(b));
    for (size_t i = 0; i < br_contact_get_part_count(a); i++) {
        const br_contact_part p = br_contact_get_part(a, i), q = br_contact_get_part(b, i);
        assert_near(p.weight, q.weight, 1e-14);
        if (q.weight > 1e-100) {
            assert_near(p.position.x, q.position.x, 1e-13);
            assert_near(p.position.y, q.position.y, 1e-13);
        }
    }
}

// Other pressures, and vertices that moved.
static void change(double* pressures, br_vec2* vertices)
{
    for (size_t i = 0; i < COUNT(tent_vertices); i++) {
        pressures[i] = 0.2 + 0.1 * (double)i;
        vertices[i] = (br_vec2){1.1 * tent_vertices[i].x + 0.05 * tent_vertices[i].y,
                                0.9 * tent_vertices[i].y - 0.02};
    }
}

/* Oracle: a contact created at that pressure. Cells are the same ones if the triangles do not move: how these are
 * divided depends on their sizes alone. */
static void cells_at_a_pressure_are_those_created_there(void** state)
{
    (void)state;
    br_vec2 unused[COUNT(tent_vertices)];
    double pressures[COUNT(tent_vertices)];
    change(pressures, unused);
    br_patch_def pressed = tent_def();
    pressed.pressures = pressures;
    br_patch *first = make(tent_def()), *second = make(pressed);
    br_contact *contact = make_contact(first, BR_METHOD_DISTRIBUTED),
               *fresh = make_contact(second, BR_METHOD_DISTRIBUTED);
    assert_true(br_contact_get_at_force_size(contact) == 0);
    void* memory = test_calloc(1, br_contact_get_at_pressure_size(contact));
    const br_contact* now = br_contact_at_pressure(contact, NULL, pressures, memory);
    assert_same_parts(now, fresh);
    const double none[COUNT(tent_vertices)] = {0};
    assert_ptr_equal(br_contact_at_pressure(contact, NULL, none, memory), now);
    assert_same_parts(now, fresh); // without any pressure it stays
    assert_same_parts(br_contact_at_pressure(contact, NULL, tent_pressures, memory), contact);
    test_free(memory);
    br_contact_destroy(contact);
    br_contact_destroy(fresh);
    br_patch_destroy(first);
    br_patch_destroy(second);
}

/* Oracle: a contact created there, also where the triangles moved; blocks are cut as for the first pressure, so that
 * wrenches are compared. */
static void a_contact_follows_moving_triangles(void** state)
{
    (void)state;
    br_vec2 vertices[COUNT(tent_vertices)];
    double pressures[COUNT(tent_vertices)];
    change(pressures, vertices);
    br_patch_def moved = tent_def();
    moved.vertices = vertices;
    moved.pressures = pressures;
    br_patch *first = make(tent_def()), *second = make(moved);
    const br_method methods[] = {BR_METHOD_DISTRIBUTED, BR_METHOD_BLOCKS};
    for (int i = 0; i < 2; i++) {
        br_contact* contact = make_contact(first, methods[i]);
        br_contact* fresh = make_contact(second, methods[i]);
        void* memory = test_calloc(1, br_contact_get_at_pressure_size(contact));
        const br_contact* now = br_contact_at_pressure(contact, vertices, pressures, memory);
        const br_patch_value x = br_contact_get_patch_value(now), y = br_patch_eval(second, 1.0);
        assert_near(x.cop.x, y.cop.x, 1e-14);
        assert_near(x.cop.y, y.cop.y, 1e-14);
        const br_twist v = {0.3, -0.2, 0.5};
        const br_wrench a = br_contact_steady_eval(now, v, 10.0, NULL),
                        b = br_contact_steady_eval(fresh, v, 10.0, NULL);
        const double tolerance = i == 0 ? 2e-3 : 2e-2; // 21 cells across; 5 blocks, cut differently
        assert_near(a.fx, b.fx, tolerance * 10.0);
        assert_near(a.fy, b.fy, tolerance * 10.0);
        assert_near(a.tau, b.tau, tolerance * 10.0);
        test_free(memory);
        br_contact_destroy(contact);
        br_contact_destroy(fresh);
    }
    br_patch_destroy(first);
    br_patch_destroy(second);
}

/* Oracle: a counting allocator, and steps that lose no energy: the power of friction is what the body loses. */
static void pressures_change_without_allocation(void** state)
{
    (void)state;
    counting count = {0, 0, 0};
    br_set_allocator(counting_allocate, counting_release, &count);
    br_patch* patch = make(tent_def());
    br_contact* contact = make_contact(patch, BR_METHOD_BLOCKS);
    br_patch_destroy(patch); // the contact keeps what it needs
    void* memory = test_calloc(1, br_contact_get_at_pressure_size(contact));
    double* z = test_calloc(br_contact_get_state_count(contact), sizeof *z);
    const size_t before = count.calls;
    double pressures[COUNT(tent_vertices)];
    for (int step = 0; step < 200; step++) {
        for (size_t i = 0; i < COUNT(pressures); i++) {
            pressures[i] = 1.0 + sin(0.1 * step + (double)i);
        }
        const br_contact* now = br_contact_at_pressure(contact, NULL, pressures, memory);
        const br_wrench f = br_contact_step(now, z, (br_twist){0.01, 0.0, 0.02}, 5.0, 1e-3, NULL);
        assert_true(f.fx < 0.0 &&
                    hypot(f.fx, f.fy) < 1.01 * 5.0 * br_contact_get_def(now)->law.mu_s);
    }
    assert_int_equal(count.calls, before);
    test_free(memory);
    test_free(z);
    br_contact_destroy(contact);
    assert_int_equal(count.alive, 0);
    br_set_allocator(NULL, NULL, NULL);
}

/* Oracle: the force of the bristles, which a change of the mesh keeps. */
static void bristles_are_carried_to_another_mesh(void** state)
{
    (void)state;
    br_patch_def fewer = tent_def();
    fewer.triangle_count -= 2;
    br_patch *one = make(tent_def()), *two = make(fewer);
    br_contact *from = make_contact(one, BR_METHOD_BLOCKS),
               *to = make_contact(two, BR_METHOD_BLOCKS);
    double* z = test_calloc(br_contact_get_state_count(from), sizeof *z);
    double* out = test_calloc(br_contact_get_state_count(to), sizeof *out);
    const br_twist still = {0.0, 0.0, 0.0};
    for (int i = 0; i < 20; i++) {
        br_contact_step(from, z, (br_twist){1e-4, 2e-4, 1e-4}, 5.0, 1e-3, NULL);
    }
    br_contact_carry(from, z, to, out);
    const br_wrench a = br_contact_step(from, z, still, 5.0, 1e-9, NULL);
    const br_wrench b = br_contact_step(to, out, still, 5.0, 1e-9, NULL);
    assert_near_relative(b.fx, a.fx, 1e-6 /* the creep of the step */);
    assert_near_relative(b.fy, a.fy, 1e-6);
    test_free(z);
    test_free(out);
    br_contact_destroy(from);
    br_contact_destroy(to);
    br_patch_destroy(one);
    br_patch_destroy(two);
}

/* Oracle: no surface of another pressure is at hand for a reduced contact. */
static void reduced_contacts_have_one_pressure(void** state)
{
    (void)state;
    br_patch* patch = make(tent_def());
    const br_method methods[] = {BR_METHOD_REDUCED, BR_METHOD_ELLIPSOID};
    for (int i = 0; i < 2; i++) {
        br_contact* contact = make_contact(patch, methods[i]);
        assert_true(br_contact_get_at_pressure_size(contact) == 0);
        assert_ptr_equal(br_contact_at_pressure(contact, NULL, tent_pressures, NULL), contact);
        br_contact_destroy(contact);
    }
    br_patch_destroy(patch);
}

static void assert_refused(br_patch_def def, const char* field, const char* word)
{
    br_reason why = {"", ""};
    br_patch* patch = NULL;
    assert_status(br_patch_create(&def, &patch, &why), BR_ERR_DEF);
    assert_string_equal(why.field, field);
    assert_non_null(strstr(why.text, word));
}

static void bad_meshes_are_refused(void** state)
{
    (void)state;
    const br_patch_def good = tent_def();
    br_patch_def def = good;
    def.triangles = NULL;
    assert_refused(def, "triangles", "at least 1");
    def = good;
    def.pressures = NULL;
    assert_refused(def, "vertices", "pressures");
    def = good;
    const uint32_t beyond[] = {0, 1, 2, 0, 8, 2};
    def.triangles = beyond;
    def.triangle_count = 2;
    assert_refused(def, "triangles[1]", "0 to 7, got 8");
    def = good;
    const double negative[] = {1, 1, -1, 1, 1, 1, 1, 1};
    def.pressures = negative;
    assert_refused(def, "vertices[2]", ">= 0");
    const double none[8] = {0};
    def.pressures = none;
    assert_refused(def, "triangles", "> 0");
    def = with_linear(good, 1.0, 2.0);
    assert_refused(def, "pressure", "their own");
}

/* Oracle: the tent without its empty triangle and without one that has no area. */
static void triangles_without_force_do_not_count(void** state)
{
    (void)state;
    uint32_t more[COUNT(tent_triangles) + 3];
    memcpy(more, tent_triangles, sizeof tent_triangles);
    more[COUNT(tent_triangles)] = more[COUNT(tent_triangles) + 1] = 0;
    more[COUNT(tent_triangles) + 2] = 2;
    br_patch_def def = tent_def(), fewer = tent_def();
    def.triangles = more;
    def.triangle_count++;
    fewer.triangle_count--; // the last one is empty
    const sample a = make_sample("more", def), b = make_sample("fewer", fewer);
    assert_near_relative(a.value.r, b.value.r, 1e-15);
    assert_near_relative(a.value.area, b.value.area, 1e-15);
    const br_twist v = {0.3, 0.4, 1.0};
    assert_near_relative(br_limit_eval(a.surface, v).dissipation,
                         br_limit_eval(b.surface, v).dissipation, 1e-13);
    destroy_sample(a);
    destroy_sample(b);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_have_the_numbers_of_their_polygon),
        cmocka_unit_test(many_triangles_keep_their_digits),
        cmocka_unit_test(cells_converge_to_the_moments),
        cmocka_unit_test(cells_at_a_pressure_are_those_created_there),
        cmocka_unit_test(a_contact_follows_moving_triangles),
        cmocka_unit_test(pressures_change_without_allocation),
        cmocka_unit_test(bristles_are_carried_to_another_mesh),
        cmocka_unit_test(reduced_contacts_have_one_pressure),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(triangles_without_force_do_not_count),
    };
    return run_group(argc, argv, tests);
}
