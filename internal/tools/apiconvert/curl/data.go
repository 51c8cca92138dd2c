package curl

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// dataPart is what one option contributes to the data.
type dataPart struct {
	option string // its long name
	text   string // the data as sent: encoded, without the line ends that -d removes from its input
	file   string // the name of the file that is read
}

// input is what @- reads: a string, which can be read only once, or a file by name.
type input struct {
	text    string
	file    string
	unknown bool
	from    string // the command whose output the unknown input is, if it has a plain name …
	json    bool   // … and whether it prints JSON
}

// data handles -d, --data-ascii, --data-binary, --data-raw, --data-urlencode and --json.
func (op *operation) data(a syntax.Argument) {
	part := dataPart{option: a.Name, text: a.Value}
	switch {
	case a.Name == "data-urlencode":
		part = op.urlencoded(a.Name, a.Value)
	case a.Name != "data-raw" && strings.HasPrefix(a.Value, "@"):
		part.text, part.file = op.dataFrom(a.Value[1:])
		if part.file == "" && a.Name != "data-binary" && a.Name != "json" {
			part.text = withoutLineEnds.Replace(part.text)
		}
	}
	op.parts = append(op.parts, part)
}

// withoutLineEnds removes what -d removes from its input.
var withoutLineEnds = strings.NewReplacer("\r", "", "\n", "", "\x00", "")

// dataFrom is like content, except that it also returns the content of a file that the script writes.
func (op *operation) dataFrom(name string) (text, file string) {
	if cmd := op.written[strings.TrimPrefix(name, "./")]; cmd != nil && !op.toShell && op.inserted < maxInserted {
		text = op.textOf(cmd.Stdin.Word)
		op.takes(cmd)
		op.inserted += len(text)
		op.budget.Bytes(len(text))
		return text, ""
	}
	return op.content(name)
}

// maxInserted limits the bytes that the files of a script insert into its commands. Beyond it, the file is named.
const maxInserted = 4 << 20

// content returns what @name reads if it is standard input, {{body_1}} if that is unknown, or else the name of the file.
func (op *operation) content(name string) (text, file string) {
	switch {
	case !isStdin(name):
		return "", name
	case op.stdin.unknown:
		op.note(warning.LostStandardInput, op.stdin.from)
		op.bodies++
		text = op.variable("body_"+strconv.Itoa(op.bodies), "")
		if op.stdin.json {
			put(&op.json, text, true)
		}
		return text, ""
	}
	text, op.stdin.text = op.stdin.text, ""
	return text, op.stdin.file
}

func isStdin(name string) bool { return name == "-" || name == "/dev/stdin" || name == "/dev/fd/0" }

// urlencoded evaluates the five forms of --data-urlencode: content, =content, name=content, @file, name@file. The first
// = separates the name; without one, the first @ does.
func (op *operation) urlencoded(option, arg string) dataPart {
	part := dataPart{option: option}
	name, text, cut := strings.Cut(arg, "=")
	if !cut {
		if name, text, cut = strings.Cut(arg, "@"); cut {
			text, part.file = op.dataFrom(text)
		} else {
			name, text = "", arg
		}
	}
	if part.text = percentEncoded(text); name != "" {
		part.text = name + "=" + part.text
	}
	return part
}

// withFile returns the text of a part, with {{file_1}} for the content of a file.
func (op *operation) withFile(part dataPart) string {
	if part.file == "" {
		return part.text
	}
	op.note(warning.LostLocalFiles, part.file)
	return part.text + op.fileName()
}

// joined returns all data as sent: joined with &, except that --json data is appended directly.
func (op *operation) joined() string {
	var text strings.Builder
	for _, part := range op.parts {
		if text.Len() > 0 && part.option != "json" {
			text.WriteByte('&')
		}
		text.WriteString(op.withFile(part))
	}
	return text.String()
}

// body returns the body of the operation's requests, except for -T, or nil if there isn't one.
func (op *operation) body(headers []field) *request.Body {
	mediaType, typed := contentType(headers)
	switch {
	case len(op.fields) > 0 || op.multipart:
		if len(op.parts) > 0 {
			op.note(warning.ChangedOptions, "--data")
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
	return op.rawBody(op.joined(), mediaType, typed)
}

// contentType returns the Content-Type header, if there is one.
func contentType(headers []field) (mediaType string, typed bool) {
	i := slices.IndexFunc(headers, func(h field) bool { return strings.EqualFold(h.name, "Content-Type") })
	if i < 0 {
		return "", false
	}
	return headers[i].value, true
}

// file returns a body that is the content of a file.
func (op *operation) file(part dataPart, mediaType string) *request.Body {
	return &request.Body{Kind: request.File, Path: part.file, MediaType: mediaType, ReadBy: op.reads(part)}
}

// reads returns the option that reads a body from a file, for a script as the target: --data removes line ends, the
// others change nothing.
func (op *operation) reads(part dataPart) string {
	switch {
	case !op.toShell:
		return ""
	case part.option == "data" || part.option == "data-ascii":
		return "data"
	case part.option == syntax.UploadFile:
		return syntax.UploadFile
	}
	return "data-binary"
}

// rawBody returns a body whose content is in the command. Without a Content-Type header, curl declares all data to be a
// form. For JSON, TypeGuessed records this, so that Portable can declare it as JSON.
func (r *reader) rawBody(text, mediaType string, typed bool) *request.Body {
	b := &request.Body{Kind: request.Raw, MediaType: mediaType, Text: text}
	switch {
	case request.BaseType(mediaType) != request.FormType:
	case r.json[text] || request.LooksLikeJSON(text):
		b.TypeGuessed = !typed
	case !typed && isNoForm(text):
	default:
		if fields := request.ParseForm(text); fields != nil {
			return &request.Body{Kind: request.URLEncoded, MediaType: mediaType, Fields: fields}
		}
	}
	return b
}

// isNoForm reports whether the first name in text, up to its =, contains characters that a form would encode. Then text
// is something else, such as a statement or a line of measurements (cpu,host=a value=1), which encoding would corrupt.
func isNoForm(text string) bool {
	name, _, _ := strings.Cut(text, "=")
	return strings.ContainsAny(name, " ,\t\"") && request.VariableLength(name) == 0
}

// uploaded returns the body of -T.
func (op *operation) uploaded(name string, headers []field) *request.Body {
	mediaType, _ := contentType(headers)
	if isStdin(name) && op.stdin.unknown { // it may be binary
		op.note(warning.LostStandardInput, op.stdin.from)
		return op.file(dataPart{option: syntax.UploadFile}, mediaType)
	}
	text, file := op.content(name)
	if file != "" {
		return op.file(dataPart{option: syntax.UploadFile, file: file}, mediaType)
	}
	return op.rawBody(text, mediaType, true)
}

// clone returns a copy of b for another request.
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

// form handles -F name=content and --form-string.
func (op *operation) form(a syntax.Argument) {
	name, content, ok := strings.Cut(a.Value, "=")
	if !ok {
		op.note(warning.LostMalformed, "--"+a.Name)
		return
	}
	f := &request.Field{Parameter: request.Parameter{Name: name}}
	switch {
	case a.Name == "form-string":
		f.Value = content
	case strings.HasPrefix(content, "("), name == "" && content == ")":
		op.note(warning.LostMalformed, "--"+a.Name)
		return
	case strings.HasPrefix(content, "@"):
		op.formFiles(name, content[1:])
		return
	case strings.HasPrefix(content, "<") && !strings.HasSuffix(content, ">"): // <name> is a placeholder of documentation
		op.formPart(f, content[1:], ";")
		f.Value, f.ValueFile = op.content(f.Value)
		f.FileName = ""
		if f.ValueFile != "" && !op.toShell {
			op.note(warning.LostLocalFiles, f.ValueFile)
			f.Value, f.ValueFile = op.fileName(), ""
		}
	default:
		op.formPart(f, content, ";")
	}
	op.fields = append(op.fields, f)
}

// formFiles reads the comma-separated files after the @. An explicit file name is kept only if it differs from the
// file's own.
func (op *operation) formFiles(name, text string) {
	for more := true; more; {
		f := &request.Field{Parameter: request.Parameter{Name: name}}
		text = op.formPart(f, text, ";,")
		known, file := op.content(f.Value)
		switch {
		case file == "":
			f.FileName, f.Value = cmp.Or(f.FileName, lastSegment(f.Value)), known
		case f.FileName == lastSegment(file):
			f.FileName = ""
			fallthrough
		default:
			f.IsFile, f.Files, f.Value = true, []string{file}, ""
		}
		op.fields = append(op.fields, f)
		_, text, more = strings.Cut(text, ",")
	}
}

// formPart reads content;type=…;filename=…;headers=…;encoder=… up to the end of text, or to a byte of ends other than
// the semicolon. It returns the rest.
func (op *operation) formPart(f *request.Field, text, ends string) (rest string) {
	f.Value, text = formContent(text, ends)
	inType := false // "; charset=…" after a type belongs to it
	for strings.HasPrefix(text, ";") {
		written := text
		text = strings.TrimLeft(text[1:], formSpace)
		key, _, _ := strings.Cut(text, "=")
		after := text[min(len(key)+1, len(text)):]
		var word string
		switch key := strings.ToLower(key); {
		case key == "type" && !inType && f.ContentType == "":
			f.ContentType, text = formToken(after, ends)
			inType = true
			continue
		case key == "filename":
			f.FileName, text = formContent(after, ends)
		case key == "headers" || key == "encoder":
			_, text = formContent(after, ends)
			op.note(warning.LostEncoding, "--form")
		case inType:
			word, text = formToken(text, ends)
			f.ContentType += written[:strings.Index(written, word)] + word
			continue
		default:
			if word, text = formContent(text, ends); word != "" {
				op.note(warning.LostMalformed, "--form")
			}
		}
		inType = false
	}
	return text
}

const formSpace = " \t\n\v\f\r"

// formToken reads an unquoted word.
func formToken(text, ends string) (word, rest string) {
	if i := strings.IndexAny(text, ends); i >= 0 {
		text, rest = text[:i], text[i:]
	}
	return strings.Trim(text, formSpace), rest
}

// formContent reads a word that may be quoted. \" and \\ are escapes inside the quotes; characters between the closing
// quote and the end are dropped.
func formContent(text, ends string) (word, rest string) {
	text = strings.TrimLeft(text, formSpace)
	if !strings.HasPrefix(text, `"`) {
		return formToken(text, ends)
	}
	var out strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && (text[i+1] == '\\' || text[i+1] == '"'):
			i++
			out.WriteByte(text[i])
		case c == '"':
			_, rest = formToken(text[i+1:], ends)
			return out.String(), rest
		default:
			out.WriteByte(c)
		}
	}
	return formToken(text, ends) // no closing quote, so the opening one is literal
}
