import convertd.client.ApiClient;
import convertd.client.ApiException;
import convertd.client.JSON;
import convertd.client.api.PipelineApi;
import convertd.client.api.ToolsApi;
import convertd.client.model.*;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The shared scenario with openapi-generator's java generator, library native. */
public final class Scenario {
  private static final String TOKEN = "eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ.";

  private Scenario() {}

  private static void equal(String what, Object got, Object want) {
    if (!Objects.equals(got, want)) {
      throw new AssertionError(what + ": want " + want + ", got " + got);
    }
  }

  private static ApiClient client(String variable) {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv(variable));
    return client;
  }

  private static JsonFormatRequest minified(String value) {
    return new JsonFormatRequest()
        .input(new JsonInput().mediaType(JsonMediaType.APPLICATION_JSON).value(value))
        .options(new JsonFormatOptions().indent(0));
  }

  private static Problem problem(ApiException refused) throws Exception {
    return JSON.getDefault().getMapper().readValue(refused.getResponseBody(), Problem.class);
  }

  public static void main(String[] args) throws Exception {
    ToolsApi tools = new ToolsApi(client("BASE_URL"));
    ToolsApi limited = new ToolsApi(client("LIMITED_URL"));

    JwtDecodeResult decoded = tools.jwtDecode(new JwtDecodeRequest()
        .input(new JwtInput().mediaType(JwtMediaType.APPLICATION_JWT).value(TOKEN)));
    equal("jwt_decode", decoded.getWarnings().stream().map(w -> w.split(": ")[0]).toList(), List.of("not_verified", "alg_none"));

    equal("json_format", tools.jsonFormat(minified("{\"b\":1.50}")).getOutput(),
        new JsonOutput().mediaType(JsonMediaType.APPLICATION_JSON).value("{\"b\":1.50}"));

    equal("json_to_yaml", tools.jsonToYaml(new JsonToYamlRequest()
        .input(new JsonInput().mediaType(JsonMediaType.APPLICATION_JSON).value("{\"a\":\"no\"}"))).getOutput().getValue(),
        "a: \"no\"\n");

    equal("timestamp_to_iso", tools.timestampToIso(new TimestampToIsoRequest()
        .input(new TimestampInput().mediaType(TextMediaType.TEXT_PLAIN).value("0.5"))
        .options(new TimestampToIsoOptions().unit(TimestampUnit.SECONDS))).getOutput().getValue(),
        "1970-01-01T00:00:00.5Z");

    AnyOutput described = tools.apiConvert(new ApiConvertRequest()
        .input(new ApiSourceInput().mediaType(ApiSourceMediaType.TEXT_PLAIN).value("curl https://api.example.com/orders/7"))
        .options(new ApiConvertOptions().target(ApiConvertTarget.OPENAPI_3_1_JSON))).getOutput();
    equal("api_convert", described.getMediaType(), OutputMediaType.APPLICATION_JSON);
    equal("paths", JSON.getDefault().getMapper().readTree(described.getValue()).path("paths").has("/orders/{orderId}"), true);

    PipelineResult chain = new PipelineApi(client("BASE_URL")).pipeline(new PipelineRequest()
        .version(1)
        .input(new PipelineInput().mediaType("application/jwt").value(TOKEN))
        .steps(List.of(
            new PipelineStep(new JwtDecodeStep().id("decode").tool(JwtDecodeStep.ToolEnum.JWT_DECODE)),
            new PipelineStep(new JsonToYamlStep().id("yaml").tool(JsonToYamlStep.ToolEnum.JSON_TO_YAML)
                .options(new JsonToYamlOptions().indent(4)))))
        .returnStepIds(Set.of("decode")));
    equal("pipeline", chain.getOutput().getValue(), "header:\n    alg: none\npayload:\n    roles:\n        - a\n        - b\n");
    equal("outputs", chain.getOutputs().keySet(), Set.of("decode"));

    try {
      tools.jsonFormat(minified("{\"a\":1,\"a\":2}"));
      throw new AssertionError("a duplicate key passed");
    } catch (ApiException refused) {
      equal("status", refused.getCode(), 422);
      equal("code", problem(refused).getCode(), ProblemCode.DUPLICATE_KEY);
      equal("path", problem(refused).getPath(), "/input/value");
    }

    long wait = 0;
    for (int n = 0; n < 100 && wait == 0; n++) {
      try {
        limited.jsonFormat(minified("1"));
      } catch (ApiException refused) {
        equal("rate limit", problem(refused).getCode(), ProblemCode.RATE_LIMITED);
        wait = refused.getResponseHeaders().firstValueAsLong("Retry-After").orElseThrow();
      }
    }
    equal("limited", wait > 0, true);
    Thread.sleep(wait * 1000);
    equal("after Retry-After", limited.jsonFormat(minified("1")).getOutput().getValue(), "1");

    String largest = "[" + "1,".repeat(524_200) + "1]";
    equal("largest", tools.jsonFormat(minified(largest)).getOutput().getValue().equals(largest), true);
    System.out.println("scenario: ok");
  }
}
