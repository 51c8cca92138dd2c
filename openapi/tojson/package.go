package main

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/convertd/convertd/gen/table"
	"github.com/convertd/convertd/internal/schema"

	"github.com/getkin/kin-openapi/openapi3"
)

// initialisms are words with their own spelling in Go names.
var initialisms = map[string]string{
	"api": "API", "json": "JSON", "yaml": "YAML", "jwt": "JWT", "iso": "ISO", "id": "ID", "ids": "IDs",
	"openapi": "OpenAPI", "curl": "CURL", "unicode": "Unicode", "url": "URL", "graphql": "GraphQL", "oauth": "OAuth", "tls": "TLS",
}

// goName returns the Go name for a name of the document: snake_case, kebab-case
// or camelCase.
func goName(text string) string {
	var words []string
	for i, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			words = append(words, "")
			continue
		case i == 0 || unicode.IsUpper(r):
			words = append(words, "")
		}
		words[len(words)-1] += string(unicode.ToLower(r))
	}
	for i, word := range words {
		if capitals := initialisms[word]; capitals != "" {
			words[i] = capitals
		} else if word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.ReplaceAll(strings.Join(words, ""), "IDS", "IDs")
}

// returned are the problem codes, besides those of status 422, that the Go
// package returns.
var returned = []string{"malformed_json", "unsupported_media_type", "internal_error"}

// goPackage returns the source of the root package's generated part: a function
// and an options type for each tool, and the problem codes.
func goPackage(d *described) (string, error) {
	var w bytes.Buffer
	w.WriteString("convertd\n\nimport \"context\"\n\n" +
		"// The codes that a call can be rejected with.\nconst (\n")
	for _, p := range d.problems {
		if p.Status == 422 || slices.Contains(returned, p.Code) {
			fmt.Fprintf(&w, "Code%s Code = %q // %s\n", goName(p.Code), p.Code, p.Title)
		}
	}
	w.WriteString(")\n")
	enums, declared := map[*schema.Schema]string{}, map[*schema.Schema]bool{}
	for reference, s := range d.schemas {
		enums[s] = goName(path.Base(reference))
	}
	for _, o := range d.operations {
		if options := o.Request.Property("options"); options != nil {
			for _, p := range options.Properties {
				if p.Type != "integer" && (len(p.Enum) == 0 || enums[p.Schema] == "") {
					return "", fmt.Errorf("%s: option %s: an option is an integer with a range, or a string whose enum is a schema of its own", o.ID, p.Name)
				}
			}
			goTool(&w, o, options, enums, declared)
		}
	}
	return w.String(), nil
}

// goHandlers returns the source of the methods of internal/rest, one for each
// operation, as the generated server interface requires.
func goHandlers(d *described) string {
	var w bytes.Buffer
	w.WriteString("rest\n\nimport \"net/http\"\n")
	for _, o := range d.operations {
		name := goName(o.ID)
		fmt.Fprintf(&w, "\n// %s handles POST %s.\nfunc (a *API) %s(w http.ResponseWriter, r *http.Request) { a.run(w, r) }\n", name, o.Path, name)
	}
	return w.String()
}

// goFunctions returns the source of a map from each tool to the root package's function, by which test/places calls it.
func goFunctions(d *described) string {
	var w bytes.Buffer
	w.WriteString("places\n\nimport \"github.com/convertd/convertd\"\n\n" +
		"// functions are the Go package's functions, by tool.\nvar functions = map[string]any{\n")
	for _, o := range d.operations {
		if o.Request.Property("options") != nil {
			fmt.Fprintf(&w, "%q: convertd.%s,\n", o.ID, goName(o.ID))
		}
	}
	w.WriteString("}\n")
	return w.String()
}

// goWarnings writes the warnings of api_convert, which are those with a kind (lost.pipes) and those about any conversion,
// and the codes of the other tools.
func goWarnings(doc *openapi3.T) (own, others string, err error) {
	var warnings []struct{ Code, Meaning string }
	err = decode(doc.Components.Schemas["Warnings"].Value.Extensions["x-warnings"], &warnings)
	own = "warning\n\n// The warnings, in the order of x-warnings.\nvar (\n"
	others = "convert\n\n// The warnings of the tools other than api_convert, in the order of x-warnings.\nconst (\n"
	anyConversion := []string{"secrets_replaced", "more_warnings", "placeholder_kept", "unknown_option"}
	for _, each := range warnings {
		if strings.Contains(each.Code, ".") || slices.Contains(anyConversion, each.Code) {
			own += fmt.Sprintf("%s = Feature{%q, %q}\n", goName(each.Code), each.Code, each.Meaning)
		} else {
			others += fmt.Sprintf("Warning%s WarningCode = %q\n", goName(each.Code), each.Code)
		}
	}
	return own + ")\n", others + ")\n", err
}

// goTool writes one tool: its enums unless another tool declared them, its options
// and its function.
func goTool(w *bytes.Buffer, o table.Operation, options *schema.Schema, enums map[*schema.Schema]string, declared map[*schema.Schema]bool) {
	name := goName(o.ID)
	for _, p := range options.Properties {
		if len(p.Enum) == 0 || declared[p.Schema] {
			continue
		}
		declared[p.Schema] = true
		fmt.Fprintf(w, "\n%stype %s string\n\n// The values of %s.\nconst (\n", comment(enums[p.Schema]+" is a value of "+name+"Options."+goName(p.Name)+". "+p.Description), enums[p.Schema], enums[p.Schema])
		for _, value := range p.Enum {
			fmt.Fprintf(w, "%s%s %s = %q\n", enums[p.Schema], goName(value.(string)), enums[p.Schema], value)
		}
		w.WriteString(")\n")
	}
	fmt.Fprintf(w, "\n%stype %sOptions struct {\n", comment(name+"Options are the options of "+name+". "+options.Description), name)
	for _, p := range options.Properties {
		fmt.Fprintf(w, "%s%s %s\n", comment(p.Description+" "+optionRange(p.Schema, slices.Contains(options.Required, p.Name), enums)), goName(p.Name), optionType(p.Schema, enums))
	}
	fmt.Fprintf(w, "}\n\nfunc (%sOptions) tool() string { return %q }\n\nfunc (o %sOptions) given() map[string]any {\ngiven := map[string]any{}\n", name, o.ID, name)
	for _, p := range options.Properties {
		fmt.Fprintf(w, "set%s(given, %q, o.%s)\n", map[bool]string{true: "Int", false: "Text"}[p.Type == "integer"], p.Name, goName(p.Name))
	}
	w.WriteString("return given\n}\n")
	input, artifact := "string", fmt.Sprintf("Artifact{MediaType: %q, Value: input}", o.Accepts[0])
	accepts := ""
	if len(o.Accepts) > 1 {
		input, artifact = "Artifact", "input"
		accepts = " The input's media type is one of " + strings.Join(o.Accepts, ", ") + "."
	}
	text := strings.ReplaceAll(o.Description, "`options.", "`")
	fmt.Fprintf(w, "\n%sfunc %s(ctx context.Context, input %s, options %sOptions, settings ...Setting) (*Result, error) {\nreturn single(ctx, %s, options, settings)\n}\n",
		comment(name+" is the tool "+o.ID+". "+text+accepts), name, input, name, artifact)
}

func optionType(s *schema.Schema, enums map[*schema.Schema]string) string {
	if s.Type == "integer" {
		return "*int"
	}
	return enums[s]
}

// optionRange is a sentence about what an option may be.
func optionRange(s *schema.Schema, required bool, enums map[*schema.Schema]string) string {
	switch {
	case s.Type == "integer":
		return fmt.Sprintf("%v to %v; nil is %v.", s.Range.Min, s.Range.Max, s.Default)
	case required:
		return "Required."
	case s.Default != nil:
		return fmt.Sprintf("\"\" is %s%s.", enums[s], goName(s.Default.(string)))
	}
	return `"" is none.`
}

// comment is a text as a Go comment of lines of readable length.
func comment(text string) string {
	var b strings.Builder
	line := "//"
	for _, word := range strings.Fields(strings.ReplaceAll(text, "`", "")) {
		if len(line)+len(word) > 78 {
			b.WriteString(line + "\n")
			line = "//"
		}
		line += " " + word
	}
	return b.String() + line + "\n"
}
