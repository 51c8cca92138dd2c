package guard

import (
	"errors"
	"net"
	"os"
	"sync"
	"time"
)

// deadline is a connection's read or write deadline. net/http and the guards set it eight times for each request, and
// it hardly ever expires. Setting it therefore only records the time. The connection's own timer is costlier; it is set
// when an operation begins for which it would fire too late. If it fires too early, it is set again and the operation
// resumes. One operation runs at a time.
type deadline struct {
	set func(time.Time) error // the connection's own method

	mutex sync.Mutex
	want  time.Time // zero means none
	timer time.Time // what the connection's own timer was set to
	runs  bool      // an operation that the deadline ends
}

// longAgo is after the deadlines that end an operation at once, which net/http
// and the guards set within the first second of 1970, and before all others.
var longAgo = time.Unix(60, 0)

// move sets the deadline; a zero time clears it.
func (d *deadline) move(to time.Time) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.want = to
	if !d.runs {
		return nil
	}
	return d.arm()
}

// arm sets the timer unless it fires early enough.
func (d *deadline) arm() error {
	if d.want.IsZero() || !d.timer.IsZero() && !d.want.Before(d.timer) {
		return nil
	}
	d.timer = d.want
	return d.set(d.want)
}

// begin is called before an operation that the deadline limits.
func (d *deadline) begin() error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if !d.want.IsZero() && d.want.Before(longAgo) {
		return os.ErrDeadlineExceeded
	}
	d.runs = true
	return d.arm()
}

// end is called after the operation, with its error. It reports whether the timer
// ended the operation before its deadline; the caller then retries.
func (d *deadline) end(err error) (early bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.runs = false
	if err == nil || d.want.Equal(d.timer) || !errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	d.timer = d.want
	return d.set(d.want) == nil
}

// SetReadDeadline implements net.Conn.
func (c *conn) SetReadDeadline(t time.Time) error { return c.reading.move(t) }

// SetWriteDeadline implements net.Conn.
func (c *conn) SetWriteDeadline(t time.Time) error { return c.sending.move(t) }

// SetDeadline implements net.Conn.
func (c *conn) SetDeadline(t time.Time) error {
	return errors.Join(c.reading.move(t), c.sending.move(t))
}

// receive reads from the connection until the deadline.
func (c *conn) receive(p []byte) (int, error) {
	for {
		if err := c.reading.begin(); err != nil {
			return 0, err
		}
		n, err := c.come(p)
		if !c.reading.end(err) {
			return n, err
		}
	}
}

// sendAll writes all pieces with one system call (writev).
func (c *conn) sendAll(pieces *net.Buffers) error {
	for {
		if err := c.sending.begin(); err != nil {
			return err
		}
		_, err := pieces.WriteTo(c.Conn) // removes what it has written
		if !c.sending.end(err) {
			return err
		}
	}
}

// send writes to the connection until the deadline.
func (c *conn) send(p []byte) (sent int, err error) {
	for {
		if err := c.sending.begin(); err != nil {
			return sent, err
		}
		n, err := c.Conn.Write(p[sent:])
		sent += n
		if !c.sending.end(err) {
			return sent, err
		}
	}
}
