// The warnings of a response, grouped by code, with links to the locations in the
// source that they name.

import { root } from "./description.js";
import { count, el } from "./dom.js";
import { outline } from "./outline.js";
import { placeholders } from "./secrets.js";

const mostOpen = 3; // warnings of one code that are shown before the rest is opened

// parse splits a warning, "[STEP: ]CODE: text", into {step, code, text}.
export function parse(warning, ids) {
  let rest = warning;
  const step = ids.findIndex((id) => warning.startsWith(`${id}: `));
  if (step >= 0) rest = warning.slice(ids[step].length + 2);
  const [code, ...text] = rest.split(": ");
  return { step, code, text: text.join(": ") };
}

// place returns the location in the source that a warning names: {line} of a
// command or {pointer}, a JSON Pointer; undefined for none.
export function place(text) {
  const line = /command \d+, line (\d{1,9})/.exec(text);
  if (line) return { line: Number(line[1]), text: line[0] };
  const pointer = /(?:^|[ (])(\/[^\s,;)]+)/.exec(text);
  if (!pointer) return undefined;
  const bare = pointer[1].replace(/\.$/, ""); // the full stop of the sentence
  return { pointer: bare, text: bare };
}

// find returns the range of the value at a pointer, or of its nearest parent in the
// source; undefined when there is none.
export function find(source, mediaType, pointer) {
  const root = outline(source, mediaType);
  let node = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const inner = node?.children?.find((child) => String(child.name) === name);
    if (!inner) break;
    node = inner;
  }
  if (!node || node === root) return undefined;
  const newline = source.indexOf("\n", node.start);
  const line = newline < 0 ? source.length : newline;
  // A value below its name, as in block YAML, is shown by the name.
  if (line === node.start) {
    const name = source.slice(source.lastIndexOf("\n", line - 1) + 1, line).trimStart();
    return [line - name.length, line];
  }
  return [node.start, Math.min(node.end, node.start + 200, line)];
}

// fill shows the list in node. goTo is called with the chosen location; output is
// the text that the warnings are about.
export function fill(node, warnings, ids, output, goTo) {
  const groups = new Map();
  for (const warning of warnings) {
    const { step, code, text } = parse(warning, ids);
    const key = `${step} ${code}`;
    if (!groups.has(key)) groups.set(key, { step, code, texts: [] });
    groups.get(key).texts.push(text);
  }
  node.hidden = warnings.length === 0;
  node.querySelector("h3").textContent = warnings.length === 0 ? "Warnings" : `${count(warnings.length, "warning")}`;
  node.querySelector("ul").replaceChildren(...[...groups.values()].map((group) => entry(group, output, goTo)));
}

function entry({ step, code, texts }, output, goTo) {
  const about = /^[a-z0-9_.]{1,64}$/.test(code)
    ? el("a", { href: `${root}/warnings/${code}`, target: "_blank", rel: "noopener" }, el("code", {}, code)) : el("code", {}, code);
  const items = texts.map((text) => el("p", {}, ...linked(text, step <= 0 ? goTo : undefined)));
  return el("li", {},
    step >= 0 ? el("span", { class: "where" }, `Step ${step + 1}`) : null, about,
    texts.length > 1 ? ` × ${texts.length}` : null,
    ...items.slice(0, mostOpen),
    code === "secrets_replaced" && placeholders(output) ? el("p", {}, `To fill in: ${placeholders(output)}.`) : null,
    items.length > mostOpen ? el("details", {}, el("summary", {}, `${items.length - mostOpen} more`), ...items.slice(mostOpen)) : null);
}

// linked returns a text whose location is a button.
function linked(text, goTo) {
  const found = goTo && place(text);
  if (!found) return [text];
  const at = text.indexOf(found.text);
  return [text.slice(0, at),
    el("button", { type: "button", class: "link", onclick: () => goTo(found) }, found.text),
    text.slice(at + found.text.length)];
}
