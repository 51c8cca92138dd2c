package curlcmd

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// data takes -d, --data-ascii, --data-binary, --data-raw, --data-urlencode
// and --json.
func (op *operation) data(u use) {
	part := DataPart{Option: u.name, Text: u.arg}
	switch {
	case u.name == "data-urlencode":
		part = op.urlencoded(u.name, u.arg)
	case u.name != "data-raw" && strings.HasPrefix(u.arg, "@"):
		document := op.stdin.document && op.stdin.text != ""
		part.Text, part.File = op.content(u.arg[1:])
		if document && part.File == "" {
			part.Document = part.Text
		}
		if part.File == "" && u.name != "data-binary" && u.name != "json" {
			part.Text = withoutLineEnds(part.Text)
		}
	}
	op.json = op.json || u.name == "json"
	op.parts = append(op.parts, part)
}

// content returns the text that @name reads when it is standard input and known,
// else the name of the file.
func (op *operation) content(name string) (text, file string) {
	switch name {
	case "-", "/dev/stdin", "/dev/fd/0":
		if op.stdin.known {
			text, op.stdin.text = op.stdin.text, ""
			return text, ""
		}
		if op.stdin.file == "-" {
			op.lost("standard_input", "")
		}
		return "", op.stdin.file
	}
	return "", name
}

var lineEnds = strings.NewReplacer("\r", "", "\n", "", "\x00", "")

// withoutLineEnds is what -d makes of what it reads.
func withoutLineEnds(text string) string {
	return lineEnds.Replace(text)
}

// urlencoded works out the five forms of --data-urlencode: content, =content,
// name=content, @file, name@file. The first = decides, and only without one
// the first @.
func (op *operation) urlencoded(option, arg string) DataPart {
	part := DataPart{Option: option}
	if i := strings.IndexByte(arg, '='); i >= 0 {
		part.Name, part.Text = arg[:i], percentEncoded(arg[i+1:])
	} else if i := strings.IndexByte(arg, '@'); i >= 0 {
		part.Name = arg[:i]
		part.Text, part.File = op.content(arg[i+1:])
		part.Text = percentEncoded(part.Text)
	} else {
		part.Text = percentEncoded(arg)
	}
	if part.Name != "" {
		part.Text = part.Name + "=" + part.Text
	}
	return part
}

// urlQuery takes --url-query: as --data-urlencode, and +content as it is.
func (op *operation) urlQuery(u use) {
	if raw, ok := strings.CutPrefix(u.arg, "+"); ok {
		op.queries = append(op.queries, raw)
		return
	}
	op.queries = append(op.queries, op.standIn(op.urlencoded(u.name, u.arg)))
}

// standIn is a part's text, with a {{file_1}} for what a file holds.
func (op *operation) standIn(part DataPart) string {
	if part.File == "" {
		return part.Text
	}
	op.lost("file_content", part.Option)
	return part.Text + op.fileName()
}

// joined is all data as it is sent: parted by &, but for what --json adds.
func (op *operation) joined() string {
	if len(op.parts) == 1 {
		return op.standIn(op.parts[0])
	}
	var text strings.Builder
	for _, part := range op.parts {
		if text.Len() > 0 && part.Option != "json" {
			text.WriteByte('&')
		}
		text.WriteString(op.standIn(part))
	}
	return text.String()
}

// body works out what the requests of the operation carry, but for -T.
func (op *operation) body(headers []Header) Body {
	var b Body
	switch {
	case len(op.fields) > 0:
		b = Body{Kind: Form, Fields: op.fields, ContentType: "multipart/form-data", Implied: true}
		if len(op.parts) > 0 {
			op.changed("method_conflict", "data")
		}
	case len(op.parts) == 0 || op.flags["get"]:
		return b
	case len(op.parts) == 1 && op.parts[0].File != "" && op.parts[0].Option != "data-urlencode":
		b = Body{Kind: File, Path: op.parts[0].File, Parts: op.parts, ContentType: urlencodedType, Implied: true}
	default:
		text := op.joined()
		b = Body{
			Kind: Data, Text: text, Parts: op.parts, JSON: request.LooksLikeJSON(text), ContentType: urlencodedType, Implied: true,
		}
		if len(op.parts) == 1 {
			b.Document = op.parts[0].Document
		}
	}
	return b.withType(headers)
}

const urlencodedType = request.FormType

// withType puts in the content type that the headers say, if they say one.
func (b Body) withType(headers []Header) Body {
	for _, h := range headers {
		if strings.EqualFold(h.Name, "Content-Type") {
			b.ContentType, b.Implied = h.Value, false
			break
		}
	}
	return b
}
