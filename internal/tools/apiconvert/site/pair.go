package site

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

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
	return slices.ContainsFunc(list, func(word string) bool {
		n := len(name) - len(word)
		return n >= 0 && name[len(name)-1]|0x20 == word[len(word)-1] && strings.EqualFold(name[n:], word) && (n == 0 || !words.IsLetter(name[n-1]) || name[n] < 'a' && name[n-1] >= 'a')
	})
}
