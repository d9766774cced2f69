/*
 * Parse the options of bristle cone.
 */
#include "cone_options.h"

#include <math.h>
#include <string.h>

#include "memory.h"
#include "message.h"
#include "text.h"

static double read_number(const char* name, const char* text, double above, const char* allowed)
{
    double x;
    if (!br_text_read_number(text, &x) || !(x > above)) {
        message_fail(EXIT_USAGE, "%s %s: must be %s", name, text, allowed);
    }
    return x;
}

// X,Y,Z
static void read_normal(const char* text, double normal[3])
{
    char* rest = memory_text(text, strlen(text));
    size_t count = 0;
    bool is_good = true;
    for (char* part = rest; part && is_good; count++) {
        char* comma = strchr(part, ',');
        if (comma) {
            *comma = '\0';
        }
        double ignored;
        is_good = br_text_read_number(part, count < 3 ? &normal[count] : &ignored);
        part = comma ? comma + 1 : NULL;
    }
    if (!is_good || count != 3) {
        message_fail(EXIT_USAGE, "--normal %s: must be three numbers X,Y,Z", text);
    }
}

br_cone cone_options_cone(const options* o)
{
    const double mu = options_mu(o);
    double normal[3] = {0, 0, 1};
    if (o->normal) {
        read_normal(o->normal, normal);
    }
    br_cone cone;
    br_reason why;
    if (br_cone_init(normal, mu, &cone, &why) != BR_OK) {
        message_fail(EXIT_USAGE, "--%s: %s", why.field, why.text);
    }
    return cone;
}

br_polyhedron_side cone_options_side(const options* o)
{
    static const char* const sides[] = {"inner", "outer", NULL};
    return o->approx && text_choose("--approx", o->approx, sides) ? BR_POLYHEDRON_OUTER
                                                                  : BR_POLYHEDRON_INNER;
}

bool cone_options_wants_v(const options* o)
{
    static const char* const kinds[] = {"h", "v", NULL};
    return o->print && text_choose("--print", o->print, kinds) == 1;
}

size_t cone_options_faces(const options* o, size_t min, size_t default_count, size_t max)
{
    return o->faces ? text_read_whole("--faces", o->faces, (double)min, (double)max)
                    : default_count;
}

br_polyhedron cone_options_polyhedron(const options* o)
{
    br_polyhedron_def def = br_polyhedron_def_default();
    def.cone = cone_options_cone(o);
    def.faces = cone_options_faces(o, 3, def.faces, BR_POLYHEDRON_MOST_FACES);
    def.side = cone_options_side(o);
    if (o->fmin) {
        def.f_min = read_number("--fmin", o->fmin, -HUGE_VAL, "a number [N]");
    }
    if (o->fmax) {
        def.f_max = read_number("--fmax", o->fmax, 0, "a number > 0 [N]");
    }
    if (def.f_max < def.f_min) {
        message_fail(EXIT_USAGE, "--fmax %s: must be at least --fmin, %s", o->fmax, o->fmin);
    }
    br_polyhedron polyhedron;
    br_reason why;
    if (br_polyhedron_init(&def, &polyhedron, &why) != BR_OK) {
        message_fail(EXIT_USAGE, "--%s: %s", why.field, why.text);
    }
    return polyhedron;
}
