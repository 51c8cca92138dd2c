package verify_test

import (
	"fmt"
	"testing/fstest"

	"github.com/convertd/convertd/internal/verify"
)

// Cases are data: Load reads them from any folder, Run sends them to any deployment.
func ExampleLoad() {
	cases, err := verify.Load(fstest.MapFS{"mine.yaml": {Data: []byte(`
- name: json_format on one line
  rule: "JSON-7: indent from 0"
  request:
    path: /v1/tools/json_format
    json: {input: {mediaType: application/json, value: '[ 1 ]'}, options: {indent: 0}}
  response: {status: 200, output: {mediaType: application/json, value: '[1]'}}
`)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(cases[0].Name, cases[0].Response.Output.Value)
	// Output: json_format on one line [1]
}
