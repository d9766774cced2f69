/*
 * The cells of a distributed model within an implicit step of a body.
 *
 *   z1 = t/(1 + x),   t = z0 + h v,   x = h kappa                                              (15)
 *   F  = (sigma0 + sigma1/h) z1 - sigma1/h z0 + sigma2 v                                        (9)
 *
 * Elasto-plastic, with q = sigma0 |z1|/g, T = sigma0 |t|/g, B = h sigma0 (|v| + v.t^)/(2 g):
 *
 *   x = B alpha(q),   q (1 + B alpha(q)) = T                                              (16)-(18)
 *   dx = alpha dB + B alpha' (dT - q alpha dB)/(1 + B (alpha + q alpha'))
 *   dF/dv = (sigma0 + sigma1/h) (h I/(1 + x) - t dx^T/(1 + x)^2) + sigma2 I
 *
 * Numbers in brackets are W&K's equations. Memo: x, g, frozen x of each cell (3 n).
 */
#include "planar/distributed_internal.h"
#include "planar/step_internal.h"

#include "law/law_internal.h"
#include "planar/bundle.h"

// A decay and its derivatives with respect to the cell's velocity.
typedef struct decay {
    double x;
    br_vec2 dx;
} decay;

// g of a cell and its slope.
typedef struct strength {
    double g, dg;
} strength;

// g (2) and, from it, its slope -(g - mu_c) gamma |v/v_s|^gamma/|v|
static strength strength_at(const br_law* law, double speed)
{
    const double g = br_law_g(law, speed), s = speed / law->v_stribeck;
    const double power = law->gamma == 2.0 ? s * s : pow(s, law->gamma);
    return (strength){g, speed > 0.0 ? -(g - law->mu_c) * law->gamma * power / speed : 0.0};
}

static br_vec2 unit(br_vec2 a, double norm)
{
    return norm > 0.0 ? (br_vec2){a.x / norm, a.y / norm} : (br_vec2){0.0, 0.0};
}

// a x + b y
static br_vec2 mix2(double a, br_vec2 x, double b, br_vec2 y)
{
    return (br_vec2){a * x.x + b * y.x, a * x.y + b * y.y};
}

static decay decay_lugre(const br_law* law, br_vec2 v, strength s, double h)
{
    const double speed = br_vec2_norm(v), x = h * law->sigma0 * speed / s.g;
    const double slope = (h * law->sigma0 - x * s.dg) / s.g;
    return (decay){x, br_vec2_scale(slope, unit(v, speed))};
}

// dx of a cell in the plastic band or beyond, from those of B and T
static decay decay_from(const br_law* law, double B, double T, br_vec2 dB, br_vec2 dT)
{
    if (T >= 1.0 + B) {
        return (decay){B, dB};
    }
    const double q = plastic_root(B, T, law->s_ba);
    double steep;
    const double alpha = plastic_share(q, law->s_ba, &steep);
    const double by_T = B * steep / (1.0 + B * (alpha + q * steep));
    return (decay){T / q - 1.0, mix2(alpha - by_T * q * alpha, dB, by_T, dT)};
}

static decay decay_plastic(const br_law* law, br_vec2 t, br_vec2 v, strength s, double h)
{
    const double length = br_vec2_norm(t), T = length * law->sigma0 / s.g;
    if (T <= law->s_ba) {
        return (decay){0.0, {0.0, 0.0}};
    }
    const double speed = br_vec2_norm(v), half = 0.5 * h * law->sigma0 / s.g;
    const br_vec2 t_hat = unit(t, length), v_hat = unit(v, speed);
    const double along = br_vec2_dot(v, t_hat), B = half * fmax(speed + along, 0.0);

    // dB = half (v^ + t^ + (h/|t|) (v - along t^)) - B dg/g v^,  dT = sigma0 h/g t^ - T dg/g v^
    const double turn = h / length, fall = s.dg / s.g;
    const br_vec2 across = mix2(turn, v, 1.0 - turn * along, t_hat);
    const br_vec2 dB = mix2(half, across, half - B * fall, v_hat);
    const br_vec2 dT = mix2(2.0 * half, t_hat, -T * fall, v_hat);
    return decay_from(law, B, T, dB, dT);
}

static decay decay_of(const br_law* law, br_vec2 t, br_vec2 v, strength s, double h)
{
    return law->kind == BR_LAW_LUGRE ? decay_lugre(law, v, s, h) : decay_plastic(law, t, v, s, h);
}

static br_vec2 cell_velocity(const br_distributed* m, size_t i, br_twist v)
{
    return (br_vec2){v.vx - v.w * m->y[i], v.vy + v.w * m->x[i]};
}

// Add a cell's force l and its derivative (xx, xy, yx, yy) to those of the patch.
static void add_cell(step_force* sum, double w, double x, double y, br_vec2 l, const double k[4])
{
    // columns: vx, vy, and w, which moves the cell by (-y, x)
    const double spin_x = k[1] * x - k[0] * y, spin_y = k[3] * x - k[2] * y;
    sum->f.e[0] += w * l.x;
    sum->f.e[1] += w * l.y;
    sum->f.e[2] += w * (x * l.y - y * l.x);
    sum->f_v.e[0][0] += w * k[0];
    sum->f_v.e[0][1] += w * k[1];
    sum->f_v.e[0][2] += w * spin_x;
    sum->f_v.e[1][0] += w * k[2];
    sum->f_v.e[1][1] += w * k[3];
    sum->f_v.e[1][2] += w * spin_y;
    sum->f_v.e[2][0] += w * (x * k[2] - y * k[0]);
    sum->f_v.e[2][1] += w * (x * k[3] - y * k[1]);
    sum->f_v.e[2][2] += w * (x * spin_y - y * spin_x);
}

// The part of a deflection within z_max = g/sigma0
static br_vec2 within(br_vec2 z, double z_max)
{
    const double norm = br_vec2_norm(z);
    return norm > z_max ? br_vec2_scale(z_max / norm, z) : z;
}

static void pass_cell(const br_distributed* m, const step_pass* in, size_t i, step_force* out)
{
    const br_law* law = &m->law;
    const size_t n = m->count;
    const double h = in->h, stiff = law->sigma0 + law->sigma1 / h;
    const br_vec2 v = cell_velocity(m, i, in->v), z0 = {in->z[i], in->z[n + i]};
    double* x = in->memo + i;
    double* g = x + n;

    // all of z0 follows x, unless the law is frozen: then what lies beyond z_max goes its own way
    strength s = {*g, 0.0};
    br_vec2 inner = z0;
    double beyond = 0.0;
    if (in->law == LAW_WHOLE) {
        s = strength_at(law, br_vec2_norm(v));
        *g = s.g;
    } else {
        inner = within(z0, s.g / law->sigma0);
        beyond = 1.0 / (1.0 + g[n]);
    }
    const br_vec2 t = mix2(1.0, inner, h, v);
    const decay d = decay_of(law, t, v, s, h);
    *x = d.x;

    const double rest = 1.0 / (1.0 + d.x);
    const br_vec2 z1 = mix2(rest, t, beyond, br_vec2_sub(z0, inner));
    const br_vec2 bristle = mix2(stiff, z1, -law->sigma1 / h, z0);
    const double a = stiff * h * rest + law->sigma2, b = stiff * rest * rest;
    const double k[4] = {a - b * t.x * d.dx.x, -b * t.x * d.dx.y, -b * t.y * d.dx.x,
                         a - b * t.y * d.dx.y};
    out->elastic &= d.x == 0.0;
    add_cell(out, m->weight[i], m->x[i], m->y[i], mix2(1.0, bristle, law->sigma2, v), k);
}

void distributed_step_pass(const br_distributed* m, const step_pass* in, step_force* out)
{
    (in->law == LAW_WHOLE ? m->pass : distributed_pass_plain)(m, in, out);
}

void distributed_pass_plain(const br_distributed* m, const step_pass* in, step_force* out)
{
    *out = (step_force){.elastic = 1};
    for (size_t i = 0; i < m->count; i++) {
        if (m->weight[i] > 0.0) {
            pass_cell(m, in, i, out);
        }
    }
}

static double sigma1_of(const br_law* law, double x, double h, int limited)
{
    return limited ? passive_sigma1(law, x, h) : law->sigma1;
}

void distributed_step_linear(const br_distributed* m, const step_pass* in, int limited,
                             step_linear* out)
{
    const br_law* law = &m->law;
    const size_t n = m->count;
    const double h = in->h;
    double one = 0.0, mx = 0.0, my = 0.0, square = 0.0, fx = 0.0, fy = 0.0, tau = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double x = m->x[i], y = m->y[i], rest = 1.0 / (1.0 + in->memo[i]);
        const double sigma1 = sigma1_of(law, in->memo[i], h, limited);

        // C = (sigma0 h + sigma1)/(1 + x) + sigma2,  c = ((sigma0 + sigma1/h)/(1 + x) - sigma1/h) z0
        const double c = m->weight[i] * ((law->sigma0 * h + sigma1) * rest + law->sigma2);
        const double b = m->weight[i] * ((law->sigma0 + sigma1 / h) * rest - sigma1 / h);
        const double bx = b * in->z[i], by = b * in->z[n + i];
        one += c;
        mx += c * x;
        my += c * y;
        square += c * (x * x + y * y);
        fx += bx;
        fy += by;
        tau += x * by - y * bx;
    }
    *out = (step_linear){{{{one, 0.0, -my}, {0.0, one, mx}, {-my, mx, square}}}, {{fx, fy, tau}}};
}

void distributed_step_close(const br_distributed* m, const step_pass* in, int limited, double* z1,
                            step_closed* out)
{
    const br_law* law = &m->law;
    const size_t n = m->count;
    *out = (step_closed){.heat = 0.0};
    for (size_t i = 0; i < n; i++) {
        const br_vec2 v = cell_velocity(m, i, in->v);
        bundle_step s = {.z0 = {in->z[i], in->z[n + i], 0.0},
                         .decay = {in->memo[i], in->memo[i], 0.0},
                         .sigma1 = sigma1_of(law, in->memo[i], in->h, limited),
                         .h = in->h};
        const double w = m->weight[i], rest = w > 0.0 ? 1.0 / (1.0 + in->memo[i]) : 0.0;
        s.z1[0] = rest * (s.z0[0] + in->h * v.x);
        s.z1[1] = rest * (s.z0[1] + in->h * v.y);
        double l[3];
        bundle_force(law, &s, l);
        const double lx = w * (l[0] + law->sigma2 * v.x), ly = w * (l[1] + law->sigma2 * v.y);
        out->f.e[0] += lx;
        out->f.e[1] += ly;
        out->f.e[2] += m->x[i] * ly - m->y[i] * lx;
        out->heat += w * (bundle_heat(law, &s) + law->sigma2 * br_vec2_dot(v, v));
        out->before += 0.5 * law->sigma0 * w * (s.z0[0] * s.z0[0] + s.z0[1] * s.z0[1]);
        out->after += 0.5 * law->sigma0 * w * (s.z1[0] * s.z1[0] + s.z1[1] * s.z1[1]);
        z1[i] = s.z1[0];
        z1[n + i] = s.z1[1];
    }
}

step_model distributed_step_model(const br_distributed* m)
{
    return (step_model){.states = 2 * m->count,
                        .bundles = m->count,
                        .memo = 3 * m->count,
                        .law = &m->law,
                        .axes = m->axes,
                        .spin = sqrt(m->value.u)};
}

double distributed_step_stored(const br_distributed* m, const double* z)
{
    double sum = 0.0;
    for (size_t i = 0; i < m->count; i++) {
        const double zx = z[i], zy = z[m->count + i];
        sum += m->weight[i] * (zx * zx + zy * zy);
    }
    return 0.5 * m->law.sigma0 * sum;
}
