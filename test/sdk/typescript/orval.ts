// Runs the shared scenario with orval's fetch client. Its zod schemas validate requests and responses.
import { apiConvert, jsonFormat, jsonToYaml, jwtDecode, pipeline, timestampToIso, type Problem } from './client.js';
import { JsonFormatBody, PipelineBody, PipelineResponse } from './schemas.js';
import { environment, equal, largest, sleep, token } from './expect.js';

const decoded = await jwtDecode({ input: { mediaType: 'application/jwt', value: token } });
if (decoded.status !== 200) throw new Error(decoded.data.detail);
equal('jwt_decode', decoded.data.warnings.map((w) => w.split(': ')[0]), ['not_verified', 'alg_none']);

const formatted = await jsonFormat({ input: { mediaType: 'application/json', value: '{"b":1.50}' }, options: { indent: 0 } });
if (formatted.status !== 200) throw new Error(formatted.data.detail);
equal('json_format', formatted.data.output, { mediaType: 'application/json', value: '{"b":1.50}' });

const yaml = await jsonToYaml({ input: { mediaType: 'application/json', value: '{"a":"no"}' } });
if (yaml.status !== 200) throw new Error(yaml.data.detail);
equal('json_to_yaml', yaml.data.output.value, 'a: "no"\n');

const time = await timestampToIso({ input: { mediaType: 'text/plain', value: '0.5' }, options: { unit: 'seconds' } });
if (time.status !== 200) throw new Error(time.data.detail);
equal('timestamp_to_iso', time.data.output.value, '1970-01-01T00:00:00.5Z');

const described = await apiConvert({
  input: { mediaType: 'text/plain', value: 'curl https://api.example.com/orders/7' },
  options: { target: 'openapi-3.1-json' },
});
if (described.status !== 200) throw new Error(described.data.detail);
equal('api_convert', described.data.output.mediaType, 'application/json');
equal('paths', Object.keys(JSON.parse(described.data.output.value).paths), ['/orders/{orderId}']);

const chain = await pipeline(PipelineBody.parse({
  version: 1,
  input: { mediaType: 'application/jwt', value: token },
  steps: [{ id: 'decode', tool: 'jwt_decode' }, { id: 'yaml', tool: 'json_to_yaml', options: { indent: 4 } }],
  returnStepIds: ['decode'],
}));
if (chain.status !== 200) throw new Error(chain.data.detail);
PipelineResponse.parse(chain.data);
equal('pipeline', chain.data.output.value, 'header:\n    alg: none\npayload:\n    roles:\n        - a\n        - b\n');
equal('outputs', Object.keys(chain.data.outputs ?? {}), ['decode']);

const refused = await jsonFormat({ input: { mediaType: 'application/json', value: '{"a":1,"a":2}' } });
if (refused.status !== 422) throw new Error(`status ${refused.status}`);
const problem: Problem = refused.data;
equal('problem', [problem.code, problem.path], ['duplicate_key', '/input/value']);

const big = await jsonFormat({ input: { mediaType: 'application/json', value: largest }, options: { indent: 0 } });
equal('largest', big.status === 200 && big.data.output.value === largest, true);

const nine = JsonFormatBody.safeParse({ input: { mediaType: 'application/json', value: '1' }, options: { indent: 9 } });
equal('zod knows the range', nine.success, false);

// The client's base URL is fixed at generation time. From here on, requests go to another server.
const straight = globalThis.fetch;
globalThis.fetch = (address, init) => straight(new URL(new URL(String(address)).pathname, environment('LIMITED_URL')), init);
const call = () => jsonFormat({ input: { mediaType: 'application/json', value: '1' } });
let answer = await call();
for (let n = 0; answer.status === 200 && n < 100; n++) answer = await call();
if (answer.status !== 429) throw new Error(`status ${answer.status}`);
equal('rate limit', answer.data.code, 'rate_limited');
await sleep(Number(answer.headers.get('Retry-After')));
equal('after Retry-After', (await call()).status, 200);
console.log('scenario: ok');
