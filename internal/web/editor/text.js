// Locates positions in a text by line and column, and splits text into tokens for
// highlighting. All functions take linear time.

// label returns the short name of a media type.
export function label(mediaType) {
  const short = { "application/json": "JSON", "application/yaml": "YAML", "application/jwt": "JWT", "text/plain": "Text" };
  return short[mediaType] ?? mediaType ?? "not chosen yet";
}

const words = { openapi: "OpenAPI", swagger: "Swagger", postman: "Postman collection", curl: "curl", json: "JSON", yaml: "YAML" };

// valueLabel returns the display name of an option value, such as "OpenAPI 3.1
// (YAML)" for "openapi-3.1-yaml".
export function valueLabel(value) {
  const [, name, version, format] = /^([a-z]+)(?:-(\d[\d.]*))?(?:-(json|yaml))?$/.exec(value) ?? [];
  if (!words[name]) return value;
  return `${words[name]}${version && name !== "postman" ? ` ${version}` : ""}${format ? ` (${words[format]})` : ""}`;
}

export function extension(mediaType) {
  const subtype = { "text/plain": "txt" }[mediaType] ?? (mediaType ?? "txt").split("/").pop();
  return subtype.replace(/[^a-z0-9]/g, "");
}

// guess returns the most likely of the accepted media types for a string.
export function guess(text, accepted) {
  const start = text.slice(0, 2000).trimStart();
  const order = [];
  if (/^[{["]/.test(start)) order.push("application/json");
  if (/^[\w-]+\.[\w-]*\.[\w-]*$/.test(start.trimEnd())) order.push("application/jwt");
  if (/(?:^|\n)\s*(?:\$ )?(?:curl(?:\.exe)?[\s^]|Invoke-)/.test(start)) order.push("text/plain"); // possibly after comments
  if (/^(?:---|[\w"'-]+:(?:\s|$)|#|- )/.test(start)) order.push("application/yaml");
  order.push("text/plain");
  return order.find((mediaType) => accepted.includes(mediaType)) ?? accepted[0];
}

export function lines(text) {
  let n = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) n++;
  return n;
}

// filled returns the number of lines in a string. A final line break does not start
// a new line.
export const filled = (text) => lines(text) - (text === "" || text.endsWith("\n") ? 1 : 0);

// place parses the "(line L, column C)" at the end of a problem's detail (ERR-7).
export function place(detail) {
  const found = /\(line (\d{1,9}), column (\d{1,9})\)$/.exec(detail);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : undefined;
}

// offset returns [start, end] of the character at a location, as indexes into text.
// Columns count code points from 1.
export function offset(text, { line, column }) {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const next = text.indexOf("\n", start);
    if (next < 0) break;
    start = next + 1;
  }
  let at = start;
  for (let n = 1; n < column && at < text.length && text[at] !== "\n"; n++) {
    at += text.codePointAt(at) > 0xffff ? 2 : 1;
  }
  const wide = at < text.length && text.codePointAt(at) > 0xffff;
  return [at, Math.min(text.length, at + (wide ? 2 : 1))];
}

// folds yields [first, last] for each foldable range of an indented text: a line
// that is followed by more deeply indented lines, and the last of those. Line
// numbers start at 1. It takes linear time with a stack of open lines.
export function* folds(text) {
  const open = []; // {line, column}
  let previous = { line: 0, column: 0 };
  let n = 0;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    n++;
    let column = start;
    while (column < end && text[column] === " ") column++;
    if (column < end) {
      column -= start;
      if (previous.line > 0 && column > previous.column) open.push(previous);
      while (open.length > 0 && open.at(-1).column >= column) yield [open.pop().line, previous.line];
      previous = { line: n, column };
    }
    start = end + 1;
  }
  while (open.length > 0) yield [open.pop().line, previous.line];
}

// tokens yields [kind, start, end]. kind is key, string, number, word or mark.
export function tokens(text, mediaType) {
  switch (mediaType) {
    case "application/json": return json(text);
    case "application/yaml": return yaml(text);
    case "application/jwt": return jwt(text);
    default: return [];
  }
}

const jsonToken = /"(?:[^"\\\n]|\\.)*"?|-?[0-9][0-9.eE+-]*|true|false|null|[{}[\],:]/g;

function* json(text) {
  let pending; // a string that is a key if a colon follows
  for (const match of text.matchAll(jsonToken)) {
    const token = match[0];
    const at = [match.index, match.index + token.length];
    if (pending) yield [token === ":" ? "key" : "string", ...pending];
    pending = undefined;
    if (token[0] === '"') pending = at;
    else if (/[-0-9]/.test(token[0])) yield ["number", ...at];
    else yield [token.length > 1 ? "word" : "mark", ...at];
  }
  if (pending) yield ["string", ...pending];
}

function* jwt(text) {
  const part = /[^.\s]*/y;
  part.lastIndex = text.length - text.trimStart().length;
  for (const kind of ["key", "string", "word"]) {
    const start = part.lastIndex;
    part.test(text);
    yield [kind, start, part.lastIndex];
    if (text[part.lastIndex] !== ".") return;
    part.lastIndex++;
  }
}

// yaml yields the tokens of each line: keys, scalars, comments and block scalars.
function* yaml(text) {
  let block = -1; // column of the key or dash that the block scalar belongs to
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    let at = start;
    while (text[at] === " " && at < end) at++;
    if (block >= 0 && (at - start > block || at === end)) {
      if (at < end) yield ["string", at, end];
    } else {
      block = -1;
      let parent = at - start; // column of the key or dash that a block scalar would belong to
      while (at < end && (text[at] === "-" || text[at] === "?") && (text[at + 1] === " " || at + 1 === end)) {
        yield ["mark", at, at + 1];
        parent = at - start;
        at = Math.min(end, at + 2);
      }
      const value = yield* yamlKey(text, at, end);
      if (value > at) parent = at - start;
      if (value < end) yield scalar(text, value, end);
      if (/[|>][-+0-9]{0,2}$/.test(text.slice(Math.max(value, end - 4), end))) block = parent;
    }
    start = end + 1;
  }
}

// yamlKey yields the tokens of a key. It returns the offset where the value starts,
// or start if there is no key.
function* yamlKey(text, start, end) {
  let colon;
  if (text[start] === '"' || text[start] === "'") {
    colon = quoteEnd(text, start, end);
    if (text[colon] !== ":") return start;
  } else {
    const line = text.slice(start, end);
    const found = line.indexOf(": ");
    if (line[0] === "#" || (found < 0 && !line.endsWith(":"))) return start;
    colon = start + (found < 0 ? line.length - 1 : found);
  }
  yield ["key", start, colon];
  yield ["mark", colon, colon + 1];
  let value = colon + 1;
  while (text[value] === " " && value < end) value++;
  return value;
}

function quoteEnd(text, start, end) {
  for (let at = start + 1; at < end; at++) {
    if (text[at] === "\\" && text[start] === '"') at++;
    else if (text[at] === text[start]) return at + 1;
  }
  return end;
}

function scalar(text, start, end) {
  const value = text.slice(start, Math.min(end, start + 64));
  if (value[0] === "#") return ["mark", start, end];
  if (/^-?[0-9][0-9_.]*(?:[eE][-+]?[0-9]+)?$/.test(value)) return ["number", start, end];
  if (/^(?:true|false|null|~)$/.test(value)) return ["word", start, end];
  if (/^(?:\[\]|\{\}|[|>][-+0-9]{0,2})$/.test(value)) return ["mark", start, end];
  return ["string", start, end];
}
