/*
 * Trees that the caller of the library builds.
 */
#include "scenario/node.h"

enum { DEEPEST = 32 };

// A value below `parent`, at the line and column that the caller gives.
static node* create(node* parent, node_kind kind, const char* key, const br_tree* value)
{
    node* fresh = bri_node_create(parent->in, kind, parent->origin, value->line, parent, key);
    fresh->column = value->column;
    return fresh;
}

static void add_number(node* parent, const char* key, const br_tree* value, double x)
{
    node* scalar = create(parent, NODE_SCALAR, key, value);
    scalar->text = bri_format(parent->in, "%.15g", x);
    scalar->is_number = true;
    scalar->number = x;
}

static void add_children(node* to, const br_tree* value, int depth);

static void add(node* parent, const br_tree* value, int depth)
{
    const char* key = parent->kind == NODE_MAP ? bri_format(parent->in, "%s", value->key) : NULL;
    node* fresh;
    switch (value->kind) {
    case BR_TREE_MAP:
    case BR_TREE_LIST:
        fresh = create(parent, value->kind == BR_TREE_MAP ? NODE_MAP : NODE_LIST, key, value);
        add_children(fresh, value, depth);
        break;
    case BR_TREE_NUMBERS:
        fresh = create(parent, NODE_LIST, key, value);
        for (size_t i = 0; i < value->count; i++) {
            add_number(fresh, NULL, value, value->numbers[i]);
        }
        break;
    case BR_TREE_NUMBER:
        add_number(parent, key, value, value->number);
        break;
    case BR_TREE_FLAG:
        create(parent, NODE_SCALAR, key, value)->text = value->number != 0 ? "true" : "false";
        break;
    default:
        fresh = create(parent, NODE_SCALAR, key, value);
        if (value->kind == BR_TREE_TEXT && value->text) {
            fresh->text = bri_format(parent->in, "%s", value->text);
        }
        break;
    }
}

// Can this value be below `to`?
static bool fits(const node* to, const br_tree* value)
{
    if (to->kind != NODE_MAP) {
        return true;
    }
    if (!value->key) {
        bri_node_fail(to, "a value of a map has no key");
        return false;
    }
    if (bri_node_find(to, value->key)) {
        bri_node_fail_field(to, value->key, "the key is there twice");
        return false;
    }
    return true;
}

static void add_children(node* to, const br_tree* value, int depth)
{
    if (depth > DEEPEST) {
        bri_node_fail(to, "nested deeper than 32 levels");
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        if (fits(to, &value->children[i])) {
            add(to, &value->children[i], depth + 1);
        }
    }
}

node* bri_tree_read(parse_context* in, const char* name, const br_tree* tree)
{
    const char* origin = bri_format(in, "%s", name);
    if (tree->kind != BR_TREE_MAP) {
        bri_fail_file(in, origin, 0, "must be a map of keys");
        return NULL;
    }
    node* root = bri_node_create(in, NODE_MAP, origin, tree->line, NULL, NULL);
    root->column = tree->column;
    add_children(root, tree, 0);
    return root;
}
