package swagger

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// toSwagger converts the structure of an OpenAPI 3.0 document to Swagger 2.0. The step before it has converted the
// schemas and dropped what the shapes say that Swagger 2.0 lacks. As in swagger, a part that is kept is moved, not
// copied, so that references can follow it.
type toSwagger struct {
	*rewrite.Rewriter
	host, base string   // of the first server
	schemes    []string // of all servers that differ only in the scheme
	// done holds the parts that were converted, with the media types of request bodies and responses.
	done map[*tree.Value][]string
	// used holds the reusable parts that were copied to where they are used, because Swagger 2.0 has no section for
	// them.
	used map[*tree.Value]bool
}

// Downgrade converts the structure of an OpenAPI 3.0 document to Swagger 2.0.
func Downgrade(r *rewrite.Rewriter) {
	root := r.Doc.Root
	d := &toSwagger{Rewriter: r, done: map[*tree.Value][]string{}, used: map[*tree.Value]bool{}}
	shareServers(root)
	d.schemes = d.servers(root.Get("servers"), true)
	var parts *tree.Value
	d.Within(root.Get("components"), func() {
		d.extensions(root.Get("components"))
		parts = d.components(root.Get("components"))
	})
	for _, extra := range r.Extras {
		d.part(extra.Value, extra.Kind)
	}
	for _, item := range rewrite.Entries(root.Get("paths")) {
		d.Within(item, func() { d.pathItem(item) })
	}
	d.unusedParts(root.Get("components"))
	r.Become(shape.KindsIn20)
	consumes, produces := d.commonTypes(root, "consumes"), d.commonTypes(root, "produces")
	rewrite.Rebuild(root, func(out *tree.Value, name string, value *tree.Value) {
		switch name {
		case "openapi", "servers":
		case "info":
			out.Set(name, value)
			d.SetText(out, "host", d.host)
			d.SetText(out, "basePath", d.base)
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
	})
	root.Insert(0, "swagger", tree.NewString(shape.V20.Text()))
}

// part converts one part in place. It returns false if the part has another kind or none in Swagger 2.0.
func (d *toSwagger) part(v *tree.Value, k shape.Kind) bool {
	switch k {
	case shape.Parameter:
		return d.parameter(v)
	case shape.RequestBody:
		return d.body(v, "")
	case shape.Response:
		d.response(v)
	case shape.SecurityScheme:
		d.scheme(v)
	case shape.PathItem:
		d.pathItem(v)
	}
	return true
}

// commonTypes moves the media types that most operations have from the operations to the root. An operation without
// media types inherits them, which is harmless because it has no content that they apply to. Nothing is moved if
// no two operations have the same.
func (d *toSwagger) commonTypes(root *tree.Value, name string) []string {
	users := map[string][]*tree.Value{}
	most := ""
	for _, item := range root.Get("paths").Members() {
		for c := range shape.PathItem20.Children(item) {
			list := rewrite.Texts(c.Value.Get(name))
			if c.Kind != shape.Operation20 || len(list) == 0 {
				continue
			}
			key := strings.Join(list, "\n")
			users[key] = append(users[key], c.Value)
			if len(users[key]) > len(users[most]) {
				most = key
			}
		}
	}
	if len(users) > 1 && len(users[most]) == 1 {
		return nil
	}
	for _, op := range users[most] {
		op.Delete(name)
	}
	return strings.FieldsFunc(most, func(c rune) bool { return c == '\n' })
}

func (d *toSwagger) setTexts(v *tree.Value, name string, list []string) {
	if len(list) == 0 {
		return
	}
	values := tree.NewArray()
	for _, text := range list {
		values.Append(d.String(text))
	}
	v.Set(name, values)
}

// shareServers moves the servers that all path items have to the document, if it has none: Swagger 2.0 has no others.
func shareServers(root *tree.Value) {
	items := root.Get("paths").Values()
	if root.Get("servers").Len() > 0 || len(items) == 0 {
		return
	}
	shared := items[0].Get("servers")
	for _, item := range items {
		if shared.Len() == 0 || !shared.Equal(item.Get("servers")) {
			return
		}
	}
	for _, item := range items {
		item.Delete("servers")
	}
	root.Set("servers", shared)
}

// servers returns the schemes of the servers that differ from the first server of the root only in the scheme. It
// records the host and base path of that server.
func (d *toSwagger) servers(list *tree.Value, ofRoot bool) (schemes []string) {
	for i, server := range list.Elements() {
		var scheme, host, base string
		var ok bool
		d.Within(server, func() {
			d.extensions(server)
			scheme, host, base, ok = d.address(server)
		})
		if i == 0 && ok && ofRoot {
			d.host, d.base = host, base
		}
		if !ok || host != d.host || base != d.base || scheme == "" && !ofRoot {
			d.WarnAt(warning.LostServers, server, server.Get("url").Text())
		} else if scheme != "" && !slices.Contains(schemes, scheme) && len(schemes) < rewrite.MaxTexts {
			schemes = append(schemes, scheme)
		}
	}
	return schemes
}

// hostName matches a valid host (JSON schema of Swagger 2.0).
var hostName = expression.Lazy(`^[^{}/ :\\\\]+(:[0-9]+)?$`)

// address splits a server's URL. ok is false for one that Swagger 2.0 can't represent.
func (d *toSwagger) address(server *tree.Value) (scheme, host, base string, ok bool) {
	text := request.WithSlashes(d.plainAddress(server))
	if head, _, found := strings.Cut(text, ":"); found && head != "" && !strings.ContainsAny(head, "/") && !strings.Contains(text, "://") {
		text = "//" + text // localhost:3000
	}
	u, err := url.Parse(text)
	if err != nil {
		return "", "", "", false
	}
	if u.User != nil {
		d.Warn(warning.LostAuthDetails)
	}
	if scheme = u.Scheme; u.Host != "" {
		scheme = cmp.Or(scheme, "https")
	}
	base = "/" + strings.Trim(u.EscapedPath(), "/")
	ok = u.RawQuery == "" && u.Fragment == "" && (scheme == "" || hostName().MatchString(u.Host)) &&
		slices.Contains([]string{"", "http", "https", "ws", "wss"}, scheme)
	return scheme, u.Host, strings.TrimRight(base, "/"), ok
}

// plainAddress returns a server's URL with its variables replaced by their defaults. A leading variable whose default
// is its own name is unknown and dropped.
func (d *toSwagger) plainAddress(server *tree.Value) string {
	text := server.Get("url").Text()
	names := rewrite.TemplateNames(text)
	if len(names) == 0 {
		return text
	}
	d.Warn(warning.ChangedServerVariables)
	for _, v := range server.Get("variables").Members() {
		d.Within(v, func() { d.extensions(v) })
	}
	pairs := make([]string, 0, 2*min(len(names), rewrite.MaxTexts))
	for i, name := range names[:min(len(names), rewrite.MaxTexts)] {
		value := server.Get("variables").Get(name).Get("default").Text()
		if i == 0 && value == name && strings.HasPrefix(text, "{"+name+"}") {
			value = ""
		}
		d.Budget.Bytes(len(value))
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// components returns the properties of the root for reusable parts.
func (d *toSwagger) components(parts *tree.Value) *tree.Value {
	out := d.Object()
	for section, values := range parts.Members() {
		name := sections20[section]
		if name == "" {
			continue
		}
		// Entries that refer to another one are replaced by copies, because Swagger 2.0 only supports them for
		// schemas.
		for _, entry := range values.Members() {
			if v := d.Deref(entry); rewrite.IsReference(entry) && v.Kind() == tree.Object && section != "schemas" {
				d.used[v] = true
				d.Within(values, func() { entry.Become(d.Copy(v)) })
			}
		}
		list := rewrite.ObjectAt(out, name)
		for name, entry := range values.Members() {
			d.Within(entry, func() {
				if d.part(entry, shape.Components.Shape().Members[section].Of) {
					list.Set(d.FreeName(list, name), entry)
				}
			})
		}
	}
	out.Keep(func(_ int, _ string, v *tree.Value) bool { return v.Len() > 0 })
	return out
}

// unusedParts warns about the reusable parts that Swagger 2.0 has no section for and that nothing uses.
func (d *toSwagger) unusedParts(parts *tree.Value) {
	for section, values := range rewrite.Entries(parts) {
		lost := warning.LostUnusedComponents
		switch {
		case section == "requestBodies":
			lost = warning.LostUnusedParameters // forms, which become parameters of operations
		case sections20[section] != "":
			continue
		}
		for _, v := range values.Members() {
			if _, moved := d.done[v]; !moved && !d.used[cmp.Or(d.Deref(v), v)] {
				d.WarnAt(lost, v)
			}
		}
	}
}

// use follows references and marks the target as used.
func (d *toSwagger) use(v *tree.Value) *tree.Value {
	v = d.Deref(v)
	d.used[v] = true
	return v
}

// extensions warns about the extensions of an object that can't be kept.
func (d *toSwagger) extensions(v *tree.Value) {
	for _, name := range v.Names() {
		if shape.IsExtension(name) {
			d.Warn(warning.LostExtensions, name)
		}
	}
}

// sections20 maps the properties of components to those of the root of Swagger 2.0.
var sections20 = map[string]string{
	"schemas": "definitions", "securitySchemes": "securityDefinitions", "responses": "responses",
	"parameters": "parameters", "requestBodies": "parameters",
}

// scheme converts a security scheme to Swagger 2.0.
func (d *toSwagger) scheme(scheme *tree.Value) {
	switch scheme.Get("type").Text() {
	case "apiKey":
		if scheme.Get("in").Text() == "cookie" {
			d.keyInHeader(scheme, "Cookie", "Send it as: "+scheme.Get("name").Text()+"=VALUE")
		}
	case "oauth2":
		d.oauth20(scheme)
	case "openIdConnect":
		how := sendAs("Bearer") + ". OpenID Connect: " + scheme.Get("openIdConnectUrl").Text()
		d.keyInHeader(scheme, "Authorization", how)
	case "http":
		name := scheme.Get("scheme").Text()
		if strings.EqualFold(name, "basic") {
			scheme.Delete("scheme")
			scheme.Set("type", d.String("basic"))
			return
		}
		if strings.EqualFold(name, "bearer") || name == "" {
			name = "Bearer"
		}
		if scheme.Has("bearerFormat") {
			d.Warn(warning.LostAuthDetails, "bearerFormat")
		}
		d.authorization(scheme, name)
	}
}

// keyInHeader turns a scheme into an API key in a header, as is common where Swagger 2.0 has no type for it. The
// description says what to send.
func (d *toSwagger) keyInHeader(scheme *tree.Value, header, description string) {
	d.Warn(warning.ChangedSecurityScheme)
	if text := scheme.Get("description").Text(); text != "" {
		description = text + "\n\n" + description
	}
	for _, name := range []string{"name", "in", "scheme", "bearerFormat", "flows", "openIdConnectUrl"} {
		scheme.Delete(name)
	}
	scheme.Set("type", d.String("apiKey")).Set("name", d.String(header)).Set("in", d.String("header"))
	scheme.Set("description", d.String(description))
}

// oauth20 keeps the first flow that Swagger 2.0 supports.
func (d *toSwagger) oauth20(scheme *tree.Value) {
	flows := scheme.Delete("flows")
	names := slices.DeleteFunc(slices.Clone(flows.Names()), shape.IsExtension)
	for i, name := range names {
		flow := flows.Get(name)
		k := slices.IndexFunc(oauthFlows20, func(of oauthFlow20) bool { return of.name == name })
		if k < 0 || slices.ContainsFunc(oauthFlows20[k].needs, func(n string) bool { return flow.Get(n).Text() == "" }) {
			continue
		}
		known := oauthFlows20[k]
		if len(names) > 1 {
			d.Warn(warning.LostOAuthFlows, slices.Delete(names, i, i+1)...)
		}
		scheme.Set("flow", d.String(known.old))
		for _, member := range append(slices.Clip(known.needs), "scopes") {
			scheme.Set(member, flow.Get(member))
		}
		for name, value := range flow.Members() {
			if shape.IsExtension(name) && !scheme.Has(name) {
				scheme.Set(name, value)
			}
		}
		return
	}
	d.Warn(warning.LostAuthDetails, names...)
	d.authorization(scheme, "Bearer")
}

// authorization turns a scheme of the Authorization header into an API key that is marked with its name.
func (d *toSwagger) authorization(scheme *tree.Value, name string) {
	d.keyInHeader(scheme, "Authorization", sendAs(name))
	if !scheme.Has(openapi.SchemeMark) {
		scheme.Set(openapi.SchemeMark, d.String(name))
	}
}
