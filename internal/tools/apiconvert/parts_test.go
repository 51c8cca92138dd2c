package apiconvert

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// partsData is testdata/parts.yaml.
type partsData struct {
	// Rows have the smallest share, in percent, of the parts of a source's format that a target keeps or reports.
	Rows []struct {
		From  string
		To    string
		Floor float64
	}
	// Implied parts say what is the default anyway, or what another part says, too.
	Implied []struct {
		Part   string // matches the part: its JSON Pointer, " = " and its JSON; or the text of a command's part
		Reason string
	}
	// Kinds have the codes of warnings about all parts of a kind, and what the parts match.
	Kinds map[string]string
	// Whole are the codes of warnings about requests, components and variables that are dropped as a whole.
	Whole []string
	// Variables and Commands are the codes of warnings that name variables and commands of a script.
	Variables, Commands []string
}

// maxImplied limits the rows of Implied.
const maxImplied = 40

// part is a part of a source, and the source without it.
type part struct {
	at      string // the JSON Pointer
	value   string // as JSON; "" of a script's part
	shown   string
	without func(also ...string) string // and without the parts at other JSON Pointers

	// Of a script's part: its line, and the variables that it is the value of or in the value of.
	line      int
	variables []string
	commands  []string // of a command other than curl, its name and those around it and of its pipeline
}

// partSource is a source in a format, and all of its parts.
type partSource struct {
	file
	format source.Format
	parts  []part
}

// TestEveryPart takes the parts of sources away, one at a time: the output or the warnings differ, or a warning names
// what the part belongs to.
// Rule: API-6.
func TestEveryPart(t *testing.T) {
	t.Parallel()
	work := check.Sample(1<<19, 1<<21, 24<<20) // bytes to convert for a row
	var data partsData
	converttest.Data(t, "testdata/parts.yaml", &data)
	if len(data.Implied) > maxImplied {
		t.Errorf("%d rows say that parts are implied, more than %d", len(data.Implied), maxImplied)
	}
	implied := make([]string, len(data.Implied))
	for i, row := range data.Implied {
		implied[i] = "(?:" + row.Part + ")"
		if row.Reason == "" {
			t.Errorf("%s has no reason", row.Part)
		}
	}
	formats := map[string]source.Format{"OpenAPI": source.OpenAPI, "Postman": source.Postman, "cURL": source.Shell, "HAR": source.HAR}
	j := judge{implied: regexp.MustCompile(strings.Join(implied, "|")), kinds: map[string]*regexp.Regexp{}, whole: data.Whole, variables: data.Variables, commands: data.Commands}
	for code, pointer := range data.Kinds {
		j.kinds[code] = regexp.MustCompile(pointer)
	}
	sources := partSources(t)
	for _, row := range data.Rows {
		t.Run(row.From+" → "+row.To, func(t *testing.T) {
			t.Parallel()
			kept, total := j.row(t, sources, formats[row.From], row.To, work)
			percent := 100 * float64(kept) / float64(max(1, total))
			t.Logf("%-8s → %-17s %6.2f %% of %d parts", row.From, row.To, percent, total)
			if percent < row.Floor && check.All() || percent < row.Floor-3 || total == 0 {
				t.Errorf("%s → %s: %.2f %% of the parts are kept or reported, less than %.2f", row.From, row.To, percent, row.Floor)
			}
		})
	}
}

// judge decides whether a part made a difference.
type judge struct {
	implied *regexp.Regexp
	kinds   map[string]*regexp.Regexp
	whole   []string

	variables []string
	commands  []string
}

// row takes parts of all sources of a format away, about as many as work bytes allow. make parts takes all, except of
// descriptions, which have too many and repeat the same kinds.
func (j judge) row(t *testing.T, sources []partSource, format source.Format, target string, work int) (kept, total int) {
	sources = slices.DeleteFunc(slices.Clone(sources), func(s partSource) bool { return s.format != format })
	for _, s := range sources {
		most := max(1, work/len(sources)/max(500, len(s.text)))
		if check.All() && format != source.OpenAPI {
			most = len(s.parts)
		}
		k, n := j.source(t, s, target, most)
		kept, total = kept+k, total+n
	}
	return kept, total
}

// source takes at most so many parts of a source away and returns how many of them were kept or reported.
func (j judge) source(t *testing.T, s partSource, target string, most int) (kept, total int) {
	before, err := tryCall(s.mediaType, s.text, target)
	if err != nil || len(s.parts) == 0 {
		return 0, 0
	}
	inEntry := map[string]bool{}   // whether a part is in an entry that a warning counts
	twins := map[string][]string{} // where requests have the same part, if some are merged
	if strings.Contains(strings.Join(before.Warnings, "\n"), "changed.merged_requests: ") {
		for _, p := range s.parts {
			twins[inRequest(p)] = append(twins[inRequest(p)], p.at)
		}
	}
	stride := max(1, (len(s.parts)+most-1)/most)
	for i := stride / 2; i < len(s.parts); i += stride {
		p := s.parts[i]
		if j.implied.MatchString(p.shown) {
			continue
		}
		total++
		if entry := archived.FindString(p.at); entry != "" && strings.Contains(strings.Join(before.Warnings, "\n"), pageRequests) {
			if _, known := inEntry[entry]; !known {
				inEntry[entry] = j.counted(before, s, entry, target)
			}
			if inEntry[entry] {
				kept++
				continue
			}
		}
		differs := func(without string) bool {
			after, err := tryCall(s.mediaType, without, target)
			return err != nil || j.differs(before, after, p)
		}
		// What merged requests share is in the output once.
		if differs(p.without()) || p.value != "" && len(twins[inRequest(p)]) > 1 && differs(p.without(twins[inRequest(p)]...)) {
			kept++
		} else {
			t.Logf("%s → %s: %.200s", s.name, target, p.shown)
		}
	}
	return kept, total
}

// inRequest returns where a part is in its request or response, and its value.
func inRequest(p part) string {
	if _, in, found := strings.Cut(p.at, "/request"); found && p.value != "" {
		return position.ReplaceAllString(in, "/0") + " = " + p.value
	}
	return p.at
}

// position matches the position of an element in a JSON Pointer.
var position = regexp.MustCompile(`/\d+`)

// archived matches the entry of an HTTP archive that a part is in.
var archived = regexp.MustCompile(`^/log/entries/\d+`)

// pageRequests begins the warning that counts the requests of a page.
const pageRequests = "lost.page_requests: "

// counted reports whether the count of the requests of a page includes an entry.
func (j judge) counted(before convert.Result, s partSource, entry, target string) bool {
	pages := func(r convert.Result) string {
		i := slices.IndexFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, pageRequests) })
		if i < 0 {
			return ""
		}
		return r.Warnings[i]
	}
	i := slices.IndexFunc(s.parts, func(p part) bool { return p.at == entry })
	after, err := tryCall(s.mediaType, s.parts[i].without(), target)
	return err == nil && pages(before) != pages(after)
}

func (j judge) differs(before, after convert.Result, p part) bool {
	return before.Value != after.Value || !slices.Equal(before.Warnings, after.Warnings) ||
		slices.ContainsFunc(before.Warnings, func(w string) bool { return j.names(w, p) })
}

// wide matches the JSON Pointer of what is no narrower than an operation, a request or a component.
var wide = regexp.MustCompile(`^(/(paths|webhooks)(/[^/]*(/[a-z]+)?)?|/components(/[^/]*){0,2}|/info|(/item/\d+)*(/request)?)$`)

// names reports whether a warning names what a part belongs to.
func (j judge) names(warning string, p part) bool {
	code, text, _ := strings.Cut(warning, ": ")
	if kind := j.kinds[code]; kind != nil && kind.MatchString(p.shown) {
		return true
	}
	text, _, _ = strings.Cut(text, ". ")
	if p.line > 0 {
		return j.namesInScript(code, text, p)
	}
	for thing := range strings.SplitSeq(text, "; ") {
		names, places, isNamed := strings.Cut(thing, "of /")
		if !isNamed {
			names, places = "", strings.TrimPrefix(thing, "/")
		}
		for place := range strings.SplitSeq(places, ", ") {
			place, _, _ = strings.Cut("/"+strings.TrimPrefix(place, "/"), " ")
			if slices.Contains(j.whole, code) && strings.HasPrefix(p.at+"/", place+"/") {
				return true
			}
			for name := range strings.SplitSeq(strings.TrimSpace(names), ", ") {
				inner := place
				if name != "" {
					inner += "/" + tree.EscapePointer(name)
				}
				if !wide.MatchString(inner) && strings.HasPrefix(p.at+"/", inner+"/") {
					return true
				}
				if named := "/" + strings.TrimPrefix(inner, place+"/") + "/"; name != "" && strings.HasPrefix(p.at, place+"/") && strings.Contains(p.at+"/", named) {
					return true // something with the name, in the place
				}
			}
		}
	}
	return false
}

// partSources returns the inputs of cases and the corpus, the shortest first.
func partSources(t *testing.T) (list []partSource) {
	texts := map[string]file{}
	for _, c := range converttest.Load(t, "testdata/cases.yaml") {
		texts[c.Input] = file{"cases/" + c.Name, c.MediaType, c.Input}
	}
	for _, l := range losses(t) {
		texts[l.Text] = file{"losses/" + l.Name, l.MediaType, l.Text}
	}
	for _, c := range harCases(t) {
		texts[c.text] = file{"har/" + c.Name, "application/json", c.text}
	}
	for _, kind := range []string{"openapi", "postman", "curl"} {
		for _, f := range corpusFiles(t, kind) {
			texts[f.text] = f
		}
	}
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		f := texts[text]
		src, err := source.Detect(f.mediaType, f.text, nil)
		if err != nil {
			continue
		}
		s := partSource{file: f, format: src.Format}
		if src.Doc == nil {
			s.parts = partsOfScript(t, f.text)
		} else {
			root := rootOf(t, src)
			s.mediaType, s.text = "application/json", jsonOf(t, root)
			s.parts = partsOf(t, root, root, "")
		}
		list = append(list, s)
	}
	return list
}

func jsonOf(t *testing.T, v *tree.Value) string {
	return string(check.Value(v.AppendJSON(nil, 64<<20))(t))
}

// partsOf returns the parts of a value at a JSON Pointer in a document, each with the document without it.
func partsOf(t *testing.T, root, v *tree.Value, pointer string) (list []part) {
	all := jsonOf(t, v)
	for i, inner := range v.Values() {
		at := pointer + "/" + nameAt(v, i)
		value := jsonOf(t, inner)
		list = append(list, part{at: at, value: value, shown: fmt.Sprintf("%s = %.400s in %.4000s", at, value, all),
			without: func(also ...string) string { return jsonOf(t, without(root, "", append(slices.Clip(also), at))) }})
		list = append(list, partsOf(t, root, inner, at)...)
	}
	return list
}

// nameAt returns the step of a JSON Pointer to a member or element of v.
func nameAt(v *tree.Value, i int) string {
	if v.Kind() == tree.Object {
		return tree.EscapePointer(v.Names()[i])
	}
	return strconv.Itoa(i)
}

// without returns v, which is at a JSON Pointer, without the parts at others.
func without(v *tree.Value, pointer string, parts []string) *tree.Value {
	if !slices.ContainsFunc(parts, func(at string) bool { return strings.HasPrefix(at, pointer+"/") }) {
		return v
	}
	out := tree.NewArray()
	if v.Kind() == tree.Object {
		out = tree.NewObject()
	}
	for i, inner := range v.Values() {
		at := pointer + "/" + nameAt(v, i)
		switch {
		case slices.Contains(parts, at):
		case v.Kind() == tree.Object:
			out.Add(v.Names()[i], without(inner, at, parts))
		default:
			out.Append(without(inner, at, parts))
		}
	}
	return out
}
