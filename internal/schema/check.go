package schema

import (
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Violation is the first location at which a value violates its schema. Values are checked depth-first, members
// sorted by name, missing members last.
type Violation struct {
	// Keyword is the violated keyword, as the schema object names it; "discriminator" means that a member
	// (Schema.Decides) selects no alternative.
	Keyword string
	Schema  *Schema // the violated schema
	Value   any     // the invalid value
	// Path is the location: member names and indexes. For a missing member it is where the member would be.
	Path []string
}

// Pointer returns the path as a JSON Pointer (RFC 6901). The names must need no escapes.
func (v *Violation) Pointer() string {
	var b strings.Builder
	for _, name := range v.Path {
		b.WriteByte('/')
		b.WriteString(name)
	}
	return b.String()
}

// Limits for schemas that refer to each other: how deep they are followed, and how many are checked for one
// value in total.
const (
	maxDepth  = 128
	maxChecks = 1 << 20
)

// Check returns how a value violates the schema, or nil if it doesn't. A value is nil, bool, string,
// json.Number, float64, []any or map[string]any.
func (s *Schema) Check(value any) *Violation {
	checks := 0
	v := s.check(value, at{checks: &checks})
	if v != nil {
		slices.Reverse(v.Path) // it was appended from the inside out
	}
	return v
}

// at is the progress of a check.
type at struct {
	depth  int
	checks *int
}

func (a at) below() at { return at{a.depth + 1, a.checks} }

func (s *Schema) broken(keyword string, value any) *Violation {
	return &Violation{Keyword: keyword, Schema: s, Value: value}
}

func (v *Violation) below(name string) *Violation {
	v.Path = append(v.Path, name)
	return v
}

func (s *Schema) check(value any, a at) *Violation {
	if *a.checks++; a.depth > maxDepth || *a.checks > maxChecks {
		return s.broken("", value)
	}
	if value == nil && s.Nullable {
		return nil
	}
	for _, part := range s.AllOf {
		if v := part.check(value, a.below()); v != nil {
			return v
		}
	}
	if len(s.OneOf) > 0 {
		if v := s.checkOneOf(value, a.below()); v != nil {
			return v
		}
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(allowed any) bool { return same(allowed, value) }) {
		return s.broken("enum", value)
	}
	switch of := value.(type) {
	case string:
		if keyword := s.textFault(of); keyword != "" {
			return s.broken(keyword, value)
		}
		return nil
	case []any:
		return s.checkArray(of, a)
	case map[string]any:
		return s.checkObject(of, a)
	case bool:
		return s.typed(value, "boolean")
	case nil:
		if s.Type != "" { // otherwise a union has reported it
			return s.broken("nullable", value)
		}
		return nil
	}
	return s.checkNumber(value)
}

// typed returns a violation if the schema's type is not one of types, those of the value.
func (s *Schema) typed(value any, types ...string) *Violation {
	if s.Type == "" || slices.Contains(types, s.Type) {
		return nil
	}
	return s.broken("type", value)
}

// checkOneOf checks that exactly one alternative matches, or the one that Decides selects.
func (s *Schema) checkOneOf(value any, a at) *Violation {
	if s.Decides != "" {
		object, ok := value.(map[string]any)
		if !ok {
			return s.broken("type", value)
		}
		for _, alternative := range s.OneOf {
			if decider := alternative.Property(s.Decides); same(decider.Enum[0], object[s.Decides]) {
				return alternative.check(value, a)
			}
		}
		return s.broken("discriminator", value)
	}
	fit := 0
	for _, alternative := range s.OneOf {
		if alternative.check(value, a) == nil {
			fit++
		}
	}
	if fit != 1 {
		return s.broken("oneOf", value)
	}
	return nil
}

// textFault returns the keyword that a string violates, or "". It doesn't check enum, allOf and oneOf.
func (s *Schema) textFault(text string) string {
	switch {
	case s.Type != "" && s.Type != "string":
		return "type"
	// A code point has at least one byte and at most four.
	case s.MinLength > 0 && utf8.RuneCountInString(text) < s.MinLength:
		return "minLength"
	case s.MaxLength > 0 && len(text) > s.MaxLength && utf8.RuneCountInString(text) > s.MaxLength:
		return "maxLength"
	case s.Pattern != "" && !matches(s.Pattern, text):
		return "pattern"
	}
	return ""
}

// patterns caches compiled patterns by their source.
var patterns sync.Map

// matches reports whether a text matches a pattern that compiles.
func matches(pattern, text string) bool {
	compiled, ok := patterns.Load(pattern)
	if !ok {
		compiled, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return compiled.(*regexp.Regexp).MatchString(text)
}

func (s *Schema) checkNumber(value any) *Violation {
	n, ok := number(value)
	if !ok {
		return s.broken("type", value)
	}
	if token, written := value.(json.Number); written && s.Type == "integer" && !isInteger(string(token)) {
		return s.broken("type", value)
	}
	if keyword := s.numberFault(n); keyword != "" {
		return s.broken(keyword, value)
	}
	return nil
}

// isInteger reports whether a JSON number is an integer in any notation: 20e-1 is one, and 1e-400 is not,
// although the nearest double is.
func isInteger(token string) bool {
	mantissa, exponent := strings.TrimPrefix(token, "-"), "0"
	if e := strings.IndexAny(mantissa, "eE"); e >= 0 {
		mantissa, exponent = mantissa[:e], mantissa[e+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimRight(whole+fraction, "0")
	power, err := strconv.Atoi(exponent)
	// The value is the digits × 10^(power + len(whole) - len(digits)).
	return digits == "" || err == nil && power+len(whole) >= len(digits)
}

// numberFault is like textFault for a number.
func (s *Schema) numberFault(n float64) string {
	switch {
	case s.Type == "integer" && n != math.Trunc(n), s.Type != "" && s.Type != "integer" && s.Type != "number":
		return "type"
	case s.Range == nil:
		return ""
	case n < s.Range.Min:
		return "minimum"
	case n > s.Range.Max:
		return "maximum"
	}
	return ""
}

// FitsText reports whether Check accepts a string, for a schema without AllOf and OneOf; the caller must check
// their alternatives.
func (s *Schema) FitsText(text string) bool {
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(allowed any) bool { one, is := allowed.(string); return is && one == text }) {
		return false
	}
	return s.textFault(text) == ""
}

// FitsNumber is like FitsText for a number.
func (s *Schema) FitsNumber(n float64) bool {
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(allowed any) bool { one, is := number(allowed); return is && one == n }) {
		return false
	}
	return s.numberFault(n) == ""
}

// longestNumber is how many digits strconv reliably parses, see jsondoc.Shorten.
const longestNumber = 800

// number returns a number as a double. It returns false for any other value and for a number longer than longestNumber.
func number(value any) (float64, bool) {
	switch value := value.(type) {
	case json.Number:
		n, err := value.Float64()
		return n, err == nil && len(value) <= longestNumber
	case float64:
		return value, true
	}
	return 0, false
}

func (s *Schema) checkArray(list []any, a at) *Violation {
	if v := s.typed(list, "array"); v != nil {
		return v
	}
	switch {
	case len(list) < s.MinItems:
		return s.broken("minItems", list)
	case s.MaxItems > 0 && len(list) > s.MaxItems:
		return s.broken("maxItems", list)
	case s.UniqueItems && !unique(list):
		return s.broken("uniqueItems", list)
	case s.Items == nil:
		return nil
	}
	for i, item := range list {
		if v := s.Items.check(item, a.below()); v != nil {
			return v.below(strconv.Itoa(i))
		}
	}
	return nil
}

// unique reports whether no two items of a list are the same. Numbers are compared as written.
func unique(list []any) bool {
	seen := make(map[string]bool, len(list))
	for _, item := range list {
		text, err := json.Marshal(item)
		if err != nil || seen[string(text)] {
			return false
		}
		seen[string(text)] = true
	}
	return true
}

func (s *Schema) checkObject(object map[string]any, a at) *Violation {
	if v := s.typed(object, "object"); v != nil {
		return v
	}
	if s.MaxMembers > 0 && len(object) > s.MaxMembers {
		return s.broken("maxProperties", object)
	}
	if v := s.checkMembers(object, a); v != nil {
		return v
	}
	for _, name := range s.Required {
		if _, has := object[name]; !has {
			return s.broken("required", object).below(name)
		}
	}
	return nil
}

func (s *Schema) checkMembers(object map[string]any, a at) *Violation {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		of := s.Property(name)
		switch {
		case of == nil && s.Closed:
			return s.broken("properties", object)
		case of == nil:
			of = s.Others
		}
		if of == nil {
			continue
		}
		if v := of.check(object[name], a.below()); v != nil {
			return v.below(name)
		}
	}
	return nil
}

// same reports whether two scalars are the same value; objects and lists never are.
func same(a, b any) bool {
	if x, ok := number(a); ok {
		y, ok := number(b)
		return ok && x == y
	}
	switch a.(type) {
	case nil, string, bool:
		return a == b
	}
	return false
}
