/*
 * Random but ordinary scenes. Ranges are those of things on a table or in a hand: 3 to 25 cm, 150 to
 * 5000 kg/m^3, mu 0.1 to 0.9, up to 1.5 m/s and 15 rad/s, 0.3 to 1.5 s.
 */
#include <math.h>
#include <string.h>

#include "oracle.h"

static const double pi = 3.14159265358979323846;
static const double earth = 9.81; // m/s^2, as scenarios have it

// --- small draws ----------------------------------------------------------------------------------

static bool chance(uint64_t* seed, double p)
{
    return draw(seed, 0, 1) < p;
}

static int choose(uint64_t* seed, int count)
{
    return (int)draw(seed, 0, count);
}

static double draw_log(uint64_t* seed, double low, double high)
{
    return exp(draw(seed, log(low), log(high)));
}

static wave constant(double value)
{
    return (wave){.kind = WAVE_CONSTANT, .mean = value};
}

// times inside (0, duration), increasing, at least a twentieth of it apart
static void draw_times(uint64_t* seed, wave* out, double duration)
{
    out->count = 2 + choose(seed, WAVE_VALUES - 2);
    for (int i = 0; i < out->count; i++) {
        out->t[i] = duration * (i + draw(seed, 0.1, 0.7)) / out->count;
    }
}

// a wave between two values; `smooth`: without jumps, for what moves
static wave draw_wave(uint64_t* seed, double low, double high, double duration)
{
    wave out = {.kind = (wave_kind)choose(seed, WAVE_MOVE + 1)};
    out.mean = draw(seed, low, high);
    out.amplitude = draw(seed, low, high);
    out.start = draw(seed, 0, 0.4) * duration;
    out.end = out.start + draw(seed, 0.1, 0.8) * duration;
    if (out.kind == WAVE_SINE) {
        out.mean = (low + high) / 2;
        out.amplitude = (high - low) / 2 * draw(seed, 0.2, 1);
        out.frequency = draw(seed, 0.5, 6);
        out.phase = draw(seed, -pi, pi);
    }
    if (out.kind == WAVE_STEPS || out.kind == WAVE_TABLE) {
        draw_times(seed, &out, duration);
        for (int i = 0; i < out.count; i++) {
            out.value[i] = draw(seed, low, high);
        }
    }
    if (out.kind != WAVE_CONSTANT && chance(seed, 0.15)) {
        out.hold = draw_log(seed, 0.002, 0.05);
    }
    return out;
}

// distance over time that something is moved by, at up to `speed`
static wave draw_motion(uint64_t* seed, double speed, double duration)
{
    wave out = {.kind = WAVE_ACCELERATE, .start = draw(seed, 0, 0.3) * duration};
    const int kind = choose(seed, 4);
    out.end = out.start + draw(seed, 0.2, 0.7) * duration;
    out.amplitude = speed;
    if (kind == 1) {
        out.kind = WAVE_MOVE;
        out.amplitude = speed * (out.end - out.start) / 2;
    } else if (kind == 2) {
        out.kind = WAVE_SINE;
        out.start = 0;
        out.frequency = draw(seed, 1, 4);
        out.amplitude = speed / (2 * pi * out.frequency);
    } else if (kind == 3) { // a belt that runs from the start
        out.kind = WAVE_RAMP;
        out.start = 0;
        out.end = 2 * duration;
        out.amplitude = speed * out.end;
    }
    return out;
}

// --- patches --------------------------------------------------------------------------------------

// a star around the origin: convex or not, never crossing itself
static void draw_vertices(uint64_t* seed, patch* out, double radius, double shallow)
{
    out->count = 3 + choose(seed, 5);
    for (int i = 0; i < out->count; i++) {
        const double phi = 2 * pi * (i + draw(seed, 0, 0.5)) / out->count;
        const double rho = radius * draw(seed, shallow, 1);
        out->x[i] = rho * cos(phi);
        out->y[i] = rho * sin(phi);
    }
}

static void draw_points(uint64_t* seed, patch* out, double radius)
{
    out->count = 1 + choose(seed, 6);
    for (int i = 0; i < out->count; i++) {
        out->x[i] = draw(seed, -radius, radius);
        out->y[i] = draw(seed, -radius, radius);
        out->p[i] = draw(seed, 0.2, 1);
    }
}

// a fan around vertex 0
static void draw_triangles(uint64_t* seed, patch* out, double radius)
{
    patch rim = {0};
    draw_vertices(seed, &rim, radius, 0.6);
    out->count = rim.count + 1;
    out->p[0] = draw(seed, 0.5, 2);
    for (int i = 0; i < rim.count; i++) {
        out->x[i + 1] = rim.x[i];
        out->y[i + 1] = rim.y[i];
        out->p[i + 1] = draw(seed, 0, 1);
    }
}

static void draw_cells(uint64_t* seed, patch* out)
{
    for (int i = 0; i < GRID_SIDE; i++) {
        for (int j = 0; j < GRID_SIDE; j++) {
            out->cells[i][j] = chance(seed, 0.15) ? 0 : draw(seed, 0.2, 1);
        }
    }
    out->cells[1][1] = 1; // never empty
}

static void draw_pressure(uint64_t* seed, patch* out)
{
    const bool is_round = out->shape == SHAPE_DISC || out->shape == SHAPE_ELLIPSE;
    if (is_round && chance(seed, 0.4)) {
        out->power = chance(seed, 0.5) ? 2 : draw(seed, 0.8, 6);
    } else if ((out->shape == SHAPE_RECTANGLE || out->shape == SHAPE_LINE ||
                out->shape == SHAPE_POLYGON || out->shape == SHAPE_DISC) &&
               chance(seed, 0.3)) {
        out->from = draw(seed, 0.2, 1);
        out->to = draw(seed, 0.2, 1);
    }
}

// a patch within a circle of `radius`, of any shape
static patch draw_patch(uint64_t* seed, double radius)
{
    patch out = {.shape = (shape)choose(seed, SHAPE_COUNT), .radius = radius};
    out.ratio = draw(seed, 0.3, 1);
    out.size[0] = 2 * radius * draw(seed, 0.4, 0.7);
    out.size[1] = 2 * radius * draw(seed, 0.2, 0.7);
    if (out.shape == SHAPE_POLYGON) {
        draw_vertices(seed, &out, radius, 0.4);
    } else if (out.shape == SHAPE_POINTS) {
        draw_points(seed, &out, radius);
    } else if (out.shape == SHAPE_TRIANGLES) {
        draw_triangles(seed, &out, radius);
    }
    draw_cells(seed, &out);
    draw_pressure(seed, &out);
    out.angle = chance(seed, 0.5) ? 0 : draw(seed, -pi, pi);
    return out;
}

// --- friction -------------------------------------------------------------------------------------

static law draw_law(uint64_t* seed)
{
    law out = {.alone = chance(seed, 0.4), .elasto_plastic = chance(seed, 0.7), .ratio = 1};
    out.mu_c = out.mu_s = draw(seed, 0.1, 0.9);
    out.v_s = draw_log(seed, 2e-3, 2e-2);
    if (!out.alone && chance(seed, 0.3)) {
        out.mu_s *= draw(seed, 1.05, 1.4);
    }
    out.sigma0 = out.mu_s / draw_log(seed, 2e-6, 3e-5);
    out.sigma1 = out.sigma0 * draw_log(seed, 2e-4, 5e-3);
    out.sigma2 = !out.alone && chance(seed, 0.3) ? draw(seed, 0, 0.3) : 0;
    out.v_damping = 2 * out.mu_c / out.sigma1;
    if (chance(seed, 0.15)) {
        out.ratio = draw(seed, 0.5, 2);
        out.angle = draw(seed, -pi, pi);
    }
    return out;
}

static contact draw_contact(uint64_t* seed, double radius, bool in_body)
{
    contact out = {.in_body = in_body, .count = 1, .support = constant(0)};
    out.patch = draw_patch(seed, radius);
    out.law = draw_law(seed);
    out.model = (model)choose(seed, 4);
    out.blocks = 3 + choose(seed, 5);
    const bool is_round =
        out.patch.shape == SHAPE_RING || (out.patch.shape == SHAPE_DISC && !(out.patch.from > 0));
    // reduced models take axes of the ground for round patches with round pressure only, and no model for triangles
    const bool is_cut = out.model == MODEL_BLOCKS || out.model == MODEL_DISTRIBUTED;
    out.law.ground =
        chance(seed, 0.5) && (is_round || is_cut) && out.patch.shape != SHAPE_TRIANGLES;
    // a disc that grows with the force, 5 mm to `radius` at 1 N
    if (out.patch.shape == SHAPE_DISC && out.patch.power == 0 && out.patch.from == 0 && !in_body &&
        chance(seed, 0.4)) {
        out.patch.exponent = draw(seed, 0.1, 0.34);
        out.patch.radius *= 0.5;
    }
    return out;
}

// --- bodies ---------------------------------------------------------------------------------------

// a disc or a box as high as it is wide, of 150 kg/m^3 (cork, empty boxes) to 5000 kg/m^3 (stone, metal)
static void draw_body(uint64_t* seed, scene* out)
{
    const double density = draw_log(seed, 150, 5000);
    if (chance(seed, 0.4)) {
        out->radius = draw_log(seed, 0.015, 0.12);
        out->mass = density * pi * pow(out->radius, 3);
        out->inertia = out->mass * out->radius * out->radius / 2;
    } else {
        out->size[0] = draw_log(seed, 0.03, 0.25);
        out->size[1] = out->size[0] * draw(seed, 0.3, 1);
        out->mass = density * out->size[0] * pow(out->size[1], 2);
        out->inertia = out->mass * (pow(out->size[0], 2) + pow(out->size[1], 2)) / 12;
    }
    out->pose[0] = draw(seed, -0.2, 0.2);
    out->pose[1] = draw(seed, -0.2, 0.2);
    out->pose[2] = draw(seed, -pi, pi);
}

// the radius of a circle inside the body
static double inner_radius(const scene* of)
{
    return of->radius > 0 ? of->radius : fmin(of->size[0], of->size[1]) / 2;
}

static void draw_velocity(uint64_t* seed, scene* out)
{
    const double phi = draw(seed, -pi, pi), speed = draw(seed, 0.05, 1.5);
    out->velocity[0] = speed * cos(phi);
    out->velocity[1] = speed * sin(phi);
    out->velocity[2] = chance(seed, 0.7) ? draw(seed, -15, 15) : 0;
}

// gravity along the plane, on a slope of up to 25 degrees
static void draw_slope(uint64_t* seed, scene* out)
{
    const double phi = draw(seed, -pi, pi), steep = draw(seed, 0.02, 0.43);
    out->gravity[0] = earth * sin(steep) * cos(phi);
    out->gravity[1] = earth * sin(steep) * sin(phi);
}

static double normal_gravity(const scene* of)
{
    return sqrt(earth * earth - of->gravity[0] * of->gravity[0] - of->gravity[1] * of->gravity[1]);
}

// loads of up to `share` of the friction that mu = 0.5 would have
static void draw_loads(uint64_t* seed, scene* out, double share)
{
    const double force = share * out->mass * earth * 0.5;
    out->load_count = 1 + choose(seed, SCENE_LOADS);
    for (int i = 0; i < out->load_count; i++) {
        const double phi = draw(seed, -pi, pi);
        out->loads[i] = (load){.x = cos(phi), .y = sin(phi)};
        out->loads[i].torque = chance(seed, 0.5) ? draw(seed, -1, 1) * inner_radius(out) : 0;
        out->loads[i].wave = draw_wave(seed, -force, force, out->duration);
    }
}

// put a foot's centre of pressure at (x, y) from the CoM
static void put_foot(contact* of, double x, double y)
{
    oracle_patch points;
    oracle_sample(&of->patch, 144, &points);
    of->at[0] = x - points.cop[0];
    of->at[1] = y - points.cop[1];
}

// one patch below the body
static void draw_base(uint64_t* seed, scene* out)
{
    out->contact_count = 1;
    out->contacts[0] = draw_contact(seed, 0.9 * inner_radius(out), true);
    put_foot(&out->contacts[0], 0, 0);
    out->contacts[0].weight = chance(seed, 0.6);
    const double weight = out->mass * normal_gravity(out);
    out->contacts[0].normal = out->contacts[0].weight || chance(seed, 0.5)
                                  ? constant(weight)
                                  : draw_wave(seed, 0.5 * weight, 1.5 * weight, out->duration);
}

/*
 * Shares of the weight: those of the least sum of squares that balance under the CoM. With
 * x_i, y_i the feet: w_i = a + b x_i + c y_i, where sum w = 1, sum w x = 0, sum w y = 0. Two and
 * three feet have no choice, and the same formula gives theirs.
 */
static bool share_weight(double (*feet)[2], int count, double* w)
{
    double m[3][4] = {{count, 0, 0, 1}, {0, 1e-12, 0, 0}, {0, 0, 1e-12, 0}};
    for (int i = 0; i < count; i++) {
        const double x = feet[i][0], y = feet[i][1];
        m[0][1] += x, m[0][2] += y, m[1][1] += x * x, m[1][2] += x * y, m[2][2] += y * y;
    }
    m[1][0] = m[0][1], m[2][0] = m[0][2], m[2][1] = m[1][2];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            const double f = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = k; j < 4 && i != k; j++) {
                m[i][j] -= f * m[k][j];
            }
        }
    }
    bool bears = true;
    for (int i = 0; i < count; i++) {
        w[i] = m[0][3] / m[0][0] + m[1][3] / m[1][1] * feet[i][0] + m[2][3] / m[2][2] * feet[i][1];
        bears = bears && w[i] > 0.02;
    }
    return bears;
}

// positions of 1 to 4 feet around the CoM; two are in line with it
static void draw_feet(uint64_t* seed, int count, double reach, double (*feet)[2])
{
    const double turn = draw(seed, -pi, pi);
    for (int i = 0; i < count; i++) {
        const double phi = turn + 2 * pi * i / count + (count > 2 ? draw(seed, -0.4, 0.4) : 0);
        const double rho = count == 1 ? 0 : reach * draw(seed, 0.5, 1);
        feet[i][0] = rho * cos(phi);
        feet[i][1] = rho * sin(phi);
    }
}

static void draw_standing(uint64_t* seed, scene* out)
{
    const int count = 1 + choose(seed, SCENE_CONTACTS);
    const bool weight = chance(seed, 0.7), same = chance(seed, 0.6);
    const double reach = inner_radius(out), total = out->mass * normal_gravity(out);
    double feet[SCENE_CONTACTS][2], w[SCENE_CONTACTS];
    do {
        draw_feet(seed, count, 0.75 * reach, feet);
    } while (!share_weight(feet, count, w));
    out->contact_count = count;
    for (int i = 0; i < count; i++) {
        contact* foot = &out->contacts[i];
        *foot = same && i > 0 ? out->contacts[0] : draw_contact(seed, 0.2 * reach, true);
        put_foot(foot, feet[i][0], feet[i][1]);
        foot->weight = weight;
        foot->normal = constant(total * w[i]);
    }
}

// --- kinds of scenes ------------------------------------------------------------------------------

static void make_puck(uint64_t* seed, scene* out)
{
    draw_body(seed, out);
    draw_velocity(seed, out);
    if (chance(seed, 0.4)) {
        draw_slope(seed, out);
    }
    draw_base(seed, out);
    if (chance(seed, 0.4)) {
        draw_loads(seed, out, 0.6);
    }
}

static void make_feet(uint64_t* seed, scene* out)
{
    draw_body(seed, out);
    if (chance(seed, 0.6)) {
        draw_velocity(seed, out);
    }
    if (chance(seed, 0.4)) {
        draw_slope(seed, out);
    }
    draw_standing(seed, out);
    if (out->velocity[0] == 0 || chance(seed, 0.3)) {
        draw_loads(seed, out, 1.5);
    }
}

static void make_belt(uint64_t* seed, scene* out)
{
    draw_body(seed, out);
    if (chance(seed, 0.3)) {
        draw_velocity(seed, out);
    }
    draw_standing(seed, out);
    // one belt below all feet, or one below each
    const bool same = chance(seed, 0.6);
    for (int i = 0; i < out->contact_count; i++) {
        contact* foot = &out->contacts[i];
        const double phi = draw(seed, -pi, pi);
        foot->direction[0] = cos(phi);
        foot->direction[1] = sin(phi);
        foot->support = draw_motion(seed, draw(seed, 0.1, 0.8), out->duration);
        if (same && i > 0) {
            memcpy(foot->direction, out->contacts[0].direction, sizeof foot->direction);
            foot->support = out->contacts[0].support;
        }
    }
}

static void make_fingers(uint64_t* seed, scene* out)
{
    draw_body(seed, out);
    out->size[0] = out->size[1] = out->radius = 0; // fingers stay on it
    out->gravity[1] = -earth;
    out->contact_count = 1 + choose(seed, 2);
    const double reach = sqrt(out->inertia / out->mass);
    const bool moves = chance(seed, 0.3), opens = chance(seed, 0.1);
    const wave lift = draw_motion(seed, draw(seed, 0.05, 0.4), out->duration);
    for (int i = 0; i < out->contact_count; i++) {
        contact* finger = &out->contacts[i];
        *finger = draw_contact(seed, draw_log(seed, 0.004, 0.02), false);
        finger->count = chance(seed, 0.7) ? 2 : 1;
        const double holds = out->mass * earth / (finger->law.mu_c * finger->count);
        const double least = opens ? 0 : draw(seed, 0.3, 1.2) / out->contact_count;
        finger->normal =
            draw_wave(seed, least * holds, (least + draw(seed, 0.1, 2)) * holds, out->duration);
        // cells cover the largest extent: as much as it needs
        finger->patch.most =
            1.02 * finger->patch.radius *
            pow(wave_largest(&finger->normal, out->duration), finger->patch.exponent);
        finger->at[0] = out->pose[0] + draw(seed, -0.3, 0.3) * reach;
        finger->at[1] = out->pose[1] + draw(seed, -0.3, 0.3) * reach;
        finger->direction[1] = 1;
        finger->support = moves ? lift : constant(0);
    }
    if (chance(seed, 0.3)) {
        draw_loads(seed, out, 0.4);
    }
    out->duration *= 0.6;
}

static void make_pusher(uint64_t* seed, scene* out)
{
    draw_body(seed, out);
    draw_base(seed, out);
    pusher* tip = &out->pusher;
    tip->is = true;
    tip->radius = draw_log(seed, 0.002, 0.02);
    tip->mu = draw(seed, 0, 0.6);
    tip->stiffness = 2e4;
    tip->damping = 2 * sqrt(tip->stiffness * out->mass); // it does not bounce
    const double phi = draw(seed, -pi, pi), beside = draw(seed, -0.6, 0.6) * inner_radius(out);
    const double reach =
        (out->radius > 0 ? out->radius : hypot(out->size[0], out->size[1]) / 2) + tip->radius;
    const double gap = reach * 1.05 + draw(seed, 0, 0.03);
    tip->direction[0] = cos(phi);
    tip->direction[1] = sin(phi);
    tip->from[0] = out->pose[0] - gap * cos(phi) - beside * sin(phi);
    tip->from[1] = out->pose[1] - gap * sin(phi) + beside * cos(phi);
    const double speed = draw_log(seed, 0.02, 0.15);
    out->duration = fmin(3, (gap + 0.5 * reach) / speed);
    tip->wave = (wave){.kind = WAVE_TABLE, .count = 3};
    tip->wave.t[1] = 0.8 * out->duration;
    tip->wave.value[1] = tip->wave.value[2] = 0.8 * speed * out->duration;
    tip->wave.t[2] = out->duration;
}

// every tenth scene of a body on feet: friction that differs from place to place
static void add_field(uint64_t* seed, uint64_t index, scene* out)
{
    field map = {.is = true, .in_body = chance(seed, 0.3), .size = 0.4, .angle = draw(seed, -3, 3)};
    for (int i = 0; i < 4; i++) {
        map.factor[i / 2][i % 2] = draw(seed, 0.3, 1.4);
    }
    const double reach = map.in_body ? 0.3 * inner_radius(out) : 0.1;
    for (int i = 0; i < 2; i++) {
        map.centre[i] = (map.in_body ? 0 : out->pose[i]) + draw(seed, -reach, reach);
    }
    const bool takes = index % 20 == 5 || index % 20 == 16;
    for (int i = 0; i < out->contact_count && takes; i++) {
        contact* foot = &out->contacts[i];
        // three bristles and triangles take a field that goes with them, not one that they move over
        if (foot->in_body && foot->law.ratio == 1 &&
            (map.in_body ||
             (foot->model < MODEL_REDUCED && foot->patch.shape != SHAPE_TRIANGLES))) {
            foot->law.field = map;
        }
    }
}

// plain LuGre creeps below its limit, which Coulomb friction does not: for bodies that just slide
static void keep_coulomb(scene* out)
{
    const bool slides =
        out->load_count == 0 && !out->pusher.is && hypot(out->velocity[0], out->velocity[1]) > 0.1;
    for (int i = 0; i < out->contact_count && !slides; i++) {
        out->contacts[i].law.elasto_plastic = true;
    }
}

scene scene_make(uint64_t seed, uint64_t index)
{
    static const struct {
        const char* name;
        void (*make)(uint64_t*, scene*);
    } kinds[] = {{"puck", make_puck},
                 {"feet", make_feet},
                 {"belt", make_belt},
                 {"fingers", make_fingers},
                 {"pusher", make_pusher}};
    uint64_t state = seed * 0x2545f4914f6cdd1du + index * 0x9e6c63d0876a9a47u;
    draw(&state, 0, 1);
    const size_t kind = (size_t)(index % 5);
    scene out = {.kind = kinds[kind].name, .length_unit = 1, .rtol = 2e-6};
    out.duration = draw(&state, 0.3, 1.5);
    kinds[kind].make(&state, &out);
    if (chance(&state, 0.35)) { // the tip's spring needs shorter ones
        out.step = draw_log(&state, 1e-4, out.pusher.is ? 2e-4 : 2e-3);
    }
    keep_coulomb(&out);
    add_field(&state, index, &out);
    return out;
}
