package placeholder

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Host replaces the placeholders in the host and port of a URL by variables: http://HOST:PORT becomes
// http://{{host}}:{{port}}. A URL without a scheme gets http. The value of a variable is a valid host name or port that
// resembles the placeholder; it is empty if the variable replaces a whole URL.
func Host(url string) (string, []*request.Variable) {
	if IsURL(url) {
		v := &request.Variable{Name: name(url)}
		return "{{" + v.Name + "}}", []*request.Variable{v}
	}
	scheme, rest, found := strings.Cut(url, "://")
	if !found {
		scheme, rest = "http", url
	}
	end := strings.IndexByte(rest, '/')
	if end < 0 {
		end = len(rest)
	}
	start := strings.LastIndexByte(rest[:end], '@') + 1
	if end-start > maxHost {
		return url, nil
	}
	h := host{scheme: strings.ToLower(scheme)}
	replaced := h.replace(rest[start:end])
	if h.variables == nil {
		return url, nil
	}
	return scheme + "://" + rest[:start] + replaced + rest[end:], h.variables
}

// maxHost limits the host and port in which placeholders are replaced, in bytes. A host name has at most 253 (RFC 1123,
// section 2.1).
const maxHost = 1000

// IsURL reports whether a host without a scheme is a placeholder for a whole URL: MEILISEARCH_URL, <base-url>.
func IsURL(host string) bool {
	if strings.ContainsAny(host, "./:") || !isPlaceholder(host) {
		return false
	}
	list := words.Parts(host)
	return slices.Contains([]string{"url", "uri", "base", "endpoint"}, list[len(list)-1])
}

func isPlaceholder(text string) bool {
	return marked().FindString(text) == text && text != "" || isWord(text, []string{text})
}

// marked matches a short placeholder with markup: <name>, [name] and __NAME__. Brackets with a colon hold an IPv6 address.
var marked = expression.Lazy(`<[A-Za-z][^<>/{}]{0,62}>|\[[A-Za-z][^\[\]/:{}]{0,62}\]|__[A-Za-z](?:_?[A-Za-z]){0,62}__`)

// host replaces the placeholders of one host.
type host struct {
	scheme    string
	variables []*request.Variable
}

func (h *host) replace(authority string) string {
	var b strings.Builder
	start := 0
	for _, at := range marked().FindAllStringIndex(authority, -1) {
		h.words(&b, authority[start:at[0]])
		h.variable(&b, authority[at[0]:at[1]])
		start = at[1]
	}
	h.words(&b, authority[start:])
	return b.String()
}

// words replaces the labels that are placeholders without markup.
func (h *host) words(b *strings.Builder, text string) {
	name, port, hasPort := strings.Cut(text, ":")
	labels := strings.Split(name, ".")
	for i, label := range labels {
		if i > 0 {
			b.WriteByte('.')
		}
		// Text next to markup or a variable is part of a label.
		complete := (i > 0 || b.Len() == 0) && !strings.ContainsAny(label, "{}")
		if complete && isWord(label, labels) {
			h.variable(b, label)
		} else {
			b.WriteString(label)
		}
	}
	if hasPort {
		b.WriteByte(':')
		if isCapitals(port) {
			h.variable(b, port)
		} else {
			b.WriteString(port)
		}
	}
}

func (h *host) variable(b *strings.Builder, text string) {
	v := &request.Variable{Name: name(text)}
	if strings.HasSuffix(b.String(), ":") {
		v.Value = Port(h.scheme)
	} else {
		v.Value = Label(text)
	}
	b.WriteString("{{" + v.Name + "}}")
	if !slices.ContainsFunc(h.variables, func(known *request.Variable) bool { return known.Name == v.Name }) {
		h.variables = append(h.variables, v)
	}
}

// Port returns the default port of a scheme.
func Port(scheme string) string {
	if scheme == "https" {
		return "443"
	}
	return "80"
}

// Label returns a label of a host name (RFC 1123, section 2.1) that resembles text: your-instance for YOUR_INSTANCE.
func Label(text string) string {
	label := strings.ToLower(strings.Join(slices.Collect(words.Fields(text)), "-"))
	if label == "" || len(label) > maxLabel {
		return "localhost"
	}
	return label
}

// maxLabel is the maximum length of a label (RFC 1035, section 2.3.4).
const maxLabel = 63

// name returns the name of a variable: instance for YOUR_INSTANCE, projectRef for <projectRef>.
func name(text string) string {
	list := slices.Collect(words.Fields(text))
	if split := words.Split(strings.Join(list, "_")); len(split) > 1 && (split[0] == "your" || split[0] == "my") {
		list = split[1:]
	} else if len(list) == 1 && len(list[0]) > len("your") && strings.HasPrefix(strings.ToLower(text), "your") {
		list = []string{text[len("your"):]}
	}
	name := strings.Join(list, "_")
	if strings.ToUpper(name) == name || len(list) > 1 {
		name = strings.ToLower(name)
	}
	return name
}

// isWord reports whether a label is a placeholder without markup. Host names are written in lower case and have no
// underscores, so words in capitals are placeholders: all that have an underscore, those next to labels in lower case,
// and others if they name a part of a URL. In lower case, only your-domain and the like are.
func isWord(label string, labels []string) bool {
	if rest, ok := strings.CutPrefix(strings.ToLower(label), "your"); ok && rest != "" && len(label) <= maxLabel {
		noun := strings.TrimLeft(rest, "-_")
		return len(noun) < len(rest) && noun != "" || nouns[noun]
	}
	if !isCapitals(label) || label == "LOCALHOST" || label == "WWW" || label == "API" {
		return false
	}
	if strings.Contains(label, "_") {
		return true
	}
	if len(labels) > 1 {
		return strings.ContainsFunc(strings.Join(labels, ""), func(c rune) bool { return c >= 'a' && c <= 'z' })
	}
	list := words.Parts(strings.TrimRight(label, "0123456789"))
	return nouns[list[len(list)-1]]
}

// isCapitals reports whether text consists of at least two capital letters, and digits, hyphens and underscores after
// the first.
func isCapitals(text string) bool {
	return len(text) > 1 && len(text) <= maxLabel && text[0] >= 'A' && text[0] <= 'Z' &&
		strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" && strings.Trim(text[1:], "0123456789_-") != ""
}

// nouns are the words for a part of a URL, or for its owner.
var nouns = words.Set(`account address app base cluster company domain endpoint gateway host hostname instance ip node org
	organization project region server service shop site store subdomain team tenant uri url website workspace`)
