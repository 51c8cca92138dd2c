package apiconvert

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/har"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/pathtemplate"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// passes run on every model between reading and writing, in this order. A pass that a conversion doesn't need
// leaves the model unchanged.
var passes = []func(*conversion, *request.API){
	inferMediaTypes,
	portable,
	redact,
	recorded,
	otherMethods,
	captures,
	browserHeaders,
	hosts,
	endpoints,
	templates,
	placeholders,
}

// portable adapts requests of a shell script to other formats.
func portable(c *conversion, api *request.API) {
	if c.source == source.Shell && c.target.format != source.Shell {
		curl.Portable(api, c.warnings)
	}
}

// redact replaces secrets by variables of the API. Passes that split strings run after it, because it
// recognizes a webhook by its whole URL.
func redact(c *conversion, api *request.API) {
	c.redactor.Recorded = api.Recorded
	for _, name := range c.redactor.Redact(api.Sites) {
		api.Variables = append(api.Variables, &request.Variable{Name: name, Secret: true, Invented: true})
	}
	c.warnings.AddPlaces(warning.SecretsReplaced, c.redactor.Places)
	if c.target.format == source.OpenAPI { // which says how to authenticate, not as whom
		c.secrets.Dropped = c.redactor.Credentials()
		c.secrets.Users = userNames(api)
	}
}

// recorded reduces a recording. An OpenAPI document merges requests itself, because each response is a sample.
func recorded(c *conversion, api *request.API) {
	if api.Recorded {
		har.Reduce(api, c.target.format != source.OpenAPI, c.warnings)
	}
}

// userNames returns the number of distinct user names, or identifiers used as one (an access key's id).
func userNames(api *request.API) int {
	names := map[string]bool{}
	for _, auth := range api.Auths() {
		if auth.Username != "" && !request.HasVariable(auth.Username) && placeholder.Credential(auth.Username) == "" {
			names[auth.Username] = true
		}
	}
	return len(names)
}

// otherMethods drops the requests whose method the OpenAPI version doesn't have, so that nothing else is said about them.
func otherMethods(c *conversion, api *request.API) {
	if c.target.format != source.OpenAPI {
		return
	}
	api.Requests = slices.DeleteFunc(api.Requests, func(r *request.Request) bool {
		if writer.Supports(r.Method, c.target.version) {
			return false
		}
		c.warnings.AddNamed(warning.LostMethod, r.Place, r.Method)
		return true
	})
}

// captures reports the variables whose values the target doesn't take from responses.
func captures(c *conversion, api *request.API) {
	var lost []warning.Named
	for _, u := range api.Uncaptured {
		lost = append(lost, warning.Named{Name: u.Variable, Line: u.Line})
	}
	for _, r := range api.Requests {
		for _, captured := range r.Captures {
			if c.target.format == source.OpenAPI {
				lost = append(lost, warning.Named{Name: captured.Variable})
			}
		}
	}
	c.warnings.AddLines(warning.LostCapturedValues, lost)
}

// templates turns the paths of requests into path templates: placeholders for every target, variables where it has path
// parameters, and values that were sent in an OpenAPI document. An OpenAPI document as the source writes its own
// parameters as {id}; only :id and <id> are others.
func templates(c *conversion, api *request.API) {
	kinds := pathtemplate.Identifiers
	switch {
	case c.target.format == source.OpenAPI && (api.Described || c.literalPaths):
		return
	case api.Described && !slices.ContainsFunc(api.Requests, func(r *request.Request) bool { return marked().MatchString(r.Path) }):
		return
	case api.Described, c.target.format == source.Shell:
		kinds = pathtemplate.Placeholders
	case c.target.format == source.Postman:
		kinds = pathtemplate.Variables
	}
	pathtemplate.Apply(api, kinds, c.budget, c.warnings)
}

// marked matches a path with a placeholder that is marked as one.
var marked = expression.Lazy(`/:|<|%3C`)
