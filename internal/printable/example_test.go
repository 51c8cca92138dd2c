package printable_test

import (
	"fmt"

	"github.com/convertd/convertd/internal/printable"
)

func Example() {
	fmt.Println(printable.Text("plain, \x1b[31mred, \u202etxt.exe"))
	fmt.Println(printable.Line("one\nline"))
	// Output:
	// plain, \x1b[31mred, \u202etxt.exe
	// one\x0aline
}
