// The API explorer and the pages to read.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { after, test } from "node:test";
import { base, close, shot, violations, withPage } from "./browser.mjs";

// excused is what axe-core may find in the explorer: {rule, within, reason},
// within a selector. It is Swagger UI's own markup, which is pinned, not
// patched; the page around it and all colours are ours and must be clean.
const excused = JSON.parse(await readFile(new URL("docs-axe.json", import.meta.url), "utf8"));
const needed = new Set();

// excusable takes from the violations those that are excused.
async function excusable(page, found) {
  const left = [];
  for (const violation of found) {
    const i = await page.evaluate(({ violation, excused }) => excused.findIndex(({ rule, within }) =>
      rule === violation.rule && document.querySelector(violation.target)?.closest(within)), { violation, excused });
    if (i < 0) left.push(violation);
    else needed.add(excused[i]);
  }
  return left;
}

after(close);

for (const colorScheme of ["light", "dark"]) {
  test(`the explorer shows the served document and tries it out, ${colorScheme}`, async () => {
    await withPage({ colorScheme }, async (page) => {
      await page.goto(`${base}/docs`);
      await page.locator(".opblock").first().waitFor();
      await shot(page, `docs-${colorScheme}`);
      const doc = await (await fetch(`${base}/v1/openapi.json`)).json();
      assert.equal(await page.locator(".opblock").count(), Object.keys(doc.paths).length);
      assert.deepEqual(await excusable(page, await violations(page)), [], "closed");
      const operation = page.locator(".opblock", { hasText: "/v1/tools/json_format" });
      await operation.locator(".opblock-summary-control").click();
      await operation.locator(".execute").click();
      const answer = operation.locator(".live-responses-table .response");
      await answer.waitFor();
      assert.match(await answer.innerText(), /200[\s\S]*"provenance"/);
      assert.deepEqual(await excusable(page, await violations(page)), [], "an operation tried out");
      await operation.scrollIntoViewIfNeeded();
      await shot(page, `docs-tried-${colorScheme}`);
    });
  });
}

test("no excuse is left that is not needed", () => {
  assert.deepEqual(excused.filter((excuse) => !needed.has(excuse) || !excuse.reason), []);
});

test("the explorer is the pinned package, with its licence", async () => {
  for (const name of ["swagger-ui-bundle.js", "swagger-ui.css"]) {
    const ours = gunzipSync(await readFile(new URL(`../../internal/web/swaggerui/${name}.gz`, import.meta.url))).toString();
    const theirs = await readFile(new URL(`node_modules/swagger-ui-dist/${name}`, import.meta.url), "utf8");
    assert.equal(ours.trim(), theirs.replace(/\n\/[/*]# sourceMappingURL=.*/, "").trim());
  }
  const html = await (await fetch(`${base}/docs`)).text();
  const licence = await fetch(base + /href="([^"]*LICENSE)"/.exec(html)[1]);
  assert.match(await licence.text(), /Apache License/);
});

test("problems lead to their pages, pages to the editor and the explorer", async () => {
  await withPage({}, async (page) => {
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
});
