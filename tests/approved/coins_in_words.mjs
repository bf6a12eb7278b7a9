// The survey with coins, without a browser: what is drawn, said, kept and sent in words; and how often coins fall how.
// node coins_in_words.mjs coins.js

import { readFileSync } from "node:fs";
import { Part, pass, tell, tellNew } from "./no_browser.mjs";

const source = readFileSync(0).toString("base64");
const bytes = [], drawn = { calls: 0 }, tab = new Map();
Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: (into) => { drawn.calls += 1; for (let at = 0; at < into.length; at++) into[at] = bytes.shift(); } } });
Object.defineProperty(globalThis, "sessionStorage", { value: { getItem: (place) => tab.get(place) ?? null, setItem: (place, text) => tab.set(place, text) } });
Math.random = () => { throw new Error("these coins fall by crypto.getRandomValues alone"); };
const { default: mounted, below, flipped } = await import(`data:text/javascript;base64,${source}`);

const both = (yes, no) => ({ yes, no });
const DATA = {
  coins: { forcedYes: 1, forcedNo: 1, outOf: 4 }, place: "a place", session: "one", held: false, open: true, large: false,
  words: {
    statement: "I have.", yes: "Yes", no: "No", flip: "Flip and send", private: "It stays here.", sending: both("sending yes", "sending no"), late: both("yes was late", "no was late"),
    held: both("sent yes", "sent no"), counted: "Fell elsewhere.", stays: "The first stays.",
    show: "Show", hide: "Hide", firstCoin: "First coin", secondCoin: "Second coin", faces: { truth: "truth", second: "next coin", ...both("yes", "no") },
    means: { first: { truth: "let pass", second: "held back" }, second: both("said yes", "said no") }, idle: "not needed", kept: "Only this tab.",
    about: "What it tells", caption: "How likely", promise: ["The coins.", "The promise."],
  },
  beliefs: { heads: ["before", "after a yes", "after a no"], rows: [["5 in 100", "14 in 100", "1 in 100"]] },
};

/** A page that opens: what it sends is told, and kept in `sent`. */
function opened(changes = {}, quiet = false) {
  const page = new Part("page"), sent = [];
  const send = (name, value) => { sent.push(value); quiet || tell("  sent", name, JSON.stringify(value)); };
  const survey = {
    page, sent,
    show: (more) => mounted({ data: { ...DATA, ...changes, ...more }, parentElement: page, setStateValue: send }),
    button: (words) => page.find((part) => part.name === "button" && part.text === words),
    tap: (words) => survey.button(words).fire("click"),
    status: () => page.find((part) => part.getAttribute("role") === "status").text,
    keeps: () => tab.get(DATA.place) ?? "nothing",
  };
  survey.show();
  return survey;
}

function does(survey, words, act) {
  tell(`- ${words}`);
  act();
  pass(400);
  tell("  says:", survey.status() || "nothing", "| the tab keeps:", survey.keeps());
}

/** A device on which the coins are about to fall so: first the byte of the first coin, then that of the second. */
function fresh(first, second, changes = {}, quiet = false) {
  tab.clear();
  bytes.splice(0, bytes.length, first, second);
  return opened(changes, quiet);
}

tell("# As it opens");
const first = fresh(3, 0);
tellNew(first.page);
does(first, "flips before it has answered", () => first.tap("Flip and send"));
does(first, "taps yes", () => first.tap("Yes"));
tellNew(first.page);
does(first, "taps no instead", () => first.tap("No"));
does(first, "flips, and the first coin lets the truth pass", () => first.tap("Flip and send"));
tellNew(first.page);
does(first, "the room holds it", () => first.show({ held: true }));
tellNew(first.page);
does(first, "shows the coins", () => first.tap("Show"));
tellNew(first.page);
does(first, "hides the coins", () => first.tap("Hide"));
tellNew(first.page);

tell("# The second tap counts once");
const twice = fresh(3, 0);
twice.tap("Yes");
const flip = twice.button("Flip and send");
does(twice, "two taps on the same button", () => { flip.fire("click"); flip.fire("click"); });
const closed = fresh(3, 0, { open: false });
tellNew(closed.page);
tell("  closed before an answer: a button for yes:", Boolean(closed.button("Yes")));
const closing = fresh(3, 0);
closing.tap("Yes");
const late = closing.button("Flip and send");
does(closing, "a tap as answers are closed", () => { closing.show({ open: false }); late.fire("click"); });

tell("# The second coin answers");
const forced = fresh(0, 0, { large: true });
does(forced, "taps no and flips", () => { forced.tap("No"); forced.tap("Flip and send"); forced.tap("Show"); });
tellNew(forced.page);

tell("# A reload sends the same and draws nothing");
const calls = drawn.calls;
const again = opened({ session: "two" });
does(again, "opens", () => {});
does(again, "another run of the same session", () => again.show({ session: "two" }));
does(again, "a server that was started anew", () => again.show({ session: "three" }));
does(again, "answers are closed", () => again.show({ session: "three", open: false }));
does(again, "answers are taken again", () => again.show({ session: "three" }));
does(again, "shows the coins", () => again.tap("Show"));
tellNew(again.page);
tell("  coins drawn:", drawn.calls - calls, "| a button for yes:", Boolean(again.button("Yes")));

tell("# Other tabs, other answers");
const elsewhere = opened({ held: true });
does(elsewhere, "the room holds an answer, perhaps of another tab", () => {});
tellNew(elsewhere.page);
tab.clear();
const other = opened({ held: true });
does(other, "the room holds an answer of another tab", () => {});
tellNew(other.page);
const next = fresh(3, 0);
does(next, "taps yes, then another activity begins", () => { next.tap("Yes"); next.show({ place: "another place" }); });
does(next, "flips without an answer to it", () => next.tap("Flip and send"));
for (const [words, kept] of [["words", "nonsense"], ["half an answer", '{"said":"yes"}'], ["a coin that contradicts", '{"said":"yes","first":"second","second":"no"}']]) {
  tab.set(DATA.place, kept);
  const damaged = opened();
  tell(`- storage holds ${words}:`, damaged.button("Yes") ? "it asks" : "it has answered");
}

tell("# How often");
/** Each way in which bytes can fall is tried once; a draw that is thrown away counts as such. */
function counted(n, length) {
  const counts = new Map();
  let thrown = 0;
  for (let word = 0; word < 256 ** length; word++) {
    bytes.splice(0, bytes.length);
    for (let at = length - 1; at >= 0; at--) bytes.push(Math.floor(word / 256 ** at) % 256);
    bytes.push(...Array(length).fill(0)); // where the word is thrown away a zero follows
    const found = below(n);
    if (bytes.length === 0) thrown += 1;
    else if (bytes.length !== length) throw new Error("a word has other bytes");
    else counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  const often = new Set(counts.values());
  return `below ${n}, of ${256 ** length} words: ${counts.size} numbers, each ${[...often].join(" or ")} times; ${thrown} words thrown away`;
}
for (const [n, length] of [[1, 1], [2, 1], [3, 1], [4, 1], [256, 1], [257, 2], [10000, 2], [65536, 2]]) tell(counted(n, length));

/** The law of both coins and of what is said, over all pairs of fair draws. */
function law(coins, truth) {
  const forced = coins.forcedYes + coins.forcedNo, said = new Map();
  for (let one = 0; one < coins.outOf; one++) for (let two = 0; two < forced; two++) {
    const survey = fresh(one, two, { coins }, true);
    survey.tap(truth === "yes" ? "Yes" : "No");
    survey.tap("Flip and send");
    if (survey.sent.length !== 1) throw new Error("one answer is sent");
    const [{ said: heard }] = survey.sent;
    said.set(heard, (said.get(heard) ?? 0) + 1);
  }
  return `${JSON.stringify(coins)}, ${truth}: yes ${said.get("yes") ?? 0}, no ${said.get("no") ?? 0} of ${coins.outOf * forced}`;
}
for (const coins of [DATA.coins, { forcedYes: 3, forcedNo: 1, outOf: 20 }, { forcedYes: 1, forcedNo: 9, outOf: 100 }]) for (const truth of ["yes", "no"]) tell(law(coins, truth));

bytes.splice(0, bytes.length, 0x05, 0x16, 0x15, 0x06, 0x8c, 0xa0); // 333333 of a million, then 429216 of 433333
tell("three bytes:", JSON.stringify(flipped({ forcedYes: 333333, forcedNo: 100000, outOf: 1000000 })));
bytes.splice(0, bytes.length, 0xff, 0xff, 0xff, 0x00, 0x00, 0x07);
tell("the rest is thrown away:", below(1000000), "bytes left", bytes.length);
