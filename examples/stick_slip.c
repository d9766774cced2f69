/* A mass on LuGre friction, pulled by a slow spring: it sticks and slips. Prints t, x, v, f. */
#include <bristle/bristle.h>
#include <stdio.h>

// Indices of the columns in a row; t is the first.
typedef struct indices {
    size_t x, v, f;
} indices;

static void find_columns(const br_column* columns, size_t count, void* user)
{
    *(indices*)user =
        (indices){br_column_find(columns, count, "x"), br_column_find(columns, count, "v"),
                  br_column_find(columns, count, "f")};
}

static void print_row(const double* row, void* user)
{
    const indices* at = user;
    printf("%6.2f s  x %8.5f m  v %8.5f m/s  f %6.3f N\n", row[0], row[at->x], row[at->v],
           row[at->f]);
}

int main(void)
{
    br_law law = br_law_default(BR_LAW_LUGRE);
    law.mu_s = 1.5;     // [-]
    law.sigma0 = 1e5;   // [1/m]
    law.sigma1 = 316.2; // [s/m]
    law.sigma2 = 0.4;   // [s/m]

    const br_rig rig = {
        .size = sizeof(br_rig),
        .mass = 1.0,      // [kg]
        .stiffness = 2.0, // [N/m]
        .pull = 0.1,      // [m/s]
        .law = law,
        .force = br_profile_constant(0.0),        // [N]
        .normal_force = br_profile_constant(1.0), // [N]
    };

    br_run_def def = br_run_def_default();
    def.duration = 20.0; // [s]
    def.every = 0.5;     // [s]
    indices at;
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = find_columns, .row = print_row, .user = &at};

    br_integrator_cost cost;
    br_reason why;
    if (br_rig_run(&rig, &def, &watch, &cost, &why) != BR_OK) {
        fprintf(stderr, "%s: %s\n", why.field, why.text);
        return 1;
    }
    printf("%zu steps, %zu evaluations\n", cost.steps, cost.evaluations);
    return 0;
}
