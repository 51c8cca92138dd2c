// Tests the editor's modules that need no page: parsers for JSON, YAML and tokens,
// input detection, diffs and recipes. Most inputs are generated. Work is measured
// in executed code blocks.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { test } from "node:test";

const base = process.env.CONVERTD_URL;
const post = async (path, body) => {
  const response = await fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return response.json();
};

// V8 counts a block from the first time it compiles it.
const inspector = new Session();
inspector.connect();
await inspector.post("Profiler.enable");
await inspector.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });

globalThis.document = { getElementById: () => null, body: { dataset: {} } }; // some modules read it when they are loaded
const load = (name) => import(new URL(`../../internal/web/editor/${name}.js`, import.meta.url));
const [text, recognizer, { outline }, { commands, summary }, { diff }, json, yaml, pieces, recipe, { read }, warnings] =
  await Promise.all(["text", "recognize", "outline", "summary", "diff", "faults", "faults-yaml", "pieces", "recipe", "openapi", "warnings"].map(load));

const { tools } = read(await (await fetch(`${base}/v1/openapi.json`)).json());
const recognize = (value, among = tools) => recognizer.recognize(value, among);

// steps returns how many blocks of the editor's code act executes.
async function steps(act) {
  await inspector.post("Profiler.takePreciseCoverage");
  act();
  const { result } = await inspector.post("Profiler.takePreciseCoverage");
  return result.filter(({ url }) => url.includes("/web/editor/")).flatMap(({ functions }) => functions).flatMap(({ ranges }) => ranges)
    .reduce((sum, { count }) => sum + count, 0);
}

// linear fails unless an input of twice the length takes about twice the steps. The
// work of regular expressions is not counted, but a quadratic one hangs on the last
// input.
async function linear(what, act, textOf) {
  const [half, full] = [await steps(() => act(textOf(15_000))), await steps(() => act(textOf(30_000)))];
  assert.ok(full <= 2.2 * half + 2_000, `${what}: ${half} steps, twice the text ${full}`);
  act(textOf(250_000));
}

// generator returns a function that returns pseudo-random integers below n.
const generator = (state) => (n) => (state = (state * 1103515245 + 12345) % 2147483648) % n;

const tokens = (value, mediaType) => [...text.tokens(value, mediaType)].map(([kind, start, end]) => [kind, value.slice(start, end)]);

test("tokens of JSON, YAML and JWT", () => {
  assert.deepEqual(tokens('{"a\\"": ["b", -1.5e3, true]}', "application/json"), [
    ["mark", "{"], ["key", '"a\\""'], ["mark", ":"], ["mark", "["], ["string", '"b"'], ["mark", ","], ["number", "-1.5e3"],
    ["mark", ","], ["word", "true"], ["mark", "]"], ["mark", "}"],
  ]);
  assert.deepEqual(tokens('a: 1\n"on": no way\nb:\n  - c: |-\n      x: 1\n\n      y\n    d: null\n  - {}\n  - |\n    z: 1\n# e: 1\n', "application/yaml"), [
    ["key", "a"], ["mark", ":"], ["number", "1"], ["key", '"on"'], ["mark", ":"], ["string", "no way"], ["key", "b"], ["mark", ":"],
    ["mark", "-"], ["key", "c"], ["mark", ":"], ["mark", "|-"], ["string", "x: 1"], ["string", "y"],
    ["key", "d"], ["mark", ":"], ["word", "null"], ["mark", "-"], ["mark", "{}"], ["mark", "-"], ["mark", "|"], ["string", "z: 1"], ["mark", "# e: 1"],
  ]);
  assert.deepEqual(tokens("\n aa.bb.cc\n", "application/jwt"), [["key", "aa"], ["string", "bb"], ["word", "cc"]]);
  assert.deepEqual(tokens("plain", "text/plain"), []);
});

test("tokens are in order and stay within the text and a line", () => {
  const alphabet = ['"', "'", "\\", "\n", " ", "  ", ":", ": ", "- ", "#", "|", "|-", ">", "{", "}", "[", "]", ",", "1", "-1.5e3", "a", "é", "😀", "true", "null", "."];
  for (const mediaType of ["application/json", "application/yaml", "application/jwt"]) {
    const random = generator(7);
    for (let i = 0; i < 20_000; i++) {
      let value = "";
      for (let n = random(60); n > 0; n--) value += alphabet[random(alphabet.length)];
      let last = 0;
      for (const [kind, start, end] of text.tokens(value, mediaType)) {
        assert.ok(start >= last && end >= start && end <= value.length && !value.slice(start, end).includes("\n"), `${mediaType} ${JSON.stringify(value)}: ${kind} ${start} ${end}`);
        last = end;
      }
    }
  }
});

const repeated = ['"', "'", "“", "\\", '"\\', '"\n', '"a" ', "[", "{", '{"a":', "- ", "? ", "a: ", "a:\n", "a:b\n", "a: [\n", 'a: "\n', "&a ", "|\n ", " ", "\n", " \n", "\t", "x\n", "1", "-", "/*", "//\n"];
const readers = {
  "tokens of JSON": (value) => [...text.tokens(value, "application/json")],
  "tokens of YAML": (value) => [...text.tokens(value, "application/yaml")],
  "tokens of a JWT": (value) => [...text.tokens(value, "application/jwt")],
  folds: (value) => [...text.folds(value)],
  "outline of JSON": (value) => outline(value, "application/json"),
  "outline of YAML": (value) => outline(value, "application/yaml"),
  "faults of JSON": json.faults,
  "faults of YAML": yaml.faults,
  recognize,
  commands,
};
for (const [what, act] of Object.entries(readers)) {
  test(`${what}: steps grow linearly`, async () => {
    for (const piece of repeated) await linear(JSON.stringify(piece), act, (n) => piece.repeat(n / piece.length));
  });
}

test("diff: steps are bounded", async () => {
  await linear("lines that never align", (value) => diff(value, `c\n${value.replaceAll("b\n", "b\nc\n")}`), (n) => "a\nb\n".repeat(n / 4));
});

test("fixAll: steps are bounded", async () => {
  const most = await steps(() => json.fixAll("x,".repeat(140_000)));
  assert.ok(most < 60e6, `${most} steps`);
  assert.equal(json.fixAll("[True,]"), "[true]");
});

test("offset: lines count from 1, columns are code points", () => {
  for (const [value, line, column, want] of [
    ["abc", 1, 1, [0, 1]], ["abc", 1, 3, [2, 3]], ["a\nbc", 2, 2, [3, 4]], ["😀x", 1, 2, [2, 3]], ["😀x", 1, 1, [0, 2]],
    ["ab\nc", 1, 9, [2, 3]], ["ab", 9, 9, [2, 2]], ["", 1, 1, [0, 0]],
  ]) assert.deepEqual(text.offset(value, { line, column }), want, JSON.stringify([value, line, column]));
  assert.deepEqual(text.place("Bad. (line 12, column 7)"), { line: 12, column: 7 });
  assert.equal(text.place("Bad (line 12, column 7), and more."), undefined);
  assert.equal(text.place("The number is too large."), undefined);
  for (const [line, named] of [[3, "command 1, line 3"], [7, "commands 2 to 4, lines 7 to 11"], [7, "lines 7 to 11"], [7, "line 7"]]) {
    assert.deepEqual(warnings.place(`--retry (${named}). They were dropped.`), { line, text: named });
  }
  assert.deepEqual(warnings.place("/paths/~1a (list). They were dropped."), { pointer: "/paths/~1a", text: "/paths/~1a" });
  assert.equal(warnings.place("3 headers were dropped."), undefined);
});

test("guess: the likeliest of the accepted media types", () => {
  const all = ["application/json", "application/yaml", "text/plain"];
  for (const [value, accepted, want] of [
    ['{"a": 1}', all, "application/json"], ["openapi: 3.1.0\n", all, "application/yaml"], ["curl https://example.com", all, "text/plain"],
    ["", all, "text/plain"], ["# c\ncurl https://example.com", all, "text/plain"], ["# c\nopenapi: 3.1.0\n", all, "application/yaml"],
    ["{}", ["text/plain"], "text/plain"], ["a.b.c", [...all, "application/jwt"], "application/jwt"],
  ]) assert.equal(text.guess(value, accepted), want, value);
});

test("pieces: a cut line is whole again, and offsets correspond", () => {
  const random = generator(11);
  for (let i = 0; i < 300; i++) {
    let value = "";
    for (let n = random(6) + 1; n > 0; n--) value += ["x", "😀", "\u2063", "\n"][random(i < 150 ? 2 : 4)].repeat(random(9_000)) + "\n".repeat(random(2));
    const found = pieces.cut(value, i % 3 === 0 ? "\u2062" : "");
    if (!found) {
      assert.doesNotMatch(value, /[^\n]{10001}/);
      continue;
    }
    const { shown, mark } = found;
    assert.ok(!value.includes(mark) && pieces.whole(shown, mark) === value && pieces.rows(shown, mark).length === value.split("\n").length);
    for (let n = 0; n < 20; n++) {
      const offset = random(value.length + 1);
      const there = pieces.shownAt(shown, mark, offset);
      assert.ok(pieces.whole(shown.slice(0, there), mark) === value.slice(0, offset) && (offset === value.length || shown[there] === value[offset]), `offset ${offset}`);
    }
  }
  assert.equal(pieces.cut("\u2061\u2062\u2063\u2064".repeat(5000)), undefined, "the text has every mark");
});

test("outline: every value at its offsets", () => {
  const random = generator(5);
  const make = (depth) => {
    const kind = random(depth > 3 ? 3 : 5);
    if (kind === 0) return random(1000) / 8;
    if (kind === 1) return ["", "a\"b", "{[,:]}", "é😀", "\\"][random(5)];
    if (kind === 2) return [true, false, null][random(3)];
    if (kind === 3) return Array.from({ length: random(4) }, () => make(depth + 1));
    return Object.fromEntries(Array.from({ length: random(4) }, (_, i) => [`${["k", "a/b", "", "~", ":"][random(5)]}${i}`, make(depth + 1)]));
  };
  const check = (source, node, value) => {
    assert.deepEqual(JSON.parse(source.slice(node.start, node.end)), value, source);
    if (!node.children) return;
    assert.equal(node.children.length, Object.keys(value).length, source);
    for (const child of node.children) check(source, child, value[child.name]);
  };
  for (let i = 0; i < 2000; i++) {
    const value = { x: make(0) };
    const source = JSON.stringify(value, null, random(3));
    check(source, outline(source, "application/json"), value);
  }
});

test("outline and summary of a text that is not JSON", () => {
  for (const value of ["{::", '{"paths":1}', '{"info":{},"item":7}', "]{", '{"a":}', `{"info":{},"item":[${'{"item":['.repeat(60_000)}`]) {
    outline(value, "application/json");
    summary(value, "application/json");
  }
});

test("diff: removed and added lines make up both texts", () => {
  const random = generator(9);
  const make = () => Array.from({ length: random(14) }, () => "abc"[random(3)]).join("\n");
  for (let i = 0; i < 5000; i++) {
    const [a, b] = [make(), make()];
    const all = diff(a, b);
    const side = (other) => all.filter(({ kind }) => kind !== other).map(({ text: line }) => line).join("\n");
    assert.deepEqual([side("in"), side("out")], [a, b]);
  }
});

test("faults of JSON: none in valid JSON, at least one in any other text", () => {
  const alphabet = ['"', "'", "\\", "\n", " ", "{", "}", "[", "]", ",", ":", "1", "-", "a", "true", "//", "/*", "*/", "#", "“", "None", ".5"];
  const random = generator(3);
  const valid = (value) => {
    try {
      JSON.parse(value);
      return true;
    } catch {
      return false;
    }
  };
  for (let i = 0; i < 20_000; i++) {
    let value = "";
    for (let n = random(24); n > 0; n--) value += alphabet[random(alphabet.length)];
    const found = json.faults(value);
    if (valid(value)) assert.ok(found.every(({ title }) => /duplicate/i.test(title)), value);
    else assert.ok(value.trim() === "" || found.length > 0, value);
    for (const { start, end, fix } of found) assert.ok(start >= 0 && end <= value.length && (!fix || fix.start <= fix.end && fix.end <= value.length), value);
  }
});

test("faults of YAML: one each, none in what only looks like a fault", () => {
  const titles = (value) => yaml.faults(value).map(({ title }) => title);
  for (const [value, want] of Object.entries({
    "a:\n\tb: 1\n": "Tab in the indentation", "a: 1\na: 2\n": "Duplicate name", "a:\n    b: 1\n  c: 2\n": "Inconsistent indentation",
    "a: 1\n  b: 2\n": "Unexpected indentation", "a: 'x\nb: 2\n": "Unclosed quote", "a: {b: [1}}\n": "} does not match [", 'a: "x" y\n': "Text after a value",
    "a: 1\nb\n": "Line without a colon", "- a: b: c\n": "Colon in unquoted text", "a:\n  b:1\n  c: 2\n": "Missing space after the colon",
  })) assert.deepEqual(titles(value), [want], value);
  for (const value of ["a: |\n  b: c: d\n \tx\n", "a:\n- b\n- c: d\n  e: f\ng: h\n", "a: https://x.test:80/y\nb: 'it''s'\n", "a: text\n  that goes on\n  and on\n", "? a\n: b\n", "a: &x {b: [1,\n  2]}\nc: *x\n",
    "---\na: 1\n---\na: 2\n", 'a: "x\n  y: z"\nb: c # d: e\n', "- - a: 1\n    b: 2\n  - c\n", "a: >-\n\n  x\n\nb: !!str 1\n", "plain\n", "a: [b, # c: d\n  e]\n", '"a b": "c\\\n  d"\n']) {
    assert.deepEqual(titles(value), [], value);
  }
});

test("recipes: the vectors that the service's parser passes too", async () => {
  const vectors = JSON.parse(await readFile(new URL("../../internal/recipe/testdata/vectors.json", import.meta.url), "utf8"));
  const { tools } = read(await (await fetch(`${base}/v1/openapi.json`)).json());
  const parsed = (value) => {
    try {
      return recipe.format(recipe.parse(tools, value));
    } catch {
      return undefined;
    }
  };
  for (const { text: value, canonical } of vectors.accepted) assert.equal(parsed(value), canonical, value);
  for (const value of vectors.refused) assert.equal(parsed(value), undefined, value);
});

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const token = `${encode({ alg: "RS256" })}.${encode({ sub: "ann" })}.c2ln`;

test("recognize: what a pasted text is", () => {
  for (const [value, kind] of [
    ["eyJhbGciOiJub25lIn0.e30.", "a JSON Web Token"], ["Authorization: Bearer eyJhbGciOiJFUzI1NiJ9.e30.c2ln", "a JSON Web Token"],
    [`${token}.${token.split(".")[1]}.c2ln`, "an encrypted JSON Web Token"], [token.split(".", 2).join("."), "a JSON Web Token without its last part"],
    ['{"a":1}', "JSON"], ["[1", "JSON"], ["1700000000", "a Unix time"], ["1700000000123456", "a Unix time"], ["-1000000000.5", "a Unix time"],
    ["2024-02-29T12:00:00+01:00", "a date and time"], ["Thu, 29 Feb 2024 12:00:00 GMT", "a date and time"], ["2024-02-29", "a date"],
    ['{"info":{"name":"x","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[]}', "a Postman collection"],
    ['{"log":{"entries":[]}}', "an HTTP archive"], [`{"log":{"version":"1.2","creator":{"name":"a"},"pages":["${"x".repeat(1_000_000)}"]}}`, "an HTTP archive"],
    ['{"openapi":"3.1.0"}', "an OpenAPI 3.1.0 document"], ["swagger: \"2.0\"\ninfo: {}", "a Swagger 2.0 document"], ["# c\nopenapi: 3.0.3\n", "an OpenAPI 3.0.3 document"],
    ["$ curl https://a.test", "curl commands"], ["curl ^\"https://a.test^\"", "a curl command of the Windows command prompt"], ["curl.exe `\n  https://a.test", "a curl command of PowerShell"],
    ["$s = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest -Uri \"https://a.test\"", "PowerShell"],
    ["a: 1\nb: 2\n", "YAML"], [`a: ${token}\nb: 1`, "YAML"],
    ["https://convert.example.com/editor#r=1&s=json_format", "a recipe link"], ["<https://convert.example.com/editor#r=1&s=json_format>", "a recipe link"],
    ...["hello", "a.b.c", "12", "curling is a sport", "", "v1.2.3", "eyes are. closed. now", "eyJ", "2024-02", "x".repeat(900_000), "a:".repeat(400_000)].map((value) => [value, ""]),
  ]) assert.equal(recognize(value)?.kind ?? "", kind, value.slice(0, 80));
});

test("an HTTP archive: its requests and hosts, and OpenAPI first", async () => {
  const entries = ["https://a.test/1", "HTTPS://A.test/2", "http://b.test:8080?x", "data:,x", ""].map((url) => ({ request: { method: "GET", url } }));
  const value = JSON.stringify({ log: { version: "1.2", entries } });
  assert.equal(summary(value, "application/json"), "HTTP archive: 5 requests to 2 hosts");
  assert.equal(recognizer.offers(recognize(value), tools)[0].steps[0].options.target, "openapi-3.1-yaml");
});

test("recognize: certain where the kind is beyond doubt", () => {
  for (const [value, certain] of [[token, true], ['{"a":1}', true], ["1700000000", true], ["170000000012", false], ["openapi: 3.0.3\ninfo: {}", true], ["curl https://a.test", true],
    ["# notes\ncurl https://a.test", false], ["[1", false], ["a: 1\nb: 2\n", false], ["2024-02-29", false]]) {
    assert.equal(recognize(value).certain ?? false, certain, value);
  }
});

// titles returns the offers for a text, each as the names of its tools and the values of their options.
const titles = (value, among = tools) => recognizer.offers(recognize(value, among), among)
  .map(({ steps: list }) => list.map(({ tool, options }) => [tool.name, ...Object.values(options)].join(" ")).join(", "));

test("offers: the likely recipes for an input", () => {
  for (const [value, want] of [
    ["1700000000", ["timestamp_to_iso seconds"]], ["170000000012", ["timestamp_to_iso milliseconds"]], ["2024-02-29", ["timestamp_to_iso"]],
    [token, ["jwt_decode", "jwt_decode, json_to_yaml"]], ["[1]", ["json_format", "json_to_yaml"]], ["a: 1\nb: 2\n", []],
    ["curl https://a.test", ["openapi-3.1-yaml", "postman-2.1", "openapi-3.0-json", "curl"].map((target) => `api_convert ${target}`)],
    ["openapi: 3.0.3\ninfo: {}", ["openapi-3.1-yaml", "postman-2.1", "curl", "openapi-3.0-json"].map((target) => `api_convert ${target}`)],
    ['{"swagger":"2.0"}', [...["openapi-3.1-yaml", "postman-2.1", "curl", "swagger-2.0-json"].map((target) => `api_convert ${target}`), "json_format", "json_to_yaml"]],
  ]) assert.deepEqual(titles(value), want, value);
});

test("offers: a new tool is offered for the inputs that it declares", () => {
  const added = (mediaType, inputs) => [...tools, { name: "added", accepts: [mediaType], produces: ["text/plain"], options: [], inputs }];
  const dates = ["1700000000", "2024-02-29T12:00:00Z", "2024-02-29", "curl https://a.test"];
  for (const value of dates) assert.deepEqual(titles(value, added("text/plain", [])), titles(value), value);
  const hex = added("text/plain", [{ kind: "hexadecimal digits", reason: "an even number", mediaType: "text/plain", pattern: "^(?:[0-9a-f]{2})+$" }]);
  assert.equal(recognize("c0ffee", hex).kind, "hexadecimal digits");
  assert.deepEqual(titles("c0ffee", hex), ["added"]);
  assert.deepEqual(titles("1700000000", hex), ["timestamp_to_iso seconds", "added"]);
  assert.deepEqual(titles("2024-02-29", hex), titles("2024-02-29"));
  assert.deepEqual(titles("[1]", added("application/json", [])), ["json_format", "json_to_yaml", "added"]);
});

test("recognize: the example of each tool", () => {
  for (const tool of tools) {
    const { value, mediaType } = tool.example.input;
    const found = recognize(value);
    assert.equal(found?.mediaType, mediaType, tool.name);
    assert.ok(recognizer.offers(found, tools).some(({ steps: [first] }) => first.tool === tool), tool.name);
  }
});

test("read: each tool of the document has an example", () => {
  for (const { name, example } of tools) assert.ok(example?.input.value, name);
});

test("valueLabel: names of formats", () => {
  for (const [value, want] of [["openapi-3.1-yaml", "OpenAPI 3.1 (YAML)"], ["swagger-2.0-json", "Swagger 2.0 (JSON)"], ["postman-2.1", "Postman collection"], ["curl", "curl"], ["openapi-3.1", "OpenAPI 3.1"], ["seconds", "seconds"]]) {
    assert.equal(text.valueLabel(value), want);
  }
});

test("recognize: a token with what it was copied with", () => {
  for (const value of [`"${token}"`, `'${token}',`, `"access_token": "${token}",`, `token=${token}; Path=/`, `Set-Cookie: token=${token}; Path=/`, `-H 'Authorization: Bearer ${token}'`,
    `${token.slice(0, 30)}\n${token.slice(30, 50)}\r\n  ${token.slice(50)}\n`]) {
    const found = recognize(value);
    assert.deepEqual([found?.kind, found?.value], ["a JSON Web Token", token], value);
    assert.match(found.reason, /left out/, value);
  }
});

// The corpus of real sources is next to a checkout of the project, not in it.
const corpus = new URL("../../../shared/corpus/", import.meta.url);
const options = { skip: !existsSync(corpus) && "no corpus next to this checkout" };

for (const [folder, kinds] of [["openapi", /^an OpenAPI|^a Swagger/], ["postman", /^a Postman/], ["curl", /curl|PowerShell/]]) {
  test(`recognize: sources of ${folder} as the service recognizes them`, options, async () => {
    const place = new URL(`apiconvert/${folder}/`, corpus);
    const names = await readdir(place);
    let taken = 0;
    for (const name of names) {
      const value = await readFile(new URL(name, place), "utf8");
      if (Buffer.byteLength(JSON.stringify(value)) > 1_000_000) continue; // exceeds the request limit
      const { kind = "", mediaType, claims = [] } = recognize(value) ?? {};
      const source = claims.some(({ tool }) => tool.name === "api_convert");
      const result = mediaType && await post("/v1/tools/api_convert", { input: { mediaType, value }, options: { target: "openapi-3.1-json" } });
      const converted = Boolean(result) && !["unrecognized_source", "invalid_source"].includes(result.code);
      assert.equal(source, converted, `${name}: the page says ${kind}, the service ${result?.code ?? "converts it"}`);
      if (source) assert.match(kind, kinds, name);
      if (converted && mediaType === "application/yaml" && value.length < 300_000) assert.deepEqual(yaml.faults(value), [], name);
      taken += converted ? 1 : 0;
    }
    assert.ok(names.length > 50 && taken > names.length / 2, `${taken} of ${names.length}`);
  });
}

test("recognize: tokens that the service decodes", options, async () => {
  const cases = JSON.parse(await readFile(new URL("text/jwt/cases.json", corpus), "utf8"));
  let taken = 0;
  for (const { name, token: value } of cases) {
    const { output } = await post("/v1/tools/jwt_decode", { input: { mediaType: "application/jwt", value } });
    if (!output) continue;
    assert.deepEqual([recognize(value)?.kind, recognize(value)?.value], ["a JSON Web Token", value.trim()], name);
    taken++;
  }
  assert.ok(taken > 5, `${taken} tokens`);
});
