package source

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// unrecognised returns a failure for a document in an unsupported format. For formats that are often mistaken for
// supported ones, the failure names the format and says what to send instead.
func unrecognised(root *tree.Value) *convert.Failure {
	has := func(name string, k tree.Kind) bool { return root.Get(name).Kind() == k }
	switch {
	case has("values", tree.Array) && (root.Has("_postman_variable_scope") || root.Has("_postman_exported_at")):
		return convert.Refuse(convert.UnrecognizedSource,
			"The text is a Postman environment, which holds variables and no requests.",
			"Export the collection from Postman as Collection v2.1 and send that.")
	case has("collections", tree.Array) && root.Has("environments"):
		return convert.Refuse(convert.UnrecognizedSource,
			"The text is all of Postman's data.",
			"Export one collection from Postman as Collection v2.1 and send that.")
	case root.Get("log").Get("entries").Kind() == tree.Array: // HTTP Archive 1.2
		return convert.Refuse(convert.UnrecognizedSource,
			"The text is an HTTP archive (HAR) of what was sent and received.",
			"Copy the requests as cURL in the browser's developer tools and send that as text/plain.")
	case root.Has("__export_format"), strings.Contains(root.Get("type").Text(), "insomnia.rest/"): // up to version 4, and version 5
		return convert.Refuse(convert.UnrecognizedSource,
			"The text is an export of Insomnia.",
			"Copy the requests as cURL in Insomnia and send that as text/plain, or send the design document alone.")
	case root.Has("asyncapi"):
		return convert.Refuse(convert.UnrecognizedSource,
			"The text is an AsyncAPI description, of messages and not of HTTP requests.",
			"Send an API description with a member openapi or swagger.")
	case has("paths", tree.Object), has("components", tree.Object):
		return convert.Refuse(convert.UnrecognizedSource,
			"The text looks like an API description but does not say its version.",
			"Add the member openapi (3.0.3, 3.1.0) or swagger (2.0) to its top level.")
	}
	return convert.Refuse(convert.UnrecognizedSource,
		"The text is neither a Postman collection nor an API description.",
		"Send a Postman collection (v2.0, v2.1) or an API description (with a member openapi or swagger); send shell text as text/plain.")
}
