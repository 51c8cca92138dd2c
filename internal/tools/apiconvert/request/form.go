package request

import (
	"iter"
	"net/url"
	"strings"
	"unicode/utf8"
)

// FormPart is a part of a multipart body, as it is written.
type FormPart struct {
	Name     string // of Content-Disposition
	FileName string
	IsFile   bool   // a file name is given, if an empty one
	Type     string // Content-Type, "" for none
	Further  bool   // it has other headers
	From, To int    // where its content stands in the text, in bytes
}

// maxPartHeader bounds what is read of one header line of a part, in bytes.
const maxPartHeader = 4096

// ParseMultipart takes the text of a multipart body apart (RFC 2046, section
// 5.1; RFC 7578). Without a boundary in the media type the first line says it.
// Lines may end with LF alone, and the text may end anywhere. nil when it is
// no multipart body.
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
		if strings.HasPrefix(text[at:], delimiter) { // nothing, not even an end of line
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

// headers reads the header lines of a part behind its delimiter and returns
// where its content begins.
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

// Form is what a multipart body says as a form.
type Form struct {
	Fields   []*Field
	Contents bool // a file's content stood in the text; the field only names the file
	Headers  bool // parts had headers that a form cannot say
}

// ReadMultipart reads the text of a multipart/form-data body as a form (RFC
// 7578): a field for each part, one with a file name as a file of that name.
// ok is false for what is cut off or broken otherwise.
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

// LooksLikeMultipart reports whether a text begins as a multipart/form-data body
// does.
func LooksLikeMultipart(text string) bool {
	text = strings.TrimLeft(text, "\r\n")
	return strings.HasPrefix(text, "--") &&
		strings.Contains(strings.ToLower(text[:min(len(text), maxPartHeader)]), "content-disposition: form-data")
}

// Pair is one name=value of a text, as it is written there.
type Pair struct {
	Name, Value string
	Bare        bool // without "=": the name alone
	At          int  // where Value begins in the text, in bytes
}

// Pairs yields the name=value of a text that a separator parts: & in a form or
// a query, ; in cookies. A separator within {{…}} parts nothing.
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

// ParseForm takes the text of an application/x-www-form-urlencoded body apart;
// nil when it is not made of pairs that can be decoded.
func ParseForm(text string) []*Field {
	if strings.HasPrefix(text, "--") && strings.Contains(text, "Content-Disposition:") {
		return nil // a multipart body without its media type
	}
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
