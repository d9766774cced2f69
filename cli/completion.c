/*
 * Shell completion, generated from the help texts.
 *
 * As in manual.c, the layout of the help shows what each line is:
 *
 *   usage: bristle run SCENARIO.yaml ...    the first word is the argument
 *   usage: bristle fit law|contact X.csv    lower-case words: one of them comes first
 *     -o, --output OUT  write the table     an option, its value, its description
 *     --print h         ...                 lower case: a literal value; so are a|b|c
 *     --print v         ...                 a second value
 *
 * Values and arguments: X.yaml, X.csv: files with that suffix; OUT, FILE: any file; DIR: a folder;
 * NAME, GLOB: the first words of the lines of `bristle COMMAND --list`; others are not completed.
 */
#include "completion.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bristle/base.h"
#include "bristle/scenario.h"
#include "memory.h"
#include "message.h"
#include "text.h"

enum { MOST_OPTIONS = 64 };

typedef struct help_option {
    char letter;       // 0: none
    const char* name;  // "--output"
    const char* value; // "OUT", "h|v"; "": none
    const char* text;  // short description
    bool may_repeat;
} help_option;

// The parsed help of a command.
typedef struct command_help {
    const char* kinds; // "law|contact": one of them comes first; "": none
    const char* takes; // "SCENARIO.yaml", "NAME"; "": nothing
    help_option options[MOST_OPTIONS];
    size_t count;
} command_help;

// --- reading the help -----------------------------------------------------------------------------

static char* first_word(const char* text, const char* ends)
{
    return memory_text(text, strcspn(text, ends));
}

static const char* skip_word(const char* at)
{
    at += strcspn(at, " \n");
    return at + (*at == ' ');
}

// "SCENARIO.yaml [-o OUT]": its first word, unless that is an option
static const char* read_takes(const char* at)
{
    if (!isupper((unsigned char)*at)) {
        return "";
    }
    char* word = first_word(at, " \n|");
    char* dots = strstr(word, "..."); // one or more of them
    if (dots) {
        *dots = '\0';
    }
    return word;
}

// "usage: bristle fit law|contact DATA.csv": the words after the command's name
static void read_usage(command_help* h, const char* help)
{
    const char* at = skip_word(skip_word(skip_word(help)));
    h->kinds = "";
    if (islower((unsigned char)*at)) {
        h->kinds = first_word(at, " \n");
        at = skip_word(at);
    }
    h->takes = read_takes(at);
}

static help_option* find_option(command_help* h, const char* name)
{
    for (size_t i = 0; i < h->count; i++) {
        if (strcmp(h->options[i].name, name) == 0) {
            return &h->options[i];
        }
    }
    return NULL;
}

// The description of an option from `at` on, in one line; further lines are indented far to the right.
static char* read_text(const char* at)
{
    enum { INDENT = 17 };
    char* text = first_word(at + strspn(at, " "), "\n");
    for (at += strcspn(at, "\n"); *at && strspn(at + 1, " ") >= INDENT;) {
        at += 1 + strspn(at + 1, " ");
        const char* line = first_word(at, "\n");
        text = memory_format("%s %s", text, line);
        at += strlen(line);
    }
    return text;
}

// Up to the first colon or semicolon.
static char* first_clause(const char* text)
{
    size_t length = 0;
    while (text[length] && (!strchr(";:", text[length]) || !strchr(" ", text[length + 1]))) {
        length++;
    }
    return memory_text(text, length);
}

// Behind the indent: "-o, --output OUT  text"
static void read_option(command_help* h, const char* line)
{
    help_option fresh = {.value = ""};
    if (line[1] != '-') {
        fresh.letter = line[1];
        line += strlen("-o, ");
    }
    fresh.name = first_word(line, " \n");
    line += strlen(fresh.name);
    if (line[0] == ' ' && line[1] != ' ') {
        fresh.value = first_word(line + 1, " \n");
        line += 1 + strlen(fresh.value);
    }
    const char* text = read_text(line);
    text += strspn(text, " "); // the text is on the line below the option
    fresh.text = first_clause(text);
    fresh.may_repeat = strstr(text, "may be repeated") != NULL;
    help_option* known = find_option(h, fresh.name);
    if (known && strcmp(known->value, fresh.value) == 0) {
        return; // another kind of this command has the same option
    }
    if (known) {
        known->value = memory_format("%s|%s", known->value, fresh.value);
        known->text = ""; // the description was that of the first value only
    } else if (h->count < MOST_OPTIONS) {
        h->options[h->count++] = fresh;
    }
}

static command_help* read_help(const char* help)
{
    command_help* h = memory_allocate(1, sizeof *h);
    read_usage(h, help);
    for (const char* line = help; *line; line += *line == '\n') {
        if (strncmp(line, "  -", 3) == 0) {
            read_option(h, line + 2);
        }
        line += strcspn(line, "\n");
    }
    return h;
}

// --- kinds of values ------------------------------------------------------------------------------

typedef enum value_kind {
    VALUE_OTHER,
    VALUE_WORDS,
    VALUE_FILE,
    VALUE_FOLDER,
    VALUE_LISTED
} value_kind;

static value_kind kind_of(const char* value)
{
    static const char* const files[] = {"OUT", "FILE", NULL};
    static const char* const listed[] = {"NAME", "GLOB", NULL};
    if (islower((unsigned char)*value)) {
        return VALUE_WORDS;
    }
    if (strchr(value, '.') || br_text_find(value, files) >= 0) {
        return VALUE_FILE;
    }
    if (strcmp(value, "DIR") == 0) {
        return VALUE_FOLDER;
    }
    return br_text_find(value, listed) >= 0 ? VALUE_LISTED : VALUE_OTHER;
}

// "*.yaml", or "*"
static const char* pattern_of(const char* value)
{
    const char* point = strchr(value, '.');
    return point ? memory_format("*%s", point) : "*";
}

// "h v" of "h|v"
static const char* words_of(const char* value)
{
    char* words = memory_format("%s", value);
    for (char* c = words; *c; c++) {
        *c = *c == '|' ? ' ' : *c;
    }
    return words;
}

// --- bash -----------------------------------------------------------------------------------------

static void put_bash_value(const char* name, const char* value)
{
    switch (kind_of(value)) {
    case VALUE_WORDS:
        printf("words='%s'", words_of(value));
        break;
    case VALUE_FILE:
        printf("files='%s'", pattern_of(value));
        break;
    case VALUE_FOLDER:
        printf("folders=1");
        break;
    case VALUE_LISTED:
        printf("words=$(bristle %s --list 2>/dev/null | cut -d ' ' -f 1)", name);
        break;
    default:
        printf("return");
    }
}

static void put_bash_command(const char* name, const command_help* h)
{
    for (size_t i = 0; i < h->count; i++) {
        const help_option* o = &h->options[i];
        if (*o->value) {
            printf("    '%s %s'", name, o->name);
            if (o->letter) {
                printf(" | '%s -%c'", name, o->letter);
            }
            printf(") ");
            put_bash_value(name, o->value);
            printf(" ;;\n");
        }
    }
}

// Completion of a word that is not the value of an option.
static void put_bash_words(const char* name, const command_help* h)
{
    printf("    '%s -'*) words='", name);
    for (size_t i = 0; i < h->count; i++) {
        const help_option* o = &h->options[i];
        printf("%s%s", i ? " " : "", o->name);
        if (o->letter) {
            printf(" -%c", o->letter);
        }
    }
    printf("' ;;\n    '%s '*) ", name);
    if (*h->kinds) {
        printf("if [ \"$COMP_CWORD\" -eq 2 ]; then ");
        put_bash_value(name, h->kinds);
        printf("; else ");
    }
    put_bash_value(name, h->takes);
    printf("%s ;;\n", *h->kinds ? "; fi" : "");
}

names completion_topics(bool all)
{
    char* text;
    if (br_scenario_create_topics(all, &text) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "out of memory");
    }
    memory_own(text, br_release);
    const char** list = memory_allocate(1, sizeof *list);
    size_t count = 0;
    for (char* line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        list = memory_grow(list, count + 2, sizeof *list);
        list[count++] = line;
    }
    return list;
}

void completion_write_bash(const command* commands, size_t count)
{
    printf("# bash completion for bristle %s, written by: bristle help --bash\n"
           "_bristle() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    local command=${COMP_WORDS[1]} words= files= folders= IFS=$'\\n'\n"
           "    local commands='help",
           br_get_version());
    for (size_t i = 0; i < count; i++) {
        printf(" %s", commands[i].name);
    }
    printf("'\n"
           "    [ \"$COMP_CWORD\" -gt 1 ] || command=\n"
           "    case \"$command $before\" in\n");
    for (size_t i = 0; i < count; i++) {
        put_bash_command(commands[i].name, read_help(commands[i].help));
    }
    printf("    *) case \"$command $word\" in\n"
           "    ' '*) words=\"$commands --help --version\" ;;\n"
           "    'help '*) words=\"$commands topics");
    for (names topic = completion_topics(false); *topic; topic++) {
        printf(" %s", *topic);
    }
    printf("\" ;;\n");
    for (size_t i = 0; i < count; i++) {
        put_bash_words(commands[i].name, read_help(commands[i].help));
    }
    printf(
        "    esac ;;\n"
        "    esac\n"
        "    [ -z \"$words\" ] || COMPREPLY=($(IFS=$' \\n'; compgen -W \"$words\" -- \"$word\"))\n"
        "    [ -z \"$files\" ] || COMPREPLY=($(compgen -f -X \"!$files\" -- \"$word\"))\n"
        "    [ -z \"$files$folders\" ] || COMPREPLY+=($(compgen -d -- \"$word\"))\n"
        "}\n"
        "complete -o filenames -F _bristle bristle\n");
}

// --- zsh ------------------------------------------------------------------------------------------

// Escape a text for '...' and [...] of _arguments.
static void put_zsh_text(const char* text)
{
    for (; *text; text++) {
        if (*text == '\'') {
            printf("'\\''");
        } else if (strchr("[]:\\", *text)) {
            printf("\\%c", *text);
        } else {
            putchar(*text);
        }
    }
}

// ":MESSAGE:ACTION" of a value
static void put_zsh_value(const char* name, const char* value)
{
    putchar(':');
    put_zsh_text(value);
    putchar(':');
    switch (kind_of(value)) {
    case VALUE_WORDS:
        printf("(%s)", words_of(value));
        break;
    case VALUE_FILE:
        printf("_files -g \"%s\"", pattern_of(value));
        break;
    case VALUE_FOLDER:
        printf("_files -/");
        break;
    case VALUE_LISTED:
        printf("($(bristle %s --list 2>/dev/null | cut -d \" \" -f 1))", name);
        break;
    default:
        putchar(' ');
    }
}

static void put_zsh_option(const char* name, const help_option* o)
{
    printf(" \\\n        ");
    if (o->letter) {
        printf("'(-%c %s)'{-%c,%s}'", o->letter, o->name, o->letter, o->name);
    } else {
        printf("'%s%s", o->may_repeat ? "*" : "", o->name);
    }
    if (*o->text) {
        putchar('[');
        put_zsh_text(o->text);
        putchar(']');
    }
    if (*o->value) {
        put_zsh_value(name, o->value);
    }
    putchar('\'');
}

static void put_zsh_command(const command* c)
{
    const command_help* h = read_help(c->help);
    printf("%s)\n    _arguments -s", c->name);
    for (size_t i = 0; i < h->count; i++) {
        put_zsh_option(c->name, &h->options[i]);
    }
    if (*h->kinds) {
        printf(" \\\n        '1");
        put_zsh_value(c->name, h->kinds);
        putchar('\'');
    }
    if (*h->takes) {
        printf(" \\\n        '*");
        put_zsh_value(c->name, h->takes);
        putchar('\'');
    }
    printf("\n    ;;\n");
}

void completion_write_zsh(const command* commands, size_t count)
{
    printf("#compdef bristle\n"
           "# zsh completion for bristle %s, written by: bristle help --zsh\n"
           "local -a commands\n"
           "commands=(\n    'help:explain a command'\n",
           br_get_version());
    for (size_t i = 0; i < count; i++) {
        printf("    '%s:", commands[i].name);
        put_zsh_text(commands[i].summary);
        printf("'\n");
    }
    printf(")\n"
           "if (( CURRENT == 2 )); then\n"
           "    _describe command commands\n"
           "    return\n"
           "fi\n"
           "shift words\n"
           "(( CURRENT-- ))\n"
           "case $words[1] in\n"
           "help) _describe command commands; compadd topics");
    for (names topic = completion_topics(false); *topic; topic++) {
        printf(" %s", *topic);
    }
    printf(" ;;\n");
    for (size_t i = 0; i < count; i++) {
        put_zsh_command(&commands[i]);
    }
    printf("esac\n");
}
