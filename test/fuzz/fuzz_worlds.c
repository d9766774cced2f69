/* Worlds with any numbers in their arrays, in doubles and in floats. */
#include "fuzz.h"

#include <stdlib.h>

enum { COUNT = 5, MOST_ROWS = 200 };

static void fill(input* in, bool narrow, void* to, size_t count, double usual)
{
    for (size_t i = 0; i < count; i++) {
        double x = usual;
        vary(in, &x);
        if (narrow) {
            ((float*)to)[i] = x > 3e38 || x < -3e38 ? (float)usual : (float)x;
        } else {
            ((double*)to)[i] = x;
        }
    }
}

// All arrays, of doubles; floats use half of each.
typedef struct arrays {
    double pose[3 * COUNT], twist[3 * COUNT], mass[COUNT], inertia[COUNT], load[3 * COUNT];
    double z[MOST_ROWS * COUNT], fn[COUNT], mu_c[COUNT], mu_s[COUNT], sigma0[COUNT], ratio[COUNT];
    double ledger[BR_WORLDS_LEDGER_ROWS * COUNT], f[3 * COUNT], slip[COUNT], share[COUNT];
} arrays;

static void step(br_worlds* worlds, input* in, bool narrow)
{
    static arrays a;
    double h = 1e-3;
    br_reason why;
    fill(in, narrow, a.pose, 3 * COUNT, 0.0);
    fill(in, narrow, a.twist, 3 * COUNT, 0.1);
    fill(in, narrow, a.mass, COUNT, 0.1);
    fill(in, narrow, a.inertia, COUNT, 1e-4);
    fill(in, narrow, a.load, 3 * COUNT, 0.0);
    fill(in, narrow, a.fn, COUNT, 1.0);
    fill(in, narrow, a.mu_c, COUNT, 0.5);
    fill(in, narrow, a.mu_s, COUNT, 0.6);
    fill(in, narrow, a.sigma0, COUNT, 1e5);
    for (size_t i = 0; i < MOST_ROWS * COUNT; i++) {
        a.z[i] = 0.0;
    }
    const br_worlds_arrays to = {.count = COUNT,
                                 .pose = a.pose,
                                 .twist = a.twist,
                                 .mass = a.mass,
                                 .inertia = a.inertia,
                                 .load = a.load,
                                 .ledger = a.ledger,
                                 .contacts = {{.z = a.z,
                                               .fn = a.fn,
                                               .mu_c = a.mu_c,
                                               .mu_s = a.mu_s,
                                               .sigma0 = a.sigma0,
                                               .f = a.f,
                                               .slip_rate = a.slip,
                                               .load = a.share}}};
    vary(in, &h);
    const bool is_good = br_worlds_check(worlds, &to, h, 3, &why) == BR_OK;
    if (is_good || (!(h <= 0.0) && take_byte(in) & 1)) { // steps accept any number, too
        br_worlds_step(worlds, &to, h, 3);
        br_worlds_reset(worlds, &to, NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    br_contact* contact = take_contact(&in);
    br_worlds* worlds = NULL;
    br_reason why;
    if (!contact) {
        return 0;
    }
    br_worlds_contact shared = {.contact = contact, .fn = 1.0, .count = take_index(&in, 3)};
    shared.frame = (br_worlds_frame)take_choice(&in, 2);
    vary(&in, &shared.position.x);
    vary(&in, &shared.angle);
    vary(&in, &shared.fn);
    br_worlds_def def = br_worlds_def_default(&shared, 1);
    def.type = (br_worlds_type)take_choice(&in, 2);
    def.plain = take_byte(&in) & 1;
    def.passes = (int)take_index(&in, 20);
    vary(&in, &def.mass);
    const br_status status = br_worlds_create(&def, &worlds, &why);
    if (status == BR_OK) {
        const int lanes = br_worlds_get_lanes(worlds);
        demand(lanes >= 1 && lanes <= (def.plain ? 1 : def.type == BR_WORLDS_FLOAT ? 16 : 8));
        demand(br_worlds_get_contact_count(worlds) == 1);
    }
    if (status == BR_OK && br_worlds_get_state_count(worlds, 0) <= MOST_ROWS) {
        step(worlds, &in, def.type == BR_WORLDS_FLOAT);
    }
    br_worlds_destroy(worlds);
    br_contact_destroy(contact);
    return 0;
}
