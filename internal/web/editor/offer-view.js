// What was recognised in the input, with the steps that take it, one key away.

import { choose, most } from "./choices.js";
import { byId, el, say } from "./dom.js";
import { complete, gives } from "./recipe.js";
import { offers, recognize } from "./recognize.js";
import { label } from "./text.js";

const node = byId("offers");

export class Offers {
  #tools;
  #take;
  #open;

  // take is given the steps of an offer that was chosen, with the media type
  // and what of the text is the input; open is given a recipe.
  constructor(tools, take, open) {
    this.#tools = tools;
    this.#take = take;
    this.#open = open;
  }

  hide() {
    node.hidden = true;
    choose([]);
  }

  #tell(text) {
    node.replaceChildren(el("p", {}, text));
    node.hidden = false;
    say(text);
  }

  // show recognises a text and offers what can be done with it; it says so
  // aloud when the person has just put it there.
  show(text, aloud) {
    const found = recognize(text);
    if (!found) {
      this.hide();
      if (aloud && text.trim() !== "") this.#tell("This was not recognised: choose the first step that takes it.");
      return;
    }
    const all = found.recipe
      ? [{ title: "Open the recipe", gives: "", act: () => this.#open(found.recipe) }]
      : offers(found, this.#tools).map(({ steps }) => ({
        title: steps.map(title).join(", then "),
        gives: label(gives(steps.at(-1)) ?? steps.at(-1).tool.produces[0]),
        act: () => this.#take(steps.map(({ tool, options }) => ({ tool, options: complete(tool, options) })), found),
      }));
    const shown = all.slice(0, most);
    choose(shown.map(({ act }) => act));
    node.replaceChildren(
      el("p", {}, "This looks like ", el("strong", {}, found.kind), `: ${found.reason}.`, all.length === 0 ? " No tool takes it." : ""),
      el("ol", {}, ...shown.map(({ title: text, gives: type, act }, i) => el("li", {},
        el("button", { type: "button", "aria-keyshortcuts": `Alt+${i + 1}`, onclick: act },
          el("kbd", { "aria-hidden": "true" }, `Alt ${i + 1}`), el("span", {}, text),
          type ? el("span", { class: "flow" }, `→ ${type}`) : null)))));
    node.hidden = false;
    if (aloud) say(`This looks like ${found.kind}. ${shown.map(({ title: text }, i) => `Alt ${i + 1}: ${text}`).join(". ")}.`);
  }
}

// title names a step by its tool and what it was told.
const title = ({ tool, options }) => {
  const chosen = Object.values(options);
  return chosen.length > 0 ? `${tool.title}: ${chosen.join(", ")}` : tool.title;
};
