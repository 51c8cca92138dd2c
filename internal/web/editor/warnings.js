// The warnings of an answer, grouped by code, each with the way to the place
// in the source that it names.

import { root } from "./description.js";
import { count, el } from "./dom.js";
import { outline } from "./outline.js";

const mostOpen = 3; // warnings of one code that are shown before the rest is asked for

// parse splits a warning, "[STEP: ]CODE: text", into {step, code, text}.
export function parse(warning, ids) {
  let rest = warning;
  const step = ids.findIndex((id) => warning.startsWith(`${id}: `));
  if (step >= 0) rest = warning.slice(ids[step].length + 2);
  const [code, ...text] = rest.split(": ");
  return { step, code, text: text.join(": ") };
}

// place finds in a warning's text what it names of the source: a command's
// line, or a JSON Pointer; {line} or {pointer}, undefined for none.
export function place(text) {
  const line = /command \d+, line (\d{1,9})/.exec(text);
  if (line) return { line: Number(line[1]), text: line[0] };
  const pointer = /(?:^|[ (])(\/[^\s,;)]+)/.exec(text);
  return pointer ? { pointer: pointer[1], text: pointer[1] } : undefined;
}

// find is the range in a source of what a pointer names, undefined when the
// source has no such thing.
export function find(source, mediaType, pointer) {
  let node = outline(source, mediaType);
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    node = node?.children?.find((child) => String(child.name) === name);
  }
  return node && [node.start, Math.min(node.end, node.start + 200)];
}

// fill writes the list into node. goTo is called with a place that was chosen;
// undefined leaves the places as text.
export function fill(node, warnings, ids, goTo) {
  const groups = new Map();
  for (const warning of warnings) {
    const { step, code, text } = parse(warning, ids);
    const key = `${step} ${code}`;
    if (!groups.has(key)) groups.set(key, { step, code, texts: [] });
    groups.get(key).texts.push(text);
  }
  node.hidden = warnings.length === 0;
  node.querySelector("h3").textContent = warnings.length === 0 ? "Warnings" : `${count(warnings.length, "warning")}`;
  node.querySelector("ul").replaceChildren(...[...groups.values()].map((group) => entry(group, goTo)));
}

function entry({ step, code, texts }, goTo) {
  const about = /^[a-z0-9_.]{1,64}$/.test(code)
    ? el("a", { href: `${root}/warnings/${code}`, target: "_blank", rel: "noopener" }, el("code", {}, code)) : el("code", {}, code);
  const items = texts.map((text) => el("p", {}, ...linked(text, step <= 0 ? goTo : undefined)));
  return el("li", {},
    step >= 0 ? el("span", { class: "where" }, `Step ${step + 1}`) : null, about,
    texts.length > 1 ? ` × ${texts.length}` : null,
    ...items.slice(0, mostOpen),
    items.length > mostOpen ? el("details", {}, el("summary", {}, `${items.length - mostOpen} more`), ...items.slice(mostOpen)) : null);
}

// linked is a text whose place is a button.
function linked(text, goTo) {
  const found = goTo && place(text);
  if (!found) return [text];
  const at = text.indexOf(found.text);
  return [text.slice(0, at),
    el("button", { type: "button", class: "link", onclick: () => goTo(found) }, found.text),
    text.slice(at + found.text.length)];
}
