package warning

// Feature is one thing that can be lost or changed: a stable code, which
// clients match on and which begins with "lost.", "changed." (also: moved) or
// "added." (made up), and a sentence that says what happened to the thing, not
// how to mend it. All features stand in this package: here those of any target,
// in a file each those of a format. The document lists the same codes with the
// same sentences (x-warnings).
type Feature struct {
	code     string
	sentence string
}

// Code is the stable code, without the colon behind it.
func (f Feature) Code() string { return f.code }

// Of the list itself.
var (
	secretsReplaced = Feature{"secrets_replaced", "What was recognised as a secret is not in the output; recognising is incomplete, so review the output before sharing it."}
	moreWarnings    = Feature{"more_warnings", "There are more than 100 warnings; this one counts the rest."}
	PlaceholderKept = Feature{"placeholder_kept", "A credential looks like a placeholder and is kept; replace it before use, and remove it before sharing the output if it is real."}
	unknownOption   = Feature{"unknown_option", "The option is not known and was left out."}
)

// Towards any target.
var (
	Authentication    = Feature{"lost.authentication", "A kind of authentication cannot be expressed in the target."}
	AuthDetails       = Feature{"lost.auth_details", "Details of an authentication cannot be expressed in the target."}
	Method            = Feature{"lost.method", "The request's method cannot be expressed in the target; the request was left out."}
	MergedRequests    = Feature{"changed.merged_requests", "Requests with the same method and path were merged into one operation."}
	Fragment          = Feature{"lost.fragment", "The fragment of an address is never sent and was left out."}
	Duplicates        = Feature{"changed.duplicates", "Parameters of the same name were merged into one."}
	RestrictedHeader  = Feature{"changed.header", "A header that the target describes elsewhere was moved there; a Content-Type without a body was left out."}
	BodyOfGet         = Feature{"lost.body", "The body of a request whose method has none in the target was left out."}
	UndefinedBody     = Feature{"changed.undefined_body", "The body of a GET, HEAD or DELETE request is kept; HTTP gives it no meaning, and tools for OpenAPI may ignore it."}
	UnquotedVariables = Feature{"changed.unquoted_variables", "A variable without quotes in a JSON body is a string in the example; the schema leaves its type open."}
	Comments          = Feature{"lost.comments", "Comments of a YAML text are not part of what it describes and were left out."}
	PathTemplate      = Feature{"changed.path_template", "Identifiers in a path became parameters of a template."}
	PathNames         = Feature{"changed.path_names", "Path parameters were renamed so that paths stay different."}
	GraphQL           = Feature{"changed.graphql", "A GraphQL body is written as the JSON it is sent as."}
	InferredSchemas   = Feature{"changed.schema_conflict", "Examples disagree; the schema allows each of their types."}
	BrowserLeftOut    = Feature{"lost.browser_headers", "Headers that only browsers or connections set, and cookies that only measure visits, were left out."}
	BrowserDisabled   = Feature{"changed.browser_headers", "Headers that only browsers or connections set were disabled."}
	BrokenMultipart   = Feature{"lost.form_fields", "A multipart body is cut off or broken; it stays as text."}
	FileContents      = Feature{"lost.file_contents", "The content of a file in a multipart body was left out; its field names the file."}
	EscapedJSON       = Feature{"changed.escaped_json", "A JSON body with its quotes escaped is written as the JSON it means."}
	JSONComments      = Feature{"changed.json_comments", "Comments and trailing commas in a JSON body are no part of the JSON and were left out."}
	Names             = Feature{"changed.names", "A name that the target does not allow, or that stood twice, was changed."}
)
