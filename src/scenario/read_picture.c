/*
 * What --plot draws, from `plot` of a scenario.
 */
#include "scenario/read_picture.h"

#include "scenario/mappings.h"

enum { MOST_INSTANTS = 100 };

#define TITLE_KEY                                                                                  \
    KEY("title", TEXT, "", IN_ANY, "the file's name and what runs", "of the picture", BY_HAND)
#define SCENE_KEYS                                                                                 \
    KEY("kind", WORD, "", IN_ANY, "time; sliders, mechanisms: both",                               \
        "columns over time, what moves at some instants, or both; --animate draws the scene",      \
        BY_HAND, WORDS("time", "scene", "both")),                                                  \
        KEY("instants", COUNT, "", IN(1, MOST_INSTANTS), "6; sliders: by the way",                 \
            "how many a scene shows", BY_HAND)

static const map_key plain_keys[] = {TITLE_KEY};
const mapping bri_keys_plot = MAPPING("plot", plain_keys);
static const map_key scene_keys[] = {TITLE_KEY, SCENE_KEYS};
const mapping bri_keys_plot_scene = MAPPING("plot of a scene", scene_keys);
static const map_key magnified_keys[] = {
    TITLE_KEY, SCENE_KEYS,
    KEY("magnify", NUMBER, "-", IN_POSITIVE, "1; a motion too small to be seen: so that it is seen",
        "how much larger a motion is drawn than it is", BY_HAND)};
const mapping bri_keys_plot_magnified = MAPPING("plot of a magnified scene", magnified_keys);

static picture_kind read_kind(const node* map, picture_kind otherwise)
{
    static const char* const kinds[] = {"time", "scene", "both", NULL};
    const node* kind = bri_node_find(map, "kind");
    return kind ? (picture_kind)(PICTURE_TIME + bri_value_choice(kind, kinds)) : otherwise;
}

static const mapping* keys_of(picture_kind kind, bool magnifies)
{
    return kind == PICTURE_PLAIN ? &bri_keys_plot
           : magnifies           ? &bri_keys_plot_magnified
                                 : &bri_keys_plot_scene;
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
    bri_keys_read(map, keys_of(otherwise, magnifies), NULL);
    const node* title = bri_node_find(map, "title");
    const node* instants = bri_node_find(map, "instants");
    got.title = title ? bri_value_text(title) : name;
    got.kind = read_kind(map, otherwise);
    got.instants = instants ? bri_value_count(instants, 1, MOST_INSTANTS) : 0;
    got.magnify = bri_value_optional(map, "magnify", RANGE_POSITIVE, 0);
    return got;
}
