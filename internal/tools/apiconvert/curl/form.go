package curl

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

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
