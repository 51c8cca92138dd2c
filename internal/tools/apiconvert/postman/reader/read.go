package reader

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Read reads a collection: doc's root is the collection itself, without the wrapper of Postman's API. It
// accepts the spellings of both versions, whatever the version member says. A part that cannot be read is
// dropped with a warning; Read fails with invalid_source only if there is no list of items.
//
// Read rewrites doc, so afterwards it no longer matches the source.
//
// A variable of type secret has Secret set and still has its Value; the replacement of secrets removes it.
func Read(doc *tree.Document, b *budget.Budget, warnings *warning.List) (*request.API, error) {
	if err := postman.Rewrite(doc, b, warnings); err != nil {
		return nil, err
	}
	r := reader{
		budget:    b,
		warnings:  warnings,
		api:       &request.API{},
		servers:   map[string]*request.Server{},
		variables: map[string]*request.Variable{},
		values:    map[string]*tree.Value{},
		tests:     map[string][]string{},
	}
	root := doc.Root
	r.collect(root)
	r.nest(root, nil)
	info := root.Get("info")
	r.api.Title = info.Get("name").Text()
	r.api.Version = collection.Version(info.Get("version"))
	r.api.Description = collection.Description(info)
	for name := range info.Members() {
		if !infoMembers[name] && name[:min(len(name), 1)] != "_" {
			r.warnings.AddNamed(warning.LostUnknownMembers, info, name)
		}
	}
	r.scripts(root)
	r.variable(root)
	r.api.Security = r.security(root.Get("auth"))
	r.items(root.Get("item"), nil, r.behaviour(nil, root, nil))
	return r.api, nil
}

// infoMembers are the members of info that the model has, and those that identify the collection in Postman.
var infoMembers = words.Set("name description version schema postman_compat_id")

// Unused reports the variables of a collection that was read and that nothing uses: other formats declare a variable where
// it is used.
func Unused(root *tree.Value, api *request.API, b *budget.Budget, warnings *warning.List) {
	used := postman.Used(root, false, b)
	for _, read := range api.Requests {
		for _, captured := range read.Captures {
			used[captured.Variable] = true
		}
	}
	var unused []string
	for _, v := range api.Variables {
		if !used[v.Name] {
			unused = append(unused, v.Name)
			v.Description = "" // dropped with the variable
		}
	}
	if unused != nil {
		warnings.AddNamed(warning.LostUnusedVariables, nil, unused...)
	}
}

// reader builds the model from a rewritten collection, in which every member has the type of the v2.1 schema.
type reader struct {
	budget    *budget.Budget
	warnings  *warning.List
	api       *request.API
	servers   map[string]*request.Server   // by URL
	variables map[string]*request.Variable // by name
	values    map[string]*tree.Value       // the variables of the collection by name
	tests     map[string][]string          // the statuses that scripts assert: many requests share a script
	// draft means reading a request that was saved with a response: its server is not added to those of the collection.
	draft bool
}

// scripts returns what the test scripts of a request capture, and warns about scripts that do anything else.
func (r *reader) scripts(v *tree.Value) (captures []request.Capture) {
	for _, event := range v.Get("event").Elements() {
		text := source(event)
		code := strings.TrimSpace(text) != ""
		if code && !v.Has("item") && event.Get("listen").Text() == "test" && !event.Get("disabled").Bool() {
			var own []request.Capture
			own, code = captured(text)
			captures = append(captures, own...)
		}
		if code || event.Get("script").Has("src") {
			r.warnings.Add(warning.LostScripts, event)
		}
	}
	return captures
}

// variable adds the variables of the collection, a folder or an item to those of the API. A name that already
// has another value is lost.
func (r *reader) variable(v *tree.Value) {
	for _, one := range v.Get("variable").Elements() {
		name := one.Get("key").Text()
		read := &request.Variable{
			Place:       one,
			Name:        name,
			Value:       collection.ValueText(one.Get("value")),
			Description: collection.Description(one),
			Disabled:    one.Get("disabled").Bool(),
			Secret:      one.Get("type").Text() == collection.SecretType,
		}
		known := r.variables[name]
		switch {
		case name == "" && read.Value == "":
		case !request.VariableName(name):
			r.warnings.AddNamed(warning.LostVariables, one, name)
		case known == nil:
			r.variables[name] = read
			r.api.Variables = append(r.api.Variables, read)
		case known.Disabled && !read.Disabled:
			*known = *read
		case known.Value != read.Value && !read.Disabled:
			r.warnings.AddNamed(warning.LostVariables, one, name)
		}
	}
}

func (r *reader) items(list *tree.Value, folder *request.Folder, outer *behaviour) {
	for _, item := range list.Elements() {
		r.budget.Parts(collection.ItemParts)
		r.nest(item, item)
		captures := r.scripts(item)
		r.variable(item)
		if !item.Has("item") {
			r.request(item, folder, outer, captures)
			continue
		}
		inner := &request.Folder{
			Name:        item.Get("name").Text(),
			Description: collection.Description(item),
			Parent:      folder,
			Security:    r.security(item.Get("auth")),
			Place:       item,
		}
		r.api.Folders = append(r.api.Folders, inner)
		r.items(item.Get("item"), inner, r.behaviour(outer, item, item))
	}
}

// request reads an item that is a request with its saved responses.
func (r *reader) request(
	item *tree.Value, folder *request.Folder, outer *behaviour, captures []request.Capture,
) {
	how := r.behaviour(outer, item, item)
	v := item.Get("request")
	read, problem := r.sent(v, folder)
	if problem != nil {
		r.warnings.Add(*problem, item)
		return
	}
	read.Place, read.Captures = item, captures
	read.Name = item.Get("name").Text()
	read.Description = collection.Description(v)
	if outer := collection.Description(item); outer != read.Description {
		read.Description = collection.Joined(outer, "\n\n", read.Description)
	}
	read.Transport = r.transport(v, how)
	for _, response := range item.Get("response").Elements() {
		r.response(read, response)
	}
	r.addAsserted(read, item)
	r.api.Requests = append(r.api.Requests, read)
}

// sent reads what a request sends, or returns why it cannot be sent.
func (r *reader) sent(v *tree.Value, folder *request.Folder) (*request.Request, *warning.Feature) {
	read := &request.Request{Folder: folder}
	a, ok := collection.URLOf(v.Get("url"))
	if !ok {
		return nil, &warning.LostURL
	}
	if read.Method, ok = method(v.Get("method").Text()); !ok {
		return nil, &warning.LostMalformed
	}
	read.Security = r.security(v.Get("auth"))
	r.userinfo(read, &a, v)
	r.url(read, a, v.Get("url"))
	contentType := r.headers(read, v.Get("header"))
	r.body(read, v.Get("body"), contentType)
	return read, nil
}

// method returns a method as it is sent. Postman defaults to GET and converts methods to upper case. A variable
// stays a variable; ok is false for what is not a token (RFC 9110, section 5.6.2).
func method(text string) (name string, ok bool) {
	switch text = strings.TrimSpace(text); {
	case text == "":
		return "GET", true
	case request.HasVariable(text):
		return text, true
	}
	return strings.ToUpper(text), request.IsToken(text)
}

// calculated is the value that Postman shows for a header that it adds itself.
const calculated = "<calculated when request is sent>"

// headers reads a list of headers and returns the Content-Type, which belongs to the body.
func (r *reader) headers(read *request.Request, list *tree.Value) (contentType *request.Parameter) {
	for _, v := range list.Elements() {
		r.budget.Parts(1)
		h := parameter(v)
		if h.Name = strings.TrimSpace(h.Name); h.Name == "" || h.Value == calculated {
			continue
		}
		switch {
		case strings.EqualFold(h.Name, "Cookie"):
			r.budget.Parts(budget.Entry * strings.Count(h.Value, ";"))
			if cookies := cookiesOf(h); cookies != nil {
				read.Cookies = append(read.Cookies, cookies...)
				continue
			}
		case h.Disabled:
		case strings.EqualFold(h.Name, "Content-Type"):
			if contentType == nil {
				contentType = h
			}
			r.undescribed(h, v)
			continue
		case r.replaced(read, h.Name):
			r.warnings.AddNamed(warning.LostAuthDetails, v, h.Name)
			r.undescribed(h, v)
			continue
		case strings.EqualFold(h.Name, "Authorization"):
			if r.authorization(read, h.Value) {
				r.undescribed(h, v)
				continue
			}
		}
		read.Headers = append(read.Headers, h)
	}
	return contentType
}

// undescribed warns that a header became a body's media type or a credential, neither of which has a description.
func (r *reader) undescribed(h *request.Parameter, at *tree.Value) {
	if h.Description != "" {
		r.warnings.AddNamed(warning.LostParameterDescriptions, at, h.Name)
	}
}

// parameter reads the members that headers, query parameters and form fields share.
func parameter(v *tree.Value) *request.Parameter {
	return &request.Parameter{
		Name:        v.Get("key").Text(),
		Value:       v.Get("value").Text(),
		Description: collection.Description(v),
		Disabled:    v.Get("disabled").Bool(),
	}
}

// cookiesOf returns the cookies of a Cookie header, or nil if it is not a list of pairs.
func cookiesOf(h *request.Parameter) []*request.Parameter {
	cookies := request.ParseCookies(h.Value)
	described := descriptions(h.Description)
	for _, c := range cookies {
		c.Disabled = h.Disabled
		if c.Description = described[c.Name]; len(described) == 0 {
			c.Description = h.Description
		}
	}
	return cookies
}

// descriptions splits what cookieHeaders writes for several cookies: a line "name: text" for each.
func descriptions(text string) map[string]string {
	described := map[string]string{}
	for line := range strings.Lines(text) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.ContainsAny(name, " =;") {
			return nil
		}
		described[name] = rest
	}
	return described
}

// collect collects the values of the variables of a collection or folder and of its items. Of several variables with
// one name, Postman uses the first that is not disabled.
func (r *reader) collect(v *tree.Value) {
	for _, one := range v.Get("variable").Elements() {
		if name := one.Get("key").Text(); r.values[name] == nil && !one.Get("disabled").Bool() {
			r.values[name] = one
		}
	}
	for _, item := range v.Get("item").Elements() {
		r.collect(item)
	}
}

// nest replaces variables within the names of variables by their values, in all strings of a value except those in
// its items and scripts: {{host_{{env}}}} becomes {{host_dev}}. Later code only sees plain variables.
func (r *reader) nest(v *tree.Value, at *tree.Value) {
	for name, member := range v.Members() {
		if name != "item" && name != "event" {
			r.nestText(member, at)
		}
	}
}

// maxNested limits the nesting of variables in names.
const maxNested = 3

func (r *reader) nestText(v *tree.Value, at *tree.Value) {
	for _, inner := range v.Values() {
		r.nestText(inner, at)
	}
	text := v.Text()
	for i := 0; i < maxNested && hasNested(text); i++ {
		text = nestedName().ReplaceAllStringFunc(text, r.plainName)
	}
	if text != v.Text() {
		r.warnings.Add(warning.ChangedNestedVariables, at)
		v.Become(tree.NewString(text))
	}
}

// hasNested reports whether a text opens a variable within another.
func hasNested(text string) bool {
	if strings.Count(text, "{{") < 2 {
		return false
	}
	for before := range strings.SplitSeq(text, "}}") {
		if strings.Count(before, "{{") > 1 {
			return true
		}
	}
	return false
}

// nestedName matches a variable whose name contains plain variables.
var nestedName = expression.Lazy(`\{\{(?:[^{}]*\{\{[^{}]+\}\})+[^{}]*\}\}`)

// plainName replaces the variables in a name by their values if that produces the name of a variable of the
// collection, and otherwise by their names: a value only appears where the author put it.
func (r *reader) plainName(nested string) string {
	var values, names strings.Builder
	for _, part := range request.Split(nested[len("{{") : len(nested)-len("}}")]) {
		names.WriteString(part.Text)
		if v := r.values[part.Text]; part.Kind == request.VariablePart && v.Get("type").Text() != collection.SecretType {
			if value, _ := v.Get("value").Scalar(); request.VariableName(value) {
				part.Text = value
			}
		}
		values.WriteString(part.Text)
	}
	switch {
	case r.values[values.String()] != nil:
		return "{{" + values.String() + "}}"
	case request.VariableName(names.String()):
		return "{{" + names.String() + "}}"
	}
	return nested
}
