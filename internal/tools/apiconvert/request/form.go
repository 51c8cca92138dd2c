package request

import (
	"iter"
	"net/url"
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
