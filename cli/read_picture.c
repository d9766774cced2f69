/*
 * What --plot draws, from `plot` of a scenario.
 */
#include "read_picture.h"

#include "memory.h"
#include "value.h"

enum { MOST_INSTANTS = 100 };

static picture_kind read_kind(const node* map, picture_kind otherwise)
{
    static const char* const kinds[] = {"time", "scene", "both", NULL};
    const node* kind = node_find(map, "kind");
    return kind ? (picture_kind)(PICTURE_TIME + value_choice(kind, kinds)) : otherwise;
}

static names keys_of(picture_kind kind, bool magnifies)
{
    static const char* const plain[] = {"title", NULL};
    static const char* const scene[] = {"title", "kind", "instants", NULL};
    static const char* const magnified[] = {"title", "kind", "instants", "magnify", NULL};
    return kind == PICTURE_PLAIN ? plain : magnifies ? magnified : scene;
}

picture_input read_picture(const node* root, picture_kind otherwise, bool magnifies,
                           const char* what)
{
    const char* name = memory_format("%s: %s", text_stem(node_file(root)), what);
    picture_input got = {.title = name, .kind = otherwise};
    const node* map = node_find(root, "plot");
    if (!map) {
        return got;
    }
    node_expect_keys(map, keys_of(otherwise, magnifies));
    const node* title = node_find(map, "title");
    const node* instants = node_find(map, "instants");
    got.title = title ? value_text(title) : name;
    got.kind = read_kind(map, otherwise);
    got.instants = instants ? value_count(instants, 1, MOST_INSTANTS) : 0;
    got.magnify = value_optional(map, "magnify", RANGE_POSITIVE, 0);
    return got;
}
