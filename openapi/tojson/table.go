package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/convertd/convertd/gen/table"
	"github.com/convertd/convertd/internal/schema"
)

// described is what the generated Go code takes from the document.
type described struct {
	title      string
	limits     table.Limits
	operations []table.Operation // POST operations, sorted by path
	problems   []table.Problem
	warnings   []table.Warning
	schemas    map[string]*schema.Schema // named schemas, by reference
}

// read takes what the generated code needs from a document and its JSON. kin-openapi's model has the operations;
// internal/schema reads the schemas, so that what is enforced is what convertd verify reads from a deployment.
func read(doc *openapi3.T, text []byte) (*described, error) {
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	schemas := schema.NewReader(document)
	d := &described{title: doc.Info.Title, schemas: schemas.Named}
	if err := decode(doc.Extensions["x-service-limits"], &d.limits); err != nil {
		return nil, err
	}
	if err := d.readCodes(doc.Components.Schemas); err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(doc.Paths.Map())) {
		post := doc.Paths.Value(path).Post
		if post == nil {
			continue
		}
		o := table.Operation{ID: post.OperationID, Path: path, Summary: post.Summary, Description: post.Description}
		var types struct{ Accepts, Produces []string }
		if err := decode(post.Extensions["x-service-media-types"], &types); err != nil {
			return nil, err
		}
		o.Accepts, o.Produces = types.Accepts, types.Produces
		body := post.RequestBody.Value.Content["application/json"]
		if body == nil {
			return nil, fmt.Errorf("%s: the request body has no application/json", path)
		}
		var object any
		err := decode(body.Schema, &object)
		if err == nil {
			o.Request, err = schemas.Read(object)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: the request body: %w", path, err)
		}
		if len(schemas.Unknown) > 0 {
			return nil, fmt.Errorf("%s: internal/schema does not enforce the keyword %s; describe the value with other keywords, or teach internal/schema this one first",
				path, strings.Join(schemas.Unknown, ", "))
		}
		dropImplied(o.Request, d.limits.RequestBytes, map[*schema.Schema]bool{})
		d.operations = append(d.operations, o)
	}
	return d, nil
}

// readCodes reads the lists of problem and warning codes.
func (d *described) readCodes(schemas openapi3.Schemas) error {
	problems := schemas["ProblemCode"].Value.Extensions
	var examples map[string]struct{ Wrong, Right string }
	err := errors.Join(decode(problems["x-problems"], &d.problems), decode(problems["x-problem-examples"], &examples),
		decode(schemas["Warnings"].Value.Extensions["x-warnings"], &d.warnings))
	for i := range d.problems {
		p := &d.problems[i]
		p.Wrong, p.Right = examples[p.Code].Wrong, examples[p.Code].Right
		if p.Wrong == "" || p.Right == "" {
			return fmt.Errorf("the problem %s has no examples", p.Code)
		}
	}
	return err
}

// goTable returns the source of gen/table/table.gen.go.
func goTable(d *described) string {
	w := writer{names: map[*schema.Schema]string{}}
	for reference, s := range d.schemas {
		name := path.Base(reference)
		w.names[s] = strings.ToLower(name[:1]) + name[1:]
	}
	w.text("table\n\n" +
		"import \"github.com/convertd/convertd/internal/schema\"\n\n// Title is the title of the API.\n")
	fmt.Fprintf(&w, "const Title = %q\n\n// Limit is x-service-limits.\nvar Limit = ", d.title)
	w.value(reflect.ValueOf(d.limits))
	w.text("\n\n// Operations are the POST operations, sorted by path.\nvar Operations = []Operation{\n")
	for _, o := range d.operations {
		w.value(reflect.ValueOf(o))
		w.text(",\n")
	}
	w.text("}\n\n// Problems are the problem codes, in the document's order.\nvar Problems = []Problem{\n")
	for _, p := range d.problems {
		w.value(reflect.ValueOf(p))
		w.text(",\n")
	}
	w.text("}\n\n// Warnings are the warning codes, in the document's order.\nvar Warnings = []Warning{\n")
	for _, o := range d.warnings {
		w.value(reflect.ValueOf(o))
		w.text(",\n")
	}
	w.text("}\n\n// The named schemas.\nvar (\n")
	byName := map[string]*schema.Schema{}
	for s, name := range w.names {
		byName[name] = s
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		w.text(name + " = ")
		w.value(reflect.ValueOf(*byName[name]))
		w.text("\n")
	}
	w.text(")\n")
	return w.String()
}

// dropImplied removes a maxLength that no request within the size limit can
// exceed. internal/contract enforces it for callers that have another limit.
func dropImplied(s *schema.Schema, requestBytes int, seen map[*schema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	if s.MaxLength >= requestBytes {
		s.MaxLength = 0
	}
	for _, p := range s.Properties {
		dropImplied(p.Schema, requestBytes, seen)
	}
}

// writer writes Go values as source.
type writer struct {
	bytes.Buffer
	names map[*schema.Schema]string // of the variables
}

func (w *writer) text(text string) { w.WriteString(text) }

// value writes a value as a composite literal without its zero fields.
func (w *writer) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		w.value(v.Elem())
	case reflect.Pointer:
		if s, ok := v.Interface().(*schema.Schema); ok && w.names[s] != "" {
			w.text("&" + w.names[s])
			return
		}
		w.text("&")
		w.value(v.Elem())
	case reflect.Struct:
		w.text(local(v.Type()) + "{")
		for i := range v.NumField() {
			if !v.Field(i).IsZero() {
				w.text(v.Type().Field(i).Name + ": ")
				w.value(v.Field(i))
				w.text(", ")
			}
		}
		w.text("}")
	case reflect.Slice, reflect.Array:
		w.text(local(v.Type()) + "{")
		for i := range v.Len() {
			w.value(v.Index(i))
			w.text(", ")
		}
		w.text("}")
	case reflect.Float64:
		w.text(float(v.Float()))
	default:
		fmt.Fprintf(w, "%#v", v.Interface())
	}
}

// float returns an expression whose type is float64, also in an interface.
func float(n float64) string {
	switch n {
	case schema.Least:
		return "schema.Least"
	case schema.Most:
		return "schema.Most"
	}
	return "float64(" + strconv.FormatFloat(n, 'g', -1, 64) + ")"
}

// local returns the name of a type inside package table.
func local(t reflect.Type) string { return strings.ReplaceAll(t.String(), "table.", "") }

// decode decodes a part of the document into target.
func decode(part, target any) error {
	text, err := json.Marshal(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, target)
}
