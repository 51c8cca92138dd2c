// Package warning collects what a conversion could not carry over, had to
// change or made up. A warning is a feature, the names of what it is about and
// a place: the feature gives the stable code and the sentence. Names and places
// come from the source, so they are cleaned of secrets and bounded when the
// warnings are written; sentences hold nothing of it.
//
// Who warns: a reader of what the request model cannot hold, a writer of what
// its target cannot hold, a rewrite of what the other version cannot hold. So
// nothing is told twice, and what the target can hold is not told at all.
package warning

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Max is how many warnings are returned; one more counts the rest.
const Max = 100

// List collects warnings: one for each code and what it is about, with the
// places of it. The zero value is empty and ready; places of a document are
// looked up in what Source was given. A nil List takes warnings and drops them.
type List struct {
	// Budget pays for each time that something is told.
	Budget *budget.Budget
	// Clean takes secrets out of a text that is shown; nil leaves it as it is.
	Clean func(text string) string

	document document
	kept     []*group
	groups   map[uint64]*group   // nil for those beyond Max
	told     map[uint64]struct{} // by group and place
	shown    map[string]bool     // codes with at least one kept group
	secrets  Secrets
}

// group is a warning: the places of one thing.
type group struct {
	Feature
	names []string // of what it is about
	first bool     // of its code
	parts []part
	more  int // places that are not among the parts
}

// Source says which document is converted, before anything changes it.
func (l *List) Source(root *tree.Value) {
	if l != nil {
		l.document = document{root: root, source: outlineOf(root, l.Budget)}
	}
}

// Written says that places are now those of a document that was written, and
// is rewritten for its target.
func (l *List) Written(root *tree.Value) {
	if l != nil {
		l.document = document{root: root}
	}
}

var seed = maphash.MakeSeed()

// Add notes that the feature at the place is lost or changed. The same feature
// at the same place is noted once.
func (l *List) Add(f Feature, at *Place) { l.AddNamed(f, at) }

// AddNamed notes what the feature is about, too: names of options, members,
// media types, and values that can be no secret.
func (l *List) AddNamed(f Feature, at *Place, names ...string) {
	l.AddPlaces(f, []*Place{at}, names...)
}

// AddMember notes a feature that is about the member of a place: at is the
// member's own place.
func (l *List) AddMember(f Feature, at *Place) {
	switch {
	case l == nil:
	case at == nil || at.Shell():
		l.Add(f, at)
	case at.name != "":
		l.AddNamed(f, at.parent, at.name)
	default:
		names := l.document.locate(at)
		l.AddNamed(f, at.parent, names[max(0, len(names)-1):]...)
	}
}

// UnknownOption notes an option of a command that is not known. name is as
// written, with its dashes; what could be a value behind it is not shown.
func (l *List) UnknownOption(name string, at *Place) {
	if shown := optionName(name); shown != "" {
		l.AddNamed(unknownOption, at, shown)
	} else {
		l.Add(unknownOption, at)
	}
}

// toldParts is what it costs to tell something, also something known.
const toldParts = 4

// AddPlaces notes a feature that is about several places together.
func (l *List) AddPlaces(f Feature, places []*Place, names ...string) {
	if l == nil {
		return
	}
	l.Budget.Parts(toldParts*len(places) + len(names))
	if l.groups == nil {
		l.groups, l.told, l.shown = map[uint64]*group{}, map[uint64]struct{}{}, map[string]bool{}
	}
	var h maphash.Hash
	h.SetSeed(seed)
	h.WriteString(f.code)
	for _, name := range names {
		l.Budget.Text(len(name))
		h.WriteString(name)
		h.WriteByte(0)
	}
	key := h.Sum64()
	for _, at := range places {
		h.Reset()
		h.Write(binary.NativeEndian.AppendUint64(nil, key))
		at.hash(&h)
		if _, twice := l.told[h.Sum64()]; twice {
			continue
		}
		l.told[h.Sum64()] = struct{}{}
		if g := l.group(key, f, names); g != nil && at != nil {
			g.at(at, &l.document)
		}
	}
}

// group returns the warning of a key, nil for one beyond Max.
func (l *List) group(key uint64, f Feature, names []string) *group {
	g, known := l.groups[key]
	if !known {
		// The first of each code is kept even when there is no room for others
		// of its code, so that no kind of loss goes untold behind a frequent one.
		first := !l.shown[f.code]
		l.shown[f.code] = true
		if first || len(l.kept) < Max {
			g = &group{Feature: f, names: names, first: first}
			l.kept = append(l.kept, g)
		}
		l.groups[key] = g
	}
	return g
}

// Strings returns the warnings in the order in which each was first noted, the
// one about secrets in front; at most Max and then one that counts the rest.
// When there are more, the first of every code is among those returned.
func (l *List) Strings() []string {
	if l == nil {
		return nil
	}
	var out []string
	if text := l.secrets.text(); text != "" {
		out = append(out, secretsReplaced.code+": "+text)
	}
	room := Max - len(out)
	spare := room
	for _, g := range l.kept {
		if g.first {
			spare--
		}
	}
	shown := 0
	for _, g := range l.kept {
		if !g.first {
			if spare <= 0 {
				continue
			}
			spare--
		}
		if shown == room {
			break
		}
		out = append(out, g.text(l.Clean))
		shown++
	}
	if rest := len(l.groups) - shown; rest > 0 {
		out = append(out, fmt.Sprintf("%s: %d further warnings are not listed.", moreWarnings.code, rest))
	}
	return out
}

// text is the warning as a line: code, names, places, sentence.
func (g *group) text(clean func(string) string) string {
	what, where := list(g.names, clean), g.where(clean)
	switch {
	case what == "" || where == "":
	case g.parts[0].line > 0:
		where = " (" + where + ")"
	default:
		where = " of " + where
	}
	if what+where != "" {
		where += ". "
	}
	return g.code + ": " + what + where + g.sentence
}

// maxNames is how many names of one warning are shown.
const maxNames = 12

// list writes names that stand together.
func list(names []string, clean func(string) string) string {
	shown := make([]string, 0, min(len(names), maxNames))
	for _, name := range names[:min(len(names), maxNames)] {
		if clean != nil {
			name = clean(name)
		}
		if !prints(name) {
			name = cut
		}
		if len(name) > maxName {
			name = strings.ToValidUTF8(name[:maxName], "") + cut
		}
		shown = append(shown, name)
	}
	return strings.Join(shown, ", ") + andMore(len(names)-len(shown))
}

func andMore(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

// Secrets counts what was recognised as one.
type Secrets struct {
	Replaced int // different secrets with a placeholder in the output
	Dropped  int // different secrets that the output has no place for
	Users    int // user names that went with those
}

// SecretsReplaced notes what became of secrets.
func (l *List) SecretsReplaced(s Secrets) {
	if l != nil {
		l.secrets = s
	}
}

func (s Secrets) text() string {
	var said []string
	if s.Replaced > 0 {
		said = append(said, plural(s.Replaced, "secret")+were(s.Replaced)+"replaced by placeholders")
	}
	var left []string
	if s.Dropped > 0 {
		left = append(left, plural(s.Dropped, "secret"))
	}
	if s.Users > 0 {
		left = append(left, plural(s.Users, "user name"))
	}
	if left != nil {
		said = append(said, strings.Join(left, " and ")+were(s.Dropped+s.Users)+"left out")
	}
	if len(said) == 0 {
		return ""
	}
	return strings.Join(said, ", ") + "; recognising secrets is incomplete, so review the output before sharing it."
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func were(n int) string {
	if n == 1 {
		return " was "
	}
	return " were "
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
	name, _, _ := strings.Cut(text[2:], "=")
	if name == "" || len(name) > 40 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return ""
	}
	return "--" + name
}
