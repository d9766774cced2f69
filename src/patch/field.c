/*
 * Fields of friction: a grid of factors on a surface, and their mean over the cells of a patch.
 *
 * All is computed in the grid's own coordinates, in cells from its left and top edge: cell (i, j) is
 * [i, i+1] x [j, j+1]; the outermost cells continue to infinity. A factor around the grid is a ring of cells more.
 *
 * Constant cells: the mean over a cell of the patch, a turned rectangle, is exact: the rectangle is cut along the
 * grid's lines. So weights are continuous while a patch with an extent crosses an edge; points jump there.
 * Bilinear: the factor at the centre, of second order in the cell's size.
 */
#include "patch/field.h"

#include <stdint.h>
#include <string.h>

#include "base/definition.h"
#include "base/owners.h"

// A smaller factor counts as 0: no force matters beside those of other cells.
static const double least_factor = 1e-12;

// The uniform case is looked for in at most this many of the grid's cells.
enum { MAX_LOOKED_AT = 64 };

// x = by_x[0] X + by_y[0] Y + at[0], the same for y: from some frame to the grid's coordinates.
typedef struct affine {
    double by_x[2], by_y[2], at[2];
} affine;

struct br_field {
    size_t columns, rows; // with the ring around, if any
    double* factor;       // (rows x columns)
    affine from_surface;
    br_vec2 cell; // sides of a cell [m]
    br_interpolation interpolation;
    owners owners;
};

br_field_def br_field_def_default(void)
{
    return (br_field_def){.size = sizeof(br_field_def), .outside = (double)NAN};
}

const char* br_interpolation_get_name(br_interpolation interpolation)
{
    switch (interpolation) {
#define INTERPOLATION_CASE(value, name)                                                            \
    case value:                                                                                    \
        return name;
        BR_INTERPOLATION_LIST(INTERPOLATION_CASE)
#undef INTERPOLATION_CASE
    }
    return "unknown interpolation";
}

// --- creation ---------------------------------------------------------------------------------------------

static br_status refuse(br_reason* why, const char* field, const char* allowed, double got)
{
    br_reason_set(why, field, "must be %s, got %g", allowed, got);
    return BR_ERR_DEF;
}

static br_status check_factors(const br_field_def* def, br_reason* why)
{
    if (def->columns < 1 || def->rows < 1 || def->columns > SIZE_MAX / 16 / def->rows ||
        !def->factors) {
        br_reason_set(why, "grid", "must have at least one row and one column");
        return BR_ERR_DEF;
    }
    for (size_t i = 0; i < def->columns * def->rows; i++) {
        if (!(isfinite(def->factors[i]) && def->factors[i] >= 0.0)) {
            br_reason_set(why, "grid",
                          "must be >= 0 and finite (0: no friction), got %g in row %zu",
                          def->factors[i], i / def->columns + 1);
            return BR_ERR_DEF;
        }
    }
    return BR_OK;
}

static br_status check(const br_field_def* def, br_reason* why)
{
    const char* const positive = "> 0 and finite";
    const double sum = def->centre.x + def->centre.y + def->angle;
    if (check_factors(def, why) != BR_OK) {
        return BR_ERR_DEF;
    }
    if (!(isfinite(def->size_x) && def->size_x > 0.0)) {
        return refuse(why, "size[0]", positive, def->size_x);
    }
    if (!(isfinite(def->size_y) && def->size_y > 0.0)) {
        return refuse(why, "size[1]", positive, def->size_y);
    }
    if (!isfinite(sum)) {
        return refuse(why, isfinite(def->angle) ? "centre" : "angle", "finite", sum);
    }
    if (!isnan(def->outside) && !(isfinite(def->outside) && def->outside >= 0.0)) {
        return refuse(why, "outside", ">= 0 and finite", def->outside);
    }
    if ((unsigned)def->interpolation > BR_INTERPOLATION_BILINEAR) {
        br_reason_set(why, "interpolation", "must be constant or bilinear, got %d",
                      (int)def->interpolation);
        return BR_ERR_DEF;
    }
    return BR_OK;
}

// X = (cos (x - cx) + sin (y - cy))/cell + columns/2,   Y = (sin (x - cx) - cos (y - cy))/cell + rows/2
static affine into_grid(const br_field_def* def, const br_field* f)
{
    const double c = cos(def->angle), s = sin(def->angle);
    const double per_x = (double)def->columns / def->size_x,
                 per_y = (double)def->rows / def->size_y;
    affine a = {{per_x * c, per_y * s}, {per_x * s, -per_y * c}, {0.0, 0.0}};
    a.at[0] = 0.5 * (double)f->columns - a.by_x[0] * def->centre.x - a.by_y[0] * def->centre.y;
    a.at[1] = 0.5 * (double)f->rows - a.by_x[1] * def->centre.x - a.by_y[1] * def->centre.y;
    return a;
}

// Copy the factors into the middle; a ring around them has the factor `outside`.
static void fill(br_field* f, const br_field_def* def, size_t ring)
{
    for (size_t i = 0; i < f->columns * f->rows; i++) {
        const size_t column = i % f->columns - ring, row = i / f->columns - ring;
        const int is_inside = column < def->columns && row < def->rows; // wraps below 0
        const double value = is_inside ? def->factors[row * def->columns + column] : def->outside;
        f->factor[i] = value < least_factor ? 0.0 : value;
    }
}

br_status br_field_create(const br_field_def* given, br_field** out, br_reason* why)
{
    BR_ASSERT(given && out);
    *out = NULL;
    br_field_def def = br_field_def_default();
    br_status status = DEFINITION_READ(br_field_def, given, &def, why);
    status = status == BR_OK ? check(&def, why) : status;
    if (status != BR_OK) {
        return status;
    }
    const size_t ring = isnan(def.outside) ? 0 : 1;
    br_field* f = br_allocate(1, sizeof *f);
    double* factor = br_allocate((def.columns + 2 * ring) * (def.rows + 2 * ring), sizeof *factor);
    if (!f || !factor) {
        br_release(f);
        br_release(factor);
        br_reason_set(why, "grid", "no memory for %zu x %zu cells", def.rows, def.columns);
        return BR_ERR_MEMORY;
    }
    f->columns = def.columns + 2 * ring;
    f->rows = def.rows + 2 * ring;
    f->factor = factor;
    f->interpolation = def.interpolation;
    f->cell = (br_vec2){def.size_x / (double)def.columns, def.size_y / (double)def.rows};
    f->from_surface = into_grid(&def, f);
    fill(f, &def, ring);
    *out = f;
    return BR_OK;
}

const br_field* bri_field_share(const br_field* field)
{
    if (field) {
        owners_join(&((br_field*)field)->owners);
    }
    return field;
}

void br_field_destroy(br_field* field)
{
    if (field && owners_leave(&field->owners)) {
        br_release(field->factor);
        br_release(field);
    }
}

// --- values -----------------------------------------------------------------------------------------------

// The cell of a grid's coordinate; the outermost continue.
static size_t cell_at(double x, size_t count)
{
    return !(x >= 1.0) ? 0 : x >= (double)count ? count - 1 : (size_t)x;
}

static double constant_at(const br_field* f, double x, double y)
{
    return f->factor[cell_at(y, f->rows) * f->columns + cell_at(x, f->columns)];
}

// Between the centres of cells, which are at i + 1/2.
static double bilinear_at(const br_field* f, double x, double y)
{
    const size_t i = cell_at(x - 0.5, f->columns), j = cell_at(y - 0.5, f->rows);
    const size_t right = i + 1 < f->columns, below = j + 1 < f->rows ? f->columns : 0;
    const double u = fmin(fmax(x - 0.5 - (double)i, 0.0), 1.0),
                 v = fmin(fmax(y - 0.5 - (double)j, 0.0), 1.0);
    const double *top = f->factor + j * f->columns + i, *low = top + below;
    return (1.0 - v) * ((1.0 - u) * top[0] + u * top[right]) +
           v * ((1.0 - u) * low[0] + u * low[right]);
}

static br_vec2 apply(const affine* a, double x, double y)
{
    return (br_vec2){a->by_x[0] * x + a->by_y[0] * y + a->at[0],
                     a->by_x[1] * x + a->by_y[1] * y + a->at[1]};
}

double br_field_eval(const br_field* f, br_vec2 at)
{
    BR_ASSERT(f);
    const br_vec2 p = apply(&f->from_surface, at.x, at.y);
    if (isnan(p.x) || isnan(p.y)) {
        return (double)NAN;
    }
    return f->interpolation == BR_INTERPOLATION_BILINEAR ? bilinear_at(f, p.x, p.y)
                                                         : constant_at(f, p.x, p.y);
}

// --- mean over a cell of the patch ------------------------------------------------------------------------

// A range of the grid's cells, the last ones included.
typedef struct span {
    size_t left, right, top, bottom;
} span;

static span span_of(const br_field* f, br_vec2 at, double half_x, double half_y)
{
    return (span){cell_at(at.x - half_x, f->columns), cell_at(at.x + half_x, f->columns),
                  cell_at(at.y - half_y, f->rows), cell_at(at.y + half_y, f->rows)};
}

static int is_uniform(const br_field* f, span in)
{
    const double first = f->factor[in.top * f->columns + in.left];
    for (size_t j = in.top; j <= in.bottom; j++) {
        for (size_t i = in.left; i <= in.right; i++) {
            if (f->factor[j * f->columns + i] != first) {
                return 0;
            }
        }
    }
    return 1;
}

// Bounds of cell i along an axis; the outermost cells continue.
static double low_of(size_t i)
{
    return i == 0 ? -HUGE_VAL : (double)i;
}
static double high_of(size_t i, size_t count)
{
    return i + 1 == count ? HUGE_VAL : (double)i + 1.0;
}

// A rectangle cut by four lines has at most eight corners.
typedef struct shape {
    br_vec2 at[12];
    size_t count;
} shape;

static double along(br_vec2 a, int axis)
{
    return axis ? a.y : a.x;
}

// The part of a convex shape with sign (x - bound) >= 0, x along the axis.
static shape cut(const shape* s, int axis, double bound, double sign)
{
    shape out = {.count = 0};
    for (size_t i = 0; i < s->count; i++) {
        const br_vec2 a = s->at[i], b = s->at[i + 1 < s->count ? i + 1 : 0];
        const double da = sign * (along(a, axis) - bound), db = sign * (along(b, axis) - bound);
        if (da >= 0.0) {
            out.at[out.count++] = a;
        }
        if ((da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0)) {
            const double t = da / (da - db);
            out.at[out.count++] = (br_vec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        }
    }
    return out;
}

static shape cut_between(const shape* s, int axis, double low, double high)
{
    shape out = isinf(low) ? *s : cut(s, axis, low, 1.0);
    return isinf(high) ? out : cut(&out, axis, high, -1.0);
}

static double area_of(const shape* s)
{
    double sum = 0.0;
    for (size_t i = 2; i < s->count; i++) {
        const br_vec2 a = br_vec2_sub(s->at[i - 1], s->at[0]), b = br_vec2_sub(s->at[i], s->at[0]);
        sum += a.x * b.y - a.y * b.x;
    }
    return 0.5 * fabs(sum);
}

// Mean over the rectangle at +- a +- b.
static double mean_over(const br_field* f, span in, br_vec2 at, br_vec2 a, br_vec2 b)
{
    const shape all = {{{at.x - a.x - b.x, at.y - a.y - b.y},
                        {at.x + a.x - b.x, at.y + a.y - b.y},
                        {at.x + a.x + b.x, at.y + a.y + b.y},
                        {at.x - a.x + b.x, at.y - a.y + b.y}},
                       4};
    double sum = 0.0, area = 0.0;
    for (size_t j = in.top; j <= in.bottom; j++) {
        const shape row = cut_between(&all, 1, low_of(j), high_of(j, f->rows));
        for (size_t i = in.left; i <= in.right; i++) {
            const shape one = cut_between(&row, 0, low_of(i), high_of(i, f->columns));
            const double part = area_of(&one);
            sum += part * f->factor[j * f->columns + i];
            area += part;
        }
    }
    return area > 0.0 ? sum / area : constant_at(f, at.x, at.y);
}

// Shorten the range [t[0], t[1]] to where x + t dx is within the bounds.
static void shorten(double t[2], double x, double dx, double low, double high)
{
    if (dx == 0.0) { // exact: the segment is along the other axis
        t[1] = x >= low && x <= high ? t[1] : t[0];
        return;
    }
    const double a = (low - x) / dx, b = (high - x) / dx;
    t[0] = fmax(t[0], fmin(a, b));
    t[1] = fmin(t[1], fmax(a, b));
}

// Mean over the segment at +- a.
static double mean_along(const br_field* f, span in, br_vec2 at, br_vec2 a)
{
    double sum = 0.0, length = 0.0;
    for (size_t j = in.top; j <= in.bottom; j++) {
        for (size_t i = in.left; i <= in.right; i++) {
            double t[2] = {-1.0, 1.0};
            shorten(t, at.x, a.x, low_of(i), high_of(i, f->columns));
            shorten(t, at.y, a.y, low_of(j), high_of(j, f->rows));
            const double part = fmax(t[1] - t[0], 0.0);
            sum += part * f->factor[j * f->columns + i];
            length += part;
        }
    }
    return length > 0.0 ? sum / length : constant_at(f, at.x, at.y);
}

// Mean of constant cells over a cell of the patch with the half axes a and b, which may be 0.
static double constant_mean(const br_field* f, br_vec2 at, br_vec2 a, br_vec2 b)
{
    const span in = span_of(f, at, fabs(a.x) + fabs(b.x), fabs(a.y) + fabs(b.y));
    if (is_uniform(f, in)) {
        return f->factor[in.top * f->columns + in.left];
    }
    if (b.x == 0.0 && b.y == 0.0) { // exact: lines and points have no extent along y
        return a.x == 0.0 && a.y == 0.0 ? constant_at(f, at.x, at.y) : mean_along(f, in, at, a);
    }
    return mean_over(f, in, at, a, b);
}

// --- weights ----------------------------------------------------------------------------------------------

// From the frame at `pose` on the surface to the grid's coordinates.
static affine compose(const affine* a, br_pose pose)
{
    const double c = cos(pose.theta), s = sin(pose.theta);
    const br_vec2 at = apply(a, pose.x, pose.y);
    return (affine){{a->by_x[0] * c + a->by_y[0] * s, a->by_x[1] * c + a->by_y[1] * s},
                    {a->by_y[0] * c - a->by_x[0] * s, a->by_y[1] * c - a->by_x[1] * s},
                    {at.x, at.y}};
}

patch_box bri_field_box(const br_cells* cells)
{
    br_vec2 low = {HUGE_VAL, HUGE_VAL}, high = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < cells->count; i++) {
        low = (br_vec2){fmin(low.x, cells->x[i]), fmin(low.y, cells->y[i])};
        high = (br_vec2){fmax(high.x, cells->x[i]), fmax(high.y, cells->y[i])};
    }
    return (patch_box){
        {0.5 * (low.x + high.x), 0.5 * (low.y + high.y)},
        {0.5 * (high.x - low.x) + cells->half_x, 0.5 * (high.y - low.y) + cells->half_y}};
}

// The factor if it is the same all over the box, else NaN. Between centres a field depends on the cells around, too.
static double factor_over(const br_field* f, const affine* a, patch_box box)
{
    const double more = f->interpolation == BR_INTERPOLATION_BILINEAR ? 0.5 : 0.0;
    const br_vec2 at = apply(a, box.centre.x, box.centre.y);
    const span in =
        span_of(f, at, more + fabs(a->by_x[0]) * box.half.x + fabs(a->by_y[0]) * box.half.y,
                more + fabs(a->by_x[1]) * box.half.x + fabs(a->by_y[1]) * box.half.y);
    const size_t count = (in.right - in.left + 1) * (in.bottom - in.top + 1);
    return count <= MAX_LOOKED_AT && is_uniform(f, in) ? f->factor[in.top * f->columns + in.left]
                                                       : (double)NAN;
}

static double idle_or(double weight)
{
    return weight > BR_CELLS_IDLE || isnan(weight) ? weight : BR_CELLS_IDLE;
}

void bri_field_scale(const br_cells* cells, double factor, double* weight)
{
    for (size_t i = 0; i < cells->count; i++) {
        weight[i] = idle_or(factor * cells->weight[i]);
    }
}

double bri_field_weigh(const br_field* f, br_pose pose, const br_cells* cells, patch_box box,
                       double* weight)
{
    const affine to = compose(&f->from_surface, pose);
    if (!isfinite(to.at[0] + to.at[1] + to.by_x[0])) {
        bri_field_scale(cells, (double)NAN, weight);
        return (double)NAN;
    }
    const double uniform = factor_over(f, &to, box);
    if (!isnan(uniform)) {
        return uniform;
    }
    const br_vec2 a = {to.by_x[0] * cells->half_x, to.by_x[1] * cells->half_x},
                  b = {to.by_y[0] * cells->half_y, to.by_y[1] * cells->half_y};
    const int is_bilinear = f->interpolation == BR_INTERPOLATION_BILINEAR;
    for (size_t i = 0; i < cells->count; i++) {
        const br_vec2 at = apply(&to, cells->x[i], cells->y[i]);
        const double factor = is_bilinear ? bilinear_at(f, at.x, at.y) : constant_mean(f, at, a, b);
        weight[i] = idle_or(factor * cells->weight[i]);
    }
    return (double)NAN;
}

// --- points and the edges of constant cells ---------------------------------------------------------------

br_vec2 bri_field_cell(const br_field* f)
{
    return f->cell;
}

int bri_field_jumps(const br_field* f, const br_cells* cells)
{
    return f->interpolation == BR_INTERPOLATION_CONSTANT && cells->half_x == 0.0 &&
           f->columns * f->rows > 1;
}

void bri_field_hold(const br_field* f, br_pose pose, const br_cells* cells, size_t* held)
{
    const affine to = compose(&f->from_surface, pose);
    for (size_t i = 0; i < cells->count; i++) {
        const br_vec2 at = apply(&to, cells->x[i], cells->y[i]);
        held[i] = cell_at(at.y, f->rows) * f->columns + cell_at(at.x, f->columns);
    }
}

void bri_field_weigh_held(const br_field* f, const br_cells* cells, const size_t* held,
                          double* weight)
{
    for (size_t i = 0; i < cells->count; i++) {
        weight[i] = idle_or(f->factor[held[i]] * cells->weight[i]);
    }
}

double bri_field_to_edge(const br_field* f, br_pose pose, const br_cells* cells, const size_t* held)
{
    const affine to = compose(&f->from_surface, pose);
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < cells->count; i++) {
        const size_t column = held[i] % f->columns, row = held[i] / f->columns;
        const br_vec2 at = apply(&to, cells->x[i], cells->y[i]);
        const double x = fmin(at.x - low_of(column), high_of(column, f->columns) - at.x),
                     y = fmin(at.y - low_of(row), high_of(row, f->rows) - at.y);
        nearest = fmin(nearest, fmin(f->cell.x * x, f->cell.y * y));
    }
    return nearest;
}
