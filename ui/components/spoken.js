// What a page tells who hears it. Streamlit puts a new element where an answer changes, and a screen reader hears only of
// changes inside an element that was there before: this one stays, and repeats the answer and what is refused.
const PATIENCE = 250;

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

export default function ({ parentElement }) {
  const [answer, refused] = parentElement.querySelectorAll("p");
  let waiting = 0;
  const tell = () => {
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
  const soon = () => {
    waiting ||= setTimeout(() => {
      waiting = 0;
      tell();
    }, PATIENCE);
  };
  const watch = new MutationObserver(soon);
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
  soon();
  return () => {
    clearTimeout(waiting);
    watch.disconnect();
  };
}
