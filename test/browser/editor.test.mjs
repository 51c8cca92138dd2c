// Tests the editor the way people use it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { accessible, api, base, currentURL, open, openAnew, output, pageTest, problem, saved, secret, shot, type, until, withPage } from "./browser.mjs";

const json = JSON.stringify({ name: secret, list: [1, 2.5, null], deep: { yes: true } });
const artifact = (value, mediaType = "application/json") => ({ mediaType, value });

test("a response's editorUrl opens its recipe and produces the same output", async () => {
  const steps = [{ id: "a", tool: "json_format", options: { indent: 4 } }, { id: "b", tool: "json_to_yaml", options: { indent: 3 } }];
  const result = await api("/v1/pipeline", { version: 1, input: artifact(json), steps });
  assert.ok(result.provenance.editorUrl.startsWith(`${base}/editor#r=1&s=`));
  await withPage({}, async (page) => {
    await page.goto(result.provenance.editorUrl);
    await page.waitForSelector("body.ready");
    assert.equal(await currentURL(page), result.provenance.editorUrl);
    assert.equal(await page.locator(".step").count(), 2);
    await type(page, json);
    assert.equal(await output(page), result.output.value);
  });
});

pageTest("highlighted lines lie over those of the input, next to their numbers", async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, '{\n"a": 1,\n"b": 2\n}');
  await output(page);
  const tops = (selector) => page.$$eval(selector, (lines) => lines.map((line) => line.getBoundingClientRect().top - lines[0].getBoundingClientRect().top));
  const height = parseFloat(await page.$eval("#input", (area) => getComputedStyle(area).lineHeight));
  for (const selector of ["#input-code .line", "#output .line"]) assert.deepEqual(await tops(selector), [0, height, 2 * height, 3 * height], selector);
});

pageTest("editing a step updates the URL and the output; the shared link has the recipe without the input", async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, json);
  assert.match(await output(page), /\n {2}"name"/);
  await page.focus("#option-1-indent");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => location.hash === "#r=1&s=json_format,indent:5");
  await page.waitForFunction(() => document.querySelector("#output .text")?.textContent.includes('\n     "name"'));
  const link = await currentURL(page);
  await page.reload();
  await page.waitForSelector("body.ready");
  assert.equal(await currentURL(page), link);
  assert.equal(await page.inputValue("#option-1-indent"), "5");
  assert.equal(await page.inputValue("#input"), "");
  await page.locator("#share").click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
});

pageTest("steps are added, moved and removed; tools that cannot follow are disabled", async (page) => {
  await open(page);
  await page.locator("#tools button", { hasText: "Convert JSON to YAML" }).click();
  assert.match(await currentURL(page), /#r=1&s=json_to_yaml$/);
  await page.locator(".adder .add").click();
  const { paths } = await (await fetch(`${base}/v1/openapi.json`)).json();
  for (const { post } of Object.values(paths).filter((item) => item.post["x-service-media-types"])) {
    const fits = post["x-service-media-types"].accepts.includes("application/yaml");
    assert.equal(await page.locator("#tools button", { has: page.getByText(post.summary, { exact: true }) }).isEnabled(), fits, post.summary);
  }
  await page.locator("#step-1 .remove").click();
  assert.equal(await page.locator(".step").count(), 0);
  assert.equal(await currentURL(page), `${base}/editor`);
  await page.locator("#tools button", { hasText: "Format JSON" }).click();
  await page.locator(".adder .add").click();
  await page.locator("#tools button:enabled", { hasText: "Convert JSON to YAML" }).click();
  assert.match(await currentURL(page), /#r=1&s=json_format&s=json_to_yaml$/);
  await page.locator("#step-2 .up").click();
  assert.match(await currentURL(page), /#r=1&s=json_to_yaml&s=json_format$/);
  assert.match(await page.locator("#step-2 .why").innerText(), /accepts JSON, but the step before it produces YAML/);
  assert.equal(await page.locator("#run").isDisabled(), true);
});

pageTest("the system's share sheet, where there is one, gets the recipe and nothing else", async (page) => {
  const share = (there) => page.addInitScript((has) => {
    globalThis.shared = [];
    Object.defineProperty(navigator, "share", { configurable: true, value: has ? (data) => {
      globalThis.shared.push(data);
      return globalThis.shared.length > 1 ? Promise.reject(new DOMException("closed", "AbortError")) : Promise.resolve();
    } : undefined });
  }, there);
  await share(false);
  await open(page, "r=1&s=json_format");
  assert.equal(await page.locator("#send").isVisible(), false);
  await share(true);
  await openAnew(page);
  assert.equal(await page.locator("#send").isDisabled(), true);
  await openAnew(page, "r=1&s=json_format,indent:1");
  await type(page, `["${secret}"]`);
  await output(page);
  await page.locator("#send").click();
  await page.locator("#send").click(); // the user closes it, which is not an error
  assert.deepEqual(await page.evaluate(() => globalThis.shared[0]), { title: "Editor · convertd", url: await currentURL(page) });
  assert.match(await currentURL(page), /#r=1&s=json_format,indent:1$/);
  assert.equal(await page.evaluate(() => globalThis.shared.length), 2);
});

pageTest("the editor works by keyboard alone", async (page, seen) => {
  await open(page);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
  const tabTo = async (pattern, key = "Tab") => {
    for (let i = 0; i < 60; i++) {
      if (pattern.test(await focused())) return;
      await page.keyboard.press(key);
    }
    assert.fail(`Tab does not reach ${pattern}`);
  };
  await tabTo(/^Skip to/);
  await tabTo(/^Format JSON/);
  await page.keyboard.press("Enter");
  await tabTo(/^Add a step/);
  await page.keyboard.press("Enter");
  await tabTo(/^Convert JSON to YAML/);
  await page.keyboard.press("Enter");
  assert.match(await currentURL(page), /#r=1&s=json_format&s=json_to_yaml$/);
  await tabTo(/^Remove step 2/, "Shift+Tab");
  await page.keyboard.press("Alt+ArrowUp");
  assert.match(await currentURL(page), /#r=1&s=json_to_yaml&s=json_format$/);
  await page.keyboard.press("Alt+ArrowDown");
  assert.match(await currentURL(page), /#r=1&s=json_format&s=json_to_yaml$/);
  await tabTo(/^Live preview|Input text/, "Shift+Tab");
  await tabTo(/^Input text/, "Shift+Tab");
  await page.uncheck("#live");
  await page.focus("#input");
  await page.keyboard.insertText(json);
  await page.keyboard.press("Control+Enter");
  assert.match(await output(page), /name/);
  assert.equal(seen.requests.filter((url) => url.includes("/v1/pipeline")).length, 1, "it ran although live preview is off");
  assert.match(await page.locator("#status").textContent(), /^Result: \d+ lines/);
  await tabTo(/^Show the result of step 1/);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#output-title").innerText(), "Result of step 1");
  await tabTo(/^cURL/);
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator("#use-code").innerText(), /readFile/);
});

pageTest("the result of every step opens", async (page) => {
  await open(page, "r=1&s=json_format,indent:0&s=json_format,indent:1&s=json_format,indent:8");
  await type(page, '[1, {"a": 2}]');
  await output(page);
  for (const [i, pattern] of [/^\[1,\{"a":2\}\]$/, /^\[\n 1,/, /^\[\n {8}1,/].entries()) {
    await page.locator(`#step-${i + 1} .joint`).click();
    assert.match(await output(page), pattern);
    assert.equal(await page.locator(`#step-${i + 1} .joint`).getAttribute("aria-pressed"), "true");
  }
});

pageTest("warnings are a list, not an error", async (page) => {
  await open(page, "r=1&s=timestamp_to_iso");
  await type(page, "2023-11-14T23:13:20+01:00");
  assert.equal(await output(page), "2023-11-14T22:13:20Z");
  assert.match(await page.locator("#warnings li").innerText(), /^offset_converted\n/);
  assert.equal(await page.locator("#problem").isVisible(), false);
});

pageTest("files are opened and dropped; the output is copied and downloaded", async (page) => {
  await open(page, "r=1&s=json_to_yaml");
  await page.setInputFiles("#file", { name: "people.json", mimeType: "application/json", buffer: Buffer.from(json) });
  const text = await output(page);
  await page.locator("#copy").click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  await page.evaluate(() => navigator.clipboard.writeText(""));
  const file = await saved(page, () => page.locator("#download").click());
  assert.equal(file.name, "people.yaml");
  assert.equal(file.text, text);
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['["dropped"]'], "x.json"));
    return transfer;
  });
  await page.dispatchEvent("#input-panel", "drop", { dataTransfer: data });
  await page.waitForFunction(() => document.querySelector("#output .text")?.textContent.includes("dropped"));
  for (const [buffer, pattern] of [[Buffer.from([0xff, 0xfe, 0x41]), /not UTF-8 text/], [Buffer.alloc(1_100_000, "1"), /too large/]]) {
    await page.setInputFiles("#file", { name: "bad", mimeType: "text/plain", buffer });
    await page.waitForSelector("#notice:not([hidden])");
    assert.match(await page.locator("#notice").innerText(), pattern);
  }
});

pageTest("recipes are saved only on request, without input, and deleted by one button", async (page) => {
  await open(page, "r=1&s=json_format,indent:3&s=json_to_yaml");
  await type(page, json);
  await output(page);
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  await page.locator("#kept summary").click();
  await page.fill("#keep-name", "<b>mine</b>");
  await page.locator("#keep").click();
  await open(page);
  await page.reload();
  await page.waitForSelector("body.ready");
  await page.locator("#kept summary").click();
  await page.locator("#kept-list button", { hasText: "<b>mine</b>" }).click();
  await page.locator("#step-2").waitFor();
  assert.match(await currentURL(page), /#r=1&s=json_format,indent:3&s=json_to_yaml$/);
  await page.locator("#forget").click();
  assert.equal(await page.evaluate(() => localStorage.length), 0);
  assert.equal(await page.locator("#kept-list li").count(), 0);
});

pageTest("the example fills the input and the recipe", async (page) => {
  await open(page);
  await page.locator("#example").click();
  assert.match(await currentURL(page), /#r=1&s=/);
  assert.notEqual(await output(page), "");
  await open(page, "r=1&s=timestamp_to_iso,unit:seconds");
  await page.locator("#clear").click();
  await page.locator("#example").click();
  assert.match(await output(page), /^\d{4}-\d\d-\d\dT/);
});

pageTest("the newest input wins: the previous request is cancelled", async (page) => {
  const held = [];
  await page.route("**/v1/tools/**", (route) => held.push(route));
  await page.addInitScript(() => { // Firefox doesn't report canceled requests that a route holds
    const { fetch } = globalThis;
    globalThis.cancelled = 0;
    globalThis.fetch = (...args) => fetch(...args).catch((error) => {
      if (error.name === "AbortError") globalThis.cancelled++;
      throw error;
    });
  });
  await open(page, "r=1&s=json_format,indent:0");
  for (const n of [1, 2, 3]) {
    await type(page, `[${n}]`);
    await until(() => held.length, n);
    assert.equal(await page.evaluate(() => globalThis.cancelled), n - 1);
  }
  await held[2].continue();
  assert.equal(await output(page), "[3]");
});

test("a new tool in the OpenAPI document appears with its options and media types", async () => {
  const doc = await (await fetch(`${base}/v1/openapi.json`)).json();
  doc.components.schemas.ShoutOptions = {
    type: "object",
    required: ["target"],
    properties: {
      target: { type: "string", description: "What to make.", enum: ["loud-json", "loud-text"], "x-service-produces": { "loud-json": "application/json", "loud-text": "text/plain" } },
      times: { type: "integer", description: "How often.", minimum: 1, maximum: 100, default: 3 },
    },
  };
  doc.components.schemas.ShoutStep = { type: "object", properties: { tool: { type: "string", enum: ["shout"] }, options: { $ref: "#/components/schemas/ShoutOptions" } } };
  doc.components.schemas.PipelineStep.oneOf.push({ $ref: "#/components/schemas/ShoutStep" });
  doc.paths["/v1/tools/shout"] = { post: {
    operationId: "shout", summary: "Shout", description: "Makes text loud. Really.",
    "x-service-media-types": { accepts: ["application/yaml", "text/plain"], produces: ["application/json", "text/plain"] },
    requestBody: { content: { "application/json": { example: { input: artifact("hello", "text/plain"), options: { target: "loud-text" } } } } },
  } };
  await withPage({}, async (page) => {
    // Firefox doesn't report request bodies to the driver.
    await page.addInitScript(() => {
      const { fetch } = globalThis;
      globalThis.bodies = [];
      globalThis.fetch = (url, options) => {
        if (options?.body) globalThis.bodies.push(JSON.parse(options.body));
        return fetch(url, options);
      };
    });
    const bodies = () => page.evaluate(() => globalThis.bodies);
    await page.route("**/v1/openapi.json", (route) => route.fulfill({ json: doc }));
    await page.route("**/v1/tools/shout", (route) => route.fulfill({ json: { output: artifact("HELLO", "text/plain"), warnings: [], provenance: {} } }));
    await open(page);
    await page.locator("#tools button", { hasText: "Shout" }).click();
    await type(page, "hello");
    assert.match(await page.locator("#step-1 .why").innerText(), /Choose target/);
    assert.equal(await page.locator("#step-1 .joint b").innerText(), "not chosen yet");
    assert.equal(await currentURL(page), `${base}/editor`);
    await page.selectOption("#option-1-target", "loud-json");
    assert.equal(await page.locator("#step-1 .joint b").innerText(), "JSON");
    await page.locator(".adder .add").click();
    assert.equal(await page.locator("#tools button", { hasText: "Convert JSON to YAML" }).isEnabled(), true);
    await page.selectOption("#option-1-target", "loud-text");
    assert.equal(await page.locator("#tools button", { hasText: "Convert JSON to YAML" }).isEnabled(), false);
    assert.equal(await output(page), "HELLO");
    assert.match(await currentURL(page), /#r=1&s=shout,target:loud-text$/);
    assert.equal(await page.locator("#input-media select").inputValue(), "text/plain");
    await page.selectOption("#input-media select", "application/yaml");
    await page.focus("#option-1-times");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("7");
    await page.locator("#option-1-times").blur();
    await page.waitForFunction(() => location.hash === "#r=1&s=shout,target:loud-text,times:7");
    await page.waitForFunction(() => globalThis.bodies.at(-1).options.times === 7);
    assert.ok((await bodies()).every(({ options }) => options.target), "it ran without the option that it requires");
    assert.deepEqual((await bodies()).at(-1), { input: artifact("hello", "application/yaml"), options: { target: "loud-text", times: 7 } });
  });
});

pageTest("the editor works without local storage", async (page) => {
  await page.addInitScript(() => {
    const original = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
    Object.defineProperty(globalThis, "localStorage", { configurable: true, get() { throw new DOMException("refused", "SecurityError"); } });
    globalThis.allow = () => Object.defineProperty(globalThis, "localStorage", original);
  });
  await open(page, "r=1&s=json_format,indent:0");
  await type(page, "[ 1 ]");
  assert.equal(await output(page), "[1]");
  await page.locator("#in-page").check();
  await page.locator("#output-facts", { hasText: "in this page" }).waitFor();
  await page.locator("#in-page").uncheck();
  await page.keyboard.press("Alt+z");
  await page.evaluate(() => globalThis.allow());
});

pageTest("undo is disabled until there is something to undo, and keeps the focus", async (page) => {
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
  assert.match(await currentURL(page), /indent:3$/);
});

pageTest("a recipe saved in another tab appears at once", async (page) => {
  await open(page, "r=1&s=json_format");
  await page.locator("#kept summary").click();
  const other = await page.context().newPage();
  await open(other, "r=1&s=json_to_yaml");
  await other.locator("#kept summary").click();
  await other.fill("#keep-name", "of the other tab");
  await other.locator("#keep").click();
  await page.locator("#kept-list button", { hasText: "of the other tab" }).waitFor();
});

pageTest("changes of the recipe are undone and redone", async (page) => {
  await open(page, "r=1&s=json_format&s=json_to_yaml");
  await page.locator("#step-1 .remove").click();
  await page.locator("#undo").click();
  assert.match(await currentURL(page), /#r=1&s=json_format&s=json_to_yaml$/);
  await page.locator("h2#recipe-title").click();
  await page.keyboard.press("Control+Shift+z");
  assert.match(await currentURL(page), /#r=1&s=json_to_yaml$/);
});

pageTest("saved recipes are exported and imported; an unknown file changes nothing", async (page) => {
  await open(page, "r=1&s=json_format,indent:4");
  await page.locator("#kept summary").click();
  await page.fill("#keep-name", "four");
  await page.locator("#keep").click();
  const { text } = await saved(page, () => page.locator("#kept-save").click());
  assert.deepEqual(JSON.parse(text), [{ name: "four", recipe: "r=1&s=json_format,indent:4" }]);
  await page.locator("#forget").click();
  for (const [strange, pattern] of [["{}", /contains no saved recipes/], ["[{\"name\": 1}]", /0 recipes/], [text, /1 recipe imported/]]) {
    await page.setInputFiles("#kept-file", { name: "r.json", mimeType: "application/json", buffer: Buffer.from(strange) });
    await page.waitForFunction((source) => new RegExp(source).test(document.getElementById("status").textContent), pattern.source);
  }
  await page.locator("#kept-list button", { hasText: "four" }).click();
  assert.match(await currentURL(page), /indent:4$/);
});

pageTest("several files run through the recipe, each with its own result", async (page) => {
  await open(page, "r=1&s=json_to_yaml");
  const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  await page.setInputFiles("#file", [file("a.json", '{"a":1}'), file("bad.json", "{"), file("c.json", "[1]")]);
  await page.locator("#batch-all").waitFor();
  assert.match(await page.locator("#batch tr").nth(1).innerText(), /Invalid JSON/);
  assert.deepEqual(await saved(page, () => page.locator("#batch tr").first().locator("button").click()), { name: "a.yaml", text: "a: 1\n" });
  await accessible(page, "files");
  await shot(page, "files");
  await page.keyboard.press("Escape");
});

pageTest("the list of keyboard shortcuts, and a target chosen by its card", async (page) => {
  await open(page);
  await page.keyboard.press("?");
  assert.match(await page.locator("#keys").innerText(), /Take a suggestion/);
  await accessible(page, "keys");
  await page.keyboard.press("Escape");
  await page.locator("#tools button", { hasText: "Postman" }).click();
  await page.keyboard.press("Space");
  await page.waitForURL(/target:openapi-3\.2-json$/);
  await page.locator("#step-1 input[value=curl]").check({ force: true });
  await page.waitForURL(/target:curl$/);
  await accessible(page, "cards");
});
