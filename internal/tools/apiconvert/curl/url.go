package curl

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// percentEncoded encodes text like --data-urlencode: all but the unreserved characters of RFC 3986, section 2.3, with +
// for a blank. It keeps {{name}}.
func percentEncoded(text string) string {
	return request.Map(request.Split(text), func(part request.Part) string {
		if part.Kind == request.LiteralPart {
			return url.QueryEscape(part.Text)
		}
		return part.String()
	})
}

// target is a parsed URL.
type target struct {
	scheme, host string // scheme is "" if the host is a {{name}} or placeholder that may contain it
	user         string // name:password, still encoded
	path, query  string // the query without its ?
	hasQuery     bool   // there was a ?
}

var schemeName = expression.Lazy(`^[A-Za-z][A-Za-z0-9+.-]*$`)

// parseURL parses a URL of the command line and completes it like curl: it guesses the scheme from the host name,
// resolves dots in the path and drops the fragment.
func (op *operation) parseURL(text string) (t target) {
	text, _, _ = strings.Cut(request.WithSlashes(text), "#")
	rest := strings.TrimLeft(text, "/")
	if scheme, after, ok := strings.Cut(text, "://"); ok && schemeName().MatchString(scheme) {
		t.scheme, rest = strings.ToLower(scheme), after
	} else if ok && scheme != "" && request.VariableLength(scheme) == len(scheme) {
		t.scheme, rest = scheme, after
	}
	end := request.AuthorityEnd(rest)
	t.host, rest = rest[:end], rest[end:]
	if at := strings.LastIndexByte(t.host, '@'); at >= 0 {
		t.user, t.host = t.host[:at], t.host[at+1:]
	}
	if t.scheme == "" {
		t.scheme = op.guessScheme(t.host)
	}
	t.host = op.visible(t.host)
	t.path, t.query, t.hasQuery = strings.Cut(rest, "?")
	if !op.flags["path-as-is"] {
		t.path = withoutDots(t.path)
	}
	t.path, t.query = op.visible(t.path), op.visible(t.query)
	return t
}

// guessScheme returns the scheme of a URL without one: --proto-default, or one that matches the beginning of the host
// name, or http. It returns "" if the URL begins with a {{name}} or a placeholder, which may contain the scheme.
func (op *operation) guessScheme(host string) string {
	if request.VariableLength(host) > 0 || placeholder.IsURL(host) {
		return ""
	}
	if scheme := op.texts["proto-default"]; scheme != "" {
		return strings.ToLower(scheme)
	}
	name, _, dotted := strings.Cut(strings.ToLower(host), ".")
	switch name {
	case "ftp", "dict", "ldap", "imap", "smtp", "pop3":
		if dotted {
			return name
		}
	}
	op.note(warning.ChangedProtocol, host)
	return "http"
}

// visible encodes the blanks and control characters that curl rejects in a URL.
func (op *operation) visible(text string) string {
	encoded := syntax.Escape(text, func(c byte) bool { return c <= ' ' || c == 0x7f })
	if encoded != text {
		op.note(warning.ChangedAddress, "a space or control character")
	}
	return encoded
}

// withoutDots resolves the . and .. segments of a path (RFC 3986, section 5.2.4).
func withoutDots(path string) string {
	if !strings.Contains(path, "/.") {
		return path
	}
	segments := strings.Split(path, "/")
	var kept []string
	for i, s := range segments {
		if s != "." && s != ".." {
			kept = append(kept, s)
			continue
		}
		if s == ".." && len(kept) > 1 {
			kept = kept[:len(kept)-1]
		}
		if i == len(segments)-1 {
			kept = append(kept, "")
		}
	}
	return strings.Join(kept, "/")
}

// addFile appends the name of an uploaded file to a path that ends with /, like -T. A variable may hold directories, too,
// which -T leaves out: a command that has it adds the name itself.
func (t *target) addFile(name string, toShell bool) {
	t.path = cmp.Or(t.path, "/")
	if strings.HasSuffix(t.path, "/") {
		name = lastSegment(name)
		n := request.VariableLength(name)
		if n > 0 && toShell {
			return
		}
		if n > 0 {
			t.path += "{fileName}"
		}
		t.path += strings.ReplaceAll(percentEncoded(name[n:]), "+", "%20")
	}
}

func lastSegment(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// address stores a URL in the model: the server up to the path, the path, and the query.
func (r *reader) address(read *request.Request, t *target) {
	base := t.host
	if t.scheme != "" {
		base = t.scheme + "://" + base
	}
	if t.path == "" && (t.hasQuery || t.query != "") && request.VariableLength(base) < len(base) {
		t.path = "/"
	}
	base = hostVariables(base)
	read.Server = r.servers[base]
	if read.Server == nil {
		read.Server = &request.Server{URL: base}
		r.servers[base] = read.Server
		r.api.Servers = append(r.api.Servers, read.Server)
	}
	read.Path = path(read, t.path)
	for pair := range strings.SplitSeq(t.query, "&") {
		r.budget.Parts(budget.Entry)
		if pair != "" {
			name, value, ok := strings.Cut(pair, "=")
			read.Query = append(read.Query, &request.Parameter{Name: name, Value: value, Bare: !ok})
		}
	}
}

// hostVariables replaces each {name} in a host by the variable of that name.
func hostVariables(base string) string {
	return request.Map(request.SplitPath(base), func(part request.Part) string {
		if part.Kind == request.ParameterPart && syntax.IsParameterName(part.Text) {
			part.Kind = request.VariablePart
		}
		return part.String()
	})
}

// encodeBraces is a package variable because building it costs more than using it.
var encodeBraces = strings.NewReplacer("{", "%7B", "}", "%7D")

// path records the path parameters. It encodes other braces, which would look like parameters, unless they are curl
// patterns.
func path(read *request.Request, text string) string {
	if !strings.ContainsAny(text, "{}") {
		return text
	}
	known := map[string]bool{}
	return request.Map(request.SplitPath(text), func(part request.Part) string {
		switch {
		case part.Kind == request.ParameterPart && syntax.IsParameterName(part.Text):
			if !known[part.Text] {
				known[part.Text] = true
				read.PathParameters = append(read.PathParameters, &request.Parameter{Name: part.Text, Required: true})
			}
		case part.Kind != request.VariablePart && !read.Patterns:
			return encodeBraces.Replace(part.String())
		}
		return part.String()
	})
}
