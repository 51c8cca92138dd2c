// Two texts of the recipe's way beside each other's lines: the input, or the
// result of a step, against what is shown.

import { count, el } from "./dom.js";
import { diff, onlySpace } from "./diff.js";

const around = 3; // lines of what is the same that are shown beside a difference
const mostOfLine = 5_000; // characters that are shown
const atOnce = 200; // rows that are shown before the rest is asked for

// compare draws into node what differs between two texts, and returns the
// sentence that says how much.
export function compare(node, before, after) {
  if (before === after) {
    node.replaceChildren();
    return "Nothing differs.";
  }
  const all = diff(...[before, after].map((text) => text.replace(/\n$/, "")));
  const [out, added] = ["out", "in"].map((kind) => all.filter((line) => line.kind === kind).length);
  node.replaceChildren();
  add(node, all, 0);
  return [`${count(out, "line")} taken out, ${count(added, "line")} put in.`,
    before.endsWith("\n") === after.endsWith("\n") ? "" : `The line break at the end is ${after.endsWith("\n") ? "put in" : "taken out"}.`,
    onlySpace(before, after) ? "Only white space differs." : ""].filter(Boolean).join(" ");
}

// add draws rows from a line on, and a button for those after them.
function add(node, all, from) {
  const rows = [];
  let i = from;
  for (; i < all.length && rows.length < atOnce; i++) {
    const line = all[i];
    if (line.kind === "same" && far(all, i)) {
      let end = i;
      while (end < all.length && all[end].kind === "same" && far(all, end)) end++;
      rows.push(el("div", { class: "skipped" }, count(end - i, "equal line")));
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
