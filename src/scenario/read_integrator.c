/*
 * How to integrate in time, from YAML.
 */
#include "scenario/read_integrator.h"

#include <string.h>

#include "scenario/mappings.h"

// Of a fixed size; br_run_def allows no more.
static const double MOST_STEPS = 1e9;

static void no_rate(double t, const double* y, double* dy, void* user)
{
    (void)t, (void)y, (void)user;
    dy[0] = 0;
}

static void no_jacobian(double t, const double* y, double* jacobian, double* dfdt, void* user)
{
    (void)t, (void)y, (void)user;
    jacobian[0] = dfdt[0] = 0;
}

// Whether this build has a method shows when an integrator is made with it.
static void check_present(const node* value, br_integrator_kind kind)
{
    const double atol = 1;
    br_integrator_def def = br_integrator_def_default();
    def.kind = kind;
    def.atol = &atol;
    const br_ode ode = {.n = 1, .rate = no_rate, .jacobian = no_jacobian};
    br_integrator* probe = NULL;
    if (br_integrator_create(&ode, &def, &probe, NULL) == BR_ERR_ABSENT) {
        bri_node_fail(value, "this build has no %s; use rosenbrock", bri_value_text(value));
    }
    br_integrator_destroy(probe);
}

#define IN_RELATIVE                                                                                \
    {                                                                                              \
        1e-14, 1, false, true                                                                      \
    }

// Defaults are those of the run, which depend on what runs.
#define TOLERANCE_KEYS                                                                             \
    KEY("rtol", NUMBER, "-", IN_RELATIVE, "1e-6; bodies: 2e-6; mechanisms: 1e-11",                 \
        "relative tolerance", AT(br_run_def, rtol)),                                               \
        KEY("atol", NUMBER, "m, m/s", IN_POSITIVE, "1e-8; bodies: 2e-8; mechanisms: 1e-12",        \
            "absolute tolerance of positions and velocities", AT(br_run_def, atol)),               \
        KEY("atol_z", NUMBER, "m", IN_POSITIVE, "1e-10; bodies: 2e-10",                            \
            "absolute tolerance of bristles. While a body slides, columns of friction take "       \
            "sigma1 sigma0 v/g times the error of the bristles: lower it for these",               \
            AT(br_run_def, atol_z)),                                                               \
        KEY("max_step", NUMBER, "s", IN_POSITIVE, "", "longest step", AT(br_run_def, max_step))

static const map_key adaptive_keys[] = {
    KEY("kind", WORD, "", IN_ANY, "rosenbrock",
        "the method. Bodies and mechanisms whose energy is out of balance by more than 1 % are warned of, with the "
        "tolerances that would mend it",
        BY_HAND, WORDS("rosenbrock", "cvode")),
    TOLERANCE_KEYS};
const mapping bri_keys_integrator = MAPPING("integrator", adaptive_keys);

// Tolerances may stay in the file when the kind is changed.
static const map_key fixed_keys[] = {
    KEY("kind", WORD, "", IN_ANY, REQUIRED, "steps of a fixed size, for bodies", BY_HAND,
        WORDS("fixed")),
    KEY("step", NUMBER, "s", IN_POSITIVE, REQUIRED, "their size", AT(br_run_def, step)),
    TOLERANCE_KEYS};
const mapping bri_keys_integrator_fixed = MAPPING("fixed steps", fixed_keys);

static void read_fixed(const node* map, br_run_def* def)
{
    const bool is_good = bri_keys_read(map, &bri_keys_integrator_fixed, def);
    def->method = BR_FIXED;
    def->rtol = def->atol = def->atol_z = 0;
    if (is_good && def->duration / def->step > MOST_STEPS) {
        bri_node_fail(bri_node_find(map, "step"), "gives more than %g steps; got %g", MOST_STEPS,
                      def->step);
    }
}

void bri_read_integrator(const node* map, bool may_be_fixed, br_run_def* def)
{
    static const char* const kinds[] = {"rosenbrock", "cvode", "fixed", NULL};
    static const char* const adaptive[] = {"rosenbrock", "cvode", NULL};
    static const br_integrator_kind values[] = {BR_ROSENBROCK, BR_CVODE};
    const node* kind = map && map->kind == NODE_MAP ? bri_node_find(map, "kind") : NULL;
    if (kind && kind->kind == NODE_SCALAR && strcmp(kind->text, "fixed") == 0 && !may_be_fixed) {
        bri_node_fail(kind, "fixed steps are for bodies alone; here it must be one of %s",
                      bri_text_join(&kind->in->memory, adaptive));
        return;
    }
    const int choice = kind ? bri_value_choice(kind, may_be_fixed ? kinds : adaptive) : 0;
    if (choice == 2) {
        read_fixed(map, def);
        return;
    }
    def->method = values[choice];
    if (kind) {
        check_present(kind, def->method);
    }
    if (map) {
        bri_keys_read(map, &bri_keys_integrator, def);
    }
}
