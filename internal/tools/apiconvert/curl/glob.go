package curl

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// globToken matches the next part of a URL pattern: literal text, which includes variables and IPv6 addresses; an
// escaped brace or bracket (1); or a list, the {id} of a path parameter, or a range such as a-z, 1-9 or 001-100:3 (2). It
// doesn't match what curl rejects.
var globToken = expression.Lazy(`^(?:[^\\{}\[\]]+|\{\{[^{}\s](?:[^{}]*[^{}\s])?\}\}|\[(?:[0-9a-fA-F.%]*:){2}[0-9a-fA-F:.%]*\]|\[\]` +
	`|\\([{}\[\]])|\\|(\{[^{}\[\]]+\}|\[(?:[A-Za-z]-[A-Za-z]|[0-9]+-[0-9]+)(?::[0-9]+)?\]))`)

// literalURL returns a URL without the escapes of curl's URL patterns. It keeps a URL with lists or ranges as it is, and
// reports for a script as the target that it is a pattern.
func (op *operation) literalURL(text string) (url string, pattern bool) {
	if op.flags["globoff"] || !strings.ContainsAny(text, "{}[]") {
		return text, false
	}
	var literal strings.Builder
	for rest := text; rest != ""; {
		op.budget.Parts(budget.Entry)
		m := globToken().FindStringSubmatch(rest)
		if m == nil {
			op.note(warning.ChangedAddress, "braces or brackets that curl cannot expand")
			return text, false
		}
		pattern = pattern || strings.HasPrefix(m[2], "[") || strings.Contains(m[2], ",")
		literal.WriteString(cmp.Or(m[1], m[0]))
		rest = rest[len(m[0]):]
	}
	switch {
	case !pattern:
		return literal.String(), false
	case !op.toShell:
		op.note(warning.LostGlobbing, "--url")
	}
	return text, op.toShell
}
