/*
 * Power-law pressure: norm, moments, share of the force within a radius.
 *
 * W&K = Waltersson & Karayiannidis. Deviation from print, W-44: (44) has the factor 1.144 for
 * every k, which is C_4 alone; C_k is computed here, so that the pressure integrates to 1.
 *
 * Gamma functions come from tgamma, or from Stirling's series where that would overflow; lgamma is
 * avoided because it may write the global signgam.
 */
#include "patch/power_law.h"

#include "bristle/math.h"

// ln Gamma(1 + z), z >= 0.
static double log_gamma_1p(double z)
{
    if (z < 40.0) {
        return log(tgamma(1.0 + z));
    }
    // ln Gamma(x) = (x - 1/2) ln x - x + ln(2 pi)/2 + 1/(12 x) - 1/(360 x^3) + 1/(1260 x^5) - ...
    // (Abramowitz & Stegun 6.1.41; the next term is below 1e-14 for x > 40)
    const double x = 1.0 + z, y = 1.0 / (x * x);
    const double series = (1.0 / 12.0 - y * (1.0 / 360.0 - y / 1260.0)) / x;
    return (x - 0.5) * log(x) - x + 0.5 * log(2.0 * BR_PI) + series;
}

// Gamma(1+a) Gamma(1+b) / (Gamma(1+c) Gamma(1+d)), a the largest.
static double gamma_ratio(double a, double b, double c, double d)
{
    if (!(a > 100.0)) {
        return tgamma(1.0 + a) / tgamma(1.0 + c) * (tgamma(1.0 + b) / tgamma(1.0 + d));
    }
    return exp(log_gamma_1p(a) - log_gamma_1p(c) + (log_gamma_1p(b) - log_gamma_1p(d)));
}

double bri_power_law_norm(double k)
{
    // C_k = k/(2 Beta(2/k, 1 + 1/k)) = Gamma(1 + 3/k)/(Gamma(1 + 2/k) Gamma(1 + 1/k))         (44)
    return gamma_ratio(3.0 / k, 0.0, 2.0 / k, 1.0 / k);
}

double bri_power_law_moment(double k, int n)
{
    if (k < POWER_LAW_POINT_K) {
        return n == 0 ? 1.0 : 0.0;
    }
    // <rho^n> = C_k (2/k) Beta((n+2)/k, 1 + 1/k)
    //         = 2/(n+2) Gamma(1 + (n+2)/k) Gamma(1 + 3/k)/(Gamma(1 + (n+3)/k) Gamma(1 + 2/k));
    // written with 1 + ... so that no precision is lost for large k
    const double up = (n + 2) / k, down = (n + 3) / k;
    return 2.0 / (n + 2) / gamma_ratio(down, 2.0 / k, up, 3.0 / k);
}

double bri_power_law_pressure(double k, double norm, double rho)
{
    if (rho >= 1.0) {
        return 0.0;
    }
    if (k == 2.0) {
        return norm / BR_PI * sqrt((1.0 - rho) * (1.0 + rho));
    }
    return norm / BR_PI * pow(-expm1(k * log(rho)), 1.0 / k);
}

// Coefficient j >= 1 of the continued fraction of the incomplete Beta function
// (Abramowitz & Stegun 26.5.8).
static double fraction_term(double a, double b, double x, int j)
{
    const double m = j / 2;
    if (j == 1) {
        return -(a + b) * x / (a + 1.0);
    }
    if (j % 2 == 1) {
        return -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
    }
    return m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
}

// 1/(1 + d_1/(1 + d_2/(1 + ...))) by the modified method of Lentz: c and d are the ratios of
// successive numerators and denominators.
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1.0, d = 0.0, value = 1.0;

    // about sqrt(a + b) terms are needed: 300 suffice for the smallest k
    for (int j = 1; j <= 300; j++) {
        const double term = fraction_term(a, b, x, j);
        d = 1.0 + term * d;
        d = 1.0 / (fabs(d) < tiny ? tiny : d);
        c = 1.0 + term / c;
        c = fabs(c) < tiny ? tiny : c;
        value *= c * d;
        if (fabs(c * d - 1.0) < 1e-16) {
            break;
        }
    }
    return 1.0 / value;
}

double bri_power_law_inside(double k, double norm, double rho)
{
    if (rho <= 0.0 || rho >= 1.0) {
        return rho <= 0.0 ? 0.0 : 1.0;
    }
    if (k == 2.0) { // Hertz: 1 - (1 - rho^2)^(3/2)
        const double y = (1.0 - rho) * (1.0 + rho);
        return 1.0 - y * sqrt(y);
    }
    // I_x(a, b), a = 2/k, b = 1 + 1/k, x = rho^k; its factor x^a (1-x)^b/(a Beta(a, b)) is
    // C_k rho^2 (1-x)^b
    const double a = 2.0 / k, b = 1.0 + 1.0 / k;
    const double x = pow(rho, k), y = -expm1(k * log(rho));
    const double factor = norm * rho * rho * pow(y, b);
    if (x < (a + 1.0) / (a + b + 2.0)) {
        return factor * beta_fraction(a, b, x);
    }
    return 1.0 - factor * a / b * beta_fraction(b, a, y);
}

void bri_power_law_table_fill(power_law_table* table, double k, double norm)
{
    const int last = POWER_LAW_NODES - 1;
    table->k = k;
    for (int i = 0; i <= last; i++) {
        const double s = (double)i / last, rho = 1.0 - s * s * s * s;
        table->value[i] = bri_power_law_inside(k, norm, rho);

        // d/ds of the share: 2 pi rho p drho/ds
        table->slope[i] =
            -8.0 * BR_PI * s * s * s * rho * bri_power_law_pressure(k, norm, fmax(rho, 0.0)) / last;
    }
}

double bri_power_law_table_inside(const power_law_table* table, double rho)
{
    const double at = (POWER_LAW_NODES - 1) * sqrt(sqrt(fmax(1.0 - rho, 0.0)));
    const int i = (int)fmin(at, POWER_LAW_NODES - 2);
    const double t = at - i, u = 1.0 - t;

    // cubic through values and slopes of both nodes (Hermite)
    return u * u * ((1.0 + 2.0 * t) * table->value[i] + t * table->slope[i]) +
           t * t * ((1.0 + 2.0 * u) * table->value[i + 1] - u * table->slope[i + 1]);
}
