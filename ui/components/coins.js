// A survey with coins, on the participant's own device. One Survey lives per mount; Streamlit calls the default export
// again whenever its data changes.
//
// Who learns what. The true answer is held in this object from the first tap to the second and nowhere else: not in a
// form control (a browser may write those down for a reload), not in the address, not in storage, not in what is sent.
// With the second tap the coins fall, the true answer is forgotten, and only what the coins made of it is told to
// Python. The tab keeps, for a reload and until it is closed, its participant leaves the room or it learns that the room
// is gone (forget.js), what was said and how both coins fell. Where the first
// coin asked for the truth, what was said is the truth: whoever holds this device and opens this tab can see that, so
// the coins are shown only when they are asked for. Where it did not, nothing about the truth is left.
//
// Why the same is sent again and never anew: each fall of the coins tells a little, and many of them tell all. So a
// reload, a lost connection and answers that are taken again send what the tab has kept. Another tab with the same link asks Python first; only where
// both were opened before either answered would it flip coins of its own, and Riskline keeps the first answer alone.

const GIVEN = ["yes", "no"];

/** A whole number from 0 to n - 1, each equally likely: a draw from the uneven rest is thrown away. n is at most 2^24. */
export function below(n) {
  const bytes = new Uint8Array(n <= 2 ** 8 ? 1 : n <= 2 ** 16 ? 2 : 3), range = 256 ** bytes.length;
  const fair = range - (range % n);
  for (;;) {
    crypto.getRandomValues(bytes);
    const drawn = bytes.reduce((sum, byte) => 256 * sum + byte, 0);
    if (drawn < fair) return drawn % n;
  }
}

/** Both coins, always both: the first asks for the truth or for the second, the second says yes or no. */
export function flipped({ forcedYes, forcedNo, outOf }) {
  const forced = forcedYes + forcedNo;
  return { first: below(outOf) < forced ? "second" : "truth", second: below(forced) < forcedYes ? "yes" : "no" };
}

/** What this tab has kept of an answer; nothing where it has not answered or storage is closed to us. */
function recalled(place) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place));
    const whole = GIVEN.includes(kept.said) && GIVEN.includes(kept.second) && ["truth", "second"].includes(kept.first);
    return whole && (kept.first === "truth" || kept.said === kept.second) ? kept : null;
  } catch {
    return null;
  }
}

function keep(place, kept) {
  try {
    sessionStorage.setItem(place, JSON.stringify(kept));
  } catch { /* storage is closed to us: this page remembers until it is closed */ }
}

class Survey {
  constructor(parent) {
    Object.assign(this, { place: null, truth: null, kept: null, told: null, times: 0, open: false, drawn: "" });
    this.root = html("div", { class: "survey" }, parent);
    this.asked = html("div", { class: "asked", role: "group" }, this.root);
    this.said = html("p", { class: "said", role: "status", tabindex: "-1" }, this.root);
    this.coins = html("div", { class: "coins" }, this.root);
    this.notes = html("div", { class: "notes" }, this.root);
    this.about = html("details", {}, this.root);
  }

  /** Take what Python says: the coins, the words, and which answer the room holds. */
  update(data) {
    this.data = data;
    if (data.place !== this.place) Object.assign(this, { place: data.place, truth: null, kept: recalled(data.place), told: null, open: false });
    if (!data.open) this.told = null;
    else if (this.kept && !data.held && this.told !== data.session) this.tell();
    this.draw();
  }

  /** Tell Python what was said; it hears the same word again only where something about it is new. */
  tell() {
    this.told = this.data.session;
    this.times += 1;
    this.send({ said: this.kept.said, times: this.times });
  }

  /** The second tap: the coins fall, what they say is kept and told, the truth is forgotten. */
  flip() {
    if (!GIVEN.includes(this.truth) || this.kept || this.data.held || !this.data.open) return;
    const fell = flipped(this.data.coins);
    this.kept = { said: fell.first === "truth" ? this.truth : fell.second, ...fell };
    this.truth = null;
    keep(this.place, this.kept);
    this.tell();
    this.draw();
    this.said.focus();
  }

  draw() {
    const { data, kept } = this, now = JSON.stringify([data, kept, this.truth, this.open]);
    if (now === this.drawn) return;
    this.drawn = now;
    const answered = Boolean(kept || data.held), over = !answered && !data.open;
    this.root.setAttribute("class", ["survey", data.large && "large", over && "over"].filter(Boolean).join(" "));
    this.drawAsked(answered || over);
    this.drawSaid();
    this.drawCoins();
    this.drawAbout();
  }

  drawAsked(done) {
    const { words } = this.data, held = this.asked.getRootNode().activeElement?.getAttribute("data-answer");
    this.asked.replaceChildren();
    this.asked.setAttribute("aria-label", words.statement);
    if (done) return;
    const row = html("div", { class: "answers" }, this.asked);
    for (const answer of GIVEN) {
      const button = html("button", { type: "button", "data-answer": answer, "aria-pressed": this.truth === answer }, row, words[answer]);
      button.addEventListener("click", () => { this.truth = answer; this.draw(); });
      if (held === answer) button.focus();
    }
    const send = html("button", { type: "button", class: "send", "aria-disabled": this.truth === null }, this.asked, words.flip);
    send.addEventListener("click", () => this.flip());
    html("p", { class: "quiet" }, this.asked, words.private);
  }

  /** That the room holds an answer, and what the coins of this tab said: which one it is, the room does not know. */
  drawSaid() {
    const { words, held, open } = this.data, { kept } = this;
    const text = kept ? words[held ? "held" : open ? "sending" : "late"][kept.said] : held ? words.counted : "";
    if (this.said.textContent !== text) this.said.textContent = text;
    this.notes.replaceChildren();
    if (held || kept) html("p", { class: "quiet" }, this.notes, words.stays);
  }

  drawCoins() {
    const { words } = this.data, { kept, open } = this;
    this.coins.replaceChildren();
    if (!kept) return;
    const toggle = html("button", { type: "button", class: "toggle", "aria-expanded": open }, this.coins, open ? words.hide : words.show);
    toggle.addEventListener("click", () => { this.open = !this.open; this.draw(); this.coins.children[0].focus(); });
    if (!open) return;
    const truth = kept.first === "truth", faces = html("div", { class: "faces" }, this.coins);
    for (const [coin, face, used] of [["first", kept.first, true], ["second", kept.second, !truth]]) {
      const one = html("div", { class: used ? "coin" : "coin idle" }, faces);
      html("span", { class: "name" }, one, words[`${coin}Coin`]);
      html("span", { class: "face" }, one, words.faces[face]);
      html("span", { class: "means" }, one, used ? words.means[coin][face] : words.idle);
    }
    html("p", { class: "quiet" }, this.coins, words.kept);
  }

  drawAbout() {
    const { words, beliefs } = this.data;
    this.about.replaceChildren();
    html("summary", {}, this.about, words.about);
    const table = html("table", {}, this.about);
    html("caption", {}, table, words.caption);
    const heads = html("tr", {}, html("thead", {}, table)), body = html("tbody", {}, table);
    for (const head of beliefs.heads) html("th", { scope: "col" }, heads, head);
    for (const cells of beliefs.rows) {
      const row = html("tr", {}, body);
      cells.forEach((cell, at) => html(at ? "td" : "th", at ? {} : { scope: "row" }, row, cell));
    }
    for (const line of words.promise) html("p", { class: "quiet" }, this.about, line);
  }
}

const mounted = new WeakMap();

export default function ({ data, parentElement, setStateValue }) {
  if (!mounted.has(parentElement)) mounted.set(parentElement, new Survey(parentElement));
  const survey = mounted.get(parentElement);
  survey.send = (sent) => setStateValue("sent", sent);
  survey.update(data);
  // Streamlit also runs this when a newer call overtakes an older one, so look whether the survey is really gone.
  return () => setTimeout(() => survey.root.isConnected || mounted.delete(parentElement));
}
