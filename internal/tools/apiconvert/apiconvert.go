package apiconvert

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/rewrite"
	curlwriter "github.com/convertd/convertd/internal/tools/apiconvert/curl/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/har"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/reader"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman"
	postmanreader "github.com/convertd/convertd/internal/tools/apiconvert/postman/reader"
	postmanwriter "github.com/convertd/convertd/internal/tools/apiconvert/postman/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/secret"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/yamldoc"
)

// Tool is api_convert; its option target is one of the targets below.
var Tool = convert.Tool{Name: "api_convert", Convert: apiConvert, Recognise: source.MediaType, Weight: weight}

// Reading, converting and writing a byte of a source takes about as long as formatting eight bytes.
const weightOfByte = 8

// weight treats YAML with aliases as heavy, whatever its length, because aliases multiply their anchors.
func weight(in convert.Input) int {
	all := weightOfByte * len(in.Value)
	if in.MediaType == "application/yaml" && strings.Contains(in.Value, "&") && strings.Contains(in.Value, "*") {
		all += convert.Light
	}
	return all
}

// target is the format that a source is converted to.
type target struct {
	format  source.Format
	version versions.Version // for OpenAPI
	yaml    bool
}

var targets = map[string]target{
	"openapi-3.2-json": {format: source.OpenAPI, version: versions.V32},
	"openapi-3.2-yaml": {format: source.OpenAPI, version: versions.V32, yaml: true},
	"openapi-3.1-json": {format: source.OpenAPI, version: versions.V31},
	"openapi-3.1-yaml": {format: source.OpenAPI, version: versions.V31, yaml: true},
	"openapi-3.0-json": {format: source.OpenAPI, version: versions.V30},
	"openapi-3.0-yaml": {format: source.OpenAPI, version: versions.V30, yaml: true},
	"swagger-2.0-json": {format: source.OpenAPI, version: versions.V20},
	"swagger-2.0-yaml": {format: source.OpenAPI, version: versions.V20, yaml: true},
	"postman-2.1":      {format: source.Postman},
	"curl":             {format: source.Shell},
}

// conversion is the state of one request.
type conversion struct {
	source source.Format
	target target
	// literalPaths keeps request paths as they were sent.
	literalPaths bool

	budget   *budget.Budget
	output   *convert.OutputLimit
	warnings *warning.List
	redactor *secret.Redactor
	ids      bool // collections get stable ids
	secrets  warning.Secrets
	// variables are the model's, if the conversion has one.
	variables []*request.Variable
}

func apiConvert(ctx context.Context, in convert.Input) (convert.Result, error) {
	return convertWithin(ctx, budget.New(ctx, len(in.Value), in.Limit.Characters()), in)
}

func convertWithin(ctx context.Context, b *budget.Budget, in convert.Input) (result convert.Result, err error) {
	defer budget.Catch(&err)
	to, ok := targets[in.Options.Text("target")]
	if !ok {
		return convert.Result{}, convert.Reject(convert.SchemaViolation,
			"Unknown target.",
			"Use one of the values of options.target.")
	}
	b.Check()
	c := conversion{
		target: to, literalPaths: in.Options.Text("paths") == "literal",
		budget: b, output: in.Limit,
		warnings: &warning.List{Budget: b}, redactor: secret.NewRedactor(b),
		ids: in.Options.Text("ids") == "stable",
	}
	src, err := source.Detect(in.MediaType, in.Value, b)
	if err != nil {
		return convert.Result{}, err
	}
	c.source = src.Format
	if src.Doc != nil {
		if src.Format == source.HAR {
			c.warnings.Unchanged(src.Doc)
		} else {
			c.warnings.Source(src.Doc)
		}
		c.warnings.Comments(src.Doc.Comments.Count, src.Doc.Comments.Line)
	}
	if err := c.external(src); err != nil {
		return convert.Result{}, err
	}
	if src.Format == source.OpenAPI && strings.Contains(in.Value, "password") {
		c.redactor.Passwords(site.Passwords(src.Doc.Root))
	}
	var out []byte
	switch {
	case src.Format == to.format && src.Format == source.Postman:
		out, err = c.rewriteCollection(ctx, src)
	case src.Format == to.format && src.Format == source.OpenAPI:
		out, err = c.rewriteOpenAPI(ctx, src)
	case src.Format == to.format && src.Format == source.Shell:
		out, err = c.rewriteScript(ctx, src)
	default:
		out, err = c.translate(ctx, src)
	}
	if err != nil {
		return convert.Result{}, err
	}
	c.reportSecrets(out)
	if names := c.redactor.Dummies; len(names) > 0 && (src.Format == to.format || to.format != source.OpenAPI) {
		c.warnings.AddNamed(warning.PlaceholderKept, nil, names...)
	}
	c.warnings.Clean = c.redactor.Clean
	if src.Format == source.Shell {
		c.warnings.Clean = func(text string) string { return curl.ShellNames(c.redactor.Clean(text)) }
	}
	return convert.Result{Value: convert.OwnedText(out), Warnings: c.warnings.Strings()}, nil
}

// reportSecrets reports the secrets that were replaced in the output, and those that were dropped.
func (c *conversion) reportSecrets(out []byte) {
	c.secrets.Replaced = c.redactor.Replaced(c.secrets.Dropped > 0)
	if c.source == c.target.format {
		c.warnings.AddPlaces(warning.SecretsReplaced, c.redactor.Places)
	} else { // translate reported the places, which are those of the source
		c.budget.Pass(len(out))
		all := len(c.secrets.Replaced)
		c.secrets.Replaced = replacedIn(out, c.secrets.Replaced, c.variables, c.target.format == source.OpenAPI)
		c.secrets.Dropped += all - len(c.secrets.Replaced)
	}
	c.warnings.SecretsReplaced(c.secrets)
}

// external warns about operations that are in other files. It returns an error if there is nothing else to convert.
func (c *conversion) external(src *source.Source) error {
	if src.Format != source.OpenAPI {
		return nil
	}
	paths, operations, others := openapi.External(src.Doc.Root)
	kept := c.target.format == source.OpenAPI
	if paths+operations > 0 && !others && !kept {
		return convert.Reject(convert.InvalidSource,
			"Every operation of the OpenAPI document is in another file, and other files are not read.",
			"Bundle the document into one file first, for example with npx @redocly/cli bundle.")
	}
	c.warnings.External(paths, operations, kept)
	return nil
}

// rewriteCollection rewrites a collection as one of the target's version.
func (c *conversion) rewriteCollection(ctx context.Context, src *source.Source) ([]byte, error) {
	if err := postman.Rewrite(src.Doc, c.budget, c.warnings); err != nil {
		return nil, err
	}
	root := src.Doc.Root
	postman.Declare(root, c.redactor.Redact(func(emit func(site.Site)) { postman.Sites(root, emit) }))
	return c.document(ctx, root)
}

// rewriteOpenAPI rewrites an OpenAPI document to the target's version.
func (c *conversion) rewriteOpenAPI(ctx context.Context, src *source.Source) ([]byte, error) {
	to := c.target.version
	if src.Version != versions.V20 || hasUserinfo(src.Doc.Root) {
		to = max(to, versions.V30) // Swagger 2.0 can't express what shows that some strings are secrets
	}
	versions.Rewrite(src.Doc, src.Version, to, c.budget, c.warnings)
	root := src.Doc.Root
	c.redactor.Described = true
	c.redactor.Redact(func(emit func(site.Site)) { site.Document(root, emit) })
	if c.target.version < to {
		versions.Rewrite(src.Doc, to, c.target.version, c.budget, c.warnings)
	}
	return c.document(ctx, root)
}

// hasUserinfo reports whether the host or base path of a Swagger 2.0 document may contain a password.
func hasUserinfo(root *tree.Value) bool {
	return strings.Contains(root.Get("host").Text()+root.Get("basePath").Text(), "@")
}

// rewriteScript rewrites the curl commands of a POSIX script in place. A script for another shell passes
// through the model.
func (c *conversion) rewriteScript(ctx context.Context, src *source.Source) ([]byte, error) {
	script, ok, err := rewrite.Parse(src.Script, c.budget, c.warnings)
	if err != nil {
		return nil, err
	}
	if !ok {
		return c.translate(ctx, src)
	}
	names := c.redactor.Redact(script.Sites)
	if script.Evaluates || !script.Sends {
		// The requests show secrets that no single word shows.
		switch api, err := curl.Read(src.Script, true, c.budget, nil); {
		case err == nil:
			names = append(names, c.redactor.Learn(api.Sites)...)
			names = append(names, c.redactor.Sweep(script.Sites)...)
		case !isUnrecognized(err) || !script.Sends:
			return nil, err
		}
	}
	out := c.redactor.SweepText(script.Text(names))
	if c.output.Exceeded(out) {
		return nil, c.output.Failure()
	}
	return out, nil
}

// isUnrecognized reports whether a source contains no request.
func isUnrecognized(err error) bool {
	failure, ok := err.(*convert.Failure)
	return ok && failure.Code == convert.UnrecognizedSource
}

// translate converts from one format to another, or from curl to curl.
func (c *conversion) translate(ctx context.Context, src *source.Source) ([]byte, error) {
	api, err := c.read(src)
	if err != nil {
		return nil, err
	}
	for _, pass := range passes {
		pass(c, api)
		c.budget.Check()
	}
	c.variables = api.Variables
	return c.write(ctx, api)
}

// read reads a source into the model.
func (c *conversion) read(src *source.Source) (*request.API, error) {
	switch src.Format {
	case source.Shell:
		return curl.Read(src.Script, c.target.format == source.Shell, c.budget, c.warnings)
	case source.Postman:
		api, err := postmanreader.Read(src.Doc, c.budget, c.warnings)
		if err == nil {
			postmanreader.Unused(src.Doc.Root, api, c.budget, c.warnings)
		}
		return api, err
	case source.HAR:
		return har.Read(src.Doc.Root, c.budget, c.warnings), nil
	}
	api, err := reader.Read(src.Doc, src.Version, c.budget, c.warnings)
	if err == nil {
		reader.Unsupported(src.Doc.Root, c.target.format == source.Shell, c.budget, c.warnings)
	}
	return api, err
}

// write writes the model in the target's format.
func (c *conversion) write(ctx context.Context, api *request.API) ([]byte, error) {
	if len(api.Requests) == 0 && c.target.format != source.OpenAPI {
		c.warnings.Add(warning.LostOperations, nil)
	}
	switch c.target.format {
	case source.Shell:
		// A placeholder may be shorter than the secret, so the output's own limit applies after the sweep.
		longest := convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters)
		out, err := curlwriter.Write(nil, api, longest, c.budget, c.warnings)
		if out = c.redactor.SweepText(out); err != nil || c.output.Exceeded(out) {
			return nil, c.output.Failure()
		}
		return out, nil
	case source.Postman:
		return c.document(ctx, postmanwriter.Write(api, c.budget, c.warnings))
	}
	return c.document(ctx, writer.Write(api, c.target.version, c.budget, c.warnings))
}

// document sweeps a tree and writes it as JSON with two spaces per level, or as YAML. As a single line it may
// have as many bytes as the largest output; document rejects larger trees before any other pass over them.
func (c *conversion) document(ctx context.Context, root *tree.Value) ([]byte, error) {
	most := min(4*c.budget.Output(), jsondoc.MaxText)
	size := root.Size(most, c.budget)
	if size.Line > most {
		return nil, c.output.Failure()
	}
	c.redactor.SweepTree(root)
	if c.target.format == source.Postman && c.source != source.Postman {
		c.dropUnused(root)
	}
	if c.ids && c.target.format == source.Postman {
		postman.Identify(root, c.budget) // after redaction: the id of a secret would let an attacker test guesses
	}
	c.budget.Check()
	if !c.target.yaml {
		room := min(size.Indented+size.Indented/16, c.budget.Output())
		if c.output.Streams() {
			room = min(room, 2*convert.Chunk)
		}
		return root.AppendOutput(make([]byte, 0, room), c.output)
	}
	text, err := root.AppendJSON(make([]byte, 0, size.Line+size.Line/16), most)
	if err != nil {
		return nil, err
	}
	c.budget.Check()
	scanner := jsondoc.NewScanner(convert.OwnedText(text))
	defer scanner.Release()
	return yamldoc.FromJSON(ctx, make([]byte, 0, 2*len(text)), scanner, 2, c.output)
}

// replacedIn returns the names of those secrets whose placeholder is in the output. The others were dropped with a part
// that the target cannot hold, such as a saved response. The placeholder of a secret without a variable, and any in an
// OpenAPI document, doesn't name it.
func replacedIn(out []byte, names []string, variables []*request.Variable, document bool) []string {
	written := map[string]bool{}
	for _, v := range variables {
		written[v.Name] = v.Written || written[v.Name]
	}
	redacted := bytes.Contains(out, []byte("redacted"))
	return slices.DeleteFunc(names, func(name string) bool {
		isWritten, isVariable := written[name]
		if document || !isVariable {
			return !redacted || isVariable && !isWritten
		}
		return !isWritten
	})
}

// dropUnused removes the generated variables that a written collection doesn't use, such as those for another way to
// authenticate, and marks those that it uses.
func (c *conversion) dropUnused(root *tree.Value) {
	used, unused := postman.Used(root, true, c.budget), map[string]bool{}
	for _, v := range c.variables {
		v.Written = used[v.Name]
		unused[v.Name] = v.Invented && !v.Written
	}
	root.Get("variable").Keep(func(_ int, _ string, v *tree.Value) bool { return !unused[v.Get("key").Text()] })
	if root.Get("variable").Len() == 0 {
		root.Delete("variable")
	}
}
