package jsondoc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/yamldoc"
)

// streams are texts whose output is flushed in many pieces, or in a large one.
var streams = map[string]string{
	"small":           `{"a":[1,2]}`,
	"many members":    "[" + strings.Repeat(`{"name":"é and \"more\"","n":[1.50,{}]},`, 40_000) + "0]",
	"deep":            strings.Repeat(`[{"a":`, 120) + "[" + strings.Repeat(`"x",`, 3_000) + "0]" + strings.Repeat("}]", 120),
	"a long string":   `["` + strings.Repeat("中", 200_000) + `",1]`,
	"a literal block": strings.Repeat(`{"a":`, 200) + `"` + strings.Repeat(`line\n`, 20_000) + `"` + strings.Repeat("}", 200),
	"blocks held":     "[" + strings.Repeat(`"`+strings.Repeat(`x\n`, 5_000)+`\n",`, 30) + `"x\n\n"]`,
	"long keys":       `{"` + strings.Repeat("k", 100_000) + `":{"` + strings.Repeat("k", 70_000) + `":1}}`,
}

type made func(text string, limit *convert.OutputLimit) ([]byte, error)

var makers = map[string]made{
	"json": func(text string, limit *convert.OutputLimit) ([]byte, error) {
		return jsondoc.Format(context.Background(), nil, jsondoc.NewScanner(text), jsondoc.Layout{Indent: 3}, limit)
	},
	"compact": func(text string, limit *convert.OutputLimit) ([]byte, error) {
		return jsondoc.Format(context.Background(), nil, jsondoc.NewScanner(text), jsondoc.Layout{}, limit)
	},
	"yaml": func(text string, limit *convert.OutputLimit) ([]byte, error) {
		return yamldoc.FromJSON(context.Background(), nil, jsondoc.NewScanner(text), 2, limit)
	},
}

// pieces counts and measures what is written to it.
type pieces struct {
	bytes.Buffer
	count, largest int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.count++
	p.largest = max(p.largest, len(b))
	return p.Buffer.Write(b)
}

// TestStream checks that what is flushed and the rest are together the whole output, and that memory doesn't
// grow with it.
func TestStream(t *testing.T) {
	for name, text := range streams {
		for format, make := range makers {
			want := check.Value(make(text, convert.NewOutputLimit(1<<30, 1<<30)))(t)
			var got pieces
			rest := check.Value(make(text, convert.NewStream(&got, 1<<30, 1<<30)))(t)
			if string(want) != got.String()+string(rest) {
				t.Errorf("%s as %s: %d bytes became %d and %d", name, format, len(want), got.Len(), len(rest))
			}
			if held := 8*convert.Chunk + len(text); got.largest > held || cap(rest) > 2*held {
				t.Errorf("%s as %s: pieces of %d, a rest of %d", name, format, got.largest, cap(rest))
			}
			if len(want) > 1<<20 && got.count < 2 {
				t.Errorf("%s as %s: %d bytes in %d pieces", name, format, len(want), got.count)
			}
		}
	}
}

// TestStreamFails checks that the writer's error ends the work and is returned.
func TestStreamFails(t *testing.T) {
	for format, make := range makers {
		var unwritten *convert.WriteError
		_, err := make(streams["a literal block"]+" ", convert.NewStream(errorWriter{}, 1<<30, 1<<30))
		if _, err2 := make(streams["many members"], convert.NewStream(errorWriter{}, 1<<30, 1<<30)); !errors.As(err2, &unwritten) || !errors.Is(err2, io.ErrClosedPipe) {
			t.Errorf("%s: %v", format, err2)
		}
		if format == "yaml" && !errors.As(err, &unwritten) {
			t.Errorf("a block: %v", err)
		}
	}
}

type errorWriter struct{}

func (errorWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestStreamBoundsWhatIsHeld checks that a streaming limit doesn't limit the whole output.
func TestStreamBoundsWhatIsHeld(t *testing.T) {
	for format, make := range makers {
		if _, err := make(streams["many members"], convert.NewStream(io.Discard, 300_000, 1_200_000)); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}
