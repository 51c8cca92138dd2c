// What the pages look like and whom they shut out: axe-core in both themes and
// three widths, screenshots for people to look at, reduced motion, speed.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { accessible, base, close, open, output, problem, shot, type, withPage } from "./browser.mjs";

after(close);

const input = JSON.stringify({ name: "Ada Lovelace", born: 1815, tags: ["math", "poetry"], address: { city: "London", zip: null, ok: true }, note: "first line\nsecond line", scores: [1.5, -7] }, null, 2);

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1440, 1024, 390]) {
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

test("usable within 300 ms of navigation", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format"); // connections and code are warm
    const times = [];
    for (let i = 0; i < 8; i++) {
      await page.goto("about:blank");
      await open(page, "r=1&s=json_format");
      times.push(await page.evaluate(() => performance.getEntriesByName("ready")[0].startTime));
    }
    times.sort((a, b) => a - b);
    console.log(`# usable after ${times.map((t) => t.toFixed(0)).join(", ")} ms`);
    // What else the machine does can only add to it.
    assert.ok(times[0] < 300, `the shortest is ${times[0]} ms`);
  });
});

test("a document of 600 KB formats without freezing the page", async () => {
  const rows = [];
  for (let i = 0, size = 0; size < 600_000; i++) {
    rows.push({ id: i, name: `Person ${i}`, email: `person.${i}@example.com`, score: i / 8, tags: ["a", "b"] });
    size += JSON.stringify(rows.at(-1)).length + 1;
  }
  for (const [what, text] of [["one line", JSON.stringify(rows)], ["many lines", JSON.stringify(rows).replaceAll("},", "},\n")]]) {
    // What else the machine does can only add to it: the best of three counts.
    let longest = Infinity;
    for (let attempt = 0; attempt < 3 && longest >= 300; attempt++) {
      await withPage({}, async (page) => {
        await open(page, "r=1&s=json_format");
        await page.evaluate(() => {
          globalThis.long = [];
          new PerformanceObserver((list) => globalThis.long.push(...list.getEntries().map((entry) => Math.round(entry.duration)))).observe({ type: "longtask" });
        });
        await page.setInputFiles("#file", { name: "rows.json", mimeType: "application/json", buffer: Buffer.from(text) });
        await page.waitForSelector("body:not(.stale) #output .block", { state: "attached" });
        const area = await page.locator("#input").boundingBox();
        assert.ok(area.width > 300 && area.x < 200, `the input lies at ${area.x}, ${area.width} px wide`);
        await page.locator("#output").hover();
        for (let i = 0; i < 10; i++) await page.mouse.wheel(0, 20_000);
        await page.locator("#step-1 input").focus();
        await page.keyboard.press("ArrowLeft");
        await page.waitForFunction(() => document.querySelector("#output .text")?.textContent.includes('\n  {'), undefined);
        await page.waitForTimeout(300);
        const long = await page.evaluate(() => globalThis.long);
        console.log(`# 600 KB, ${what}: long tasks of ${long.join(", ") || "none"} ms`);
        longest = Math.min(longest, Math.max(0, ...long));
        assert.deepEqual(JSON.parse(await output(page)), rows);
        await shot(page, `large-${what.replace(" ", "-")}`);
      });
    }
    assert.ok(longest < 300, `a task of ${longest} ms`);
  }
});
