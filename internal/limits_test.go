package internal

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// thousands writes 1048576 as 1,048,576.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// TestLimitsMatchDocument checks that the limits in documents for people are those of the OpenAPI document. If a
// sentence is reworded, this test changes too.
func TestLimitsMatchDocument(t *testing.T) {
	c := check.Value(contract.Load())(t)
	l := c.Limits()
	mib := func(bytes int) string { return fmt.Sprintf("%d MiB", bytes>>20) }
	request, output, depth := thousands(l.RequestBytes), thousands(l.OutputCharacters), strconv.Itoa(jsondoc.MaxDepth)
	steps, seconds, rate := strconv.Itoa(l.PipelineSteps), strconv.Itoa(l.PipelineSeconds), strconv.Itoa(l.RequestsPerMinute)
	for file, texts := range map[string][]string{
		"../docs/http-api.md": {
			"| Request | " + mib(l.RequestBytes) + " (" + request + " bytes",
			"| Output value | " + output + " characters |",
			"| Nesting | " + depth + " levels",
			"| Pipeline | " + steps + " steps, " + mib(l.PipelineBytes) + " of outputs together, " + seconds + " seconds |",
			"| Anonymous rate | " + rate + " requests a minute for each address (IPv6: /64), " + rate + " at once",
		},
		"../docs/operations.md": {"| `--rate-limit` | `" + rate + "` |"},
		"../docs/tools.md":      {"runs 1 to " + steps + " steps"},
		"../SECURITY.md": {
			"| Request | " + mib(l.RequestBytes) + ";",
			"a pipeline " + seconds + " s and " + steps + " steps; nesting " + depth + ";",
			"output " + strconv.Itoa(l.OutputCharacters>>20) + " Mi characters;",
			rate + " requests a minute for each address",
		},
		"../docs/contract.md": {
			"at most " + request + " bytes (" + mib(l.RequestBytes) + ")",
			"An output value has at most " + output + " characters",
			"There are 1 to " + steps + " steps", "`returnStepIds` are at most " + steps,
			"or not, have at most " + thousands(l.PipelineBytes) + " bytes",
			"A pipeline takes at most " + seconds + " seconds",
			"has " + rate + " requests a minute unless",
			"Nesting is at most " + depth + " levels",
		},
		"../openapi/openapi.yaml": {
			"A request is at most " + mib(l.RequestBytes) + "; an output value is at most " + output + " characters; a pipeline has at most",
			steps + " steps, " + mib(l.PipelineBytes) + " of outputs in total and " + seconds + " seconds",
			"about " + rate + " requests a minute",
			"larger than " + mib(l.RequestBytes) + ".", "deeper than " + depth + " levels", "over " + output + " characters",
		},
	} {
		oneLine := strings.Join(strings.Fields(check.File(t, file)), " ")
		for _, want := range texts {
			if !strings.Contains(oneLine, want) {
				t.Errorf("%s does not say %q", file, want)
			}
		}
	}
	if l.OutputCharacters != convert.MaxOutputCharacters || l.PipelineSteps == 0 {
		t.Errorf("the document: %+v; convert: %d", l, convert.MaxOutputCharacters)
	}
}
