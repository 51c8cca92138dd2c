package curl

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

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
