// Tests "Run in this page": the engine in the browser returns the same responses as
// the service, byte for byte (ANS-5), and needs no server once it is loaded.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { get } from "node:http";
import { base, open, output, pageTest, problem, secret, type, withPage } from "./browser.mjs";
import { server } from "./server.mjs";

const here = async (page) => {
  await page.check("#in-page");
  await page.waitForFunction(() => document.getElementById("privacy").textContent.includes("stays on this device"));
};

// raw fetches a file without decoding it, with or without a content coding.
const raw = (url, coding) => new Promise((resolve, reject) => {
  get(url, { headers: coding ? { "Accept-Encoding": coding } : {} }, (response) => {
    const parts = [];
    response.on("data", (part) => parts.push(part));
    response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(parts) }));
  }).on("error", reject);
});

test("the engine is small, and every content coding has the same bytes", async () => {
  const editor = await (await fetch(`${base}/editor`)).text();
  const folder = /data-engine="([^"]+)"/.exec(editor)?.[1];
  assert.ok(folder, "the editor of this build has no engine; run make engine");
  const [br, gz, plain] = await Promise.all(["br", "gzip, deflate", ""].map((coding) => raw(`${base}${folder}/engine.wasm`, coding)));
  assert.deepEqual([br.headers["content-encoding"], gz.headers["content-encoding"], plain.headers["content-encoding"]], ["br", "gzip", undefined]);
  for (const { headers } of [br, gz, plain]) {
    assert.equal(headers["content-type"], "application/wasm");
    assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(headers.vary, "Accept-Encoding");
  }
  assert.ok(br.body.length < 2.3e6 && gz.body.length < 3.2e6, `${br.body.length} and ${gz.body.length} bytes`);
  assert.ok(brotliDecompressSync(br.body).equals(plain.body) && gunzipSync(gz.body).equals(plain.body));
  const worker = await fetch(`${base}${folder}/worker.js`);
  assert.match(worker.headers.get("content-security-policy"), /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'$/);
  console.log(`engine: ${br.body.length} bytes as Brotli, ${gz.body.length} as gzip, ${plain.body.length} unpacked`);
});

test("every request has the service's response, byte for byte", { timeout: 600_000 }, async () => {
  const calls = JSON.parse(await readFile(process.env.CONVERTD_CALLS, "utf8"));
  assert.ok(calls.length > 400, `only ${calls.length} calls`);
  await withPage({}, async (page) => {
    await open(page);
    await here(page);
    // Only the service limits the size of a request, the size of an output and the time.
    const limits = ["output_too_large", "too_complex", "request_too_large", "deadline_exceeded", "overloaded"];
    const beyond = [];
    for (let i = 0; i < calls.length; i += 50) {
      const part = calls.slice(i, i + 50);
      // Equal responses are not returned from the page, because both are long.
      const responses = await page.evaluate(async (part) => {
        const { engine: folder, size, base, provider, version } = document.getElementById("place").dataset;
        const { Engine } = await import(`${folder}/engine.js`);
        globalThis.engine ??= new Engine({ folder, size: Number(size), baseURL: base, provider, version });
        const all = [];
        for (const { path, body } of part) {
          const fetched = fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
          const inPage = await globalThis.engine.call(path, body); // while the service handles the request
          const onServer = { status: (await fetched).status, text: await (await fetched).text() };
          const code = onServer.status === 200 ? "" : JSON.parse(onServer.text).code;
          const same = inPage.status === onServer.status && inPage.text === onServer.text;
          all.push(same ? { code } : { code, onServer, inPage });
        }
        return all;
      }, part);
      responses.forEach(({ code, onServer, inPage }, j) => {
        if (limits.includes(code)) beyond.push(part[j].name);
        else assert.deepEqual(inPage, onServer, part[j].name);
      });
    }
    assert.ok(beyond.length < calls.length / 20, `beyond a limit: ${beyond}`);
    console.log(`${calls.length} calls, ${beyond.length} of them beyond a limit of the service`);
  });
});

test("Run in this page: loaded on demand, remembered, works without the server", async () => {
  const own = await server();
  try {
    await withPage({}, async (page, seen) => {
      await page.goto(`${own.origin}/editor#r=1&s=json_format,indent:0`);
      await page.waitForSelector("body.ready");
      assert.ok(!seen.requests.some((url) => /engine\.js|wasm/.test(url)), "the engine is loaded before the user switches it on");
      await page.check("#in-page");
      await type(page, `["${secret}", 1.50]`);
      assert.equal(await output(page), `["${secret}",1.50]`);
      assert.match(await page.innerText("#output-facts"), /ms in this page/);
      assert.ok(!seen.requests.some((url) => url.includes("/v1/tools/")), "the text was sent");
      await page.reload();
      await page.waitForSelector("body.ready");
      assert.ok(await page.isChecked("#in-page"), "the choice is forgotten");
      await type(page, "[ 1 ]");
      assert.equal(await output(page), "[1]");

      await own.stop();
      await type(page, "[ 2 ]");
      assert.equal(await output(page), "[2]");
      await type(page, "[ 2, ]");
      assert.match(await problem(page), /invalid_json|Invalid JSON/);
      // Canceling a call terminates its worker. The next call starts a new one.
      const again = await page.evaluate(async () => {
        const { engine: folder, size, base, provider, version } = document.getElementById("place").dataset;
        const { Engine } = await import(`${folder}/engine.js`);
        const engine = new Engine({ folder, size: Number(size), baseURL: base, provider, version });
        const body = (value) => ({ input: { mediaType: "application/json", value }, options: { indent: 8 } });
        await engine.call("/v1/tools/json_format", body("[1]"));
        const leave = new AbortController();
        const phases = [];
        const slow = engine.call("/v1/tools/json_format", body(`[${"[1,2,3],".repeat(2e6)}1]`), {
          signal: leave.signal,
          progress: ({ phase }) => {
            phases.push(phase);
            if (phase === "running") leave.abort();
          },
        });
        const ended = await slow.then(() => "done", (error) => error.name);
        const next = await engine.call("/v1/tools/json_format", body("[2]"));
        return { ended, phases, next: JSON.parse(next.text).output.value };
      });
      assert.equal(again.ended, "AbortError");
      assert.equal(again.next, "[\n        2\n]");
      assert.equal(again.phases.at(-1), "running");
    });
  } finally {
    await own.stop();
  }
});

pageTest("an input of 61 MiB is formatted in the page", async (page) => {
  await open(page);
  const [status, same] = await page.evaluate(async () => {
    const { engine: folder, size, base, provider, version } = document.getElementById("place").dataset;
    const { Engine } = await import(`${folder}/engine.js`);
    const engine = new Engine({ folder, size: Number(size), baseURL: base, provider, version });
    const value = `[${"1234567,".repeat(8e6)}1]`;
    const { status, text } = await engine.call("/v1/tools/json_format", { input: { mediaType: "application/json", value }, options: { indent: 0 } });
    return [status, JSON.parse(text).output?.value === value];
  });
  assert.deepEqual([status, same], [200, true]);
});
