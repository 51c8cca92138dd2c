// Loads the OpenAPI document that this server publishes and extracts what the editor
// shows: the tools, with their media types and options, and the limits. No tool name
// is hard-coded here.

// root is the path of the base URL, the prefix of every URL path of the server. It
// is "" if the base URL has no path, and outside a page.
export const root = globalThis.document?.body.dataset.root ?? "";
const documentURL = `${root}/v1/openapi.json`;

// load returns {tools, limits, pipeline}. pipeline is {path, example, steps}, where
// steps is the maximum number of steps. A tool is {name, path, title, text, accepts,
// produces, inputs, options, example}. An option is {name, text, integer, minimum, maximum,
// values, preset, required, preferred, produces}.
export async function load() {
  const response = await fetch(documentURL, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return read(await response.json());
}

export function read(doc) {
  const follow = (schema) => {
    while (schema.$ref) schema = schema.$ref.slice(2).split("/").reduce((at, name) => at[name], doc);
    return schema;
  };
  const operations = new Map();
  for (const [path, item] of Object.entries(doc.paths)) {
    if (item.post) operations.set(item.post.operationId, { path: root + path, ...item.post });
  }
  const tools = doc.components.schemas.PipelineStep.oneOf.map((ref) => {
    const step = follow(ref).properties;
    const name = follow(step.tool).enum[0];
    return readTool(name, operations.get(name), follow(step.options), follow);
  });
  const pipeline = operations.get("pipeline");
  const steps = follow(follow(bodyOf(pipeline).schema).properties.steps);
  return {
    tools,
    limits: doc["x-service-limits"],
    pipeline: { path: pipeline.path, example: bodyOf(pipeline).example, steps: steps.maxItems },
  };
}

const bodyOf = (operation) => operation.requestBody.content["application/json"];

function readTool(name, operation, options, follow) {
  const media = operation["x-service-media-types"];
  return {
    name,
    path: operation.path,
    title: operation.summary,
    text: sentence(operation.description),
    accepts: media.accepts,
    produces: media.produces,
    inputs: operation["x-service-inputs"] ?? [],
    example: bodyOf(operation).example ?? Object.values(bodyOf(operation).examples)[0].value,
    options: Object.entries(options.properties ?? {})
      .map(([option, schema]) => readOption(option, follow(schema), (options.required ?? []).includes(option)))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

const readOption = (name, schema, required) => ({
  name,
  text: plain(schema.description ?? ""),
  integer: schema.type === "integer",
  minimum: schema.minimum,
  maximum: schema.maximum,
  values: (schema.enum ?? []).map(String),
  preset: schema.default,
  required,
  preferred: schema["x-service-preferred"] ?? (schema.enum ?? []).map(String),
  produces: schema["x-service-produces"] ?? {},
});

// sentence returns the first sentence of a CommonMark description as plain text.
function sentence(text) {
  const joined = plain(text);
  const end = joined.indexOf(". ");
  return end < 0 ? joined : joined.slice(0, end + 1);
}

const plain = (text) => text.replaceAll("`", "").split(/\s+/).join(" ").trim();
