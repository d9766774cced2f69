/*
 * Least squares in a build without cminpack.
 */
#include "fit/least_squares.h"
#include "fit/numbers.h"

bool br_fit_has_solver(void)
{
    return 0;
}

br_status bri_least_squares(const least_squares* p, double* x, double* cost, int* is_converged,
                            br_reason* why)
{
    (void)p, (void)x, (void)cost, (void)is_converged;
    return REFUSE(BR_ERR_ABSENT, why, "", "this build has no cminpack, which fits need");
}
