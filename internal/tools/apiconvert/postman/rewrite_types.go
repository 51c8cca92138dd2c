package postman

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// mender brings the values of a collection into the types of the v2.1 schema.
type mender struct {
	warnings *warning.List
	budget   *budget.Budget
}

// member is one of an object and what brings it into its type. at is where the
// object stands.
type member struct {
	name string
	mend func(m mender, object *tree.Value, name string, at *warning.Place)
}

type mend = func(m mender, object *tree.Value, name string, at *warning.Place)

func (m mender) malformed(at *warning.Place) { m.warnings.Add(warning.Malformed, at) }

func (m mender) members(object *tree.Value, members []member, at *warning.Place) {
	for _, one := range members {
		one.mend(m, object, one.name, at)
	}
}

// aText makes a member a string. null counts as missing; what is no scalar is
// removed.
func aText(m mender, object *tree.Value, name string, at *warning.Place) {
	member := object.Get(name)
	switch text, scalar := member.Scalar(); {
	case member == nil, member.Kind() == tree.String:
	case scalar:
		member.Become(tree.NewString(text))
	default:
		m.remove(object, name, at)
	}
}

// remove removes a member of another type; null counts as missing.
func (m mender) remove(object *tree.Value, name string, at *warning.Place) {
	if object.Delete(name).Kind() != tree.Null {
		m.malformed(at)
	}
}

// aTextAlways makes a member a string, also when it is missing.
func aTextAlways(m mender, object *tree.Value, name string, at *warning.Place) {
	aText(m, object, name, at)
	if !object.Has(name) {
		object.Set(name, tree.NewString(""))
	}
}

// aJSONText makes a member a string, of an object or array its JSON.
func aJSONText(m mender, object *tree.Value, name string, at *warning.Place) {
	if v := object.Get(name); v.Kind() == tree.Object || v.Kind() == tree.Array {
		v.Become(tree.NewString(collection.Compact(v)))
	}
	aText(m, object, name, at)
}

// aTextOrList makes a member a string or an array of strings (paths may have
// objects with a value in it).
func aTextOrList(m mender, object *tree.Value, name string, at *warning.Place) {
	list := object.Get(name)
	if list.Kind() != tree.Array {
		aText(m, object, name, at)
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

// aFlag makes a member true or false.
func aFlag(_ mender, object *tree.Value, name string, _ *warning.Place) {
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

// enabled makes disabled of enabled: false, as the first version spelled it.
func enabled(_ mender, object *tree.Value, name string, _ *warning.Place) {
	if object.Get("enabled").Kind() == tree.False && !object.Has(name) {
		object.Set(name, tree.NewBool(true))
	}
}

// maxNumber is how many digits a status or a port may have.
const maxNumber = 5

// aNumber makes a member a number without a sign; what is none is removed.
func aNumber(_ mender, object *tree.Value, name string, _ *warning.Place) {
	if number := object.Get(name); number != nil {
		if text, _ := number.Scalar(); collection.IsNumber(text) && len(text) <= maxNumber {
			number.Become(tree.NewNumber(text))
		} else {
			object.Delete(name)
		}
	}
}

// aDescription makes a member a string, an object with the member content, or
// null.
func aDescription(m mender, object *tree.Value, name string, at *warning.Place) {
	switch d := object.Get(name); d.Kind() {
	case tree.Object:
		aText(m, d, "content", at)
		aText(m, d, "type", at)
	case tree.Null:
	default:
		aText(m, object, name, at)
	}
}

// orNull mends what is not null, which the schema takes as well.
func orNull(otherwise mend) mend {
	return func(m mender, object *tree.Value, name string, at *warning.Place) {
		if object.Get(name).Kind() != tree.Null {
			otherwise(m, object, name, at)
		}
	}
}

// only removes a member of other kinds.
func only(kinds ...tree.Kind) mend {
	return func(_ mender, object *tree.Value, name string, _ *warning.Place) {
		if v := object.Get(name); v != nil && !slices.Contains(kinds, v.Kind()) {
			object.Delete(name)
		}
	}
}

// anObject removes a member that is no object, and mends its members.
func anObject(members ...member) mend {
	return func(m mender, object *tree.Value, name string, at *warning.Place) {
		switch v := object.Get(name); v.Kind() {
		case tree.Object:
			m.members(v, members, at)
		case tree.Missing:
		default:
			m.remove(object, name, at)
		}
	}
}

// within makes what is of other kinds an object that has it as a member.
func within(inner string, kinds ...tree.Kind) mend {
	return func(_ mender, object *tree.Value, name string, _ *warning.Place) {
		if v := object.Get(name); slices.Contains(kinds, v.Kind()) {
			content := v.Take()
			v.Become(tree.NewObject().Set(inner, content))
		}
	}
}

// aList makes a member an array of objects and mends their members.
func aList(members ...member) mend {
	return func(m mender, object *tree.Value, name string, at *warning.Place) {
		if !object.Has(name) {
			return
		}
		at = at.Member(name, 0)
		for i, element := range m.list(object, name, at).Elements() {
			m.members(element, members, at.Index(i))
		}
	}
}

// list makes a member an array of objects: an object of values by name becomes
// a list of keys and values.
func (m mender) list(parent *tree.Value, name string, at *warning.Place) *tree.Value {
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
			m.malformed(at)
		}
		member.Become(tree.NewArray())
	}
	m.objects(member, at)
	return member
}

// objects removes the elements of an array that are no objects.
func (m mender) objects(list *tree.Value, at *warning.Place) {
	i := -1
	list.KeepElements(func(element *tree.Value) bool {
		i++
		m.budget.Parts(1)
		if element.Kind() != tree.Object && element.Kind() != tree.Null {
			m.malformed(at.Index(i))
		}
		return element.Kind() == tree.Object
	})
}
