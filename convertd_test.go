package convertd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/convertd/convertd"
	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/test/places"
)

// call is a named call of the package.
type call struct {
	name string
	do   func(ctx context.Context) (*convertd.Result, error)
}

// calls returns the cases of all tools as calls of the package.
func calls(t testing.TB) (all []call) {
	t.Helper()
	document := check.Value(contract.Load())(t)
	for _, tool := range document.Tools() {
		for _, c := range converttest.Load(t, "internal/tools/"+strings.ReplaceAll(tool.Name, "_", "")+"/testdata/cases.yaml") {
			if c.MediaType == "" {
				c.MediaType = tool.Accepts[0]
			}
			input, step := convertd.Artifact{MediaType: c.MediaType, Value: c.Input}, convertd.Step{Options: places.Options(t, tool.Name, c.Options)}
			all = append(all, call{tool.Name + "/" + c.Name, func(ctx context.Context) (*convertd.Result, error) {
				return convertd.Pipeline(ctx, input, []convertd.Step{step})
			}})
		}
	}
	slices.SortFunc(all, func(a, b call) int { return strings.Compare(a.name, b.name) })
	return all
}

// TestDeterministicAndConcurrent checks that concurrent calls have the results of single ones. Run it with -race.
func TestDeterministicAndConcurrent(t *testing.T) {
	all := calls(t)
	if len(all) < 300 {
		t.Fatalf("only %d cases", len(all))
	}
	type outcome struct {
		result *convertd.Result
		err    error
	}
	first := make([]outcome, len(all))
	for i, c := range all {
		first[i].result, first[i].err = c.do(t.Context())
		if _, refused := errors.AsType[*convertd.Problem](first[i].err); first[i].err != nil && !refused {
			t.Errorf("%s: %T %v", c.name, first[i].err, first[i].err)
		}
	}
	var wait sync.WaitGroup
	for worker := range 3 {
		wait.Go(func() {
			order := rand.New(rand.NewPCG(uint64(worker), 16)).Perm(len(all))
			for _, i := range order {
				var again outcome
				again.result, again.err = all[i].do(t.Context())
				if !reflect.DeepEqual(first[i], again) {
					t.Errorf("%s: %+v and %+v", all[i].name, first[i], again)
				}
			}
		})
	}
	wait.Wait()
	refused := 0
	for _, one := range first {
		if one.err != nil {
			refused++
		}
	}
	if refused == 0 || refused > len(all)*3/4 {
		t.Errorf("%d of %d cases are refused", refused, len(all))
	}
}

// TestBounded checks that inputs that expand to far more than their size are rejected after a bounded number of
// allocated bytes, and that a setting lowers the bound.
func TestBounded(t *testing.T) {
	aliases := "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\nx-a: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c < 'z'; c++ {
		aliases += fmt.Sprintf("x-%c: &%c [%s]\n", c, c, strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9)+fmt.Sprintf("*%c", c-1))
	}
	deep := strings.Repeat("[", 200) + strings.Repeat("]", 200)
	wide := "[" + strings.Repeat(deep+",", 2000) + "1]"
	for name, do := range map[string]func() error{
		"aliases": func() error {
			_, err := convertd.APIConvert(t.Context(), convertd.Artifact{MediaType: convertd.MediaTypeYAML, Value: aliases}, convertd.APIConvertOptions{Target: convertd.APIConvertTargetOpenAPI30JSON})
			return err
		},
		"indentation": func() error {
			_, err := convertd.JSONFormat(t.Context(), wide, convertd.JSONFormatOptions{Indent: new(8)})
			return err
		},
		"digits": func() error {
			_, err := convertd.TimestampToISO(t.Context(), strings.Repeat("9", 1<<20), convertd.TimestampToISOOptions{Unit: convertd.TimestampUnitSeconds})
			return err
		},
		"an output over a setting": func() error {
			_, err := convertd.JSONFormat(t.Context(), "[1,2,3]", convertd.JSONFormatOptions{}, convertd.WithMaxOutput(8))
			return err
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := do()
		runtime.ReadMemStats(&after)
		if _, refused := errors.AsType[*convertd.Problem](err); !refused {
			t.Errorf("%s: not refused: %v", name, err)
		}
		if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 150 {
			t.Errorf("%s: %d MiB were allocated", name, allocated)
		}
	}
	large := "[" + strings.Repeat("1,", 4<<20) + "1]"
	result, err := convertd.JSONFormat(t.Context(), large, convertd.JSONFormatOptions{Indent: new(0)}, convertd.WithMaxInput(16<<20), convertd.WithMaxOutput(16<<20))
	if err != nil || result.Output.Value != large {
		t.Errorf("8 MiB with settings that allow it: %v", err)
	}
}

// TestSettings checks extreme values of the settings.
func TestSettings(t *testing.T) {
	most := []convertd.Setting{{}, convertd.WithMaxInput(math.MaxInt), convertd.WithMaxOutput(math.MaxInt)}
	if result, err := convertd.JSONFormat(t.Context(), "[1]", convertd.JSONFormatOptions{Indent: new(0)}, most...); err != nil || result.Output.Value != "[1]" {
		t.Errorf("a tool: %v %v", result, err)
	}
	curl := convertd.Artifact{MediaType: convertd.MediaTypeText, Value: "curl https://api.example/a"}
	steps := []convertd.Step{{Options: convertd.APIConvertOptions{Target: convertd.APIConvertTargetPostman21}}, {Options: convertd.JSONToYAMLOptions{}}}
	if result, err := convertd.Pipeline(t.Context(), curl, steps, most...); err != nil || result.Output.Value == "" {
		t.Errorf("a pipeline: %v %v", result, err)
	}
	for _, set := range []convertd.Setting{convertd.WithMaxInput(0), convertd.WithMaxInput(math.MinInt), convertd.WithMaxOutput(0), convertd.WithMaxOutput(math.MinInt)} {
		_, err := convertd.JSONFormat(t.Context(), "[1]", convertd.JSONFormatOptions{}, set)
		if p, refused := errors.AsType[*convertd.Problem](err); !refused || strings.Contains(p.Detail, "-") {
			t.Errorf("%v", err)
		}
	}
}

// TestContext checks that a call ends with its context and returns its error.
func TestContext(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := convertd.JSONFormat(gone, "1", convertd.JSONFormatOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	late, cancel := context.WithTimeout(t.Context(), -time.Second)
	defer cancel()
	_, err := convertd.Pipeline(late, convertd.Artifact{MediaType: convertd.MediaTypeJSON, Value: "1"}, []convertd.Step{{Options: convertd.JSONFormatOptions{}}})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("too late: %v", err)
	}
}

func TestProblems(t *testing.T) {
	input := convertd.Artifact{MediaType: convertd.MediaTypeJSON, Value: "[1]"}
	for name, test := range map[string]struct {
		steps      []convertd.Step
		value      string
		code       convertd.Code
		path, step string
	}{
		"a number out of its range": {[]convertd.Step{{Options: convertd.JSONFormatOptions{Indent: new(9)}}}, "1", convertd.CodeSchemaViolation, "/steps/0/options/indent", ""},
		"no steps":                  {nil, "1", convertd.CodeSchemaViolation, "/steps", ""},
		"a step without options":    {[]convertd.Step{{}}, "1", convertd.CodeSchemaViolation, "/steps/0/tool", ""},
		"an id twice":               {[]convertd.Step{{Options: convertd.JSONFormatOptions{}}, {ID: "1", Options: convertd.JSONFormatOptions{}}}, "1", convertd.CodeDuplicateStepID, "/steps/1/id", "1"},
		"a chain that breaks":       {[]convertd.Step{{Options: convertd.JSONToYAMLOptions{}}, {ID: "b", Options: convertd.JSONFormatOptions{}}}, "1", convertd.CodeMediaTypeMismatch, "/steps/1/tool", "b"},
		"no target":                 {[]convertd.Step{{Options: convertd.APIConvertOptions{}}}, "1", convertd.CodeSchemaViolation, "/steps/0/options/target", ""},
		"bytes that are no text":    {[]convertd.Step{{Options: convertd.JSONFormatOptions{}}}, "[\"\xff\"]", convertd.CodeMalformedJSON, "/input/value", ""},
		"a text that is no JSON":    {[]convertd.Step{{Options: convertd.JSONFormatOptions{}}}, "[01]", convertd.CodeInvalidJSON, "/input/value", "1"},
	} {
		input.Value = test.value
		_, err := convertd.Pipeline(t.Context(), input, test.steps)
		p, refused := errors.AsType[*convertd.Problem](err)
		if !refused || p.Code != test.code || p.Path != test.path || p.Step != test.step || p.Title == "" || p.Hint == "" {
			t.Errorf("%s: %+v", name, err)
		}
	}
	if _, err := convertd.ParseRecipe("r=1&s=nothing"); err == nil {
		t.Error("a recipe of nothing is read")
	}
}

// TestMediaTypes checks that the package has a constant for each media type.
func TestMediaTypes(t *testing.T) {
	c := check.Value(contract.Load())(t)
	known := map[string]bool{}
	for _, tool := range c.Tools() {
		for _, mediaType := range slices.Concat(tool.Accepts, tool.Produces) {
			known[mediaType] = true
		}
	}
	for _, mediaType := range []string{convertd.MediaTypeJSON, convertd.MediaTypeYAML, convertd.MediaTypeJWT, convertd.MediaTypeText} {
		if !known[mediaType] {
			t.Errorf("no tool accepts or produces %s", mediaType)
		}
		delete(known, mediaType)
	}
	if len(known) > 0 {
		t.Errorf("add constants to convertd.go for %v", known)
	}
}

// TestImports checks that the package depends on few modules, and on nothing of the service.
func TestImports(t *testing.T) {
	check.SkipUnderWine(t, "has no go command")
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{.ImportPath}} {{if .Module}}{{.Module.Path}}{{end}}", ".").Output()
	check.OK(t, err)
	modules := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		path, module, _ := strings.Cut(strings.TrimSpace(line), " ")
		modules[module] = true
		for _, heavy := range []string{"net", "net/http", "os/exec", "crypto/tls", "github.com/convertd/convertd/internal/server", "github.com/convertd/convertd/gen/client"} {
			if path == heavy {
				t.Errorf("the package pulls in %s", path)
			}
		}
	}
	delete(modules, "")
	if len(modules) != 1 { // its own
		t.Errorf("the package pulls in %d modules: %v", len(modules), modules)
	}
	for _, of := range []string{"opentelemetry", "redis", "prometheus", "modelcontextprotocol", "kin-openapi", "cobra", "chi"} {
		for module := range modules {
			if strings.Contains(module, of) {
				t.Errorf("the package pulls in %s", module)
			}
		}
	}
}
