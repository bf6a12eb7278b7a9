// The line editor without a browser: just enough of a page for it to draw on, and what it draws, says and sends in words.
// node editor_in_words.mjs editor.js

import { readFileSync } from "node:fs";

let clock = 1000, timers = [];
const said = new Set();
const events = { preventDefault() {}, button: 0, pointerId: 1, pointerType: "mouse" };

class Part {
  constructor(name) {
    Object.assign(this, { name, attributes: new Map(), children: [], text: "", heard: {}, above: null, classes: new Set() });
    this.style = { setProperty: (key, value) => this.setAttribute(key, value) };
    this.classList = {
      add: (one) => this.classes.add(one),
      remove: (one) => this.classes.delete(one),
      toggle: (one, on) => (on ? this.classes.add(one) : this.classes.delete(one)),
    };
  }
  get clientWidth() { return width; }
  get childElementCount() { return this.children.length; }
  get lastChild() { return this.children.at(-1); }
  get isConnected() { return true; }
  get textContent() { return this.text; }
  set textContent(text) { Object.assign(this, { text, children: [] }); }
  setAttribute(key, value) { this.attributes.set(key, String(value)); }
  getAttribute(key) { return this.attributes.get(key) ?? null; }
  append(part) { part.above = this; this.children.push(part); }
  remove() { this.above.children = this.above.children.filter((one) => one !== this); }
  replaceChildren() { this.children = []; }
  getComputedTextLength() { return 7 * this.text.length; }
  getBoundingClientRect() { return { left: 0, top: 0 }; }
  setPointerCapture() {}
  focus() { this.fire("focusin"); }
  addEventListener(name, act) { (this.heard[name] ??= []).push(act); }
  fire(name, more = {}, target = this) {
    for (const act of this.heard[name] ?? []) act({ ...events, timeStamp: clock, target, ...more });
    this.above?.fire(name, more, target);
  }
  find(wanted) { return wanted(this) ? this : this.children.reduce((found, part) => found ?? part.find(wanted), null); }
  *lines(depth = 0) {
    const told = [...this.attributes].map(([key, value]) => `${key}="${value}"`);
    yield "  ".repeat(depth) + [this.name, ...this.classes, ...told, this.text].filter(Boolean).join(" ");
    for (const part of this.children) yield* part.lines(depth + 1);
  }
}

let width = 800;
globalThis.document = { createElementNS: (_, name) => new Part(name), createElement: (name) => new Part(name) };
globalThis.ResizeObserver = class { observe() {} disconnect() {} };
Object.defineProperty(globalThis, "performance", { value: { now: () => clock } });
globalThis.setTimeout = (act, wait) => timers.push({ act, at: clock + wait });
globalThis.clearTimeout = (number) => { if (number) timers[number - 1] = null; };

const short = (text) => text.replace(/-?\d+\.\d{4,}/g, (digits) => String(Number(Number(digits).toFixed(3))));
const tell = (...words) => console.log(short(words.join(" ")));

/** Let time pass: what waits happens. */
function pass(time) {
  clock += time;
  timers.forEach((timer, at) => { if (timer && timer.at <= clock) { timers[at] = null; timer.act(); } });
}

const source = readFileSync(process.argv[2]).toString("base64");
const { default: mounted } = await import(`data:text/javascript;base64,${source}`);

const DATA = {
  points: [[0.01, 0.1], [0.1, 0.3], [0.5, 0.7], [0.9, 0.97]], view: "posterior", log: false, rev: 1, refused: null,
  interpolation: "linear", reachable: [[0.01, 0.03], [0.3, 0.6], [1, 1]], binding: [0.5, 0.7, "decides"],
  comparisons: [["another", [[0.1, 0.2], [0.9, 0.95]]]], ghost: ["before", [[0.1, 0.5], [0.8, 0.9]]],
  technical: false, large: false, live: true, height: 440, most: 6,
};

function opened(changes = {}) {
  const page = new Part("page");
  const editor = {
    page,
    show: (more) => mounted({ data: { ...DATA, ...changes, ...more }, parentElement: page, setStateValue: (name, value) => tell("  sent", name, JSON.stringify(value)) }),
    drawing: () => page.find((part) => part.name === "svg"),
    point: (number) => page.find((part) => part.getAttribute("aria-label")?.startsWith(`Control point ${number} of`)),
    words: () => {
      const [hint, spoken] = ["readout", "spoken"].map((name) => page.find((part) => part.getAttribute("class") === name).text);
      tell("  hint:", hint, spoken ? `| spoken: ${spoken}` : "");
    },
    lines: () => {
      for (const line of page.lines()) if (!said.has(line)) { said.add(line); tell(line); }
    },
  };
  editor.show();
  return editor;
}

function does(editor, words, act) {
  tell(`- ${words}`);
  pass(300);
  act();
  pass(300);
  editor.words();
}

const press = (editor, action) => does(editor, `presses ${action}`, () => editor.page.find((part) => part.getAttribute("data-action") === action).fire("click"));
const key = (editor, number, name, more = {}) => does(editor, `${name} on point ${number} ${JSON.stringify(more)}`, () => editor.point(number).fire("keydown", { key: name, ...more }));
const place = (editor, number) => editor.point(number).getAttribute("transform").match(/-?[\d.]+/g).map(Number);

function stroke(editor, words, dots, end = "pointerup") {
  does(editor, words, () => {
    const at = ([clientX, clientY]) => ({ clientX, clientY });
    editor.drawing().fire("pointerdown", at(dots[0]));
    for (const dot of dots.slice(1)) { clock += 90; editor.drawing().fire("pointermove", at(dot)); }
    editor.drawing().fire(end, at(dots.at(-1)));
  });
}

const LOOKS = {
  "As it opens": {},
  "Technical, ratio, decades, large": { technical: true, view: "ratio", log: true, large: true, interpolation: "loglog" },
  "Difference, steps": { view: "difference", interpolation: "step", comparisons: [], ghost: null },
  "Ratio, straight in it": { view: "ratio", interpolation: "ratio", binding: [0.0001, 0.5, "outside"] },
  "Technical, tiny priors": { technical: true, log: true, points: [[1e-7, 0.001], [0.2, 0.9]], binding: null },
  "One point, refused": { points: [[0.3, 0.6]], refused: "too low", reachable: [] },
};
for (const [name, changes] of Object.entries(LOOKS)) {
  tell(`# ${name}`);
  const editor = opened(changes);
  editor.lines();
  editor.words();
}
tell("# On a phone");
width = 360;
opened().lines();
width = 800;

for (const view of ["posterior", "ratio", "difference"]) {
  for (const log of [false, true]) {
    tell(`# A hand, ${view}${log ? ", decades" : ""}`);
    const editor = opened({ view, log });
    const [x, y] = place(editor, 2);
    stroke(editor, "drags a point", [[x, y], [x + 1, y + 1], [x + 30, y - 40], [x + 31, y - 40], [x + 60, y - 20]]);
    stroke(editor, "drags one and lets it be", [place(editor, 3), [400, 100]], "pointercancel");
    stroke(editor, "drags one straight up", [place(editor, 3), [place(editor, 3)[0] + 2, 60]]);
    does(editor, "clicks twice beside the line", () => { for (const _ of [1, 2]) editor.drawing().fire("pointerdown", { clientX: 500, clientY: 60 }); });
    does(editor, "clicks a point twice", () => { for (const _ of [1, 2]) { editor.drawing().fire("pointerdown", { clientX: place(editor, 2)[0], clientY: place(editor, 2)[1] }); editor.drawing().fire("pointerup"); } });
    press(editor, "sketch");
    stroke(editor, "draws freehand", [[200, 300], [260, 250], [320, 240], [420, 120], [410, 110]]);
    for (const action of ["sketch", "undo", "undo", "redo", "add", "add", "add", "add"]) press(editor, action);
  }
}
tell("# Keys");
const keyed = opened({ technical: true });
for (const name of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "End", "Home"]) key(keyed, 2, name);
key(keyed, 3, "ArrowRight", { shiftKey: true });
key(keyed, 3, "z", { ctrlKey: true });
key(keyed, 3, "y", { metaKey: true });
key(keyed, 3, "ArrowUp", { altKey: true });
for (const name of ["Delete", "Backspace", "Delete", "Delete"]) key(keyed, 1, name);
for (const action of ["log", "ratio", "difference", "posterior", "remove"]) press(keyed, action);
tell("# What Python says");
const told = opened();
does(told, "an older state", () => told.show({ rev: 0, points: [[0.2, 0.9]] }));
does(told, "a newer one", () => told.show({ rev: 5, points: [[0.2, 0.9]] }));
press(told, "undo");
does(told, "a refusal", () => told.show({ rev: 1005, refused: "point 1 must be a pair" }));
const silent = opened({ live: false });
stroke(silent, "drags a point, told at the end", [place(silent, 2), [300, 100], [310, 90]]);
