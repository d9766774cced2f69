/* Pressure from elsewhere: a foam pad whose pressure field, on triangles, comes from a hydroelastic model at each
 * step. The pad slides, its front is pressed harder while it brakes, and its mesh is refined on the way. */
#include <bristle/bristle.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SIDE = 16 };

// A square pad of 2 side^2 triangles, as an engine would give it.
typedef struct mesh {
    br_vec2 vertices[(MOST_SIDE + 1) * (MOST_SIDE + 1)];
    double pressures[(MOST_SIDE + 1) * (MOST_SIDE + 1)];
    uint32_t triangles[6 * MOST_SIDE * MOST_SIDE];
    size_t side, count;
} mesh;

static void build(mesh* m, size_t side)
{
    const double width = 0.1; // [m]
    m->side = side;
    m->count = (side + 1) * (side + 1);
    for (size_t i = 0; i < m->count; i++) {
        m->vertices[i] = (br_vec2){width * ((double)(i % (side + 1)) / (double)side - 0.5),
                                   width * ((double)(i / (side + 1)) / (double)side - 0.5)};
    }
    for (size_t i = 0; i < side * side; i++) {
        const uint32_t at = (uint32_t)(i / side * (side + 1) + i % side),
                       up = at + (uint32_t)side + 1;
        const uint32_t both[6] = {at, at + 1, up + 1, at, up + 1, up};
        for (size_t k = 0; k < 6; k++) {
            m->triangles[6 * i + k] = both[k];
        }
    }
}

// The field: a modulus over the thickness times how deep each point is; braking tilts the pad forwards (+x), so
// far that its rear leaves the ground. Only ratios matter: the normal force is known.
static void press(mesh* m, double deceleration)
{
    const double depth = 1e-3, tilt = 6e-3 * deceleration; // [m], [rad]
    for (size_t i = 0; i < m->count; i++) {
        const double p = depth + tilt * m->vertices[i].x;
        m->pressures[i] = p > 0.0 ? p : 0.0;
    }
}

static br_contact* create_contact(const mesh* m)
{
    br_patch_def shape = br_patch_def_default();
    shape.shape = BR_SHAPE_TRIANGLES;
    shape.count = m->count, shape.vertices = m->vertices, shape.pressures = m->pressures;
    shape.triangle_count = 2 * m->side * m->side, shape.triangles = m->triangles;
    br_contact_def def = br_contact_def_default();
    def.law.mu_c = def.law.mu_s = 0.5, def.law.sigma2 = 0.0;
    br_reason why = {"", ""};
    br_patch* patch = NULL;
    br_contact* contact = NULL;
    if (br_patch_create(&shape, &patch, &why) == BR_OK) {
        def.patch = patch;
        br_contact_create(&def, &contact, &why);
        br_patch_destroy(patch);
    }
    if (!contact) {
        fprintf(stderr, "%s: %s\n", why.field, why.text);
        exit(1);
    }
    return contact;
}

int main(void)
{
    static mesh pad;
    const double mass = 0.4, fn = 9.81 * mass, step = 1e-4;
    build(&pad, 6);
    press(&pad, 0.0);
    br_contact* contact = create_contact(&pad);
    void* memory = calloc(1, br_contact_get_at_pressure_size(contact));
    double* z = calloc(br_contact_get_state_count(contact), sizeof *z);
    double x = 0.0, vx = 1.0, deceleration = 0.0, largest_cop = 0.0;
    for (int i = 0; i <= 3000; i++) {
        press(&pad, deceleration); // what the engine computes
        const br_contact* now = br_contact_at_pressure(contact, NULL, pad.pressures, memory);
        const br_vec2 cop = br_contact_get_patch_value(now).cop;
        largest_cop = cop.x > largest_cop ? cop.x : largest_cop;
        if (i % 500 == 0) {
            printf("t %.2f s  x %.4f m  v %.4f m/s  CoP %5.2f mm\n", i * step, x, vx, 1e3 * cop.x);
        }
        const br_wrench f = br_contact_step(now, z, (br_twist){vx, 0.0, 0.0}, fn, step, NULL);
        deceleration += 0.02 * (-f.fx / mass - deceleration); // foam takes 5 ms to tilt
        vx += step * f.fx / mass;
        x += step * vx;
        if (i ==
            100) { // the engine refines its mesh: other triangles, another contact; the bristles go along
            build(&pad, MOST_SIDE);
            press(&pad, deceleration);
            br_contact* fine = create_contact(&pad);
            double* carried = calloc(br_contact_get_state_count(fine), sizeof *carried);
            br_contact_carry(now, z, fine, carried);
            free(z), free(memory);
            br_contact_destroy(contact);
            contact = fine, z = carried;
            memory = calloc(1, br_contact_get_at_pressure_size(fine));
        }
    }
    free(z), free(memory);
    br_contact_destroy(contact);

    // Coulomb's result v^2/(2 mu g) = 0.1019 m, whatever the pressure; the CoP moved by more than a sixth of the width
    return x > 0.101 && x < 0.103 && vx < 1e-3 && largest_cop > 0.1 / 6.0 ? 0 : 1;
}
