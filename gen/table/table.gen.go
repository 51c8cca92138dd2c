// Code generated from openapi/openapi.yaml by make generate. DO NOT EDIT.

package table

import "github.com/convertd/convertd/internal/schema"

// Title is the title of the API.
const Title = "Conversion Tool Service"

// Limit is x-service-limits.
var Limit = Limits{RequestBytes: 1048576, OutputCharacters: 2097152, PipelineBytes: 2097152, PipelineSeconds: 5, RequestsPerMinute: 60}

// Operations are the POST operations, sorted by path.
var Operations = []Operation{
	Operation{ID: "pipeline", Path: "/v1/pipeline", Summary: "Run a chain of tools", Description: "Runs 1 to 20 tools in order. The first step reads `input`; every other step reads the output of the step before\nit. Returns the last output and, in `outputs`, the outputs of the steps that `returnStepIds` names. Checks the\nmedia types of all steps before it runs the first, stops at the first error and names the step that failed.\nLimited to 2 MiB of outputs in total and 5 seconds. For a single conversion, use the tool itself.\n", Request: &pipelineRequest},
	Operation{ID: "api_convert", Path: "/v1/tools/api_convert", Summary: "Convert Postman, OpenAPI and cURL", Description: "Converts a Postman collection (v2.0, v2.1), an OpenAPI document (Swagger 2.0, OpenAPI 3.0, 3.1, 3.2; JSON or\nYAML), an HTTP archive (HAR) or a script with curl commands to the format that `options.target` names. Detects\nthe kind of source from its content. Sends no requests, opens no files and follows no remote references.\nReports what the target cannot express in `warnings` (`lost.…`, `changed.…`, `added.…`), with names and\nlocations. Replaces recognized secrets with placeholders; detection is not complete, so review the output\nbefore sharing it.\n", Accepts: []string{"application/json", "application/yaml", "text/plain"}, Produces: []string{"application/json", "application/yaml", "text/plain"}, Request: &apiConvertRequest},
	Operation{ID: "json_format", Path: "/v1/tools/json_format", Summary: "Format JSON", Description: "Formats one JSON value (RFC 8259) with `options.indent` spaces per level; 0 writes one line without spaces.\nChanges white space only: member order, digits and escapes are kept. Rejects duplicate names, numbers\nthat not every parser keeps (integers beyond ±(2^53−1), others that an IEEE 754 double changes), lone surrogates,\ncomments and more than 256 levels of nesting, and reports the line and column. Does not validate against a schema.\n", Accepts: []string{"application/json"}, Produces: []string{"application/json"}, Request: &jsonFormatRequest},
	Operation{ID: "json_to_yaml", Path: "/v1/tools/json_to_yaml", Summary: "Convert JSON to YAML", Description: "Converts one JSON value to block-style YAML that YAML 1.1 and 1.2 parsers both read back as the same value.\nWrites multi-line strings as literal blocks where a block is exact. Keeps the order of names and the digits\nof numbers. Rejects what `json_format` rejects: duplicate names, unsafe numbers, lone surrogates, excessive\ndepth. Does not read YAML.\n", Accepts: []string{"application/json"}, Produces: []string{"application/yaml"}, Request: &jsonToYamlRequest},
	Operation{ID: "jwt_decode", Path: "/v1/tools/jwt_decode", Summary: "Decode a JWT", Description: "Decodes a signed JWT (three parts, RFC 7515 and RFC 7519) and returns its header and payload as JSON. Keeps the\norder of names, the digits of numbers and the strings exactly as they are in the token. Verifies nothing\n(no signature, expiry or audience), warns about that, and accepts no keys. Rejects encrypted tokens, a\n`Bearer ` prefix, padding and anything that is not base64url.\n", Accepts: []string{"application/jwt"}, Produces: []string{"application/json"}, Request: &jwtDecodeRequest},
	Operation{ID: "timestamp_to_iso", Path: "/v1/tools/timestamp_to_iso", Summary: "Convert a timestamp to ISO 8601", Description: "Converts one timestamp to `YYYY-MM-DDTHH:MM:SS[.fraction]Z` and keeps every fractional digit.\nWith `options.unit`, the input is a decimal count of that unit since 1970-01-01T00:00:00Z. Without it, the input\nis a date and time with a time zone: an ISO 8601 calendar, ordinal or week date, an HTTP date (RFC 9110) or a\nmail date (RFC 5322). Guesses nothing: a bare number needs a unit, a date and time needs a zone, and named\nzones are rejected. Supports years 0001 to 9999. Doesn't use the current time.\n", Accepts: []string{"text/plain"}, Produces: []string{"text/plain"}, Request: &timestampToIsoRequest},
}

// Problems are the problem codes, in the document's order.
var Problems = []Problem{
	Problem{Code: "malformed_json", Status: 400, Retry: "never", Title: "Malformed JSON"},
	Problem{Code: "host_refused", Status: 403, Retry: "never", Title: "Host refused"},
	Problem{Code: "origin_refused", Status: 403, Retry: "never", Title: "Origin refused"},
	Problem{Code: "unknown_route", Status: 404, Retry: "never", Title: "Unknown route"},
	Problem{Code: "method_not_allowed", Status: 405, Retry: "never", Title: "Method not allowed"},
	Problem{Code: "body_timeout", Status: 408, Retry: "once", Title: "Request body timeout"},
	Problem{Code: "request_too_large", Status: 413, Retry: "never", Title: "Request too large"},
	Problem{Code: "unsupported_content_type", Status: 415, Retry: "never", Title: "Unsupported content type"},
	Problem{Code: "unsupported_content_encoding", Status: 415, Retry: "never", Title: "Unsupported content encoding"},
	Problem{Code: "unsupported_media_type", Status: 415, Retry: "never", Title: "Unsupported media type"},
	Problem{Code: "schema_violation", Status: 422, Retry: "never", Title: "Schema violation"},
	Problem{Code: "invalid_json", Status: 422, Retry: "never", Title: "Invalid JSON"},
	Problem{Code: "duplicate_key", Status: 422, Retry: "never", Title: "Duplicate key"},
	Problem{Code: "unsafe_number", Status: 422, Retry: "never", Title: "Unsafe number"},
	Problem{Code: "invalid_unicode", Status: 422, Retry: "never", Title: "Invalid Unicode"},
	Problem{Code: "too_deep", Status: 422, Retry: "never", Title: "Too deep"},
	Problem{Code: "invalid_jwt", Status: 422, Retry: "never", Title: "Invalid JWT"},
	Problem{Code: "encrypted_jwt", Status: 422, Retry: "never", Title: "Encrypted JWT"},
	Problem{Code: "invalid_timestamp", Status: 422, Retry: "never", Title: "Invalid timestamp"},
	Problem{Code: "unit_required", Status: 422, Retry: "never", Title: "Unit required"},
	Problem{Code: "zone_required", Status: 422, Retry: "never", Title: "Zone required"},
	Problem{Code: "timestamp_out_of_range", Status: 422, Retry: "never", Title: "Timestamp out of range"},
	Problem{Code: "unrecognized_source", Status: 422, Retry: "never", Title: "Unrecognized source"},
	Problem{Code: "invalid_source", Status: 422, Retry: "never", Title: "Invalid source"},
	Problem{Code: "unsupported_version", Status: 422, Retry: "never", Title: "Unsupported version"},
	Problem{Code: "too_complex", Status: 422, Retry: "never", Title: "Too complex"},
	Problem{Code: "output_too_large", Status: 422, Retry: "never", Title: "Output too large"},
	Problem{Code: "duplicate_step_id", Status: 422, Retry: "never", Title: "Duplicate step id"},
	Problem{Code: "unknown_step_id", Status: 422, Retry: "never", Title: "Unknown step id"},
	Problem{Code: "media_type_mismatch", Status: 422, Retry: "never", Title: "Media type mismatch"},
	Problem{Code: "rate_limited", Status: 429, Retry: "after-delay", Title: "Rate limit exceeded"},
	Problem{Code: "internal_error", Status: 500, Retry: "once", Title: "Internal error"},
	Problem{Code: "overloaded", Status: 503, Retry: "after-delay", Title: "Overloaded"},
	Problem{Code: "deadline_exceeded", Status: 503, Retry: "once", Title: "Deadline exceeded"},
}

// The named schemas.
var (
	apiConvertIDs         = schema.Schema{Type: "string", Description: "For the target `postman-2.1`: `none` writes no ids; `stable` derives UUIDs from title, server, method and path, so that importing the collection again updates it instead of duplicating it. Existing ids are kept.", Enum: []interface{}{"none", "stable"}, Default: "none"}
	apiConvertOptions     = schema.Schema{Type: "object", Description: "What api_convert writes.", Properties: []schema.Property{schema.Property{Name: "ids", Schema: &apiConvertIDs}, schema.Property{Name: "paths", Schema: &apiConvertPaths}, schema.Property{Name: "target", Schema: &apiConvertTarget}}, Required: []string{"target"}, Closed: true}
	apiConvertPaths       = schema.Schema{Type: "string", Description: "For OpenAPI targets: `templates` turns identifiers in request paths into parameters, so that `/users/123` and `/users/456` become `/users/{userId}`; `literal` keeps each path as it is in the source.", Enum: []interface{}{"templates", "literal"}, Default: "templates"}
	apiConvertRequest     = schema.Schema{Type: "object", Description: "A request to api_convert.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &apiSourceInput}, schema.Property{Name: "options", Schema: &apiConvertOptions}}, Required: []string{"input", "options"}, Closed: true}
	apiConvertStep        = schema.Schema{Type: "object", Description: "A step that runs api_convert.", Properties: []schema.Property{schema.Property{Name: "id", Schema: &stepId}, schema.Property{Name: "options", Schema: &apiConvertOptions}, schema.Property{Name: "tool", Schema: &schema.Schema{Type: "string", Description: "The tool of the step.", Enum: []interface{}{"api_convert"}}}}, Required: []string{"id", "tool", "options"}, Closed: true}
	apiConvertTarget      = schema.Schema{Type: "string", Description: "The format of the output. Choose `openapi-3.1-yaml` to read or edit, `openapi-3.0-json` for older tools, `swagger-2.0-json` for gateways that accept only Swagger 2.0 (such as Power Platform), `postman-2.1` to import into Postman, `curl` for POSIX shell commands.", Enum: []interface{}{"openapi-3.2-json", "openapi-3.2-yaml", "openapi-3.1-json", "openapi-3.1-yaml", "openapi-3.0-json", "openapi-3.0-yaml", "swagger-2.0-json", "swagger-2.0-yaml", "postman-2.1", "curl"}, Produces: [][2]string{[2]string{"curl", "text/plain"}, [2]string{"openapi-3.0-json", "application/json"}, [2]string{"openapi-3.0-yaml", "application/yaml"}, [2]string{"openapi-3.1-json", "application/json"}, [2]string{"openapi-3.1-yaml", "application/yaml"}, [2]string{"openapi-3.2-json", "application/json"}, [2]string{"openapi-3.2-yaml", "application/yaml"}, [2]string{"postman-2.1", "application/json"}, [2]string{"swagger-2.0-json", "application/json"}, [2]string{"swagger-2.0-yaml", "application/yaml"}}}
	apiSourceInput        = schema.Schema{Type: "object", Description: "A Postman collection, an OpenAPI document, an HTTP archive (HAR) or a script with curl commands.", Properties: []schema.Property{schema.Property{Name: "mediaType", Schema: &apiSourceMediaType}, schema.Property{Name: "value", Schema: &schema.Schema{Type: "string", Description: "The source, as a string."}}}, Required: []string{"mediaType", "value"}, Closed: true}
	apiSourceMediaType    = schema.Schema{Type: "string", Description: "The media type of the source; scripts are text/plain.", Enum: []interface{}{"application/json", "application/yaml", "text/plain"}}
	jsonFormatOptions     = schema.Schema{Type: "object", Description: "How json_format formats its output.", Properties: []schema.Property{schema.Property{Name: "indent", Schema: &schema.Schema{Type: "integer", Description: "Spaces per level; 0 writes one line.", Default: float64(2), Range: &schema.Range{Max: float64(8)}}}}, Closed: true}
	jsonFormatRequest     = schema.Schema{Type: "object", Description: "A request to json_format.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &jsonInput}, schema.Property{Name: "options", Schema: &jsonFormatOptions}}, Required: []string{"input"}, Closed: true}
	jsonFormatStep        = schema.Schema{Type: "object", Description: "A step that runs json_format.", Properties: []schema.Property{schema.Property{Name: "id", Schema: &stepId}, schema.Property{Name: "options", Schema: &jsonFormatOptions}, schema.Property{Name: "tool", Schema: &schema.Schema{Type: "string", Description: "The tool of the step.", Enum: []interface{}{"json_format"}}}}, Required: []string{"id", "tool"}, Closed: true}
	jsonInput             = schema.Schema{Type: "object", Description: "A JSON document.", Properties: []schema.Property{schema.Property{Name: "mediaType", Schema: &jsonMediaType}, schema.Property{Name: "value", Schema: &schema.Schema{Type: "string", Description: "The JSON document, as a string."}}}, Required: []string{"mediaType", "value"}, Closed: true}
	jsonMediaType         = schema.Schema{Type: "string", Description: "JSON (RFC 8259).", Enum: []interface{}{"application/json"}}
	jsonToYamlOptions     = schema.Schema{Type: "object", Description: "How json_to_yaml formats its output.", Properties: []schema.Property{schema.Property{Name: "indent", Schema: &schema.Schema{Type: "integer", Description: "Spaces per level of mappings and of the sequences in them. A sequence directly in a sequence is indented by 2.", Default: float64(2), Range: &schema.Range{Min: float64(1), Max: float64(8)}}}}, Closed: true}
	jsonToYamlRequest     = schema.Schema{Type: "object", Description: "A request to json_to_yaml.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &jsonInput}, schema.Property{Name: "options", Schema: &jsonToYamlOptions}}, Required: []string{"input"}, Closed: true}
	jsonToYamlStep        = schema.Schema{Type: "object", Description: "A step that runs json_to_yaml.", Properties: []schema.Property{schema.Property{Name: "id", Schema: &stepId}, schema.Property{Name: "options", Schema: &jsonToYamlOptions}, schema.Property{Name: "tool", Schema: &schema.Schema{Type: "string", Description: "The tool of the step.", Enum: []interface{}{"json_to_yaml"}}}}, Required: []string{"id", "tool"}, Closed: true}
	jwtDecodeOptions      = schema.Schema{Type: "object", Description: "jwt_decode has no options.", Closed: true, AllOf: []*schema.Schema{&schema.Schema{Type: "object", Closed: true}}}
	jwtDecodeRequest      = schema.Schema{Type: "object", Description: "A request to jwt_decode.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &jwtInput}, schema.Property{Name: "options", Schema: &jwtDecodeOptions}}, Required: []string{"input"}, Closed: true}
	jwtDecodeStep         = schema.Schema{Type: "object", Description: "A step that runs jwt_decode.", Properties: []schema.Property{schema.Property{Name: "id", Schema: &stepId}, schema.Property{Name: "options", Schema: &jwtDecodeOptions}, schema.Property{Name: "tool", Schema: &schema.Schema{Type: "string", Description: "The tool of the step.", Enum: []interface{}{"jwt_decode"}}}}, Required: []string{"id", "tool"}, Closed: true}
	jwtInput              = schema.Schema{Type: "object", Description: "A JWT.", Properties: []schema.Property{schema.Property{Name: "mediaType", Schema: &jwtMediaType}, schema.Property{Name: "value", Schema: &schema.Schema{Type: "string", Description: "The token in compact form, three parts separated by dots. White space around it is ignored."}}}, Required: []string{"mediaType", "value"}, Closed: true}
	jwtMediaType          = schema.Schema{Type: "string", Description: "A JWT in compact form (RFC 7519).", Enum: []interface{}{"application/jwt"}}
	pipelineInput         = schema.Schema{Type: "object", Description: "The input of the first step.", Properties: []schema.Property{schema.Property{Name: "mediaType", Schema: &schema.Schema{Type: "string", Description: "The media type of the value, one of those that the first step's tool accepts.", MaxLength: 100}}, schema.Property{Name: "value", Schema: &schema.Schema{Type: "string", Description: "The value, as a string."}}}, Required: []string{"mediaType", "value"}, Closed: true}
	pipelineRequest       = schema.Schema{Type: "object", Description: "The steps to run, and the input of the first.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &pipelineInput}, schema.Property{Name: "returnStepIds", Schema: &schema.Schema{Type: "array", Description: "The ids of the steps whose outputs to return.", MaxItems: 20, UniqueItems: true, Items: &stepId}}, schema.Property{Name: "steps", Schema: &schema.Schema{Type: "array", Description: "The steps to run, in order.", MinItems: 1, MaxItems: 20, Items: &pipelineStep}}, schema.Property{Name: "version", Schema: &schema.Schema{Type: "integer", Description: "The version of the pipeline request, always 1.", Range: &schema.Range{Min: float64(1), Max: float64(1)}}}}, Required: []string{"version", "input", "steps"}, Closed: true}
	pipelineStep          = schema.Schema{Description: "One step. Its `tool` determines which options it accepts.", OneOf: []*schema.Schema{&apiConvertStep, &jwtDecodeStep, &jsonFormatStep, &jsonToYamlStep, &timestampToIsoStep}, Decides: "tool"}
	stepId                = schema.Schema{Type: "string", Description: "Your name for a step, unique in its pipeline.", MaxLength: 64, Pattern: "^[A-Za-z0-9_-]{1,64}$"}
	textMediaType         = schema.Schema{Type: "string", Description: "Plain text.", Enum: []interface{}{"text/plain"}}
	timestampInput        = schema.Schema{Type: "object", Description: "A timestamp.", Properties: []schema.Property{schema.Property{Name: "mediaType", Schema: &textMediaType}, schema.Property{Name: "value", Schema: &schema.Schema{Type: "string", Description: "One timestamp; white space around it is ignored."}}}, Required: []string{"mediaType", "value"}, Closed: true}
	timestampToIsoOptions = schema.Schema{Type: "object", Description: "How timestamp_to_iso reads its input.", Properties: []schema.Property{schema.Property{Name: "unit", Schema: &timestampUnit}}, Closed: true}
	timestampToIsoRequest = schema.Schema{Type: "object", Description: "A request to timestamp_to_iso.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &timestampInput}, schema.Property{Name: "options", Schema: &timestampToIsoOptions}}, Required: []string{"input"}, Closed: true}
	timestampToIsoStep    = schema.Schema{Type: "object", Description: "A step that runs timestamp_to_iso.", Properties: []schema.Property{schema.Property{Name: "id", Schema: &stepId}, schema.Property{Name: "options", Schema: &timestampToIsoOptions}, schema.Property{Name: "tool", Schema: &schema.Schema{Type: "string", Description: "The tool of the step.", Enum: []interface{}{"timestamp_to_iso"}}}}, Required: []string{"id", "tool"}, Closed: true}
	timestampUnit         = schema.Schema{Type: "string", Description: "The unit of a number that counts from 1970-01-01T00:00:00Z. Current times have 10 digits in seconds, 13 in milliseconds, 16 in microseconds and 19 in nanoseconds. Leave it out if the input is a date and time.", Enum: []interface{}{"seconds", "milliseconds", "microseconds", "nanoseconds"}}
)
