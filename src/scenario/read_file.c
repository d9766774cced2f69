/*
 * Files that a YAML file names.
 */
#include "scenario/read_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "scenario/source.h"
#include "scenario/value.h"

const char* bri_read_file_name(const node* value)
{
    const char* name = bri_value_text(value);
    if (!*name) {
        return NULL;
    }
    const char* path = bri_source_beside(value->in, bri_node_file(value), name);
    if (access(path, R_OK) != 0) {
        bri_node_fail(value, "cannot read %s: %s", path, strerror(errno));
        return NULL;
    }
    return path;
}
