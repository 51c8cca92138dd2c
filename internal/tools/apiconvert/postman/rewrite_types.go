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
}

// member is the name of an object's member and the function that converts its value. at is the object's place.
type member struct {
	name      string
	normalize func(n normalizer, object *tree.Value, name string, at *warning.Place)
}

type normalize = func(n normalizer, object *tree.Value, name string, at *warning.Place)

func (n normalizer) malformed(at *warning.Place) { n.warnings.Add(warning.LostMalformed, at) }

func (n normalizer) members(object *tree.Value, members []member, at *warning.Place) {
	for _, one := range members {
		one.normalize(n, object, one.name, at)
	}
}

// asString converts a member to a string. null counts as missing; arrays and objects are removed.
func asString(n normalizer, object *tree.Value, name string, at *warning.Place) {
	member := object.Get(name)
	switch text, scalar := member.Scalar(); {
	case member == nil, member.Kind() == tree.String:
	case scalar:
		member.Become(tree.NewString(text))
	default:
		n.remove(object, name, at)
	}
}

// remove deletes a member of the wrong type; null counts as missing.
func (n normalizer) remove(object *tree.Value, name string, at *warning.Place) {
	if object.Delete(name).Kind() != tree.Null {
		n.malformed(at)
	}
}

// requiredString converts a member to a string, "" if it is missing.
func requiredString(n normalizer, object *tree.Value, name string, at *warning.Place) {
	asString(n, object, name, at)
	if !object.Has(name) {
		object.Set(name, tree.NewString(""))
	}
}

// asJSONString converts a member to a string, an object or array to its JSON.
func asJSONString(n normalizer, object *tree.Value, name string, at *warning.Place) {
	if v := object.Get(name); v.Kind() == tree.Object || v.Kind() == tree.Array {
		v.Become(tree.NewString(collection.Compact(v)))
	}
	asString(n, object, name, at)
}

// asStrings converts a member to a string or an array of strings. A path may hold objects with a value.
func asStrings(n normalizer, object *tree.Value, name string, at *warning.Place) {
	list := object.Get(name)
	if list.Kind() != tree.Array {
		asString(n, object, name, at)
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

// asBool converts a member to a boolean.
func asBool(_ normalizer, object *tree.Value, name string, _ *warning.Place) {
	member := object.Get(name)
	switch member.Kind() {
	case tree.Missing, tree.True, tree.False:
	case tree.String, tree.Number:
		text, _ := member.Scalar()
		member.Become(tree.NewBool(text != "" && text != "false" && text != "0"))
	default:
		object.Delete(name)
	}
}

// fromEnabled converts enabled: false, the spelling of the first version, to disabled: true.
func fromEnabled(_ normalizer, object *tree.Value, name string, _ *warning.Place) {
	if object.Get("enabled").Kind() == tree.False && !object.Has(name) {
		object.Set(name, tree.NewBool(true))
	}
}

// maxNumber limits the digits of a status or a port.
const maxNumber = 5

// asNumber converts a member to a number without a sign, or removes it.
func asNumber(_ normalizer, object *tree.Value, name string, _ *warning.Place) {
	if number := object.Get(name); number != nil {
		if text, _ := number.Scalar(); collection.IsNumber(text) && len(text) <= maxNumber {
			number.Become(tree.NewNumber(text))
		} else {
			object.Delete(name)
		}
	}
}

// asDescription converts a member to a string, an object with content, or null.
func asDescription(n normalizer, object *tree.Value, name string, at *warning.Place) {
	switch d := object.Get(name); d.Kind() {
	case tree.Object:
		asString(n, d, "content", at)
		asString(n, d, "type", at)
	case tree.Null:
	default:
		asString(n, object, name, at)
	}
}

// nullable lets null pass through and applies f to anything else.
func nullable(f normalize) normalize {
	return func(n normalizer, object *tree.Value, name string, at *warning.Place) {
		if object.Get(name).Kind() != tree.Null {
			f(n, object, name, at)
		}
	}
}

// onlyKinds removes a member whose value is not of one of the kinds.
func onlyKinds(kinds ...tree.Kind) normalize {
	return func(_ normalizer, object *tree.Value, name string, _ *warning.Place) {
		if v := object.Get(name); v != nil && !slices.Contains(kinds, v.Kind()) {
			object.Delete(name)
		}
	}
}

// asObject normalizes the members of an object; a member of another type is removed.
func asObject(members ...member) normalize {
	return func(n normalizer, object *tree.Value, name string, at *warning.Place) {
		switch v := object.Get(name); v.Kind() {
		case tree.Object:
			n.members(v, members, at)
		case tree.Missing:
		default:
			n.remove(object, name, at)
		}
	}
}

// wrapped wraps a value of one of the kinds in an object, under the name inner.
func wrapped(inner string, kinds ...tree.Kind) normalize {
	return func(_ normalizer, object *tree.Value, name string, _ *warning.Place) {
		if v := object.Get(name); slices.Contains(kinds, v.Kind()) {
			content := v.Take()
			v.Become(tree.NewObject().Set(inner, content))
		}
	}
}

// asList converts a member to an array of objects and normalizes their members.
func asList(members ...member) normalize {
	return func(n normalizer, object *tree.Value, name string, at *warning.Place) {
		if !object.Has(name) {
			return
		}
		at = at.Member(name, 0)
		for i, element := range n.list(object, name, at).Elements() {
			n.members(element, members, at.Index(i))
		}
	}
}

// list converts a member to an array of objects: an object becomes a list of keys and values.
func (n normalizer) list(parent *tree.Value, name string, at *warning.Place) *tree.Value {
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
			n.malformed(at)
		}
		member.Become(tree.NewArray())
	}
	n.objects(member, at)
	return member
}

// objects removes the elements of an array that are not objects.
func (n normalizer) objects(list *tree.Value, at *warning.Place) {
	list.Keep(func(i int, _ string, element *tree.Value) bool {
		n.budget.Parts(1)
		if element.Kind() != tree.Object && element.Kind() != tree.Null {
			n.malformed(at.Index(i))
		}
		return element.Kind() == tree.Object
	})
}
