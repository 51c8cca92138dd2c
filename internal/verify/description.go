package verify

import (
	"fmt"
	"maps"
	"slices"

	"github.com/convertd/convertd/internal/schema"
)

// description is the OpenAPI document that a deployment serves. It is not trusted: what it lacks is an empty object.
type description struct {
	document map[string]any
	version  string
}

// readDescription parses an OpenAPI document.
func readDescription(text []byte) (*description, error) {
	value, err := decodeJSON(text)
	if err != nil {
		return nil, err
	}
	document, _ := value.(map[string]any)
	if version, _ := document["openapi"].(string); version == "" {
		return nil, fmt.Errorf("it is not an OpenAPI document")
	}
	d := &description{document: document}
	d.version, _ = valueAt(value, "/info/version").(string)
	return d, nil
}

// object returns the object at a path of names below a value.
func (d *description) object(value any, names ...string) map[string]any {
	reader := schema.NewReader(d.document)
	object := reader.Object(value)
	for _, name := range names {
		object = reader.Object(object[name])
	}
	return object
}

// schema reads a schema object.
func (d *description) schema(value any) (*schema.Schema, error) {
	return schema.NewReader(d.document).Read(value)
}

// operations calls yield with the path of each POST operation, sorted, and the operation.
func (d *description) operations(yield func(string, map[string]any) bool) {
	paths := d.object(d.document, "paths")
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		if post := d.object(paths, path, "post"); len(post) > 0 && !yield(path, post) {
			return
		}
	}
}

// at returns the operation of a path, any operation for an unknown path.
func (d *description) at(path string) (operation map[string]any) {
	for other, post := range d.operations {
		if other == path {
			return post
		}
		if operation == nil {
			operation = post
		}
	}
	return operation
}

// operation returns the operation with an id and its path, "" for an unknown id.
func (d *description) operation(id string) (path string, operation map[string]any) {
	for path, post := range d.operations {
		if post["operationId"] == id {
			return path, post
		}
	}
	return "", nil
}

// title returns the title of a problem code, "" for an unknown code.
func (d *description) title(code string) (title string) {
	problems, _ := valueAt(d.document, "/components/schemas/ProblemCode/x-problems").([]any)
	for _, p := range problems {
		if problem := d.object(p); problem["code"] == code {
			title, _ = problem["title"].(string)
		}
	}
	return title
}
