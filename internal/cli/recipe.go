package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/printable"
	"github.com/convertd/convertd/internal/recipe"
)

// Recipe reads the arguments of convertd pipeline, RECIPE [FILE ...], and returns the request body, its steps and the names
// of the input files. The body has an input only if the recipe is a file that has one. A recipe is
//
//   - a recipe link, or the part of it after the #,
//   - the name of a JSON file with a pipeline request, with or without an input,
//   - steps, TOOL[,OPTION:VALUE]..., one argument each, with : or = before VALUE.
//
// The steps of a link and of arguments have the ids 1, 2 and so on.
func Recipe(c *contract.Contract, args []string) (body map[string]any, steps []contract.Step, files []string, err error) {
	steps, rest, err := leadingSteps(c, args)
	if err != nil || len(steps) > 0 {
		return fromSteps(steps), steps, rest, err
	}
	_, fragment, isLink := strings.Cut(args[0], "#")
	if !isLink {
		fragment = args[0]
	}
	if isLink || strings.HasPrefix(fragment, "r=") {
		steps, err = recipe.Parse(c, fragment)
		return fromSteps(steps), steps, args[1:], usage(err)
	}
	body, steps, err = fromFile(c, args[0])
	return body, steps, args[1:], err
}

// leadingSteps parses the arguments that begin with the name of a tool, or with
// a misspelt one unless there is a file of that name.
func leadingSteps(c *contract.Contract, args []string) (steps []contract.Step, rest []string, err error) {
	for i, arg := range args {
		fields := strings.Split(arg, ",")
		if c.Tool(fields[0]) == nil {
			near := Closest(fields[0], c.ToolNames())
			if _, err := os.Stat(arg); err == nil || len(near) == 0 || strings.ContainsAny(fields[0], "/.#") {
				return steps, args[i:], nil
			}
		}
		for j, field := range fields {
			if at := strings.IndexAny(field, ":="); at >= 0 && j > 0 {
				fields[j] = field[:at] + ":" + field[at+1:]
			}
		}
		step, wrong := recipe.ParseStep(c, strings.Join(fields, ","))
		if wrong != nil {
			return nil, nil, explainStep(c, i+1, wrong)
		}
		steps = append(steps, step)
	}
	return steps, nil, nil
}

// explainStep says what is wrong with a step that was typed as an argument.
func explainStep(c *contract.Contract, number int, wrong *recipe.StepError) error {
	name := printable.Line(wrong.Name)
	switch wrong.Fault {
	case recipe.UnknownTool:
		return fmt.Errorf("step %d: unknown tool %s%s", number, name, DidYouMean("", wrong.Name, c.ToolNames()))
	case recipe.UnknownOption:
		var names []string
		for _, o := range wrong.Tool.Options {
			names = append(names, o.Name)
		}
		suggestion := DidYouMean("", wrong.Name, names)
		if suggestion == "" && names != nil {
			suggestion = "; it has " + strings.Join(names, ", ")
		}
		return fmt.Errorf("step %d: %s has no option %s%s", number, wrong.Tool.Name, name, suggestion)
	case recipe.RepeatedOption:
		return fmt.Errorf("step %d: the option %s is repeated", number, name)
	case recipe.MissingOption:
		return fmt.Errorf("step %d: the option %s is missing; write %s,%s:VALUE, where VALUE is one of %s",
			number, name, wrong.Tool.Name, name, strings.Join(wrong.Option().Enum, ", "))
	}
	return fmt.Errorf("step %d: %s %w", number, name, CheckValue(*wrong.Option(), wrong.Value))
}

// CheckValue says why an option cannot have a value, nil if it can.
func CheckValue(o contract.Option, value string) error {
	shown := strconv.Quote(value)
	if o.Integer {
		if n, err := strconv.Atoi(value); err != nil || n < o.Minimum || n > o.Maximum {
			return fmt.Errorf("must be a whole number from %d to %d, not %s", o.Minimum, o.Maximum, shown)
		}
		return nil
	}
	return OneOf(value, o.Enum)
}

// OneOf says that a word is not one of a list, nil if it is.
func OneOf(word string, list []string) error {
	if slices.Contains(list, word) {
		return nil
	}
	meant := word
	if unit := units[word]; slices.Contains(list, unit) {
		meant = unit
	}
	return fmt.Errorf("must be one of %s, not %q%s", strings.Join(list, ", "), word, DidYouMean("", meant, list))
}

// units are the symbols of units of time with their names.
var units = map[string]string{"ms": "milliseconds", "us": "microseconds", "µs": "microseconds", "ns": "nanoseconds"}

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

func fromFile(c *contract.Contract, name string) (map[string]any, []contract.Step, error) {
	if err := CheckDevice(name); err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil && LooksLikeInput(name) {
		return nil, nil, fmt.Errorf("the recipe is missing: %w", ErrNoFile)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the recipe is not a link, a step or a readable file: %w", err)
	}
	value, err := jsondoc.Decode(string(text))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, usage(err))
	}
	body, _ := value.(map[string]any)
	if body["steps"] == nil {
		return nil, nil, fmt.Errorf("%s is not a recipe, which is a JSON object with version and steps", Shown(name))
	}
	again, _ := jsondoc.Decode(string(text)) // Bind changes options
	steps, err := bindFile(c, again.(map[string]any))
	if err != nil {
		err = fmt.Errorf("%s: %w", Shown(name), err)
	}
	return body, steps, err
}

// bindFile returns the steps of the recipe in a file, or an error that says what is wrong with them. What is wrong with an
// input is reported with the input.
func bindFile(c *contract.Contract, body map[string]any) ([]contract.Step, error) {
	steps, _ := body["steps"].([]any)
	for i, item := range steps {
		step, _ := item.(map[string]any)
		name, isName := step["tool"].(string)
		tool := c.Tool(name)
		if isName && tool == nil {
			return nil, explainStep(c, i+1, &recipe.StepError{Fault: recipe.UnknownTool, Name: name})
		}
		options, _ := step["options"].(map[string]any)
		for _, option := range slices.Sorted(maps.Keys(options)) {
			if tool != nil && !slices.ContainsFunc(tool.Options, func(o contract.Option) bool { return o.Name == option }) {
				return nil, explainStep(c, i+1, &recipe.StepError{Fault: recipe.UnknownOption, Tool: tool, Name: option})
			}
		}
	}
	call, failure := c.Bind(contract.Pipeline, Request{Body: body}.with(convert.Artifact{MediaType: "text/plain"}))
	if failure == nil {
		return call.Steps, nil
	}
	keys := strings.Split(*failure.Path, "/")[1:]
	at := strings.Join(keys, " ")
	if len(keys) > 1 && keys[0] == "steps" {
		i, _ := strconv.Atoi(keys[1])
		at = strings.TrimSpace(fmt.Sprintf("step %d %s", i+1, strings.Join(keys[2:], " ")))
	}
	return nil, fmt.Errorf("%s: %w", printable.Line(at), usage(failure))
}

// usage returns a failure as an error of an argument.
func usage(err error) error {
	var f *convert.Failure
	if errors.As(err, &f) {
		return errors.New(f.Detail + " " + f.Hint)
	}
	return err
}

// Input returns the input of a pipeline request, if it has one.
func Input(body map[string]any) (mediaType, value string, ok bool) {
	input, ok := body["input"].(map[string]any)
	mediaType, _ = input["mediaType"].(string)
	value, _ = input["value"].(string)
	return mediaType, value, ok
}
