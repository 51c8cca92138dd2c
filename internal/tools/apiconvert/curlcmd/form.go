package curlcmd

import "strings"

// form takes -F name=content and --form-string.
func (op *operation) form(u use) {
	name, content, ok := strings.Cut(u.arg, "=")
	if !ok {
		op.changed("form_ignored", u.name)
		return
	}
	field := FormField{Name: name}
	switch {
	case u.name == "form-string":
		field.Value = content
	case strings.HasPrefix(content, "("), name == "" && content == ")":
		op.lost("nested_form", u.name)
		return
	case strings.HasPrefix(content, "@"):
		field.Files = op.formFiles(content[1:])
	case strings.HasPrefix(content, "<"):
		part, _ := op.formPart(content[1:], ";")
		field.ContentType, field.Headers = part.ContentType, part.Headers
		field.Value, field.Reference = op.content(part.content)
	default:
		part, _ := op.formPart(content, ";")
		field.Value, field.ContentType = part.content, part.ContentType
		field.FileName, field.Headers = part.FileName, part.Headers
	}
	op.fields = append(op.fields, field)
}

// formFiles reads the files behind the @, parted by commas.
func (op *operation) formFiles(text string) []FormFile {
	var files []FormFile
	for {
		part, rest := op.formPart(text, ";,")
		f := part.FormFile
		f.Path = part.content
		if known, file := op.content(f.Path); file == "" {
			f.Text, f.HasText = known, true
		} else {
			f.Path = file
		}
		if f.FileName == "" {
			f.FileName = f.Path[strings.LastIndexByte(f.Path, '/')+1:]
		}
		files = append(files, f)
		if rest == "" {
			return files
		}
		text = rest[1:] // the comma
	}
}

// formPart is content;type=…;filename=…;headers=…;encoder=….
type formPart struct {
	FormFile
	content string
}

// formPart reads one part up to the end of text, or to a byte of ends other
// than the semicolon.
func (op *operation) formPart(text, ends string) (formPart, string) {
	var part formPart
	part.content, text = formWord(text, ends)
	inType := false // "; charset=…" behind a type belongs to it
	for strings.HasPrefix(text, ";") {
		written := text
		text = strings.TrimLeft(text[1:], formSpace)
		key, _, _ := strings.Cut(text, "=")
		behind := text[min(len(key)+1, len(text)):]
		var word string
		switch key := strings.ToLower(key); {
		case key == "type" && !inType && part.ContentType == "":
			part.ContentType, text = formToken(behind, ends)
			inType = true
			continue
		case key == "filename":
			part.FileName, text = formWord(behind, ends)
		case key == "headers":
			word, text = formWord(behind, ends)
			op.formHeader(&part, word)
		case key == "encoder":
			_, text = formWord(behind, ends)
			op.lost("form_encoder", "form")
		case inType:
			word, text = formToken(text, ends)
			part.ContentType += written[:strings.Index(written, word)] + word
			continue
		default:
			word, text = formWord(text, ends)
			if word != "" {
				op.changed("form_part_ignored", "form")
			}
		}
		inType = false
	}
	return part, text
}

const formSpace = " \t\n\v\f\r"

func (op *operation) formHeader(part *formPart, text string) {
	if strings.HasPrefix(text, "@") || strings.HasPrefix(text, "<") {
		op.lost("header_file", "form")
		return
	}
	if name, value, ok := strings.Cut(text, ":"); ok {
		part.Headers = append(part.Headers, Header{Name: name, Value: strings.TrimSpace(value), Option: "form"})
	}
}

// formToken reads a word that is never quoted.
func formToken(text, ends string) (word, rest string) {
	if i := strings.IndexAny(text, ends); i >= 0 {
		text, rest = text[:i], text[i:]
	}
	return strings.Trim(text, formSpace), rest
}

// formWord reads a word that may be quoted: in the quotes \" and \\ are
// escapes, and what stands between them and the end is left out.
func formWord(text, ends string) (word, rest string) {
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
	return formToken(text, ends) // no closing quote: none was meant
}
