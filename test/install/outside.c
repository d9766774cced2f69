/* A program outside bristle, as a user would write it. */
#include <bristle/bristle.h>
#include <stdio.h>

typedef struct last_row {
    size_t f_column;
    double t, f;
} last_row;

static void on_start(const br_column* columns, size_t count, void* user)
{
    ((last_row*)user)->f_column = br_column_find(columns, count, "f");
}

static void on_row(const double* row, void* user)
{
    last_row* last = user;
    last->t = row[0];
    last->f = row[last->f_column];
}

int main(void)
{
    const br_rig rig = {.size = sizeof(br_rig),
                        .mass = 1.0,
                        .stiffness = 2.0,
                        .pull = 0.1,
                        .law = br_law_default(BR_LAW_LUGRE),
                        .force = br_profile_constant(0.0),
                        .normal_force = br_profile_constant(1.0)};
    last_row last = {0};
    const br_run_def def = br_run_def_default();
    const br_run_watch watch = {
        .size = sizeof(br_run_watch), .start = on_start, .row = on_row, .user = &last};
    br_reason why;
    if (br_rig_run(&rig, &def, &watch, NULL, &why) != BR_OK) {
        fprintf(stderr, "%s: %s\n", why.field, why.text);
        return 1;
    }
    printf("bristle %s: f = %.3f N at t = %.1f s\n", br_get_version(), last.f, last.t);
    return last.f > 0.19 && last.f < 0.21 ? 0 : 1; // the spring pulls with k pull t = 0.2 N
}
