package paste

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Patterns that no shell script contains: a sentence, an apostrophe inside a word, and words around a curl command.
var (
	sentence = expression.Lazy(`^(?:[-*>•]+ +|[0-9]+[.)] +)?[A-Z](?:` +
		`[A-Za-z]*,?(?: [A-Za-z(][A-Za-z'’)-]*,?){2,}[^|;&$=]*[.:!?]\*{0,2}$|[a-z]*,?(?: [a-z][a-z'’-]*,?){5})`)
	withCode   = expression.Lazy("^[A-Z][a-z]+ (?:[a-z]+ )*`[^`]+`.*[.:]$") // Run `curl …`, or download it:
	apostrophe = expression.Lazy(`[a-z]['’](?:t|s|re|ll|ve|d|m)(?:[ ,.;:!?)]|$)`)
	aroundCall = expression.Lazy(`^(?:[A-Za-z]+,? )*curl .*(?:https?://[^ '";|]+|['"])(?: [a-z]+,?){2,}[.:!?]?$|` +
		`^(?:[A-Za-z]+,? ){2,}curl .*(?:https?://[^ '"]+|['"])[.:!?]$`)
)

// Prose reports whether a line outside of Markdown blocks is natural language rather than a command, and whether it may
// contain a command or a value.
func Prose(line string) (is, holdsCommand bool) {
	line = strings.TrimSpace(line[:min(len(line), script.MaxToken)])
	if n := script.NameLength(line); strings.HasSuffix(line, `\`) || n > 0 && strings.HasPrefix(line[n:], "=") {
		return false, false
	}
	line, _, _ = strings.Cut(line, " # ")
	is = strings.Contains(line, "curl ") && aroundCall().MatchString(line)
	if !is && (strings.HasPrefix(line, "#") || IsPlainCommand(line)) {
		return false, false
	}
	is = is || sentence().MatchString(line) || withCode().MatchString(line)
	if !is && hasApostrophe(line) {
		at := apostrophe().FindStringIndex(line)
		is = at != nil && strings.Count(line[:at[0]], `"`)%2 == 0
	}
	return is, is && (strings.ContainsAny(line, "=|<>{$") || strings.Contains(line, "&&") || CallsCurl(line))
}

// OptionLine matches a line end and the option at the beginning of the next line. No command begins with an option, so
// it continues the line before.
var OptionLine = expression.Lazy(`^\n[ \t]*(--?[A-Za-z])`)

// hasApostrophe reports whether an apostrophe follows a letter. In a command it follows a blank or the end of a quoted string.
func hasApostrophe(line string) bool {
	for i := 1; i < len(line); i++ {
		if (line[i] == '\'' || strings.HasPrefix(line[i:], "’")) && words.IsLetter(line[i-1]) {
			return true
		}
	}
	return false
}
