// Shows line numbers next to the input, in blocks that the browser lays out only
// when they are in view.

import { el } from "./dom.js";

const blockLines = 200;

// Gutter shows the numbers 1 to n.
export class Gutter {
  #node;
  #shown = [];
  #plain; // the number of lines shown, if none wraps

  constructor(node) {
    this.#node = node;
  }

  // show numbers the lines. rows holds the row count of each line if lines wrap.
  show(lines, rows) {
    if (!rows && lines === this.#plain) return;
    this.#plain = rows ? undefined : lines;
    const texts = [];
    for (let first = 1; first <= lines; first += blockLines) {
      let text = "";
      for (let n = first; n < first + blockLines && n <= lines; n++) text += `${n}${"\n".repeat(rows?.[n - 1] ?? 1)}`;
      texts.push(text);
    }
    while (this.#node.childElementCount > texts.length) this.#node.lastElementChild.remove();
    texts.forEach((text, i) => {
      if (text === this.#shown[i] && this.#node.children[i]) return;
      const block = el("pre", { class: "numbers" }, text);
      block.style.containIntrinsicBlockSize = `auto calc(${text.split("\n").length - 1} * var(--line))`;
      if (this.#node.children[i]) this.#node.children[i].replaceWith(block);
      else this.#node.append(block);
    });
    this.#shown = texts;
    this.#node.style.setProperty("--digits", String(Math.max(2, String(lines).length)));
  }

  scroll(top) {
    this.#node.scrollTop = top;
  }
}
