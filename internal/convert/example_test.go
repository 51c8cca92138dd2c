package convert_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// A tool is a value: a name from the OpenAPI document and a function. It rejects input with a code of the
// closed list, fixed messages and a position.
func ExampleTool() {
	shout := convert.Tool{Name: "shout", Convert: func(_ context.Context, in convert.Input) (convert.Result, error) {
		if at := strings.IndexByte(in.Value, '!'); at >= 0 {
			return convert.Result{}, convert.Reject(convert.InvalidJSON,
				"The text has an exclamation mark already.", "Leave it out.").At(in.Value, at)
		}
		return convert.Result{Value: strings.ToUpper(in.Value) + "!"}, nil
	}}
	for _, text := range []string{"hello", "hello\nyou!"} {
		result, err := shout.Convert(context.Background(), convert.Input{Artifact: convert.Artifact{MediaType: "text/plain", Value: text}})
		fmt.Println(result.Value, err)
	}
	// Output:
	// HELLO! <nil>
	//  invalid_json: The text has an exclamation mark already. (line 2, column 4)
}
