/*
 * The limit surface of an axisymmetric patch by its curve: accurate to about 2e-8 (limit.h), C2,
 * and computed again in a microsecond if the force changes the form of the pressure.
 */
#include "limit/curve.h"
#include "limit/methods.h"

#include "patch/patch_internal.h"

typedef struct curve_data {
    curve_basis* basis; // owned; NULL if the curve is never computed again
    limit_curve curve;
} curve_data;

static void destroy(void* data)
{
    bri_curve_basis_destroy(((curve_data*)data)->basis);
    br_release(data);
}

static br_status init_curve(const br_limit* surface, curve_data* data, br_reason* why)
{
    const br_status status =
        bri_curve_init(data->basis, surface->def.patch, surface->def.fn, &data->curve);
    if (status != BR_OK) {
        br_reason_set(why, "method", "curve is for discs and rings without linear pressure");
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status create(br_limit* surface, br_reason* why)
{
    curve_data* data = br_allocate(1, sizeof *data);
    if (!data) {
        br_reason_set(why, "", "no memory for the curve of a limit surface");
        return BR_ERR_MEMORY;
    }
    br_status status = bri_curve_basis_create(&data->basis, why);
    if (status == BR_OK) {
        status = init_curve(surface, data, why);
    }
    if (status != BR_OK) {
        destroy(data);
        return status;
    }
    if (!bri_limit_changes_form(surface)) {
        bri_curve_basis_destroy(data->basis);
        data->basis = NULL;
    }
    surface->data = data;
    return BR_OK;
}

static br_limit_value eval(const br_limit* surface, br_twist v)
{
    return bri_curve_eval(&((const curve_data*)surface->data)->curve, v);
}

static void jacobian(const br_limit* surface, br_twist v, double out[3][3])
{
    bri_curve_jacobian_eval(&((const curve_data*)surface->data)->curve, v, out);
}

static void* copy(const void* data, arena* to)
{
    return arena_copy(to, data, sizeof(curve_data)); // the basis is shared
}

// The curve of radius 1 depends only on the form of the pressure; the size changes only the radius.
static void update(br_limit* surface)
{
    curve_data* data = surface->data;
    if (data->basis) {
        bri_curve_init(data->basis, surface->def.patch, surface->def.fn, &data->curve);
    }
    data->curve.radius = patch_radius(br_patch_get_def(surface->def.patch), surface->def.fn);
    data->curve.r = surface->value.r;
    data->curve.u = surface->value.u;
}

const limit_method bri_limit_curve = {create, destroy, eval, jacobian, copy, update};
