// Says what was recognized in the input and offers the recipes that take it, each
// one key away. The first one is previewed where there is no doubt.

import { choose, most } from "./choices.js";
import { byId, count, el, say } from "./dom.js";
import { complete, gives } from "./recipe.js";
import { offers, recognize } from "./recognize.js";
import { label, valueLabel } from "./text.js";

const node = byId("offers");

export class Offers {
  #tools;
  #take;
  #open;
  #first; // takes the first offer
  #fresh = false; // whether no key was pressed since the input arrived

  // preview is the first offer, {title, steps, input, sentence}, undefined where
  // there is none or where the input is recognized with doubt. sentence is what to
  // say about an input that has just arrived.
  preview;

  // take is called with the steps of the chosen offer and what was recognized,
  // open with the recipe of a link.
  constructor(tools, take, open) {
    this.#tools = tools;
    this.#take = take;
    this.#open = open;
    addEventListener("keydown", (event) => this.#key(event), { capture: true });
  }

  // keep takes the offer that is previewed and reports whether there was one.
  keep() {
    if (!this.preview) return false;
    this.#first();
    return true;
  }

  // key has Enter keep the preview, as the first key after a paste.
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Shift" || !this.#fresh) return;
    this.#fresh = false;
    if (event.key === "Enter" && !event.shiftKey && !event.target.matches("button, a, summary, select") && this.keep()) event.preventDefault();
  }

  hide() {
    this.preview = undefined;
    this.#fresh = false;
    node.hidden = true;
    choose([]);
  }

  #report(text) {
    node.replaceChildren(el("p", {}, text));
    node.hidden = false;
    say(text);
  }

  // show recognizes a text, offers recipes for it and returns what it recognized,
  // with its faults.
  // arrived is whether the text was pasted, dropped or opened, rather than typed;
  // faults returns the faults of a text of a media type.
  show(text, arrived, faults) {
    const found = recognize(text);
    this.preview = undefined;
    if (!found) {
      this.hide();
      if (arrived && text.trim() !== "") this.#report("This input was not recognized. Choose the first step yourself.");
      return undefined;
    }
    const wrong = faults(found.mediaType, text);
    const all = found.recipe
      ? [{ title: "Open the recipe", act: () => this.#open(found.recipe) }]
      : offers(found, this.#tools).map(({ steps, own }) => this.#offer(found, steps, own));
    const shown = all.slice(0, most);
    choose(shown.map(({ act }) => act));
    this.#first = shown[0]?.act;
    const sentence = `This looks like ${found.kind}. ${wrong.length > 0 ? `${count(wrong.length, "fault")} marked. ` : ""}${shown.map(({ title }, i) => `Alt ${i + 1}: ${title}`).join(". ")}.`;
    if (found.certain && shown.length > 0 && wrong.length === 0) {
      this.preview = { ...shown[0], input: { mediaType: found.mediaType, value: found.value ?? text }, sentence: arrived ? `${sentence} ` : "" };
    }
    this.#fresh = arrived && this.preview !== undefined;
    node.replaceChildren(
      el("p", {}, "This looks like ", el("strong", {}, found.kind), `: ${found.reason}.`, wrong.length > 0 ? ` ${count(wrong.length, "fault")} marked in the input.` : "",
        all.length === 0 ? " No tool takes it." : ""),
      el("ol", {}, ...shown.map((offer, i) => item(offer, i))));
    node.hidden = false;
    if (arrived) say(sentence);
    return { ...found, faults: wrong };
  }

  #offer(found, chosen, own) {
    const steps = chosen.map(({ tool, options }) => ({ tool, options: complete(tool, options) }));
    const name = chosen.map(title).join(", then ");
    return {
      steps, title: own ? `Cleaned-up ${name}` : name,
      produces: chosen.some(({ tool }) => tool.options.some(({ required }) => required)) ? "" : label(gives(steps.at(-1)) ?? steps.at(-1).tool.produces[0]),
      act: () => this.#take(steps, found),
    };
  }
}

const item = ({ title: text, produces, act }, i) => el("li", {},
  el("button", { type: "button", "aria-keyshortcuts": `Alt+${i + 1}`, onclick: act },
    el("kbd", { "aria-hidden": "true" }, `Alt ${i + 1}`), el("span", {}, text),
    produces ? el("span", { class: "flow" }, `→ ${produces}`) : null));

// title names a step by its result: the format that was chosen, or else the tool.
function title({ tool, options }) {
  const target = tool.options.find(({ required }) => required);
  if (target) return valueLabel(options[target.name]);
  return [tool.title, ...Object.values(options)].join(", ");
}
