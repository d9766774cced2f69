/* Limit surfaces of any method on any patch, engines' forms, grasps and polyhedra from them. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

// A polyhedron: what has a margin is inside; an inner one has its own vertices.
static void use_side(const br_limit_polyhedron* polyhedra, br_polyhedron_side side, br_wrench load)
{
    const double margin = br_limit_polyhedron_margin(polyhedra, side, load);
    demand(!(margin >= 0.0) || br_limit_polyhedron_contains(polyhedra, side, load));
    br_limit_polyhedron_get_error(polyhedra, side);
    const double* h = br_limit_polyhedron_get_h(polyhedra, side);
    for (size_t i = 0; i < 4 * br_limit_polyhedron_get_h_count(polyhedra, side); i++) {
        look_at(h[i]);
    }
    const double* v = br_limit_polyhedron_get_v(polyhedra, side);
    for (size_t i = 0; i < br_limit_polyhedron_get_v_count(polyhedra, side); i++) {
        const br_wrench vertex = {v[3 * i], v[3 * i + 1], v[3 * i + 2]};
        const double own = br_limit_polyhedron_margin(polyhedra, side, vertex);
        demand(side == BR_POLYHEDRON_OUTER || !is_ordinary(v + 3 * i, 3) || own >= -1e-6);
    }
}

static void use_polyhedra(const br_limit* surface, input* in)
{
    br_limit_polyhedron* polyhedra = NULL;
    br_reason why;
    if (br_limit_polyhedron_create(surface, 6 + take_index(in, 8), &polyhedra, &why) == BR_OK) {
        use_side(polyhedra, BR_POLYHEDRON_INNER, take_wrench(in));
        use_side(polyhedra, BR_POLYHEDRON_OUTER, take_wrench(in));
    } else if (polyhedra || !*why.text) {
        abort();
    }
    br_limit_polyhedron_destroy(polyhedra);
}

// Two fingers on this surface; their forces are not negative.
static void grasp(const br_limit* surface, input* in)
{
    br_grasp two = {{surface, surface}, {0.5, 0.5}, 0.01};
    double load[6];
    vary(in, &two.mu[0]);
    vary(in, &two.mu[1]);
    vary(in, &two.half_gap);
    take_numbers(in, load, 6);
    if (!(two.mu[0] > 0.0 && two.mu[1] > 0.0 && two.half_gap > 0.0)) {
        return;
    }
    const br_grasp_value out = br_grasp_eval(&two, load);
    const double numbers[3] = {two.mu[0], two.mu[1], two.half_gap};
    if (is_ordinary(load, 6) && is_ordinary(numbers, 3)) {
        demand(out.fn[0] >= 0.0 && out.fn[1] >= 0.0);
    }
}

static void use(const br_limit* surface, input* in)
{
    double jacobian[3][3], torque;
    br_twist slide;
    br_limit_depends_on_force(surface);
    br_limit_eval(surface, take_twist(in));
    br_limit_jacobian_eval(surface, take_twist(in), jacobian);
    br_limit_gauge(surface, take_wrench(in), &slide);
    br_limit_get_spin_centre(surface, &torque);
    br_grasp_one_patch(surface, take_number(in), take_wrench(in));
    grasp(surface, in);
    if (take_byte(in) > 230) {
        use_polyhedra(surface, in);
    }
    if (take_byte(in) > 250) {
        br_limit_get_error(surface);
    }
}

// A force that holds a load, of patches that may depend on it.
static void hold(const br_patch* patch, input* in)
{
    double fn = -1.0;
    br_reason why;
    const double mu = take_number(in);
    if (br_grasp_patch_get_force(patch, mu, take_wrench(in), &fn, &why) == BR_OK) {
        demand(fn >= 0.0);
    } else {
        demand(fn == 0.0 && *why.text);
    }
}

static void use_engine(const br_patch* patch, input* in)
{
    br_engine_def def = br_engine_def_default((br_engine_kind)take_choice(in, 5));
    br_engine* engine = NULL;
    br_reason why;
    def.patch = patch;
    vary(in, &def.mu);
    vary(in, &def.fn);
    def.flat = take_byte(in) & 1;
    def.faces = 3;
    vary_size(in, &def.faces, 5);
    if (br_engine_create(&def, &engine, &why) == BR_OK) {
        br_engine_eval(engine, take_twist(in));
        br_engine_gauge(engine, take_wrench(in));
        br_engine_number numbers[BR_ENGINE_NUMBERS];
        demand(br_engine_get_numbers(engine, numbers) <= BR_ENGINE_NUMBERS);
        look_at(br_engine_get_def(engine).mu);
        br_limit_eval(br_engine_get_exact(engine), take_twist(in));
        if (take_byte(in) > 240) {
            br_engine_get_error(engine);
        }
        br_engine_destroy(engine);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    br_patch* patch = take_patch(&in);
    br_limit_def def = br_limit_def_default();
    br_limit* surface = NULL;
    br_reason why;
    if (!patch) {
        return 0;
    }
    def.patch = patch;
    def.method = (br_limit_method)take_choice(&in, 8);
    def.n = 3;
    def.resolution = 4;
    vary_size(&in, &def.n, 6);
    vary_size(&in, &def.resolution, 8);
    vary(&in, &def.fn);
    vary(&in, &def.anisotropy.ratio);
    vary(&in, &def.anisotropy.angle);
    if (br_limit_create(&def, &surface, &why) == BR_OK) {
        use(surface, &in);
        br_limit_destroy(surface);
    }
    if (take_byte(&in) > 200) {
        use_engine(patch, &in);
    }
    if (take_byte(&in) > 200) {
        hold(patch, &in);
    }
    br_patch_destroy(patch);
    return 0;
}
