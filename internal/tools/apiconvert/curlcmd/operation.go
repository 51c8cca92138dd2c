package curlcmd

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// operation is what one stretch of arguments, up to --next, asks for.
type operation struct {
	stdin    *input // shared by the operations of a command
	fileName func() string
	budget   *budget.Budget
	patterns bool // an address with patterns stays one request

	urls    []string
	open    []int // the indexes of URLs that may be options, see positional
	uploads []string

	flags map[string]bool   // --get, --globoff, --head, --path-as-is
	texts map[string]string // the last argument of -X, -A, -e, -r, -u, --proto-default

	headers   []Header
	cookies   []string
	queries   []string
	parts     []DataPart
	json      bool // --json has been used
	fields    []FormField
	schemes   map[Scheme]bool
	token     string
	signature string
	resume    string // the Range of -C

	variables map[string]string // of --variable
	expanded  int               // bytes that they have been put in
	settings  []Setting
	given     map[*option]bool // the flags among them, and whether they are on
	notes     []Note
	informs   bool // --help, --version: curl sends nothing
}

// note adds a note that is not there yet.
func (op *operation) note(n Note) {
	if slices.Contains(op.notes, n) {
		return
	}
	// The features are few; unknown options are the user's and are not.
	const most = 100
	if len(op.notes) < most {
		op.notes = append(op.notes, n)
	}
}

func (op *operation) lost(feature, option string) {
	op.note(Note{Kind: Lost, Feature: feature, Option: option})
}

func (op *operation) changed(feature, option string) {
	op.note(Note{Kind: Changed, Feature: feature, Option: option})
}

// url takes --url.
func (op *operation) url(u use) {
	if strings.HasPrefix(u.arg, "@") { // curl 8.13: a file of URLs
		op.lost("url_file", u.name)
		return
	}
	op.urls = append(op.urls, u.arg)
}

// settle decides which words are URLs.
func (op *operation) settle() {
	if len(op.open) > 0 && len(op.urls) > 1 {
		keep := -1 // no open word, unless there is nothing else
		if len(op.open) == len(op.urls) {
			keep = op.mostLikelyURL()
		}
		op.dropOpen(keep)
	}
}

// mostLikelyURL is the index of the word whose variable is named like a URL,
// or the last.
func (op *operation) mostLikelyURL() int {
	for i, text := range op.urls {
		text = strings.ToLower(text)
		for _, word := range []string{"url", "uri", "endpoint", "host", "server"} {
			if strings.Contains(text, word) {
				return i
			}
		}
	}
	return len(op.urls) - 1
}

func (op *operation) dropOpen(keep int) {
	op.lost("arguments", "")
	urls := op.urls[:0]
	for i, text := range op.urls {
		if len(op.open) > 0 && op.open[0] == i {
			op.open = op.open[1:]
			if i != keep {
				continue
			}
		}
		urls = append(urls, text)
	}
	op.urls = urls
}

// auth takes the options that choose a scheme.
func (op *operation) auth(u use) {
	switch u.name {
	case "anyauth":
		op.schemes = map[Scheme]bool{Basic: true, Digest: true}
	case "oauth2-bearer":
		put(&op.schemes, Bearer, true)
		op.token = u.arg
	case "aws-sigv4":
		put(&op.schemes, AWSSigV4, true)
		op.signature = u.arg
	case "ntlm-wb":
		put(&op.schemes, NTLM, u.on)
	default:
		put(&op.schemes, Scheme(u.name), u.on)
	}
}

// scheme is the scheme that the options leave; basic when none was chosen.
func (op *operation) scheme() Scheme {
	var chosen []Scheme
	for _, s := range []Scheme{Basic, Digest, NTLM, Negotiate, AWSSigV4} {
		if op.schemes[s] {
			chosen = append(chosen, s)
		}
	}
	switch len(chosen) {
	case 0:
		return Basic
	case 1:
		return chosen[0]
	}
	return AnyAuth
}

// authentication works out how one request authenticates. user and password
// are the URL's own; -u goes before them.
func (op *operation) authentication(user string) Auth {
	if op.hasHeader("Authorization") {
		return Auth{}
	}
	if op.schemes[Bearer] {
		return Auth{Scheme: Bearer, Token: op.token}
	}
	if text, ok := op.texts["user"]; ok {
		a := Auth{Scheme: op.scheme(), Signature: op.signature}
		a.User, a.Password, a.HasPassword = strings.Cut(text, ":")
		return a
	}
	if user != "" {
		a := Auth{Scheme: op.scheme(), Signature: op.signature, HasPassword: true}
		name, password, _ := strings.Cut(user, ":")
		a.User, a.Password = percentDecoded(name), percentDecoded(password)
		return a
	}
	return Auth{}
}

// continueAt takes -C: from a known offset on it is a Range.
func (op *operation) continueAt(u use) {
	if u.arg == "-" {
		op.lost("resume", u.name)
		return
	}
	op.resume = u.arg + "-"
}

// variable takes --variable name=content; what comes from the environment or
// a file stays {{name}}.
func (op *operation) variable(u use) {
	name, content, ok := strings.Cut(u.arg, "=")
	if strings.HasPrefix(u.arg, "%") || !ok || strings.Contains(name, "@") || strings.Contains(name, "[") {
		return
	}
	put(&op.variables, name, content)
}

// maxExpanded bounds what --variable puts into an operation; beyond it the
// {{name}} stays.
const maxExpanded = 1 << 20

// expandVariables replaces the {{name}} of --expand-…; a function behind the
// name, as in {{name:url}}, is left out and told.
func (op *operation) expandVariables(text string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{{")
		inner, after, closed := strings.Cut(rest, "}}")
		if !ok || !closed {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(before)
		name, _, functions := strings.Cut(inner, ":")
		content, known := op.variables[name]
		if functions {
			op.lost("expand_function", "variable")
		}
		op.expanded += len(content)
		if known && !functions && op.expanded <= maxExpanded {
			op.budget.Bytes(len(content))
			out.WriteString(content)
		} else {
			out.WriteString("{{" + name + "}}")
		}
		text = after
	}
}
