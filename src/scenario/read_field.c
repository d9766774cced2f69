/*
 * A field of mu from a tree: `friction: {field: ...}`.
 */
#include <math.h>
#include <string.h>

#include "scenario/mappings.h"
#include "scenario/read_contact.h"
#include "scenario/source.h"

// As it is read.
typedef struct field_reading {
    br_field_def def;
    int over; // field_side
    number_rows rows;
    const char* file;
} field_reading;

static void set_default(void* to)
{
    *(field_reading*)to = (field_reading){.def = br_field_def_default()};
}

#define INTERPOLATION_NAME(value, name) name,
static const char* const interpolations[] = {BR_INTERPOLATION_LIST(INTERPOLATION_NAME) NULL};
#undef INTERPOLATION_NAME

static const map_key field_keys[] = {
    KEY("grid", ROWS, "-", IN_NOT_NEGATIVE, "",
        "factors on mu (mu_s and mu_c alike; stiffness and damping follow), rows from the top (largest y) to the bottom; "
        "1: as friction says, 0: ice",
        AT(field_reading, rows)),
    PLAIN_KEY("file", FILE, "", "the same as CSV without a header", AT(field_reading, file)),
    KEY("size", NUMBERS, "m", IN_POSITIVE, REQUIRED, "of the grid along x and y",
        AT(field_reading, def.size_x), COUNT(2)),
    KEY("centre", NUMBERS, "m", IN_ANY, DEFAULT, "of the grid", AT(field_reading, def.centre),
        COUNT(2)),
    KEY("angle", NUMBER, "rad", IN_ANY, DEFAULT, "of the grid", AT(field_reading, def.angle)),
    PLAIN_KEY(
        "over", WORD, DEFAULT,
        "what the field is fixed to: ground, in the coordinates of the world (of the finger, with frame: world); "
        "body, from its CoM, in its axes (under an imposed motion: of the patch)",
        AT(field_reading, over), WORDS("ground", "body")),
    PLAIN_KEY(
        "interpolation", WORD, DEFAULT,
        "constant: cells of the grid, mu jumps at their edges; bilinear: between their centres",
        AT(field_reading, def.interpolation), .words = interpolations),
    KEY("outside", NUMBER, "-", IN_NOT_NEGATIVE, "the outermost cells continue",
        "factor around the grid", AT(field_reading, def.outside))};
_Static_assert(offsetof(br_field_def, size_y) == offsetof(br_field_def, size_x) + sizeof(double),
               "size is read into both");

// A factor is over mu, 1 where mu holds. Ice beside rubber is a factor of 20.
static void warn_of_percent(const node* map, const br_field_def* def)
{
    double most = 0.0;
    for (size_t i = 0; i < def->rows * def->columns; i++) {
        most = fmax(most, def->factors[i]);
    }
    if (most > 20.0) {
        bri_warn(map->in, "%sa factor of %.3g on mu; did you mean percent?", bri_node_place(map),
                 most);
    }
}

static void finish(const node* map, void* to, bool is_good)
{
    field_reading* in = to;
    if (!bri_node_find(map, "grid") == !bri_node_find(map, "file")) {
        bri_node_fail_field(map, "grid", "a field has either grid or file, exactly one of them");
        return;
    }
    const csv_grid grid = in->file ? bri_csv_read_grid(map->in, in->file)
                                   : (csv_grid){in->rows.rows, in->rows.columns, in->rows.at};
    in->def.rows = grid.rows;
    in->def.columns = grid.columns;
    in->def.factors = grid.values;
    if (is_good && grid.values) {
        warn_of_percent(map, &in->def);
    }
}

const mapping bri_keys_field = MAPPING_OF("field", field_keys, field_reading, set_default, finish);

static void destroy_field(void* field)
{
    br_field_destroy(field);
}

field_input bri_read_field(const node* map)
{
    field_reading in;
    set_default(&in);
    if (!map || !bri_keys_read(map, &bri_keys_field, &in)) {
        return (field_input){.from = map};
    }
    return (field_input){.from = map, .def = in.def, .over = (field_side)in.over};
}

br_field* bri_build_field(const field_input* field, br_vec2 origin)
{
    br_field_def def = field->def;
    br_field* out;
    br_reason why = {"", ""};
    def.centre = br_vec2_sub(def.centre, origin);
    const br_status status = br_field_create(&def, &out, &why);
    if (strcmp(why.field, "grid") == 0 && bri_node_find(field->from, "file")) {
        memcpy(why.field, "file", sizeof "file"); // the key of factors that came from a file
    }
    if (!bri_node_accept(field->from, status, &why)) {
        return NULL;
    }
    bri_pool_own(&field->from->in->memory, out, destroy_field);
    return out;
}
