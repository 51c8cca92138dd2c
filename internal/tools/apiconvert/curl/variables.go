package curl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// scope is where a variable's name means one thing: a server, or, with nil,
// the whole API.
type scope struct {
	server *request.Server
	name   string
}

// variables puts the values of the model's variables in their places, and
// gives those without a value names that a shell allows.
type variables struct {
	known    map[scope]*request.Variable
	budget   *budget.Budget
	names    map[string]string
	numbers  map[string]int // the last number behind a shell name
	used     []string       // shell names, in the order in which they are first used
	renamed  []string       // "NAME to API_NAME"
	taken    map[string]bool
	open     map[scope]bool  // being expanded: a variable that needs itself stays
	expanded int             // bytes that values have been put in for
	keys     map[string]bool // those that hold an API key and do not say so
	dynamic  []string        // values that Postman makes up and the request uses, the first of them
}

// maxExpanded bounds what values make of a source, maxDynamic how many values
// that Postman makes up are told of one request.
const (
	maxExpanded = 4 << 20
	maxDynamic  = 20
)

func newVariables(api *request.API, b *budget.Budget) *variables {
	v := &variables{
		budget: b, numbers: map[string]int{},
		known: map[scope]*request.Variable{}, names: map[string]string{},
		taken: map[string]bool{}, open: map[scope]bool{}, keys: map[string]bool{},
	}
	add := func(server *request.Server, list []*request.Variable) {
		for _, x := range list {
			if key := (scope{server, x.Name}); v.known[key] == nil && !x.Disabled {
				v.known[key] = x
			}
		}
	}
	add(nil, api.Variables)
	for _, s := range api.Servers {
		add(s, s.Variables)
	}
	return v
}

// find returns the variable of a name in the text of a server (nil: in any
// other text), nil when it is not known.
func (v *variables) find(server *request.Server, name string) (scope, *request.Variable) {
	key := scope{server, name}
	if server == nil || v.known[key] == nil {
		key.server = nil
	}
	return key, v.known[key]
}

// expand puts known values in for the variables of a text of a server (nil:
// any other text). Secrets and variables without a value stay.
func (v *variables) expand(server *request.Server, text string) string {
	if !strings.Contains(text, "{{") {
		return text
	}
	var out strings.Builder
	for _, part := range request.Split(text) {
		v.budget.Parts(1)
		if part.Kind != request.VariablePart {
			out.WriteString(part.Text)
			continue
		}
		key, x := v.find(server, part.Text)
		if x == nil || x.Value == "" || x.Secret || v.open[key] || v.expanded > maxExpanded || len(v.open) > 50 {
			out.WriteString("{{" + part.Text + "}}")
			continue
		}
		v.open[key] = true
		value := v.expand(key.server, x.Value)
		delete(v.open, key)
		v.expanded += len(value)
		v.budget.Bytes(len(value))
		out.WriteString(value)
	}
	return out.String()
}

// name returns the shell name of a variable.
func (v *variables) name(name string) string {
	if strings.HasPrefix(name, "$") && len(v.dynamic) < maxDynamic && !slices.Contains(v.dynamic, name) {
		v.dynamic = append(v.dynamic, name)
	}
	if known, ok := v.names[name]; ok {
		return known
	}
	base := shellName(name, v.known[scope{nil, name}])
	unique := base
	for v.taken[unique] {
		v.numbers[base]++
		unique = base + "_" + strconv.Itoa(v.numbers[base]+1)
	}
	v.taken[unique] = true
	v.names[name] = unique
	v.used = append(v.used, unique)
	if base == ownPrefix+name {
		v.renamed = append(v.renamed, name+" to "+unique)
	}
	return unique
}

// maxShellName bounds a generated name.
const maxShellName = 60

// A name as POSIX allows it (XBD 3.216), what it allows nowhere, and where a word
// of a name in camel case begins.
var (
	shellNames = expression.Lazy(`^[A-Za-z_][A-Za-z0-9_]*$`)
	noLetters  = expression.Lazy(`[^A-Za-z0-9]+`)
	lowerUpper = expression.Lazy(`([a-z0-9])([A-Z])`)
	upperWord  = expression.Lazy(`([A-Z])([A-Z][a-z])`)
)

// ownPrefix begins the names of variables that would otherwise be invalid or could
// be set in the user's environment.
const ownPrefix = "API_"

// shellName returns the shell variable for a variable of the source. A shell
// script's own variables keep their names. Any other name is chosen by whoever
// wrote the document, so one that the user's environment may hold gets a prefix:
// otherwise a document could send AWS_SECRET_ACCESS_KEY to its server. A name
// that was generated for a secret is in upper case, as environment variables are.
func shellName(name string, v *request.Variable) string {
	generated := v != nil && v.Invented
	made := name
	if !shellNames().MatchString(name) || len(name) > maxShellName || generated {
		if generated {
			made = upperWord().ReplaceAllString(lowerUpper().ReplaceAllString(made, "${1}_${2}"), "${1}_${2}")
			made = strings.ToUpper(made)
		}
		made = strings.TrimLeft(noLetters().ReplaceAllString(made, "_"), "_")
		made = strings.TrimRight(made[:min(len(made), maxShellName)], "_")
	}
	switch {
	case made == "":
		return "VALUE"
	case v != nil && v.Shell:
		return made
	case made[0] >= '0' && made[0] <= '9', isEnvironmentName(made):
		return ownPrefix + made
	}
	return made
}

func isUpper(c byte) bool        { return c >= 'A' && c <= 'Z' }
func isLowerOrDigit(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// unknownServer is the variable for a server that no source names.
func (v *variables) unknownServer() string {
	if v.known[scope{nil, "baseUrl"}] != nil || v.known[scope{nil, "BASE_URL"}] != nil {
		return "{{SERVER_URL}}" // the other is something else
	}
	return "{{BASE_URL}}"
}

// word appends a text as one word of the shell: in single quotes, with the
// variables outside of them; in double quotes when variables stand in text
// that means nothing there.
func (v *variables) word(dst []byte, text string) []byte {
	text = strings.ReplaceAll(v.expand(nil, text), "\x00", "") // which no argument can hold
	parts := request.Split(text)
	if !slices.ContainsFunc(parts, func(p request.Part) bool { return p.Kind == request.VariablePart }) {
		return singleQuoted(dst, text)
	}
	if slices.ContainsFunc(parts, func(p request.Part) bool {
		return p.Kind == request.LiteralPart && strings.ContainsAny(p.Text, "\"$`\\!\n")
	}) {
		for _, p := range parts {
			if p.Kind == request.VariablePart {
				dst = append(append(append(dst, `"$`...), v.name(p.Text)...), '"')
			} else {
				dst = singleQuoted(dst, p.Text)
			}
		}
		return dst
	}
	dst = append(dst, '"')
	for i, p := range parts {
		switch {
		case p.Kind == request.LiteralPart:
			dst = append(dst, p.Text...)
		case i+1 < len(parts) && parts[i+1].Kind == request.LiteralPart && wordByte(parts[i+1].Text[0]) || len(parts) > 1 && i == 0:
			dst = append(append(append(dst, "${"...), v.name(p.Text)...), '}')
		default:
			dst = append(append(dst, '$'), v.name(p.Text)...)
		}
	}
	return append(dst, '"')
}

func wordByte(c byte) bool { return c == '_' || c == '[' || isUpper(c) || isLowerOrDigit(c) }

// singleQuoted appends a text in single quotes (XCU 2.2.2).
func singleQuoted(dst []byte, text string) []byte {
	return append(append(append(dst, '\''), strings.ReplaceAll(text, "'", `'\''`)...), '\'')
}
