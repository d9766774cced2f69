/*
 * YAML text into a tree of nodes, with libyaml's events.
 *
 * Aliases are refused: they make small files into huge trees, and a value would have two keys.
 */
#include "document.h"

#include <string.h>
#include <yaml.h>

#include "memory.h"
#include "message.h"
#include "source.h"

enum {
    DEEPEST = 32,
    MOST_KEYS = 1000,      // of one map; looking for doubles compares all of them
    MOST_VALUES = 1000000, // of one file
    LARGEST_FILE = 64 << 20
};

// A parse under way.
typedef struct parse {
    yaml_parser_t parser;
    yaml_event_t event;
    const char* origin;
    const char* text;
    bool has_lines; // false: the text is that of an option
    size_t values;
    size_t key_line; // of the key that was read last
} parse;

static void destroy_parse(void* thing)
{
    parse* p = thing;
    yaml_event_delete(&p->event);
    yaml_parser_delete(&p->parser);
}

_Noreturn static void fail(const parse* p, size_t line, const char* what)
{
    if (p->has_lines) {
        message_fail(EXIT_USAGE, "%s:%zu: %s", p->origin, line + 1, what);
    }
    message_fail(EXIT_USAGE, "%s: %s", p->origin, what);
}

static size_t line_at(const char* text, size_t offset)
{
    size_t line = 0;
    for (size_t i = 0; i < offset; i++) {
        line += text[i] == '\n';
    }
    return line;
}

// Does a tab stand where libyaml stumbled? Its columns count characters, not bytes.
static bool is_tab_at(const parse* p, yaml_mark_t mark)
{
    const char* at = p->text;
    for (size_t line = 0; line < mark.line && at; line++) {
        at = strchr(at, '\n');
        at += at != NULL;
    }
    for (size_t column = 0; at && column < mark.column; column++) {
        at += *at != '\0';
        while (((unsigned char)*at & 0xc0) == 0x80) {
            at++; // the rest of a character of UTF-8
        }
    }
    return at && *at == '\t';
}

// libyaml's own words, but for tabs; its bytes-to-text layer knows no line, only an offset.
_Noreturn static void fail_syntax(const parse* p)
{
    const yaml_parser_t* at = &p->parser;
    const char* problem = at->problem ? at->problem : "unknown problem";
    if (at->error == YAML_MEMORY_ERROR) {
        message_fail(EXIT_COMPUTATION, "%s: out of memory", p->origin);
    }
    if (at->error == YAML_READER_ERROR) {
        fail(p, line_at(p->text, at->problem_offset),
             memory_format("is not UTF-8 text: %s", problem));
    }
    if (at->error == YAML_SCANNER_ERROR && is_tab_at(p, at->problem_mark)) {
        fail(p, at->problem_mark.line, "is not YAML: a tab where only spaces may indent");
    }
    const char* context = "";
    if (at->context) {
        context =
            memory_format("%s that begins in line %zu: ", at->context, at->context_mark.line + 1);
    }
    fail(p, at->problem_mark.line, memory_format("is not YAML: %s%s", context, problem));
}

static yaml_event_type_t next(parse* p)
{
    yaml_event_delete(&p->event);
    if (!yaml_parser_parse(&p->parser, &p->event)) {
        fail_syntax(p);
    }
    if (p->event.type == YAML_ALIAS_EVENT) {
        fail(p, p->event.start_mark.line, "aliases (*name) are not allowed; repeat the value");
    }
    return p->event.type;
}

static size_t line_of(const parse* p)
{
    return p->event.start_mark.line;
}

static void refuse_anchor(const parse* p, const yaml_char_t* anchor)
{
    if (anchor) {
        fail(p, line_of(p), "anchors (&name) are not allowed; repeat the value");
    }
}

// A value's line is that of its key: a map in block style begins a line later.
static node* make(parse* p, node_kind kind, node* parent, const char* key)
{
    if (++p->values > MOST_VALUES) {
        fail(p, line_of(p), "more than 1000000 values; long tables belong into a CSV file");
    }
    const size_t line = key ? p->key_line : line_of(p);
    return node_create(kind, p->origin, p->has_lines ? line + 1 : 0, parent, key);
}

static node* read_value(parse* p, node* parent, const char* key, int depth);

static void read_list(parse* p, node* list, int depth)
{
    while (next(p) != YAML_SEQUENCE_END_EVENT) {
        read_value(p, list, NULL, depth + 1);
    }
}

static const char* read_key(parse* p, const node* map)
{
    if (p->event.type != YAML_SCALAR_EVENT) {
        fail(p, line_of(p), "a key must be a plain word");
    }
    refuse_anchor(p, p->event.data.scalar.anchor);
    const char* key = (const char*)p->event.data.scalar.value;
    if (node_find(map, key)) {
        fail(p, line_of(p), memory_format("%.60s: the key is there twice", key));
    }
    if (map->count == MOST_KEYS) {
        fail(p, line_of(p), "more than 1000 keys in one map");
    }
    p->key_line = line_of(p);
    return memory_format("%s", key);
}

static void read_map(parse* p, node* map, int depth)
{
    while (next(p) != YAML_MAPPING_END_EVENT) {
        const char* key = read_key(p, map);
        next(p);
        read_value(p, map, key, depth + 1);
    }
}

// The value that the current event begins.
static node* read_value(parse* p, node* parent, const char* key, int depth)
{
    if (depth > DEEPEST) {
        fail(p, line_of(p), "nested deeper than 32 levels");
    }
    if (p->event.type == YAML_SEQUENCE_START_EVENT) {
        refuse_anchor(p, p->event.data.sequence_start.anchor);
        node* list = make(p, NODE_LIST, parent, key);
        read_list(p, list, depth);
        return list;
    }
    if (p->event.type == YAML_MAPPING_START_EVENT) {
        refuse_anchor(p, p->event.data.mapping_start.anchor);
        node* map = make(p, NODE_MAP, parent, key);
        read_map(p, map, depth);
        return map;
    }
    refuse_anchor(p, p->event.data.scalar.anchor);
    node* scalar = make(p, NODE_SCALAR, parent, key);
    scalar->text = memory_text((const char*)p->event.data.scalar.value,
                               strlen((const char*)p->event.data.scalar.value));
    return scalar;
}

static node* read_document(parse* p)
{
    next(p); // stream start
    if (next(p) == YAML_STREAM_END_EVENT) {
        message_fail(EXIT_USAGE, "%s: is empty", p->origin);
    }
    next(p); // document start
    node* root = read_value(p, NULL, NULL, 0);
    next(p); // document end
    if (next(p) != YAML_STREAM_END_EVENT) {
        fail(p, line_of(p), "holds more than one YAML document");
    }
    return root;
}

node* document_parse(const char* origin, const char* text, size_t length, bool has_lines)
{
    parse* p = memory_allocate(1, sizeof *p);
    p->origin = origin;
    p->text = text;
    p->has_lines = has_lines;
    if (!yaml_parser_initialize(&p->parser)) {
        message_fail(EXIT_COMPUTATION, "out of memory");
    }
    memory_own(p, destroy_parse);
    yaml_parser_set_input_string(&p->parser, (const unsigned char*)text, length);
    return read_document(p);
}

// The whole text, its lines checked one by one.
static char* read_text(const char* path, size_t* length)
{
    size_t capacity = 1 << 16;
    char* text = memory_allocate(capacity, 1);
    source from = source_open(path);
    for (*length = 0; source_next(&from); *length += from.length + 1) {
        if (*length + from.length >= LARGEST_FILE) {
            source_fail(&from, "the file is larger than %d MiB", LARGEST_FILE >> 20);
        }
        while (*length + from.length + 1 > capacity) {
            capacity *= 2;
            text = memory_grow(text, capacity, 1);
        }
        memcpy(text + *length, from.text, from.length);
        text[*length + from.length] = '\n';
    }
    memory_release(from.text);
    return text;
}

node* document_read(const char* path)
{
    size_t length;
    char* text = read_text(path, &length);
    node* root = document_parse(path, text, length, true);
    if (root->kind == NODE_SCALAR && !*root->text) {
        message_fail(EXIT_USAGE, "%s: is empty", path);
    }
    if (root->kind != NODE_MAP) {
        node_fail(root, "must be a map of keys (key: value); got %s", node_describe(root));
    }
    return root;
}
