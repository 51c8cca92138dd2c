// Shows JSON and YAML as a tree (the ARIA tree pattern). Each value has a row, which
// the arrow keys expand and collapse. The JSON Pointer and the value of the selected
// row can be copied.

import { copy, el } from "./dom.js";
import { outline, pointer } from "./outline.js";

const atOnce = 200; // rows shown per parent before "more"
const shownCharacters = 120; // characters shown of a value

export class TreeView {
  #node;
  #bar;
  #text = "";
  #chosen;

  // The tree is rendered into node. bar shows the selected row.
  constructor(node, bar) {
    this.#node = node;
    this.#bar = bar;
    node.addEventListener("keydown", (event) => this.#key(event));
    node.addEventListener("click", (event) => {
      const row = event.target.closest(".row");
      if (!row) return;
      const item = row.parentElement;
      if (item.dataset.more) this.#more(item);
      else {
        this.#choose(item);
        this.#toggle(item);
      }
    });
  }

  // show renders the outline of a source and reports whether it has one.
  show(text, mediaType) {
    this.#text = text;
    const top = outline(text, mediaType);
    this.#chosen = undefined;
    this.#bar.replaceChildren();
    if (!top) {
      this.#node.replaceChildren();
      return false;
    }
    const first = this.#item(top, []);
    this.#node.replaceChildren(el("ul", { role: "tree", "aria-label": "Values" }, first));
    this.#open(first, true);
    this.#choose(first, false);
    return true;
  }

  #item(node, path) {
    const inner = node.children?.length > 0;
    const value = this.#text.slice(node.start, Math.min(node.end, node.start + shownCharacters));
    const size = node.children ? `${node.kind === "array" ? "[" : "{"}${node.children.length}${node.kind === "array" ? "]" : "}"}` : "";
    const item = el("li", { role: "treeitem", tabindex: "-1", "aria-expanded": inner ? "false" : undefined },
      el("div", { class: "row" },
        el("span", { class: "twist", "aria-hidden": "true" }, inner ? "▸" : ""),
        path.length > 0 ? el("span", { class: "name" }, String(path.at(-1))) : null,
        inner || (node.children && node.kind !== "value") ? el("span", { class: "size" }, size)
          : el("span", { class: `value ${kind(value)}` }, node.end - node.start > shownCharacters ? `${value}…` : value)));
    item.entry = { node, path };
    return item;
  }

  #open(item, on) {
    const { node, path } = item.entry;
    if (!item.hasAttribute("aria-expanded") || (item.getAttribute("aria-expanded") === "true") === on) return;
    item.setAttribute("aria-expanded", String(on));
    item.querySelector(".twist").textContent = on ? "▾" : "▸";
    item.querySelector("ul")?.remove();
    if (on) item.append(el("ul", { role: "group" }, ...this.#rows(node, path, 0)));
  }

  #rows(node, path, from) {
    const rows = node.children.slice(from, from + atOnce).map((child) => this.#item(child, [...path, child.name]));
    const left = node.children.length - from - rows.length;
    if (left > 0) {
      const more = el("li", { role: "treeitem", tabindex: "-1" }, el("div", { class: "row" }, `${left.toLocaleString("en")} more…`));
      more.dataset.more = String(from + rows.length);
      more.entry = { node, path };
      rows.push(more);
    }
    return rows;
  }

  #more(item) {
    const { node, path } = item.entry;
    const rows = this.#rows(node, path, Number(item.dataset.more));
    item.replaceWith(...rows);
    this.#choose(rows[0]);
  }

  #toggle(item) {
    this.#open(item, item.getAttribute("aria-expanded") !== "true");
  }

  #choose(item, focus = true) {
    if (this.#chosen) {
      this.#chosen.tabIndex = -1;
      this.#chosen.removeAttribute("aria-selected");
    }
    this.#chosen = item;
    item.tabIndex = 0;
    item.setAttribute("aria-selected", "true");
    if (focus) item.focus();
    if (!item.entry || item.dataset.more) return;
    const { node, path } = item.entry;
    const where = pointer(path);
    this.#bar.replaceChildren(
      el("code", {}, where || "the whole document"),
      el("button", { type: "button", class: "quiet", onclick: (event) => copy(event.target, where) }, "Copy pointer"),
      el("button", { type: "button", class: "quiet", onclick: (event) => copy(event.target, this.#text.slice(node.start, node.end)) }, "Copy value"));
  }

  #key(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = () => [...this.#node.querySelectorAll("[role=treeitem]")];
    const by = (n) => {
      const list = all();
      return list[list.indexOf(item) + n];
    };
    const open = item.getAttribute("aria-expanded") === "true";
    const go = (to) => to && this.#choose(to);
    switch (event.key) {
      case "ArrowDown": go(by(1)); break;
      case "ArrowUp": go(by(-1)); break;
      case "ArrowRight":
        if (open) go(by(1));
        else this.#open(item, true);
        break;
      case "ArrowLeft":
        if (open) this.#open(item, false);
        else go(item.parentElement.closest("[role=treeitem]"));
        break;
      case "Home": go(all()[0]); break;
      case "End": go(all().at(-1)); break;
      case "Enter":
      case " ":
        if (item.dataset.more) this.#more(item);
        else this.#toggle(item);
        break;
      default: return;
    }
    event.preventDefault();
  }
}

const kind = (value) => (/^["'|>]/.test(value) ? "string" : /^-?[0-9]/.test(value) ? "number" : /^(?:true|false|null|~)$/.test(value) ? "word" : "string");
