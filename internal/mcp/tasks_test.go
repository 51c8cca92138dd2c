package mcp

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools"
)

// task is an entry of testdata/agents/tasks.yaml.
type task struct {
	Name, Tool, Arguments, Want string
	Knows                       map[string]any
	Fix                         []struct{ Hint, Old, New string }
}

// TestAgentTasks solves tasks with a client that follows hints and does nothing else. A hint that it does not
// understand, or that does not help, fails the test.
func TestAgentTasks(t *testing.T) {
	var tasks []task
	converttest.Data(t, "testdata/agents/tasks.yaml", &tasks)
	if len(tasks) < 25 {
		t.Errorf("only %d tasks", len(tasks))
	}
	url := serve(t, newServer(t, tools.All())).URL
	for _, task := range tasks {
		t.Run(task.Name, func(t *testing.T) { solve(t, url, task) })
	}
}

// hinted is what a client reads of a problem document.
type hinted struct{ Code, Detail, Hint, Path string }

func solve(t *testing.T, url string, task task) {
	var arguments map[string]any
	check.JSON(t, task.Arguments, &arguments)
	for round := range 5 {
		sent, _ := json.Marshal(arguments)
		got := callTool(t, url, task.Tool, string(sent))
		if !got.Result.IsError {
			var success struct{ Output struct{ Value string } }
			if err := json.Unmarshal([]byte(got.Result.Content[0].Text), &success); err != nil || round == 0 || !strings.Contains(success.Output.Value, task.Want) {
				t.Errorf("after %d hints: %v: %s", round, err, got.Result.Content[0].Text)
			}
			return
		}
		var problem hinted
		check.JSON(t, got.Result.Content[0].Text, &problem)
		problem.Hint = strings.TrimSuffix(problem.Hint, contract.DoNotRetry)
		t.Logf("%s -> %s: %s", sent, problem.Code, problem.Hint)
		if !task.follow(arguments, problem) {
			if task.Want != "cannot" || !strings.Contains(problem.Hint, "this service cannot convert") {
				t.Errorf("the hint does not say what to do")
			}
			return
		}
	}
	t.Error("still refused after five hints")
}

var (
	addition = regexp.MustCompile(`(?s)^Add "(\w+)": (.*?)\.(?: \w+ is one of .*)?$`)
	setting  = regexp.MustCompile(`^Set options\.(\w+) (?:of the step before )?to ([\w.-]+)`)
	number   = regexp.MustCompile(`^Send (?:an integer |a number )?(?:from )?(-?\d+)(?: to (-?\d+))?`)
	label    = regexp.MustCompile(`^If the input is (.+), set input\.mediaType to that`)
)

// follow changes the arguments as a hint says, and reports whether it understood the hint.
func (k task) follow(arguments map[string]any, p hinted) bool {
	for _, fix := range k.Fix {
		if strings.Contains(p.Hint, fix.Hint) {
			input := arguments["input"].(map[string]any)
			input["value"] = strings.Replace(input["value"].(string), fix.Old, fix.New, 1)
			return true
		}
	}
	path := strings.Split(strings.TrimPrefix(p.Path, "/"), "/")
	name := path[len(path)-1]
	steps, _ := arguments["steps"].([]any)
	step := 0
	if len(path) > 1 && path[0] == "steps" {
		step, _ = strconv.Atoi(path[1])
	}
	switch {
	case addition.MatchString(p.Hint):
		match := addition.FindStringSubmatch(p.Hint)
		at(arguments, path[:len(path)-1])[match[1]] = k.shown(match[1], match[2])
	case strings.HasPrefix(p.Hint, "Swap the two steps"):
		steps[step-1], steps[step] = steps[step], steps[step-1]
	case strings.HasPrefix(p.Hint, "End the pipeline with the step before"):
		arguments["steps"] = steps[:step]
	case setting.MatchString(p.Hint):
		match := setting.FindStringSubmatch(p.Hint)
		of, value := arguments, k.Knows[match[1]]
		if value == nil {
			of, value = steps[step-1].(map[string]any), any(match[2])
		}
		if of["options"] == nil {
			of["options"] = map[string]any{}
		}
		of["options"].(map[string]any)[match[1]] = value
	case label.MatchString(p.Hint):
		kinds := strings.Split(label.FindStringSubmatch(p.Hint)[1], " or ")
		kind, _ := k.Knows["kind"].(string)
		if !slices.Contains(kinds, kind) {
			return false
		}
		arguments["input"].(map[string]any)["mediaType"] = kind
	case strings.HasPrefix(p.Hint, "Remove it"), strings.HasPrefix(p.Hint, "Remove them"):
		_, allowed, _ := strings.Cut(p.Detail, "allowed: ")
		allowed, _, _ = strings.Cut(allowed, ".")
		object := at(arguments, path)
		for member := range object {
			if !slices.Contains(strings.Split(allowed, ", "), member) {
				delete(object, member)
			}
		}
	case strings.HasPrefix(p.Hint, "Give each step a unique id"):
		steps[step].(map[string]any)["id"] = "another"
	case strings.HasPrefix(p.Hint, "Use only ids of steps"):
		all := arguments["returnStepIds"].([]any)
		i, _ := strconv.Atoi(name)
		arguments["returnStepIds"] = slices.Delete(all, i, i+1)
	case number.MatchString(p.Hint):
		at(arguments, path[:len(path)-1])[name] = nearest(number.FindStringSubmatch(p.Hint), at(arguments, path[:len(path)-1])[name], k.Knows[name])
	case strings.Contains(p.Hint, "one of the") && k.Knows[name] != nil && strings.Contains(p.Detail, k.Knows[name].(string)):
		at(arguments, path[:len(path)-1])[name] = k.Knows[name]
	default:
		return false
	}
	return true
}

// shown returns the value that a hint shows for a property. It replaces the
// ellipsis, and values that are the client's choice, by what the client knows.
func (k task) shown(name, text string) any {
	if known, ok := k.Knows[name]; ok {
		return known
	}
	var value any
	if known, ok := k.Knows["value"].(string); ok {
		quoted, _ := json.Marshal(known)
		text = strings.ReplaceAll(text, `"…"`, string(quoted))
	}
	_ = json.Unmarshal([]byte(text), &value)
	if object, ok := value.(map[string]any); ok {
		for member := range object {
			if known, ok := k.Knows[member]; ok {
				object[member] = known
			}
		}
	}
	return value
}

// at returns the object at a path.
func at(arguments map[string]any, path []string) map[string]any {
	value := any(arguments)
	for _, name := range path {
		if name == "" {
			continue
		}
		if list, ok := value.([]any); ok {
			i, _ := strconv.Atoi(name)
			value = list[i]
		} else {
			value = value.(map[string]any)[name]
		}
	}
	return value.(map[string]any)
}

// nearest returns the number within the range of a hint that is nearest to the
// one sent, or the one that the client knows.
func nearest(match []string, sent, known any) any {
	if known != nil {
		return known
	}
	low, _ := strconv.Atoi(match[1])
	high := low
	if match[2] != "" {
		high, _ = strconv.Atoi(match[2])
	}
	n, _ := sent.(float64)
	return min(max(int(n), low), high)
}
