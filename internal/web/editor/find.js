// The search bar of a pane. The browser's own search finds neither everything in a
// text area nor text that is not laid out.

import { el, say } from "./dom.js";

const most = 2_000; // matches marked and counted at most

// Find is the search bar of one pane. The pane provides text, mark(marks),
// reveal(start, end, focus) and focus().
export class Find {
  #pane;
  #bar;
  #word;
  #facts;
  #places = [];
  #at = -1;

  constructor(head, pane, name) {
    this.#pane = pane;
    this.#word = el("input", { type: "search", "aria-label": `Find in ${name}`, placeholder: "Find", autocomplete: "off", spellcheck: "false" });
    this.#facts = el("span", { class: "places", role: "status" });
    const go = (by, sign, text) => el("button", { type: "button", class: "icon", "aria-label": text, title: text, onclick: () => this.#go(by) }, sign);
    this.#bar = el("div", { class: "find", hidden: true, role: "search" }, this.#word, this.#facts,
      go(-1, "↑", "Previous match"), go(1, "↓", "Next match"),
      el("button", { type: "button", class: "icon", "aria-label": "Close the search", title: "Close (Esc)", onclick: () => this.close() }, "✕"));
    head.after(this.#bar);
    this.#word.addEventListener("input", () => this.#search());
    this.#bar.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && event.target === this.#word && !event.ctrlKey && !event.metaKey) this.#go(event.shiftKey ? -1 : 1);
      else return;
      event.preventDefault();
    });
  }

  // text sets the text of a pane that does not hold its own text.
  set text(text) {
    this.#pane.text = text;
    this.refresh();
  }

  open() {
    this.#bar.hidden = false;
    this.#word.focus();
    this.#word.select();
    this.#search();
  }

  close() {
    if (this.#bar.hidden) return;
    const focused = this.#bar.contains(document.activeElement);
    this.#bar.hidden = true;
    this.#places = [];
    this.#pane.mark([]);
    if (focused) this.#pane.focus();
  }

  // refresh repeats the search after the text has changed.
  refresh() {
    if (!this.#bar.hidden) this.#search(false);
  }

  #search(move = true) {
    const word = this.#word.value;
    this.#places = [];
    if (word !== "" && !word.includes("\n")) {
      // If lowercasing changes the length, offsets would shift, so the search is case-sensitive.
      const { text } = this.#pane;
      const lower = text.toLowerCase();
      const [there, what] = lower.length === text.length ? [lower, word.toLowerCase()] : [text, word];
      for (let at = there.indexOf(what); at >= 0 && this.#places.length < most; at = there.indexOf(what, at + what.length)) this.#places.push(at);
    }
    this.#at = this.#places.length > 0 ? 0 : -1;
    this.#show(move);
  }

  #go(by) {
    if (this.#places.length === 0) return;
    this.#at = (this.#at + by + this.#places.length) % this.#places.length;
    this.#show(true);
  }

  #show(move) {
    const n = this.#places.length;
    const size = this.#word.value.length;
    const of = n >= most ? `${most.toLocaleString("en")} or more` : n.toLocaleString("en");
    this.#facts.textContent = size === 0 ? "" : n === 0 ? "No matches" : `${(this.#at + 1).toLocaleString("en")} of ${of}`;
    this.#pane.mark(this.#places.map((start, i) => ({ kind: i === this.#at ? "current" : "found", start, end: start + size })));
    if (move && this.#at >= 0) this.#pane.reveal(this.#places[this.#at], this.#places[this.#at] + size, false);
    if (move && n === 0 && size > 0) say("No matches");
  }
}
