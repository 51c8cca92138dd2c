// Highlights text with the CSS Custom Highlight API, which applies styles to ranges
// over text nodes. Browsers without it show plain text. Each range costs about 50 µs
// whenever any range changes, and painting a line examines every range of its text
// node. Therefore each line is a text node of its own, and only blocks near the
// viewport have ranges.

import { last } from "./sheet.js";
import { tokens } from "./text.js";

const supported = typeof Highlight === "function" && "highlights" in CSS;
const forced = matchMedia("(forced-colors: active)"); // in this mode, every range would look like a selection
const priorities = { key: 0, string: 0, number: 0, word: 0, mark: 0, added: 1, found: 2, fault: 3, current: 4 };
const highlights = new Map();

if (supported) {
  for (const [kind, priority] of Object.entries(priorities)) {
    const highlight = new Highlight();
    highlight.priority = priority;
    highlights.set(kind, highlight);
    CSS.highlights.set(kind, highlight);
  }
}

const most = 3_000; // ranges per block; tokens beyond this limit are plain
const margin = "400px 0px"; // above and below the viewport

// Paint highlights one scrolling surface. It makes blocks create their lines when
// they come near the viewport.
export class Paint {
  #blocks = [];
  #tokens = []; // {kind, start, end} in order
  #marks = []; // the same format, shown on top of the tokens
  #ranges = new Map(); // ranges by highlighted block
  #observer;

  constructor(surface) {
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const block = this.#blocks[Number(target.dataset.block)];
        if (block?.element !== target) continue;
        this.#remove(block);
        if (isIntersecting) this.#colour(block);
      }
    }, { root: surface, rootMargin: margin });
  }

  clear() {
    this.load([], "");
  }

  // load sets the blocks and highlights the tokens of their text. A token never
  // extends past the end of its line.
  load(blocks, text, mediaType) {
    this.#observer.disconnect();
    for (const block of this.#ranges.keys()) this.#remove(block);
    this.#blocks = blocks;
    this.#marks = [];
    this.#tokens = supported && !forced.matches ? Array.from(tokens(text, mediaType), ([kind, start, end]) => ({ kind, start, end })) : [];
    blocks.forEach(({ element }, i) => {
      element.dataset.block = String(i);
      this.#observer.observe(element);
    });
  }

  // mark replaces the marks with {kind, start, end} items. They must be in order,
  // and each must lie within one line.
  mark(marks) {
    if (marks.length === 0 && this.#marks.length === 0) return;
    this.#marks = marks;
    for (const block of [...this.#ranges.keys()]) {
      this.#remove(block);
      this.#colour(block);
    }
  }

  #colour(block) {
    const { lines } = block;
    const ranges = [];
    if (!supported) return;
    for (const list of [this.#tokens, this.#marks]) {
      let left = most;
      for (let t = last(list, block.start); t < list.length && list[t].start < block.end && left > 0; t++) {
        const { kind, start, end } = list[t];
        if (end <= block.start) continue;
        const line = lines[last(lines, start)];
        const from = Math.max(0, start - line.start);
        const range = new StaticRange({
          startContainer: line.node, startOffset: Math.min(from, line.node.length),
          endContainer: line.node, endOffset: Math.min(end - line.start, line.node.length),
        });
        highlights.get(kind).add(range);
        ranges.push([kind, range]);
        left--;
      }
    }
    this.#ranges.set(block, ranges);
  }

  #remove(block) {
    for (const [kind, range] of this.#ranges.get(block) ?? []) highlights.get(kind).delete(range);
    this.#ranges.delete(block);
  }
}
