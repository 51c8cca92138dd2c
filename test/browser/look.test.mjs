// What the pages look like and whom they shut out: axe-core in both themes and
// three widths, screenshots for people to look at, reduced motion.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { accessible, base, browserName, close, open, openAnew, output, problem, shot, type, wear, withPage } from "./browser.mjs";

after(close);

const input = JSON.stringify({ name: "Ada Lovelace", born: 1815, tags: ["math", "poetry"], address: { city: "London", zip: null, ok: true }, note: "first line\nsecond line", scores: [1.5, -7] }, null, 2);

test("focus can be seen on everything that takes it", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format");
    await type(page, "[1]");
    await output(page);
    const look = () => page.evaluate(() => {
      const node = document.activeElement;
      if (node === document.body) return "the end";
      const ring = (n) => getComputedStyle(n).outlineStyle !== "none" && parseFloat(getComputedStyle(n).outlineWidth) > 0;
      const panel = node.closest(".panel");
      const byPanel = node.matches("textarea, .view") && getComputedStyle(panel).borderTopColor === getComputedStyle(node).caretColor;
      return ring(node) || byPanel || (node.matches(".view") && getComputedStyle(panel).boxShadow.includes("1px")) ? "" : node.outerHTML.slice(0, 90);
    });
    await page.locator(".skip").focus();
    let seen = 0;
    for (let unseen = await look(); unseen !== "the end"; unseen = await look()) { // behind it comes the browser's own
      assert.equal(unseen, "");
      assert.ok(++seen < 100, "Tab never leaves the page");
      await page.keyboard.press("Tab");
    }
    assert.ok(seen > 30, `only ${seen} take it`);
  });
});

// What the page wears in turn at each width; in Firefox, where each takes longer
// and colours are the browser's own, there are fewer.
const looks = browserName === "chromium" ? [[1440, "light", "dark"], [1024, "light", "dark"], [390, "light", "dark"]]
  : [[1440, "light"], [390, "light"], [1024, "dark"], [390, "dark"]];

for (const [width, ...schemes] of looks) {
  test(`${width} px, ${schemes.join(" and ")}`, () =>
    withPage({ colorScheme: schemes[0], viewport: { width, height: width < 500 ? 844 : 900 }, hasTouch: width < 500 }, async (page) => {
      const each = async (what, act) => {
        for (const colorScheme of schemes) {
          await wear(page, { colorScheme });
          await act(`${what}-${width}-${colorScheme}`);
        }
      };
      const look = async (what, full) => {
        await each(what, async (name) => {
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than the window`);
          await accessible(page, name);
          await shot(page, name, full);
        });
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
      await each("editor-output", (name) => shot(page, name));
      await open(page, "r=1&s=timestamp_to_iso,unit:seconds");
      await open(page, "r=1&s=timestamp_to_iso");
      await type(page, "2023-11-14T23:13:20+01:00");
      await page.locator("#warnings").waitFor();
      await look("editor-warning");
      await open(page, "r=1&s=json_format&s=json_to_yaml");
      await type(page, '{\n  "a": 1,\n  "a": 2\n}');
      await problem(page);
      await look("editor-problem", width < 500);
      await openAnew(page, "r=7&s=json_format");
      await look("editor-bad-link");
      for (const [what, path] of [["front", "/"], ["problems", "/problems"], ["problem", "/problems/duplicate_key"], ["unknown", "/problems/nothing"]]) {
        await page.goto(base + path);
        await look(what, true);
      }
    }));
}

test("reduced motion is respected", async () => {
  await withPage({ reducedMotion: "reduce" }, async (page) => {
    await open(page);
    const seconds = await page.$eval(".switch input", (node) => parseFloat(getComputedStyle(node).transitionDuration));
    assert.ok(seconds < 0.001, `${seconds} s`);
  });
});
