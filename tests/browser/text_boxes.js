// What a reader cannot read whole, found from the boxes of all text on a page. One expression: an object of two functions.
({
  /** Resolves once the page is at its top, every chart is there and fits its place, and no text has moved for a while. */
  still: () => new Promise((done) => {
    const everywhere = (what) => {
      const roots = [document.body];
      for (const root of roots) for (const one of root.querySelectorAll("*")) if (one.shadowRoot) roots.push(one.shadowRoot);
      return roots.flatMap((root) => [...root.querySelectorAll(what)]);
    };
    const fitted = (plot) => { // Plotly draws anew some time after its place has another width
      if (!plot.checkVisibility()) return true;
      const sheet = plot.querySelector("svg.main-svg"), place = plot.closest('[data-testid="stElementContainer"]');
      if (!sheet || !place) return false;
      return Math.abs(sheet.getBoundingClientRect().width - place.getBoundingClientRect().width) < 2;
    };
    let seen = "", since = performance.now();
    const look = () => {
      document.querySelector('[data-testid="stMain"]').scrollTop = 0; // scrolled, the head of the page lies on it
      const boxes = everywhere("svg text, p, button, th, td, dd, label").map((one) => one.getBoundingClientRect());
      const now = boxes.map(({ x, y, width }) => [x, y, width].map(Math.round)).join(" ");
      if (now !== seen) [seen, since] = [now, performance.now()];
      const awaited = everywhere('[data-testid="stSkeleton"]').some((one) => one.checkVisibility());
      const drawn = !awaited && everywhere(".js-plotly-plot").every(fitted);
      if (drawn && performance.now() - since > 250) done();
      else setTimeout(look, 50);
    };
    look();
  }),

  /** Every fault as [kind, words, other words]. */
  faults: () => {
    const SLACK = 1.5; // pixels by which browsers round
    const NARROW = 90; // pixels: a column below this breaks its numbers and labels
    const EMPTY = 0.22; // share of a line's box above and below its letters
    const MAIN = '[data-testid="stMain"]';
    const PLACE = 'button, label, dd, [role="tab"], [data-testid="stColumn"]';
    const TYPED = 'input:not([type="range"], [type="checkbox"], [type="radio"], [type="file"])';
    const faults = new Map();
    const brief = (words) => words.replace(/\s+/g, " ").trim().slice(0, 60);
    const tell = (kind, words, other = "") => faults.set([kind, words, other].join("|"), [kind, brief(words), brief(other)]);

    const styles = new Map();
    const style = (one) => styles.get(one) ?? styles.set(one, getComputedStyle(one)).get(one);
    const scrolls = (one) => ["auto", "scroll"].includes(style(one).overflowX);
    const clips = (one) => ["hidden", "clip"].includes(style(one).overflowX);
    const upwards = (element) => {
      const line = [];
      for (let one = element; one && one !== document.documentElement; one = one.parentElement ?? one.getRootNode().host) line.push(one);
      return line;
    };
    const onlyHeard = (one) => one instanceof HTMLElement && one.offsetWidth <= 1 && one.offsetHeight <= 1;
    const readable = (element) => {
      if (["SCRIPT", "STYLE", "TITLE"].includes(element.tagName)) return false;
      if (element.closest('[data-testid="stIconMaterial"], [translate="no"]')) return false; // icons are words in their font
      const side = element.closest('[data-testid="stSidebar"]');
      if (side && side.getBoundingClientRect().right < SLACK) return false; // the menu of a phone, folded
      return element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !upwards(element).some(onlyHeard);
    };
    const roots = [document.body]; // the line editor draws in a root of its own
    for (const root of roots) for (const one of root.querySelectorAll("*")) if (one.shadowRoot) roots.push(one.shadowRoot);
    const range = document.createRange();
    const boxesOf = () => [...range.getClientRects()].filter((box) => box.width > 0.5 && box.height > 0.5);
    const beyond = (box, edge, slack = SLACK) => box.left < edge.left - slack || box.right > edge.right + slack;

    /** Tell what of this box cannot be seen, and give what is left of it. */
    function seen(box, line, words) {
      let { left, right, top, bottom } = box, behind = false; // a bar to scroll it by
      for (const one of line) {
        if (one.matches(MAIN)) break; // what lies below its fold is on the page too
        if (one === document.body || one instanceof SVGElement) continue;
        const edge = one.getBoundingClientRect(), now = { left, right };
        if (scrolls(one) && beyond(now, edge)) {
          if (one.tabIndex < 0 || !one.ariaLabel) tell("is behind a scroll bar that no key reaches", words);
          behind = true;
        } else if (!behind && clips(one) && beyond(now, edge)) tell("is cut", words);
        else if (!behind && style(one).overflowY === "hidden" && (top < edge.top - EMPTY * box.height || bottom > edge.bottom + EMPTY * box.height)) tell("is cut", words);
        else if (!behind && one.matches(PLACE) && beyond(now, edge, 2 * SLACK)) tell("sticks out of its place", words);
        if (clips(one) || scrolls(one)) {
          [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
          [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
        }
      }
      if (!behind && beyond({ left, right }, { left: 0, right: innerWidth })) tell("sticks out of the window", words);
      return { left, right, top, bottom };
    }

    const lines = [];
    const texts = roots.flatMap((root) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = [];
      while (walker.nextNode()) if (walker.currentNode.data.trim()) found.push(walker.currentNode);
      return found;
    });
    for (const node of texts) {
      const element = node.parentElement, words = node.data;
      if (!element || !readable(element)) continue;
      const line = upwards(element);
      const label = element.closest("text") ?? line.find((one) => !style(one).display.startsWith("inline")) ?? element;
      const picture = label.ownerSVGElement && (element.closest(".js-plotly-plot") ?? label.ownerSVGElement).getBoundingClientRect();
      range.selectNodeContents(node);
      const boxes = boxesOf();
      for (const box of boxes) {
        if (picture && (beyond(box, picture) || box.top < picture.top - SLACK || box.bottom > picture.bottom + SLACK)) tell("sticks out of its picture", words);
        const { left, right, top, bottom } = seen(box, line, words);
        if (right - left < 1 || bottom - top < 1) continue;
        const [across, up] = box.height > box.width ? [EMPTY * box.width, 0.5] : [0.5, EMPTY * box.height]; // upright or turned
        lines.push({ label, words, left: left + across, right: right - across, top: top + up, bottom: bottom - up });
      }
      if (boxes.length < 2 || element.closest("code, pre, a, .riskline-paper")) continue;
      for (const word of words.matchAll(/[\p{L}\p{N}]{3,}/gu)) {
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        if (new Set(boxesOf().map((box) => Math.round(box.top))).size > 1) tell("is broken inside a word", word[0], words);
      }
    }

    lines.sort((a, b) => a.top - b.top);
    lines.forEach((a, i) => {
      for (let k = i + 1; k < lines.length && lines[k].top < a.bottom - 1; k++) {
        const b = lines[k];
        if (a.label.contains(b.label) || b.label.contains(a.label)) continue;
        const formula = a.label.closest(".katex");
        if (formula && formula === b.label.closest(".katex")) continue; // its accents lie on their letters
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), up = Math.min(a.bottom, b.bottom) - b.top;
        if (across > 1 && up > 1) tell("lies on", a.words, b.words);
      }
    });

    for (const one of roots.flatMap((root) => [...root.querySelectorAll("*")])) {
      if (!(one instanceof HTMLElement) || !one.clientWidth) continue;
      const typed = one.matches(TYPED), words = typed ? one.value : one.textContent;
      const shortened = (typed || style(one).textOverflow === "ellipsis") && one.scrollWidth > one.clientWidth + 1;
      const narrow = one.matches('[data-testid="stColumn"], dd') && one.clientWidth < NARROW;
      if (!(shortened || narrow) || !words.trim() || !readable(one)) continue;
      if (shortened) tell("is shortened", words);
      if (narrow) tell("stands in a narrow column", words);
    }
    const main = document.querySelector(MAIN);
    if (document.documentElement.scrollWidth > innerWidth) tell("scrolls sideways", "the window");
    if (main.scrollWidth > main.clientWidth) tell("scrolls sideways", "the page");
    return [...faults.values()];
  },
})
