// A sheet renders a text as blocks of lines. A block starts as one text node. It
// creates an element for each line when it comes near the viewport (paint.js), so
// that text of any length appears immediately.

import { el } from "./dom.js";

const blockLines = 50;
const blockCharacters = 20_000; // a block ends with the line that reaches this

// blocks splits a text into Blocks.
export function blocks(text) {
  const all = [];
  let n = 0;
  let first = 1;
  let begin = 0;
  const close = (end) => {
    all.push(new Block(text.slice(begin, end), first, n, begin));
    first += n;
    n = 0;
    begin = end;
  };
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    start = newline < 0 ? text.length : newline + 1;
    n++;
    if (n >= blockLines || start - begin >= blockCharacters) close(start);
  }
  if (n > 0) close(text.length);
  return all;
}

// Block is a range of lines. first is the number of its first line and count is the
// number of lines. start and end are offsets.
class Block {
  #text;
  #lines;
  #inner;
  onLines; // called with the block after it creates its line elements

  constructor(text, first, count, start) {
    this.#text = text;
    this.first = first;
    this.count = count;
    this.start = start;
    this.end = start + text.length;
    this.#inner = el("div", { class: "text" }, text);
    this.element = el("div", { class: "block" }, this.#inner);
    this.element.style.containIntrinsicBlockSize = `auto calc(${count} * var(--line))`;
    this.element.style.counterReset = `line ${first - 1}`;
  }

  // lines returns {element, node, start} for each line, creating the elements on
  // first use.
  get lines() {
    if (this.#lines) return this.#lines;
    this.#lines = [];
    for (let start = 0; start < this.#text.length;) {
      const newline = this.#text.indexOf("\n", start);
      const end = newline < 0 ? this.#text.length : newline + 1;
      const node = document.createTextNode(this.#text.slice(start, end));
      this.#lines.push({ element: el("div", { class: "line" }, node), node, start: this.start + start });
      start = end;
    }
    this.#inner.replaceChildren(...this.#lines.map(({ element }) => element));
    this.onLines?.(this);
    return this.#lines;
  }

  // made reports whether the line elements exist.
  get made() {
    return this.#lines !== undefined;
  }
}

// lineAt returns the line at an offset and its block, or undefined if there are no
// lines.
export function lineAt(all, offset) {
  const block = all[last(all, offset)];
  return block && { block, line: block.lines[last(block.lines, offset)] };
}

// last returns the index of the last item in a sorted list whose key is at most
// value, or 0 if all keys are larger.
export function last(list, value, key = "start") {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle][key] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

// count returns the total number of lines in a list of blocks.
export const count = (all) => (all.length === 0 ? 0 : all.at(-1).first + all.at(-1).count - 1);
