// Tests the pages below a path, https://example.com/tools, with a proxy that keeps
// the path prefix and one that strips it. No request leaves the path.

import assert from "node:assert/strict";
import { test } from "node:test";
import { api, below, currentURL, open, output, problem, secret, type, withPage } from "./browser.mjs";

const inside = (seen, baseURL) =>
  assert.deepEqual(seen.requests.filter((url) => !url.startsWith(`${baseURL}/`) && !/^(blob|data):/.test(url)), [], "outside of the path");

test("there are proxies", () => assert.ok(below.length >= 4));

for (const [i, baseURL] of below.entries()) {
  test(`the editor at ${i}`, async () => {
    await withPage({}, async (page, seen) => {
      await open(page, "r=1&s=json_format,indent:1", baseURL);
      await type(page, `{"a": "${secret}"}`);
      assert.equal(await output(page), `{\n "a": "${secret}"\n}`);
      assert.equal(await currentURL(page), `${baseURL}/editor#r=1&s=json_format,indent:1`);
      for (const [language, text] of [["cURL", "/v1/tools/json_format"], ["Python", "/v1/tools/json_format"], ["MCP", "/mcp"]]) {
        await page.getByRole("tab", { name: language }).click();
        assert.ok((await page.locator("#use-code").innerText()).includes(baseURL + text), language);
      }
      await type(page, `{"a": 1, "a": "${secret}"}`);
      await problem(page);
      const about = await page.locator("#problem a").getAttribute("href");
      assert.equal(new URL(about, baseURL).href, `${baseURL}/problems/duplicate_key`);
      await page.goto(new URL(about, baseURL).href);
      assert.match(await page.locator(".wrong pre").innerText(), /^POST \/tools\/v1\/tools\//);
      await page.locator("nav a", { hasText: "Editor" }).click();
      await page.waitForSelector("body.ready");
      inside(seen, baseURL);
    });
  });

  test(`the link of a response, and two steps, at ${i}`, async () => {
    const steps = [{ id: "a", tool: "json_format" }, { id: "b", tool: "json_to_yaml" }];
    const result = await api("/v1/pipeline", { version: 1, input: { mediaType: "application/json", value: "[1]" }, steps }, baseURL);
    assert.ok(result.provenance.editorUrl.startsWith(`${baseURL}/editor#`));
    await withPage({}, async (page, seen) => {
      await page.goto(result.provenance.editorUrl);
      await page.waitForSelector("body.ready");
      assert.equal(await page.locator(".step").count(), 2);
      await type(page, "[1]");
      assert.equal(await output(page), "- 1\n");
      inside(seen, baseURL);
    });
  });

  test(`the explorer and the front page at ${i}`, async () => {
    await withPage({}, async (page, seen) => {
      await page.goto(`${baseURL}/docs`);
      const operation = page.locator(".opblock", { hasText: "/v1/tools/json_format" });
      await operation.locator(".opblock-summary-control").click();
      await operation.locator(".execute").click();
      const result = operation.locator(".live-responses-table .response");
      await result.waitFor();
      assert.match(await result.innerText(), /200[\s\S]*"provenance"/);
      await page.locator("a.mark").click();
      await page.waitForURL(`${baseURL}/`);
      await page.locator(".tools a").first().click();
      await page.waitForSelector("body.ready");
      inside(seen, baseURL);
    });
  });
}
