package apiconvert

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

type harCase struct {
	Name    string
	Archive any      // see text
	Files   []string // or the names of recordings; all have the same result
	// Operations of the OpenAPI document: method, server, path, media type of the request, statuses with media types.
	Operations []string
	Responses  []string // requests of the collection with the statuses of their saved responses
	Reported   []string // how warnings about the OpenAPI document begin
	Silent     []string // codes of warnings that no target has
	Present    []string // strings that the OpenAPI document has
	Absent     []string // strings that no output and no warning has

	text string // the archive as JSON, in the order of the file
}

func harCases(tb testing.TB) (cases []harCase) {
	tb.Helper()
	const file = "testdata/har.yaml"
	converttest.Data(tb, file, &cases)
	root := check.Value(tree.ReadYAML(check.File(tb, file), nil))(tb).Root
	var expanded []harCase
	for i, c := range cases {
		if c.Files == nil {
			c.text = string(check.Value(root.Element(i).Get("archive").AppendJSON(nil, 1<<20))(tb))
			expanded = append(expanded, c)
		}
		for _, name := range c.Files {
			of := c
			of.Name, of.text = c.Name+": "+name, check.File(tb, "testdata/recordings/"+name+".har")
			expanded = append(expanded, of)
		}
	}
	return expanded
}

// TestHAR converts archives to every target.
func TestHAR(t *testing.T) {
	for _, c := range harCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			text := c.text
			made := call(t, "application/json", text, "openapi-3.1-json")
			check.Equal(t, c.Operations, operationLines(t, made.Value), "operations")
			if c.Responses != nil {
				var got []string
				for _, r := range model(t, "application/json", call(t, "application/json", text, "postman-2.1").Value).Requests {
					line := r.Method + " " + r.Path
					for _, response := range r.Responses {
						line += " " + response.Status
					}
					got = append(got, line)
				}
				check.Equal(t, c.Responses, got, "saved responses")
			}
			for _, want := range c.Reported {
				if !slices.ContainsFunc(made.Warnings, func(w string) bool { return strings.HasPrefix(w, want) }) {
					t.Errorf("%q is not reported: %q", want, made.Warnings)
				}
			}
			for _, present := range c.Present {
				if !strings.Contains(made.Value, present) {
					t.Errorf("%q is not in the output:\n%s", present, made.Value)
				}
			}
			for _, target := range everyTarget() {
				result := call(t, "application/json", text, target)
				all := result.Value + "\n" + strings.Join(result.Warnings, "\n")
				for _, absent := range c.Absent {
					if strings.Contains(all, absent) {
						t.Errorf("%s: %q is in the output:\n%s", target, absent, all)
					}
				}
				for _, code := range c.Silent {
					if strings.Contains(all, "\n"+code+": ") {
						t.Errorf("%s: %s is reported: %q", target, code, result.Warnings)
					}
				}
			}
		})
	}
}

// operationLines returns the operations of an OpenAPI document as harCase has them.
func operationLines(t *testing.T, document string) (list []string) {
	t.Helper()
	for _, r := range model(t, "application/json", document).Requests {
		line := r.Method + " " + r.Server.URL + r.Path
		for _, body := range r.Bodies {
			line += " " + body.MediaType
		}
		for _, response := range r.Responses {
			line += " " + response.Status
			for _, body := range response.Bodies {
				line += " " + body.MediaType
			}
		}
		list = append(list, line)
	}
	return list
}

// TestHARSamples converts archives with up to 2,000 samples of one operation: their cost is linear, and the document has
// one operation with three examples.
func TestHARSamples(t *testing.T) {
	archive := func(n int) string {
		entries := make([]string, n)
		for i := range entries {
			entries[i] = fmt.Sprintf(`{"request":{"method":"GET","url":"https://h.test/orders/%d?page=%d","headers":[{"name":"X-Trace","value":"t%d"}]},`+
				`"response":{"status":200,"headers":[],"content":{"size":9,"mimeType":"application/json","text":"{\"id\":%d,\"lines\":[{\"sku\":\"a%d\"}]}"}}}`, i, i%7, i, i, i)
		}
		return `{"log":{"entries":[` + strings.Join(entries, ",") + `]}}`
	}
	for _, target := range differentTargets() {
		var costs [3]converttest.Cost
		for i := range costs {
			costs[i], _ = spend(budget.NewMeter(), "application/json", archive(500<<i), target) // a collection of 2,000 is too large
		}
		if converttest.Superlinear(costs[0], costs[1], costs[2]) {
			t.Errorf("to %s: 500, 1,000 and 2,000 samples cost %+v", target, costs)
		}
	}
	made := call(t, "application/json", archive(2000), "openapi-3.1-json").Value
	check.Equal(t, []string{"GET https://h.test/orders/{orderId} 200 application/json"}, operationLines(t, made), "operations")
	check.Equal(t, 3, strings.Count(made, `"sku": "a`), "examples")
}
