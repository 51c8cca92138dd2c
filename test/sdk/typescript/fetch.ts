// Runs the shared scenario with openapi-typescript and openapi-fetch.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.js';
import { environment, equal, largest, sleep, token } from './expect.js';

const client = createClient<paths>({ baseUrl: environment('BASE_URL') });
const limited = createClient<paths>({ baseUrl: environment('LIMITED_URL') });
type Problem = components['schemas']['Problem'];

const decoded = await client.POST('/v1/tools/jwt_decode', {
  body: { input: { mediaType: 'application/jwt', value: token } },
});
equal('jwt_decode', decoded.data?.warnings.map((w) => w.split(': ')[0]), ['not_verified', 'alg_none']);

const formatted = await client.POST('/v1/tools/json_format', {
  body: { input: { mediaType: 'application/json', value: '{"b":1.50}' }, options: { indent: 0 } },
});
equal('json_format', formatted.data?.output, { mediaType: 'application/json', value: '{"b":1.50}' });

const yaml = await client.POST('/v1/tools/json_to_yaml', {
  body: { input: { mediaType: 'application/json', value: '{"a":"no"}' } },
});
equal('json_to_yaml', yaml.data?.output.value, 'a: "no"\n');

const time = await client.POST('/v1/tools/timestamp_to_iso', {
  body: { input: { mediaType: 'text/plain', value: '0.5' }, options: { unit: 'seconds' } },
});
equal('timestamp_to_iso', time.data?.output.value, '1970-01-01T00:00:00.5Z');

const described = await client.POST('/v1/tools/api_convert', {
  body: {
    input: { mediaType: 'text/plain', value: 'curl https://api.example.com/orders/7' },
    options: { target: 'openapi-3.1-json' },
  },
});
equal('api_convert', described.data?.output.mediaType, 'application/json');
equal('paths', Object.keys(JSON.parse(described.data?.output.value ?? '').paths), ['/orders/{orderId}']);

const chain = await client.POST('/v1/pipeline', {
  body: {
    version: 1,
    input: { mediaType: 'application/jwt', value: token },
    steps: [{ id: 'decode', tool: 'jwt_decode' }, { id: 'yaml', tool: 'json_to_yaml', options: { indent: 4 } }],
    returnStepIds: ['decode'],
  },
});
equal('pipeline', chain.data?.output.value, 'header:\n    alg: none\npayload:\n    roles:\n        - a\n        - b\n');
equal('outputs', Object.keys(chain.data?.outputs ?? {}), ['decode']);

const refused = await client.POST('/v1/tools/json_format', {
  body: { input: { mediaType: 'application/json', value: '{"a":1,"a":2}' } },
});
const problem: Problem | undefined = refused.error;
equal('problem', [refused.response.status, problem?.code, problem?.path], [422, 'duplicate_key', '/input/value']);

const call = () => limited.POST('/v1/tools/json_format', { body: { input: { mediaType: 'application/json', value: '1' } } });
let answer = await call();
for (let n = 0; answer.response.status === 200 && n < 100; n++) answer = await call();
equal('rate limit', answer.error?.code, 'rate_limited');
await sleep(Number(answer.response.headers.get('Retry-After')));
equal('after Retry-After', (await call()).response.status, 200);

const big = await client.POST('/v1/tools/json_format', {
  body: { input: { mediaType: 'application/json', value: largest }, options: { indent: 0 } },
});
equal('largest', big.data?.output.value === largest, true);
console.log('scenario: ok');
