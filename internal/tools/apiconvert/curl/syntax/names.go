package syntax

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Names assigns shell names to variables. The zero value is ready to use.
type Names struct {
	Used    []string // in order of first use
	Renamed []string // "NAME to API_NAME"
	names   map[string]string
	taken   words.Unique
	used    map[string]bool
}

// Take reserves a name, so that Of doesn't return it for another variable.
func (n *Names) Take(name string) {
	n.allocate()
	n.taken.Take(name)
}

func (n *Names) allocate() {
	if n.names == nil {
		n.names, n.taken, n.used = map[string]string{}, words.Unique{}, map[string]bool{}
	}
}

// Taken reports whether a name is reserved or assigned.
func (n *Names) Taken(name string) bool { return n.taken[name] > 0 }

// Of returns the shell variable for a variable of the source and records its use. v may be nil.
func (n *Names) Of(name string, v *request.Variable) string {
	if known, ok := n.names[name]; ok {
		return known
	}
	n.allocate()
	base := ShellName(name, v)
	unique := n.taken.Separated(base, "_")
	n.names[name] = unique
	n.Use(unique)
	if base == ownPrefix+name {
		n.Renamed = append(n.Renamed, name+" to "+unique)
	}
	return unique
}

// Use records that the user must set a variable.
func (n *Names) Use(name string) {
	n.allocate()
	if !n.used[name] {
		n.used[name] = true
		n.Used = append(n.Used, name)
	}
}

// Given returns the shell variable that Of returned for a name.
func (n *Names) Given(name string) string { return n.names[name] }

// maxShellName limits the length of a generated name.
const maxShellName = 60

// Patterns for the characters that no name contains, and for the start of a camel-case word.
var (
	noLetters  = expression.Lazy(`[^A-Za-z0-9]+`)
	lowerUpper = expression.Lazy(`([a-z0-9])([A-Z])`)
	upperWord  = expression.Lazy(`([A-Z])([A-Z][a-z])`)
)

// ownPrefix is the prefix for names that would otherwise be invalid or could be set in the user's environment.
const ownPrefix = "API_"

// ShellName returns the shell variable for a variable of the source. A shell script's own variables keep their names.
// Other names come from an untrusted document, so a name that may be set in the user's environment gets a prefix.
// Otherwise a document could send AWS_SECRET_ACCESS_KEY to its server. A name that was generated for a secret is
// converted to upper case, like environment variables.
func ShellName(name string, v *request.Variable) string {
	generated := v != nil && v.Invented
	made := name
	if !script.IsName(name) || len(name) > maxShellName || generated {
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
