// Reading what came out: wrapped lines, find, folds, the tree, full screen,
// widths, undo, kept recipes in a file, several files.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { accessible, browserName, chromiumOnly, close, open, output, saved, serveModules, shot, type, withPage } from "./browser.mjs";

after(close);

const rows = JSON.stringify({ list: Array.from({ length: 300 }, (_, i) => ({ id: i, name: `n${i}` })), "a/b": { "~": 1.5 } }).replace("1.5", "1.50");
const formatted = async (page, text = rows, recipe = "r=1&s=json_format") => {
  await open(page, recipe);
  await type(page, text);
  return output(page);
};

// until polls what a page is about to show.
const until = async (get, want) => {
  let got;
  for (let left = 50; left > 0; left--) {
    got = await get();
    if (got === want) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.equal(got, want);
};

test("long lines are wrapped unless that is turned off, and it stays so", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format,indent:0");
  await type(page, `["${"word ".repeat(200)}"]`);
  await output(page);
  const wide = () => page.$eval("#output", (node) => node.scrollWidth > node.clientWidth + 2);
  const numbers = () => page.$eval("#input-code .gutter", (node) => node.textContent.split("\n").length);
  assert.equal(await wide(), false);
  assert.ok(await numbers() > 5, "the number of a wrapped line takes as many rows");
  await page.keyboard.press("Alt+z");
  assert.equal(await wide(), true);
  await open(page, "r=1&s=json_format,indent:0");
  assert.equal(await page.getAttribute("#wrap-output", "aria-pressed"), "false");
}));

test("find counts, goes on, goes round and opens what is folded", () => withPage({}, async (page) => {
  await formatted(page);
  await page.locator("#output").focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("N29");
  const facts = page.locator("#output-panel .places");
  assert.equal(await facts.innerText(), "1 of 11"); // n29 and n290 to n299
  await page.keyboard.press("Shift+Enter");
  assert.equal(await facts.innerText(), "11 of 11");
  const seen = () => page.evaluate(() => {
    const [range] = CSS.highlights.get("current");
    if (!range) return "not marked";
    const live = document.createRange();
    live.setStart(range.startContainer, range.startOffset);
    live.setEnd(range.endContainer, range.endOffset);
    const box = live.getBoundingClientRect();
    const view = document.getElementById("output").getBoundingClientRect();
    return box.height > 0 && box.top >= view.top && box.bottom <= view.bottom ? live.toString() : "out of view";
  });
  await until(seen, "n29");
  await page.keyboard.press("Escape");
  await page.locator("#fold").click();
  assert.ok(await page.locator("#output .line:visible").count() < 20);
  await page.locator("#output").focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("n150");
  await until(seen, "n150");
}));

test("who scrolls right after finding is not scrolled back", () => withPage({}, async (page) => {
  await formatted(page);
  await page.locator("#output").focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("n29");
  assert.equal(await page.evaluate(async () => {
    document.querySelector("#output-panel [title='Next place']").click();
    await new Promise(requestAnimationFrame);
    document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    scrollTo(0, 0);
    await new Promise((resolve) => setTimeout(resolve, 400));
    return scrollY;
  }), 0);
}));

test("find in an input of any length", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, `[${'"aa",'.repeat(40_000)}"needle"]`);
  await page.locator("#input").focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("needle");
  assert.equal(await page.locator("#input-panel .places").innerText(), "1 of 1");
  assert.equal(await page.$eval("#input", (area) => area.value.slice(area.selectionStart, area.selectionEnd)), "needle");
}));

test("a huge line is shown in pieces that no copy, key or call has", () => withPage({}, async (page) => {
  await serveModules(page);
  await open(page, "r=1&s=json_format,indent:0");
  const text = `["é",${'"a😀b",'.repeat(20_000)}"end"]`;
  const all = async () => {
    await page.locator("#input").focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.locator("#input").focus();
  await page.keyboard.press("Control+v");
  assert.equal(await output(page), text);
  assert.ok(await page.$eval("#input", (area) => area.value.split("\n").every((line) => line.length < 1100)));
  assert.match(await page.$eval("#input-code .gutter", (gutter) => gutter.textContent), /^1\n{100}/);
  assert.equal(await all(), text);
  // Deleting goes over the end of a piece as if it were not there, and is undone.
  const at = await page.$eval("#input", (area) => {
    const end = area.value.indexOf("\n", 50_000) + 1;
    area.setSelectionRange(end, end);
    return area.value.slice(0, end).replace(/[\u2061-\u2064]\n/g, "").length;
  });
  const width = /[\udc00-\udfff]/.test(text[at - 1]) ? 2 : 1;
  await page.keyboard.press("Backspace");
  assert.equal(await all(), text.slice(0, at - width) + text.slice(at));
  await page.keyboard.press("Control+z");
  assert.equal(await all(), text);
  await page.keyboard.press("Control+x");
  assert.equal(await page.inputValue("#input"), "");
  const wrong = await page.evaluate(async () => {
    const { cut, whole, shownAt, rows } = await import("/modules/pieces.js");
    let state = 11;
    const random = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
    for (let i = 0; i < 300; i++) {
      let text = "";
      for (let n = random(6) + 1; n > 0; n--) text += ["x", "😀", "\u2063", "\n"][random(i < 150 ? 2 : 4)].repeat(random(9_000)) + "\n".repeat(random(2));
      const found = cut(text, i % 3 === 0 ? "\u2062" : "");
      if (!found) {
        if (/[^\n]{10001}/.test(text)) return "not cut";
        continue;
      }
      const { shown, mark } = found;
      if (text.includes(mark) || whole(shown, mark) !== text || rows(shown, mark).length !== text.split("\n").length) return JSON.stringify(text.slice(0, 50));
      for (let n = 0; n < 20; n++) {
        const offset = random(text.length + 1);
        const there = shownAt(shown, mark, offset);
        if (whole(shown.slice(0, there), mark) !== text.slice(0, offset) || (offset < text.length && shown[there] !== text[offset])) return `${offset}`;
      }
    }
    return cut("\u2061\u2062\u2063\u2064".repeat(5000)) ? "a mark that the text has" : "";
  });
  assert.equal(wrong, "");
}));

test("the tree: keys, pointers with their escapes, values with their digits", () => withPage({}, async (page) => {
  await formatted(page);
  await page.locator("#view-tree").click();
  await page.locator("#tree [role=treeitem]").first().focus();
  for (const key of ["End", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  assert.equal(await page.locator("#tree-bar code").innerText(), "/a~1b/~0");
  await page.locator("#tree-bar button", { hasText: "Copy value" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "1.50");
  await page.locator("#tree [role=treeitem]").first().focus();
  for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  assert.ok(await page.locator("#tree [role=treeitem]").count() > 200);
  assert.match(await page.locator("#tree [role=treeitem]").last().innerText(), /~|a\/b/);
  await accessible(page, "tree");
  await shot(page, "tree");
}));

test("the tree of YAML", () => withPage({}, async (page) => {
  await formatted(page, '{"a":{"b":[1.50,{"c":"x\\ny\\n"}],"on":"no"}}', "r=1&s=json_to_yaml");
  await page.locator("#view-tree").click();
  await page.locator("#tree [role=treeitem]").first().focus();
  for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  assert.equal(await page.locator("#tree-bar code").innerText(), "/a/b/0");
}));

test("the readers of values, differences, faults and kinds", (t) => withPage({}, async (page) => {
  await serveModules(page);
  await open(page);

  await t.test("outlines hold what the text holds", async () => {
    const wrong = await page.evaluate(async () => {
      const { outline } = await import("/modules/outline.js");
      let state = 5;
      const random = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
      const make = (depth) => {
        const kind = random(depth > 3 ? 3 : 5);
        if (kind === 0) return random(1000) / 8;
        if (kind === 1) return ["", "a\"b", "{[,:]}", "é😀", "\\"][random(5)];
        if (kind === 2) return [true, false, null][random(3)];
        if (kind === 3) return Array.from({ length: random(4) }, () => make(depth + 1));
        return Object.fromEntries(Array.from({ length: random(4) }, (_, i) => [`${["k", "a/b", "", "~", ":"][random(5)]}${i}`, make(depth + 1)]));
      };
      const same = (text, node, value) => JSON.stringify(JSON.parse(text.slice(node.start, node.end))) === JSON.stringify(value)
        && (!node.children || node.children.every((child) => same(text, child, value[child.name])) && node.children.length === Object.keys(value).length);
      for (let i = 0; i < 2000; i++) {
        const value = { x: make(0) };
        const text = JSON.stringify(value, null, random(3));
        if (!same(text, outline(text, "application/json"), value)) return text;
      }
      return "";
    });
    assert.equal(wrong, "");
  });

  await t.test("differences are told line by line, whatever the texts", async () => {
    const wrong = await page.evaluate(async () => {
      const { diff } = await import("/modules/diff.js");
      let state = 9;
      const random = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
      const make = () => Array.from({ length: random(14) }, () => "abc"[random(3)]).join("\n");
      for (let i = 0; i < 5000; i++) {
        const [a, b] = [make(), make()];
        const all = diff(a, b);
        const left = all.filter(({ kind }) => kind !== "in").map(({ text }) => text).join("\n");
        const right = all.filter(({ kind }) => kind !== "out").map(({ text }) => text).join("\n");
        if (left !== a || right !== b) return JSON.stringify([a, b]);
      }
      const long = performance.now();
      diff("a\nb\n".repeat(20_000), "b\nc\na\n".repeat(20_000));
      return performance.now() - long > 3000 ? "too slow" : "";
    });
    assert.equal(wrong, "");
  });

  await t.test("faults: none in sound JSON, one at least in any other, and mending ends", async () => {
    const wrong = await page.evaluate(async () => {
      const { faults } = await import("/modules/faults.js");
      const alphabet = ['"', "'", "\\", "\n", " ", "{", "}", "[", "]", ",", ":", "1", "-", "a", "true", "//", "/*", "*/", "#", "“", "None", ".5"];
      let state = 3;
      const random = (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;
      const sound = (text) => {
        try {
          JSON.parse(text);
          return true;
        } catch {
          return false;
        }
      };
      for (let i = 0; i < 20_000; i++) {
        let text = "";
        for (let n = random(24); n > 0; n--) text += alphabet[random(alphabet.length)];
        const found = faults(text);
        if (sound(text) ? found.some(({ title }) => !title.includes("twice")) : text.trim() !== "" && found.length === 0) return text;
        if (found.some(({ start, end, fix }) => start < 0 || end > text.length || fix && (fix.start > fix.end || fix.end > text.length))) return `a place outside of ${text}`;
      }
      for (const piece of ['"', "[", '{"a":', "'", "“", "/*", "//\n", "\\", '"\\', '"\n', "1 ", "a:"]) {
        const text = piece.repeat(300_000 / piece.length);
        const start = performance.now();
        faults(text);
        if (performance.now() - start > 1500) return `slow on ${piece}`;
      }
      return "";
    });
    assert.equal(wrong, "");
  });

  await t.test("what was pasted is recognised, and texts like none of them are not", async () => {
    const kinds = await page.evaluate(async () => {
      const { recognize } = await import("/modules/recognize.js");
      return [
        "eyJhbGciOiJub25lIn0.e30.", "Authorization: Bearer eyJhbGciOiJFUzI1NiJ9.e30.c2ln", '{"a":1}', "[1", "1700000000", "1700000000123456", "-1000000000.5",
        "2024-02-29T12:00:00+01:00", "Thu, 29 Feb 2024 12:00:00 GMT", '{"info":{"name":"x","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[]}',
        '{"openapi":"3.1.0"}', "swagger: \"2.0\"\ninfo: {}", "# c\nopenapi: 3.0.3\n", "$ curl https://a.test", "curl ^\"https://a.test^\"", "curl.exe `\n  https://a.test",
        "$s = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest -Uri \"https://a.test\"", "a: 1\nb: 2\n",
        "https://convert.example.com/editor#r=1&s=json_format", "hello", "a.b.c", "12", "curling is a sport", "", "v1.2.3",
      ].map((text) => recognize(text)?.kind ?? "");
    });
    assert.deepEqual(kinds, [
      "a JSON Web Token", "a JSON Web Token", "JSON", "JSON", "a Unix time", "a Unix time", "a Unix time", "a date and time", "a date and time", "a Postman collection",
      "an OpenAPI 3.1.0 description", "a Swagger 2.0 description", "an OpenAPI 3.0.3 description", "curl commands", "a curl command of the Windows command prompt",
      "a curl command of PowerShell", "PowerShell", "YAML", "a recipe link", "", "", "", "", "", "",
    ]);
  });
}));

test("full screen, widths by keys, and both stay usable", () => withPage({}, async (page) => {
  await formatted(page);
  await page.locator("#full-output").click();
  const box = await page.locator("#output-panel").boundingBox();
  assert.ok(box.width > 1300 && box.height > 800, JSON.stringify(box));
  await page.locator("#full-output").click();
  const before = (await page.locator("#input-panel").boundingBox()).width;
  await page.locator("#split").focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  const wider = (await page.locator("#input-panel").boundingBox()).width;
  assert.ok(wider > before + 50, `${before} → ${wider}`);
  await open(page, "r=1&s=json_format");
  assert.ok(Math.abs((await page.locator("#input-panel").boundingBox()).width - wider) < 3);
}));

test("the recipe's changes are undone and redone", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format&s=json_to_yaml");
  await page.locator("#step-1 .remove").click();
  await page.locator("#undo").click();
  assert.match(page.url(), /#r=1&s=json_format&s=json_to_yaml$/);
  await page.locator("h2#recipe-title").click();
  await page.keyboard.press("Control+Shift+z");
  assert.match(page.url(), /#r=1&s=json_to_yaml$/);
}));

test("kept recipes go to a file and come back from it; a strange file changes nothing", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format,indent:4");
  await page.locator("#kept summary").click();
  await page.fill("#keep-name", "four");
  await page.locator("#keep").click();
  const { text } = await saved(page, () => page.locator("#kept-save").click());
  assert.deepEqual(JSON.parse(text), [{ name: "four", recipe: "r=1&s=json_format,indent:4" }]);
  await page.locator("#forget").click();
  for (const [strange, said] of [["{}", /holds no recipes/], ["[{\"name\": 1}]", /0 recipes/], [text, /1 recipe kept/]]) {
    await page.setInputFiles("#kept-file", { name: "r.json", mimeType: "application/json", buffer: Buffer.from(strange) });
    await page.waitForFunction((source) => new RegExp(source).test(document.getElementById("status").textContent), said.source);
  }
  await page.locator("#kept-list button", { hasText: "four" }).click();
  assert.match(page.url(), /indent:4$/);
}));

test("several files go through the recipe, each with its own result", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_to_yaml");
  const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  await page.setInputFiles("#file", [file("a.json", '{"a":1}'), file("bad.json", "{"), file("c.json", "[1]")]);
  await page.locator("#batch-all").waitFor();
  assert.match(await page.locator("#batch tr").nth(1).innerText(), /Invalid JSON/);
  assert.deepEqual(await saved(page, () => page.locator("#batch tr").first().locator("button").click()), { name: "a.yaml", text: "a: 1\n" });
  await accessible(page, "files");
  await shot(page, "files");
  await page.keyboard.press("Escape");
}));

test("warnings lead to their place in the source", () => withPage({}, async (page) => {
  await open(page, "r=1&s=api_convert,target:openapi-3.1-yaml");
  await type(page, "# one\ncurl https://a.test/x\n\ncurl https://a.test/y --retry 3\n");
  await output(page);
  await page.locator("#warnings button.link", { hasText: "command 2, line 4" }).first().click();
  assert.equal(await page.$eval("#input", (area) => area.value.slice(0, area.selectionStart).split("\n").length), 4);
  await accessible(page, "warnings");
}));

test("the list of keys, and a target by its card", () => withPage({}, async (page) => {
  await open(page);
  await page.keyboard.press("?");
  assert.match(await page.locator("#keys").innerText(), /Take an offer/);
  await accessible(page, "keys");
  await page.keyboard.press("Escape");
  await page.locator("#tools button", { hasText: "Postman" }).click();
  await page.keyboard.press("Space");
  await page.waitForURL(/target:openapi-3\.2-json$/);
  await page.locator("#step-1 input[value=curl]").check({ force: true });
  await page.waitForURL(/target:curl$/);
  await accessible(page, "cards");
}));

test("on a phone the parts are one touch away", () => withPage({ viewport: { width: 390, height: 844 }, hasTouch: true }, async (page) => {
  await formatted(page);
  await page.locator("#jump-output")[browserName === "chromium" ? "tap" : "click"]();
  await page.waitForFunction(() => {
    const top = document.getElementById("output-panel").getBoundingClientRect().top;
    return top >= 0 && top < 200;
  });
  await shot(page, "phone-output");
}));

for (const [what, options] of [["forced colours", { forcedColors: "active" }], ["200 % zoom", { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }]]) {
  test(`axe finds nothing: ${what}`, options.forcedColors ? chromiumOnly("Firefox takes its own system's colours") : {}, () => withPage(options, async (page) => {
    await open(page, "r=1&s=json_format");
    await type(page, '{"a":[1,],}');
    await page.locator("#problem").waitFor();
    await accessible(page, what);
    await type(page, '{"a":[1]}');
    await output(page);
    await accessible(page, what);
    await shot(page, `axe-${what.split(" ")[0]}`);
  }));
}
