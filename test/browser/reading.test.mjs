// Tests reading the result: wrapping, search, folding, the tree, full screen, panes.

import assert from "node:assert/strict";
import { accessible, browserName, open, output, pageTest, problem, shot, type, until } from "./browser.mjs";

const rows = JSON.stringify({ list: Array.from({ length: 300 }, (_, i) => ({ id: i, name: `n${i}` })), "a/b": { "~": 1.5 } }).replace("1.5", "1.50");
const formatted = async (page, text = rows, recipe = "r=1&s=json_format") => {
  await open(page, recipe);
  await type(page, text);
  return output(page);
};

pageTest("long lines wrap unless wrapping is off, and the choice is remembered", async (page) => {
  await open(page, "r=1&s=json_format,indent:0");
  await type(page, `["${"word ".repeat(200)}"]`);
  await output(page);
  const wide = () => page.$eval("#output", (node) => node.scrollWidth > node.clientWidth + 2);
  const numbers = () => page.$eval("#input-code .gutter", (node) => node.textContent.split("\n").length);
  assert.equal(await wide(), false);
  assert.ok(await numbers() > 5, "the number of a wrapped line takes as many rows");
  await page.keyboard.press("Alt+z");
  assert.equal(await wide(), true);
  await open(page, "r=1&s=json_format,indent:0");
  assert.equal(await page.getAttribute("#wrap-output", "aria-pressed"), "false");
});

pageTest("find counts matches, wraps around and opens folded lines", async (page) => {
  await formatted(page);
  await page.locator("#output").focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("N29");
  const facts = page.locator("#output-panel .places");
  await until(() => facts.innerText(), "1 of 11"); // n29 and n290 to n299
  await page.keyboard.press("Shift+Enter");
  await until(() => facts.innerText(), "11 of 11");
  const seen = () => page.evaluate(() => {
    const [range] = CSS.highlights.get("current");
    if (!range) return "not marked";
    const live = document.createRange();
    live.setStart(range.startContainer, range.startOffset);
    live.setEnd(range.endContainer, range.endOffset);
    const box = live.getBoundingClientRect();
    const view = document.getElementById("output").getBoundingClientRect();
    return box.height > 0 && box.top >= view.top && box.bottom <= view.bottom ? live.toString() : "out of view";
  });
  await until(seen, "n29");
  await page.keyboard.press("Escape");
  await page.locator("#fold").click();
  assert.ok(await page.locator("#output .line:visible").count() < 20);
  await page.locator("#output").focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("n150");
  await until(seen, "n150");
});

pageTest("scrolling right after a search is not undone", async (page) => {
  await formatted(page);
  await page.locator("#output").focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("n29");
  assert.equal(await page.evaluate(async () => {
    document.querySelector("#output-panel [title='Next match']").click();
    await new Promise(requestAnimationFrame);
    document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    scrollTo(0, 0);
    await new Promise((resolve) => setTimeout(resolve, 400));
    return scrollY;
  }), 0);
});

pageTest("find works in a long input", async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, `[${'"aa",'.repeat(40_000)}"needle"]`);
  await page.locator("#input").focus();
  await page.keyboard.press("Control+f");
  await page.keyboard.type("needle");
  assert.equal(await page.locator("#input-panel .places").innerText(), "1 of 1");
  assert.equal(await page.$eval("#input", (area) => area.value.slice(area.selectionStart, area.selectionEnd)), "needle");
});

pageTest("a huge line is shown in pieces that are not copied, edited or sent", async (page) => {
  await open(page, "r=1&s=json_format,indent:0");
  const text = `["é",${'"a😀b",'.repeat(20_000)}"end"]`;
  const all = async () => {
    await page.locator("#input").focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    return page.evaluate(() => navigator.clipboard.readText());
  };
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.locator("#input").focus();
  await page.keyboard.press("Control+v");
  assert.equal(await output(page), text);
  assert.ok(await page.$eval("#input", (area) => area.value.split("\n").every((line) => line.length < 1100)));
  assert.match(await page.$eval("#input-code .gutter", (gutter) => gutter.textContent), /^1\n{100}/);
  assert.equal(await all(), text);
  // Deleting works across the boundary of a chunk and can be undone.
  const at = await page.$eval("#input", (area) => {
    const end = area.value.indexOf("\n", 50_000) + 1;
    area.setSelectionRange(end, end);
    return area.value.slice(0, end).replace(/[\u2061-\u2064]\n/g, "").length;
  });
  const width = /[\udc00-\udfff]/.test(text[at - 1]) ? 2 : 1;
  await page.keyboard.press("Backspace");
  assert.equal(await all(), text.slice(0, at - width) + text.slice(at));
  await page.keyboard.press("Control+z");
  assert.equal(await all(), text);
  await page.keyboard.press("Control+x");
  assert.equal(await page.inputValue("#input"), "");
});

pageTest("syntax colours follow the scroll position", async (page) => {
  await open(page, "r=1&s=json_format,indent:1");
  await type(page, `[${"1,".repeat(3_000)}2]`);
  await output(page);
  const coloured = () => { // more than ten visible numbers are highlighted
    const seen = document.getElementById("output").getBoundingClientRect();
    return [...CSS.highlights.get("number")].filter((range) => {
      const live = document.createRange();
      live.setStart(range.startContainer, range.startOffset);
      live.setEnd(range.endContainer, range.endOffset);
      const box = live.getBoundingClientRect();
      return box.height > 0 && box.left >= seen.left && box.top >= seen.top && box.bottom <= seen.bottom;
    }).length > 10;
  };
  await page.waitForFunction(coloured);
  await page.$eval("#output", (node) => node.scrollTo(0, node.scrollHeight / 2));
  await page.waitForFunction(coloured);
});

pageTest("select all and copy return the exact output", async (page) => {
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
});

pageTest("a search in the output follows the next result and leaves the focus in the input", async (page) => {
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
});

pageTest("the tree: keys, escaped JSON Pointers, numbers with their digits", async (page) => {
  await formatted(page);
  await page.locator("#view-tree").click();
  await page.locator("#tree [role=treeitem]").first().focus();
  for (const key of ["End", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  assert.equal(await page.locator("#tree-bar code").innerText(), "/a~1b/~0");
  await page.locator("#tree-bar button", { hasText: "Copy value" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "1.50");
  await page.locator("#tree [role=treeitem]").first().focus();
  for (const key of ["ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  assert.ok(await page.locator("#tree [role=treeitem]").count() > 200);
  assert.match(await page.locator("#tree [role=treeitem]").last().innerText(), /~|a\/b/);
  await accessible(page, "tree");
  await shot(page, "tree");
});

pageTest("the tree of YAML", async (page) => {
  await formatted(page, '{"a":{"b":[1.50,{"c":"x\\ny\\n"}],"on":"no"}}', "r=1&s=json_to_yaml");
  await page.locator("#view-tree").click();
  await page.locator("#tree [role=treeitem]").first().focus();
  for (const key of ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  assert.equal(await page.locator("#tree-bar code").innerText(), "/a/b/0");
});

pageTest("full screen, and pane widths by keyboard", async (page) => {
  await formatted(page);
  await page.locator("#full-output").click();
  const box = await page.locator("#output-panel").boundingBox();
  assert.ok(box.width > 1300 && box.height > 800, JSON.stringify(box));
  await page.locator("#full-output").click();
  const before = (await page.locator("#input-panel").boundingBox()).width;
  await page.locator("#split").focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  const wider = (await page.locator("#input-panel").boundingBox()).width;
  assert.ok(wider > before + 50, `${before} → ${wider}`);
  await open(page, "r=1&s=json_format");
  assert.ok(Math.abs((await page.locator("#input-panel").boundingBox()).width - wider) < 3);
});

pageTest("Escape closes the search, then full screen", async (page) => {
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
});

pageTest("resized panes stay usable in a smaller window", async (page) => {
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
});

pageTest("on a phone every pane is one tap away", async (page) => {
  await formatted(page);
  await page.locator("#jump-output")[browserName === "chromium" ? "tap" : "click"]();
  await page.waitForFunction(() => {
    const top = document.getElementById("output-panel").getBoundingClientRect().top;
    return top >= 0 && top < 200;
  });
  await shot(page, "phone-output");
}, { context: { viewport: { width: 390, height: 844 }, hasTouch: true } });

pageTest("on a phone everything is aligned on one edge", async (page) => {
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
}, { context: { viewport: { width: 390, height: 844 } } });

pageTest("warnings link to the command in the source", async (page) => {
  await open(page, "r=1&s=api_convert,target:openapi-3.1-yaml");
  await type(page, "# one\ncurl https://a.test/x\n\ncurl https://a.test/y --retry 3\n");
  await output(page);
  await page.locator("#warnings button.link", { hasText: "command 2, line 4" }).first().click();
  assert.equal(await page.$eval("#input", (area) => area.value.slice(0, area.selectionStart).split("\n").length), 4);
  await accessible(page, "warnings");
});

pageTest("registered claims are explained on their lines, with their times", async (page) => {
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  await open(page, "r=1&s=jwt_decode");
  await type(page, `${encode({ alg: "ES256" })}.${encode({ exp: 1700000000, own: 1 })}.c2ln`);
  await output(page);
  const lines = page.locator("#output .line[role=note]");
  assert.deepEqual(await lines.evaluateAll((all) => all.map((line) => [line.textContent.trim().split(":")[0], line.dataset.meaning])),
    [['"alg"', "Signature algorithm"], ['"exp"', "Expiry: when the token stops being valid"]]);
  await lines.last().focus();
  assert.match(await lines.last().evaluate((line) => getComputedStyle(line, "::after").content), /Expiry|attr\(data-meaning\)/);
  assert.match(await lines.last().getAttribute("aria-label"), /^"exp": 1700000000, Expiry[^]*2023-11-14T22:13:20Z, expired \d+ years? ago/);
});

pageTest("warnings link to the value in JSON and YAML; secrets are listed by kind", async (page) => {
  const json = '{"openapi":"3.0.3","info":{"title":"x","version":"1"},"servers":[{"url":"https://a.test"}],"paths":{"/a":{"get":{"responses":{"200":{"description":"ok","links":{"l":{"operationId":"b"}}}}}}}}';
  const yaml = 'openapi: 3.0.3\ninfo: {title: x, version: "1"}\nservers:\n  - url: https://a.test\npaths:\n  /a:\n    get:\n      responses:\n        "200":\n          description: ok\n          links:\n            l: {operationId: b}\n';
  for (const [text, selected] of [[json, '{"operationId":"b"}'], [yaml, "{operationId: b}"]]) {
    await open(page, "r=1&s=api_convert,target:curl");
    await type(page, text);
    await output(page);
    await page.locator("#warnings button.link", { hasText: "/links" }).click();
    const found = await page.$eval("#input", (area) => area.value.slice(area.selectionStart, area.selectionEnd));
    assert.equal(found, selected);
  }
  const curl = 'curl "https://a.test/x?token=abcabcabc" -H "X-Api-Key: s3cr3tvalue99" -b "session=abc123456789" --data-raw \'{"password":"hunter2"}\'\n';
  for (const [target, pattern] of [["curl", /passwords \(PASSWORD\)/], ["postman-2.1", /passwords \(password\)/], ["openapi-3.1-yaml", /passwords \(password\)/]]) {
    await open(page, `r=1&s=api_convert,target:${target}`);
    await type(page, curl);
    await output(page);
    assert.match(await page.locator("#warnings").innerText(), pattern);
  }
});
