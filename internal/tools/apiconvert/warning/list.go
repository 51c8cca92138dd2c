package warning

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Feature is something that can be lost or changed. Clients match on its code, which is stable and begins with
// "lost.", "changed." (also for what was moved) or "added." (for generated defaults). Its sentence says what
// happened, not how to fix it. The features are generated from x-warnings of the OpenAPI document.
type Feature struct {
	code     string
	sentence string
}

// Code returns the stable code, without the colon that follows it in a warning.
func (f Feature) Code() string { return f.code }

// Max is the maximum number of warnings; one more counts the rest.
const Max = 100

// maxThings is how many names or places one warning lists; the rest are counted.
const maxThings = 10

// List collects warnings, one for each code, with the names and places that it is about. The zero value is empty and
// ready to use. Places in a document are looked up in the root that was passed to Source. A nil List drops warnings.
type List struct {
	// Budget is charged for each warning that is added.
	Budget *budget.Budget
	// Clean removes secrets from a name or pointer before it is shown; nil leaves it unchanged.
	Clean func(text string) string

	document *document
	codes    []*code
	byCode   map[string]*code
	groups   map[uint64]*group   // by code and names; nil for those that are only counted
	reported map[uint64]struct{} // by group and place
	secrets  Secrets
}

// code is a warning: the groups of one feature.
type code struct {
	Feature
	groups []*group
	more   int // names and places beyond the limit
	// counted is how many things of a kind the names are examples of, with the kind, or "".
	counted string
}

// group holds the places that share a feature and names.
type group struct {
	names []string // what the warning is about
	parts []part
	more  int // places that aren't in parts
}

// Source sets the document being converted, and charges the budget for it. It must be called before anything changes
// the document.
func (l *List) Source(doc *tree.Document) {
	l.document = &document{root: doc.Root, nodes: outline(doc, l.Budget)}
}

// Unchanged sets the document being converted if nothing changes it. It needs no memory for each value, of which a
// recording has millions.
func (l *List) Unchanged(doc *tree.Document) {
	l.document = &document{root: doc.Root}
}

// Written says that places now refer to a written document that is being rewritten for its target.
func (l *List) Written(doc *tree.Document) {
	if l != nil {
		doc.Number()
		l.document = &document{root: doc.Root, nodes: outline(doc, nil), written: true}
	}
}

// OfOutput reports whether places refer to a written document.
func (l *List) OfOutput() bool { return l != nil && l.document != nil && l.document.written }

var seed = maphash.MakeSeed()

// Add reports that a feature was lost or changed at a place. The same feature at the same place is reported once.
func (l *List) Add(f Feature, at Place) { l.AddNamed(f, at) }

// AddNamed is like Add and also names what was affected: options, members, media types and values that can't be
// secret.
func (l *List) AddNamed(f Feature, at Place, names ...string) {
	l.AddPlaces(f, []Place{at}, names...)
}

// Named is a name and the 1-based line of the script that it is in; 0 is no line.
type Named struct {
	Name string
	Line int
}

// AddLines reports names with the line of each or, if they are many, with the lines of all.
func (l *List) AddLines(f Feature, list []Named) {
	var distinct []Named
	var names []string
	var first, last int
	onLine, known := map[Named]bool{}, map[string]bool{}
	for _, n := range list {
		if !onLine[n] {
			onLine[n] = true
			distinct = append(distinct, n)
		}
		if !known[n.Name] {
			known[n.Name] = true
			names = append(names, n.Name)
		}
		if n.Line > 0 {
			first, last = min(cmp.Or(first, n.Line), n.Line), max(last, n.Line)
		}
	}
	if len(distinct) > MaxNames && first > 0 {
		l.AddNamed(f, Lines(first, last), names...)
		return
	}
	for _, n := range distinct {
		l.AddNamed(f, Line(n.Line), n.Name)
	}
}

// External reports the number of path items and operations that are in other files. kept says that the references to
// them are kept.
func (l *List) External(paths, operations int, kept bool) {
	feature := LostExternalOperations
	if kept {
		feature = ChangedExternalOperations
	}
	var counts []string
	if paths > 0 {
		counts = append(counts, Plural(paths, "path"))
	}
	if operations > 0 {
		counts = append(counts, Plural(operations, "operation"))
	}
	if counts != nil {
		l.AddNamed(feature, nil, strings.Join(counts, " and ")+" in other files")
	}
}

// Counted is a number of things of one kind, and the names that identify some of them.
type Counted struct {
	total int
	names []string // distinct
}

// Count adds a thing. named says that its name identifies it.
func (c *Counted) Count(name string, named bool) {
	c.total++
	if named && len(c.names) < maxDistinct && !slices.Contains(c.names, name) {
		c.names = append(c.names, name)
	}
}

// AddCounted reports all things of a kind in one warning: 13 schemas (Pet, Order and 11 more). None are not reported.
func (l *List) AddCounted(f Feature, noun string, of Counted) {
	if l != nil && of.total > 0 {
		l.AddNamed(f, nil, of.names...)
		l.byCode[f.code].counted = Plural(of.total, noun)
	}
}

// Comments reports the number of comments in a YAML document, and the line of the first.
func (l *List) Comments(count, line int) {
	switch {
	case count == 1:
		l.Add(LostComments, Line(line))
	case count > 1:
		l.AddNamed(LostComments, nil, fmt.Sprintf("%d comments from line %d", count, line))
	}
}

// UnknownOption reports an unknown option of a command. The name includes its dashes. What may be an attached value
// is not shown.
func (l *List) UnknownOption(name string, at Place) {
	if shown := option().FindString(name); shown != "" {
		l.AddNamed(UnknownOption, at, strings.TrimSuffix(shown, "="))
	} else {
		l.Add(UnknownOption, at)
	}
}

// reportParts is the budget cost, in parts, of reporting a place, even one that was already reported.
const reportParts = 4

// AddPlaces reports a feature that affects several places together.
func (l *List) AddPlaces(f Feature, places []Place, names ...string) {
	if l == nil {
		return
	}
	l.Budget.Parts(reportParts*len(places) + len(names))
	if l.groups == nil {
		l.groups, l.reported, l.byCode = map[uint64]*group{}, map[uint64]struct{}{}, map[string]*code{}
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
		hash(&h, at)
		if l.OfOutput() { // whose values have IDs of their own
			h.WriteByte('w')
		}
		if _, again := l.reported[h.Sum64()]; again {
			continue
		}
		l.reported[h.Sum64()] = struct{}{}
		switch g := l.group(key, f, names); {
		case g == nil:
			l.byCode[f.code].more++
		case !isNone(at):
			g.at(at, l.document)
		}
	}
}

// group returns the group for a key, or nil if it is only counted.
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

// Strings returns the warnings, the most important first: operations in other files, secrets, then lost, changed and
// added features.
func (l *List) Strings() []string {
	if l == nil {
		return nil
	}
	for _, g := range l.groups {
		if g != nil {
			g.resolve()
		}
	}
	codes := slices.Clone(l.codes)
	slices.SortStableFunc(codes, func(a, b *code) int { return cmp.Compare(a.rank(), b.rank()) })
	var out []string
	if len(codes) > 0 && codes[0].rank() < 0 {
		out, codes = append(out, codes[0].text(l.Clean)), codes[1:]
	}
	where := ""
	if i := slices.Index(codes, l.byCode[SecretsReplaced.code]); i >= 0 {
		where = codes[i].where(l.Clean)
		codes = slices.Delete(codes, i, i+1)
	}
	if text := l.secrets.text(where, l.Clean); text != "" {
		out = append(out, SecretsReplaced.code+": "+text)
	}
	for i, c := range codes {
		if len(out) == Max {
			return append(out, fmt.Sprintf("%s: %d further warnings are not listed.", MoreWarnings.code, len(codes)-i))
		}
		out = append(out, c.text(l.Clean))
	}
	return out
}

// rank returns the importance of a code; the lowest rank comes first. At most one code has a negative rank.
func (c *code) rank() int {
	if c.Feature == LostExternalOperations || c.Feature == ChangedExternalOperations {
		return -1
	}
	switch kind, _, _ := strings.Cut(c.code, "."); kind {
	case "changed":
		return 1
	case "added":
		return 2
	}
	return 0
}

// text returns the warning as a line: code, names and places, sentence. Names with the same places are listed
// together.
func (c *code) text(clean func(string) string) string {
	var things []string
	room, more := maxThings, c.more
	for i := 0; i < len(c.groups); i++ {
		g := c.groups[i]
		names := distinct(nil, g.names)
		for ; i+1 < len(c.groups) && len(names) > 0 && len(c.groups[i+1].names) > 0 && g.samePlaces(c.groups[i+1], clean); i++ {
			names = distinct(names, c.groups[i+1].names)
		}
		most := room - (len(c.groups) - 1 - i) // each of the remaining groups shows a place, too
		where, shown := g.where(most, clean), min(most, len(g.parts))
		room -= max(1, shown)
		more += len(g.parts) - shown + g.more
		what := list(names, clean)
		switch {
		case what == "" || where == "":
		case g.parts[0].first != nil:
			where = " (" + where + ")"
		default:
			where = " of " + where
		}
		if what+where != "" {
			things = append(things, what+where)
		}
	}
	line := strings.Join(things, "; ")
	if c.counted != "" && line != "" {
		line = " (" + line + ")"
	}
	if line = c.counted + line; line != "" {
		line += andMore(more) + ". "
	}
	return c.code + ": " + line + c.sentence
}

// where returns the places of a code without names.
func (c *code) where(clean func(string) string) string {
	return c.groups[0].where(maxThings, clean) + andMore(c.groups[0].more)
}

// samePlaces reports whether two groups have the same places.
func (g *group) samePlaces(other *group, clean func(string) string) bool {
	return g.more == other.more && g.where(maxParts, clean) == other.where(maxParts, clean)
}

// distinct appends the names in more that are not yet in names.
func distinct(names, more []string) []string {
	for _, name := range more[:min(len(more), maxDistinct)] {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return append(names, more[min(len(more), maxDistinct):]...)
}

// maxDistinct limits how many names are compared with each other.
const maxDistinct = 100

// MaxNames is how many names a warning shows together.
const MaxNames = maxThings

// list joins names, limited in number and length.
func list(names []string, clean func(string) string) string {
	shown := make([]string, 0, min(len(names), MaxNames))
	for _, name := range names[:min(len(names), MaxNames)] {
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

// Plural returns a number with a noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		noun = stem + "ie"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// option matches the name of an option: a dash and a letter, or two dashes and up to 40 lower-case letters, digits and
// hyphens. Anything else may be a value.
var option = expression.Lazy(`^(?:-[A-Za-z]|--[a-z0-9-]{1,40}(?:=|$))`)
