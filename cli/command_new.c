/*
 * bristle new: commented files to start from.
 */
#include <string.h>

#include "command.h"
#include "memory.h"
#include "message.h"
#include "new_files.h"
#include "options.h"
#include "output.h"
#include "system.h"

const char new_help[] =
    "usage: bristle new body|gripper|push|rig|mechanism|sweep|patch [-o FILE.yaml] [--force]\n"
    "\n"
    "Write a commented file to start from, which runs as it is:\n"
    "  body       a box slides and spins on a table until friction stops it\n"
    "  gripper    two fingers hold a box while their grip weakens\n"
    "  push       a round tip pushes a box over a table\n"
    "  rig        a mass on a friction law, pulled by a spring: stick-slip\n"
    "  mechanism  an arm whose end slides on a path\n"
    "  sweep      many cases of a scenario, for bristle sweep\n"
    "  patch      a contact patch, for bristle surface\n"
    "\n"
    "  -o, --output FILE.yaml\n"
    "                    write to this file instead of stdout; never replaces an existing file\n"
    "  --force           replace an existing file\n"
    "  -h, --help        print this\n"
    "\n"
    "example: bristle new gripper -o gripper.yaml && bristle run gripper.yaml -o gripper.csv\n";

static names list_names(void)
{
    const char** list = memory_allocate(NEW_FILE_COUNT + 1, sizeof *list);
    for (size_t i = 0; i < NEW_FILE_COUNT; i++) {
        list[i] = new_files[i].name;
    }
    return list;
}

static const new_file* find(const options* o)
{
    names list = list_names();
    if (o->word_count != 1) {
        message_fail(EXIT_USAGE, "new: takes one of %s; got %zu words", text_join(list),
                     o->word_count);
    }
    return &new_files[text_choose("new:", o->words[0], list)];
}

static void refuse_existing(const options* o)
{
    const bool is_file = o->output && strcmp(o->output, "-") != 0;
    if (is_file && !o->force && system_exists(o->output)) {
        message_fail(EXIT_USAGE, "-o %s: the file exists; --force replaces it", o->output);
    }
}

int new_main(int argc, char** argv)
{
    static const char* const suffixes[] = {".yaml", ".yml", NULL};
    const options o = options_read(argc, argv, OPTION_WORDS | OPTION_OUTPUT | OPTION_FORCE);
    const new_file* chosen = find(&o);
    options_check_output(&o, suffixes);
    refuse_existing(&o);
    output* to = output_open(options_output_name(&o));
    output_write(to, chosen->text, strlen(chosen->text));
    output_commit(to);
    return EXIT_DONE;
}
