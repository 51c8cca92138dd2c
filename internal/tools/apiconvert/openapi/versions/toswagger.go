package versions

import (
	"net/url"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// toSwagger gives a description of OpenAPI 3.0 the structure of Swagger 2.0.
// The step before it has changed the schemas and left out what the shapes say
// that Swagger 2.0 lacks. As in swagger, a part that stays is moved, not
// copied, so that references to it can follow it.
type toSwagger struct {
	*rewriter
	host, base string   // of the first server
	schemes    []string // of all servers that differ in nothing else
	// bodies are the media types of the request bodies that became body
	// parameters, answers those of the responses that were changed.
	bodies, answers map[*tree.Value][]string
	// flat are the parameters that were changed.
	flat map[*tree.Value]bool
}

func (r *rewriter) toSwagger() {
	root := r.doc.Root
	d := &toSwagger{
		rewriter: r,
		bodies:   map[*tree.Value][]string{}, answers: map[*tree.Value][]string{}, flat: map[*tree.Value]bool{},
	}
	var top *warning.Place
	d.servers(root.Get("servers"), top.Field("servers"))
	parts := d.components(root.Get("components"), top.Field("components"))
	for i, extra := range r.extras {
		switch extra.kind {
		case parameter:
			d.parameter(extra.value, nil)
		case response:
			d.response(extra.value, nil)
		case requestBody:
			d.body(extra.value, nil)
		case pathItem:
			d.pathItem(extra.value, nil)
		}
		r.extras[i].kind = kind20(extra.kind)
	}
	i := -1
	for name, item := range root.Get("paths").Members() {
		if i++; !strings.HasPrefix(name, "x-") {
			d.pathItem(item, top.Field("paths").Index(i))
		}
	}
	for text, t := range r.targets {
		t.kind = kind20(t.kind)
		r.targets[text] = t
	}
	d.document(root, parts)
}

// kind20 is what an object of OpenAPI 3.0 has become.
func kind20(k kind) kind {
	switch k {
	case parameter, requestBody:
		return parameter20
	case response:
		return response20
	case pathItem:
		return pathItem20
	}
	return k
}

// document replaces the members of the root.
func (d *toSwagger) document(root, parts *tree.Value) {
	consumes, produces := d.commonTypes(root, "consumes"), d.commonTypes(root, "produces")
	out := tree.NewObject().Set("swagger", tree.NewString(V20.Text()))
	for name, value := range root.Members() {
		switch name {
		case "openapi", "servers":
		case "info":
			out.Set(name, value)
			setText(out, "host", d.host)
			setText(out, "basePath", d.base)
			d.setTexts(out, "schemes", d.schemes)
			d.setTexts(out, "consumes", consumes)
			d.setTexts(out, "produces", produces)
		case "components":
			for section, value := range parts.Members() {
				out.Set(section, value)
			}
		default:
			out.Set(name, value)
		}
	}
	root.Become(out)
}

// commonTypes takes the media types that most operations have out of them, for
// the root. One that has none of its own inherits what says nothing about it.
func (d *toSwagger) commonTypes(root *tree.Value, name string) []string {
	users := map[string][]*tree.Value{}
	most := ""
	for _, item := range root.Get("paths").Members() {
		for method, op := range item.Members() {
			list := op.Get(name)
			if !slices.Contains(methods20, method) || list.Len() == 0 {
				continue
			}
			var key strings.Builder
			for _, text := range list.Elements() {
				key.WriteString(text.Text() + "\n")
			}
			d.budget.Bytes(key.Len())
			users[key.String()] = append(users[key.String()], op)
			if len(users[key.String()]) > len(users[most]) {
				most = key.String()
			}
		}
	}
	for _, op := range users[most] {
		op.Delete(name)
	}
	return strings.FieldsFunc(most, func(c rune) bool { return c == '\n' })
}

func setText(v *tree.Value, name, text string) {
	if text != "" {
		v.Set(name, tree.NewString(text))
	}
}

func (d *toSwagger) setTexts(v *tree.Value, name string, list []string) {
	if len(list) == 0 {
		return
	}
	d.budget.Parts(len(list))
	values := tree.NewArray()
	for _, text := range list {
		values.Append(tree.NewString(text))
	}
	v.Set(name, values)
}

// servers notes the address of the first server, and the schemes of those that
// differ in nothing else.
func (d *toSwagger) servers(list *tree.Value, at *warning.Place) {
	for i, server := range list.Elements() {
		scheme, host, base, ok := d.address(server, at.Index(i))
		if i == 0 && ok {
			d.host, d.base = host, base
		}
		if !ok || host != d.host || base != d.base {
			d.w.Add(warning.Servers, at.Index(i))
			continue
		}
		if scheme != "" && !slices.Contains(d.schemes, scheme) && len(d.schemes) < maxTexts {
			d.schemes = append(d.schemes, scheme)
		}
	}
}

// address takes the address of a server apart. ok is false for one that Swagger
// 2.0 cannot have.
func (d *toSwagger) address(server *tree.Value, at *warning.Place) (scheme, host, base string, ok bool) {
	text := d.plainAddress(server, at)
	scheme, rest, found := strings.Cut(text, "://")
	switch {
	case !found && (strings.HasPrefix(text, "/") || text == ""):
		scheme, base = "", text
	case !found && !strings.Contains(text, ":"):
		scheme, base = "", "/"+text
	case !found: // localhost:3000
		scheme, rest, found = "", text, true
	}
	if found {
		host, base, _ = strings.Cut(rest, "/")
		base = "/" + base
	}
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		d.w.Add(warning.AuthDetails, at)
		host = host[i+1:]
	}
	u, err := url.Parse("//" + host + base)
	if err != nil || u.RawQuery != "" || u.Fragment != "" || found && host == "" || strings.ContainsAny(host, "{} \\[]") ||
		scheme != "" && !slices.Contains([]string{"http", "https", "ws", "wss"}, scheme) {
		return "", "", "", false
	}
	return scheme, host, strings.TrimRight(u.EscapedPath(), "/"), true
}

// plainAddress is the address of a server with the defaults of its variables.
// A beginning whose default is only its own name is not known and left out.
func (d *toSwagger) plainAddress(server *tree.Value, at *warning.Place) string {
	text := server.Get("url").Text()
	names := templateNames(text)
	if len(names) == 0 {
		return text
	}
	d.w.Add(warning.VariablesOfServer, at)
	pairs := make([]string, 0, 2*min(len(names), maxTexts))
	for i, name := range names[:min(len(names), maxTexts)] {
		value := server.Get("variables").Get(name).Get("default").Text()
		if i == 0 && value == name && strings.HasPrefix(text, "{"+name+"}") {
			value = ""
		}
		d.budget.Bytes(len(value))
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// components makes the root's objects of reusable parts.
func (d *toSwagger) components(parts *tree.Value, at *warning.Place) *tree.Value {
	out := tree.NewObject()
	parameters := tree.NewObject()
	for section, entries := range parts.Members() {
		place := at.Member(section, parts.Position(section))
		switch section {
		case "schemas":
			out.Set("definitions", entries)
		case "securitySchemes":
			d.schemes20(entries, place)
			out.Set("securityDefinitions", entries)
		case "responses":
			d.alone(entries, place)
			for _, r := range entries.Members() {
				d.response(r, place)
			}
			out.Set("responses", entries)
		case "parameters", "requestBodies":
			d.reusable(parameters, section, entries, place)
			if parameters.Len() > 0 {
				out.Set("parameters", parameters)
			}
		}
	}
	out.Keep(func(_ string, v *tree.Value) bool { return v.Len() > 0 })
	return out
}

// alone puts copies in the place of entries that refer to another one, which
// Swagger 2.0 has for schemas only.
func (d *toSwagger) alone(entries *tree.Value, at *warning.Place) {
	for _, entry := range entries.Members() {
		if _, isRef := tree.Ref(entry); isRef {
			if v := d.deref(entry); v.Kind() == tree.Object {
				entry.Become(d.copy(v, at))
			}
		}
	}
}

// reusable adds parameters, and request bodies that are one parameter, to
// those of the root.
func (d *toSwagger) reusable(parameters *tree.Value, section string, entries *tree.Value, at *warning.Place) {
	d.alone(entries, at)
	i := -1
	for name, entry := range entries.Members() {
		i++
		if section == "parameters" {
			if !d.parameter(entry, at.Index(i)) {
				continue
			}
		} else if !d.body(entry, at.Index(i)) {
			continue
		}
		parameters.Set(d.freeName(parameters, name), entry)
	}
}

// schemes20 gives security schemes the form of Swagger 2.0.
func (d *toSwagger) schemes20(entries *tree.Value, at *warning.Place) {
	d.alone(entries, at)
	i := -1
	for _, scheme := range entries.Members() {
		i++
		switch kind := scheme.Get("type").Text(); kind {
		case "apiKey":
			if scheme.Get("in").Text() == "cookie" {
				d.keyInHeader(scheme, "Cookie", "Send it as: "+scheme.Get("name").Text()+"=VALUE", at.Index(i))
			}
		case "oauth2":
			d.oauth20(scheme, at.Index(i))
		case "openIdConnect":
			d.keyInHeader(scheme, "Authorization", "Send it as: Bearer TOKEN. OpenID Connect: "+scheme.Get("openIdConnectUrl").Text(), at.Index(i))
		case "http":
			name := scheme.Get("scheme").Text()
			if strings.EqualFold(name, "basic") {
				scheme.Delete("scheme")
				scheme.Set("type", tree.NewString("basic"))
				continue
			}
			if strings.EqualFold(name, "bearer") || name == "" {
				name = "Bearer"
			}
			d.keyInHeader(scheme, "Authorization", "Send it as: "+name+" TOKEN", at.Index(i))
		}
	}
}

// keyInHeader writes a scheme as an API key in a header, as is usual where
// Swagger 2.0 has no type for it, and says in its description what to send.
func (d *toSwagger) keyInHeader(scheme *tree.Value, header, how string, at *warning.Place) {
	d.w.Add(warning.SchemeAsKey, at)
	d.budget.Bytes(len(how))
	if text := scheme.Get("description").Text(); text != "" {
		how = text + "\n\n" + how
	}
	for _, name := range oneTypeOnly {
		scheme.Delete(name)
	}
	scheme.Set("type", tree.NewString("apiKey")).Set("name", tree.NewString(header)).Set("in", tree.NewString("header"))
	scheme.Set("description", tree.NewString(how))
}

// flowNeeds are the addresses that a flow of Swagger 2.0 must have.
var flowNeeds = map[string][]string{
	"implicit": {"authorizationUrl"}, "password": {"tokenUrl"}, "clientCredentials": {"tokenUrl"},
	"authorizationCode": {"authorizationUrl", "tokenUrl"},
}

// oauth20 keeps the first flow that Swagger 2.0 can have.
func (d *toSwagger) oauth20(scheme *tree.Value, at *warning.Place) {
	flows := scheme.Delete("flows")
	for name, old := range flowNames {
		flow := flows.Get(old)
		needs := flowNeeds[old]
		if flow == nil || first(flows) != old || slices.ContainsFunc(needs, func(n string) bool { return flow.Get(n).Text() == "" }) {
			continue
		}
		if flows.Len() > 1 {
			d.w.Add(warning.Flows, at)
		}
		scheme.Set("flow", tree.NewString(name))
		for _, need := range needs {
			scheme.Set(need, flow.Get(need))
		}
		scheme.Set("scopes", flow.Get("scopes"))
		return
	}
	d.keyInHeader(scheme, "Authorization", "Send it as: Bearer TOKEN", at)
}

// first is the name of the first flow, extensions left out.
func first(flows *tree.Value) string {
	for name := range flows.Members() {
		if !strings.HasPrefix(name, "x-") {
			return name
		}
	}
	return ""
}
