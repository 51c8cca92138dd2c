package convert

import (
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// exceededAt appends pieces one after another and returns the index of the first after which the limit was
// exceeded, or -1.
func exceededAt(b *OutputLimit, pieces []string) int {
	var out []byte
	for i, piece := range pieces {
		out = append(out, piece...)
		if b.Exceeded(out) {
			return i
		}
	}
	return -1
}

func TestOutputLimitIsExact(t *testing.T) {
	pieces := strings.Split(strings.Repeat("aé中😀", 5), "")
	for limit := range 25 {
		want := limit // the piece that is one too many
		if limit >= len(pieces) {
			want = -1
		}
		if got := exceededAt(NewOutputLimit(limit, 1<<20), pieces); got != want {
			t.Errorf("%d characters allowed: exceeded at piece %d, want %d", limit, got, want)
		}
	}
}

func TestZeroOutputLimitAllowsNothing(t *testing.T) {
	var b OutputLimit
	if b.Exceeded(nil) {
		t.Error("nothing is too much")
	}
	if !b.Exceeded([]byte("x")) {
		t.Error("one character passes")
	}
}

// The limit counts lazily; it must agree with a count of the whole output after every piece, for characters
// and for bytes.
func TestOutputLimitAgreesWithCounting(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "é", "中", "😀", "", strings.Repeat("x", 40), strings.Repeat("😀", 30), "{\n  "}
	for range 3000 {
		characters, bytes := random.IntN(400), random.IntN(900)
		limit := NewOutputLimit(characters, bytes)
		var out []byte
		for {
			out = append(out, alphabet[random.IntN(len(alphabet))]...)
			want := utf8.RuneCount(out) > characters || len(out) > bytes
			if got := limit.Exceeded(out); got != want {
				t.Fatalf("%d characters, %d bytes of %d, %d: exceeded %v, want %v",
					utf8.RuneCount(out), len(out), characters, bytes, got, want)
			}
			if want {
				break
			}
		}
	}
}

// Calling Exceeded after every character must stay linear: recounting the whole output would need 10^12 steps here.
func TestOutputLimitIsLinear(t *testing.T) {
	const size = 1 << 20
	text := []byte(strings.Repeat("é", size))
	limit := NewOutputLimit(size, 4*size)
	for n := 0; n <= len(text); n += len("é") {
		if limit.Exceeded(text[:n]) {
			t.Fatalf("exceeded at %d bytes", n)
		}
	}
	if !limit.Exceeded(append(text, 'x')) {
		t.Error("one character too many passes")
	}
}

// What has been drained doesn't count any more: a streaming limit bounds what is held in memory, anew after
// each Drain.
func TestOutputLimitOfAStream(t *testing.T) {
	const most = Chunk // characters, of two bytes each
	var got strings.Builder
	limit := NewStream(&got, most, 2*most)
	full := []byte(strings.Repeat("é", most))
	if kept, err := limit.Drain(full[:Chunk-2]); len(kept) != Chunk-2 || err != nil || got.Len() > 0 {
		t.Errorf("%d bytes are kept of less than a chunk, %d written: %v", len(kept), got.Len(), err)
	}
	for range 5 {
		if limit.Exceeded(full[:Chunk]) || limit.Exceeded(full) {
			t.Fatalf("as much as may be held is too much after %d bytes", got.Len())
		}
		if kept, err := limit.Drain(full); len(kept) > 0 || err != nil {
			t.Fatalf("%d bytes are kept: %v", len(kept), err)
		}
	}
	if got.Len() != 5*len(full) {
		t.Errorf("%d bytes were written", got.Len())
	}
	if !limit.Exceeded(append(full, 'x')) {
		t.Error("one character too many passes")
	}
	var unwritten *WriteError
	if _, err := NewStream(failing{}, most, most).Drain(full); !errors.As(err, &unwritten) || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a writer that fails: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A limit that counts the content of a JSON string allows as much as one that counts the decoded output.
func TestOutputLimitOfEscaped(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	alphabet := []string{"a", "é", "😀", "\n", "\"", `\`, `\"`, "\x01", "u", strings.Repeat("x", 30), strings.Repeat("\n", 20)}
	for range 3000 {
		characters, bytes := random.IntN(200), random.IntN(400)
		into := []byte(`{"\n":"`)
		want, got := NewOutputLimit(characters, bytes), NewInto(into, characters, bytes)
		got.Escaped()
		var out []byte
		for {
			piece := alphabet[random.IntN(len(alphabet))]
			quoted, _ := json.Marshal(piece)
			out, into = append(out, piece...), append(into, quoted[1:len(quoted)-1]...)
			exceeded := want.Exceeded(out)
			if got.Exceeded(into) != exceeded {
				t.Fatalf("%q of %d characters and %d bytes: exceeded %v as it is", out, characters, bytes, exceeded)
			}
			if exceeded {
				break
			}
		}
	}
}
