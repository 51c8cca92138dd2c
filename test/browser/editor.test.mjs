// The editor as people use it.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { api, base, close, open, openAnew, output, problem, saved, secret, type, withPage } from "./browser.mjs";

after(close);

const json = JSON.stringify({ name: secret, list: [1, 2.5, null], deep: { yes: true } });
const artifact = (value, mediaType = "application/json") => ({ mediaType, value });

test("a link of a real answer opens exactly its recipe and gives the same output", async () => {
  const steps = [{ id: "a", tool: "json_format", options: { indent: 4 } }, { id: "b", tool: "json_to_yaml", options: { indent: 3 } }];
  const answer = await api("/v1/pipeline", { version: 1, input: artifact(json), steps });
  assert.ok(answer.provenance.editorUrl.startsWith(`${base}/editor#r=1&s=`));
  await withPage({}, async (page) => {
    await page.goto(answer.provenance.editorUrl);
    await page.waitForSelector("body.ready");
    assert.equal(page.url(), answer.provenance.editorUrl);
    assert.equal(await page.locator(".step").count(), 2);
    await type(page, json);
    assert.equal(await output(page), answer.output.value);
  });
});

test("editing a step changes the address and the output; the shared link holds the recipe and no input", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format");
    await type(page, json);
    assert.match(await output(page), /\n {2}"name"/);
    await page.focus("#option-1-indent");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => location.hash === "#r=1&s=json_format,indent:5");
    await page.waitForFunction(() => document.querySelector("#output .text")?.textContent.includes('\n     "name"'));
    const link = page.url();
    await page.reload();
    await page.waitForSelector("body.ready");
    assert.equal(page.url(), link);
    assert.equal(await page.inputValue("#option-1-indent"), "5");
    assert.equal(await page.inputValue("#input"), "");
    await page.locator("#share").click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
  });
});

test("steps are added, moved and removed; what cannot follow is disabled", async () => {
  await withPage({}, async (page) => {
    await open(page);
    await page.locator("#tools button", { hasText: "Convert JSON to YAML" }).click();
    assert.match(page.url(), /#r=1&s=json_to_yaml$/);
    await page.locator(".adder .add").click();
    const { paths } = await (await fetch(`${base}/v1/openapi.json`)).json();
    for (const { post } of Object.values(paths).filter((item) => item.post["x-service-media-types"])) {
      const fits = post["x-service-media-types"].accepts.includes("application/yaml");
      assert.equal(await page.locator("#tools button", { has: page.getByText(post.summary, { exact: true }) }).isEnabled(), fits, post.summary);
    }
    await page.locator("#step-1 .remove").click();
    assert.equal(await page.locator(".step").count(), 0);
    assert.equal(new URL(page.url()).hash, "");
    await page.locator("#tools button", { hasText: "Format JSON" }).click();
    await page.locator(".adder .add").click();
    await page.locator("#tools button:enabled", { hasText: "Convert JSON to YAML" }).click();
    assert.match(page.url(), /#r=1&s=json_format&s=json_to_yaml$/);
    await page.locator("#step-2 .up").click();
    assert.match(page.url(), /#r=1&s=json_to_yaml&s=json_format$/);
    assert.match(await page.locator("#step-2 .why").innerText(), /takes JSON, but gets YAML/);
    assert.equal(await page.locator("#run").isDisabled(), true);
  });
});

test("the system's own sharing is offered where there is one, with the recipe and nothing else", () => withPage({}, async (page) => {
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
  await page.locator("#send").click(); // closed by the person, which is no fault
  assert.deepEqual(await page.evaluate(() => globalThis.shared[0]), { title: "Editor · convertd", url: page.url() });
  assert.match(page.url(), /#r=1&s=json_format,indent:1$/);
  assert.equal(await page.evaluate(() => globalThis.shared.length), 2);
}));

test("by keyboard alone", async () => {
  await withPage({}, async (page) => {
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
    assert.match(page.url(), /#r=1&s=json_format&s=json_to_yaml$/);
    await tabTo(/^Remove step 2/, "Shift+Tab");
    await page.keyboard.press("Alt+ArrowUp");
    assert.match(page.url(), /#r=1&s=json_to_yaml&s=json_format$/);
    await page.keyboard.press("Alt+ArrowDown");
    assert.match(page.url(), /#r=1&s=json_format&s=json_to_yaml$/);
    await tabTo(/^Live preview|Input text/, "Shift+Tab");
    await tabTo(/^Input text/, "Shift+Tab");
    await page.uncheck("#live");
    await page.focus("#input");
    await page.keyboard.insertText(json);
    await page.waitForTimeout(500);
    assert.equal(await page.locator("#output .block").count(), 0, "live preview is off, and yet it ran");
    await page.keyboard.press("Control+Enter");
    assert.match(await output(page), /name/);
    assert.match(await page.locator("#status").textContent(), /^Result: \d+ lines/);
    await tabTo(/^Show the result of step 1/);
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("#output-title").innerText(), "Result of step 1");
    await tabTo(/^cURL/);
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator("#use-code").innerText(), /readFile/);
  });
});

test("the result of every step can be opened", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=json_format,indent:0&s=json_format,indent:1&s=json_format,indent:8");
    await type(page, '[1, {"a": 2}]');
    await output(page);
    for (const [i, pattern] of [/^\[1,\{"a":2\}\]$/, /^\[\n 1,/, /^\[\n {8}1,/].entries()) {
      await page.locator(`#step-${i + 1} .joint`).click();
      assert.match(await output(page), pattern);
      assert.equal(await page.locator(`#step-${i + 1} .joint`).getAttribute("aria-pressed"), "true");
    }
  });
});

test("warnings are a list and no error", async () => {
  await withPage({}, async (page) => {
    await open(page, "r=1&s=timestamp_to_iso");
    await type(page, "2023-11-14T23:13:20+01:00");
    assert.equal(await output(page), "2023-11-14T22:13:20Z");
    assert.match(await page.locator("#warnings li").innerText(), /^offset_converted\n/);
    assert.equal(await page.locator("#problem").isVisible(), false);
  });
});

test("a file is opened or dropped; the output is copied and downloaded", async () => {
  await withPage({}, async (page) => {
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
    for (const [buffer, pattern] of [[Buffer.from([0xff, 0xfe, 0x41]), /not text in UTF-8/], [Buffer.alloc(1_100_000, "1"), /too large/]]) {
      await page.setInputFiles("#file", { name: "bad", mimeType: "text/plain", buffer });
      await page.waitForSelector("#notice:not([hidden])");
      assert.match(await page.locator("#notice").innerText(), pattern);
    }
  });
});

test("recipes are kept only when asked, without input, and forgotten by one button", async () => {
  await withPage({}, async (page) => {
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
    assert.match(page.url(), /#r=1&s=json_format,indent:3&s=json_to_yaml$/);
    await page.locator("#forget").click();
    assert.equal(await page.evaluate(() => localStorage.length), 0);
    assert.equal(await page.locator("#kept-list li").count(), 0);
  });
});

test("an example shows the whole page at work", async () => {
  await withPage({}, async (page) => {
    await open(page);
    await page.locator("#example").click();
    assert.match(page.url(), /#r=1&s=/);
    assert.notEqual(await output(page), "");
    await open(page, "r=1&s=timestamp_to_iso,unit:seconds");
    await page.locator("#clear").click();
    await page.locator("#example").click();
    assert.match(await output(page), /^\d{4}-\d\d-\d\dT/);
  });
});

test("what was typed last is what is shown: the old call is cancelled, one is in flight", async () => {
  await withPage({}, async (page) => {
    await page.route("**/v1/tools/**", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.continue().catch(() => {}); // cancelled meanwhile
    });
    await open(page, "r=1&s=json_format,indent:0");
    const failed = [];
    page.on("requestfailed", (request) => failed.push(request.failure().errorText));
    await type(page, "[1]");
    await page.waitForTimeout(400);
    await type(page, "[2]");
    await page.waitForTimeout(400);
    await type(page, "[3]");
    assert.equal(await output(page), "[3]");
    assert.equal(failed.length, 2);
    assert.ok(failed.every((text) => /ABORTED/.test(text)), failed.join());
  });
});

test("a new tool of the description appears with its options and media types", async () => {
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
    // Firefox tells the driver no bodies of requests.
    await page.addInitScript(() => {
      const { fetch } = globalThis;
      globalThis.bodies = [];
      globalThis.fetch = (address, options) => {
        if (options?.body) globalThis.bodies.push(JSON.parse(options.body));
        return fetch(address, options);
      };
    });
    const bodies = () => page.evaluate(() => globalThis.bodies);
    await page.route("**/v1/openapi.json", (route) => route.fulfill({ json: doc }));
    await page.route("**/v1/tools/shout", (route) => route.fulfill({ json: { output: artifact("HELLO", "text/plain"), warnings: [], provenance: {} } }));
    await open(page);
    await page.locator("#tools button", { hasText: "Shout" }).click();
    await type(page, "hello");
    await page.waitForTimeout(500);
    assert.deepEqual(await bodies(), [], "it ran without the option that it requires");
    assert.match(await page.locator("#step-1 .why").innerText(), /Choose target/);
    assert.equal(await page.locator("#step-1 .joint b").innerText(), "not chosen yet");
    assert.equal(new URL(page.url()).hash, "");
    await page.selectOption("#option-1-target", "loud-json");
    assert.equal(await page.locator("#step-1 .joint b").innerText(), "JSON");
    await page.locator(".adder .add").click();
    assert.equal(await page.locator("#tools button", { hasText: "Convert JSON to YAML" }).isEnabled(), true);
    await page.selectOption("#option-1-target", "loud-text");
    assert.equal(await page.locator("#tools button", { hasText: "Convert JSON to YAML" }).isEnabled(), false);
    assert.equal(await output(page), "HELLO");
    assert.match(page.url(), /#r=1&s=shout,target:loud-text$/);
    assert.equal(await page.locator("#input-media select").inputValue(), "text/plain");
    await page.selectOption("#input-media select", "application/yaml");
    await page.focus("#option-1-times");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("7");
    await page.locator("#option-1-times").blur();
    await page.waitForFunction(() => location.hash === "#r=1&s=shout,target:loud-text,times:7");
    await page.waitForFunction(() => globalThis.bodies.at(-1).options.times === 7);
    assert.deepEqual((await bodies()).at(-1), { input: artifact("hello", "application/yaml"), options: { target: "loud-text", times: 7 } });
  });
});
