// Colours by the CSS Custom Highlight API: ranges over text nodes. Browsers
// without it show plain text. A range costs some 50 µs each time any of them
// changes, and painting a line looks at every range of its text node: so each
// line is a text node of its own, and only lines near the window have ranges.

import { tokens } from "./text.js";

const supported = typeof Highlight === "function" && "highlights" in CSS;
const kinds = ["key", "string", "number", "word", "mark", "fault"];
const highlights = new Map();

if (supported) {
  for (const kind of kinds) {
    const highlight = new Highlight();
    if (kind === "fault") highlight.priority = 1;
    highlights.set(kind, highlight);
    CSS.highlights.set(kind, highlight);
  }
}

const most = 2_500; // ranges of one surface; a line of more tokens is plain after them
const margin = 60; // lines that have colours above and below the window

// pieces cuts a text that begins at base of a larger one into text nodes of a
// line each.
export function pieces(text, base = 0) {
  const all = [];
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    all.push({ node: document.createTextNode(text.slice(start, end)), start: base + start });
    start = end;
  }
  return all;
}

// Paint colours one surface that scrolls: lines of text of equal height.
export class Paint {
  #surface; // the element that scrolls
  #lines = []; // pieces
  #tokens = []; // [kind, start, end] in order
  #fault; // [start, end]
  #ranges = [];
  #covered = [0, 0]; // lines that have their colours, as far as there are lines

  constructor(surface) {
    this.#surface = surface;
    if (!supported) return;
    surface.addEventListener("scroll", () => this.#cover(), { passive: true });
    new ResizeObserver(() => this.#cover()).observe(surface);
  }

  clear() {
    this.load([], "");
  }

  // load takes the colours of a text that lies in lines, its pieces. No token
  // goes over the end of a line. fault is a character to mark.
  load(lines, text, mediaType, fault) {
    this.#lines = lines;
    this.#tokens = supported ? [...tokens(text, mediaType)] : [];
    this.#fault = fault;
    this.#covered = [0, 0];
    this.#remove();
    this.#cover();
  }

  // mark marks a character.
  mark(fault) {
    this.#fault = fault;
    this.#covered = [0, 0];
    this.#cover();
  }

  // cover colours the lines near the window, unless they have their colours.
  #cover() {
    if (!supported || this.#lines.length === 0) return;
    const { scrollTop, clientHeight } = this.#surface;
    const height = parseFloat(getComputedStyle(this.#surface).lineHeight);
    const top = Math.max(0, Math.floor(scrollTop / height) - 1);
    const bottom = Math.min(this.#lines.length, Math.ceil((scrollTop + clientHeight) / height));
    if (top >= this.#covered[0] && bottom <= this.#covered[1]) return;
    this.#covered = [Math.max(0, top - margin), Math.min(this.#lines.length, bottom + margin)];
    this.#remove();
    this.#colour(...this.#covered);
    if (this.#fault) this.#addFault();
  }

  #colour(first, last) {
    const { start } = this.#lines[first];
    let i = first;
    for (let t = after(this.#tokens, start); t < this.#tokens.length && this.#ranges.length < most; t++) {
      const [kind, from, to] = this.#tokens[t];
      while (i + 1 < this.#lines.length && this.#lines[i + 1].start <= from) i++;
      if (i >= last) return;
      const { node, start: base } = this.#lines[i];
      this.#add(kind, node, from - base, Math.min(to - base, node.length));
    }
  }

  #addFault() {
    const [start, end] = this.#fault;
    const line = this.#lines.findLast((piece) => piece.start <= start);
    if (line) this.#add("fault", line.node, Math.min(start - line.start, line.node.length), Math.min(end - line.start, line.node.length));
  }

  #remove() {
    for (const [highlight, range] of this.#ranges) highlight.delete(range);
    this.#ranges = [];
  }

  #add(kind, node, start, end) {
    const range = new StaticRange({ startContainer: node, startOffset: start, endContainer: node, endOffset: end });
    highlights.get(kind).add(range);
    this.#ranges.push([highlights.get(kind), range]);
  }
}

// after is the index of the first token that starts at or after an offset.
function after(list, offset) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle][1] < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
