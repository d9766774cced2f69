/*
 * How large a body is, from YAML: its inertia and its outline.
 */
#include "scenario/read_extent.h"

#include "scenario/made.h"
#include "scenario/value.h"

// Exactly one of size, radius and inertia.
static const node* find_extent(const node* map)
{
    static const char* const ways[] = {"size", "radius", "inertia", NULL};
    const node* found = NULL;
    for (names way = ways; *way; way++) {
        const node* value = bri_node_find(map, *way);
        if (value && found) {
            bri_node_fail(value,
                          "a body has exactly one of size, radius and inertia; this one has %s, "
                          "too",
                          found->key);
        }
        found = value ? value : found;
    }
    if (!found && !bri_node_is_misspelt(map, ways)) {
        bri_node_fail_field(map, "size",
                            "is missing; give size [m, m] of a rectangle, radius [m] of a "
                            "disc, or inertia [kg m^2]");
    }
    return found;
}

static body_outline read_corners(const node* list)
{
    body_outline shape = {.count = bri_value_list(list, 0)};
    if (shape.count > 0 && shape.count < 3) {
        bri_node_fail(list, "must have at least 3 corners; got %zu", shape.count);
    }
    shape.points = bri_allocate(list->in, shape.count, sizeof *shape.points);
    for (size_t i = 0; i < shape.count; i++) {
        double xy[2] = {0, 0};
        bri_value_fill(list->children[i], 2, RANGE_ANY, xy);
        shape.points[i] = (br_vec2){xy[0], xy[1]};
    }
    return shape;
}

static body_outline rectangle(reading* in, double x, double y)
{
    body_outline shape = {.points = bri_allocate(in, 4, sizeof *shape.points), .count = 4};
    shape.points[0] = (br_vec2){-x, -y};
    shape.points[1] = (br_vec2){x, -y};
    shape.points[2] = (br_vec2){x, y};
    shape.points[3] = (br_vec2){-x, y};
    return shape;
}

static void destroy_patch(void* patch)
{
    br_patch_destroy(patch);
}

static void destroy_edge(void* edge)
{
    br_outline_destroy(edge);
}

// The outline of a shape, which came from this value alone.
static const br_outline* create_outline(const node* from, const br_patch_def* shape)
{
    const br_outline* made = bri_made_find_outline(from);
    if (made) {
        return made;
    }
    pool* memory = &from->in->memory;
    br_patch* patch;
    br_outline* edge;
    br_reason why = {"", ""};
    const br_status status = br_patch_create(shape, &patch, &why);
    if (status == BR_ERR_MEMORY) {
        bri_no_memory(from->in);
    }
    if (status != BR_OK) {
        bri_node_fail(from, "%s", why.text);
        return NULL;
    }
    bri_pool_own(memory, patch, destroy_patch);
    if (br_outline_create(patch, 1, 0, &edge, &why) != BR_OK) {
        bri_no_memory(from->in);
    }
    bri_pool_own(memory, edge, destroy_edge);
    bri_made_note_outline(from, edge);
    return edge;
}

// Inertia and outline: of a rectangle m (a^2 + b^2)/12, of a disc m R^2/2.
void bri_read_extent(const node* map, body_input* got)
{
    br_body* body = &got->body;
    br_patch_def shape = br_patch_def_default();
    const node* extent = find_extent(map);
    const node* corners = bri_node_find(map, "outline");
    if (!extent) {
        return;
    }
    const size_t before = bri_problems(map);
    if (extent->key[0] == 's') {
        double size[2] = {1, 1};
        bri_value_fill(extent, 2, RANGE_POSITIVE, size);
        body->inertia = body->mass * (size[0] * size[0] + size[1] * size[1]) / 12;
        got->outline = rectangle(map->in, size[0] / 2, size[1] / 2);
    } else if (extent->key[0] == 'r') {
        const double radius = bri_value_number(extent, RANGE_POSITIVE);
        body->inertia = body->mass * radius * radius / 2;
        got->outline.radius = radius;
        shape.shape = BR_SHAPE_DISC;
        shape.radius = br_by_force_constant(radius);
    } else {
        body->inertia = bri_value_number(extent, RANGE_POSITIVE);
    }
    if (corners) {
        got->outline = read_corners(corners);
    }
    if (bri_problems(map) != before) {
        return;
    }
    if (corners || extent->key[0] == 's') {
        shape.shape = BR_SHAPE_POLYGON;
        shape.vertices = got->outline.points;
        shape.count = got->outline.count;
    }
    if (got->outline.count || got->outline.radius > 0) {
        body->outline = create_outline(corners ? corners : extent, &shape);
    }
}
