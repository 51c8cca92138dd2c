package jsondoc_test

import (
	"fmt"

	"github.com/convertd/convertd/internal/jsondoc"
)

// A Scanner returns tokens unchanged, and rejects what readers interpret differently.
func ExampleScanner() {
	scanner := jsondoc.NewScanner(`{"price": 1.50, "name": "\u0041da", "price": 2}`)
	defer scanner.Release()
	for {
		token, err := scanner.Next()
		if err != nil {
			fmt.Println(err)
			return
		}
		if token.Kind == jsondoc.End {
			return
		}
		fmt.Println(token.Raw)
	}
	// Output:
	// {
	// "price"
	// 1.50
	// "name"
	// "\u0041da"
	// duplicate_key: An object has two members with the same name, the first at line 1, column 2. (line 1, column 37)
}

// A number is safe if a double-precision reader keeps its value.
func ExampleSafeNumber() {
	for _, number := range []string{"1.50", "9007199254740991", "9007199254740993", "1e400", "0.1", "0.1000000000000000055"} {
		fmt.Println(number, jsondoc.SafeNumber(number))
	}
	// Output:
	// 1.50 true
	// 9007199254740991 true
	// 9007199254740993 false
	// 1e400 false
	// 0.1 true
	// 0.1000000000000000055 false
}
