/* Limit surfaces of any method on any patch, engines' forms, grasps and polyhedra from them. */
#include "fuzz.h"

static void use(const br_limit* surface, input* in)
{
    double jacobian[3][3], torque;
    br_twist slide;
    br_limit_eval(surface, take_twist(in));
    br_limit_jacobian_eval(surface, take_twist(in), jacobian);
    br_limit_gauge(surface, take_wrench(in), &slide);
    br_limit_get_spin_centre(surface, &torque);
    br_grasp_one_patch(surface, take_number(in), take_wrench(in));
    if (take_byte(in) > 230) {
        br_limit_polyhedron* polyhedra = NULL;
        if (br_limit_polyhedron_create(surface, 6, &polyhedra, NULL) == BR_OK) {
            br_limit_polyhedron_margin(polyhedra, BR_POLYHEDRON_INNER, take_wrench(in));
        }
        br_limit_polyhedron_destroy(polyhedra);
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
    br_patch_destroy(patch);
    return 0;
}
