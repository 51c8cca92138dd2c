// Measures the editor in a browser and prints one row per measurement: NAME, a
// tab, and the median of several rounds in milliseconds. test/bench runs it:
//
//	CONVERTD_URL=http://127.0.0.1:8080 CONVERTD_BROWSER=firefox node bench.mjs ROUNDS

import { newContext, base, browserName } from "./browser.mjs";

const rounds = Number(process.argv[2] ?? 5);
const rows = [];
for (let i = 0, sum = 0; sum < 900_000; i++) {
  rows.push({ id: i, name: `Person ${i}, of a street in a town in a land`, email: `person.${i}@example.com`, score: i / 8, tags: ["a", "b"] });
  sum += JSON.stringify(rows.at(-1)).length + 1;
}
const large = JSON.stringify(rows);
const token = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from('{"sub":"ann"}').toString("base64url")}.`;

const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

// paste measures the time from a paste until the browser paints its preview.
async function paste(page, text) {
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.locator("#input").focus();
  await page.evaluate(() => {
    addEventListener("paste", () => (globalThis.pasted = performance.now()), { capture: true, once: true });
    globalThis.shown = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector("#output .block")) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      }).observe(document.getElementById("output"), { childList: true });
    });
  });
  await page.keyboard.press("Control+v");
  return page.evaluate(async () => await globalThis.shown - globalThis.pasted);
}

const context = await newContext();
const page = await context.newPage();
const figures = {
  "the editor is ready after navigation": () => page.evaluate(() => performance.getEntriesByName("ready")[0].startTime),
  "paste to preview, a token": () => paste(page, token),
  "paste to preview, 900 KB of JSON": () => paste(page, large),
};
for (const [name, measure] of Object.entries(figures)) {
  const times = [];
  for (let i = 0; i <= rounds; i++) {
    await page.goto("about:blank");
    await page.goto(`${base}/editor`);
    await page.waitForSelector("body.ready");
    const time = await measure();
    if (i > 0) times.push(time); // the first round is a warm-up
  }
  console.log(`${browserName}: ${name}\t${median(times).toFixed(1)}`);
}
await context.close();
process.exit(0);
