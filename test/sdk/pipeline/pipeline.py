"""Runs a pipeline with openapi-generator's Python client."""

import os

import client
from client.models import JsonToYamlOptions, JsonToYamlStep, JwtDecodeStep, PipelineInput, PipelineRequest, PipelineStep

api = client.PipelineApi(client.ApiClient(client.Configuration(host=os.environ["BASE_URL"])))
api.pipeline(
    PipelineRequest(
        version=1,
        input=PipelineInput(media_type="application/jwt", value=os.environ["TOKEN"]),
        steps=[
            PipelineStep(JwtDecodeStep(id="decode", tool="jwt_decode")),
            PipelineStep(JsonToYamlStep(id="yaml", tool="json_to_yaml", options=JsonToYamlOptions(indent=4))),
        ],
        return_step_ids=["decode"],
    )
)
