/** Patches, surfaces and cones as C and Python, as one would write them. */

const list = (/** @type {ArrayLike<number>} */ numbers) => Array.from(numbers).join(", ");
const rows = (/** @type {number[][]} */ table, open = "{", close = "}") =>
  table.map((row) => `${open}${list(row)}${close}`).join(", ");

const withoutThird = (/** @type {number[]} */ row) => row.slice(0, 2);
const third = (/** @type {number[]} */ row) => row[2];

/** @type {Record<string, (p: any) => [string, string]>} arrays before, and members of, a br_patch_def */
const PATCH_C = {
  disc: (p) => ["", radiusInC(p.radius)],
  ellipse: (p) => ["", `${radiusInC(p.radius)}    def.ratio = ${p.ratio};\n`],
  triangles: (p) => [
    `    const br_vec2 vertices[] = {${rows(p.vertices.map(withoutThird))}};\n` +
      `    const double pressures[] = {${list(p.vertices.map(third))}};\n` +
      `    const uint32_t triangles[] = {${list(p.triangles.flat())}};\n`,
    `    def.vertices = vertices;\n    def.pressures = pressures;\n    def.count = ${p.vertices.length};\n` +
      `    def.triangles = triangles;\n    def.triangle_count = ${p.triangles.length};\n`,
  ],
  ring: (p) => ["", radiusInC(p.radius)],
  rectangle: (p) => ["", `    def.size_x = ${p.size[0]};\n    def.size_y = ${p.size[1]};\n`],
  line: (p) => ["", `    def.length = ${p.length};\n`],
  polygon: (p) => [
    `    const br_vec2 vertices[] = {${rows(p.vertices)}};\n`,
    `    def.vertices = vertices;\n    def.count = ${p.vertices.length};\n`,
  ],
  points: (p) => [
    `    const br_support_point points[] = {${rows(p.points)}};\n`,
    `    def.points = points;\n    def.count = ${p.points.length};\n`,
  ],
  grid: (p) => [
    `    const double cells[] = {${p.cells.map(list).join(",\n                            ")}};\n`,
    `    def.size_x = ${p.size[0]};\n    def.size_y = ${p.size[1]};\n    def.rows = ${p.cells.length};\n    def.columns = ${p.cells[0].length};\n    def.cells = cells;\n`,
  ],
};

const radiusInC = (/** @type {any} */ radius) =>
  typeof radius === "number"
    ? `    def.radius = br_by_force_constant(${radius});\n`
    : `    def.radius = (br_by_force){${radius.coefficient}, ${radius.exponent}, ${radius.max ?? "INFINITY"}};\n`;

/** @param {any} pressure */
function pressureInC(pressure) {
  if (pressure?.kind === "power")
    return `    def.pressure = BR_PRESSURE_POWER;\n    def.k = br_by_force_constant(${pressure.k});\n`;
  if (pressure?.kind === "linear")
    return `    def.pressure = BR_PRESSURE_LINEAR;\n    def.from = ${pressure.from};\n    def.to = ${pressure.to};\n${pressure.angle ? `    def.slope_angle = ${pressure.angle};\n` : ""}`;
  return "";
}

/** @param {any} p a patch */
function patchInC(p) {
  const [arrays, members] = PATCH_C[p.shape](p);
  const place =
    (p.centre ? `    def.centre = (br_vec2){${list(p.centre)}};\n` : "") +
    (p.angle ? `    def.angle = ${p.angle};\n` : "");
  return `${arrays}    br_patch_def def = br_patch_def_default();\n    def.shape = BR_SHAPE_${p.shape.toUpperCase()};\n${members}${pressureInC(p.pressure)}${place}`;
}

/** @param {any} patch @param {number[]} twist @param {number[]} load @param {{ratio: number, angle?: number}} [grain] */
export const limitInC = (patch, twist, load, grain) => `// cc scene.c $(pkg-config --cflags --libs bristle) -lm
#include <bristle/bristle.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
${patchInC(patch)}
    br_patch* patch = NULL;
    br_limit* surface = NULL;
    br_reason why;
    br_status status = br_patch_create(&def, &patch, &why);
    br_limit_def limit = br_limit_def_default();
    limit.patch = patch;
${grain ? `    limit.anisotropy.ratio = ${grain.ratio}; // times mu, along the first axis\n    limit.anisotropy.angle = ${grain.angle ?? 0}; // of that axis [rad]\n` : ""}    if (status == BR_OK) {
        status = br_limit_create(&limit, &surface, &why);
    }
    if (status != BR_OK) {
        fprintf(stderr, "%s: %s\\n", why.field, why.text);
        br_patch_destroy(patch);
        return 1;
    }
    const br_patch_value p = br_limit_get_patch_value(surface);
    printf("CoP %.9g, %.9g m; r %.9g m; u %.9g m^2\\n", p.cop.x, p.cop.y, p.r, p.u);

    // friction for this motion, over mu fn: at the centre of pressure, on the body
    const br_wrench f = br_limit_eval(surface, (br_twist){${list(twist)}}).wrench;
    printf("fx %.9g, fy %.9g, tau %.9g m\\n", f.fx, f.fy, f.tau);

    // what can it hold? below 1 it does
    printf("load %.9g\\n", br_limit_gauge(surface, (br_wrench){${list(load)}}, NULL));
    br_limit_destroy(surface);
    br_patch_destroy(patch);
    return 0;
}
`;

/** @type {Record<string, (p: any) => string>} first arguments of the methods that make a patch */
const PATCH_PYTHON = {
  disc: (p) => radiusInPython(p.radius),
  triangles: (p) =>
    `[${rows(p.vertices.map(withoutThird), "(", ")")}], [${list(p.vertices.map(third))}], [${rows(p.triangles, "(", ")")}]`,
  ellipse: (p) => `radius=${radiusInPython(p.radius)}, ratio=${p.ratio}`,
  ring: (p) => radiusInPython(p.radius),
  rectangle: (p) => `(${list(p.size)})`,
  line: (p) => String(p.length),
  polygon: (p) => `[${rows(p.vertices, "(", ")")}]`,
  points: (p) =>
    `[${rows(
      p.points.map((/** @type {number[]} */ q) => q.slice(0, 2)),
      "(",
      ")",
    )}], weights=[${list(p.points.map((/** @type {number[]} */ q) => q[2]))}]`,
  grid: (p) =>
    `[${p.cells.map((/** @type {number[]} */ row) => `[${list(row)}]`).join(",\n     ")}],\n    size=(${list(p.size)})`,
};

const radiusInPython = (/** @type {any} */ radius) =>
  typeof radius === "number"
    ? String(radius)
    : `bristle.ByForce(${radius.coefficient}, exponent=${radius.exponent}${radius.max ? `, max=${radius.max}` : ""})`;

/** @param {any} p a patch @returns {string} */
export function patchInPython(p) {
  const { pressure } = p;
  const more = [
    pressure?.kind === "power" ? `pressure=bristle.PowerPressure(${pressure.k})` : "",
    pressure?.kind === "linear" ? `pressure=bristle.LinearPressure(${pressure.from}, ${pressure.to}${pressure.angle ? `, angle=${pressure.angle}` : ""})` : "",
    p.centre ? `centre=(${list(p.centre)})` : "",
    p.angle ? `angle=${p.angle}` : "",
  ].filter(Boolean);
  return `bristle.Patch.${p.shape}(${[PATCH_PYTHON[p.shape](p), ...more].join(", ")})`;
}

/** @param {{ratio: number, angle?: number} | undefined} grain an argument of LimitSurface */
const grainInPython = (grain) => (grain ? `, anisotropy=bristle.Anisotropy(${grain.ratio}, ${grain.angle ?? 0})` : "");

/** @param {any} patch @param {number[]} twist @param {number[]} load @param {{ratio: number, angle?: number}} [grain] */
export const limitInPython = (patch, twist, load, grain) => `import bristle

patch = ${patchInPython(patch)}
surface = bristle.LimitSurface(patch, fn=1.0${grainInPython(grain)})
print("CoP", surface.cop, "r", surface.r, "p_s", surface.spin_centre)

# friction for this motion, over mu fn: at the centre of pressure, on the body
print("wrench", surface.wrench([${list(twist)}]))

# what can it hold? below 1 it does
print("load", surface.gauge([${list(load)}]))
print("ellipsoid off by", bristle.LimitSurface(patch, method="ellipsoid", fn=1.0${grainInPython(grain)}).error().max)
`;

/** @param {any} s state of the scene of cones */
export const conesInC = (s) => `// cc scene.c $(pkg-config --cflags --libs bristle) -lm
#include <bristle/bristle.h>
#include <stdio.h>

int main(void)
{
    const double f[3] = {${list(s.force)}}; // [N]
    br_cone cone;
    br_reason why;
    if (br_cone_init((const double[3]){0, 0, 1}, ${s.mu}, &cone, &why) != BR_OK) {
        fprintf(stderr, "%s: %s\\n", why.field, why.text);
        return 1;
    }
    double nearest[3];
    br_cone_project(&cone, f, nearest, NULL);
    printf("margin %.9g N; nearest %.9g, %.9g, %.9g N\\n", br_cone_margin(&cone, f), nearest[0],
           nearest[1], nearest[2]);

    br_polyhedron_def def = br_polyhedron_def_default();
    def.cone = cone;
    def.faces = ${s.faces};
    def.side = ${s.side === "outer" ? "BR_POLYHEDRON_OUTER" : "BR_POLYHEDRON_INNER"};
    br_polyhedron flat;
    if (br_polyhedron_init(&def, &flat, &why) != BR_OK) {
        fprintf(stderr, "%s: %s\\n", why.field, why.text);
        return 1;
    }
    const br_polyhedron_error error = br_polyhedron_get_error(&flat);
    printf("flat faces: %s; off by %.9g of the area, %.9g rad\\n",
           br_polyhedron_contains(&flat, f) ? "holds" : "slips", error.area, error.angle);
    return 0;
}
`;

/** @param {any} s state of the scene of cones */
export const conesInPython = (s) => `import bristle

cone = bristle.FrictionCone([0, 0, 1], mu=${s.mu})
force = [${list(s.force)}]  # N
print("margin", cone.margin(force), "N; nearest", cone.project(force))

flat = cone.polyhedron(${s.faces}, "${s.side}")
area, angle = flat.error
print("flat faces:", "holds" if flat.contains(force) else "slips", "- off by", area, "of the area,", angle, "rad")
`;
