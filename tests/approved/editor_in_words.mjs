// The line editor without a browser: what it draws, says and sends in words.
// node editor_in_words.mjs editor.js

import { readFileSync } from "node:fs";
import { Part, page as screen, pass, tell, tellNew } from "./no_browser.mjs";

const source = readFileSync(0).toString("base64");
const { default: mounted } = await import(`data:text/javascript;base64,${source}`);

const DATA = {
  points: [[0.01, 0.1], [0.1, 0.3], [0.5, 0.7], [0.9, 0.97]], view: "posterior", log: false, rev: 1, refused: null,
  interpolation: "linear", reachable: [[0.01, 0.03], [0.3, 0.6], [1, 1]], binding: [0.5, 0.7, "decides"],
  comparisons: [["another", [[0.1, 0.2], [0.9, 0.95]]]],
  technical: false, large: false, height: 440, most: 6, budget: "ε = 1.29",
};

function opened(changes = {}) {
  const page = new Part("page");
  const editor = {
    page,
    show: (more) => mounted({ data: { ...DATA, ...changes, ...more }, parentElement: page, setStateValue: (name, value) => tell("  sent", name, JSON.stringify(value)) }),
    drawing: () => page.find((part) => part.name === "svg"),
    point: (number) => page.find((part) => part.getAttribute("aria-label")?.startsWith(`Control point ${number} of`)),
    words: () => {
      const [readout, spoken] = ["readout", "spoken"].map((name) => page.find((part) => part.getAttribute("class") === name));
      tell("  hint:", readout.children[0].text, spoken.text ? `| spoken: ${spoken.text}` : "");
    },
    lines: () => tellNew(page),
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
    for (const dot of dots.slice(1)) { screen.clock += 90; editor.drawing().fire("pointermove", at(dot)); }
    editor.drawing().fire(end, at(dots.at(-1)));
  });
}

const LOOKS = {
  "As it opens": {},
  "Technical, ratio, decades, large": { technical: true, view: "ratio", log: true, large: true, interpolation: "loglog" },
  "Difference, steps": { view: "difference", interpolation: "step", comparisons: [] },
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
screen.width = 360;
opened().lines();
screen.width = 800;

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
