package attack

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/multiply"
)

var (
	everything = flag.Bool("everything", false, "try every multiplying document and not a sample, and stay longer at the worst")
	only       = flag.String("only", "", "try the multiplying documents whose trial this regular expression matches")
	keep       = flag.String("keep", "", "write the multiplying documents that are over a bound to this folder")
)

// trial is a multiplying document of a size, to be converted to a target.
type trial struct {
	multiply.Document
	size   int // of the request's value
	split  multiply.Split
	target string
}

// String is the name of a trial, which readTrial reads.
func (t trial) String() string {
	return fmt.Sprintf("%s (%s) %dK to %s", t.Name(), t.split.Name, t.size>>10, t.target)
}

// body is the request, which is a little smaller when it would be too large.
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

// targets are what api_convert converts to.
func targets(t testing.TB) []string {
	t.Helper()
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, option := range c.Tool("api_convert").Options {
		if option.Name == "target" {
			return option.Enum
		}
	}
	t.Fatal("api_convert has no option target")
	return nil
}

// trials are what is tried of all documents. A pair of a share and a referrer
// comes in several formats; which of them stands for it, in which split and to
// which target follows from its name. Everything is: each pair to each target,
// each document at the middle scale, each pair at the large one. A sample of it
// has every other pair at the small scale, and some at the others.
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

// readTrial finds the trial of a name.
func readTrial(t testing.TB, name string) trial {
	t.Helper()
	parts := regexp.MustCompile(`^(.*) \((\w+)\) (\d+)K to (\S+)$`).FindStringSubmatch(name)
	if parts == nil {
		t.Fatalf("%q is no name of a trial", name)
	}
	i := slices.IndexFunc(documentsThatMultiply, func(d multiply.Document) bool { return d.Name() == parts[1] })
	j := slices.IndexFunc(multiply.Splits, func(s multiply.Split) bool { return s.Name == parts[2] })
	if i < 0 || j < 0 {
		t.Fatalf("there is no document for %q", name)
	}
	kib, _ := strconv.Atoi(parts[3])
	size := kib << 10
	if kib == largeScale>>10 {
		size = largeScale
	}
	return trial{documentsThatMultiply[i], size, multiply.Splits[j], parts[4]}
}

var documentsThatMultiply = multiply.Documents()

// What ends a trial before it takes the machine down.
const (
	mostProcessor = 3 * time.Second
	mostMemory    = 1 << 30
)

// cost is what one call took, as seen from outside.
type cost struct {
	processor time.Duration
	memory    int // bytes, the most that was held
	status    int // 0 when the process was ended
}

func (c cost) over() bool { return c.processor > callTime || c.memory > callMemory || c.status == 0 }

func (c cost) String() string {
	return fmt.Sprintf("%v, %d MiB, status %d", c.processor, c.memory>>20, c.status)
}

// worker is the service as it comes, which is given one document at a time.
type worker struct{ *target }

func newWorker(t *testing.T) *worker {
	return &worker{attack(t, "--rate-limit=0", "--exec-timeout=60s")}
}

// guard ends a process that goes beyond all bounds, until stop is called,
// which tells whether it did. The processor time counts from now on.
func guard(t *testing.T, p *daemon.Process, mostProcessor time.Duration, mostMemory int) (stop func() bool) {
	t.Helper()
	before, done, ended := p.Processor(t), make(chan struct{}), make(chan struct{})
	var shot atomic.Bool
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(10 * time.Millisecond):
			}
			if p.Processor(t)-before > mostProcessor || p.Resident(t) > mostMemory {
				shot.Store(true)
				p.Kill()
				return
			}
		}
	}()
	return func() bool {
		close(done)
		<-ended
		return shot.Load()
	}
}

// try makes one call alone.
func (w *worker) try(t *testing.T, body string) cost {
	t.Helper()
	w.ResetPeak()
	before := w.Processor(t)
	stop := guard(t, w.Process, mostProcessor, mostMemory)
	response, err := w.client.Post(w.URL+"/v1/tools/api_convert", "application/json", strings.NewReader(body))
	var got []byte
	if err == nil {
		got, err = io.ReadAll(response.Body)
		response.Body.Close()
	}
	if stop() {
		w.target = newWorker(t).target
		return cost{processor: mostProcessor, memory: mostMemory}
	}
	if err != nil {
		t.Fatal(err)
	}
	switch response.StatusCode {
	case http.StatusOK, http.StatusUnprocessableEntity:
	default:
		t.Errorf("status %d: %.300s", response.StatusCode, got)
	}
	if response.StatusCode == http.StatusUnprocessableEntity && bytes.Contains(got, []byte(`"schema_violation"`)) {
		t.Errorf("the request is wrong: %.300s", got)
	}
	return cost{w.Processor(t) - before, w.Peak(t), response.StatusCode}
}

// TestMultiply: nothing that a document stands for makes one call take more
// processor time, or hold more memory, than any call may.
func TestMultiply(t *testing.T) {
	daemon.SecondTier(t)
	var chosen []trial
	wanted := regexp.MustCompile(*only)
	for _, one := range trials(t, *everything || *only != "") {
		if wanted.MatchString(one.String()) {
			chosen = append(chosen, one)
		}
	}
	w, over := newWorker(t), 0
	var slowest, largest cost
	statuses := map[int]int{}
	for _, one := range chosen {
		body := one.body()
		got := w.try(t, body)
		// Alone in its process, and when the machine is less busy.
		for n := 0; n < 3 && got.over() && got.status != 0; n++ {
			w.Kill()
			w = newWorker(t)
			again := w.try(t, body)
			got.processor, got.memory, got.status = min(got.processor, again.processor), again.memory, again.status
		}
		statuses[got.status]++
		if got.processor > slowest.processor {
			slowest = got
		}
		if got.memory > largest.memory {
			largest = got
		}
		if *only != "" || testing.Verbose() && got.processor > callTime/2 {
			t.Logf("%s: %v", one, got)
		}
		if got.over() {
			over++
			t.Errorf("%s: %v", one, got)
			if *keep != "" {
				_ = os.WriteFile(filepath.Join(*keep, strings.ReplaceAll(one.String(), "/", "_")), []byte(one.Text(one.size, one.split)), 0o600)
			}
		}
	}
	t.Logf("%d of %d trials over %v or %d MiB; at most %v, %v; by status: %v", over, len(chosen), callTime, callMemory>>20, slowest, largest, statuses)
}
