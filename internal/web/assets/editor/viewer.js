// The output: text in blocks of lines, of which the browser lays out those
// that are seen, so that megabytes do not hold up the page.

import { el } from "./dom.js";
import { blockLines, numbers, reserve } from "./gutter.js";
import { Paint } from "./paint.js";
import { lines, offset } from "./text.js";

const colourLimit = 120_000; // characters
const blockCharacters = 20_000; // a block ends with the line that reaches this

export class Viewer {
  #node;
  #paint = new Paint();
  #text = "";
  #pieces = [];

  constructor(node) {
    this.#node = node;
  }

  get text() {
    return this.#text;
  }

  clear() {
    this.#paint.clear();
    this.#text = "";
    this.#pieces = [];
    this.#node.replaceChildren();
  }

  // show replaces the text and returns how many lines it has.
  show(text, mediaType) {
    this.clear();
    this.#text = text;
    let first = 1;
    const blocks = [];
    for (const [start, end] of cut(text)) {
      const node = document.createTextNode(text.slice(start, end));
      const height = lines(node.data) - (node.data.endsWith("\n") ? 1 : 0);
      const last = first + height - 1;
      const block = el("div", { class: "block" },
        el("pre", { class: "numbers", "aria-hidden": "true" }, numbers(first, last)),
        el("pre", { class: "text" }, node));
      reserve(block, height);
      blocks.push(block);
      this.#pieces.push({ node, start, block, first });
      first = last + 1;
    }
    this.#node.style.setProperty("--digits", String(Math.max(2, String(first - 1).length)));
    this.#node.replaceChildren(...blocks);
    this.#node.scrollTo(0, 0);
    if (text.length <= colourLimit) this.#paint.colour(this.#pieces, text, mediaType);
    return first - 1;
  }

  // goTo marks the character at a place and shows it.
  goTo(place) {
    const [start, end] = offset(this.#text, place);
    const piece = this.#pieces.findLast((p) => p.start <= start);
    if (!piece) return;
    this.#paint.fault(piece.node, start - piece.start, Math.min(piece.node.length, end - piece.start));
    piece.block.scrollIntoView({ block: "nearest" });
    const line = parseFloat(getComputedStyle(this.#node).lineHeight);
    const top = piece.block.offsetTop + (place.line - piece.first) * line;
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
