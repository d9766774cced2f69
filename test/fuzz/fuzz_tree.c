/* Trees of values: keys are those of scenario files, or any bytes; run for some steps. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "bristle/scenario.h"

enum { MOST_NODES = 64, MOST_CHILDREN = 8, MOST_KEYS = 512, DEEPEST = 6, STEPS = 10 };

// All keys and some words, from the library's own list of topics.
static const char* keys[MOST_KEYS];
static size_t key_count;

static void find_keys(void)
{
    char* topics = NULL;
    static const char* const more[] = {"disc",           "constant", "lugre",
                                       "elasto-plastic", "10 mm",    "body"};
    if (br_scenario_create_topics(true, &topics) != BR_OK) {
        abort();
    }
    for (char* line = strtok(topics, "\n"); line && key_count < MOST_KEYS - 8;
         line = strtok(NULL, "\n")) {
        keys[key_count++] = strdup(line);
    }
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        keys[key_count++] = more[i];
    }
    br_release(topics);
}

static br_tree nodes[MOST_NODES * MOST_CHILDREN];
static double numbers[MOST_NODES][MOST_CHILDREN];
static size_t used;

static const char* take_text(input* in)
{
    static char own[16][4];
    static size_t next;
    const size_t index = (size_t)take_byte(in) << 8 | take_byte(in);
    if (index % 16 == 15) {
        char* text = own[next++ % 16];
        text[0] = (char)take_byte(in), text[1] = (char)take_byte(in), text[2] = '\0';
        return text;
    }
    return keys[index % key_count];
}

static br_tree take_tree(input* in, const char* key, int depth)
{
    br_tree t = {.kind = (br_tree_kind)take_index(in, depth < DEEPEST ? 7 : 5), .key = key};
    const size_t block = used < MOST_NODES ? used++ : 0;
    t.number = take_number(in);
    t.text = take_text(in);
    t.count = block == 0 ? 0 : take_index(in, MOST_CHILDREN);
    t.numbers = numbers[block];
    t.children = nodes + block * MOST_CHILDREN;
    take_numbers(in, numbers[block], t.kind == BR_TREE_NUMBERS ? t.count : 0);
    for (size_t i = 0; t.kind >= BR_TREE_LIST && i < t.count; i++) {
        nodes[block * MOST_CHILDREN + i] =
            take_tree(in, t.kind == BR_TREE_MAP ? take_text(in) : NULL, depth + 1);
    }
    return t;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    input in = {data, size};
    size_t left = STEPS;
    br_scenario* s = NULL;
    br_table* table = NULL;
    if (key_count == 0) {
        find_keys();
    }
    used = 1;
    br_tree root = take_tree(&in, NULL, 0);
    root.kind = BR_TREE_MAP;
    root.count = root.children ? root.count : 0;
    for (size_t i = 0; i < root.count; i++) {
        nodes[(size_t)(root.children - nodes) + i].key = take_text(&in);
    }
    const br_scenario_watch watch = {
        .size = sizeof watch, .stop = stop_soon, .user = &left, .drop_rows = true};
    if (br_scenario_read_tree(&root, "tree", NULL, &s) == BR_OK) {
        br_scenario_run(s, &watch, &table, NULL);
        br_table_destroy(table);
    }
    br_scenario_destroy(s);
    return 0;
}
