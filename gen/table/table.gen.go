// Code generated from openapi/openapi.yaml by make generate. DO NOT EDIT.

package table

import "github.com/convertd/convertd/internal/schema"

// Title is the title of the API.
const Title = "Conversion Tool Service"

// Limit is x-service-limits.
var Limit = Limits{RequestBytes: 1048576, OutputCharacters: 2097152, PipelineBytes: 2097152, PipelineSeconds: 5, RequestsPerMinute: 60}

// Operations are the POST operations, sorted by path.
var Operations = []Operation{
	Operation{ID: "pipeline", Path: "/v1/pipeline", Summary: "Run a chain of tools", Description: "Runs 1 to 20 tools in order; each step consumes the output of the one before, the first consumes `input`.\nReturns the last output, and in `outputs` those of the steps named in `returnStepIds`. Checks the media types\nof the whole chain first; stops at the first error and names its step. At most 2 MiB of outputs together and\n5 seconds. For a single conversion call the tool itself.\n", Request: &pipelineRequest},
	Operation{ID: "api_convert", Path: "/v1/tools/api_convert", Summary: "Convert Postman, OpenAPI and cURL", Description: "Converts a Postman collection (v2.0, v2.1), an API description (Swagger 2.0, OpenAPI 3.0, 3.1, 3.2; JSON or\nYAML) or shell text with curl commands to the format named by `options.target`; the source is recognised from\nits text. Sends no request, opens no file, follows no remote reference.\nWhat the target cannot hold is told in `warnings` (`lost.…`, `changed.…`, `added.…`), with its name and place.\nRecognised secrets become placeholders; recognition is incomplete, so review the output before you share it.\n", Accepts: []string{"application/json", "application/yaml", "text/plain"}, Produces: []string{"application/json", "application/yaml", "text/plain"}, Request: &apiConvertRequest},
	Operation{ID: "json_format", Path: "/v1/tools/json_format", Summary: "Format JSON", Description: "Lays out one JSON value (RFC 8259) with `options.indent` spaces a level; 0 writes one line without spaces.\nChanges white space only: order, digits and escapes stay. Refuses, with line and column, duplicate names,\nnumbers that a double would change, lone surrogates, comments and nesting deeper than 256.\nChecks no application schema.\n", Accepts: []string{"application/json"}, Produces: []string{"application/json"}, Request: &jsonFormatRequest},
	Operation{ID: "json_to_yaml", Path: "/v1/tools/json_to_yaml", Summary: "Convert JSON to YAML", Description: "Converts one JSON value to block-style YAML that reads back to the same value in YAML 1.1 and 1.2 readers\nalike; text of several lines becomes literal blocks where that is exact. Order and digits stay.\nRefuses what `json_format` refuses: duplicate names, unsafe numbers, lone surrogates, excessive depth.\nExecutes nothing; does not read YAML.\n", Accepts: []string{"application/json"}, Produces: []string{"application/yaml"}, Request: &jsonToYamlRequest},
	Operation{ID: "jwt_decode", Path: "/v1/tools/jwt_decode", Summary: "Decode a JWT", Description: "Decodes a signed JWT (three parts, RFC 7515 and RFC 7519) into its header and payload as JSON, order, digits\nand strings as in the token. Verifies nothing, neither signature nor expiry nor audience, and says so in the\nwarnings; accepts no keys. Refuses encrypted tokens, a `Bearer ` prefix, padding and what is not base64url.\n", Accepts: []string{"application/jwt"}, Produces: []string{"application/json"}, Request: &jwtDecodeRequest},
	Operation{ID: "timestamp_to_iso", Path: "/v1/tools/timestamp_to_iso", Summary: "Convert a timestamp to ISO 8601", Description: "Converts one timestamp to `YYYY-MM-DDTHH:MM:SS[.fraction]Z`, keeping every fractional digit.\nWith `options.unit` the input is a decimal count of that unit since 1970-01-01T00:00:00Z; without it, calendar\ntext with its zone: ISO 8601 calendar, ordinal or week dates, HTTP (RFC 9110) or mail dates (RFC 5322).\nGuesses nothing: a bare number needs a unit, a calendar time a zone; named zones are refused.\nReads no clock. Years 0001 to 9999.\n", Accepts: []string{"text/plain"}, Produces: []string{"text/plain"}, Request: &timestampToIsoRequest},
}

// Problems are the problem codes, in the document's order.
var Problems = []Problem{
	Problem{Code: "malformed_json", Status: 400, Title: "Malformed JSON"},
	Problem{Code: "host_refused", Status: 403, Title: "Host refused"},
	Problem{Code: "origin_refused", Status: 403, Title: "Origin refused"},
	Problem{Code: "unknown_route", Status: 404, Title: "Unknown route"},
	Problem{Code: "method_not_allowed", Status: 405, Title: "Method not allowed"},
	Problem{Code: "body_timeout", Status: 408, Title: "Request body timeout"},
	Problem{Code: "request_too_large", Status: 413, Title: "Request too large"},
	Problem{Code: "unsupported_content_type", Status: 415, Title: "Unsupported content type"},
	Problem{Code: "unsupported_content_encoding", Status: 415, Title: "Unsupported content encoding"},
	Problem{Code: "unsupported_media_type", Status: 415, Title: "Unsupported media type"},
	Problem{Code: "schema_violation", Status: 422, Title: "Schema violation"},
	Problem{Code: "invalid_json", Status: 422, Title: "Invalid JSON"},
	Problem{Code: "duplicate_key", Status: 422, Title: "Duplicate key"},
	Problem{Code: "unsafe_number", Status: 422, Title: "Unsafe number"},
	Problem{Code: "invalid_unicode", Status: 422, Title: "Invalid Unicode"},
	Problem{Code: "too_deep", Status: 422, Title: "Too deep"},
	Problem{Code: "invalid_jwt", Status: 422, Title: "Invalid JWT"},
	Problem{Code: "encrypted_jwt", Status: 422, Title: "Encrypted JWT"},
	Problem{Code: "invalid_timestamp", Status: 422, Title: "Invalid timestamp"},
	Problem{Code: "unit_required", Status: 422, Title: "Unit required"},
	Problem{Code: "zone_required", Status: 422, Title: "Zone required"},
	Problem{Code: "timestamp_out_of_range", Status: 422, Title: "Timestamp out of range"},
	Problem{Code: "unrecognized_source", Status: 422, Title: "Unrecognized source"},
	Problem{Code: "invalid_source", Status: 422, Title: "Invalid source"},
	Problem{Code: "unsupported_version", Status: 422, Title: "Unsupported version"},
	Problem{Code: "too_complex", Status: 422, Title: "Too complex"},
	Problem{Code: "output_too_large", Status: 422, Title: "Output too large"},
	Problem{Code: "duplicate_step_id", Status: 422, Title: "Duplicate step id"},
	Problem{Code: "unknown_step_id", Status: 422, Title: "Unknown step id"},
	Problem{Code: "media_type_mismatch", Status: 422, Title: "Media type mismatch"},
	Problem{Code: "rate_limited", Status: 429, Title: "Rate limit exceeded"},
	Problem{Code: "internal_error", Status: 500, Title: "Internal error"},
	Problem{Code: "overloaded", Status: 503, Title: "Overloaded"},
	Problem{Code: "deadline_exceeded", Status: 503, Title: "Deadline exceeded"},
}

// The named schemas.
var (
	apiConvertIDs         = schema.Schema{Type: "string", Description: "For the target `postman-2.1`: `none` writes no ids; `stable` writes UUIDs made from title, server, method and path, so that importing the collection again updates it instead of duplicating it. Existing ids are kept.", Enum: []interface{}{"none", "stable"}, Default: "none"}
	apiConvertOptions     = schema.Schema{Type: "object", Description: "What api_convert converts to.", Properties: []schema.Property{schema.Property{Name: "ids", Schema: &apiConvertIDs}, schema.Property{Name: "paths", Schema: &apiConvertPaths}, schema.Property{Name: "target", Schema: &apiConvertTarget}}, Required: []string{"target"}, Closed: true}
	apiConvertPaths       = schema.Schema{Type: "string", Description: "For OpenAPI targets: `templates` turns identifiers in request paths into parameters, so that `/users/123` and `/users/456` become `/users/{userId}`; `literal` keeps each path as it was sent.", Enum: []interface{}{"templates", "literal"}, Default: "templates"}
	apiConvertRequest     = schema.Schema{Type: "object", Description: "One call of api_convert.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &apiSourceInput}, schema.Property{Name: "options", Schema: &apiConvertOptions}}, Required: []string{"input", "options"}, Closed: true}
	apiConvertStep        = schema.Schema{Type: "object", Description: "A step that runs api_convert.", Properties: []schema.Property{schema.Property{Name: "id", Schema: &stepId}, schema.Property{Name: "options", Schema: &apiConvertOptions}, schema.Property{Name: "tool", Schema: &schema.Schema{Type: "string", Description: "The tool of the step.", Enum: []interface{}{"api_convert"}}}}, Required: []string{"id", "tool", "options"}, Closed: true}
	apiConvertTarget      = schema.Schema{Type: "string", Description: "The format of the output. Choose `openapi-3.1-yaml` to read or edit, `openapi-3.0-json` for older tools, `swagger-2.0-json` for gateways that accept only Swagger 2.0 (such as Power Platform), `postman-2.1` to import into Postman, `curl` for POSIX shell commands.", Enum: []interface{}{"openapi-3.2-json", "openapi-3.2-yaml", "openapi-3.1-json", "openapi-3.1-yaml", "openapi-3.0-json", "openapi-3.0-yaml", "swagger-2.0-json", "swagger-2.0-yaml", "postman-2.1", "curl"}, Produces: [][2]string{[2]string{"curl", "text/plain"}, [2]string{"openapi-3.0-json", "application/json"}, [2]string{"openapi-3.0-yaml", "application/yaml"}, [2]string{"openapi-3.1-json", "application/json"}, [2]string{"openapi-3.1-yaml", "application/yaml"}, [2]string{"openapi-3.2-json", "application/json"}, [2]string{"openapi-3.2-yaml", "application/yaml"}, [2]string{"postman-2.1", "application/json"}, [2]string{"swagger-2.0-json", "application/json"}, [2]string{"swagger-2.0-yaml", "application/yaml"}}}
	apiSourceInput        = schema.Schema{Type: "object", Description: "A Postman collection, an API description or shell text with curl commands.", Properties: []schema.Property{schema.Property{Name: "mediaType", Schema: &apiSourceMediaType}, schema.Property{Name: "value", Schema: &schema.Schema{Type: "string", Description: "The source itself, as a string."}}}, Required: []string{"mediaType", "value"}, Closed: true}
	apiSourceMediaType    = schema.Schema{Type: "string", Description: "What the source is written in; shell text is text/plain.", Enum: []interface{}{"application/json", "application/yaml", "text/plain"}, MaxLength: 100}
	jsonFormatOptions     = schema.Schema{Type: "object", Description: "How json_format lays out its output.", Properties: []schema.Property{schema.Property{Name: "indent", Schema: &schema.Schema{Type: "integer", Description: "Spaces per level; 0 writes one line.", Default: float64(2), Range: &schema.Range{Max: float64(8)}}}}, Closed: true}
	jsonFormatRequest     = schema.Schema{Type: "object", Description: "One call of json_format.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &jsonInput}, schema.Property{Name: "options", Schema: &jsonFormatOptions}}, Required: []string{"input"}, Closed: true}
	jsonFormatStep        = schema.Schema{Type: "object", Description: "A step that runs json_format.", Properties: []schema.Property{schema.Property{Name: "id", Schema: &stepId}, schema.Property{Name: "options", Schema: &jsonFormatOptions}, schema.Property{Name: "tool", Schema: &schema.Schema{Type: "string", Description: "The tool of the step.", Enum: []interface{}{"json_format"}}}}, Required: []string{"id", "tool"}, Closed: true}
	jsonInput             = schema.Schema{Type: "object", Description: "A JSON document.", Properties: []schema.Property{schema.Property{Name: "mediaType", Schema: &jsonMediaType}, schema.Property{Name: "value", Schema: &schema.Schema{Type: "string", Description: "The JSON text itself, as a string."}}}, Required: []string{"mediaType", "value"}, Closed: true}
	jsonMediaType         = schema.Schema{Type: "string", Description: "JSON (RFC 8259).", Enum: []interface{}{"application/json"}, MaxLength: 100}
	jsonToYamlOptions     = schema.Schema{Type: "object", Description: "How json_to_yaml lays out its output.", Properties: []schema.Property{schema.Property{Name: "indent", Schema: &schema.Schema{Type: "integer", Description: "Spaces per level.", Default: float64(2), Range: &schema.Range{Min: float64(1), Max: float64(8)}}}}, Closed: true}
	jsonToYamlRequest     = schema.Schema{Type: "object", Description: "One call of json_to_yaml.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &jsonInput}, schema.Property{Name: "options", Schema: &jsonToYamlOptions}}, Required: []string{"input"}, Closed: true}
	jsonToYamlStep        = schema.Schema{Type: "object", Description: "A step that runs json_to_yaml.", Properties: []schema.Property{schema.Property{Name: "id", Schema: &stepId}, schema.Property{Name: "options", Schema: &jsonToYamlOptions}, schema.Property{Name: "tool", Schema: &schema.Schema{Type: "string", Description: "The tool of the step.", Enum: []interface{}{"json_to_yaml"}}}}, Required: []string{"id", "tool"}, Closed: true}
	jwtDecodeOptions      = schema.Schema{Type: "object", Description: "jwt_decode has no options.", Closed: true, AllOf: []*schema.Schema{&schema.Schema{Type: "object", Closed: true}}}
	jwtDecodeRequest      = schema.Schema{Type: "object", Description: "One call of jwt_decode.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &jwtInput}, schema.Property{Name: "options", Schema: &jwtDecodeOptions}}, Required: []string{"input"}, Closed: true}
	jwtDecodeStep         = schema.Schema{Type: "object", Description: "A step that runs jwt_decode.", Properties: []schema.Property{schema.Property{Name: "id", Schema: &stepId}, schema.Property{Name: "options", Schema: &jwtDecodeOptions}, schema.Property{Name: "tool", Schema: &schema.Schema{Type: "string", Description: "The tool of the step.", Enum: []interface{}{"jwt_decode"}}}}, Required: []string{"id", "tool"}, Closed: true}
	jwtInput              = schema.Schema{Type: "object", Description: "A JWT.", Properties: []schema.Property{schema.Property{Name: "mediaType", Schema: &jwtMediaType}, schema.Property{Name: "value", Schema: &schema.Schema{Type: "string", Description: "The token in compact form, three parts with two dots; white space around it is ignored."}}}, Required: []string{"mediaType", "value"}, Closed: true}
	jwtMediaType          = schema.Schema{Type: "string", Description: "A JWT in compact form (RFC 7519).", Enum: []interface{}{"application/jwt"}, MaxLength: 100}
	pipelineInput         = schema.Schema{Type: "object", Description: "The text that the first step consumes.", Properties: []schema.Property{schema.Property{Name: "mediaType", Schema: &schema.Schema{Type: "string", Description: "What the value is, one of the media types that the first step's tool accepts.", MaxLength: 100}}, schema.Property{Name: "value", Schema: &schema.Schema{Type: "string", Description: "The text."}}}, Required: []string{"mediaType", "value"}, Closed: true}
	pipelineRequest       = schema.Schema{Type: "object", Description: "A chain of tools and the text that the first of them consumes.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &pipelineInput}, schema.Property{Name: "returnStepIds", Schema: &schema.Schema{Type: "array", Description: "The steps whose outputs to return, each the id of a step.", MaxItems: 20, UniqueItems: true, Items: &stepId}}, schema.Property{Name: "steps", Schema: &schema.Schema{Type: "array", Description: "What to run, in order.", MinItems: 1, MaxItems: 20, Items: &pipelineStep}}, schema.Property{Name: "version", Schema: &schema.Schema{Type: "integer", Description: "The version of the pipeline request, always 1.", Range: &schema.Range{Min: float64(1), Max: float64(1)}}}}, Required: []string{"version", "input", "steps"}, Closed: true}
	pipelineStep          = schema.Schema{Description: "One step; `tool` decides which options it takes.", OneOf: []*schema.Schema{&jwtDecodeStep, &jsonFormatStep, &jsonToYamlStep, &timestampToIsoStep, &apiConvertStep}, Decides: "tool"}
	stepId                = schema.Schema{Type: "string", Description: "The caller's own name for a step, unique in its pipeline.", MaxLength: 64, Pattern: "^[A-Za-z0-9_-]{1,64}$"}
	textMediaType         = schema.Schema{Type: "string", Description: "Plain text.", Enum: []interface{}{"text/plain"}, MaxLength: 100}
	timestampInput        = schema.Schema{Type: "object", Description: "A timestamp.", Properties: []schema.Property{schema.Property{Name: "mediaType", Schema: &textMediaType}, schema.Property{Name: "value", Schema: &schema.Schema{Type: "string", Description: "One timestamp; white space around it is ignored."}}}, Required: []string{"mediaType", "value"}, Closed: true}
	timestampToIsoOptions = schema.Schema{Type: "object", Description: "How timestamp_to_iso reads its input.", Properties: []schema.Property{schema.Property{Name: "unit", Schema: &timestampUnit}}, Closed: true}
	timestampToIsoRequest = schema.Schema{Type: "object", Description: "One call of timestamp_to_iso.", Properties: []schema.Property{schema.Property{Name: "input", Schema: &timestampInput}, schema.Property{Name: "options", Schema: &timestampToIsoOptions}}, Required: []string{"input"}, Closed: true}
	timestampToIsoStep    = schema.Schema{Type: "object", Description: "A step that runs timestamp_to_iso.", Properties: []schema.Property{schema.Property{Name: "id", Schema: &stepId}, schema.Property{Name: "options", Schema: &timestampToIsoOptions}, schema.Property{Name: "tool", Schema: &schema.Schema{Type: "string", Description: "The tool of the step.", Enum: []interface{}{"timestamp_to_iso"}}}}, Required: []string{"id", "tool"}, Closed: true}
	timestampUnit         = schema.Schema{Type: "string", Description: "The unit of a number that counts from 1970-01-01T00:00:00Z: today, seconds have 10 digits, milliseconds 13, microseconds 16 and nanoseconds 19. Leave it out for calendar text.", Enum: []interface{}{"seconds", "milliseconds", "microseconds", "nanoseconds"}}
)
