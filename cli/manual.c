/*
 * The manual page: the help texts as roff.
 *
 * The indent of a line shows what it is:
 *
 *   usage: ...            with the lines up to the next empty one: a synopsis, kept as it is
 *   text at the margin    a paragraph, filled
 *     -o, --option X  ...   an option; lines indented far to the right continue its text
 *     anything else       kept as it is: keys, examples
 */
#include "manual.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bristle/base.h"

static const char usage_mark[] = "usage: ";

// An option's text starts further right than this.
enum { OPTION_TEXT_INDENT = 16 };

typedef enum line_kind {
    LINE_EMPTY,
    LINE_KEPT,
    LINE_FILLED,
    LINE_OPTION,
    LINE_OPTION_TEXT
} line_kind;

// A line of the help, without the newline.
typedef struct line {
    const char* text;
    size_t length;
    size_t indent;
} line;

static line line_at(const char* text)
{
    line l = {text, strcspn(text, "\n"), strspn(text, " ")};
    return l;
}

static line without(line l, size_t count)
{
    return (line){l.text + count, l.length - count, 0};
}

// The escape sequence of a character that is special in roff; NULL: none.
static const char* escaped(char c)
{
    switch (c) {
    case '\\':
        return "\\e";
    case '-':
        return "\\-";
    case '\'':
        return "\\(aq";
    case '`':
        return "\\(ga";
    case '^':
        return "\\(ha";
    case '~':
        return "\\(ti";
    default:
        return NULL;
    }
}

static void write_escaped(const char* text, size_t length)
{
    if (length > 0 && text[0] == '.') {
        printf("\\&"); // a line that starts with a dot would be a roff request
    }
    for (size_t i = 0; i < length; i++) {
        const char* special = escaped(text[i]);
        if (special) {
            printf("%s", special);
        } else {
            putchar(text[i]);
        }
    }
}

static void write_line(line l)
{
    write_escaped(l.text, l.length);
    putchar('\n');
}

// "--plot FILE       draw it": a tag in bold, and its text
static void write_option(line l)
{
    const char* gap = strstr(l.text, "  ");
    const size_t tag = gap && gap < l.text + l.length ? (size_t)(gap - l.text) : l.length;
    printf(".TP\n\\fB");
    write_escaped(l.text, tag);
    printf("\\fR\n");
    const line rest = without(l, tag);
    if (rest.length > 0) {
        write_line(without(rest, strspn(rest.text, " ")));
    }
}

static line_kind classify(line l, line_kind before, bool in_usage)
{
    const bool in_option = before == LINE_OPTION || before == LINE_OPTION_TEXT;
    if (l.length == 0) {
        return LINE_EMPTY;
    }
    if (in_usage) {
        return LINE_KEPT;
    }
    if (l.indent == 0) {
        return LINE_FILLED;
    }
    if (l.indent == 2 && l.text[2] == '-') {
        return LINE_OPTION;
    }
    return in_option && l.indent > OPTION_TEXT_INDENT ? LINE_OPTION_TEXT : LINE_KEPT;
}

// Write the roff requests between lines of two kinds.
static void change(line_kind from, line_kind to)
{
    if (from == LINE_KEPT && to != LINE_KEPT) {
        printf(".EE\n");
    }
    if ((to == LINE_KEPT || to == LINE_FILLED) && from != to) {
        printf(".PP\n");
    }
    if (to == LINE_KEPT && from != LINE_KEPT) {
        printf(".EX\n");
    }
}

static void write_kind(line l, line_kind kind, bool in_usage)
{
    const size_t mark = sizeof usage_mark - 1;
    if (kind == LINE_OPTION) {
        write_option(without(l, l.indent));
    } else if (kind == LINE_OPTION_TEXT) {
        write_line(without(l, l.indent));
    } else if (kind != LINE_EMPTY) {
        write_line(in_usage ? without(l, mark) : l);
    }
}

void manual_text(const char* text)
{
    line_kind before = LINE_EMPTY;
    bool in_usage = strncmp(text, usage_mark, sizeof usage_mark - 1) == 0;
    while (*text) {
        const line l = line_at(text);
        const line_kind kind = classify(l, before, in_usage);
        in_usage = in_usage && kind != LINE_EMPTY;
        change(before, kind);
        write_kind(l, kind, in_usage);
        before = kind;
        text += l.length + (text[l.length] == '\n');
    }
    change(before, LINE_EMPTY);
}

void manual_section(const char* title)
{
    printf(".SH ");
    for (; *title; title++) {
        putchar(toupper((unsigned char)*title));
    }
    putchar('\n');
}

void manual_start(void)
{
    printf(".TH BRISTLE 1 \"\" \"bristle %s\" \"User commands\"\n", br_get_version());
    printf(".nr HY 0\n.ad l\n"); // no hyphenation: words may be keys, which readers copy
    printf(
        ".SH NAME\nbristle \\- dry friction between surfaces that slide and spin on each other\n");
}
