package attack

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/test/daemon"
)

// overloads are calls that arrive in larger numbers than the service can convert within the time that a call may wait.
var overloads = []struct {
	name, path string
	clients    int
	slots      string
	body       string
}{
	{"large calls", "/v1/tools/json_format", 180, "4", hugeBody},
	{"large calls of agents", "/mcp", 180, "4", toolCall("json_to_yaml", hugeBody)},
	{"small calls that become large", "/v1/tools/json_format", 180, "4", toolBody("application/json", strings.Repeat("[", 250)+strings.Repeat("1,", 700)+"1"+strings.Repeat("]", 250), `{"indent":8}`)},
	{"YAML aliases", "/v1/tools/api_convert", 180, "4", toolBody("application/yaml", yamlHead+laughs("[", "]", "*a%d,"), `{"target":"curl"}`)},
	{"small calls", "/v1/tools/json_format", 650, "1", smallBody},
	{"small calls of agents", "/mcp", 650, "1", toolCall("json_format", smallBody)},
}

var (
	hugeBody  = toolBody("application/json", "["+strings.Repeat("1,", 300_000)+"1]", "")
	smallBody = toolBody("application/json", "["+strings.Repeat("1,", 16_000)+"1]", `{"indent":0}`) // as large as a small call may be
)

// toolCall is a request to call a tool, in the revisions before 2026-07-28.
func toolCall(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

// TestOverload checks that calls beyond what the service can convert are shed with 503 and Retry-After, that the others
// are converted, and that memory stays bounded.
func TestOverload(t *testing.T) {
	daemon.SecondTier(t)
	for _, test := range overloads {
		t.Run(test.name, func(t *testing.T) {
			s := attack(t, "--rate-limit=0", "--queue-wait=100ms", "--work-slots="+test.slots)
			calls := s.swarm(t, test.clients, test.path, test.body)
			s.callBeside(t, 20, func() bool { return calls.shed.Load() >= 100 && calls.answered.Load() >= 20 })
			calls.left()
			t.Logf("%d answered, %d shed", calls.answered.Load(), calls.shed.Load())
			s.unharmed(t)
			s.releasesMemory(t)
		})
	}
}
