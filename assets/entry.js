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
