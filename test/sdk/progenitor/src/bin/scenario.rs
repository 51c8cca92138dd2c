//! The shared scenario with progenitor.

use std::time::Duration;

use futures_util::TryStreamExt;
use types::*;

progenitor::generate_api!("openapi.json");

const TOKEN: &str = "eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ.";

fn server(variable: &str) -> Client {
    Client::new(&std::env::var(variable).expect(variable))
}

fn json(value: &str) -> JsonInput {
    JsonInput { media_type: JsonMediaType::ApplicationJson, value: value.parse().unwrap() }
}

fn minified(value: &str) -> JsonFormatRequest {
    JsonFormatRequest { input: json(value), options: Some(JsonFormatOptions { indent: 0 }) }
}

/// A refusal: its status, its Retry-After and its problem document.
async fn refusal<A: std::fmt::Debug>(answer: Result<ResponseValue<A>, Error<ByteStream>>) -> (u16, Option<u64>, Problem) {
    match answer {
        Err(Error::ErrorResponse(refused)) => {
            let status = refused.status().as_u16();
            let wait = refused.headers().get("Retry-After").map(|text| text.to_str().unwrap().parse().unwrap());
            let body: Vec<_> = refused.into_inner_stream().try_collect().await.unwrap();
            (status, wait, serde_json::from_slice(&body.concat()).unwrap())
        }
        other => panic!("not refused: {:?}", other.map(|answer| answer.into_inner())),
    }
}

async fn tools(server: &Client) {
    let input = JwtInput { media_type: JwtMediaType::ApplicationJwt, value: TOKEN.parse().unwrap() };
    let decoded = server.jwt_decode(&JwtDecodeRequest { input, options: None }).await.unwrap();
    let codes: Vec<_> = decoded.warnings.iter().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(codes, ["not_verified", "alg_none"]);

    let formatted = server.json_format(&minified(r#"{"b":1.50}"#)).await.unwrap();
    assert_eq!(formatted.output.media_type, JsonMediaType::ApplicationJson);
    assert_eq!(*formatted.output.value, r#"{"b":1.50}"#);

    let yaml = server.json_to_yaml(&JsonToYamlRequest { input: json(r#"{"a":"no"}"#), options: None }).await.unwrap();
    assert_eq!(*yaml.output.value, "a: \"no\"\n");

    let iso = TimestampToIsoRequest {
        input: TimestampInput { media_type: TextMediaType::TextPlain, value: "0.5".parse().unwrap() },
        options: Some(TimestampToIsoOptions { unit: Some(TimestampUnit::Seconds) }),
    };
    assert_eq!(*server.timestamp_to_iso(&iso).await.unwrap().output.value, "1970-01-01T00:00:00.5Z");

    let source = ApiConvertRequest {
        input: ApiSourceInput {
            media_type: ApiSourceMediaType::TextPlain,
            value: "curl https://api.example.com/orders/7".parse().unwrap(),
        },
        options: ApiConvertOptions {
            target: ApiConvertTarget::Openapi31Json,
            ids: None,
            paths: None,
        },
    };
    let described = server.api_convert(&source).await.unwrap();
    assert_eq!(described.output.media_type, OutputMediaType::ApplicationJson);
    let description: serde_json::Value = serde_json::from_str(&described.output.value).unwrap();
    assert!(description["paths"]["/orders/{orderId}"].is_object(), "{description}");
}

async fn pipeline(server: &Client) {
    let decode = JwtDecodeStep { id: "decode".parse().unwrap(), tool: JwtDecodeStepTool::JwtDecode, options: None };
    let yaml = JsonToYamlStep {
        id: "yaml".parse().unwrap(),
        tool: JsonToYamlStepTool::JsonToYaml,
        options: Some(JsonToYamlOptions { indent: 4.try_into().unwrap() }),
    };
    let request = PipelineRequest {
        version: 1.try_into().unwrap(),
        input: PipelineInput { media_type: "application/jwt".parse().unwrap(), value: TOKEN.parse().unwrap() },
        steps: vec![decode.into(), yaml.into()],
        return_step_ids: Some(vec!["decode".parse().unwrap()]),
    };
    let chain = server.pipeline(&request).await.unwrap().into_inner();
    assert_eq!(*chain.output.value, "header:\n    alg: none\npayload:\n    roles:\n        - a\n        - b\n");
    assert_eq!(chain.outputs.unwrap().keys().collect::<Vec<_>>(), ["decode"]);
    assert_eq!(chain.steps.unwrap().len(), 2);
}

async fn limited(server: &Client) {
    for _ in 0..100 {
        let answer = server.json_format(&minified("1")).await;
        if answer.is_ok() {
            continue;
        }
        let (status, wait, problem) = refusal(answer).await;
        assert_eq!((status, problem.code), (429, ProblemCode::RateLimited));
        tokio::time::sleep(Duration::from_secs(wait.expect("no Retry-After"))).await;
        server.json_format(&minified("1")).await.unwrap();
        return;
    }
    panic!("never limited");
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let open = server("BASE_URL");
    tools(&open).await;
    pipeline(&open).await;

    let (status, _, problem) = refusal(open.json_format(&minified(r#"{"a":1,"a":2}"#)).await).await;
    assert_eq!((status, problem.code), (422, ProblemCode::DuplicateKey));
    assert_eq!(problem.path.unwrap().as_str(), "/input/value");

    limited(&server("LIMITED_URL")).await;

    let largest = format!("[{}1]", "1,".repeat(524_200));
    assert_eq!(*open.json_format(&minified(&largest)).await.unwrap().output.value, largest);
    println!("scenario: ok");
}
