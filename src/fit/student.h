/*
 * Quantiles for intervals.
 */
#ifndef BRISTLE_FIT_STUDENT_H
#define BRISTLE_FIT_STUDENT_H

// P(|x| < q) = level for Student's distribution with `free` degrees of freedom; right to 1 % for 4 of them, to
// 1e-4 for 20.
double bri_student_quantile(double level, double free);

#endif
