package guard

import (
	"net"
	"net/http"
	"strconv"
	"sync"
)

// wholeBytes is how large a body may be that leaves together with its header.
// net/http sends the first 4 KiB of an answer alone: a process that is killed
// after them leaves half a response, which a proxy in front has begun to pass on
// and cannot ask another process for. What is smaller than net/http's own
// buffers needs no help.
const (
	wholeBytes  = 64 << 10
	smallBytes  = 2 << 10
	bufferBytes = 4 << 10 // net/http's
)

// isWhole reports whether p is the whole body of an answer that leaves in one
// piece.
func (x *exchange) isWhole(p []byte) bool {
	return x.conn != nil && x.bytes == 0 && len(p) > smallBytes && len(p) <= wholeBytes &&
		isLength(x.Header()["Content-Length"], len(p))
}

// isLength reports whether a header Content-Length says so many bytes.
func isLength(header []string, bytes int) bool {
	if len(header) != 1 {
		return false
	}
	n, err := strconv.Atoi(header[0])
	return err == nil && n == bytes
}

// writeWhole writes a whole body.
func (x *exchange) writeWhole(p []byte) (int, error) {
	x.conn.gather()
	n, err := x.ResponseWriter.Write(p)
	_ = http.NewResponseController(x.ResponseWriter).Flush() // else the end leaves once the handler returns
	if sent := x.conn.sendGathered(); err == nil {
		err = sent
	}
	return n, err
}

// gathering is what is kept of an answer, in pieces.
type gathering struct {
	pieces net.Buffers
	first  [4][]byte // room for pieces
	copies []byte    // of short pieces
}

// gatherings are those that are free for other answers.
var gatherings = sync.Pool{New: func() any { return &gathering{copies: make([]byte, 0, 2*bufferBytes)} }}

// keep keeps a piece. A short one may be net/http's buffer, which it uses again;
// a longer one is the body itself, which stays as it is until writeWhole returns.
func (g *gathering) keep(p []byte) {
	if len(p) <= bufferBytes {
		from := len(g.copies)
		g.copies = append(g.copies, p...)
		p = g.copies[from:]
	}
	g.pieces = append(g.pieces, p)
}

// gather keeps what is written from now on until sendGathered.
func (c *conn) gather() {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.gathered = gatherings.Get().(*gathering)
	c.gathered.pieces = c.gathered.first[:0]
}

// sendGathered sends what has been kept, by one system call (writev).
func (c *conn) sendGathered() error {
	c.writing.Lock()
	defer c.writing.Unlock()
	all := c.gathered
	c.gathered = nil
	defer all.release()
	if len(all.pieces) == 0 {
		return nil
	}
	c.waits()
	all.pieces[0] = c.remaining(all.pieces[0])
	err := c.sendAll(&all.pieces)
	c.sent(err)
	return err
}

// release lets go of what was kept.
func (g *gathering) release() {
	*g = gathering{copies: g.copies[:0]}
	gatherings.Put(g)
}
