// The input: a text area over a copy of its text, which has the colours and, when
// lines wrap, their heights. A text beyond the limits has no copy: it is plain and
// never wraps, because its layout at each key would delay typing. Its long lines
// are shown in pieces (pieces.js).

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
  #mark; // ends the pieces of long lines, where there are any
  #text; // of the area without the marks, undefined when it has changed
  #before; // what a paste replaced that the browser cannot take back
  #onChange;

  constructor(box, onChange) {
    this.#box = box;
    this.#onChange = onChange;
    this.#area = box.querySelector("textarea");
    this.#under = box.querySelector(".under");
    this.#paint = new Paint(box.querySelector(".field"));
    this.#gutter = new Gutter(box.querySelector(".gutter"));
    this.#area.addEventListener("beforeinput", ({ data, inputType }) => {
      // Wrapping ends before a text that is too long for it is laid out.
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

  // value replaces the text, which undo cannot restore.
  set value(text) {
    this.#area.scrollTo(0, 0); // before the text is there, for it lays out what is
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
    if (!copied) this.#follow(); // laid out here, it does not lengthen the task of the next frame
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

  // takes inserts a pasted text and reports so, if its long lines are to be shown in
  // pieces; any other text is left to the browser.
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

  // copied copies the selected text without the ends of pieces.
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

  // replace replaces a range, or all, as typing does, so that the browser's undo
  // restores it.
  replace(text, start = 0, end = this.value.length) {
    this.#area.focus();
    const shown = this.#area.value;
    this.#area.setSelectionRange(shownAt(shown, this.#mark, start), shownAt(shown, this.#mark, end));
    // The only way that supports undo.
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
    // A mark stays within a line; there is one for each location.
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

  // mark shows marks, see Paint; [] restores those of the faults.
  mark(marks) {
    if (marks.length === 0) this.#markFaults();
    else this.#paint.mark(marks);
  }

  // goTo selects the character at a location and shows it.
  goTo(place) {
    this.select(...offset(this.value, place));
  }

  // select selects a range, shows it and, by default, moves the focus there.
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

  #rows; // of each line, where lines are wrapped

  // shape lays the area over a copy or plain, wrapped or not.
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
    this.#blocks = copied ? blocks(`${text}\n`) : []; // a final newline opens a line in the area
    this.#under.replaceChildren(...this.#blocks.map(({ element }) => element));
    this.#paint.load(this.#blocks, copied ? text : "", this.#mediaType);
    this.#markFaults();
    this.#measure();
    requestAnimationFrame(() => this.#follow()); // once it is laid out
  }

  // measure numbers wrapped lines by their rows.
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
