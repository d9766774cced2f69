/// @file field.h
/// Fields of friction: a factor on mu that depends on the position on a surface.
///
/// A worn spot, a wet strip, a boundary between two floors. A field multiplies the friction of a contact where it
/// touches the surface: a cell with the share p of the normal force and the factor f has the weight p f. Its
/// stiffness and damping scale along, the deflection z_max = mu_s/sigma0 stays. So a contact on a field is the contact
/// of the pressure p f, with the normal force of p (docs/explanation/models.md).
///
/// SI units. Positions are in the frame of the surface that has the field: the ground's, or the contact frame for a field
/// that is fixed to the patch (br_contact_def.field, br_contact_at()).
#ifndef BRISTLE_FIELD_H
#define BRISTLE_FIELD_H

#include "bristle/base.h"
#include "bristle/math.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The list of interpolations: enumerator, name in scenario files.
#define BR_INTERPOLATION_LIST(X)                                                                   \
    X(BR_INTERPOLATION_CONSTANT, "constant")                                                       \
    X(BR_INTERPOLATION_BILINEAR, "bilinear")

/// The factor between the centres of the grid's cells.
typedef enum br_interpolation {
#define BR_INTERPOLATION_ENUM(value, name) value, ///< see BR_INTERPOLATION_LIST
    BR_INTERPOLATION_LIST(BR_INTERPOLATION_ENUM)
#undef BR_INTERPOLATION_ENUM
} br_interpolation;

/// Definition of a field: a grid of factors over a rectangle. Start from br_field_def_default().
typedef struct br_field_def {
    size_t size;    ///< set by the default function; do not touch
    size_t columns; ///< cells along x, >= 1
    size_t rows;    ///< cells along y, >= 1
    const double*
        factors;    ///< mu there over mu of the law [-], >= 0, row 0 at max y (rows x columns)
    double size_x;  ///< extent of the grid along x [m], > 0
    double size_y;  ///< extent of the grid along y [m], > 0
    br_vec2 centre; ///< centre of the grid on the surface [m]
    double angle;   ///< of the grid on the surface [rad]
    /// constant: the cell's factor, it jumps at the edges of cells; bilinear: between the centres of cells
    br_interpolation interpolation;
    /// factor around the grid [-], >= 0; with bilinear interpolation from one cell beyond its edge on. NaN (the
    /// default): the outermost cells continue
    double outside;
} br_field_def;

/// A field. Immutable after creation; many threads may share one.
typedef struct br_field br_field;

/// Default definition: constant cells, the outermost continue, centred at the origin; grid and size must be set.
BR_API br_field_def br_field_def_default(void);

/// Name of an interpolation in scenario files; static, never NULL.
BR_API const char* br_interpolation_get_name(br_interpolation interpolation);

/// Create a field. Copies the factors. A factor below 1e-12 counts as 0.
/// @param[out] out  the field, or NULL on failure; free it with br_field_destroy()
/// @param[out] why  may be NULL; filled when the result is not BR_OK: "grid", "size[0]", "outside", ...
/// @return BR_OK, BR_ERR_DEF or BR_ERR_MEMORY
BR_API br_status br_field_create(const br_field_def* def, br_field** out, br_reason* why);

/// Free a field; NULL is allowed. Contacts that were created with it stay valid.
BR_API void br_field_destroy(br_field* field);

/// Factor at a point of the surface [-]. On an edge between cells: that of the cell to the right or below. Never fails,
/// never allocates; NaN in gives NaN out.
BR_API double br_field_eval(const br_field* field, br_vec2 at);

#ifdef __cplusplus
}
#endif

#endif
