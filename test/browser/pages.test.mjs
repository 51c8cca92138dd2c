// Tests the API explorer and the static pages.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { test } from "node:test";
import { accessible, base, pageTest, shot, withPage } from "./browser.mjs";

for (const colorScheme of ["light", "dark"]) {
  test(`the explorer shows the served document and tries it out, ${colorScheme}`, async () => {
    await withPage({ colorScheme }, async (page) => {
      await page.goto(`${base}/docs`);
      await page.locator(".opblock").first().waitFor();
      await shot(page, `docs-${colorScheme}`);
      const doc = await (await fetch(`${base}/v1/openapi.json`)).json();
      assert.equal(await page.locator(".opblock").count(), Object.keys(doc.paths).length);
      await accessible(page, "closed");
      const operation = page.locator(".opblock", { hasText: "/v1/tools/json_format" });
      await operation.locator(".opblock-summary-control").click();
      await operation.locator(".execute").click();
      const response = operation.locator(".live-responses-table .response");
      await response.waitFor();
      assert.match(await response.innerText(), /200[\s\S]*"provenance"/);
      await accessible(page, "an operation tried out");
      await shot(page, `docs-tried-${colorScheme}`);
    });
  });
}

pageTest("every operation's example is sent with one click and succeeds", async (page) => {
  await page.goto(`${base}/docs`);
  await page.locator(".opblock").first().waitFor();
  const operations = await page.locator(".opblock:has(.try-example)").all();
  const { paths } = await (await fetch(`${base}/v1/openapi.json`)).json();
  assert.equal(operations.length, Object.values(paths).filter((item) => item.post).length);
  for (const operation of operations) {
    await operation.locator(".try-example").click();
    const response = operation.locator(".live-responses-table .response");
    await response.waitFor();
    assert.match(await response.innerText(), /^200/);
    await operation.locator(".opblock-summary-control").click();
  }
});

pageTest("the API explorer lists problems by code", async (page) => {
  await page.goto(`${base}/docs#/tools/json_format`);
  const problems = page.locator('.opblock.is-open tr.response[data-code="422"]').last();
  await problems.locator(".examples-select-element").selectOption({ label: "duplicate_key" });
  await problems.locator(".example", { hasText: "/problems/duplicate_key" }).waitFor();
  await problems.scrollIntoViewIfNeeded();
  await shot(page, "docs-problem");
});

test("the API explorer is the pinned package, with its licence", async () => {
  for (const name of ["swagger-ui-bundle.js", "swagger-ui.css"]) {
    const ours = gunzipSync(await readFile(new URL(`../../internal/web/swaggerui/${name}.gz`, import.meta.url))).toString();
    const theirs = await readFile(new URL(`node_modules/swagger-ui-dist/${name}`, import.meta.url), "utf8");
    assert.equal(ours.trim(), theirs.replace(/\n\/[/*]# sourceMappingURL=.*/, "").trim());
  }
  const html = await (await fetch(`${base}/docs`)).text();
  const licence = await fetch(base + /href="([^"]*LICENSE)"/.exec(html)[1]);
  assert.match(await licence.text(), /Apache License/);
});

pageTest("problems link to their pages", async (page) => {
  await page.goto(`${base}/`);
  await page.locator("nav a", { hasText: "Problems" }).click();
  const rows = page.locator("tbody tr");
  const doc = await (await fetch(`${base}/v1/openapi.json`)).json();
  assert.equal(await rows.count(), doc.components.schemas.ProblemCode.enum.length);
  await page.locator("a", { hasText: "unsafe_number" }).click();
  assert.equal(await page.locator("h1").innerText(), "Unsafe number");
  assert.match(await page.locator(".wrong pre").innerText(), /9007199254740993/);
  await page.goto(`${base}/`);
  await page.locator(".tools a").first().click();
  await page.waitForSelector("body.ready");
  assert.equal(await page.locator(".step").count(), 1);
  assert.equal(await page.locator("#notice").isVisible(), false);
});
