/*
 * The sampled table h(r, v): lookup and its derivative.
 *
 * W&K = Waltersson & Karayiannidis, section V-D. Numbers in brackets are that paper's equations.
 *
 *   twist -> theta (35), phi (36) -> cell (37), (38) -> residuals (39), (40) -> h (41)
 *
 * Deviations from print (docs/explanation/equations.md): W-36 (the arguments of atan2 are swapped in print),
 * W-37 (phi = pi/2 is in the last cell; theta is kept within the table against rounding, too).
 */
#include "limit/table.h"

// Fill a column of nodes from its mirror image.
static void mirror_column(double* h, size_t n, size_t from, size_t to, double sign_x, double sign_y)
{
    for (size_t i_phi = 0; i_phi <= n; i_phi++) {
        const double* a = table_node(h, n, from, i_phi);
        double* b = table_node(h, n, to, i_phi);
        b[0] = sign_x * a[0];
        b[1] = sign_y * a[1];
        b[2] = a[2];
    }
}

// Fill the columns that were not computed. A mirror image of the twist with the same w is theta ->
// -theta for the mirror x -> -x (v -> -v included), and theta -> pi - theta for y -> -y.
void bri_table_mirror(mirrors has, size_t n, double* h)
{
    for (size_t i = 0; has.x && has.y && i < n; i++) {
        mirror_column(h, n, i, 2 * n - i, -1.0, 1.0);
    }
    for (size_t i = 0; has.x && i < 2 * n; i++) {
        mirror_column(h, n, i, 4 * n - i, 1.0, -1.0);
    }
    for (size_t i = 0; has.y && !has.x && i < 2 * n; i++) { // computed: n to 3 n
        const size_t from = i < n ? 2 * n - i : i + n + 1;
        mirror_column(h, n, from, from <= 2 * n ? 2 * n - from : 6 * n - from, -1.0, 1.0);
    }
    mirror_column(h, n, 0, 4 * n, 1.0, 1.0);
}

// Position of a twist of size about 1 in the table.
typedef struct lookup {
    const double* corner[4]; // h at the nodes 1 to 4 of (41)
    double d_theta, d_phi;   // residuals, in [0, 1]
    double sign;             // (42)
} lookup;

// Largest of |vx|, |vy|, r |w|, used to avoid overflow. 1 for a point that only spins.
static double twist_size(double r, br_twist v)
{
    const double size = fmax(fmax(fabs(v.vx), fabs(v.vy)), r * fabs(v.w));
    return size > 0.0 ? size : 1.0;
}

static br_twist scaled(br_twist v, double size)
{
    return (br_twist){v.vx / size, v.vy / size, v.w / size};
}

// The cell that contains a coordinate in [0, count].
static size_t cell_of(double at, size_t count)
{
    const double last = (double)count - 1.0;
    return (size_t)fmin(fmax(at, 0.0), last);
}

static double theta_of(br_twist v)
{
    // theta = atan2(v_y, v_x), plus pi if w < 0, in [0, 2 pi)                                (35)
    const double theta = v.w < 0.0 ? atan2(-v.vy, -v.vx) : atan2(v.vy, v.vx);
    return theta < 0.0 ? theta + 2.0 * BR_PI : theta;
}

static lookup find_point(const limit_table* table, br_twist v)
{
    const size_t n = table->n;
    const double per_angle = 2.0 * (double)n / BR_PI;

    // phi = atan2(|v_t|, r |w|)                                                       (36), W-36
    const double phi = atan2(hypot(v.vx, v.vy), table->r * fabs(v.w));
    const double at_theta = theta_of(v) * per_angle, at_phi = phi * per_angle;
    const size_t i_theta = cell_of(at_theta, 4 * n); // (37)
    const size_t i_phi = cell_of(at_phi, n);         // (38)
    return (lookup){
        .corner = {table_node(table->h, n, i_theta, i_phi),
                   table_node(table->h, n, i_theta + 1, i_phi),
                   table_node(table->h, n, i_theta, i_phi + 1),
                   table_node(table->h, n, i_theta + 1, i_phi + 1)},
        .d_theta = at_theta - (double)i_theta, // (39)
        .d_phi = at_phi - (double)i_phi,       // (40)
        .sign = v.w < 0.0 ? -1.0 : 1.0,        // (42)
    };
}

// h of a twist                                                                            (41)
static void interpolate(const lookup* at, double h[3])
{
    const double a = at->d_theta, b = at->d_phi;
    for (int i = 0; i < 3; i++) {
        h[i] = at->sign *
               ((1.0 - a) * (1.0 - b) * at->corner[0][i] + a * (1.0 - b) * at->corner[1][i] +
                (1.0 - a) * b * at->corner[2][i] + a * b * at->corner[3][i]);
    }
}

void bri_table_lookup(const limit_table* table, br_twist v, double h[3])
{
    const lookup at = find_point(table, scaled(v, twist_size(table->r, v)));
    interpolate(&at, h);
}

// d theta and d phi by vx, vy, w, for v_t != 0
static void angle_slopes(double r, br_twist v, double theta[3], double phi[3])
{
    const double t = hypot(v.vx, v.vy), spin = r * fabs(v.w);
    const double cx = v.vx / t, cy = v.vy / t, square = t * t + spin * spin;
    theta[0] = -cy / t;
    theta[1] = cx / t;
    theta[2] = 0.0;
    phi[0] = cx * spin / square;
    phi[1] = cy * spin / square;
    phi[2] = (v.w < 0.0 ? r : -r) * t / square;
}

// At pure spin theta is undefined: use the mean slope of h over the pole, along x and along y.
static void pole_jacobian(const limit_table* table, double w, double jacobian[3][3])
{
    const size_t n = table->n;
    const double step = BR_PI / (2.0 * (double)n), spin = table->r * fabs(w);
    const double scale = spin > 0.0 ? 0.5 / (step * spin) : 0.0;
    for (int i = 0; i < 3; i++) {
        const double s = (i < 2 ? 1.0 : table->r) * scale;
        for (size_t j = 0; j < 2; j++) {
            jacobian[i][j] = s * (table_node(table->h, n, j * n, 1)[i] -
                                  table_node(table->h, n, (j + 2) * n, 1)[i]);
        }
        jacobian[i][2] = 0.0;
    }
}

static void cell_jacobian(const limit_table* table, br_twist v, double jacobian[3][3])
{
    const lookup at = find_point(table, v);
    const double a = at.d_theta, b = at.d_phi, per_angle = 2.0 * (double)table->n / BR_PI;
    double theta[3], phi[3];
    angle_slopes(table->r, v, theta, phi);
    for (int i = 0; i < 3; i++) {
        const double scale = (i < 2 ? 1.0 : table->r) * at.sign * per_angle;
        const double h1 = at.corner[0][i], h2 = at.corner[1][i];
        const double h3 = at.corner[2][i], h4 = at.corner[3][i];
        const double by_theta = scale * ((1.0 - b) * (h2 - h1) + b * (h4 - h3));
        const double by_phi = scale * ((1.0 - a) * (h3 - h1) + a * (h4 - h2));
        for (int j = 0; j < 3; j++) {
            jacobian[i][j] = by_theta * theta[j] + by_phi * phi[j];
        }
    }
}

void bri_table_jacobian(const limit_table* table, br_twist v, double jacobian[3][3])
{
    const double size = twist_size(table->r, v);
    const br_twist unit = scaled(v, size);
    if (hypot(unit.vx, unit.vy) > 0.0) {
        cell_jacobian(table, unit, jacobian);
    } else {
        pole_jacobian(table, unit.w, jacobian);
    }
    for (int i = 0; i < 9; i++) {
        jacobian[i / 3][i % 3] /= size;
    }
}
