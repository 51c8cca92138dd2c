// Shows the warnings of a response, grouped by code, with links to the locations in
// the source that they name.

import { root } from "./openapi.js";
import { count, el } from "./dom.js";
import { outline } from "./outline.js";
import { placeholders } from "./secrets.js";

const mostOpen = 3; // warnings shown per code before "more"

// parse splits a warning, "[STEP: ]CODE: text", into {step, code, text}.
export function parse(warning, ids) {
  let rest = warning;
  const step = ids.findIndex((id) => warning.startsWith(`${id}: `));
  if (step >= 0) rest = warning.slice(ids[step].length + 2);
  const [code, ...text] = rest.split(": ");
  return { step, code, text: text.join(": ") };
}

// place returns the location in the source that a warning names: {line} for commands
// or lines, {pointer} for a JSON Pointer, or undefined if it names none.
export function place(text) {
  const line = /(?:commands? \d+(?: to \d+)?, )?\blines? (\d{1,9})(?: to \d{1,9})?/.exec(text);
  if (line) return { line: Number(line[1]), text: line[0] };
  const pointer = /(?:^|[ (])(\/[^\s,;)]+)/.exec(text);
  if (!pointer) return undefined;
  const bare = pointer[1].replace(/\.$/, ""); // without the period that ends the sentence
  return { pointer: bare, text: bare };
}

// find returns the range of the value at a JSON Pointer, or of its nearest ancestor
// in the source. It returns undefined if there is none.
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
  // For a value below its name, as in block YAML, use the range of the name.
  if (line === node.start) {
    const name = source.slice(source.lastIndexOf("\n", line - 1) + 1, line).trimStart();
    return [line - name.length, line];
  }
  return [node.start, Math.min(node.end, node.start + 200, line)];
}

// fill renders the warnings into node. goTo is called with the location that the
// user clicks. output is the output that the warnings refer to.
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

// linked returns the message as a list of nodes in which the location is a button.
function linked(text, goTo) {
  const found = goTo && place(text);
  if (!found) return [text];
  const at = text.indexOf(found.text);
  return [text.slice(0, at),
    el("button", { type: "button", class: "link", onclick: () => goTo(found) }, found.text),
    text.slice(at + found.text.length)];
}
