package pathtemplate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Kinds says which segments become parameters.
type Kinds uint8

// The kinds of segments, each with those before it.
const (
	Placeholders Kinds = iota // what documentation writes instead of a value: :id, <id>, YOUR_ID
	Variables                 // {{id}}
	Identifiers               // values that look like identifiers, or that a script's variable expanded to
)

// Apply replaces the paths of an API's requests with templates. The segment that a parameter replaces becomes its
// value, unless it is a placeholder. Each template is reported once, at its first request.
func Apply(api *request.API, kinds Kinds, b *budget.Budget, warnings *warning.List) {
	t := tree{kinds: kinds, budget: b, filled: api.Filled, variables: map[string]request.Variable{}}
	for _, v := range api.Variables {
		t.variables[v.Name] = *v
	}
	var paths []*path
	for _, r := range api.Requests {
		b.Text(len(r.Path))
		if within := embedded().ReplaceAllStringFunc(r.Path, embeddedName); within != r.Path {
			r.Path = within
			warnings.AddNamed(warning.ChangedPathTemplate, r.Place, within)
		}
		paths = append(paths, &path{Request: r, segments: split(r.Path)})
	}
	t.grow(paths)
	reported := map[*node]bool{}
	for _, p := range paths {
		if identified, end := p.write(&t); identified && !reported[end] {
			reported[end] = true
			warnings.AddNamed(warning.ChangedPathTemplate, p.Place, p.Path)
		}
	}
}

// embedded matches a placeholder in angle brackets next to other text of its segment, as in /bot<token>/getMe, and one
// after a colon with an extension, as in /users/:id.json.
var embedded = expression.Lazy(`/:[A-Za-z]\w*\.|[^/<>](?:<|%3C)[A-Za-z][\w .-]{0,60}(?:>|%3E)|(?:<|%3C)[A-Za-z][\w .-]{0,60}(?:>|%3E)[^/<>]`)

// embeddedName returns a match of embedded with a parameter instead of the placeholder.
func embeddedName(match string) string {
	if name, ok := strings.CutPrefix(match, "/:"); ok {
		return "/{" + strings.TrimSuffix(name, ".") + "}."
	}
	text := strings.NewReplacer("%3C", "<", "%3E", ">").Replace(match)
	from, to := strings.IndexByte(text, '<'), strings.IndexByte(text, '>')+1
	return text[:from] + "{" + placeholder.Segment(text[from:to]) + "}" + text[to:]
}

// tree merges the paths of an API.
type tree struct {
	kinds     Kinds
	budget    *budget.Budget
	variables map[string]request.Variable // by name
	filled    map[string]string           // API.Filled
}

// node is a path prefix, identified by its last segment.
type node struct {
	children map[string]*node // children by the text of the next segment
	open     *node            // the child if the next segment is open
	isPath   bool             // it is a whole path

	// The remaining fields describe an open segment.
	values    bool   // it has identifiers as values
	variable  string // the first variable, or the one that expanded to the segment
	differ    bool   // there are other variables
	known     bool   // a value is known
	authored  string // the first name from an author
	noun      string // the preceding segment that can name it (see path), or ""
	name      string // the parameter's name; "" keeps each author's name
	isDecided bool
}

// path is a request with its path split into segments.
type path struct {
	*request.Request
	segments []segment
	nodes    []*node // the node of each segment
	// noun is the last segment so far that can name the next one: not open, not a number and not a version.
	noun string
}

// grow builds the tree one level at a time, because whether a segment is open may depend on the same segment of other
// paths.
func (t *tree) grow(paths []*path) {
	root := &node{}
	for i := 0; len(paths) > 0; i++ {
		var longer []*path
		for _, p := range paths {
			if i < len(p.segments) {
				longer = append(longer, p)
			} else {
				p.end(i, root).isPath = true
			}
		}
		for _, p := range longer {
			t.budget.Parts(budget.Entry)
			at := p.end(i, root)
			p.classify(i, t, at.isPath)
			if p.segments[i].kind >= identifier {
				at.step("", true).record(p, i, t)
			}
		}
		for _, p := range longer {
			at, s := p.end(i, root), &p.segments[i]
			if s.kind == possible && at.open != nil {
				s.kind = identifier
				at.open.record(p, i, t)
			}
			p.nodes = append(p.nodes, at.step(s.text, s.kind >= identifier))
			if s.kind == literal && s.text != "" && !strings.Contains(s.text, "{") && !words.IsVersion(s.text) {
				p.noun = s.text
			}
		}
		paths = longer
	}
}

// end returns the node of the first i segments.
func (p *path) end(i int, root *node) *node {
	if i == 0 {
		return root
	}
	return p.nodes[i-1]
}

// step returns the child for the next segment, adding it if needed.
func (n *node) step(text string, open bool) *node {
	if open {
		if n.open == nil {
			n.open = &node{}
		}
		return n.open
	}
	if n.children == nil {
		n.children = map[string]*node{}
	}
	if n.children[text] == nil {
		n.children[text] = &node{}
	}
	return n.children[text]
}

// record records the segment i of p, which is open, in its node.
func (n *node) record(p *path, i int, t *tree) {
	s := &p.segments[i]
	switch s.kind {
	case identifier:
		n.values, n.known = true, true
	case filled:
		n.variable, n.known = cmp.Or(n.variable, p.filler(s.value, t)), true
	case variable:
		n.variable = cmp.Or(n.variable, s.value)
		n.differ = n.differ || n.variable != s.value
	case parameter:
		n.authored = cmp.Or(n.authored, s.value)
	}
	if i > 0 {
		n.noun = p.noun
	}
}

// decide names the parameter of an open segment. An identifier is named after the noun before it. Variables and
// parameters have the name that their author gave them, in camel case if it is in capitals, unless the path has another
// parameter of that name, or it is the argument or the expression of a script ($3, ticket.id).
func (n *node) decide(taken words.Unique) {
	n.isDecided = true
	noun, _ := singular(n.noun)
	switch {
	case n.values:
		n.name = taken.Name(identifierName(noun))
	case n.authored == "" && n.differ && noun == "": // nothing says that they have the same meaning
	case n.authored == "":
		name := strings.ReplaceAll(n.variable, "/", "_")
		name = cmp.Or(placeholder.Name(name), name)
		if (taken[name] > 0 || unnamed().MatchString(name)) && noun != "" {
			name = identifierName(noun)
		}
		n.name = taken.Name(name)
	case n.variable != "":
		n.name = taken.Name(n.authored)
	}
}

// unnamed matches a variable without a name of its own.
var unnamed = expression.Lazy(`^[0-9]|\.`)

// write sets the request's path to the template, if it differs. It reports whether more than the spelling of a name
// changed, and returns the node of the template.
func (p *path) write(t *tree) (identified bool, end *node) {
	if !slices.ContainsFunc(p.segments, func(s segment) bool { return s.kind >= identifier }) {
		return false, nil
	}
	w := writer{
		t: t, added: map[string]bool{}, declared: map[string]*request.Parameter{}, renamed: map[string]string{},
		taken: words.Unique{}, generated: map[string]bool{},
	}
	for _, g := range p.PathParameters {
		w.declared[g.Name] = g
	}
	names, changed, identified := w.names(p)
	if !changed {
		return false, nil
	}
	for i, s := range p.segments {
		end = p.nodes[i]
		w.text.WriteByte('/')
		if names[i] == "" {
			w.literal(s)
			continue
		}
		w.text.WriteString("{" + names[i] + "}")
		w.add(names[i], w.parameter(end, s))
	}
	t.budget.Bytes(w.text.Len())
	p.Path, p.PathParameters = w.text.String(), w.parameters
	return identified, end
}

type writer struct {
	t          *tree
	text       strings.Builder
	parameters []*request.Parameter
	added      map[string]bool               // names of those parameters
	declared   map[string]*request.Parameter // the authors' parameters by name
	renamed    map[string]string             // new names of the authors' parameters by name
	taken      words.Unique                  // names in use
	generated  map[string]bool               // generated names
}

// add adds a parameter unless one with the same name was added.
func (w *writer) add(name string, p *request.Parameter) {
	if !w.added[name] {
		w.added[name] = true
		p.Name = name
		w.parameters = append(w.parameters, p)
	}
}

// literal writes a segment that isn't open. Parameters within it are kept, and renamed if their name was generated
// for another one.
func (w *writer) literal(s segment) {
	for _, part := range request.SplitPath(s.text) {
		if part.Kind == request.ParameterPart {
			declared := w.authored(part.Text)
			part.Text = w.authorName(part.Text)
			w.add(part.Text, declared)
		}
		w.text.WriteString(part.String())
	}
}

// names returns the parameter names of the open segments of a path, and "" for the others; whether a segment changed, and
// whether more than the spelling of a name did. A name that was generated for several paths wins over one from an author.
func (w *writer) names(p *path) (names []string, changed, identified bool) {
	for _, n := range p.nodes {
		if n.isDecided && n.name != "" {
			w.taken.Take(n.name)
			w.generated[n.name] = true
		}
	}
	names = make([]string, len(p.segments))
	for i, s := range p.segments {
		if s.kind < identifier || i >= maxSegments {
			for _, name := range s.names {
				w.authorName(name)
			}
			continue
		}
		names[i] = w.name(p.nodes[i], s)
		differs := s.kind < variable || names[i] != s.value || s.kind == variable && w.t.kinds == Variables || s.kind == parameter && s.text != "{"+s.value+"}"
		changed = changed || differs
		identified = identified || differs && (s.kind != variable || names[i] != s.value && names[i] != placeholder.Name(s.value))
	}
	return names, changed, identified
}

// authorName returns the name for a parameter that its author named. The author may use the name twice in a path.
func (w *writer) authorName(name string) string {
	if w.renamed[name] == "" {
		w.renamed[name] = name
		if w.generated[name] {
			w.renamed[name] = w.taken.Name(name)
		}
		w.taken.Take(w.renamed[name])
	}
	return w.renamed[name]
}

// authored returns the parameter that an author named.
func (w *writer) authored(name string) *request.Parameter {
	p := &request.Parameter{Required: true}
	if g := w.declared[name]; g != nil {
		*p = *g
	}
	return p
}

// name returns the parameter name of an open segment.
func (w *writer) name(n *node, s segment) string {
	if !n.isDecided {
		n.decide(w.taken)
	}
	switch {
	case n.name == "" && s.kind == variable:
		return w.taken.Name(cmp.Or(placeholder.Name(s.value), s.value))
	case n.name == "":
		return w.authorName(s.value)
	}
	w.taken.Take(n.name)
	w.generated[n.name] = true
	return n.name
}

// parameter returns the parameter of an open segment.
func (w *writer) parameter(n *node, s segment) *request.Parameter {
	switch p := (&request.Parameter{Required: true}); {
	case s.kind == parameter:
		p = w.authored(s.value)
		if text := percent.Decode(s.text); p.Value == "" && w.t.kinds == Identifiers && infer.IsStandIn(text) {
			p.Value = text
		}
		return p
	case s.kind == variable:
		p.Description = w.t.variables[s.value].Description
		if !n.known { // a known value is the better example
			p.Value = s.text
		}
		return p
	case placeholder.IsDummy(s.value), infer.IsStandIn(s.value) && w.t.kinds < Identifiers:
		return p
	default:
		p.Value = percent.Decode(s.text)
		return p
	}
}

// maxSegments is the maximum number of open segments in a path.
const maxSegments = 500
