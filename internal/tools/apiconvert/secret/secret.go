// Package secret recognises secrets and replaces them: by their place, by
// their name and by their shape. Formats hand it the sites of their texts
// (package site); it knows no format.
//
//	sites → judge ─ open ─ judge the spans … → edits
//	sites → sweep, for what was recognised elsewhere
//
// Words: a secret is a value that was recognised; a placeholder is what stands
// in its place afterwards, or what an author wrote instead of a secret
// ({{token}}, <token>, $TOKEN, ***, YOUR_TOKEN), which stays as it is.
//
//   - By place: the credentials of an authentication, cookies that are no mere
//     setting, the password in an address, values of variables marked secret.
//   - By name: values of headers, parameters, fields, members and variables
//     whose name says so (sensitivityOf).
//   - By shape: texts that look like the tokens of known issuers, anywhere,
//     prose included (finder).
//
// A text in a known encoding is opened into spans, each judged by its own name,
// again and again (openers). Only the bytes of secrets change.
//
// Recognising is never complete. It has no entropy rule of its own: commit
// hashes, UUIDs and identifiers stay. Everything is linear in what it goes
// over.
package secret

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/spans"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// The placeholders where a variable would mean nothing.
const (
	redacted = "<redacted>"
	inName   = "redacted" // where < and > would not be allowed
)

// Redactor replaces the secrets of one conversion. The same secret gets the
// same placeholder wherever it stands.
type Redactor struct {
	budget  *budget.Budget
	secrets []*found
	byValue map[string]*found

	taken  map[string]bool // variable names that stand in the source
	sent   map[string]bool // those that stand elsewhere than in credentials
	next   map[string]int  // the last number given to a name
	judged map[string]sensitivity
	bodies map[bodyText][]spans.Edit // of long ones

	dummies []string // names of credentials that look like placeholders

	atCredential bool // the site that is gone over holds credentials

	sweeper *sweeper // of the secrets until now, nil: not made yet
	short   *sweeper // of the first shortOf secrets, with the short ones
	shortOf int
}

// found is a secret that was replaced at least once.
type found struct {
	value   string
	written string // how it was written where it was found, when that is not value
	hint    string
	name    string // its variable, "" as long as none is needed
	own     bool   // the variable was the source's own
	certain bool   // recognised by its place or shape, not by a name alone
	put     bool   // a variable that says so was replaced by it, wherever it stood
	sent    bool   // stood elsewhere than in credentials
}

// NewRedactor returns a redactor without any secret yet, whose work is paid
// from b.
func NewRedactor(b *budget.Budget) *Redactor {
	return &Redactor{
		budget:  b,
		byValue: map[string]*found{},
		taken:   map[string]bool{},
		sent:    map[string]bool{},
		next:    map[string]int{},
		judged:  map[string]sensitivity{},
		bodies:  map[bodyText][]spans.Edit{},
	}
}

// Count is how many different secrets were replaced.
func (r *Redactor) Count() int { return len(r.secrets) }

// Credentials is how many of those stood in credentials and options of curl
// only, so that a target without either has no place for them.
func (r *Redactor) Credentials() int {
	n := 0
	for _, f := range r.secrets {
		if !f.sent && !r.sent[f.name] {
			n++
		}
	}
	return n
}

// holdsCredentials reports whether a site is one that Credentials counts.
func holdsCredentials(s site.Site) bool { return s.Role == site.Credential || s.Role == site.Option }

// Sites goes over what has sites and hands each to emit. What emit changes, it
// changes.
type Sites func(emit func(site.Site))

// Redact replaces the secrets in everything that has sites, and then the same
// values wherever else they stand. A secret that is a value becomes the
// variable {{name}}; in what describes, in prose and names it becomes
// <redacted> or redacted. It returns the names of the variables that the
// source does not define.
func (r *Redactor) Redact(sites Sites) (variables []string) {
	var defined []site.Site
	credentials := map[string]bool{}
	sites(func(s site.Site) {
		switch s.Role {
		case site.Variable, site.LocalVariable:
			r.taken[s.Name] = true
			defined = append(defined, s)
		case site.AssignedVariable: // nothing uses its name any more
			defined = append(defined, s)
		default:
			r.uses(s, credentials)
		}
	})
	for _, s := range defined {
		r.variable(s, credentials[s.Name])
	}
	sites(r.judgeSite)
	return r.Sweep(sites)
}

// Sweep replaces the secrets that were found until now in everything that has
// sites. It returns the names of the variables that the source does not define and
// that were not returned before.
func (r *Redactor) Sweep(sites Sites) (variables []string) {
	if len(r.secrets) > 0 {
		sites(r.sweepSite)
	}
	for _, f := range r.secrets {
		if f.name != "" && !f.own {
			variables = append(variables, f.name)
			f.own = true
		}
	}
	return variables
}

// uses notes the names of variables that a text uses, and of those that stand
// where credentials do.
func (r *Redactor) uses(s site.Site, credentials map[string]bool) {
	text := s.Text()
	r.budget.Pass(len(text))
	if strings.Contains(text, "{{") {
		secret := s.Role == site.Credential ||
			(s.Role == site.Header || s.Role == site.Field || s.Role == site.Query) && r.sensitivity(s.Name, s.Role) != harmless
		for _, part := range request.Split(text) {
			r.budget.Pass(0)
			if part.Kind == request.VariablePart {
				r.taken[part.Text] = true
				r.sent[part.Text] = r.sent[part.Text] || !holdsCredentials(s)
				credentials[part.Text] = credentials[part.Text] || secret
			}
		}
	}
}

// variable empties a variable that is a secret, so that others with the same
// value become it.
func (r *Redactor) variable(s site.Site, isCredential bool) {
	text := s.Text()
	is, certain := r.isSecretVariable(s.Name, text, s.Marked, isCredential)
	if !is {
		if s.Marked {
			s.Set(text)
		}
		return
	}
	f := r.note(text, s.Name, certain)
	f.put = f.put || s.Role == site.AssignedVariable
	if f.name == "" && s.Role == site.Variable {
		f.name, f.own = s.Name, true
	}
	s.Set("")
}

func (r *Redactor) isSecretVariable(name, value string, marked, isCredential bool) (is, certain bool) {
	if value == "" || isPlaceholder(value) {
		return false, false
	}
	if marked || isCredential && passwordLike.accepts(value) {
		return true, true
	}
	matches := r.findShapes(value, asData)
	if len(matches) == 1 && matches[0].from == 0 && matches[0].to == len(value) {
		return true, matches[0].certain // a token of a known issuer, and nothing else
	}
	return r.sensitivity(name, site.Variable).accepts(value), false
}

// note remembers a secret. hint is what it is the value of.
func (r *Redactor) note(value, hint string, certain bool) *found {
	f := r.byValue[value]
	if f == nil {
		f = &found{value: value, hint: hint}
		r.byValue[value] = f
		r.secrets = append(r.secrets, f)
		r.sweeper = nil
	}
	if certain && !f.certain {
		f.certain, r.sweeper = true, nil
	}
	return f
}

// placeholder is what stands in the place of a secret at a site of the role.
func (r *Redactor) placeholder(f *found, role site.Role, described bool) string {
	f.sent = f.sent || !r.atCredential
	switch role {
	case site.Prose:
		return redacted
	case site.Identifier, site.MemberName:
		return inName
	case site.Address, site.Path, site.Query:
		if described {
			return inName
		}
	}
	if described {
		return redacted
	}
	return "{{" + r.nameOf(f) + "}}"
}

// nameOf gives a secret its variable: a name made from the hint that no other
// variable has.
func (r *Redactor) nameOf(f *found) string {
	if f.name == "" {
		base := variableName(f.hint)
		f.name = base
		for r.taken[f.name] {
			r.next[base] = max(r.next[base], 1) + 1
			f.name = base + strconv.Itoa(r.next[base])
		}
		r.taken[f.name] = true
	}
	return f.name
}

// maxNameWords bounds a variable's name that is made from a hint.
const maxNameWords = 5

// variableName makes a camel-case name of a hint (X-Api-Key: xApiKey).
func variableName(hint string) string {
	var name strings.Builder
	for i, word := range words.Parts(hint) {
		if i == maxNameWords || name.Len()+len(word) > 40 {
			break
		}
		if name.Len() > 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		} else if word[0] >= '0' && word[0] <= '9' {
			continue
		}
		name.WriteString(word)
	}
	if name.Len() == 0 {
		return "secret"
	}
	return name.String()
}

// sensitivity returns sensitivityOf a name; a source uses few names often. A
// bare "key" in a query is an API key.
func (r *Redactor) sensitivity(name string, role site.Role) sensitivity {
	if role == site.Query && strings.EqualFold(name, "key") {
		return tokenLike
	}
	if s, ok := r.judged[name]; ok {
		return s
	}
	s := sensitivityOf(name)
	if len(r.judged) < 1<<14 {
		r.judged[name] = s
	}
	return s
}
