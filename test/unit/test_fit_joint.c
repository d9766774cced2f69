/*
 * Fits of friction that depends on the load, the position and the direction. Oracle: data from known laws, by fine
 * steps of br_law_eval() whose coefficients follow load, position and direction.
 */
#include "fit_data.h"

enum { ROWS = 3001 };
static const double row_time = 0.002;   // [s]
static const double force_noise = 0.01; // [N]

// How friction depends on load, position and direction; zeros: it does not.
typedef struct dependence {
    double c, s, square, direction, asymmetry; // parameters BR_FIT_LOAD_C, ... by name
    double by_position;                        // friction times 1 + this times cos(x/length)
    double length;                             // [m]
} dependence;

// A load that changes sign, and is in no ratio to the motion's periods.
static double load_at(double t)
{
    return 3 * sin(2 * BR_PI * t / 2.3 + 0.4) + 1;
}

// The law at a load and in a direction.
static br_law law_at(br_law law, const dependence* d, double load, double v)
{
    const double direction = v > 0 ? 1 : -1, l = fabs(load);
    const double along = d->direction * direction * load, e = 1 + d->asymmetry * direction;
    law.mu_c = e * (law.mu_c + d->c * l + along);
    law.mu_s = e * (law.mu_s + (d->c + d->s + d->square * l) * l + along);
    law.sigma2 *= e;
    return law;
}

// Rows with noise; position: where the friction is by_position.
static record simulate(const br_law* law, const dependence* d, double* load, uint64_t seed)
{
    enum { STEPS = 50 };
    const double h = row_time / STEPS;
    record r = record_create(ROWS);
    double z = 0, x = 0;
    for (size_t i = 0; i < r.count; i++) {
        r.t[i] = row_time * (double)i;
        r.v[i] = motion_mixed(r.t[i]);
        load[i] = load_at(r.t[i]);
        const double slope = i > 0 ? (r.v[i] - r.v[i - 1]) / row_time : 0;
        for (int k = 0; k < STEPS && i > 0; k++) {
            const double v = r.v[i - 1] + k * h * slope, share = (k + 0.5) / STEPS;
            const double l = (1 - share) * load[i - 1] + share * load[i];
            const br_law now = law_at(*law, d, l, v + 0.5 * h * slope);
            z = bristle_step(&now, z, v, slope, h);
            x += h * (v + 0.5 * h * slope);
        }
        const br_law now = law_at(*law, d, load[i], r.v[i]);
        const double gain = d->by_position != 0 ? d->by_position * cos(x / d->length) : 0;
        r.clean[i] = (1 + gain) * br_law_eval(&now, z, r.v[i], 1).f;
    }
    record_add_noise(&r, force_noise, &seed);
    return r;
}

static br_fit_law_data data_of(const record* r, const double* load)
{
    br_fit_law_data data = record_data(r);
    data.load = load;
    return data;
}

// The truth is within the interval.
static void assert_held(const br_fit_law_result* fit, int k, double truth)
{
    const br_fit_estimate* e = &fit->estimates[k];
    print_message("%-15s %.5g: %.5g [%.5g, %.5g]\n", e->name, truth, e->value, e->low, e->high);
    assert_true(e->low <= truth && truth <= e->high);
}

/* Oracle: the parameters of the data are within intervals at 99 %, each of them narrower than a quarter of the value. */
static void parameters_of_the_load_are_found(void** state)
{
    (void)state;
    static double load[ROWS];
    const dependence known = {.c = 0.04, .s = 0.03, .direction = 0.015};
    const br_law law = known_law(BR_FIT_LAW_LUGRE);
    record r = simulate(&law, &known, load, 7);
    br_fit_law_def def = br_fit_law_def_default();
    def.data = data_of(&r, load);
    def.level = 0.99;
    def.free |= 1u << BR_FIT_LOAD_C | 1u << BR_FIT_LOAD_S | 1u << BR_FIT_LOAD_DIRECTION;
    br_fit_law_result fit;
    br_reason why = {"", ""};
    assert_status(br_fit_law(&def, NULL, &fit, &why), BR_OK);
    assert_held(&fit, BR_FIT_LOAD_C, known.c);
    assert_held(&fit, BR_FIT_LOAD_S, known.s);
    assert_held(&fit, BR_FIT_LOAD_DIRECTION, known.direction);
    for (int k = 0; k < BR_FIT_OFFSET; k++) {
        if (fit.estimated >> k & 1) {
            assert_held(&fit, k, known_parameter(&law, k));
        }
    }
    for (int k = BR_FIT_LOAD_C; k < BR_FIT_COUNT; k++) {
        const br_fit_estimate* e = &fit.estimates[k];
        assert_true(e->is_fixed || e->high - e->low < 0.5 * e->value);
    }
    assert_near_relative(fit.rms, force_noise, 0.05 /* of 3,001 rows: 1.3 % */);
    record_destroy(&r);
}

/* Oracle: as above, for load^2, without bristles. */
static void a_quadratic_part_is_found(void** state)
{
    (void)state;
    static double load[ROWS];
    const dependence known = {.c = 0.04, .square = 0.02};
    const br_law law = known_law(BR_FIT_LAW_STRIBECK);
    record r = simulate(&law, &known, load, 3);
    br_fit_law_def def = br_fit_law_def_default();
    def.law = BR_FIT_LAW_STRIBECK;
    def.data = data_of(&r, load);
    def.level = 0.99;
    def.free |= 1u << BR_FIT_LOAD_C | 1u << BR_FIT_LOAD_SQUARE;
    br_fit_law_result fit;
    br_reason why = {"", ""};
    assert_status(br_fit_law(&def, NULL, &fit, &why), BR_OK);
    assert_held(&fit, BR_FIT_LOAD_C, known.c);
    assert_held(&fit, BR_FIT_LOAD_SQUARE, known.square);
    record_destroy(&r);
}

/* Oracle: their range. Friction that falls with the square of the load gave load_square = -0.005 within [0, 0]. */
static void terms_of_the_load_are_not_negative(void** state)
{
    (void)state;
    static double load[ROWS];
    const dependence known = {.c = 0.05, .square = -0.005};
    const br_law law = known_law(BR_FIT_LAW_STRIBECK);
    record r = simulate(&law, &known, load, 3);
    br_fit_law_def def = br_fit_law_def_default();
    def.law = BR_FIT_LAW_STRIBECK;
    def.data = data_of(&r, load);
    def.free |= 1u << BR_FIT_LOAD_C | 1u << BR_FIT_LOAD_S | 1u << BR_FIT_LOAD_SQUARE;
    br_fit_law_result fit;
    br_reason why = {"", ""};
    assert_status(br_fit_law(&def, NULL, &fit, &why), BR_OK);
    for (int k = BR_FIT_LOAD_C; k <= BR_FIT_LOAD_SQUARE; k++) {
        const br_fit_estimate* e = &fit.estimates[k];
        print_message("%-15s %.5g [%.5g, %.5g]\n", e->name, e->value, e->low, e->high);
        assert_true(e->value >= 0 && e->low <= e->value && e->value <= e->high);
    }
    record_destroy(&r);
}

/* Oracle: what the data depend on. Parameters that they do not depend on are not added. */
static void what_is_added_is_what_the_data_have(void** state)
{
    (void)state;
    static double load[ROWS];
    static const struct {
        dependence known;
        unsigned added;
    } cases[] = {
        {{.c = 0}, 0},
        {{.c = 0.05}, 1u << BR_FIT_LOAD_C},
        {{.asymmetry = 0.1}, 1u << BR_FIT_ASYMMETRY},
        {{.c = 0.05, .direction = 0.02}, 1u << BR_FIT_LOAD_C | 1u << BR_FIT_LOAD_DIRECTION}};
    const br_law law = known_law(BR_FIT_LAW_LUGRE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        record r = simulate(&law, &cases[i].known, load, 11 + i);
        br_fit_law_def def = br_fit_law_def_default();
        def.data = data_of(&r, load);
        def.profile = 0;
        def.starts = 1;
        def.offered = (BR_FIT_LOADS & ~(1u << BR_FIT_LOAD_GAIN)) | 1u << BR_FIT_ASYMMETRY;
        static br_fit_law_choice all;
        br_reason why = {"", ""};
        const unsigned laws = 1u << BR_FIT_LAW_STRIBECK | 1u << BR_FIT_LAW_LUGRE;
        assert_status(br_fit_law_choose(&def, laws, NULL, 0.5, NULL, &all, &why), BR_OK);
        print_message("case %zu: added %x, expected %x, held out %.4f N\n", i, all.added,
                      cases[i].added, all.fits[all.law].rms_held_out);
        assert_int_equal(all.added, cases[i].added);
        assert_int_equal(all.law, BR_FIT_LAW_LUGRE);
        assert_true(all.fits[all.law].rms_held_out < 1.1 * force_noise);
        record_destroy(&r);
    }
}

// 1 + gain of the data at x, over its mean of the fitted rows.
static double gain_at(const dependence* d, const record* r, size_t rows, double x)
{
    double at = 0, sum = 0;
    for (size_t i = 0; i < rows; i++) {
        at += i > 0 ? 0.5 * (r->v[i] + r->v[i - 1]) * row_time : 0;
        sum += 1 + d->by_position * cos(at / d->length);
    }
    return (1 + d->by_position * cos(x / d->length)) * (double)rows / sum;
}

/* Oracle: the friction of the data, 1 + 0.3 cos(x/length), and the error on held-out rows without it. */
static void friction_by_position_is_found(void** state)
{
    (void)state;
    static double load[ROWS];
    const dependence known = {.by_position = 0.3, .length = 0.008};
    const br_law law = known_law(BR_FIT_LAW_LUGRE);
    record r = simulate(&law, &known, load, 5);
    br_fit_law_def def = br_fit_law_def_default();
    def.data = record_data(&r);
    def.profile = 0;
    def.train = ROWS / 2;
    br_fit_law_result fit, plain;
    br_reason why = {"", ""};
    assert_status(br_fit_law(&def, NULL, &fit, &why), BR_OK);
    def.by_position = 0;
    assert_status(br_fit_law(&def, NULL, &plain, &why), BR_OK);
    const br_fit_offset_map* map = &fit.friction_map;
    print_message("%zu places, held out %.4f N, %.4f without them\n", map->count, fit.rms_held_out,
                  plain.rms_held_out);
    assert_true(map->count > 0 && plain.friction_map.count == 0);
    assert_true(fit.rms_held_out < 0.5 * plain.rms_held_out);
    for (size_t i = 0; i < map->count; i++) {
        const double x = map->from + (map->to - map->from) * (double)i / (double)(map->count - 1);
        assert_near(1 + map->offset[i], gain_at(&known, &r, def.train, x),
                    0.06 /* few places, linear between them, and a pull to 0 of 30 rows */);
    }
    record_destroy(&r);
}

/* Oracle: the reasons. */
static void loads_that_do_not_help_are_refused(void** state)
{
    (void)state;
    static double load[ROWS];
    const dependence none = {0};
    const br_law law = known_law(BR_FIT_LAW_LUGRE);
    record r = simulate(&law, &none, load, 1);
    br_fit_law_def def = br_fit_law_def_default();
    br_fit_law_result fit;
    br_reason why = {"", ""};
    def.data = record_data(&r);
    def.free |= 1u << BR_FIT_LOAD_C;
    assert_status(br_fit_law(&def, NULL, &fit, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "load");
    load[17] = (double)NAN;
    def.data.load = load;
    assert_status(br_fit_law(&def, NULL, &fit, &why), BR_ERR_DEF);
    assert_string_equal(why.field, "load");
    record_destroy(&r);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_of_the_load_are_found),
        cmocka_unit_test(a_quadratic_part_is_found),
        cmocka_unit_test(terms_of_the_load_are_not_negative),
        cmocka_unit_test(what_is_added_is_what_the_data_have),
        cmocka_unit_test(friction_by_position_is_found),
        cmocka_unit_test(loads_that_do_not_help_are_refused),
    };
    return run_group(argc, argv, tests);
}
