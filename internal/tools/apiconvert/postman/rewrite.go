package postman

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
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

// The members of a collection's objects, in the order in which they are mended.
var (
	groupMembers = []member{
		{"variable", variables(true)}, {"event", aList(eventMembers...)},
		{"protocolProfileBehavior", anObject()}, {"auth", anAuth},
	}
	itemMembers  = []member{{"id", aText}, {"name", aText}, {"description", aDescription}}
	eventMembers = []member{
		{"listen", aTextAlways}, {"id", aText}, {"disabled", aFlag},
		{"script", within("exec", tree.String, tree.Array)}, {"script", anObject(scriptMembers...)},
	}
	scriptMembers = []member{{"id", aText}, {"type", aText}, {"name", aText}, {"exec", aTextOrList}, {"src", anAddress}}

	requestMembers = []member{
		{"method", aMethod}, {"description", aDescription}, {"header", headers}, {"url", anAddress}, {"auth", anAuth},
		{"body", aBody}, {"proxy", anObject(proxyMembers...)}, {"certificate", anObject(certificateMembers...)},
	}
	entryMembers = []member{{"disabled", aFlag}, {"disabled", enabled}, {"description", aDescription}}
	headerList   = aList(slices.Concat(
		[]member{{"key", aTextAlways}, {"value", aJSONText}, {"value", aTextAlways}}, entryMembers)...)
	queryList = aList(slices.Concat(
		[]member{{"key", orNull(aText)}, {"value", orNull(aText)}}, entryMembers)...)
	addressMembers = []member{
		{"raw", aText}, {"protocol", aText}, {"port", aText}, {"hash", aText}, {"host", aTextOrList}, {"path", aTextOrList},
	}
	proxyMembers = []member{
		{"match", aText}, {"host", aText}, {"tunnel", aFlag}, {"disabled", aFlag}, {"port", aNumber},
	}
	certificateMembers = []member{
		{"name", aText}, {"passphrase", aText}, {"key", within("src", tree.String)}, {"key", anObject()},
		{"cert", within("src", tree.String)}, {"cert", anObject()}, {"matches", only(tree.Array)},
		{"matches", aTextOrList},
	}

	bodyMembers = []member{
		{"raw", aJSONText}, {"urlencoded", urlencoded}, {"formdata", aList(partMembers...)},
		{"graphql", within("query", tree.String)}, {"graphql", anObject()},
		{"file", within("src", tree.String)}, {"file", anObject(member{"src", orNull(aText)}, member{"content", aText})},
		{"options", anObject()}, {"disabled", aFlag},
	}
	fieldMembers = slices.Concat([]member{{"key", aTextAlways}, {"value", aJSONText}}, entryMembers)
	fieldList    = aList(fieldMembers...)
	partMembers  = slices.Concat(fieldMembers,
		[]member{{"contentType", aText}, {"type", partType}, {"src", orNull(aTextOrList)}})

	responseList = aList([]member{
		{"id", aText}, {"name", aText}, {"status", aText}, {"originalRequest", anOriginal}, {"header", headers},
		{"code", aNumber}, {"body", orNull(aJSONText)}, {"responseTime", only(tree.Null, tree.Number, tree.String)}, {"timings", orNull(anObject())},
		{"cookie", aList(cookieMembers...)},
	}...)
	cookieMembers = []member{
		{"domain", aTextAlways}, {"path", aTextAlways}, {"name", aText}, {"value", aText}, {"maxAge", aText},
		{"expires", orNull(aText)}, {"hostOnly", aFlag}, {"httpOnly", aFlag}, {"secure", aFlag}, {"session", aFlag},
		{"extensions", only(tree.Array)},
	}
)

func (m mender) info(root *tree.Value) {
	if root.Get("info").Kind() != tree.Object {
		root.Insert(0, "info", tree.NewObject())
	}
	info := root.Get("info")
	var whole *warning.Place
	at := whole.Field("info")
	aText(m, info, "name", at)
	if !info.Has("name") {
		m.warnings.AddNamed(warning.AddedInfo, at, "name")
		info.Insert(0, "name", tree.NewString(collection.Untitled))
	}
	aText(m, info, "_postman_id", at)
	aDescription(m, info, "description", at)
	if version := info.Get("version"); version.Kind() != tree.Object || !semantic(version) {
		if text := collection.Version(version); text != "" {
			version.Become(tree.NewString(text))
		} else if version != nil {
			info.Delete("version")
		}
	}
	info.Set("schema", tree.NewString(collection.SchemaURL))
}

// semantic reports whether a version object is as the schema wants it.
func semantic(version *tree.Value) bool {
	for _, name := range collection.VersionParts {
		number := version.Get(name)
		if text, _ := number.Scalar(); number.Kind() != tree.Number || strings.Trim(text, "0123456789") != "" {
			return false
		}
	}
	identifier := version.Get("identifier")
	return identifier == nil || identifier.Kind() == tree.String && len(identifier.Text()) <= 10
}

// group mends what collections, folders and items have in common.
func (m mender) group(v *tree.Value, at *warning.Place) {
	v.Rename("events", "event")
	if v.Get("variables").Kind() == tree.Array {
		v.Rename("variables", "variable")
	}
	m.members(v, groupMembers, at)
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
	m.members(item, itemMembers, at)
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
	aRequest(m, item, "request", at)
	responseList(m, item, "response", at)
}

// aRequest mends a request; a string is the address of a GET.
func aRequest(m mender, object *tree.Value, name string, at *warning.Place) {
	at = at.Member(name, 0)
	v := object.Get(name)
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
	m.members(v, requestMembers, at)
}

// anOriginal mends the request that a response was saved with.
func anOriginal(m mender, object *tree.Value, name string, at *warning.Place) {
	switch object.Get(name).Kind() {
	case tree.Missing:
	case tree.Null:
		object.Delete(name)
	default:
		aRequest(m, object, name, at)
	}
}

// aMethod makes null, which Postman sends as GET, that.
func aMethod(m mender, object *tree.Value, name string, at *warning.Place) {
	if object.Get(name).Kind() == tree.Null {
		object.Set(name, tree.NewString("GET"))
	}
	aText(m, object, name, at)
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
