/*
 * Contact parameters of physics engines for a patch.
 *
 * In all engines the sliding coefficient is mu. Torsion, for a one-point contact with normal force
 * fn that should hold the torque mu r fn, r the mean distance (23) of Waltersson & Karayiannidis:
 *
 *   MuJoCo    tau <= torsional fn                          torsional = mu r
 *   Genesis   the same                                     friction_torsional = mu r
 *   Bullet    tau <= (s_A mu_B + s_B mu_A) fn, mu_A mu_B   s_A = mu r, s_B = 0, mu_B = 1
 *   Gazebo    tau <= 3 pi/16 a coefficient fn              a = 16 r/(3 pi), coefficient = mu
*   Drake     Coulomb friction in each face of the contact surface; needs a fine mesh, and a modulus
 *             E at which the body deforms by 1 % of its extent: p = E strain, E = fn/(strain area)
 *
 * Gazebo's 3 pi/16 is r/a of Hertz's pressure: for such a disc a is its radius. Sources: docs/explanation/engine_friction.md.
 */
#include "base/definition.h"
#include "limit/engine_internal.h"

#include "base/status.h"

static const double default_strain = 0.01; // of a body in Drake under fn
static const double min_rolling = 1e-9;    // Bullet's rigid bodies spin freely at 0 [m]
static const size_t default_faces = 8, max_faces = 256;

const char* br_engine_get_name(br_engine_kind kind)
{
    static const char* const names[] = {
#define ENGINE_NAME(kind, name) name,
        BR_ENGINE_LIST(ENGINE_NAME)
#undef ENGINE_NAME
    };
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

br_engine_def br_engine_def_default(br_engine_kind kind)
{
    br_engine_def def = {0};
    def.size = sizeof def;
    def.kind = kind;
    def.mu = 1.0;
    def.fn = 1.0;
    def.flat = kind == BR_ENGINE_GAZEBO;
    def.faces = default_faces;
    return def;
}

static br_engine_form form_of(const br_engine_def* def)
{
    switch (def->kind) {
    case BR_ENGINE_MUJOCO:
    case BR_ENGINE_GENESIS:
        return def->flat ? BR_ENGINE_FORM_PYRAMID : BR_ENGINE_FORM_ELLIPSOID;
    case BR_ENGINE_GAZEBO:
        return def->flat ? BR_ENGINE_FORM_BOX : BR_ENGINE_FORM_CYLINDER;
    case BR_ENGINE_BULLET:
        return BR_ENGINE_FORM_CYLINDER;
    case BR_ENGINE_DRAKE:
        break;
    }
    return BR_ENGINE_FORM_FACES;
}

// --- life -----------------------------------------------------------------------------------------

static br_status refuse(br_reason* why, const char* field, const char* text)
{
    br_reason_set(why, field, "%s", text);
    return BR_ERR_DEF;
}

static br_status check(const br_engine_def* def, br_reason* why)
{
    if (!def->patch) {
        return refuse(why, "patch", "must be set");
    }
    if ((unsigned)def->kind > BR_ENGINE_GENESIS) {
        return refuse(why, "kind", "must be one of br_engine_kind");
    }
    if (!(def->mu > 0.0) || isinf(def->mu)) {
        br_reason_set(why, "mu", "must be > 0 and finite, got %g", def->mu);
        return BR_ERR_DEF;
    }
    if (!(def->fn > 0.0) || isinf(def->fn)) {
        br_reason_set(why, "fn", "must be > 0 and finite, got %g", def->fn);
        return BR_ERR_DEF;
    }
    if (def->faces < 1 || def->faces > max_faces) {
        br_reason_set(why, "faces", "must be from 1 to %zu, got %zu", max_faces, def->faces);
        return BR_ERR_DEF;
    }
    if (def->kind == BR_ENGINE_DRAKE && !(br_patch_eval(def->patch, def->fn).area > 0.0)) {
        br_reason_set(why, "shape", "%s: has no area, which hydroelastic contact needs",
                      br_shape_get_name(br_patch_get_def(def->patch)->shape));
        return BR_ERR_DEF;
    }
    return BR_OK;
}

static br_status create_exact(const br_patch* patch, double fn, br_limit** out, br_reason* why)
{
    br_limit_def def = br_limit_def_default();
    def.patch = patch;
    def.fn = fn;
    return br_limit_create(&def, out, why);
}

// The centres of all faces as support points, in the frame of the patch.
static br_status create_points(const br_cells* cells, const br_patch_def* placed, br_patch** out,
                               br_reason* why)
{
    br_support_point* points = br_allocate(cells->count, sizeof *points);
    if (!points) {
        br_reason_set(why, "", "no memory for %zu faces", cells->count);
        return BR_ERR_MEMORY;
    }
    for (size_t i = 0; i < cells->count; i++) {
        points[i] = (br_support_point){cells->x[i], cells->y[i], cells->weight[i]};
    }
    br_patch_def def = br_patch_def_default();
    def.shape = BR_SHAPE_POINTS;
    def.points = points;
    def.count = cells->count;
    def.centre = placed->centre;
    def.angle = placed->angle;
    const br_status status = br_patch_create(&def, out, why);
    br_release(points);
    return status;
}

// Cells of the patch as it is at fn. Cells of a disc that grows would cover its largest extent.
static br_status create_cells(const br_engine_def* def, br_cells** out, br_reason* why)
{
    br_patch_def now = *br_patch_get_def(def->patch);
    br_patch* patch;
    now.radius = br_by_force_constant(br_by_force_eval(now.radius, def->fn));
    now.k = br_by_force_constant(br_by_force_eval(now.k, def->fn));
    br_status status = br_patch_create(&now, &patch, why);
    if (status == BR_OK) {
        status = br_cells_create(patch, def->fn, def->faces, out, why);
        br_patch_destroy(patch);
    }
    return status_of_definition(status);
}

static br_status create_faces(br_engine* engine, br_reason* why)
{
    br_cells* cells;
    const br_engine_def* def = &engine->def;
    br_status status = create_cells(def, &cells, why);
    if (status != BR_OK) {
        return status;
    }
    engine->face = 2.0 * fmax(cells->half_x, cells->half_y);
    status = create_points(cells, br_patch_get_def(def->patch), &engine->points, why);
    br_cells_destroy(cells);
    return status == BR_OK ? create_exact(engine->points, def->fn, &engine->faces, why) : status;
}

br_status br_engine_create(const br_engine_def* given, br_engine** out, br_reason* why)
{
    BR_ASSERT(given && out);
    *out = NULL;
    br_engine_def def = br_engine_def_default(BR_ENGINE_MUJOCO);
    br_status status = DEFINITION_READ(br_engine_def, given, &def, why);
    status = status == BR_OK ? check(&def, why) : status;
    if (status != BR_OK) {
        return status;
    }
    br_engine* engine = br_allocate(1, sizeof *engine);
    if (!engine) {
        br_reason_set(why, "", "no memory for an engine's friction");
        return BR_ERR_MEMORY;
    }
    *engine = (br_engine){.def = def, .form = form_of(&def)};
    status = create_exact(def.patch, def.fn, &engine->exact, why);
    if (status == BR_OK && engine->form == BR_ENGINE_FORM_FACES) {
        status = create_faces(engine, why);
    }
    if (status != BR_OK) {
        br_engine_destroy(engine);
        return status;
    }
    engine->value = br_limit_get_patch_value(engine->exact);
    *out = engine;
    return BR_OK;
}

void br_engine_destroy(br_engine* engine)
{
    if (engine) {
        br_limit_destroy(engine->faces);
        br_patch_destroy(engine->points);
        br_limit_destroy(engine->exact);
        br_release(engine);
    }
}

br_engine_def br_engine_get_def(const br_engine* engine)
{
    BR_ASSERT(engine);
    return engine->def;
}

br_engine_form br_engine_get_form(const br_engine* engine)
{
    BR_ASSERT(engine);
    return engine->form;
}

const br_limit* br_engine_get_exact(const br_engine* engine)
{
    BR_ASSERT(engine);
    return engine->exact;
}

// --- numbers --------------------------------------------------------------------------------------

static size_t add_number(br_engine_number* numbers, size_t count, const char* name,
                         const char* unit, double value)
{
    numbers[count] = (br_engine_number){name, unit, value};
    return count + 1;
}

size_t br_engine_get_numbers(const br_engine* engine, br_engine_number* numbers)
{
    BR_ASSERT(engine && numbers);
    const double mu = engine->def.mu, r = engine->value.r;
    size_t n = 0;
    switch (engine->def.kind) {
    case BR_ENGINE_MUJOCO:
        n = add_number(numbers, n, "sliding", "-", mu);
        n = add_number(numbers, n, "torsional", "m", mu * r);
        n = add_number(numbers, n, "condim", "-", r > 0.0 ? 4.0 : 3.0); // with torsion, or without
        n = add_number(numbers, n, "priority", "-", 1.0); // else the larger of both geoms counts
        break;
    case BR_ENGINE_DRAKE:
        n = add_number(numbers, n, "mu_static", "-", mu);
        n = add_number(numbers, n, "mu_dynamic", "-", mu);
        n = add_number(numbers, n, "hydroelastic_modulus", "Pa",
                       engine->def.fn / (default_strain * engine->value.area));
        n = add_number(numbers, n, "mesh_resolution_hint", "m", engine->face);
        break;
    case BR_ENGINE_GAZEBO:
        n = add_number(numbers, n, "mu", "-", mu);
        n = add_number(numbers, n, "mu2", "-", mu);
        n = add_number(numbers, n, "coefficient", "-", mu);
        n = add_number(numbers, n, "patch_radius", "m", 16.0 * r / (3.0 * BR_PI));
        break;
    case BR_ENGINE_BULLET:
        n = add_number(numbers, n, "lateralFriction", "-", mu);
        n = add_number(numbers, n, "spinningFriction", "m", mu * r);
        n = add_number(numbers, n, "rollingFriction", "m", min_rolling);
        n = add_number(numbers, n, "other_lateralFriction", "-", 1.0);
        break;
    case BR_ENGINE_GENESIS:
        n = add_number(numbers, n, "friction", "-", mu);
        n = add_number(numbers, n, "friction_torsional", "m", mu * r);
        break;
    }
    return n;
}
