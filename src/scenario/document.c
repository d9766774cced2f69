/*
 * YAML text into a tree of nodes, with libyaml's events.
 *
 * Aliases are refused: they make small files into huge trees, and a value would have two keys.
 */
#include "scenario/node.h"

#include <string.h>
#include <yaml.h>

#include "scenario/source.h"

enum {
    DEEPEST = 32,
    MOST_KEYS = 1000,      // of one map; the search for duplicates compares all of them
    MOST_VALUES = 1000000, // of one file
    LARGEST_FILE = 64 << 20
};

// The state of a parse.
typedef struct parse {
    parse_context* in;
    yaml_parser_t parser;
    yaml_event_t event;
    const char* origin;
    const char* text;
    bool has_lines; // false: the text is that of an option
    size_t values;
    yaml_mark_t key; // position of the key that was read last
    bool is_broken;  // an error was noted: there is nothing more to read
} parse;

static void destroy_parse(void* thing)
{
    parse* p = thing;
    yaml_event_delete(&p->event);
    yaml_parser_delete(&p->parser);
}

static void fail(parse* p, size_t line, const char* what)
{
    if (!p->is_broken) {
        bri_fail_file(p->in, p->origin, p->has_lines ? line + 1 : 0, "%s", what);
    }
    p->is_broken = true;
}

static size_t line_at(const char* text, size_t offset)
{
    size_t line = 0;
    for (size_t i = 0; i < offset; i++) {
        line += text[i] == '\n';
    }
    return line;
}

// Is there a tab where libyaml found an error? Its columns count characters, not bytes.
static bool is_tab_at(const parse* p, yaml_mark_t mark)
{
    const char* at = p->text;
    for (size_t line = 0; line < mark.line && at; line++) {
        const char* end = strchr(at, '\n');
        at = end ? end + 1 : NULL;
    }
    if (!at) {
        return false;
    }
    for (size_t column = 0; column < mark.column; column++) {
        at += *at != '\0';
        while (((unsigned char)*at & 0xc0) == 0x80) {
            at++; // the rest of a character of UTF-8
        }
    }
    return *at == '\t';
}

// The message of libyaml, except for tabs; its layer from bytes to text has no line, only an offset.
static void fail_syntax(parse* p)
{
    const yaml_parser_t* at = &p->parser;
    const char* problem = at->problem ? at->problem : "unknown problem";
    if (at->error == YAML_MEMORY_ERROR) {
        bri_no_memory(p->in);
    }
    if (at->error == YAML_READER_ERROR) {
        fail(p, line_at(p->text, at->problem_offset),
             bri_format(p->in, "is not UTF-8 text: %s", problem));
    }
    if (at->error == YAML_SCANNER_ERROR && is_tab_at(p, at->problem_mark)) {
        fail(p, at->problem_mark.line, "is not YAML: a tab where only spaces may indent");
    }
    const char* context = "";
    if (at->context) {
        context = bri_format(p->in, "%s that starts in line %zu: ", at->context,
                             at->context_mark.line + 1);
    }
    fail(p, at->problem_mark.line, bri_format(p->in, "is not YAML: %s%s", context, problem));
}

// The next event, which is none after an error.
static yaml_event_type_t next(parse* p)
{
    yaml_event_delete(&p->event);
    if (p->is_broken) {
        return YAML_NO_EVENT;
    }
    if (!yaml_parser_parse(&p->parser, &p->event)) {
        fail_syntax(p);
    }
    if (p->event.type == YAML_ALIAS_EVENT) {
        fail(p, p->event.start_mark.line, "aliases (*name) are not allowed; repeat the value");
    }
    return p->is_broken ? YAML_NO_EVENT : p->event.type;
}

static size_t line_of(const parse* p)
{
    return p->event.start_mark.line;
}

static void refuse_anchor(parse* p, const yaml_char_t* anchor)
{
    if (anchor) {
        fail(p, line_of(p), "anchors (&name) are not allowed; repeat the value");
    }
}

// A value's line is that of its key: a map in block style starts a line later.
static node* create(parse* p, node_kind kind, node* parent, const char* key)
{
    if (++p->values > MOST_VALUES) {
        fail(p, line_of(p), "more than 1000000 values; long tables belong into a CSV file");
    }
    const yaml_mark_t at = key ? p->key : p->event.start_mark;
    node* fresh =
        bri_node_create(p->in, kind, p->origin, p->has_lines ? at.line + 1 : 0, parent, key);
    fresh->column = p->has_lines ? at.column + 1 : 0;
    return fresh;
}

static node* read_value(parse* p, node* parent, const char* key, int depth);

// A key; NULL where it cannot be one.
static const char* read_key(parse* p, const node* map)
{
    if (p->event.type != YAML_SCALAR_EVENT) {
        fail(p, line_of(p), "a key must be a plain word");
        return NULL;
    }
    refuse_anchor(p, p->event.data.scalar.anchor);
    const char* key = (const char*)p->event.data.scalar.value;
    if (bri_node_find(map, key)) {
        fail(p, line_of(p), bri_format(p->in, "%.60s: the key is there twice", key));
    }
    if (map->count == MOST_KEYS) {
        fail(p, line_of(p), "more than 1000 keys in one map");
    }
    p->key = p->event.start_mark;
    return bri_format(p->in, "%s", key);
}

static void read_map(parse* p, node* map, int depth)
{
    while (next(p) != YAML_MAPPING_END_EVENT && !p->is_broken) {
        const char* key = read_key(p, map);
        if (next(p) != YAML_NO_EVENT) {
            read_value(p, map, key, depth + 1);
        }
    }
}

// The value that starts with the current event.
static node* read_value(parse* p, node* parent, const char* key, int depth)
{
    if (depth > DEEPEST) {
        fail(p, line_of(p), "nested deeper than 32 levels");
        return NULL;
    }
    if (p->event.type == YAML_SEQUENCE_START_EVENT) {
        refuse_anchor(p, p->event.data.sequence_start.anchor);
        node* list = create(p, NODE_LIST, parent, key);
        while (next(p) != YAML_SEQUENCE_END_EVENT && !p->is_broken) {
            read_value(p, list, NULL, depth + 1);
        }
        return list;
    }
    if (p->event.type == YAML_MAPPING_START_EVENT) {
        refuse_anchor(p, p->event.data.mapping_start.anchor);
        node* map = create(p, NODE_MAP, parent, key);
        read_map(p, map, depth);
        return map;
    }
    refuse_anchor(p, p->event.data.scalar.anchor);
    node* scalar = create(p, NODE_SCALAR, parent, key);
    scalar->text = bri_format(p->in, "%s", (const char*)p->event.data.scalar.value);
    scalar->reads_number = bri_text_number(scalar->text, &scalar->number) == NUMBER_GOOD;
    return scalar;
}

static node* read_document(parse* p)
{
    next(p); // stream start
    if (next(p) == YAML_STREAM_END_EVENT) {
        bri_fail_file(p->in, p->origin, 0, "is empty");
        return NULL;
    }
    node* root = next(p) == YAML_NO_EVENT ? NULL : read_value(p, NULL, NULL, 0);
    next(p); // document end
    if (next(p) != YAML_STREAM_END_EVENT && !p->is_broken) {
        fail(p, line_of(p), "holds more than one YAML document");
    }
    return p->is_broken ? NULL : root;
}

static node* parse_text(parse_context* in, const char* origin, const char* text, size_t length,
                        bool has_lines)
{
    parse* p = bri_allocate(in, 1, sizeof *p);
    p->in = in;
    p->origin = bri_format(in, "%s", origin);
    p->text = text;
    p->has_lines = has_lines;
    if (!yaml_parser_initialize(&p->parser)) {
        bri_no_memory(in);
    }
    void* held = bri_pool_own(&in->memory, p, destroy_parse);
    yaml_parser_set_input_string(&p->parser, (const unsigned char*)text, length);
    node* root = read_document(p);
    bri_pool_end(&in->memory, held);
    bri_pool_release(&in->memory, p);
    return root;
}

node* bri_document_parse_value(parse_context* in, const char* origin, const char* text)
{
    return parse_text(in, origin, text, strlen(text), false);
}

// The whole text, its lines checked one by one; NULL where it cannot be.
static char* read_text(parse_context* in, const char* path, size_t* length)
{
    size_t capacity = 1 << 16;
    char* text = bri_allocate(in, capacity, 1);
    source from = bri_source_open(in, path);
    for (*length = 0; bri_source_next(&from); *length += from.length + 1) {
        if (*length + from.length >= LARGEST_FILE) {
            bri_source_fail(&from, "the file is larger than %d MiB", LARGEST_FILE >> 20);
            break;
        }
        while (*length + from.length + 1 > capacity) {
            capacity *= 2;
            text = bri_pool_grow(&in->memory, text, capacity, 1);
        }
        memcpy(text + *length, from.text, from.length);
        text[*length + from.length] = '\n';
    }
    const bool is_broken = from.is_broken;
    bri_source_close(&from);
    return is_broken ? NULL : text;
}

node* bri_document_read_text(parse_context* in, const char* name, const char* text, size_t length)
{
    node* root = parse_text(in, name, text, length, true);
    if (root && root->kind == NODE_SCALAR && !*root->text) {
        bri_fail_file(in, name, 0, "is empty");
        return NULL;
    }
    if (root && root->kind != NODE_MAP) {
        bri_node_fail(root, "must be a map of keys (key: value); got %s", bri_node_describe(root));
        return NULL;
    }
    return root;
}

node* bri_document_read(parse_context* in, const char* path)
{
    size_t length;
    char* text = read_text(in, path, &length);
    node* root = text ? bri_document_read_text(in, path, text, length) : NULL;
    bri_pool_release(&in->memory, text);
    return root;
}

bool bri_document_is_known(void)
{
    return true;
}
