/*
 * bristle-reproduce, or bristle reproduce: published figures and tables, with the published values.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bristle/base.h"
#include "items.h"
#include "memory.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "program.h"
#include "workers.h"

static int print_list(void)
{
    for (const item* i = items; i->name; i++) {
        printf("%-12s %s\n", i->name, i->title);
    }
    return EXIT_DONE;
}

static size_t count_items(void)
{
    size_t count = 0;
    while (items[count].name) {
        count++;
    }
    return count;
}

static const item* find_item(const char* name)
{
    const size_t count = count_items();
    const char** known = memory_allocate(count + 2, sizeof *known);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(items[i].name, name) == 0) {
            return &items[i];
        }
        known[i] = items[i].name;
    }
    known[count] = "all";
    message_fail(EXIT_USAGE, "reproduce: unknown name %s%s see: bristle reproduce --list", name,
                 text_suggest(name, known, ";"));
}

// The items named on the command line, each once, in the order of the list.
static job* choose(const options* o, size_t* count)
{
    const size_t max_count = count_items();
    bool* wanted = memory_allocate(max_count, sizeof *wanted);
    for (size_t w = 0; w < o->word_count; w++) {
        const bool all = strcmp(o->words[w], "all") == 0;
        const item* one = all ? NULL : find_item(o->words[w]);
        for (size_t i = 0; i < max_count; i++) {
            wanted[i] = wanted[i] || all || &items[i] == one;
        }
    }
    job* jobs = memory_allocate(max_count, sizeof *jobs);
    *count = 0;
    for (size_t i = 0; i < max_count; i++) {
        if (wanted[i]) {
            jobs[(*count)++].item = &items[i];
        }
    }
    return jobs;
}

static void create_folder(const char* folder)
{
    struct stat is;
    if (mkdir(folder, 0777) == 0 || (stat(folder, &is) == 0 && S_ISDIR(is.st_mode))) {
        return;
    }
    message_fail(EXIT_COMPUTATION, "-o %s: cannot be written: %s", folder, strerror(errno));
}

static void write_summary(const job* jobs, size_t count, FILE* to)
{
    fputs("| item | | verdict |\n|---|---|---|\n", to);
    for (size_t i = 0; i < count; i++) {
        const item* it = jobs[i].item;
        if (it->make) {
            fprintf(to, "| [%s](#%s) | %s | %s |\n", it->name, it->name, it->title,
                    jobs[i].summary);
        } else {
            fprintf(to, "| %s | %s | %s |\n", it->name, it->title, it->nature);
        }
    }
    fputc('\n', to);
}

static void write_report(const options* o, const job* jobs, size_t count, const char* folder)
{
    output* to = output_open(memory_format("%s/report.md", folder));
    fprintf(
        to->stream,
        "# Reproduction of published figures and tables\n\n"
        "Written by bristle %s, %s. W&K: Waltersson & Karayiannidis; X&C: Xie & Chakraborty; H+:\n"
        "Huang et al.; S: Savin. The source names what each number is compared with; the column\n"
        "published holds what is printed in the paper, the column reference all else. A number without\n"
        "tolerance is shown for context; an item without any is shown.\n\n",
        br_get_version(),
        o->as_published ? "following the published protocols to the letter"
                        : "with its own defaults");
    write_summary(jobs, count, to->stream);
    for (size_t i = 0; i < count; i++) {
        if (!jobs[i].item->make) {
            continue;
        }
        fprintf(to->stream, "<a id=\"%s\"></a>\n%s", jobs[i].item->name, jobs[i].report);
    }
    output_commit(to);
}

static int reproduce(int argc, char** argv)
{
    const options o = options_read(argc, argv,
                                   OPTION_OUTPUT | OPTION_LIST | OPTION_AS_PUBLISHED |
                                       OPTION_QUIET | OPTION_WORDS);
    if (o.list) {
        return print_list();
    }
    if (o.word_count == 0) {
        message_fail(EXIT_USAGE,
                     "reproduce: a name is missing, or all; see: bristle reproduce --list");
    }
    const char* folder = o.output ? o.output : "reproduction";
    size_t count;
    job* jobs = choose(&o, &count);
    create_folder(folder);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    workers_run(jobs, count, cores > 0 ? (size_t)cores : 1, folder, o.as_published, o.quiet);
    write_report(&o, jobs, count, folder);

    size_t ends[OUTCOME_FAILED + 1] = {0};
    for (size_t i = 0; i < count; i++) {
        ends[jobs[i].outcome] += jobs[i].item->make != NULL;
    }
    printf("%s/report.md: %zu agree, %zu differ for a reason, %zu shown, %zu differ, %zu could not "
           "be made\n",
           folder, ends[OUTCOME_AGREES], ends[OUTCOME_EXPLAINED], ends[OUTCOME_SHOWN],
           ends[OUTCOME_DIFFERS], ends[OUTCOME_FAILED]);
    return ends[OUTCOME_DIFFERS] + ends[OUTCOME_FAILED] > 0 ? EXIT_COMPUTATION : EXIT_DONE;
}

int main(int argc, char** argv)
{
    return program_run("reproduce", reproduce_help, reproduce, argc, argv);
}
