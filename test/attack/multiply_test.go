package attack

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/multiply"
)

var (
	everything = flag.Bool("everything", false, "try every multiplying document, not a sample, and call the worst for longer")
	only       = flag.String("only", "", "try the multiplying documents whose trial matches this regular expression")
	keep       = flag.String("keep", "", "write the multiplying documents that exceed a bound to this folder")
)

// trial is the conversion of a multiplying document of some size to a target.
type trial struct {
	multiply.Document
	size   int // of the request's value, in bytes
	split  multiply.Split
	target string
}

// String returns the name of a trial, which readTrial parses.
func (t trial) String() string {
	return fmt.Sprintf("%s (%s) %dK to %s", t.Name(), t.split.Name, t.size>>10, t.target)
}

// body returns the request, with a smaller document if it would exceed a request's limit.
func (t trial) body() string {
	for size := t.size; ; size -= size / 64 {
		body := toolBody(t.MediaType, t.Text(size, t.split), `{"target":"`+t.target+`"}`)
		if len(body) <= 1<<20 {
			return body
		}
	}
}

const (
	smallScale  = 16 << 10
	middleScale = 128 << 10
	largeScale  = 1<<20 - 4096
)

// targets returns the formats that api_convert converts to.
func targets(t testing.TB) []string {
	t.Helper()
	c := check.Value(contract.Load())(t)
	for _, option := range c.Tool("api_convert").Options {
		if option.Name == "target" {
			return option.Enum
		}
	}
	t.Fatal("api_convert has no option target")
	return nil
}

// trials returns what to try. A pair of a share and a referrer exists in several formats; a hash of its name selects
// the format, the split and the target. The complete list has each pair with each target at the small scale, each
// document at the middle scale and each pair at the large scale. The sample has every other pair at the small scale,
// and a few at the others.
func trials(t testing.TB, everything bool) []trial {
	t.Helper()
	all, split := targets(t), multiply.Splits
	var order []string
	pairs := map[string][]multiply.Document{}
	for _, d := range multiply.Documents() {
		pair := d.Share + "/" + d.Referrer
		if pairs[pair] == nil {
			order = append(order, pair)
		}
		pairs[pair] = append(pairs[pair], d)
	}
	var list []trial
	for i, pair := range order {
		hash := fnv.New32a()
		hash.Write([]byte(pair))
		h := int(hash.Sum32() >> 1)
		in := func(i int) multiply.Document { return pairs[pair][(h+i)%len(pairs[pair])] }
		to := func(i int) string { return all[(h/64+i)%len(all)] }
		for j := range all {
			if everything || j == 0 && i%2 == 0 {
				list = append(list, trial{in(j), smallScale, split[(h/512+j)%len(split)], to(j)})
			}
		}
		for j := range pairs[pair] {
			if everything || j == 0 && i%20 == 1 {
				list = append(list, trial{in(j + 1), middleScale, split[(h/512+j+1)%len(split)], to(j + 1)})
			}
		}
		if everything || i%50 == 3 {
			list = append(list, trial{in(2), largeScale, split[0], to(2)})
		}
	}
	return list
}

// readTrial returns the trial with that name.
func readTrial(t testing.TB, name string) trial {
	t.Helper()
	parts := regexp.MustCompile(`^(.*) \((\w+)\) (\d+)K to (\S+)$`).FindStringSubmatch(name)
	if parts == nil {
		t.Fatalf("%q is not the name of a trial", name)
	}
	i := slices.IndexFunc(documentsThatMultiply, func(d multiply.Document) bool { return d.Name() == parts[1] })
	j := slices.IndexFunc(multiply.Splits, func(s multiply.Split) bool { return s.Name == parts[2] })
	if i < 0 || j < 0 {
		t.Fatalf("no document for %q", name)
	}
	kib, _ := strconv.Atoi(parts[3])
	size := kib << 10
	if kib == largeScale>>10 {
		size = largeScale
	}
	return trial{documentsThatMultiply[i], size, multiply.Splits[j], parts[4]}
}

var documentsThatMultiply = multiply.Documents()

// cost is what one call took, as the process reports it.
type cost struct {
	allocated, held int // bytes
	status          int // 0 if the process ended
}

func (c cost) excessive() bool {
	return c.allocated > maxAllocated || c.held > maxHeld || c.status == 0
}

func (c cost) String() string {
	return fmt.Sprintf("allocated %d MiB, held %d MiB, status %d", c.allocated>>20, c.held>>20, c.status)
}

// convert makes one call of api_convert alone and counts what it costs.
func (s *target) convert(t *testing.T, body string) cost {
	t.Helper()
	before := s.Allocated(t)
	got, err := s.try(s.request("/v1/tools/api_convert", body))
	if err != nil {
		t.Logf("%v\n%.2000s", err, s.Log())
		return cost{}
	}
	switch {
	case got.status != http.StatusOK && got.status != http.StatusUnprocessableEntity:
		t.Errorf("status %d: %.300s", got.status, got.body)
	case bytes.Contains(got.body, []byte(`"schema_violation"`)):
		t.Errorf("the request is wrong: %.300s", got.body)
	}
	return cost{s.Allocated(t) - before, s.Held(t), got.status}
}

// TestMultiply checks that one call allocates and holds no more memory than any
// call may, however much a document expands. It prints the processor time too.
func TestMultiply(t *testing.T) {
	start := func() *target { return attack(t, daemon.Patient...) }
	s, tried := start(), 0
	wanted := regexp.MustCompile(*only)
	var most, largest cost
	var slowest time.Duration
	var slowestTrial trial
	statuses := map[int]int{}
	for i, one := range trials(t, *everything || *only != "") {
		if !wanted.MatchString(one.String()) || testing.Short() && i%50 != 0 {
			continue
		}
		before := s.Processor(t)
		got := s.convert(t, one.body())
		tried++
		statuses[got.status]++
		if most.allocated < got.allocated {
			most = got
		}
		if largest.held < got.held {
			largest = got
		}
		if got.excessive() {
			t.Errorf("%s: %v", one, got)
			if *keep != "" {
				_ = os.WriteFile(filepath.Join(*keep, strings.ReplaceAll(one.String(), "/", "_")), []byte(one.Text(one.size, one.split)), 0o600)
			}
			s.Kill()
			s = start()
			continue
		}
		if used := s.Processor(t) - before; slowest < used {
			slowest, slowestTrial = used, one
		}
		if *only != "" {
			t.Logf("%s: %v", one, got)
		}
	}
	t.Logf("%d trials; most allocated: %v; most held: %v; most processor time: %v, %s; by status: %v", tried, most, largest, slowest, slowestTrial, statuses)
}
