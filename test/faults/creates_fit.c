/*
 * Fits: laws, contacts, pressures from pairs and from pushes.
 */
#include "creates.h"

#include "bristle/bristle.h"
#include "bristle/fit_contact.h"
#include "bristle/fit_law.h"
#include "bristle/fit_pressure.h"
#include "bristle/fit_pushes.h"
#include "fit_data.h"
#include "patch_shapes.h"

enum { ROWS = 40, PUSHES = 8 };

static record rows;
static br_fit_law_def law_def;
static br_fit_law_result law_fit;
static br_patch* plate;
static double fn[ROWS], other[2][ROWS];
static br_fit_contact_def contact_def;
static br_fit_contact_result contact_fit;
static br_fit_pair pairs[ROWS];
static br_fit_push pushes[PUSHES];
static br_fit_pushes_def pushes_def;

static void create_law_data(void)
{
    uint64_t seed = 1;
    br_law law = br_law_default(BR_LAW_LUGRE);
    law.mu_c = 0.3, law.mu_s = 0.4, law.sigma0 = 1500, law.sigma1 = 4, law.v_stribeck = 0.01,
    law.sigma2 = 2;
    rows = record_create(ROWS);
    record_simulate(&rows, &law, 0.02, motion_mixed);
    record_add_noise(&rows, 1e-3, &seed);
    law_def = br_fit_law_def_default();
    law_def.law = BR_FIT_LAW_COULOMB;
    law_def.data = (br_fit_law_data){.count = ROWS, .t = rows.t, .v = rows.v, .f = rows.f};
    assert_status(br_fit_law(&law_def, NULL, &law_fit, NULL), BR_OK);
}

static void create_contact_data(void)
{
    static double f[3][ROWS];
    for (int i = 0; i < ROWS; i++) {
        fn[i] = 1.0;
        other[0][i] = 0.01 * sin(0.3 * i), other[1][i] = cos(0.2 * i);
        f[0][i] = -rows.f[i], f[1][i] = -0.3 * tanh(100.0 * other[0][i]),
        f[2][i] = -1e-3 * other[1][i];
    }
    contact_def = br_fit_contact_def_default();
    contact_def.patch = plate;
    contact_def.resolution = 2;
    contact_def.data = (br_fit_contact_data){.count = ROWS,
                                             .t = rows.t,
                                             .vx = rows.v,
                                             .vy = other[0],
                                             .w = other[1],
                                             .fx = f[0],
                                             .fy = f[1],
                                             .tau = f[2],
                                             .fn = fn};
    assert_status(br_fit_contact(&contact_def, NULL, &contact_fit, NULL), BR_OK);
}

static void create_pairs(void)
{
    br_limit_def def = br_limit_def_default();
    br_limit* surface;
    uint64_t seed = 1;
    def.patch = plate;
    assert_status(br_limit_create(&def, &surface, NULL), BR_OK);
    for (int i = 0; i < ROWS; i++) {
        const br_twist v = {uniform(&seed, -1, 1), uniform(&seed, -1, 1), uniform(&seed, -30, 30)};
        const br_wrench f = br_limit_eval(surface, v).wrench;
        pairs[i] = (br_fit_pair){{-f.fx, -f.fy, -f.tau}, v};
    }
    br_limit_destroy(surface);
}

static void create_pushes(void)
{
    br_pose ends[PUSHES];
    pushes_def = br_fit_pushes_def_default();
    pushes_def.outline = plate, pushes_def.tip_radius = 0.005, pushes_def.resolution = 2;
    for (int i = 0; i < PUSHES; i++) {
        const double a = 0.8 * i, x = 0.09 * cos(a), y = 0.09 * sin(a);
        pushes[i].from = (br_vec2){x, y};
        pushes[i].to = (br_vec2){x - 0.06 * cos(a + 0.4), y - 0.06 * sin(a + 0.4)};
    }
    assert_status(br_fit_pushes_predict(&pushes_def, plate, pushes, PUSHES, ends, NULL), BR_OK);
    for (int i = 0; i < PUSHES; i++) {
        pushes[i].end = ends[i];
    }
}

void faults_fit_create(void)
{
    plate = make(rectangle_def(0.1, 0.1));
    create_law_data();
    create_contact_data();
    create_pairs();
    create_pushes();
}

void faults_fit_destroy(void)
{
    record_destroy(&rows);
    br_patch_destroy(plate);
}

// --- laws -----------------------------------------------------------------------------------------

static br_status fit_law(void)
{
    br_fit_law_result out;
    return br_fit_law(&law_def, NULL, &out, NULL);
}

static br_status fit_law_with_bristles(void)
{
    br_fit_law_def def = law_def;
    br_fit_law_result out;
    def.law = BR_FIT_LAW_DAHL, def.free = 1u << BR_FIT_OFFSET;
    return br_fit_law(&def, NULL, &out, NULL);
}

static br_status fit_law_choose(void)
{
    static br_fit_law_choice out;
    return br_fit_law_choose(&law_def, 1u << BR_FIT_LAW_COULOMB | 1u << BR_FIT_LAW_STRIBECK, NULL,
                             0.5, NULL, &out, NULL);
}

static br_status fit_law_table(void)
{
    br_fit_table out;
    return br_fit_law_table(&law_def.data, 4, 0.0, 0.95, &out, NULL);
}

static br_status fit_law_eval(void)
{
    double f[ROWS];
    return br_fit_law_eval(&law_fit, &law_def.data, f, NULL);
}

static br_status fit_law_validate(void)
{
    double rms;
    return br_fit_law_validate(&law_fit, &law_def.data, &rms, NULL);
}

static br_status fit_law_profile(void)
{
    const double value = 1.1 * law_fit.estimates[BR_FIT_MU_C].value;
    double out;
    return br_fit_law_profile(&law_def, &law_fit, BR_FIT_MU_C, &value, 1, &out, NULL);
}

static br_status fit_law_speed(void)
{
    double x[ROWS], v[ROWS];
    br_fit_speed out;
    for (int i = 0; i < ROWS; i++) {
        x[i] = sin(0.1 * i);
    }
    return br_fit_law_speed(ROWS, rows.t, x, v, &out, NULL);
}

// --- contacts and pressures -----------------------------------------------------------------------

static br_status fit_contact(void)
{
    br_fit_contact_result out;
    return br_fit_contact(&contact_def, NULL, &out, NULL);
}

static br_status fit_contact_profile(void)
{
    const double value = 1.1 * contact_fit.law.mu_c;
    double out;
    return br_fit_contact_profile(&contact_def, &contact_fit, BR_FIT_MU_C, &value, 1, &out, NULL);
}

static br_status fit_contact_eval(void)
{
    double wrench[3 * ROWS];
    return br_fit_contact_eval(&contact_def, &contact_fit, &contact_def.data, wrench, NULL);
}

static br_status fit_pressure_create(void)
{
    br_fit_pressure_def def = br_fit_pressure_def_default();
    br_fit_pressure* out;
    def.outline = plate, def.resolution = 2;
    const br_status status = br_fit_pressure_create(&def, pairs, ROWS, &out, NULL);
    return FAULT_CREATED(status, out, br_fit_pressure_destroy);
}

static br_status fit_pushes_create(void)
{
    br_fit_pushes* out;
    const br_status status = br_fit_pushes_create(&pushes_def, pushes, PUSHES, &out, NULL);
    return FAULT_CREATED(status, out, br_fit_pushes_destroy);
}

static br_status fit_pushes_predict(void)
{
    br_pose ends[PUSHES];
    return br_fit_pushes_predict(&pushes_def, plate, pushes, PUSHES, ends, NULL);
}

const fault_case faults_fit[] = {
    {"br_fit_law", fit_law, 0},
    {"br_fit_law", fit_law_with_bristles, 0},
    {"br_fit_law_choose", fit_law_choose, 0},
    {"br_fit_law_table", fit_law_table, 0},
    {"br_fit_law_eval", fit_law_eval, 0},
    {"br_fit_law_validate", fit_law_validate, 0},
    {"br_fit_law_profile", fit_law_profile, 0},
    {"br_fit_law_speed", fit_law_speed, 0},
    {"br_fit_contact", fit_contact, 0},
    {"br_fit_contact_profile", fit_contact_profile, 0},
    {"br_fit_contact_eval", fit_contact_eval, 0},
    {"br_fit_pressure_create", fit_pressure_create, 0},
    {"br_fit_pushes_create", fit_pushes_create, 0},
    {"br_fit_pushes_predict", fit_pushes_predict, 0},
    {NULL, NULL, 0},
};
