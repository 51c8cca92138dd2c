// What a problem's hint asks for is done by one key, and taken back by one.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { close, open, openAnew, output, problem, serveModules, type, withPage } from "./browser.mjs";

after(close);

const times = [
  ["a number without a unit", "", "1700000000123", "Set unit to milliseconds", "2023-11-14T22:13:20.123Z"],
  ["the wrong unit", ",unit:seconds", "1700000000123456", "Set unit to microseconds", "2023-11-14T22:13:20.123456Z"],
  ["a unit for a date", ",unit:seconds", "2024-02-29T12:00:00Z", "Leave the unit out", "2024-02-29T12:00:00Z"],
  ["a time without a zone", "", "2024-02-29T12:00:00", "Add Z for UTC", "2024-02-29T12:00:00Z"],
  ["a mail's date without a zone", "", "Thu, 29 Feb 2024 12:00:00", "Add GMT", "2024-02-29T12:00:00Z"],
  ["a date alone", "", "2024-02-29", "Add midnight in UTC", "2024-02-29T00:00:00Z"],
  ["a zone in brackets", "", "2024-02-29T12:00:00+01:00[Europe/Paris]", "Remove the brackets", "2024-02-29T11:00:00Z"],
  ["a space before the zone", "", "2024-02-29T12:00:00 +01:00", "Remove the space", "2024-02-29T11:00:00Z"],
];

test("what a time's problem asks for", (t) => withPage({ timezoneId: "UTC" }, async (page) => {
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

test("the zone here is offered beside UTC", () => withPage({ timezoneId: "Asia/Kolkata" }, async (page) => {
  await open(page, "r=1&s=timestamp_to_iso");
  await type(page, "2024-02-29T12:00:00");
  await problem(page);
  await page.keyboard.press("Alt+2");
  assert.equal(await output(page), "2024-02-29T06:30:00Z");
}));

test("a prefix and a media type that was chosen wrongly", () => withPage({}, async (page) => {
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
}));

test("lines of JSON become one array, their digits as they are", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format,indent:0");
  await type(page, '{"a":1.50}\n\n{"a":2}\r\n[3]\n');
  assert.match(await problem(page), /Put all lines into one array\s*Alt 1/);
  await page.keyboard.press("Alt+1");
  assert.equal(await output(page), '[{"a":1.50},{"a":2},[3]]');
  await type(page, '{"a":1}\n{"a":}');
  assert.doesNotMatch(await problem(page), /one array\s*Alt/);
}));

test("a key does nothing where no fix is offered any more", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, "[1,]");
  await problem(page);
  await type(page, "[1]");
  await output(page);
  await page.keyboard.press("Alt+1");
  assert.equal(await page.inputValue("#input"), "[1]");
}));

test("every member of a token that is registered is explained at its line, with its time", () => withPage({}, async (page) => {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  await open(page, "r=1&s=jwt_decode");
  await type(page, `${encode({ alg: "ES256" })}.${encode({ exp: 1700000000, own: 1 })}.c2ln`);
  await output(page);
  const lines = page.locator("#output .line[role=note]");
  assert.deepEqual(await lines.evaluateAll((all) => all.map((line) => [line.textContent.trim().split(":")[0], line.dataset.meaning])),
    [['"alg"', "Algorithm of the signature"], ['"exp"', "Expiry: not valid from then on"]]);
  await lines.last().focus();
  assert.match(await lines.last().evaluate((line) => getComputedStyle(line, "::after").content), /Expiry|attr\(data-meaning\)/);
  assert.match(await lines.last().getAttribute("aria-label"), /^"exp": 1700000000, Expiry[^]*2023-11-14T22:13:20Z, expired \d+ years? ago/);
}));

test("warnings lead into JSON and YAML by their pointers, and secrets are listed by kind", () => withPage({}, async (page) => {
  const json = '{"openapi":"3.0.3","info":{"title":"x","version":"1"},"servers":[{"url":"https://a.test"}],"paths":{"/a":{"get":{"responses":{"200":{"description":"ok","links":{"l":{"operationId":"b"}}}}}}}}';
  const yaml = 'openapi: 3.0.3\ninfo: {title: x, version: "1"}\nservers:\n  - url: https://a.test\npaths:\n  /a:\n    get:\n      responses:\n        "200":\n          description: ok\n          links:\n            l: {operationId: b}\n';
  for (const [text, selected] of [[json, '{"l":{"operationId":"b"}}'], [yaml, "links:"]]) {
    await open(page, "r=1&s=api_convert,target:curl");
    await type(page, text);
    await output(page);
    await page.locator("#warnings button.link", { hasText: "/links" }).click();
    const found = await page.$eval("#input", (area) => area.value.slice(area.selectionStart, area.selectionEnd));
    assert.equal(found, selected);
  }
  const curl = 'curl "https://a.test/x?token=abcabcabc" -H "X-Api-Key: s3cr3tvalue99" -b "session=abc123456789" --data-raw \'{"password":"hunter2"}\'\n';
  for (const [target, said] of [["curl", /passwords: PASSWORD/], ["postman-2.1", /passwords: password/], ["openapi-3.1-yaml", /tokens: token; passwords: password|passwords: password; tokens: token/]]) {
    await open(page, `r=1&s=api_convert,target:${target}`);
    await type(page, curl);
    await output(page);
    assert.match(await page.locator("#warnings").innerText(), said);
  }
}));

test("texts that are no JSON stop nothing", () => withPage({}, async (page) => {
  await serveModules(page);
  await open(page);
  const wrong = await page.evaluate(async () => {
    const { summary } = await import("/modules/summary.js");
    const { outline } = await import("/modules/outline.js");
    for (const text of ["{::", '{"paths":1}', '{"info":{},"item":7}', "]{", '{"a":}', `{"info":{},"item":[${'{"item":['.repeat(60_000)}`]) {
      try {
        outline(text, "application/json");
        summary(text, "application/json");
      } catch (error) {
        return `${text.slice(0, 20)}: ${error.message}`;
      }
    }
    return "";
  });
  assert.equal(wrong, "");
}));
