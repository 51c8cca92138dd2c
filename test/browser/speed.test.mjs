// What measures time, apart from the other tests: these run one at a time, with
// no other test beside them.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { chromiumOnly, close, open, output, shot, withPage } from "./browser.mjs";

after(close);

// What else the machine does can only add to a time: of several attempts the
// best counts, and all of them are printed.

test("usable within 200 ms of navigation", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format"); // connections and code are warm
  const times = [];
  for (let i = 0; i < 40 && !(Math.min(...times) <= 200); i++) {
    await page.goto("about:blank");
    await open(page, "r=1&s=json_format");
    times.push(await page.evaluate(() => performance.getEntriesByName("ready")[0].startTime));
  }
  times.sort((a, b) => a - b);
  console.log(`# usable after ${times.map((t) => t.toFixed(0)).join(", ")} ms`);
  assert.ok(times[0] <= 200, `the shortest is ${times[0]} ms`);
}));

const size = 900_000; // characters
const rows = [];
for (let i = 0, sum = 0; sum < size; i++) {
  rows.push({ id: i, name: `Person ${i}, of a street in a town in a land`, email: `person.${i}@example.com`, score: i / 8, tags: ["a", "b"] });
  sum += JSON.stringify(rows.at(-1)).length + 1;
}

// watch notes long tasks and, of each key, the time until what it did is painted
// (Event Timing) and what of it is the page's own scripts.
const watch = (page) => page.evaluate(() => {
  globalThis.long = [];
  globalThis.keys = [];
  globalThis.own = [];
  new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map(({ duration }) => Math.round(duration)))).observe({ type: "longtask" });
  new PerformanceObserver((list) => {
    for (const { name, duration, processingStart, processingEnd } of list.getEntries()) {
      if (name === "keydown") globalThis.keys.push(Math.round(duration));
      if (name === "input") globalThis.own.push(Math.round(processingEnd - processingStart));
    }
  }).observe({ type: "event", durationThreshold: 16 });
});
const taken = (page, name) => page.evaluate((n) => globalThis[n].splice(0), name);

// work opens a text of 900 KB and reads its result in every way; it returns the
// longest task of each phase.
async function work(page, text) {
  await open(page, "r=1&s=json_format,indent:1");
  await watch(page);
  const phases = {};
  const phase = async (name, act) => {
    await act();
    await page.waitForTimeout(200);
    phases[name] = Math.max(0, ...await taken(page, "long"));
  };
  const result = (start) => page.waitForFunction((s) => document.querySelector("body:not(.stale) #output .text")?.textContent.startsWith(s), start);
  await phase("opening", async () => {
    await page.setInputFiles("#file", { name: "rows.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await result("[\n {");
  });
  await phase("scrolling", async () => {
    await page.locator("#output").hover();
    for (let i = 0; i < 10; i++) await page.mouse.wheel(0, 20_000);
  });
  await phase("an option", async () => {
    await page.locator("#step-1 input").focus();
    await page.keyboard.press("ArrowRight");
    await result("[\n  {");
  });
  for (const view of ["tree", "compare", "text"]) await phase(view, () => page.locator(`#view-${view}`).click());
  return phases;
}

async function typing(page) {
  await page.locator("#live").uncheck();
  await page.$eval("#input", (area) => {
    area.focus();
    area.setSelectionRange(area.value.length / 2, area.value.length / 2);
  });
  await page.keyboard.press("x");
  await page.waitForTimeout(500);
  for (const name of ["keys", "own"]) await taken(page, name);
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("x");
    await page.waitForTimeout(120);
  }
  await page.waitForTimeout(200);
  return { keys: await taken(page, "keys"), own: await taken(page, "own") };
}

const middle = (list) => list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0;

// Chromium lays a text area out anew at each change: 900 KB in one line take it
// 40 to 56 ms a key in an empty page; the editor shows such a line in pieces.
for (const [what, text] of [
  ["one line", JSON.stringify(rows)],
  ["many lines", JSON.stringify(rows).replaceAll("},", "},\n")],
]) {
  test(`a document of 900 KB, ${what}: long tasks and typing`, chromiumOnly("Firefox tells of no long tasks"), async () => {
    const bounds = { opening: 120, scrolling: 120, "an option": 120, tree: 120, compare: 120, text: 120 };
    const ofKeys = { key: 32, own: 8 };
    const best = {}; // of each phase, in milliseconds
    const good = (most) => Object.entries(most).every(([name, time]) => best[name] <= time);
    const note = (found) => {
      for (const [name, time] of Object.entries(found)) best[name] = Math.min(best[name] ?? Infinity, time);
    };
    for (let attempt = 0; attempt < 10 && !(good(bounds) && good(ofKeys)); attempt++) {
      await withPage({}, async (page) => {
        const found = await work(page, text);
        note(found);
        console.log(`# 900 KB, ${what}, the longest task in ms: ${JSON.stringify(found)}`);
        assert.deepEqual(JSON.parse(await output(page)), rows);
        if (attempt === 0) await shot(page, `large-${what.replace(" ", "-")}`);
        for (let round = 0; round < 3 && !good(ofKeys); round++) {
          const { keys, own } = await typing(page);
          note({ key: middle(keys), own: middle(own) });
          console.log(`# 900 KB, ${what}, keys in ms: ${keys.join(", ")}`);
        }
      });
    }
    assert.ok(good({ ...bounds, ...ofKeys }), JSON.stringify(best));
  });
}

test("texts of nothing but tokens do not freeze the page", chromiumOnly("Firefox tells of no long tasks"), async () => {
  for (const [what, text] of [["one line", `[${"[],".repeat(19_000)}0]`], ["lines", `[${"[],\n".repeat(4_000)}0]`], ["more lines", `[${"[],\n".repeat(14_000)}0]`]]) {
    await withPage({}, async (page) => {
      await open(page, "r=1&s=json_format,indent:1");
      await page.evaluate(() => {
        globalThis.long = [];
        new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map((entry) => Math.round(entry.duration)))).observe({ type: "longtask" });
      });
      await page.evaluate((value) => {
        const area = document.getElementById("input");
        area.value = value;
        area.dispatchEvent(new Event("input"));
      }, text);
      await page.waitForSelector("body:not(.stale) #output .block", { state: "attached" });
      await page.waitForTimeout(300);
      const long = await page.evaluate(() => globalThis.long);
      console.log(`# ${what} of brackets: long tasks of ${long.join(", ") || "none"} ms`);
      assert.ok(Math.max(0, ...long) < 600, `a task of ${Math.max(...long)} ms`);
    });
  }
});

// description is an API description of 350 KB.
function description() {
  const paths = {};
  for (let i = 0; JSON.stringify(paths).length < 350e3; i++) {
    paths[`/things/{id}/parts${i}`] = { get: { summary: `Part ${i}`, operationId: `part${i}`,
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }, { name: "q", in: "query", schema: { type: "integer", example: i } }],
      responses: { 200: { description: "A part", content: { "application/json": { schema: { type: "object", properties: { id: { type: "string" }, n: { type: "integer" } } } } } } } } };
  }
  return JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, servers: [{ url: "https://api.example.com" }], paths });
}

test("the first result is there soon, and 61 MiB are formatted", { timeout: 120_000 }, async () => {
  await withPage({}, async (page) => {
    await open(page);
    const took = await page.evaluate(async (text) => {
      const { engine: folder, size, base, provider, version } = document.getElementById("place").dataset;
      const { Engine } = await import(`${folder}/engine.js`);
      // What else the machine does can only add to a time: the best counts.
      let engine;
      let first = Infinity;
      for (let i = 0; i < 8 && !(first < 1500); i++) {
        engine?.stop();
        const begin = performance.now();
        engine = new Engine({ folder, size: Number(size), baseURL: base, provider, version });
        await engine.call("/v1/tools/json_format", { input: { mediaType: "application/json", value: "[1]" }, options: {} });
        first = Math.min(first, performance.now() - begin);
      }
      const call = async (tool, value, options) => {
        const start = performance.now();
        const answer = await engine.call(`/v1/tools/${tool}`, { input: { mediaType: "application/json", value }, options });
        if (answer.status !== 200) throw new Error(`status ${answer.status}`);
        return { took: Math.round(performance.now() - start), value: JSON.parse(answer.text).output.value };
      };
      const convert = [];
      for (let i = 0; i < 5; i++) convert.push((await call("api_convert", text, { target: "postman-2.1" })).took);
      const large = `[${"1234567,".repeat(8e6)}1]`;
      const formatted = await call("json_format", large, { indent: 0 });
      if (formatted.value !== large) throw new Error("61 MiB are not what they were");
      return { first, convert, large: formatted.took };
    }, description());
    console.log(`first result ${Math.round(took.first)} ms, 350 KB to Postman ${took.convert} ms, 61 MiB formatted ${took.large} ms`);
    assert.ok(took.first < 1500, `the first result took ${took.first} ms`);
  });
});

// Processor time, in the same JavaScript engine without the browser: other work
// on the machine does not count.
test("350 KB of OpenAPI become a collection in 150 ms", { timeout: 120_000, ...chromiumOnly("it is in no browser") }, async () => {
  const folder = new URL("../../internal/web/engine/", import.meta.url);
  await import(new URL("wasm_exec.js", folder));
  const go = new globalThis.Go();
  const { instance } = await WebAssembly.instantiate(brotliDecompressSync(await readFile(new URL("engine.wasm.br", folder))), go.importObject);
  go.run(instance);
  const call = globalThis.start("http://127.0.0.1", "convertd", "1.0.0");
  const body = new TextEncoder().encode(JSON.stringify({ input: { mediaType: "application/json", value: description() }, options: { target: "postman-2.1" } }));
  const times = [];
  for (let i = 0; i < 60 && !(Math.min(...times) < 150); i++) {
    const before = process.cpuUsage();
    const { status } = call("/v1/tools/api_convert", body);
    const { user, system } = process.cpuUsage(before);
    assert.equal(status, 200);
    times.push(Math.round((user + system) / 1000));
  }
  console.log(`350 KB to Postman: ${times} ms of processor time`);
  assert.ok(Math.min(...times) < 150, `${times} ms`);
});
