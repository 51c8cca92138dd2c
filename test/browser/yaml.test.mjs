// Faults of YAML that was refused: all that can be known, each with its hint.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { accessible, api, close, open, output, problem, serveModules, shot, type, withPage } from "./browser.mjs";

after(close);

const broken = `openapi: 3.0.3
info:
  title: Shop
  version:1
  description: orders: now and then
servers:
  - url: "https://shop.test
paths:
  /orders:
    get:
      summary: @all
      tags: [a, b
      responses: {200: {description: "\\d+"}}
`;

test("each fault is told with its hint and place, and all are mended by one key", () => withPage({}, async (page) => {
  await open(page, "r=1&s=api_convert,target:curl");
  await type(page, broken);
  const told = await problem(page);
  assert.match(told, /The text is not valid YAML\. \(line \d+, column \d+\)/);
  for (const [title, line] of [["No space after the colon", 4], ["A colon in text without quotes", 5], ["A quote that is not closed", 7], ["Text that begins with @", 11], ["The \\[ is never closed", 12], ["An escape that YAML does not have", 13]]) {
    assert.match(told, new RegExp(`${title}[^]*?Line ${line}\\n`), title);
  }
  await accessible(page, "faults of YAML");
  await shot(page, "faults-yaml");
  await page.locator("#problem li button", { hasText: "Line 11" }).click();
  assert.equal(await page.$eval("#input", (area) => area.value.slice(area.selectionStart, area.selectionEnd)), "@all");
  const [, key] = /Mend all 6\s*Alt (\d)/.exec(told);
  await page.keyboard.press(`Alt+${key}`);
  assert.match(await output(page), /shop\.test\/orders/);
  await page.locator("#input").focus();
  await page.keyboard.press("Control+z");
  await problem(page);
  assert.equal(await page.inputValue("#input"), broken);
}));

// faultsOf runs the page's checks on texts.
const faultsOf = (page, texts) => page.evaluate(async (all) => {
  const { faults } = await import("/modules/faults-yaml.js");
  return all.map((text) => faults(text).map(({ title }) => title));
}, texts);

test("one fault each, and none in what only looks like it", () => withPage({}, async (page) => {
  await serveModules(page);
  await open(page);
  const wrong = {
    "a:\n\tb: 1\n": "A tab as indentation", "a: 1\na: 2\n": "A name stands twice in one mapping", "a:\n    b: 1\n  c: 2\n": "An indentation that fits no line above",
    "a: 1\n  b: 2\n": "Indented deeper than its place", "a: 'x\nb: 2\n": "A quote that is not closed", "a: {b: [1}}\n": "A } closes a [", 'a: "x" y\n': "Text behind a value",
    "a: 1\nb\n": "A line that is no name with a value", "- a: b: c\n": "A colon in text without quotes", "a:\n  b:1\n  c: 2\n": "No space after the colon",
  };
  assert.deepEqual(await faultsOf(page, Object.keys(wrong)), Object.values(wrong).map((title) => [title]));
  const sound = ["a: |\n  b: c: d\n \tx\n", "a:\n- b\n- c: d\n  e: f\ng: h\n", "a: https://x.test:80/y\nb: 'it''s'\n", "a: text\n  that goes on\n  and on\n", "? a\n: b\n", "a: &x {b: [1,\n  2]}\nc: *x\n",
    "---\na: 1\n---\na: 2\n", 'a: "x\n  y: z"\nb: c # d: e\n', "- - a: 1\n    b: 2\n  - c\n", "a: >-\n\n  x\n\nb: !!str 1\n", "plain\n", "a: [b, # c: d\n  e]\n", '"a b": "c\\\n  d"\n'];
  assert.deepEqual(await faultsOf(page, sound), sound.map(() => []));
}));

const corpus = new URL("../../../shared/corpus/apiconvert/openapi/", import.meta.url);

test("sound descriptions have none, and no text takes long", { skip: !existsSync(corpus) && "the corpus is not here" }, () => withPage({}, async (page) => {
  await serveModules(page);
  await open(page);
  const names = (await readdir(corpus)).filter((name) => /\.ya?ml$/.test(name));
  assert.ok(names.length > 10);
  for (const name of names) {
    const value = await readFile(new URL(name, corpus), "utf8");
    if (/^\s*\{/.test(value) || value.length > 900_000) continue;
    const { code } = await api("/v1/tools/api_convert", { input: { mediaType: "application/yaml", value }, options: { target: "curl" } });
    if (code === "invalid_source") continue;
    assert.deepEqual(await faultsOf(page, [value]), [[]], name);
  }
  const slow = await page.evaluate(async () => {
    const { faults } = await import("/modules/faults-yaml.js");
    for (const piece of ['"', "'", "[", "{", "- ", "a: ", "a:\n", " \n", "\t", "|\n ", "x\n", "a: [\n", 'a: "\n', "a:b\n", "\\", "&a "]) {
      const start = performance.now();
      faults(piece.repeat(Math.floor(290_000 / piece.length)));
      if (performance.now() - start > 1500) return piece;
    }
    return "";
  });
  assert.equal(slow, "");
}));
