package attack

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// hostileRecipe is a recipe that must be rejected: Text, then Piece repeated
// Times times. test/browser opens the same ones.
type hostileRecipe struct {
	Name, Text, Piece string
	Times             int
}

// longestArgument is the longest argument that Linux accepts (MAX_ARG_STRLEN),
// minus the part of the link before the recipe.
const longestArgument = 128<<10 - 100

// TestRecipes checks that the command line rejects each hostile recipe, as a link and bare, as a usage error, that the
// message contains none of it, and that no input is read.
// Rule: LINK-4.
func TestRecipes(t *testing.T) {
	var recipes []hostileRecipe
	converttest.Data(t, "testdata/recipes.json", &recipes)
	for _, r := range recipes {
		recipe := r.Text + strings.Repeat(r.Piece, r.Times)
		if len(recipe) > longestArgument {
			recipe = recipe[:longestArgument]
		}
		links := []string{"https://convert.example.com/editor#" + recipe}
		if strings.HasPrefix(recipe, "r=") && !strings.Contains(recipe, "#") {
			links = append(links, recipe)
		}
		for _, link := range links {
			var out, errs bytes.Buffer
			command := exec.Command(binary, "pipeline", link)
			command.Stdin, command.Stdout, command.Stderr = strings.NewReader("[1]"), &out, &errs
			err := command.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 2 {
				t.Errorf("%s: %v %s", r.Name, err, errs.String())
				continue
			}
			output := errs.String()
			if out.Len() != 0 || len(output) > 400 || !strings.HasPrefix(output, "convertd: ") || strings.Contains(output, marker) ||
				strings.ContainsAny(output, "\x00\x1b\u202e\ufffd<") || strings.Contains(output, "__proto__") {
				t.Errorf("%s: %.500q, output %.100q", r.Name, output, out.String())
			}
		}
	}
}
