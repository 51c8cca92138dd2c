"""Runs the shared scenario with openapi-python-client."""

import json
import os
import time
from typing import TypeVar

from client import Client
from client.api.pipeline import pipeline
from client.api.tools import api_convert, json_format, json_to_yaml, jwt_decode, timestamp_to_iso
from client.models import (
    ApiConvertOptions,
    ApiConvertRequest,
    ApiConvertResult,
    ApiConvertTarget,
    ApiSourceInput,
    ApiSourceMediaType,
    JsonFormatOptions,
    JsonFormatRequest,
    JsonFormatResult,
    JsonInput,
    JsonMediaType,
    JsonToYamlOptions,
    JsonToYamlRequest,
    JsonToYamlResult,
    JsonToYamlStep,
    JsonToYamlStepTool,
    JwtDecodeRequest,
    JwtDecodeResult,
    JwtDecodeStep,
    JwtDecodeStepTool,
    JwtInput,
    JwtMediaType,
    OutputMediaType,
    PipelineInput,
    PipelineRequest,
    PipelineResult,
    Problem,
    ProblemCode,
    StepOutputs,
    TextMediaType,
    TimestampInput,
    TimestampToIsoOptions,
    TimestampToIsoRequest,
    TimestampToIsoResult,
    TimestampUnit,
)

T = TypeVar("T")
TOKEN = "eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ."

client = Client(base_url=os.environ["BASE_URL"])
limited = Client(base_url=os.environ["LIMITED_URL"])


def json_input(value: str) -> JsonInput:
    return JsonInput(media_type=JsonMediaType.APPLICATIONJSON, value=value)


def minified(value: str) -> JsonFormatRequest:
    return JsonFormatRequest(input_=json_input(value), options=JsonFormatOptions(indent=0))


def result(kind: type[T], answer: T | Problem | None) -> T:
    assert isinstance(answer, kind), answer
    return answer


decoded = result(
    JwtDecodeResult,
    jwt_decode.sync(
        client=client,
        body=JwtDecodeRequest(input_=JwtInput(media_type=JwtMediaType.APPLICATIONJWT, value=TOKEN)),
    )
)
assert [w.split(": ")[0] for w in decoded.warnings] == ["not_verified", "alg_none"]

formatted = result(JsonFormatResult, json_format.sync(client=client, body=minified('{"b":1.50}')))
assert (formatted.output.media_type, formatted.output.value) == (JsonMediaType.APPLICATIONJSON, '{"b":1.50}')

yaml = result(
    JsonToYamlResult,
    json_to_yaml.sync(client=client, body=JsonToYamlRequest(input_=json_input('{"a":"no"}'))),
)
assert yaml.output.value == 'a: "no"\n'

iso = result(
    TimestampToIsoResult,
    timestamp_to_iso.sync(
        client=client,
        body=TimestampToIsoRequest(
            input_=TimestampInput(media_type=TextMediaType.TEXTPLAIN, value="0.5"),
            options=TimestampToIsoOptions(unit=TimestampUnit.SECONDS),
        ),
    )
)
assert iso.output.value == "1970-01-01T00:00:00.5Z"

described = result(
    ApiConvertResult,
    api_convert.sync(
        client=client,
        body=ApiConvertRequest(
            input_=ApiSourceInput(
                media_type=ApiSourceMediaType.TEXTPLAIN, value="curl https://api.example.com/orders/7"
            ),
            options=ApiConvertOptions(target=ApiConvertTarget.OPENAPI_3_1_JSON),
        ),
    )
)
assert described.output.media_type is OutputMediaType.APPLICATIONJSON
assert list(json.loads(described.output.value)["paths"]) == ["/orders/{orderId}"]

chain = pipeline.sync(
    client=client,
    body=PipelineRequest(
        version=1,
        input_=PipelineInput(media_type="application/jwt", value=TOKEN),
        steps=[
            JwtDecodeStep(id="decode", tool=JwtDecodeStepTool.JWT_DECODE),
            JsonToYamlStep(id="yaml", tool=JsonToYamlStepTool.JSON_TO_YAML, options=JsonToYamlOptions(indent=4)),
        ],
        return_step_ids=["decode"],
    ),
)
assert isinstance(chain, PipelineResult), chain
assert chain.output.value == "header:\n    alg: none\npayload:\n    roles:\n        - a\n        - b\n"
assert isinstance(chain.outputs, StepOutputs)
assert list(chain.outputs.additional_properties) == ["decode"]

refused = json_format.sync_detailed(client=client, body=JsonFormatRequest(input_=json_input('{"a":1,"a":2}')))
assert refused.status_code == 422 and isinstance(refused.parsed, Problem)
assert refused.parsed.code is ProblemCode.DUPLICATE_KEY and refused.parsed.path == "/input/value"

answer = json_format.sync_detailed(client=limited, body=minified("1"))
for _ in range(100):
    if answer.status_code != 200:
        break
    answer = json_format.sync_detailed(client=limited, body=minified("1"))
assert isinstance(answer.parsed, Problem) and answer.parsed.code is ProblemCode.RATE_LIMITED
time.sleep(int(answer.headers["Retry-After"]))
assert json_format.sync_detailed(client=limited, body=minified("1")).status_code == 200

largest = "[" + "1," * 524_200 + "1]"
assert result(JsonFormatResult, json_format.sync(client=client, body=minified(largest))).output.value == largest
print("scenario: ok")
