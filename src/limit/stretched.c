/*
 * Limit surfaces of anisotropic friction: the isotropic surface of the stretched patch behind a linear map.
 *
 *   D(v) = int |A v(rho)| p dA = D'(M v),   f = M^T f',   rho' = cof(M) rho,   M = diag(ratio, 1) R^T        
 *
 * R turns the principal axes of friction into those of the contact frame, so M differs from A by a rotation, which an
 * isotropic surface does not see. Every method follows: `inside` is a surface of def.method.
 */
#include "limit/methods.h"

#include "patch/mapped.h"

static const stretched* data_of(const br_limit* surface)
{
    return surface->data;
}

const stretched* bri_limit_stretched_of(const br_limit* surface)
{
    return surface->method == &bri_limit_stretched ? data_of(surface) : NULL;
}

// CoP of the true patch; r and u of the stretched one.
static br_patch_value value_of(const stretched* s)
{
    br_patch_value value = br_limit_get_patch_value(s->inside);
    value.cop = br_vec2_scale(1.0 / s->det, map2_apply_transposed(s->map, value.cop));
    value.area /= s->det;
    return value;
}

static br_status create_inside(const br_limit* surface, stretched* s, br_reason* why)
{
    br_limit_def def = surface->def;
    br_patch* patch = NULL;
    const map2 m = map2_cofactors(s->map);
    br_status status = bri_patch_create_mapped(
        def.patch, (const double[2][2]){{m.xx, m.xy}, {m.yx, m.yy}}, &patch, why);
    def.patch = patch;
    def.anisotropy = br_anisotropy_default();
    status = status == BR_OK ? br_limit_create(&def, &s->inside, why) : status;
    br_patch_destroy(patch);
    return status;
}

static br_status create(br_limit* surface, br_reason* why)
{
    const br_anisotropy* a = &surface->def.anisotropy;
    stretched* s = br_allocate(1, sizeof *s);
    if (!s) {
        br_reason_set(why, "", "no memory for a limit surface");
        return BR_ERR_MEMORY;
    }
    s->map = map2_multiply((map2){a->ratio, 0.0, 0.0, 1.0}, map2_of_axes(axes_of(a->angle)));
    s->det = a->ratio;
    const br_status status = create_inside(surface, s, why);
    if (status != BR_OK) {
        br_release(s);
        return status;
    }
    surface->data = s;
    surface->value = value_of(s);
    return BR_OK;
}

static void destroy(void* data)
{
    br_limit_destroy(((stretched*)data)->inside);
    br_release(data);
}

static br_limit_value eval(const br_limit* surface, br_twist v)
{
    const stretched* s = data_of(surface);
    br_limit_value value = br_limit_eval(s->inside, map2_enter(s->map, v));
    value.wrench = map2_leave(s->map, value.wrench);
    return value;
}

// J = M^T J' M, with the torque's row and column as they are
static void jacobian(const br_limit* surface, br_twist v, double out[3][3])
{
    const stretched* s = data_of(surface);
    const map2 m = s->map;
    double own[3][3], rows[3][3];
    br_limit_jacobian_eval(s->inside, map2_enter(m, v), own);
    for (int i = 0; i < 3; i++) {
        rows[i][0] = own[i][0] * m.xx + own[i][1] * m.yx;
        rows[i][1] = own[i][0] * m.xy + own[i][1] * m.yy;
        rows[i][2] = own[i][2];
    }
    for (int j = 0; j < 3; j++) {
        out[0][j] = m.xx * rows[0][j] + m.yx * rows[1][j];
        out[1][j] = m.xy * rows[0][j] + m.yy * rows[1][j];
        out[2][j] = rows[2][j];
    }
}

static void* copy(const void* data, arena* to)
{
    const stretched* s = data;
    stretched* own = arena_take(to, sizeof *own);
    br_limit* inside = bri_limit_copy(s->inside, to);
    if (own) {
        *own = (stretched){inside, s->map, s->det};
    }
    return own;
}

static void update(br_limit* surface)
{
    stretched* s = surface->data;
    bri_limit_follow(s->inside, surface->def.fn);
    surface->value = value_of(s);
}

const limit_method bri_limit_stretched = {.create = create,
                                          .destroy = destroy,
                                          .eval = eval,
                                          .jacobian = jacobian,
                                          .copy = copy,
                                          .update = update};
