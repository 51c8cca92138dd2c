package apiconvert

import (
	"fmt"
	"os"
	"testing"
)

func TestShow(t *testing.T) {
	if os.Getenv("SHOW") == "" {
		t.Skip()
	}
	r, err := tryCall(os.Getenv("MT"), os.Getenv("SHOW"), os.Getenv("TO"))
	fmt.Println(r.Value)
	for _, w := range r.Warnings {
		fmt.Println("#", w)
	}
	fmt.Println(err)
}
