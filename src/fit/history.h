/*
 * Common code of the histories of laws and of contacts: the change of bristles from row to row.
 */
#ifndef BRISTLE_FIT_HISTORY_H
#define BRISTLE_FIT_HISTORY_H

// Steps of the elasto-plastic method for each row, since the band of alpha is narrow, and the weight of its stages:
// 1 - 1/sqrt(2) is L-stable and of order 2. The second stage starts at u0 + HISTORY_ON of the first one's change.
enum { HISTORY_STEPS = 4 };
#define HISTORY_STAGE 0.29289321881345254
#define HISTORY_ON    ((1.0 - HISTORY_STAGE) / HISTORY_STAGE)

// Plastic share (6) over q, and its derivatives.
typedef struct plastic_share {
    vec alpha, by_q, by_s_ba;
} plastic_share;

INLINE plastic_share share_eval(vec q, double s_ba)
{
    const vec per_band = all(1.0 / (1.0 - s_ba));
    const vec turn = band_turn(q, all(0.5 * (1.0 + s_ba)), per_band);
    const vec by_q = share_slope(turn, per_band);
    return (plastic_share){0.5 * twice_share(turn), by_q, share_by_s_ba(by_q, turn)};
}

// phi(x) = (1 - e^-x)/x; e = e^-x
INLINE dual history_phi(dual x, vec e)
{
    const mask near = x.v < 1e-3;
    const vec v = x.v, far = pick(near, all(1.0), v), phi = (1.0 - e) / far;
    const vec series = 1.0 - v * (0.5 - v * (1.0 / 6.0 - v * (1.0 / 24.0)));
    const vec slope = -0.5 + v * (1.0 / 3.0 - v * 0.125);
    return dual_chain(x, pick(near, series, phi), pick(near, slope, (e - phi) / far));
}

// Bristles over a row whose steady value goes from t0 to t1 in a line, x relaxation times:           (F-1)
//   u1 = t1 - (t1 - t0) phi(x) + (u0 - t0) e^-x
INLINE dual history_relax(dual u, dual t0, dual t1, dual x)
{
    const vec e = exp_of(-x.v);
    const dual moved = dual_product(dual_difference(t1, t0), history_phi(x, e));
    const dual left = dual_product(dual_difference(u, t0), dual_chain(x, e, -e));
    return dual_sum(dual_difference(t1, moved), left);
}

#endif
