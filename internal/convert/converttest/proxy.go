package converttest

import (
	"bufio"
	"io"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// Proxy listens on loopback. It responds to every request with an empty 200 and records it, so that no script reaches
// another host.
type Proxy struct {
	URL string

	varying  *regexp.Regexp
	messages chan string
}

// StartProxy starts a proxy, which records requests without the header lines that match varying.
func StartProxy(t *testing.T, varying string) *Proxy {
	t.Helper()
	l := check.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { l.Close() })
	p := &Proxy{"http://" + l.Addr().String(), regexp.MustCompile(varying), make(chan string, 10_000)}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if m := p.message(c); m != "" {
				p.messages <- m
			}
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			c.Close()
		}
	}()
	return p
}

// Requests returns the requests since the last call, in order.
func (p *Proxy) Requests() []string {
	var sent []string
	for {
		select {
		case m := <-p.messages:
			sent = append(sent, m)
		default:
			return sent
		}
	}
}

var boundary = regexp.MustCompile(`-{8,}[0-9a-zA-Z]{16,}`)

// message reads a request: its lines, the headers sorted, and the body. It returns "" for a connection that was closed
// without a request: curl opens one before it misses a helper program.
func (p *Proxy) message(c net.Conn) string {
	r := bufio.NewReader(c)
	var head []string
	size, chunked := 0, false
	for {
		line, err := r.ReadString('\n')
		line = strings.TrimRight(line, "\r\n")
		if err != nil || line == "" {
			break
		}
		lower := strings.ToLower(line)
		if rest, ok := strings.CutPrefix(lower, "content-length: "); ok {
			size, _ = strconv.Atoi(rest)
		}
		chunked = chunked || lower == "transfer-encoding: chunked"
		if strings.HasPrefix(lower, "expect:") {
			io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
		}
		if !p.varying.MatchString(line) {
			head = append(head, line)
		}
	}
	if len(head) == 0 {
		return ""
	}
	var body []byte
	if chunked {
		for {
			line, err := r.ReadString('\n')
			body = append(body, line...)
			if err != nil || line == "0\r\n" {
				break
			}
		}
	} else {
		body = make([]byte, size)
		n, _ := io.ReadFull(r, body)
		body = body[:n]
	}
	slices.Sort(head[1:])
	if strings.HasPrefix(head[0], "PROXY ") { // --haproxy-protocol names the ports
		head = head[1:]
	}
	return boundary.ReplaceAllString(strings.Join(head, "\n")+"\n\n"+string(body), "BOUNDARY")
}
