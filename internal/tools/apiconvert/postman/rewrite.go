package postman

import (
	"slices"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Rewrite changes a v2.0 or v2.1 collection in place into one that the v2.1 schema accepts: URLs become
// objects, authentication becomes lists of attributes, older member names become current ones, and scalars are
// converted to the types of the schema; other parts that it rejects are dropped with a warning. Members keep their order; scripts, settings and unknown members are
// kept. Rewriting twice changes nothing.
//
// One exception to the schema remains: a variable of type secret keeps its type, which the replacement of
// secrets needs.
func Rewrite(doc *tree.Document, b *budget.Budget, warnings *warning.List) error {
	root := doc.Root
	if root.Get("item").Kind() != tree.Array {
		return doc.Reject(convert.Reject(convert.InvalidSource,
			"The collection has no list of items.",
			"Give the collection a member item, an array of requests and folders."), root)
	}
	n := normalizer{warnings: warnings, budget: b}
	n.info(root)
	n.group(root)
	n.items(root.Get("item"))
	return nil
}

// The members of a collection's objects, in the order in which they are normalized.
var (
	groupMembers = []member{
		{"variable", variables(true)}, {"event", asList(eventMembers...)},
		{"protocolProfileBehavior", asObject()}, {"auth", asAuth},
	}
	itemMembers  = []member{{"id", asString}, {"name", asString}, {"description", asDescription}}
	eventMembers = []member{
		{"listen", requiredString}, {"id", asString}, {"disabled", asBool},
		{"script", asObject(scriptMembers...)},
	}
	scriptMembers = []member{{"id", asString}, {"type", asString}, {"name", asString}, {"exec", asStrings}, {"src", asURL}}

	requestMembers = []member{
		{"method", asMethod}, {"description", asDescription}, {"header", headers}, {"url", asURL}, {"auth", asAuth},
		{"body", asBody}, {"proxy", asObject(proxyMembers...)}, {"certificate", asObject(certificateMembers...)},
	}
	entryMembers = []member{{"disabled", asBool}, {"disabled", fromEnabled}, {"description", asDescription}}
	headerList   = asList(slices.Concat(
		[]member{{"key", requiredString}, {"value", requiredString}}, entryMembers)...)
	queryList = asList(slices.Concat(
		[]member{{"key", nullable(asString)}, {"value", nullable(asString)}}, entryMembers)...)
	urlMembers = []member{
		{"raw", asString}, {"protocol", asString}, {"port", asString}, {"hash", asString}, {"host", asStrings}, {"path", asStrings},
	}
	proxyMembers = []member{
		{"match", asString}, {"host", asString}, {"tunnel", asBool}, {"disabled", asBool}, {"port", asNumber},
	}
	certificateMembers = []member{
		{"name", asString}, {"passphrase", asString}, {"key", asObject()}, {"cert", asObject()},
		{"matches", onlyKinds(tree.Array)}, {"matches", asStrings},
	}

	bodyMembers = []member{
		{"raw", asJSONString}, {"urlencoded", asList(fieldMembers...)}, {"formdata", asList(partMembers...)},
		{"graphql", asObject()}, {"file", asObject(member{"src", nullable(asString)}, member{"content", asString})},
		{"options", asObject()}, {"disabled", asBool},
	}
	fieldMembers = slices.Concat([]member{{"key", requiredString}, {"value", asString}}, entryMembers)
	partMembers  = slices.Concat(fieldMembers,
		[]member{{"contentType", asString}, {"type", partType}, {"src", nullable(asStrings)}})

	responseList = asList([]member{
		{"id", asString}, {"name", asString}, {"status", asString}, {"originalRequest", asRequest}, {"header", headers},
		{"code", asNumber}, {"body", nullable(asJSONString)}, {"responseTime", onlyKinds(tree.Null, tree.Number, tree.String)}, {"timings", nullable(asObject())},
		{"cookie", asList(cookieMembers...)},
	}...)
	cookieMembers = []member{
		{"domain", requiredString}, {"path", requiredString}, {"name", asString}, {"value", asString}, {"maxAge", asString},
		{"expires", nullable(asString)}, {"hostOnly", asBool}, {"httpOnly", asBool}, {"secure", asBool}, {"session", asBool},
		{"extensions", onlyKinds(tree.Array)},
	}
)

func (n normalizer) info(root *tree.Value) {
	if root.Get("info").Kind() != tree.Object {
		root.Insert(0, "info", tree.NewObject())
	}
	info := root.Get("info")
	n = n.in(info)
	asString(n, info, "name")
	if !info.Has("name") {
		n.warnings.AddNamed(warning.AddedInfo, n.at, "name")
		info.Insert(0, "name", tree.NewString(collection.Untitled))
	}
	asString(n, info, "_postman_id")
	asDescription(n, info, "description")
	if text := collection.Version(info.Get("version")); text != "" {
		info.Set("version", tree.NewString(text))
	} else {
		info.Delete("version")
	}
	info.Set("schema", tree.NewString(collection.SchemaURL))
}

// group normalizes the members that collections, folders and items share.
func (n normalizer) group(v *tree.Value) {
	v.Rename("events", "event")
	if v.Get("variables").Kind() == tree.Array {
		v.Rename("variables", "variable")
	}
	n.members(v, groupMembers)
}

func (n normalizer) items(list *tree.Value) {
	n.objects(list)
	for _, item := range list.Elements() {
		n.budget.Parts(1)
		n.in(item).item(item)
	}
}

func (n normalizer) item(item *tree.Value) {
	n.group(item)
	n.members(item, itemMembers)
	switch inner := item.Get("item"); inner.Kind() {
	case tree.Array:
		if request := item.Delete("request"); request.Len() > 0 {
			n.in(request).malformed()
		}
		n.items(inner)
		return
	case tree.Missing:
	default:
		n.in(inner).remove(item, "item")
	}
	item.Rename("responses", "response")
	if !item.Has("request") {
		item.Set("request", tree.NewObject())
	}
	asRequest(n, item, "request")
	responseList(n, item, "response")
}

// asRequest normalizes a request; a string is the URL of a GET.
func asRequest(n normalizer, object *tree.Value, name string) {
	v := object.Get(name)
	n = n.in(v)
	switch v.Kind() {
	case tree.Missing:
		return
	case tree.Object:
	case tree.String:
		url := v.Take()
		v.Become(tree.NewObject().Set("method", tree.NewString("GET")).Set("url", url))
	default:
		if v.Kind() != tree.Null {
			n.malformed()
		}
		v.Become(tree.NewObject())
	}
	v.Rename("headers", "header")
	n.data(v)
	n.members(v, requestMembers)
}

// asMethod turns null, which Postman sends as GET, into GET.
func asMethod(n normalizer, object *tree.Value, name string) {
	if object.Get(name).Kind() == tree.Null {
		object.Set(name, tree.NewString("GET"))
	}
	asString(n, object, name)
}

// data converts data: {mode, content}, an early form of body, to a body.
func (n normalizer) data(v *tree.Value) {
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
