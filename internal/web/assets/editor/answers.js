// What the output column says beside the text: a problem, warnings.

import { root } from "./description.js";
import { el } from "./dom.js";

// problemCard fills node with a problem. actions are [text, function].
export function problemCard(node, problem, actions) {
  const about = /^[a-z_]{1,64}$/.test(problem.code ?? "")
    ? el("a", { href: `${root}/problems/${problem.code}`, target: "_blank", rel: "noopener" }, "About this problem")
    : null;
  node.replaceChildren(
    el("h3", { id: "problem-title" }, problem.title),
    el("p", {}, problem.detail),
    el("p", { class: "hint" }, problem.hint),
    el("p", { class: "actions" }, ...actions.map(([text, act]) => el("button", { type: "button", onclick: act }, text)), about));
  node.hidden = false;
}

// warningList fills node with the warnings of an answer: lines that begin with
// a step's id, in a pipeline, and a stable code.
export function warningList(node, warnings, ids) {
  node.querySelector("ul").replaceChildren(...warnings.map((warning) => {
    let rest = warning;
    const step = ids.findIndex((id) => warning.startsWith(`${id}: `));
    if (step >= 0) rest = warning.slice(ids[step].length + 2);
    const [code, ...text] = rest.split(": ");
    return el("li", {},
      step >= 0 ? el("span", { class: "where" }, `Step ${step + 1}`) : null,
      el("code", {}, code), ` ${text.join(": ")}`);
  }));
  node.hidden = warnings.length === 0;
}
