package placeholder

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

var (
	hostLabel = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?$`)
	hostPort  = regexp.MustCompile(`^(?:80|443)$`)
)

// FuzzHost checks that the variables of a URL have valid names and values.
func FuzzHost(f *testing.F) {
	for _, url := range []string{"MEILISEARCH_URL", "http://HOST:PORT/x", "https://a-<b c>.[d]:<e>", "__HOST__", "https://u:p@YOUR_X.com", "{{a}}:PORT"} {
		f.Add(url)
	}
	f.Fuzz(func(t *testing.T, url string) {
		_, variables := Host(url)
		for _, v := range variables {
			if !request.VariableName(v.Name) || v.Value != "" && !hostLabel.MatchString(v.Value) && !hostPort.MatchString(v.Value) {
				t.Errorf("%q has the variable %q with the value %q", url, v.Name, v.Value)
			}
		}
		_ = Segment(url)
	})
}

// Hosts that are too long for a name have no placeholders: each is compared with all others.
func TestLongHost(t *testing.T) {
	url := "http://"
	for i := range 1000 {
		url += fmt.Sprintf("<a%d>", i)
	}
	if got, variables := Host(url); got != url || variables != nil {
		t.Errorf("%d variables", len(variables))
	}
}
