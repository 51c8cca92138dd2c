package attack

import (
	"context"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// worst are the costliest trials, before conversions had a budget and since.
var worst = []string{
	"openapi-3.1/path item of parameters/paths (half) 128K to curl",
	"openapi-3.1/path item of parameters/paths (half) 1020K to postman-2.1",
	"openapi-yaml/response of headers/path item of paths (half) 128K to curl",
	"openapi-3.0/response of media types/path item of paths (half) 16K to postman-2.1",
	"openapi-3.2/schema of references to one/parameters' schemas (half) 128K to curl",
	"yaml-alias/path item of parameters with examples/paths of short names (half) 16K to postman-2.1",
	"swagger-2.0/consumes of schemas/paths (half) 1020K to openapi-3.1-json",
	"swagger-2.0/headers of a response/path item of the first path (half) 128K to postman-2.1",
	"postman-2.1/an auth/one path: names (half) 128K to openapi-3.1-json",
	"postman-2.0/variables that double/bodies (half) 1020K to curl",
	"postman-yaml/items/aliases (small) 16K to openapi-3.0-yaml",
	"shell/itself/a path for each body (half) 1020K to openapi-3.0-yaml",
	"shell/itself/paths of variables (half) 1020K to openapi-3.1-json",
	"shell/a variable of parameters/data as a query (half) 16K to openapi-3.0-json",
	"shell/cookies/one command: URLs (small) 16K to openapi-3.0-json",
	"shell/queries/one command: URLs (half) 128K to openapi-3.1-json",
}

func worstBodies(t *testing.T) (bodies []string) {
	t.Helper()
	for _, name := range worst {
		bodies = append(bodies, readTrial(t, name).body())
	}
	return bodies
}

// shippedUnit reads the memory limit and the environment of the systemd unit in deploy/.
func shippedUnit(t *testing.T) (memoryMax int, environment []string) {
	t.Helper()
	text := check.Value(os.ReadFile("../../deploy/systemd/convertd.service"))(t)
	most := regexp.MustCompile(`(?m)^MemoryMax=(\d+)M$`).FindSubmatch(text)
	if most == nil {
		t.Fatal("the unit has no MemoryMax")
	}
	memoryMax, _ = strconv.Atoi(string(most[1]))
	for _, e := range regexp.MustCompile(`(?m)^Environment=(\S+)$`).FindAllSubmatch(text, -1) {
		environment = append(environment, string(e[1]))
	}
	return memoryMax << 20, environment
}

const callers = 16

// shipped starts the service as the unit runs it and returns its memory limit.
func shipped(t *testing.T, args ...string) (*target, int) {
	t.Helper()
	limit, environment := shippedUnit(t)
	for _, e := range environment {
		name, value, _ := strings.Cut(e, "=")
		t.Setenv(name, value)
	}
	return attack(t, append([]string{"--rate-limit=0"}, args...)...), limit
}

// TestMultiplyTogether checks that the shipped unit stays within its memory under many concurrent calls with the worst
// documents, and that small calls are converted meanwhile.
func TestMultiplyTogether(t *testing.T) {
	daemon.SecondTier(t)
	s, limit := shipped(t)
	enough := int64(2 * len(worst))
	if *everything {
		enough *= 20
	}
	calls := s.swarm(t, callers, "/v1/tools/api_convert", worstBodies(t)...)
	s.callBeside(t, 50, func() bool { return calls.answered.Load() >= enough })
	calls.left()
	t.Logf("%d answered, %d shed", calls.answered.Load(), calls.shed.Load())
	if held := s.Held(t); held > limit {
		t.Errorf("held %d MiB, the unit has %d", held>>20, limit>>20)
	}
	s.unharmed(t)
}

// TestMultiplyLeft checks that work ends when the clients that requested it have reset their connections. Each client
// does so while its call runs.
func TestMultiplyLeft(t *testing.T) {
	daemon.SecondTier(t)
	s, _ := shipped(t, "--exec-timeout=5m")
	s.client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		connection, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			err = connection.(*net.TCPConn).SetLinger(0) // Close resets
		}
		return connection, err
	}
	busy := func() float64 { return s.Metric(t, "convertd_work_slots_busy") }
	const metric, code = "convertd_tool_calls_total", `code="client_gone"`
	for round := 1; s.Metric(t, metric, code) < 3; round++ {
		calls := s.swarm(t, callers, "/v1/tools/api_convert", worstBodies(t)...)
		daemon.Await(t, "the calls run", func() bool { return busy() > 0 })
		calls.left()
		daemon.Await(t, "the slots are free", func() bool { return busy() == 0 })
		if round == 100 {
			t.Fatalf("of %d rounds, %v calls ended with their client", round, s.Metric(t, metric, code))
		}
	}
	s.unharmed(t)
}

// TestMultiplyDeadline checks that the worst conversions respect the deadline of a call. A call whose deadline passes
// at once allocates far less than a complete one.
func TestMultiplyDeadline(t *testing.T) {
	patient := attack(t, daemon.Patient...)
	hasty := attack(t, "--rate-limit=0", "--exec-timeout=1ms")
	for _, name := range worst {
		body := readTrial(t, name).body()
		before := hasty.Allocated(t)
		got := hasty.post(t, "/v1/tools/api_convert", body)
		cut := hasty.Allocated(t) - before
		complete := patient.convert(t, body)
		t.Logf("%s: %d of %d MiB, status %d", name, cut>>20, complete.allocated>>20, got.status)
		if got.status != http.StatusServiceUnavailable || 2*cut > complete.allocated {
			t.Errorf("%s: status %d, allocated %d of %d bytes", name, got.status, cut, complete.allocated)
		}
	}
	hasty.unharmed(t)
}
