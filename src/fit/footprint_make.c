/*
 * Candidate supports: the grid and the rim of an outline, or supports that are known.
 */
#include "bristle/outline.h"
#include "fit/footprint.h"

#include <string.h>

enum { RING = 8 }; // places around a known support, at its tolerance

static br_status no_memory(br_reason* why)
{
    br_reason_set(why, "", "no memory for candidate supports");
    return BR_ERR_MEMORY;
}

static int make_room(footprint* f, size_t most)
{
    *f = (footprint){.memory = br_allocate(3 * most, sizeof *f->memory)};
    f->x = f->memory;
    f->y = f->x + most;
    f->prior = f->y + most;
    return f->memory != NULL;
}

void bri_footprint_destroy(footprint* f)
{
    br_release(f->memory);
    *f = (footprint){0};
}

static void add(footprint* f, br_vec2 at, double prior)
{
    f->x[f->count] = at.x;
    f->y[f->count] = at.y;
    f->prior[f->count++] = prior;
}

// Lengths over the root mean square distance of the prior from its centre, at least `least` [m].
static void scale(footprint* f, double least)
{
    double sum = 0.0, x = 0.0, y = 0.0, square = 0.0;
    for (size_t j = 0; j < f->count; j++) {
        sum += f->prior[j];
        x += f->prior[j] * f->x[j];
        y += f->prior[j] * f->y[j];
    }
    for (size_t j = 0; j < f->count; j++) {
        f->prior[j] /= sum;
        square += f->prior[j] * (pow(f->x[j] - x / sum, 2.0) + pow(f->y[j] - y / sum, 2.0));
    }
    f->unit = fmax(sqrt(square), least);
    for (size_t j = 0; j < f->count; j++) {
        f->x[j] /= f->unit;
        f->y[j] /= f->unit;
    }
}

void bri_footprint_set_unit(footprint* f, double unit)
{
    const double ratio = f->unit / unit;
    for (size_t j = 0; j < f->count; j++) {
        f->x[j] *= ratio;
        f->y[j] *= ratio;
    }
    f->h *= ratio;
    f->unit = unit;
}

// Points along the rim, `spacing` [m] apart or a little less.
static void add_rim(footprint* f, const br_outline* outline, double spacing, size_t most)
{
    size_t corners;
    const br_vec2* v = br_outline_get_vertices(outline, &corners);
    if (corners == 0) {
        const br_vec2 centre = br_outline_get_centre(outline);
        const double radius = br_outline_get_radius(outline);
        const size_t n = (size_t)fmin(ceil(2.0 * BR_PI * radius / spacing), (double)most);
        for (size_t i = 0; i < n; i++) {
            const double angle = 2.0 * BR_PI * (double)i / (double)n;
            add(f, (br_vec2){centre.x + radius * cos(angle), centre.y + radius * sin(angle)}, 0.0);
        }
    }
    for (size_t i = 0; i < corners; i++) {
        const br_vec2 a = v[i], side = br_vec2_sub(v[(i + 1) % corners], a);
        const size_t n = (size_t)fmax(ceil(br_vec2_norm(side) / spacing), 1.0);
        for (size_t k = 0; k < n && f->count < most; k++) {
            add(f, br_vec2_add(a, br_vec2_scale((double)k / (double)n, side)), 0.0);
        }
    }
}

// Room for the rim: its length is at most that of a convex curve around the box, plus a point for each corner;
// an outline that is not convex may be longer, and has the longest candidates left out at its end.
static size_t rim_room(const br_outline* outline, double spacing)
{
    size_t corners;
    const br_vec2* v = br_outline_get_vertices(outline, &corners);
    double length = corners ? 0.0 : 2.0 * BR_PI * br_outline_get_radius(outline);
    for (size_t i = 0; i < corners; i++) {
        length += br_vec2_norm(br_vec2_sub(v[(i + 1) % corners], v[i]));
    }
    return corners + 2 + (size_t)(length / spacing);
}

// The cells whose centres lie in the outline, in the contact frame.
static void add_cells(footprint* f, const br_patch_def* def, const br_cells* cells)
{
    const br_pose pose = {def->centre.x, def->centre.y, def->angle};
    for (size_t i = 0; i < cells->count; i++) {
        add(f, br_pose_apply(pose, (br_vec2){cells->x[i], cells->y[i]}), cells->weight[i]);
    }
}

static br_status fill_from(const br_patch_def* def, const br_outline* outline,
                           const br_cells* cells, double spacing, footprint* out, br_reason* why)
{
    const size_t most = cells->count + rim_room(outline, spacing);
    if (!make_room(out, most)) {
        return no_memory(why);
    }
    add_cells(out, def, cells);
    add_rim(out, outline, spacing, most);
    scale(out, 1e-9);
    // radius of gyration of a square cell: its side over sqrt(6)
    out->h = spacing / sqrt(6.0) / out->unit;
    return BR_OK;
}

br_status bri_footprint_of_outline(const br_patch* outline, size_t resolution, footprint* out,
                                   br_reason* why)
{
    *out = (footprint){0};
    br_patch_def def = *br_patch_get_def(outline);
    def.sampling = BR_SAMPLING_CENTRE; // a cell whose centre is outside is no candidate
    br_patch* centred = NULL;
    br_cells* cells = NULL;
    br_outline* rim = NULL;
    br_status status = br_patch_create(&def, &centred, why);
    status = status ? status : br_cells_create(centred, 1.0, resolution, &cells, why);
    status = status ? status : br_outline_create(outline, 1.0, 0, &rim, why);
    if (!status && !(br_outline_get_radius(rim) > 0.0)) {
        br_reason_set(why, "outline",
                      "the outline is a point: it must bound where a body can bear");
        status = BR_ERR_DEF;
    }
    if (!status) {
        const double cell = 2.0 * fmax(cells->half_x, cells->half_y);
        const double across = 2.0 * br_outline_get_radius(rim) / (double)resolution;
        status = fill_from(&def, rim, cells, cell > 0.0 ? cell : across, out, why);
    }
    br_outline_destroy(rim);
    br_cells_destroy(cells);
    br_patch_destroy(centred);
    return status;
}

br_status bri_footprint_of_supports(const br_patch* supports, double tolerance, footprint* out,
                                    br_reason* why)
{
    const br_patch_def* def = br_patch_get_def(supports);
    const br_pose pose = {def->centre.x, def->centre.y, def->angle};
    const size_t around = tolerance > 0.0 ? RING : 0;
    if (!make_room(out, def->count * (1 + around))) {
        return no_memory(why);
    }
    for (size_t i = 0; i < def->count; i++) {
        const br_vec2 centre = br_pose_apply(pose, (br_vec2){def->points[i].x, def->points[i].y});
        add(out, centre, def->points[i].weight);
        for (size_t k = 0; k < around; k++) {
            const double angle = 2.0 * BR_PI * (double)k / RING;
            const br_vec2 off = {tolerance * cos(angle), tolerance * sin(angle)};
            add(out, br_vec2_add(centre, off), 0.0);
        }
    }
    scale(out, 1e-9);
    out->h = fmax(0.5 * tolerance / out->unit, 0.01); // a foot has some width
    return BR_OK;
}
