// Package pathtemplate makes templates of the paths of requests that were
// sent: /users/123 and /users/456 are /users/{userId}.
//
// The segments of all paths form a tree. In it a segment is open when it is an
// identifier by its look (identifiers), when a variable filled it, or when its
// author made it a parameter; paths that differ only in open segments are one
// template, and a parameter has one name in all of them.
package pathtemplate

import (
	"net/url"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Apply makes templates of the paths of an API's requests. What stood in the
// place of a parameter is its value. Each template is told once, at the first
// request that is of it.
func Apply(api *request.API, b *budget.Budget, warnings *warning.List) {
	t := tree{budget: b, variables: map[string]request.Variable{}, filled: map[string]string{}}
	for _, v := range api.Variables {
		t.variables[v.Name] = *v
	}
	for _, v := range api.Resolved {
		if v.Value != "" && t.filled[v.Value] == "" {
			t.filled[v.Value] = v.Name
		}
	}
	var paths []*path
	for _, r := range api.Requests {
		b.Text(len(r.Path))
		paths = append(paths, &path{Request: r, segments: t.split(r.Path)})
	}
	t.grow(paths)
	told := map[*node]bool{}
	for _, p := range paths {
		if changed, end := p.write(&t); changed && !told[end] {
			told[end] = true
			warnings.AddNamed(warning.PathTemplate, p.Place, p.Path)
		}
	}
}

// tree is what the paths of an API have in common.
type tree struct {
	budget    *budget.Budget
	variables map[string]request.Variable // by name
	filled    map[string]string           // the variable of a value that stands in the requests
}

// node is the end of a path: the segments up to one.
type node struct {
	below map[string]*node // by the text of the next segment
	open  *node            // the next segment is open

	// Of an open segment: what stands in its place.
	values    bool   // identifiers
	variable  string // the first variable, or the one that filled it
	secret    bool   // that variable is a secret
	known     bool   // a value is known
	followed  bool   // by another variable
	authored  string // the first name that an author gave
	noun      string // the segment before, "" when there is none
	behind    bool   // that one is open
	name      string // of the parameter; "" for the authors' own
	isDecided bool
}

// path is a request with its path taken apart.
type path struct {
	*request.Request
	segments []segment
	nodes    []*node // the end of each segment
}

// grow builds the tree, one segment of all paths after the other: whether a
// segment is open may depend on those in the same place of other paths.
func (t *tree) grow(paths []*path) {
	root := &node{}
	for i := 0; len(paths) > 0; i++ {
		var longer []*path
		for _, p := range paths {
			if i == len(p.segments) {
				continue
			}
			longer = append(longer, p)
			t.budget.Parts(segmentParts)
			p.classify(i, t)
			if at := p.end(i, root); p.segments[i].kind >= identifier {
				at.step("", true).meets(p, i, t)
			}
		}
		for _, p := range longer {
			at, s := p.end(i, root), &p.segments[i]
			if s.kind == perhaps && at.open != nil {
				s.kind = identifier
				at.open.meets(p, i, t)
			}
			p.nodes = append(p.nodes, at.step(s.text, s.kind >= identifier))
		}
		paths = longer
	}
}

// segmentParts is what a segment costs, in parts of the budget.
const segmentParts = 4

// end is the end of the first i segments.
func (p *path) end(i int, root *node) *node {
	if i == 0 {
		return root
	}
	return p.nodes[i-1]
}

// step returns the node of the next segment.
func (n *node) step(text string, open bool) *node {
	if open {
		if n.open == nil {
			n.open = &node{}
		}
		return n.open
	}
	if n.below == nil {
		n.below = map[string]*node{}
	}
	if n.below[text] == nil {
		n.below[text] = &node{}
	}
	return n.below[text]
}

// meets notes what stands in the place of an open segment.
func (n *node) meets(p *path, i int, t *tree) {
	s := &p.segments[i]
	switch s.kind {
	case identifier:
		n.values, n.known = true, true
	case filled:
		n.variable, n.known = first(n.variable, t.filled[s.value]), true
	case variable:
		if n.variable == "" {
			n.variable, n.secret = s.value, t.variables[s.value].Secret
		}
	case parameter:
		n.authored = first(n.authored, s.value)
	}
	if i > 0 {
		n.behind = p.segments[i-1].kind >= identifier
		n.noun = p.noun(i)
	}
	if i+1 < len(p.segments) {
		next := p.segments[i+1].kind
		n.followed = n.followed || next == variable || next == parameter
	}
}

// noun is the segment that says what the open segment i is one of: the nearest
// before it that is neither open nor a version, "" when there is none.
func (p *path) noun(i int) string {
	for i--; i >= 0; i-- {
		if s := p.segments[i]; s.kind == literal && s.text != "" && !isVersion(s.text) {
			return s.text
		}
	}
	return ""
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// decide names the parameter of an open segment. Identifiers are named after
// the segment before them, and so are variables behind a plural that say no
// more than which of many is meant; others keep their names (/api/{version},
// /articles/{slug}, /repos/{owner}/{repo}), and so do parameters that authors
// named.
func (n *node) decide(taken map[string]bool) {
	n.isDecided = true
	noun := singular(n.noun)
	switch {
	case n.values, noun != n.noun && !n.secret && !n.followed && !n.behind && saysNothing(n.variable, noun):
		n.name = numbered(identifierName(noun), taken)
	case n.authored == "":
		n.name = numbered(n.variable, taken)
	case n.variable != "":
		n.name = numbered(n.authored, taken)
	}
}

// write gives a request the template as its path. changed says that it is
// another path than it was; end is the node of the template.
func (p *path) write(t *tree) (changed bool, end *node) {
	var text strings.Builder
	taken := map[string]bool{}
	var parameters []*request.Parameter
	given := map[string]*request.Parameter{}
	for _, g := range p.PathParameters {
		given[g.Name] = g
	}
	mixed := map[string]bool{}
	for i, s := range p.segments {
		end = p.nodes[i]
		text.WriteByte('/')
		if s.kind < identifier || len(parameters) == maxParameters {
			text.WriteString(s.text)
			for _, name := range s.names {
				mixed[name] = true
			}
			continue
		}
		if !end.isDecided {
			end.decide(taken)
		}
		name := first(end.name, s.value)
		made := &request.Parameter{Required: true}
		switch s.kind {
		case identifier, filled:
			made.Value = unescaped(s.text)
		case variable:
			made.Description = t.variables[s.value].Description
			if !end.known { // what is known is the better example
				made.Value = s.text
			}
		case parameter:
			if g := given[s.value]; g != nil {
				*made = *g
			}
		}
		changed = changed || s.kind < variable || name != s.value
		made.Name = name
		if !taken[name] {
			parameters = append(parameters, made)
		}
		taken[name] = true
		text.WriteString("{" + name + "}")
	}
	if !changed {
		return false, nil
	}
	for _, g := range p.PathParameters {
		if mixed[g.Name] && !taken[g.Name] {
			parameters = append(parameters, g)
		}
	}
	t.budget.Bytes(text.Len())
	p.Path, p.PathParameters = text.String(), parameters
	return true, end
}

// maxParameters is how many parameters a template has at most.
const maxParameters = 100

func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
