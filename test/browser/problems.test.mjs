// Tests problems, their fixes, and malformed links.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { accessible, base, browserName, limited, open, openAnew, output, pageTest, problem, secret, shot, type, until, withPage } from "./browser.mjs";

pageTest("an invalid input: title, detail, hint, the marked step, the link to its location", async (page) => {
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

pageTest("columns count code points on the line of the error", async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, '["😀😀", x]');
  await problem(page);
  await page.locator("#problem button").first().click();
  assert.equal(await page.$eval("#input", (area) => area.value.slice(area.selectionStart, area.selectionEnd)), "x");
});

pageTest("an error in a later step is marked there, and its input can be shown", async (page) => {
  await open(page, "r=1&s=json_format,indent:0&s=json_format,indent:8");
  await type(page, `[${"[1],".repeat(90_000)}0]`);
  assert.match(await problem(page), /^Output too large/);
  assert.ok(await page.locator("#step-2.failed").count());
  assert.equal(await page.locator("#step-1.failed").count(), 0);
  await page.locator("#problem button", { hasText: "Show the input of step 2" }).click();
  await page.waitForSelector("#output .block");
  assert.equal(await page.locator("#output-title").innerText(), "Result of step 1");
});

pageTest("a request over the size limit", async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, `"${"x".repeat(1_100_000)}"`);
  assert.match(await problem(page), /^Request too large/);
  assert.equal(await page.locator(".failed").count(), 0);
});

pageTest("a server that does not respond, and one that fails", async (page) => {
  await open(page, "r=1&s=json_format");
  await page.route("**/v1/tools/**", (route) => route.abort());
  await type(page, "[1]");
  assert.match(await problem(page), /^No response/);
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
    await page.locator("#problem h3", { hasText: "Unexpected response" }).waitFor();
    assert.match(await problem(page), /status 502[^]*“Run in this page” needs no server/);
    await page.unroute("**/v1/tools/**");
    await page.locator("#run").click();
    assert.match(await output(page), /1/);
  }
  await page.locator("#run").click();
  assert.match(await output(page), /1/);
});

pageTest("what is left of the quota", async (page) => {
  await open(page, "r=1&s=json_format,indent:0", limited);
  await type(page, "[1]");
  await until(() => page.locator("#quota").innerText(), /^\d+ of 10 requests left$/);
});

pageTest("a quota that runs low pauses live preview; one that is used up delays the run", async (page) => {
  let requests = 0;
  let left = 3;
  let retryAfter = 0;
  await page.route("**/v1/tools/**", (route) => {
    requests++;
    left--;
    const headers = { RateLimit: `"default";r=${left}`, "RateLimit-Policy": '"default";q=10;w=60' };
    if (retryAfter > 0) {
      const problem = { title: "Rate limited", status: 429, code: "rate_limited", detail: "Detail.", hint: "Hint." };
      return route.fulfill({ status: 429, headers: { ...headers, "Retry-After": `${retryAfter}` }, contentType: "application/problem+json", body: JSON.stringify(problem) });
    }
    return route.fulfill({ headers, json: { output: { mediaType: "application/json", value: `["response ${requests}"]` }, warnings: [], provenance: {} } });
  });
  await page.clock.install();
  await open(page, "r=1&s=json_format,indent:0");
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  const text = (selector) => page.locator(selector).innerText();
  await type(page, "[1]");
  await page.clock.runFor(300);
  assert.equal(await output(page), '["response 1"]');
  await until(() => text("#waiting"), /live preview pauses for 12 s/);
  assert.equal(await text("#quota"), "2 of 10 requests left");
  await type(page, "[2]");
  await page.clock.runFor(11_000);
  assert.equal(requests, 1, "live preview did not wait");
  await shot(page, "quota");
  left = 10;
  await page.clock.runFor(2_000);
  assert.equal(await output(page), '["response 2"]');
  retryAfter = 5;
  await page.locator("#run").click();
  await until(() => text("#waiting"), /runs again in 5 s/);
  await page.locator("#run").click();
  await page.clock.runFor(4_000);
  assert.equal(requests, 3);
  retryAfter = 0;
  await page.clock.runFor(2_000);
  assert.equal(await output(page), '["response 4"]');
});

test("hostile recipes are rejected as a whole, and the editor keeps working", async () => {
  const recipes = JSON.parse(await readFile(new URL("../attack/testdata/recipes.json", import.meta.url), "utf8"));
  // Strings that neither a JSON file nor a command line can contain.
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
          return undefined; // Firefox rejects some of these URLs
        }
        await changed;
        const notice = document.querySelector("#notice");
        do await new Promise((resolve) => setTimeout(resolve, 20)); while (!notice.innerText);
        return {
          notice: notice.innerText,
          steps: document.querySelectorAll(".step").length,
          foreign: document.querySelectorAll("main :is(img, script, iframe, svg[onload]), [autofocus], [onfocus], [onerror]").length,
          prototype: Object.keys(Object.prototype).length + ("polluted" in {} ? 1 : 0),
        };
      }, text + piece.repeat(times));
      if (!shown && browserName === "firefox") continue;
      assert.match(shown.notice, /^This link cannot be opened\. .* Nothing was run\./, name);
      assert.ok(!shown.notice.includes(marker) && shown.notice.length < 300, `${name}: ${shown.notice}`);
      assert.deepEqual([shown.steps, shown.foreign, shown.prototype], [0, 0, 0], name);
      // The browser itself may request the icon again.
      assert.deepEqual(seen.requests.slice(before).filter((url) => !url.endsWith("/favicon.svg")), [], name);
    }
    assert.equal(await page.evaluate((m) => m in globalThis, marker), false);
    await page.evaluate(() => { location.hash = "#r=1&s=json_format,indent:0"; });
    await page.waitForSelector(".step");
    await type(page, "[ 2 ]");
    assert.equal(await output(page), "[2]");
    assert.equal(await page.locator("#notice").isVisible(), false);
  });
});

pageTest("markup in the input is shown as text", async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, '["</script><img src=x onerror=alert(1)>", "<b>"]');
  assert.match(await output(page), /<img src=x/);
  assert.equal(await page.locator("main :is(img, script), #output :not(.block, .text, .line)").count(), 0);
});

pageTest("the page says so when the OpenAPI document cannot be loaded", async (page, seen) => {
  await page.route("**/v1/openapi.json", (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto(`${base}/editor`);
  await page.waitForSelector("#notice:not([hidden])");
  assert.match(await page.locator("#notice").innerText(), /could not be loaded/);
  seen.faults = seen.faults.filter((fault) => !fault.includes("status 500"));
});

pageTest("an invalid link runs nothing and shows nothing of itself", async (page, seen) => {
  for (const text of ["r=2&s=json_format", "r=1&s=unknown", "r=1&s=<img src=x onerror=alert(1)>", "r=1&s=__proto__", "r=1&s=json_format,indent:99"]) {
    await openAnew(page, text);
    assert.match(await page.locator("#notice").innerText(), /^This link cannot be opened\. .* Nothing was run\./);
    assert.equal(await page.locator(".step").count(), 0);
    assert.equal(await page.locator("main img").count(), 0);
  }
  assert.ok(!seen.requests.some((url) => /\/v1\/(?:tools|pipeline)/.test(url)));
});

const times = [
  ["a number without a unit", "", "1700000000123", "Set unit to milliseconds", "2023-11-14T22:13:20.123Z"],
  ["the wrong unit", ",unit:seconds", "1700000000123456", "Set unit to microseconds", "2023-11-14T22:13:20.123456Z"],
  ["a unit for a date", ",unit:seconds", "2024-02-29T12:00:00Z", "Remove the unit", "2024-02-29T12:00:00Z"],
  ["a time without a zone", "", "2024-02-29T12:00:00", "Add Z for UTC", "2024-02-29T12:00:00Z"],
  ["a mail's date without a zone", "", "Thu, 29 Feb 2024 12:00:00", "Add GMT", "2024-02-29T12:00:00Z"],
  ["a date alone", "", "2024-02-29", "Add midnight in UTC", "2024-02-29T00:00:00Z"],
  ["a zone in brackets", "", "2024-02-29T12:00:00+01:00[Europe/Paris]", "Remove the brackets", "2024-02-29T11:00:00Z"],
  ["a space before the zone", "", "2024-02-29T12:00:00 +01:00", "Remove the space", "2024-02-29T11:00:00Z"],
];

test("fixes for timestamps", (t) => withPage({ timezoneId: "UTC" }, async (page) => {
  for (const [what, options, text, name, result] of times) {
    await t.test(what, async () => {
      await openAnew(page, `r=1&s=timestamp_to_iso${options}`);
      await type(page, text);
      assert.match(await problem(page), new RegExp(`${name}\\s*Alt 1`));
      assert.match(await page.locator("#status").textContent(), new RegExp(`Alt 1: ${name}`));
      await page.keyboard.press("Alt+1");
      assert.equal(await output(page), result);
      const changed = await page.inputValue("#input");
      if (changed === text) await page.locator("#undo").click();
      else await page.keyboard.press("Control+z");
      await problem(page);
      assert.equal(await page.inputValue("#input"), text);
    });
  }
}));

pageTest("the local time zone is offered next to UTC", async (page) => {
  await open(page, "r=1&s=timestamp_to_iso");
  await type(page, "2024-02-29T12:00:00");
  await problem(page);
  await page.keyboard.press("Alt+2");
  assert.equal(await output(page), "2024-02-29T06:30:00Z");
}, { context: { timezoneId: "Asia/Kolkata" } });

pageTest("fixes for a Bearer prefix and a wrong media type", async (page) => {
  await open(page, "r=1&s=jwt_decode");
  await type(page, "Bearer eyJhbGciOiJub25lIn0.e30.");
  await problem(page);
  await page.keyboard.press("Alt+1");
  assert.match(await output(page), /"alg": "none"/);
  await open(page, "r=1&s=api_convert,target:curl");
  await type(page, '{"openapi":"3.0.3","info":{"title":"x","version":"1"},"servers":[{"url":"https://a.test"}],"paths":{"/a":{"get":{"responses":{}}}}}');
  await output(page);
  await page.selectOption("#input-media select", "text/plain");
  assert.match(await problem(page), /Read it as JSON\s*Alt 1/);
  await page.keyboard.press("Alt+1");
  assert.match(await output(page), /a\.test\/a/);
  assert.equal(await page.inputValue("#input-media select"), "application/json");
});

pageTest("lines of JSON become one array and keep their digits", async (page) => {
  await open(page, "r=1&s=json_format,indent:0");
  await type(page, '{"a":1.50}\n\n{"a":2}\r\n[3]\n');
  assert.match(await problem(page), /Put all lines into one array\s*Alt 1/);
  await page.keyboard.press("Alt+1");
  assert.equal(await output(page), '[{"a":1.50},{"a":2},[3]]');
  await type(page, '{"a":1}\n{"a":}');
  assert.doesNotMatch(await problem(page), /one array\s*Alt/);
});

pageTest("a shortcut does nothing once its fix is gone", async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, "[1,]");
  await problem(page);
  await type(page, "[1]");
  await output(page);
  await page.keyboard.press("Alt+1");
  assert.equal(await page.inputValue("#input"), "[1]");
});

pageTest("an unrecognized input is reported after a paste, not while typing", async (page) => {
  await open(page);
  await page.evaluate(() => navigator.clipboard.writeText("<html>"));
  await page.locator("#input").focus();
  await page.keyboard.press("Control+v");
  await page.locator("#offers", { hasText: "not recognized" }).waitFor();
  assert.match(await page.locator("#status").textContent(), /not recognized/);
  await page.keyboard.type("x");
  assert.equal(await page.locator("#offers").isVisible(), false);
});

pageTest("an opened file is announced, and the notice about an unreadable file goes away with the next input", async (page) => {
  await open(page);
  const file = (...bytes) => ({ name: "a.json", mimeType: "application/json", buffer: Buffer.from(bytes) });
  await page.setInputFiles("#file", file(0xff, 0xfe));
  await page.locator("#notice", { hasText: "cannot be read" }).waitFor();
  await type(page, "x");
  assert.equal(await page.locator("#input-facts").innerText(), "1 line, 1 byte");
  assert.equal(await page.locator("#notice").isVisible(), false);
  await page.setInputFiles("#file", file(0x5b, 0x5d));
  await page.waitForFunction(() => /This looks like JSON/.test(document.getElementById("status").textContent));
});

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

pageTest("faults of YAML have a hint and a location, and one shortcut fixes them all", async (page) => {
  await open(page, "r=1&s=api_convert,target:curl");
  await type(page, broken);
  const message = await problem(page);
  assert.match(message, /The text is not valid YAML\. \(line \d+, column \d+\)/);
  for (const [title, line] of [["Missing space after the colon", 4], ["Colon in unquoted text", 5], ["Unclosed quote", 7], ["Text that starts with @", 11], ["Unclosed \\[", 12], ["Invalid escape", 13]]) {
    assert.match(message, new RegExp(`${title}[^]*?Line ${line}\\n`), title);
  }
  await accessible(page, "faults of YAML");
  await shot(page, "faults-yaml");
  await page.locator("#problem li button", { hasText: "Line 11" }).click();
  assert.equal(await page.$eval("#input", (area) => area.value.slice(area.selectionStart, area.selectionEnd)), "@all");
  const [, key] = /Fix all 6\s*Alt (\d)/.exec(message);
  await page.keyboard.press(`Alt+${key}`);
  assert.match(await output(page), /shop\.test\/orders/);
  await page.locator("#input").focus();
  await page.keyboard.press("Control+z");
  await problem(page);
  assert.equal(await page.inputValue("#input"), broken);
});
