package swagger

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// swagger converts the structure of a Swagger 2.0 document to OpenAPI 3.0. The step that follows converts the
// schemas. A part that is kept is moved, not copied, so that references can follow it.
type swagger struct {
	*rewrite.Rewriter
	consumes, produces, schemes []string // of the whole document
	// bodies holds the body parameters that have become request bodies.
	bodies map[*tree.Value]bool
	// types holds the media types of the reusable bodies and responses that are in use: those of the first operation
	// that uses them.
	types map[*tree.Value][]string
	// forms holds the reusable form parameters that operations use.
	forms map[*tree.Value]bool
}

func newSwagger(r *rewrite.Rewriter) *swagger {
	root := r.Doc.Root
	return &swagger{
		Rewriter: r,
		consumes: rewrite.Texts(root.Get("consumes")), produces: rewrite.Texts(root.Get("produces")), schemes: rewrite.Texts(root.Get("schemes")),
		bodies: map[*tree.Value]bool{}, types: map[*tree.Value][]string{}, forms: map[*tree.Value]bool{},
	}
}

// MoveBodies turns the parameters of an operation of OpenAPI 3 that only Swagger 2.0 has, in body and formData, into its
// request body, unless it has one.
func MoveBodies(r *rewrite.Rewriter, op *tree.Value) {
	c := swagger{Rewriter: r}
	bodies := slices.DeleteFunc(slices.Clone(op.Get("parameters").Elements()), func(p *tree.Value) bool { return !c.inBody(p) })
	if len(bodies) == 0 || op.Has("requestBody") {
		return
	}
	for _, p := range bodies {
		c.WarnAt(warning.ChangedBodyParameter, p)
		if rewrite.IsReference(p) {
			c.Within(p, func() { p.Become(c.Copy(c.Deref(p))) })
		}
	}
	newSwagger(r).operation(op, nil)
}

// inBody reports whether a parameter is part of the body.
func (c *swagger) inBody(p *tree.Value) bool {
	return slices.Contains([]string{"body", "formData"}, c.place(p))
}

// Upgrade converts the structure of a Swagger 2.0 document to OpenAPI 3.0.
func Upgrade(r *rewrite.Rewriter) {
	root, c := r.Doc.Root, newSwagger(r)
	for _, item := range rewrite.Entries(root.Get("paths")) {
		c.Within(item, func() { c.pathItem(item) })
	}
	c.document(root)
	r.Become(shape.KindsIn30)
}

// document replaces the properties of the root at their positions.
func (c *swagger) document(root *tree.Value) {
	rewrite.Rebuild(root, func(out *tree.Value, name string, value *tree.Value) {
		switch name {
		case "swagger", "swaggerVersion", "openapi":
			out.Set("openapi", c.String(shape.V30.Text()))
		case "host", "basePath", "schemes":
			if servers := c.servers(c.schemes); servers != nil {
				out.Set("servers", servers)
			}
			if name == "schemes" && root.Get("host").Text() == "" && slices.ContainsFunc(c.schemes, func(s string) bool { return s != "https" }) {
				c.WarnAt(warning.LostSchemes, root.Near("schemes"))
			}
		case "consumes", "produces":
		case "definitions", "parameters", "responses", "securityDefinitions":
			c.Within(value, func() { c.component(rewrite.ObjectAt(out, "components"), name, value) })
		case "servers", "components":
			c.WarnAt(warning.LostUnknownMembers, root.Near(name))
		default:
			out.Set(name, value)
		}
	})
	if root.Get("components").Len() == 0 {
		root.Delete("components")
	}
}

// component adds a group of reusable parts to parts, the components.
func (c *swagger) component(parts *tree.Value, name string, value *tree.Value) {
	switch name {
	case "definitions":
		parts.Set("schemas", value)
	case "securityDefinitions":
		for _, scheme := range value.Members() {
			restoreScheme(scheme)
		}
		parts.Set("securitySchemes", value)
	case "responses":
		for _, r := range value.Members() {
			c.Within(r, func() { c.response(r, c.typesOf(r, c.produces)) })
		}
		parts.Set("responses", value)
	case "parameters":
		bodies, others := c.Object(), c.Object()
		for name, p := range value.Members() {
			switch c.place(p) {
			case "body":
				c.Within(p, func() { c.requestBody(p, c.typesOf(p, c.consumes)) })
				bodies.Set(name, p)
			case "formData":
				if !c.forms[c.Deref(p)] {
					c.WarnAt(warning.LostUnusedParameters, p)
				}
			default:
				c.Within(p, func() { c.parameter(p) })
				others.Set(name, p)
			}
		}
		if others.Len() > 0 || value.Len() == 0 {
			parts.Set("parameters", others)
		}
		if bodies.Len() > 0 {
			parts.Set("requestBodies", bodies)
		}
	}
}

// servers returns a server for each scheme with the host and basePath, or nil if there is neither host nor basePath.
// Without a scheme it uses http for a loopback host, which generators write if they know no other, and https for
// other hosts. The order of schemes means nothing in Swagger 2.0, but clients take the first server: https comes
// first, except for a loopback host.
func (c *swagger) servers(schemes []string) *tree.Value {
	host, _ := c.Doc.Root.Get("host").Scalar()
	base, _ := c.Doc.Root.Get("basePath").Scalar()
	if scheme, rest, found := strings.Cut(host, "://"); found { // authors also write a URL
		host, schemes = rest, []string{scheme}
	}
	host = strings.Trim(host, "/")
	if base = strings.Trim(base, "/"); base != "" {
		base = "/" + base
	}
	switch {
	case host == "" && base == "":
		return nil
	case host == "":
		return tree.NewArray(c.Object().Set("url", c.String(base)))
	case len(schemes) == 0 && isLoopback(host):
		schemes = []string{"http"}
	case len(schemes) == 0:
		schemes = []string{"https"}
	}
	if i := slices.Index(schemes, "https"); i > 0 && !isLoopback(host) {
		schemes = slices.Concat(schemes[i:i+1], schemes[:i], schemes[i+1:])
	}
	servers := tree.NewArray()
	for _, scheme := range schemes {
		servers.Append(c.Object().Set("url", c.String(scheme+"://"+host+base)))
	}
	return servers
}

// isLoopback reports whether a host, with or without a port, is the client's own machine.
func isLoopback(host string) bool {
	name, _, _ := strings.Cut(strings.ToLower(host), ":")
	return name == "localhost" || name == "127.0.0.1" || name == "0.0.0.0" || strings.HasPrefix(host, "[::1]")
}

// pathItem converts the operations of a path. Bodies and form fields that they share are copied to each of them.
func (c *swagger) pathItem(item *tree.Value) {
	params := item.Get("parameters")
	var shared []*tree.Value
	params.Keep(func(_ int, _ string, p *tree.Value) bool {
		if c.inBody(p) {
			shared = append(shared, p)
			return false
		}
		return true
	})
	for _, p := range params.Elements() {
		c.Within(p, func() { c.parameter(p) })
	}
	if params.Len() == 0 && len(shared) > 0 {
		item.Delete("parameters")
	}
	for child := range shape.PathItem20.Children(item) {
		if child.Kind == shape.Operation20 {
			c.Within(child.Value, func() { c.operation(child.Value, shared) })
		}
	}
}

// place returns the location of a parameter (its in property) with references followed.
func (c *swagger) place(p *tree.Value) string {
	v := c.Deref(p)
	if c.bodies[v] {
		return "body"
	}
	return v.Get("in").Text()
}

// operation converts an operation; shared holds the bodies and form fields of its path.
func (c *swagger) operation(op *tree.Value, shared []*tree.Value) {
	consumes, produces := c.consumes, c.produces
	if op.Has("consumes") {
		consumes = rewrite.Texts(op.Get("consumes"))
	}
	if op.Has("produces") {
		produces = rewrite.Texts(op.Get("produces"))
	}
	var plain []*tree.Value
	var body *tree.Value
	list := op.Get("parameters")
	c.Within(list, func() { plain, body = c.split(list.Elements(), shared, consumes) })
	rewrite.Rebuild(op, func(out *tree.Value, name string, value *tree.Value) {
		switch name {
		case "produces":
		case "consumes":
			if body == nil && value.Len() > 0 {
				out.Set(name, value) // the step warns about it
			}
		case "schemes":
			c.Within(value, func() { c.operationSchemes(out, rewrite.Texts(value)) })
		case "parameters":
			if len(plain) > 0 || body == nil {
				out.Set(name, tree.NewArray(plain...))
			}
			setBody(out, body)
		case "responses":
			setBody(out, body)
			c.Within(value, func() { c.responses(value, produces) })
			out.Set(name, value)
		default:
			out.Set(name, value)
		}
	})
	setBody(op, body)
}

// setBody sets the request body of an operation, and its name.
func setBody(op, body *tree.Value) {
	if body != nil {
		op.Set("requestBody", body)
		if name := body.Delete(bodyNameExtension); name != nil {
			op.Set(bodyNameExtension, name)
		}
	}
}

func (c *swagger) operationSchemes(op *tree.Value, schemes []string) {
	if slices.Equal(schemes, c.schemes) || len(schemes) == 0 {
		return
	}
	if host, _ := c.Doc.Root.Get("host").Scalar(); host == "" {
		c.Warn(warning.LostSchemes)
		return
	}
	op.Set("servers", c.servers(schemes))
}

// split converts the parameters of an operation and separates those that form its body.
func (c *swagger) split(own, shared []*tree.Value, consumes []string) (plain []*tree.Value, body *tree.Value) {
	var bodyParameter *tree.Value
	var fields []*tree.Value
	for _, p := range own {
		switch in := c.place(p); {
		case in == "formData":
			fields = append(fields, p)
		case in != "body":
			c.Within(p, func() { c.parameter(p) })
			plain = append(plain, p)
		case bodyParameter == nil:
			bodyParameter = p
		default:
			c.WarnAt(warning.LostMalformed, p)
		}
	}
	ownBody := bodyParameter != nil || len(fields) > 0
	for _, p := range shared {
		switch isBody := c.place(p) == "body"; {
		case !isBody && bodyParameter == nil:
			fields = append(fields, c.Copy(p))
		case isBody && !ownBody && bodyParameter == nil:
			bodyParameter = c.Copy(p)
		case bodyParameter == nil || c.Deref(p).Get("name").Text() != c.Deref(bodyParameter).Get("name").Text():
			c.Warn(warning.LostMalformed) // a second body; one of the same name replaces that of the path
		}
	}
	switch {
	case bodyParameter != nil:
		if len(fields) > 0 {
			c.Warn(warning.LostMalformed)
		}
		c.Within(bodyParameter, func() { body = c.body(bodyParameter, consumes) })
	case len(fields) > 0:
		body = c.form(fields, consumes)
	}
	return plain, body
}

// typesOf returns the media types of a reusable part.
func (c *swagger) typesOf(v *tree.Value, otherwise []string) []string {
	if types, used := c.types[v]; used {
		return types
	}
	return otherwise
}

// shares reports whether a reusable part can be shared by an operation with these media types. The first operation
// that uses the part determines its media types; one with others needs a copy of its own.
func (c *swagger) shares(v *tree.Value, types []string) bool {
	if _, used := c.types[v]; !used {
		c.types[v] = types
	}
	return slices.Equal(orJSON(types), orJSON(c.types[v]))
}

// responses converts the responses of an operation.
func (c *swagger) responses(responses *tree.Value, produces []string) {
	for _, r := range rewrite.Entries(responses) {
		if rewrite.IsReference(r) {
			v := c.Deref(r)
			if !v.Has("schema") && !v.Has("examples") || c.shares(v, produces) {
				continue
			}
			c.Within(r, func() { r.Become(c.Copy(v)) })
		}
		c.Within(r, func() { c.response(r, produces) })
	}
}

// orJSON returns types, or JSON if types is empty.
func orJSON(types []string) []string {
	if len(types) == 0 {
		return []string{request.JSONType}
	}
	return types
}
