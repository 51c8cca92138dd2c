// Parses JSON or YAML into a tree of offsets into the source, so that a value is
// shown and copied exactly as written. The server returns valid documents; other
// sources are parsed as far as possible.

// outline returns the root node, {kind, name, start, end, children}. kind is object,
// array or value. name is the property name or the index. outline returns undefined
// if the source has nothing to expand.
export function outline(text, mediaType) {
  if (mediaType === "application/json") return json(text);
  if (mediaType === "application/yaml") return yaml(text);
  return undefined;
}

// pointer returns the JSON Pointer (RFC 6901) for a list of names.
export const pointer = (names) => names.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const token = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

function json(text) {
  const open = [];
  let root;
  let name;
  let pending; // a string that may be a property name
  const add = (node) => {
    const inner = open.at(-1);
    if (!inner) root ??= node;
    else {
      node.name = inner.kind === "array" ? inner.children.length : name;
      inner.children.push(node);
    }
  };
  const settle = () => {
    if (pending) add({ kind: "value", ...pending });
    pending = undefined;
  };
  for (const { 0: word, index } of text.matchAll(token)) {
    const end = index + word.length;
    if (word === ":") {
      if (!pending) continue; // not JSON
      name = read(text.slice(pending.start, pending.end));
      pending = undefined;
    } else if (word === "{" || word === "[") {
      const node = { kind: word === "{" ? "object" : "array", start: index, end, children: [] };
      add(node);
      open.push(node);
    } else if (word === "}" || word === "]") {
      settle();
      const node = open.pop();
      if (node) node.end = end;
    } else if (word === ",") {
      settle();
    } else {
      settle();
      pending = { start: index, end };
    }
  }
  settle();
  return root?.children ? root : undefined;
}

function read(quoted) {
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted;
  }
}

// yaml parses block style by its indentation.
function yaml(text) {
  const root = { kind: "object", column: -1, start: 0, end: text.length, children: [] };
  const open = [root];
  const state = { open, end: 0 }; // end is the end of the last line in the open nodes
  let block = -1; // column of the key or dash that the block scalar belongs to
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    let at = start;
    while (at < end && text[at] === " ") at++;
    const column = at - start;
    if (block >= 0 && (column > block || at === end)) {
      if (at < end) state.end = end;
    } else if (at < end && text[at] !== "#") {
      block = entries(text, at, end, column, state);
    }
    start = end + 1;
  }
  while (open.length > 1) open.pop().end = state.end;
  return root.children.length > 0 ? root : undefined;
}

// entries parses the dashes and the key of one line. It returns the column of a
// block scalar that starts there, or -1.
function entries(text, at, end, column, state) {
  const { open } = state;
  const line = at - column; // offset of the line
  for (;;) {
    while (open.length > 1 && open.at(-1).column >= column) open.pop().end = state.end;
    const parent = open.at(-1);
    const dash = text[at] === "-" && (at + 1 === end || text[at + 1] === " ");
    const key = dash ? undefined : /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#][^#]*?)(?=:(?: |$))/.exec(text.slice(at, end));
    if (!dash && !key) return -1;
    if (dash) parent.kind = "array";
    const node = { kind: "value", name: dash ? parent.children.length : name(key[0]), column, start: at, end, children: [] };
    parent.children.push(node);
    if (parent.kind === "value") parent.kind = "object";
    state.end = end;
    open.push(node);
    at += dash ? 1 : key[0].length + 1;
    while (at < end && text[at] === " ") at++;
    node.start = at;
    if (at === end) return -1;
    if (/^[|>][-+0-9]{0,2}$/.test(text.slice(at, end))) return column;
    if (!dash) return -1;
    column = at - line;
  }
}

const name = (key) => (key[0] === '"' ? read(key) : key[0] === "'" ? key.slice(1, -1).replaceAll("''", "'") : key);
