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
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Max is how many warnings are returned; one more counts the rest.
const Max = 100

// maxThings is how many things one warning names; it counts the others.
const maxThings = 10

// List collects warnings: one for each code, with the names and places of what it
// is about. The zero value is empty and ready to use; places in a document are
// looked up in what Source was given. A nil List drops warnings.
type List struct {
	// Budget pays for each call of Add.
	Budget *budget.Budget
	// Clean removes secrets from a text that is shown; nil leaves it as it is.
	Clean func(text string) string

	document document
	codes    []*code
	byCode   map[string]*code
	groups   map[uint64]*group   // by code and names; nil for those that are only counted
	told     map[uint64]struct{} // by group and place
	secrets  Secrets
}

// code is a warning: the groups of one feature.
type code struct {
	Feature
	groups []*group
	more   int // things in groups that are not kept
}

// group is what is known of the same names: the places.
type group struct {
	names []string // of what it is about
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
		l.groups, l.told, l.byCode = map[uint64]*group{}, map[uint64]struct{}{}, map[string]*code{}
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
		switch g := l.group(key, f, names); {
		case g == nil:
			l.byCode[f.code].more++
		case at != nil:
			g.at(at, &l.document)
		}
	}
}

// group returns the group of a key, nil for one that is only counted.
func (l *List) group(key uint64, f Feature, names []string) *group {
	g, known := l.groups[key]
	if known {
		return g
	}
	of := l.byCode[f.code]
	if of == nil {
		of = &code{Feature: f}
		l.byCode[f.code] = of
		l.codes = append(l.codes, of)
	}
	if len(of.groups) < maxThings {
		g = &group{names: names}
		of.groups = append(of.groups, g)
	}
	l.groups[key] = g
	return g
}

// Strings returns the warnings, the most important first: the one about secrets,
// what is lost, what is changed, what is added.
func (l *List) Strings() []string {
	if l == nil {
		return nil
	}
	var out []string
	if text := l.secrets.text(); text != "" {
		out = append(out, secretsReplaced.code+": "+text)
	}
	codes := slices.Clone(l.codes)
	slices.SortStableFunc(codes, func(a, b *code) int { return cmp.Compare(a.rank(), b.rank()) })
	for i, c := range codes {
		if len(out) == Max {
			return append(out, fmt.Sprintf("%s: %d further warnings are not listed.", moreWarnings.code, len(codes)-i))
		}
		out = append(out, c.text(l.Clean))
	}
	return out
}

// rank orders codes by importance.
func (c *code) rank() int {
	switch kind, _, _ := strings.Cut(c.code, "."); kind {
	case "changed":
		return 1
	case "added":
		return 2
	}
	return 0
}

// text is the warning as a line: code, things, sentence. Names with the same places
// are listed together.
func (c *code) text(clean func(string) string) string {
	var things []string
	room, more := maxThings, c.more
	for i := 0; i < len(c.groups); i++ {
		g := c.groups[i]
		where := g.where(room, clean)
		names := slices.Clone(g.names)
		for ; i+1 < len(c.groups) && where != "" && len(names) > 0 && len(c.groups[i+1].names) > 0 && c.groups[i+1].where(room, clean) == where; i++ {
			names = append(names, c.groups[i+1].names...)
		}
		if room <= 0 {
			more += max(1, len(g.parts)+g.more)
			continue
		}
		shown := min(room, len(g.parts))
		room -= max(1, shown)
		more += len(g.parts) - shown + g.more
		what := list(names, clean)
		switch {
		case what == "" || where == "":
		case g.parts[0].line > 0:
			where = " (" + where + ")"
		default:
			where = " of " + where
		}
		if what+where != "" {
			things = append(things, what+where)
		}
	}
	line := strings.Join(things, "; ")
	if line != "" {
		line += andMore(more) + ". "
	}
	return c.code + ": " + line + c.sentence
}

// maxNames is how many names of one warning are shown.
const maxNames = maxThings

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
		said = append(said, plural(s.Replaced, "secret")+were(s.Replaced)+"replaced by "+placeholders(s.Replaced))
	}
	var left []string
	if s.Dropped > 0 {
		left = append(left, plural(s.Dropped, "secret"))
	}
	if s.Users > 0 {
		left = append(left, plural(s.Users, "user name"))
	}
	if left != nil {
		said = append(said, strings.Join(left, " and ")+were(s.Dropped+s.Users)+"dropped")
	}
	if len(said) == 0 {
		return ""
	}
	return strings.Join(said, ", ") + ". Detection is not complete: review the output before sharing it."
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func placeholders(n int) string {
	if n == 1 {
		return "a placeholder"
	}
	return "placeholders"
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
