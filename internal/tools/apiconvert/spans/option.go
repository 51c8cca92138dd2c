package spans

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
)

// Options has the Openers for the arguments of curl's options that are secrets or have parts that may be.
var Options = map[string]Opener{
	"cert": afterColon, "proxy-cert": afterColon,
	"cookie": Cookies,
	"header": HeaderLines, "proxy-header": HeaderLines,
	"form": formField, "form-string": pair(site.Field), "variable": pair(site.Field),
	"data-urlencode": pair(site.Query), "url-query": pair(site.Query),
	"key-pass": credential("password"), "pass": credential("password"), "proxy-pass": credential("password"),
	"tlspassword": credential("password"), "proxy-tlspassword": credential("password"),
	"oauth2-bearer": credential("token"),
	"url":           URL, "proxy": URL, "preproxy": URL, "socks4": URL, "socks4a": URL, "socks5": URL, "socks5-hostname": URL,
	"user": user, "proxy-user": user,
}

// credential returns the Opener for an argument that is a secret.
func credential(name string) Opener {
	return func(text, _ string, yield func(Span)) { yield(Span{To: len(text), Role: site.Credential, Name: name}) }
}

// user yields the user name and the password of name:password. A name without a password is a credential if it looks
// like a key or is a variable.
func user(text, _ string, yield func(Span)) {
	name, password, _ := strings.Cut(text, ":")
	s := Span{To: len(name), Role: site.Field, Name: "username"}
	if request.IsKey(name, password) || request.NoPassword(password) && request.VariableLength(name) == len(name) {
		s.Role, s.Name = site.Credential, "apiKey"
	}
	yield(s)
	yield(Span{From: len(text) - len(password), To: len(text), Role: site.Credential, Name: "password"})
}

// afterColon yields the password after the name of a certificate's file, which may begin with a drive letter.
func afterColon(text, _ string, yield func(Span)) {
	if i := strings.IndexByte(text[min(2, len(text)):], ':') + 2; i > 1 && !strings.HasPrefix(text, "pkcs11:") {
		yield(Span{From: i + 1, To: len(text), Role: site.Credential, Name: "password"})
	}
}

// pair returns an Opener that yields the content of name=content, or of an argument without a name.
func pair(role site.Role) Opener {
	return func(text, _ string, yield func(Span)) {
		name, content, ok := strings.Cut(text, "=")
		if !ok {
			name, content = "", text
		}
		yield(Span{From: len(text) - len(content), To: len(text), Role: role, Name: name})
	}
}

// formField yields the content of name=content;type=… that isn't read from a file.
func formField(text, mediaType string, yield func(Span)) {
	pair(site.Field)(text, mediaType, func(s Span) {
		content := text[s.From:]
		if end := strings.IndexByte(content, ';'); end >= 0 && content[0] != '"' {
			s.To = s.From + end
		}
		if content != "" && content[0] != '@' && content[0] != '<' {
			yield(s)
		}
	})
}

// URL yields the password and the Address of a URL, which may have no scheme.
func URL(text, mediaType string, yield func(Span)) {
	_, authority, ok := strings.Cut(request.WithSlashes(text), "://")
	if !ok {
		authority = text
	}
	end := max(0, strings.LastIndexByte(authority[:request.AuthorityEnd(authority)], '@'))
	from := len(text) - len(authority) + end
	if name, password, _ := strings.Cut(authority[:end], ":"); password != "" {
		if request.IsKey(name, password) {
			yield(Span{From: len(text) - len(authority), To: len(text) - len(authority) + len(name), Role: site.Credential, Name: "apiKey"})
		}
		yield(Span{From: from - len(password), To: from, Role: site.Credential, Name: "password"})
	} else {
		from = 0
	}
	Address(text[from:], mediaType, func(s Span) {
		s.From, s.To = s.From+from, s.To+from
		yield(s)
	})
}
