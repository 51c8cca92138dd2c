// The editor's own small readers of text, as modules in its page: tokens for
// colours, places, media types.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { close, open, output, serveModules, type, withPage } from "./browser.mjs";

after(close);

// inPage runs a function with the module text.js of the page.
const inPage = (page, source, argument) => page.evaluate(async ([body, given]) => {
  const text = await import("/modules/text.js");
  return globalThis.acts[body](text, given);
}, [source, argument]);

test("the readers of text", (t) => withPage({}, async (page) => {
  await page.addInitScript(() => {
    globalThis.acts = {
      tokens: (m, [text, type]) => [...m.tokens(text, type)].map(([kind, start, end]) => [kind, text.slice(start, end)]),
      offset: (m, [text, place]) => m.offset(text, place),
      place: (m, detail) => m.place(detail) ?? null,
      guess: (m, [text, accepted]) => m.guess(text, accepted),
      check: (m, [type, seed, rounds]) => {
        let state = seed;
        const random = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
        const alphabet = ['"', "'", "\\", "\n", " ", "  ", ":", ": ", "- ", "#", "|", "|-", ">", "{", "}", "[", "]", ",", "1", "-1.5e3", "a", "é", "😀", "true", "null", "."];
        for (let i = 0; i < rounds; i++) {
          let text = "";
          for (let n = random(60); n > 0; n--) text += alphabet[random(alphabet.length)];
          let last = 0;
          for (const [kind, start, end] of m.tokens(text, type)) {
            if (start < last || end < start || end > text.length || text.slice(start, end).includes("\n")) return `${JSON.stringify(text)}: ${kind} ${start} ${end}`;
            last = end;
          }
        }
        return "";
      },
      time: (m, [text, type]) => {
        const start = performance.now();
        let n = 0;
        for (const token of m.tokens(text, type)) n += token.length;
        return performance.now() - start + (n < 0 ? 1 : 0);
      },
    };
  });
  await serveModules(page);
  await open(page);

  await t.test("JSON, YAML and JWT have their colours", async () => {
    assert.deepEqual(await inPage(page, "tokens", ['{"a\\"": ["b", -1.5e3, true]}', "application/json"]), [
      ["mark", "{"], ["key", '"a\\""'], ["mark", ":"], ["mark", "["], ["string", '"b"'], ["mark", ","], ["number", "-1.5e3"],
      ["mark", ","], ["word", "true"], ["mark", "]"], ["mark", "}"],
    ]);
    assert.deepEqual(await inPage(page, "tokens", ['a: 1\n"on": no way\nb:\n  - c: |-\n      x: 1\n\n      y\n    d: null\n  - {}\n  - |\n    z: 1\n# e: 1\n', "application/yaml"]), [
      ["key", "a"], ["mark", ":"], ["number", "1"], ["key", '"on"'], ["mark", ":"], ["string", "no way"], ["key", "b"], ["mark", ":"],
      ["mark", "-"], ["key", "c"], ["mark", ":"], ["mark", "|-"], ["string", "x: 1"], ["string", "y"],
      ["key", "d"], ["mark", ":"], ["word", "null"], ["mark", "-"], ["mark", "{}"], ["mark", "-"], ["mark", "|"], ["string", "z: 1"], ["mark", "# e: 1"],
    ]);
    assert.deepEqual(await inPage(page, "tokens", ["\n aa.bb.cc\n", "application/jwt"]), [["key", "aa"], ["string", "bb"], ["word", "cc"]]);
    assert.deepEqual(await inPage(page, "tokens", ["plain", "text/plain"]), []);
  });

  await t.test("tokens lie in order, inside the text and inside a line, whatever the text", async () => {
    for (const type of ["application/json", "application/yaml", "application/jwt"]) {
      assert.equal(await inPage(page, "check", [type, 7, 20_000]), "", type);
    }
  });

  await t.test("reading is linear: twice the text takes about twice the time", async () => {
    for (const piece of ['"', "\\", '"\\', "[", " ", "- ", "? ", "a: ", "'", '"a" ', "\n", " \n", "1", "-", "|\n "]) {
      for (const mediaType of ["application/json", "application/yaml", "application/jwt"]) {
        const took = await inPage(page, "time", [piece.repeat(400_000 / piece.length), mediaType]);
        assert.ok(took < 1000, `${JSON.stringify(piece)} as ${mediaType}: ${took} ms`);
      }
    }
  });

  await t.test("places count lines from 1 and columns in code points", async () => {
    for (const [text, line, column, want] of [
      ["abc", 1, 1, [0, 1]], ["abc", 1, 3, [2, 3]], ["a\nbc", 2, 2, [3, 4]], ["😀x", 1, 2, [2, 3]], ["😀x", 1, 1, [0, 2]],
      ["ab\nc", 1, 9, [2, 3]], ["ab", 9, 9, [2, 2]], ["", 1, 1, [0, 0]],
    ]) assert.deepEqual(await inPage(page, "offset", [text, { line, column }]), want, JSON.stringify([text, line, column]));
    assert.deepEqual(await inPage(page, "place", "Bad. (line 12, column 7)"), { line: 12, column: 7 });
    assert.equal(await inPage(page, "place", "Bad (line 12, column 7), and more."), null);
    assert.equal(await inPage(page, "place", "The number is too large."), null);
  });

  await t.test("a text's media type is guessed among those that are accepted", async () => {
    const all = ["application/json", "application/yaml", "text/plain"];
    for (const [text, accepted, want] of [
      ['{"a": 1}', all, "application/json"], ["openapi: 3.1.0\n", all, "application/yaml"], ["curl https://example.com", all, "text/plain"],
      ["", all, "text/plain"], ["# c\ncurl https://example.com", all, "text/plain"], ["# c\nopenapi: 3.1.0\n", all, "application/yaml"], ["{}", ["text/plain"], "text/plain"], ["a.b.c", [...all, "application/jwt"], "application/jwt"],
    ]) assert.equal(await inPage(page, "guess", [text, accepted]), want, text);
  });
}));

test("colours follow the window", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format,indent:1");
  await type(page, `[${"1,".repeat(3_000)}2]`);
  await output(page);
  const coloured = () => page.evaluate(() => {
    const seen = document.getElementById("output").getBoundingClientRect();
    return [...CSS.highlights.get("number")].filter((range) => {
      const live = document.createRange();
      live.setStart(range.startContainer, range.startOffset);
      live.setEnd(range.endContainer, range.endOffset);
      const box = live.getBoundingClientRect();
      return box.height > 0 && box.left >= seen.left && box.top >= seen.top && box.bottom <= seen.bottom;
    }).length;
  });
  const first = await coloured();
  assert.ok(first > 10, `${first} numbers have their colour`);
  await page.$eval("#output", (node) => node.scrollTo(0, node.scrollHeight / 2));
  await page.waitForTimeout(300);
  const then = await coloured();
  assert.ok(then > 10, `${then} numbers have their colour after scrolling`);
}));
