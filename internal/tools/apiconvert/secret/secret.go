// Package secret recognises secrets and replaces them: by their place, by
// their name and by their shape. It does so on the request model, or on the
// tree when source and target are the same format, and goes over what is
// written once more for every value it replaced.
//
// Words: a secret is a value that was recognised; a placeholder is what stands
// in its place afterwards, or what an author wrote instead of a secret
// ({{token}}, <token>, $TOKEN, ***, YOUR_TOKEN), which stays as it is.
//
//   - By place: the credentials of an authentication, cookies, the password in
//     an address, the values of variables that are marked secret.
//   - By name: values of headers, parameters, fields, members and variables
//     whose name says so (sensitivityOf).
//   - By shape: texts that look like the tokens of known issuers, anywhere,
//     prose included (findShapes).
//
// Recognising is never complete. It has no entropy rule: commit hashes, UUIDs
// and identifiers stay. Everything is linear in what it goes over.
package secret

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// redacted is the placeholder where a variable would mean nothing; inName the
// one where < and > would not be allowed.
const (
	redacted = "<redacted>"
	inName   = "redacted"
)

// Redactor replaces the secrets of one conversion. The same secret gets the
// same placeholder wherever it stands.
type Redactor struct {
	budget  *budget.Budget
	fixed   bool // values become <redacted> rather than variables
	secrets []*found
	byValue map[string]*found

	taken  map[string]bool // variable names that stand in the source
	next   map[string]int  // the last number given to a name
	judged map[string]sensitivity
	walked map[*tree.Value]bool
	bodies map[string]string // long bodies, and what became of them

	sweeper *sweeper // of the first built secrets; nil before there are any
	built   int
}

// found is a secret that was replaced at least once.
type found struct {
	value string
	hint  string
	name  string // its variable, "" as long as none is needed
	own   bool   // the variable was the source's own
}

// NewRedactor returns a redactor without any secret yet. What it goes over is
// paid from b.
func NewRedactor(b *budget.Budget) *Redactor {
	return &Redactor{
		budget:  b,
		byValue: map[string]*found{},
		taken:   map[string]bool{},
		next:    map[string]int{},
		judged:  map[string]sensitivity{},
		walked:  map[*tree.Value]bool{},
		bodies:  map[string]string{},
	}
}

// Count is how many different secrets were replaced.
func (r *Redactor) Count() int { return len(r.secrets) }

// note remembers a secret. hint is what it is the value of.
func (r *Redactor) note(value, hint string) *found {
	if f := r.byValue[value]; f != nil {
		return f
	}
	f := &found{value: value, hint: hint}
	r.byValue[value] = f
	r.secrets = append(r.secrets, f)
	return f
}

// value returns the placeholder of a secret where a value stands.
func (r *Redactor) value(secret, hint string) string {
	f := r.note(secret, hint)
	if r.fixed {
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
			if r.next[base] == 0 {
				r.next[base] = 1
			}
			r.next[base]++
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
	for i, word := range splitWords(hint) {
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

// sensitivity returns sensitivityOf a name; a source uses few names often.
func (r *Redactor) sensitivity(name string, in place) sensitivity {
	if in == inQuery && strings.EqualFold(name, "key") {
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

// named returns the placeholder for value when it is a secret by its name, and
// ok; otherwise value as it is.
func (r *Redactor) named(name, value string, in place) (text string, ok bool) {
	if s := r.sensitivity(name, in); s != harmless && s.accepts(value) {
		return r.value(value, name), true
	}
	return value, false
}

// credential returns the placeholder for a value that is a secret by its
// place, value itself when an author's placeholder stands there.
func (r *Redactor) credential(value, hint string) string {
	if value == "" || isPlaceholder(value) {
		return value
	}
	return r.value(value, hint)
}
