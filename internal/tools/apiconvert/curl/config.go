package curl

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// configLine matches a line of a -K file: an option with or without its dashes, and its argument, which may be quoted.
// After a name without dashes, = or a colon is optional.
var (
	configLine    = expression.Lazy(`^[ \t]*(?:(-[^ \t\r\n]+)|([^ \t\r\n=:#]+)[ \t]*[=:]?)[ \t]*(?:"((?:[^"\\]|\\.)*)|([^ \t\r\n]*))`)
	configEscapes = strings.NewReplacer(`\t`, "\t", `\n`, "\n", `\r`, "\r", `\v`, "\v", `\\`, `\`, `\"`, `"`)
)

// config returns the options of a -K file as words of the command line, each with its argument.
func (op *operation) config(text string) (words []syntax.Word) {
	for line := range strings.Lines(text) {
		op.budget.Parts(1)
		m := configLine().FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(m[1]+m[2], "#") {
			continue
		}
		name := strings.TrimLeft(m[1]+m[2], "-")
		o := syntax.Long(name)
		if len(name) == 1 {
			if o = syntax.Letter(rune(name[0])); o != nil {
				name = o.Name
			}
		}
		if o == nil || o.HasArgument {
			name += "=" + configEscapes.Replace(m[3]) + m[4]
		}
		words = append(words, syntax.Word{Text: "--" + name})
	}
	return words
}
