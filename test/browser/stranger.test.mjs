// What strangers do: paste what surrounds a token, search while they type, refuse
// the page its storage, make a window small whose panes they have moved.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { close, open, openAnew, output, serveModules, type, withPage } from "./browser.mjs";

after(close);

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const token = `${encode({ alg: "RS256" })}.${encode({ sub: "ann" })}.c2ln`;

test("a token is recognised in what it is copied with", () => withPage({}, async (page) => {
  await serveModules(page);
  await open(page);
  const recognized = (texts) => page.evaluate(async (all) => {
    const { recognize } = await import("/modules/recognize.js");
    return all.map((text) => recognize(text) ?? {});
  }, texts);
  const around = [`"${token}"`, `'${token}',`, `"access_token": "${token}",`, `token=${token}; Path=/`, `Set-Cookie: token=${token}; Path=/`, `-H 'Authorization: Bearer ${token}'`,
    `${token.slice(0, 30)}\n${token.slice(30, 50)}\r\n  ${token.slice(50)}\n`];
  for (const [i, { kind, value, reason }] of (await recognized(around)).entries()) {
    assert.deepEqual([kind, value], ["a JSON Web Token", token], around[i]);
    assert.match(reason, /left out/, around[i]);
  }
  const others = [`${token}.${token.split(".")[1]}.c2ln`, token.split(".", 2).join("."), "2024-02-29", "<https://convert.example.com/editor#r=1&s=json_format>",
    "eyes are. closed. now", "eyJ", `a: ${token}\nb: 1`, "2024-02", "x".repeat(900_000), `${"a:".repeat(400_000)}`];
  const begun = performance.now();
  assert.deepEqual((await recognized(others)).map(({ kind = "" }) => kind),
    ["an encrypted JSON Web Token", "a JSON Web Token without its last part", "a date", "a recipe link", "", "", "YAML", "", "", ""]);
  assert.ok(performance.now() - begun < 2000);
}));

test("what is not recognised is told, once it is pasted and not while it is typed", () => withPage({}, async (page) => {
  await open(page);
  await page.evaluate(() => navigator.clipboard.writeText("<html>"));
  await page.locator("#input").focus();
  await page.keyboard.press("Control+v");
  await page.locator("#offers", { hasText: "not recognised" }).waitFor();
  assert.match(await page.locator("#status").textContent(), /not recognised/);
  await page.keyboard.type("x");
  assert.equal(await page.locator("#offers").isVisible(), false);
}));

test("a file that is opened with an empty recipe is told aloud, and what could not be read is forgotten at the next text", () => withPage({}, async (page) => {
  await open(page);
  const file = (...bytes) => ({ name: "a.json", mimeType: "application/json", buffer: Buffer.from(bytes) });
  await page.setInputFiles("#file", file(0xff, 0xfe));
  await page.locator("#notice", { hasText: "cannot be read" }).waitFor();
  await type(page, "x");
  assert.equal(await page.locator("#input-facts").innerText(), "1 line, 1 byte");
  assert.equal(await page.locator("#notice").isVisible(), false);
  await page.setInputFiles("#file", file(0x5b, 0x5d));
  await page.waitForFunction(() => /This looks like JSON/.test(document.getElementById("status").textContent));
}));

test("a browser that refuses storage has the whole page", () => withPage({}, async (page) => {
  await page.addInitScript(() => {
    const given = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
    Object.defineProperty(globalThis, "localStorage", { configurable: true, get() { throw new DOMException("refused", "SecurityError"); } });
    globalThis.allow = () => Object.defineProperty(globalThis, "localStorage", given);
  });
  await open(page, "r=1&s=json_format,indent:0");
  await type(page, "[ 1 ]");
  assert.equal(await output(page), "[1]");
  await page.locator("#in-page").check();
  await page.locator("#output-facts", { hasText: "in this page" }).waitFor();
  await page.locator("#in-page").uncheck();
  await page.keyboard.press("Alt+z");
  await page.evaluate(() => globalThis.allow());
}));

test("nothing can be undone before something was done, and undo leaves the focus where it was", () => withPage({}, async (page) => {
  for (const recipe of ["", "r=1&s=json_format"]) {
    await openAnew(page, recipe);
    assert.equal(await page.locator("#undo").isDisabled(), true, recipe);
  }
  await page.locator("#option-1-indent").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Control+z");
  const focus = () => page.evaluate(() => document.activeElement.id);
  assert.equal(await focus(), "option-1-indent");
  assert.equal(await page.inputValue("#option-1-indent"), "2");
  await page.keyboard.press("Control+Shift+z");
  assert.equal(await focus(), "option-1-indent");
  assert.match(page.url(), /indent:3$/);
}));

test("Escape leaves a pane that fills the window, after its search", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, "[1]");
  await output(page);
  await page.locator("#full-output").click();
  await page.locator("#find-output").click();
  const full = () => page.evaluate(() => document.body.dataset.full ?? "");
  await page.keyboard.press("Escape");
  assert.equal(await full(), "output");
  await page.keyboard.press("Escape");
  assert.equal(await full(), "");
  assert.equal(await page.getAttribute("#full-output", "aria-pressed"), "false");
}));

test("all of the output is selected by its key, and copied as it is", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, `{"a":[${"1,".repeat(300)}2]}`);
  const text = await output(page);
  await page.locator("#output").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Control+c");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  await page.evaluate(() => {
    const [first, second] = document.querySelectorAll("#output .line");
    getSelection().setBaseAndExtent(first, 0, second, 1);
  });
  await page.keyboard.press("Control+c");
  assert.equal((await page.evaluate(() => navigator.clipboard.readText())).trimEnd(), '{\n  "a": [');
}));

test("a search in the output goes on with its next text, and leaves the typing alone", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, "[11]");
  await output(page);
  await page.locator("#find-output").click();
  await page.keyboard.type("1");
  const facts = page.locator("#output-panel .places");
  assert.equal(await facts.innerText(), "1 of 2");
  await page.locator("#input").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type("1");
  await page.locator("#output .line", { hasText: "111" }).waitFor();
  await page.locator("body:not(.stale):not(.busy)").waitFor();
  assert.equal(await facts.innerText(), "1 of 3");
  assert.equal(await page.evaluate(() => document.activeElement.id), "input");
  await page.keyboard.type(",");
  await page.locator("#problem").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "input");
}));

test("panes that were moved stay usable in a smaller window", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format");
  for (const [handle, key] of [["#split-recipe", "ArrowRight"], ["#split", "ArrowLeft"]]) {
    await page.locator(handle).focus();
    for (let i = 0; i < 12; i++) await page.keyboard.press(key);
  }
  await page.setViewportSize({ width: 900, height: 800 });
  const edges = await page.evaluate(() => ["output-panel", "use-panel"].map((id) => document.getElementById(id).getBoundingClientRect().right));
  assert.ok(Math.abs(edges[0] - edges[1]) < 3, `the output ends at ${edges}`);
  for (const pane of ["input", "recipe", "output"]) {
    const { width } = await page.locator(`#${pane}-panel`).boundingBox();
    assert.ok(width >= 220, `${pane} is ${width} px wide`);
    const cut = await page.$$eval(`#${pane}-panel > .head button`, (all, id) => {
      const right = document.getElementById(id).getBoundingClientRect().right;
      return all.filter((button) => button.getBoundingClientRect().right > right + 1).map(({ id }) => id);
    }, `${pane}-panel`);
    assert.deepEqual(cut, [], `cut off in ${pane}`);
  }
}));

test("on a phone what stands below one another begins at one edge", () => withPage({ viewport: { width: 390, height: 844 } }, async (page) => {
  await open(page, "r=2");
  const left = (selector) => page.$$eval(selector, (all) => [...new Set(all.map((node) => Math.round(node.getBoundingClientRect().left)))]);
  assert.equal((await left("#notice, #input-panel")).length, 1);
  const links = await page.$$eval("footer a", (all) => all.map((node) => node.getBoundingClientRect()).map(({ left, top }) => ({ left, top })));
  for (const [i, { left: x, top }] of links.entries()) if (i > 0 && top > links[i - 1].top) assert.equal(x, links[0].left, `link ${i}`);
  await type(page, "{");
  await page.locator("#tools button", { hasText: "Format JSON" }).click();
  await page.locator("#problem").waitFor();
  const [problem, facts] = await Promise.all(["#problem", "#output-facts"].map((selector) => page.locator(selector).boundingBox()));
  assert.ok(facts.y - problem.y - problem.height < 20, "room for a result below a problem");
}));

test("a recipe that another tab keeps is there at once", () => withPage({}, async (page) => {
  await open(page, "r=1&s=json_format");
  await page.locator("#kept summary").click();
  const other = await page.context().newPage();
  await open(other, "r=1&s=json_to_yaml");
  await other.locator("#kept summary").click();
  await other.fill("#keep-name", "of the other tab");
  await other.locator("#keep").click();
  await page.locator("#kept-list button", { hasText: "of the other tab" }).waitFor();
}));
