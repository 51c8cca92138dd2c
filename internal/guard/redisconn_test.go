package guard

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/convertd/convertd/internal/check"
)

// replies is a connection that replies with a string, in pieces of any size.
type replies struct {
	net.Conn
	io.Reader
}

func (r replies) Read(p []byte) (int, error)  { return r.Reader.Read(p) }
func (r replies) Write(p []byte) (int, error) { return len(p), nil }

func TestReplyConn(t *testing.T) {
	good := "*3\r\n$5\r\nhello\r\n:12\r\n$-1\r\n"
	for name, test := range map[string]struct {
		reply string
		good  bool
	}{
		"an array":             {good, true},
		"many":                 {"*99\r\n" + strings.Repeat(":1700000000000000\r\n", 99), true},
		"a string":             {"$999\r\n" + strings.Repeat("x", 999) + "\r\n" + good, true},
		"an error":             {"-NOAUTH Authentication required.\r\n", true},
		"a large array":        {"*1000000000\r\n", false},
		"a large push":         {">100\r\n", false},
		"an array beyond int":  {"*9999999999999999999999\r\n", false},
		"with leading zeros":   {"*" + strings.Repeat("0", 100) + "1000000000\r\n", false},
		"with a sign":          {"*+1000000000\r\n", false},
		"a large map":          {"%500000000\r\n", false},
		"nested arrays":        {strings.Repeat("*99\r\n", replyRoom/4), false},
		"a large string":       {"$1000\r\n", false},
		"a line without end":   {strings.Repeat("+", replyRoom+1), false},
		"after a string":       {"$3\r\nabc\r\n*1000000000\r\n", false},
		"an endless array":     {"*99\r\n" + strings.Repeat(":1\r\n", replyRoom/4), false},
		"a negative array":     {"*-1\r\n", true},
		"a length that is not": {"*x\r\n", true},
	} {
		for piece, reader := range map[string]io.Reader{"whole": strings.NewReader(test.reply), "byte by byte": iotest.OneByteReader(strings.NewReader(test.reply))} {
			c := &replyConn{Conn: replies{Reader: reader}}
			_, _ = c.Write([]byte("*1\r\n$4\r\nPING\r\n"))
			got, err := io.ReadAll(c)
			if (err == nil) != test.good || test.good && string(got) != test.reply || err != nil && !errors.Is(err, errReply) {
				t.Errorf("%s, %s: %d of %d bytes, %v", name, piece, len(got), len(test.reply), err)
			}
		}
	}
}

// TestRedisThatRepliesTooMuch checks that a Redis that announces a thousand
// million elements costs the replica no memory.
func TestRedisThatRepliesTooMuch(t *testing.T) {
	listener := check.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	replied := make(chan struct{}, 100)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = c.Read(make([]byte, 1000))
				_, _ = io.WriteString(c, "*100000000\r\n") // 1.6 GB
				_, _ = c.Read(make([]byte, 1000))          // until the replica gives up
				c.Close()
				replied <- struct{}{}
			}()
		}
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	shared := check.Value(NewShared("redis://"+listener.Addr().String(), 60, slog.New(slog.DiscardHandler)))(t)
	defer shared.Close()
	<-replied
	<-replied
	runtime.ReadMemStats(&after)
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > 64<<20 {
		t.Errorf("%d MiB were allocated", allocated>>20)
	}
	if shared.Up() {
		t.Error("it counts")
	}
}
