// Finds the faults in a JSON source. The server reports only the first one. These
// checks find as many as they can, each with a hint and, if it can be automated, a
// fix.

const most = 100; // faults
const readLimit = 300_000; // longer sources are not checked
const fixLimit = 10_000_000; // characters that fixAll reads in total

// faults returns the faults of a JSON source (RFC 8259) in order, as {start, end,
// title, hint, fix}. fix is undefined or {start, end, text, name}, where text
// replaces the range.
export function faults(text) {
  if (text.length > readLimit) return [];
  const reader = new Reader(text);
  reader.document();
  return reader.found.sort((a, b) => a.start - b.start);
}

// fixAll applies one fix after another until none remains or its character budget is
// spent. list returns the faults of a source.
export function fixAll(text, list = faults) {
  for (let left = fixLimit; left > 0; left -= text.length) {
    const fix = list(text).find((fault) => fault.fix)?.fix;
    if (!fix) break;
    text = text.slice(0, fix.start) + fix.text + text.slice(fix.end);
  }
  return text;
}

const words = { True: "true", False: "false", None: "null", undefined: "null", nil: "null", NULL: "null", TRUE: "true", FALSE: "false", Null: "null" };
const notClosed = "Unclosed string";
const closers = { "[": "]", "{": "}" };

// Reader parses JSON and recovers after each fault. It loops over tokens with a
// stack and takes linear time.
class Reader {
  found = [];
  #text;
  #at = 0;

  constructor(text) {
    this.#text = text;
  }

  #fault(start, end, title, hint, fix) {
    if (this.found.length < most) this.found.push({ start, end: Math.min(this.#text.length, Math.max(end, start + 1)), title, hint, fix });
  }

  document() {
    const open = []; // {bracket, at, names}
    let expect = "value"; // value, first (value or end), name, firstName, colon, comma, end
    for (;;) {
      const token = this.#token();
      if (!token || this.found.length >= most) break;
      const { kind, start, end, text } = token;
      const inner = open.at(-1);
      if (kind === "open") {
        if (expect === "comma") this.#missingComma(start);
        else if (!["value", "first"].includes(expect)) this.#unexpected(token, expect);
        open.push({ bracket: text, at: start, names: text === "{" ? new Map() : undefined });
        expect = text === "{" ? "firstName" : "first";
      } else if (kind === "close") {
        if (!inner) {
          this.#fault(start, end, `Unmatched ${text}`, "Remove it, or add the opening bracket.", { start, end, text: "", name: `Remove ${text}` });
          continue;
        }
        if (closers[inner.bracket] !== text) {
          this.#fault(start, end, `${text} does not match ${inner.bracket}`, `Write ${closers[inner.bracket]} here.`, { start, end, text: closers[inner.bracket], name: `Write ${closers[inner.bracket]}` });
        } else if (["value", "name"].includes(expect) && this.#comma) {
          this.#fault(...this.#comma, "Trailing comma", "Remove it.", { start: this.#comma[0], end: this.#comma[1], text: "", name: "Remove the comma" });
        } else if (expect === "colon" || expect === "value") {
          this.#fault(start, end, "Missing value", "Write a value before the bracket.");
        }
        open.pop();
        expect = open.length === 0 ? "end" : "comma";
      } else if (kind === "comma") {
        if (expect === "comma") {
          this.#comma = [start, end];
          expect = inner.bracket === "{" ? "name" : "value";
          continue;
        }
        this.#fault(start, end, "Extra comma", "Remove it.", { start, end, text: "", name: "Remove the comma" });
      } else if (kind === "colon") {
        if (expect === "colon") expect = "value";
        else this.#fault(start, end, "Unexpected colon", "A colon separates a name from its value.");
      } else {
        expect = this.#scalar(token, expect, inner);
      }
      if (kind !== "comma") this.#comma = undefined;
    }
    if (this.found.length >= most) return;
    const end = this.#text.trimEnd().length;
    if (open.length > 0) {
      const missing = open.map(({ bracket }) => closers[bracket]).reverse().join("");
      const comma = ["value", "name"].includes(expect) ? this.#comma : undefined;
      const unclear = this.found.some(({ title }) => title === notClosed);
      this.#fault(open.at(-1).at, open.at(-1).at + 1, `Unclosed ${open.at(-1).bracket}`, `Add ${missing} at the end.`,
        unclear || open.length > 100 || expect === "colon" || (expect === "value" && !comma) ? undefined : { start: comma?.[0] ?? end, end, text: missing, name: `Add ${missing} at the end` });
    }
  }

  #comma; // the last token, if it was a valid comma

  #scalar(token, expect, inner) {
    const { start, end, kind } = token;
    if (expect === "comma") {
      this.#missingComma(start);
      expect = inner.bracket === "{" ? "name" : "value";
    } else if (expect === "end") {
      this.#fault(start, end, "More than one value", "Remove what follows the first value, or put all values into one array.");
    } else if (expect === "colon") {
      this.#fault(start, end, "Missing colon", "Write a colon between the name and its value.", { start, end: start, text: ": ", name: "Insert a colon" });
      expect = "value";
    }
    if (expect === "name" || expect === "firstName") {
      if (kind === "string") this.#name(token, inner);
      else this.#fault(start, end, "Name without quotes", "Write names in double quotes.", { start, end, text: JSON.stringify(token.text), name: "Add quotes" });
      return "colon";
    }
    if (kind === "word") this.#word(token);
    if (kind === "number") this.#number(token);
    return expect === "end" || !inner ? "end" : "comma";
  }

  #missingComma(at) {
    const before = this.#text.slice(0, at).trimEnd().length;
    this.#fault(at, at + 1, "Missing comma", "Separate values with a comma.", { start: before, end: before, text: ",", name: "Insert a comma" });
  }

  #unexpected({ start, end }, expect) {
    if (expect === "end") this.#fault(start, end, "More than one value", "Remove what follows the first value, or put all values into one array.");
    else if (expect === "colon") this.#fault(start, end, "Missing colon", "Write a colon between the name and its value.", { start, end: start, text: ": ", name: "Insert a colon" });
    else this.#fault(start, end, "Missing name", "A member is a name in double quotes, a colon and a value.");
  }

  // name reports duplicate names in an object. It compares names after unescaping
  // them.
  #name({ start, end, text }, inner) {
    let name = text;
    try {
      name = JSON.parse(text);
    } catch {
      // The invalid string was already reported.
    }
    const first = inner.names.get(name);
    if (first === undefined) inner.names.set(name, start);
    else this.#fault(start, end, "Duplicate name", "Remove or rename one of the two.");
  }

  #word({ start, end, text }) {
    if (["true", "false", "null"].includes(text)) return;
    const right = Object.hasOwn(words, text) ? words[text] : undefined;
    if (right) this.#fault(start, end, `${text} is not JSON`, `Write ${right}.`, { start, end, text: right, name: `Write ${right}` });
    else if (/^[-+]?(?:NaN|Infinity)$/.test(text)) this.#fault(start, end, "Not a JSON number", "Write null, or a string.", { start, end, text: "null", name: "Write null" });
    else this.#fault(start, end, "Text without quotes", "Put it in double quotes.", { start, end, text: JSON.stringify(text), name: "Add quotes" });
  }

  #number({ start, end, text }) {
    if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(text)) return;
    const right = text.replace(/^\+/, "").replace(/^(-?)\./, "$10.").replace(/\.(?=$|[eE])/, "").replace(/^(-?)0+(?=\d)/, "$1");
    const valid = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(right);
    this.#fault(start, end, "Invalid number", "A number has digits on both sides of the decimal point, no plus sign and no leading zeros.",
      valid ? { start, end, text: right, name: `Write ${right.length > 20 ? "it as JSON does" : right}` } : undefined);
  }

  // token returns the next token, {kind, start, end, text}.
  #token() {
    for (;;) {
      const space = /[ \t\r\n]*/y;
      space.lastIndex = this.#at;
      space.test(this.#text);
      const start = space.lastIndex;
      if (start >= this.#text.length) return undefined;
      const c = this.#text[start];
      this.#at = start + 1;
      if (c === "{" || c === "[") return { kind: "open", start, end: start + 1, text: c };
      if (c === "}" || c === "]") return { kind: "close", start, end: start + 1, text: c };
      if (c === ",") return { kind: "comma", start, end: start + 1, text: c };
      if (c === ":") return { kind: "colon", start, end: start + 1, text: c };
      if (c === '"') return this.#string(start);
      if ("'`“”‘’„«".includes(c)) return this.#otherQuotes(start, c);
      if (c === "/" || c === "#") {
        this.#comment(start);
        continue;
      }
      const run = /[^\s{}[\],:"'/#`“”‘’]+/y;
      run.lastIndex = start;
      if (!run.test(this.#text)) {
        this.#fault(start, start + 1, "Unexpected character", "Remove it, or put the text in double quotes.", { start, end: start + 1, text: "", name: "Remove it" });
        continue;
      }
      this.#at = run.lastIndex;
      const text = this.#text.slice(start, this.#at);
      return { kind: /^[-+.]?[0-9.]/.test(text) ? "number" : "word", start, end: this.#at, text };
    }
  }

  // string reads up to the closing quote, or to the end of the line if there is
  // none.
  #string(start) {
    let at = start + 1;
    for (; at < this.#text.length; at++) {
      const c = this.#text[at];
      if (c === '"') break;
      if (c === "\\") {
        const escape = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
        escape.lastIndex = at;
        if (escape.test(this.#text)) at = escape.lastIndex - 1;
        else {
          this.#fault(at, at + 2, "Invalid escape", "Double the backslash.", { start: at, end: at, text: "\\", name: "Double the backslash" });
          at++;
        }
      } else if (c === "\n" && this.#goesOn(at + 1)) {
        this.#fault(at, at + 1, "Line break in a string", "Write \\n.", { start: at, end: at + 1, text: "\\n", name: "Write \\n" });
      } else if (c === "\n" || c === "\r") {
        this.#fault(start, start + 1, notClosed, "Add the closing double quote. A line break within a string is written \\n.", this.#closing(start, at));
        this.#at = at;
        return { kind: "string", start, end: at, text: this.#text.slice(start, at) };
      } else if (c < " ") {
        const right = c === "\t" ? "\\t" : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
        this.#fault(at, at + 1, "Control character in a string", `Write ${right}.`, { start: at, end: at + 1, text: right, name: `Write ${right}` });
      }
    }
    this.#at = Math.min(at + 1, this.#text.length);
    if (at >= this.#text.length) this.#fault(start, start + 1, notClosed, "Add the closing double quote.", this.#closing(start, at));
    return { kind: "string", start, end: this.#at, text: this.#text.slice(start, this.#at) };
  }

  // goesOn reports whether a string that contains a line break is closed on the next
  // line, at a position where a string may end.
  #goesOn(at) {
    const rest = /[^"\\\n]*(?:\\.[^"\\\n]*)*"\s*[,}\]]/y;
    rest.lastIndex = at;
    return rest.test(this.#text);
  }

  // closing inserts the closing quote before the commas and brackets at the end of
  // the line.
  #closing(start, end) {
    const line = this.#text.slice(start, end);
    const at = start + line.replace(/[\s,}\]]*$/, "").length;
    return at > start ? { start: at, end: at, text: '"', name: "Close the string" } : undefined;
  }

  #otherQuotes(start, quote) {
    const closing = { "“": "”", "„": "“”", "‘": "’", "«": "»" }[quote] ?? quote;
    let end = start + 1;
    while (end < this.#text.length && !closing.includes(this.#text[end]) && this.#text[end] !== "\n") end += this.#text[end] === "\\" ? 2 : 1;
    const closed = end < this.#text.length && this.#text[end] !== "\n";
    const inner = this.#text.slice(start + 1, end).replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"');
    end = Math.min(closed ? end + 1 : end, this.#text.length);
    const text = `"${inner}"`;
    this.#fault(start, end, "Wrong quotation marks", 'Use double quotes (").', closed ? { start, end, text, name: "Use double quotes" } : undefined);
    this.#at = end;
    return { kind: "string", start, end, text };
  }

  #comment(start) {
    const block = this.#text.startsWith("/*", start);
    const line = this.#text.startsWith("//", start) || this.#text[start] === "#";
    const found = block ? this.#text.indexOf("*/", start + 2) : this.#text.indexOf("\n", start);
    const end = !block && !line ? start + 1 : found < 0 ? this.#text.length : block ? found + 2 : found;
    this.#fault(start, end, block || line ? "Comment" : "Unexpected character", "JSON has no comments. Remove it.", { start, end, text: "", name: "Remove it" });
    this.#at = end;
  }
}
