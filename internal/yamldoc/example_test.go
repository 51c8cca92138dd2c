package yamldoc_test

import (
	"context"
	"fmt"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/yamldoc"
)

// A string that some YAML reader would interpret as another type is quoted.
func ExampleFromJSON() {
	scanner := jsondoc.NewScanner(`{"answer": "no", "version": "1.10", "day": "2024-01-01", "mass": 5e3, "script": "set -e\nmake\n"}`)
	defer scanner.Release()
	out, err := yamldoc.FromJSON(context.Background(), nil, scanner, 2, convert.NewOutputLimit(1000, 1000))
	fmt.Printf("%s%v\n", out, err)
	// Output:
	// answer: "no"
	// version: "1.10"
	// day: "2024-01-01"
	// mass: 5.0e+3
	// script: |
	//   set -e
	//   make
	// <nil>
}
