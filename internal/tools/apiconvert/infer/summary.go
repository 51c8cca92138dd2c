package infer

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Summary summarizes samples of the values at one location. The zero value has no samples. All methods accept a nil
// receiver.
type Summary struct {
	samples       int  // number of samples
	untyped       int  // number of samples of unknown type
	unbound       bool // values that were not seen are allowed, too
	null, boolean bool
	number        string // integer or number; "" if there are no numbers
	width         string // the format of all numbers
	text          bool
	format        string // the format of all strings
	items         *Summary
	object        *Object
}

// Object summarizes samples of the objects at one location, or at several after Join.
type Object struct {
	joined  *Object // the object that this one was joined to
	samples int
	sources int // number of top-level samples with such objects; several may be items of one array
	latest  int // the last of them
	members []*entry
	values  *Summary       // values of members that are named after a date or an identifier
	index   map[string]int // position by name
}

// entry is a member of the objects.
type entry struct {
	name    string
	value   *Summary
	samples int
}

// Whole returns the object that o was joined to, or o itself if it wasn't.
func (o *Object) Whole() *Object {
	for o != nil && o.joined != nil {
		if o.joined.joined != nil {
			o.joined = o.joined.joined
		}
		o = o.joined
	}
	return o
}

// Len returns the number of members.
func (o *Object) Len() int { return len(o.members) }

// Members yields the members in order.
func (o *Object) Members(yield func(name string, value *Summary) bool) {
	for _, m := range o.members {
		if !yield(m.name, m.value) {
			return
		}
	}
}

// Property returns the value of a member, or that of a map's members, and whether the schema requires it. The value is nil
// if there is no such member. o may be nil.
func (o *Object) Property(name string) (value *Summary, required bool) {
	if o == nil {
		return nil, false
	}
	at := o.position(name)
	if at < 0 {
		return o.values, false
	}
	return o.members[at].value, o.requires(o.members[at])
}

// requires reports whether the objects come from several samples and all of them have a member.
func (o *Object) requires(m *entry) bool {
	return o.sources >= fewestSamples && m.samples == o.samples
}

func (o *Object) position(name string) int {
	if at, known := o.index[name]; known {
		return at
	}
	return -1
}

func (o *Object) add(m *entry) int {
	o.index[m.name] = len(o.members)
	o.members = append(o.members, m)
	return len(o.members) - 1
}

// Object returns the objects among the samples, or nil if there are no objects.
func (s *Summary) Object() *Object {
	if s == nil {
		return nil
	}
	return s.object.Whole()
}

// Items returns the elements of the arrays among the samples, or nil if there are no arrays.
func (s *Summary) Items() *Summary {
	if s == nil {
		return nil
	}
	return s.items
}

// Each returns the values of an object that is only a map, keyed by dates or identifiers, or nil for other values.
func (s *Summary) Each() *Summary {
	if o := s.Object(); o != nil && o.Len() == 0 {
		return o.values
	}
	return nil
}

// anything reports whether values of any type are allowed.
func (s *Summary) anything() bool { return s.unbound || s.samples > 0 && s.untyped == s.samples }

// IsText reports whether all values are strings, which have no format in common.
func (s *Summary) IsText() bool {
	return s != nil && s.text && s.format == "" && s.kinds() == 1 && !s.null
}

func (s *Summary) addNumber(kind, width string) {
	if s.number != "" && s.width != width {
		width = ""
	}
	s.width = width
	if s.number != "number" {
		s.number = kind
	}
}

// addString adds a string, or the type that it only names.
func (s *Summary) addString(text string) {
	switch in, named := standIns[placeholderName(text)]; {
	case !named:
		s.addText(formatOf(text))
	case in.kind == "boolean":
		s.boolean = true
	case in.kind == "string":
		s.addText(in.format)
	default:
		s.addNumber(in.kind, in.format)
	}
}

func (s *Summary) addText(format string) {
	if s.text && s.format != format {
		format = ""
	}
	s.text, s.format = true, format
}

// Conflicts reports whether samples have different types, here or at a deeper level. It is called before Join,
// which may let an object contain itself.
func (s *Summary) Conflicts() bool {
	if s == nil {
		return false
	}
	if s.kinds() > 1 || s.items.Conflicts() {
		return true
	}
	o := s.object
	return o != nil && (o.values.Conflicts() || slices.ContainsFunc(o.members, func(m *entry) bool { return m.value.Conflicts() }))
}

// kinds returns how many types were seen, without null. It returns 0 if any type is allowed.
func (s *Summary) kinds() int {
	count := 0
	for _, seen := range [...]bool{s.object != nil, s.items != nil, s.text, s.number != "", s.boolean} {
		if seen && !s.anything() {
			count++
		}
	}
	return count
}

// Style says how schemas are written. The zero value writes every object inline.
type Style struct {
	// Reference returns the reference to an object that is written elsewhere, or "" to write it inline. It may be
	// nil.
	Reference func(*Object) string
	// Required is called with the name of each property that is written as required. It may be nil.
	Required func(name string)
}

// Schema returns the schema in JSON Schema 2020-12, as OpenAPI uses it. A property is required if there are at least
// two samples and all objects in them have it; the items of one array are part of one sample. Different types are
// alternatives (oneOf), and null is one of the types. A value that is null in every sample may have any type. The
// schema of nil is nil.
func (s *Summary) Schema(style Style) *tree.Value {
	if s == nil {
		return nil
	}
	if s.anything() {
		return tree.NewObject()
	}
	var kinds []*tree.Value
	if s.object != nil {
		kinds = append(kinds, s.Object().reference(style))
	}
	if s.items != nil {
		kinds = append(kinds, typed("array", "").Set("items", s.items.Schema(style)))
	}
	if s.text {
		kinds = append(kinds, typed("string", s.format))
	}
	if s.number != "" {
		kinds = append(kinds, typed(s.number, s.width))
	}
	if s.boolean {
		kinds = append(kinds, typed("boolean", ""))
	}
	switch {
	case len(kinds) == 0:
		return tree.NewObject()
	case len(kinds) == 1 && !s.null:
		return kinds[0]
	case len(kinds) == 1 && kinds[0].Has("type"):
		name := kinds[0].Get("type")
		return kinds[0].Set("type", tree.NewArray(name, tree.NewString("null")))
	}
	if s.null {
		kinds = append(kinds, typed("null", ""))
	}
	return tree.NewObject().Set("oneOf", tree.NewArray(kinds...))
}

func typed(name, format string) *tree.Value {
	v := tree.NewObject().Set("type", tree.NewString(name))
	if format != "" {
		v.Set("format", tree.NewString(format))
	}
	return v
}

// fewestSamples is how many samples are needed before a property can be required.
const fewestSamples = 2

// reference returns a reference to the object if it has one, otherwise its schema.
func (o *Object) reference(style Style) *tree.Value {
	if style.Reference != nil {
		if reference := style.Reference(o); reference != "" {
			return tree.NewObject().Set("$ref", tree.NewString(reference))
		}
	}
	return o.Schema(style)
}

// Schema returns the object's schema, with references to nested objects that have one.
func (o *Object) Schema(style Style) *tree.Value {
	s := typed("object", "")
	properties, required := tree.NewObjectFor(len(o.members)), tree.NewArray()
	for _, m := range o.members {
		properties.Add(m.name, m.value.Schema(style))
		if o.requires(m) {
			required.Append(tree.NewString(m.name))
			if style.Required != nil {
				style.Required(m.name)
			}
		}
	}
	if properties.Len() > 0 {
		s.Set("properties", properties)
	}
	if o.values != nil {
		s.Set("additionalProperties", o.values.Schema(style))
	}
	if required.Len() > 0 {
		s.Set("required", required)
	}
	return s
}

// comparedLevels is how many levels of two objects are compared.
const comparedLevels = 4

// Same reports whether two objects and the objects nested in them have the same properties with the same types. An
// empty nested object matches any object, and null matches any type.
func Same(a, b *Object, budget *tree.Quota) bool {
	return a.Whole().same(b.Whole(), comparedLevels, budget)
}

// same compares the names of properties, and their types down to so many levels.
func (o *Object) same(other *Object, levels int, budget *tree.Quota) bool {
	if o == other {
		return true
	}
	if o.Len() != other.Len() {
		return false
	}
	budget.Pay(1 + other.Len())
	return (levels == 0 || o.values.agrees(other.values, levels-1, budget)) && !slices.ContainsFunc(other.members, func(m *entry) bool {
		at := o.position(m.name)
		return at < 0 || levels > 0 && !o.members[at].value.agrees(m.value, levels-1, budget)
	})
}

// agrees reports whether the values have the same types, as far as they are known.
func (s *Summary) agrees(other *Summary, levels int, budget *tree.Quota) bool {
	if s == nil || other == nil || s.kinds() == 0 || other.kinds() == 0 {
		return true
	}
	if (s.object == nil) != (other.object == nil) || (s.items == nil) != (other.items == nil) ||
		s.text != other.text || s.boolean != other.boolean || (s.number == "") != (other.number == "") {
		return false
	}
	if x, y := s.Object(), other.Object(); x != nil && x.Len() > 0 && y.Len() > 0 && !x.same(y, levels, budget) {
		return false
	}
	return s.items.agrees(other.items, levels, budget)
}

// Join merges two objects and, recursively, the values of members that both have. The cost is the number of members of
// the second.
func Join(a, b *Object, budget *tree.Quota) {
	a, b = a.Whole(), b.Whole()
	if a == b {
		return
	}
	budget.Pay(1 + b.Len())
	b.joined = a
	a.samples += b.samples
	a.sources += b.sources
	for _, m := range b.members {
		a = a.Whole() // joining nested objects may have joined it to another one
		at := a.position(m.name)
		if at < 0 {
			a.add(m)
			continue
		}
		to := a.members[at]
		to.samples += m.samples
		to.value.join(m.value, budget)
	}
	if a = a.Whole(); a.values == nil {
		a.values = b.values
	} else if b.values != nil {
		a.values.join(b.values, budget)
	}
}

func (s *Summary) join(other *Summary, budget *tree.Quota) {
	if s == other {
		return
	}
	s.unbound = s.anything() || other.anything()
	s.samples += other.samples
	s.untyped += other.untyped
	s.null = s.null || other.null
	s.boolean = s.boolean || other.boolean
	if other.number != "" {
		s.addNumber(other.number, other.width)
	}
	if other.text {
		s.addText(other.format)
	}
	if s.items == nil {
		s.items = other.items
	} else if other.items != nil {
		s.items.join(other.items, budget)
	}
	if s.object == nil {
		s.object = other.object
	} else if other.object != nil {
		Join(s.object, other.object, budget)
	}
}
