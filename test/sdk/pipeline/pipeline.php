<?php
// A pipeline with openapi-generator's PHP client.
require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function ($class) {
    require 'client/lib/' . str_replace('\\', '/', substr($class, strlen('OpenAPI\\Client\\'))) . '.php';
});

use OpenAPI\Client\Model;

$configuration = OpenAPI\Client\Configuration::getDefaultConfiguration()->setHost(getenv('BASE_URL'));
$api = new OpenAPI\Client\Api\PipelineApi(new GuzzleHttp\Client(), $configuration);
$api->pipeline(new Model\PipelineRequest([
    'version' => 1,
    'input' => new Model\PipelineInput(['media_type' => 'application/jwt', 'value' => getenv('TOKEN')]),
    'steps' => [
        new Model\JwtDecodeStep(['id' => 'decode', 'tool' => 'jwt_decode']),
        new Model\JsonToYamlStep(['id' => 'yaml', 'tool' => 'json_to_yaml', 'options' => new Model\JsonToYamlOptions(['indent' => 4])]),
    ],
    'return_step_ids' => ['decode'],
]));
