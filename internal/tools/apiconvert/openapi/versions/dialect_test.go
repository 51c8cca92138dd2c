package versions

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// dialect holds a document whose schemas are translated to JSON Schema 2020-12. It shares no code with the rewrite.
type dialect struct {
	old      bool              // before OpenAPI 3.1
	parts    map[string]string // pointers to the schemas, by a key that is the same in every version
	raw      map[string]bool   // parts that describe bytes rather than JSON, or are invalid
	readings []map[string]any  // two for Swagger 2.0, which doesn't define x-nullable
	compiler []*jsonschema.Compiler
}

func translate(tb testing.TB, text string) *dialect {
	tb.Helper()
	d := &dialect{parts: map[string]string{}, raw: map[string]bool{}}
	for _, lenient := range []bool{false, true} {
		root := object(check.Value(jsonschema.UnmarshalJSON(strings.NewReader(text)))(tb))
		if root["swagger"] == nil && lenient {
			break
		}
		d.old = root["openapi"] == nil || strings.HasPrefix(fmt.Sprint(root["openapi"]), "3.0")
		d.findParts(root)
		t := translator{old: d.old, swagger: root["swagger"] != nil, lenient: lenient}
		t.document(root)
		c := jsonschema.NewCompiler()
		check.OK(tb, c.AddResource("file:///d", root))
		d.readings, d.compiler = append(d.readings, root), append(d.compiler, c)
	}
	return d
}

// compile returns the schema of a part, one for each reading.
func (d *dialect) compile(key string) (list []*jsonschema.Schema, err error) {
	for _, c := range d.compiler {
		s, err := c.Compile("file:///d#" + (&url.URL{Fragment: d.parts[key]}).EscapedFragment())
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

func (d *dialect) schema(key string) any { return at(d.readings[len(d.readings)-1], d.parts[key]) }

// placeOf returns the pointer in a URL of the validator.
func placeOf(address string) string {
	_, fragment, _ := strings.Cut(address, "#")
	pointer, _ := url.PathUnescape(fragment)
	return pointer
}

// at returns the value at a pointer, or nil.
func at(v any, pointer string) any {
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = tree.UnescapePointer(token)
		switch of := v.(type) {
		case map[string]any:
			v = of[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i >= len(of) {
				return nil
			}
			v = of[i]
		default:
			return nil
		}
	}
	return v
}

// end returns the pointer at the end of a chain of references.
func end(root map[string]any, pointer string) string {
	for range 10 {
		ref, _ := object(at(root, pointer))["$ref"].(string)
		if !strings.HasPrefix(ref, "#/") {
			break
		}
		pointer = placeOf(ref)
	}
	return pointer
}

// findParts finds the reusable schemas, and those of parameters, form fields, bodies and responses.
func (d *dialect) findParts(root map[string]any) {
	for _, section := range []string{"/definitions", "/components/schemas"} {
		for name := range object(at(root, section)) {
			d.add(root, "schema "+name, section+"/"+tree.EscapePointer(name))
		}
	}
	for path, item := range object(root["paths"]) {
		for method, op := range object(item) {
			if object(op) != nil && method != "$ref" {
				d.operation(root, method+" "+strings.TrimPrefix(path, "/"), "/paths/"+tree.EscapePointer(path)+"/"+method)
			}
		}
	}
}

func (d *dialect) add(root map[string]any, key, pointer string) {
	s := object(at(root, end(root, pointer)))
	if s == nil {
		return
	}
	d.parts[key] = pointer
	binary := s["format"] == "binary" || s["contentMediaType"] != nil && s["contentEncoding"] == nil
	d.raw[key] = s["type"] == "file" || binary || d.old && array(s["type"]) != nil || strings.HasPrefix(end(root, pointer), "/x-")
}

func (d *dialect) operation(root map[string]any, key, pointer string) {
	op := object(at(root, pointer))
	for i := range array(op["parameters"]) {
		p := end(root, fmt.Sprint(pointer, "/parameters/", i))
		of := object(at(root, p))
		switch name := fmt.Sprint(" ", of["name"]); {
		case of["in"] == "body":
			d.add(root, key+" body", p+"/schema")
		case of["schema"] != nil:
			d.add(root, key+" "+fmt.Sprint(of["in"])+name, p+"/schema")
		case of["type"] != nil && of["in"] == "formData":
			d.add(root, key+" field"+name, p)
		case of["type"] != nil:
			d.add(root, key+" "+fmt.Sprint(of["in"])+name, p)
		}
	}
	content := func(key, pointer string) {
		mediaTypes := slices.Sorted(maps.Keys(object(at(root, pointer+"/content"))))
		if len(mediaTypes) == 0 {
			return
		}
		s := pointer + "/content/" + tree.EscapePointer(mediaTypes[0]) + "/schema"
		if !strings.Contains(mediaTypes[0], "form") {
			d.add(root, key, s)
			return
		}
		for name := range object(at(root, end(root, s)+"/properties")) {
			d.add(root, strings.TrimSuffix(key, "body")+"field "+name, end(root, s)+"/properties/"+tree.EscapePointer(name))
		}
	}
	content(key+" body", end(root, pointer+"/requestBody"))
	for status := range object(op["responses"]) {
		r := end(root, pointer+"/responses/"+status)
		content(key+" "+status, r)
		d.add(root, key+" "+status, r+"/schema")
		for name := range object(object(at(root, r))["headers"]) {
			p := end(root, r+"/headers/"+tree.EscapePointer(name))
			if object(at(root, p))["schema"] != nil {
				p += "/schema"
			}
			if object(at(root, p))["content"] == nil {
				d.add(root, key+" "+status+" header "+name, p)
			}
		}
	}
}

// translator translates schemas of Swagger 2.0 and OpenAPI 3.0 to JSON Schema 2020-12.
type translator struct {
	old, swagger bool
	lenient      bool // x-nullable allows null whatever else the schema says, instead of like nullable of OpenAPI 3.0
}

// document translates the schemas within v, which is no schema, in place.
func (t *translator) document(v any) {
	for _, element := range array(v) {
		t.document(element)
	}
	o := object(v)
	for name, value := range o {
		switch {
		case name == "schema":
			o[name] = t.schema(value)
		case (name == "schemas" || name == "definitions") && object(value) != nil:
			for name, s := range object(value) {
				object(value)[name] = t.schema(s)
			}
		case name == "example" || name == "examples" || strings.HasPrefix(name, "x-"):
		default:
			t.document(value)
		}
	}
	if _, typed := o["type"].(string); typed && t.swagger && o["schema"] == nil {
		s := object(t.schema(o))
		clear(o)
		maps.Copy(o, s)
	}
}

// known lists the keywords of OpenAPI 3.0 that restrict values, and those with schemas. Swagger 2.0 lacks the last three.
var known = strings.Fields(`multipleOf maximum minimum maxLength minLength pattern maxItems minItems uniqueItems
	maxProperties minProperties enum type allOf items properties additionalProperties required oneOf anyOf not`)

// schema translates a schema.
func (t *translator) schema(v any) any {
	if !t.old {
		describeBytes(v)
		return v
	}
	s := object(v)
	if s == nil {
		return v
	}
	if ref, is := s["$ref"].(string); is {
		return t.orNull(s, map[string]any{"$ref": ref})
	}
	out := map[string]any{}
	keywords := known
	if t.swagger {
		keywords = known[:len(known)-3]
	}
	for _, name := range keywords {
		value, has := s[name]
		if _, mark := value.(bool); has && !(mark && name == "required") { // of a parameter
			out[name] = t.keyword(name, value)
		}
	}
	for bound, exclusive := range map[string]string{"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"} {
		if s[exclusive] == true && s[bound] != nil {
			delete(out, bound)
			out[exclusive] = s[bound]
		}
	}
	nullable := "nullable"
	if t.swagger {
		nullable = "x-nullable"
	}
	if out["type"] != nil && s[nullable] == true {
		out["type"] = []any{out["type"], "null"}
	}
	if out["type"] == "file" {
		out["type"] = "string"
	}
	return t.orNull(s, out)
}

// describeBytes adds the type of bytes without an encoding, which OpenAPI 3.1 leaves out because JSON can't hold them.
func describeBytes(v any) {
	for _, element := range array(v) {
		describeBytes(element)
	}
	o := object(v)
	for _, value := range o {
		describeBytes(value)
	}
	if _, is := o["contentMediaType"].(string); is && o["contentEncoding"] == nil && o["type"] == nil {
		o["type"] = "string"
	}
}

// orNull allows null in the lenient reading.
func (t *translator) orNull(s, out map[string]any) any {
	if t.lenient && s["x-nullable"] == true {
		return map[string]any{"anyOf": []any{out, map[string]any{"type": "null"}}}
	}
	return out
}

// keyword translates the value of a keyword.
func (t *translator) keyword(name string, value any) any {
	switch name {
	case "properties":
		out := map[string]any{}
		for name, s := range object(value) {
			out[name] = t.schema(s)
		}
		return out
	case "allOf", "oneOf", "anyOf":
		out := []any{}
		for _, s := range array(value) {
			out = append(out, t.schema(s))
		}
		return out
	case "items", "additionalProperties", "not":
		return t.schema(value)
	}
	return value
}
