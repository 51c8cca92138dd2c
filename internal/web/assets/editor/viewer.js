// The output: text in blocks of lines, of which the browser lays out those
// that are seen, so that megabytes do not hold up the page.

import { el } from "./dom.js";
import { blockLines, numbers, reserve } from "./gutter.js";
import { Paint, pieces } from "./paint.js";
import { lines, offset } from "./text.js";

const colourLimit = 120_000; // characters
const blockCharacters = 20_000; // a block ends with the line that reaches this

export class Viewer {
  #node;
  #paint;
  #text = "";
  #blocks = []; // {block, first, start, nodes}: element, its first line, offset, text nodes

  constructor(node) {
    this.#node = node;
    this.#paint = new Paint(node);
  }

  get text() {
    return this.#text;
  }

  clear() {
    this.#paint.clear();
    this.#text = "";
    this.#blocks = [];
    this.#node.replaceChildren();
  }

  // show replaces the text and returns how many lines it has.
  show(text, mediaType) {
    this.clear();
    this.#text = text;
    const coloured = text.length <= colourLimit;
    let first = 1;
    for (const [start, end] of cut(text)) {
      const part = text.slice(start, end);
      const nodes = coloured ? pieces(part, start) : [{ node: document.createTextNode(part), start }];
      const height = lines(part) - (part.endsWith("\n") ? 1 : 0);
      const block = el("div", { class: "block" },
        el("pre", { class: "numbers", "aria-hidden": "true" }, numbers(first, first + height - 1)),
        el("pre", { class: "text" }, ...nodes.map(({ node }) => node)));
      reserve(block, height);
      this.#blocks.push({ block, first, start, nodes });
      first += height;
    }
    this.#node.style.setProperty("--digits", String(Math.max(2, String(first - 1).length)));
    this.#node.replaceChildren(...this.#blocks.map(({ block }) => block));
    this.#node.scrollTo(0, 0);
    if (coloured) this.#paint.load(this.#blocks.flatMap(({ nodes }) => nodes), text, mediaType);
    return first - 1;
  }

  // goTo marks the character at a place and shows it.
  goTo(place) {
    const range = offset(this.#text, place);
    const found = this.#blocks.findLast(({ start }) => start <= range[0]);
    if (!found) return;
    this.#paint.mark(range);
    found.block.scrollIntoView({ block: "nearest" });
    const line = parseFloat(getComputedStyle(this.#node).lineHeight);
    const top = found.block.offsetTop + (place.line - found.first) * line;
    this.#node.scrollTop = Math.max(0, top - this.#node.clientHeight / 2);
    this.#node.focus();
  }
}

// cut yields the parts of a text, each of whole lines.
function* cut(text) {
  let start = 0;
  let inBlock = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    inBlock++;
    if (inBlock < blockLines && at - start < blockCharacters) continue;
    yield [start, at + 1];
    start = at + 1;
    inBlock = 0;
  }
  if (start < text.length) yield [start, text.length];
}
