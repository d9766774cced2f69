/*
 * What --plot draws, from `plot` of a scenario.
 */
#include "scenario/read_picture.h"

#include "scenario/value.h"

enum { MOST_INSTANTS = 100 };

static picture_kind read_kind(const node* map, picture_kind otherwise)
{
    static const char* const kinds[] = {"time", "scene", "both", NULL};
    const node* kind = bri_node_find(map, "kind");
    return kind ? (picture_kind)(PICTURE_TIME + bri_value_choice(kind, kinds)) : otherwise;
}

static names keys_of(picture_kind kind, bool magnifies)
{
    static const char* const plain[] = {"title", NULL};
    static const char* const scene[] = {"title", "kind", "instants", NULL};
    static const char* const magnified[] = {"title", "kind", "instants", "magnify", NULL};
    return kind == PICTURE_PLAIN ? plain : magnifies ? magnified : scene;
}

picture_input bri_read_picture(const node* root, picture_kind otherwise, bool magnifies,
                               const char* what)
{
    const char* name =
        bri_format(root->in, "%s: %s", bri_text_stem(&root->in->memory, bri_node_file(root)), what);
    picture_input got = {.title = name, .kind = otherwise};
    const node* map = bri_node_find(root, "plot");
    if (!map) {
        return got;
    }
    bri_node_expect_keys(map, keys_of(otherwise, magnifies));
    const node* title = bri_node_find(map, "title");
    const node* instants = bri_node_find(map, "instants");
    got.title = title ? bri_value_text(title) : name;
    got.kind = read_kind(map, otherwise);
    got.instants = instants ? bri_value_count(instants, 1, MOST_INSTANTS) : 0;
    got.magnify = bri_value_optional(map, "magnify", RANGE_POSITIVE, 0);
    return got;
}
