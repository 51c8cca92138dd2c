package postman

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Rewrite changes a v2.0 or v2.1 collection in place into one that the v2.1
// schema accepts: addresses become objects, authentication becomes lists of
// attributes, older names of members become today's, and what has another type
// than the schema wants gets it. Members keep their order; scripts, settings
// and unknown members are kept. Rewriting twice changes nothing.
//
// One thing is left that the schema does not list: a variable of type secret
// keeps its type, because whoever replaces secrets has to see it.
func Rewrite(doc *tree.Document, b *budget.Budget, warnings *warning.List) error {
	root := doc.Root
	if root.Get("item").Kind() != tree.Array {
		return doc.Refuse(convert.Refuse(convert.InvalidSource,
			"The collection has no list of items.",
			"Give the collection a member item, an array of requests and folders."), root)
	}
	m := mender{warnings, b}
	var whole *warning.Place
	m.info(root)
	m.group(root, whole)
	m.items(root.Get("item"), whole.Field("item"))
	return nil
}

// mender brings the values of a collection into the types of the v2.1 schema.
type mender struct {
	warnings *warning.List
	budget   *budget.Budget
}

func (m mender) malformed(at *warning.Place) { m.warnings.Add(warning.Malformed, at) }

// text makes a member a string. null counts as missing; what is no scalar is
// removed.
func (m mender) text(object *tree.Value, name string, at *warning.Place) {
	member := object.Get(name)
	switch text, scalar := member.Scalar(); {
	case member == nil, member.Kind() == tree.String:
	case scalar:
		member.Become(tree.NewString(text))
	default:
		if member.Kind() != tree.Null {
			m.malformed(at)
		}
		object.Delete(name)
	}
}

// textOrEmpty makes a member a string, also when it is missing.
func (m mender) textOrEmpty(object *tree.Value, name string, at *warning.Place) {
	m.text(object, name, at)
	if !object.Has(name) {
		object.Set(name, tree.NewString(""))
	}
}

// flag makes a member true or false.
func (m mender) flag(object *tree.Value, name string) {
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

// disabled makes the member disabled a boolean, and one of enabled: false,
// as the first version spelled it.
func (m mender) disabled(object *tree.Value) {
	m.flag(object, "disabled")
	if object.Get("enabled").Kind() == tree.False && !object.Has("disabled") {
		object.Set("disabled", tree.NewBool(true))
	}
}

// description makes a member description a string, an object with the member
// content, or null.
func (m mender) description(object *tree.Value, at *warning.Place) {
	d := object.Get("description")
	switch d.Kind() {
	case tree.Object:
		m.text(d, "content", at)
		m.text(d, "type", at)
	case tree.Null:
	default:
		m.text(object, "description", at)
	}
}

// object removes a member that is no object.
func (m mender) object(parent *tree.Value, name string, at *warning.Place) *tree.Value {
	member := parent.Get(name)
	switch member.Kind() {
	case tree.Object:
		return member
	case tree.Missing:
	default:
		if member.Kind() != tree.Null {
			m.malformed(at)
		}
		parent.Delete(name)
	}
	return nil
}

// list makes a member an array of objects: an object of values by name becomes
// a list of keys and values. It returns nil when there is none.
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
	case tree.Missing:
		return nil
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

func (m mender) info(root *tree.Value) {
	if root.Get("info").Kind() != tree.Object {
		root.Insert(0, "info", tree.NewObject())
	}
	info := root.Get("info")
	var whole *warning.Place
	at := whole.Field("info")
	m.text(info, "name", at)
	if !info.Has("name") {
		info.Insert(0, "name", tree.NewString(untitled))
	}
	m.text(info, "_postman_id", at)
	m.description(info, at)
	if version := info.Get("version"); version.Kind() != tree.Object || !semantic(version) {
		if text := versionText(version); text != "" {
			version.Become(tree.NewString(text))
		} else if version != nil {
			info.Delete("version")
		}
	}
	info.Set("schema", tree.NewString(SchemaURL))
}

// untitled is the name of a collection whose source has none.
const untitled = "Requests"

// semantic reports whether a version object is as the schema wants it.
func semantic(version *tree.Value) bool {
	for _, name := range []string{"major", "minor", "patch"} {
		number := version.Get(name)
		text, _ := number.Scalar()
		if number.Kind() != tree.Number || text == "" || strings.Trim(text, "0123456789") != "" {
			return false
		}
	}
	identifier := version.Get("identifier")
	return identifier == nil || identifier.Kind() == tree.String && len(identifier.Text()) <= 10
}

// versionText returns a version, a string or Postman's object, as text.
func versionText(version *tree.Value) string {
	if text, ok := version.Scalar(); ok {
		return text
	}
	var parts []string
	for _, name := range []string{"major", "minor", "patch"} {
		if text, ok := version.Get(name).Scalar(); ok {
			parts = append(parts, text)
		}
	}
	text := strings.Join(parts, ".")
	if identifier := version.Get("identifier").Text(); identifier != "" {
		text += "-" + identifier
	}
	return text
}

// group mends what collections, folders and items have in common.
func (m mender) group(v *tree.Value, at *warning.Place) {
	v.Rename("events", "event")
	if v.Get("variables").Kind() == tree.Array {
		v.Rename("variables", "variable")
	}
	m.variables(v, at.Field("variable"), true)
	m.events(v, at.Field("event"))
	m.object(v, "protocolProfileBehavior", at)
	if v.Has("auth") {
		m.auth(v.Get("auth"), at.Field("auth"))
	}
}

func (m mender) items(list *tree.Value, at *warning.Place) {
	m.objects(list, at)
	for i, item := range list.Elements() {
		m.budget.Parts(1)
		m.item(item, at.Index(i))
	}
}

func (m mender) item(item *tree.Value, at *warning.Place) {
	m.group(item, at)
	m.text(item, "id", at)
	m.text(item, "name", at)
	m.description(item, at)
	switch inner := item.Get("item"); inner.Kind() {
	case tree.Array:
		if item.Delete("request").Len() > 0 {
			m.malformed(at.Field("request"))
		}
		m.items(inner, at.Field("item"))
		return
	case tree.Missing:
	case tree.Null:
		item.Delete("item")
	default:
		m.malformed(at.Field("item"))
		item.Delete("item")
	}
	item.Rename("responses", "response")
	if !item.Has("request") {
		item.Set("request", tree.NewObject())
	}
	m.request(item.Get("request"), at.Field("request"))
	if responses := m.list(item, "response", at.Field("response")); responses != nil {
		for i, response := range responses.Elements() {
			m.response(response, at.Field("response").Index(i))
		}
	}
}

// request mends a request; a string is the address of a GET.
func (m mender) request(v *tree.Value, at *warning.Place) {
	switch v.Kind() {
	case tree.Object:
	case tree.String:
		url := v.Take()
		v.Become(tree.NewObject().Set("method", tree.NewString("GET")).Set("url", url))
	default:
		if v.Kind() != tree.Null {
			m.malformed(at)
		}
		v.Become(tree.NewObject())
	}
	v.Rename("headers", "header")
	m.data(v)
	if v.Get("method").Kind() == tree.Null {
		v.Set("method", tree.NewString("GET"))
	}
	m.text(v, "method", at)
	m.description(v, at)
	m.headers(v, at.Field("header"))
	m.url(v, at.Field("url"))
	if v.Has("auth") {
		m.auth(v.Get("auth"), at.Field("auth"))
	}
	m.body(v, at.Field("body"))
	m.proxy(v, at)
	m.certificate(v, at)
}

// data turns data: {mode, content}, an early spelling of body, into a body.
func (m mender) data(v *tree.Value) {
	data := v.Get("data")
	mode := data.Get("mode").Text()
	if data.Kind() != tree.Object || mode == "" || v.Has("body") {
		return
	}
	v.Rename("data", "body")
	if data.Rename("content", mode) && mode == "raw" && data.Get("raw").Kind() == tree.Array {
		data.Delete("raw")
	}
}

func (m mender) response(v *tree.Value, at *warning.Place) {
	m.text(v, "id", at)
	m.text(v, "name", at)
	m.text(v, "status", at)
	if v.Has("originalRequest") {
		if original := v.Get("originalRequest"); original.Kind() == tree.Null {
			v.Delete("originalRequest")
		} else {
			m.request(original, at.Field("request"))
		}
	}
	m.headers(v, at.Field("header"))
	if code := v.Get("code"); code != nil {
		if text, _ := code.Scalar(); digits(text) && len(text) <= 3 {
			code.Become(tree.NewNumber(text))
		} else {
			v.Delete("code")
		}
	}
	if body := v.Get("body"); body != nil && body.Kind() != tree.Null && body.Kind() != tree.String {
		body.Become(tree.NewString(compact(body)))
	}
	switch v.Get("responseTime").Kind() {
	case tree.Missing, tree.Null, tree.String, tree.Number:
	default:
		v.Delete("responseTime")
	}
	if timings := v.Get("timings"); timings.Kind() != tree.Null {
		m.object(v, "timings", at)
	}
	if cookies := m.list(v, "cookie", at.Field("cookie")); cookies != nil {
		for _, cookie := range cookies.Elements() {
			m.cookie(cookie, at)
		}
	}
}

func (m mender) cookie(v *tree.Value, at *warning.Place) {
	m.textOrEmpty(v, "domain", at)
	m.textOrEmpty(v, "path", at)
	for _, name := range []string{"name", "value", "maxAge"} {
		m.text(v, name, at)
	}
	if v.Get("expires").Kind() != tree.Null {
		m.text(v, "expires", at)
	}
	for _, name := range []string{"hostOnly", "httpOnly", "secure", "session"} {
		m.flag(v, name)
	}
	if v.Has("extensions") && v.Get("extensions").Kind() != tree.Array {
		v.Delete("extensions")
	}
}

// digits reports whether text is a number of at least one digit without a sign
// or a leading zero.
func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == "" && (text == "0" || text[0] != '0')
}

// compact returns a value as JSON text, cut off where it is longer than any
// source can be.
func compact(v *tree.Value) string {
	text, err := v.AppendJSON(nil, 1<<22)
	if err != nil {
		return ""
	}
	return string(text)
}
