// The ranges that are dragged, without a browser: what is drawn, said and sent in words.
// node ranges_in_words.mjs ranges.js

import { readFileSync } from "node:fs";
import { Part, pass, tell, tellNew } from "./no_browser.mjs";

const source = readFileSync(0).toString("base64");
const { default: mounted } = await import(`data:text/javascript;base64,${source}`);

const row = (name, asked, gets, share = 25) => ({ name, asked, gets, share, share_said: `${share} %`, asked_said: asked === null ? "–" : `± ${asked}`, gets_said: `± ${gets}` });
const DATA = {
  rows: [row("Births", 20, 30), row("Deaths", 8, 12), row("Beds", null, 585, 50), row("Earnings", 150000, 90000)],
  sheet: "a1", rev: 0, refused: null, least: 1, most: 1e9, whole: true, stale: false, large: false,
  caption: "Ranges asked for and ranges kept", axis: "plus or minus", asks: "asked for", gets: "gets at most", share: "share of the budget",
};

function opened(changes = {}) {
  const page = new Part("page");
  const ranges = {
    page,
    show: (more) => mounted({ data: { ...DATA, ...changes, ...more }, parentElement: page, setStateValue: (name, value) => tell("  sent", name, JSON.stringify(value)) }),
    ring: (name) => page.find((part) => part.getAttribute("aria-label")?.startsWith(`${name}:`)),
    words: () => {
      const hint = page.find((part) => part.getAttribute("class") === "hint").text;
      const asked = ["Births", "Deaths", "Earnings"].map((name) => ranges.ring(name)?.getAttribute("aria-valuetext")).filter(Boolean);
      tell("  hint:", hint, "| rings:", asked.join(" | "));
    },
  };
  ranges.show();
  return ranges;
}

function does(ranges, words, act) {
  tell(`- ${words}`);
  act();
  pass(400);
  ranges.words();
}

function drags(ranges, name, across, end = "pointerup") {
  does(ranges, `drags ${name} by ${across}, ${end}`, () => {
    const ring = ranges.ring(name);
    ring.fire("pointerdown", { clientX: 100 });
    for (const x of across) ring.fire("pointermove", { clientX: 100 + x });
    ring.fire(end, { clientX: 100 + across.at(-1) });
  });
}

const keys = (ranges, name, pressed, more = {}) => does(ranges, `${pressed} on ${name} ${JSON.stringify(more)}`, () => {
  for (const key of pressed) ranges.ring(name).fire("keydown", { key, ...more });
});

const LOOKS = {
  "As it opens": {},
  "Large, not of these rows": { large: true, stale: true },
  "One decade, no whole numbers": { rows: [row("Births", 0.5, 0.75)], whole: false, least: 1e-6 },
  "Nothing is asked for": { rows: [row("Births", null, 3)] },
  "Many": { rows: Array.from({ length: 12 }, (_, at) => row(`Table ${at}`, 10 + at, 20)) },
  "Refused": { refused: "row must be one that asks for a range" },
};
for (const [name, changes] of Object.entries(LOOKS)) {
  tell(`# ${name}`);
  const ranges = opened(changes);
  tellNew(ranges.page);
  ranges.words();
}
tell("# A hand");
const hand = opened();
drags(hand, "Births", [1, 2]);
drags(hand, "Births", [-10, 30]);
does(hand, "an answer", () => hand.show({ rev: 1, rows: [row("Births", 53, 61), ...DATA.rows.slice(1)] }));
drags(hand, "Deaths", [-40, -900]);
drags(hand, "Earnings", [900]);
does(hand, "the answer to the first of the two", () => hand.show({ rev: 2, rows: [row("Births", 53, 61), row("Deaths", 2, 4), ...DATA.rows.slice(2)] }));
drags(hand, "Births", [50], "pointercancel");
does(hand, "a hand that Escape stops", () => {
  hand.ring("Births").fire("pointerdown", { clientX: 100 });
  hand.ring("Births").fire("pointermove", { clientX: 140 });
  hand.ring("Births").fire("keydown", { key: "Escape" });
  hand.ring("Births").fire("pointerup", { clientX: 140 });
});
does(hand, "other rows", () => hand.show({ sheet: "b2", rev: 2 }));
const stale = opened({ stale: true });
drags(stale, "Births", [30]);
keys(stale, "Births", ["ArrowRight"]);
tell("# Keys");
const keyed = opened();
keys(keyed, "Births", ["ArrowRight", "ArrowUp", "ArrowRight", "ArrowLeft"]);
keys(keyed, "Births", ["ArrowDown"], { shiftKey: true });
keys(keyed, "Deaths", ["PageUp", "PageDown", "PageDown"]);
keys(keyed, "Deaths", ["ArrowRight"], { ctrlKey: true });
keys(keyed, "Deaths", ["a"]);
keys(keyed, "Earnings", ["Home", "End"]);
does(keyed, "leaves before the keys have rested", () => {
  keyed.ring("Deaths").fire("keydown", { key: "ArrowRight" });
  keyed.ring("Deaths").fire("focusout");
});
const fine = opened({ whole: false, least: 1e-6, rows: [row("Births", 10, 14)] });
keys(fine, "Births", ["ArrowLeft"]);
keys(fine, "Births", ["ArrowRight", "ArrowRight"]);
