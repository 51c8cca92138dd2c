// Generates programs that run the current recipe elsewhere. They read their input
// from a file and contain no part of the editor's input.

import { root } from "./openapi.js";
import { request } from "./runner.js";
import { extension } from "./text.js";

const marker = "\u0000"; // placeholder for the value of the input

export const languages = [
  { name: "cURL", write: curl, note: "Needs jq, which wraps the file in JSON and unwraps the response." },
  { name: "JavaScript", write: javascript, note: "For Node.js 18 or later, as an .mjs file." },
  { name: "Python", write: python, note: "Python 3, standard library only." },
  { name: "Go", write: golang, note: "Standard library only." },
  { name: "MCP", write: mcp, note: "A tools/call request as an agent sends it. Agents only need the URL." },
];

// make returns the data for the programs of a recipe: the URL, the request body and
// the name of the input file.
export function make(api, origin, steps, mediaType) {
  const { path, body } = request(api, steps, { mediaType, value: marker });
  delete body.returnStepIds;
  const tool = steps.length === 1 ? steps[0].tool.name : "pipeline";
  return { url: origin + path, agents: `${origin}${root}/mcp`, tool, body, file: `input.${extension(mediaType)}` };
}

// literal returns a value in the syntax of a language. Strings are written as JSON
// strings, which are valid in all of these languages. The input becomes the
// expression style.value.
function literal(node, style, indent) {
  if (node === marker) return style.value;
  if (typeof node !== "object") return JSON.stringify(node);
  const inner = `${indent}${style.indent}`;
  const list = Array.isArray(node);
  const items = Object.entries(node).map(([name, item]) => (list ? "" : style.name(name)) + literal(item, style, inner));
  const [open, close] = list ? style.list : style.object;
  const line = `${open}${items.join(", ")}${close}`;
  if (line.length + indent.length <= 88 && !line.includes("\n")) return line;
  const rows = items.map((item) => inner + item).join(",\n") + (style.lastComma ? "," : "");
  return `${open.trimEnd()}\n${rows}\n${indent}${close.trimStart()}`;
}

const word = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ url, body, file }) {
  const filter = literal(body, {
    value: ".", indent: "  ", name: (n) => `${word(n)}: `, list: ["[", "]"], object: ["{", "}"], lastComma: false,
  }, "");
  return [
    `jq -Rs ${shell(filter)} ${file} |`,
    `  curl -s ${shell(url)} -H 'Content-Type: application/json' --data-binary @- |`,
    "  jq -j '.output.value // .'",
    "",
  ].join("\n");
}

function javascript({ url, body, file }) {
  const text = literal(body, {
    value: `await readFile(${JSON.stringify(file)}, "utf8")`,
    indent: "  ", name: (n) => `${word(n)}: `, list: ["[", "]"], object: ["{ ", " }"], lastComma: true,
  }, "  ");
  return `import { readFile } from "node:fs/promises";

const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(${text}),
});
const result = await response.json();
if (!response.ok) throw new Error(\`\${result.code}: \${result.detail} \${result.hint}\`);
process.stdout.write(result.output.value);
`;
}

function python({ url, body, file }) {
  const text = literal(body, {
    value: `pathlib.Path(${JSON.stringify(file)}).read_text(encoding="utf-8")`,
    indent: "    ", name: (n) => `${JSON.stringify(n)}: `, list: ["[", "]"], object: ["{", "}"], lastComma: true,
  }, "");
  return `import json
import pathlib
import sys
import urllib.error
import urllib.request

body = ${text}
request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(body).encode(),
    headers={"Content-Type": "application/json"},
)
try:
    result = json.load(urllib.request.urlopen(request))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    sys.exit(f"{problem['code']}: {problem['detail']} {problem['hint']}")
sys.stdout.write(result["output"]["value"])
`;
}

function golang({ url, body, file }) {
  const text = literal(body, {
    value: "string(input)",
    indent: "\t", name: (n) => `${JSON.stringify(n)}: `, list: ["[]any{", "}"], object: ["map[string]any{", "}"], lastComma: true,
  }, "\t");
  return `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	input, err := os.ReadFile(${JSON.stringify(file)})
	if err != nil {
		log.Fatal(err)
	}
	body, err := json.Marshal(${text})
	if err != nil {
		log.Fatal(err)
	}
	response, err := http.Post(${JSON.stringify(url)}, "application/json", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var result struct {
		Output             struct{ Value string }
		Code, Detail, Hint string
	}
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatalf("%s: %s %s", result.Code, result.Detail, result.Hint)
	}
	fmt.Print(result.Output.Value)
}
`;
}

function mcp({ agents, tool, body, file }) {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: body } };
  const filter = literal(message, {
    value: ".", indent: "  ", name: (n) => `${word(n)}: `, list: ["[", "]"], object: ["{", "}"], lastComma: false,
  }, "");
  return [
    `# The URL for an agent's configuration: ${agents}`,
    `jq -Rs ${shell(filter)} ${file} |`,
    `  curl -s ${shell(agents)} -H 'Content-Type: application/json' \\`,
    "    -H 'Accept: application/json, text/event-stream' -H 'MCP-Protocol-Version: 2025-11-25' --data-binary @- |",
    "  jq -j '.result.structuredContent.output.value // .'",
    "",
  ].join("\n");
}
