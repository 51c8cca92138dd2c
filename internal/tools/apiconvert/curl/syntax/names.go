package syntax

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// Names gives variables the names that they have in a script. The zero value is
// ready.
type Names struct {
	Used    []string // in the order in which they are first used
	Renamed []string // "NAME to API_NAME"
	names   map[string]string
	numbers map[string]int // the last number behind a name
	taken   map[string]bool
}

// Take keeps a name from being given to a variable.
func (n *Names) Take(name string) {
	if n.taken == nil {
		n.taken = map[string]bool{}
	}
	n.taken[name] = true
}

// Taken reports whether a name was taken or given.
func (n *Names) Taken(name string) bool { return n.taken[name] }

// Of returns the shell variable for a variable of the source, which may be nil, and
// notes that it is used.
func (n *Names) Of(name string, v *request.Variable) string {
	if known, ok := n.names[name]; ok {
		return known
	}
	if n.names == nil {
		n.names, n.numbers = map[string]string{}, map[string]int{}
	}
	base := ShellName(name, v)
	unique := base
	for n.taken[unique] {
		n.numbers[base]++
		unique = base + "_" + strconv.Itoa(n.numbers[base]+1)
	}
	n.Take(unique)
	n.names[name] = unique
	n.Used = append(n.Used, unique)
	if base == ownPrefix+name {
		n.Renamed = append(n.Renamed, name+" to "+unique)
	}
	return unique
}

// Given returns the shell variable that Of returned for a name.
func (n *Names) Given(name string) string { return n.names[name] }

// IsName reports whether a shell allows a text as a variable's name.
func IsName(text string) bool { return shellNames().MatchString(text) }

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

// ShellName returns the shell variable for a variable of the source. A shell
// script's own variables keep their names. Any other name is chosen by whoever
// wrote the document, so one that the user's environment may hold gets a prefix:
// otherwise a document could send AWS_SECRET_ACCESS_KEY to its server. A name
// that was generated for a secret is in upper case, as environment variables are.
func ShellName(name string, v *request.Variable) string {
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
