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

static bool is_reduced(const br_contact* contact)
{
    const br_method method = br_contact_get_def(contact)->method;
    return method == BR_METHOD_REDUCED || method == BR_METHOD_ELLIPSOID;
}

// Numbers that no product of them overflows: the law, the state and the motion.
static bool has_ordinary_law(const br_contact* contact)
{
    const br_law* law = &br_contact_get_def(contact)->law;
    const double numbers[7] = {law->mu_c,   law->mu_s,   law->v_stribeck, law->sigma1,
                               law->sigma2, law->sigma0, law->v_damping};
    return is_ordinary(numbers, 6) && is_ordinary(numbers + 6, isfinite(law->v_damping)) &&
           law->sigma0 > 1e-3;
}

static bool is_ordinary_state(const br_contact* contact, const double* z, br_twist v, double fn)
{
    const double numbers[4] = {v.vx, v.vy, v.w, fn};
    return is_ordinary(numbers, 4) && fn >= 0.0 && has_ordinary_law(contact) &&
           is_ordinary(z, br_contact_get_state_count(contact));
}

// What a contact consists of: the wrenches of its parts, moved to the CoP, are that of the contact.
static void use_parts(const br_contact* contact, const double* z, br_twist v, double fn)
{
    const size_t n = br_contact_get_part_count(contact);
    double map[2][2], sum[3] = {0.0, 0.0, 0.0}, size[3] = {0.0, 0.0, 0.0};
    double* dz = calloc(br_contact_get_state_count(contact), sizeof *dz);
    br_contact_get_map(contact, map);
    const br_contact_centres centres = br_contact_get_centres(contact);
    const br_vec2 cop = br_contact_get_patch_value(contact).cop;
    const br_wrench f = br_contact_eval(contact, z, v, fn, dz);
    look_at(map[0][0] + centres.factor);
    for (size_t i = 0; i < n; i++) {
        const br_contact_part_value part = br_contact_part_eval(contact, z, v, fn, i);
        const double x = part.position.x - cop.x, y = part.position.y - cop.y;
        look_at(br_contact_get_part(contact, i).xx);
        sum[0] += part.f.fx;
        sum[1] += part.f.fy;
        sum[2] += part.f.tau + x * part.f.fy - y * part.f.fx;
        size[0] += fabs(part.f.fx);
        size[1] += fabs(part.f.fy);
        size[2] += fabs(part.f.tau) + fabs(part.position.x * part.f.fy) + fabs(cop.x * part.f.fy) +
                   fabs(part.position.y * part.f.fx) + fabs(cop.y * part.f.fx);
    }
    const double whole[3] = {f.fx, f.fy, f.tau};
    for (size_t k = 0; k < 3 && is_ordinary_state(contact, z, v, fn); k++) {
        demand(!isfinite(size[k]) || fabs(whole[k] - sum[k]) <= 1e-6 * size[k] + 1e-250);
    }
    free(dz);
}

// Another contact takes the bristles over: it stores no more energy than there was, saved energy included.
static void carry(const br_contact* from, const double* z, input* in)
{
    br_contact* to = take_contact(in);
    const size_t from_n = br_contact_get_part_count(from);
    if (to && is_reduced(from) == is_reduced(to) &&
        br_contact_get_state_count(to) / br_contact_get_part_count(to) ==
            br_contact_get_state_count(from) / from_n) {
        double *out = calloc(br_contact_get_state_count(to), sizeof *out), saved = 0.0;
        const double fn = take_number(in), before = br_contact_stored(from, z, fn);
        vary(in, &saved);
        saved = fabs(saved);
        const double sum = before + saved;
        br_contact_carry(from, z, to, out);
        br_contact_carry_saved(from, z, to, fn, &saved, out);
        const bool is_fixed =
            br_contact_get_at_force_size(from) == 0 && br_contact_get_at_force_size(to) == 0;
        if (is_fixed && isfinite(sum) && sum < 1e100 &&
            is_ordinary_state(from, z, (br_twist){0.0, 0.0, 0.0}, fn) && has_ordinary_law(to)) {
            demand(saved >= 0.0);
            demand(br_contact_stored(to, out, fn) <= sum * (1.0 + 1e-6) + 1e-250);
        }
        free(out);
    }
    br_contact_destroy(to);
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
    br_contact_depends_on_pose(contact);
    look_at((double)br_contact_get_def(contact)->resolution);
    use_parts(contact, z, v, fn);
    if (br_contact_get_def(contact)->method == BR_METHOD_DISTRIBUTED) {
        br_papers_steady_eval(contact, v, fn, take_byte(in) & 1);
    }
    void* memory = calloc(1, br_contact_get_at_force_size(contact) + 1);
    br_contact_at_force(contact, take_number(in), memory);
    const br_contact* at = br_contact_at(contact, fn, (br_pose){take_number(in), 0.0, 0.0}, memory);
    br_step_energy energy;
    if (h > 0.0 && fn >= 0.0) {
        for (size_t i = 0; i < states; i++) {
            dz[i] = z[i];
        }
        const double r = br_contact_get_patch_value(at).r;
        const br_wrench f = br_contact_step(at, z, v, fn, h, &energy);
        if (has_ordinary_law(contact)) {
            check(f, dz, states, v, fn, h, r);
        }
    }
    br_contact_carry(contact, z, contact, dz);
    carry(contact, z, in);
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
