package record

import (
	"bytes"
	"context"
	"log/slog"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// TestLineMatchesSlog compares the lines of slog's handler and of JSONHandler for requests with all kinds of values.
func TestLineMatchesSlog(t *testing.T) {
	var ours, slogs bytes.Buffer
	here := LogTo(slog.New(NewJSONHandler(&ours, slog.LevelInfo)))
	there := LogTo(slog.New(slog.NewJSONHandler(&slogs, &slog.HandlerOptions{Level: slog.LevelInfo})))
	random := rand.New(rand.NewPCG(18, 1))
	direct := 0
	for range 20_000 {
		r := generated(random)
		if (&JSONHandler{out: &bytes.Buffer{}}).write(slog.LevelInfo, r) {
			direct++
		}
		here(context.Background(), r)
		there(context.Background(), r)
		if ours.String() != slogs.String() {
			t.Fatalf("ours: %s\nslog's: %s", ours.String(), slogs.String())
		}
		ours.Reset()
		slogs.Reset()
	}
	if direct < 5_000 || direct > 19_000 {
		t.Errorf("%d lines were written directly: not both ways are tried", direct)
	}
}

// generated returns a record with a value in every field, rarely one that needs escaping.
func generated(random *rand.Rand) Record {
	var r Record
	fields := reflect.ValueOf(&r).Elem()
	for i := range fields.NumField() {
		switch field := fields.Field(i); field.Interface().(type) {
		case string:
			field.SetString(generatedText(random))
		case int:
			field.SetInt([]int64{0, 200, 499, 500, 503, -1, random.Int64()}[random.IntN(7)])
		case int64, time.Duration:
			field.SetInt([]int64{0, 1, 999, -1, math.MaxInt64, math.MinInt64, random.Int64()}[random.IntN(7)])
		case time.Time:
			field.Set(reflect.ValueOf(generatedTime(random)))
		default:
			panic("a field of another type: " + field.Type().String())
		}
	}
	return r
}

func generatedText(random *rand.Rand) string {
	texts := []string{"", "POST", "/v1/tools/json_format", "/problems/{code}", "schema_violation", " ~!#[]^", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}
	if random.IntN(20) > 0 {
		return texts[random.IntN(len(texts))]
	}
	hostile := []string{"\"", "\\", "\n\r\t", "\x00\x1f", "\x7f", "é", "\u2028", "\xff", "<&>", string(rune(random.IntN(0x110000)))}
	return "a" + hostile[random.IntN(len(hostile))] + "b"
}

func generatedTime(random *rand.Rand) time.Time {
	zone := []*time.Location{time.UTC, time.Local, time.FixedZone("", 5*3600+1800), time.FixedZone("", -3*3600)}[random.IntN(4)]
	switch random.IntN(40) {
	case 0:
		return time.Time{}
	case 1:
		return time.Date(random.IntN(40_000)-20_000, 1, 1, 0, 0, 0, 0, zone)
	case 2:
		return time.Now() // has a monotonic clock reading
	}
	return time.Unix(random.Int64N(1<<33), random.Int64N(1e9)/[]int64{1, 1000, 1e6}[random.IntN(3)]).In(zone)
}

// Other records, and handlers with attributes, use slog's handler.
func TestOtherRecordsUseSlog(t *testing.T) {
	var ours, slogs bytes.Buffer
	at := time.Unix(1_700_000_000, 0)
	for _, log := range []slog.Handler{NewJSONHandler(&ours, slog.LevelInfo), slog.NewJSONHandler(&slogs, nil)} {
		line := slog.NewRecord(at, slog.LevelWarn, "stopping", 0)
		line.AddAttrs(slog.String("drain", "5s"))
		_ = log.Handle(context.Background(), line)
		LogTo(slog.New(log.WithAttrs([]slog.Attr{slog.Int("replica", 1)})))(context.Background(), Record{End: at})
		LogTo(slog.New(log.WithGroup("g")))(context.Background(), Record{End: at})
	}
	if ours.String() != slogs.String() || ours.Len() == 0 {
		t.Errorf("ours: %s\nslog's: %s", ours.String(), slogs.String())
	}
}
