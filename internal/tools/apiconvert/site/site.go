// Package site describes the strings that may hold a secret. The model and
// every format that is rewritten emit their sites in one shape, so that
// secrets are judged and looked for in one way: package secret knows the roles
// here and no format.
package site

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Role says what a text is.
type Role uint8

// The roles. A value is what is sent; a name and prose are not.
const (
	Prose            Role = iota // people read it
	Identifier                   // a name: of a header, a file, an operation
	MemberName                   // the name of an object's member
	Path                         // the path of a URL, or a URL without its query
	Address                      // a URL or a part of one
	Credential                   // always a secret; its name is a hint for a variable's
	Header                       // a header's value
	HeaderLines                  // headers as one text, a line each
	Query                        // a query parameter's value, percent-encoded
	Cookie                       // a cookie's value
	Field                        // the value of a form's field, a member, a setting
	Choice                       // a field that a description allows or assumes: enum, default, const
	Body                         // a body's text, in a media type
	Option                       // an option of curl
	Variable                     // a variable's value; its name can be used elsewhere
	LocalVariable                // the value of a variable that only its owner knows
	AssignedVariable             // the value of a variable that replaced its name
)

// Site is a text and what it is.
type Site struct {
	Role      Role
	Name      string // what the text is the value of
	MediaType string // of a Body, "" when it is not known
	// Described says that the text is in an OpenAPI document: nothing is sent
	// from it, so a variable would mean nothing.
	Described bool
	// Templated says of prose that variables are replaced in it.
	Templated bool
	// Evaluated says that a command's argument is made of the text of a script,
	// so that a short secret of the argument is looked for, too.
	Evaluated bool
	// Marked says that the source marks a variable as secret. Set is then
	// called in any case.
	Marked bool

	text  *string
	value *tree.Value
	set   func(text string)
}

// In returns a site whose text is a Go string.
func (s Site) In(text *string) Site {
	s.text = text
	return s
}

// At returns a site whose text is a JSON string or number.
func (s Site) At(value *tree.Value) Site {
	s.value = value
	return s
}

// As returns a site of a text that set replaces.
func (s Site) As(text string, set func(text string)) Site {
	s.text, s.set = &text, set
	return s
}

// Text is the site's text, of a number its digits.
func (s *Site) Text() string {
	if s.text != nil {
		return *s.text
	}
	text, _ := s.value.Scalar()
	return text
}

// IsNumber reports whether the text is a JSON number.
func (s *Site) IsNumber() bool { return s.value.Kind() == tree.Number }

// Set replaces the text. A number becomes a string, in a description 0.
func (s *Site) Set(text string) {
	switch {
	case s.set != nil:
		s.set(text)
	case s.text != nil:
		*s.text = text
	case s.IsNumber() && s.Described:
		s.value.Become(tree.NewInt(0))
	default:
		s.value.Become(tree.NewString(text))
	}
}

// Walk visits what has sites and passes each to Emit. Values in several places
// are visited once.
type Walk struct {
	Emit func(Site)
	seen map[*tree.Value]bool
}

// NewWalk returns a walk that has seen nothing yet.
func NewWalk(emit func(Site)) *Walk {
	return &Walk{Emit: emit, seen: map[*tree.Value]bool{}}
}

// first reports whether v, an array or object, is met for the first time.
func (w *Walk) first(v *tree.Value) bool {
	if w.seen[v] {
		return false
	}
	w.seen[v] = true
	return true
}

// Value emits what a JSON value holds: its strings and numbers are the values
// of as.Name or of their members' names.
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
	pair := v.Get("name").Text()
	if pair == "" {
		pair = v.Get("key").Text()
	}
	outer := as.Name
	for member, value := range v.Members() {
		as.Name = MemberOf(member, pair, outer)
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

// MemberOf is what a member's value is the value of: value in {"name":
// "password", "value": …} of a password.
func MemberOf(member, pair, outer string) string {
	if member != "value" {
		return member
	}
	if pair != "" {
		return pair
	}
	return outer
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

// Rename renames a member, with a number at the end if another
// member has that already.
func Rename(v *tree.Value, was, name string) {
	for n := 2; !v.Rename(was, name) && v.Has(name); n++ {
		name = strings.TrimRight(name, "0123456789") + strconv.Itoa(n)
	}
}

// Text emits a string of a document; other values have no site.
func (w *Walk) Text(v *tree.Value, as Site) {
	if v.Kind() == tree.String {
		w.Emit(as.At(v))
	}
}
