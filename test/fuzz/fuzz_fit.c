/*
 * Measurements of any numbers, for the four fits, tables of laws, speeds and break-away tests; then fits are evaluated,
 * checked on other data and profiled. What was refused has a reason.
 */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bristle/fit_contact.h"
#include "bristle/fit_law.h"
#include "bristle/fit_pressure.h"
#include "bristle/fit_pushes.h"

enum { MOST_ROWS = 24, COLUMNS = 10, MOST_CHECKS = 20 };

static double columns[COLUMNS][MOST_ROWS];
static size_t rows;

static bool stop(void* user)
{
    size_t* left = user;
    return *left == 0 || --*left == 0;
}

// Rows that look like a measurement, some numbers of which are changed.
static void take_rows(input* in)
{
    rows = 4 + take_index(in, MOST_ROWS - 3);
    for (size_t i = 0; i < rows; i++) {
        columns[0][i] = 0.01 * (double)i;
        for (size_t c = 1; c < COLUMNS; c++) {
            columns[c][i] = 0.1 * (double)((int)((i * 7 + c * 3) % 11) - 5);
        }
        columns[7][i] = 1.0;
    }
    for (size_t changes = take_index(in, 40); changes > 0; changes--) {
        const size_t at = take_byte(in);
        columns[at % COLUMNS][at / COLUMNS % rows] = take_number(in);
    }
}

// Rows of a law, some columns of which are missing.
static br_fit_law_data take_data(input* in)
{
    const uint8_t which = take_byte(in);
    return (br_fit_law_data){.count = which < 250 ? rows : 0,
                             .t = which & 3 ? columns[0] : NULL,
                             .v = columns[1],
                             .f = columns[2],
                             .fn = which & 4 ? columns[7] : NULL,
                             .load = which & 8 ? columns[8] : NULL};
}

static unsigned take_bits(input* in)
{
    const unsigned low = take_byte(in), middle = take_byte(in);
    return low | middle << 8 | (unsigned)take_byte(in) << 16;
}

static br_fit_law_def take_law_def(input* in)
{
    br_fit_law_def def = br_fit_law_def_default();
    const uint8_t flags = take_byte(in);
    def.law = (br_fit_law_kind)take_choice(in, BR_FIT_LAW_COUNT);
    def.data = take_data(in);
    def.free = flags & 1 ? take_bits(in) : def.free;
    def.robust = flags & 2;
    def.passive = flags & 4;
    def.by_position = flags & 8;
    def.flip_force = flags & 16;
    def.profile = flags & 32 && flags & 64;
    def.starts = 1;
    if (flags & 128) {
        def.fixed = take_bits(in);
        def.offered = take_bits(in);
        take_numbers(in, def.values, BR_FIT_COUNT);
        vary_size(in, &def.starts, 3);
    }
    vary_size(in, &def.train, MOST_ROWS);
    vary(in, &def.level);
    vary(in, &def.speed_noise);
    return def;
}

// A fitted law on its own data and on others.
static void use_law_fit(input* in, const br_fit_law_def* def, const br_fit_law_result* fit,
                        bool is_done)
{
    double f[MOST_ROWS], rms = 0.0, profile[2];
    br_reason why;
    const br_fit_law_data other = take_data(in);
    br_fit_law_eval(fit, &def->data, f, &why);
    br_fit_law_eval(fit, &other, f, &why);
    if (br_fit_law_validate(fit, &other, &rms, &why) == BR_OK) {
        demand(!(rms < 0.0));
    } else {
        demand(*why.text);
    }
    const int parameter = (int)take_index(in, BR_FIT_COUNT + 1);
    if (is_done && take_byte(in) > 200) {
        const double value[2] = {fit->estimates[parameter % BR_FIT_COUNT].value, take_number(in)};
        if (br_fit_law_profile(def, fit, parameter, value, 2, profile, &why) != BR_OK) {
            demand(*why.text);
        }
    }
    if (is_done) {
        demand(br_law_check(&fit->law, &why) == BR_OK);
        demand(br_fit_law_data_check(&def->data, &why) == BR_OK);
    }
}

static br_status fit_law(input* in, const br_fit_watch* watch, br_reason* why)
{
    static br_fit_law_result out;
    const br_fit_law_def def = take_law_def(in);
    memset(&out, 0, sizeof out);
    const br_status status = br_fit_law(&def, watch, &out, why);
    br_fit_law_data_doubt(&def.data);
    if (status == BR_OK || status == BR_ERR_STOPPED) {
        use_law_fit(in, &def, &out, status == BR_OK);
    }
    return status;
}

static br_status choose_law(input* in, const br_fit_watch* watch, br_reason* why)
{
    static br_fit_law_choice out;
    const br_fit_law_def def = take_law_def(in);
    const br_fit_law_data other = take_data(in);
    const bool has_other = take_byte(in) & 1;
    double hold_out = 0.3;
    vary(in, &hold_out);
    const unsigned laws = take_byte(in);
    const br_status status =
        br_fit_law_choose(&def, laws, has_other ? &other : NULL, hold_out, watch, &out, why);
    if (status == BR_OK) {
        demand(out.law < BR_FIT_LAW_COUNT && out.fitted & 1u << out.law);
        demand(br_law_check(&out.fits[out.law].law, NULL) == BR_OK);
    }
    return status;
}

// A table: speeds increase from 0, each number is in its interval, and a law can have it if it is positive.
static void check_table(const br_fit_table* table)
{
    demand(table->count >= 2 && table->count <= BR_CURVE_NODES && table->v[0] == 0.0);
    for (size_t i = 0; i < table->count; i++) {
        demand(i == 0 || table->v[i] > table->v[i - 1]);
        demand(!(table->low[i] > table->g[i]) && !(table->high[i] < table->g[i]));
        demand(!(table->error[i] < 0.0));
    }
}

static br_status fit_table(input* in, const br_fit_watch* watch, br_reason* why)
{
    (void)watch;
    static br_fit_table out;
    const br_fit_law_data data = take_data(in);
    size_t nodes = take_index(in, 8);
    double hold_out = 0.3, level = 0.95;
    vary_size(in, &nodes, BR_CURVE_NODES + 1);
    vary(in, &hold_out);
    vary(in, &level);
    const br_status status = br_fit_law_table(&data, nodes, hold_out, level, &out, why);
    if (status == BR_OK) {
        check_table(&out);
    }
    return status;
}

static br_status fit_numbers(input* in, const br_fit_watch* watch, br_reason* why)
{
    (void)watch;
    double v[MOST_ROWS], level = 0.95;
    br_fit_speed speed;
    br_fit_estimate mu_s;
    vary(in, &level);
    const double* fn = take_byte(in) & 1 ? columns[7] : NULL;
    if (br_fit_break_away(take_index(in, rows + 1), columns[2], fn, level, &mu_s, why) == BR_OK) {
        demand(!(mu_s.low > mu_s.value) && !(mu_s.high < mu_s.value));
    } else {
        demand(*why->text);
    }
    const br_status status =
        br_fit_law_speed(take_index(in, rows + 1), columns[0], columns[1], v, &speed, why);
    if (status == BR_OK) {
        demand(speed.rows % 2 == 1 && !(speed.noise < 0.0) && !(speed.position_noise < 0.0));
    }
    return status;
}

static br_status fit_contact(input* in, const br_fit_watch* watch, br_reason* why)
{
    static br_fit_contact_result out;
    double wrench[3 * MOST_ROWS], profile[2];
    br_fit_contact_def def = br_fit_contact_def_default();
    br_reason other;
    br_patch* patch = take_byte(in) & 1 ? take_patch(in) : NULL;
    def.data = (br_fit_contact_data){rows,       columns[0], columns[1], columns[2], columns[3],
                                     columns[4], columns[5], columns[6], columns[7]};
    def.law = take_byte(in) & 1 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC;
    def.method = take_byte(in) & 3 ? BR_METHOD_BLOCKS : BR_METHOD_DISTRIBUTED;
    def.patch = patch;
    def.resolution = 2;
    def.profile = false;
    vary(in, &def.level);
    if (take_byte(in) > 200) {
        def.fixed = take_bits(in);
        def.free = take_bits(in);
        take_numbers(in, def.values, BR_FIT_CONTACT_COUNT);
        vary(in, &def.anisotropy.ratio);
    }
    memset(&out, 0, sizeof out);
    const br_status status = br_fit_contact(&def, watch, &out, why);
    if (status == BR_OK || status == BR_ERR_STOPPED) {
        br_fit_contact_eval(&def, &out, &def.data, wrench, &other);
        const int parameter = (int)take_index(in, BR_FIT_CONTACT_COUNT + 1);
        const double value[2] = {out.estimates[parameter % BR_FIT_CONTACT_COUNT].value,
                                 take_number(in)};
        if (status == BR_OK && take_byte(in) > 200 &&
            br_fit_contact_profile(&def, &out, parameter, value, 2, profile, &other) != BR_OK) {
            demand(*other.text);
        }
    }
    br_patch_destroy(patch);
    return status;
}

static br_patch* make_outline(input* in)
{
    br_patch* patch = take_byte(in) & 3 ? NULL : take_patch(in);
    const br_patch_def disc = br_patch_def_default();
    if (!patch && br_patch_create(&disc, &patch, NULL) != BR_OK) {
        abort();
    }
    return patch;
}

static br_status fit_pressure(input* in, const br_fit_watch* watch, br_reason* why)
{
    br_fit_pair pairs[MOST_ROWS];
    br_fit_pressure* out = NULL;
    br_fit_pressure_def def = br_fit_pressure_def_default();
    br_patch* outline = make_outline(in);
    for (size_t i = 0; i < rows; i++) {
        pairs[i] = (br_fit_pair){{columns[1][i], columns[2][i], columns[3][i]},
                                 {columns[4][i], columns[5][i], columns[6][i]}};
    }
    def.outline = outline;
    def.resolution = 3;
    def.watch = *watch;
    vary(in, &def.tolerance);
    const br_status status = br_fit_pressure_create(&def, pairs, rows, &out, why);
    br_fit_pressure_destroy(out);
    br_patch_destroy(outline);
    return status;
}

static br_status fit_pushes(input* in, const br_fit_watch* watch, br_reason* why)
{
    br_fit_push pushes[MOST_ROWS];
    br_fit_pushes* out = NULL;
    br_fit_pushes_def def = br_fit_pushes_def_default();
    br_patch* outline = make_outline(in);
    for (size_t i = 0; i < rows; i++) {
        pushes[i] = (br_fit_push){{columns[1][i], columns[2][i], columns[3][i]},
                                  {columns[4][i], columns[5][i], columns[6][i]},
                                  {columns[7][i], columns[8][i]},
                                  {columns[9][i], columns[1][i]}};
    }
    def.outline = outline;
    def.resolution = 3;
    def.watch = *watch;
    vary(in, &def.tip_radius);
    vary(in, &def.mu_tip);
    def.keeps_mu = take_byte(in) & 1;
    def.keeps_offset = take_byte(in) & 1;
    def.fits_radius = take_byte(in) & 1;
    br_pose ends[MOST_ROWS];
    br_reason other;
    const size_t few = 2; // many cost seconds
    if (br_fit_pushes_predict(&def, outline, pushes, few, ends, &other) != BR_OK) {
        demand(*other.text);
    }
    const br_status status = br_fit_pushes_create(&def, pushes, rows, &out, why);
    br_fit_pushes_destroy(out);
    br_patch_destroy(outline);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static br_status (*const fits[])(input*, const br_fit_watch*, br_reason*) = {
        fit_law,    choose_law, fit_contact, fit_pressure,
        fit_pushes, fit_law,    fit_table,   fit_numbers};
    input in = {data, size};
    size_t left = MOST_CHECKS;
    const br_fit_watch watch = {.stop = stop, .user = &left};
    br_reason why = {"", ""};
    const size_t which = take_index(&in, sizeof fits / sizeof *fits);
    take_rows(&in);
    const br_status status = fits[which](&in, &watch, &why);
    if ((status == BR_ERR_DEF || status == BR_ERR_ARG) && !*why.text) {
        abort();
    }
    return 0;
}
