/*
 * Friction cones with flat faces: N rays around the normal, on the second-order cone or around it.
 *
 * S = Savin, "Friction Cone". Numbers in brackets are its equations. With the middle m_i of the
 * face between the rays i and i + 1, at the angle phi_i + pi/N, the planes of (15), (16) have a
 * closed form:
 *
 *   a_i = (m_i - c n)/sqrt(1 + c^2),   c = rho cos(pi/N): mu cos(pi/N) inner, mu outer
 *
 * Deviations from print (docs/explanation/equations.md): S-15, S-16, S-19.
 */
#include "bristle/polyhedron.h"

#include "base/definition.h"
#include "bristle/math.h"
#include "math/vec3.h"

br_polyhedron_def br_polyhedron_def_default(void)
{
    return (br_polyhedron_def){.size = sizeof(br_polyhedron_def),
                               .faces = 4,
                               .side = BR_POLYHEDRON_INNER,
                               .f_min = 0.0,
                               .f_max = HUGE_VAL};
}

static int refuse(br_reason* why, const char* field, const char* rule, double got)
{
    br_reason_set(why, field, "must be %s, got %g", rule, got);
    return 0;
}

static int check(const br_polyhedron_def* def, br_reason* why)
{
    if (!(def->cone.mu > 0.0)) {
        return refuse(why, "cone", "filled by br_cone_init(): mu > 0", def->cone.mu);
    }
    if (def->faces < 3 || def->faces > BR_POLYHEDRON_MOST_FACES) {
        return refuse(why, "faces", "a whole number from 3 to 1000000", (double)def->faces);
    }
    if (def->side != BR_POLYHEDRON_INNER && def->side != BR_POLYHEDRON_OUTER) {
        return refuse(why, "side", "inner or outer", def->side);
    }
    if (!isfinite(def->phase)) {
        return refuse(why, "phase", "finite", def->phase);
    }
    if (!isfinite(def->f_min)) {
        return refuse(why, "f_min", "finite", def->f_min);
    }
    if (!(def->f_max > 0.0)) {
        return refuse(why, "f_max", "> 0", def->f_max);
    }
    return def->f_max >= def->f_min || refuse(why, "f_max", "at least f_min", def->f_max);
}

// rho of N faces
static double ray_distance(double mu, size_t faces, br_polyhedron_side side)
{
    return side == BR_POLYHEDRON_INNER ? mu : mu / cos(BR_PI / (double)faces);
}

br_status br_polyhedron_init(const br_polyhedron_def* given, br_polyhedron* out, br_reason* why)
{
    BR_ASSERT(given && out);
    *out = (br_polyhedron){.rho = 0.0};
    br_polyhedron_def def = br_polyhedron_def_default();
    if (DEFINITION_READ(br_polyhedron_def, given, &def, why) != BR_OK || !check(&def, why)) {
        return BR_ERR_DEF;
    }
    *out = (br_polyhedron){def, ray_distance(def.cone.mu, def.faces, def.side)};
    return BR_OK;
}

static int has_floor(const br_polyhedron* p)
{
    return p->def.f_min > 0.0;
}

static int has_lid(const br_polyhedron* p)
{
    return isfinite(p->def.f_max);
}

size_t br_polyhedron_get_h_count(const br_polyhedron* polyhedron)
{
    return polyhedron->def.faces + has_lid(polyhedron) + has_floor(polyhedron);
}

size_t br_polyhedron_get_v_count(const br_polyhedron* polyhedron)
{
    const size_t faces = polyhedron->def.faces;
    return has_floor(polyhedron) ? 2 * faces : faces + has_lid(polyhedron);
}

// along n + across (cos phi t1 + sin phi t2), phi = phase + 2 pi i/N
static void direction(const br_polyhedron* p, double i, double along, double across, double out[3])
{
    const double phi = p->def.phase + 2.0 * BR_PI * i / (double)p->def.faces;
    const br_cone* cone = &p->def.cone;
    double tangent[3];
    vec3_combine(cos(phi), cone->t1, sin(phi), cone->t2, tangent);
    vec3_combine(along, cone->n, across, tangent, out);
}

// c of the faces: their steepness
static double face_distance(const br_polyhedron* p)
{
    const double mu = p->def.cone.mu;
    return p->def.side == BR_POLYHEDRON_INNER ? mu * cos(BR_PI / (double)p->def.faces) : mu;
}

// The row s n.f <= b
static void write_cap(const double n[3], double s, double b, double* row)
{
    vec3_combine(s, n, 0.0, n, row);
    row[3] = b;
}

void br_polyhedron_get_h(const br_polyhedron* polyhedron, double* h)
{
    const size_t faces = polyhedron->def.faces;
    const double c = face_distance(polyhedron), size = hypot(1.0, c);
    for (size_t i = 0; i < faces; i++) {
        direction(polyhedron, (double)i + 0.5, -c / size, 1.0 / size, h + 4 * i);
        h[4 * i + 3] = 0.0;
    }
    double* row = h + 4 * faces;
    // n^T x <= f_max,  -n^T x <= -f_min                                                   (17), (18)
    if (has_lid(polyhedron)) {
        write_cap(polyhedron->def.cone.n, 1.0, polyhedron->def.f_max, row);
        row += 4;
    }
    if (has_floor(polyhedron)) {
        write_cap(polyhedron->def.cone.n, -1.0, -polyhedron->def.f_min, row);
    }
}

// The N rays, times `size`, and their w.
static double* write_layer(const br_polyhedron* p, double size, double w, double* row)
{
    for (size_t i = 0; i < p->def.faces; i++, row += 4) {
        direction(p, (double)i, size, size * p->rho, row);
        row[3] = w;
    }
    return row;
}

void br_polyhedron_get_v(const br_polyhedron* polyhedron, double* v)
{
    if (has_floor(polyhedron)) {
        v = write_layer(polyhedron, polyhedron->def.f_min, 1.0, v);
    } else if (has_lid(polyhedron)) {
        v[0] = v[1] = v[2] = 0.0;
        v[3] = 1.0;
        v += 4;
    }
    const double size = has_lid(polyhedron) ? polyhedron->def.f_max : 1.0;
    write_layer(polyhedron, size, has_lid(polyhedron) ? 1.0 : 0.0, v);
}

void br_polyhedron_get_ray(const br_polyhedron* polyhedron, size_t i, double ray[3])
{
    direction(polyhedron, (double)i, 1.0, polyhedron->rho, ray);
}

double br_polyhedron_margin(const br_polyhedron* polyhedron, const double f[3])
{
    const br_polyhedron_def* def = &polyhedron->def;
    double parts[3];
    br_cone_split(&def->cone, f, parts);

    // the face whose middle is nearest to the force's angle decides
    const double step = 2.0 * BR_PI / (double)def->faces;
    const double turn = (atan2(parts[2], parts[1]) - def->phase) / step;
    const double off = (turn - floor(turn) - 0.5) * step;
    const double c = face_distance(polyhedron);
    const double margin = (c * parts[0] - hypot(parts[1], parts[2]) * cos(off)) / hypot(1.0, c);
    const double lid = has_lid(polyhedron) ? def->f_max - parts[0] : margin;
    const double floor_margin = has_floor(polyhedron) ? parts[0] - def->f_min : margin;
    return isnan(margin) ? margin : fmin(margin, fmin(lid, floor_margin));
}

bool br_polyhedron_contains(const br_polyhedron* polyhedron, const double f[3])
{
    // the sign of f_n counts where mu itself is within rounding
    const double allowed = BR_CONE_ROUNDING * vec3_norm(f);
    return vec3_dot(polyhedron->def.cone.n, f) >= -allowed &&
           br_polyhedron_margin(polyhedron, f) >= -allowed;
}

static br_polyhedron_error error_of(double mu, size_t faces, br_polyhedron_side side)
{
    const double half = BR_PI / (double)faces;
    if (side == BR_POLYHEDRON_INNER) {
        return (br_polyhedron_error){1.0 - sin(2.0 * half) / (2.0 * half),
                                     atan(mu) - atan(mu * cos(half))};
    }
    return (br_polyhedron_error){tan(half) / half - 1.0, atan(mu / cos(half)) - atan(mu)};
}

br_polyhedron_error br_polyhedron_get_error(const br_polyhedron* polyhedron)
{
    const br_polyhedron_def* def = &polyhedron->def;
    return error_of(def->cone.mu, def->faces, def->side);
}

static int is_enough(double mu, size_t faces, br_polyhedron_side side, br_polyhedron_error wanted)
{
    const br_polyhedron_error error = error_of(mu, faces, side);
    return error.area <= wanted.area && error.angle <= wanted.angle;
}

size_t br_polyhedron_get_faces_for(const br_cone* cone, br_polyhedron_side side,
                                   br_polyhedron_error wanted)
{
    size_t low = 2, high = BR_POLYHEDRON_MOST_FACES;
    if (!is_enough(cone->mu, high, side, wanted)) {
        return 0;
    }
    // errors decrease with N: bisect
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (is_enough(cone->mu, middle, side, wanted)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return high;
}
