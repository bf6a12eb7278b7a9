// The range that each table gets, as a dot, and the range it asks for, as a ring that is dragged. One Ranges lives per
// mount; Streamlit calls the default export again whenever its data changes. What is asked for is told on release.

const QUIET = 300; // milliseconds after the last key of a burst
const MANY = 12; // rows from which the keyboard may skip them
const clamp = (v, low, high) => Math.min(Math.max(v, low), high);
const tidy = (v) => Number(v.toPrecision(12));
const written = (v) => v.toLocaleString("en-US", { maximumSignificantDigits: 6 });
const brief = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** The power of ten by which the second digit of v counts; a whole number where only those are asked for. */
const grain = (v, whole) => Math.max(10 ** (Math.floor(Math.log10(v) + 1e-9) - 1), whole ? 1 : 0);
const rounded = (v, whole) => tidy(Math.round(v / grain(v, whole)) * grain(v, whole));

/** The next number at or beyond v that begins with 1, 2 or 5: below it, or above. */
function mark(v, up) {
  const unit = 10 ** Math.floor(Math.log10(v)), marks = [0.5, 1, 2, 5, 10].map((m) => tidy(m * unit));
  return up ? marks.find((m) => m >= v * (1 - 1e-9)) : marks.findLast((m) => m <= v * (1 + 1e-9));
}

class Ranges {
  constructor(parent) {
    Object.assign(this, { rev: -1, sheet: null, moves: new Map(), gesture: null, timer: 0, shown: [] });
    this.root = html("div", { class: "ranges" }, parent);
    this.skip = html("button", { type: "button", class: "skip" }, this.root);
    this.skip.addEventListener("click", () => this.hint.focus());
    this.head = html("div", { class: "row head", "aria-hidden": "true" }, this.root);
    this.list = html("div", { class: "list", role: "group" }, this.root);
    this.hint = html("p", { class: "hint", tabindex: "-1" }, this.root);
    const on = (name, act) => this.list.addEventListener(name, act);
    on("pointerdown", (e) => this.down(e));
    on("pointermove", (e) => this.move(e));
    on("pointerup", (e) => this.up(e));
    on("pointercancel", (e) => this.up(e, true));
    on("keydown", (e) => this.key(e));
    on("focusin", (e) => this.tell(this.at(e.target)));
    on("focusout", () => this.timer && this.emit());
  }

  // ---- what Python says, what Python is told -------------------------------------------------------------------

  update(data) {
    if (data.sheet !== this.sheet) { // other rows: what was asked of the ones before is over
      this.moves.clear();
      this.gesture = null;
      clearTimeout(this.timer);
      this.timer = 0;
    }
    for (const [row, move] of this.moves) if (move.rev <= data.rev) this.moves.delete(row);
    Object.assign(this, { data, sheet: data.sheet, rev: Math.max(data.rev, this.rev) });
    this.draw();
    if (data.refused) this.hint.textContent = `Not taken: ${data.refused}. The last ranges stay.`;
  }

  emit() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.rev += 1;
    for (const move of this.moves.values()) if (move.rev === Infinity) move.rev = this.rev;
    this.send({ sheet: this.sheet, rev: this.rev, moves: [...this.moves].map(([row, move]) => [row, move.to]) });
  }

  emitSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.emit(), QUIET);
  }

  asked(row) {
    return this.moves.get(row)?.to ?? this.data.rows[row].asked;
  }

  /** Ask for another range in a row; it is told to Python when the hand or the keys rest. */
  ask(row, to) {
    this.moves.set(row, { to, rev: Infinity });
    this.drawRow(row);
    this.tell(row);
  }

  // ---- the picture ---------------------------------------------------------------------------------------------

  scale() {
    if (this.gesture) return; // the axis holds still while a ring moves
    const { rows, least, most } = this.data;
    const all = rows.flatMap((row, at) => [row.gets, this.asked(at)]).filter((v) => v > 0);
    this.low = clamp(mark(Math.min(...all) / 2, false), least, most);
    this.high = Math.max(clamp(mark(Math.max(...all) * 2, true), least, most), 10 * this.low);
  }

  place(v) {
    return 100 * clamp(Math.log(v / this.low) / Math.log(this.high / this.low), 0, 1);
  }

  ticks() {
    const decades = Math.log10(this.high / this.low), steps = decades < 2.2 ? [1, 2, 5] : [1], found = [];
    const stride = Math.ceil(decades / 7);
    for (let power = Math.floor(Math.log10(this.low)); 10 ** power <= this.high; power += stride) {
      for (const step of steps) found.push(tidy(step * 10 ** power));
    }
    return found.filter((v) => v >= this.low * (1 - 1e-9) && v <= this.high * (1 + 1e-9));
  }

  draw() {
    const { data } = this;
    this.scale();
    this.root.classList.toggle("large", Boolean(data.large));
    this.root.classList.toggle("stale", Boolean(data.stale));
    this.list.setAttribute("aria-label", data.caption);
    this.skip.textContent = `Skip these ${data.rows.length} ranges`;
    this.root.classList.toggle("many", data.rows.length >= MANY);
    this.largest = Math.max(...data.rows.map((row) => row.share));
    this.drawHead();
    if (this.shown.length !== data.rows.length) this.build();
    data.rows.forEach((_, row) => this.drawRow(row));
    this.drawAxis();
    const held = this.root.getRootNode().activeElement, row = held ? this.at(held) : -1;
    row >= 0 ? this.tell(row) : (this.hint.textContent = this.anyAsked() ? "Drag a ring to ask for another range, or move it with the arrow keys." : "");
    if (this.anyAsked()) this.list.removeAttribute("tabindex");
    else this.list.setAttribute("tabindex", "0"); // what scrolls is reached by keys
  }

  anyAsked() {
    return this.data.rows.some((row) => row.asked !== null);
  }

  drawHead() {
    this.head.replaceChildren();
    html("span", { class: "name" }, this.head);
    html("span", { class: "track" }, this.head, this.data.axis);
    html("span", { class: "number asks" }, this.head, this.data.asks);
    html("span", { class: "number gets" }, this.head, this.data.gets);
    html("span", { class: "number share" }, this.head, this.data.share);
  }

  build() {
    this.list.replaceChildren();
    this.shown = this.data.rows.map(() => {
      const row = html("div", { class: "row" }, this.list), parts = { row };
      parts.name = html("span", { class: "name" }, row);
      const track = html("span", { class: "track" }, row);
      parts.join = html("span", { class: "join", "aria-hidden": "true" }, track);
      parts.dot = html("span", { class: "dot", "aria-hidden": "true" }, track);
      parts.ring = html("span", { class: "ring", role: "slider", tabindex: "0", "aria-orientation": "horizontal" }, track);
      for (const kind of ["asks", "gets", "share"]) parts[kind] = html("span", { class: `number ${kind}` }, row);
      parts.track = track;
      return parts;
    });
    this.axis = html("div", { class: "row axis", "aria-hidden": "true" }, this.list);
    html("span", { class: "name" }, this.axis);
    this.marks = html("span", { class: "track" }, this.axis);
    for (const kind of ["asks", "gets", "share"]) html("span", { class: `number ${kind}` }, this.axis);
  }

  drawRow(at) {
    const { data } = this, row = data.rows[at], parts = this.shown[at], asked = this.asked(at), moved = this.moves.has(at);
    const set = (node, name, value) => node.getAttribute(name) !== String(value) && node.setAttribute(name, value);
    const say = (node, text) => node.textContent !== text && (node.textContent = text);
    say(parts.name, row.name);
    set(parts.name, "title", row.name);
    set(parts.dot, "style", `left: ${this.place(row.gets).toFixed(2)}%`);
    const [from, to] = [row.gets, asked ?? row.gets].map((v) => this.place(v)).sort((a, b) => a - b);
    set(parts.join, "style", `left: ${from.toFixed(2)}%; width: ${(to - from).toFixed(2)}%`);
    parts.row.classList.toggle("moved", moved);
    say(parts.asks, asked === null ? "–" : moved ? `± ${written(asked)}` : row.asked_said);
    say(parts.gets, moved ? "…" : row.gets_said);
    say(parts.share, row.share_said);
    set(parts.share, "style", `background-size: ${((100 * row.share) / this.largest).toFixed(1)}% 3px`);
    parts.row.classList.toggle("unasked", asked === null);
    if (asked === null) return;
    set(parts.ring, "style", `left: ${this.place(asked).toFixed(2)}%`);
    set(parts.ring, "aria-label", `${row.name}: ${data.asks}`);
    set(parts.ring, "aria-disabled", Boolean(data.stale));
    set(parts.ring, "aria-valuemin", this.low);
    set(parts.ring, "aria-valuemax", this.high);
    set(parts.ring, "aria-valuenow", tidy(asked));
    set(parts.ring, "aria-valuetext", `plus or minus ${written(asked)}` + (moved ? "" : `; ${data.gets} ${row.gets_said.replace("± ", "plus or minus ")}`));
  }

  drawAxis() {
    this.marks.replaceChildren();
    const ticks = this.ticks();
    ticks.forEach((v, at) => {
      const place = this.place(v), edge = place < 4 ? " first" : place > 96 ? " last" : "", minor = at % Math.ceil(ticks.length / 4) ? " minor" : "";
      html("span", { class: `tick${edge}${minor}`, style: `left: ${place.toFixed(2)}%` }, this.marks, brief.format(v));
    });
    const lines = ticks.map((v) => `linear-gradient(var(--faint), var(--faint)) ${this.place(v).toFixed(2)}% 0 / 1px 100% no-repeat`);
    for (const parts of this.shown) parts.track.style.background = lines.join(", ");
  }

  tell(at) {
    if (at < 0) return;
    const row = this.data.rows[at];
    this.hint.textContent = `${row.name}: ${this.moves.has(at) ? `${row.asked_said} → ± ${written(this.asked(at))}` : `${this.data.asks} ${row.asked_said}; ${this.data.gets} ${row.gets_said}`}.`;
  }

  // ---- pointer and keys ----------------------------------------------------------------------------------------

  at(node) {
    return this.shown.findIndex((parts) => parts.ring === node);
  }

  down(e) {
    const at = this.at(e.target);
    if (e.button || this.gesture || at < 0 || this.data.stale) return;
    e.preventDefault();
    this.root.classList.add("pointed");
    e.target.setPointerCapture(e.pointerId);
    this.gesture = { id: e.pointerId, at, from: e.clientX, start: this.asked(at), before: this.moves.get(at) };
    e.target.focus({ preventScroll: true });
  }

  move(e) {
    const held = this.gesture;
    if (!held || e.pointerId !== held.id) return;
    const away = e.clientX - held.from, width = this.shown[held.at].track.getBoundingClientRect().width;
    if (!held.moved && Math.abs(away) < 3) return;
    held.moved = true;
    const v = clamp(held.start * (this.high / this.low) ** (away / width), this.low, this.high);
    const to = clamp(rounded(v, this.data.whole), this.data.least, this.data.most);
    if (to !== this.asked(held.at)) this.ask(held.at, to);
  }

  up(e, cancelled = false) {
    const held = this.gesture;
    if (!held || e.pointerId !== held.id) return;
    this.gesture = null;
    if (cancelled) this.back(held);
    else if (this.moves.get(held.at)?.rev === Infinity) this.emit();
    this.draw();
  }

  /** Let the row be as it was before the hand took it. */
  back({ at, before }) {
    before ? this.moves.set(at, before) : this.moves.delete(at);
  }

  key(e) {
    this.root.classList.remove("pointed");
    const at = this.at(e.target);
    if (at < 0 || this.data.stale || e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Escape" && this.gesture) {
      this.back(this.gesture);
      this.gesture = null;
      return this.draw();
    }
    const to = this.stepped(this.asked(at), e.key, e.shiftKey ? 5 : 1);
    if (to === null || this.gesture) return;
    e.preventDefault();
    if (to === this.asked(at)) return;
    this.ask(at, to);
    this.emitSoon();
  }

  /** Where a key takes a range: a step of its second digit, ten of them, or the ends of the axis. */
  stepped(v, key, times) {
    const { least, most, whole } = this.data, steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[key];
    const end = { Home: this.low, End: this.high }[key];
    if (end) return clamp(end, least, most);
    if (!steps) return null;
    const unit = grain(steps < 0 ? v * (1 - 1e-6) : v, whole);
    return clamp(rounded(Math.max(v + steps * times * unit, unit), whole), least, most);
  }
}

const mounted = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  if (!mounted.has(parentElement)) mounted.set(parentElement, new Ranges(parentElement));
  const ranges = mounted.get(parentElement);
  ranges.send = (value) => setStateValue("ranges", value);
  ranges.update(data);
  // Streamlit also runs this when a newer call overtakes an older one, so look whether the picture is really gone.
  return () => setTimeout(() => {
    if (ranges.root.isConnected) return;
    clearTimeout(ranges.timer);
    mounted.delete(parentElement);
  });
}
