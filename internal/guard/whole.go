package guard

import (
	"bytes"
	"net/http"
	"strconv"
)

// wholeBytes is how large a body may be that leaves together with its header.
// net/http sends the first 4 KiB of an answer alone: a process that is killed
// behind them leaves half an answer, which a proxy in front has begun to pass on
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
	return x.seat != nil && x.bytes == 0 && len(p) > smallBytes && len(p) <= wholeBytes &&
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
	x.seat.gather()
	n, err := x.ResponseWriter.Write(p)
	_ = http.NewResponseController(x.ResponseWriter).Flush() // else the end leaves once the handler returns
	if sent := x.seat.sendGathered(); err == nil {
		err = sent
	}
	return n, err
}

// gather keeps what is written from now on until sendGathered.
func (s *seat) gather() {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.gathers = true
}

// keep keeps a piece. A short one may be net/http's buffer, which it uses again;
// a longer one is the body itself, which stays as it is until writeWhole returns.
func (s *seat) keep(p []byte) {
	if len(p) <= bufferBytes {
		p = bytes.Clone(p)
	}
	s.gathered = append(s.gathered, p)
}

// sendGathered sends what has been kept, by one system call (writev).
func (s *seat) sendGathered() error {
	s.writing.Lock()
	defer s.writing.Unlock()
	all := s.gathered
	s.gathers, s.gathered = false, nil
	if len(all) == 0 {
		return nil
	}
	s.waits()
	all[0] = s.remaining(all[0])
	err := s.sendAll(&all)
	if err != nil {
		s.leaves()
	}
	return err
}
