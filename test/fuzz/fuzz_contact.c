/* Contacts of any method: rates, derivatives, steps, slip, load, other forces, transfer to another contact. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>

static void differentiate(const br_contact* contact, const double* z, br_twist v, double fn)
{
    const size_t states = br_contact_get_state_count(contact),
                 n = br_contact_get_part_count(contact);
    const size_t k = states / n;
    br_contact_gradient out = {.dz_z = calloc(k * k * n, sizeof(double)),
                               .dz_v = calloc(k * 3 * n, sizeof(double)),
                               .f_z = calloc(3 * k * n, sizeof(double))};
    br_contact_gradient_eval(contact, z, v, fn, &out);
    free(out.dz_z);
    free(out.dz_v);
    free(out.f_z);
}

// A step promises a finite force for finite numbers that no product of them overflows. A patch may grow beyond them.
static void check(br_wrench f, const double* z, size_t states, br_twist v, double fn, double h,
                  double r)
{
    bool is_small = r < 1e9 && fabs(v.vx) < 1e6 && fabs(v.vy) < 1e6 && fabs(v.w) < 1e6 &&
                    fn < 1e9 && h < 1e6 && h > 1e-12;
    for (size_t i = 0; i < states; i++) {
        is_small = is_small && fabs(z[i]) < 1e6;
    }
    if (is_small && (isnan(f.fx) || isnan(f.fy) || isnan(f.tau))) {
        abort();
    }
}

static void use(const br_contact* contact, input* in)
{
    const size_t states = br_contact_get_state_count(contact);
    double *z = take_states(in, contact), *dz = calloc(states, sizeof *dz);
    const br_twist v = take_twist(in);
    const double fn = take_number(in), h = take_number(in);
    br_contact_eval(contact, z, v, fn, dz);
    br_contact_slip_eval(contact, z, v, fn, BR_STATE_STICK, dz);
    br_contact_load_eval(contact, z, v, fn);
    br_contact_steady_eval(contact, v, fn, NULL);
    br_contact_stored(contact, z, fn);
    differentiate(contact, z, v, fn);
    void* memory = calloc(1, br_contact_get_at_force_size(contact) + 1);
    const br_contact* at = br_contact_at(contact, fn, (br_pose){take_number(in), 0.0, 0.0}, memory);
    br_step_energy energy;
    if (h > 0.0 && fn >= 0.0) {
        for (size_t i = 0; i < states; i++) {
            dz[i] = z[i];
        }
        const double r = br_contact_get_patch_value(at).r;
        check(br_contact_step(at, z, v, fn, h, &energy), dz, states, v, fn, h, r);
    }
    br_contact_carry(contact, z, contact, dz);
    free(memory);
    free(z);
    free(dz);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    br_contact* contact = take_contact(&in);
    if (contact) {
        use(contact, &in);
    }
    br_contact_destroy(contact);
    return 0;
}
