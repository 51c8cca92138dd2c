package curl

import (
	"encoding/base64"
	"net/url"
	"strings"
	"unicode/utf8"

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
		body = &request.Body{Kind: request.File, Path: b.Path, MediaType: b.ContentType}
	default:
		body = data(b)
	}
	read.Bodies = []*request.Body{body}
}

// data is a body that the command holds itself. curl says that all of it is a
// form; of JSON that is noted, for Elsewhere to call it JSON.
func data(b *curlcmd.Body) *request.Body {
	body := &request.Body{Kind: request.Raw, MediaType: b.ContentType, Text: b.Text}
	if b.Implied && b.JSON {
		body.TypeGuessed = true
		return body
	}
	mediaType, _, _ := strings.Cut(b.ContentType, ";")
	if strings.EqualFold(strings.TrimSpace(mediaType), formType) && !b.JSON {
		if fields := formFields(b.Text); fields != nil {
			return &request.Body{Kind: request.URLEncoded, MediaType: b.ContentType, Fields: fields}
		}
	}
	return body
}

// formFields takes the text of a form apart; nil when it is not made of pairs.
func formFields(text string) []*request.Field {
	var fields []*request.Field
	for pair := range strings.SplitSeq(text, "&") {
		name, value, ok := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		value, err2 := url.QueryUnescape(value)
		if !ok || err != nil || err2 != nil || !utf8.ValidString(name) || !utf8.ValidString(value) || strings.ContainsAny(name, "\n<{") && !request.HasVariable(name) {
			return nil
		}
		fields = append(fields, &request.Field{Parameter: request.Parameter{Name: name, Value: value}})
	}
	return fields
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

// authorization takes the value of an Authorization header apart (RFC 9110,
// section 11.6.2); nil when no scheme stands in it.
func authorization(value string) *request.Auth {
	scheme, rest, ok := strings.Cut(strings.TrimSpace(value), " ")
	rest = strings.TrimSpace(rest)
	if !ok || rest == "" || request.HasVariable(scheme) || strings.ContainsAny(scheme, "=,;:\"{}<>") {
		return nil
	}
	switch {
	case strings.EqualFold(scheme, "Bearer"):
		return &request.Auth{Kind: request.Bearer, Token: rest}
	case strings.EqualFold(scheme, "Basic"):
		decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(rest, "="))
		user, password, ok := strings.Cut(string(decoded), ":")
		if err == nil && ok && utf8.Valid(decoded) {
			return &request.Auth{Kind: request.Basic, Username: user, Password: password}
		}
	}
	return &request.Auth{Kind: request.OtherScheme, Key: scheme, Token: rest}
}
