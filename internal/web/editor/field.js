// The input: a text area on top of a copy of its text. The copy provides the
// highlighting and, when lines wrap, the line heights. Text beyond the limits has no
// copy: it is plain and never wraps, because laying it out on each keystroke would
// delay typing. Long lines of such text are shown in pieces (pieces.js).

import { blocks } from "./sheet.js";
import { Gutter } from "./gutter.js";
import { Paint } from "./paint.js";
import { cut, rows, shownAt, whole } from "./pieces.js";
import { lines, offset } from "./text.js";

const colourLimit = 60_000; // characters
const lineLimit = 5_000;

const hasCopy = (text) => text.length <= colourLimit && lines(text) <= lineLimit;

export class Field {
  #area;
  #box;
  #under;
  #gutter;
  #paint;
  #mediaType;
  #faults = []; // [start, end]
  #blocks = [];
  #wrap = false;
  #mark; // the character that ends each piece of a long line; undefined if no line is split
  #text; // the value of the text area without marks; undefined after a change
  #before; // what a paste replaced, if the browser cannot undo it
  #onChange;

  constructor(box, onChange) {
    this.#box = box;
    this.#onChange = onChange;
    this.#area = box.querySelector("textarea");
    this.#under = box.querySelector(".under");
    this.#paint = new Paint(box.querySelector(".field"));
    this.#gutter = new Gutter(box.querySelector(".gutter"));
    this.#area.addEventListener("beforeinput", ({ data, inputType }) => {
      // Stop wrapping before the browser lays out a text that is too long to wrap.
      if (data && data.length + this.#area.value.length > colourLimit) this.#shape(false);
      if (this.#mark && /^deleteContent(?:Back|For)ward$/.test(inputType)) this.#overBreak(inputType.endsWith("kward"));
    });
    this.#area.addEventListener("input", () => {
      this.#before = undefined;
      this.#changed();
    });
    for (const kind of ["copy", "cut"]) this.#area.addEventListener(kind, (event) => this.#copied(event));
    this.#area.addEventListener("keydown", (event) => {
      if (!this.#before || event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      this.value = this.#before;
      this.#changed();
    });
    this.#area.addEventListener("scroll", () => this.#follow(), { passive: true });
    new ResizeObserver(() => this.#measure()).observe(this.#area);
    this.draw();
  }

  get value() {
    this.#text ??= whole(this.#area.value, this.#mark);
    return this.#text;
  }

  // value replaces the text. The browser cannot undo this.
  set value(text) {
    this.#area.scrollTo(0, 0); // scroll before setting the text, because scrolling forces layout
    const copied = hasCopy(text);
    this.#shape(copied);
    const pieces = copied ? undefined : cut(text);
    this.#mark = pieces?.mark;
    this.#text = text;
    this.#before = undefined;
    this.#area.value = pieces?.shown ?? text;
    this.#area.setSelectionRange(0, 0);
    this.#faults = [];
    this.draw();
    if (!copied) this.#follow(); // layout here keeps the task of the next frame short
  }

  // cut reports whether long lines are shown in pieces.
  get cut() {
    return this.#mark !== undefined;
  }

  #changed() {
    this.#text = undefined;
    this.#faults = [];
    this.draw();
    this.#onChange();
  }

  // takes inserts a pasted text if its long lines must be shown in pieces, and
  // reports whether it did. Otherwise the browser inserts it.
  takes(text) {
    const { selectionStart, selectionEnd, value } = this.#area;
    const [start, end] = [selectionStart, selectionEnd].map((at) => whole(value.slice(0, at), this.#mark).length);
    const before = this.value;
    const after = before.slice(0, start) + text + before.slice(end);
    if (hasCopy(after) || !(this.#mark ? text.includes(this.#mark) : cut(text))) return false;
    this.value = after;
    this.#before = before;
    const at = shownAt(this.#area.value, this.#mark, start + text.length);
    this.#area.setSelectionRange(at, at);
    this.#onChange();
    return true;
  }

  // copied copies the selected text without the marks and line breaks that end
  // pieces.
  #copied(event) {
    const { selectionStart, selectionEnd, value } = this.#area;
    if (!this.#mark || selectionStart === selectionEnd) return;
    event.preventDefault();
    event.clipboardData.setData("text/plain", whole(value.slice(selectionStart, selectionEnd), this.#mark));
    if (event.type === "cut") document.execCommand("delete");
  }

  // overBreak extends a deletion at the end of a piece to the character beyond it.
  #overBreak(back) {
    const { selectionStart: at, selectionEnd, value } = this.#area;
    const edge = `${this.#mark}\n`;
    if (at !== selectionEnd) return;
    if (back && value.slice(at - 2, at) === edge) this.#area.setSelectionRange(at - (/[\udc00-\udfff]/.test(value[at - 3]) ? 4 : 3), at);
    else if (!back && value.slice(at, at + 2) === edge) this.#area.setSelectionRange(at, at + (/[\ud800-\udbff]/.test(value[at + 2]) ? 4 : 3));
  }

  // replace replaces a range, or the whole text, as typing does, so that the browser
  // can undo it.
  replace(text, start = 0, end = this.value.length) {
    this.#area.focus();
    const shown = this.#area.value;
    this.#area.setSelectionRange(shownAt(shown, this.#mark, start), shownAt(shown, this.#mark, end));
    // Only execCommand supports undo.
    if (!document.execCommand(text === "" ? "delete" : "insertText", false, text)) {
      this.#area.setRangeText(text);
      this.#area.dispatchEvent(new Event("input"));
    }
  }

  set mediaType(mediaType) {
    if (mediaType === this.#mediaType) return;
    this.#mediaType = mediaType;
    this.draw();
  }

  set wrap(on) {
    this.#wrap = on;
    this.draw();
  }

  focus() {
    this.#area.focus();
  }

  // faults marks locations, {line, column} or [start, end].
  set faults(places) {
    if (places.length === 0 && this.#faults.length === 0) return;
    const ranges = places.map((place) => (Array.isArray(place) ? place : offset(this.value, place)));
    // A mark covers at most one line. Each location has one mark.
    const text = this.value;
    this.#faults = [...new Map(ranges.map(([start, end]) => {
      const newline = text.indexOf("\n", start);
      return [start, [start, newline < 0 ? end : Math.min(end, Math.max(newline, start + 1))]];
    })).values()].sort((a, b) => a[0] - b[0]);
    this.#markFaults();
  }

  #markFaults() {
    this.#paint.mark(this.#faults.map(([start, end]) => ({ kind: "fault", start, end })));
  }

  // mark shows marks (see Paint). An empty list restores the marks of the faults.
  mark(marks) {
    if (marks.length === 0) this.#markFaults();
    else this.#paint.mark(marks);
  }

  // goTo selects the character at a location and scrolls to it.
  goTo(place) {
    this.select(...offset(this.value, place));
  }

  // select selects a range, scrolls to it and, by default, focuses the text area.
  select(start, end, focus = true) {
    if (focus) this.#area.focus();
    const shown = this.#area.value;
    [start, end] = [start, end].map((at) => shownAt(shown, this.#mark, at));
    this.#area.setSelectionRange(start, end);
    const style = getComputedStyle(this.#area);
    const before = shown.slice(0, start);
    const line = lines(before);
    const rows = this.#rows?.slice(0, line - 1).reduce((sum, n) => sum + n, 0) ?? line - 1;
    this.#area.scrollTop = Math.max(0, rows * parseFloat(style.lineHeight) - this.#area.clientHeight / 2);
    const column = start - before.lastIndexOf("\n");
    if (!this.#rows) this.#area.scrollLeft = Math.max(0, column * parseFloat(style.fontSize) * 0.6 - this.#area.clientWidth / 2);
    this.#follow();
  }

  #rows; // rows of each line, if lines wrap

  // shape switches between a copy and plain text, and between wrapped and unwrapped
  // lines.
  #shape(copied) {
    const wrapped = copied && this.#wrap;
    this.#box.classList.toggle("plain", !copied);
    this.#box.classList.toggle("wrapped", wrapped);
    const wrap = wrapped ? "soft" : "off";
    if (this.#area.wrap !== wrap) this.#area.wrap = wrap;
  }

  draw() {
    const text = this.value;
    const copied = hasCopy(text);
    this.#shape(copied);
    this.#box.classList.toggle("blank", text === "");
    this.#rows = undefined;
    this.#gutter.show(lines(text), this.#mark && rows(this.#area.value, this.#mark));
    this.#blocks = copied ? blocks(`${text}\n`) : []; // a text area shows an empty line after a final newline
    this.#under.replaceChildren(...this.#blocks.map(({ element }) => element));
    this.#paint.load(this.#blocks, copied ? text : "", this.#mediaType);
    this.#markFaults();
    this.#measure();
    requestAnimationFrame(() => this.#follow()); // after layout
  }

  // measure sets the line numbers of wrapped lines from their row counts.
  #measure() {
    if (!this.#box.classList.contains("wrapped")) {
      this.#under.style.width = "";
      return;
    }
    this.#under.style.width = `${this.#area.clientWidth}px`;
    const row = parseFloat(getComputedStyle(this.#area).lineHeight);
    this.#rows = this.#blocks.flatMap(({ lines: all }) => all.map(({ element }) => Math.max(1, Math.round(element.offsetHeight / row))));
    this.#gutter.show(this.#rows.length, this.#rows);
    this.#follow();
  }

  #follow() {
    this.#under.style.transform = `translate(${-this.#area.scrollLeft}px, ${-this.#area.scrollTop}px)`;
    this.#gutter.scroll(this.#area.scrollTop);
  }
}
