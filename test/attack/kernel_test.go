//go:build unix

package attack

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
)

// kernelPromise is how many bytes the kernel may hold for the connections of all
// clients together with four work slots (SECURITY.md).
const kernelPromise = 128 << 20

// TestKernelMemory checks that socket buffers are bounded when clients request 2 MB responses with 2 KB requests and
// read nothing, however many addresses take part, and that the memory is released although the clients stay.
func TestKernelMemory(t *testing.T) {
	deep := toolBody("application/json", strings.Repeat("[", 240)+strings.Repeat("1,", 800)+"1"+strings.Repeat("]", 240), `{"indent":8}`)
	call := rawCall("/v1/tools/json_format", deep)
	page := "GET /v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
	for _, test := range []struct {
		name, text string
		each       int // connections of one address
	}{
		{"calls", call, 60},
		{"calls that close", strings.Replace(call, "Host:", "Connection: close\r\nHost:", 1), 60},
		{"pages, pipelined", strings.Repeat(page, 30), 200},
	} {
		for _, addresses := range []int{1, 4, 16} {
			if !*everything && (addresses != 4 || test.name != "calls") {
				continue // one row suffices; each takes half a minute
			}
			t.Run(fmt.Sprintf("%s/%d addresses", test.name, addresses), func(t *testing.T) {
				s := attack(t, "--work-slots=4")
				var held kernel
				var clients []net.Conn
				answered := map[string]int{}
				for i := range test.each * addresses {
					client, status := s.unread(t, fmt.Sprintf("127.0.0.%d", 2+i%addresses), test.text)
					clients, answered[status] = append(clients, client), answered[status]+1
					if i%60 == 59 {
						held.most(s.kernel(t))
					}
				}
				now := s.kernel(t)
				held.most(now)
				t.Logf("at most %d MiB of kernel memory for %d MiB of unsent and %d MiB of unread bytes; %d MiB now; %v",
					held.memory>>20, held.unsent>>20, held.unread>>20, now.memory>>20, answered)
				if held.memory > kernelPromise {
					t.Errorf("the kernel held %d MiB", held.memory>>20)
				}
				for *everything && now.unsent > 0 { // although all clients are still connected
					time.Sleep(time.Second)
					now = s.kernel(t)
				}
				for _, client := range clients {
					client.Close()
				}
				s.unharmed(t)
			})
		}
	}
}

// receivePromise returns how many bytes the kernel may hold for what clients send ahead of the server's reads
// (SECURITY.md): 256 MiB with the default --max-connections.
func receivePromise(connections int) int { return 64<<20 + connections*48<<10 }

// TestKernelReceives checks that receive buffers are bounded when clients announce 1 MB, push 6 MB and connect again
// when they are cut off, however many addresses take part.
func TestKernelReceives(t *testing.T) {
	request := []byte(rawCall("/v1/tools/json_format", strings.Repeat("x", 1<<20)) + strings.Repeat("x", 5<<20))
	for _, test := range []struct{ addresses, each int }{{1, 256}, {2, 128}, {16, 60}, {16, 250}} {
		if !*everything && test.addresses != 2 { // one row suffices
			continue
		}
		t.Run(fmt.Sprintf("%d addresses", test.addresses), func(t *testing.T) {
			s := attack(t, "--work-slots=4")
			ctx, leave := context.WithCancel(t.Context())
			var clients sync.WaitGroup
			for i := range test.addresses * test.each {
				clients.Go(func() { push(ctx, s.Address(), fmt.Sprintf("127.0.0.%d", 2+i%test.addresses), request) })
			}
			idle := s.kernel(t)
			var held kernel
			for range 40 {
				held.most(s.kernel(t))
				time.Sleep(100 * time.Millisecond)
			}
			leave()
			clients.Wait()
			t.Logf("at most %d MiB of kernel memory for %d MiB of unread bytes", held.memory>>20, held.unread>>20)
			if held.memory-idle.memory > receivePromise(test.addresses*test.each) {
				t.Errorf("the kernel held %d MiB", held.memory>>20)
			}
			s.unharmed(t)
		})
	}
}

// push connects from an address and sends the text without reading, again and again until ctx ends.
func push(ctx context.Context, to, address string, text []byte) {
	dialer := net.Dialer{Control: smallBuffers, LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	for ctx.Err() == nil {
		client, err := dialer.DialContext(ctx, "tcp", to)
		if err != nil {
			continue
		}
		stop := context.AfterFunc(ctx, func() { client.Close() })
		_ = client.SetWriteDeadline(time.Now().Add(10 * time.Second)) // longer than the server waits for a body
		_, _ = client.Write(text)
		stop()
		client.Close()
	}
}

// unread sends a request from an address and returns when the status line has arrived; it reads no more.
func (s *target) unread(t *testing.T, address, request string) (client net.Conn, status string) {
	t.Helper()
	dialer := net.Dialer{Control: smallWindow, LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	client = check.Value(dialer.Dial("tcp", s.Address()))(t)
	go func() { _, _ = client.Write([]byte(request)) }()
	line, err := bufio.NewReaderSize(client, 64).ReadSlice('\n')
	if err != nil {
		line = []byte(err.Error())
	}
	return client, strings.TrimSpace(string(line))
}

// kernel is what the system holds for the connections of a process, in bytes.
type kernel struct {
	memory         int // all that is charged for them (skmem of ss)
	unsent, unread int // the payload in it: sent or not, but not acknowledged; not read by the process
}

// most sets each field of k to the larger of both.
func (k *kernel) most(other kernel) {
	k.memory, k.unsent, k.unread = max(k.memory, other.memory), max(k.unsent, other.unsent), max(k.unread, other.unread)
}

var charged = regexp.MustCompile(`skmem:\(r(\d+),rb\d+,t\d+,tb\d+,f(\d+),w(\d+)`)

// kernel queries ss (iproute2) for the sockets of the process's port, including closed ones.
func (s *target) kernel(t *testing.T) (k kernel) {
	t.Helper()
	_, port, _ := net.SplitHostPort(s.Address())
	out, err := exec.Command("ss", "-tanmOH", "exclude", "listening", "sport = :"+port).Output()
	if err != nil {
		t.Fatalf("ss, of the package iproute2: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		columns := strings.Fields(line)
		number := func(text string) int { n, _ := strconv.Atoi(text); return n }
		k.unread, k.unsent = k.unread+number(columns[1]), k.unsent+number(columns[2])
		for i, n := range charged.FindStringSubmatch(line) { // no match for TIME-WAIT
			k.memory += min(i, 1) * int(int32(number(n))) // ss prints a negative reserve as a large number
		}
	}
	return k
}
