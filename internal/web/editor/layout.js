// The layout of the panes: wrapping, widths and full screen. It is saved in this
// browser.

import { byId, say, store, stored } from "./dom.js";

const place = "convertd.layout";
const panes = { input: "input-panel", output: "output-panel" };
const middles = [260, 560]; // width of the recipe, in pixels
const shares = [0.15, 0.85]; // the input's share of the width that the recipe leaves

export class Layout {
  #kept = { wrap: true, share: 0.5, middle: 0 };
  #onWrap;

  constructor(onWrap) {
    this.#onWrap = onWrap;
    try {
      const kept = JSON.parse(stored(place) ?? "{}");
      if (typeof kept.wrap === "boolean") this.#kept.wrap = kept.wrap;
      if (kept.share >= shares[0] && kept.share <= shares[1]) this.#kept.share = kept.share;
      if (kept.middle >= middles[0] && kept.middle <= middles[1]) this.#kept.middle = kept.middle;
    } catch {
      // Ignore a value that this page did not save.
    }
    for (const name of Object.keys(panes)) {
      byId(`wrap-${name}`).addEventListener("click", () => this.wrap());
      byId(`full-${name}`).addEventListener("click", () => this.full(name));
      byId(`jump-${name}`).addEventListener("click", () => this.#jump(panes[name]));
    }
    addEventListener("keydown", (event) => {
      const { full } = document.body.dataset;
      if (full && event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) this.full(full);
    });
    byId("jump-recipe").addEventListener("click", () => this.#jump("recipe-panel"));
    this.#separator(byId("split"), (x, box) => this.#set({ share: x / (box.width - byId("recipe-panel").offsetWidth) }),
      (by) => this.#set({ share: this.#kept.share + by * 0.04 }));
    this.#separator(byId("split-recipe"), (x, box) => this.#set({ middle: x - byId("recipe-panel").getBoundingClientRect().left + box.left }),
      (by) => this.#set({ middle: byId("recipe-panel").offsetWidth + by * 20 }));
    this.#apply();
  }

  // wrap turns the wrapping of long lines on or off.
  wrap() {
    this.#set({ wrap: !this.#kept.wrap });
    say(this.#kept.wrap ? "Long lines are wrapped." : "Long lines are not wrapped.");
  }

  // full expands a pane to fill the window, or restores the layout.
  full(name) {
    const on = document.body.dataset.full !== name;
    if (on) document.body.dataset.full = name;
    else delete document.body.dataset.full;
    for (const pane of Object.keys(panes)) byId(`full-${pane}`).setAttribute("aria-pressed", String(on && pane === name));
  }

  #jump(id) {
    byId(id).scrollIntoView({ block: "start" });
    byId(id).querySelector("textarea, [tabindex], button")?.focus({ preventScroll: true });
  }

  #set(change) {
    const next = { ...this.#kept, ...change };
    next.share = Math.min(shares[1], Math.max(shares[0], next.share));
    if (next.middle !== 0) next.middle = Math.round(Math.min(middles[1], Math.max(middles[0], next.middle)));
    this.#kept = next;
    store(place, JSON.stringify(next)); // the browser may refuse
    this.#apply();
  }

  #apply() {
    const { wrap, share, middle } = this.#kept;
    const bench = byId("bench");
    bench.style.setProperty("--in", `${Math.round(100 * share)}fr`); // fr values that add up to less than 1 would leave empty space
    bench.style.setProperty("--out", `${100 - Math.round(100 * share)}fr`);
    if (middle > 0) bench.style.setProperty("--middle", `${middle}px`);
    byId("split").setAttribute("aria-valuenow", String(Math.round(share * 100)));
    byId("split-recipe").setAttribute("aria-valuenow", String(middle || byId("recipe-panel").offsetWidth));
    document.body.classList.toggle("wrap", wrap);
    for (const name of Object.keys(panes)) byId(`wrap-${name}`).setAttribute("aria-pressed", String(wrap));
    this.#onWrap(wrap);
  }

  // separator makes a handle respond to dragging and to the arrow keys.
  #separator(handle, drag, step) {
    handle.addEventListener("pointerdown", (event) => {
      handle.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const box = byId("bench").getBoundingClientRect();
      drag(event.clientX - box.left, box);
    });
    handle.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!by) return;
      event.preventDefault();
      step(by);
    });
    handle.addEventListener("dblclick", () => this.#set({ share: 0.5 }));
  }
}
