// Compares the current result with the input or with the result of another step,
// line by line.

import { count, el } from "./dom.js";
import { diff, onlySpace } from "./diff.js";

const around = 3; // unchanged lines shown around a difference
const mostOfLine = 5_000; // characters shown of one line
const atOnce = 200; // rows shown before "Show more"

// compare renders the differences between two strings into node and returns a
// summary of them.
export function compare(node, before, after) {
  if (before === after) {
    node.replaceChildren();
    return "No differences.";
  }
  const all = diff(...[before, after].map((text) => text.replace(/\n$/, "")));
  const [out, added] = ["out", "in"].map((kind) => all.filter((line) => line.kind === kind).length);
  node.replaceChildren();
  add(node, all, 0);
  return [`${count(out, "line")} removed, ${count(added, "line")} added.`,
    before.endsWith("\n") === after.endsWith("\n") ? "" : `The final line break was ${after.endsWith("\n") ? "added" : "removed"}.`,
    onlySpace(before, after) ? "Only white space differs." : ""].filter(Boolean).join(" ");
}

// add appends the rows from index from on, followed by a "Show more" button if rows
// remain.
function add(node, all, from) {
  const rows = [];
  let i = from;
  for (; i < all.length && rows.length < atOnce; i++) {
    const line = all[i];
    if (line.kind === "same" && far(all, i)) {
      let end = i;
      while (end < all.length && all[end].kind === "same" && far(all, end)) end++;
      rows.push(el("div", { class: "skipped" }, count(end - i, "unchanged line")));
      i = end - 1;
      continue;
    }
    rows.push(el("div", { class: `pair ${line.kind}` },
      el("span", { class: "numbers", "aria-hidden": "true" }, String(line.a ?? "")),
      el("span", { class: "numbers", "aria-hidden": "true" }, String(line.b ?? "")),
      el("span", { class: "sign" }, { same: " ", out: "−", in: "+" }[line.kind]),
      el("span", { class: "line" }, line.text.length > mostOfLine ? `${line.text.slice(0, mostOfLine)}…` : line.text)));
  }
  if (i < all.length) {
    const more = el("button", {
      type: "button", class: "quiet", onclick: () => {
        more.remove();
        add(node, all, i);
        node.focus({ preventScroll: true });
      },
    }, "Show more");
    rows.push(more);
  }
  node.append(...rows);
}

const far = (all, i) => {
  for (let n = Math.max(0, i - around); n <= Math.min(all.length - 1, i + around); n++) if (all[n].kind !== "same") return false;
  return true;
};
