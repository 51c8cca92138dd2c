package request

import (
	"bytes"
	"encoding/json"
	"iter"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// FormPart is a part of a multipart body, as written.
type FormPart struct {
	Name     string // of Content-Disposition
	FileName string
	IsFile   bool   // it has a file name, possibly an empty one
	Type     string // Content-Type, "" if there is none
	Further  bool   // it has other headers
	From, To int    // byte offsets of its content in the body
}

// maxPartHeader is how many bytes of one header line of a part are read.
const maxPartHeader = 4096

// ParseMultipart parses a multipart body (RFC 2046, section 5.1; RFC 7578). If the media type has no boundary,
// the first line determines it. Lines may end with LF alone, and the body may be truncated. ParseMultipart
// returns nil for other text.
func ParseMultipart(text, mediaType string) []FormPart {
	delimiter := "--" + TypeParameter(mediaType, "boundary")
	if at := strings.Index(text, delimiter); at < 0 || delimiter == "--" {
		first, _, ok := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
		if first = strings.TrimRight(first, "\r "); !ok || len(first) < 3 || len(first) > 80 || !strings.HasPrefix(first, "--") {
			return nil
		}
		delimiter = first
	}
	var parts []FormPart
	at := strings.Index(text, delimiter)
	for at >= 0 {
		at += len(delimiter)
		if strings.HasPrefix(text[at:], "--") {
			break
		}
		part := FormPart{}
		at = part.headers(text, at)
		part.From, part.To = at, len(text)
		if strings.HasPrefix(text[at:], delimiter) { // no content, not even a line end
			part.To = at
		} else if next := strings.Index(text[at:], "\n"+delimiter); next >= 0 {
			part.To = at + next
			if part.To > at && text[part.To-1] == '\r' {
				part.To--
			}
			at += next + 1
		} else {
			at = -1
		}
		parts = append(parts, part)
	}
	return parts
}

// headers reads the header lines of a part after its delimiter and returns where its content begins.
func (p *FormPart) headers(text string, at int) int {
	for first := true; at < len(text); first = false {
		line, _, ended := strings.Cut(text[at:], "\n")
		if at += len(line); ended {
			at++
		}
		line = strings.TrimRight(line[:min(len(line), maxPartHeader)], "\r")
		if strings.TrimSpace(line) == "" && !first {
			return at
		}
		name, value, _ := strings.Cut(line, ":")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "content-disposition":
			p.Name, p.FileName = TypeParameter(value, "name"), TypeParameter(value, "filename")
			p.IsFile = strings.Contains(strings.ToLower(value), "filename=")
		case "content-type":
			p.Type = strings.TrimSpace(value)
		case "", "content-length":
		default:
			p.Further = true
		}
	}
	return len(text)
}

// Form is the form that a multipart body represents.
type Form struct {
	Fields   []*Field
	Contents bool // the body held a file's content; the field only has the file's name
	Headers  bool // parts had headers that a form cannot express
}

// ReadMultipart reads a multipart/form-data body as a form (RFC 7578): a field for each part, a file field for
// each part with a file name. ok is false if the body is truncated or otherwise invalid.
func ReadMultipart(text, mediaType string) (form Form, ok bool) {
	parts := ParseMultipart(text, mediaType)
	if len(parts) == 0 || parts[len(parts)-1].To == len(text) {
		return Form{}, false
	}
	for i := range parts {
		p := &parts[i]
		content := text[p.From:p.To]
		if p.Name == "" || strings.ContainsAny(p.Name, "\r\n") {
			return Form{}, false
		}
		f := &Field{Parameter: Parameter{Name: p.Name, Value: content}, ContentType: p.Type}
		if p.IsFile {
			f.IsFile, f.Value = true, ""
			form.Contents = form.Contents || content != ""
			if p.FileName != "" {
				f.Files = []string{p.FileName}
			}
		}
		form.Headers = form.Headers || p.Further
		form.Fields = append(form.Fields, f)
	}
	return form, true
}

// LooksLikeMultipart reports whether text begins like a multipart/form-data body.
func LooksLikeMultipart(text string) bool {
	text = strings.TrimLeft(text, "\r\n")
	return strings.HasPrefix(text, "--") &&
		strings.Contains(strings.ToLower(text[:min(len(text), maxPartHeader)]), "content-disposition: form-data")
}

// Pair is one name=value pair, as written.
type Pair struct {
	Name, Value string
	Bare        bool // without "=": the name alone
	At          int  // byte offset of Value
}

// Pairs yields the name=value pairs of a text separated by separator: & in a form or a query, ; in cookies. A
// separator within {{…}} doesn't count.
func Pairs(text string, separator byte) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		start, equals := 0, -1
		for i := 0; i <= len(text); i++ {
			switch {
			case i == len(text) || text[i] == separator:
				pair := Pair{Name: text[start:i], Bare: true, At: i}
				if equals >= 0 {
					pair = Pair{Name: text[start:equals], Value: text[equals+1 : i], At: equals + 1}
				}
				if !yield(pair) {
					return
				}
				start, equals = i+1, -1
			case text[i] == '=' && equals < 0:
				equals = i
			case text[i] == '{':
				i += max(0, VariableLength(text[i:])-1)
			}
		}
	}
}

// ParseForm parses an application/x-www-form-urlencoded body. It returns nil when the body is not a list of
// pairs that can be decoded.
func ParseForm(text string) []*Field {
	var fields []*Field
	for p := range Pairs(text, '&') {
		name, err := url.QueryUnescape(p.Name)
		value, err2 := url.QueryUnescape(p.Value)
		if p.Bare || err != nil || err2 != nil || !utf8.ValidString(name) || !utf8.ValidString(value) ||
			strings.ContainsAny(name, "\n<{") && !HasVariable(name) {
			return nil
		}
		fields = append(fields, &Field{Parameter: Parameter{Name: name, Value: value}})
	}
	return fields
}

// LooksLikeJSON reports whether text is a JSON object or array after each {{name}} outside its strings is
// replaced by a number.
func LooksLikeJSON(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	if text == "" || text[0] != '{' && text[0] != '[' || VariableLength(text) > 0 {
		return false
	}
	return json.Valid([]byte(withoutVariables(text)))
}

// withoutVariables replaces variables outside of JSON strings by 0.
func withoutVariables(text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	var out strings.Builder
	for n := 0; text != ""; text = text[n:] {
		if n = VariableLength(text); n > 0 {
			out.WriteByte('0')
			continue
		}
		if n = 1; text[0] == '"' {
			n = StringLength(text)
		}
		out.WriteString(text[:n])
	}
	return out.String()
}

// IsLenient reports whether Unescaped or Uncommented may change text: it has escaped quotes, the start of a
// comment, or a comma before a closing bracket. Most JSON has none of these.
func IsLenient(text string) bool {
	if strings.Contains(text, `\"`) || strings.Contains(text, "//") || strings.Contains(text, "/*") {
		return true
	}
	for {
		_, rest, ok := strings.Cut(text, ",")
		if !ok {
			return false
		}
		if text = strings.TrimLeft(rest, " \t\r\n"); text != "" && (text[0] == '}' || text[0] == ']') {
			return true
		}
	}
}

// Unescaped unescapes JSON whose quotes are escaped, {\"a\":1}, as logs, string literals and shells leave it.
// It returns false for other text.
func Unescaped(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' || !strings.Contains(text, `\"`) {
		return "", false
	}
	var plain string
	if json.Unmarshal([]byte(`"`+lineEscapes.Replace(text)+`"`), &plain) != nil || !LooksLikeJSON(plain) {
		return "", false
	}
	return plain, true
}

// lineEscapes escapes white space that may separate the escaped JSON tokens.
var lineEscapes = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`)

// Uncommented removes comments and trailing commas from JSON, as editors' configuration files and Postman's
// bodies have them. It also removes lines that have only a comment. It returns false for other text.
func Uncommented(text string) (string, bool) {
	if !strings.Contains(text, "//") && !strings.Contains(text, "/*") && !strings.Contains(text, ",") {
		return "", false
	}
	if first := strings.TrimLeft(text, " \t\r\n"); first == "" || strings.IndexByte("{[/", first[0]) < 0 {
		return "", false
	}
	c := commented{text: text, comma: noComma}
	for c.at < len(text) {
		c.next()
	}
	plain := strings.TrimSpace(string(c.out))
	return plain, plain != text && LooksLikeJSON(plain)
}

// commented is the state of Uncommented.
type commented struct {
	text  string
	at    int
	out   []byte
	comma int // index in out of the last comma while only white space follows it
}

const noComma = -1

func (c *commented) next() {
	rest := c.text[c.at:]
	switch {
	case rest[0] == '"':
		c.keep(StringLength(rest))
		c.comma = noComma
	case strings.HasPrefix(rest, "//"):
		line, _, _ := strings.Cut(rest, "\n")
		c.drop(len(line))
	case strings.HasPrefix(rest, "/*"):
		if comment, _, closed := strings.Cut(rest, "*/"); closed {
			c.drop(len(comment) + len("*/"))
		} else {
			c.keep(len(rest)) // an unterminated comment is not a comment
		}
	default:
		switch rest[0] {
		case ' ', '\t', '\r', '\n':
		case ',':
			c.comma = len(c.out)
		case '}', ']':
			if c.comma != noComma {
				c.out = append(c.out[:c.comma], c.out[c.comma+1:]...)
			}
			c.comma = noComma
		default:
			c.comma = noComma
		}
		c.keep(1)
	}
}

func (c *commented) keep(n int) {
	c.out = append(c.out, c.text[c.at:c.at+n]...)
	c.at += n
}

// drop removes a comment of n bytes, and its line if nothing else is on it.
func (c *commented) drop(n int) {
	if c.at += n; c.at < len(c.text) && c.text[c.at] != '\n' && c.text[c.at] != '\r' {
		return
	}
	c.out = bytes.TrimRight(c.out, " \t")
	if bytes.HasSuffix(c.out, []byte("\n")) && c.at < len(c.text) {
		c.at += strings.IndexByte(c.text[c.at:], '\n') + 1
	}
}

// StringLength returns the length of the JSON string at the start of text, which ends with the text if its quote is missing.
func StringLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// Media types of bodies that need their own encoding.
const (
	JSONType      = "application/json"
	FormType      = "application/x-www-form-urlencoded"
	MultipartType = "multipart/form-data"
	XMLType       = "application/xml"
	TextType      = "text/plain"
	BinaryType    = "application/octet-stream"
	GraphQLType   = "application/graphql"
)

// BaseType returns a media type in lower case without its parameters (RFC 9110, section 8.3.1).
func BaseType(mediaType string) string {
	base, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(base))
}

// TypeParameter returns the value of a media type's parameter without quotes, or "" if there is none with the
// name.
func TypeParameter(mediaType, name string) string {
	_, rest, _ := strings.Cut(mediaType, ";")
	for rest != "" {
		parameter := rest[:unquotedIndex(rest, ';')]
		rest = rest[min(len(parameter)+1, len(rest)):]
		key, value, _ := strings.Cut(parameter, "=")
		if strings.EqualFold(strings.TrimSpace(key), name) {
			value = strings.TrimSpace(value)
			if len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"' {
				value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(value[1 : len(value)-1])
			}
			return value
		}
	}
	return ""
}

// unquotedIndex returns the index of the first c outside of quotes, or len(text) if there is none.
func unquotedIndex(text string, c byte) int {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == '\\' && quoted:
			i++
		case text[i] == c && !quoted:
			return i
		}
	}
	return len(text)
}

// IsJSONType reports whether a media type is JSON, or a range that includes it.
func IsJSONType(mediaType string) bool {
	base := BaseType(mediaType)
	return base == JSONType || base == "text/json" || strings.HasSuffix(base, "+json") || base == "*/*" || base == "application/*"
}

// IsXMLType reports whether a media type is XML (RFC 7303).
func IsXMLType(mediaType string) bool {
	base := BaseType(mediaType)
	return base == XMLType || base == "text/xml" || strings.HasSuffix(base, "+xml")
}

// IsJSONLines reports whether a media type is a sequence of JSON values, one a line.
func IsJSONLines(mediaType string) bool {
	base := BaseType(mediaType)
	known := []string{"application/jsonl", "application/x-ndjson", "application/ndjson", "application/json-seq"}
	return slices.Contains(known, base) || strings.HasSuffix(base, "+json-seq")
}

// IsBinaryType reports whether a media type is binary.
func IsBinaryType(mediaType string) bool {
	base := BaseType(mediaType)
	for _, prefix := range []string{"image/", "audio/", "video/", "font/"} {
		if strings.HasPrefix(base, prefix) {
			return !strings.HasSuffix(base, "+xml")
		}
	}
	return slices.Contains([]string{BinaryType, "application/pdf", "application/zip", "application/gzip",
		"application/x-gzip", "application/x-tar", "application/binary", "application/msword"}, base) ||
		strings.HasPrefix(base, "application/vnd.openxmlformats") || strings.HasPrefix(base, "application/vnd.ms-")
}

// IsFormType reports whether a media type is that of a form.
func IsFormType(mediaType string) bool {
	base := BaseType(mediaType)
	return base == FormType || base == MultipartType
}

// IsToken reports whether text can be a method, a header name or a scheme (RFC 9110, section 5.6.2).
func IsToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune("()<>@,;:\\\"/[]?={}", c)
	})
}
