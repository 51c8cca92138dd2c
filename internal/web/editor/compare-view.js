// Two texts of the recipe's way beside each other's lines: the input, or the
// result of a step, against what is shown.

import { count, el } from "./dom.js";
import { diff, onlySpace } from "./diff.js";

const around = 3; // lines of what is the same that are shown beside a difference
const most = 4_000; // rows

// compare draws into node what differs between two texts, and returns the
// sentence that says how much.
export function compare(node, before, after) {
  if (before === after) {
    node.replaceChildren();
    return "Nothing differs.";
  }
  const all = diff(before, after);
  const [out, added] = ["out", "in"].map((kind) => all.filter((line) => line.kind === kind).length);
  const rows = [];
  for (let i = 0; i < all.length && rows.length < most; i++) {
    const line = all[i];
    if (line.kind === "same" && far(all, i)) {
      let end = i;
      while (end < all.length && all[end].kind === "same" && far(all, end)) end++;
      rows.push(el("div", { class: "skipped" }, `${count(end - i, "equal line")}`));
      i = end - 1;
      continue;
    }
    rows.push(el("div", { class: `pair ${line.kind}` },
      el("span", { class: "numbers", "aria-hidden": "true" }, String(line.a ?? "")),
      el("span", { class: "numbers", "aria-hidden": "true" }, String(line.b ?? "")),
      el("span", { class: "sign" }, { same: " ", out: "−", in: "+" }[line.kind]),
      el("span", { class: "line" }, line.text)));
  }
  if (rows.length >= most) rows.push(el("div", { class: "skipped" }, "More is not shown."));
  node.replaceChildren(...rows);
  const words = `${count(out, "line")} taken out, ${count(added, "line")} put in.`;
  return onlySpace(before, after) ? `${words} Only white space differs.` : words;
}

const far = (all, i) => {
  for (let n = Math.max(0, i - around); n <= Math.min(all.length - 1, i + around); n++) if (all[n].kind !== "same") return false;
  return true;
};
