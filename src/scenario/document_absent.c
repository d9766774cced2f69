/*
 * A build without libyaml: no texts, only single words and numbers as the values of options.
 */
#include "scenario/node.h"

#include <string.h>

static node* refuse(parse_context* in, const char* origin)
{
    bri_fail_file(in, origin, 0, "this build reads no YAML");
    return NULL;
}

node* bri_document_read(parse_context* in, const char* path)
{
    return refuse(in, path);
}

node* bri_document_read_text(parse_context* in, const char* name, const char* text, size_t length)
{
    (void)text, (void)length;
    return refuse(in, name);
}

node* bri_document_parse_value(parse_context* in, const char* origin, const char* text)
{
    if (strpbrk(text, "[]{},:#&*\"")) {
        bri_fail_file(in, origin, 0,
                      "this build reads no YAML: the value must be a word or a number");
        return NULL;
    }
    node* scalar = bri_node_create(in, NODE_SCALAR, origin, 0, NULL, NULL);
    scalar->text = strcmp(text, "''") == 0 ? "" : bri_format(in, "%s", text);
    return scalar;
}

bool bri_document_is_known(void)
{
    return false;
}
