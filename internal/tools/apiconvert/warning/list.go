// Package warning collects what a conversion could not carry over or had to
// change. A warning is a feature and a place: the feature gives the stable
// code and the sentence, the place says where by structure. Neither can hold a byte of the source.
//
// Who warns: a reader of what the request model cannot hold, a writer of what
// its target cannot hold, a rewrite of what the other version cannot hold. So
// nothing is told twice, and what the target can hold is not told at all.
package warning

import (
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// Max is how many warnings are returned; one more counts the rest.
const Max = 100

// List collects warnings. The zero value is empty and ready. A nil List takes
// warnings and drops them.
type List struct {
	// Budget pays for each time that something is told.
	Budget *budget.Budget

	kept    []entry
	seen    map[uint64]struct{}
	shown   map[string]bool // codes with at least one kept entry
	count   int             // different warnings, kept or not
	secrets int
}

type entry struct {
	code, text string
	first      bool // of its code
}

var seed = maphash.MakeSeed()

// Add notes that the feature at the place is lost or changed. The same feature
// at the same place is noted once.
func (l *List) Add(f Feature, at *Place) {
	if l != nil {
		l.add(f.code, f.sentence, at.String())
	}
}

// UnknownOption notes an option of a command that is not known. name is as
// written, with its dashes; what could be a value behind it is not shown.
func (l *List) UnknownOption(name string, at *Place) {
	if l == nil {
		return
	}
	if shown := optionName(name); shown != "" {
		l.add("unknown_option", "The option "+shown+" is not known and was left out.", at.String())
		return
	}
	l.add("unknown_option", "An option is not known and was left out.", at.String())
}

// maxTemplate is how many bytes of a path template are shown.
const maxTemplate = 200

// PathTemplate notes that paths are written as a template, which is the
// caller's own text after its secrets were replaced.
func (l *List) PathTemplate(template string, at *Place) {
	if l == nil {
		return
	}
	if len(template) > maxTemplate {
		template = strings.ToValidUTF8(template[:maxTemplate], "") + "…"
	}
	l.add(pathTemplate.code, strings.TrimSuffix(pathTemplate.sentence, ".")+": "+template, at.String())
}

// optionName cuts an option to its name: a dash and a letter, or two dashes
// and up to 40 lower-case letters, digits and hyphens. Anything else may be a
// value and gives "".
func optionName(text string) string {
	if len(text) < 2 || text[0] != '-' {
		return ""
	}
	if text[1] != '-' {
		if c := text[1] | 0x20; c < 'a' || c > 'z' {
			return ""
		}
		return text[:2]
	}
	end := 2
	for end < len(text) && text[end] != '=' {
		if c := text[end]; c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return ""
		}
		end++
	}
	if end < 3 || end > 42 {
		return ""
	}
	return text[:end]
}

// SecretsReplaced notes that n different secrets were replaced.
func (l *List) SecretsReplaced(n int) {
	if l != nil {
		l.secrets += n
	}
}

// toldParts is what it costs to tell something, also something known.
const toldParts = 4

func (l *List) add(code, sentence, place string) {
	l.Budget.Parts(toldParts)
	if l.seen == nil {
		l.seen, l.shown = map[uint64]struct{}{}, map[string]bool{}
	}
	text := code + ": " + sentence + " (" + place + ")"
	key := maphash.String(seed, text)
	if _, twice := l.seen[key]; twice {
		return
	}
	l.seen[key] = struct{}{}
	l.count++
	// The first of each code is kept even when there is no room for others of
	// its code, so that no kind of loss goes untold behind a frequent one.
	first := !l.shown[code]
	l.shown[code] = true
	if first || len(l.kept) < Max {
		l.kept = append(l.kept, entry{code, text, first})
	}
}

// Strings returns the warnings in the order they were noted, the one about
// secrets first; at most Max and then one that counts the rest. When there are
// more, the first of every code is among those returned.
func (l *List) Strings() []string {
	if l == nil {
		return nil
	}
	var out []string
	if l.secrets > 0 {
		out = append(out, fmt.Sprintf("secrets_replaced: %s replaced by placeholders; recognising secrets is incomplete, so review the output before sharing it.", plural(l.secrets)))
	}
	room := Max - len(out)
	spare := room
	for _, e := range l.kept {
		if e.first {
			spare--
		}
	}
	shown := 0
	for _, e := range l.kept {
		if !e.first {
			if spare <= 0 {
				continue
			}
			spare--
		}
		if shown == room {
			break
		}
		out = append(out, e.text)
		shown++
	}
	if rest := l.count - shown; rest > 0 {
		out = append(out, fmt.Sprintf("more_warnings: %d further warnings are not listed.", rest))
	}
	return out
}

func plural(n int) string {
	if n == 1 {
		return "1 secret was"
	}
	return fmt.Sprintf("%d secrets were", n)
}
