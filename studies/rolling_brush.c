/*
 * Closed forms of rolling contact: steady brush and LuGre wheels, and their linear step response.
 *
 * All in s = sigma0 2a |slip|/mu, the deflection at the trailing edge over that of sliding with the mean
 * pressure. Brush with parabolic pressure and constant stiffness: Pacejka, Tyre and Vehicle Dynamics,
 * 3.2; LuGre: Canudas de Wit et al., Vehicle System Dynamics 39 (2003). The others are integrated the same way.
 */
#include "rolling_brush.h"

#include <math.h>

// Force over mu fn and torque over mu fn a, both along the slip.
typedef struct steady {
    double force, torque;
} steady;

rolling_slip rolling_slip_of(double kappa, double alpha)
{
    return (rolling_slip){-kappa / (1.0 + kappa), tan(alpha) / (1.0 + kappa)};
}

rolling_motion rolling_motion_of(rolling_slip slip, double speed)
{
    return (rolling_motion){{slip.x * speed, slip.y * speed, 0.0}, speed};
}

// Uniform pressure: slides behind w = min(1/s, 1).                                    
static steady brush_uniform(double s)
{
    const double w = fmin(1.0 / s, 1.0);
    if (s <= 1.0) {
        return (steady){s / 2.0, -s / 6.0};
    }
    return (steady){1.0 - w / 2.0, -w / 2.0 + w * w / 3.0};
}

// Parabolic pressure, constant stiffness: t = s/6, all slides from t = 1 on.          
static steady brush_tread(double s)
{
    const double t = fmin(s / 6.0, 1.0);
    return (steady){t * (3.0 - 3.0 * t + t * t), -t * pow(1.0 - t, 3.0)};
}

// Parabolic pressure, stiffness of the pressure: slides behind w.                     
static steady brush_pressure(double s)
{
    const double w = fmin(1.0 / s, 1.0);
    if (s <= 1.0) {
        return (steady){s / 2.0, -s / 10.0};
    }
    return (steady){1.0 - w * w + w * w * w / 2.0, w * w * (-1.0 + 1.5 * w - 0.6 * w * w)};
}

// Integral of w^3 exp(-s w) over [0, 1], for s <= 1: its series.
static double third_moment(double s)
{
    double sum = 0.0, term = 1.0;
    for (int k = 0; k < 20; k++) {
        sum += term / (double)(k + 4);
        term *= -s / (double)(k + 1);
    }
    return sum;
}

// Integrals of w^n exp(-s w) over [0, 1], n = 0..3: s m[n] = n m[n - 1] - exp(-s), upwards where s is large.
static void moments(double s, double m[4])
{
    if (s <= 1.0) {
        m[3] = third_moment(s);
        for (int n = 3; n > 0; n--) {
            m[n - 1] = (s * m[n] + exp(-s)) / (double)n;
        }
        return;
    }
    m[0] = -expm1(-s) / s;
    for (int n = 1; n < 4; n++) {
        m[n] = ((double)n * m[n - 1] - exp(-s)) / s;
    }
}

// z = z_max (1 - exp(-s w)): 1 - integral of the pressure and exp(-s w).              
static steady lugre_steady(double s, rolling_pressure pressure)
{
    double m[4];
    moments(s, m);
    if (pressure == ROLLING_UNIFORM) {
        return (steady){1.0 - m[0], -(m[0] - 2.0 * m[1])};
    }
    return (steady){1.0 - 6.0 * (m[1] - m[2]), -6.0 * (m[1] - 3.0 * m[2] + 2.0 * m[3])};
}

bool rolling_is_closed(const rolling* w)
{
    return w->bristle == ROLLING_BRUSH || w->pressure == ROLLING_UNIFORM ||
           w->stiffness == ROLLING_OF_PRESSURE;
}

static steady steady_of(const rolling* w, double s)
{
    if (w->bristle == ROLLING_LUGRE) {
        return lugre_steady(s, w->pressure);
    }
    if (w->pressure == ROLLING_UNIFORM) {
        return brush_uniform(s);
    }
    return w->stiffness == ROLLING_OF_TREAD ? brush_tread(s) : brush_pressure(s);
}

br_wrench rolling_steady(const rolling* w, rolling_slip slip)
{
    const double size = hypot(slip.x, slip.y), a = w->half_length, limit = w->law.mu_c * w->fn;
    if (!(size > 0.0)) {
        return (br_wrench){0.0, 0.0, 0.0};
    }
    const steady of = steady_of(w, w->law.sigma0 * 2.0 * a * size / w->law.mu_c);
    return (br_wrench){-limit * of.force * slip.x / size, -limit * of.force * slip.y / size,
                       -limit * a * of.torque * slip.y / size};
}

// 2u - u^2, and 2u - 2u^3 + u^4 where bristles in the middle are stiffer              
double rolling_step_force(const rolling* w, double u)
{
    if (u >= 1.0) {
        return 1.0;
    }
    const bool is_same = w->stiffness == ROLLING_OF_TREAD || w->pressure == ROLLING_UNIFORM;
    return is_same ? u * (2.0 - u) : u * (2.0 - u * u * (2.0 - u));
}

// 3u^2 - 2u^3                                                                         
double rolling_step_torque(double u)
{
    return u >= 1.0 ? 1.0 : u * u * (3.0 - 2.0 * u);
}

double rolling_step_length(void)
{
    return -expm1(-0.5);
}

// fy = -sigma0 fn a^2 turn/3                                                          
double rolling_turn_force(const rolling* w, double turn)
{
    const double a = w->half_length;
    return -w->law.sigma0 * w->fn * a * a * turn / 3.0;
}
