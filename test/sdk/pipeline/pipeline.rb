# A pipeline with openapi-generator's Ruby client.
$LOAD_PATH.unshift 'client/lib'
require 'uri'
require 'openapi_client'
include OpenapiClient

url = URI(ENV.fetch('BASE_URL'))
OpenapiClient.configure do |config|
  config.scheme = url.scheme
  config.host = "#{url.host}:#{url.port}"
  config.base_path = ''
  config.server_index = nil
end
PipelineApi.new.pipeline(
  PipelineRequest.new(
    version: 1,
    input: PipelineInput.new(media_type: 'application/jwt', value: ENV.fetch('TOKEN')),
    steps: [
      JwtDecodeStep.new(id: 'decode', tool: 'jwt_decode'),
      JsonToYamlStep.new(id: 'yaml', tool: 'json_to_yaml', options: JsonToYamlOptions.new(indent: 4)),
    ],
    return_step_ids: ['decode'],
  )
)
