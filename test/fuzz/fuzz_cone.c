/* Friction cones, their polyhedra and wrench cones of any numbers; batches equal single calls. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

enum { FORCES = 7, MOST_FACES = 16 };

// --- cones ----------------------------------------------------------------------------------------------------

static double norm(const double f[3])
{
    return hypot(hypot(f[0], f[1]), f[2]);
}

// A force is the sum of its parts, and its projection is in the cone.
static void use_force(const br_cone* cone, const double f[3])
{
    double parts[3], nearest[3], slope[3][3];
    br_cone_split(cone, f, parts);
    br_cone_project(cone, f, nearest, slope);
    const br_cone dual = br_cone_dual(cone);
    br_cone_margin(&dual, f);
    if (is_ordinary(f, 3) && is_ordinary(&cone->mu, 1)) {
        const double rounding = 1e-12 * norm(f) * (1.0 + cone->mu);
        demand(fabs(norm(parts) - norm(f)) <= rounding);
        demand(br_cone_margin(cone, nearest) >= -rounding);
    }
}

static void use_batches(const br_cone* cone, const br_cone_metric* metric, input* in)
{
    double f[3 * FORCES], margin[FORCES], nearest[3 * FORCES], weighted[3 * FORCES], one[3];
    unsigned char inside[FORCES];
    take_numbers(in, f, 3 * FORCES);
    br_cone_margin_batch(cone, FORCES, f, margin);
    br_cone_check_batch(cone, FORCES, f, inside);
    br_cone_project_batch(cone, FORCES, f, nearest);
    if (metric) {
        br_cone_metric_project_batch(metric, FORCES, f, weighted);
    }
    for (size_t i = 0; i < FORCES; i++) {
        demand(is_same(margin[i], br_cone_margin(cone, f + 3 * i)));
        demand(inside[i] == br_cone_contains(cone, f + 3 * i));
        br_cone_project(cone, f + 3 * i, one, NULL);
        for (size_t k = 0; k < 3; k++) {
            demand(is_same(nearest[3 * i + k], one[k]));
        }
        if (metric) {
            br_cone_metric_project(metric, f + 3 * i, one, NULL);
            for (size_t k = 0; k < 3; k++) {
                demand(is_same(weighted[3 * i + k], one[k]));
            }
        }
    }
}

// --- polyhedra ------------------------------------------------------------------------------------------------

// Numbers for which each representation follows from the other.
static bool is_plain(const br_polyhedron* p)
{
    const double mu = p->def.cone.mu, low = p->def.f_min, high = p->def.f_max;
    return mu > 1e-3 && mu < 1e3 && fabs(p->def.phase) < 1e3 && p->def.faces <= MOST_FACES &&
           (low <= 0.0 || (low > 1e-3 && low < 1e3)) &&
           (isinf(high) || (high > 1e-3 && high < 1e4 && (low <= 0.0 || high > 1.01 * low)));
}

static void convert(const br_polyhedron* p, input* in)
{
    const size_t n = p->def.faces, h_count = br_polyhedron_get_h_count(p),
                 v_count = br_polyhedron_get_v_count(p);
    double *h = calloc(4 * (n + 2), sizeof *h), *v = calloc(8 * n, sizeof *v),
           *other_h = calloc(4 * (n + 2), sizeof *h), *other_v = calloc(8 * n, sizeof *v);
    br_polyhedron_get_h(p, h);
    br_polyhedron_get_v(p, v);
    const size_t to_v = br_polyhedron_v_from_h(p->def.cone.n, n, h_count, h, other_v);
    const size_t to_h = br_polyhedron_h_from_v(p->def.cone.n, n, v_count, v, other_h);
    demand(to_v == 0 || to_v == v_count);
    demand(to_h == 0 || to_h == h_count);
    if (is_plain(p)) {
        demand(to_v > 0 && to_h > 0);
        for (size_t i = 0; i < v_count; i++) {
            const double* row = v + 4 * i;
            demand(row[3] == 0.0 || br_polyhedron_margin(p, row) >= -1e-9 * norm(row));
        }
    }
    for (size_t changes = 1 + take_index(in, 6); changes > 0; changes--) {
        vary(in, &h[take_byte(in) % (4 * h_count)]);
        vary(in, &v[take_byte(in) % (4 * v_count)]);
    }
    br_polyhedron_v_from_h(p->def.cone.n, n, n + take_index(in, 3), h, other_v);
    const size_t counts[3] = {n, n + 1, 2 * n};
    br_polyhedron_h_from_v(p->def.cone.n, n, counts[take_index(in, 3)], v, other_h);
    free(h);
    free(v);
    free(other_h);
    free(other_v);
}

static void use_wrenches(const br_polyhedron* p, const double f[3], input* in)
{
    const br_support supports[2] = {{.place = {f[0], 0.1, 0.0}, .forces = *p},
                                    {.place = {0.0, f[1], 0.1}, .forces = *p}};
    br_wrench_cone* wrenches = NULL;
    br_reason why;
    double w[6] = {f[0], f[1], f[2], 0.0, 0.1, 0.2}, h[16][6];
    w[3] = take_number(in);
    if (br_wrench_cone_create(supports, 2, &wrenches, &why) == BR_OK) {
        const double margin = br_wrench_cone_margin(wrenches, w);
        demand(!(margin >= 0.0) || br_wrench_cone_contains(wrenches, w));
        for (size_t i = 0; i < br_wrench_cone_get_v_count(wrenches); i++) {
            demand(br_wrench_cone_contains(wrenches, br_wrench_cone_get_v(wrenches) + 6 * i));
        }
        for (size_t i = 0; i < 6 * br_wrench_cone_get_h_count(wrenches); i++) {
            look_at(br_wrench_cone_get_h(wrenches)[i]);
        }
    }
    br_wrench_cone_destroy(wrenches);
    br_wrench_cone_rectangle(take_number(in), take_number(in), take_number(in), h);
}

static void use_polyhedron(const br_cone* cone, input* in)
{
    br_polyhedron_def def = br_polyhedron_def_default();
    br_polyhedron p;
    br_reason why;
    double f[3], ray[3];
    def.cone = *cone;
    def.faces = 3 + take_index(in, 6);
    vary_size(in, &def.faces, 10);
    def.side = (br_polyhedron_side)take_choice(in, 2);
    vary(in, &def.phase);
    vary(in, &def.f_min);
    vary(in, &def.f_max);
    take_numbers(in, f, 3);
    if (br_polyhedron_init(&def, &p, &why) != BR_OK) {
        return;
    }
    const double margin = br_polyhedron_margin(&p, f);
    // products of smaller numbers are 0
    demand(!(margin >= 0.0 && is_ordinary(f, 3) && is_ordinary(&cone->mu, 1)) ||
           br_polyhedron_contains(&p, f));
    br_polyhedron_get_error(&p);
    const br_polyhedron_error wanted = {take_number(in), take_number(in)};
    if (wanted.area > 0.0 && wanted.angle > 0.0) {
        const size_t faces = br_polyhedron_get_faces_for(cone, def.side, wanted);
        demand(faces == 0 || (faces >= 3 && faces <= BR_POLYHEDRON_MOST_FACES));
    }
    if (p.def.faces <= MOST_FACES) {
        for (size_t i = 0; i < p.def.faces; i++) {
            br_polyhedron_get_ray(&p, i, ray);
        }
        convert(&p, in);
        use_wrenches(&p, f, in);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    double normal[3] = {0.0, 0.0, 1.0}, mu = 0.5, f[3], M[9], nearest[3], slope[3][3];
    br_cone cone;
    br_cone_metric metric;
    br_reason why;
    for (int i = 0; i < 3; i++) {
        vary(&in, &normal[i]);
    }
    vary(&in, &mu);
    if (br_cone_init(normal, mu, &cone, &why) != BR_OK) {
        return 0;
    }
    take_numbers(&in, f, 3);
    br_cone_margin(&cone, f);
    br_cone_contains(&cone, f);
    use_force(&cone, f);
    for (size_t i = 0; i < 9; i++) {
        M[i] = i % 4 == 0 ? 1.0 : 0.0;
        vary(&in, &M[i]);
    }
    const bool has_metric = br_cone_metric_init(&cone, M, &metric, &why) == BR_OK;
    if (has_metric) {
        br_cone_metric_project(&metric, f, nearest, slope);
    }
    use_polyhedron(&cone, &in);
    use_batches(&cone, has_metric ? &metric : NULL, &in);
    return 0;
}
