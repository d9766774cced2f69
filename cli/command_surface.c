/*
 * bristle surface: numbers of a contact patch.
 */
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "document.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "read_patch.h"
#include "set.h"

const char surface_help[] =
    "usage: bristle surface PATCH.yaml [--fn N] [--json] [--set KEY=VALUE]...\n"
    "\n"
    "Print the numbers of a contact patch:\n"
    "  cop    centre of pressure, contact frame [m]\n"
    "  r      mean distance of the pressure from the CoP [m]\n"
    "  u      mean squared distance of the pressure from the CoP [m^2]\n"
    "  area   [m^2]; 0 for line, ring and points\n"
    "\n"
    "  --fn N            normal force [N] of a patch that depends on it (default 1)\n"
    "  --json            print one JSON object: cop [x, y], r, u, area\n"
    "  --set KEY=VALUE   override a key, e.g. --set radius=0.02; may be repeated\n"
    "  -h, --help        print this\n"
    "\n"
    "example: printf 'shape: disc\\nradius: 0.01\\n' > disc.yaml && bristle surface disc.yaml\n";

static void print_text(const br_patch_value* value)
{
    printf("cop   %.10g %.10g m\n", value->cop.x, value->cop.y);
    printf("r     %.10g m\n", value->r);
    printf("u     %.10g m^2\n", value->u);
    printf("area  %.10g m^2\n", value->area);
}

static void print_json(const br_patch_value* value)
{
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_begin(&out, "cop", '[');
    json_number(&out, NULL, value->cop.x);
    json_number(&out, NULL, value->cop.y);
    json_end(&out, ']');
    json_number(&out, "r", value->r);
    json_number(&out, "u", value->u);
    json_number(&out, "area", value->area);
    json_end(&out, '}');
    putchar('\n');
}

int surface_main(int argc, char** argv)
{
    const options o = options_read(argc, argv, OPTION_FN | OPTION_JSON | OPTION_SET);
    node* root = document_read(o.file);
    for (size_t i = 0; i < o.set_count; i++) {
        set_apply(root, o.sets[i]);
    }
    const br_patch_value value = br_patch_eval(read_patch(root).patch, o.fn);
    if (!isfinite(value.u) || !isfinite(value.area) || !isfinite(value.cop.x + value.cop.y)) {
        node_fail(root, "the patch is too large to compute with at fn = %g N", o.fn);
    }
    if (o.json) {
        print_json(&value);
    } else {
        print_text(&value);
    }
    return EXIT_DONE;
}
