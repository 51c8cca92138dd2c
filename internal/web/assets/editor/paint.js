// Colours by the CSS Custom Highlight API: ranges over text nodes, so that the
// text itself stays one text node. Browsers without it show plain text.

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

// Paint holds the ranges of one surface, so that it can take them away.
export class Paint {
  #ranges = [];

  clear() {
    for (const [highlight, range] of this.#ranges) highlight.delete(range);
    this.#ranges = [];
  }

  // colour adds the colours of a text that lies in pieces, {node, start}: text
  // nodes one after another, none of which cuts a line. No token does either.
  colour(pieces, text, mediaType) {
    if (!supported) return;
    let i = 0;
    for (const [kind, start, end] of tokens(text, mediaType)) {
      while (i + 1 < pieces.length && pieces[i + 1].start <= start) i++;
      const { node, start: base } = pieces[i];
      this.#add(kind, node, start - base, Math.min(end - base, node.length));
    }
  }

  fault(node, start, end) {
    if (supported) this.#add("fault", node, start, end);
  }

  #add(kind, node, start, end) {
    const range = new StaticRange({ startContainer: node, startOffset: start, endContainer: node, endOffset: end });
    highlights.get(kind).add(range);
    this.#ranges.push([highlights.get(kind), range]);
  }
}
