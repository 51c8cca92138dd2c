// A server that a user could write in an afternoon. It implements the same
// operations with Fastify and its schema validation, JSON.parse, JSON.stringify
// and js-yaml, and api_convert with openapi-to-postmanv2 and curlconverter. Its
// responses have the same structure, but it makes none of the service's other
// guarantees (exact digits, duplicate names, limits, provenance per recipe).
//
// node server.mjs PORT
import { createRequire } from 'node:module';
import { fastify as createServer } from 'fastify';
import { toHarString } from 'curlconverter';
import yaml from 'js-yaml';

const openapiToPostman = createRequire(import.meta.url)('openapi-to-postmanv2');

const artifact = {
  type: 'object',
  required: ['mediaType', 'value'],
  additionalProperties: false,
  properties: {
    mediaType: { type: 'string', maxLength: 100 },
    value: { type: 'string', maxLength: 1048576 },
  },
};

const call = (options) => ({
  body: {
    type: 'object',
    required: ['input'],
    additionalProperties: false,
    properties: {
      input: artifact,
      options: { type: 'object', additionalProperties: false, properties: options },
    },
  },
});

const indent = { indent: { type: 'integer', minimum: 0, maximum: 8 } };

const answer = (tool, mediaType, value, warnings = []) =>
  JSON.stringify({
    output: { mediaType, value },
    warnings,
    provenance: {
      provider: 'fastify',
      engineVersion: '1.0.0',
      tool,
      attribution: `Converted by fastify 1.0.0 (${tool}).`,
      editorUrl: `http://127.0.0.1/editor#r=1&s=${tool}`,
    },
  });

const part = (text) => JSON.parse(Buffer.from(text, 'base64url').toString());

const tools = {
  jwt_decode(value) {
    const [header, payload] = value.split('.');
    return ['application/json', JSON.stringify({ header: part(header), payload: part(payload) }, null, 2)];
  },
  json_format(value, options) {
    return ['application/json', JSON.stringify(JSON.parse(value), null, options.indent ?? 2)];
  },
  json_to_yaml(value, options) {
    return ['application/yaml', yaml.dump(JSON.parse(value), { indent: options.indent ?? 2, lineWidth: -1, noRefs: true })];
  },
  timestamp_to_iso(value, options) {
    const scale = { seconds: 1000, milliseconds: 1 }[options.unit];
    return ['text/plain', new Date(scale ? Number(value) * scale : value).toISOString()];
  },
  async api_convert(value) {
    if (value.startsWith('curl')) return ['application/json', toHarString(value)];
    const collection = await new Promise((resolve, reject) =>
      openapiToPostman.convert({ type: 'string', data: value }, {}, (error, result) =>
        error || !result.result ? reject(error ?? new Error(result.reason)) : resolve(result.output[0].data)));
    return ['application/json', JSON.stringify(collection, null, 2)];
  },
};

const server = createServer({ bodyLimit: 1048576 });

const schemas = {
  jwt_decode: call({}),
  json_format: call(indent),
  json_to_yaml: call(indent),
  timestamp_to_iso: call({ unit: { type: 'string', enum: ['seconds', 'milliseconds'] } }),
  api_convert: call({ target: { type: 'string' } }),
};
for (const [name, schema] of Object.entries(schemas)) {
  server.post(`/v1/tools/${name}`, { schema }, async (request, reply) => {
    const { input, options = {} } = request.body;
    const [mediaType, value] = await tools[name](input.value, options);
    return reply.type('application/json').send(answer(name, mediaType, value));
  });
}

const step = {
  type: 'object',
  required: ['id', 'tool'],
  additionalProperties: false,
  properties: { id: { type: 'string' }, tool: { enum: Object.keys(tools) }, options: { type: 'object' } },
};
const pipeline = {
  body: {
    type: 'object',
    required: ['version', 'input', 'steps'],
    additionalProperties: false,
    properties: { version: { const: 1 }, input: artifact, steps: { type: 'array', minItems: 1, maxItems: 20, items: step } },
  },
};
server.post('/v1/pipeline', { schema: pipeline }, async (request, reply) => {
  let { mediaType, value } = request.body.input;
  for (const { tool, options = {} } of request.body.steps) {
    [mediaType, value] = await tools[tool](value, options);
  }
  return reply.type('application/json').send(answer('pipeline', mediaType, value));
});

await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
