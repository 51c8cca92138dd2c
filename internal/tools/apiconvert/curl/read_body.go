package curl

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curlcmd"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// body adds what a request carries.
func (r *reader) body(read *request.Request, b *curlcmd.Body) {
	var body *request.Body
	switch b.Kind {
	case curlcmd.NoBody:
		return
	case curlcmd.Form:
		body = r.form(read, b)
	case curlcmd.File:
		body = &request.Body{Kind: request.File, Path: b.Path, MediaType: b.ContentType, Document: r.reads(b)}
	default:
		body = data(b)
		if r.whole && body.Kind == request.Raw && b.Document != "" {
			body.Text, body.Document = b.Document, r.reads(b)
		}
	}
	read.Bodies = []*request.Body{body}
}

// reads is the option that reads a body from a file or here-document, for shell
// text again: --data takes the line ends away, the others leave all as it is.
func (r *reader) reads(b *curlcmd.Body) string {
	switch option := b.Parts[0].Option; {
	case !r.whole:
		return ""
	case option == "data" || option == "data-ascii":
		return "data"
	}
	return "data-binary"
}

// data is a body that the command holds itself. curl says that all of it is a
// form; of JSON that is noted, for Portable to call it JSON.
func data(b *curlcmd.Body) *request.Body {
	body := &request.Body{Kind: request.Raw, MediaType: b.ContentType, Text: b.Text}
	if b.Implied && b.JSON {
		body.TypeGuessed = true
		return body
	}
	if request.BaseType(b.ContentType) == formType && !b.JSON {
		if fields := request.ParseForm(b.Text); fields != nil {
			return &request.Body{Kind: request.URLEncoded, MediaType: b.ContentType, Fields: fields}
		}
	}
	return body
}

// form is a multipart body.
func (r *reader) form(read *request.Request, b *curlcmd.Body) *request.Body {
	body := &request.Body{Kind: request.Multipart, MediaType: b.ContentType}
	for i := range b.Fields {
		f := &b.Fields[i]
		if len(f.Headers) > 0 {
			r.warnings.Add(warning.Encoding, read.Place)
		}
		field := request.Field{
			Parameter: request.Parameter{Name: f.Name, Value: f.Value}, ValueFile: f.Reference,
			ContentType: f.ContentType, FileName: f.FileName,
		}
		if len(f.Files) == 0 {
			body.Fields = append(body.Fields, &field)
			continue
		}
		for j := range f.Files {
			body.Fields = append(body.Fields, r.file(read, f.Name, &f.Files[j]))
		}
	}
	return body
}

// file is one file of a multipart body. The name that is sent is only kept
// when it is not the file's own.
func (r *reader) file(read *request.Request, name string, f *curlcmd.FormFile) *request.Field {
	field := &request.Field{
		Parameter: request.Parameter{Name: name}, ContentType: f.ContentType, FileName: f.FileName,
	}
	if len(f.Headers) > 0 {
		r.warnings.Add(warning.Encoding, read.Place)
	}
	if f.HasText {
		field.Value = f.Text
		return field
	}
	field.IsFile, field.Files = true, []string{f.Path}
	if f.FileName == f.Path[strings.LastIndexByte(f.Path, '/')+1:] {
		field.FileName = ""
	}
	return field
}

// auth is how curl itself authenticates.
func auth(a *curlcmd.Auth) *request.Auth {
	made := &request.Auth{Username: a.User, Password: a.Password}
	switch a.Scheme {
	case curlcmd.NoAuth:
		return nil
	case curlcmd.Basic, curlcmd.AnyAuth:
		made.Kind = request.Basic
	case curlcmd.Digest:
		made.Kind = request.Digest
	case curlcmd.NTLM:
		made.Kind = request.NTLM
		if domain, name, ok := strings.Cut(a.User, `\`); ok {
			made.Username = name
			made.Settings = []request.Option{{Name: "domain", Value: domain}}
		}
	case curlcmd.Bearer:
		made = &request.Auth{Kind: request.Bearer, Token: a.Token}
	case curlcmd.AWSSigV4:
		made.Kind = request.AWSSignature4
		made.Settings = signature(a.Signature)
	default:
		return &request.Auth{Kind: request.OtherScheme, Key: negotiate}
	}
	return made
}

// negotiate is the scheme whose credentials curl gets from the system (RFC
// 4559).
const negotiate = "Negotiate"

// signature reads provider1:provider2:region:service of --aws-sigv4.
func signature(text string) []request.Option {
	var settings []request.Option
	parts := strings.Split(text, ":")
	if len(parts) > 2 && parts[2] != "" {
		settings = append(settings, request.Option{Name: "region", Value: parts[2]})
	}
	if len(parts) > 3 && parts[3] != "" {
		settings = append(settings, request.Option{Name: "service", Value: parts[3]})
	}
	if !strings.HasPrefix(text, "aws:amz") && text != "" {
		settings = append(settings, request.Option{Name: "provider", Value: text})
	}
	return settings
}
