// Code generated from openapi/openapi.yaml by make generate. DO NOT EDIT.

package convertd

import "context"

// The codes that a call can be rejected with.
const (
	CodeMalformedJSON        Code = "malformed_json"         // Malformed JSON
	CodeUnsupportedMediaType Code = "unsupported_media_type" // Unsupported media type
	CodeSchemaViolation      Code = "schema_violation"       // Schema violation
	CodeInvalidJSON          Code = "invalid_json"           // Invalid JSON
	CodeDuplicateKey         Code = "duplicate_key"          // Duplicate key
	CodeUnsafeNumber         Code = "unsafe_number"          // Unsafe number
	CodeInvalidUnicode       Code = "invalid_unicode"        // Invalid Unicode
	CodeTooDeep              Code = "too_deep"               // Too deep
	CodeInvalidJWT           Code = "invalid_jwt"            // Invalid JWT
	CodeEncryptedJWT         Code = "encrypted_jwt"          // Encrypted JWT
	CodeInvalidTimestamp     Code = "invalid_timestamp"      // Invalid timestamp
	CodeUnitRequired         Code = "unit_required"          // Unit required
	CodeZoneRequired         Code = "zone_required"          // Zone required
	CodeTimestampOutOfRange  Code = "timestamp_out_of_range" // Timestamp out of range
	CodeUnrecognizedSource   Code = "unrecognized_source"    // Unrecognized source
	CodeInvalidSource        Code = "invalid_source"         // Invalid source
	CodeUnsupportedVersion   Code = "unsupported_version"    // Unsupported version
	CodeTooComplex           Code = "too_complex"            // Too complex
	CodeOutputTooLarge       Code = "output_too_large"       // Output too large
	CodeDuplicateStepID      Code = "duplicate_step_id"      // Duplicate step id
	CodeUnknownStepID        Code = "unknown_step_id"        // Unknown step id
	CodeMediaTypeMismatch    Code = "media_type_mismatch"    // Media type mismatch
	CodeInternalError        Code = "internal_error"         // Internal error
)

// APIConvertIDs is a value of APIConvertOptions.IDs. For the target
// postman-2.1: none writes no ids; stable derives UUIDs from title, server,
// method and path, so that importing the collection again updates it instead
// of duplicating it. Existing ids are kept.
type APIConvertIDs string

// The values of APIConvertIDs.
const (
	APIConvertIDsNone   APIConvertIDs = "none"
	APIConvertIDsStable APIConvertIDs = "stable"
)

// APIConvertPaths is a value of APIConvertOptions.Paths. For OpenAPI targets:
// templates turns identifiers in request paths into parameters, so that
// /users/123 and /users/456 become /users/{userId}; literal keeps each path as
// it is in the source.
type APIConvertPaths string

// The values of APIConvertPaths.
const (
	APIConvertPathsTemplates APIConvertPaths = "templates"
	APIConvertPathsLiteral   APIConvertPaths = "literal"
)

// APIConvertTarget is a value of APIConvertOptions.Target. The format of the
// output. Choose openapi-3.1-yaml to read or edit, openapi-3.0-json for older
// tools, swagger-2.0-json for gateways that accept only Swagger 2.0 (such as
// Power Platform), postman-2.1 to import into Postman, curl for POSIX shell
// commands.
type APIConvertTarget string

// The values of APIConvertTarget.
const (
	APIConvertTargetOpenAPI32JSON APIConvertTarget = "openapi-3.2-json"
	APIConvertTargetOpenAPI32YAML APIConvertTarget = "openapi-3.2-yaml"
	APIConvertTargetOpenAPI31JSON APIConvertTarget = "openapi-3.1-json"
	APIConvertTargetOpenAPI31YAML APIConvertTarget = "openapi-3.1-yaml"
	APIConvertTargetOpenAPI30JSON APIConvertTarget = "openapi-3.0-json"
	APIConvertTargetOpenAPI30YAML APIConvertTarget = "openapi-3.0-yaml"
	APIConvertTargetSwagger20JSON APIConvertTarget = "swagger-2.0-json"
	APIConvertTargetSwagger20YAML APIConvertTarget = "swagger-2.0-yaml"
	APIConvertTargetPostman21     APIConvertTarget = "postman-2.1"
	APIConvertTargetCURL          APIConvertTarget = "curl"
)

// APIConvertOptions are the options of APIConvert. What api_convert writes.
type APIConvertOptions struct {
	// For the target postman-2.1: none writes no ids; stable derives UUIDs from
	// title, server, method and path, so that importing the collection again
	// updates it instead of duplicating it. Existing ids are kept. "" is
	// APIConvertIDsNone.
	IDs APIConvertIDs
	// For OpenAPI targets: templates turns identifiers in request paths into
	// parameters, so that /users/123 and /users/456 become /users/{userId};
	// literal keeps each path as it is in the source. "" is
	// APIConvertPathsTemplates.
	Paths APIConvertPaths
	// The format of the output. Choose openapi-3.1-yaml to read or edit,
	// openapi-3.0-json for older tools, swagger-2.0-json for gateways that accept
	// only Swagger 2.0 (such as Power Platform), postman-2.1 to import into
	// Postman, curl for POSIX shell commands. Required.
	Target APIConvertTarget
}

func (APIConvertOptions) tool() string { return "api_convert" }

func (o APIConvertOptions) given() map[string]any {
	given := map[string]any{}
	setText(given, "ids", o.IDs)
	setText(given, "paths", o.Paths)
	setText(given, "target", o.Target)
	return given
}

// APIConvert is the tool api_convert. Converts a Postman collection (v2.0,
// v2.1), an OpenAPI document (Swagger 2.0, OpenAPI 3.0, 3.1, 3.2; JSON or
// YAML), an HTTP archive (HAR) or a script with curl commands to the format
// that target names. Detects the kind of source from its content. Sends no
// requests, opens no files and follows no remote references. Reports what the
// target cannot express in warnings (lost.…, changed.…, added.…), with
// names and locations. Replaces recognized secrets with placeholders;
// detection is not complete, so review the output before sharing it. The
// input's media type is one of application/json, application/yaml, text/plain.
func APIConvert(ctx context.Context, input Artifact, options APIConvertOptions, settings ...Setting) (*Result, error) {
	return single(ctx, input, options, settings)
}

// JSONFormatOptions are the options of JSONFormat. How json_format formats its
// output.
type JSONFormatOptions struct {
	// Spaces per level; 0 writes one line. 0 to 8; nil is 2.
	Indent *int
}

func (JSONFormatOptions) tool() string { return "json_format" }

func (o JSONFormatOptions) given() map[string]any {
	given := map[string]any{}
	setInt(given, "indent", o.Indent)
	return given
}

// JSONFormat is the tool json_format. Formats one JSON value (RFC 8259) with
// indent spaces per level; 0 writes one line without spaces. Changes white
// space only: member order, digits and escapes are kept. Rejects duplicate
// names, numbers that not every parser keeps (integers beyond ±(2^53−1),
// others that an IEEE 754 double changes), lone surrogates, comments and more
// than 256 levels of nesting, and reports the line and column. Does not
// validate against a schema.
func JSONFormat(ctx context.Context, input string, options JSONFormatOptions, settings ...Setting) (*Result, error) {
	return single(ctx, Artifact{MediaType: "application/json", Value: input}, options, settings)
}

// JSONToYAMLOptions are the options of JSONToYAML. How json_to_yaml formats
// its output.
type JSONToYAMLOptions struct {
	// Spaces per level of mappings and of the sequences in them. A sequence
	// directly in a sequence is indented by 2. 1 to 8; nil is 2.
	Indent *int
}

func (JSONToYAMLOptions) tool() string { return "json_to_yaml" }

func (o JSONToYAMLOptions) given() map[string]any {
	given := map[string]any{}
	setInt(given, "indent", o.Indent)
	return given
}

// JSONToYAML is the tool json_to_yaml. Converts one JSON value to block-style
// YAML that YAML 1.1 and 1.2 parsers both read back as the same value. Writes
// multi-line strings as literal blocks where a block is exact. Keeps the order
// of names and the digits of numbers. Rejects what json_format rejects:
// duplicate names, unsafe numbers, lone surrogates, excessive depth. Does not
// read YAML.
func JSONToYAML(ctx context.Context, input string, options JSONToYAMLOptions, settings ...Setting) (*Result, error) {
	return single(ctx, Artifact{MediaType: "application/json", Value: input}, options, settings)
}

// JWTDecodeOptions are the options of JWTDecode. jwt_decode has no options.
type JWTDecodeOptions struct {
}

func (JWTDecodeOptions) tool() string { return "jwt_decode" }

func (o JWTDecodeOptions) given() map[string]any {
	given := map[string]any{}
	return given
}

// JWTDecode is the tool jwt_decode. Decodes a signed JWT (three parts, RFC
// 7515 and RFC 7519) and returns its header and payload as JSON. Keeps the
// order of names, the digits of numbers and the strings exactly as they are in
// the token. Verifies nothing (no signature, expiry or audience), warns about
// that, and accepts no keys. Rejects encrypted tokens, a Bearer prefix,
// padding and anything that is not base64url.
func JWTDecode(ctx context.Context, input string, options JWTDecodeOptions, settings ...Setting) (*Result, error) {
	return single(ctx, Artifact{MediaType: "application/jwt", Value: input}, options, settings)
}

// TimestampUnit is a value of TimestampToISOOptions.Unit. The unit of a number
// that counts from 1970-01-01T00:00:00Z. Current times have 10 digits in
// seconds, 13 in milliseconds, 16 in microseconds and 19 in nanoseconds. Leave
// it out if the input is a date and time.
type TimestampUnit string

// The values of TimestampUnit.
const (
	TimestampUnitSeconds      TimestampUnit = "seconds"
	TimestampUnitMilliseconds TimestampUnit = "milliseconds"
	TimestampUnitMicroseconds TimestampUnit = "microseconds"
	TimestampUnitNanoseconds  TimestampUnit = "nanoseconds"
)

// TimestampToISOOptions are the options of TimestampToISO. How
// timestamp_to_iso reads its input.
type TimestampToISOOptions struct {
	// The unit of a number that counts from 1970-01-01T00:00:00Z. Current times
	// have 10 digits in seconds, 13 in milliseconds, 16 in microseconds and 19 in
	// nanoseconds. Leave it out if the input is a date and time. "" is none.
	Unit TimestampUnit
}

func (TimestampToISOOptions) tool() string { return "timestamp_to_iso" }

func (o TimestampToISOOptions) given() map[string]any {
	given := map[string]any{}
	setText(given, "unit", o.Unit)
	return given
}

// TimestampToISO is the tool timestamp_to_iso. Converts one timestamp to
// YYYY-MM-DDTHH:MM:SS[.fraction]Z and keeps every fractional digit. With unit,
// the input is a decimal count of that unit since 1970-01-01T00:00:00Z.
// Without it, the input is a date and time with a time zone: an ISO 8601
// calendar, ordinal or week date, an HTTP date (RFC 9110) or a mail date (RFC
// 5322). Guesses nothing: a bare number needs a unit, a date and time needs a
// zone, and named zones are rejected. Supports years 0001 to 9999. Doesn't use
// the current time.
func TimestampToISO(ctx context.Context, input string, options TimestampToISOOptions, settings ...Setting) (*Result, error) {
	return single(ctx, Artifact{MediaType: "text/plain", Value: input}, options, settings)
}
