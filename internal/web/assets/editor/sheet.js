// A sheet is a text as elements: blocks of lines, each line an element with one
// text node. The browser lays out the blocks that are seen, and only these get
// colours (paint.js).

import { el } from "./dom.js";

const blockLines = 50;
const blockCharacters = 20_000; // a block ends with the line that reaches this

// blocks cuts a text into [{element, first, start, end, lines}]: first is the
// number of its first line, start and end are offsets, and lines is a list of
// {element, node, start}.
export function blocks(text) {
  const all = [];
  let lines = [];
  let first = 1;
  let begin = 0;
  const close = (end) => {
    const element = el("div", { class: "block" }, el("div", { class: "text" }, ...lines.map((line) => line.element)));
    element.style.containIntrinsicBlockSize = `auto calc(${lines.length} * var(--line))`;
    element.style.counterReset = `line ${first - 1}`;
    all.push({ element, first, start: begin, end, lines });
    first += lines.length;
    lines = [];
    begin = end;
  };
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    const node = document.createTextNode(text.slice(start, end));
    lines.push({ element: el("div", { class: "line" }, node), node, start });
    start = end;
    if (lines.length >= blockLines || start - begin >= blockCharacters) close(start);
  }
  if (lines.length > 0) close(text.length);
  return all;
}

// lineAt is the line of blocks in which an offset lies, with its block;
// undefined when there are no lines.
export function lineAt(all, offset) {
  const block = all[last(all, offset)];
  return block && { block, line: block.lines[last(block.lines, offset)] };
}

// last is the index of the last item of a sorted list whose key is at most a
// value, 0 when all are larger.
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

// count is the number of lines of blocks.
export const count = (all) => (all.length === 0 ? 0 : all.at(-1).first + all.at(-1).lines.length - 1);
