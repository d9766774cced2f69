/*
 * Files that a YAML file names.
 */
#include "scenario/read_file.h"

#include "scenario/source.h"
#include "scenario/stream.h"
#include "scenario/value.h"

const char* bri_read_file_name(const node* value)
{
    const char* name = bri_value_text(value);
    if (!*name) {
        return NULL;
    }
    const char* path = bri_source_beside(value->in, bri_node_file(value), name);
    const char* why;
    if (!bri_stream_is_readable(path, &why)) {
        bri_node_fail(value, "cannot read %s: %s", path, why);
        return NULL;
    }
    return path;
}
