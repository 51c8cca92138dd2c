// Shows the recipe as a pipe: one card per step and, between the cards, joints
// labeled with the media type. A joint opens the result at that point.

import { bytes, count, el, say } from "./dom.js";
import { complete, fault, outputType } from "./recipe.js";
import { filled, label, valueLabel } from "./text.js";

const cardId = (i) => `step-${i + 1}`;

// Pipe renders the steps into node. It calls on.change(steps) after every edit, and
// on.open(i) to show the result of step i.
export class Pipe {
  #node;
  #tools;
  #most; // maximum number of steps
  #on;
  #steps = [];
  #cards = [];
  #adding = false;

  constructor(node, tools, most, on) {
    this.#node = node;
    this.#tools = tools;
    this.#most = most;
    this.#on = on;
  }

  get steps() {
    return this.#steps;
  }

  // steps replaces the steps and keeps the focus on the same control if it still
  // exists.
  set steps(steps) {
    const { id, classList, localName } = document.activeElement;
    const card = this.#node.contains(document.activeElement) && document.activeElement.closest(".step");
    this.#steps = steps;
    this.#adding = steps.length === 0;
    this.#draw();
    if (card) this.#focus(id ? `#${id}` : `#${card.id} ${[localName, ...classList].join(".")}`);
  }

  // results shows the artifact below each step, or removes all of them if artifacts
  // is undefined.
  results(artifacts, opened) {
    this.#cards.forEach(({ joint }, i) => {
      const artifact = artifacts?.[i];
      joint.disabled = !artifact;
      joint.setAttribute("aria-pressed", String(Boolean(artifact) && i === opened));
      const type = el("b", {}, label(artifact?.mediaType ?? outputType(this.#steps[i])));
      const words = el("span", { class: "unseen" }, artifact ? `Show the result of step ${i + 1}: ` : `Output of step ${i + 1}: `);
      joint.replaceChildren(words, type, artifact ? ` ${count(filled(artifact.value), "line")}, ${bytes(new Blob([artifact.value]).size)}` : "");
    });
  }

  // mark shows why a step failed and marks the option that caused it.
  mark(i, text, option) {
    this.#cards.forEach(({ card, why, controls }, at) => {
      const failed = at === i;
      card.classList.toggle("failed", failed);
      why.textContent = failed ? text : "";
      why.hidden = !failed;
      for (const [name, control] of controls) {
        const bad = failed && name === option;
        control.toggleAttribute("data-bad", bad);
        if (bad) control.setAttribute("aria-invalid", "true");
        else control.removeAttribute("aria-invalid");
      }
    });
  }

  #changed(steps, focus) {
    this.#steps = steps;
    this.#draw();
    this.#on.change(steps);
    if (focus) this.#focus(focus);
  }

  #focus(selector) {
    (this.#node.querySelector(selector) ?? this.#node.querySelector(".adder > button")).focus();
  }

  #move(i, by) {
    const to = i + by;
    if (to < 0 || to >= this.#steps.length) return;
    const steps = this.#steps.slice();
    steps.splice(to, 0, ...steps.splice(i, 1));
    const direction = by < 0 ? "up" : "down";
    this.#changed(steps, `#${cardId(to)} .${direction}`);
    const button = this.#node.querySelector(`#${cardId(to)} .${direction}`);
    if (button.disabled) this.#node.querySelector(`#${cardId(to)} .remove`).focus();
    say(`${steps[to].tool.title} is now step ${to + 1} of ${steps.length}.`);
  }

  #remove(i) {
    const title = this.#steps[i].tool.title;
    const steps = this.#steps.toSpliced(i, 1);
    this.#adding = steps.length === 0;
    this.#changed(steps, `#${cardId(Math.min(i, steps.length - 1))} .remove`);
    say(`${title} removed. ${count(steps.length, "step")} left.`);
  }

  #add(tool) {
    const steps = [...this.#steps, { tool, options: complete(tool, {}) }];
    this.#adding = false;
    const required = tool.options.some((o) => o.required);
    this.#changed(steps, required ? `#${cardId(steps.length - 1)} .option :is(select, input)` : ".adder > button");
    say(`${tool.title} added as step ${steps.length}.`);
  }

  #draw() {
    this.#cards = this.#steps.map((step, i) => this.#card(step, i));
    const list = el("ol", { class: "steps" }, ...this.#cards.map(({ card }) => card));
    this.#node.replaceChildren(...(this.#steps.length > 0 ? [list] : []), this.#adder());
    this.results(undefined);
    this.#showFault();
  }

  // showFault marks the step that prevents the recipe from running.
  #showFault() {
    const found = fault(this.#steps);
    this.#cards.forEach(({ card }, i) => card.classList.toggle("mismatched", found?.step === i && Boolean(found.mismatch)));
    if (!found) {
      this.mark(-1, "");
      return;
    }
    const takes = this.#steps[found.step].tool.accepts.map(label).join(" or ");
    if (found.mismatch) this.mark(found.step, `It accepts ${takes}, but the step before it produces ${label(found.mismatch)}. Move or remove a step.`);
    else this.mark(found.step, `Choose ${found.lacking.name} to run the recipe.`, found.lacking.name);
  }

  #card(step, i) {
    const { tool } = step;
    const button = (name, sign, text, off, act) => el("button", {
      type: "button", class: `icon ${name}`, "aria-label": `${text} step ${i + 1}, ${tool.title}`, title: text, disabled: off, onclick: act,
    }, sign);
    const why = el("p", { class: "why", id: `why-${i + 1}`, hidden: true });
    const controls = new Map();
    const joint = el("button", { type: "button", class: "joint", "aria-pressed": "false", onclick: () => this.#on.open(i) });
    const card = el("li", { class: "step", id: cardId(i) },
      el("div", { class: "card" },
        el("div", { class: "title" },
          el("span", { class: "number", "aria-hidden": "true" }, String(i + 1)),
          el("h3", {}, tool.title),
          button("up", "↑", "Move up", i === 0, () => this.#move(i, -1)),
          button("down", "↓", "Move down", i === this.#steps.length - 1, () => this.#move(i, 1)),
          button("remove", "✕", "Remove", false, () => this.#remove(i))),
        el("p", { class: "text" }, tool.text),
        ...tool.options.toSorted((a, b) => Number(b.required) - Number(a.required)).map((option) => this.#option(i, option, controls)),
        why),
      joint);
    card.addEventListener("keydown", (event) => {
      if (!event.altKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
      event.preventDefault();
      this.#move(i, event.key === "ArrowUp" ? -1 : 1);
    });
    return { card, joint, why, controls };
  }

  // option returns the form control for one option.
  #option(i, option, controls) {
    const id = `option-${i + 1}-${option.name}`;
    const value = this.#steps[i].options[option.name];
    const shown = el("output", { for: id }, value === undefined ? "not set" : String(value));
    const set = (chosen) => {
      const steps = this.#steps.slice();
      const options = { ...steps[i].options, [option.name]: chosen };
      if (chosen === undefined) delete options[option.name];
      steps[i] = { tool: steps[i].tool, options };
      this.#steps = steps;
      shown.textContent = chosen === undefined ? "not set" : String(chosen);
      this.results(undefined);
      this.#showFault();
      this.#refreshAdder();
      this.#on.change(steps);
    };
    const cards = option.required && option.values.length > 4;
    const control = option.integer ? slider(option, id, value, set) : cards ? formats(option, id, value, set) : choice(option, id, value, set);
    control.setAttribute("aria-describedby", `${id}-text why-${i + 1}`);
    controls.set(option.name, control);
    return el("div", { class: "option" },
      cards ? el("span", { class: "label", id: `${id}-name` }, option.name) : el("label", { for: id }, option.name),
      option.integer ? shown : null,
      control,
      el("p", { class: "hint", id: `${id}-text` }, option.text, option.integer ? ` ${option.minimum} to ${option.maximum}${option.preset === undefined ? "" : `, default ${option.preset}`}.` : ""));
  }

  // adder returns the list of tools that can come next.
  #adder() {
    const full = this.#steps.length >= this.#most;
    const list = el("ul", { class: "tools", id: "tools", hidden: !this.#adding }, ...this.#choices());
    const open = el("button", {
      type: "button", class: "add", "aria-expanded": String(this.#adding), "aria-controls": "tools", disabled: full,
      onclick: () => {
        this.#adding = !this.#adding;
        list.hidden = !this.#adding;
        open.setAttribute("aria-expanded", String(this.#adding));
        if (this.#adding) list.querySelector("button:enabled")?.focus();
      },
    }, full ? `A recipe has at most ${this.#most} steps` : this.#steps.length === 0 ? "Choose the first step" : "Add a step");
    const adder = el("div", { class: "adder" }, open, list);
    adder.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.#adding || this.#steps.length === 0) return;
      open.click();
      open.focus();
    });
    return adder;
  }

  #choices() {
    const last = this.#steps.at(-1);
    const flowing = last && outputType(last);
    return this.#tools.map((tool) => {
      const fits = !last || (flowing !== undefined && tool.accepts.includes(flowing));
      return el("li", {}, el("button", { type: "button", disabled: !fits, onclick: () => this.#add(tool) },
        el("b", {}, tool.title),
        el("span", { class: "flow" }, `${tool.accepts.map(label).join(", ")} → ${tool.produces.map(label).join(", ")}`),
        fits ? el("span", { class: "text" }, tool.text)
          : el("span", { class: "text" }, flowing === undefined ? "Choose the option above first." : `Does not accept ${label(flowing)}.`)));
    });
  }

  #refreshAdder() {
    this.#node.querySelector("#tools")?.replaceChildren(...this.#choices());
  }
}

// slider returns a slider for a small range of integers and a number field for a
// larger one.
function slider(option, id, value, set) {
  const small = option.maximum - option.minimum <= 16;
  const control = el("input", {
    id, type: small ? "range" : "number", min: option.minimum, max: option.maximum, step: 1, value: value ?? option.preset ?? option.minimum,
  });
  control.addEventListener("input", () => {
    const n = control.valueAsNumber;
    if (Number.isInteger(n) && n >= option.minimum && n <= option.maximum) set(n);
  });
  return control;
}

function choice(option, id, value, set) {
  const empty = option.required ? "Choose…" : "not set";
  const control = el("select", { id, required: option.required },
    option.preset === undefined ? el("option", { value: "", disabled: option.required, selected: value === undefined }, empty) : null,
    ...option.values.map((v) => el("option", { value: v, selected: v === value }, valueLabel(v))));
  control.addEventListener("change", () => set(control.value === "" ? undefined : control.value));
  return control;
}

// formats returns a choice of many values as cards. Values that differ only in their
// last part, such as NAME-json and NAME-yaml, share a card.
function formats(option, id, value, set) {
  const families = new Map();
  for (const v of option.values) {
    const split = /^(.+)-([a-z]+)$/.exec(v);
    const [name, form] = split && option.values.some((o) => o !== v && o.startsWith(`${split[1]}-`)) ? split.slice(1) : [v, ""];
    if (!families.has(name)) families.set(name, []);
    families.get(name).push([v, form]);
  }
  const group = el("div", { id, role: "radiogroup", "aria-labelledby": `${id}-name`, "aria-required": "true", class: "formats" },
    ...[...families].map(([name, forms]) => el("div", { class: "format" }, el("b", { "aria-hidden": "true" }, valueLabel(name)),
      ...forms.map(([v, form]) => el("label", {},
        el("input", { type: "radio", name: id, value: v, checked: v === value, "aria-label": valueLabel(v) }), el("span", {}, form ? label(`application/${form}`) : "Choose"))))));
  group.addEventListener("change", (event) => set(event.target.value));
  return group;
}
