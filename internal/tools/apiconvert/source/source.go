package source

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/extract"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Format is a format of the input or the output.
type Format uint8

// The formats.
const (
	Postman Format = iota // Postman collection v2.0 or v2.1
	OpenAPI               // Swagger 2.0, OpenAPI 3.0 to 3.2
	Shell                 // shell script with curl commands
	HAR                   // HTTP archive 1.2
)

// Source is an input with a known format.
type Source struct {
	Format  Format
	Version versions.Version // of OpenAPI
	// Doc is the Postman collection, OpenAPI document or HTTP archive. The root of a collection is the collection itself, even if
	// Postman's API wrapped it.
	Doc    *tree.Document
	Script *extract.Script // for Shell
}

// Detect detects the format of text by one of the tool's media types: application/json for a collection, OpenAPI
// document or HTTP archive in JSON, application/yaml for any of them in YAML or JSON, and text/plain for a shell script. It fails
// with invalid_source and the position if text is malformed, with unsupported_version if the version is not supported,
// with unrecognized_source for any other format, and with too_complex if text is nested or repeated too much. Parsing
// is charged to b.
func Detect(mediaType, text string, b *budget.Budget) (*Source, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if mediaType == "text/plain" {
		script, err := scriptIn(text, true, b)
		if err == nil && !shell.Mentions(text) {
			err = convert.Reject(convert.UnrecognizedSource,
				"The script has no curl command.",
				"Send a script with at least one curl command.")
		}
		if err != nil {
			return nil, err
		}
		return &Source{Format: Shell, Script: script}, nil
	}
	if strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "<") {
		return nil, html
	}
	if recording().MatchString(text) {
		if doc, err := tree.ReadRecords(text, b); err == nil {
			if src, _ := recognise(doc); src != nil && src.Format == HAR {
				return src, nil
			}
		}
	}
	read := readJSON
	if mediaType == "application/yaml" {
		read = readYAML
	}
	doc, err := read(text, b)
	if err == nil {
		if src, err := recognise(doc); src != nil || err != nil {
			return src, err
		}
	}
	script, named := scriptIn(text, false, b)
	switch {
	case named != nil && MediaType(text) != "application/json":
		return nil, named
	case named == nil && script.Found:
		return nil, convert.Reject(convert.UnrecognizedSource,
			"The source is a file with shell commands, not an OpenAPI document.",
			"Set input.mediaType to text/plain to convert its curl commands.")
	case MediaType(text) == "text/plain":
		return nil, convert.Reject(convert.UnrecognizedSource,
			"The source is a shell script, not a document in JSON or YAML.",
			"Set input.mediaType to text/plain.")
	case err == nil:
		return nil, unrecognised(doc.Root)
	case isMarkdown(text):
		return nil, convert.Reject(convert.UnrecognizedSource,
			"The source is a Markdown document without a curl command in a code block.",
			"Send the OpenAPI document or the Postman collection in it by itself, or write its requests as curl commands.")
	}
	return nil, err
}

// scriptIn returns the script in text, which may have been sent as plain text, or a failure that names its format.
func scriptIn(text string, plain bool, b *budget.Budget) (*extract.Script, error) {
	script := extract.Find(text, b)
	if script.Found {
		return script, nil
	}
	if err := foreign(text, plain, len(script.Unread) > 0); err != nil {
		return script, err
	}
	return script, script.Malformed
}

// readJSON reads JSON. It reports YAML that was sent as JSON.
func readJSON(text string, b *budget.Budget) (*tree.Document, error) {
	doc, err := tree.ReadJSON(text, b)
	if err != nil && MediaType(text) == "application/yaml" && marks().MatchString(text) {
		return nil, convert.Reject(convert.InvalidSource,
			"The source is not JSON; it looks like YAML.",
			"Send YAML with the media type application/yaml.").At(text, 0)
	}
	return doc, err
}

// recording matches the beginning of an HTTP archive.
var recording = expression.Lazy(`^\s*\{\s*"log"\s*:`)

// marks matches a top-level key that identifies a YAML document.
var marks = expression.Lazy(`(?m)^["']?(openapi|swagger|info|item|paths)["']?[ \t]*:`)

// markdown matches what begins a line of Markdown, and never one of YAML: a code block, or bold text.
var markdown = expression.Lazy("(?m)^(?:```|~~~|\\*\\*\\w)")

// isMarkdown reports whether text is Markdown. It may contain a YAML document, but not begin with one.
func isMarkdown(text string) bool {
	at, mark := markdown().FindStringIndex(text), marks().FindStringIndex(text)
	return at != nil && (mark == nil || at[0] < mark[0])
}

// MediaType guesses the media type of text for Detect. It looks only at marks, so that errors in malformed input refer
// to the intended format: JSON begins with a bracket and a valid token after it, YAML has a top-level key of a source,
// and text that mentions a command is a shell script.
func MediaType(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	start := strings.TrimLeft(text, " \t\r\n")
	switch {
	case start != "" && (start[0] == '{' || start[0] == '['):
		inside := strings.TrimLeft(start[1:], " \t\r\n")
		if inside == "" || strings.IndexByte(`"{}[]`, inside[0]) >= 0 && start[:2] != "{{" {
			return "application/json"
		}
		return "application/yaml"
	case (!marks().MatchString(text) || isMarkdown(text)) && shell.Mentions(text):
		return "text/plain"
	}
	return "application/yaml"
}

// readYAML reads YAML, and JSON with the JSON parser: the YAML parser doesn't support surrogate pairs. If the input is
// neither but begins like JSON, the error is that of the JSON parser.
func readYAML(text string, b *budget.Budget) (*tree.Document, error) {
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") {
		return tree.ReadYAML(text, b)
	}
	doc, broken := tree.ReadJSON(text, b)
	if broken == nil {
		return doc, nil
	}
	doc, err := tree.ReadYAML(text, b)
	if err != nil && MediaType(text) == "application/json" {
		err = broken
	}
	return doc, err
}

// recognise returns a document in a supported format, or nil.
func recognise(doc *tree.Document) (*Source, error) {
	root := doc.Root
	if version, ok := versions.Of(root); ok {
		if version == versions.Unknown {
			return nil, doc.Reject(convert.Reject(convert.UnsupportedVersion,
				"The version of the OpenAPI document is not supported.",
				"Send Swagger 2.0 or OpenAPI 3.0, 3.1 or 3.2, with the version in the property swagger or openapi."),
				cmp.Or(root.Get("openapi"), root.Get("swagger"), root.Get("swaggerVersion")))
		}
		return &Source{Format: OpenAPI, Version: version, Doc: doc}, nil
	}
	if root.Get("log").Get("entries").Kind() == tree.Array {
		return &Source{Format: HAR, Doc: doc}, nil
	}
	// Postman's API returns a collection wrapped in one member.
	if inner := root.Get("collection"); inner.Kind() == tree.Object && !root.Has("info") && !root.Has("item") {
		root = inner
	}
	found, supported := collection(root)
	switch {
	case supported:
		doc.Root, doc.Comments.Count = root, 0 // comments aren't reported
		return &Source{Format: Postman, Doc: doc}, nil
	case found:
		return nil, doc.Reject(convert.Reject(convert.UnsupportedVersion,
			"The version of the Postman collection is not supported.",
			"Export it from Postman as Collection v2.1."), root)
	}
	return nil, nil
}

// collection detects a collection by info.schema or, without a schema, by properties that only one version has: version 1
// lists all requests in requests and their ids in order. supported reports that the version is 2.0 or 2.1.
func collection(root *tree.Value) (found, supported bool) {
	if schema, ok := root.Get("info").Get("schema").Scalar(); ok && strings.Contains(schema, "/collection/v") {
		return true, strings.Contains(schema, "/collection/v2.0") || strings.Contains(schema, "/collection/v2.1")
	}
	supported = root.Get("item").Kind() == tree.Array && root.Get("info").Kind() == tree.Object
	return supported || root.Get("requests").Kind() == tree.Array && root.Has("order"), supported
}
