// The output: text in blocks of lines, of which the browser lays out those
// that are seen, so that megabytes do not hold up the page.

import { blocks, count, last, lineAt } from "./sheet.js";
import { Paint } from "./paint.js";
import { folds, offset } from "./text.js";

const colourLimit = 120_000; // characters
const foldLimit = 20_000; // lines

export class Viewer {
  #node;
  #paint;
  #text = "";
  #blocks = [];
  #folds = new Map(); // of a line that begins one, the line that ends it
  #closed = new Set();

  constructor(node) {
    this.#node = node;
    this.#paint = new Paint(node);
    node.addEventListener("click", (event) => this.#click(event));
  }

  get text() {
    return this.#text;
  }

  clear() {
    this.#paint.clear();
    this.#text = "";
    this.#blocks = [];
    this.#folds = new Map();
    this.#closed.clear();
    this.#node.replaceChildren();
  }

  // show replaces the text and returns how many lines it has.
  show(text, mediaType) {
    this.clear();
    this.#text = text;
    this.#blocks = blocks(text);
    const height = count(this.#blocks);
    this.#node.style.setProperty("--digits", String(Math.max(2, String(height).length)));
    this.#node.replaceChildren(...this.#blocks.map(({ element }) => element));
    this.#node.scrollTo(0, 0);
    if (height <= foldLimit) this.#offerFolds(text, mediaType);
    this.#paint.load(this.#blocks, text.length <= colourLimit ? text : "", mediaType);
    return height;
  }

  #offerFolds(text, mediaType) {
    if (mediaType === "text/plain") return;
    this.#folds = new Map(folds(text));
    for (const first of this.#folds.keys()) this.#line(first).classList.add("opens");
  }

  // line is the element of a line by its number.
  #line(n) {
    const block = this.#blocks[last(this.#blocks, n, "first")];
    return block.lines[n - block.first].element;
  }

  #click(event) {
    const line = event.target.closest(".line.opens");
    if (!line || event.clientX > line.getBoundingClientRect().left) return;
    const block = this.#blocks[Number(line.closest(".block").dataset.block)];
    this.fold(block.first + block.lines.findIndex(({ element }) => element === line));
  }

  // fold closes or opens what begins with a line.
  fold(first) {
    if (!this.#folds.has(first)) return;
    if (!this.#closed.delete(first)) this.#closed.add(first);
    this.#applyFolds();
  }

  // foldAll closes all but what begins with the first line; with none closed
  // before, else it opens all.
  foldAll() {
    if (this.#closed.size > 0) this.#closed.clear();
    else for (const first of this.#folds.keys()) if (first > 1) this.#closed.add(first);
    this.#applyFolds();
    return this.#closed.size;
  }

  #applyFolds() {
    let until = 0; // the last line that is hidden
    let n = 1;
    for (const { lines } of this.#blocks) {
      for (const { element } of lines) {
        const hidden = n <= until;
        if (element.hidden !== hidden) element.hidden = hidden;
        if (!hidden && this.#folds.has(n)) {
          const closed = this.#closed.has(n);
          element.classList.toggle("closed", closed);
          if (closed) until = this.#folds.get(n);
        }
        n++;
      }
    }
  }

  // tint gives the lines of ranges, [start, end, name], the class name.
  tint(ranges) {
    for (const { lines } of this.#blocks) {
      for (const { element, start } of lines) {
        const found = ranges.find(([from, to]) => from <= start && start < to);
        if (found) element.classList.add(found[2]);
      }
    }
  }

  // mark shows marks, see Paint.
  mark(marks) {
    this.#paint.mark(marks);
  }

  // goTo marks the character at a place and shows it.
  goTo(place) {
    const [start, end] = offset(this.#text, place);
    this.mark([{ kind: "fault", start, end }]);
    this.reveal(start);
    this.#node.focus();
  }

  // reveal scrolls to an offset, opening what hides it.
  reveal(start) {
    const found = lineAt(this.#blocks, start);
    if (!found) return;
    const n = found.block.first + found.block.lines.indexOf(found.line);
    for (const first of this.#closed) if (first < n && n <= this.#folds.get(first)) this.#closed.delete(first);
    this.#applyFolds();
    found.line.element.scrollIntoView({ block: "center", inline: "nearest" });
    const range = document.createRange();
    range.setStart(found.line.node, Math.min(start - found.line.start, found.line.node.length));
    const box = range.getBoundingClientRect();
    const seen = this.#node.getBoundingClientRect();
    if (box.left < seen.left || box.right > seen.right) this.#node.scrollLeft += box.left - seen.left - seen.width / 2;
  }
}
