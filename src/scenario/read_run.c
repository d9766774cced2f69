/*
 * The run of a scenario: duration, rows and columns, integrator; and what --plot draws.
 */
#include <math.h>
#include <string.h>

#include "scenario/mappings.h"

// --- keys of output -------------------------------------------------------------------------------

#define EVERY_KEY(default_value)                                                                   \
    KEY("every", NUMBER, "s", IN_POSITIVE, default_value,                                          \
        "rows at t = k every, and one at the end; by default the motion's file's, each step of a " \
        "slider, else duration/200",                                                               \
        AT(output_input, every))
#define CONTACTS_KEY                                                                               \
    PLAIN_KEY("contacts", FLAG, DEFAULT,                                                           \
              "columns state,slip,load (of several contacts state1,slip1,load1,state2,...): "      \
              "stick|slip|open, slip rate [m/s], and the share of what friction can hold, 0 to 1", \
              AT(output_input, contacts))

static const map_key plain_keys[] = {EVERY_KEY(REQUIRED)};
const mapping bri_keys_output = MAPPING("output", plain_keys, output_input);
static const map_key contact_keys[] = {EVERY_KEY(""), CONTACTS_KEY};
const mapping bri_keys_output_contact = MAPPING("output of a contact", contact_keys, output_input);
static const map_key body_keys[] = {
    EVERY_KEY(""),
    PLAIN_KEY(
        "energy", FLAG, DEFAULT,
        "columns kinetic,stored,dissipated,work_loads,work_gravity,work_normal,work_contacts,residual [J]",
        AT(output_input, energy)),
    PLAIN_KEY(
        "axes", WORD, DEFAULT,
        "of fx and fy: those of the contact's frame (frame: body: they turn with the body), or the world's; tau is at "
        "the origin of that frame in both",
        AT(output_input, in_world), IS_FLAG, WORDS("contact", "world")),
    PLAIN_KEY("cop", FLAG, DEFAULT, "column tau_cop: tau at the patch's CoP",
              AT(output_input, cop)),
    CONTACTS_KEY,
    PLAIN_KEY("bristles", FLAG, DEFAULT,
              "columns z1,z2,...: the deflections of all bristles, one contact after the other [m]",
              AT(output_input, bristles))};
const mapping bri_keys_output_body = MAPPING("output of a body", body_keys, output_input);

// --- keys of the integrator -----------------------------------------------------------------------

// Steps of a fixed size; br_run_def allows no more.
static const double MAX_STEPS = 1e9;

#define IN_RELATIVE 1e-14, 1, false, true

// The defaults depend on the kind of the run.
#define AS_TEXT(x)     #x
#define NUMBER_TEXT(x) AS_TEXT(x)
#define TOLERANCE_KEYS                                                                             \
    KEY("rtol", NUMBER, "-", IN_RELATIVE,                                                          \
        NUMBER_TEXT(BR_RTOL) "; bodies: " NUMBER_TEXT(BR_BODY_RTOL) "; mechanisms: " NUMBER_TEXT(  \
            BR_MECHANISM_RTOL),                                                                    \
        "relative tolerance", AT(br_run_def, rtol)),                                               \
        KEY("atol", NUMBER, "m, m/s", IN_POSITIVE,                                                 \
            NUMBER_TEXT(BR_ATOL) "; bodies: " NUMBER_TEXT(                                         \
                BR_BODY_ATOL) "; mechanisms: " NUMBER_TEXT(BR_MECHANISM_ATOL),                     \
            "absolute tolerance of positions and velocities", AT(br_run_def, atol)),               \
        KEY("atol_z", NUMBER, "m", IN_POSITIVE,                                                    \
            NUMBER_TEXT(BR_ATOL_Z) "; bodies: " NUMBER_TEXT(BR_BODY_ATOL_Z),                       \
            "absolute tolerance of bristles. While a body slides, columns of friction take "       \
            "sigma1 sigma0 v/g times the error of the bristles: lower it for these",               \
            AT(br_run_def, atol_z)),                                                               \
        KEY("max_step", NUMBER, "s", IN_POSITIVE, "", "longest step", AT(br_run_def, max_step))

static void finish_adaptive(const node* map, void* to, bool is_good)
{
    const node* kind = bri_node_find(map, "kind");
    const br_run_def* def = to;
    if (kind && is_good && !br_integrator_has(def->method)) {
        bri_node_fail(kind, "this build has no %s; use rosenbrock", kind->text);
    }
}

static const map_key adaptive_keys[] = {
    PLAIN_KEY(
        "kind", WORD, DEFAULT,
        "the method. Bodies and mechanisms whose energy is out of balance by more than 1 % are warned of, with the "
        "tolerances that would correct it",
        AT(br_run_def, method), WORDS("rosenbrock", "cvode"),
        REFUSED("fixed",
                "fixed steps are for bodies alone; here it must be one of rosenbrock, cvode"),
        .is_tag = true),
    TOLERANCE_KEYS};
const mapping bri_keys_integrator =
    MAPPING_OF("integrator", adaptive_keys, br_run_def, NULL, finish_adaptive);

static void finish_fixed(const node* map, void* to, bool is_good)
{
    br_run_def* def = to;
    def->rtol = def->atol = def->atol_z = 0;
    if (is_good && def->duration / def->step > MAX_STEPS) {
        bri_node_fail(bri_node_find(map, "step"), "gives more than %g steps; got %g", MAX_STEPS,
                      def->step);
    }
}

// Tolerances may stay in the file when the kind is changed.
static const map_key fixed_keys[] = {
    TAG_AT("kind", "fixed", "steps of a fixed size, for bodies", br_run_def, method,
           BR_INTEGRATOR_FIXED),
    KEY("step", NUMBER, "s", IN_POSITIVE, REQUIRED, "their size", AT(br_run_def, step)),
    TOLERANCE_KEYS};
const mapping bri_keys_integrator_fixed =
    MAPPING_OF("fixed steps", fixed_keys, br_run_def, NULL, finish_fixed);

// --- keys of pictures -----------------------------------------------------------------------------

#define PLOT_KEYS                                                                                  \
    PLAIN_KEY("title", TEXT, "the file's name and what runs", "of the picture",                    \
              AT(br_picture, title)),                                                              \
        PLAIN_KEY("panels", WORD, DEFAULT,                                                         \
                  "over time: at most six, without constant ones, or all",                         \
                  AT(br_picture, has_all_panels), IS_FLAG, WORDS("few", "all"))
#define SCENE_KEYS                                                                                 \
    PLAIN_KEY("kind", WORD, "time; sliders, mechanisms: both",                                     \
              "columns over time, what moves at some instants, or both; --animate draws the "      \
              "scene",                                                                             \
              AT(br_picture, kind), WORDS("time", "scene", "both"),                                \
              VALUES(BR_PICTURE_TIME, BR_PICTURE_SCENE, BR_PICTURE_BOTH)),                         \
        KEY("instants", COUNT, "", IN(1, 100), "6; sliders: by the distance",                      \
            "how many a scene shows", AT(br_picture, instants))

static const map_key plot_keys[] = {PLOT_KEYS};
const mapping bri_keys_plot = MAPPING("plot", plot_keys, br_picture);
static const map_key scene_keys[] = {PLOT_KEYS, SCENE_KEYS};
const mapping bri_keys_plot_scene = MAPPING("plot of a scene", scene_keys, br_picture);
static const map_key magnified_keys[] = {
    PLOT_KEYS, SCENE_KEYS,
    KEY("magnify", NUMBER, "-", IN_POSITIVE, "1; a motion too small to be seen: so that it is seen",
        "how much larger a motion is drawn than it is", AT(br_picture, magnify))};
const mapping bri_keys_plot_magnified =
    MAPPING("plot of a magnified scene", magnified_keys, br_picture);

// --- duration and rows ----------------------------------------------------------------------------

static const double MAX_ROWS = 1e8;

enum { DEFAULT_ROWS = 200 };

// `duration`, by default the last t of the input file (if there is one).
static void complete_duration(br_scenario* s, const br_profile* input)
{
    const node* root = s->root;
    const bool has_file = bri_node_find(bri_node_find(root, "motion"), "file");
    if (bri_node_find(root, "duration") || (!input && has_file && bri_problems(root) > 0)) {
        return; // given, or the file that would give it has errors
    }
    if (!input) {
        bri_node_require(root, "duration");
        return;
    }
    s->run.duration = input->t[input->count - 1];
    if (!(s->run.duration > 0)) {
        bri_node_fail_field(root, "motion", "the file must go beyond t = 0, or duration be given");
    }
}

// Is the motion, or a profile of it, read from a file? The times of a table in the scenario are corners of a curve, not
// rows for output.
static bool has_input_file(const node* root)
{
    const node* motion = bri_node_find(root, "motion");
    if (bri_node_find(motion, "file")) {
        return true;
    }
    for (size_t i = 0; motion && i < motion->count; i++) {
        if (bri_node_find(motion->children[i], "file")) {
            return true;
        }
    }
    return false;
}

// Rows at the times of the input file that are within the run.
static void use_input_rows(br_scenario* s, const br_profile* input)
{
    double* at = bri_allocate(&s->in, input->count, sizeof *at);
    for (size_t i = 0; i < input->count; i++) {
        if (input->t[i] >= 0 && input->t[i] <= s->run.duration) {
            at[s->run.at_count++] = input->t[i];
        }
    }
    if (s->run.at_count == 0) {
        bri_node_fail_field(s->root, "motion",
                            "the file has no row between t = 0 and duration; give "
                            "output: {every: ...}");
    }
    s->run.at = at;
    s->rows = s->run.at_count;
}

// Times of rows: every output.every; else the times of the input file; else DEFAULT_ROWS intervals. Too many are an error.
// `input` may be NULL.
static void choose_rows(br_scenario* s, const br_profile* input)
{
    const double every = s->output.every;
    if (!(every > 0) && input && has_input_file(s->root)) {
        use_input_rows(s, input);
        return;
    }
    s->run.every = every > 0 ? every : s->run.duration / DEFAULT_ROWS;
    const double rows = s->run.duration / s->run.every + 1;
    if (!(rows <= MAX_ROWS)) {
        bri_node_fail_field(s->root, "output.every", "gives %.10g rows; at most %.10g", floor(rows),
                            MAX_ROWS);
        return;
    }
    s->rows = br_run_def_get_row_count(&s->run);
}

void bri_scenario_check_holds(const node* value, double duration)
{
    if (value->key && strcmp(value->key, "hold") == 0) {
        const double instants = duration / bri_value_number(value, RANGE_POSITIVE);
        if (!(instants <= BR_PROFILE_MOST_INSTANTS)) {
            bri_node_fail(
                value, "gives %.3g instants in %.6g s; at most %.3g, so hold >= %.3g s here",
                instants, duration, BR_PROFILE_MOST_INSTANTS, duration / BR_PROFILE_MOST_INSTANTS);
        }
    }
    for (size_t i = 0; i < value->count; i++) {
        bri_scenario_check_holds(value->children[i], duration);
    }
}

void bri_scenario_read_run(br_scenario* s, const br_profile* input)
{
    const size_t before = bri_problems(s->root);
    complete_duration(s, input);
    if (bri_problems(s->root) == before) {
        bri_scenario_check_holds(s->root, s->run.duration);
        choose_rows(s, input);
    }
}
