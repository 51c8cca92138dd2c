// What runs the recipe, or the previewed one, elsewhere: its link, and the "Use it
// from" panel with a program in each language.

import { byId, copy, el } from "./dom.js";
import { fault, format } from "./recipe.js";
import { languages, make } from "./snippets.js";

export class Use {
  #chosen = languages[0];
  #call;
  #steps = [];
  #tabs;

  constructor() {
    this.#tabs = languages.map((language, i) => el("button", {
      type: "button", role: "tab", id: `use-${i}`, "aria-controls": "use-panel", onclick: () => this.#choose(i),
    }, language.name));
    const list = byId("use-tabs");
    list.append(...this.#tabs);
    list.addEventListener("keydown", (event) => {
      const at = languages.indexOf(this.#chosen);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: languages.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.#choose((to + languages.length) % languages.length);
      this.#tabs[languages.indexOf(this.#chosen)].focus();
    });
    byId("use-copy").addEventListener("click", (event) => copy(event.target, byId("use-code").textContent));
    byId("share").addEventListener("click", (event) => copy(event.target, this.#link()));
    byId("send").hidden = !navigator.share;
    byId("send").addEventListener("click", () => navigator.share({ title: document.title, url: this.#link() }).catch(() => {})); // the user may cancel
    this.#choose(0);
  }

  // show shows the programs of a recipe that can run. A recipe that lacks a required
  // option has no link either.
  show(api, steps, mediaType) {
    const broken = fault(steps);
    this.#steps = steps;
    for (const id of ["share", "send"]) byId(id).disabled = steps.length === 0 || broken?.lacking !== undefined;
    this.#call = steps.length > 0 && !broken ? make(api, location.origin, steps, mediaType) : undefined;
    this.#write();
  }

  #link() {
    return `${location.href.split("#", 1)}#${format(this.#steps)}`;
  }

  #choose(i) {
    this.#chosen = languages[i];
    this.#tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", String(at === i));
      tab.tabIndex = at === i ? 0 : -1;
    });
    byId("use-panel").setAttribute("aria-labelledby", this.#tabs[i].id);
    this.#write();
  }

  #write() {
    const code = byId("use-code");
    byId("use-copy").disabled = !this.#call;
    const text = this.#call ? this.#chosen.write(this.#call) : "";
    if (code.textContent !== text) code.textContent = text; // avoids layout on each keystroke
    code.parentElement.hidden = !this.#call;
    byId("use-note").textContent = this.#call
      ? `Reads ${this.#call.file} from the current folder. ${this.#chosen.note}`
      : "Once the recipe can run, the code to run it appears here.";
  }
}
