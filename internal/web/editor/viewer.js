// Shows the output as blocks of lines. The browser lays out a block only when it is
// in view, so that megabytes of output do not block the page.

import { blocks, count, last, lineAt } from "./sheet.js";
import { Paint } from "./paint.js";
import { folds, lines, offset } from "./text.js";

const colourLimit = 120_000; // characters
const foldLimit = 20_000; // lines

export class Viewer {
  #node;
  #paint;
  #text = "";
  #blocks = [];
  #folds = new Map(); // from the first line of a foldable range to its last line
  #closed = new Set();
  #ranges = []; // {first, last} of the outermost closed folds
  #tints = [];
  #frame; // ID of the next animation frame in which centre scrolls
  #notes = new Map(); // {meaning, time} by line number

  constructor(node) {
    this.#node = node;
    this.#paint = new Paint(node);
    node.addEventListener("click", (event) => this.#click(event));
    for (const act of ["keydown", "pointerdown", "wheel"]) addEventListener(act, () => cancelAnimationFrame(this.#frame), { capture: true, passive: true });
    node.addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "a" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault();
      getSelection().selectAllChildren(node);
    });
    node.addEventListener("copy", (event) => {
      const { startContainer, endContainer } = getSelection().getRangeAt(0);
      if (startContainer !== node || endContainer !== node) return; // the browser copies a partial selection
      event.preventDefault();
      event.clipboardData.setData("text/plain", this.#text);
    });
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
    this.#ranges = [];
    this.#tints = [];
    this.#notes = new Map();
    this.#node.scrollTo(0, 0); // scroll while the old text is still laid out
    this.#node.replaceChildren();
  }

  // show replaces the text and returns its number of lines.
  show(text, mediaType) {
    this.clear();
    this.#text = text;
    this.#blocks = blocks(text);
    const height = count(this.#blocks);
    this.#node.style.setProperty("--digits", String(Math.max(2, String(height).length)));
    this.#node.replaceChildren(...this.#blocks.map(({ element }) => element));
    if (height <= foldLimit) this.#offerFolds(text, mediaType);
    for (const block of this.#blocks) block.onLines = (made) => this.#dress(made);
    this.#paint.load(this.#blocks, text.length <= colourLimit ? text : "", mediaType);
    return height;
  }

  #offerFolds(text, mediaType) {
    this.#folds = mediaType === "text/plain" ? new Map() : new Map(folds(text));
  }

  // dress applies the folds, tints and notes to the lines of a block.
  #dress(block) {
    block.lines.forEach(({ element, start }, i) => {
      const n = block.first + i;
      element.hidden = this.#hidden(n);
      element.classList.toggle("opens", this.#folds.has(n));
      element.classList.toggle("closed", this.#closed.has(n));
      const tint = this.#tints.find(([from, to]) => from <= start && start < to);
      if (tint) element.classList.add(tint[2]);
      this.#annotate(element, n);
    });
  }

  // annotate adds the note of a line as generated content, which is excluded from
  // search and copy. Screen readers read it when the line has the focus.
  #annotate(element, n) {
    const note = this.#notes.get(n);
    if (!note) return;
    element.tabIndex = 0;
    element.setAttribute("role", "note");
    element.setAttribute("aria-label", `${element.textContent.trim()} ${note.meaning}${note.time ? `: ${note.time}` : ""}`);
    element.dataset.meaning = note.meaning;
    if (note.time) element.dataset.time = note.time;
  }

  // hidden reports whether a line is inside a closed fold.
  #hidden(n) {
    const found = this.#ranges[last(this.#ranges, n, "first")];
    return found !== undefined && found.first < n && n <= found.last;
  }

  #click(event) {
    const line = event.target.closest(".line.opens");
    if (!line || event.clientX > line.getBoundingClientRect().left + this.#gutter()) return;
    const block = this.#blocks[Number(line.closest(".block").dataset.block)];
    this.fold(block.first + block.lines.findIndex(({ element }) => element === line));
  }

  // gutter returns the width of the line numbers in pixels.
  #gutter() {
    return parseFloat(getComputedStyle(this.#node.querySelector(".line"), "::before").width);
  }

  // fold closes or opens the fold that starts at a line.
  fold(first) {
    if (!this.#folds.has(first)) return;
    if (!this.#closed.delete(first)) this.#closed.add(first);
    this.#applyFolds();
  }

  // foldAll opens all folds if any is closed. Otherwise it closes all except the one
  // that starts at line 1. It returns the number of closed folds.
  foldAll() {
    if (this.#closed.size > 0) this.#closed.clear();
    else for (const first of this.#folds.keys()) if (first > 1) this.#closed.add(first);
    this.#applyFolds();
    return this.#closed.size;
  }

  #applyFolds() {
    this.#ranges = []; // the outermost closed folds
    for (const first of [...this.#closed].sort((a, b) => a - b)) {
      if (this.#ranges.length > 0 && this.#ranges.at(-1).last >= first) continue;
      this.#ranges.push({ first, last: this.#folds.get(first) });
    }
    for (const block of this.#blocks) {
      // A block that is entirely inside a fold is hidden without creating its lines.
      const range = this.#ranges[last(this.#ranges, block.first, "first")];
      block.element.hidden = range !== undefined && range.first < block.first && block.first + block.count - 1 <= range.last;
      if (block.made) this.#dress(block);
    }
  }

  // explain sets the tints, [start, end, class], and the notes, [offset, {meaning,
  // time}], of lines.
  explain(tints, notes) {
    this.#tints = tints;
    this.#notes = new Map(notes.map(([at, note]) => [lines(this.#text.slice(0, at)), note]));
    for (const block of this.#blocks) if (block.made) this.#dress(block);
  }

  // mark shows marks (see Paint).
  mark(marks) {
    this.#paint.mark(marks);
  }

  // goTo marks the character at a location and scrolls to it.
  goTo(place) {
    const [start, end] = offset(this.#text, place);
    this.mark([{ kind: "fault", start, end }]);
    this.reveal(start);
    this.#node.focus();
  }

  // reveal scrolls to an offset and opens the folds that hide it.
  reveal(start) {
    const found = lineAt(this.#blocks, start);
    if (!found) return;
    const n = found.block.first + found.block.lines.indexOf(found.line);
    if (this.#hidden(n)) for (const first of this.#closed) if (first < n && n <= this.#folds.get(first)) this.#closed.delete(first);
    this.#applyFolds();
    found.block.element.style.contentVisibility = "visible"; // Firefox cannot scroll to an element in a block that it has not laid out
    this.#centre(found.line, start, 10);
  }

  // centre scrolls to a line over several frames, because blocks get their height
  // only when they come into view. Any user input stops it.
  #centre(line, start, frames) {
    cancelAnimationFrame(this.#frame);
    if (frames > 0) this.#frame = requestAnimationFrame(() => this.#centre(line, start, frames - 1));
    line.element.scrollIntoView({ block: "center", inline: "nearest" });
    const range = document.createRange();
    range.setStart(line.node, Math.min(start - line.start, line.node.length));
    const box = range.getBoundingClientRect();
    const seen = this.#node.getBoundingClientRect();
    if (box.left < seen.left || box.right > seen.right) this.#node.scrollLeft += box.left - seen.left - seen.width / 2;
  }
}
