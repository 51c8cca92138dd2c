// What is wrong in YAML text (YAML 1.2.2) that was refused, as faults.js has it
// for JSON: what can be told line by line from indentation, colons, quotes and
// brackets, each with its hint. One pass over the lines, linear in the text.

const most = 100; // faults that are looked for
const readLimit = 300_000; // characters of a text that is checked
const closers = { "[": "]", "{": "}" };

// faults lists those of a text in order, as faults of faults.js; none are told of
// a text with what this does not read: complex keys and directives.
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
  #levels = []; // {column, names}, names undefined of a list
  #plain; // {column, at, own}: text that deeper lines go on with; own is its own column
  #block = -1; // column of what has a literal block, which deeper lines are

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

  // goesOn reports whether a line belongs to the text of the one before.
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

  // spaceMissing tells of name:value where a name is due.
  #spaceMissing(at) {
    const found = /^[\w$.-]+:(?=[^\s/])/.exec(this.#text.slice(at, Math.min(this.#end(at), at + 200)));
    if (!found) return false;
    const colon = at + found[0].length;
    this.#fault(at, colon, "Missing space after the colon", "Add a space between the colon and the value.", { start: colon, end: colon, text: " ", name: "Insert a space" });
    return true;
  }

  // leave closes the levels that a line at a column ends.
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

  // content reads what stands at a column of a line: dashes, a name, a value.
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

  // value reads the value at a place of a line; column is that of its name or
  // list.
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

  // unquoted reads the first line of text without quotes.
  #unquoted(line, start, at, column) {
    const text = line.slice(at).replace(/\s#.*$/, "").trimEnd();
    const end = start + at + text.length;
    const quote = { start: start + at, end, text: JSON.stringify(text), name: "Put it in quotes" };
    if (/^[@`%]/.test(text)) this.#fault(start + at, end, `Text that starts with ${text[0]}`, "Put it in quotes.", quote);
    else if (/:(?:\s|$)/.test(text)) this.#fault(start + at, end, "Colon in unquoted text", "Put the text in quotes, or what follows on a separate line.", quote);
    else this.#plain = { column, at: start + at, own: at };
  }

  // after tells of what stands behind a closing quote or bracket.
  #after(at) {
    const end = this.#end(at);
    this.#at = end + 1;
    const rest = this.#text.slice(at, end).trimEnd();
    const first = rest.length - rest.trimStart().length;
    if (rest === "" || "#:".includes(rest[first])) return;
    this.#fault(at + first, at + rest.length, "Text after a value", "Only a comment may follow a closing quote or bracket.");
  }

  // ends reports whether the line at a place, in what is open, belongs to what
  // lies around it.
  #ends(start, column) {
    const line = this.#text.slice(start, Math.min(this.#end(start), start + 400));
    const own = /^[ \t]*/.exec(line)[0].length;
    return own < line.length && own <= column && (key(line, own) >= 0 || /^- /.test(line.slice(own)));
  }

  // quoted returns where a text in quotes ends, -1 when it is not closed.
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

  // flow reads to the bracket that closes the one at a place.
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

// key is where the colon behind the name at a column of a line stands, -1 where
// no name does.
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
