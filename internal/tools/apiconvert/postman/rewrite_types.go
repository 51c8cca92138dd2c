package postman

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// normalizer converts the values of a collection to the types of the v2.1 schema.
type normalizer struct {
	warnings *warning.List
	budget   *budget.Budget
	at       *tree.Value // the innermost part that was read, nil for the collection
}

// in returns a normalizer for a part.
func (n normalizer) in(v *tree.Value) normalizer {
	if v.ID() >= 0 {
		n.at = v
	}
	return n
}

// member is the name of an object's member and the function that converts its value.
type member struct {
	name      string
	normalize func(n normalizer, object *tree.Value, name string)
}

type normalize = func(n normalizer, object *tree.Value, name string)

func (n normalizer) malformed() { n.warnings.Add(warning.LostMalformed, n.at) }

func (n normalizer) members(object *tree.Value, members []member) {
	for _, one := range members {
		one.normalize(n, object, one.name)
	}
}

// asString converts a member to a string. null counts as missing; arrays and objects are removed.
func asString(n normalizer, object *tree.Value, name string) {
	member := object.Get(name)
	switch text, scalar := member.Scalar(); {
	case member == nil, member.Kind() == tree.String:
	case scalar:
		member.Become(tree.NewString(text))
	default:
		n.remove(object, name)
	}
}

// remove deletes a member of the wrong type; null counts as missing.
func (n normalizer) remove(object *tree.Value, name string) {
	if object.Delete(name).Kind() != tree.Null {
		n.malformed()
	}
}

// requiredString converts a member to a string, "" if it is missing.
func requiredString(n normalizer, object *tree.Value, name string) {
	asString(n, object, name)
	if !object.Has(name) {
		object.Set(name, tree.NewString(""))
	}
}

// asJSONString converts a member to a string, an object or array to its JSON.
func asJSONString(n normalizer, object *tree.Value, name string) {
	if v := object.Get(name); v.Kind() == tree.Object || v.Kind() == tree.Array {
		v.Become(tree.NewString(collection.Compact(v)))
	}
	asString(n, object, name)
}

// asBool removes a member that is not a boolean.
var asBool = onlyKinds(tree.True, tree.False)

// asStrings converts a member to a string or an array of strings. A path may hold objects with a value.
func asStrings(n normalizer, object *tree.Value, name string) {
	list := object.Get(name)
	if list.Kind() != tree.Array {
		asString(n, object, name)
		return
	}
	for _, piece := range list.Elements() {
		text, _ := piece.Scalar()
		if piece.Kind() == tree.Object {
			text, _ = piece.Get("value").Scalar()
		}
		if piece.Kind() != tree.String {
			piece.Become(tree.NewString(text))
		}
	}
}

// fromEnabled converts enabled: false, the spelling of the first version, to disabled: true.
func fromEnabled(_ normalizer, object *tree.Value, name string) {
	if object.Get("enabled").Kind() == tree.False && !object.Has(name) {
		object.Set(name, tree.NewBool(true))
	}
}

// maxNumber limits the digits of a status or a port.
const maxNumber = 5

// asNumber converts a member to a number without a sign, or removes it.
func asNumber(_ normalizer, object *tree.Value, name string) {
	if number := object.Get(name); number != nil {
		if text, _ := number.Scalar(); collection.IsNumber(text) && len(text) <= maxNumber {
			number.Become(tree.NewNumber(text))
		} else {
			object.Delete(name)
		}
	}
}

// asDescription converts a member to a string, an object with content, or null.
func asDescription(n normalizer, object *tree.Value, name string) {
	switch d := object.Get(name); d.Kind() {
	case tree.Object:
		asString(n, d, "content")
		asString(n, d, "type")
	case tree.Null:
	default:
		asString(n, object, name)
	}
}

// nullable lets null pass through and applies f to anything else.
func nullable(f normalize) normalize {
	return func(n normalizer, object *tree.Value, name string) {
		if object.Get(name).Kind() != tree.Null {
			f(n, object, name)
		}
	}
}

// onlyKinds removes a member whose value is not of one of the kinds.
func onlyKinds(kinds ...tree.Kind) normalize {
	return func(n normalizer, object *tree.Value, name string) {
		if v := object.Get(name); v != nil && !slices.Contains(kinds, v.Kind()) {
			n.remove(object, name)
		}
	}
}

// asObject normalizes the members of an object; a member of another type is removed.
func asObject(members ...member) normalize {
	return func(n normalizer, object *tree.Value, name string) {
		switch v := object.Get(name); v.Kind() {
		case tree.Object:
			n.members(v, members)
		case tree.Missing:
		default:
			n.remove(object, name)
		}
	}
}

// asList converts a member to an array of objects and normalizes their members.
func asList(members ...member) normalize {
	return func(n normalizer, object *tree.Value, name string) {
		if !object.Has(name) {
			return
		}
		n = n.in(object.Get(name))
		for _, element := range n.list(object, name).Elements() {
			n.in(element).members(element, members)
		}
	}
}

// list converts a member to an array of objects: an object becomes a list of keys and values.
func (n normalizer) list(parent *tree.Value, name string) *tree.Value {
	member := parent.Get(name)
	switch member.Kind() {
	case tree.Array:
	case tree.Object:
		list := tree.NewArray()
		for key, value := range member.Members() {
			list.Append(tree.NewObject().Set("key", tree.NewString(key)).Set("value", value))
		}
		member.Become(list)
	default:
		if member.Kind() != tree.Null && member.Text() != "" {
			n.malformed()
		}
		member.Become(tree.NewArray())
	}
	n.objects(member)
	return member
}

// objects removes the elements of an array that are not objects.
func (n normalizer) objects(list *tree.Value) {
	list.Keep(func(_ int, _ string, element *tree.Value) bool {
		n.budget.Parts(1)
		if element.Kind() != tree.Object && element.Kind() != tree.Null {
			n.in(element).malformed()
		}
		return element.Kind() == tree.Object
	})
}
