// The shared scenario with openapi-generator's kotlin generator, serialized by Gson.

import convertd.client.apis.PipelineApi
import convertd.client.apis.ToolsApi
import convertd.client.infrastructure.ApiResponse
import convertd.client.infrastructure.ClientError
import convertd.client.infrastructure.Serializer
import convertd.client.infrastructure.Success
import convertd.client.models.*

const val TOKEN = "eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ."

fun equal(what: String, got: Any?, want: Any?) {
    if (got != want) throw AssertionError("$what: want $want, got $got")
}

fun json(value: String) = JsonInput(JsonMediaType.applicationSlashJson, value)

fun minified(value: String) = JsonFormatRequest(json(value), JsonFormatOptions(indent = 0))

/** The status and the problem document of a refusal. */
fun problem(answer: ApiResponse<*>): Pair<Int, Problem> {
    val refused = answer as? ClientError<*> ?: throw AssertionError("not refused: $answer")
    return refused.statusCode to Serializer.gson.fromJson(refused.body as String, Problem::class.java)
}

fun tools(server: ToolsApi) {
    val decoded = server.jwtDecode(JwtDecodeRequest(JwtInput(JwtMediaType.applicationSlashJwt, TOKEN)))
    equal("jwt_decode", decoded.warnings.map { it.substringBefore(": ") }, listOf("not_verified", "alg_none"))

    equal(
        "json_format",
        server.jsonFormat(minified("""{"b":1.50}""")).output,
        JsonOutput(JsonMediaType.applicationSlashJson, """{"b":1.50}"""),
    )

    equal("json_to_yaml", server.jsonToYaml(JsonToYamlRequest(json("""{"a":"no"}"""))).output.value, "a: \"no\"\n")

    val iso = TimestampToIsoRequest(
        TimestampInput(TextMediaType.textSlashPlain, "0.5"),
        TimestampToIsoOptions(TimestampUnit.seconds),
    )
    equal("timestamp_to_iso", server.timestampToIso(iso).output.value, "1970-01-01T00:00:00.5Z")

    val described = server.apiConvert(
        ApiConvertRequest(
            ApiSourceInput(ApiSourceMediaType.textSlashPlain, "curl https://api.example.com/orders/7"),
            ApiConvertOptions(ApiConvertTarget.openapiMinus3Period1MinusJson),
        ),
    ).output
    equal("api_convert", described.mediaType, OutputMediaType.applicationSlashJson)
    val description = Serializer.gson.fromJson(described.value, Map::class.java)
    equal("paths", (description["paths"] as Map<*, *>).keys, setOf("/orders/{orderId}"))
}

fun pipeline(server: PipelineApi) {
    val chain = server.pipeline(
        PipelineRequest(
            version = 1,
            input = PipelineInput("application/jwt", TOKEN),
            steps = listOf(
                JwtDecodeStep("decode", JwtDecodeStep.Tool.jwt_decode),
                JsonToYamlStep("yaml", JsonToYamlStep.Tool.json_to_yaml, JsonToYamlOptions(indent = 4)),
            ),
            returnStepIds = setOf("decode"),
        ),
    )
    equal("pipeline", chain.output.value, "header:\n    alg: none\npayload:\n    roles:\n        - a\n        - b\n")
    equal("outputs", chain.outputs?.keys, setOf("decode"))
    equal("steps", chain.steps?.size, 2)
}

fun limited(server: ToolsApi) {
    repeat(100) {
        val answer = server.jsonFormatWithHttpInfo(minified("1"))
        if (answer is Success<*>) return@repeat
        val (status, refused) = problem(answer)
        equal("rate limit", status to refused.code, 429 to ProblemCode.rate_limited)
        val seconds = answer.headers.entries.first { it.key.equals("Retry-After", ignoreCase = true) }.value.first().toLong()
        Thread.sleep(seconds * 1000)
        equal("after Retry-After", server.jsonFormat(minified("1")).output.value, "1")
        return
    }
    throw AssertionError("never limited")
}

fun main() {
    val server = ToolsApi(System.getenv("BASE_URL"))
    tools(server)
    pipeline(PipelineApi(System.getenv("BASE_URL")))

    val (status, refused) = problem(server.jsonFormatWithHttpInfo(minified("""{"a":1,"a":2}""")))
    equal("problem", Triple(status, refused.code, refused.path), Triple(422, ProblemCode.duplicate_key, "/input/value"))

    limited(ToolsApi(System.getenv("LIMITED_URL")))

    val largest = "[" + "1,".repeat(524_200) + "1]"
    equal("largest", server.jsonFormat(minified(largest)).output.value == largest, true)
    println("scenario: ok")
}
