// Detects the media type of the input and shows its size, type and a summary.

import { byId, bytes, count, el } from "./dom.js";
import { commands, summary } from "./summary.js";
import { guess, label, lines } from "./text.js";

const atOnce = 100_000; // characters; a longer text is described only after a pause in typing

export class Input {
  #field;
  #onChoice;
  #accepted = [];
  #chosen; // the media type that the user chose
  #timer;

  constructor(field, onChoice) {
    this.#field = field;
    this.#onChoice = onChoice;
  }

  // choose sets the media type that the user chose, or clears it if type is
  // undefined.
  choose(type) {
    this.#chosen = type;
  }

  // type returns the media type of a string. named is the media type that the user
  // chose or that the file name implies.
  type(text, named = this.#chosen) {
    if (this.#accepted.includes(named)) return named;
    return this.likely(text);
  }

  // likely returns the media type that a string most likely has.
  likely(text) {
    return this.#accepted.length > 1 ? guess(text, this.#accepted) : this.#accepted[0];
  }

  // show shows the size and media type of the input. If the first step accepts
  // several media types, it also shows a summary of the content.
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

  // showType shows the media type, as a menu if there are several.
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
