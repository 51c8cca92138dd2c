// Records a page that calls an API in the browser and converts the recording: the operations of the document are the calls
// that the servers logged, other programs accept it, and no secret of the recording is in any output.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { base, newContext } from "./browser.mjs";
import { secrets, shop } from "./shop.mjs";

const spectral = new URL("../lint/node_modules/.bin/spectral", import.meta.url).pathname;

test("a recording of a page becomes a document of the API that it calls", async () => {
  const { page, rates, calls, stop } = await shop();
  const folder = await mkdtemp(join(tmpdir(), "har-"));
  const file = join(folder, "shop.har");
  const context = await newContext({ recordHar: { path: file, content: "embed" } });
  const tab = await context.newPage();
  await tab.goto(page);
  await tab.waitForFunction(() => document.getElementById("state").textContent === "done");
  await context.close(); // writes the recording
  stop();
  const value = await readFile(file, "utf8");
  for (const secret of secrets) assert.ok(value.includes(secret), `${secret} was not recorded`);

  const convert = async (target) => {
    const response = await fetch(`${base}/v1/tools/api_convert`, {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ input: { mediaType: "application/json", value }, options: { target } }),
    });
    const result = await response.json();
    assert.ok(response.ok, JSON.stringify(result));
    for (const secret of secrets) assert.ok(!JSON.stringify(result).includes(secret), `${target} has ${secret}`);
    return result;
  };
  const { output, warnings } = await convert("openapi-3.1-json");
  const document = JSON.parse(output.value);
  assert.equal(document.servers[0].url, page);
  assert.ok(warnings.some((line) => /^lost\.page_requests: \d requests: .*1 document/.test(line)), warnings.join("\n"));

  // Each call is one operation with its status, and each operation was called.
  const uncalled = new Set();
  for (const [path, item] of Object.entries(document.paths)) for (const method of Object.keys(item)) if (method !== "servers") uncalled.add(`${method} ${path}`);
  for (const { method, origin, path, status } of calls) {
    const matches = Object.entries(document.paths).filter(([template, item]) =>
      new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{[^}]*\}/g, "[^/]+")}$`).test(path) && item[method.toLowerCase()]);
    assert.equal(matches.length, 1, `${method} ${path}: ${matches.map(([template]) => template)}`);
    const [template, item] = matches[0];
    assert.equal((item.servers ?? document.servers)[0].url, origin, template);
    assert.ok(item[method.toLowerCase()].responses[status], `${method} ${template}: ${status}`);
    uncalled.delete(`${method.toLowerCase()} ${template}`);
  }
  assert.ok(calls.some(({ origin }) => origin === rates));
  assert.deepEqual([...uncalled], []);

  await writeFile(join(folder, "ruleset.yaml"), "extends: spectral:oas\n");
  for (const target of ["openapi-3.1-json", "openapi-3.0-yaml", "swagger-2.0-json"]) {
    const name = join(folder, target.replace("-json", ".json").replace("-yaml", ".yaml"));
    await writeFile(name, (await convert(target)).output.value);
    const lint = spawnSync(spectral, ["lint", "--fail-severity", "error", "--ruleset", join(folder, "ruleset.yaml"), name], { encoding: "utf8" });
    assert.equal(lint.status, 0, lint.stdout + lint.stderr);
  }
  for (const target of ["curl", "postman-2.1"]) await convert(target);
});
