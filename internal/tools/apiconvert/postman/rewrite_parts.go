package postman

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// variableTypes are the types of variables that the schema lists.
var variableTypes = []string{"any", "boolean", "number", "string"}

var (
	variableNames   = []member{{"id", asString}, {"key", asString}, {"name", asString}}
	variableMembers = append([]member{{"system", asBool}}, entryMembers...)
)

// variables normalizes a list of variables and gives each a key. Variables of a collection (top) may keep the
// type secret.
func variables(top bool) normalize {
	return func(n normalizer, object *tree.Value, name string) {
		if !object.Has(name) {
			return
		}
		n = n.in(object.Get(name))
		n.list(object, name).Keep(func(_ int, _ string, v *tree.Value) bool {
			n := n.in(v)
			n.members(v, variableNames)
			if !v.Has("key") {
				known := cmp.Or(v.Get("id"), v.Get("name"))
				if known == nil {
					if v.Len() > 0 {
						n.malformed()
					}
					return false
				}
				v.Set("key", tree.NewString(known.Text()))
			}
			if kind := v.Get("type"); kind != nil && !slices.Contains(variableTypes, kind.Text()) &&
				(!top || kind.Text() != collection.SecretType) {
				v.Delete("type")
			}
			n.members(v, variableMembers)
			return true
		})
	}
}

// headers normalizes a list of headers; a string has one header a line.
func headers(n normalizer, object *tree.Value, name string) {
	if text := object.Get(name); text.Kind() == tree.String {
		list := tree.NewArray()
		for line := range strings.FieldsFuncSeq(text.Text(), func(r rune) bool { return r == '\n' || r == '\r' }) {
			if name, value, ok := strings.Cut(line, ":"); ok {
				list.Append(tree.NewObject().
					Set("key", tree.NewString(strings.TrimSpace(name))).
					Set("value", tree.NewString(strings.TrimSpace(value))))
			}
		}
		text.Become(list)
	}
	headerList(n, object, name)
}

// asURL normalizes a URL. A string becomes an object unless it is empty.
func asURL(n normalizer, object *tree.Value, name string) {
	url := object.Get(name)
	n = n.in(url)
	switch url.Kind() {
	case tree.String:
		if raw := collection.TrimURL(url.Text()); raw != "" {
			a := collection.ParseURL(raw)
			url.Become(a.Object(raw))
		}
	case tree.Object:
		n.members(url, urlMembers)
		complete(url)
		queryList(n, url, "query")
		collection.SplitPath(url)
		variables(false)(n, url, "variable")
	case tree.Missing:
	default:
		n.remove(object, name)
	}
}

// complete fills in what only raw has: everything if there is neither host nor path, the query if there is no
// list for it.
func complete(url *tree.Value) {
	raw := url.Get("raw").Text()
	if raw == "" {
		return
	}
	all := strings.Join(url.Get("host").Texts(), ".") == "" && url.Get("path").Len() == 0 && url.Get("path").Text() == ""
	if !all && (url.Has("query") || !strings.Contains(raw, "?")) {
		return
	}
	a := collection.ParseURL(raw)
	for name, value := range a.Object(raw).Members() {
		if name == "query" || all {
			if old := url.Get(name); old.Len() == 0 && old.Text() == "" {
				url.Set(name, value)
			}
		}
	}
}

// authTypes are the types of authentication that Postman has. Its schema doesn't list asap and jwt.
var authTypes = []string{
	"apikey", "asap", "awsv4", "basic", "bearer", "digest", "edgegrid", "hawk", "jwt", "noauth", "ntlm", "oauth1", "oauth2",
}

// asAuth normalizes an authentication: its attributes become lists. Without a type it becomes null, with an
// unknown one noauth.
func asAuth(n normalizer, object *tree.Value, name string) {
	auth := object.Get(name)
	if auth == nil {
		return
	}
	n = n.in(auth)
	kind := auth.Get("type").Text()
	if auth.Kind() != tree.Object || kind == "" {
		if auth.Kind() != tree.Null && auth.Len() > 0 {
			n.malformed()
		}
		auth.Become(tree.NewNull())
		return
	}
	if !slices.Contains(authTypes, kind) {
		n.warnings.AddNamed(warning.LostAuthentication, n.at, kind)
		auth.Set("type", tree.NewString("noauth"))
	}
	for _, name := range authTypes {
		if name != "noauth" && auth.Has(name) {
			n.attributes(auth, name)
		}
	}
}

func (n normalizer) attributes(auth *tree.Value, kind string) {
	named := auth.Get(kind).Kind() == tree.Object
	for _, attribute := range n.list(auth, kind).Elements() {
		requiredString(n, attribute, "key")
		asString(n, attribute, "type")
		if named {
			typed := cmp.Or(collection.ScalarTypes[attribute.Get("value").Kind()], "any")
			attribute.Set("type", tree.NewString(typed))
		}
	}
}

// bodyModes are the modes of bodies that the schema lists.
var bodyModes = []string{"raw", "urlencoded", "formdata", "file", "graphql"}

// asBody normalizes a request's body.
func asBody(n normalizer, object *tree.Value, name string) {
	body := object.Get(name)
	n = n.in(body)
	switch body.Kind() {
	case tree.Missing, tree.Null:
		return
	case tree.Object:
	default:
		n.remove(object, name)
		return
	}
	n.mode(body)
	n.members(body, bodyMembers)
}

// mode sets a body's mode to one of the schema. Without a mode, the first member named like a mode decides;
// Postman treats an unknown mode as raw, and does not send what the body has under its name.
func (n normalizer) mode(body *tree.Value) {
	mode, ok := body.Get("mode").Scalar()
	if lower := strings.ToLower(mode); slices.Contains(bodyModes, lower) {
		body.Set("mode", tree.NewString(lower))
		return
	}
	if ok && mode != "" {
		if body.Has(mode) {
			n.in(body.Get(mode)).malformed()
		}
		body.Set("mode", tree.NewString("raw"))
		return
	}
	body.Delete("mode")
	for _, name := range bodyModes {
		if content := body.Get(name); content.Len() > 0 || content.Text() != "" {
			body.Insert(0, "mode", tree.NewString(name))
			return
		}
	}
}

// partType sets the type of a part to text or file.
func partType(_ normalizer, object *tree.Value, name string) {
	kind := object.Get(name)
	if kind == nil && object.Has("src") {
		object.Set(name, tree.NewString("file"))
	} else if kind != nil && kind.Text() != "text" && kind.Text() != "file" {
		object.Set(name, tree.NewString("text"))
	}
}

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
