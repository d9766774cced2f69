/*
 * Patches, limit surfaces, contacts, cones, steppers.
 */
#include "creates.h"

#include "bristle/bristle.h"
#include "patch_shapes.h"

static const br_vec2 corners[] = {{0.0, 0.0}, {0.02, 0.0}, {0.02, 0.01}, {0.01, 0.004}};
static br_patch *disc, *polygon;
static br_limit* surface;
static br_cells* cells;
static br_contact* contact;
static br_field* field;

static br_contact_def contact_def(br_method method)
{
    br_contact_def def = br_contact_def_default();
    def.patch = disc;
    def.method = method;
    return def;
}

static const double factors[] = {1.0, 0.5, 2.0, 1.0};

static br_field_def field_def(void)
{
    br_field_def def = br_field_def_default();
    def.columns = def.rows = 2;
    def.factors = factors;
    def.size_x = def.size_y = 0.1;
    return def;
}

void faults_core_create(void)
{
    disc = make(disc_def(0.01));
    polygon = make(polygon_def(corners, 4));
    cells = cut(polygon, 1.0, 9);
    br_limit_def limit = br_limit_def_default();
    limit.patch = disc;
    assert_status(br_limit_create(&limit, &surface, NULL), BR_OK);
    const br_contact_def def = contact_def(BR_METHOD_BLOCKS);
    assert_status(br_contact_create(&def, &contact, NULL), BR_OK);
    const br_field_def floors = field_def();
    assert_status(br_field_create(&floors, &field, NULL), BR_OK);
}

void faults_core_destroy(void)
{
    br_field_destroy(field);
    br_contact_destroy(contact);
    br_limit_destroy(surface);
    br_cells_destroy(cells);
    br_patch_destroy(polygon);
    br_patch_destroy(disc);
}

static br_status create_patch(br_patch_def def)
{
    br_patch* out;
    br_reason why;
    const br_status status = br_patch_create(&def, &out, &why);
    return FAULT_CREATED(status, out, br_patch_destroy);
}

static br_status patch_polygon(void)
{
    return create_patch(polygon_def(corners, 4));
}

static br_status patch_grid(void)
{
    return create_patch(grid_def(0.02, 0.02, 2, 2, factors));
}

static br_status patch_power(void)
{
    return create_patch(power_def(2.0));
}

static br_status patch_triangles(void)
{
    return create_patch(tent_def());
}

static br_status cells_create(void)
{
    br_cells* out;
    const br_status status = br_cells_create(polygon, 1.0, 9, &out, NULL);
    return FAULT_CREATED(status, out, br_cells_destroy);
}

static br_status cells_cut(void)
{
    size_t parts[9 * 9], count;
    return br_cells_cut(cells, 3, parts, &count, NULL);
}

static br_status create_limit(const br_patch* patch, br_limit_method method)
{
    br_limit_def def = br_limit_def_default();
    br_limit* out;
    def.patch = patch;
    def.method = method;
    const br_status status = br_limit_create(&def, &out, NULL);
    return FAULT_CREATED(status, out, br_limit_destroy);
}

static br_status limit_exact(void)
{
    return create_limit(polygon, BR_LIMIT_EXACT);
}

static br_status limit_table(void)
{
    return create_limit(polygon, BR_LIMIT_SMOOTH);
}

static br_status limit_grid(void)
{
    return create_limit(disc, BR_LIMIT_GRID);
}

static br_status limit_ellipsoid(void)
{
    return create_limit(disc, BR_LIMIT_ELLIPSOID);
}

static br_status create_contact(br_contact_def def)
{
    br_contact* out;
    const br_status status = br_contact_create(&def, &out, NULL);
    return FAULT_CREATED(status, out, br_contact_destroy);
}

static br_status contact_cells(void)
{
    return create_contact(contact_def(BR_METHOD_DISTRIBUTED));
}

static br_status contact_blocks(void)
{
    return create_contact(contact_def(BR_METHOD_BLOCKS));
}

static br_status contact_reduced(void)
{
    br_contact_def def = contact_def(BR_METHOD_REDUCED);
    def.surface = surface;
    return create_contact(def);
}

static br_status contact_on_field(void)
{
    br_contact_def def = contact_def(BR_METHOD_BLOCKS);
    def.field = field;
    def.field_moves = true;
    return create_contact(def);
}

static br_status field_create(void)
{
    const br_field_def def = field_def();
    br_field* out;
    const br_status status = br_field_create(&def, &out, NULL);
    return FAULT_CREATED(status, out, br_field_destroy);
}

static br_status engine_create(void)
{
    br_engine_def def = br_engine_def_default(BR_ENGINE_DRAKE);
    br_engine* out;
    def.patch = disc, def.faces = 3;
    const br_status status = br_engine_create(&def, &out, NULL);
    return FAULT_CREATED(status, out, br_engine_destroy);
}

static br_status limit_polyhedron_create(void)
{
    br_limit_polyhedron* out;
    const br_status status = br_limit_polyhedron_create(surface, 12, &out, NULL);
    return FAULT_CREATED(status, out, br_limit_polyhedron_destroy);
}

static br_status wrench_cone_create(void)
{
    br_polyhedron_def def = br_polyhedron_def_default();
    br_support supports[3] = {
        {.place = {0.0, 0.0, 0.0}}, {.place = {0.1, 0.0, 0.0}}, {.place = {0.0, 0.1, 0.0}}};
    assert_status(br_cone_init((const double[]){0.0, 0.0, 1.0}, 0.5, &def.cone, NULL), BR_OK);
    for (int i = 0; i < 3; i++) {
        assert_status(br_polyhedron_init(&def, &supports[i].forces, NULL), BR_OK);
    }
    br_wrench_cone* out;
    const br_status status = br_wrench_cone_create(supports, 3, &out, NULL);
    return FAULT_CREATED(status, out, br_wrench_cone_destroy);
}

static br_status grasp_patch_get_force(void)
{
    double fn;
    return br_grasp_patch_get_force(disc, 0.5, (br_wrench){1.0, 0.0, 1e-3}, &fn, NULL);
}

static br_status outline_create(void)
{
    br_outline* out;
    const br_status status = br_outline_create(polygon, 1.0, 1, &out, NULL);
    return FAULT_CREATED(status, out, br_outline_destroy);
}

static br_status stepper_create(void)
{
    const br_step_contact contacts[] = {{.contact = contact, .fn = 1.0}};
    br_stepper_def def = br_stepper_def_default();
    br_stepper* out;
    def.contacts = contacts, def.count = 1, def.group = true;
    const br_status status = br_stepper_create(&def, &out, NULL);
    return FAULT_CREATED(status, out, br_stepper_destroy);
}

static br_status worlds_create(void)
{
    const br_worlds_contact contacts[] = {{.contact = contact}};
    br_worlds_def def = br_worlds_def_default(contacts, 1);
    br_worlds* out;
    const br_status status = br_worlds_create(&def, &out, NULL);
    return FAULT_CREATED(status, out, br_worlds_destroy);
}

const fault_case faults_core[] = {
    {"br_patch_create", patch_polygon, 0},
    {"br_patch_create", patch_grid, 0},
    {"br_patch_create", patch_power, 0},
    {"br_patch_create", patch_triangles, 0},
    {"br_cells_create", cells_create, 0},
    {"br_cells_cut", cells_cut, 0},
    {"br_limit_create", limit_exact, 0},
    {"br_limit_create", limit_table, 0},
    {"br_limit_create", limit_grid, 0},
    {"br_limit_create", limit_ellipsoid, 0},
    {"br_contact_create", contact_cells, 0},
    {"br_contact_create", contact_blocks, 0},
    {"br_contact_create", contact_reduced, 0},
    {"br_contact_create", contact_on_field, 0},
    {"br_field_create", field_create, 0},
    {"br_engine_create", engine_create, 0},
    {"br_limit_polyhedron_create", limit_polyhedron_create, 0},
    {"br_wrench_cone_create", wrench_cone_create, 0},
    {"br_grasp_patch_get_force", grasp_patch_get_force, 0},
    {"br_outline_create", outline_create, 0},
    {"br_stepper_create", stepper_create, 0},
    {"br_worlds_create", worlds_create, 0},
    {NULL, NULL, 0},
};
