/*
 * Files that a YAML file names.
 */
#include "read_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "source.h"
#include "value.h"

const char* read_file_name(const node* value)
{
    const char* name = value_text(value);
    const char* path = source_beside(node_file(value), name);
    if (access(path, R_OK) != 0) {
        node_fail(value, "cannot read %s: %s", path, strerror(errno));
    }
    return path;
}
