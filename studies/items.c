/*
 * The figures and tables that can be reproduced.
 */
#include "items.h"

#include "hu.h"
#include "savin.h"
#include "wk_drift.h"
#include "wk_fig22.h"
#include "wk_profile.h"
#include "wk_rmse.h"
#include "wk_slip.h"
#include "wk_steady.h"
#include "wk_surfaces.h"
#include "wk_tables.h"
#include "xc.h"

const item items[] = {
    {"wk-fig1", "an object in a parallel gripper", NULL, 0, "schematic"},
    {"wk-fig2", "the bristle analogy", NULL, 0, "schematic"},
    {"wk-fig3", "vectors on a contact surface", NULL, 0, "schematic"},
    {"wk-fig4", "examples of contact surfaces", NULL, 0, "illustration"},
    {"wk-fig5", "velocity profile and friction of the distributed model, circle", wk_fig5, 0, NULL},
    {"wk-fig6", "drift under oscillating loads, distributed model", wk_fig6, 1, NULL},
    {"wk-fig7", "unit velocity on unit deflection", NULL, 0, "schematic"},
    {"wk-fig8", "contact pressures cut into 21 x 21 cells", wk_fig8, 0, NULL},
    {"wk-fig9", "error of the distributed model over its number of cells", wk_fig9, 3, NULL},
    {"wk-fig10", "steady state of a line of cells, single point and bilinear", wk_fig10, 0, NULL},
    {"wk-fig11", "cells of a line, and the CoR between them", NULL, 0, "schematic"},
    {"wk-fig12", "a rim in place of the contact", NULL, 0, "schematic"},
    {"wk-fig13", "distributed model and reduced model with the ellipsoid, circle", wk_fig13, 0,
     NULL},
    {"wk-fig14", "limit curves of several surfaces and the ellipsoid", wk_fig14, 0, NULL},
    {"wk-fig15", "limit surface of the gradient line", wk_fig15, 0, NULL},
    {"wk-fig16", "CoP and p_s, the centre of rotation of pure torque", NULL, 0,
     "illustration without numbers; p_s is computed by br_limit and drawn by bristle surface"},
    {"wk-fig17", "distributed model and reduced model, circle", wk_fig17, 0, NULL},
    {"wk-fig18", "coordinates of the table", NULL, 0, "schematic"},
    {"wk-fig19", "distributed model and reduced model, gradient line", wk_fig19, 0, NULL},
    {"wk-fig20", "distributed model and reduced model, non-convex 1", wk_fig20, 0, NULL},
    {"wk-fig21", "distributed model and reduced model, non-convex 2", wk_fig21, 0, NULL},
    {"wk-fig22", "errors of the reduced model with limit surface and with ellipsoid", wk_fig22, 1,
     NULL},
    {"wk-fig23", "drift under oscillating loads, reduced model", wk_fig23, 0, NULL},
    {"wk-fig24", "drift under an oscillating normal force, distributed model", wk_fig24, 1, NULL},
    {"wk-fig25", "drift under an oscillating normal force, reduced model", wk_fig25, 0, NULL},
    {"wk-fig26", "snapshots of the object in the gripper", wk_fig26, 0, NULL},
    {"wk-fig27", "case 1, circle: pose", wk_fig27, 0, NULL},
    {"wk-fig28", "case 1, circle: forces", wk_fig28, 0, NULL},
    {"wk-fig29", "case 2, circle: pose", wk_fig29, 0, NULL},
    {"wk-fig30", "case 2, square: pose", wk_fig30, 0, NULL},
    {"wk-fig31", "case 2, gradient line: pose", wk_fig31, 0, NULL},
    {"wk-fig32", "case 2, circle: forces", wk_fig32, 0, NULL},
    {"wk-fig33", "pressures that grow with the normal force", wk_fig33, 0, NULL},
    {"wk-fig34", "case 2, growing pressures: pose", wk_fig34, 2, NULL},
    {"wk-fig35", "case 2, growing pressures: forces", wk_fig35, 2, NULL},
    {"wk-fig36", "error of the reduced model over the cells of its table", wk_fig36, 3, NULL},
    {"wk-fig37", "error of the reduced model over the nodes of its table", wk_fig37, 2, NULL},
    {"wk-table1", "friction parameters", NULL, 0, "parameters, used as they are"},
    {"wk-table2", "cost of the distributed model", wk_table2, 0, NULL},
    {"wk-table3", "simulation settings", NULL, 0,
     "parameters, used as they are but for the solver (docs/explanation/equations.md, W-solver)"},
    {"wk-table4", "time to simulate 2 s of slip-stick", wk_table4, 0, NULL},
    {"wk-table5", "cost of the reduced model over its cells", wk_table5, 0, NULL},
    {"wk-table6", "cost of the reduced model over its nodes", wk_table6, 0, NULL},
    {"xc-fig1", "a slider on a plane", NULL, 0, "schematic"},
    {"xc-fig2", "a slider slides freely", xc_fig2, 0, NULL},
    {"xc-fig3", "a slider is pushed", xc_fig3, 0, NULL},
    {"xc-time", "6.1, time per step of a slider", xc_time, 0, NULL},
    {"h-fig1", "constraint surface", NULL, 0, "schematic"},
    {"h-fig2", "forces at an instant", NULL, 0, "schematic"},
    {"h-fig3", "a block on a floor: normal force and friction", hu_fig3, 0, NULL},
    {"h-fig4", "the two-link arm", NULL, 0, "schematic; its motion is in h-fig5 to 7"},
    {"h-fig5", "two-link arm on a parabola: normal force", hu_fig5, 0, NULL},
    {"h-fig6", "two-link arm on a parabola: x and friction along x", hu_fig6, 0, NULL},
    {"h-fig7", "two-link arm on a parabola: y and friction along y", hu_fig7, 0, NULL},
    {"s-cone", "Fig 1, friction cone between its inner and outer polyhedra", savin_cone, 0, NULL},
    {NULL, NULL, NULL, 0, NULL},
};
