package writer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Write builds a v2.1 collection that Postman's schema accepts. It is deterministic and sets no ids; Identify does.
//
// The servers of an OpenAPI document become variables ({{baseUrl}}, {{baseUrl2}}, …); requests that were sent
// keep their URLs. Variables that are secrets have no value; the schema has no type for them.
func Write(api *request.API, b *budget.Budget, warnings *warning.List) *tree.Value {
	w := newWriter(api, b, warnings)
	w.inheritSecurity()
	info := tree.NewObject()
	info.SetText("name", cmp.Or(strings.TrimSpace(api.Title), collection.Untitled))
	info.SetText("description", api.Description)
	info.SetText("version", api.Version)
	info.Set("schema", tree.NewString(collection.SchemaURL))
	items := w.items()
	root := tree.NewObject().Set("info", info).Set("item", items)
	if w.auth != nil {
		root.Set("auth", w.auth)
	}
	if list := w.variableList(); list.Len() > 0 {
		root.Set("variable", list)
	}
	return root
}

type writer struct {
	warnings    *warning.List
	api         *request.API
	prefixes    map[*request.Server]string // the start of a server's URLs; nil is a request without a server
	variables   []*request.Variable        // of the collection
	named       map[string]*request.Variable
	inPath      map[[2]string]string // the variables of path parameters, by name and value
	taken       words.Unique         // names of variables, and those that servers use
	auth        *tree.Value          // the collection's, or nil
	written     map[*request.Auth]*tree.Value
	budget      *budget.Budget
	copies      *tree.Quota      // for what may be written many times
	saved       int              // approximate bytes of the requests saved with responses
	lastRequest *request.Request // the one saved last with a response
	lastSaved   *tree.Value      // as it was written
}

func newWriter(api *request.API, b *budget.Budget, warnings *warning.List) *writer {
	w := &writer{
		warnings: warnings,
		api:      api,
		prefixes: map[*request.Server]string{},
		named:    map[string]*request.Variable{},
		inPath:   map[[2]string]string{},
		taken:    words.Unique{},
		written:  map[*request.Auth]*tree.Value{},
		budget:   b,
		copies:   tree.NewQuota(tree.NodesFor(b), b),
	}
	for _, v := range api.Variables {
		w.define(v)
	}
	// A variable in a URL has the value that the user sets.
	for _, server := range api.Servers {
		for _, part := range request.Split(server.URL) {
			if part.Kind == request.VariablePart {
				w.taken.Take(part.Text)
			}
		}
	}
	for _, server := range api.Servers {
		w.server(server)
	}
	return w
}

// define adds a variable unless its name exists.
func (w *writer) define(v *request.Variable) {
	if w.named[v.Name] == nil {
		w.named[v.Name] = v
		w.taken.Take(v.Name)
		w.variables = append(w.variables, v)
	}
}

// placeholder returns {{name}} and defines the variable without a value unless it exists.
func (w *writer) placeholder(name string) string {
	w.define(&request.Variable{Name: name})
	return "{{" + name + "}}"
}

// server chooses the prefix of a server's URLs.
func (w *writer) server(server *request.Server) {
	text := w.serverVariables(server)
	parts := request.Split(text)
	for _, part := range parts {
		if !w.api.Described && part.Kind == request.VariablePart {
			w.define(&request.Variable{Name: part.Text})
		}
	}
	if !w.api.Described || len(parts) == 1 && parts[0].Kind == request.VariablePart {
		w.prefixes[server] = text
		return
	}
	name := w.taken.Name("baseUrl")
	w.define(&request.Variable{Name: name, Value: text, Description: server.Description})
	w.prefixes[server] = "{{" + name + "}}"
}

// serverVariables defines the variables of a server for the collection and returns its URL. Variables whose
// name already means something else are renamed.
func (w *writer) serverVariables(server *request.Server) string {
	if len(server.Variables) == 0 {
		return server.URL
	}
	names := map[string]string{}
	for _, v := range server.Variables {
		written := *v
		switch known := w.named[v.Name]; {
		case known == nil || known.Secret:
		case known.Value != v.Value:
			written.Name = w.taken.Name(v.Name)
			names[v.Name] = written.Name
		case known.Description != v.Description || !slices.Equal(known.Enum, v.Enum):
			w.warnings.AddNamed(warning.LostServerVariables, server.Place, v.Name)
		}
		w.define(&written)
	}
	if len(names) == 0 {
		return server.URL
	}
	return request.Substitute(server.URL, func(name string) string { return "{{" + cmp.Or(names[name], name) + "}}" })
}

// variableList returns the collection's variables.
func (w *writer) variableList() *tree.Value {
	list := tree.NewArray()
	for _, v := range w.variables {
		one := collection.Variable(v.Name, v.Value)
		if v.Secret {
			one = collection.Variable(v.Name, "")
		}
		description := v.Description
		if len(v.Enum) > 0 {
			description = sentences(description, "One of: "+strings.Join(v.Enum, ", ")+".")
		}
		one.SetText("description", description)
		list.Append(one)
	}
	return list
}

// items writes the folders, each in its parent, and their requests. Folders keep their order, and requests
// without a folder their position among them.
func (w *writer) items() *tree.Value {
	lists := map[*request.Folder]*tree.Value{nil: tree.NewArray()}
	folders := w.api.Folders
	open := func() {
		list := tree.NewArray()
		lists[folders[0]] = list
		cmp.Or(lists[folders[0].Parent], lists[nil]).Append(w.folder(folders[0], list))
		folders = folders[1:]
	}
	for _, r := range w.api.Requests {
		w.budget.Parts(collection.ItemParts)
		for lists[r.Folder] == nil && len(folders) > 0 {
			open()
		}
		cmp.Or(lists[r.Folder], lists[nil]).Append(w.item(r))
	}
	for len(folders) > 0 {
		open()
	}
	return lists[nil]
}

func (w *writer) folder(folder *request.Folder, items *tree.Value) *tree.Value {
	v := tree.NewObject().Set("name", tree.NewString(folder.Name))
	v.SetText("description", folder.Description)
	v.Set("item", items)
	return v
}

func (w *writer) item(r *request.Request) *tree.Value {
	item := tree.NewObject().Set("name", tree.NewString(requestName(r)))
	if len(r.Captures) > 0 {
		item.Set("event", w.captures(r))
	}
	sent := w.request(r, false)
	r.WarnOptions(w.warnings, warning.LostCURLOption, settings(item, sent, r.Transport)...)
	if len(r.Bodies) > 0 && bodyPruned[r.Method] {
		if item.Get("protocolProfileBehavior") == nil {
			item.Set("protocolProfileBehavior", tree.NewObject())
		}
		item.Get("protocolProfileBehavior").Set("disableBodyPruning", tree.NewBool(true))
	}
	return item.Set("request", sent).Set("response", w.responses(r))
}

// captures returns a test script that sets the variables that later requests take from the response.
func (w *writer) captures(r *request.Request) *tree.Value {
	lines := tree.NewArray()
	for _, c := range r.Captures {
		w.define(&request.Variable{Name: c.Variable})
		lines.Append(tree.NewString(c.JavaScript()))
	}
	script := tree.NewObject().Set("type", tree.NewString("text/javascript")).Set("exec", lines)
	return tree.NewArray().Append(tree.NewObject().Set("listen", tree.NewString("test")).Set("script", script))
}

// bodyPruned are the methods for which Postman sends a body only if a setting says so.
var bodyPruned = words.Set("GET COPY HEAD PURGE UNLOCK")

// requestName returns a request's name. If the source has none, it consists of the method and path.
func requestName(r *request.Request) string {
	return cmp.Or(r.Name, r.ID, r.Method+" "+cmp.Or(r.Path, "/"))
}

// request writes what a request sends. A brief one is saved with a response: it omits descriptions, disabled
// parameters and authentication.
func (w *writer) request(r *request.Request, brief bool) *tree.Value {
	sent := tree.NewObject().Set("method", tree.NewString(r.Method))
	if !brief {
		own := r.Security
		for f := r.Folder; own == nil && f != nil; f = f.Parent {
			own = f.Security
		}
		if auth := w.credentials(own, r.Place); auth != nil && !auth.Equal(cmp.Or(w.auth, noAuth())) {
			sent.Set("auth", auth)
		}
		r = w.withEntries(r)
	}
	body, contentType := w.body(r, brief)
	sent.Set("header", w.headers(r, contentType, brief))
	if body != nil {
		sent.Set("body", body)
	}
	sent.Set("url", w.url(r, brief))
	if !brief {
		text := r.Description
		if r.Deprecated {
			text = sentences("**Deprecated.**", text)
		}
		sent.SetText("description", text)
	}
	return sent
}

// headers writes the headers, including one Cookie header for all cookies.
func (w *writer) headers(r *request.Request, contentType string, brief bool) *tree.Value {
	list := tree.NewArray()
	add := func(p *request.Parameter) {
		if !brief || p.Sent() {
			list.Append(w.parameter(p, p.Value, brief))
		}
	}
	typed := false
	for _, h := range r.Headers {
		typed = typed || h.Sent() && strings.EqualFold(h.Name, "Content-Type")
		add(h)
	}
	if contentType != "" && !typed {
		add(&request.Parameter{Name: "Content-Type", Value: contentType})
	}
	for _, h := range cookieHeaders(r.Cookies) {
		add(h)
	}
	return list
}

// cookieHeaders joins cookies into one header for those that are sent and a disabled one for the others.
func cookieHeaders(cookies []*request.Parameter) []*request.Parameter {
	var headers []*request.Parameter
	for _, disabled := range []bool{false, true} {
		var pairs, descriptions []string
		for _, c := range cookies {
			if c.Sent() == disabled {
				continue
			}
			pairs = append(pairs, c.Name+"="+c.Value)
			if text := describe(c); text != "" {
				descriptions = append(descriptions, c.Name+": "+text)
			}
		}
		if pairs != nil {
			headers = append(headers, &request.Parameter{
				Name: "Cookie", Value: strings.Join(pairs, "; "),
				Description: strings.Join(descriptions, "\n"), Disabled: disabled,
			})
		}
	}
	return headers
}

// parameter writes an entry of headers, query or form fields.
func (w *writer) parameter(p *request.Parameter, value string, brief bool) *tree.Value {
	w.budget.Parts(budget.Entry)
	v := tree.NewObject().Set("key", tree.NewString(p.Name)).Set("value", tree.NewString(value))
	if !brief {
		v.SetText("description", describe(p))
	}
	if !p.Sent() {
		v.Set("disabled", tree.NewBool(true))
	}
	return v
}

// describe returns the description of a parameter, with its allowed values.
func describe(p *request.Parameter) string {
	text := p.Description
	if p.Deprecated {
		text = sentences("Deprecated.", text)
	}
	if values := enumeration(p.Schema); values != "" {
		text = sentences(text, "One of: "+values+".")
	}
	return text
}

// Limits for the allowed values that a description lists: their number and their bytes.
const (
	maxEnumeration     = 20
	maxEnumerationText = 500
)

// enumeration returns the values that a schema allows, or "" if it doesn't list them or lists too many.
func enumeration(schema *tree.Value) string {
	allowed := schema.Get("enum").Elements()
	if allowed == nil {
		allowed = schema.Get("items").Get("enum").Elements()
	}
	if len(allowed) < 2 || len(allowed) > maxEnumeration {
		return ""
	}
	var values []string
	size := 0
	for _, v := range allowed {
		text, ok := v.Scalar()
		if size += len(text); size > maxEnumerationText {
			return ""
		}
		if ok {
			values = append(values, text)
		}
	}
	return strings.Join(values, ", ")
}

// sentences joins two texts with a space, unless one of them is empty.
func sentences(a, b string) string { return collection.Joined(a, " ", b) }

// settings writes transport options as Postman's settings and returns those that Postman has no setting for.
func settings(item, sent *tree.Value, options []request.Option) (lost []request.Option) {
	behaviour, proxy, certificate := tree.NewObject(), tree.NewObject(), tree.NewObject()
	for _, option := range options {
		switch option.Name {
		case "location":
			behaviour.Set("followRedirects", tree.NewBool(true))
		case "no-location":
			behaviour.Set("followRedirects", tree.NewBool(false))
		case "max-redirs":
			if n, err := strconv.Atoi(option.Value); err == nil && n >= 0 {
				behaviour.Set("maxRedirects", tree.NewInt(n))
			}
		case "insecure":
			behaviour.Set("strictSSL", tree.NewBool(false))
		case "http1.1":
			behaviour.Set("protocolVersion", tree.NewString("http1"))
		case "http2":
			behaviour.Set("protocolVersion", tree.NewString("http2"))
		case "proxy":
			writeProxy(proxy, option.Value)
		case "cert":
			certificate.Set("cert", tree.NewObject().Set("src", tree.NewString(option.Value)))
		case "key":
			certificate.Set("key", tree.NewObject().Set("src", tree.NewString(option.Value)))
		case "pass":
			certificate.Set("passphrase", tree.NewString(option.Value))
		case "compressed": // Postman always accepts compressed responses
		default:
			lost = append(lost, option)
		}
	}
	if behaviour.Len() > 0 {
		item.Set("protocolProfileBehavior", behaviour)
	}
	if proxy.Len() > 0 {
		sent.Set("proxy", proxy)
	}
	if certificate.Len() > 0 {
		sent.Set("certificate", certificate)
	}
	return lost
}

// writeProxy writes a proxy's URL. Postman only has its host and port, and sends HTTP to a host without a protocol.
func writeProxy(proxy *tree.Value, text string) {
	a := collection.ParseURL(text)
	host := a.Host
	if a.Protocol != "" && a.Protocol != "http" {
		host = a.Protocol + "://" + host
	}
	proxy.Set("match", tree.NewString("http+https://*/*")).Set("host", tree.NewString(host))
	if collection.IsNumber(a.Port) {
		proxy.Set("port", tree.NewNumber(a.Port))
	}
	proxy.Set("tunnel", tree.NewBool(false)).Set("disabled", tree.NewBool(false))
}
