// The input: a text area over a copy of its text that carries the colours. A
// text beyond the limits has no copy and is shown plain.

import { Gutter } from "./gutter.js";
import { Paint, pieces } from "./paint.js";
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
  #fault;

  constructor(box, onChange) {
    this.#box = box;
    this.#area = box.querySelector("textarea");
    this.#under = box.querySelector(".under");
    this.#paint = new Paint(this.#area);
    this.#gutter = new Gutter(box.querySelector(".gutter"));
    this.#area.addEventListener("input", () => {
      this.#fault = undefined;
      this.draw();
      onChange();
    });
    this.#area.addEventListener("scroll", () => this.#follow(), { passive: true });
    this.draw();
  }

  get value() {
    return this.#area.value;
  }

  set value(text) {
    this.#area.value = text;
    this.#area.scrollTo(0, 0);
    this.#area.setSelectionRange(0, 0);
    this.#fault = undefined;
    this.draw();
  }

  set mediaType(mediaType) {
    if (mediaType === this.#mediaType) return;
    this.#mediaType = mediaType;
    this.draw();
  }

  focus() {
    this.#area.focus();
  }

  // fault marks a place, or with undefined none.
  set fault(place) {
    if (!place && !this.#fault) return;
    this.#fault = place;
    this.draw();
  }

  // goTo selects the character at a place and shows it.
  goTo(place) {
    const range = offset(this.#area.value, place);
    this.#area.focus();
    this.#area.setSelectionRange(...range);
    const style = getComputedStyle(this.#area);
    const height = parseFloat(style.lineHeight);
    this.#area.scrollTop = Math.max(0, (place.line - 1) * height - this.#area.clientHeight / 2);
    this.#area.scrollLeft = Math.max(0, place.column * parseFloat(style.fontSize) * 0.6 - this.#area.clientWidth / 2);
    this.#follow();
  }

  draw() {
    const text = this.#area.value;
    const height = lines(text);
    const coloured = text.length <= colourLimit && height <= lineLimit;
    this.#box.classList.toggle("plain", !coloured);
    this.#box.classList.toggle("blank", text === "");
    this.#gutter.show(height);
    // A final newline opens a line in the area; a pre needs one more for it.
    const shown = coloured ? pieces(`${text}\n`) : [];
    this.#under.replaceChildren(...shown.map(({ node }) => node));
    this.#paint.load(shown, coloured ? text : "", this.#mediaType, this.#fault && offset(text, this.#fault));
    this.#follow();
  }

  #follow() {
    this.#under.style.transform = `translate(${-this.#area.scrollLeft}px, ${-this.#area.scrollTop}px)`;
    this.#gutter.scroll(this.#area.scrollTop);
  }
}
