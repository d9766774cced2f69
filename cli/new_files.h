/*
 * The texts of the files in the folder new, for bristle new. CMake generates new_files.c.
 */
#ifndef CLI_NEW_FILES_H
#define CLI_NEW_FILES_H

#include <stddef.h>

typedef struct new_file {
    const char* name; // "body"
    const char* text; // of new/body.yaml
} new_file;

enum { NEW_FILE_COUNT = 7 };
extern const new_file new_files[NEW_FILE_COUNT];

#endif
