// The media type of the input, and what the page says about it.

import { byId, bytes, count, el } from "./dom.js";
import { commands, summary } from "./summary.js";
import { guess, label, lines } from "./text.js";

const atOnce = 100_000; // characters; a longer text is described after a pause in typing

export class Input {
  #field;
  #onChoice;
  #accepted = [];
  #chosen; // by the user
  #timer;

  constructor(field, onChoice) {
    this.#field = field;
    this.#onChoice = onChoice;
  }

  // choose sets the media type that the user chose; undefined is none.
  choose(type) {
    this.#chosen = type;
  }

  // type returns the media type of a text; named is the one that the user chose or
  // that the file name implies.
  type(text, named = this.#chosen) {
    if (this.#accepted.includes(named)) return named;
    return this.likely(text);
  }

  // likely returns the media type that a text looks like.
  likely(text) {
    return this.#accepted.length > 1 ? guess(text, this.#accepted) : this.#accepted[0];
  }

  // show shows the size of the input, its media type and, where the first step
  // accepts several, a summary of its content.
  show(accepted) {
    this.#accepted = accepted;
    const text = this.#field.value;
    byId("clear").disabled = text === "";
    byId("find-input").disabled = text === "";
    const type = this.type(text);
    this.#field.mediaType = type;
    this.#showType(type);
    clearTimeout(this.#timer);
    if (text.length <= atOnce) this.#describe(text, type);
    else this.#timer = setTimeout(() => this.#describe(text, type), 300);
  }

  #describe(text, type) {
    byId("input-facts").textContent = text === "" ? "Empty" : `${count(lines(text), "line")}, ${bytes(new Blob([text]).size)}${this.#field.cut ? ", long lines shown in pieces" : ""}`;
    byId("input-summary").textContent = this.#accepted.length < 2 || text === "" ? "" : type === "text/plain" ? commands(text) : summary(text, type);
  }

  // showType shows the media type, as a menu where there are several.
  #showType(type) {
    const node = byId("input-media");
    if (this.#accepted.length < 2) {
      node.replaceChildren(type ? label(type) : "");
      return;
    }
    let control = node.querySelector("select");
    if (!control || control.options.length !== this.#accepted.length) {
      control = el("select", { "aria-label": "Media type of the input" }, ...this.#accepted.map((t) => el("option", { value: t }, label(t))));
      control.addEventListener("change", () => {
        this.#chosen = control.value;
        this.#onChoice();
      });
      node.replaceChildren(control);
    }
    control.value = type;
  }
}
