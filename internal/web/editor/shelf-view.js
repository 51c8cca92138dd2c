// The list of kept recipes.

import { byId, count, el, say } from "./dom.js";
import { read, save } from "./files.js";
import { add, forgetAll, keep, kept } from "./shelf.js";

export class Shelf {
  // current returns the recipe's text; open is given the text of a kept one.
  constructor(current, open) {
    this.open = open;
    const name = byId("keep-name");
    const store = () => {
      if (byId("keep").disabled) return;
      const recipe = current();
      const title = name.value.trim() || recipe.replace(/^r=1&s=/, "").replaceAll("&s=", " → ").slice(0, 60);
      say(keep(title, recipe) ? `${title} is kept.` : "The browser refused to keep it.");
      name.value = "";
      this.#draw();
    };
    byId("keep").addEventListener("click", store);
    name.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) store();
    });
    byId("forget").addEventListener("click", () => {
      forgetAll();
      this.#draw();
      byId("keep-name").focus();
      say("All kept recipes are forgotten.");
    });
    byId("kept-save").addEventListener("click", () => save("recipes.json", "application/json", `${JSON.stringify(kept(), null, 2)}\n`));
    byId("kept-open").addEventListener("click", () => byId("kept-file").click());
    addEventListener("storage", () => this.#draw()); // another tab may keep one
    byId("kept-file").addEventListener("change", (event) => this.#read(event.target));
    this.#draw();
  }

  async #read(input) {
    const found = await read(input.files[0]);
    input.value = "";
    const n = found && add(found.text);
    say(n === undefined ? "The file holds no recipes of this page." : `${count(n, "recipe")} kept.`);
    this.#draw();
  }

  // offer says whether there is a recipe that could be kept.
  offer(possible) {
    byId("keep").disabled = !possible;
  }

  #draw() {
    const list = kept();
    byId("kept-list").replaceChildren(...list.map(({ name, recipe }) => el("li", {},
      el("button", { type: "button", onclick: () => this.open(recipe) }, name))));
    byId("forget").hidden = list.length === 0;
    byId("kept-save").hidden = list.length === 0;
  }
}
