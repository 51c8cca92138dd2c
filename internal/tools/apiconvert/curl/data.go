package curl

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// dataPart is what one option adds to the data.
type dataPart struct {
	option string // its long name
	// text is as sent: encoded, without the line ends that -d removes from what
	// it reads.
	text string
	// document is the text of a here-document that was read, as it stands there.
	document string
	// file is the name of a file that is read, "-" for a standard input that is
	// not known.
	file string
}

// input is what @- reads: a text, or a file by name ("-" when it is not
// known).
type input struct {
	text     string
	file     string
	known    bool // it is the text; what is read once is gone
	document bool // the text stands in a here-document
}

// data takes -d, --data-ascii, --data-binary, --data-raw, --data-urlencode
// and --json.
func (op *operation) data(u use) {
	part := dataPart{option: u.Name, text: u.arg}
	switch {
	case u.Name == "data-urlencode":
		part = op.urlencoded(u.Name, u.arg)
	case u.Name != "data-raw" && strings.HasPrefix(u.arg, "@"):
		document := op.stdin.document && op.stdin.text != ""
		part.text, part.file = op.content(u.arg[1:])
		if document && part.file == "" {
			part.document = part.text
		}
		if part.file == "" && u.Name != "data-binary" && u.Name != "json" {
			part.text = withoutLineEnds.Replace(part.text)
		}
	}
	op.parts = append(op.parts, part)
}

// withoutLineEnds is what -d makes of what it reads.
var withoutLineEnds = strings.NewReplacer("\r", "", "\n", "", "\x00", "")

// content returns the text that @name reads when it is standard input and known,
// else the name of the file.
func (op *operation) content(name string) (text, file string) {
	switch {
	case !isStdin(name):
		return "", name
	case op.stdin.known:
		text, op.stdin.text = op.stdin.text, ""
		return text, ""
	case op.stdin.file == "-":
		op.note(warning.StandardInput, "")
	}
	return "", op.stdin.file
}

func isStdin(name string) bool { return name == "-" || name == "/dev/stdin" || name == "/dev/fd/0" }

// urlencoded works out the five forms of --data-urlencode: content, =content,
// name=content, @file, name@file. The first = decides, and only without one
// the first @.
func (op *operation) urlencoded(option, arg string) dataPart {
	part := dataPart{option: option}
	name, text, cut := strings.Cut(arg, "=")
	if !cut {
		if name, text, cut = strings.Cut(arg, "@"); cut {
			text, part.file = op.content(text)
		} else {
			name, text = "", arg
		}
	}
	if part.text = percentEncoded(text); name != "" {
		part.text = name + "=" + part.text
	}
	return part
}

// standIn is a part's text, with a {{file_1}} for what a file holds.
func (op *operation) standIn(part dataPart) string {
	if part.file == "" {
		return part.text
	}
	if part.file != "-" { // else it was reported already
		op.note(warning.LocalFiles, part.file)
	}
	return part.text + op.fileName()
}

// joined is all data as it is sent: parted by &, but for what --json adds.
func (op *operation) joined() string {
	if len(op.parts) == 1 {
		return op.standIn(op.parts[0])
	}
	var text strings.Builder
	for _, part := range op.parts {
		if text.Len() > 0 && part.option != "json" {
			text.WriteByte('&')
		}
		text.WriteString(op.standIn(part))
	}
	return text.String()
}

// body is what the requests of the operation carry, but for -T; nil for nothing.
func (op *operation) body(headers []field) *request.Body {
	mediaType, typed := contentType(headers)
	switch {
	case len(op.fields) > 0 || op.multipart:
		if len(op.parts) > 0 {
			op.note(warning.Conflict, "--data")
		}
		if !typed {
			mediaType = request.MultipartType
		}
		return &request.Body{Kind: request.Multipart, MediaType: mediaType, Fields: op.fields}
	case len(op.parts) == 0 || op.flags["get"]:
		return nil
	}
	if !typed {
		mediaType = request.FormType
	}
	first := op.parts[0]
	if len(op.parts) == 1 && first.file != "" && first.option != "data-urlencode" {
		b := op.file(first, mediaType)
		b.TypeGuessed = !typed && strings.HasSuffix(strings.ToLower(first.file), ".json")
		return b
	}
	text := op.joined()
	b := rawBody(text, mediaType, typed)
	if len(op.parts) == 1 && op.whole && b.Kind == request.Raw && first.document != "" {
		b.Text, b.Document = first.document, op.reads(first)
	}
	return b
}

// contentType is the content type that the headers say, if they say one.
func contentType(headers []field) (mediaType string, typed bool) {
	i := slices.IndexFunc(headers, func(h field) bool { return strings.EqualFold(h.name, "Content-Type") })
	if i < 0 {
		return "", false
	}
	return headers[i].value, true
}

// file is a body that is a file's content.
func (op *operation) file(part dataPart, mediaType string) *request.Body {
	return &request.Body{Kind: request.File, Path: part.file, MediaType: mediaType, Document: op.reads(part)}
}

// reads is the option that reads a body from a file or here-document, for shell
// text again: --data takes the line ends away, the others leave all as it is.
func (op *operation) reads(part dataPart) string {
	switch {
	case !op.whole:
		return ""
	case part.option == "data" || part.option == "data-ascii":
		return "data"
	case part.option == syntax.UploadFile:
		return syntax.UploadFile
	}
	return "data-binary"
}

// rawBody is a body that the command holds itself. curl says that all data is a
// form where no header says what it is; of JSON that is noted, for Portable to
// call it JSON.
func rawBody(text, mediaType string, typed bool) *request.Body {
	b := &request.Body{Kind: request.Raw, MediaType: mediaType, Text: text}
	switch {
	case request.BaseType(mediaType) != request.FormType:
	case request.LooksLikeJSON(text):
		b.TypeGuessed = !typed
	case !typed && isNoForm(text):
	default:
		if fields := request.ParseForm(text); fields != nil {
			return &request.Body{Kind: request.URLEncoded, MediaType: mediaType, Fields: fields}
		}
	}
	return b
}

// isNoForm reports whether the first name of a text, up to its =, has what only
// an encoded name can have, so that the text is something else: a statement, a
// line of measurements (cpu,host=a value=1). Encoded again, it would be lost.
func isNoForm(text string) bool {
	name, _, _ := strings.Cut(text, "=")
	return strings.ContainsAny(name, " ,\t\"") && request.VariableLength(name) == 0
}

// uploaded is the body of -T.
func (op *operation) uploaded(name string, headers []field) *request.Body {
	if name == "." {
		name = "-"
	}
	mediaType, _ := contentType(headers)
	text, file := op.content(name)
	if file != "" {
		return op.file(dataPart{option: syntax.UploadFile, file: file}, mediaType)
	}
	return rawBody(text, mediaType, true)
}

// clone is a body that another request can have.
func clone(b *request.Body) *request.Body {
	if b == nil {
		return nil
	}
	another := *b
	another.Fields = nil
	for _, f := range b.Fields {
		g := *f
		g.Files = slices.Clone(f.Files)
		another.Fields = append(another.Fields, &g)
	}
	return &another
}
