// Shows a problem instead of a result. It marks the failed step and the location,
// and lists all faults that the page finds, with fixes.

import { choose, most } from "./choices.js";
import { root } from "./openapi.js";
import { byId, count, el, say } from "./dom.js";
import { faults, fixAll } from "./faults.js";
import { faults as yamlFaults } from "./faults-yaml.js";
import { fixes } from "./fixes.js";
import { stepId } from "./runner.js";
import { label, offset, place } from "./text.js";

const mostListed = 50; // faults listed at most
const checks = { "application/json": faults, "application/yaml": yamlFaults };

// faultsOf returns the faults that the page itself finds in a string.
export const faultsOf = (mediaType, text) => checks[mediaType]?.(text) ?? [];

export class Problems {
  #field;
  #input;
  #pipe;
  #on;

  // on has set(options), which changes the first step; read(mediaType), which
  // changes the media type of the input; and showInput(step, at), which shows the input
  // of a later step.
  constructor(field, input, pipe, on) {
    this.#field = field;
    this.#input = input;
    this.#pipe = pipe;
    this.#on = on;
  }

  // show shows a problem. If problem.fixes is set, it replaces the fixes that the
  // page finds. Each fix is [name, function].
  show(problem) {
    const { steps } = this.#pipe;
    const single = steps.length === 1 && [415, 422].includes(problem.status) ? 0 : -1;
    const step = problem.step ? steps.findIndex((_, i) => stepId(i) === problem.step) : single;
    const option = /\/options\/([^/]+)$/.exec(problem.path ?? "");
    this.#pipe.mark(step, `${problem.title}.`, option?.[1]);
    const at = place(problem.detail);
    const first = step <= 0 && problem.status === 422;
    const text = this.#field.value;
    const check = first && at ? checks[this.#input.type(text)] : undefined;
    const all = check?.(text) ?? [];
    this.#field.faults = first && at ? [at, ...all.map(({ start, end }) => [start, end])] : [];
    const fixing = problem.fixes ?? (step <= 0 ? this.#fixes(problem, at, all, check).slice(0, most) : []);
    choose(fixing.map(([, act]) => act));
    const actions = [];
    if (at && step <= 0) actions.push([`Go to line ${at.line}, column ${at.column}`, () => this.#field.goTo(at)]);
    else if (step > 0) actions.push([`Show the input of step ${step + 1}`, () => this.#on.showInput(step, at)]);
    const more = all.length > 1 || check === yamlFaults ? all : []; // the problem itself reports a single JSON fault
    card(problem, [...actions, ...fixing.map(([name, act], i) => [name, act, i + 1])], more.slice(0, mostListed).map((fault) => this.#entry(text, fault)));
    say([`${problem.title}. ${problem.detail} ${problem.hint}`, more.length > 0 ? `${count(more.length, "fault")} found in all.` : "",
      ...fixing.map(([name], i) => `Alt ${i + 1}: ${name}.`)].filter(Boolean).join(" "));
  }

  // entry returns the list item for a fault, with its fix.
  #entry(text, { start, end, title, hint, fix }) {
    const line = text.slice(0, start).split("\n").length;
    const actions = [[`Line ${line}`, () => this.#field.select(start, end)]];
    if (fix) actions.push([fix.name, () => this.#field.replace(fix.text, fix.start, fix.end)]);
    return el("li", {}, el("span", {}, `${title}. ${hint}`), ...actions.map(button));
  }

  // fixes returns the fixes for a problem, each as [name, function].
  #fixes(problem, at, all, check) {
    const text = this.#field.value;
    const fixable = all.filter(({ fix }) => fix);
    const there = at && offset(text, at)[0];
    const first = fixable.find(({ start, end, fix }) => [start, end, fix.start].includes(there)) ?? (all.length === 1 ? fixable[0] : undefined);
    const list = [];
    if (first) list.push([first.fix.name, () => this.#field.replace(first.fix.text, first.fix.start, first.fix.end)]);
    if (fixable.length > 1) list.push([`Fix all ${fixable.length}`, () => this.#field.replace(fixAll(text, check))]);
    const { tool, options: set } = this.#pipe.steps[0] ?? {};
    for (const { name, text: right, options } of fixes(problem, text, tool, set)) {
      list.push([name, () => (options ? this.#on.set(options) : this.#field.replace(right))]);
    }
    const likely = this.#input.likely(text);
    if (likely !== this.#input.type(text)) list.unshift([`Read it as ${label(likely)}`, () => this.#on.read(likely)]);
    return list;
  }
}

// card renders a problem. Each action is [text, function, key]; if key is set, Alt
// and that digit also run the action. more contains list items.
function card(problem, actions, more) {
  const about = /^[a-z0-9_]{1,64}$/.test(problem.code ?? "")
    ? el("a", { href: `${root}/problems/${problem.code}`, target: "_blank", rel: "noopener" }, "About this problem")
    : null;
  const node = byId("problem");
  node.replaceChildren(
    el("h3", { id: "problem-title" }, problem.title),
    el("p", {}, problem.detail),
    el("p", { class: "hint" }, problem.hint),
    el("p", { class: "actions" }, ...actions.map(button), about),
    ...(more.length > 0 ? [el("h4", {}, "All errors in the input"), el("ol", { class: "faults" }, ...more)] : []));
  node.hidden = false;
  node.scrollTop = 0;
}

const button = ([text, act, key]) => el("button", { type: "button", "aria-keyshortcuts": key && `Alt+${key}`, onclick: act }, text,
  key ? el("kbd", { "aria-hidden": "true" }, `Alt ${key}`) : null);
