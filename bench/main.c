/*
 * bristle-bench, or bristle bench: time bristle on this machine.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "bristle/base.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "program.h"

// All cases, in the order of printing.
static const bench_case* list_cases(size_t* count)
{
    enum { MAX_CASES = 128 };
    static bench_case all[MAX_CASES];
    const struct {
        const bench_case* cases;
        size_t count;
    } modules[] = {{law_cases, law_case_count},
                   {limit_cases, limit_case_count},
                   {limit_table_cases, limit_table_case_count},
                   {contact_cases, contact_case_count},
                   {reduced_cases, reduced_case_count},
                   {step_cases, step_case_count},
                   {worlds_cases, worlds_case_count},
                   {group_cases, group_case_count},
                   {batch_cases, batch_case_count},
                   {pushing_cases, pushing_case_count},
                   {slider_cases, slider_case_count},
                   {cone_cases, cone_case_count},
                   {sim_cases, sim_case_count},
                   {body_cases, body_case_count}};
    *count = 0;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        BR_ASSERT(*count + modules[i].count <= MAX_CASES);
        memcpy(all + *count, modules[i].cases, modules[i].count * sizeof *all);
        *count += modules[i].count;
    }
    return all;
}

static void print_head(void)
{
    printf("bristle %s  %s  %s  %d runs\n", br_get_version(), bench_compiler(), bench_cpu(),
           BENCH_RUNS);
    printf("%-36s %12s %12s %12s %12s %8s %12s %8s %7s  %s\n", "case", "min ns", "med ns", "p90 ns",
           "ref ns", "ratio", "careful ns", "live", "allocs", "check");
}

// A number, or "-" for NAN.
static void print_number(const char* form, int width, double value)
{
    if (isnan(value)) {
        printf(" %*s", width, "-");
    } else {
        printf(form, width, value);
    }
}

// Live parts out of the computed parts.
static void print_size(const bench_size* size)
{
    char text[48] = "-";
    if (size->lanes > 0) {
        snprintf(text, sizeof text, "%zu/%zu", size->live, size->lanes);
    }
    printf(" %8s", text);
}

static void print_row(const char* name, const bench_result* r)
{
    printf("%-36s %12.1f %12.1f %12.1f", name, r->ns, r->median_ns, r->p90_ns);
    print_number(" %*.1f", 12, r->reference_ns);
    print_number(" %*.2f", 8, r->ratio);
    print_number(" %*.1f", 12, r->careful_ns);
    print_size(&r->size);
    printf(" %7.3g  %.9g\n", r->allocations, r->check);
    fflush(stdout);
}

static void print_json_row(json* out, const char* name, const bench_result* r)
{
    json_begin(out, NULL, '{');
    json_text(out, "name", name);
    json_number(out, "ns", r->ns);
    json_number(out, "median_ns", r->median_ns);
    json_number(out, "reference_ns", r->reference_ns);
    json_number(out, "ratio", r->ratio);
    json_number(out, "allocations", r->allocations);
    json_number(out, "p90_ns", r->p90_ns);
    json_number(out, "careful_ns", r->careful_ns);
    json_number(out, "live", r->size.lanes > 0 ? (double)r->size.live : (double)NAN);
    json_number(out, "lanes", r->size.lanes > 0 ? (double)r->size.lanes : (double)NAN);
    json_number(out, "check", r->check);
    json_number(out, "careful_check", r->careful_check);
    json_end(out, '}');
}

static int matches(const options* o, const char* name)
{
    return !o->only || fnmatch(o->only, name, 0) == 0;
}

static size_t count_matches(const options* o, const bench_case* cases, size_t count)
{
    size_t matching = 0;
    for (size_t i = 0; i < count; i++) {
        matching += matches(o, cases[i].name);
    }
    return matching;
}

static void print_table(const options* o, const bench_case* cases, size_t count)
{
    print_head();
    for (size_t i = 0; i < count; i++) {
        if (matches(o, cases[i].name)) {
            const bench_result result = bench_measure(&cases[i]);
            print_row(cases[i].name, &result);
        }
    }
}

static void print_json(const options* o, const bench_case* cases, size_t count)
{
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_text(&out, "version", br_get_version());
    json_text(&out, "compiler", bench_compiler());
    json_text(&out, "cpu", bench_cpu());
    json_begin(&out, "cases", '[');
    for (size_t i = 0; i < count; i++) {
        if (matches(o, cases[i].name)) {
            const bench_result result = bench_measure(&cases[i]);
            print_json_row(&out, cases[i].name, &result);
        }
    }
    json_end(&out, ']');
    json_end(&out, '}');
    putchar('\n');
}

static void print_list(const options* o, const bench_case* cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (matches(o, cases[i].name)) {
            puts(cases[i].name);
        }
    }
}

static int bench(int argc, char** argv)
{
    const options o =
        options_read(argc, argv, OPTION_LIST | OPTION_ONLY | OPTION_JSON | OPTION_NO_FILE);
    size_t count;
    const bench_case* cases = list_cases(&count);
    if (count_matches(&o, cases, count) == 0) {
        message_fail(EXIT_USAGE, "--only %s: matches no case; see: bristle bench --list", o.only);
    }
    if (o.list) {
        print_list(&o, cases, count);
    } else if (o.json) {
        print_json(&o, cases, count);
    } else {
        print_table(&o, cases, count);
    }
    return EXIT_DONE;
}

int main(int argc, char** argv)
{
    return program_run("bench", bench_help, bench, argc, argv);
}
