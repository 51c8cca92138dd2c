package guard

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/check"
)

// countedConn is a connection that counts how often its timers are set.
type countedConn struct {
	net.Conn
	set int
}

func (c *countedConn) SetReadDeadline(t time.Time) error {
	c.set++
	return c.Conn.SetReadDeadline(t)
}

// pair returns a connection and its other end.
func pair(t *testing.T) (s *conn, inner *countedConn, other net.Conn) {
	t.Helper()
	client, server := net.Pipe()
	t.Cleanup(func() { client.Close(); server.Close() })
	inner = &countedConn{Conn: server}
	return newConn(inner, &Connections{all: map[*conn]bool{}}, ""), inner, client
}

const moment = 40 * time.Millisecond

// mustEnd reads until the deadline, on synctest's clock.
func mustEnd(t *testing.T, s *conn, from time.Time, after time.Duration) {
	t.Helper()
	_, err := s.Read(make([]byte, 1))
	if took := time.Since(from); !errors.Is(err, os.ErrDeadlineExceeded) || took != after {
		t.Errorf("ended after %v, want %v: %v", took, after, err)
	}
}

// A deadline holds when it is moved later, moved earlier, already past, or cleared while the timer is still set.
func TestDeadlineIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, other := pair(t)
		from := time.Now()
		_ = s.SetReadDeadline(from.Add(moment))
		mustEnd(t, s, from, moment)
		_ = s.SetReadDeadline(from.Add(3 * moment)) // the timer is early
		mustEnd(t, s, from, 3*moment)
		from = time.Now()
		_ = s.SetReadDeadline(from.Add(time.Hour))
		_ = s.SetDeadline(from.Add(moment))
		mustEnd(t, s, from, moment)
		_ = s.SetReadDeadline(time.Unix(1, 0))
		mustEnd(t, s, time.Now(), 0)
		_ = s.SetReadDeadline(time.Time{})
		go func() {
			time.Sleep(moment)
			_, _ = other.Write([]byte("a"))
		}()
		if n, err := s.Read(make([]byte, 1)); n != 1 || err != nil {
			t.Error(n, err)
		}
	})
}

// Moving a deadline into the past ends a pending operation. Moving it later does not.
func TestDeadlineOfWhatRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, timer := range []time.Duration{0, time.Hour, moment / 2} {
			s, _, _ := pair(t)
			from := time.Now()
			if timer > 0 {
				_ = s.SetReadDeadline(from.Add(timer))
			}
			time.AfterFunc(moment/4, func() { _ = s.SetReadDeadline(from.Add(time.Hour)) })
			time.AfterFunc(moment, func() { _ = s.SetReadDeadline(time.Unix(1, 0)) })
			mustEnd(t, s, from, moment)
		}
	})
}

// A timer that ends a write too early neither loses nor repeats bytes.
func TestDeadlineOfWriting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := bytes.Repeat([]byte("0123456789"), 100)
		for name, write := range map[string]func(s *conn) error{
			"one": func(s *conn) error { _, err := s.send(sent); return err },
			"all": func(s *conn) error { return s.sendAll(&net.Buffers{sent[:7], sent[7:500], sent[500:]}) },
		} {
			s, _, other := pair(t)
			_ = s.SetWriteDeadline(time.Now().Add(moment))
			go func() { _, _ = other.Read(make([]byte, 1)) }()
			if _, err := s.send([]byte("x")); err != nil { // sets the timer
				t.Fatal(err)
			}
			_ = s.SetWriteDeadline(time.Now().Add(time.Minute))
			got := make(chan []byte)
			go func() {
				first := make([]byte, 333)
				_, _ = io.ReadFull(other, first)
				time.Sleep(2 * moment)
				rest, _ := io.ReadAll(other)
				got <- append(first, rest...)
			}()
			if err := write(s); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			_ = s.Conn.Close()
			if text := <-got; !bytes.Equal(text, sent) {
				t.Errorf("%s: %d bytes arrived, want %d: %.40s", name, len(text), len(sent), text)
			}
			_ = s.SetWriteDeadline(time.Unix(1, 0))
			if err := write(s); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// The connection's timer is not set again as long as it fires early enough.
func TestDeadlineSetsSeldom(t *testing.T) {
	s, inner, other := pair(t)
	go func() { _, _ = io.Copy(other, bytes.NewReader(make([]byte, 100))) }()
	for range 100 {
		for _, after := range []time.Duration{10 * time.Second, 0, 20 * time.Second, 120 * time.Second} {
			to := time.Time{}
			if after > 0 {
				to = time.Now().Add(after)
			}
			_ = s.SetReadDeadline(to)
		}
		check.Value(s.Read(make([]byte, 1)))(t)
	}
	if inner.set != 1 {
		t.Errorf("the timer was set %d times", inner.set)
	}
}
