/* Measurements of any numbers, for the four fits. A fit that was refused has a reason. */
#include "fuzz.h"

#include <stdlib.h>

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

static br_status fit_law(input* in, const br_fit_watch* watch, br_reason* why)
{
    static br_fit_law_result out;
    br_fit_law_def def = br_fit_law_def_default();
    def.law = (br_fit_law_kind)take_choice(in, BR_FIT_LAW_COUNT);
    def.data = (br_fit_law_data){.count = take_byte(in) ? rows : 0,
                                 .t = take_byte(in) & 3 ? columns[0] : NULL,
                                 .v = columns[1],
                                 .f = columns[2],
                                 .fn = take_byte(in) & 1 ? columns[7] : NULL};
    def.free = take_byte(in) & 1 ? (unsigned)take_byte(in) << 8 : def.free;
    def.robust = take_byte(in) & 1;
    def.starts = 1;
    def.profile = false;
    vary_size(in, &def.train, MOST_ROWS);
    vary(in, &def.level);
    vary(in, &def.speed_noise);
    return br_fit_law(&def, watch, &out, why);
}

static br_status fit_contact(input* in, const br_fit_watch* watch, br_reason* why)
{
    static br_fit_contact_result out;
    br_fit_contact_def def = br_fit_contact_def_default();
    br_patch* patch = take_byte(in) & 1 ? take_patch(in) : NULL;
    def.data = (br_fit_contact_data){rows,       columns[0], columns[1], columns[2], columns[3],
                                     columns[4], columns[5], columns[6], columns[7]};
    def.law = take_byte(in) & 1 ? BR_LAW_LUGRE : BR_LAW_ELASTO_PLASTIC;
    def.patch = patch;
    def.resolution = 2;
    def.profile = false;
    vary(in, &def.level);
    const br_status status = br_fit_contact(&def, watch, &out, why);
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
    const br_status status = br_fit_pushes_create(&def, pushes, rows, &out, why);
    br_fit_pushes_destroy(out);
    br_patch_destroy(outline);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static br_status (*const fits[])(input*, const br_fit_watch*, br_reason*) = {
        fit_law, fit_law, fit_contact, fit_pressure, fit_pushes};
    input in = {data, size};
    size_t left = MOST_CHECKS;
    const br_fit_watch watch = {.stop = stop, .user = &left};
    br_reason why = {"", ""};
    const size_t which = take_index(&in, sizeof fits / sizeof *fits);
    take_rows(&in);
    if (fits[which](&in, &watch, &why) == BR_ERR_DEF && !*why.text) {
        abort();
    }
    return 0;
}
