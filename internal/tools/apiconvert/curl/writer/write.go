package writer

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Write appends a POSIX shell script that sends each request of the API, each below a comment with its name. The script
// doesn't use $'…'. Variables are "$NAME" with their assignments at the top, and "${BASE_URL}" where no server is
// known. sh -n accepts the script. Write fails with output_too_large as soon as output is exceeded. Its output is
// charged to b.
//
// An optional parameter is sent if it has a known value. A parameter that the source disabled is not sent.
func Write(dst []byte, api *request.API, output *convert.OutputLimit, b *budget.Budget, warnings *warning.List) ([]byte, error) {
	w := &writer{api: api, budget: b, vars: newVariables(api, b), warnings: warnings, servers: map[*request.Server]bool{}}
	sent := map[*request.Folder]bool{}
	var folder *request.Folder
	for _, r := range api.Requests {
		if r.Folder != folder {
			if folder = r.Folder; folder != nil {
				w.folder(folder, sent)
			} else {
				w.out = append(syntax.Comment(w.out, "== Without a folder =="), '\n')
			}
		}
		w.request(r)
		if output.Exceeded(bytes.TrimSuffix(w.out, []byte("\n"))) { // the empty line at the end is not written
			return nil, output.Failure()
		}
	}
	for _, f := range api.Folders {
		if !sent[f] {
			warnings.Add(warning.LostEmptyFolders, f.Place)
		}
	}
	w.alternatives()
	api.ReportReplaced(warnings)
	for _, v := range api.Variables {
		if v.Description != "" {
			w.descriptions.Count(v.Name, true)
		}
	}
	warnings.AddCounted(warning.LostResponses, "response", w.responses)
	warnings.AddCounted(warning.LostParameterDescriptions, "description", w.descriptions)
	warnings.AddCounted(warning.LostOptionalParameters, "parameter", w.optional)
	w.out = bytes.TrimSuffix(w.out, []byte("\n")) // the trailing empty line
	dst = append(w.head(dst), w.out...)
	if output.Exceeded(dst) {
		return nil, output.Failure()
	}
	return dst, nil
}

type writer struct {
	api      *request.API
	budget   *budget.Budget
	vars     *variables
	warnings *warning.List
	servers  map[*request.Server]bool // the servers that requests use
	out      []byte
	jq       bool // the script calls jq
	// responses, descriptions of parameters, and optional parameters have no place in a script.
	responses, descriptions, optional warning.Counted
}

// head appends what precedes the commands: the title, and the names of the variables without a value.
func (w *writer) head(dst []byte) []byte {
	start := len(dst)
	if w.api.Title != "" {
		dst = syntax.Comment(dst, strings.TrimSpace(w.api.Title+" "+w.api.Version))
		dst = comments(dst, w.api.Description)
		dst = append(dst, '\n')
	}
	if w.jq {
		dst = syntax.Comment(dst, syntax.RequiresJQ)
		if len(w.vars.Used) == 0 {
			dst = append(dst, '\n')
		}
	}
	if len(w.vars.Used) > 0 {
		names := slices.Clone(w.vars.Used)
		for key := range w.vars.keys {
			if i := slices.Index(names, w.vars.Given(key)); i >= 0 {
				names[i] += syntax.IsKey
			}
		}
		dst = syntax.Needs(dst, names, nil)
		if len(w.vars.Renamed) > 0 {
			dst = syntax.Comment(dst, syntax.RenamedFrom+strings.Join(w.vars.Renamed, ", "))
		}
		dst = append(dst, '\n')
	}
	if len(w.out) == 0 && len(dst) > start {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// alternatives warns about servers that no command uses, and what a command cannot express of the others.
func (w *writer) alternatives() {
	for _, s := range w.api.Servers {
		if !w.servers[s] {
			w.warnings.AddNamed(warning.LostServers, s.Place, strings.NewReplacer("{{", "{", "}}", "}").Replace(s.URL))
			continue
		}
		described := s.Description != ""
		for _, v := range s.Variables {
			described = described || v.Description != ""
			if len(v.Enum) > 1 {
				w.warnings.AddNamed(warning.LostServerVariables, s.Place, v.Name)
			}
		}
		if described {
			w.warnings.Add(warning.LostServerTexts, s.Place)
		}
	}
}

// folder appends the comment above the requests of a folder: its path, and the descriptions of it and its ancestors
// that have not been written yet, outermost first.
func (w *writer) folder(folder *request.Folder, sent map[*request.Folder]bool) {
	w.out = syntax.Comment(w.out, "== "+folderPath(folder)+" ==")
	var opened []*request.Folder
	for f := folder; f != nil && !sent[f]; f = f.Parent {
		sent[f] = true
		opened = append(opened, f)
	}
	for _, f := range slices.Backward(opened) {
		w.out = comments(w.out, f.Description)
	}
	w.out = append(w.out, '\n')
}

func folderPath(f *request.Folder) string {
	names := []string{f.Name}
	for f = f.Parent; f != nil && len(names) < 20; f = f.Parent {
		names = append([]string{f.Name}, names...)
	}
	return strings.Join(names, " / ")
}

func comments(dst []byte, text string) []byte {
	if strings.TrimSpace(text) == "" {
		return dst
	}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		if line = strings.TrimSpace(line); line == "" {
			dst = append(dst, "#\n"...)
			continue
		}
		dst = syntax.Comment(dst, line)
	}
	return dst
}

func (w *writer) request(r *request.Request) {
	w.budget.Parts(budget.Request)
	w.comment(r)
	c := command{w: w, r: r}
	c.security(w.api.Effective(r))
	body := c.body()
	c.parameters()
	c.front = append(c.front, c.method(body)...)
	for _, o := range r.Transport {
		if o.Bare {
			c.bare(o.Name)
		} else {
			c.option(o.Name, o.Value)
		}
	}
	address := c.url(nil) // before the names of the variables that the response sets
	w.out = append(w.out, w.call(r)...)
	w.out = append(append(w.out, c.front...), address...)
	for _, o := range c.options {
		w.out = append(w.out, " \\\n  "...)
		w.out = append(w.out, o...)
	}
	w.out = append(w.captured(w.out, r), "\n\n"...)
	w.lost(r)
	if len(w.vars.dynamic) > 0 {
		w.warnings.AddNamed(warning.ChangedDynamicVariables, r.Place, w.vars.dynamic...)
		w.vars.dynamic = nil
	}
}

// comment appends what is known about a request besides what it sends.
func (w *writer) comment(r *request.Request) {
	name := cmp.Or(r.Name, r.ID)
	if strings.TrimSpace(name) != "" {
		w.out = syntax.Comment(w.out, name)
	}
	if r.Deprecated {
		w.out = syntax.Comment(w.out, syntax.Deprecated)
	}
	if strings.TrimSpace(r.Description) != strings.TrimSpace(name) {
		w.out = comments(w.out, r.Description)
	}
}

// lost warns about what a command cannot express.
func (w *writer) lost(r *request.Request) {
	if len(r.Bodies) > 1 {
		w.warnings.AddNamed(warning.LostMediaTypes, r.Place, r.OtherMediaTypes()...)
	}
	for _, body := range r.Bodies {
		for _, example := range body.Examples {
			w.warnings.AddNamed(warning.LostExamples, r.Place, example.Name)
		}
	}
	for _, response := range r.Responses {
		if response.Saved || w.api.Described && !response.Bare() {
			w.responses.Count(cmp.Or(response.Name, response.Status), true)
		}
	}
	deprecated := false
	noteDescription := func(p *request.Parameter, counted bool) { // counted: with the properties of the document
		if !counted && strings.TrimSpace(p.Description) != "" {
			w.descriptions.Count(p.Name, true)
		}
		deprecated = deprecated || p.Deprecated
	}
	for _, list := range [][]*request.Parameter{r.PathParameters, r.Query, r.Headers, r.Cookies} {
		for _, p := range list {
			noteDescription(p, w.api.Described)
		}
	}
	if len(r.Bodies) > 0 {
		for _, field := range r.Bodies[0].Fields {
			noteDescription(&field.Parameter, false)
		}
	}
	if deprecated {
		w.warnings.AddNamed(warning.LostDeprecated, r.Place, "parameters")
	}
}

// command is the command for one request.
type command struct {
	w *writer
	r *request.Request

	front   []byte // options before the URL
	options [][]byte
	query   []string // query parameters of the authentication
	cookies []string
	sent    map[string]bool // headers that authentication sends, in lower case
	implied string          // curl's default method for the request
}

func (c *command) option(name, value string) {
	c.w.budget.Parts(budget.Entry)
	line := append([]byte("--"), name...)
	c.options = append(c.options, c.w.vars.word(append(line, ' '), value))
}

func (c *command) bare(name string) { c.options = append(c.options, []byte("--"+name)) }

// header adds a header. An empty one gets curl's syntax for it.
func (c *command) header(name, value string) {
	value = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, value))
	if value == "" {
		c.option("header", name+";")
		return
	}
	c.option("header", name+": "+value)
}

// sends reports whether a parameter is sent.
func (c *command) sends(p *request.Parameter) bool {
	if p.Disabled {
		c.w.warnings.AddNamed(warning.LostDisabled, c.r.Place, p.Name)
		return false
	}
	if p.Optional {
		c.w.optional.Count(p.Name, true)
	}
	return !p.Optional
}

// parameters adds the headers and cookies.
func (c *command) parameters() {
	var options [][]byte
	options, c.options = c.options, nil
	for _, h := range c.r.Headers {
		switch {
		case !h.Disabled && c.sent[strings.ToLower(h.Name)] || !c.sends(h):
		case strings.EqualFold(h.Name, "Cookie") && strings.Contains(h.Value, "="):
			c.cookies = append(c.cookies, h.Value) // without a = it would be a file name
		default:
			c.header(h.Name, h.Value)
		}
	}
	for _, p := range c.r.Cookies {
		if c.sends(p) {
			c.cookies = append(c.cookies, p.Name+"="+p.Value)
		}
	}
	if len(c.cookies) > 0 {
		c.option("cookie", strings.Join(c.cookies, "; "))
	}
	c.options = append(c.options, options...)
}

// methodToken matches a method that needs no quotes.
var methodToken = expression.Lazy(`^[A-Z]+$`)

// method returns the options that make curl use the request's method, or "" if it does so by default. --request keeps
// the method over redirects, so it is omitted if it isn't needed and redirects are followed.
func (c *command) method(hasBody bool) string {
	implied := "GET"
	if hasBody {
		implied = "POST"
	}
	implied = cmp.Or(c.implied, implied)
	switch {
	case c.r.Method == "HEAD" && !hasBody:
		return "--head "
	case c.r.Method == implied && (implied != "POST" || c.follows()):
		return ""
	}
	if methodToken().MatchString(c.r.Method) {
		return "--request " + c.r.Method + " "
	}
	return string(c.w.vars.word([]byte("--request "), c.r.Method)) + " "
}

func (c *command) follows() bool {
	return slices.ContainsFunc(c.r.Transport, func(o request.Option) bool { return strings.HasPrefix(o.Name, "location") })
}
