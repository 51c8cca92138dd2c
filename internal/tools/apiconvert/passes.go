package apiconvert

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/curl"
	"github.com/convertd/convertd/internal/tools/apiconvert/pathtemplate"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
)

// passes are what is done to every model between reading and writing, in this
// order. One that a conversion does not need leaves the model as it is.
var passes = []func(*conversion, *request.API){
	meantBodies,
	portable,
	redact,
	browserHeaders,
	endpoints,
	templates,
}

// portable makes requests of shell text fit for other formats.
func portable(c *conversion, api *request.API) {
	if c.source == source.Shell && c.target.format != source.Shell {
		curl.Portable(api, c.budget, c.warnings)
	}
}

// redact replaces the secrets by variables, which are the API's from now on.
// Passes that take texts apart stand behind it: it recognises a webhook by its
// whole address.
func redact(c *conversion, api *request.API) {
	for _, name := range c.redactor.Redact(api.Sites) {
		api.Variables = append(api.Variables, &request.Variable{Name: name, Secret: true, Invented: true})
	}
	if c.target.format == source.Description { // it says how to authenticate, not as whom
		c.secrets.Dropped = c.redactor.Credentials()
		c.secrets.Users = api.Users()
	}
}

// templates makes path templates of the paths of requests that were sent, when
// they are to be described.
func templates(c *conversion, api *request.API) {
	if c.target.format == source.Description && !api.Described && !c.literalPaths {
		pathtemplate.Apply(api, c.budget, c.warnings)
	}
}
