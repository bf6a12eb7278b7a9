// Runs before Streamlit's own code, from the page that starts the app (ui/frame/entry.py).
(() => {
  "use strict";

  // Where the server is. Without it the browser asks at two addresses, one after the other, before it connects.
  const root = new URL("../../", document.currentScript.src);
  window.__streamlit = {
    BACKEND_BASE_URL: root.href,
    HOST_CONFIG: { allowedOrigins: [location.origin], useExternalAuthToken: false },
  };

  // A page that writes its choices into its address has arrived in one place, not in two: one press of Back leaves it.
  // What somebody changes on the page is a place of its own.
  const push = history.pushState;
  let arriving = true;
  history.pushState = function (state, title, address) {
    const same = new URL(address, location).pathname === location.pathname;
    if (same && arriving) return history.replaceState(state, title, address);
    if (!same) arriving = true;
    return push.call(history, state, title, address);
  };
  const acted = ({ target }) => {
    if (target.closest?.('[data-testid="stMain"]')) arriving = false;
  };
  for (const act of ["pointerdown", "keydown"]) addEventListener(act, acted, true);

  // Who skips the menu comes to the page's question: before it stand the switches of the frame.
  const skipped = (event) => {
    const skips = event.target.closest?.('[data-testid="stSkipToContent"]');
    const question = skips && document.querySelector("h1.riskline-page");
    if (!question) return;
    event.preventDefault();
    event.stopPropagation();
    question.tabIndex = -1;
    question.focus({ preventScroll: true });
  };
  addEventListener("click", skipped, true);

  // A fold of Streamlit's opens by script in half a second, whatever the reader asked of the system.
  const animate = Element.prototype.animate, calm = matchMedia("(prefers-reduced-motion: reduce)");
  Element.prototype.animate = function (frames, options) {
    return animate.call(this, frames, calm.matches ? { ...Object(options), duration: 0 } : options);
  };

  // Pictures are drawn by the server for a light or a dark ground: when that changes, the page is drawn anew.
  let app, ground;
  const look = () => {
    const now = getComputedStyle(app).colorScheme;
    if (ground && now !== ground) postMessage({ stCommVersion: 1, type: "RERUN_SCRIPT" }, location.origin);
    ground = now;
  };
  const started = new MutationObserver(() => {
    app = document.querySelector('[data-testid="stApp"]');
    if (!app) return;
    started.disconnect();
    new MutationObserver(look).observe(app, { attributes: true, attributeFilter: ["class"] });
    look();
  });
  started.observe(document.getElementById("root"), { childList: true, subtree: true });
})();

// What a page tells who hears it, and where a page begins.
// Streamlit puts a new element where an answer changes, and a screen reader hears only of changes inside an element that
// was there before: these two places stay, and repeat the answer and what is refused.
(() => {
  "use strict";
  const PATIENCE = 250; // milliseconds

  /** The text of an element as it is read, on one line. */
  const text = (element) => (element ? element.textContent.replace(/\s+/g, " ").trim() : "");

  /** A box whose text is refused says so itself and points to the sentence; one that is fine again does not. */
  function mark() {
    for (const box of document.querySelectorAll("[data-riskline-refused]")) {
      const name = box.dataset.risklineRefused;
      if (!document.querySelector(`.st-key-${CSS.escape(name)}`)) {
        delete box.dataset.risklineRefused;
        box.removeAttribute("aria-invalid");
        box.removeAttribute("aria-describedby");
      }
    }
    for (const fault of document.querySelectorAll('[class*="st-key-fault-"]')) {
      const name = [...fault.classList].find((one) => one.startsWith("st-key-fault-")).slice("st-key-".length);
      const box = document.querySelector(`.st-key-${CSS.escape(name.slice("fault-".length))} :is(input, textarea)`);
      fault.id = name;
      if (box && box.getAttribute("aria-describedby") !== name) {
        box.dataset.risklineRefused = name;
        box.setAttribute("aria-invalid", "true");
        box.setAttribute("aria-describedby", name);
      }
    }
  }

  /** A slider has one name: Streamlit gives it its own and its group's, which are the same words. */
  function nameOnce() {
    for (const slider of document.querySelectorAll('input[type="range"][aria-labelledby*=" "]')) {
      if (slider.getAttribute("aria-label")) slider.removeAttribute("aria-labelledby");
    }
  }

  /** The menu of a phone is a list in which headings stand between the entries: its links alone are read. */
  function readLinks() {
    for (const part of document.querySelectorAll('[data-testid="stSidebarNavItems"]:not([role]), [data-testid="stSidebarNavItems"] li:not([role])'))
      part.setAttribute("role", "none");
  }

  /** A guess on a phone is typed with the keys for numbers. */
  function giveDigits() {
    for (const box of document.querySelectorAll(".st-key-join-number input:not([inputmode])")) box.setAttribute("inputmode", "decimal");
  }

  /** A page that comes to show something else begins at its top again: Streamlit leaves it where it was scrolled to. */
  let moment;
  function beginAtTop() {
    const now = document.querySelector("[data-riskline-moment]")?.dataset.risklineMoment;
    if (now === undefined || now === moment) return;
    moment = now;
    document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
  }

  const places = document.createElement("div");
  places.className = "riskline-spoken";
  places.innerHTML = '<p role="status" aria-live="polite"></p><p role="alert" aria-live="assertive"></p>';
  document.body.append(places);
  const [answer, refused] = places.children;
  let waiting = 0;
  const tell = () => {
    waiting = 0;
    for (const [place, found] of [
      [answer, [...document.querySelectorAll(".riskline-answer, .riskline-told")].map(text).join(" ")],
      [refused, [...document.querySelectorAll('[class*="st-key-fault-"]')].map(text).join(" ")],
    ]) {
      if (place.textContent !== found) place.textContent = found;
    }
    mark();
    nameOnce();
    readLinks();
    giveDigits();
  };
  new MutationObserver(() => {
    beginAtTop();
    waiting ||= setTimeout(tell, PATIENCE);
  }).observe(document.getElementById("root"), { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["data-riskline-moment"] });
})();
