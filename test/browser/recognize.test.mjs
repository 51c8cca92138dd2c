// What the page recognises in a text is what the engine takes it for, over the
// whole corpus of real sources and tokens.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { api, close, open, serveModules, withPage } from "./browser.mjs";

after(close);

const corpus = new URL("../../../shared/corpus/", import.meta.url);
const options = { skip: !existsSync(corpus) && "the corpus is not here" };

// recognized is what the page's own recognition says of texts.
const recognized = (page, texts) => page.evaluate(async (all) => {
  const { recognize } = await import("/modules/recognize.js");
  return all.map((text) => recognize(text) ?? {});
}, texts);

for (const [folder, kinds] of [["openapi", /^an OpenAPI|^a Swagger/], ["postman", /^a Postman/], ["curl", /curl|PowerShell/]]) {
  test(`sources of ${folder}`, options, () => withPage({}, async (page) => {
    await serveModules(page);
    await open(page);
    const place = new URL(`apiconvert/${folder}/`, corpus);
    const names = await readdir(place);
    assert.ok(names.length > 50);
    let taken = 0;
    for (const name of names) {
      const value = await readFile(new URL(name, place), "utf8");
      if (Buffer.byteLength(JSON.stringify(value)) > 1_000_000) continue; // more than a request takes
      const [{ kind = "", mediaType, source = false }] = await recognized(page, [value]);
      const answer = mediaType && await api("/v1/tools/api_convert", { input: { mediaType, value }, options: { target: "openapi-3.1-json" } });
      const engine = Boolean(answer) && !["unrecognized_source", "invalid_source"].includes(answer.code);
      assert.equal(source, engine, `${name}: the page says ${kind}, the engine ${answer?.code ?? "takes it"}`);
      if (source) assert.match(kind, kinds, name);
      taken += engine ? 1 : 0;
    }
    assert.ok(taken > names.length / 2, `only ${taken} of ${names.length}`);
  }));
}

test("tokens", options, () => withPage({}, async (page) => {
  await serveModules(page);
  await open(page);
  const cases = JSON.parse(await readFile(new URL("text/jwt/cases.json", corpus), "utf8"));
  let taken = 0;
  for (const { name, token } of cases) {
    const { output } = await api("/v1/tools/jwt_decode", { input: { mediaType: "application/jwt", value: token } });
    if (!output) continue;
    const [{ kind, value }] = await recognized(page, [token]);
    assert.equal(kind, "a JSON Web Token", name);
    assert.equal(value, token.trim(), name);
    taken++;
  }
  assert.ok(taken > 5, `only ${taken} tokens`);
}));
