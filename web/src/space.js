/** Space to turn: three's renderer, an orbit camera, and the few things that scenes draw. Drawn on demand. */
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { colour, element, onTheme, oncePerFrame } from "./dom.js";

/** x, y in the plane, z up, as all of bristle has it. @param {ArrayLike<number>} p */
const toThree = (p) => new THREE.Vector3(p[0], p[2], -p[1]);

/** @type {THREE.WebGLRenderer | null} one for all spaces, since a browser has few contexts and keeps each for long */
let shared = null;

/** The renderer, with an empty picture. Throws without WebGL. */
function takeRenderer() {
  // the picture is kept between frames: recording.js copies it
  shared ??= new THREE.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
  shared.clear();
  return shared;
}

/** Remove what a group shows, and free it on the graphics card. @param {THREE.Group} group */
function empty(group) {
  group.traverse((/** @type {any} */ { geometry, material }) => {
    geometry?.dispose();
    material?.map?.dispose();
    material?.dispose();
  });
  group.clear();
}

/** @typedef {{label: string, distance?: number, axes: [string, string, string], size?: number, middle?: number[]}} Options */

export class Space {
  /** @param {HTMLElement} box that it fills @param {Options} options */
  constructor(box, { label, distance = 5, axes, size = 1.25, middle = [0, 0, 0] }) {
    this.box = box;
    for (const [name, value] of [
      ["role", "img"],
      ["aria-label", `${label}. Arrow keys turn it.`],
      ["tabindex", "0"],
    ])
      box.setAttribute(name, value);
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.1, 50);
    this.camera.position.copy(toThree([0.62, -0.72, 0.45]).normalize().multiplyScalar(distance));
    this.distance = distance;
    this.middle = toThree(middle); // looked at
    this.camera.position.add(this.middle);
    this.axes = axes;
    this.size = size;
    this.redraw = oncePerFrame(() => this.drawNow());
    /** @type {THREE.WebGLRenderer | null} */
    this.renderer = null;
    /** @type {OrbitControls | undefined} */
    this.orbit = undefined;
    /** @type {(() => void) | undefined} */
    this.forgetKeys = undefined;
    this.parts = new THREE.Group();
    this.frame = new THREE.Group();
    this.scene.add(this.parts, this.frame);
    const light = new THREE.DirectionalLight(0xffffff, 2.2);
    light.position.set(1, 2, 1.5);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.6), light);
    this.#start();
    this.stopTheme = onTheme(() => {
      this.#drawFrame();
      this.redraw();
    });
  }

  #start() {
    try {
      this.renderer = takeRenderer();
    } catch {
      this.box.append(
        element(
          "p",
          { class: "absent" },
          "This view is in 3-D and needs WebGL, which this browser does not offer; all numbers work without it.",
        ),
      );
      return;
    }
    this.box.prepend(this.renderer.domElement); // below the title
    const { domElement } = this.renderer;
    [this.orbit, this.forgetKeys] = keepingTrack(() => new OrbitControls(this.camera, domElement));
    domElement.style.touchAction = ""; // that of its box: OrbitControls would keep the page from scrolling
    this.orbit.enablePan = false;
    this.orbit.target.copy(this.middle);
    this.orbit.update();
    this.orbit.addEventListener("change", this.redraw);
    this.box.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
    this.observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = this.box;
      if (!width || !height) return;
      this.renderer?.setPixelRatio(devicePixelRatio || 1);
      this.renderer?.setSize(width, height);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      this.redraw();
    });
    this.observer.observe(this.box);
    this.#drawFrame();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const by = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
    if (!by) return;
    event.preventDefault();
    const place = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(this.middle));
    place.theta += by[0];
    place.phi = Math.min(Math.max(place.phi + by[1], 0.05), Math.PI - 0.05);
    this.camera.position.setFromSpherical(place).add(this.middle);
    this.camera.lookAt(this.middle);
    this.orbit?.update();
    this.redraw();
  }

  #drawFrame() {
    empty(this.frame);
    const ends = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ].map((p) => p.map((x) => x * this.size));
    ends.forEach((end, i) => {
      const line = new THREE.BufferGeometry().setFromPoints([toThree([0, 0, 0]), toThree(end)]);
      this.frame.add(
        new THREE.Line(line, new THREE.LineBasicMaterial({ color: colour("muted") })),
        this.#label(
          this.axes[i],
          end.map((x) => x * 1.09),
        ),
      );
    });
  }

  /** @param {string} text @param {number[]} at */
  #label(text, at) {
    const canvas = document.createElement("canvas");
    canvas.width = 256;
    canvas.height = 64;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.font = "40px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = colour("ink");
    context.fillText(text, 128, 32);
    const sprite = new THREE.Sprite(
      new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false }),
    );
    sprite.scale.set(0.56, 0.14, 1);
    sprite.position.copy(toThree(at));
    sprite.renderOrder = 3; // a surface does not hide the name of an axis
    return sprite;
  }

  /** Put the axes elsewhere, and look from another distance when that changes. @param {number[]} at @param {number} distance */
  setCentre(at, distance) {
    this.frame.position.copy(toThree(at));
    if (distance === this.distance) return;
    this.camera.position.setLength(distance);
    this.distance = distance;
    this.orbit?.update();
  }

  /** Start a new picture. */
  clear() {
    empty(this.parts);
    this.redraw();
  }

  /**
   * A surface over a grid of points.
   * @param {ArrayLike<number>} points rows x columns x 3 @param {number} rows @param {number} columns
   * @param {{colour: string, opacity?: number, wire?: boolean, shift?: number[]}} look
   */
  surface(points, rows, columns, { colour: name, opacity = 1, wire = false, shift = [0, 0, 0] }) {
    const positions = new Float32Array(rows * columns * 3);
    for (let i = 0; i < rows * columns; i++) {
      positions[3 * i] = points[3 * i] + shift[0];
      positions[3 * i + 1] = points[3 * i + 2] + shift[2];
      positions[3 * i + 2] = -points[3 * i + 1] - shift[1];
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    if (wire) {
      geometry.setIndex(wires(rows, columns));
      this.parts.add(
        new THREE.LineSegments(
          geometry,
          new THREE.LineBasicMaterial({ color: colour(name), transparent: true, opacity }),
        ),
      );
    } else {
      geometry.setIndex(triangles(rows, columns));
      geometry.computeVertexNormals();
      const material = new THREE.MeshStandardMaterial({
        color: colour(name),
        roughness: 0.65,
        side: THREE.DoubleSide,
        transparent: opacity < 1,
        opacity,
        depthWrite: opacity === 1,
      });
      this.parts.add(new THREE.Mesh(geometry, material));
    }
    this.redraw();
  }

  /** @param {ArrayLike<number>} at @param {number} size @param {string} name of a colour */
  ball(at, size, name) {
    const mesh = new THREE.Mesh(
      new THREE.SphereGeometry(size, 20, 14),
      new THREE.MeshStandardMaterial({ color: colour(name), depthTest: false, transparent: true, roughness: 0.4 }),
    );
    mesh.position.copy(toThree(at));
    mesh.renderOrder = 2;
    this.parts.add(mesh);
    this.redraw();
  }

  /** @param {ArrayLike<number>} from @param {ArrayLike<number>} by @param {string} name */
  arrow(from, by, name) {
    const direction = toThree(by),
      length = direction.length();
    if (length < 1e-9) return;
    const arrow = new THREE.ArrowHelper(
      direction.normalize(),
      toThree(from),
      length,
      colour(name),
      Math.min(0.12, 0.4 * length),
      Math.min(0.07, 0.25 * length),
    );
    for (const part of [arrow.line, arrow.cone]) {
      Object.assign(part.material, { depthTest: false, transparent: true });
      part.renderOrder = 2;
    }
    this.parts.add(arrow);
    this.redraw();
  }

  /** @param {number[][]} points @param {string} name @param {number} [opacity] */
  line(points, name, opacity = 1) {
    const geometry = new THREE.BufferGeometry().setFromPoints(points.map(toThree));
    this.parts.add(
      new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: colour(name), transparent: true, opacity })),
    );
    this.redraw();
  }

  drawNow() {
    this.renderer?.render(this.scene, this.camera);
  }

  close() {
    this.observer?.disconnect();
    this.stopTheme();
    this.clear();
    empty(this.frame);
    this.orbit?.dispose();
    this.forgetKeys?.();
    this.renderer?.domElement.remove();
    this.renderer = null;
  }
}

/**
 * Make something, and a function that takes back what it listens to on the document: OrbitControls 0.160 listens there
 * for the control key and never stops, which would keep every space that was ever open.
 * @template T @param {() => T} make @returns {[T, () => void]}
 */
function keepingTrack(make) {
  /** @type {[string, any, any][]} */
  const added = [];
  document.addEventListener = (/** @type {string} */ name, /** @type {any} */ then, /** @type {any} */ how) => {
    added.push([name, then, how]);
    EventTarget.prototype.addEventListener.call(document, name, then, how);
  };
  try {
    return [make(), () => added.forEach(([name, then, how]) => document.removeEventListener(name, then, how))];
  } finally {
    Reflect.deleteProperty(document, "addEventListener"); // the prototype's is back
  }
}

/** @param {number} rows @param {number} columns */
function triangles(rows, columns) {
  const index = [];
  for (let i = 0; i + 1 < rows; i++) {
    for (let j = 0; j + 1 < columns; j++) {
      const a = i * columns + j,
        b = a + columns;
      index.push(a, a + 1, b, b, a + 1, b + 1);
    }
  }
  return index;
}

/** @param {number} rows @param {number} columns */
function wires(rows, columns) {
  const index = [];
  for (let i = 0; i < rows; i += 3)
    for (let j = 0; j + 1 < columns; j++) index.push(i * columns + j, i * columns + j + 1);
  for (let j = 0; j < columns; j += 5)
    for (let i = 0; i + 1 < rows; i++) index.push(i * columns + j, (i + 1) * columns + j);
  return index;
}
