package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Patterns for a rule, a variable definition and the references of make (GNU make, sections 2.1, 6.5 and 6.1).
var (
	makeRule      = expression.Lazy(`^([A-Za-z0-9_./%$(){} -]+?)\s*::?(?:[^=]|$)`)
	makeVariable  = expression.Lazy(`^(?:export +|override +)?([A-Za-z_][A-Za-z0-9_]*)\s*(\?|:{1,3}|\+|!)?=\s*(.*)$`)
	notMake       = expression.Lazy("^(?:[=-]{3,}$|[^$]*`|[A-Z][a-z' ]*$|[A-Z][^=$]* [^=$]*[.:]$)") // Markdown
	mentionsCurl  = expression.Lazy(`(?i)curl`)
	makeReference = expression.Lazy(`\$(?:\$|[@<^*?+%]|\(shell ([^()]*)\)|[({]([A-Za-z_][A-Za-z0-9_]*)[)}])`)
)

// Limits on the values that replace references, in bytes. References beyond them become shell variables.
const (
	maxValue   = 4 << 10  // of one variable
	maxInlined = 64 << 10 // of all references
)

// makeFile converts the recipes of a Makefile.
type makeFile struct {
	target  string            // of the current rule
	values  map[string]string // the values of variables so far
	inlined int               // counts towards maxInlined
}

func makefile(lines, script []string) (ok bool) {
	f := makeFile{values: map[string]string{}}
	rules, recipe := 0, false
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "\t") && f.target != "":
			var q quotes
			first := i
			script[i] = f.shell(strings.TrimLeft(line, "\t @+-"), &q)
			for continues(lines[i]) && i+1 < len(lines) {
				i++
				script[i] = f.shell(strings.TrimPrefix(lines[i], "\t"), &q)
			}
			recipe = recipe || slices.ContainsFunc(lines[first:i+1], mentionsCurl().MatchString)
		case strings.HasPrefix(line, "#"), isEmpty(line):
		default:
			if m := makeVariable().FindStringSubmatch(line); m != nil {
				first, value := i, m[3]
				for ; continues(value) && i+1 < len(lines) && len(value) <= maxValue; i++ {
					value = strings.TrimRight(value, "\\ \t") + " " + strings.TrimSpace(lines[i+1])
				}
				script[first] = f.define(m[1], m[2], value)
				continue
			}
			if notMake().MatchString(line) {
				return false
			}
			if m := makeRule().FindStringSubmatch(line); m != nil && line[0] != '.' {
				f.target, _, _ = strings.Cut(m[1], " ")
				_, about, _ := strings.Cut(line, "##")
				script[i] = "# " + cmp.Or(strings.TrimSpace(about), f.target)
				rules++
				// target: prerequisites; recipe
				if _, inline, ok := strings.Cut(line, ";"); ok && !strings.Contains(line, "##") {
					script[i] = f.shell(strings.TrimLeft(inline, " \t@+-"), &quotes{})
				}
			}
		}
	}
	return rules > 0 && recipe
}

// define defines a variable and returns its assignment in shell, or "" if its references are replaced by the value.
func (f *makeFile) define(name, operator, value string) string {
	value, _, _ = strings.Cut(value, " #")
	value = f.inline(strings.TrimSpace(value))
	if old := f.values[name]; operator == "+" && old != "" {
		value = old + " " + value
	}
	if operator == "!" || len(value) > maxValue {
		delete(f.values, name)
		return ""
	}
	f.values[name] = value
	if quotesArguments(value) {
		return ""
	}
	return assignment(name, unquoted(f.shell(value, &quotes{})), operator == "?")
}

// quotesArguments reports whether a value contains quotes that a shell must see, as in CURL = curl -H "A: b".
func quotesArguments(value string) bool { return strings.ContainsAny(unquoted(value), "\"'\\") }

// inline replaces references to variables that quote arguments by their values. make replaces text: a shell variable
// would make the quotes part of the arguments.
func (f *makeFile) inline(text string) string {
	return makeReference().ReplaceAllStringFunc(text, func(reference string) string {
		value, known := f.values[strings.Trim(reference, "$(){}")]
		if !known || !quotesArguments(value) || f.inlined+len(value) > maxInlined {
			return reference
		}
		f.inlined += len(value)
		return value
	})
}

// shell converts references of make to shell expansions.
func (f *makeFile) shell(text string, q *quotes) string {
	return q.replace(f.inline(text), makeReference(), func(m []string) string {
		switch {
		case m[0] == "$$":
			return "$"
		case m[0] == "$@":
			return f.target
		case m[0] == "$*":
			return "${stem}"
		case m[1] != "":
			return "$(" + m[1] + ")"
		case m[2] != "":
			return "${" + m[2] + "}"
		}
		return "${prerequisite}"
	})
}
