/*
 * A scene as a scenario, in the keys of docs/reference/keys.md. Numbers have 17 digits, so that they
 * read back as they are.
 */
#include "scene.h"

static const char* const shape_names[] = {"disc",   "ring", "rectangle", "line",     "polygon",
                                          "points", "grid", "ellipse",   "triangles"};
static const char* const model_names[] = {"blocks", "distributed", "reduced", "ellipsoid"};

static void write_list(FILE* out, const double* values, int count, double factor, double offset)
{
    for (int i = 0; i < count; i++) {
        fprintf(out, "%s%.17g", i ? ", " : "[", offset + factor * values[i]);
    }
    fprintf(out, "]");
}

static void write_shaped(FILE* out, const wave* of, double factor, double offset)
{
    const double from = offset + factor * of->mean, to = offset + factor * of->amplitude;
    switch (of->kind) {
    case WAVE_SINE:
        fprintf(out,
                "{kind: sine, mean: %.17g, amplitude: %.17g, frequency: %.17g, phase: %.17g, "
                "start: %.17g",
                from, factor * of->amplitude, of->frequency, of->phase, of->start);
        break;
    case WAVE_RAMP:
        fprintf(out, "{kind: ramp, from: %.17g, to: %.17g, start: %.17g, end: %.17g", from, to,
                of->start, of->end);
        break;
    case WAVE_MOVE:
        fprintf(out, "{kind: move, from: %.17g, to: %.17g, start: %.17g, duration: %.17g", from, to,
                of->start, of->end - of->start);
        break;
    case WAVE_ACCELERATE:
        fprintf(out, "{kind: accelerate, from: %.17g, speed: %.17g, start: %.17g, duration: %.17g",
                from, factor * of->amplitude, of->start, of->end - of->start);
        break;
    default:
        fprintf(out, "{kind: %s, times: ", of->kind == WAVE_STEPS ? "steps" : "table");
        write_list(out, of->t, of->count, 1, 0);
        fprintf(out, ", values: ");
        write_list(out, of->value, of->count, factor, offset);
    }
}

// offset + factor times a wave
static void write_wave(FILE* out, const wave* of, double factor, double offset)
{
    if (of->kind == WAVE_CONSTANT) {
        fprintf(out, "%.17g", offset + factor * of->mean);
        return;
    }
    write_shaped(out, of, factor, offset);
    if (of->hold > 0) {
        fprintf(out, ", hold: %.17g", of->hold);
    }
    fprintf(out, "}");
}

static void write_vertices(FILE* out, const patch* of, const char* key, bool has_pressure)
{
    fprintf(out, ", %s: [", key);
    for (int i = 0; i < of->count; i++) {
        fprintf(out, "%s[%.17g, %.17g", i ? ", " : "", of->x[i], of->y[i]);
        fprintf(out, has_pressure ? ", %.17g]" : "]", of->p[i]);
    }
    fprintf(out, "]");
}

static void write_triangles(FILE* out, const patch* of)
{
    write_vertices(out, of, "vertices", true);
    fprintf(out, ", triangles: [");
    for (int i = 1; i < of->count; i++) {
        fprintf(out, "%s[0, %d, %d]", i > 1 ? ", " : "", i, i + 1 < of->count ? i + 1 : 1);
    }
    fprintf(out, "]");
}

static void write_cells(FILE* out, const patch* of)
{
    fprintf(out, ", size: [%.17g, %.17g], cells: [", of->size[0], of->size[1]);
    for (int i = 0; i < GRID_SIDE; i++) {
        fprintf(out, "%s", i ? ", " : "");
        write_list(out, of->cells[i], GRID_SIDE, 1, 0);
    }
    fprintf(out, "]");
}

static void write_radius(FILE* out, const patch* of)
{
    if (of->exponent > 0) {
        fprintf(out, ", radius: {coefficient: %.17g, exponent: %.17g, max: %.17g}", of->radius,
                of->exponent, of->most);
    } else {
        fprintf(out, ", radius: %.17g", of->radius);
    }
    if (of->shape == SHAPE_ELLIPSE) {
        fprintf(out, ", ratio: %.17g", of->ratio);
    }
}

static void write_shape(FILE* out, const patch* of)
{
    fprintf(out, "{shape: %s", shape_names[of->shape]);
    switch (of->shape) {
    case SHAPE_RECTANGLE:
        fprintf(out, ", size: [%.17g, %.17g]", of->size[0], of->size[1]);
        break;
    case SHAPE_LINE:
        fprintf(out, ", length: %.17g", of->size[0]);
        break;
    case SHAPE_POLYGON:
        write_vertices(out, of, "vertices", false);
        break;
    case SHAPE_POINTS:
        write_vertices(out, of, "points", true);
        break;
    case SHAPE_GRID:
        write_cells(out, of);
        break;
    case SHAPE_TRIANGLES:
        write_triangles(out, of);
        break;
    default:
        write_radius(out, of);
    }
}

static void write_patch(FILE* out, const patch* of)
{
    write_shape(out, of);
    if (of->power > 0) {
        fprintf(out, ", pressure: {kind: power, k: %.17g}", of->power);
    } else if (of->from > 0 || of->to > 0) {
        fprintf(out, ", pressure: {kind: linear, from: %.17g, to: %.17g}", of->from, of->to);
    }
    fprintf(out, ", centre: [%.17g, %.17g], angle: %.17g}", of->centre[0], of->centre[1],
            of->angle);
}

static void write_field(FILE* out, const field* of)
{
    fprintf(out,
            ", field: {grid: [[%.17g, %.17g], [%.17g, %.17g]], size: [%.17g, %.17g], "
            "centre: [%.17g, %.17g], angle: %.17g, over: %s}",
            of->factor[0][0], of->factor[0][1], of->factor[1][0], of->factor[1][1], of->size,
            of->size, of->centre[0], of->centre[1], of->angle, of->in_body ? "body" : "ground");
}

static void write_law(FILE* out, const law* of)
{
    if (of->alone) {
        fprintf(out, "{mu: %.17g", of->mu_c);
    } else {
        fprintf(out,
                "{mu_c: %.17g, mu_s: %.17g, v_s: %.17g, sigma0: %.17g, sigma1: %.17g, "
                "sigma2: %.17g, v_damping: %.17g, elasto_plastic: %s",
                of->mu_c, of->mu_s, of->v_s, of->sigma0, of->sigma1, of->sigma2, of->v_damping,
                of->elasto_plastic ? "true" : "false");
    }
    if (of->ratio != 1) {
        fprintf(out, ", anisotropy: {ratio: %.17g, angle: %.17g, axes: %s}", of->ratio, of->angle,
                of->ground ? "ground" : "body");
    }
    if (of->field.is) {
        write_field(out, &of->field);
    }
    fprintf(out, "}");
}

static void write_contact(FILE* out, const contact* of)
{
    fprintf(out, "  - frame: %s\n    patch: ", of->in_body ? "body" : "world");
    write_patch(out, &of->patch);
    fprintf(out, "\n    model: %s\n", model_names[of->model]);
    if (of->model == MODEL_BLOCKS) {
        fprintf(out, "    blocks: %d\n", of->blocks);
    }
    fprintf(out, "    friction: ");
    write_law(out, &of->law);
    fprintf(out, "\n    at: [%.17g, %.17g]\n    count: %d\n    normal_force: ", of->at[0],
            of->at[1], of->count);
    if (of->weight) {
        fprintf(out, "weight");
    } else {
        write_wave(out, &of->normal, 1, 0);
    }
    if (of->support.kind != WAVE_CONSTANT) {
        fprintf(out, "\n    support: {position: [");
        write_wave(out, &of->support, of->direction[0], 0);
        fprintf(out, ", ");
        write_wave(out, &of->support, of->direction[1], 0);
        fprintf(out, "]}");
    }
    fprintf(out, "\n");
}

static void write_load(FILE* out, const load* of)
{
    fprintf(out, "  - {fx: ");
    write_wave(out, &of->wave, of->x, 0);
    fprintf(out, ", fy: ");
    write_wave(out, &of->wave, of->y, 0);
    fprintf(out, ", tau: ");
    write_wave(out, &of->wave, of->torque, 0);
    fprintf(out, "}\n");
}

static void write_pusher(FILE* out, const pusher* of)
{
    fprintf(out, "pusher:\n  position: [");
    write_wave(out, &of->wave, of->direction[0], of->from[0]);
    fprintf(out, ", ");
    write_wave(out, &of->wave, of->direction[1], of->from[1]);
    fprintf(out, "]\n  radius: %.17g\n  mu: %.17g\n  stiffness: %.17g\n  damping: %.17g\n",
            of->radius, of->mu, of->stiffness, of->damping);
}

static void write_body(FILE* out, const scene* of)
{
    fprintf(out, "body: {mass: %.17g, ", of->mass);
    if (of->radius > 0) {
        fprintf(out, "radius: %.17g", of->radius);
    } else if (of->size[0] > 0) {
        fprintf(out, "size: [%.17g, %.17g]", of->size[0], of->size[1]);
    } else {
        fprintf(out, "inertia: %.17g", of->inertia);
    }
    fprintf(out, ", pose: [%.17g, %.17g, %.17g], velocity: [%.17g, %.17g, %.17g]}\n", of->pose[0],
            of->pose[1], of->pose[2], of->velocity[0], of->velocity[1], of->velocity[2]);
    fprintf(out, "gravity: [%.17g, %.17g]\n", of->gravity[0], of->gravity[1]);
}

void scene_write(const scene* of, FILE* out)
{
    fprintf(out, "# %s\n", of->kind);
    write_body(out, of);
    fprintf(out, "contacts:\n");
    for (int i = 0; i < of->contact_count; i++) {
        write_contact(out, &of->contacts[i]);
    }
    if (of->load_count > 0) {
        fprintf(out, "loads:\n");
    }
    for (int i = 0; i < of->load_count; i++) {
        write_load(out, &of->loads[i]);
    }
    if (of->pusher.is) {
        write_pusher(out, &of->pusher);
    }
    if (of->step > 0) {
        fprintf(out, "integrator: {kind: fixed, step: %.17g}\n", of->step);
    } else {
        // the default, 2e-6, 2e-8 m and 2e-10 m, in the scene's own unit of length
        fprintf(out, "integrator: {rtol: %.17g, atol: %.17g, atol_z: %.17g}\n", of->rtol,
                of->rtol * 1e-2 / of->length_unit, of->rtol * 1e-4 / of->length_unit);
    }
    fprintf(out, "duration: %.17g\noutput: {every: %.17g, energy: true, contacts: true}\n",
            of->duration, of->duration / SCENE_ROWS);
}
