// The shared scenario with openapi-generator's csharp generator, library
// httpclient.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Convertd.Client.Api;
using Convertd.Client.Client;
using Convertd.Client.Model;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

public static class Scenario
{
    private const string Token = "eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ.";

    private static void Equal<T>(string what, T got, T want)
    {
        if (!EqualityComparer<T>.Default.Equals(got, want)) throw new Exception($"{what}: want {want}, got {got}");
    }

    private static string Server(string variable) => Environment.GetEnvironmentVariable(variable);

    private static JsonInput Json(string value) => new JsonInput(JsonMediaType.ApplicationJson, value);

    private static JsonFormatRequest Minified(string value) => new JsonFormatRequest(Json(value), new JsonFormatOptions(0));

    private static Problem ProblemOf(ApiException refused) => JsonConvert.DeserializeObject<Problem>((string)refused.ErrorContent);

    private static void Tools(ToolsApi tools)
    {
        var decoded = tools.JwtDecode(new JwtDecodeRequest(new JwtInput(JwtMediaType.ApplicationJwt, Token)));
        Equal("jwt_decode", string.Join(" ", decoded.Warnings.Select(w => w.Split(':')[0])), "not_verified alg_none");
        var formatted = tools.JsonFormat(Minified("{\"b\":1.50}")).Output;
        Equal("json_format", formatted.Value, "{\"b\":1.50}");
        Equal("its media type", formatted.MediaType, JsonMediaType.ApplicationJson);
        Equal("json_to_yaml", tools.JsonToYaml(new JsonToYamlRequest(Json("{\"a\":\"no\"}"))).Output.Value, "a: \"no\"\n");
        Equal("timestamp_to_iso", tools.TimestampToIso(new TimestampToIsoRequest(
            new TimestampInput(TextMediaType.TextPlain, "0.5"), new TimestampToIsoOptions(TimestampUnit.Seconds))).Output.Value, "1970-01-01T00:00:00.5Z");
        var described = tools.ApiConvert(new ApiConvertRequest(
            new ApiSourceInput(ApiSourceMediaType.TextPlain, "curl https://api.example.com/orders/7"),
            new ApiConvertOptions(ApiConvertTarget.Openapi31Json))).Output;
        Equal("api_convert", described.MediaType, OutputMediaType.ApplicationJson);
        Equal("paths", JObject.Parse(described.Value)["paths"]["/orders/{orderId}"] != null, true);
    }

    private static void Chain(PipelineApi pipeline)
    {
        var chain = pipeline.Pipeline(new PipelineRequest(1, new PipelineInput("application/jwt", Token),
            new List<PipelineStep>
            {
                new PipelineStep(new JwtDecodeStep("decode", JwtDecodeStep.ToolEnum.JwtDecode)),
                new PipelineStep(new JsonToYamlStep("yaml", JsonToYamlStep.ToolEnum.JsonToYaml, new JsonToYamlOptions(4))),
            },
            new List<string> { "decode" }));
        Equal("pipeline", chain.Output.Value, "header:\n    alg: none\npayload:\n    roles:\n        - a\n        - b\n");
        Equal("outputs", string.Join(" ", chain.Outputs.Keys), "decode");
    }

    private static void Refusals(ToolsApi tools, ToolsApi limited)
    {
        try
        {
            tools.JsonFormat(Minified("{\"a\":1,\"a\":2}"));
            throw new Exception("a duplicate key passed");
        }
        catch (ApiException refused)
        {
            Equal("status", refused.ErrorCode, 422);
            Equal("code", ProblemOf(refused).Code, ProblemCode.DuplicateKey);
            Equal("path", ProblemOf(refused).Path, "/input/value");
        }
        var wait = 0;
        for (var n = 0; n < 100 && wait == 0; n++)
        {
            try
            {
                limited.JsonFormat(Minified("1"));
            }
            catch (ApiException refused)
            {
                Equal("rate limit", ProblemOf(refused).Code, ProblemCode.RateLimited);
                wait = int.Parse(refused.Headers["Retry-After"][0]);
            }
        }
        Equal("limited", wait > 0, true);
        Thread.Sleep(wait * 1000);
        Equal("after Retry-After", limited.JsonFormat(Minified("1")).Output.Value, "1");
    }

    public static void Main()
    {
        var tools = new ToolsApi(Server("BASE_URL"));
        Tools(tools);
        Chain(new PipelineApi(Server("BASE_URL")));
        Refusals(tools, new ToolsApi(Server("LIMITED_URL")));
        var largest = "[" + string.Concat(Enumerable.Repeat("1,", 524200)) + "1]";
        Equal("largest", tools.JsonFormat(Minified(largest)).Output.Value == largest, true);
        Console.WriteLine("scenario: ok");
    }
}
