// Tests large documents: counts the nodes and highlight ranges that the editor adds
// to the page.

import assert from "node:assert/strict";
import { openAnew, output, pageTest, shot } from "./browser.mjs";

const rows = (size) => {
  const list = [];
  for (let i = 0, sum = 0; sum < size; i++) {
    list.push({ id: i, name: `Person ${i}, of a street in a town in a land`, email: `person.${i}@example.com`, score: i / 8, tags: ["a", "b"] });
    sum += JSON.stringify(list.at(-1)).length + 1;
  }
  return list;
};

// count makes a page count the nodes that are added to it.
const count = (page) => page.evaluate(() => {
  globalThis.added = 0;
  const all = (node) => 1 + [...node.childNodes].reduce((sum, child) => sum + all(child), 0);
  globalThis.observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) globalThis.added += all(node);
  });
  globalThis.observer.observe(document.body, { childList: true, subtree: true });
});

// drawn waits until the visible part is rendered and returns the number of nodes
// added since the last call.
const drawn = (page) => page.evaluate(async () => {
  for (let i = 0; i < 4; i++) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve));
  return globalThis.added - (globalThis.added = 0);
});

const ranges = (page) => page.evaluate(() => [...CSS.highlights.values()].reduce((sum, { size }) => sum + size, 0));

// work opens a document, shows its result in every view and types into it. It
// returns the number of nodes that each phase adds.
async function work(page, list, separator) {
  const text = JSON.stringify(list).replaceAll("},", separator);
  await openAnew(page, "r=1&s=json_format,indent:1");
  await count(page);
  const phases = {};
  const phase = async (name, act) => {
    await act();
    phases[name] = await drawn(page);
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
  assert.deepEqual(JSON.parse(await output(page)), list);
  for (const view of ["tree", "compare", "text"]) await phase(view, () => page.locator(`#view-${view}`).click());
  await page.locator("#live").uncheck();
  await page.$eval("#input", (area) => {
    area.focus();
    area.setSelectionRange(area.value.length / 2, area.value.length / 2);
  });
  await page.keyboard.press("x");
  await drawn(page);
  await phase("five keys", () => page.keyboard.type("xxxxx"));
  return phases;
}

for (const [what, separator] of [["one line", "},"], ["many lines", "},\n"]]) {
  pageTest(`900 KB in ${what}: nodes that each action adds`, async (page) => {
    const half = await work(page, rows(450_000), separator);
    const full = await work(page, rows(900_000), separator);
    const found = `nodes added at 450 KB and at 900 KB: ${JSON.stringify({ half, full })}`;
    console.log(`${what}, ${found}`);
    // A new result adds two nodes per block of 50 lines. The number of other nodes
    // depends on the visible part, not on the size of the document.
    for (const phase of ["opening", "an option"]) assert.ok(full[phase] < 6_000 && full[phase] < 2.2 * half[phase], found);
    for (const phase of ["scrolling", "tree", "compare", "text"]) assert.ok(full[phase] < 5_000, found);
    assert.ok(full["five keys"] < 50, found);
    await shot(page, `large-${what.replace(" ", "-")}`);
  });
}

pageTest("documents of nothing but brackets: only what is near the window is coloured", async (page) => {
  for (const text of [`[${"[],".repeat(19_000)}0]`, `[${"[],\n".repeat(4_000)}0]`, `[${"[],\n".repeat(14_000)}0]`]) {
    await openAnew(page, "r=1&s=json_format,indent:1");
    await page.evaluate((value) => { // sets the value at once, like a paste
      const area = document.getElementById("input");
      area.value = value;
      area.dispatchEvent(new Event("input"));
    }, text);
    await output(page);
    await drawn(page);
    const all = await ranges(page);
    assert.ok(all > 100 && all < 10_000, `${all} ranges`);
  }
});
