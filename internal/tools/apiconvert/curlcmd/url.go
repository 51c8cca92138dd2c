package curlcmd

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// percentEncoded encodes text as --data-urlencode does: all but the
// unreserved characters of RFC 3986, section 2.3, and + for a blank. A
// {{name}} stays as it is.
func percentEncoded(text string) string {
	var out strings.Builder
	for _, part := range request.Split(text) {
		if part.Kind == request.VariablePart {
			out.WriteString("{{" + part.Text + "}}")
		} else {
			out.WriteString(url.QueryEscape(part.Text))
		}
	}
	return out.String()
}

var encodedByte = expression.Lazy(`%[0-9A-Fa-f]{2}`)

// percentDecoded decodes what is validly encoded and leaves the rest.
func percentDecoded(text string) string {
	return strings.ToValidUTF8(encodedByte().ReplaceAllStringFunc(text, func(code string) string {
		c, _ := strconv.ParseUint(code[1:], 16, 8)
		return string([]byte{byte(c)})
	}), "\uFFFD")
}

// target is a URL taken apart.
type target struct {
	origin string // scheme, "://" and the host with its port; or a {{name}}
	user   string // name:password, still encoded
	path   string
	query  string // with its ?
}

// parseURL takes a URL of the command line apart and completes it as curl
// does: a scheme guessed from the host's name, dots in the path resolved, no
// fragment.
func (op *operation) parseURL(text string) target {
	var t target
	text, _, _ = strings.Cut(text, "#")
	scheme, rest := "", text
	if i := strings.Index(text, "://"); i > 0 && isScheme(text[:i]) {
		scheme, rest = strings.ToLower(text[:i]), text[i+3:]
	} else {
		rest = strings.TrimLeft(text, "/")
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	host, rest := rest[:end], rest[end:]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		t.user, host = host[:at], host[at+1:]
	}
	if scheme == "" {
		scheme = op.guessScheme(host)
	}
	t.origin = op.visible(host)
	if scheme != "" {
		t.origin = scheme + "://" + t.origin
	}
	if q := strings.IndexByte(rest, '?'); q >= 0 {
		rest, t.query = rest[:q], rest[q:]
	}
	if !op.flags["path-as-is"] {
		rest = withoutDots(rest)
	}
	t.path, t.query = op.visible(rest), op.visible(t.query)
	return t
}

// guessScheme is the scheme of a URL without one: --proto-default, or what
// the host's name begins with, or http. A URL that begins with a {{name}} may
// have its scheme there.
func (op *operation) guessScheme(host string) string {
	if request.VariableLength(host) > 0 {
		return ""
	}
	if scheme := op.texts["proto-default"]; scheme != "" {
		return strings.ToLower(scheme)
	}
	op.changed("scheme", "url")
	for _, scheme := range []string{"ftp", "dict", "ldap", "imap", "smtp", "pop3"} {
		if len(host) > len(scheme) && strings.EqualFold(host[:len(scheme)], scheme) && host[len(scheme)] == '.' {
			return scheme
		}
	}
	return "http"
}

// visible encodes the blanks and control characters that curl refuses in a
// URL.
func (op *operation) visible(text string) string {
	refused := func(c rune) bool { return c <= ' ' || c == 0x7f }
	if strings.IndexFunc(text, refused) < 0 {
		return text
	}
	op.changed("url_blank", "url")
	var out strings.Builder
	for _, c := range text {
		if refused(c) {
			fmt.Fprintf(&out, "%%%02X", c)
		} else {
			out.WriteRune(c)
		}
	}
	return out.String()
}

func isScheme(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && strings.IndexByte("+-.", c) < 0) {
			return false
		}
	}
	return true
}

// withoutDots resolves the . and .. segments of a path (RFC 3986, section
// 5.2.4).
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

// addFile appends the name of an uploaded file to a path that ends with /, as
// -T does.
func (t *target) addFile(name string) {
	if t.path != "" && !strings.HasSuffix(t.path, "/") {
		return
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	if t.path == "" {
		t.path = "/"
	}
	t.path += strings.ReplaceAll(percentEncoded(name), "+", "%20")
}

// addQuery appends to the query.
func (t *target) addQuery(text string) {
	switch {
	case text == "":
	case t.query == "":
		t.query = "?" + text
	case strings.HasSuffix(t.query, "&") || t.query == "?":
		t.query += text
	default:
		t.query += "&" + text
	}
}

// String is the URL as a Request has it.
func (t target) String() string {
	path := t.path
	if path == "" && t.query != "" && request.VariableLength(t.origin) < len(t.origin) {
		path = "/"
	}
	return t.origin + path + t.query
}
