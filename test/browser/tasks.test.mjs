// What people come for, each done at the first try, in both browsers, by
// clicks and keys alone.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { base, close, out } from "./browser.mjs";
import { closeFirefox, drivers } from "./drivers.mjs";

after(async () => {
  await close();
  await closeFirefox();
});

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const windows = [
  'curl ^"https://api.example.com/login^" ^', '  -H ^"content-type: application/json^" ^', '  -H ^"sec-ch-ua-mobile: ?0^" ^',
  '  --data-raw ^"^{^\\^"user^\\^":^\\^"ann^\\^",^\\^"password^\\^":^\\^"zq7hunter2^\\^"^}^"',
].join("\r\n");

const tasks = {
  async "decode a token and say when it ended"(page) {
    const now = Math.floor(Date.now() / 1000);
    await page.paste(`Bearer ${encode({ alg: "RS256" })}.${encode({ sub: "ann", exp: now - 3 * 86_400 - 60 })}.c2ln`);
    await page.text("#offers", /a JSON Web Token.*three parts in base64url/s);
    await page.press("Alt+Digit1");
    assert.match(await page.text("#explained", /expired/), /expired 3 days ago\. Nothing was verified/);
    await page.text("#output", /"sub": "ann"/);
    assert.equal(await page.eval(() => document.getElementById("input").scrollLeft), 0, "the token's beginning is out of view");
  },
  async "find the broken lines of a JSON file, and mend them"(page) {
    await page.paste('{\n  "name": "Ada",\n  "tags": ["x",],\n  "ok": True\n}');
    await page.press("Alt+Digit1");
    const told = await page.text("#problem", /True is no JSON/);
    assert.match(told, /\(line 3, column \d+\)/);
    assert.match(told, /A comma before the end[^]*Line 3[^]*True is no JSON[^]*Line 4/);
    await page.eval(() => [...document.querySelectorAll("#problem button")].find((b) => b.textContent.startsWith("Mend all")).focus());
    await page.press("Enter");
    await page.text("#output", /"ok": true/);
    await page.eval(() => document.getElementById("input").focus());
    await page.press("Control+KeyZ");
    assert.match(await page.eval(() => document.getElementById("input").value), /True/);
  },
  async "a curl command from Windows becomes a description, without its password"(page) {
    await page.paste(windows);
    await page.text("#offers", /curl command of the Windows command prompt/);
    await page.press("Alt+Digit1");
    const text = await page.text("#output", /openapi: "?3\.1/);
    assert.match(text, /\/login:/);
    assert.doesNotMatch(text, /zq7hunter2/);
    await page.text("#warnings", /secrets_replaced[^]*changed\.dialect/);
    await page.text("#input-summary", /1 curl command/);
  },
  async "chain two tools and send the link"(page) {
    await page.eval(() => document.getElementById("input").focus());
    await page.paste(`${encode({ alg: "ES256" })}.${encode({ roles: ["a", "b"] })}.c2ln`);
    await page.text("#offers", /then/);
    await page.press("Alt+Digit2");
    await page.text("#output", /payload:\s+roles:\s+- a/);
    const link = await page.eval(() => location.href);
    assert.match(link, /#r=1&s=jwt_decode&s=json_to_yaml$/);
    await page.open(link.split("#")[1]);
    await page.text("#step-2", /YAML/);
  },
  async "compare before and after"(page) {
    await page.paste('{\n  "a": 1,\n  "b": [2]\n}');
    await page.press("Alt+Digit1");
    await page.text("#output", /"b"/);
    await page.click("#view-compare");
    await page.text("#compare-facts", /Only white space differs|\d+ lines? taken out/);
    await page.text("#compare", /\+/);
  },
};

for (const [browser, drive] of Object.entries(drivers)) {
  for (const [name, act] of Object.entries(tasks)) {
    test(`${browser}: ${name}`, () => drive(async (page) => {
      await page.open();
      await act(page);
      await page.shot(`${out}/task-${browser}-${name.split(" ").slice(0, 3).join("-").replace(/[^a-z-]/g, "")}.png`);
      assert.deepEqual(page.faults, []);
    }));
  }

  test(`${browser}: from paste to the copied result in four keys`, () => drive(async (page) => {
    await page.open();
    await page.paste('{"a":1}');
    await page.press("Alt+Digit1");
    await page.text("#output", /"a": 1/);
    await page.press("Alt+KeyC");
    await page.text("#copy", /Copied/);
  }));

  test(`${browser}: nothing is sent before a choice`, () => drive(async (page) => {
    await page.open();
    await page.paste('{"a":1}');
    await page.text("#offers", /JSON/);
    await new Promise((resolve) => setTimeout(resolve, 600));
    const sent = await page.eval(() => performance.getEntriesByType("resource").map((e) => e.name).filter((name) => /\/v1\/(tools|pipeline)/.test(name)));
    assert.deepEqual(sent, [], base);
  }));
}
