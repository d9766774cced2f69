/*
 * How large a body is, from YAML: its inertia and its outline.
 */
#include "read_extent.h"

#include "memory.h"
#include "message.h"
#include "value.h"

// Exactly one of size, radius and inertia.
static const node* find_extent(const node* map)
{
    static const char* const ways[] = {"size", "radius", "inertia", NULL};
    const node* found = NULL;
    for (names way = ways; *way; way++) {
        const node* value = node_find(map, *way);
        if (value && found) {
            node_fail(value,
                      "a body has exactly one of size, radius and inertia; this one has %s, "
                      "too",
                      found->key);
        }
        found = value ? value : found;
    }
    if (!found) {
        node_fail_field(map, "size",
                        "is missing; give size [m, m] of a rectangle, radius [m] of a "
                        "disc, or inertia [kg m^2]");
    }
    return found;
}

static polygon read_corners(const node* list)
{
    polygon shape = {NULL, value_list(list, 0)};
    if (shape.count < 3) {
        node_fail(list, "must have at least 3 corners; got %zu", shape.count);
    }
    shape.points = memory_allocate(shape.count, sizeof *shape.points);
    for (size_t i = 0; i < shape.count; i++) {
        const double* xy = value_numbers(list->children[i], 2, RANGE_ANY);
        shape.points[i] = (br_vec2){xy[0], xy[1]};
    }
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

// The outline of a shape, which came from this value.
static const br_outline* create_outline(const node* from, const br_patch_def* shape)
{
    br_patch* patch;
    br_outline* edge;
    br_reason why = {"", ""};
    if (br_patch_create(shape, &patch, &why) != BR_OK) {
        node_fail(from, "%s", why.text);
    }
    memory_own(patch, destroy_patch);
    if (br_outline_create(patch, 1, 0, &edge, &why) != BR_OK) {
        message_fail(EXIT_COMPUTATION, "%s", why.text);
    }
    memory_own(edge, destroy_edge);
    return edge;
}

// Inertia and outline: of a rectangle m (a^2 + b^2)/12, of a disc m R^2/2.
void read_extent(const node* map, body_input* got)
{
    br_body* body = &got->body;
    br_patch_def shape = br_patch_def_default();
    const node* extent = find_extent(map);
    const node* corners = node_find(map, "outline");
    if (extent->key[0] == 's') {
        const double* size = value_numbers(extent, 2, RANGE_POSITIVE);
        body->inertia = body->mass * (size[0] * size[0] + size[1] * size[1]) / 12;
        got->outline = outline_rectangle(size[0], size[1]);
    } else if (extent->key[0] == 'r') {
        const double radius = value_number(extent, RANGE_POSITIVE);
        body->inertia = body->mass * radius * radius / 2;
        got->outline = outline_circle(radius);
        shape.shape = BR_SHAPE_DISC;
        shape.radius = br_by_force_constant(radius);
    } else {
        body->inertia = value_number(extent, RANGE_POSITIVE);
    }
    if (corners) {
        got->outline = read_corners(corners);
    }
    if (corners || extent->key[0] == 's') {
        shape.shape = BR_SHAPE_POLYGON;
        shape.vertices = got->outline.points;
        shape.count = got->outline.count;
    }
    if (got->outline.count) {
        body->outline = create_outline(corners ? corners : extent, &shape);
    }
}
