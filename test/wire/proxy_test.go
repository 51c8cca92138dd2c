package wire

import (
	"bufio"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// proxy listens on loopback. It responds to every request with an empty 200 and
// records it, so that no script reaches another host.
type proxy struct {
	listener net.Listener
	messages chan string
}

func listen(t *testing.T) *proxy {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	p := &proxy{l, make(chan string, 10_000)}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			p.messages <- message(c)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			c.Close()
		}
	}()
	return p
}

func (p *proxy) environment() []string {
	url := "http://" + p.listener.Addr().String()
	return []string{"http_proxy=" + url, "https_proxy=" + url, "all_proxy=" + url}
}

// run runs a script with curl and returns the requests that it sends, in order.
func (p *proxy) run(t *testing.T, curl, text string, environment []string) []string {
	t.Helper()
	dir := workDir(t)
	if err := os.Symlink(curl, filepath.Join(dir, "bin", "curl")); err != nil {
		t.Fatal(err)
	}
	runIn(t, dir, text, environment)
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

var (
	boundary = regexp.MustCompile(`-{8,}[0-9a-zA-Z]{16,}`)
	varying  = regexp.MustCompile(`(?i)^(sec-websocket-key|content-length: [0-9]+$)`)
)

// message reads a request: its lines, the headers sorted, and the body.
func message(c net.Conn) string {
	r := bufio.NewReader(c)
	var head []string
	size, chunked, form := 0, false, false
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
		form = form || strings.Contains(lower, "multipart/form-data")
		if strings.HasPrefix(lower, "expect:") {
			io.WriteString(c, "HTTP/1.1 100 Continue\r\n\r\n")
		}
		if !varying.MatchString(line) {
			head = append(head, line)
		}
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
	if len(head) > 0 {
		slices.Sort(head[1:])
	}
	if len(head) > 0 && strings.HasPrefix(head[0], "PROXY ") { // --haproxy-protocol names the ports
		head = head[1:]
	}
	return boundary.ReplaceAllString(strings.Join(head, "\n")+"\n\n"+string(body), "BOUNDARY")
}
