// Runs a pipeline with openapi-generator's typescript-fetch client.
import { Configuration, PipelineApi } from './client/index.js';
import { token, url } from './environment.js';

await new PipelineApi(new Configuration({ basePath: url })).pipeline({
  pipelineRequest: {
    version: 1,
    input: { mediaType: 'application/jwt', value: token },
    steps: [{ id: 'decode', tool: 'jwt_decode' }, { id: 'yaml', tool: 'json_to_yaml', options: { indent: 4 } }],
    returnStepIds: new Set(['decode']),
  },
});
