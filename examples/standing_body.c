/*
 * How hard can a standing body be pushed? Four feet on uneven ground, each with a friction cone,
 * must carry weight and push. With flat faces in place of the cones this is a linear program: faces
 * inside the cones give a push that is certainly held, faces around them one that is certainly too
 * large. The difference, the linearisation error, falls with the square of the number of faces.
 *
 * The program is solved by GLPK, which is free software under the GPL: libbristle does not need it.
 */
#include <bristle/bristle.h>
#include <glpk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEET = 4, ROWS = 6 }; // balance of forces along x, y, z and of moments about them

static const double mu = 0.6, weight = 300.0;             // [-], [N]
static const double mass_centre[3] = {0.02, -0.01, 0.45}; // [m]
static const double pushed_at[3] = {0.0, 0.0, 0.15};      // [m]
static const double push_along[3] = {0.8, 0.6, 0.0};      // a unit vector
static const double foot[FEET][3] = {                     // [m]
    {0.25, 0.2, 0.0},
    {0.25, -0.2, 0.05},
    {-0.25, 0.2, 0.02},
    {-0.25, -0.2, 0.0}};
static const double normal[FEET][3] = { // of the ground below each
    {-0.2, 0.0, 1.0},
    {0.0, 0.3, 1.0},
    {0.1, -0.1, 1.0},
    {0.0, 0.0, 1.0}};

// Force and moment about the origin of a force at a point.
static void wrench_of(const double at[3], const double f[3], double to[ROWS])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        to[i] = f[i];
        to[3 + i] = at[j] * f[k] - at[k] * f[j];
    }
}

// A column of the program: the contribution of one unit of its unknown to the balances.
static void set_column(glp_prob* lp, int column, const double add[ROWS])
{
    int row[ROWS + 1];
    double value[ROWS + 1];
    for (int i = 0; i < ROWS; i++) {
        row[i + 1] = i + 1;
        value[i + 1] = add[i];
    }
    glp_set_col_bnds(lp, column, GLP_LO, 0.0, 0.0);
    glp_set_mat_col(lp, column, ROWS, row, value);
}

// Solution for the largest push.
typedef struct answer {
    double push;           // the largest [N]; < 0: GLPK found none
    double force[FEET][3]; // of the ground on each foot [N]
} answer;

// max push, so that feet, weight and push balance; forces are sums of rays times the unknowns
static answer solve(const br_polyhedron feet[FEET])
{
    const int faces = (int)feet[0].def.faces, columns = FEET * faces + 1;
    const double down[3] = {0.0, 0.0, -weight};
    double load[ROWS], add[ROWS], ray[3];
    glp_prob* lp = glp_create_prob();
    glp_set_obj_dir(lp, GLP_MAX);
    glp_add_rows(lp, ROWS);
    glp_add_cols(lp, columns);
    wrench_of(mass_centre, down, load);
    for (int i = 0; i < ROWS; i++) {
        glp_set_row_bnds(lp, i + 1, GLP_FX, -load[i], -load[i]);
    }
    for (int i = 0; i < FEET * faces; i++) {
        br_polyhedron_get_ray(&feet[i / faces], (size_t)(i % faces), ray);
        wrench_of(foot[i / faces], ray, add);
        set_column(lp, i + 1, add);
    }
    wrench_of(pushed_at, push_along, add);
    set_column(lp, columns, add);
    glp_set_obj_coef(lp, columns, 1.0);

    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_ERR;
    answer got = {.push = -1.0};
    if (glp_simplex(lp, &options) == 0 && glp_get_status(lp) == GLP_OPT) {
        got.push = glp_get_obj_val(lp);
        for (int i = 0; i < FEET * faces; i++) {
            br_polyhedron_get_ray(&feet[i / faces], (size_t)(i % faces), ray);
            for (int j = 0; j < 3; j++) {
                got.force[i / faces][j] += glp_get_col_prim(lp, i + 1) * ray[j];
            }
        }
    }
    glp_delete_prob(lp);
    return got;
}

static answer solve_with(size_t faces, br_polyhedron_side side)
{
    br_polyhedron feet[FEET];
    for (int i = 0; i < FEET; i++) {
        br_polyhedron_def def = br_polyhedron_def_default();
        def.faces = faces;
        def.side = side;
        if (br_cone_init(normal[i], mu, &def.cone, NULL) != BR_OK ||
            br_polyhedron_init(&def, &feet[i], NULL) != BR_OK) {
            exit(1);
        }
    }
    return solve(feet);
}

// Residual of the balance of forces and moments [N, N m].
static double imbalance(const answer* a)
{
    const double down[3] = {0.0, 0.0, -weight};
    const double push[3] = {a->push * push_along[0], a->push * push_along[1], 0.0};
    double sum[ROWS], add[ROWS], worst = 0.0;
    wrench_of(mass_centre, down, sum);
    for (int i = 0; i <= FEET; i++) {
        wrench_of(i < FEET ? foot[i] : pushed_at, i < FEET ? a->force[i] : push, add);
        for (int j = 0; j < ROWS; j++) {
            sum[j] += add[j];
        }
    }
    for (int j = 0; j < ROWS; j++) {
        worst = fmax(worst, fabs(sum[j]));
    }
    return worst;
}

// Smallest margin mu f_n - |f_t| of a foot in its true cone [N].
static double min_margin(const answer* a)
{
    double smallest = HUGE_VAL;
    for (int i = 0; i < FEET; i++) {
        br_cone cone;
        br_cone_init(normal[i], mu, &cone, NULL);
        smallest = fmin(smallest, br_cone_margin(&cone, a->force[i]));
    }
    return smallest;
}

int main(void)
{
    int failed = 0;
    double before = HUGE_VAL;
    answer inner = {0};
    printf("faces   surely held   surely too much   between\n");
    for (size_t faces = 4; faces <= 128; faces *= 2) {
        inner = solve_with(faces, BR_POLYHEDRON_INNER);
        const answer outer = solve_with(faces, BR_POLYHEDRON_OUTER);
        const double between = outer.push - inner.push;
        printf("%5zu   %8.3f N    %8.3f N        %5.2f %%\n", faces, inner.push, outer.push,
               100.0 * between / inner.push);

        // inner below outer, closer with every doubling; balanced (tolerance of GLPK 1e-7); within
        failed |= !(inner.push > 0.0 && between > 0.0 && between < 0.5 * before);
        failed |= !(imbalance(&inner) < 1e-4 && imbalance(&outer) < 1e-4);
        failed |= !(min_margin(&inner) > -1e-4);
        before = between;
    }
    printf("at the last of them the feet carry");
    for (int i = 0; i < FEET; i++) {
        printf("%s %.1f N", i ? "," : "", inner.force[i][2]);
    }
    printf(" of %.0f N\n", weight);
    return failed || !(before < 1e-3 * inner.push);
}
