// Runs a pipeline with swagger-typescript-api's client.
import { Api } from './client/Api.js';
import { token, url } from './environment.js';

await new Api({ baseUrl: url }).v1.pipeline({
  version: 1,
  input: { mediaType: 'application/jwt', value: token },
  steps: [{ id: 'decode', tool: 'jwt_decode' }, { id: 'yaml', tool: 'json_to_yaml', options: { indent: 4 } }],
  returnStepIds: ['decode'],
});
