//! What a user would write in an afternoon in Rust: the same operations with
//! axum, serde_json (member order and digits kept), serde_yaml and mimalloc. It
//! keeps the answer's shape and checks types, lengths and unknown members, and
//! keeps none of the service's other promises (duplicate names, unsafe numbers,
//! limits of the output, provenance per recipe). There is no crate for
//! api_convert, so that it has no such route.
//!
//! yardstick PORT

use axum::extract::{DefaultBodyLimit, Json};
use axum::http::StatusCode;
use axum::serve::ListenerExt;
use axum::routing::{post, MethodRouter};
use axum::Router;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use base64::Engine;
use chrono::{DateTime, SecondsFormat};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const MAX_BODY: usize = 1 << 20; // bytes

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Artifact {
    media_type: String,
    value: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    indent: Option<usize>,
    unit: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    input: Artifact,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    id: String,
    tool: String,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pipeline {
    version: u8,
    input: Artifact,
    steps: Vec<Step>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Provenance {
    provider: &'static str,
    engine_version: &'static str,
    tool: &'static str,
    attribution: String,
    editor_url: String,
}

#[derive(Serialize)]
struct Answer {
    output: Artifact,
    warnings: Vec<String>,
    provenance: Provenance,
}

type Refusal = (StatusCode, &'static str);
type Convert = fn(&str, &Options) -> Result<(&'static str, String), Refusal>;

const TOOLS: [(&str, Convert); 4] = [
    ("jwt_decode", jwt_decode),
    ("json_format", json_format),
    ("json_to_yaml", json_to_yaml),
    ("timestamp_to_iso", timestamp_to_iso),
];

fn refused<E>(_: E) -> Refusal {
    (StatusCode::UNPROCESSABLE_ENTITY, "not convertible")
}

fn parse(text: &[u8]) -> Result<Value, Refusal> {
    serde_json::from_slice(text).map_err(refused)
}

fn indented(value: &Value, indent: usize) -> Result<String, Refusal> {
    if indent > 8 {
        return Err(refused(()));
    }
    if indent == 0 {
        return serde_json::to_string(value).map_err(refused);
    }
    let spaces = [b' '; 8];
    let mut out = Vec::new();
    let formatter = serde_json::ser::PrettyFormatter::with_indent(&spaces[..indent]);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, formatter)).map_err(refused)?;
    String::from_utf8(out).map_err(refused)
}

fn jwt_decode(value: &str, _: &Options) -> Result<(&'static str, String), Refusal> {
    let mut decoded = serde_json::Map::new();
    for (name, part) in ["header", "payload"].into_iter().zip(value.split('.')) {
        decoded.insert(name.into(), parse(&URL_SAFE_NO_PAD.decode(part).map_err(refused)?)?);
    }
    Ok(("application/json", indented(&Value::Object(decoded), 2)?))
}

fn json_format(value: &str, options: &Options) -> Result<(&'static str, String), Refusal> {
    Ok(("application/json", indented(&parse(value.as_bytes())?, options.indent.unwrap_or(2))?))
}

/// Numbers for serde_yaml, which knows nothing of serde_json's own kind.
struct Plain<'a>(&'a Value);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Number(n) => match (n.as_i64(), n.as_u64(), n.as_f64()) {
                (Some(n), _, _) => to.serialize_i64(n),
                (_, Some(n), _) => to.serialize_u64(n),
                (_, _, n) => to.serialize_f64(n.unwrap_or(f64::NAN)),
            },
            Value::Array(items) => {
                let mut list = to.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(&Plain(item))?;
                }
                list.end()
            }
            Value::Object(members) => {
                let mut map = to.serialize_map(Some(members.len()))?;
                for (name, member) in members {
                    map.serialize_entry(name, &Plain(member))?;
                }
                map.end()
            }
            other => other.serialize(to),
        }
    }
}

fn json_to_yaml(value: &str, _: &Options) -> Result<(&'static str, String), Refusal> {
    Ok(("application/yaml", serde_yaml::to_string(&Plain(&parse(value.as_bytes())?)).map_err(refused)?))
}

fn timestamp_to_iso(value: &str, options: &Options) -> Result<(&'static str, String), Refusal> {
    let moment = match options.unit.as_deref() {
        Some("seconds") => DateTime::from_timestamp(value.parse().map_err(refused)?, 0),
        Some("milliseconds") => DateTime::from_timestamp_millis(value.parse().map_err(refused)?),
        Some(_) => None,
        None => Some(DateTime::parse_from_rfc3339(value).map_err(refused)?.to_utc()),
    };
    let moment = moment.ok_or(refused(()))?;
    Ok(("text/plain", moment.to_rfc3339_opts(SecondsFormat::AutoSi, true)))
}

fn answer(tool: &'static str, media_type: &str, value: String) -> Json<Answer> {
    Json(Answer {
        output: Artifact { media_type: media_type.into(), value },
        warnings: vec![],
        provenance: Provenance {
            provider: "axum",
            engine_version: "1.0.0",
            tool,
            attribution: format!("Converted by axum 1.0.0 ({tool})."),
            editor_url: format!("http://127.0.0.1/editor#r=1&s={tool}"),
        },
    })
}

fn route(tool: &'static str, convert: Convert) -> MethodRouter {
    post(move |Json(call): Json<Call>| async move {
        if call.input.media_type.len() > 100 {
            return Err(refused(()));
        }
        let (media_type, value) = convert(&call.input.value, &call.options)?;
        Ok(answer(tool, media_type, value))
    })
}

async fn pipeline(Json(call): Json<Pipeline>) -> Result<Json<Answer>, Refusal> {
    if call.version != 1 || call.steps.is_empty() || call.steps.len() > 20 || call.steps.iter().any(|s| s.id.is_empty()) {
        return Err(refused(()));
    }
    let (mut media_type, mut value) = ("", call.input.value);
    for step in &call.steps {
        let (_, convert) = TOOLS.iter().find(|(name, _)| *name == step.tool).ok_or(refused(()))?;
        (media_type, value) = convert(&value, &step.options)?;
    }
    Ok(answer("pipeline", media_type, value))
}

async fn serve(port: u16) -> std::io::Result<()> {
    let mut routes = Router::new().route("/v1/pipeline", post(pipeline));
    for (name, convert) in TOOLS {
        routes = routes.route(&format!("/v1/tools/{name}"), route(name, convert));
    }
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?.tap_io(|stream| {
        let _ = stream.set_nodelay(true); // as Go and Node do
    });
    axum::serve(listener, routes.layer(DefaultBodyLimit::max(MAX_BODY))).await
}

fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).and_then(|p| p.parse().ok()).expect("yardstick PORT");
    tokio::runtime::Builder::new_multi_thread().enable_io().build()?.block_on(serve(port))
}
