/*
 * bristle convert: friction parameters of a patch, or of a joint's law, for a physics engine.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bristle/engine.h"
#include "command.h"
#include "convert_joint.h"
#include "input.h"
#include "json.h"
#include "memory.h"
#include "message.h"
#include "options.h"
#include "output.h"
#include "plot.h"
#include "plot_engine.h"
#include "text.h"

const char convert_help[] =
    "usage: bristle convert PATCH.yaml --to ENGINE --mu MU [--fn N] [--cone round|flat] [--plot FILE]\n"
    "                       [--json] [--set KEY=VALUE]...\n"
    "       bristle convert LAW.yaml --to mujoco|drake|gazebo [--fn N] [--json] [--set KEY=VALUE]...\n"
    "\n"
    "Print the friction of a contact patch as parameters of a physics engine, in a snippet to paste, with the\n"
    "error of that engine's limit surface against the exact one. A sliding body meets the force mu fn, a\n"
    "spinning one the torque mu r fn. Each engine couples both differently; the formulas are in\n"
    "docs/explanation/engine_friction.md. PATCH.yaml: as for bristle surface. LAW.yaml: a scenario with `law` alone,\n"
    "as bristle fit law writes it; its friction is that of a joint, without --mu.\n"
    "\n"
    "  --to mujoco|drake|gazebo|bullet|genesis\n"
    "                    mujoco: condim 4, sliding and torsional coefficient (a length), for geoms that touch\n"
    "                    in one point. genesis: the same. gazebo: SDF, torsional patch_radius, for ODE.\n"
    "                    bullet: spinningFriction (a length). drake: hydroelastic contact over the patch\n"
    "                    itself, which must have an area\n"
    "  --mu MU           coefficient of friction, > 0\n"
    "  --fn N            normal force [N], > 0 (default 1): that of a patch that depends on it; Drake's modulus\n"
    "  --cone round|flat the engine's friction cone: elliptic or pyramidal (mujoco, genesis), cone_model or\n"
    "                    pyramid_model (gazebo). Default: round; gazebo: flat, the default of its\n"
    "                    solver\n"
    "  --faces N         drake: faces of its mesh across the patch, 1..256 (default 8); a grid uses its own cells\n"
    "  --plot FILE       draw both limit surfaces, cut along each two of fx, fy, tau: FILE.png, .svg, .pdf\n"
    "  --json            print one JSON object instead: engine, form, r [m], the engine's numbers by name, and\n"
    "                    error. Errors are max and mean over directions of load (static), slide_max and\n"
    "                    slide_mean over directions of the twist (sliding). Forces are over mu fn, torques\n"
    "                    over mu fn r\n"
    "  --set KEY=VALUE   override a key, e.g. --set radius=0.02; may be repeated\n"
    "  -h, --help        print this\n"
    "\n"
    "example: printf 'shape: disc\\nradius: 0.01\\n' > disc.yaml && bristle convert disc.yaml --to mujoco --mu 0.5\n";

static const char* const engine_names[] = {
#define NAME_OF(kind, name) name,
    BR_ENGINE_LIST(NAME_OF)
#undef NAME_OF
        NULL};
static const char* const form_names[] = {"ellipsoid", "pyramid", "cylinder", "box", "faces"};
static const char* const cone_names[] = {"round", "flat", NULL};

// What is printed: the engine, and the file's name with only characters that XML and Python allow.
typedef struct snippet {
    const br_engine* engine;
    br_engine_number numbers[BR_ENGINE_NUMBERS];
    const char* name;
    bool flat;
} snippet;

// --- options --------------------------------------------------------------------------------------

static br_engine_def read_engine(const options* o)
{
    if (!o->to) {
        message_fail(EXIT_USAGE, "--to is missing: one of %s", text_join(engine_names));
    }
    br_engine_def def =
        br_engine_def_default((br_engine_kind)text_choose("--to", o->to, engine_names));
    def.mu = options_mu(o);
    if (!(o->fn > 0)) {
        message_fail(EXIT_USAGE, "--fn %s: must be a number > 0 [N]", o->fn_text);
    }
    def.fn = o->fn;
    return def;
}

// The options that only some engines have.
static void read_rest(const options* o, br_engine_def* def)
{
    if (o->cone && (def->kind == BR_ENGINE_DRAKE || def->kind == BR_ENGINE_BULLET)) {
        message_fail(EXIT_USAGE, "--cone: that of %s is always round", o->to);
    }
    if (o->cone) {
        def->flat = text_choose("--cone", o->cone, cone_names);
    }
    if (o->faces && def->kind != BR_ENGINE_DRAKE) {
        message_fail(EXIT_USAGE, "--faces: needs --to drake");
    }
    def->faces = o->faces ? text_read_whole("--faces", o->faces, 1, 256) : def->faces;
}

// --- snippets -------------------------------------------------------------------------------------

static void print_mujoco(const snippet* s)
{
    printf("<option cone=\"%s\" impratio=\"10\"/>\n", s->flat ? "pyramidal" : "elliptic");
    printf("<default>\n  <default class=\"%s\">\n", s->name);
    printf("    <geom condim=\"%g\" friction=\"%.6g %.6g 0.0001\" priority=\"%g\"/>\n",
           s->numbers[2].value, s->numbers[0].value, s->numbers[1].value, s->numbers[3].value);
    printf("  </default>\n</default>\n");
}

static void print_tag(const char* before, const char* tag, double value)
{
    printf("%s<%s>%.6g</%s>\n", before, tag, value, tag);
}

static void print_drake(const snippet* s)
{
    printf("<drake:proximity_properties xmlns:drake=\"http://drake.mit.edu\">\n"
           "  <drake:compliant_hydroelastic/>\n");
    for (int i = 0; i < BR_ENGINE_NUMBERS; i++) {
        print_tag("  ", memory_format("drake:%s", s->numbers[i].name), s->numbers[i].value);
    }
    printf("</drake:proximity_properties>\n");
}

static void print_gazebo(const snippet* s)
{
    printf("<surface>\n  <friction>\n    <ode>\n");
    print_tag("      ", "mu", s->numbers[0].value);
    print_tag("      ", "mu2", s->numbers[1].value);
    printf("    </ode>\n    <torsional>\n");
    print_tag("      ", "coefficient", s->numbers[2].value);
    printf("      <use_patch_radius>true</use_patch_radius>\n");
    print_tag("      ", "patch_radius", s->numbers[3].value);
    printf("    </torsional>\n  </friction>\n</surface>\n");
}

static void print_bullet(const snippet* s)
{
    printf("p.setPhysicsEngineParameter(enableConeFriction=1)\n");
    printf(
        "p.changeDynamics(body, link, lateralFriction=%.6g, spinningFriction=%.6g, rollingFriction=%g)\n",
        s->numbers[0].value, s->numbers[1].value, s->numbers[2].value);
    printf("p.changeDynamics(other, -1, lateralFriction=%.6g, spinningFriction=0)\n",
           s->numbers[3].value);
}

static void print_genesis(const snippet* s)
{
    printf("options = gs.options.RigidOptions(friction_cone=gs.friction_cone.%s,\n"
           "                                  enable_torsional_friction=True)\n",
           s->flat ? "pyramidal" : "elliptic");
    printf("material = gs.materials.Rigid(friction=%.6g, friction_torsional=%.6g)\n",
           s->numbers[0].value, s->numbers[1].value);
}

// For each engine: the function that prints the snippet, a note on where to paste it, and its comment marks.
static const struct {
    void (*print)(const snippet*);
    const char* note;
    const char *open, *close;
} engines[] = {
    [BR_ENGINE_MUJOCO] =
        {print_mujoco,
         "For geoms of this class, which touch in one point; priority: these numbers count, "
         "not the larger ones of both.",
         "<!-- ", " -->"},
    [BR_ENGINE_DRAKE] =
        {print_drake,
         "In the collision whose face is the patch, the other body rigid and of the same mu "
         "(Drake takes 2 mu1 mu2/(mu1 + mu2)).",
         "<!-- ", " -->"},
    [BR_ENGINE_GAZEBO] =
        {print_gazebo,
         "In the collision, with ODE; both need the mu, since the smaller one counts.", "<!-- ",
         " -->"},
    [BR_ENGINE_BULLET] =
        {print_bullet,
         "Bullet multiplies lateral frictions, and each spinning one with the other's lateral "
         "one; without rollingFriction its rigid bodies do not take it.",
         "# ", ""},
    [BR_ENGINE_GENESIS] = {print_genesis, "Of both bodies the larger number counts.", "# ", ""},
};

static void print_snippet(const snippet* s)
{
    const br_engine_def def = br_engine_get_def(s->engine);
    const br_engine_error error = br_engine_get_error(s->engine);
    const char *open = engines[def.kind].open, *close = engines[def.kind].close;
    printf("%s%s: mu %.6g, fn %.6g N, r %.6g mm%s\n", open, s->name, def.mu, def.fn,
           1e3 * br_limit_get_patch_value(br_engine_get_exact(s->engine)).r, close);
    printf("%s%s%s\n", open, engines[def.kind].note, close);
    engines[def.kind].print(s);
    printf("%sits limit surface (%s) is off by %.3g of mu fn at most, %.3g on average;%s\n", open,
           form_names[br_engine_get_form(s->engine)], error.max, error.mean, close);
    printf("%sthe force on a body that slides and spins by %.3g at most, %.3g on average%s\n", open,
           error.slide_max, error.slide_mean, close);
}

static void print_json(const snippet* s, size_t count)
{
    const br_engine_error error = br_engine_get_error(s->engine);
    json out = {stdout, false};
    json_begin(&out, NULL, '{');
    json_text(&out, "engine", br_engine_get_name(br_engine_get_def(s->engine).kind));
    json_text(&out, "form", form_names[br_engine_get_form(s->engine)]);
    json_number(&out, "r", br_limit_get_patch_value(br_engine_get_exact(s->engine)).r);
    for (size_t i = 0; i < count; i++) {
        json_number(&out, s->numbers[i].name, s->numbers[i].value);
    }
    json_begin(&out, "error", '{');
    json_number(&out, "max", error.max);
    json_number(&out, "mean", error.mean);
    json_number(&out, "slide_max", error.slide_max);
    json_number(&out, "slide_mean", error.slide_mean);
    json_end(&out, '}');
    json_end(&out, '}');
    putchar('\n');
}

// --- the command ----------------------------------------------------------------------------------

static void destroy(void* engine)
{
    br_engine_destroy(engine);
}

static br_engine* create(const br_engine_def* def, const br_scenario* file)
{
    br_engine* engine;
    br_reason why = {"", ""};
    const br_status status = br_engine_create(def, &engine, &why);
    if (status == BR_ERR_MEMORY) {
        message_fail(EXIT_COMPUTATION, "%s", why.text);
    }
    if (status != BR_OK) {
        message_fail(EXIT_USAGE, "%s%s", input_place(file, why.field), why.text);
    }
    memory_own(engine, destroy);
    return engine;
}

// The file's name without folder and suffix; characters that XML comments or names forbid become _.
static const char* name_of(const char* file)
{
    char* name = text_stem(file);
    for (char* at = name; *at; at++) {
        *at = isalnum((unsigned char)*at) ? *at : '_';
    }
    return name;
}

int convert_main(int argc, char** argv)
{
    const options o = options_read(
        argc, argv, OPTION_ENGINE | OPTION_FN | OPTION_JSON | OPTION_SET | OPTION_PLOT);
    // a law has its own mu
    const br_scenario* law = o.to && !o.mu ? input_model_unchecked(o.file, BR_MODEL_ANY, &o) : NULL;
    if (law && convert_is_joint(law)) {
        return convert_joint(&o, law, name_of(o.file));
    }
    br_engine_def def = read_engine(&o);
    read_rest(&o, &def);
    if (o.plot) {
        plot_check_name(o.plot);
    }
    const br_scenario* file = input_model(o.file, BR_MODEL_PATCH, &o);
    def.patch = input_isotropic_patch(file);
    snippet s = {.engine = create(&def, file), .name = name_of(o.file), .flat = def.flat};
    const size_t count = br_engine_get_numbers(s.engine, s.numbers);
    if (o.json) {
        print_json(&s, count);
    } else {
        print_snippet(&s);
    }
    if (o.plot) {
        const plot_engine picture = {s.name, s.engine, form_names[br_engine_get_form(s.engine)]};
        plot_engine_draw(&picture, output_open(o.plot));
    }
    return EXIT_DONE;
}
