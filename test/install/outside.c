/* A program outside bristle, as a user would write it. */
#include <bristle/bristle.h>
#include <stdio.h>

static void print_last(const br_rig_row* row, void* user)
{
    *(br_rig_row*)user = *row;
}

int main(void)
{
    const br_rig rig = {.mass = 1.0,
                        .stiffness = 2.0,
                        .pull = 0.1,
                        .law = br_law_default(BR_LAW_LUGRE),
                        .force = br_profile_constant(0.0),
                        .normal_force = br_profile_constant(1.0)};
    br_rig_row last;
    const br_run_def def = br_run_def_default();
    const br_run_watch watch = {.row.rig = print_last, .user = &last};
    br_reason why;
    if (br_rig_run(&rig, &def, &watch, NULL, &why) != BR_OK) {
        fprintf(stderr, "%s: %s\n", why.field, why.text);
        return 1;
    }
    printf("bristle %s: f = %.3f N at t = %.1f s\n", br_version(), last.f, last.t);
    return last.f > 0.19 && last.f < 0.21 ? 0 : 1; // the spring pulls with k pull t = 0.2 N
}
