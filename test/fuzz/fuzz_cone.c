/* Friction cones, their polyhedra and wrench cones of any numbers. */
#include "fuzz.h"

#include <stdlib.h>

static void use_polyhedron(const br_cone* cone, input* in)
{
    br_polyhedron_def def = br_polyhedron_def_default();
    br_polyhedron p;
    br_reason why;
    double f[3];
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
    br_polyhedron_margin(&p, f);
    br_polyhedron_get_error(&p);
    if (p.def.faces <= 16) {
        const br_support supports[2] = {{.place = {f[0], 0.1, 0.0}, .forces = p},
                                        {.place = {0.0, f[1], 0.1}, .forces = p}};
        double* h = calloc(4 * br_polyhedron_get_h_count(&p), sizeof *h);
        br_wrench_cone* wrenches = NULL;
        br_polyhedron_get_h(&p, h);
        if (br_wrench_cone_create(supports, 2, &wrenches, &why) == BR_OK) {
            const double w[6] = {f[0], f[1], f[2], take_number(in), 0.1, 0.2};
            br_wrench_cone_margin(wrenches, w);
        }
        br_wrench_cone_destroy(wrenches);
        free(h);
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
    br_cone_project(&cone, f, nearest, slope);
    const br_cone dual = br_cone_dual(&cone);
    br_cone_margin(&dual, f);
    for (size_t i = 0; i < 9; i++) {
        M[i] = i % 4 == 0 ? 1.0 : 0.0;
        vary(&in, &M[i]);
    }
    if (br_cone_metric_init(&cone, M, &metric, &why) == BR_OK) {
        br_cone_metric_project(&metric, f, nearest, slope);
    }
    use_polyhedron(&cone, &in);
    return 0;
}
