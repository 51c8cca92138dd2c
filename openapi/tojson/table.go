package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"log"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/gen/table"
	"github.com/convertd/convertd/internal/schema"
)

// described is what the table takes from the description.
type described struct {
	Info   struct{ Title string }
	Limits table.Limits `json:"x-service-limits"`
	Paths  map[string]struct {
		Post *struct {
			OperationID string
			Summary     string
			Description string
			MediaTypes  struct{ Accepts, Produces []string } `json:"x-service-media-types"`
			RequestBody struct {
				Content map[string]struct{ Schema any }
			}
		}
	}
}

// goTable returns the source of gen/table/table.gen.go for a description and
// the list of its problems.
func goTable(description map[string]any, problems any) []byte {
	var d described
	decode(description, &d)
	reader := schema.NewReader(description)
	operations := map[string]table.Operation{}
	for at, item := range d.Paths {
		if post := item.Post; post != nil {
			request, err := reader.Read(post.RequestBody.Content["application/json"].Schema)
			if err != nil || len(reader.Unknown) > 0 {
				log.Fatalf("%s: %v; keywords that internal/schema does not know: %q", post.OperationID, err, reader.Unknown)
			}
			dropImplied(request, d.Limits.RequestBytes, map[*schema.Schema]bool{})
			operations[at] = table.Operation{
				ID: post.OperationID, Path: at, Summary: post.Summary, Description: post.Description,
				Accepts: post.MediaTypes.Accepts, Produces: post.MediaTypes.Produces, Request: request,
			}
		}
	}
	var list []table.Problem
	decode(problems, &list)
	sorted := slices.SortedFunc(maps.Values(operations), func(a, b table.Operation) int { return strings.Compare(a.Path, b.Path) })
	write("../../tools.gen.go", goPackage(sorted, reader.Names(), list))
	w := writer{names: map[*schema.Schema]string{}}
	for reference, s := range reader.Names() {
		name := path.Base(reference)
		w.names[s] = strings.ToLower(name[:1]) + name[1:]
	}
	w.text("// Code generated from openapi/openapi.yaml by make generate. DO NOT EDIT.\n\npackage table\n\n" +
		"import \"github.com/convertd/convertd/internal/schema\"\n\n// Title is the description's.\n")
	fmt.Fprintf(&w, "const Title = %q\n\n// Limit is x-service-limits.\nvar Limit = ", d.Info.Title)
	w.value(reflect.ValueOf(d.Limits))
	w.text("\n\n// Operations are the POST operations, sorted by path.\nvar Operations = []Operation{\n")
	for _, o := range sorted {
		w.value(reflect.ValueOf(o))
		w.text(",\n")
	}
	w.text("}\n\n// Problems is the closed list, in its order.\nvar Problems = []Problem{\n")
	for _, p := range list {
		w.value(reflect.ValueOf(p))
		w.text(",\n")
	}
	w.text("}\n\n// The schemas that the description names.\nvar (\n")
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
	source, err := format.Source(w.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	return source
}

// dropImplied removes the maxLength of strings that no request within the size
// limit can exceed. Callers without such a limit are held to it by
// internal/contract, which may have been given another one.
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
	names map[*schema.Schema]string // those that are variables
}

func (w *writer) text(text string) { w.WriteString(text) }

// value writes a value as a composite literal without its zero members.
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

// float writes a number so that it is a float64 in an interface too.
func float(n float64) string {
	switch n {
	case schema.Least:
		return "schema.Least"
	case schema.Most:
		return "schema.Most"
	}
	return "float64(" + strconv.FormatFloat(n, 'g', -1, 64) + ")"
}

// local is a type's name inside package table.
func local(t reflect.Type) string { return strings.ReplaceAll(t.String(), "table.", "") }

// decode gives a decoded value another type.
func decode(value, target any) {
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, target)
	}
	if err != nil {
		log.Fatal(err)
	}
}
