/*
 * What a build without cminpack has instead.
 */
#include "fit/least_squares.h"

int br_fit_has_solver(void)
{
    return 0;
}

br_status bri_least_squares(const least_squares* p, double* x, least_squares_end* end,
                            br_reason* why)
{
    (void)p, (void)x, (void)end;
    br_reason_set(why, "", "this build has no cminpack, which fits need");
    return BR_ERR_ABSENT;
}
