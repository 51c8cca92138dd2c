package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/recipe"
)

// Recipe reads the arguments of convertd pipeline, RECIPE [FILE ...], and
// returns the request body, without an input unless the recipe is a file that
// has one, and the names of the inputs' files. A recipe is
//
//   - a recipe link, or its part behind the #,
//   - the name of a file with a pipeline request in JSON, its input optional,
//   - steps, TOOL[,OPTION:VALUE]…, each an argument of its own.
//
// The steps of a link and of arguments have the ids 1, 2 and so on.
func Recipe(c *contract.Contract, args []string) (body map[string]any, files []string, err error) {
	steps, rest, err := leadingSteps(c, args)
	switch {
	case err != nil:
		return nil, nil, err
	case len(steps) > 0:
		body = fromSteps(steps)
	default:
		_, fragment, isLink := strings.Cut(args[0], "#")
		if !isLink {
			fragment = args[0]
		}
		if isLink || strings.HasPrefix(fragment, "r=") {
			body, err = fromLink(c, fragment)
		} else {
			body, err = fromFile(args[0])
		}
		if err != nil {
			return nil, nil, err
		}
		rest = args[1:]
	}
	return body, rest, nil
}

// leadingSteps takes arguments while they begin with the name of a tool.
func leadingSteps(c *contract.Contract, args []string) (steps []contract.Step, rest []string, err error) {
	for i, arg := range args {
		name, _, _ := strings.Cut(arg, ",")
		if c.Tool(name) == nil {
			return steps, args[i:], nil
		}
		step, err := recipe.ParseStep(c, arg, i+1)
		if err != nil {
			return nil, nil, usage(err)
		}
		steps = append(steps, step)
	}
	return steps, nil, nil
}

func fromLink(c *contract.Contract, fragment string) (map[string]any, error) {
	steps, err := recipe.Parse(c, fragment)
	if err != nil {
		return nil, usage(err)
	}
	return fromSteps(steps), nil
}

func fromSteps(steps []contract.Step) map[string]any {
	list := make([]any, len(steps))
	for i, step := range steps {
		options := map[string]any{}
		for name, value := range step.Options {
			options[name] = Scalar(value)
		}
		list[i] = map[string]any{"id": strconv.Itoa(i + 1), "tool": step.Tool.Name, "options": options}
	}
	return map[string]any{"version": json.Number("1"), "steps": list}
}

// Scalar returns an option's value as contract.Bind takes it.
func Scalar(value any) any {
	if n, ok := value.(int); ok {
		return json.Number(strconv.Itoa(n))
	}
	return value
}

func fromFile(name string) (map[string]any, error) {
	text, err := os.ReadFile(name)
	if err != nil && LooksLikeInput(name) {
		return nil, fmt.Errorf("the recipe is missing: %w", ErrNoFile)
	}
	if err != nil {
		return nil, fmt.Errorf("the recipe is neither a link, nor a step, nor a file that can be read: %w", err)
	}
	value, err := jsondoc.Decode(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, usage(err))
	}
	body, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s: a pipeline is a JSON object with version and steps", name)
	}
	return body, nil
}

// usage turns a refusal of an argument into an error of the command line.
func usage(err error) error {
	var f *convert.Failure
	if errors.As(err, &f) {
		return errors.New(f.Detail + " " + f.Hint)
	}
	return err
}

// Input returns the member input of a pipeline request that has a readable
// one.
func Input(body map[string]any) (mediaType, value string, ok bool) {
	input, ok := body["input"].(map[string]any)
	mediaType, _ = input["mediaType"].(string)
	value, _ = input["value"].(string)
	return mediaType, value, ok
}

// Ends returns the tools of a pipeline request's first and last step, nil where
// there is none that is known, and the last one's options as they were given.
func Ends(c *contract.Contract, body map[string]any) (first, last *contract.Tool, options map[string]any) {
	steps, _ := body["steps"].([]any)
	if len(steps) == 0 {
		return nil, nil, nil
	}
	toolOf := func(i int) (*contract.Tool, map[string]any) {
		step, _ := steps[i].(map[string]any)
		name, _ := step["tool"].(string)
		options, _ := step["options"].(map[string]any)
		return c.Tool(name), options
	}
	first, _ = toolOf(0)
	last, options = toolOf(len(steps) - 1)
	return first, last, options
}
