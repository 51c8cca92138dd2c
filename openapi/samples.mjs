// Writes each operation's x-codeSamples into openapi.yaml: what the editor
// shows under "Use it elsewhere" for the operation's first example. Both come
// from one source, internal/web/editor/snippets.js.
//
//   node openapi/samples.mjs openapi/openapi.yaml gen/document/openapi.json
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [source, decoded] = process.argv.slice(2);

// The editor's modules are served as they are; only a package.json tells Node that they are modules.
const modules = mkdtempSync(join(tmpdir(), "samples"));
cpSync(new URL("../internal/web/editor", import.meta.url), modules, { recursive: true });
writeFileSync(join(modules, "package.json"), '{"type": "module"}');
const { read } = await import(join(modules, "description.js"));
const { languages, make } = await import(join(modules, "snippets.js"));
rmSync(modules, { recursive: true });

const names = { cURL: "Shell", JavaScript: "JavaScript", Python: "Python", Go: "Go" }; // lang by label
const document = JSON.parse(readFileSync(decoded, "utf8"));
const description = read(document);

// steps is the recipe of a request, as the editor holds it.
function steps(operation, request) {
  const list = request.steps ?? [{ tool: operation, options: request.options }];
  return list.map(({ tool, options }) => ({
    tool: description.tools.find(({ name }) => name === tool),
    options: options ?? {},
  }));
}

const indented = (text, indent) => text.trimEnd().split("\n").map((line) => (line ? indent + line : "")).join("\n");

function samples({ operationId, requestBody }) {
  const { example, examples } = requestBody.content["application/json"];
  const request = example ?? Object.values(examples)[0].value;
  const call = make(description, "http://127.0.0.1:8080", steps(operationId, request), request.input.mediaType);
  const items = languages.filter(({ name }) => names[name]).map(({ name, write }) =>
    `        - lang: ${names[name]}\n          label: ${name}\n          source: |\n${indented(write(call), " ".repeat(12))}\n`);
  return `      x-codeSamples:\n${items.join("")}`;
}

let text = readFileSync(source, "utf8");
for (const { post } of Object.values(document.paths)) {
  const start = text.indexOf(`      operationId: ${post.operationId}\n`);
  const body = text.indexOf("      requestBody:\n", start);
  const head = text.slice(start, body).replace(/ {6}x-codeSamples:\n(?: {8}.*\n|\n)*/, "");
  text = text.slice(0, start) + head + samples(post) + text.slice(body);
}
writeFileSync(source, text);
