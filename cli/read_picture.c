/*
 * What --plot draws, from `plot` of a scenario.
 */
#include "read_picture.h"

#include "memory.h"
#include "value.h"

enum { MOST_INSTANTS = 100 };

static picture_kind read_kind(const node* map, picture_kind otherwise)
{
    static const char* const kinds[] = {"time", "scene", NULL};
    const node* kind = node_find(map, "kind");
    return kind ? (picture_kind)(PICTURE_TIME + value_choice(kind, kinds)) : otherwise;
}

static void read_map(const node* map, picture_input* got)
{
    static const char* const any[] = {"title", NULL};
    static const char* const scene[] = {"title", "kind", "instants", NULL};
    const bool has_scene = got->kind != PICTURE_PLAIN;
    node_expect_keys(map, has_scene ? scene : any);
    const node* title = node_find(map, "title");
    got->title = title ? value_text(title) : got->title;
    if (has_scene) {
        const node* instants = node_find(map, "instants");
        got->kind = read_kind(map, got->kind);
        got->instants = instants ? value_count(instants, 1, MOST_INSTANTS) : 0;
    }
}

picture_input read_picture(const node* root, picture_kind otherwise, const char* what)
{
    const char* title = memory_format("%s: %s", text_stem(node_file(root)), what);
    picture_input got = {.title = title, .kind = otherwise};
    const node* map = node_find(root, "plot");
    if (map) {
        read_map(map, &got);
    }
    return got;
}
