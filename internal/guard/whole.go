package guard

import (
	"net"
	"net/http"
	"slices"
	"strconv"
)

// wholeBytes is the largest body that is sent together with its header. net/http sends the first 4 KiB of a response
// alone. If the process is killed after that, it leaves half a response, which a proxy in front has begun to forward
// and cannot retry with another process. A response smaller than net/http's own buffers needs no help.
const (
	wholeBytes  = 64 << 10
	smallBytes  = 2 << 10
	bufferBytes = 4 << 10 // net/http's
)

// isWhole reports whether p is the whole body of a response that is sent in one piece.
func (x *exchange) isWhole(p []byte) bool {
	return x.conn != nil && x.bytes == 0 && len(p) > smallBytes && len(p) <= wholeBytes &&
		isLength(x.Header()["Content-Length"], len(p))
}

// isLength reports whether a Content-Length header specifies this many bytes.
func isLength(header []string, bytes int) bool {
	if len(header) != 1 {
		return false
	}
	n, err := strconv.Atoi(header[0])
	return err == nil && n == bytes
}

func (x *exchange) writeWhole(p []byte) (int, error) {
	x.conn.gathered = make(net.Buffers, 0, 4)
	n, err := x.ResponseWriter.Write(p)
	_ = http.NewResponseController(x.ResponseWriter).Flush() // otherwise the end is sent after the handler returns
	if sent := x.conn.sendGathered(); err == nil {
		err = sent
	}
	return n, err
}

// keep collects a piece for sendGathered. It copies a short one, which may be net/http's reused buffer. A longer one is
// the body itself, which does not change until writeWhole returns.
func (c *conn) keep(p []byte) {
	if len(p) <= bufferBytes {
		p = slices.Clone(p)
	}
	c.gathered = append(c.gathered, p)
}

// sendGathered sends what was collected with one system call (writev).
func (c *conn) sendGathered() error {
	all := c.gathered
	c.gathered = nil
	if len(all) == 0 {
		return nil
	}
	c.waits()
	_, err := all.WriteTo(c.Conn)
	c.sent(err)
	return err
}
