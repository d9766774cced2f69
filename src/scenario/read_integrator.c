/*
 * How to integrate in time, from YAML.
 */
#include "scenario/read_integrator.h"

#include <string.h>

#include "scenario/text.h"
#include "scenario/value.h"

static const range RELATIVE = {1e-14, 1, false, true};

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

static void read_tolerances(const node* map, br_run_def* def)
{
    static const char* const keys[] = {"kind", "rtol", "atol", "atol_z", "max_step", NULL};
    bri_node_expect_keys(map, keys);
    def->rtol = bri_value_optional(map, "rtol", RELATIVE, def->rtol);
    def->atol = bri_value_optional(map, "atol", RANGE_POSITIVE, def->atol);
    def->atol_z = bri_value_optional(map, "atol_z", RANGE_POSITIVE, def->atol_z);
    def->max_step = bri_value_optional(map, "max_step", RANGE_POSITIVE, def->max_step);
}

// Tolerances may stay in the file when the kind is changed.
static void read_fixed(const node* map, br_run_def* def)
{
    static const char* const keys[] = {"kind", "step", "rtol", "atol", "atol_z", "max_step", NULL};
    bri_node_expect_keys(map, keys);
    def->method = BR_FIXED;
    def->rtol = def->atol = def->atol_z = 0;
    def->step = bri_value_required(map, "step", RANGE_POSITIVE);
    if (def->duration / def->step > MOST_STEPS) {
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
        read_tolerances(map, def);
    }
}
