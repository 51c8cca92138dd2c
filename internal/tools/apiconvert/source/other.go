package source

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Failures that both JSON and text have.
var (
	html = convert.Reject(convert.UnrecognizedSource,
		"The source is HTML or XML.",
		"Send the Postman collection, the OpenAPI document or the curl commands themselves, not a web page that shows them or asks you to sign in. For a file in a repository, send the raw file.")
	packageJSON = convert.Reject(convert.UnrecognizedSource,
		"This looks like a package.json, which is not supported.",
		"Paste the command of the script without the quotes and escapes of JSON and send it as text/plain.")
)

// unrecognised returns a failure for a document in an unsupported format. For formats that are often mistaken for
// supported ones, the failure names the format and says what to send instead.
func unrecognised(root *tree.Value) *convert.Failure {
	has := func(name string, k tree.Kind) bool { return root.Get(name).Kind() == k }
	switch {
	case has("values", tree.Array) && (root.Has("_postman_variable_scope") || root.Has("_postman_exported_at")):
		return convert.Reject(convert.UnrecognizedSource,
			"The source is a Postman environment, which has variables but no requests.",
			"Export the collection from Postman as Collection v2.1 and send that.")
	case has("collections", tree.Array) && root.Has("environments"):
		return convert.Reject(convert.UnrecognizedSource,
			"The source is an export of all Postman data.",
			"Export one collection from Postman as Collection v2.1 and send that.")
	case has("log", tree.Object):
		return convert.Reject(convert.UnrecognizedSource,
			"The source looks like an HTTP archive (HAR), but log.entries, the list of its requests, is missing.",
			"Record the traffic again, for example in the browser's developer tools, and save it as HAR with content.")
	case root.Has("__export_format"), strings.Contains(root.Get("type").Text(), "insomnia.rest/"): // up to version 4, and version 5
		return convert.Reject(convert.UnrecognizedSource,
			"The source is an Insomnia export, which is not supported.",
			"Copy the requests as cURL in Insomnia and send that as text/plain, or send the design document alone.")
	case has("scripts", tree.Object):
		return packageJSON
	case root.Has("asyncapi"):
		return convert.Reject(convert.UnrecognizedSource,
			"The source is an AsyncAPI document, which describes messages instead of HTTP requests.",
			"Send an OpenAPI document, with a property openapi or swagger.")
	case root.Has("overlay"):
		return convert.Reject(convert.UnrecognizedSource,
			"The source is an OpenAPI Overlay, which changes another document.",
			"Apply it to its OpenAPI document, for example with the redocly or speakeasy command, and send the result.")
	case root.Has("arazzo"):
		return convert.Reject(convert.UnrecognizedSource,
			"The source is an Arazzo document, which describes workflows over other documents.",
			"Send the OpenAPI document that it refers to.")
	case has("paths", tree.Object), has("components", tree.Object):
		return convert.Reject(convert.UnrecognizedSource,
			"The source looks like an OpenAPI document but has no version.",
			"Add the property openapi (3.0.3, 3.1.0) or swagger (2.0) at the top level.")
	}
	return convert.Reject(convert.UnrecognizedSource,
		"The source is not a Postman collection, an OpenAPI document or an HTTP archive.",
		"Send a Postman collection (v2.0, v2.1), an OpenAPI document (with a property openapi or swagger), an HTTP archive (HAR) or, as text/plain, curl commands.")
}
