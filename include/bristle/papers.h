/// @file papers.h
/// Functions only for the reproduction of papers; for other uses there are better ones.
///
/// W&K = Waltersson & Karayiannidis, X&C = Xie & Chakraborty; numbers in brackets are the named paper's
/// equations. W&K's tables are BR_LIMIT_GRID and BR_LIMIT_PUBLISHED of limit.h.
#ifndef BRISTLE_PAPERS_H
#define BRISTLE_PAPERS_H

#include "bristle/contact.h"
#include "bristle/slider.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Steady-state wrench of a distributed contact by W&K (21). If the centre of rotation is in a
/// cell, it is interpolated between those of rotations about the cell's corners, so that it does
/// not jump between cells. A patch whose cells form no lattice (line, ring, points) is not
/// interpolated. Four times the cost of br_contact_steady_eval(). Never allocates, never fails.
/// @param contact    of BR_METHOD_DISTRIBUTED
/// @param published  0: as in the paper; 1: as in the published code, which extrapolates up to a
///                   cell beyond the left and lower border (docs/explanation/equations.md, W-21)
BR_API br_wrench br_papers_steady_eval(const br_contact* contact, br_twist v, double fn,
                                       int published);

/// br_slider_step() as a complementarity problem, X&C (17)-(20), solved by a Newton method that shares
/// nothing with br_slider_step(); slower.
/// @param[out] out  friction of the step
/// @return BR_OK, or BR_ERR_CONVERGENCE, which leaves the state as it was
BR_API br_status br_slider_ncp_step(const br_slider* slider, br_slider_state* state,
                                    const br_slider_load* load, double h, br_slider_value* out);

#ifdef __cplusplus
}
#endif

#endif
