// What the pages look like and whom they shut out: axe-core in both themes and
// three widths, screenshots for people to look at, reduced motion, speed.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { accessible, base, browserName, chromiumOnly, close, open, output, problem, shot, type, withPage } from "./browser.mjs";

after(close);

const input = JSON.stringify({ name: "Ada Lovelace", born: 1815, tags: ["math", "poetry"], address: { city: "London", zip: null, ok: true }, note: "first line\nsecond line", scores: [1.5, -7] }, null, 2);

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1440, 1024, 390]) {
    if (browserName === "firefox" && width === (colorScheme === "dark" ? 1440 : 1024)) continue; // where each takes longer
    test(`${colorScheme}, ${width} px`, async () => {
      const name = (what) => `${what}-${width}-${colorScheme}`;
      await withPage({ colorScheme, viewport: { width, height: width < 500 ? 844 : 900 }, hasTouch: width < 500 }, async (page) => {
        const fits = async (what) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what} is wider than the window`);
        const look = async (what, full) => {
          await fits(what);
          await accessible(page, name(what));
          await shot(page, name(what), full);
        };
        await open(page);
        await look("editor-empty", width < 500);
        await open(page, "r=1&s=json_format,indent:4&s=json_to_yaml");
        await type(page, input);
        await output(page);
        await page.locator("#kept summary").click();
        await page.locator(".adder .add").click();
        await look("editor-result");
        await page.locator("#output").scrollIntoViewIfNeeded();
        await page.locator("#output .text").first().waitFor();
        await page.waitForTimeout(300); // a frame for what has come into view
        await shot(page, name("editor-output"));
        await open(page, "r=1&s=timestamp_to_iso,unit:seconds");
        await open(page, "r=1&s=timestamp_to_iso");
        await type(page, "2023-11-14T23:13:20+01:00");
        await page.locator("#warnings").waitFor();
        await look("editor-warning");
        await open(page, "r=1&s=json_format&s=json_to_yaml");
        await type(page, '{\n  "a": 1,\n  "a": 2\n}');
        await problem(page);
        await look("editor-problem", width < 500);
        await page.goto("about:blank");
        await open(page, "r=7&s=json_format");
        await look("editor-bad-link");
        for (const [what, path] of [["front", "/"], ["problems", "/problems"], ["problem", "/problems/duplicate_key"], ["unknown", "/problems/nothing"]]) {
          await page.goto(base + path);
          await look(what, true);
        }
      });
    });
  }
}

test("reduced motion is respected", async () => {
  await withPage({ reducedMotion: "reduce" }, async (page) => {
    await open(page);
    const seconds = await page.$eval(".switch input", (node) => parseFloat(getComputedStyle(node).transitionDuration));
    assert.ok(seconds < 0.001, `${seconds} s`);
  });
});

test("focus can be seen on everything that takes it", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format");
    await type(page, "[1]");
    await output(page);
    await page.evaluate(() => document.activeElement.blur());
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press("Tab");
      const unseen = await page.evaluate(() => {
        const node = document.activeElement;
        if (node === document.body) return "";
        const ring = (n) => getComputedStyle(n).outlineStyle !== "none" && parseFloat(getComputedStyle(n).outlineWidth) > 0;
        const panel = node.closest(".panel");
        const byPanel = node.matches("textarea, .view") && getComputedStyle(panel).borderTopColor === getComputedStyle(node).caretColor;
        return ring(node) || byPanel || (node.matches(".view") && getComputedStyle(panel).boxShadow.includes("1px")) ? "" : node.outerHTML.slice(0, 90);
      });
      assert.equal(unseen, "");
    }
  });
});

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
  await page.locator("#live").click();
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
    const best = {}; // of each phase, in milliseconds
    const bounds = { opening: 120, scrolling: 120, "an option": 120, tree: 120, compare: 120, text: 120, key: 32, own: 8 };
    const good = () => Object.entries(bounds).every(([name, most]) => best[name] <= most);
    for (let attempt = 0; attempt < 10 && !good(); attempt++) {
      await withPage({}, async (page) => {
        const found = await work(page, text);
        assert.deepEqual(JSON.parse(await output(page)), rows);
        await shot(page, `large-${what.replace(" ", "-")}`);
        const { keys, own } = await typing(page);
        Object.assign(found, { key: middle(keys), own: middle(own) });
        for (const [name, time] of Object.entries(found)) best[name] = Math.min(best[name] ?? Infinity, time);
        console.log(`# 900 KB, ${what}, the longest task in ms: ${JSON.stringify(found)}; keys: ${keys.join(", ")}`);
      });
    }
    assert.ok(good(), JSON.stringify(best));
  });
}
