// What the output column says in place of a result: a problem.

import { root } from "./description.js";
import { el } from "./dom.js";

// problemCard fills node with a problem. actions are [text, function]; more is
// a list of further faults that the page has found, [{text, actions}].
export function problemCard(node, problem, actions, more = []) {
  const about = /^[a-z_]{1,64}$/.test(problem.code ?? "")
    ? el("a", { href: `${root}/problems/${problem.code}`, target: "_blank", rel: "noopener" }, "About this problem")
    : null;
  node.replaceChildren(
    el("h3", { id: "problem-title" }, problem.title),
    el("p", {}, problem.detail),
    el("p", { class: "hint" }, problem.hint),
    el("p", { class: "actions" }, ...actions.map(button), about),
    ...(more.length > 0 ? [el("h4", {}, "All that can be seen from here"),
      el("ol", { class: "faults" }, ...more.map(({ text, actions: own }) => el("li", {}, el("span", {}, text), ...own.map(button))))] : []));
  node.hidden = false;
}

const button = ([text, act]) => el("button", { type: "button", onclick: act }, text);
