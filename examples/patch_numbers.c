/* A soft fingertip that grows with the normal force: centre of pressure, r, u, area. */
#include <bristle/bristle.h>
#include <stdio.h>

int main(void)
{
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_DISC;
    def.radius = (br_by_force){6e-3, 1.0 / 3.0, 10e-3}; // min(6 mm fn^(1/3), 10 mm), by Hertz
    def.pressure = BR_PRESSURE_POWER;
    def.k = br_by_force_constant(2.0); // Hertz: (1 - (rho/a)^2)^(1/2)

    br_patch* patch;
    br_reason why;
    if (br_patch_create(&def, &patch, &why) != BR_OK) {
        fprintf(stderr, "%s: %s\n", why.field, why.text);
        return 1;
    }
    for (double fn = 0.5; fn <= 8.0; fn *= 2.0) {
        const br_patch_value p = br_patch_eval(patch, fn);
        printf("fn %4.1f N: r %6.3f mm, u %7.3f mm^2, area %7.2f mm^2, torque limit %.4f N m\n", fn,
               1e3 * p.r, 1e6 * p.u, 1e6 * p.area, fn * p.r); // mu = 1
    }

    // the same patch as cells, for models that need them
    br_cells* cells;
    if (br_cells_create(patch, 1.0, 21, &cells, &why) != BR_OK) {
        fprintf(stderr, "%s: %s\n", why.field, why.text);
        br_patch_destroy(patch);
        return 1;
    }
    const br_patch_value sums = br_cells_eval(cells);
    printf("%zu cells: r %.3f mm by sums, %.3f mm exactly\n", cells->count, 1e3 * sums.r,
           1e3 * br_patch_eval(patch, 1.0).r);
    br_cells_destroy(cells);
    br_patch_destroy(patch);
    return 0;
}
