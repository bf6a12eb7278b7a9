// Just enough of a page without a browser for an editor to draw on; and words for what it draws, says and sends.

export const page = { clock: 1000, width: 800 };
const said = new Set(), events = { preventDefault() {}, button: 0, pointerId: 1, pointerType: "mouse" };
let timers = [];

export class Part {
  constructor(name) {
    Object.assign(this, { name, attributes: new Map(), children: [], text: "", heard: {}, above: null, classes: new Set() });
    this.style = { setProperty: (key, value) => this.setAttribute(key, value) };
    this.classList = {
      add: (one) => this.classes.add(one),
      contains: (one) => this.classes.has(one),
      remove: (one) => this.classes.delete(one),
      toggle: (one, on) => (on ? this.classes.add(one) : this.classes.delete(one)),
    };
  }
  get clientWidth() { return page.width; }
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
  getBoundingClientRect() { return { left: 0, top: 0, width: page.width / 2 }; }
  getRootNode() { return { activeElement: null }; }
  removeAttribute(key) { this.attributes.delete(key); }
  setPointerCapture() {}
  scrollIntoView() {}
  focus() { this.fire("focusin"); }
  addEventListener(name, act) { (this.heard[name] ??= []).push(act); }
  fire(name, more = {}, target = this) {
    for (const act of this.heard[name] ?? []) act({ ...events, timeStamp: page.clock, target, ...more });
    this.above?.fire(name, more, target);
  }
  find(wanted) { return wanted(this) ? this : this.children.reduce((found, part) => found ?? part.find(wanted), null); }
  *lines(depth = 0) {
    const told = [...this.attributes].map(([key, value]) => `${key}="${value}"`);
    yield "  ".repeat(depth) + [this.name, ...this.classes, ...told, this.text].filter(Boolean).join(" ");
    for (const part of this.children) yield* part.lines(depth + 1);
  }
}

globalThis.document = { createElementNS: (_, name) => new Part(name), createElement: (name) => new Part(name) };
globalThis.ResizeObserver = class { observe() {} disconnect() {} };
Object.defineProperty(globalThis, "performance", { value: { now: () => page.clock } });
globalThis.setTimeout = (act, wait) => timers.push({ act, at: page.clock + wait });
globalThis.clearTimeout = (number) => { if (number) timers[number - 1] = null; };

const short = (text) => text.replace(/-?\d+\.\d{4,}/g, (digits) => String(Number(Number(digits).toFixed(3))));
export const tell = (...words) => console.log(short(words.join(" ")));

/** Let time pass: what waits happens. */
export function pass(time) {
  page.clock += time;
  timers.forEach((timer, at) => { if (timer && timer.at <= page.clock) { timers[at] = null; timer.act(); } });
}

/** Tell the lines of what is drawn that were not told yet. */
export function tellNew(part) {
  for (const line of part.lines()) if (!said.has(line)) { said.add(line); tell(line); }
}
