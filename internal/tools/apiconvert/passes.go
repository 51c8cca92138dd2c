package apiconvert

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/curl"
	"github.com/convertd/convertd/internal/tools/apiconvert/pathtemplate"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
)

// passes run on every model between reading and writing, in this order. A pass that a conversion doesn't need
// leaves the model unchanged.
var passes = []func(*conversion, *request.API){
	inferMediaTypes,
	portable,
	redact,
	browserHeaders,
	hosts,
	endpoints,
	templates,
}

// portable adapts requests of a shell script to other formats.
func portable(c *conversion, api *request.API) {
	if c.source == source.Shell && c.target.format != source.Shell {
		curl.Portable(api, c.budget, c.warnings)
	}
}

// redact replaces secrets by variables of the API. Passes that split strings run after it, because it
// recognizes a webhook by its whole URL.
func redact(c *conversion, api *request.API) {
	for _, name := range c.redactor.Redact(api.Sites) {
		api.Variables = append(api.Variables, &request.Variable{Name: name, Secret: true, Invented: true})
	}
	if c.target.format == source.OpenAPI { // which says how to authenticate, not as whom
		c.secrets.Dropped = c.redactor.Credentials()
		c.secrets.Users = api.Users()
	}
}

// templates turns the paths of requests that were sent into path templates when the target is an OpenAPI
// document.
func templates(c *conversion, api *request.API) {
	if c.target.format == source.OpenAPI && !api.Described && !c.literalPaths {
		pathtemplate.Apply(api, c.budget, c.warnings)
	}
}
