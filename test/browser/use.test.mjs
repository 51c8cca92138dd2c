// Tests "Use it from": runs the code that the page offers, unchanged and in each
// language. The output must match what the page shows.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { base, close, open, output, type, withPage } from "./browser.mjs";

after(close);

const run = promisify(execFile);
const programs = {
  cURL: ["use.sh", (file) => ["sh", [file]]],
  JavaScript: ["use.mjs", (file) => ["node", [file]]],
  Python: ["use.py", (file) => ["python3", [file]]],
  Go: ["use.go", (file) => ["go", ["run", file]]],
  MCP: ["use-mcp.sh", (file) => ["sh", [file]]],
};

const recipes = [
  ["r=1&s=json_format,indent:4", "input.json", '{"a": "it\'s \\"quoted\\" $HOME", "é": [1, 2.50]}'],
  ["r=1&s=json_format,indent:1&s=json_to_yaml,indent:3", "input.json", '{"a": {"b": ["x", {"c": "no"}]}}'],
  ["r=1&s=timestamp_to_iso,unit:milliseconds", "input.txt", "1700000000123"],
];

// Another package tests the MCP endpoint. Where it is enabled, GET returns 405.
const agents = (await fetch(`${base}/mcp`)).status === 405;

for (const [recipe, file, input] of recipes) {
  test(recipe, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "convertd-use-"));
    try {
      await writeFile(join(folder, file), input);
      await withPage({}, async (page) => {
        await open(page, recipe);
        await type(page, input);
        const want = await output(page);
        const tabs = await page.locator("#use-tabs [role=tab]").allInnerTexts();
        assert.deepEqual(tabs, Object.keys(programs));
        const running = []; // in parallel
        for (const [language, [name, command]] of Object.entries(programs)) {
          await page.locator("#use-tabs [role=tab]", { hasText: language }).first().click();
          const text = await page.locator("#use-code").textContent();
          assert.match(await page.locator("#use-note").innerText(), new RegExp(`^Reads ${file.replace(".", "\\.")}`));
          assert.ok(!text.includes(input));
          if (language === "MCP" && !agents) {
            t.diagnostic("the MCP program was not run: this server has no /mcp");
            continue;
          }
          await writeFile(join(folder, name), text);
          running.push(run(...command(join(folder, name)), { cwd: folder })
            .then(({ stdout }) => assert.equal(stdout, want, `${language}:\n${text}`)));
        }
        for (const ended of await Promise.allSettled(running)) if (ended.reason) throw ended.reason;
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
}
