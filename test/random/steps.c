/*
 * Random steps of everything that steps: laws, contacts, bodies, groups, hosts, worlds.
 *
 *     steps COUNT [SEED [PART]]    COUNT steps in total; 1 and a part: the episode of that seed alone
 *     steps --table                the ranges, as the table of docs/robustness.md
 *
 * Oracle: invariants. No step gains energy, returns NaN or leaves the bounds of bristles and forces; the vector code of
 * this processor and the plain code agree on the same stream.
 */
#include "steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The parts, and how many of 100 steps each takes.
static const struct part {
    const char* name;
    unsigned share;
    void (*take)(tally* t, uint64_t seed);
} parts[] = {
    {"law", 20, step_laws},
    {"contact", 24, step_contacts},
    {"coupled", 16, step_bodies},
    {"group", 8, step_groups},
    {"host", 8, step_hosts},
    {"worlds", 12, step_worlds},
    {"worlds float", 12, step_worlds_float},
};

enum { PARTS = sizeof parts / sizeof *parts };

static void print_ranges(void)
{
    static const struct {
        const char *name, *unit;
        double low, high, low_float, high_float;
        bool zero;
    } rows[] = {
#define RANGE_PRINTED(name, text, unit, low, high, zero, low_float, high_float)                    \
    {text, unit, low, high, low_float, high_float, zero},
        RANGE_LIST(RANGE_PRINTED)
#undef RANGE_PRINTED
    };
    puts("| number | unit | range | in float |\n|---|---|---|---|");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        printf("| %s | %s | %s%g to %g | %g to %g |\n", rows[i].name, rows[i].unit,
               rows[i].zero ? "0, " : "", rows[i].low, rows[i].high, rows[i].low_float,
               rows[i].high_float);
    }
}

static void print_head(void)
{
    printf("%-13s %11s %9s %9s %9s %9s %11s %10s %9s\n", "part", "steps", "gain", "bristle",
           "force", "apart", "unconverged", "branches", "findings");
}

static void print_tally(const tally* t)
{
    printf("%-13s %11llu %9.1e %9.6f %9.6f %9.1e %11llu %10llu %9llu\n", t->name,
           (unsigned long long)t->steps, t->gain, t->longest, t->force, t->apart,
           (unsigned long long)t->unconverged, (unsigned long long)t->branches,
           (unsigned long long)t->findings);
    fflush(stdout);
}

static uint64_t run_part(const struct part* p, uint64_t count, uint64_t seed)
{
    tally t = {.name = p->name};
    for (uint64_t episode = 0; t.steps < count; episode++) {
        t.seed = seed + episode * 0x10001u;
        p->take(&t, t.seed);
    }
    print_tally(&t);
    return t.findings;
}

int main(int argc, char** argv)
{
    if (argc > 1 && strcmp(argv[1], "--table") == 0) {
        print_ranges();
        return 0;
    }
    const double count = argc > 1 ? strtod(argv[1], NULL) : 0.0;
    if (!(count >= 1.0)) {
        fprintf(stderr, "usage: %s COUNT [SEED [PART]] | --table\n", argv[0]);
        return 2;
    }
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    uint64_t findings = 0;
    print_head();
    for (int i = 0; i < PARTS; i++) {
        const bool is_chosen = argc <= 3 || strcmp(argv[3], parts[i].name) == 0;
        const double share = argc > 3 ? 1.0 : parts[i].share / 100.0;
        findings += is_chosen ? run_part(&parts[i], (uint64_t)(count * share) + 1, seed) : 0;
    }
    destroy_shared();
    return findings > 0;
}
