// The output: blocks of lines, which the browser lays out when they are in view, so
// that megabytes do not block the page.

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
  #folds = new Map(); // of a line that begins one, the line that ends it
  #closed = new Set();
  #ranges = []; // {first, last} of the outermost of what is closed
  #tints = [];
  #frame; // the next frame in which reveal scrolls
  #notes = new Map(); // by line, {meaning, time}

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
      if (startContainer !== node || endContainer !== node) return; // a part is the browser's
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
    this.#node.scrollTo(0, 0); // of what is laid out already
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
    if (height <= foldLimit) this.#offerFolds(text, mediaType);
    for (const block of this.#blocks) block.onLines = (made) => this.#dress(made);
    this.#paint.load(this.#blocks, text.length <= colourLimit ? text : "", mediaType);
    return height;
  }

  #offerFolds(text, mediaType) {
    this.#folds = mediaType === "text/plain" ? new Map() : new Map(folds(text));
  }

  // dress sets folds, tints and notes of the lines of a block.
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

  // annotate adds the note of a line as generated content, which is neither found
  // nor copied. Screen readers read it when the line has the focus.
  #annotate(element, n) {
    const note = this.#notes.get(n);
    if (!note) return;
    element.tabIndex = 0;
    element.setAttribute("role", "note");
    element.setAttribute("aria-label", `${element.textContent.trim()} ${note.meaning}${note.time ? `: ${note.time}` : ""}`);
    element.dataset.meaning = note.meaning;
    if (note.time) element.dataset.time = note.time;
  }

  // hidden reports whether a line lies in what is closed.
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

  // gutter is how wide the numbers are.
  #gutter() {
    return parseFloat(getComputedStyle(this.#node.querySelector(".line"), "::before").width);
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
    this.#ranges = []; // the outermost of what is closed
    for (const first of [...this.#closed].sort((a, b) => a - b)) {
      if (this.#ranges.length > 0 && this.#ranges.at(-1).last >= first) continue;
      this.#ranges.push({ first, last: this.#folds.get(first) });
    }
    for (const block of this.#blocks) {
      // A block that is closed as a whole needs no lines for it.
      const range = this.#ranges[last(this.#ranges, block.first, "first")];
      block.element.hidden = range !== undefined && range.first < block.first && block.first + block.count - 1 <= range.last;
      if (block.made) this.#dress(block);
    }
  }

  // explain sets the classes of lines from tints, [start, end, class], and their
  // notes, [offset, {meaning, time}].
  explain(tints, notes) {
    this.#tints = tints;
    this.#notes = new Map(notes.map(([at, note]) => [lines(this.#text.slice(0, at)), note]));
    for (const block of this.#blocks) if (block.made) this.#dress(block);
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
    if (this.#hidden(n)) for (const first of this.#closed) if (first < n && n <= this.#folds.get(first)) this.#closed.delete(first);
    this.#applyFolds();
    found.block.element.style.contentVisibility = "visible"; // Firefox scrolls to nothing in a block that it has not laid out
    this.#centre(found.line, start, 10);
  }

  // centre scrolls to a line during several frames: blocks get their height when
  // they come into view. Any action of the user ends it.
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
