/*
 * How do the feet of a standing body share its load? Of many solutions, a controller takes the one
 * with the smallest sum of squares within the friction cones. With flat faces in place of the cones
 * this is a quadratic program: faces inside the cones give a feasible sum, faces around them a
 * lower bound. The difference, the linearisation error, falls with the square of the number of
 * faces. Where no cone is active, all solutions are the same: the pseudo-inverse of the balance.
 *
 * The program is solved by Clp's interior point method (its simplex method fails for some of
 * these), free software under the EPL: libbristle does not need it.
 */
#include <Clp_C_Interface.h>
#include <bristle/bristle.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEET = 4, FORCES = 3 * FEET, BALANCES = 6, MAX_FACES = 64 };

static const double mu = 0.5, weight = 300.0;            // [-], [N]
static const double mass_centre[3] = {0.02, -0.01, 0.4}; // [m]
static const double pushed_at[3] = {0.0, 0.0, 0.2};      // [m]
static const double foot[FEET][3] = {                    // [m]
    {0.25, 0.2, 0.0},
    {0.25, -0.2, 0.05},
    {-0.25, 0.2, 0.02},
    {-0.25, -0.2, 0.0}};
static const double normal[FEET][3] = { // of the ground below each
    {-0.1, 0.0, 1.0},
    {0.0, 0.15, 1.0},
    {0.1, -0.1, 1.0},
    {0.0, 0.0, 1.0}};

// Forces on the feet.
typedef struct answer {
    double force[FORCES]; // of the ground on each foot, x, y, z [N]
    double sum;           // of their squares [N^2]; < 0: Clp found none
} answer;

// Force and moment about the origin of a force at a point.
static void wrench_of(const double at[3], const double f[3], double to[BALANCES])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        to[i] = f[i];
        to[3 + i] = at[j] * f[k] - at[k] * f[j];
    }
}

// Contribution of a unit of each force to the balances.
static void unit_wrench(int force, double to[BALANCES])
{
    const double unit[3] = {force % 3 == 0, force % 3 == 1, force % 3 == 2};
    wrench_of(foot[force / 3], unit, to);
}

// The load on the feet: weight, and a push along x.
static void load_of(double push, double to[BALANCES])
{
    const double down[3] = {0.0, 0.0, -weight}, along[3] = {push, 0.0, 0.0};
    double pushed[BALANCES];
    wrench_of(mass_centre, down, to);
    wrench_of(pushed_at, along, pushed);
    for (int i = 0; i < BALANCES; i++) {
        to[i] += pushed[i];
    }
}

// --- the quadratic program ------------------------------------------------------------------------------

// The program by columns, in Clp's format: balances first, then the faces of all feet.
typedef struct program {
    int start[FORCES + 1], row[FORCES * (BALANCES + MAX_FACES)];
    double value[FORCES * (BALANCES + MAX_FACES)];
    int entries;
} program;

static void add_entry(program* p, int row, double value)
{
    p->row[p->entries] = row;
    p->value[p->entries++] = value;
}

// a.f <= 0 for each face of the foot's polyhedron
static void fill(program* p, int faces, br_polyhedron_side side)
{
    p->entries = 0;
    for (int i = 0; i < FEET; i++) {
        br_polyhedron_def def = br_polyhedron_def_default();
        br_polyhedron polyhedron;
        double h[4 * (MAX_FACES + 2)];
        def.faces = (size_t)faces;
        def.side = side;
        if (br_cone_init(normal[i], mu, &def.cone, NULL) != BR_OK ||
            br_polyhedron_init(&def, &polyhedron, NULL) != BR_OK) {
            exit(1);
        }
        br_polyhedron_get_h(&polyhedron, h);
        for (int axis = 0; axis < 3; axis++) {
            double add[BALANCES];
            unit_wrench(3 * i + axis, add);
            p->start[3 * i + axis] = p->entries;
            for (int k = 0; k < BALANCES; k++) {
                add_entry(p, k, add[k]);
            }
            for (int k = 0; k < faces; k++) {
                add_entry(p, BALANCES + i * faces + k, h[4 * k + axis]);
            }
        }
    }
    p->start[FORCES] = p->entries;
}

// min |f|^2/2, so that the balances hold and every force is within its polyhedron
static answer solve(double push, int faces, br_polyhedron_side side)
{
    static program p;
    double low[BALANCES + FEET * MAX_FACES], high[BALANCES + FEET * MAX_FACES], load[BALANCES];
    double free_low[FORCES], free_high[FORCES], linear[FORCES] = {0}, square[FORCES];
    int diagonal[FORCES + 1], column[FORCES];
    fill(&p, faces, side);
    load_of(push, load);
    for (int i = 0; i < BALANCES + FEET * faces; i++) {
        low[i] = i < BALANCES ? -load[i] : -HUGE_VAL;
        high[i] = i < BALANCES ? -load[i] : 0.0;
    }
    for (int i = 0; i < FORCES; i++) {
        free_low[i] = -HUGE_VAL, free_high[i] = HUGE_VAL;
        diagonal[i] = column[i] = i, square[i] = 1.0;
    }
    diagonal[FORCES] = FORCES;
    Clp_Simplex* clp = Clp_newModel();
    Clp_setLogLevel(clp, 0);
    Clp_loadProblem(clp, FORCES, BALANCES + FEET * faces, p.start, p.row, p.value, free_low,
                    free_high, linear, low, high);
    Clp_loadQuadraticObjective(clp, FORCES, diagonal, column, square);
    answer got = {.sum = -1.0};
    if (Clp_initialBarrierNoCrossSolve(clp) >= 0 && Clp_status(clp) == 0) {
        got.sum = 0.0;
        for (int i = 0; i < FORCES; i++) {
            got.force[i] = Clp_primalColumnSolution(clp)[i];
            got.sum += got.force[i] * got.force[i];
        }
    }
    Clp_deleteModel(clp);
    return got;
}

// --- for comparison -------------------------------------------------------------------------------------

// Solve A x = b by Gaussian elimination with pivoting; overwrites A and b.
static void eliminate(double A[BALANCES][BALANCES], double b[BALANCES])
{
    for (int i = 0; i < BALANCES; i++) {
        int pivot = i;
        for (int k = i + 1; k < BALANCES; k++) {
            pivot = fabs(A[k][i]) > fabs(A[pivot][i]) ? k : pivot;
        }
        for (int j = 0; j < BALANCES; j++) {
            const double kept = A[i][j];
            A[i][j] = A[pivot][j], A[pivot][j] = kept;
        }
        const double kept = b[i];
        b[i] = b[pivot], b[pivot] = kept;
        for (int k = 0; k < BALANCES; k++) {
            const double factor = k == i ? 0.0 : A[k][i] / A[i][i];
            for (int j = i; j < BALANCES; j++) {
                A[k][j] -= factor * A[i][j];
            }
            b[k] -= factor * b[i];
        }
    }
    for (int i = 0; i < BALANCES; i++) {
        b[i] /= A[i][i];
    }
}

// Without any cone: f = -W^T (W W^T)^-1 load.
static answer least_norm(double push)
{
    double W[FORCES][BALANCES], A[BALANCES][BALANCES] = {{0}}, x[BALANCES];
    for (int i = 0; i < FORCES; i++) {
        unit_wrench(i, W[i]);
    }
    for (int i = 0; i < BALANCES * BALANCES * FORCES; i++) {
        const int f = i / (BALANCES * BALANCES), row = i / BALANCES % BALANCES, k = i % BALANCES;
        A[row][k] += W[f][row] * W[f][k];
    }
    load_of(push, x);
    eliminate(A, x);
    answer got = {.sum = 0.0};
    for (int i = 0; i < FORCES; i++) {
        for (int k = 0; k < BALANCES; k++) {
            got.force[i] -= W[i][k] * x[k];
        }
        got.sum += got.force[i] * got.force[i];
    }
    return got;
}

// Smallest margin mu f_n - |f_t| of a foot in its true cone [N].
static double min_margin(const answer* a)
{
    double smallest = HUGE_VAL;
    for (int i = 0; i < FEET; i++) {
        br_cone cone;
        br_cone_init(normal[i], mu, &cone, NULL);
        smallest = fmin(smallest, br_cone_margin(&cone, a->force + 3 * i));
    }
    return smallest;
}

static double imbalance(const answer* a, double push)
{
    double sum[BALANCES], add[BALANCES], worst = 0.0;
    load_of(push, sum);
    for (int i = 0; i < FORCES; i++) {
        unit_wrench(i, add);
        for (int k = 0; k < BALANCES; k++) {
            sum[k] += a->force[i] * add[k];
        }
    }
    for (int k = 0; k < BALANCES; k++) {
        worst = fmax(worst, fabs(sum[k]));
    }
    return worst;
}

int main(void)
{
    const double gentle = 20.0, hard = 160.0; // [N]
    int failed = 0;

    // a gentle push: no face is active, and the solution has a closed form
    const answer closed = least_norm(gentle), easy = solve(gentle, 16, BR_POLYHEDRON_INNER);
    double off = 0.0;
    for (int i = 0; i < FORCES; i++) {
        off = fmax(off, fabs(easy.force[i] - closed.force[i]));
    }
    printf("pushed with %.0f N no cone matters: %.2e N from the pseudo-inverse\n", gentle, off);
    failed |= !(min_margin(&closed) > 0.0 && off < 1e-5 /* N, of 300: Clp's tolerance is 1e-7 */);

    // a hard push: the true value is between
    printf("pushed with %.0f N, the root of the sum of squares\n", hard);
    printf("faces   surely had   nobody below   between\n");
    double before = HUGE_VAL, last = HUGE_VAL;
    for (int faces = 8; faces <= MAX_FACES; faces *= 2) {
        const answer inner = solve(hard, faces, BR_POLYHEDRON_INNER);
        const answer outer = solve(hard, faces, BR_POLYHEDRON_OUTER);
        const double between = sqrt(inner.sum) - sqrt(outer.sum);
        last = between / sqrt(outer.sum);
        printf("%5d   %8.3f N   %8.3f N    %6.3f %%\n", faces, sqrt(inner.sum), sqrt(outer.sum),
               100.0 * last);
        failed |= !(outer.sum > 0.0 && between > 0.0 && between < 0.5 * before);
        failed |= !(imbalance(&inner, hard) < 1e-5 && imbalance(&outer, hard) < 1e-5);
        failed |= !(min_margin(&inner) > -1e-5 && min_margin(&outer) < 0.0);
        before = between;
    }
    failed |= !(least_norm(hard).sum < solve(hard, MAX_FACES, BR_POLYHEDRON_OUTER).sum);
    return failed || !(last < 1e-2);
}
