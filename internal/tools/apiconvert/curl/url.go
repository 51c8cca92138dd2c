package curl

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
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

// maxGlob limits how many URLs one URL with {a,b} or [1-3] expands to. Beyond it, the pattern is kept.
const maxGlob = 16

// globToken matches the next part of a URL pattern: literal text, which includes variables and IPv6 addresses; an
// escaped brace or bracket (1); a list (2), or the {id} of a path parameter; or a range such as a-z (3, 4), 1-9 or
// 001-100:3 (5, 6, 7). It doesn't match what curl rejects.
var globToken = expression.Lazy(`^(?:[^\\{}\[\]]+|\{\{[^{}\s](?:[^{}]*[^{}\s])?\}\}|\[(?:[0-9a-fA-F.%]*:){2}[0-9a-fA-F:.%]*\]|\[\]` +
	`|\\([{}\[\]])|\\|\{([^{}\[\]]+)\}` +
	`|\[(?:([A-Za-z])-([A-Za-z])|([0-9]+)-([0-9]+))(?::([0-9]+))?\])`)

// globbed expands curl's URL patterns. It keeps a pattern with too many URLs or one that curl would reject, and reports
// whether it has kept one for a script as the target.
func (op *operation) globbed(text string) (urls []string, kept bool) {
	if op.flags["globoff"] || !strings.ContainsAny(text, "{}[]") {
		return []string{text}, false
	}
	all := [][]byte{nil}
	for rest := text; rest != ""; {
		op.budget.Parts(budget.Entry)
		m := globToken().FindStringSubmatch(rest)
		set := globSet(m)
		switch {
		case len(set) == 0:
			op.note(warning.ChangedAddress, "braces or brackets that curl cannot expand")
			return []string{text}, false
		case len(set) > 1 && op.toShell:
			return []string{text}, true
		case len(all)*len(set) > maxGlob:
			op.note(warning.LostGlobbing, "--url")
			return []string{text}, false
		}
		rest = rest[len(m[0]):]
		if len(set) == 1 {
			for i := range all {
				all[i] = append(all[i], set[0]...)
			}
			continue
		}
		var more [][]byte
		for _, u := range all {
			for _, member := range set {
				more = append(more, slices.Concat(u, []byte(member)))
			}
		}
		all = more
	}
	for _, u := range all {
		urls = append(urls, string(u))
	}
	return urls, false
}

// globSet returns the texts that a match of globToken expands to, none if curl would reject it. It stops as soon as
// there are too many.
func globSet(m []string) (set []string) {
	switch {
	case m == nil:
		return nil
	case strings.Contains(m[2], ","):
		return strings.Split(m[2], ",")
	case m[3]+m[5] == "":
		return []string{cmp.Or(m[1], m[0])}
	}
	step, err := strconv.Atoi(cmp.Or(m[7], "1"))
	from, err2 := strconv.Atoi(m[5])
	to, err3 := strconv.Atoi(m[6])
	format := "%0*d"
	if m[3] != "" {
		from, to, format, err2, err3 = int(m[3][0]), int(m[4][0]), "%*c", nil, nil
	}
	valid := cmp.Or(err, err2, err3) == nil && step > 0
	for n := from; valid && n <= to && len(set) <= maxGlob; n += step {
		set = append(set, fmt.Sprintf(format, len(m[5]), n))
	}
	return set
}
