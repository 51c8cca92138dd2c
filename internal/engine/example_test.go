package engine_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/engine"
	"github.com/convertd/convertd/internal/tools"
)

// A front door decodes a call with the contract, runs it with the engine, and
// writes the response or the problem in its own format.
func Example() {
	c, err := contract.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := engine.New(c, tools.All(), engine.Config{
		BaseURL:     "https://convert.example.com",
		Provider:    "example",
		Version:     "1.0.0",
		ExecTimeout: 2 * time.Second,
		WorkSlots:   1,
		Log:         slog.New(slog.DiscardHandler),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, value := range []string{`{\"b\": [1.50, {}]}`, `{\"a\": 1,\n\"a\": 2}`} {
		call, failure := c.Decode("json_format", `{"input": {"mediaType": "application/json", "value": "`+value+`"}, "options": {"indent": 0}}`)
		if failure != nil {
			fmt.Println(failure.Code)
			continue
		}
		response, err := e.Run(context.Background(), call, nil)
		switch {
		case errors.As(err, &failure):
			fmt.Println(failure.Code, failure.Detail)
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println(response.Output.Value)
			fmt.Println(response.Provenance.EditorURL)
		}
	}
	// Output:
	// {"b":[1.50,{}]}
	// https://convert.example.com/editor#r=1&s=json_format,indent:0
	// duplicate_key An object has two members with the same name, the first at line 1, column 2. (line 2, column 1)
}
