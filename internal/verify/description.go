package verify

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/convertd/convertd/internal/schema"
)

// description is what the served OpenAPI document says about its operations.
type description struct {
	version    string
	operations []operation       // POST, sorted by path
	titles     map[string]string // of problems, by code
}

// operation is one POST operation.
type operation struct {
	id, path  string
	request   *schema.Schema   // of a JSON body, nil if there is none
	responses map[int]response // by status
}

// response is one response of an operation.
type response struct {
	headers map[string]header
	content map[string]*schema.Schema // by media type
}

// header is one header of a response.
type header struct {
	required bool
	schema   *schema.Schema // nil allows any value
}

// readDescription parses an OpenAPI document, which is not trusted. Missing parts
// are absent; an invalid schema is an error.
func readDescription(text []byte) (*description, error) {
	value, err := decodeJSON(text)
	if err != nil {
		return nil, err
	}
	document, _ := value.(map[string]any)
	if version, _ := document["openapi"].(string); version == "" {
		return nil, fmt.Errorf("it is not an OpenAPI document")
	}
	r := schema.NewReader(document)
	d := &description{titles: map[string]string{}}
	d.version, _ = valueAt(value, "/info/version").(string)
	paths := r.Object(document["paths"])
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		post := r.Object(r.Object(paths[path])["post"])
		if post == nil {
			continue
		}
		o, err := readOperation(r, path, post)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		d.operations = append(d.operations, o)
	}
	problems, _ := valueAt(value, "/components/schemas/ProblemCode/x-problems").([]any)
	for _, p := range problems {
		problem, _ := p.(map[string]any)
		code, _ := problem["code"].(string)
		d.titles[code], _ = problem["title"].(string)
	}
	return d, nil
}

func readOperation(r *schema.Reader, path string, post map[string]any) (o operation, err error) {
	o = operation{path: path, responses: map[int]response{}}
	o.id, _ = post["operationId"].(string)
	bodies, err := readContent(r, r.Object(post["requestBody"])["content"])
	if err != nil {
		return o, err
	}
	o.request = bodies["application/json"]
	responses := r.Object(post["responses"])
	for code := range responses {
		status, err := strconv.Atoi(code)
		if err != nil {
			continue // default, which is no status
		}
		object := r.Object(responses[code])
		content, err := readContent(r, object["content"])
		if err != nil {
			return o, err
		}
		headers, err := readHeaders(r, object["headers"])
		if err != nil {
			return o, err
		}
		o.responses[status] = response{headers, content}
	}
	return o, nil
}

func readContent(r *schema.Reader, value any) (map[string]*schema.Schema, error) {
	content := map[string]*schema.Schema{}
	for mediaType, of := range r.Object(value) {
		s, err := r.Read(r.Object(of)["schema"])
		if err != nil {
			return nil, err
		}
		content[mediaType] = s
	}
	return content, nil
}

func readHeaders(r *schema.Reader, value any) (map[string]header, error) {
	headers := map[string]header{}
	for name, of := range r.Object(value) {
		object := r.Object(of)
		h := header{}
		h.required, _ = object["required"].(bool)
		if object["schema"] != nil {
			var err error
			if h.schema, err = r.Read(object["schema"]); err != nil {
				return nil, err
			}
		}
		headers[name] = h
	}
	return headers, nil
}

// at returns the operation of a path, any operation for an unknown path, or nil if there is none.
func (d *description) at(path string) *operation {
	for i := range d.operations {
		if d.operations[i].path == path {
			return &d.operations[i]
		}
	}
	if len(d.operations) == 0 {
		return nil
	}
	return &d.operations[0]
}

// operation returns the operation with an id, nil if there is none.
func (d *description) operation(id string) *operation {
	for i := range d.operations {
		if d.operations[i].id == id {
			return &d.operations[i]
		}
	}
	return nil
}
