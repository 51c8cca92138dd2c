package recipe_test

import (
	"fmt"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/recipe"
)

// Only known tools are accepted, and default values are left out.
func Example() {
	c, err := contract.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	steps, err := recipe.Parse(c, "r=1&s=jwt_decode&s=json_to_yaml,indent:2")
	fmt.Println(recipe.Format(steps), err)
	_, err = recipe.Parse(c, "r=1&s=rm")
	fmt.Println(err != nil)
	// Output:
	// r=1&s=jwt_decode&s=json_to_yaml <nil>
	// true
}
