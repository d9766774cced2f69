/*
 * Older words of scenario files, and text in which they are replaced.
 */
#include "scenario/kind.h"

#include <ctype.h>
#include <string.h>

// Functions of formulas: older and newer names, in pairs.
static const char* const functions[] = {"least", "min", "most", "max", NULL};

bool bri_rename(node* value, const char* newer)
{
    node* other = bri_node_find(value->parent, newer);
    if (other && other->line > 0 && value->line > 0) {
        bri_node_fail(value, "is the older name of %s, which is given, too", newer);
        value->is_unknown = true; // already reported
        return true;
    }
    if (value->line > 0) {
        bri_note_edit(value->in, (text_edit){value->line, value->column, value->key, newer, false});
    }
    value->key = newer;
    if (other) {
        bri_node_leave_out(value->parent, value->line > 0 ? value : other);
    }
    return !other || value->line == 0;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Does a call of the function `name` start at `at`, in the text from `start` on?
static bool is_call(const char* start, const char* at, const char* name)
{
    const size_t length = strlen(name);
    return (at == start || !is_letter(at[-1])) && strncmp(at, name, length) == 0 &&
           at[length + strspn(at + length, " ")] == '(';
}

void bri_rename_functions(const node* formula)
{
    for (const char* at = formula->text; formula->line > 0 && *at; at++) {
        for (names pair = functions; *pair; pair += 2) {
            if (is_call(formula->text, at, pair[0])) {
                bri_note_edit(formula->in,
                              (text_edit){formula->line, formula->column, pair[0], pair[1], true});
            }
        }
    }
}

// --- text -----------------------------------------------------------------------------------------

// The character at a line and a column, both from 1; columns count characters of UTF-8.
static const char* find_position(const char* text, size_t line, size_t column)
{
    for (; line > 1 && *text; text++) {
        line -= *text == '\n';
    }
    for (; column > 1 && *text; column--) {
        text++;
        while (((unsigned char)*text & 0xc0) == 0x80) {
            text++;
        }
    }
    return text;
}

// The word of an edit at `at` or behind it, outside of comments; a key may be quoted.
static const char* find_word(const char* text, const char* at, const text_edit* edit)
{
    if (!edit->is_function) {
        return at + (*at == '"' || *at == '\'');
    }
    while (*at && !is_call(text, at, edit->older)) {
        const bool is_comment = *at == '#' && at > text && isspace((unsigned char)at[-1]);
        at += is_comment ? strcspn(at, "\n") : 1;
    }
    return at;
}

// A text to be upgraded, and the context in which it was read.
typedef struct old_text {
    const char* text;
    const parse_context* in;
} old_text;

static void write_upgraded(writer* to, const void* user)
{
    const old_text* old = user;
    const char* done = old->text;
    for (size_t i = 0; i < old->in->edit_count; i++) {
        const text_edit* edit = &old->in->edits[i];
        const char* from = find_position(old->text, edit->line, edit->column);
        const char* word = find_word(old->text, from > done ? from : done, edit);
        if (strncmp(word, edit->older, strlen(edit->older)) == 0) {
            bri_write(to, "%.*s%s", (int)(word - done), done, edit->newer);
            done = word + strlen(edit->older);
        }
    }
    bri_write(to, "%s", done);
}

br_status br_scenario_upgrade(const br_scenario* scenario, const char* text, char** out)
{
    *out = bri_write_text(write_upgraded, &(old_text){text, &scenario->in});
    return *out ? BR_OK : BR_ERR_MEMORY;
}
