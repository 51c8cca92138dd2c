// Tests the main tasks of users, each completed at the first attempt with only the
// mouse and the keyboard. Input is pasted from the clipboard.

import assert from "node:assert/strict";
import { test } from "node:test";
import { newContext, ofShot, openAnew, base, shot, until } from "./browser.mjs";
import { server } from "./server.mjs";

class Visit {
  faults = [];

  constructor(page) {
    this.page = page;
    page.on("pageerror", (error) => ofShot(error.message) || this.faults.push(error.message));
  }

  open(recipe = "", origin = base) {
    return openAnew(this.page, recipe, origin);
  }

  // paste pastes text with the keyboard.
  async paste(text) {
    await this.page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await this.press("Control+KeyV");
  }

  // press presses a key combination, such as "Alt+Digit1".
  press(keys) {
    return this.page.keyboard.press(keys);
  }

  click(selector) {
    return this.page.click(selector);
  }

  eval(act, ...args) {
    return this.page.evaluate(act, ...args);
  }

  // text waits until the visible text of the elements matches and returns it.
  text(selector, pattern) {
    return until(() => this.page.evaluate((s) => [...document.querySelectorAll(s)].filter((n) => n.checkVisibility()).map((n) => n.innerText ?? "").join("\n"), selector), pattern);
  }

  shot(name) {
    return shot(this.page, name);
  }
}

// visit runs act with a page in a new profile.
async function visit(act) {
  const context = await newContext();
  try {
    const page = new Visit(await context.newPage());
    await act(page);
    assert.deepEqual(page.faults, []);
  } finally {
    await context.close();
  }
}

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const windows = [
  'curl ^"https://api.example.com/login^" ^', '  -H ^"content-type: application/json^" ^', '  -H ^"sec-ch-ua-mobile: ?0^" ^',
  '  --data-raw ^"^{^\\^"user^\\^":^\\^"ann^\\^",^\\^"password^\\^":^\\^"zq7hunter2^\\^"^}^"',
].join("\r\n");

const tasks = {
  async "decode a token and see when it expired"(page) {
    const now = Math.floor(Date.now() / 1000);
    await page.paste(`Bearer ${encode({ alg: "RS256" })}.${encode({ sub: "ann", exp: now - 3 * 86_400 - 60 })}.c2ln`);
    await page.text("#offers", /a JSON Web Token.*three base64url parts/s);
    await page.press("Alt+Digit1");
    assert.match(await page.text("#explained", /expired/), /expired 3 days ago\. Nothing was verified/);
    await page.text("#output", /"sub": "ann"/);
    assert.equal(await page.eval(() => document.getElementById("input").scrollLeft), 0, "the token's beginning is out of view");
  },
  async "find the broken lines of a JSON file, and fix them"(page) {
    await page.paste('{\n  "name": "Ada",\n  "tags": ["x",],\n  "ok": True\n}');
    await page.press("Alt+Digit1");
    const message = await page.text("#problem", /True is not JSON/);
    assert.match(message, /\(line 3, column \d+\)/);
    assert.match(message, /Trailing comma[^]*Line 3[^]*True is not JSON[^]*Line 4/);
    await page.eval(() => [...document.querySelectorAll("#problem button")].find((b) => b.textContent.startsWith("Fix all")).focus());
    await page.press("Enter");
    await page.text("#output", /"ok": true/);
    await page.eval(() => document.getElementById("input").focus());
    await page.press("Control+KeyZ");
    assert.match(await page.eval(() => document.getElementById("input").value), /True/);
  },
  async "a curl command from Windows becomes an OpenAPI document, without its password"(page) {
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
    await page.text("#compare-facts", /Only white space differs|\d+ lines? removed/);
    await page.text("#compare", /\+/);
  },
  async "run with the server stopped"(page) {
    const own = await server();
    try {
      await page.open("", own.origin);
      await page.paste('{"a":1}');
      await page.press("Alt+Digit1");
      await page.text("#output-facts", /on the server/);
      await page.text("#privacy", /Run in this page needs no server/);
      await page.click("#in-page");
      await page.text("#privacy", /no server is needed/);
      await page.click("#in-page"); // switch back, like a user who only tries it
      await own.stop();
      await page.click("#input");
      await page.press("Control+KeyA");
      await page.paste("[1,2]");
      const message = await page.text("body:not(.stale) #problem", /No response[^]*this page has the same engine/);
      assert.match(message, /Run in this page\s*Alt 1/);
      await page.shot("task-server-stopped");
      await page.press("Alt+Digit1");
      await page.text("#output", /1,\s+2/);
      await page.text("#output-facts", /in this page/);
    } finally {
      await own.stop();
    }
  },
};

for (const [name, act] of Object.entries(tasks)) {
  test(name, () => visit(async (page) => {
    await page.open();
    await act(page);
    await page.shot(`task-${name.split(" ").slice(0, 3).join("-").replace(/[^a-z-]/g, "")}`);
  }));
}

test("a server that stopped before the engine was loaded: the page says what to do", () => visit(async (page) => {
  const own = await server();
  try {
    await page.open("r=1&s=json_format", own.origin);
    await own.stop();
    await page.click("#input");
    await page.paste("[1]");
    await page.text("#problem", /No response[^]*is not loaded yet: switch it on once the server responds/);
    await page.shot("task-server-gone");
    await page.click("#in-page");
    await page.text("#problem", /The engine is not loaded yet[^]*Run again once the server responds/);
    await page.text("#privacy", /stays on this device\.$/);
  } finally {
    await own.stop();
  }
}));

test("Run in this page loads the engine with the next page", () => visit(async (page) => {
  const own = await server();
  try {
    await page.open("r=1&s=json_format", own.origin);
    await page.click("#in-page");
    await page.text("#privacy", /no server is needed/);
    await page.open("r=1&s=json_format,indent:1", own.origin);
    await page.text("#privacy", /no server is needed/);
    await own.stop();
    await page.click("#input");
    await page.paste("[1]");
    await page.text("#output", /1/);
  } finally {
    await own.stop();
  }
}));

test("paste, convert and copy take four keys", () => visit(async (page) => {
  await page.open();
  await page.paste('{"a":1}');
  await page.press("Alt+Digit1");
  await page.text("#output", /"a": 1/);
  await page.press("Alt+KeyC");
  await page.text("#copy", /Copied/);
}));

const requests = (page) => page.eval(() => performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => /\/v1\/(tools|pipeline)/.test(name)).length);
const hash = (page) => page.eval(() => location.hash);

test("a pasted input is previewed at once, and Enter keeps the result", () => visit(async (page) => {
  await page.open();
  await page.paste('{"a":1}');
  await page.text("#output", /"a": 1/);
  await page.text("#output-title", /^Preview: Format JSON$/);
  assert.match(await page.eval(() => document.getElementById("status").textContent), /^This looks like JSON\. Alt 1: Format JSON\. Alt 2: .*Preview of Format JSON: 3 lines.* Enter keeps it\.$/);
  assert.equal(await hash(page), "");
  await page.shot("preview");
  await page.press("Enter");
  await page.text("#output-title", /^Output$/);
  assert.equal(await hash(page), "#r=1&s=json_format");
  assert.equal(await page.eval(() => document.getElementById("input").value), '{"a":1}');
}));

test("a previewed recipe has a link and programs, and stays a preview", () => visit(async (page) => {
  await page.open();
  await page.paste('{"a":1}');
  await page.text("#output-title", /^Preview: Format JSON$/);
  assert.match(await page.text("#use-code", /json_format/), /curl/);
  await page.click("#share");
  await page.text("#share", /Copied/);
  assert.match(await page.eval(() => navigator.clipboard.readText()), /\/editor(\?\d+)?#r=1&s=json_format$/);
  assert.equal(await page.text("#output-title", /./), "Preview: Format JSON");
  assert.equal(await hash(page), "");
}));

test("a shortcut keeps another result than the previewed one", () => visit(async (page) => {
  await page.open();
  await page.paste("curl https://a.test/x");
  await page.text("#output-title", /^Preview: OpenAPI 3\.1 \(YAML\)$/);
  assert.match(await page.text("#offers", /Cleaned-up curl/), /OpenAPI 3\.1 \(YAML\)\s+Alt 2\s+Postman collection/);
  await page.press("Alt+Digit2");
  await page.text("#output", /"schema"/);
  assert.match(await hash(page), /target:postman-2\.1$/);
}));

test("Enter is a line break once something was typed", () => visit(async (page) => {
  await page.open();
  await page.paste("[1]");
  await page.text("#output-title", /^Preview/);
  await page.press("Space");
  await page.press("Enter");
  assert.equal(await page.eval(() => document.getElementById("input").value), "[1] \n");
  assert.equal(await hash(page), "");
}));

test("with live preview off nothing is sent before a choice", () => visit(async (page) => {
  await page.open();
  await page.click("#live");
  await page.click("#input");
  await page.paste('{"a":1}');
  await page.text("#offers", /Format JSON/);
  assert.equal(await page.eval(() => document.getElementById("share").disabled), true);
  await page.press("Alt+Digit1");
  await page.text("#output", /"a": 1/);
  assert.equal(await requests(page), 1);
}));

test("faults are marked before a step is chosen", () => visit(async (page) => {
  await page.open();
  for (const [text, found] of [['{"a": [1,], b: 2}', /JSON[^]*2 faults marked/], ["openapi: 3.0.3\ninfo:\n\ttitle: x\n", /OpenAPI 3\.0\.3[^]*1 fault marked/]]) {
    await page.click("#input");
    await page.press("Control+KeyA");
    await page.paste(text);
    await page.text("#offers", found);
    await until(() => page.eval(() => CSS.highlights.get("fault").size > 0), true);
  }
}));
