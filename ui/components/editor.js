// The picture in which a line of risk is drawn. One Editor lives per mount; Streamlit calls the default export again
// whenever its data changes. Points are always [prior, posterior]; a view only changes where they are shown.

const VIEWS = {
  posterior: { shown: (p, c) => c, taken: (p, y) => y },
  ratio: { shown: (p, c) => c / p, taken: (p, y) => y * p },
  difference: { shown: (p, c) => c - p, taken: (p, y) => y + p },
};
const WORDS = {
  plain: {
    posterior: "Belief after", ratio: "Ratio", difference: "Difference",
    x: "believed before, out of 100",
    y: { posterior: "believed after at most, out of 100", ratio: "times the belief before, at most", difference: "above the belief before, at most, out of 100" },
  },
  technical: {
    posterior: "Posterior", ratio: "Ratio", difference: "Difference",
    x: "prior",
    y: { posterior: "highest posterior", ratio: "highest posterior / prior", difference: "highest posterior − prior" },
  },
};
const STROKE_POINTS = 12; // a freehand stroke becomes at most this many points
const HISTORY = 200; // steps that can be undone
const EMIT_EVERY = 200; // ms between reports while a point moves
const TAP = 400; // ms within which a second tap counts as double
const FLOOR = 0.001, CEILING = 0.999; // priors the pointer reaches; a link may go further

const clamp = (v, low, high) => Math.min(Math.max(v, low), high);
const tidy = (v, digits = 6) => Number(v.toPrecision(digits));
const counted = (points) => `${points.length} point${points.length === 1 ? "" : "s"}`;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Digits of a number that matter: three, more where it is close below the whole. */
const digits = (v, whole) => (v > 0.99 * whole && v < whole ? 3 + Math.ceil(-Math.log10(1 - v / whole)) : 3);

/** A number as people say it: at most three digits that matter, more only when close below the whole. */
function short(v, whole = 100) {
  return digits(v, whole) > 3 ? String(tidy(v, digits(v, whole))) : tidy(v, 3).toLocaleString("en-GB", { maximumSignificantDigits: 3 });
}

/** Beliefs as whole people of one power of ten, 100 or the next in which each keeps the digits that matter. */
function people(...beliefs) {
  const kept = beliefs.map((p) => tidy(p, digits(p, 1))), whole = (v) => Math.abs(v - Math.round(v)) < 1e-3;
  let of = 100;
  while (of < 1e15 && !kept.every((p) => whole(p * of))) of *= 10;
  return kept.map((p) => Math.round(p * of)).concat(of);
}

const inPeople = (count, of) => `${count.toLocaleString("en-GB")} in ${of.toLocaleString("en-GB")}`;

/** The nearest multiple of the step, or of one of the value's second digit where that is finer. */
function rounded(v, step) {
  if (v <= 0) return v;
  const unit = 10 ** (Math.floor(Math.log10(v)) - 1), fine = Math.min(step, v < 20 * unit && step >= 1 ? unit / 2 : unit);
  return tidy(Math.round(v / fine) * fine);
}

/** Next 1, 2 or 5 times a power of ten at or above v. */
function niceAbove(v) {
  const unit = 10 ** Math.floor(Math.log10(v));
  return tidy([1, 2, 5, 10].map((m) => m * unit).find((n) => n >= v * (1 - 1e-9)));
}

/** Ramer–Douglas–Peucker: the pixels of a stroke that cannot be left out without straying more than `slack`. */
function simplified(dots, slack) {
  const [a, b] = [dots[0], dots[dots.length - 1]];
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  let far = 0, at = -1;
  for (let i = 1; i < dots.length - 1; i++) {
    const off = Math.abs((b[0] - a[0]) * (a[1] - dots[i][1]) - (a[0] - dots[i][0]) * (b[1] - a[1])) / length;
    if (off > far) [far, at] = [off, i];
  }
  if (at < 0 || far <= slack) return [a, b];
  return [...simplified(dots.slice(0, at + 1), slack).slice(0, -1), ...simplified(dots.slice(at), slack)];
}

/** Posterior between two neighbouring points, straight in the scenario's sense, never above 1. */
function between([p0, c0], [p1, c1], p, how) {
  const t = (p - p0) / (p1 - p0), r0 = c0 / p0, r1 = c1 / p1;
  if (how === "linear") return c0 + t * (c1 - c0);
  if (how === "ratio") return Math.min(1, p * (r0 + t * (r1 - r0)));
  if (how === "loglog") return Math.min(1, p * r0 * (r1 / r0) ** (Math.log(p / p0) / Math.log(p1 / p0)));
  return p < p1 ? Math.min(1, p * r0) : c1; // a step holds its ratio, so it never falls under the diagonal
}

/** The same pixels with others between them, so that no gap is wider than `gap`. */
function dense(dots, gap = 6) {
  const all = dots.slice(0, 1);
  for (let i = 1; i < dots.length; i++) {
    const [[x0, y0], [x1, y1]] = [dots[i - 1], dots[i]], n = Math.min(400, Math.ceil(Math.hypot(x1 - x0, y1 - y0) / gap));
    for (let k = 1; k <= n; k++) all.push([x0 + ((x1 - x0) * k) / n, y0 + ((y1 - y0) * k) / n]);
  }
  return all;
}

function svg(name, attributes = {}, parent = null) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  parent?.append(node);
  return node;
}

class Editor {
  constructor(parent) {
    Object.assign(this, { rev: -1, points: [], selected: -1, past: [], future: [], view: "posterior", log: false });
    Object.assign(this, { sketching: false, gesture: null, waiting: null, tap: null, timer: 0, lastSent: -EMIT_EVERY, width: 0, placed: {} });
    this.build(parent);
    this.watcher = new ResizeObserver(() => this.root.clientWidth !== this.width && this.draw());
    this.watcher.observe(this.root);
  }

  stop() {
    this.watcher.disconnect();
    clearTimeout(this.timer);
  }

  // ---- what Python says, what Python is told -------------------------------------------------------------------

  update(data) {
    this.data = data;
    if (data.rev > this.rev) this.gesture ? (this.waiting = data) : this.take(data);
    this.draw();
  }

  take(data) {
    if (this.rev >= 0 && !same(this.points, data.points)) this.remember(this.points);
    if (this.points.length !== data.points.length) this.selected = -1;
    Object.assign(this, { rev: data.rev, points: data.points.map((q) => [...q]), view: data.view, log: data.log, waiting: null });
    clearTimeout(this.timer);
    if (data.refused) this.say(`Not taken: ${data.refused}. The last line stays.`);
  }

  emit(settled = true) {
    clearTimeout(this.timer);
    const wait = this.lastSent + EMIT_EVERY - performance.now();
    if (!settled && wait > 0) {
      this.timer = setTimeout(() => this.emit(false), wait);
      return;
    }
    this.rev += 1;
    this.lastSent = performance.now();
    this.send({ points: this.points, view: this.view, log: this.log, rev: this.rev, settled });
  }

  /** Key presses repeat quickly: report the first at once and the last of a burst. */
  emitSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.emit(), Math.max(0, this.lastSent + EMIT_EVERY - performance.now()));
  }

  say(text) {
    this.live.textContent = "";
    this.live.textContent = text;
  }

  // ---- changes of the line -------------------------------------------------------------------------------------

  remember(points) {
    this.past.push(points.map((q) => [...q]));
    if (this.past.length > HISTORY) this.past.shift();
    this.future = [];
  }

  change(points, words, selected = this.selected) {
    this.remember(this.points);
    Object.assign(this, { points, selected });
    this.draw();
    this.emit();
    if (words) this.say(words);
  }

  /** Where the pointer leaves point i: round numbers, between its neighbours, on or above the diagonal. */
  allowed(i, p, y) {
    const [low, high] = this.room(i);
    p = p === this.points[i][0] || low > high ? this.points[i][0] : clamp(this.roundPrior(p), low, high);
    return [p, y === null ? Math.max(this.points[i][1], p) : clamp(this.roundPosterior(p, y), p, 1)];
  }

  roundPrior(p) {
    return p > 0.99 ? rounded(p, 0.001) : rounded(p, this.log ? 1 : 0.01);
  }

  /** The posterior at height y, such that the number shown in this view is a round one. */
  roundPosterior(p, y) {
    const { shown, taken } = VIEWS[this.view], c = this.toC(p, y), v = shown(p, c);
    if (this.view === "ratio") return tidy(taken(p, rounded(v, v < 2 ? 0.02 : v < 5 ? 0.05 : v < 10 ? 0.1 : v)));
    return tidy(taken(p, rounded(v, this.view === "posterior" ? (c > 0.99 ? 0.001 : 0.01) : niceAbove(this.top / 100))));
  }

  room(i) {
    const before = this.points[i - 1], after = this.points[i + 1], own = this.points[i];
    const low = Math.min(FLOOR, own ? own[0] : FLOOR), high = Math.max(CEILING, own ? own[0] : CEILING);
    const above = (p) => tidy(this.log ? p * 1.02 : p + 0.002, 12), below = (p) => tidy(this.log ? p / 1.02 : p - 0.002, 12);
    return [before ? Math.max(low, above(before[0])) : low, after ? Math.min(high, below(after[0])) : high];
  }

  add(p, c) {
    if (this.points.length >= this.data.most) return this.say(`No more than ${this.data.most} points.`);
    const i = this.points.filter((q) => q[0] < p).length;
    const points = [...this.points.slice(0, i), [p, c], ...this.points.slice(i)];
    const kept = this.points;
    this.points = points;
    const [low, high] = this.room(i);
    this.points = kept;
    if (low > high) return this.say("No room for a point here.");
    p = clamp(this.roundPrior(p), low, high);
    points[i] = [p, clamp(tidy(c, 4), p, 1)];
    this.change(points, `Point added at ${this.data.technical ? short(p, 1) : inPeople(...people(p))}. ${counted(points)}.`, i);
    this.focus(i);
  }

  /** A point on the line in the widest gap, so that the line itself does not change. */
  addInGap() {
    const [low, high] = [this.toX(Math.max(FLOOR, this.low)), this.toX(CEILING)];
    const stops = [low, ...this.points.map((q) => this.toX(q[0])), high];
    let best = [0, 0];
    for (let i = 1; i < stops.length; i++) {
      const inside = i > 1 && i < stops.length - 1;
      const gap = (stops[i] - stops[i - 1]) * (inside ? 1 : 0.6);
      if (gap > best[0] + 1) best = [gap, (stops[i] + stops[i - 1]) / 2];
    }
    const p = this.roundPrior(this.toP(best[1]));
    this.add(p, this.lineAt(p));
  }

  remove(i) {
    if (!this.points[i]) return this.say("Choose a point first.");
    if (this.points.length === 1) return this.say("One point has to stay.");
    const next = Math.min(i, this.points.length - 2);
    const points = this.points.filter((_, k) => k !== i);
    this.change(points, `Point removed. ${counted(points)}.`, next);
    return next;
  }

  undo(from, to, word) {
    if (!this[from].length) return this.say(`Nothing to ${word}.`);
    this[to].push(this.points);
    this.points = this[from].pop();
    this.selected = Math.min(this.selected, this.points.length - 1);
    this.draw();
    this.emit();
    this.say(`${word === "undo" ? "Undone" : "Redone"}. ${counted(this.points)}.`);
  }

  sketched(dots) {
    const clear = [...dots].sort((a, b) => a[0] - b[0]);
    if (clear.length < 2) return;
    let slack = 1.5, few = simplified(clear, slack);
    while (few.length > STROKE_POINTS) few = simplified(clear, (slack *= 1.3));
    const stroke = [];
    for (const [x, y] of few) {
      const p = clamp(tidy(this.toP(x), 3), FLOOR, CEILING);
      if (!stroke.length || p > stroke[stroke.length - 1][0]) stroke.push([p, clamp(this.roundPosterior(p, y), p, 1)]);
    }
    const [first, last] = [this.toX(stroke[0][0]), this.toX(stroke[stroke.length - 1][0])];
    const points = [
      ...this.points.filter((q) => this.toX(q[0]) < first - 6), ...stroke,
      ...this.points.filter((q) => this.toX(q[0]) > last + 6),
    ];
    if (points.length > this.data.most) return this.say(`No more than ${this.data.most} points.`);
    this.change(points, `Line drawn. ${counted(points)}.`, -1);
  }

  lineAt(p) {
    const q = this.points, i = q.findIndex((point) => point[0] >= p), n = q.length - 1;
    if (i <= 0) { // outside the points the end's ratio carries on
      const end = i === 0 ? q[0] : q[n];
      return clamp((p * end[1]) / end[0], p, 1);
    }
    return clamp(between(q[i - 1], q[i], p, this.data.interpolation), p, 1);
  }

  // ---- scales --------------------------------------------------------------------------------------------------

  scale() {
    const width = this.root.clientWidth || 600, big = this.data.large;
    const type = (width < 480 ? 12 : 13.5) * (big ? 1.4 : 1);
    const wanted = Math.min(this.data.height, Math.max(300, width * 0.95)) * (big ? 1.1 : 1);
    const height = Math.min(wanted, Math.max(300, 0.48 * (globalThis.innerHeight || Infinity))); // half a low window
    this.width = width;
    this.type = type;
    this.box = { left: 2.9 * type, top: 2.1 * type, right: width - Math.max(12, type), bottom: height - 3.3 * type, height };
    if (this.gesture) return; // the axes hold still while a point moves
    const priors = this.points.map((q) => q[0]), shown = this.points.map((q) => VIEWS[this.view].shown(...q));
    this.low = Math.min(FLOOR, 10 ** Math.floor(Math.log10(Math.min(...priors)) + 1e-9));
    this.top = 1;
    if (this.view === "ratio") this.top = Math.max(5, niceAbove(Math.max(...shown) * 1.2));
    if (this.view === "difference") this.top = Math.min(1, Math.max(0.1, niceAbove(Math.max(...shown) * 1.15)));
  }

  toX(p) {
    const t = this.log ? 1 - Math.log10(Math.max(p, 1e-300)) / Math.log10(this.low) : p;
    return this.box.left + t * (this.box.right - this.box.left);
  }

  toP(x) {
    const t = clamp((x - this.box.left) / (this.box.right - this.box.left), 0, 1);
    return this.log ? this.low ** (1 - t) : t;
  }

  heightOf(v) {
    const t = this.view === "ratio" ? Math.log(Math.max(v, 1e-9)) / Math.log(this.top) : v / this.top;
    return this.box.bottom - t * (this.box.bottom - this.box.top);
  }

  toY(p, c) {
    return this.heightOf(VIEWS[this.view].shown(p, c));
  }

  toC(p, y) {
    const t = clamp((this.box.bottom - y) / (this.box.bottom - this.box.top), 0, 1);
    return VIEWS[this.view].taken(p, this.view === "ratio" ? this.top ** t : t * this.top);
  }

  xTicks() {
    if (!this.log) return [0, 0.2, 0.4, 0.6, 0.8, 1];
    const decades = Math.round(-Math.log10(this.low)), stride = Math.ceil(decades / 5), ticks = [];
    for (let d = 0; d <= decades; d += stride) ticks.push(tidy(10 ** -d));
    return ticks;
  }

  yTicks() {
    if (this.view === "ratio") {
      const ticks = [];
      for (let unit = 1; unit <= this.top; unit *= 10) ticks.push(...[1, 2, 5].map((m) => m * unit).filter((v) => v <= this.top));
      const stride = ticks.length > 7 ? 3 : 1;
      return ticks.filter((_, i) => i % stride === 0);
    }
    const step = this.top / 5;
    return [0, 1, 2, 3, 4, 5].map((i) => tidy(i * step));
  }

  tickText(v, ratio) {
    if (ratio) return short(v, Infinity);
    if (!this.data.technical) return String(tidy(100 * v));
    return v > 0 && v < 1e-4 ? `10${[...String(Math.round(Math.log10(v)))].map((d) => "⁻0123456789".includes(d) || d === "-" ? (d === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]) : d).join("")}` : String(v);
  }

  // ---- the picture ---------------------------------------------------------------------------------------------

  build(parent) {
    this.root = html("div", { class: "editor" }, parent);
    const bar = html("div", { class: "bar" }, this.root);
    const group = (label) => html("div", { role: "group", "aria-label": label }, bar);
    const button = (where, action, text) => {
      const node = html("button", { type: "button", "data-action": action }, where, text);
      node.addEventListener("click", () => node.getAttribute("aria-disabled") !== "true" && this.press(action));
      return node;
    };
    this.buttons = {};
    const looks = group("How the line is shown"), axis = group("Axis of the belief before"), edits = group("Change the line");
    for (const view of Object.keys(VIEWS)) this.buttons[view] = button(looks, view, "");
    this.buttons.log = button(axis, "log", "Log scale");
    for (const [action, text] of [["add", "Add point"], ["remove", "Remove point"], ["sketch", "Draw freehand"], ["undo", "Undo"], ["redo", "Redo"]]) {
      this.buttons[action] = button(edits, action, text);
    }
    this.svg = svg("svg", { role: "group" }, this.root);
    const clip = svg("clipPath", { id: "plot" }, svg("defs", {}, this.svg));
    this.clip = svg("rect", {}, clip);
    this.axes = svg("g", { class: "axes", "aria-hidden": "true" }, this.svg);
    const plot = svg("g", { "clip-path": "url(#plot)", "aria-hidden": "true" }, this.svg);
    this.layers = {};
    for (const name of ["below", "floor", "comparisons", "reachable", "guide", "line", "stroke"]) this.layers[name] = svg(name === "comparisons" ? "g" : "path", { class: name }, plot);
    this.mark = svg("path", { class: "mark", "aria-hidden": "true" }, this.svg);
    this.texts = svg("g", { class: "labels", "aria-hidden": "true" }, this.svg);
    this.handles = svg("g", { role: "group", "aria-label": "Control points" }, this.svg);
    const readout = html("p", { class: "readout" }, this.root);
    this.readout = html("span", {}, readout);
    this.budget = html("strong", {}, readout);
    this.live = html("div", { class: "spoken", role: "status", "aria-live": "polite" }, this.root);
    const on = (name, act) => this.svg.addEventListener(name, act);
    on("pointerdown", (e) => this.down(e));
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.up(e));
    on("pointercancel", (e) => this.up(e, true));
    this.root.addEventListener("keydown", (e) => this.key(e));
    // Only a cancelled touchstart keeps every browser from scrolling instead of moving the point.
    this.svg.addEventListener("touchstart", (e) => {
      if (this.sketching || this.nearest(this.where(e.touches[0]), 26) >= 0) e.preventDefault();
    }, { passive: false });
    this.root.addEventListener("focusin", (e) => { // not on the group: an SVG node that listens for focus becomes a tab stop
      const i = [...this.handles.children].indexOf(e.target);
      if (i < 0 || i === this.selected) return;
      this.selected = i;
      this.draw();
    });
  }

  press(action) {
    if (action in VIEWS || action === "log") {
      if (action === "log") this.log = !this.log;
      else this.view = action;
      this.placed = {};
      this.draw();
      this.emit();
    } else if (action === "add") this.addInGap();
    else if (action === "remove") this.remove(this.selected);
    else if (action === "sketch") {
      this.sketching = !this.sketching;
      this.draw();
    } else if (action === "undo") this.undo("past", "future", "undo");
    else this.undo("future", "past", "redo");
  }

  draw() {
    if (!this.data || !this.points.length) return;
    this.scale();
    const { data, box, type } = this, words = WORDS[data.technical ? "technical" : "plain"];
    this.root.classList.toggle("large", Boolean(data.large));
    this.root.classList.toggle("bare", Boolean(data.bare));
    this.root.classList.toggle("sketching", this.sketching);
    this.root.style.setProperty("--type", `${type}px`);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${box.height}`);
    this.svg.setAttribute("height", box.height);
    this.svg.setAttribute("aria-label", `Your line: ${words.x} against ${words.y[this.view]}. ${counted(this.points).replace(" ", " control ")}.`);
    for (const [name, value] of [["x", box.left], ["y", box.top - 2], ["width", box.right - box.left + 3], ["height", box.bottom - box.top + 4]]) this.clip.setAttribute(name, value);
    this.drawAxes(words);
    const curves = this.drawCurves();
    this.drawHandles();
    this.drawLabels(curves);
    this.drawButtons(words);
    this.readout.textContent = this.hint();
    this.budget.textContent = data.budget;
  }

  drawAxes(words) {
    const { axes, box, type } = this;
    axes.replaceChildren();
    const line = (x1, y1, x2, y2, name = "") => svg("line", { x1, y1, x2, y2, class: name }, axes);
    const text = (x, y, anchor, words, name = "") => (svg("text", { x, y, "text-anchor": anchor, class: name }, axes).textContent = words);
    for (const v of this.yTicks()) {
      const y = this.heightOf(v);
      line(box.left, y, box.right, y, "grid");
      text(box.left - 0.5 * type, y + 0.35 * type, "end", this.tickText(v, this.view === "ratio"));
    }
    for (const p of this.xTicks()) {
      line(this.toX(p), box.bottom, this.toX(p), box.bottom + 4);
      text(this.toX(p), box.bottom + 1.5 * type, "middle", this.tickText(p));
    }
    text(0, 0.95 * type, "start", words.y[this.view], "title");
    text(box.right, box.bottom + 2.9 * type, "end", words.x, "title");
  }

  /** Pixels of a curve given as pairs, cut to the plot's width. */
  pixels(pairs) {
    return pairs.filter((q) => q[0] > 0).map(([p, c]) => [this.toX(p), this.toY(p, c)]);
  }

  sampled(f, from, to, n = 80) {
    const dots = [], [x0, x1] = [this.toX(from), this.toX(to)];
    for (let i = 0; i <= n; i++) {
      const p = i === 0 ? from : i === n ? to : this.toP(x0 + ((x1 - x0) * i) / n);
      if (p > 0) dots.push([this.toX(p), this.toY(p, f(p))]);
    }
    return dots;
  }

  drawCurves() {
    const { data, layers, points, box } = this, how = data.interpolation;
    const path = (dots) => dots.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    const start = this.log ? this.low : 1e-6;
    const floor = this.sampled((p) => p, start, 1);
    let line = points.length === 1 ? this.pixels(points) : [];
    for (let i = 1; i < points.length; i++) {
      line.push(...this.sampled((p) => between(points[i - 1], points[i], p, how), points[i - 1][0], points[i][0], points.length > 16 ? 8 : 24));
      if (how === "step") line.push([this.toX(points[i][0]), this.toY(...points[i])]);
    }
    const reachable = this.pixels(data.reachable ?? []);
    layers.floor.setAttribute("d", path(floor));
    layers.below.setAttribute("d", this.view === "posterior" ? `${path(floor)}L${box.right} ${box.bottom}L${box.left} ${box.bottom}Z` : "");
    layers.line.setAttribute("d", path(line));
    layers.reachable.setAttribute("d", path(reachable));
    layers.comparisons.replaceChildren();
    const others = (data.comparisons ?? []).map(([label, curve], i) => {
      const dots = this.pixels(curve);
      svg("path", { d: path(dots), class: `c${i % 3}` }, layers.comparisons);
      return { name: `c${i % 3}`, text: label, dots, above: true };
    });
    const curves = [{ name: "line", text: data.example ? "an example" : "your line", dots: line, above: true }, { name: "reachable", text: "reachable", dots: reachable }, ...others];
    curves.push({ name: "floor", text: "learns nothing", dots: floor });
    let guide = "";
    const held = this.gesture && points[this.selected];
    if (held) {
      const [x, y] = [this.toX(held[0]), this.toY(...held)];
      guide = `M${x} ${box.bottom}V${y}H${box.left}`;
    }
    if (data.binding) {
      const [x, y] = [this.toX(data.binding[0]), this.toY(data.binding[0], data.binding[1])], s = data.large ? 17 : 12;
      const inside = x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 2 && y <= box.bottom + 2;
      this.mark.setAttribute("d", inside ? `M${x} ${y - s}L${x + s} ${y}L${x} ${y + s}L${x - s} ${y}Z` : "");
      if (inside) guide += `M${x} ${box.bottom}V${y + s}`;
      if (inside) {
        curves.unshift({ name: "binding", text: data.binding[2], dots: [[x, y]], spot: s });
        curves.push({ name: "drop", text: "", dots: [[x, box.bottom], [x, y + s]] });
      }
    } else this.mark.setAttribute("d", "");
    layers.guide.setAttribute("d", guide);
    return curves;
  }

  drawHandles() {
    const { handles, points, data } = this, n = points.length;
    while (handles.childElementCount > n) handles.lastChild.remove();
    while (handles.childElementCount < n) {
      const node = svg("g", { role: "slider", tabindex: "0", "aria-orientation": "vertical" }, handles);
      svg("circle", { class: "hit", r: 24 }, node);
      svg("circle", { class: "ring" }, node);
      svg("circle", { class: "dot" }, node);
    }
    points.forEach(([p, c], i) => {
      const node = handles.children[i];
      const set = (name, value) => node.getAttribute(name) !== String(value) && node.setAttribute(name, value);
      set("transform", `translate(${this.toX(p).toFixed(1)} ${this.toY(p, c).toFixed(1)})`);
      set("aria-label", `Control point ${i + 1} of ${n}`);
      set("aria-valuemin", tidy(p));
      set("aria-valuemax", 1);
      set("aria-valuenow", tidy(c));
      const [before, after, of] = people(p, c);
      set("aria-valuetext", data.technical ? `prior ${short(p, 1)}, highest posterior ${short(c, 1)}` : `before ${inPeople(before, of)}, after at most ${inPeople(after, of)}`);
      node.classList.toggle("selected", i === this.selected);
    });
  }

  /** Words beside their curve, where they collide least with each other, the points and the other curves. */
  drawLabels(curves) {
    const { texts, box, type } = this, taken = [];
    for (const curve of curves) curve.dots = dense(curve.dots).filter(([x, y]) => x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 3 && y <= box.bottom + 3);
    const spots = this.points.map((q) => [this.toX(q[0]), this.toY(...q)]);
    texts.replaceChildren();
    for (const curve of curves) {
      const dots = curve.dots;
      if (!dots.length || !curve.text) continue;
      const node = svg("text", { class: curve.name }, texts);
      node.textContent = curve.text;
      const w = node.getComputedTextLength() || curve.text.length * type * 0.5, h = type;
      const places = [], reach = curve.spot ? 1.3 * type : 10;
      for (let k = 0; k <= 12; k++) {
        const [x, y] = dots[Math.round(((dots.length - 1) * k) / 12)];
        for (const up of [true, false]) for (const side of [-1, -0.5, 0]) {
          const left = x + side * w + (side === -1 ? -reach : side === 0 ? reach : 0), lift = curve.spot || side === -0.5 ? 1.1 : 0.55;
          places.push([left, up ? y - lift * h : y + (lift + 0.75) * h, up === Boolean(curve.above) ? 0 : 12, Math.abs(k - 7)]);
        }
        if (dots.length === 1) break;
      }
      let best = [Infinity];
      places.forEach(([left, base, worse, middle], at) => {
        const [r, t, b] = [left + w, base - 0.8 * h, base + 0.25 * h];
        let cost = worse + middle - (this.placed[curve.name] === at ? 40 : 0);
        cost += 30 * (Math.max(0, box.left + 4 - left) + Math.max(0, r - box.right) + Math.max(0, box.top - 2 - t) + Math.max(0, b - box.bottom + 3));
        for (const [l2, t2, r2, b2] of taken) if (left < r2 + 6 && r > l2 - 6 && t < b2 + 2 && b > t2 - 2) cost += 600;
        for (const [x, y] of spots) if (x > left - 11 && x < r + 11 && y > t - 11 && y < b + 11) cost += 90;
        for (const other of curves) for (const [x, y] of other.dots) {
          if (x < left - 3 || x > r + 3 || y < t - 9 || y > b + 9) continue;
          cost += y > t - 1 && y < b + 1 ? (other === curve ? 5 : 14) : other === curve || curve.spot ? 0 : 2; // on a curve, or nearer to another than to its own
        }
        if (cost < best[0]) best = [cost, left, base, at, [left, t, r, b]];
      });
      if (best[0] > 550) { // no free place: better no words than words over words
        node.remove();
        continue;
      }
      this.placed[curve.name] = best[3];
      taken.push(best[4]);
      if (curve.spot) taken.push([dots[0][0] - curve.spot, dots[0][1] - curve.spot, dots[0][0] + curve.spot, dots[0][1] + curve.spot]);
      node.setAttribute("x", best[1].toFixed(1));
      node.setAttribute("y", best[2].toFixed(1));
    }
  }

  drawButtons(words) {
    const set = (action, name, value) => this.buttons[action].setAttribute(name, String(value));
    for (const view of Object.keys(VIEWS)) {
      this.buttons[view].textContent = words[view];
      set(view, "aria-pressed", this.view === view);
    }
    set("log", "aria-pressed", this.log);
    set("sketch", "aria-pressed", this.sketching);
    set("remove", "aria-disabled", this.points.length < 2 || this.selected < 0);
    set("undo", "aria-disabled", !this.past.length);
    set("redo", "aria-disabled", !this.future.length);
  }

  hint() {
    const point = this.points[this.selected], technical = this.data.technical;
    if (this.sketching) return "Draw across the picture. The stroke becomes points you can move.";
    if (!point) return "Drag a point, or move it with the arrow keys. Double-click to add or remove one.";
    const [p, c] = point, place = `Point ${this.selected + 1} of ${this.points.length}`;
    if (technical) return `${place}: prior ${short(p, 1)}, posterior ≤ ${short(c, 1)}, ratio ${short(c / p, Infinity)}, difference ${short(c - p, 1)}`;
    const [before, after, of] = people(p, c);
    const more = this.view === "ratio" ? `, ${short(c / p, Infinity)} times` : this.view === "difference" ? `, ${inPeople(after - before, of)} more` : "";
    return `${place}. Before: ${inPeople(before, of)}. After: at most ${inPeople(after, of)}${more}.`;
  }

  focus(i) {
    this.handles.children[i]?.focus({ preventScroll: this.root.classList.contains("pointed") }); // not under a hand
  }

  // ---- pointer and keys ----------------------------------------------------------------------------------------

  where(e) {
    const at = this.svg.getBoundingClientRect();
    return [e.clientX - at.left, e.clientY - at.top];
  }

  nearest([x, y], reach) {
    let best = [reach, -1];
    this.points.forEach((q, i) => {
      const off = Math.hypot(this.toX(q[0]) - x, this.toY(...q) - y);
      if (off < best[0]) best = [off, i];
    });
    return best[1];
  }

  down(e) {
    if (e.button || this.gesture) return;
    this.root.classList.add("pointed");
    const at = this.where(e), i = this.nearest(at, e.pointerType === "mouse" ? 18 : 26);
    e.preventDefault();
    if (this.sketching) {
      this.svg.setPointerCapture(e.pointerId);
      this.gesture = { id: e.pointerId, columns: new Map(), last: at };
      return;
    }
    const again = this.tap && this.tap.i === i && e.timeStamp - this.tap.time < TAP && Math.hypot(at[0] - this.tap.at[0], at[1] - this.tap.at[1]) < 24;
    this.tap = again ? null : { i, at, time: e.timeStamp };
    if (again && i >= 0) return void this.focus(this.remove(i) ?? i);
    if (again) return this.addAt(at);
    if (i < 0) return;
    this.svg.setPointerCapture(e.pointerId);
    this.gesture = { id: e.pointerId, i, from: at, start: this.points[i], before: this.points.map((q) => [...q]), moved: false };
    this.selected = i;
    this.focus(i);
    this.draw();
  }

  /** A point where the reader clicked; close to the line it goes on the line. */
  addAt([x, y]) {
    const { box } = this;
    if (x < box.left - 6 || x > box.right + 6 || y < box.top - 12 || y > box.bottom + 12) return;
    const p = clamp(this.roundPrior(this.toP(x)), FLOOR, CEILING), on = this.lineAt(p);
    this.add(p, Math.abs(this.toY(p, on) - y) < 14 ? on : this.roundPosterior(p, y));
  }

  move(e) {
    const g = this.gesture;
    if (!g || e.pointerId !== g.id) return;
    if (g.columns) return this.stroke(g, e);
    const at = this.where(e), [dx, dy] = [at[0] - g.from[0], at[1] - g.from[1]];
    if (!g.moved && Math.hypot(dx, dy) < 3) return;
    g.moved = true;
    this.tap = null;
    // a hand is not steady: what hardly moved keeps its number
    const p = Math.abs(dx) < 3 ? g.start[0] : this.toP(this.toX(g.start[0]) + dx);
    this.points[g.i] = g.start;
    const moved = this.allowed(g.i, p, Math.abs(dy) < 3 && this.view === "posterior" ? null : this.toY(...g.start) + dy);
    this.points[g.i] = g.last ?? g.start;
    if (same(moved, this.points[g.i])) return;
    this.points[g.i] = g.last = moved;
    this.draw();
    this.emit(false);
  }

  stroke(g, e) {
    const events = e.getCoalescedEvents?.() ?? [];
    for (const step of events.length ? events : [e]) {
      const [x, y] = this.where(step), [x0, y0] = g.last, n = Math.max(1, Math.abs(Math.round(x - x0)));
      for (let k = 0; k <= n; k++) {
        const column = Math.round(clamp(x0 + ((x - x0) * k) / n, this.box.left, this.box.right));
        const p = this.toP(column), c = clamp(this.toC(p, y0 + ((y - y0) * k) / n), p, 1);
        if (p > 0) g.columns.set(column, this.toY(p, c));
      }
      g.last = [x, y];
    }
    const dots = [...g.columns].sort((a, b) => a[0] - b[0]);
    this.layers.stroke.setAttribute("d", dots.map(([x, y], i) => `${i ? "L" : "M"}${x} ${y.toFixed(1)}`).join(""));
  }

  up(e, cancelled = false) {
    const g = this.gesture;
    if (!g || e.pointerId !== g.id) return;
    this.gesture = null;
    this.layers.stroke.setAttribute("d", "");
    const waiting = this.waiting;
    if (g.columns) {
      if (!cancelled && !waiting) this.sketched([...g.columns]);
    } else if (g.moved) {
      if (cancelled) this.points = g.before;
      else if (!waiting) this.remember(g.before);
      if (!waiting) this.emit();
    }
    if (waiting) this.take(waiting);
    this.draw();
  }

  key(e) {
    this.root.classList.remove("pointed");
    const command = e.ctrlKey || e.metaKey, letter = e.key.toLowerCase();
    if (command && (letter === "z" || letter === "y")) {
      e.preventDefault();
      return this.press(letter === "y" || e.shiftKey ? "redo" : "undo");
    }
    if (e.key === "Escape" && this.sketching) return this.press("sketch");
    const i = [...this.handles.children].indexOf(e.target);
    if (i < 0 || command || e.altKey) return;
    if (e.key === "Delete" || e.key === "Backspace") {
      e.preventDefault();
      return void this.focus(this.remove(i) ?? i);
    }
    const moved = this.stepped(i, e.key, e.shiftKey ? 5 : 1);
    if (!moved) return;
    e.preventDefault();
    if (same(moved, this.points[i])) return;
    if (!e.repeat) this.remember(this.points);
    this.points = this.points.map((q, k) => (k === i ? moved : q));
    this.draw();
    e.target.scrollIntoView({ block: "nearest" });
    this.emitSoon();
  }

  /** Where a key takes point i: one hundredth of the scale, finer where the numbers are small. */
  stepped(i, key, times) {
    const [p, c] = this.points[i], fine = (v) => 10 ** Math.min(-2, Math.floor(Math.log10(Math.max(v, 1e-12) * 2)) - 1);
    const across = { ArrowRight: 1, ArrowLeft: -1 }[key], up = { ArrowUp: 1, ArrowDown: -1 }[key];
    if (across) {
      const [low, high] = this.room(i), step = this.log ? fine(p) : 0.01;
      const to = low > high ? p : clamp(tidy(p + across * times * step), low, high);
      return [to, clamp(c, to, 1)];
    }
    if (up) return [p, clamp(tidy(c + up * times * fine(c)), p, 1)];
    return { Home: [p, p], End: [p, 1] }[key];
  }
}

const editors = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  if (!editors.has(parentElement)) editors.set(parentElement, new Editor(parentElement));
  const editor = editors.get(parentElement);
  editor.send = (value) => setStateValue("line", value);
  editor.update(data);
  // Streamlit also runs this when a newer call overtakes an older one, so look whether the picture is really gone.
  return () => setTimeout(() => {
    if (editor.root.isConnected) return;
    editor.stop();
    editors.delete(parentElement);
  });
}
