// Shows what the input was recognized as and offers matching recipes, each with a
// keyboard shortcut. If the format is certain, the first recipe is previewed.

import { choose, most } from "./choices.js";
import { byId, count, el, say } from "./dom.js";
import { complete, outputType } from "./recipe.js";
import { offers, recognize } from "./recognize.js";
import { label, valueLabel } from "./text.js";

const node = byId("offers");

export class Offers {
  #tools;
  #take;
  #open;
  #first; // accepts the first offer
  #fresh = false; // whether no key was pressed after the input arrived

  // preview is the first offer, as {title, steps, input, sentence}. It is undefined
  // if there is no offer or the format of the input is uncertain. sentence is the
  // announcement for an input that has just arrived.
  preview;

  // take is called with the steps of the chosen offer and the input that they take, open
  // with the recipe of a link.
  constructor(tools, take, open) {
    this.#tools = tools;
    this.#take = take;
    this.#open = open;
    addEventListener("keydown", (event) => this.#key(event), { capture: true });
  }

  // keep accepts the previewed offer and reports whether there was one.
  keep() {
    if (!this.preview) return false;
    this.#first();
    return true;
  }

  // key makes Enter accept the preview if it is the first key after a paste.
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

  // show detects the format of a string and offers recipes for it. It returns what
  // it recognized and the faults of the string. arrived reports whether the text was
  // pasted, dropped or opened rather than typed. faults(mediaType, text) returns the
  // faults of a string.
  show(text, arrived, faults) {
    const found = recognize(text, this.#tools);
    this.preview = undefined;
    if (!found) {
      this.hide();
      if (arrived && text.trim() !== "") this.#report("This input was not recognized. Choose the first step yourself.");
      return undefined;
    }
    const wrong = faults(found.mediaType, text);
    const all = found.recipe
      ? [{ title: "Open the recipe", act: () => this.#open(found.recipe) }]
      : offers(found, this.#tools).map((offer) => this.#offer(offer, text));
    const shown = all.slice(0, most);
    choose(shown.map(({ act }) => act));
    this.#first = shown[0]?.act;
    const sentence = `This looks like ${found.kind}. ${wrong.length > 0 ? `${count(wrong.length, "fault")} marked. ` : ""}${shown.map(({ title }, i) => `Alt ${i + 1}: ${title}`).join(". ")}.`;
    if (found.certain && shown.length > 0 && wrong.length === 0) {
      this.preview = { ...shown[0], sentence: arrived ? `${sentence} ` : "" };
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

  #offer({ steps: chosen, own, input }, text) {
    const steps = chosen.map(({ tool, options }) => ({ tool, options: complete(tool, options) }));
    const name = chosen.map(title).join(", then ");
    return {
      steps, title: own ? `Cleaned-up ${name}` : name,
      produces: chosen.some(({ tool }) => tool.options.some(({ required }) => required)) ? "" : label(outputType(steps.at(-1)) ?? steps.at(-1).tool.produces[0]),
      input: { ...input, value: input.value ?? text },
      act: () => this.#take(steps, input),
    };
  }
}

const item = ({ title: text, produces, act }, i) => el("li", {},
  el("button", { type: "button", "aria-keyshortcuts": `Alt+${i + 1}`, onclick: act },
    el("kbd", { "aria-hidden": "true" }, `Alt ${i + 1}`), el("span", {}, text),
    produces ? el("span", { class: "flow" }, `→ ${produces}`) : null));

// title names a step after its result: the chosen format or, if there is none, the
// tool.
function title({ tool, options }) {
  const target = tool.options.find(({ required }) => required);
  if (target) return valueLabel(options[target.name]);
  return [tool.title, ...Object.values(options)].join(", ");
}
