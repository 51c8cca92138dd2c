package warning

// Feature is something that can be lost or changed. Clients match on its code, which is stable and begins with
// "lost.", "changed." (also for what was moved) or "added." (for generated defaults). Its sentence says what
// happened, not how to fix it. This package holds all features: those of any target in this file, those of each
// format in its own file. The OpenAPI document lists the same codes and sentences (x-warnings).
type Feature struct {
	code     string
	sentence string
}

// Code returns the stable code, without the colon that follows it in a warning.
func (f Feature) Code() string { return f.code }

// Warnings that don't depend on the target.
var (
	secretsReplaced = Feature{"secrets_replaced", "Values recognized as secrets were replaced or dropped. Detection is not complete: review the output before sharing it."}
	moreWarnings    = Feature{"more_warnings", "There are more than 100 warnings; the others are counted here."}
	PlaceholderKept = Feature{"placeholder_kept", "A credential looks like a placeholder and is kept; replace it before use, and remove it before sharing the output if it is real."}
	unknownOption   = Feature{"unknown_option", "Unknown options were ignored."}
)

// Warnings for any target.
var (
	Authentication    = Feature{"lost.authentication", "The target cannot express this kind of authentication."}
	AuthDetails       = Feature{"lost.auth_details", "The target cannot express some details of the authentication."}
	Method            = Feature{"lost.method", "The target cannot express the request's method; the request was dropped."}
	MergedRequests    = Feature{"changed.merged_requests", "Requests with the same method and path were merged into one operation."}
	NoOperations      = Feature{"lost.operations", "The output has no requests: the source has none, or none that the target supports."}
	Fragment          = Feature{"lost.fragment", "URL fragments are never sent and were dropped."}
	Duplicates        = Feature{"changed.duplicates", "Parameters with the same name were merged into one."}
	RestrictedHeader  = Feature{"changed.header", "Headers that the target describes elsewhere were moved there; a Content-Type without a body was dropped."}
	BodyOfGet         = Feature{"lost.body", "The target allows no body for the request's method; the body was dropped."}
	UndefinedBody     = Feature{"changed.undefined_body", "The body of a GET, HEAD or DELETE request was kept. HTTP defines no meaning for it, and OpenAPI tools may ignore it."}
	UnquotedVariables = Feature{"changed.unquoted_variables", "Unquoted variables in a JSON body have no type in the schema."}
	Comments          = Feature{"lost.comments", "YAML comments were dropped."}
	PathTemplate      = Feature{"changed.path_template", "Identifiers in paths became path parameters."}
	HostPlaceholder   = Feature{"changed.host_placeholder", "Placeholders in hosts became variables."}
	PathNames         = Feature{"changed.path_names", "Path parameters were renamed so that paths stay distinct."}
	GraphQL           = Feature{"changed.graphql", "GraphQL bodies are written as the JSON that is sent."}
	InferredSchemas   = Feature{"changed.schema_conflict", "Samples have different types; the schema allows each of them."}
	Rejected          = Feature{"lost.rejected_requests", "Bodies and parameters of rejected requests (4xx) were dropped where other requests show what the API accepts."}
	Required          = Feature{"changed.required", "Properties and parameters that all samples have are written as required."}
	ServerHeaders     = Feature{"lost.server_headers", "Response headers that servers and proxies set for every response were dropped."}
	BrowserLeftOut    = Feature{"lost.browser_headers", "Headers that browsers set themselves, and tracking cookies, were dropped."}
	BrowserDisabled   = Feature{"changed.browser_headers", "Headers that browsers set themselves were disabled."}
	BrokenMultipart   = Feature{"lost.form_fields", "A multipart body is truncated or malformed and was kept as text."}
	FileContents      = Feature{"lost.file_contents", "The content of files in a multipart body was dropped; the fields name the files."}
	EscapedJSON       = Feature{"changed.escaped_json", "JSON bodies with escaped quotes were unescaped."}
	InvalidJSON       = Feature{"changed.invalid_json", "Bodies that are not JSON although their media type says so are left out of the schema."}
	JSONComments      = Feature{"changed.json_comments", "Comments and trailing commas in JSON bodies were dropped."}
	Names             = Feature{"changed.names", "Names that the target does not allow, and duplicates, were changed."}
)
