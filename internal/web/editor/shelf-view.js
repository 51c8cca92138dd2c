// The list of saved recipes.

import { byId, count, el, say } from "./dom.js";
import { read, save } from "./files.js";
import { add, forgetAll, keep, kept } from "./shelf.js";

export class Shelf {
  // current returns the current recipe as a string. open is called with the string
  // of a saved recipe.
  constructor(current, open) {
    this.open = open;
    const name = byId("keep-name");
    const store = () => {
      if (byId("keep").disabled) return;
      const recipe = current();
      const title = name.value.trim() || recipe.replace(/^r=1&s=/, "").replaceAll("&s=", " → ").slice(0, 60);
      say(keep(title, recipe) ? `${title} saved.` : "The browser did not allow it to be saved.");
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
      say("All saved recipes deleted.");
    });
    byId("kept-save").addEventListener("click", () => save("recipes.json", "application/json", `${JSON.stringify(kept(), null, 2)}\n`));
    byId("kept-open").addEventListener("click", () => byId("kept-file").click());
    addEventListener("storage", () => this.#draw()); // another tab may save one
    byId("kept-file").addEventListener("change", (event) => this.#read(event.target));
    this.#draw();
  }

  async #read(input) {
    const found = await read(input.files[0]);
    input.value = "";
    const n = found && add(found.text);
    say(n === undefined ? "The file contains no saved recipes." : `${count(n, "recipe")} imported.`);
    this.#draw();
  }

  // offer enables saving if there is a recipe.
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
