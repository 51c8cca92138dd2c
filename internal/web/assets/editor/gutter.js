// Line numbers, in blocks that the browser lays out only when they are seen.

import { el } from "./dom.js";

export const blockLines = 200;

// numbers is the text of the numbers of lines first to last.
export function numbers(first, last) {
  const all = [];
  for (let n = first; n <= last; n++) all.push(n);
  return all.join("\n");
}

// reserve says how high a block of lines is before it is laid out.
export function reserve(block, lines) {
  block.style.containIntrinsicBlockSize = `auto calc(${lines} * var(--line))`;
}

// Gutter shows the numbers of 1 to n beside the input.
export class Gutter {
  #node;
  #shown = 0;

  constructor(node) {
    this.#node = node;
  }

  show(lines) {
    if (lines === this.#shown) return;
    const keep = Math.min(Math.floor(this.#shown / blockLines), Math.floor(lines / blockLines));
    while (this.#node.childElementCount > keep) this.#node.lastElementChild.remove();
    for (let first = keep * blockLines + 1; first <= lines; first += blockLines) {
      const last = Math.min(lines, first + blockLines - 1);
      const block = el("pre", { class: "numbers" }, numbers(first, last));
      reserve(block, last - first + 1);
      this.#node.append(block);
    }
    this.#shown = lines;
    this.#node.style.setProperty("--digits", String(Math.max(2, String(lines).length)));
  }

  scroll(top) {
    this.#node.scrollTop = top;
  }
}
