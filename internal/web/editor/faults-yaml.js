// Finds faults in invalid YAML (YAML 1.2.2), as faults.js does for JSON. It detects
// what indentation, colons, quotes and brackets reveal line by line, and returns a
// hint for each fault. It makes one pass over the lines and takes linear time.

const most = 100; // faults reported at most
const readLimit = 300_000; // longer sources are not checked
const closers = { "[": "]", "{": "}" };

// faults returns the faults of a YAML source in order, in the format of faults.js.
// It returns none for a source that uses complex keys or directives, which it does
// not parse.
export function faults(text) {
  if (text.length > readLimit || /^[ -]*\? |^%/m.test(text)) return [];
  const reader = new Reader(text);
  reader.document();
  return reader.found.sort((a, b) => a.start - b.start);
}

class Reader {
  found = [];
  #text;
  #at = 0; // where the next line begins
  #levels = []; // {column, names}; names is undefined for a list
  #plain; // {column, at, own}: a plain scalar that deeper lines continue; own is the column where it starts
  #block = -1; // column of the key or list that has a block scalar; deeper lines belong to the scalar

  constructor(text) {
    this.#text = text;
  }

  #fault(start, end, title, hint, fix) {
    if (this.found.length < most) this.found.push({ start, end: Math.max(end, start + 1), title, hint, fix });
  }

  document() {
    while (this.#at < this.#text.length && this.found.length < most) {
      const start = this.#at;
      const end = this.#end(start);
      this.#at = end + 1;
      this.#line(start, end);
    }
  }

  #end(start) {
    const end = this.#text.indexOf("\n", start);
    return end < 0 ? this.#text.length : end;
  }

  #line(start, end) {
    const line = this.#text.slice(start, end).trimEnd();
    const space = /^[ \t]*/.exec(line)[0];
    if (space.length === line.length) return;
    const column = space.length;
    if (this.#block >= 0 && column > this.#block) return;
    this.#block = -1;
    if (line[column] === "#") return;
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(line)) {
      this.#levels = [];
      this.#plain = undefined;
      return;
    }
    if (this.#goesOn(line, start, column)) return;
    if (space.includes("\t")) {
      this.#fault(start, start + column, "Tab in the indentation", "Indent with spaces.", { start, end: start + column, text: space.replaceAll("\t", "  "), name: "Use spaces" });
    }
    this.#leave(start, column, /^-(?:\s|$)/.test(line.slice(column)));
    this.#content(line, start, column);
  }

  // goesOn reports whether a line continues the plain scalar of the line before.
  #goesOn(line, start, column) {
    const plain = this.#plain;
    if (!plain || column <= plain.column) {
      this.#plain = undefined;
      return false;
    }
    if (key(line, column) < 0 || line[column] === "-") return true;
    this.#plain = undefined;
    if (plain.own === column) {
      if (this.#spaceMissing(plain.at)) return false;
    } else {
      this.#fault(start, start + column, "Unexpected indentation", "The line above already has a value. Give both lines the same indentation.");
    }
    return true;
  }

  // spaceMissing reports a fault for name:value where a name is expected, and
  // returns whether it found one.
  #spaceMissing(at) {
    const found = /^[\w$.-]+:(?=[^\s/])/.exec(this.#text.slice(at, Math.min(this.#end(at), at + 200)));
    if (!found) return false;
    const colon = at + found[0].length;
    this.#fault(at, colon, "Missing space after the colon", "Add a space between the colon and the value.", { start: colon, end: colon, text: " ", name: "Insert a space" });
    return true;
  }

  // leave closes the levels that end before a line at this column.
  #leave(start, column, dash) {
    const levels = this.#levels;
    let left = false;
    while (levels.length > 0 && (levels.at(-1).column > column || (levels.at(-1).column === column && !levels.at(-1).names && !dash))) {
      left = levels.pop().column > column;
    }
    if (left && (levels.at(-1)?.column ?? -1) < column) {
      this.#fault(start, start + column, "Inconsistent indentation", `Indent it like a line above${levels.length > 0 ? `, for example with ${levels.at(-1).column} spaces` : ""}.`);
    }
  }

  // content parses the content of a line from column on: dashes, a name, a value.
  #content(line, start, column) {
    const levels = this.#levels;
    const outer = () => levels.at(-1)?.column ?? -1;
    while (line[column] === "-" && (column + 1 === line.length || line[column + 1] === " ")) {
      if (outer() < column || levels.at(-1).names) levels.push({ column });
      column++;
      while (line[column] === " ") column++;
      if (column >= line.length) return;
    }
    const colon = key(line, column);
    if (colon < 0) {
      const due = levels.at(-1)?.names && outer() === column;
      if (!due) this.#value(line, start, column, outer());
      else if (!this.#spaceMissing(start + column)) this.#fault(start + column, start + line.length, "Line without a colon", "Write a name, a colon, a space and a value. To continue a text, indent the line more.");
      return;
    }
    if (outer() < column) levels.push({ column, names: new Set() });
    const { names } = levels.at(-1);
    const name = line.slice(column, colon).trim().replace(/^(["'])(.*)\1$/, "$2");
    if (names?.has(name) && name !== "<<") this.#fault(start + column, start + colon, "Duplicate name", "Remove or rename one of the two.");
    names?.add(name);
    this.#value(line, start, colon + 1, column);
  }

  // value parses the value at index at of a line. column is the column of its name
  // or list.
  #value(line, start, at, column) {
    const before = /^\s*(?:[&!]\S*\s+)*/.exec(line.slice(at))[0].length;
    at += before;
    const c = line[at];
    if (c === undefined || c === "#" || c === "*" || ((c === "&" || c === "!") && !line.slice(at).includes(" "))) return;
    if (/^[|>][-+0-9]{0,2}\s*(?:#.*)?$/.test(line.slice(at))) {
      this.#block = column;
    } else if (c === '"' || c === "'") {
      const end = this.#quoted(start + at, column);
      if (end >= 0) this.#after(end);
    } else if (c === "[" || c === "{") {
      this.#flow(start + at, column);
    } else {
      this.#unquoted(line, start, at, column);
    }
  }

  // unquoted parses the first line of a plain scalar.
  #unquoted(line, start, at, column) {
    const text = line.slice(at).replace(/\s#.*$/, "").trimEnd();
    const end = start + at + text.length;
    const quote = { start: start + at, end, text: JSON.stringify(text), name: "Put it in quotes" };
    if (/^[@`%]/.test(text)) this.#fault(start + at, end, `Text that starts with ${text[0]}`, "Put it in quotes.", quote);
    else if (/:(?:\s|$)/.test(text)) this.#fault(start + at, end, "Colon in unquoted text", "Put the text in quotes, or what follows on a separate line.", quote);
    else this.#plain = { column, at: start + at, own: at };
  }

  // after reports a fault for anything but a comment or colon after a closing quote
  // or bracket.
  #after(at) {
    const end = this.#end(at);
    this.#at = end + 1;
    const rest = this.#text.slice(at, end).trimEnd();
    const first = rest.length - rest.trimStart().length;
    if (rest === "" || "#:".includes(rest[first])) return;
    this.#fault(at + first, at + rest.length, "Text after a value", "Only a comment may follow a closing quote or bracket.");
  }

  // ends reports whether the line at start belongs to the enclosing block, so that
  // an open quote or bracket must end before it.
  #ends(start, column) {
    const line = this.#text.slice(start, Math.min(this.#end(start), start + 400));
    const own = /^[ \t]*/.exec(line)[0].length;
    return own < line.length && own <= column && (key(line, own) >= 0 || /^- /.test(line.slice(own)));
  }

  // quoted returns the offset after the closing quote, or -1 if the string is not
  // closed.
  #quoted(start, column) {
    const quote = this.#text[start];
    for (let at = start + 1; at < this.#text.length; at++) {
      const c = this.#text[at];
      if (c === "\n" && this.#ends(at + 1, column)) return this.#unclosed(start, at);
      if (c === quote && quote === "'" && this.#text[at + 1] === "'") at++;
      else if (c === quote) return at + 1;
      else if (c === "\\" && quote === '"') {
        if (!/[0abtnvfre "/\\N_LPxuU\t\r\n]/.test(this.#text[at + 1] ?? " ")) {
          this.#fault(at, at + 2, "Invalid escape", "Double the backslash.", { start: at, end: at, text: "\\", name: "Double the backslash" });
        }
        at++;
      }
    }
    return this.#unclosed(start, this.#text.length);
  }

  #unclosed(start, end) {
    const at = this.#text.slice(0, end).trimEnd().length;
    this.#fault(start, start + 1, "Unclosed quote", "Add the closing quote.", { start: at, end: at, text: this.#text[start], name: "Close the quote" });
    this.#at = end + 1;
    return -1;
  }

  // flow parses up to the bracket that closes the one at start.
  #flow(start, column) {
    const open = [];
    for (let at = start; at < this.#text.length; at++) {
      const c = this.#text[at];
      const before = this.#text[at - 1];
      if (c === "[" || c === "{") open.push(c);
      else if (c === "]" || c === "}") {
        const bracket = open.pop();
        if (closers[bracket] !== c) this.#fault(at, at + 1, `${c} does not match ${bracket}`, `Write ${closers[bracket]} here.`, { start: at, end: at + 1, text: closers[bracket], name: `Write ${closers[bracket]}` });
        if (open.length === 0) return this.#after(at + 1);
      } else if (c === "#" && /\s/.test(before)) at = this.#end(at) - 1;
      else if ((c === '"' || c === "'") && /[\s[{,:]/.test(before)) {
        at = this.#quoted(at, column) - 1;
        if (at < 0) return undefined;
      } else if (c === "\n" && this.#ends(at + 1, column)) return this.#neverClosed(start, at, open);
    }
    return this.#neverClosed(start, this.#text.length, open);
  }

  #neverClosed(start, end, open) {
    const at = this.#text.slice(0, end).trimEnd().length;
    const missing = open.map((bracket) => closers[bracket]).reverse().join("");
    this.#fault(start, start + 1, `Unclosed ${open.at(-1)}`, `Add ${missing} after it.`, open.length > 100 ? undefined : { start: at, end: at, text: missing, name: `Add ${missing}` });
    this.#at = end + 1;
  }
}

// key returns the index of the colon after the name at column, or -1 if there is no
// name.
function key(line, column) {
  if (line[column] === '"' || line[column] === "'") {
    const found = /(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*:(?=\s|$)/y;
    found.lastIndex = column;
    return found.test(line) ? found.lastIndex - 1 : -1;
  }
  if (/[[{#|>@`%]/.test(line[column] ?? "#")) return -1;
  const colon = /:(?=\s|$)| #/g;
  colon.lastIndex = column;
  const found = colon.exec(line);
  return found && found[0] === ":" ? found.index : -1;
}
