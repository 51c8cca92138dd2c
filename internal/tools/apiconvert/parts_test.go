package apiconvert

import (
	"fmt"
	"maps"
	"path"
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
	// Counted have the codes of warnings that count what they don't list, and match the JSON Pointer of what is counted.
	Counted map[string]string
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
	uses   map[string][]string // JSON Pointers of references and security requirements, by that of the component
	names  map[string]string   // of objects, by their JSON Pointer
}

// TestEveryPart takes the parts of sources away, one at a time: the output or the warnings differ, or a warning names
// what the part belongs to.
// Rule: API-6.
func TestEveryPart(t *testing.T) {
	t.Parallel()
	work := check.Sample(1<<19, 12<<20, 24<<20) // bytes to convert for a row
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
	expressions := func(byCode map[string]string) map[string]*regexp.Regexp {
		compiled := map[string]*regexp.Regexp{}
		for code, text := range byCode {
			compiled[code] = regexp.MustCompile(text)
		}
		return compiled
	}
	j := judge{
		implied: regexp.MustCompile(strings.Join(implied, "|")), kinds: expressions(data.Kinds), counted: expressions(data.Counted),
		whole: data.Whole, variables: data.Variables, commands: data.Commands,
	}
	sources := partSources(t)
	for _, row := range data.Rows {
		t.Run(row.From+" → "+row.To, func(t *testing.T) {
			t.Parallel()
			kept, total := j.row(t, sources, formats[row.From], row.To, work)
			percent := 100 * float64(kept) / float64(max(1, total))
			t.Logf("%-8s → %-17s %6.2f %% of %d parts", row.From, row.To, percent, total)
			if percent < row.Floor && !testing.Short() || percent < row.Floor-3 || total == 0 {
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
	counted   map[string]*regexp.Regexp
}

// row takes parts of all sources of a format away, about as many as work bytes allow or, without -short, every tenth or
// all, except of descriptions, which have too many and repeat the same kinds.
func (j judge) row(t *testing.T, sources []partSource, format source.Format, target string, work int) (kept, total int) {
	sources = slices.DeleteFunc(slices.Clone(sources), func(s partSource) bool { return s.format != format })
	for _, s := range sources {
		most := max(1, work/len(sources)/max(500, len(s.text)))
		if !testing.Short() && format != source.OpenAPI {
			most = len(s.parts)/check.Sample(10, 10, 1) + 1
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
	inCounted := map[[2]string]bool{} // whether a part is in something that a warning counts
	twins := map[string][]string{}    // where what says the same is
	for _, p := range s.parts {
		twins[sameAs(p)] = append(twins[sameAs(p)], p.at)
	}
	merges := strings.Contains(strings.Join(before.Warnings, "\n"), "changed.merged_requests: ")
	stride := max(1, (len(s.parts)+most-1)/most)
	for i := stride / 2; i < len(s.parts); i += stride {
		p := s.parts[i]
		if j.implied.MatchString(p.shown) {
			continue
		}
		total++
		if j.isCounted(before, s, p, target, inCounted) {
			kept++
			continue
		}
		differs := func(without string) bool {
			after, err := tryCall(s.mediaType, without, target)
			return err != nil || j.differs(before, after, s, p)
		}
		same := twins[sameAs(p)]
		if differs(p.without()) || (merges || s.format == source.OpenAPI) && len(same) > 1 && differs(p.without(same...)) {
			kept++
		} else {
			t.Logf("%s → %s: %.200s", s.name, target, p.shown)
		}
	}
	return kept, total
}

// sameAs returns what is equal for parts that say the same: a parameter of a path and of its operations; references to one
// parameter, which says once what it is; and what merged requests share, which the output has once.
func sameAs(p part) string {
	if of, in, found := strings.Cut(p.at, "/parameters"); found && strings.HasPrefix(of, "/paths/") {
		if parameterReferences.MatchString(p.value) {
			return p.value
		}
		return inPath.FindString(of) + position.ReplaceAllString(in, "/0") + " = " + p.value
	}
	if _, in, found := strings.Cut(p.at, "/request"); found && p.value != "" && !strings.HasPrefix(p.at, "/paths/") {
		return position.ReplaceAllString(in, "/0") + " = " + p.value
	}
	return p.at
}

// position matches the position of an element in a JSON Pointer, inPath its path, and parameterReferences the JSON of
// references to parameters.
var (
	position            = regexp.MustCompile(`/\d+`)
	inPath              = regexp.MustCompile(`^/paths/[^/]*`)
	parameterReferences = regexp.MustCompile(`^\[?(\{"\$ref":"#/(components/)?parameters/[^"]*"\},?)+\]?$`)
)

// isCounted reports whether a part is in something that a warning counts.
func (j judge) isCounted(before convert.Result, s partSource, p part, target string, known map[[2]string]bool) bool {
	for code, outer := range j.counted {
		at, warned := outer.FindString(p.at), warningWith(before, code)
		if at == "" || warned == "" {
			continue
		}
		if _, is := known[[2]string{code, at}]; !is {
			i := slices.IndexFunc(s.parts, func(p part) bool { return p.at == at })
			after, err := tryCall(s.mediaType, s.parts[i].without(), target)
			known[[2]string{code, at}] = err == nil && warningWith(after, code) != warned
		}
		if known[[2]string{code, at}] {
			return true
		}
	}
	return false
}

// warningWith returns the warning with a code, or "".
func warningWith(r convert.Result, code string) string {
	i := slices.IndexFunc(r.Warnings, func(w string) bool { return strings.HasPrefix(w, code+": ") })
	if i < 0 {
		return ""
	}
	return r.Warnings[i]
}

func (j judge) differs(before, after convert.Result, s partSource, p part) bool {
	return before.Value != after.Value || !slices.Equal(before.Warnings, after.Warnings) || j.named(before, s, p, maxUses)
}

// maxUses limits the components that refer to each other.
const maxUses = 3

// component matches the JSON Pointer of a component.
var component = regexp.MustCompile(`^/(components/[^/]+|definitions|parameters|responses|securityDefinitions)/[^/]+`)

// named reports whether warnings name what a part belongs to, or each use of the component that it belongs to.
func (j judge) named(before convert.Result, s partSource, p part, most int) bool {
	if slices.ContainsFunc(before.Warnings, func(w string) bool { return j.names(w, s, p) }) {
		return true
	}
	at := component.FindString(p.at)
	return most > 0 && len(s.uses[at]) > 0 && !slices.ContainsFunc(s.uses[at], func(use string) bool {
		inner := strings.TrimPrefix(p.at, at)
		return !j.named(before, s, part{at: use + inner, shown: use + strings.TrimPrefix(p.shown, at)}, most-1)
	})
}

// wide matches the JSON Pointer of what is no narrower than an operation, a request or a component.
var wide = regexp.MustCompile(`^(/(paths|webhooks)(/[^/]*(/[a-z]+)?)?|/components(/[^/]*){0,2}|/info|(/item/\d+)*(/request)?)$`)

// names reports whether a warning names what a part belongs to.
func (j judge) names(warning string, s partSource, p part) bool {
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
				if name != "" && s.names[place] != name && s.names[path.Dir(place)] != name {
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
			s.uses, s.names = map[string][]string{}, map[string]string{}
			s.references(root, "")
		}
		list = append(list, s)
	}
	return list
}

// references records the references, security requirements and names in a value.
func (s partSource) references(v *tree.Value, pointer string) {
	if ref, is := tree.Ref(v); is {
		s.uses[strings.TrimPrefix(ref, "#")] = append(s.uses[strings.TrimPrefix(ref, "#")], pointer)
	}
	if name := v.Get("name").Text(); name != "" {
		s.names[pointer] = name
	}
	for i, inner := range v.Values() {
		at := pointer + "/" + nameAt(v, i)
		if requirement.MatchString(at) {
			for _, schemes := range []string{"/components/securitySchemes/", "/securityDefinitions/"} {
				s.uses[schemes+nameAt(v, i)] = append(s.uses[schemes+nameAt(v, i)], at)
			}
		}
		s.references(inner, at)
	}
}

// requirement matches the JSON Pointer of a scheme in a security requirement.
var requirement = regexp.MustCompile(`^(/paths/[^/]*/\w+)?/security/\d+/[^/]*$`)

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
