// Package site describes the strings that may hold a secret. The request model and every format that is rewritten
// emit sites of one type, so package secret depends on the roles here and on no format.
package site

import (
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Role classifies a string.
type Role uint8

// The roles. Values are sent; names and prose are not.
const (
	Prose            Role = iota // text for people
	Identifier                   // a name: of a header, a file, an operation
	MemberName                   // the name of an object's member
	Path                         // the path of a URL, or a URL without its query
	Address                      // a URL or a part of one
	Credential                   // always a secret; its name suggests a variable name
	Header                       // a header's value
	Query                        // a query parameter's value, percent-encoded
	Cookie                       // a cookie's value
	Field                        // the value of a form field, a member or a setting
	Choice                       // a value from enum, default or const
	Body                         // a body in a media type
	Option                       // an option of curl
	Variable                     // a variable's value; its name can be used elsewhere
	LocalVariable                // the value of a variable that only its owner uses
	AssignedVariable             // the value of a variable whose uses were replaced by it
)

// Authorization is the name of a Credential that is the rest of an Authorization header, after an unknown scheme.
const Authorization = "authorization"

// Site is a string and its role.
type Site struct {
	Role      Role
	Name      string // the name whose value this is; several possible ones are lines
	MediaType string // of a Body; "" if unknown
	// Templated says that variables are replaced in prose.
	Templated bool
	// Evaluated says that a command's argument is built from a script's source, so that a short secret in the
	// argument is replaced, too.
	Evaluated bool
	// Marked says that the source marks a variable as secret. Set is then always called.
	Marked bool
	// Within is the part of the source that holds the site, nil for the site's own value.
	Within warning.Place

	text  *string
	value *tree.Value
	set   func(text string)
}

// In returns a site for a Go string.
func (s Site) In(text *string) Site {
	s.text = text
	return s
}

// At returns a site for a JSON string or number.
func (s Site) At(value *tree.Value) Site {
	s.value = value
	return s
}

// As returns a site for a string that set replaces.
func (s Site) As(text string, set func(text string)) Site {
	s.text, s.set = &text, set
	return s
}

// Text returns the site's string, or the digits of a number.
func (s *Site) Text() string {
	if s.text != nil {
		return *s.text
	}
	text, _ := s.value.Scalar()
	return text
}

// Place returns where the site is in the source, nil if that is unknown.
func (s *Site) Place() warning.Place {
	if s.Within == nil && s.value.ID() >= 0 {
		return s.value
	}
	return s.Within
}

// IsNumber reports whether the site is a JSON number.
func (s *Site) IsNumber() bool { return s.value.Kind() == tree.Number }

// Set replaces the string. A number becomes a string, or 0 if the text is that.
func (s *Site) Set(text string) {
	switch {
	case s.set != nil:
		s.set(text)
	case s.text != nil:
		*s.text = text
	case s.IsNumber() && text == "0":
		s.value.Become(tree.NewInt(0))
	default:
		s.value.Become(tree.NewString(text))
	}
}

// Walk visits values and passes each site to Emit.
type Walk struct {
	Emit func(Site)
	// seen has the arrays and objects that were visited, nil if each is in one place.
	seen map[*tree.Value]bool
	// exemplified is the parameter, header or media type whose named example is visited.
	exemplified *tree.Value
	// Visit, if set, is called for each object before its children are visited. It returns true to skip them.
	Visit func(v *tree.Value, k shape.Kind) bool
	// Templated is set on prose.
	Templated bool
	// keys has the location and name of each API key that the document declares as a security scheme.
	keys map[[2]string]bool
}

// NewWalk returns a walk that calls emit for each site of values that may be in several places, once. In a tree, each
// value is in one place: use Walk{Emit: emit}.
func NewWalk(emit func(Site)) *Walk {
	return &Walk{Emit: emit, seen: map[*tree.Value]bool{}}
}

// first reports whether v, an array or object, is visited for the first time.
func (w *Walk) first(v *tree.Value) bool {
	if w.seen == nil {
		return true
	}
	was := w.seen[v]
	w.seen[v] = true
	return !was
}

// Value emits the strings and numbers in a JSON value. They are named after their members, or as.Name.
func (w *Walk) Value(v *tree.Value, as Site) {
	switch v.Kind() {
	case tree.String, tree.Number:
		w.Emit(as.At(v))
	case tree.Array:
		if w.first(v) {
			for _, element := range v.Elements() {
				w.Value(element, as)
			}
		}
	case tree.Object:
		if w.first(v) {
			w.members(v, as)
		}
	}
}

func (w *Walk) members(v *tree.Value, as Site) {
	var pair Pair
	pair.Of(v)
	outer := as.Name
	for member, value := range v.Members() {
		as.Name = pair.MemberOf(member, outer)
		if member == "$ref" && as.Role == Field {
			reference := as
			reference.Role = Choice
			w.Value(value, reference)
		} else {
			w.Value(value, as)
		}
	}
	w.Names(v)
}

// Names emits the names of an object's members.
func (w *Walk) Names(v *tree.Value) {
	name := ""
	for _, was := range v.Names() {
		name = was
		if w.Emit(Site{Role: MemberName}.In(&name)); name != was {
			Rename(v, was, name)
		}
	}
}

// Rename renames a member. It appends a number if another member already has the name.
func Rename(v *tree.Value, was, name string) {
	for n := 2; !v.Rename(was, name) && v.Has(name); n++ {
		name = strings.TrimRight(name, "0123456789") + strconv.Itoa(n)
	}
}

// Text emits a JSON string; other values are ignored.
func (w *Walk) Text(v *tree.Value, as Site) {
	if v.Kind() == tree.String {
		w.Emit(as.At(v))
	}
}

// QueryName returns the name of a parameter in the query of a URL, of which before is the part up to the query: code is
// the key of an Azure function, but elsewhere, in OAuth for instance, no secret.
func QueryName(before, name string) string {
	if name == "code" && strings.Contains(before, ".azurewebsites.net/") {
		return "functions key"
	}
	return name
}

// Pair is what an object calls its own value: password in {"name": "password", "value": …}.
type Pair struct {
	name string // the last of the members that name something
	kind string // its type or id, which may be a name, too
}

// maxPairName limits the length in bytes of a name that is a value.
const maxPairName = 64

// Add adds a member of the object.
func (p *Pair) Add(member, text string) {
	switch {
	case len(text) > maxPairName:
	case endsIn(member, pairNames):
		p.name = text
	case member == "path" && strings.HasPrefix(text, "/"): // JSON Patch (RFC 6902, section 4)
		p.name = text[strings.LastIndexByte(text, '/')+1:]
	case strings.EqualFold(member, "type") || strings.EqualFold(member, "id"):
		p.kind = text
	}
}

// Of adds the members of an object that has a value.
func (p *Pair) Of(v *tree.Value) {
	if slices.ContainsFunc(v.Names(), IsPairValue) {
		for member, value := range v.Members() {
			p.Add(member, value.Text())
		}
	}
}

var (
	pairNames  = []string{"name", "key", "field", "param", "parameter", "property", "attribute", "header", "variable", "k"}
	pairValues = []string{"value", "val", "v", "#text"}
	secretMaps = []string{"secrets", "passwords", "tokens", "stringData"}

	// Objects that are a credential, and members whose names say nothing else.
	credentials = []string{"auth", "authentication", "credential", "credentials", "secret", "token", "apiKey", "api_key"}
	neutral     = []string{"key", "data", "content", "raw", "plain", "old", "new", "current", "base64"}
)

// IsPairValue reports whether other members may name the value of a member.
func IsPairValue(member string) bool { return endsIn(member, pairValues) }

// MemberOf returns the names that the value of a member may have, one per line. A member that is just called value
// belongs to what the object is called, or to outer, the name of the object; in a credential, so do members like key and data.
func (p *Pair) MemberOf(member, outer string) string {
	if !IsPairValue(member) {
		switch isNeutral := slices.Contains(neutral, member); {
		case isNeutral && endsIn(outer, []string{"password"}):
			return member + "\n" + outer
		case isNeutral && endsIn(outer, credentials), endsIn(outer, secretMaps):
			return member + "\ntokens"
		}
		return member
	}
	if slices.ContainsFunc(pairValues, func(word string) bool { return strings.EqualFold(word, member) }) {
		member = ""
	}
	if p.name != "" {
		outer = ""
	}
	return strings.Join(slices.DeleteFunc([]string{p.name, p.kind, outer, member}, func(name string) bool { return name == "" }), "\n")
}

// endsIn reports whether one of some words is the last word of a name.
func endsIn(name string, list []string) bool {
	if name == "" {
		return false
	}
	last := name[len(name)-1] | 0x20
	for _, word := range list {
		if n := len(name) - len(word); n >= 0 && last == word[len(word)-1] && strings.EqualFold(name[n:], word) &&
			(n == 0 || !words.IsLetter(name[n-1]) || name[n] < 'a' && name[n-1] >= 'a') {
			return true
		}
	}
	return false
}
