// The input: a text area over a copy of its text that carries the colours and,
// wrapped, tells how high each line is. A text beyond the limits has no copy,
// is shown plain and is never wrapped: laying it out anew at each key would
// hold up the typing.

import { blocks } from "./sheet.js";
import { Gutter } from "./gutter.js";
import { Paint } from "./paint.js";
import { lines, offset } from "./text.js";

const colourLimit = 60_000; // characters
const lineLimit = 5_000;

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

  constructor(box, onChange) {
    this.#box = box;
    this.#area = box.querySelector("textarea");
    this.#under = box.querySelector(".under");
    this.#paint = new Paint(box.querySelector(".field"));
    this.#gutter = new Gutter(box.querySelector(".gutter"));
    this.#area.addEventListener("input", () => {
      this.#faults = [];
      this.draw();
      onChange();
    });
    this.#area.addEventListener("scroll", () => this.#follow(), { passive: true });
    new ResizeObserver(() => this.#measure()).observe(this.#area);
    this.draw();
  }

  get value() {
    return this.#area.value;
  }

  // value replaces the text; what there was cannot be had back by undo.
  set value(text) {
    this.#area.value = text;
    this.#area.scrollTo(0, 0);
    this.#area.setSelectionRange(0, 0);
    this.#faults = [];
    this.draw();
  }

  // replace puts text in place of a range, or of all, as typing does: the
  // browser's undo takes it back.
  replace(text, start = 0, end = this.#area.value.length) {
    this.#area.focus();
    this.#area.setSelectionRange(start, end);
    // The only way to change a text area with its undo.
    if (!document.execCommand(text === "" ? "delete" : "insertText", false, text)) {
      this.#area.setRangeText(text, start, end, "end");
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

  // faults marks places, {line, column} or [start, end]; [] is none.
  set faults(places) {
    if (places.length === 0 && this.#faults.length === 0) return;
    const ranges = places.map((place) => (Array.isArray(place) ? place : offset(this.#area.value, place)));
    // A mark lies within one line; those at one place are one.
    const text = this.#area.value;
    this.#faults = [...new Map(ranges.map(([start, end]) => {
      const newline = text.indexOf("\n", start);
      return [start, [start, newline < 0 ? end : Math.min(end, Math.max(newline, start + 1))]];
    })).values()].sort((a, b) => a[0] - b[0]);
    this.#markFaults();
  }

  #markFaults() {
    this.#paint.mark(this.#faults.map(([start, end]) => ({ kind: "fault", start, end })));
  }

  // mark shows marks, see Paint; [] shows the faults again.
  mark(marks) {
    if (marks.length === 0) this.#markFaults();
    else this.#paint.mark(marks);
  }

  // goTo selects the character at a place and shows it.
  goTo(place) {
    this.select(...offset(this.#area.value, place));
  }

  // select selects a range, shows it and, unless told otherwise, puts the
  // cursor there.
  select(start, end, focus = true) {
    if (focus) this.#area.focus();
    this.#area.setSelectionRange(start, end);
    const style = getComputedStyle(this.#area);
    const before = this.#area.value.slice(0, start);
    const line = lines(before);
    const rows = this.#rows?.slice(0, line - 1).reduce((sum, n) => sum + n, 0) ?? line - 1;
    this.#area.scrollTop = Math.max(0, rows * parseFloat(style.lineHeight) - this.#area.clientHeight / 2);
    const column = start - before.lastIndexOf("\n");
    if (!this.#rows) this.#area.scrollLeft = Math.max(0, column * parseFloat(style.fontSize) * 0.6 - this.#area.clientWidth / 2);
    this.#follow();
  }

  #rows; // of each line, where lines are wrapped

  draw() {
    const text = this.#area.value;
    const height = lines(text);
    const copied = text.length <= colourLimit && height <= lineLimit;
    const wrapped = copied && this.#wrap;
    this.#box.classList.toggle("plain", !copied);
    this.#box.classList.toggle("wrapped", wrapped);
    this.#box.classList.toggle("blank", text === "");
    this.#area.wrap = wrapped ? "soft" : "off";
    this.#rows = undefined;
    this.#gutter.show(height);
    this.#blocks = copied ? blocks(`${text}\n`) : []; // a final newline opens a line in the area
    this.#under.replaceChildren(...this.#blocks.map(({ element }) => element));
    this.#paint.load(this.#blocks, copied ? text : "", this.#mediaType);
    this.#markFaults();
    this.#measure();
    this.#follow();
  }

  // measure numbers the lines by the rows that each takes.
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
