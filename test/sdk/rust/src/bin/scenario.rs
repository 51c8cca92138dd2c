//! The shared scenario with openapi-generator's rust generator, library
//! reqwest with middleware, through which alone an answer's headers are seen.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use convertd_client::apis::configuration::Configuration;
use convertd_client::apis::{pipeline_api, tools_api, Error};
use convertd_client::models::*;
use reqwest_middleware::{ClientBuilder, Middleware, Next, Result as Answer};

const TOKEN: &str = "eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ.";

/// Keeps the Retry-After of the last answer that had one.
#[derive(Clone, Default)]
struct RetryAfter(Arc<Mutex<Option<u64>>>);

#[async_trait::async_trait]
impl Middleware for RetryAfter {
    async fn handle(&self, request: reqwest::Request, more: &mut http::Extensions, next: Next<'_>) -> Answer<reqwest::Response> {
        let answer = next.run(request, more).await?;
        if let Some(seconds) = answer.headers().get("Retry-After") {
            *self.0.lock().unwrap() = seconds.to_str().ok().and_then(|text| text.parse().ok());
        }
        Ok(answer)
    }
}

fn configuration(variable: &str, waits: RetryAfter) -> Configuration {
    Configuration {
        base_path: std::env::var(variable).expect(variable),
        client: ClientBuilder::new(reqwest::Client::new()).with(waits).build(),
        ..Configuration::default()
    }
}

fn json(value: &str) -> JsonInput {
    JsonInput::new(JsonMediaType::ApplicationSlashJson, value.to_owned())
}

fn minified(value: &str) -> JsonFormatRequest {
    JsonFormatRequest {
        options: Some(Box::new(JsonFormatOptions { indent: Some(0) })),
        ..JsonFormatRequest::new(json(value))
    }
}

/// The status and the problem document of a refusal.
fn problem<A: std::fmt::Debug, E: std::fmt::Debug>(answer: Result<A, Error<E>>) -> (u16, Problem) {
    match answer {
        Err(Error::ResponseError(refused)) => (refused.status.as_u16(), serde_json::from_str(&refused.content).unwrap()),
        other => panic!("not refused: {other:?}"),
    }
}

async fn tools(server: &Configuration) {
    let decoded = tools_api::jwt_decode(server, JwtDecodeRequest::new(JwtInput::new(JwtMediaType::ApplicationSlashJwt, TOKEN.to_owned())))
        .await
        .unwrap();
    let codes: Vec<_> = decoded.warnings.iter().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!(codes, ["not_verified", "alg_none"]);

    let formatted = tools_api::json_format(server, minified(r#"{"b":1.50}"#)).await.unwrap();
    assert_eq!(*formatted.output, JsonOutput::new(JsonMediaType::ApplicationSlashJson, r#"{"b":1.50}"#.to_owned()));

    let yaml = tools_api::json_to_yaml(server, JsonToYamlRequest::new(json(r#"{"a":"no"}"#))).await.unwrap();
    assert_eq!(yaml.output.value, "a: \"no\"\n");

    let iso = TimestampToIsoRequest {
        options: Some(Box::new(TimestampToIsoOptions { unit: Some(TimestampUnit::Seconds) })),
        ..TimestampToIsoRequest::new(TimestampInput::new(TextMediaType::TextSlashPlain, "0.5".to_owned()))
    };
    assert_eq!(tools_api::timestamp_to_iso(server, iso).await.unwrap().output.value, "1970-01-01T00:00:00.5Z");

    let source = ApiSourceInput::new(ApiSourceMediaType::TextSlashPlain, "curl https://api.example.com/orders/7".to_owned());
    let request = ApiConvertRequest::new(source, ApiConvertOptions::new(ApiConvertTarget::Openapi31Json));
    let described = tools_api::api_convert(server, request).await.unwrap();
    assert_eq!(described.output.media_type, OutputMediaType::ApplicationSlashJson);
    let description: serde_json::Value = serde_json::from_str(&described.output.value).unwrap();
    assert!(description["paths"]["/orders/{orderId}"].is_object(), "{description}");
}

async fn pipeline(server: &Configuration) {
    let decode = JwtDecodeStep::new("decode".to_owned(), jwt_decode_step::Tool::JwtDecode);
    let yaml = JsonToYamlStep {
        options: Some(Box::new(JsonToYamlOptions { indent: Some(4) })),
        ..JsonToYamlStep::new("yaml".to_owned(), json_to_yaml_step::Tool::JsonToYaml)
    };
    let request = PipelineRequest {
        return_step_ids: Some(vec!["decode".to_owned()]),
        ..PipelineRequest::new(
            1,
            PipelineInput::new("application/jwt".to_owned(), TOKEN.to_owned()),
            vec![PipelineStep::JwtDecodeStep(Box::new(decode)), PipelineStep::JsonToYamlStep(Box::new(yaml))],
        )
    };
    let chain = pipeline_api::pipeline(server, request).await.unwrap();
    assert_eq!(chain.output.value, "header:\n    alg: none\npayload:\n    roles:\n        - a\n        - b\n");
    assert_eq!(chain.outputs.unwrap().keys().collect::<Vec<_>>(), ["decode"]);
    assert_eq!(chain.steps.unwrap().len(), 2);
}

async fn limited(server: &Configuration, waits: RetryAfter) {
    for _ in 0..100 {
        let answer = tools_api::json_format(server, minified("1")).await;
        if answer.is_ok() {
            continue;
        }
        let (status, refused) = problem(answer);
        assert_eq!((status, refused.code), (429, ProblemCode::RateLimited));
        let seconds = waits.0.lock().unwrap().expect("no Retry-After");
        tokio::time::sleep(Duration::from_secs(seconds)).await;
        tools_api::json_format(server, minified("1")).await.unwrap();
        return;
    }
    panic!("never limited");
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let server = configuration("BASE_URL", RetryAfter::default());
    tools(&server).await;
    pipeline(&server).await;

    let (status, refused) = problem(tools_api::json_format(&server, minified(r#"{"a":1,"a":2}"#)).await);
    assert_eq!((status, refused.code, refused.path.as_deref()), (422, ProblemCode::DuplicateKey, Some("/input/value")));

    let waits = RetryAfter::default();
    limited(&configuration("LIMITED_URL", waits.clone()), waits).await;

    let largest = format!("[{}1]", "1,".repeat(524_200));
    assert_eq!(tools_api::json_format(&server, minified(&largest)).await.unwrap().output.value, largest);
    println!("scenario: ok");
}
