/* Constrained systems of any numbers that pass their check: eval, slide, hold; laws of a point. */
#include "fuzz.h"

#include <stdlib.h>

enum { MOST = 4 };

// Friction of a law at a point, along a line, in a plane and in space.
static void use_point(input* in)
{
    const br_law law = take_law(in);
    br_dahl_axes axes = {{1e4, 1e4, 1e4}, {1.0, 1.0, 1.0}};
    double z[3], v[3], dz[3];
    const size_t d = 1 + take_index(in, 3);
    const bool has_axes = take_byte(in) & 1;
    take_numbers(in, z, 3);
    take_numbers(in, v, 3);
    vary(in, &axes.sigma[0]);
    vary(in, &axes.alpha[0]);
    const bool is_good = axes.sigma[0] > 0.0 && axes.alpha[0] > 0.0;
    if (br_law_check(&law, NULL) == BR_OK) {
        const br_dahl_form form = (br_dahl_form)take_index(in, has_axes ? 3 : 1);
        const br_dahl_axes* own = has_axes && is_good ? &axes : NULL;
        br_point_law_eval(&law, own, d, z, v);
        br_point_law_rate(&law, form, own, d, z, v, take_number(in), dz);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    static double M[MOST * MOST], Q[MOST], A[MOST * MOST], b[MOST], J[3 * MOST], qd[MOST],
        normal[3];
    static br_constrained_value value;
    static br_constrained_slide_value slide;
    static br_constrained_hold_value hold;
    input in = {data, size};
    const size_t n = 1 + take_index(&in, MOST), m = take_index(&in, MOST),
                 d = 2 + take_index(&in, 2);
    br_constrained s = {.n = n, .m = m, .d = d, .M = M, .Q = Q, .A = A, .b = b, .J = J, .qd = qd};
    for (size_t i = 0; i < n * n; i++) {
        M[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
        vary(&in, &M[i]);
    }
    take_numbers(&in, Q, n);
    take_numbers(&in, A, m * n);
    take_numbers(&in, b, m);
    take_numbers(&in, J, d * n);
    take_numbers(&in, qd, n);
    take_numbers(&in, normal, 3);
    s.normals = take_index(&in, 3);
    s.normal = s.normals ? normal : NULL;
    s.normals = s.normals > 1 ? 1 : s.normals;
    s.contact = take_index(&in, MOST);
    s.mu = s.mu_s = 0.5;
    vary(&in, &s.mu);
    vary(&in, &s.mu_s);
    br_reason why;
    double slip[3], *work = calloc(br_constrained_get_work(n, m, d) + 1, sizeof *work);
    if (br_constrained_check(&s, work, &why) == BR_OK) {
        br_constrained_eval(&s, work, &value);
        br_constrained_slip(&s, slip);
        demand(br_constrained_find_contact(&s, normal) <= m);
        if (s.normals > 0) {
            const br_resistance resistance = br_constrained_coulomb(&s);
            br_constrained_slide(&s, &resistance, BR_NORMAL_GEOMETRIC, work, &slide);
            br_constrained_slide(&s, &resistance, BR_NORMAL_PAPER, work, &slide);
            br_constrained_hold(&s, work, &hold);
        }
    }
    free(work);
    use_point(&in);
    return 0;
}
