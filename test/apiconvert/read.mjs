// Reads the outputs of api_convert with independent libraries. Each input line is
// a JSON object {id, kind, text}. Each output line is a JSON object
// {id, error, requests}, where requests is a sorted list of "METHOD url".
import { createInterface } from 'node:readline';
import { validate } from '@readme/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { toHarString } from 'curlconverter';
import postman from 'postman-collection';

const schemas = new Validator();

// The first validator doesn't support OpenAPI 3.2. The second one validates 3.2
// and Swagger 2.0 against their JSON schemas.
async function description(text) {
  const version = JSON.parse(text).openapi;
  if (!version?.startsWith('3.2')) {
    const result = await validate(JSON.parse(text), { resolve: { external: false } });
    if (!result.valid) throw new Error(JSON.stringify(result.errors).slice(0, 300));
  }
  if (!version || version.startsWith('3.2')) {
    const result = await schemas.validate(JSON.parse(text));
    if (!result.valid) throw new Error(JSON.stringify(result.errors).slice(0, 300));
  }
  return [];
}

function collection(text) {
  const found = [];
  new postman.Collection(JSON.parse(text)).forEachItem((item) => {
    const header = item.request.headers.all().find((h) => !h.key);
    if (header) throw new Error('a header without a name');
    found.push(`${item.request.method} ${item.request.url.toString()}`);
  });
  return found.sort();
}

function commands(text) {
  const entries = JSON.parse(toHarString(text)).log.entries;
  return entries.map((e) => `${e.request.method} ${e.request.url}`).sort();
}

const readers = { openapi: description, postman: collection, curl: commands };

for await (const line of createInterface({ input: process.stdin })) {
  const { id, kind, text } = JSON.parse(line);
  let answer;
  try {
    answer = { id, requests: await readers[kind](text) };
  } catch (error) {
    answer = { id, error: String(error.message ?? error).slice(0, 400) };
  }
  console.log(JSON.stringify(answer));
}
