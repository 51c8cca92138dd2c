package secret

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/spans"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// The placeholders where a variable would have no meaning.
const (
	redacted = "<redacted>"
	inName   = "redacted" // where < and > would not be allowed
)

// Redactor replaces the secrets of one conversion. The same secret gets the same placeholder everywhere.
type Redactor struct {
	// Described says that the sites are in an OpenAPI document. Nothing is sent from there, so variables have no
	// meaning.
	Described bool
	// Recorded says that the sites are in a recording, which repeats most of them.
	Recorded bool

	budget  *budget.Budget
	secrets []*found
	byValue map[string]*found

	taken  words.Unique    // variable names
	sent   map[string]bool // those used outside of credentials
	judged map[string]sensitivity
	bodies map[bodyText][]spans.Edit // the edits of long bodies
	clean  map[siteText]bool         // sites of a recording without secrets

	// Dummies are the names and values of credentials that were kept because they look like placeholders.
	Dummies []string
	// Places are where secrets were replaced, some repeatedly.
	Places []warning.Place

	atCredential bool          // the current site holds credentials
	place        warning.Place // of the current site

	sweeper *sweeper // for the secrets found so far, nil until needed
	short   *sweeper // the same, including short ones
}

// found is a secret that was replaced at least once.
type found struct {
	value   string
	hint    string
	name    string // its variable, "" until one is needed
	own     bool   // the variable is defined by the source
	certain bool   // recognized by its position or shape, not only by a name
	put     bool   // it was substituted for a variable with a secret's name
	sent    bool   // found outside of credentials

	replaced bool // in the output
}

// NewRedactor returns a redactor that charges its work to b.
func NewRedactor(b *budget.Budget) *Redactor {
	return &Redactor{
		budget:  b,
		byValue: map[string]*found{},
		taken:   words.Unique{},
		sent:    map[string]bool{},
		judged:  map[string]sensitivity{},
		bodies:  map[bodyText][]spans.Edit{},
		clean:   map[siteText]bool{},
	}
}

// Replaced returns, for each different secret that was replaced, the name of its variable or of what contained it. sent
// leaves out those that Credentials counts.
func (r *Redactor) Replaced(sent bool) (names []string) {
	for _, f := range r.secrets {
		if f.replaced && (!sent || f.sent || r.sent[f.name]) {
			names = append(names, cmp.Or(f.name, f.hint, "secret"))
		}
	}
	return names
}

// Credentials returns the number of secrets found only in credentials and curl options, which an OpenAPI
// document cannot hold.
func (r *Redactor) Credentials() int { return len(r.Replaced(false)) - len(r.Replaced(true)) }

// holdsCredentials reports whether Credentials counts the secrets of s.
func holdsCredentials(s site.Site) bool { return s.Role == site.Credential || s.Role == site.Option }

// Sites passes each site of a document or model to emit, which may replace its text.
type Sites func(emit func(site.Site))

// Redact replaces the secrets in everything that sites emits, in three passes: it empties the variables that hold
// secrets, replaces what each other site shows to be a secret (judge.go), and then replaces the same values wherever
// else they occur (Sweep). A secret that is sent becomes the variable {{name}}; in other positions it becomes
// <redacted>, in a name redacted. Redact returns the names of the variables that the source does not define.
func (r *Redactor) Redact(sites Sites) (newVariables []string) {
	if !r.Described { // a description has no variables
		defined, credentials := r.surveyVariables(sites)
		for _, s := range defined {
			r.redactVariable(s, credentials)
		}
	}
	sites(r.judgeSite)
	return r.Sweep(sites)
}

// Learn finds the secrets in sites that are not part of the output, so that Sweep replaces them there.
func (r *Redactor) Learn(sites Sites) (newVariables []string) {
	before, places := len(r.secrets), len(r.Places)
	newVariables = r.Redact(sites)
	for _, f := range r.secrets[before:] {
		f.replaced = false
	}
	r.Places = r.Places[:places]
	return newVariables
}

// Sweep replaces the secrets found so far in everything that sites emits. It returns the names of variables
// that the source does not define and that were not returned before.
func (r *Redactor) Sweep(sites Sites) (newVariables []string) {
	if len(r.secrets) > 0 {
		sites(r.sweepSite)
	}
	for _, f := range r.secrets {
		if f.name != "" && !f.own {
			newVariables = append(newVariables, f.name)
			f.own = true
		}
	}
	return newVariables
}

// surveyVariables returns the definitions of variables and the names of those used as credentials. It records
// which names are in use.
func (r *Redactor) surveyVariables(sites Sites) (defined []site.Site, credentials map[string]bool) {
	credentials = map[string]bool{}
	sites(func(s site.Site) {
		switch s.Role {
		case site.Variable, site.LocalVariable:
			r.taken.Take(s.Name)
			defined = append(defined, s)
		case site.AssignedVariable: // its name is no longer used
			defined = append(defined, s)
		default:
			r.surveyUses(s, credentials)
		}
	})
	return defined, credentials
}

// surveyUses records the names of the variables in a text, and which of them are credentials.
func (r *Redactor) surveyUses(s site.Site, credentials map[string]bool) {
	text := s.Text()
	r.budget.Pass(len(text))
	if !strings.Contains(text, "{{") {
		return
	}
	secret := s.Role == site.Credential ||
		(s.Role == site.Header || s.Role == site.Field || s.Role == site.Query) && r.sensitivity(s.Name, s.Role).isSecret()
	for _, part := range request.Split(text) {
		r.budget.Pass(0)
		if part.Kind == request.VariablePart {
			r.taken.Take(part.Text)
			r.sent[part.Text] = r.sent[part.Text] || !holdsCredentials(s)
			credentials[part.Text] = credentials[part.Text] || secret
		}
	}
	var open spans.Opener
	switch s.Role {
	case site.Body:
		open = spans.OpenerOf(text, s.MediaType)
	case site.Option:
		open = spans.Options[s.Name]
	}
	if open != nil {
		open(text, s.MediaType, func(span spans.Span) {
			if value := text[span.From:span.To]; span.Role != site.Body { // text within text is not opened
				r.surveyUses(site.Site{Role: span.Role, Name: r.mostSensitive(span.Name, span.Role)}.In(&value), credentials)
			}
		})
	}
}

// redactVariable empties a variable that holds a secret. Other occurrences of the value become this variable.
func (r *Redactor) redactVariable(s site.Site, credentials map[string]bool) {
	text := s.Text()
	name := r.mostSensitive(s.Name, s.Role)
	isCredential := credentials[s.Name[strings.LastIndexByte(s.Name, '\n')+1:]]
	is, certain := r.isSecretVariable(name, text, s.Marked, isCredential)
	if !is {
		if s.Marked {
			s.Set(text)
		}
		return
	}
	f := r.note(text, name, certain)
	f.replaced = true
	r.Places = append(r.Places, s.Place())
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
	if strings.EqualFold(name, "key") {
		return len(value) >= minDigits && words.IsMixed(value), false
	}
	return r.sensitivity(name, site.Variable).accepts(value), false
}

// note records a secret. hint is the name of what contains it.
func (r *Redactor) note(value, hint string, certain bool) *found {
	f := r.byValue[value]
	if f == nil {
		f = &found{value: value, hint: hint}
		r.byValue[value] = f
		r.secrets = append(r.secrets, f)
		r.sweeper, r.short = nil, nil
	}
	if certain && !f.certain {
		f.certain, r.sweeper = true, nil
	}
	return f
}

func (r *Redactor) placeholder(f *found, role site.Role) string {
	f.sent = f.sent || !r.atCredential
	f.replaced = true
	r.Places = append(r.Places, r.place)
	switch role {
	case site.Prose:
		return redacted
	case site.Identifier, site.MemberName:
		return inName
	case site.Address, site.Path, site.Query:
		if r.Described {
			return inName
		}
	}
	if r.Described {
		return redacted
	}
	return "{{" + r.nameOf(f) + "}}"
}

// nameOf returns the variable for a secret: a unique name derived from the hint.
func (r *Redactor) nameOf(f *found) string {
	if f.name == "" {
		f.name = r.taken.Name(variableName(f.hint))
	}
	return f.name
}

// maxNameWords limits the words of a variable name derived from a hint.
const maxNameWords = 5

// variableName derives a camel-case name from a hint (X-Api-Key: xApiKey).
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

// Passwords declares that the values of these names are passwords.
func (r *Redactor) Passwords(names []string) {
	for _, name := range names {
		r.judged[name] = passwordLike
	}
}

// mostSensitive returns the most sensitive of several names.
func (r *Redactor) mostSensitive(names string, role site.Role) string {
	most, rest, several := strings.Cut(names, "\n")
	for several {
		var name string
		if name, rest, several = strings.Cut(rest, "\n"); r.sensitivity(name, role) > r.sensitivity(most, role) {
			most = name
		}
	}
	return most
}

// sensitivity caches sensitivityOf, because a source uses few names often. A bare "key" in a query is an API key.
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
