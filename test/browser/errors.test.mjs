// Every kind of error, and links that nobody should have written.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { base, browserName, close, limited, open, openAnew, output, problem, secret, shot, type, withPage, serveModules } from "./browser.mjs";

after(close);

test("an error of the input: title, detail, hint, the marked step, the jump to its place", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format");
    await type(page, `{\n  "😀": 1, "${secret}": 2,\n  "b": 1, "b": 2\n}`);
    const text = await problem(page);
    assert.match(text, /^Duplicate key\n/);
    assert.match(text, /line 3, column 11/);
    assert.match(text, /Remove or rename/);
    assert.ok(await page.locator("#step-1.failed").count());
    assert.match(await page.locator("#status").textContent(), /^Duplicate key/);
    await page.locator("#problem button").click();
    assert.equal(await page.evaluate(() => document.activeElement.id), "input");
    assert.deepEqual(await page.$eval("#input", (area) => [area.selectionStart, area.value.slice(area.selectionStart, area.selectionStart + 3)]),
      [`{\n  "😀": 1, "${secret}": 2,\n  "b": 1, `.length, '"b"']);
    assert.equal(await page.locator("#problem a").getAttribute("href"), "/problems/duplicate_key");
    await type(page, '{"b": 2}');
    await output(page);
    assert.equal(await page.locator("#problem").isVisible(), false);
    assert.equal(await page.locator(".failed").count(), 0);
  });
});

test("columns count code points, also on the line of the fault", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format");
    await type(page, '["😀😀", x]');
    await problem(page);
    await page.locator("#problem button").first().click();
    assert.equal(await page.$eval("#input", (area) => area.value.slice(area.selectionStart, area.selectionEnd)), "x");
  });
});

test("an error of a later step is marked there, and what it was given can be seen", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format,indent:0&s=json_format,indent:8");
    await type(page, `[${"[1],".repeat(90_000)}0]`);
    assert.match(await problem(page), /^Output too large/);
    assert.ok(await page.locator("#step-2.failed").count());
    assert.equal(await page.locator("#step-1.failed").count(), 0);
    await page.locator("#problem button", { hasText: "Show what step 2 was given" }).click();
    await page.waitForSelector("#output .block");
    assert.equal(await page.locator("#output-title").innerText(), "Result of step 1");
  });
});

test("a request over the limit", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format");
    await type(page, `"${"x".repeat(1_100_000)}"`);
    assert.match(await problem(page), /^Request too large/);
    assert.equal(await page.locator(".failed").count(), 0);
  });
});

test("a server that does not answer, and one that fails", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format");
    await page.route("**/v1/tools/**", (route) => route.abort());
    await type(page, "[1]");
    assert.match(await problem(page), /^No answer/);
    await page.unroute("**/v1/tools/**");
    for (const [status, code, title] of [[500, "internal_error", "Internal error"], [503, "overloaded", "Overloaded"]]) {
      await page.route("**/v1/tools/**", (route) => route.fulfill({
        status, headers: { "Retry-After": "1" }, contentType: "application/problem+json",
        body: JSON.stringify({ type: "x", title, status, code, detail: "Detail.", hint: "Hint." }),
      }));
      await page.locator("#run").click();
      await page.locator("#problem h3", { hasText: title }).waitFor();
      assert.match(await problem(page), /Hint\. Retry-After: 1 s\./);
      await page.unroute("**/v1/tools/**");
    }
    for (const [contentType, body] of [["text/html", "<h1>Bad gateway</h1>"], ["application/json", '{"message":"no upstream"}'], ["application/json", "null"]]) {
      await page.route("**/v1/tools/**", (route) => route.fulfill({ status: 502, contentType, body }));
      await page.locator("#run").click();
      await page.locator("#problem h3", { hasText: "Not an answer of this service" }).waitFor();
      assert.match(await problem(page), /status 502[^]*“Run in this page” needs no server/);
      await page.unroute("**/v1/tools/**");
      await page.locator("#run").click();
      assert.match(await output(page), /1/);
    }
    await page.locator("#run").click();
    assert.match(await output(page), /1/);
  });
});

test("the quota: the preview waits politely, the page says so and goes on by itself", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format,indent:0", limited);
    let calls = 0;
    const statuses = [];
    page.on("response", (response) => {
      if (!response.url().includes("/v1/tools/")) return;
      calls++;
      statuses.push(response.status());
    });
    for (let i = 1; i < 30 && !(await page.locator("#waiting").isVisible()); i++) {
      await type(page, `[${i}]`);
      await page.waitForFunction((n) => document.querySelector("#output .text")?.textContent === `[${n}]` || !document.querySelector("#waiting").hidden, i);
    }
    assert.match(await page.locator("#waiting").innerText(), /live preview waits \d+ s/);
    assert.match(await page.locator("#quota").innerText(), /^\d of 10 calls left$/);
    assert.ok(statuses.every((status) => status === 200), "the preview ran into the quota");
    const before = calls;
    await type(page, '["while waiting"]');
    await page.waitForTimeout(1500);
    assert.equal(calls, before, "the preview did not wait");
    await shot(page, "quota");
    for (let i = 0; i < 20 && statuses.at(-1) !== 429; i++) {
      await Promise.all([page.waitForResponse("**/v1/tools/**"), page.locator("#run").click()]);
    }
    assert.equal(statuses.at(-1), 429);
    assert.match(await page.locator("#waiting").innerText(), /runs again in \d+ s/);
    await page.waitForFunction(() => document.querySelector("#output .text")?.textContent === '["while waiting"]', undefined, { timeout: 20_000 });
    assert.equal(statuses.at(-1), 200);
  });
});

test("links that cannot be read run nothing, show nothing of themselves and do nothing", async () => {
  const vectors = JSON.parse(await readFile(new URL("../../internal/recipe/testdata/vectors.json", import.meta.url), "utf8"));
  await withPage({}, async (page, seen) => {
    for (const text of ["r=2&s=json_format", "r=1&s=unknown", "r=1&s=<img src=x onerror=alert(1)>", "r=1&s=__proto__", "r=1&s=json_format,indent:99"]) {
      await openAnew(page, text);
      assert.match(await page.locator("#notice").innerText(), /^This link cannot be opened\. .* Nothing was run\./);
      assert.equal(await page.locator(".step").count(), 0);
      assert.equal(await page.locator("main img").count(), 0);
      await type(page, "[1]");
      await page.waitForTimeout(350);
    }
    assert.ok(!seen.requests.some((address) => /\/v1\/(?:tools|pipeline)/.test(address)));
    // Every vector in the page, by its own parser.
    await serveModules(page);
    const judged = await page.evaluate(async ({ accepted, refused }) => {
        const { parse, format } = await import("/modules/recipe.js");
      const { load } = await import("/modules/description.js");
      const { tools } = await load();
      const read = (text) => {
        try {
          return format(parse(tools, text));
        } catch {
          return undefined;
        }
      };
      return { accepted: accepted.map(({ text }) => read(text)), refused: refused.filter((text) => read(text) !== undefined) };
    }, vectors);
    assert.deepEqual(judged.accepted, vectors.accepted.map(({ canonical }) => canonical));
    assert.deepEqual(judged.refused, []);
  });
});

test("hostile recipes are refused whole, run nothing, say nothing of themselves, and the editor goes on", async () => {
  const recipes = JSON.parse(await readFile(new URL("../attack/testdata/recipes.json", import.meta.url), "utf8"));
  // What no file of JSON and no command line can hold.
  recipes.push({ name: "a lone surrogate", text: "r=1&s=json_format,indent:4\ud800" }, { name: "a NUL", text: "r=1&s=json_format\0" });
  const marker = "hostileMarkerQz7";
  await withPage({}, async (page, seen) => {
    await open(page);
    await type(page, "[1]");
    for (const { name, text, piece = "", times = 0 } of recipes) {
      const before = seen.requests.length;
      const shown = await page.evaluate(async (fragment) => {
        const changed = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
        try {
          location.hash = `#${fragment}`;
        } catch {
          return undefined; // Firefox makes no address of some
        }
        await changed;
        await new Promise((resolve) => setTimeout(resolve, 20));
        return {
          notice: document.querySelector("#notice").innerText,
          steps: document.querySelectorAll(".step").length,
          foreign: document.querySelectorAll("main :is(img, script, iframe, svg[onload]), [autofocus], [onfocus], [onerror]").length,
          prototype: Object.keys(Object.prototype).length + ("polluted" in {} ? 1 : 0),
        };
      }, text + piece.repeat(times));
      if (!shown && browserName === "firefox") continue;
      assert.match(shown.notice, /^This link cannot be opened\. .* Nothing was run\./, name);
      assert.ok(!shown.notice.includes(marker) && shown.notice.length < 300, `${name}: ${shown.notice}`);
      assert.deepEqual([shown.steps, shown.foreign, shown.prototype], [0, 0, 0], name);
      // The browser itself may ask for the icon again.
      assert.deepEqual(seen.requests.slice(before).filter((address) => !address.endsWith("/favicon.svg")), [], name);
    }
    assert.equal(await page.evaluate((m) => m in globalThis, marker), false);
    await page.evaluate(() => { location.hash = "#r=1&s=json_format,indent:0"; });
    await page.waitForSelector(".step");
    await type(page, "[ 2 ]");
    assert.equal(await output(page), "[2]");
    assert.equal(await page.locator("#notice").isVisible(), false);
  });
});

test("hostile text is shown as text, in the input, the output and the programs", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format");
    await type(page, '["</script><img src=x onerror=alert(1)>", "<b>"]');
    assert.match(await output(page), /<img src=x/);
    assert.equal(await page.locator("main :is(img, script), #output :not(.block, .text, .line)").count(), 0);
  });
});

test("without its description the page says so", async () => {
  await withPage({}, async (page, seen) => {
    await page.route("**/v1/openapi.json", (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto(`${base}/editor`);
    await page.waitForSelector("#notice:not([hidden])");
    assert.match(await page.locator("#notice").innerText(), /could not be loaded/);
    seen.faults = seen.faults.filter((fault) => !fault.includes("status 500"));
  });
});
